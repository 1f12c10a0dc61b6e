/* shared.c: what outlives the process that runs benchmarks; see shared.h. */
#include "shared.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../util/clock.h"
#include "../util/say.h"

struct shared *shared_make(unsigned threads)
{
	struct shared *shared =
		guard_memory(sizeof *shared + threads * sizeof *shared->thread);

	if (!shared)
		die(1, "out of memory");
	shared->threads = threads;
	return shared;
}

void shared_note(struct shared *shared, const struct entry *now,
		 const struct record_sizes *sizes)
{
	time_t t = time(NULL);

	shared->now = *now;
	shared->sizes = *sizes;
	strftime(shared->time, sizeof shared->time, "%Y-%m-%dT%H:%M:%SZ", gmtime(&t));
	shared->began_ns = clock_raw_ns();
	shared->load = now->load;
}

uint64_t shared_progress(const struct shared *shared)
{
	uint64_t sum = (uintptr_t)shared->load + (uintptr_t)shared->doing;

	for (unsigned i = 0; i < shared->threads; i++)
		sum += shared->thread[i].begun;
	return sum;
}

uint64_t shared_why(const struct shared *shared, enum guard_end end, int how,
		    const char *cause, const char *path, char *why, size_t size)
{
	const char *doing = shared->doing;
	uint64_t ops = 0;

	for (unsigned i = 0; shared->load && i < shared->now.threads; i++)
		ops += shared->thread[i].shown_ops;
	snprintf(why, size, "%s %s%s%s%s after %llu operations; likely cause: %s%s",
		 engine.title, end == GUARD_HUNG ? "hung" : "died of ",
		 end == GUARD_HUNG ? "" : strsignal(how), doing ? " while " : "",
		 doing ? doing : "", (unsigned long long)ops,
		 cause ? cause : guard_likely_cause(end, how),
		 cause ? "" : guard_limits(path));
	return ops;
}
