/* nearest.c: which of many names was meant; see nearest.h. */
#include "nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 40 };

struct nearest nearest_begin(const char *typed, size_t length)
{
	return (struct nearest){
		typed, length, NULL, length < 3 ? 1 : (unsigned)(length / 3) + 1};
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return a == b || ((a == '-' || a == '_') && (b == '-' || b == '_'));
}

/* Edits from a to b, by rows of the table of their beginnings. */
static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned row[3][LONGEST + 1];

	for (size_t j = 0; j <= m; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *now = row[i % 3];
		const unsigned *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			bool equal = same(a[i - 1], b[j - 1]);

			now[j] = least(least(last[j], now[j - 1]) + 1,
				       last[j - 1] + !equal);
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
			    same(a[i - 2], b[j - 1]))
				now[j] = least(now[j], before[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

void nearest_offer(struct nearest *n, const char *name)
{
	size_t length = strlen(name);
	unsigned edits;

	if (length > LONGEST || n->length > LONGEST)
		return;
	edits = distance(n->typed, n->length, name, length);
	if (edits < n->edits) {
		n->edits = edits;
		n->name = name;
	}
}

const char *nearest_text(const struct nearest *n, const char *prefix,
			 const char *otherwise, char *text)
{
	if (n->name)
		snprintf(text, NEAREST_TEXT, "did you mean %s%s?", prefix, n->name);
	else
		snprintf(text, NEAREST_TEXT, "%s", otherwise);
	return text;
}
