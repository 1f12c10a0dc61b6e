/* replay.c: see replay.h. */
#include "replay.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../util/list.h"
#include "../util/say.h"
#include "../util/trace.h"
#include "../util/usage.h"
#include "config.h"

enum {
	BUCKETS = 4096,	 /* keys are dealt out to threads by so many */
	CLIENTS = 65536, /* places for the numbers of different clients */
	BLOCK_OPS = 256,
	BLOCK_KEYS = 32768,
	BLOCKS = 4, /* that are read ahead for each worker */
	PATIENCE_NS = 10000000
};

static const enum op op_of[TRACE_WHATS] = {
	[TRACE_GET] = OP_GET,	     [TRACE_GETS] = OP_GET,
	[TRACE_SET] = OP_PUT,	     [TRACE_ADD] = OP_MODIFY,
	[TRACE_REPLACE] = OP_MODIFY, [TRACE_CAS] = OP_MODIFY,
	[TRACE_APPEND] = OP_MODIFY,  [TRACE_PREPEND] = OP_MODIFY,
	[TRACE_DELETE] = OP_DELETE,  [TRACE_INCR] = OP_MODIFY,
	[TRACE_DECR] = OP_MODIFY,    [TRACE_SCAN] = OP_SEEK,
};

static const enum step replay_steps[TRACE_WHATS] = {
	[TRACE_GET] = STEP_GET,		[TRACE_GETS] = STEP_GET,
	[TRACE_SET] = STEP_PUT,		[TRACE_ADD] = STEP_ADD,
	[TRACE_REPLACE] = STEP_REPLACE, [TRACE_CAS] = STEP_REPLACE,
	[TRACE_APPEND] = STEP_REPLACE,	[TRACE_PREPEND] = STEP_REPLACE,
	[TRACE_DELETE] = STEP_DELETE,	[TRACE_INCR] = STEP_REPLACE,
	[TRACE_DECR] = STEP_REPLACE,	[TRACE_SCAN] = STEP_SEEK,
};

_Static_assert((int)ASK_SLOTS <= (int)PACE_TIMES, "a turn's times have room");

/* ---- before anything is touched: a look through the trace ---- */

/* Lines by the bucket of their key; those that a load puts, too. */
static uint64_t in_bucket[2][BUCKETS];

static unsigned bucket_of(uint64_t id)
{
	return (unsigned)(random_mix(id) >> 52);
}

static unsigned thread_of(uint64_t id, unsigned threads)
{
	return bucket_of(id) * threads / BUCKETS;
}

/* A line that tells how large the value of its key is. */
static bool loads(const struct trace_line *line)
{
	return line->value_size && line->what != TRACE_SCAN;
}

static bool takes_line(const struct workload *load, const struct trace_line *line)
{
	return !load->fresh || loads(line);
}

static uint64_t line_id(const struct trace_line *line)
{
	return trace_id(line->key, line->key_size, (enum record_keys)cfg->key_format,
			cfg->key_size);
}

/* Enter a client's number; answers whether it is a new one. */
static bool new_client(uint64_t *clients, uint64_t client)
{
	uint64_t at = random_mix(client) % CLIENTS;

	while (clients[at] && clients[at] != client + 1)
		at = (at + 1) % CLIENTS;
	if (clients[at])
		return false;
	clients[at] = client + 1;
	return true;
}

struct survey {
	uint64_t lines, loads, op[OPS], clients, last_ns;
	struct trace_facts facts;
};

static void count_line(struct survey *s, const struct trace_line *line, uint64_t *clients)
{
	uint64_t id = line_id(line);

	s->lines++;
	s->op[op_of[line->what]]++;
	in_bucket[0][bucket_of(id)]++;
	if (loads(line)) {
		s->loads++;
		in_bucket[1][bucket_of(id)]++;
		if (line->value_size > s->facts.value_most)
			s->facts.value_most = (size_t)line->value_size;
	}
	if (line->what != TRACE_SCAN && op_of[line->what] != OP_GET &&
	    op_of[line->what] != OP_DELETE) {
		s->facts.writes++;
		s->facts.written += line->value_size;
	}
	s->facts.ttls += line->ttl > 0;
	if (line->key_size > s->facts.key_most)
		s->facts.key_most = line->key_size;
	if (s->clients < LIST_THREADS)
		s->clients += new_client(clients, line->client);
}

static struct survey survey(void)
{
	uint64_t *clients = say_alloc(CLIENTS, sizeof *clients);
	struct survey s = {.lines = 0};
	char error[TRACE_ERROR] = "";
	struct trace_line line;
	struct trace t;

	if (!trace_open(&t, cfg->trace, error))
		die(2, "--trace: %s", error);
	while (trace_read(&t, &line, error)) {
		if (cfg->speed > 0 && line.ns < s.last_ns)
			die(2,
			    "--trace: %s: line %llu: its time is before that of the line "
			    "above; leave out --speed, "
			    "or sort it",
			    cfg->trace, (unsigned long long)t.lines);
		s.last_ns = line.ns;
		count_line(&s, &line, clients);
	}
	if (*error || !trace_close(&t, error))
		die(2, "--trace: %s", error);
	if (!s.lines)
		die(2, "--trace: %s has no line", cfg->trace);
	free(clients);
	return s;
}

