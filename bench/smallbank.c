/* smallbank.c: see smallbank.h. */
#include "smallbank.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Amounts in cents. */
enum {
	DEPOSITED = 130,
	SAVED = 2020,
	PAID = 500,
	CHECKED = 500,
	OVERDRAWN = 600, /* instead, if both balances together do not cover it */
	LEAST = 1000000,
	MOST = 5000000,
};

/* How much of a hundred each is. */
static const unsigned bank_mix[SMALLBANK_ACTS] = {
	[SMALLBANK_AMALGAMATE] = 15, [SMALLBANK_BALANCE] = 15, [SMALLBANK_DEPOSIT] = 15,
	[SMALLBANK_PAYMENT] = 25,    [SMALLBANK_SAVINGS] = 15, [SMALLBANK_CHECK] = 15,
};

static struct {
	double hot_share;
	uint64_t hot_customers;
} bank_tuning;

static const struct option bank_options[] = {
	{"hot_share", "0",
	 "Share of SmallBank's transactions, 0 to 1, that go to the hot customers; 0: "
	 "all customers are alike.",
	 .real = &bank_tuning.hot_share, .ceiling = 1, .group = "SmallBank"},
	{"hot_customers", "100",
	 "Number of SmallBank's hot customers, the first ones, to which --hot_share of "
	 "the transactions go.",
	 .count = &bank_tuning.hot_customers, .least = 1},
	{0},
};

/* ---- what an actor keeps ---- */

/* Balances that a Balance has seen together, of the last customer that fell here. */
enum { SIGHTS = 1024 };

struct sight {
	uint64_t customer; /* and 1; 0: nothing */
	uint32_t savings, checking;
};

struct clerk {
	int64_t added;    /* cents, since the threads began: the warm-up counts, too */
	uint64_t written; /* and versions */
	uint64_t aborts, skews;
	int64_t adding;   /* of the transaction under way, */
	bool refused;     /* which a rule has ended */
	struct sight sights[SIGHTS];
};

/* All that is there, as main() has counted it. */
struct vault {
	uint64_t records, cents, versions, moved, wrong, skews;
};

struct bank {
	struct vault before, after;
};

static struct clerk *bank_clerk(struct actor *a)
{
	return a->state;
}

/* ---- what is drawn ---- */

static const char *bank_refuse(const struct acts *acts, uint64_t num)
{
	static char text[160];

	(void)acts;
	if (num < 2)
		return "--num: two customers at least, who pay each other";
	if (bank_tuning.hot_customers <= num)
		return NULL;
	snprintf(text, sizeof text,
		 "--hot_customers: %" PRIu64 " of %" PRIu64 " customers; give fewer",
		 bank_tuning.hot_customers, num);
	return text;
}

static bool bank_is_hot(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53 < bank_tuning.hot_share;
}

static enum smallbank_act bank_draw_act(struct random *r)
{
	unsigned percent = (unsigned)random_below(r, 100), act = 0;

	while (percent >= bank_mix[act])
		percent -= bank_mix[act++];
	return (enum smallbank_act)act;
}

/* Another than `not`, which is one of the n > 1 from `first` on. */
static uint64_t bank_draw_other(struct random *r, uint64_t first, uint64_t n,
				uint64_t not)
{
	uint64_t other = first + random_below(r, n - 1);

	return other + (other >= not);
}

static enum result_kind bank_draw(struct actor *a, void *into)
{
	uint64_t num = a->stage->num, first = 0, n = num, hot = bank_tuning.hot_customers;
	struct smallbank_draw *d = into;

	d->act = bank_draw_act(&a->random);
	if (bank_tuning.hot_share > 0 && hot < num) {
		bool is_hot = bank_is_hot(&a->random);

		first = is_hot ? 0 : hot;
		n = is_hot ? hot : num - hot;
	}
	d->from = first + random_below(&a->random, n);
	/* Who is alone there has all others to pay. */
	d->to = n > 1 ? bank_draw_other(&a->random, first, n, d->from)
		      : bank_draw_other(&a->random, 0, num, d->from);
	return d->act == SMALLBANK_BALANCE ? KIND_READ : KIND_WRITE;
}

