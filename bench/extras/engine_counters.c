/*
 * engine_counters.c: --engine_counters: the engine's own counters, read before the
 * threads of a workload start and after they have ended.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../engines/driver_util.h"
#include "../../util/message.h"
#include "../../util/row_file.h"
#include "../runner/database.h"
#include "../runner/run.h"

extern const struct extra engine_counters_extra;

enum { COUNTERS_TEXT_SIZE = 1 << 17 };

struct counter_row {
	const char *time, *engine, *label, *benchmark, *counter;
	double threads, iteration, repetition, ops, begin, end, per_op;
};

static const struct row_file_column counter_table[] = {
	RESULT_TEXT(counter_row, time, "When the workload began."),
	RESULT_TEXT(counter_row, engine, "Engine."),
	RESULT_TEXT(counter_row, label, "Name of the engine or variant (--label)."),
	RESULT_TEXT(counter_row, benchmark, "Workload."),
	RESULT_NUMBER(counter_row, threads, 0, "Threads."),
	RESULT_NUMBER(counter_row, iteration, 0, "Iteration, from 1."),
	RESULT_NUMBER(counter_row, repetition, 0, "Repetition, from 1."),
	RESULT_NUMBER(counter_row, ops, 0, "Operations of all threads."),
	RESULT_TEXT(counter_row, counter, "Name that the engine gives the counter."),
	RESULT_NUMBER(counter_row, begin, 0, "Value before the threads start."),
	RESULT_NUMBER(counter_row, end, 0, "Value after they have ended."),
	RESULT_NUMBER(counter_row, per_op, 9, "(end - begin) / ops."),
};

static const struct row_file_columns counter_columns = ROW_FILE_COLUMNS(counter_table);

/* Lines "NAME\tNUMBER", among other text, which is skipped. */
struct engine_counters {
	char *begin, *end;
};

static struct engine_counters *counters_of(const struct run *run)
{
	return extra_state(&run->extras, &engine_counters_extra);
}

static char *read_counters(const struct run *run)
{
	char *text = message_alloc(1, COUNTERS_TEXT_SIZE);
	struct report report = {text, COUNTERS_TEXT_SIZE, "\t", "\n"};

	engine.statistics(run->db, &report);
	return text;
}

/* The next counter of a text, which is cut up; NULL: there is none. */
static char *next_counter(char **rest, double *value)
{
	char *line, *tab, *end;

	while ((line = *rest) && *line) {
		end = line + strcspn(line, "\n");
		*rest = *end ? end + 1 : end;
		*end = '\0';
		tab = strchr(line, '\t');
		if (!tab || tab == line)
			continue;
		*value = strtod(tab + 1, &end);
		if (end == tab + 1 || *end)
			continue;
		*tab = '\0';
		return line;
	}
	return NULL;
}

/* A counter that the engine did not have at the beginning was 0. */
static double value_at_begin(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *line = text; line && *line;) {
		if (!strncmp(line, name, n) && line[n] == '\t')
			return strtod(line + n + 1, NULL);
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return 0;
}

static void engine_counters_configure(const char *preset)
{
	char error[ROW_FILE_ERROR_SIZE];

	(void)preset;
	if (!*cfg->engine_counters)
		return;
	if (!engine.statistics)
		message_fatal(2,
			      "--engine_counters: %s has no counters of its own; leave "
			      "it out",
			      engine.title);
	if (cfg->warmup > 0)
		message_fatal(2, "--engine_counters: the warm-up would be counted, too; "
				 "leave out --warmup");
	if (!row_file_check_tsv(&counter_columns, cfg->engine_counters, error))
		message_fatal(2, "--engine_counters: %s", error);
}

static void engine_counters_begin(struct run *run)
{
	if (*cfg->engine_counters && !workload_is_maintenance(run->workload))
		counters_of(run)->begin = read_counters(run);
}

static void engine_counters_end(struct run *run)
{
	if (counters_of(run)->begin && run->db)
		counters_of(run)->end = read_counters(run);
}

/* Writes the rows: the texts exist until then. */
static void engine_counters_fill(const struct aggregate *a, struct result *r)
{
	struct engine_counters *c = extra_state(a->extras, &engine_counters_extra);
	struct counter_row row = {.time = r->time,
				  .engine = r->engine,
				  .label = r->label,
				  .benchmark = r->benchmark,
				  .threads = r->threads,
				  .iteration = r->iteration,
				  .repetition = r->repetition,
				  .ops = result_operations(r)};
	char error[ROW_FILE_ERROR_SIZE], *rest = c->end;

	while (r->valid == 1 && !a->item->is_warmup &&
	       (row.counter = next_counter(&rest, &row.end))) {
		row.begin = value_at_begin(c->begin, row.counter);
		row.per_op = row.ops > 0 ? (row.end - row.begin) / row.ops : NAN;
		if (!row_file_append_tsv(&counter_columns, cfg->engine_counters, &row,
					 error)) {
			database_note_failure(&a->info->database->failure,
					      "--engine_counters", error);
			break;
		}
	}
	free(c->begin);
	free(c->end);
	*c = (struct engine_counters){NULL, NULL};
}

const struct extra engine_counters_extra = {
	.configure = engine_counters_configure,
	.state_size = sizeof(struct engine_counters),
	.begin_run = engine_counters_begin,
	.end_run = engine_counters_end,
	.fill = engine_counters_fill,
};
