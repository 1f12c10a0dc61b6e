/*
 * smallbank.h: SmallBank (Alomari et al., "The cost of serializability on platforms that
 * use snapshot isolation", ICDE 2008), with the constants of BenchBase.
 *
 * A customer has a savings and a checking balance, signed 64-bit cents, in a record each:
 * customer c's are records c and num + c. Six transactions read them and move money.
 *
 * All records are counted before and after a run. The sum of all balances must have
 * changed by what committed transactions added, to the cent. The records must have been
 * written as often as was committed. The amounts taken from balances must equal those
 * given to others; a crash must not change that either.
 */
#ifndef BENCH_EXTRAS_SMALLBANK_H
#define BENCH_EXTRAS_SMALLBANK_H

#include "../workload/extra.h"
#include "../workload/procedure.h"

enum smallbank_transaction {
	SMALLBANK_AMALGAMATE,
	SMALLBANK_BALANCE,
	SMALLBANK_DEPOSIT,
	SMALLBANK_PAYMENT,
	SMALLBANK_SAVINGS,
	SMALLBANK_CHECK,
	SMALLBANK_TRANSACTIONS
};

/* The drawn parameters: payer and payee. */
struct smallbank_parameters {
	enum smallbank_transaction transaction;
	uint64_t from, to;
};

/*
 * The beginning of a record's value, in the machine's own byte order. The rest is made
 * by record_write_value from the record's number and `version`.
 *
 * Each WriteCheck stores in its checking record the version of the savings that it
 * read. A Balance may see, in one snapshot, a newer version of the savings and a
 * checking balance from before that WriteCheck. No order of transactions explains that
 * history: it is the anomaly that snapshot isolation allows here (a TransactSavings
 * committed between the WriteCheck's snapshot and its commit).
 */
enum { SMALLBANK_CHECKS = 4 };

struct smallbank_record {
	int64_t cents;
	uint64_t version; /* times it was written since it was loaded */
	/* cents received from other balances, less those given to them */
	int64_t moved;
	/* the last WriteChecks, the newest first; version 0: none */
	struct {
		uint32_t version, savings_version;
	} checks[SMALLBANK_CHECKS];
};

extern const struct procedure smallbank;
extern const struct extra smallbank_extra;

struct smallbank_columns {
	double aborts, write_skews;
};

/* The results of a run that was checked. */
struct smallbank_columns smallbank_results(const struct procedure_shared *s);

#endif
