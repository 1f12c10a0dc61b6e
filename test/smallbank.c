/*
 * smallbank.c: SmallBank's transactions, each to the cent, on an engine in memory; and
 * what its checks find.
 *
 * Prints TAP and exits with 1 if anything failed. The amounts here are those of the
 * definition, written down again.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/extras/smallbank.h"
#include "memstore.h"
#include "tap.h"

enum { CUSTOMERS = 50, VALUE = 64, KEY = 8 };

/* ---- an engine in memory ---- */

struct session {
	struct memstore_session kept;
	unsigned calls, conflict_at; /* at this call; 0: at none */
};

/* A call, which may be the one that returns a conflict. */
static bool gives_conflict(struct session *s)
{
	if (!s->conflict_at || ++s->calls != s->conflict_at)
		return false;
	s->conflict_at = 0;
	memstore_rollback(&s->kept);
	return true;
}

static enum status begin(struct session *s)
{
	if (gives_conflict(s))
		return CONFLICT;
	memstore_lock(&s->kept, true);
	return DONE;
}

static enum status commit(struct session *s)
{
	if (gives_conflict(s))
		return CONFLICT;
	memstore_unlock(&s->kept);
	return DONE;
}

static void rollback(struct session *s)
{
	memstore_rollback(&s->kept);
}

static enum status conform_put(struct session *s, struct slice key, struct slice value)
{
	return gives_conflict(s) ? CONFLICT : memstore_put(&s->kept, key, value);
}

static enum status answer(struct session *s, struct slice at,
			  enum memstore_position which, struct slice *key,
			  struct slice *value)
{
	enum status status =
		gives_conflict(s) ? CONFLICT : memstore_get(&s->kept, at, which);

	*key = s->kept.key;
	*value = s->kept.value;
	return status;
}

static enum status get(struct session *s, struct slice key, struct slice *value)
{
	return answer(s, key, MEMSTORE_AT, &key, value);
}

static enum status seek(struct session *s, struct slice from, struct slice *key,
			struct slice *value)
{
	return answer(s, from, from.data ? MEMSTORE_FROM : MEMSTORE_FIRST, key, value);
}

static enum status next(struct session *s, struct slice *key, struct slice *value)
{
	return answer(s, s->kept.key, MEMSTORE_ABOVE, key, value);
}

static const struct engine in_memory = {
	.begin = begin,
	.commit = commit,
	.rollback = rollback,
	.put = conform_put,
	.get = get,
	.seek = seek,
	.next = next,
};

/* ---- a bank ---- */

static const struct settings settings = {.key_size = KEY, .value_size = VALUE};
static const struct clock no_clock;
static struct memstore kept;
static struct procedure_shared procedure;
static struct procedure_thread *actors[2]; /* two tellers, each with a session */
static struct session sessions[2];
static struct read_tally read_tally;
static uint64_t background_count;
static char why[ENGINE_ERROR_SIZE];

static void make_client(int i)
{
	struct random stream = random_seed((uint64_t)i, "bank");

	memset(&sessions[i], 0, sizeof sessions[i]);
	sessions[i].kept.store = &kept;
	actors[i] = procedure_thread_create(&procedure, &in_memory, (unsigned)i, &stream);
	actors[i]->session = &sessions[i];
	actors[i]->tally = &read_tally;
	actors[i]->check_ticks = &background_count;
	actors[i]->clock = &no_clock;
	actors[i]->why = why;
}

static struct slice conform_key(uint64_t id)
{
	return procedure_key(actors[0], id);
}

static void store(uint64_t id, const char *value)
{
	memstore_set(&kept, conform_key(id), (struct slice){value, VALUE});
}

static struct smallbank_record record(uint64_t id)
{
	struct smallbank_record r = {0};

	if (memstore_get(&sessions[0].kept, conform_key(id), MEMSTORE_AT) == DONE)
		memcpy(&r, sessions[0].kept.value.data, sizeof r);
	return r;
}

/* Another balance, as if it had always been so. */
static void set_balance(uint64_t id, int64_t cents)
{
	struct smallbank_record r = record(id);
	char value[VALUE];

	memcpy(value, sessions[0].kept.value.data, VALUE);
	r.cents = cents;
	memcpy(value, &r, sizeof r);
	store(id, value);
}

