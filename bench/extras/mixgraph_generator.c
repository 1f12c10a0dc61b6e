/* mixgraph_generator.c: see mixgraph_generator.h. */
#include "mixgraph_generator.h"

#include "../workload/config.h"

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
				   generation & g->generation_mask);
	} else if (slot->call == CALL_SEEK) {
		slot->value.size =
			record_size(&shared->scan_lengths, g->drawn_ids[i], generation);
	}
}

unsigned mixgraph_generator_next(struct generator *g, unsigned n)
{
	const bool one_draw = cfg->mixgraph.db_bench;
	unsigned char what[GENERATOR_SLOTS_MAX];

	mixgraph_draw_operations(&cfg->mixgraph, g->id_limit, &g->random,
				 &g->length_random, g->id, what, g->drawn_ids, n);
	g->keys_drawn += n;
	distinct_count_add(&g->distinct_keys, g->id, n);
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
