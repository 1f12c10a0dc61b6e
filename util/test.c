/*
 * test.c: the parts of util/, each held against its definition or an independent computation.
 *
 * Prints TAP and exits with 1 if anything failed. Nothing here depends on how fast the machine is.
 * Constants marked (python) were computed with Python's unbounded integers.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "flush.h"
#include "guard.h"
#include "hist.h"
#include "histprint.h"
#include "library.h"
#include "option.h"
#include "random.h"
#include "record.h"
#include "result.h"
#include "store.h"
#include "usage.h"

static int tests, failures;
static bool good; /* so far, in the test that runs */

/* Within a test: one thing that must be so. Only the first failure is shown. */
static void expect(bool so, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void expect(bool so, const char *format, ...)
{
	va_list args;

	if (so || !good)
		return;
	good = false;
	va_start(args, format);
	printf("# ");
	vprintf(format, args);
	printf("\n");
	va_end(args);
}

static void run(const char *name, void (*test)(void))
{
	good = true;
	test();
	failures += !good;
	printf("%s %d - %s\n", good ? "ok" : "not ok", ++tests, name);
	fflush(stdout);
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

			expect(error <= 0.01, "%llu ns is off by %g", (unsigned long long)v, error);
		}
	}
}

static void hist_small_exact(void)
{
	for (uint64_t v = 0; v < 255; v++)
		expect(reported(v) == (double)v, "%llu became %g", (unsigned long long)v, reported(v));
}

static void hist_buckets_contiguous(void)
{
	for (int power = 0; power < 52; power++) {
		for (int near = -2; near <= 2; near++) {
			uint64_t v = ((uint64_t)1 << power) + (uint64_t)(near + 2);
			size_t b = hist_bucket(v);

			expect(hist_lowest(b) <= (double)v && (double)v <= hist_highest(b), "%llu outside its bucket",
			       (unsigned long long)v);
			expect(hist_bucket(v + 1) >= b, "buckets go back at %llu", (unsigned long long)v);
		}
	}
	expect(hist_bucket(UINT64_MAX / 2 - 1) < HIST_BUCKETS, "2^63 has no bucket");
}

static void hist_quantiles(void)
{
	memset(&h, 0, sizeof h);
	h.unit = 1;
	for (int i = 0; i < 1000000; i++)
		hist_record(&h, i % 10000 == 5 ? 5000000 : 20);
	expect(hist_quantile(&h, 999800) == 20, "99.98 %% is slow");
	expect(hist_quantile(&h, 999900) > 4900000, "99.99 %% misses the slow ones");
	expect(hist_quantile(&h, 500000) == 20 && hist_quantile(&h, 1000000) > 4900000, "median or maximum");
}

static void hist_moments(void)
{
	static struct hist a, b;
	struct random r = random_seed(7, "moments");
	double sum = 0, squares = 0, n = 100000;
	struct hist_summary s;

	a.unit = b.unit = 0.5;
	memset(&h, 0, sizeof h);
	for (int i = 0; i < n; i++) {
		uint64_t v = 300 + random_below(&r, 1000000);

		hist_record(i % 3 ? &a : &b, v);
		sum += (double)v;
		squares += (double)v * (double)v;
	}
	hist_merge(&h, &a);
	hist_merge(&h, &b);
	s = hist_summarize(&h);
	double mean = sum / n, deviation = sqrt(squares / n - mean * mean);

	expect(s.count == 100000, "count %llu", (unsigned long long)s.count);
	expect(fabs(s.mean / (mean / 2) - 1) < 1e-9, "mean %g, not %g", s.mean, mean / 2);
	expect(fabs(s.stddev / (deviation / 2) - 1) < 0.005, "deviation %g, not %g", s.stddev, deviation / 2);
	expect(s.max == (double)h.max / 2 && s.min >= 148, "max %g min %g", s.max, s.min);
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
		struct clock c = clock_start(counter);
		struct clock_pair from = clock_pair_now(&c), to;
		uint64_t last = clock_ticks(&c);

		wait_ms(200);
		to = clock_pair_now(&c);
		expect(clock_ticks(&c) >= last, "ran backwards");
		expect(clock_disagreement(&c, from, to) < 1e-3, "counter %d is off by %g", counter,
		       clock_disagreement(&c, from, to));
		c.ns_per_tick += c.ns_per_tick / 100;
		expect(clock_disagreement(&c, from, to) > 5e-3, "an error of 1 %% is not seen");
		expect(c.reading_ns > 0 && c.reading_ns < 1e5, "a reading costs %g ns", c.reading_ns);
	}
}

