/*
 * leveldb_common.h: what the drivers of LevelDB and of RocksDB call alike, as their
 * interfaces in C are; a part of leveldb.c and of rocksdb.c, which first define
 * LEVELDB_API(name), the API's name for it: LEVELDB_API(put) is leveldb_put.
 */
WRAP_VOID(CALL_WRITE, LEVELDB_API(put),
	  (LEVELDB_API(t) * db, const LEVELDB_API(writeoptions_t) * how, const char *key,
	   size_t key_size, const char *value, size_t size, char **error),
	  db, how, key, key_size, value, size, error)
WRAP_VOID(CALL_REMOVE, LEVELDB_API(delete),
	  (LEVELDB_API(t) * db, const LEVELDB_API(writeoptions_t) * how, const char *key,
	   size_t key_size, char **error),
	  db, how, key, key_size, error)
WRAP_VOID(CALL_WRITE, LEVELDB_API(writebatch_put),
	  (LEVELDB_API(writebatch_t) * batch, const char *key, size_t key_size,
	   const char *value, size_t size),
	  batch, key, key_size, value, size)
WRAP_VOID(CALL_COMMIT, LEVELDB_API(write),
	  (LEVELDB_API(t) * db, const LEVELDB_API(writeoptions_t) * how,
	   LEVELDB_API(writebatch_t) * batch, char **error),
	  db, how, batch, error)
WRAP(CALL_PART, LEVELDB_API(iterator_t) *, LEVELDB_API(create_iterator),
     (LEVELDB_API(t) * db, const LEVELDB_API(readoptions_t) * how), db, how)
WRAP_VOID(CALL_SEEK, LEVELDB_API(iter_seek),
	  (LEVELDB_API(iterator_t) * it, const char *key, size_t size), it, key, size)
WRAP_VOID(CALL_SEEK, LEVELDB_API(iter_seek_to_first), (LEVELDB_API(iterator_t) * it), it)
WRAP_VOID(CALL_SEEK, LEVELDB_API(iter_seek_to_last), (LEVELDB_API(iterator_t) * it), it)
WRAP_VOID(CALL_NEXT, LEVELDB_API(iter_next), (LEVELDB_API(iterator_t) * it), it)
WRAP_VOID(CALL_NEXT, LEVELDB_API(iter_prev), (LEVELDB_API(iterator_t) * it), it)
