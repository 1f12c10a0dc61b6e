/*
 * hdrmerge.c: the histograms of several clients as one. It adds counts, as a percentile
 * of all calls is no mean of percentiles of some, and says how far apart the clients
 * began and ended. Reads HdrHistogram's logs, our own (--hdr_log) and others'. --help has
 * the form of what it prints.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "../util/hdrlog.h"
#include "../util/option.h"
#include "../util/say.h"

static const char *hdr_log;
static bool help;

static const struct option options[] = {
	{"hdr_log", "", "Append the merged histograms to this log, too.",
	 .text = &hdr_log},
	{"help", "0", "This.", .flag = &help},
	{.name = NULL},
};

static const char usage[] =
	"usage: build/hdrmerge [--hdr_log=FILE] LOG ...\n"
	"\n"
	"Merges the histograms of HdrHistogram's logs, tag by tag, and prints a line for "
	"each tag, of\n"
	"columns with tabs between them and a header:\n"
	"\n"
	"  tag, clients (lines of the logs), count, ops_per_sec (count from the first "
	"start to the\n"
	"  last end), mean_ns, p50_ns ... p9999_ns, max_ns, began (seconds since the "
	"epoch),\n"
	"  starts_apart_s, ends_apart_s (from the first to the last), together_percent "
	"(of the time\n"
	"  from the first start to the last end in which all were at work), seconds "
	"(that time)\n"
	"\n";

/* All lines with a tag. */
struct merged {
	char tag[HDRLOG_TAG];
	uint64_t *counts, clients;
	double first_start, last_start, first_end, last_end;
};

static struct merged *all;
static size_t merged_count;

static struct merged *merged_of(const char *tag, double start, double end)
{
	for (size_t i = 0; i < merged_count; i++)
		if (!strcmp(all[i].tag, tag))
			return &all[i];
	all = realloc(all, (merged_count + 1) * sizeof *all);
	if (!all)
		die(1, "out of memory");
	all[merged_count] = (struct merged){
		.counts = say_alloc(HDRLOG_COUNTS, sizeof(uint64_t)),
		.first_start = start,
		.last_start = start,
		.first_end = end,
		.last_end = end,
	};
	snprintf(all[merged_count].tag, sizeof all[merged_count].tag, "%s", tag);
	return &all[merged_count++];
}

/* Where a line of a log is, for what is said of it. */
struct place {
	const char *file;
	unsigned line;
};

static uint64_t number(const unsigned char *at, int n)
{
	uint64_t value = 0;

	for (int i = 0; i < n; i++)
		value = value << 8 | at[i];
	return value;
}

static size_t from_base64(const char *text, unsigned char *to, const struct place *place)
{
	size_t size = 0, n = 0;
	uint32_t held = 0;

	for (; *text && *text != '='; text++) {
		int c = *text, digit = c >= 'A' && c <= 'Z'   ? c - 'A'
				       : c >= 'a' && c <= 'z' ? c - 'a' + 26
				       : c >= '0' && c <= '9' ? c - '0' + 52
				       : c == '+'             ? 62
				       : c == '/'             ? 63
							      : -1;

		if (digit < 0)
			die(1, "%s:%u: a histogram is not in base 64", place->file,
			    place->line);
		held = held << 6 | (uint32_t)digit;
		if (++n % 4 == 1)
			continue;
		to[size++] = (unsigned char)(held >> (6 - 2 * ((n - 1) % 4)) & 255);
	}
	return size;
}

/*
 * What each count of a payload stands for; digits and the least value may be others than
 * ours.
 */
struct scale {
	int unit_bits, half_bits;
};

static uint64_t middle_of(const struct scale *s, uint64_t index)
{
	uint64_t bucket = index >> s->half_bits;
	uint64_t shift = bucket < 2 ? 0 : bucket - 1;
	uint64_t step = (uint64_t)1 << (shift + (uint64_t)s->unit_bits);

	return (index - (shift << s->half_bits)) * step + (step == 1 ? 0 : step / 2);
}