static void clock_is_wide(void)
{
	struct clock c = {.counter = true, .ns_per_tick = (uint64_t)1 << 31};
	uint64_t ten_years = 315360000ull * 1000000000ull * 2;

	expect(clock_ns(&c, ten_years) == ten_years / 2, "ten years overflow");
	expect(clock_ns(&c, 3) == 2, "is not rounded");
}

/* ---- random ---- */

#define WIDE(high, low) ((random_wide)(high) << 64 | (low))

static void random_vectors(void)
{
	static const uint64_t draws[] = {0x749aec7eed91fa70, 0xe5eb622edb6d872e, 0xf2556f9f46a4c627,
					 0xdc225dca9dde9813}; /* (python) */
	static const uint64_t mixed[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f};
	struct random r = {WIDE(0x0123456789abcdef, 0xfedcba9876543211)};
	uint64_t state = 0;

	for (int i = 0; i < 4; i++)
		expect(random_next(&r) == draws[i], "draw %d", i);
	for (int i = 0; i < 3; i++)
		expect(random_splitmix(&state) == mixed[i], "splitmix64 %d", i);
	r.state = WIDE(0x0123456789abcdef, 0xfedcba9876543211);
	random_jump(&r);
	expect(r.state == WIDE(0xf573aa8fb46a67b6, 0xc9a2bcd9b5bc2fd5), "jump"); /* (python) */
}

static int compare_words(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, 8);
	memcpy(&y, b, 8);
	return x < y ? -1 : x > y;
}

/* The first draws of 64 streams, and of two other seeds and names: no word twice, no low half twice often. */
static void random_streams_apart(void)
{
	enum { STREAMS = 66, DRAWS = 1000 };
	uint64_t *all = malloc(STREAMS * DRAWS * sizeof *all);
	struct random stream = random_seed(1, "readrandom");

	if (!all)
		exit(1);
	for (int s = 0; s < STREAMS; s++, random_jump(&stream)) {
		struct random r = s < 64 ? stream : random_seed(s == 64 ? 2 : 1, s == 64 ? "readrandom" : "fillrandom");

		for (int i = 0; i < DRAWS; i++)
			all[s * DRAWS + i] = random_next(&r) & 0xffffffffffff;
	}
	qsort(all, STREAMS * DRAWS, sizeof *all, compare_words);
	for (int i = 1; i < STREAMS * DRAWS; i++)
		expect(all[i] != all[i - 1], "two streams draw the same 48 bits");
	free(all);
}

/* 4096 multiples of the jump around the cycle of 2^126: the nearest two (python: 2^113.5). */
static void random_jump_spread(void)
{
	random_wide length = WIDE(0x278dde6e5fd29f05, 0x7ce73018173b720d), cycle = (random_wide)1 << 126;
	uint64_t top[4097];

	for (unsigned i = 0; i <= 4096; i++)
		top[i] = (uint64_t)(length * i % cycle >> 62);
	qsort(top, 4097, sizeof *top, compare_words);
	for (int i = 1; i <= 4096; i++)
		expect(top[i] - top[i - 1] >= (uint64_t)1 << 50, "streams are nearer than 2^112");
}

/* Chi-square over 1000 cells: 999 degrees of freedom, 1 in 10^6 exceeds 1223. */
static void random_uniform(void)
{
	static uint64_t cells[1000];
	struct random r = random_seed(3, "uniform");
	double chi = 0;

	for (int i = 0; i < 1000000; i++) {
		uint64_t x = random_below(&r, 1000);

		expect(x < 1000, "out of range");
		cells[x]++;
	}
	for (int i = 0; i < 1000; i++)
		chi += ((double)cells[i] - 1000) * ((double)cells[i] - 1000) / 1000;
	expect(chi < 1223 && chi > 800, "chi-square is %g", chi);
}

