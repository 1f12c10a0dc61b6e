/* life.c: what outlives the process that runs benchmarks; see life.h. */
#include "life.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../util/clock.h"
#include "../util/say.h"

struct life *life_make(unsigned threads)
{
	struct life *life = guard_memory(sizeof *life + threads * sizeof *life->vital);

	if (!life)
		die(1, "out of memory");
	life->vitals = threads;
	return life;
}

void life_note(struct life *life, const struct entry *now,
	       const struct record_sizes *sizes)
{
	time_t t = time(NULL);

	life->now = *now;
	life->sizes = *sizes;
	strftime(life->time, sizeof life->time, "%Y-%m-%dT%H:%M:%SZ", gmtime(&t));
	life->began_ns = clock_raw_ns();
	life->load = now->load;
}

uint64_t life_progress(const struct life *life)
{
	uint64_t sum = (uintptr_t)life->load + (uintptr_t)life->doing;

	for (unsigned i = 0; i < life->vitals; i++)
		sum += life->vital[i].begun;
	return sum;
}

uint64_t life_why(const struct life *life, enum guard_end end, int how,
		  const char *cause, const char *path, char *why, size_t size)
{
	const char *doing = life->doing;
	uint64_t ops = 0;

	for (unsigned i = 0; life->load && i < life->now.threads; i++)
		ops += life->vital[i].shown_ops;
	snprintf(why, size, "%s %s%s%s%s after %llu operations; likely cause: %s%s",
		 engine.title, end == GUARD_HUNG ? "hung" : "died of ",
		 end == GUARD_HUNG ? "" : strsignal(how), doing ? " while " : "",
		 doing ? doing : "", (unsigned long long)ops,
		 cause ? cause : guard_likely_cause(end, how),
		 cause ? "" : guard_limits(path));
	return ops;
}
