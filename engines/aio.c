/*
 * aio.c: no engine: the speed of the device itself.
 *
 * Records are in slots of one size, at offsets computed from their keys, in one file
 * (PATH/records) or on a raw block device: no index, no cache, O_DIRECT. A multi-get and
 * a batch keep --aio_depth requests in flight. A batch is not atomic; its commit waits
 * for all requests. A scan reads 1, 2, 4 ... slots at a time. A new file is filled with
 * zeros first, because reads of space that was only allocated never reach the device.
 * tmpfs, or a loop device without direct-io, is memory.
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

#include "driver_common.h"

#define MAGIC "assay aio 2"

enum {
	MIB = 1 << 20,
	LARGEST_BLOCK = 16 << 20,
	FIRST_SLOT_OFFSET = 4096,
	HEADER = 128,
	LOCK_COUNT = 16384,
	MAX_EVENTS = 32
};

struct aio_slot {
	uint64_t key_size; /* 0: empty */
	uint64_t value_size;
	char bytes[]; /* key, value */
};

struct db {
	const struct settings *settings;
	int fd;
	size_t slot;          /* bytes */
	_Atomic uint64_t end; /* exclusive limit of the slots that were ever written */
	char header[HEADER];
	/*
	 * Lock of slot i at [i % LOCK_COUNT], held while a request for it is in flight.
	 * Two writes could complete in any order. Requests that the kernel splits (6 MiB
	 * on virtio, 4 MiB on loop) were seen half done.
	 */
	pthread_rwlock_t locks[LOCK_COUNT];
};

struct session {
	struct db *db;
	char *why;
	bool batch;         /* between begin and commit */
	enum status status; /* DONE until a request fails */
	io_context_t context;
	/* first of a list of idle requests; a request's `data` is the next */
	struct iocb *free_requests;
	unsigned in_flight;
	char *writes; /* one slot for each request */
	char *reads;  /* one slot for each key of a multi-get */
	/* `window_max` slots of a scan, of which [first, first + ahead) have been read */
	char *scan_window;
	/* a scan is at slot `scan_slot` */
	uint64_t scan_slot, window_first, ahead, window_max;
	struct iocb requests[]; /* --aio_depth of them */
};

static struct {
	uint64_t block, depth;
} option_values;

/* First slot used: aligned like the slots, and beyond the signatures of file systems. */
static uint64_t first_slot(void)
{
	return option_values.block > FIRST_SLOT_OFFSET ? option_values.block
						       : FIRST_SLOT_OFFSET;
}

static off_t slot_offset(const struct db *db, uint64_t index)
{
	return (off_t)(first_slot() + index * db->slot);
}

/* Converts a call's result, bytes or -errno, to a status. */
static enum status check(char *why, const char *what, long answer, size_t wanted)
{
	if (answer == (long)wanted)
		return DONE;
	if (answer >= 0)
		return set_error(why, FAILED, "%s: %ld bytes instead of %zu", what,
				 answer, wanted);
	return set_error(why, answer == -ENOSPC || answer == -EDQUOT ? FULL : FAILED,
			 "%s: %s", what, strerror((int)-answer));
}

/* Reads or writes the buffer in one request. */
static enum status transfer(const struct db *db, bool write, char *buffer, size_t size,
			    off_t at, char *why)
{
	ssize_t n = write ? pwrite(db->fd, buffer, size, at)
			  : pread(db->fd, buffer, size, at);

	return check(why, write ? "write" : "read", n < 0 ? -errno : n, size);
}

/*
 * A direct write has reached the device's cache, which satisfies async; sync also flushes
 * that cache.
 */
static enum status sync_file(struct db *db, char *why)
{
	return check(why, "fdatasync", fdatasync(db->fd) ? -errno : 0, 0);
}

static void unlock_slot(struct session *s, uint64_t index)
{
	pthread_rwlock_unlock(&s->db->locks[index % LOCK_COUNT]);
}

/* Decodes the record in a slot; NOT_FOUND if it is empty. */
static enum status decode_slot(struct session *s, const char *bytes, struct slice *key,
			       struct slice *value)
{
	const struct settings *set = s->db->settings;
	const struct aio_slot *slot = (const void *)bytes;

