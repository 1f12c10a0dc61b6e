/*
 * kept.h: records in memory, for the null engine when it is to keep them.
 *
 * A skip list in the order of keys (Pugh, CACM 33, 1990), and one lock over all of it: a
 * transaction and a snapshot hold that from their beginning to their end, so that they
 * come one after another. It is made to be right, not fast. Every so many updates one can
 * be lost, to see that this is noticed.
 */
#ifndef KEPT_H
#define KEPT_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

enum { KEPT_HEIGHT = 16 };

struct kept_node {
	struct kept_node *next[KEPT_HEIGHT];
	struct slice key, value; /* the value's bytes are its own; NULL: of the head */
	char bytes[];            /* of the key */
};

struct kept {
	pthread_mutex_t lock;
	uint64_t updates, lose_every;
	struct kept_node *head;
};

/* A record as it was: a value without data, there was none. */
struct kept_undo {
	struct slice key, value;
};

struct kept_session {
	struct kept *kept;
	bool held;         /* the lock, by a transaction or a snapshot; */
	bool transaction;  /* which of them */
	size_t n, room;
	struct kept_undo *undo; /* of the transaction */
	struct slice key, value; /* last answered, in memory of the session's */
};

static inline bool kept_copy(struct slice *to, struct slice from)
{
	char *bytes = malloc(from.size + 1);

	if (!bytes)
		return false;
	memcpy(bytes, from.data, from.size);
	to->data = bytes;
	to->size = from.size;
	return true;
}

static inline void kept_drop(struct slice *s)
{
	free((void *)(uintptr_t)s->data);
	s->data = NULL;
}

static inline int kept_order(struct slice a, struct slice b)
{
	int order = memcmp(a.data, b.data, a.size < b.size ? a.size : b.size);

	return order ? order : (a.size > b.size) - (a.size < b.size);
}

/* A quarter of the nodes reach each next level; FNV's hash of the key decides. */
static inline unsigned kept_height(struct slice key)
{
	uint64_t hash = 0xcbf29ce484222325u;
	unsigned height = 1;

	for (size_t i = 0; i < key.size; i++)
		hash = (hash ^ ((const unsigned char *)key.data)[i]) * 0x100000001b3u;
	for (hash ^= hash >> 32; height < KEPT_HEIGHT && !(hash & 3); hash >>= 2)
		height++;
	return height;
}

/* The last nodes below `key`, at each level; of NULL data, the last ones of all. */
static inline void kept_below(const struct kept *k, struct slice key,
			      struct kept_node **below)
{
	struct kept_node *at = k->head;

	for (int level = KEPT_HEIGHT; level-- > 0; below[level] = at)
		while (at->next[level] &&
		       (!key.data || kept_order(at->next[level]->key, key) < 0))
			at = at->next[level];
}

static inline struct kept_node *kept_find(struct kept_node **below, struct slice key)
{
	struct kept_node *at = below[0]->next[0];

	return at && !kept_order(at->key, key) ? at : NULL;
}

static inline bool kept_insert(struct kept_node **below, struct slice key,
			       struct slice value)
{
	struct kept_node *node = calloc(1, sizeof *node + key.size);

	if (!node || !kept_copy(&node->value, value)) {
		free(node);
		return false;
	}
	memcpy(node->bytes, key.data, key.size);
	node->key = (struct slice){node->bytes, key.size};
	for (unsigned level = 0; level < kept_height(key); level++) {
		node->next[level] = below[level]->next[level];
		below[level]->next[level] = node;
	}
	return true;
}

static inline void kept_remove(struct kept_node **below, struct kept_node *node)
{
	for (int level = 0; level < KEPT_HEIGHT; level++)
		if (below[level]->next[level] == node)
			below[level]->next[level] = node->next[level];
	kept_drop(&node->value);
	free(node);
}

/* A record becomes this, or none where the value has no data; false: no memory. */
static inline bool kept_set(struct kept *k, struct slice key, struct slice value)
{
	struct kept_node *below[KEPT_HEIGHT], *node;
	struct slice copy;

	kept_below(k, key, below);
	node = kept_find(below, key);
	if (!value.data && node)
		kept_remove(below, node);
	if (!value.data)
		return true;
	if (!node)
		return kept_insert(below, key, value);
	if (!kept_copy(&copy, value))
		return false;
	kept_drop(&node->value);
	node->value = copy;
	return true;
}

