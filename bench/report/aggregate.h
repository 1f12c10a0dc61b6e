/* aggregate.h: sums up what the threads of a benchmark did. */
#ifndef BENCH_REPORT_AGGREGATE_H
#define BENCH_REPORT_AGGREGATE_H

#include "../runner/metrics.h"
#include "../runner/worker.h"

/* The aggregate of a benchmark that did not run; `texts` outlive its row. */
struct aggregate aggregate_expected(const struct run *run, bool interrupted,
				    struct message_texts *texts);

/*
 * Sum up a benchmark; `times` and `responses` are METRICS_HISTS histograms, all
 * zero.
 */
struct aggregate aggregate_run(const struct run *run, bool interrupted,
			       struct message_texts *texts, struct hist *times,
			       struct hist *responses);

#endif
