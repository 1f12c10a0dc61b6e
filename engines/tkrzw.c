/*
 * tkrzw.c: Tkrzw, Kyoto Cabinet's successor: a B+tree (TreeDBM) whose pages are records
 * of a hash file.
 *
 * Changed pages stay in Tkrzw's own cache until it is full or synchronized. From async on
 * each commit therefore synchronizes: it writes all changed pages, the tree's root and
 * the file's header. Pages are appended, never overwritten. After a crash the file is
 * restored to its last synchronization: whole commits. Old pages stay in the file until
 * it is compacted. The driver collects a batch, and applies it at commit by one call that
 * locks out all others; reads see committed data.
 *
 * Trap: to synchronize, Tkrzw marks the file as closed in the header, syncs, and clears
 * the mark in memory. If the file is mapped, later changes can reach the device before
 * the cleared mark. After a power cut a broken file then passes for a closed one. At sync
 * all writes therefore are system calls, to a file opened with O_SYNC.
 *
 * Trap: after a database is closed and opened again, its pages lose the links to their
 * predecessors (1.0.25, also with its own iterator alone). A backward scan then ends with
 * the first page that it reads, and its row is invalid.
 */
#include <stdlib.h>
#include <string.h>
#include <tkrzw_langc.h>

#include "driver_common.h"

struct db {
	TkrzwDBM *dbm;
	enum durability durability;
};

struct session {
	struct db *db;
	char *why;
	TkrzwDBMIter *iterator;
	struct buffer key, value; /* of the last read */
	bool found;               /* the read found a record */
	bool open;                /* the batch is collecting writes */
	struct batch batch;
	struct buffer calls; /* of a commit: a TkrzwKeyProcPair for each write */
};

/* Converts Tkrzw's last status in this thread to ours. */
static enum status check(char *why, bool ok)
{
	TkrzwStatus last;

	if (ok)
		return DONE;
	last = tkrzw_get_last_status();
	if (last.code == TKRZW_STATUS_NOT_FOUND_ERROR)
		return NOT_FOUND;
	return set_error(why, strstr(last.message, "No space left") ? FULL : FAILED,
			 "%s: %s", tkrzw_status_code_name(last.code), last.message);
}

/* Called by Tkrzw with a record that is read, or without a value. */
static const char *read_value(void *argument, const char *key, int32_t key_size,
			      const char *value, int32_t value_size, int32_t *size)
{
	struct session *s = argument;

	(void)key;
	(void)key_size;
	(void)size;
	s->found = value && buffer_copy(&s->value, value, (size_t)value_size);
	return TKRZW_REC_PROC_NOOP;
}

static const char *read_record(void *argument, const char *key, int32_t key_size,
			       const char *value, int32_t value_size, int32_t *size)
{
	struct session *s = argument;

	read_value(argument, key, key_size, value, value_size, size);
	s->found = s->found && buffer_copy(&s->key, key, (size_t)key_size);
	return TKRZW_REC_PROC_NOOP;
}

static enum status tk_get(struct session *s, struct slice key, struct slice *value)
{
	s->found = false;
	if (!tkrzw_dbm_process(s->db->dbm, key.data, (int32_t)key.size, read_value, s,
			       false))
		return check(s->why, false);
	*value = buffer_slice(&s->value);
	return s->found ? DONE : NOT_FOUND;
}

/*
 * Completes the commit of earlier writes, as the durability requires. At sync each write
 * call syncs.
 */
static enum status after_commit(struct session *s, bool ok)
{
	enum status status = check(s->why, ok);

	if (status != DONE || s->db->durability == DURABILITY_NONE)
		return status;
	return check(s->why, tkrzw_dbm_synchronize(s->db->dbm, false, NULL, NULL, ""));
}

static enum status tk_put(struct session *s, struct slice key, struct slice value)
{
	if (s->open)
		return batch_add(&s->batch, key, &value, s->why);
	return after_commit(s, tkrzw_dbm_set(s->db->dbm, key.data, (int32_t)key.size,
					     value.data, (int32_t)value.size, true));
}

static enum status tk_del(struct session *s, struct slice key)
{
	if (s->open)
		return batch_add(&s->batch, key, NULL, s->why);
	return after_commit(s, tkrzw_dbm_remove(s->db->dbm, key.data, (int32_t)key.size));
}

static enum status tk_begin(struct session *s)
{
	s->open = true;
	return DONE;
}

static void tk_rollback(struct session *s)
{
	s->open = false;
	batch_clear(&s->batch);
}

/* Called by Tkrzw with the record of a write of the batch; returns its new value. */
static const char *apply_write(void *argument, const char *key, int32_t key_size,
			       const char *value, int32_t value_size, int32_t *size)
{
	const struct batch_write *w = argument;

	(void)key;
	(void)key_size;
	(void)value_size;
	if (w->deletes)
		return value ? TKRZW_REC_PROC_REMOVE : TKRZW_REC_PROC_NOOP;
	*size = (int32_t)w->value_size;
	return batch_value(w).data;
}

