/* txn.c: see txn.h. */
#include "txn.h"

#include <string.h>

unsigned txn_fit(const struct txn *t, unsigned n)
{
	uint64_t left = t->size - t->placed;

	if (t->placed)
		return n < left ? n : (unsigned)left;
	return n > t->size ? n - n % (unsigned)t->size : n;
}

void txn_mark(struct txn *t, struct slot *slot, unsigned n, bool last)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned step = slot[i].step & STEP_MASK;

		if (!t->placed)
			step |= BEGIN;
		if (++t->placed == t->size || (i + 1 == n && last)) {
			step |= COMMIT;
			t->placed = 0;
		}
		slot[i].step = (unsigned char)step;
	}
}

struct slot *txn_back(struct txn *t, struct slot *first, struct slot *slot)
{
	/*
	 * Where writes are single, only the second half of a read-modify-write is part of
	 * a transaction.
	 */
	if (t->alone && (slot->step & (BEGIN | COMMIT)) != COMMIT)
		return slot;
	for (; slot >= first; slot--)
		if (slot->step & BEGIN) {
			t->pending = 0;
			t->carried = false;
			return slot;
		}
	t->again = true;
	return NULL;
}

static void spill(struct txn_times *t)
{
	for (unsigned i = 0; i < t->n; i++) {
		hist_record(&t->times, t->took[i]);
		hist_record(&t->responses, t->response[i]);
	}
	t->spilled += t->n;
	t->n = 0;
}

void txn_keep(struct txn *t, const struct slot *slot, const uint64_t *response,
	      unsigned m)
{
	struct txn_times *kept = t->times;

	for (unsigned i = 0; i < m; i++) {
		if (kept->n == TXN_KEPT)
			spill(kept);
		kept->took[kept->n] = slot[i].took;
		kept->response[kept->n++] = response ? response[i] : 0;
	}
}

static void enter(const struct txn_times *t, const uint64_t *list,
		  const struct hist *spilled, struct hist *into)
{
	if (!into)
		return;
	for (unsigned i = 0; i < t->n; i++)
		hist_record(into, list[i]);
	if (t->spilled)
		hist_merge(into, spilled);
}

uint64_t txn_settle(struct txn *t, struct hist *times, struct hist *responses)
{
	uint64_t writes = txn_unsettled(t);

	enter(t->times, t->times->took, &t->times->times, times);
	enter(t->times, t->times->response, &t->times->responses, responses);
	txn_drop(t);
	return writes;
}

uint64_t txn_drop(struct txn *t)
{
	struct txn_times *kept = t->times;
	uint64_t sum = kept->times.sum;

	for (unsigned i = 0; i < kept->n; i++)
		sum += kept->took[i];
	if (kept->spilled) {
		memset(&kept->times, 0, sizeof kept->times);
		memset(&kept->responses, 0, sizeof kept->responses);
	}
	kept->n = 0;
	kept->spilled = 0;
	return sum;
}
