/*
 * aio.c: no engine: what the device itself can do. Records lie in slots of one size, at
 * places computed from their keys, in one file (PATH/records) or on a raw block device:
 * no index, no cache, O_DIRECT. A multi-get and a batch keep --aio_depth requests in
 * flight; a batch is not atomic, its commit waits for all. A scan reads 1, 2, 4 ... slots
 * at a time. A new file is filled with zeros first, since what was only allocated is
 * answered without the device; tmpfs, or a loop device without direct-io, is memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "engine.h"

#define MAGIC "assay aio 2"

enum {
	MIB = 1 << 20,
	LARGEST_BLOCK = 16 << 20,
	BEGINNING = 4096,
	HEADER = 128,
	LOCKS = 16384,
	EVENTS = 32
};

struct aio_slot {
	uint64_t key_size; /* 0: empty */
	uint64_t value_size;
	char bytes[]; /* key, value */
};

struct db {
	const struct settings *settings;
	int fd;
	size_t slot; /* bytes */
	_Atomic uint64_t end; /* slots from here on were never written */
	char header[HEADER];
	/*
	 * Of slot i at [i % LOCKS], while a request for it is in flight: two writes would
	 * end in any order, and requests that the kernel splits (6 MiB on virtio, 4 MiB
	 * on loop) were seen torn.
	 */
	pthread_rwlock_t locks[LOCKS];
};

struct session {
	struct db *db;
	char *why;
	bool batch;         /* between begin and commit */
	enum status status; /* DONE until a request fails */
	io_context_t context;
	/* the first request without work; its data is the next */
	struct iocb *idle;
	unsigned flying;
	char *writes;             /* a slot for each request */
	char *reads;              /* a slot for each key of a multi-get */
	/* `most` slots of a scan, of which [first, first + ahead) have been read */
	char *window;
	uint64_t at, first, ahead, most; /* a scan is at slot `at` */
	struct iocb requests[]; /* --aio_depth of them */
};

static struct {
	uint64_t block, depth;
} tuning;

/* Of the slots: aligned as they are, and beyond where file systems leave their marks. */
static uint64_t first_slot(void)
{
	return tuning.block > BEGINNING ? tuning.block : BEGINNING;
}

static off_t place(const struct db *db, uint64_t index)
{
	return (off_t)(first_slot() + index * db->slot);
}

/* What a call answered, bytes or -errno, as our status. */
static enum status check(char *why, const char *what, long answer, size_t wanted)
{
	if (answer == (long)wanted)
		return DONE;
	if (answer >= 0)
		return because(why, FAILED, "%s: %ld bytes instead of %zu", what, answer,
			       wanted);
	return because(why, answer == -ENOSPC || answer == -EDQUOT ? FULL : FAILED,
		       "%s: %s", what, strerror((int)-answer));
}

/* Read into the buffer, or write it, in one request. */
static enum status transfer(const struct db *db, bool write, char *buffer, size_t size,
			    off_t at, char *why)
{
	ssize_t n = write ? pwrite(db->fd, buffer, size, at)
			  : pread(db->fd, buffer, size, at);

	return check(why, write ? "write" : "read", n < 0 ? -errno : n, size);
}

/*
 * A direct write has reached the device's cache, which is async; sync empties that cache
 * too.
 */
static enum status flush_file(struct db *db, char *why)
{
	return check(why, "fdatasync", fdatasync(db->fd) ? -errno : 0, 0);
}

static void unlock(struct session *s, uint64_t index)
{
	pthread_rwlock_unlock(&s->db->locks[index % LOCKS]);
}

/* The record in a slot, if there is one. */
static enum status decode(struct session *s, const char *bytes, struct slice *key,
			  struct slice *value)
{
	const struct settings *set = s->db->settings;
	const struct aio_slot *slot = (const void *)bytes;

	if (!slot->key_size)
		return NOT_FOUND;
	if (slot->key_size != set->key_size || slot->value_size != set->value_size)
		return because(s->why, FAILED,
			       "a slot holds what was never written there");
	*key = (struct slice){slot->bytes, set->key_size};
	*value = (struct slice){slot->bytes + set->key_size, set->value_size};
	return DONE;
}

