/*
 * read_recording.c: what an instrument has recorded, a JSON line for each benchmark that
 * its process measured.
 *
 *   build/instruments/read_recording FILE [--ranges] [--groups=N]
 *
 * An operation of the driver is what its calls make: a read is a get with what precedes
 * it, a write a put with its begin and commit. Two times bound what a program may say of
 * it: the sum of its calls, and the time from the end of the call before its first to the
 * start of the call after its last. How busy the machine is moves both. --ranges: a seek
 * with the calls for the records after it is one operation, as in seekrandom; otherwise
 * each is one, as in an iteration. --groups=N: so are N reads. Figures of the kernel are
 * bounded by two readings, too.
 */
#include "interpose.h"
#include "recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 3 };
static const char *const classes[CLASSES] = {"read", "write", "scan"};
static const char *const kinds[CALL_KINDS] = {"read", "write", "remove", "seek",
					      "next", "group", "commit", "rest",
					      "part", "begin", "undo",   "lost",
					      "wait"};

struct operation {
	uint64_t start, end; /* of its first call and its last */
	uint64_t done;       /* when it, or the transaction that it is of, was over */
	uint64_t calls_ns;   /* the sum of its calls */
	uint64_t around_ns;  /* between the calls before and after */
	unsigned class;
};

static struct wait {
	uint64_t start, end;
} *waits; /* of the main thread, in order */
static size_t n_waits;

static struct operation *operations;
static size_t count, allocated;
static uint64_t calls[CALL_KINDS];
static unsigned threads;
static char tids[65536]; /* of those with operations, "1,2,3" */
static bool ranges;
static uint64_t groups; /* reads in an operation, or 0 */

static _Noreturn void message_fatal(const char *what)
{
	fprintf(stderr, "read: %s\n", what);
	exit(1);
}

static void *get_memory(void *old, size_t n, size_t size)
{
	void *p = old ? realloc(old, n * size + 1) : calloc(n + 1, size);

	if (!p)
		message_fatal("out of memory");
	return p;
}

/* ---- calls to operations ---- */

static bool after_it(enum call_kind kind)
{
	return kind == CALL_COMMIT || kind == CALL_REST || (kind == CALL_NEXT && ranges);
}

static bool before_it(enum call_kind kind)
{
	return kind == CALL_PART || kind == CALL_BEGIN || kind == CALL_LOST ||
	       kind == CALL_WAIT;
}

static unsigned class_of(enum call_kind kind)
{
	static const unsigned class[CALL_KINDS] = {
		[CALL_WRITE] = 1, [CALL_REMOVE] = 1, [CALL_SEEK] = 2, [CALL_NEXT] = 2};

	return class[kind];
}

/* A thread's calls as they become operations. */
struct operation_grouping {
	struct operation next; /* its calls so far; start is 0 before the first */
	size_t first, begun;   /* the thread's operations, and those of the transaction:
				  from there on */
	uint64_t end; /* of the last call before the operation that was the last */
	uint64_t reads;
};

static void close_last(struct operation_grouping *g, uint64_t when)
{
	struct operation *last = &operations[count - 1];

	if (count == g->first || last->around_ns)
		return;
	last->around_ns = when - g->end;
	g->end = last->end;
}

static void begin_next(struct operation_grouping *g, uint64_t start, uint64_t ns)
{
	if (!g->next.start) {
		close_last(g, start);
		g->next.start = start;
	}
	g->next.calls_ns += ns;
	g->next.end = start + ns;
}

static void add_operation(struct operation_grouping *g, enum call_kind kind)
{
	if (count == allocated)
		operations = get_memory(operations, allocated = 2 * allocated + 4096,
					sizeof *operations);
	g->next.class = class_of(kind);
	g->next.done = g->next.end;
	operations[count++] = g->next;
	g->next = (struct operation){0};
}

/*
 * Of a transaction that was undone nothing is left but the time, in what precedes the
 * next operation.
 */
static void undo(struct operation_grouping *g, uint64_t from)
{
	count = g->begun;
	g->next = (struct operation){0};
	g->end = count > g->first ? operations[count - 1].end : from;
}

/* Nothing of a transaction was done before its commit. */
static void commit(struct operation_grouping *g, uint64_t end)
{
	for (size_t i = g->begun; i < count; i++)
		operations[i].done = end;
	g->begun = count;
}

