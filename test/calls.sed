# Calls of other code say themselves (test/calls.h): lines of a driver that are indented have them.
/^	/{
s/(^|[^A-Za-z0-9_>.])((mdb|mdbx|rocksdb|leveldb|sqlite3|tkrzw|io|lsm|tidesdb)_[A-Za-z0-9_]+|kc[a-z]+|db_(env_)?create|db_env_set_func_fsync|wiredtiger_open|set_plain_table|open|close|fsync|fdatasync|pread|pwrite|fallocate|ftruncate|unlink|symlink|rmdir|madvise|posix_memalign|file_copy|sync_earlier|setenv|pthread_rwlockattr_setkind_np|pthread_rwlock_[a-z]*lock)\(/\1\2 SAID("\2", /g
s/(pthread_mutex_[a-z]*lock)\(&(s->)?db->/\1 SAID("\1", \&\2db->/g
s/(leveldb_common_[a-z]+) SAID\("[a-z_]+", /\1(/g
s/mdbx_strerror_r SAID\("[a-z_]+", /mdbx_strerror_r(/
s/->(index|note)\(/->\1 (/g
s/->([a-z_0-9]+)\(/->\1 SAID("\1", /g
s/([A-Za-z0-9_]+) SAID\("[A-Za-z0-9_]+", \)/SAID_NOTHING(\1)/g
s/(SAID\("io_prep_pread", request, s->db->fd, )buffer/\1(void *)buffer/
s/SAID\("([a-z]+_free|kcfree)", ([^)]*)\)/SAID("\1", (const void *)(\2))/
s/SAID\("(pread|pwrite|tkrzw_dbm_iter_jump[a-z_]*|kccurjumpbackkey)"/SAID_BYTES("\1"/g
s/(([A-Za-z0-9_]+(->|\.))*[A-Za-z0-9_]+) (SAID(_BYTES)?)\("([A-Za-z0-9_]+)"/REAL(\1, "\6") \4("\6"/g
}
