/*
 * probe.c: --probe_rate: a background thread that reads random records at a rate of its
 * own while a workload writes.
 */
#include "../runner/metrics.h"

extern const struct extra probe_extra;

static uint64_t probe_rate;

static const struct option probe_options[] = {
	{"probe_rate", "0",
	 "Target rate of an additional thread that gets random records while another "
	 "workload writes, reads/s; 0: none. It shows how writes delay reads; its "
	 "results are in columns named probe_...",
	 .count = &probe_rate, .group = "Probe"},
	{0},
};

struct probe_columns {
	double probe_rate, probe_reads, probe_missing, probe_backlog;
	struct latency probe, probe_response;
};

static const struct row_file_column probe_column_table[] = {
	RESULT_NUMBER(probe_columns, probe_rate, 0,
		      "Target rate of the reads of an additional thread that runs "
		      "while the workload writes (--probe_rate). Empty: there was "
		      "none."),
	RESULT_NUMBER(probe_columns, probe_reads, 0,
		      "Number of reads done by the additional thread of --probe_rate; "
		      "the column reads does not include them. Empty: no such thread."),
	RESULT_NUMBER(probe_columns, probe_missing, 0,
		      "Number of reads by the additional thread of --probe_rate that "
		      "found no record. Empty: no such thread."),
	RESULT_NUMBER(probe_columns, probe_backlog, 0,
		      "Number of reads by the additional thread of --probe_rate that "
		      "were due before the end of the workload and had not started. "
		      "They are not in probe_reads. High: the rate was not met. Empty: "
		      "no such thread."),
	RESULT_TIMES(probe_columns, probe, probe,
		     "service time of a read by the additional thread of --probe_rate: "
		     "from call to return",
		     "Empty: no such thread."),
	RESULT_TIMES(probe_columns, probe_resp, probe_response,
		     "response time of a read by the additional thread of "
		     "--probe_rate, from its scheduled start to its end",
		     "Waiting behind its own slow reads is in it. Empty: no such "
		     "thread."),
};

static struct added_thread probe_thread;

static const struct workload probe_role = {
	"probe", "", {[OP_GET] = 100}, .key_order = ORDER_RANDOM, .added = &probe_thread};

static const struct workload *probe_added_thread(void)
{
	probe_thread.rate = probe_rate;
	return probe_rate ? &probe_role : NULL;
}

static void probe_fill(const struct aggregate *a, struct result *r)
{
	const struct added_totals *added = metrics_added(a, &probe_role);
	struct probe_columns *columns = result_added(r, &probe_extra.columns);

	if (!added)
		return;
	columns->probe_rate = (double)probe_rate;
	columns->probe_reads = (double)added->totals.ops;
	columns->probe_missing = (double)added->totals.missing;
	columns->probe_backlog = (double)added->totals.unstarted;
	columns->probe = result_latency(added->latency);
	columns->probe_response = result_latency(added->responses);
}

const struct extra probe_extra = {
	.options = probe_options,
	.columns = ROW_FILE_COLUMNS(probe_column_table),
	.added_thread = probe_added_thread,
	.added_by = "probe_rate",
	.fill = probe_fill,
};
