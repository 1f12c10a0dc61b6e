/* tkrzw.c: what the driver of Tkrzw makes of its errors and settings. */
#include <stdbool.h>
#include <tkrzw_langc.h>

static TkrzwStatus status_is;

static bool process_multi(TkrzwDBM *dbm, TkrzwKeyProcPair *pairs, int32_t count,
			  bool writable);

#define tkrzw_get_last_status() status_is
#define tkrzw_dbm_process_multi process_multi
#include "../../engines/tkrzw.c"
#include "../tap.h"

static void errors(void)
{
	char why[ENGINE_ERROR_SIZE] = "";

	tap_expect(check(why, true) == DONE, "none");
	status_is.code = TKRZW_STATUS_NOT_FOUND_ERROR;
	status_is.message = "";
	tap_expect(check(why, false) == NOT_FOUND && !*why, "no record");
	status_is.code = TKRZW_STATUS_SYSTEM_ERROR;
	status_is.message = "pwrite: No space left on device";
	tap_expect(check(why, false) == FULL, "a full device");
	tap_expect(!strcmp(why, "SYSTEM_ERROR: pwrite: No space left on device"), "%s",
		   why);
	status_is.code = TKRZW_STATUS_BROKEN_DATA_ERROR;
	status_is.message = "x";
	tap_expect(check(why, false) == FAILED, "damage");
	tap_expect(!strcmp(why, "BROKEN_DATA_ERROR: x"), "%s", why);
}

static int32_t applied;

static bool process_multi(TkrzwDBM *dbm, TkrzwKeyProcPair *pairs, int32_t count,
			  bool writable)
{
	(void)dbm, (void)pairs;
	applied = writable ? count : -1;
	return true;
}

/* A commit has the writes since its own begin, and no earlier ones. */
static void batches(void)
{
	static const int writes[] = {2, 1, 0, 3};
	char why[ENGINE_ERROR_SIZE] = "";
	struct db db = {.durability = DURABILITY_NONE};
	struct session s = {.db = &db, .why = why};
	struct slice slice = {"k", 1};
	struct batch_write deletes = {.deletes = true};
	int32_t size = -1;

	for (int i = 0; i < 4; i++) {
		tk_begin(&s);
		for (int n = 0; n < writes[i]; n++)
			tk_put(&s, slice, slice);
		tap_expect(tk_commit(&s) == DONE && applied == writes[i] && !s.open,
			   "commit %d: %d writes", i, (int)applied);
		if (i % 2) {
			tk_begin(&s);
			tk_del(&s, slice);
			tk_rollback(&s);
		}
	}
	tap_expect(apply_write(&deletes, "k", 1, "v", 1, &size) == TKRZW_REC_PROC_REMOVE,
		   "a record is removed");
	tap_expect(apply_write(&deletes, "k", 1, NULL, -1, &size) == TKRZW_REC_PROC_NOOP,
		   "where there is one");
	free(s.batch.bytes.data);
	free(s.calls.data);
}

/* M: mapped, C: by calls, -: refused. */
static void files(void)
{
	static const char *const rows[] = {
		[MODE_AUTO] = "MMC", [MODE_MAPPED] = "MM-", [MODE_CALLS] = "CCC"};

	for (int mode = MODE_AUTO; mode <= MODE_CALLS; mode++)
		for (int d = DURABILITY_NONE; d <= DURABILITY_SYNC; d++) {
			struct settings s = {.durability = (enum durability)d};
			struct traits t;

			option_values.file = mode;
			t = tk_check_settings(&s);
			tap_expect((t.invalid       ? '-'
				    : is_mapped(&s) ? 'M'
						    : 'C') == rows[mode][d],
				   "%s at %d", access_modes[mode], d);
			tap_expect(t.invalid || (t.reads_mapped == is_mapped(&s) &&
						 t.uncounted_writes == is_mapped(&s)),
				   "what is said of %s at %d", access_modes[mode], d);
		}
	option_values.file = MODE_AUTO;
}

static bool has_parameter(const struct settings *s, const char *parameter)
{
	char text[512];

	set_parameters(s, text, sizeof text);
	return strstr(text, parameter);
}

static void parameters(void)
{
	struct settings s = {.num = 10000000,
			     .key_size = 16,
			     .value_size = 100,
			     .cache_bytes = 1000000};

	option_values.page_size = 4000;
	/* 290,001 pages; a page takes 5,000 bytes of the cache */
	tap_expect(has_parameter(&s, ",num_buckets=580002,"), "two for each page");
	tap_expect(has_parameter(&s, ",max_cached_pages=201,"), "what the cache holds");
	s.num = 1000;
	tap_expect(has_parameter(&s, ",num_buckets=131101,"), "the default at least");
	s.cache_bytes = (uint64_t)1 << 60;
	tap_expect(has_parameter(&s, ",max_cached_pages=2147483647,"),
		   "as many as it takes");
	s.compression = COMPRESSION_LZ4;
	tap_expect(has_parameter(&s, ",record_comp_mode=RECORD_COMP_LZ4,"), "lz4");
	tap_expect(has_parameter(&s, ",no_create=true,"), "an existing one");
	s.create = true;
	tap_expect(has_parameter(&s, ",no_create=false,"), "a new one");
	tap_expect(has_parameter(&s, ",sync_hard=false"), "no syncs");
	s.durability = DURABILITY_SYNC;
	tap_expect(has_parameter(&s, ",sync_hard=true,access_options=sync"), "syncs");
}

/* What is synced before it is opened at sync: a file that is there. */
static void earlier(void)
{
	char why[ENGINE_ERROR_SIZE] = "";

	tap_expect(sync_earlier("/nosuch/file", why) == DONE && !*why, "none: %s", why);
	tap_expect(sync_earlier("/dev/null/file", why) == FAILED, "no directory");
	tap_expect(!strcmp(why, "/dev/null/file: Not a directory"), "%s", why);
	tap_expect(sync_earlier("/dev/null", why) == FAILED, "no file of data");
	tap_expect(!strcmp(why, "/dev/null: Invalid argument"), "%s", why);
}

int main(void)
{
	tap_run("tkrzw: each error is the status that it must be", errors);
	tap_run("tkrzw: a commit has the writes of its own transaction", batches);
	tap_run("tkrzw: the file is mapped where that is safe, and it is said", files);
	tap_run("tkrzw: buckets and cache follow from records and pages", parameters);
	tap_run("tkrzw: a file that cannot be synced before it is opened is an error",
		earlier);
	return tap_end();
}
