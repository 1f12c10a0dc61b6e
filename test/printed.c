/*
 * printed.c: prints in db_bench's, in YCSB's and in our own form what was not measured,
 * all of whose counts and times are given here, and what lists of benchmarks become. For
 * test/figures.sh.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../bench/extras/extras.h"
#include "../bench/report/print.h"
#include "../bench/report/print_db_bench.h"
#include "../bench/report/print_ycsb.h"
#include "../bench/runner/child_state.h"
#include "../bench/runner/database.h"
#include "../bench/runner/settings.h"
#include "../bench/workload/config.h"
#include "../bench/workload/help.h"
#include "../bench/workload/plan.h"
#include "../util/hist.h"
#include "../util/message.h"

static const char *printed_version(void)
{
	return "1.2";
}

/* Plans ask whether there are scans; none is made. */
static enum status printed_seek(struct session *s, struct slice from, struct slice *key,
				struct slice *value)
{
	(void)s, (void)from, (void)key, (void)value;
	return UNSUPPORTED;
}

static enum status printed_step(struct session *s, struct slice *key, struct slice *value)
{
	(void)s, (void)key, (void)value;
	return UNSUPPORTED;
}

const struct engine engine = {.name = "printed",
			      .seek = printed_seek,
			      .next = printed_step,
			      .prev = printed_step,
			      .title = "Printed",
			      .version = printed_version,
			      .effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC,
						       DURABILITY_SYNC}};

/* All of which lines are made; options are changed between them. */
static struct {
	struct host host;
	struct program_info program;
	struct database database;
	struct program_facts info;
	struct hist latency[METRICS_HISTS], responses[METRICS_HISTS];
	struct aggregate a;
	struct result r;
} made;
static struct config *options;

/* Times of 1 to `count` microseconds and a half. */
static void make_times(struct hist *h, unsigned count)
{
	memset(h, 0, sizeof *h);
	h->unit = 1;
	for (unsigned i = 1; i <= count; i++)
		hist_record(h, i * 1000 + 500);
}

/* So many operations of each kind, in 2 threads that took 4 s. */
static void make(const struct workload *workload, uint64_t reads, uint64_t writes,
		 uint64_t scans)
{
	struct totals *t = &made.a.foreground_totals;

	made.a = (struct aggregate){.info = &made.info,
				    .workload = workload,
				    .foreground = 2,
				    .latency = made.latency,
				    .responses = made.responses};
	t->ops = reads + writes + scans;
	t->ops_by_kind[KIND_READ] = reads;
	t->ops_by_kind[KIND_WRITE] = writes;
	t->ops_by_kind[KIND_SCAN] = scans;
	t->missing = reads + scans > 3 ? 3 : 0;
	for (int i = 0; i < METRICS_HISTS; i++)
		make_times(&made.latency[i], 0), make_times(&made.responses[i], 0);
	for (int k = 0; k < KINDS; k++)
		make_times(&made.latency[k], (unsigned)t->ops_by_kind[k]);
	made.r = result_unknown();
	made.r.ops = (double)t->ops;
	made.r.seconds = 4;
	made.r.ops_per_sec = made.r.ops / 4;
	made.r.found = 77; /* with what background threads found */
	made.r.entries = 900;
	made.r.bytes = 6 << 20;
}

static void print_headers(void)
{
	for (int i = 0; i < 2; i++) {
		options->db_bench.leveldb = i;
		options->db_bench.memtable = i ? "vector" : "skip_list";
		print_db_bench_header(&made.info);
	}
	options->db_bench.leveldb = false;
	options->db_bench.memtable = "vector";
	made.database.settings.compression = COMPRESSION_ZSTD;
	print_db_bench_header(&made.info);
}

/* Each kind of line, in both forms; with histograms in RocksDB's. */
static void print_lines(void)
{
	static const struct workload workloads[] = {
		{.name = "readrandom", .weights = {[OP_GET] = 100}},
		{.name = "seekrandom", .weights = {[OP_SEEK] = 100}},
		{.name = "readseq", .weights = {[OP_NEXT] = 100}},
		{.name = "multireadrandom", .weights = {[OP_MULTIGET] = 100}},
		{.name = "updaterandom", .weights = {[OP_MODIFY] = 100}},
		{.name = "mergerandom", .merges = true, .weights = {[OP_APPEND] = 100}},
		{.name = "appendrandom", .weights = {[OP_APPEND] = 100}},
		{.name = "readrandomwriterandom",
		 .weights = {[OP_GET] = 90, [OP_PUT] = 10}},
		{.name = "readrandommergerandom",
		 .merges = true,
		 .weights = {[OP_GET] = 70, [OP_APPEND] = 30}},
		{.name = "mixgraph",
		 .weights = {[OP_GET] = 85, [OP_PUT] = 14, [OP_SEEK] = 1}},
		{.name = "fillseq", .weights = {[OP_PUT] = 100}},
		{.name = "fillsync", .key_divisor = 1000, .weights = {[OP_PUT] = 100}},
		{.name = "deleteseq", .weights = {[OP_DELETE] = 100}},
	};

	for (size_t i = 0; i < 2 * (sizeof workloads / sizeof *workloads); i++) {
		const struct workload *w = &workloads[i / 2];

		options->histogram = i % 2;
		options->db_bench.leveldb = !options->histogram;
		make(w,
		     w->weights[OP_GET] || w->weights[OP_MULTIGET] ||
				     w->weights[OP_MODIFY]
			     ? 20
			     : 0,
		     w->weights[OP_PUT] || w->weights[OP_APPEND] || w->weights[OP_DELETE]
			     ? 15
			     : 0,
		     w->weights[OP_SEEK] || w->weights[OP_NEXT] ? 10 : 0);
		print_db_bench_row(&made.a, &made.r);
	}
}

