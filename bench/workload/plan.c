/* plan.c: from --benchmarks to a plan; see plan.h. */
#include "plan.h"

#include <string.h>

#include "../../engines/engine.h"
#include "../../util/list_parser.h"
#include "../../util/edit_distance.h"
#include "../../util/option.h"
#include "../../util/message.h"
#include "../extras/procedure_table.h"
#include "config.h"
#include "compat.h"
#include "../extras/queue.h"

static const struct workload *find_workload(const char *name, size_t length)
{
	const struct workload *workload = workload_find(name, length), *all;
	struct edit_distance near = edit_distance_begin(name, length);
	char meant[EDIT_DISTANCE_TEXT_SIZE];
	size_t n;

	if (workload)
		return workload;
	if (compat_workload(name, length))
		message_fatal(2, "--benchmarks: no benchmark '%.*s' here; instead: %s",
			      (int)length, name, compat_workload(name, length));
	all = workload_table(&n);
	for (size_t i = 0; i < n; i++)
		edit_distance_offer(&near, all[i].name);
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
		message_fatal(2, "--benchmarks: more than %u", PLAN_ITEMS_MAX);
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

static void check_queues(const struct plan_item *item)
{
	enum record_key_format form = (enum record_key_format)cfg->key_format;
	double max_keys = record_max_keys(form, cfg->key_size);

	if (cfg->queues < item->threads)
		message_fatal(2,
			      "--queues: each of the %u threads needs a queue; give at "
			      "least as many", item->threads);
	if (form == KEYS_USER)
		message_fatal(2,
			      "--key_format=user: queues need keys in order, and these "
			      "are hashed");
	if (engine.fixed_size)
		message_fatal(2,
			      "queue: %s has slots for --num records only, and queues "
			      "need more keys", engine.title);
	if (queue_key_count() > max_keys)
		message_fatal(2,
			      "--queues: %llu queues of up to %llu records do not fit "
			      "into %s keys of %llu bytes; give a larger --key_size",
			      (unsigned long long)cfg->queues,
			      (unsigned long long)cfg->num, record_key_formats[form],
			      (unsigned long long)cfg->key_size);
}

/* Reject contradictions between a workload and the options. */
static void check_item(const struct plan_item *item)
{
	const struct workload *workload = item->workload;
	const struct procedure *procedure = procedure_table_find(workload);

	if (workload->starts_empty && cfg->use_existing_db)
		message_fatal(2,
			      "%s begins by emptying the database, which "
			      "--use_existing_db=1 forbids; give one or the other",
			      workload->name);
	if (cfg->multiprocess_read &&
	    (workload_changes(workload) || !cfg->use_existing_db))
		message_fatal(2,
			      "--multiprocess_read=1 needs workloads that only read, and "
			      "--use_existing_db=1; %s %s", workload->name,
			      workload_changes(workload) ? "changes the database"
							 : "is run without that");
	if (workload->bulk_load && item->threads > 1)
		message_fatal(2, "--threads: %s loads from one thread; give 1",
			      workload->name);
	if (workload->bulk_load && cfg->key_format == KEYS_USER)
		message_fatal(2,
			      "--key_format=user: %s loads in the order of keys, and "
			      "these are hashed", workload->name);
	if (cfg->cold && workload->weights[OP_PROCEDURE] && procedure->prepare)
		message_fatal(2,
			      "--cold=1: %s reads all records before it begins, which "
			      "caches them", workload->name);
	if (workload_reads(workload) && workload_writes(workload) &&
	    (cfg->read_rate || cfg->write_rate) && !workload->maintenance)
		message_fatal(2,
			      "%s both reads and writes: give --rate instead of "
			      "--read_rate and --write_rate", workload->name);
	if (!cfg->latency && !workload->maintenance &&
	    (cfg->rate || cfg->read_rate || cfg->write_rate || cfg->probe_rate ||
	     cfg->sine_mix_rate || cfg->sine_write_rate || cfg->speed > 0 ||
	     (procedure && procedure->rate)))
		message_fatal(2,
			      "--latency=0: response times of an open loop need the "
			      "time of each operation; leave it out");
	if (workload->queue)
		check_queues(item);
	if (procedure && procedure->rate &&
	    (cfg->rate || cfg->read_rate || cfg->write_rate))
		message_fatal(2,
			      "%s has rates of its own; leave out --rate, --read_rate "
			      "and --write_rate", workload->name);
	if (procedure && procedure->operations && !procedure_table_operations(workload) &&
	    !(cfg->duration > 0))
		message_fatal(2, "%s needs --duration; give seconds", workload->name);
	if (workload->preset && *cfg->preset && strncmp(workload->preset, cfg->preset, 4))
		message_fatal(2, "--preset=%s: %s belongs to another preset, %s",
			      cfg->preset, workload->name, workload->preset);
}

/* Can an option add a background thread to this workload? */
static bool takes_added_background(const struct workload *workload)
{
	/*
	 * A bulk loader is the only session; passes of --age have no row to report it
	 * in.
	 */
	return !workload->maintenance && !workload->is_aging_part &&
	       !(workload->bulk_load && engine.bulk_begin) &&
	       (workload_writes(workload) ||
		workload->own_background == OWN_BACKGROUND_WRITER);
}

static bool is_background_requested(enum added_background kind)
{
	switch (kind) {
	case ADDED_BACKGROUND_PROBE:
		return cfg->probe_rate > 0;
	case ADDED_BACKGROUND_LONG_READER:
		return cfg->long_reader > 0;
	case ADDED_BACKGROUND_BACKUP:
		return cfg->backup > 0;
	case ADDED_BACKGROUND_NONE:
	case ADDED_BACKGROUNDS:
		break;
	}
	return false;
}

unsigned plan_added_background(const struct workload *workload,
			       const struct workload *roles[ADDED_BACKGROUNDS])
{
	unsigned n = 0;

	for (enum added_background kind = ADDED_BACKGROUND_NONE; kind < ADDED_BACKGROUNDS;
	     kind++)
		if (is_background_requested(kind) && takes_added_background(workload))
			roles[n++] = workload_added_background(kind);
	return n;
}

/* Reject an option to which no workload of the plan applies. */
static void check_added_background(const struct plan_item *list, unsigned count)
{
	static const char *const options[ADDED_BACKGROUNDS] = {
		[ADDED_BACKGROUND_PROBE] = "probe_rate",
		[ADDED_BACKGROUND_LONG_READER] = "long_reader",
		[ADDED_BACKGROUND_BACKUP] = "backup",
	};
	bool taken = false, copied = is_background_requested(ADDED_BACKGROUND_BACKUP);

	for (unsigned i = 0; i < count; i++) {
		taken |= takes_added_background(list[i].workload);
		copied |= list[i].workload->maintenance == MAINTENANCE_BACKUP;
	}
	if (copied && *cfg->device)
		message_fatal(2,
			      "--device: a backup copies files, and a device has none");
	if (copied && engine.server_usage)
		message_fatal(2,
			      "backup: %s keeps its records in servers, and not in "
			      "files here", engine.title);
	for (enum added_background kind = ADDED_BACKGROUND_NONE; kind < ADDED_BACKGROUNDS;
	     kind++)
		if (is_background_requested(kind) && !taken)
			message_fatal(2,
				      "--%s needs a workload that writes, other than a "
				      "bulk load, and the list has none", options[kind]);
	if (is_background_requested(ADDED_BACKGROUND_LONG_READER) && !engine.snapshot)
		message_fatal(2,
			      "--long_reader: %s has no snapshots that a reader could "
			      "hold", engine.title);
}

/* Insert the parts of all passes of --age at `at`; returns their number. */
static unsigned insert_aging_pass(struct plan_item *list, unsigned at, unsigned count,
				  unsigned most)
{
	unsigned parts = (unsigned)cfg->age * AGE_PARTS;

	if (count + parts > most)
		message_fatal(2,
			      "--age: with %u parts of passes there are more than %u "
			      "benchmarks", parts, most);
	memmove(&list[at + parts], &list[at], (count - at) * sizeof *list);
	for (unsigned i = 0; i < parts; i++)
		list[at + i] = (struct plan_item){
			.workload = workload_age((enum age_part)(i % AGE_PARTS),
						 list[at + parts].workload),
			.threads = 1,
			.iteration = i / AGE_PARTS + 1,
			.iterations = 1,
			.is_warmup = true,
			.age_pass = i / AGE_PARTS + 1,
		};
	return parts;
}

/* Is the database aged before this benchmark, unless the list contains `age`? */
static bool is_aged_before(const struct plan_item *item)
{
	const struct workload *workload = item->workload;

	return !workload->starts_empty && !workload->maintenance && !workload->queue &&
	       !workload->procedure && workload->source != SOURCE_TRACE;
}

/*
 * Insert the passes of --age: at `age`, or before the first workload after a load.
 * Returns the new length of the plan.
 */
static unsigned plan_aging(struct plan_item *list, unsigned count, unsigned most)
{
	bool is_explicit = false, may_age = true;

	for (unsigned i = 0; i < count; i++)
		is_explicit |= list[i].workload->maintenance == MAINTENANCE_AGE;
	if (is_explicit && !cfg->age)
		message_fatal(2, "age: give --age, the number of passes");
	for (unsigned i = 0; i < count && cfg->age; i++) {
		bool is_age = list[i].workload->maintenance == MAINTENANCE_AGE;
		unsigned parts;

		may_age |= list[i].workload->starts_empty;
		if (is_age)
			memmove(&list[i], &list[i + 1], (--count - i) * sizeof *list);
		if (!is_age && (is_explicit || !may_age || !is_aged_before(&list[i])))
			continue;
		if (i == count)
			message_fatal(2, "age: put it before a workload");
		parts = insert_aging_pass(list, i, count, most);
		count += parts;
		i += parts - is_age;
		may_age = false;
	}
	return count;
}

/* The format of a workload's records; 0: the suite's own. */
static unsigned procedure_value_format(const struct workload *workload)
{
	return workload->procedure ? procedure_table_find(workload)->value_format : 0;
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
		if (workload->maintenance || (!loaded && cfg->use_existing_db))
			continue;
		if (procedure_value_format(workload) !=
		    (loaded ? procedure_value_format(loaded) : 0))
			message_fatal(2,
				      "%s needs other records than %s loads; put its "
				      "own load before it", workload->name,
				      loaded ? loaded->name : "none");
	}
}

