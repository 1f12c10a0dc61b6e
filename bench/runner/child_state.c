/*
 * child_state.c: state that outlives the process that runs benchmarks; see
 * child_state.h.
 */
#include "child_state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../util/os/clock.h"
#include "../../util/message.h"
#include "../workload/config.h"

struct child_state *child_state_create(unsigned threads)
{
	struct child_state *state = supervisor_shared_memory(sizeof *state);
	size_t size = sizeof *state->progress + threads * sizeof *state->progress->thread;
	struct progress *progress =
		*cfg->progress_file ? supervisor_shared_file(cfg->progress_file, size)
				    : supervisor_shared_memory(size);

	if (!state || (!progress && !*cfg->progress_file))
		message_fatal(1, "out of memory");
	if (!progress)
		message_fatal(2, "--progress_file: cannot write %s: %s",
			      cfg->progress_file, strerror(errno));
	progress->header_size = sizeof *progress;
	progress->thread_size = sizeof *progress->thread;
	progress->threads = threads;
	state->progress = progress;
	return state;
}

void child_state_begin(struct child_state *state, const struct plan_item *item,
		       const struct record_sizes *sizes)
{
	time_t t = time(NULL);

	state->item = *item;
	state->value_sizes = *sizes;
	/* those of the benchmark before: this one may die before its threads begin */
	memset(state->progress->thread, 0,
	       state->progress->threads * sizeof *state->progress->thread);
	strftime(state->time, sizeof state->time, "%Y-%m-%dT%H:%M:%SZ", gmtime(&t));
	state->began_ns = clock_raw_ns();
	state->progress->began_ns = state->progress->ended_ns = 0;
	state->progress->pid = (uint64_t)getpid();
	state->progress->benchmarks++;
	state->workload = item->workload;
}

uint64_t child_state_progress(const struct child_state *state)
{
	uint64_t sum = (uintptr_t)state->workload + (uintptr_t)state->activity;

	for (unsigned i = 0; i < state->progress->threads; i++)
		sum += state->progress->thread[i].begun_ops;
	return sum;
}

uint64_t child_state_explain(const struct child_state *state, enum supervisor_outcome end,
			     int how, const char *cause, const char *path, char *why,
			     size_t size)
{
	const char *doing = state->activity;
	uint64_t ops = 0;

	for (unsigned i = 0; state->workload && i < state->item.threads; i++) {
		const struct published_counts *thread = &state->progress->thread[i];

		if (thread->is_measuring)
			ops += thread->ops;
		else if (thread->ops && !doing)
			doing = "warming up";
	}
	snprintf(why, size, "%s %s%s%s%s after %llu operations; likely cause: %s%s",
		 engine.title, end == SUPERVISOR_HUNG ? "hung" : "died of ",
		 end == SUPERVISOR_HUNG ? "" : strsignal(how), doing ? " while " : "",
		 doing ? doing : "", (unsigned long long)ops,
		 cause ? cause : supervisor_likely_cause(end, how),
		 cause ? "" : supervisor_describe_limits(path));
	return ops;
}