static enum status tk_commit(struct session *s)
{
	const struct batch_write *w = NULL;
	TkrzwKeyProcPair *call;
	enum status status;

	if (!buffer_reserve(&s->calls, (s->batch.count + 1) * sizeof *call)) {
		tk_rollback(s);
		return set_error(s->why, FAILED, "out of memory");
	}
	call = (void *)s->calls.data;
	while ((w = batch_next(&s->batch, w)))
		*call++ = (TkrzwKeyProcPair){batch_key(w).data, (int32_t)w->key_size,
					     apply_write, (void *)(uintptr_t)w};
	status =
		after_commit(s, tkrzw_dbm_process_multi(s->db->dbm, (void *)s->calls.data,
							(int32_t)s->batch.count, true));
	tk_rollback(s);
	return status;
}

/* The record under the iterator, which stays there. */
static enum status current_record(struct session *s, bool moved, struct slice *key,
				  struct slice *value)
{
	s->found = false;
	if (!moved || !tkrzw_dbm_iter_process(s->iterator, read_record, s, false))
		return check(s->why, false);
	*key = buffer_slice(&s->key);
	*value = buffer_slice(&s->value);
	return s->found ? DONE : set_error(s->why, FAILED, "out of memory");
}

/* The iterator does not move from a record that another session has deleted. */
static enum status tk_next(struct session *s, struct slice *key, struct slice *value)
{
	bool moved = tkrzw_dbm_iter_next(s->iterator) ||
		     tkrzw_dbm_iter_jump_upper(s->iterator, s->key.data,
					       (int32_t)s->key.size, false);

	return current_record(s, moved, key, value);
}

/*
 * Seeks again: from a page's last record, if that was deleted, tkrzw_dbm_iter_previous
 * goes to the page before and skips the rest of this one.
 */
static enum status tk_prev(struct session *s, struct slice *key, struct slice *value)
{
	bool moved = tkrzw_dbm_iter_jump_lower(s->iterator, s->key.data,
					       (int32_t)s->key.size, false);

	return current_record(s, moved, key, value);
}

static enum status tk_seek(struct session *s, struct slice from, struct slice *key,
			   struct slice *value)
{
	bool moved = from.data ? tkrzw_dbm_iter_jump(s->iterator, from.data,
						     (int32_t)from.size)
			       : tkrzw_dbm_iter_first(s->iterator);

	return current_record(s, moved, key, value);
}

static enum status tk_last(struct session *s, struct slice *key, struct slice *value)
{
	return current_record(s, tkrzw_dbm_iter_last(s->iterator), key, value);
}

enum access_mode { MODE_AUTO, MODE_MAPPED, MODE_CALLS };

static struct {
	int file;
	uint64_t page_size;
} option_values;

static const char *const access_modes[] = {"auto", "map", "calls", NULL};

static const struct option options[] = {
	{"file", "auto",
	 "Access to the database file. map: through a memory map; a power cut can "
	 "then destroy the database. calls: by pread and pwrite. auto: calls with "
	 "--durability=sync, else map.",
	 .choice = &option_values.file, .choices = access_modes, .group = "Tkrzw"},
	{"max_page_size", "4081",
	 "Size of the largest page of a new database, bytes. The default fills 4Ki "
	 "together with Tkrzw's own data per page.",
	 .size = &option_values.page_size, .min = 256, .max = 1 << 24},
	{0},
};

static bool is_mapped(const struct settings *s)
{
	return option_values.file == MODE_MAPPED ||
	       (option_values.file == MODE_AUTO && s->durability != DURABILITY_SYNC);
}

static struct traits tk_check_settings(const struct settings *s)
{
	if (s->durability == DURABILITY_SYNC && option_values.file == MODE_MAPPED)
		return invalid_settings(
			"--file=map cannot keep --durability=sync: a power cut can "
			"destroy the database; give --file=calls");
	return (struct traits){.reads_mapped = is_mapped(s),
			       .uncounted_writes = is_mapped(s)};
}

static const char *tk_version(void)
{
	return TKRZW_PACKAGE_VERSION;
}

/*
 * Durability. none: pages stay in the cache until it is full. async and sync: each commit
 * synchronizes. sync: O_SYNC syncs each write. Whether pages are appended is decided when
 * the file is created.
 */
static const char *durability_parameters(enum durability durability)
{
	if (durability == DURABILITY_SYNC)
		return "sync_hard=true,access_options=sync";
	return "sync_hard=false";
}

static const char *compression_word(enum compression compression)
{
	static const char *const words[] = {[COMPRESSION_NONE] = "NONE",
					    [COMPRESSION_ZLIB] = "ZLIB",
					    [COMPRESSION_LZ4] = "LZ4",
					    [COMPRESSION_ZSTD] = "ZSTD"};

	return words[compression];
}

/*
 * A cached page takes about a quarter more than its bytes. Hash buckets: two for each
 * page, at least the default.
 */