static void open_bank(void)
{
	char value[VALUE];

	memset(&kept, 0, sizeof kept);
	memstore_open(&kept, 0);
	procedure = (struct procedure_shared){
		.procedure = &smallbank,
		.settings = &settings,
		.key_shape = {.format = KEYS_BINARY,
			      .wide = true,
			      .size = KEY,
			      .stride = 16},
		.num = CUSTOMERS,
		.seed = 7,
		.threads = 2,
		.value_ratio = 128,
	};
	procedure.shared = calloc(1, smallbank.shared_size);
	make_client(0);
	make_client(1);
	for (uint64_t id = 0; id < 2 * CUSTOMERS; id++) {
		smallbank.make_value(&procedure, value, VALUE, id);
		store(id, value);
	}
	tap_expect(!smallbank.prepare(&procedure, actors[0]), "a fresh bank: %s",
		   procedure.why);
	/* What was changed by hand is so from the beginning. */
	procedure.threads_of = actors;
}

static void reset_counts(void)
{
	memset(procedure.shared, 0, smallbank.shared_size);
	procedure.threads_of = NULL;
	tap_expect(!smallbank.prepare(&procedure, actors[0]), "%s", procedure.why);
	procedure.threads_of = actors;
}

static void close_bank(void)
{
	for (int i = 0; i < 2; i++) {
		memstore_end_session(&sessions[i].kept);
		procedure_thread_free(actors[i]);
	}
	free(procedure.shared);
	memstore_close(&kept);
}

static enum status run_procedure(int teller, enum smallbank_transaction what,
				 uint64_t from, uint64_t to)
{
	const struct smallbank_parameters d = {what, from, to};

	return procedure_do(actors[teller], &d);
}

static const char *found(void)
{
	return smallbank.check(&procedure, actors[0]);
}

static struct smallbank_columns columns(void)
{
	return smallbank_results(&procedure);
}

static bool reports(const char *words)
{
	const char *text = found();

	return text && strstr(text, words);
}

/* ---- tests ---- */

/* Customer 3 and customer 4: savings and checking of each, before and after, in cents. */
static const struct {
	const char *name;
	enum smallbank_transaction transaction;
	int64_t before[4], after[4];
	unsigned writes, aborts;
} transactions[] = {
	{"Balance reads",
	 SMALLBANK_BALANCE,
	 {100, 200, 300, 400},
	 {100, 200, 300, 400},
	 0,
	 0},
	{"DepositChecking gives 1.30",
	 SMALLBANK_DEPOSIT,
	 {100, 200, 300, 400},
	 {100, 330, 300, 400},
	 1,
	 0},
	{"TransactSavings gives 20.20",
	 SMALLBANK_SAVINGS,
	 {100, 200, 300, 400},
	 {2120, 200, 300, 400},
	 1,
	 0},
	{"SendPayment sends 5.00",
	 SMALLBANK_PAYMENT,
	 {100, 500, 300, 400},
	 {100, 0, 300, 900},
	 2,
	 0},
	{"and nothing of 4.99",
	 SMALLBANK_PAYMENT,
	 {900, 499, 300, 400},
	 {900, 499, 300, 400},
	 0,
	 1},
	{"Amalgamate gives all to the other's checking balance",
	 SMALLBANK_AMALGAMATE,
	 {700, -200, 300, 400},
	 {0, 0, 300, 900},
	 3,
	 0},
	{"also a debt",
	 SMALLBANK_AMALGAMATE,
	 {100, -900, 300, 400},
	 {0, 0, 300, -400},
	 3,
	 0},
	{"WriteCheck takes 5.00 of 5.00",
	 SMALLBANK_CHECK,
	 {700, -200, 300, 400},
	 {700, -700, 300, 400},
	 1,
	 0},
	{"and 6.00 of 4.99",
	 SMALLBANK_CHECK,
	 {299, 200, 300, 400},
	 {299, -400, 300, 400},
	 1,
	 0},
};

static void expect_cents(const char *name, const int64_t *cents)
{
	static const char *const what[] = {"savings", "checking", "the other's savings",
					   "the other's checking"};
	static const uint64_t ids[] = {3, CUSTOMERS + 3, 4, CUSTOMERS + 4};

	for (int i = 0; i < 4; i++) {
		int64_t is = record(ids[i]).cents;

		tap_expect(is == cents[i], "%s: %s %lld, not %lld", name, what[i],
			   (long long)is, (long long)cents[i]);
	}
}

