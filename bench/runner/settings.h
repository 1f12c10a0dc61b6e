/*
 * settings.h: the settings that a plan needs of the engine. What no run could honour is
 * rejected with status 2 before any file is touched.
 */
#ifndef BENCH_RUNNER_SETTINGS_H
#define BENCH_RUNNER_SETTINGS_H

#include "database.h"

/*
 * Set the database's settings. Check that the engine can have the records and durability
 * levels of all benchmarks of the plan.
 */
void settings_make(struct database *d, const struct plan_item *list);

#endif