static const char *bank_distribution(void)
{
	static char text[96];

	if (!(bank_tuning.hot_share > 0))
		return "uniform";
	snprintf(text, sizeof text, "hotspot, %g on the first %" PRIu64 " customers",
		 bank_tuning.hot_share, bank_tuning.hot_customers);
	return text;
}

/* ---- records ---- */

static uint64_t bank_savings(uint64_t customer)
{
	return customer;
}

static uint64_t bank_checking(const struct actor *a, uint64_t customer)
{
	return a->stage->num + customer;
}

static void bank_write(const struct stage *s, char *to, size_t size, uint64_t id,
		       const struct smallbank_record *r)
{
	memcpy(to, r, sizeof *r);
	if (size > sizeof *r)
		record_value(to + sizeof *r, size - sizeof *r, s->ratio, id, r->version);
}

static void bank_first(const struct stage *s, char *to, size_t size, uint64_t id)
{
	random_wide range = MOST - LEAST + 1;
	uint64_t draw = random_mix(random_mix(s->seed) + id);
	struct smallbank_record first = {.cents = LEAST + (int64_t)(draw * range >> 64)};

	bank_write(s, to, size, id, &first);
}

/* Is it a balance of ours and, if somebody looks, byte by byte as it was written? */
static bool bank_read(const struct stage *s, struct slice value, uint64_t id,
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

static enum status bank_get(struct actor *a, uint64_t id, struct smallbank_record *r)
{
	struct slice value;
	enum status status = actor_get(a, id, &value);
	uint64_t start;

	if (status != DONE)
		return status;
	start = a->verify ? clock_ticks(a->clock) : 0;
	if (!bank_read(a->stage, value, id, r, a->scratch, a->verify)) {
		a->now.wrong++;
		*r = (struct smallbank_record){0};
	}
	if (a->verify)
		*a->aside += clock_ticks(a->clock) - start;
	return DONE;
}

/* It wraps where an engine that does nothing has answered anything. */
static int64_t bank_sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static enum status bank_put(struct actor *a, uint64_t id, struct smallbank_record *r)
{
	size_t size = a->stage->settings->value_size;

	r->version++;
	bank_write(a->stage, a->value, size, id, r);
	return actor_put(a, id, (struct slice){a->value, size});
}

/* A balance gets so many cents from outside. */
static enum status bank_add(struct actor *a, uint64_t id, struct smallbank_record *r,
			    int64_t cents)
{
	r->cents = bank_sum(r->cents, cents);
	bank_clerk(a)->adding += cents;
	return bank_put(a, id, r);
}

/* Put cents on a balance that come from another, which is given as many less. */
static enum status bank_move(struct actor *a, uint64_t id, struct smallbank_record *r,
			     int64_t cents)
{
	r->cents = bank_sum(r->cents, cents);
	r->moved = bank_sum(r->moved, cents);
	return bank_put(a, id, r);
}

/* ---- snapshot isolation's anomaly: see smallbank.h ---- */

static bool bank_younger(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) > 0;
}

static struct sight *bank_sight(struct clerk *c, uint64_t customer)
{
	return &c->sights[random_mix(customer) % SIGHTS];
}

/* Does what a WriteCheck did contradict what this clerk has seen of the customer? */
static bool bank_contradicts(struct clerk *c, uint64_t customer,
			     const struct smallbank_record *checking)
{
	struct sight *s = bank_sight(c, customer);

	if (s->customer != customer + 1)
		return false;
	for (int i = 0; i < SMALLBANK_CHECKS && checking->checks[i].version; i++)
		if (bank_younger(checking->checks[i].version, s->checking) &&
		    bank_younger(s->savings, checking->checks[i].savings)) {
			s->customer = 0; /* it is counted once */
			return true;
		}
	return false;
}

static enum status bank_get_checking(struct actor *a, uint64_t customer,
				     struct smallbank_record *r)
{
	enum status status = bank_get(a, bank_checking(a, customer), r);

	if (status == DONE && !a->rehearses)
		bank_clerk(a)->skews += bank_contradicts(bank_clerk(a), customer, r);
	return status;
}

/* The WriteCheck that is about to write `checking` has decided by these savings. */
static void bank_note_check(struct smallbank_record *checking,
			    const struct smallbank_record *savings)
{
	memmove(checking->checks + 1, checking->checks,
		(SMALLBANK_CHECKS - 1) * sizeof *checking->checks);
	checking->checks[0].version = (uint32_t)(checking->version + 1);
	checking->checks[0].savings = (uint32_t)savings->version;
}

