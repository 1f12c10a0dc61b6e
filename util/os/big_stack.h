/* big_stack.h: a stack of sufficient size, whatever the shell's limit is. */
#ifndef UTIL_OS_BIG_STACK_H
#define UTIL_OS_BIG_STACK_H

#include <pthread.h>

/*
 * Runs the program and returns its exit status, directly if the limit (ulimit -s) is as
 * large as engines expect. Below that limit the program runs on a thread with a larger
 * stack, and ends with exit(3) instead of returning. All threads that are started later,
 * engines' too, get as much where the C library permits (Linux).
 */
int big_stack_run(int (*program)(int argc, char **argv), int argc, char **argv);

/*
 * pthread_create() with a stack as large as engines expect, where the C library's default
 * is smaller (macOS: 512 KiB, musl: 128 KiB). Returns 0, or an error number.
 */
int big_stack_thread(pthread_t *thread, void *(*run)(void *), void *argument);

#endif
