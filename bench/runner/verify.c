/*
 * verify.c: checks that a returned record is the one that was put, and in order; see
 * worker.h. Not timed.
 */
#include <string.h>

#include "../../util/random.h"
#include "worker.h"
#include "../workload/config.h"

/*
 * The position of a record in the order of the database, as a number: by its key, or by
 * its record number if the engine has those.
 */
static uint64_t sort_position(const struct worker *w, uint64_t id)
{
	return w->generator.key_shape.format == KEYS_USER && !w->engine->fixed_size &&
			       !w->engine->stores_nothing
		       ? random_mix(id)
		       : id;
}

/* Does an iteration's record follow the previous one, without any left out in between? */
static void verify_order(struct worker *w, uint64_t id)
{
	uint64_t last = w->last_id, from = w->generator.workload->reverse ? id : last,
		 to = w->generator.workload->reverse ? last : id;

	w->last_id = id;
	/* A foreign record has no position. */
	if (last == UINT64_MAX || id == UINT64_MAX)
		return;
	if (sort_position(w, from) >= sort_position(w, to))
		w->disordered++;
	else if (w->generator.contiguous && to < cfg->num)
		w->tally.lost += to - from - 1;
}

uint64_t verify_id_of_key(const struct worker *w, struct slice key)
{
	return key.size == w->generator.key_shape.size
		       ? record_parse_key(key.data, key.size,
					  w->generator.key_shape.format)
		       : UINT64_MAX;
}

bool verify_value(const struct generator_shared *shared, uint64_t id, struct slice value,
		  unsigned ratio, char *scratch)
{
	return id == UINT64_MAX ? shared->any_keys
				: record_check(&shared->value_sizes, value.data,
					       value.size, ratio, id, scratch);
}

void verify_record(struct worker *w, uint64_t id, struct slice key, struct slice value)
{
	uint64_t start = clock_ticks(w->clock);

	if (id == UINT64_MAX) {
		id = verify_id_of_key(w, key);
		verify_order(w, id);
	}
	if (w->generator.key_order == ORDER_ABSENT ||
	    !verify_value(w->generator.shared, id, value, w->generator.value_ratio,
			  w->value_scratch))
		w->wrong++;
	w->check_ticks += clock_ticks(w->clock) - start;
}
