/* replay.c: see replay.h. */
#include "replay.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../util/os/big_stack.h"
#include "../../util/list_parser.h"
#include "../../util/message.h"
#include "../../util/trace.h"
#include "../../util/os/resource_usage.h"
#include "../workload/config.h"
#include "../../util/os/thread_name.h"
#include "trace_settings.h"

enum {
	REPLAY_BUCKETS = 4096,       /* groups of keys; a group belongs to one thread */
	REPLAY_CLIENT_SLOTS = 65536, /* slots of a hash table of clients */
	BLOCK_OPS_MAX = 256,
	BLOCK_KEY_BYTES = 32768,
	LANE_BLOCKS = 4, /* read ahead for each worker */
	BLOCK_WAIT_NS = 10000000
};

static const enum op op_of_trace[TRACE_OPERATIONS] = {
	[TRACE_GET] = OP_GET,        [TRACE_GETS] = OP_GET,
	[TRACE_SET] = OP_PUT,        [TRACE_ADD] = OP_MODIFY,
	[TRACE_REPLACE] = OP_MODIFY, [TRACE_CAS] = OP_MODIFY,
	[TRACE_APPEND] = OP_MODIFY,  [TRACE_PREPEND] = OP_MODIFY,
	[TRACE_DELETE] = OP_DELETE,  [TRACE_INCR] = OP_MODIFY,
	[TRACE_DECR] = OP_MODIFY,    [TRACE_SCAN] = OP_SEEK,
};

static const enum call replay_calls[TRACE_OPERATIONS] = {
	[TRACE_GET] = CALL_GET,         [TRACE_GETS] = CALL_GET,
	[TRACE_SET] = CALL_PUT,         [TRACE_ADD] = CALL_ADD,
	[TRACE_REPLACE] = CALL_REPLACE, [TRACE_CAS] = CALL_REPLACE,
	[TRACE_APPEND] = CALL_REPLACE,  [TRACE_PREPEND] = CALL_REPLACE,
	[TRACE_DELETE] = CALL_DELETE,   [TRACE_INCR] = CALL_REPLACE,
	[TRACE_DECR] = CALL_REPLACE,    [TRACE_SCAN] = CALL_SEEK,
};

_Static_assert((int)GENERATOR_SLOTS_MAX <= (int)RATE_SCHEDULE_CHUNK,
	       "a chunk's start times fit");

/* ---- before any file is touched: read the trace through ---- */

/* Lines by bucket of their key: all of them, and those that a load puts. */
static uint64_t lines_in_bucket[2][REPLAY_BUCKETS];

static unsigned bucket_of(uint64_t id)
{
	return (unsigned)(random_mix(id) >> 52);
}

static unsigned thread_of(uint64_t id, unsigned threads)
{
	return bucket_of(id) * threads / REPLAY_BUCKETS;
}

/* Does the line give the size of its key's value, which is there? */
static bool tells_value_size(const struct trace_line *line)
{
	return line->value_size && line->operation != TRACE_SCAN &&
	       !(op_of_trace[line->operation] == OP_GET &&
		 line->found == TRACE_FOUND_NOT);
}

static bool is_line_used(const struct workload *workload, const struct trace_line *line)
{
	return !workload->starts_empty || tells_value_size(line);
}

static uint64_t line_id(const struct trace_line *line)
{
	return trace_value_id(line->key, line->key_size,
			      (enum record_key_format)cfg->key_format, cfg->key_size);
}

/* Add a client's number to the table; returns whether it is new. */
static bool new_client(uint64_t *clients, uint64_t client)
{
	uint64_t at = random_mix(client) % REPLAY_CLIENT_SLOTS;

	while (clients[at] && clients[at] != client + 1)
		at = (at + 1) % REPLAY_CLIENT_SLOTS;
	if (clients[at])
		return false;
	clients[at] = client + 1;
	return true;
}

struct trace_survey {
	uint64_t lines, ops[OPS], clients, last_ns;
	struct trace_facts facts;
};

