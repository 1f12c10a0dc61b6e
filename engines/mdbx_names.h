/*
 * mdbx_names.h: libmdbx's API has these names where LMDB's, from which it grew, has
 * others, and the same parameters. Who includes it can share source with LMDB:
 * lmdb_common.h calls mdb_get(), and in libmdbx's driver that is mdbx_get().
 */
#ifndef ENGINES_MDBX_NAMES_H
#define ENGINES_MDBX_NAMES_H

#define MDB_cursor MDBX_cursor
#define MDB_cursor_op MDBX_cursor_op
#define MDB_txn MDBX_txn
#define MDB_val MDBX_val
#define MDB_APPEND MDBX_APPEND
#define MDB_FIRST MDBX_FIRST
#define MDB_LAST MDBX_LAST
#define MDB_NEXT MDBX_NEXT
#define MDB_NORDAHEAD MDBX_NORDAHEAD
#define MDB_PREV MDBX_PREV
#define MDB_RDONLY MDBX_RDONLY
#define MDB_SET_RANGE MDBX_SET_RANGE
#define MDB_WRITEMAP MDBX_WRITEMAP

/* members of MDBX_val, which is a struct iovec */
#define mv_data iov_base
#define mv_size iov_len

#define mdb_cursor_close mdbx_cursor_close
#define mdb_cursor_get mdbx_cursor_get
#define mdb_cursor_open mdbx_cursor_open
#define mdb_cursor_renew mdbx_cursor_renew
#define mdb_del mdbx_del
#define mdb_get mdbx_get
#define mdb_put mdbx_put
#define mdb_txn_abort mdbx_txn_abort
#define mdb_txn_begin mdbx_txn_begin
#define mdb_txn_commit mdbx_txn_commit
#define mdb_txn_renew mdbx_txn_renew
#define mdb_txn_reset mdbx_txn_reset

#endif
