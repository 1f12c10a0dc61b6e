/*
 * aio.c: no engine: what the device itself can do. Records lie in slots of one size, at places
 * computed from their keys, in one file (PATH/records) or on a raw block device. There is no index
 * and no cache: O_DIRECT, one aligned request for a record, by pread and pwrite where one is
 * wanted, by Linux's asynchronous I/O where several can be in flight: multi-gets and batches.
 *
 * A session keeps its requests and their buffers. A batch groups writes and is not atomic; its
 * commit waits for all of them. A scan reads ahead: requests of 1, 2, 4 ... --aio_depth slots.
 * A new file is written with zeros from end to end, since what was only allocated is answered
 * without the device; that time is in open_seconds. The device is the limit only if it is one: a
 * loop device without direct-io, or tmpfs, is memory.
 */
#include "engine.h"

#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
#define MAGIC "assay aio 1"

enum { ALIGNMENT = 4096, HEADER = 128, LOCKS = 16384 };
enum kind { GET, MULTIGET, SCAN, PUT, BATCH, DELETE, FORCE, WAIT, KINDS };

static const char *const kinds[KINDS] = {
	[GET] = "single reads", [MULTIGET] = "reads in multi-gets", [SCAN] = "reads of scans",
	[PUT] = "single writes", [BATCH] = "writes in batches", [DELETE] = "reads and writes of deletes",
	[FORCE] = "forces", [WAIT] = "waits for a slot in use by another session",
};

struct slot {
	uint64_t key_size; /* 0: empty */
	uint64_t value_size;
	char bytes[]; /* key, value */
};

struct db {
	const struct settings *settings;
	int fd;
	size_t slot;      /* bytes */
	unsigned logical; /* block of the file or device; 0: it does not tell */
	/*
	 * Of slot i at [i % LOCKS], while a request for it is in flight: two writes would end in any
	 * order, and requests that the kernel splits (6 MiB on virtio, 4 MiB on loop) were seen torn.
	 */
	pthread_rwlock_t *locks;
	_Atomic uint64_t requests[KINDS]; /* of detached sessions */
};

struct session {
	struct db *db;
	char *why;
	bool batch;          /* between begin and commit */
	enum status status;  /* of the requests since the last drain */
	io_context_t context;
	struct iocb *request; /* --aio_depth of them */
	struct iocb *idle;    /* the first of those without work; its data is the next */
	struct iocb **ready;  /* those to be submitted */
	struct io_event *events;
	unsigned readies, flying;
	char *record;     /* room for `most` slots */
	char *group;      /* settings.multiget slots, from the first multi-get on */
	struct slice *values; /* of the multi-get in progress */
	char *writes;     /* a slot for each request, from the first batch on */
	uint64_t next, first, ahead, most; /* of a scan; slots [first, first + ahead) are in `record` */
	bool forward, fresh;               /* of a scan; no slots are in `record` yet, or any more */
	uint64_t requests[KINDS];
};

static struct {
	uint64_t block, depth;
	const char *device;
} tuning;

static const struct option options[] = {
	{"aio_block", "4Ki", "Slots are multiples of this.", .size = &tuning.block, .least = 512, .most = 16 << 20,
	 .group = "Asynchronous I/O"},
	{"aio_depth", "32", "Requests a session keeps in flight, in multi-gets and batches.",
	 .count = &tuning.depth, .least = 1, .most = 4096},
	{"aio_device", "", "Block device to use instead of a file; what it holds is lost, so its first 4 KiB must "
	 "be zero or our own.", .text = &tuning.device},
	{0},
};

static size_t slot_size(const struct settings *s)
{
	size_t size = sizeof(struct slot) + s->key_size + s->value_size, block = (size_t)tuning.block;

	return (size + block - 1) / block * block;
}

static const char *aio_tune(struct settings *s)
{
	if (tuning.block % 512)
		return "--aio_block must be a multiple of 512";
	if (s->num > (INT64_MAX - tuning.block) / slot_size(s))
		return "--num slots are more than a file can hold; the slot is key and value rounded up to --aio_block";
	return NULL;
}

