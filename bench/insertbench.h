/*
 * insertbench.h: the steps of the Insert Benchmark (Callaghan), each a workload of acts.
 *
 * A step has `threads` clients, each with a table of its own, and of each client one
 * thread that is asked for and up to two background threads: in l.i1 and l.i2 an inserter
 * and a deleter, in the steps with queries one that asks them, an inserter and a deleter.
 * A deleter is at most IB_APART statements behind its inserter, and never ahead. What is
 * in the tables is found there when a step begins, so that it survives any end.
 */
#ifndef INSERTBENCH_H
#define INSERTBENCH_H

#include "act.h"
#include "workload.h"

enum { IB_APART = 8 };

/* What the threads of a client do. */
enum ibrole {
	IB_NOBODY, IB_INSERTER, IB_DELETER, IB_INDEXER, IB_BY_RANGE, IB_BY_POINT,
	IB_AUDITOR,
};

enum { IB_ROLES = 3 };

struct ibstep {
	struct acts acts;           /* the first: it is by these that a step is known */
	enum ibrole role[IB_ROLES]; /* the first one's thread is asked for */
	unsigned rows;              /* in a statement */
	double rate;                /* rows a second of each client; 0: any */
	bool indexed;               /* the indexes must be there */
};

extern const struct ibstep insertbench_steps[CASTS]; /* those from IB_L_I0 on */

/* Seconds that `wait` rests, once no work is pending in the engine. */
double insertbench_rest(const struct amounts *of, unsigned clients);

#endif
