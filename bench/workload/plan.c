/* plan.c: from --benchmarks to a plan; see plan.h. */
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../engines/engine.h"
#include "../../util/list_parser.h"
#include "../../util/edit_distance.h"
#include "../../util/option.h"
#include "../../util/message.h"
#include "config.h"
#include "compat.h"
#include "extra.h"
#include "procedure.h"

static const struct workload *find_workload(const char *name, size_t length)
{
	const struct workload *workload = workload_find(name, length), *all;
	struct edit_distance near = edit_distance_begin(name, length);
	char meant[EDIT_DISTANCE_TEXT_SIZE];

	if (workload)
		return workload;
	if (compat_workload(name, length))
		message_fatal(2, "--benchmarks: no benchmark '%.*s' here; instead: %s",
			      (int)length, name, compat_workload(name, length));
	for (size_t i = 0; (all = workload_at(i)); i++)
		edit_distance_offer(&near, all->name);
	message_fatal(2, "--benchmarks: no benchmark '%.*s'; %s",
		      length > 60 ? 60 : (int)length, name,
		      edit_distance_suggestion(&near, "", "--help=workloads lists them",
					       meant));
}

/*
 * Add the benchmark at *text to the plan, as often as it is run, and advance *text.
 * Returns the number of items.
 */
static unsigned plan_add(const char **text, struct plan_item *list, unsigned most)
{
	struct list_parser_entry e;
	char error[LIST_PARSER_ERROR_SIZE];

	if (!list_parser_next(text, &e, error))
		message_fatal(2, "--benchmarks: %s", error);
	if (e.warmups + e.iterations > most)
		message_fatal(2, "--benchmarks: the list exceeds %u benchmarks",
			      PLAN_ITEMS_MAX);
	for (unsigned i = 0; i < e.warmups + e.iterations; i++)
		list[i] = (struct plan_item){
			.workload = find_workload(e.name, e.length),
			.threads = e.threads ? e.threads : (unsigned)cfg->threads,
			.iteration = i < e.warmups ? i + 1 : i - e.warmups + 1,
			.iterations = e.iterations,
			.is_warmup = i < e.warmups,
		};
	return e.warmups + e.iterations;
}

/* The procedure's own number of operations of each thread; 0: it has none. */
static uint64_t procedure_operations(const struct workload *workload)
{
	const struct procedure *procedure = workload->procedure;

	return procedure && procedure->operations ? procedure->operations(procedure) : 0;
}

/* Do its own or added options schedule the operations of this workload? */
static bool is_open_loop(const struct workload *workload)
{
	bool scheduled = cfg->rate || cfg->read_rate || cfg->write_rate ||
			 cfg->sine_write_rate || workload->sine ||
			 (workload->procedure && workload->procedure->rate);

	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		scheduled |= (*extra)->is_scheduled && (*extra)->is_scheduled(workload);
	return scheduled;
}

