/* leveldb.c: what the driver of LevelDB makes of its errors, lines and tables. */
#include <leveldb/c.h>

static char *property(leveldb_t *db, const char *name);

#define leveldb_property_value property
#include "../../engines/leveldb.c"
#include "../tap.h"

static const char *stats = "";

static char *property(leveldb_t *db, const char *name)
{
	(void)db;
	(void)name;
	return strdup(stats);
}

static void errors(void)
{
	char why[ENGINE_ERROR_SIZE] = "";

	tap_expect(check(why, NULL) == DONE, "none");
	tap_expect(check(why, strdup("IO error: /x: No space left on device")) == FULL,
		   "a full device");
	tap_expect(!strcmp(why, "IO error: /x: No space left on device"), "%s", why);
	tap_expect(check(why, strdup("Corruption: bad block")) == FAILED, "damage");
	tap_expect(!strcmp(why, "Corruption: bad block"), "%s", why);
}

enum { MOST_NOTED = 8 };
static struct event noted[MOST_NOTED];
static unsigned noted_count;

static void note_event(void *to, const struct event *event)
{
	(void)to;
	if (noted_count < MOST_NOTED)
		noted[noted_count++] = *event;
}

static bool is_event(unsigned i, enum event_kind kind, enum stall_reason reason,
		     uint64_t begin_us, uint64_t end_us)
{
	/* 2026-11-28 10:00:00 UTC */
	const uint64_t start = (uint64_t)1795860000 * 1000000000;

	return i < noted_count && noted[i].kind == kind && noted[i].reason == reason &&
	       noted[i].realtime && noted[i].begin_ns == start + begin_us * 1000 &&
	       noted[i].end_ns == start + end_us * 1000;
}

/* Of a file LOG: in the middle of a line the reading stops, and goes on there. */
static void events(void)
{
	static const char first[] =
		"2026/11/28-10:00:00.000100 7f Level-0 table #5: started\n"
		"2026/11/28-10:00:00.000150 7f Current memtable full; waiting...\n"
		"2026/11/28-10:00:00.000180 7f Current memtable full; waiting...\n"
		"2026/11/28-10:00:00.000300 7f Level-0 table #5: 1234 bytes OK\n"
		"2026/11/28-10:00:01.000000 7f Compacting 4@0 + 1@1 files\n"
		"2026/11/28-10:00:01.500000 7f Too many L0 files; waiting...\n"
		"2026/11/28-10:00:02.000000 7f Compac";
	static const char second[] = "ted 4@0 + 1@1 files => 77 bytes\n"
				     "2026/11/28-10:00:03.000000 7f Delete type=0 #3\n";
	char directory[] = "/tmp/inside-XXXXXX", path[64], why[ENGINE_ERROR_SIZE];
	struct settings s = {.path = mkdtemp(directory)};
	struct db db = {.settings = &s};
	FILE *file;

	snprintf(path, sizeof path, "%s/LOG", directory);
	tap_expect(leveldb_common_events(&db, note_event, NULL, why) == FAILED,
		   "no file");
	file = fopen(path, "w");
	fputs(first, file);
	fflush(file);
	tap_expect(leveldb_common_events(&db, note_event, NULL, why) == DONE, "%s", why);
	tap_expect(noted_count == 2, "%u events", noted_count);
	tap_expect(is_event(0, EVENT_FLUSH, STALL_UNKNOWN, 100, 300), "a flush");
	tap_expect(is_event(1, EVENT_STALL, STALL_MEMTABLES, 150, 300), "a wait for it");
	fputs(second, file);
	fclose(file);
	tap_expect(leveldb_common_events(&db, note_event, NULL, why) == DONE, "%s", why);
	tap_expect(noted_count == 4, "%u events in all", noted_count);
	tap_expect(is_event(2, EVENT_COMPACTION, STALL_UNKNOWN, 1000000, 2000000),
		   "a compaction");
	tap_expect(is_event(3, EVENT_STALL, STALL_LEVEL0, 1500000, 2000000),
		   "a wait for that");
	tap_expect(leveldb_common_events(&db, note_event, NULL, why) == DONE, "%s", why);
	tap_expect(noted_count == 4, "none twice");
	remove(path);
	remove(directory);
}

static void pending_work(void)
{
	struct pending_work before, after;
	struct db db = {0};

	stats = "Level  Files Size(MB)\n  0  1  2\n";
	ldb_pending_work(&db, &before, NULL);
	tap_expect(before.work == PENDING_WORK_UNKNOWN, "it cannot tell");
	ldb_pending_work(&db, &after, NULL);
	tap_expect(after.progress == before.progress, "the same");
	stats = "Level  Files Size(MB)\n  0  2  1\n";
	ldb_pending_work(&db, &after, NULL);
	tap_expect(after.progress != before.progress, "the same figures, exchanged");
}

static void statistics(void)
{
	static const char sums[] = "table files 15\ntable MB 20\ncompaction seconds 24\n"
				   "compaction MB read 30\ncompaction MB written 40";
	char text[1000] = "";
	struct report report = {text, sizeof text, " ", "\n"};
	struct db db = {0};

	stats = "Level  Files Size(MB) Time(sec) Read(MB) Write(MB)\n"
		"--------------------------------------------------\n"
		"  0        2       3         5        7       11\n"
		"  1       13      17        19       23       29\n";
	ldb_statistics(&db, &report);
	tap_expect(!strncmp(text, sums, sizeof sums - 1), "%s", text);
	tap_expect(!strcmp(text + sizeof sums, stats), "and its own table: %s", text);
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	tap_run("leveldb: each error is the status that it must be", errors);
	tap_run("leveldb: LOG has events, each once, of their times", events);
	tap_run("leveldb: that it works is seen in its table", pending_work);
	tap_run("leveldb: statistics are sums over the levels", statistics);
	return tap_end();
}
