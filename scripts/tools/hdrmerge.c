/*
 * hdrmerge.c: the histograms of several clients as one. It adds counts, as a percentile
 * of all calls is no mean of percentiles of some, and says how far apart the clients
 * began and ended. Reads HdrHistogram's logs, our own (--hdr_log) and others'. --help has
 * the form of what it prints.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "../../util/hdrlog.h"
#include "../../util/option.h"
#include "../../util/message.h"

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
	"Merges the histograms of HdrHistogram's logs, tag by tag, and prints a line\n"
	"for each tag, of columns with tabs between them and a header:\n"
	"\n"
	"  tag, clients (lines of the logs), count, ops_per_sec (count from the first\n"
	"  start to the last end), mean_ns, p50_ns ... p9999_ns, max_ns, began (seconds\n"
	"  since the epoch), start_skew_s, end_skew_s (from the first to the last),\n"
	"  overlap_percent (of the time from the first start to the last end in which\n"
	"  all were at work), seconds (that time)\n"
	"\n"
	"Payloads of HdrHistogram's versions 0, 1 and 2 are read. Starts are relative\n"
	"to #[BaseTime]; without it to #[StartTime], if they are more than a year\n"
	"before that.\n"
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

static __attribute__((noreturn, format(printf, 2, 3))) void refuse_line(
	const struct log_position *position, const char *format, ...)
{
	char reason[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	message_fatal(1, "%s:%u: %s", position->file, position->line, reason);
}

/*
 * What the header of a log says of the starts of its lines, seconds. As HdrHistogram's
 * reader has it: they are relative to the base time; without one to the start time, if
 * the first is more than a year before that; else they are since the epoch.
 */
struct log_times {
	double start, base; /* NAN: the header does not say */
	bool has_lines;     /* since that header */
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
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t size = 0, n = 0;
	uint32_t held = 0;