static void add_wait(uint64_t start, uint64_t end)
{
	waits = get_memory(waits, n_waits + 1, sizeof *waits);
	waits[n_waits++] = (struct wait){start, end};
}

static void add_call(struct operation_grouping *g, enum call_kind kind, uint64_t start,
		     uint64_t ns, uint64_t from)
{
	calls[kind]++;
	if (kind == CALL_WAIT) {
		add_wait(start, start + ns);
	} else if (kind == CALL_UNDO) {
		undo(g, from);
	} else if (after_it(kind) || (groups && g->reads % groups)) {
		if (count > g->first && !g->next.start) {
			operations[count - 1].calls_ns += ns;
			operations[count - 1].end = operations[count - 1].done =
				start + ns;
		}
		if (kind == CALL_COMMIT)
			commit(g, start + ns);
		g->reads += kind == CALL_READ;
	} else {
		begin_next(g, start, ns);
		if (kind == CALL_BEGIN)
			g->begun = count;
		g->reads += kind == CALL_READ;
		if (!before_it(kind))
			add_operation(g, kind);
	}
}

/* The calls of a thread between two moments. */
static void group_calls(uint64_t tid, const struct timed_call *call, size_t n,
			uint64_t from, uint64_t to)
{
	size_t used = strlen(tids);
	struct operation_grouping g = {.first = count, .begun = count, .end = from};

	for (size_t i = 0; i < n; i++)
		if (call[i].start >= from && call[i].start <= to)
			add_call(&g, (enum call_kind)(call[i].length_kind & 15),
				 call[i].start, call[i].length_kind >> 4, from);
	close_last(&g, to);
	if (count == g.first)
		return;
	threads++;
	snprintf(tids + used, sizeof tids - used, "%s%" PRIu64, used ? "," : "", tid);
}

/* ---- figures ---- */

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Nearest rank: the first value that at least so many of 10^4 are not above. */
static uint64_t quantile(const uint64_t *sorted, size_t n, unsigned parts)
{
	return sorted[(n * parts + 9999) / 10000 - 1];
}

static void print_times(const char *name, uint64_t *ns, size_t n)
{
	static const struct {
		const char *name;
		unsigned parts;
	} quantiles[] = {{"p50", 5000}, {"p90", 9000},  {"p95", 9500},
			 {"p99", 9900}, {"p999", 9990}, {"p9999", 9999}};
	double sum = 0;

	qsort(ns, n, sizeof *ns, compare);
	for (size_t i = 0; i < n; i++)
		sum += (double)ns[i];
	printf("\"%s\":{\"min\":%" PRIu64 ",\"mean\":%.1f", name, ns[0], sum / (double)n);
	for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
		printf(",\"%s\":%" PRIu64, quantiles[i].name,
		       quantile(ns, n, quantiles[i].parts));
	printf(",\"max\":%" PRIu64 "}", ns[n - 1]);
}

static void print_class(unsigned class)
{
	uint64_t *low = get_memory(NULL, count, sizeof *low),
		 *high = get_memory(NULL, count, sizeof *high);
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (operations[i].class == class) {
			low[n] = operations[i].calls_ns;
			high[n++] = operations[i].around_ns;
		}
	if (n) {
		printf(",\"%s\":{\"ops\":%zu,", classes[class], n);
		print_times("low", low, n);
		printf(",");
		print_times("high", high, n);
		printf("}");
	}
	free(low);
	free(high);
}

static int compare_done(const void *a, const void *b)
{
	const struct operation *x = a, *y = b;

	return (x->done > y->done) - (x->done < y->done);
}

/* How many of the operations, which are sorted, were done by then. */
static size_t done_by(uint64_t when)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (operations[middle].done <= when)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * When what is shown at a look must at least have been done: 2 ms before, of time in
 * which the threads went on. What an operation took beyond thrice the median it was kept
 * from going on.
 */
static uint64_t shown_after(uint64_t look, uint64_t usual)
{
	uint64_t since = look - 2000000, last = 0;

	while (since != last) {
		last = since;
		since = look - 2000000;
		for (size_t i = done_by(last);
		     i < count && operations[i].done - operations[i].around_ns <= look;
		     i++)
			if (operations[i].around_ns > 3 * usual)
				since -= operations[i].around_ns - usual;
	}
	return since;
}

