/*
 * sled.c: sled, a Bw-tree over a log of pages, with threads of its own, in Rust.
 *
 * The calls are in engines/rust/sled/. It has no commit that reaches the device: at
 * async its log is handed to the operating system. So sync is unsupported.
 * Its threads belong to the process and outlast the close, so that a process which has
 * opened a database must not fork and open another. Its files never shrink.
 */
#include "rust_common.h"

static enum status open_sled(struct db *db, const struct settings *s, char *why)
{
	static const uint64_t none[RUST_COMMON_OPTIONS];

	return rust_common_open(db, s, none, why);
}

const struct engine engine = {
	.name = "sled",
	.title = "sled",
	.cache = "page cache",
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC,
				 DURABILITY_UNSUPPORTED},
	.exclusive = true,
	.value_limit = UINT32_MAX,
	RUST_COMMON_CALLS,
	.open = open_sled,
	.describe = rust_common_describe,
	.statistics = rust_common_statistics,
};
