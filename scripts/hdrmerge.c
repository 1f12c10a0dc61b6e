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
#include "../util/message.h"

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
	"  start_skew_s, end_skew_s (from the first to the last), overlap_percent "
	"(of the time\n"
	"  from the first start to the last end in which all were at work), seconds "
	"(that time)\n"
	"\n";

/* All lines with a tag. */
struct merged {
	char tag[HDRLOG_TAG_SIZE];
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
		message_fatal(1, "out of memory");
	all[merged_count] = (struct merged){
		.counts = message_alloc(HDRLOG_COUNTS, sizeof(uint64_t)),
		.first_start = start,
		.last_start = start,
		.first_end = end,
		.last_end = end,
	};
	snprintf(all[merged_count].tag, sizeof all[merged_count].tag, "%s", tag);
	return &all[merged_count++];
}

/* Where a line of a log is, for what is said of it. */
struct log_position {
	const char *file;
	unsigned line;
};

static uint64_t read_big_endian_number(const unsigned char *at, int n)
{
	uint64_t value = 0;

	for (int i = 0; i < n; i++)
		value = value << 8 | at[i];
	return value;
}

static size_t decode_base64(const char *text, unsigned char *to,
			    const struct log_position *position)
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
			message_fatal(1, "%s:%u: a histogram is not in base 64",
				      position->file, position->line);
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
		       uint64_t *counts, const struct log_position *position)
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
				message_fatal(
					1,
					"%s:%u: a histogram has more counts than there "
					"are values",
					position->file, position->line);
			value = middle_of(s, index++);
			counts[hdrlog_index(value)] += raw >> 1;
		}
	}
}

static void add_payload(const unsigned char *at, size_t size, uint64_t *counts,
			const struct log_position *position)
{
	uint64_t digits = size < HDRLOG_HEADER_SIZE ? 0
						    : read_big_endian_number(at + 12, 4),
		 least = size < HDRLOG_HEADER_SIZE ? 0
						   : read_big_endian_number(at + 16, 8);
	struct scale s;

	if (size < HDRLOG_HEADER_SIZE ||
	    (read_big_endian_number(at, 4) & ~0xf0u) != (HDRLOG_COOKIE & ~0xf0u) ||
	    digits > 5 || !least ||
	    read_big_endian_number(at + 4, 4) > size - HDRLOG_HEADER_SIZE)
		message_fatal(1, "%s:%u: a histogram is not of HdrHistogram's version 2",
			      position->file, position->line);
	s.unit_bits = (int)floor(log2((double)least));
	s.half_bits = (int)ceil(log2(2 * pow(10, (double)digits))) - 1;
	add_counts(at + HDRLOG_HEADER_SIZE, read_big_endian_number(at + 4, 4), &s, counts,
		   position);
}

/* A compressed histogram in base 64. */
static void add_histogram(const char *text, uint64_t *counts,
			  const struct log_position *position)
{
	enum { MOST = 4 << 20 };
	unsigned char *packed = message_alloc(strlen(text) + 4, 1),
		      *payload = message_alloc(MOST, 1);
	size_t size = decode_base64(text, packed, position);
	uLongf length = MOST;

	if (size < 8 ||
	    (read_big_endian_number(packed, 4) & ~0xf0u) !=
		    (HDRLOG_COMPRESSED_COOKIE & ~0xf0u) ||
	    read_big_endian_number(packed + 4, 4) > size - 8)
		message_fatal(
			1, "%s:%u: no compressed histogram of HdrHistogram's version 2",
			position->file, position->line);
	if (uncompress(payload, &length, packed + 8,
		       read_big_endian_number(packed + 4, 4)) != Z_OK)
		message_fatal(1, "%s:%u: a histogram cannot be uncompressed",
			      position->file, position->line);
	add_payload(payload, length, counts, position);
	free(packed);
	free(payload);
}

