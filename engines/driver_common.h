/*
 * driver_common.h: what several drivers have in common: reports of settings and counters,
 * syncs of a file before it is opened, writes in a transaction of their own, a session's
 * buffers, and batches that a driver collects until their commit.
 */
#ifndef ENGINES_DRIVER_COMMON_H
#define ENGINES_DRIVER_COMMON_H

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine.h"

/* ---- reports ---- */

/* Appends text as it is. */
static inline __attribute__((format(printf, 2, 3))) void report_append(struct report *r,
								       const char *format,
								       ...)
{
	size_t used = strlen(r->text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(r->text + used, r->size - used, format, arguments);
	va_end(arguments);
}

static inline void report_text(struct report *r, const char *name, const char *value)
{
	report_append(r, "%s%s%s%s", *r->text ? r->between : "", name, r->is, value);
}

/* A number and its name; the last row has no name. */
struct reported {
	const char *name;
	uint64_t value;
};

static inline void report_numbers(struct report *r, const struct reported *row)
{
	for (; row->name; row++)
		report_append(r, "%s%s%s%llu", *r->text ? r->between : "", row->name,
			      r->is, (unsigned long long)row->value);
}

/* Reports a list of {name, number}. */
#define REPORT_NUMBERS(report, ...) \
	report_numbers(report, (struct reported[]){__VA_ARGS__, {0}})

/* A version as text, valid until the next call. */
static inline const char *dotted_version(int major, int minor, int patch)
{
	static char text[32];

	snprintf(text, sizeof text, "%d.%d.%d", major, minor, patch);
	return text;
}

/* ---- syncs ---- */

/*
 * Syncs a file, if there is one, before a database is opened at sync: for an engine that
 * does not sync at sync what it wrote at another durability.
 */
static inline enum status sync_earlier(const char *path, char *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum status status = DONE;

	if (fd < 0 ? errno != ENOENT : fsync(fd))
		status = set_error(why, FAILED, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return status;
}

/* ---- events, of engines that write lines of text about their background work ---- */

enum { EVENT_LOG_JOBS = 64 };

/* How far the text was read, and when the jobs began that have not ended there. */
struct event_log {
	long read;
	uint64_t begun[EVENT_LOG_JOBS];
	/* writes wait for a reason: since then (0: they do not), and its last line */
	struct event_log_stall {
		uint64_t since, last;
	} stalls[STALL_REASONS];
};

/* Nanoseconds since 1970 of the local time that a line of LOG begins with, or 0. */
static inline uint64_t event_log_line_time(const char *line)
{
	struct tm t = {.tm_isdst = -1};
	unsigned micros;

	if (sscanf(line, "%d/%d/%d-%d:%d:%d.%6u ", &t.tm_year, &t.tm_mon, &t.tm_mday,
		   &t.tm_hour, &t.tm_min, &t.tm_sec, &micros) != 7)
		return 0;
	t.tm_year -= 1900;
	t.tm_mon--;
	return (uint64_t)mktime(&t) * 1000000000u + micros * (uint64_t)1000;
}

/* Few jobs run at a time, so that their numbers can be reused. */
static inline void event_log_begin(struct event_log *log, uint64_t job, uint64_t ns)
{
	log->begun[job % EVENT_LOG_JOBS] = ns;
}

/* Returns false if the job is not known to have begun. */
static inline bool event_log_end(struct event_log *log, uint64_t job, uint64_t ns,
				 enum event_kind kind, struct event *event)
{
	uint64_t *begun = &log->begun[job % EVENT_LOG_JOBS];

	*event = (struct event){kind, STALL_UNKNOWN, true, *begun, ns};
	*begun = 0;
	return event->begin_ns;
}

/* A line says that writes wait, or still do. */
static inline void event_log_stalled(struct event_log *log, enum stall_reason reason,
				     uint64_t ns)
{
	struct event_log_stall *stall = &log->stalls[reason];

	if (!stall->since)
		stall->since = ns;
	stall->last = ns;
}

/*
 * Passes on the stalls that ended with a job: engines judge anew when one ends, and note
 * then if writes still have to wait. That line may stand before the one of the job.
 */
static inline void event_log_end_stalls(struct event_log *log, uint64_t ns,
					void (*note)(void *to, const struct event *),
					void *to)
{
	for (int i = 0; i < STALL_REASONS; i++) {
		struct event_log_stall *stall = &log->stalls[i];

		if (!stall->since || stall->last >= ns)
			continue;
		note(to, &(struct event){EVENT_STALL, (enum stall_reason)i, true,
					 stall->since, ns});
		stall->since = 0;
	}
}

/* ---- writes in a transaction of their own ---- */

/* The calls of an engine whose writes all need a transaction. */
struct single_write {
	/* may differ from the engine's begin, as nothing will be read */
	enum status (*begin)(struct session *);
	/* within a transaction; value NULL: deletes the record */
	enum status (*write)(struct session *, struct slice key,
			     const struct slice *value);
	enum status (*commit)(struct session *);
	void (*rollback)(struct session *);
};

/* Writes in the open transaction, or else in one of its own. */
static inline __attribute__((always_inline)) enum status single_write(
	const struct single_write *calls, struct session *s, bool open, struct slice key,
	const struct slice *value)
{
	enum status status = open ? DONE : calls->begin(s);

	if (status != DONE)
		return status;
	status = calls->write(s, key, value);
	if (open)
		return status;
	if (status == DONE)
		return calls->commit(s);
	calls->rollback(s);
	return status;
}

/* ---- buffers ---- */

/* A session's own copy. Initially all zero; the owner frees `data`. */
struct buffer {
	char *data;
	size_t size, capacity;
};

/*
 * Makes the buffer at least this large. Returns false without memory; its contents then
 * stay.
 */
static inline bool buffer_reserve(struct buffer *b, size_t capacity)
{
	char *data = capacity <= b->capacity ? b->data : realloc(b->data, capacity);

	if (!data)
		return false;
	b->data = data;
	b->capacity = capacity > b->capacity ? capacity : b->capacity;
	return true;
}

/* Copies bytes into the buffer; size 0 is permitted. */
static inline bool buffer_copy(struct buffer *b, const void *data, size_t size)
{
	if (!buffer_reserve(b, size + 1))
		return false;
	memcpy(b->data, data, size);
	b->size = size;
	return true;
}

static inline struct slice buffer_slice(const struct buffer *b)
{
	return (struct slice){b->data, b->size};
}

/* ---- batches ---- */

/* A write of a batch; its key and its value follow. */
struct batch_write {
	size_t key_size, value_size;
	bool deletes;
};

/* Writes, one after another. Initially all zero; the owner frees `bytes.data`. */
struct batch {
	struct buffer bytes;
	size_t count;
};

static inline struct slice batch_key(const struct batch_write *w)
{
	return (struct slice){w + 1, w->key_size};
}

static inline struct slice batch_value(const struct batch_write *w)
{
	return (struct slice){(const char *)(w + 1) + w->key_size, w->value_size};
}

static inline size_t batch_write_size(size_t key_size, size_t value_size)
{
	return (sizeof(struct batch_write) + key_size + value_size + 7) & ~(size_t)7;
}

/* Adds a put, or a delete if there is no value. */
static inline enum status batch_add(struct batch *b, struct slice key,
				    const struct slice *value, char *why)
{
	struct slice bytes = value ? *value : (struct slice){NULL, 0};
	size_t size = b->bytes.size + batch_write_size(key.size, bytes.size);
	struct batch_write *w;

	if (size > b->bytes.capacity && !buffer_reserve(&b->bytes, 2 * size))
		return set_error(why, FAILED, "no memory for a batch of %zu bytes", size);
	w = (void *)(b->bytes.data + b->bytes.size);
	*w = (struct batch_write){key.size, bytes.size, !value};
	memcpy(w + 1, key.data, key.size);
	if (bytes.size)
		memcpy((char *)(w + 1) + key.size, bytes.data, bytes.size);
	b->bytes.size = size;
	b->count++;
	return DONE;
}

/* The write after w, or the first if w is NULL; NULL: there is none. */
static inline const struct batch_write *batch_next(const struct batch *b,
						   const struct batch_write *w)
{
	size_t at = w ? (size_t)((const char *)w - b->bytes.data) +
				    batch_write_size(w->key_size, w->value_size)
		      : 0;

	return at < b->bytes.size ? (const void *)(b->bytes.data + at) : NULL;
}

/* The last write of a key, or NULL. */
static inline const struct batch_write *batch_find(const struct batch *b,
						   struct slice key)
{
	const struct batch_write *found = NULL, *w = NULL;

	while ((w = batch_next(b, w)))
		if (w->key_size == key.size && !memcmp(w + 1, key.data, key.size))
			found = w;
	return found;
}

static inline void batch_clear(struct batch *b)
{
	b->bytes.size = b->count = 0;
}

#endif