/* Reject contradictions between a workload and the options. */
static void check_item(const struct plan_item *item)
{
	const struct workload *workload = item->workload;
	const struct procedure *procedure = workload->procedure;

	if (workload->starts_empty && cfg->use_existing_db && !cfg->db_bench.on)
		message_fatal(2,
			      "%s begins by emptying the database, which "
			      "--use_existing_db=1 forbids; give one or the other",
			      workload->name);
	if (cfg->multiprocess_read &&
	    (workload_changes(workload) || !cfg->use_existing_db))
		message_fatal(2,
			      "--multiprocess_read=1 needs workloads that only read, and "
			      "--use_existing_db=1; %s %s",
			      workload->name,
			      workload_changes(workload) ? "changes the database"
							 : "runs without "
							   "--use_existing_db");
	if (workload->bulk_load && item->threads > 1)
		message_fatal(2, "--threads: %s loads from one thread; give 1",
			      workload->name);
	if (workload->bulk_load && cfg->key_format == KEYS_USER)
		message_fatal(2,
			      "--key_format=user: %s loads in the order of keys, and "
			      "these are hashed",
			      workload->name);
	if (cfg->cold && workload->weights[OP_PROCEDURE] && procedure->prepare)
		message_fatal(2,
			      "--cold=1: %s reads all records before it begins, which "
			      "caches them",
			      workload->name);
	if (workload_reads(workload) && workload_writes(workload) &&
	    (cfg->read_rate || cfg->write_rate) &&
	    (!cfg->db_bench.on || cfg->db_bench.leveldb) &&
	    !workload_is_maintenance(workload))
		message_fatal(2,
			      "%s both reads and writes: give --rate instead of "
			      "--read_rate and --write_rate",
			      workload->name);
	if (!cfg->latency && !workload_is_maintenance(workload) && is_open_loop(workload))
		message_fatal(2, "--latency=0: response times of an open loop need the "
				 "time of each operation; leave it out");
	if (procedure && procedure->rate &&
	    (cfg->rate || cfg->read_rate || cfg->write_rate))
		message_fatal(2,
			      "%s has rates of its own; leave out --rate, --read_rate "
			      "and --write_rate",
			      workload->name);
	if (procedure && procedure->operations && !procedure_operations(workload) &&
	    !(cfg->duration > 0))
		message_fatal(2, "%s needs --duration; give seconds", workload->name);
	if (workload->preset && *cfg->preset && strncmp(workload->preset, cfg->preset, 4))
		message_fatal(2, "--preset=%s: %s belongs to another preset, %s",
			      cfg->preset, workload->name, workload->preset);
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->check_item)
			(*extra)->check_item(item);
}

/*
 * Can an extra add a thread to this workload? A bulk loader is the only session.
 */
static bool takes_added_threads(const struct workload *workload)
{
	return !workload_is_maintenance(workload) && !workload->takes_no_threads &&
	       !(workload->bulk_load && engine.bulk_begin) &&
	       (workload_writes(workload) ||
		workload->own_background == OWN_BACKGROUND_WRITER);
}

/* Reject an option that adds a thread if no workload of the plan takes it. */
static void check_added_threads(const struct plan_item *list, unsigned count)
{
	bool taken = false;

	for (unsigned i = 0; i < count; i++)
		taken |= takes_added_threads(list[i].workload);
	for (const struct extra *const *extra = extra_all(); *extra; extra++) {
		const struct workload *role =
			(*extra)->added_thread ? (*extra)->added_thread() : NULL;

		if (role && !taken)
			message_fatal(2,
				      "--%s needs a workload that writes, other than a "
				      "bulk load, and the list has none",
				      (*extra)->added_by);
		if (role && role->added->rate && !cfg->latency)
			message_fatal(2,
				      "--latency=0: response times of --%s need the "
				      "time of each operation; leave it out",
				      (*extra)->added_by);
	}
}

/* The format of a workload's records; 0: the suite's own. */
static unsigned procedure_value_format(const struct workload *workload)
{
	return workload->procedure ? workload->procedure->value_format : 0;
}

/*
 * Workloads need the records of a load of the same format. Records loaded earlier are
 * checked when the database is opened.
 */
static void check_records(const struct plan_item *list, unsigned count)
{
	const struct workload *loaded = NULL;

	for (unsigned i = 0; i < count; i++) {
		const struct workload *workload = list[i].workload;

		if (workload->starts_empty)
			loaded = workload;
		if (workload_is_maintenance(workload) ||
		    (!loaded && cfg->use_existing_db))
			continue;
		if (procedure_value_format(workload) !=
		    (loaded ? procedure_value_format(loaded) : 0))
			message_fatal(2,
				      "%s needs other records than %s loads; put its "
				      "own load before it",
				      workload->name, loaded ? loaded->name : "none");
	}
}

/* ---- what follows from workload and options ---- */

static uint64_t choose_batch(const struct workload *workload)
{
	uint64_t batch = workload->batch ? workload->batch : cfg->batch_size;

	return !workload->batched ? 1 : batch < cfg->num ? batch : cfg->num;
}

