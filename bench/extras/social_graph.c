/*
 * social_graph.c: Facebook's social graph as db_bench's mixgraph models it
 * (mixgraph.h): its load, its operations, and its key popularity for all workloads.
 */
#include <stdio.h>
#include <string.h>

#include "../../util/message.h"
#include "../../util/option.h"
#include "../workload/config.h"
#include "../workload/extra.h"
#include "../workload/generator.h"
#include "mixgraph.h"

extern const struct extra mixgraph_extra;

static struct mixgraph mixgraph_settings;
static bool mixgraph_sine; /* of --sine_mix_rate */
static const char *const mixgraph_variant_names[] = {"default", "db_bench", NULL};

static const struct option mixgraph_options[] = {
	{"mixgraph_keys", "prefix_dist",
	 "Way in which the workload mixgraph and --distribution=mixgraph "
	 "choose keys. prefix_dist: a range by --keyrange_dist_a to _d, then "
	 "a key in it by --key_dist_a and _b. prefix_random: such a range, "
	 "then any of its keys with equal probability. all_dist: by "
	 "--key_dist_a and _b among all keys. all_random: any key with equal "
	 "probability.",
	 .choice = &mixgraph_settings.keys, .choices = mixgraph_variants,
	 .group = "Social graph"},
	{"keyrange_num", "30",
	 "Number of equal ranges into which the workload mixgraph divides its keys; "
	 "the ranges differ in popularity (--keyrange_dist_a).",
	 .count = &mixgraph_settings.ranges, .min = 1, .max = MIXGRAPH_RANGES},
	{"keyrange_dist_a", "14.18",
	 "Coefficient a of the popularity of mixgraph's key ranges: a larger weight "
	 "means more operations. Range i = 1, 2, ... has weight a * e^(b i) + c * "
	 "e^(d i), with --keyrange_dist_a to _d. All four 0: no ranges; keys are "
	 "chosen among all keys.",
	 .real = &mixgraph_settings.range_a, .real_min = -1e9, .real_max = 1e9},
	{"keyrange_dist_b", "-2.917",
	 "Exponent b of the popularity of mixgraph's key ranges; a negative one gives "
	 "early ranges more operations. Range i = 1, 2, ... has weight a * e^(b i) + "
	 "c * e^(d i), with --keyrange_dist_a to _d.",
	 .real = &mixgraph_settings.range_b, .real_min = -1e9, .real_max = 1e9},
	{"keyrange_dist_c", "0.0164",
	 "Coefficient c of the popularity of mixgraph's key ranges: a larger weight "
	 "means more operations. Range i = 1, 2, ... has weight a * e^(b i) + c * "
	 "e^(d i), with --keyrange_dist_a to _d.",
	 .real = &mixgraph_settings.range_c, .real_min = -1e9, .real_max = 1e9},
	{"keyrange_dist_d", "-0.08082",
	 "Exponent d of the popularity of mixgraph's key ranges; near 0, late ranges "
	 "get operations, too. Range i = 1, 2, ... has weight a * e^(b i) + c * e^(d "
	 "i), with --keyrange_dist_a to _d.",
	 .real = &mixgraph_settings.range_d, .real_min = -1e9, .real_max = 1e9},
	{"key_dist_a", "0.002312",
	 "Coefficient a of the popularity of mixgraph's keys; a larger a makes fewer "
	 "keys hot. Each operation draws s = (u / a)^(1/b), with u uniformly random, "
	 "0 to 1. Its key is a hash of s, modulo the range's size. b is "
	 "--key_dist_b; a or b 0: all keys equally popular.",
	 .real = &mixgraph_settings.key_a, .real_max = 1e9},
	{"key_dist_b", "0.3467",
	 "Exponent b of the popularity of mixgraph's keys; a larger b makes fewer "
	 "keys hot. Each operation draws s = (u / a)^(1/b), with u uniformly random, "
	 "0 to 1. Its key is a hash of s, modulo the range's size. a is "
	 "--key_dist_a; a or b 0: all keys equally popular.",
	 .real = &mixgraph_settings.key_b, .real_max = 1e9},
	{"value_theta", "0",
	 "Lower limit theta of mixgraph's random value sizes, bytes; sizes below 10 "
	 "become 10. A size is theta + sigma (u^-k - 1) / k, with u uniformly random, "
	 "0 to 1. sigma is --value_sigma, k is --value_k.",
	 .real = &mixgraph_settings.value.theta, .real_max = 1e9},
	{"value_k", "0.2615",
	 "Shape k of mixgraph's random value sizes, at least 0; a larger one "
	 "makes more large values. A size is theta + sigma (u^-k - 1) / k "
	 "bytes, with u uniformly random, 0 to 1. theta is --value_theta, "
	 "sigma is --value_sigma. 0: theta - sigma ln u.",
	 .real = &mixgraph_settings.value.k, .real_max = 1e9},
	{"value_sigma", "25.45",
	 "Scale sigma of mixgraph's random value sizes, bytes. A size is theta + "
	 "sigma (u^-k - 1) / k, with u uniformly random, 0 to 1. theta is "
	 "--value_theta, k is --value_k.",
	 .real = &mixgraph_settings.value.sigma, .real_min = 1e-9, .real_max = 1e9},
	{"mix_max_value_size", "1024",
	 "Limit of mixgraph's random value sizes, bytes; a larger random size is "
	 "replaced by its remainder modulo this limit.",
	 .size = &mixgraph_settings.max_value, .min = 10, .max = 1 << 20},
	{"iter_theta", "0",
	 "Lower limit theta of mixgraph's random scan lengths, records. A length is "
	 "theta + sigma (u^-k - 1) / k, with u uniformly random, 0 to 1. sigma is "
	 "--iter_sigma, k is --iter_k.",
	 .real = &mixgraph_settings.scan.theta, .real_max = 1e9},
	{"iter_k", "2.517",
	 "Shape k of mixgraph's random scan lengths, at least 0; a larger one "
	 "makes more long scans. A length is theta + sigma (u^-k - 1) / k "
	 "records, with u uniformly random, 0 to 1. theta is --iter_theta, "
	 "sigma is --iter_sigma. 0: theta - sigma ln u.",
	 .real = &mixgraph_settings.scan.k, .real_max = 1e9},
	{"iter_sigma", "14.236",
	 "Scale sigma of mixgraph's random scan lengths, records. A length is theta + "
	 "sigma (u^-k - 1) / k, with u uniformly random, 0 to 1. theta is "
	 "--iter_theta, k is --iter_k.",
	 .real = &mixgraph_settings.scan.sigma, .real_min = 1e-9, .real_max = 1e9},
	{"mix_max_scan_len", "10k",
	 "Limit of mixgraph's random scan lengths, records; a larger random length is "
	 "replaced by its remainder modulo this limit.",
	 .count = &mixgraph_settings.max_scan, .min = 1, .max = 1000000000},
	{"mix_get_ratio", "0.85",
	 "Weight of gets among the operations of the workload mixgraph; their "
	 "fraction is this / (--mix_get_ratio + --mix_put_ratio + --mix_seek_ratio).",
	 .real = &mixgraph_settings.get, .real_max = 1e6},
	{"mix_put_ratio", "0.14",
	 "Weight of puts among the operations of the workload mixgraph; their "
	 "fraction is this / (--mix_get_ratio + --mix_put_ratio + --mix_seek_ratio).",
	 .real = &mixgraph_settings.put, .real_max = 1e6},
	{"mix_seek_ratio", "0.01",
	 "Weight of scans among the operations of the workload mixgraph; their "
	 "fraction is this / (--mix_get_ratio + --mix_put_ratio + --mix_seek_ratio).",
	 .real = &mixgraph_settings.seek, .real_max = 1e6},
	{"mixgraph", "default",
	 "Random numbers of the workload mixgraph. default: independent ones "
	 "for key, operation and sizes. db_bench: one number determines all "
	 "of them, so they are correlated. It also rounds the weights of key "
	 "ranges to integers. Use db_bench only to compare with results of "
	 "db_bench.",
	 .choice = &mixgraph_settings.db_bench, .choices = mixgraph_variant_names},
	{"sine_mix_rate", "0",
	 "1: the target rate of the workload mixgraph rises and falls as a sine, for "
	 "all threads together. At t seconds it is d + a * sin(b * t + c) "
	 "operations/s, with --sine_a to --sine_d. 0: use --rate.",
	 .flag = &mixgraph_sine},
	{0},
};