/*
 * The main thread's first look at others once a second is over: after a wait, and over
 * when it waits again.
 */
static struct wait look_at(uint64_t when)
{
	for (size_t i = 0; i < n_waits; i++)
		if (waits[i].end >= when)
			return (struct wait){waits[i].end, i + 1 < n_waits
								   ? waits[i + 1].start
								   : UINT64_MAX};
	return (struct wait){UINT64_MAX, UINT64_MAX};
}

/*
 * Operations that were done in each second, at least and at most, for one who looks when
 * the main thread looks.
 */
static void print_seconds(const struct counter_reading *from,
			  const struct counter_reading *to)
{
	uint64_t *around = get_memory(NULL, count, sizeof *around), usual, slack = 0,
		 second = 1000000000;
	size_t least = 0, most = 0;

	qsort(operations, count, sizeof *operations, compare_done);
	for (size_t i = 0; i < count; i++)
		around[i] = operations[i].around_ns;
	qsort(around, count, sizeof *around, compare);
	usual = count ? quantile(around, count, 5000) : 0;
	printf(",\"seconds\":[");
	for (uint64_t k = 1; from->waiting && from->waiting + k * second <= to->ticks;
	     k++) {
		struct wait look = look_at(from->waiting + k * second);
		uint64_t since =
			look.start == UINT64_MAX ? 0 : shown_after(look.start, usual);
		size_t by_then = done_by(since), by_its_end = done_by(look.end);

		printf("%s[%zu,%zu]", k > 1 ? "," : "",
		       by_then > most ? by_then - most : 0, by_its_end - least);
		least = by_then;
		most = by_its_end;
		if (look.end != UINT64_MAX && look.end - since > slack)
			slack = look.end - since;
	}
	printf("],\"slack_ns\":%" PRIu64, slack);
	free(around);
}

static void print_syncs(const struct sync_calls *from, const struct sync_calls *to)
{
	printf(",\"fsyncs\":%" PRIu64 ",\"fdatasyncs\":%" PRIu64 ",\"msyncs\":%" PRIu64
	       ",\"sync_file_ranges\":%" PRIu64 ",\"syncs\":%" PRIu64,
	       to->fsyncs - from->fsyncs, to->fdatasyncs - from->fdatasyncs,
	       to->msyncs - from->msyncs, to->sync_file_ranges - from->sync_file_ranges,
	       to->syncs - from->syncs);
}

static void print_kernel_counters(const struct counter_reading *from,
				  const struct counter_reading *to)
{
	static const char *const names[] = {"handed",
					    "rchar",
					    "wchar",
					    "read_bytes",
					    "write_bytes",
					    "device_reads",
					    "device_read_bytes",
					    "device_writes",
					    "device_write_bytes",
					    "device_flushes"};
	enum { LEVELS = sizeof(struct kernel_counters) / sizeof(uint64_t) };
	uint64_t a[2][LEVELS], b[2][LEVELS];

	memcpy(a[0], &from->before, sizeof a[0]);
	memcpy(a[1], &from->after, sizeof a[1]);
	memcpy(b[0], &to->before, sizeof b[0]);
	memcpy(b[1], &to->after, sizeof b[1]);
	for (int i = 0; i < LEVELS; i++)
		printf(",\"%s\":[%" PRId64 ",%" PRId64 "]", names[i],
		       (int64_t)(b[0][i] - a[1][i]), (int64_t)(b[1][i] - a[0][i]));
}

static void print_interval(const struct counter_reading *from,
			   const struct counter_reading *to)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < count; i++) {
		first = operations[i].start < first ? operations[i].start : first;
		last = operations[i].end > last ? operations[i].end : last;
	}
	printf("{\"from_ns\":%" PRIu64 ",\"last_ns\":%" PRIu64 ",\"to_ns\":%" PRIu64
	       ",\"ops\":%zu,\"threads\":%u,\"tids\":[%s],\"elapsed_ns\":[%" PRIu64
	       ",%" PRIu64 "],\"process_ns\":%" PRIu64 ",\"calls\":{",
	       from->ticks, last, to->ticks, count, threads, tids,
	       count ? last - first : 0, to->ticks - from->ticks,
	       to->process_ns - from->process_ns);
	for (int k = 0; k < CALL_KINDS; k++)
		printf("%s\"%s\":%" PRIu64, k ? "," : "", kinds[k], calls[k]);
	printf("}");
	for (unsigned class = 0; class < CLASSES; class ++)
		print_class(class);
	print_seconds(from, to);
	print_syncs(&from->syncs, &to->syncs);
	print_kernel_counters(from, to);
	printf("}\n");
}

