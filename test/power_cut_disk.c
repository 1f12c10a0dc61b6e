/*
 * power_cut_disk.c: a disk with a volatile write cache and a power switch, as two files
 * of a FUSE file system.
 *
 * A loop device is made of `disk`: written sectors stay in the cache until fsync, which
 * the loop driver calls for a flush. Writing to `cut` cuts the power: the image then has
 * all flushed sectors, and of the others those that the disk happened to write out, each
 * alone and in any order, as disks do; every later request to `disk` fails. Reading `cut`
 * returns a report. The fraction that is written out is drawn for each disk by its seed.
 * usage: power_cut_disk --image=FILE --mount=DIRECTORY [--size=BYTES] [--sector=BYTES]
 * [--seed=N] It runs until it gets SIGTERM or is unmounted.
 */
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../util/option.h"
#include "../util/random.h"

static const char *image, *mount_point;
static uint64_t size, sector, seed;

/* All by sector; one thread serves all requests. */
static char *synced;      /* the image: survives the cut */
static char *cache;       /* what was written last, where `unflushed` */
static bool *unsynced;
static uint64_t *unsynced_sectors; /* numbers of the unflushed ones */
static uint64_t unsynced_count, written_fraction, writes, syncs, survived;
static struct random chance;
static bool power_off;

static void write_out(uint64_t number)
{
	memcpy(synced + number * sector, cache + number * sector, sector);
}

static bool survives_by_chance(void)
{
	return random_below(&chance, 100) < written_fraction;
}

static void write_sector(uint64_t number, uint64_t from, const char *data, uint64_t bytes)
{
	char *to = cache + number * sector;

	if (!unsynced[number]) {
		unsynced[number] = true;
		unsynced_sectors[unsynced_count++] = number;
		memcpy(to, synced + number * sector, sector);
	} else if (survives_by_chance()) {
		/* the older of two versions has reached the disk in between */
		write_out(number);
	}
	memcpy(to + from, data, bytes);
}

/* The power fails: what was not flushed is there by chance. */
static void cut_power(void)
{
	power_off = true;
	for (uint64_t i = 0; i < unsynced_count; i++) {
		if (survives_by_chance()) {
			write_out(unsynced_sectors[i]);
			survived++;
		}
	}
}

static bool is_disk(const char *path)
{
	return !strcmp(path, "/disk");
}

static bool is_cut(const char *path)
{
	return !strcmp(path, "/cut");
}

static int fs_getattr(const char *path, struct stat *st, struct fuse_file_info *file)
{
	(void)file;
	st->st_nlink = 1;
	st->st_mode = S_IFREG | 0600;
	if (is_disk(path))
		st->st_size = (off_t)size;
	else if (!strcmp(path, "/"))
		st->st_mode = S_IFDIR | 0700;
	else if (!is_cut(path))
		return -ENOENT;
	return 0;
}

static int fs_readdir(const char *path, void *list, fuse_fill_dir_t fill, off_t from,
		      struct fuse_file_info *file, enum fuse_readdir_flags flags)
{
	(void)path, (void)from, (void)file, (void)flags;
	fill(list, "disk", NULL, 0, 0);
	fill(list, "cut", NULL, 0, 0);
	return 0;
}

/* Nothing is cached above. */
static int fs_open(const char *path, struct fuse_file_info *file)
{
	(void)path;
	file->direct_io = 1;
	return 0;
}

static int read_disk(char *to, uint64_t bytes, uint64_t at)
{
	for (uint64_t i = 0, n; i < bytes; i += n, at += n) {
		uint64_t number = at / sector, left = sector - at % sector;

		n = left < bytes - i ? left : bytes - i;
		memcpy(to + i, (unsynced[number] ? cache : synced) + at, n);
	}
	return (int)bytes;
}

static int write_disk(const char *data, uint64_t bytes, uint64_t at)
{
	for (uint64_t i = 0, n; i < bytes; i += n, at += n) {
		uint64_t left = sector - at % sector;

		n = left < bytes - i ? left : bytes - i;
		write_sector(at / sector, at % sector, data + i, n);
	}
	writes++;
	return (int)bytes;
}

static int read_report(char *to, uint64_t bytes, uint64_t at)
{
	char text[256];
	uint64_t length = (uint64_t)snprintf(
		text, sizeof text,
		"{\"cut\":%d,\"disk_writes\":%" PRIu64 ",\"disk_flushes\":%" PRIu64
		",\"unflushed_sectors\":%" PRIu64 ",\"kept_sectors\":%" PRIu64 "}\n",
		power_off, writes, syncs, unsynced_count, survived);

	if (at >= length)
		return 0;
	if (bytes > length - at)
		bytes = length - at;
	memcpy(to, text + at, bytes);
	return (int)bytes;
}

