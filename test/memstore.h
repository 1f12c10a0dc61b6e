/*
 * memstore.h: records in memory, for test engines: memstore.c and that of smallbank.c.
 *
 * A skip list in the order of keys (Pugh, CACM 33, 1990), with one lock. Transactions and
 * snapshots hold the lock from beginning to end, so they run one after another. It is
 * correct rather than fast. It can lose every n-th update, to test that this is detected.
 */
#ifndef TEST_MEMSTORE_H
#define TEST_MEMSTORE_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../engines/engine.h"

enum { MEMSTORE_MAX_HEIGHT = 16 };

struct memstore_node {
	struct memstore_node *next[MEMSTORE_MAX_HEIGHT];
	struct slice key, value; /* the value is allocated separately; NULL in the head */
	char bytes[];            /* of the key */
};

struct memstore {
	pthread_mutex_t lock;
	uint64_t updates, lose_every;
	struct memstore_node *head;
};

/* A record's earlier state; a value without data: the record did not exist. */
struct memstore_undo {
	struct slice key, value;
};

struct memstore_session {
	struct memstore *store;
	bool holds_lock;     /* holds the lock, in a transaction or a snapshot; */
	bool in_transaction; /* in a transaction */
	size_t undo_count, undo_capacity;
	struct memstore_undo *undo; /* of the transaction */
	struct slice key, value;    /* last returned, copied to the session's memory */
};

static inline bool memstore_copy(struct slice *to, struct slice from)
{
	char *bytes = malloc(from.size + 1);

	if (!bytes)
		return false;
	memcpy(bytes, from.data, from.size);
	to->data = bytes;
	to->size = from.size;
	return true;
}

static inline void memstore_free(struct slice *s)
{
	free((void *)(uintptr_t)s->data);
	s->data = NULL;
}

static inline int memstore_compare(struct slice a, struct slice b)
{
	int order = memcmp(a.data, b.data, a.size < b.size ? a.size : b.size);

	return order ? order : (a.size > b.size) - (a.size < b.size);
}

/* A quarter of the nodes reach each next level, by FNV's hash of the key. */
static inline unsigned memstore_node_height(struct slice key)
{
	uint64_t hash = 0xcbf29ce484222325u;
	unsigned height = 1;

	for (size_t i = 0; i < key.size; i++)
		hash = (hash ^ ((const unsigned char *)key.data)[i]) * 0x100000001b3u;
	for (hash ^= hash >> 32; height < MEMSTORE_MAX_HEIGHT && !(hash & 3); hash >>= 2)
		height++;
	return height;
}

/* Finds the last nodes below `key` at each level; NULL data: the last nodes of all. */
static inline void memstore_find_below(const struct memstore *k, struct slice key,
				       struct memstore_node **below)
{
	struct memstore_node *at = k->head;

	for (int level = MEMSTORE_MAX_HEIGHT; level-- > 0; below[level] = at)
		while (at->next[level] &&
		       (!key.data || memstore_compare(at->next[level]->key, key) < 0))
			at = at->next[level];
}

static inline struct memstore_node *memstore_find(struct memstore_node **below,
						  struct slice key)
{
	struct memstore_node *at = below[0]->next[0];

	return at && !memstore_compare(at->key, key) ? at : NULL;
}

static inline bool memstore_insert(struct memstore_node **below, struct slice key,
				   struct slice value)
{
	struct memstore_node *node = calloc(1, sizeof *node + key.size);

	if (!node || !memstore_copy(&node->value, value)) {
		free(node);
		return false;
	}
	memcpy(node->bytes, key.data, key.size);
	node->key = (struct slice){node->bytes, key.size};
	for (unsigned level = 0; level < memstore_node_height(key); level++) {
		node->next[level] = below[level]->next[level];
		below[level]->next[level] = node;
	}
	return true;
}

static inline void memstore_remove(struct memstore_node **below,
				   struct memstore_node *node)
{
	for (int level = 0; level < MEMSTORE_MAX_HEIGHT; level++)
		if (below[level]->next[level] == node)
			below[level]->next[level] = node->next[level];
	memstore_free(&node->value);
	free(node);
}

/*
 * Sets a record's value, or removes the record if the value has no data. Returns false
 * without memory.
 */
static inline bool memstore_set(struct memstore *k, struct slice key, struct slice value)
{
	struct memstore_node *below[MEMSTORE_MAX_HEIGHT], *node;
	struct slice copy;

	memstore_find_below(k, key, below);
	node = memstore_find(below, key);
	if (!value.data && node)
		memstore_remove(below, node);
	if (!value.data)
		return true;
	if (!node)
		return memstore_insert(below, key, value);
	if (!memstore_copy(&copy, value))
		return false;
	memstore_free(&node->value);
	node->value = copy;
	return true;
}

