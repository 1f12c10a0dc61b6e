/*
 * bench.c: a benchmark of embedded key-value stores.
 *
 * Compiled once and linked with one driver (engines/NAME.c) and the parts in util/, it becomes
 * bench_NAME. Read it downwards: the tables say what can be asked for, main() turns a command line
 * into a list of workloads and runs them one after another on one database, run() is one
 * measurement from open to close, and work() is what a thread does, the only loop that is timed.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "bench/ask.h"
#include "bench/config.h"
#include "bench/place.h"
#include "bench/plan.h"
#include "bench/txn.h"
#include "bench/watch.h"
#include "bench/workload.h"
#include "engines/drive.h"
#include "util/census.h"
#include "util/cgroup.h"
#include "util/clock.h"
#include "util/device.h"
#include "util/draw.h"
#include "util/guard.h"
#include "util/hist.h"
#include "util/histprint.h"
#include "util/host.h"
#include "util/library.h"
#include "util/list.h"
#include "util/option.h"
#include "util/output.h"
#include "util/pace.h"
#include "util/random.h"
#include "util/raw.h"
#include "util/record.h"
#include "util/result.h"
#include "util/say.h"
#include "util/stack.h"
#include "util/steady.h"
#include "util/store.h"
#include "util/timeline.h"
#include "util/usage.h"

/* Here only: Makefile reads it, and test.sh holds CHANGELOG and the Debian package to it. */
#define VERSION "0.1.0"
#define DATE "November 21, 2026"
#ifndef ASSAY_COMMIT
#define ASSAY_COMMIT "unknown"
#endif
#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif
#ifdef __OPTIMIZE__
#define BUILD COMPILER
#else
#define BUILD COMPILER " without optimization"
#endif

/* The null driver, linked into every program beside its own: what the harness itself costs. */
extern const struct engine floor_engine;

/* ---- what can be asked for ---------------------------------------------------------------- */

/* Whose latency a step counts for. */
static const enum result_kind kind_of[STEPS] = {
	[STEP_GET] = KIND_READ,      [STEP_FETCH] = KIND_READ,  [STEP_PUT] = KIND_WRITE,
	[STEP_APPEND] = KIND_WRITE,  [STEP_DELETE] = KIND_WRITE, [STEP_SEEK] = KIND_SCAN,
	[STEP_NEXT] = KIND_SCAN,     [STEP_MULTIGET] = KIND_READ,
};

/* ---- the program -------------------------------------------------------------------------- */

/* What stays from one benchmark to the next. */
struct bench {
	char *command;
	struct clock clock;
	struct host host;
	char build[1536];      /* which library, and whether it is fit for comparison */
	char allocator[64];    /* the file that malloc comes from */
	struct place place;
	struct cgroup cgroup;  /* of --memory */
	struct books *books;   /* of each thread, under a limit; otherwise they are allocated */
	struct growth *growth; /* of each thread */
	bool out_of_memory;    /* it killed the child */
	bool any_void;         /* exit 1 */
};

/* In memory shared with the parent, so that it outlives the process. */
static struct life {
	const struct workload *_Atomic load; /* being run, or NULL */
	const char *_Atomic doing;           /* the call that main() is in, or NULL: the threads are at work */
	_Atomic uint64_t began_ns;           /* clock_raw_ns */
	struct entry now;                    /* this benchmark, */
	struct record_sizes sizes;           /* those of its records, */
	char time[32];                       /* and when it began, for its row */
	_Atomic bool failed;                 /* the list must not go on */
	_Atomic bool hdr_written, noise_said; /* FILE is taken; it need not be said again */
	double rates[PLAN_MOST], megabytes[PLAN_MOST]; /* of all repetitions, 0 of void ones; see print_repeats */
	unsigned vitals;
	char options[PLACE_OPTIONS];
	struct vital vital[];
} *life;

/* Say so if the engine's library was not built to be fast. */
static void prepare_library(struct bench *b)
{
	struct library library = library_find(engine.symbol, engine.own);

	if (engine.symbol && library_describe(&library, engine.crc32c, b->build, sizeof b->build))
		say("%s", b->build);
	library_allocator(b->allocator, sizeof b->allocator);
}

static void prepare_bench(struct bench *b, const struct entry *list, char **argv);
static void print_header(const struct bench *b);
static enum guard_end supervise(struct bench *b, int *how);
static void run(struct bench *b, const struct entry *now, const struct entry *after);
static void finish_bench(struct bench *b);
static int report_death(struct bench *b, enum guard_end end, int how);

static volatile sig_atomic_t interrupted; /* the signal that asked us to end, or 0 */
static int wake[2];                       /* a pipe: signals and finishing threads wake the monitor */

/* What there is to say of a signal that asked us to end; answers the exit status. */
static int interruption(void)
{
	say("interrupted by %s; what it was at is void, and what follows was not run", strsignal(interrupted));
	return 128 + interrupted;
}

/* Run the next n benchmarks in a process of their own; answers its exit status. *here: this is that process. */
static int run_some(struct bench *b, const struct entry *list, unsigned n, bool *here)
{
	static const struct entry none;
	int how;
	enum guard_end end = supervise(b, &how);

	if (end == GUARD_CHILD)
		usage_watch(place_storage(&b->place));
	for (unsigned i = 0; end == GUARD_CHILD && i < n && list[i].load && !b->place.failure.failed && !interrupted; i++)
		run(b, &list[i], i + 1 < n ? &list[i + 1] : &none);
	*here = end == GUARD_CHILD;
	if (*here)
		return interrupted ? interruption() : b->place.failure.failed || b->any_void;
	if (end == GUARD_KILLED || end == GUARD_HUNG)
		return report_death(b, end, how);
	return how;
}

static int program(int argc, char **argv)
{
	static struct entry list[PLAN_MOST + 1];
	struct bench bench = {.place = {.store = {.marker = -1}, .raw = {.fd = -1}, .cold = {.by = ""}}};
	unsigned at_once;
	bool here = false;
	int status = 0;

	if (config_parse(argc, argv, &(struct program){VERSION, DATE, ASSAY_COMMIT, BUILD}))
		return 0;
	at_once = plan_make(list, PLAN_MOST);
	prepare_bench(&bench, list, argv);
	print_header(&bench);
	if (cfg->isolate)
		at_once = 1;
	for (struct entry *e = list; e->load && !interrupted && !life->failed; e += at_once) {
		int now = run_some(&bench, e, at_once, &here);

		status = here || !status || interrupted ? now : status;
		if (here || !e[at_once].load)
			break;
		for (unsigned i = 0; i < at_once; i++)
			place_learn(&bench.place, e[i].load);
	}
	if (!here && interrupted && status != 128 + interrupted)
		status = interruption();
	finish_bench(&bench);
	if (!status && (fflush(stdout) || ferror(stdout))) {
		say("standard output: what was printed is not all there: %s", strerror(errno));
		status = 1;
	}
	return status;
}

int main(int argc, char **argv)
{
	return stack_run(program, argc, argv);
}

/* ---- from the command line to a plan ------------------------------------------------------- */

static const struct {
	const char *name;
	size_t path; /* of "": none */
} outputs[] = {
	{"tsv", offsetof(struct config, tsv)}, {"json", offsetof(struct config, json)},
	{"timeline", offsetof(struct config, timeline)}, {"hdr", offsetof(struct config, hdr)},
	{"report_file", offsetof(struct config, report_file)},
};

enum { OUTPUTS = sizeof outputs / sizeof *outputs };

/* The file that it names; NULL: none. */
static const char *output_path(int i)
{
	const char *path = *(const char *const *)(const void *)((const char *)cfg + outputs[i].path);

	return !*path || (path == cfg->report_file && !(cfg->report_interval_seconds > 0)) ? NULL : path;
}

/* Each can be opened, and is another than those before it. */
static void check_names(void)
{
	char error[RESULT_ERROR];

	for (int i = 0; i < OUTPUTS; i++) {
		const char *path = output_path(i);

		if (path && !output_opens(path, error))
			die(2, "--%s: %s", outputs[i].name, error);
		for (int k = 0; k < i && path; k++)
			if (output_path(k) && output_same(output_path(k), path))
				die(2, "--%s and --%s are both %s, which can hold one of them only; name another file",
				    outputs[k].name, outputs[i].name, path);
	}
}

static void check_files(void)
{
	char error[RESULT_ERROR];
	const char *option;

	check_names();
	if (*cfg->tsv && !result_check_tsv(cfg->tsv, error))
		die(2, "--tsv: %s", error);
	if (*cfg->json && !result_check_json(cfg->json, error))
		die(2, "--json: %s", error);
	if ((option = watch_check_files(error)))
		die(2, "%s: %s", option, error);
	if (*cfg->hdr && !table_check(cfg->hdr, &(struct table_form){.header = ""}, error))
		die(2, "--hdr: %s", error);
}

/* The first Ctrl-C ends the run in order, a second one at once. */
static void on_signal(int number)
{
	const uint64_t SAME = 250000000; /* nanoseconds in which what timeout(1) or a parent sends again is no second one */
	static uint64_t first;
	uint64_t now = clock_raw_ns();
	int saved = errno;

	if (interrupted && now - first > SAME) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	first = interrupted ? first : now;
	interrupted = number;
	if (write(wake[1], "", 1) < 0) {
		/* The pipe is full, so the monitor is awake. */
	}
	errno = saved;
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	if (pipe(wake))
		die(1, "cannot make a pipe: %s", strerror(errno));
	for (int i = 0; i < 2; i++)
		fcntl(wake[i], F_SETFL, O_NONBLOCK);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	signal(SIGXFSZ, SIG_IGN); /* the call that was one too many answers EFBIG, and its caller has words for it */
}

static struct books *share_books(unsigned threads);

/* On the processors asked for, and with memory near them. */
static void place_process(struct bench *b)
{
	const char *cpus = cfg->cpus;

	if (*cfg->numa_node) {
		char *end;
		unsigned long node = strtoul(cfg->numa_node, &end, 10);
		const char *own = host_bind((unsigned)node, b->place.why);

		if (*end || !own)
			die(2, "--numa_node: %s", *end ? "give a number" : b->place.why);
		cpus = *cpus ? cpus : own;
	}
	if (*cpus && !host_pin(cpus, b->place.why))
		die(2, "--cpus: %s", b->place.why);
	host_limit_arenas((unsigned)cfg->malloc_arenas);
}

/* Whether there can be a limit is known before anything is touched. */
static void check_memory(char **argv)
{
	char error[CGROUP_ERROR];
	struct cgroup group = {.version = 0};

	if (!cgroup_make(&group, cfg->memory, error)) {
		cgroup_find_scope(argv);
		die(2, "--memory: %s", error);
	}
	cgroup_remove(&group);
}

static void prepare_bench(struct bench *b, const struct entry *list, char **argv)
{
	place_plan(&b->place, list);
	b->command = say_command(argv);
	if ((cfg->memory || cfg->isolate || cfg->repeat > 1) && !cfg->supervise)
		die(2, "--%s is done in child processes; leave out --supervise=0",
		    cfg->memory ? "memory" : cfg->isolate ? "isolate" : "repeat");
	place_process(b);
	if (cfg->timer == TIMER_COUNTER && !clock_counter_usable())
		die(2, "--timer: this processor has no invariant counter; give --timer=monotonic");
	if (cfg->memory)
		check_memory(argv);
	check_files();
	if (!engine.stores_nothing)
		place_prepare(&b->place, list);
	b->clock = clock_start(cfg->timer != TIMER_MONOTONIC && clock_counter_usable());
	b->host = host_describe();
	life = guard_memory(sizeof *life + b->place.settings.sessions * sizeof *life->vital);
	if (!life)
		die(1, "out of memory");
	life->vitals = b->place.settings.sessions;
	b->place.doing = &life->doing;
	b->growth = say_alloc_apart(b->place.settings.sessions * sizeof *b->growth);
	if (cfg->memory)
		b->books = share_books(b->place.settings.sessions);
	catch_signals();
	prepare_library(b);
#ifndef __OPTIMIZE__
	say("built without optimization: do not publish these figures");
#endif
}

/* For benchstat, which keeps rows of different configurations apart: so no versions, which are compared. */
static void print_configuration(const struct bench *b)
{
	struct utsname system;

	if (uname(&system))
		die(1, "uname: %s", strerror(errno));
	printf("goos: %s\ngoarch: %s\npkg: assay\ncpu: %s\nhost: %s\nnum: %llu\nkey-bytes: %zu\nvalue-bytes: %s\n"
	       "durability: %s\n",
	       !strcmp(system.sysname, "Linux") ? "linux" : system.sysname,
	       !strcmp(system.machine, "x86_64") ? "amd64" : !strcmp(system.machine, "aarch64") ? "arm64" : system.machine,
	       b->host.cpu, b->host.name, (unsigned long long)cfg->num, b->place.settings.key_size, cfg->value_size,
	       durabilities[cfg->durability]);
	if (cfg->memory)
		printf("memory-bytes: %llu\n", (unsigned long long)cfg->memory);
	putchar('\n');
	fflush(stdout);
}