/* Begin a transaction, a snapshot, or a call by itself. */
static inline void kept_hold(struct kept_session *s, bool transaction)
{
	pthread_mutex_lock(&s->kept->lock);
	s->held = true;
	s->transaction = transaction;
}

/* End it, as it is. */
static inline void kept_release(struct kept_session *s)
{
	while (s->n) {
		kept_drop(&s->undo[--s->n].key);
		kept_drop(&s->undo[s->n].value);
	}
	if (s->held)
		pthread_mutex_unlock(&s->kept->lock);
	s->held = s->transaction = false;
}

static inline void kept_rollback(struct kept_session *s)
{
	for (size_t i = s->n; i-- > 0;)
		kept_set(s->kept, s->undo[i].key, s->undo[i].value);
	kept_release(s);
}

static inline bool kept_remember(struct kept_session *s, struct slice key,
				 const struct kept_node *node)
{
	struct kept_undo *u = s->undo;

	if (s->n == s->room) {
		u = realloc(u, (2 * s->room + 4) * sizeof *u);
		if (!u)
			return false;
		s->undo = u;
		s->room = 2 * s->room + 4;
	}
	u += s->n;
	*u = (struct kept_undo){{NULL, 0}, {NULL, 0}};
	if (!kept_copy(&u->key, key) || (node && !kept_copy(&u->value, node->value)))
		return false;
	s->n++;
	return true;
}

static inline enum status kept_write(struct kept_session *s, struct slice key,
				     struct slice value)
{
	struct kept *k = s->kept;
	struct kept_node *below[KEPT_HEIGHT];
	const struct kept_node *node;

	kept_below(k, key, below);
	node = kept_find(below, key);
	if (!value.data && !node)
		return NOT_FOUND;
	if (node && k->lose_every && ++k->updates % k->lose_every == 0)
		return DONE;
	if (s->transaction && !kept_remember(s, key, node))
		return FAILED;
	return kept_set(k, key, value) ? DONE : FAILED;
}

/* A value without data deletes. */
static inline enum status kept_put(struct kept_session *s, struct slice key,
				   struct slice value)
{
	bool alone = !s->held;
	enum status status;

	if (alone)
		kept_hold(s, false);
	status = kept_write(s, key, value);
	if (alone)
		kept_release(s);
	return status;
}

/* Answer a node, whatever becomes of it. */
static inline enum status kept_answer(struct kept_session *s,
				      const struct kept_node *node)
{
	if (!node || !node->key.data)
		return NOT_FOUND;
	kept_drop(&s->key);
	kept_drop(&s->value);
	return kept_copy(&s->key, node->key) && kept_copy(&s->value, node->value)
		       ? DONE
		       : FAILED;
}

enum kept_which { KEPT_AT, KEPT_FROM, KEPT_ABOVE, KEPT_BELOW, KEPT_FIRST };

/* The record at a key, at or above it, above it, below it, or the first of all. */
static inline enum status kept_get(struct kept_session *s, struct slice key,
				   enum kept_which which)
{
	struct kept_node *below[KEPT_HEIGHT], *node;
	bool alone = !s->held;
	enum status status;

	if (alone)
		kept_hold(s, false);
	kept_below(s->kept, key, below);
	node = which == KEPT_BELOW   ? below[0]
	       : which == KEPT_FIRST ? s->kept->head->next[0]
	       : which == KEPT_AT    ? kept_find(below, key)
				     : below[0]->next[0];
	if (which == KEPT_ABOVE && node && !kept_order(node->key, key))
		node = node->next[0];
	status = kept_answer(s, node);
	if (alone)
		kept_release(s);
	return status;
}

static inline void kept_end(struct kept_session *s)
{
	kept_drop(&s->key);
	kept_drop(&s->value);
	free(s->undo);
}

static inline bool kept_open(struct kept *k, uint64_t lose_every)
{
	pthread_mutex_init(&k->lock, NULL);
	k->lose_every = lose_every;
	k->head = calloc(1, sizeof *k->head);
	return k->head;
}

static inline void kept_close(struct kept *k)
{
	struct kept_node *next = k->head;

	while (next) {
		struct kept_node *node = next;

		next = node->next[0];
		kept_drop(&node->value);
		free(node);
	}
	pthread_mutex_destroy(&k->lock);
}

#endif
