/* smallbank.c: see smallbank.h. */
#include "smallbank.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../util/message.h"
#include "../runner/metrics.h"

/* Amounts in cents. */
enum {
	DEPOSIT_CENTS = 130,
	SAVINGS_CENTS = 2020,
	PAYMENT_CENTS = 500,
	CHECK_CENTS = 500,
	OVERDRAFT_CHECK_CENTS = 600, /* if the check exceeds both balances together */
	LEAST = 1000000,
	MOST = 5000000,
};

/* Percentage of each transaction. */
static const unsigned bank_mix[SMALLBANK_TRANSACTIONS] = {
	[SMALLBANK_AMALGAMATE] = 15, [SMALLBANK_BALANCE] = 15, [SMALLBANK_DEPOSIT] = 15,
	[SMALLBANK_PAYMENT] = 25,    [SMALLBANK_SAVINGS] = 15, [SMALLBANK_CHECK] = 15,
};

static struct {
	double hot_share;
	uint64_t hot_customers;
} bank_settings;

static const struct option bank_options[] = {
	{"hot_share", "0",
	 "Fraction of the transactions of the workload smallbank, 0 to 1, "
	 "that choose among the first --hot_customers customers. The others "
	 "choose among the remaining customers. A larger fraction causes more "
	 "conflicts. 0: all customers are equally popular.",
	 .real = &bank_settings.hot_share, .real_max = 1, .group = "SmallBank"},
	{"hot_customers", "100",
	 "Number of hot customers of the workload smallbank; --hot_share of the "
	 "transactions use one of them.",
	 .count = &bank_settings.hot_customers, .min = 1},
	{0},
};

/* ---- state of a thread ---- */

/* Pairs of balances that a Balance has read, of the last customer in each slot. */
enum { OBSERVATIONS = 1024 };

struct smallbank_observation {
	uint64_t customer_plus_1; /* 0: empty */
	uint32_t savings_version, checking_version;
};

struct smallbank_thread {
	int64_t cents_added;     /* cents, since the threads began, with the warm-up */
	uint64_t versions_added; /* versions */
	uint64_t aborts, write_skews;
	int64_t pending_cents; /* of the transaction under way, */
	bool is_aborted;       /* which a rule has aborted */
	struct smallbank_observation observations[OBSERVATIONS];
};

/* All records, as main() has counted them. */
struct smallbank_totals {
	uint64_t records, cents, versions, moved, wrong, write_skews;
};

struct smallbank_shared {
	struct smallbank_totals before, after;
};

static struct smallbank_thread *bank_thread(struct procedure_thread *t)
{
	return t->state;
}

/* ---- parameters ---- */

static const char *bank_reject(const struct procedure *procedure, uint64_t num)
{
	static char text[160];

	(void)procedure;
	if (num < 2)
		return "--num: SmallBank needs at least two customers, who pay each "
		       "other";
	if (bank_settings.hot_customers <= num)
		return NULL;
	snprintf(text, sizeof text,
		 "--hot_customers: %" PRIu64 " of %" PRIu64 " customers; give fewer",
		 bank_settings.hot_customers, num);
	return text;
}

static bool bank_is_hot(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53 < bank_settings.hot_share;
}

static enum smallbank_transaction bank_draw_transaction(struct random *r)
{
	unsigned percent = (unsigned)random_below(r, 100), transaction = 0;

	while (percent >= bank_mix[transaction])
		percent -= bank_mix[transaction++];
	return (enum smallbank_transaction)transaction;
}

/* Any of the n > 1 customers from `first` on, except `not`. */
static uint64_t bank_draw_other(struct random *r, uint64_t first, uint64_t n,
				uint64_t not)
{
	uint64_t other = first + random_below(r, n - 1);

	return other + (other >= not);
}

static enum result_kind bank_draw(struct procedure_thread *t, void *parameters)
{
	uint64_t num = t->shared->num, first = 0, n = num,
		 hot = bank_settings.hot_customers;
	struct smallbank_parameters *p = parameters;

	p->transaction = bank_draw_transaction(&t->random);
	if (bank_settings.hot_share > 0 && hot < num) {
		bool is_hot = bank_is_hot(&t->random);

		first = is_hot ? 0 : hot;
		n = is_hot ? hot : num - hot;
	}
	p->from = first + random_below(&t->random, n);
	/* A customer that is alone there pays any of the others. */
	p->to = n > 1 ? bank_draw_other(&t->random, first, n, p->from)
		      : bank_draw_other(&t->random, 0, num, p->from);
	return p->transaction == SMALLBANK_BALANCE ? KIND_READ : KIND_WRITE;
}