/* What a call answered, bytes or -errno, as our status. */
static enum status check(char *why, const char *what, long answer, size_t wanted)
{
	if (answer == (long)wanted)
		return DONE;
	if (answer >= 0)
		return because(why, FAILED, "%s: %ld bytes instead of %zu", what, answer, wanted);
	return because(why, answer == -ENOSPC || answer == -EDQUOT ? FULL : FAILED, "%s: %s", what,
		       strerror((int)-answer));
}

/* This is an interface of the kernel, whose release tells more than that of the library's few lines. */
static const char *aio_version(void)
{
	static struct utsname name;

	uname(&name);
	return name.release;
}

/* Zeros, in huge pages where that helps: a multi-get's 4 MiB cost 3 % of the reads in small ones. */
static char *room(uint64_t slots, size_t slot)
{
	size_t size = slots * slot, huge = 2 * MIB;
	void *memory;

	if (slots > SIZE_MAX / slot || posix_memalign(&memory, size < huge ? ALIGNMENT : huge, size))
		return NULL;
	if (size >= huge)
		madvise(memory, size, MADV_HUGEPAGE);
	return memset(memory, 0, size);
}

static off_t place(const struct db *db, uint64_t index)
{
	return (off_t)(tuning.block + index * db->slot);
}

/* Read into the buffer, or write it, in one request. */
static long transfer(const struct db *db, bool write, char *buffer, size_t size, off_t at)
{
	ssize_t n = write ? pwrite(db->fd, buffer, size, at) : pread(db->fd, buffer, size, at);

	return n < 0 ? -errno : n;
}

/* A direct write has reached the device's cache, which is async; sync empties that cache too. */
static enum status force(struct db *db, char *why)
{
	return check(why, "fdatasync", fdatasync(db->fd) ? -errno : 0, 0);
}

static enum status force_commit(struct session *s)
{
	if (s->db->settings->durability != DURABILITY_SYNC)
		return DONE;
	s->requests[FORCE]++;
	return force(s->db, s->why);
}

static void header(const struct db *db, char *text)
{
	const struct settings *s = db->settings;

	snprintf(text, HEADER, MAGIC " block=%llu slot=%zu key_size=%zu value_size=%zu records=%llu",
		 (unsigned long long)tuning.block, db->slot, s->key_size, s->value_size,
		 (unsigned long long)s->num);
}

/* Has it room enough, and do its blocks fit ours? */
static enum status measure(struct db *db, char *why)
{
	uint64_t needed = (uint64_t)place(db, db->settings->num), size = 0;
	struct statvfs fs;
	struct statx facts;

	if (*tuning.device) {
		if (ioctl(db->fd, BLKGETSIZE64, &size) || ioctl(db->fd, BLKSSZGET, &db->logical))
			return check(why, tuning.device, -errno, 0);
	} else {
		if (statx(db->fd, "", AT_EMPTY_PATH, STATX_SIZE | STATX_DIOALIGN, &facts))
			return check(why, "statx", -errno, 0);
		/* Asked beforehand, or the zeros would fill the device for everybody. */
		if (fstatvfs(db->fd, &fs))
			return check(why, "fstatvfs", -errno, 0);
		size = db->settings->create ? (uint64_t)fs.f_bavail * fs.f_frsize : facts.stx_size;
		if (facts.stx_mask & STATX_DIOALIGN)
			db->logical = facts.stx_dio_offset_align > facts.stx_dio_mem_align ?
				      facts.stx_dio_offset_align : facts.stx_dio_mem_align;
	}
	if (size < needed)
		return because(why, FULL, "no space: %llu bytes are needed, and there are %llu",
			       (unsigned long long)needed, (unsigned long long)size);
	if (db->logical && tuning.block % db->logical)
		return because(why, FAILED, "--aio_block must be a multiple of %u here", db->logical);
	return DONE;
}

static enum status open_target(struct db *db, char *why)
{
	const struct settings *s = db->settings;
	int flags = *tuning.device ? O_EXCL : s->create ? O_CREAT | O_EXCL : 0;
	char path[4096];

