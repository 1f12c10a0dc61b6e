/* thread_delay.c: see thread_delay.h. */
#include "thread_delay.h"

#ifdef __linux__

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const char thread_delay_path[] = "/proc/thread-self/schedstat";

int thread_delay_open(void)
{
	return open(thread_delay_path, O_RDONLY | O_CLOEXEC);
}

bool thread_delay_is_known(void)
{
	return true;
}

bool thread_delay_knows_runnable(void)
{
	return access(thread_delay_path, R_OK) == 0;
}

const char *thread_delay_missing(void)
{
	return thread_delay_knows_runnable()
		       ? NULL
		       : "cannot read /proc/thread-self/schedstat, so time in which a "
			 "thread waits for a core counts as blocked; all else is known";
}

/* The second number of "CPU time, wait for a core, slices". */
static bool read_wait(int fd, uint64_t *ns)
{
	char text[96];
	ssize_t size = fd < 0 ? 0 : pread(fd, text, sizeof text - 1, 0);
	const char *second;

	if (size <= 0)
		return false;
	text[size] = '\0';
	second = strchr(text, ' ');
	*ns = second ? strtoull(second, NULL, 10) : 0;
	return second;
}

struct thread_delay thread_delay_read(int fd)
{
	struct thread_delay d = {0};
	struct rusage usage;
	struct timespec cpu;

	read_wait(fd, &d.runnable_ns);
	if (!getrusage(RUSAGE_THREAD, &usage)) {
		d.sleeps = (uint64_t)usage.ru_nvcsw;
		d.device_reads = (uint64_t)usage.ru_inblock;
	}
	/* last, so that the readings above are part of it */
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
	d.cpu_ns = (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
	return d;
}

double thread_delay_runnable_s(void)
{
	int fd = thread_delay_open();
	uint64_t ns;
	bool is_known = read_wait(fd, &ns);

	if (fd >= 0)
		close(fd);
	return is_known ? (double)ns / 1e9 : NAN;
}

#else

#include <math.h>
#include <stddef.h>

int thread_delay_open(void)
{
	return -1;
}

bool thread_delay_is_known(void)
{
	return false;
}

bool thread_delay_knows_runnable(void)
{
	return false;
}

const char *thread_delay_missing(void)
{
	return "this system does not tell why a thread slept, so calls are kept with "
	       "their own syncs, and the rest of their time is not attributed";
}

struct thread_delay thread_delay_read(int fd)
{
	(void)fd;
	return (struct thread_delay){0};
}

double thread_delay_runnable_s(void)
{
	return NAN;
}

#endif