static const char *bank_distribution(void)
{
	static char text[96];

	if (!(bank_settings.hot_share > 0))
		return "uniform";
	snprintf(text, sizeof text, "hotspot, %g on the first %" PRIu64 " customers",
		 bank_settings.hot_share, bank_settings.hot_customers);
	return text;
}

/* ---- records ---- */

static uint64_t bank_savings(uint64_t customer)
{
	return customer;
}

static uint64_t bank_checking(const struct procedure_thread *t, uint64_t customer)
{
	return t->shared->num + customer;
}

static void bank_write(const struct procedure_shared *s, char *to, size_t size,
		       uint64_t id, const struct smallbank_record *r)
{
	memcpy(to, r, sizeof *r);
	if (size > sizeof *r)
		record_write_value(to + sizeof *r, size - sizeof *r, s->value_ratio, id,
				   r->version);
}

static void bank_initial_value(const struct procedure_shared *s, char *to, size_t size,
			       uint64_t id)
{
	random_u128 range = MOST - LEAST + 1;
	uint64_t random_bits = random_mix(random_mix(s->seed) + id);
	struct smallbank_record first = {.cents = LEAST +
						  (int64_t)(random_bits * range >> 64)};

	bank_write(s, to, size, id, &first);
}

/* Is it a valid balance and, with `verify`, equal byte for byte to what was written? */
static bool bank_read(const struct procedure_shared *s, struct slice value, uint64_t id,
		      struct smallbank_record *r, char *scratch, bool verify)
{
	if (value.size != s->settings->value_size)
		return false;
	memcpy(r, value.data, sizeof *r);
	if (!verify)
		return true;
	bank_write(s, scratch, value.size, id, r);
	return !memcmp(scratch, value.data, value.size);
}

static enum status bank_get(struct procedure_thread *t, uint64_t id,
			    struct smallbank_record *r)
{
	struct slice value;
	enum status status = procedure_get(t, id, &value);
	uint64_t start;

	if (status != DONE)
		return status;
	start = t->verify ? clock_ticks(t->clock) : 0;
	if (!bank_read(t->shared, value, id, r, t->value_scratch, t->verify)) {
		t->current.wrong++;
		*r = (struct smallbank_record){0};
	}
	if (t->verify)
		*t->check_ticks += clock_ticks(t->clock) - start;
	return DONE;
}

/* Wraps, as the null engine returns any number. */
static int64_t bank_sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static enum status bank_put(struct procedure_thread *t, uint64_t id,
			    struct smallbank_record *r)
{
	size_t size = t->shared->settings->value_size;

	r->version++;
	bank_write(t->shared, t->value, size, id, r);
	return procedure_put(t, id, (struct slice){t->value, size});
}

/* Add cents from outside to a balance. */
static enum status bank_add(struct procedure_thread *t, uint64_t id,
			    struct smallbank_record *r, int64_t cents)
{
	r->cents = bank_sum(r->cents, cents);
	bank_thread(t)->pending_cents += cents;
	return bank_put(t, id, r);
}

/* Add cents that another balance loses. */
static enum status bank_move(struct procedure_thread *t, uint64_t id,
			     struct smallbank_record *r, int64_t cents)
{
	r->cents = bank_sum(r->cents, cents);
	r->moved = bank_sum(r->moved, cents);
	return bank_put(t, id, r);
}

/* ---- snapshot isolation's anomaly: see smallbank.h ---- */

static bool bank_is_newer(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) > 0;
}

static struct smallbank_observation *bank_observation(struct smallbank_thread *own,
						      uint64_t customer)
{
	return &own->observations[random_mix(customer) % OBSERVATIONS];
}

/*
 * Does the stored result of a WriteCheck contradict what this thread has read of the
 * customer?
 */
static bool bank_contradicts(struct smallbank_thread *own, uint64_t customer,
			     const struct smallbank_record *checking)
{
	struct smallbank_observation *observed = bank_observation(own, customer);

	if (observed->customer_plus_1 != customer + 1)
		return false;
	for (int i = 0; i < SMALLBANK_CHECKS && checking->checks[i].version; i++)
		if (bank_is_newer(checking->checks[i].version,
				  observed->checking_version) &&
		    bank_is_newer(observed->savings_version,
				  checking->checks[i].savings_version)) {
			observed->customer_plus_1 = 0; /* count it once */
			return true;
		}
	return false;
}

