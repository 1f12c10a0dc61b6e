/* leveldb.c: what engines/leveldb.c calls of LevelDB. */
#include "interpose.h"

#include <leveldb/c.h>

WRAP(CALL_READ, char *, leveldb_get,
     (leveldb_t * db, const leveldb_readoptions_t *how, const char *key, size_t key_size,
      size_t *size, char **error),
     db, how, key, key_size, size, error)

#include "leveldb_common.h"