static void set_parameters(const struct settings *s, char *text, size_t size)
{
	uint64_t pages =
		s->num * (s->key_size + s->value_size) / option_values.page_size + 1;
	uint64_t cached = s->cache_bytes / (option_values.page_size * 5 / 4) + 1;

	snprintf(text, size,
		 "dbm=TreeDBM,update_mode=UPDATE_APPENDING,restore_mode=RESTORE_SYNC,"
		 "file=%s,num_buckets=%llu,max_page_size=%llu,max_cached_pages=%llu,"
		 "record_comp_mode=RECORD_COMP_%s,"
		 "no_create=%s,%s",
		 is_mapped(s) ? "MemoryMapParallelFile" : "PositionalParallelFile",
		 (unsigned long long)(pages > 65536 ? 2 * pages : 131101),
		 (unsigned long long)option_values.page_size,
		 (unsigned long long)(cached < INT32_MAX ? cached : INT32_MAX),
		 compression_word(s->compression), s->create ? "false" : "true",
		 durability_parameters(s->durability));
}

static enum status tk_open(struct db *db, const struct settings *s, char *why)
{
	char path[4096], parameters[512];

	db->durability = s->durability;
	snprintf(path, sizeof path, "%s/data.tkt", s->path);
	/* Tkrzw does not synchronize a file that it opens with O_SYNC. */
	if (s->durability == DURABILITY_SYNC && sync_earlier(path, why) != DONE)
		return FAILED;
	set_parameters(s, parameters, sizeof parameters);
	db->dbm = tkrzw_dbm_open(path, true, parameters);
	return check(why, db->dbm);
}

static enum status tk_close(struct db *db, char *why)
{
	return db->dbm ? check(why, tkrzw_dbm_close(db->dbm)) : DONE;
}

static enum status tk_attach(struct session *s, struct db *db, char *why)
{
	s->db = db;
	s->why = why;
	s->iterator = tkrzw_dbm_make_iterator(db->dbm);
	return buffer_reserve(&s->key, 1) && buffer_reserve(&s->value, 1)
		       ? DONE
		       : set_error(why, FAILED, "out of memory");
}

static void tk_detach(struct session *s)
{
	tkrzw_dbm_iter_free(s->iterator);
	free(s->key.data);
	free(s->value.data);
	free(s->batch.bytes.data);
	free(s->calls.data);
}

static enum status tk_backup(struct db *db, const char *to, char *why)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/data.tkt", to);
	return check(why, tkrzw_dbm_copy_file_data(db->dbm, path, false));
}

static enum status tk_compact(struct db *db, char *why)
{
	return check(why, tkrzw_dbm_rebuild(db->dbm, ""));
}

static enum status tk_settle(struct db *db, char *why)
{
	return check(why, tkrzw_dbm_synchronize(db->dbm, true, NULL, NULL, ""));
}

/* Reports Tkrzw's own inspection: the entries in `names`, or all if it is NULL. */
static void report_inspection(struct db *db, const char *const *names,
			      struct report *report)
{
	int32_t count = 0;
	TkrzwKeyValuePair *pairs = tkrzw_dbm_inspect(db->dbm, &count);

	for (int32_t i = 0; i < count; i++) {
		const char *const *name = names;

		while (name && *name && strcmp(*name, pairs[i].key_ptr) != 0)
			name++;
		if (!name || *name)
			report_text(report, pairs[i].key_ptr, pairs[i].value_ptr);
	}
	tkrzw_free_str_map(pairs, count);
}

static void tk_describe(struct db *db, struct report *report)
{
	static const char *const names[] = {"class",
					    "file",
					    "update_mode",
					    "record_comp_mode",
					    "num_buckets",
					    "max_page_size",
					    "max_branches",
					    "max_cached_pages",
					    "page_update_mode",
					    "align_pow",
					    NULL};

	report_inspection(db, names, report);
}

static void tk_statistics(struct db *db, struct report *report)
{
	report_inspection(db, NULL, report);
}

const struct engine engine = {
	.name = "tkrzw",
	.title = "Tkrzw",
	.version = tk_version,
	.cache = "page cache (max_cached_pages)",
	.compressions =
		1u << COMPRESSION_ZLIB | 1u << COMPRESSION_LZ4 | 1u << COMPRESSION_ZSTD,
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "tkrzw_dbm_open", .cpp_namespace = "tkrzw"},
	.exclusive = true,
	.options = options,
	.value_limit = INT32_MAX / 2,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = tk_put,
	.del = tk_del,
	.get = tk_get,
	.seek = tk_seek,
	.last = tk_last,
	.next = tk_next,
	.prev = tk_prev,
	.begin = tk_begin,
	.commit = tk_commit,
	.rollback = tk_rollback,
	.check_settings = tk_check_settings,
	.open = tk_open,
	.close = tk_close,
	.attach = tk_attach,
	.detach = tk_detach,
	.compact = tk_compact,
	.backup = tk_backup,
	.backup_by = "CopyFileData",
	.settle = tk_settle,
	.describe = tk_describe,
	.statistics = tk_statistics,
};
