/* thread_name.c: see thread_name.h. */
#include "thread_name.h"

#ifdef __linux__

#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void thread_name_set(const char *role)
{
	char name[32]; /* the kernel takes 15 characters */

	snprintf(name, sizeof name, "%s-%ld", role, syscall(SYS_gettid));
	prctl(PR_SET_NAME, name);
}

#else

void thread_name_set(const char *role)
{
	(void)role;
}

#endif