static void add_line(char *line, const struct log_position *position)
{
	char *tag = "", *save, *start, *length, *longest, *text;
	struct merged *m;
	double from, to;

	if (!strncmp(line, "Tag=", 4)) {
		tag = line + 4;
		line = strchr(line, ',');
		if (!line)
			message_fatal(1, "%s:%u: nothing follows its tag", position->file,
				      position->line);
		*line++ = '\0';
	}
	start = strtok_r(line, ",", &save);
	length = strtok_r(NULL, ",", &save);
	longest = strtok_r(NULL, ",", &save);
	text = strtok_r(NULL, ",\r\n", &save);
	if (!start || !length || !longest || !text)
		message_fatal(
			1,
			"%s:%u: a line has a start, a length, a longest value and a "
			"histogram",
			position->file, position->line);
	from = strtod(start, NULL);
	to = from + strtod(length, NULL);
	m = merged_of(tag, from, to);
	m->clients++;
	m->first_start = fmin(m->first_start, from);
	m->last_start = fmax(m->last_start, from);
	m->first_end = fmin(m->first_end, to);
	m->last_end = fmax(m->last_end, to);
	add_histogram(text, m->counts, position);
}

static void add_log(const char *path)
{
	FILE *f = fopen(path, "re");
	struct log_position position = {.file = path};
	char *line = NULL;
	size_t allocated = 0;

	if (!f)
		message_fatal(2, "cannot read %s: %s", path, strerror(errno));
	while (getline(&line, &allocated, f) > 0) {
		position.line++;
		if (*line != '#' && *line != '"' && *line != '\n')
			add_line(line, &position);
	}
	free(line);
	fclose(f);
}

static void print_merged(const struct merged *m)
{
	static const uint32_t parts[] = {500000, 900000, 950000, 990000,
					 999000, 999900, 1000000};
	uint64_t count = 0;
	double sum = 0, all_in = m->last_end - m->first_start;
	double together = fmax(m->first_end - m->last_start, 0);

	for (size_t i = 0; i < HDRLOG_COUNTS; i++) {
		count += m->counts[i];
		sum += (double)m->counts[i] * (double)hdrlog_midpoint(i);
	}
	printf("%s\t%llu\t%llu\t%.1f\t%.1f", m->tag, (unsigned long long)m->clients,
	       (unsigned long long)count, all_in > 0 ? (double)count / all_in : 0,
	       count ? sum / (double)count : 0);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		printf("\t%.0f", (double)hdrlog_midpoint(hist_find(
					 m->counts, HDRLOG_COUNTS, parts[i])));
	printf("\t%.6f\t%.6f\t%.6f\t%.1f\t%.6f\n", m->first_start,
	       m->last_start - m->first_start, m->last_end - m->first_end,
	       all_in > 0 ? 100 * together / all_in : 100, all_in);
}

static void append_merged(void)
{
	FILE *f = fopen(hdr_log, "ae");

	if (!f)
		message_fatal(2, "--hdr_log: cannot append to %s: %s", hdr_log,
			      strerror(errno));
	if (!ftell(f))
		fputs(HDRLOG_HEADER "\n", f);
	for (size_t i = 0; i < merged_count; i++) {
		char *line = hdrlog_line(all[i].tag, all[i].first_start,
					 all[i].last_end - all[i].first_start,
					 all[i].counts);

		if (!line)
			message_fatal(1, "out of memory");
		fputs(line, f);
		free(line);
	}
	if (fclose(f))
		message_fatal(1, "--hdr_log: %s: %s", hdr_log, strerror(errno));
}

int main(int argc, char **argv)
{
	static const struct option *const tables[] = {options, NULL};
	char error[OPTION_ERROR_SIZE];
	int given = 1;

	message_set_program("hdrmerge");
	while (given < argc && !strncmp(argv[given], "--", 2))
		given++;
	if (!option_set_defaults(options, error) ||
	    !option_parse(tables, given, argv, error))
		message_fatal(2, "%s", error);
	if (help) {
		fputs(usage, stdout);
		option_print_help(options, stdout);
		return 0;
	}
	if (given == argc)
		message_fatal(2, "which logs? usage: hdrmerge LOG ...; see --help");
	for (int i = given; i < argc; i++)
		add_log(argv[i]);
	if (!merged_count)
		message_fatal(1, "no histogram in %s%s", argv[given],
			      given + 1 < argc ? " and the others" : "");
	puts("tag\tclients\tcount\tops_per_sec\tmean_ns\tp50_ns\tp90_ns\tp95_ns\t"
	     "p99_ns\tp999_ns\tp9999_ns\tmax_ns\tbegan\tstart_skew_s\t"
	     "end_skew_s\toverlap_percent\tseconds");
	for (size_t i = 0; i < merged_count; i++)
		print_merged(&all[i]);
	if (*hdr_log)
		append_merged();
	return 0;
}