static void count_line(struct trace_survey *s, const struct trace_line *line,
		       uint64_t *clients)
{
	uint64_t id = line_id(line);

	s->lines++;
	s->ops[op_of_trace[line->operation]]++;
	lines_in_bucket[0][bucket_of(id)]++;
	if (tells_value_size(line)) {
		s->facts.loads++;
		s->facts.loaded_key_bytes += line->key_size;
		s->facts.loaded_value_bytes += line->value_size;
		lines_in_bucket[1][bucket_of(id)]++;
		if (line->value_size > s->facts.value_max)
			s->facts.value_max = (size_t)line->value_size;
	}
	if (line->operation != TRACE_SCAN && op_of_trace[line->operation] != OP_GET &&
	    op_of_trace[line->operation] != OP_DELETE) {
		s->facts.writes++;
		s->facts.written_bytes += line->value_size;
		s->facts.ttls += line->ttl > 0;
	}
	s->facts.is_found_known |= op_of_trace[line->operation] == OP_GET &&
				   line->found != TRACE_FOUND_UNKNOWN;
	if (line->key_size > s->facts.key_max)
		s->facts.key_max = line->key_size;
	if (s->clients < LIST_PARSER_MAX_THREADS)
		s->clients += new_client(clients, line->client);
}

static struct trace_survey survey_trace(void)
{
	uint64_t *clients = message_alloc(REPLAY_CLIENT_SLOTS, sizeof *clients);
	struct trace_survey s = {.lines = 0};
	char error[TRACE_ERROR_SIZE] = "";
	struct trace_line line;
	struct trace t;

	if (!trace_open(&t, trace_settings->in, error))
		message_fatal(2, "--trace_in: %s", error);
	while (trace_read(&t, &line, error)) {
		if (trace_settings->speed > 0 && line.ns < s.last_ns)
			message_fatal(2,
				      "--trace_in: %s: line %llu is earlier than the "
				      "line before; leave out --speed, or sort the trace",
				      trace_settings->in, (unsigned long long)t.lines);
		s.last_ns = line.ns;
		count_line(&s, &line, clients);
	}
	if (t.is_timeless && trace_settings->speed > 0)
		message_fatal(2, "--speed: %s has no times; leave out --speed",
			      trace_settings->in);
	trace_summarize(&t, s.facts.description, sizeof s.facts.description);
	if (*error || !trace_close(&t, error))
		message_fatal(2, "--trace_in: %s", error);
	if (!s.lines)
		message_fatal(2, "--trace_in: %s is empty", trace_settings->in);
	free(clients);
	return s;
}

/* Weights and operations of the workloads are those of the trace. */
static void set_counts(const struct trace_survey *s)
{
	double fractions[OPS];

	for (int op = 0; op < OPS; op++)
		fractions[op] = (double)s->ops[op];
	replay_workloads[REPLAY_LOAD].operations = s->facts.loads;
	replay_workloads[REPLAY_RUN].operations = s->lines;
	workload_set_weights(fractions, replay_workloads[REPLAY_RUN].weights);
}

unsigned replay_change_plan(struct plan_item *list, unsigned count,
			    struct trace_facts *facts)
{
	struct trace_survey s = {.lines = 0};
	bool alone = true;

	for (struct plan_item *item = list; item < list + count; item++) {
		const struct workload *workload = item->workload;

		alone &= workload->next == replay_next ||
			 workload_is_maintenance(workload);
		if (workload->next != replay_next)
			continue;
		if (!*trace_settings->in)
			message_fatal(2, "%s needs a trace; give --trace_in=FILE",
				      workload->name);
		if (!s.lines)
			s = survey_trace();
		if (trace_settings->clients)
			item->threads = (unsigned)s.clients;
		if (workload->starts_empty && !s.facts.loads)
			message_fatal(2,
				      "--trace_in: no line of %s gives the size of a "
				      "value; there is nothing to load",
				      trace_settings->in);
	}
	if (!s.lines)
		return count;
	s.facts.is_only_source = alone;
	*facts = s.facts;
	set_counts(&s);
	return count;
}

/* ---- reading ahead ---- */

struct replay_operation {
	uint64_t ns, id, value_size;
	uint32_t key_offset; /* offset in the block */
	uint16_t key_size;
	unsigned char operation, found;
};

struct replay_block {
	unsigned count;
	size_t key_bytes;
	struct replay_operation ops[BLOCK_OPS_MAX];
	char keys[BLOCK_KEY_BYTES];
};

