/*
 * simulated_disk.c: a disk that is slow by numbers, loses its power, or lies, as files of
 * a FUSE file system.
 *
 * A loop device is made of `disk`. The other files are commands, given by writing to
 * them; each of them returns a report when it is read.
 * calibrate: from now on requests take the median latency, and no other limit holds.
 * begin: from now on all limits hold and the fault is armed. The text is how long a
 *   request has taken since `calibrate`, in ns, or 0. That is longer than --latency_ms,
 *   because requests travel to this program and back; the excess is subtracted from each
 *   latency.
 * mark: remembers the content of all sectors. The sectors that were written until the
 *   first mark are the file system's own, and no write to them fails.
 * watch: lines "OFFSET BYTES", added to the ranges of the disk that sectors are chosen
 *   from for bit flips, stale versions and unreadable sectors: by their order here, as
 *   where they are differs from time to time.
 * cut: cuts the power. With --write_cache=1 written sectors stay in the cache until
 *   fsync, which the loop driver calls for a flush. Then the image has all flushed
 *   sectors, and of the others those that the disk happened to write out, each alone and
 *   in any order, as disks do; every later request to `disk` fails. The fraction that is
 *   written out is drawn for each disk by its seed.
 * It runs until it gets SIGTERM or is unmounted.
 */
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "../../util/option.h"
#include "../../util/random.h"

enum disk_fault {
	FAULT_NONE,
	FAULT_FLIP,
	FAULT_STALE,
	FAULT_READ,
	FAULT_SYNC,
	FAULT_WRITE
};

static const char *const disk_faults[] = {"none", "flip",  "stale", "read",
					  "sync", "write", NULL};

/* A rate: until `used`, all tokens are used, and it may be so far ahead of the time. */
struct token_bucket {
	double per_s;
	uint64_t used, credit_ns;
};

/* A rate, 0: no limit, and one that holds for a while, 0: none. */
struct limit {
	uint64_t per_s, burst_per_s;
	struct token_bucket steady, burst;
};

enum {
	REQUESTS = 128,       /* in flight, as many as a loop device's queue has */
	IO_BYTES = 256 << 10, /* of one I/O, as providers of cloud disks count */
	NS_PER_S = 1000000000,
	/* that a limit lets a disk make up for, as machines are late now and then */
	LATE_NS = NS_PER_S / 20
};

static const char *image, *mount_point, *shown_name, *probe;
static uint64_t size, sector, seed, hits, after;
static bool write_cache, check;
static int fault;
static double latency_ms, latency_p99_ms, stall_ms, stall_at_ms, burst_s;
static struct limit operations, bandwidth;

/* All by sector, and below one lock; a request waits for its time without it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *synced; /* the image: survives the cut */
static char *cache;  /* what was written last, where `unsynced` */
static char *marks;  /* memory for it, */
static char *marked; /* the image as of the last mark, or NULL */
static bool *unsynced, *own, *unreadable;
static uint64_t *unsynced_sectors;       /* numbers of the unsynced ones */
static uint64_t *watched, watched_count; /* numbers, in the order they were named */
static uint64_t unsynced_count, written_fraction, writes, syncs, survived, struck;
static uint64_t begun_at, path_ns, syncs_since, writes_since;
static struct random chance;
static bool power_off, calibrating;

/* ---- limits ---- */

static uint64_t disk_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static uint64_t later_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* When a request of this time has so many tokens; takes them. */
static uint64_t take_from(struct token_bucket *b, double tokens, uint64_t now)
{
	uint64_t start = now;

	if (b->used > b->credit_ns)
		start = later_of(now, b->used - b->credit_ns);
	b->used = later_of(b->used, start) + (uint64_t)(tokens * NS_PER_S / b->per_s);
	return start;
}

static uint64_t take_tokens(struct limit *l, uint64_t tokens, uint64_t now)
{
	if (!l->per_s)
		return now;
	now = take_from(&l->burst, (double)tokens, now);
	return take_from(&l->steady, (double)tokens, now);
}

