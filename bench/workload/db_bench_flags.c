/* db_bench_flags.c: see db_bench_flags.h. */
#include "db_bench_flags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* As `db_bench --help` of RocksDB 7.8.3 lists them. */
static const struct db_bench_flag rocksdb_flags[] = {
	{"adaptive_readahead", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "read_options.adaptive_readahead"},
	{"advise_random_on_open", "true", .way = DB_BENCH_ROCKSDB,
	 .to = "advise_random_on_open"},
	{"allow_concurrent_memtable_write", "true", .way = DB_BENCH_ROCKSDB,
	 .to = "allow_concurrent_memtable_write"},
	{"allow_data_in_errors", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "allow_data_in_errors"},
	{"arena_block_size", "0", .way = DB_BENCH_ROCKSDB, .to = "arena_block_size"},
	{"async_io", "false", .way = DB_BENCH_ROCKSDB, .to = "read_options.async_io"},
	{"auto_prefix_mode", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "read_options.auto_prefix_mode"},
	{"avoid_flush_during_recovery", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "avoid_flush_during_recovery"},
	{"backup_dir", "", .way = DB_BENCH_REFUSED},
	{"backup_rate_limit", "0", .way = DB_BENCH_REFUSED},
	{"batch_size", "1", .way = DB_BENCH_OURS, .to = "batch_size"},
	{"benchmark_read_rate_limit", "0", .way = DB_BENCH_OURS, .to = "read_rate"},
	{"benchmark_write_rate_limit", "0", .way = DB_BENCH_WRITE_RATE,
	 .to = "write_rate"},
	{"benchmarks", "", .way = DB_BENCH_BENCHMARKS, .to = "benchmarks"},
	{"blob_cache_numshardbits", "6", .way = DB_BENCH_REFUSED},
	{"blob_cache_size", "8388608", .way = DB_BENCH_REFUSED},
	{"blob_compaction_readahead_size", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "blob_compaction_readahead_size"},
	{"blob_compression_type", "none", .way = DB_BENCH_ROCKSDB,
	 .to = "blob_compression_type",
	 .values = "none:kNoCompression snappy:kSnappyCompression zlib:kZlibCompression "
		   "lz4:kLZ4Compression lz4hc:kLZ4HCCompression zstd:kZSTD"},
	{"blob_db_bytes_per_sync", "524288", .way = DB_BENCH_REFUSED},
	{"blob_db_compression_type", "snappy", .way = DB_BENCH_REFUSED},
	{"blob_db_enable_gc", "false", .way = DB_BENCH_REFUSED},
	{"blob_db_file_size", "268435456", .way = DB_BENCH_REFUSED},
	{"blob_db_gc_cutoff", "0.25", .way = DB_BENCH_REFUSED},
	{"blob_db_is_fifo", "false", .way = DB_BENCH_REFUSED},
	{"blob_db_max_db_size", "0", .way = DB_BENCH_REFUSED},
	{"blob_db_max_ttl_range", "0", .way = DB_BENCH_REFUSED},
	{"blob_db_min_blob_size", "0", .way = DB_BENCH_REFUSED},
	{"blob_db_ttl_range_secs", "3600", .way = DB_BENCH_REFUSED},
	{"blob_file_size", "268435456", .way = DB_BENCH_ROCKSDB, .to = "blob_file_size"},
	{"blob_file_starting_level", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "blob_file_starting_level"},
	{"blob_garbage_collection_age_cutoff", "0.25", .way = DB_BENCH_ROCKSDB,
	 .to = "blob_garbage_collection_age_cutoff"},
	{"blob_garbage_collection_force_threshold", "1", .way = DB_BENCH_ROCKSDB,
	 .to = "blob_garbage_collection_force_threshold"},
	{"block_align", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.block_align"},
	{"block_cache_trace_file", "", .way = DB_BENCH_REFUSED},
	{"block_cache_trace_max_trace_file_size_in_bytes", "68719476736",
	 .way = DB_BENCH_REFUSED},
	{"block_cache_trace_sampling_frequency", "1", .way = DB_BENCH_REFUSED},
	{"block_restart_interval", "16", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.block_restart_interval"},
	{"block_size", "4096", .way = DB_BENCH_OURS, .to = "block_size"},
	{"bloom_bits", "-1", .way = DB_BENCH_OURS, .to = "bloom_bits",
	 .values = "-1: *:%"},
	{"bloom_locality", "0", .way = DB_BENCH_ROCKSDB, .to = "bloom_locality"},
	{"build_info", "false", .way = DB_BENCH_REFUSED},
	{"bytes_per_sync", "0", .way = DB_BENCH_ROCKSDB, .to = "bytes_per_sync"},
	{"cache_high_pri_pool_ratio", "0", .way = DB_BENCH_ALWAYS,
	 .to = "block_cache.high_pri_pool_ratio"},
	{"cache_index_and_filter_blocks", "false", .way = DB_BENCH_ALWAYS,
	 .to = "block_based_table_factory.cache_index_and_filter_blocks"},
	{"cache_low_pri_pool_ratio", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "block_cache.low_pri_pool_ratio"},
	{"cache_numshardbits", "-1", .way = DB_BENCH_ROCKSDB,
	 .to = "block_cache.num_shard_bits"},
	{"cache_size", "8388608", .way = DB_BENCH_OURS, .to = "cache_size",
	 .values = "-1:1 0:1 *:%"}, /* without one, see db_bench_translate() */
	{"cache_type", "lru_cache", .way = DB_BENCH_REFUSED},
	{"charge_blob_cache", "false", .way = DB_BENCH_REFUSED},
	{"charge_compression_dictionary_building_buffer", "false",
	 .way = DB_BENCH_REFUSED},
	{"charge_file_metadata", "false", .way = DB_BENCH_REFUSED},
	{"charge_filter_construction", "false", .way = DB_BENCH_REFUSED},
	{"charge_table_reader", "false", .way = DB_BENCH_REFUSED},
	{"check_flush_compaction_key_order", "true", .way = DB_BENCH_ROCKSDB,
	 .to = "check_flush_compaction_key_order"},
	{"checksum_type", "4", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.checksum",
	 .values = "0:kNoChecksum 1:kCRC32c 2:kxxHash 3:kxxHash64 4:kXXH3"},
	{"column_family_distribution", "", .way = DB_BENCH_REFUSED},
	{"compaction_fadvice", "NORMAL", .way = DB_BENCH_ROCKSDB,
	 .to = "access_hint_on_compaction_start",
	 .values = "NONE:NONE NORMAL:NORMAL SEQUENTIAL:SEQUENTIAL WILLNEED:WILLNEED"},
	{"compaction_pri", "3", .way = DB_BENCH_ROCKSDB, .to = "compaction_pri",
	 .values = "0:kByCompensatedSize 1:kOldestLargestSeqFirst "
		   "2:kOldestSmallestSeqFirst 3:kMinOverlappingRatio 4:kRoundRobin"},
	{"compaction_readahead_size", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "compaction_readahead_size"},
	{"compaction_style", "0", .way = DB_BENCH_ROCKSDB, .to = "compaction_style",
	 .values = "0:kCompactionStyleLevel 1:kCompactionStyleUniversal "
		   "2:kCompactionStyleFIFO 3:kCompactionStyleNone"},
	{"compressed_cache_size", "-1", .way = DB_BENCH_REFUSED},
	{"compressed_secondary_cache_compress_format_version", "2",
	 .way = DB_BENCH_REFUSED},
	{"compressed_secondary_cache_compression_type", "lz4", .way = DB_BENCH_REFUSED},
	{"compressed_secondary_cache_high_pri_pool_ratio", "0", .way = DB_BENCH_REFUSED},
	{"compressed_secondary_cache_low_pri_pool_ratio", "0", .way = DB_BENCH_REFUSED},
	{"compressed_secondary_cache_numshardbits", "6", .way = DB_BENCH_REFUSED},
	{"compressed_secondary_cache_size", "8388608", .way = DB_BENCH_REFUSED},
	{"compression_level", "32767", .way = DB_BENCH_ROCKSDB,
	 .to = "compression_opts.level"},
	{"compression_max_dict_buffer_bytes", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "compression_opts.max_dict_buffer_bytes"},
	{"compression_max_dict_bytes", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "compression_opts.max_dict_bytes"},
	{"compression_parallel_threads", "1", .way = DB_BENCH_ROCKSDB,
	 .to = "compression_opts.parallel_threads"},
	{"compression_ratio", "0.5", .way = DB_BENCH_OURS, .to = "compression_ratio"},
	{"compression_type", "snappy", .way = DB_BENCH_OURS, .to = "compression",
	 .values = "none:none snappy:snappy zlib:zlib lz4:lz4 zstd:zstd"},
	{"compression_use_zstd_dict_trainer", "true", .way = DB_BENCH_ROCKSDB,
	 .to = "compression_opts.use_zstd_dict_trainer"},
	{"compression_zstd_max_train_bytes", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "compression_opts.zstd_max_train_bytes"},
	{"confidence_interval_only", "false", .way = DB_BENCH_TAKEN, .values = "false"},
	{"cost_write_buffer_to_cache", "false", .way = DB_BENCH_REFUSED},
	{"cuckoo_hash_ratio", "0.9", .way = DB_BENCH_REFUSED},
	{"data_block_hash_table_util_ratio", "0.75", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.data_block_hash_table_util_ratio"},
	{"db", "", .way = DB_BENCH_DIRECTORY, .to = "db"},
	{"db_write_buffer_size", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "db_write_buffer_size"},
	{"delayed_write_rate", "8388608", .way = DB_BENCH_ALWAYS,
	 .to = "delayed_write_rate"},
	{"delete_obsolete_files_period_micros", "0", .way = DB_BENCH_ANY,
	 .to = "none: db_bench ignores it, too"},
	{"deletepercent", "2", .way = DB_BENCH_REFUSED},
	{"deletes", "-1", .way = DB_BENCH_MODE},
	{"disable_auto_compactions", "false", .way = DB_BENCH_OURS,
	 .to = "auto_compactions", .values = "true:0 false:1"},
	{"disable_seek_compaction", "0", .way = DB_BENCH_REFUSED},
	{"disable_wal", "false", .way = DB_BENCH_DURABILITY, .to = "durability"},
	{"disposable_entries_batch_size", "0", .way = DB_BENCH_REFUSED},
	{"disposable_entries_delete_delay", "0", .way = DB_BENCH_REFUSED},
	{"disposable_entries_value_size", "64", .way = DB_BENCH_REFUSED},
	{"dump_malloc_stats", "true", .way = DB_BENCH_ALWAYS, .to = "dump_malloc_stats"},
	{"duration", "0", .way = DB_BENCH_OURS, .to = "duration"},
	{"enable_blob_files", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "enable_blob_files"},
	{"enable_blob_garbage_collection", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "enable_blob_garbage_collection"},
	{"enable_cpu_prio", "false", .way = DB_BENCH_REFUSED},
	{"enable_index_compression", "true", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.enable_index_compression"},
	{"enable_io_prio", "false", .way = DB_BENCH_REFUSED},
	{"enable_numa", "false", .way = DB_BENCH_REFUSED},
	{"enable_pipelined_write", "true", .way = DB_BENCH_ALWAYS,
	 .to = "enable_pipelined_write"},
	{"enable_write_thread_adaptive_yield", "true", .way = DB_BENCH_ROCKSDB,
	 .to = "enable_write_thread_adaptive_yield"},
	{"env_uri", "", .way = DB_BENCH_REFUSED},
	{"expand_range_tombstones", "false", .way = DB_BENCH_REFUSED},
	{"experimental_mempurge_threshold", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "experimental_mempurge_threshold"},
	{"expire_style", "none", .way = DB_BENCH_REFUSED},
	{"fifo_age_for_warm", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "compaction_options_fifo.age_for_warm"},
	{"fifo_compaction_allow_compaction", "true", .way = DB_BENCH_ALWAYS,
	 .to = "compaction_options_fifo.allow_compaction"},
	{"fifo_compaction_max_table_files_size_mb", "0", .way = DB_BENCH_ALWAYS,
	 .to = "compaction_options_fifo.max_table_files_size", .values = "0:0 *:%M"},
	{"fifo_compaction_ttl", "0", .way = DB_BENCH_ANY,
	 .to = "none: db_bench sets its time to live after it"},
	{"file_checksum", "false", .way = DB_BENCH_REFUSED},
	{"file_opening_threads", "16", .way = DB_BENCH_ROCKSDB,
	 .to = "max_file_opening_threads"},
	{"finish_after_writes", "false", .way = DB_BENCH_REFUSED},
	{"force_consistency_checks", "true", .way = DB_BENCH_ROCKSDB,
	 .to = "force_consistency_checks"},
	{"format_version", "5", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.format_version"},
	{"fs_uri", "", .way = DB_BENCH_REFUSED},
	{"hard_pending_compaction_bytes_limit", "137438953472", .way = DB_BENCH_ALWAYS,
	 .to = "hard_pending_compaction_bytes_limit"},
	{"hash_bucket_count", "1048576", .way = DB_BENCH_REFUSED},
	{"histogram", "false", .way = DB_BENCH_OURS, .to = "histogram"},
	{"identity_as_first_hash", "false", .way = DB_BENCH_REFUSED},
	{"index_block_restart_interval", "1", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.index_block_restart_interval"},
	{"index_shortening_mode", "2", .way = DB_BENCH_ALWAYS,
	 .to = "block_based_table_factory.index_shortening",
	 .values =
		 "0:kNoShortening 1:kShortenSeparators 2:kShortenSeparatorsAndSuccessor"},
	{"index_with_first_key", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.index_type",
	 .values = "false: true:kBinarySearchWithFirstKey"},
	{"initial_auto_readahead_size", "8192", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.initial_auto_readahead_size"},
	{"inplace_update_num_locks", "10000", .way = DB_BENCH_ROCKSDB,
	 .to = "inplace_update_num_locks"},
	{"inplace_update_support", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "inplace_update_support"},
	{"io_uring_enabled", "true", .way = DB_BENCH_REFUSED},
	{"iter_k", "2.517", .way = DB_BENCH_OURS, .to = "iter_k"},
	{"iter_sigma", "14.236", .way = DB_BENCH_OURS, .to = "iter_sigma"},
	{"iter_theta", "0", .way = DB_BENCH_OURS, .to = "iter_theta"},
	{"key_dist_a", "0", .way = DB_BENCH_OURS, .to = "key_dist_a"},
	{"key_dist_b", "0", .way = DB_BENCH_OURS, .to = "key_dist_b"},
	{"key_id_range", "100000", .way = DB_BENCH_REFUSED},
	{"key_size", "16", .way = DB_BENCH_OURS, .to = "key_size"},
	{"keyrange_dist_a", "0", .way = DB_BENCH_OURS, .to = "keyrange_dist_a"},
	{"keyrange_dist_b", "0", .way = DB_BENCH_OURS, .to = "keyrange_dist_b"},
	{"keyrange_dist_c", "0", .way = DB_BENCH_OURS, .to = "keyrange_dist_c"},
	{"keyrange_dist_d", "0", .way = DB_BENCH_OURS, .to = "keyrange_dist_d"},
	{"keyrange_num", "1", .way = DB_BENCH_OURS, .to = "keyrange_num"},
	{"keys_per_prefix", "0", .way = DB_BENCH_REFUSED},
	{"level0_file_num_compaction_trigger", "4", .way = DB_BENCH_ROCKSDB,
	 .to = "level0_file_num_compaction_trigger"},
	{"level0_slowdown_writes_trigger", "20", .way = DB_BENCH_ROCKSDB,
	 .to = "level0_slowdown_writes_trigger"},
	{"level0_stop_writes_trigger", "36", .way = DB_BENCH_ROCKSDB,
	 .to = "level0_stop_writes_trigger"},
	{"level_compaction_dynamic_level_bytes", "false", .way = DB_BENCH_ALWAYS,
	 .to = "level_compaction_dynamic_level_bytes"},
	{"log_readahead_size", "0", .way = DB_BENCH_ROCKSDB, .to = "log_readahead_size"},
	{"manual_wal_flush", "false", .way = DB_BENCH_ROCKSDB, .to = "manual_wal_flush"},
	{"max_auto_readahead_size", "262144", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.max_auto_readahead_size"},
	{"max_background_compactions", "-1", .way = DB_BENCH_ROCKSDB,
	 .to = "max_background_compactions"},
	{"max_background_flushes", "-1", .way = DB_BENCH_ROCKSDB,
	 .to = "max_background_flushes"},
	{"max_background_jobs", "2", .way = DB_BENCH_OURS, .to = "background_jobs"},
	{"max_bytes_for_level_base", "268435456", .way = DB_BENCH_ROCKSDB,
	 .to = "max_bytes_for_level_base"},
	{"max_bytes_for_level_multiplier", "10", .way = DB_BENCH_ROCKSDB,
	 .to = "max_bytes_for_level_multiplier"},
	{"max_bytes_for_level_multiplier_additional", "", .way = DB_BENCH_ROCKSDB,
	 .to = "max_bytes_for_level_multiplier_additional"},
	{"max_compaction_bytes", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "max_compaction_bytes"},
	{"max_num_range_tombstones", "0", .way = DB_BENCH_REFUSED},
	{"max_scan_distance", "0", .way = DB_BENCH_REFUSED},
	{"max_successive_merges", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "max_successive_merges"},
	{"max_total_wal_size", "0", .way = DB_BENCH_ROCKSDB, .to = "max_total_wal_size"},
	{"max_write_buffer_number", "2", .way = DB_BENCH_ROCKSDB,
	 .to = "max_write_buffer_number"},
	{"max_write_buffer_number_to_maintain", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "max_write_buffer_number_to_maintain"},
	{"max_write_buffer_size_to_maintain", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "max_write_buffer_size_to_maintain"},
	{"memtable_bloom_size_ratio", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "memtable_prefix_bloom_size_ratio"},
	{"memtable_insert_with_hint_prefix_size", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "memtable_insert_with_hint_prefix_extractor",
	 .values = "0: *:rocksdb.CappedPrefix.%"},
	{"memtable_protection_bytes_per_key", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "memtable_protection_bytes_per_key"},
	{"memtable_use_huge_page", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "memtable_huge_page_size", .values = "false:0 true:2048"},
	{"memtable_whole_key_filtering", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "memtable_whole_key_filtering"},
	{"memtablerep", "skip_list", .way = DB_BENCH_ROCKSDB, .to = "memtable_factory",
	 .values = "skip_list:skip_list vector:vector"},
	{"merge_keys", "-1", .way = DB_BENCH_REFUSED},
	{"merge_operator", "", .way = DB_BENCH_ROCKSDB, .to = "merge_operator",
	 .values = "put:PutOperator PutOperator:PutOperator"},
	{"mergereadpercent", "70", .way = DB_BENCH_REFUSED},
	{"metadata_block_size", "4096", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.metadata_block_size"},
	{"min_blob_size", "0", .way = DB_BENCH_ROCKSDB, .to = "min_blob_size"},
	{"min_level_to_compress", "-1", .way = DB_BENCH_LEVELS,
	 .to = "compression_per_level"},
	{"min_write_buffer_number_to_merge", "1", .way = DB_BENCH_ROCKSDB,
	 .to = "min_write_buffer_number_to_merge"},
	{"mix_accesses", "-1", .way = DB_BENCH_REFUSED},
	{"mix_get_ratio", "1", .way = DB_BENCH_OURS, .to = "mix_get_ratio"},
	{"mix_max_scan_len", "10000", .way = DB_BENCH_OURS, .to = "mix_max_scan_len"},
	{"mix_max_value_size", "1024", .way = DB_BENCH_OURS, .to = "mix_max_value_size"},
	{"mix_put_ratio", "0", .way = DB_BENCH_OURS, .to = "mix_put_ratio"},
	{"mix_seek_ratio", "0", .way = DB_BENCH_OURS, .to = "mix_seek_ratio"},
	{"mmap_read", "false", .way = DB_BENCH_OURS, .to = "mmap_reads"},
	{"mmap_write", "false", .way = DB_BENCH_ROCKSDB, .to = "allow_mmap_writes"},
	{"multiread_batched", "false", .way = DB_BENCH_OURS, .to = "batched_multiget"},
	{"multiread_stride", "0", .way = DB_BENCH_MODE},
	{"num", "1000000", .way = DB_BENCH_OURS, .to = "num"},
	{"num_bottom_pri_threads", "0", .way = DB_BENCH_REFUSED},
	{"num_column_families", "1", .way = DB_BENCH_TAKEN, .values = "1"},
	{"num_deletion_threads", "1", .way = DB_BENCH_REFUSED},
	{"num_file_reads_for_auto_readahead", "2", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.num_file_reads_for_auto_readahead"},
	{"num_high_pri_threads", "0", .way = DB_BENCH_ANY,
	 .to = "none: RocksDB starts as many as its background jobs need"},
	{"num_hot_column_families", "0", .way = DB_BENCH_TAKEN, .values = "0"},
	{"num_levels", "7", .way = DB_BENCH_ROCKSDB, .to = "num_levels"},
	{"num_low_pri_threads", "0", .way = DB_BENCH_ANY,
	 .to = "none: RocksDB starts as many as its background jobs need"},
	{"num_multi_db", "0", .way = DB_BENCH_TAKEN, .values = "0 1"},
	{"numdistinct", "1000", .way = DB_BENCH_REFUSED},
	{"open_files", "-1", .way = DB_BENCH_ROCKSDB, .to = "max_open_files"},
	{"ops_between_duration_checks", "1000", .way = DB_BENCH_ANY,
	 .to = "threads hear of the end at once"},
	{"optimistic_transaction_db", "false", .way = DB_BENCH_TRANSACTIONS,
	 .to = "optimistic_transaction_db"},
	{"optimize_filters_for_hits", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "optimize_filters_for_hits"},
	{"optimize_filters_for_memory", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.optimize_filters_for_memory"},
	{"optimize_multiget_for_io", "true", .way = DB_BENCH_ROCKSDB,
	 .to = "read_options.optimize_multiget_for_io"},
	{"options_file", "", .way = DB_BENCH_OPTIONS_FILE, .to = "rocksdb_options"},
	{"overwrite_probability", "0", .way = DB_BENCH_REFUSED},
	{"overwrite_window_size", "1", .way = DB_BENCH_REFUSED},
	{"paranoid_checks", "true", .way = DB_BENCH_ROCKSDB, .to = "paranoid_checks"},
	{"partition_index", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.index_type",
	 .values = "false: true:kTwoLevelIndexSearch"},
	{"partition_index_and_filters", "false", .way = DB_BENCH_REFUSED},
	{"perf_level", "1", .way = DB_BENCH_REFUSED},
	{"periodic_compaction_seconds", "18446744073709551614", .way = DB_BENCH_ROCKSDB,
	 .to = "periodic_compaction_seconds"},
	{"persist_stats_to_disk", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "persist_stats_to_disk"},
	{"persistent_entries_batch_size", "0", .way = DB_BENCH_REFUSED},
	{"persistent_entries_value_size", "64", .way = DB_BENCH_REFUSED},
	{"pin_l0_filter_and_index_blocks_in_cache", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.pin_l0_filter_and_index_blocks_in_cache"},
	{"pin_top_level_index_and_filter", "false", .way = DB_BENCH_ALWAYS,
	 .to = "block_based_table_factory.pin_top_level_index_and_filter"},
	{"preclude_last_level_data_seconds", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "preclude_last_level_data_seconds"},
	{"prefix_same_as_start", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "read_options.prefix_same_as_start"},
	{"prefix_size", "0", .way = DB_BENCH_ROCKSDB, .to = "prefix_extractor",
	 .values = "0: *:fixed:%"},
	{"prepopulate_blob_cache", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "prepopulate_blob_cache", .values = "0:kDisable 1:kFlushOnly"},
	{"prepopulate_block_cache", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.prepopulate_block_cache",
	 .values = "0:kDisable 1:kFlushOnly"},
	{"preserve_internal_time_seconds", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "preserve_internal_time_seconds"},
	{"print_malloc_stats", "false", .way = DB_BENCH_REFUSED},
	{"progress_reports", "true", .way = DB_BENCH_ANY,
	 .to = "progress is shown on a terminal only"},
	{"random_access_max_buffer_size", "1048576", .way = DB_BENCH_ROCKSDB,
	 .to = "random_access_max_buffer_size"},
	{"range_tombstone_width", "100", .way = DB_BENCH_REFUSED},
	{"rate_limit_auto_wal_flush", "false", .way = DB_BENCH_REFUSED},
	{"rate_limit_bg_reads", "false", .way = DB_BENCH_REFUSED},
	{"rate_limit_user_ops", "false", .way = DB_BENCH_REFUSED},
	{"rate_limiter_auto_tuned", "false", .way = DB_BENCH_REFUSED},
	{"rate_limiter_bytes_per_sec", "0", .way = DB_BENCH_REFUSED},
	{"rate_limiter_refill_period_us", "100000", .way = DB_BENCH_REFUSED},
	{"read_amp_bytes_per_bit", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.read_amp_bytes_per_bit"},
	{"read_cache_direct_read", "true", .way = DB_BENCH_REFUSED},
	{"read_cache_direct_write", "true", .way = DB_BENCH_REFUSED},
	{"read_cache_path", "", .way = DB_BENCH_REFUSED},
	{"read_cache_size", "4294967296", .way = DB_BENCH_REFUSED},
	{"read_random_exp_range", "0", .way = DB_BENCH_REFUSED},
	{"read_with_latest_user_timestamp", "true", .way = DB_BENCH_REFUSED},
	{"readahead_size", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "read_options.readahead_size"},
	{"readonly", "false", .way = DB_BENCH_REFUSED},
	{"reads", "-1", .way = DB_BENCH_OURS, .to = "reads", .values = "-1: *:%"},
	{"readwritepercent", "90", .way = DB_BENCH_OURS, .to = "readwritepercent"},
	{"report_bg_io_stats", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "report_bg_io_stats"},
	{"report_file", "report.csv", .way = DB_BENCH_OURS, .to = "report_file"},
	{"report_file_operations", "false", .way = DB_BENCH_REFUSED},
	{"report_interval_seconds", "0", .way = DB_BENCH_OURS,
	 .to = "report_interval_seconds"},
	{"report_open_timing", "false", .way = DB_BENCH_REFUSED},
	{"restore_dir", "", .way = DB_BENCH_REFUSED},
	{"restore_rate_limit", "0", .way = DB_BENCH_REFUSED},
	{"reverse_iterator", "false", .way = DB_BENCH_MODE},
	{"row_cache_size", "0", .way = DB_BENCH_REFUSED},
	{"sample_for_compression", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "sample_for_compression"},
	{"secondary_cache_uri", "", .way = DB_BENCH_REFUSED},
	{"secondary_path", "", .way = DB_BENCH_REFUSED},
	{"secondary_update_interval", "5", .way = DB_BENCH_REFUSED},
	{"seed", "0", .way = DB_BENCH_OURS, .to = "seed", .values = "0: *:%"},
	{"seek_missing_prefix", "false", .way = DB_BENCH_REFUSED},
	{"seek_nexts", "0", .way = DB_BENCH_OURS, .to = "seek_nexts"},
	{"show_table_properties", "false", .way = DB_BENCH_REFUSED},
	{"simcache_size", "-1", .way = DB_BENCH_REFUSED},
	{"simulate_hdd", "false", .way = DB_BENCH_REFUSED},
	{"simulate_hybrid_fs_file", "", .way = DB_BENCH_REFUSED},
	{"simulate_hybrid_hdd_multipliers", "1", .way = DB_BENCH_REFUSED},
	{"sine_a", "1", .way = DB_BENCH_OURS, .to = "sine_a"},
	{"sine_b", "1", .way = DB_BENCH_OURS, .to = "sine_b"},
	{"sine_c", "0", .way = DB_BENCH_OURS, .to = "sine_c"},
	{"sine_d", "1", .way = DB_BENCH_OURS, .to = "sine_d"},
	{"sine_mix_rate", "false", .way = DB_BENCH_OURS, .to = "sine_mix_rate"},
	{"sine_mix_rate_interval_milliseconds", "10000", .way = DB_BENCH_OURS,
	 .to = "sine_mix_rate_interval_milliseconds"},
	{"sine_mix_rate_noise", "0", .way = DB_BENCH_OURS, .to = "sine_mix_rate_noise"},
	{"sine_write_rate", "false", .way = DB_BENCH_REFUSED},
	{"sine_write_rate_interval_milliseconds", "10000", .way = DB_BENCH_REFUSED},
	{"skip_list_lookahead", "0", .way = DB_BENCH_REFUSED},
	{"slow_usecs", "1000000", .way = DB_BENCH_ANY,
	 .to = "calls slower than that are not printed; --slow_calls has them"},
	{"soft_pending_compaction_bytes_limit", "68719476736", .way = DB_BENCH_ROCKSDB,
	 .to = "soft_pending_compaction_bytes_limit"},
	{"statistics", "false", .way = DB_BENCH_MODE},
	{"statistics_string", "", .way = DB_BENCH_REFUSED},
	{"stats_dump_period_sec", "600", .way = DB_BENCH_ALWAYS,
	 .to = "stats_dump_period_sec"},
	{"stats_history_buffer_size", "1048576", .way = DB_BENCH_ROCKSDB,
	 .to = "stats_history_buffer_size"},
	{"stats_interval", "0", .way = DB_BENCH_OURS, .to = "stats_interval"},
	{"stats_interval_seconds", "0", .way = DB_BENCH_OURS,
	 .to = "stats_interval_seconds"},
	{"stats_level", "3", .way = DB_BENCH_ANY,
	 .to = "without --statistics it has no effect, and with it the default is used"},
	{"stats_per_interval", "0", .way = DB_BENCH_MODE},
	{"stats_persist_period_sec", "600", .way = DB_BENCH_ALWAYS,
	 .to = "stats_persist_period_sec"},
	{"stddev", "2000", .way = DB_BENCH_REFUSED},
	{"subcompactions", "1", .way = DB_BENCH_ROCKSDB, .to = "max_subcompactions"},
	{"sync", "false", .way = DB_BENCH_DURABILITY, .to = "durability"},
	{"table_cache_numshardbits", "4", .way = DB_BENCH_ALWAYS,
	 .to = "table_cache_numshardbits"},
	{"target_file_size_base", "67108864", .way = DB_BENCH_ROCKSDB,
	 .to = "target_file_size_base"},
	{"target_file_size_multiplier", "1", .way = DB_BENCH_ROCKSDB,
	 .to = "target_file_size_multiplier"},
	{"thread_status_per_interval", "0", .way = DB_BENCH_REFUSED},
	{"threads", "1", .way = DB_BENCH_OURS, .to = "threads"},
	{"time_range", "100000", .way = DB_BENCH_REFUSED},
	{"total_order_seek", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "read_options.total_order_seek"},
	{"trace_file", "", .way = DB_BENCH_REFUSED},
	{"trace_replay_fast_forward", "1", .way = DB_BENCH_REFUSED},
	{"trace_replay_threads", "1", .way = DB_BENCH_REFUSED},
	{"track_and_verify_wals_in_manifest", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "track_and_verify_wals_in_manifest"},
	{"transaction_db", "false", .way = DB_BENCH_TRANSACTIONS, .to = "transaction_db"},
	{"transaction_lock_timeout", "100", .way = DB_BENCH_OURS,
	 .to = "transaction_lock_timeout"},
	{"transaction_set_snapshot", "false", .way = DB_BENCH_ANY,
	 .to = "none: db_bench's transactions with locks have a snapshot anyway"},
	{"transaction_sets", "2", .way = DB_BENCH_MODE},
	{"transaction_sleep", "0", .way = DB_BENCH_ANY,
	 .to = "none: db_bench ignores it, too"},
	{"truth_db", "/dev/shm/truth_db/dbbench", .way = DB_BENCH_REFUSED},
	{"ttl_seconds", "18446744073709551614", .way = DB_BENCH_ROCKSDB, .to = "ttl"},
	{"universal_allow_trivial_move", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "compaction_options_universal.allow_trivial_move"},
	{"universal_compression_size_percent", "-1", .way = DB_BENCH_ROCKSDB,
	 .to = "compaction_options_universal.compression_size_percent",
	 .values = "-1: *:%"},
	{"universal_incremental", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "compaction_options_universal.incremental"},
	{"universal_max_merge_width", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "compaction_options_universal.max_merge_width", .values = "0: *:%"},
	{"universal_max_size_amplification_percent", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "compaction_options_universal.max_size_amplification_percent",
	 .values = "0: *:%"},
	{"universal_min_merge_width", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "compaction_options_universal.min_merge_width", .values = "0: *:%"},
	{"universal_size_ratio", "0", .way = DB_BENCH_ROCKSDB,
	 .to = "compaction_options_universal.size_ratio", .values = "0: *:%"},
	{"unordered_write", "false", .way = DB_BENCH_ROCKSDB, .to = "unordered_write"},
	{"use_adaptive_mutex", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "use_adaptive_mutex"},
	{"use_blob_cache", "false", .way = DB_BENCH_REFUSED},
	{"use_blob_db", "false", .way = DB_BENCH_REFUSED},
	{"use_cache_jemalloc_no_dump_allocator", "false", .way = DB_BENCH_REFUSED},
	{"use_cache_memkind_kmem_allocator", "false", .way = DB_BENCH_REFUSED},
	{"use_compressed_secondary_cache", "false", .way = DB_BENCH_REFUSED},
	{"use_cuckoo_table", "false", .way = DB_BENCH_REFUSED},
	{"use_data_block_hash_index", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.data_block_index_type",
	 .values = "false:kDataBlockBinarySearch true:kDataBlockBinaryAndHash"},
	{"use_direct_io_for_flush_and_compaction", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "use_direct_io_for_flush_and_compaction"},
	{"use_direct_reads", "false", .way = DB_BENCH_OURS, .to = "direct_reads"},
	{"use_existing_db", "false", .way = DB_BENCH_OURS, .to = "use_existing_db"},
	{"use_existing_keys", "false", .way = DB_BENCH_REFUSED},
	{"use_fsync", "false", .way = DB_BENCH_ROCKSDB, .to = "use_fsync"},
	{"use_hash_search", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.index_type",
	 .values = "false: true:kHashSearch"},
	{"use_keep_filter", "false", .way = DB_BENCH_REFUSED},
	{"use_plain_table", "false", .way = DB_BENCH_REFUSED},
	{"use_ribbon_filter", "false", .way = DB_BENCH_REFUSED},
	{"use_secondary_db", "false", .way = DB_BENCH_REFUSED},
	{"use_shared_block_and_blob_cache", "true", .way = DB_BENCH_REFUSED},
	{"use_single_deletes", "true", .way = DB_BENCH_REFUSED},
	{"use_stderr_info_logger", "false", .way = DB_BENCH_REFUSED},
	{"use_tailing_iterator", "false", .way = DB_BENCH_ROCKSDB,
	 .to = "read_options.tailing"},
	{"use_uint64_comparator", "false", .way = DB_BENCH_REFUSED},
	{"user_timestamp_size", "0", .way = DB_BENCH_REFUSED},
	{"value_k", "0.2615", .way = DB_BENCH_OURS, .to = "value_k"},
	{"value_sigma", "25.45", .way = DB_BENCH_OURS, .to = "value_sigma"},
	{"value_size", "100", .way = DB_BENCH_OURS, .to = "value_size"},
	{"value_size_distribution_type", "fixed", .way = DB_BENCH_REFUSED},
	{"value_size_max", "102400", .way = DB_BENCH_REFUSED},
	{"value_size_min", "100", .way = DB_BENCH_REFUSED},
	{"value_theta", "0", .way = DB_BENCH_OURS, .to = "value_theta"},
	{"verify_checksum", "true", .way = DB_BENCH_ROCKSDB,
	 .to = "read_options.verify_checksums"},
	{"wal_bytes_per_sync", "0", .way = DB_BENCH_ROCKSDB, .to = "wal_bytes_per_sync"},
	{"wal_compression", "none", .way = DB_BENCH_ROCKSDB, .to = "wal_compression",
	 .values = "none:kNoCompression zstd:kZSTD"},
	{"wal_dir", "", .way = DB_BENCH_WAL_DIR, .to = "db"},
	{"wal_size_limit_MB", "0", .way = DB_BENCH_ROCKSDB, .to = "WAL_size_limit_MB"},
	{"wal_ttl_seconds", "0", .way = DB_BENCH_ROCKSDB, .to = "WAL_ttl_seconds"},
	{"whole_key_filtering", "true", .way = DB_BENCH_ROCKSDB,
	 .to = "block_based_table_factory.whole_key_filtering"},
	{"writable_file_max_buffer_size", "1048576", .way = DB_BENCH_ROCKSDB,
	 .to = "writable_file_max_buffer_size"},
	{"write_batch_protection_bytes_per_key", "0", .way = DB_BENCH_REFUSED},
	{"write_buffer_size", "67108864", .way = DB_BENCH_OURS,
	 .to = "write_buffer_size"},
	{"write_thread_max_yield_usec", "100", .way = DB_BENCH_ROCKSDB,
	 .to = "write_thread_max_yield_usec"},
	{"write_thread_slow_yield_usec", "3", .way = DB_BENCH_ROCKSDB,
	 .to = "write_thread_slow_yield_usec"},
	{"writes", "-1", .way = DB_BENCH_OURS, .to = "writes", .values = "-1: *:%"},
	{"writes_before_delete_range", "0", .way = DB_BENCH_REFUSED},
	{"writes_per_range_tombstone", "0", .way = DB_BENCH_REFUSED},
	{0},
};

/* LevelDB's of 1.23 and later. 0 and -1 stand there for the library's defaults. */
static const struct db_bench_flag leveldb_flags[] = {
	{"benchmarks", "", .way = DB_BENCH_BENCHMARKS, .to = "benchmarks"},
	{"block_size", "0", .way = DB_BENCH_OURS, .to = "block_size", .values = "0: *:%"},
	{"bloom_bits", "-1", .way = DB_BENCH_OURS, .to = "bloom_bits",
	 .values = "-1: *:%"},
	{"cache_size", "-1", .way = DB_BENCH_OURS, .to = "cache_size",
	 .values = "-1:8388608 0:1 *:%"},
	{"comparisons", "false", .way = DB_BENCH_REFUSED},
	{"compression", "true", .way = DB_BENCH_OURS, .to = "compression",
	 .values = "false:none true:snappy"},
	{"compression_ratio", "0.5", .way = DB_BENCH_OURS, .to = "compression_ratio"},
	{"db", "", .way = DB_BENCH_DIRECTORY, .to = "db"},
	{"histogram", "false", .way = DB_BENCH_OURS, .to = "histogram"},
	{"key_prefix", "0", .way = DB_BENCH_REFUSED},
	{"max_file_size", "0", .way = DB_BENCH_OURS, .to = "max_file_size",
	 .values = "0: *:%"},
	{"num", "1000000", .way = DB_BENCH_OURS, .to = "num"},
	{"open_files", "0", .way = DB_BENCH_OURS, .to = "max_open_files",
	 .values = "0: *:%"},
	{"reads", "-1", .way = DB_BENCH_OURS, .to = "reads", .values = "-1: *:%"},
	{"reuse_logs", "false", .way = DB_BENCH_REFUSED},
	{"threads", "1", .way = DB_BENCH_OURS, .to = "threads"},
	{"use_existing_db", "false", .way = DB_BENCH_OURS, .to = "use_existing_db"},
	{"value_size", "100", .way = DB_BENCH_OURS, .to = "value_size"},
	{"write_buffer_size", "0", .way = DB_BENCH_OURS, .to = "write_buffer_size",
	 .values = "0:4194304 *:%"},
	/* of the fork that RocksDB's benchmark_leveldb.sh runs */
	{"writes_per_second", "0", .way = DB_BENCH_OURS, .to = "write_rate"},
	{0},
};

const struct db_bench_flag *db_bench_flags_at(bool leveldb, size_t i)
{
	const size_t n = leveldb ? sizeof leveldb_flags / sizeof *leveldb_flags
				 : sizeof rocksdb_flags / sizeof *rocksdb_flags;

	return i + 1 >= n ? NULL : leveldb ? &leveldb_flags[i] : &rocksdb_flags[i];
}

const struct db_bench_flag *db_bench_flags_find(bool leveldb, const char *name,
						size_t length)
{
	const struct db_bench_flag *flag;

	for (size_t i = 0; (flag = db_bench_flags_at(leveldb, i)); i++)
		if (strlen(flag->name) == length && !memcmp(flag->name, name, length))
			return flag;
	return NULL;
}

/* 0 or 1, as gflags reads it; -1: the text is no boolean. */
static int read_boolean(const char *text)
{
	static const char *const words[] = {"0",    "1", "f", "t",  "false",
					    "true", "n", "y", "no", "yes"};

	for (int i = 0; i < 10; i++)
		if (!strcasecmp(text, words[i]))
			return i % 2;
	return -1;
}

const char *db_bench_flags_boolean(const char *value)
{
	int boolean = read_boolean(value);

	return boolean < 0 ? value : boolean ? "true" : "false";
}

bool db_bench_flags_same_value(const char *a, const char *b)
{
	char *end_a, *end_b;
	double x = strtod(a, &end_a), y = strtod(b, &end_b);

	if (!strcmp(a, b))
		return true;
	if (end_a > a && !*end_a && end_b > b && !*end_b)
		return !(x < y || x > y);
	return read_boolean(a) >= 0 && read_boolean(a) == read_boolean(b);
}

/* The pattern with the value in place of its %. */
static void fill_pattern(const char *pattern, size_t length, const char *value, char *to,
			 size_t size)
{
	size_t before = strcspn(pattern, "%");

	before = before < length ? before : length;
	snprintf(to, size, "%.*s%s%.*s", (int)before, pattern,
		 before < length ? value : "",
		 before < length ? (int)(length - before - 1) : 0, pattern + before + 1);
}

bool db_bench_flags_map(const struct db_bench_flag *flag, const char *value, char *to,
			size_t size)
{
	char key[64];

	if (!flag->values)
		snprintf(to, size, "%s", value);
	for (const char *word = flag->values; word && *word; word += strspn(word, " ")) {
		size_t length = strcspn(word, " "), colon = strcspn(word, ":");

		snprintf(key, sizeof key, "%.*s", (int)colon, word);
		if (!strcmp(key, "*") || db_bench_flags_same_value(key, value)) {
			fill_pattern(word + colon + 1, length - colon - 1, value, to,
				     size);
			return true;
		}
		word += length;
	}
	return !flag->values;
}

const char *db_bench_flags_fate(const struct db_bench_flag *flag)
{
	static const char *const fates[DB_BENCH_WAYS] = {
		[DB_BENCH_OURS] = "an option of ours",
		[DB_BENCH_BENCHMARKS] = "an option of ours",
		[DB_BENCH_DIRECTORY] = "an option of ours",
		[DB_BENCH_DURABILITY] = "an option of ours",
		[DB_BENCH_TRANSACTIONS] = "an option of ours",
		[DB_BENCH_WRITE_RATE] = "an option of ours",
		[DB_BENCH_ROCKSDB] = "an option of RocksDB's",
		[DB_BENCH_ALWAYS] = "an option of RocksDB's",
		[DB_BENCH_LEVELS] = "an option of RocksDB's",
		[DB_BENCH_OPTIONS_FILE] = "options of RocksDB's, from the file",
		[DB_BENCH_TAKEN] = "taken with values that ask for what is done anyway",
		[DB_BENCH_WAL_DIR] = "taken with values that ask for what is done anyway",
		[DB_BENCH_ANY] = "taken without effect",
		[DB_BENCH_MODE] = "done",
		[DB_BENCH_REFUSED] = "refused, but for its default",
	};

	return fates[flag->way];
}

/* GROUP.NAME as RocksDB takes it: GROUP={NAME=VALUE}. */
static void describe_own_option(const struct db_bench_flag *flag, char *text, size_t size)
{
	const char *dot = strchr(flag->to, '.'), *values = flag->values;

	if (dot && !strncmp(flag->to, "block_cache", (size_t)(dot - flag->to)))
		snprintf(text, size,
			 "--rocksdb_options='block_based_table_factory={block_cache={"
			 "capacity=BYTES;%s=VALUE}}'",
			 dot + 1);
	else if (dot && !strncmp(flag->to, "read_options.", 13))
		snprintf(text, size, "--read_options=%s=VALUE", dot + 1);
	else if (dot)
		snprintf(text, size, "--rocksdb_options='%.*s={%s=VALUE}'",
			 (int)(dot - flag->to), flag->to, dot + 1);
	else
		snprintf(text, size, "--rocksdb_options=%s=VALUE", flag->to);
	if (values && !strchr(values, '*'))
		snprintf(text + strlen(text), size - strlen(text), ", with %s", values);
}

const char *db_bench_flags_describe(const struct db_bench_flag *flag, char *text,
				    size_t size)
{
	switch (flag->way) {
	case DB_BENCH_ROCKSDB:
	case DB_BENCH_ALWAYS:
		describe_own_option(flag, text, size);
		return text;
	case DB_BENCH_OURS:
		if (!strcmp(flag->name, flag->to))
			return NULL;
		snprintf(text, size, "--%s%s%s", flag->to,
			 flag->values && !strchr(flag->values, '*') ? ", with " : "",
			 flag->values && !strchr(flag->values, '*') ? flag->values : "");
		return text;
	case DB_BENCH_ANY:
		return flag->to;
	case DB_BENCH_LEVELS:
		return "--rocksdb_options=compression_per_level=TYPE:TYPE:...";
	case DB_BENCH_OPTIONS_FILE:
		return "--rocksdb_options with the lines of the file";
	default:
		return NULL;
	}
}
