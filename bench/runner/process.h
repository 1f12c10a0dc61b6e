/* process.h: the process that runs benchmarks: its CPUs, memory and libraries. */
#ifndef BENCH_RUNNER_PROCESS_H
#define BENCH_RUNNER_PROCESS_H

#include <stddef.h>

#include "../../engines/engine.h"

/* Bind the process to --cpus or --pin_threads, and its memory to --numa_node. */
void process_bind(void);

/* Bind the calling thread, of this number, to its CPU of --pin_threads. */
void process_pin_thread(unsigned number);

/* Check that a memory limit can be set, before any file is touched. */
void process_check_memory_limit(char **argv);

/*
 * Describe the engine's library; warn if it was built without optimization or with
 * assertions.
 */
void process_describe_library(char *to, size_t size);

/* Name what allocates memory: the engine's own allocator, and the file of malloc. */
void process_describe_allocator(char *to, size_t size);

/* Which memory settings of the engine the user could reduce. */
const char *process_memory_advice(const struct settings *settings);

#endif