static uint64_t count_operations(const struct workload *workload, uint64_t records)
{
	/* db_bench's mergerandom has the number of readers, and its mixgraph no other */
	bool reads = workload_reads(workload) || (cfg->db_bench.on && workload->merges &&
						  workload->weights[OP_APPEND]);
	bool both = cfg->db_bench.on && reads && workload_writes(workload) &&
		    strcmp(workload->name, "mixgraph") != 0 && cfg->writes > cfg->reads;
	uint64_t requested = workload->divided || workload_is_maintenance(workload) ? 0
			     : cfg->db_bench.on && workload->deletes
				     ? cfg->db_bench.deletes
			     : reads && !both ? cfg->reads
					      : cfg->writes;
	double fraction = workload->num_fraction > 0 ? workload->num_fraction : 1;
	uint64_t n =
		requested ? requested : (uint64_t)((double)records * fraction + 1e-6);

	if (procedure_operations(workload))
		return procedure_operations(workload);
	if (workload->operations)
		return workload->operations;
	if (workload->whole_range)
		return UINT64_MAX;
	/* An iteration reads at most all records. */
	if (workload->weights[OP_NEXT] && n > cfg->num)
		n = cfg->num;
	/* db_bench does whole batches: RocksDB's leaves the rest, LevelDB's begins one */
	if (cfg->db_bench.on && workload->batched) {
		uint64_t batch = choose_batch(workload);

		n = (n + (cfg->db_bench.leveldb ? batch - 1 : 0)) / batch * batch;
	}
	return n ? n : 1;
}

/* How many records each seek reads. */
static struct record_sizes choose_scan_lengths(const struct workload *workload)
{
	/* db_bench counts the one found as the first of them */
	uint64_t one = cfg->seek_nexts + !cfg->db_bench.on;
	struct record_sizes lengths = {.min = one, .max = one};
	char error[OPTION_ERROR_SIZE];

	if (*cfg->scan_length)
		return cfg->scan_lengths;
	if (workload->scan_lengths)
		return workload->scan_lengths();
	if (workload->scan_length)
		record_sizes_parse(&lengths, workload->scan_length, error);
	return lengths;
}

static void add_threads(struct plan_item *item)
{
	for (const struct extra *const *extra = extra_all(); *extra; extra++) {
		const struct workload *role =
			(*extra)->added_thread ? (*extra)->added_thread() : NULL;

		if (role && takes_added_threads(item->workload))
			item->added[item->added_count++] = role;
	}
}

static void resolve_item(struct plan_item *item)
{
	const struct workload *workload = item->workload;
	const struct procedure *procedure = workload->procedure;
	bool ends_by_itself = workload->divided || workload->whole_range ||
			      procedure_operations(workload);

	item->measured_threads =
		item->threads + (workload->own_background != OWN_BACKGROUND_NONE) +
		(procedure ? item->threads * procedure->background_threads : 0);
	add_threads(item);
	item->records = cfg->num * (procedure && procedure->records_per_num
					    ? procedure->records_per_num
					    : 1);
	item->operations =
		count_operations(workload,
				 workload->starts_empty ? item->records : cfg->num);
	item->batch = choose_batch(workload);
	item->is_timed = cfg->duration > 0 && !workload->untimed &&
			 (!ends_by_itself || workload->ends_at_either);
	item->may_warm_up = !ends_by_itself && !workload_is_maintenance(workload);
	item->durability = workload->durability
				   ? (enum durability)(workload->durability - 1)
				   : (enum durability)cfg->durability;
	item->value_sizes = workload->value_size
				    ? (struct record_sizes){.min = workload->value_size,
							    .max = workload->value_size}
			    : workload->value_sizes ? workload->value_sizes()
						    : cfg->value_sizes;
	item->scan_lengths = choose_scan_lengths(workload);
}

/*
 * Loads of a database that another workload of the list then uses, and aging passes,
 * prepare it as fast as they can. A load is not followed by its own iterations.
 */
static void mark_preparations(struct plan_item *list, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const struct workload *workload = list[i].workload;
		unsigned next = i + 1;

		while (next < count &&
		       (workload_is_maintenance(list[next].workload) ||
			(workload == list[next].workload &&
			 list[i].first_iteration == list[next].first_iteration)))
			next++;
		list[i].is_preparation =
			list[i].pass ||
			(workload->starts_empty && next < count &&
			 !list[next].workload->starts_empty && !cfg->db_bench.on);
	}
}

