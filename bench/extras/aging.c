/*
 * aging.c: --age: passes over the database before a workload, which leave it as it is
 * after long use.
 */
#include <math.h>
#include <string.h>

#include "../../util/message.h"
#include "../../util/os/supervisor.h"
#include "../runner/database.h"
#include "../runner/run.h"
#include "../workload/config.h"

extern const struct extra aging_extra;

static uint64_t age_passes;

static const struct option age_options[] = {
	{"age", "0",
	 "Number of passes that overwrite and delete records before the "
	 "measurement, to wear a fresh database; 0: none. Each overwrites "
	 "--num random records, then deletes 10 % of the records and "
	 "reinserts them. If --benchmarks has the workload age, passes run "
	 "only there. Otherwise they run before the first workload that is "
	 "not a fill, and again after each later fill. They never run before "
	 "one with records of its own: smallbank, queue, replay and the "
	 "Insert Benchmark.",
	 .count = &age_passes, .max = 300, .group = "Aging"},
	{0},
};

struct age_columns {
	double age, aged_rate_ratio;
};

static const struct row_file_column age_column_table[] = {
	RESULT_NUMBER(age_columns, age, 0,
		      "Number of aging passes over the database before the benchmark "
		      "(--age). A pass overwrites random records, --num times, then "
		      "deletes and reinserts 10 % of --num records. Empty: not aged "
		      "since the load."),
	RESULT_NUMBER(age_columns, aged_rate_ratio, 4,
		      "Throughput after aging (--age) relative to before: "
		      "ops_per_sec / mean ops_per_sec of earlier rows. These are the "
		      "process's valid rows after the same load and before the first "
		      "aging pass, with equal workload and number of threads. Below "
		      "1: aging slowed it. Empty: not aged, or no such row."),
};

/* The parts of a pass, in order. */
enum age_part { AGE_OVERWRITE, AGE_DELETE, AGE_REINSERT, AGE_PARTS };

static const struct workload age_parts[AGE_PARTS] = {
	[AGE_OVERWRITE] = {"age-overwrite",
			   "",
			   {[OP_PUT] = 100},
			   .key_order = ORDER_RANDOM,
			   .divided = true,
			   .batched = true,
			   .takes_no_threads = true},
	[AGE_DELETE] = {"age-delete",
			"",
			{[OP_DELETE] = 100},
			.key_order = ORDER_PERMUTED,
			.divided = true,
			.deletes = true,
			.num_fraction = 0.1,
			.takes_no_threads = true},
	[AGE_REINSERT] = {"age-reinsert",
			  "",
			  {[OP_PUT] = 100},
			  .key_order = ORDER_PERMUTED,
			  .divided = true,
			  .batched = true,
			  .num_fraction = 0.1,
			  .takes_no_threads = true},
};

/*
 * A part of a pass. Keys are drawn as `workload` draws them, unless the part has an order
 * of its own. The result is valid as long as the program runs.
 */
static const struct workload *age_workload(enum age_part part,
					   const struct workload *workload)
{
	static struct workload by_distribution[DISTRIBUTIONS];

	if (part != AGE_OVERWRITE)
		return &age_parts[part];
	by_distribution[workload->distribution] = age_parts[part];
	by_distribution[workload->distribution].distribution = workload->distribution;
	return &by_distribution[workload->distribution];
}

/* The plan has the parts of passes in its place. */
static void age_is_planned(struct run *run)
{
	(void)run;
}

static struct workload age_workloads[] = {
	{"age",
	 "Age the database by --age passes, with the key distribution of the list's next "
	 "workload. It has no row of its own; later rows have the columns age and "
	 "aged_rate_ratio.",
	 .maintenance = age_is_planned},
	{0},
};

/* ---- the plan ---- */

/* Insert the parts of all passes of --age at `at`; returns their number. */
static unsigned insert_aging_pass(struct plan_item *list, unsigned at, unsigned count,
				  unsigned most)
{
	unsigned parts = (unsigned)age_passes * AGE_PARTS;

	if (count + parts > most)
		message_fatal(2,
			      "--age: %u parts of aging passes and the list exceed %u "
			      "benchmarks; give fewer",
			      parts, most);
	memmove(&list[at + parts], &list[at], (count - at) * sizeof *list);
	for (unsigned i = 0; i < parts; i++)
		list[at + i] = (struct plan_item){
			.workload = age_workload((enum age_part)(i % AGE_PARTS),
						 list[at + parts].workload),
			.threads = 1,
			.iteration = i / AGE_PARTS + 1,
			.iterations = 1,
			.is_warmup = true,
			.pass = i / AGE_PARTS + 1,
		};
	return parts;
}

/* Is the database aged before this benchmark, unless the list contains `age`? */
static bool is_aged_before(const struct plan_item *item)
{
	const struct workload *workload = item->workload;

	return !workload->starts_empty && !workload_is_maintenance(workload) &&
	       !workload->own_keys && !workload->procedure && !workload->unknown_keys;
}

