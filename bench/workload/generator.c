/* generator.c: see generator.h. */
#include "generator.h"

#include <stdlib.h>
#include <string.h>

#include "../../util/message.h"
#include "config.h"
#include "extra.h"

enum { SLOT_MEMORY = 65536 }; /* operations prepared ahead fit into this many bytes */

const enum call generator_first_call[OPS] = {
	[OP_GET] = CALL_GET,
	[OP_MULTIGET] = CALL_MULTIGET,
	[OP_PUT] = CALL_PUT,
	[OP_APPEND] = CALL_APPEND,
	[OP_INSERT] = CALL_PUT,
	[OP_MODIFY] = CALL_RMW_GET,
	[OP_DELETE] = CALL_DELETE,
	[OP_EXPIRE] = CALL_DELETE,
	[OP_SEEK] = CALL_SEEK,
	[OP_NEXT] = CALL_NEXT,
	[OP_PROCEDURE] = CALL_OWN_READ, /* its kind is known when it is drawn */
};

const enum result_kind generator_kind_of_call[CALLS] = {
	[CALL_GET] = KIND_READ,      [CALL_RMW_GET] = KIND_READ,
	[CALL_PUT] = KIND_WRITE,     [CALL_APPEND] = KIND_WRITE,
	[CALL_DELETE] = KIND_WRITE,  [CALL_SEEK] = KIND_SCAN,
	[CALL_NEXT] = KIND_SCAN,     [CALL_MULTIGET] = KIND_READ,
	[CALL_OWN_READ] = KIND_READ, [CALL_OWN_WRITE] = KIND_WRITE,
	[CALL_OWN_SCAN] = KIND_SCAN, [CALL_ADD] = KIND_WRITE,
	[CALL_REPLACE] = KIND_WRITE,
};

bool generator_call_writes(enum call call)
{
	return 1u << call & (1u << CALL_PUT | 1u << CALL_APPEND | 1u << CALL_DELETE |
			     1u << CALL_ADD | 1u << CALL_REPLACE);
}

struct random generator_random_stream(const struct generator *g, const char *what)
{
	struct random r = random_seed(cfg->seed, what);

	r.state ^= g->random.state & ~(random_u128)1; /* stays odd */
	return r;
}

enum distribution_kind generator_distribution(const struct workload *workload)
{
	enum distribution_kind kind =
		cfg->distribution ? (enum distribution_kind)(cfg->distribution - 1)
				  : workload->distribution;

	if (workload->key_order != ORDER_RANDOM)
		return DISTRIBUTION_UNIFORM;
	if (cfg->rng && kind == DISTRIBUTION_UNIFORM)
		return DISTRIBUTION_MINSTD;
	if (cfg->zipf_generator &&
	    (kind == DISTRIBUTION_SCRAMBLED_ZIPFIAN || kind == DISTRIBUTION_ZIPFIAN))
		return DISTRIBUTION_UCSB2022;
	return kind;
}

/* ---- initialization ---- */

/* The operations of a workload by their weights, in an order of the thread's own. */
static void make_schedule(struct generator *g)
{
	unsigned n = 0;

	for (unsigned op = 0; op < OPS; op++)
		for (unsigned left = g->workload->weights[op]; left; left--)
			g->schedule[n++] = (unsigned char)op;
	g->schedule_length = n;
	g->only_op = (enum op)g->schedule[0];
	g->single_call = n && g->schedule[0] == g->schedule[n - 1] &&
			 g->only_op != OP_MODIFY && g->only_op != OP_PROCEDURE;
	for (unsigned i = n; i-- > 1;) {
		unsigned j = (unsigned)random_below(&g->random, i + 1);
		unsigned char swap = g->schedule[i];

		g->schedule[i] = g->schedule[j];
		g->schedule[j] = swap;
	}
}

/* May ids need more digits than usual? So they may if the key range grows. */
static bool needs_wide_keys(const struct generator *g)
{
	return g->shared->num > 100000000 || g->key_range_grows ||
	       g->workload->own_keys || g->shared->first_free_id > 100000000;
}

