/* recorder.c: see recorder.h. */
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../util/say.h"
#include "../util/trace.h"
#include "config.h"

enum { RECORDER_BUFFER = 1 << 18 };

/* One call, before its key. */
struct note {
	uint64_t ticks, value_size;
	uint32_t key_size;
	enum trace_what what;
};

struct recorder {
	FILE *file;
	bool failed;
};

static const enum trace_what what_of[STEPS] = {
	[STEP_GET] = TRACE_GET,		[STEP_FETCH] = TRACE_GET,
	[STEP_PUT] = TRACE_SET,		[STEP_APPEND] = TRACE_SET,
	[STEP_DELETE] = TRACE_DELETE,	[STEP_SEEK] = TRACE_SCAN,
	[STEP_MULTIGET] = TRACE_GET,	[STEP_ADD] = TRACE_ADD,
	[STEP_REPLACE] = TRACE_REPLACE,
};

/* The one that is no load, or the only one. */
static bool is_recorded(const struct workload *load)
{
	return *cfg->record && !load->special && (!load->fresh || cfg->record_loads);
}

void recorder_plan(const struct entry *list)
{
	unsigned loads = 0, others = 0;
	char error[TRACE_ERROR];

	if (!*cfg->record)
		return;
	for (const struct entry *e = list; e->load; e++) {
		loads += e->load->fresh;
		others += !e->load->fresh && !e->load->special;
		if (e->load->weight[OP_NEXT])
			die(2, "--record: %s iterates, and an iteration names no keys",
			    e->load->name);
		if (e->load->weight[OP_ACT])
			die(2,
			    "--record: the transactions of %s are more than a trace can "
			    "say",
			    e->load->name);
		if (e->load->beside != BESIDE_NONE)
			die(2,
			    "--record: the thread beside those of %s cannot be recorded",
			    e->load->name);
	}
	if (others > 1 || (!others && loads > 1))
		die(2,
		    "--record: one benchmark can be recorded, and the list has %u; loads "
		    "before it are not",
		    others ? others : loads);
	if (!cfg->latency || cfg->warmup > 0)
		die(2,
		    "--record: a trace has the time of each call from the first on; "
		    "leave out %s",
		    cfg->latency ? "--warmup" : "--latency=0");
	if (!others)
		config_record_loads();
	if (!trace_can_be_made(cfg->record, error))
		die(2, "--record: %s", error);
}

/* A file beside the trace that nobody else sees. */
static FILE *nameless(unsigned number)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof path, "%s.%ld.%u", cfg->record, (long)getpid(), number);
	file = fopen(path, "wx+");
	if (file)
		unlink(path);
	return file;
}

struct recorder *recorder_start(const struct workload *load, unsigned number)
{
	struct recorder *r;

	if (!is_recorded(load))
		return NULL;
	r = say_alloc(1, sizeof *r);
	r->file = nameless(number);
	if (!r->file)
		die(1, "--record: beside %s no file can be made: %s", cfg->record,
		    strerror(errno));
	setvbuf(r->file, NULL, _IOFBF, RECORDER_BUFFER);
	return r;
}

void recorder_free(struct recorder *r)
{
	if (r)
		fclose(r->file);
	free(r);
}

/* Of a get it is not known here what it found: what its record was loaded with. */
static uint64_t size_of(const struct ask *a, unsigned i, enum trace_what what)
{
	if (what == TRACE_DELETE)
		return 0;
	return what == TRACE_GET ? record_size(&a->shared->sizes, a->id[i], 0)
				 : a->slot[i].value.size;
}

void recorder_note(struct recorder *r, const struct recorder_turn *turn)
{
	const struct ask *a = turn->ask;
	uint64_t now = turn->start;

	for (unsigned i = turn->from; i < turn->from + turn->n; i++) {
		const struct slot *slot = &a->slot[i];
		enum trace_what what = what_of[slot->step & STEP_MASK];
		struct note note = {
			.ticks = (turn->due ? turn->due[i] : now) - turn->began,
			.value_size = size_of(a, i, what),
			.key_size = (uint32_t)slot->key.size,
			.what = what,
		};

		now += turn->grouped ? 0 : slot->took;
		if (fwrite(&note, sizeof note, 1, r->file) != 1 ||
		    fwrite(slot->key.data, slot->key.size, 1, r->file) != 1)
			r->failed = true;
	}
}

/* ---- when all have ended ---- */

/* A thread's notes, read back: the next one, or none. */
struct notes {
	FILE *file;
	struct note next;
	char key[TRACE_KEY];
	bool some;
};

static void take_note(struct notes *n)
{
	n->some = fread(&n->next, sizeof n->next, 1, n->file) == 1 &&
		  n->next.key_size <= TRACE_KEY &&
		  fread(n->key, n->next.key_size, 1, n->file) == 1;
}

static struct notes *earliest(struct notes *notes, unsigned count)
{
	struct notes *first = NULL;

	for (struct notes *n = notes; n < notes + count; n++)
		if (n->some && (!first || n->next.ticks < first->next.ticks))
			first = n;
	return first;
}

static bool merge_notes(struct notes *notes, unsigned count, const struct clock *clock,
		  struct trace *to, char *error)
{
	struct notes *n;

	while ((n = earliest(notes, count))) {
		struct trace_line line = {
			.ns = clock_ns(clock, n->next.ticks),
			.key = n->key,
			.key_size = n->next.key_size,
			.value_size = n->next.value_size,
			.client = (uint64_t)(n - notes),
			.what = n->next.what,
		};

		if (!trace_write(to, &line, error))
			return false;
		take_note(n);
	}
	return true;
}

void recorder_finish(struct recorder *const *recorders, unsigned n,
		     const struct clock *clock, struct failure *failure)
{
	struct notes *notes = say_alloc(n, sizeof *notes);
	char error[TRACE_ERROR];
	struct trace to;
	bool good = true;

	for (unsigned i = 0; i < n; i++) {
		struct recorder *r = recorders[i];

		notes[i].file = r->file;
		if (r->failed || fflush(r->file) || fseek(r->file, 0, SEEK_SET))
			good = false;
		take_note(&notes[i]);
	}
	if (!good)
		failure_note(failure, "--record", strerror(errno));
	else if (!trace_make(&to, cfg->record, error) ||
		 !merge_notes(notes, n, clock, &to, error) || !trace_close(&to, error))
		failure_note(failure, "--record", error);
	free(notes);
}