/* ---- the plan ---- */

/*
 * In db_bench's place: a fill of an existing database is skipped, and a list that begins
 * with none finds an empty database. Returns the length of the list, whose benchmark at
 * `first` was added last.
 */
static unsigned imitate_db_bench(struct plan_item *list, unsigned first, unsigned count,
				 unsigned most)
{
	const struct workload *workload = list[first].workload;

	if (workload->starts_empty && cfg->use_existing_db) {
		printf("%-12s : skipped (--use_existing_db is true)\n", workload->name);
		return first;
	}
	if (!first && !workload->starts_empty && !cfg->use_existing_db &&
	    !engine.stores_nothing && count < most) {
		memmove(list + 1, list, count * sizeof *list);
		list[0] = (struct plan_item){.workload = workload_find("create", 6),
					     .threads = 1,
					     .iteration = 1,
					     .iterations = 1};
		count++;
	}
	for (unsigned i = first; i < count; i++)
		if (!strcmp(workload->name, "filluniquerandom"))
			list[i].threads = 1;
	return count;
}

static unsigned expand_list(struct plan_item *list, unsigned most)
{
	unsigned count = 0;

	for (const char *text = cfg->benchmarks; text;) {
		unsigned first = count;

		count += plan_add(&text, list + count, most - count);
		if (cfg->db_bench.on)
			count = imitate_db_bench(list, first, count, most);
		for (unsigned i = first; i < count; i++) {
			list[i].first_iteration = first;
			list[i].continues = cfg->db_bench.on && i > first;
		}
	}
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->change_plan)
			count = (*extra)->change_plan(list, count, most);
	return count;
}

/* Reject a second extra that looks at each operation of a benchmark. */
static void check_observers(const struct plan_item *item)
{
	const char *first = NULL;

	for (const struct extra *const *extra = extra_all(); *extra; extra++) {
		const char *next = (*extra)->observes ? (*extra)->observes(item) : NULL;

		if (first && next)
			message_fatal(2,
				      "%s: %s and %s cannot both look at each operation; "
				      "leave out %s",
				      item->workload->name, first, next, next);
		first = first ? first : next;
	}
}

/* Reject contradictions. */
static void check_list(const struct plan_item *list, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		check_item(&list[i]);
	check_added_threads(list, count);
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		if ((*extra)->check_plan)
			(*extra)->check_plan(list, count);
	for (unsigned i = 0; i < count; i++)
		check_observers(&list[i]);
	if (!list[0].workload->starts_empty && !cfg->use_existing_db &&
	    !engine.stores_nothing)
		message_fatal(2,
			      "%s needs a database; put a fill before it, or give "
			      "--use_existing_db=1",
			      list[0].workload->name);
	check_records(list, count);
}

/* A fill of a new database has epoch 0, the first workload after it epoch 1. */
static void number_epochs(struct plan_item *list, unsigned count)
{
	uint64_t epoch = cfg->epoch;

	for (unsigned i = 0; i < count; i++) {
		if (!plan_item_has_epoch(&list[i]))
			continue;
		epoch += !epoch && !list[i].workload->starts_empty;
		list[i].epoch = epoch;
		epoch += !list[i].is_warmup;
	}
}

unsigned plan_make(struct plan_item *list, unsigned most)
{
	unsigned count = expand_list(list, most);

	if (!count && cfg->db_bench.on) /* all were skipped */
		exit(0);
	check_list(list, count);
	if (count * cfg->repeat > most)
		message_fatal(2,
			      "--repeat: a list of %u benchmarks repeated this often "
			      "exceeds %u benchmarks",
			      count, most);
	for (unsigned i = 0; i < count; i++)
		resolve_item(&list[i]);
	mark_preparations(list, count);
	for (unsigned i = count; i < count * cfg->repeat; i++) {
		list[i] = list[i - count];
		list[i].repetition++;
	}
	number_epochs(list, count * (unsigned)cfg->repeat);
	return count;
}