/* The blocks of a worker, a ring. The reader fills the block after the full ones. */
struct replay_lane {
	pthread_cond_t block_filled;
	unsigned first_full, full_count;
	unsigned filling; /* the block that the reader fills */
	/* the worker waits for a block, even one that is not full */
	atomic_bool worker_waits;
	struct replay_block blocks[LANE_BLOCKS];
};

struct replay_reader {
	const struct workload *workload;
	unsigned threads;
	pthread_mutex_t lock;
	pthread_cond_t block_emptied;
	bool ended, stop;
	_Atomic double cpu_s;
	uint64_t first_ns;
	pthread_t thread;
	struct trace trace;
	struct replay_lane lanes[];
};

struct replay {
	struct replay_reader *reader, **reader_slot;
	struct replay_lane *lane;
	const struct replay_block *block; /* current block, or NULL */
	unsigned next_op;
	const atomic_bool *stop;
	struct rate_schedule *schedule; /* NULL: as fast as possible */
	double ticks_per_ns;
	struct replay_gets gets;
	unsigned char recorded[GENERATOR_SLOTS_MAX]; /* enum trace_found of each slot */
	bool is_missing[GENERATOR_SLOTS_MAX];
	struct rate_schedule_times times;
};

double replay_cpu_seconds(const struct replay_reader *reader)
{
	return reader ? reader->cpu_s : 0;
}

static struct replay_block *block_to_fill(struct replay_lane *lane)
{
	return &lane->blocks[lane->filling];
}

static void clear_block(struct replay_block *b)
{
	b->count = 0;
	b->key_bytes = 0;
}

/* Publish the filled block; the next free one is filled next. The lock is held. */
static void publish_block(struct replay_lane *lane)
{
	lane->full_count++;
	lane->worker_waits = false;
	lane->filling = (lane->filling + 1) % LANE_BLOCKS;
	if (lane->full_count < LANE_BLOCKS)
		clear_block(block_to_fill(lane));
	pthread_cond_signal(&lane->block_filled);
}

/*
 * Wait until the lane has a free block; first publish partly filled blocks that workers
 * wait for. The lock is held. Returns false if the workers have ended.
 */
static bool wait_for_free_block(struct replay_reader *reader, struct replay_lane *lane)
{
	reader->cpu_s = resource_usage_thread_cpu();
	while (lane->full_count == LANE_BLOCKS && !reader->stop) {
		for (struct replay_lane *l = reader->lanes;
		     l < reader->lanes + reader->threads; l++)
			if (l->worker_waits && block_to_fill(l)->count)
				publish_block(l);
		pthread_cond_wait(&reader->block_emptied, &reader->lock);
		if (lane->full_count < LANE_BLOCKS)
			clear_block(block_to_fill(lane));
	}
	return !reader->stop;
}

static void add_line_to_block(struct replay_block *b, const struct trace_line *line,
			      uint64_t id, uint64_t ns)
{
	b->ops[b->count++] = (struct replay_operation){
		.ns = ns,
		.id = id,
		.value_size = line->value_size,
		.key_offset = (uint32_t)b->key_bytes,
		.key_size = (uint16_t)line->key_size,
		.operation = (unsigned char)line->operation,
		.found = (unsigned char)line->found,
	};
	memcpy(b->keys + b->key_bytes, line->key, line->key_size);
	b->key_bytes += line->key_size;
}

/*
 * Add a line to the block of its key's worker; returns false if the workers have ended.
 */
static bool dispatch_line(struct replay_reader *reader, const struct trace_line *line)
{
	uint64_t id = line_id(line);
	struct replay_lane *lane = &reader->lanes[thread_of(id, reader->threads)];
	struct replay_block *b = block_to_fill(lane);
	bool goes_on;

	add_line_to_block(b, line, id, line->ns - reader->first_ns);
	if (b->count < BLOCK_OPS_MAX &&
	    b->key_bytes + TRACE_KEY_SIZE <= BLOCK_KEY_BYTES && !lane->worker_waits)
		return true;
	pthread_mutex_lock(&reader->lock);
	publish_block(lane);
	goes_on = wait_for_free_block(reader, lane);
	pthread_mutex_unlock(&reader->lock);
	return goes_on;
}