static enum status bank_get_checking(struct procedure_thread *t, uint64_t customer,
				     struct smallbank_record *r)
{
	enum status status = bank_get(t, bank_checking(t, customer), r);

	if (status == DONE && !t->calibrating)
		bank_thread(t)->write_skews +=
			bank_contradicts(bank_thread(t), customer, r);
	return status;
}

/* Note in `checking` which savings its WriteCheck has read. */
static void bank_note_check(struct smallbank_record *checking,
			    const struct smallbank_record *savings)
{
	memmove(checking->checks + 1, checking->checks,
		(SMALLBANK_CHECKS - 1) * sizeof *checking->checks);
	checking->checks[0].version = (uint32_t)(checking->version + 1);
	checking->checks[0].savings_version = (uint32_t)savings->version;
}

/* ---- the six transactions, without begin and commit ---- */

static enum status bank_get_balances(struct procedure_thread *t, uint64_t customer,
				     struct smallbank_record *savings,
				     struct smallbank_record *checking)
{
	enum status status = bank_get(t, bank_savings(customer), savings);

	return status == DONE ? bank_get_checking(t, customer, checking) : status;
}

static enum status bank_deposit(struct procedure_thread *t,
				const struct smallbank_parameters *p)
{
	struct smallbank_record checking;
	enum status status = bank_get_checking(t, p->from, &checking);

	return status == DONE
		       ? bank_add(t, bank_checking(t, p->from), &checking, DEPOSIT_CENTS)
		       : status;
}

static enum status bank_save(struct procedure_thread *t,
			     const struct smallbank_parameters *p)
{
	struct smallbank_record savings;
	enum status status = bank_get(t, bank_savings(p->from), &savings);

	return status == DONE
		       ? bank_add(t, bank_savings(p->from), &savings, SAVINGS_CENTS)
		       : status;
}

static enum status bank_pay(struct procedure_thread *t,
			    const struct smallbank_parameters *p)
{
	struct smallbank_record from, to;
	enum status status = bank_get_checking(t, p->from, &from);

	if (status == DONE && from.cents < PAYMENT_CENTS && !t->calibrating) {
		bank_thread(t)->is_aborted = true;
		return DONE;
	}
	if (status == DONE)
		status = bank_get_checking(t, p->to, &to);
	if (status == DONE)
		status = bank_move(t, bank_checking(t, p->from), &from, -PAYMENT_CENTS);
	return status == DONE ? bank_move(t, bank_checking(t, p->to), &to, PAYMENT_CENTS)
			      : status;
}

static enum status bank_amalgamate(struct procedure_thread *t,
				   const struct smallbank_parameters *p)
{
	struct smallbank_record savings, checking, to;
	enum status status = bank_get_balances(t, p->from, &savings, &checking);
	int64_t all;

	if (status == DONE)
		status = bank_get_checking(t, p->to, &to);
	if (status != DONE)
		return status;
	all = bank_sum(savings.cents, checking.cents);
	status = bank_move(t, bank_savings(p->from), &savings,
			   bank_sum(0, -savings.cents));
	if (status == DONE)
		status = bank_move(t, bank_checking(t, p->from), &checking,
				   bank_sum(0, -checking.cents));
	return status == DONE ? bank_move(t, bank_checking(t, p->to), &to, all) : status;
}

static enum status bank_write_check(struct procedure_thread *t,
				    const struct smallbank_parameters *p)
{
	struct smallbank_record savings, checking;
	enum status status = bank_get_balances(t, p->from, &savings, &checking);
	bool covered;

	if (status != DONE)
		return status;
	covered = bank_sum(savings.cents, checking.cents) >= CHECK_CENTS;
	bank_note_check(&checking, &savings);
	return bank_add(t, bank_checking(t, p->from), &checking,
			covered ? -CHECK_CENTS : -OVERDRAFT_CHECK_CENTS);
}

static enum status (*const bank_transactions[SMALLBANK_TRANSACTIONS])(
	struct procedure_thread *, const struct smallbank_parameters *) = {
	[SMALLBANK_AMALGAMATE] = bank_amalgamate, [SMALLBANK_DEPOSIT] = bank_deposit,
	[SMALLBANK_PAYMENT] = bank_pay,           [SMALLBANK_SAVINGS] = bank_save,
	[SMALLBANK_CHECK] = bank_write_check,
};

