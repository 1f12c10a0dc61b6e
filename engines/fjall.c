/*
 * fjall.c: fjall, an LSM tree with a journal and threads of its own, in Rust.
 *
 * The calls are in engines/rust/fjall/. Batches are collected until their commit and then
 * written at once; nothing can be read of them before. A single put at sync is a batch of
 * one: after an insert that is then persisted, others would see it before it is durable.
 * Reads return a reference into a block or a memtable. Its defaults, LZ4 from level 2 on
 * and Bloom filters, are set as for all engines here: neither.
 */
#include "rust_common.h"

static struct {
	uint64_t bloom_bits, block_size;
} option_values;

static const struct option options[] = {
	{"bloom_bits", "0",
	 "Bits per key of Bloom filters, by which gets skip tables without the key. 0: "
	 "no "
	 "filters, unlike fjall by default. An existing database keeps its own.",
	 .count = &option_values.bloom_bits, .max = 100, .group = "fjall"},
	{"block_size", "4Ki",
	 "Size of a data block before compression, bytes. An existing database keeps its "
	 "own.",
	 .size = &option_values.block_size, .min = 1 << 10, .max = 512 << 10},
	{0},
};

static enum status open_fjall(struct db *db, const struct settings *s, char *why)
{
	const uint64_t values[RUST_COMMON_OPTIONS] = {option_values.bloom_bits,
						      option_values.block_size};

	return rust_common_open(db, s, values, why);
}

const struct engine engine = {
	.name = "fjall",
	.title = "fjall",
	.cache = "block cache",
	.write_buffer = "the active memtable",
	.compressions = 1 << COMPRESSION_LZ4,
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.options = options,
	.exclusive = true,
	.blind_deletes = true,
	.key_limit = 65535,
	.value_limit = UINT32_MAX,
	RUST_COMMON_CALLS,
	.snapshot = rust_snapshot,
	.open = open_fjall,
	.compact = rust_common_compact,
	.pending_work = rust_common_pending_work,
	.describe = rust_common_describe,
	.statistics = rust_common_statistics,
};