static void print_header(const struct bench *b)
{
	double key = (double)b->place.settings.key_size, value = record_sizes_mean(&cfg->value_sizes);
	double raw = (key + value) * (double)cfg->num / 1048576;
	double packed = (key + value * cfg->compression_ratio) * (double)cfg->num / 1048576;

	if (cfg->format == FORMAT_GOBENCH) {
		print_configuration(b);
		return;
	}
	printf("assay:      %s (%s), %s %s\n", VERSION, ASSAY_COMMIT, engine.title, engine.version());
	printf("CPU:        %u * %s\n", b->host.cores, b->host.cpu);
	printf("Keys:       %zu bytes each\n", b->place.settings.key_size);
	printf("Values:     %s bytes each (%.0f bytes after compression)\n", cfg->value_size,
	       value * cfg->compression_ratio);
	printf("Entries:    %llu\n", (unsigned long long)cfg->num);
	printf("RawSize:    %.1f MB (estimated)\n", raw);
	printf("FileSize:   %.1f MB (estimated)\n", packed);
	printf("Database:   %s\n", engine.stores_nothing ? "none" : b->place.store.path);
	printf("Durability: %s\n", durabilities[cfg->durability]);
	if (!engine.cache)
		printf("Cache:      the operating system's\n");
	else if (*engine.cache)
		printf("Cache:      %llu bytes: %s\n", (unsigned long long)cfg->cache_size, engine.cache);
	else
		printf("Cache:      none\n");
	if (engine.write_buffer)
		printf("Buffer:     %llu bytes: %s\n", (unsigned long long)cfg->write_buffer_size, engine.write_buffer);
	printf("------------------------------------------------\n");
	fflush(stdout);
}

/* ---- one benchmark, from open to close ----------------------------------------------------- */

/* What the threads of one benchmark share. Only main() writes it; threads look at the watch's stop, warming and tick, and may set stop. */
struct phase {
	struct bench *bench;
	const struct workload *load;
	const struct entry *entry;
	const struct engine *engine;
	struct db *db;
	const struct settings *settings;
	char seed_name[64];
	uint64_t batch;       /* writes in a transaction, keys in a multi-get */
	bool bulk;            /* one load by the engine's loader */
	bool grouped;         /* turns are multi-gets */
	struct ask_shared ask;
	bool timed;           /* ends by the clock, not by count */
	uint64_t view;        /* reads in one view, or 0: each has its own */
	pthread_mutex_t starting; /* held until all threads are there, */
	bool called_off;          /* or will never be */
	pthread_barrier_t ready, go, leave; /* all are attached; the figures begin; they have ended */
	struct worker *workers;
	unsigned count, foreground; /* workers in all; the first ones are those asked for */
	struct clock_pair began, ended; /* of the figures */
	struct usage before, spent;
	struct footprint footprint; /* when the threads had ended and the database was still open */
	struct cgroup_usage group;  /* the same */
	double disk;                /* bytes; the same */
	struct host_state host_before, host_after;
	double main_cpu;
	const char *time;        /* when the benchmark began */
	struct watched **threads;
	struct watch watch;
};

/*
 * What a thread keeps its counts in. A megabyte for each of 64 would not be the engine's: under a limit it
 * stands in memory that the parent has touched, which is charged to the parent.
 */
struct books {
	struct hist hist[KINDS], responses[KINDS];
	struct txn_times open;
	struct sample sample;
	struct sampled last;
	uint64_t census[CENSUS_SLOTS];
};

/* What a thread has seen of the records: what a transaction that gives way takes back. */
struct seen {
	uint64_t bytes, missing, lost;
	record_lanes digest;
};

/*
 * A thread and all it touches between the barrier and the join. Main writes the first part before and reads the
 * others after; the thread alone writes the rest, but for `watched`, through which others see it meanwhile.
 */
struct worker {
	/* what it is given */
	_Alignas(128) struct phase *phase;
	const struct engine *engine;
	const struct clock *clock;
	struct books *books;
	bool latency, verify;
	bool grouped;          /* the slots of one turn are one multi-get */
	bool paced;            /* in an open loop */
	enum touch touch;
	uint64_t view;         /* reads in one view of the database, or 0 */
	uint64_t planned;      /* operations after the warm-up */
	uint64_t report_every; /* operations; 0: it does not */
	enum status (*append)(struct session *, struct slice, struct slice);
	enum status (*onward)(struct session *, struct slice *, struct slice *); /* next or prev */

	/* what it asks, and when: turn by turn */
	struct ask ask;
	struct txn txn;
	struct pace pace;
	struct {
		struct ask_place place;
		struct pace pace;
		struct seen seen;
	} mark;                  /* where the open transaction began */
	unsigned limit;          /* slots used at a time */
	unsigned prepared, from; /* slots of this turn; those before are done */
	uint64_t *due, *response; /* of each slot: when it was, and ticks from then to its end */
	struct slice *group, *answers; /* of a multi-get: all slots' keys, and what came */
	char *scratch;           /* room to check a value in */

	/* where it is */
	struct session *session;
	uint64_t todo, done;   /* operations */
	bool warming;
	bool scanning;         /* an iteration has begun */
	bool ended;            /* the data, or the engine's patience */
	uint64_t viewed;       /* reads that this snapshot has served, */
	bool held;             /* if there is one now */
	uint64_t last_id;      /* of an iteration */
	uint64_t aside;        /* ticks that checking took within a call */
	uint64_t retried_at;   /* ticks when what gave way was begun again */
	bool undone_now;       /* in this stretch */
	uint64_t next_report;  /* operation to report after */
	double reported_seconds; /* when it last did */
	unsigned sampled;      /* the last request that it has answered */

	/* what happened */
	struct hist *hist;      /* one for each kind, of clock ticks */
	struct hist *responses; /* the same */
	struct seen seen;
	uint64_t kind[KINDS], wrong, disordered, entries, deletes;
	uint64_t conflicts, retries; /* times it gave way; operations that were undone then, */
	uint64_t undone;             /* and ticks in them */
	uint64_t began, first_end, ended_at, gap; /* ticks */
	double cpu_before, cpu;
	enum status status;
	char why[WHY_SIZE];

	struct watched watched;
};

static void (*const specials[SPECIALS])(struct phase *);
static void make_phase(struct phase *p, struct bench *b, const struct entry *e);
static void run_threads(struct phase *p);
static void free_workers(struct phase *p);
static double calibrate(const struct phase *p);
static void report(struct phase *p, struct result *r);
static void report_void(struct bench *b, const struct entry *e, uint64_t ops, const char *why);

/* After this benchmark, must the database be closed: nothing follows, or a different opening does? */
static bool closes(const struct bench *b, const struct workload *after)
{
	return cfg->reopen || cfg->cold || b->place.failure.failed || b->place.suffering || interrupted || !after || after->fresh ||
	       place_durability(after) != b->place.opened_as;
}

/* What the row of a benchmark needs, whoever will write it. */
static void note_beginning(const struct bench *b, const struct entry *now)
{
	time_t t = time(NULL);

	life->now = *now;
	life->sizes = now->load->fresh ? place_sizes(now->load) : b->place.sizes;
	strftime(life->time, sizeof life->time, "%Y-%m-%dT%H:%M:%SZ", gmtime(&t));
	life->began_ns = clock_raw_ns();
	life->load = now->load;
}

/* The records that every thread has inserted are there for what follows, unless one may have lost some of its own. */
static void note_growth(struct phase *p)
{
	struct bench *b = p->bench;
	uint64_t least = UINT64_MAX;

	if (!workload_grows(p->load) || p->load->weight[OP_EXPIRE])
		return;
	for (unsigned i = 0; i < p->foreground; i++) {
		if (p->workers[i].status != DONE)
			return;
		least = b->growth[i].born < least ? b->growth[i].born : least;
	}
	b->place.next_new += least * p->foreground;
	place_note(&b->place, p->load, b->place.complete);
}

static void run(struct bench *b, const struct entry *now, const struct entry *after)
{
	const struct workload *load = now->load;
	struct phase p;
	struct result r = result_unknown();

	note_beginning(b, now);
	place_open(&b->place, load);
	memcpy(life->options, b->place.options, sizeof b->place.options);
	if (b->place.failure.failed) {
		report_void(b, now, 0, b->place.failure.text);
		life->failed = true;
		return;
	}
	make_phase(&p, b, now);
	if (load->deletes)
		place_note(&b->place, load, false);
	r.time = p.time = life->time;
	r.engine_options = b->place.options;
	r.open_seconds = b->place.open_seconds;
	b->place.open_seconds = NAN;
	if (load->special) {
		specials[load->special](&p);
	} else {
		r.harness_ns_per_op = calibrate(&p);
		run_threads(&p);
		note_growth(&p);
	}
	for (unsigned i = 0; i < p.count && p.workers; i++)
		b->place.suffering |= p.workers[i].status != DONE;
	if (cfg->settle && drive_settles(&engine) && !b->place.failure.failed && !b->place.suffering)
		place_settle(&b->place, &r.settle);
	if (closes(b, after->load))
		place_close(&b->place, &r.close);
	if (p.workers)
		report(&p, &r);
	if (load->fresh && r.valid == 1) {
		b->place.store.facts.unfinished = 0;
		place_note(&b->place, load, load->completes);
	}
	free_workers(&p);
	life->failed = b->place.failure.failed;
	life->load = NULL;
}

static void finish_bench(struct bench *b)
{
	place_end(&b->place);
	free(b->growth);
	free(b->command);
}

/* Operations that all threads asked for do together, by plan; UINT64_MAX: until the clock ends. */
static uint64_t planned(const struct phase *p)
{
	if (p->load->whole)
		return cfg->num * p->foreground;
	return p->ask.todo == UINT64_MAX ? p->ask.todo : p->ask.todo * (p->load->shared ? 1 : p->foreground);
}

static void make_phase(struct phase *p, struct bench *b, const struct entry *e)
{
	const struct workload *load = e->load;

	memset(p, 0, sizeof *p);
	p->bench = b;
	p->load = load;
	p->entry = e;
	p->engine = &engine;
	p->db = b->place.db;
	p->settings = &b->place.settings;
	/* A repetition asks for other records, and for the same ones of every engine. */
	snprintf(p->seed_name, sizeof p->seed_name, e->warm ? "%s warm %u" : e->repeat > 1 ? "%s %u" : "%s", load->name,
		 e->repeat);
	p->foreground = e->threads;
	p->count = p->foreground + (load->beside != BESIDE_NONE);
	p->bulk = load->bulk && engine.bulk_begin;
	p->grouped = load->weight[OP_MULTIGET] > 0;
	p->batch = load->batched && !p->bulk && (p->grouped || engine.begin) ? plan_batch(load) : 1;
	p->timed = cfg->duration > 0 && !load->shared && !load->whole;
	p->view = cfg->txn_reads > 1 && engine.snapshot && workload_reads(load) ? cfg->txn_reads : 0;
	p->ask.scan_lengths = cfg->scan_lengths;
	if (!*cfg->scan_length && load->scan_length)
		record_sizes_parse(&p->ask.scan_lengths, load->scan_length, b->place.why);
	else if (!*cfg->scan_length)
		p->ask.scan_lengths = (struct record_sizes){.least = cfg->seek_nexts + 1, .most = cfg->seek_nexts + 1};
	p->ask.load = load;
	p->ask.num = cfg->num;
	p->ask.first_new = b->place.next_new;
	p->ask.todo = p->timed ? UINT64_MAX : plan_operations(load);
	p->ask.timed = p->timed;
	p->ask.threads = e->threads;
	p->ask.count = p->count;
	p->ask.transacts = cfg->txn && engine.transactions && load->weight[OP_MODIFY];
	p->ask.form = place_key_form(&b->place.settings);
	p->ask.key_size = b->place.settings.key_size;
	p->ask.sizes = b->place.sizes;
	p->ask.permutation = permutation_make(cfg->num, cfg->seed);
	p->ask.growth = b->growth;
	p->ask.complete = b->place.complete;
	/* Deleting at random with replacement meets what it has deleted itself. */
	p->ask.must_find = b->place.complete && !load->fresh && load->keys != ABSENT && !(load->deletes && load->keys == RANDOM);
	b->place.oracle.records = workload_grows(load) ? UINT64_MAX / 2 : cfg->num;
	p->disk = NAN;
	atomic_init(&p->watch.warming, cfg->warmup > 0 && !load->shared && !load->whole);
}

/* ---- threads -------------------------------------------------------------------------------- */

static void make_worker(struct worker *w, struct phase *p, unsigned number, const struct random *stream);
static void free_worker(struct worker *w);
static void *thread_main(void *argument);
static void begin_work(struct worker *w);
static void work(struct worker *w);
static void give_sample(struct worker *w, unsigned tick);

/* What is spent from here on is what the row says was spent. */
static void begin_figures(void *owner)
{
	struct phase *p = owner;

	usage_reset_peak();
	if (cfg->memory)
		cgroup_reset_peak(&p->bench->cgroup);
	p->host_before = host_state();
	p->main_cpu = usage_thread_cpu();
	p->before = usage_read();
	p->began = clock_pair_now(&p->bench->clock);
	watch_begin(&p->watch, &p->before);
}

static struct sample *sample_of(void *owner, unsigned thread)
{
	return &((struct phase *)owner)->workers[thread].books->sample;
}