/* ---- the file ---- */

struct thread {
	struct thread_head head;
	struct timed_call *calls;
};

static void take(FILE *f, void *to, size_t size)
{
	if (size && fread(to, size, 1, f) != 1)
		message_fatal("the file is cut short");
}

static bool is_operation(const struct timed_call *call)
{
	enum call_kind kind = (enum call_kind)(call->length_kind & 15);

	return !after_it(kind) && !before_it(kind) && kind != CALL_UNDO;
}

/*
 * The start of the last operation of a thread that began one between two moments, before
 * a third; or 0.
 */
static uint64_t last_start(const struct thread *t, uint64_t from, uint64_t to,
			   uint64_t before)
{
	uint64_t last = 0;
	bool takes_part = false;

	for (uint64_t i = 0; i < t->head.calls && t->calls[i].start < before; i++) {
		if (t->calls[i].start < from || !is_operation(&t->calls[i]))
			continue;
		takes_part |= t->calls[i].start < to;
		last = t->calls[i].start;
	}
	return takes_part ? last : 0;
}

/*
 * The figures that begin at a mark end at the first one behind which their threads do
 * nothing more before the next begin; who is to write in the next ones may do so before
 * they begin.
 */
static uint64_t end_of(const struct counter_reading *marks, uint64_t n, uint64_t begin,
		       const struct thread *thread, uint64_t n_threads)
{
	uint64_t next = begin + 1, last = 0;

	while (next < n && !marks[next].begins_run)
		next++;
	for (uint64_t i = 0; i < n_threads && begin + 1 < n; i++) {
		uint64_t start =
			last_start(&thread[i], marks[begin].ticks, marks[begin + 1].ticks,
				   next < n ? marks[next].ticks : UINT64_MAX);

		last = start > last ? start : last;
	}
	for (uint64_t m = begin + 1; m < next; m++)
		if (marks[m].ticks > last)
			return m;
	return 0;
}

int main(int argc, char **argv)
{
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
	struct recording head;
	struct counter_reading *marks;
	struct thread *thread;

	if (!f)
		message_fatal("give a file that an instrument wrote");
	for (int i = 2; i < argc; i++) {
		ranges |= !strcmp(argv[i], "--ranges");
		if (!strncmp(argv[i], "--groups=", strlen("--groups=")))
			groups = strtoull(argv[i] + strlen("--groups="), NULL, 10);
	}
	take(f, &head, sizeof head);
	if (head.magic != RECORDING_MAGIC)
		message_fatal("no instrument wrote this file");
	marks = get_memory(NULL, head.marks, sizeof *marks);
	take(f, marks, head.marks * sizeof *marks);
	thread = get_memory(NULL, head.threads, sizeof *thread);
	for (uint64_t i = 0; i < head.threads; i++) {
		take(f, &thread[i].head, sizeof thread[i].head);
		thread[i].calls =
			get_memory(NULL, thread[i].head.calls, sizeof *thread[i].calls);
		take(f, thread[i].calls, thread[i].head.calls * sizeof *thread[i].calls);
	}
	for (uint64_t m = 0; m < head.marks; m++) {
		uint64_t end = marks[m].begins_run ? end_of(marks, head.marks, m, thread,
							    head.threads)
						   : 0;

		if (!end)
			continue;
		count = n_waits = 0;
		threads = 0;
		tids[0] = '\0';
		memset(calls, 0, sizeof calls);
		for (uint64_t i = 0; i < head.threads; i++)
			group_calls(thread[i].head.tid, thread[i].calls,
				    thread[i].head.calls, marks[m].ticks,
				    marks[end].ticks);
		print_interval(&marks[m], &marks[end]);
	}
	for (uint64_t i = 0; i < head.threads; i++)
		free(thread[i].calls);
	free(thread);
	free(marks);
	free(operations);
	free(waits);
	fclose(f);
	return 0;
}