/* A new disk has all its credits: for --burst_s seconds of the burst rate. */
static void fill_buckets(struct limit *l)
{
	double steady = (double)l->per_s,
	       burst = (double)(l->burst_per_s > l->per_s ? l->burst_per_s : l->per_s);

	l->steady.per_s = steady;
	l->burst.per_s = burst;
	l->steady.credit_ns = l->burst.credit_ns = LATE_NS;
	l->steady.used = l->burst.used = begun_at + LATE_NS;
	if (burst > steady)
		l->steady.credit_ns +=
			(uint64_t)(burst_s * NS_PER_S * (burst / steady - 1));
}

/* Uniform in (0, 1]. */
static double draw_fraction(void)
{
	return ((double)(random_next(&chance) >> 11) + 1) * 0x1p-53;
}

/* The median is --latency_ms, or with --latency_p99_ms log-normal with that p99. */
static uint64_t draw_latency(void)
{
	static const double p99_sigmas = 2.3263478740408408, pi = 3.14159265358979323846;
	double ms = latency_ms, sigma = 0;

	if (latency_p99_ms > latency_ms && latency_ms > 0)
		sigma = log(latency_p99_ms / latency_ms) / p99_sigmas;
	if (sigma > 0)
		ms *= exp(sigma * sqrt(-2 * log(draw_fraction())) *
			  cos(2 * pi * draw_fraction()));
	return ms * 1e6 > (double)path_ns ? (uint64_t)(ms * 1e6) - path_ns : 0;
}

static uint64_t after_stall(uint64_t at)
{
	uint64_t from = begun_at + (uint64_t)(stall_at_ms * 1e6),
		 until = from + (uint64_t)(stall_ms * 1e6);

	return at >= from && at < until ? until : at;
}

static uint64_t count_ios(uint64_t bytes)
{
	return (bytes + IO_BYTES - 1) / IO_BYTES;
}

/* When a request that has come now is done; 0: at once. */
static uint64_t due_time(uint64_t bytes)
{
	uint64_t start = disk_now_ns();

	if (!begun_at)
		return calibrating ? start + (uint64_t)(latency_ms * 1e6) : 0;
	if (bytes) {
		start = take_tokens(&operations, count_ios(bytes), start);
		start = take_tokens(&bandwidth, bytes, start);
	}
	return after_stall(after_stall(start) + draw_latency());
}

/* Unlocks, and answers at the time that is due. */
static int answer_at(uint64_t due, int result)
{
	struct timespec t = {(time_t)(due / NS_PER_S), (long)(due % NS_PER_S)};

	pthread_mutex_unlock(&lock);
	while (due && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
	return result;
}

/* ---- sectors ---- */

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
	char *to = (write_cache ? cache : synced) + number * sector;

	unreadable[number] = false;
	own[number] |= !marked;
	if (!write_cache) {
	} else if (!unsynced[number]) {
		unsynced[number] = true;
		unsynced_sectors[unsynced_count++] = number;
		memcpy(to, synced + number * sector, sector);
	} else if (survives_by_chance()) {
		/* the older of two versions has reached the disk in between */
		write_out(number);
	}
	memcpy(to + from, data, bytes);
}

/* What was not flushed is there by chance, and the cache forgets the rest. */
static void lose_cache(void)
{
	for (uint64_t i = 0; i < unsynced_count; i++) {
		if (survives_by_chance()) {
			write_out(unsynced_sectors[i]);
			survived++;
		}
	}
}

static void empty_cache(void)
{
	for (uint64_t i = 0; i < unsynced_count; i++)
		unsynced[unsynced_sectors[i]] = false;
	unsynced_count = 0;
}

static int read_disk(char *to, uint64_t bytes, uint64_t at)
{
	for (uint64_t i = 0, n; i < bytes; i += n, at += n) {
		uint64_t number = at / sector, left = sector - at % sector;

		n = left < bytes - i ? left : bytes - i;
		if (unreadable[number])
			return -EIO;
		memcpy(to + i, (unsynced[number] ? cache : synced) + at, n);
	}
	return (int)bytes;
}