	snprintf(path, sizeof path, *tuning.device ? "%s" : "%s/records", *tuning.device ? tuning.device : s->path);
	db->fd = open(path, O_RDWR | O_DIRECT | O_CLOEXEC | flags, 0644);
	if (db->fd < 0 && errno == EINVAL)
		return because(why, FAILED, "%.200s: O_DIRECT does not work here", path);
	return db->fd < 0 ? check(why, path, -errno, 0) : measure(db, why);
}

/* Zeros from end to end, and only when they are there, the header. */
static enum status make(struct db *db, char *zeros, char *why)
{
	off_t end = place(db, db->settings->num);
	size_t block = (size_t)tuning.block;
	enum status status;

	for (off_t at = 0; at < end;) {
		size_t size = end - at < (off_t)MIB ? (size_t)(end - at) : MIB;
		long n = transfer(db, true, zeros, size, at);

		/* One that was cut short is told why when it goes on. */
		if (n <= 0 || n % 512)
			return check(why, "write", n, size);
		at += n;
	}
	if ((status = force(db, why)) != DONE)
		return status;
	header(db, zeros);
	status = check(why, "write", transfer(db, true, zeros, block, 0), block);
	return status == DONE ? force(db, why) : status;
}

static enum status foreign(struct db *db, char *text, char *why)
{
	enum status status = check(why, "read", transfer(db, false, text, ALIGNMENT, 0), ALIGNMENT);

	if (status == DONE && memcmp(text, MAGIC, strlen(MAGIC)) && (*text || memcmp(text, text + 1, ALIGNMENT - 1)))
		status = because(why, FAILED, "%s holds something else: clear its first block with blkdiscard or "
				 "dd first", tuning.device);
	memset(text, 0, ALIGNMENT);
	return status;
}

static enum status recognise(struct db *db, char *text, char *why)
{
	size_t block = (size_t)tuning.block;
	enum status status = check(why, "read", transfer(db, false, text, block, 0), block);
	char wanted[HEADER];

	header(db, wanted);
	if (status == DONE && strncmp(text, wanted, HEADER))
		return because(why, FAILED, "it begins '%.*s' and not '%s'", HEADER - 30, text, wanted);
	return status;
}

static enum status open_records(struct db *db, char *why)
{
	bool create = db->settings->create;
	char *buffer = room(1, MIB > tuning.block ? MIB : (size_t)tuning.block);
	enum status status = buffer ? open_target(db, why) : because(why, FAILED, "out of memory");

	if (status == DONE && create && *tuning.device)
		status = foreign(db, buffer, why);
	if (status == DONE)
		status = create ? make(db, buffer, why) : recognise(db, buffer, why);
	if (status != DONE && create && !*tuning.device && db->fd >= 0 && ftruncate(db->fd, 0))
		because(why, status, "it is not whole and cannot be emptied: %s", strerror(errno));
	free(buffer);
	return status;
}

static enum status aio_close(struct db *db, char *why)
{
	enum status status = db->fd < 0 ? DONE : check(why, "close", close(db->fd) ? -errno : 0, 0);

	for (unsigned i = 0; db->locks && i < LOCKS; i++)
		pthread_rwlock_destroy(&db->locks[i]);
	free(db->locks);
	free(db);
	return status;
}

static struct db *aio_open(const struct settings *settings, char *why)
{
	struct db *db = calloc(1, sizeof *db);
	char ignored[WHY_SIZE];

	if (!db || !(db->locks = calloc(LOCKS, sizeof *db->locks))) {
		because(why, FAILED, "out of memory");
		free(db);
		return NULL;
	}
	for (unsigned i = 0; i < LOCKS; i++)
		pthread_rwlock_init(&db->locks[i], NULL);
	db->settings = settings;
	db->slot = slot_size(settings);
	db->fd = -1;
	if (open_records(db, why) == DONE)
		return db;
	aio_close(db, ignored);
	return NULL;
}

static void unlock(struct session *s, uint64_t index)
{
	pthread_rwlock_unlock(&s->db->locks[index % LOCKS]);
}

/* The record in a slot, if there is one. */
static enum status decode(struct session *s, const char *bytes, struct slice *key, struct slice *value)
{
	const struct settings *set = s->db->settings;
	const struct slot *slot = (const void *)bytes;

