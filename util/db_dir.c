/*
 * db_dir.c: making, locking, clearing and measuring a database directory; see db_dir.h.
 */
#include "db_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
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

#include "os/file_cache.h"

#include "file_copy.h"

#define FAIL_SIZE DB_DIR_ERROR_SIZE
#include "fail.h"

#define MARKER "assay.db"
#define FIRST_LINE "assay database; everything in data/ is assay's to delete\n"

static const struct {
	const char *name;
	size_t offset;
	int digits; /* at least, with zeros before them */
} fact_fields[] = {
	{"keys", offsetof(struct db_dir_facts, key_range), 0},
	{"complete", offsetof(struct db_dir_facts, complete), 0},
	{"records", offsetof(struct db_dir_facts, records), 0},
	{"unfinished", offsetof(struct db_dir_facts, unfinished), 0},
	{"key_size", offsetof(struct db_dir_facts, key_size), 0},
	{"value_size", offsetof(struct db_dir_facts, value_max), 0},
	{"key_form", offsetof(struct db_dir_facts, key_format), 0},
	{"value_least", offsetof(struct db_dir_facts, value_min), 0},
	{"value_list", offsetof(struct db_dir_facts, value_list_hash), 0},
	{"ratio", offsetof(struct db_dir_facts, compression_ratio), 0},
	{"load_order", offsetof(struct db_dir_facts, load_order), 0},
	{"age", offsetof(struct db_dir_facts, passes), 0},
	{"restores", offsetof(struct db_dir_facts, to_restore), 0},
	{"raw", offsetof(struct db_dir_facts, raw_load_id), 0},
	{"value_form", offsetof(struct db_dir_facts, value_format), 0},
	{"value_any", offsetof(struct db_dir_facts, value_any_max), 0},
	{"any_keys", offsetof(struct db_dir_facts, any_keys), 0},
	/* of one width: processes that share the database write it at once */
	{"epoch", offsetof(struct db_dir_facts, next_epoch), 20},
	{"flat", offsetof(struct db_dir_facts, is_flat), 0},
	{"copy", offsetof(struct db_dir_facts, is_copy), 0},
};

enum { FACT_COUNT = sizeof fact_fields / sizeof *fact_fields };

static uint64_t *fact_at(struct db_dir_facts *of, int i)
{
	return (uint64_t *)(void *)((char *)of + fact_fields[i].offset);
}

/* mkdir -p with mode 0755. */
static bool make_directories(const char *path)
{
	char part[DB_DIR_PATH_SIZE];

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
 * Another user's file can be changed by its owner, or through us. A link leads to files
 * outside the database.
 */
static const char *foreign_reason(const struct stat *st)
{
	return S_ISLNK(st->st_mode)      ? "is a symbolic link"
	       : st->st_uid != geteuid() ? "belongs to another user"
	       : !S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode)
		       ? "is neither a file nor a directory"
		       : NULL;
}

static bool refuse_path(const char *path, const char *why, char *error)
{
	return fail(error, "%s %s, so nothing is touched; choose another --db", path,
		    why);
}

/* The first foreign entry below a directory; nftw takes no argument for its callback. */
static _Thread_local struct {
	char path[DB_DIR_PATH_SIZE];
	const char *why;
} first_foreign;

static int check_entry_owner(const char *path, const struct stat *st, int type,
			     struct FTW *walk)
{
	(void)walk;
	first_foreign.why = type == FTW_NS || type == FTW_DNR ? "cannot be examined"
							      : foreign_reason(st);
	if (first_foreign.why)
		snprintf(first_foreign.path, sizeof first_foreign.path, "%s", path);
	return first_foreign.why != NULL;
}

/* Is it a file of an engine's in a flat directory, by its name? */
static bool is_flat_file(const char *path)
{
	static const char *const patterns[] = {"CURRENT",     "IDENTITY",   "LOCK",
					       "LOG",         "LOG.old",    "LOG.old.*",
					       "MANIFEST-*",  "OPTIONS-*",  "[0-9]*.log",
					       "[0-9]*.sst",  "[0-9]*.ldb", "[0-9]*.blob",
					       "[0-9]*.dbtmp"};
	const char *slash = strrchr(path, '/');

	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
		if (!fnmatch(patterns[i], slash ? slash + 1 : path, 0))
			return true;
	return false;
}

/* Of the directory that is walked; nftw takes no argument for its callback. */
static _Thread_local bool walks_flat;

