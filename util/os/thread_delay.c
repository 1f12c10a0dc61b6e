/* thread_delay.c: see thread_delay.h. */
#include "thread_delay.h"

#include <math.h>
#include <stdlib.h>

#ifdef __linux__

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
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

/* From "CPU time, wait for a core, slices". */
static bool read_times(int fd, uint64_t *cpu_ns, uint64_t *runnable_ns)
{
	char text[96];
	ssize_t size = fd < 0 ? 0 : pread(fd, text, sizeof text - 1, 0);
	char *second;

	if (size <= 0)
		return false;
	text[size] = '\0';
	*cpu_ns = strtoull(text, &second, 10);
	*runnable_ns = strtoull(second, NULL, 10);
	return *second == ' ';
}

struct thread_delay thread_delay_read(int fd)
{
	struct thread_delay d = {0};
	struct rusage usage;
	struct timespec cpu;

	read_times(fd, &d.cpu_ns, &d.runnable_ns);
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
	uint64_t cpu_ns, ns;
	bool is_known = read_times(fd, &cpu_ns, &ns);

	if (fd >= 0)
		close(fd);
	return is_known ? (double)ns / 1e9 : NAN;
}

/* The first line of a file of a thread of the process; empty: it has ended. */
static void read_thread_file(const char *id, const char *name, char *text, int size)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "/proc/self/task/%.12s/%s", id, name);
	f = fopen(path, "re");
	if (!f || !fgets(text, size, f))
		text[0] = '\0';
	if (f)
		fclose(f);
}

/* Its name ends with its own number (thread_name.h). */
static bool has_name_of_its_own(const char *id)
{
	char name[32];
	const char *number;

	read_thread_file(id, "comm", name, sizeof name);
	number = strrchr(name, '-');
	return number && strtol(number + 1, NULL, 10) == strtol(id, NULL, 10);
}

static bool read_engine_thread(struct thread_delay_engine *e, const char *id)
{
	struct thread_delay_of_thread t = {.id = strtol(id, NULL, 10)}, *threads;
	char text[96], *second;

	if (t.id <= 0 || t.id == syscall(SYS_gettid) || has_name_of_its_own(id))
		return true;
	read_thread_file(id, "schedstat", text, sizeof text);
	t.cpu_ns = strtoull(text, &second, 10);
	t.runnable_ns = strtoull(second, NULL, 10);
	threads = realloc(e->threads, (e->count + 1) * sizeof *threads);
	if (!threads)
		return false;
	e->threads = threads;
	threads[e->count++] = t;
	return true;
}

struct thread_delay_engine thread_delay_engine(void)
{
	struct thread_delay_engine e = {0};
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *task;

	if (!tasks)
		return e;
	while ((task = readdir(tasks)) && read_engine_thread(&e, task->d_name))
		;
	closedir(tasks);
	return e;
}

#else

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

struct thread_delay_engine thread_delay_engine(void)
{
	return (struct thread_delay_engine){0};
}

#endif

static struct thread_delay_of_thread find_thread(const struct thread_delay_engine *e,
						 long id)
{
	for (size_t i = 0; i < e->count; i++)
		if (e->threads[i].id == id)
			return e->threads[i];
	return (struct thread_delay_of_thread){0};
}

struct thread_delay_of_engine thread_delay_engine_between(
	const struct thread_delay_engine *before, const struct thread_delay_engine *after)
{
	struct thread_delay_of_engine d = {0};

	for (size_t i = 0; i < after->count; i++) {
		const struct thread_delay_of_thread *t = &after->threads[i],
						    was = find_thread(before, t->id);
		double waited_s = (double)(t->runnable_ns - was.runnable_ns) / 1e9,
		       wanted_s = (double)(t->cpu_ns - was.cpu_ns) / 1e9 + waited_s;

		d.runnable_s += waited_s;
		if (waited_s >= wanted_s / 4)
			d.starved_s = fmax(d.starved_s, wanted_s);
	}
	return d;
}

struct thread_delay_of_engine thread_delay_engine_since(
	struct thread_delay_engine *before)
{
	struct thread_delay_engine after = thread_delay_engine();
	struct thread_delay_of_engine d = thread_delay_engine_between(before, &after);

	free(after.threads);
	free(before->threads);
	*before = (struct thread_delay_engine){0};
	if (!thread_delay_knows_runnable())
		d = (struct thread_delay_of_engine){NAN, NAN};
	return d;
}
