/* big_stack.h: a stack of sufficient size, whatever the shell's limit is. */
#ifndef UTIL_BIG_STACK_H
#define UTIL_BIG_STACK_H

/*
 * Runs the program and returns its exit status, directly if the limit (ulimit -s) is as
 * large as engines expect. Below that limit the program runs on a thread with a larger
 * stack, and ends with exit(3) instead of returning. All threads that are started later,
 * engines' too, get as much where the C library permits (Linux).
 */
int big_stack_run(int (*program)(int argc, char **argv), int argc, char **argv);

#endif