/* How this benchmark is watched while it runs. */
static void start_watch(struct phase *p)
{
	struct watch *w = &p->watch;

	p->threads = say_alloc(p->count, sizeof *p->threads);
	for (unsigned i = 0; i < p->count; i++)
		p->threads[i] = &p->workers[i].watched;
	w->benchmark = p->load->name;
	w->time = p->time;
	w->repeat = p->entry->repeat;
	w->count = p->count;
	w->foreground = p->foreground;
	w->threads = p->threads;
	w->clock = &p->bench->clock;
	w->group = &p->bench->cgroup;
	w->timed = p->timed;
	w->planned = planned(p);
	w->wake = wake[0];
	w->interrupted = &interrupted;
	w->begin = begin_figures;
	w->owner = p;
	if (*cfg->timeline && !p->entry->warm)
		watch_start_timeline(w, sample_of);
}

/* When the last thread ended, in seconds from the beginning of the figures. */
static double last_end(const struct phase *p)
{
	uint64_t end = p->began.ticks;

	for (unsigned i = 0; i < p->count; i++)
		end = p->workers[i].ended_at > end ? p->workers[i].ended_at : end;
	return (double)clock_ns(&p->bench->clock, end - p->began.ticks) / 1e9;
}

/* And up to here. */
static void end_figures(struct phase *p)
{
	double apparent;
	struct usage after;

	p->ended = clock_pair_now(&p->bench->clock);
	after = usage_read();
	p->spent = usage_since(&p->before, &after);
	p->footprint = footprint_read();
	p->group = cgroup_usage(&p->bench->cgroup);
	p->main_cpu = usage_thread_cpu() - p->main_cpu;
	p->host_after = host_state();
	if (!engine.stores_nothing)
		store_size(&p->bench->place.store, &apparent, &p->disk);
}

/* Not all threads could be had: those that began have done nothing, and the row says so. */
static void call_off(struct phase *p, unsigned started, int rc)
{
	struct worker *w = &p->workers[started];

	for (unsigned i = 0; i < started; i++)
		pthread_join(p->workers[i].watched.thread, NULL);
	w->status = FAILED;
	snprintf(w->why, sizeof w->why, "cannot start thread %u of %u: %s; give fewer --threads, or raise the limit "
		 "(ulimit -u, ulimit -v)", started + 1, p->count, strerror(rc));
	begin_figures(p);
	end_figures(p);
	watch_end(&p->watch, 0);
}

static void make_barriers(struct phase *p)
{
	pthread_mutex_init(&p->starting, NULL);
	pthread_barrier_init(&p->ready, NULL, p->count + 1);
	pthread_barrier_init(&p->go, NULL, p->count + 1);
	pthread_barrier_init(&p->leave, NULL, p->count + 1);
}

static void end_barriers(struct phase *p)
{
	pthread_barrier_destroy(&p->ready);
	pthread_barrier_destroy(&p->go);
	pthread_barrier_destroy(&p->leave);
	pthread_mutex_destroy(&p->starting);
}

static void run_threads(struct phase *p)
{
	struct random stream = random_seed(cfg->seed, p->seed_name);
	unsigned started = 0;
	int rc = 0;

	p->workers = say_alloc_apart(p->count * sizeof *p->workers);
	for (unsigned i = 0; i < p->count; i++, random_jump(&stream))
		make_worker(&p->workers[i], p, i, &stream);
	start_watch(p);
	make_barriers(p);
	pthread_mutex_lock(&p->starting);
	while (started < p->count && !rc) {
		rc = pthread_create(&p->workers[started].watched.thread, NULL, thread_main, &p->workers[started]);
		started += !rc;
	}
	p->called_off = rc;
	pthread_mutex_unlock(&p->starting);
	if (rc) {
		call_off(p, started, rc);
		end_barriers(p);
		return;
	}
	pthread_barrier_wait(&p->ready);
	begin_figures(p);
	pthread_barrier_wait(&p->go);
	watch_run(&p->watch);
	/* Sessions are attached until memory and processor time are read. */
	end_figures(p);
	watch_end(&p->watch, last_end(p));
	if (p->watch.trouble_with)
		failure_note(&p->bench->place.failure, p->watch.trouble_with, p->watch.trouble);
	pthread_barrier_wait(&p->leave);
	for (unsigned i = 0; i < p->count; i++)
		pthread_join(p->workers[i].watched.thread, NULL);
	end_barriers(p);
}

static void *thread_main(void *argument)
{
	struct worker *w = argument;

	pthread_mutex_lock(&w->phase->starting); /* until all are here */
	pthread_mutex_unlock(&w->phase->starting);
	if (w->phase->called_off)
		return NULL;
	w->session = drive_attach(w->engine, w->phase->settings, w->phase->db, w->why);
	if (!w->session) {
		w->status = FAILED;
		w->began = w->ended_at = clock_ticks(w->clock);
	} else {
		begin_work(w);
	}
	pthread_barrier_wait(&w->phase->ready);
	pthread_barrier_wait(&w->phase->go); /* the counters are read */
	if (w->session) {
		w->cpu_before = usage_thread_cpu();
		work(w);
		w->cpu = usage_thread_cpu() - w->cpu_before;
		w->watched.cpu_s = w->cpu_before + w->cpu;
		give_sample(w, w->sampled + 1);
	}
	if (w->status != DONE)
		atomic_store(&w->phase->watch.stop, true);
	atomic_store(&w->watched.finished, true);
	if (write(wake[1], "", 1) < 0) {
		/* The pipe is full, so the monitor is awake. */
	}
	pthread_barrier_wait(&w->phase->leave);
	if (w->session)
		drive_detach(w->engine, w->session);
	return NULL;
}

/* Keys in one multi-get. */
static unsigned group_size(const struct phase *p)
{
	return p->settings->multiget < p->batch ? p->settings->multiget : (unsigned)p->batch;
}

/* Is the thread's work due at certain times, and how many a second? */
static void make_pace(struct worker *w, bool extra)
{
	const struct phase *p = w->phase;
	uint64_t own = workload_reads(w->ask.role) ? cfg->read_rate : cfg->write_rate;
	/* --rate is the total of the threads asked for; one beside them is held back by its own only. */
	uint64_t rate = own ? own : extra ? 0 : cfg->rate;
	double per_thread = (double)rate / (extra ? 1 : p->foreground);

	w->paced = rate > 0 && p->engine == &engine && !w->ask.role->special;
	if (w->paced)
		w->pace = pace_start(w->clock, 0, per_thread, cfg->arrivals == ARRIVALS_POISSON,
				     (double)w->ask.number / p->foreground, ask_stream(&w->ask, "arrivals"));
}

static struct books *share_books(unsigned threads)
{
	struct books *books = guard_memory(threads * sizeof *books);

	if (!books)
		die(1, "out of memory");
	memset(books, 0, threads * sizeof *books);
	return books;
}

/* All zero. */
static struct books *begin_books(const struct bench *b, unsigned number)
{
	if (!b->books)
		return say_alloc(1, sizeof *b->books);
	memset(&b->books[number], 0, sizeof b->books[number]);
	return &b->books[number];
}

static void end_books(struct books *books)
{
	if (!cfg->memory)
		free(books);
}

/* Buffers for what is done with the slots. */
static void make_buffers(struct worker *w)
{
	unsigned slots = w->ask.slots;

	w->limit = w->grouped ? slots : 1; /* until it is known how long a call takes */
	if (w->grouped) {
		w->group = say_alloc(slots, sizeof *w->group);
		w->answers = say_alloc(slots, sizeof *w->answers);
		for (unsigned i = 0; i < slots; i++)
			w->group[i] = w->ask.slot[i].key;
	}
	if (w->paced) {
		w->due = say_alloc_apart(slots * sizeof *w->due);
		w->response = say_alloc_apart(slots * sizeof *w->response);
	}
	w->scratch = w->verify ? say_alloc_apart(w->phase->settings->value_size) : NULL;
}

/* Several threads do not append in order, nor does one whose keys are hashed. */
static enum status (*append_of(const struct worker *w))(struct session *, struct slice, struct slice)
{
	const struct engine *e = w->engine;

	if (w->txn.bulk && e->bulk_put)
		return e->bulk_put;
	return w->phase->foreground == 1 && e->append && cfg->key_format != KEYS_USER ? e->append : e->put;
}

static void make_counts(struct worker *w)
{
	w->hist = w->books->hist;
	w->responses = w->books->responses;
	for (int k = 0; k < KINDS; k++)
		w->hist[k].unit = w->responses[k].unit = clock_unit_ns(w->clock);
	w->last_id = UINT64_MAX;
	w->report_every = cfg->stats_interval;
	w->next_report = w->report_every ? w->report_every : UINT64_MAX;
}

static void make_worker(struct worker *w, struct phase *p, unsigned number, const struct random *stream)
{
	bool extra = number >= p->foreground;
	const struct workload *role = extra ? workload_beside(p->load) : p->load;

	memset(w, 0, sizeof *w);
	w->phase = p;
	w->engine = p->engine;
	w->clock = &p->bench->clock;
	w->books = begin_books(p->bench, number);
	w->watched.vital = &life->vital[number];
	w->watched.last = &w->books->last;
	w->watched.role = extra ? role->name : NULL;
	memset(w->watched.vital, 0, sizeof *w->watched.vital);
	w->warming = atomic_load(&p->watch.warming);
	w->watched.vital->counts = !w->warming;
	w->latency = cfg->latency;
	w->verify = p->settings->verify;
	w->touch = (enum touch)cfg->touch;
	w->grouped = p->grouped && !extra;
	w->txn.bulk = p->bulk && !extra;
	w->txn.size = extra || w->grouped ? 1 : p->batch;
	w->txn.alone = w->txn.size == 1 && !w->txn.bulk;
	w->txn.times = &w->books->open;
	/* A group and an iteration are each in one view anyway. */
	w->view = workload_reads(role) && !w->grouped && !role->weight[OP_NEXT] ? p->view : 0;
	ask_start(&w->ask, &p->ask, role, number, stream, w->books->census, w->grouped ? group_size(p) : 0);
	w->append = append_of(w);
	w->onward = role->reverse ? w->engine->prev : w->engine->next;
	make_pace(w, extra);
	make_buffers(w);
	make_counts(w);
	w->planned = w->todo = w->ask.todo;
	if (w->warming)
		w->todo = UINT64_MAX;
}

static void free_worker(struct worker *w)
{
	ask_end(&w->ask);
	end_books(w->books);
	free(w->due);
	free(w->response);
	free(w->group);
	free(w->answers);
	free(w->scratch);
}

static void free_workers(struct phase *p)
{
	for (unsigned i = 0; p->workers && i < p->count; i++)
		free_worker(&p->workers[i]);
	free(p->workers);
	free(p->threads);
}

/* ---- the work: prepare, measure, account ---------------------------------------------------- */

static unsigned prepare(struct worker *w);
static unsigned measure_any(struct worker *w, unsigned n);
static unsigned measure_paced(struct worker *w, unsigned n);
static unsigned measure_group(struct worker *w, unsigned n);
static unsigned (*const measures[STEPS])(struct worker *, unsigned);
static void account(struct worker *w, unsigned n, uint64_t start);
static void report_thread(struct worker *w);
static void start_over(struct worker *w);
static void rewind_batch(struct worker *w);
static void finish_batch(struct worker *w);
static void end_view(struct worker *w);

static unsigned (*loop_of(const struct worker *w))(struct worker *, unsigned)
{
	unsigned (*measure)(struct worker *, unsigned) = w->ask.uniform ? measures[step_of[w->ask.only]] : NULL;

	if (w->grouped)
		return measure_group;
	if (w->paced)
		return measure_paced;
	return measure ? measure : measure_any;
}

static bool is_beside(const struct worker *w)
{
	return w->ask.number >= w->phase->foreground;
}

/* A turn, or what was left of one that the monitor ended early. */
static void do_turn(struct worker *w, unsigned (*measure)(struct worker *, unsigned))
{
	uint64_t start = w->ended_at;
	unsigned done;

	if (w->from == w->prepared) {
		w->prepared = prepare(w);
		w->from = 0;
	}
	done = measure(w, w->prepared - w->from);
	account(w, done, start);
	w->from += done;
	if (w->txn.again)
		rewind_batch(w);
	if (w->view && w->viewed >= w->view)
		end_view(w);
}

/*
 * Who works beside others does the first operation before the figures begin, so that they do not depend on who is
 * given a processor first. It is counted.
 */
static void begin_work(struct worker *w)
{
	if (!is_beside(w))
		return;
	w->pace.whole += w->ended_at = clock_ticks(w->clock);
	do_turn(w, loop_of(w));
	w->gap = 0;
}

/* An open loop lasts as long as its schedule, whenever its last call ended. */
static void finish_schedule(struct worker *w)
{
	double ticks = w->phase->timed ? cfg->duration * 1e9 / clock_unit_ns(w->clock)
				       : (double)w->planned * w->pace.gap;
	uint64_t end = w->began + (uint64_t)ticks, now;

	if (!w->phase->timed && !w->todo)
		pace_wait_until(&w->pace, end, &w->phase->watch.stop);
	now = clock_ticks(w->clock);
	end = end < now ? end : now;
	if (w->ended_at < end)
		w->ended_at = end;
}

