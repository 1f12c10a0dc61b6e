/* ask.c: see ask.h. */
#include "ask.h"

#include <stdlib.h>
#include <string.h>

#include "../util/say.h"
#include "config.h"

enum { SLOT_BYTES = 65536 }; /* operations prepared ahead, in so much memory */

const enum step step_of[OPS] = {
	[OP_GET] = STEP_GET,	   [OP_MULTIGET] = STEP_MULTIGET,
	[OP_PUT] = STEP_PUT,	   [OP_APPEND] = STEP_APPEND,
	[OP_INSERT] = STEP_PUT,	   [OP_MODIFY] = STEP_FETCH,
	[OP_DELETE] = STEP_DELETE, [OP_EXPIRE] = STEP_DELETE,
	[OP_SEEK] = STEP_SEEK,	   [OP_NEXT] = STEP_NEXT,
	[OP_ACT] = STEP_ACT_READ, /* or another: it is told when it is drawn */
};

bool step_writes(enum step step)
{
	return 1u << step & (1u << STEP_PUT | 1u << STEP_APPEND | 1u << STEP_DELETE |
			     1u << STEP_ADD | 1u << STEP_REPLACE);
}

struct random ask_stream(const struct ask *a, const char *what)
{
	struct random r = random_seed(cfg->seed, what);

	r.state ^= a->random.state & ~(random_wide)1; /* stays odd */
	return r;
}

enum draw_kind ask_distribution(const struct workload *load)
{
	enum draw_kind kind = cfg->distribution ? (enum draw_kind)(cfg->distribution - 1)
						: load->draw;

	if (load->keys != RANDOM)
		return DRAW_UNIFORM;
	if (cfg->rng && kind == DRAW_UNIFORM)
		return DRAW_MINSTD;
	if (cfg->zipf && (kind == DRAW_SCRAMBLED || kind == DRAW_ZIPFIAN))
		return DRAW_UCSB2022;
	return kind;
}

/* ---- what a thread begins with ---- */

/* The operations of a workload by their weights, in an order of the thread's own. */
static void make_schedule(struct ask *a)
{
	unsigned n = 0;

	for (unsigned op = 0; op < OPS; op++)
		for (unsigned share = a->role->weight[op]; share; share--)
			a->schedule[n++] = (unsigned char)op;
	a->schedule_length = n;
	a->only = (enum op)a->schedule[0];
	a->uniform = n && a->schedule[0] == a->schedule[n - 1] && a->only != OP_MODIFY &&
		     a->only != OP_ACT;
	for (unsigned i = n; i-- > 1;) {
		unsigned j = (unsigned)random_below(&a->random, i + 1);
		unsigned char swap = a->schedule[i];

		a->schedule[i] = a->schedule[j];
		a->schedule[j] = swap;
	}
}

/* Ids that the thread may come to: a key space that grows may need more digits. */
static bool wide(const struct ask *a)
{
	return a->shared->num > 100000000 || a->grows || a->role->queue ||
	       a->shared->first_new > 100000000;
}

/* Buffers for operations prepared ahead, and slots that point into them. */
static void make_slots(struct ask *a, unsigned most)
{
	const struct ask_shared *s = a->shared;

	a->shape = (struct record_shape){
		.form = s->form,
		.wide = wide(a),
		.size = s->key_size,
		.stride = (s->key_size + 15) / 16 * 16,
	};
	a->sized = s->sizes.least != s->sizes.most || a->role->weight[OP_SEEK];
	a->value_room = record_sizes_most(&s->sizes);
	a->ratio = config_ratio();
	a->slots = (unsigned)(SLOT_BYTES / (a->value_room + a->shape.stride));
	a->slots = a->slots < 2 ? 2 : a->slots > ASK_SLOTS ? ASK_SLOTS : a->slots & ~1u;
	if (most)
		a->slots = most;
	a->slot = say_alloc_apart(a->slots * sizeof *a->slot);
	a->id = say_alloc_apart((a->slots + 1) / 2 * 2 *
				sizeof *a->id); /* record_keys makes pairs */
	a->drawn = a->uniform && a->role->asks == ASKS_DEALT
			   ? NULL
			   : say_alloc_apart(a->slots * sizeof *a->drawn);
	a->key_bytes = say_alloc_apart((a->slots + 1) * a->shape.stride);
	memset(a->key_bytes, '0', a->slots * a->shape.stride);
	if (workload_puts(a->role))
		a->values = say_alloc_apart(a->slots * a->value_room);
	for (unsigned i = 0; i < a->slots; i++)
		/* An absent key is a present one without its last digit or byte. */
		a->slot[i] = (struct slot){
			.key = {a->key_bytes + i * a->shape.stride,
				s->key_size - (a->role->keys == ABSENT &&
					       s->form != KEYS_NATIVE)},
			.value = {a->values ? a->values + i * a->value_room : NULL,
				  a->value_room},
			.step = (unsigned char)step_of[a->only],
		};
}

