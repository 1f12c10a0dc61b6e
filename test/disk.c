/*
 * disk.c: the simulated disk (scripts/tools/simulated_disk.c) without FUSE: its limits at
 * given times, what is left of a cut, and the sectors that faults strike.
 *
 * Prints TAP and exits with 1 if anything failed.
 */
#define main simulated_disk_main
#include "../scripts/tools/simulated_disk.c"
#undef main

#include "tap.h"

enum { SECTORS = 2000, MS = 1000000 };

/* A disk of so many sectors, each with its number in it, but for the first, which is blank. */
static void make_numbered(void)
{
	static char file[] = "/tmp/assay-disk-XXXXXX";
	int fd;

	sector = 512;
	size = SECTORS * 512;
	seed = 3;
	if (!image) {
		fd = mkstemp(file);
		image = file;
		close(fd);
		if (fd < 0 || !make_disk())
			exit(1);
		unlink(file);
	}
	written_fraction = 30;
	write_cache = false;
	fault = FAULT_NONE;
	begun_at = path_ns = watched_count = survived = struck = syncs_since =
		writes_since = 0;
	marked = NULL;
	empty_cache();
	for (uint64_t i = 0; i < SECTORS; i++) {
		memset(synced + i * sector, (int)(i ? 1 + i % 200 : 0), sector);
		unreadable[i] = own[i] = false;
	}
}

/* The first byte of a sector, as who reads it has it. */
static int byte_of(uint64_t number)
{
	unsigned char byte;

	return read_disk((char *)&byte, 1, number * sector) == 1 ? byte : -1;
}

static bool write_one(uint64_t number, int byte)
{
	char bytes[512];

	memset(bytes, byte, sizeof bytes);
	return write_disk(bytes, sizeof bytes, number * sector) == (int)sizeof bytes;
}

/* When a request that comes at `now` begins, in ms after that. */
static double begins_after(struct limit *l, uint64_t now)
{
	return (double)(take_tokens(l, 1, now) - now) / MS;
}

static bool is_about(double x, double y)
{
	return x > y - 0.01 && x < y + 0.01;
}

/* 1000 a second; after a pause it makes up for 50 ms, and for no more. */
static void rate_holds(void)
{
	struct limit l = {.per_s = 1000}, none = {.per_s = 0};
	double last = 0;

	begun_at = NS_PER_S;
	fill_buckets(&l);
	for (int i = 0; i < 500; i++)
		tap_expect(is_about(begins_after(&l, begun_at), i), "request %d", i);
	for (int i = 0; i < 200; i++) {
		last = begins_after(&l, begun_at + 3 * (uint64_t)NS_PER_S);
		tap_expect(is_about(last, i < 51 ? 0 : i - 50),
			   "after a pause, request %d: %g", i, last);
	}
	tap_expect(is_about(begins_after(&none, begun_at), 0), "no limit is one");
}

/* 4000 a second for two seconds, then 1000; what is saved in a pause is used again. */
static void burst_ends(void)
{
	struct limit l = {.per_s = 1000, .burst_per_s = 4000};
	double at[10001];

	begun_at = NS_PER_S;
	burst_s = 2;
	fill_buckets(&l);
	for (int i = 0; i <= 10000; i++)
		at[i] = begins_after(&l, begun_at);
	tap_expect(is_about(at[4000], 1000) && is_about(at[8000], 2000) &&
			   is_about(at[9000], 3000) && is_about(at[10000], 4000),
		   "at %g, %g, %g and %g ms", at[4000], at[8000], at[9000], at[10000]);
	l.burst_per_s = 500;
	fill_buckets(&l);
	begins_after(&l, begun_at);
	tap_expect(is_about(begins_after(&l, begun_at), 1), "a slower burst is none");
}