/* ---- operations ---- */

static const enum call mixgraph_calls[] = {
	[MIXGRAPH_GET] = CALL_GET,
	[MIXGRAPH_PUT] = CALL_PUT,
	[MIXGRAPH_SEEK] = CALL_SEEK,
};

/*
 * The size of a put's value, or the number of records that a seek reads. Both come from
 * a hash of the drawn number, which makes them independent of the other choices.
 */
static void make_value_or_length(struct generator *g, unsigned i, uint64_t generation)
{
	const struct generator_shared *shared = g->shared;
	struct slot *slot = &g->slot[i];

	if (slot->call == CALL_PUT) {
		slot->value.size =
			record_size(&shared->value_sizes, g->id[i], generation);
		record_write_value((char *)(uintptr_t)slot->value.data, slot->value.size,
				   g->value_ratio, g->id[i],
				   (generation & g->generation_mask) |
					   g->generation_fixed);
	} else if (slot->call == CALL_SEEK) {
		slot->value.size =
			record_size(&shared->scan_lengths, g->drawn_ids[i], generation);
	}
}

static unsigned mixgraph_next(struct generator *g, unsigned n)
{
	const bool one_draw = mixgraph_settings.db_bench;
	unsigned char what[GENERATOR_SLOTS_MAX];

	mixgraph_draw_operations(&mixgraph_settings, g->id_limit, &g->random,
				 &g->length_random, g->id, what, g->drawn_ids, n);
	generator_note_drawn(g, g->id, n);
	record_write_keys(&g->key_shape, g->key_buffer, g->id, n);
	for (unsigned i = 0; i < n; i++) {
		/*
		 * The variant with one draw: the draw determines the value's size, and
		 * the generation the draw.
		 */
		uint64_t generation = one_draw ? g->drawn_ids[i] + 1 : g->generation++;

		g->slot[i].call = (unsigned char)mixgraph_calls[what[i]];
		make_value_or_length(g, i, generation);
	}
	return n;
}

