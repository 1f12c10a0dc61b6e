/*
 * tidesdb.c: TidesDB, a log-structured merge tree whose tables are B+trees, with a value
 * log.
 *
 * A session has one transaction for reads, which sees the latest commit at each call
 * unless it is a snapshot, one transaction for writes, and one iterator. TidesDB's
 * interface returns copies from malloc. A single put or delete reads nothing, so it is
 * not checked against others. Between begin and commit the first to commit a record wins,
 * and the other has a conflict. Trap: its INTERVAL mode hands each commit to the kernel,
 * and also syncs every second; that interval is set longer than any run. Trap: any call
 * may report a lock and must then be retried.
 */
#include <tidesdb/db.h>

#include "driver_common.h"

#define FAMILY "assay"

struct db {
	tidesdb_t *tides;
	tidesdb_column_family_t *family;
};

struct session {
	struct db *db;
	char *why;
	tidesdb_txn_t *read, *write;
	tidesdb_iter_t *iterator;
	uint8_t *key, *value; /* last read, or NULL */
	bool open;            /* between begin and commit */
	bool held;            /* `read` is a snapshot, until release */
};

static void free_result(struct session *s)
{
	tidesdb_free(s->key);
	tidesdb_free(s->value);
	s->key = s->value = NULL;
}

static void end_scan(struct session *s)
{
	if (s->iterator)
		tidesdb_iter_free(s->iterator);
	s->iterator = NULL;
}

/* TidesDB returns an empty value as NULL. */
static struct slice make_slice(const uint8_t *data, size_t size)
{
	return (struct slice){data ? (const void *)data : "", size};
}

/* Converts TidesDB's result to a status. */
static enum status check(char *why, int rc)
{
	if (rc == TDB_SUCCESS)
		return DONE;
	if (rc == TDB_ERR_NOT_FOUND)
		return NOT_FOUND;
	return set_error(why, rc == TDB_ERR_NO_SPACE ? FULL : FAILED, "%s",
			 tidesdb_strerror(rc));
}

static void tides_rollback(struct session *s)
{
	if (s->open)
		tidesdb_txn_rollback(s->write);
	s->open = false;
}

static void tides_release(struct session *s)
{
	free_result(s);
	end_scan(s);
	if (s->held)
		tidesdb_txn_reset(s->read, TDB_ISOLATION_READ_COMMITTED);
	s->held = false;
}

/* Like check, for a session: a lost race, or a lock, is a conflict. */
static enum status session_status(struct session *s, int rc)
{
	if (rc != TDB_ERR_CONFLICT && rc != TDB_ERR_LOCKED)
		return check(s->why, rc);
	tides_rollback(s);
	if (s->held)
		tides_release(s);
	return CONFLICT;
}

static enum status tides_snapshot(struct session *s)
{
	tides_release(s);
	s->held = true;
	return session_status(s, tidesdb_txn_reset(s->read, TDB_ISOLATION_SNAPSHOT));
}

static enum status begin_write(struct session *s, tidesdb_isolation_level_t isolation)
{
	enum status status = session_status(s, tidesdb_txn_reset(s->write, isolation));

	s->open = status == DONE;
	return status;
}

static enum status tides_begin(struct session *s)
{
	return begin_write(s, TDB_ISOLATION_SNAPSHOT);
}

static enum status begin_single_write(struct session *s)
{
	return begin_write(s, TDB_ISOLATION_READ_COMMITTED);
}

static enum status tides_commit(struct session *s)
{
	int rc = tidesdb_txn_commit(s->write);

	if (rc == TDB_SUCCESS)
		s->open = false;
	else
		tides_rollback(s);
	return session_status(s, rc);
}

static enum status write_record(struct session *s, struct slice key,
				const struct slice *value)
{
	tidesdb_column_family_t *family = s->db->family;

	return session_status(s, value ? tidesdb_txn_put(s->write, family, key.data,
							 key.size, value->data,
							 value->size, 0)
				       : tidesdb_txn_delete(s->write, family, key.data,
							    key.size));
}