/* ---- the six transactions, less their beginning and end ---- */

static enum status bank_get_both(struct actor *a, uint64_t customer,
				 struct smallbank_record *savings,
				 struct smallbank_record *checking)
{
	enum status status = bank_get(a, bank_savings(customer), savings);

	return status == DONE ? bank_get_checking(a, customer, checking) : status;
}

static enum status bank_deposit(struct actor *a, const struct smallbank_draw *d)
{
	struct smallbank_record checking;
	enum status status = bank_get_checking(a, d->from, &checking);

	return status == DONE
		       ? bank_add(a, bank_checking(a, d->from), &checking, DEPOSITED)
		       : status;
}

static enum status bank_save(struct actor *a, const struct smallbank_draw *d)
{
	struct smallbank_record savings;
	enum status status = bank_get(a, bank_savings(d->from), &savings);

	return status == DONE ? bank_add(a, bank_savings(d->from), &savings, SAVED)
			      : status;
}

static enum status bank_pay(struct actor *a, const struct smallbank_draw *d)
{
	struct smallbank_record from, to;
	enum status status = bank_get_checking(a, d->from, &from);

	if (status == DONE && from.cents < PAID && !a->rehearses) {
		bank_clerk(a)->refused = true;
		return DONE;
	}
	if (status == DONE)
		status = bank_get_checking(a, d->to, &to);
	if (status == DONE)
		status = bank_move(a, bank_checking(a, d->from), &from, -PAID);
	return status == DONE ? bank_move(a, bank_checking(a, d->to), &to, PAID) : status;
}

static enum status bank_amalgamate(struct actor *a, const struct smallbank_draw *d)
{
	struct smallbank_record savings, checking, to;
	enum status status = bank_get_both(a, d->from, &savings, &checking);
	int64_t all;

	if (status == DONE)
		status = bank_get_checking(a, d->to, &to);
	if (status != DONE)
		return status;
	all = bank_sum(savings.cents, checking.cents);
	status = bank_move(a, bank_savings(d->from), &savings,
				   bank_sum(0, -savings.cents));
	if (status == DONE)
		status = bank_move(a, bank_checking(a, d->from), &checking,
				   bank_sum(0, -checking.cents));
	return status == DONE ? bank_move(a, bank_checking(a, d->to), &to, all) : status;
}

static enum status bank_write_check(struct actor *a, const struct smallbank_draw *d)
{
	struct smallbank_record savings, checking;
	enum status status = bank_get_both(a, d->from, &savings, &checking);
	bool covered;

	if (status != DONE)
		return status;
	covered = bank_sum(savings.cents, checking.cents) >= CHECKED;
	bank_note_check(&checking, &savings);
	return bank_add(a, bank_checking(a, d->from), &checking,
			covered ? -CHECKED : -OVERDRAWN);
}

static enum status (*const bank_transactions[SMALLBANK_ACTS])(
	struct actor *, const struct smallbank_draw *) = {
	[SMALLBANK_AMALGAMATE] = bank_amalgamate, [SMALLBANK_DEPOSIT] = bank_deposit,
	[SMALLBANK_PAYMENT] = bank_pay,           [SMALLBANK_SAVINGS] = bank_save,
	[SMALLBANK_CHECK] = bank_write_check,
};

/* The transaction that only reads. */
static enum status bank_balance(struct actor *a, const struct smallbank_draw *d)
{
	struct smallbank_record savings, checking;
	enum status status = actor_snapshot(a);

	if (status == DONE)
		status = actor_release(
			a, bank_get_both(a, d->from, &savings, &checking));
	if (status == DONE)
		*bank_sight(bank_clerk(a), d->from) = (struct sight){
			d->from + 1,
			(uint32_t)savings.version,
			(uint32_t)checking.version,
		};
	return status;
}

/* One that writes, unless a rule ends it. */
static enum status bank_transact(struct actor *a, const struct smallbank_draw *d)
{
	enum status status = actor_begin(a);