/* One of the table, with a conflict at call `conflict_at` and a retry. */
static void transact(size_t i, unsigned conflict_at)
{
	const struct read_tally before = read_tally;
	unsigned writes = transactions[i].writes;

	open_bank();
	set_balance(3, transactions[i].before[0]);
	set_balance(CUSTOMERS + 3, transactions[i].before[1]);
	set_balance(4, transactions[i].before[2]);
	set_balance(CUSTOMERS + 4, transactions[i].before[3]);
	reset_counts();
	sessions[1].conflict_at = conflict_at;
	if (conflict_at) {
		tap_expect(run_procedure(1, transactions[i].transaction, 3, 4) ==
				   CONFLICT,
			   "%s: no conflict", transactions[i].name);
		tap_expect(!memcmp(&read_tally, &before, sizeof read_tally),
			   "%s: the failed attempt was counted", transactions[i].name);
		expect_cents(transactions[i].name, transactions[i].before);
	}
	tap_expect(run_procedure(1, transactions[i].transaction, 3, 4) == DONE,
		   "%s: not done", transactions[i].name);
	tap_expect(read_tally.bytes > before.bytes, "%s: saw nothing",
		   transactions[i].name);
	expect_cents(transactions[i].name, transactions[i].after);
	tap_expect(actors[1]->total.writes == writes &&
			   actors[1]->total.commits == (writes > 0),
		   "%s: %llu puts and %llu commits", transactions[i].name,
		   (unsigned long long)actors[1]->total.writes,
		   (unsigned long long)actors[1]->total.commits);
	tap_expect(columns().aborts == transactions[i].aborts, "%s: %.0f aborts",
		   transactions[i].name, columns().aborts);
	tap_expect(!found(), "%s: %s", transactions[i].name, procedure.why);
	tap_expect(!sessions[1].kept.holds_lock, "%s: something is left open",
		   transactions[i].name);
	close_bank();
}

static void amounts(void)
{
	for (size_t i = 0; i < sizeof transactions / sizeof *transactions; i++)
		transact(i, 0);
}

/* At each call that it makes. */
static void conflicts(void)
{
	for (size_t i = 0; i < sizeof transactions / sizeof *transactions; i++)
		for (unsigned call = 1; call <= 2 + transactions[i].writes; call++)
			transact(i, call);
}

static void loaded(void)
{
	double sum = 0;

	open_bank();
	for (uint64_t id = 0; id < 2 * CUSTOMERS; id++) {
		struct smallbank_record r = record(id);

		tap_expect(r.cents >= 1000000 && r.cents <= 5000000, "%lld cents",
			   (long long)r.cents);
		tap_expect(!r.version && !r.moved && !r.checks[0].version,
			   "a fresh record has a past");
		sum += (double)r.cents;
	}
	/* six standard deviations of the mean of 100 */
	tap_expect(fabs(sum / 100 - 3e6) < 6 * 4e6 / sqrt(12) / 10,
		   "a mean of %.0f cents", sum / 100);
	close_bank();
}

/*
 * Draws as many as the definition has, within six standard deviations; nobody pays
 * himself.
 */
static void draws(void)
{
	enum { DRAWS = 600000 };
	static const double percent[SMALLBANK_TRANSACTIONS] = {15, 15, 15, 25, 15, 15};
	double count[SMALLBANK_TRANSACTIONS] = {0}, from[CUSTOMERS] = {0},
	       to[CUSTOMERS] = {0};
	struct smallbank_parameters d;

	open_bank();
	for (int i = 0; i < DRAWS; i++) {
		enum result_kind kind = smallbank.draw_parameters(actors[0], &d);

		tap_expect(kind == (d.transaction == SMALLBANK_BALANCE ? KIND_READ
								       : KIND_WRITE),
			   "transaction %d is of kind %d", d.transaction, kind);
		tap_expect(d.from != d.to && d.from < CUSTOMERS && d.to < CUSTOMERS,
			   "from %llu to %llu", (unsigned long long)d.from,
			   (unsigned long long)d.to);
		count[d.transaction]++;
		from[d.from]++;
		to[d.to]++;
	}
	for (int k = 0; k < SMALLBANK_TRANSACTIONS; k++) {
		double p = percent[k] / 100;

		tap_expect(fabs(count[k] - DRAWS * p) < 6 * sqrt(DRAWS * p * (1 - p)),
			   "transaction %d: %.0f of %d", k, count[k], DRAWS);
	}
	for (int c = 0; c < CUSTOMERS; c++) {
		double p = 1.0 / CUSTOMERS, bound = 6 * sqrt(DRAWS * p);

		tap_expect(fabs(from[c] - DRAWS * p) < bound &&
				   fabs(to[c] - DRAWS * p) < bound,
			   "customer %d: %.0f and %.0f", c, from[c], to[c]);
	}
	close_bank();
}

