/*
 * pebble.c: Pebble, a log-structured merge tree, in Go.
 *
 * The calls are in go_common.h, what is done there in engines/go/pebble. A transaction is
 * a batch that is applied at commit; reads see committed data. Traps: a commit without a
 * sync is not yet handed to the operating system, so that at async commits wait for
 * syncs which do nothing. Without its log, closing loses the memtable, which is flushed
 * first.
 */
#include "go_contract.h"

static struct {
	uint64_t bloom_bits, block_size, background_jobs, file_format;
} option_values;

static const struct option options[] = {
	{"bloom_bits", "0",
	 "Size of the Bloom filters of table files, bits per key; 0: none. A get of a "
	 "record that does not exist then rarely reads the file.",
	 .count = &option_values.bloom_bits, .max = 100, .group = "Pebble"},
	{"block_size", "4Ki",
	 "Size of the blocks in which table files are read and cached, bytes.",
	 .size = &option_values.block_size, .min = 256, .max = 16 << 20},
	{"background_jobs", "0",
	 "Compactions that may run at a time. 0: the engine's default.",
	 .count = &option_values.background_jobs, .max = 64},
	{"file_format", "0",
	 "Format of the database's files, a number (FormatMajorVersion). A database can "
	 "be opened in a newer format, never in an older one. 0: the engine's default "
	 "for "
	 "a new database, which is older than its newest.",
	 .count = &option_values.file_format, .max = 1000},
	{0},
};

/* See go_common.h. */
static void go_options(struct go_option *list)
{
	list[0] = (struct go_option){"bloom_bits", option_values.bloom_bits};
	list[1] = (struct go_option){"block_size", option_values.block_size};
	list[2] = (struct go_option){"background_jobs", option_values.background_jobs};
	list[3] = (struct go_option){"file_format", option_values.file_format};
}

#define GO_ENGINE "pebble"
#define GO_MODULE "github.com/cockroachdb/pebble/v2"

#include "go_common.h"

const struct engine engine = {
	GO_COMMON_CALLS,
	.title = "Pebble",
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.options = options,
	.cache = "block cache",
	.write_buffer = "memtable",
	.compressions = 1u << COMPRESSION_SNAPPY | 1u << COMPRESSION_ZSTD,
	.exclusive = true,
	.blind_deletes = true,
	.value_limit = 0xffffffff,
	.compact = go_compact,
	.pending_work = go_pending_work,
	.backup = go_backup,
	.backup_by = "DB.Checkpoint, by links",
};