static void work(struct worker *w)
{
	unsigned (*measure)(struct worker *, unsigned) = loop_of(w);

	w->began = w->ended_at = clock_ticks(w->clock);
	if (!is_beside(w))
		w->pace.whole += w->began;
	if (w->txn.bulk && w->engine->bulk_begin && (w->status = w->engine->bulk_begin(w->session)) != DONE)
		w->ended = true;
	while (w->todo && !w->ended && !atomic_load_explicit(&w->phase->watch.stop, memory_order_relaxed)) {
		do_turn(w, measure);
		if (w->warming && w->from == w->prepared &&
		    !atomic_load_explicit(&w->phase->watch.warming, memory_order_relaxed))
			start_over(w);
		give_sample(w, atomic_load_explicit(&w->phase->watch.tick, memory_order_relaxed));
	}
	/* Who was in one call from the warm-up to the end has done nothing in between. */
	if (w->warming && !atomic_load(&w->phase->watch.warming))
		start_over(w);
	finish_batch(w);
	end_view(w);
	if (w->paced && !is_beside(w) && w->status == DONE)
		finish_schedule(w);
}

static void end_view(struct worker *w)
{
	w->viewed = 0;
	w->held = false;
	if (w->engine->release)
		w->engine->release(w->session);
}

/* What was recorded so far, for the sampler, if it has asked again. */
static void give_sample(struct worker *w, unsigned tick)
{
	if (tick == w->sampled || !w->watched.sample || w->warming || pthread_mutex_trylock(&w->watched.sample->lock))
		return;
	for (int k = 0; k < KINDS; k++)
		if (w->kind[k])
			w->watched.sample->hist[k] = w->paced ? w->responses[k] : w->hist[k];
	memcpy(w->watched.sample->kind, w->kind, sizeof w->kind);
	w->watched.sample->ops = w->done;
	w->sampled = w->watched.sample->tick = tick;
	pthread_mutex_unlock(&w->watched.sample->lock);
}

/* The warm-up is over: forget what was counted, and begin what was planned. */
static void start_over(struct worker *w)
{
	w->warming = false;
	for (int k = 0; k < KINDS; k++) {
		double unit = w->hist[k].unit;

		w->watched.vital->shown[k] = 0;
		memset(&w->hist[k], 0, sizeof w->hist[k]);
		w->hist[k].unit = unit;
		if (w->paced) {
			memset(&w->responses[k], 0, sizeof w->responses[k]);
			w->responses[k].unit = unit;
		}
		w->kind[k] = 0;
	}
	ask_forget_counts(&w->ask);
	w->seen = (struct seen){0};
	w->done = w->wrong = w->disordered = w->entries = w->deletes = 0;
	w->conflicts = w->retries = w->undone = 0;
	w->gap = 0;
	w->cpu_before = usage_thread_cpu();
	w->reported_seconds = 0;
	w->next_report = w->report_every ? w->report_every : UINT64_MAX;
	w->todo = w->planned;
	w->scanning = false;
	w->began = w->phase->began.ticks;
	if (w->ended_at < w->began)
		w->ended_at = w->began;
	w->watched.vital->shown_ops = 0;
	atomic_store_explicit(&w->watched.vital->counts, true, memory_order_release);
	/* A batch begun in the warm-up ends in the figures; its first part is not among them. */
	txn_drop(&w->txn);
	w->txn.pending = w->txn.commits = 0;
	w->mark.seen = w->seen;
}

/* Go back to where the transaction began, as if its calls had not been: what they took is kept apart. */
static void rewind_batch(struct worker *w)
{
	w->todo += w->txn.pending;
	w->retries += w->txn.pending;
	w->undone += txn_drop(&w->txn);
	w->txn.again = false;
	w->txn.pending = w->txn.placed = 0;
	w->seen = w->mark.seen;
	w->pace = w->mark.pace;
	ask_return(&w->ask, &w->mark.place);
	w->from = w->prepared = 0;
}

/* The transaction has committed, and what it did counts. */
static void settle_times(struct worker *w)
{
	uint64_t writes = txn_settle(&w->txn, w->latency ? &w->hist[KIND_WRITE] : NULL,
				     w->paced ? &w->responses[KIND_WRITE] : NULL);

	w->kind[KIND_WRITE] += writes;
	w->done += writes;
}

/* End the load, or commit what a stopped run left open; what a failed one left open was not done. */
static void finish_batch(struct worker *w)
{
	enum status (*finish)(struct session *) = w->txn.bulk ? w->engine->bulk_end : w->engine->commit;

	if (!w->txn.pending)
		return;
	if (w->status == DONE && !w->txn.rolled_back && (!finish || (w->status = finish(w->session)) == DONE)) {
		w->txn.commits++;
		settle_times(w);
		w->ended_at = clock_ticks(w->clock);
		return;
	}
	if (w->engine->rollback)
		w->engine->rollback(w->session);
	txn_drop(&w->txn);
	w->seen.bytes = w->mark.seen.bytes;
	w->seen.digest = w->mark.seen.digest;
}

/* Fill the slots; nothing here is inside a timed call. Answers how many calls they hold. */
static unsigned prepare(struct worker *w)
{
	uint64_t counted = w->done + txn_unsettled(&w->txn);
	bool batched = w->txn.size > 1;
	unsigned n = w->limit;

	if (n > w->todo)
		n = (unsigned)w->todo;
	if (n > w->next_report - counted)
		n = (unsigned)(w->next_report - counted);
	if (w->view && n > w->view - w->viewed)
		n = (unsigned)(w->view - w->viewed);
	if (batched && !w->txn.placed) {
		w->mark.place = ask_place(&w->ask);
		if (w->paced)
			w->mark.pace = w->pace;
	}
	if (batched)
		n = txn_fit(&w->txn, n);
	n = ask_next(&w->ask, n);
	if (batched)
		txn_mark(&w->txn, w->ask.slot, n, n == w->todo);
	return n;
}

/* Look at the bytes a read returned, as much as --touch asks; a constant where the loop knows it. */
static inline __attribute__((always_inline)) void see_as(struct worker *w, struct slice bytes, enum touch touch)
{
	w->seen.bytes += bytes.size;
	if (touch == TOUCHES)
		touch = w->touch;
	if (touch == TOUCH_ALL)
		w->seen.digest += record_fold(bytes.data, bytes.size);
	else if (touch == TOUCH_FIRST && bytes.size)
		w->seen.digest[0] += *(const unsigned char *)bytes.data;
}

static inline void see(struct worker *w, struct slice bytes)
{
	see_as(w, bytes, TOUCHES);
}

/* Inside the time of the read that needs it. */
static enum status begin_view(struct worker *w)
{
	enum status status = w->engine->snapshot(w->session);

	w->held = status == DONE;
	return status;
}

/* Open a transaction, and remember what to go back to. */
static enum status begin(struct worker *w)
{
	w->mark.seen = w->seen;
	return w->engine->begin(w->session);
}

static inline __attribute__((always_inline)) enum status
write_step(struct worker *w, const struct slot *slot,
	   enum status (*put)(struct session *, struct slice, struct slice))
{
	enum status status = DONE;

	if (slot->step & BEGIN)
		status = begin(w);
	if (status == DONE)
		status = put(w->session, slot->key, slot->value);
	if (status == DONE && slot->step & COMMIT)
		status = w->engine->commit(w->session);
	if (status != DONE)
		return status;
	w->seen.bytes += slot->value.size;
	txn_wrote(&w->txn, slot->step);
	return DONE;
}

/* What records are sorted by, as a number: their keys, or their place where the engine has one for each. */
static uint64_t place(const struct worker *w, uint64_t id)
{
	return w->ask.shape.form == KEYS_USER && !engine.fixed_size && !engine.stores_nothing ? random_mix(id) : id;
}

/* Does the record that an iteration came to follow the one before, with none left out between them? */
static void verify_order(struct worker *w, uint64_t id)
{
	uint64_t last = w->last_id, from = w->ask.role->reverse ? id : last, to = w->ask.role->reverse ? last : id;

	w->last_id = id;
	/* What is not ours has no place. */
	if (last == UINT64_MAX || id == UINT64_MAX)
		return;
	if (place(w, from) >= place(w, to))
		w->disordered++;
	else if (w->ask.contiguous && to < cfg->num)
		w->seen.lost += to - from - 1;
}

/* The record that an iteration came to, or UINT64_MAX: a key of another size may spell a number, and is not ours. */
static uint64_t listed_id(const struct worker *w, struct slice key)
{
	return key.size == w->ask.shape.size ? record_id(key.data, key.size, w->ask.shape.form) : UINT64_MAX;
}

/*
 * Check a record: its bytes and, where one follows another, its place. `id` is the record asked
 * for, or UINT64_MAX where the key must tell. The time this takes is kept aside of the call's.
 */
static void verify(struct worker *w, uint64_t id, struct slice key, struct slice value)
{
	uint64_t start = clock_ticks(w->clock);

	if (id == UINT64_MAX) {
		id = listed_id(w, key);
		verify_order(w, id);
	}
	if (w->ask.keys == ABSENT || id == UINT64_MAX ||
	    !record_check(&w->ask.shared->sizes, value.data, value.size, w->ask.ratio, id, w->scratch))
		w->wrong++;
	w->aside += clock_ticks(w->clock) - start;
}

static enum status seek_step(struct worker *w, const struct slot *slot)
{
	struct slice key, value;
	enum status status = w->engine->seek(w->session, slot->key, &key, &value), next = status;
	/* The record there may be another than the one asked for. */
	bool met = status == DONE && key.size == slot->key.size && !memcmp(key.data, slot->key.data, key.size);
	uint64_t bytes = w->seen.bytes, entries = w->entries;
	record_lanes digest = w->seen.digest;

	w->last_id = UINT64_MAX;
	for (uint64_t left = slot->value.size; next == DONE;) {
		see(w, key);
		see(w, value);
		w->entries++;
		if (w->verify)
			verify(w, UINT64_MAX, key, value);
		if (!--left)
			break;
		next = w->engine->next(w->session, &key, &value);
	}
	if (next == CONFLICT) {
		w->seen.bytes = bytes;
		w->seen.digest = digest;
		w->entries = entries;
	}
	if (next != DONE && next != NOT_FOUND)
		return next;
	return met ? DONE : NOT_FOUND;
}

static enum status next_step(struct worker *w)
{
	struct slice key, value;
	enum status status;

	if (w->scanning) {
		status = w->onward(w->session, &key, &value);
	} else {
		w->last_id = UINT64_MAX;
		status = w->ask.role->reverse ? w->engine->last(w->session, &key, &value)
					  : w->engine->seek(w->session, (struct slice){NULL, 0}, &key, &value);
		w->scanning = status == DONE;
	}
	if (status == DONE) {
		see(w, key);
		see(w, value);
		if (w->verify)
			verify(w, UINT64_MAX, key, value);
	}
	return status;
}

/* The read of a read-modify-write, which may open its transaction. */
static enum status fetch_step(struct worker *w, const struct slot *slot, struct slice *value)
{
	enum status status = slot->step & BEGIN ? begin(w) : DONE;

	return status == DONE ? w->engine->get(w->session, slot->key, value) : status;
}

/*
 * The engine gave way to another thread: answer the slot to go on from, or NULL if its transaction began in an
 * earlier turn. `then` is when the call began.
 */
static struct slot *retry(struct worker *w, struct slot *slot, uint64_t then)
{
	bool single = w->txn.alone && (slot->step & (BEGIN | COMMIT)) != COMMIT;
	struct slot *from = txn_back(&w->txn, w->ask.slot, slot);

	w->conflicts++;
	w->retries++;
	if (w->held && (w->status = begin_view(w)) != DONE) {
		w->ended = true;
		return NULL;
	}
	sched_yield(); /* let the other one finish */
	w->undone += clock_ticks(w->clock) - then;
	if (single || !from)
		return from;
	w->retried_at = clock_ticks(w->clock);
	w->undone_now = true;
	for (struct slot *undone = from; undone < slot; undone++) {
		w->undone += undone->took;
		w->retries += !(undone->step & HALF);
	}
	w->seen = w->mark.seen;
	return from;
}

/* An iteration that begins again at the end of the data, if there was any: as asked for, or in a warm-up. */
static bool wraps(struct worker *w)
{
	bool again = (w->ask.role->endless || w->warming) && w->scanning;

	w->scanning = false;
	end_view(w);
	return again;
}

/* A call that was not DONE: the slot to go on from, with its time from retried_at; or NULL to end the turn. */
static struct slot *missed(struct worker *w, struct slot *slot, enum status status, uint64_t then)
{
	bool stop = atomic_load_explicit(&w->phase->watch.stop, memory_order_relaxed);

	w->retried_at = then;
	if (status == CONFLICT && !stop)
		return retry(w, slot, then);
	if (status == NOT_FOUND && (slot->step & STEP_MASK) != STEP_NEXT) {
		w->seen.missing++;
		w->seen.lost += ask_must_find(&w->ask, w->ask.id[slot - w->ask.slot]);
		return slot + 1;
	}
	if (status == NOT_FOUND && !stop && wraps(w))
		return slot;
	w->ended = true;
	w->txn.rolled_back = status == CONFLICT;
	if (status != NOT_FOUND && status != CONFLICT)
		w->status = status;
	return NULL;
}

/*
 * In an open loop: wait for the next operation; false if the end came first. Who rests lets go of what it sees, or
 * the engine keeps all that others replace meanwhile.
 */
