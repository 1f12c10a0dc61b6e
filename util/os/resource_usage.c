/* resource_usage.c: reading and checking the kernel's counters; see resource_usage.h. */
#include "resource_usage.h"

#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach/mach.h>
#endif

#include "device.h"
#include "sync_count.h"
#include "perf.h"

static struct {
	struct device device;
	struct perf perf;
} watched = {.perf = {.fd = {-1, -1, -1, -1}}};

void resource_usage_watch(const char *path)
{
	if (path)
		watched.device = device_of_path(path);
	watched.perf = perf_start();
}

const char *resource_usage_counter_scope(void)
{
	return watched.perf.scope;
}

/* A line "name: value ..." of a /proc file, and the member that receives its value. */
struct proc_field {
	const char *name;
	size_t offset;
};

static const struct proc_field io_fields[] = {
	{"read_bytes:", offsetof(struct resource_usage, io_read_bytes)},
	{"write_bytes:", offsetof(struct resource_usage, io_write_bytes)},
	{"wchar:", offsetof(struct resource_usage, io_wchar_bytes)},
	{"syscw:", offsetof(struct resource_usage, io_write_calls)},
	{0},
};

static const struct proc_field status_fields[] = {
	{"VmRSS:", offsetof(struct footprint, rss_kb)},
	{"RssAnon:", offsetof(struct footprint, rss_anon_kb)},
	{"RssFile:", offsetof(struct footprint, rss_file_kb)},
	{"VmHWM:", offsetof(struct footprint, peak_rss_kb)},
	{0},
};

/* Fields that are missing from the file become NaN. */
static void read_fields(const char *path, const struct proc_field *fields, void *to)
{
	char line[256];
	FILE *f = fopen(path, "re");

	for (const struct proc_field *d = fields; d->name; d++)
		*(double *)(void *)((char *)to + d->offset) = NAN;
	if (!f)
		return;
	while (fgets(line, sizeof line, f))
		for (const struct proc_field *d = fields; d->name; d++)
			if (!strncmp(line, d->name, strlen(d->name)))
				*(double *)(void *)((char *)to + d->offset) =
					strtod(line + strlen(d->name), NULL);
	fclose(f);
}

static double timeval_seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double read_cpu_clock(clockid_t clock)
{
	struct timespec t;

	if (clock_gettime(clock, &t))
		return NAN;
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/*
 * proc(5), /proc/stat: "cpu" and ticks in user mode, nice, system, idle, iowait, irq,
 * softirq, steal.
 */
static void read_machine(struct resource_usage *u)
{
	double user, nice, system, irq, softirq, steal,
		tick = (double)sysconf(_SC_CLK_TCK);
	FILE *f = fopen("/proc/stat", "re");

	u->machine_cpu_s = u->steal_s = NAN;
	if (!f)
		return;
	if (fscanf(f, "cpu %lf %lf %lf %*f %*f %lf %lf %lf", &user, &nice, &system, &irq,
		   &softirq, &steal) == 6) {
		u->machine_cpu_s = (user + nice + system + irq + softirq) / tick;
		u->steal_s = steal / tick;
	}
	fclose(f);
}

static void read_watched(struct resource_usage *u)
{
	struct device_counts d = device_read_counts(&watched.device);
	struct perf_counts p = perf_read(&watched.perf);

	u->device_reads = d.reads;
	u->device_read_bytes = d.read_bytes;
	u->device_writes = d.writes;
	u->device_write_bytes = d.write_bytes;
	u->device_flushes = d.flushes;
	u->device_busy_s = d.busy_s;
	u->cycles = p.cycles;
	u->instructions = p.instructions;
	u->cache_misses = p.cache_misses;
	u->tlb_misses = p.tlb_misses;
}

struct resource_usage resource_usage_read(void)
{
	struct sync_counts syncs = sync_count_read();
	struct rusage r;
	struct resource_usage u;

	getrusage(RUSAGE_SELF, &r);
	u = (struct resource_usage){
		.user_s = timeval_seconds(r.ru_utime),
		.sys_s = timeval_seconds(r.ru_stime),
		.cpu_s = read_cpu_clock(CLOCK_PROCESS_CPUTIME_ID),
		.ctx_voluntary = (double)r.ru_nvcsw,
		.ctx_involuntary = (double)r.ru_nivcsw,
		.faults_major = (double)r.ru_majflt,
		.faults_minor = (double)r.ru_minflt,
		.fs_in_blocks = (double)r.ru_inblock,
		.fs_out_blocks = (double)r.ru_oublock,
		.fsyncs = (double)syncs.fsyncs,
		.fdatasyncs = (double)syncs.fdatasyncs,
		.msyncs = (double)syncs.msyncs,
		.sync_file_ranges = (double)syncs.sync_file_ranges,
		.dsync_writes = (double)syncs.dsync_writes,
		.syncs = (double)sync_count_total(&syncs),
	};
	if (!sync_count_is_complete())
		u.fsyncs = u.fdatasyncs = u.msyncs = u.sync_file_ranges = u.dsync_writes =
			u.syncs = NAN;
	read_fields("/proc/self/io", io_fields, &u);
	read_machine(&u);
	read_watched(&u);
	return u;
}

enum { RESOURCE_USAGE_FIELDS = sizeof(struct resource_usage) / sizeof(double) };

struct resource_usage resource_usage_since(const struct resource_usage *before,
					   const struct resource_usage *after)
{
	double from[RESOURCE_USAGE_FIELDS], to[RESOURCE_USAGE_FIELDS];
	struct resource_usage spent;

	memcpy(from, before, sizeof from);
	memcpy(to, after, sizeof to);
	for (int i = 0; i < RESOURCE_USAGE_FIELDS; i++)
		to[i] -= from[i];
	memcpy(&spent, to, sizeof spent);
	return spent;
}

struct footprint resource_usage_footprint(void)
{
	struct footprint f = {.peak_rss_kb = NAN};

	read_fields("/proc/self/status", status_fields, &f);
	if (isnan(f.peak_rss_kb)) {
		struct rusage r;

		getrusage(RUSAGE_SELF, &r);
#ifdef __APPLE__
		r.ru_maxrss /= 1024; /* bytes there */
#endif
		f.peak_rss_kb = (double)r.ru_maxrss;
	}
	return f;
}

void resource_usage_reset_peak(void)
{
	/* proc(5): writing 5 resets VmHWM to the current VmRSS. */
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, "5", 1) < 0) {
		/*
		 * An old kernel: the peak is then the process's, as the column's help
		 * states.
		 */
	}
	close(fd);
}