	if (!slot->key_size)
		return NOT_FOUND;
	if (slot->key_size != set->key_size || slot->value_size != set->value_size)
		return set_error(s->why, FAILED,
				 "a slot holds bytes that were never written to it");
	*key = (struct slice){slot->bytes, set->key_size};
	*value = (struct slice){slot->bytes + set->key_size, set->value_size};
	return DONE;
}

/* The slot has been written and is in the file: scans may read it. */
static void extend_end(struct db *db, uint64_t index)
{
	for (uint64_t end = db->end;
	     index >= end && !atomic_compare_exchange_weak(&db->end, &end, index + 1);)
		;
}

/*
 * Completes a request. A slot that was read is decoded while other requests are in
 * flight.
 */
static void complete_request(struct session *s, struct iocb *request, long answer)
{
	struct slice key, *value = request->data; /* NULL: it was a write */
	enum status status =
		check(s->why, value ? "read" : "write", answer, request->u.c.nbytes);
	uint64_t index = ((uint64_t)request->u.c.offset - first_slot()) / s->db->slot;

	if (value && status == DONE)
		status = decode_slot(s, request->u.c.buf, &key, value);
	else if (status == DONE)
		extend_end(s->db, index);
	if (s->status == DONE && status != NOT_FOUND)
		s->status = status;
	unlock_slot(s, index);
	s->in_flight--;
	request->data = s->free_requests;
	s->free_requests = request;
}

/* Waits until a request has completed, and takes all that have. */
static void reap_completions(struct session *s)
{
	struct io_event events[MAX_EVENTS];
	/* EINTR is the only possible error */
	int n = io_getevents(s->context, 1, MAX_EVENTS, events, NULL);

	for (int i = 0; i < n; i++)
		complete_request(s, events[i].obj, (long)events[i].res);
}

/*
 * A session waits for a lock only after its own requests have completed: no deadlock is
 * possible.
 */
static void lock_slot(struct session *s, uint64_t index, bool write)
{
	pthread_rwlock_t *it = &s->db->locks[index % LOCK_COUNT];

	while (write ? pthread_rwlock_trywrlock(it) : pthread_rwlock_tryrdlock(it)) {
		if (s->in_flight)
			reap_completions(s);
		else if (!(write ? pthread_rwlock_wrlock(it) : pthread_rwlock_rdlock(it)))
			return;
	}
}

static struct iocb *take_request(struct session *s)
{
	struct iocb *request;

	while (!s->free_requests)
		reap_completions(s);
	request = s->free_requests;
	s->free_requests = request->data;
	return request;
}

/* Starts reading into the buffer, to return the value; `value` NULL: writing it. */
static void start_request(struct session *s, struct iocb *request, uint64_t index,
			  char *buffer, struct slice *value)
{
	int n;

	lock_slot(s, index, !value);
	io_prep_pread(request, s->db->fd, buffer, s->db->slot, slot_offset(s->db, index));
	request->aio_lio_opcode = value ? IO_CMD_PREAD : IO_CMD_PWRITE;
	request->data = value;
	/*
	 * One at a time: preparing several while the device was idle cost a tenth of the
	 * rate.
	 */
	while ((n = io_submit(s->context, 1, &request)) == -EAGAIN && s->in_flight)
		reap_completions(s);
	s->in_flight++;
	if (n != 1)
		complete_request(s, request, n);
}

/* By pread or pwrite: a single asynchronous write was seen to take longer. */
static enum status transfer_slots(struct session *s, bool write, char *buffer,
				  uint64_t index, uint64_t slots)
{
	enum status status;

	for (uint64_t i = 0; i < slots; i++)
		lock_slot(s, index + i, write);
	status = transfer(s->db, write, buffer, slots * s->db->slot,
			  slot_offset(s->db, index), s->why);
	for (uint64_t i = 0; i < slots; i++)
		unlock_slot(s, index + i);
	return status;
}

static uint64_t slot_index(struct session *s, struct slice key)
{
	return s->db->settings->oracle->index(s->db->settings->oracle, key);
}

static enum status aio_begin(struct session *s)
{
	s->batch = true;
	return DONE;
}

/* Writes in flight cannot be undone. */
static void aio_rollback(struct session *s)
{
	while (s->in_flight)
		reap_completions(s);
	s->batch = false;
}

