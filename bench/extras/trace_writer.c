/* trace_writer.c: see trace_writer.h. */
#include "trace_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../util/linearize.h"
#include "../../util/message.h"
#include "../../util/trace.h"
#include "../workload/config.h"
#include "trace_settings.h"

enum { TRACE_WRITER_BUFFER_SIZE = 1 << 18 };

/* One call; its key follows. */
struct trace_note {
	/* ticks since measuring began; until `start` a call was late, by its schedule */
	uint64_t start, end, late;
	uint64_t value_size;
	uint32_t key_size;
	enum trace_operation operation;
	/* a read found a record; the call is in a transaction, and committed it */
	bool found, batched, commits;
};

struct trace_writer {
	FILE *file;
	/* bytes of notes; of those that no rollback can undo */
	off_t size, committed_size;
	uint64_t free_at; /* the end of the last call */
	int error;        /* of the first call that failed; 0: none */
	bool is_missing[GENERATOR_SLOTS_MAX];
};

/* Keeps the reason, as later calls change errno; a failure without one is EIO. */
static void note_writer_error(struct trace_writer *writer)
{
	if (!writer->error)
		writer->error = errno ? errno : EIO;
}

static const enum trace_operation trace_operation_of_call[CALLS] = {
	[CALL_GET] = TRACE_GET,         [CALL_RMW_GET] = TRACE_GET,
	[CALL_PUT] = TRACE_SET,         [CALL_APPEND] = TRACE_SET,
	[CALL_DELETE] = TRACE_DELETE,   [CALL_SEEK] = TRACE_SCAN,
	[CALL_MULTIGET] = TRACE_GET,    [CALL_ADD] = TRACE_ADD,
	[CALL_REPLACE] = TRACE_REPLACE,
};

bool trace_writer_traces(const struct workload *workload)
{
	return *trace_settings->out && !workload_is_maintenance(workload) &&
	       (!workload->starts_empty || trace_settings->writes_load);
}

bool trace_writer_check_plan(const struct plan_item *list)
{
	unsigned loads = 0, others = 0;
	char error[TRACE_ERROR_SIZE];

	if (!*trace_settings->out)
		return false;
	for (const struct plan_item *item = list; item->workload; item++) {
		loads += item->workload->starts_empty;
		others += !item->workload->starts_empty &&
			  !workload_is_maintenance(item->workload);
		if (item->workload->weights[OP_NEXT])
			message_fatal(2,
				      "--trace_out: %s iterates, and a trace cannot "
				      "represent iterations",
				      item->workload->name);
		if (item->workload->weights[OP_PROCEDURE])
			message_fatal(2,
				      "--trace_out: a trace cannot represent the "
				      "transactions of %s",
				      item->workload->name);
		if (item->workload->own_background != OWN_BACKGROUND_NONE)
			message_fatal(2,
				      "--trace_out: the background thread of %s cannot "
				      "be recorded",
				      item->workload->name);
	}
	loads *= (unsigned)cfg->repeat;
	others *= (unsigned)cfg->repeat;
	if (others > 1 || (!others && loads > 1))
		message_fatal(2,
			      "--trace_out: one benchmark can be recorded, and the list "
			      "has %u besides loads; name one",
			      others ? others : loads);
	if (!cfg->latency || cfg->warmup > 0)
		message_fatal(2,
			      "--trace_out: a trace needs the time of each call from the "
			      "first one; leave out %s",
			      cfg->latency ? "--warmup" : "--latency=0");
	if (!trace_check_create(trace_settings->out, error))
		message_fatal(2, "--trace_out: %s", error);
	return !others;
}

/* Create an unnamed file next to the trace. */
static FILE *open_unnamed_file(unsigned number)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof path, "%s.%ld.%u", trace_settings->out, (long)getpid(),
		 number);
	file = fopen(path, "wx+");
	if (file)
		unlink(path);
	return file;
}

struct trace_writer *trace_writer_start(const struct workload *workload, unsigned number)
{
	struct trace_writer *writer;

	if (!trace_writer_traces(workload))
		return NULL;
	writer = message_alloc(1, sizeof *writer);
	writer->file = open_unnamed_file(number);
	if (!writer->file)
		message_fatal(1, "--trace_out: cannot create a file next to %s: %s",
			      trace_settings->out, strerror(errno));
	setvbuf(writer->file, NULL, _IOFBF, TRACE_WRITER_BUFFER_SIZE);
	return writer;
}

void trace_writer_free(struct trace_writer *writer)
{
	if (writer)
		fclose(writer->file);
	free(writer);
}

/*
 * A get that found a record does not tell its size: it has the loaded one. What does not
 * exist has none, or a load for a replay would put it.
 */
