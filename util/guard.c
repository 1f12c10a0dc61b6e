/* guard.c: fork, wait, and judge; see guard.h. */
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "host.h"

/* its process, or 0; the last signal that came meanwhile, or 0 */
static volatile sig_atomic_t child, asked;

void *guard_memory(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		       0);

	return p == MAP_FAILED ? NULL : p;
}

/*
 * A terminal's Ctrl-C reaches the child too; only what somebody sent to us alone is
 * passed on.
 */
static void pass_on(int number, siginfo_t *info, void *context)
{
	(void)context;
	asked = number;
	if (info->si_code <= 0 && child)
		kill((pid_t)child, number);
}

static bool read_text(const char *format, int pid, char *to, size_t size)
{
	char path[64];

	snprintf(path, sizeof path, format, pid);
	return host_text(path, to, size);
}

/* What shows that a process is alive; false where the kernel does not tell. */
static bool read_signs(int pid, double *cpu_seconds, double *written)
{
	unsigned long user, sys;
	char text[2048], *fields;

	if (!read_text("/proc/%d/io", pid, text, sizeof text))
		return false;
	*written = host_number(text, "wchar:");
	if (!read_text("/proc/%d/stat", pid, text, sizeof text) ||
	    !(fields = strrchr(text, ')')))
		return false;
	/* proc(5): fields 14 and 15, counted from the state, which is field 3. */
	if (sscanf(fields + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
		   &user, &sys) != 2)
		return false;
	*cpu_seconds = (double)(user + sys) / (double)sysconf(_SC_CLK_TCK);
	return true;
}

/* bytes a second that progress and interval reports may write */
enum { OWN_REPORTS = 1 << 16 };

/*
 * Wait until the other end of the pipe closes, which is the child's end; false if it
 * hangs.
 */
static bool wait_for_end(int pipe_end, uint64_t (*progress)(void), double patience)
{
	struct pollfd end = {.fd = pipe_end, .events = POLLIN};
	double cpu = 0, written = 0, cpu_then = 0, written_then = 0, quiet = 0;
	uint64_t then = progress();
	char byte;

	for (;;) {
		int ready = poll(&end, 1, patience > 0 ? 1000 : -1);
		uint64_t now = progress();

		if (ready > 0 && read(pipe_end, &byte, 1) == 0)
			return true;
		if (ready != 0)
			continue;
		if (!read_signs((int)child, &cpu, &written) || now != then ||
		    written - written_then > OWN_REPORTS || cpu - cpu_then > 0.05)
			quiet = 0;
		else
			quiet++;
		then = now;
		cpu_then = cpu;
		written_then = written;
		if (quiet >= patience)
			return false;
	}
}

/* Let this process end when its parent does, where the system can be asked for it. */
static void end_with(pid_t parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		raise(SIGKILL);
#else
	(void)parent;
#endif
}

enum guard_end guard_run(int (*work)(void *), void *argument, uint64_t (*progress)(void),
			 double patience, int *how)
{
	struct sigaction pass = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO},
			 interrupt, terminate;
	bool hung;
	int alive[2];
	pid_t parent = getpid(), pid;

	*how = -1;
	if (pipe(alive) || (pid = fork()) < 0)
		return GUARD_EXITED;
	if (!pid) {
		close(alive[0]);
		fcntl(alive[1], F_SETFD, FD_CLOEXEC);
		end_with(parent);
		exit(work(argument));
	}
	child = pid;
	close(alive[1]);
	sigaction(SIGINT, &pass, &interrupt);
	sigaction(SIGTERM, &pass, &terminate);
	hung = !wait_for_end(alive[0], progress, patience);
	if (hung)
		kill(pid, SIGKILL);
	while (waitpid(pid, how, 0) < 0 && errno == EINTR)
		;
	close(alive[0]);
	child = 0;
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGTERM, &terminate, NULL);
	if (asked)
		raise(asked);
	if (hung || WIFSIGNALED(*how)) {
		*how = WTERMSIG(*how);
		return hung ? GUARD_HUNG : GUARD_KILLED;
	}
	*how = WEXITSTATUS(*how);
	return GUARD_EXITED;
}

/* Less than a thousandth free, or less than most engines ask for at a time. */
static bool device_full(const char *path)
{
	struct statvfs fs;

	return path && !statvfs(path, &fs) &&
	       (fs.f_bavail < fs.f_blocks / 1000 ||
		(double)fs.f_bavail * (double)fs.f_frsize < 4 << 20);
}

const char *guard_limits(const char *path)
{
	static char text[512];
	struct rlimit files, size;
	size_t n = 0;

	text[0] = '\0';
	/* Fewer than any shell gives. */
	if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < 256)
		n += (size_t)snprintf(text, sizeof text,
				      "; only %llu files may be open here (ulimit -n)",
				      (unsigned long long)files.rlim_cur);
	if (path && !getrlimit(RLIMIT_FSIZE, &size) && size.rlim_cur != RLIM_INFINITY)
		n += (size_t)snprintf(
			text + n, sizeof text - n,
			"; a file may have %llu bytes at most here (ulimit -f)",
			(unsigned long long)size.rlim_cur);
	if (device_full(path))
		snprintf(text + n, sizeof text - n,
			 "; the file system of %.300s is full: make room, or choose "
			 "another",
			 path);
	return text;
}

/*
 * Memory that is refused ends in any of these, as an engine takes it; NULL: there is no
 * such limit.
 */
static const char *refused_memory(int how)
{
	static const char *const what[] = {"address space", "data"}, *const option[] = {
									     "-v", "-d"};
	static char text[160];
	struct rlimit limit[2];

	if (how != SIGABRT && how != SIGSEGV && how != SIGBUS && how != SIGTRAP &&
	    how != SIGILL)
		return NULL;
	if (getrlimit(RLIMIT_AS, &limit[0]) || getrlimit(RLIMIT_DATA, &limit[1]))
		return NULL;
	for (int i = 0; i < 2; i++)
		if (limit[i].rlim_cur != RLIM_INFINITY) {
			snprintf(text, sizeof text,
				 "a process may have %llu bytes of %s at most here "
				 "(ulimit %s); raise that first",
				 (unsigned long long)limit[i].rlim_cur, what[i],
				 option[i]);
			return text;
		}
	return NULL;
}

const char *guard_likely_cause(enum guard_end end, int how)
{
	static const struct {
		int signal;
		const char *cause;
	} causes[] = {
		{SIGABRT, "an assertion or a panic of the engine; its own words, if any, "
			  "are above"},
		{SIGBUS,
		 "a mapped file without room behind it: a full or failing device"},
		{SIGSEGV, "a fault in the engine, or a damaged database"},
		{SIGPIPE, "nobody reads standard output any more"},
		{SIGKILL,
		 "killed from outside: out of memory (see dmesg), or by somebody"},
	};

	const char *memory = refused_memory(how);

	if (end == GUARD_HUNG)
		return "the engine waits for something that does not come";
	if (memory)
		return memory;
	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
		if (causes[i].signal == how)
			return causes[i].cause;
	return "a fault in the engine";
}