void replay_plan(struct entry *list)
{
	struct survey s = {.lines = 0};

	for (struct entry *e = list; e->load; e++) {
		if (e->load->asks != ASKS_TRACE)
			continue;
		if (!*cfg->trace)
			die(2, "%s: whose trace? give --trace=FILE", e->load->name);
		if (!s.lines)
			s = survey();
		if (cfg->trace_clients)
			e->threads = (unsigned)s.clients;
		if (e->load->fresh && !s.loads)
			die(2,
			    "--trace: no line of %s tells the size of a value, so there "
			    "is nothing to load",
			    cfg->trace);
	}
	if (!s.lines)
		return;
	config_take_trace(&s.facts);
	workload_take_trace(s.op, s.lines, s.loads);
}

/* ---- reading ahead ---- */

struct feed_op {
	uint64_t ns, id, value_size;
	uint32_t key; /* where it stands in the block */
	uint16_t key_size;
	unsigned char what;
};

struct block {
	unsigned n;
	size_t keys; /* bytes of them */
	struct feed_op op[BLOCK_OPS];
	char key[BLOCK_KEYS];
};

/* The blocks of a worker: a ring. The reader fills the one behind the full ones. */
struct lane {
	pthread_cond_t filled;
	unsigned first, full;
	unsigned fill;	   /* which that is; the reader's */
	atomic_bool waits; /* the worker, for a block, be it full or not */
	struct block block[BLOCKS];
};

struct feed {
	const struct workload *load;
	unsigned threads;
	pthread_mutex_t lock;
	pthread_cond_t emptied;
	bool ended, stop;
	_Atomic double cpu;
	uint64_t first_ns;
	pthread_t reader;
	struct trace trace;
	struct lane lane[];
};

struct replay {
	struct feed *feed, **home;
	struct lane *lane;
	const struct block *block; /* in hand, or NULL */
	unsigned at;
	const atomic_bool *stop;
	struct pace *pace; /* NULL: as fast as it goes */
	double ticks_per_ns;
	struct pace_times times;
};

double replay_cpu(const struct feed *feed)
{
	return feed ? feed->cpu : 0;
}

static struct block *block_to_fill(struct lane *lane)
{
	return &lane->block[lane->fill];
}

static void clear_block(struct block *b)
{
	b->n = 0;
	b->keys = 0;
}

/* The block that has been filled; if there is a free one it is next. The lock is held. */
static void hand_over(struct lane *lane)
{
	lane->full++;
	lane->waits = false;
	lane->fill = (lane->fill + 1) % BLOCKS;
	if (lane->full < BLOCKS)
		clear_block(block_to_fill(lane));
	pthread_cond_signal(&lane->filled);
}

/*
 * Wait until the lane has a free block; meanwhile nobody waits for what has been read for
 * him. The lock is held. False if the workers have ended.
 */
static bool wait_for_room(struct feed *f, struct lane *lane)
{
	f->cpu = usage_thread_cpu();
	while (lane->full == BLOCKS && !f->stop) {
		for (struct lane *l = f->lane; l < f->lane + f->threads; l++)
			if (l->waits && block_to_fill(l)->n)
				hand_over(l);
		pthread_cond_wait(&f->emptied, &f->lock);
		if (lane->full < BLOCKS)
			clear_block(block_to_fill(lane));
	}
	return !f->stop;
}

static void add_line(struct block *b, const struct trace_line *line, uint64_t id,
		     uint64_t ns)
{
	b->op[b->n++] = (struct feed_op){
		.ns = ns,
		.id = id,
		.value_size = line->value_size,
		.key = (uint32_t)b->keys,
		.key_size = (uint16_t)line->key_size,
		.what = (unsigned char)line->what,
	};
	memcpy(b->key + b->keys, line->key, line->key_size);
	b->keys += line->key_size;
}

/* To the worker whose key it is; false if the workers have ended. */
static bool feed_line(struct feed *f, const struct trace_line *line)
{
	uint64_t id = line_id(line);
	struct lane *lane = &f->lane[thread_of(id, f->threads)];
	struct block *b = block_to_fill(lane);
	bool goes_on;

	add_line(b, line, id, line->ns - f->first_ns);
	if (b->n < BLOCK_OPS && b->keys + TRACE_KEY <= BLOCK_KEYS && !lane->waits)
		return true;
	pthread_mutex_lock(&f->lock);
	hand_over(lane);
	goes_on = wait_for_room(f, lane);
	pthread_mutex_unlock(&f->lock);
	return goes_on;
}

static void *read_trace(void *argument)
{
	struct feed *f = argument;
	char error[TRACE_ERROR];
	struct trace_line line;
	bool first = true;

	while (trace_read(&f->trace, &line, error)) {
		if (first)
			f->first_ns = line.ns;
		first = false;
		if (takes_line(f->load, &line) && !feed_line(f, &line))
			break;
	}
	pthread_mutex_lock(&f->lock);
	f->ended = true;
	for (struct lane *l = f->lane; l < f->lane + f->threads; l++) {
		if (l->full < BLOCKS && block_to_fill(l)->n)
			hand_over(l);
		pthread_cond_signal(&l->filled);
	}
	pthread_mutex_unlock(&f->lock);
	f->cpu = usage_thread_cpu();
	return NULL;
}

