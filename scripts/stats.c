/*
 * stats.c: samples of figures from standard input, and on standard output what they come
 * to: the program by which the scripts do their statistics, so that all have the same.
 * --help has the form of its lines; util/stats.h what they mean.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/option.h"
#include "../util/say.h"
#include "../util/stats.h"

static uint64_t draws, seed;
static bool help;

static const struct option options[] = {
	{"draws", "2000", "Samples drawn by the bootstrap; 0: no intervals of ratios.",
	 .count = &draws, .most = 100000000},
	{"seed", "1", "Of the random numbers of the bootstrap.", .count = &seed},
	{"help", "0", "This.", .flag = &help},
	{.name = NULL},
};

static const char usage[] =
	"usage: build/stats [option ...] <SAMPLES\n"
	"\n"
	"A line of SAMPLES is a name, a tab and figures with blanks between them: a "
	"sample; or two\n"
	"samples with a tab between them. Prints a line for each, of columns with tabs "
	"between\n"
	"them, empty where something is not known:\n"
	"\n"
	"  1 name   2 n   3 median   4 mean   5, 6 its 95 % interval by Student's t   7 "
	"CV\n"
	"\n"
	"and of two samples\n"
	"\n"
	"  8 to 13: 2 to 7 of the second\n"
	"  14 ratio of the medians, second / first   15, 16 its 95 % interval by the "
	"bootstrap\n"
	"  17 p of Mann and Whitney's test, two-sided   18 exact or normal\n"
	"  19 the least p that so many figures can have\n"
	"  20 the least difference of means, as a share of the first, that this test "
	"shows with a\n"
	"     power of 80 %   21 the same of Student's t test\n"
	"  22 p corrected by Holm's method for all lines\n"
	"\n";

struct sample {
	double *figures;
	struct stats_sample is;
};

/* A line of the input; the second sample is empty if there is none. */
struct line {
	char *name; /* the line itself, which ends there */
	struct sample first, second;
	double p, p_corrected;
};

/* The figures of a text with blanks between them. */
static struct sample read_sample(const char *text, size_t number)
{
	struct sample s = {.figures = say_alloc(strlen(text) / 2 + 1, sizeof *s.figures)};
	size_t n = 0;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		size_t length = strcspn(text, " ");
		char *end;

		s.figures[n] = strtod(text, &end);
		if (end != text + length || !isfinite(s.figures[n]))
			die(1, "line %zu: '%.*s' is no figure", number,
			    (int)(length < 40 ? length : 40), text);
		n++;
		text = end;
	}
	stats_sort(s.figures, n);
	s.is = stats_describe(s.figures, n);
	return s;
}

static struct line read_line(char *text, size_t number)
{
	char *first = strchr(text, '\t');
	char *second = first ? strchr(first + 1, '\t') : NULL;
	struct line line = {.name = text, .p = NAN};

	if (!first)
		die(1, "line %zu has no tab after a name; see --help", number);
	if (second)
		*second++ = '\0';
	*first++ = '\0';
	line.first = read_sample(first, number);
	line.second = read_sample(second ? second : "", number);
	if (line.first.is.n && line.second.is.n)
		line.p = stats_mann_whitney(line.first.figures, line.first.is.n,
					    line.second.figures, line.second.is.n);
	return line;
}

/* A column; what is not known is empty. */
static void put(const char *format, double value)
{
	putchar('\t');
	if (isfinite(value))
		printf(format, value);
}

static void put_sample(const struct stats_sample *s)
{
	printf("\t%zu", s->n);
	put("%.10g", s->median);
	put("%.10g", s->mean);
	put("%.10g", s->mean - s->margin);
	put("%.10g", s->mean + s->margin);
	put("%.6g", s->cv);
}

static void put_line(const struct line *line)
{
	size_t n = line->first.is.n, m = line->second.is.n;
	struct stats_could could;
	struct stats_ratio ratio;

	printf("%s", line->name);
	put_sample(&line->first.is);
	if (n && m) {
		ratio = stats_ratio(line->first.figures, n, line->second.figures, m,
				    draws, seed);
		could = stats_could(&line->first.is, &line->second.is);
		put_sample(&line->second.is);
		put("%.6g", ratio.ratio);
		put("%.6g", ratio.low);
		put("%.6g", ratio.high);
		put("%.16g", line->p);
		printf("\t%s", n + m > STATS_EXACT ? "normal" : "exact");
		put("%.6g", stats_least_p(n, m));
		put("%.6g", could.ranks);
		put("%.6g", could.t);
		put("%.16g", line->p_corrected);
	}
	putchar('\n');
}

/* Of the lines with two samples. */
static void correct(struct line *lines, size_t count)
{
	double *p = say_alloc(count, sizeof *p);
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (!isnan(lines[i].p))
			p[n++] = lines[i].p;
	stats_holm(p, n);
	n = 0;
	for (size_t i = 0; i < count; i++)
		if (!isnan(lines[i].p))
			lines[i].p_corrected = p[n++];
	free(p);
}

/* All lines of standard input; the caller frees them by drop_lines. */
static struct line *read_lines(size_t *count)
{
	struct line *lines = NULL;
	char *text = NULL;
	size_t room = 0, size = 0;
	ssize_t length;

	*count = 0;
	for (; (length = getline(&text, &size, stdin)) >= 0; text = NULL, size = 0) {
		if (length && text[length - 1] == '\n')
			text[length - 1] = '\0';
		if (*count == room) {
			room = room * 2 + 16;
			lines = realloc(lines, room * sizeof *lines);
			if (!lines)
				die(1, "out of memory at line %zu", *count + 1);
		}
		lines[*count] = read_line(text, *count + 1);
		++*count;
	}
	free(text);
	if (ferror(stdin))
		die(1, "cannot read standard input");
	return lines;
}

static void drop_lines(struct line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(lines[i].name);
		free(lines[i].first.figures);
		free(lines[i].second.figures);
	}
	free(lines);
}

int main(int argc, char **argv)
{
	const struct option *const tables[] = {options, NULL};
	char error[OPTION_ERROR];
	struct line *lines;
	size_t count;

	say_program("stats");
	if (!option_defaults(options, error) || !option_parse(tables, argc, argv, error))
		die(2, "%s", error);
	if (help) {
		fputs(usage, stdout);
		option_help(options, stdout);
		return 0;
	}
	lines = read_lines(&count);
	correct(lines, count);
	for (size_t i = 0; i < count; i++)
		put_line(&lines[i]);
	drop_lines(lines, count);
	if (fflush(stdout))
		die(1, "cannot write to standard output");
	return 0;
}