/*
 * In 2014 thread n's generator began at 1000 + n, and the writer beside readers was
 * thread 0; so it is with the default seed. UCSB's began anywhere.
 */
static uint32_t lcg_seed(const struct ask *a, enum draw_kind kind)
{
	struct random random = a->random;
	uint64_t first = 999 + cfg->seed;

	if (kind == DRAW_UCSB2022)
		return 1 + (uint32_t)random_below(&random, 0x7ffffffe);
	if (a->number < a->shared->threads)
		first += a->number + (a->shared->load->beside != BESIDE_NONE);
	return 1 + (uint32_t)((first - 1) % 0x7ffffffe);
}

static void make_draw(struct ask *a)
{
	const struct ask_shared *p = a->shared;
	enum draw_kind kind = ask_distribution(a->role);
	struct draw_shape shape = {
		.kind = kind,
		.theta = cfg->theta,
		.hot_keys = cfg->hotspot_keys,
		.hot_share = cfg->hotspot_share,
		.h = cfg->pareto_h,
		.lcg = lcg_seed(a, kind),
		.mixgraph = &cfg->mixgraph,
	};

	/*
	 * As in YCSB: hash onto the keys there will be, twice as many new ones as are to
	 * be expected.
	 */
	if (a->grows && a->role->weight[OP_INSERT])
		shape.hashed = a->span +
			       2 * (uint64_t)((double)(p->timed ? p->num
								: p->todo * p->threads) *
					      a->role->weight[OP_INSERT] /
					      a->schedule_length);
	draw_start(&a->draw, &shape, a->span);
	/* Background threads that options add move nobody. */
	a->draw.position = a->span / p->count * (a->number % p->count);
}

/* The part of a workload's records, and of its operations, that falls to this thread. */
static void make_share(struct ask *a)
{
	const struct workload *role = a->role;
	uint64_t threads = a->shared->threads, todo = a->shared->todo, n = a->number;

	a->stride = 1;
	a->todo = a->beside ? UINT64_MAX : todo;
	if (!role->shared || a->beside)
		return;
	a->position = todo / threads * n + (n < todo % threads ? n : todo % threads);
	a->todo = todo / threads + (n < todo % threads);
	if (cfg->parallel && role->weight[OP_GET] && role->keys == SEQUENTIAL) {
		a->position = 0;
		a->stride = n;
	}
}

void ask_start(struct ask *a, const struct ask_shared *shared,
	       const struct workload *role, unsigned number, const struct random *stream,
	       uint64_t *census, unsigned most)
{
	memset(a, 0, sizeof *a);
	a->shared = shared;
	a->role = role;
	a->number = number;
	a->beside = number >= shared->threads;
	shared->growth[number].born = shared->growth[number].dying = 0;
	a->random = *stream;
	a->lengths = ask_stream(a, "lengths");
	a->keys = role->keys;
	a->span = role->keys == HOT ? (shared->num + 99) / 100 : shared->num;
	a->grows = workload_grows(role);
	a->must_find = shared->must_find ||
		       (a->beside && shared->complete && !shared->load->deletes);
	a->contiguous = a->must_find && shared->form != KEYS_USER;
	a->generation = role->fresh ? 0 : (uint64_t)(number + 1) << 40;
	a->told = *cfg->record ? 0 : UINT64_MAX;
	make_schedule(a);
	make_share(a);
	make_draw(a);
	make_slots(a, most);
	if (role->queue) {
		a->queue = queue_start(number, shared->threads, a->todo);
		a->head = say_alloc(a->slots, sizeof *a->head);
	}
	census_start(&a->census, census);
}

void ask_end(struct ask *a)
{
	queue_end(a->queue);
	free(a->head);
	free(a->slot);
	free(a->id);
	free(a->drawn);
	free(a->key_bytes);
	free(a->values);
}

void ask_forget_counts(struct ask *a)
{
	census_clear(&a->census);
	a->draws = a->draw.tops = 0;
}

