/* per_second.h: work that finished in each second, and the worst complete second. */
#ifndef UTIL_PER_SECOND_H
#define UTIL_PER_SECOND_H

#include <stddef.h>

struct per_second {
	/* the first second and the end of those in which a thread was at work */
	size_t first, end, capacity;
	double *counts; /* freed by its owner */
};

/* Adds work that finished in a second. */
void per_second_add(struct per_second *s, size_t second, double finished);

void per_second_clear(struct per_second *s);

/*
 * Minimum of all complete seconds; `first` and `end` are partial ones. NaN: there was
 * none.
 */
double per_second_min(const struct per_second *s, size_t first, size_t end);

#endif