/* Buffers for operations prepared ahead, and slots that point into them. */
static void make_slots(struct generator *g, unsigned most)
{
	const struct generator_shared *shared = g->shared;

	g->key_shape = (struct record_key_shape){
		.format = shared->key_format,
		.wide = needs_wide_keys(g),
		.size = shared->key_size,
		.stride = (shared->key_size + 15) / 16 * 16,
	};
	g->sizes_vary = shared->value_sizes.min != shared->value_sizes.max ||
			g->workload->weights[OP_SEEK];
	g->value_capacity = record_sizes_max(&shared->value_sizes);
	g->value_ratio = config_value_ratio();
	g->slots = (unsigned)(SLOT_MEMORY / (g->value_capacity + g->key_shape.stride));
	g->slots = g->slots < 2                     ? 2
		   : g->slots > GENERATOR_SLOTS_MAX ? GENERATOR_SLOTS_MAX
						    : g->slots & ~1u;
	if (most)
		g->slots = most;
	g->slot = message_alloc_aligned(g->slots * sizeof *g->slot);
	g->id = message_alloc_aligned((g->slots + 1) / 2 * 2 *
				      sizeof *g->id); /* record_write_keys makes pairs */
	g->drawn_ids = g->single_call && !g->workload->next
			       ? NULL
			       : message_alloc_aligned(g->slots * sizeof *g->drawn_ids);
	g->key_buffer = message_alloc_aligned((g->slots + 1) * g->key_shape.stride);
	memset(g->key_buffer, '0', g->slots * g->key_shape.stride);
	if (workload_puts(g->workload))
		g->value_buffer = message_alloc_aligned(g->slots * g->value_capacity);
	for (unsigned i = 0; i < g->slots; i++)
		/* An absent key is an existing one without its last digit or byte. */
		g->slot[i] = (struct slot){
			.key = {g->key_buffer + i * g->key_shape.stride,
				shared->key_size -
					(g->workload->key_order == ORDER_ABSENT &&
					 shared->key_format != KEYS_NATIVE)},
			.value = {g->value_buffer
					  ? g->value_buffer + i * g->value_capacity
					  : NULL,
				  g->value_capacity},
			.call = (unsigned char)(generator_first_call[g->only_op] |
						(g->only_op == OP_INSERT ? CALL_INSERTS
									 : 0)),
		};
}

/*
 * In 2014 thread n's generator began at 1000 + n, and the background writer was thread
 * 0. The default seed reproduces that in the first workload after a load. In later ones
 * all threads are as many draws further: a draw multiplies modulo 2^31 - 1, and every
 * factor is a power of the multiplier. UCSB's generator began at a random state.
 */
static uint32_t choose_lcg_seed(const struct generator *g, enum distribution_kind kind)
{
	const uint64_t MODULUS = 0x7fffffff, stream = g->shared->value_stream;
	struct random random = g->random;
	uint64_t first = 999 + cfg->seed;

	if (kind == DISTRIBUTION_UCSB2022)
		return 1 + (uint32_t)random_below(&random, MODULUS - 1);
	if (g->number < g->shared->threads)
		first += g->number +
			 (g->shared->workload->own_background != OWN_BACKGROUND_NONE);
	first = 1 + (first - 1) % (MODULUS - 1);
	return (uint32_t)(first * (stream ? 1 + stream % (MODULUS - 1) : 1) % MODULUS);
}

/*
 * How many records all threads together will insert, as far as that is known; in YCSB by
 * its operationcount, also if that is 0 and a time ends the run.
 */
static uint64_t expected_inserts(const struct generator *g)
{
	const struct generator_shared *shared = g->shared;
	uint64_t operations =
		shared->workload->grows_as_ycsb ? shared->workload->operations
		: shared->timed                 ? shared->num
		: shared->workload->divided     ? shared->operations
						: shared->operations * shared->threads;

	return (uint64_t)((double)operations * g->workload->weights[OP_INSERT] /
			  g->schedule_length);
}