static uint64_t traced_value_size(const struct generator *g, unsigned i,
				  enum trace_operation what, bool is_missing)
{
	if (what == TRACE_DELETE || (what == TRACE_GET && is_missing))
		return 0;
	return what == TRACE_GET ? record_size(&g->shared->value_sizes, g->id[i], 0)
				 : g->slot[i].value.size;
}

void trace_writer_note_missing(struct trace_writer *writer, unsigned slot)
{
	if (writer)
		writer->is_missing[slot] = true;
}

/* Total ticks of the chunk's calls. */
static uint64_t sum_of_call_ticks(const struct trace_writer_chunk *chunk)
{
	uint64_t sum = 0;

	for (unsigned i = chunk->from; i < chunk->from + chunk->n; i++)
		sum += chunk->generator->slot[i].ticks;
	return sum;
}

/*
 * Set when a call began and ended. The time between calls, such as retries, may have
 * been before or after each. A scheduled call began when the thread was free.
 */
static void set_note_times(const struct trace_writer_chunk *chunk, unsigned i,
			   uint64_t now, uint64_t slack, uint64_t free_at,
			   struct trace_note *note)
{
	uint64_t end = chunk->is_multiget ? chunk->end
					  : now + chunk->generator->slot[i].ticks + slack;

	if (chunk->scheduled) {
		i = chunk->is_multiget ? 0 : i;
		now = chunk->scheduled[i];
		end = now + chunk->response[i];
	}
	note->start = now > chunk->began ? now - chunk->began : 0;
	note->end = end > chunk->began ? end - chunk->began : 0;
	if (chunk->scheduled && free_at > note->start) {
		note->late = free_at - note->start;
		note->start = free_at;
	}
}

void trace_writer_add(struct trace_writer *writer, const struct trace_writer_chunk *chunk)
{
	const struct generator *g = chunk->generator;
	uint64_t now = chunk->start, spent = chunk->end - chunk->start,
		 sum = sum_of_call_ticks(chunk), slack = spent > sum ? spent - sum : 0,
		 free_at = writer->free_at;

	for (unsigned i = chunk->from; i < chunk->from + chunk->n; i++) {
		const struct slot *slot = &g->slot[i];
		bool open = i >= chunk->from + chunk->n - chunk->uncommitted;
		enum trace_operation what =
			trace_operation_of_call[slot->call & CALL_MASK];
		struct trace_note note = {
			.value_size =
				traced_value_size(g, i, what, writer->is_missing[i]),
			.key_size = (uint32_t)slot->key.size,
			.operation = what,
			.found = !writer->is_missing[i],
			.batched = chunk->batched,
			.commits = slot->call & CALL_COMMIT,
		};

		set_note_times(chunk, i, now, slack, free_at, &note);
		writer->free_at = note.end;
		free_at = chunk->is_multiget ? free_at : note.end;
		writer->is_missing[i] = false;
		now += chunk->is_multiget ? 0 : slot->ticks;
		if (fwrite(&note, sizeof note, 1, writer->file) != 1 ||
		    fwrite(slot->key.data, slot->key.size, 1, writer->file) != 1)
			note_writer_error(writer);
		writer->size += (off_t)(sizeof note + slot->key.size);
		writer->committed_size = open ? writer->committed_size : writer->size;
	}
}

void trace_writer_undo(struct trace_writer *writer)
{
	if (!writer)
		return;
	if (fseeko(writer->file, writer->committed_size, SEEK_SET) ||
	    ftruncate(fileno(writer->file), writer->committed_size))
		note_writer_error(writer);
	writer->size = writer->committed_size;
}

/* ---- merging ---- */

/* Reads back a thread's notes. */
struct trace_note_reader {
	FILE *file;
	struct trace_note next;
	char key[TRACE_KEY_SIZE];
	bool has_next;
	int error; /* of a file that could not be read; 0: none */
};

static void read_note(struct trace_note_reader *n)
{
	n->has_next = fread(&n->next, sizeof n->next, 1, n->file) == 1 &&
		      n->next.key_size <= TRACE_KEY_SIZE &&
		      fread(n->key, n->next.key_size, 1, n->file) == 1;
	if (ferror(n->file))
		n->error = errno;
}

/* Reads are ordered by their end, other calls by their begin. */
static uint64_t note_order(const struct trace_note *note)
{
	return note->operation == TRACE_GET ? note->end : note->start;
}

