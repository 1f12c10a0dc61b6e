/*
 * stats.c: samples of figures from standard input, and on standard output what they come
 * to: the program by which the scripts do their statistics, so that all have the same.
 * --help has the form of its lines; util/stats.h what they mean.
 */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/option.h"
#include "../../util/message.h"
#include "../../util/stats.h"

static uint64_t draws, seed;
static bool help;

static const struct option options[] = {
	{"draws", "2000", "Samples drawn by the bootstrap; 0: no intervals of ratios.",
	 .count = &draws, .max = 100000000},
	{"seed", "1", "Of the random numbers of the bootstrap.", .count = &seed},
	{"help", "0", "This.", .flag = &help},
	{.name = NULL},
};

static const char usage[] =
	"usage: build/stats [option ...] <SAMPLES\n"
	"\n"
	"A line of SAMPLES is a name, a tab and figures with blanks between them: a\n"
	"sample; or two samples with a tab between them. Prints a line for each, of\n"
	"columns with tabs between them, empty where something is not known:\n"
	"\n"
	"  1 name   2 n   3 median   4 mean   5, 6 95 % interval by Student's t   7 CV\n"
	"    (of figures above 0 that of the geometric mean, on the logarithms; else\n"
	"    that of the mean, and not below 0 unless a figure is)\n"
	"\n"
	"and of two samples\n"
	"\n"
	"  8 to 13: 2 to 7 of the second\n"
	"  14 ratio of the medians, second / first\n"
	"  15, 16 its 95 % interval by the bootstrap\n"
	"  17 p of Mann and Whitney's test, two-sided   18 exact or normal\n"
	"  19 the least p that so many figures can have\n"
	"  20 the least difference of means, as a fraction of the first, that this test\n"
	"     shows with a power of 80 %   21 the same of Student's t test\n"
	"  22 p corrected by Holm's method for all lines\n"
	"  23 difference of the means, second - first\n"
	"  24, 25 its 95 % interval by Welch's t\n"
	"  26 p of Welch's test, two-sided\n"
	"  27 corrected by Holm's method for all lines\n"
	"  28 the same by Benjamini and Hochberg's, which lets 5 % of those below 0.05\n"
	"     be false\n"
	"\n";

struct thread_sample {
	double *values;
	struct stats_sample statistics;
};

/* A line of the input; the second sample is empty if there is none. */
struct line {
	char *name; /* the line itself, which ends there */
	struct thread_sample first, second;
	double p, p_holm;
	struct stats_difference difference;
	double welch_holm, welch_bh;
};

/* The figures of a text with blanks between them. */
static struct thread_sample read_sample(const char *text, size_t number)
{
	struct thread_sample s = {
		.values = message_alloc(strlen(text) / 2 + 1, sizeof *s.values)};
	size_t n = 0;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		size_t length = strcspn(text, " ");
		char *end;

		s.values[n] = strtod(text, &end);
		if (end != text + length || !isfinite(s.values[n]))
			message_fatal(1, "line %zu: '%.*s' is no figure", number,
				      (int)(length < 40 ? length : 40), text);
		n++;
		text = end;
	}
	stats_sort(s.values, n);
	s.statistics = stats_describe(s.values, n);
	return s;
}

static struct line read_line(char *text, size_t number)
{
	char *first = strchr(text, '\t');
	char *second = first ? strchr(first + 1, '\t') : NULL;
	struct line line = {.name = text, .p = NAN, .difference.p = NAN};

	if (!first)
		message_fatal(1, "line %zu has no tab after a name; see --help", number);
	if (second)
		*second++ = '\0';
	*first++ = '\0';
	line.first = read_sample(first, number);
	line.second = read_sample(second ? second : "", number);
	if (line.first.statistics.n && line.second.statistics.n) {
		line.difference =
			stats_welch(&line.first.statistics, &line.second.statistics);
		line.p = stats_mann_whitney(line.first.values, line.first.statistics.n,
					    line.second.values, line.second.statistics.n);
	}
	return line;
}

/* A column; what is not known is empty. */
static void print_value(const char *format, double value)
{
	putchar('\t');
	if (isfinite(value))
		printf(format, value);
}

