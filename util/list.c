/* list.c: reading lists; see list.h. */
#include "list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define FAIL_SIZE LIST_ERROR
#include "fail.h"

/*
 * Digits at *text, which moves behind them, as a number up to `most`. strtoul alone takes
 * blanks and signs.
 */
static bool number(const char **text, unsigned long most, unsigned *to)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	unsigned long n = strtoul(*text, &end, 10);

	*text = end;
	*to = (unsigned)n;
	return n <= most;
}

/* A number from 1 on; what is wrong with it goes to `error`. */
static bool several(const char **text, unsigned most, unsigned *to, const char *what,
		    char *error)
{
	const char *from = *text;

	if (number(text, most, to) && *to)
		return true;
	return fail(error, "cannot read '%.60s'; give %s from 1 to %u", from, what, most);
}

bool list_next(const char **text, struct list_entry *e, char *error)
{
	const char *p = *text;
	bool open = false;

	*e = (struct list_entry){.name = p, .length = strcspn(p, ",@["), .repeats = 1};
	p += e->length;
	if (*p == '@') {
		p++;
		if (!several(&p, LIST_THREADS, &e->threads, "threads", error))
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
		if (!several(&p, LIST_REPEATS, what == 'X' ? &e->repeats : &e->warm,
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

bool list_weights(const char *text, const char *const *names, size_t n, unsigned most,
		  unsigned *weights, char *error)
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
		if (i == n || !number(&word, most, &weight) || (*word && *word != ','))
			return fail(error,
				    "cannot read '%.60s'; give weights up to %u such as "
				    "%s:50, see --help",
				    start, most, names[0]);
		if (weights[i])
			return fail(error, "%s is there twice", names[i]);
		weights[i] = weight;
		sum += weight;
	}
	if (!sum || sum > most)
		return fail(error, "the weights add up to %lu; give 1 to %u", sum, most);
	return true;
}
