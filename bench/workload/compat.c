/* compat.c: the equivalents of other tools' options and workloads; see compat.h. */
#include "compat.h"

#include <string.h>

#include "db_bench_flags.h"

/* Names separated by blanks, and their equivalent here. */
struct compat_entry {
	const char *names, *replacement;
};

/*
 * Options of db_bench (both versions, of 2026) and of dbbench that no program here has
 * under that name. Of others the table of db_bench_flags.h tells what they are here.
 */
static const struct compat_entry compat_options[] = {
	{"num_multi_db num_column_families num_hot_column_families "
	 "column_family_distribution",
	 "one database with one key range is measured; run several programs at "
	 "once with --start_at"},
	{"max_threads", "name@N for a workload's own number of threads"},
	{"stats_period", "--stats_interval_seconds"},
	{"writes_per_second benchmark_write_rate_limit",
	 "--write_rate, an open loop with response times; loads before other "
	 "workloads have no rate"},
	{"benchmark_read_rate_limit", "--read_rate, an open loop with response times"},
	{"rate_limit_user_ops", "--rate"},
	{"finish_after_writes",
	 "readwhilewriting's background writer ends with the readers"},
	{"deletes", "--num: deleteseq and deleterandom delete so many"},
	{"bgwriter_num",
	 "the background writer draws from all --num keys; --distribution says how"},
	{"numdistinct use_existing_keys",
	 "reads draw from the --num keys that exist; readmissing reads those that "
	 "do not"},
	{"overwrite_probability overwrite_window_size",
	 "--benchmarks=mix --mix=insert:A,update:B --distribution=latest"},
	{"read_random_exp_range", "--distribution=exponential"},
	{"value_size_distribution_type value_size_min value_size_max",
	 "--value_size=MIN-MAX"},
	{"key_prefix", "--key_format and --key_size"},
	{"reverse_iterator", "--benchmarks=readreverse"},
	{"max_scan_distance", "--scan_length"},
	{"seek_nexts_to_delete", "--benchmarks=queue seeks over deleted records"},
	{"multiread_stride multiscan_size multiscan_stride "
	 "multiscan_coalesce_threshold multiscan_max_prefetch_size "
	 "multiscan_use_async_io use_multiscan "
	 "io_dispatcher_max_prefetch_memory_bytes coro_jobs_per_thread",
	 "--benchmarks=multireadrandom with --batch_size keys in a call; several "
	 "scans in one call are not measured"},
	{"same_value_percentage", "--compression_ratio"},
	{"mergereadpercent merge_keys merge_operator max_successive_merges",
	 "--benchmarks=updaterandom: a read-modify-write, which every engine has; "
	 "merge operators are that engine's alone"},
	{"deletepercent", "--mix=read:A,update:B,insert:C,delete:C"},
	{"transaction_sets transaction_sleep",
	 "--txn=1 makes a read-modify-write one transaction, and "
	 "--benchmarks=smallbank is a workload of transactions"},
	{"use_single_deletes expand_range_tombstones max_num_range_tombstones "
	 "range_tombstone_width writes_per_range_tombstone "
	 "writes_before_delete_range",
	 "--benchmarks=queue or deleterandom: deletes of single records; range "
	 "tombstones are that engine's alone"},
	{"disposable_entries_batch_size disposable_entries_delete_delay "
	 "disposable_entries_value_size persistent_entries_batch_size "
	 "persistent_entries_value_size",
	 "--benchmarks=queue: records that are deleted soon after they were written"},
	{"expire_style time_range key_id_range num_deletion_threads stddev",
	 "--mix=insert:50,delete:50 expires the oldest records"},
	{"keys_per_prefix seek_missing_prefix "
	 "memtable_insert_with_hint_prefix_size",
	 "--prefix_size of bench_rocksdb, and --benchmarks=mixgraph for keys with "
	 "prefixes"},
	{"progress_reports", "progress is shown on a terminal, and is not in a pipe"},
	{"mix_accesses", "--reads and --writes: operations of each thread"},
	{"sine_write_rate_interval_milliseconds",
	 "--sine_mix_rate_interval_milliseconds, for both rates"},
	{"trace_file trace_replay_fast_forward trace_replay_threads",
	 "--trace_out=FILE on any workload, --benchmarks=replay --trace_in=FILE "
	 "--speed=X, which reads db_bench's traces, too"},
	{"block_cache_trace_file",
	 "--trace_out=FILE records operations; block accesses are the engine's own"},
	{"paranoid_checks force_consistency_checks",
	 "--verify=1 checks every byte that is read; checksums of blocks are as "
	 "the engine has them"},
	{"truth_db", "--verify=1: each value tells its key and generation"},
	{"statistics statistics_string stats_level stats_per_interval "
	 "stats_dump_period_sec stats_history_buffer_size stats_persist_period_sec "
	 "persist_stats_to_disk thread_status_per_interval "
	 "report_bg_io_stats show_table_properties dump_malloc_stats "
	 "print_malloc_stats simcache_size report_file_operations "
	 "report_open_timing slow_usecs confidence_interval_only build_info",
	 "--benchmarks=...,stats prints the engine's statistics; --json, "
	 "--timeline and --histogram=1 have the suite's own"},
	{"ops_between_duration_checks",
	 "threads hear of the end at once, whatever they wait for"},
	{"enable_numa", "--numa_node=N"},
	{"use_cache_jemalloc_no_dump_allocator use_cache_memkind_kmem_allocator",
	 "LD_PRELOAD of an allocator; the column allocator names it"},
	{"env_uri fs_uri simulate_hdd simulate_hybrid_fs_file "
	 "simulate_hybrid_hdd_multipliers io_uring_enabled "
	 "tolerate_io_errors_for_remote_dbs fault_injection_read_after_reads",
	 "scripts/storage.sh makes file systems and devices for a run"},
	{"disable_wal", "--durability=none"},
	{"use_fsync",
	 "--durability=sync; syncs are counted by kind (fsyncs, fdatasyncs)"},
	{"manual_wal_flush",
	 "--durability=async hands each commit to the operating system"},
	{"wal_dir", "--db: the whole database is in one directory"},
	{"readonly", "--use_existing_db=1 with workloads that only read"},
	{"reuse_logs avoid_flush_during_recovery",
	 "--reopen=1 times opening and closing as they are"},
	{"use_secondary_db secondary_path secondary_update_interval "
	 "open_as_follower leader_path",
	 "--multiprocess_read=1 for several processes on one database, on engines that "
	 "allow it"},
	{"backup_dir restore_dir backup_rate_limit restore_rate_limit",
	 "--benchmarks=backup; the copy is opened and compared"},
	{"ingest_external_file_batch_size ingest_external_file_num_batches "
	 "ingest_external_file_file_opening_threads "
	 "ingest_external_file_use_file_info ingest_external_file_fill_cache "
	 "ingest_external_file_prefetch_lmax_index_and_filter_blocks",
	 "--benchmarks=fillbulk: the engine's own bulk loader, table files of "
	 "RocksDB"},
	{"use_direct_reads", "--direct_reads=1 of bench_rocksdb"},
	{"use_direct_io_for_flush_and_compaction",
	 "--rocksdb_options=use_direct_io_for_flush_and_compaction=true of "
	 "bench_rocksdb"},
	{"mmap_read", "--mmap_reads=1 of bench_rocksdb"},
	{"open_files",
	 "--max_open_files of bench_leveldb; --rocksdb_options=max_open_files=N of "
	 "bench_rocksdb"},
	{"max_background_jobs max_background_compactions max_background_flushes",
	 "--background_jobs of bench_rocksdb"},
	{"compression_type", "--compression=none|snappy|lz4|zlib|zstd"},
	{"zstd_compression_level",
	 "none: the level is the engine's default; RocksDB's has --rocksdb_options"},
	{"directio", "bench_aio is the device itself by direct I/O; a map has none"},
	{"cleanmem",
	 "none: pages are cleared before they are written, as is the default"},
	{"comparisons",
	 "none: comparisons are the engine's own; perf counts its instructions"},
	{"hash_bucket_count",
	 "--rocksdb_options=memtable_factory=prefix_hash:N of bench_rocksdb"},
	{"use_ribbon_filter",
	 "--rocksdb_options='block_based_table_factory={filter_policy=ribbonfilter:10}' "
	 "of bench_rocksdb, with the bits of a key in place of 10"},
	{"blob_cache_numshardbits "
	 "blob_cache_size blob_db_bytes_per_sync blob_db_compression_type "
	 "blob_db_enable_gc blob_db_file_size blob_db_gc_cutoff blob_db_is_fifo "
	 "blob_db_max_db_size blob_db_max_ttl_range blob_db_min_blob_size "
	 "blob_db_ttl_range_secs cache_uri charge_blob_cache "
	 "charge_compression_dictionary_building_buffer charge_file_metadata "
	 "charge_filter_construction charge_table_reader compressed_cache_size "
	 "compressed_secondary_cache_compress_format_version "
	 "compressed_secondary_cache_compression_level "
	 "compressed_secondary_cache_compression_type "
	 "compressed_secondary_cache_high_pri_pool_ratio "
	 "compressed_secondary_cache_low_pri_pool_ratio "
	 "compressed_secondary_cache_numshardbits "
	 "compressed_secondary_cache_size compression_manager cost_write_buffer_to_cache "
	 "cuckoo_hash_ratio disable_seek_compaction embedded_blob_min_size "
	 "enable_cpu_prio enable_io_prio explicit_snapshot "
	 "experimental_mempurge_threshold file_checksum "
	 "identity_as_first_hash num_bottom_pri_threads num_short_wide_columns "
	 "num_wide_columns openandcompact_allow_resumption "
	 "openandcompact_cancel_after_millseconds "
	 "openandcompact_test_cancel_on_odd "
	 "rate_limit_auto_wal_flush rate_limit_bg_reads rate_limiter_auto_tuned "
	 "rate_limiter_bytes_per_sec rate_limiter_refill_period_us "
	 "rate_limiter_single_burst_bytes "
	 "read_cache_path "
	 "read_with_latest_user_timestamp row_cache_size secondary_cache_uri "
	 "skip_list_lookahead tiered_adm_policy use_blob_cache use_blob_db "
	 "use_compressed_secondary_cache use_cuckoo_table use_keep_filter "
	 "use_plain_table use_shared_block_and_blob_cache "
	 "use_stderr_info_logger use_tiered_cache use_trie_index "
	 "use_uint64_comparator user_timestamp_size "
	 "write_batch_protection_bytes_per_key",
	 "none: bench_rocksdb has no setting for it"},
};