/* Is what nftw passes a file of the engine's? */
static bool is_engine_file(const char *path, int type)
{
	return type == FTW_F && (!walks_flat || is_flat_file(path));
}

/* Call for each file of the engine's, and for what else is in its directory. */
static int walk_files(const struct db_dir *s,
		      int (*call)(const char *, const struct stat *, int, struct FTW *))
{
	walks_flat = s->facts.is_flat;
	return nftw(s->data_path, call, 16, FTW_PHYS);
}

/*
 * Checks that the directory, its marker and the engine's files are this user's, or
 * absent.
 */
static bool check_owner(const struct db_dir *s, char *error)
{
	char marker[DB_DIR_PATH_SIZE + 16];
	struct stat st;
	const char *why;

	/* The given name may be a link made by this user. */
	if (!lstat(s->path, &st) && st.st_uid != geteuid())
		return refuse_path(s->path, foreign_reason(&st), error);
	if (!stat(s->path, &st) && (why = foreign_reason(&st)))
		return refuse_path(s->path, why, error);
	snprintf(marker, sizeof marker, "%s/" MARKER, s->path);
	if (!lstat(marker, &st) && (why = foreign_reason(&st)))
		return refuse_path(marker, why, error);
	first_foreign.why = NULL;
	if (s->facts.is_flat)
		return true;
	if (!lstat(s->data_path, &st) &&
	    nftw(s->data_path, check_entry_owner, 16, FTW_PHYS) && first_foreign.why)
		return refuse_path(first_foreign.path, first_foreign.why, error);
	return true;
}