/* What is printed only sometimes. */
static void print_others(void)
{
	static const char *const without[] = {"waitforcompaction", "flush", "compactall",
					      "compact0", "compact"};
	struct workload w = {.name = "readwhilewriting", .weights = {[OP_GET] = 100}};

	puts("# whole updates; deletes; batches; an open loop; nothing found, no byte");
	make(&w, 0, 0, 0);
	for (int i = 0; i < 3; i++) {
		make_times(&made.latency[METRICS_WHOLE], 3);
		memset(w.weights, 0, sizeof w.weights);
		w.weights[i == 0 ? OP_MODIFY : i == 1 ? OP_DELETE : OP_PUT] = 100;
		print_db_bench_row(&made.a, &made.r);
	}
	w = (struct workload){.name = "mixed",
			      .weights = {[OP_GET] = 5, [OP_APPEND] = 5}};
	make(&w, 2, 3, 0);
	make_times(&made.responses[KIND_READ], 9);
	made.a.foreground_totals.missing = 2;
	made.r.bytes = 0;
	made.a.own_background_name = "the writer";
	made.a.own_background.ops = 300;
	made.a.own_background.seconds = 1.5;
	made.r.invalid_reason = "a reason";
	print_db_bench_row(&made.a, &made.r);
	options->histogram = false;
	for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
		w = (struct workload){.name = without[i]};
		make(&w, 0, 0, 0);
		print_db_bench_row(&made.a, &made.r);
	}
}

/* Five operations: calls took 39 of the threads' 40 us. */
static void make_between(const struct workload *w)
{
	make(w, 2, 3, 0);
	made.a.foreground_totals.thread_ns = 40000;
	made.a.foreground_totals.call_ns = 39000;
}

/* Times with what is between calls. */
static void print_between(void)
{
	struct workload w = {.name = "between", .weights = {[OP_GET] = 5, [OP_PUT] = 5}};

	options->histogram = true;
	puts("# 0.2 us between calls, 0.25 between batches, none of responses");
	make_between(&w);
	print_db_bench_row(&made.a, &made.r);
	make_times(&made.latency[METRICS_WHOLE], 4);
	print_db_bench_row(&made.a, &made.r);
	make_between(&w);
	make_times(&made.responses[KIND_READ], 2);
	print_db_bench_row(&made.a, &made.r);
	options->histogram = false;
}

/* Whether the sums of transactions are right is said only where they were checked. */
static void print_transactions(void)
{
	static const struct workload w = {.name = "randomtransaction",
					  .weights = {[OP_PROCEDURE] = 100},
					  .of_db_bench = true};

	options->db_bench.transactions = true;
	puts("# right sums, a wrong one, a wrong value; a failed thread, interrupted");
	for (int i = 0; i < 5; i++) {
		make(&w, 0, 5, 0);
		made.a.procedure_error = i == 1 ? "a sum" : NULL;
		made.r.wrong = i == 2;
		made.a.errors = i == 3;
		made.a.interrupted = i == 4;
		print_db_bench_row(&made.a, &made.r);
	}
	options->db_bench.transactions = false;
}

static void print_ycsb(const char *what)
{
	printf("# %s\n", what);
	print_ycsb_row(&made.a, &made.r);
}