/* The slot is written: the file has it, so a scan may read up to it. */
static void extend(struct db *db, uint64_t index)
{
	for (uint64_t end = db->end;
	     index >= end && !atomic_compare_exchange_weak(&db->end, &end, index + 1);)
		;
}

/*
 * A request has come to its end. What it read is looked at while others are still in
 * flight.
 */
static void aio_finish(struct session *s, struct iocb *request, long answer)
{
	struct slice key, *value = request->data; /* NULL: it wrote */
	enum status status = check(s->why, value ? "read" : "write", answer,
				   request->u.c.nbytes);
	uint64_t index = ((uint64_t)request->u.c.offset - first_slot()) / s->db->slot;

	if (value && status == DONE)
		status = decode(s, request->u.c.buf, &key, value);
	else if (status == DONE)
		extend(s->db, index);
	if (s->status == DONE && status != NOT_FOUND)
		s->status = status;
	unlock(s, index);
	s->flying--;
	request->data = s->idle;
	s->idle = request;
}

/* Wait until one has, and take those that have, too. */
static void reap(struct session *s)
{
	struct io_event events[EVENTS];
	/* or interrupted; nothing else can be */
	int n = io_getevents(s->context, 1, EVENTS, events, NULL);

	for (int i = 0; i < n; i++)
		aio_finish(s, events[i].obj, (long)events[i].res);
}

/*
 * Nobody sleeps on a lock with requests of its own in flight, so everybody gets theirs.
 */
static void lock(struct session *s, uint64_t index, bool write)
{
	pthread_rwlock_t *it = &s->db->locks[index % LOCKS];

	while (write ? pthread_rwlock_trywrlock(it) : pthread_rwlock_tryrdlock(it)) {
		if (s->flying)
			reap(s);
		else if (!(write ? pthread_rwlock_wrlock(it) : pthread_rwlock_rdlock(it)))
			return;
	}
}

static struct iocb *aio_take(struct session *s)
{
	struct iocb *request;

	while (!s->idle)
		reap(s);
	request = s->idle;
	s->idle = request->data;
	return request;
}

/* Read into the buffer, and answer the value; or write it, if `value` is NULL. */
static void start(struct session *s, struct iocb *request, uint64_t index, char *buffer,
		  struct slice *value)
{
	int n;

	lock(s, index, !value);
	io_prep_pread(request, s->db->fd, buffer, s->db->slot, place(s->db, index));
	request->aio_lio_opcode = value ? IO_CMD_PREAD : IO_CMD_PWRITE;
	request->data = value;
	/*
	 * Alone: the device rested while several were made ready, at a cost of a tenth.
	 */
	while ((n = io_submit(s->context, 1, &request)) == -EAGAIN && s->flying)
		reap(s);
	s->flying++;
	if (n != 1)
		aio_finish(s, request, n);
}

/* By pread or pwrite: a lone asynchronous write was seen to take longer. */
static enum status at_once(struct session *s, bool write, char *buffer, uint64_t index,
			   uint64_t slots)
{
	enum status status;

	for (uint64_t i = 0; i < slots; i++)
		lock(s, index + i, write);
	status = transfer(s->db, write, buffer, slots * s->db->slot, place(s->db, index),
			  s->why);
	for (uint64_t i = 0; i < slots; i++)
		unlock(s, index + i);
	return status;
}

static uint64_t index_of(struct session *s, struct slice key)
{
	return s->db->settings->oracle->index(s->db->settings->oracle, key);
}

static enum status aio_begin(struct session *s)
{
	s->batch = true;
	return DONE;
}

/* Too late: what is in flight will be there. */
static void aio_rollback(struct session *s)
{
	while (s->flying)
		reap(s);
	s->batch = false;
}

/* Also of a write without a batch. */
static enum status aio_commit(struct session *s)
{
	aio_rollback(s);
	if (s->status == DONE && s->db->settings->durability == DURABILITY_SYNC)
		return flush_file(s->db, s->why);
	return s->status;
}