static bool wait_until_due(struct worker *w, uint64_t *due)
{
	if (w->engine->release && !w->view && !w->scanning && !w->txn.pending && pace_rests(&w->pace))
		w->engine->release(w->session);
	*due = pace_due(&w->pace);
	return pace_wait(&w->pace, &w->phase->watch.stop);
}

/* At the end of the turn, or where that has been moved to, if what is under way can end there; or at the end of all. */
static bool ends_turn(struct worker *w, const struct slot *slot, const struct slot *end)
{
	if (slot == end)
		return true;
	if (atomic_load_explicit(&w->phase->watch.stop, memory_order_relaxed)) {
		w->ended = true;
		return true;
	}
	return txn_between(&w->txn, w->ask.slot, slot);
}

/* The slot before which the turn ends, unless it is moved back meanwhile. */
static inline const struct slot *turn_end(struct worker *w)
{
	return atomic_load_explicit(&w->watched.turn_end, memory_order_relaxed);
}

/* A test build writes down when each operation of an open loop was due, begun and done: test/waits.awk. */
static inline void trace(const struct worker *w, uint64_t due, uint64_t begun, uint64_t done)
{
#ifdef ASSAY_TRACE
	fprintf(stderr, "trace %u %llu %llu %llu\n", w->ask.number, (unsigned long long)clock_ns(w->clock, due),
		(unsigned long long)clock_ns(w->clock, begun), (unsigned long long)clock_ns(w->clock, done));
#else
	(void)w, (void)due, (void)begun, (void)done;
#endif
}

/* What is looked at while measuring, besides the engine's answers: bits. */
enum { WATCH_TIME = 1, WATCH_COUNTER = 2, WATCH_BYTES = 4, WATCH_PACE = 8 };

/*
 * Do the first n slots and time each: from the end of the call before to the end of this one, so
 * that one clock reading serves both; in an open loop, from when it was begun. Answers how many were
 * done. Inlined once for each step and way of watching, so that a loop of gets is nothing but gets.
 */
static inline __attribute__((always_inline)) unsigned measure_as(struct worker *w, unsigned n, enum step fixed,
								 unsigned watch, enum touch touch)
{
	const struct engine *e = w->engine;
	const struct clock clock = *w->clock;
	struct slot *const begin = w->ask.slot + w->from, *const end = begin + n, *slot = begin, *fresh = begin;
	uint64_t then = clock_ticks(&clock), now, due = 0;

	w->first_end = then;
	if (fixed != STEPS && w->view && !w->held && (w->status = begin_view(w)) != DONE) {
		w->ended = true;
		return 0;
	}
	atomic_store_explicit(&w->watched.turn_end, end, memory_order_relaxed);
	for (;;) {
		enum status status = UNSUPPORTED;
		struct slice value;
		enum step step;

		if (__builtin_expect(slot >= turn_end(w), 0) &&
		    ends_turn(w, slot, end))
			break;
		step = fixed == STEPS ? (enum step)(slot->step & STEP_MASK) : fixed;
		/* What is done again was due when it was first; so are the two steps of one operation. */
		if (watch & WATCH_PACE && slot == fresh) {
			if (fresh == w->ask.slot || !((fresh - 1)->step & HALF)) {
				if (!wait_until_due(w, &due)) {
					w->ended = true;
					break;
				}
				pace_advance(&w->pace);
				then = clock_ticks(&clock);
			}
			w->due[fresh++ - w->ask.slot] = due;
		}
		if (fixed == STEPS && w->view && (step_writes(step) || slot->step & BEGIN))
			end_view(w);
		else if (fixed == STEPS && w->view && !w->held && (status = begin_view(w)) != DONE)
			step = STEPS;
		switch (step) {
		case STEP_GET:
		case STEP_FETCH:
			status = fixed == STEPS && step == STEP_FETCH ? fetch_step(w, slot, &value)
								      : e->get(w->session, slot->key, &value);
			if (status == DONE)
				see_as(w, value, touch);
			if (watch & WATCH_BYTES && status == DONE)
				verify(w, w->ask.id[slot - w->ask.slot], slot->key, value);
			break;
		case STEP_PUT:
			status = write_step(w, slot, e->put);
			break;
		case STEP_APPEND:
			status = write_step(w, slot, w->append);
			break;
		case STEP_DELETE:
			status = e->del(w->session, slot->key);
			w->txn.commits += status == DONE;
			w->deletes += status == DONE || status == NOT_FOUND;
			break;
		case STEP_SEEK:
			status = seek_step(w, slot);
			break;
		case STEP_NEXT:
			status = next_step(w);
			break;
		case STEP_MULTIGET:
		case STEPS:
			break;
		}
		if (__builtin_expect(status != DONE, 0)) {
			struct slot *from = missed(w, slot, status, then);

			if (!from)
				break;
			if (from <= slot) {
				then = w->retried_at;
				slot = from;
				continue;
			}
		}
		if (watch) {
			now = watch & WATCH_COUNTER ? clock_counter() : clock_ticks(&clock);
			slot->took = now - then;
			then = now;
		}
		if (watch & WATCH_BYTES) {
			slot->took -= w->aside;
			w->aside = 0;
		}
		if (watch & WATCH_PACE) {
			w->response[slot - w->ask.slot] = now - w->due[slot - w->ask.slot];
			trace(w, w->due[slot - w->ask.slot], now - slot->took, now);
		}
		slot++;
	}
	w->ended_at = watch ? then : clock_ticks(&clock);
	return (unsigned)(slot - begin);
}

/* Single steps by the counter know at compile time what is touched. */
static inline __attribute__((always_inline)) unsigned measure_step(struct worker *w, unsigned n, enum step step)
{
	if (w->verify)
		return measure_as(w, n, step, WATCH_TIME | WATCH_BYTES, TOUCHES);
	if (!w->latency)
		return measure_as(w, n, step, 0, TOUCHES);
	if (!w->clock->counter)
		return measure_as(w, n, step, WATCH_TIME, TOUCHES);
	if (w->touch == TOUCH_ALL)
		return measure_as(w, n, step, WATCH_TIME | WATCH_COUNTER, TOUCH_ALL);
	if (w->touch == TOUCH_NONE)
		return measure_as(w, n, step, WATCH_TIME | WATCH_COUNTER, TOUCH_NONE);
	return measure_as(w, n, step, WATCH_TIME | WATCH_COUNTER, TOUCHES);
}

static unsigned measure_gets(struct worker *w, unsigned n)
{
	return measure_step(w, n, STEP_GET);
}

static unsigned measure_puts(struct worker *w, unsigned n)
{
	return measure_step(w, n, STEP_PUT);
}

static unsigned measure_nexts(struct worker *w, unsigned n)
{
	return measure_step(w, n, STEP_NEXT);
}

static unsigned measure_any(struct worker *w, unsigned n)
{
	return measure_step(w, n, STEPS);
}

static unsigned measure_paced(struct worker *w, unsigned n)
{
	if (w->verify)
		return measure_as(w, n, STEPS, WATCH_TIME | WATCH_PACE | WATCH_BYTES, TOUCHES);
	return measure_as(w, n, STEPS, WATCH_TIME | WATCH_PACE, TOUCHES);
}

/* One value of a multi-get, or none. */
static void see_answer(struct worker *w, unsigned i, struct slice value)
{
	if (!value.data) {
		w->seen.missing++;
		w->seen.lost += ask_must_find(&w->ask, w->ask.id[i]);
		return;
	}
	see(w, value);
	if (w->verify)
		verify(w, w->ask.id[i], w->group[i], value);
}

/* Get the group one by one, for an engine without multi-get: each answer lives until the next get. */
static enum status get_group(struct worker *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct slice value = {NULL, 0};
		enum status status = w->engine->get(w->session, w->group[i], &value);

		/* A group that does not end in time is not done: the harness ends it as it ends one that gave way. */
		if (atomic_load_explicit(&w->phase->watch.stop, memory_order_relaxed))
			return CONFLICT;
		if (status != DONE && status != NOT_FOUND)
			return status;
		see_answer(w, i, status == DONE ? value : (struct slice){NULL, 0});
	}
	return DONE;
}

static enum status get_many(struct worker *w, unsigned n)
{
	enum status status = w->engine->multiget(w->session, w->group, w->answers, n);

	for (unsigned i = 0; status == DONE && i < n; i++)
		see_answer(w, i, w->answers[i]);
	return status;
}

/* In an open loop a group is due with its first key; false if the end came first. */
static bool group_due(struct worker *w, unsigned n, uint64_t *due)
{
	if (!w->paced)
		return true;
	if (!wait_until_due(w, due))
		return false;
	while (n--)
		pace_advance(&w->pace);
	return true;
}

/* One call for all slots; its time stands in the first one. */
static unsigned measure_group(struct worker *w, unsigned n)
{
	const struct seen before = w->seen;
	enum status status = CONFLICT;
	struct slot *from = w->ask.slot;
	uint64_t due = 0;

	if (!group_due(w, n, &due)) {
		w->ended = true;
		return 0;
	}
	w->first_end = clock_ticks(w->clock);
	while (from == w->ask.slot) {
		status = w->engine->multiget ? get_many(w, n) : get_group(w, n);
		if (status == DONE)
			break;
		w->seen = before;
		from = missed(w, w->ask.slot, status, w->first_end);
	}
	w->ended_at = clock_ticks(w->clock);
	w->ask.slot[0].took = w->ended_at - w->first_end - w->aside;
	if (w->paced)
		w->response[0] = w->ended_at - due;
	w->aside = 0;
	return status == DONE ? n : 0;
}

/* The loop for a worker that does one step only, where there is one. */
static unsigned (*const measures[STEPS])(struct worker *, unsigned) = {
	[STEP_GET] = measure_gets,
	[STEP_PUT] = measure_puts,
	[STEP_NEXT] = measure_nexts,
};

/* Enter the times of n finished slots, all of one kind. */
static void enter_alike(struct worker *w, const struct slot *restrict slot, unsigned n)
{
	enum result_kind kind = kind_of[step_of[w->ask.only]];
	struct hist *h = &w->hist[kind];

	w->kind[kind] += n;
	w->done += n;
	n = w->grouped && n ? 1 : n;
	if (w->latency && !w->verify && !w->paced && !w->undone_now) {
		/* One call's end is the next one's beginning. */
		h->sum += w->ended_at - w->first_end;
#pragma GCC unroll 4
		for (unsigned i = 0; i < n; i++)
			hist_enter(h, slot[i].took);
	} else if (w->latency) {
		for (unsigned i = 0; i < n; i++)
			hist_record(h, slot[i].took);
	}
	for (unsigned i = 0; w->paced && i < n; i++)
		hist_record(&w->responses[kind], w->response[slot + i - w->ask.slot]);
}

static void enter_mixed(struct worker *w, const struct slot *restrict slot, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		enum result_kind kind = kind_of[slot[i].step & STEP_MASK];

		w->kind[kind]++;
		w->done += !(slot[i].step & HALF);
		if (w->latency)
			hist_record(&w->hist[kind], slot[i].took);
		if (w->paced)
			hist_record(&w->responses[kind], w->response[slot + i - w->ask.slot]);
	}
}

/*
 * Enter n finished slots. Of a transaction that is still open, the last writes of them and perhaps all of earlier
 * turns, it is not known yet whether they count.
 */
static void enter_times(struct worker *w, unsigned n)
{
	const struct slot *slot = w->ask.slot + w->from;
	unsigned open = txn_open(&w->txn, n), settled = n - open;

	if (txn_ended(&w->txn, n))
		settle_times(w);
	if (open)
		w->undone_now = true; /* the sum is not that of the stretch */
	if (w->ask.uniform)
		enter_alike(w, slot, settled);
	else
		enter_mixed(w, slot, settled);
	if (open)
		txn_keep(&w->txn, slot + settled, w->paced ? w->response + w->from + settled : NULL, open);
	w->undone_now = false;
}

/* Slow calls are taken fewer at a time, so that a thread hears of the end within milliseconds. */
static void adapt_turn(struct worker *w, uint64_t start)
{
	uint64_t spent = clock_ns(w->clock, w->ended_at - start);

	if (w->grouped)
		return;
	if (spent > 1000000 && w->limit > 1)
		w->limit /= 2;
	else if (spent < 250000 && w->limit < w->ask.slots)
		w->limit = w->limit * 2 < w->ask.slots ? w->limit * 2 : w->ask.slots;
}

/* Let others see what has been done and will not be undone. */
static void show_work(struct worker *w, unsigned n)
{
	struct vital *v = w->watched.vital;

	/* What is not committed is there for nobody. */
	if (!w->ended && !w->txn.pending && w->from + n == w->prepared)
		ask_show_born(&w->ask);
	for (int k = 0; k < KINDS; k++)
		atomic_store_explicit(&v->shown[k], w->kind[k], memory_order_relaxed);
	atomic_store_explicit(&v->shown_ops, w->done, memory_order_relaxed);
	atomic_store_explicit(&v->begun, w->done + txn_unsettled(&w->txn), memory_order_relaxed);
}

/* Enter n finished slots into the thread's books; `start` is when the last ones ended. */
static void account(struct worker *w, unsigned n, uint64_t start)
{
	uint64_t first = w->first_end + (n ? w->ask.slot[w->from].took : 0) - start;
	uint64_t before = w->done + txn_unsettled(&w->txn);

	enter_times(w, n);
	if (first > w->gap && !w->paced)
		w->gap = first;
	w->todo -= w->done + txn_unsettled(&w->txn) - before;
	w->viewed += n;
	show_work(w, n);
	if (w->done >= w->next_report)
		report_thread(w);
	adapt_turn(w, start);
}

