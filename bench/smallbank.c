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
static const unsigned mix[SMALLBANK_ACTS] = {
	[SMALLBANK_AMALGAMATE] = 15, [SMALLBANK_BALANCE] = 15, [SMALLBANK_DEPOSIT] = 15,
	[SMALLBANK_PAYMENT] = 25,    [SMALLBANK_SAVINGS] = 15, [SMALLBANK_CHECK] = 15,
};

static struct {
	double hot_share;
	uint64_t hot_customers;
} tuning;

static const struct option options[] = {
	{"hot_share", "0", "Share of the transactions whose customers are hot.",
	 .real = &tuning.hot_share, .ceiling = 1, .group = "SmallBank"},
	{"hot_customers", "100", "Customers that are hot: the first ones.",
	 .count = &tuning.hot_customers, .least = 1},
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
	int64_t adding;   /* of the transaction under way */
	struct sight sights[SIGHTS];
};

/* All money and all versions, as main() has counted them. */
struct vault {
	uint64_t records, cents, versions, wrong, skews;
};

struct bank {
	struct vault before, after;
};

static struct clerk *clerk(struct actor *a)
{
	return a->state;
}

/* ---- what is drawn ---- */

static const char *refuse(uint64_t num)
{
	static char text[160];

	if (num < 2)
		return "--num: two customers at least, who pay each other";
	if (tuning.hot_customers <= num)
		return NULL;
	snprintf(text, sizeof text,
		 "--hot_customers: %" PRIu64 " of %" PRIu64 " customers; give fewer",
		 tuning.hot_customers, num);
	return text;
}

static double uniform(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53;
}

static enum smallbank_act draw_act(struct random *r)
{
	unsigned percent = (unsigned)random_below(r, 100), act = 0;

	while (percent >= mix[act])
		percent -= mix[act++];
	return (enum smallbank_act)act;
}

/* Another than `not`, of those from `first` on, of which there are n > 1. */
static uint64_t draw_other(struct random *r, uint64_t first, uint64_t n, uint64_t not)
{
	uint64_t other = first + random_below(r, n - 1);

	return other + (other >= not);
}

static enum result_kind draw(struct actor *a, void *into)
{
	uint64_t num = a->stage->num, first = 0, n = num;
	struct smallbank_draw *d = into;

	d->act = draw_act(&a->random);
	if (uniform(&a->random) < tuning.hot_share) {
		n = tuning.hot_customers;
	} else if (tuning.hot_share > 0 && tuning.hot_customers < num) {
		first = tuning.hot_customers;
		n = num - first;
	}
	d->from = first + random_below(&a->random, n);
	/* Whoever is alone there has the others to pay. */
	d->to = n > 1 ? draw_other(&a->random, first, n, d->from)
		      : draw_other(&a->random, 0, num, d->from);
	return d->act == SMALLBANK_BALANCE ? KIND_READ : KIND_WRITE;
}

static const char *distribution(void)
{
	static char text[64];

	if (!(tuning.hot_share > 0))
		return "uniform";
	snprintf(text, sizeof text, "%g of the transactions on %" PRIu64 " customers",
		 tuning.hot_share, tuning.hot_customers);
	return text;
}

/* ---- records ---- */

static uint64_t savings_of(const struct actor *a, uint64_t customer)
{
	(void)a;
	return customer;
}

static uint64_t checking_of(const struct actor *a, uint64_t customer)
{
	return a->stage->num + customer;
}

static void write_value(const struct stage *s, char *to, size_t size, uint64_t id,
			const struct smallbank_record *r)
{
	memcpy(to, r, sizeof *r);
	if (size > sizeof *r)
		record_value(to + sizeof *r, size - sizeof *r, s->ratio, id, r->version);
}

static void first_value(const struct stage *s, char *to, size_t size, uint64_t id)
{
	struct random r = {
		.state = (random_wide)random_mix(random_mix(s->seed) + id) << 64 | 1};
	struct smallbank_record first = {
		.cents = LEAST + (int64_t)random_below(&r, MOST - LEAST + 1),
	};

	write_value(s, to, size, id, &first);
}

/* Is it a balance of ours, and as it was written? */
static bool read_value(const struct stage *s, struct slice value, uint64_t id,
		       struct smallbank_record *r, bool verify, char *scratch)
{
	if (value.size != s->settings->value_size)
		return false;
	memcpy(r, value.data, sizeof *r);
	if (!verify)
		return true;
	write_value(s, scratch, value.size, id, r);
	return !memcmp(scratch, value.data, value.size);
}

static enum status get(struct actor *a, uint64_t id, struct smallbank_record *r)
{
	struct slice value;
	enum status status = actor_get(a, id, &value);
	uint64_t start;

	if (status != DONE)
		return status;
	start = a->verify ? clock_ticks(a->clock) : 0;
	if (!read_value(a->stage, value, id, r, a->verify, a->scratch)) {
		a->now.wrong++;
		*r = (struct smallbank_record){0};
	}
	if (a->verify)
		*a->aside += clock_ticks(a->clock) - start;
	return DONE;
}