static void set_option(const char *name, const char *value)
{
	static const struct option *tables[2];
	char text[64], error[OPTION_ERROR_SIZE], *argv[] = {text, text, NULL};

	tables[0] = smallbank_extra.options;
	snprintf(text, sizeof text, "--%s=%s", name, value);
	tap_expect(option_parse(tables, 2, argv, error), "%s: %s", text, error);
}

/*
 * A fraction of the transactions is on the first customers; `apart`: none is on them and
 * others.
 */
static void hot_draws(unsigned hot, double fraction, bool apart)
{
	enum { DRAWS = 200000 };
	double inside = 0, first = 0, p = fraction / hot;
	struct smallbank_parameters d;

	for (int i = 0; i < DRAWS; i++) {
		smallbank.draw_parameters(actors[0], &d);
		inside += d.from < hot;
		first += d.from == 0;
		tap_expect(d.from != d.to && d.to < CUSTOMERS &&
				   (!apart || (d.from < hot) == (d.to < hot)),
			   "from %llu to %llu", (unsigned long long)d.from,
			   (unsigned long long)d.to);
	}
	tap_expect(fabs(inside - DRAWS * fraction) <=
			   6 * sqrt(DRAWS * fraction * (1 - fraction)),
		   "%.0f of %d on %u", inside, DRAWS, hot);
	tap_expect(fabs(first - DRAWS * p) < 6 * sqrt(DRAWS * p * (1 - p)),
		   "%.0f on the first of %u", first, hot);
}

static void hot_spots(void)
{
	open_bank();
	set_option("hot_share", "0.9");
	set_option("hot_customers", "5");
	hot_draws(5, 0.9, true);
	set_option("hot_share", "0.3");
	set_option("hot_customers", "1");
	hot_draws(1, 0.3, false);
	set_option("hot_customers", "50");
	hot_draws(50, 1, true);
	tap_expect(!smallbank.reject(&smallbank, CUSTOMERS), "as many as there are");
	set_option("hot_customers", "51");
	tap_expect(smallbank.reject(&smallbank, CUSTOMERS) &&
			   strstr(smallbank.reject(&smallbank, CUSTOMERS),
				  "51 of 50 customers"),
		   "one more");
	set_option("hot_share", "0");
	set_option("hot_customers", "5");
	hot_draws(5, 0.1, false);
	tap_expect(!smallbank.reject(&smallbank, 5) && smallbank.reject(&smallbank, 1),
		   "one pays nobody");
	close_bank();
}

/* A record becomes what it was, behind everybody's back. */
static void lose_update(uint64_t id, enum smallbank_transaction what)
{
	char before[VALUE];

	record(id);
	memcpy(before, sessions[0].kept.value.data, VALUE);
	tap_expect(run_procedure(1, what, 3, 4) == DONE, "not done");
	store(id, before);
}

static void losses(void)
{
	open_bank();
	lose_update(3, SMALLBANK_SAVINGS);
	tap_expect(reports("lost or done twice"), "a lost deposit: %s", procedure.why);
	close_bank();

	open_bank();
	lose_update(CUSTOMERS + 4, SMALLBANK_PAYMENT);
	tap_expect(reports("done in part") && strstr(procedure.why, "-5.00"),
		   "half a payment: %s", procedure.why);
	close_bank();

	/* Of nothing, so that no money is lost. */
	open_bank();
	set_balance(3, 0);
	reset_counts();
	lose_update(3, SMALLBANK_AMALGAMATE);
	tap_expect(reports("lost or done twice"), "an update of 0 cents: %s",
		   procedure.why);
	close_bank();

	open_bank();
	memstore_set(&kept, conform_key(5), (struct slice){NULL, 0});
	tap_expect(reports("99 of 100 balances"), "a balance less: %s", procedure.why);
	close_bank();

	open_bank();
	tap_expect(run_procedure(0, SMALLBANK_DEPOSIT, 3, 4) == DONE, "not done");
	tap_expect(!found(), "nothing was lost: %s", procedure.why);
	close_bank();
}