/*
 * Nanoseconds the loop of worker 0 costs an operation when the engine does nothing: the same code
 * with the null driver, the best of a few rounds of about 2 ms.
 */
static double calibrate(const struct phase *real)
{
	enum { ROUNDS = 4, FIRST = 2048, MOST = 1000000 };
	uint64_t records = cfg->num > MOST ? cfg->num : MOST; /* a small key space would end it early */
	struct phase p = *real;
	struct oracle oracle = place_oracle(workload_grows(real->load) ? UINT64_MAX / 2 : records);
	struct settings settings = *real->settings;
	struct random stream = random_seed(cfg->seed, "calibration");
	double best = INFINITY;

	settings.oracle = &oracle;
	settings.verify = false;
	p.engine = &floor_engine;
	p.settings = &settings;
	p.view = 0;
	atomic_init(&p.watch.warming, false);
	drive_open(&floor_engine, &settings, &p.db, p.bench->place.why);
	p.ask.todo = FIRST;
	p.ask.permutation = permutation_make(records, cfg->seed);
	p.foreground = p.ask.threads = p.ask.count = 1;
	for (int round = 0; p.db && round < ROUNDS; round++) {
		struct worker *w = say_alloc_apart(sizeof *w);

		make_worker(w, &p, 0, &stream);
		w->next_report = UINT64_MAX;
		w->session = drive_attach(&floor_engine, &settings, p.db, w->why);
		if (w->session) {
			work(w);
			drive_detach(&floor_engine, w->session);
		}
		if (w->done) {
			double ns = (double)clock_ns(w->clock, w->ended_at - w->began) /
				    (double)w->done;

			best = ns < best ? ns : best;
			p.ask.todo = (uint64_t)fmin(2e6 / ns + 2, MOST);
		}
		free_worker(w);
		free(w);
	}
	if (p.db)
		drive_close(&floor_engine, p.db, p.bench->place.why);
	return isfinite(best) ? best : NAN;
}

/* A thread's own report, every stats_interval operations. */
static void report_thread(struct worker *w)
{
	double all = (double)clock_ns(w->clock, w->ended_at - w->began) / 1e9;
	double since = all - w->reported_seconds;

	watch_print_interval(w->ask.number, cfg->stats_interval, w->done, since, all);
	w->reported_seconds = all;
	while (w->next_report <= w->done)
		w->next_report += cfg->stats_interval;
}

/* ---- the report ----------------------------------------------------------------------------- */

/* Sums over a range of workers. */
struct tally {
	uint64_t ops, kind[KINDS], missing, lost, wrong, disordered, bytes, entries, commits, deletes;
	uint64_t conflicts, retries, backlog, draws, tops;
	record_lanes digest;
	uint64_t first_start, last_end; /* ticks */
	double thread_ns, call_ns, undone_ns, cpu, rate, rate_squares;
	uint64_t gap_ns;
};

/* Records read or written; a seek reads a range of them. */
static uint64_t entries(const struct worker *w)
{
	uint64_t scans = w->ask.role->weight[OP_SEEK] ? w->entries : w->kind[KIND_SCAN];

	return w->kind[KIND_READ] + w->kind[KIND_WRITE] + scans - (w->ask.role->weight[OP_SEEK] ? 0 : w->seen.missing);
}

/* Operations that were due when the thread ended and had not been begun. */
static uint64_t backlog(const struct worker *w)
{
	return w->paced ? pace_backlog(&w->pace, w->ended_at) : 0;
}

static struct tally tally(const struct phase *p, unsigned from, unsigned to)
{
	struct tally t = {.first_start = UINT64_MAX};
	size_t key_size = p->settings->key_size;

	for (unsigned i = from; i < to; i++) {
		const struct worker *w = &p->workers[i];
		double ns = (double)clock_ns(w->clock, w->ended_at - w->began);
		double rate = ns > 0 ? (double)w->done / ns : 0;
		uint64_t gap = w->gap;

		t.ops += w->done;
		t.missing += w->seen.missing;
		t.lost += w->seen.lost;
		t.wrong += w->wrong;
		t.disordered += w->disordered;
		t.entries += entries(w);
		t.draws += w->ask.draws;
		t.tops += w->ask.draw.tops;
		t.backlog += backlog(w);
		t.digest += w->seen.digest;
		t.commits += w->txn.commits;
		t.conflicts += w->conflicts;
		t.retries += w->retries;
		t.undone_ns += (double)clock_ns(w->clock, w->undone);
		t.deletes += w->deletes;
		t.bytes += w->seen.bytes;
		for (int k = 0; k < KINDS; k++) {
			t.kind[k] += w->kind[k];
			t.call_ns += (double)w->hist[k].sum * w->hist[k].unit;
			gap = w->hist[k].max > gap ? w->hist[k].max : gap;
		}
		/* A scan saw its keys; the others sent theirs. */
		t.bytes += key_size * (w->kind[KIND_READ] + w->kind[KIND_WRITE] - w->seen.missing * !w->kind[KIND_SCAN]);
		gap = clock_ns(w->clock, gap);
		t.gap_ns = gap > t.gap_ns ? gap : t.gap_ns;
		t.thread_ns += ns;
		t.cpu += w->cpu;
		t.rate += rate;
		t.rate_squares += rate * rate;
		t.first_start = w->began < t.first_start ? w->began : t.first_start;
		t.last_end = w->ended_at > t.last_end ? w->ended_at : t.last_end;
	}
	return t;
}

static double tally_seconds(const struct phase *p, const struct tally *t)
{
	return t->last_end > t->first_start
		       ? (double)clock_ns(&p->bench->clock, t->last_end - t->first_start) / 1e9
		       : 0;
}

static double tally_mean_us(const struct tally *t)
{
	if (!t->ops)
		return 0;
	return (t->call_ns > 0 ? t->call_ns : t->thread_ns) / (double)t->ops / 1000;
}

/* A group is due with its first key, so that a rate comes out right only over many. */
static const char *few_groups(const struct phase *p, const struct tally *asked)
{
	enum { GROUPS_LEAST = 10 };
	static char text[WHY_SIZE];
	const struct worker *w = p->workers;
	double fit = tally_seconds(p, asked) * 1e9 / clock_unit_ns(w->clock) / (w->pace.gap * w->ask.slots);

	if (!w->grouped || !w->paced || fit >= GROUPS_LEAST)
		return NULL;
	snprintf(text, sizeof text, "at this rate only %.1f groups of %u keys were due to each thread, and fewer than %d make "
		 "no rate; give more time or a smaller --batch_size", fit, w->ask.slots, GROUPS_LEAST);
	return text;
}

/* Why this row must not be believed, or NULL. */
static const char *doubt(const struct phase *p, const struct tally *all, const struct tally *asked)
{
	static char text[WHY_SIZE + 64];
	uint64_t expected = planned(p);
	bool absent = p->load->keys == ABSENT;
	const char *why;

	if (p->bench->place.failure.failed)
		return p->bench->place.failure.text;
	for (unsigned i = 0; i < p->count; i++)
		if (p->workers[i].status != DONE)
			return place_words(&p->bench->place, p->workers[i].status, p->workers[i].why);
	if (interrupted)
		return "interrupted";
	if (!p->load->fresh && p->bench->place.store.facts.unfinished)
		return "the load of this database did not end, or is void; load anew";
	if (!asked->ops)
		return "no operation was done";
	if ((why = few_groups(p, asked)))
		return why;
	if (all->wrong || (absent && all->missing < all->ops)) {
		snprintf(text, sizeof text, "%llu records were wrong",
			 (unsigned long long)(all->wrong ? all->wrong : all->ops - all->missing));
		return text;
	}
	if (all->disordered) {
		snprintf(text, sizeof text, "%llu records were out of order", (unsigned long long)all->disordered);
		return text;
	}
	if (all->lost) {
		snprintf(text, sizeof text, "%llu records were missing", (unsigned long long)all->lost);
		return text;
	}
	/* An iteration of an incomplete database ends when the data does. */
	if (!p->timed && asked->ops < expected && (p->ask.must_find || !p->load->weight[OP_NEXT])) {
		snprintf(text, sizeof text, "%llu of %llu operations were done", (unsigned long long)asked->ops,
			 (unsigned long long)expected);
		return text;
	}
	why = usage_doubt(&p->spent, all->cpu, (double)(p->ended.raw_ns - p->began.raw_ns) / 1e9, p->count,
			  p->bench->host.cores);
	if (why)
		return why;
	if (clock_disagreement(&p->bench->clock, p->began, p->ended) > 1e-3)
		return "the clocks disagree about how long it took";
	return NULL;
}

/* What the engine lacks of a workload, and how it is made up for; NULL: nothing. */
static const char *emulated(const struct phase *p)
{
	const struct workload *load = p->load;

	if (load->bulk && !engine.bulk_begin)
		return engine.begin ? "bulk load, by transactions" : "bulk load, by single writes";
	if (p->grouped && !engine.multiget)
		return "multi-get, by single gets";
	if (load->batched && !p->grouped && !engine.begin)
		return "transactions, by single writes";
	if (cfg->txn && load->weight[OP_MODIFY] && !engine.transactions)
		return "read-modify-write transactions, by single calls";
	if (cfg->txn_reads > 1 && workload_reads(load) && !engine.snapshot)
		return "views of several reads, by single reads";
	if (engine.blind_deletes && (load->weight[OP_DELETE] || load->weight[OP_EXPIRE]))
		return "deletes that tell what was there, by blind ones";
	if (load->special == SPECIAL_COMPACT && !engine.compact)
		return drive_settles(&engine) ? "compaction, by settling" : "compaction, by nothing";
	if (load->weight[OP_APPEND] && !load->bulk && (!engine.append || cfg->key_format == KEYS_USER))
		return "append, by put";
	return NULL;
}

/* The ways in which batches are torn, by their words, or NULL if they are atomic. */
static const char *torn_text(unsigned torn)
{
	static char text[64];

	if (!torn)
		return NULL;
	snprintf(text, sizeof text, "%s%s%s", torn & TORN_SEEN ? " seen" : "", torn & TORN_ABANDONED ? " abandoned" : "",
		 torn & TORN_CRASH ? " crash" : "");
	return text + 1;
}

/* "read:50,update:50"; NULL if the workload's name says as much. */
static const char *mix_text(const struct workload *load)
{
	static char text[128];
	bool always = load->mixed || load->percent == PERCENT_OF_GETS || (load->preset && !load->fresh);
	size_t n = 0;

	for (unsigned op = 0; op < OPS; op++)
		if (op_names[op] && load->weight[op])
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%s:%u", n ? "," : "", op_names[op],
					      load->weight[op]);
	return n && (always || strchr(text, ',')) ? text : NULL;
}

/* How keys are chosen, with what shapes the distribution. */
static const char *distribution_text(const struct workload *load)
{
	static char text[80];
	enum draw_kind kind = ask_distribution(load);
	const char *name = draw_names[kind];

	if (load->keys != RANDOM)
		return orders[load->keys];
	if (kind == DRAW_HOTSPOT)
		snprintf(text, sizeof text, "%s %g/%g", name, cfg->hotspot_keys, cfg->hotspot_share);
	else if (kind == DRAW_PARETO)
		snprintf(text, sizeof text, "%s %g", name, cfg->pareto_h);
	else if (kind == DRAW_ZIPFIAN || kind == DRAW_SCRAMBLED || kind == DRAW_LATEST)
		snprintf(text, sizeof text, "%s %g", name, cfg->theta);
	else
		snprintf(text, sizeof text, "%s", name);
	return text;
}

static const char *sizes_text(const struct record_sizes *sizes, char *to, size_t room)
{
	size_t n = (size_t)snprintf(to, room, sizes->least == sizes->most ? "%zu" : "%zu-%zu", sizes->least, sizes->most);

	if (sizes->listed)
		n = 0;
	for (unsigned i = 0; i < sizes->listed && n < room; i++)
		n += (size_t)snprintf(to + n, room - n, "%s%zu", i ? "," : "", sizes->list[i]);
	return to;
}