static const struct single_write single_writes = {begin_single_write, write_record,
						  tides_commit, tides_rollback};

static enum status tides_put(struct session *s, struct slice key, struct slice value)
{
	return single_write(&single_writes, s, s->open, key, &value);
}

static enum status tides_del(struct session *s, struct slice key)
{
	return single_write(&single_writes, s, s->open, key, NULL);
}

static enum status tides_get(struct session *s, struct slice key, struct slice *value)
{
	tidesdb_column_family_t *family = s->db->family;
	size_t size = 0;
	int rc;

	free_result(s);
	rc = s->open ? tidesdb_txn_get(s->write, family, key.data, key.size, &s->value,
				       &size)
		     : tidesdb_txn_get_notrack(s->read, family, key.data, key.size,
					       &s->value, &size);
	*value = make_slice(s->value, size);
	return session_status(s, rc);
}

/* Returns the record that the iterator has moved to. */
static enum status current_record(struct session *s, int moved, struct slice *key,
				  struct slice *value)
{
	size_t key_size = 0, value_size = 0;

	free_result(s);
	if (moved == TDB_SUCCESS)
		moved = tidesdb_iter_key_value(s->iterator, &s->key, &key_size, &s->value,
					       &value_size);
	*key = make_slice(s->key, key_size);
	*value = make_slice(s->value, value_size);
	return session_status(s, moved);
}

static enum status tides_next(struct session *s, struct slice *key, struct slice *value)
{
	return current_record(s, tidesdb_iter_next(s->iterator), key, value);
}

static enum status tides_prev(struct session *s, struct slice *key, struct slice *value)
{
	return current_record(s, tidesdb_iter_prev(s->iterator), key, value);
}

static int begin_scan(struct session *s)
{
	end_scan(s);
	return tidesdb_iter_new(s->read, s->db->family, &s->iterator);
}

static enum status tides_seek(struct session *s, struct slice from, struct slice *key,
			      struct slice *value)
{
	int rc = begin_scan(s);

	if (rc == TDB_SUCCESS)
		rc = from.data ? tidesdb_iter_seek(s->iterator, from.data, from.size)
			       : tidesdb_iter_seek_to_first(s->iterator);
	return current_record(s, rc, key, value);
}

static enum status tides_last(struct session *s, struct slice *key, struct slice *value)
{
	int rc = begin_scan(s);

	return current_record(s,
			      rc == TDB_SUCCESS ? tidesdb_iter_seek_to_last(s->iterator)
						: rc,
			      key, value);
}

static struct {
	double bloom_fpr;
	uint64_t block_size, value_separation, compaction_threads, flush_threads;
} option_values;

static const struct option options[] = {
	{"bloom_fpr", "0",
	 "Fraction of reads that a Bloom filter sends in error to a table that lacks "
	 "the key, 0 to 0.5. A smaller one needs more memory. 0: no Bloom filters.",
	 .real = &option_values.bloom_fpr, .real_max = 0.5, .group = "TidesDB"},
	{"block_size", "4Ki",
	 "Size of a node of a table's B+tree, bytes: the unit that is read from the "
	 "device and cached.",
	 .size = &option_values.block_size, .min = 512, .max = 1 << 24},
	{"value_separation", "1Ki",
	 "Size from which a value is stored apart from the keys, in a value log, "
	 "bytes. 0: all values are in the tree with their keys.",
	 .size = &option_values.value_separation},
	{"flush_threads", "2",
	 "Number of background threads that write full memtables to table files.",
	 .count = &option_values.flush_threads, .min = 1, .max = 64},
	{"compaction_threads", "2",
	 "Number of background threads that merge table files (compaction).",
	 .count = &option_values.compaction_threads, .min = 1, .max = 64},
	{0},
};

static tidesdb_compression_algorithm_t compression_algorithm(enum compression compression)
{
	static const tidesdb_compression_algorithm_t algorithms[] = {
		[COMPRESSION_NONE] = TDB_COMPRESS_NONE,
		[COMPRESSION_SNAPPY] = TDB_COMPRESS_SNAPPY,
		[COMPRESSION_LZ4] = TDB_COMPRESS_LZ4,
		[COMPRESSION_ZSTD] = TDB_COMPRESS_ZSTD,
	};

	return algorithms[compression];
}