static void mixgraph_draw(uint64_t n, struct random *random, uint64_t *ids,
			  unsigned count)
{
	mixgraph_draw_keys(&mixgraph_settings, n, random, ids, count);
}

static struct record_sizes mixgraph_scan_lengths(void)
{
	return (struct record_sizes){
		.max = mixgraph_settings.scan.max,
		.pareto = mixgraph_settings.scan,
		.pareto_steps = mixgraph_settings.db_bench ? cfg->num : 0,
		.pareto_mean = 0,
	};
}

/* ---- the extra ---- */

enum { MIXGRAPH_LOAD, MIXGRAPH_RUN };

static struct workload mixgraph_workloads[] = {
	{"mixgraph-load",
	 "Load for mixgraph: put --num records in random order.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_PERMUTED,
	 .starts_empty = true,
	 .divided = true,
	 .completes = true,
	 .preset = "mixgraph"},
	{"mixgraph",
	 "Facebook's social graph (FAST 2020): gets, puts and seeks with hot key "
	 "ranges, hot keys, and Pareto sizes of values and scans.",
	 {[OP_GET] = 85, [OP_PUT] = 14, [OP_SEEK] = 1},
	 .key_order = ORDER_RANDOM,
	 .distribution = DISTRIBUTION_ADDED,
	 .lone_iterators = true,
	 .preset = "mixgraph",
	 .next = mixgraph_next,
	 .scan_lengths = mixgraph_scan_lengths},
	{0},
};