	if (!slot->key_size)
		return NOT_FOUND;
	if (slot->key_size != set->key_size || slot->value_size != set->value_size)
		return because(s->why, FAILED, "a slot holds what was never written there");
	*key = (struct slice){slot->bytes, set->key_size};
	*value = (struct slice){slot->bytes + set->key_size, set->value_size};
	return DONE;
}

/* A request has come to its end. What it read is looked at while others are still in flight. */
static void finish(struct session *s, struct iocb *request, long answer)
{
	bool read = request->aio_lio_opcode == IO_CMD_PREAD;
	enum status status = check(s->why, read ? "read" : "write", answer, request->u.c.nbytes);
	const char *buffer = request->u.c.buf;
	struct slice key;

	if (read && status == DONE)
		status = decode(s, buffer, &key, &s->values[(size_t)(buffer - s->group) / s->db->slot]);
	if (s->status == DONE && status != NOT_FOUND)
		s->status = status;
	unlock(s, ((uint64_t)request->u.c.offset - tuning.block) / s->db->slot);
	request->data = s->idle;
	s->idle = request;
}

/* Wait until at least so many have come to theirs. */
static void reap(struct session *s, unsigned least)
{
	int n;

	do
		n = io_getevents(s->context, least, (long)tuning.depth, s->events, NULL);
	while (n == -EINTR);
	for (int i = 0; i < n; i++)
		finish(s, s->events[i].obj, (long)s->events[i].res);
	s->flying -= n > 0 ? (unsigned)n : s->flying;
	if (n < 0)
		s->status = check(s->why, "io_getevents", n, 0);
}

static void submit(struct session *s)
{
	unsigned from = 0;

	while (from < s->readies) {
		int n = io_submit(s->context, s->readies - from, s->ready + from);

		if (n == -EAGAIN && s->flying)
			reap(s, 1);
		else if (n > 0)
			from += (unsigned)n, s->flying += (unsigned)n;
		else if (n != -EINTR) /* the fault of the first one */
			finish(s, s->ready[from++], n ? n : -EAGAIN);
	}
	s->readies = 0;
}

static enum status drain(struct session *s)
{
	enum status status;

	submit(s);
	while (s->flying)
		reap(s, s->flying);
	status = s->status;
	s->status = DONE;
	return status;
}

/* Nobody sleeps on a lock with writes of its own in flight, so everybody gets theirs. */
static void lock(struct session *s, uint64_t index, bool write)
{
	pthread_rwlock_t *it = &s->db->locks[index % LOCKS];

	while (write ? pthread_rwlock_trywrlock(it) : pthread_rwlock_tryrdlock(it)) {
		submit(s);
		if (s->flying) {
			reap(s, 1);
			continue;
		}
		s->requests[WAIT]++;
		if (!(write ? pthread_rwlock_wrlock(it) : pthread_rwlock_rdlock(it)))
			return;
	}
}

static struct iocb *take(struct session *s)
{
	struct iocb *request;

	while (!s->idle) {
		submit(s);
		reap(s, 1);
	}
	request = s->idle;
	s->idle = request->data;
	return request;
}

static void start(struct session *s, struct iocb *request, uint64_t index, char *buffer, bool write)
{
	lock(s, index, write);
	(write ? io_prep_pwrite : io_prep_pread)(request, s->db->fd, buffer, s->db->slot, place(s->db, index));
	s->ready[s->readies++] = request;
}

static void aio_detach(struct session *s)
{
	if (s->context) {
		drain(s);
		io_destroy(s->context);
	}
	for (int i = 0; i < KINDS; i++)
		s->db->requests[i] += s->requests[i];
	free(s->request);
	free(s->ready);
	free(s->events);
	free(s->record);
	free(s->group);
	free(s->writes);
	free(s);
}

static struct session *aio_attach(struct db *db, char *why)
{
	size_t depth = (size_t)tuning.depth, ahead = MIB / db->slot < depth ? MIB / db->slot : depth;
	struct session *s = calloc(1, sizeof *s);
	int answer = -ENOMEM;