static struct traits tides_check_settings(const struct settings *s)
{
	if (!tidesdb_compression_available(compression_algorithm(s->compression)))
		return invalid_settings(
			"--compression: this TidesDB was built without it");
	return (struct traits){.invalid = NULL};
}

static const char *tides_version(void)
{
	return ENGINE_VERSION;
}

/*
 * Durability. none: a commit can stay in the process until its buffer is full. async: it
 * is written to the log. sync: the log is synced as well.
 */
static int sync_mode(enum durability durability)
{
	static const int modes[] = {TDB_SYNC_NONE, TDB_SYNC_INTERVAL, TDB_SYNC_FULL};

	return modes[durability];
}

static int open_database(struct db *db, const struct settings *s)
{
	enum { YEAR = 365 * 24 * 3600 };
	tidesdb_config_t c = tidesdb_default_config();

	c.db_path = (char *)(uintptr_t)s->path;
	c.log_level = TDB_LOG_NONE;
	c.num_flush_threads = (int)option_values.flush_threads;
	c.num_compaction_threads = (int)option_values.compaction_threads;
	c.block_cache_size = s->cache_bytes;
	c.memtable_write_buffer_size = s->write_buffer_bytes;
	c.memtable_sync_mode = sync_mode(s->durability);
	c.memtable_sync_interval_us = (uint64_t)YEAR * 1000000;
	c.value_separation_threshold = option_values.value_separation
					       ? option_values.value_separation
					       : SIZE_MAX;
	return tidesdb_open(&c, &db->tides);
}

static int make_family(struct db *db, const struct settings *s)
{
	tidesdb_column_family_config_t c = tidesdb_default_column_family_config();

	c.btree_klog_block_size = option_values.block_size;
	c.keep_values_inline = !option_values.value_separation;
	c.enable_bloom_filter = option_values.bloom_fpr > 0;
	if (c.enable_bloom_filter)
		c.bloom_fpr = option_values.bloom_fpr;
	c.encoding_count = s->compression != COMPRESSION_NONE;
	c.encoding_pipeline[0] = (uint8_t)compression_algorithm(s->compression);
	return tidesdb_create_column_family(db->tides, FAMILY, &c);
}

/* Unsynced writes of another durability are synced first. */
static enum status tides_open(struct db *db, const struct settings *s, char *why)
{
	int rc = open_database(db, s);

	if (rc == TDB_SUCCESS && s->create)
		rc = make_family(db, s);
	if (rc == TDB_SUCCESS && s->durability == DURABILITY_SYNC)
		rc = tidesdb_checkpoint(db->tides);
	if (rc != TDB_SUCCESS)
		return check(why, rc);
	db->family = tidesdb_get_column_family(db->tides, FAMILY);
	return db->family ? DONE
			  : set_error(why, FAILED, "no column family " FAMILY " in it");
}

/* tidesdb_close does not report that the last writes failed. */
static enum status tides_close(struct db *db, char *why)
{
	return db->tides ? check(why, tidesdb_close(db->tides)) : DONE;
}

static enum status tides_attach(struct session *s, struct db *db, char *why)
{
	int rc = tidesdb_txn_begin_with_isolation(db->tides, TDB_ISOLATION_READ_COMMITTED,
						  &s->read);

	s->db = db;
	s->why = why;
	if (rc == TDB_SUCCESS)
		rc = tidesdb_txn_begin_with_isolation(db->tides,
						      TDB_ISOLATION_READ_COMMITTED,
						      &s->write);
	return check(why, rc);
}

static void tides_detach(struct session *s)
{
	free_result(s);
	end_scan(s);
	if (s->write)
		tidesdb_txn_free(s->write);
	if (s->read)
		tidesdb_txn_free(s->read);
}

static enum status tides_settle(struct db *db, char *why)
{
	int rc = tidesdb_checkpoint(db->tides);

