/* histprint.c: see histprint.h. */
#include "histprint.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define RULE "------------------------------------------------------"
#define HDR_HEADER "       Value     Percentile TotalCount 1/(1-Percentile)\n"

static double to_us(double ns)
{
	return ns / 1000;
}

void histprint_rocksdb(const struct hist *h, const char *kind, FILE *to)
{
	static const struct {
		const char *name;
		uint32_t parts;
	} shown[] = {{"P50", 500000},
		     {"P75", 750000},
		     {"P99", 990000},
		     {"P99.9", 999000},
		     {"P99.99", 999900}};
	struct hist_summary s = hist_summarize(h);
	size_t step = (size_t)1 << (HIST_BITS - 2);
	uint64_t cumulative = 0;

	if (!s.count)
		return;
	fprintf(to, "Microseconds per %s:\nCount: %llu Average: %.4f  StdDev: %.2f\n",
		kind, (unsigned long long)s.count, to_us(s.mean), to_us(s.stddev));
	fprintf(to, "Min: %.3f  Median: %.4f  Max: %.3f\nPercentiles:", to_us(s.min),
		to_us(hist_quantile(h, 500000)), to_us(s.max));
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		fprintf(to, " %s: %.2f", shown[i].name,
			to_us(hist_quantile(h, shown[i].parts)));
	fputs("\n" RULE "\n", to);
	for (size_t i = 0; i < HIST_BUCKETS; i += step) {
		uint64_t in = 0;

		for (size_t j = i; j < i + step; j++)
			in += h->count[j];
		if (!in)
			continue;
		cumulative += in;
		double fraction = (double)in / (double)s.count;

		fprintf(to, "( %7.3f, %7.3f ] %8llu %7.3f%% %7.3f%% %.*s\n",
			to_us(hist_lowest(i) * h->unit),
			to_us((hist_highest(i + step - 1) + 1) * h->unit),
			(unsigned long long)in, 100 * fraction,
			100 * (double)cumulative / (double)s.count,
			(int)(20 * fraction + 0.5), "####################");
	}
	fputc('\n', to);
	fflush(to);
}

/* The upper limit of the bucket above one that ends here: two digits, about 1.5 times. */
static double next_limit_of_rocksdb(double *exact)
{
	double limit, unit = 1;

	*exact = *exact < 2 ? *exact + 1 : *exact * 1.5;
	limit = floor(*exact);
	while (floor(limit / 10) > 10) {
		limit = floor(limit / 10);
		unit *= 10;
	}
	return limit * unit;
}

/* Steps of 1 up to 10; then, in each power of ten, of 2 to 20, of 5 to 50 and of 10. */
static double next_limit_of_leveldb(double *exact)
{
	double power = pow(10, fmax(0, floor(log10(fmax(*exact, 1)) + 1e-9))),
	       digits = *exact / power;

	return *exact += *exact < 10     ? 1
			 : digits < 1.99 ? power / 5
			 : digits < 4.99 ? power / 2
					 : power;
}

enum { DB_BENCH_BUCKETS = 160 };

/* Of times each of which has `between` ns more than is recorded. */
static struct hist_summary summarize_from_end_to_end(const struct hist *h, double between)
{
	struct hist_summary s = hist_summarize(h);

	s.min += between;
	s.mean += between;
	s.max += between;
	return s;
}

/*
 * What db_bench's clock of whole microseconds makes of the values: one of 1.7 us is 2 in
 * seven of ten cases, else 1.
 */
struct whole_micros {
	bool leveldb;
	double count[DB_BENCH_BUCKETS], limit[DB_BENCH_BUCKETS], min, max;
};

/* A limit belongs to the bucket below it in RocksDB, above it in LevelDB. */
static void add_whole_micros(struct whole_micros *w, double value, double count)
{
	size_t i = 0;

	while (i + 1 < DB_BENCH_BUCKETS &&
	       (w->leveldb ? w->limit[i] <= value : w->limit[i] < value))
		i++;
	w->count[i] += count;
}

static struct whole_micros count_whole_micros(const struct hist *h, double between,
					      bool leveldb)
{
	struct hist_summary s = summarize_from_end_to_end(h, between);
	struct whole_micros w = {.leveldb = leveldb,
				 .min = floor(to_us(s.min)),
				 .max = ceil(to_us(s.max))};
	double exact = 0;

	for (size_t i = 0; i < DB_BENCH_BUCKETS; i++)
		w.limit[i] = leveldb ? next_limit_of_leveldb(&exact)
				     : next_limit_of_rocksdb(&exact);
	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		if (!h->count[i])
			continue;
		double middle = (hist_lowest(i) + hist_highest(i)) / 2 * h->unit;
		double us = to_us(fmax(s.min, fmin(middle + between, s.max)));
		double above = us - floor(us), count = (double)h->count[i];

		add_whole_micros(&w, floor(us), count * (1 - above));
		add_whole_micros(&w, floor(us) + 1, count * above);
	}
	return w;
}

