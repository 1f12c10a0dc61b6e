/* big_stack.c: run the program on a thread with a large stack; see big_stack.h. */
#include "big_stack.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../message.h"

/* glibc has it from 2.18 on. */
#if defined(__linux__) && !defined(ASSAY_PORTABLE)
#if !defined(__GLIBC__) || __GLIBC__ > 2 || __GLIBC_MINOR__ >= 18
#define HAVE_DEFAULT_ATTRIBUTES
#endif
#endif

enum {
	STACK_SUFFICIENT = 2 << 20, /* glibc's default for a thread */
	STACK_SIZE = 8 << 20,       /* Linux's default for a process */
};

struct program_call {
	int (*program)(int argc, char **argv);
	int argc;
	char **argv;
};

static void *run_program(void *argument)
{
	const struct program_call *call = argument;

	/* exit(3) instead of return: after a fork(2) this thread is the process. */
	exit(call->program(call->argc, call->argv));
}

int big_stack_thread(pthread_t *thread, void *(*run)(void *), void *argument)
{
	pthread_attr_t attributes;
	size_t size = 0;
	int rc;

	pthread_attr_init(&attributes);
	pthread_attr_getstacksize(&attributes, &size);
	if (size < STACK_SUFFICIENT)
		pthread_attr_setstacksize(&attributes, STACK_SIZE);
	rc = pthread_create(thread, &attributes, run, argument);
	pthread_attr_destroy(&attributes);
	return rc;
}

int big_stack_run(int (*program)(int argc, char **argv), int argc, char **argv)
{
	struct program_call call = {program, argc, argv};
	struct rlimit limit;
	pthread_attr_t attributes;
	pthread_t thread;
	int rc;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    limit.rlim_cur >= STACK_SUFFICIENT)
		return program(argc, argv);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
#ifdef HAVE_DEFAULT_ATTRIBUTES
	pthread_setattr_default_np(&attributes);
#endif
	rc = pthread_create(&thread, &attributes, run_program, &call);
	if (rc)
		message_fatal(
			1,
			"a stack of %llu KiB is too small (ulimit -s), and a larger one "
			"cannot be allocated: %s",
			(unsigned long long)limit.rlim_cur / 1024, strerror(rc));
	pthread_join(thread, NULL);
	return 1;
}
