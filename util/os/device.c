/* device.c: /proc/diskstats and /sys/dev/block; see device.h. */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#endif

#include "host.h"

static const struct device_counts unknown_counts = {NAN, NAN, NAN, NAN, NAN, NAN};

/* Whether a line of /proc/diskstats describes this device. */
static bool is_line_of(const char *line, const struct device *d)
{
	unsigned major_number, minor_number;

	return sscanf(line, "%u %u", &major_number, &minor_number) == 2 &&
	       major_number == d->major && minor_number == d->minor;
}

static bool find_diskstats_line(const struct device *d, char *line, int size)
{
	FILE *f = fopen("/proc/diskstats", "re");
	bool found = false;

	while (f && !found && fgets(line, size, f))
		found = is_line_of(line, d);
	if (f)
		fclose(f);
	return found;
}

#ifdef __linux__
/*
 * A file system such as btrfs has a device number of its own: then its mount source
 * identifies the device.
 */
struct device device_of_path(const char *path)
{
	struct device d = {false, 0, 0};
	char line[256];
	struct stat st;
	struct mount_info mount;

	if (stat(path, &st))
		return d;
	for (int attempt = 0; attempt < 2 && !d.known; attempt++) {
		dev_t number = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;

		d.major = major(number);
		d.minor = minor(number);
		d.known = find_diskstats_line(&d, line, sizeof line);
		mount = host_mount(path);
		if (!d.known && (*mount.device != '/' || stat(mount.device, &st)))
			break;
	}
	return d;
}
#else
struct device device_of_path(const char *path)
{
	(void)path;
	return (struct device){false, 0, 0};
}
#endif

static bool is_partition(const struct device *d)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "/sys/dev/block/%u:%u/partition", d->major, d->minor);
	f = fopen(path, "re");
	if (!f)
		return false;
	fclose(f);
	return true;
}

/*
 * Documentation/admin-guide/iostats.rst: after the name follow reads, reads merged,
 * sectors read, ms reading, the same four for writes, in flight, ms busy, ms weighted,
 * four for discards, flushes. Flushes of a partition are counted for its disk only.
 */
struct device_counts device_read_counts(const struct device *d)
{
	char line[256];
	double n[16] = {0};
	int got;

	if (!d->known || !find_diskstats_line(d, line, sizeof line))
		return unknown_counts;
	got = sscanf(line,
		     "%*u %*u %*s %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf "
		     "%lf %lf %lf",
		     &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &n[8], &n[9],
		     &n[10], &n[11], &n[12], &n[13], &n[14], &n[15]);
	if (got < 11)
		return unknown_counts;
	/* A sector is 512 bytes here, whatever the device's sector size is. */
	return (struct device_counts){
		.reads = n[0],
		.read_bytes = n[2] * 512,
		.writes = n[4],
		.write_bytes = n[6] * 512,
		.flushes = got == 16 && !is_partition(d) ? n[15] : NAN,
		.busy_s = n[9] / 1000,
	};
}

/* Reads a file of the device's queue; a partition uses its disk's, one directory up. */
static void read_queue_file(const struct device *d, const char *name, char *to,
			    size_t size)
{
	static const char *const where[] = {"", "../"};
	char path[128];

	to[0] = '\0';
	for (int i = 0; i < 2 && !*to; i++) {
		snprintf(path, sizeof path, "/sys/dev/block/%u:%u/%squeue/%s", d->major,
			 d->minor, where[i], name);
		host_read_line(path, to, size);
	}
}

struct device_queue device_queue(const struct device *d)
{
	struct device_queue q = {"", NAN};
	char text[256];

	if (!d->known)
		return q;
	read_queue_file(d, "scheduler", text, sizeof text);
	snprintf(q.scheduler, sizeof q.scheduler, "%.31s", host_bracketed_word(text));
	read_queue_file(d, "read_ahead_kb", text, sizeof text);
	if (*text)
		q.read_ahead_kb = strtod(text, NULL);
	return q;
}

void device_simulated_disk(const struct device *d, char *to, size_t size)
{
	static const char source[] = "simulated_disk+";
	char file[4096], path[64];
	struct mount_info mount;

	snprintf(path, sizeof path, "/sys/dev/block/%u:%u/loop/backing_file", d->major,
		 d->minor);
	host_read_line(path, file, sizeof file);
	mount = host_mount(file);
	snprintf(to, size, "%s",
		 d->known && !strncmp(mount.device, source, sizeof source - 1)
			 ? mount.device + sizeof source - 1
			 : "");
}

/* statvfs() of the path, or of its nearest existing parent directory. */
static bool statvfs_nearest(const char *path, struct statvfs *v)
{
	char above[4096], *slash;

	snprintf(above, sizeof above, "%s", path);
	while (statvfs(*above ? above : ".", v)) {
		if (errno != ENOENT || !*above)
			return false;
		slash = strrchr(above, '/');
		if (slash == above && above[1])
			slash++;
		*(slash ? slash : above) = '\0';
	}
	/* File systems without storage, such as /proc, have no blocks. */
	return v->f_blocks;
}

double device_size_bytes(const char *path)
{
	struct statvfs v;
	struct stat st;
	int fd = -1;
	off_t size;

	if (stat(path, &st) || !S_ISBLK(st.st_mode))
		return statvfs_nearest(path, &v) ? (double)v.f_blocks * (double)v.f_frsize
						 : NAN;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	if (fd >= 0)
		close(fd);
	return size < 0 ? NAN : (double)size;
}

double device_free_bytes(const char *path)
{
	struct statvfs v;

	return statvfs_nearest(path, &v) ? (double)v.f_bavail * (double)v.f_frsize : NAN;
}
