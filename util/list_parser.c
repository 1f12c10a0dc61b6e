/* list_parser.c: parsing lists; see list_parser.h. */
#include "list_parser.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define FAIL_SIZE LIST_PARSER_ERROR_SIZE
#include "fail.h"

/*
 * Parses digits at *text as a number up to `max` and moves *text behind them. strtoul()
 * alone accepts blanks and signs.
 */
static bool parse_unsigned(const char **text, unsigned long max, unsigned *to)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	unsigned long n = strtoul(*text, &end, 10);

	*text = end;
	*to = (unsigned)n;
	return n <= max;
}

/* Parses a number from 1 on; `error` gets the reason if it fails. */
static bool parse_count(const char **text, unsigned max, unsigned *to, const char *what,
			char *error)
{
	const char *from = *text;

	if (parse_unsigned(text, max, to) && *to)
		return true;
	return fail(error, "cannot read '%.60s'; give %s from 1 to %u", from, what, max);
}

bool list_parser_next(const char **text, struct list_parser_entry *e, char *error)
{
	const char *p = *text;
	bool open = false;

	*e = (struct list_parser_entry){.name = p,
					.length = strcspn(p, ",@["),
					.iterations = 1};
	p += e->length;
	if (*p == '@') {
		p++;
		if (!parse_count(&p, LIST_PARSER_MAX_THREADS, &e->threads, "threads",
				 error))
			return false;
	}
	while (*p == '[' || (open && *p == '-')) {
		char what = *++p;

		if (what != 'X' && what != 'W')
			return fail(error,
				    "cannot read '%.60s'; give [X5] to repeat, [W2] to "
				    "warm up",
				    p - 1);
		p++;
		if (!parse_count(&p, LIST_PARSER_MAX_ITERATIONS,
				 what == 'X' ? &e->iterations : &e->warmups,
				 "repetitions", error))
			return false;
		open = *p != ']';
		p += !open;
	}
	if (open || (*p && *p != ','))
		return fail(error, "cannot read '%.60s'; names are separated by commas",
			    p);
	*text = *p ? p + 1 : NULL;
	return true;
}

bool list_parser_weights(const char *text, const char *const *names, size_t n,
			 unsigned max, unsigned *weights, char *error)
{
	unsigned long sum = 0;

	memset(weights, 0, n * sizeof *weights);
	for (const char *word = text; *word; word += *word == ',') {
		const char *start = word;
		size_t length = strcspn(word, ":,"), i = 0;
		unsigned weight;

		while (i < n && (!names[i] || strlen(names[i]) != length ||
				 memcmp(names[i], word, length)))
			i++;
		word += length + (word[length] == ':');
		if (i == n || !parse_unsigned(&word, max, &weight) ||
		    (*word && *word != ','))
			return fail(error,
				    "cannot read '%.60s'; give weights up to %u such as "
				    "%s:50, see --help",
				    start, max, names[0]);
		if (weights[i])
			return fail(error, "%s is given twice", names[i]);
		weights[i] = weight;
		sum += weight;
	}
	if (!sum || sum > max)
		return fail(error, "the weights add up to %lu; give 1 to %u", sum, max);
	return true;
}
