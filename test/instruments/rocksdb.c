/* rocksdb.c: what engines/rocksdb.c calls of RocksDB. */
#include "interpose.h"

#include <rocksdb/c.h>

WRAP(CALL_READ, rocksdb_pinnableslice_t *, rocksdb_get_pinned_cf,
     (rocksdb_t *db, const rocksdb_readoptions_t *how,
      rocksdb_column_family_handle_t *family, const char *key, size_t size, char **error),
     db, how, family, key, size, error)
WRAP_VOID(CALL_GROUP, rocksdb_batched_multi_get_cf,
	  (rocksdb_t *db, const rocksdb_readoptions_t *how,
	   rocksdb_column_family_handle_t *family, size_t n, const char *const *keys,
	   const size_t *sizes, rocksdb_pinnableslice_t **values, char **errors,
	   const bool sorted),
	  db, how, family, n, keys, sizes, values, errors, sorted)
WRAP_VOID(CALL_WRITE, rocksdb_put,
	  (rocksdb_t *db, const rocksdb_writeoptions_t *how, const char *key,
	   size_t key_size, const char *value, size_t size, char **error),
	  db, how, key, key_size, value, size, error)
WRAP_VOID(CALL_REMOVE, rocksdb_delete,
	  (rocksdb_t *db, const rocksdb_writeoptions_t *how, const char *key,
	   size_t key_size, char **error),
	  db, how, key, key_size, error)
WRAP_VOID(CALL_WRITE, rocksdb_writebatch_put,
	  (rocksdb_writebatch_t *batch, const char *key, size_t key_size,
	   const char *value, size_t size),
	  batch, key, key_size, value, size)
WRAP_VOID(CALL_COMMIT, rocksdb_write,
	  (rocksdb_t *db, const rocksdb_writeoptions_t *how, rocksdb_writebatch_t *batch,
	   char **error),
	  db, how, batch, error)
WRAP(CALL_PART, rocksdb_iterator_t *, rocksdb_create_iterator,
     (rocksdb_t *db, const rocksdb_readoptions_t *how), db, how)
WRAP_VOID(CALL_SEEK, rocksdb_iter_seek,
	  (rocksdb_iterator_t *it, const char *key, size_t size), it, key, size)
WRAP_VOID(CALL_SEEK, rocksdb_iter_seek_for_prev,
	  (rocksdb_iterator_t *it, const char *key, size_t size), it, key, size)
WRAP_VOID(CALL_SEEK, rocksdb_iter_seek_to_first, (rocksdb_iterator_t *it), it)
WRAP_VOID(CALL_SEEK, rocksdb_iter_seek_to_last, (rocksdb_iterator_t *it), it)
WRAP_VOID(CALL_NEXT, rocksdb_iter_next, (rocksdb_iterator_t *it), it)
WRAP_VOID(CALL_NEXT, rocksdb_iter_prev, (rocksdb_iterator_t *it), it)