static void make_distribution(struct generator *g)
{
	const struct generator_shared *shared = g->shared;
	enum distribution_kind kind = generator_distribution(g->workload);
	struct distribution_parameters shape = {
		.kind = kind,
		.theta = cfg->theta,
		.hot_keys = cfg->hotspot_keys,
		.hot_fraction = cfg->hotspot_share,
		.h = cfg->pareto_h,
		.lcg_seed = choose_lcg_seed(g, kind),
		.draw_keys = extra_with_distribution()->draw_keys,
	};

	/*
	 * As in YCSB: hash onto the expected final keys, twice as many new ones as are
	 * expected.
	 */
	if (g->key_range_grows && g->workload->weights[OP_INSERT])
		shape.hash_range = g->id_limit + 2 * expected_inserts(g);
	if (g->workload->grows_as_ycsb)
		shape.hash_range =
			1 + (shape.hash_range ? shape.hash_range : g->id_limit);
	shape.keeps_scale = g->workload->grows_as_ycsb;
	distribution_init(&g->distribution, &shape, g->id_limit);
	/* Background threads that options add do not change the others' positions. */
	g->distribution.position =
		g->id_limit / shared->all_threads * (g->number % shared->all_threads);
}

/* The thread's part of a workload's records and operations. */
static void divide_operations(struct generator *g)
{
	const struct workload *role = g->workload;
	uint64_t threads = g->shared->threads, todo = g->shared->operations,
		 n = g->number;

	g->stride = 1;
	g->operations = g->is_background ? UINT64_MAX : todo;
	if (!role->divided || g->is_background)
		return;
	g->position = todo / threads * n + (n < todo % threads ? n : todo % threads);
	g->operations = todo / threads + (n < todo % threads);
	if (cfg->voron_partitioning && role->weights[OP_GET] &&
	    role->key_order == ORDER_SEQUENTIAL) {
		g->position = 0;
		g->stride = n;
	}
}

/*
 * Does it write keys that have a value? Then the value must change: an engine may skip
 * a value that it already holds. With a size distribution generation 0 has the size of
 * the load.
 */
static bool rewrites_keys(const struct generator *g)
{
	return !g->workload->starts_empty || (g->workload->key_order == ORDER_RANDOM &&
					      !(g->shared->value_sizes.pareto.sigma > 0));
}

/*
 * The first value's generation. Threads, and measurements of one database, have ranges of
 * their own, which do not wrap to 0: that is a load's.
 */
static uint64_t first_generation(const struct generator *g)
{
	const uint64_t stream = g->shared->value_stream;

	if (!rewrites_keys(g))
		return 0;
	return stream ? random_mix(stream + g->number) >> 2 | 1
		      : (uint64_t)(g->number + 1) << 40;
}

void generator_init(struct generator *g, const struct generator_shared *shared,
		    const struct workload *role, unsigned number,
		    const struct random *stream, uint64_t *distinct_key_slots,
		    unsigned most)
{
	memset(g, 0, sizeof *g);
	g->shared = shared;
	g->workload = role;
	g->number = number;
	g->is_background = number >= shared->threads;
	shared->growth[number].inserted = shared->growth[number].deleting = 0;
	g->random = *stream;
	g->length_random = generator_random_stream(g, "lengths");
	g->key_order = role->key_order;
	g->id_limit = role->key_order == ORDER_HOT      ? (shared->num + 99) / 100
		      : role->key_divisor > shared->num ? 1
		      : role->key_divisor               ? shared->num / role->key_divisor
							: shared->num;
	g->multiget_stride = role->weights[OP_MULTIGET] ? cfg->db_bench.stride : 0;
	g->key_range_grows = workload_grows(role);
	/* With concurrent deletes no other thread knows which records still exist. */
	g->must_find = g->is_background ? shared->complete && !shared->workload->deletes
					: shared->must_find;
	g->contiguous = g->must_find && shared->key_format != KEYS_USER;
	g->generation = first_generation(g);
	g->generation_mask = shared->values_by_key ? 0 : UINT64_MAX;
	g->generation_fixed = shared->values_by_key ? shared->value_stream : 0;
	generator_end_snapshot(g);
	make_schedule(g);
	divide_operations(g);
	make_distribution(g);
	make_slots(g, most);
	g->next = role->next ? role->next : generator_next_by_weight;
	distinct_count_init(&g->distinct_keys, distinct_key_slots);
}

