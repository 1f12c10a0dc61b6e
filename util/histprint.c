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