/* Also called for a write without a batch. */
static enum status aio_commit(struct session *s)
{
	aio_rollback(s);
	if (s->status == DONE && s->db->settings->durability == DURABILITY_SYNC)
		return sync_file(s->db, s->why);
	return s->status;
}

/* Writes the record into its slot. */
static enum status write_slot(struct session *s, uint64_t index, struct slice key,
			      struct slice value)
{
	struct iocb *request = s->batch ? take_request(s) : s->requests;
	char *buffer = s->writes + (size_t)(request - s->requests) * s->db->slot;
	struct aio_slot *slot = (void *)buffer;
	enum status status;

	memset(buffer, 0, s->db->slot);
	*slot = (struct aio_slot){key.size, value.size};
	memcpy(slot->bytes, key.data, key.size);
	memcpy(slot->bytes + key.size, value.data, value.size);
	if (s->batch) {
		start_request(s, request, index, buffer, NULL);
		return s->status;
	}
	status = transfer_slots(s, true, buffer, index, 1);
	if (status != DONE)
		return status;
	extend_end(s->db, index);
	return aio_commit(s);
}

static enum status aio_put(struct session *s, struct slice key, struct slice value)
{
	uint64_t index = slot_index(s, key);

	if (index == UINT64_MAX)
		return set_error(s->why, FAILED,
				 "there is no slot for a key beyond --num");
	if (value.size != s->db->settings->value_size)
		return set_error(s->why, FAILED,
				 "a value of %zu bytes, where all have %zu", value.size,
				 s->db->settings->value_size);
	return write_slot(s, index, key, value);
}

/* Keeps as many requests in flight as permitted, up to the last key. */
static enum status aio_multiget(struct session *s, const struct slice *keys,
				struct slice *values, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t index = slot_index(s, keys[i]);

		values[i] = (struct slice){NULL, 0};
		if (index != UINT64_MAX)
			start_request(s, take_request(s), index,
				      s->reads + i * s->db->slot, &values[i]);
	}
	while (s->in_flight)
		reap_completions(s);
	return s->status;
}

static enum status aio_get(struct session *s, struct slice key, struct slice *value)
{
	uint64_t index = slot_index(s, key);
	enum status status = index == UINT64_MAX
				     ? NOT_FOUND
				     : transfer_slots(s, false, s->reads, index, 1);

	return status == DONE ? decode_slot(s, s->reads, &key, value) : status;
}

/*
 * Replaces a full slot by an empty one. If several threads delete a record, one of them
 * has found it.
 */
static enum status aio_del(struct session *s, struct slice key)
{
	uint64_t index = slot_index(s, key);
	struct slice value;
	enum status status;

	if (index == UINT64_MAX)
		return NOT_FOUND;
	lock_slot(s, index, true);
	status = transfer(s->db, false, s->reads, s->db->slot, slot_offset(s->db, index),
			  s->why);
	if (status == DONE)
		status = decode_slot(s, s->reads, &key, &value);
	if (status == DONE) {
		memset(s->reads, 0, s->db->slot);
		status = transfer(s->db, true, s->reads, s->db->slot,
				  slot_offset(s->db, index), s->why);
	}
	unlock_slot(s, index);
	return status == DONE && !s->batch ? aio_commit(s) : status;
}

/*
 * Reads the slots from scan_slot on, up or down, twice as many as last time, in one
 * request.
 */
static enum status read_ahead(struct session *s, bool up)
{
	uint64_t left = up ? s->db->end - s->scan_slot : s->scan_slot + 1;

	s->ahead = s->ahead ? s->ahead * 2 : 1;
	s->ahead = s->ahead < s->window_max ? s->ahead : s->window_max;
	s->ahead = s->ahead < left ? s->ahead : left;
	s->window_first = up ? s->scan_slot : s->scan_slot + 1 - s->ahead;
	return transfer_slots(s, false, s->scan_window, s->window_first, s->ahead);
}

/*
 * Finds the first record from scan_slot on, up or down. Going below 0 wraps, and ends
 * beyond the limit as well.
 */
static enum status scan_slots(struct session *s, bool up, struct slice *key,
			      struct slice *value)
{
	enum status status = NOT_FOUND;