static void print_ycsb_forms(void)
{
	struct workload w = {.name = "a workload",
			     .weights = {[OP_GET] = 50, [OP_PUT] = 50}};

	print_ycsb_header(&made.info);
	options->ycsb = (struct ycsb_mode){.service = true};
	make(&w, 20, 15, 10);
	made.a.foreground_totals.missing = 4;
	make_times(&made.latency[METRICS_MISSED], 4);
	make_times(&made.latency[METRICS_INSERTS], 5);
	make_times(&made.latency[METRICS_WHOLE], 6);
	print_ycsb("all kinds");
	options->ycsb.on = options->ycsb.intended = options->ycsb.variance = true;
	options->ycsb.percentiles = "1,2,3,11,22,101,99.9,x,100,0";
	make_times(&made.responses[KIND_READ], 30);
	make_times(&made.responses[KIND_WRITE], 40);
	make_times(&made.responses[METRICS_INSERTS], 8);
	made.r.close.seconds = 0.0021;
	options->verify = true;
	made.a.foreground_totals.wrong = 5;
	print_ycsb("both times, verified, closed");
	options->ycsb.service = false;
	options->ycsb.percentiles = NULL;
	made.a.foreground_totals.wrong = 16;
	print_ycsb("times from the scheduled start, all wrong");
	options->ycsb = (struct ycsb_mode){.on = true, .service = true};
	options->verify = false;
	for (int i = 0; i < 4; i++) {
		w = (struct workload){.name = "writes", .starts_empty = i == 3};
		w.weights[i == 0 ? OP_DELETE : OP_EXPIRE] = 50;
		w.weights[OP_MODIFY] = i == 2 ? 50 : 0;
		make(&w, 0, 5, 0);
		made.a.foreground_totals.missing = (uint64_t)i + 2;
		print_ycsb("writes");
	}
	w.weights[OP_GET] = 50;
	make(&w, 20, 5, 0);
	make_times(&made.latency[METRICS_MISSED], 4);
	made.a.foreground_totals.missing = 6;
	print_ycsb("two deletes and four reads that find none");
	w.weights[OP_GET] = 0;
	make(&w, 0, 5, 6);
	made.a.foreground_totals.missing = 2;
	print_ycsb("scans that find none");
}

/* Our own header and lines, in each form that one line has. */
static void print_own(void)
{
	static const struct added_thread idle = {.if_idle = "it had no turn"};
	static const struct workload probe = {.name = "probe", .added = &idle},
				     w = {.name = "readwhilewriting",
					  .weights = {[OP_GET] = 100}};
	static struct report_state state;
	static struct plan_item item = {.workload = &w, .iterations = 3};

	puts("# our own");
	made.info.report_state = &state;
	print_header(&made.info);
	made.database.settings.compression = COMPRESSION_NONE;
	print_header(&made.info);
	options->settle = true;
	options->until_steady = 9;
	for (unsigned i = 0; i < 6; i++) {
		options->format = i > 2 ? (int)i - 2 : 0;
		make(&w, 20, 0, 0);
		item.iteration = 1 + i % 3;
		made.a.item = &item;
		made.a.timed = i == 1;
		made.a.own_background_name = i ? "writer" : NULL;
		made.a.own_background.ops = 300;
		made.a.own_background.seconds = 1.5;
		made.a.added[0].role = i > 1 ? &probe : NULL;
		made.a.added[0].totals.ops = i == 3 ? 70 : 0;
		made.a.added[0].totals.seconds = 3.5;
		made.r.benchmark = w.name;
		made.r.label = "a label";
		made.r.mean_us = 0.125;
		made.r.valid = i != 4;
		made.r.invalid_reason = i == 4 ? "a reason" : NULL;
		made.r.warnings = "it was busy";
		made.r.reads = 20;
		made.r.scans = made.r.steady = 0;
		made.r.ops_per_sec = 5 + 2 * i;
		made.r.entries_per_sec = 225;
		made.r.ops_per_sec_all_in = i == 2 ? 4.5 : NAN;
		made.r.target_rate = 50;
		made.r.target_rate_met = i == 1 || i == 2 ? 0 : 1;
		made.r.backlog = i == 1 ? 30 : 0;
		print_and_store_row(&made.a, &made.r);
	}
	print_invalid_row(&made.a, &made.r);
}

static void publish_made_counts(struct progress *progress, bool measured)
{
	for (unsigned i = 0; i < 3; i++) {
		progress->thread[i].ops = progress->thread[i].begun_ops = 100 * i * i + 7;
		progress->thread[i].is_measuring = measured;
	}
}

/*
 * What a process was doing when it died, and how many operations of its threads are known:
 * none of those of the benchmark before, or of a warm-up.
 */
static void print_deaths(void)
{
	static const struct workload w = {.name = "readrandom"};
	const struct plan_item item = {.workload = &w, .threads = 2};
	struct child_state *state = child_state_create(3);
	char why[200];

	publish_made_counts(state->progress, true);
	puts("# deaths");
	for (unsigned i = 0; i < 5; i++) {
		uint64_t ops;

		if (i == 1)
			child_state_begin(state, &item, &(struct record_sizes){.min = 1});
		if (i == 2 || i == 4)
			publish_made_counts(state->progress, i == 2);
		state->activity = i == 3 ? "closing" : NULL;
		ops = child_state_explain(state,
					  i == 2 ? SUPERVISOR_HUNG : SUPERVISOR_KILLED,
					  SIGKILL, "a cause", NULL, why, sizeof why);
		printf("%s; %llu, begun %llu, progress %llu\n", why,
		       (unsigned long long)ops,
		       (unsigned long long)state->progress->benchmarks,
		       (unsigned long long)(child_state_progress(state) -
					    (uintptr_t)state->workload -
					    (uintptr_t)state->activity));
	}
}