	if (s) {
		*s = (struct session){.db = db, .why = why, .fresh = true, .most = ahead ? ahead : 1};
		s->request = calloc(depth, sizeof *s->request);
		s->ready = calloc(depth, sizeof(struct iocb *));
		s->events = calloc(depth, sizeof *s->events);
		s->record = room(s->most, db->slot);
		if (s->request && s->ready && s->events && s->record)
			answer = io_setup((int)depth, &s->context);
	}
	if (check(why, "io_setup, within fs.aio-max-nr", answer, 0) != DONE) {
		if (s)
			aio_detach(s);
		return NULL;
	}
	for (size_t i = 0; i < depth; i++) {
		s->request[i].data = s->idle;
		s->idle = &s->request[i];
	}
	return s;
}

static uint64_t index_of(struct session *s, struct slice key)
{
	return s->db->settings->oracle->index(s->db->settings->oracle, key);
}

/* The record's slot in `buffer`; empty without a value. */
static void encode(char *buffer, struct slice key, struct slice value)
{
	struct slot *slot = (void *)buffer;

	slot->key_size = value.data ? key.size : 0;
	slot->value_size = value.size;
	memmove(slot->bytes, key.data, key.size); /* they may come from our last answer */
	if (value.data)
		memmove(slot->bytes + key.size, value.data, value.size);
}

/* Slots into `record`, in one request. */
static enum status fetch(struct session *s, uint64_t index, uint64_t slots, enum kind kind)
{
	size_t size = slots * s->db->slot;
	long n;

	for (uint64_t i = 0; i < slots; i++)
		lock(s, index + i, false);
	n = transfer(s->db, false, s->record, size, place(s->db, index));
	for (uint64_t i = 0; i < slots; i++)
		unlock(s, index + i);
	s->requests[kind]++;
	s->fresh = true;
	return check(s->why, "read", n, size);
}

static enum status aio_begin(struct session *s)
{
	if (!s->writes && !(s->writes = room(tuning.depth, s->db->slot)))
		return because(s->why, FAILED, "out of memory");
	s->batch = true;
	return DONE;
}

static enum status aio_commit(struct session *s)
{
	enum status status = drain(s);

	s->batch = false;
	return status == DONE ? force_commit(s) : status;
}

static enum status write_one(struct session *s, uint64_t index, struct slice key, struct slice value)
{
	long n;

	encode(s->record, key, value);
	s->fresh = true;
	lock(s, index, true);
	n = transfer(s->db, true, s->record, s->db->slot, place(s->db, index));
	unlock(s, index);
	return check(s->why, "write", n, s->db->slot);
}

static enum status aio_put(struct session *s, struct slice key, struct slice value)
{
	uint64_t index = index_of(s, key);
	enum status status;

	if (index == UINT64_MAX)
		return because(s->why, FAILED, "there is no place for a key beyond --num");
	if (value.size != s->db->settings->value_size)
		return because(s->why, FAILED, "a value of %zu bytes, where all have %zu", value.size,
			       s->db->settings->value_size);
	if (s->batch) {
		struct iocb *request = take(s);
		char *buffer = s->writes + (size_t)(request - s->request) * s->db->slot;

		encode(buffer, key, value);
		start(s, request, index, buffer, true);
		submit(s);
		s->requests[BATCH]++;
		return s->status;
	}
	s->requests[PUT]++;
	status = write_one(s, index, key, value);
	return status == DONE ? force_commit(s) : status;
}

/* Has to read first, to tell whether there was one; so it is done at once, in a batch too. */
static enum status aio_del(struct session *s, struct slice key)
{
	uint64_t index = index_of(s, key);
	enum status status = index == UINT64_MAX ? NOT_FOUND : fetch(s, index, 1, DELETE);
	struct slice value;

	if (status == DONE)
		status = decode(s, s->record, &key, &value);
	if (status != DONE)
		return status;
	s->requests[DELETE]++;
	status = write_one(s, index, key, (struct slice){NULL, 0});
	return status == DONE && !s->batch ? force_commit(s) : status;
}

static enum status aio_get(struct session *s, struct slice key, struct slice *value)
{
	uint64_t index = index_of(s, key);
	enum status status = index == UINT64_MAX ? NOT_FOUND : fetch(s, index, 1, GET);