	for (; s->scan_slot < s->db->end; s->scan_slot += up ? 1 : UINT64_MAX) {
		status = s->scan_slot - s->window_first < s->ahead ? DONE
								   : read_ahead(s, up);
		if (status == DONE)
			status = decode_slot(s,
					     s->scan_window +
						     (s->scan_slot - s->window_first) *
							     s->db->slot,
					     key, value);
		if (status != NOT_FOUND)
			break;
	}
	return status;
}

static enum status aio_next(struct session *s, struct slice *key, struct slice *value)
{
	s->scan_slot++;
	return scan_slots(s, true, key, value);
}

static enum status aio_prev(struct session *s, struct slice *key, struct slice *value)
{
	s->scan_slot--;
	return scan_slots(s, false, key, value);
}

static enum status aio_seek(struct session *s, struct slice from, struct slice *key,
			    struct slice *value)
{
	s->ahead = 0;
	s->scan_slot = 0;
	if (from.data && (s->scan_slot = slot_index(s, from)) == UINT64_MAX)
		return set_error(s->why, FAILED,
				 "a scan cannot begin at a key that has no slot");
	return scan_slots(s, true, key, value);
}

static enum status aio_last(struct session *s, struct slice *key, struct slice *value)
{
	s->ahead = 0;
	s->scan_slot = s->db->end - 1;
	return scan_slots(s, false, key, value);
}

static const struct option options[] = {
	{"aio_block", "4Ki",
	 "Size of the unit in which records are stored, bytes, a multiple of 512. "
	 "Each record takes a whole number of these blocks.",
	 .size = &option_values.block, .min = 512, .max = LARGEST_BLOCK,
	 .group = "Asynchronous I/O"},
	{"aio_depth", "32",
	 "Largest number of requests that a thread sends to the device at once, in "
	 "multi-gets and batches (queue depth).",
	 .count = &option_values.depth, .min = 1, .max = 4096},
	{0},
};

static struct traits aio_check_settings(const struct settings *s)
{
	(void)s;
	if (option_values.block % 512)
		return invalid_settings("--aio_block must be a multiple of 512");
	return (struct traits){.uncounted_writes = true};
}

/* The kernel provides this interface; libaio is a thin wrapper. */
static const char *aio_version(void)
{
	static struct utsname name;

	uname(&name);
	return name.release;
}

/*
 * Allocates disk space for all slots first: the zeros could otherwise fill the device for
 * all its users.
 */
static enum status open_target(struct db *db, char *why)
{
	const char *device = db->settings->device;
	bool new = db->settings->create && !device;
	off_t there, end = slot_offset(db, db->settings->num);
	char path[4096];

	snprintf(path, sizeof path, device ? "%s" : "%s/records",
		 device ? device : db->settings->path);
	db->fd = open(path, O_RDWR | O_DIRECT | O_CLOEXEC | (new ? O_CREAT | O_EXCL : 0),
		      0644);
	if (db->fd < 0 || (new && fallocate(db->fd, 0, 0, end) && errno != EOPNOTSUPP))
		return check(why, path, -errno, 0);
	there = device ? (off_t)db->settings->device_bytes : lseek(db->fd, 0, SEEK_END);
	if (!new && there < end)
		return set_error(why, FAILED, "%lld bytes are needed, and %s has %lld",
				 (long long)end, path, (long long)there);
	/* An existing file may have grown. */
	db->end = db->settings->num;
	if (!device && !new)
		db->end = (uint64_t)(there - slot_offset(db, 0)) / db->slot;
	return DONE;
}

/* Writes zeros over the whole file, and the header only after them. */
static enum status create_file(struct db *db, char *buffer, char *why)
{
	off_t size, end = slot_offset(db, db->settings->num);
	enum status status = DONE;

	for (off_t at = 0; status == DONE && at < end; at += size) {
		size = end - at < MIB ? end - at : MIB;
		status = transfer(db, true, buffer, (size_t)size, at, why);
	}
	memcpy(buffer, db->header, HEADER);
	if (status == DONE)
		status = sync_file(db, why);
	if (status == DONE)
		status = transfer(db, true, buffer, FIRST_SLOT_OFFSET, 0, why);
	return status == DONE ? sync_file(db, why) : status;
}