/* The record in its slot. */
static enum status write_slot(struct session *s, uint64_t index, struct slice key,
			      struct slice value)
{
	struct iocb *request = s->batch ? aio_take(s) : s->requests;
	char *buffer = s->writes + (size_t)(request - s->requests) * s->db->slot;
	struct aio_slot *slot = (void *)buffer;
	enum status status;

	memset(buffer, 0, s->db->slot);
	*slot = (struct aio_slot){key.size, value.size};
	memcpy(slot->bytes, key.data, key.size);
	memcpy(slot->bytes + key.size, value.data, value.size);
	if (s->batch) {
		start(s, request, index, buffer, NULL);
		return s->status;
	}
	status = at_once(s, true, buffer, index, 1);
	if (status != DONE)
		return status;
	extend(s->db, index);
	return aio_commit(s);
}

static enum status aio_put(struct session *s, struct slice key, struct slice value)
{
	uint64_t index = index_of(s, key);

	if (index == UINT64_MAX)
		return because(s->why, FAILED,
			       "there is no place for a key beyond --num");
	if (value.size != s->db->settings->value_size)
		return because(s->why, FAILED, "a value of %zu bytes, where all have %zu",
			       value.size, s->db->settings->value_size);
	return write_slot(s, index, key, value);
}

/* As many requests in flight as there may be, until the last key's is. */
static enum status aio_multiget(struct session *s, const struct slice *keys,
				struct slice *values, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t index = index_of(s, keys[i]);

		values[i] = (struct slice){NULL, 0};
		if (index != UINT64_MAX)
			start(s, aio_take(s), index, s->reads + i * s->db->slot,
			      &values[i]);
	}
	while (s->flying)
		reap(s);
	return s->status;
}

static enum status aio_get(struct session *s, struct slice key, struct slice *value)
{
	uint64_t index = index_of(s, key);
	enum status status = index == UINT64_MAX ? NOT_FOUND
						 : at_once(s, false, s->reads, index, 1);

	return status == DONE ? decode(s, s->reads, &key, value) : status;
}

/*
 * An empty slot for a full one; of several threads that delete a record, one has found
 * it.
 */
static enum status aio_del(struct session *s, struct slice key)
{
	uint64_t index = index_of(s, key);
	struct slice value;
	enum status status;

	if (index == UINT64_MAX)
		return NOT_FOUND;
	lock(s, index, true);
	status = transfer(s->db, false, s->reads, s->db->slot, place(s->db, index),
			  s->why);
	if (status == DONE)
		status = decode(s, s->reads, &key, &value);
	if (status == DONE) {
		memset(s->reads, 0, s->db->slot);
		status = transfer(s->db, true, s->reads, s->db->slot, place(s->db, index),
				  s->why);
	}
	unlock(s, index);
	return status == DONE && !s->batch ? aio_commit(s) : status;
}

/*
 * The slots from `at` on, upward or downward, twice as many as last time, in one request.
 */
static enum status read_ahead(struct session *s, bool up)
{
	uint64_t left = up ? s->db->end - s->at : s->at + 1;

	s->ahead = s->ahead ? s->ahead * 2 : 1;
	s->ahead = s->ahead < s->most ? s->ahead : s->most;
	s->ahead = s->ahead < left ? s->ahead : left;
	s->first = up ? s->at : s->at + 1 - s->ahead;
	return at_once(s, false, s->window, s->first, s->ahead);
}

/* The first record from `at` on, upward or downward; below 0 is beyond the end, too. */
static enum status scan(struct session *s, bool up, struct slice *key,
			struct slice *value)
{
	enum status status = NOT_FOUND;

	for (; s->at < s->db->end; s->at += up ? 1 : UINT64_MAX) {
		status = s->at - s->first < s->ahead ? DONE : read_ahead(s, up);
		if (status == DONE)
			status = decode(s, s->window + (s->at - s->first) * s->db->slot,
					key, value);
		if (status != NOT_FOUND)
			break;
	}
	return status;
}

