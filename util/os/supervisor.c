/* supervisor.c: fork, wait, and classify the end; see supervisor.h. */
#include "supervisor.h"

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
#if defined(__linux__) && !defined(ASSAY_PORTABLE)
#include <sys/prctl.h>
#elif defined(__FreeBSD__)
#include <sys/procctl.h>
#else
#include <pthread.h>
#endif

#include "host.h"

/* its process, or 0; the last signal received meanwhile, or 0 */
static volatile sig_atomic_t child_pid, pending_signal;

static double child_cpu_s; /* of the last child */

/* CPU time of ended children, seconds. */
static double children_cpu_s(void)
{
	struct rusage r;

	getrusage(RUSAGE_CHILDREN, &r);
	return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
	       (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
}

void *supervisor_shared_memory(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		       0);

	return p == MAP_FAILED ? NULL : p;
}

/*
 * A terminal's Ctrl-C reaches the child too: only signals sent to the parent alone are
 * forwarded.
 */
static void forward_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	pending_signal = number;
	if (info->si_code <= 0 && child_pid)
		kill((pid_t)child_pid, number);
}

void *supervisor_shared_file(const char *path, size_t size)
{
	static const char zeros[4096];
	void *p = MAP_FAILED;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	bool written = fd >= 0;

	/* with its blocks, as a full file system would later be a SIGBUS */
	for (size_t at = 0; written && at < size; at += sizeof zeros)
		written = write(fd, zeros, sizeof zeros) == sizeof zeros;
	if (written)
		p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	return p == MAP_FAILED ? NULL : p;
}

static bool read_process_file(const char *format, int pid, char *to, size_t size)
{
	char path[64];

	snprintf(path, sizeof path, format, pid);
	return host_read_text(path, to, size);
}

/*
 * Reads counters that show activity of a process; returns false where the kernel has
 * none.
 */
static bool read_activity(int pid, double *cpu_seconds, double *written)
{
	unsigned long user, sys;
	char text[2048], *fields;

	if (!read_process_file("/proc/%d/io", pid, text, sizeof text))
		return false;
	*written = host_find_number(text, "wchar:");
	if (!read_process_file("/proc/%d/stat", pid, text, sizeof text) ||
	    !(fields = strrchr(text, ')')))
		return false;
	/* proc(5): fields 14 and 15, counted from the state, which is field 3. */
	if (sscanf(fields + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
		   &user, &sys) != 2)
		return false;
	*cpu_seconds = (double)(user + sys) / (double)sysconf(_SC_CLK_TCK);
	return true;
}

/* bytes per second that progress and interval reports may write */
enum { OWN_REPORT_BYTES = 1 << 16 };

/* Waits until the child's end of the pipe closes; returns false if the child hangs. */
static bool wait_for_exit(int pipe_end, uint64_t (*progress)(void), double hang_timeout)
{
	struct pollfd end = {.fd = pipe_end, .events = POLLIN};
	double cpu = 0, written = 0, cpu_then = 0, written_then = 0, quiet = 0;
	uint64_t then = progress();
	char byte;

	for (;;) {
		int ready = poll(&end, 1, hang_timeout > 0 ? 1000 : -1);
		uint64_t now = progress();

		if (ready > 0 && read(pipe_end, &byte, 1) == 0)
			return true;
		if (ready != 0)
			continue;
		if (!read_activity((int)child_pid, &cpu, &written) || now != then ||
		    written - written_then > OWN_REPORT_BYTES || cpu - cpu_then > 0.05)
			quiet = 0;
		else
			quiet++;
		then = now;
		cpu_then = cpu;
		written_then = written;
		if (quiet >= hang_timeout)
			return false;
	}
}

#if defined(__linux__) && !defined(ASSAY_PORTABLE)
static void request_death_signal(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}
#elif defined(__FreeBSD__)
static void request_death_signal(void)
{
	int signal_number = SIGKILL;

	procctl(P_PID, 0, PROC_PDEATHSIG_CTL, &signal_number);
}
#else
static _Noreturn void *kill_orphan(void *parent)
{
	for (;;) {
		if (getppid() != *(const pid_t *)parent)
			raise(SIGKILL);
		sleep(1);
	}
}

/* A thread looks once per second, whatever the others are waiting for. */
static void request_death_signal(void)
{
	static pid_t parent;
	sigset_t all, before;
	pthread_t thread;

	parent = getppid();
	/* Signals are handled by main(). */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	if (!pthread_create(&thread, NULL, kill_orphan, &parent))
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}
#endif

/* Ends this process when its parent ends. */
static void exit_with_parent(pid_t parent)
{
	request_death_signal();
	if (getppid() != parent)
		raise(SIGKILL);
}

/*
 * Forks a child that holds alive[1] while it works. Signals that are to be forwarded are
 * blocked in the parent, with the mask before that in *before, until it can forward
 * them. Returns its process, or -1 with errno.
 */
static pid_t start_child(int (*work)(void *), void *argument, int *alive,
			 sigset_t *before)
{
	pid_t parent = getpid(), pid;
	sigset_t forwarded;
	int error;

	if (pipe(alive))
		return -1;
	sigemptyset(&forwarded);
	sigaddset(&forwarded, SIGINT);
	sigaddset(&forwarded, SIGTERM);
	sigprocmask(SIG_BLOCK, &forwarded, before);
	pid = fork();
	if (pid > 0)
		return pid;
	error = errno;
	sigprocmask(SIG_SETMASK, before, NULL);
	close(alive[0]);
	if (!pid) {
		fcntl(alive[1], F_SETFD, FD_CLOEXEC);
		exit_with_parent(parent);
		exit(work(argument));
	}
	close(alive[1]);
	errno = error;
	return pid;
}