	/* the work it waited for goes on, as pending work */
	return rc == TDB_ERR_LOCKED ? DONE : check(why, rc);
}

static enum status tides_compact(struct db *db, char *why)
{
	int rc = tidesdb_flush_memtable(db->tides);

	if (rc == TDB_SUCCESS)
		rc = tidesdb_compact(db->tides, db->family);
	return rc == TDB_ERR_LOCKED ? DONE : check(why, rc);
}

static enum status tides_pending_work(struct db *db, struct pending_work *pending,
				      char *why)
{
	tidesdb_db_stats_t stats;
	int rc = tidesdb_get_db_stats(db->tides, &stats);

	if (rc != TDB_SUCCESS)
		return check(why, rc);
	pending->work = (uint64_t)stats.immutable_memtable_count +
			(uint64_t)stats.compaction_pending_count +
			(tidesdb_is_flushing(db->tides) != 0) +
			(tidesdb_is_compacting(db->family) != 0);
	pending->progress = stats.flush_bytes_written + stats.compaction_bytes_written;
	return DONE;
}

static void tides_describe(struct db *db, struct report *report)
{
	tidesdb_cf_stats_t stats;
	const tidesdb_column_family_config_t *c = &stats.config;

	if (tidesdb_get_cf_stats(db->family, &stats) != TDB_SUCCESS)
		return;
	REPORT_NUMBERS(report, {"block_size", c->btree_klog_block_size},
		       {"bloom", !!c->enable_bloom_filter});
	report_append(report, " bloom_fpr=%g", c->bloom_fpr);
	REPORT_NUMBERS(report, {"encodings", (unsigned)c->encoding_count},
		       {"keep_values_inline", !!c->keep_values_inline},
		       {"level_size_ratio", c->level_size_ratio},
		       {"l1_file_count_trigger", (unsigned)c->l1_file_count_trigger});
}

static void tides_statistics(struct db *db, struct report *report)
{
	tidesdb_db_stats_t d;
	tidesdb_cache_stats_t c;

	if (tidesdb_get_db_stats(db->tides, &d) != TDB_SUCCESS ||
	    tidesdb_get_cache_stats(db->tides, &c) != TDB_SUCCESS)
		return;
	REPORT_NUMBERS(report, {"tables", (unsigned)d.total_sstable_count},
		       {"memtable flushes", d.flush_count},
		       {"compactions", d.compaction_count},
		       {"bytes of memtable flushes", d.flush_bytes_written},
		       {"compacted bytes", d.compaction_bytes_written},
		       {"logged bytes", d.wal_bytes_written},
		       {"value log bytes", d.vlog_bytes_written},
		       {"commits", d.txn_commits}, {"conflicts", d.txn_conflicts},
		       {"writes throttled", d.writes_throttled},
		       {"writes blocked", d.writes_blocked},
		       {"stalled microseconds", d.write_stall_us},
		       {"cache bytes", c.total_bytes}, {"cache hits", c.hits},
		       {"cache misses", c.misses});
}

const struct engine engine = {
	.name = "tidesdb",
	.title = "TidesDB",
	.version = tides_version,
	.cache = "block cache",
	.write_buffer = "the memtable that is written",
	.compressions =
		1u << COMPRESSION_SNAPPY | 1u << COMPRESSION_LZ4 | 1u << COMPRESSION_ZSTD,
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "tidesdb_open"},
	.options = options,
	.exclusive = true,
	.blind_deletes = true,
	.transactions = true,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = tides_put,
	.del = tides_del,
	.get = tides_get,
	.seek = tides_seek,
	.last = tides_last,
	.next = tides_next,
	.prev = tides_prev,
	.snapshot = tides_snapshot,
	.release = tides_release,
	.begin = tides_begin,
	.commit = tides_commit,
	.rollback = tides_rollback,
	.check_settings = tides_check_settings,
	.open = tides_open,
	.close = tides_close,
	.attach = tides_attach,
	.detach = tides_detach,
	.compact = tides_compact,
	.settle = tides_settle,
	.pending_work = tides_pending_work,
	.describe = tides_describe,
	.statistics = tides_statistics,
};
