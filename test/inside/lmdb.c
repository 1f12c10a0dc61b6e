/* lmdb.c: what the driver of LMDB makes of its errors, and of sizes. */
#include "../../engines/lmdb.c"
#include "../tap.h"

static void errors(void)
{
	static const struct {
		int rc;
		enum status status;
		const char *words;
	} rows[] = {
		{MDB_SUCCESS, DONE, NULL},
		{MDB_NOTFOUND, NOT_FOUND, NULL},
		{MDB_MAP_FULL, FAILED, "--mapsize"},
		{ENOSPC, FULL, "No space left"},
		{EIO, FAILED, "no disk space"},
		{EINVAL, FAILED, "Invalid argument"},
		{MDB_READERS_FULL, FAILED, "MDB_READERS_FULL"},
		{MDB_CORRUPTED, FAILED, "MDB_CORRUPTED"},
	};
	char why[ENGINE_ERROR_SIZE];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		*why = '\0';
		tap_expect(check(why, rows[i].rc) == rows[i].status, "status of %d",
			   rows[i].rc);
		tap_expect(rows[i].words ? strstr(why, rows[i].words) != NULL : !*why,
			   "words of %d: %s", rows[i].rc, why);
	}
}

static void map_sizes(void)
{
	struct settings s = {.path = "/nowhere",
			     .num = 1000,
			     .key_size = 16,
			     .value_size = 100};

	common_option_values.mapsize = 0;
	tap_expect(map_size(&s) == 16 * 1000 * 180 + 16 * GIB, "of records");
	s.num = (uint64_t)1 << 50;
	tap_expect(map_size(&s) == 16384 * GIB, "not above");
	common_option_values.mapsize = 12345678;
	tap_expect(map_size(&s) == 12345678, "as asked");
	s.device = "/dev/null";
	s.device_bytes = (10 << 20) + 1;
	tap_expect(map_size(&s) == 10 << 20, "less than asked on a small device");
	common_option_values.mapsize = (3 << 20) + 5;
	tap_expect(map_size(&s) == 2 << 20, "as asked on a larger one");
	common_option_values.mapsize = 0;
	tap_expect(map_size(&s) == 10 << 20, "all of a device");
}

static void refusals(void)
{
	struct settings s = {.durability = DURABILITY_ASYNC, .sessions = 4};

	option_values.maxreaders = 3;
	tap_expect(lmdb_check_settings(&s).invalid, "too few readers");
	option_values.maxreaders = 4;
	tap_expect(!lmdb_check_settings(&s).invalid, "enough readers");
	option_values.maxreaders = 0;
	tap_expect(!lmdb_check_settings(&s).invalid, "the default");
	common_option_values.metasync = false;
	tap_expect(!lmdb_check_settings(&s).invalid, "no metasync at async");
	s.durability = DURABILITY_SYNC;
	tap_expect(lmdb_check_settings(&s).invalid, "no metasync at sync");
	s.durability = DURABILITY_NONE;
	tap_expect(!lmdb_check_settings(&s).invalid, "no metasync at none");
}

int main(void)
{
	tap_run("lmdb: each error is the status that it must be", errors);
	tap_run("lmdb: a map has room for the records, or is as asked", map_sizes);
	tap_run("lmdb: refuses what contradicts, and not what does not", refusals);
	return tap_end();
}
