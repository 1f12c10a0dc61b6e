/*
 * metrics.h: the values of a benchmark from which its row is made: what was measured of
 * its run, and sums over its threads (aggregate.c).
 */
#ifndef BENCH_RUNNER_METRICS_H
#define BENCH_RUNNER_METRICS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../../util/os/cgroup.h"
#include "../../util/os/clock.h"
#include "../../util/hist.h"
#include "../../util/os/host.h"
#include "../../util/message.h"
#include "../../util/record.h"
#include "../../util/result.h"
#include "../../util/steady_state.h"
#include "../../util/os/resource_usage.h"
#include "../../util/os/thread_delay.h"
#include "../workload/config.h"
#include "../workload/extra.h"
#include "../workload/plan_item.h"

struct database;
struct procedure_shared;
struct program_info;

/* Sums over threads. */
struct totals {
	uint64_t ops, ops_by_kind[KINDS], missing, lost, wrong, disordered, bytes,
		entries, commits, deletes;
	/* of procedures: in keys and values of the records they wrote */
	uint64_t written_bytes;
	uint64_t puts; /* and deletes: a write of a procedure has several */
	uint64_t conflicts, retries, keys_drawn, top1pct_draws;
	/*
	 * of an open loop: scheduled operations that were done; those that were not
	 * started at its end, if the schedule went on without end; and those of the
	 * planned operations that were scheduled and not done
	 */
	uint64_t scheduled_done, unstarted, backlog;
	record_lanes digest;
	uint64_t first_start, last_end; /* ticks */
	double seconds;                 /* between first_start and last_end */
	double thread_ns, call_ns, undone_ns, cpu, rate, rate_squares;
	double runnable; /* without a core, seconds; NaN: unknown */
	uint64_t longest_stall_ns;
};

/* Mean time of an operation in microseconds. */
static inline double metrics_mean_us(const struct totals *t)
{
	if (!t->ops)
		return 0;
	return (t->call_ns > 0 ? t->call_ns : t->thread_ns) / (double)t->ops / 1000;
}

/* Already reported by all processes of a program; in shared memory. */
struct report_state {
	/* the files and warnings were written, and are not repeated */
	_Atomic bool hdr_written, warnings_printed;
	/* of all repetitions; 0 for invalid ones */
	double rates[PLAN_ITEMS_MAX], megabytes[PLAN_ITEMS_MAX];
};

/* Common to all rows of a program. */
struct program_facts {
	const struct program_info *program;
	const char *command, *engine_build, *allocator;
	const struct host *host;
	const struct clock *clock;
	struct database *database;
	struct report_state *report_state;
};

/*
 * What main() measures of a run from the start of its threads to their end, when the
 * database is still open.
 */
struct metrics {
	struct clock_pair began, ended;
	struct resource_usage usage;
	struct footprint footprint;
	struct cgroup_usage cgroup_usage;
	struct cgroup_limits limits;          /* at the start */
	struct cgroup_throttled throttled;    /* by a CPU quota */
	double disk_bytes_before, disk_bytes; /* disk space of the database */
	double resident_bytes;                /* bytes of its files in the page cache */
	double nand_bytes; /* bytes that the drive wrote to its flash meanwhile */
	struct server_usage servers_before, servers_after; /* if the engine has servers */
	struct host_state host_before, host_after;
	double main_cpu_s;
	struct thread_delay_of_engine engine_threads;
};

static inline double metrics_wall_seconds(const struct metrics *m)
{
	return (double)(m->ended.raw_ns - m->began.raw_ns) / 1e9;
}

/*
 * The histograms after those of kinds: of updates and batches, each as a whole, of inserts
 * and of gets that found nothing. They are kept only where the output has them (worker.c).
 */
enum { METRICS_WHOLE = KINDS, METRICS_INSERTS, METRICS_MISSED, METRICS_HISTS };

/* The summed results of one benchmark. */
struct aggregate {
	const struct program_facts *info;
	struct message_texts *texts; /* of the row, which live as long as it */
	const struct workload *workload;
	const struct plan_item *item;
	/* foreground threads; with background threads */
	unsigned foreground, all_threads;
	bool timed, is_multiget, must_find, rmw_is_transaction;
	uint64_t planned, batch, txn_reads;
	uint64_t records_least; /* that a backup must have */
	/* the workload's own background thread; NULL: it has none */
	const char *own_background_name;
	struct record_sizes scan_lengths;

	bool interrupted;
	unsigned errors;          /* threads that the engine failed, */
	const char *engine_error; /* and its error message */
	/* `totals` excludes threads that extras add, which have sums of their own */
	struct totals totals, foreground_totals, own_background;
	struct added_totals {
		const struct workload *role; /* NULL: there is no such thread */
		struct totals totals;
		const struct hist *latency, *responses; /* of reads */
	} added[ADDED_THREADS_MAX + 1];
	const struct extra_states *extras; /* of the run */
	/* METRICS_HISTS of each: by kind, and those after them */
	struct hist *latency, *responses;
	const struct steady_state *steady_state;
	double stopped_s; /* seconds, at least, in which the process did not run */
	/* operations per second; NaN: no open loop */
	double target_rate;
	bool rate_is_sine;                             /* varies by a sine */
	double start_error_p99_ns, start_error_max_ns; /* of an open loop */
	/* scheduled multi-gets of each thread; NaN: no open loop of them */
	double groups;
	unsigned group_keys; /* keys in a multi-get */
	double distinct_keys;

	struct metrics metrics;
	const struct procedure_shared *procedure; /* of a procedure workload, */
	/* and the error that its check found, or NULL */
	const char *procedure_error;
};

/* The sums of the thread with this role; NULL: the run had none. */
static inline const struct added_totals *metrics_added(const struct aggregate *a,
						       const struct workload *role)
{
	const struct added_totals *added = a->added;

	while (added->role && added->role != role)
		added++;
	return added->role ? added : NULL;
}

#endif