/* Whether this is the write to fail, to sectors that are not the file system's own. */
static bool write_fails(uint64_t at)
{
	if (fault != FAULT_WRITE || !begun_at || own[at / sector])
		return false;
	return writes_since++ == after;
}

static int write_disk(const char *data, uint64_t bytes, uint64_t at)
{
	if (write_fails(at)) {
		struck++;
		return -EIO;
	}
	for (uint64_t i = 0, n; i < bytes; i += n, at += n) {
		uint64_t left = sector - at % sector;

		n = left < bytes - i ? left : bytes - i;
		write_sector(at / sector, at % sector, data + i, n);
	}
	writes++;
	return (int)bytes;
}

/* A sync that fails has lost all that is not synced: the worst that may be. */
static int sync_disk(void)
{
	if (fault == FAULT_SYNC && begun_at && syncs_since++ == after) {
		struck++;
		empty_cache();
		return -EIO;
	}
	for (uint64_t i = 0; i < unsynced_count; i++)
		write_out(unsynced_sectors[i]);
	empty_cache();
	syncs++;
	return 0;
}

/* ---- faults of what is stored ---- */

static bool is_blank(const char *bytes)
{
	return !*bytes && !memcmp(bytes, bytes + 1, sector - 1);
}

static bool can_strike(uint64_t number)
{
	const char *now = synced + number * sector;

	if (fault == FAULT_STALE)
		return marked && memcmp(marked + number * sector, now, sector);
	return !is_blank(now);
}

static void flip_bit(char *bytes)
{
	bytes[random_below(&chance, sector)] ^= (char)(1 << random_below(&chance, 8));
}

static void strike_sector(uint64_t number)
{
	char *now = synced + number * sector;

	struck++;
	if (fault == FAULT_READ)
		unreadable[number] = true;
	else if (fault == FAULT_STALE)
		memcpy(now, marked + number * sector, sector);
	else
		flip_bit(now);
}

/* Strikes --hits of the watched sectors, each equally likely; reservoir sampling. */
static void strike_sectors(void)
{
	uint64_t *chosen = calloc(hits, sizeof *chosen), found = 0;

	for (uint64_t i = 0; chosen && i < watched_count; i++) {
		uint64_t at;

		if (!can_strike(watched[i]))
			continue;
		at = found++ < hits ? found - 1 : random_below(&chance, found);
		if (at < hits)
			chosen[at] = watched[i];
	}
	for (uint64_t i = 0; chosen && i < hits && i < found; i++)
		strike_sector(chosen[i]);
	free(chosen);
}

/* ---- commands ---- */

static void command_calibrate(const char *text)
{
	(void)text;
	calibrating = true;
}

static void command_begin(const char *text)
{
	uint64_t took_ns = strtoull(text, NULL, 10);
	uint64_t asked_ns = (uint64_t)(latency_ms * 1e6);

	path_ns = took_ns > asked_ns ? took_ns - asked_ns : 0;
	begun_at = disk_now_ns();
	fill_buckets(&operations);
	fill_buckets(&bandwidth);
	/* whatever was drawn before, so that a seed repeats a fault */
	chance = random_seed(seed, "begin");
	if (fault == FAULT_FLIP || fault == FAULT_STALE || fault == FAULT_READ)
		strike_sectors();
}

static void command_mark(const char *text)
{
	(void)text;
	marked = marks;
	for (uint64_t i = 0; i < size / sector; i++)
		if (!is_blank(synced + i * sector) || !is_blank(marked + i * sector))
			memcpy(marked + i * sector, synced + i * sector, sector);
}

static void command_watch(const char *text)
{
	uint64_t from, bytes;
	int length;

	for (; sscanf(text, "%" SCNu64 " %" SCNu64 "%n", &from, &bytes, &length) == 2;
	     text += length)
		for (uint64_t i = from / sector; i < (from + bytes) / sector; i++)
			if (i < size / sector && watched_count < size / sector)
				watched[watched_count++] = i;
}

