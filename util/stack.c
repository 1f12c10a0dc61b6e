/* stack.c: a thread to run on; see stack.h. */
#include "stack.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "say.h"

enum {
	ENOUGH = 2 << 20, /* what glibc gives a thread where nothing is said */
	GIVEN = 8 << 20,  /* what Linux gives a process */
};

struct call {
	int (*program)(int argc, char **argv);
	int argc;
	char **argv;
};

static void *stack_begin(void *argument)
{
	const struct call *call = argument;

	/* Not by returning: after a fork(2) this thread is the process. */
	exit(call->program(call->argc, call->argv));
}

int stack_run(int (*program)(int argc, char **argv), int argc, char **argv)
{
	struct call call = {program, argc, argv};
	struct rlimit limit;
	pthread_attr_t attributes;
	pthread_t thread;
	int rc;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    limit.rlim_cur >= ENOUGH)
		return program(argc, argv);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, GIVEN);
#ifdef __linux__
	pthread_setattr_default_np(&attributes);
#endif
	rc = pthread_create(&thread, &attributes, stack_begin, &call);
	if (rc)
		die(1,
		    "a stack of %llu KiB is too small (ulimit -s), and another cannot be "
		    "had: %s",
		    (unsigned long long)limit.rlim_cur / 1024, strerror(rc));
	pthread_join(thread, NULL);
	return 1;
}
