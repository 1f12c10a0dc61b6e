/* linearize.c: see linearize.h. */
#include "linearize.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { LINEARIZE_BUCKETS = 4096 };

struct bucket {
	struct linearize_op *newest, *oldest; /* writes of its keys */
};

struct linearizer {
	linearize_emit *emit;
	void *owner;
	struct linearize_op *first, *last;
	struct bucket buckets[LINEARIZE_BUCKETS];
};

struct linearizer *linearize_create(linearize_emit *emit, void *owner)
{
	struct linearizer *i = calloc(1, sizeof *i);

	if (i) {
		i->emit = emit;
		i->owner = owner;
	}
	return i;
}

void linearize_free(struct linearizer *i)
{
	while (i && i->first) {
		struct linearize_op *op = i->first;

		i->first = op->next;
		free(op);
	}
	free(i);
}

struct linearize_op *linearize_new_op(size_t key_size)
{
	struct linearize_op *op = calloc(1, sizeof *op + key_size);

	if (op)
		op->key_size = key_size;
	return op;
}

static bool is_write(const struct linearize_op *op)
{
	return op->kind == LINEARIZE_PUT || op->kind == LINEARIZE_DELETE;
}

static struct bucket *bucket_of_key(struct linearizer *i, const struct linearize_op *op)
{
	uint64_t hash = op->key_size;

	for (size_t at = 0; at < op->key_size; at++)
		hash = (hash ^ (unsigned char)op->key[at]) * 0x100000001b3u;
	return &i->buckets[random_mix(hash) % LINEARIZE_BUCKETS];
}

/* Links an operation after `before`; NULL: as the first. */
static void link_after(struct linearizer *i, struct linearize_op *before,
		       struct linearize_op *op)
{
	op->prev = before;
	op->next = before ? before->next : i->first;
	*(before ? &before->next : &i->first) = op;
	*(op->next ? &op->next->prev : &i->last) = op;
}

static void link_by_order(struct linearizer *i, struct linearize_op *op)
{
	struct linearize_op *before = i->last;

	while (before && before->order_ticks > op->order_ticks)
		before = before->prev;
	link_after(i, before, op);
}

static bool same_key(const struct linearize_op *a, const struct linearize_op *b)
{
	return a->key_size == b->key_size && !memcmp(a->key, b->key, a->key_size);
}

/* The next older write of the key, starting with this one. */
static struct linearize_op *write_of(struct linearize_op *from,
				     const struct linearize_op *op)
{
	while (from && !same_key(from, op))
		from = from->older_write;
	return from;
}

/*
 * Positions a read so that its result is explained: after one write of its key and before
 * the next, as near to its begin as possible. It is not moved over a write that had ended
 * before it began.
 */
static void position_read(struct linearizer *i, struct linearize_op *op)
{
	struct linearize_op *above = NULL, *newer = NULL,
			    *w = write_of(bucket_of_key(i, op)->newest, op);

	for (; w; newer = w, w = write_of(w->older_write, op)) {
		bool fits = (w->kind == LINEARIZE_PUT) == op->found;

		if (fits && w->order_ticks > op->start)
			above = w;
		if (w->order_ticks <= op->start && (fits || above))
			break;
		if (!w->uncommitted && w->end <= op->start) {
			newer = NULL; /* no write explains it */
			break;
		}
	}
	if (above && (!w || (w->kind == LINEARIZE_PUT) != op->found)) {
		op->order_ticks = above->order_ticks;
		link_after(i, above, op);
	} else if (newer && newer->order_ticks <= op->start) {
		op->order_ticks = newer->order_ticks;
		link_after(i, newer->prev, op);
	} else {
		link_by_order(i, op);
	}
}

static void add_write(struct linearizer *i, struct linearize_op *op)
{
	struct bucket *b = bucket_of_key(i, op);
	struct linearize_op *newer = NULL, *older = b->newest;

	for (; older && older->order_ticks > op->order_ticks; older = older->older_write)
		newer = older;
	op->newer_write = newer;
	op->older_write = older;
	*(newer ? &newer->older_write : &b->newest) = op;
	*(older ? &older->newer_write : &b->oldest) = op;
}

void linearize_add(struct linearizer *i, struct linearize_op *op)
{
	op->order_ticks = op->start;
	if (op->kind == LINEARIZE_READ) {
		position_read(i, op);
		return;
	}
	link_by_order(i, op);
	if (is_write(op))
		add_write(i, op);
}

void linearize_commit(struct linearizer *i, unsigned thread, uint64_t end)
{
	for (struct linearize_op *op = i->last; op; op = op->prev) {
		if (op->thread != thread || !is_write(op))
			continue;
		if (!op->uncommitted)
			break;
		op->uncommitted = false;
		op->end = end;
	}
}

/*
 * `op` is the oldest of its bucket, which can have a hundred thousand newer ones: a hot
 * key, while one thread waits for a core.
 */
static void remove_write(struct linearizer *i, const struct linearize_op *op)
{
	struct bucket *b = bucket_of_key(i, op);

	b->oldest = op->newer_write;
	*(b->oldest ? &b->oldest->older_write : &b->newest) = NULL;
}

bool linearize_emit_until(struct linearizer *i, uint64_t from)
{
	struct linearize_op *op;

	while ((op = i->first) && op->order_ticks < from &&
	       (!is_write(op) || (!op->uncommitted && op->end <= from))) {
		bool goes_on = i->emit(i->owner, op);

		if (is_write(op))
			remove_write(i, op);
		i->first = op->next;
		*(i->first ? &i->first->prev : &i->last) = NULL;
		free(op);
		if (!goes_on)
			return false;
	}
	return true;
}