static void permutation_is_one(void)
{
	static const uint64_t sizes[] = {1, 2, 3, 10, 1000, 65536, 65537, 100000};
	static unsigned char seen[100000];

	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		struct permutation p = permutation_make(sizes[k], 5);
		uint64_t neighbours = 0, last = 0;

		memset(seen, 0, sizeof seen);
		for (uint64_t i = 0; i < sizes[k]; i++) {
			uint64_t to = permutation_at(&p, i);

			expect(to < sizes[k] && !seen[to], "of %llu is none", (unsigned long long)sizes[k]);
			if (to < sizes[k])
				seen[to] = 1;
			neighbours += to == last + 1;
			last = to;
		}
		expect(sizes[k] < 1000 || neighbours < sizes[k] / 100, "keeps neighbours together");
	}
	struct permutation big = permutation_make(10000000000, 5), other = permutation_make(10000000000, 6);

	for (uint64_t i = 0; i < 1000; i++)
		expect(permutation_at(&big, i) < 10000000000, "10^10 is left");
	expect(permutation_at(&big, 1) != permutation_at(&other, 1), "the seed does not matter");
}

/* ---- record ---- */

static void check_keys(size_t size, bool wide, const uint64_t *ids, unsigned n)
{
	struct record_shape shape = {KEYS_DECIMAL, wide, size, (size + 15) / 16 * 16};
	char *keys = malloc((n + 1) * shape.stride), want[600];

	if (!keys)
		exit(1);
	memset(keys, '0', (n + 1) * shape.stride);
	record_keys(&shape, keys, ids, n);
	for (unsigned i = 0; i < n; i++) {
		snprintf(want, sizeof want, "%0*llu", (int)size, (unsigned long long)ids[i]);
		expect(!memcmp(keys + i * shape.stride, want, size), "key of %llu in %zu bytes",
		       (unsigned long long)ids[i], size);
		expect(record_id(keys + i * shape.stride, size, KEYS_DECIMAL) == ids[i], "id of %llu",
		       (unsigned long long)ids[i]);
	}
	free(keys);
}

static void keys_are_decimal(void)
{
	static const size_t sizes[] = {8, 9, 15, 16, 17, 24, 511};
	static uint64_t ids[20001];
	struct random r = random_seed(1, "keys");

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		uint64_t room = 1;

		for (size_t d = 0; d < sizes[s] && d < 16; d++)
			room *= 10;
		/* every pair of digits in each place, then random ones; n is odd on purpose */
		for (unsigned i = 0; i < 20000; i++)
			ids[i] = i < 10000 ? i * 10000ull + 9999 - i : random_below(&r, 100000000);
		check_keys(sizes[s], false, ids, 19999);
		for (unsigned i = 0; i < 20000; i++)
			ids[i] = i < 30 ? room - 1 - i : random_below(&r, room);
		check_keys(sizes[s], sizes[s] > 8, ids, 20000);
	}
}

static void keys_native(void)
{
	struct record_shape shape = {KEYS_NATIVE, true, 8, 16};
	uint64_t ids[4] = {0, 1, UINT64_MAX - 1, 5}, back;
	char keys[64];

	record_keys(&shape, keys, ids, 4);
	for (int i = 0; i < 4; i++) {
		memcpy(&back, keys + 16 * i, 8);
		expect(back == ids[i] && record_id(keys + 16 * i, 8, KEYS_NATIVE) == ids[i], "native key %d", i);
	}
	expect(record_id("12x4", 4, KEYS_DECIMAL) == UINT64_MAX, "a letter is a digit");
	expect(record_id(keys, 7, KEYS_NATIVE) == UINT64_MAX, "seven bytes are eight");
}

static void values_check(void)
{
	static const unsigned ratios[] = {0, 77, 128, 256};
	char value[700], scratch[700];

	for (size_t size = 1; size <= 600; size++) {
		for (int k = 0; k < 4; k++) {
			uint64_t id = size * 977, generation = size % 3 ? size : 0;

			memset(value, '#', sizeof value);
			record_value(value, size, ratios[k], id, generation);
			expect(value[size] == '#', "%zu bytes write beyond themselves", size);
			expect(record_check(value, size, ratios[k], id, scratch), "%zu bytes fail their check", size);
			expect(!record_check(value, size, ratios[k], id + 1, scratch), "%zu bytes pass for another's", size);
		}
	}
}