/* Wraps where an engine that does nothing has answered anything. */
static int64_t sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* A balance that has become another by so many cents. */
static enum status put(struct actor *a, uint64_t id, struct smallbank_record *r,
		       int64_t cents)
{
	size_t size = a->stage->settings->value_size;

	r->cents = sum(r->cents, cents);
	r->version++;
	clerk(a)->adding += cents;
	write_value(a->stage, a->value, size, id, r);
	return actor_put(a, id, (struct slice){a->value, size});
}

/* ---- snapshot isolation's anomaly: see smallbank.h ---- */

static bool younger(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) > 0;
}

static struct sight *sight_of(struct clerk *c, uint64_t customer)
{
	return &c->sights[random_mix(customer) % SIGHTS];
}

/* Does what a WriteCheck did contradict what this clerk has seen of the customer? */
static bool contradicts(struct clerk *c, uint64_t customer,
			const struct smallbank_record *checking)
{
	struct sight *s = sight_of(c, customer);

	if (s->customer != customer + 1)
		return false;
	for (int i = 0; i < SMALLBANK_CHECKS && checking->checks[i].version; i++)
		if (younger(checking->checks[i].version, s->checking) &&
		    younger(s->savings, checking->checks[i].savings)) {
			s->customer = 0; /* it is counted once */
			return true;
		}
	return false;
}

static enum status get_checking(struct actor *a, uint64_t customer,
				struct smallbank_record *r)
{
	enum status status = get(a, checking_of(a, customer), r);

	if (status == DONE && !a->rehearses)
		clerk(a)->skews += contradicts(clerk(a), customer, r);
	return status;
}

static void note_check(struct smallbank_record *checking,
		       const struct smallbank_record *savings)
{
	memmove(checking->checks + 1, checking->checks,
		(SMALLBANK_CHECKS - 1) * sizeof *checking->checks);
	checking->checks[0].version = (uint32_t)(checking->version + 1);
	checking->checks[0].savings = (uint32_t)savings->version;
}

/* ---- the six transactions, less their beginning and end ---- */

static enum status both(struct actor *a, uint64_t customer,
			struct smallbank_record *savings,
			struct smallbank_record *checking)
{
	enum status status = get(a, savings_of(a, customer), savings);

	return status == DONE ? get_checking(a, customer, checking) : status;
}

static enum status balance(struct actor *a, const struct smallbank_draw *d, bool *refused)
{
	struct smallbank_record savings, checking;
	enum status status = both(a, d->from, &savings, &checking);

	(void)refused;
	if (status == DONE)
		*sight_of(clerk(a), d->from) = (struct sight){
			d->from + 1,
			(uint32_t)savings.version,
			(uint32_t)checking.version,
		};
	return status;
}

static enum status deposit(struct actor *a, const struct smallbank_draw *d, bool *refused)
{
	struct smallbank_record checking;
	enum status status = get_checking(a, d->from, &checking);

	(void)refused;
	return status == DONE ? put(a, checking_of(a, d->from), &checking, DEPOSITED)
			      : status;
}

static enum status save(struct actor *a, const struct smallbank_draw *d, bool *refused)
{
	struct smallbank_record savings;
	enum status status = get(a, savings_of(a, d->from), &savings);

	(void)refused;
	return status == DONE ? put(a, savings_of(a, d->from), &savings, SAVED) : status;
}

static enum status pay(struct actor *a, const struct smallbank_draw *d, bool *refused)
{
	struct smallbank_record from, to;
	enum status status = get_checking(a, d->from, &from);

	*refused = status == DONE && from.cents < PAID && !a->rehearses;
	if (status != DONE || *refused)
		return status;
	status = get_checking(a, d->to, &to);
	if (status == DONE)
		status = put(a, checking_of(a, d->from), &from, -PAID);
	return status == DONE ? put(a, checking_of(a, d->to), &to, PAID) : status;
}

static enum status amalgamate(struct actor *a, const struct smallbank_draw *d,
			      bool *refused)
{
	struct smallbank_record savings, checking, to;
	enum status status = both(a, d->from, &savings, &checking);
	int64_t all = sum(savings.cents, checking.cents);

	(void)refused;
	if (status == DONE)
		status = get_checking(a, d->to, &to);
	if (status == DONE)
		status = put(a, savings_of(a, d->from), &savings, -savings.cents);
	if (status == DONE)
		status = put(a, checking_of(a, d->from), &checking, -checking.cents);
	return status == DONE ? put(a, checking_of(a, d->to), &to, all) : status;
}

static enum status write_check(struct actor *a, const struct smallbank_draw *d,
			       bool *refused)
{
	struct smallbank_record savings, checking;
	enum status status = both(a, d->from, &savings, &checking);
	bool covered;

	(void)refused;
	if (status != DONE)
		return status;
	covered = sum(savings.cents, checking.cents) >= CHECKED;
	note_check(&checking, &savings);
	return put(a, checking_of(a, d->from), &checking,
		   covered ? -CHECKED : -OVERDRAWN);
}

