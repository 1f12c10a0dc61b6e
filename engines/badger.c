/*
 * badger.c: Badger, a log-structured merge tree that keeps large values in logs of their
 * own, in Go.
 *
 * The calls are in go_common.h, what is done there in engines/go/badger. Logs are written
 * through maps, so that a commit without a sync is in the page cache. Traps: a
 * transaction can have 15 % of the memtable at most, and large values go to a log that
 * compactions do not clean. Only Close writes the memtable before it is full.
 */
#include "go_contract.h"

static struct {
	uint64_t bloom_bits, block_size, value_threshold, prefetch;
	bool detect_conflicts;
} option_values;

static const struct option options[] = {
	{"bloom_bits", "0",
	 "Size of the Bloom filters of table files, bits per key; 0: none. The engine's "
	 "own default is some 10.",
	 .count = &option_values.bloom_bits, .max = 100, .group = "Badger"},
	{"block_size", "4Ki",
	 "Size of the blocks in which table files are read and cached, bytes.",
	 .size = &option_values.block_size, .min = 256, .max = 16 << 20},
	{"value_threshold", "1Mi",
	 "Size from which a value is kept in a log of its own, bytes (ValueThreshold). "
	 "It "
	 "is lowered to 15 % of the memtable.",
	 .size = &option_values.value_threshold, .min = 1, .max = 1 << 20},
	{"prefetch", "0",
	 "Values that a scan reads ahead, each in a goroutine of its own (PrefetchSize); "
	 "0: "
	 "none. The engine's own default is 100, which suits values in a log of their "
	 "own.",
	 .count = &option_values.prefetch, .max = 100000},
	{"detect_conflicts", "1",
	 "1: a transaction conflicts with others that wrote what it read. 0: it does not "
	 "look.",
	 .flag = &option_values.detect_conflicts},
	{0},
};

/* See go_common.h. */
static void go_options(struct go_option *list)
{
	list[0] = (struct go_option){"bloom_bits", option_values.bloom_bits};
	list[1] = (struct go_option){"block_size", option_values.block_size};
	list[2] = (struct go_option){"value_threshold", option_values.value_threshold};
	list[3] = (struct go_option){"prefetch", option_values.prefetch};
	list[4] = (struct go_option){"detect_conflicts", option_values.detect_conflicts};
}

#define GO_ENGINE "badger"
#define GO_MODULE "github.com/dgraph-io/badger/v4"

#include "go_common.h"

static struct traits badger_check_settings(const struct settings *s)
{
	if (s->key_size + s->value_size + 256 > s->write_buffer_bytes * 15 / 100)
		return invalid_settings(
			"--write_buffer_size: a Badger transaction can have 15 % of the "
			"memtable; give at least 7 times --value_size");
	return (struct traits){.reads_mapped = true, .uncounted_writes = true};
}

const struct engine engine = {
	GO_COMMON_CALLS,
	.title = "Badger",
	/* A commit is in the page cache or nowhere: none and async are the same. */
	.effective_durability = {DURABILITY_ASYNC, DURABILITY_ASYNC, DURABILITY_SYNC},
	.options = options,
	.cache = "block cache",
	.write_buffer = "memtable",
	.compressions = 1u << COMPRESSION_SNAPPY | 1u << COMPRESSION_ZSTD,
	.exclusive = true,
	.keeps_memtable = true,
	.transactions = true,
	.blind_deletes = true,
	.key_limit = 65000,
	.value_limit = 1 << 30,
	.check_settings = badger_check_settings,
	.compact = go_compact,
	.pending_work = go_pending_work,
	.backup = go_backup,
	.backup_by = "Stream and StreamWriter",
};