static const char *const plans[][9] = {
	{"--benchmarks=fillseqbatch@3,readrandom[W1-X2],overwrite@2,fillseqsync",
	 "--num=20000", "--repeat=2", "--reads=70", "--writes=80", "--duration=3"},
	{"--benchmarks=fill100K,fillsync,multireadrandom,readseq,scan,seekrandom",
	 "--num=5000", "--batch_size=7", "--reads=9k", "--seek_nexts=3", "--duration=3",
	 "--warmup=1"},
	{"--benchmarks=l.i0@2,l.x@2,l.i1@2,qr100@2,qp500@2", "--duration=3",
	 "--num=100k"},
	{"--benchmarks=fillrandbatch,compact,readwhilewriting@4,deleterandom,readmissing",
	 "--num=300", "--batch_size=1000", "--probe_rate=5", "--age=1"},
	{"--benchmarks=ycsb-load,ycsb-e,ycsb-d", "--backup=3", "--num=1000", "--epoch=5",
	 "--scan_length=4-6", "--durability=none"},
	{"--benchmarks=open,stats,updaterandom", "--use_existing_db=1", "--num=50000",
	 "--value_size=10-90"},
	{"--benchmarks=fillseq,multireadrandom", "--num=500k", "--batch_size=200k"},
};

/* What a list and options become: each benchmark, and settings that all of them need. */
static void print_plan(const char *const *words)
{
	static struct plan_item list[PLAN_ITEMS_MAX + 1];
	char *command[10] = {"printed"};
	struct settings *s = &made.database.settings;
	int n = 1;

	for (; n < 10 && words[n - 1]; n++)
		command[n] = (char *)(uintptr_t)words[n - 1];
	config_parse(n, command);
	config_apply();
	memset(list, 0, sizeof list);
	printf("# plan %s: %u a repetition\n", words[0], plan_make(list, PLAN_ITEMS_MAX));
	settings_make(&made.database, list);
	printf("%llu records of %zu and %zu bytes, %u sessions, multi-gets of %u\n",
	       (unsigned long long)s->num, s->key_size, s->value_size, s->sessions,
	       s->multiget);
	for (const struct plan_item *i = list; i->workload; i++) {
		printf("%s%s threads %u, %u iteration %u of %u, first %u, repetition %u "
		       "epoch %llu pass %u records %llu operations %llu batch %llu%s%s%s "
		       "%s values %zu-%zu scans %zu-%zu",
		       i->workload->name, i->is_warmup ? " not reported" : "", i->threads,
		       i->measured_threads, i->iteration, i->iterations,
		       i->first_iteration, i->repetition, (unsigned long long)i->epoch,
		       i->pass, (unsigned long long)i->records,
		       (unsigned long long)i->operations, (unsigned long long)i->batch,
		       i->is_timed ? " timed" : "", i->may_warm_up ? " warms" : "",
		       i->is_preparation ? " prepares" : "",
		       config_durabilities[i->durability], i->value_sizes.min,
		       i->value_sizes.max, i->scan_lengths.min, i->scan_lengths.max);
		for (unsigned k = 0; k < i->added_count; k++)
			printf(" with %s", i->added[k]->name);
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	char *command[] = {argv[0], "--device=/dev/made", NULL};

	(void)argc;
	config_parse(2, command);
	config_apply();
	options = (struct config *)(uintptr_t)cfg;
	made.host.cores = 4;
	strcpy(made.host.cpu, "a CPU");
	made.program = (struct program_info){.version = "9", .commit = "abcdef0"};
	made.info = (struct program_facts){.program = &made.program,
					   .host = &made.host,
					   .database = &made.database};
	made.database.settings.key_size = 20;
	made.database.settings.num = 3000000;
	made.database.settings.value_size = 300;
	made.database.value_sizes = (struct record_sizes){.min = 300, .max = 300};
	strcpy(made.database.db_dir.path, "/a/path");
	options->db_bench.write_rate = "1234";
	options->db_bench.sampling = "5";
	options->db_bench.perf_level = "1";
	options->read_rate = 77;
	options->num = 5000;
	print_headers();
	print_lines();
	print_others();
	print_between();
	print_transactions();
	print_ycsb_forms();
	print_own();
	print_deaths();
	extra_set(extras_table);
	for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
		print_plan(plans[i]);
	return 0;
}
