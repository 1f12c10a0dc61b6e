/*
 * wiredtiger.c: what engines/wiredtiger.c calls of WiredTiger. Its functions are pointers
 * in the handles that it gives: ours take their places when a handle of the table is
 * given out.
 */
#include "interpose.h"

#include <stdlib.h>
#include <string.h>
#include <wiredtiger.h>

/*
 * What was behind ours; a cursor's are its own, since bulk cursors and LSM trees have
 * others.
 */
struct original {
	int (*search)(WT_CURSOR *);
	int (*search_near)(WT_CURSOR *, int *);
	int (*insert)(WT_CURSOR *);
	int (*remove)(WT_CURSOR *);
	int (*next)(WT_CURSOR *);
	int (*prev)(WT_CURSOR *);
};

enum { CURSORS = 4096 };
static struct {
	const WT_CURSOR *cursor;
	struct original original;
} patched[CURSORS]; /* a hash table; a handle that is given out again has its place */

static struct {
	int (*open_session)(WT_CONNECTION *, WT_EVENT_HANDLER *, const char *,
			    WT_SESSION **);
	int (*open_cursor)(WT_SESSION *, const char *, WT_CURSOR *, const char *,
			   WT_CURSOR **);
	int (*begin_transaction)(WT_SESSION *, const char *);
	int (*commit_transaction)(WT_SESSION *, const char *);
	int (*rollback_transaction)(WT_SESSION *, const char *);
} handles;

static struct original *original(const WT_CURSOR *cursor)
{
	size_t i = ((uintptr_t)cursor >> 6) % CURSORS;

	for (;; i = (i + 1) % CURSORS) {
		const WT_CURSOR *free_slot = NULL;

		if (__atomic_load_n(&patched[i].cursor, __ATOMIC_ACQUIRE) == cursor)
			return &patched[i].original;
		if (__atomic_compare_exchange_n(&patched[i].cursor, &free_slot, cursor,
						false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
			return &patched[i].original;
	}
}

#define MOVE(as, name) \
	static int our_##name(WT_CURSOR *cursor) \
	{ \
		const struct original *b = original(cursor); \
		struct interposed_call interposed_call = interpose_begin(as); \
		int rc = b->name(cursor); \
		if (rc == WT_ROLLBACK) \
			interposed_call.kind = CALL_LOST; \
		interpose_end(&interposed_call); \
		return rc; \
	}

MOVE(CALL_READ, search)
MOVE(CALL_WRITE, insert)
MOVE(CALL_REMOVE, remove)
MOVE(CALL_NEXT, next)
MOVE(CALL_NEXT, prev)

static int our_search_near(WT_CURSOR *cursor, int *near)
{
	const struct original *b = original(cursor);
	struct interposed_call call = interpose_begin(CALL_SEEK);
	int rc = b->search_near(cursor, near);

	interpose_end(&call);
	return rc;
}

static int our_begin(WT_SESSION *session, const char *config)
{
	struct interposed_call call = interpose_begin(CALL_BEGIN);
	int rc = handles.begin_transaction(session, config);

	interpose_end(&call);
	return rc;
}

static int our_commit(WT_SESSION *session, const char *config)
{
	struct interposed_call call = interpose_begin(CALL_COMMIT);
	int rc = handles.commit_transaction(session, config);

	if (rc == WT_ROLLBACK)
		call.kind = CALL_UNDO;
	interpose_end(&call);
	return rc;
}

static int our_rollback(WT_SESSION *session, const char *config)
{
	struct interposed_call call = interpose_begin(CALL_UNDO);
	int rc = handles.rollback_transaction(session, config);

	interpose_end(&call);
	return rc;
}

static int our_open_cursor(WT_SESSION *session, const char *uri, WT_CURSOR *other,
			   const char *config, WT_CURSOR **to)
{
	int rc = handles.open_cursor(session, uri, other, config, to);
	WT_CURSOR *c = *to;
	struct original *b;

	if (rc || !uri || strncmp(uri, "table:", strlen("table:")))
		return rc;
	b = original(c);
	PUT_BEFORE(c->search, b->search, our_search);
	PUT_BEFORE(c->search_near, b->search_near, our_search_near);
	PUT_BEFORE(c->insert, b->insert, our_insert);
	PUT_BEFORE(c->remove, b->remove, our_remove);
	PUT_BEFORE(c->next, b->next, our_next);
	PUT_BEFORE(c->prev, b->prev, our_prev);
	return 0;
}

static int our_open_session(WT_CONNECTION *connection, WT_EVENT_HANDLER *handler,
			    const char *config, WT_SESSION **to)
{
	int rc = handles.open_session(connection, handler, config, to);

	if (rc)
		return rc;
	PUT_BEFORE((*to)->open_cursor, handles.open_cursor, our_open_cursor);
	PUT_BEFORE((*to)->begin_transaction, handles.begin_transaction, our_begin);
	PUT_BEFORE((*to)->commit_transaction, handles.commit_transaction, our_commit);
	PUT_BEFORE((*to)->rollback_transaction, handles.rollback_transaction,
		   our_rollback);
	return 0;
}

EXPORTED int wiredtiger_open(const char *path, WT_EVENT_HANDLER *handler,
			     const char *config, WT_CONNECTION **to)
{
	NEXT(wiredtiger_open);
	int rc = next(path, handler, config, to);

	if (!rc)
		PUT_BEFORE((*to)->open_session, handles.open_session, our_open_session);
	return rc;
}