/* ---- which records ---- */

/*
 * Learn how far the threads have come, and let the key space follow: all of it is known
 * to be there.
 */
static void follow_growth(struct ask *a)
{
	uint64_t least = a->born, most = a->dead, threads = a->shared->threads, span;

	for (unsigned i = 0; i < threads; i++) {
		const struct growth *g = &a->shared->growth[i];
		uint64_t born = atomic_load_explicit(&g->born, memory_order_acquire);
		uint64_t dying = atomic_load_explicit(&g->dying, memory_order_relaxed);

		if (i != a->number)
			least = born < least ? born : least;
		most = dying > most ? dying : most;
	}
	a->all_dead = most;
	span = a->shared->num + (least > most ? (least - most) * threads : 0);
	if (span != a->span)
		draw_resize(&a->draw, a->span = span);
}

/* Draw n records of the key space as it is now. */
static void draw(struct ask *a, uint64_t *ids, unsigned n)
{
	draw_many(&a->draw, &a->random, ids, n);
	a->draws += n;
	if (a->grows)
		for (unsigned i = 0; i < n; i++)
			if (ids[i] >= a->shared->num)
				ids[i] += a->shared->first_new - a->shared->num +
					  a->all_dead * a->shared->threads;
	census_add(&a->census, ids, n);
}

static uint64_t own_record(const struct ask *a, uint64_t k)
{
	return a->shared->first_new + k * a->shared->threads + a->number;
}

bool ask_must_find(const struct ask *a, uint64_t id)
{
	uint64_t k = (id - a->shared->first_new) / a->shared->threads;
	unsigned owner = (unsigned)((id - a->shared->first_new) % a->shared->threads);

	if (!a->must_find || !a->grows || id < a->shared->first_new)
		return a->must_find;
	return k >= atomic_load_explicit(&a->shared->growth[owner].dying,
					 memory_order_acquire);
}

/* Which records the next n operations are about, all of them the same. */
static void ask_choose(struct ask *a, unsigned n)
{
	uint64_t *restrict id = a->id;

	if (a->only == OP_INSERT) {
		for (unsigned i = 0; i < n; i++)
			id[i] = own_record(a, a->born++);
		return;
	}
	switch (a->keys) {
	case RANDOM:
	case HOT:
	case ABSENT:
		draw(a, id, n);
		break;
	case SEQUENTIAL:
		for (unsigned i = 0; i < n; i++, a->position += a->stride)
			id[i] = a->position;
		break;
	case PERMUTED:
		for (unsigned i = 0; i < n; i++)
			id[i] = permutation_at(&a->shared->permutation, a->position++);
		break;
	case STRIDE:
		for (unsigned i = 0; i < n; i++) {
			a->position = (a->position + 1 + random_below(&a->random, 100)) %
				      a->span;
			id[i] = a->position;
		}
		break;
	case KEYS:
		break;
	}
}

/*
 * A deletion needs a record of the thread's own: where there is none yet it changes
 * places with an insertion.
 */
static enum op postpone_deletion(struct ask *a, enum op op)
{
	if (op == OP_EXPIRE && a->dead == a->born) {
		a->postponed++;
		return OP_INSERT;
	}
	if (op == OP_INSERT && a->postponed && a->dead < a->born) {
		a->postponed--;
		return OP_EXPIRE;
	}
	return op;
}

/*
 * Of the next n operations of the schedule, how many come before the next that changes
 * the key space.
 */
static unsigned run_length(const struct ask *a, unsigned n)
{
	unsigned at = a->scheduled, length = 0;

	if (!a->grows)
		return n;
	for (; length < n; length++, at = at + 1 == a->schedule_length ? 0 : at + 1)
		if (a->schedule[at] == OP_INSERT || a->schedule[at] == OP_EXPIRE)
			break;
	return length;
}

/*
 * Deal out the next n operations of the schedule: their steps and records. Records are
 * drawn for as many at once as see the same key space. Answers the slots they take.
 */
