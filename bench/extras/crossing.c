/*
 * crossing.c: what each call into an engine's library costs besides the engine's work,
 * where the library is in a language that makes it costly, and how many calls there were.
 * It is in all latencies, and never subtracted.
 */
#include <math.h>

#include "../../engines/driver_util.h"
#include "../../util/os/clock.h"
#include "../runner/database.h"
#include "../runner/metrics.h"
#include "../runner/run.h"

extern const struct extra crossing_extra;

struct crossing_columns {
	double crossing_ns, crossings, crossing_percent;
};

static const struct row_file_column crossing_table[] = {
	RESULT_NUMBER(
		crossing_columns, crossing_ns, 2,
		"Time of a call into the engine's library that does nothing, of an "
		"engine in Go or C#: what crossing from C costs each call. Measured just "
		"before the workload, in one thread. Latencies are not reduced by "
		"it. Empty: calls cost no more than those of C."),
	RESULT_NUMBER(
		crossing_columns, crossings, 0,
		"Number of calls of all threads into the engine's library, each of "
		"which crosses (crossing_ns). Empty: see crossing_ns; or there was a "
		"warm-up, or nothing was measured in threads (compact)."),
	RESULT_NUMBER(crossing_columns, crossing_percent, 2,
		      "Percentage of the calling threads' CPU time that crossings take: "
		      "crossing_ns * crossings / fg_cpu_s, at most 100. Empty: see "
		      "crossings."),
};

/* Of a run. */
struct crossing {
	double ns;
	uint64_t calls;
};

static struct crossing *crossing_of(const struct extra_states *extras)
{
	return extra_state(extras, &crossing_extra);
}

/* The best of rounds of some 0.1 ms, which are short enough not to be interrupted. */
static double crossing_time(struct session *session)
{
	enum { ROUNDS = 50, TIMES = 2000 };
	double best = INFINITY;

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t began = clock_raw_ns();

		for (int i = 0; i < TIMES; i++)
			(void)engine.crossing.nothing(session);
		best = fmin(best, (double)(clock_raw_ns() - began) / TIMES);
	}
	return best;
}

static void crossing_begin(struct run *run)
{
	struct crossing *crossing = crossing_of(&run->extras);
	char why[ENGINE_ERROR_SIZE];
	struct session *session;

	crossing->ns = NAN;
	if (!engine.crossing.nothing)
		return;
	session = driver_util_attach(&engine, run->settings, run->db, why);
	if (session) {
		crossing->ns = crossing_time(session);
		driver_util_detach(&engine, session);
	}
	crossing->calls = engine.crossing.calls(run->db);
}

static void crossing_end(struct run *run)
{
	struct crossing *crossing = crossing_of(&run->extras);

	if (engine.crossing.calls && run->db)
		crossing->calls = engine.crossing.calls(run->db) - crossing->calls;
}

static void crossing_fill(const struct aggregate *a, struct result *r)
{
	struct crossing_columns *columns = result_added(r, &crossing_extra.columns);
	const struct crossing *crossing = crossing_of(a->extras);

	if (!engine.crossing.nothing)
		return;
	columns->crossing_ns = crossing->ns;
	/* maintenance has no end of a run, at which they would be counted */
	if (cfg->warmup > 0 || workload_is_maintenance(a->workload))
		return;
	columns->crossings = (double)crossing->calls;
	if (r->fg_cpu_s > 0)
		columns->crossing_percent =
			fmin(100, crossing->ns * columns->crossings / 1e7 / r->fg_cpu_s);
}

const struct extra crossing_extra = {
	.columns = ROW_FILE_COLUMNS(crossing_table),
	.state_size = sizeof(struct crossing),
	.begin_run = crossing_begin,
	.end_run = crossing_end,
	.fill = crossing_fill,
};