static void print_sample(const struct stats_sample *s)
{
	printf("\t%zu", s->n);
	print_value("%.10g", s->median);
	print_value("%.10g", s->mean);
	print_value("%.10g", s->low);
	print_value("%.10g", s->high);
	print_value("%.6g", s->cv);
}

static void print_difference(const struct line *line)
{
	print_value("%.10g", line->difference.difference);
	print_value("%.10g", line->difference.low);
	print_value("%.10g", line->difference.high);
	print_value("%.16g", line->difference.p);
	print_value("%.16g", line->welch_holm);
	print_value("%.16g", line->welch_bh);
}

static void print_line_result(const struct line *line)
{
	size_t n = line->first.statistics.n, m = line->second.statistics.n;
	struct stats_detectable could;
	struct stats_ratio ratio;

	printf("%s", line->name);
	print_sample(&line->first.statistics);
	if (n && m) {
		ratio = stats_ratio(line->first.values, n, line->second.values, m, draws,
				    seed);
		could = stats_detectable(&line->first.statistics,
					 &line->second.statistics);
		print_sample(&line->second.statistics);
		print_value("%.6g", ratio.ratio);
		print_value("%.6g", ratio.low);
		print_value("%.6g", ratio.high);
		print_value("%.16g", line->p);
		printf("\t%s", n + m > STATS_EXACT_MAX ? "normal" : "exact");
		print_value("%.6g", stats_min_p(n, m));
		print_value("%.6g", could.mann_whitney);
		print_value("%.6g", could.t);
		print_value("%.16g", line->p_holm);
		print_difference(line);
	}
	putchar('\n');
}

static double *number_at(struct line *line, size_t offset)
{
	return (double *)(void *)((char *)line + offset);
}

/*
 * Corrects the p values at offset `from` in the lines, and stores them at offset `to`.
 * A NaN is no comparison.
 */
static void correct_p(struct line *lines, size_t count, size_t from, size_t to,
		      void (*correct)(double *p, size_t n))
{
	double *p = message_alloc(count, sizeof *p);
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		p[n] = *number_at(&lines[i], from);
		n += isnan(p[n]) ? 0 : 1;
	}
	correct(p, n);
	n = 0;
	for (size_t i = 0; i < count; i++) {
		double original = *number_at(&lines[i], from);

		*number_at(&lines[i], to) = isnan(original) ? NAN : p[n++];
	}
	free(p);
}

static void correct_p_values(struct line *lines, size_t count)
{
	const size_t rank = offsetof(struct line, p),
		     welch = offsetof(struct line, difference.p);

	correct_p(lines, count, rank, offsetof(struct line, p_holm), stats_holm);
	correct_p(lines, count, welch, offsetof(struct line, welch_holm), stats_holm);
	correct_p(lines, count, welch, offsetof(struct line, welch_bh),
		  stats_benjamini_hochberg);
}

/* All lines of standard input; the caller frees them by free_lines. */
static struct line *read_lines(size_t *count)
{
	struct line *lines = NULL;
	char *text = NULL;
	size_t allocated = 0, size = 0;
	ssize_t length;

	*count = 0;
	for (; (length = getline(&text, &size, stdin)) >= 0; text = NULL, size = 0) {
		if (length && text[length - 1] == '\n')
			text[length - 1] = '\0';
		if (*count == allocated) {
			allocated = allocated * 2 + 16;
			lines = realloc(lines, allocated * sizeof *lines);
			if (!lines)
				message_fatal(1, "out of memory at line %zu", *count + 1);
		}
		lines[*count] = read_line(text, *count + 1);
		++*count;
	}
	free(text);
	if (ferror(stdin))
		message_fatal(1, "cannot read standard input");
	return lines;
}

static void free_lines(struct line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(lines[i].name);
		free(lines[i].first.values);
		free(lines[i].second.values);
	}
	free(lines);
}

int main(int argc, char **argv)
{
	struct line *lines;
	size_t count;

	message_set_program("stats");
	option_parse_tool(options, &help, usage, false, argc, argv);
	lines = read_lines(&count);
	correct_p_values(lines, count);
	for (size_t i = 0; i < count; i++)
		print_line_result(&lines[i]);
	free_lines(lines, count);
	if (fflush(stdout))
		message_fatal(1, "cannot write to standard output");
	return 0;
}
