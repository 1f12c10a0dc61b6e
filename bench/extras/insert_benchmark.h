/*
 * insert_benchmark.h: the steps of the Insert Benchmark (Callaghan), each a procedure
 * workload.
 *
 * A step has `threads` clients, each with a table of its own. Each client has one
 * foreground thread and up to two background threads. In l.i1 and l.i2 these are an
 * inserter and a deleter; in the steps with queries a querier, an inserter and a
 * deleter. A deleter is at most IB_DELETER_LAG_MAX statements behind its inserter, and
 * never ahead. A step first finds out which rows exist, so it can begin after any end
 * of the step before.
 */
#ifndef BENCH_EXTRAS_INSERT_BENCHMARK_H
#define BENCH_EXTRAS_INSERT_BENCHMARK_H

#include "../workload/procedure.h"
#include "../workload/workload.h"

enum { IB_DELETER_LAG_MAX = 8 };

enum ib_step_id {
	IB_L_I0,
	IB_L_X,
	IB_L_I1,
	IB_L_I2,
	IB_CHECK,
	IB_QR100,
	IB_QP100,
	IB_QR500,
	IB_QP500,
	IB_QR1000,
	IB_QP1000,
	IB_STEPS
};

/* The roles of a client's threads. */
enum ib_role {
	IB_NO_ROLE,
	IB_INSERTER,
	IB_DELETER,
	IB_INDEXER,
	IB_RANGE_QUERIER,
	IB_POINT_QUERIER,
	IB_AUDITOR,
};

enum { IB_ROLES = 3 };

struct ib_step {
	struct procedure procedure; /* must be first: a step is found by its address */
	/* the first role is that of the foreground thread */
	enum ib_role roles[IB_ROLES];
	unsigned statement_rows; /* rows in a statement */
	/* of each client; 0: as many as possible */
	double rows_per_second;
	bool indexed; /* the indexes must exist */
};

#endif
