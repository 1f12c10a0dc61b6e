/* extra.c: see extra.h. */
#include "extra.h"

#include <stdlib.h>

#include "../../util/message.h"

static const struct extra *const no_extras[] = {NULL};
static const struct extra *const *extras_in_use = no_extras;

void extra_set(const struct extra *const *table)
{
	extras_in_use = table;
	for (const struct extra *const *extra = table; *extra; extra++)
		if ((*extra)->columns.count)
			result_add_columns(&(*extra)->columns);
}

const struct extra *const *extra_all(void)
{
	return extras_in_use;
}

const struct extra *extra_with_distribution(void)
{
	static const struct extra none;
	const struct extra *const *extra = extras_in_use;

	while (*extra && !(*extra)->draw_keys)
		extra++;
	return *extra ? *extra : &none;
}

void extra_create_states(struct extra_states *states)
{
	for (int i = 0; extras_in_use[i]; i++)
		states->of[i] = extras_in_use[i]->state_size
					? message_alloc(1, extras_in_use[i]->state_size)
					: NULL;
}

void extra_free_states(struct extra_states *states)
{
	for (int i = 0; extras_in_use[i]; i++)
		free(states->of[i]);
}

void *extra_state(const struct extra_states *states, const struct extra *extra)
{
	for (int i = 0; extras_in_use[i]; i++)
		if (extras_in_use[i] == extra)
			return states->of[i];
	return NULL;
}