/* As db_bench computes it: between the limits of the bucket, in proportion. */
static double whole_micros_quantile(const struct whole_micros *w, double fraction)
{
	double rest = 0, low = 0;

	for (size_t i = 0; i < DB_BENCH_BUCKETS; i++)
		rest += w->count[i] * fraction;
	for (size_t i = 0; i < DB_BENCH_BUCKETS; low = w->limit[i++]) {
		if (w->count[i] >= rest && rest > 0) {
			double value = low + (w->limit[i] - low) * rest / w->count[i];

			return fmax(w->min, fmin(value, w->max));
		}
		rest -= w->count[i];
	}
	return w->max;
}

static void print_db_bench_head(const struct hist_summary *s, const char *kind,
				const struct whole_micros *w, FILE *to)
{
	double median = whole_micros_quantile(w, 0.5);

	if (w->leveldb) {
		fprintf(to,
			"Microseconds per op:\nCount: %llu  Average: %.4f  StdDev: %.2f\n"
			"Min: %.4f  Median: %.4f  Max: %.4f\n" RULE "\n",
			(unsigned long long)s->count, to_us(s->mean), to_us(s->stddev),
			w->min, median, w->max);
		return;
	}
	fprintf(to,
		"Microseconds per %s:\nCount: %llu Average: %.4f  StdDev: %.2f\n"
		"Min: %.0f  Median: %.4f  Max: %.0f\n"
		"Percentiles: P50: %.2f P75: %.2f P99: %.2f P99.9: %.2f P99.99: "
		"%.2f\n" RULE "\n",
		kind, (unsigned long long)s->count, to_us(s->mean), to_us(s->stddev),
		w->min, median, w->max, median, whole_micros_quantile(w, 0.75),
		whole_micros_quantile(w, 0.99), whole_micros_quantile(w, 0.999),
		whole_micros_quantile(w, 0.9999));
}

void histprint_db_bench(const struct hist *h, double between, const char *kind,
			bool leveldb, FILE *to)
{
	struct hist_summary s = summarize_from_end_to_end(h, between);
	struct whole_micros w = count_whole_micros(h, between, leveldb);
	double cumulative = 0, low = 0;

	print_db_bench_head(&s, kind, &w, to);
	for (size_t i = 0; i < DB_BENCH_BUCKETS; i++) {
		double before = round(cumulative);

		cumulative += w.count[i];
		double in = round(cumulative) - before, fraction = in / (double)s.count;

		if (in > 0)
			fprintf(to,
				leveldb ? "%c %7.0f, %7.0f ) %7.0f %7.3f%% %7.3f%% %.*s\n"
					: "%c %7.0f, %7.0f ] %8.0f %7.3f%% %7.3f%% "
					  "%.*s\n",
				leveldb || !(low > 0) ? '[' : '(', low, w.limit[i], in,
				100 * fraction, 100 * round(cumulative) / (double)s.count,
				(int)(20 * fraction + 0.5), "####################");
		low = w.limit[i];
	}
	fputc('\n', to);
	fflush(to);
}

/*
 * Whether this path may be written: absent, empty, not a regular file, or an earlier
 * run's percentile file.
 */
static bool may_replace(const char *path)
{
	char line[sizeof HDR_HEADER] = "";
	struct stat st;
	FILE *f;

	/*
	 * never read from a pipe or a terminal: its input is not meant for us, and may
	 * never come
	 */
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return errno == ENOENT || !S_ISDIR(st.st_mode);
	f = fopen(path, "re");
	if (!f)
		return errno == ENOENT;
	if (!fgets(line, sizeof line, f))
		line[0] = '\0';
	fclose(f);
	return !line[0] || !strcmp(line, HDR_HEADER);
}

static void print_rows(const struct hist *h, double total, FILE *to)
{
	double tick = 0, cumulative = 0;

	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		if (!h->count[i])
			continue;
		cumulative += (double)h->count[i];
		double value = fmin(hist_highest(i), (double)h->max) * h->unit;

		while (tick <= cumulative / total && 1 / (1 - tick) <= total) {
			fprintf(to, "%12.3f %2.12f %10.0f %14.2f\n", value, tick,
				cumulative, 1 / (1 - tick));
			/* five steps for each halving of the rest */
			tick += 1 / (5 * exp2(floor(log2(1 / (1 - tick))) + 1));
		}
	}
	fprintf(to, "%12.3f %2.12f %10.0f\n", (double)h->max * h->unit, 1.0, cumulative);
}

bool histprint_hdr(const struct hist *h, const char *path)
{
	struct hist_summary s = hist_summarize(h);
	FILE *f;

	if (!may_replace(path)) {
		errno = EEXIST;
		return false;
	}
	f = fopen(path, "we");
	if (!f)
		return false;
	fputs(HDR_HEADER "\n", f);
	if (s.count)
		print_rows(h, (double)s.count, f);
	fprintf(f, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", s.mean, s.stddev);
	fprintf(f, "#[Max     = %12.3f, Total count    = %12llu]\n", s.max,
		(unsigned long long)s.count);
	fprintf(f, "#[Buckets = %12d, SubBuckets     = %12d]\n", 64, 1 << HIST_BITS);
	bool whole = !ferror(f);

	return !fclose(f) && whole;
}