/* The power fails. */
static void command_cut(const char *text)
{
	(void)text;
	if (!power_off)
		lose_cache();
	power_off = true;
}

static const struct {
	const char *path;
	void (*function)(const char *text);
} commands[] = {
	{"/calibrate", command_calibrate},
	{"/begin", command_begin},
	{"/mark", command_mark},
	{"/watch", command_watch},
	{"/cut", command_cut},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static int find_command(const char *path)
{
	int i = 0;

	while (i < COMMANDS && strcmp(path, commands[i].path))
		i++;
	return i;
}

static int read_report(char *to, uint64_t bytes, uint64_t at)
{
	char text[512];
	uint64_t length = (uint64_t)snprintf(text, sizeof text,
					     "{\"cut\":%d,\"disk_writes\":%" PRIu64
					     ",\"disk_flushes\":%" PRIu64
					     ",\"unflushed_sectors\":%" PRIu64
					     ",\"kept_sectors\":%" PRIu64
					     ",\"struck\":%" PRIu64 "}\n",
					     power_off, writes, syncs, unsynced_count,
					     survived, struck);

	if (at >= length)
		return 0;
	if (bytes > length - at)
		bytes = length - at;
	memcpy(to, text + at, bytes);
	return (int)bytes;
}

static int run_command(const char *path, const char *data, size_t bytes)
{
	char *text = strndup(data, bytes);

	if (!text)
		return -ENOMEM;
	commands[find_command(path)].function(text);
	free(text);
	return (int)bytes;
}

/* ---- the file system ---- */

static bool is_disk(const char *path)
{
	return !strcmp(path, "/disk");
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
	else if (find_command(path) == COMMANDS)
		return -ENOENT;
	return 0;
}

static int fs_readdir(const char *path, void *list, fuse_fill_dir_t fill, off_t from,
		      struct fuse_file_info *file, enum fuse_readdir_flags flags)
{
	(void)path, (void)from, (void)file, (void)flags;
	fill(list, "disk", NULL, 0, 0);
	for (int i = 0; i < COMMANDS; i++)
		fill(list, commands[i].path + 1, NULL, 0, 0);
	return 0;
}

/* Nothing is cached above. */
static int fs_open(const char *path, struct fuse_file_info *file)
{
	(void)path;
	file->direct_io = 1;
	return 0;
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
	pthread_mutex_lock(&lock);
	if (!is_disk(path))
		return answer_at(0, read_report(to, bytes, (uint64_t)at));
	bytes = on_disk(bytes, at);
	return answer_at(due_time(bytes),
			 power_off ? -EIO : read_disk(to, bytes, (uint64_t)at));
}

static int fs_write(const char *path, const char *data, size_t bytes, off_t at,
		    struct fuse_file_info *file)
{
	uint64_t fits = on_disk(bytes, at);

	(void)file;
	pthread_mutex_lock(&lock);
	if (!is_disk(path))
		return answer_at(0, run_command(path, data, bytes));
	if (power_off)
		return answer_at(0, -EIO);
	if (bytes && !fits)
		return answer_at(0, -ENOSPC);
	return answer_at(due_time(fits), write_disk(data, fits, (uint64_t)at));
}

static int fs_fsync(const char *path, int only_data, struct fuse_file_info *file)
{
	(void)only_data, (void)file;
	if (!is_disk(path))
		return 0;
	pthread_mutex_lock(&lock);
	return answer_at(due_time(0), power_off ? -EIO : sync_disk());
}

/* A shell opens a command with O_TRUNC; a disk keeps its size. */
static int fs_truncate(const char *path, off_t to, struct fuse_file_info *file)
{
	(void)to, (void)file;
	return is_disk(path) ? -EPERM : 0;
}

static void *fs_init(struct fuse_conn_info *connection, struct fuse_config *config)
{
	(void)config;
	connection->max_background = REQUESTS;
	connection->congestion_threshold = REQUESTS;
	return NULL;
}

static void *anonymous_memory(void)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static bool make_disk(void)
{
	uint64_t sectors = size / sector;
	int fd = open(image, O_RDWR | O_CREAT, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)size))
		return false;
	synced = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	cache = anonymous_memory();
	marks = anonymous_memory();
	unsynced = calloc(sectors, sizeof *unsynced);
	own = calloc(sectors, sizeof *own);
	watched = calloc(sectors, sizeof *watched);
	unreadable = calloc(sectors, sizeof *unreadable);
	unsynced_sectors = calloc(sectors, sizeof *unsynced_sectors);
	close(fd);
	chance = random_seed(seed, "simulated_disk");
	written_fraction = random_below(&chance, 100);
	return synced != MAP_FAILED && cache != MAP_FAILED && marks != MAP_FAILED &&
	       unsynced && own && watched && unreadable && unsynced_sectors;
}