/*
 * Where no pass has a place, --age would be ignored. A list of loads alone may have it:
 * sweep.sh gives its options to all runs.
 */
static void check_nothing_ages(const struct plan_item *list, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const struct workload *workload = list[i].workload;

		if (!workload_is_maintenance(workload) &&
		    (!workload->starts_empty || workload->own_keys))
			message_fatal(2,
				      "--age: %s has records of its own, which no pass "
				      "ages; leave it out",
				      workload->name);
	}
}

/*
 * Insert the passes of --age: at `age`, or before the first workload after a load.
 * Returns the new length of the plan.
 */
static unsigned age_change_plan(struct plan_item *list, unsigned count, unsigned most)
{
	const unsigned before = count;
	bool is_explicit = false, may_age = true;

	for (unsigned i = 0; i < count; i++)
		is_explicit |= list[i].workload == age_workloads;
	if (is_explicit && !age_passes)
		message_fatal(2, "--benchmarks: age needs the number of passes; give "
				 "--age");
	for (unsigned i = 0; i < count && age_passes; i++) {
		bool is_age = list[i].workload == age_workloads;
		unsigned parts;

		may_age |= list[i].workload->starts_empty;
		if (is_age)
			memmove(&list[i], &list[i + 1], (--count - i) * sizeof *list);
		if (!is_age && (is_explicit || !may_age || !is_aged_before(&list[i])))
			continue;
		if (i == count)
			message_fatal(2, "--benchmarks: age prepares the next workload; "
					 "put one after it");
		parts = insert_aging_pass(list, i, count, most);
		count += parts;
		i += parts - is_age;
		may_age = false;
	}
	if (age_passes && count == before)
		check_nothing_ages(list, count);
	return count;
}

/* ---- results ---- */

/*
 * Of each workload before aging: its rows since the load, and the sum of their rates. In
 * memory that all processes of the program share.
 */
static struct age_rates {
	unsigned count;
	struct {
		const struct workload *workload;
		unsigned threads, rows;
		double rates;
	} of[PLAN_ITEMS_MAX];
} *age_rates;

static void age_configure(const char *preset)
{
	(void)preset;
	if (!(age_rates = supervisor_shared_memory(sizeof *age_rates)))
		message_fatal(1, "out of memory");
}

/* The last part of a pass makes the database complete again. */
static void age_end_item(struct run *run, bool valid)
{
	struct database *d = run->info->database;
	bool complete = d->db_dir.facts.to_restore;

	if (run->workload != &age_parts[AGE_REINSERT] || !valid)
		return;
	d->db_dir.facts.passes = run->item->pass;
	d->db_dir.facts.to_restore = 0;
	database_write_marker(d, run->workload, complete);
}

/* Enter the rate of a workload before aging. */
static void age_note_rate(const struct aggregate *a, const struct result *r, unsigned i)
{
	if (r->valid != 1 || a->item->is_warmup || i == PLAN_ITEMS_MAX)
		return;
	if (i == age_rates->count) {
		age_rates->count++;
		age_rates->of[i].workload = a->workload;
		age_rates->of[i].threads = a->foreground;
		age_rates->of[i].rows = 0;
		age_rates->of[i].rates = 0;
	}
	age_rates->of[i].rows++;
	age_rates->of[i].rates += r->ops_per_sec;
}

/*
 * The throughput relative to that before aging, if the same workload ran before in the
 * same plan.
 */
static void age_fill(const struct aggregate *a, struct result *r)
{
	struct age_columns *columns = result_added(r, &aging_extra.columns);
	unsigned i = 0;

	if (a->info->database->db_dir.facts.passes)
		columns->age = (double)a->info->database->db_dir.facts.passes;
	if (a->workload->starts_empty)
		age_rates->count = 0;
	while (i < age_rates->count && (age_rates->of[i].workload != a->workload ||
					age_rates->of[i].threads != a->foreground))
		i++;
	if (!(columns->age > 0))
		age_note_rate(a, r, i);
	else if (i < age_rates->count)
		columns->aged_rate_ratio =
			r->ops_per_sec * age_rates->of[i].rows / age_rates->of[i].rates;
}

static bool age_append_to_line(const struct result *r, char *to, size_t size)
{
	const struct age_columns *columns = result_added(r, &aging_extra.columns);

	if (!isnan(columns->aged_rate_ratio))
		message_append(to, size, " ",
			       "(%.2f of the rate before aging, at age %.0f)",
			       columns->aged_rate_ratio, columns->age);
	return false;
}

const struct extra aging_extra = {
	.options = age_options,
	.workloads = age_workloads,
	.columns = ROW_FILE_COLUMNS(age_column_table),
	.configure = age_configure,
	.change_plan = age_change_plan,
	.end_item = age_end_item,
	.fill = age_fill,
	.append_to_line = age_append_to_line,
};
