/*
 * unit.c: the parts of util/, each held against its definition or an independent
 * computation.
 *
 * Prints TAP and exits with 1 if anything failed. Nothing here depends on how fast the
 * machine is. Arguments are beginnings of names: `unit clock guard` runs those only.
 * Constants marked (python) were computed with Python's unbounded integers.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__) && defined(__LP64__)
#include <elf.h>
#endif

#include "../bench/extras/backup.h"
#include "../bench/extras/long_reader.h"
#include "../bench/extras/mixgraph.h"
#include "../bench/extras/slow_cause.h"
#include "../engines/driver_common.h"
#include "../bench/report/verdict.h"
#include "../bench/runner/database.h"
#include "../bench/runner/transaction.h"
#include "../bench/workload/db_bench_flags.h"
#include "../bench/workload/extra.h"
#include "../bench/workload/help.h"
#include "../util/address.h"
#include "../util/backoff.h"
#include "../util/distinct_count.h"
#include "../util/os/cgroup.h"
#include "../util/os/clock.h"
#include "../util/file_copy.h"
#include "../util/os/device.h"
#include "../util/distribution.h"
#include "../util/os/sync_count.h"
#include "../util/os/supervisor.h"
#include "../util/hdrlog.h"
#include "../util/hist.h"
#include "../util/histprint.h"
#include "../util/os/host.h"
#include "../util/os/library_info.h"
#include "../util/list_parser.h"
#include "../util/edit_distance.h"
#include "../util/file_barrier.h"
#include "../util/java_properties.h"
#include "../util/json_reader.h"
#include "../util/length_table.h"
#include "../util/os/perf.h"
#include "../util/os/perf_control.h"
#include "../util/os/raw_device.h"
#include "../util/os/thread_name.h"
#include "../util/option.h"
#include "../util/rate_schedule.h"
#include "../util/insert_benchmark_row.h"
#include "../util/random.h"
#include "../util/record.h"
#include "../util/result.h"
#include "../util/per_second.h"
#include "../util/message.h"
#include "../util/stats.h"
#include "../util/linearize.h"
#include "../util/steady_state.h"
#include "../util/db_dir.h"
#include "../util/timeline.h"
#include "../util/trace.h"
#include "../util/os/resource_usage.h"
#include "../util/os/thread_barrier.h"
#include "../util/os/thread_delay.h"
#include "tap.h"

static char **chosen;         /* if any, the beginnings of the names that run */
static uint64_t chosen_found; /* bits of those that name a test */

static bool is_selected(const char *name)
{
	bool selected = !*chosen;

	for (unsigned i = 0; chosen[i]; i++)
		if (!strncmp(name, chosen[i], strlen(chosen[i]))) {
			chosen_found |= UINT64_C(1) << i;
			selected = true;
		}
	return selected;
}

static void every_choice_names_a_test(void)
{
	for (unsigned i = 0; chosen[i]; i++)
		tap_expect(chosen_found >> i & 1, "no test begins with '%s'", chosen[i]);
}

static void run(const char *name, void (*test)(void))
{
	if (is_selected(name))
		tap_run(name, test);
}

/* ---- message ---- */

static void text_added(void)
{
	char text[16] = "", *rest = text + 11;

	memset(rest, '#', 4);
	message_append(text, 11, ", ", "%s", "one");
	tap_expect(!strcmp(text, "one"), "is '%s'", text);
	message_append(text, 11, ", ", "%d", 2);
	tap_expect(!strcmp(text, "one, 2"), "is '%s'", text);
	for (int i = 0; i < 9; i++)
		message_append(text, 11, ", ", "%s", "three");
	tap_expect(!strcmp(text, "one, 2, th") && !memcmp(rest, "####", 4),
		   "'%s' is not cut to what there is room for", text);
	message_append(text, 6, ", ", "%s", "too late");
	tap_expect(!strcmp(text, "one, 2, th"), "is '%s'", text);
}

/* ---- hist ---- */

static struct hist h;

static double reported(uint64_t value)
{
	memset(&h, 0, sizeof h);
	h.unit = 1;
	hist_record(&h, value);
	/* A larger value keeps the maximum from mending the middle of the bucket. */
	hist_record(&h, value * 2 + 2);
	return hist_quantile(&h, 0);
}

static void hist_error(void)
{
	for (double x = 1; x < 3.6e12; x *= 1.013) {
		for (int near = -1; near <= 1; near++) {
			uint64_t v = (uint64_t)x + (uint64_t)(near + 1);
			double error = fabs(reported(v) - (double)v) / (double)v;

			tap_expect(error <= 0.01, "%llu ns is off by %g",
				   (unsigned long long)v, error);
		}
	}
}

static void hist_small_exact(void)
{
	for (uint64_t v = 0; v < 255; v++)
		tap_expect(reported(v) == (double)v, "%llu became %g",
			   (unsigned long long)v, reported(v));
}

/* Of one value, or equal ones, all is known. A clock that goes back has a bucket. */
static void hist_of_one(void)
{
	struct hist_summary s;

	memset(&h, 0, sizeof h);
	h.unit = 2;
	hist_record(&h, 8388000);
	s = hist_summarize(&h);
	tap_expect(s.min == 16776000 && s.max == s.min && s.mean == s.min &&
			   !(s.stddev > 0),
		   "of one: %g %g %g %g", s.min, s.mean, s.max, s.stddev);
	tap_expect(hist_quantile(&h, 10000) == s.min &&
			   hist_quantile(&h, 990000) == s.min,
		   "p99 is %g", hist_quantile(&h, 990000));
	for (int i = 0; i < 999; i++)
		hist_record(&h, 8388000);
	s = hist_summarize(&h);
	tap_expect(!(s.stddev > 0) && s.min <= s.mean &&
			   hist_quantile(&h, 10000) >= s.min &&
			   hist_quantile(&h, 999500) == s.max &&
			   hist_quantile(&h, 999000) <= s.max,
		   "of equal ones: %g", s.stddev);
	for (uint64_t v = 94906267; v < 94906297; v++) { /* above the root of 2^53 */
		memset(&h, 0, sizeof h);
		h.unit = 1;
		for (int i = 0; i < 1001; i++)
			hist_record(&h, v);
		tap_expect(!(hist_summarize(&h).stddev > 0), "%llu deviates by %g",
			   (unsigned long long)v, hist_summarize(&h).stddev);
	}
	memset(&h, 0, sizeof h);
	for (uint64_t back = 1; back; back <<= 1)
		hist_record(&h, 0 - back);
	tap_expect(h.count[0] == 64 && !h.max && !h.sum, "negative times are %llu",
		   (unsigned long long)h.sum);
}

static void hist_buckets_contiguous(void)
{
	for (int power = 0; power < 52; power++) {
		for (int near = -2; near <= 2; near++) {
			uint64_t v = ((uint64_t)1 << power) + (uint64_t)(near + 2);
			size_t b = hist_bucket(hist_double(v));

			tap_expect(hist_lowest(b) <= (double)v &&
					   (double)v <= hist_highest(b),
				   "%llu outside its bucket", (unsigned long long)v);
			tap_expect(hist_bucket(hist_double(v + 1)) >= b,
				   "buckets go back at %llu", (unsigned long long)v);
		}
	}
	tap_expect(hist_bucket(hist_double(UINT64_MAX / 2)) < HIST_BUCKETS,
		   "2^63 has no bucket");
}

static void hist_quantiles(void)
{
	memset(&h, 0, sizeof h);
	h.unit = 1;
	for (int i = 0; i < 1000000; i++)
		hist_record(&h, i % 10000 == 5 ? 5000000 : 20);
	tap_expect(hist_quantile(&h, 999900) == 20, "99.99 %% is slow");
	tap_expect(fabs(hist_quantile(&h, 999901) / 5e6 - 1) < 0.01,
		   "the slow ones are missed");
	tap_expect(hist_quantile(&h, 500000) == 20 &&
			   fabs(hist_quantile(&h, 1000000) / 5e6 - 1) < 0.01,
		   "median or maximum");
}

static void hist_moments(void)
{
	static struct hist a, b;
	struct random r = random_seed(7, "moments");
	double sum = 0, squares = 0, n = 100000, least = INFINITY, most = 0;
	struct hist_summary s;

	a.unit = b.unit = 0.5;
	memset(&h, 0, sizeof h);
	for (int i = 0; i < n; i++) {
		/* the longest is not in what is merged last */
		uint64_t v = i == 1 ? 2000000 : 300 + random_below(&r, 1000000);

		hist_record(i % 3 ? &a : &b, v);
		sum += (double)v;
		squares += (double)v * (double)v;
		least = fmin(least, (double)v);
		most = fmax(most, (double)v);
	}
	hist_merge(&h, &a);
	hist_merge(&h, &b);
	s = hist_summarize(&h);
	double mean = sum / n, deviation = sqrt(squares / n - mean * mean);

	tap_expect(s.count == 100000, "count %llu", (unsigned long long)s.count);
	tap_expect(fabs(s.mean / (mean / 2) - 1) < 1e-9, "mean %g, not %g", s.mean,
		   mean / 2);
	tap_expect(fabs(s.stddev / (deviation / 2) - 1) < 1e-9, "deviation %g, not %g",
		   s.stddev, deviation / 2);
	tap_expect(s.max == most / 2 && s.min == least / 2,
		   "max %g min %g, not %g and %g", s.max, s.min, most / 2, least / 2);
}

/* Recorded together as one by one, of clocks that stand still or go back, too. */
static void hist_batches(void)
{
	static const uint64_t values[] = {9, 0, 300001, 5, 300003, 0 - (uint64_t)7, 1000};
	static struct hist single;
	struct hist_batch batch = HIST_NO_BATCH;
	struct hist_summary s;
	double sum = 0, squares = 0;

	memset(&h, 0, sizeof h);
	memset(&single, 0, sizeof single);
	h.unit = single.unit = 1;
	for (int i = 0; i < 7; i++) {
		double v = i == 5 ? 0 : (double)values[i];

		hist_record(&single, values[i]);
		hist_add_to_bucket(&h, &batch, values[i]);
		h.sum += (uint64_t)v;
		sum += v / 7;
		squares += v * v / 7;
	}
	hist_end_batch(&h, &batch);
	tap_expect(!memcmp(&h, &single, sizeof h), "max %g and %g, min %g and %g",
		   (double)h.max, (double)single.max, (double)~h.below_min,
		   (double)~single.below_min);
	s = hist_summarize(&h);
	tap_expect(s.max == 300003 && !(s.min > 0) && s.count == 7 &&
			   fabs(s.stddev / sqrt(squares - sum * sum) - 1) < 1e-9,
		   "%g to %g, deviation %g", s.min, s.max, s.stddev);
	memset(&single, 0, sizeof single);
	hist_record(&single, 1000);
	hist_record(&single, 1004);
	hist_merge(&single, &h);
	hist_merge(&h, &single);
	tap_expect(!(hist_summarize(&single).min > 0) && hist_summarize(&h).max == 300003,
		   "merged: from %g", hist_summarize(&single).min);
	/* the least of a bucket is not its lowest */
	memset(&single, 0, sizeof single);
	single.unit = 1;
	hist_record(&single, 1004);
	hist_record(&single, 1006);
	s = hist_summarize(&single);
	tap_expect(s.min == 1004 && s.max == 1006 && s.stddev == 1 && s.mean == 1005,
		   "%g to %g, deviation %g", s.min, s.max, s.stddev);
	tap_expect(hist_quantile(&single, 100000) >= 1004 &&
			   hist_quantile(&single, 1000000) == 1006,
		   "percentiles outside: %g", hist_quantile(&single, 100000));
	memset(&single, 0, sizeof single);
	single.unit = 1;
	hist_record(&single, 1);
	for (int i = 0; i < 3; i++)
		hist_record(&single, 0);
	tap_expect(fabs(hist_summarize(&single).stddev - sqrt(3) / 4) < 1e-12,
		   "deviation of 0, 0, 0 and 1: %g", hist_summarize(&single).stddev);
}

/* ---- clock ---- */

static void wait_ms(unsigned ms)
{
	uint64_t until = clock_raw_ns() + ms * (uint64_t)1000000;

	while (clock_raw_ns() < until)
		;
}

static void clock_agrees(void)
{
	for (int counter = 0; counter <= (int)clock_counter_usable(); counter++) {
		struct clock c = clock_calibrate(counter);
		struct clock_pair from = clock_pair_now(&c), to;
		uint64_t last = clock_ticks(&c);

		wait_ms(200);
		to = clock_pair_now(&c);
		tap_expect(clock_ticks(&c) >= last, "ran backwards");
		tap_expect(clock_disagreement(&c, from, to) < 1e-3,
			   "counter %d is off by %g", counter,
			   clock_disagreement(&c, from, to));
		c.ns_per_tick += c.ns_per_tick / 100;
		tap_expect(clock_disagreement(&c, from, to) > 5e-3,
			   "an error of 1 %% is not counted");
		tap_expect(c.read_cost_ns > 0 && c.read_cost_ns < 1e5,
			   "a reading costs %g ns", c.read_cost_ns);
	}
}

/* Of the 20 ms that it takes two are awake, and what readings cost. */
static void clock_is_calibrated_asleep(void)
{
	const clock_t cpu = clock();
	const uint64_t began = clock_raw_ns();

	if (!clock_counter_usable())
		return;
	clock_calibrate(true);
	tap_expect(clock_raw_ns() - began >= 20000000, "in less than 20 ms");
	tap_expect(clock() - cpu < CLOCKS_PER_SEC / 100, "with %g s of CPU",
		   (double)(clock() - cpu) / CLOCKS_PER_SEC);
}

static void clock_is_wide(void)
{
	struct clock c = {.counter = true, .ns_per_tick = (uint64_t)1 << 31};
	uint64_t ten_years = 315360000ull * 1000000000ull * 2;

	tap_expect(clock_ns(&c, ten_years) == ten_years / 2, "ten years overflow");
	tap_expect(clock_ns(&c, 3) == 2, "is not rounded");
}

/* ---- random ---- */

#define WIDE(high, low) ((random_u128)(high) << 64 | (low))

static void random_vectors(void)
{
	static const uint64_t draws[] = {0x749aec7eed91fa70, 0xe5eb622edb6d872e,
					 0xf2556f9f46a4c627,
					 0xdc225dca9dde9813}; /* (python) */
	static const uint64_t mixed[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4,
					 0x06c45d188009454f};
	struct random r = {WIDE(0x0123456789abcdef, 0xfedcba9876543211)};
	uint64_t state = 0;

	for (int i = 0; i < 4; i++)
		tap_expect(random_next(&r) == draws[i], "draw %d", i);
	for (int i = 0; i < 3; i++)
		tap_expect(random_splitmix(&state) == mixed[i], "splitmix64 %d", i);
	r.state = WIDE(0x0123456789abcdef, 0xfedcba9876543211);
	random_jump(&r);
	/* (python) */
	tap_expect(r.state == WIDE(0xf573aa8fb46a67b6, 0xc9a2bcd9b5bc2fd5), "jump");
}

static int compare_words(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, 8);
	memcpy(&y, b, 8);
	return x < y ? -1 : x > y;
}

/*
 * The first draws of 64 streams, and of two other seeds and names: no word twice, no low
 * half twice often.
 */
static void random_streams_apart(void)
{
	enum { STREAMS = 66, WORDS = 1000 };
	uint64_t *all = malloc(STREAMS * WORDS * sizeof *all);
	struct random stream = random_seed(1, "readrandom");

	if (!all)
		exit(1);
	for (int s = 0; s < STREAMS; s++, random_jump(&stream)) {
		struct random r =
			s < 64 ? stream
			       : random_seed(s == 64 ? 2 : 1,
					     s == 64 ? "readrandom" : "fillrandom");

		for (int i = 0; i < WORDS; i++)
			all[s * WORDS + i] = random_next(&r) & 0xffffffffffff;
	}
	qsort(all, STREAMS * WORDS, sizeof *all, compare_words);
	for (int i = 1; i < STREAMS * WORDS; i++)
		tap_expect(all[i] != all[i - 1], "two streams draw the same 48 bits");
	free(all);
}

/*
 * 4096 multiples of the jump around the cycle of 2^126: the nearest two (python:
 * 2^113.5).
 */
static void random_jump_spread(void)
{
	random_u128 length = WIDE(0x278dde6e5fd29f05, 0x7ce73018173b720d),
		    cycle = (random_u128)1 << 126;
	uint64_t top[4097];

	for (unsigned i = 0; i <= 4096; i++)
		top[i] = (uint64_t)(length * i % cycle >> 62);
	qsort(top, 4097, sizeof *top, compare_words);
	for (int i = 1; i <= 4096; i++)
		tap_expect(top[i] - top[i - 1] >= (uint64_t)1 << 50,
			   "streams are nearer than 2^112");
}

/* Chi-square over 1000 cells: 999 degrees of freedom, 1 in 10^6 exceeds 1223. */
static void random_uniform(void)
{
	static uint64_t cells[1000];
	struct random r = random_seed(3, "uniform");
	double chi = 0;

	for (int i = 0; i < 1000000; i++) {
		uint64_t x = random_below(&r, 1000);

		tap_expect(x < 1000, "out of range");
		cells[x]++;
	}
	for (int i = 0; i < 1000; i++)
		chi += ((double)cells[i] - 1000) * ((double)cells[i] - 1000) / 1000;
	tap_expect(chi < 1223 && chi > 800, "chi-square is %g", chi);
}

static void permutation_is_one(void)
{
	static const uint64_t sizes[] = {1, 2, 3, 10, 1000, 65536, 65537, 100000};
	static unsigned char counted[100000];

	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		struct random_permutation p = random_permutation_make(sizes[k], 5);
		uint64_t neighbours = 0, last = 0;

		memset(counted, 0, sizeof counted);
		for (uint64_t i = 0; i < sizes[k]; i++) {
			uint64_t to = random_permutation_at(&p, i);

			tap_expect(to < sizes[k] && !counted[to], "of %llu is none",
				   (unsigned long long)sizes[k]);
			if (to < sizes[k])
				counted[to] = 1;
			neighbours += to == last + 1;
			last = to;
		}
		tap_expect(sizes[k] < 1000 || neighbours < sizes[k] / 100,
			   "keeps neighbours together");
	}
	struct random_permutation big = random_permutation_make(10000000000, 5),
				  other = random_permutation_make(10000000000, 6);

	for (uint64_t i = 0; i < 1000; i++)
		tap_expect(random_permutation_at(&big, i) < 10000000000, "10^10 is left");
	tap_expect(random_permutation_at(&big, 1) != random_permutation_at(&other, 1),
		   "the seed does not matter");
}

/* ---- record ---- */

static void check_keys(size_t size, bool wide, const uint64_t *ids, unsigned n)
{
	struct record_key_shape shape = {KEYS_DECIMAL, wide, size, (size + 15) / 16 * 16};
	char *keys = malloc((n + 1) * shape.stride), want[600];

	if (!keys)
		exit(1);
	memset(keys, '0', (n + 1) * shape.stride);
	record_write_keys(&shape, keys, ids, n);
	for (unsigned i = 0; i < n; i++) {
		snprintf(want, sizeof want, "%0*llu", (int)size,
			 (unsigned long long)ids[i]);
		tap_expect(!memcmp(keys + i * shape.stride, want, size),
			   "key of %llu in %zu bytes", (unsigned long long)ids[i], size);
		tap_expect(record_parse_key(keys + i * shape.stride, size,
					    KEYS_DECIMAL) == ids[i],
			   "id of %llu", (unsigned long long)ids[i]);
	}
	free(keys);
}

static void keys_are_decimal(void)
{
	static const size_t sizes[] = {8, 9, 15, 16, 17, 24, 511};
	static uint64_t ids[20001];
	struct random r = random_seed(1, "keys");

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		uint64_t max_keys = 1;

		for (size_t d = 0; d < sizes[s] && d < 16; d++)
			max_keys *= 10;
		/*
		 * every pair of digits in each place, then random ones; n is odd on
		 * purpose
		 */
		for (unsigned i = 0; i < 20000; i++)
			ids[i] = i < 10000 ? i * 10000ull + 9999 - i
					   : random_below(&r, 100000000);
		check_keys(sizes[s], false, ids, 19999);
		for (unsigned i = 0; i < 20000; i++)
			ids[i] = i < 30 ? max_keys - 1 - i : random_below(&r, max_keys);
		check_keys(sizes[s], sizes[s] > 8, ids, 20000);
	}
}

static void keys_native(void)
{
	struct record_key_shape shape = {KEYS_NATIVE, true, 8, 16};
	uint64_t ids[4] = {0, 1, UINT64_MAX - 1, 5}, back;
	char keys[64];

	record_write_keys(&shape, keys, ids, 4);
	for (int i = 0; i < 4; i++) {
		memcpy(&back, keys + 16 * i, 8);
		tap_expect(back == ids[i] && record_parse_key(keys + 16 * i, 8,
							      KEYS_NATIVE) == ids[i],
			   "native key %d", i);
	}
	tap_expect(record_parse_key("12x4", 4, KEYS_DECIMAL) == UINT64_MAX,
		   "a letter is a digit");
	tap_expect(record_parse_key(keys, 7, KEYS_NATIVE) == UINT64_MAX,
		   "seven bytes are eight");
}

/* As values of one size. */
static bool checks(const char *value, size_t size, unsigned ratio, uint64_t id,
		   char *scratch)
{
	struct record_sizes sizes = {.min = size, .max = size};

	return record_check(&sizes, value, size, ratio, id, scratch);
}

static void values_check(void)
{
	static const unsigned ratios[] = {0, 77, 128, 256};
	char value[700], scratch[700];

	for (size_t size = 1; size <= 600; size++) {
		for (int k = 0; k < 4; k++) {
			uint64_t id = size * 977, generation = size % 3 ? size : 0;

			memset(value, '#', sizeof value);
			record_write_value(value, size, ratios[k], id, generation);
			tap_expect(value[size] == '#',
				   "%zu bytes write beyond themselves", size);
			tap_expect(checks(value, size, ratios[k], id, scratch),
				   "%zu bytes fail their check", size);
			tap_expect(!checks(value, size, ratios[k], id + 1, scratch),
				   "%zu bytes pass for another's", size);
		}
	}
}

/*
 * Of a value that is cut inside the generation, only the id can be held against anything.
 */
static void values_notice(void)
{
	static const size_t sizes[] = {3, 8, 12, 16, 17, 40, 100, 300, 600};
	char value[700], scratch[700];

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		size_t size = sizes[s], known = size < 16 && size > 8 ? 8 : size;

		for (size_t byte = 0; byte < known; byte++) {
			/*
			 * the lowest bits of a generation alone are another value's, so
			 * the body must tell
			 */
			if (size == 16 && byte >= 8)
				continue;
			record_write_value(value, size, 128, 12345, 67);
			value[byte] = (char)(value[byte] ^ 1);
			tap_expect(!checks(value, size, 128, 12345, scratch),
				   "byte %zu of %zu is not looked at", byte, size);
		}
	}
}

static void values_compress(void)
{
	enum { VALUES = 4000, SIZE = 116 };
	uint64_t *words = malloc(VALUES * 7 * sizeof *words);
	size_t n = 0, zeros = 0;
	char value[SIZE];

	if (!words)
		exit(1);
	for (uint64_t id = 0; id < VALUES; id++) {
		record_write_value(value, SIZE, 128, id, 0);
		for (size_t i = 0; i < SIZE; i++)
			zeros += !value[i];
		for (size_t i = 0; i < 7; i++)
			memcpy(&words[n++], value + 8 * i, 8);
	}
	qsort(words, n, sizeof *words, compare_words);
	for (size_t i = 1; i < n; i++)
		tap_expect(words[i] != words[i - 1], "eight random bytes stand twice");
	/*
	 * A byte less than half of them, of which one in 256 is 0 too; five standard
	 * deviations.
	 */
	double fraction = 1 - (double)zeros / VALUES / SIZE,
	       expected = 57.0 / SIZE * 255 / 256;

	tap_expect(fabs(fraction - expected) < 3.2e-4,
		   "%g of the bytes are random, not %g", fraction, expected);
	free(words);
}

static uint64_t fold(const char *p, size_t size)
{
	/* An allocation of its own, so that a sanitizer sees a byte too many. */
	char *copy = malloc(size + !size);
	uint64_t folded;

	if (!copy)
		exit(1);
	memcpy(copy, p, size);
	folded = record_digest(record_fold(copy, size));
	free(copy);
	return folded;
}

static void swap_bytes(char *a, char *b, size_t size)
{
	char saved[32];

	memcpy(saved, a, size);
	memcpy(a, b, size);
	memcpy(b, saved, size);
}

static void fold_notices(void)
{
	char bytes[320];
	struct random r = random_seed(1, "fold");

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)random_next(&r);
	for (size_t size = 1; size <= 300; size++) {
		uint64_t before = fold(bytes, size);

		tap_expect(before == record_digest(record_fold(bytes, size)),
			   "alignment matters at %zu", size);
		for (size_t i = 0; i < size; i++) {
			bytes[i] = (char)(bytes[i] ^ 0x80);
			tap_expect(fold(bytes, size) != before,
				   "byte %zu of %zu does not count", i, size);
			bytes[i] = (char)(bytes[i] ^ 0x80);
		}
		for (size_t i = 0; i + 32 <= size; i += 16) {
			swap_bytes(bytes + i, bytes + i + 16, 16);
			tap_expect(fold(bytes, size) != before,
				   "words at %zu of %zu can change places", i, size);
			swap_bytes(bytes + i, bytes + i + 16, 16);
		}
	}
	tap_expect(fold(bytes, 0) != fold(bytes, 1), "nothing is like something");
}

/* ---- option ---- */

static struct {
	uint64_t count, size;
	double real;
	bool flag;
	const char *text;
	int choice;
} got;

static const char *const colours[] = {"red", "green", NULL};
static const struct option table[] = {
	{"count", "5", "A count.", .count = &got.count, .min = 1, .max = 1000000000000,
	 .group = "First"},
	{"some_size", "64Ki", "A size.", .alias = "bytes", .size = &got.size},
	{"real", "0.5", "A real.", .real = &got.real, .real_max = 1},
	{"flag", "0", "A flag.", .flag = &got.flag, .group = "Second"},
	{"text", "", "A text.", .text = &got.text},
	{"choice", "green", "A choice.", .choice = &got.choice, .choices = colours},
	{0},
};
static const struct option *const all_tables[] = {table, NULL};

/* Parse a line of words; an empty string if it was taken, else the complaint. */
static const char *parse(const char *line)
{
	static char error[OPTION_ERROR_SIZE], copy[256];
	char *argv[16] = {copy}, *rest = copy;
	int argc = 1;

	snprintf(copy, sizeof copy, "%s", line);
	option_set_defaults(table, error);
	while ((argv[argc] = strsep(&rest, " ")))
		argc++;
	if (!*line)
		argc = 1;
	error[0] = '\0';
	option_parse(all_tables, argc, argv, error);
	return error;
}

static void options_taken(void)
{
	static const struct {
		const char *line;
		uint64_t count, size;
		double real;
		bool flag;
		int choice;
	} cases[] = {
		{"", 5, 65536, 0.5, false, 1},
		{"--count=7", 7, 65536, 0.5, false, 1},
		{"--count 7k", 7000, 65536, 0.5, false, 1},
		{"--count=2M --some-size=3Mi", 2000000, 3 << 20, 0.5, false, 1},
		{"--bytes=1k", 5, 1000, 0.5, false, 1},
		{"--flag --real 0.25", 5, 65536, 0.25, true, 1},
		{"--flag 0 --choice=red", 5, 65536, 0.5, false, 0},
		{"--flag=true --count=1 --count=2", 2, 65536, 0.5, true, 1},
		{"--some_size=8Gi --count=1g", 1000000000, 8ull << 30, 0.5, false, 1},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *error = parse(cases[i].line);

		tap_expect(!*error, "'%s': %s", cases[i].line, error);
		tap_expect(got.count == cases[i].count && got.size == cases[i].size &&
				   got.real == cases[i].real &&
				   got.flag == cases[i].flag &&
				   got.choice == cases[i].choice,
			   "'%s' is read as something else", cases[i].line);
	}
}

static void options_refused(void)
{
	static const struct {
		const char *line, *says;
	} cases[] = {
		{"--count=10x", "--count"},
		{"--count=x", "--count"},
		{"--count=", "--count"},
		{"--count=-5", "-5"},
		{"--count=1e3", "1e3"},
		{"--count=0x10", "0x10"},
		{"--count=1.5", "1.5"},
		{"--count=+5", "+5"},
		{"--count=5kk", "5kk"},
		{"--count=1Ki", "1Ki"},
		{"--count=0", "outside"},
		{"--count=2t", "outside"},
		{"--count=99999999999999999999", "9999"},
		{"--some_size=20000000000g", "20000000000g"},
		{"--real=nan", "nan"},
		{"--real=inf", "inf"},
		{"--real=-0.1", "outside"},
		{"--real=2", "outside"},
		{"--real=0.5x", "0.5x"},
		{"--flag=2", "--flag"},
		{"--choice=blue", "red, green"},
		{"--colour=red", "--colour"},
		{"count=5", "count=5"},
		{"--", "--"},
		{"--count", "missing"},
		{"--cou=5", "--cou"},
		{"-count=5", "-count"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		tap_expect(strstr(parse(cases[i].line), cases[i].says),
			   "'%s' answers '%s'", cases[i].line, parse(cases[i].line));
}

static int occurrences(const char *text, const char *of)
{
	int n = 0;

	while ((text = strstr(text, of))) {
		n++;
		text++;
	}
	return n;
}

static void options_printed(void)
{
	char *help = NULL, *manual = NULL, name[64];
	size_t size;
	FILE *f = open_memstream(&help, &size);

	option_print_help(table, f);
	fclose(f);
	f = open_memstream(&manual, &size);
	option_print_manual(table, f);
	fclose(f);
	for (const struct option *o = table; o->name; o++) {
		snprintf(name, sizeof name, "  --%s=", o->name);
		tap_expect(occurrences(help, name) == 1, "help has no %s", o->name);
		snprintf(name, sizeof name, ".It Fl Fl %s ", o->name);
		tap_expect(occurrences(manual, name) == 1, "the manual has no %s",
			   o->name);
	}
	free(help);
	free(manual);
}

/* ---- list_parser ---- */

static void lists_taken(void)
{
	const char *text = "a,b@4,c[X5],d@2[W2-X3],e[W1][X2]";
	static const struct list_parser_entry want[] = {
		{"a", 1, 0, 1, 0}, {"b", 1, 4, 1, 0}, {"c", 1, 0, 5, 0},
		{"d", 1, 2, 3, 2}, {"e", 1, 0, 2, 1},
	};
	static const char *const names[] = {"read", NULL, "scan"};
	struct list_parser_entry e;
	char error[LIST_PARSER_ERROR_SIZE] = "";
	unsigned weights[3] = {9, 9, 9};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		tap_expect(text && list_parser_next(&text, &e, error) &&
				   *e.name == *want[i].name && e.length == 1 &&
				   e.threads == want[i].threads &&
				   e.iterations == want[i].iterations &&
				   e.warmups == want[i].warmups,
			   "%s is read as something else: %s", want[i].name, error);
	tap_expect(!text, "more than five");
	tap_expect(list_parser_weights("scan:5,read:50", names, 3, 100, weights, error) &&
			   weights[0] == 50 && weights[1] == 0 && weights[2] == 5,
		   "weights: %s", error);
}

static void lists_refused(void)
{
	static const struct {
		const char *text, *says;
	} entries[] =
		{
			{"a@", "threads"},        {"a@0", "threads"},
			{"a@4097", "threads"},    {"a@ 4", "threads"},
			{"a@+4", "threads"},      {"a@-18446744073709551612", "threads"},
			{"a[X5", "commas"},       {"a[", "[X5]"},
			{"a[5]", "[X5]"},         {"a[X]", "repetitions"},
			{"a[X0]", "repetitions"}, {"a[X1001]", "1000"},
			{"a@4x", "commas"},       {"a[X5]b", "commas"},
			{"a[X5]-X6]", "commas"},
		},
	  weights[] = {
		  {"", "add up to 0"},
		  {"read", "read"},
		  {"read:", "read:"},
		  {"read:x", "read:x"},
		  {"read: 5", "read: 5"},
		  {"read:-1", "read:-1"},
		  {"read:5,read:6", "twice"},
		  {"read:101", "read:101"},
		  {"read:60,scan:60", "120"},
		  {"write:5", "write:5"},
		  {":5", ":5"},
		  {"read:5;scan:5", "read:5;"},
		  {"read:99999999999999999999", "read:999"},
	  };
	static const char *const names[] = {"read", NULL, "scan"};
	struct list_parser_entry e;
	unsigned got_weights[3];
	char error[LIST_PARSER_ERROR_SIZE];

	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		const char *text = entries[i].text;

		tap_expect(!list_parser_next(&text, &e, error) &&
				   text == entries[i].text &&
				   strstr(error, entries[i].says),
			   "'%s' is taken, or answers '%s'", entries[i].text, error);
	}
	for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
		tap_expect(!list_parser_weights(weights[i].text, names, 3, 100,
						got_weights, error) &&
				   strstr(error, weights[i].says),
			   "'%s' is taken, or answers '%s'", weights[i].text, error);
}

/* ---- address ---- */

static void addresses_are(void)
{
	static const struct {
		const char *text, *name, *host;
		int port; /* -1: no address */
		bool here;
	} cases[] = {
		{"127.0.0.1:6379", "127.0.0.1:6379", "127.0.0.1", 6379, true},
		{"127.9.9.9:1,other", "127.9.9.9:1", "127.9.9.9", 1, true},
		{"localhost:65535", "localhost:65535", "localhost", 65535, true},
		{"[::1]:6379", "[::1]:6379", "::1", 6379, true},
		{"::1:6379", "::1:6379", "::1", 6379, true},
		{"/run/a:1/socket,x", "/run/a:1/socket", "", 0, true},
		{"./socket", "./socket", "", 0, true},
		{"128.0.0.1:6379", "128.0.0.1:6379", "128.0.0.1", 6379, false},
		{"127.0.0.1.example:1", "127.0.0.1.example:1", "127.0.0.1.example", 1,
		 false},
		{"[fe80::1]:6379", "[fe80::1]:6379", "fe80::1", 6379, false},
		{"localhost.example:1", "localhost.example:1", "localhost.example", 1,
		 false},
		{"", "", "", -1, false},
		{",a:1", "", "", -1, false},
		{"host", "", "", -1, false},
		{"host:", "", "", -1, false},
		{":1", "", "", -1, false},
		{"host:0", "", "", -1, false},
		{"host:65536", "", "", -1, false},
		{"host:-1", "", "", -1, false},
		{"host:1x", "", "", -1, false},
		{"host:99999999999999999999", "", "", -1, false},
	};
	char longest[2 * ADDRESS_SIZE] = "";
	struct address a = {.port = 0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool is = address_parse(&a, cases[i].text);

		tap_expect(is == (cases[i].port >= 0), "'%s' is taken for %s address",
			   cases[i].text, is ? "an" : "no");
		if (!is)
			continue;
		tap_expect(!strcmp(a.name, cases[i].name) &&
				   !strcmp(a.host, cases[i].host) &&
				   a.port == cases[i].port,
			   "'%s' is '%s', host '%s', port %d", cases[i].text, a.name,
			   a.host, a.port);
		tap_expect(address_is_local(&a) == cases[i].here,
			   "'%s' is %sof this machine", cases[i].text,
			   cases[i].here ? "not " : "");
	}
	memset(longest, 'a', ADDRESS_SIZE);
	memcpy(longest + ADDRESS_SIZE, ":1", 3);
	tap_expect(!address_parse(&a, longest),
		   "a name longer than there is room for is taken");
}

/* ---- thread_barrier ---- */

enum { BARRIER_THREADS = 4, BARRIER_ROUNDS = 300 };
static struct {
	struct thread_barrier barrier;
	atomic_uint arrivals, early;
} crossing;

/* Nobody is past the barrier before all have come, nor past its next use. */
static void *pass_often(void *argument)
{
	for (unsigned i = 1; i <= BARRIER_ROUNDS; i++) {
		atomic_fetch_add(&crossing.arrivals, 1);
		thread_barrier_wait(&crossing.barrier);
		if (atomic_load(&crossing.arrivals) != i * BARRIER_THREADS)
			atomic_fetch_add(&crossing.early, 1);
		thread_barrier_wait(&crossing.barrier);
	}
	return argument;
}

static void barrier_holds(void)
{
	pthread_t threads[BARRIER_THREADS];

	alarm(60); /* a barrier that does not open */
	thread_barrier_init(&crossing.barrier, BARRIER_THREADS);
	for (int i = 0; i < BARRIER_THREADS; i++)
		pthread_create(&threads[i], NULL, pass_often, NULL);
	for (int i = 0; i < BARRIER_THREADS; i++)
		pthread_join(threads[i], NULL);
	thread_barrier_destroy(&crossing.barrier);
	alarm(0);
	tap_expect(!atomic_load(&crossing.early), "%u times a thread was early",
		   atomic_load(&crossing.early));
}

/* ---- resource_usage and sync_count ---- */

static void implausible_usage(void)
{
	struct resource_usage before = resource_usage_read(), after, spent,
			      sane = {.user_s = 1.9, .sys_s = 0.05, .io_read_bytes = NAN};

	/* On a busy machine 20 ms at work take longer. */
	do {
		wait_ms(20);
		after = resource_usage_read();
		spent = resource_usage_since(&before, &after);
	} while (spent.cpu_s < 0.02);
	tap_expect(spent.user_s + spent.sys_s >= 0.01, "20 ms at work cost %g s",
		   spent.user_s + spent.sys_s);
	tap_expect(!resource_usage_implausible(&spent, 0.02, 0.02, 1, 2),
		   "an honest span is doubted");
	tap_expect(!resource_usage_implausible(&sane, 1.95, 1, 2, 2),
		   "two busy threads on two CPUs are doubted");
	tap_expect(resource_usage_implausible(&sane, 1.95, 1, 1, 2) != NULL,
		   "a thread that works twice as long as time is believed");
	tap_expect(resource_usage_implausible(&sane, 0.5, 1, 2, 1) != NULL,
		   "one CPU that works for two is believed");
	sane.faults_minor = -1;
	tap_expect(resource_usage_implausible(&sane, 1.95, 1, 2, 2) != NULL,
		   "a counter that ran backwards is believed");
}

/* A counter that cannot be read is unknown, not 0. */
static void unknown_overcharge(void)
{
	struct resource_usage spent = {.io_write_bytes = 3 << 20,
				       .io_wchar_bytes = 4096,
				       .io_write_calls = 1};

	tap_expect(resource_usage_overcharged(&spent) > 0,
		   "3 MiB for a write of 4 KiB are believed");
	spent.io_write_bytes = 4096;
	tap_expect(resource_usage_overcharged(&spent) == 0,
		   "4 KiB for a write of 4 KiB are doubted");
	spent.io_write_bytes = spent.io_wchar_bytes = spent.io_write_calls = NAN;
	tap_expect(isnan(resource_usage_overcharged(&spent)),
		   "without counters there is a verdict");
}

/*
 * Memory that is touched, and given back: within a MiB of what else the process does
 * meanwhile.
 */
static void footprint_follows(void)
{
	enum { SIZE = 64 << 20, KB = SIZE / 1024, SLACK = 1024 };
	struct footprint before = resource_usage_footprint(), with, after;
	char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		exit(1);
	for (size_t i = 0; i < SIZE; i += 4096)
		memory[i] = 1;
	with = resource_usage_footprint();
	munmap(memory, SIZE);
	after = resource_usage_footprint();
	tap_expect(fabs(with.rss_kb - before.rss_kb - KB) < SLACK, "64 MiB are %g KiB",
		   with.rss_kb - before.rss_kb);
	tap_expect(fabs(after.rss_kb - before.rss_kb) < SLACK,
		   "given back, %g KiB are left", after.rss_kb - before.rss_kb);
	tap_expect(with.peak_rss_kb >= with.rss_kb - SLACK &&
			   after.peak_rss_kb >= with.peak_rss_kb - SLACK,
		   "the peak is %g KiB", after.peak_rss_kb);
	/* Not on every kernel. */
	tap_expect(isnan(with.rss_anon_kb) ||
			   fabs(with.rss_anon_kb - before.rss_anon_kb - KB) < SLACK,
		   "of its own %g KiB", with.rss_anon_kb - before.rss_anon_kb);
	tap_expect(isnan(with.rss_file_kb) ||
			   fabs(with.rss_file_kb - before.rss_file_kb) < SLACK,
		   "of files %g KiB", with.rss_file_kb - before.rss_file_kb);
}

static char scratch_directory[] = "/tmp/assay-test-XXXXXX";

static const char *in_scratch(const char *name)
{
	static char path[4][256];
	static int next;

	next = (next + 1) % 4;
	snprintf(path[next], sizeof path[next], "%s/%s", scratch_directory, name);
	return path[next];
}

/* ---- file_barrier ---- */

static void clients_wait_at_barrier(void)
{
	const char *path = in_scratch("meet");
	char error[FILE_BARRIER_ERROR_SIZE] = "";
	uint64_t until = 0;

	tap_expect(!file_barrier_arrivals(path), "who has come to no file");
	for (uint64_t i = 0; i < 12; i++) {
		tap_expect(file_barrier_arrive(path, 4, &until, error), "%s", error);
		tap_expect(until == (i / 4 + 1) * 4, "arrival %d waits for %d", (int)i,
			   (int)until);
		tap_expect(file_barrier_arrivals(path) == i + 1, "%d have come, not %d",
			   (int)file_barrier_arrivals(path), (int)i + 1);
	}
	tap_expect(!file_barrier_arrive("/nowhere/meet", 4, &until, error) &&
			   strstr(error, "/nowhere"),
		   "a file that cannot be made: %s", error);
}

/* ---- perf_control ---- */

static void profiler_is_switched(void)
{
	char control[256], fifos[600], error[PERF_CONTROL_ERROR_SIZE] = "", line[16] = "";
	const char *ack = in_scratch("ack");
	struct perf_control p;
	int reader, acks;

	snprintf(control, sizeof control, "%s", in_scratch("control"));
	snprintf(fifos, sizeof fifos, "%s,%s", control, ack);
	tap_expect(!perf_control_open(&p, control, error) && strstr(error, control),
		   "no file: %s", error);
	tap_expect(!mkfifo(control, 0600) && !mkfifo(ack, 0600), "no FIFO");
	tap_expect(!perf_control_open(&p, fifos, error) && strstr(error, "no process"),
		   "nobody reads: %s", error);
	reader = open(control, O_RDWR | O_NONBLOCK);
	acks = open(ack, O_RDWR | O_NONBLOCK);
	tap_expect(!perf_control_open(&p, "/dev/null", error) && strstr(error, "FIFO"),
		   "/dev/null: %s", error);
	tap_expect(perf_control_open(&p, fifos, error), "%s", error);
	tap_expect(write(acks, "ack\n", 5) == 5, "no acknowledgement was written");
	tap_expect(perf_control_send(&p, "enable", error), "%s", error);
	tap_expect(read(reader, line, sizeof line) == 7 && !strcmp(line, "enable\n"),
		   "'%s' was sent", line);
	close(p.ack_fd);
	p.ack_fd = -1;
	tap_expect(perf_control_send(&p, "disable", error), "without acks: %s", error);
	close(p.control_fd);
	close(reader);
	close(acks);
}

#ifdef __linux__
static void *name_own_thread(void *name)
{
	char expected[32];

	thread_name_set("bgwrite");
	prctl(PR_GET_NAME, name);
	snprintf(expected, sizeof expected, "bgwrite-%ld", syscall(SYS_gettid));
	tap_expect(!strcmp(name, expected), "named '%s', not '%s'", (char *)name,
		   expected);
	return NULL;
}
#endif

static void threads_are_named(void)
{
#ifdef __linux__
	char name[16] = "";
	pthread_t thread;

	pthread_create(&thread, NULL, name_own_thread, name);
	pthread_join(thread, NULL);
#else
	thread_name_set("bgwrite");
#endif
}

static void syncs_counted(void)
{
	int fd = open(in_scratch("sync"), O_RDWR | O_CREAT, 0600);
	struct sync_counts a, b;
	char *map;

	tap_expect(fd >= 0 && !ftruncate(fd, 4096), "no file to sync");
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	a = sync_count_read();
	tap_expect(!fsync(fd) && !fdatasync(fd) && !fdatasync(fd), "fsync fails");
	tap_expect(!msync(map, 4096, MS_SYNC) && !msync(map, 4096, MS_ASYNC) &&
			   !msync(map, 4096, MS_SYNC),
		   "msync fails");
#ifdef __linux__
	tap_expect(!syncfs(fd), "syncfs fails");
	tap_expect(!sync_file_range(fd, 0, 4096, SYNC_FILE_RANGE_WRITE),
		   "sync_file_range fails");
#endif
	b = sync_count_read();
	tap_expect(b.fsyncs - a.fsyncs == 1 && b.fdatasyncs - a.fdatasyncs == 2,
		   "fsyncs are miscounted");
	tap_expect(b.msyncs - a.msyncs == 2, "MS_SYNC counts and MS_ASYNC does not");
#ifdef __linux__
	tap_expect(b.fs_syncs - a.fs_syncs == 1 &&
			   b.sync_file_ranges - a.sync_file_ranges == 1,
		   "syncfs is miscounted");
	tap_expect(sync_count_total(&b) - sync_count_total(&a) == 7,
		   "the total is another");
#endif
	tap_expect(fsync(-1) == -1 && errno == EBADF, "an error is swallowed");
	munmap(map, 4096);
	close(fd);
}

static void dsync_writes_counted(void)
{
	int plain = open(in_scratch("plain"), O_RDWR | O_CREAT, 0600);
	int flushing = open(in_scratch("syncing"), O_RDWR | O_CREAT | O_DSYNC, 0600);
	struct sync_counts a = sync_count_read(), b;
	ssize_t wrote = write(plain, "1", 1) + write(flushing, "22", 2) +
			pwrite(flushing, "3", 1, 9);

#if defined(__GLIBC__) && !defined(ASSAY_PORTABLE)
	struct iovec part = {"4", 1};

	wrote += pwritev(flushing, &part, 1, 0) + pwritev64(flushing, &part, 1, 0) - 2;
	a.dsync_writes += 2;
#endif
	b = sync_count_read();
	tap_expect(wrote == 4, "wrote %zd bytes", wrote);
	tap_expect(b.dsync_writes - a.dsync_writes == 2, "counted %llu",
		   (unsigned long long)(b.dsync_writes - a.dsync_writes));
	close(flushing);
	tap_expect(open(in_scratch("plain"), O_RDWR) == flushing &&
			   write(flushing, "4", 1) == 1,
		   "no descriptor to use again");
	tap_expect(sync_count_read().dsync_writes == b.dsync_writes,
		   "a descriptor that was used again still counts");
	close(flushing);
	close(plain);
}

/* ---- db_dir ---- */

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

static bool file_is(const char *path, const char *text)
{
	char start[256] = "";
	FILE *f = fopen(path, "r");

	if (!f)
		return false;
	start[fread(start, 1, sizeof start - 1, f)] = '\0';
	fclose(f);
	return !strcmp(start, text);
}

/* Files, and those below; a link stays behind, and what is in the way stays as it is. */
static void trees_copied(void)
{
	char error[FILE_COPY_ERROR_SIZE] = "", far[5000] = "";
	struct stat st;

	tap_expect(!mkdir(in_scratch("tree"), 0755) &&
			   !mkdir(in_scratch("tree/in"), 0755) &&
			   !mkdir(in_scratch("copy"), 0755) &&
			   !symlink("a", in_scratch("tree/link")),
		   "directories: %s", strerror(errno));
	write_file(in_scratch("tree/a"), "first");
	write_file(in_scratch("tree/in/b"), "second");
	tap_expect(file_copy_tree(in_scratch("tree"), in_scratch("copy"), error), "%s",
		   error);
	tap_expect(file_is(in_scratch("copy/a"), "first") &&
			   file_is(in_scratch("copy/in/b"), "second"),
		   "the files are others");
	tap_expect(lstat(in_scratch("copy/link"), &st), "a link was copied");
	tap_expect(!file_copy_tree(in_scratch("tree"), in_scratch("copy"), error) &&
			   strstr(error, strerror(EEXIST)),
		   "what is there: '%s'", error);
	tap_expect(!file_copy_tree(in_scratch("tree/in"), in_scratch("copy/in"), error) &&
			   strstr(error, strerror(EEXIST)),
		   "a file that is there: '%s'", error);
	tap_expect(!file_copy_tree(in_scratch("none"), in_scratch("copy"), error) &&
			   strstr(error, strerror(ENOENT)),
		   "what is not there: '%s'", error);
	tap_expect(!file_copy(in_scratch("tree"), in_scratch("copy/tree"), error) &&
			   strstr(error, strerror(EISDIR)),
		   "a directory as a file: '%s'", error);
	memset(far, 'x', sizeof far - 1);
	tap_expect(!file_copy_tree(in_scratch("tree"), far, error) &&
			   strstr(error, "path is too long"),
		   "a path without end: '%s'", error);
}

/* 64 MiB of which a page in the middle and the last byte are data. */
static void file_copy_keeps_holes(void)
{
	enum { SIZE = 64 << 20, AT = 40 << 20 };
	char error[FILE_COPY_ERROR_SIZE] = "", page[4096] = "", read_back[4096];
	struct stat st;
	int fd;

	memset(page, 'p', sizeof page);
	tap_expect(!mkdir(in_scratch("sparse"), 0755) &&
			   !mkdir(in_scratch("clones"), 0755),
		   "directories: %s", strerror(errno));
	fd = open(in_scratch("sparse/a"), O_WRONLY | O_CREAT, 0644);
	tap_expect(pwrite(fd, page, sizeof page, AT) == sizeof page &&
			   pwrite(fd, "z", 1, SIZE - 1) == 1 && !close(fd),
		   "write: %s", strerror(errno));
	tap_expect(file_copy(in_scratch("sparse/a"), in_scratch("clones/b"), error) &&
			   file_copy_clone_tree(in_scratch("sparse"),
						in_scratch("clones"), error),
		   "%s", error);
	for (const char *name = "ab"; *name; name++) {
		char path[] = "clones/x";

		path[sizeof path - 2] = *name;
		fd = open(in_scratch(path), O_RDONLY);
		tap_expect(!fstat(fd, &st) && st.st_size == SIZE &&
				   st.st_blocks * 512 < SIZE / 8,
			   "%s: %lld bytes in %lld blocks", path, (long long)st.st_size,
			   (long long)st.st_blocks);
		tap_expect(pread(fd, read_back, sizeof page, AT) == sizeof page &&
				   !memcmp(read_back, page, sizeof page) &&
				   pread(fd, read_back, 1, SIZE - 1) == 1 &&
				   *read_back == 'z' &&
				   pread(fd, read_back, 1, AT - 1) == 1 && !*read_back,
			   "%s has other bytes", path);
		close(fd);
	}
}

/* Of a copy no page is in memory, unless they cannot be dropped. */
static void db_dir_copies(void)
{
	static struct db_dir from, to, inner;
	struct db_dir_cold cold;
	char error[DB_DIR_ERROR_SIZE] = "", file[DB_DIR_PATH_SIZE + 16];
	double resident;

	tap_expect(db_dir_create(&from, in_scratch("kept"), "lmdb", error) &&
			   db_dir_clear(&from, error) &&
			   db_dir_create(&to, in_scratch("copied"), "lmdb", error),
		   "%s", error);
	snprintf(file, sizeof file, "%s/a", from.data_path);
	write_file(file, "some records");
	from.facts.key_range = 7;
	from.facts.load_order = DB_DIR_ORDER_RANDOM;
	to.facts.key_range = 5;
	tap_expect(!db_dir_copy(&to, &from, true, error) && strstr(error, "is no copy"),
		   "a database is replaced");
	*error = '\0';
	to.facts = (struct db_dir_facts){.is_flat = 1};
	tap_expect(!db_dir_copy(&to, &from, true, error) && strstr(error, "is no copy"),
		   "a flat one is replaced");
	to.facts.is_flat = 0;
	tap_expect(db_dir_copy(&to, &from, true, error), "%s", error);
	snprintf(file, sizeof file, "%s/a", to.data_path);
	resident = db_dir_resident(&to);
	tap_expect(db_dir_drop_cache(&to, &cold, error), "%s", error);
	tap_expect(!(cold.resident_kb <= 0) || !(resident > 0), "%g bytes in memory",
		   resident);
	tap_expect(file_is(file, "some records"), "other records");
	db_dir_read_facts(&to);
	tap_expect(to.facts.key_range == 7 && to.facts.load_order == DB_DIR_ORDER_RANDOM,
		   "other facts");
	tap_expect(to.facts.is_copy && db_dir_copy(&to, &from, true, error),
		   "of a copy no other takes the place: %s", error);
	tap_expect(db_dir_create(&inner, in_scratch("copied/backup"), "any", error), "%s",
		   error);
	db_dir_close(&inner);
	snprintf(file, sizeof file, "%s/assay.db", to.data_path);
	write_file(file, "an engine's file of that name");
	tap_expect(db_dir_remove(&to, error) && access(in_scratch("copied"), F_OK),
		   "it is still there: %s", error);
	db_dir_close(&from);
}

/*
 * All data are in memory afterwards, and of a hole at most what the kernel reads ahead;
 * where pages cannot be dropped, they are as they were.
 */
static void db_dir_refills_cache(void)
{
	enum { DATA = 3 << 20, HOLE = 1 << 30 };
	static struct db_dir dir;
	static char page[4096] = "data";
	struct db_dir_cold cold = {.resident_kb = NAN};
	char error[DB_DIR_ERROR_SIZE] = "", file[DB_DIR_PATH_SIZE + 16];
	bool filled = false;
	double before, after;
	int fd;

	tap_expect(db_dir_create(&dir, in_scratch("refilled"), "lmdb", error) &&
			   db_dir_clear(&dir, error),
		   "%s", error);
	snprintf(file, sizeof file, "%s/a", dir.data_path);
	fd = open(file, O_WRONLY | O_CREAT, 0600);
	for (int at = 0; at < DATA; at += (int)sizeof page)
		tap_expect(pwrite(fd, page, sizeof page, at) == sizeof page, "write");
	tap_expect(pwrite(fd, page, sizeof page, HOLE) == sizeof page, "write");
	close(fd);
	tap_expect(db_dir_drop_cache(&dir, &cold, error), "%s", error);
	before = db_dir_resident(&dir);
	tap_expect(db_dir_refill_cache(&dir, &filled, error), "%s", error);
	after = db_dir_resident(&dir);
	tap_expect(before > 0 ? !filled && after == before
			      : filled && !(after < DATA) && !(after > HOLE / 2),
		   "%d; %g bytes in memory before, %g after", filled, before, after);
	tap_expect(db_dir_remove(&dir, error), "%s", error);
}

static void db_dir_keeps_facts(void)
{
	static struct db_dir s, again;
	/* each another, so that none is read as its neighbour */
	struct db_dir_facts facts = {
		.key_range = 77,
		.complete = 1,
		.unfinished = 2,
		.key_size = 3,
		.key_format = 4,
		.compression_ratio = 5,
		.value_max = 6,
		.value_min = 7,
		.value_list_hash = 8,
		.raw_load_id = 9,
		.records = 10,
		.is_copy = 11,
	};
	char error[DB_DIR_ERROR_SIZE];

	tap_expect(db_dir_create(&s, in_scratch("a/b/db"), "lmdb", error), "make: %s",
		   error);
	memcpy(facts.engine, s.facts.engine, sizeof facts.engine);
	s.facts = facts;
	tap_expect(db_dir_write_facts(&s, error), "note: %s", error);
	tap_expect(!db_dir_open(&again, s.path, error) && strstr(error, "in use"),
		   "two at once");
	db_dir_close(&s);
	tap_expect(db_dir_open(&again, in_scratch("a/b/db"), error), "open: %s", error);
	tap_expect(!strcmp(again.facts.engine, "lmdb") &&
			   !memcmp(&again.facts.key_range, &facts.key_range,
				   sizeof facts -
					   offsetof(struct db_dir_facts, key_range)),
		   "facts");
	db_dir_close(&again);
	tap_expect(!db_dir_create(&s, in_scratch("a/b/db"), "leveldb", error) &&
			   strstr(error, "bench_lmdb"),
		   "another engine");
}

#ifdef __linux__
/* Space behind the blocks of a file's length is preallocated, and holes are no space. */
static void db_dir_tells_preallocated(void)
{
	static struct db_dir s;
	char error[DB_DIR_ERROR_SIZE], path[512];
	struct db_dir_size empty, full;
	int fd;

	tap_expect(db_dir_create(&s, in_scratch("sizes"), "lmdb", error) &&
			   db_dir_clear(&s, error),
		   "clear: %s", error);
	empty = db_dir_size(&s);
	tap_expect(empty.disk <= 0 && empty.apparent <= 0 && empty.preallocated <= 0,
		   "an empty directory has %g, %g, %g bytes", empty.disk, empty.apparent,
		   empty.preallocated);
	snprintf(path, sizeof path, "%.200s/hole", s.data_path);
	write_file(path, "x");
	tap_expect(!truncate(path, 1 << 20), "no hole can be made");
	snprintf(path, sizeof path, "%.200s/ahead", s.data_path);
	write_file(path, "x");
	fd = open(path, O_WRONLY);
	tap_expect(fd >= 0, "no file");
	if (!fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 2 << 20)) {
		full = db_dir_size(&s);
		tap_expect(full.apparent == (1 << 20) + 1, "%g bytes long",
			   full.apparent);
		tap_expect(fabs(full.preallocated - (2 << 20)) <= 65536 &&
				   fabs(full.disk - full.preallocated) <= 65536 &&
				   full.disk > full.preallocated,
			   "%g of %g bytes are preallocated", full.preallocated,
			   full.disk);
	}
	close(fd);
	tap_expect(db_dir_clear(&s, error), "clear: %s", error);
	db_dir_close(&s);
}
#endif

static void db_dir_deletes_nothing_foreign(void)
{
	static struct db_dir s;
	char error[DB_DIR_ERROR_SIZE], path[512];

	mkdir(in_scratch("foreign"), 0700);
	write_file(in_scratch("foreign/file"), "precious");
	tap_expect(!db_dir_create(&s, in_scratch("foreign"), "lmdb", error),
		   "a foreign directory is taken");
	tap_expect(!db_dir_open(&s, in_scratch("foreign"), error),
		   "a foreign directory is opened");
	write_file(in_scratch("foreign/assay.db"), "not ours\n");
	tap_expect(!db_dir_create(&s, in_scratch("foreign"), "lmdb", error),
		   "a foreign marker is believed");
	tap_expect(file_is(in_scratch("foreign/file"), "precious"),
		   "a foreign file is gone");

	tap_expect(db_dir_create(&s, in_scratch("ours"), "lmdb", error) &&
			   db_dir_clear(&s, error),
		   "clear: %s", error);
	snprintf(path, sizeof path, "%.200s/x", s.data_path);
	write_file(path, "the engine's");
	write_file(in_scratch("ours/file"), "precious");
	tap_expect(db_dir_clear(&s, error) && access(path, F_OK) != 0,
		   "the engine's file stays");
	tap_expect(file_is(in_scratch("ours/file"), "precious"),
		   "a file beside the engine's is gone");
	tap_expect(!rmdir(s.data_path) && !symlink(in_scratch("foreign"), s.data_path),
		   "no link");
	tap_expect(!db_dir_clear(&s, error) &&
			   file_is(in_scratch("foreign/file"), "precious"),
		   "a link is followed");
	db_dir_close(&s);
}

static void db_dir_refuses_paths(void)
{
	static struct db_dir s;
	static char path[5000];
	char error[DB_DIR_ERROR_SIZE];

	memset(path, 'x', sizeof path - 1);
	tap_expect(!db_dir_create(&s, path, "lmdb", error) && strstr(error, "too long"),
		   "a long path");
	tap_expect(!db_dir_create(&s, "", "lmdb", error) && strstr(error, "empty"),
		   "an empty path");
	tap_expect(!db_dir_open(&s, in_scratch("nowhere"), error) &&
			   strstr(error, "no database"),
		   "no path");
}

/* ---- result and histprint ---- */

static long lines_of(const char *path, size_t *longest)
{
	char line[20000];
	long n = 0;
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof line, f)) {
		n += strchr(line, '\n') != NULL;
		*longest = strlen(line) > *longest ? strlen(line) : *longest;
	}
	if (f)
		fclose(f);
	return n;
}

/*
 * What a crash leaves of a row is cut when the next one comes; what is not ours stays,
 * and stays apart.
 */
static void torn_rows_are_cut(const struct result *r)
{
	static const char *const names[] = {"r.tsv", "r.json"};
	char error[RESULT_ERROR_SIZE], line[64];
	struct stat st;
	FILE *f;

	for (int json = 0; json < 2; json++) {
		const char *path = in_scratch(names[json]);
		size_t whole = 0, longest = 0;

		for (int cut = 1; cut < 9000; cut = cut * 3 + 1) {
			long before = lines_of(path, &whole);

			/* of TSV even the header */
			tap_expect(!stat(path, &st) &&
					   !truncate(path, st.st_size > cut
								   ? st.st_size - cut
								   : 5),
				   "truncate");
			longest = 0;
			tap_expect(json ? result_append_json(path, r, error)
					: result_append_tsv(path, r, error),
				   "append: %s", error);
			long after = lines_of(path, &longest);

			tap_expect(
				after > 0 && after <= before && longest <= whole,
				"%s cut by %d: %ld lines were %ld, the longest %zu was "
				"%zu",
				names[json], cut, after, before, longest, whole);
		}
	}
	write_file(in_scratch("foreign.json"), "a note without an end");
	tap_expect(result_append_json(in_scratch("foreign.json"), r, error), "append: %s",
		   error);
	f = fopen(in_scratch("foreign.json"), "r");
	tap_expect(f && fgets(line, sizeof line, f) &&
			   !strcmp(line, "a note without an end\n"),
		   "a foreign line is cut or grown");
	if (f)
		fclose(f);
}

static void results_written(void)
{
	struct result r = result_unknown();
	char error[RESULT_ERROR_SIZE], line[20000];
	int rows = 0, tabs = -1;
	FILE *f;

	r.engine = "a \"quoted\"\tname\\\nof two lines";
	r.ops = 12;
	for (int i = 0; i < 2; i++)
		tap_expect(result_append_tsv(in_scratch("r.tsv"), &r, error) &&
				   result_append_json(in_scratch("r.json"), &r, error),
			   "append: %s", error);
	f = fopen(in_scratch("r.tsv"), "r");
	while (f && fgets(line, sizeof line, f)) {
		int n = occurrences(line, "\t");

		tap_expect(tabs < 0 || n == tabs, "row %d has %d tabs, not %d", rows, n,
			   tabs);
		tap_expect(!rows || strstr(line, "\ta \"quoted\" name\\ of two lines\t"),
			   "the text is %s", line);
		tabs = n;
		rows++;
	}
	if (f)
		fclose(f);
	tap_expect(rows == 3, "%d lines, not a header and two rows", rows);
	f = fopen(in_scratch("r.json"), "r");
	tap_expect(f && fgets(line, sizeof line, f), "no JSON");
	tap_expect(strstr(line, "\"engine\":\"a \\\"quoted\\\" name\\\\ of two lines\""),
		   "JSON: %.200s", line);
	tap_expect(strstr(line, "\"ops\":12,") && strstr(line, "\"reads\":null,") &&
			   strstr(line, "\"time\":null,"),
		   "JSON: %.300s", line);
	if (f)
		fclose(f);
	torn_rows_are_cut(&r);
	write_file(in_scratch("other.tsv"), "another header\n");
	tap_expect(!result_append_tsv(in_scratch("other.tsv"), &r, error) &&
			   file_is(in_scratch("other.tsv"), "another header\n"),
		   "another header is written under");
}

/* By nearest rank, and the same in the file of percentiles. */
static void hist_ranks(void)
{
	static const struct {
		uint64_t of;
		uint32_t parts;
		double rank;
	} known[] = {{10, 500000, 5},    {11, 500000, 6},   {2, 500000, 1},
		     {1, 500000, 1},     {10, 0, 1},        {10, 1000000, 10},
		     {200, 990000, 198}, {200, 999000, 200}};
	char line[200];
	double value, part, median = NAN;
	FILE *f;

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		memset(&h, 0, sizeof h);
		h.unit = 1;
		for (uint64_t v = 1; v <= known[i].of; v++)
			hist_record(&h, v);
		tap_expect(hist_quantile(&h, known[i].parts) == known[i].rank,
			   "%u of a million of %llu is %g", known[i].parts,
			   (unsigned long long)known[i].of,
			   hist_quantile(&h, known[i].parts));
	}
	tap_expect(!hist_find((uint64_t[]){999, 1}, 2, 999000) &&
			   hist_find((uint64_t[]){998, 2}, 2, 999000) == 1 &&
			   hist_find((uint64_t[]){999, 2}, 2, 999000) == 1 &&
			   hist_find((uint64_t[]){UINT64_MAX - 1, 1}, 2, 1000000) == 1,
		   "99.9 %% of 1000, of 1001, or all");
	tap_expect(!hist_find((uint64_t[]){0, 0}, 2, 999000), "nothing is counted");
	memset(&h, 0, sizeof h);
	h.unit = 1;
	for (uint64_t v = 1; v <= 10; v++)
		hist_record(&h, v);
	f = histprint_hdr(&h, in_scratch("ranks.hgrm"))
		    ? fopen(in_scratch("ranks.hgrm"), "r")
		    : NULL;
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "%lf %lf", &value, &part) == 2 && part == 0.5)
			median = value;
	tap_expect(f && !fclose(f) && median == hist_quantile(&h, 500000),
		   "the file has %g", median);
}

static void percentile_file(void)
{
	static const double steps[] = {0,    0.1, 0.2,  0.3, 0.4,  0.5,
				       0.55, 0.6, 0.65, 0.7, 0.75, 0.775};
	char line[200], mean[100] = "";
	double value, part, last_value = 0, last_part = -1;
	unsigned rows = 0;
	FILE *f;

	memset(&h, 0, sizeof h);
	h.unit = 0.5;
	for (uint64_t i = 1; i <= 100000; i++)
		hist_record(&h, i);
	tap_expect(histprint_hdr(&h, in_scratch("p.hgrm")) &&
			   histprint_hdr(&h, in_scratch("p.hgrm")),
		   "is not replaced");
	f = fopen(in_scratch("p.hgrm"), "r");
	tap_expect(f && fgets(line, sizeof line, f) &&
			   !strcmp(line, "       Value     Percentile TotalCount "
					 "1/(1-Percentile)\n"),
		   "header");
	while (f && fgets(line, sizeof line, f)) {
		if (!strncmp(line, "#[Mean", 6))
			snprintf(mean, sizeof mean, "%.99s", line);
		if (line[0] == '#' || sscanf(line, "%lf %lf", &value, &part) != 2)
			continue;
		tap_expect(rows >= 12 || fabs(part - steps[rows]) < 1e-9,
			   "row %u is of %g", rows, part);
		tap_expect(value >= last_value && part > last_part, "goes back at %s",
			   line);
		tap_expect(part < 0.01 || fabs(value / (50000 * part) - 1) < 0.02,
			   "%g %% is not %g", part * 100, value);
		last_value = value;
		last_part = part;
		rows++;
	}
	if (f)
		fclose(f);
	tap_expect(!strcmp(mean,
			   "#[Mean    =    25000.250, StdDeviation   =    14433.757]\n"),
		   "%s", mean);
	tap_expect(rows > 50 && last_part == 1 && last_value == 50000,
		   "ends at %g with %g", last_part, last_value);
	write_file(in_scratch("mine"), "precious");
	tap_expect(!histprint_hdr(&h, in_scratch("mine")) && errno == EEXIST &&
			   file_is(in_scratch("mine"), "precious"),
		   "overwrites");
}

static void rocksdb_histogram(void)
{
	char *text = NULL;
	size_t size;
	unsigned long long in, counted = 0;
	double low, limit, last = 0;
	FILE *f = open_memstream(&text, &size);

	histprint_rocksdb(&h, "read", f);
	fclose(f);
	tap_expect(strstr(text, "Microseconds per read:\nCount: 100000 Average: 25.0003  "
				"StdDev: 14."),
		   "%.90s", text);
	tap_expect(strstr(text, "Percentiles: P50: 25.") && strstr(text, " P99.99: 50."),
		   "%.300s", text);
	for (char *line = text; (line = strstr(line, "\n( ")); line++) {
		if (sscanf(line, " ( %lf, %lf ] %llu", &low, &limit, &in) != 3)
			continue;
		tap_expect(!counted || fabs(low - last) < 0.0015,
			   "one begins at %g, not %g", low, last);
		last = limit;
		counted += in;
	}
	tap_expect(last > 50 && last < 60, "the last ends at %g", last);
	tap_expect(counted == 100000, "the buckets hold %llu", counted);
	free(text);
}

/* The limits of all buckets from 0 on, of values of each microsecond, in words. */
static void limits_printed(bool leveldb, const char *expected)
{
	char *text = NULL, limits[512] = "";
	double low, limit, last = 0;
	unsigned long long in;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	memset(&h, 0, sizeof h);
	h.unit = 1000;
	for (uint64_t us = 0; us < 2000; us++)
		hist_record(&h, us);
	histprint_db_bench(&h, 0, "read", leveldb, f);
	fclose(f);
	for (char *line = text; (line = strchr(line, '\n')); line++)
		if (sscanf(line, "\n%*1[[(] %lf, %lf %*1[])] %llu", &low, &limit, &in) ==
		    3) {
			message_append(limits, sizeof limits, " ", "%.0f", limit);
			tap_expect(low == last, "one begins at %g, not %g", low, last);
			/* below 128 us each value has a bucket of its own */
			tap_expect(limit > 128 ||
					   (double)in ==
						   limit - low +
							   (leveldb || low > 0 ? 0 : 1),
				   "from %g to %g are %llu", low, limit, in);
			last = limit;
		}
	tap_expect(!strcmp(limits, expected), "limits are %s", limits);
	free(text);
}

/* As db_bench of both has them; the last has what is left. */
static void db_bench_limits(void)
{
	limits_printed(false, "1 2 3 4 6 10 15 22 34 51 76 110 170 250 380 580 870 1300 "
			      "1900 2900");
	limits_printed(
		true, "1 2 3 4 5 6 7 8 9 10 12 14 16 18 20 25 30 35 40 45 50 60 70 80 90 "
		      "100 120 140 160 180 200 250 300 350 400 450 500 600 700 800 900 "
		      "1000 1200 1400 1600 1800 2000");
}

/* A bucket begins where the one before ends, though that is empty and not printed. */
static void db_bench_empty_buckets(void)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	memset(&h, 0, sizeof h);
	h.unit = 1000;
	hist_record(&h, 1);
	hist_record(&h, 100);
	histprint_db_bench(&h, 0, "read", false, f);
	fclose(f);
	tap_expect(strstr(text, "\n(      76,     110 ]        1  50.000% 100.000% "
				"##########\n"),
		   "%s", text);
	free(text);
}

/* Ten values of 1.7 us: three are 1 by a clock of whole microseconds, seven are 2. */
static void db_bench_whole_microseconds(void)
{
	static const char *const expected[] = {
		"\nMin: 1  Median: 1.2857  Max: 2\nPercentiles: P50: 1.29 P75: 1.64 P99: "
		"1.99 P99.9: 2.00 P99.99: 2.00\n",
		"\nMin: 1.0000  Median: 2.0000  Max: 2.0000\n"};

	memset(&h, 0, sizeof h);
	h.unit = 100;
	for (int i = 0; i < 10; i++)
		hist_record(&h, 17);
	for (int leveldb = 0; leveldb < 2; leveldb++) {
		char *text = NULL;
		size_t size;
		FILE *f = open_memstream(&text, &size);

		histprint_db_bench(&h, 0, "read", leveldb, f);
		fclose(f);
		tap_expect(strstr(text, expected[leveldb]), "%s", text);
		free(text);
	}
}

/* Ten values of 1.7 us, with 0.3 us between them, are 2. */
static void db_bench_between(void)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	memset(&h, 0, sizeof h);
	h.unit = 100;
	for (int i = 0; i < 10; i++)
		hist_record(&h, 17);
	histprint_db_bench(&h, 300, "read", false, f);
	fclose(f);
	tap_expect(strstr(text, "Average: 2.0000  StdDev: 0.00\nMin: 2  Median: 2.0000  "
				"Max: 2\n"),
		   "%s", text);
	free(text);
}

/* ---- supervisor and library_info ---- */

static uint64_t no_progress(void)
{
	return 0;
}

struct child_action {
	void (*action)(void);
};

static int run_action(void *argument)
{
	((struct child_action *)argument)->action();
	_exit(7);
}

/* How a child ends that does `action`; patience in seconds. */
static enum supervisor_outcome end_of(void (*action)(void), double patience, int *how)
{
	struct child_action argument = {action};

	fflush(stdout);
	return supervisor_run(run_action, &argument, no_progress, patience, how);
}

static void do_nothing(void)
{
}

static void do_abort(void)
{
	signal(SIGABRT, SIG_DFL);
	abort();
}

/* After work on a CPU and in files, of which it has done as much as one at work does. */
static void do_wait(void)
{
	static const char text[1 << 17];
	clock_t until = clock() + CLOCKS_PER_SEC / 10;
	int fd = open("/dev/null", O_WRONLY);

	while (clock() < until)
		;
	if (write(fd, text, sizeof text) == sizeof text)
		sleep(60);
}

/* More than the patience below, and never quiet: a third of the time on a CPU. */
static void do_work(void)
{
	const struct timespec rest = {.tv_nsec = 20000000};
	struct timespec start, now;
	clock_t until;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		until = clock() + CLOCKS_PER_SEC / 100;
		while (clock() < until)
			;
		nanosleep(&rest, NULL);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - start.tv_sec < 4);
}

static void supervisor_reports(void)
{
	int *shared = supervisor_shared_memory(sizeof *shared), how;

	tap_expect(shared && !*shared, "shared memory is not zero");
	tap_expect(end_of(do_nothing, 0, &how) == SUPERVISOR_EXITED && how == 7,
		   "exit status %d", how);
	tap_expect(end_of(do_abort, 0, &how) == SUPERVISOR_KILLED && how == SIGABRT,
		   "signal %d", how);
	tap_expect(strstr(supervisor_likely_cause(SUPERVISOR_KILLED, SIGABRT),
			  "assertion"),
		   "no likely cause");
}

static void do_die(void)
{
	raise(SIGKILL);
}

/* Where CPU time is limited, who used little of it died of something else. */
static void supervisor_checks_limit(void)
{
	struct rlimit was, limit;
	int how;

	getrlimit(RLIMIT_CPU, &was);
	limit = was;
	limit.rlim_cur = was.rlim_max < 1000 ? was.rlim_max : 1000;
	tap_expect(!setrlimit(RLIMIT_CPU, &limit), "no limit");
	tap_expect(end_of(do_die, 0, &how) == SUPERVISOR_KILLED && how == SIGKILL,
		   "signal %d", how);
	tap_expect(strstr(supervisor_likely_cause(SUPERVISOR_KILLED, SIGKILL),
			  "from outside"),
		   "%s", supervisor_likely_cause(SUPERVISOR_KILLED, SIGKILL));
	setrlimit(RLIMIT_CPU, &was);
}

static void supervisor_notices_hang(void)
{
	int how;

	tap_expect(end_of(do_wait, 1, &how) == SUPERVISOR_HUNG,
		   "a child that waits does not hang");
	tap_expect(end_of(do_work, 2, &how) == SUPERVISOR_EXITED && how == 7,
		   "a child that works hangs");
}

static volatile sig_atomic_t interrupts_seen;

static void note_interrupt(int number)
{
	(void)number;
	interrupts_seen++;
}

/* Runs in the parent within fork(), before it can know its child. */
static void interrupt_once(void)
{
	static bool is_done;

	if (!is_done)
		raise(SIGTERM);
	is_done = true;
}

static void do_wait_for_interrupt(void)
{
	for (int i = 0; i < 100 && !interrupts_seen; i++)
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	if (interrupts_seen)
		do_die();
}

/* A signal that comes before the parent knows its child ends the child, too. */
static void supervisor_forwards_early_signal(void)
{
	struct sigaction note = {.sa_handler = note_interrupt}, before;
	enum supervisor_outcome end;
	sigset_t mask;
	int how;

	sigaction(SIGTERM, &note, &before);
	tap_expect(!pthread_atfork(NULL, interrupt_once, NULL), "no handler of forks");
	end = end_of(do_wait_for_interrupt, 0, &how);
	tap_expect(end == SUPERVISOR_KILLED && how == SIGKILL, "the child ended with %d",
		   how);
	tap_expect(interrupts_seen == 1, "the parent was interrupted %d times",
		   (int)interrupts_seen);
	sigaction(SIGTERM, &before, NULL);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	tap_expect(!sigismember(&mask, SIGTERM) && !sigismember(&mask, SIGINT),
		   "signals stay blocked");
}

static void library_info_found(void)
{
	struct library_info none = library_info_find("no_such_function", NULL),
			    libc = library_info_find("qsort", NULL);
	/*
	 * what emulates a CPU may map what is opened, not what access(2) is asked
	 */
	FILE *file = fopen(libc.path, "r");
	char text[1200];

	tap_expect(!*none.path && !none.readable, "found %s", none.path);
	tap_expect(!library_info_describe(&none, true, text, sizeof text) &&
			   !strcmp(text, "linked in, build unknown"),
		   "%s", text);
	tap_expect(*libc.path == '/' && file && strstr(libc.path, ".so"),
		   "qsort is in '%s'", libc.path);
	if (file)
		fclose(file);
#if defined(__linux__) && defined(__LP64__)
	tap_expect(libc.readable && !libc.assertions,
		   "the C library is not known, or imports __assert_fail");
#endif
	libc.readable = true;
	libc.assertions = libc.crc32c = false;
	tap_expect(library_info_describe(&libc, true, text, sizeof text) &&
			   !strstr(text, "assertions") &&
			   strstr(text, "not fit for comparison of writes"),
		   "%s", text);
	library_info_allocator(text, sizeof text);
	tap_expect(*text, "malloc comes from nowhere");
}

#if defined(__linux__) && defined(__LP64__)
static const char *forged; /* if not NULL, where every function comes from */

/* Stands before the C library's for the parts, too. */
int dladdr(const void *address, Dl_info *info)
{
	int (*real)(const void *, Dl_info *);

	*(void **)&real = dlsym(RTLD_NEXT, "dladdr");
	if (forged) {
		info->dli_fname = forged;
		return 1;
	}
	return real(address, info);
}

/* A library of three sections: the symbols it imports, their names, and code. */
struct image {
	Elf64_Ehdr head;
	Elf64_Shdr sections[4];
	Elf64_Sym symbols[2];
	char names[24];
	unsigned char code[48];
};

static struct image image_of(const char *import, const void *instruction, size_t size)
{
	struct image image = {
		.head = {.e_ident = ELFMAG,
			 .e_shoff = offsetof(struct image, sections),
			 .e_shentsize = sizeof(Elf64_Shdr),
			 .e_shnum = 4},
		.sections =
			{
				{0},
				{.sh_type = SHT_DYNSYM,
				 .sh_offset = offsetof(struct image, symbols),
				 .sh_size = 2 * sizeof(Elf64_Sym),
				 .sh_link = 2},
				{.sh_type = SHT_STRTAB,
				 .sh_offset = offsetof(struct image, names),
				 .sh_size = 24},
				{.sh_type = SHT_PROGBITS,
				 .sh_flags = SHF_EXECINSTR,
				 .sh_offset = offsetof(struct image, code),
				 .sh_size = 48},
			},
		.symbols[1] = {.st_name = 1, .st_shndx = SHN_UNDEF},
	};

	image.head.e_ident[EI_CLASS] = ELFCLASS64;
	snprintf(image.names + 1, sizeof image.names - 1, "%s", import);
	memcpy(image.code + 20, instruction, size);
	return image;
}

/* What is found in it, and what is said of that. */
static struct library_info look_into(const struct image *image, size_t size, bool *unfit,
				     char *text, size_t text_size)
{
	struct library_info l;
	FILE *f;

	mkdir(in_scratch("lib"), 0700);
	f = fopen(in_scratch("lib/forged.so"), "w");
	tap_expect(f && fwrite(image, size, 1, f) == 1 && !fclose(f), "no file");
	forged = in_scratch("lib/forged.so");
	l = library_info_find("qsort", NULL);
	forged = NULL;
	*unfit = library_info_describe(&l, true, text, text_size);
	return l;
}

/* Those of a row in its order, whatever the file's, with none for one that is missing. */
static void library_info_facts(void)
{
	struct image image = image_of("memcpy", "", 0);
	const struct library_info twice = {.path = "/x",
					   .readable = true,
					   .compiler = "gcc 11",
					   .build_facts = "compiler gcc 12"};
	char text[900], facts[300], expected[300];
	bool unfit;

	/* beside the library's directory; of origin and flags 80 characters */
	snprintf(facts, sizeof facts, "flagship\tno\nflags\t%085d\norigin\t%085d\n", 0,
		 0);
	write_file(in_scratch("facts"), facts);
	look_into(&image, sizeof image, &unfit, text, sizeof text);
	remove(in_scratch("facts"));
	snprintf(expected, sizeof expected, "/forged.so, origin %080d, flags %080d, ", 0,
		 0);
	tap_expect(strstr(text, expected), "%s", text);
	/* in it */
	write_file(in_scratch("lib/facts"),
		   "sha256\t0123456789abcdef\ncompiler\tgcc 12\norigin\tapt x=1\n");
	look_into(&image, sizeof image, &unfit, text, sizeof text);
	remove(in_scratch("lib/facts"));
	tap_expect(strstr(text, "/forged.so, origin apt x=1, sha256 0123456789ab, "
				"compiler gcc 12"),
		   "%s", text);
	library_info_describe(&twice, false, text, sizeof text);
	tap_expect(!strcmp(text, "/x, compiler gcc 12"), "%s", text);
}

static void library_info_inspected(void)
{
#if defined(__aarch64__)
	static const uint32_t crc32cx = 0x9ac35c00;
	static const struct {
		const void *bytes;
		size_t size;
	} forms[] = {{&crc32cx, 4}};
#else
	static const unsigned char wide[] = {0xf2, 0x48, 0x0f, 0x38, 0xf1, 0xc0},
				   narrow[] = {0xf2, 0x0f, 0x38, 0xf0, 0xc0};
	static const struct {
		const void *bytes;
		size_t size;
	} forms[] = {{wide, 6}, {narrow, 5}};
#endif
	static const unsigned char nearly[] = {0xf2, 0x0f, 0x38, 0xf2, 0xc0};
	struct image image;
	struct library_info l;
	char text[900];
	bool unfit;

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		image = image_of("memcpy", forms[i].bytes, forms[i].size);
		l = look_into(&image, sizeof image, &unfit, text, sizeof text);
		tap_expect(l.readable && !l.assertions && l.crc32c && !unfit &&
				   !strcmp(text, l.path),
			   "fit: %s", text);
		image = image_of("__assert_fail", forms[i].bytes, forms[i].size);
		l = look_into(&image, sizeof image, &unfit, text, sizeof text);
		tap_expect(l.readable && l.assertions && l.crc32c && unfit &&
				   strstr(text, ", assertions compiled in: not fit"),
			   "asserts: %s", text);
	}
	image = image_of("memcpy", nearly, sizeof nearly);
	l = look_into(&image, sizeof image, &unfit, text, sizeof text);
	tap_expect(l.readable && !l.assertions && !l.crc32c && unfit &&
			   strstr(text, ", no CRC-32C instructions: not fit"),
		   "slow: %s", text);
	tap_expect(!library_info_describe(&l, false, text, sizeof text),
		   "an engine that computes no CRC-32C: %s", text);
	image.symbols[1].st_shndx = 3;
	snprintf(image.names + 1, sizeof image.names - 1, "__assert_fail");
	l = look_into(&image, sizeof image, &unfit, text, sizeof text);
	tap_expect(l.readable && !l.assertions, "what a library defines is not imported");
	image.head.e_ident[EI_CLASS] = ELFCLASS32;
	l = look_into(&image, sizeof image, &unfit, text, sizeof text);
	tap_expect(!l.readable && !unfit && strstr(text, ", build unknown"),
		   "of 32 bits: %s", text);
	image.head.e_ident[EI_CLASS] = ELFCLASS64;
	l = look_into(&image, sizeof image.head + 64, &unfit, text, sizeof text);
	tap_expect(!l.readable && !unfit, "a file cut short is known");
}
#endif

static void keys_of_other_forms(void)
{
	static const size_t sizes[] = {8, 9, 16, 17, 24, 511};
	struct random r = random_seed(11, "forms");
	char keys[4 * 512], text[64];
	uint64_t ids[4];

	for (enum record_key_format form = KEYS_DECIMAL; form <= KEYS_USER; form++)
		for (int s = form == KEYS_USER ? 4 : 0; s < 6; s++)
			for (int round = 0; round < 2000; round++) {
				struct record_key_shape shape = {form, true, sizes[s],
								 512};
				double max_keys = record_max_keys(form, sizes[s]);
				int order;

				for (int i = 0; i < 4; i++)
					ids[i] =
						max_keys < 1e19
							? random_below(&r,
								       (uint64_t)max_keys)
							: random_next(&r) >> (i * 8);
				memset(keys, '0', sizeof keys);
				record_write_keys(&shape, keys, ids, 3);
				for (int i = 0; i < 3; i++)
					tap_expect(record_parse_key(keys + 512 * i,
								    sizes[s],
								    form) == ids[i],
						   "%s key of %zu bytes: %llu",
						   record_key_formats[form], sizes[s],
						   (unsigned long long)ids[i]);
				order = memcmp(keys, keys + 512, sizes[s]);
				tap_expect(form == KEYS_USER ||
						   (order < 0) == (ids[0] < ids[1]),
					   "%s keys of %zu bytes are unordered",
					   record_key_formats[form], sizes[s]);
				snprintf(text, sizeof text, "user%020llu",
					 (unsigned long long)random_mix(ids[0]));
				tap_expect(form != KEYS_USER || !memcmp(keys, text, 24),
					   "%.24s is not %s", keys, text);
				snprintf(text, sizeof text, "%016llx",
					 (unsigned long long)ids[0]);
				tap_expect(form != KEYS_HEX || sizes[s] != 16 ||
						   !memcmp(keys, text, 16),
					   "%.16s is not %s", keys, text);
			}
	tap_expect(record_parse_key("00000000DEADBEEF", 16, KEYS_HEX) == UINT64_MAX,
		   "an upper-case digit is ours");
	tap_expect(record_parse_key("\0\0\0\0\0\0\1", 7, KEYS_BINARY) == UINT64_MAX,
		   "seven bytes are eight");
	tap_expect(record_parse_key("user0000000000000000000", 23, KEYS_USER) ==
			   UINT64_MAX,
		   "a digit short is a key");
}

static void sizes_of_values(void)
{
	static const char *const bad[] = {
		"", "0", "10-", "-10", "400-100", "1-2-3", "1,2-3", "1,", "x", "1.5",
		"2t",
		/*
					   * digits beyond what is looked at must not go
					   * lost
					   */
		"0000000000000000000000000000000000000000000000000000000000001000"};
	struct record_sizes sizes;
	char error[OPTION_ERROR_SIZE], value[20000], scratch[20000], own[400];
	unsigned count[301] = {0};
	double chi2 = 0;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		tap_expect(!record_sizes_parse(&sizes, bad[i], error), "'%s' is a size",
			   bad[i]);
	tap_expect(record_sizes_parse(&sizes, "7", error) &&
			   record_size(&sizes, 5, 6) == 7,
		   "one size");
	tap_expect(record_sizes_parse(&sizes, "100,1Ki,10k", error) &&
			   fabs(record_sizes_mean(&sizes) - 3708) < 1e-9 &&
			   sizes.max == 10000,
		   "a list");
	tap_expect(record_sizes_parse(&sizes, "10*50-150", error) && sizes.min == 500 &&
			   sizes.max == 1500 &&
			   fabs(record_sizes_mean(&sizes) - 1000) < 1e-9 &&
			   fabs(record_sizes_loaded_mean(&sizes) - 1000) < 1e-9,
		   "ten fields have a mean of %g", record_sizes_mean(&sizes));
	free((void *)sizes.lengths); /* programs keep it to their end */
	tap_expect(record_sizes_parse(&sizes, "4*25", error) && sizes.min == 100 &&
			   sizes.max == 100,
		   "fields of one size");
	tap_expect(record_sizes_parse(&sizes, "100-400", error), "%s", error);
	for (uint64_t id = 0; id < 300000; id++)
		count[record_size(&sizes, id, id % 3) - 100]++;
	for (int i = 0; i <= 300; i++)
		chi2 += (count[i] - 300000 / 301.0) * (count[i] - 300000 / 301.0) /
			(300000 / 301.0);
	tap_expect(chi2 < 300 + 4 * sqrt(600),
		   "sizes are not uniform: chi-square %.0f of 300", chi2);
	for (uint64_t id = 0; id < 200; id++) {
		size_t size = record_size(&sizes, id, 9);

		record_write_value(own, size, 128, id, 9);
		record_write_value(value, 400, 128, id, 9);
		tap_expect(record_check(&sizes, value, size, 128, id, scratch) ==
				   !memcmp(value, own, size),
			   "the beginning of a longer value is judged by something else "
			   "than its bytes");
		tap_expect(record_check(&sizes, own, size, 128, id, scratch),
			   "a value of its own size");
		tap_expect(!record_check(&sizes, own, size - 1, 128, id, scratch),
			   "a value cut short passes");
		tap_expect(size == 400 || !record_check(&sizes, value, size + 1, 128, id,
							scratch),
			   "a value too long passes");
		tap_expect(!record_check(&sizes, own, size, 128, id + 1, scratch),
			   "another's value passes");
	}
}

/*
 * Chi-square against expected counts, between the 10^-4 quantiles (Wilson and Hilferty),
 * as counts that fit too well are not drawn: with fixed seeds a test that passes always
 * does, and of 10,000 right generators two would not.
 */
static void expect_counts(const char *what, const double *observed,
			  const double *expected, unsigned n)
{
	double chi2 = 0, df = n - 1, spread = 3.72 * sqrt(2 / (9 * df));
	double cube = 1 - 2 / (9 * df) + spread,
	       least = fmax(1 - 2 / (9 * df) - spread, 0);

	for (unsigned i = 0; i < n; i++)
		chi2 += (observed[i] - expected[i]) * (observed[i] - expected[i]) /
			expected[i];
	tap_expect(chi2 < df * cube * cube * cube && chi2 >= df * least * least * least,
		   "%s: chi-square %.1f at %.0f degrees of freedom", what, chi2, df);
}

enum { DRAWN = 1 << 20, BINS = 1000 };

/*
 * Count many draws of n keys, each in a bin of its own or several to one; odd parts, so
 * that none matters.
 */
static void count_draws(const struct distribution_parameters *shape, uint64_t n,
			double *observed)
{
	struct random r = random_seed(5, "draw");
	uint64_t ids[128];
	struct distribution d;

	memset(observed, 0, BINS * sizeof *observed);
	distribution_init(&d, shape, n);
	for (unsigned done = 0, part; done < DRAWN; done += part) {
		part = 1 + done % 128 < DRAWN - done ? 1 + done % 128 : DRAWN - done;
		distribution_draw(&d, &r, ids, part);
		for (unsigned i = 0; i < part; i++) {
			if (ids[i] >= n)
				tap_expect(false, "%s: %llu of %llu keys",
					   distribution_names[shape->kind],
					   (unsigned long long)ids[i],
					   (unsigned long long)n);
			else
				observed[n <= BINS ? ids[i] : ids[i] / (n / BINS)]++;
		}
	}
}

static void zipfian_is(void)
{
	static const double thetas[] = {0, 0.2, 0.5, 0.8, 0.99, 1, 1.00005, 1.2, 2, 5};
	static const unsigned ns[] = {2, 3, 10, 100, 1000};
	double observed[BINS], expected[BINS] = {0}, sum;
	char what[64];

	for (int t = 0; t < 10; t++)
		for (int k = 0; k < 5; k++) {
			struct distribution_parameters shape = {
				.kind = DISTRIBUTION_ZIPFIAN, .theta = thetas[t]};
			unsigned n = ns[k], used = n;

			sum = 0;
			for (unsigned i = 0; i < n; i++)
				sum += expected[i] = pow(i + 1, -thetas[t]);
			for (unsigned i = 0; i < n; i++)
				expected[i] *= DRAWN / sum;
			count_draws(&shape, n, observed);
			/* Rare keys are one bin. */
			while (used > 2 && expected[used - 1] < 20) {
				expected[used - 2] += expected[used - 1];
				observed[used - 2] += observed[used - 1];
				used--;
			}
			snprintf(what, sizeof what, "theta %g, %u keys", thetas[t], n);
			if (expected[used - 1] >= 5)
				expect_counts(what, observed, expected, used);
			if (t != 4)
				continue;
			shape.kind = DISTRIBUTION_LATEST;
			count_draws(&shape, n, expected);
			for (unsigned i = 0; used == n && i < n; i++)
				tap_expect(observed[i] == expected[n - 1 - i],
					   "latest is zipfian from the other end");
		}
}

/* The fraction of the first keys of very many, by the sums' integrals. */
static void zipfian_is_far_out(void)
{
	static const double ns[] = {1e7, 1e9, 1e10, 4e12};
	struct random r = random_seed(8, "far");
	uint64_t ids[128];

	for (int k = 0; k < 4; k++) {
		struct distribution_parameters shape = {.kind = DISTRIBUTION_ZIPFIAN,
							.theta = 0.99};
		double q = 0.01, zeta = 1, first[6], below[6] = {0}, total = 0;
		struct distribution d;

		for (double i = 2; i < 1000; i++)
			zeta += pow(i, -0.99);
		for (int i = 0; i < 6; i++)
			first[i] = zeta + (pow(pow(ns[k], (i + 2) / 8.0) + 0.5, q) -
					   pow(999.5, q)) /
						  q;
		zeta += (pow(ns[k] + 0.5, q) - pow(999.5, q)) / q;
		distribution_init(&d, &shape, (uint64_t)ns[k]);
		for (; total < DRAWN; total += 128) {
			distribution_draw(&d, &r, ids, 128);
			for (int j = 0; j < 128; j++)
				for (int i = 0; i < 6; i++)
					below[i] += ids[j] <
						    (uint64_t)pow(ns[k], (i + 2) / 8.0);
		}
		for (int i = 0; i < 6; i++) {
			double p = first[i] / zeta, error = fabs(below[i] / total - p) /
							    sqrt(p * (1 - p) / total);

			tap_expect(pow(ns[k], (i + 2) / 8.0) < 1000 || error < 4,
				   "%g keys: %.1f deviations off", ns[k], error);
		}
		double popular =
			1 - (pow(ns[k] + 0.5, q) - pow(ns[k] / 100 + 0.5, q)) / q / zeta;

		tap_expect(fabs((double)d.top1pct_draws / total - popular) < 0.002,
			   "the popular ones of %g keys", ns[k]);
	}
}

/* The number of hot keys is the nearest to the fraction: 0.29 * 100 is below 29 in doubles. */
static void hot_keys_are_rounded(void)
{
	const struct distribution_parameters shape = {.kind = DISTRIBUTION_HOTSPOT,
						      .hot_keys = 0.29,
						      .hot_fraction = 1};
	double observed[BINS];

	count_draws(&shape, 100, observed);
	for (unsigned i = 0; i < 100; i++)
		tap_expect((observed[i] > 0) == (i < 29), "key %u: %.0f draws", i,
			   observed[i]);
}

static void other_distributions_are(void)
{
	double observed[BINS], expected[BINS], below = 0;
	struct distribution_parameters shape = {.hot_keys = 0.2,
						.hot_fraction = 0.8,
						.h = 0.2,
						.lcg_seed = 1000,
						.theta = 0.99};
	const double gamma = -log(1 - 0.95) / 0.8571428571;

	for (unsigned i = 0; i < BINS; i++)
		expected[i] = (double)DRAWN / BINS;
	shape.kind = DISTRIBUTION_UNIFORM;
	count_draws(&shape, 10000000000, observed);
	expect_counts("uniform", observed, expected, BINS);
	shape.kind = DISTRIBUTION_MINSTD;
	count_draws(&shape, 1000, observed);
	expect_counts("minstd", observed, expected, BINS);
	shape.kind = DISTRIBUTION_SEQUENTIAL;
	count_draws(&shape, 1000, observed);
	for (unsigned i = 0; i < BINS; i++)
		tap_expect(fabs(observed[i] - expected[i]) < 1, "sequential");
	for (unsigned i = 0; i < BINS; i++)
		expected[i] = i < 200 ? DRAWN * 0.8 / 200 : DRAWN * 0.2 / 800;
	shape.kind = DISTRIBUTION_HOTSPOT;
	count_draws(&shape, 1000000000, observed);
	expect_counts("hotspot", observed, expected, BINS);
	for (unsigned i = 0; i < BINS; i++)
		expected[BINS - 1 - i] =
			DRAWN * (exp(-gamma * i / BINS) - exp(-gamma * (i + 1) / BINS)) /
			(1 - exp(-gamma));
	shape.kind = DISTRIBUTION_EXPONENTIAL;
	count_draws(&shape, 1000000, observed);
	expect_counts("exponential", observed, expected, BINS);
	for (unsigned i = 0; i < BINS; i++)
		expected[i] = DRAWN * (pow((i + 1.0) / BINS, log(0.8) / log(0.2)) -
				       pow(1.0 * i / BINS, log(0.8) / log(0.2)));
	shape.kind = DISTRIBUTION_PARETO;
	count_draws(&shape, 10000000000, observed);
	expect_counts("pareto", observed, expected, BINS);
	for (unsigned i = 0; i < 200; i++)
		below += observed[i];
	tap_expect(fabs(below / DRAWN - 0.8) < 0.002,
		   "a fifth of the keys gets four fifths of the draws");
}

/*
 * user6284781860667377211 and user8517097267634966620 are the first keys that YCSB ever
 * inserts.
 */
static void scrambled_is_ycsb(void)
{
	struct distribution_parameters shape = {.kind = DISTRIBUTION_SCRAMBLED_ZIPFIAN,
						.theta = 0.99};
	struct random r = random_seed(3, "scrambled"), again = r;
	double first = 0, second = 0, total = 0;
	uint64_t ids[128], other[128];
	struct distribution d, e;

	distribution_init(&d, &shape, INT64_MAX);
	for (; total < DRAWN; total += 128) {
		distribution_draw(&d, &r, ids, 128);
		for (int i = 0; i < 128; i++) {
			first += ids[i] == 6284781860667377211;
			second += ids[i] == 8517097267634966620;
		}
	}
	tap_expect(fabs(first / total - 1 / 26.46902820178302) < 4 * sqrt(0.0378 / total),
		   "the first rank's share");
	tap_expect(fabs(second / total - pow(0.5, 0.99) / 26.46902820178302) <
			   4 * sqrt(0.019 / total),
		   "the second rank's share");
	/*
	 * Hashed onto more keys than there are, it is the same stream whatever parts it
	 * is drawn in.
	 */
	shape.hash_range = 15000;
	distribution_init(&d, &shape, 10000);
	e = d;
	r = again;
	distribution_draw(&d, &r, ids, 128);
	distribution_draw(&e, &again, other, 50);
	distribution_draw(&e, &again, other + 50, 78);
	tap_expect(!memcmp(ids, other, sizeof ids), "the parts matter");
	for (int i = 0; i < 128; i++)
		tap_expect(ids[i] < 10000, "a key that is not there yet");
	shape.hash_range = 0;
	distribution_init(&d, &shape, 1000);
	distribution_resize(&d, 2000);
	distribution_draw(&d, &r, ids, 128);
	tap_expect(d.n == 2000 && d.top1pct_keys == 20, "resized");
}

/* Seeds 1000 + n of one cycle: reader 3 began 23,190,731 draws ahead of the writer. */
static void artefacts_are(void)
{
	struct distribution_parameters shape = {.kind = DISTRIBUTION_MINSTD,
						.lcg_seed = 1};
	struct random r = random_seed(1, "unused");
	struct distribution writer, reader;
	struct distinct_count distinct;
	uint64_t ids[100], first;
	double scrambled;

	distribution_init(&writer, &shape, UINT64_MAX);
	for (int i = 0; i < 100; i++)
		distribution_draw(&writer, &r, ids, 100);
	tap_expect(ids[99] == 1043618065, "the ten-thousandth number of minstd is %llu",
		   (unsigned long long)ids[99]);
	shape.lcg_seed = 1000;
	distribution_init(&writer, &shape, 1000000000);
	shape.lcg_seed = 1003;
	distribution_init(&reader, &shape, 1000000000);
	distribution_draw(&reader, &r, &first, 1);
	for (int i = 0; i < 231907; i++)
		distribution_draw(&writer, &r, ids, 100);
	distribution_draw(&writer, &r, ids, 32);
	tap_expect(ids[31] == first, "the writer does not come to where reader 3 began");
	shape = (struct distribution_parameters){.kind = DISTRIBUTION_UCSB2022,
						 .lcg_seed = 12345,
						 .theta = 0.99};
	tap_expect(distinct_count_init(&distinct, NULL), "memory");
	for (int kind = 0; kind < 2; kind++) {
		distribution_init(&writer, &shape, 1000000000);
		for (int i = 0; i < 200000; i++) {
			distribution_draw(&writer, &r, ids, 100);
			distinct_count_add(&distinct, ids, 100);
		}
		scrambled = distinct_count_estimate(&distinct);
		/*
		 * As it should be: the sum over ranks of 1 - (1 - p)^draws, hashed. The
		 * floats that there are make a fifth of it.
		 */
		tap_expect(kind ? fabs(scrambled / 8.813e6 - 1) < 0.02
				: scrambled > 1.5e6 && scrambled < 2e6,
			   "kind %d has %.0f different keys", kind, scrambled);
		distinct_count_clear(&distinct);
		shape.kind = DISTRIBUTION_SCRAMBLED_ZIPFIAN;
	}
	distinct_count_free(&distinct);
}

/* The first number where tests are to be quick, as test.sh has some. */
static int if_quick(int quick, int usual)
{
	return getenv("SLOW_TRIALS") ? quick : usual;
}

/* 2 % is more than three standard errors. */
static void distinct_counts(void)
{
	static const uint64_t strides[] = {
		1, 2, 16, 1000, 65536, 0x100000001, 0x9e3779b97f4a7c15};
	static const uint64_t counts[] = {1000, 49000, 100000, 3000000};
	static const uint64_t sizes[] = {10000, 100000, 1000000, 60000};
	uint64_t sum = 0;
	struct distinct_count all, part;
	uint64_t keys[100];

	tap_expect(distinct_count_init(&all, NULL) && distinct_count_init(&part, NULL),
		   "memory");
	for (int s = 0; s < 7; s += if_quick(3, 1))
		for (int c = 0; c < 4; c++) {
			distinct_count_clear(&all);
			for (uint64_t i = 0; i < counts[c]; i += 100) {
				for (uint64_t k = 0; k < 100; k++)
					keys[k] = (i + k) * strides[s];
				distinct_count_add(&all, keys, 100);
				if (i % 1000 < 200)
					distinct_count_add(&all, keys, 37);
			}
			tap_expect(fabs(distinct_count_estimate(&all) /
						(double)counts[c] -
					1) <
					   (counts[c] < DISTINCT_COUNT_MAX ? 1e-9 : 0.02),
				   "%llu keys, %llu apart, are %.0f",
				   (unsigned long long)counts[c],
				   (unsigned long long)strides[s],
				   distinct_count_estimate(&all));
		}
	for (int parts = 0; parts < 3; parts++) {
		distinct_count_clear(&part);
		for (uint64_t i = 0; i < 1000000; i += 100) {
			for (uint64_t k = 0; k < 100; k++)
				keys[k] = random_mix((uint64_t)parts * 500000 + i + k);
			distinct_count_add(&part, keys, 100);
		}
		if (!parts)
			distinct_count_clear(&all);
		distinct_count_merge(&all, &part);
	}
	tap_expect(fabs(distinct_count_estimate(&all) / 2e6 - 1) < 0.02,
		   "two million in three parts are %.0f", distinct_count_estimate(&all));
	distinct_count_clear(&all);
	for (int parts = 0; parts < 4; parts++) {
		distinct_count_clear(&part);
		for (uint64_t i = 0; i < sizes[parts]; i += 100) {
			for (uint64_t k = 0; k < 100; k++)
				keys[k] = random_mix((uint64_t)parts * 1000000 + i + k);
			distinct_count_add(&part, keys, 100);
		}
		distinct_count_merge(&all, &part);
		sum += sizes[parts];
		tap_expect(fabs(distinct_count_estimate(&all) / (double)sum - 1) < 0.02,
			   "%llu keys in parts of few and of many are %.0f",
			   (unsigned long long)sum, distinct_count_estimate(&all));
	}
	distinct_count_free(&all);
	distinct_count_free(&part);
}

/* Also where a halving falls within an eight, and when all keys come once more. */
static void distinct_eights(void)
{
	struct distinct_count eights, singles;
	uint64_t keys[8];

	tap_expect(distinct_count_init(&eights, NULL) &&
			   distinct_count_init(&singles, NULL),
		   "memory");
	for (int start = 0; start < if_quick(3, 20); start++) {
		distinct_count_clear(&eights);
		distinct_count_clear(&singles);
		for (uint64_t i = 0; i < 600000; i += 8) {
			unsigned halvings = eights.halvings;

			for (uint64_t k = 0; k < 8; k++) {
				keys[k] = random_mix((uint64_t)start << 40 |
						     (i + k) % 300000);
				distinct_count_add(&singles, &keys[k], 1);
			}
			distinct_count_add(&eights, keys, 8);
			if (eights.halvings != halvings || i == 600000 - 8)
				tap_expect(
					eights.halvings == singles.halvings &&
						eights.sampled == singles.sampled,
					"after %llu keys eights have %u of %u halvings, "
					"singles %u of %u",
					(unsigned long long)i + 8, eights.sampled,
					eights.halvings, singles.sampled,
					singles.halvings);
		}
		tap_expect(fabs(distinct_count_estimate(&eights) / 3e5 - 1) < 0.02,
			   "twice 300000 are %.0f", distinct_count_estimate(&eights));
	}
	distinct_count_free(&eights);
	distinct_count_free(&singles);
}

/* UINT64_MAX is none, the keys beside it and 0 are. */
static void distinct_bounds(void)
{
	static const uint64_t keys[] = {UINT64_MAX, UINT64_MAX - 1, 0,
					UINT64_MAX, UINT64_MAX - 1, 0,
					UINT64_MAX};
	struct distinct_count distinct;

	tap_expect(distinct_count_init(&distinct, NULL), "memory");
	for (int i = 0; i < 20000; i++)
		distinct_count_add(&distinct, keys, 7);
	tap_expect(distinct_count_estimate(&distinct) == 2, "two keys are %.0f",
		   distinct_count_estimate(&distinct));
	distinct_count_free(&distinct);
}

/* The last two low halves are those that no halving removes. */
static void distinct_similar_keys(void)
{
	static const uint32_t lows[] = {0,          1,          12345,     0x80000000,
					0xffffffff, 0x1d943697, 0xe26bc968};
	struct distinct_count distinct, other;

	tap_expect(distinct_count_init(&distinct, NULL) &&
			   distinct_count_init(&other, NULL),
		   "memory");
	for (int l = 0; l < 7; l++) {
		distinct_count_clear(&distinct);
		for (uint64_t i = 0; i < 70000; i++)
			distinct_count_add(&distinct, &(uint64_t){i << 32 | lows[l]}, 1);
		tap_expect(distinct_count_estimate(&distinct) >= DISTINCT_COUNT_MAX &&
				   distinct.sampled <= DISTINCT_COUNT_MAX &&
				   distinct.halvings < 32,
			   "70000 keys that end in %x are %.0f, after %u halvings",
			   lows[l], distinct_count_estimate(&distinct),
			   distinct.halvings);
		distinct_count_merge(&other, &distinct);
		tap_expect(other.sampled <= DISTINCT_COUNT_MAX && other.halvings < 32,
			   "merged: %u, after %u halvings", other.sampled,
			   other.halvings);
	}
	distinct_count_free(&distinct);
	distinct_count_free(&other);
}

/*
 * ---- stats: constants marked (scipy) are of scipy 1.17.1, (statsmodels) of statsmodels
 * 0.15.0 ----
 */

static bool near(double x, double y, double tolerance)
{
	return fabs(x - y) <= tolerance * fmax(fabs(y), 1e-3);
}

static void stats_samples(void)
{
	double x[] = {98.1, 101.4, 100.2, 99.7, 102.3, 97.9, 100.8, 99.0, 101.1, 100.5};
	const double three[] = {1, 2, 5}, rates[] = {1010, 980, 1100, 1050, 1190};
	const double apart[] = {1, 3}, from_0[] = {0, 3}, about_0[] = {-1, 3};
	struct stats_drift drift = stats_drift(rates, 5);
	struct stats_sample s;

	stats_sort(x, 10);
	s = stats_describe(x, 10);
	tap_expect(x[0] == 97.9 && x[9] == 102.3, "sorted: %g to %g", x[0], x[9]);
	/* scipy.stats.t.interval, numpy.std(ddof=1) / numpy.mean, numpy.median (scipy) */
	tap_expect(near(s.mean, 100.1, 1e-14) &&
			   near(s.mean - s.margin, 99.07715357654747, 1e-12) &&
			   near(s.cv, 0.014284122936748056, 1e-12) &&
			   near(s.median, 100.35, 1e-14),
		   "%.15g %.15g %.15g %.15g", s.mean, s.margin, s.cv, s.median);
	tap_expect(stats_median(three, 3) == 2 && stats_median(three, 2) == 1.5 &&
			   stats_median(three, 1) == 1 && isnan(stats_median(three, 0)),
		   "medians of 3, 2, 1 and none");
	/* exp of scipy.stats.t.interval of numpy.log (scipy) */
	tap_expect(near(s.low, 99.0715045738596, 1e-12) &&
			   near(s.high, 101.12055947646678, 1e-12),
		   "%.15g to %.15g", s.low, s.high);
	s = stats_describe(apart, 2);
	tap_expect(near(s.low, 0.001611982987594906, 1e-6) &&
			   near(s.high, 1861.0618245270857, 1e-9),
		   "an interval of rates is above 0: %g to %g", s.low, s.high);
	s = stats_describe(from_0, 2);
	tap_expect(s.low == 0 && s.high > 3, "none goes below 0: %g to %g", s.low,
		   s.high);
	s = stats_describe(about_0, 2);
	tap_expect(s.low < -1 && near(s.mean - s.low, s.margin, 1e-12) &&
			   near(s.high - s.mean, s.margin, 1e-12),
		   "of signed figures it is about the mean: %g to %g", s.low, s.high);
	s = stats_describe(three, 1);
	tap_expect(s.mean == 1 && isnan(s.margin) && isnan(s.low) && isnan(s.high) &&
			   isnan(s.cv),
		   "one figure has no interval");
	/* numpy.polyfit (scipy) */
	tap_expect(near(drift.range, 0.19699812382739212, 1e-12) &&
			   near(drift.slope, 0.16135084427767302, 1e-12),
		   "drift %.15g %.15g", drift.range, drift.slope);
	tap_expect(!stats_is_steady(&drift) &&
			   stats_is_steady(&(struct stats_drift){0.2, 0.1}) &&
			   !stats_is_steady(&(struct stats_drift){0.2001, 0}) &&
			   !stats_is_steady(&(struct stats_drift){0, 0.1001}) &&
			   !stats_is_steady(&(struct stats_drift){NAN, NAN}),
		   "SNIA's limits");
}

static void stats_of_t(void)
{
	/* scipy.stats.t.ppf(0.975, freedom) (scipy) */
	static const struct {
		size_t freedom;
		double t;
	} within[] = {{1, 12.706204736174694},  {2, 4.302652729749462},
		      {3, 3.1824463052837078},  {4, 2.7764451051977934},
		      {9, 2.262157162798205},   {30, 2.0422724563012378},
		      {199, 1.9719565442517533}};
	/* 1 - 2 * scipy.stats.t.sf(t, freedom) (scipy) */
	static const struct {
		double t;
		size_t freedom;
		double p;
	} inside[] = {{1, 1, 0.5},
		      {2, 3, 0.860674031441157},
		      {0.5, 8, 0.36946392444302356},
		      {3, 18, 0.9923145878596857},
		      {1.5, 49, 0.8599693813683644}};
	/*
	 * scipy.stats.nct.sf(t, freedom, shift) + scipy.stats.nct.cdf(-t, freedom, shift)
	 * (scipy)
	 */
	static const struct {
		double shift, t;
		size_t freedom;
		double power;
	} found[] = {{0, 2.1009220402, 18, 0.05000000000402054},
		     {1, 4.3026527297, 2, 0.09520175549981333},
		     {3, 2.4469118511, 6, 0.7067120432665017},
		     {2.9, 2.1009220402, 18, 0.7830463086493933},
		     {4, 2.0106347576, 48, 0.9749319810512376},
		     {2.5, 3.4, 8, 0.2733616668591474}};
	/*
	 * where that is the power, by scipy.optimize.brentq (scipy);
	 * TTestIndPower().solve_power agrees (statsmodels)
	 */
	static const struct {
		double level, power;
		size_t freedom;
		double shift;
	} least[] = {{0.05, 0.8, 18, 2.96267243641826},
		     {0.05, 0.8, 6, 3.3668948970850234},
		     {2 / 70.0, 0.8, 6, 3.827456641545845},
		     {0.05, 0.9, 50, 3.3056441940726327}};

	for (size_t i = 0; i < sizeof within / sizeof *within; i++)
		tap_expect(near(stats_student_quantile(0.95, within[i].freedom),
				within[i].t, 1e-12),
			   "t of %zu: %.15g", within[i].freedom,
			   stats_student_quantile(0.95, within[i].freedom));
	for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
		tap_expect(near(stats_student_probability(inside[i].t, inside[i].freedom),
				inside[i].p, 1e-12),
			   "within %g of %zu: %.15g", inside[i].t, inside[i].freedom,
			   stats_student_probability(inside[i].t, inside[i].freedom));
	for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
		double power = stats_power(found[i].shift, found[i].t, found[i].freedom);

		tap_expect(near(power, found[i].power, 1e-8), "power at %g of %zu: %.12g",
			   found[i].shift, found[i].freedom, power);
	}
	for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
		double shift =
			stats_shift(least[i].level, least[i].power, least[i].freedom);

		tap_expect(near(shift, least[i].shift, 1e-8),
			   "shift for %g of %zu: %.12g", least[i].power, least[i].freedom,
			   shift);
	}
}

static void stats_of_ranks(void)
{
	static const double x[] = {3.1, 4.7, 5.0, 6.2, 7.9, 8.8, 9.4},
			    y[] = {1.2, 2.5, 2.9, 3.3, 4.1};
	static const double tied[] = {1, 2, 2, 3, 5}, others[] = {2, 4, 5, 5, 6, 7};
	/*
	 * the greatest p below 0.05: counted by the recursion of Mann and Whitney's U in
	 * Python, with whole numbers (python)
	 */
	static const struct {
		size_t n, m;
		double p;
	} alarms[] = {{3, 3, 0},
		      {4, 4, 2 / 70.0},
		      {5, 5, 0.031746031746031744},
		      {8, 8, 0.049883449883449886},
		      {4, 10, 0.03596403596403597},
		      {25, 25, 0.049425073225122226}};
	double a[30], b[30], same[60] = {0}, p;

	/* scipy.stats.mannwhitneyu(method="exact") (scipy) */
	p = stats_mann_whitney(x, 7, y, 5);
	tap_expect(near(p, 0.010101010101010102, 1e-12) &&
			   p == stats_mann_whitney(y, 5, x, 7),
		   "7 and 5: %.15g", p);
	for (int i = 0; i < 25; i++) {
		a[i] = (i + 1) * 37 % 101 + 0.5;
		b[i] = (i + 1) * 53 % 97 + 7.25;
	}
	stats_sort(a, 25);
	stats_sort(b, 25);
	p = stats_mann_whitney(a, 25, b, 25);
	tap_expect(near(p, 0.7004573777595953, 1e-12), "25 and 25: %.15g", p);
	/* scipy.stats.permutation_test over all choices, of the rank sum (scipy) */
	p = stats_mann_whitney(tied, 5, others, 6);
	tap_expect(near(p, 0.08225108225108226, 1e-12) &&
			   near(stats_mann_whitney(others, 6, tied, 5), p, 1e-14),
		   "ties: %.15g", p);
	/* scipy.stats.mannwhitneyu(method="asymptotic") (scipy) */
	for (int i = 0; i < 30; i++) {
		a[i] = (i + 1) * 7 % 11;
		b[i] = (i + 1) * 5 % 13;
	}
	stats_sort(a, 30);
	stats_sort(b, 28);
	p = stats_mann_whitney(a, 30, b, 28);
	tap_expect(near(p, 0.29911736354053386, 1e-12), "30 and 28 with ties: %.15g", p);
	/*
	 * one above sixty that are alike: by the normal distribution 3e-14, which is less
	 * than 2 / 61
	 */
	p = stats_mann_whitney(x, 1, same, 60);
	tap_expect(near(p, 2 / 61.0, 1e-12), "1 and 60: %.15g", p);
	for (size_t i = 0; i < sizeof alarms / sizeof *alarms; i++)
		tap_expect(near(stats_false_alarm_rate(alarms[i].n, alarms[i].m),
				alarms[i].p, 1e-12),
			   "alarms of %zu and %zu: %.15g", alarms[i].n, alarms[i].m,
			   stats_false_alarm_rate(alarms[i].n, alarms[i].m));
	tap_expect(near(stats_min_p(3, 3), 0.1, 1e-14) &&
			   near(stats_min_p(4, 4), 2 / 70.0, 1e-14) &&
			   stats_min_p(1, 1) == 1,
		   "the least p");
}

static void stats_of_means(void)
{
	/*
	 * scipy.stats.t with Welch's degrees of freedom rounded down (scipy): those of
	 * ttest_ind(equal_var=False) are 6.6, 3 and 5.1
	 */
	static const struct {
		double x[5], y[6];
		size_t n, m;
		double low, high, p;
	} means[] = {{{1, 2, 3, 4, 5},
		      {2, 3, 4, 5, 9},
		      5,
		      5,
		      -1.8256765916029702,
		      5.02567659160297,
		      0.29664148371214805},
		     {{0, 0, 0, 0},
		      {4.9, 5, 5, 5.1},
		      4,
		      4,
		      4.8700771736374895,
		      5.1299228263625105,
		      1.2001337153781324e-06},
		     {{10, 11, 12},
		      {11, 12, 13, 14, 14, 15},
		      3,
		      6,
		      0.02451513696973695,
		      4.308818196363595,
		      0.04824945306958015},
		     {{1, 1, 1, 1}, {2, 2, 2, 2}, 4, 4, 1, 1, 2 / 70.0},
		     {{3, 3}, {3, 3}, 2, 2, 0, 0, 1}};
	/* scipy.stats.false_discovery_control (scipy) */
	double p[] = {0.01, 0.04, 0.03, 0.005, 0.2, 0.9};
	static const double corrected[] = {0.03, 0.06, 0.06, 0.03, 0.24, 0.9};

	for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
		struct stats_sample x = stats_describe(means[i].x, means[i].n),
				    y = stats_describe(means[i].y, means[i].m);
		struct stats_difference d = stats_welch(&x, &y);

		tap_expect(near(d.low, means[i].low, 1e-9) &&
				   near(d.high, means[i].high, 1e-9) &&
				   near(d.p, means[i].p, 1e-9),
			   "means %zu: %.15g to %.15g, p %.15g", i, d.low, d.high, d.p);
	}
	stats_benjamini_hochberg(p, 6);
	for (int i = 0; i < 6; i++)
		tap_expect(near(p[i], corrected[i], 1e-12),
			   "Benjamini and Hochberg's of %d: %g", i, p[i]);
}

static void stats_of_many(void)
{
	/* multipletests(method="holm") (statsmodels) */
	double p[] = {0.01, 0.04, 0.03, 0.005, 0.2, 0.02};
	static const double corrected[] = {0.05, 0.09, 0.09, 0.03, 0.2, 0.08},
			    one[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
	double of[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
	struct stats_ratio r, again;

	stats_holm(p, 6);
	for (int i = 0; i < 6; i++)
		tap_expect(near(p[i], corrected[i], 1e-12), "Holm's of %d: %g", i, p[i]);
	/*
	 * The median of nine drawn from 1 to 9 is at most k with the binomial probability
	 * of five or more at k / 9: 0.0014 for 1, 0.0304 for 2, 0.9696 for 7 and 0.9986
	 * for 8; so the percentiles are 2 and 8.
	 */
	r = stats_ratio(one, 9, of, 9, 20000, 1);
	tap_expect(r.ratio == 5 && r.low == 2 && r.high == 8, "bootstrap: %g to %g",
		   r.low, r.high);
	r = stats_ratio(of, 9, one, 9, 20000, 1);
	tap_expect(r.ratio == 0.2 && r.low == 1 / 8.0 && r.high == 1 / 2.0,
		   "inverted: %g to %g", r.low, r.high);
	/*
	 * That of six drawn from 1 to 6 is the mean of the third and the fourth: at most 1
	 * with probability 0.0087, 1.5 with 0.0349, 5 with 0.9651 and 5.5 with 0.9913.
	 */
	r = stats_ratio(one, 6, of, 6, 20000, 1);
	tap_expect(r.ratio == 3.5 && r.low == 1.5 && r.high == 5.5,
		   "of an even number: %g to %g", r.low, r.high);
	/* a resampled median of 0, as one of four is, is taken for the true one */
	r = stats_ratio((double[]){0, 1, 1}, 3, one, 3, 500, 1);
	tap_expect(r.low == 1 && r.high == 1, "of a 0: %g to %g", r.low, r.high);
	for (int i = 0; i < 9; i++)
		of[i] = 100 + i * i / 7.0;
	r = stats_ratio(of, 9, of, 8, 500, 7);
	again = stats_ratio(of, 9, of, 8, 500, 7);
	tap_expect(r.low == again.low && r.high == again.high, "the same seed: %g, %g",
		   r.low, again.low);
	again = stats_ratio(of, 9, of, 8, 500, 8);
	tap_expect(r.low != again.low || r.high != again.high, "another seed: %g to %g",
		   r.low, r.high);
	r = stats_ratio(of, 9, of, 1, 500, 7);
	tap_expect(r.ratio > 0 && isnan(r.low), "an interval of one figure: %g", r.low);
}

/* A normal figure with that mean and a standard deviation of 1, by Box and Muller. */
static double normal(struct random *r, double mean)
{
	double u = ((double)random_next(r) + 1) / 0x1p64,
	       v = (double)random_next(r) / 0x1p64;

	return mean + sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

/*
 * Of so many trials the share in which n and n figures whose means differ so have a p
 * below 0.05.
 */
static double fraction_found(size_t n, double difference, int trials)
{
	struct random r = random_seed(4711, "trials");
	double x[25], y[25];
	int found = 0;

	for (int i = 0; i < trials; i++) {
		for (size_t k = 0; k < n; k++) {
			x[k] = normal(&r, 50);
			y[k] = normal(&r, 50 + difference);
		}
		found += stats_mann_whitney(x, n, y, n) < 0.05;
	}
	return (double)found / trials;
}

/*
 * What could be shown, of a mean of 50 and a standard deviation of 1; shares within four
 * standard errors.
 */
static void stats_power_of_ranks(void)
{
	/*
	 * the difference, by nct and brentq; its power in 20,000 trials; and the level,
	 * by counts of all choices (scipy)
	 */
	static const struct {
		size_t n;
		double difference, power, alarms;
	} sizes[] = {{4, 2.7695524275899475, 0.768, 2 / 70.0},
		     {10, 1.3905570621258336, 0.798, 0.04325705}};
	enum { TRIALS = 4000 };

	for (int i = 0; i < 2; i++) {
		size_t n = sizes[i].n;
		struct stats_sample s = {.n = n,
					 .mean = 50,
					 .squared_deviations = (double)(n - 1)};
		struct stats_detectable could = stats_detectable(&s, &s);
		double found = fraction_found(n, could.mann_whitney * 50, TRIALS),
		       false_ones = fraction_found(n, 0, TRIALS);
		double p = sizes[i].power, q = sizes[i].alarms;

		tap_expect(near(could.mann_whitney * 50, sizes[i].difference, 1e-7),
			   "%zu and %zu: %.12g", n, n, could.mann_whitney * 50);
		tap_expect(fabs(found - p) < 4 * sqrt(p * (1 - p) / TRIALS),
			   "%zu and %zu: found in %g", n, n, found);
		tap_expect(fabs(false_ones - q) < 4 * sqrt(q * (1 - q) / TRIALS),
			   "%zu and %zu: false in %g", n, n, false_ones);
		tap_expect(near(could.t * 50,
				stats_shift(0.05, 0.8, 2 * n - 2) * sqrt(2 / (double)n),
				1e-12),
			   "t: %g", could.t);
	}
	tap_expect(isnan(stats_detectable(&(struct stats_sample){.n = 3,
								 .mean = 1,
								 .squared_deviations = 1},
					  &(struct stats_sample){.n = 3,
								 .mean = 1,
								 .squared_deviations = 1})
				 .mann_whitney),
		   "3 and 3 show nothing");
}

static struct steady_state_verdict judge(double (*rate)(unsigned), unsigned seconds,
					 struct steady_state *s)
{
	steady_state_init(s);
	for (unsigned i = 0; i < seconds; i++)
		steady_state_add(s, rate(i));
	return steady_state_judge(s);
}

static double constant(unsigned second)
{
	return 1000 + 0 * second;
}

static double ramp(unsigned second)
{
	return 1000 + 10 * second;
}

static double step(unsigned second)
{
	return second < 40 ? 3000 : 1000;
}

static double wobble(unsigned second)
{
	return 1000 + (second % 2 ? 95 : -95);
}

static double shake(unsigned second)
{
	return 1000 + (second % 2 ? 115 : -115);
}

/* The order that came out: a letter for each operation. */
struct ordered {
	char text[32];
	size_t n;
	uint64_t last;
	bool dated;
};

static bool append_ordered(void *owner, const struct linearize_op *op)
{
	struct ordered *o = owner;

	o->text[o->n++] = (char)op->operation;
	o->dated &= op->order_ticks >= o->last;
	o->last = op->order_ticks;
	return true;
}

/*
 * Operations as "LETTER KIND KEY START END": p, o (in a transaction) and d write, f is a
 * read that found its record, m one that did not.
 */
static struct ordered linearize_all(const char *text)
{
	struct ordered o = {.dated = true};
	struct linearizer *all = linearize_create(append_ordered, &o);
	char letter, kind, key;
	unsigned start, end;
	int n;

	for (;
	     sscanf(text, " %c%c%c %u %u%n", &letter, &kind, &key, &start, &end, &n) == 5;
	     text += n) {
		struct linearize_op *op = linearize_new_op(1);

		op->operation = (unsigned char)letter;
		op->thread = (unsigned char)letter;
		op->kind = kind == 'd'                  ? LINEARIZE_DELETE
			   : kind == 'p' || kind == 'o' ? LINEARIZE_PUT
							: LINEARIZE_READ;
		op->uncommitted = kind == 'o';
		op->found = kind == 'f';
		op->start = start;
		op->end = end;
		op->key[0] = key;
		linearize_add(all, op);
		if (op->uncommitted)
			linearize_commit(all, op->thread, end);
	}
	linearize_emit_until(all, UINT64_MAX);
	linearize_free(all);
	return o;
}

static void linearizes(void)
{
	static const char *const cases[][2] = {
		/* began before the put and found it; of another key it stays */
		{"Ppx 2 5  Rfx 1 4", "PR"},
		{"Ppx 2 5  Rfy 1 4", "RP"},
		/* began behind it and found nothing; after its end that is left */
		{"Ppx 1 9  Rmx 2 4", "RP"},
		{"Ppx 1 3  Rmx 4 5", "PR"},
		{"Ppx 1 9  Rmx 2 4  Qfx 3 5", "RPQ"},
		/* deletes the other way round */
		{"Ddx 1 9  Rfx 2 4", "RD"},
		{"Ddx 2 9  Rmx 1 4", "DR"},
		/* between two writes, and behind the put that explains it */
		{"Ppx 1 3  Ddx 4 9  Rfx 5 6", "PRD"},
		{"Ppx 1 9  Ddx 2 9  Rfx 3 6", "PRD"},
		{"Ddx 1 2  Ppx 4 8  Rmx 5 6", "DRP"},
		/* as they began, where nothing is against it, not as they ended */
		{"Ppx 3 4  Rfx 1 5  Qfy 2 6", "QPR"},
		{"Oox 1 9  Rmx 2 4", "RO"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ordered o = linearize_all(cases[i][0]);

		tap_expect(!strcmp(o.text, cases[i][1]) && o.dated, "%s: %s, not %s",
			   cases[i][0], o.text, cases[i][1]);
	}
}

static void linearize_waits(void)
{
	struct ordered o = {.dated = true};
	struct linearizer *all = linearize_create(append_ordered, &o);
	struct linearize_op *put = linearize_new_op(1), *read = linearize_new_op(1);

	put->operation = 'P';
	put->kind = LINEARIZE_PUT;
	put->start = 1;
	put->end = 9;
	linearize_add(all, put);
	linearize_emit_until(all, 5);
	tap_expect(!o.n, "a put that has not ended was handed out");
	read->operation = 'R';
	read->start = 5;
	read->end = 6;
	linearize_add(all, read);
	linearize_emit_until(all, 9);
	tap_expect(!strcmp(o.text, "RP"), "a read behind its begin: %s", o.text);
	linearize_free(all);
}

static bool count_ordered(void *owner, const struct linearize_op *op)
{
	uint64_t *next = owner;

	*next += op->start == *next;
	return true;
}

/* In the square of their number it would take minutes. */
static void linearize_hot_key(void)
{
	enum { WRITES = 400000 };
	uint64_t next = 0;
	struct linearizer *all = linearize_create(count_ordered, &next);

	for (uint64_t i = 0; i < WRITES; i++) {
		struct linearize_op *put = linearize_new_op(1);

		put->kind = LINEARIZE_PUT;
		put->start = i;
		put->end = i ? i + 1 : WRITES;
		linearize_add(all, put);
	}
	linearize_emit_until(all, WRITES);
	tap_expect(next == WRITES, "%llu of the writes in order",
		   (unsigned long long)next);
	linearize_free(all);
}

static void steady_state_drops_what_was_not_filled(void)
{
	struct steady_state s;

	judge(constant, 3, &s);
	steady_state_end(&s, 3.0);
	tap_expect(s.windows == 3, "all were filled");
	steady_state_end(&s, 2.9);
	tap_expect(s.windows == 2, "the third was not");
	steady_state_end(&s, 0.8);
	tap_expect(s.windows == 0, "none was");
	judge(constant, STEADY_STATE_WINDOWS + 2, &s);
	steady_state_end(&s, STEADY_STATE_WINDOWS + 1);
	tap_expect(s.windows == STEADY_STATE_WINDOWS / 2, "windows of two seconds");
}

static void steady_state_judges(void)
{
	struct steady_state s;
	struct steady_state_verdict j = judge(constant, 4, &s);

	tap_expect(isnan(j.steady) && j.cv == 0, "four seconds are too few");
	j = judge(constant, 10, &s);
	tap_expect(j.steady == 1 && j.steady_since_s == 0 && j.range == 0 && j.slope == 0,
		   "a constant rate");
	j = judge(ramp, 19, &s);
	tap_expect(j.steady == 1 && j.steady_since_s == 0 &&
			   fabs(j.slope - 40 / 1160.0) < 1e-9 &&
			   fabs(j.range - 40 / 1160.0) < 1e-9,
		   "a slow ramp: %g %g", j.slope, j.range);
	/* Of 19 windows a fifth is 3, the first three and the last three. */
	tap_expect(j.rate_first_fifth == 1010 && j.rate_last_fifth == 1170,
		   "its fifths: %g and %g", j.rate_first_fifth, j.rate_last_fifth);
	j = judge(ramp, 100, &s);
	tap_expect(j.steady == 0 && isnan(j.steady_since_s) && j.slope > 0.1,
		   "a ramp over a hundred seconds");
	j = judge(step, 100, &s);
	tap_expect(j.steady == 1 && j.steady_since_s == 40 && j.cv > 0.5,
		   "a step: since %g", j.steady_since_s);
	j = judge(step, 45, &s);
	tap_expect(j.steady == 0, "too soon after a step");
	j = judge(wobble, 10, &s);
	tap_expect(j.steady == 1 && fabs(j.range - 0.19) < 0.01, "a range of 19 %%");
	j = judge(shake, 10, &s);
	tap_expect(j.steady == 0 && j.range > 0.2, "a range of 23 %%");
	j = judge(shake, 100000, &s);
	tap_expect(j.steady == 1 && s.windows < STEADY_STATE_WINDOWS &&
			   s.window_s == 256 && s.windows == 390,
		   "a day: %u windows of %g s", s.windows, s.window_s);
	tap_expect(s.window_ops[0] == 256000, "an average window");
}

/*
 * The schedule of an open loop against theory, in virtual time: of Poisson arrivals at 70
 * % of what one server with a constant service time can do, the mean wait is rho S / 2 (1
 * - rho) (Pollaczek and Khinchine).
 */
static void arrivals_are(void)
{
	struct clock clock = clock_calibrate(false);
	struct rate_schedule p = rate_schedule_start(&clock, 1000, 70000, true, 0,
						     random_seed(2, "arrivals"));
	const double service = 10000, theory = 0.7 * service / (2 * (1 - 0.7));
	double free_at = 0, waits = 0, squares = 0, last = 1000, n = 3000000,
	       gap = 1e9 / 70000;

	for (double i = 0; i < n; i++) {
		double scheduled = (double)rate_schedule_next_start(&p),
		       start = scheduled > free_at ? scheduled : free_at;

		waits += start - scheduled;
		squares += (scheduled - last) * (scheduled - last);
		last = scheduled;
		free_at = start + service;
		rate_schedule_advance(&p);
	}
	tap_expect(fabs(waits / n / theory - 1) < 0.05, "mean wait %.0f ns, not %.0f",
		   waits / n, theory);
	tap_expect(fabs(last / n / gap - 1) < 0.005, "mean gap %.0f ns", last / n);
	tap_expect(fabs(squares / n / (2 * gap * gap) - 1) < 0.01,
		   "gaps are not exponential");
	p = rate_schedule_start(&clock, 0, 3, false, 0.5, random_seed(2, "unused"));
	for (int i = 0; i < 3000000; i++)
		rate_schedule_advance(&p);
	tap_expect(fabs((double)rate_schedule_next_start(&p) - (1e15 + 1e9 / 6)) < 1000,
		   "a third of a second drifts");
	p = rate_schedule_start(&clock, 0, 1e6, true, 2000, random_seed(2, "unused"));
	tap_expect(rate_schedule_next_start(&p) >= 2000000 &&
			   rate_schedule_next_start(&p) < 2050000,
		   "a group of a Poisson process is due after its phase");
}

/* 25,000 operations a second: 2,500 at the beginning of each tenth of a second. */
static void bursts_are(void)
{
	struct clock clock = clock_calibrate(false);
	const double rate = 25000;
	struct rate_schedule p =
		rate_schedule_start(&clock, 1000, rate, false, 0, random_seed(2, "none"));

	rate_schedule_in_bursts(&p, 0.1);
	for (int i = 0; i < 3000000; i++, rate_schedule_advance(&p)) {
		int tenth = i / 2500;

		if (fabs((double)rate_schedule_next_start(&p) - 1000 - tenth * 1e8) <
		    1000)
			continue;
		tap_expect(false, "operation %d starts at %.0f ns", i,
			   (double)rate_schedule_next_start(&p));
		return;
	}
	/* the next begins a burst, of whose other 2,499 none is due any later */
	tap_expect(rate_schedule_backlog(&p, rate_schedule_next_start(&p) + 1000) ==
				   2499 &&
			   rate_schedule_backlog(&p, rate_schedule_next_start(&p) +
							     50000000) == 2499,
		   "the backlog has bursts, too");
}

/* ---- traces ---- */

static bool read_line(const char *path, struct trace *t, struct trace_line *line,
		      char *error)
{
	*error = '\0';
	return (t->fd > 0 || trace_open(t, path, error)) && trace_read(t, line, error);
}

/* Lines of every kind, with keys of every byte: what is written comes back, compressed or
 * not. */
static void traces_come_back(void)
{
	static const char *const names[] = {"trace.csv", "trace.csv.gz", "trace.csv.zst"};
	enum { LINES = 30000 };

	for (int f = 0; f < 3; f++) {
		const char *path = in_scratch(names[f]);
		char error[TRACE_ERROR_SIZE] = "", key[256];
		struct trace t, in = {.fd = 0};
		struct trace_line line;

		for (int i = 0; i < 256; i++)
			key[i] = (char)(255 - i);
		tap_expect(trace_create(&t, path, error), "%s", error);
		for (uint64_t i = 0; i < LINES; i++) {
			line = (struct trace_line){i * 123456789,
						   key + i % 200,
						   1 + i % 56,
						   i * i,
						   i % 7,
						   i % 3,
						   (enum trace_operation)(
							   i % TRACE_OPERATIONS),
						   (enum trace_found)(i % 3)};
			line.value_size %= TRACE_VALUE_SIZE;
			tap_expect(trace_write(&t, &line, error), "%s", error);
		}
		tap_expect(trace_close(&t, error), "%s", error);
		tap_expect(!trace_create(&t, path, error) &&
				   strstr(error, "not overwritten"),
			   "it is overwritten: %s", error);
		for (uint64_t i = 0; i < LINES; i++) {
			tap_expect(read_line(path, &in, &line, error), "line %d: %s",
				   (int)i, error);
			tap_expect(line.ns == i * 123456789 &&
					   line.key_size == 1 + i % 56 &&
					   line.client == i % 7 &&
					   !memcmp(line.key, key + i % 200,
						   line.key_size) &&
					   line.value_size == i * i % TRACE_VALUE_SIZE &&
					   line.ttl == i % 3 &&
					   (uint64_t)line.operation ==
						   i % TRACE_OPERATIONS &&
					   (uint64_t)line.found == i % 3,
				   "line %d is another", (int)i);
			if (!tap.good)
				return;
		}
		tap_expect(!trace_read(&in, &line, error) && !*error, "there is more: %s",
			   error);
		tap_expect(trace_close(&in, error), "%s", error);
	}
}

/* Twitter's own lines; keys that are not what their size says are kept whole. */
static void traces_of_others(void)
{
	static const struct {
		const char *line, *key;
		uint64_t ns, value_size;
	} lines[] = {
		{"0,q:q:1:8WTfjZU14ee,17,213,4,get,0", "q:q:1:8WTfjZU14ee", 0, 213},
		{"604799,yDqF,6,0,12,delete,0\r", "yDqF,,", 604799000000000, 0},
		{"1.5,longer,3,10,0,set,86400", "longer", 1500000000, 10},
		{"1.000000001,a%2Cb,3,10,0,gets,0", "a,b", 1000000001, 10},
		{"1,a%2Cb,5,10,0,cas,0", "a%2Cb", 1000000000, 10},
		{"2,100%,4,10,0,prepend,0", "100%", 2000000000, 10},
	};
	const char *path = in_scratch("others.csv");
	char error[TRACE_ERROR_SIZE], text[1024] = "";
	struct trace in = {.fd = 0};
	struct trace_line line;

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n",
			 lines[i].line);
	write_file(path, text);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		tap_expect(read_line(path, &in, &line, error), "%s", error);
		tap_expect(line.key_size == strlen(lines[i].key) &&
				   !memcmp(line.key, lines[i].key, line.key_size),
			   "key of '%s': '%.*s'", lines[i].line, (int)line.key_size,
			   line.key);
		tap_expect(line.ns == lines[i].ns &&
				   line.value_size == lines[i].value_size,
			   "time or size of '%s'", lines[i].line);
	}
	tap_expect(!trace_read(&in, &line, error) && !*error && trace_close(&in, error),
		   "%s", error);
}

static void traces_refused(void)
{
	static const char *const bad[] = {
		"",
		"0",
		"0,key",
		"0,key,3,1,0,get",
		"0,key,3,1,0,get,",
		"0,key,3,1,0,get,0,2",
		"0,key,3,1,0,get,0,0,0",
		"0,key,3,1,0,get,x",
		"x,key,3,1,0,get,0",
		"0,,3,1,0,get,0",
		"0,key,0,1,0,get,0",
		"0,key,x,1,0,get,0",
		"0,key,3,-1,0,get,0",
		"0,key,3,1,client,get,0",
		"0,key,3,1,0,put,0",
		"0,key,3,1,0,GET,0",
		"0,key,3,1,0,,0",
		"0,key,1025,1,0,get,0",
		"0,key,3,268435457,0,set,0",
		"0,key,3,99999999999999999999999,0,set,0",
		"99999999999999999999,key,3,1,0,get,0",
		"-1,key,3,1,0,get,0",
		"0,key,3 ,1,0,get,0",
		"1.2.3,key,3,1,0,get,0",
	};
	char error[TRACE_ERROR_SIZE], text[256], long_key[3000];
	struct trace_line line;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *path = in_scratch("bad.csv");
		struct trace in = {.fd = 0};

		snprintf(text, sizeof text, "0,key,3,1,0,get,0\n%s\n0,key,3,1,0,get,0\n",
			 bad[i]);
		write_file(path, text);
		tap_expect(read_line(path, &in, &line, error), "%s", error);
		tap_expect(!trace_read(&in, &line, error) && strstr(error, "line 2: ") &&
				   !strchr(error, '\n'),
			   "'%s' is taken: %s", bad[i], error);
		trace_close(&in, error);
	}
	memset(long_key, 'k', sizeof long_key);
	memcpy(long_key, "0,", 2);
	snprintf(long_key + 1500, sizeof long_key - 1500, ",3,1,0,get,0\n");
	struct trace in = {.fd = 0};

	write_file(in_scratch("long.csv"), long_key);
	tap_expect(!read_line(in_scratch("long.csv"), &in, &line, error) &&
			   strstr(error, "1024 bytes"),
		   "a key of 1498 bytes: %s", error);
	trace_close(&in, error);
	/* what is no gzip file, and a program that fails at it, is no end of the trace */
	write_file(in_scratch("no.csv.gz"), "0,key,3,1,0,get,0\n");
	in = (struct trace){.fd = 0};
	tap_expect(!read_line(in_scratch("no.csv.gz"), &in, &line, error) && !*error &&
			   !trace_close(&in, error) && strstr(error, "gzip failed"),
		   "what is no gzip file: %s", error);
}

/* ---- traces of other formats ---- */

/* Bytes of a file that is built. */
struct built {
	char bytes[4096];
	size_t size;
};

static void build_number(struct built *b, uint64_t value, size_t n)
{
	while (n--) {
		b->bytes[b->size++] = (char)(value & 255);
		value >>= 8;
	}
}

static void build_text(struct built *b, const char *text)
{
	build_number(b, strlen(text), 1);
	memcpy(b->bytes + b->size, text, strlen(text));
	b->size += strlen(text);
}

static const char *build_file(const struct built *b, const char *name, size_t size)
{
	const char *path = in_scratch(name);
	FILE *f = fopen(path, "w");

	if (f) {
		fwrite(b->bytes, 1, size, f);
		fclose(f);
	}
	return path;
}

/* A trace as text: its operations, the reason if it is refused, and what is left out. */
struct trace_text {
	char lines[4096], error[TRACE_ERROR_SIZE], facts[512];
	unsigned count;
};

static void read_trace_text(const char *path, struct trace_text *text)
{
	char ignored[TRACE_ERROR_SIZE];
	struct trace in = {.fd = 0};
	struct trace_line line;

	*text = (struct trace_text){.count = 0};
	if (!trace_open(&in, path, text->error))
		return;
	while (trace_read(&in, &line, text->error)) {
		char key[64] = "";

		for (size_t i = 0; i < line.key_size && i < 20; i++)
			message_append(key, sizeof key, "",
				       line.key[i] > ' ' ? "%c" : "\\%d", line.key[i]);
		message_append(text->lines, sizeof text->lines, "\n", "%s %s %llu %llu%s",
			       trace_operation_names[line.operation], key,
			       (unsigned long long)line.value_size,
			       (unsigned long long)line.ns,
			       line.found == TRACE_FOUND       ? " found"
			       : line.found == TRACE_FOUND_NOT ? " not found"
							       : "");
		text->count++;
	}
	trace_summarize(&in, text->facts, sizeof text->facts);
	trace_close(&in, *text->error ? ignored : text->error);
}

/* Begins a record of RocksDB's; returns where its size is to be set. */
static size_t begin_rocksdb_record(struct built *b, uint64_t us, int kind)
{
	build_number(b, us, 8);
	build_number(b, (uint64_t)kind, 1);
	build_number(b, 0, 4);
	return b->size;
}

static void end_rocksdb_record(struct built *b, size_t begin)
{
	size_t size = b->size;

	b->size = begin - 4;
	build_number(b, size - begin, 4);
	b->size = size;
}

static void build_rocksdb_begin(struct built *b, int version)
{
	size_t at = begin_rocksdb_record(b, 5000000, 1);

	b->size += (size_t)sprintf(b->bytes + b->size,
				   "feedcafedeadbeef\tTrace Version: 0.%d\tRocksDB "
				   "Version: 7.8\tFormat: Timestamp OpType Payload\n",
				   version);
	end_rocksdb_record(b, at);
}

/* A write batch of every kind of entry, with this number of operations stated. */
static void build_rocksdb_batch(struct built *b, bool with_map, unsigned stated)
{
	static const struct {
		int tag, family;
		const char *texts[2];
	} entries[] = {
		{0x01, -1, {"put", "12345"}}, {0x00, -1, {"gone", NULL}},
		{0x02, -1, {"sum", "1"}},     {0x03, -1, {"a remark", NULL}},
		{0x05, 3, {"put", "123"}},    {0x05, 0, {"first", ""}},
		{0x04, 3, {"gone", NULL}},    {0x06, 258, {"sum", "22"}},
		{0x07, -1, {"once", NULL}},   {0x08, 3, {"once", NULL}},
		{0x0d, -1, {NULL, NULL}},     {0x0b, -1, {"xid", NULL}},
		{0x0f, -1, {"from", "to"}},   {0x0e, 3, {"from", "to"}},
		{0x01, -1, {"", "empty"}},
	};
	size_t at = begin_rocksdb_record(b, 5000007, 3), size;

	if (with_map)
		build_number(b, 1 << 1, 8);
	size = b->size;
	if (with_map)
		build_number(b, 0, 1); /* its size, below */
	build_number(b, 99, 8);
	build_number(b, stated, 4);
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		build_number(b, (uint64_t)entries[i].tag, 1);
		if (entries[i].family > 127)
			build_number(b,
				     (uint64_t)(128 | (entries[i].family & 127) |
						entries[i].family >> 7 << 8),
				     2);
		else if (entries[i].family >= 0)
			build_number(b, (uint64_t)entries[i].family, 1);
		for (int j = 0; j < 2 && entries[i].texts[j]; j++)
			build_text(b, entries[i].texts[j]);
	}
	if (with_map) {
		/* of two bytes: the batch has more than 127 */
		size_t bytes = b->size - size - 1;

		memmove(b->bytes + size + 2, b->bytes + size + 1, bytes);
		b->bytes[size] = (char)(128 | (bytes & 127));
		b->bytes[size + 1] = (char)(bytes >> 7);
		b->size++;
	}
	end_rocksdb_record(b, at);
}

/* Records of version 0.1 or 0.2, all kinds. */
static void build_rocksdb(struct built *b, int version, unsigned stated)
{
	bool map = version == 2;
	size_t at;

	*b = (struct built){.size = 0};
	build_rocksdb_begin(b, version);
	build_rocksdb_batch(b, map, stated);
	at = begin_rocksdb_record(b, 5000009, 4);
	if (map)
		build_number(b, 1 << 2 | 1 << 3, 8);
	build_number(b, 0, 4);
	build_text(b, "put");
	end_rocksdb_record(b, at);
	/* a thread took its time before another one wrote */
	at = begin_rocksdb_record(b, 5000008, 5);
	if (map)
		build_number(b, 1 << 4 | 1 << 5 | 1 << 7, 8);
	build_number(b, 3, 4);
	build_text(b, "seek");
	if (map)
		build_text(b, "upper");
	end_rocksdb_record(b, at);
	at = begin_rocksdb_record(b, 5000010, 6);
	if (map)
		build_number(b, 1 << 4 | 1 << 5, 8);
	build_number(b, 0, 4);
	build_text(b, "back");
	end_rocksdb_record(b, at);
	if (map) {
		at = begin_rocksdb_record(b, 6000000, 13);
		build_number(b, 1 << 8 | 1 << 9 | 1 << 10, 8);
		build_number(b, 2, 4);
		build_number(b, 8, 1);
		build_number(b, 0, 4);
		build_number(b, 4, 4);
		build_number(b, 6, 1);
		build_text(b, "m1");
		build_text(b, "m2");
		end_rocksdb_record(b, at);
	}
	at = begin_rocksdb_record(b, 6000001, 2);
	end_rocksdb_record(b, at);
}

static const char rocksdb_writes[] =
	"set put 5 7000\ndelete gone 0 7000\nset sum 1 7000\n"
	"set \\0\\0\\0\\3put 3 7000\nset first 0 7000\ndelete \\0\\0\\0\\3gone 0 7000\n"
	"set \\0\\0\\1\\2sum 2 7000\ndelete once 0 7000\ndelete \\0\\0\\0\\3once 0 7000\n"
	"get put 0 9000\nscan \\0\\0\\0\\3seek 1 9000\nscan back 1 10000";

/* Every kind of record; keys of other families, what is left out, and what follows. */
static void traces_of_rocksdb(void)
{
	struct trace_text text;
	struct built b;

	build_rocksdb(&b, 1, 12);
	read_trace_text(build_file(&b, "rocksdb", b.size), &text);
	tap_expect(!*text.error && !strcmp(text.lines, rocksdb_writes), "0.1: %s\n%s",
		   text.error, text.lines);
	build_rocksdb(&b, 2, 12);
	read_trace_text(build_file(&b, "rocksdb", b.size), &text);
	tap_expect(!*text.error &&
			   !strncmp(text.lines, rocksdb_writes, strlen(rocksdb_writes)) &&
			   !strcmp(text.lines + strlen(rocksdb_writes),
				   "\nget m1 0 1000000000"
				   "\nget \\0\\0\\0\\4m2 0 1000000000"),
		   "0.2: %s\n%s", text.error, text.lines);
	tap_expect(
		!strcmp(text.facts,
			"RocksDB's records; 2 seeks read one record each, as it "
			"has no iterations; 1 seeks backward go forward; 1 seeks "
			"go without their bounds; 2 merges are puts; 2 range deletions "
			"are "
			"left out; 6 keys of other column families begin with the "
			"family's "
			"number; 1 operations on the empty key are left out; 1 "
			"records are earlier than the one before, and have its time"),
		"facts: %s", text.facts);
	b.size += (size_t)sprintf(b.bytes + b.size, "the rest of an older trace");
	read_trace_text(build_file(&b, "rocksdb", b.size), &text);
	tap_expect(!*text.error && text.count == 14 &&
			   strstr(text.facts, "what follows its end record is left out"),
		   "what follows: %s %s", text.error, text.facts);
}

/*
 * A trace that is cut anywhere is refused with the offset of the record, or, between
 * records, has no end record; one with another byte is never read beyond its fields.
 */
static void traces_of_rocksdb_refused(void)
{
	struct trace_text text;
	struct built b;
	unsigned whole = 0, other = 0;

	for (unsigned stated = 11; stated < 14; stated += 2) {
		build_rocksdb(&b, 2, stated);
		read_trace_text(build_file(&b, "rocksdb", b.size), &text);
		tap_expect(strstr(text.error, "not as many operations as it says"),
			   "%u operations: %s", stated, text.error);
	}
	build_rocksdb(&b, 2, 12);
	for (size_t cut = 60; cut < b.size; cut++) {
		read_trace_text(build_file(&b, "rocksdb", cut), &text);
		if (!*text.error)
			whole += strstr(text.facts, "no end record") != NULL;
		else if (!strstr(text.error, "the file ends within it") ||
			 !strstr(text.error, ": offset "))
			tap_expect(false, "cut at %zu: %s", cut, text.error);
	}
	tap_expect(whole == 6, "%u cuts are between records", whole);
	for (size_t i = 103; i < b.size; i++) {
		char before = b.bytes[i];

		b.bytes[i] ^= (char)0xa5;
		read_trace_text(build_file(&b, "rocksdb", b.size), &text);
		b.bytes[i] = before;
		other += *text.error != '\0';
	}
	tap_expect(other > 100, "%u of %zu wrong bytes are refused", other, b.size - 103);
	/* a get whose key is longer than its record, and a get */
	b.size = 0;
	build_rocksdb_begin(&b, 1);
	for (int length = 9; length > 1; length -= 7) {
		size_t at = begin_rocksdb_record(&b, 5000000, 4);

		build_number(&b, 0, 4);
		build_number(&b, (uint64_t)length, 1);
		build_number(&b, 'k', 2);
		end_rocksdb_record(&b, at);
	}
	read_trace_text(build_file(&b, "rocksdb", b.size), &text);
	tap_expect(!text.count && strstr(text.error, "a field reaches beyond its record"),
		   "a long key: %s %s", text.lines, text.error);
	b.bytes[13 + 34] = '3';
	read_trace_text(build_file(&b, "rocksdb", b.size), &text);
	tap_expect(strstr(text.error, "offset 0: its version is not 0.1 or 0.2"),
		   "version 0.3: %s", text.error);
}

/* Both orders of its columns; a line of several operations, and whether gets found. */
static void traces_of_meta(void)
{
	static const struct {
		const char *text, *lines, *error, *facts;
	} traces[] = {
		{"key,op,size,op_count,key_size\n7,GET,0,1,4\n71,SET,9,2,4\r\n",
		 "get 7,,, 0 0\nset 71,, 9 0\nset 71,, 9 0", "",
		 "Meta's kvcache lines; it has no times"},
		{"op_time,key,key_size,op,op_count,size,cache_hits,ttl,usecase,"
		 "sub_usecase\n3,7,1,GET_LEASE,2,5,2,0,a,b\n"
		 "4,7,1,GET,2,5,1,0,a,b\n5,8,1,GET,1,0,0,,a,b\n"
		 "5,8,1,SET_LEASE,1,6,0,300,a,b\n6,8,1,DELETE,1,0,0,0,a,b\n",
		 "get 7 5 3000000000 found\nget 7 5 3000000000 found\n"
		 "get 7 5 4000000000\nget 7 5 4000000000\nget 8 0 5000000000 not found\n"
		 "set 8 6 5000000000\ndelete 8 0 6000000000",
		 "",
		 "Meta's kvcache lines; 1 TTLs are ignored; 1 lines do not say which of "
		 "their gets found a record"},
		{"key,op,size,op_count,ttl\n7,SET,9,3,60\n7,GET,9,2,\n",
		 "set 7 9 0\nset 7 9 0\nset 7 9 0\nget 7 9 0\nget 7 9 0", "",
		 "Meta's kvcache lines; it has no times; 3 TTLs are ignored"},
		{"size,op,key\n1,GET,7\n1,get,7\n", "get 7 1 0", "line 3: its op is",
		 NULL},
		{"size,op,key\n1,GET,7\n\n", "get 7 1 0", "line 3: a time, size", NULL},
		{"size,op,key\n1,GET,7\n1,GET\n", "get 7 1 0", "line 3: it has not as",
		 NULL},
		{"size,op,key\n1,GET,7,8\n", "", "line 2: it has not as many", NULL},
		{"size,op,key\n1,GET,\n", "", "line 2: its key is empty", NULL},
		{"size,op,key\n1x,GET,7\n", "", "line 2: a time, size, count", NULL},
		{"size,op,key,op_count\n1,GET,7,0\n", "", "line 2: its op_count is 0",
		 NULL},
		{"size,op,key\n1,GET,7", "", "line 2: the last line has no end", NULL},
		{"size,op,key,key_size\n1,GET,7,1025\n", "", "line 2: its key has more",
		 NULL},
		{"size,op,key\n268435457,SET,7\n", "", "line 2: its value has more",
		 NULL},
		/* no header of Meta's: not its lines */
		{"key,op\n7,GET\n", "", "line 1: the first column is not a time", NULL},
		{"key,key,op,size\n7,7,GET,1\n", "", "line 1: the first column", NULL},
	};

	for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
		struct trace_text text;

		write_file(in_scratch("meta.csv"), traces[i].text);
		read_trace_text(in_scratch("meta.csv"), &text);
		tap_expect(!strcmp(text.lines, traces[i].lines) &&
				   !*traces[i].error == !*text.error &&
				   strstr(text.error, traces[i].error),
			   "%s: %s\n%s", traces[i].text, text.error, text.lines);
		tap_expect(!traces[i].facts || !strcmp(text.facts, traces[i].facts),
			   "facts: %s", text.facts);
	}
}

/* Records of accesses: what is read, what is written, and the next access of each. */
static void traces_of_oracle(void)
{
	static const struct trace_line lines[] = {
		{1000000000, "a", 1, 99, 0, 0, TRACE_GET, TRACE_FOUND},
		{2999999999, "0123456789abcdef", 16, 4, 0, 0, TRACE_SET, 0},
		{3000000000, "a", 1, 0, 0, 0, TRACE_DELETE, 0},
		{3000000000, "a", 1, 7, 0, 0, TRACE_SCAN, 0},
		{4000000000, "a", 1, 9, 0, 0, TRACE_ADD, 0},
		{5000000000, "0123456789abcdef", 16, 0, 0, 0, TRACE_GET, 0},
		{6000000000, "a", 1, 0, 0, 0, TRACE_GET, 0},
	};
	static const uint64_t next[] = {3, 4, 5, UINT64_MAX, UINT64_MAX};
	static const char *const names[] = {"t.oracleGeneral", "t.oracleGeneral.zst"};
	const char *path;
	char error[TRACE_ERROR_SIZE] = "", facts[512];
	struct trace_text text;
	struct built b = {.size = 0};
	struct trace t;
	FILE *f;

	for (int n = 0; n < 2; n++) {
		path = in_scratch(names[n]);
		tap_expect(trace_create(&t, path, error), "%s", error);
		for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
			tap_expect(trace_write(&t, &lines[i], error), "%s", error);
		trace_summarize(&t, facts, sizeof facts);
		tap_expect(strstr(facts,
				  "; 1 deletes are left out; 1 scans are left out"),
			   "facts: %s", facts);
		tap_expect(trace_close(&t, error), "%s", error);
		read_trace_text(path, &text);
		tap_expect(!*text.error && text.count == 5 &&
				   strstr(text.lines,
					  "get 0123456789abcdef 4 2000000000\n") &&
				   !strncmp(text.lines + 20, " 84 1000000000\n", 15) &&
				   strstr(text.lines, " 1 4000000000\n"),
			   "%s: %s\n%s", names[n], text.error, text.lines);
	}
	path = in_scratch(names[0]);
	f = fopen(path, "r");
	b.size = f ? fread(b.bytes, 1, sizeof b.bytes, f) : 0;
	if (f)
		fclose(f);
	tap_expect(b.size == 5 * 24, "it has %zu bytes", b.size);
	for (size_t i = 0; i < 5; i++)
		tap_expect(!memcmp(b.bytes + 24 * i + 16, &next[i], 8),
			   "the next access of %zu is another", i);
	/* cut, and with a next access that is not after its own */
	read_trace_text(build_file(&b, "o", b.size - 1), &text);
	tap_expect(text.count == 4 &&
			   strstr(text.error, "offset 96: the last record has"),
		   "cut: %s", text.error);
	for (unsigned wrong = 0; wrong < 3; wrong++) {
		b.bytes[24 * 2 + 16] = (char)wrong;
		read_trace_text(build_file(&b, "o", b.size), &text);
		tap_expect(text.count == 2 && strstr(text.error, "offset 48: its next"),
			   "next access %u: %s", wrong, text.error);
	}
	/* some number accesses from 0 */
	b.bytes[24 * 2 + 16] = 3;
	read_trace_text(build_file(&b, "o", b.size), &text);
	tap_expect(!*text.error && text.count == 5, "from 0: %s", text.error);
}

/* Each as late as entered, in chunks of any size; the rate is operations per time. */
static void scheduled_starts_are_kept(void)
{
	struct clock clock = clock_calibrate(false);
	struct rate_schedule_times times = {.n = 0};
	struct rate_schedule p = rate_schedule_start_times(&clock, 1000000, &times);
	uint64_t scheduled = 0, done = 0;

	p.next_start += 500; /* where the thread began */
	for (unsigned chunk = 1; chunk < 100; chunk++) {
		for (times.n = 0; times.n < chunk; times.n++)
			times.starts[times.n] = scheduled += 1000 * (times.n % 3);
		rate_schedule_take_times(&p);
		for (unsigned i = 0; i < chunk; i++, done++) {
			tap_expect(rate_schedule_next_start(&p) ==
					   1000500 + times.starts[i],
				   "operation %d is due at another time", (int)done);
			tap_expect(rate_schedule_backlog(&p,
							 rate_schedule_next_start(&p) +
								 1) <= 1 &&
					   rate_schedule_backlog(&p, UINT64_MAX) ==
						   chunk - 1 - i,
				   "backlog");
			rate_schedule_advance(&p);
		}
	}
	tap_expect(rate_schedule_end(&p, 0, 0) == 1000500 + scheduled,
		   "it ends at another time");
	tap_expect(!rate_schedule_backlog(&p, 1000500 + scheduled) &&
			   near((double)rate_schedule_backlog(&p,
							      1000500 + 3 * scheduled),
				2 * (double)done, 1e-3),
		   "what would have been due since then: %d",
		   (int)rate_schedule_backlog(&p, 1000500 + 3 * scheduled));
	tap_expect(fabs(rate_schedule_rate(&p) /
				((double)done / ((double)scheduled / 1e9)) -
			1) < 1e-6,
		   "%.1f a second", rate_schedule_rate(&p));
}

/* ---- mixgraph ---- */

static struct mixgraph make_mixgraph(int keys, int db_bench)
{
	struct mixgraph m = {
		.keys = keys,
		.db_bench = db_bench,
		.ranges = 30,
		.range_a = 14.18,
		.range_b = -2.917,
		.range_c = 0.0164,
		.range_d = -0.08082,
		.key_a = 0.002312,
		.key_b = 0.3467,
		.get = 0.85,
		.put = 0.14,
		.seek = 0.01,
		.max_value = 1024,
		.max_scan = 10000,
		.value = {.k = 0.2615, .sigma = 25.45},
		.scan = {.k = 2.517, .sigma = 14.236},
	};
	char error[MIXGRAPH_ERROR_SIZE];

	tap_expect(mixgraph_prepare(&m, error), "%s", error);
	return m;
}

enum { TEST_DRAWS = 10000000, TEST_KEYS = 3000000, DRAWS_AT_ONCE = 125 };

/* Count operations by range and kind: of keys in the order of their places. */
static void count_mixgraph(const struct mixgraph *m, double observed[30][3])
{
	struct random keys = random_seed(6, "keys"), others = random_seed(6, "others");
	uint64_t ids[DRAWS_AT_ONCE], r[DRAWS_AT_ONCE];
	unsigned char what[DRAWS_AT_ONCE];

	memset(observed, 0, 30 * sizeof *observed);
	for (unsigned done = 0; done < TEST_DRAWS; done += DRAWS_AT_ONCE) {
		mixgraph_draw_operations(m, TEST_KEYS, &keys, &others, ids, what, r,
					 DRAWS_AT_ONCE);
		for (unsigned i = 0; i < DRAWS_AT_ONCE; i++)
			if (ids[i] < TEST_KEYS && what[i] < 3)
				observed[ids[i] / (TEST_KEYS / 30)][what[i]]++;
	}
}

static int larger_first(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

/* How often each range is due, the hottest first; the sum is that of the page that
 * defines it. */
static void range_fractions(double *fraction)
{
	double sum = 0;

	for (int i = 0; i < 30; i++)
		sum += fraction[i] =
			14.18 * exp(-2.917 * (i + 1)) + 0.0164 * exp(-0.08082 * (i + 1));
	tap_expect(fabs(sum - 0.98853) < 5e-6, "the weights of ranges sum up to %.5f",
		   sum);
	for (int i = 0; i < 30; i++)
		fraction[i] *= TEST_DRAWS / sum;
}

/* Chi-square of range x operation if they are independent, as in expect_counts; of 58
 * degrees of freedom. */
static double mixgraph_dependence(double observed[30][3])
{
	double rows[30] = {0}, columns[3] = {0}, chi2 = 0;

	for (int i = 0; i < 30; i++)
		for (int k = 0; k < 3; k++) {
			rows[i] += observed[i][k];
			columns[k] += observed[i][k];
		}
	for (int i = 0; i < 30; i++)
		for (int k = 0; k < 3; k++) {
			double expected = rows[i] * columns[k] / TEST_DRAWS;

			chi2 += (observed[i][k] - expected) *
				(observed[i][k] - expected) / expected;
		}
	return chi2;
}

static void mixgraph_ranges(void)
{
	static const double operations[] = {0.85 * TEST_DRAWS, 0.14 * TEST_DRAWS,
					    0.01 * TEST_DRAWS};
	double fraction[30], observed[30][3], ranges[30], kinds[3], chi2;

	range_fractions(fraction);
	for (int keys = MIXGRAPH_PREFIX_DIST; keys <= MIXGRAPH_PREFIX_RANDOM; keys++) {
		struct mixgraph m = make_mixgraph(keys, 0);

		count_mixgraph(&m, observed);
		memset(kinds, 0, sizeof kinds);
		for (int i = 0; i < 30; i++) {
			ranges[i] = observed[i][0] + observed[i][1] + observed[i][2];
			for (int k = 0; k < 3; k++)
				kinds[k] += observed[i][k];
		}
		tap_expect(ranges[0] < ranges[1] || ranges[1] < ranges[2] ||
				   ranges[2] < ranges[3],
			   "the ranges lie in the order of their heat");
		qsort(ranges, 30, sizeof *ranges, larger_first);
		expect_counts("ranges", ranges, fraction, 30);
		expect_counts("operations", kinds, operations, 3);
		chi2 = mixgraph_dependence(observed);
		tap_expect(chi2 > 22 && chi2 < 108,
			   "what is done depends on the range: %.1f", chi2);
	}
}

/* The s most popular keys of a range, or of all, get a s^b of its draws. */
static void mixgraph_hot_keys(void)
{
	enum { HOTTEST = 8 };
	struct random r = random_seed(7, "keys");
	double observed[HOTTEST + 1], expected[HOTTEST + 1], all;
	uint64_t ids[DRAWS_AT_ONCE];

	for (int keys = MIXGRAPH_PREFIX_DIST; keys <= MIXGRAPH_ALL_DIST; keys += 2) {
		struct mixgraph m = make_mixgraph(keys, 0);
		uint64_t size = keys == MIXGRAPH_ALL_DIST ? UINT64_C(1) << 50
							  : (UINT64_C(1) << 50) / 30;

		memset(observed, 0, sizeof observed);
		for (unsigned done = 0; done < TEST_DRAWS / 4; done += DRAWS_AT_ONCE) {
			mixgraph_draw_keys(&m, UINT64_C(1) << 50, &r, ids, DRAWS_AT_ONCE);
			for (unsigned i = 0; i < DRAWS_AT_ONCE; i++) {
				unsigned s = 0;

				while (s < HOTTEST &&
				       ids[i] % size != random_mix(s + 1) % size)
					s++;
				observed[s]++;
			}
		}
		all = TEST_DRAWS / 4;
		for (int s = 0; s < HOTTEST; s++)
			expected[s] =
				0.002312 * (pow(s + 1, 0.3467) - pow(s, 0.3467)) * all;
		expected[HOTTEST] = (1 - 0.002312 * pow(HOTTEST, 0.3467)) * all;
		expect_counts(mixgraph_variants[keys], observed, expected, HOTTEST + 1);
	}
}

static const struct mixgraph *drawn_mixgraph;

static void draw_mixgraph_keys(uint64_t n, struct random *random, uint64_t *ids,
			       unsigned count)
{
	mixgraph_draw_keys(drawn_mixgraph, n, random, ids, count);
}

static void mixgraph_uniform(void)
{
	struct mixgraph m = make_mixgraph(MIXGRAPH_ALL_RANDOM, 0);
	struct distribution_parameters shape = {.kind = DISTRIBUTION_ADDED,
						.draw_keys = draw_mixgraph_keys};
	static double observed[BINS], expected[BINS];

	drawn_mixgraph = &m;
	for (int i = 0; i < BINS; i++)
		expected[i] = (double)DRAWN / BINS;
	count_draws(&shape, 1000 * BINS, observed);
	expect_counts("all_random", observed, expected, BINS);
	/* More ranges than keys, and one range of all, are still keys. */
	m = make_mixgraph(MIXGRAPH_PREFIX_DIST, 0);
	count_draws(&shape, 7, observed);
	tap_expect(observed[7] == 0, "8 keys of 7");
}

static void mixgraph_sizes(void)
{
	struct mixgraph m = make_mixgraph(0, 0);
	struct record_sizes values, lengths = {.max = m.scan.max, .pareto = m.scan};
	double value = 0, length = 0, least = 1e9, most = 0;

	record_sizes_pareto(&values, &m.value, 43);
	for (uint64_t i = 1; i <= TEST_DRAWS; i++) {
		double size = (double)record_size(&values, i % 1000, i);

		value += size / TEST_DRAWS;
		length += (double)record_size(&lengths, i, 1) / TEST_DRAWS;
		least = size < least ? size : least;
		most = size > most ? size : most;
	}
	tap_expect(fabs(value / 36.4 - 1) < 0.01, "values have %.2f bytes", value);
	tap_expect(fabs(value / record_sizes_mean(&values) - 1) < 0.005,
		   "and %.2f are expected", record_sizes_mean(&values));
	tap_expect(fabs(length / 569 - 1) < 0.01, "scans have %.1f records", length);
	tap_expect(most > 990 && most <= 1024, "the largest value has %.0f bytes", most);
	tap_expect(record_size(&values, 5, 0) == 43 &&
			   record_sizes_loaded_mean(&values) == 43,
		   "what was loaded has another size");
	/* what is above the most is what is left of it, which may be less than the least
	 */
	tap_expect(pareto_draw(&m.value, 1) == 10 && pareto_draw(&m.value, 0.75) == 10 &&
			   pareto_draw(&m.value, 8.6e-5) < 10 &&
			   pareto_draw(&m.scan, 1) == 0,
		   "the odd rules");
	/* 5 - 10 log(0.37) is 14.94 */
	tap_expect(pareto_draw(&(struct pareto){.theta = 5, .sigma = 10, .max = 99},
			       0.37) == 15,
		   "without a k it is not exponential");
}

/* A value of any size is as long as was drawn, passes, and of 8 bytes and more no byte
 * can be another. */
static void mixgraph_values(void)
{
	struct mixgraph m = make_mixgraph(0, 0);
	char value[1100], scratch[1100];
	struct record_sizes sizes;
	unsigned observed[17] = {0};

	record_sizes_pareto(&sizes, &m.value, 43);
	for (uint64_t id = 0; id < 20000; id++) {
		uint64_t generation = ((uint64_t)3 << 40) + 7 * id;
		size_t size = record_size(&sizes, id, generation);

		record_write_value(value, size, 128, id, generation);
		observed[size < 16 ? size : 16]++;
		tap_expect(record_check(&sizes, value, size, 128, id, scratch),
			   "%zu bytes of %llu are not its own", size,
			   (unsigned long long)id);
		tap_expect(!record_check(&sizes, value, size, 128, id + 1, scratch),
			   "%zu bytes are another's, too", size);
		tap_expect(!record_check(&sizes, value, size + 1, 128, id, scratch) &&
				   !record_check(&sizes, value, size - 1, 128, id,
						 scratch),
			   "%zu bytes pass at another size", size);
		value[id % size] ^= (char)(1 + id % 255);
		tap_expect(!record_check(&sizes, value, size, 128, id, scratch),
			   "a wrong byte of %zu passes", size);
	}
	for (int size = 10; size < 16; size++)
		tap_expect(observed[size] > 100, "%u values of %d bytes", observed[size],
			   size);
	for (size_t size = 0; size < 8; size++) {
		record_write_value(value, size, 128, 77, 99);
		tap_expect(record_check(&sizes, value, size, 128, 77, scratch),
			   "%zu bytes are not their own", size);
	}
}

/* As an artefact what is done is a function of the key; otherwise it is not. */
static void mixgraph_one_draw(void)
{
	enum { KEYS_FEW = 10000 };
	static unsigned char done_with[2][KEYS_FEW];
	double counted[30][3];

	for (int db_bench = 0; db_bench < 2; db_bench++) {
		struct mixgraph m = make_mixgraph(MIXGRAPH_ALL_RANDOM, db_bench);
		struct random keys = random_seed(8, "keys"),
			      others = random_seed(8, "others");
		uint64_t ids[DRAWS_AT_ONCE], r[DRAWS_AT_ONCE];
		unsigned char what[DRAWS_AT_ONCE];
		unsigned both = 0;

		for (unsigned i = 0; i < 2000; i++) {
			mixgraph_draw_operations(&m, KEYS_FEW, &keys, &others, ids, what,
						 r, DRAWS_AT_ONCE);
			for (unsigned k = 0; k < DRAWS_AT_ONCE; k++)
				done_with[db_bench][ids[k]] |=
					(unsigned char)(1 << what[k]);
		}
		for (int i = 0; i < KEYS_FEW; i++)
			both += (done_with[db_bench][i] & 3) == 3;
		tap_expect(db_bench ? !both : both > KEYS_FEW / 2,
			   "%u keys are both read and written", both);
	}
	/* Its ranges are those of whole numbers: the hottest has 526 of 669 draws,
	 * not 79.1 %. */
	struct mixgraph m = make_mixgraph(MIXGRAPH_PREFIX_DIST, 1);
	double most = 0;

	count_mixgraph(&m, counted);
	for (int i = 0; i < 30; i++)
		most = fmax(most, counted[i][0] + counted[i][1] + counted[i][2]);
	tap_expect(m.range_edges[29] == floor(m.range_edges[29]),
		   "weights are no whole numbers");
	tap_expect(mixgraph_dependence(counted) > 1000,
		   "what is done does not depend on the range: %.1f",
		   mixgraph_dependence(counted));
	tap_expect(most / TEST_DRAWS > 0.79, "the hottest range has %.4f",
		   most / TEST_DRAWS);
	/* Keys alike: the ranges are forgotten. */
	m = make_mixgraph(MIXGRAPH_PREFIX_RANDOM, 1);
	count_mixgraph(&m, counted);
	for (int i = 0; i < 30; i++)
		tap_expect(fabs((counted[i][0] + counted[i][1] + counted[i][2]) * 30 /
					TEST_DRAWS -
				1) < 0.01,
			   "range %d is hot", i);
}

/* A day of the sine, and an hour's end of it: what was due, against its integral. */
static void sine_is(void)
{
	struct clock clock = clock_calibrate(false);
	struct rate_schedule_sine sine = {.a = 1000,
					  .b = 0.0026,
					  .d = 4500,
					  .interval = 5};
	double day = 2 * 3.14159265358979 / sine.b, n = 0, quarter = 0;

	for (int poisson = 0; poisson < 2; poisson++) {
		struct rate_schedule p =
			rate_schedule_start_sine(&clock, 0, &sine, poisson, 0,
						 random_seed(3, "sine"));
		double last = 0, squares = 0;

		for (n = 0; last < day / 4 * 1e9; n++) {
			double gap = (double)rate_schedule_next_start(&p) - last;

			squares += gap * gap;
			last += gap;
			rate_schedule_advance(&p);
		}
		/* gaps are as long as their mean, or exponential around it */
		tap_expect(fabs(squares * n / last / last - (poisson ? 2 : 1)) < 0.02,
			   "gaps' mean square is %g of their mean's",
			   squares * n / last / last);
		quarter = 4500 * day / 4 + 1000 / sine.b;
		tap_expect(fabs(n / quarter - 1) < 0.002,
			   "%.0f were due in the first quarter, not %.0f", n, quarter);
		tap_expect(fabs(rate_schedule_rate(&p) / (quarter / (day / 4)) - 1) <
				   0.002,
			   "at %.1f a second", rate_schedule_rate(&p));
		tap_expect(fabs(1e9 / p.mean_gap - 5500) < 1, "at noon %.1f a second",
			   1e9 / p.mean_gap);
		tap_expect(rate_schedule_end(&p, 0, 0) == rate_schedule_next_start(&p),
			   "it ends elsewhere");
	}
	/* Below 0 nothing is due. */
	sine = (struct rate_schedule_sine){.a = 1000, .b = 0.1, .d = 0, .interval = 1};
	struct rate_schedule p = rate_schedule_start_sine(&clock, 0, &sine, false, 0,
							  random_seed(3, "sine"));

	for (n = 0; (double)rate_schedule_next_start(&p) < 60e9; n++)
		rate_schedule_advance(&p);
	tap_expect((double)rate_schedule_next_start(&p) > 62e9 &&
			   fabs(n / 20000 - 1) < 0.03,
		   "%.0f were due in half a period, and then at %.1f s", n,
		   (double)rate_schedule_next_start(&p) / 1e9);
}

/* Noise is uniform, a fraction of the amplitude to both sides, anew for each interval. */
static void noise_is(void)
{
	enum { INTERVALS = 5000 };
	struct clock clock = clock_calibrate(false);
	struct rate_schedule_sine sine = {.a = 1000,
					  .d = 4500,
					  .noise = 1,
					  .interval = 0.01};
	struct rate_schedule p = rate_schedule_start_sine(&clock, 0, &sine, false, 0,
							  random_seed(3, "sine"));
	double least = INFINITY, most = 0, sum = 0, at = 0;

	for (int n = 0; n < INTERVALS; rate_schedule_advance(&p)) {
		double rate = 1e9 / p.mean_gap;

		if (p.rate_change_at == at)
			continue;
		at = p.rate_change_at;
		n++;
		sum += rate;
		least = fmin(least, rate);
		most = fmax(most, rate);
	}
	tap_expect(fabs(sum / INTERVALS - 4500) < 6 * 289 / sqrt(INTERVALS),
		   "a mean of %.1f a second", sum / INTERVALS);
	tap_expect(least >= 4000 && least < 4005 && most <= 5000 && most > 4995,
		   "from %.1f to %.1f a second", least, most);
}

/* An interval holds what came after its beginning, and its longest to within a bucket. */
static void hist_differences(void)
{
	static struct hist before, now;
	static struct timeline_latency kind;

	memset(&before, 0, sizeof before);
	before.unit = 2;
	hist_record(&before, 900000);
	hist_record(&before, 7);
	now = before;
	for (int i = 0; i < 99; i++)
		hist_record(&now, 500);
	hist_record(&now, 3000);
	hist_subtract(&now, &before);
	tap_expect(hist_count(&now) == 100 && now.sum == 99 * 500 + 3000, "%llu recorded",
		   (unsigned long long)hist_count(&now));
	tap_expect(now.max >= 3000 && now.max < 3030 && ~now.below_min <= 500 &&
			   ~now.below_min > 495,
		   "longest %llu, shortest %llu", (unsigned long long)now.max,
		   (unsigned long long)~now.below_min);
	tap_expect(fabs(hist_summarize(&now).stddev / 497.494 - 1) < 1e-5, "deviation %g",
		   hist_summarize(&now).stddev);
	timeline_set_latency(&kind, &now);
	tap_expect(fabs(kind.p50_ns / 1000 - 1) < 0.01 && kind.max_ns >= 6000,
		   "median %g, longest %g", kind.p50_ns, kind.max_ns);
	/* 1000 and 6000 ns lie below 2^(40/4) and 2^(51/4) */
	tap_expect(!strcmp(kind.histogram, "1024:99 6889:1"), "histogram %s",
		   kind.histogram);
	before = now;
	hist_subtract(&now, &before);
	tap_expect(hist_count(&now) == 0 && now.max == 0 && now.sum == 0 &&
			   !now.below_min,
		   "nothing since, and longest %llu", (unsigned long long)now.max);
}

/* What stands in a file of the kernel's, for a test that knows what comes of it. */
static struct {
	const char *path, *text;
} kernel_file[8];

/* Stands before the C library's for the parts, too. */
FILE *fopen(const char *path, const char *mode)
{
	int flags = strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY, fd;

	for (size_t i = 0; i < sizeof kernel_file / sizeof *kernel_file; i++)
		if (kernel_file[i].path && !strcmp(path, kernel_file[i].path))
			return fmemopen((void *)(uintptr_t)kernel_file[i].text,
					strlen(kernel_file[i].text), "r");
	flags |= *mode == 'r' ? 0 : O_CREAT | (*mode == 'w' ? O_TRUNC : O_APPEND);
	fd = open(path, flags | O_CLOEXEC, 0666);
	return fd < 0 ? NULL : fdopen(fd, mode);
}

static void set_kernel_file(size_t i, const char *path, const char *text)
{
	kernel_file[i].path = path;
	kernel_file[i].text = text;
}

static void forget_kernel_files(void)
{
	memset(kernel_file, 0, sizeof kernel_file);
}

/* Finds those files, before the C library's do. */
int glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *found)
{
	const size_t most = sizeof kernel_file / sizeof *kernel_file;

	(void)flags, (void)failed;
	found->gl_pathc = 0;
	found->gl_pathv = calloc(most + 1, sizeof *found->gl_pathv);
	for (size_t i = 0; found->gl_pathv && i < most; i++)
		if (kernel_file[i].path &&
		    !fnmatch(pattern, kernel_file[i].path, FNM_PATHNAME))
			found->gl_pathv[found->gl_pathc++] =
				(char *)(uintptr_t)kernel_file[i].path;
	if (found->gl_pathc)
		return 0;
	free(found->gl_pathv);
	return GLOB_NOMATCH;
}

void globfree(glob_t *found)
{
	free(found->gl_pathv);
}

/* A directory of the kernel's, and what stands for it. */
static const char *kernel_directory, *instead_of_kernels;

DIR *opendir(const char *path)
{
	DIR *(*real)(const char *);

	*(void **)&real = dlsym(RTLD_NEXT, "opendir");
	return real(kernel_directory && !strcmp(path, kernel_directory)
			    ? instead_of_kernels
			    : path);
}

/* Each number of a line of /proc/diskstats is in its place, or in none. */
static void device_counts(void)
{
	const struct device d = {true, 8, 1};
	struct device_counts c;

	set_kernel_file(
		0, "/proc/diskstats",
		"   8       0 sda 91 92 93 94 95 96 97 98 99 910 911 912 913 914 915 "
		"916 917\n"
		"   8       1 sda1 11 12 13 14 15 16 17 18 19 20000 21 22 23 24 25 "
		"26 27\n");
	c = device_read_counts(&d);
	set_kernel_file(1, "/sys/dev/block/8:1/partition", "1\n");
	tap_expect(isnan(device_read_counts(&d).flushes),
		   "a partition has %g device_flushes", device_read_counts(&d).flushes);
	set_kernel_file(0, "/proc/diskstats",
			"8 1 sda1 11 12 13 14 15 16 17 18 19 20 21\n");
	set_kernel_file(1, NULL, NULL);
	tap_expect(isnan(device_read_counts(&d).flushes) &&
			   device_read_counts(&d).reads == 11,
		   "where none are counted there are %g device_flushes",
		   device_read_counts(&d).flushes);
	set_kernel_file(0, NULL, NULL);
	tap_expect(c.reads == 11 && c.read_bytes == 13 * 512, "%g reads of %g bytes",
		   c.reads, c.read_bytes);
	tap_expect(c.writes == 15 && c.write_bytes == 17 * 512, "%g writes of %g bytes",
		   c.writes, c.write_bytes);
	tap_expect(c.busy_s == 20 && c.flushes == 26, "busy for %g s, %g syncs", c.busy_s,
		   c.flushes);
}

/* A partition has the queue of its disk. */
static void device_queues(void)
{
	const struct device d = {true, 8, 1};
	struct device_queue q;

	set_kernel_file(0, "/sys/dev/block/8:1/../queue/scheduler",
			"none [mq-deadline] kyber\n");
	set_kernel_file(1, "/sys/dev/block/8:1/../queue/read_ahead_kb", "256\n");
	q = device_queue(&d);
	tap_expect(!strcmp(q.scheduler, "mq-deadline") && q.read_ahead_kb == 256,
		   "of a partition: %s, %g KiB", q.scheduler, q.read_ahead_kb);
	set_kernel_file(2, "/sys/dev/block/8:1/queue/scheduler", "[none] mq-deadline\n");
	q = device_queue(&d);
	tap_expect(!strcmp(q.scheduler, "none"), "of its own: %s", q.scheduler);
	for (size_t i = 0; i < 3; i++)
		set_kernel_file(i, NULL, NULL);
}

/* Each counter of the process is of its own line. */
static void process_counters(void)
{
	struct resource_usage u;
	struct footprint f;

	set_kernel_file(0, "/proc/self/io",
			"rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\n"
			"write_bytes: 6\ncancelled_write_bytes: 7\n");
	set_kernel_file(1, "/proc/self/status",
			"VmPeak:\t 90 kB\nVmSize:\t 80 kB\nVmHWM:\t 50 kB\n"
			"VmRSS:\t 40 kB\nRssAnon:\t 30 kB\nRssFile:\t 7 kB\n"
			"RssShmem:\t 3 kB\n");
	u = resource_usage_read();
	f = resource_usage_footprint();
	set_kernel_file(0, NULL, NULL);
	set_kernel_file(1, NULL, NULL);
	tap_expect(u.io_wchar_bytes == 2 && u.io_write_calls == 4 &&
			   u.io_read_bytes == 5 && u.io_write_bytes == 6,
		   "%g bytes in %g writes, devices %g and %g", u.io_wchar_bytes,
		   u.io_write_calls, u.io_read_bytes, u.io_write_bytes);
	tap_expect(f.peak_rss_kb == 50 && f.rss_kb == 40 && f.rss_anon_kb == 30 &&
			   f.rss_file_kb == 7,
		   "memory %g, %g, %g, %g", f.peak_rss_kb, f.rss_kb, f.rss_anon_kb,
		   f.rss_file_kb);
}

/* What the system counts of a process: pages and waits are made here, syncs of each kind. */
static void usage_counted(void)
{
	enum { TIMES = 40 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct resource_usage before = resource_usage_read(), after, spent;
	struct sync_counts syncs, now;
	struct rusage r;
	int fd = open(in_scratch("usage"), O_RDWR | O_CREAT, 0600);
	char *pages;

	pages = mmap(NULL, TIMES * page, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (size_t i = 0; i < TIMES; i++) {
		pages[i * page] = 1;
		nanosleep(&(struct timespec){0, 1000}, NULL);
	}
	munmap(pages, TIMES * page);
	syncs = sync_count_read();
	tap_expect(fd >= 0 && !fsync(fd) && !fdatasync(fd) && !fdatasync(fd),
		   "a sync fails");
	now = sync_count_read();
	after = resource_usage_read();
	getrusage(RUSAGE_SELF, &r);
	close(fd);
	spent = resource_usage_since(&before, &after);
	tap_expect(spent.faults_minor >= TIMES && spent.faults_major < TIMES,
		   "%g minor faults, %g major", spent.faults_minor, spent.faults_major);
	tap_expect(spent.ctx_voluntary >= TIMES &&
			   after.ctx_involuntary <= (double)r.ru_nivcsw,
		   "%g waits", spent.ctx_voluntary);
	tap_expect(after.fs_in_blocks <= (double)r.ru_inblock &&
			   after.fs_out_blocks >= before.fs_out_blocks,
		   "%g blocks were read", after.fs_in_blocks);
	tap_expect(sync_count_total(&now) - sync_count_total(&syncs) == 3,
		   "syncs are not seen");
	if (sync_count_is_complete())
		tap_expect(spent.fsyncs == 1 && spent.fdatasyncs == 2 &&
				   spent.msyncs == 0 && spent.syncs == 3,
			   "%g fsyncs, %g fdatasyncs, %g syncs", spent.fsyncs,
			   spent.fdatasyncs, spent.syncs);
}

#ifdef __linux__
/* Of the device below a path, and of no other. */
static void device_watched(void)
{
	struct resource_usage u;
	struct stat st;
	char line[160];

	tap_expect(!stat(scratch_directory, &st), "no directory");
	snprintf(line, sizeof line,
		 "%u %u other 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
		 "%u %u disk 11 12 13 14 15 16 17 18 19 20000 21 22 23 24 25 26 27\n",
		 major(st.st_dev) + 1, minor(st.st_dev), major(st.st_dev),
		 minor(st.st_dev));
	set_kernel_file(0, "/proc/diskstats", line);
	resource_usage_watch(scratch_directory);
	u = resource_usage_read();
	forget_kernel_files();
	tap_expect(u.device_reads == 11 && u.device_read_bytes == 13 * 512 &&
			   u.device_writes == 15 && u.device_write_bytes == 17 * 512 &&
			   u.device_busy_s == 20,
		   "%g reads, %g B, %g writes, %g B, %g s", u.device_reads,
		   u.device_read_bytes, u.device_writes, u.device_write_bytes,
		   u.device_busy_s);
}

#endif

/* A tenth more than was written, with a page at each end of each write; and a MiB. */
static void overcharged_beyond(void)
{
	double page = (double)sysconf(_SC_PAGESIZE),
	       limit = 1.1 * (1e7 + 100 * 2 * page) + (1 << 20);
	struct resource_usage spent = {.io_wchar_bytes = 1e7, .io_write_calls = 100};

	spent.io_write_bytes = limit - 1;
	tap_expect(resource_usage_overcharged(&spent) == 0, "up to the limit");
	spent.io_write_bytes = limit + 1;
	tap_expect(resource_usage_overcharged(&spent) == 1, "beyond the limit");
}

/* A counter that ran a fourth of the time counted a fourth; one that never ran, nothing. */
static void perf_counters_scaled(void)
{
	static const uint64_t read_back[][3] = {{1000, 400, 100},
						{7, 400, 0},
						{30, 90, 90}};
	struct perf p = {.fd = {-1, -1, -1, -1}};
	struct perf_counts c;
	int ends[2];

	for (int i = 0; i < 3; i++) {
		tap_expect(!pipe(ends) && write(ends[1], read_back[i], 24) == 24,
			   "no pipe");
		close(ends[1]);
		p.fd[i] = ends[0];
	}
	c = perf_read(&p);
	for (int i = 0; i < 3; i++)
		close(p.fd[i]);
	tap_expect(c.cycles == 4000 && isnan(c.instructions) && c.cache_misses == 30 &&
			   isnan(c.tlb_misses),
		   "%g, %g, %g, %g", c.cycles, c.instructions, c.cache_misses,
		   c.tlb_misses);
}

/* Sensors, memory and settings of the machine, from its files. */
static void machine_described(void)
{
	static const char *const zones[] = {"/sys/class/thermal/thermal_zone0/temp",
					    "/sys/class/thermal/thermal_zone1/temp",
					    "/sys/class/thermal/thermal_zone2/temp",
					    "/sys/class/thermal/thermal_zone3/temp"};
	static const char *const degrees[] = {"41000\n", "63500\n", "52000\n", "\n"};
	/* a file that is empty is as none */
	static const char *const turbo[][3] = {{"1\n", "1\n", "off"},
					       {"0\n", "0\n", "on"},
					       {"\n", "1\n", "on"},
					       {"\n", "0\n", "off"},
					       {"\n", "\n", ""}};

	for (size_t i = 0; i < 4; i++)
		set_kernel_file(i, zones[i], degrees[i]);
	tap_expect(host_state().temperature_c == 63.5, "%g degrees",
		   host_state().temperature_c);
	for (size_t i = 0; i < 5; i++) {
		set_kernel_file(0, "/sys/devices/system/cpu/intel_pstate/no_turbo",
				turbo[i][0]);
		set_kernel_file(1, "/sys/devices/system/cpu/cpufreq/boost", turbo[i][1]);
		tap_expect(!strcmp(host_describe().turbo, turbo[i][2]),
			   "turbo is %s in case %zu", host_describe().turbo, i);
	}
	set_kernel_file(0, "/proc/meminfo",
			"MemTotal: 9000 kB\nMemFree: 100 kB\nMemAvailable: 700 kB\n"
			"Buffers: 5 kB\nCached: 300 kB\nSwapCached: 8 kB\n");
	tap_expect(host_available_memory() == 700 * 1024, "%g bytes are available",
		   host_available_memory());
	tap_expect(timeline_page_cache_kb() == 300, "%g KiB are cached",
		   timeline_page_cache_kb());
	for (size_t i = 0; i < 4; i++)
		set_kernel_file(i, NULL, NULL);
}

/* Whether idle memory is paged out: by a scheme of a DAMON that is on, or by its module. */
static void idle_reclaim_known(void)
{
#define DAMON "/sys/kernel/mm/damon/admin/kdamonds/"
	static const struct {
		const char *first, *second, *action, *module, *expected;
	} cases[] = {
		{"off\n", "on\n", "pageout\n", "N\n", "damon"},
		{"on\n", "off\n", "stat\n", "N\n", ""},
		{"off\n", "off\n", "pageout\n", "N\n", ""},
		{"off\n", "off\n", "stat\n", "Y\n", "damon"},
		{"\n", "\n", "\n", "\n", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		set_kernel_file(0, DAMON "0/state", cases[i].first);
		set_kernel_file(1, DAMON "1/state", cases[i].second);
		set_kernel_file(2, DAMON "0/contexts/0/schemes/0/action", "lru_prio\n");
		set_kernel_file(3, DAMON "0/contexts/0/schemes/1/action",
				cases[i].action);
		set_kernel_file(4, "/sys/module/damon_reclaim/parameters/enabled",
				cases[i].module);
		tap_expect(!strcmp(host_describe().idle_reclaim, cases[i].expected),
			   "'%s' in case %zu", host_describe().idle_reclaim, i);
	}
	forget_kernel_files();
#undef DAMON
}

/* Each setting is of its own file, and its neighbours have others. */
static void settings_described(void)
{
	static const char *const entries[] = {"node",         "node0",  "node2",
					      "nodes",        "node10", "has_cpu",
					      "memory_nodes", "0node"};
	struct host now;

	set_kernel_file(0, "/proc/cpuinfo",
			"BogoMIPS\t: 50.0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n");
	tap_expect(!strcmp(host_describe().cpu, "0xd0c"), "an ARM's: %s",
		   host_describe().cpu);
	set_kernel_file(0, "/proc/cpuinfo",
			"vendor_id\t: A\nmodel\t\t: 7\nmodel name\t: A 9: B\n"
			"model name\t: C\n");
	set_kernel_file(1, "/sys/devices/system/cpu/smt/control", "notsupported\n");
	set_kernel_file(2, "/sys/devices/system/cpu/smt/active", "0\n");
	set_kernel_file(3, "/sys/kernel/mm/transparent_hugepage/enabled",
			"always [madvise] never\n");
	set_kernel_file(4, "/sys/kernel/mm/transparent_hugepage/defrag",
			"always defer [never]\n");
	set_kernel_file(5, "/proc/sys/vm/swappiness", "37\n");
	set_kernel_file(6, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
			"schedutil\n");
	set_kernel_file(7, "/proc/loadavg", "1.25 2.50 3.75 4/500 600\n");
	mkdir(in_scratch("nodes"), 0700);
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		char path[64];

		snprintf(path, sizeof path, "nodes/%s", entries[i]);
		mkdir(in_scratch(path), 0700);
	}
	instead_of_kernels = in_scratch("nodes");
	kernel_directory = "/sys/devices/system/node";
	now = host_describe();
	kernel_directory = NULL;
	tap_expect(!strcmp(now.cpu, "A 9: B") && !strcmp(now.smt, "notsupported") &&
			   !strcmp(now.thp, "madvise") &&
			   !strcmp(now.governor, "schedutil"),
		   "%s, SMT %s, THP %s, governor %s", now.cpu, now.smt, now.thp,
		   now.governor);
	tap_expect(now.swappiness == 37 && now.numa_nodes == 3, "swappiness %g, %g nodes",
		   now.swappiness, now.numa_nodes);
	tap_expect(now.memory_kb == (double)sysconf(_SC_PHYS_PAGES) *
					    (double)sysconf(_SC_PAGESIZE) / 1024,
		   "%g KiB of memory", now.memory_kb);
	tap_expect(host_state().load_average == 1.25, "a load of %g",
		   host_state().load_average);
	forget_kernel_files();
}

/* ---- a file system that is as full as it says ---- */

static const struct statvfs *space_there; /* NULL: as it is */

/* Stands before the C library's for the parts, too. */
int statvfs(const char *path, struct statvfs *to)
{
	int (*real)(const char *, struct statvfs *);

	*(void **)&real = dlsym(RTLD_NEXT, "statvfs");
	if (space_there)
		*to = *space_there;
	return space_there ? 0 : real(path, to);
}

/* Whether a message about limits says that. */
static bool limits_say(const char *text)
{
	return strstr(supervisor_describe_limits(scratch_directory), text);
}

static void space_is_counted(void)
{
	struct statvfs v = {.f_bsize = 65536,
			    .f_frsize = 4096,
			    .f_blocks = 10000000,
			    .f_bfree = 30000,
			    .f_bavail = 10000};
	struct rlimit was, limit;

	space_there = &v;
	tap_expect(device_size_bytes(scratch_directory) == 1e7 * 4096 &&
			   device_free_bytes(scratch_directory) == 1e4 * 4096,
		   "%g of %g bytes", device_free_bytes(scratch_directory),
		   device_size_bytes(scratch_directory));
	/* a thousandth is left, and less; 4 MiB, and less */
	tap_expect(!limits_say("is full"), "what has room is full");
	v.f_bavail = 9999;
	tap_expect(limits_say("is full"), "40 MB of 40 GB are room");
	v.f_blocks = 5000;
	v.f_bavail = 1024;
	tap_expect(!limits_say("is full"), "4 MiB are none");
	v.f_bavail = 1023;
	tap_expect(limits_say("is full"), "less than 4 MiB are enough");
	space_there = NULL;
	getrlimit(RLIMIT_NOFILE, &was);
	limit = was;
	limit.rlim_cur = 255;
	setrlimit(RLIMIT_NOFILE, &limit);
	tap_expect(limits_say("only 255 files may be open"), "255 files are enough");
	limit.rlim_cur = 256;
	setrlimit(RLIMIT_NOFILE, &limit);
	tap_expect(!limits_say("files may be open"), "256 files are not enough");
	setrlimit(RLIMIT_NOFILE, &was);
}

/* What the machine was at work on is all but idle, waiting and stolen time. */
static void machine_time(void)
{
	struct resource_usage u;

	set_kernel_file(
		0, "/proc/stat",
		"cpu  100 20000 3000000 400000000 5000 60000000 700 8000000 9 10\n");
	u = resource_usage_read();
	set_kernel_file(0, NULL, NULL);
	tap_expect(u.machine_cpu_s == 63020800 / (double)sysconf(_SC_CLK_TCK),
		   "at work for %g s", u.machine_cpu_s);
	tap_expect(u.steal_s == 8000000 / (double)sysconf(_SC_CLK_TCK),
		   "%g s were stolen", u.steal_s);
}

/*
 * Room is that of the nearest directory there is; a device without a name is unknown and
 * says so.
 */
static void device_knows(void)
{
	struct device none = device_of_path("/proc/self");
	struct device_counts counts = device_read_counts(&none);
	char path[sizeof scratch_directory + 32];
	struct statvfs v;
	double free_bytes;

	snprintf(path, sizeof path, "%s/not/there/yet", scratch_directory);
	tap_expect(!statvfs(scratch_directory, &v), "no room to compare with");
	free_bytes = (double)v.f_bavail * (double)v.f_frsize;
	tap_expect(fabs(device_free_bytes(path) / free_bytes - 1) < 0.1,
		   "a directory to be has room for %g bytes, not %g",
		   device_free_bytes(path), free_bytes);
	tap_expect(device_free_bytes("not/there/yet") > 0, "no room in a relative path");
	tap_expect(isnan(counts.read_bytes) && isnan(counts.busy_s),
		   "/proc has a device");
	tap_expect(db_dir_disk_usage(path) <= 0, "something takes room there");
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

/*
 * A directory that looks like a group; what the descriptor of the reset shows is what
 * counts, as in version 2.
 */
static void cgroup_peak_since_reset(void)
{
	struct cgroup g = {.version = 2, .peak_fd = -1};

	snprintf(g.path, sizeof g.path, "%s", in_scratch("group"));
	mkdir(g.path, 0700);
	cgroup_reset_peak(&g);
	tap_expect(isnan(cgroup_usage(&g).peak),
		   "a peak that could not be reset is known");
	write_file(in_scratch("group/memory.peak"), "1000\n");
	write_file(in_scratch("group/other"), "9000\n");
	cgroup_reset_peak(&g);
	rename(in_scratch("group/other"), in_scratch("group/memory.peak"));
	tap_expect(cgroup_usage(&g).peak == 0, "the peak is %g", cgroup_usage(&g).peak);
	close(g.peak_fd);
}

static bool groups_have_limits; /* a new directory has the files of a group */
static char group_tried[256];   /* the directory that was made last */
static const char *const group_files[] = {"memory.max",
					  "memory.swap.max",
					  "memory.limit_in_bytes",
					  "memory.memsw.limit_in_bytes",
					  "cgroup.procs",
					  "cgroup.subtree_control"};

static void each_group_file(const char *group, void (*action)(const char *path))
{
	char file[CGROUP_PATH_SIZE + 64];

	for (size_t i = 0; i < sizeof group_files / sizeof *group_files; i++) {
		snprintf(file, sizeof file, "%s/%s", group, group_files[i]);
		action(file);
	}
}

static void make_empty_file(const char *path)
{
	write_file(path, "");
}

static void remove_file(const char *path)
{
	unlink(path);
}

/* Stand before the C library's for the parts, too. */
int mkdir(const char *path, mode_t mode)
{
	int status = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);

	snprintf(group_tried, sizeof group_tried, "%s", path);
	if (!status && groups_have_limits)
		each_group_file(path, make_empty_file);
	return status;
}

int rmdir(const char *path)
{
	if (groups_have_limits)
		each_group_file(path, remove_file);
	return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

static void limit_is(const struct cgroup *g, const char *file, const char *text)
{
	char path[CGROUP_PATH_SIZE + 64], there[64] = "";
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", g->path, file);
	f = fopen(path, "r");
	if (f) {
		(void)!fgets(there, sizeof there, f);
		fclose(f);
	}
	tap_expect(!strcmp(there, text), "%s has '%s'", file, there);
}

/* memory_stall_s is by the first line, that of something, in microseconds. */
static void cgroup_stalls(void)
{
	struct cgroup g = {.version = 2, .peak_fd = -1};

	snprintf(g.path, sizeof g.path, "%s", in_scratch("stalled"));
	mkdir(g.path, 0700);
	tap_expect(isnan(cgroup_usage(&g).stall_s), "what is not told is known");
	write_file(in_scratch("stalled/memory.pressure"),
		   "some avg10=3.00 avg60=1.00 avg300=0.10 total=2500000\n"
		   "full avg10=1.00 avg60=0.10 avg300=0.01 total=700000\n");
	tap_expect(cgroup_usage(&g).stall_s == 2.5, "memory_stall_s is %g",
		   cgroup_usage(&g).stall_s);
}

/* What a group has counted, by the names of either version. */
static void cgroup_counts(void)
{
	struct cgroup g = {.version = 2, .peak_fd = -1};

	snprintf(g.path, sizeof g.path, "%s", in_scratch("counted"));
	mkdir(g.path, 0700);
	write_file(in_scratch("counted/memory.stat"),
		   "anon 5\nfile_mapped 6\nfile 4096\nfile_dirty 7\nkernel 8\n");
	write_file(in_scratch("counted/memory.events"), "high 3\noom 4\noom_kill 0\n");
	tap_expect(cgroup_usage(&g).page_cache == 4096 && !cgroup_killed(&g),
		   "version 2: %g bytes", cgroup_usage(&g).page_cache);
	write_file(in_scratch("counted/memory.events"), "high 3\noom 4\noom_kill 1\n");
	tap_expect(cgroup_killed(&g), "a killed process is none");
	g.version = 1;
	write_file(in_scratch("counted/memory.stat"),
		   "mapped_file 6\ncache 300\nrss 9\ntotal_cache 700\n");
	write_file(in_scratch("counted/memory.oom_control"),
		   "oom_kill_disable 1\nunder_oom 1\noom_kill 0\n");
	write_file(in_scratch("counted/memory.max_usage_in_bytes"), "1000\n");
	write_file(in_scratch("counted/memory.usage_in_bytes"), "900\n");
	cgroup_reset_peak(&g); /* its first digit */
	tap_expect(cgroup_usage(&g).page_cache == 300 && cgroup_usage(&g).peak == 0 &&
			   file_is(in_scratch("counted/memory.max_usage_in_bytes"),
				   "0000\n") &&
			   !cgroup_killed(&g),
		   "version 1: %g bytes, peak %g", cgroup_usage(&g).page_cache,
		   cgroup_usage(&g).peak);
	write_file(in_scratch("counted/memory.oom_control"), "oom_kill 2\n");
	tap_expect(cgroup_killed(&g), "a killed process is none in version 1");
	close(g.peak_fd);
}

/* A hierarchy that looks like the kernel's: what is paged out counts, too. */
static void cgroup_limits_swap(void)
{
	char mounts[512], error[CGROUP_ERROR_SIZE] = "";
	struct cgroup g = {.version = 0};

	mkdir(in_scratch("hierarchy"), 0700);
	groups_have_limits = true;
	write_file(in_scratch("hierarchy/cgroup.controllers"), "cpu memory io\n");
	set_kernel_file(0, "/proc/self/mountinfo", mounts);
	set_kernel_file(1, "/proc/self/cgroup", "3:memory:/\n0::/\n");
	snprintf(mounts, sizeof mounts, "1 1 0:1 / %s rw - cgroup2 cgroup2 rw\n",
		 in_scratch("hierarchy"));
	tap_expect(cgroup_create(&g, 1 << 20, error) && g.version == 2, "version 2: %s",
		   error);
	limit_is(&g, "memory.max", "1048576");
	limit_is(&g, "memory.swap.max", "0");
	nftw(g.path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	snprintf(mounts, sizeof mounts, "1 1 0:1 / %s rw - cgroup cgroup rw,memory\n",
		 in_scratch("hierarchy"));
	tap_expect(cgroup_create(&g, 1 << 20, error) && g.version == 1, "version 1: %s",
		   error);
	limit_is(&g, "memory.limit_in_bytes", "1048576");
	limit_is(&g, "memory.memsw.limit_in_bytes", "1048576");
	set_kernel_file(0, NULL, NULL);
	set_kernel_file(1, NULL, NULL);
	groups_have_limits = false;
}

/* Where no group can be made, none is tried above the mount. */
static void cgroup_stays_below_mount(void)
{
	char mounts[512], error[CGROUP_ERROR_SIZE] = "", top[256];
	struct cgroup g = {.version = 0};

	mkdir(in_scratch("above"), 0700);
	mkdir(in_scratch("above/mount"), 0700);
	mkdir(in_scratch("above/mount/own"), 0700);
	snprintf(mounts, sizeof mounts, "1 1 0:1 / %s rw - cgroup cgroup rw,memory\n",
		 in_scratch("above/mount"));
	set_kernel_file(0, "/proc/self/mountinfo", mounts);
	set_kernel_file(1, "/proc/self/cgroup", "3:memory:/own\n");
	tap_expect(!cgroup_create(&g, 1 << 20, error) &&
			   strstr(error, "cannot make a control group"),
		   "a group without limits: %s", error);
	forget_kernel_files();
	snprintf(top, sizeof top, "%s/assay-", in_scratch("above/mount"));
	tap_expect(!strncmp(group_tried, top, strlen(top)), "%s was tried last",
		   group_tried);
}

static bool is_there(const char *group)
{
	return !access(in_scratch(group), F_OK);
}

/* Where processes must be in leaves we move into one, and out of it when all is done. */
static void cgroup_leaves_nothing(void)
{
	char mounts[512], pid[32], other[64], error[CGROUP_ERROR_SIZE] = "";
	struct cgroup g = {.version = 0};

	groups_have_limits = true;
	mkdir(in_scratch("tree"), 0700);
	mkdir(in_scratch("tree/own"), 0700);
	mkdir(in_scratch("tree/own/assay-main-999999999"), 0700);
	mkdir(in_scratch("tree/own/assay-999999999-7"), 0700);
	write_file(in_scratch("tree/cgroup.controllers"), "cpu memory io\n");
	snprintf(mounts, sizeof mounts, "1 1 0:1 / %s rw - cgroup2 cgroup2 rw\n",
		 in_scratch("tree"));
	snprintf(pid, sizeof pid, "%d", (int)getpid());
	set_kernel_file(0, "/proc/self/mountinfo", mounts);
	set_kernel_file(1, "/proc/self/cgroup", "0::/own\n");
	tap_expect(cgroup_create(&g, 1 << 20, error), "%s", error);
	tap_expect(!is_there("tree/own/assay-main-999999999") &&
			   !is_there("tree/own/assay-999999999-7"),
		   "groups of the dead are left");
	limit_is(&g, "../cgroup.subtree_control", "+memory");
	limit_is(&g, "../cgroup.procs", "");
	cgroup_remove(&g);
	snprintf(g.path, sizeof g.path, "%s", in_scratch("tree/own"));
	limit_is(&g, "cgroup.subtree_control", "-memory");
	limit_is(&g, "cgroup.procs", pid);
	tap_expect(rmdir(g.path) == 0, "a group is left in it");

	/* another of ours has its limit there */
	mkdir(in_scratch("tree/own"), 0700);
	tap_expect(cgroup_create(&g, 1 << 20, error), "%s", error);
	snprintf(other, sizeof other, "tree/own/assay-%d-1", (int)getppid());
	mkdir(in_scratch(other), 0700);
	cgroup_remove(&g);
	snprintf(g.path, sizeof g.path, "%s", in_scratch("tree/own"));
	limit_is(&g, "cgroup.subtree_control", "+memory");
	tap_expect(cgroup_create(&g, 1 << 20, error) && is_there(other),
		   "a group of the living is gone");
	cgroup_remove(&g);
	set_kernel_file(0, NULL, NULL);
	set_kernel_file(1, NULL, NULL);
	groups_have_limits = false;
}

/* Directories that look like the groups of a hierarchy, mounted at scratch/NAME. */
static void make_groups(const char *name, const char *groups)
{
	char path[128], all[64], *group, *rest = all;

	snprintf(all, sizeof all, "%s", groups);
	mkdir(in_scratch(name), 0700);
	while ((group = strsep(&rest, " "))) {
		snprintf(path, sizeof path, "%s/%s", name, group);
		mkdir(in_scratch(path), 0700);
	}
}

static void set_own_groups(const char *mounts, const char *own)
{
	set_kernel_file(0, mounts ? "/proc/self/mountinfo" : NULL, mounts);
	set_kernel_file(1, own ? "/proc/self/cgroup" : NULL, own);
}

static bool equal_or_nan(double x, double y)
{
	return x == y || (isnan(x) && isnan(y));
}

/* The limits of a process that is in such groups; NaN: none. */
static void limits_are(const char *mounts, const char *own, double cpus, double bytes)
{
	struct cgroup_limits l;

	set_own_groups(mounts, own);
	l = cgroup_limits();
	set_own_groups(NULL, NULL);
	tap_expect(equal_or_nan(l.cpus, cpus) && equal_or_nan(l.memory, bytes),
		   "%s: %g CPUs, %g bytes", own, l.cpus, l.memory);
}

/* The smallest limit of all groups above counts, whichever of them has it. */
static void limits_of_version_2(void)
{
	char all[512], part[512];

	make_groups("v2", "out out/mid out/mid/own");
	snprintf(all, sizeof all, "1 1 0:1 / %s rw shared:4 - cgroup2 none rw\n",
		 in_scratch("v2"));
	snprintf(part, sizeof part, "1 1 0:1 /out/mid %s rw - cgroup2 none rw\n",
		 in_scratch("v2/out/mid"));
	limits_are(all, "0::/out/mid/own\n", NAN, NAN);
	write_file(in_scratch("v2/out/mid/own/memory.max"), "max\n");
	write_file(in_scratch("v2/out/mid/own/memory.high"), "max\n");
	write_file(in_scratch("v2/out/mid/own/cpu.max"), "max 100000\n");
	limits_are(all, "0::/out/mid/own\n", NAN, NAN);
	write_file(in_scratch("v2/out/memory.max"), "300000\n");
	write_file(in_scratch("v2/out/cpu.max"), "40000 50000\n");
	limits_are(all, "0::/out/mid/own\n", 0.8, 300000);
	limits_are(all, "0::/out\n", 0.8, 300000);
	limits_are(all, "0::/\n", NAN, NAN);
	write_file(in_scratch("v2/out/mid/memory.high"), "200000\n");
	write_file(in_scratch("v2/out/mid/cpu.max"), "150000 100000\n");
	limits_are(all, "0::/out/mid/own\n", 0.8, 200000);
	write_file(in_scratch("v2/out/mid/own/cpu.max"), "25000 50000\n");
	limits_are(all, "0::/out/mid/own\n", 0.5, 200000);
	write_file(in_scratch("v2/out/mid/own/cpu.max"), "max 50000\n");
	/* a container that sees /out/mid and what is below */
	limits_are(part, "0::/out/mid/own\n", 1.5, 200000);
	limits_are(part, "0::/out/mid\n", 1.5, 200000);
	limits_are(part, "0::/out/middle\n", NAN, NAN);
	limits_are(all, "0::/../beside\n", NAN, NAN);
	limits_are("", "0::/out/mid/own\n", NAN, NAN);
}

/* Controllers can share a hierarchy; the kernel tells the memory limit of the path. */
static void limits_of_version_1(void)
{
	char all[1024];

	make_groups("cpu", "out out/own");
	make_groups("memory", "own");
	snprintf(all, sizeof all,
		 "1 1 0:1 / %s rw - cgroup cgroup rw,cpu,cpuacct\n"
		 "2 1 0:2 /docker/7 %s rw - cgroup cgroup rw,memory\n"
		 "3 1 0:3 / %s rw - cgroup2 cgroup2 rw\n",
		 in_scratch("cpu"), in_scratch("memory"), in_scratch("none"));
	write_file(in_scratch("cpu/cpu.cfs_quota_us"), "-1\n");
	write_file(in_scratch("cpu/cpu.cfs_period_us"), "100000\n");
	write_file(in_scratch("cpu/out/cpu.cfs_quota_us"), "30000\n");
	write_file(in_scratch("cpu/out/cpu.cfs_period_us"), "100000\n");
	write_file(in_scratch("cpu/out/own/cpu.cfs_quota_us"), "100000\n");
	write_file(in_scratch("cpu/out/own/cpu.cfs_period_us"), "50000\n");
	write_file(in_scratch("memory/own/memory.stat"),
		   "cache 1\nhierarchical_memory_limit 9223372036854771712\n");
	limits_are(all, "2:memory:/docker/7/own\n1:cpu,cpuacct:/out/own\n0::/\n", 0.3,
		   NAN);
	write_file(in_scratch("memory/own/memory.stat"),
		   "cache 1\nhierarchical_memory_limit 104857600\n");
	limits_are(all, "2:memory:/docker/7/own\n1:cpu,cpuacct:/\n0::/\n", NAN,
		   104857600);
	limits_are(all, "2:memory:/docker/7\n1:cpuacct:/out/own\n0::/\n", NAN, NAN);
}

static void write_throttled(const char *file, const char *unit, unsigned periods,
			    unsigned throttled, unsigned long long time)
{
	char text[256];

	snprintf(text, sizeof text,
		 "usage_usec 5\nnr_periods %u\nnr_throttled %u\n%s %llu\nnr_bursts 9\n",
		 periods, throttled, unit, time);
	write_file(in_scratch(file), text);
}

static struct cgroup_throttling throttling_in(const char *mounts, const char *own)
{
	struct cgroup_throttling t;

	set_own_groups(mounts, own);
	t = cgroup_throttling();
	set_own_groups(NULL, NULL);
	return t;
}

static void throttled_is(const struct cgroup_throttling *before,
			 const struct cgroup_throttling *after, double periods,
			 double throttled, double seconds)
{
	struct cgroup_throttled t = cgroup_throttled_since(before, after);

	tap_expect(equal_or_nan(t.periods, periods) &&
			   equal_or_nan(t.throttled, throttled) &&
			   (fabs(t.seconds - seconds) < 1e-9 || isnan(seconds)) &&
			   isnan(t.seconds) == isnan(seconds),
		   "%g of %g periods, %g s", t.throttled, t.periods, t.seconds);
}

/* Counts of a run, of the group that was throttled most, whichever it is. */
static void throttling_since(void)
{
	const char *own = "1:cpu:/out/own\n0::/out/own\n";
	char v2[512], v1[512];
	struct cgroup_throttling none, before, after;

	make_groups("throttled", "out out/own");
	snprintf(v2, sizeof v2, "1 1 0:1 / %s rw - cgroup2 cgroup2 rw\n",
		 in_scratch("throttled"));
	snprintf(v1, sizeof v1, "1 1 0:1 / %s rw - cgroup cgroup rw,cpu\n",
		 in_scratch("throttled"));
	none = throttling_in(v2, own);
	throttled_is(&none, &none, NAN, NAN, NAN);
	write_throttled("throttled/cpu.stat", "throttled_usec", 0, 0, 0);
	write_throttled("throttled/out/cpu.stat", "throttled_usec", 100, 50, 7000000);
	write_throttled("throttled/out/own/cpu.stat", "throttled_usec", 100, 60, 1000000);
	before = throttling_in(v2, own);
	throttled_is(&before, &before, 0, 0, 0);
	throttled_is(&none, &before, NAN, NAN, NAN);
	write_throttled("throttled/out/own/cpu.stat", "throttled_usec", 122, 63, 1500000);
	after = throttling_in(v2, own);
	throttled_is(&before, &after, 22, 3, 0.5);
	write_throttled("throttled/out/own/cpu.stat", "throttled_usec", 107, 60, 1000000);
	after = throttling_in(v2, own);
	throttled_is(&before, &after, 7, 0, 0);
	write_throttled("throttled/out/cpu.stat", "throttled_usec", 109, 50, 7000000);
	after = throttling_in(v2, own);
	throttled_is(&before, &after, 9, 0, 0);
	write_throttled("throttled/out/own/cpu.stat", "throttled_usec", 122, 63, 1500000);
	write_throttled("throttled/out/cpu.stat", "throttled_usec", 120, 70, 9250000);
	after = throttling_in(v2, own);
	throttled_is(&before, &after, 20, 20, 2.25);
	write_throttled("throttled/out/cpu.stat", "throttled_time", 0, 0, 0);
	write_throttled("throttled/out/own/cpu.stat", "throttled_time", 1, 1, 1000000);
	before = throttling_in(v1, own);
	write_throttled("throttled/out/own/cpu.stat", "throttled_time", 23, 22,
			1501000000);
	after = throttling_in(v1, own);
	throttled_is(&before, &after, 22, 21, 1.5);
}

#ifdef __linux__
static const cpu_set_t *cpus_there; /* NULL: those that are */
static cpu_set_t cpus_asked;

/* Stand before the C library's for the parts, too. */
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	if (cpus_there)
		*set = *cpus_there;
	else
		CPU_ZERO(set);
	return cpus_there || syscall(SYS_sched_getaffinity, pid, size, set) >= 0 ? 0 : -1;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	cpus_asked = *set;
	return cpus_there ? 0 : (int)syscall(SYS_sched_setaffinity, pid, size, set);
}

/* A range of two is one, and threads have the CPUs of a list in turn. */
static void cpus_listed(void)
{
	static const unsigned one_of[] = {3, 5, 6, 3, 5, 6, 3};
	static const size_t some[] = {0, 1, 4, 6, 7, 8};
	char error[256] = "";
	struct host now;
	cpu_set_t all;

	CPU_ZERO(&all);
	for (size_t i = 0; i < 6; i++)
		CPU_SET(some[i], &all);
	cpus_there = &all;
	now = host_describe();
	tap_expect(now.cores == 6 && !strcmp(now.allowed_cpus, "0-1,4,6-8"),
		   "%u cores: %s", now.cores, now.allowed_cpus);
	tap_expect(host_pin_cpus("6-8,0,1,4", error), "%s", error);
	tap_expect(!host_pin_cpus("0-1,4,6-7", error), "others are allowed");
	for (unsigned i = 0; i < 7; i++) {
		host_pin_thread("3,5-6", i);
		tap_expect(CPU_COUNT(&cpus_asked) == 1 &&
				   CPU_ISSET((size_t)one_of[i], &cpus_asked),
			   "thread %u is not on CPU %u", i, one_of[i]);
	}
	cpus_there = NULL;
}
#endif

#ifdef __linux__
/* The machine's CPUs are those that /proc/stat sums up, those of a cpuset are fewer. */
static void cpus_counted(void)
{
	struct host now;
	cpu_set_t all, one;
	int first = 0;

	set_kernel_file(0, "/proc/stat",
			"cpu  1 2 3 4\ncpu0 1 2 3 4\ncpu2 1 2 3 4\ncpu13 1 2 3 4\n"
			"intr 1\nctxt 2\n");
	now = host_describe();
	set_kernel_file(0, NULL, NULL);
	tap_expect(now.machine_cpus == 3, "the machine has %u CPUs", now.machine_cpus);
	sched_getaffinity(0, sizeof all, &all);
	while (!CPU_ISSET((size_t)first, &all))
		first++;
	CPU_ZERO(&one);
	CPU_SET((size_t)first, &one);
	sched_setaffinity(0, sizeof one, &one);
	now = host_describe();
	sched_setaffinity(0, sizeof all, &all);
	tap_expect(now.cores == 1 && atoi(now.allowed_cpus) == first &&
			   !strpbrk(now.allowed_cpus, "-,"),
		   "%u cores: %s", now.cores, now.allowed_cpus);
	tap_expect(host_describe().cores == (unsigned)CPU_COUNT(&all), "%u cores",
		   host_describe().cores);
}
#endif

/* Mount points with blanks, and such as lie hidden below another. */
static void mounts_known(void)
{
	char text[4096], points[256], blank[512], *at;
	struct mount_info m;
	struct stat st;
	unsigned own[2];
	size_t n = 0;

	mkdir(in_scratch("a b"), 0700);
	mkdir(in_scratch("a b/c"), 0700);
	at = realpath(in_scratch("a b"), NULL);
	tap_expect(at && !stat(at, &st), "no directory to mount at");
	own[0] = major(st.st_dev);
	own[1] = minor(st.st_dev);
	for (const char *p = at; p && *p && n + 5 < sizeof points; p++)
		n += (size_t)snprintf(points + n, 5, *p == ' ' ? "\\040" : "%c", *p);
	snprintf(blank, sizeof blank, "%s/c", at);
	set_kernel_file(0, "/proc/self/mountinfo", text);
	snprintf(text, sizeof text,
		 "1 0 %u:%u / / rw - ext4 /dev/root rw\n"
		 "2 1 %u:%u / %s rw,noatime shared:1 - xfs /dev/my\\040disk rw\n",
		 own[0], own[1], own[0], own[1], points);
	m = host_mount(blank);
	tap_expect(!strcmp(m.type, "xfs") && !strcmp(m.options, "rw,noatime") &&
			   !strcmp(m.device, "/dev/my disk"),
		   "a point with a blank: %s %s %s", m.type, m.options, m.device);
	n = strlen(text);
	snprintf(text + n, sizeof text - n, "4 2 %u:%u / %s ro - xfs /dev/above rw\n",
		 own[0], own[1], points);
	m = host_mount(blank);
	tap_expect(!strcmp(m.options, "ro") && !strcmp(m.device, "/dev/above"),
		   "of two at one point, the one below: %s %s", m.options, m.device);
	n = strlen(text);
	snprintf(text + n, sizeof text - n, "3 2 %u:77 / %s/c rw - tmpfs none rw\n",
		 own[0] + 1, points);
	m = host_mount(blank);
	tap_expect(!strcmp(m.type, "xfs"), "a hidden one is taken: %s", m.type);
	snprintf(text, sizeof text,
		 "1 0 %u:1 / / rw - ext4 /dev/root rw\n"
		 "2 1 %u:2 / %s rw - btrfs /dev/disk rw\n",
		 own[0] + 1, own[0] + 1, points);
	m = host_mount(blank);
	tap_expect(!strcmp(m.type, "btrfs"), "a number that no mount has: %s", m.type);
	/* at a name with which the directory's begins, and no directory above it */
	n = (size_t)(strstr(points, "\\040") - points);
	snprintf(text, sizeof text,
		 "1 0 %u:%u / / rw - ext4 /dev/root rw\n"
		 "2 1 %u:%u / %.*s rw - xfs /dev/disk rw\n",
		 own[0], own[1], own[0], own[1], (int)n, points);
	m = host_mount(at);
	tap_expect(!strcmp(m.type, "ext4"), "a neighbour is above: %s", m.type);
	set_kernel_file(0, NULL, NULL);
	free(at);
}

static off_t unreadable = INT64_MAX; /* from here on, of any file */

/* Stands before the C library's for the parts, too. */
ssize_t pread(int fd, void *to, size_t size, off_t at)
{
	if (at < unreadable)
		return syscall(SYS_pread64, fd, to, size, at);
	errno = EIO;
	return -1;
}

/* A device that cannot read the end of a file of rows does not cost the rows there. */
static void unreadable_rows_stay(void)
{
	struct result r = result_unknown();
	char error[RESULT_ERROR_SIZE] = "";
	struct stat before, after;

	do
		tap_expect(result_append_tsv(in_scratch("u.tsv"), &r, error),
			   "append: %s", error);
	while (!stat(in_scratch("u.tsv"), &before) && before.st_size < 10000 && tap.good);
	unreadable = 1;
	tap_expect(!result_append_tsv(in_scratch("u.tsv"), &r, error) &&
			   strstr(error, strerror(EIO)),
		   "appends: %s", error);
	unreadable = INT64_MAX;
	tap_expect(!stat(in_scratch("u.tsv"), &after) && after.st_size == before.st_size,
		   "%lld bytes of %lld are left", (long long)after.st_size,
		   (long long)before.st_size);
}

/* ---- slow calls ---- */

enum { SLOW_SPAN = 1000000000, SLOW_LENGTH = 2000000, SLOW_COUNT = 40 };

/* A moment of the run; `grows`: the later the likelier. */
static uint64_t slow_moment(struct random *r, bool grows)
{
	double x = (double)random_below(r, 1 << 30) / (1 << 30);

	return (uint64_t)((grows ? pow(x, 0.2) : x) * (SLOW_SPAN - 2 * SLOW_LENGTH));
}

/*
 * Blocked calls, and as many memtable flushes at other moments, of which `caused` end in
 * the last third of the calls. A compaction overlaps all of it.
 */
static bool is_flush_blamed(struct random *r, bool grows, unsigned caused,
			    uint64_t before, uint64_t runnable, double *p)
{
	struct slow_call calls[SLOW_COUNT] = {{0}};
	struct slow_event events[SLOW_COUNT + 1];
	struct slow_causes causes;

	for (unsigned i = 0; i < SLOW_COUNT; i++) {
		uint64_t at = slow_moment(r, grows), end;

		calls[i] = (struct slow_call){.ticks = SLOW_LENGTH,
					      .begin = at,
					      .end = at + SLOW_LENGTH,
					      .is_known = true,
					      .kind = KIND_WRITE,
					      .runnable = runnable,
					      .blocked = SLOW_LENGTH / 10 * 9 - runnable};
		end = i < caused ? calls[i].end - random_below(r, before)
				 : slow_moment(r, grows) + SLOW_LENGTH;
		events[i] = (struct slow_event){EVENT_FLUSH, end - SLOW_LENGTH, end,
						STALL_UNKNOWN};
	}
	events[SLOW_COUNT] =
		(struct slow_event){EVENT_COMPACTION, 0, SLOW_SPAN - 1, STALL_UNKNOWN};
	causes =
		slow_cause_judge(events, SLOW_COUNT + 1, calls, SLOW_COUNT, 0, SLOW_SPAN);
	tap_expect(!causes.beyond_chance[EVENT_COMPACTION], "an overlap is a cause");
	*p = causes.p[EVENT_FLUSH];
	return causes.beyond_chance[EVENT_FLUSH];
}

/*
 * Events that cause a quarter of the stalls are found, and unrelated ones are not, also
 * if both come more often late in a run. 5 % may be blamed by chance, and two standard
 * errors more of SLOW_TRIALS trials.
 */
static void slow_causes_are_beyond_chance(void)
{
	const char *text = getenv("SLOW_TRIALS");
	const unsigned trials = text ? (unsigned)strtoul(text, NULL, 10) : 100;
	const double most = 0.05 * trials + 2 * sqrt(0.05 * 0.95 * trials);
	struct random r = random_seed(7, "slow causes");

	for (int grows = 0; grows < 2; grows++) {
		unsigned found = 0, blamed = 0, shifted = 0, inside = 0, later = 0;

		for (unsigned trial = 0; trial < trials; trial++) {
			double p;

			found += is_flush_blamed(&r, grows, SLOW_COUNT / 4,
						 SLOW_LENGTH / 3, 0, &p);
			blamed += is_flush_blamed(&r, grows, 0, 1, 0, &p);
			shifted += p < 0.04;
			/* ends while calls are blocked, and while they lack a core */
			inside += is_flush_blamed(&r, grows, SLOW_COUNT, SLOW_LENGTH, 0,
						  &p);
			later += is_flush_blamed(&r, grows, SLOW_COUNT / 4,
						 SLOW_LENGTH / 3, SLOW_LENGTH / 3, &p);
		}
		if (text)
			printf("# grows %d: found %u, blamed %u, if inside %u, later "
			       "%u of %u\n",
			       grows, found, blamed, inside, later, trials);
		tap_expect(found * 100 >= trials * 95,
			   "found in %u of %u trials, "
			   "grows %d",
			   found, trials, grows);
		tap_expect(inside <= most && later <= most,
			   "events blamed in %u and %u "
			   "of %u trials, grows %d",
			   inside, later, trials, grows);
		/* two rules that must both hold, each wrong in 5 % */
		tap_expect(blamed * 50 <= trials && shifted <= most,
			   "unrelated events "
			   "blamed in %u and %u of %u trials, grows %d",
			   blamed, shifted, trials, grows);
	}
}

/* Direct evidence goes before events, in its order. */
static void slow_causes_in_order(void)
{
	struct slow_event events[] = {{.kind = EVENT_FLUSH, .end = 600},
				      {.kind = EVENT_STALL, .begin = 900, .end = 1000}};
	struct slow_causes causes = {.events = events,
				     .count = 2,
				     .beyond_chance = {[EVENT_FLUSH] = true}};
	const struct slow_call call = {.ticks = 1000,
				       .begin = 500,
				       .end = 1500,
				       .is_known = true,
				       .kind = KIND_WRITE,
				       .cpu = 100,
				       .runnable = 100,
				       .steal = 100,
				       .blocked = 700,
				       .own_sync = 300,
				       .other_sync = 300,
				       .device_read = true};
	static const enum slow_cause order[] = {SLOW_STALL, SLOW_DEVICE_READ,
						SLOW_OTHER_WRITER, SLOW_FLUSH,
						SLOW_BLOCKED};
	struct slow_call c = call;

	for (int i = 0; i < 5; i++) {
		struct slow_reason r = slow_cause_find(&causes, &c);
		double sum = 0;

		for (int k = 0; k < SLOW_CAUSES; k++)
			sum += r.part[k];
		tap_expect(fabs(sum - 1) < 1e-9, "the parts are %g", sum);
		tap_expect(fabs(r.part[SLOW_OWN_SYNC] - 0.3) < 1e-9 &&
				   fabs(r.part[SLOW_CPU] - 0.1) < 1e-9,
			   "direct parts are wrong");
		tap_expect(fabs(r.part[order[i]] - 0.4) < 1e-9, "%s has %g",
			   slow_cause_names[order[i]], r.part[order[i]]);
		/* the next time without the evidence of this one */
		events[1].kind = EVENT_EVICTION;
		c.device_read &= i < 1;
		c.other_sync = i < 2 ? c.other_sync : 0;
		causes.beyond_chance[EVENT_FLUSH] &= i < 3;
	}
	/* where an engine has one writer, whose sync is a small part of the wait */
	for (int i = 0; i < 4; i++) {
		double part;

		causes.one_writer = i % 2;
		c.other_sync = 10;
		c.kind = i < 2 ? KIND_WRITE : KIND_READ;
		part = slow_cause_find(&causes, &c).part[SLOW_OTHER_WRITER];
		tap_expect(fabs(part - (i == 1 ? 0.4 : 0)) < 1e-9, "case %d: %g", i,
			   part);
	}
	c.is_known = false;
	tap_expect(fabs(slow_cause_find(&causes, &c).part[SLOW_NOT_ATTRIBUTED] - 0.7) <
			   1e-9,
		   "an unknown call is attributed");
}

/* A stall counts where it began in the call, or for half of what is left. */
static void slow_stalls_overlap(void)
{
	struct slow_event stall = {EVENT_STALL, 0, 0, STALL_UNKNOWN};
	struct slow_causes causes = {.events = &stall, .count = 1};
	struct slow_call call = {.ticks = 1000,
				 .begin = 1000,
				 .end = 2000,
				 .is_known = true,
				 .kind = KIND_WRITE,
				 .blocked = 1000};
	static const struct {
		uint64_t begin, end;
		bool stalls;
	} cases[] = {{0, 999, false},
		     {0, 1400, false},
		     {0, 1600, true},
		     {1900, 2500, true},
		     {2001, 2500, false}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		stall.begin = cases[i].begin;
		stall.end = cases[i].end;
		call.kind = KIND_WRITE;
		tap_expect((slow_cause_find(&causes, &call).part[SLOW_STALL] > 0) ==
				   cases[i].stalls,
			   "case %zu", i);
		call.kind = KIND_READ;
		tap_expect(!(slow_cause_find(&causes, &call).part[SLOW_STALL] > 0),
			   "a read stalls, case %zu", i);
	}
}

/* Of two stalls in a call the longer one is the reason, in any order. */
static void slow_stalls_have_a_reason(void)
{
	struct slow_event stalls[] = {{EVENT_STALL, 1000, 1300, STALL_MEMTABLES},
				      {EVENT_STALL, 900, 1900, STALL_LEVEL0}};
	const struct slow_causes causes = {.events = stalls, .count = 2};
	const struct slow_call call = {.ticks = 1000,
				       .begin = 1000,
				       .end = 2000,
				       .is_known = true,
				       .kind = KIND_WRITE,
				       .blocked = 1000};

	for (int order = 0; order < 2; order++) {
		struct slow_event first = stalls[0];

		tap_expect(slow_cause_find(&causes, &call).stall == STALL_LEVEL0,
			   "the reason is the shorter one, order %d", order);
		stalls[0] = stalls[1];
		stalls[1] = first;
	}
	stalls[0].begin = stalls[1].begin = 1950;
	stalls[0].end = stalls[1].end = 1960;
	stalls[1].reason = STALL_COMPACTION;
	tap_expect(slow_cause_find(&causes, &call).stall == STALL_COMPACTION,
		   "one that began inside has no reason");
}

struct noted_stalls {
	struct event last;
	unsigned count;
};

static void note_stall(void *to, const struct event *event)
{
	struct noted_stalls *noted = to;

	noted->last = *event;
	noted->count++;
}

/* A stall ends with the first job after which the engine does not repeat its line. */
static void stalls_of_a_log(void)
{
	struct event_log log = {0};
	struct noted_stalls noted = {.count = 0};
	const struct event *last = &noted.last;

	event_log_end_stalls(&log, 50, note_stall, &noted);
	tap_expect(!noted.count, "a stall that never began");
	event_log_stalled(&log, STALL_MEMTABLES, 100);
	event_log_stalled(&log, STALL_MEMTABLES, 150);
	event_log_end_stalls(&log, 0, note_stall, &noted);
	tap_expect(!noted.count, "it ends without a job");
	event_log_end_stalls(&log, 200, note_stall, &noted);
	tap_expect(noted.count == 1 && last->kind == EVENT_STALL &&
			   last->reason == STALL_MEMTABLES && last->realtime &&
			   last->begin_ns == 100 && last->end_ns == 200,
		   "from its first line to the end of the job");
	/* the line after the job's end stands before the job's, which is buffered */
	event_log_stalled(&log, STALL_LEVEL0, 300);
	event_log_stalled(&log, STALL_LEVEL0, 401);
	event_log_end_stalls(&log, 400, note_stall, &noted);
	tap_expect(noted.count == 1, "it ended although writes still waited");
	event_log_end_stalls(&log, 500, note_stall, &noted);
	tap_expect(noted.count == 2 && last->reason == STALL_LEVEL0 &&
			   last->begin_ns == 300 && last->end_ns == 500,
		   "it goes on until the next job");
	event_log_end_stalls(&log, 600, note_stall, &noted);
	tap_expect(noted.count == 2, "it ends once");
}

/* Two hours before UTC in summer, one in winter, whatever today is. */
static void times_of_a_log(void)
{
	const uint64_t second = 1000000000;
	char before[256] = "";
	bool set = getenv("TZ") != NULL;

	snprintf(before, sizeof before, "%s", set ? getenv("TZ") : "");
	setenv("TZ", "AAA-1BBB,M3.5.0,M10.5.0/3", 1);
	tap_expect(event_log_line_time("2026/07/01-12:00:00.000007 7f ") ==
			   1782900000 * second + 7000,
		   "noon in summer is 10 o'clock of UTC");
	tap_expect(event_log_line_time("2026/12/01-12:00:00.000007 7f ") ==
			   1796122800 * second + 7000,
		   "noon in winter is 11 o'clock");
	if (set)
		setenv("TZ", before, 1);
	else
		unsetenv("TZ");
	tzset();
}

/* The time of a thread's syncs, of which the last has not ended. */
static void sync_spans_noted(void)
{
	static struct sync_count_spans spans;
	struct clock clock = clock_calibrate(false);
	int fd = open(in_scratch("spans"), O_RDWR | O_CREAT, 0600);
	uint64_t begin = clock_ticks(&clock), end;

	spans.clock = &clock;
	sync_count_note_spans(&spans);
	for (int i = 0; i < SYNC_COUNT_SPANS + 10; i++)
		tap_expect(!write(fd, "", 0) && !fdatasync(fd), "no sync");
	sync_count_note_spans(NULL);
	fdatasync(fd);
	end = clock_ticks(&clock);
	tap_expect(spans.count == SYNC_COUNT_SPANS + 10, "%llu spans",
		   (unsigned long long)spans.count);
	tap_expect(sync_count_ticks(&spans, begin, end) > 0 &&
			   sync_count_ticks(&spans, begin, end) <= end - begin,
		   "their sum is not within the time");
	tap_expect(!sync_count_ticks(&spans, end, end + 1000), "time after the last");
	memset(&spans, 0, sizeof spans);
	spans.count = 2;
	spans.span[0].begin = 10;
	spans.span[0].end = 30;
	spans.span[1].begin = 50;
	tap_expect(sync_count_ticks(&spans, 20, 60) == 20,
		   "10 of the one, 10 of an open one");
	close(fd);
}

/* ---- backoff ---- */

/*
 * At once at first, then longer and longer up to a limit, and from the beginning once
 * something was done.
 */
static void backoff_grows(void)
{
	enum { SAMPLES = 200 };
	struct backoff b = {.random = random_seed(1, "backoff")};
	uint64_t mark = 1, limit = BACKOFF_INITIAL_NS;

	for (int i = 0; i < BACKOFF_IMMEDIATE_RETRIES; i++)
		tap_expect(!backoff_ns(&b, mark), "waits before time %d", i + 1);
	for (int time = 0; time < 40; time++) {
		uint64_t most = 0, sum = 0;

		for (int i = 0; i < SAMPLES; i++) {
			struct backoff copy = b;
			uint64_t ns = backoff_ns(&copy, mark);

			b.random = copy.random;
			most = ns > most ? ns : most;
			sum += ns;
		}
		tap_expect(most < limit && most > limit / 10 * 9,
			   "time %d: up to %llu of %llu", time, (unsigned long long)most,
			   (unsigned long long)limit);
		tap_expect(sum / SAMPLES > limit / 5 * 2 && sum / SAMPLES < limit / 5 * 3,
			   "time %d: %llu on average, of %llu", time,
			   (unsigned long long)(sum / SAMPLES),
			   (unsigned long long)limit);
		backoff_ns(&b, mark);
		limit = limit < BACKOFF_MAX_NS ? 2 * limit : limit;
	}
	tap_expect(limit == BACKOFF_MAX_NS, "the last limit is %llu",
		   (unsigned long long)limit);
	tap_expect(!backoff_ns(&b, ++mark), "waits after something was done");
}

/* ---- transaction, with an engine of numbers ---- */

enum { CHUNK_SLOTS = 8 };

/*
 * A thread that writes `todo` records in transactions; what is durable is counted by id.
 */
struct writer {
	struct transaction txn;
	struct transaction_times times;
	struct slot slot[CHUNK_SLOTS];
	struct hist hist;
	uint64_t next, mark, todo, done, counted;
	unsigned open[64], opened;  /* ids of the open transaction */
	unsigned times_durable[64]; /* how often each is durable */
};

static void writer_starts(struct writer *w, uint64_t size, uint64_t todo)
{
	memset(w, 0, sizeof *w);
	w->txn.writes_per_commit = size;
	w->txn.single_writes = size == 1;
	w->txn.times = &w->times;
	w->hist.unit = 1;
	w->todo = todo;
}

static void engine_writes(struct writer *w, const struct slot *slot)
{
	w->open[w->opened++] = (unsigned)slot->value.size;
	transaction_note_write(&w->txn, slot->call);
	if (slot->call & CALL_COMMIT || w->txn.single_writes) {
		while (w->opened)
			w->times_durable[w->open[--w->opened]]++;
	}
}

/* One chunk, as in bench.c; its n-th call returns a conflict, unless that is 0. */
static void writer_runs_chunk(struct writer *w, unsigned conflict_at)
{
	unsigned n = (unsigned)(w->todo < CHUNK_SLOTS ? w->todo : CHUNK_SLOTS), done,
		 open;

	if (!w->txn.marked)
		w->mark = w->next;
	n = transaction_fit(&w->txn, n);
	for (unsigned i = 0; i < n; i++)
		w->slot[i] = (struct slot){.call = CALL_PUT,
					   .value.size = w->next++,
					   .ticks = 1 + i};
	transaction_mark(&w->txn, w->slot, n, n == w->todo);
	for (struct slot *slot = w->slot;
	     slot < w->slot + n && !w->txn.must_regenerate;) {
		if (conflict_at && !--conflict_at) {
			struct slot *from = transaction_rewind(&w->txn, w->slot, slot);

			w->opened = 0;
			n = from ? n : (unsigned)(slot - w->slot);
			slot = from ? from : slot;
			continue;
		}
		engine_writes(w, slot++);
	}
	done = n;
	open = transaction_open_calls(&w->txn, done);
	if (transaction_has_ended(&w->txn, done))
		w->counted += transaction_commit_times(&w->txn, &w->hist, NULL, NULL);
	for (unsigned i = 0; i < done - open; i++, w->counted++)
		hist_record(&w->hist, w->slot[i].ticks);
	transaction_keep_times(&w->txn, w->slot + done - open, NULL, open);
	w->todo -= done;
	if (w->txn.must_regenerate) {
		w->todo += w->txn.pending;
		transaction_discard_times(&w->txn);
		w->txn.must_regenerate = false;
		w->txn.pending = w->txn.marked = 0;
		w->next = w->mark;
	}
}

/* Every record is durable once, and counted once, whichever call has a conflict. */
static void transactions_count_once(void)
{
	static struct writer w;

	for (uint64_t size = 1; size <= 30; size++)
		for (unsigned at = 0; at <= 40; at++) {
			const uint64_t todo = 37;
			unsigned calls = at;

			writer_starts(&w, size, todo);
			for (int chunk = 0; chunk < 100 && w.todo; chunk++) {
				unsigned now = calls && calls <= CHUNK_SLOTS ? calls : 0;

				calls = calls > CHUNK_SLOTS ? calls - CHUNK_SLOTS : 0;
				writer_runs_chunk(&w, now);
				tap_expect(hist_count(&w.hist) == w.counted &&
						   w.counted <= todo,
					   "size %d, call %u: %d in the histogram, %d "
					   "counted",
					   (int)size, at, (int)hist_count(&w.hist),
					   (int)w.counted);
			}
			for (unsigned id = 0; id < todo; id++)
				tap_expect(
					w.times_durable[id] == 1,
					"size %d, call %u: record %u is there %u times",
					(int)size, at, id, w.times_durable[id]);
			tap_expect(w.counted == todo && !transaction_uncounted(&w.txn),
				   "size %d, call %u: %d counted", (int)size, at,
				   (int)w.counted);
			tap_expect(w.txn.commits == (todo + size - 1) / size,
				   "size %d: %d commits", (int)size, (int)w.txn.commits);
		}
}

/*
 * What is open is in no figure, and dropped as a whole; what has no room in the lists is
 * kept all the same.
 */
static void open_transactions_are_not_counted(void)
{
	enum { MANY = 3 * TRANSACTION_TIMES_MAX / CHUNK_SLOTS };
	static struct writer w;
	static struct hist responses, delays;
	uint64_t response[CHUNK_SLOTS], sum = 0;

	writer_starts(&w, UINT64_MAX, UINT64_MAX);
	for (unsigned i = 0; i < CHUNK_SLOTS; i++) {
		w.slot[i] = (struct slot){.call = CALL_PUT, .ticks = 100 + i};
		response[i] = 1000 + i;
	}
	for (unsigned chunk = 0; chunk < MANY; chunk++) {
		for (unsigned i = 0; i < CHUNK_SLOTS; i++, sum += 100 + i - 1)
			transaction_note_write(&w.txn, CALL_PUT);
		tap_expect(transaction_open_calls(&w.txn, CHUNK_SLOTS) == CHUNK_SLOTS &&
				   !transaction_has_ended(&w.txn, CHUNK_SLOTS),
			   "all of a chunk are open");
		transaction_keep_times(&w.txn, w.slot, response, CHUNK_SLOTS);
	}
	tap_expect(transaction_uncounted(&w.txn) == MANY * CHUNK_SLOTS &&
			   !hist_count(&w.hist),
		   "none counts");
	tap_expect(transaction_is_open(&w.txn), "the transaction is still open");
	tap_expect(transaction_commit_times(&w.txn, &w.hist, &responses, &delays) ==
			   MANY * CHUNK_SLOTS,
		   "all are settled");
	tap_expect(hist_count(&w.hist) == MANY * CHUNK_SLOTS &&
			   hist_count(&responses) == MANY * CHUNK_SLOTS &&
			   w.hist.sum == sum &&
			   responses.sum == sum + 900 * MANY * CHUNK_SLOTS,
		   "all count: %d", (int)hist_count(&w.hist));
	tap_expect(hist_count(&delays) == MANY * CHUNK_SLOTS &&
			   delays.sum == 900 * MANY * CHUNK_SLOTS,
		   "with the delays of their starts: %d", (int)hist_count(&delays));
	tap_expect(w.hist.max == 107 && responses.max == 1007 && w.hist.unit == 1,
		   "with their times");
	for (unsigned chunk = 0; chunk < MANY; chunk++)
		transaction_keep_times(&w.txn, w.slot, response, CHUNK_SLOTS);
	tap_expect(transaction_discard_times(&w.txn) == sum &&
			   !transaction_uncounted(&w.txn),
		   "the sum of failed attempts is reported");
	tap_expect(hist_count(&w.hist) == MANY * CHUNK_SLOTS, "and count nowhere");
	memset(&responses, 0, sizeof responses);
	memset(&delays, 0, sizeof delays);
	transaction_keep_times(&w.txn, w.slot, response, 2);
	tap_expect(transaction_commit_times(&w.txn, NULL, &responses, &delays) == 2 &&
			   hist_count(&responses) == 2 && responses.sum == 2001 &&
			   hist_count(&delays) == 2 && delays.sum == 1800,
		   "the next has its own alone: %d", (int)hist_count(&responses));
	for (unsigned i = 0; i <= TRANSACTION_TIMES_MAX; i++)
		transaction_keep_times(&w.txn, w.slot, response, 1);
	memset(&responses, 0, sizeof responses);
	memset(&delays, 0, sizeof delays);
	tap_expect(transaction_commit_times(&w.txn, NULL, &responses, &delays) ==
				   TRANSACTION_TIMES_MAX + 1 &&
			   responses.sum == 1000 * (TRANSACTION_TIMES_MAX + 1) &&
			   delays.sum == 900 * (TRANSACTION_TIMES_MAX + 1),
		   "also one that is spilled: %d", (int)hist_count(&responses));
}

/* Chunks of whole transactions, or parts of one, which they do not exceed. */
static void transactions_fit_chunks(void)
{
	static const struct {
		uint64_t writes_per_commit, marked;
		unsigned n, fit;
	} rows[] = {
		{3, 0, 8, 6},  {3, 0, 9, 9},    {3, 0, 3, 3},   {3, 0, 2, 2},
		{8, 0, 8, 8},  {9, 0, 8, 8},    {100, 0, 8, 8}, {3, 1, 8, 2},
		{3, 1, 2, 2},  {3, 2, 8, 1},    {9, 1, 8, 8},   {10, 1, 8, 8},
		{10, 3, 8, 7}, {100, 99, 8, 1},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct transaction t = {.writes_per_commit =
						      rows[i].writes_per_commit,
					      .marked = rows[i].marked};

		tap_expect(transaction_fit(&t, rows[i].n) == rows[i].fit, "row %d: %u",
			   (int)i, transaction_fit(&t, rows[i].n));
	}
}

/* A read-modify-write is done again from its read; a single write by itself. */
static void read_modify_writes_repeat(void)
{
	struct transaction_times times = {.count = 0};
	struct transaction t = {.writes_per_commit = 1,
				.single_writes = true,
				.times = &times};
	struct slot slot[4] = {
		{.call = CALL_PUT},
		{.call = CALL_RMW_GET | CALL_FIRST_OF_TWO | CALL_BEGIN},
		{.call = CALL_PUT | CALL_COMMIT},
		{.call = CALL_GET},
	};

	tap_expect(transaction_rewind(&t, slot, slot) == slot &&
			   transaction_rewind(&t, slot, slot + 3) == slot + 3,
		   "singles");
	tap_expect(transaction_rewind(&t, slot, slot + 2) == slot + 1 &&
			   transaction_rewind(&t, slot, slot + 1) == slot + 1,
		   "the pair");
	tap_expect(!t.must_regenerate, "none began in an earlier chunk");
	t.pending = 3;
	t.open_since_warmup = true;
	tap_expect(transaction_rewind(&t, slot, slot) == slot && t.pending == 3 &&
			   t.open_since_warmup,
		   "what is single begins nothing anew");
	tap_expect(transaction_rewind(&t, slot, slot + 2) == slot + 1 && !t.pending &&
			   !transaction_is_open(&t),
		   "what begins anew has done nothing, in no warm-up either");
	tap_expect(transaction_is_second_call(slot, slot + 2) &&
			   !transaction_is_second_call(slot, slot + 1) &&
			   !transaction_is_second_call(slot, slot),
		   "a chunk does not end between the two");
	transaction_note_write(&t, CALL_PUT);
	transaction_note_write(&t, CALL_PUT | CALL_COMMIT);
	tap_expect(t.commits == 2 && !t.pending, "each is a commit");
}

/* ---- verdict, on values of no run ---- */

static struct {
	struct workload workload;
	struct database database;
	struct host host;
	struct clock clock;
	struct program_facts info;
	struct hist responses[KINDS];
	struct backup backup;
	const char *of_extra; /* why an extra finds the row invalid */
	struct message_texts texts;
	struct aggregate a;
	struct result r;
} judged;

/* Ten valid seconds on two CPUs, in which 100 records of 64 KiB were read. */
static void make_valid(void)
{
	struct aggregate *a = &judged.a;

	memset(&judged, 0, sizeof judged);
	strcpy(judged.host.governor, "performance");
	judged.host.idle_reclaim = "";
	judged.host.cores = 2;
	judged.clock.ns_per_tick = (uint64_t)1 << 32;
	judged.backup.done = true;
	judged.backup.records = 1000;
	judged.backup.consistent = NAN;
	judged.info = (struct program_facts){.host = &judged.host,
					     .clock = &judged.clock,
					     .database = &judged.database};
	a->info = &judged.info;
	a->texts = &judged.texts;
	a->workload = &judged.workload;
	a->responses = judged.responses;
	a->foreground = a->all_threads = 1;
	a->must_find = true;
	a->records_least = 1000;
	a->planned = a->totals.ops = a->foreground_totals.ops = 100;
	a->totals.ops_by_kind[KIND_WRITE] = 95;
	a->foreground_totals.seconds = 10;
	a->target_rate = 10;
	a->groups = 10;
	a->metrics.ended.ticks = a->metrics.ended.raw_ns = 10000000000;
	judged.r = result_unknown();
	judged.r.reads = judged.r.entries = 100;
	judged.r.writes = judged.r.scans = 0;
	judged.r.key_size = 16;
	judged.r.value_size = 65520;
	judged.r.memory_kb = 1 << 20;
	judged.r.db_disk_kb = 1000;
}

static const char *reason_of_extra(const struct aggregate *a)
{
	return a == &judged.a ? judged.of_extra : "not asked about the row";
}

static bool is_text(const char *text, const char *expected)
{
	return text && expected ? !strcmp(text, expected) : text == expected;
}

/* With this change to a valid run the text is the expected one; NULL: there is none. */
#define JUDGE(function, change, expected) \
	do { \
		make_valid(); \
		change; \
		const char *text = function; \
		tap_expect(is_text(text, expected), "%s: %s", #change, \
			   text ? text : "nothing"); \
	} while (0)
#define INVALID(change, expected) \
	JUDGE(verdict_invalid_reason(&judged.a), change, expected)
#define BAD_BACKUP(change, expected) \
	JUDGE(backup_invalid_reason(&judged.backup, judged.a.records_least, \
				    &judged.texts), \
	      change, expected)
#define WARNED(change, expected) \
	JUDGE(verdict_warnings(&judged.a, &judged.r), change, expected)

/* A row with this change to ten seconds of a thread that used half of a CPU. */
static void make_half_used(void)
{
	make_valid();
	judged.r.threads = 1;
	judged.r.seconds = 10;
	judged.r.cpu_used_percent = judged.r.cpu_demand_percent = 50;
	judged.r.device_busy_percent = judged.r.syncs_per_commit = 0;
	judged.r.harness_percent = 1;
	judged.r.usage.ctx_voluntary = 0;
}

#define BOUND(change, expected, number) \
	do { \
		const char *detail; \
		make_half_used(); \
		change; \
		const char *word = verdict_bound_by(&judged.a, &judged.r, &detail); \
		tap_expect(is_text(word, expected) && is_text(detail, number), \
			   "%s: %s %s", #change, word, detail ? detail : ""); \
	} while (0)

static void use_cpu(double percent)
{
	judged.r.cpu_used_percent = judged.r.cpu_demand_percent = percent;
}

static void bound_by(void)
{
	struct result *r = &judged.r;

	BOUND(, "unclear", "CPU 50 %");
	BOUND(use_cpu(84), "unclear", "CPU 84 %");
	BOUND(use_cpu(85), "cpu", "85 %");
	BOUND(use_cpu(NAN), "unclear", NULL);
	BOUND(r->syncs_per_commit = 0.04, "unclear", "CPU 50 %");
	BOUND(r->syncs_per_commit = 0.05, "sync", "0.05 a commit");
	BOUND((r->syncs_per_commit = 1, r->device_busy_percent = 90), "sync",
	      "1 a commit");
	BOUND((r->syncs_per_commit = 1, use_cpu(71)), "unclear", "CPU 71 %");
	BOUND((r->device_busy_percent = 74, use_cpu(61)), "unclear", "CPU 61 %");
	BOUND((r->device_busy_percent = 75, use_cpu(61)), "device", "75 % busy");
	BOUND((r->device_busy_percent = 75, use_cpu(90)), "cpu", "90 %");
	BOUND(r->device_busy_percent = 39, "unclear", "CPU 50 %");
	BOUND(r->device_busy_percent = 40, "device", "40 % busy");
	BOUND(r->usage.ctx_voluntary = 9990, "unclear", "CPU 50 %");
	BOUND(r->usage.ctx_voluntary = 10000, "lock", "1000 waits/s a thread");
	BOUND((r->usage.ctx_voluntary = 39990, r->threads = 4), "unclear", "CPU 50 %");
	BOUND((r->usage.ctx_voluntary = 40000, r->threads = 4), "lock",
	      "1000 waits/s a thread");
	BOUND((r->usage.ctx_voluntary = 10000, r->round_trips = 1e5), "unclear",
	      "CPU 50 %");
	BOUND((r->usage.ctx_voluntary = 10000, r->usage.device_reads = 2000,
	       r->usage.device_writes = 2999),
	      "lock", "1000 waits/s a thread");
	BOUND((r->usage.ctx_voluntary = 10000, r->usage.device_reads = 2000,
	       r->usage.device_writes = 3000),
	      "unclear", "CPU 50 %");
	BOUND((r->harness_percent = 49, use_cpu(90)), "cpu", "90 %");
	BOUND((r->harness_percent = 51, use_cpu(90)), "harness", "51 %");
	BOUND((r->harness_percent = 51, r->target_rate_met = 1), "rate", NULL);
	BOUND((r->quota_periods = 20, r->throttled_periods = 9), "unclear", "CPU 50 %");
	BOUND((r->quota_periods = 20, r->throttled_periods = 10, r->harness_percent = 51),
	      "quota", "50 % of periods");
	BOUND((r->quota_periods = 20, r->throttled_periods = 20, r->target_rate_met = 1),
	      "rate", NULL);
	BOUND(r->target_rate_met = 0, "unclear", "CPU 50 %");
}

/* Threads that could run and had no core are limited by the CPU, whoever had it. */
static void bound_by_demand(void)
{
	struct result *r = &judged.r;

	BOUND(r->cpu_used_percent = 20, "unclear", "CPU 50 %, used 20 %");
	BOUND((r->cpu_used_percent = 20, r->cpu_demand_percent = 84.9), "unclear",
	      "CPU 85 %, used 20 %");
	BOUND((r->cpu_used_percent = 20, r->cpu_demand_percent = 85), "cpu",
	      "85 %, used 20 %");
	BOUND((r->cpu_used_percent = 84.5, r->cpu_demand_percent = 85), "cpu", "85 %");
	BOUND((r->cpu_used_percent = 84, r->cpu_demand_percent = 85), "cpu",
	      "85 %, used 84 %");
	BOUND((r->cpu_used_percent = 20, r->syncs_per_commit = 1), "sync", "1 a commit");
	BOUND((r->cpu_used_percent = 20, r->syncs_per_commit = 1,
	       r->cpu_demand_percent = 69),
	      "sync", "1 a commit");
	BOUND((r->cpu_used_percent = 20, r->syncs_per_commit = 1,
	       r->cpu_demand_percent = 70),
	      "unclear", "CPU 70 %, used 20 %");
	BOUND((r->cpu_used_percent = 20, r->device_busy_percent = 74,
	       r->cpu_demand_percent = 59),
	      "device", "74 % busy");
	BOUND((r->cpu_used_percent = 20, r->device_busy_percent = 74,
	       r->cpu_demand_percent = 60),
	      "unclear", "CPU 60 %, used 20 %");
	BOUND((r->cpu_used_percent = 20, r->usage.ctx_voluntary = 10000,
	       r->cpu_demand_percent = 84),
	      "lock", "1000 waits/s a thread");
	BOUND((r->cpu_used_percent = 20, r->usage.ctx_voluntary = 10000,
	       r->cpu_demand_percent = 85),
	      "cpu", "85 %, used 20 %");
}

/* The engine's threads: new ones count whole, ended ones not, starved ones are told. */
static void engine_threads(void)
{
	struct thread_delay_of_thread was[] = {{1, 4000000000, 9000000000},
					       {2, 0, 7000000000}},
				      is[] = {{3, 500000000, 200000000},
					      {1, 5000000000, 9300000000}};
	struct thread_delay_engine before = {was, 2}, after = {is, 2};
	struct thread_delay_of_engine d = thread_delay_engine_between(&before, &after);

	tap_expect(near(d.runnable_s, 0.5, 1e-9) && near(d.starved_s, 0.7, 1e-9),
		   "new thread: %g %g", d.runnable_s, d.starved_s);
	is[1].runnable_ns += 100000000; /* 0.4 of 1.4 s */
	d = thread_delay_engine_between(&before, &after);
	tap_expect(near(d.runnable_s, 0.6, 1e-9) && near(d.starved_s, 1.4, 1e-9),
		   "starved thread: %g %g", d.runnable_s, d.starved_s);
	after.count = 0;
	d = thread_delay_engine_between(&before, &after);
	tap_expect(near(d.runnable_s, 0, 1e-9) && near(d.starved_s, 0, 1e-9),
		   "no thread: %g %g", d.runnable_s, d.starved_s);
}

static void invalid_records(void)
{
	static const struct extra judging = {.invalid_reason = reason_of_extra};
	static const struct extra *const judges[] = {&judging, NULL};
	struct totals *t = &judged.a.totals;
	struct backup *b = &judged.backup;

	extra_set(judges);

	INVALID((void)0, NULL);
	INVALID((t->wrong = 2, t->lost = 1), "2 records were wrong");
	INVALID((t->disordered = 3, t->lost = 1), "3 records were out of order");
	INVALID(t->lost = 1, "1 records were missing");
	INVALID(t->missing = 1, NULL);
	INVALID((judged.workload.key_order = ORDER_ABSENT, t->missing = 98),
		"2 records were wrong");
	INVALID((judged.workload.key_order = ORDER_ABSENT, t->missing = 100), NULL);
	INVALID(judged.of_extra = "an extra says so", "an extra says so");
	INVALID((judged.of_extra = "an extra says so", t->lost = 1),
		"1 records were missing");
	JUDGE(long_reader_invalid_reason(4, &judged.texts), (void)0,
	      "4 reads through a held snapshot found a changed record");
	JUDGE(long_reader_invalid_reason(0, &judged.texts), (void)0, NULL);
	BAD_BACKUP((void)0, NULL);
	BAD_BACKUP((b->consistent = 0, b->wrong = 5),
		   "the backup is not consistent as of any point in time between its "
		   "start and end");
	BAD_BACKUP((b->consistent = 1, b->wrong = 5),
		   "5 records of the backup were wrong");
	BAD_BACKUP(b->records = 999, "the backup has 999 records of 1000");
	BAD_BACKUP((b->records = 999, b->done = false), NULL);
	BAD_BACKUP((b->records = 999, judged.a.records_least = 0), NULL);
}

/* ---- texts of one row ---- */

static void set_wrong(void)
{
	judged.a.totals.wrong = 3;
}

static void set_undone(void)
{
	judged.a.foreground_totals.ops = 99;
}

static void set_few_groups(void)
{
	judged.a.groups = 9.9;
	judged.a.group_keys = 8;
}

static void set_idle_writer(void)
{
	judged.a.own_background_name = "writer";
}

static void set_read_ahead(void)
{
	judged.a.metrics.usage.io_read_bytes = 110e6;
}

static void set_outgrown(void)
{
	judged.r.space_amp_run = 21;
	judged.r.run_disk_kb = 2 << 20;
}

static void set_throttled(void)
{
	judged.r.cpu_quota = 0.5;
	judged.r.quota_periods = 20;
	judged.r.throttled_periods = 3;
	judged.r.throttled_s = 1;
}

static void set_steal(void)
{
	judged.r.steal_percent = 50;
}

/* The first is a reason, or none; the second a warning; with the texts of a row. */
static void judge_pair(void (*reason)(void), void (*warning)(void), const char **texts)
{
	make_half_used();
	if (reason)
		reason();
	if (warning)
		warning();
	texts[0] = verdict_invalid_reason(&judged.a);
	texts[1] = verdict_warnings(&judged.a, &judged.r);
	verdict_bound_by(&judged.a, &judged.r, &texts[2]);
}

/* Each text of a row says the same, whichever others there are. */
static void texts_are_their_own(void)
{
	static void (*const reasons[])(void) = {NULL, set_wrong, set_undone,
						set_few_groups, set_idle_writer};
	static void (*const warnings[])(void) = {NULL, set_read_ahead, set_outgrown,
						 set_throttled, set_steal};
	char alone[2][512], both[1100];
	const char *texts[3];

	for (unsigned i = 0; i < 5; i++)
		for (unsigned k = 0; k < 5; k++) {
			judge_pair(reasons[i], NULL, texts);
			snprintf(alone[0], sizeof alone[0], "%s",
				 texts[0] ? texts[0] : "");
			judge_pair(NULL, warnings[k], texts);
			snprintf(alone[1], sizeof alone[1], "%s",
				 texts[1] ? texts[1] : "");
			judge_pair(reasons[i], warnings[k], texts);
			tap_expect(!!*alone[0] == !!i && !!*alone[1] == !!k,
				   "pair %u %u: no text", i, k);
			tap_expect(is_text(texts[0], i ? alone[0] : NULL) &&
					   is_text(texts[1], k ? alone[1] : NULL) &&
					   is_text(texts[2], "CPU 50 %"),
				   "pair %u %u: %s, %s, %s", i, k,
				   texts[0] ? texts[0] : "", texts[1] ? texts[1] : "",
				   texts[2] ? texts[2] : "");
		}
	/* and two warnings are both */
	make_half_used();
	set_outgrown();
	set_throttled();
	texts[1] = verdict_warnings(&judged.a, &judged.r);
	judge_pair(NULL, set_throttled, texts);
	snprintf(alone[0], sizeof alone[0], "%s", texts[1]);
	judge_pair(NULL, set_outgrown, texts);
	snprintf(both, sizeof both, "%s; %s", alone[0], texts[1]);
	make_half_used();
	set_outgrown();
	set_throttled();
	tap_expect(is_text(verdict_warnings(&judged.a, &judged.r), both),
		   "two warnings are not %s", both);
}

static void texts_are_kept(void)
{
	static struct message_texts texts;
	const char *first = message_keep(&texts, "%s", "first"), *text = first;

	for (int i = 0; i < 5000; i++)
		text = message_keep(&texts, "text %d", i);
	tap_expect(!strcmp(first, "first"), "the first text became %s", first);
	tap_expect(!*text && texts.used < sizeof texts.bytes, "beyond the end: %s", text);
}

/* Causes come before what follows from them. */
static void invalid_runs(void)
{
	struct aggregate *a = &judged.a;
	struct totals *done = &a->foreground_totals;

	INVALID((a->errors = 1, a->engine_error = "full", done->ops = 0), "full");
	INVALID((a->interrupted = true, done->ops = 0), "interrupted");
	INVALID((a->procedure_error = "lost a cent", a->totals.lost = 1), "lost a cent");
	INVALID((judged.database.failure.failed = true,
		 strcpy(judged.database.failure.text, "no space"), a->errors = 1),
		"no space");
	INVALID(judged.database.db_dir.facts.unfinished = 1,
		"the load of this database did not finish, or was invalid; load it "
		"again");
	INVALID((judged.database.db_dir.facts.unfinished = 1,
		 judged.workload.starts_empty = true),
		NULL);
	INVALID(done->ops = 0, "no operation was done");
	INVALID(done->ops = 99, "99 of 100 operations were done");
	INVALID((done->ops = 99, a->timed = true), NULL);
	INVALID((done->ops = 99, judged.workload.weights[OP_NEXT] = 100),
		"99 of 100 operations were done");
	INVALID((done->ops = 99, judged.workload.weights[OP_NEXT] = 100,
		 a->must_find = false),
		NULL);
	INVALID((a->own_background_name = "writer", a->own_background.ops = 1), NULL);
	INVALID(a->own_background_name = "writer",
		"the threads ended before the background writer had finished an "
		"operation; give them more to do");
	INVALID(a->metrics.usage.user_s = 20.4, NULL);
	INVALID(a->metrics.usage.user_s = 20.6,
		"the process used more CPU time than the CPUs have");
	INVALID(a->totals.cpu = 10.4, "the threads used more CPU time than passed");
	INVALID(a->metrics.ended.ticks += 9000000, NULL);
	INVALID(a->metrics.ended.ticks += 11000000,
		"the clock of latencies and the system's clock disagree about the run's "
		"length");
}

static void invalid_rates(void)
{
	struct aggregate *a = &judged.a;
	bool *required = &judged.workload.requires_rate;

	INVALID((a->groups = 9.9, a->group_keys = 8),
		"at this rate only 9.9 groups of 8 keys were scheduled for each thread, "
		"fewer than 10; give more time or a smaller --batch_size");
	INVALID(a->groups = NAN, NULL);
	INVALID((*required = true, a->start_error_max_ns = 1e9), NULL);
	INVALID((*required = true, a->start_error_max_ns = 1.1e9),
		"the target rate of inserts and deletes was not met: they were up to "
		"1.1 s late, and 0 % had not started at the end (allowed: 1.0 s and "
		"5 %)");
	INVALID(a->start_error_max_ns = 1.1e9, NULL);
	INVALID((*required = true, a->start_error_max_ns = 1.1e9,
		 a->foreground_totals.seconds = 110),
		NULL);
	INVALID((*required = true, a->totals.unstarted = 5), NULL);
	INVALID((*required = true, a->totals.unstarted = 6),
		"the target rate of inserts and deletes was not met: they were up to "
		"0.6 s late, and 6 % had not started at the end (allowed: 1.0 s and "
		"5 %)");
}

/* A hundred puts of synced statements, for each of which the device wrote so many bytes. */
static void write_folios(double bytes, const char *filesystem, bool mapped)
{
	judged.r.writes = judged.r.usage.syncs = 5;
	judged.a.totals.puts = 100;
	judged.r.usage.device_write_bytes = 100 * bytes;
	judged.r.filesystem = filesystem;
	judged.r.value_size = 84;
	judged.database.traits.uncounted_writes = mapped;
}

static void warnings_are_given(void)
{
	struct result *r = &judged.r;
	double *read = &judged.a.metrics.usage.io_read_bytes,
	       *resident = &judged.a.metrics.resident_bytes;
	const char **reclaim = &judged.host.idle_reclaim;

	WARNED((void)0, NULL);
	WARNED((strcpy(judged.host.governor, "powersave"),
		strcpy(judged.host.turbo, "on"), judged.a.stopped_s = 1.5),
	       "the governor is powersave; turbo is on; the process was stopped or had "
	       "no CPU for at least 1.5 s");
	WARNED(judged.a.stopped_s = 0.25,
	       "the process was stopped or had no CPU for at least 0.2 s");
	WARNED(judged.host.governor[0] = '\0', NULL);
	WARNED((r->steal_percent = 2, r->others_cpu_percent = 10, r->overrun_s = 0.1),
	       NULL);
	WARNED((r->steal_percent = 3, r->others_cpu_percent = 11, r->overrun_s = 0.2),
	       "the hypervisor took 3 % of the CPU time; other processes and kernel "
	       "threads used 11 % of the CPU time; the last call ended 0.2 s after "
	       "--duration");
	WARNED(r->temperature_after_c = 90, NULL);
	WARNED(r->temperature_after_c = 91, "the CPU ran at 91 degrees");
	WARNED((r->cpu_quota = 0.3, r->quota_periods = 22, r->throttled_periods = 0,
		r->throttled_s = 0),
	       NULL);
	WARNED((r->cpu_quota = 0.3, r->quota_periods = 22, r->throttled_periods = 1,
		r->throttled_s = 1.51),
	       "a quota of 0.3 CPUs stopped threads in 1 of 22 periods, for 1.5 s");
	WARNED(*read = 100 << 20, NULL);
	WARNED(*read = 101 << 20, "1034 KiB were read for each record");
	WARNED((*read = 101 << 20, r->reads = 0, r->writes = 100), NULL);
	WARNED((*read = 101 << 20, r->reads = r->writes = 0, r->scans = 30,
		r->entries = 30000),
	       NULL);
	WARNED((*read = 101 << 20, r->reads = r->writes = 0, r->scans = 30,
		r->entries = 100),
	       "1034 KiB were read for each record");
	WARNED((*read = 70 << 20, judged.database.traits.reads_mapped = true,
		r->read_ahead_kb = 128),
	       NULL);
	WARNED((*read = 70 << 20, judged.database.traits.reads_mapped = true,
		r->read_ahead_kb = 256),
	       "717 KiB were read for each record, as the kernel reads 256 KiB ahead in "
	       "a mapped file");
	WARNED(write_folios(1 << 20, "xfs", true),
	       "the device wrote 1024 KiB for each record: xfs writes large folios of a "
	       "mapped file as a whole");
	WARNED(write_folios(129 << 10, "ext4", true),
	       "the device wrote 129 KiB for each record: ext4 writes large folios of a "
	       "mapped file as a whole");
	WARNED(write_folios(128 << 10, "ext4", true), NULL);
	WARNED(write_folios(1 << 20, "btrfs", true), NULL);
	WARNED(write_folios(1 << 20, NULL, true), NULL);
	WARNED(write_folios(1 << 20, "ext4", false), NULL);
	WARNED((write_folios(1 << 20, "ext4", true), r->usage.syncs = 0), NULL);
	WARNED((write_folios(1 << 20, "ext4", true), judged.a.totals.puts = 0), NULL);
	WARNED((write_folios(1 << 20, "ext4", true), r->value_size = 300000), NULL);
	WARNED((*reclaim = "damon", *resident = *read = 5 << 20),
	       "5 MiB were read from the device, and the kernel pages out idle memory "
	       "(damon)");
	WARNED((*reclaim = "damon", *read = 5 << 20), NULL);
	WARNED((*reclaim = "damon", *resident = *read = 5 << 20, r->cold = "evicted"),
	       NULL);
	WARNED((*reclaim = "damon", *resident = *read = 5 << 20,
		r->memory_limit_kb = 1000),
	       NULL);
	WARNED((*reclaim = "damon", *resident = *read = 5 << 20, r->db_disk_kb = 1 << 19),
	       NULL);
	WARNED((r->space_amp_run = 21, r->run_disk_kb = 1 << 20), NULL);
	WARNED((r->space_amp_run = 20, r->run_disk_kb = 1 << 21), NULL);
	WARNED((r->space_amp_run = 21, r->run_disk_kb = 1 << 21),
	       "the database took 2.0 GiB of disk space, 21 times the size of its "
	       "records");
}

/* Seconds in which threads began or ended are no whole ones; an empty one is. */
static void whole_seconds_only(void)
{
	struct per_second s = {.counts = NULL};

	for (size_t second = 3; second <= 200; second++)
		per_second_add(&s, second, second == 3 || second == 200 ? 1 : 50);
	per_second_add(&s, 100, -20);
	per_second_add(&s, 70, 7);
	tap_expect(s.first == 3 && s.end == 201, "from %zu to %zu", s.first, s.end);
	tap_expect(per_second_min(&s, s.first, s.end) == 30, "the worst had %g",
		   per_second_min(&s, s.first, s.end));
	tap_expect(per_second_min(&s, 100, 300) == 0,
		   "one in which nothing was done had %g", per_second_min(&s, 100, 300));
	tap_expect(isnan(per_second_min(&s, 99, 101)), "two partial ones have a worst");
	per_second_clear(&s);
	per_second_add(&s, 70, 7);
	tap_expect(s.first == 70 && s.counts[70] == 7 && s.counts[100] == 0,
		   "what was cleared is there");
	free(s.counts);
}

/* Every value lies in its count, which is at most 1/1024 of it wide. */
static void hdrlog_counts(void)
{
	for (uint64_t v = 0; v < (uint64_t)1 << 62; v += v / 977 + 1) {
		size_t i = hdrlog_index(v);
		uint64_t low = hdrlog_lowest(i), above = hdrlog_lowest(i + 1);

		tap_expect(low <= v && v < above && hdrlog_midpoint(i) >= low &&
				   hdrlog_midpoint(i) < above,
			   "%llu is not in %zu", (unsigned long long)v, i);
		tap_expect(v < 2048 ? low == v && above == v + 1
				    : (above - low) * 1024 <= low,
			   "%llu is in a wide count", (unsigned long long)v);
	}
	tap_expect(hdrlog_index(INT64_MAX) < HDRLOG_COUNTS,
		   "the greatest value has no count");
}

/* The longest is no longer than it was, wherever in its bucket it lay. */
static void hdrlog_maxima(void)
{
	static uint64_t counts[HDRLOG_COUNTS];

	for (double x = 1; x < 3.6e12; x *= 1.0137) {
		size_t last = 0;

		memset(&h, 0, sizeof h);
		memset(counts, 0, sizeof counts);
		h.unit = 1;
		hist_record(&h, (uint64_t)x);
		hist_record(&h, (uint64_t)x / 2);
		hdrlog_add(counts, &h);
		for (size_t i = 0; i < HDRLOG_COUNTS; i++)
			last = counts[i] ? i : last;
		tap_expect(last == hdrlog_index((uint64_t)x), "%.0f ns became %llu", x,
			   (unsigned long long)hdrlog_midpoint(last));
	}
}

/* A line begins with its tag, begin and length in seconds, and maximum in ms. */
static void hdrlog_heads(void)
{
	static const char head[] = "Tag=a_b,1.500000,0.250000,1.000";
	static uint64_t counts[HDRLOG_COUNTS];
	char *line;

	counts[hdrlog_index(1000000)] = 1;
	line = hdrlog_line("a b", 1.5, 0.25, counts);
	tap_expect(line && !strncmp(line, head, strlen(head)), "%.60s", line);
	free(line);
}

/* Bytes of address space of this process; 0: unknown. */
static rlim_t address_space(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (f && fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* With more and more memory: the line is whole, or there is none. */
static void hdrlog_without_memory(void)
{
	static uint64_t counts[HDRLOG_COUNTS];
	unsigned missing = 0, cut = 0;
	struct rlimit before = {0}, limit;
	char *whole;

#if defined(__SANITIZE_ADDRESS__)
	return; /* its own memory would be what is missing */
#endif

	for (size_t i = 0; i < HDRLOG_COUNTS; i++)
		counts[i] = (uint64_t)1 << (i % 60);
	whole = hdrlog_line("tag", 1, 1, counts);
	tap_expect(whole && !getrlimit(RLIMIT_AS, &before), "no line, or no limit");
	limit = before;
	for (rlim_t room = 64 << 10; whole && room <= 8 << 20; room += 64 << 10) {
		char *line;

		limit.rlim_cur = address_space() + room;
		setrlimit(RLIMIT_AS, &limit);
		line = hdrlog_line("tag", 1, 1, counts);
		setrlimit(RLIMIT_AS, &before);
		missing += !line;
		cut += line && strcmp(line, whole) != 0;
		free(line);
	}
	tap_expect(!cut, "%u lines are cut", cut);
	tap_expect(missing, "memory was always enough");
	free(whole);
}

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Four clients with as many samples about 1, 2, 3 and 4 us and a few slow ones: merged
 * counts beside all samples, sorted.
 */
static void hdrlog_pools(void)
{
	enum { REPLAY_CLIENT_SLOTS = 4, EACH = 20000, ALL = REPLAY_CLIENT_SLOTS * EACH };
	static const double fractions[] = {0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999};
	static struct hist hists[REPLAY_CLIENT_SLOTS];
	uint64_t *samples = calloc(ALL, sizeof *samples);
	uint64_t *counts = calloc(HDRLOG_COUNTS, sizeof *counts);
	struct random r = random_seed(7, "clients");
	size_t n = 0;

	for (size_t c = 0; c < REPLAY_CLIENT_SLOTS; c++) {
		hists[c].unit = 1;
		for (int i = 0; i < EACH; i++) {
			samples[n] = 1000 * (c + 1) + random_below(&r, 900);
			samples[n] +=
				random_below(&r, 200) ? 0 : random_below(&r, 1000000);
			hist_record(&hists[c], samples[n++]);
		}
		hdrlog_add(counts, &hists[c]);
	}
	qsort(samples, ALL, sizeof *samples, by_size);
	for (size_t s = 0; s < sizeof fractions / sizeof *fractions; s++) {
		double rank = floor(fractions[s] * ALL), below = 0, mean = 0, value = 0;
		double true_value = (double)samples[(size_t)rank];

		for (size_t i = 0; i < HDRLOG_COUNTS && below <= rank; i++) {
			below += (double)counts[i];
			value = (double)hdrlog_midpoint(i);
		}
		for (size_t c = 0; c < REPLAY_CLIENT_SLOTS; c++)
			mean += hist_quantile(&hists[c],
					      (uint32_t)(fractions[s] * 1000000)) /
				REPLAY_CLIENT_SLOTS;
		tap_expect(fabs(value / true_value - 1) < 0.005, "%g of all: %g, not %g",
			   fractions[s], value, true_value);
		tap_expect(s > 2 || fabs(mean / true_value - 1) > 0.05,
			   "%g: a mean of percentiles is right, too", fractions[s]);
	}
	free(samples);
	free(counts);
}

/* ---- insert_benchmark_row ---- */

static int field_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* How two rows' entries compare in a table, by their fields. */
static int row_key_order(const struct insert_benchmark_row *a,
			 const struct insert_benchmark_row *b,
			 enum insert_benchmark_row_table of)
{
	const uint64_t of_a[IB_TABLES][4] = {{a->pk},
					     {a->product, a->customer, a->price, a->pk},
					     {a->register_id, a->customer, a->price,
					      a->pk},
					     {a->price, a->time, a->customer, a->pk}};
	const uint64_t of_b[IB_TABLES][4] = {{b->pk},
					     {b->product, b->customer, b->price, b->pk},
					     {b->register_id, b->customer, b->price,
					      b->pk},
					     {b->price, b->time, b->customer, b->pk}};
	int order = 0;

	for (int i = 0; i < 4 && !order; i++)
		order = field_order(of_a[of][i], of_b[of][i]);
	return order;
}

static void row_keys_sort(void)
{
	enum { TIMES = 20000 };
	static const size_t sizes[IB_TABLES] = {13, 25, 25, 29};
	struct random r = random_seed(4, "purchases");

	for (int i = 0; i < TIMES; i++) {
		/* Near ones, which share fields, and numbers of more than one byte. */
		struct insert_benchmark_row
			a = insert_benchmark_row_make(
				7, random_below(&r, UINT64_C(1) << (i % 40 + 1))),
			b = a;
		enum insert_benchmark_row_table of =
			(enum insert_benchmark_row_table)(i % IB_TABLES);
		uint32_t *fields[] = {&b.product, &b.register_id, &b.price, &b.customer};
		char of_a[IB_KEY_SIZE_MAX], of_b[IB_KEY_SIZE_MAX];
		size_t size = insert_benchmark_row_key(&a, 7, of, of_a);
		int order;

		*fields[random_below(&r, 4)] = (uint32_t)random_below(&r, IB_CUSTOMERS);
		b.pk = random_below(&r, 2) ? a.pk : random_below(&r, UINT64_MAX);
		b.time += random_below(&r, 2) << random_below(&r, 40);
		tap_expect(size == sizes[of] &&
				   insert_benchmark_row_key(&b, 7, of, of_b) == size,
			   "a key of %zu bytes", size);
		order = memcmp(of_a, of_b, size);
		tap_expect((order > 0) - (order < 0) == row_key_order(&a, &b, of),
			   "keys of table %d do not sort as their fields do", of);
		tap_expect(insert_benchmark_row_pk(of_a, size) == a.pk, "a pk is lost");
		for (int t = 0; t < IB_TABLES; t++)
			tap_expect(insert_benchmark_row_is_key_of(
					   7, (enum insert_benchmark_row_table)t, of_a,
					   size) == (t == (int)of) &&
					   !insert_benchmark_row_is_key_of(
						   8, (enum insert_benchmark_row_table)t,
						   of_a, size),
				   "a key is in another table");
	}
}

static void rows_are_bytes(void)
{
	const struct insert_benchmark_row p = {.pk = 0x0102030405060708,
					       .time = 0x1112131415161718,
					       .register_id = 0x21222324,
					       .customer = 0x31323334,
					       .product = 0x41424344,
					       .price = 0x51525354,
					       .data_size = 10,
					       .data = "0123456789"};
	struct insert_benchmark_row back;
	char key[IB_KEY_SIZE_MAX], value[IB_VALUE_SIZE_MAX], again[IB_VALUE_SIZE_MAX];

	insert_benchmark_row_key(&p, 0x61626364, IB_TABLE_ROWS, key);
	tap_expect(!memcmp(key, "abcd\0\1\2\3\4\5\6\7\10", 13), "the key of a row");
	insert_benchmark_row_key(&p, 0x61626364, IB_INDEX_PRODUCT, key);
	tap_expect(!memcmp(key, "abcd\1ABCD1234QRST\1\2\3\4\5\6\7\10", 25),
		   "an entry by product");
	insert_benchmark_row_key(&p, 0x61626364, IB_INDEX_REGISTER, key);
	tap_expect(!memcmp(key, "abcd\2!\"#$1234QRST\1\2\3\4\5\6\7\10", 25),
		   "an entry by register");
	insert_benchmark_row_key(&p, 0x61626364, IB_INDEX_PRICE, key);
	tap_expect(!memcmp(key,
			   "abcd\3QRST\21\22\23\24\25\26\27\0301234\1\2\3\4\5\6\7\10",
			   29),
		   "an entry by price");
	insert_benchmark_row_index_prefix(0x61626364, IB_INDEX_PRICE, 0x51525354, key);
	tap_expect(!memcmp(key, "abcd\3QRST", 9), "the first field");
	tap_expect(insert_benchmark_row_encode(&p, value) == 34 &&
			   !memcmp(value,
				   "!\"#$1234ABCDQRST\21\22\23\24\25\26\27\0300123456789",
				   34),
		   "the value of a row");
	tap_expect(insert_benchmark_row_decode(&back, p.pk, value, 34) &&
			   back.pk == p.pk && back.data_size == 10 &&
			   insert_benchmark_row_encode(&back, again) == 34 &&
			   !memcmp(again, value, 34),
		   "a row read back");
	tap_expect(!insert_benchmark_row_decode(&back, 1, value, 33) &&
			   !insert_benchmark_row_decode(&back, 1, value, 45),
		   "a value that is no row");
}

static void rows_are_drawn(void)
{
	enum { N = 200000 };
	double sums[5] = {0}, sizes[21] = {0};
	const double below[5] = {IB_REGISTERS, IB_CUSTOMERS, IB_PRODUCTS, IB_PRICES, 256};
	struct insert_benchmark_row a = insert_benchmark_row_make(1, 5),
				    b = insert_benchmark_row_make(1, 6),
				    c = insert_benchmark_row_make(2, 5);

	for (uint64_t pk = 0; pk < N; pk++) {
		struct insert_benchmark_row p = insert_benchmark_row_make(0, pk);
		const double fields[5] = {p.register_id, p.customer, p.product, p.price,
					  (unsigned char)p.data[0]};

		for (int i = 0; i < 5; i++) {
			sums[i] += fields[i];
			tap_expect(fields[i] < below[i], "field %d is %g", i, fields[i]);
		}
		tap_expect(p.data_size >= 10 && p.data_size <= 20 && p.pk == pk,
			   "data of %zu bytes", p.data_size);
		sizes[p.data_size]++;
		for (size_t i = p.data_size / 2; i < p.data_size; i++)
			tap_expect(p.data[i] == 'a',
				   "less than half of it is compressible");
	}
	for (int i = 0; i < 5; i++)
		tap_expect(fabs(sums[i] / N / (below[i] - 1) - 0.5) < 0.005,
			   "field %d has a mean of %g", i, sums[i] / N);
	for (int i = 10; i <= 20; i++)
		tap_expect(fabs(sizes[i] / N * 11 - 1) < 0.05, "%g of %d have %d bytes",
			   sizes[i], N, i);
	tap_expect(a.customer != b.customer && a.customer != c.customer &&
			   b.customer != c.customer,
		   "two rows are the same");
}

static void row_checksums_differ(void)
{
	struct insert_benchmark_row_checksum up = {0}, down = {0}, other = {0},
					     shorter = {0};

	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t back = 999 - i, another = i == 500 ? 501 : i;

		insert_benchmark_row_checksum_add(&up, &i, sizeof i);
		insert_benchmark_row_checksum_add(&down, &back, sizeof back);
		insert_benchmark_row_checksum_add(&other, &another, sizeof another);
		insert_benchmark_row_checksum_add(&shorter, &i, sizeof i - (i == 7));
	}
	tap_expect(!memcmp(&up, &down, sizeof up), "the order matters");
	tap_expect(up.count == other.count && up.low != other.low &&
			   up.high != other.high,
		   "one key for another is not noticed");
	tap_expect(up.low != shorter.low && up.high != shorter.high,
		   "a byte less is not noticed");
}

/* ---- what others read ---- */

/* A line of a log of histograms, as who knows its formats reads it. */
struct log_reader {
	unsigned char bytes[1 << 20], payload[1 << 20];
	size_t size, payload_size;
};

/* Big-endian, of n bytes, which are passed. */
static uint64_t take_number(const unsigned char **at, int n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | *(*at)++;
	return value;
}

static void read_base64(struct log_reader *r, const char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = 0;
	int held = 0;

	for (r->size = 0; *text && *text != '=' && *text != '\n'; text++) {
		const char *digit = strchr(digits, *text);

		bits = bits << 6 | (digit ? (uint32_t)(digit - digits) : 0);
		held += 6;
		if (held >= 8)
			r->bytes[r->size++] = (unsigned char)(bits >> (held -= 8));
	}
	/* what remains is no byte, and 0 */
	tap_expect(held < 8 && !(bits & ((1u << held) - 1)), "bits are left");
	tap_expect(strlen(text) == 1 + (size_t)(held / 2), "padding is '%s'", text);
}

/* Of zlib's format, of which all blocks are stored: into payload. */
static void read_stored(struct log_reader *r)
{
	const unsigned char *at = r->bytes + 8, *head = r->bytes;
	uint32_t low = 1, high = 0;
	bool last = false;

	tap_expect(take_number(&head, 4) == HDRLOG_COMPRESSED_COOKIE &&
			   take_number(&head, 4) == r->size - 8,
		   "another head");
	tap_expect(take_number(&at, 2) % 31 == 0 && r->bytes[8] == 0x78, "no zlib");
	while (!last && at < r->bytes + r->size) {
		size_t n = at[1] | (size_t)at[2] << 8;

		last = *at == 1;
		tap_expect(*at <= 1 && (at[1] ^ at[3]) == 255 && (at[2] ^ at[4]) == 255,
			   "a block is not stored");
		memcpy(r->payload + r->payload_size, at + 5, n);
		r->payload_size += n;
		at += 5 + n;
	}
	for (size_t i = 0; i < r->payload_size; i++) {
		low = (low + r->payload[i]) % 65521;
		high = (high + low) % 65521;
	}
	tap_expect(last && at + 4 == r->bytes + r->size &&
			   take_number(&at, 4) == ((uint64_t)high << 16 | low),
		   "the checksum is another, or not at the end");
}

/* Counts, and runs of zeros as negative ones: each as its reader has them. */
static void hdrlog_is_read(void)
{
	static uint64_t counts[HDRLOG_COUNTS], back[HDRLOG_COUNTS + 1];
	static struct log_reader r;
	size_t at = 0, last = 0;
	const unsigned char *p = r.payload, *end;
	char *line;

	/* more than a block holds, and more than 56 bits */
	for (size_t i = 0; i < HDRLOG_COUNTS - 7; i++)
		if (i % 3 < 2) {
			counts[i] = (uint64_t)1 << (i % 62);
			last = i;
		}
	line = hdrlog_line("tag", 1, 1, counts);
	read_base64(&r, line ? strrchr(line, ',') + 1 : "");
	read_stored(&r);
	tap_expect(take_number(&p, 4) == HDRLOG_COOKIE, "another cookie");
	end = p + 4 + 4 + 4 + 8 + 8 + 8;
	end += take_number(&p, 4);
	tap_expect(r.payload_size > 65535 && end == r.payload + r.payload_size,
		   "%zu bytes", r.payload_size);
	tap_expect(take_number(&p, 4) == 0 && take_number(&p, 4) == HDRLOG_DIGITS &&
			   take_number(&p, 8) == 1 &&
			   take_number(&p, 8) == hdrlog_lowest(last + 1) - 1 &&
			   take_number(&p, 8) == 0x3ff0000000000000,
		   "another range");
	while (p < end && at <= HDRLOG_COUNTS) {
		uint64_t value = 0;
		int shift = 0;

		for (; shift < 56 && *p & 128; shift += 7)
			value |= (uint64_t)(*p++ & 127) << shift;
		value |= (uint64_t)*p++ << shift;
		if (value & 1)
			at += (value >> 1) + 1;
		else
			back[at++] = value >> 1;
	}
	tap_expect(!memcmp(counts, back, sizeof counts), "other counts");
	free(line);
	/* of each padding */
	memset(counts, 0, sizeof counts);
	for (size_t i = 0; i < 6; i++) {
		counts[i] = 1;
		line = hdrlog_line("tag", 1, 1, counts);
		r.payload_size = 0;
		read_base64(&r, line ? strrchr(line, ',') + 1 : "");
		read_stored(&r);
		tap_expect(r.payload_size == HDRLOG_HEADER_SIZE + i + 1, "%zu bytes",
			   r.payload_size);
		free(line);
	}
}

/* The popular ones are a hundredth of the keys, one at least, wherever they lie. */
static void popular_draws_counted(void)
{
	static const enum distribution_kind kinds[] = {
		DISTRIBUTION_UNIFORM,          DISTRIBUTION_ZIPFIAN,
		DISTRIBUTION_HOTSPOT,          DISTRIBUTION_PARETO,
		DISTRIBUTION_MINSTD,           DISTRIBUTION_LATEST,
		DISTRIBUTION_EXPONENTIAL,      DISTRIBUTION_UCSB2022,
		DISTRIBUTION_SCRAMBLED_ZIPFIAN};
	static const uint64_t few[][2] = {
		{1, 1}, {150, 1}, {199, 1}, {200, 2}, {1099, 10}};
	enum { KEYS = 10000, PARTS = 1000 };
	struct distribution_parameters shape = {.hot_keys = 0.2,
						.hot_fraction = 0.8,
						.h = 0.2,
						.lcg_seed = 1000,
						.theta = 0.99};
	struct random r = random_seed(9, "popular");
	double share = 0, scale;
	struct distribution d;
	uint64_t ids[128];

	for (int i = 1; i <= KEYS / 100; i++)
		share += pow(i, -0.99) / 26.46902820178302;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		bool at_end = kinds[k] == DISTRIBUTION_LATEST ||
			      kinds[k] == DISTRIBUTION_EXPONENTIAL;
		uint64_t popular = 0;

		shape.kind = kinds[k];
		distribution_init(&d, &shape, KEYS);
		for (int i = 0; i < PARTS; i++) {
			distribution_draw(&d, &r, ids, 128);
			for (int j = 0; j < 128; j++)
				popular += (at_end ? KEYS - 1 - ids[j] : ids[j]) <
					   KEYS / 100;
		}
		/* of two they are ranks, whose keys are anywhere */
		if (k < 7)
			tap_expect(d.top1pct_draws == popular, "%s: %d of %d draws",
				   distribution_names[shape.kind], (int)d.top1pct_draws,
				   (int)popular);
		else
			tap_expect(fabs((double)d.top1pct_draws / (PARTS * 128) - share) <
					   0.01,
				   "%s: %g, not %g", distribution_names[shape.kind],
				   (double)d.top1pct_draws / (PARTS * 128), share);
	}
	shape.hash_range = KEYS * 3 / 2;
	distribution_init(&d, &shape, KEYS);
	for (int i = 0; i < PARTS; i++)
		distribution_draw(&d, &r, ids, 128);
	tap_expect(d.top1pct_draws > PARTS * 128 / 20, "of a wider hash %d are popular",
		   (int)d.top1pct_draws);
	for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
		distribution_resize(&d, few[i][0]);
		tap_expect(d.top1pct_keys == few[i][1], "%d of %d keys are popular",
			   (int)d.top1pct_keys, (int)few[i][0]);
	}
	/* half of the keys are new, and drawn as those before them */
	shape.hash_range = 0;
	shape.kind = DISTRIBUTION_LATEST;
	distribution_init(&d, &shape, KEYS / 2);
	distribution_resize(&d, KEYS);
	share = 0;
	for (int i = 0; i < PARTS; i++) {
		distribution_draw(&d, &r, ids, 128);
		for (int j = 0; j < 128; j++)
			share += ids[j] < KEYS / 2;
	}
	tap_expect(share > PARTS * 128 / 50, "of the old half %g are drawn", share);
	/* keys that are added are as popular as the others, or come behind them */
	shape.kind = DISTRIBUTION_EXPONENTIAL;
	for (int keeps = 0; keeps < 2; keeps++) {
		shape.keeps_scale = keeps;
		distribution_init(&d, &shape, 1000);
		scale = d.constants[0];
		distribution_resize(&d, 2000);
		tap_expect(near(d.constants[0], keeps ? scale : 2 * scale, 1e-9),
			   "a scale of %g became %g", scale, d.constants[0]);
	}
}

/* Gaps that were drawn ahead come in the order in which they would have been drawn. */
static void schedule_draws_ahead(void)
{
	atomic_bool stop = false;
	struct clock clock = clock_calibrate(false);
	struct rate_schedule p = rate_schedule_start(&clock, 0, 1000, true, 0,
						     random_seed(2, "ahead")),
			     q = p;

	for (int i = 0; i < 300; i++) {
		if (i % 50 == 0) /* time for some, or all that have room */
			rate_schedule_wait_until(&p,
						 clock_ticks(&clock) +
							 (i % 100 ? 2000 : 100000),
						 &stop);
		rate_schedule_advance(&p);
		rate_schedule_advance(&q);
		tap_expect(near((double)p.next_start, (double)q.next_start, 1e-6),
			   "operation %d is due at %g, not %g", i, (double)p.next_start,
			   (double)q.next_start);
	}
	q = p;
	for (int beyond = -1; q.next_start < p.next_start + 50000000; beyond++) {
		tap_expect((int)rate_schedule_backlog(&p, q.next_start + 1) == beyond + 1,
			   "%d wait", beyond + 1);
		rate_schedule_advance(&q);
	}
	tap_expect(rate_schedule_end(&q, 0, 350) == q.next_start &&
			   !rate_schedule_backlog(&q, q.next_start),
		   "a count ends where the next would be due");
	/* at 0, 1, 2 and 3 ms */
	p = rate_schedule_start(&clock, 0, 1000, false, 0, random_seed(2, "unused"));
	tap_expect(rate_schedule_backlog(&p, 3500000) == 3 &&
			   !rate_schedule_backlog(&p, 9),
		   "%d wait", (int)rate_schedule_backlog(&p, 3500000));
	tap_expect(rate_schedule_end(&p, 500, 10) == 10000500, "ten end at %g",
		   (double)rate_schedule_end(&p, 500, 10));
	p = rate_schedule_start_sine(&clock, 0,
				     &(struct rate_schedule_sine){.a = 1000,
								  .b = 0.0026,
								  .c = 1.5707963,
								  .d = 4000,
								  .interval = 5},
				     false, 0.25, random_seed(2, "unused"));
	tap_expect(near(1e9 / p.mean_gap, 5000, 1e-6) &&
			   near((double)p.next_start, 50000, 1e-3),
		   "a sine begins at its c: %g a second, after %g ns", 1e9 / p.mean_gap,
		   (double)p.next_start);
	/* 3000 a second for one second, 1000 for another, 3000 again */
	p = rate_schedule_start_sine(&clock, 0,
				     &(struct rate_schedule_sine){.a = 1000,
								  .b = 3.14159265,
								  .c = 1.5707963,
								  .d = 2000,
								  .interval = 1},
				     false, 0, random_seed(2, "unused"));
	tap_expect(fabs((double)rate_schedule_backlog(&p, 3000000000) - 6999) <= 3,
		   "%d of a sine wait", (int)rate_schedule_backlog(&p, 3000000000));
}

static void lengths_are(void)
{
	const double first = 1 / (1 + pow(2, -0.99));
	struct length_table *t = length_table_uniform(3, 5);
	char error[OPTION_ERROR_SIZE] = "";

	tap_expect(near(t->mean, 4, 1e-12) && length_table_greatest(t) == 5 &&
			   length_table_draw(t, 0) == 3 &&
			   length_table_draw(t, 0.333) == 3 &&
			   length_table_draw(t, 0.334) == 4 &&
			   length_table_draw(t, 0.999) == 5,
		   "3 to 5 have a mean of %g", t->mean);
	free(t);
	t = length_table_zipfian(10, 11);
	tap_expect(near(t->mean, 11 - first, 1e-12) &&
			   length_table_draw(t, first - 1e-9) == 10 &&
			   length_table_draw(t, first + 1e-9) == 11,
		   "a mean of %g, not %g", t->mean, 11 - first);
	free(t);
	/* YCSB draws 0 to 8, takes 2, 3 and 4 off in turn, and stops at 0 or less */
	write_file(in_scratch("lengths"), "BlockSize\t10\n0\t2\n1\t3\n2\t4\n");
	t = length_table_read(in_scratch("lengths"), error);
	tap_expect(t && near(t->mean, 10 * 3 / 9.0 + 20 * 6 / 9.0, 1e-12) &&
			   length_table_draw(t, 0.333) == 10 &&
			   length_table_draw(t, 0.334) == 20,
		   "of a histogram: %s", error);
	free(t);
	write_file(in_scratch("lengths"), "BlockSize\t10\n0\t2\n2\t4\n");
	tap_expect(!length_table_read(in_scratch("lengths"), error) &&
			   strstr(error, "is no histogram"),
		   "one with a gap: %s", error);
}

/* Names and values that were read, a line each. */
static char read_pairs[1024];

static void note_property(void *owner, const char *name, const char *value)
{
	(void)owner;
	message_append(read_pairs, sizeof read_pairs, "\n", "%s>%s", name, value);
}

static void note_member(void *owner, size_t i, const char *name, const char *value)
{
	(void)owner;
	message_append(read_pairs, sizeof read_pairs, "\n", "%zu %s>%s", i, name, value);
}

static void properties_are_javas(void)
{
	char error[JAVA_PROPERTIES_ERROR_SIZE] = "";

	*read_pairs = '\0';
	write_file(in_scratch("java"),
		   "# a comment \\\nfirst : value one \n ! another\n\na=b=c\n"
		   "long=one,\\\n    two\\\n#three\nodd\\ name\\:x y\n"
		   "u=\\u00e9\\u20ac\\u07ff\\tt\nslash=c\\\\\nempty\nlast=1\r\n");
	tap_expect(java_properties_read(in_scratch("java"), note_property, NULL, error),
		   "%s", error);
	tap_expect(
		!strcmp(read_pairs,
			"first>value one \na>b=c\nlong>one,two#three\nodd name:x>y\n"
			"u>\303\251\342\202\254\337\277\tt\nslash>c\\\nempty>\nlast>1"),
		"%s", read_pairs);
}

static void json_members_are(void)
{
	static const char *const bad[] = {
		"[{\"a\": 1}", "{\"a\": 1}",     "[{\"a\": 1}] x",         "[{\"a\" 1}]",
		"[{\"a\": }]", "[{\"a\": [1]}]", "[{\"a\": 1} {\"a\": 1}]"};
	char error[JSON_READER_ERROR_SIZE] = "";

	*read_pairs = '\0';
	write_file(in_scratch("json"),
		   "[ {\"a\": \"x y\", \"b\":1.5},\n{ \"a\" : \"\" }, {} ]\n");
	tap_expect(json_reader_read(in_scratch("json"), note_member, NULL, error), "%s",
		   error);
	tap_expect(!strcmp(read_pairs, "0 a>x y\n0 b>1.5\n1 a>"), "%s", read_pairs);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		write_file(in_scratch("json"), bad[i]);
		tap_expect(!json_reader_read(in_scratch("json"), note_member, NULL,
					     error),
			   "%s is taken", bad[i]);
	}
}

static void edit_distances(void)
{
	static const struct {
		const char *typed, *names[3], *meant;
	} cases[] = {
		{"thraeds", {"reads", "threads"}, "threads"},
		{"num", {"nux"}, "nux"},
		{"nmu", {"num"}, "num"},
		{"num", {"nuxy"}, NULL},
		{"abcdef", {"abcdxy"}, "abcdxy"},
		{"abcdef", {"abcxyz"}, NULL},
		{"ab", {"ba"}, NULL},
		{"read-size", {"read_siz", "read_size"}, "read_size"},
		{"rat", {"cat", "bat"}, "cat"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct edit_distance e =
			edit_distance_begin(cases[i].typed, strlen(cases[i].typed));

		for (int k = 0; cases[i].names[k]; k++)
			edit_distance_offer(&e, cases[i].names[k]);
		tap_expect(is_text(e.best, cases[i].meant), "%s is %s", cases[i].typed,
			   e.best ? e.best : "none");
	}
}

static void releases_of_flags(void)
{
	static const struct {
		const char *release, *cache_size, *cache_type;
		bool has_tiers; /* --use_tiered_cache, since 8.10 */
	} cases[] = {
		{"7.8.3", "8388608", "lru_cache", false},
		{"8.2.1", "8388608", "lru_cache", false},
		{"8.3.0", "33554432", "lru_cache", false},
		{"8.9.1", "33554432", "lru_cache", false},
		{"8.10.2", "33554432", "lru_cache", true},
		{"10.8.3", "33554432", "lru_cache", true},
		{"10.9.1", "33554432", "hyper_clock_cache", true},
		{"10.10.1", "33554432", "hyper_clock_cache", true},
		{"11.0.4", "33554432", "hyper_clock_cache", true},
		{"unknown", "8388608", "lru_cache", false},
		{NULL, "8388608", "lru_cache", false},
	};
	const struct db_bench_flag *size = db_bench_flags_find(false, "cache_size", 10),
				   *type = db_bench_flags_find(false, "cache_type", 10),
				   *tiers = db_bench_flags_find(false, "use_tiered_cache",
								16);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *release = cases[i].release;

		tap_expect(is_text(db_bench_flags_default(size, release),
				   cases[i].cache_size) &&
				   is_text(db_bench_flags_default(type, release),
					   cases[i].cache_type),
			   "%s has the cache of %s", release ? release : "none",
			   cases[i].cache_type);
		tap_expect(!release || db_bench_flags_reaches(release, tiers->since) ==
					       cases[i].has_tiers,
			   "%s has %s", release ? release : "none", tiers->name);
	}
}

static void commands_are_quoted(void)
{
	static char *words[][7] = {
		{"./a", "b c", "it's", "", "--x=1,2", "$HOME"},
		{"\303\251\357\277\275\360\237\230\200", "~"},
		{"a\n%"},
		{"\300\200"},
		{"\377", "\340\200"},
	};
	static const char *const quoted[] = {
		"./a 'b c' 'it'\\''s' '' --x=1,2 '$HOME'",
		"'\303\251\357\277\275\360\237\230\200' '~'",
		"eval \"$(printf '\\047a\\012\\045\\047')\"",
		"eval \"$(printf '\\047\\300\\200\\047')\"",
		"eval \"$(printf '\\047\\377\\047 \\047\\340\\200\\047')\"",
	};

	for (size_t i = 0; i < sizeof quoted / sizeof *quoted; i++) {
		char *text = message_quote_command(words[i]);

		tap_expect(!strcmp(text, quoted[i]), "%s, not %s", text, quoted[i]);
		free(text);
	}
}

static void window_rates_printed(void)
{
	static const struct steady_state s = {.window_ops = {10, 6},
					      .windows = 2,
					      .window_s = 2};
	char text[64];

	steady_state_format_rates(&s, text, sizeof text);
	tap_expect(!strcmp(text, "5 3"), "rates are '%s'", text);
}

/* The engine's files by their names, and no others. */
static void flat_files_known(void)
{
	static const char *const own[] =
		{"CURRENT",    "IDENTITY",        "LOCK",       "LOG",        "LOG.old",
		 "LOG.old.17", "MANIFEST-000004", "OPTIONS-07", "000003.log", "5.sst",
		 "6.ldb",      "8.blob",          "9.dbtmp"},
				 *const foreign[] = {"notes", "x5.sst", "MANIFEST",
						     "5.txt", "LOGS",   "5.sst.bak"};
	char error[DB_DIR_ERROR_SIZE], path[DB_DIR_PATH_SIZE + 32];
	static struct db_dir s;

	tap_expect(db_dir_open_flat(&s, in_scratch("flat"), "rocksdb", error), "%s",
		   error);
	for (size_t i = 0; i < 13 + 6; i++) {
		snprintf(path, sizeof path, "%s/%s", s.path,
			 i < 13 ? own[i] : foreign[i - 13]);
		write_file(path, "12345");
	}
	tap_expect(db_dir_size(&s).apparent == 13 * 5, "they have %g bytes",
		   db_dir_size(&s).apparent);
	tap_expect(db_dir_clear(&s, error), "%s", error);
	for (size_t i = 0; i < 13 + 6; i++) {
		snprintf(path, sizeof path, "%s/%s", s.path,
			 i < 13 ? own[i] : foreign[i - 13]);
		tap_expect(!access(path, F_OK) == (i >= 13), "%s", path);
	}
	db_dir_close(&s);
}

static void private_directories(void)
{
	static const mode_t refused[] = {0720, 0702, 0777}, taken[] = {0700, 0755};
	const char *path = in_scratch("private");
	char error[DB_DIR_ERROR_SIZE] = "";

	tap_expect(db_dir_make_private(path, error), "%s", error);
	for (size_t i = 0; i < 3; i++)
		tap_expect(!chmod(path, refused[i]) &&
				   !db_dir_make_private(path, error) &&
				   strstr(error, "can be written by other users"),
			   "of mode %o: %s", (unsigned)refused[i], error);
	for (size_t i = 0; i < 2; i++)
		tap_expect(!chmod(path, taken[i]) && db_dir_make_private(path, error),
			   "of mode %o: %s", (unsigned)taken[i], error);
}

#ifdef __linux__
static struct thread_barrier threads_wait;

static void *wait_in_thread(void *own_name)
{
	if (own_name)
		thread_name_set("read");
	thread_barrier_wait(&threads_wait);
	thread_barrier_wait(&threads_wait);
	return NULL;
}

/* Threads that have no name of ours are the engine's. */
static void engine_threads_found(void)
{
	struct thread_delay_engine e;
	struct thread_delay d;
	pthread_t threads[3];
	char name[] = "own";
	int fd;

	thread_barrier_init(&threads_wait, 4);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, wait_in_thread, i ? NULL : name);
	thread_barrier_wait(&threads_wait);
	e = thread_delay_engine();
	thread_barrier_wait(&threads_wait);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	thread_barrier_destroy(&threads_wait);
	tap_expect(e.count == 2, "%zu threads are an engine's", e.count);
	free(e.threads);
	write_file(in_scratch("schedstat"), "111 222 3\n");
	fd = open(in_scratch("schedstat"), O_RDONLY);
	d = thread_delay_read(fd);
	tap_expect(d.runnable_ns == 222 && d.cpu_ns > 111, "waited %d ns of %d",
		   (int)d.runnable_ns, (int)d.cpu_ns);
	close(fd);
}
#endif

/* The kernel's list says whether it trusts the counter; a reading costs what it takes. */
static void clock_is_trusted(void)
{
	static const char path[] =
		"/sys/devices/system/clocksource/clocksource0/available_clocksource";
	struct clock c = clock_calibrate(false);
	double least = INFINITY;

	set_kernel_file(0, path, "tsc hpet acpi_pm\n");
	bool usable = clock_counter_usable();

	set_kernel_file(0, path, "hpet acpi_pm\n");
#if defined(__x86_64__)
	tap_expect(!clock_counter_usable(), "a counter that drifts is used");
#endif
	set_kernel_file(0, NULL, NULL);
	tap_expect(usable || !clock_counter_usable(), "one that does not is not used");
	for (int round = 0; round < 20; round++) {
		uint64_t start = clock_ticks(&c), last = start;

		for (int i = 0; i < 100; i++)
			last = clock_ticks(&c);
		least = fmin(least, (double)(last - start) / 100);
	}
	tap_expect(c.read_cost_ns < 4 * least && c.read_cost_ns > least / 4,
		   "a reading costs %g ns, not %g", c.read_cost_ns, least);
}

/* ---- a device that is a file ---- */

#if defined(__linux__) && defined(__LP64__)
static const char *device_there; /* a file that stat() takes for a block device */

/* Stands before the C library's for the parts, too. */
int stat(const char *path, struct stat *to)
{
	int status = fstatat(AT_FDCWD, path, to, 0);

	if (!status && device_there && !strcmp(path, device_there))
		to->st_mode = S_IFBLK | 0600;
	return status;
}

/* A device of 5 MiB and 3 KiB, all zeros but for these bytes; false: it is refused, and why. */
static bool opens_device(struct raw_device *r, const char *bytes, size_t size, off_t at,
			 char *error)
{
	int fd = open(device_there, O_RDWR | O_CREAT | O_TRUNC, 0600);

	tap_expect(fd >= 0 && !ftruncate(fd, (5 << 20) + 3072) &&
			   pwrite(fd, bytes, size, at) == (ssize_t)size,
		   "no device");
	close(fd);
	return raw_device_open(r, device_there, error);
}

/* Whoever else keeps data there has his mark at a place of his own. */
static void devices_of_others(void)
{
	static const struct {
		const char *name, *mark;
		size_t size;
		off_t at;
	} others[] = {{"an ext file system", "\x53\xef", 2, 1080},
		      {"XFS", "XFSB", 4, 0},
		      {"btrfs", "_BHRfS_M", 8, 65600},
		      {"a GPT partition table", "EFI PART", 8, 512},
		      {"a partition table", "\x55\xaa", 2, 510},
		      {"LUKS", "LUKS\xba\xbe", 6, 0},
		      {"an LVM volume", "LABELONE", 8, 512},
		      {"swap space", "SWAPSPACE2", 10, 4086},
		      {"F2FS", "\x10\x20\xf5\xf2", 4, 1024},
		      {"an md array", "\xfc\x4e\x2b\xa9", 4, 4096}};
	/* in the first and the last MiB, and between them */
	static const struct {
		off_t at;
		bool taken;
	} data[] = {{0, false},
		    {(1 << 20) - 1, false},
		    {1 << 20, true},
		    {(4 << 20) + 3071, true},
		    {(4 << 20) + 3072, false},
		    {(5 << 20) + 3071, false}};
	static char path[256];
	char error[DB_DIR_ERROR_SIZE] = "", begin[64];
	struct raw_device r;
	uint64_t load_id;
	int fd;

	snprintf(path, sizeof path, "%s", in_scratch("device"));
	device_there = path;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		bool open = opens_device(&r, others[i].mark, others[i].size, others[i].at,
					 error);

		snprintf(begin, sizeof begin, " contains %s and is not", others[i].name);
		tap_expect(!open && strstr(error, begin), "%s: %s", others[i].name,
			   error);
	}
	for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
		bool open = opens_device(&r, "x", 1, data[i].at, error);

		tap_expect(open == data[i].taken &&
				   (open || strstr(error, "contains data")),
			   "a byte at %d: %s", (int)data[i].at, error);
		raw_device_close(&r);
	}
	tap_expect(opens_device(&r, "", 1, 0, error) && r.bytes == 4 << 20,
		   "%d bytes are used: %s", (int)r.bytes, error);
	/* what is cleared is ours, whatever is written between the ends then */
	tap_expect(raw_device_clear(&r, error), "%s", error);
	load_id = r.load_id;
	raw_device_close(&r);
	fd = open(path, O_WRONLY);
	tap_expect(pwrite(fd, "data", 4, 9) == 4, "no write");
	close(fd);
	tap_expect(raw_device_open(&r, path, error) && r.load_id == load_id && load_id,
		   "its own device: %s", error);
	tap_expect(raw_device_clear(&r, error) && r.load_id > load_id &&
			   pread(r.fd, begin, 16, 0) == 16 && !begin[9],
		   "cleared: %s", error);
	raw_device_close(&r);
	tap_expect(!truncate(path, (4 << 20) - 1) && !raw_device_open(&r, path, error) &&
			   strstr(error, "smaller than 4 MiB"),
		   "a small one: %s", error);
	device_there = NULL;
	tap_expect(!raw_device_open(&r, path, error) &&
			   strstr(error, "is not a block device"),
		   "a file: %s", error);
}

#endif

/* Last, as values are texts from then on: a half of each hundred characters is new. */
static void values_are_texts(void)
{
	char value[1000], again[1000], other[1000];

	record_use_text(0.5);
	record_write_value(value, sizeof value, 128, 7, 8);
	record_write_value(again, sizeof again, 128, 7, 8);
	record_write_value(other, sizeof other, 128, 7, 9);
	tap_expect(record_is_text() && !memcmp(value, again, sizeof value) &&
			   memcmp(value, other, sizeof value),
		   "a record does not choose its text");
	for (size_t i = 0; i < sizeof value; i++)
		tap_expect(value[i] >= ' ' && value[i] <= '~', "character %d is %d",
			   (int)i, value[i]);
	for (size_t piece = 0; piece < 10; piece++) {
		const char *text = value + 100 * piece;

		tap_expect(!memcmp(text, text + 50, 50), "piece %d is not twice 50",
			   (int)piece);
		tap_expect(memcmp(text, text + 25, 25) &&
				   (!piece || memcmp(text, text - 100, 50)),
			   "piece %d repeats more", (int)piece);
	}
}

int main(int argc, char **argv)
{
	chosen = argv + (argc > 0);
	if (!mkdtemp(scratch_directory))
		return 1;
	run("message: appended text is cut at the end of the buffer", text_added);
	run("hist: a value is reported within 1 % from 1 ns to 1 h", hist_error);
	run("hist: small values are exact", hist_small_exact);
	run("hist: one value is exact, and a negative one has a bucket", hist_of_one);
	run("hist: buckets contain their values and are in order",
	    hist_buckets_contiguous);
	run("hist: a quantile finds the slow calls", hist_quantiles);
	run("hist: quantiles are by nearest rank, as in the percentile file", hist_ranks);
	run("hist: mean, deviation, minimum, maximum, merging and units are right",
	    hist_moments);
	run("hist: a batch is as its values one by one, and the least is exact",
	    hist_batches);
	run("hist: an interval is the difference of two histograms", hist_differences);
	run("per_second: the worst complete second", whole_seconds_only);
	run("hdrlog: every value has its count", hdrlog_counts);
	run("hdrlog: the maximum is kept", hdrlog_maxima);
	run("hdrlog: a line begins with its times, the maximum in ms", hdrlog_heads);
	run("hdrlog: counts are read back from its formats", hdrlog_is_read);
	run("hdrlog: without memory there is no line", hdrlog_without_memory);
	run("hdrlog: clients' counts added are those of all samples, means of "
	    "percentiles not",
	    hdrlog_pools);
	run("device: free space, and paths without a device", device_knows);
	run("device: a partition has its disk's queue", device_queues);
	run("device: room and what is full", space_is_counted);
#if defined(__linux__) && defined(__LP64__)
	run("raw_device: what others keep there, and what is ours", devices_of_others);
#endif
	run("device: each count is from its own field", device_counts);
	run("clock: agrees with the kernel's, and a falsified one does not",
	    clock_agrees);
	run("clock: whom the kernel trusts, and what a reading costs", clock_is_trusted);
	run("clock: is calibrated asleep", clock_is_calibrated_asleep);
	run("clock: ten years do not overflow", clock_is_wide);
	run("random: known vectors", random_vectors);
	run("random: streams of threads, seeds and names differ", random_streams_apart);
	run("random: 4096 streams lie far from each other", random_jump_spread);
	run("random: draws are uniform", random_uniform);
	run("random: a permutation has each number once", permutation_is_one);
	run("record: keys are zero-padded decimals", keys_are_decimal);
	run("record: native keys", keys_native);
	run("record: hexadecimal, binary and YCSB's keys", keys_of_other_forms);
	run("record: sizes of values", sizes_of_values);
	run("record: values pass their own check and no other's", values_check);
	run("record: any wrong byte is noticed", values_notice);
	run("record: values compress to the ratio and repeat nothing", values_compress);
	run("record: a fold depends on all bytes and their order, and reads no others",
	    fold_notices);
	run("distribution: zipfian is exact, latest its mirror image", zipfian_is);
	run("distribution: zipfian is right to 10^12 keys", zipfian_is_far_out);
	run("distribution: the other distributions are as defined",
	    other_distributions_are);
	run("distribution: the number of hot keys is rounded", hot_keys_are_rounded);
	run("distribution: scrambled zipfian is YCSB's", scrambled_is_ycsb);
	run("distribution: draws of popular keys are counted", popular_draws_counted);
	run("distribution: artefacts of 2014 and 2022 are reproduced", artefacts_are);
	run("mixgraph: ranges and operations have their fractions, and are independent",
	    mixgraph_ranges);
	run("mixgraph: hot keys have their fractions", mixgraph_hot_keys);
	run("mixgraph: all_random is uniform, also with few keys", mixgraph_uniform);
	run("mixgraph: sizes of values and scans", mixgraph_sizes);
	run("mixgraph: a value is as long as was drawn, and checked", mixgraph_values);
	run("mixgraph: with db_bench one draw determines everything", mixgraph_one_draw);
	run("trace: what is written is read back, compressed or not", traces_come_back);
	run("trace: Twitter's lines, and keys of another size", traces_of_others);
	run("trace: an invalid line is refused with its number", traces_refused);
	run("trace: RocksDB's records of both versions", traces_of_rocksdb);
	run("trace: RocksDB's records that are cut or wrong", traces_of_rocksdb_refused);
	run("trace: Meta's lines, of several operations too", traces_of_meta);
	run("trace: oracleGeneral is read and written", traces_of_oracle);
	run("distinct_count: counts distinct keys within 2 %", distinct_counts);
	run("distinct_count: groups of eight count as single keys do", distinct_eights);
	run("distinct_count: the largest number is no key", distinct_bounds);
	run("distinct_count: keys with equal low halves", distinct_similar_keys);
	run("stats: a sample's median, interval, variation and drift", stats_samples);
	run("stats: Student's t, and the power of its test", stats_of_t);
	run("stats: Mann and Whitney's p is exact, with ties too", stats_of_ranks);
	run("stats: Welch's difference of means, and false discoveries", stats_of_means);
	run("stats: Holm's correction and the bootstrap", stats_of_many);
	run("stats: a detectable difference is found as often as stated",
	    stats_power_of_ranks);
	run("linearize: each read finds what it found", linearizes);
	run("linearize: writes that a read may precede are held back", linearize_waits);
	run("linearize: many writes of one key are handed out one by one",
	    linearize_hot_key);
	run("steady_state: SNIA's rule, windows and rounds", steady_state_judges);
	run("steady_state: rates of windows", window_rates_printed);
	run("steady_state: a window that was not filled is none",
	    steady_state_drops_what_was_not_filled);
	run("rate_schedule: arrivals queue as in M/D/1, and do not drift", arrivals_are);
	run("rate_schedule: bursts begin together and keep the rate", bursts_are);
	run("slow_cause: an event is a cause beyond chance, by its end",
	    slow_causes_are_beyond_chance);
	run("slow_cause: direct evidence goes before events", slow_causes_in_order);
	run("slow_cause: a stall of writes begins inside, or lasts", slow_stalls_overlap);
	run("slow_cause: the longest stall is the reason", slow_stalls_have_a_reason);
	run("driver_common: a stall in a log ends with a job", stalls_of_a_log);
	run("driver_common: a log's lines have local times, in summer and winter",
	    times_of_a_log);
	run("sync_count: the times of a thread's syncs", sync_spans_noted);
	run("backoff: grows up to a limit, until there is progress", backoff_grows);
	run("insert_benchmark_row: keys sort as their fields do", row_keys_sort);
	run("insert_benchmark_row: rows and entries are these bytes", rows_are_bytes);
	run("insert_benchmark_row: rows are drawn as defined", rows_are_drawn);
	run("insert_benchmark_row: sums distinguish sets of keys, in any order",
	    row_checksums_differ);
	run("rate_schedule: a sine gives as many arrivals as its integral", sine_is);
	run("rate_schedule: noise has the sine as its mean", noise_is);
	run("rate_schedule: gaps drawn ahead, backlog and end", schedule_draws_ahead);
	run("rate_schedule: follows the times of a trace", scheduled_starts_are_kept);
	run("transaction: each write counts once, after any conflict",
	    transactions_count_once);
	run("transaction: uncommitted writes are not counted",
	    open_transactions_are_not_counted);
	run("transaction: a chunk has whole ones, or a part of one",
	    transactions_fit_chunks);
	run("transaction: a read-modify-write is retried from its read",
	    read_modify_writes_repeat);
	run("verdict: each limit of a rate has its word and number", bound_by);
	run("verdict: time without a core counts as demand for it", bound_by_demand);
	run("thread_delay: waits for a core of the engine's threads", engine_threads);
	run("verdict: wrong and missing records make a row invalid", invalid_records);
	run("verdict: each text of a row is its own", texts_are_their_own);
	run("message: texts that are kept stay as they are", texts_are_kept);
	run("verdict: failures and incomplete runs make a row invalid", invalid_runs);
	run("verdict: a required rate that was not met makes a row invalid",
	    invalid_rates);
	run("verdict: disturbances are warnings", warnings_are_given);
	run("option: valid values", options_taken);
	run("option: invalid values and their messages", options_refused);
	run("option: help and manual have each row once", options_printed);
	run("list_parser: valid lists", lists_taken);
	run("list_parser: invalid lists and their messages", lists_refused);
	run("length_table: uniform, zipfian and of a file", lengths_are);
	run("java_properties: as Java reads them", properties_are_javas);
	run("json_reader: members, and what is no array", json_members_are);
	run("edit_distance: the name that was meant", edit_distances);
	run("db_bench_flags: what each release has", releases_of_flags);
	run("message: a command as a shell reads it", commands_are_quoted);
	run("address: valid ones, and those of this machine", addresses_are);
	run("file_barrier: each round ends when all have arrived",
	    clients_wait_at_barrier);
	run("perf_control: commands and acknowledgements", profiler_is_switched);
	run("thread_name: the role and the thread's own number", threads_are_named);
	run("thread_barrier: threads leave when all have come", barrier_holds);
	run("resource_usage: impossible values are noticed", implausible_usage);
	run("resource_usage: unknown counters give no verdict", unknown_overcharge);
	run("resource_usage: each counter is of its own line", process_counters);
	run("resource_usage: pages, waits and syncs of a process", usage_counted);
#ifdef __linux__
	run("resource_usage: the device below a path", device_watched);
#endif
	run("resource_usage: what is more than was written", overcharged_beyond);
	run("perf: counters are scaled", perf_counters_scaled);
	run("resource_usage: the machine's time includes all kinds of work",
	    machine_time);
	run("resource_usage: memory grows and shrinks with its use", footprint_follows);
	run("sync_count: each kind is counted and done", syncs_counted);
	run("sync_count: writes to files opened with O_DSYNC, and to no others",
	    dsync_writes_counted);
	run("supervisor: how a child ended is returned", supervisor_reports);
	run("supervisor: a signal before the parent knows its child is forwarded",
	    supervisor_forwards_early_signal);
	run("supervisor: a limit on CPU time is no cause if little was used",
	    supervisor_checks_limit);
	run("supervisor: a child that hangs is killed, one that works is not",
	    supervisor_notices_hang);
	run("library_info: finds the file", library_info_found);
#if defined(__linux__) && defined(__LP64__)
	run("library_info: finds builds not fit for comparison", library_info_inspected);
	run("library_info: facts of the build", library_info_facts);
#endif
	run("file_copy: holes stay holes", file_copy_keeps_holes);
	run("db_dir: a copy has the facts and records, and is cold", db_dir_copies);
	run("db_dir: files are read into the page cache, and no hole is",
	    db_dir_refills_cache);
	run("file_copy: copies a tree, and overwrites no file", trees_copied);
	run("db_dir: facts are kept, and one process at a time", db_dir_keeps_facts);
#ifdef __linux__
	run("db_dir: what is preallocated is told from what is used",
	    db_dir_tells_preallocated);
#endif
	run("db_dir: nothing foreign is deleted", db_dir_deletes_nothing_foreign);
	run("db_dir: files of a flat directory", flat_files_known);
	run("db_dir: private directories", private_directories);
	run("db_dir: bad paths are refused", db_dir_refuses_paths);
	run("result: rows survive any text, unknown is empty", results_written);
	run("result: unreadable rows stay", unreadable_rows_stay);
	run("cgroup: the peak since the last reset", cgroup_peak_since_reset);
	run("cgroup: counts of both versions", cgroup_counts);
	run("cgroup: time spent waiting for memory", cgroup_stalls);
	run("cgroup: a limit is the sum of memory and swap", cgroup_limits_swap);
	run("cgroup: none is tried above the mount", cgroup_stays_below_mount);
	run("cgroup: no group is left behind", cgroup_leaves_nothing);
	run("cgroup: limits from outside, version 2", limits_of_version_2);
	run("cgroup: limits from outside, version 1", limits_of_version_1);
	run("cgroup: how often a quota stopped the threads", throttling_since);
#ifdef __linux__
	run("host: a list of CPUs, and threads on them", cpus_listed);
	run("thread_delay: threads of the engine", engine_threads_found);
	run("host: CPUs of the machine, and of a cpuset", cpus_counted);
#endif
	run("host: sensors, turbo and memory", machine_described);
	run("host: settings of the machine, each of its file", settings_described);
	run("host: who pages out idle memory", idle_reclaim_known);
	run("host: mount points with blanks, and hidden ones", mounts_known);
	run("histprint: percentile file", percentile_file);
	run("histprint: RocksDB's format", rocksdb_histogram);
	run("histprint: the limits of both db_bench", db_bench_limits);
	run("histprint: db_bench's empty buckets are left out", db_bench_empty_buckets);
	run("histprint: db_bench's percentiles are of whole microseconds",
	    db_bench_whole_microseconds);
	run("histprint: db_bench's times hold what is between", db_bench_between);
	run("record: values that are texts", values_are_texts);
	if (*chosen)
		tap_run("every argument names a test", every_choice_names_a_test);
	nftw(scratch_directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return tap_end();
}
