/*
 * child_state.c: state that outlives the process that runs benchmarks; see
 * child_state.h.
 */
#include "child_state.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../../util/os/clock.h"
#include "../../util/message.h"

struct child_state *child_state_create(unsigned threads)
{
	struct child_state *state = supervisor_shared_memory(
		sizeof *state + threads * sizeof *state->threads_published);

	if (!state)
		message_fatal(1, "out of memory");
	state->threads = threads;
	return state;
}

void child_state_begin(struct child_state *state, const struct plan_item *item,
		       const struct record_sizes *sizes)
{
	time_t t = time(NULL);

	state->item = *item;
	state->value_sizes = *sizes;
	strftime(state->time, sizeof state->time, "%Y-%m-%dT%H:%M:%SZ", gmtime(&t));
	state->began_ns = clock_raw_ns();
	state->workload = item->workload;
}

uint64_t child_state_progress(const struct child_state *state)
{
	uint64_t sum = (uintptr_t)state->workload + (uintptr_t)state->activity;

	for (unsigned i = 0; i < state->threads; i++)
		sum += state->threads_published[i].begun_ops;
	return sum;
}

uint64_t child_state_explain(const struct child_state *state, enum supervisor_outcome end,
			     int how, const char *cause, const char *path, char *why,
			     size_t size)
{
	const char *doing = state->activity;
	uint64_t ops = 0;

	for (unsigned i = 0; state->workload && i < state->item.threads; i++)
		ops += state->threads_published[i].ops;
	snprintf(why, size, "%s %s%s%s%s after %llu operations; likely cause: %s%s",
		 engine.title, end == SUPERVISOR_HUNG ? "hung" : "died of ",
		 end == SUPERVISOR_HUNG ? "" : strsignal(how), doing ? " while " : "",
		 doing ? doing : "", (unsigned long long)ops,
		 cause ? cause : supervisor_likely_cause(end, how),
		 cause ? "" : supervisor_describe_limits(path));
	return ops;
}