static void add_counts(const unsigned char *at, size_t size, const struct scale *s,
		       uint64_t *counts, const struct place *place)
{
	uint64_t index = 0;

	for (size_t i = 0; i < size;) {
		uint64_t raw = 0;

		for (int byte = 0; i < size; byte++) {
			raw |= (uint64_t)(at[i] & (byte == 8 ? 255 : 127)) << (7 * byte);
			if (at[i++] < 128 || byte == 8)
				break;
		}
		if (raw & 1) {
			index += (raw >> 1) + 1;
		} else {
			uint64_t value;

			if (index >> s->half_bits > 60)
				die(1,
				    "%s:%u: a histogram has more counts than there are "
				    "values",
				    place->file, place->line);
			value = middle_of(s, index++);
			counts[hdrlog_index(value)] += raw >> 1;
		}
	}
}

static void add_payload(const unsigned char *at, size_t size, uint64_t *counts,
			const struct place *place)
{
	uint64_t digits = size < HDRLOG_HEAD ? 0 : number(at + 12, 4),
		 least = size < HDRLOG_HEAD ? 0 : number(at + 16, 8);
	struct scale s;

	if (size < HDRLOG_HEAD || (number(at, 4) & ~0xf0u) != (HDRLOG_COOKIE & ~0xf0u) ||
	    digits > 5 || !least || number(at + 4, 4) > size - HDRLOG_HEAD)
		die(1, "%s:%u: a histogram is not of HdrHistogram's version 2",
		    place->file, place->line);
	s.unit_bits = (int)floor(log2((double)least));
	s.half_bits = (int)ceil(log2(2 * pow(10, (double)digits))) - 1;
	add_counts(at + HDRLOG_HEAD, number(at + 4, 4), &s, counts, place);
}

/* A compressed histogram in base 64. */
static void add_histogram(const char *text, uint64_t *counts, const struct place *place)
{
	enum { MOST = 4 << 20 };
	unsigned char *packed = say_alloc(strlen(text) + 4, 1),
		      *payload = say_alloc(MOST, 1);
	size_t size = from_base64(text, packed, place);
	uLongf length = MOST;

	if (size < 8 || (number(packed, 4) & ~0xf0u) != (HDRLOG_PACKED & ~0xf0u) ||
	    number(packed + 4, 4) > size - 8)
		die(1, "%s:%u: no compressed histogram of HdrHistogram's version 2",
		    place->file, place->line);
	if (uncompress(payload, &length, packed + 8, number(packed + 4, 4)) != Z_OK)
		die(1, "%s:%u: a histogram cannot be uncompressed", place->file,
		    place->line);
	add_payload(payload, length, counts, place);
	free(packed);
	free(payload);
}

static void add_line(char *line, const struct place *place)
{
	char *tag = "", *save, *start, *length, *longest, *text;
	struct merged *m;
	double from, to;

	if (!strncmp(line, "Tag=", 4)) {
		tag = line + 4;
		line = strchr(line, ',');
		if (!line)
			die(1, "%s:%u: nothing follows its tag", place->file,
			    place->line);
		*line++ = '\0';
	}
	start = strtok_r(line, ",", &save);
	length = strtok_r(NULL, ",", &save);
	longest = strtok_r(NULL, ",", &save);
	text = strtok_r(NULL, ",\r\n", &save);
	if (!start || !length || !longest || !text)
		die(1,
		    "%s:%u: a line has a start, a length, a longest value and a "
		    "histogram",
		    place->file, place->line);
	from = strtod(start, NULL);
	to = from + strtod(length, NULL);
	m = merged_of(tag, from, to);
	m->clients++;
	m->first_start = fmin(m->first_start, from);
	m->last_start = fmax(m->last_start, from);
	m->first_end = fmin(m->first_end, to);
	m->last_end = fmax(m->last_end, to);
	add_histogram(text, m->counts, place);
}

