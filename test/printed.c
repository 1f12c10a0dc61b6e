/*
 * printed.c: prints in db_bench's, in YCSB's and in our own form what was not measured:
 * all counts and times are given here. For test/figures.sh.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../bench/report/print.h"
#include "../bench/report/print_db_bench.h"
#include "../bench/report/print_ycsb.h"
#include "../bench/runner/database.h"
#include "../bench/workload/config.h"
#include "../bench/workload/help.h"
#include "../util/hist.h"
#include "../util/message.h"

static const char *printed_version(void)
{
	return "1.2";
}

const struct engine engine = {.name = "printed",
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
	for (int i = 0; i < METRICS_HISTS; i++)
		make_times(&made.latency[i], 0), make_times(&made.responses[i], 0);
	for (int k = 0; k < KINDS; k++)
		make_times(&made.latency[k], (unsigned)t->ops_by_kind[k]);
	made.r = result_unknown();
	made.r.ops = (double)t->ops;
	made.r.seconds = 4;
	made.r.ops_per_sec = made.r.ops / 4;
	made.r.found = 7;
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

	puts("# whole updates; deletes; batches; responses; nothing found, no byte");
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
	made.r.found = made.r.bytes = 0;
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
	options->read_rate = 77;
	options->num = 5000;
	print_headers();
	print_lines();
	print_others();
	print_between();
	print_ycsb_forms();
	print_own();
	return 0;
}
