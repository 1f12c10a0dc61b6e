/* plan.c: from --benchmarks to a list; see plan.h. */
#include "plan.h"

#include <string.h>

#include "../engines/engine.h"
#include "../util/list.h"
#include "../util/nearest.h"
#include "../util/record.h"
#include "../util/say.h"
#include "act.h"
#include "config.h"
#include "habits.h"

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

/* Contradictions between a workload and the options. */
static void check_entry(const struct entry *e)
{
	const struct workload *load = e->load;

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
	if (cfg->cold && load->weight[OP_ACT] && load->acts->prepare)
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
	if (load->acts && load->acts->rate &&
	    (cfg->rate || cfg->read_rate || cfg->write_rate))
		die(2,
		    "%s has rates of its own; leave out --rate, --read_rate and "
		    "--write_rate",
		    load->name);
	if (load->acts && load->acts->operations && !workload_acts(load) &&
	    !(cfg->duration > 0))
		die(2, "%s lasts as long as --duration says; give seconds", load->name);
	if (load->preset && *cfg->preset && strncmp(load->preset, cfg->preset, 4))
		die(2, "--preset=%s: %s belongs to another, %s", cfg->preset, load->name,
		    load->preset);
}

/* Whose records it works on; 0: the suite's own. */
static unsigned form_of(const struct workload *load)
{
	return load->acts ? load->acts->form : 0;
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
	for (unsigned i = 0; i < count; i++)
		check_entry(&list[i]);
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
	uint64_t records = load->fresh ? workload_records(load, cfg->num) : cfg->num;
	uint64_t n = asked ? asked : (uint64_t)((double)records * share + 1e-6);

	if (workload_acts(load))
		return workload_acts(load);
	if (load->whole)
		return UINT64_MAX;
	/* An iteration has no more to read than there is. */
	if (load->weight[OP_NEXT] && n > cfg->num)
		n = cfg->num;
	return n ? n : 1;
}

uint64_t plan_batch(const struct workload *load)
{
	uint64_t batch = load->batch ? load->batch : cfg->batch_size;

	return !load->batched ? 1 : batch < cfg->num ? batch : cfg->num;
}
