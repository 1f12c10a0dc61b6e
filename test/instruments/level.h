/*
 * level.h: what the drivers of LevelDB and of RocksDB call alike, as their interfaces in
 * C are; a part of leveldb.c and of rocksdb.c, which first define LEVEL(name), the API's
 * name for it: LEVEL(put) is leveldb_put.
 */
WRAP_VOID(CALL_WRITE, LEVEL(put),
	  (LEVEL(t) *db, const LEVEL(writeoptions_t) *how, const char *key,
	   size_t key_size, const char *value, size_t size, char **error),
	  db, how, key, key_size, value, size, error)
WRAP_VOID(CALL_REMOVE, LEVEL(delete),
	  (LEVEL(t) *db, const LEVEL(writeoptions_t) *how, const char *key,
	   size_t key_size, char **error),
	  db, how, key, key_size, error)
WRAP_VOID(CALL_WRITE, LEVEL(writebatch_put),
	  (LEVEL(writebatch_t) *batch, const char *key, size_t key_size,
	   const char *value, size_t size),
	  batch, key, key_size, value, size)
WRAP_VOID(CALL_COMMIT, LEVEL(write),
	  (LEVEL(t) *db, const LEVEL(writeoptions_t) *how, LEVEL(writebatch_t) *batch,
	   char **error),
	  db, how, batch, error)
WRAP(CALL_PART, LEVEL(iterator_t) *, LEVEL(create_iterator),
     (LEVEL(t) *db, const LEVEL(readoptions_t) *how), db, how)
WRAP_VOID(CALL_SEEK, LEVEL(iter_seek),
	  (LEVEL(iterator_t) *it, const char *key, size_t size), it, key, size)
WRAP_VOID(CALL_SEEK, LEVEL(iter_seek_to_first), (LEVEL(iterator_t) *it), it)
WRAP_VOID(CALL_SEEK, LEVEL(iter_seek_to_last), (LEVEL(iterator_t) *it), it)
WRAP_VOID(CALL_NEXT, LEVEL(iter_next), (LEVEL(iterator_t) *it), it)
WRAP_VOID(CALL_NEXT, LEVEL(iter_prev), (LEVEL(iterator_t) *it), it)