static void fill_what_ran(const struct phase *p, struct result *r)
{
	static char values[256], lengths[256], cold[64];
	const struct settings *s = p->settings;

	r->schema = RESULT_SCHEMA;
	r->engine = engine.name;
	r->label = *cfg->label ? cfg->label : engine.name;
	r->cpus = *cfg->cpus ? cfg->cpus : NULL;
	r->isolated = cfg->isolate;
	r->engine_build = *p->bench->build ? p->bench->build : NULL;
	r->engine_version = engine.version();
	r->allocator = p->bench->allocator;
	r->benchmark = p->load->name;
	r->threads = p->foreground;
	r->num = (double)cfg->num;
	r->key_size = (double)s->key_size;
	r->value_size = record_sizes_mean(&p->bench->place.sizes);
	r->value_sizes = sizes_text(&p->bench->place.sizes, values, sizeof values);
	r->key_format = record_forms[place_key_form(s)];
	r->batch_size = (double)p->batch;
	r->distribution = distribution_text(p->load);
	r->mix = mix_text(p->load);
	if (p->load->weight[OP_SEEK])
		r->scan_length = sizes_text(&p->ask.scan_lengths, lengths, sizeof lengths);
	r->txn_reads = p->view ? (double)p->view : 1;
	r->txn = p->ask.transacts;
	r->warmup_s = p->load->shared || p->load->whole || p->load->special ? 0 : cfg->warmup;
	snprintf(cold, sizeof cold, p->bench->place.cold.left_kb > 0 ? "%s, but %.0f KiB" : "%s", p->bench->place.cold.by, p->bench->place.cold.left_kb);
	r->cold = cfg->cold && !p->load->fresh ? cold : NULL;
	r->durability = durabilities[p->bench->place.opened_as];
	r->durability_given = durabilities[engine.gives[p->bench->place.opened_as]];
	r->torn_batches = torn_text(engine.torn_batches);
	r->cache_bytes = engine.cache && *engine.cache ? (double)s->cache_bytes : NAN;
	r->write_buffer_bytes = engine.write_buffer ? (double)s->write_buffer_bytes : NAN;
	r->compression = compressions[s->compression];
	r->seed = (double)cfg->seed;
	r->repeat = p->entry->repeat;
	r->repetition = (double)cfg->repetition + p->entry->round;
	r->emulated = emulated(p);
	r->touch = touches[cfg->touch];
	r->commit = VERSION " " ASSAY_COMMIT;
	r->build = BUILD;
	r->command = p->bench->command;
}

static void fill_what_happened(const struct phase *p, const struct tally *all, const struct tally *asked,
			       struct result *r)
{
	static char digest[20];
	double writer_seconds, n = p->foreground;
	struct tally writer = tally(p, p->foreground, p->count);

	snprintf(digest, sizeof digest, "%016llx", (unsigned long long)record_digest(all->digest));
	r->seconds = tally_seconds(p, asked);
	r->ops = (double)asked->ops;
	r->reads = (double)all->kind[KIND_READ];
	r->writes = (double)all->kind[KIND_WRITE];
	r->scans = (double)all->kind[KIND_SCAN];
	r->missing = (double)all->missing;
	r->found = (double)(all->kind[KIND_READ] + all->kind[KIND_SCAN]) - r->missing;
	if (!engine.blind_deletes)
		r->found += (double)all->deletes;
	r->lost = (double)all->lost;
	if (cfg->verify) {
		r->wrong = (double)all->wrong;
		r->out_of_order = (double)all->disordered;
	}
	if (p->load->keys == ABSENT)
		r->wrong = r->found;
	r->entries = (double)asked->entries;
	r->bytes = (double)asked->bytes;
	/* Nobody knows how many of them met a record. */
	if (engine.blind_deletes && p->load->deletes)
		r->found = r->missing = r->bytes = r->entries = NAN;
	/* what stores nothing answers with records that nobody wrote, unless they are looked at */
	r->digest = cfg->touch == TOUCH_NONE || (engine.stores_nothing && !cfg->verify) ? NULL : digest;
	r->commits = (double)all->commits;
	r->conflicts = (double)all->conflicts;
	r->retries = (double)all->retries;
	r->retry_s = cfg->latency ? all->undone_ns / 1e9 : NAN;
	r->mean_us = tally_mean_us(asked);
	if (p->timed)
		r->overrun_s = fmax(0, r->seconds - cfg->duration);
	writer_seconds = p->load->beside == BESIDE_WRITER ? tally_seconds(p, &writer) : r->seconds;
	if (r->seconds > 0) {
		r->ops_per_sec = r->ops / r->seconds;
		r->entries_per_sec = r->entries / r->seconds;
		r->reads_per_sec = r->reads / r->seconds;
		r->writes_per_sec = writer_seconds > 0 ? r->writes / writer_seconds : NAN;
	}
	if (asked->rate_squares > 0)
		r->fairness = asked->rate * asked->rate / (n * asked->rate_squares);
	if (cfg->latency)
		r->longest_gap_ms = (double)all->gap_ns / 1e6;
}

/* Nothing was added where nothing was measured. */
static double or_zero(double x)
{
	return isnan(x) ? 0 : x;
}

/* Which keys were drawn, whatever was meant to be. */
static void fill_draws(const struct phase *p, const struct tally *asked, struct result *r)
{
	struct census census;

	if (!asked->draws || !census_start(&census, NULL))
		return;
	for (unsigned i = 0; i < p->foreground; i++)
		census_merge(&census, &p->workers[i].ask.census);
	r->distinct_keys = census_distinct(&census);
	r->top1pct_share = (double)asked->tops / (double)asked->draws;
	census_end(&census);
}

/* The rates asked for and kept. A rate is kept if not a hundredth of what was due was left. */
static void fill_rates(const struct phase *p, const struct tally *all, struct result *r)
{
	static char rates[STEADY_WINDOWS * 14];
	struct steadiness s = steady_judge(&p->watch.steady);

	for (unsigned i = 0; i < p->count; i++)
		if (p->workers[i].paced) {
			const struct pace *pace = &p->workers[i].pace;

			r->rate = or_zero(r->rate) + 1e9 / (pace->gap * clock_unit_ns(pace->clock));
			r->arrivals = arrivals[cfg->arrivals];
		}
	if (!isnan(r->rate)) {
		double done = (double)(all->kind[KIND_READ] + all->kind[KIND_WRITE] + all->kind[KIND_SCAN]);

		r->backlog = (double)all->backlog;
		r->rate_kept = r->backlog <= 0.01 * (done + r->backlog);
	}
	r->rate_cv = s.cv;
	r->rate_range = s.range;
	r->rate_slope = s.slope;
	r->steady = s.steady;
	r->steady_since_s = s.since;
	r->window_s = p->watch.steady.count ? p->watch.steady.seconds : NAN;
	steady_rates(&p->watch.steady, rates, sizeof rates);
	r->rates = *rates ? rates : NULL;
}

/* Bytes written at two levels by byte of the records: handed to the kernel, written to the device. */
static void fill_write_amp(const struct phase *p, struct result *r)
{
	const struct usage *u = &p->spent;
	double records = r->writes * ((double)p->settings->key_size + record_sizes_mean(&p->bench->place.sizes));

	if (!p->settings->writes_unseen)
		r->io_write_overcharged = usage_overcharged(u);
	if (!(r->writes > 0))
		return;
	if (r->io_write_overcharged != 1)
		r->fs_out_per_write = u->fs_out_blocks / r->writes;
	if (p->load->deletes)
		return;
	if (!p->settings->writes_unseen) {
		r->write_amp = u->io_wchar_bytes / records;
		r->write_amp_all_in = (u->io_wchar_bytes + or_zero(r->settle.io_wchar_bytes) +
				       or_zero(r->close.io_wchar_bytes)) / records;
	}
	r->device_write_amp = u->device_write_bytes / records;
	r->device_write_amp_all_in = (u->device_write_bytes + or_zero(r->settle.device_write_bytes) +
				      or_zero(r->close.device_write_bytes)) / records;
}

static void fill_memory(const struct phase *p, struct result *r)
{
	r->footprint = p->footprint;
	if (cfg->malloc_arenas)
		r->malloc_arenas = (double)cfg->malloc_arenas;
	if (!cfg->memory)
		return;
	r->memory_limit_kb = (double)cfg->memory / 1024;
	r->cgroup_peak_kb = p->group.peak / 1024;
	r->page_cache_kb = p->group.page_cache / 1024;
	r->memory_stall_s = p->group.stall_s;
}

static void fill_cost(const struct phase *p, const struct tally *all, struct result *r)
{
	const struct usage *u = &p->spent;
	double ops = r->reads + r->writes + r->scans;

	r->usage = *u;
	fill_memory(p, r);
	fill_write_amp(p, r);
	r->cpu_percent = r->seconds > 0 ? 100 * (u->user_s + u->sys_s) / r->seconds : NAN;
	r->fg_cpu_s = all->cpu;
	r->bg_cpu_s = fmax(0, u->cpu_s - all->cpu - p->main_cpu);
	r->counters = usage_counter_scope();
	r->cycles_per_op = u->cycles / ops;
	r->instructions_per_op = u->instructions / ops;
	r->cache_misses_per_op = u->cache_misses / ops;
	r->tlb_misses_per_op = u->tlb_misses / ops;
	if (r->commits > 0)
		r->flushes_per_commit = u->flushes / r->commits;
	if (!isnan(r->settle.seconds) || !isnan(r->close.seconds))
		r->ops_per_sec_all_in = r->ops / (r->seconds + or_zero(r->settle.seconds) + or_zero(r->close.seconds));
}

static void fill_storage(const struct phase *p, struct result *r)
{
	const struct bench *b = p->bench;
	double apparent, disk, records;

	r->filesystem = b->place.mount.type;
	r->mount_options = b->place.mount.options;
	r->device = b->place.mount.device;
	r->io_scheduler = b->place.queue.scheduler;
	r->read_ahead_kb = b->place.queue.read_ahead_kb;
	if (*cfg->device) /* only the engine knows */
		return;
	store_size(&b->place.store, &apparent, &disk);
	r->run_disk_kb = p->disk / 1024;
	r->db_apparent_kb = apparent / 1024;
	r->db_disk_kb = disk / 1024;
	records = (double)b->place.store.facts.keys * ((double)p->settings->key_size + record_sizes_mean(&b->place.sizes));
	if ((b->place.complete || (p->load->completes && r->valid == 1)) && records > 0) {
		r->space_amp_run = p->disk / records;
		r->space_amp = disk / records;
	}
}

static void fill_where(const struct phase *p, struct result *r)
{
	const struct bench *b = p->bench;

	r->timer = b->clock.counter ? "tsc" : "monotonic";
	r->timer_ns = b->clock.reading_ns;
	r->host = b->host.name;
	r->cpu = b->host.cpu;
	r->cores = b->host.cores;
	r->memory_kb = b->host.memory_kb;
	r->kernel = b->host.kernel;
	r->governor = b->host.governor;
	r->turbo = b->host.turbo;
	r->smt = b->host.smt;
	r->thp = b->host.thp;
	r->swappiness = b->host.swappiness;
	r->numa_nodes = b->host.numa_nodes;
	if (*cfg->numa_node)
		r->numa_node = strtod(cfg->numa_node, NULL);
	if (!engine.stores_nothing)
		fill_storage(p, r);
}

/* What disturbs a measurement, from what value on. */
static const struct {
	size_t figure;
	double most;
	const char *text; /* of the figure */
} noises[] = {
	{offsetof(struct result, steal_percent), 2, "the hypervisor took %.0f %% of the processors"},
	{offsetof(struct result, others_cpu_percent), 10, "other processes and kernel threads used %.0f %% of the processors"},
	{offsetof(struct result, temperature_after_c), 90, "the processor ran at %.0f degrees"},
	{offsetof(struct result, overrun_s), 0.1, "a call that was late to end made it %.1f s longer than --duration"},
};

/* Seconds from which on ticks of 10 ms tell who used the processors. */
#define NOTICEABLE 1.0

/*
 * That reads ahead, not records, decide the rate, if so. One page for each record is what reading takes, and a tree may take
 * several; what a mapped file is read ahead beyond Linux's own 128 KiB shows in fewer.
 */
static const char *read_ahead_noise(const struct phase *p, const struct result *r)
{
	enum { PAGE = 4096, SEVERAL = 16, FEW = 4, USUAL_KB = 128, LITTLE = 4 << 20 };
	static char text[160];
	bool far = p->settings->reads_mapped && r->read_ahead_kb > USUAL_KB;
	double records = fmax(r->entries, r->reads + r->scans + r->writes), bytes = p->spent.io_read_bytes / records;
	double record = fmax(PAGE, (double)p->settings->key_size + record_sizes_mean(&p->bench->place.sizes));

	if (!(r->reads + r->scans > 0) || !(p->spent.io_read_bytes > LITTLE) || !(bytes > (far ? FEW : SEVERAL) * record))
		return NULL;
	snprintf(text, sizeof text, far ? "%.0f KiB were read for each record, as the kernel reads %.0f KiB ahead in a mapped file"
					: "%.0f KiB were read for each record",
		 bytes / 1024, r->read_ahead_kb);
	return text;
}

/* How quiet the machine was, and what else is behind the figures. */
static void fill_noise(const struct phase *p, struct result *r)
{
	static char text[512];
	const char *ahead = read_ahead_noise(p, r);
	double wall = (double)(p->ended.raw_ns - p->began.raw_ns) / 1e9, all = wall * (double)sysconf(_SC_NPROCESSORS_ONLN);
	const char *governor = p->bench->host.governor;
	size_t n = 0;

	r->load_before = p->host_before.load;
	r->load_after = p->host_after.load;
	r->temperature_before_c = p->host_before.temperature_c;
	r->temperature_after_c = p->host_after.temperature_c;
	if (wall >= NOTICEABLE) {
		r->steal_percent = 100 * p->spent.steal_s / all;
		r->others_cpu_percent = fmax(0, 100 * (p->spent.machine_cpu_s - p->spent.cpu_s) / all);
	}
	text[0] = '\0';
	if (*governor && strcmp(governor, "performance"))
		n += (size_t)snprintf(text, sizeof text, "the governor is %s", governor);
	if (!strcmp(p->bench->host.turbo, "on"))
		n += (size_t)snprintf(text + n, sizeof text - n, "%sturbo is on", n ? "; " : "");
	for (size_t i = 0; i < sizeof noises / sizeof *noises; i++) {
		double x = *(const double *)(const void *)((const char *)r + noises[i].figure);

		if (!(x > noises[i].most))
			continue;
		n += (size_t)snprintf(text + n, sizeof text - n, "%s", n ? "; " : "");
		n += (size_t)snprintf(text + n, sizeof text - n, noises[i].text, x);
	}
	if (ahead)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? "; " : "", ahead);
	r->noise = n ? text : NULL;
}