void generator_free(struct generator *g)
{
	free(g->slot);
	free(g->id);
	free(g->drawn_ids);
	free(g->key_buffer);
	free(g->value_buffer);
}

void generator_reset_counts(struct generator *g)
{
	distinct_count_clear(&g->distinct_keys);
	g->keys_drawn = g->distribution.top1pct_draws = 0;
	g->uncounted = 0;
}

void generator_count_keys(struct generator *g, unsigned slots)
{
	unsigned n = 0;

	/* A record of the thread's own is not drawn, nor the second of two calls. */
	for (unsigned i = 0; i < slots && n < g->uncounted; i++)
		n += g->id[i] == g->uncounted_ids[n] &&
		     !(i && g->slot[i - 1].call & CALL_FIRST_OF_TWO);
	distinct_count_add(&g->distinct_keys, g->uncounted_ids, n);
	g->uncounted = 0;
}

/* ---- record ids ---- */

/*
 * YCSB draws uniform, hotspot and sequential keys from the records that were loaded. Of
 * the others it draws inserted records, too: its scrambled keys are hashed onto one more
 * than are expected, and the scale of its exponential ones stays that of the load.
 */
static bool draws_loaded(const struct generator *g)
{
	enum distribution_kind kind = g->distribution.parameters.kind;

	return g->workload->grows_as_ycsb &&
	       (kind == DISTRIBUTION_UNIFORM || kind == DISTRIBUTION_HOTSPOT ||
		kind == DISTRIBUTION_SEQUENTIAL);
}

/*
 * Read how far the threads have come, and extend the key range to the records that are
 * known to exist.
 */
static void update_key_range(struct generator *g)
{
	uint64_t least = g->inserted, most = g->deleted, threads = g->shared->threads,
		 span;

	for (unsigned i = 0; i < threads; i++) {
		const struct growth *other = &g->shared->growth[i];
		uint64_t inserted =
			atomic_load_explicit(&other->inserted, memory_order_acquire);
		uint64_t deleting =
			atomic_load_explicit(&other->deleting, memory_order_relaxed);

		if (i != g->number)
			least = inserted < least ? inserted : least;
		most = deleting > most ? deleting : most;
	}
	g->max_deleted = most;
	span = g->shared->num + (least > most ? (least - most) * threads : 0);
	if (span != g->id_limit && !draws_loaded(g))
		distribution_resize(&g->distribution, g->id_limit = span);
}

/*
 * The keys of a multi-get in db_bench's place, `multiget_stride` apart from the first one
 * on. Where they would reach beyond the last record, they end before it.
 */
static void spread_ids(const struct generator *g, uint64_t *ids, unsigned n)
{
	uint64_t stride = g->multiget_stride, num = g->shared->num;

	if (ids[0] + (n - 1) * stride >= num)
		ids[0] = num > n * stride ? num - n * stride : 0;
	for (unsigned i = 1; i < n; i++)
		ids[i] = (ids[0] + i * stride) % num;
}

/* Draw n records of the current key range. */
static void draw_ids(struct generator *g, uint64_t *ids, unsigned n)
{
	distribution_draw(&g->distribution, &g->random, ids, n);
	if (g->multiget_stride)
		spread_ids(g, ids, n);
	generator_note_drawn(g, ids, n);
	if (g->key_range_grows)
		for (unsigned i = 0; i < n; i++)
			if (ids[i] >= g->shared->num)
				ids[i] += g->shared->first_free_id - g->shared->num +
					  g->max_deleted * g->shared->threads;
}

static uint64_t own_record_id(const struct generator *g, uint64_t k)
{
	return g->shared->first_free_id + k * g->shared->threads + g->number;
}

void generator_begin_snapshot(struct generator *g)
{
	g->snapshot_inserted = UINT64_MAX;
	for (unsigned i = 0; g->key_range_grows && i < g->shared->threads; i++) {
		uint64_t inserted = atomic_load_explicit(&g->shared->growth[i].inserted,
							 memory_order_acquire);

		g->snapshot_inserted =
			inserted < g->snapshot_inserted ? inserted : g->snapshot_inserted;
	}
}