#define MIXGRAPH_PRESET \
	"num=50m key_format=binary key_size=48 value_size=43 cache_size=256Mi"
#define PAPER_MIX " mix_get_ratio=0.83 mix_put_ratio=0.14 mix_seek_ratio=0.03"

static const struct preset mixgraph_presets[] = {
	{"mixgraph",
	 "Facebook's social graph (FAST 2020) in the mix of RocksDB's wiki: 85 % gets, "
	 "14 % puts, 1 % seeks.",
	 "benchmarks=mixgraph-load,mixgraph " MIXGRAPH_PRESET},
	{"mixgraph-paper",
	 "Facebook's social graph in the paper's mix: 83 % gets, 14 % puts, 3 % seeks.",
	 "benchmarks=mixgraph-load,mixgraph " MIXGRAPH_PRESET PAPER_MIX},
	{"mixgraph-day",
	 "Facebook's social graph in the paper's mix at its daily rate: a sine about "
	 "4500 operations a second, in an open loop.",
	 "benchmarks=mixgraph-load,mixgraph " MIXGRAPH_PRESET PAPER_MIX
	 " sine_mix_rate=1 duration=86400"},
	{0},
};

/* Sizes of values written after the load have a distribution of their own. */
static struct record_sizes mixgraph_value_sizes(void)
{
	struct record_sizes values = cfg->value_sizes;

	record_sizes_pareto(&values, &mixgraph_settings.value, values.max);
	if (mixgraph_settings.db_bench)
		values.pareto_steps = cfg->num;
	return values;
}

/*
 * All of a list's workloads have these sizes; in db_bench's place, where values are not
 * checked, mixgraph alone.
 */
static void mixgraph_set_value_sizes(void)
{
	struct record_sizes values = cfg->value_sizes;

	if (values.min != values.max)
		message_fatal(2,
			      "--value_size: the values of mixgraph-load have one size; "
			      "give one number");
	if (mixgraph_settings.db_bench && cfg->num >= UINT32_MAX)
		message_fatal(2,
			      "--mixgraph=db_bench: values hold the drawn number in 32 "
			      "bits; give a --num below %u",
			      UINT32_MAX);
	values = mixgraph_value_sizes();
	if (config_values_are_texts())
		mixgraph_workloads[MIXGRAPH_RUN].value_sizes = mixgraph_value_sizes;
	else
		config_set_value_sizes(&values);
}

static void mixgraph_configure(const char *preset)
{
	const struct mixgraph *m = &mixgraph_settings;
	const double fractions[OPS] = {
		[OP_GET] = m->get, [OP_PUT] = m->put, [OP_SEEK] = m->seek};
	bool is_used = preset && !strncmp(preset, "mixgraph", 8);
	char error[MIXGRAPH_ERROR_SIZE];

	/* db_bench does not look at flags of workloads that it does not run */
	if (!mixgraph_prepare(&mixgraph_settings, error) &&
	    (is_used || !cfg->db_bench.on))
		message_fatal(2, "%s", error);
	if (mixgraph_sine)
		config_check_sine();
	mixgraph_workloads[MIXGRAPH_RUN].sine = mixgraph_sine;
	workload_set_weights(fractions, mixgraph_workloads[MIXGRAPH_RUN].weights);
	if (is_used)
		mixgraph_set_value_sizes();
}

static const char *mixgraph_describe_distribution(void)
{
	static char text[80];

	snprintf(text, sizeof text, "mixgraph %s%s",
		 mixgraph_variants[mixgraph_settings.keys],
		 mixgraph_settings.db_bench ? " by one draw (db_bench)" : "");
	return text;
}

const struct extra mixgraph_extra = {
	.options = mixgraph_options,
	.workloads = mixgraph_workloads,
	.presets = mixgraph_presets,
	.distribution_name = "mixgraph",
	.draw_keys = mixgraph_draw,
	.describe_distribution = mixgraph_describe_distribution,
	.configure = mixgraph_configure,
};