/* Workloads of these tools. */
static const struct compat_entry compat_workloads[] = {
	{"fillbatch", "fillseqbatch"},
	{"fillseqdeterministic filluniquerandomdeterministic",
	 "fillseq or filluniquerandom, then compact: the shape of an LSM tree is "
	 "the engine's"},
	{"fillanddeleteuniquerandom", "filluniquerandom, then deleterandom"},
	{"fillembeddedblob fillembeddedentity readrandomentity multireadentity "
	 "getmergeoperands readrandomoperands",
	 "none: wide columns, blobs in values and merge operands are RocksDB's "
	 "alone"},
	{"fillseekseq", "fillseq, then seekordered"},
	{"appendrandom mergerandom readrandommergerandom xorupdaterandom",
	 "updaterandom: a read-modify-write, which every engine has"},
	{"readwhilemerging seekrandomwhilemerging",
	 "readwhilewriting, seekrandomwhilewriting"},
	{"multireadwhilewriting",
	 "readwhilewriting; multi-gets are measured alone by multireadrandom"},
	{"multireadrandomcoroutine readrandomcoroutine readrandomfast",
	 "readrandom with as many --threads; coroutines are that engine's alone"},
	{"multiscan multiscanrandom", "seekrandom with --scan_length"},
	{"newiterator newiteratorwhilewriting",
	 "seekrandom, seekrandomwhilewriting: an iterator for each seek unless "
	 "--txn_reads says otherwise"},
	{"readtocache readtorowcache",
	 "scan before the benchmark that finds it in the cache"},
	{"readrandomsmall", "readrandom with --reads"},
	{"randomtransaction", "smallbank"},
	{"randomwithverify verify verifychecksum verifyfilechecksums",
	 "any workload with --verify=1"},
	{"randomreplacekeys", "mix with --mix=insert:1,delete:1"},
	{"timeseries", "mix with --mix=insert:50,delete:50,read:10"},
	{"approximatesizerandom approximatememtablestats acquireload crc32c xxhash "
	 "xxhash64 xxh3 compress compressreject uncompress snappycomp snappyuncomp "
	 "zstdcomp zstduncomp",
	 "none: parts of an engine are not measured alone"},
	{"compact1", "compact, or compact0"},
	{"openandcompact", "compact, which works on the database itself"},
	{"restore", "backup: the copy is opened and compared"},
	{"ingestexternalfile", "fillbulk"},
	{"resetstats heapprofile", "stats"},
};