/* Of a value that is cut inside the generation, only the id can be held against anything. */
static void values_notice(void)
{
	static const size_t sizes[] = {3, 8, 12, 16, 17, 40, 100, 300, 600};
	char value[700], scratch[700];

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		size_t size = sizes[s], known = size < 16 && size > 8 ? 8 : size;

		for (size_t byte = 0; byte < known; byte++) {
			/* the lowest bits of a generation alone are another value's, so the body must tell */
			if (size == 16 && byte >= 8)
				continue;
			record_value(value, size, 128, 12345, 67);
			value[byte] = (char)(value[byte] ^ 1);
			expect(!record_check(value, size, 128, 12345, scratch), "byte %zu of %zu is not looked at", byte,
			       size);
		}
	}
}

static void values_compress(void)
{
	enum { VALUES = 4000, SIZE = 116 };
	uint64_t *words = malloc(VALUES * 5 * sizeof *words);
	size_t n = 0, zeros = 0;
	char value[SIZE];

	if (!words)
		exit(1);
	for (uint64_t id = 0; id < VALUES; id++) {
		record_value(value, SIZE, 128, id, 0);
		for (size_t i = 16; i < SIZE; i++)
			zeros += !value[i];
		for (size_t i = 0; i < 5; i++)
			memcpy(&words[n++], value + 16 + 8 * i, 8);
	}
	qsort(words, n, sizeof *words, compare_words);
	for (size_t i = 1; i < n; i++)
		expect(words[i] != words[i - 1], "eight random bytes stand twice");
	double share = 1 - (double)zeros / VALUES / (SIZE - 16);

	expect(share > 0.48 && share < 0.52, "%g of the bytes are random, not half", share);
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
	char keep[32];

	memcpy(keep, a, size);
	memcpy(a, b, size);
	memcpy(b, keep, size);
}

static void fold_notices(void)
{
	char bytes[320];
	struct random r = random_seed(1, "fold");

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)random_next(&r);
	for (size_t size = 1; size <= 300; size++) {
		uint64_t before = fold(bytes, size);

		expect(before == record_digest(record_fold(bytes, size)), "alignment matters at %zu", size);
		for (size_t i = 0; i < size; i++) {
			bytes[i] = (char)(bytes[i] ^ 0x80);
			expect(fold(bytes, size) != before, "byte %zu of %zu does not count", i, size);
			bytes[i] = (char)(bytes[i] ^ 0x80);
		}
		for (size_t i = 0; i + 32 <= size; i += 16) {
			swap_bytes(bytes + i, bytes + i + 16, 16);
			expect(fold(bytes, size) != before, "words at %zu of %zu can change places", i, size);
			swap_bytes(bytes + i, bytes + i + 16, 16);
		}
	}
	expect(fold(bytes, 0) != fold(bytes, 1), "nothing is like something");
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
	{"count", "5", "A count.", .count = &got.count, .least = 1, .most = 1000000000000, .group = "First"},
	{"some_size", "64Ki", "A size.", .alias = "bytes", .size = &got.size},
	{"real", "0.5", "A real.", .real = &got.real, .ceiling = 1},
	{"flag", "0", "A flag.", .flag = &got.flag, .group = "Second"},
	{"text", "", "A text.", .text = &got.text},
	{"choice", "green", "A choice.", .choice = &got.choice, .choices = colours},
	{0},
};
static const struct option *const all_tables[] = {table, NULL};

/* Parse a line of words; an empty string if it was taken, else the complaint. */
static const char *parse(const char *line)
{
	static char error[OPTION_ERROR], copy[256];
	char *argv[16] = {copy}, *rest = copy;
	int argc = 1;

	snprintf(copy, sizeof copy, "%s", line);
	option_defaults(table, error);
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

		expect(!*error, "'%s': %s", cases[i].line, error);
		expect(got.count == cases[i].count && got.size == cases[i].size && got.real == cases[i].real &&
			       got.flag == cases[i].flag && got.choice == cases[i].choice,
		       "'%s' is read as something else", cases[i].line);
	}
}