/* The earliest note; *from: all others begin then or later. */
static struct trace_note_reader *find_earliest(struct trace_note_reader *notes,
					       unsigned count, uint64_t *from)
{
	struct trace_note_reader *first = NULL;

	*from = UINT64_MAX;
	for (struct trace_note_reader *n = notes; n < notes + count; n++) {
		if (!n->has_next)
			continue;
		*from = n->next.start < *from ? n->next.start : *from;
		if (!first || note_order(&n->next) < note_order(&first->next))
			first = n;
	}
	return first;
}

/* The output of the merge. */
struct trace_writer_output {
	const struct clock *clock;
	struct trace *trace;
	uint64_t due; /* ticks: of the last line */
	char *error;
};

static bool write_line(void *owner, const struct linearize_op *op)
{
	struct trace_writer_output *output = owner;
	uint64_t due = op->start - op->late;

	/* the schedule's time; times never decrease, as a replay keeps them */
	output->due = due > output->due ? due : output->due;

	const struct trace_line line = {
		.ns = clock_ns(output->clock, output->due),
		.key = op->key,
		.key_size = op->key_size,
		.value_size = op->size,
		.client = op->thread,
		.operation = (enum trace_operation)op->operation,
		.found = op->operation != TRACE_GET ? TRACE_FOUND_UNKNOWN
			 : op->found                ? TRACE_FOUND
						    : TRACE_FOUND_NOT,
	};

	return trace_write(output->trace, &line, output->error);
}

/* Add a thread's next note to the order of all calls. */
static bool add_note(struct linearizer *i, const struct trace_note_reader *n,
		     unsigned thread)
{
	static const enum linearize_kind kinds[TRACE_OPERATIONS] = {
		[TRACE_GET] = LINEARIZE_READ,  [TRACE_SET] = LINEARIZE_PUT,
		[TRACE_ADD] = LINEARIZE_PUT,   [TRACE_DELETE] = LINEARIZE_DELETE,
		[TRACE_SCAN] = LINEARIZE_READ, [TRACE_REPLACE] = LINEARIZE_OTHER,
	};
	const struct trace_note *note = &n->next;
	struct linearize_op *op = linearize_new_op(note->key_size);

	if (!op)
		return false;
	op->start = note->start;
	op->end = note->end;
	op->late = note->late;
	op->size = note->value_size;
	op->thread = thread;
	op->operation = note->operation;
	op->kind = kinds[note->operation];
	op->found = note->found;
	op->uncommitted = note->batched && op->kind != LINEARIZE_READ;
	memcpy(op->key, n->key, note->key_size);
	linearize_add(i, op);
	if (note->batched && note->commits)
		linearize_commit(i, thread, note->end);
	return true;
}

static bool merge_notes(struct trace_note_reader *notes, unsigned count,
			struct trace_writer_output *output)
{
	struct linearizer *i = linearize_create(write_line, output);
	struct trace_note_reader *n;
	uint64_t from;
	bool good = i;

	while (good && (n = find_earliest(notes, count, &from))) {
		unsigned thread = (unsigned)(n - notes);

		good = linearize_emit_until(i, from) && add_note(i, n, thread);
		read_note(n);
		if (good && n->error) {
			snprintf(output->error, TRACE_ERROR_SIZE, "%s",
				 strerror(n->error));
			good = false;
		}
		if (good && !n->has_next)
			linearize_commit(i, thread, n->next.end);
	}
	if (!good && !*output->error)
		snprintf(output->error, TRACE_ERROR_SIZE, "out of memory");
	good = good && linearize_emit_until(i, UINT64_MAX);
	linearize_free(i);
	return good;
}

/* Says what the format of the trace leaves out. */
static bool close_output(struct trace *to, char *error)
{
	char text[256];

	if (to->is_oracle) {
		trace_summarize(to, text, sizeof text);
		message_print("--trace_out: %s: %s", trace_settings->out, text);
	}
	return trace_close(to, error);
}

void trace_writer_finish(struct trace_writer *const *writers, unsigned n,
			 const struct clock *clock, struct run_failure *failure)
{
	struct trace_note_reader *notes = message_alloc(n, sizeof *notes);
	char error[TRACE_ERROR_SIZE] = "";
	struct trace to;
	struct trace_writer_output output = {clock, &to, 0, error};
	int why = 0;

	for (unsigned i = 0; i < n; i++) {
		struct trace_writer *writer = writers[i];

		notes[i].file = writer->file;
		if (fflush(writer->file) || fseek(writer->file, 0, SEEK_SET))
			note_writer_error(writer);
		why = why ? why : writer->error;
		read_note(&notes[i]);
	}
	if (why)
		database_note_failure(failure, "--trace_out", strerror(why));
	else if (!trace_create(&to, trace_settings->out, error) ||
		 !merge_notes(notes, n, &output) || !close_output(&to, error))
		database_note_failure(failure, "--trace_out", error);
	free(notes);
}
