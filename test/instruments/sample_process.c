/*
 * sample_process.c: samples what the kernel reports of a process while it runs.
 *
 *   build/instruments/sample_process FILE COMMAND [ARGUMENT ...]
 *
 * A JSON line every 5 ms goes to FILE: the time (CLOCK_MONOTONIC_RAW), CPU time of
 * the process and of each of its threads, in ns, and its resident memory in KiB. Exit
 * status: the command's.
 */
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t clock_of(clockid_t clock)
{
	struct timespec t;

	if (clock_gettime(clock, &t))
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void message_fatal(const char *what)
{
	perror(what);
	exit(1);
}

/* The beginning of a file of the process, or nothing. */
static void read_file(pid_t pid, const char *name, char *to, size_t size)
{
	char path[300];
	FILE *f;
	size_t n;

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	f = fopen(path, "re");
	n = f ? fread(to, 1, size - 1, f) : 0;
	to[n] = '\0';
	if (f)
		fclose(f);
}

static void print_memory(FILE *to, pid_t pid)
{
	static const char *const names[] = {"VmHWM", "VmRSS", "RssAnon", "RssFile"};
	char text[4096];

	read_file(pid, "status", text, sizeof text);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *at = strstr(text, names[i]);

		fprintf(to, ",\"%s\":%lu", names[i],
			at ? strtoul(at + strlen(names[i]) + 1, NULL, 10) : 0);
	}
}

/* proc(5): the first number of schedstat is the time on a CPU, in ns. */
static void print_threads(FILE *to, pid_t pid)
{
	char path[64], name[280], text[128];
	const char *comma = "";
	DIR *all;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	all = opendir(path);
	fprintf(to, ",\"threads\":{");
	for (struct dirent *d; all && (d = readdir(all));) {
		if (d->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "task/%s/schedstat", d->d_name);
		read_file(pid, name, text, sizeof text);
		if (!*text)
			continue;
		fprintf(to, "%s\"%s\":%" PRIu64, comma, d->d_name,
			(uint64_t)strtoull(text, NULL, 10));
		comma = ",";
	}
	fprintf(to, "}");
	if (all)
		closedir(all);
}

int main(int argc, char **argv)
{
	const struct timespec pause = {0, 5000000};
	FILE *to = argc > 2 ? fopen(argv[1], "we") : NULL;
	clockid_t cpu;
	int how;
	pid_t pid;

	if (!to)
		message_fatal("usage: sample_process FILE COMMAND [ARGUMENT ...]");
	pid = fork();
	if (pid < 0)
		message_fatal("fork");
	if (!pid) {
		execvp(argv[2], argv + 2);
		message_fatal(argv[2]);
	}
	while (!waitpid(pid, &how, WNOHANG)) {
		/* All of it was so at some moment between the two times. */
		uint64_t before = clock_of(CLOCK_MONOTONIC_RAW),
			 used = clock_getcpuclockid(pid, &cpu) ? 0 : clock_of(cpu);

		fprintf(to, "{\"before\":%" PRIu64 ",\"cpu_ns\":%" PRIu64, before, used);
		print_memory(to, pid);
		print_threads(to, pid);
		fprintf(to, ",\"pid\":%d,\"after\":%" PRIu64 "}\n", (int)pid,
			clock_of(CLOCK_MONOTONIC_RAW));
		nanosleep(&pause, NULL);
	}
	fclose(to);
	return WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
}
