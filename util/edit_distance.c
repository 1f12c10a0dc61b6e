/* edit_distance.c: find the name closest to a mistyped one; see edit_distance.h. */
#include "edit_distance.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 40 };

struct edit_distance edit_distance_begin(const char *typed, size_t length)
{
	return (struct edit_distance){typed, length, NULL,
				      length < 3 ? 1 : (unsigned)(length / 3) + 1};
}

static unsigned smaller_of(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool is_same_character(char a, char b)
{
	return a == b || ((a == '-' || a == '_') && (b == '-' || b == '_'));
}

/* Number of edits from a to b, by rows of the table over their prefixes. */
static unsigned count_edits(const char *a, size_t n, const char *b, size_t m)
{
	unsigned row[3][LONGEST_NAME + 1];

	for (size_t j = 0; j <= m; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *now = row[i % 3];
		const unsigned *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			bool equal = is_same_character(a[i - 1], b[j - 1]);

			now[j] = smaller_of(smaller_of(last[j], now[j - 1]) + 1,
					    last[j - 1] + !equal);
			if (i > 1 && j > 1 && is_same_character(a[i - 1], b[j - 2]) &&
			    is_same_character(a[i - 2], b[j - 1]))
				now[j] = smaller_of(now[j], before[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

void edit_distance_offer(struct edit_distance *n, const char *name)
{
	size_t length = strlen(name);
	unsigned edits;

	if (length > LONGEST_NAME || n->length > LONGEST_NAME)
		return;
	edits = count_edits(n->typed, n->length, name, length);
	if (edits < n->edits) {
		n->edits = edits;
		n->best = name;
	}
}

const char *edit_distance_suggestion(const struct edit_distance *n, const char *prefix,
				     const char *otherwise, char *text)
{
	if (n->best)
		snprintf(text, EDIT_DISTANCE_TEXT_SIZE, "did you mean %s%s?", prefix,
			 n->best);
	else
		snprintf(text, EDIT_DISTANCE_TEXT_SIZE, "%s", otherwise);
	return text;
}
