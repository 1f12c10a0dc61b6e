/* store.c: making, locking, clearing and measuring a database directory; see store.h. */
#include "store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#endif

#define FAIL_SIZE STORE_ERROR
#include "fail.h"

#define MARKER "assay.db"
#define FIRST_LINE "assay database; everything in data/ is assay's to delete\n"

static const struct {
	const char *name;
	size_t offset;
} store_facts[] = {
	{"keys", offsetof(struct store_facts, keys)},
	{"complete", offsetof(struct store_facts, complete)},
	{"unfinished", offsetof(struct store_facts, unfinished)},
	{"key_size", offsetof(struct store_facts, key_size)},
	{"value_size", offsetof(struct store_facts, value_size)},
	{"key_form", offsetof(struct store_facts, key_form)},
	{"value_least", offsetof(struct store_facts, value_least)},
	{"value_list", offsetof(struct store_facts, value_list)},
	{"ratio", offsetof(struct store_facts, ratio)},
	{"age", offsetof(struct store_facts, age)},
	{"restores", offsetof(struct store_facts, restores)},
	{"raw", offsetof(struct store_facts, raw)},
	{"value_form", offsetof(struct store_facts, value_form)},
};

enum { FACTS = sizeof store_facts / sizeof *store_facts };

static uint64_t *fact(struct store_facts *of, int i)
{
	return (uint64_t *)(void *)((char *)of + store_facts[i].offset);
}

/* mkdir -p, with mode 0755. */
static bool make_directories(const char *path)
{
	char part[STORE_PATH];

	snprintf(part, sizeof part, "%s", path);
	for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(part, 0755) && errno != EEXIST)
			return false;
		*slash = '/';
	}
	return !mkdir(part, 0755) || errno == EEXIST;
}

/*
 * What another user owns he may change, or have changed through us; a link leads to what
 * is not ours to change.
 */
static const char *not_ours(const struct stat *st)
{
	return S_ISLNK(st->st_mode)      ? "is a symbolic link"
	       : st->st_uid != geteuid() ? "belongs to another user"
	       : !S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode)
		       ? "is neither a file nor a directory"
		       : NULL;
}

static bool refuse(const char *path, const char *why, char *error)
{
	return fail(error, "%s %s, so nothing is touched; choose another --db", path,
		    why);
}

/*
 * The first that is not ours of what is below a directory; nftw takes no argument for its
 * callback.
 */
static _Thread_local struct {
	char path[STORE_PATH];
	const char *why;
} foreign;

static int look_at(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)walk;
	foreign.why = type == FTW_NS || type == FTW_DNR ? "cannot be looked at"
							: not_ours(st);
	if (foreign.why)
		snprintf(foreign.path, sizeof foreign.path, "%s", path);
	return foreign.why != NULL;
}

/* The directory, its marker and all the engine's files are this user's, or not there. */
static bool is_ours(const struct store *s, char *error)
{
	char marker[STORE_PATH + 16];
	struct stat st;
	const char *why;

	/* The name that was given may be a link that this user has made. */
	if (!lstat(s->path, &st) && st.st_uid != geteuid())
		return refuse(s->path, not_ours(&st), error);
	if (!stat(s->path, &st) && (why = not_ours(&st)))
		return refuse(s->path, why, error);
	snprintf(marker, sizeof marker, "%s/" MARKER, s->path);
	if (!lstat(marker, &st) && (why = not_ours(&st)))
		return refuse(marker, why, error);
	foreign.why = NULL;
	if (!lstat(s->data, &st) && nftw(s->data, look_at, 16, FTW_PHYS) && foreign.why)
		return refuse(foreign.path, foreign.why, error);
	return true;
}

bool store_keep_private(const char *path, char *error)
{
	struct stat st;
	const char *why;

	if (mkdir(path, 0700) && errno != EEXIST)
		return errno == ENOENT ||
		       fail(error, "cannot make %s: %s; choose another --db", path,
			    strerror(errno));
	if (lstat(path, &st))
		return fail(error, "cannot look at %s: %s; choose another --db", path,
			    strerror(errno));
	why = not_ours(&st);
	if (!why && st.st_mode & (S_IWGRP | S_IWOTH))
		why = "can be written by other users";
	return !why || refuse(path, why, error);
}

static bool is_empty(const char *path)
{
	struct dirent *entry;
	bool empty = true;
	DIR *dir = opendir(path);

	if (!dir)
		return false;
	while (empty && (entry = readdir(dir)))
		empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
	closedir(dir);
	return empty;
}

