/*
 * redb.c: redb, a copy-on-write B+tree in one file with its own page cache, in Rust.
 *
 * The calls are in engines/rust/redb/. It has one writer at a time and no threads of its
 * own. Every read is in a read transaction, of its own or of the snapshot. It has no level
 * between none and sync: async is this driver's, a file whose sync does nothing. Trap: at
 * none no page is reused until a durable commit (settling, closing), and the file grows.
 */
#include "rust_common.h"

static enum status open_redb(struct db *db, const struct settings *s, char *why)
{
	static const uint64_t none[RUST_COMMON_OPTIONS];

	return rust_common_open(db, s, none, why);
}

const struct engine engine = {
	.name = "redb",
	.title = "redb",
	.cache = "its page cache (set_cache_size)",
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.exclusive = true,
	.one_writer = true,
	.transactions = true,
	.value_limit = (uint64_t)3 << 30,
	RUST_COMMON_CALLS,
	.snapshot = rust_snapshot,
	.open = open_redb,
	.compact = rust_common_compact,
	.describe = rust_common_describe,
	.statistics = rust_common_statistics,
};
