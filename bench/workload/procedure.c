/* procedure.c: see procedure.h. */
#include "procedure.h"

#include <stdlib.h>
#include <string.h>

#include "../../util/message.h"

struct procedure_thread *procedure_thread_create(struct procedure_shared *shared,
						 const struct engine *by, unsigned number,
						 const struct random *stream)
{
	struct procedure_thread *t = message_alloc_aligned(sizeof *t);
	size_t value = shared->settings->value_size;

	*t = (struct procedure_thread){.shared = shared,
				       .engine = by,
				       .number = number,
				       .verify = shared->settings->verify,
				       .random = *stream};
	t->state = message_alloc_aligned(shared->procedure->state_size + 1);
	t->key = message_alloc_aligned(2 * shared->key_shape.stride);
	memset(t->key, '0', 2 * shared->key_shape.stride);
	t->value = message_alloc_aligned(2 * value);
	t->value_scratch = t->value + value;
	return t;
}

void procedure_thread_free(struct procedure_thread *t)
{
	if (!t)
		return;
	free(t->state);
	free(t->key);
	free(t->value);
	free(t);
}

static void add_counts(struct procedure_counts *to, const struct procedure_counts *from)
{
	to->commits += from->commits;
	to->writes += from->writes;
	to->bytes += from->bytes;
	to->records += from->records;
	to->wrong += from->wrong;
}

enum status procedure_do(struct procedure_thread *t, const void *parameters)
{
	const struct read_tally before = *t->tally;
	enum status status;

	t->current = (struct procedure_counts){0};
	status = t->shared->procedure->do_once(t, parameters);
	if (status == DONE)
		add_counts(&t->total, &t->current);
	else
		*t->tally = before;
	return status;
}

void procedure_reset_counts(struct procedure_thread *t)
{
	t->total = (struct procedure_counts){0};
	if (t->shared->procedure->reset_counts)
		t->shared->procedure->reset_counts(t);
}

bool procedure_end(struct procedure_thread *t)
{
	return t->shared->procedure->finish && t->shared->procedure->finish(t);
}

enum status procedure_snapshot(struct procedure_thread *t)
{
	return t->engine->snapshot ? t->engine->snapshot(t->session)
				   : t->engine->begin(t->session);
}

enum status procedure_release(struct procedure_thread *t, enum status status)
{
	if (t->engine->snapshot)
		t->engine->release(t->session);
	else if (status == DONE)
		return t->engine->commit(t->session);
	else if (status != CONFLICT)
		t->engine->rollback(t->session);
	return status;
}

enum status procedure_begin(struct procedure_thread *t)
{
	return t->engine->begin(t->session);
}

enum status procedure_commit(struct procedure_thread *t)
{
	enum status status = t->engine->commit(t->session);

	t->current.commits += t->current.writes > 0;
	return status;
}

enum status procedure_rollback(struct procedure_thread *t, enum status status)
{
	/* A driver that returns a conflict has rolled back. */
	if (status != CONFLICT)
		t->engine->rollback(t->session);
	return status;
}

struct slice procedure_key(struct procedure_thread *t, uint64_t id)
{
	uint64_t ids[2] = {id, id}; /* keys are made in pairs */

	record_write_keys(&t->shared->key_shape, t->key, ids, 1);
	return (struct slice){t->key, t->shared->key_shape.size};
}

enum status procedure_get_key(struct procedure_thread *t, struct slice key,
			      struct slice *value)
{
	enum status status = t->engine->get(t->session, key, value);

	if (status != DONE)
		return status;
	read_tally_add(t->tally, *value, t->shared->touch);
	t->tally->bytes += key.size;
	t->current.records++;
	return DONE;
}

enum status procedure_get(struct procedure_thread *t, uint64_t id, struct slice *value)
{
	return procedure_get_key(t, procedure_key(t, id), value);
}

enum status procedure_put_key(struct procedure_thread *t, struct slice key,
			      struct slice value)
{
	enum status status = t->engine->put(t->session, key, value);

	t->tally->bytes += key.size + value.size;
	t->current.bytes += key.size + value.size;
	t->current.records++;
	t->current.writes++;
	return status;
}

enum status procedure_put(struct procedure_thread *t, uint64_t id, struct slice value)
{
	return procedure_put_key(t, procedure_key(t, id), value);
}

enum status procedure_delete_key(struct procedure_thread *t, struct slice key)
{
	enum status status = t->engine->del(t->session, key);

	t->tally->bytes += key.size;
	t->current.records++;
	t->current.writes++;
	return status;
}
