/* plan.c: from --benchmarks to a list; see plan.h. */
#include "plan.h"

#include <string.h>

#include "../engines/engine.h"
#include "../util/list.h"
#include "../util/nearest.h"
#include "../util/option.h"
#include "../util/say.h"
#include "cast.h"
#include "config.h"
#include "habits.h"
#include "queue.h"

static const struct workload *known(const char *name, size_t length)
{
	const struct workload *load = workload_find(name, length), *all;
	struct nearest near = nearest_begin(name, length);
	char meant[NEAREST_TEXT];
	size_t n;

	if (load)
		return load;
	if (habit_workload(name, length))
		die(2, "--benchmarks: no benchmark '%.*s' here; instead: %s",
		    (int)length, name, habit_workload(name, length));
	all = workload_table(&n);
	for (size_t i = 0; i < n; i++)
		nearest_offer(&near, all[i].name);
	die(2, "--benchmarks: no benchmark '%.*s'; %s", length > 60 ? 60 : (int)length,
	    name, nearest_text(&near, "", "--help=workloads lists them", meant));
}

/*
 * The entry at *text, which moves to the next: into the list, as often as it is run;
 * answers how often.
 */
static unsigned plan_one(const char **text, struct entry *list, unsigned most)
{
	struct list_entry e;
	char error[LIST_ERROR];

	if (!list_next(text, &e, error))
		die(2, "--benchmarks: %s", error);
	if (e.warm + e.repeats > most)
		die(2, "--benchmarks: more than %u", PLAN_MOST);
	for (unsigned i = 0; i < e.warm + e.repeats; i++)
		list[i] = (struct entry){
			.load = known(e.name, e.length),
			.threads = e.threads ? e.threads : (unsigned)cfg->threads,
			.repeat = i < e.warm ? i + 1 : i - e.warm + 1,
			.repeats = e.repeats,
			.warm = i < e.warm,
		};
	return e.warm + e.repeats;
}

static void check_queues(const struct entry *e)
{
	enum record_keys form = (enum record_keys)cfg->key_format;
	double room = record_room(form, cfg->key_size);

	if (cfg->queues < e->threads)
		die(2, "--queues: %u threads have a queue each at least; give as many",
		    e->threads);
	if (form == KEYS_USER)
		die(2, "--key_format=user: a queue is in the order of keys, and these "
		       "are hashed");
	if (engine.fixed_size)
		die(2, "queue: %s has places for --num records only, and queues move on",
		    engine.title);
	if (queue_keys() > room)
		die(2,
		    "--queues: %llu queues of up to %llu records do not fit into %s keys "
		    "of %llu bytes; give a larger "
		    "--key_size",
		    (unsigned long long)cfg->queues, (unsigned long long)cfg->num,
		    record_forms[form], (unsigned long long)cfg->key_size);
}

/* Contradictions between a workload and the options. */
static void check_entry(const struct entry *e)
{
	const struct workload *load = e->load;
	const struct acts *acts = cast_of(load);

	if (load->fresh && cfg->use_existing_db)
		die(2,
		    "%s begins by emptying the database, which --use_existing_db=1 "
		    "forbids; give one or the other",
		    load->name);
	if (cfg->share && (workload_changes(load) || !cfg->use_existing_db))
		die(2,
		    "--share=1 is for what only reads a database that is there, and %s "
		    "%s",
		    load->name,
		    workload_changes(load) ? "changes it" : "has no --use_existing_db=1");
	if (load->bulk && e->threads > 1)
		die(2, "--threads: %s loads from one thread; give 1", load->name);
	if (load->bulk && cfg->key_format == KEYS_USER)
		die(2,
		    "--key_format=user: %s loads in the order of keys, and these are "
		    "hashed",
		    load->name);
	if (cfg->cold && load->weight[OP_ACT] && acts->prepare)
		die(2,
		    "--cold=1: %s looks at all records before it begins, which warms "
		    "them",
		    load->name);
	if (workload_reads(load) && workload_writes(load) &&
	    (cfg->read_rate || cfg->write_rate) && !load->special)
		die(2,
		    "%s both reads and writes: give --rate instead of --read_rate and "
		    "--write_rate",
		    load->name);
	if (load->queue)
		check_queues(e);
	if (acts && acts->rate && (cfg->rate || cfg->read_rate || cfg->write_rate))
		die(2,
		    "%s has rates of its own; leave out --rate, --read_rate and "
		    "--write_rate",
		    load->name);
	if (acts && acts->operations && !cast_operations(load) && !(cfg->duration > 0))
		die(2, "%s lasts as long as --duration says; give seconds", load->name);
	if (load->preset && *cfg->preset && strncmp(load->preset, cfg->preset, 4))
		die(2, "--preset=%s: %s belongs to another, %s", cfg->preset, load->name,
		    load->preset);
}