void generator_end_snapshot(struct generator *g)
{
	g->snapshot_inserted = UINT64_MAX;
}

bool generator_must_find(const struct generator *g, uint64_t id)
{
	uint64_t k = (id - g->shared->first_free_id) / g->shared->threads;
	unsigned owner = (unsigned)((id - g->shared->first_free_id) % g->shared->threads);

	if (!g->must_find || !g->key_range_grows || id < g->shared->first_free_id)
		return g->must_find;
	return k < g->snapshot_inserted &&
	       k >= atomic_load_explicit(&g->shared->growth[owner].deleting,
					 memory_order_acquire);
}

uint64_t generator_growth(const struct generator *g, unsigned from, unsigned end)
{
	uint64_t grown = g->inserted - g->deleted;

	for (unsigned i = from; i < end; i++) {
		grown -= (g->slot[i].call & CALL_INSERTS) > 0;
		grown += (g->slot[i].call & CALL_MASK) == CALL_DELETE;
	}
	return grown;
}

/* Choose the records of the next n operations, all of one kind. */
static void choose_ids(struct generator *g, unsigned n)
{
	uint64_t *restrict id = g->id;

	if (g->only_op == OP_INSERT) {
		for (unsigned i = 0; i < n; i++)
			id[i] = own_record_id(g, g->inserted++);
		return;
	}
	switch (g->key_order) {
	case ORDER_RANDOM:
	case ORDER_HOT:
	case ORDER_ABSENT:
		draw_ids(g, id, n);
		break;
	case ORDER_SEQUENTIAL:
		for (unsigned i = 0; i < n; i++, g->position += g->stride)
			id[i] = g->position;
		break;
	case ORDER_PERMUTED:
		for (unsigned i = 0; i < n; i++)
			id[i] = random_permutation_at(&g->shared->permutation,
						      g->position++);
		break;
	case ORDER_STRIDE:
		for (unsigned i = 0; i < n; i++) {
			g->position = (g->position + 1 + random_below(&g->random, 100)) %
				      g->id_limit;
			id[i] = g->position;
		}
		break;
	case KEY_ORDERS:
		break;
	}
}

/*
 * A deletion needs a record of the thread's own. While there is none, it changes places
 * with a later insertion.
 */
static enum op postpone_deletion(struct generator *g, enum op op)
{
	if (op == OP_EXPIRE && g->deleted == g->inserted) {
		g->postponed_deletes++;
		return OP_INSERT;
	}
	if (op == OP_INSERT && g->postponed_deletes && g->deleted < g->inserted) {
		g->postponed_deletes--;
		return OP_EXPIRE;
	}
	return op;
}

/*
 * How many of the next n operations of the schedule precede the next change of the key
 * range.
 */
static unsigned count_until_growth(const struct generator *g, unsigned n)
{
	unsigned at = g->schedule_position, length = 0;

	if (!g->key_range_grows)
		return n;
	for (; length < n; length++, at = at + 1 == g->schedule_length ? 0 : at + 1)
		if (g->schedule[at] == OP_INSERT || g->schedule[at] == OP_EXPIRE)
			break;
	return length;
}

/*
 * Deal out the next n operations of the schedule: their calls and records. Ids are
 * drawn at once for operations that have the same key range. Returns the number of
 * slots.
 */
