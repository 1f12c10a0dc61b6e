/*
 * commit_journal.c: --commit_journal: a file that lists each acknowledged put as soon as
 * the engine has returned, and the workload verify-journal, which reads the puts back.
 *
 * The file is mapped, so it survives kill -9 of the process, but not a power cut. A
 * thread's values have consecutive generations: the list holds record numbers only.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../engines/driver_util.h"
#include "../../util/message.h"
#include "../runner/database.h"
#include "../runner/task.h"
#include "../runner/worker.h"
#include "../workload/config.h"

extern const struct extra commit_journal_extra;

static const char *commit_journal_path;

static const struct option commit_journal_options[] = {
	{"commit_journal", "",
	 "File that lists the puts which the engine acknowledged; empty: none. It "
	 "survives kill -9, but no power cut. Only workloads of single puts, such as "
	 "overwrite, write it; each replaces its contents. Fills run without being "
	 "listed; workloads with other writes are refused. To find lost commits, run "
	 "the workload verify-journal later, with the same file.",
	 .text = &commit_journal_path, .group = "Commits"},
	{0},
};

struct commit_journal_columns {
	double journal_commits, journal_lost;
};

static const struct row_file_column commit_journal_column_table[] = {
	RESULT_NUMBER(commit_journal_columns, journal_commits, 0,
		      "Number of acknowledged puts that verify-journal found in the "
		      "journal (--commit_journal) and looked for in the database. "
		      "Empty: another workload."),
	RESULT_NUMBER(commit_journal_columns, journal_lost, 0,
		      "Number of puts of the journal (--commit_journal) whose record is "
		      "missing, unreadable, damaged, or older than the put: 0 in a "
		      "correct engine. Empty: workloads other than verify-journal."),
};

/* More puts of a thread end the benchmark: its list is full. */
#define JOURNAL_MOST ((uint64_t)1 << 20)
#define JOURNAL_MAGIC UINT64_C(0x6a79617373610001)

/* The file: this header, then for each thread a count and record numbers. */
struct journal_header {
	uint64_t magic, threads, records;
};

struct journal_list {
	_Atomic uint64_t count; /* of acknowledged puts */
	uint64_t generation;    /* of the first one's value */
	uint64_t id[JOURNAL_MOST];
};

/* A run's: the journal that it writes, or what it read from one. */
struct journal_run {
	struct journal_header *header; /* NULL: none is written */
	size_t size;
	double commits, lost;
	char first_lost[160];
	bool is_full; /* the list of a thread was, which ended the run */
};

static struct journal_list *journal_list_of(const struct journal_header *header,
					    unsigned thread)
{
	return (struct journal_list *)(header + 1) + thread;
}

static size_t journal_size(uint64_t threads)
{
	return sizeof(struct journal_header) + threads * sizeof(struct journal_list);
}

/* Is each operation one put, whose value tells which one it is? */
static bool journal_takes(const struct workload *workload)
{
	const uint64_t batch = workload->batch ? workload->batch : cfg->batch_size;

	return workload_only(workload, OP_PUT) && !workload->next &&
	       !workload->procedure && !workload->own_background &&
	       !workload->starts_empty && !workload->bulk_load &&
	       (!workload->batched || batch <= 1) &&
	       cfg->value_sizes.min > RECORD_HEADER_SIZE;
}

/* ---- before any file is touched ---- */

static void journal_verify(struct run *run);

static void commit_journal_check_item(const struct plan_item *item)
{
	const struct workload *workload = item->workload;

	if (workload->maintenance == journal_verify && !*commit_journal_path)
		message_fatal(2,
			      "%s: there is no journal to read; give its file by "
			      "--commit_journal",
			      workload->name);
	if (*commit_journal_path && record_is_text())
		message_fatal(2, "--commit_journal: db_bench's values do not say whose "
				 "they are; give --verify=1, too");
	if (*commit_journal_path && workload_changes(workload) &&
	    !workload->starts_empty && !journal_takes(workload))
		message_fatal(2,
			      "--commit_journal: %s does more than single puts of "
			      "values above %d bytes; use overwrite",
			      workload->name, RECORD_HEADER_SIZE);
}

static bool journal_writes(const struct workload *workload)
{
	return *commit_journal_path && !workload_is_maintenance(workload) &&
	       journal_takes(workload);
}