/* Can an option add a background thread to it? */
static bool takes_asides(const struct workload *load)
{
	/* A loader is the only session there is; a pass of --age is no figure. */
	return !load->special && !load->ages && !(load->bulk && engine.bulk_begin) &&
	       (workload_writes(load) || load->beside == BESIDE_WRITER);
}

static bool asked_aside(enum aside aside)
{
	switch (aside) {
	case ASIDE_PROBE:
		return cfg->probe_rate > 0;
	case ASIDE_READER:
		return cfg->long_reader > 0;
	case ASIDE_BACKUP:
		return cfg->backup > 0;
	case ASIDE_NONE:
	case ASIDES:
		break;
	}
	return false;
}

unsigned plan_asides(const struct workload *load, const struct workload *roles[ASIDES])
{
	unsigned n = 0;

	for (enum aside a = ASIDE_NONE; a < ASIDES; a++)
		if (asked_aside(a) && takes_asides(load))
			roles[n++] = workload_aside(a);
	return n;
}

/* An option that nothing in the list can follow is a mistake. */
static void check_asides(const struct entry *list, unsigned count)
{
	static const char *const options[ASIDES] = {
		[ASIDE_PROBE] = "probe_rate",
		[ASIDE_READER] = "long_reader",
		[ASIDE_BACKUP] = "backup",
	};
	bool taken = false, copied = asked_aside(ASIDE_BACKUP);

	for (unsigned i = 0; i < count; i++) {
		taken |= takes_asides(list[i].load);
		copied |= list[i].load->special == SPECIAL_BACKUP;
	}
	if (copied && *cfg->device)
		die(2, "--device: a backup is of files, and there are none");
	if (copied && engine.remote)
		die(2, "backup: %s keeps its records in servers, and not in files here",
		    engine.title);
	for (enum aside a = ASIDE_NONE; a < ASIDES; a++)
		if (asked_aside(a) && !taken)
			die(2,
			    "--%s goes beside what writes, other than a bulk load, and "
			    "nothing in the list does",
			    options[a]);
	if (asked_aside(ASIDE_READER) && !engine.snapshot)
		die(2, "--long_reader: %s has no snapshots that a reader could hold",
		    engine.title);
}

/* The parts of all passes of --age into the list at `at`; answers how many there are. */
static unsigned insert_age(struct entry *list, unsigned at, unsigned count, unsigned most)
{
	unsigned parts = (unsigned)cfg->age * AGES;

	if (count + parts > most)
		die(2, "--age: with %u parts of passes there are more than %u benchmarks",
		    parts, most);
	memmove(&list[at + parts], &list[at], (count - at) * sizeof *list);
	for (unsigned i = 0; i < parts; i++)
		list[at + i] = (struct entry){
			.load = workload_age((enum age)(i % AGES), list[at + parts].load),
			.threads = 1,
			.repeat = i / AGES + 1,
			.repeats = 1,
			.warm = true,
			.age = i / AGES + 1,
		};
	return parts;
}

/* Is the database to be aged before this entry, unless the list says where? */
static bool shows_age(const struct entry *e)
{
	const struct workload *load = e->load;

	return !load->fresh && !load->special && !load->queue && !load->cast &&
	       load->asks != ASKS_TRACE;
}

/*
 * Where it says `age`, or before the first workload of a load that is no fill. Answers
 * how long the list is then.
 */