/* The transaction that only reads. */
static enum status bank_balance(struct procedure_thread *t,
				const struct smallbank_parameters *p)
{
	struct smallbank_record savings, checking;
	enum status status = procedure_snapshot(t);

	if (status == DONE)
		status = procedure_release(t, bank_get_balances(t, p->from, &savings,
								&checking));
	if (status == DONE)
		*bank_observation(bank_thread(t), p->from) =
			(struct smallbank_observation){
				p->from + 1,
				(uint32_t)savings.version,
				(uint32_t)checking.version,
			};
	return status;
}

/* A transaction that writes, unless a rule aborts it. */
static enum status bank_transact(struct procedure_thread *t,
				 const struct smallbank_parameters *p)
{
	enum status status = procedure_begin(t);

	if (status != DONE)
		return status;
	status = bank_transactions[p->transaction](t, p);
	if (status != DONE || bank_thread(t)->is_aborted)
		return procedure_rollback(t, status);
	return procedure_commit(t);
}

static enum status bank_do(struct procedure_thread *t, const void *parameters)
{
	const struct smallbank_parameters *p = parameters;
	struct smallbank_thread *own = bank_thread(t);
	enum status status;

	own->pending_cents = 0;
	own->is_aborted = false;
	status = p->transaction == SMALLBANK_BALANCE ? bank_balance(t, p)
						     : bank_transact(t, p);
	if (status != DONE)
		return status;
	own->aborts += own->is_aborted;
	own->cents_added += own->pending_cents;
	own->versions_added += t->current.writes;
	return DONE;
}

static void bank_reset_counts(struct procedure_thread *t)
{
	bank_thread(t)->aborts = bank_thread(t)->write_skews = 0;
}

/* ---- counting all records ---- */

static void bank_count(struct procedure_shared *s, struct procedure_thread *t,
		       struct smallbank_totals *sum, struct slice key, struct slice value)
{
	uint64_t id = record_parse_key(key.data, key.size, s->key_shape.format);
	struct smallbank_record r;

	if (id >= 2 * s->num || !bank_read(s, value, id, &r, t->value_scratch, true)) {
		sum->wrong++;
		return;
	}
	sum->records++;
	sum->cents += (uint64_t)r.cents;
	sum->moved += (uint64_t)r.moved;
	sum->versions += r.version;
	for (unsigned i = 0; s->threads_of && id >= s->num && i < s->threads; i++)
		sum->write_skews +=
			bank_contradicts(s->threads_of[i]->state, id - s->num, &r);
}

/* Count all records; returns NULL, or why they are inconsistent. */
static const char *bank_count_all(struct procedure_shared *s, struct procedure_thread *t,
				  struct smallbank_totals *sum)
{
	struct slice key, value;
	enum status status =
		t->engine->seek(t->session, (struct slice){NULL, 0}, &key, &value);

	while (status == DONE) {
		bank_count(s, t, sum, key, value);
		do
			status = t->engine->next(t->session, &key, &value);
		while (status == CONFLICT);
	}
	if (status != NOT_FOUND)
		return *t->why ? t->why : "the balances could not be counted";
	if (sum->wrong || sum->records != 2 * s->num) {
		snprintf(s->why, sizeof s->why,
			 "%" PRIu64 " of %" PRIu64 " balances are there, and %" PRIu64
			 " records that are none",
			 sum->records, 2 * s->num, sum->wrong);
		return s->why;
	}
	if (sum->moved) {
		snprintf(s->why, sizeof s->why,
			 "payments were done in part: withdrawals and deposits differ by "
			 "%.2f",
			 (double)(int64_t)sum->moved / 100);
		return s->why;
	}
	return NULL;
}

static const char *bank_prepare(struct procedure_shared *s, struct procedure_thread *t)
{
	struct smallbank_shared *bank = s->shared;

	return bank_count_all(s, t, &bank->before);
}