static const char *find_compat(const struct compat_entry *table, size_t n,
			       const char *name, size_t length)
{
	for (; n--; table++)
		for (const char *at = table->names; *at; at += strspn(at, " ")) {
			size_t word = strcspn(at, " ");

			if (word == length && !memcmp(at, name, word))
				return table->replacement;
			at += word;
		}
	return NULL;
}

const char *compat_option(const char *name, size_t length)
{
	static char text[256];
	const char *said =
		find_compat(compat_options,
			    sizeof compat_options / sizeof *compat_options, name, length);
	const struct db_bench_flag *flag = db_bench_flags_find(false, name, length);

	return said   ? said
	       : flag ? db_bench_flags_describe(flag, text, sizeof text)
		      : NULL;
}

const char *compat_workload(const char *name, size_t length)
{
	return find_compat(compat_workloads,
			   sizeof compat_workloads / sizeof *compat_workloads, name,
			   length);
}

static void print_compat(const struct compat_entry *table, size_t n, const char *what,
			 FILE *to)
{
	for (; n--; table++)
		for (const char *at = table->names; *at; at += strspn(at, " ")) {
			int word = (int)strcspn(at, " ");

			fprintf(to, "%s\t%.*s\t%s\n", what, word, at, table->replacement);
			at += word;
		}
}

/* Flags that the table above leaves to the other one. */
static void print_flags(FILE *to)
{
	const struct db_bench_flag *flag;
	char text[256];

	for (size_t i = 0; (flag = db_bench_flags_at(false, i)); i++) {
		const char *said = db_bench_flags_describe(flag, text, sizeof text);

		if (said && !find_compat(compat_options,
					 sizeof compat_options / sizeof *compat_options,
					 flag->name, strlen(flag->name)))
			fprintf(to, "option\t%s\t%s\n", flag->name, said);
		fprintf(to, "flag\t%s\t%s\n", flag->name, db_bench_flags_fate(flag));
	}
}

void compat_print(FILE *to)
{
	print_compat(compat_options, sizeof compat_options / sizeof *compat_options,
		     "option", to);
	print_flags(to);
	print_compat(compat_workloads, sizeof compat_workloads / sizeof *compat_workloads,
		     "workload", to);
}
