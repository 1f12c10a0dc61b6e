/*
 * smallbank.h: SmallBank (Alomari et al., "The cost of serializability on platforms that
 * use snapshot isolation", ICDE 2008), with the constants of BenchBase.
 *
 * A customer has a savings and a checking balance, signed 64-bit cents, in a record each:
 * customer c's are records c and num + c. Six transactions read them and move money. All
 * of it is counted before and after a run: it must be what was there and what committed
 * transactions have added, to the cent; the records must have been written as often as
 * was committed; and what was taken from some must be what others were given, which also
 * a crash must not change.
 */
#ifndef SMALLBANK_H
#define SMALLBANK_H

#include "act.h"

enum smallbank_act {
	SMALLBANK_AMALGAMATE,
	SMALLBANK_BALANCE,
	SMALLBANK_DEPOSIT,
	SMALLBANK_PAYMENT,
	SMALLBANK_SAVINGS,
	SMALLBANK_CHECK,
	SMALLBANK_ACTS
};

/* What is drawn: who, and whom to. */
struct smallbank_draw {
	enum smallbank_act act;
	uint64_t from, to;
};

/*
 * What a record's value begins with, in the machine's own form; what comes after it is as
 * record_value makes it of the record's number and `version`.
 *
 * Each WriteCheck leaves in its checking record which version of the savings it decided
 * by. Who has seen, in one snapshot, younger savings beside an older checking balance
 * than that WriteCheck wrote has seen a history that no order of transactions explains:
 * the anomaly that snapshot isolation allows here (a TransactSavings committed between
 * the WriteCheck's snapshot and its commit).
 */
enum { SMALLBANK_CHECKS = 4 };

struct smallbank_record {
	int64_t cents;
	uint64_t version; /* times it was written since it was loaded */
	int64_t moved;    /* cents it got from other balances, less what it gave them */
	/* the last ones, the youngest first; version 0: none */
	struct {
		uint32_t version, savings;
	} checks[SMALLBANK_CHECKS];
};

extern const struct acts smallbank;

#endif
