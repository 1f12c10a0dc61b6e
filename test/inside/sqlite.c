/* sqlite.c: what the driver of SQLite makes of its errors, settings and counters. */
#include "../../engines/sqlite.c"
#include "../tap.h"

static void errors(void)
{
	static const struct {
		int rc;
		enum status status;
	} rows[] = {
		{SQLITE_OK, DONE},
		{SQLITE_ROW, DONE},
		{SQLITE_DONE, DONE},
		{SQLITE_BUSY, CONFLICT},
		{SQLITE_BUSY_SNAPSHOT, CONFLICT},
		{SQLITE_BUSY_TIMEOUT, CONFLICT},
		{SQLITE_FULL, FULL},
		{SQLITE_IOERR, FAILED},
		{SQLITE_IOERR_WRITE, FAILED},
		{SQLITE_CORRUPT, FAILED},
		{SQLITE_LOCKED, FAILED},
		{SQLITE_MISUSE, FAILED},
	};
	char why[ENGINE_ERROR_SIZE];
	sqlite3 *c;

	sqlite3_open(":memory:", &c);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		tap_expect(check(why, c, rows[i].rc) == rows[i].status, "status of %d",
			   rows[i].rc);
	sqlite3_exec(c, "SELECT * FROM absent", NULL, NULL, NULL);
	check(why, c, SQLITE_ERROR);
	tap_expect(!strcmp(why, "no such table: absent (1)"), "%s", why);
	sqlite3_close(c);
}

/* What each journal mode does at each durability; -: it is refused. */
static void journal_modes(void)
{
	static const struct {
		const char *none, *async, *sync;
	} rows[] = {
		[MODE_AUTO] = {"off OFF", "wal OFF", "wal FULL"},
		[WAL] = {"wal OFF", "wal OFF", "wal FULL"},
		[DELETE] = {"delete OFF", "delete OFF", "delete EXTRA"},
		[TRUNCATE] = {"truncate OFF", "truncate OFF", "truncate FULL"},
		[PERSIST] = {"persist OFF", "persist OFF", "persist FULL"},
		[MEMORY] = {"memory OFF", "-", "-"},
		[OFF] = {"off OFF", "-", "-"},
	};

	option_values.page_size = 4096;
	for (int mode = MODE_AUTO; mode <= OFF; mode++)
		for (int d = DURABILITY_NONE; d <= DURABILITY_SYNC; d++) {
			const char *expected[] = {rows[mode].none, rows[mode].async,
						  rows[mode].sync};
			struct settings s = {.durability = (enum durability)d};
			char text[40] = "-";

			option_values.journal = mode;
			if (!sqlite_check_settings(&s).invalid)
				snprintf(text, sizeof text, "%s %s",
					 journals[journal_of(s.durability)],
					 synchronous_of(s.durability));
			tap_expect(!strcmp(text, expected[d]), "%s at %d: %s",
				   journals[mode], d, text);
		}
	option_values.journal = MODE_AUTO;
}

static void refusals(void)
{
	struct settings s = {.durability = DURABILITY_SYNC};

	option_values.page_size = 65536;
	option_values.mmap_size = 0;
	tap_expect(!sqlite_check_settings(&s).invalid, "a power of two");
	tap_expect(!sqlite_check_settings(&s).reads_mapped, "no map");
	option_values.mmap_size = 1;
	tap_expect(sqlite_check_settings(&s).reads_mapped, "a map");
	option_values.page_size = 65535;
	tap_expect(sqlite_check_settings(&s).invalid, "another number");
}

/* Counters of a session that ends are added to those of the others, each under its name. */
static void statistics(void)
{
	struct settings s = {.cache_bytes = 1 << 20, .sessions = 1};
	char text[1000] = "", directory[] = "/tmp/inside-XXXXXX", path[64],
	     why[ENGINE_ERROR_SIZE] = "";
	struct report report = {text, sizeof text, " ", "\n"};
	struct db db = {.counts = {1, 20, 300, 4000}};
	struct session session = {.db = NULL};
	struct slice key = {"k", 1}, value;

	s.path = mkdtemp(directory);
	s.create = true;
	option_values.page_size = 4096;
	tap_expect(sqlite_open(&db, &s, why) == DONE, "%s", why);
	sqlite_statistics(&db, &report);
	tap_expect(!strcmp(text, "page_size 4096\npage_count 2\nfreelist_count 0\n"
				 "page cache hits 1\npage cache misses 20\n"
				 "pages written 300\n"
				 "pages written before their commit 4000"),
		   "%s", text);
	tap_expect(sqlite_attach(&session, &db, why) == DONE, "%s", why);
	sqlite_put(&session, key, key);
	for (int i = 0; i < 10; i++)
		sqlite_get(&session, key, &value);
	sqlite_release(&session);
	sqlite_detach(&session);
	tap_expect(db.counts[0] >= 11, "hits of reads: %d", (int)db.counts[0]);
	tap_expect(db.counts[2] > 300 && db.counts[2] < 310, "pages are written: %d",
		   (int)db.counts[2]);
	tap_expect(db.counts[3] == 4000, "none before its commit");
	tap_expect(sqlite_close(&db, why) == DONE, "%s", why);
	snprintf(path, sizeof path, "%s/data.db", directory);
	remove(path);
	remove(directory);
}

int main(void)
{
	tap_run("sqlite: each error is the status that it must be", errors);
	tap_run("sqlite: each journal mode syncs as each durability asks", journal_modes);
	tap_run("sqlite: refuses what it cannot have", refusals);
	tap_run("sqlite: counters of sessions are added, by their own names", statistics);
	return tap_end();
}
