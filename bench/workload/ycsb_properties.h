/*
 * ycsb_properties.h: the properties of YCSB's client and of its CoreWorkload (2026), and
 * what each means here. The program, its help and docs/from-db_bench.md read this table.
 */
#ifndef BENCH_WORKLOAD_YCSB_PROPERTIES_H
#define BENCH_WORKLOAD_YCSB_PROPERTIES_H

#include <stddef.h>
#include <stdio.h>

/* What becomes of a property's value. */
enum ycsb_way {
	YCSB_OURS,  /* an option of ours has it */
	YCSB_DONE,  /* several properties make one thing (ycsb.c) */
	YCSB_TAKEN, /* some values ask for what is done anyway; others are refused */
	YCSB_ANY    /* any value has no effect */
};

struct ycsb_property {
	/* a * at the end: any name that begins so */
	const char *name, *value; /* the value is YCSB's default; "": it has none */
	enum ycsb_way way;
	const char *to; /* of YCSB_OURS: the option */
	const char
		*values; /* of YCSB_OURS as in db_bench_flags.h; of YCSB_TAKEN a list */
	/* what it is here, or why it has no effect; of YCSB_TAKEN what to do instead */
	const char *said;
};

/* Property i; NULL after the last. */
const struct ycsb_property *ycsb_properties_at(size_t i);

/* The row of a property with this name, or NULL. */
const struct ycsb_property *ycsb_properties_find(const char *name);

/* Print each, one a line: its name, its default and what it is here, between tabs. */
void ycsb_properties_print(FILE *to);

#endif