static int later_first(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

static void latencies_drawn(void)
{
	enum { DRAWN = 40000 };
	static uint64_t drawn[DRAWN];

	chance = random_seed(5, "latency");
	latency_ms = 2;
	path_ns = 0;
	tap_expect(draw_latency() == 2 * MS, "a fixed one is another");
	path_ns = MS / 2;
	tap_expect(draw_latency() == MS * 3 / 2, "the way there counts twice");
	path_ns = 3 * MS;
	tap_expect(draw_latency() == 0, "a long way takes longer");
	path_ns = 0;
	latency_p99_ms = 10;
	for (int i = 0; i < DRAWN; i++)
		drawn[i] = draw_latency();
	qsort(drawn, DRAWN, sizeof *drawn, later_first);
	tap_expect(fabs((double)drawn[DRAWN / 2] / (2 * MS) - 1) < 0.03 &&
			   fabs((double)drawn[DRAWN / 100] / (10 * MS) - 1) < 0.06 &&
			   fabs((double)drawn[DRAWN / 100 * 99] / (0.4 * MS) - 1) < 0.06,
		   "median %g, p99 %g, p1 %g ms", (double)drawn[DRAWN / 2] / MS,
		   (double)drawn[DRAWN / 100] / MS, (double)drawn[DRAWN / 100 * 99] / MS);
	latency_ms = latency_p99_ms = 0;
	begun_at = NS_PER_S;
	stall_at_ms = 10;
	stall_ms = 5;
	tap_expect(after_stall(begun_at + 10 * MS - 1) == begun_at + 10 * MS - 1 &&
			   after_stall(begun_at + 10 * MS) == begun_at + 15 * MS &&
			   after_stall(begun_at + 15 * MS - 1) == begun_at + 15 * MS &&
			   after_stall(begun_at + 15 * MS) == begun_at + 15 * MS,
		   "a stall is not from 10 to 15 ms");
	tap_expect(count_ios(1) == 1 && count_ios(256 << 10) == 1 &&
			   count_ios((256 << 10) + 1) == 2,
		   "an I/O has not 256 KiB");
	command_calibrate("");
	latency_ms = 2;
	command_begin("2500000");
	tap_expect(path_ns == MS / 2, "the way takes %d ns", (int)path_ns);
	command_begin("1500000");
	tap_expect(!path_ns, "less than nothing");
	latency_ms = stall_ms = 0;
}

/* What was synced is there, a part of the rest, and of two versions one of them. */
static void cut_leaves(void)
{
	unsigned there = 0, old = 0, newer = 0;

	make_numbered();
	chance = random_seed(7, "cut");
	write_cache = true;
	for (uint64_t i = 1; i < 1000; i++)
		write_one(i, 222);
	tap_expect(sync_disk() == 0 && !unsynced_count, "a sync fails");
	for (uint64_t i = 1000; i < SECTORS; i++)
		write_one(i, 230);
	for (uint64_t i = 1000; i < SECTORS; i++)
		write_one(i, 240);
	tap_expect(unsynced_count == 1000 && byte_of(1500) == 240 &&
			   (unsigned char)synced[1500 * 512] != 240,
		   "what was written is not read, or is on the disk");
	command_cut("");
	for (uint64_t i = 1; i < SECTORS; i++) {
		int byte = (unsigned char)synced[i * 512];

		there += i < 1000 && byte == 222;
		old += i >= 1000 && byte == 230;
		newer += i >= 1000 && byte == 240;
	}
	/* 30 %, and 30 % of the other 70 %; four deviations of a thousand */
	tap_expect(there == 999 && newer == survived && newer > 242 && newer < 358 &&
			   old > 158 && old < 262,
		   "%u synced, %u and %u others", there, old, newer);
	power_off = false;
}

/* Each watched sector that is not blank is as likely, and none is struck twice. */
static void strikes_are_fair(void)
{
	enum { TRIALS = 20000, WATCHED = 12 };
	unsigned found[WATCHED] = {0}, bits[8] = {0}, changed = 0;

	make_numbered();
	hits = 2;
	fault = FAULT_READ;
	command_watch("0 5120\n5200 1000\n1024000 512\n");
	tap_expect(watched_count == WATCHED, "%d are watched", (int)watched_count);
	chance = random_seed(9, "strikes");
	for (int i = 0; i < TRIALS; i++) {
		struck = 0;
		strike_sectors();
		for (uint64_t k = 0; k < WATCHED; k++) {
			found[k] += unreadable[k];
			tap_expect(!unreadable[k] || byte_of(k) == -1, "it can be read");
			unreadable[k] = false;
		}
		tap_expect(struck == 2, "%d were struck", (int)struck);
	}
	/* the first is blank; five deviations */
	for (int k = 0; k < WATCHED; k++)
		tap_expect(k ? found[k] > 3363 && found[k] < 3909 : !found[k],
			   "sector %d is struck %u times", k, found[k]);
	fault = FAULT_FLIP;
	for (int i = 0; i < 800; i++) {
		make_numbered();
		watched[watched_count++] = 7;
		hits = 1;
		fault = FAULT_FLIP;
		strike_sectors();
		for (uint64_t k = 0; k < 512; k++) {
			int bit = (unsigned char)synced[7 * 512 + k] ^ 8;

			changed += bit != 0;
			for (int b = 0; b < 8; b++)
				bits[b] += bit == 1 << b;
		}
	}
	for (int b = 0; b < 8; b++)
		tap_expect(bits[b] > 50 && bits[b] < 150, "bit %d in %u of 800", b,
			   bits[b]);
	tap_expect(changed == 800, "%u bytes in 800 flips", changed);
}

/* Back to the last mark, of what has changed since; syncs and writes fail once, when due. */
static void faults_of_requests(void)
{
	make_numbered();
	watched[watched_count++] = 5;
	watched[watched_count++] = 6;
	command_mark("");
	write_one(5, 99);
	command_mark("");
	write_one(5, 100);
	hits = 9;
	fault = FAULT_STALE;
	command_begin("0");
	tap_expect(struck == 1 && byte_of(5) == 99 && byte_of(6) == 7, "%d struck, %d",
		   (int)struck, byte_of(5));

	make_numbered();
	write_cache = true;
	fault = FAULT_SYNC;
	after = 2;
	tap_expect(!sync_disk() && !sync_disk() && !sync_disk(), "before the beginning");
	command_begin("0");
	tap_expect(!sync_disk() && !sync_disk(), "the first two");
	write_one(5, 99);
	tap_expect(sync_disk() == -EIO && byte_of(5) == 6 && struck == 1,
		   "the third does not fail, or keeps what was not synced");
	write_one(5, 98);
	tap_expect(!sync_disk() && byte_of(5) == 98 && struck == 1, "it fails again");

	make_numbered();
	write_one(3, 50); /* the file system's own */
	command_mark("");
	fault = FAULT_WRITE;
	after = 1;
	command_begin("0");
	tap_expect(write_one(3, 51) && write_one(4, 52) && write_one(3, 53) &&
			   !write_one(4, 54) && byte_of(4) == 52 && write_one(4, 55) &&
			   struck == 1,
		   "another write fails");
}

int main(void)
{
	tap_run("simulated_disk: a rate holds, and makes up for 50 ms", rate_holds);
	tap_run("simulated_disk: a burst ends when its credit does", burst_ends);
	tap_run("simulated_disk: latencies are drawn, and stalls wait", latencies_drawn);
	tap_run("simulated_disk: what is synced survives a cut", cut_leaves);
	tap_run("simulated_disk: faults strike each sector alike", strikes_are_fair);
	tap_run("simulated_disk: stale sectors, failing syncs and writes",
		faults_of_requests);
	return tap_end();
}
