/* raw_device.c: recognise a blank or own device; see raw_device.h. */
#include "raw_device.h"

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

#include "file_cache.h"

#define FAIL_SIZE DB_DIR_ERROR_SIZE
#include "../fail.h"

#define MARKER_TEXT "assay raw device; everything on it is assay's to overwrite\n"

enum { EDGE_SIZE = 1 << 20, MARKER_SIZE = 4096 };

/*
 * Other contents, each by its signature (util-linux, libblkid/src/superblocks and
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
 * The kernel lists partitions as directories below the device's own that have a file
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

static void drop_buffers(int fd)
{
	ioctl(fd, BLKFLSBUF, 0);
}
#else
static bool has_partitions(dev_t device)
{
	(void)device;
	return false;
}

static void drop_buffers(int fd)
{
	(void)fd;
}
#endif

/* Name of a known format at the beginning of a device, or NULL. */
static const char *find_signature(const char *beginning)
{
	for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
		if (!memcmp(beginning + signatures[i].at, signatures[i].mark,
			    signatures[i].size))
			return signatures[i].name;
	return NULL;
}

/* Whether the device is marked as ours, or blank at both ends. */
static bool inspect_device(struct raw_device *r, off_t size, char *buffer, char *error)
{
	const char *known;

	if (pread(r->fd, buffer, EDGE_SIZE, 0) != EDGE_SIZE)
		return fail(error, "cannot read %s: %s", r->path, strerror(errno));
	if ((known = find_signature(buffer)))
		return fail(error,
			    "%s contains %s and is not overwritten; choose another "
			    "device, or clear it by wipefs --all and blkdiscard "
			    "--zeroout",
			    r->path, known);
	bool blank = all_zero(buffer, EDGE_SIZE);

	if (pread(r->fd, buffer, EDGE_SIZE, size - EDGE_SIZE) != EDGE_SIZE)
		return fail(error, "cannot read %s: %s", r->path, strerror(errno));
	const char *marker = buffer + EDGE_SIZE - MARKER_SIZE;

	if (!strncmp(marker, MARKER_TEXT, strlen(MARKER_TEXT))) {
		r->load_id = strtoull(marker + strlen(MARKER_TEXT), NULL, 10);
		return true;
	}
	return (blank && all_zero(buffer, EDGE_SIZE)) ||
	       fail(error,
		    "%s contains data: its first and last MiB are neither blank nor "
		    "stamped by assay; choose another device, or clear it by blkdiscard "
		    "--zeroout",
		    r->path);
}

bool raw_device_open(struct raw_device *r, const char *path, char *error)
{
	char *buffer = malloc(EDGE_SIZE);
	struct stat st;
	off_t size;
	bool done = false;

	*r = (struct raw_device){.path = path, .fd = -1};
	if (stat(path, &st) || !S_ISBLK(st.st_mode))
		fail(error, "%s is not a block device", path);
	else if (has_partitions(st.st_rdev))
		fail(error, "%s has partitions; choose one of them, or another device",
		     path);
	else if ((r->fd = open(path, O_RDWR | O_EXCL | O_CLOEXEC)) < 0)
		fail(error, "cannot open %s: %s", path,
		     errno == EBUSY ? "it is mounted or otherwise in use"
				    : strerror(errno));
	else if (!buffer || (size = lseek(r->fd, 0, SEEK_END)) < 4 * EDGE_SIZE)
		fail(error, "%s is smaller than 4 MiB", path);
	else
		done = inspect_device(r, size, buffer, error);
	if (done)
		r->bytes = (uint64_t)size / EDGE_SIZE * EDGE_SIZE - EDGE_SIZE;
	else
		raw_device_close(r);
	free(buffer);
	return done;
}

static bool write_to_device(const struct raw_device *r, const char *bytes, size_t size,
			    off_t at, char *error)
{
	ssize_t wrote = pwrite(r->fd, bytes, size, at);

	return wrote == (ssize_t)size ||
	       fail(error, "cannot write to %s: %s", r->path,
		    wrote < 0 ? strerror(errno) : "it is cut short");
}

bool raw_device_clear(struct raw_device *r, char *error)
{
	char *zeros = calloc(1, EDGE_SIZE), marker[MARKER_SIZE] = "";
	struct timespec now;
	bool done;
	int rc;

	clock_gettime(CLOCK_REALTIME, &now);
	r->load_id = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	snprintf(marker, sizeof marker, MARKER_TEXT "%llu\n",
		 (unsigned long long)r->load_id);
	done = zeros ? write_to_device(r, zeros, EDGE_SIZE, 0, error)
		     : fail(error, "out of memory");
	done = done && write_to_device(r, marker, sizeof marker,
				       lseek(r->fd, 0, SEEK_END) - MARKER_SIZE, error);
	free(zeros);
	/* Engines may bypass the page cache. */
	if (done && (rc = file_cache_sync(r->fd)))
		done = fail(error, "cannot sync %s: %s", r->path, strerror(rc));
	file_cache_drop(r->fd);
	return done;
}

bool raw_device_drop_cache(const struct raw_device *r, struct db_dir_cold *cold,
			   char *error)
{
	int rc = file_cache_drop(r->fd);

	if (rc)
		return fail(error, "cannot drop the pages of %s: %s", r->path,
			    strerror(rc));
	drop_buffers(r->fd);
	cold->method = "device";
	cold->resident_kb = db_dir_resident_of_file(r->fd, r->bytes) / 1024;
	return true;
}

void raw_device_close(struct raw_device *r)
{
	if (r->fd >= 0)
		close(r->fd);
	*r = (struct raw_device){.fd = -1};
}