static enum status aio_next(struct session *s, struct slice *key, struct slice *value)
{
	s->at++;
	return scan(s, true, key, value);
}

static enum status aio_prev(struct session *s, struct slice *key, struct slice *value)
{
	s->at--;
	return scan(s, false, key, value);
}

static enum status aio_seek(struct session *s, struct slice from, struct slice *key,
			    struct slice *value)
{
	s->ahead = 0;
	s->at = 0;
	if (from.data && (s->at = index_of(s, from)) == UINT64_MAX)
		return because(s->why, FAILED,
			       "a scan cannot begin at a key that has no place");
	return scan(s, true, key, value);
}

static enum status aio_last(struct session *s, struct slice *key, struct slice *value)
{
	s->ahead = 0;
	s->at = s->db->end - 1;
	return scan(s, false, key, value);
}

static const struct option options[] = {
	{"aio_block", "4Ki",
	 "Size of which a record's slot is a multiple, bytes; itself a multiple of 512.",
	 .size = &tuning.block,
	 .least = 512, .most = LARGEST_BLOCK, .group = "Asynchronous I/O"},
	{"aio_depth", "32",
	 "Requests that each session has in flight at most, in multi-gets and batches.",
	 .count = &tuning.depth, .least = 1, .most = 4096},
	{0},
};

static const char *aio_tune(struct settings *s)
{
	s->writes_unseen = true;
	return tuning.block % 512 ? "--aio_block must be a multiple of 512" : NULL;
}

/* This is an interface of the kernel; the library is a few lines. */
static const char *aio_version(void)
{
	static struct utsname name;

	uname(&name);
	return name.release;
}

/*
 * Room for all slots is asked for at once, or the zeros would fill the device for
 * everybody.
 */
static enum status open_target(struct db *db, char *why)
{
	const char *device = db->settings->device;
	bool new = db->settings->create && !device;
	off_t there, end = place(db, db->settings->num);
	char path[4096];

	snprintf(path, sizeof path, device ? "%s" : "%s/records",
		 device ? device : db->settings->path);
	db->fd = open(path, O_RDWR | O_DIRECT | O_CLOEXEC | (new ? O_CREAT | O_EXCL : 0),
		      0644);
	if (db->fd < 0 || (new && fallocate(db->fd, 0, 0, end) && errno != EOPNOTSUPP))
		return check(why, path, -errno, 0);
	there = device ? (off_t)db->settings->device_bytes : lseek(db->fd, 0, SEEK_END);
	if (!new && there < end)
		return because(why, FULL, "no room: %lld bytes are needed",
			       (long long)end);
	/* A file may have grown. */
	db->end = db->settings->num;
	if (!device && !new)
		db->end = (uint64_t)(there - place(db, 0)) / db->slot;
	return DONE;
}

/* Zeros from end to end, and only when they are there, the header. */
static enum status make(struct db *db, char *buffer, char *why)
{
	off_t size, end = place(db, db->settings->num);
	enum status status = DONE;

	for (off_t at = 0; status == DONE && at < end; at += size) {
		size = end - at < MIB ? end - at : MIB;
		status = transfer(db, true, buffer, (size_t)size, at, why);
	}
	memcpy(buffer, db->header, HEADER);
	if (status == DONE)
		status = flush_file(db, why);
	if (status == DONE)
		status = transfer(db, true, buffer, BEGINNING, 0, why);
	return status == DONE ? flush_file(db, why) : status;
}

static enum status recognise(struct db *db, char *buffer, char *why)
{
	enum status status = transfer(db, false, buffer, BEGINNING, 0, why);

	if (status == DONE && memcmp(buffer, db->header, HEADER))
		return because(why, FAILED, "it begins '%.*s' and not '%s'", HEADER - 30,
			       buffer, db->header);
	return status;
}

static enum status aio_close(struct db *db, char *why)
{
	enum status status = db->fd < 0
				     ? DONE
				     : check(why, "close", close(db->fd) ? -errno : 0, 0);

	for (unsigned i = 0; i < LOCKS; i++)
		pthread_rwlock_destroy(&db->locks[i]);
	return status;
}