/* Once, or it would be said of every row; and not of one that is void anyway. */
static void say_noise(const struct result *r)
{
	if (!r->noise || life->noise_said || r->valid != 1)
		return;
	say("%s: doubtful figures: %s", r->benchmark, r->noise);
	life->noise_said = true;
}

static void print_lines(const struct phase *p, const struct tally *asked, const struct result *r)
{
	struct result_line line = {.name = p->load->name, .label = r->label, .threads = p->foreground,
				   .cores = p->bench->host.cores, .p99_ns = result_p99(r), .mean_us = r->mean_us, .ops = r->ops,
				   .seconds = r->seconds, .bytes = r->bytes, .void_because = r->void_because};
	char extra[256] = "";
	size_t n = 0;

	if (r->reads + r->scans > 0 && !p->load->weight[OP_NEXT])
		n = (size_t)snprintf(extra, sizeof extra, "(%.0f of %.0f found)", r->found, r->reads + r->scans);
	if (p->foreground > 1 && !p->load->shared && !p->timed)
		snprintf(extra + n, sizeof extra - n, "%s%u x %llu operations", n ? " " : "", p->foreground,
			 (unsigned long long)(asked->ops / p->foreground));
	n = strlen(extra);
	if (r->entries > r->ops && r->seconds > 0)
		n += (size_t)snprintf(extra + n, sizeof extra - n, "%s%.0f entries/sec", n ? " " : "",
				      r->entries_per_sec);
	if (r->rate_kept < 1)
		n += (size_t)snprintf(extra + n, sizeof extra - n, "%s(rate of %.0f not kept: %.0f behind)", n ? " " : "",
				      r->rate, r->backlog);
	if (cfg->settle && !isnan(r->ops_per_sec_all_in))
		snprintf(extra + n, sizeof extra - n, "%s(%.0f ops/sec all in)", n ? " " : "", r->ops_per_sec_all_in);
	line.extra = extra;
	result_print(&line, (enum result_format)cfg->format);
	if (p->load->beside && p->workers) {
		char beside[64];
		struct tally writer = tally(p, p->foreground, p->count);

		snprintf(beside, sizeof beside, cfg->format == FORMAT_GOBENCH ? "%s/%s" : "%.0s%s", p->load->name,
			 workload_beside(p->load)->name);
		line = (struct result_line){
			.name = beside, .label = r->label, .threads = p->foreground, .cores = p->bench->host.cores,
			.p99_ns = NAN, .mean_us = tally_mean_us(&writer), .ops = (double)writer.ops,
			.seconds = tally_seconds(p, &writer), .bytes = (double)writer.bytes, .extra = "",
			.void_because = cfg->format == FORMAT_GOBENCH ? r->void_because : NULL,
		};
		result_print(&line, (enum result_format)cfg->format);
	}
}

static void write_hdr(struct bench *b, const char *benchmark, const char *kind, const struct hist *h)
{
	char path[STORE_PATH], error[RESULT_ERROR];

	snprintf(path, sizeof path, life->hdr_written ? "%s.%s.%s" : "%s", cfg->hdr, benchmark, kind);
	life->hdr_written = true;
	if (!output_opens(path, error))
		failure_note(&b->place.failure, "--hdr", error);
	else if (!histprint_hdr(h, path))
		failure_note(&b->place.failure, path, errno == EEXIST ? "holds something else and is not overwritten"
						    : strerror(errno));
}

static void fill_latency(const struct phase *p, struct hist *merged, struct result *r)
{
	for (unsigned i = 0; i < p->count; i++)
		for (int k = 0; k < KINDS; k++)
			hist_merge(&merged[k], &p->workers[i].hist[k]);
	for (int k = 0; k < KINDS; k++)
		r->latency[k] = result_latency(&merged[k]);
}

/* From when operations were due. */
static void fill_responses(const struct phase *p, struct result *r)
{
	struct hist *merged = say_alloc(KINDS, sizeof *merged);

	for (unsigned i = 0; i < p->count; i++)
		for (int k = 0; k < KINDS && p->workers[i].paced; k++)
			hist_merge(&merged[k], &p->workers[i].responses[k]);
	for (int k = 0; k < KINDS; k++)
		r->response[k] = result_latency(&merged[k]);
	free(merged);
}

static void append_row(struct bench *b, const struct result *r)
{
	char error[RESULT_ERROR];

	if (*cfg->tsv && !result_append_tsv(cfg->tsv, r, error))
		failure_note(&b->place.failure, "--tsv", error);
	if (*cfg->json && !result_append_json(cfg->json, r, error))
		failure_note(&b->place.failure, "--json", error);
}

/* After the last repetition what they came to, in RocksDB's form. */
static void print_repeats(struct phase *p, const struct result *r)
{
	const struct entry *e = p->entry;
	unsigned n = e->repeats * (unsigned)cfg->repeat, slot = e->first * (unsigned)cfg->repeat;
	unsigned nth = e->round * e->repeats + e->repeat;

	if (r->valid == 1) {
		life->rates[slot + nth - 1] = r->ops_per_sec;
		life->megabytes[slot + nth - 1] = r->bytes / 1048576 / r->seconds;
	}
	if (n > 1 && nth == n && cfg->format != FORMAT_GOBENCH)
		result_print_repeats(p->load->name, life->rates + slot, life->megabytes + slot, n);
}

static void report(struct phase *p, struct result *r)
{
	struct bench *b = p->bench;
	struct tally all = tally(p, 0, p->count), asked = tally(p, 0, p->foreground);
	struct hist *merged = say_alloc(KINDS, sizeof *merged);

	r->void_because = doubt(p, &all, &asked);
	r->valid = !r->void_because;
	r->errors = 0;
	for (unsigned i = 0; i < p->count; i++)
		r->errors += p->workers[i].status != DONE;
	r->partial = r->errors > 0 || interrupted;
	fill_what_ran(p, r);
	fill_what_happened(p, &all, &asked, r);
	fill_draws(p, &asked, r);
	fill_latency(p, merged, r);
	fill_responses(p, r);
	fill_rates(p, &all, r);
	fill_cost(p, &all, r);
	fill_where(p, r);
	fill_noise(p, r);
	say_noise(r);
	b->any_void |= r->valid != 1;
	if (!p->entry->warm || r->valid != 1) {
		print_lines(p, &asked, r);
		append_row(b, r);
	}
	for (int k = 0; k < KINDS && !p->entry->warm; k++) {
		if (cfg->histogram)
			histprint_rocksdb(&merged[k], result_kinds[k], stdout);
		if (*cfg->hdr && merged[k].sum)
			write_hdr(b, p->load->name, result_kinds[k], &merged[k]);
	}
	free(merged);
	if (!p->entry->warm)
		print_repeats(p, r);
	if (r->errors > 0)
		failure_note(&b->place.failure, p->load->name, r->void_because);
}

/* ---- when the engine dies --------------------------------------------------------------------- */

/* Something that changes as long as the child gets on. */
static uint64_t progress(void)
{
	uint64_t sum = (uintptr_t)life->load + (uintptr_t)life->doing;

	for (unsigned i = 0; i < life->vitals; i++)
		sum += life->vital[i].begun;
	return sum;
}

static enum guard_end supervise(struct bench *b, int *how)
{
	char error[CGROUP_ERROR];
	enum guard_end end;

	if (!cfg->supervise)
		return GUARD_CHILD;
	if (cfg->memory && !cgroup_make(&b->cgroup, cfg->memory, error))
		die(1, "--memory: %s", error);
	end = guard_run(progress, cfg->hang_timeout, how);
	if (end == GUARD_CHILD && cfg->memory && !cgroup_enter(&b->cgroup, error))
		die(1, "--memory: %s", error);
	if (end != GUARD_CHILD) {
		b->out_of_memory = cgroup_killed(&b->cgroup);
		cgroup_remove(&b->cgroup);
	}
	if (end == GUARD_EXITED && *how < 0)
		die(1, "cannot start a child process: %s; --supervise=0 does without", strerror(errno));
	return end;
}

/* The row of a benchmark that could not begin, or that nobody was left to report. */
static void report_void(struct bench *b, const struct entry *e, uint64_t ops, const char *why)
{
	struct result r = result_unknown();
	struct tally asked = {.ops = ops};
	struct phase p;

	if (e->load->special == SPECIAL_STATISTICS)
		return;
	make_phase(&p, b, e);
	b->place.opened_as = place_durability(e->load);
	r.time = life->time;
	r.engine_options = b->place.options;
	r.void_because = why;
	r.valid = 0;
	r.partial = 1;
	r.ops = (double)ops;
	r.seconds = clock_seconds_since(life->began_ns);
	fill_what_ran(&p, &r);
	fill_where(&p, &r);
	r.mean_us = ops ? r.seconds * 1e6 * p.foreground / r.ops : 0;
	print_lines(&p, &asked, &r);
	append_row(b, &r);
}

/* And the line that says why. Answers the exit status. */
static int report_death(struct bench *b, enum guard_end end, int how)
{
	const struct workload *load = life->load;
	bool asked_for = how == SIGINT || how == SIGTERM;
	const char *path = engine.stores_nothing ? NULL : b->place.store.path;
	uint64_t ops = 0;
	char why[WHY_SIZE + 512];

	for (unsigned i = 0; load && i < life->now.threads; i++)
		ops += life->vital[i].shown_ops;
	snprintf(why, sizeof why, "%s %s%s%s%s after %llu operations; likely cause: %s%s", engine.title,
		 end == GUARD_HUNG ? "hung" : "died of ", end == GUARD_HUNG ? "" : strsignal(how),
		 life->doing ? " while " : "", life->doing ? life->doing : "", (unsigned long long)ops,
		 asked_for ? "interrupted before it could end in order"
		 : b->out_of_memory ? "it needs more memory than --memory allows; give more, or less to --cache_size"
				    : guard_likely_cause(end, how),
		 asked_for || b->out_of_memory ? "" : guard_limits(path));
	say("%s: %s", load ? load->name : "between benchmarks", why);
	if (load) {
		memcpy(b->place.options, life->options, sizeof b->place.options);
		place_learn(&b->place, load);
		b->place.sizes = life->sizes;
		report_void(b, &life->now, ops, why);
	}
	return asked_for ? 128 + how : 1;
}

/* ---- workloads that are not lists of calls ---------------------------------------------------- */

static void print_statistics(struct phase *p)
{
	char text[8192] = "";

	engine.statistics(p->db, text, sizeof text);
	printf("%s", text);
	fflush(stdout);
}

/* One worker that does something else than reading, so that it is reported like the others. */
static void do_special(struct phase *p, uint64_t times, enum status (*once)(struct bench *b, char *why))
{
	struct bench *b = p->bench;
	struct random stream = random_seed(cfg->seed, p->seed_name);
	struct worker *w;

	p->workers = w = say_alloc_apart(sizeof *w);
	p->count = p->foreground = 1;
	p->timed = false;
	p->ask.todo = times;
	make_worker(w, p, 0, &stream);
	begin_figures(p);
	w->began = w->ended_at = clock_ticks(w->clock);
	while (w->done < times && !interrupted && w->status == DONE) {
		w->status = once(b, w->why);
		w->done += w->status == DONE;
		w->ended_at = clock_ticks(w->clock);
	}
	end_figures(p);
	/* What main() is in is the foreground; the engine's own threads are not. */
	w->cpu = p->main_cpu;
	p->main_cpu = 0;
	p->db = b->place.db;
}

static enum status reopen(struct bench *b, char *why)
{
	b->place.settings.create = false;
	place_close(&b->place, NULL);
	return b->place.failure.failed ? FAILED : drive_open(&engine, &b->place.settings, &b->place.db, why);
}

static void open_and_close(struct phase *p)
{
	do_special(p, plan_operations(p->load), reopen);
}

static enum status settle_once(struct bench *b, char *why)
{
	return drive_settle(&engine, b->place.db, why);
}

static enum status compact_once(struct bench *b, char *why)
{
	return engine.compact ? engine.compact(b->place.db, why) : settle_once(b, why);
}

static void compact(struct phase *p)
{
	place_doing(&p->bench->place, "compacting");
	do_special(p, 1, compact_once);
	place_doing(&p->bench->place, NULL);
}

static void wait_for_compaction(struct phase *p)
{
	place_doing(&p->bench->place, "settling");
	do_special(p, 1, settle_once);
	place_doing(&p->bench->place, NULL);
}

static void (*const specials[SPECIALS])(struct phase *) = {
	[SPECIAL_OPEN] = open_and_close,
	[SPECIAL_COMPACT] = compact,
	[SPECIAL_SETTLE] = wait_for_compaction,
	[SPECIAL_STATISTICS] = print_statistics,
};