/* The last byte of a value, which nobody reads but to check. */
static void damage(void)
{
	char value[VALUE];

	open_bank();
	record(CUSTOMERS + 3);
	memcpy(value, sessions[0].kept.value.data, VALUE);
	/* what a ratio of a half leaves zero is checked, too */
	value[VALUE - 1] ^= 1;
	store(CUSTOMERS + 3, value);
	tap_expect(run_procedure(0, SMALLBANK_BALANCE, 3, 4) == DONE &&
			   !actors[0]->total.wrong,
		   "looked at without being asked");
	actors[0]->verify = true;
	tap_expect(run_procedure(0, SMALLBANK_BALANCE, 3, 4) == DONE &&
			   actors[0]->total.wrong == 1,
		   "not noticed");
	tap_expect(reports("99 of 100 balances are there, and 1 records"), "%s",
		   procedure.why);
	close_bank();
}

/* A WriteCheck by savings as they were before a TransactSavings. */
static void check_by_old_savings(bool read_between)
{
	char old[VALUE], new[VALUE];

	record(3);
	memcpy(old, sessions[0].kept.value.data, VALUE);
	run_procedure(0, SMALLBANK_SAVINGS, 3, 4);
	if (read_between)
		run_procedure(1, SMALLBANK_BALANCE, 3, 4);
	record(3);
	memcpy(new, sessions[0].kept.value.data, VALUE);
	store(3, old);
	run_procedure(0, SMALLBANK_CHECK, 3, 4);
	store(3, new);
}

static void skews(void)
{
	open_bank();
	check_by_old_savings(true);
	tap_expect(!found() && columns().write_skews == 1,
		   "all that is there tells: %.0f", columns().write_skews);
	close_bank();

	open_bank();
	check_by_old_savings(true);
	for (int i = 0; i < SMALLBANK_CHECKS - 1; i++)
		run_procedure(0, SMALLBANK_CHECK, 3, 4);
	run_procedure(1, SMALLBANK_DEPOSIT, 3, 4);
	run_procedure(1, SMALLBANK_DEPOSIT, 3, 4);
	tap_expect(columns().write_skews == 1, "who comes back is told, once: %.0f",
		   columns().write_skews);
	set_balance(CUSTOMERS + 3, 0);
	run_procedure(1, SMALLBANK_PAYMENT, 3, 4);
	tap_expect(columns().aborts == 1, "%.0f aborts", columns().aborts);
	smallbank.reset_counts(actors[1]);
	tap_expect(columns().write_skews == 0 && columns().aborts == 0,
		   "of a warm-up none counts: %.0f, %.0f", columns().write_skews,
		   columns().aborts);
	close_bank();

	/* The check came first, for all that anybody has seen. */
	open_bank();
	check_by_old_savings(false);
	run_procedure(1, SMALLBANK_BALANCE, 3, 4);
	run_procedure(1, SMALLBANK_DEPOSIT, 3, 4);
	tap_expect(!found() && columns().write_skews == 0, "a check before savings: %.0f",
		   columns().write_skews);
	close_bank();

	/* One after another. */
	open_bank();
	for (int i = 0; i < 20; i++) {
		run_procedure(i % 2, SMALLBANK_SAVINGS, 3, 4);
		run_procedure(1, SMALLBANK_BALANCE, 3, 4);
		run_procedure(0, SMALLBANK_CHECK, 3, 4);
	}
	tap_expect(!found() && columns().write_skews == 0, "one after another: %.0f",
		   columns().write_skews);
	close_bank();
}

static const struct {
	const char *name;
	void (*run)(void);
} all[] = {
	{"each transaction moves what its definition says, to the cent", amounts},
	{"a conflict at any call is retried completely, and counted once", conflicts},
	{"customers begin with 10000.00 to 50000.00", loaded},
	{"transactions and customers are drawn as the definition says", draws},
	{"hot customers have the fraction of the transactions that they are given",
	 hot_spots},
	{"lost and torn updates are found", losses},
	{"damaged values are found", damage},
	{"a WriteCheck by savings that others had seen replaced is found, and no other",
	 skews},
};

int main(void)
{
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		tap_run(all[i].name, all[i].run);
	return tap_end();
}