static struct feed *feed_start(const struct workload *load, unsigned threads)
{
	struct feed *f = say_alloc_apart(sizeof *f + threads * sizeof *f->lane);
	char error[TRACE_ERROR];
	sigset_t all, before;

	f->load = load;
	f->threads = threads;
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->emptied, NULL);
	for (unsigned i = 0; i < threads; i++)
		pthread_cond_init(&f->lane[i].filled, NULL);
	if (!trace_open(&f->trace, cfg->trace, error))
		die(1, "--trace: %s", error);
	/* Signals are for main(). */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	if (pthread_create(&f->reader, NULL, read_trace, f))
		die(1, "--trace: no thread to read it with; raise the limit (ulimit -u)");
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return f;
}

static void feed_end(struct feed *f)
{
	char error[TRACE_ERROR];

	pthread_mutex_lock(&f->lock);
	f->stop = true;
	pthread_cond_signal(&f->emptied);
	pthread_mutex_unlock(&f->lock);
	pthread_join(f->reader, NULL);
	trace_close(&f->trace, error);
	for (unsigned i = 0; i < f->threads; i++)
		pthread_cond_destroy(&f->lane[i].filled);
	pthread_cond_destroy(&f->emptied);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

/* ---- what a worker asks ---- */

/* Give back the block in hand and take the next; false at the end of the trace. */
static bool next_block(struct replay *r)
{
	struct feed *f = r->feed;
	struct lane *lane = r->lane;

	pthread_mutex_lock(&f->lock);
	if (r->block) {
		lane->first = (lane->first + 1) % BLOCKS;
		lane->full--;
		r->block = NULL;
	}
	while (!lane->full && !f->ended &&
	       !atomic_load_explicit(r->stop, memory_order_relaxed)) {
		struct timespec until;

		lane->waits = true;
		pthread_cond_signal(&f->emptied);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += PATIENCE_NS;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&lane->filled, &f->lock, &until);
	}
	lane->waits = false;
	if (lane->full)
		r->block = &lane->block[lane->first];
	pthread_cond_signal(&f->emptied);
	pthread_mutex_unlock(&f->lock);
	r->at = 0;
	return r->block;
}

static void fill_slot(struct ask *a, unsigned i, const struct block *b,
		      const struct feed_op *op)
{
	struct slot *slot = &a->slot[i];
	enum step step = a->role->fresh ? STEP_PUT : replay_steps[op->what];

	slot->key = (struct slice){b->key + op->key, op->key_size};
	slot->step = (unsigned char)step;
	slot->value.size = (size_t)op->value_size;
	a->id[i] = op->id;
	a->key_total += op->key_size;
	if (step == STEP_PUT || step == STEP_ADD || step == STEP_REPLACE)
		record_value((char *)(uintptr_t)slot->value.data, slot->value.size,
			     a->ratio, op->id, 0);
}

unsigned replay_next(struct ask *a, unsigned n)
{
	struct replay *r = a->replay;
	unsigned left;

	if ((!r->block || r->at == r->block->n) && !next_block(r))
		return 0;
	left = r->block->n - r->at;
	n = n < left ? n : left;
	for (unsigned i = 0; i < n; i++) {
		const struct feed_op *op = &r->block->op[r->at + i];

		fill_slot(a, i, r->block, op);
		r->times.due[i] = (uint64_t)((double)op->ns * r->ticks_per_ns);
	}
	r->at += n;
	r->times.n = n;
	if (r->pace)
		pace_take(r->pace);
	return n;
}

/* Lines that are this worker's. */
static uint64_t own_operations(const struct ask *a, unsigned threads)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < BUCKETS; i++)
		if (i * threads / BUCKETS == a->number)
			n += in_bucket[a->role->fresh][i];
	return n;
}

void replay_start(struct ask *a, const struct replay_terms *terms)
{
	struct replay *r = say_alloc_apart(sizeof *r);
	uint64_t own = own_operations(a, terms->threads);

	if (!a->number)
		*terms->feed = feed_start(a->role, terms->threads);
	*r = (struct replay){
		.feed = *terms->feed,
		.lane = &(*terms->feed)->lane[a->number],
		.home = terms->feed,
		.stop = terms->stop,
		.pace = terms->pace,
	};
	a->replay = r;
	a->uniform = a->role->fresh;
	a->todo = !terms->calibrates || own < a->todo ? own : a->todo;
	if (!r->pace)
		return;
	r->ticks_per_ns = 1 / (clock_unit_ns(terms->clock) * cfg->speed);
	*r->pace = pace_start_times(terms->clock, 0, &r->times);
}

void replay_end(struct ask *a)
{
	if (!a->replay)
		return;
	if (!a->number) {
		feed_end(a->replay->feed);
		*a->replay->home = NULL;
	}
	free(a->replay);
}