static const char *commit_journal_observes(const struct plan_item *item)
{
	return journal_writes(item->workload) ? "--commit_journal" : NULL;
}

/* ---- writing ---- */

static void commit_journal_begin_run(struct run *run)
{
	struct journal_run *state = extra_state(&run->extras, &commit_journal_extra);
	const size_t size = journal_size(run->foreground);
	struct journal_header *header;
	int fd;

	if (!journal_writes(run->workload))
		return;
	fd = open(commit_journal_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || ftruncate(fd, (off_t)size))
		message_fatal(1, "--commit_journal: cannot write %s: %s",
			      commit_journal_path, strerror(errno));
	header = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (header == MAP_FAILED)
		message_fatal(1, "--commit_journal: cannot map %s: %s",
			      commit_journal_path, strerror(errno));
	*header = (struct journal_header){JOURNAL_MAGIC, run->foreground,
					  run->generator.num};
	state->header = header;
	state->size = size;
}

static void commit_journal_add(struct worker *w, unsigned n)
{
	struct journal_list *list = w->observer_state;
	uint64_t count = atomic_load_explicit(&list->count, memory_order_relaxed);

	for (unsigned i = w->next_slot; i < w->next_slot + n; i++)
		list->id[count++] = w->generator.id[i];
	atomic_store_explicit(&list->count, count, memory_order_release);
	if (count == JOURNAL_MOST && w->remaining)
		atomic_store(&w->run->monitor.stop, true);
}

/* Chunks of one operation: a put is listed before the next one begins. */
static void commit_journal_began(struct worker *w)
{
	w->chunk_size = 1;
	w->chunk_size_is_fixed = true;
}

static const struct chunk_observer commit_journal_observer = {
	.done = commit_journal_add,
	.began = commit_journal_began,
};

static void commit_journal_begin_worker(struct worker *w)
{
	const struct journal_run *state =
		extra_state(&w->run->extras, &commit_journal_extra);
	struct journal_list *list;

	if (!state->header || w->run->is_baseline || w->generator.is_background ||
	    w->generator.workload->added)
		return;
	list = journal_list_of(state->header, w->generator.number);
	list->generation = w->generator.generation;
	w->observer = &commit_journal_observer;
	w->observer_state = list;
}

static void commit_journal_end_run(struct run *run)
{
	struct journal_run *state = extra_state(&run->extras, &commit_journal_extra);

	for (unsigned t = 0; state->header && t < state->header->threads; t++)
		state->is_full |=
			journal_list_of(state->header, t)->count == JOURNAL_MOST &&
			run->workers[t].remaining;
	if (state->header)
		munmap(state->header, state->size);
	state->header = NULL;
}

/* ---- reading back ---- */

/* Map the journal of a killed process; NULL with the reason in `why`. */
static const struct journal_header *journal_open(const struct run *run, char *why,
						 size_t *size)
{
	int fd = open(commit_journal_path, O_RDONLY | O_CLOEXEC);
	const struct journal_header *header = MAP_FAILED;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && (size_t)st.st_size >= journal_size(1)) {
		*size = (size_t)st.st_size;
		header = mmap(NULL, *size, PROT_READ, MAP_SHARED, fd, 0);
	}
	if (fd >= 0)
		close(fd);
	if (header != MAP_FAILED && header->magic == JOURNAL_MAGIC &&
	    header->records == run->generator.num &&
	    journal_size(header->threads) <= *size)
		return header;
	if (header != MAP_FAILED)
		munmap((void *)(uintptr_t)header, *size);
	set_error(why, FAILED,
		  "%s is no journal of a database with %" PRIu64
		  " records; write one by --commit_journal and overwrite",
		  commit_journal_path, run->generator.num);
	return NULL;
}

/*
 * Is this put there, or one that came later? A thread's next put may be, though it was
 * not acknowledged. Puts of different threads have no order.
 */
static bool journal_has_put(const struct journal_header *header, unsigned thread,
			    uint64_t nth, uint64_t id, uint64_t generation)
{
	for (unsigned t = 0; t < header->threads; t++) {
		const struct journal_list *list = journal_list_of(header, t);
		uint64_t found = generation - list->generation;

		if (found <= list->count && list->count)
			return (t != thread || found >= nth) &&
			       (found == list->count || list->id[found] == id);
	}
	return false;
}

