/*
 * trace_writer.h: --trace_out: writes the operations of a benchmark as a trace
 * (util/trace.h).
 *
 * After each chunk a thread appends its operations to an unnamed file of its own. When
 * all threads have ended the files are merged, in an order in which each read finds
 * what it found (util/linearize.h). With --trace_out values are made from key and size
 * alone, so a replay writes and reads the same bytes.
 */
#ifndef BENCH_EXTRAS_TRACE_WRITER_H
#define BENCH_EXTRAS_TRACE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "../../util/os/clock.h"
#include "../workload/generator.h"
#include "../runner/database.h"
#include "../workload/plan_item.h"

struct trace_writer; /* of a thread */

/*
 * Determine which benchmark of the plan is traced; an impossible combination ends the
 * program. Returns whether it is a load.
 */
bool trace_writer_check_plan(const struct plan_item *list);

/* The workload is traced: the only one, or the one that is not a load. */
bool trace_writer_traces(const struct workload *workload);

/* Start thread `number` of a workload; returns NULL if the workload is not traced. */
struct trace_writer *trace_writer_start(const struct workload *workload, unsigned number);
void trace_writer_free(struct trace_writer *writer);

/*
 * A chunk. Its n slots were done one after another from `start` to `end`, or each from
 * its `scheduled` start for `response`. All are clock ticks; all threads were measured
 * from `began` on.
 */
struct trace_writer_chunk {
	const struct generator *generator;
	unsigned from, n;
	uint64_t began, start, end;
	const uint64_t *scheduled, *response; /* of all slots; NULL: no open loop */
	unsigned uncommitted; /* the last slots, which a rollback may still undo */
	bool is_multiget;     /* they are one call */
	bool batched;         /* writes become visible when one that commits has ended */
};

/* This slot found no record. No effect if the writer is NULL. */
void trace_writer_note_missing(struct trace_writer *writer, unsigned slot);

void trace_writer_add(struct trace_writer *writer,
		      const struct trace_writer_chunk *chunk);

/*
 * The open transaction was rolled back: drop its operations. No effect if the writer is
 * NULL.
 */
void trace_writer_undo(struct trace_writer *writer);

/* All n threads have ended: write the trace. Errors are noted in *failure. */
void trace_writer_finish(struct trace_writer *const *writers, unsigned n,
			 const struct clock *clock, struct run_failure *failure);

#endif
