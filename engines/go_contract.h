/*
 * go_contract.h: what crosses between a C driver and an engine's Go library, besides
 * engine.h: handles instead of pointers, and options as numbers.
 */
#ifndef ENGINES_GO_CONTRACT_H
#define ENGINES_GO_CONTRACT_H

#include "engine.h"

/* An option of the engine's own; flags and choices are numbers, too. */
struct go_option {
	const char *name;
	uint64_t value;
};

/* Takes the engine's settings and counters, one at a time. */
struct go_report {
	struct report *report;
	void (*number)(struct report *, const char *name, uint64_t value);
	void (*text)(struct report *, const char *name, const char *value);
};

#endif
