/* rocksdb.c: what engines/rocksdb.c calls of RocksDB. */
#include "interpose.h"

#include <rocksdb/c.h>

WRAP(CALL_READ, rocksdb_pinnableslice_t *, rocksdb_get_pinned_cf,
     (rocksdb_t * db, const rocksdb_readoptions_t *how,
      rocksdb_column_family_handle_t *family, const char *key, size_t size, char **error),
     db, how, family, key, size, error)
WRAP_VOID(CALL_GROUP, rocksdb_batched_multi_get_cf,
	  (rocksdb_t * db, const rocksdb_readoptions_t *how,
	   rocksdb_column_family_handle_t *family, size_t n, const char *const *keys,
	   const size_t *sizes, rocksdb_pinnableslice_t **values, char **errors,
	   const bool sorted),
	  db, how, family, n, keys, sizes, values, errors, sorted)
WRAP_VOID(CALL_SEEK, rocksdb_iter_seek_for_prev,
	  (rocksdb_iterator_t * it, const char *key, size_t size), it, key, size)

#include "../../engines/rocksdb_names.h"
#include "leveldb_common.h"