static void *read_trace(void *argument)
{
	struct replay_reader *reader = argument;
	char error[TRACE_ERROR_SIZE];
	struct trace_line line;
	bool first = true;

	thread_name_set("harness");
	while (trace_read(&reader->trace, &line, error)) {
		if (first)
			reader->first_ns = line.ns;
		first = false;
		if (is_line_used(reader->workload, &line) &&
		    !dispatch_line(reader, &line))
			break;
	}
	pthread_mutex_lock(&reader->lock);
	reader->ended = true;
	for (struct replay_lane *l = reader->lanes; l < reader->lanes + reader->threads;
	     l++) {
		if (l->full_count < LANE_BLOCKS && block_to_fill(l)->count)
			publish_block(l);
		pthread_cond_signal(&l->block_filled);
	}
	pthread_mutex_unlock(&reader->lock);
	reader->cpu_s = resource_usage_thread_cpu();
	return NULL;
}

static struct replay_reader *start_reader(const struct workload *workload,
					  unsigned threads)
{
	struct replay_reader *reader =
		message_alloc_aligned(sizeof *reader + threads * sizeof *reader->lanes);
	char error[TRACE_ERROR_SIZE];
	sigset_t all, before;

	reader->workload = workload;
	reader->threads = threads;
	pthread_mutex_init(&reader->lock, NULL);
	pthread_cond_init(&reader->block_emptied, NULL);
	for (unsigned i = 0; i < threads; i++)
		pthread_cond_init(&reader->lanes[i].block_filled, NULL);
	if (!trace_open(&reader->trace, trace_settings->in, error))
		message_fatal(1, "--trace_in: %s", error);
	/* Signals are handled by main(). */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	if (big_stack_thread(&reader->thread, read_trace, reader))
		message_fatal(1, "--trace_in: cannot start its reader thread; raise the "
				 "limit (ulimit -u)");
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return reader;
}

static void stop_reader(struct replay_reader *reader)
{
	char error[TRACE_ERROR_SIZE];

	pthread_mutex_lock(&reader->lock);
	reader->stop = true;
	pthread_cond_signal(&reader->block_emptied);
	pthread_mutex_unlock(&reader->lock);
	pthread_join(reader->thread, NULL);
	trace_close(&reader->trace, error);
	for (unsigned i = 0; i < reader->threads; i++)
		pthread_cond_destroy(&reader->lanes[i].block_filled);
	pthread_cond_destroy(&reader->block_emptied);
	pthread_mutex_destroy(&reader->lock);
	free(reader);
}

/* ---- the worker's side ---- */

/* Return the current block and take the next; returns false at the end of the trace. */
static bool next_block(struct replay *r)
{
	struct replay_reader *reader = r->reader;
	struct replay_lane *lane = r->lane;

	pthread_mutex_lock(&reader->lock);
	if (r->block) {
		lane->first_full = (lane->first_full + 1) % LANE_BLOCKS;
		lane->full_count--;
		r->block = NULL;
	}
	while (!lane->full_count && !reader->ended &&
	       !atomic_load_explicit(r->stop, memory_order_relaxed)) {
		struct timespec until;

		lane->worker_waits = true;
		pthread_cond_signal(&reader->block_emptied);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += BLOCK_WAIT_NS;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&lane->block_filled, &reader->lock, &until);
	}
	lane->worker_waits = false;
	if (lane->full_count)
		r->block = &lane->blocks[lane->first_full];
	pthread_cond_signal(&reader->block_emptied);
	pthread_mutex_unlock(&reader->lock);
	r->next_op = 0;
	return r->block;
}

/*
 * Is the current block the last that there is? Its worker would wait for the reader,
 * which may wait for a worker that waits for a lock of this one's snapshot or scan.
 */
static bool has_no_more(const struct replay *r)
{
	bool none;

	pthread_mutex_lock(&r->reader->lock);
	none = r->lane->full_count == 1;
	pthread_mutex_unlock(&r->reader->lock);
	return none;
}

static void fill_slot(struct generator *g, unsigned i, const struct replay_block *b,
		      const struct replay_operation *op)
{
	struct slot *slot = &g->slot[i];
	enum call call =
		g->workload->starts_empty ? CALL_PUT : replay_calls[op->operation];

	slot->key = (struct slice){b->keys + op->key_offset, op->key_size};
	slot->call = (unsigned char)call;
	slot->value.size = (size_t)op->value_size;
	g->id[i] = op->id;
	g->key_bytes += op->key_size;
	if (call == CALL_PUT || call == CALL_ADD || call == CALL_REPLACE)
		record_write_value((char *)(uintptr_t)slot->value.data, slot->value.size,
				   g->value_ratio, op->id, g->generation_fixed);
}

