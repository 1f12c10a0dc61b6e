/* act.c: see act.h. */
#include "act.h"

#include <stdlib.h>
#include <string.h>

#include "../util/say.h"

struct actor *actor_make(struct stage *stage, const struct engine *by,
			 unsigned number, const struct random *stream)
{
	struct actor *a = say_alloc_apart(sizeof *a);
	size_t value = stage->settings->value_size;

	*a = (struct actor){.stage = stage,
			    .engine = by,
			    .number = number,
			    .verify = stage->settings->verify,
			    .random = *stream};
	a->state = say_alloc_apart(stage->acts->state_size + 1);
	a->key = say_alloc_apart(2 * stage->shape.stride);
	memset(a->key, '0', 2 * stage->shape.stride);
	a->value = say_alloc_apart(2 * value);
	a->scratch = a->value + value;
	return a;
}

void actor_free(struct actor *a)
{
	if (!a)
		return;
	free(a->state);
	free(a->key);
	free(a->value);
	free(a);
}

static void add(struct acted *to, const struct acted *what)
{
	to->commits += what->commits;
	to->puts += what->puts;
	to->bytes += what->bytes;
	to->entries += what->entries;
	to->wrong += what->wrong;
}

enum status actor_do(struct actor *a, const void *draw)
{
	const struct seen before = *a->seen;
	enum status status;

	a->now = (struct acted){0};
	status = a->stage->acts->once(a, draw);
	if (status == DONE)
		add(&a->acted, &a->now);
	else
		*a->seen = before;
	return status;
}

void actor_forget(struct actor *a)
{
	a->acted = (struct acted){0};
	if (a->stage->acts->forget)
		a->stage->acts->forget(a);
}

bool actor_end(struct actor *a)
{
	return a->stage->acts->end && a->stage->acts->end(a);
}

enum status actor_snapshot(struct actor *a)
{
	return a->engine->snapshot ? a->engine->snapshot(a->session)
				   : a->engine->begin(a->session);
}

enum status actor_release(struct actor *a, enum status status)
{
	if (a->engine->snapshot)
		a->engine->release(a->session);
	else if (status == DONE)
		return a->engine->commit(a->session);
	else if (status != CONFLICT)
		a->engine->rollback(a->session);
	return status;
}

enum status actor_begin(struct actor *a)
{
	return a->engine->begin(a->session);
}

enum status actor_commit(struct actor *a)
{
	enum status status = a->engine->commit(a->session);

	a->now.commits += a->now.puts > 0;
	return status;
}

enum status actor_abandon(struct actor *a, enum status status)
{
	/* A driver that gives way has rolled back. */
	if (status != CONFLICT)
		a->engine->rollback(a->session);
	return status;
}

struct slice actor_key(struct actor *a, uint64_t id)
{
	uint64_t ids[2] = {id, id}; /* keys are made in pairs */

	record_keys(&a->stage->shape, a->key, ids, 1);
	return (struct slice){a->key, a->stage->shape.size};
}

enum status actor_get_key(struct actor *a, struct slice key, struct slice *value)
{
	enum status status = a->engine->get(a->session, key, value);

	if (status != DONE)
		return status;
	seen_add(a->seen, *value, a->stage->touch);
	a->seen->bytes += key.size;
	a->now.entries++;
	return DONE;
}

enum status actor_get(struct actor *a, uint64_t id, struct slice *value)
{
	return actor_get_key(a, actor_key(a, id), value);
}

enum status actor_put_key(struct actor *a, struct slice key, struct slice value)
{
	enum status status = a->engine->put(a->session, key, value);

	a->seen->bytes += key.size + value.size;
	a->now.bytes += key.size + value.size;
	a->now.entries++;
	a->now.puts++;
	return status;
}

enum status actor_put(struct actor *a, uint64_t id, struct slice value)
{
	return actor_put_key(a, actor_key(a, id), value);
}

enum status actor_del_key(struct actor *a, struct slice key)
{
	enum status status = a->engine->del(a->session, key);

	a->seen->bytes += key.size;
	a->now.entries++;
	a->now.puts++;
	return status;
}