static unsigned deal_operations(struct generator *g, unsigned n)
{
	unsigned slots = 0, run = 0;
	uint64_t *drawn = g->drawn_ids, *ids_left = drawn;
	struct slot *slot = g->slot;

	for (; n; n--, slots++) {
		enum op op = (enum op)g->schedule[g->schedule_position];

		if (!run && (run = count_until_growth(g, n))) {
			if (g->key_range_grows)
				update_key_range(g);
			draw_ids(g, drawn, run);
			ids_left = drawn;
			drawn += run;
		}
		g->schedule_position = g->schedule_position + 1 == g->schedule_length
					       ? 0
					       : g->schedule_position + 1;
		if (op == OP_INSERT || op == OP_EXPIRE) {
			op = postpone_deletion(g, op);
			g->id[slots] = own_record_id(g, op == OP_INSERT ? g->inserted++
									: g->deleted++);
			slot[slots].call =
				(unsigned char)(generator_first_call[op] |
						(op == OP_INSERT ? CALL_INSERTS : 0));
			continue;
		}
		run--;
		g->id[slots] = *ids_left++;
		slot[slots].call = (unsigned char)generator_first_call[op];
		if (op == OP_MODIFY) {
			slot[slots].call =
				CALL_RMW_GET | CALL_FIRST_OF_TWO |
				(g->shared->rmw_is_transaction ? CALL_BEGIN : 0);
			g->id[slots + 1] = g->id[slots];
			slot[++slots].call =
				CALL_PUT |
				(g->shared->rmw_is_transaction ? CALL_COMMIT : 0);
		}
	}
	if (g->key_range_grows)
		atomic_store_explicit(&g->shared->growth[g->number].deleting, g->deleted,
				      memory_order_release);
	return slots;
}

void generator_publish_inserted(struct generator *g)
{
	atomic_store_explicit(&g->shared->growth[g->number].inserted, g->inserted,
			      memory_order_release);
}

struct generator_state generator_save(const struct generator *g)
{
	return (struct generator_state){g->random,     g->distribution, g->position,
					g->generation, g->inserted,     g->keys_drawn};
}

void generator_restore(struct generator *g, const struct generator_state *state)
{
	g->random = state->random;
	g->distribution = state->distribution;
	g->position = state->position;
	g->generation = state->generation;
	g->inserted = state->inserted;
	g->keys_drawn = state->keys_drawn;
}

/* ---- keys and values ---- */

static void make_values(struct generator *g, unsigned n)
{
	const bool sized = g->sizes_vary, all = g->single_call;
	const uint64_t *id = g->id, mask = g->generation_mask,
		       fixed = g->generation_fixed;
	uint64_t generation = g->generation, advance = generation > 0;
	struct slot *slot = g->slot;

	for (unsigned i = 0; i < n; i++, slot++, generation += advance) {
		if (!all && !generator_call_writes((enum call)(slot->call & CALL_MASK)))
			continue;
		if (sized)
			slot->value.size =
				record_size(&g->shared->value_sizes, id[i], generation);
		record_write_value((char *)(uintptr_t)slot->value.data, slot->value.size,
				   g->value_ratio, id[i], (generation & mask) | fixed);
	}
	g->generation = generation;
}

/* The next values of a procedure's records. */
static void make_procedure_values(struct generator *g, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		g->shared->procedure->procedure->make_value(
			g->shared->procedure, (char *)(uintptr_t)g->slot[i].value.data,
			g->slot[i].value.size, g->id[i]);
}

/* A seek's slot has the number of records in place of a value's size. */
static void make_scan_lengths(struct generator *g, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if ((g->slot[i].call & CALL_MASK) == CALL_SEEK)
			g->slot[i].value.size =
				record_size(&g->shared->scan_lengths,
					    random_next(&g->length_random), 0);
}

void generator_write_records(struct generator *g, unsigned n)
{
	const uint64_t ABSENT_ID_OFFSET = UINT64_C(1)
					  << 62; /* more than any number of inserts */

	if (g->key_order == ORDER_ABSENT && g->key_shape.format == KEYS_NATIVE)
		for (unsigned i = 0; i < n; i++)
			g->id[i] += ABSENT_ID_OFFSET;
	record_write_keys(&g->key_shape, g->key_buffer, g->id, n);
	if (g->workload->procedure)
		make_procedure_values(g, n);
	else if (g->value_buffer)
		make_values(g, n);
	if (g->workload->weights[OP_SEEK])
		make_scan_lengths(g, n);
}

unsigned generator_next_by_weight(struct generator *g, unsigned n)
{
	if (g->single_call)
		choose_ids(g, n);
	else
		n = deal_operations(g, g->workload->weights[OP_MODIFY] && n > g->slots / 2
					       ? g->slots / 2
					       : n);
	generator_write_records(g, n);
	return n;
}