static void add_log(const char *path)
{
	FILE *f = fopen(path, "re");
	struct place place = {.file = path};
	char *line = NULL;
	size_t room = 0;

	if (!f)
		die(2, "cannot read %s: %s", path, strerror(errno));
	while (getline(&line, &room, f) > 0) {
		place.line++;
		if (*line != '#' && *line != '"' && *line != '\n')
			add_line(line, &place);
	}
	free(line);
	fclose(f);
}

/* The value that a share of the counts lies below, as hist_quantile has it. */
static double quantile(const struct merged *m, double count, double share)
{
	double rank = fmin(floor(count * share), count - 1), below = 0;

	for (size_t i = 0; i < HDRLOG_COUNTS; i++) {
		below += (double)m->counts[i];
		if (below > rank)
			return (double)hdrlog_middle(i);
	}
	return NAN;
}

static void print_merged(const struct merged *m)
{
	static const double shares[] = {0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1};
	double count = 0, sum = 0, all_in = m->last_end - m->first_start;
	double together = fmax(m->first_end - m->last_start, 0);

	for (size_t i = 0; i < HDRLOG_COUNTS; i++) {
		count += (double)m->counts[i];
		sum += (double)m->counts[i] * (double)hdrlog_middle(i);
	}
	printf("%s\t%llu\t%.0f\t%.1f\t%.1f", m->tag, (unsigned long long)m->clients,
	       count, all_in > 0 ? count / all_in : 0, count > 0 ? sum / count : 0);
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
		printf("\t%.0f", quantile(m, count, shares[i]));
	printf("\t%.6f\t%.6f\t%.6f\t%.1f\t%.6f\n", m->first_start,
	       m->last_start - m->first_start, m->last_end - m->first_end,
	       all_in > 0 ? 100 * together / all_in : 100, all_in);
}

static void append_merged(void)
{
	FILE *f = fopen(hdr_log, "ae");

	if (!f)
		die(2, "--hdr_log: cannot append to %s: %s", hdr_log, strerror(errno));
	if (!ftell(f))
		fputs(HDRLOG_HEADER "\n", f);
	for (size_t i = 0; i < merged_count; i++) {
		char *line = hdrlog_line(all[i].tag, all[i].first_start,
					 all[i].last_end - all[i].first_start,
					 all[i].counts);

		if (!line)
			die(1, "out of memory");
		fputs(line, f);
		free(line);
	}
	if (fclose(f))
		die(1, "--hdr_log: %s: %s", hdr_log, strerror(errno));
}

int main(int argc, char **argv)
{
	static const struct option *const tables[] = {options, NULL};
	char error[OPTION_ERROR];
	int given = 1;

	say_program("hdrmerge");
	while (given < argc && !strncmp(argv[given], "--", 2))
		given++;
	if (!option_defaults(options, error) || !option_parse(tables, given, argv, error))
		die(2, "%s", error);
	if (help) {
		fputs(usage, stdout);
		option_help(options, stdout);
		return 0;
	}
	if (given == argc)
		die(2, "which logs? usage: hdrmerge LOG ...; see --help");
	for (int i = given; i < argc; i++)
		add_log(argv[i]);
	if (!merged_count)
		die(1, "no histogram in %s%s", argv[given],
		    given + 1 < argc ? " and the others" : "");
	puts("tag\tclients\tcount\tops_per_sec\tmean_ns\tp50_ns\tp90_ns\tp95_ns\t"
	     "p99_ns\tp999_ns\tp9999_ns\tmax_ns\tbegan\tstarts_apart_s\t"
	     "ends_apart_s\ttogether_percent\tseconds");
	for (size_t i = 0; i < merged_count; i++)
		print_merged(&all[i]);
	if (*hdr_log)
		append_merged();
	return 0;
}