static unsigned compose(struct ask *a, unsigned n)
{
	unsigned slots = 0, run = 0;
	const uint64_t *drawn = a->drawn;
	struct slot *slot = a->slot;

	for (; n; n--, slots++) {
		enum op op = (enum op)a->schedule[a->scheduled];

		if (!run && (run = run_length(a, n))) {
			if (a->grows)
				follow_growth(a);
			draw(a, a->drawn, run);
			drawn = a->drawn;
		}
		a->scheduled = a->scheduled + 1 == a->schedule_length ? 0
								      : a->scheduled + 1;
		if (op == OP_INSERT || op == OP_EXPIRE) {
			op = postpone_deletion(a, op);
			a->id[slots] = own_record(a, op == OP_INSERT ? a->born++
								     : a->dead++);
			slot[slots].step = (unsigned char)step_of[op];
			continue;
		}
		run--;
		a->id[slots] = *drawn++;
		slot[slots].step = (unsigned char)step_of[op];
		if (op == OP_MODIFY) {
			slot[slots].step = STEP_FETCH | HALF |
					   (a->shared->transacts ? BEGIN : 0);
			a->id[slots + 1] = a->id[slots];
			slot[++slots].step = STEP_PUT |
					     (a->shared->transacts ? COMMIT : 0);
		}
	}
	if (a->grows)
		atomic_store_explicit(&a->shared->growth[a->number].dying, a->dead,
				      memory_order_release);
	return slots;
}

/* The next operations on queues, one slot each. */
static void compose_queues(struct ask *a, unsigned n)
{
	static const enum step steps[] = {[QUEUE_APPEND] = STEP_PUT,
					  [QUEUE_DELETE] = STEP_DELETE,
					  [QUEUE_SEEK] = STEP_HEAD};

	for (unsigned i = 0; i < n; i++) {
		bool deletion = a->schedule[a->scheduled] == OP_DELETE;

		a->scheduled = (a->scheduled + 1) % a->schedule_length;
		a->slot[i].step = (unsigned char)steps[queue_next(
			a->queue, &a->random, deletion, &a->id[i], &a->head[i])];
	}
}

void ask_show_born(struct ask *a)
{
	if (a->grows)
		atomic_store_explicit(&a->shared->growth[a->number].born, a->born,
				      memory_order_release);
}

struct ask_place ask_place(const struct ask *a)
{
	return (struct ask_place){a->random,	 a->draw, a->position,
				  a->generation, a->born, a->draws};
}

void ask_return(struct ask *a, const struct ask_place *place)
{
	a->random = place->random;
	a->draw = place->draw;
	a->position = place->position;
	a->generation = place->generation;
	a->born = place->born;
	a->draws = place->draws;
}

/* ---- with which keys and values ---- */

static void make_values(struct ask *a, unsigned n)
{
	const bool sized = a->sized, all = a->uniform;
	const uint64_t *id = a->id, told = a->told;
	uint64_t generation = a->generation, advance = generation > 0;
	struct slot *slot = a->slot;

	for (unsigned i = 0; i < n; i++, slot++, generation += advance) {
		if (!all && !step_writes((enum step)(slot->step & STEP_MASK)))
			continue;
		if (sized)
			slot->value.size = record_size(&a->shared->sizes, id[i],
						       generation);
		record_value((char *)(uintptr_t)slot->value.data, slot->value.size,
			     a->ratio, id[i], generation & told);
	}
	a->generation = generation;
}

/* The next values of records that are a cast's. */
static void make_acts_values(struct ask *a, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		a->shared->stage->acts->value(a->shared->stage,
					      (char *)(uintptr_t)a->slot[i].value.data,
					      a->slot[i].value.size, a->id[i]);
}

/* How many records each seek reads stands where a write has its value's size. */
static void make_lengths(struct ask *a, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if ((a->slot[i].step & STEP_MASK) == STEP_SEEK)
			a->slot[i].value.size = record_size(&a->shared->scan_lengths,
							    random_next(&a->lengths), 0);
}

unsigned ask_deal(struct ask *a, unsigned n)
{
	const uint64_t BEYOND = UINT64_C(1)
				<< 62; /* what any number of inserts comes to */

	if (a->uniform)
		ask_choose(a, n);
	else if (a->queue)
		compose_queues(a, n);
	else
		n = compose(a, a->role->weight[OP_MODIFY] && n > a->slots / 2
				       ? a->slots / 2
				       : n);
	if (a->keys == ABSENT && a->shape.form == KEYS_NATIVE)
		for (unsigned i = 0; i < n; i++)
			a->id[i] += BEYOND;
	record_keys(&a->shape, a->key_bytes, a->id, n);
	if (a->role->cast)
		make_acts_values(a, n);
	else if (a->values)
		make_values(a, n);
	if (a->role->weight[OP_SEEK])
		make_lengths(a, n);
	return n;
}
