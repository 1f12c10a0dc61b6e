/*
 * random_transaction.c: db_bench's workload randomtransaction, in its place only.
 *
 * There are --transaction_sets sets of --num keys. A transaction adds one random number to
 * a random key of each set, so the sums of all sets are equal, which is checked at the
 * end. One transaction of 20 is rolled back on purpose. A conflict ends a transaction,
 * which is not repeated. A key is four digits of its set and its number, a value is a
 * number; both are decimal.
 *
 * Without --transaction_db or --optimistic_transaction_db the gets are followed by a batch
 * of puts. Updates can then be lost, and the sums are not checked.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../runner/worker.h"
#include "../workload/config.h"
#include "../workload/extra.h"
#include "../workload/procedure.h"

enum { SET_DIGITS = 4, SETS_MAX = 9999, SET_TEXT_SIZE = 32, SETS_ROLLED_BACK_OF = 20 };

struct sets_thread {
	unsigned short order[SETS_MAX]; /* of this transaction */
};

static const char *sets_reject(const struct procedure *procedure, uint64_t num)
{
	(void)procedure, (void)num;
	return !engine.begin || engine.fixed_size
		       ? "randomtransaction needs batches of writes, and keys and values "
			 "of any size; choose another engine"
		       : NULL;
}

static enum result_kind sets_draw(struct procedure_thread *t, void *parameters)
{
	(void)t, (void)parameters; /* as there, drawing is in the time */
	return KIND_WRITE;
}

/* Is the value a number? */
static bool sets_parse(struct slice value, uint64_t *number)
{
	char text[SET_TEXT_SIZE];
	int length = 0;

	if (!value.size || value.size >= sizeof text)
		return false;
	memcpy(text, value.data, value.size);
	text[value.size] = '\0';
	return sscanf(text, "%" SCNu64 "%n", number, &length) == 1 &&
	       (size_t)length == value.size;
}

/* Add to a random key of the set. */
static enum status sets_add(struct procedure_thread *t, unsigned set, uint64_t amount)
{
	char key_text[SET_TEXT_SIZE], value_text[SET_TEXT_SIZE];
	struct slice value, key = {key_text, 0};
	uint64_t number = 0;
	enum status status;

	key.size = (size_t)snprintf(key_text, sizeof key_text, "%0*u%" PRIu64, SET_DIGITS,
				    set + 1, random_below(&t->random, t->shared->num));
	status = procedure_get_key(t, key, &value);
	if (status == DONE && !sets_parse(value, &number) && !t->calibrating)
		t->current.wrong++;
	if (status != DONE && status != NOT_FOUND)
		return status;
	status = cfg->db_bench.transactions ? procedure_delete_key(t, key) : DONE;
	if (status != DONE && status != NOT_FOUND)
		return status;
	value.data = value_text;
	value.size = (size_t)snprintf(value_text, sizeof value_text, "%" PRIu64,
				      number + amount);
	return procedure_put_key(t, key, value);
}

static void sets_shuffle(struct procedure_thread *t, unsigned sets)
{
	unsigned short *order = ((struct sets_thread *)t->state)->order;

	for (unsigned i = 0; i < sets; i++) {
		unsigned other = (unsigned)random_below(&t->random, i + 1);

		order[i] = order[other];
		order[other] = (unsigned short)i;
	}
}

/* `*undone`: it was rolled back on purpose. */
static enum status sets_transact(struct procedure_thread *t, bool *undone)
{
	const unsigned short *order = ((struct sets_thread *)t->state)->order;
	unsigned sets = (unsigned)cfg->db_bench.transaction_sets;
	uint64_t amount = 1 + random_below(&t->random, 100);
	enum status status = procedure_begin(t);

	sets_shuffle(t, sets);
	for (unsigned i = 0; i < sets && status == DONE; i++)
		status = sets_add(t, order[i], amount);
	*undone = cfg->db_bench.transactions &&
		  !random_below(&t->random, SETS_ROLLED_BACK_OF);
	return status != DONE || *undone ? procedure_rollback(t, status)
					 : procedure_commit(t);
}

static enum status sets_do(struct procedure_thread *t, const void *parameters)
{
	const struct read_tally before = *t->tally;
	bool undone = false;
	enum status status = sets_transact(t, &undone);

	(void)parameters;
	if (status == CONFLICT) {
		t->worker->conflicts++;
		undone = true;
		status = DONE;
	}
	if (undone) {
		t->current = (struct procedure_counts){0};
		*t->tally = before;
	}
	return status;
}

/* ---- the check ---- */

static enum status sets_sum(struct procedure_thread *t, unsigned set, uint64_t *sum)
{
	char prefix[SET_TEXT_SIZE];
	struct slice key, value;
	enum status status;
	uint64_t number = 0;

	snprintf(prefix, sizeof prefix, "%0*u", SET_DIGITS, set + 1);
	status = t->engine->seek(t->session, (struct slice){prefix, SET_DIGITS}, &key,
				 &value);
	for (*sum = 0; status == DONE && key.size >= SET_DIGITS &&
		       !memcmp(key.data, prefix, SET_DIGITS);
	     *sum += number) {
		if (!sets_parse(value, &number))
			return set_error(t->why, FAILED,
					 "key %.*s has a value that is no number",
					 (int)key.size, (const char *)key.data);
		do
			status = t->engine->next(t->session, &key, &value);
		while (status == CONFLICT);
	}
	return status;
}

static const char *sets_check(struct procedure_shared *s, struct procedure_thread *t)
{
	unsigned sets =
		cfg->db_bench.transactions ? (unsigned)cfg->db_bench.transaction_sets : 0;
	uint64_t first = 0, sum;

	for (unsigned i = 0; i < sets; i++) {
		enum status status = sets_sum(t, i, &sum);

		if (status != DONE && status != NOT_FOUND)
			return *t->why ? t->why : "the sets could not be summed";
		first = i ? first : sum;
		if (sum == first)
			continue;
		snprintf(s->why, sizeof s->why,
			 "an update was lost or done in part: the sum of set %u is "
			 "%" PRIu64 ", that of set 1 is %" PRIu64,
			 i + 1, sum, first);
		return s->why;
	}
	return NULL;
}

static const char *sets_distribution(void)
{
	return "uniform";
}

static const struct procedure random_transaction = {
	.title = "randomtransaction",
	.reject = sets_reject,
	.state_size = sizeof(struct sets_thread),
	.draw_parameters = sets_draw,
	.do_once = sets_do,
	.check = sets_check,
	.distribution = sets_distribution,
};

static struct workload sets_workloads[] = {
	{"randomtransaction",
	 "Add a random number to a key of each of some sets in one transaction.",
	 {[OP_PROCEDURE] = 100},
	 .procedure = &random_transaction,
	 .own_keys = true,
	 .of_db_bench = true},
	{0},
};

static void sets_describe(const struct aggregate *a, struct result *r)
{
	if (a->workload->procedure == &random_transaction)
		r->txn = cfg->db_bench.transactions;
}

extern const struct extra random_transaction_extra;
const struct extra random_transaction_extra = {
	.workloads = sets_workloads,
	.describe = sets_describe,
};
