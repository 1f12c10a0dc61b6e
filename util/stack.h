/* stack.h: room on the stack, whatever the shell's limit is. */
#ifndef STACK_H
#define STACK_H

/*
 * Run the program and answer its exit status; at once where the limit (ulimit -s) leaves
 * as much as engines expect. Below that it runs on a thread with a stack of its own, ends
 * with exit(3) instead of coming back, and all threads that are started from then on,
 * engines' too, get as much where the C library lets us (Linux).
 */
int stack_run(int (*program)(int argc, char **argv), int argc, char **argv);

#endif
