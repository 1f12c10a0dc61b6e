/* transaction.c: see transaction.h. */
#include "transaction.h"

#include <string.h>

unsigned transaction_fit(const struct transaction *t, unsigned n)
{
	uint64_t left = t->writes_per_commit - t->marked;

	if (t->marked)
		return n < left ? n : (unsigned)left;
	return n > t->writes_per_commit ? n - n % (unsigned)t->writes_per_commit : n;
}

void transaction_mark(struct transaction *t, struct slot *slot, unsigned n, bool last)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned call = slot[i].call & (CALL_MASK | CALL_INSERTS);

		if (!t->marked)
			call |= CALL_BEGIN;
		if (++t->marked == t->writes_per_commit || (i + 1 == n && last)) {
			call |= CALL_COMMIT;
			t->marked = 0;
		}
		slot[i].call = (unsigned char)call;
	}
}

struct slot *transaction_rewind(struct transaction *t, struct slot *first,
				struct slot *slot)
{
	/*
	 * If writes are single, only the second half of a read-modify-write is in a
	 * transaction.
	 */
	if (t->single_writes && (slot->call & (CALL_BEGIN | CALL_COMMIT)) != CALL_COMMIT)
		return slot;
	for (; slot >= first; slot--)
		if (slot->call & CALL_BEGIN) {
			t->pending = 0;
			t->open_since_warmup = false;
			return slot;
		}
	t->must_regenerate = true;
	return NULL;
}

/* The delay of the i-th call's start. */
static uint64_t start_delay(const struct transaction_times *t, unsigned i)
{
	return t->responses[i] > t->ticks[i] ? t->responses[i] - t->ticks[i] : 0;
}

static void spill_times(struct transaction_times *t)
{
	for (unsigned i = 0; i < t->count; i++) {
		hist_record(&t->spilled_ticks, t->ticks[i]);
		hist_record(&t->spilled_responses, t->responses[i]);
		hist_record(&t->spilled_start_errors, start_delay(t, i));
	}
	t->spilled += t->count;
	t->count = 0;
}

void transaction_keep_times(struct transaction *t, const struct slot *slot,
			    const uint64_t *response, unsigned m)
{
	struct transaction_times *held_times = t->times;

	for (unsigned i = 0; i < m; i++) {
		if (held_times->count == TRANSACTION_TIMES_MAX)
			spill_times(held_times);
		held_times->ticks[held_times->count] = slot[i].ticks;
		held_times->responses[held_times->count++] = response ? response[i] : 0;
	}
}

static void add_times(const struct transaction_times *t, const uint64_t *list,
		      const struct hist *spilled, struct hist *into)
{
	if (!into)
		return;
	for (unsigned i = 0; i < t->count; i++)
		hist_record(into, list[i]);
	if (t->spilled)
		hist_merge(into, spilled);
}

uint64_t transaction_commit_times(struct transaction *t, struct hist *times,
				  struct hist *responses, struct hist *start_errors)
{
	uint64_t writes = transaction_uncounted(t);

	add_times(t->times, t->times->ticks, &t->times->spilled_ticks, times);
	add_times(t->times, t->times->responses, &t->times->spilled_responses, responses);
	for (unsigned i = 0; start_errors && i < t->times->count; i++)
		hist_record(start_errors, start_delay(t->times, i));
	if (start_errors && t->times->spilled)
		hist_merge(start_errors, &t->times->spilled_start_errors);
	transaction_discard_times(t);
	return writes;
}

uint64_t transaction_discard_times(struct transaction *t)
{
	struct transaction_times *held_times = t->times;
	uint64_t sum = held_times->spilled_ticks.sum;

	for (unsigned i = 0; i < held_times->count; i++)
		sum += held_times->ticks[i];
	if (held_times->spilled) {
		memset(&held_times->spilled_ticks, 0, sizeof held_times->spilled_ticks);
		memset(&held_times->spilled_responses, 0,
		       sizeof held_times->spilled_responses);
		memset(&held_times->spilled_start_errors, 0,
		       sizeof held_times->spilled_start_errors);
	}
	held_times->count = 0;
	held_times->spilled = 0;
	return sum;
}