double resource_usage_thread_cpu(void)
{
	return read_cpu_clock(CLOCK_THREAD_CPUTIME_ID);
}

double resource_usage_cpu_of(pthread_t thread)
{
#ifdef __APPLE__
	struct thread_basic_info info;
	mach_msg_type_number_t size = THREAD_BASIC_INFO_COUNT;

	if (thread_info(pthread_mach_thread_np(thread), THREAD_BASIC_INFO,
			(thread_info_t)&info, &size) != KERN_SUCCESS)
		return NAN;
	return info.user_time.seconds + info.system_time.seconds +
	       (info.user_time.microseconds + info.system_time.microseconds) / 1e6;
#elif defined(_POSIX_THREAD_CPUTIME) && _POSIX_THREAD_CPUTIME >= 0 && \
	!defined(ASSAY_PORTABLE)
	clockid_t clock;

	return pthread_getcpuclockid(thread, &clock) ? NAN : read_cpu_clock(clock);
#else
	return (void)thread, NAN;
#endif
}

double resource_usage_overcharged(const struct resource_usage *spent)
{
	/*
	 * A call dirties its bytes' pages: at most one extra page at either end. The rest
	 * is for metadata.
	 */
	enum { METADATA = 1 << 20 };
	double ends = 2 * (double)sysconf(_SC_PAGESIZE);

	double limit =
		1.1 * (spent->io_wchar_bytes + ends * spent->io_write_calls) + METADATA;

	return isnan(spent->io_write_bytes - limit) ? NAN : spent->io_write_bytes > limit;
}

const char *resource_usage_implausible(const struct resource_usage *spent,
				       double foreground, double wall_s, unsigned threads,
				       unsigned cpus)
{
	double field[RESOURCE_USAGE_FIELDS], total = spent->user_s + spent->sys_s;

	memcpy(field, spent, sizeof field);
	/* Machine-wide and scaled counters may run backwards. */
	for (size_t i = 0;
	     i < offsetof(struct resource_usage, device_reads) / sizeof *field; i++)
		if (field[i] < 0)
			return "a counter of the kernel ran backwards";
	if (foreground > wall_s * threads * 1.02 + 0.1)
		return "the threads used more CPU time than passed";
	if (total > wall_s * cpus * 1.02 + 0.1)
		return "the process used more CPU time than the CPUs have";
	return NULL;
}
