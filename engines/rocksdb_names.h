/*
 * rocksdb_names.h: RocksDB's C API has these names where LevelDB's, from which it grew,
 * has others, and the same parameters. Who includes it can share source with LevelDB:
 * leveldb_common.h calls leveldb_put(), and in RocksDB's driver that is rocksdb_put().
 */
#ifndef ENGINES_ROCKSDB_NAMES_H
#define ENGINES_ROCKSDB_NAMES_H

#define leveldb_t rocksdb_t
#define leveldb_iterator_t rocksdb_iterator_t
#define leveldb_readoptions_t rocksdb_readoptions_t
#define leveldb_writebatch_t rocksdb_writebatch_t
#define leveldb_writeoptions_t rocksdb_writeoptions_t

#define leveldb_create_iterator rocksdb_create_iterator
#define leveldb_create_snapshot rocksdb_create_snapshot
#define leveldb_delete rocksdb_delete
#define leveldb_free rocksdb_free
#define leveldb_iter_destroy rocksdb_iter_destroy
#define leveldb_iter_get_error rocksdb_iter_get_error
#define leveldb_iter_key rocksdb_iter_key
#define leveldb_iter_next rocksdb_iter_next
#define leveldb_iter_prev rocksdb_iter_prev
#define leveldb_iter_seek rocksdb_iter_seek
#define leveldb_iter_seek_to_first rocksdb_iter_seek_to_first
#define leveldb_iter_seek_to_last rocksdb_iter_seek_to_last
#define leveldb_iter_valid rocksdb_iter_valid
#define leveldb_iter_value rocksdb_iter_value
#define leveldb_property_value rocksdb_property_value
#define leveldb_put rocksdb_put
#define leveldb_readoptions_set_snapshot rocksdb_readoptions_set_snapshot
#define leveldb_release_snapshot rocksdb_release_snapshot
#define leveldb_write rocksdb_write
#define leveldb_writebatch_clear rocksdb_writebatch_clear
#define leveldb_writebatch_delete rocksdb_writebatch_delete
#define leveldb_writebatch_put rocksdb_writebatch_put

#endif
