/* tkrzw.c: what engines/tkrzw.c calls of Tkrzw. A batch is its own until its commit. */
#include "interpose.h"

#include <tkrzw_langc.h>

WRAP(CALL_READ, bool, tkrzw_dbm_process,
     (TkrzwDBM * dbm, const char *key, int32_t size, tkrzw_record_processor process,
      void *argument, bool writable),
     dbm, key, size, process, argument, writable)
WRAP(CALL_WRITE, bool, tkrzw_dbm_set,
     (TkrzwDBM * dbm, const char *key, int32_t key_size, const char *value, int32_t size,
      bool overwrite),
     dbm, key, key_size, value, size, overwrite)
WRAP(CALL_REMOVE, bool, tkrzw_dbm_remove, (TkrzwDBM * dbm, const char *key, int32_t size),
     dbm, key, size)
WRAP(CALL_COMMIT, bool, tkrzw_dbm_synchronize,
     (TkrzwDBM * dbm, bool hard, tkrzw_file_processor process, void *argument,
      const char *parameters),
     dbm, hard, process, argument, parameters)

/* An iterator is moved, and the record under it read: both are one operation. */
WRAP(CALL_SEEK, bool, tkrzw_dbm_iter_first, (TkrzwDBMIter * iterator), iterator)
WRAP(CALL_SEEK, bool, tkrzw_dbm_iter_last, (TkrzwDBMIter * iterator), iterator)
WRAP(CALL_SEEK, bool, tkrzw_dbm_iter_jump,
     (TkrzwDBMIter * iterator, const char *key, int32_t size), iterator, key, size)
WRAP(CALL_NEXT, bool, tkrzw_dbm_iter_next, (TkrzwDBMIter * iterator), iterator)
WRAP(CALL_NEXT, bool, tkrzw_dbm_iter_jump_lower,
     (TkrzwDBMIter * iterator, const char *key, int32_t size, bool inclusive), iterator,
     key, size, inclusive)
/* From a record that somebody has deleted. */
WRAP(CALL_REST, bool, tkrzw_dbm_iter_jump_upper,
     (TkrzwDBMIter * iterator, const char *key, int32_t size, bool inclusive), iterator,
     key, size, inclusive)
WRAP(CALL_REST, bool, tkrzw_dbm_iter_process,
     (TkrzwDBMIter * iterator, tkrzw_record_processor process, void *argument,
      bool writable),
     iterator, process, argument, writable)