static enum status (*const transactions[SMALLBANK_ACTS])(struct actor *,
							 const struct smallbank_draw *,
							 bool *refused) = {
	[SMALLBANK_AMALGAMATE] = amalgamate, [SMALLBANK_BALANCE] = balance,
	[SMALLBANK_DEPOSIT] = deposit,       [SMALLBANK_PAYMENT] = pay,
	[SMALLBANK_SAVINGS] = save,          [SMALLBANK_CHECK] = write_check,
};

static enum status look(struct actor *a, const struct smallbank_draw *d)
{
	enum status status = actor_view(a);

	return status == DONE ? actor_end_view(a, balance(a, d, NULL)) : status;
}

/* One transaction; `refused` if a rule has ended it, and nothing is changed. */
static enum status transact(struct actor *a, const struct smallbank_draw *d,
			    bool *refused)
{
	enum status status = actor_begin(a);

	if (status == DONE)
		status = transactions[d->act](a, d, refused);
	if (status != DONE || *refused)
		return actor_abandon(a, status);
	return actor_commit(a);
}

static enum status once(struct actor *a, const void *drawn)
{
	const struct smallbank_draw *d = drawn;
	struct clerk *c = clerk(a);
	bool refused = false;
	enum status status;

	c->adding = 0;
	status = d->act == SMALLBANK_BALANCE ? look(a, d) : transact(a, d, &refused);
	if (status != DONE)
		return status;
	c->aborts += refused;
	c->added += c->adding;
	c->written += a->now.puts;
	return DONE;
}

static void forget(struct actor *a)
{
	clerk(a)->aborts = clerk(a)->skews = 0;
}

/* ---- what is there ---- */

/* One record of all, in their order. */
static void count(struct stage *s, struct actor *a, struct vault *v, struct slice key,
		  struct slice value)
{
	uint64_t id = record_id(key.data, key.size, s->shape.form);
	struct smallbank_record r;

	if (id >= 2 * s->num || !read_value(s, value, id, &r, true, a->scratch)) {
		v->wrong++;
		return;
	}
	v->records++;
	v->cents += (uint64_t)r.cents;
	v->versions += r.version;
	for (unsigned i = 0; s->actors && id >= s->num && i < s->threads; i++)
		v->skews += contradicts(s->actors[i]->state, id - s->num, &r);
}

static const char *count_all(struct stage *s, struct actor *a, struct vault *v)
{
	struct slice key, value;
	enum status status = a->engine->seek(a->session, (struct slice){NULL, 0}, &key,
					     &value);

	while (status == DONE) {
		count(s, a, v, key, value);
		do
			status = a->engine->next(a->session, &key, &value);
		while (status == CONFLICT);
	}
	if (status != NOT_FOUND)
		return *a->why ? a->why : "the balances could not be counted";
	if (!v->wrong && v->records == 2 * s->num)
		return NULL;
	snprintf(s->why, sizeof s->why,
		 "%" PRIu64 " of %" PRIu64 " balances are there, and %" PRIu64
		 " records that are none",
		 v->records, 2 * s->num, v->wrong);
	return s->why;
}

static const char *prepare(struct stage *s, struct actor *a)
{
	struct bank *bank = s->shared;

	return count_all(s, a, &bank->before);
}

static const char *check(struct stage *s, struct actor *a)
{
	struct bank *bank = s->shared;
	uint64_t cents = bank->before.cents, versions = bank->before.versions;
	const char *why = count_all(s, a, &bank->after);

	for (unsigned i = 0; i < s->threads; i++) {
		const struct clerk *c = s->actors[i]->state;

		cents += (uint64_t)c->added;
		versions += c->written;
	}
	if (why || (bank->after.cents == cents && bank->after.versions == versions))
		return why;
	snprintf(s->why, sizeof s->why,
		 "an update was lost or done twice: all balances are %.2f, not %.2f, "
		 "after %" PRIu64 " writes of %" PRIu64,
		 (double)(int64_t)bank->after.cents / 100, (double)(int64_t)cents / 100,
		 bank->after.versions, versions);
	return s->why;
}

static void columns(const struct stage *s, struct result *r)
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
	.options = options,
	.mix = "amalgamate:15,balance:15,deposit:15,payment:25,savings:15,check:15",
	.transacts = true,
	.records = 2,
	.form = 256,
	.least = sizeof(struct smallbank_record),
	.draw_size = sizeof(struct smallbank_draw),
	.state_size = sizeof(struct clerk),
	.shared_size = sizeof(struct bank),
	.refuse = refuse,
	.value = first_value,
	.prepare = prepare,
	.check = check,
	.draw = draw,
	.once = once,
	.forget = forget,
	.columns = columns,
	.distribution = distribution,
};
