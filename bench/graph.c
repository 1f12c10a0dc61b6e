/* graph.c: see graph.h. */
#include "graph.h"

#include "config.h"

static const enum step steps[] = {
	[MIXGRAPH_GET] = STEP_GET,
	[MIXGRAPH_PUT] = STEP_PUT,
	[MIXGRAPH_SEEK] = STEP_SEEK,
};

/*
 * The value of a put, and how many records a seek reads: by a hash of what it was drawn
 * by, which tells nothing of that.
 */
static void make_one(struct ask *a, unsigned i, uint64_t generation)
{
	const struct ask_shared *s = a->shared;
	struct slot *slot = &a->slot[i];

	if (slot->step == STEP_PUT) {
		slot->value.size = record_size(&s->sizes, a->id[i], generation);
		record_value((char *)(uintptr_t)slot->value.data, slot->value.size,
			     a->ratio, a->id[i], generation & a->told);
	} else if (slot->step == STEP_SEEK) {
		slot->value.size = record_size(&s->scan_lengths, a->drawn[i], generation);
	}
}

unsigned graph_next(struct ask *a, unsigned n)
{
	const bool at_once = cfg->mixgraph.db_bench;
	unsigned char what[ASK_SLOTS];

	mixgraph_next(&cfg->mixgraph, a->span, &a->random, &a->lengths, a->id, what,
		      a->drawn, n);
	a->draws += n;
	census_add(&a->census, a->id, n);
	record_keys(&a->shape, a->key_bytes, a->id, n);
	for (unsigned i = 0; i < n; i++) {
		/*
		 * As an artefact the draw tells a value's size, and its generation the
		 * draw.
		 */
		uint64_t generation = at_once ? a->drawn[i] + 1 : a->generation++;

		a->slot[i].step = (unsigned char)steps[what[i]];
		make_one(a, i, generation);
	}
	return n;
}
