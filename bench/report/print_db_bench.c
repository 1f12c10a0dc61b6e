/* print_db_bench.c: see print_db_bench.h. */
#include "print_db_bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "../../util/histprint.h"
#include "../../util/message.h"
#include "../runner/database.h"
#include "../workload/config.h"

/* As RocksDB writes it. */
static const char *const compression_words[] = {
	[COMPRESSION_NONE] = "NoCompression",
	[COMPRESSION_SNAPPY] = "Snappy",
	[COMPRESSION_LZ4] = "LZ4",
	[COMPRESSION_ZLIB] = "Zlib",
	[COMPRESSION_ZSTD] = "ZSTD",
};

/* The memtable's name as RocksDB writes it. */
static const char *memtable_word(const char *name)
{
	static const struct {
		const char *name, *word;
	} memtables[] = {
		{"skip_list", "SkipListFactory"},
		{"vector", "VectorRepFactory"},
		{"prefix_hash", "HashSkipListRepFactory"},
		{"hash_linkedlist", "HashLinkListRepFactory"},
	};

	for (size_t i = 0; i < sizeof memtables / sizeof *memtables; i++)
		if (!strcasecmp(memtables[i].name, name))
			return memtables[i].word;
	return name;
}

static void print_environment(const struct program_facts *info)
{
	time_t now = time(NULL);
	char date[32];
	struct tm t;

	localtime_r(&now, &t);
	strftime(date, sizeof date, "%a %b %e %H:%M:%S %Y", &t);
	message_print_bare("%s:%*sversion %s\nDate:       %s\nCPU:        %u * %s\n",
			   engine.title, (int)(11 - strlen(engine.title)), "",
			   engine.version(), date, info->host->cores, info->host->cpu);
}

void print_db_bench_header(const struct program_facts *info)
{
	const struct settings *s = &info->database->settings;
	double value = record_sizes_loaded_mean(&cfg->value_sizes),
	       key = (double)s->key_size, count = (double)s->num,
	       left = value * cfg->compression_ratio;
	bool leveldb = cfg->db_bench.leveldb;

	print_environment(info);
	printf("Keys:       %zu bytes each%s\n", s->key_size,
	       leveldb ? "" : " (+ 0 bytes user-defined timestamp)");
	printf("Values:     %.0f bytes each (%.0f bytes after compression)\n", value,
	       floor(left + 0.5));
	printf("Entries:    %.0f\n", count);
	if (!leveldb)
		printf("Prefix:    0 bytes\nKeys per prefix:    0\n");
	printf("RawSize:    %.1f MB (estimated)\n", (key + value) * count / 1048576);
	printf("FileSize:   %.1f MB (estimated)\n", (key + left) * count / 1048576);
	if (!leveldb)
		printf("Write rate: %s bytes/second\nRead rate: %llu ops/second\n"
		       "Compression: %s\nCompression sampling rate: %s\n"
		       "Memtablerep: %s\nPerf Level: %s\n",
		       cfg->db_bench.write_rate, (unsigned long long)cfg->read_rate,
		       compression_words[s->compression], cfg->db_bench.sampling,
		       memtable_word(cfg->db_bench.memtable), cfg->db_bench.perf_level);
	printf("------------------------------------------------\n");
	fflush(stdout);
}