bool db_dir_make_private(const char *path, char *error)
{
	struct stat st;
	const char *why;

	if (mkdir(path, 0700) && errno != EEXIST)
		return errno == ENOENT ||
		       fail(error, "cannot make %s: %s; choose another --db", path,
			    strerror(errno));
	if (lstat(path, &st))
		return fail(error, "cannot examine %s: %s; choose another --db", path,
			    strerror(errno));
	why = foreign_reason(&st);
	if (!why && st.st_mode & (S_IWGRP | S_IWOTH))
		why = "can be written by other users";
	return !why || refuse_path(path, why, error);
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

void db_dir_read_facts(struct db_dir *s)
{
	char text[1024], *line, *rest = text;
	ssize_t size = pread(s->marker_fd, text, sizeof text - 1, 0);

	text[size > 0 ? size : 0] = '\0';
	while ((line = strsep(&rest, "\n"))) {
		char *value = strchr(line, ' ');

		if (!value)
			continue;
		*value++ = '\0';
		if (!strcmp(line, "engine"))
			snprintf(s->facts.engine, sizeof s->facts.engine, "%s", value);
		for (int i = 0; i < FACT_COUNT; i++)
			if (!strcmp(line, fact_fields[i].name))
				*fact_at(&s->facts, i) = strtoull(value, NULL, 10);
	}
}

/* A killed process may need a moment to disappear: try for a second. */
static bool lock_marker(int fd, bool shared)
{
	const struct timespec pause = {0, 50000000};

	for (int tries = 0; tries < 20; tries++) {
		if (!flock(fd, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

/* Opens and locks the marker; on a read-only file system only one that is shared. */
static bool open_marker(struct db_dir *s, int flags, char *error)
{
	char path[DB_DIR_PATH_SIZE + 16], start[sizeof FIRST_LINE] = "";

	snprintf(path, sizeof path, "%s/" MARKER, s->path);
	s->marker_fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0644);
	if (s->marker_fd < 0 && errno == EROFS && s->shared)
		s->marker_fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (s->marker_fd < 0)
		return fail(error, "cannot open %s: %s; choose another --db", path,
			    strerror(errno));
	if (!lock_marker(s->marker_fd, s->shared)) {
		db_dir_close(s);
		return fail(error, "%s is in use by another process; choose another --db",
			    s->path);
	}
	if (!(flags & O_EXCL) && (pread(s->marker_fd, start, sizeof start - 1, 0) < 0 ||
				  strncmp(start, FIRST_LINE, sizeof start - 1))) {
		db_dir_close(s);
		return fail(error,
			    "%s was not written by assay, so nothing in %s is touched; "
			    "choose another --db",
			    path, s->path);
	}
	return true;
}

static bool set_paths(struct db_dir *s, const char *path, char *error)
{
	*s = (struct db_dir){.marker_fd = -1};
	if (strlen(path) > DB_DIR_PATH_SIZE - 64 || !*path)
		return fail(error, "--db: the path is %s", *path ? "too long" : "empty");
	snprintf(s->path, sizeof s->path, "%s", path);
	snprintf(s->data_path, sizeof s->data_path, "%.*s/data", DB_DIR_PATH_SIZE - 8,
		 path);
	return true;
}

static bool open_existing(struct db_dir *s, const char *path, bool shared, char *error)
{
	struct stat st;
	char marker[DB_DIR_PATH_SIZE + 16];

	if (!set_paths(s, path, error))
		return false;
	s->shared = shared;
	if (!check_owner(s, error))
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
	db_dir_read_facts(s);
	if (s->facts.is_flat)
		snprintf(s->data_path, sizeof s->data_path, "%s", s->path);
	return true;
}

bool db_dir_open(struct db_dir *s, const char *path, char *error)
{
	return open_existing(s, path, false, error);
}

bool db_dir_open_shared(struct db_dir *s, const char *path, char *error)
{
	return open_existing(s, path, true, error);
}

bool db_dir_create(struct db_dir *s, const char *path, const char *engine, char *error)
{
	struct stat st;
	char marker[DB_DIR_PATH_SIZE + 16];

	if (!set_paths(s, path, error) || !check_owner(s, error))
		return false;
	snprintf(marker, sizeof marker, "%s/" MARKER, path);
	if (!stat(marker, &st)) {
		if (!db_dir_open(s, path, error))
			return false;
		if (s->facts.engine[0] && strcmp(s->facts.engine, engine)) {
			db_dir_close(s);
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
	if (db_dir_write_facts(s, error))
		return true;
	unlink(marker);
	db_dir_close(s);
	return false;
}

bool db_dir_open_flat(struct db_dir *s, const char *path, const char *engine, char *error)
{
	char marker[DB_DIR_PATH_SIZE + 16];
	bool is_new;

	if (!set_paths(s, path, error))
		return false;
	snprintf(s->data_path, sizeof s->data_path, "%s", path);
	s->facts.is_flat = 1;
	if (!check_owner(s, error))
		return false;
	if (!make_directories(path))
		return fail(error, "cannot make %s: %s; choose another --db", path,
			    strerror(errno));
	snprintf(marker, sizeof marker, "%s/" MARKER, path);
	is_new = access(marker, F_OK) != 0;
	if (!open_marker(s, is_new ? O_CREAT | O_EXCL : 0, error))
		return false;
	if (!is_new)
		db_dir_read_facts(s);
	if (!is_new && (!s->facts.is_flat || strcmp(s->facts.engine, engine) != 0)) {
		db_dir_close(s);
		return fail(error,
			    "%s holds a database of bench_%s%s; choose another --db",
			    path, s->facts.engine,
			    s->facts.is_flat ? "" : " without --compat");
	}
	snprintf(s->facts.engine, sizeof s->facts.engine, "%s", engine);
	return db_dir_write_facts(s, error);
}

static int remove_entry(const char *path, const struct stat *st, int type,
			struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

/* Deletes the engine's files and leaves all others. */
static bool clear_flat(const struct db_dir *s, char *error)
{
	DIR *dir = opendir(s->data_path);
	const struct dirent *entry;
	bool done = dir != NULL;

	while (done && (entry = readdir(dir)))
		if (is_flat_file(entry->d_name) && unlinkat(dirfd(dir), entry->d_name, 0))
			done = false;
	if (!done)
		fail(error, "cannot clear %s: %s", s->data_path, strerror(errno));
	if (dir)
		closedir(dir);
	return done;
}

bool db_dir_clear(struct db_dir *s, char *error)
{
	struct stat st;

	if (s->facts.is_flat)
		return clear_flat(s, error);
	if (!lstat(s->data_path, &st)) {
		if (!S_ISDIR(st.st_mode))
			return fail(
				error,
				"%s is not a directory, so it is not assay's to clear",
				s->data_path);
		if (nftw(s->data_path, remove_entry, 16,
			 FTW_DEPTH | FTW_PHYS | FTW_MOUNT))
			return fail(error, "cannot clear %s: %s", s->data_path,
				    strerror(errno));
	}
	if (mkdir(s->data_path, 0755))
		return fail(error, "cannot make %s: %s", s->data_path, strerror(errno));
	return true;
}

bool db_dir_write_facts(struct db_dir *s, char *error)
{
	char text[1024];
	int size = snprintf(text, sizeof text, FIRST_LINE "engine %s\n", s->facts.engine);

	for (int i = 0; i < FACT_COUNT; i++)
		size += snprintf(text + size, sizeof text - (size_t)size, "%s %0*llu\n",
				 fact_fields[i].name, fact_fields[i].digits,
				 (unsigned long long)*fact_at(&s->facts, i));
	if (pwrite(s->marker_fd, text, (size_t)size, 0) != size ||
	    ftruncate(s->marker_fd, size))
		return fail(error, "cannot write %s/" MARKER ": %s", s->path,
			    strerror(errno));
	return true;
}

/* nftw takes no argument for its callback. */
static _Thread_local struct db_dir_size total_sizes;

static int add_size(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)walk;
	if (is_engine_file(path, type)) {
		off_t block = st->st_blksize,
		      used = (st->st_size + block - 1) / block * block,
		      disk = (off_t)st->st_blocks * 512;

		total_sizes.apparent += (double)st->st_size;
		total_sizes.disk += (double)disk;
		total_sizes.preallocated += disk > used ? (double)(disk - used) : 0;
	}
	return 0;
}

struct db_dir_size db_dir_size(const struct db_dir *s)
{
	total_sizes = (struct db_dir_size){0, 0, 0};
	if (walk_files(s, add_size) && errno != ENOENT)
		return (struct db_dir_size){NAN, NAN, NAN};
	return total_sizes;
}

static _Thread_local double total_extents; /* see sizes */

#ifdef __linux__
static int add_extents(const char *path, const struct stat *st, int type,
		       struct FTW *walk)
{
	struct fiemap map = {.fm_length = FIEMAP_MAX_OFFSET};
	int fd;

	(void)st;
	(void)walk;
	if (!is_engine_file(path, type))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	total_extents += fd < 0 || ioctl(fd, FS_IOC_FIEMAP, &map)
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
	total_extents = NAN;
	return 0;
}
#endif

double db_dir_extents(const struct db_dir *s)
{
	total_extents = 0;
	walk_files(s, add_extents);
	return total_extents;
}

double db_dir_disk_usage(const char *path)
{
	struct db_dir s;
	char error[DB_DIR_ERROR_SIZE];

	return set_paths(&s, path, error) ? db_dir_size(&s).disk : 0;
}

static _Thread_local int (*file_cache_work)(int fd); /* returns an errno; see sizes */

static int work_on_file_cache(const char *path, const struct stat *st, int type,
			      struct FTW *walk)
{
	int fd, rc;

	(void)st;
	(void)walk;
	if (!is_engine_file(path, type))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	rc = file_cache_work(fd);
	close(fd);
	return rc;
}

/* Calls `work` with each of the engine's files until it fails. An errno, or 0. */
static int each_file_cache(const struct db_dir *s, int (*work)(int fd))
{
	int rc;

	file_cache_work = work;
	rc = walk_files(s, work_on_file_cache);
	return rc < 0 ? errno : rc;
}

static bool fail_to_drop(const struct db_dir *s, int rc, char *error)
{
	return fail(error, "cannot drop the pages of %s: %s", s->data_path, strerror(rc));
}

double db_dir_resident_of_file(int fd, uint64_t bytes)
{
	enum { WINDOW = 1 << 30 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *in_core = malloc(WINDOW / page);
	double resident = file_cache_shows_residency() ? 0 : NAN;

	for (uint64_t at = 0; at < bytes; at += WINDOW) {
		size_t size = bytes - at < WINDOW ? (size_t)(bytes - at) : WINDOW;
		void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, (off_t)at);

		/* The type of its last parameter is not the same everywhere. */
		if (!in_core || map == MAP_FAILED ||
		    mincore(map, size, (void *)in_core)) {
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

static _Thread_local double total_resident; /* bytes; see sizes */

static int add_resident(const char *path, const struct stat *st, int type,
			struct FTW *walk)
{
	int fd;

	(void)walk;
	if (!is_engine_file(path, type) || !st->st_size)
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	total_resident +=
		fd < 0 ? NAN : db_dir_resident_of_file(fd, (uint64_t)st->st_size);
	if (fd >= 0)
		close(fd);
	return 0;
}

double db_dir_resident(const struct db_dir *s)
{
	total_resident = 0;
	return walk_files(s, add_resident) ? NAN : total_resident;
}

bool db_dir_is_cached(const struct db_dir *s, double resident)
{
	return resident > db_dir_size(s).disk / 16;
}

/*
 * What stays after a copy that failed is marked as never loaded. A system that cannot
 * drop pages leaves every copy warm.
 */
bool db_dir_copy(struct db_dir *s, const struct db_dir *source, bool has_space,
		 char *error)
{
	char why[FILE_COPY_ERROR_SIZE], marker[DB_DIR_PATH_SIZE + 16];
	int rc;

	if ((s->facts.key_range || s->facts.is_flat) && !s->facts.is_copy)
		return fail(error,
			    "%s holds a database that is no copy, so nothing in it is "
			    "touched; choose another --db",
			    s->path);
	s->facts.key_range = 0;
	if (!db_dir_write_facts(s, error) || !db_dir_clear(s, error))
		return false;
	snprintf(marker, sizeof marker, "%s/" MARKER, source->path);
	if (!has_space && !file_copy_can_clone(marker, s->data_path))
		return fail(error,
			    "%s has no space for a copy of %s; choose another --db, or "
			    "give --check_space=0 to try",
			    s->path, source->path);
	if (!file_copy_clone_tree(source->data_path, s->data_path, why))
		return fail(error, "%.*s", DB_DIR_ERROR_SIZE - 1, why);
	rc = each_file_cache(s, file_cache_drop);
	if (rc && rc != ENOTSUP)
		return fail_to_drop(s, rc, error);
	s->facts = source->facts;
	s->facts.is_flat = 0;
	s->facts.is_copy = 1;
	return db_dir_write_facts(s, error);
}

/* Removes the databases in the directory of another, such as a backup. */
static bool remove_inner(const struct db_dir *s, char *error)
{
	DIR *dir = opendir(s->path);
	const struct dirent *entry;
	bool done = true;

	while (done && dir && (entry = readdir(dir))) {
		char path[DB_DIR_PATH_SIZE + 256], marker[DB_DIR_PATH_SIZE + 272];
		struct db_dir inner;

		snprintf(path, sizeof path, "%s/%s", s->path, entry->d_name);
		snprintf(marker, sizeof marker, "%s/" MARKER, path);
		/* the engine's own files may have that name */
		if (*entry->d_name != '.' && strcmp(path, s->data_path) &&
		    !access(marker, F_OK))
			done = db_dir_open(&inner, path, error) &&
			       db_dir_remove(&inner, error);
	}
	if (dir)
		closedir(dir);
	return done;
}

bool db_dir_remove(struct db_dir *s, char *error)
{
	char marker[DB_DIR_PATH_SIZE + 16];
	bool done = remove_inner(s, error) && db_dir_clear(s, error);

	snprintf(marker, sizeof marker, "%s/" MARKER, s->path);
	if (done && ((!s->facts.is_flat && rmdir(s->data_path)) || unlink(marker) ||
		     rmdir(s->path)))
		done = fail(error, "cannot remove %s: %s", s->path, strerror(errno));
	db_dir_close(s);
	return done;
}

/* Linux: drops every clean page of every file; needs root. */
static bool drop_page_cache(void)
{
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, "1", 1) == 1;

	if (fd >= 0)
		close(fd);
	return done;
}

bool db_dir_drop_cache(const struct db_dir *s, struct db_dir_cold *cold, char *error)
{
	int rc = each_file_cache(s, file_cache_drop);

	if (rc)
		return fail_to_drop(s, rc, error);
	cold->method = drop_page_cache() ? "files and all" : "files";
	cold->resident_kb = db_dir_resident(s) / 1024;
	return true;
}

static _Thread_local double total_filled; /* bytes; see sizes */

static int fill_file_cache(int fd)
{
	return file_cache_fill(fd, &total_filled);
}

bool db_dir_refill_cache(const struct db_dir *s, bool *filled, char *error)
{
	int rc = each_file_cache(s, file_cache_drop);

	total_filled = 0;
	*filled = !rc && !db_dir_is_cached(s, db_dir_resident(s));
	if (*filled)
		rc = each_file_cache(s, fill_file_cache);
	if (rc && rc != ENOTSUP)
		return fail(error, "cannot read %s into the page cache: %s", s->data_path,
			    strerror(rc));
	*filled = *filled && !(db_dir_resident(s) < total_filled);
	return true;
}

void db_dir_close(struct db_dir *s)
{
	if (s->marker_fd >= 0)
		close(s->marker_fd);
	s->marker_fd = -1;
}