static enum status aio_open(struct db *db, const struct settings *settings, char *why)
{
	static _Alignas(4096) char buffer[LARGEST_BLOCK];
	enum status status;

	for (unsigned i = 0; i < LOCKS; i++)
		pthread_rwlock_init(&db->locks[i], NULL);
	db->settings = settings;
	db->slot = sizeof(struct aio_slot) + settings->key_size + settings->value_size;
	db->slot = (db->slot + tuning.block - 1) / tuning.block * tuning.block;
	snprintf(db->header, HEADER,
		 MAGIC " block=%llu slot=%zu key_size=%zu value_size=%zu records=%llu",
		 (unsigned long long)tuning.block, db->slot, settings->key_size,
		 settings->value_size, (unsigned long long)settings->num);
	memset(buffer, 0, sizeof buffer);
	status = open_target(db, why);
	if (status == DONE)
		status = settings->create ? make(db, buffer, why)
					  : recognise(db, buffer, why);
	if (status != DONE && settings->create && !settings->device && db->fd >= 0 &&
	    ftruncate(db->fd, 0))
		because(why, FAILED, "it is not whole and cannot be emptied: %s",
			strerror(errno));
	return status;
}

static size_t aio_room(const struct settings *settings)
{
	(void)settings;
	return tuning.depth * sizeof(struct iocb);
}

static enum status aio_attach(struct session *s, struct db *db, char *why)
{
	size_t depth = tuning.depth,
	       most = MIB / db->slot < depth ? MIB / db->slot + 1 : depth;
	size_t reads = db->settings->multiget + 1,
	       size = (reads + depth + most) * db->slot;
	void *memory;

	s->db = db;
	s->why = why;
	s->most = most;
	if (posix_memalign(&memory, 2 * MIB, size))
		return because(why, FAILED, "out of memory");
	/* a multi-get's 4 MiB in small pages cost 3 % of the reads */
	madvise(memory, size, MADV_HUGEPAGE);
	s->reads = memory;
	s->writes = s->reads + reads * db->slot;
	s->window = s->writes + depth * db->slot;
	for (size_t i = 0; i < depth; i++) {
		s->requests[i].data = s->idle;
		s->idle = &s->requests[i];
	}
	return check(why, "io_setup, within fs.aio-max-nr",
		     io_setup((int)depth, &s->context), 0);
}

static void aio_detach(struct session *s)
{
	if (s->context)
		io_destroy(s->context);
	free(s->reads); /* and writes and window */
}

/* The rest was checked against the header. */
static void aio_describe(struct db *db, char *text, size_t size)
{
	snprintf(text, size, "slot=%zu target=%s direct=%d", db->slot,
		 db->settings->device ? db->settings->device : "file",
		 !!(fcntl(db->fd, F_GETFL) & O_DIRECT));
}

static void aio_statistics(struct db *db, char *text, size_t size)
{
	(void)db;
	snprintf(text, size,
		 "no engine counts; what the device did stands in the row's columns\n");
}

const struct engine engine = {
	.name = "aio",
	.title = "asynchronous I/O",
	.version = aio_version,
	.cache = "",
	.gives = {DURABILITY_ASYNC, DURABILITY_ASYNC, DURABILITY_SYNC},
	.symbol = "io_setup",
	.options = options,
	.torn_batches = TORN_SEEN | TORN_ABANDONED | TORN_CRASH,
	.raw_devices = true,
	.fixed_size = true,
	.value_limit = 1 << 30,
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.put = aio_put,
	.del = aio_del,
	.get = aio_get,
	.multiget = aio_multiget,
	.seek = aio_seek,
	.last = aio_last,
	.next = aio_next,
	.prev = aio_prev,
	.begin = aio_begin,
	.commit = aio_commit,
	.rollback = aio_rollback,
	.tune = aio_tune,
	.open = aio_open,
	.close = aio_close,
	.session_room = aio_room,
	.attach = aio_attach,
	.detach = aio_detach,
	.settle = flush_file,
	.describe = aio_describe,
	.statistics = aio_statistics,
};
