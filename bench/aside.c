/* aside.c: see aside.h. */
#include "aside.h"

static const struct {
	void (*begin)(struct worker *), (*work)(struct worker *);
} background_work[ASIDES] = {
	[ASIDE_READER] = {stay_begin, stay_work},
	[ASIDE_BACKUP] = {backup_begin, backup_work},
};

bool aside_begin(struct worker *w)
{
	void (*begin)(struct worker *) = background_work[w->ask.role->aside].begin;

	if (begin)
		begin(w);
	return begin;
}

bool aside_work(struct worker *w)
{
	void (*work)(struct worker *) = background_work[w->ask.role->aside].work;

	if (work)
		work(w);
	return work;
}