struct journal_reader {
	struct run *run;
	struct session *session;
	struct generator *generator;
	char *scratch;
};

/* The generation of a record's value; UINT64_MAX: it is missing or damaged. */
static uint64_t journal_read(struct journal_reader *r, uint64_t id)
{
	struct generator *g = r->generator;
	struct slice value;

	g->id[0] = id;
	generator_write_records(g, 1);
	if (r->run->engine->get(r->session, g->slot[0].key, &value) != DONE ||
	    !record_check(&g->shared->value_sizes, value.data, value.size, g->value_ratio,
			  id, r->scratch))
		return UINT64_MAX;
	return record_read_generation(value.data, value.size, g->value_ratio, id);
}

static void journal_check_put(struct journal_reader *r,
			      const struct journal_header *header, unsigned thread,
			      uint64_t nth)
{
	struct journal_run *state = extra_state(&r->run->extras, &commit_journal_extra);
	const struct journal_list *list = journal_list_of(header, thread);
	uint64_t id = list->id[nth], generation = journal_read(r, id);

	state->commits++;
	if (generation != UINT64_MAX &&
	    journal_has_put(header, thread, nth, id, generation))
		return;
	if (state->lost++ < 1)
		snprintf(state->first_lost, sizeof state->first_lost,
			 "put %" PRIu64 " of thread %u, record %" PRIu64 ", %s", nth + 1,
			 thread, id,
			 generation == UINT64_MAX ? "which cannot be read"
						  : "which has an older value");
}

static enum status journal_verify_once(struct run *run, char *why)
{
	struct journal_reader r = {.run = run, .generator = &run->workers->generator};
	size_t size = 0;
	const struct journal_header *header = journal_open(run, why, &size);

	if (!header)
		return FAILED;
	r.session = driver_util_attach(run->engine, run->settings, run->db, why);
	if (r.session) {
		r.scratch =
			message_alloc(1, record_sizes_max(&run->generator.value_sizes));
		for (unsigned t = 0; t < header->threads; t++)
			for (uint64_t i = 0; i < journal_list_of(header, t)->count; i++)
				journal_check_put(&r, header, t, i);
		driver_util_detach(run->engine, r.session);
		free(r.scratch);
	}
	munmap((void *)(uintptr_t)header, size);
	return r.session ? DONE : FAILED;
}

static void journal_verify(struct run *run)
{
	static const struct task task = {"reading acknowledged puts", journal_verify_once,
					 0};

	task_run(run, 1, &task);
}

static struct workload commit_journal_workloads[] = {
	{"verify-journal",
	 "Read each put that the journal of --commit_journal lists; the row is "
	 "invalid if one is lost.",
	 .maintenance = journal_verify},
	{0},
};

/* ---- results ---- */

static const char *commit_journal_invalid_reason(const struct aggregate *a)
{
	const struct journal_run *state = extra_state(a->extras, &commit_journal_extra);

	if (state->is_full)
		return "a thread's list in --commit_journal is full with 1048576 puts, "
		       "which ended the run; give fewer --writes or less --duration";
	if (state->lost < 1)
		return NULL;
	return message_keep(a->texts, "%.0f of %.0f acknowledged puts are lost, first %s",
			    state->lost, state->commits, state->first_lost);
}

static void commit_journal_fill(const struct aggregate *a, struct result *r)
{
	const struct journal_run *state = extra_state(a->extras, &commit_journal_extra);
	struct commit_journal_columns *columns =
		result_added(r, &commit_journal_extra.columns);

	if (state->is_full)
		r->partial = 1;
	if (a->workload->maintenance != journal_verify)
		return;
	columns->journal_commits = state->commits;
	columns->journal_lost = state->lost;
}

const struct extra commit_journal_extra = {
	.options = commit_journal_options,
	.workloads = commit_journal_workloads,
	.columns = ROW_FILE_COLUMNS(commit_journal_column_table),
	.check_item = commit_journal_check_item,
	.observes = commit_journal_observes,
	.state_size = sizeof(struct journal_run),
	.begin_run = commit_journal_begin_run,
	.begin_worker = commit_journal_begin_worker,
	.end_run = commit_journal_end_run,
	.invalid_reason = commit_journal_invalid_reason,
	.fill = commit_journal_fill,
};
