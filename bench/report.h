/*
 * report.h: from the outcome of a benchmark to its row: what makes it void or doubtful,
 * and the lines and files that say so.
 *
 * All that is known of the threads is in a struct outcome, summed up by bench.c when they
 * have ended.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../util/cgroup.h"
#include "../util/clock.h"
#include "../util/hist.h"
#include "../util/host.h"
#include "../util/record.h"
#include "../util/result.h"
#include "../util/steady.h"
#include "../util/usage.h"
#include "act.h"
#include "backup.h"
#include "config.h"
#include "place.h"
#include "plan.h"
#include "stay.h"

/* Sums over threads. */
struct tally {
	uint64_t ops, kind[KINDS], missing, lost, wrong, disordered, bytes, entries,
		commits, deletes;
	uint64_t put_bytes; /* of acts: in keys and values of the records they wrote */
	uint64_t conflicts, retries, draws, tops;
	/* of what was due at the end of an open loop: not begun; begun, and not done */
	uint64_t waiting, left;
	record_lanes digest;
	uint64_t first_start, last_end; /* ticks */
	double seconds;                 /* between those */
	double thread_ns, call_ns, undone_ns, cpu, rate, rate_squares;
	uint64_t gap_ns;
};

/* What has been reported by all processes of a program; in shared memory. */
struct reported {
	/* FILE is taken; it need not be said again */
	_Atomic bool hdr_written, noise_said;
	/* of each workload before --age: so many rows since the load, and the sum of
	 * their rates */
	struct {
		const struct workload *load;
		unsigned threads, rows;
		double rates;
	} fresh[PLAN_MOST];
	unsigned fresh_loads;
	/* of all repetitions, 0 of void ones */
	double rates[PLAN_MOST], megabytes[PLAN_MOST];
};

/* What all rows of a program have in common. */
struct origin {
	const struct program *program;
	const char *command, *engine_build, *allocator;
	const struct host *host;
	const struct clock *clock;
	struct place *place;
	struct reported *reported;
};

/* One benchmark when it has ended. */
struct outcome {
	const struct origin *origin;
	const struct workload *load;
	const struct entry *entry;
	unsigned foreground, count;   /* threads asked for; with background threads */
	bool timed, grouped, must_find, transacts;
	uint64_t planned, batch, txn_reads;
	struct record_sizes scan_lengths;

	bool interrupted;
	unsigned errors;              /* threads that the engine failed, */
	const char *engine_words;     /* and what it said */
	/* of all but those that options add; of those, a sum for each kind */
	struct tally all, asked, beside, aside[ASIDES];
	const struct hist *probe, *probe_responses; /* of reads; NULL: there was none */
	const struct backup *backup;  /* NULL: none was made, */
	bool backup_due;              /* though --backup asked for one */
	const struct stay *stay;      /* NULL: no long reader */
	struct hist *times, *responses; /* one for each kind */
	const struct steady *steady;
	double rate;                  /* asked for, a second; NaN: no open loop */
	bool sines;                   /* by a sine */
	double start_error_p99_ns;    /* of an open loop */
	/* multi-gets that were due to a thread; NaN: no open loop of them */
	double groups;
	unsigned group;               /* keys in one */
	double distinct_keys;

	struct clock_pair began, ended;
	double disk_before;           /* bytes that the database took */
	double nand;                  /* bytes written to the drive's flash */
	struct usage spent;
	struct footprint footprint;
	struct cgroup_usage memory;
	const struct stage *stage;    /* of a workload with acts, */
	const char *broken;           /* and what its check has found, or NULL */
	double disk;                  /* bytes that the database takes */
	double in_memory;             /* bytes of its files that are in memory */
	struct remote remote_before, remote; /* of servers, if there are any */
	struct host_state host_before, host_after;
	double main_cpu;
};

/*
 * Whether what is to be written can be: files that are named twice, or hold something
 * else, end the program.
 */
void report_check_files(void);

/* What stands above all lines. */
void report_header(const struct origin *origin);

/*
 * Complete a row, print its lines and append it to its files. What cannot be written is a
 * failure of the origin's place.
 */
void report_row(const struct outcome *o, struct result *r);

/* The row of a benchmark that could not begin, or that nobody was left to report. */
void report_void(const struct outcome *o, struct result *r, uint64_t ops,
		 const char *why);

#endif