static bool is_limited(void)
{
	return operations.per_s || bandwidth.per_s || latency_ms > 0 || stall_ms > 0;
}

/* FUSE before 3.12 has no limit on threads of its own. */
static int format_threads(char *to, size_t most)
{
#if FUSE_VERSION >= FUSE_MAKE_VERSION(3, 12)
	return snprintf(to, most, "-omax_idle_threads=%d,max_threads=%d", REQUESTS,
			REQUESTS);
#else
	return snprintf(to, most, "-omax_idle_threads=%d", REQUESTS);
#endif
}

/* In the foreground; without limits by one thread, so that a seed repeats it exactly. */
static int serve_disk(char *program)
{
	static const struct fuse_operations file_system = {
		.init = fs_init,
		.getattr = fs_getattr,
		.readdir = fs_readdir,
		.open = fs_open,
		.read = fs_read,
		.write = fs_write,
		.fsync = fs_fsync,
		.truncate = fs_truncate,
	};
	char mounted_at[4096], name[1024], threads[64];
	char *arguments[] = {program, "-f", "-o", name, mounted_at, "-s", NULL};

	snprintf(mounted_at, sizeof mounted_at, "%s", mount_point);
	/* the owner of the directory may use it, also if this is root */
	snprintf(name, sizeof name, "%sfsname=simulated_disk%s%s",
		 geteuid() ? "" : "allow_other,", *shown_name ? "+" : "", shown_name);
	format_threads(threads, sizeof threads);
	if (is_limited())
		arguments[5] = threads;
	return fuse_main(6, arguments, &file_system, NULL);
}

/* ---- what it takes to ask it ---- */

