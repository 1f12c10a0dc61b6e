/*
 * linearize.h: an order of the operations of several threads in which each read returns
 * its recorded result. The begin and end of each operation are known.
 *
 * An operation takes effect between its begin and its end. A read that found its record
 * is placed after a put that had begun. A read that found nothing is placed before a put
 * that had not ended; deletes likewise. All other operations are in the order of their
 * begins. Without a read, the order of concurrent writes of one key is not determined.
 */
#ifndef UTIL_LINEARIZE_H
#define UTIL_LINEARIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum linearize_kind { LINEARIZE_READ, LINEARIZE_PUT, LINEARIZE_DELETE, LINEARIZE_OTHER };

/* An operation. order_ticks, from `start` or near it, is its position in the order. */
struct linearize_op {
	struct linearize_op *prev, *next;               /* in the order */
	struct linearize_op *older_write, *newer_write; /* in the same bucket of keys */
	uint64_t start, end, order_ticks, size,
		late; /* ticks; the others are the caller's */
	unsigned thread, operation;
	enum linearize_kind kind;
	bool found;       /* result of a read */
	bool uncommitted; /* its transaction has not committed: it has no end yet */
	size_t key_size;
	char key[];
};

struct linearizer;

/* Receives operations in order; returning false stops. */
typedef bool linearize_emit(void *owner, const struct linearize_op *op);

struct linearizer *linearize_create(linearize_emit *emit, void *owner);
void linearize_free(struct linearizer *i);

/*
 * Adds an operation: reads in the order of their ends, all others in the order of their
 * begins. linearize_new_op returns NULL if there is no memory.
 */
struct linearize_op *linearize_new_op(size_t key_size);
void linearize_add(struct linearizer *i, struct linearize_op *op);

/* The open transaction of a thread ended at `end`. */
void linearize_commit(struct linearizer *i, unsigned thread, uint64_t end);

/* All later operations begin at `from` or later: emits those whose position is final. */
bool linearize_emit_until(struct linearizer *i, uint64_t from);

#endif