static void options_refused(void)
{
	static const struct {
		const char *line, *says;
	} cases[] = {
		{"--count=10x", "--count"},   {"--count=x", "--count"},	   {"--count=", "--count"},
		{"--count=-5", "-5"},	      {"--count=1e3", "1e3"},	   {"--count=0x10", "0x10"},
		{"--count=1.5", "1.5"},	      {"--count=+5", "+5"},	   {"--count=5kk", "5kk"},
		{"--count=1Ki", "1Ki"},	      {"--count=0", "outside"},	   {"--count=2t", "outside"},
		{"--count=99999999999999999999", "9999"},		   {"--some_size=20000000000g", "20000000000g"},
		{"--real=nan", "nan"},	      {"--real=inf", "inf"},	   {"--real=-0.1", "outside"},
		{"--real=2", "outside"},      {"--real=0.5x", "0.5x"},	   {"--flag=2", "--flag"},
		{"--choice=blue", "red, green"}, {"--colour=red", "--colour"}, {"count=5", "count=5"},
		{"--", "--"},		      {"--count", "missing"},	   {"--cou=5", "--cou"},
		{"-count=5", "-count"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect(strstr(parse(cases[i].line), cases[i].says), "'%s' answers '%s'", cases[i].line,
		       parse(cases[i].line));
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

	option_help(table, f);
	fclose(f);
	f = open_memstream(&manual, &size);
	option_manual(table, f);
	fclose(f);
	for (const struct option *o = table; o->name; o++) {
		snprintf(name, sizeof name, "  --%s=", o->name);
		expect(occurrences(help, name) == 1, "help has no %s", o->name);
		snprintf(name, sizeof name, ".It Fl Fl %s ", o->name);
		expect(occurrences(manual, name) == 1, "the manual has no %s", o->name);
	}
	free(help);
	free(manual);
}

/* ---- usage and flush ---- */

static void usage_doubts(void)
{
	struct usage before = usage_read(), after, spent, sane = {.user_s = 1.9, .sys_s = 0.05, .io_read_bytes = NAN};

	/* On a busy machine 20 ms at work take longer. */
	do {
		wait_ms(20);
		after = usage_read();
		spent = usage_since(&before, &after);
	} while (spent.cpu_s < 0.02);
	expect(spent.user_s + spent.sys_s >= 0.01, "20 ms at work cost %g s", spent.user_s + spent.sys_s);
	expect(!usage_doubt(&spent, 0.02, 0.02, 1, 2), "an honest span is doubted");
	expect(!usage_doubt(&sane, 1.95, 1, 2, 2), "two busy threads on two processors are doubted");
	expect(usage_doubt(&sane, 1.95, 1, 1, 2) != NULL, "a thread that works twice as long as time is believed");
	expect(usage_doubt(&sane, 0.5, 1, 2, 1) != NULL, "one processor that works for two is believed");
	sane.faults_minor = -1;
	expect(usage_doubt(&sane, 1.95, 1, 2, 2) != NULL, "a counter that ran backwards is believed");
	expect(footprint_read().rss_kb > 100, "no memory is used");
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

static void flushes_counted(void)
{
	int fd = open(in_scratch("flush"), O_RDWR | O_CREAT, 0600);
	struct flush_counts a, b;
	char *map;

	expect(fd >= 0 && !ftruncate(fd, 4096), "no file to flush");
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	a = flush_read();
	expect(!fsync(fd) && !fdatasync(fd) && !fdatasync(fd), "fsync fails");
	expect(!msync(map, 4096, MS_SYNC) && !msync(map, 4096, MS_ASYNC), "msync fails");
#ifdef __linux__
	expect(!syncfs(fd), "syncfs fails");
	expect(!sync_file_range(fd, 0, 4096, SYNC_FILE_RANGE_WRITE), "sync_file_range fails");
#endif
	b = flush_read();
	expect(b.fsyncs - a.fsyncs == 1 && b.fdatasyncs - a.fdatasyncs == 2, "fsyncs are miscounted");
	expect(b.msyncs - a.msyncs == 1, "MS_SYNC counts once and MS_ASYNC not");
#ifdef __linux__
	expect(b.syncs - a.syncs == 1 && b.sync_file_ranges - a.sync_file_ranges == 1, "syncfs is miscounted");
	expect(flush_total(&b) - flush_total(&a) == 6, "the total is another");
#endif
	expect(fsync(-1) == -1 && errno == EBADF, "an error is swallowed");
	munmap(map, 4096);
	close(fd);
}

static void dsync_writes_counted(void)
{
	int plain = open(in_scratch("plain"), O_RDWR | O_CREAT, 0600);
	int forcing = open(in_scratch("forcing"), O_RDWR | O_CREAT | O_DSYNC, 0600);
	struct flush_counts a = flush_read(), b;
	ssize_t wrote = write(plain, "1", 1) + write(forcing, "22", 2) + pwrite(forcing, "3", 1, 9);

	b = flush_read();
	expect(wrote == 4, "wrote %zd bytes", wrote);
	expect(b.dsync_writes - a.dsync_writes == 2, "counted %llu", (unsigned long long)(b.dsync_writes - a.dsync_writes));
	close(forcing);
	expect(open(in_scratch("plain"), O_RDWR) == forcing && write(forcing, "4", 1) == 1, "no descriptor to use again");
	expect(flush_read().dsync_writes == b.dsync_writes, "a descriptor that was used again still counts");
	close(forcing);
	close(plain);
}

/* ---- store ---- */

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

static void store_keeps_facts(void)
{
	static struct store s, again;
	char error[STORE_ERROR];

	expect(store_make(&s, in_scratch("a/b/db"), "lmdb", error) && s.made, "make: %s", error);
	s.facts.keys = 77;
	s.facts.complete = 1;
	expect(store_note(&s, error), "note: %s", error);
	expect(!store_open(&again, s.path, error) && strstr(error, "in use"), "two at once");
	store_close(&s);
	expect(store_open(&again, in_scratch("a/b/db"), error), "open: %s", error);
	expect(again.facts.keys == 77 && again.facts.complete == 1 && !strcmp(again.facts.engine, "lmdb"), "facts");
	store_close(&again);
	expect(!store_make(&s, in_scratch("a/b/db"), "leveldb", error) && strstr(error, "bench_lmdb"), "another engine");
}

static void store_deletes_nothing_foreign(void)
{
	static struct store s;
	char error[STORE_ERROR], path[512];

	mkdir(in_scratch("foreign"), 0700);
	write_file(in_scratch("foreign/file"), "precious");
	expect(!store_make(&s, in_scratch("foreign"), "lmdb", error), "a foreign directory is taken");
	expect(!store_open(&s, in_scratch("foreign"), error), "a foreign directory is opened");
	write_file(in_scratch("foreign/assay.db"), "not ours\n");
	expect(!store_make(&s, in_scratch("foreign"), "lmdb", error), "a foreign marker is believed");
	expect(file_is(in_scratch("foreign/file"), "precious"), "a foreign file is gone");

	expect(store_make(&s, in_scratch("ours"), "lmdb", error) && store_clear(&s, error), "clear: %s", error);
	snprintf(path, sizeof path, "%.200s/x", s.data);
	write_file(path, "the engine's");
	write_file(in_scratch("ours/file"), "precious");
	expect(store_clear(&s, error) && access(path, F_OK) != 0, "the engine's file stays");
	expect(file_is(in_scratch("ours/file"), "precious"), "a file beside the engine's is gone");
	expect(!rmdir(s.data) && !symlink(in_scratch("foreign"), s.data), "no link");
	expect(!store_clear(&s, error) && file_is(in_scratch("foreign/file"), "precious"), "a link is followed");
	store_close(&s);
}

static void store_refuses_paths(void)
{
	static struct store s;
	static char path[5000];
	char error[STORE_ERROR];

	memset(path, 'x', sizeof path - 1);
	expect(!store_make(&s, path, "lmdb", error) && strstr(error, "too long"), "a long path");
	expect(!store_make(&s, "", "lmdb", error) && strstr(error, "empty"), "an empty path");
	expect(!store_open(&s, in_scratch("nowhere"), error) && strstr(error, "no database"), "no path");
}

/* ---- result and histprint ---- */

static void results_written(void)
{
	struct result r = result_unknown();
	char error[RESULT_ERROR], line[20000];
	int rows = 0, tabs = -1;
	FILE *f;

	r.engine = "a \"quoted\"\tname\\\nof two lines";
	r.ops = 12;
	for (int i = 0; i < 2; i++)
		expect(result_append_tsv(in_scratch("r.tsv"), &r, error) && result_append_json(in_scratch("r.json"), &r, error),
		       "append: %s", error);
	f = fopen(in_scratch("r.tsv"), "r");
	while (f && fgets(line, sizeof line, f)) {
		int n = occurrences(line, "\t");

		expect(tabs < 0 || n == tabs, "row %d has %d tabs, not %d", rows, n, tabs);
		expect(!rows || strstr(line, "\ta \"quoted\" name\\ of two lines\t"), "the text is %s", line);
		tabs = n;
		rows++;
	}
	if (f)
		fclose(f);
	expect(rows == 3, "%d lines, not a header and two rows", rows);
	f = fopen(in_scratch("r.json"), "r");
	expect(f && fgets(line, sizeof line, f), "no JSON");
	expect(strstr(line, "\"engine\":\"a \\\"quoted\\\" name\\\\ of two lines\""), "JSON: %.200s", line);
	expect(strstr(line, "\"ops\":12,") && strstr(line, "\"reads\":null,") && strstr(line, "\"time\":null,"), "JSON: %.300s", line);
	if (f)
		fclose(f);
	write_file(in_scratch("other.tsv"), "another header\n");
	expect(!result_append_tsv(in_scratch("other.tsv"), &r, error) && file_is(in_scratch("other.tsv"), "another header\n"),
	       "another header is written under");
}

static void percentile_file(void)
{
	char line[200];
	double value, part, last_value = 0, last_part = -1, rows = 0;
	FILE *f;

	memset(&h, 0, sizeof h);
	h.unit = 0.5;
	for (uint64_t i = 1; i <= 100000; i++)
		hist_record(&h, i);
	expect(histprint_hdr(&h, in_scratch("p.hgrm")) && histprint_hdr(&h, in_scratch("p.hgrm")), "is not replaced");
	f = fopen(in_scratch("p.hgrm"), "r");
	expect(f && fgets(line, sizeof line, f) && !strcmp(line, "       Value     Percentile TotalCount 1/(1-Percentile)\n"), "header");
	while (f && fgets(line, sizeof line, f)) {
		if (line[0] == '#' || sscanf(line, "%lf %lf", &value, &part) != 2)
			continue;
		expect(value >= last_value && part > last_part, "goes back at %s", line);
		expect(part < 0.01 || fabs(value / (50000 * part) - 1) < 0.02, "%g %% is not %g", part * 100, value);
		last_value = value;
		last_part = part;
		rows++;
	}
	if (f)
		fclose(f);
	expect(rows > 50 && last_part == 1 && last_value == 50000, "ends at %g with %g", last_part, last_value);
	write_file(in_scratch("mine"), "precious");
	expect(!histprint_hdr(&h, in_scratch("mine")) && errno == EEXIST && file_is(in_scratch("mine"), "precious"), "overwrites");
}

static void rocksdb_histogram(void)
{
	char *text = NULL;
	size_t size;
	unsigned long long in, seen = 0;
	FILE *f = open_memstream(&text, &size);

	histprint_rocksdb(&h, "read", f);
	fclose(f);
	expect(strstr(text, "Microseconds per read:\nCount: 100000 Average: 25.0003  StdDev: 14."), "%.90s", text);
	expect(strstr(text, "Percentiles: P50: 25.") && strstr(text, " P99.99: 50."), "%.300s", text);
	for (char *line = text; (line = strstr(line, "\n( ")); line++) {
		if (sscanf(line, " ( %*f, %*f ] %llu", &in) == 1)
			seen += in;
	}
	expect(seen == 100000, "the buckets hold %llu", seen);
	free(text);
}

/* ---- guard and library ---- */

static uint64_t no_progress(void)
{
	return 0;
}

/* How a child ends that does `act`; patience in seconds. */
static enum guard_end end_of(void (*act)(void), double patience, int *how)
{
	enum guard_end end;

	fflush(stdout);
	end = guard_run(no_progress, patience, how);
	if (end == GUARD_CHILD) {
		act();
		_exit(7);
	}
	return end;
}

static void do_nothing(void)
{
}

static void do_abort(void)
{
	signal(SIGABRT, SIG_DFL);
	abort();
}

static void do_wait(void)
{
	sleep(60);
}

/* More than the patience below, and never quiet. */
static void do_work(void)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while (now.tv_sec - start.tv_sec < 4);
}

static void guard_tells(void)
{
	int *shared = guard_memory(sizeof *shared), how;

	expect(shared && !*shared, "shared memory is not zero");
	expect(end_of(do_nothing, 0, &how) == GUARD_EXITED && how == 7, "exit status %d", how);
	expect(end_of(do_abort, 0, &how) == GUARD_KILLED && how == SIGABRT, "signal %d", how);
	expect(strstr(guard_likely_cause(GUARD_KILLED, SIGABRT, NULL), "assertion"), "no likely cause");
}

static void guard_notices_hang(void)
{
	int how;

	expect(end_of(do_wait, 1, &how) == GUARD_HUNG, "a child that waits does not hang");
	expect(end_of(do_work, 2, &how) == GUARD_EXITED && how == 7, "a child that works hangs");
}

static void library_looked_into(void)
{
	struct library none = library_find("no_such_function"), libc = library_find("qsort");
	char text[600];

	expect(!*none.path && !none.known, "found %s", none.path);
	expect(!library_describe(&none, true, text, sizeof text), "%s", text);
	libc.known = libc.assertions = true;
	libc.crc32c = false;
	expect(library_describe(&libc, true, text, sizeof text) && strstr(text, "assertions") &&
	       strstr(text, "CRC-32C") && strstr(text, "unfit"), "%s", text);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

int main(void)
{
	if (!mkdtemp(scratch_directory))
		return 1;
	run("hist: a value is reported within 1 % from 1 ns to 1 h", hist_error);
	run("hist: small values are exact", hist_small_exact);
	run("hist: buckets hold their values and stand in order", hist_buckets_contiguous);
	run("hist: a quantile names the slow ones", hist_quantiles);
	run("hist: mean, deviation, maximum, merging and units are right", hist_moments);
	run("clock: agrees with the kernel's, and a falsified one does not", clock_agrees);
	run("clock: ten years do not overflow", clock_is_wide);
	run("random: known vectors", random_vectors);
	run("random: streams of threads, seeds and names are apart", random_streams_apart);
	run("random: 4096 streams lie far from each other", random_jump_spread);
	run("random: draws are uniform", random_uniform);
	run("random: a permutation is one", permutation_is_one);
	run("record: keys are zero-padded decimals", keys_are_decimal);
	run("record: native keys", keys_native);
	run("record: values pass their own check and no other's", values_check);
	run("record: any wrong byte is noticed", values_notice);
	run("record: values compress to the ratio and repeat nothing", values_compress);
	run("record: a fold notices bytes and order and reads no more", fold_notices);
	run("option: what is taken", options_taken);
	run("option: what is refused, and how", options_refused);
	run("option: help and manual have each row once", options_printed);
	run("usage: doubts what cannot be", usage_doubts);
	run("flush: each kind is counted and done", flushes_counted);
	run("flush: writes to files opened with O_DSYNC, and to no others", dsync_writes_counted);
	run("guard: a child's end is told", guard_tells);
	run("guard: a child that hangs is ended, one that works is not", guard_notices_hang);
	run("library: finds the file and looks into it", library_looked_into);
	run("store: facts are kept, and one process at a time", store_keeps_facts);
	run("store: nothing foreign is deleted", store_deletes_nothing_foreign);
	run("store: bad paths are refused", store_refuses_paths);
	run("result: rows survive any text, unknown is empty", results_written);
	run("histprint: percentile file", percentile_file);
	run("histprint: RocksDB's form", rocksdb_histogram);
	printf("1..%d\n", tests);
	nftw(scratch_directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return failures > 0;
}