	for (; *text && *text != '='; text++) {
		const char *digit = strchr(digits, *text);

		if (!digit)
			refuse_line(position, "a histogram is not in base 64");
		held = held << 6 | (uint32_t)(digit - digits);
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

/* Adds the count of an index of the payload. */
static void add_count(uint64_t index, uint64_t count, const struct scale *s,
		      uint64_t *counts, const struct log_position *position)
{
	uint64_t bucket = index >> s->half_bits;

	if (!count)
		return;
	if (bucket > 63 || (int)bucket + s->half_bits + s->unit_bits > 63)
		refuse_line(position,
			    "a histogram has more counts than there are values");
	counts[hdrlog_index(middle_of(s, index))] += count;
}

/* Version 2: counts in LEB128 with the sign in the lowest bit; below 0: so many zeros. */
static void add_leb_counts(const unsigned char *at, size_t size, const struct scale *s,
			   uint64_t *counts, const struct log_position *position)
{
	uint64_t index = 0;

	for (size_t i = 0; i < size;) {
		uint64_t raw = 0;
		bool ended = false;

		for (int byte = 0; i < size && !ended; byte++) {
			raw |= (uint64_t)(at[i] & (byte == 8 ? 255 : 127)) << (7 * byte);
			ended = at[i++] < 128 || byte == 8;
		}
		if (!ended)
			refuse_line(position, "a histogram ends within a count");
		if (raw & 1)
			index += (raw >> 1) + 1;
		else
			add_count(index++, raw >> 1, s, counts, position);
	}
}

/* Versions 0 and 1: counts in words of 2, 4 or 8 bytes. */
static void add_word_counts(const unsigned char *at, size_t size, size_t word,
			    const struct scale *s, uint64_t *counts,
			    const struct log_position *position)
{
	if ((word != 2 && word != 4 && word != 8) || size % word)
		refuse_line(position, "a histogram ends within a count");
	for (size_t i = 0; i < size / word; i++) {
		uint64_t count = read_big_endian_number(at + i * word, (int)word);

		if (count >> (8 * word - 1))
			refuse_line(position, "a histogram has a count below 0");
		add_count(i, count, s, counts, position);
	}
}

/* The payloads of HdrHistogram 1, of 2.0 to 2.1.4, and of those since. */
static const struct payload_version {
	uint32_t cookie, compressed_cookie; /* but for the size of a word, bits 4 to 7 */
	size_t header_size, digits_offset, least_offset;
	bool has_length; /* after the cookie */
	bool is_leb;
} payload_versions[] = {
	{0x1c849308, 0x1c849309, 32, 4, 8, false, false},
	{0x1c849301, 0x1c849302, 40, 12, 16, true, false},
	{HDRLOG_COOKIE & ~0xf0u, HDRLOG_COMPRESSED_COOKIE & ~0xf0u, HDRLOG_HEADER_SIZE,
	 12, 16, true, true},
};

static void add_payload(const struct payload_version *version, const unsigned char *at,
			size_t size, uint64_t *counts,
			const struct log_position *position)
{
	bool good = size >= version->header_size;
	uint64_t cookie = good ? read_big_endian_number(at, 4) : 0,
		 digits = good ? read_big_endian_number(at + version->digits_offset, 4)
			       : 0,
		 least = good ? read_big_endian_number(at + version->least_offset, 8) : 0,
		 length = size - version->header_size;
	struct scale s;

	if (good && version->has_length && read_big_endian_number(at + 4, 4) <= length)
		length = read_big_endian_number(at + 4, 4);
	else
		good = good && !version->has_length;
	if (!good || (cookie & ~0xf0u) != version->cookie || digits > 5 || !least)
		refuse_line(position,
			    "a histogram is cut, or not of HdrHistogram's version %d",
			    (int)(version - payload_versions));
	s.unit_bits = (int)floor(log2((double)least));
	s.half_bits = (int)ceil(log2(2 * pow(10, (double)digits))) - 1;
	at += version->header_size;
	if (version->is_leb)
		add_leb_counts(at, length, &s, counts, position);
	else
		add_word_counts(at, length, (cookie >> 4) & 14, &s, counts, position);
}

static const struct payload_version *find_version(const unsigned char *packed,
						  size_t size)
{
	size_t n = sizeof payload_versions / sizeof *payload_versions;
	uint64_t cookie = size < 8 ? 0 : read_big_endian_number(packed, 4) & ~0xf0u;

	for (size_t i = 0; i < n; i++)
		if (cookie == payload_versions[i].compressed_cookie)
			return &payload_versions[i];
	return NULL;
}

/* A compressed histogram in base 64. */
static void add_histogram(const char *text, uint64_t *counts,
			  const struct log_position *position)
{
	/* five digits and all values: 6 million counts in words of eight bytes */
	enum { FIRST = 1 << 20, MOST = 64 << 20 };
	unsigned char *packed = message_alloc(strlen(text) + 4, 1), *payload = NULL;
	size_t size = decode_base64(text, packed, position);
	const struct payload_version *version = find_version(packed, size);
	uLongf length = 0;
	int rc = Z_BUF_ERROR;

	if (!version || read_big_endian_number(packed + 4, 4) > size - 8)
		refuse_line(position,
			    "no compressed histogram of HdrHistogram's versions 0 to 2");
	for (size_t room = FIRST; rc == Z_BUF_ERROR && room <= MOST; room *= 8) {
		free(payload);
		payload = message_alloc(room, 1);
		length = room;
		rc = uncompress(payload, &length, packed + 8,
				read_big_endian_number(packed + 4, 4));
	}
	if (rc != Z_OK)
		refuse_line(position, "a histogram cannot be uncompressed");
	add_payload(version, payload, length, counts, position);
	free(packed);
	free(payload);
}

/* Reads a number that nothing follows; false if it is none, or below 0. */
static bool parse_seconds(const char *text, double *seconds)
{
	char *end;

	*seconds = strtod(text, &end);
	return *text && !text[strspn(text, "0123456789.eE+-")] && !*end &&
	       isfinite(*seconds) && *seconds >= 0;
}

/* Cuts the text before the next comma off *rest; NULL: there is none. */
static char *next_field(char **rest)
{
	char *field = *rest, *comma = strchr(field, ',');

	if (!comma)
		return NULL;
	*comma = '\0';
	*rest = comma + 1;
	return field;
}

/* The start of a line, since the epoch. */
static double absolute_start(struct log_times *times, double start)
{
	const double year = 365 * 24 * 3600.0;

	if (isnan(times->base))
		times->base = start < times->start - year ? times->start : 0;
	times->has_lines = true;
	return times->base + start;
}

static void add_line(char *line, struct log_times *times,
		     const struct log_position *position)
{
	static const char *const names[] = {"start", "length", "longest value"};
	char *tag = "";
	double numbers[3], from, to;
	struct merged *m;

	if (!strncmp(line, "Tag=", 4)) {
		tag = next_field(&line);
		if (!tag)
			refuse_line(position, "nothing follows its tag");
		tag += 4;
	}
	for (int i = 0; i < 3; i++) {
		const char *field = next_field(&line);

		if (!field)
			refuse_line(position, "a line has a start, a length, a longest "
					      "value and a histogram");
		if (!parse_seconds(field, &numbers[i]))
			refuse_line(position, "its %s is not a number from 0: '%.40s'",
				    names[i], field);
	}
	from = absolute_start(times, numbers[0]);
	to = from + numbers[1];
	m = merged_of(tag, from, to);
	m->clients++;
	m->first_start = fmin(m->first_start, from);
	m->last_start = fmax(m->last_start, from);
	m->first_end = fmin(m->first_end, to);
	m->last_end = fmax(m->last_end, to);
	add_histogram(line, m->counts, position);
}

/* Takes #[StartTime: X ...] and #[BaseTime: X ...]; a header after lines is a new one. */
static void add_comment(const char *line, struct log_times *times,
			const struct log_position *position)
{
	static const char *const names[] = {"#[StartTime:", "#[BaseTime:"};

	for (int i = 0; i < 2; i++) {
		size_t size = strlen(names[i]);
		char number[32];
		double seconds;

		if (strncmp(line, names[i], size))
			continue;
		line += size + strspn(line + size, " ");
		snprintf(number, sizeof number, "%.*s", (int)strcspn(line, " ,]"), line);
		if (!parse_seconds(number, &seconds))
			refuse_line(position, "its %s is not a number from 0: '%s'",
				    i ? "BaseTime" : "StartTime", number);
		if (times->has_lines)
			*times = (struct log_times){NAN, NAN, false};
		*(i ? &times->base : &times->start) = seconds;
		return;
	}
}

static void add_log(const char *path)
{
	FILE *f = fopen(path, "re");
	struct log_position position = {.file = path};
	struct log_times times = {NAN, NAN, false};
	char *line = NULL;
	size_t allocated = 0, histograms = 0;

	if (!f)
		message_fatal(2, "cannot read %s: %s", path, strerror(errno));
	while (getline(&line, &allocated, f) > 0) {
		position.line++;
		if (!strchr(line, '\n'))
			refuse_line(&position,
				    "the last line has no end, as if the log were cut; "
				    "if it is whole, end it with a newline");
		line[strcspn(line, "\r\n")] = '\0';
		if (*line == '#') {
			add_comment(line, &times, &position);
		} else if (*line && *line != '"') {
			add_line(line, &times, &position);
			histograms++;
		}
	}
	if (ferror(f))
		message_fatal(2, "cannot read %s: %s", path, strerror(errno));
	if (!histograms)
		message_fatal(1, "no histogram in %s", path);
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
		printf("\t%.0f", (double)hdrlog_midpoint(
					 hist_find(m->counts, HDRLOG_COUNTS, parts[i])));
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
		char *line =
			hdrlog_line(all[i].tag, all[i].first_start,
				    all[i].last_end - all[i].first_start, all[i].counts);

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
	int given;

	message_set_program("hdrmerge");
	given = option_parse_tool(options, &help, usage, true, argc, argv);
	if (given == argc)
		message_fatal(2, "which logs? usage: hdrmerge LOG ...; see --help");
	for (int i = given; i < argc; i++)
		add_log(argv[i]);
	puts("tag\tclients\tcount\tops_per_sec\tmean_ns\tp50_ns\tp90_ns\tp95_ns\t"
	     "p99_ns\tp999_ns\tp9999_ns\tmax_ns\tbegan\tstart_skew_s\t"
	     "end_skew_s\toverlap_percent\tseconds");
	for (size_t i = 0; i < merged_count; i++)
		print_merged(&all[i]);
	if (*hdr_log)
		append_merged();
	return 0;
}