unsigned replay_next(struct generator *g, unsigned n)
{
	struct replay *r = g->source;
	unsigned left;

	if ((!r->block || r->next_op == r->block->count) && !next_block(r))
		return 0;
	left = r->block->count - r->next_op;
	n = n < left ? n : left;
	for (unsigned i = 0; i < n; i++) {
		const struct replay_operation *op = &r->block->ops[r->next_op + i];

		fill_slot(g, i, r->block, op);
		/* only a get finds */
		r->recorded[i] = op_of_trace[op->operation] == OP_GET
					 ? op->found
					 : TRACE_FOUND_UNKNOWN;
		r->times.starts[i] = (uint64_t)((double)op->ns * r->ticks_per_ns);
	}
	r->next_op += n;
	g->must_wait = r->next_op == r->block->count && has_no_more(r);
	r->times.n = n;
	if (r->schedule)
		rate_schedule_take_times(r->schedule);
	return n;
}

void replay_note_missing(const struct generator *g, unsigned slot)
{
	struct replay *r = g->source;

	r->is_missing[slot] = true;
}

void replay_note_done(const struct generator *g, unsigned from, unsigned n)
{
	struct replay *r = g->source;

	for (unsigned i = from; i < from + n; i++) {
		bool missing = r->is_missing[i];

		r->gets.recorded_found += r->recorded[i] == TRACE_FOUND;
		r->gets.lost += r->recorded[i] == TRACE_FOUND && missing;
		r->gets.gained += r->recorded[i] == TRACE_FOUND_NOT && !missing;
		r->is_missing[i] = false;
	}
}

const struct replay_gets *replay_gets_of(const struct generator *g)
{
	return &((const struct replay *)g->source)->gets;
}

/* The number of this worker's lines. */
static uint64_t own_operations(const struct generator *g, unsigned threads)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < REPLAY_BUCKETS; i++)
		if (i * threads / REPLAY_BUCKETS == g->number)
			n += lines_in_bucket[g->workload->starts_empty][i];
	return n;
}

void replay_start(struct generator *g, const struct replay_arguments *arguments)
{
	struct replay *r = message_alloc_aligned(sizeof *r);
	uint64_t own = own_operations(g, arguments->threads);

	if (!g->number)
		*arguments->reader = start_reader(g->workload, arguments->threads);
	*r = (struct replay){
		.reader = *arguments->reader,
		.lane = &(*arguments->reader)->lanes[g->number],
		.reader_slot = arguments->reader,
		.stop = arguments->stop,
		.schedule = arguments->schedule,
	};
	g->source = r;
	g->single_call = g->workload->starts_empty;
	g->operations =
		!arguments->calibrating || own < g->operations ? own : g->operations;
	if (!r->schedule)
		return;
	r->ticks_per_ns = 1 / (clock_tick_ns(arguments->clock) * trace_settings->speed);
	*r->schedule = rate_schedule_start_times(arguments->clock, 0, &r->times);
}

void replay_end(struct generator *g)
{
	struct replay *r = g->source;

	if (g->next != replay_next || !r)
		return;
	if (!g->number) {
		stop_reader(r->reader);
		*r->reader_slot = NULL;
	}
	free(r);
}

struct workload replay_workloads[] = {
	[REPLAY_LOAD] = {"replay-load",
			 "Load for replay: put each key of --trace_in that has a value "
			 "size into an "
			 "empty database.",
			 {[OP_PUT] = 100},
			 .key_order = ORDER_RANDOM,
			 .starts_empty = true,
			 .divided = true,
			 .unknown_keys = true,
			 .next = replay_next},
	[REPLAY_RUN] = {"replay",
			"Replay the operations of --trace_in by --threads threads at "
			"--speed. One "
			"thread does all operations on a key, in their order.",
			{[OP_GET] = 50, [OP_PUT] = 50},
			.key_order = ORDER_RANDOM,
			.divided = true,
			.deletes = true,
			.unknown_keys = true,
			.next = replay_next},
	[REPLAY_RUN + 1] = {0},
};