static unsigned plan_ages(struct entry *list, unsigned count, unsigned most)
{
	bool said = false, young = true;

	for (unsigned i = 0; i < count; i++)
		said |= list[i].load->special == SPECIAL_AGE;
	if (said && !cfg->age)
		die(2, "age: say by --age how often the database is overwritten");
	for (unsigned i = 0; i < count && cfg->age; i++) {
		bool is_age = list[i].load->special == SPECIAL_AGE;
		unsigned parts;

		young |= list[i].load->fresh;
		if (is_age)
			memmove(&list[i], &list[i + 1], (--count - i) * sizeof *list);
		if (!is_age && (said || !young || !shows_age(&list[i])))
			continue;
		if (i == count)
			die(2, "age: put it before what is to be measured");
		parts = insert_age(list, i, count, most);
		count += parts;
		i += parts - is_age;
		young = false;
	}
	return count;
}

/* Whose records it works on; 0: the suite's own. */
static unsigned form_of(const struct workload *load)
{
	return load->cast ? cast_of(load)->form : 0;
}

/*
 * Each works on the records of its own fill; what was loaded before is looked at later.
 */
static void check_records(const struct entry *list, unsigned count)
{
	const struct workload *loaded = NULL;

	for (unsigned i = 0; i < count; i++) {
		const struct workload *load = list[i].load;

		if (load->fresh)
			loaded = load;
		if (load->special || (!loaded && cfg->use_existing_db))
			continue;
		if (form_of(load) != (loaded ? form_of(loaded) : 0))
			die(2,
			    "%s works on other records than %s loads; put its own fill "
			    "before it",
			    load->name, loaded ? loaded->name : "none");
	}
}

unsigned plan_make(struct entry *list, unsigned most)
{
	unsigned count = 0;

	for (const char *text = cfg->benchmarks; text;) {
		unsigned first = count;

		count += plan_one(&text, list + count, most - count);
		for (unsigned i = first; i < count; i++)
			list[i].first = first;
	}
	count = plan_ages(list, count, most);
	for (unsigned i = 0; i < count; i++)
		check_entry(&list[i]);
	check_asides(list, count);
	if (!list[0].load->fresh && !cfg->use_existing_db && !engine.stores_nothing)
		die(2,
		    "%s needs a database; put a fill before it, or give "
		    "--use_existing_db=1",
		    list[0].load->name);
	check_records(list, count);
	if (count * cfg->repeat > most)
		die(2, "--repeat: a list of %u so many times is more than %u benchmarks",
		    count, most);
	for (unsigned i = count; i < count * cfg->repeat; i++) {
		list[i] = list[i - count];
		list[i].round++;
	}
	return count;
}

uint64_t plan_operations(const struct workload *load)
{
	uint64_t asked = load->shared || load->special ? 0
			 : workload_reads(load)	       ? cfg->reads
						       : cfg->writes;
	double share = load->share > 0 ? load->share : 1;
	uint64_t records = load->fresh ? cast_records(load, cfg->num) : cfg->num;
	uint64_t n = asked ? asked : (uint64_t)((double)records * share + 1e-6);

	if (cast_operations(load))
		return cast_operations(load);
	if (load->operations)
		return load->operations;
	if (load->whole)
		return UINT64_MAX;
	if (load->queue)
		return cfg->num + cfg->queues;
	/* An iteration has no more to read than there is. */
	if (load->weight[OP_NEXT] && n > cfg->num)
		n = cfg->num;
	return n ? n : 1;
}

struct record_sizes plan_scan_lengths(const struct workload *load)
{
	uint64_t one = cfg->seek_nexts + 1;
	struct record_sizes lengths = {.least = one, .most = one};
	char error[OPTION_ERROR];

	if (*cfg->scan_length)
		return cfg->scan_lengths;
	if (load->asks == ASKS_GRAPH)
		lengths = (struct record_sizes){
			.most = cfg->mixgraph.scan.most,
			.law = cfg->mixgraph.scan,
			.law_of = cfg->mixgraph.db_bench ? cfg->num : 0,
			.law_mean = 0,
		};
	else if (load->scan_length)
		record_sizes_parse(&lengths, load->scan_length, error);
	return lengths;
}

uint64_t plan_batch(const struct workload *load)
{
	uint64_t batch = load->batch ? load->batch : cfg->batch_size;

	return !load->batched ? 1 : batch < cfg->num ? batch : cfg->num;
}
