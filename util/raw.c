/* raw.c: telling a blank or own device from anything else; see raw.h. */
#include "raw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <dirent.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#endif

#define FAIL_SIZE STORE_ERROR
#include "fail.h"

#define STAMP "assay raw device; everything on it is assay's to overwrite\n"

enum { EDGE = 1 << 20, STAMP_SIZE = 4096 };

/*
 * What may be there besides, each by its mark (util-linux, libblkid/src/superblocks and
 * partitions).
 */
static const struct {
	const char *name, *mark;
	size_t at, size;
} signatures[] = {
	{"an ext file system", "\x53\xef", 0x438, 2},
	{"XFS", "XFSB", 0, 4},
	{"btrfs", "_BHRfS_M", 0x10040, 8},
	{"a GPT partition table", "EFI PART", 512, 8},
	{"a partition table", "\x55\xaa", 510, 2},
	{"LUKS", "LUKS\xba\xbe", 0, 6},
	{"an LVM volume", "LABELONE", 512, 8},
	{"swap space", "SWAPSPACE2", 4086, 10},
	{"F2FS", "\x10\x20\xf5\xf2", 1024, 4},
	{"an md array", "\xfc\x4e\x2b\xa9", 4096, 4},
};

static bool all_zero(const char *bytes, size_t size)
{
	return !*bytes && !memcmp(bytes, bytes + 1, size - 1);
}

#ifdef __linux__
/*
 * The kernel knows its partitions, as directories below its own that have a file
 * "partition".
 */
static bool has_partitions(dev_t device)
{
	char path[512], directory[64];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(directory, sizeof directory, "/sys/dev/block/%u:%u", major(device),
		 minor(device));
	dir = opendir(directory);
	while (dir && !found && (entry = readdir(dir))) {
		snprintf(path, sizeof path, "%s/%s/partition", directory, entry->d_name);
		found = !access(path, F_OK) && *entry->d_name != '.';
	}
	if (dir)
		closedir(dir);
	return found;
}

static void flush_pages(int fd)
{
	ioctl(fd, BLKFLSBUF, 0);
}
#else
static bool has_partitions(dev_t device)
{
	(void)device;
	return false;
}

static void flush_pages(int fd)
{
	(void)fd;
}
#endif

/* The mark of something known in its beginning, or NULL. */
static const char *carries(const char *beginning)
{
	for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
		if (!memcmp(beginning + signatures[i].at, signatures[i].mark,
			    signatures[i].size))
			return signatures[i].name;
	return NULL;
}

/* Ours, or blank at both ends. */
static bool raw_inspect(struct raw *r, off_t size, char *buffer, char *error)
{
	const char *known;

	if (pread(r->fd, buffer, EDGE, 0) != EDGE)
		return fail(error, "cannot read %s: %s", r->path, strerror(errno));
	if ((known = carries(buffer)))
		return fail(error,
			    "%s carries %s, so it is not assay's to overwrite; choose "
			    "another, or clear it by wipefs --all and blkdiscard "
			    "--zeroout",
			    r->path, known);
	bool blank = all_zero(buffer, EDGE);

	if (pread(r->fd, buffer, EDGE, size - EDGE) != EDGE)
		return fail(error, "cannot read %s: %s", r->path, strerror(errno));
	const char *stamp = buffer + EDGE - STAMP_SIZE;

	if (!strncmp(stamp, STAMP, strlen(STAMP))) {
		r->id = strtoull(stamp + strlen(STAMP), NULL, 10);
		return true;
	}
	return (blank && all_zero(buffer, EDGE)) ||
	       fail(error,
		    "%s holds something: its first and last MiB are not blank and not "
		    "assay's; choose another, or clear it by blkdiscard --zeroout",
		    r->path);
}

bool raw_open(struct raw *r, const char *path, char *error)
{
	char *buffer = malloc(EDGE);
	struct stat st;
	off_t size;
	bool done = false;

	*r = (struct raw){.path = path, .fd = -1};
	if (stat(path, &st) || !S_ISBLK(st.st_mode))
		fail(error, "%s is not a block device", path);
	else if (has_partitions(st.st_rdev))
		fail(error, "%s has partitions; choose one of them, or another device",
		     path);
	else if ((r->fd = open(path, O_RDWR | O_EXCL | O_CLOEXEC)) < 0)
		fail(error, "cannot open %s: %s", path,
		     errno == EBUSY ? "it is mounted, or in use otherwise"
				    : strerror(errno));
	else if (!buffer || (size = lseek(r->fd, 0, SEEK_END)) < 4 * EDGE)
		fail(error, "%s is smaller than 4 MiB", path);
	else
		done = raw_inspect(r, size, buffer, error);
	if (done)
		r->bytes = (uint64_t)size / EDGE * EDGE - EDGE;
	else
		raw_close(r);
	free(buffer);
	return done;
}

static bool raw_put(const struct raw *r, const char *bytes, size_t size, off_t at,
		    char *error)
{
	ssize_t wrote = pwrite(r->fd, bytes, size, at);

	return wrote == (ssize_t)size ||
	       fail(error, "cannot write to %s: %s", r->path,
		    wrote < 0 ? strerror(errno) : "it is cut short");
}

bool raw_clear(struct raw *r, char *error)
{
	char *zeros = calloc(1, EDGE), stamp[STAMP_SIZE] = "";
	struct timespec now;
	bool done;

	clock_gettime(CLOCK_REALTIME, &now);
	r->id = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	snprintf(stamp, sizeof stamp, STAMP "%llu\n", (unsigned long long)r->id);
	done = zeros ? raw_put(r, zeros, EDGE, 0, error) : fail(error, "out of memory");
	done = done && raw_put(r, stamp, sizeof stamp,
			       lseek(r->fd, 0, SEEK_END) - STAMP_SIZE, error);
	free(zeros);
	/* Engines may go past the page cache. */
	if (done && fdatasync(r->fd))
		done = fail(error, "cannot flush %s: %s", r->path, strerror(errno));
	posix_fadvise(r->fd, 0, 0, POSIX_FADV_DONTNEED);
	return done;
}

bool raw_forget(const struct raw *r, struct store_cold *how, char *error)
{
	if (fdatasync(r->fd) || posix_fadvise(r->fd, 0, 0, POSIX_FADV_DONTNEED))
		return fail(error, "cannot drop the pages of %s: %s", r->path,
			    strerror(errno));
	flush_pages(r->fd);
	how->by = "device";
	how->left_kb = store_resident(r->fd, r->bytes) / 1024;
	return true;
}

void raw_close(struct raw *r)
{
	if (r->fd >= 0)
		close(r->fd);
	*r = (struct raw){.fd = -1};
}
