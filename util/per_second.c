/* per_second.c: an array that grows with time; see per_second.h. */
#include "per_second.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

void per_second_add(struct per_second *s, size_t second, double finished)
{
	if (second >= s->capacity) {
		size_t capacity = second * 2 + 64;

		s->counts = realloc(s->counts, capacity * sizeof *s->counts);
		if (!s->counts)
			message_fatal(1, "out of memory");
		memset(s->counts + s->capacity, 0,
		       (capacity - s->capacity) * sizeof *s->counts);
		s->capacity = capacity;
	}
	if (!s->end || second < s->first)
		s->first = second;
	if (second >= s->end)
		s->end = second + 1;
	s->counts[second] += finished;
}

void per_second_clear(struct per_second *s)
{
	if (s->capacity)
		memset(s->counts, 0, s->capacity * sizeof *s->counts);
	s->first = s->end = 0;
}

double per_second_min(const struct per_second *s, size_t first, size_t end)
{
	double min = NAN;

	for (size_t i = first + 1; i + 1 < end; i++)
		min = fmin(min, i < s->capacity ? s->counts[i] : 0);
	return min;
}
