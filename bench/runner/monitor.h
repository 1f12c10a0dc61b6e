/*
 * monitor.h: activity while the threads run: interval reports, the timeline, progress,
 * and the end of their time.
 *
 * The thread that calls monitor_run sees what the others publish: published_counts, and
 * samples of their histograms on request. Of what is timed it changes only the end of a
 * chunk.
 */
#ifndef BENCH_RUNNER_MONITOR_H
#define BENCH_RUNNER_MONITOR_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../../util/os/cgroup.h"
#include "../../util/os/clock.h"
#include "../../util/hist.h"
#include "../../util/result.h"
#include "../../util/steady_state.h"
#include "../../util/os/resource_usage.h"

/*
 * Published by a thread while it runs, for the monitor, other threads and, after a
 * crash, the parent. Published operations are committed, so the counts never decrease.
 * `begun_ops` may decrease; it only shows that the thread makes progress.
 */
enum { PUBLISHED_SECONDS = 16 };
struct published_counts {
	_Alignas(128) _Atomic uint64_t ops;
	_Atomic uint64_t begun_ops;
	atomic_bool is_measuring; /* these are measured, not of the warm-up */
	_Atomic uint64_t ops_by_kind[KINDS];
	/*
	 * Measured seconds that have passed, by the thread's own clock, and `ops` at
	 * the end of each of the last ones. So it does not matter how late the monitor
	 * looks.
	 */
	_Atomic uint64_t seconds_passed, ops_at_second[PUBLISHED_SECONDS];
};

/*
 * What a program has published, for its own processes and for others (--progress_file);
 * docs/design.md says how to read it. The first three numbers never change.
 */
struct progress {
	uint64_t header_size, thread_size, threads;
	_Atomic uint64_t pid;        /* that runs benchmarks; 0: there is none yet */
	_Atomic uint64_t benchmarks; /* begun so far */
	/* of the last one: clock_raw_ns; 0: not yet */
	_Atomic uint64_t began_ns, ended_ns;
	struct published_counts thread[];
};

/*
 * A thread's copy of its counts at the end of a chunk. If the lock is taken, the thread
 * tries again after its next chunk.
 */
struct thread_sample {
	pthread_mutex_t lock;
	unsigned request; /* the request that this answers */
	uint64_t ops_by_kind[KINDS], ops;
	/* `responses` in an open loop only */
	struct hist latency[KINDS], responses[KINDS];
};

/* A thread's counts at the last row of the timeline. */
struct thread_last_sample {
	uint64_t ops_by_kind[KINDS], ops;
	double cpu_s;
	struct hist latency[KINDS], responses[KINDS];
};

/* One thread. Setting `finished` is the last thing it does to this. */
struct monitored_thread {
	_Alignas(128) atomic_bool finished;
	_Atomic uint64_t began; /* ticks; 0: not yet */
	/*
	 * A slot of the thread; the monitor moves it back to have progress published at
	 * once
	 */
	_Atomic(void *) chunk_end;
	const char *role;    /* its name in a timeline; NULL: its number */
	bool has_no_samples; /* it publishes nothing until it has finished */
	struct published_counts *published;
	struct thread_sample *sample; /* NULL without a timeline */
	struct thread_last_sample *last_sample;
	pthread_t thread;
	double cpu_s;               /* CPU time of its work, */
	atomic_bool cpu_is_final;   /* once the work has ended */
	uint64_t ops, reported_ops; /* as the monitor has read and reported them */
};

struct timeline_sampler;

/*
 * All reports see the same reading of what the threads have published. Those asked for
 * are the foreground threads; a kind and measured_ops count the workload's own background
 * threads, too.
 */
struct monitor_counts {
	uint64_t ops, begun_ops, measured_ops, by_kind[KINDS];
};

/* The next times of all reports; seconds count from the start of the benchmark. */
struct monitor_times {
	uint64_t start; /* clock_raw_ns */
	double now, next_stats, next_report, next_sample, next_progress;
	double last_stats, last_report;
	struct monitor_counts counts, reported;
	double next_window;
};

/* The monitor of one benchmark's threads. */
struct monitor {
	const char *benchmark, *time; /* when it began */
	/*
	 * all threads; the first `foreground` of them; and the first
	 * `measured_threads`, which are the foreground and the workload's own
	 * background threads, and make the row's values
	 */
	unsigned iteration, all_threads, foreground, measured_threads;
	struct monitored_thread **threads;
	const struct clock *clock;
	const struct cgroup *cgroup;
	bool timed;       /* ends by the clock */
	uint64_t planned; /* operations; UINT64_MAX: until the clock ends */
	int wake_fd;      /* a pipe that signals and finishing threads write to */
	const volatile sig_atomic_t *interrupted;
	void (*begin_measuring)(void *owner);  /* called when the warm-up is over */
	double (*disk_bytes)(void *owner);     /* that the database takes */
	void (*print_statistics)(void *owner); /* the engine's own, on stderr */
	void *owner;
	struct steady_state steady_state;
	/* seconds that have ended, and operations until then */
	uint64_t windows_closed, window_ops;
	/* seconds, at least, for which nothing of the process ran */
	double stopped_s;
	struct monitor_times times;
	struct timeline_sampler *sampler; /* of --timeline, or NULL */
	/* An option whose file could not be written, or NULL, */
	const char *failed_option;
	char file_error[ROW_FILE_ERROR_SIZE]; /* and why */
	_Alignas(128) atomic_bool stop, warming;
	atomic_uint sample_request; /* samples requested so far */
};

/* Prepare a timeline; the threads exist and have not begun. */
void monitor_start_timeline(struct monitor *m,
			    struct thread_sample *(*sample_of)(void *owner,
							       unsigned thread));

/* Measuring begins: reset what was counted before. */
void monitor_begin(struct monitor *m, const struct resource_usage *before);

/*
 * Wait until --start_at, once, and at --barrier_file, each time; *doing says so. That
 * text changes each second, so that the run does not count as hung.
 */
void monitor_wait_for_start(struct monitor *m, const char *_Atomic *doing);

/* Wait for the threads; report, show progress, and stop them when their time is over. */
void monitor_run(struct monitor *m);

/*
 * The last interval of each report, which may be shorter than the others, ends with the
 * threads, `seconds` after measuring began; its resource usage ends at `after`. The
 * foreground threads end at foreground_s, and with them the windows of the rate.
 */
void monitor_end(struct monitor *m, double foreground_s, double seconds,
		 const struct resource_usage *after);

/* Free the timeline's samples, if it has any. The threads have ended, or do not run. */
void monitor_free_timeline(struct monitor *m);

/* Print db_bench's interval line of one thread: (in this interval, in total). */
void monitor_print_interval(unsigned thread, uint64_t ops, uint64_t all, double seconds,
			    double all_seconds);

/*
 * Can the files of --report_file and --timeline be appended to? Returns NULL, or the
 * option whose file cannot, with the reason in `error`.
 */
const char *monitor_check_files(char *error);

/* True once the first `count` threads have finished. */
bool monitor_is_finished(const struct monitor *m, unsigned count);

#endif