/* Benchmarks that print no line there. */
static bool has_no_line(const char *name)
{
	static const char *const names[] = {"waitforcompaction", "flush", "compactall",
					    "compact0"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* What a benchmark says behind its rate, by its operations. */
enum db_bench_tail {
	TAIL_NONE,
	TAIL_FOUND, /* and an empty line */
	TAIL_FOUND_SHORT,
	TAIL_UPDATES,
	TAIL_MERGES,
	TAIL_MIX,
	TAIL_MERGE_MIX,
	TAIL_GRAPH,
	TAIL_TRANSACTIONS
};

/* LevelDB's db_bench does not count what these find. */
static bool finds_unsaid(const char *name)
{
	return cfg->db_bench.leveldb &&
	       (!strcmp(name, "readmissing") || !strcmp(name, "readhot"));
}

static enum db_bench_tail tail_of(const struct workload *workload)
{
	const unsigned *weights = workload->weights;

	return weights[OP_MODIFY]                       ? TAIL_UPDATES
	       : !strcmp(workload->name, "mixgraph")    ? TAIL_GRAPH
	       : workload->of_db_bench                  ? TAIL_TRANSACTIONS
	       : weights[OP_GET] && weights[OP_PUT]     ? TAIL_MIX
	       : weights[OP_GET] && weights[OP_APPEND]  ? TAIL_MERGE_MIX
	       : workload->merges && weights[OP_APPEND] ? TAIL_MERGES
	       : weights[OP_MULTIGET]                   ? TAIL_FOUND_SHORT
	       : weights[OP_GET] || weights[OP_SEEK]    ? TAIL_FOUND
							: TAIL_NONE;
}

static void format_tail(const struct aggregate *a, const struct result *r, char *text,
			size_t size)
{
	double ops = (double)a->foreground_totals.ops,
	       puts = (double)a->foreground_totals.ops_by_kind[KIND_WRITE],
	       gets = (double)a->foreground_totals.ops_by_kind[KIND_READ],
	       seeks = (double)a->foreground_totals.ops_by_kind[KIND_SCAN],
	       found = gets + seeks - (double)a->foreground_totals.missing,
	       asked = cfg->db_bench.leveldb ? (double)cfg->num * a->foreground : ops;

	switch (tail_of(a->workload)) {
	case TAIL_FOUND:
		if (!finds_unsaid(a->workload->name))
			snprintf(text, size, "(%.0f of %.0f found)%s", found, asked,
				 cfg->db_bench.leveldb ? "" : "\n");
		break;
	case TAIL_FOUND_SHORT:
		snprintf(text, size, "(%.0f of %.0f found)", found, ops);
		break;
	case TAIL_UPDATES:
		snprintf(text, size, "( updates:%.0f found:%.0f)", ops, found);
		break;
	case TAIL_MERGES:
		snprintf(text, size, "( updates:%.0f)", ops);
		break;
	case TAIL_MERGE_MIX:
		snprintf(text, size,
			 "(reads:%.0f merges:%.0f total:%.0f hits:%.0f maxlength:%zu)",
			 gets, puts, ops, found,
			 found > 0 ? a->info->database->settings.value_size : 0);
		break;
	case TAIL_MIX:
		snprintf(text, size, "( reads:%.0f writes:%.0f total:%.0f found:%.0f)",
			 gets, puts, ops, found);
		break;
	case TAIL_GRAPH:
		snprintf(text, size,
			 "( Gets:%.0f Puts:%.0f Seek:%.0f, reads %.0f in %.0f found, "
			 "avg size: %.1f value, %.1f scan)\n",
			 gets, puts, seeks, found, gets + seeks,
			 puts > 0 ? record_sizes_mean(&a->info->database->value_sizes)
				  : NAN,
			 seeks > 0 ? r->entries / seeks : NAN);
		break;
	case TAIL_TRANSACTIONS:
		if (cfg->db_bench.transactions)
			snprintf(text, size, "( transactions:%.0f aborts:%.0f)", ops,
				 r->conflicts);
		else
			snprintf(text, size, "( batches:%.0f )", ops);
		break;
	case TAIL_NONE:
		if (cfg->db_bench.leveldb && a->workload->weights[OP_PUT] &&
		    ops / a->foreground < (double)cfg->num)
			snprintf(text, size, "(%.0f ops)", ops / a->foreground);
		else if (a->workload->key_divisor)
			snprintf(text, size, "(%llu ops)",
				 (unsigned long long)(cfg->num /
						      a->workload->key_divisor));
		break;
	}
}

/*
 * The bytes of a rate: of the sets of a transaction, and of mixgraph without those of its
 * puts, as there.
 */
static double line_bytes(const struct aggregate *a, const struct result *r)
{
	const struct totals *t = &a->foreground_totals;
	const struct database *d = a->info->database;
	double puts = (double)t->ops_by_kind[KIND_WRITE],
	       size = (double)d->settings.key_size + record_sizes_mean(&d->value_sizes);

	switch (tail_of(a->workload)) {
	case TAIL_TRANSACTIONS:
		return (double)a->totals.written_bytes;
	case TAIL_GRAPH:
		return puts < (double)t->ops ? r->bytes - puts * size : 0;
	default:
		return r->bytes;
	}
}

/* RocksDB's own counters of the benchmark's threads, in its line. */
static void print_perf_context(const struct aggregate *a)
{
	struct database *d = a->info->database;

	if (!strcmp(cfg->db_bench.perf_level, "1"))
		return;
	database_note_perf_context(d);
	printf(" PERF_CONTEXT:\n%s", d->perf_context);
}

/*
 * The sum of what each thread took / operations, as there; LevelDB's line has no more than
 * that.
 */
static void print_db_bench_line(const struct aggregate *a, const struct result *r)
{
	double ops = fmax(r->ops, 1), seconds = fmax(r->seconds, 1e-9);
	double thread_us = a->foreground_totals.thread_ns / 1000;
	double micros = (thread_us > 0 ? thread_us : seconds * a->foreground * 1e6) / ops;
	char tail[256] = "", rate[32] = "";
	enum db_bench_tail kind = tail_of(a->workload);
	double bytes = line_bytes(a, r);

	format_tail(a, r, tail, sizeof tail);
	if (bytes > 0 && kind != TAIL_MIX && kind != TAIL_MERGE_MIX &&
	    !(cfg->db_bench.leveldb && kind == TAIL_FOUND))
		snprintf(rate, sizeof rate, " %6.1f MB/s", bytes / 1048576 / seconds);
	if (cfg->db_bench.leveldb)
		printf("%-12s : %11.3f micros/op;%s%s%s\n", a->workload->name, micros,
		       rate, *tail ? " " : "", tail);
	else
		printf("%-12s : %11.3f micros/op %ld ops/sec %.3f seconds %.0f "
		       "operations;%s%s%s",
		       a->workload->name, micros, (long)(ops / seconds), seconds, ops,
		       rate, *tail ? " " : "", tail);
	if (!cfg->db_bench.leveldb) {
		print_perf_context(a);
		printf("\n");
	}
}

/*
 * What the mean operation takes beside its calls, nanoseconds, which db_bench times with
 * them: its average is the time of the threads by operations. Nothing in an open loop,
 * whose threads wait.
 */
static double between_calls(const struct aggregate *a)
{
	const struct totals *t = &a->foreground_totals;
	uint64_t count = 0;

	for (int k = 0; k < KINDS; k++) {
		if (t->ops_by_kind[k] && a->responses[k].sum)
			return 0;
		count += t->ops_by_kind[k] ? hist_count(&a->latency[k]) : 0;
	}
	if (a->latency[METRICS_WHOLE].sum)
		count = hist_count(&a->latency[METRICS_WHOLE]);
	return count ? fmax(0, (t->thread_ns - t->call_ns) / (double)count) : 0;
}

/*
 * One histogram of the benchmark's own threads: of whole updates or batches, else of the
 * kind of its operations. A wait for the rate is in none of them, as there.
 */
static void print_db_bench_histogram(const struct aggregate *a)
{
	static const char *const words[] = {
		[KIND_READ] = "read", [KIND_WRITE] = "write", [KIND_SCAN] = "seek"};
	const unsigned *weights = a->workload->weights;
	double between = between_calls(a);

	if (a->latency[METRICS_WHOLE].sum) {
		histprint_db_bench(&a->latency[METRICS_WHOLE], between,
				   weights[OP_MODIFY]   ? "update"
				   : weights[OP_DELETE] ? "delete"
							: "write",
				   cfg->db_bench.leveldb, stdout);
		return;
	}
	for (int k = 0; k < KINDS; k++) {
		const char *word = weights[OP_PROCEDURE]                   ? "op"
				   : weights[OP_DELETE]                    ? "delete"
				   : weights[OP_NEXT]                      ? "read"
				   : weights[OP_APPEND] && k == KIND_WRITE ? "merge"
									   : words[k];

		if (a->foreground_totals.ops_by_kind[k])
			histprint_db_bench(&a->latency[k], between, word,
					   cfg->db_bench.leveldb, stdout);
	}
}

/* What the suite says beyond db_bench. */
static void print_beyond(const struct aggregate *a, const struct result *r)
{
	if (a->own_background_name)
		message_print("%s: %s did %llu operations, %.0f in a second",
			      a->workload->name, a->own_background_name,
			      (unsigned long long)a->own_background.ops,
			      (double)a->own_background.ops /
				      fmax(a->own_background.seconds, 1e-9));
	if (r->invalid_reason)
		message_print("%s: INVALID: %s", a->workload->name, r->invalid_reason);
}

void print_db_bench_row(const struct aggregate *a, const struct result *r)
{
	const char *path = a->info->database->db_dir.path;

	print_beyond(a, r);
	if (!strcmp(a->workload->name, "waitforcompaction"))
		printf("waitforcompaction(%s): started\nwaitforcompaction(%s): "
		       "finished\n",
		       path, path);
	if (!strcmp(a->workload->name, "flush"))
		printf("flush memtable\n");
	if (!has_no_line(a->workload->name)) {
		if (!cfg->db_bench.leveldb)
			printf("DB path: [%s]\n", path);
		print_db_bench_line(a, r);
		if (cfg->histogram)
			print_db_bench_histogram(a);
	}
	/* a run that failed or was interrupted was not checked; db_bench has died then */
	if (a->workload->of_db_bench && cfg->db_bench.transactions && !a->errors &&
	    !a->interrupted)
		printf("RandomTransactionVerify %s\n",
		       a->procedure_error || r->wrong > 0 ? "FAILED!!" : "Success.");
	fflush(stdout);
}
