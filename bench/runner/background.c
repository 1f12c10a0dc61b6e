/* background.c: see background.h. */
#include "background.h"

#include <math.h>

static const struct {
	void (*begin)(struct worker *), (*work)(struct worker *);
} background_tasks[ADDED_BACKGROUNDS] = {
	[ADDED_BACKGROUND_LONG_READER] = {long_reader_begin, long_reader_work},
	[ADDED_BACKGROUND_BACKUP] = {backup_begin, backup_work},
};

bool background_begin(struct worker *w)
{
	void (*begin)(struct worker *) =
		background_tasks[w->generator.workload->added_background].begin;

	if (begin)
		begin(w);
	return begin;
}

bool background_work(struct worker *w)
{
	void (*work)(struct worker *) =
		background_tasks[w->generator.workload->added_background].work;

	if (work)
		work(w);
	return work;
}

double background_measured_ops(const struct run *run)
{
	double ops = 0;

	for (unsigned i = 0; i < run->foreground; i++) {
		const struct published_counts *published = &run->published[i];

		if (!atomic_load_explicit(&published->is_measuring, memory_order_acquire))
			return NAN;
		ops += (double)atomic_load_explicit(&published->ops,
						    memory_order_relaxed);
	}
	return ops;
}