/* Of a request, how much is on the disk. */
static uint64_t on_disk(size_t bytes, off_t at)
{
	uint64_t left = (uint64_t)at < size ? size - (uint64_t)at : 0;

	return bytes < left ? bytes : left;
}

static int fs_read(const char *path, char *to, size_t bytes, off_t at,
		   struct fuse_file_info *file)
{
	(void)file;
	if (is_cut(path))
		return read_report(to, bytes, (uint64_t)at);
	return power_off ? -EIO : read_disk(to, on_disk(bytes, at), (uint64_t)at);
}

static int fs_write(const char *path, const char *data, size_t bytes, off_t at,
		    struct fuse_file_info *file)
{
	(void)file;
	if (is_disk(path))
		return power_off ? -EIO
		       : bytes && !on_disk(bytes, at)
			       ? -ENOSPC
			       : write_disk(data, on_disk(bytes, at), (uint64_t)at);
	if (!power_off)
		cut_power();
	return (int)bytes;
}

static int fs_fsync(const char *path, int only_data, struct fuse_file_info *file)
{
	(void)only_data, (void)file;
	if (!is_disk(path))
		return 0;
	if (power_off)
		return -EIO;
	for (uint64_t i = 0; i < unsynced_count; i++) {
		write_out(unsynced_sectors[i]);
		unsynced[unsynced_sectors[i]] = false;
	}
	unsynced_count = 0;
	syncs++;
	return 0;
}

/* A shell opens `cut` with O_TRUNC; a disk keeps its size. */
static int fs_truncate(const char *path, off_t to, struct fuse_file_info *file)
{
	(void)to, (void)file;
	return is_cut(path) ? 0 : -EPERM;
}

static bool make_disk(void)
{
	uint64_t sectors = size / sector;
	int fd = open(image, O_RDWR | O_CREAT, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)size))
		return false;
	synced = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	cache = mmap(NULL, size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	unsynced = calloc(sectors, sizeof *unsynced);
	unsynced_sectors = calloc(sectors, sizeof *unsynced_sectors);
	close(fd);
	chance = random_seed(seed, "power_cut_disk");
	written_fraction = random_below(&chance, 100);
	return synced != MAP_FAILED && cache != MAP_FAILED && unsynced &&
	       unsynced_sectors;
}

int main(int argc, char **argv)
{
	static const struct option own[] = {
		{"image", "", "The file that has the image when the power is cut.",
		 .text = &image},
		{"mount", "", "Directory where `disk` and `cut` appear.",
		 .text = &mount_point},
		{"size", "256Mi", "Of the disk, whole sectors.", .size = &size,
		 .min = 65536},
		{"sector", "4096", "Bytes that are written as a whole or not at all.",
		 .size = &sector, .min = 512, .max = 65536},
		{"seed", "1", "Of what survives the cut.", .count = &seed},
		{0},
	};
	static const struct fuse_operations operations = {
		.getattr = fs_getattr,
		.readdir = fs_readdir,
		.open = fs_open,
		.read = fs_read,
		.write = fs_write,
		.fsync = fs_fsync,
		.truncate = fs_truncate,
	};
	const struct option *tables[] = {own, NULL};
	char error[OPTION_ERROR_SIZE] = "";
	/* in the foreground, one thread */
	static char mounted_at[4096];
	char *arguments[] = {argv[0],          "-f",       "-s", "-o",
			     "fsname=power_cut_disk", mounted_at, NULL};

	if (!option_set_defaults(own, error) ||
	    !option_parse(tables, argc, argv, error) || !*image || !*mount_point ||
	    size % sector) {
		fprintf(stderr,
			"power_cut_disk: %s; usage: power_cut_disk --image=FILE "
			"--mount=DIRECTORY [--size=BYTES] [--sector=BYTES] [--seed=N]\n",
			*error ? error : "no image, no mount, or no whole sectors");
		return 2;
	}
	if (!make_disk()) {
		fprintf(stderr, "power_cut_disk: %s: %s\n", image, strerror(errno));
		return 1;
	}
	snprintf(mounted_at, sizeof mounted_at, "%s", mount_point);
	return fuse_main(6, arguments, &operations, NULL);
}
