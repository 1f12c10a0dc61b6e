/*
 * aside.h: the roles beside others that are no lists of calls.
 */
#ifndef ASIDE_H
#define ASIDE_H

#include <stdbool.h>

#include "worker.h"

/*
 * Begin such a role before the figures do, and do it while they are taken; false if this
 * worker's calls are those of any other.
 */
bool aside_begin(struct worker *w);
bool aside_work(struct worker *w);

#endif