	return status == DONE ? decode(s, s->record, &key, value) : status;
}

/*
 * As many requests in flight as there may be, until the last key's is. Some are submitted together,
 * for the fewer calls, but few: while 32 were made ready the device rested, at a cost of a tenth.
 */
static enum status aio_multiget(struct session *s, const struct slice *keys, struct slice *values, unsigned n)
{
	if (!s->group && !(s->group = room(s->db->settings->multiget, s->db->slot)))
		return because(s->why, FAILED, "out of memory");
	s->values = values;
	for (unsigned i = 0; i < n; i++) {
		uint64_t index = index_of(s, keys[i]);

		values[i] = (struct slice){NULL, 0};
		if (index == UINT64_MAX)
			continue;
		start(s, take(s), index, s->group + i * s->db->slot, false);
		s->requests[MULTIGET]++;
		if (s->readies >= tuning.depth / 16)
			submit(s);
	}
	return drain(s);
}

/* The slots from the next one on, twice as many as last time. */
static enum status read_ahead(struct session *s)
{
	uint64_t left = s->forward ? s->db->settings->num - s->next : s->next + 1;
	enum status status;

	s->ahead = s->ahead * 2 < s->most ? s->ahead * 2 : s->most;
	s->ahead = s->ahead ? s->ahead : 1;
	s->ahead = s->ahead < left ? s->ahead : left;
	s->first = s->forward ? s->next : s->next + 1 - s->ahead;
	status = fetch(s, s->first, s->ahead, SCAN);
	s->fresh = false;
	return status;
}

static enum status aio_next(struct session *s, struct slice *key, struct slice *value)
{
	enum status status = NOT_FOUND;

	while (status == NOT_FOUND && s->next < s->db->settings->num) {
		status = DONE;
		if (s->fresh || s->next - s->first >= s->ahead)
			status = read_ahead(s);
		if (status == DONE)
			status = decode(s, s->record + (s->next - s->first) * s->db->slot, key, value);
		s->next += s->forward ? 1 : UINT64_MAX; /* below 0 is beyond the end, too */
	}
	return status;
}

static enum status aio_seek(struct session *s, struct slice from, enum order order, struct slice *key,
			    struct slice *value)
{
	s->forward = order == FORWARD;
	s->fresh = true;
	s->ahead = 0;
	s->next = s->forward ? 0 : s->db->settings->num - 1;
	if (from.data && (s->next = index_of(s, from)) == UINT64_MAX)
		return because(s->why, FAILED, "a scan cannot begin at a key that has no place");
	return aio_next(s, key, value);
}

/* The logical block and O_DIRECT are read back; the rest was checked against the header. */
static void aio_describe(struct db *db, char *text, size_t size)
{
	snprintf(text, size, "aio_block=%llu aio_depth=%llu slot=%zu target=%s logical_block=%u direct=%d",
		 (unsigned long long)tuning.block, (unsigned long long)tuning.depth, db->slot,
		 *tuning.device ? tuning.device : "file", db->logical, !!(fcntl(db->fd, F_GETFL) & O_DIRECT));
}

static void aio_statistics(struct db *db, char *text, size_t size)
{
	size_t n = 0;

	*text = '\0';
	for (int i = 0; i < KINDS && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s %llu\n", kinds[i],
				      (unsigned long long)db->requests[i]);
}

const struct engine engine = {
	.name = "aio",
	.title = "asynchronous I/O",
	.version = aio_version,
	.cache = "",
	.gives = {DURABILITY_ASYNC, DURABILITY_ASYNC, DURABILITY_SYNC},
	.symbol = "io_setup",
	.options = options,
	.torn_batches = true,
	.fixed_size = true,
	.value_limit = 1 << 30,
	.tune = aio_tune,
	.open = aio_open,
	.close = aio_close,
	.attach = aio_attach,
	.detach = aio_detach,
	.begin = aio_begin,
	.commit = aio_commit,
	.put = aio_put,
	.get = aio_get,
	.multiget = aio_multiget,
	.del = aio_del,
	.seek = aio_seek,
	.next = aio_next,
	.settle = force,
	.describe = aio_describe,
	.statistics = aio_statistics,
};
