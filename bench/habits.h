/*
 * habits.h: what is typed out of habit by who comes from db_bench or dbbench, and what
 * does it here.
 */
#ifndef HABITS_H
#define HABITS_H

#include <stddef.h>
#include <stdio.h>

/* What does here what that option or workload does there; NULL: they have none such. */
const char *habit_option(const char *name, size_t length);
const char *habit_workload(const char *name, size_t length);

/* All of them, a line each: option or workload, its name, what does it; tabs between. */
void habits_print(FILE *to);

#endif
