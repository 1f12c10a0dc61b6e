/*
 * bbolt.c: bbolt, a copy-on-write B+tree in one mapped file, in Go.
 *
 * The calls are in go_common.h, what is done there in engines/go/bbolt. bbolt has one
 * writer at a time, no cache of its own and no background threads besides Go's. Trap: a
 * write that lets the map grow waits for every reader.
 */
#include "go_contract.h"

static struct {
	uint64_t mapsize, fill_percent;
	bool freelist_sync;
	int freelist;
} option_values;

static const char *const freelists[] = {"array", "hashmap", NULL};

static const struct option options[] = {
	{"mapsize", "0",
	 "Size of the memory map when the database is opened, bytes (InitialMmapSize). A "
	 "write that lets the map grow waits until all reads have ended. 0: 16 times the "
	 "expected records' bytes plus 16 GiB. A map reserves address space, not memory.",
	 .size = &option_values.mapsize, .group = "bbolt"},
	{"freelist", "array",
	 "Structure that keeps the free pages in memory (FreelistType): array or "
	 "hashmap. "
	 "In a large database with many free pages, hashmap is faster.",
	 .choice = &option_values.freelist, .choices = freelists},
	{"freelist_sync", "1",
	 "1: each commit writes the list of free pages. 0: it does not, and opening the "
	 "database reads all pages to find them (NoFreelistSync).",
	 .flag = &option_values.freelist_sync},
	{"fill_percent", "50",
	 "Percentage to which a page is filled when it is split (FillPercent).",
	 .count = &option_values.fill_percent, .min = 10, .max = 100},
	{0},
};

/* See go_common.h. */
static void go_options(struct go_option *list)
{
	list[0] = (struct go_option){"mapsize", option_values.mapsize};
	list[1] = (struct go_option){"freelist", (uint64_t)option_values.freelist};
	list[2] = (struct go_option){"freelist_sync", option_values.freelist_sync};
	list[3] = (struct go_option){"fill_percent", option_values.fill_percent};
}

#define GO_ENGINE "bbolt"
#define GO_MODULE "go.etcd.io/bbolt"

#include "go_common.h"

static struct traits bbolt_check_settings(const struct settings *s)
{
	(void)s;
	return (struct traits){.reads_mapped = true};
}

const struct engine engine = {
	GO_COMMON_CALLS,
	.title = "bbolt",
	/* A commit is in the page cache or nowhere: none and async are the same. */
	.effective_durability = {DURABILITY_ASYNC, DURABILITY_ASYNC, DURABILITY_SYNC},
	.options = options,
	.exclusive = true,
	.one_writer = true,
	.transactions = true,
	.key_limit = 32768,
	.value_limit = 0x7ffffffe,
	.check_settings = bbolt_check_settings,
	.backup = go_backup,
	.backup_by = "Tx.CopyFile",
};