static const char *bank_check(struct procedure_shared *s, struct procedure_thread *t)
{
	struct smallbank_shared *bank = s->shared;
	uint64_t cents = bank->before.cents, versions = bank->before.versions;
	const char *why = bank_count_all(s, t, &bank->after);

	for (unsigned i = 0; i < s->threads; i++) {
		const struct smallbank_thread *own = s->threads_of[i]->state;

		cents += (uint64_t)own->cents_added;
		versions += own->versions_added;
	}
	if (why || (bank->after.cents == cents && bank->after.versions == versions))
		return why;
	snprintf(s->why, sizeof s->why,
		 "an update was lost or done twice: all balances are %.2f, not %.2f, "
		 "after %" PRIu64 " writes, not %" PRIu64,
		 (double)(int64_t)bank->after.cents / 100, (double)(int64_t)cents / 100,
		 bank->after.versions, versions);
	return s->why;
}

const struct procedure smallbank = {
	.title = "SmallBank",
	.mix = "amalgamate:15,balance:15,deposit:15,payment:25,savings:15,check:15",
	.needs_transactions = true,
	.records_per_num = 2,
	.value_format = 256,
	.value_size_min = sizeof(struct smallbank_record),
	.parameters_size = sizeof(struct smallbank_parameters),
	.state_size = sizeof(struct smallbank_thread),
	.shared_size = sizeof(struct smallbank_shared),
	.reject = bank_reject,
	.make_value = bank_initial_value,
	.prepare = bank_prepare,
	.check = bank_check,
	.draw_parameters = bank_draw,
	.do_once = bank_do,
	.reset_counts = bank_reset_counts,
	.distribution = bank_distribution,
};

/* ---- the extra ---- */

static struct workload bank_workloads[] = {
	{"smallbank-load",
	 "SmallBank: load a savings and a checking balance for each of --num "
	 "customers, 10000.00 to 50000.00 each.",
	 {[OP_APPEND] = 100},
	 .procedure = &smallbank,
	 .key_order = ORDER_SEQUENTIAL,
	 .starts_empty = true,
	 .divided = true,
	 .batched = true,
	 .completes = true,
	 .preset = "smallbank"},
	{"smallbank",
	 "SmallBank: run transactions on the balances of random customers, 15 % of them "
	 "read-only. The sum of all money is checked before and after.",
	 {[OP_PROCEDURE] = 100},
	 .procedure = &smallbank,
	 .preset = "smallbank"},
	{0},
};

static const struct preset bank_presets[] = {
	{"smallbank",
	 "SmallBank (2008): a million customers, their balances loaded, then its mix of "
	 "transactions.",
	 "benchmarks=smallbank-load,smallbank num=1m key_format=binary key_size=8 "
	 "value_size=64"},
	{0},
};

static const struct row_file_column bank_column_table[] = {
	RESULT_NUMBER(smallbank_columns, aborts, 0,
		      "Number of transactions that the workload itself rolled back by "
		      "its rules, such as a payment without sufficient funds in "
		      "SmallBank. Empty: the workload has no such rules."),
	RESULT_NUMBER(smallbank_columns, write_skews, 0,
		      "Number of write skews detected in SmallBank. A WriteCheck "
		      "used a savings balance that another transaction replaced "
		      "before the WriteCheck committed, and no serial order of the "
		      "two explains the results. Some may be missed. Snapshot "
		      "isolation allows write skews, serializable does not. Empty: "
		      "another workload."),
};

struct smallbank_columns smallbank_results(const struct procedure_shared *s)
{
	const struct smallbank_shared *bank = s->shared;
	struct smallbank_columns results = {.write_skews =
						    (double)bank->after.write_skews};

	for (unsigned i = 0; i < s->threads; i++) {
		const struct smallbank_thread *own = s->threads_of[i]->state;

		results.aborts += (double)own->aborts;
		results.write_skews += (double)own->write_skews;
	}
	return results;
}

static void bank_fill(const struct aggregate *a, struct result *r)
{
	struct smallbank_columns *columns = result_added(r, &smallbank_extra.columns);

	if (a->procedure->procedure == &smallbank && a->workload->weights[OP_PROCEDURE])
		*columns = smallbank_results(a->procedure);
}

static bool bank_append_to_line(const struct result *r, char *to, size_t size)
{
	const struct smallbank_columns *columns =
		result_added(r, &smallbank_extra.columns);

	if (isnan(columns->aborts))
		return false;
	message_append(to, size, "", "(%.0f commits, %.0f aborts)", r->commits,
		       columns->aborts);
	return true;
}

const struct extra smallbank_extra = {
	.options = bank_options,
	.workloads = bank_workloads,
	.presets = bank_presets,
	.columns = ROW_FILE_COLUMNS(bank_column_table),
	.fill = bank_fill,
	.append_to_line = bank_append_to_line,
};