	if (status != DONE)
		return status;
	status = bank_transactions[d->act](a, d);
	if (status != DONE || bank_clerk(a)->refused)
		return actor_abandon(a, status);
	return actor_commit(a);
}

static enum status bank_once(struct actor *a, const void *drawn)
{
	const struct smallbank_draw *d = drawn;
	struct clerk *c = bank_clerk(a);
	enum status status;

	c->adding = 0;
	c->refused = false;
	status = d->act == SMALLBANK_BALANCE ? bank_balance(a, d) : bank_transact(a, d);
	if (status != DONE)
		return status;
	c->aborts += c->refused;
	c->added += c->adding;
	c->written += a->now.puts;
	return DONE;
}

static void bank_forget(struct actor *a)
{
	bank_clerk(a)->aborts = bank_clerk(a)->skews = 0;
}

/* ---- all that is there ---- */

static void bank_count(struct stage *s, struct actor *a, struct vault *v,
		       struct slice key, struct slice value)
{
	uint64_t id = record_id(key.data, key.size, s->shape.form);
	struct smallbank_record r;

	if (id >= 2 * s->num || !bank_read(s, value, id, &r, a->scratch, true)) {
		v->wrong++;
		return;
	}
	v->records++;
	v->cents += (uint64_t)r.cents;
	v->moved += (uint64_t)r.moved;
	v->versions += r.version;
	for (unsigned i = 0; s->actors && id >= s->num && i < s->threads; i++)
		v->skews += bank_contradicts(s->actors[i]->state, id - s->num, &r);
}

/* All records, one by one; NULL, or why they are no bank. */
static const char *bank_count_all(struct stage *s, struct actor *a, struct vault *v)
{
	struct slice key, value;
	enum status status = a->engine->seek(a->session, (struct slice){NULL, 0}, &key,
					     &value);

	while (status == DONE) {
		bank_count(s, a, v, key, value);
		do
			status = a->engine->next(a->session, &key, &value);
		while (status == CONFLICT);
	}
	if (status != NOT_FOUND)
		return *a->why ? a->why : "the balances could not be counted";
	if (v->wrong || v->records != 2 * s->num) {
		snprintf(s->why, sizeof s->why,
			 "%" PRIu64 " of %" PRIu64 " balances are there, and %" PRIu64
			 " records that are none",
			 v->records, 2 * s->num, v->wrong);
		return s->why;
	}
	if (v->moved) {
		snprintf(s->why, sizeof s->why,
			 "money was moved in part: what was taken and what was given "
			 "differ by %.2f",
			 (double)(int64_t)v->moved / 100);
		return s->why;
	}
	return NULL;
}

static const char *bank_prepare(struct stage *s, struct actor *a)
{
	struct bank *bank = s->shared;

	return bank_count_all(s, a, &bank->before);
}

static const char *bank_check(struct stage *s, struct actor *a)
{
	struct bank *bank = s->shared;
	uint64_t cents = bank->before.cents, versions = bank->before.versions;
	const char *why = bank_count_all(s, a, &bank->after);

	for (unsigned i = 0; i < s->threads; i++) {
		const struct clerk *c = s->actors[i]->state;

		cents += (uint64_t)c->added;
		versions += c->written;
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

static void bank_columns(const struct stage *s, struct result *r)
{
	const struct bank *bank = s->shared;

	r->aborts = 0;
	r->skews = (double)bank->after.skews;
	for (unsigned i = 0; i < s->threads; i++) {
		const struct clerk *c = s->actors[i]->state;

		r->aborts += (double)c->aborts;
		r->skews += (double)c->skews;
	}
}

const struct acts smallbank = {
	.title = "SmallBank",
	.options = bank_options,
	.mix = "amalgamate:15,balance:15,deposit:15,payment:25,savings:15,check:15",
	.transacts = true,
	.records = 2,
	.form = 256,
	.least = sizeof(struct smallbank_record),
	.draw_size = sizeof(struct smallbank_draw),
	.state_size = sizeof(struct clerk),
	.shared_size = sizeof(struct bank),
	.refuse = bank_refuse,
	.value = bank_first,
	.prepare = bank_prepare,
	.check = bank_check,
	.draw = bank_draw,
	.once = bank_once,
	.forget = bank_forget,
	.columns = bank_columns,
	.distribution = bank_distribution,
};