unsigned plan_make(struct plan_item *list, unsigned most)
{
	unsigned count = 0;

	for (const char *text = cfg->benchmarks; text;) {
		unsigned first = count;

		count += plan_add(&text, list + count, most - count);
		for (unsigned i = first; i < count; i++)
			list[i].first_iteration = first;
	}
	count = plan_aging(list, count, most);
	for (unsigned i = 0; i < count; i++)
		check_item(&list[i]);
	check_added_background(list, count);
	if (!list[0].workload->starts_empty && !cfg->use_existing_db &&
	    !engine.stores_nothing)
		message_fatal(2,
			      "%s needs a database; put a fill before it, or give "
			      "--use_existing_db=1", list[0].workload->name);
	check_records(list, count);
	if (count * cfg->repeat > most)
		message_fatal(2,
			      "--repeat: a list of %u so many times is more than %u "
			      "benchmarks", count, most);
	for (unsigned i = count; i < count * cfg->repeat; i++) {
		list[i] = list[i - count];
		list[i].repetition++;
	}
	return count;
}

uint64_t plan_operations(const struct workload *workload)
{
	uint64_t requested = workload->divided || workload->maintenance ? 0
			 : workload_reads(workload)	       ? cfg->reads
						       : cfg->writes;
	double fraction = workload->num_fraction > 0 ? workload->num_fraction : 1;
	uint64_t records = workload->starts_empty
				   ? procedure_table_records(workload, cfg->num)
				   : cfg->num;
	uint64_t n = requested ? requested
			       : (uint64_t)((double)records * fraction + 1e-6);

	if (procedure_table_operations(workload))
		return procedure_table_operations(workload);
	if (workload->operations)
		return workload->operations;
	if (workload->whole_range)
		return UINT64_MAX;
	if (workload->queue)
		return cfg->num + cfg->queues;
	/* An iteration reads at most all records. */
	if (workload->weights[OP_NEXT] && n > cfg->num)
		n = cfg->num;
	return n ? n : 1;
}

struct record_sizes plan_scan_lengths(const struct workload *workload)
{
	uint64_t one = cfg->seek_nexts + 1;
	struct record_sizes lengths = {.min = one, .max = one};
	char error[OPTION_ERROR_SIZE];

	if (*cfg->scan_length)
		return cfg->scan_lengths;
	if (workload->source == SOURCE_MIXGRAPH)
		lengths = (struct record_sizes){
			.max = cfg->mixgraph.scan.max,
			.pareto = cfg->mixgraph.scan,
			.pareto_steps = cfg->mixgraph.db_bench ? cfg->num : 0,
			.pareto_mean = 0,
		};
	else if (workload->scan_length)
		record_sizes_parse(&lengths, workload->scan_length, error);
	return lengths;
}

uint64_t plan_batch(const struct workload *workload)
{
	uint64_t batch = workload->batch ? workload->batch : cfg->batch_size;

	return !workload->batched ? 1 : batch < cfg->num ? batch : cfg->num;
}