static enum status check_header(struct db *db, char *buffer, char *why)
{
	enum status status = transfer(db, false, buffer, FIRST_SLOT_OFFSET, 0, why);

	if (status == DONE && memcmp(buffer, db->header, HEADER))
		return set_error(why, FAILED, "it begins '%.*s' and not '%s'",
				 HEADER - 30, buffer, db->header);
	return status;
}

static enum status aio_close(struct db *db, char *why)
{
	enum status status =
		db->fd < 0 ? DONE : check(why, "close", close(db->fd) ? -errno : 0, 0);

	for (unsigned i = 0; i < LOCK_COUNT; i++)
		pthread_rwlock_destroy(&db->locks[i]);
	return status;
}

static enum status aio_open(struct db *db, const struct settings *settings, char *why)
{
	static _Alignas(4096) char buffer[LARGEST_BLOCK];
	enum status status;

	for (unsigned i = 0; i < LOCK_COUNT; i++)
		pthread_rwlock_init(&db->locks[i], NULL);
	db->settings = settings;
	db->slot = sizeof(struct aio_slot) + settings->key_size + settings->value_size;
	db->slot = (db->slot + option_values.block - 1) / option_values.block *
		   option_values.block;
	snprintf(db->header, HEADER,
		 MAGIC " block=%llu slot=%zu key_size=%zu value_size=%zu records=%llu",
		 (unsigned long long)option_values.block, db->slot, settings->key_size,
		 settings->value_size, (unsigned long long)settings->num);
	memset(buffer, 0, sizeof buffer);
	status = open_target(db, why);
	if (status == DONE)
		status = settings->create ? create_file(db, buffer, why)
					  : check_header(db, buffer, why);
	if (status != DONE && settings->create && !settings->device && db->fd >= 0 &&
	    ftruncate(db->fd, 0))
		set_error(why, FAILED, "it is incomplete and cannot be truncated: %s",
			  strerror(errno));
	return status;
}

static size_t aio_session_extra_size(const struct settings *settings)
{
	(void)settings;
	return option_values.depth * sizeof(struct iocb);
}

static enum status aio_attach(struct session *s, struct db *db, char *why)
{
	size_t depth = option_values.depth,
	       most = MIB / db->slot < depth ? MIB / db->slot + 1 : depth;
	size_t reads = db->settings->multiget + 1,
	       size = (reads + depth + most) * db->slot;
	void *memory;

	s->db = db;
	s->why = why;
	s->window_max = most;
	if (posix_memalign(&memory, 2 * MIB, size))
		return set_error(why, FAILED, "out of memory");
	/* with small pages the 4 MiB of a multi-get cost 3 % of the reads */
	madvise(memory, size, MADV_HUGEPAGE);
	s->reads = memory;
	s->writes = s->reads + reads * db->slot;
	s->scan_window = s->writes + depth * db->slot;
	for (size_t i = 0; i < depth; i++) {
		s->requests[i].data = s->free_requests;
		s->free_requests = &s->requests[i];
	}
	return check(why, "io_setup, within fs.aio-max-nr",
		     io_setup((int)depth, &s->context), 0);
}

static void aio_detach(struct session *s)
{
	if (s->context)
		io_destroy(s->context);
	free(s->reads); /* and the buffers writes and scan_window */
}

/* Other settings have been checked against the header. */
static void aio_describe(struct db *db, struct report *report)
{
	report_append(report, "slot=%zu target=%s direct=%d", db->slot,
		      db->settings->device ? db->settings->device : "file",
		      !!(fcntl(db->fd, F_GETFL) & O_DIRECT));
}

const struct engine engine = {
	.name = "aio",
	.title = "asynchronous I/O",
	.version = aio_version,
	.cache = "",
	.effective_durability = {DURABILITY_ASYNC, DURABILITY_ASYNC, DURABILITY_SYNC},
	.provenance = {.symbol = "io_setup"},
	.options = options,
	.non_atomic = NON_ATOMIC_VISIBLE | NON_ATOMIC_ROLLBACK | NON_ATOMIC_CRASH,
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
	.check_settings = aio_check_settings,
	.open = aio_open,
	.close = aio_close,
	.session_extra_size = aio_session_extra_size,
	.attach = aio_attach,
	.detach = aio_detach,
	.settle = sync_file,
	.describe = aio_describe,
};
