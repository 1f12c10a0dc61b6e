/* histprint.c: see histprint.h. */
#include "histprint.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define RULE "------------------------------------------------------"
#define HDR_HEADER "       Value     Percentile TotalCount 1/(1-Percentile)\n"

static double us(double ns)
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
	uint64_t seen = 0;

	if (!s.count)
		return;
	fprintf(to, "Microseconds per %s:\nCount: %llu Average: %.4f  StdDev: %.2f\n",
		kind, (unsigned long long)s.count, us(s.mean), us(s.stddev));
	fprintf(to, "Min: %.3f  Median: %.4f  Max: %.3f\nPercentiles:", us(s.min),
		us(hist_quantile(h, 500000)), us(s.max));
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		fprintf(to, " %s: %.2f", shown[i].name,
			us(hist_quantile(h, shown[i].parts)));
	fputs("\n" RULE "\n", to);
	for (size_t i = 0; i < HIST_BUCKETS; i += step) {
		uint64_t in = 0;

		for (size_t j = i; j < i + step; j++)
			in += h->count[j];
		if (!in)
			continue;
		seen += in;
		double share = (double)in / (double)s.count;

		fprintf(to, "( %7.3f, %7.3f ] %8llu %7.3f%% %7.3f%% %.*s\n",
			us(hist_lowest(i) * h->unit),
			us((hist_highest(i + step - 1) + 1) * h->unit),
			(unsigned long long)in, 100 * share,
			100 * (double)seen / (double)s.count, (int)(20 * share + 0.5),
			"####################");
	}
	fputc('\n', to);
	fflush(to);
}

/*
 * May this path be written: absent, empty, no regular file, or a percentile file of an
 * earlier run?
 */
static bool replaceable(const char *path)
{
	char line[sizeof HDR_HEADER] = "";
	struct stat st;
	FILE *f;

	/*
	 * what a pipe or a terminal has to be read is not for us, and may be long in
	 * coming
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
	double tick = 0, seen = 0;

	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		if (!h->count[i])
			continue;
		seen += (double)h->count[i];
		double value = fmin(hist_highest(i), (double)h->max) * h->unit;

		while (tick <= seen / total && 1 / (1 - tick) <= total) {
			fprintf(to, "%12.3f %2.12f %10.0f %14.2f\n", value, tick, seen,
				1 / (1 - tick));
			/* five steps to each halving of what remains */
			tick += 1 / (5 * exp2(floor(log2(1 / (1 - tick))) + 1));
		}
	}
	fprintf(to, "%12.3f %2.12f %10.0f\n", (double)h->max * h->unit, 1.0, seen);
}

bool histprint_hdr(const struct hist *h, const char *path)
{
	struct hist_summary s = hist_summarize(h);
	FILE *f;

	if (!replaceable(path)) {
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
