/*
 * leveldb_common.h: what the drivers of LevelDB and of RocksDB call alike, as their
 * interfaces in C are; a part of leveldb.c and of rocksdb.c, in LevelDB's names.
 */
WRAP_VOID(CALL_WRITE, leveldb_put,
	  (leveldb_t * db, const leveldb_writeoptions_t *how, const char *key,
	   size_t key_size, const char *value, size_t size, char **error),
	  db, how, key, key_size, value, size, error)
WRAP_VOID(CALL_REMOVE, leveldb_delete,
	  (leveldb_t * db, const leveldb_writeoptions_t *how, const char *key,
	   size_t key_size, char **error),
	  db, how, key, key_size, error)
WRAP_VOID(CALL_WRITE, leveldb_writebatch_put,
	  (leveldb_writebatch_t * batch, const char *key, size_t key_size,
	   const char *value, size_t size),
	  batch, key, key_size, value, size)
WRAP_VOID(CALL_COMMIT, leveldb_write,
	  (leveldb_t * db, const leveldb_writeoptions_t *how, leveldb_writebatch_t *batch,
	   char **error),
	  db, how, batch, error)
WRAP(CALL_PART, leveldb_iterator_t *, leveldb_create_iterator,
     (leveldb_t * db, const leveldb_readoptions_t *how), db, how)
WRAP_VOID(CALL_SEEK, leveldb_iter_seek,
	  (leveldb_iterator_t * it, const char *key, size_t size), it, key, size)
WRAP_VOID(CALL_SEEK, leveldb_iter_seek_to_first, (leveldb_iterator_t * it), it)
WRAP_VOID(CALL_SEEK, leveldb_iter_seek_to_last, (leveldb_iterator_t * it), it)
WRAP_VOID(CALL_NEXT, leveldb_iter_next, (leveldb_iterator_t * it), it)
WRAP_VOID(CALL_NEXT, leveldb_iter_prev, (leveldb_iterator_t * it), it)