/* Begins a transaction, a snapshot, or a single call. */
static inline void memstore_lock(struct memstore_session *s, bool transaction)
{
	pthread_mutex_lock(&s->store->lock);
	s->holds_lock = true;
	s->in_transaction = transaction;
}

/* Ends it without undoing anything. */
static inline void memstore_unlock(struct memstore_session *s)
{
	while (s->undo_count) {
		memstore_free(&s->undo[--s->undo_count].key);
		memstore_free(&s->undo[s->undo_count].value);
	}
	if (s->holds_lock)
		pthread_mutex_unlock(&s->store->lock);
	s->holds_lock = s->in_transaction = false;
}

static inline void memstore_rollback(struct memstore_session *s)
{
	for (size_t i = s->undo_count; i-- > 0;)
		memstore_set(s->store, s->undo[i].key, s->undo[i].value);
	memstore_unlock(s);
}

static inline bool memstore_log_undo(struct memstore_session *s, struct slice key,
				     const struct memstore_node *node)
{
	struct memstore_undo *u = s->undo;

	if (s->undo_count == s->undo_capacity) {
		u = realloc(u, (2 * s->undo_capacity + 4) * sizeof *u);
		if (!u)
			return false;
		s->undo = u;
		s->undo_capacity = 2 * s->undo_capacity + 4;
	}
	u += s->undo_count;
	*u = (struct memstore_undo){{NULL, 0}, {NULL, 0}};
	if (!memstore_copy(&u->key, key) ||
	    (node && !memstore_copy(&u->value, node->value)))
		return false;
	s->undo_count++;
	return true;
}

static inline enum status memstore_write(struct memstore_session *s, struct slice key,
					 struct slice value)
{
	struct memstore *k = s->store;
	struct memstore_node *below[MEMSTORE_MAX_HEIGHT];
	const struct memstore_node *node;

	memstore_find_below(k, key, below);
	node = memstore_find(below, key);
	if (!value.data && !node)
		return NOT_FOUND;
	if (node && k->lose_every && ++k->updates % k->lose_every == 0)
		return DONE;
	if (s->in_transaction && !memstore_log_undo(s, key, node))
		return FAILED;
	return memstore_set(k, key, value) ? DONE : FAILED;
}

/* A value without data deletes. */
static inline enum status memstore_put(struct memstore_session *s, struct slice key,
				       struct slice value)
{
	bool alone = !s->holds_lock;
	enum status status;

	if (alone)
		memstore_lock(s, false);
	status = memstore_write(s, key, value);
	if (alone)
		memstore_unlock(s);
	return status;
}

/* Returns copies of a node's key and value, which survive changes of the node. */
static inline enum status memstore_return(struct memstore_session *s,
					  const struct memstore_node *node)
{
	if (!node || !node->key.data)
		return NOT_FOUND;
	memstore_free(&s->key);
	memstore_free(&s->value);
	return memstore_copy(&s->key, node->key) && memstore_copy(&s->value, node->value)
		       ? DONE
		       : FAILED;
}

enum memstore_position {
	MEMSTORE_AT,
	MEMSTORE_FROM,
	MEMSTORE_ABOVE,
	MEMSTORE_BELOW,
	MEMSTORE_FIRST
};

/* Finds the record at a key, at or above it, above it, below it, or the first of all. */
static inline enum status memstore_get(struct memstore_session *s, struct slice key,
				       enum memstore_position position)
{
	struct memstore_node *below[MEMSTORE_MAX_HEIGHT], *node;
	bool alone = !s->holds_lock;
	enum status status;

	if (alone)
		memstore_lock(s, false);
	memstore_find_below(s->store, key, below);
	node = position == MEMSTORE_BELOW   ? below[0]
	       : position == MEMSTORE_FIRST ? s->store->head->next[0]
	       : position == MEMSTORE_AT    ? memstore_find(below, key)
					    : below[0]->next[0];
	if (position == MEMSTORE_ABOVE && node && !memstore_compare(node->key, key))
		node = node->next[0];
	status = memstore_return(s, node);
	if (alone)
		memstore_unlock(s);
	return status;
}

static inline void memstore_end_session(struct memstore_session *s)
{
	memstore_free(&s->key);
	memstore_free(&s->value);
	free(s->undo);
}

static inline bool memstore_open(struct memstore *k, uint64_t lose_every)
{
	pthread_mutex_init(&k->lock, NULL);
	k->lose_every = lose_every;
	k->head = calloc(1, sizeof *k->head);
	return k->head;
}

static inline void memstore_close(struct memstore *k)
{
	struct memstore_node *next = k->head;

	while (next) {
		struct memstore_node *node = next;

		next = node->next[0];
		memstore_free(&node->value);
		free(node);
	}
	pthread_mutex_destroy(&k->lock);
}

#endif