static int compare_ns(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Prints the time, in ns, that a read from a device takes, past its cache: the tenth
 * percentile, as a busy machine makes most of them longer.
 */
static int probe_device(const char *device)
{
	enum { READS = 201, BYTES = 4096 };
	static uint64_t ns[READS];
	static _Alignas(BYTES) char bytes[BYTES];
	int fd = open(device, O_RDONLY | O_DIRECT);

	for (int i = 0; i < READS; i++) {
		uint64_t before = disk_now_ns();

		if (pread(fd, bytes, BYTES, 0) != BYTES) {
			fprintf(stderr, "simulated_disk: %s: %s\n", device,
				strerror(errno));
			return 1;
		}
		ns[i] = disk_now_ns() - before;
	}
	qsort(ns, READS, sizeof *ns, compare_ns);
	printf("%" PRIu64 "\n", ns[READS / 10]);
	return 0;
}

/* ---- options ---- */

static const struct option disk_options[] = {
	{"image", "", "The file that has the image, also when the power is cut.",
	 .text = &image},
	{"mount", "", "Directory where `disk` and the commands appear.",
	 .text = &mount_point},
	{"name", "", "What the mount table says of it.", .text = &shown_name},
	{"size", "256Mi", "Of the disk, whole sectors.", .size = &size, .min = 65536},
	{"sector", "4096", "Bytes that are written as a whole or not at all.",
	 .size = &sector, .min = 512, .max = 65536},
	{"seed", "1", "Of what survives a cut, of latencies and of faults.",
	 .count = &seed},
	{"write_cache", "0", "1: what was not synced can be lost.", .flag = &write_cache},
	{"iops", "0", "I/Os of at most 256 KiB a second; 0: no limit.",
	 .count = &operations.per_s},
	{"bandwidth", "0", "Bytes a second; 0: no limit.", .size = &bandwidth.per_s},
	{"burst_iops", "0", "The same while there are credits; 0: no bursts.",
	 .count = &operations.burst_per_s},
	{"burst_bandwidth", "0", "The same while there are credits; 0: no bursts.",
	 .size = &bandwidth.burst_per_s},
	{"burst_s", "0", "Seconds of bursts that a full bucket has credits for.",
	 .real = &burst_s, .real_max = 1e6},
	{"latency_ms", "0", "Of a request, median.", .real = &latency_ms,
	 .real_max = 1e6},
	{"latency_p99_ms", "0", "Of a request; 0: all requests have the same latency.",
	 .real = &latency_p99_ms, .real_max = 1e6},
	{"stall_ms", "0", "Time in which no request is answered.", .real = &stall_ms,
	 .real_max = 1e9},
	{"stall_at_ms", "1000", "Time from `begin` to the stall.", .real = &stall_at_ms,
	 .real_max = 1e9},
	{"fault", "none", "Fault of the disk, from `begin` on.", .choice = &fault,
	 .choices = disk_faults},
	{"hits", "1", "Sectors of flip, stale and read.", .count = &hits, .min = 1,
	 .max = 1000000},
	{"after", "0", "Syncs or writes that succeed before the one that fails.",
	 .count = &after},
	{"probe", "", "Only print the time, in ns, of a read from this device.",
	 .text = &probe},
	{"check", "0", "1: only check the arguments.", .flag = &check},
	{0},
};

/* What is wrong with the numbers, or NULL. */
static const char *find_contradiction(void)
{
	if (size % sector)
		return "--size: give whole sectors";
	if (latency_p99_ms > 0 && latency_p99_ms < latency_ms)
		return "the p99 of latencies is below their median";
	if (operations.burst_per_s && operations.burst_per_s <= operations.per_s)
		return "bursts of I/Os are not faster than the limit of I/Os";
	if (bandwidth.burst_per_s && bandwidth.burst_per_s <= bandwidth.per_s)
		return "bursts of bandwidth are not faster than the limit of bandwidth";
	if ((operations.burst_per_s && !operations.per_s) ||
	    (bandwidth.burst_per_s && !bandwidth.per_s))
		return "without a limit there are no bursts; give --iops or --bandwidth";
	return NULL;
}

int main(int argc, char **argv)
{
	const char *wrong = NULL;
	const struct option *tables[] = {disk_options, NULL};
	char error[OPTION_ERROR_SIZE] = "";

	if (!option_set_defaults(disk_options, error) ||
	    !option_parse(tables, argc, argv, error) || (wrong = find_contradiction()) ||
	    (!check && !*probe && (!*image || !*mount_point))) {
		fprintf(stderr, "simulated_disk: %s\n",
			*error  ? error
			: wrong ? wrong
				: "--image or --mount is missing");
		return 2;
	}
	if (check)
		return 0;
	if (*probe)
		return probe_device(probe);
	if (!make_disk()) {
		fprintf(stderr, "simulated_disk: %s: %s\n", image, strerror(errno));
		return 1;
	}
#ifdef PR_SET_IO_FLUSHER
	/* so that its memory is not freed by writes that wait for itself */
	prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0);
#endif
	/* a disk is as fast on a busy machine, and its threads mostly sleep */
	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
	sched_setscheduler(0, SCHED_RR, &(struct sched_param){.sched_priority = 1});
	return serve_disk(argv[0]);
}