enum supervisor_outcome supervisor_run(int (*work)(void *), void *argument,
				       uint64_t (*progress)(void), double hang_timeout,
				       int *status)
{
	struct sigaction pass = {.sa_sigaction = forward_signal, .sa_flags = SA_SIGINFO},
			 interrupt, terminate;
	sigset_t before;
	bool hung;
	int alive[2];
	pid_t pid = start_child(work, argument, alive, &before);

	*status = -1;
	pending_signal = 0;
	if (pid < 0)
		return SUPERVISOR_EXITED;
	child_cpu_s = -children_cpu_s();
	child_pid = pid;
	close(alive[1]);
	sigaction(SIGINT, &pass, &interrupt);
	sigaction(SIGTERM, &pass, &terminate);
	sigprocmask(SIG_SETMASK, &before, NULL);
	hung = !wait_for_exit(alive[0], progress, hang_timeout);
	if (hung)
		kill(pid, SIGKILL);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
	close(alive[0]);
	child_pid = 0;
	child_cpu_s += children_cpu_s();
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGTERM, &terminate, NULL);
	if (pending_signal)
		raise((int)pending_signal); /* a long on FreeBSD */
	if (hung || WIFSIGNALED(*status)) {
		*status = WTERMSIG(*status);
		return hung ? SUPERVISOR_HUNG : SUPERVISOR_KILLED;
	}
	*status = WEXITSTATUS(*status);
	return SUPERVISOR_EXITED;
}

/* Less than a thousandth free, or less than most engines allocate at a time. */
static bool device_full(const char *path)
{
	struct statvfs fs;

	return path && !statvfs(path, &fs) &&
	       (fs.f_bavail < fs.f_blocks / 1000 ||
		(double)fs.f_bavail * (double)fs.f_frsize < 4 << 20);
}

const char *supervisor_describe_limits(const char *path)
{
	static char text[512];
	struct rlimit files, size;
	size_t n = 0;

	text[0] = '\0';
	/* Less than any shell's default. */
	if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < 256)
		n += (size_t)snprintf(text, sizeof text,
				      "; only %llu files may be open here (ulimit -n)",
				      (unsigned long long)files.rlim_cur);
	if (path && !getrlimit(RLIMIT_FSIZE, &size) && size.rlim_cur != RLIM_INFINITY)
		n += (size_t)
			snprintf(text + n, sizeof text - n,
				 "; a file may have %llu bytes at most here (ulimit -f)",
				 (unsigned long long)size.rlim_cur);
	if (device_full(path))
		snprintf(text + n, sizeof text - n,
			 "; the file system of %.300s is full: free disk space, or "
			 "choose another",
			 path);
	return text;
}

/*
 * A memory limit can end a process in any of these ways, depending on the engine; NULL:
 * there is no such limit.
 */
static const char *memory_limit_cause(int status)
{
	static const char *const what[] = {"address space", "data"}, *const option[] = {
									     "-v", "-d"};
	static char text[160];
	struct rlimit limit[2];

	if (status != SIGABRT && status != SIGSEGV && status != SIGBUS &&
	    status != SIGTRAP && status != SIGILL)
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

/*
 * A process beyond its CPU limit gets SIGXCPU, or SIGKILL beyond the hard limit; NULL: it
 * is not beyond. The kernel enforces the limit by ticks: on a busy machine, up to a fifth
 * before the time that it later reports.
 */
static const char *cpu_limit_cause(int status)
{
	static char text[128];
	struct rlimit limit;

	if ((status != SIGXCPU && status != SIGKILL) || getrlimit(RLIMIT_CPU, &limit) ||
	    limit.rlim_cur == RLIM_INFINITY || child_cpu_s < 0.5 * (double)limit.rlim_cur)
		return NULL;
	snprintf(text, sizeof text,
		 "a process may use %llu s of CPU time at most here (ulimit -t); raise "
		 "that first",
		 (unsigned long long)limit.rlim_cur);
	return text;
}

const char *supervisor_likely_cause(enum supervisor_outcome outcome, int status)
{
	static const struct {
		int signal;
		const char *cause;
	} causes[] = {
		{SIGABRT, "an assertion or a panic of the engine; its own message, if "
			  "any, is above"},
		{SIGBUS,
		 "a mapped file without disk space behind it: a full or failing device"},
		{SIGSEGV, "a fault in the engine, or a damaged database"},
		{SIGPIPE, "the reader of standard output has ended"},
		{SIGKILL,
		 "killed from outside: by the kernel, out of memory (see dmesg), or by a "
		 "user"},
	};

	const char *limit_cause = memory_limit_cause(status);

	if (!limit_cause)
		limit_cause = cpu_limit_cause(status);

	if (outcome == SUPERVISOR_HUNG)
		return "a deadlock, or a wait for an event that does not occur";
	if (limit_cause)
		return limit_cause;
	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
		if (causes[i].signal == status)
			return causes[i].cause;
	return "a fault in the engine";
}