void store_read(struct store *s)
{
	char text[1024], *line, *rest = text;
	ssize_t size = pread(s->marker, text, sizeof text - 1, 0);

	text[size > 0 ? size : 0] = '\0';
	while ((line = strsep(&rest, "\n"))) {
		char *value = strchr(line, ' ');

		if (!value)
			continue;
		*value++ = '\0';
		if (!strcmp(line, "engine"))
			snprintf(s->facts.engine, sizeof s->facts.engine, "%s", value);
		for (int i = 0; i < FACTS; i++)
			if (!strcmp(line, store_facts[i].name))
				*fact(&s->facts, i) = strtoull(value, NULL, 10);
	}
}

/* A process that was killed may take a moment to be gone, so a second's patience. */
static bool store_lock(int fd, bool shared)
{
	const struct timespec pause = {0, 50000000};

	for (int tries = 0; tries < 20; tries++) {
		if (!flock(fd, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

/* Open and lock the marker. */
static bool open_marker(struct store *s, int flags, char *error)
{
	char path[STORE_PATH + 16], start[sizeof FIRST_LINE] = "";

	snprintf(path, sizeof path, "%s/" MARKER, s->path);
	s->marker = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0644);
	if (s->marker < 0)
		return fail(error, "cannot open %s: %s; choose another --db", path,
			    strerror(errno));
	if (!store_lock(s->marker, s->shared)) {
		store_close(s);
		return fail(error, "%s is in use by another process; choose another --db",
			    s->path);
	}
	if (!(flags & O_EXCL) && (pread(s->marker, start, sizeof start - 1, 0) < 0 ||
				  strncmp(start, FIRST_LINE, sizeof start - 1))) {
		store_close(s);
		return fail(error,
			    "%s was not written by assay, so nothing in %s is touched; "
			    "choose another --db",
			    path, s->path);
	}
	return true;
}

static bool set_paths(struct store *s, const char *path, char *error)
{
	*s = (struct store){.marker = -1};
	if (strlen(path) > STORE_PATH - 64 || !*path)
		return fail(error, "--db: the path is %s", *path ? "too long" : "empty");
	snprintf(s->path, sizeof s->path, "%s", path);
	snprintf(s->data, sizeof s->data, "%.*s/data", STORE_PATH - 8, path);
	return true;
}

static bool open_with(struct store *s, const char *path, bool shared, char *error)
{
	struct stat st;
	char marker[STORE_PATH + 16];

	if (!set_paths(s, path, error))
		return false;
	s->shared = shared;
	if (!is_ours(s, error))
		return false;
	if (stat(path, &st))
		return fail(error,
			    "no database at %s: %s; load one first, for instance with "
			    "--benchmarks=fillseqbatch",
			    path, strerror(errno));
	snprintf(marker, sizeof marker, "%s/" MARKER, path);
	if (stat(marker, &st))
		return fail(error,
			    "%s is not a database that assay made (it has no " MARKER
			    "); choose another --db",
			    path);
	if (!open_marker(s, 0, error))
		return false;
	store_read(s);
	return true;
}

bool store_open(struct store *s, const char *path, char *error)
{
	return open_with(s, path, false, error);
}

bool store_share(struct store *s, const char *path, char *error)
{
	return open_with(s, path, true, error);
}

bool store_make(struct store *s, const char *path, const char *engine, char *error)
{
	struct stat st;
	char marker[STORE_PATH + 16];

	if (!set_paths(s, path, error) || !is_ours(s, error))
		return false;
	snprintf(marker, sizeof marker, "%s/" MARKER, path);
	if (!stat(marker, &st)) {
		if (!store_open(s, path, error))
			return false;
		if (s->facts.engine[0] && strcmp(s->facts.engine, engine)) {
			store_close(s);
			return fail(
				error,
				"%s holds a database of bench_%s; choose another --db",
				path, s->facts.engine);
		}
		return true;
	}
	if (!make_directories(path))
		return fail(error, "cannot make %s: %s; choose another --db", path,
			    strerror(errno));
	if (!is_empty(path))
		return fail(error,
			    "%s is not empty and has no " MARKER
			    ", so it is not assay's to use; choose another --db",
			    path);
	if (!open_marker(s, O_CREAT | O_EXCL, error))
		return false;
	snprintf(s->facts.engine, sizeof s->facts.engine, "%s", engine);
	if (store_note(s, error))
		return true;
	unlink(marker);
	store_close(s);
	return false;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

bool store_clear(struct store *s, char *error)
{
	struct stat st;

	if (!lstat(s->data, &st)) {
		if (!S_ISDIR(st.st_mode))
			return fail(
				error,
				"%s is not a directory, so it is not assay's to clear",
				s->data);
		if (nftw(s->data, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT))
			return fail(error, "cannot clear %s: %s", s->data,
				    strerror(errno));
	}
	if (mkdir(s->data, 0755))
		return fail(error, "cannot make %s: %s", s->data, strerror(errno));
	return true;
}

bool store_note(struct store *s, char *error)
{
	char text[1024];
	int size = snprintf(text, sizeof text, FIRST_LINE "engine %s\n", s->facts.engine);

	for (int i = 0; i < FACTS; i++)
		size += snprintf(text + size, sizeof text - (size_t)size, "%s %llu\n",
				 store_facts[i].name,
				 (unsigned long long)*fact(&s->facts, i));
	if (pwrite(s->marker, text, (size_t)size, 0) != size ||
	    ftruncate(s->marker, size))
		return fail(error, "cannot write %s/" MARKER ": %s", s->path,
			    strerror(errno));
	return true;
}

/* nftw takes no argument for its callback. */
static _Thread_local struct {
	double apparent, disk;
} sizes;

static int add_size(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)path;
	(void)walk;
	if (type == FTW_F) {
		sizes.apparent += (double)st->st_size;
		sizes.disk += (double)st->st_blocks * 512;
	}
	return 0;
}

void store_size(const struct store *s, double *apparent, double *disk)
{
	sizes.apparent = sizes.disk = 0;
	if (nftw(s->data, add_size, 16, FTW_PHYS) && errno != ENOENT)
		sizes.apparent = sizes.disk = NAN;
	*apparent = sizes.apparent;
	*disk = sizes.disk;
}

static _Thread_local double extents; /* see sizes */

#ifdef __linux__
static int add_extents(const char *path, const struct stat *st, int type,
		       struct FTW *walk)
{
	struct fiemap map = {.fm_length = FIEMAP_MAX_OFFSET};
	int fd;

	(void)st;
	(void)walk;
	if (type != FTW_F)
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	extents += fd < 0 || ioctl(fd, FS_IOC_FIEMAP, &map)
			 ? NAN
			 : (double)map.fm_mapped_extents;
	if (fd >= 0)
		close(fd);
	return 0;
}
#else
static int add_extents(const char *path, const struct stat *st, int type,
		       struct FTW *walk)
{
	(void)path, (void)st, (void)type, (void)walk;
	extents = NAN;
	return 0;
}
#endif

double store_extents(const struct store *s)
{
	extents = 0;
	nftw(s->data, add_extents, 16, FTW_PHYS);
	return extents;
}

double store_taken(const char *path)
{
	struct store s;
	double apparent, disk;
	char error[STORE_ERROR];

	if (!set_paths(&s, path, error))
		return 0;
	store_size(&s, &apparent, &disk);
	return disk;
}

static int forget_file(const char *path, const struct stat *st, int type,
		       struct FTW *walk)
{
	int fd, rc;

	(void)st;
	(void)walk;
	if (type != FTW_F)
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	/* Dirty pages are not dropped. */
	rc = fdatasync(fd) ? errno : posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	return rc;
}

double store_resident(int fd, uint64_t bytes)
{
	enum { WINDOW = 1 << 30 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *in_core = malloc(WINDOW / page);
	double resident = 0;

	for (uint64_t at = 0; at < bytes; at += WINDOW) {
		size_t size = bytes - at < WINDOW ? (size_t)(bytes - at) : WINDOW;
		void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, (off_t)at);

		if (!in_core || map == MAP_FAILED || mincore(map, size, in_core)) {
			resident = NAN;
		} else {
			for (size_t i = 0; i < (size + page - 1) / page; i++)
				resident += in_core[i] & 1 ? (double)page : 0;
		}
		if (map != MAP_FAILED)
			munmap(map, size);
	}
	free(in_core);
	return resident;
}

static _Thread_local double resident; /* bytes; see sizes */

static int add_resident(const char *path, const struct stat *st, int type,
			struct FTW *walk)
{
	int fd;

	(void)walk;
	if (type != FTW_F || !st->st_size)
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	resident += fd < 0 ? NAN : store_resident(fd, (uint64_t)st->st_size);
	if (fd >= 0)
		close(fd);
	return 0;
}

double store_in_memory(const struct store *s)
{
	resident = 0;
	return nftw(s->data, add_resident, 16, FTW_PHYS) ? NAN : resident;
}

/* Linux: every clean page of every file; root may. */
static bool drop_all(void)
{
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, "1", 1) == 1;

	if (fd >= 0)
		close(fd);
	return done;
}

bool store_forget(const struct store *s, struct store_cold *how, char *error)
{
	int rc = nftw(s->data, forget_file, 16, FTW_PHYS);

	if (rc)
		return fail(error, "cannot drop the pages of %s: %s", s->data,
			    strerror(rc < 0 ? errno : rc));
	how->by = drop_all() ? "files and all" : "files";
	how->left_kb = store_in_memory(s) / 1024;
	return true;
}

void store_close(struct store *s)
{
	if (s->marker >= 0)
		close(s->marker);
	s->marker = -1;
}
