/*
 * voron.c: Voron, RavenDB's storage engine, a copy-on-write B+tree in one mapped file with
 * a journal, in C#.
 *
 * The calls are in engines/dotnet/voron/, an assembly that is loaded with Voron.dll by
 * .NET's runtime, libcoreclr.so. open() starts the runtime, whose threads a fork would not
 * survive. Each call crosses into it: the column crossing_ns. It keeps SIGSEGV, SIGFPE,
 * SIGBUS, SIGILL, SIGTRAP and signal 34; it is made to leave those that end a program.
 *
 * A session has a read transaction from each read until its next call, as a value lies in
 * the map. There is one writer at a time. A commit is in the journal, at sync by one write
 * with O_DIRECT and O_DSYNC. Traps: Voron asks libc for its functions, so that it has to
 * be led to those of the program, which count syncs; and what it resolves against its own
 * directory, a relative path, is made absolute here.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "../util/os/library_info.h"
#include "driver_common.h"

static struct {
	uint64_t initial_log, max_log, journal_pages;
	int gc;
} option_values;

static const char *const collectors[] = {"workstation", "server", NULL};

static const struct option options[] = {
	{"initial_log", "64Ki",
	 "Size of a first journal, bytes (InitialLogFileSize). Each next one has twice "
	 "as much, to --max_log. A new journal costs several syncs.",
	 .size = &option_values.initial_log, .min = 65536, .group = "Voron"},
	{"max_log", "256Mi", "Largest size of a journal, bytes (MaxLogFileSize).",
	 .size = &option_values.max_log, .min = 65536},
	{"journal_pages", "4096",
	 "Pages in the journal after which a thread in the background writes "
	 "them to the data file (MaxNumberOfPagesInJournalBeforeFlush).",
	 .count = &option_values.journal_pages, .min = 1},
	{"gc", "workstation",
	 "Collector of .NET: workstation, or server, which RavenDB uses. The latter has "
	 "a heap for each CPU and takes more memory.",
	 .choice = &option_values.gc, .choices = collectors},
	{0},
};

struct db {
	long handle;
	bool open;
	_Atomic uint64_t calls; /* of the sessions that have been detached */
};

struct session {
	long handle;
	uint64_t calls;
	struct db *db;
	bool attached;
};

/* The same structure in voron.cs, which must have this size there. */
struct voron_settings {
	long size;
	const char *path;
	void *program; /* where Voron finds what it wants of libc */
	long durability, create;
	long initial_log, max_log, journal_pages;
};

/* What the assembly has: NAME, its name there, parameters. */
#define VORON_FUNCTIONS(F) \
	F(nothing, "Nothing", (long)) \
	F(put, "Put", (long, const void *, size_t, const void *, size_t)) \
	F(del, "Del", (long, const void *, size_t)) \
	F(get, "Get", (long, const void *, size_t, struct slice *)) \
	F(seek, "Seek", (long, const void *, size_t, struct slice *, struct slice *)) \
	F(last, "Last", (long, struct slice *, struct slice *)) \
	F(next, "Next", (long, struct slice *, struct slice *)) \
	F(prev, "Prev", (long, struct slice *, struct slice *)) \
	F(next_many, "NextMany", (long, struct slice *, struct slice *, unsigned *)) \
	F(snapshot, "Snapshot", (long)) \
	F(release, "Release", (long)) \
	F(begin, "Begin", (long)) \
	F(commit, "Commit", (long)) \
	F(rollback, "Rollback", (long)) \
	F(open, "Open", (const struct voron_settings *, long *, char *)) \
	F(close, "Close", (long, char *)) \
	F(attach, "Attach", (long, long *, char *)) \
	F(detach, "Detach", (long)) \
	F(settle, "Settle", (long, char *)) \
	F(describe, "Describe", (long, char *, long, char *)) \
	F(statistics, "Statistics", (long, char *, long, char *))

/* clang-format off */
#define VORON_MEMBER(name, text, parameters) int (*name) parameters;
/* clang-format on */
static struct {
	VORON_FUNCTIONS(VORON_MEMBER)
} voron_calls;

/* ---- timed ---- */

#define VORON_CALL(name, ...) \
	((enum status)(s->calls++, voron_calls.name(s->handle, __VA_ARGS__)))
#define VORON_CALL_ALONE(name) ((enum status)(s->calls++, voron_calls.name(s->handle)))

static enum status voron_put(struct session *s, struct slice key, struct slice value)
{
	return VORON_CALL(put, key.data, key.size, value.data, value.size);
}

static enum status voron_del(struct session *s, struct slice key)
{
	return VORON_CALL(del, key.data, key.size);
}

static enum status voron_get(struct session *s, struct slice key, struct slice *value)
{
	return VORON_CALL(get, key.data, key.size, value);
}

static enum status voron_seek(struct session *s, struct slice from, struct slice *key,
			      struct slice *value)
{
	return VORON_CALL(seek, from.data, from.size, key, value);
}

static enum status voron_last(struct session *s, struct slice *key, struct slice *value)
{
	return VORON_CALL(last, key, value);
}

static enum status voron_next(struct session *s, struct slice *key, struct slice *value)
{
	return VORON_CALL(next, key, value);
}

static enum status voron_prev(struct session *s, struct slice *key, struct slice *value)
{
	return VORON_CALL(prev, key, value);
}

static enum status voron_next_many(struct session *s, struct slice *keys,
				   struct slice *values, unsigned *n)
{
	return VORON_CALL(next_many, keys, values, n);
}

static enum status voron_snapshot(struct session *s)
{
	return VORON_CALL_ALONE(snapshot);
}

static void voron_release(struct session *s)
{
	if (s->attached)
		(void)VORON_CALL_ALONE(release);
}

static enum status voron_begin(struct session *s)
{
	return VORON_CALL_ALONE(begin);
}

static enum status voron_commit(struct session *s)
{
	return VORON_CALL_ALONE(commit);
}

static void voron_rollback(struct session *s)
{
	if (s->attached)
		(void)VORON_CALL_ALONE(rollback);
}

/* ---- the runtime ---- */

#define VORON_BUILD "build it: scripts/engine.sh build voron"

static const char *voron_file(void)
{
	static char path[512];

	if (!*path)
		library_info_locate("Voron.dll", path, sizeof path);
	return path;
}

/* From the resources of Voron.dll, which the parent process does not load. */
static const char *voron_version(void)
{
	static const char mark[] = "ProductVersion";
	static char version[32];
	FILE *file = *version ? NULL : fopen(voron_file(), "re");
	size_t met = 0, n = 0;

	/* the mark and the version are of 16 bits a letter, and zeros lie between */
	for (int c, letter = 0; file && n + 1 < sizeof version && (c = getc(file)) != EOF;
	     letter = c) {
		if (met < sizeof mark - 1 && c)
			met = c == mark[met] ? met + 1 : c == mark[0];
		else if (met == sizeof mark - 1 && (c == '.' || (c >= '0' && c <= '9')))
			version[n++] = (char)c;
		else if (n && !c && !letter)
			break;
	}
	if (file)
		fclose(file);
	return *version ? version : "unknown";
}

/* An assembly has no assertions but those of its compiler's setting, which is release. */
static bool voron_has_assertions(void)
{
	return false;
}

/* The directory of what is loaded; "": there is none. */
static void find_directory(char *directory, size_t size)
{
	char *slash;

	snprintf(directory, size, "%s", voron_file());
	slash = strrchr(directory, '/');
	if (slash)
		*slash = '\0';
}

/* NULL, or which of the files that open() loads cannot be read. */
static const char *lacks_file(void)
{
	static const char *const files[] = {"Voron.dll", "libcoreclr.so",
					    "assay_voron.dll"};
	static char text[700];
	char directory[512], path[600];

	find_directory(directory, sizeof directory);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "%s/%s", directory, files[i]);
		if (!*directory || access(path, R_OK)) {
			snprintf(text, sizeof text, "cannot read %s; " VORON_BUILD,
				 *directory ? path : files[i]);
			return text;
		}
	}
	return NULL;
}

/* The assemblies of a directory, each ended by a colon; NULL: no memory. */
static char *list_assemblies(const char *directory)
{
	DIR *dir = opendir(directory);
	size_t size = 0;
	char *list = NULL;
	FILE *to = dir ? open_memstream(&list, &size) : NULL;

	for (struct dirent *d; to && (d = readdir(dir));) {
		size_t length = strlen(d->d_name);

		if (length > 4 && !strcmp(d->d_name + length - 4, ".dll"))
			fprintf(to, "%s/%s:", directory, d->d_name);
	}
	if (to)
		fclose(to);
	if (dir)
		closedir(dir);
	return list;
}

typedef int clr_initialize(const char *program, const char *domain, int properties,
			   const char **names, const char **values, void **host,
			   unsigned *id);
typedef int clr_delegate(void *host, unsigned id, const char *assembly, const char *type,
			 const char *method, void **function);

/* Starts the runtime with what lies in `directory`; its errors are numbers. */
static enum status start_runtime(const char *directory, clr_initialize *initialize,
				 void **host, unsigned *id, char *why)
{
	char *assemblies = list_assemblies(directory);
	const char *names[] = {"TRUSTED_PLATFORM_ASSEMBLIES",
			       "NATIVE_DLL_SEARCH_DIRECTORIES", "System.GC.Server",
			       "System.Globalization.Invariant",
			       "System.Runtime.TieredCompilation"};
	const char *values[] = {assemblies, directory,
				option_values.gc ? "true" : "false", "true", "false"};
	int rc;

	/* else it leaves pipes for debuggers in /tmp */
	setenv("COMPlus_EnableDiagnostics", "0", 0);
	rc = initialize(directory, "assay", sizeof names / sizeof *names, names, values,
			host, id);

	free(assemblies);
	return rc < 0 ? set_error(why, FAILED,
				  ".NET's runtime in %s does not start: error "
				  "%#x; " VORON_BUILD,
				  directory, (unsigned)rc)
		      : DONE;
}

static enum status load_voron(char *why)
{
	char directory[512], library[600];
	void *runtime, *symbol[2], *host;
	clr_initialize *initialize;
	clr_delegate *delegate;
	unsigned id;

	find_directory(directory, sizeof directory);
	snprintf(library, sizeof library, "%s/libcoreclr.so", directory);
	runtime = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!runtime)
		return set_error(why, FAILED, "%s; " VORON_BUILD, dlerror());
	symbol[0] = dlsym(runtime, "coreclr_initialize");
	symbol[1] = dlsym(runtime, "coreclr_create_delegate");
	if (!symbol[0] || !symbol[1])
		return set_error(why, FAILED, "%s is no runtime of .NET; " VORON_BUILD,
				 library);
	memcpy(&initialize, &symbol[0], sizeof initialize);
	memcpy(&delegate, &symbol[1], sizeof delegate);
	if (start_runtime(directory, initialize, &host, &id, why) != DONE)
		return FAILED;
#define VORON_FIND(name, text, parameters) \
	if (delegate(host, id, "assay_voron", "Assay.Calls", text, &symbol[0]) < 0) \
		return set_error(why, FAILED, \
				 "%s/assay_voron.dll has no " text ", it is not of " \
				 "this assay; " VORON_BUILD, \
				 directory); \
	memcpy(&voron_calls.name, &symbol[0], sizeof symbol[0]);
	VORON_FUNCTIONS(VORON_FIND)
	return DONE;
}

/* ---- not timed ---- */

static enum status voron_nothing(struct session *s)
{
	return (enum status)voron_calls.nothing(s->handle);
}

static uint64_t voron_count_calls(struct db *db)
{
	return atomic_load(&db->calls);
}

static enum status open_database(struct db *db, const struct settings *s, char *why)
{
	char path[PATH_MAX];
	struct voron_settings settings = {
		.size = sizeof settings,
		.path = realpath(s->path, path),
		.program = dlopen(NULL, RTLD_NOW),
		.durability = s->durability,
		.create = s->create,
		.initial_log = (long)option_values.initial_log,
		.max_log = (long)option_values.max_log,
		.journal_pages = (long)option_values.journal_pages,
	};

	if (!settings.path)
		return set_error(why, FAILED, "cannot resolve %s", s->path);
	return (enum status)voron_calls.open(&settings, &db->handle, why);
}

/* The runtime wants signals that end a program, and does not give them back. */
static enum status voron_open(struct db *db, const struct settings *s, char *why)
{
	static const int ending[] = {SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
	struct sigaction kept[sizeof ending / sizeof *ending];
	enum status status;

	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		sigaction(ending[i], NULL, &kept[i]);
	status = voron_calls.statistics ? DONE : load_voron(why);
	if (status == DONE)
		status = open_database(db, s, why);
	db->open = status == DONE;
	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		sigaction(ending[i], &kept[i], NULL);
	return status;
}

static enum status voron_close(struct db *db, char *why)
{
	return db->open ? (enum status)voron_calls.close(db->handle, why) : DONE;
}

static enum status voron_attach(struct session *s, struct db *db, char *why)
{
	enum status status = (enum status)voron_calls.attach(db->handle, &s->handle, why);

	s->db = db;
	s->attached = status == DONE;
	return status;
}

static void voron_detach(struct session *s)
{
	if (s->attached)
		voron_calls.detach(s->handle);
	atomic_fetch_add(&s->db->calls, s->calls);
}

static enum status voron_settle(struct db *db, char *why)
{
	return (enum status)voron_calls.settle(db->handle, why);
}

/* Reports names and values, each ended by a zero. */
static void report_pairs(struct report *report, const char *text)
{
	while (*text) {
		const char *value = text + strlen(text) + 1;

		report_text(report, text, value);
		text = value + strlen(value) + 1;
	}
}

static void voron_describe(struct db *db, struct report *report)
{
	char text[2048], why[ENGINE_ERROR_SIZE];

	if (voron_calls.describe(db->handle, text, sizeof text, why) == DONE)
		report_pairs(report, text);
}

static void voron_statistics(struct db *db, struct report *report)
{
	char text[2048], why[ENGINE_ERROR_SIZE];

	if (voron_calls.statistics(db->handle, text, sizeof text, why) == DONE)
		report_pairs(report, text);
}

static struct traits voron_check_settings(const struct settings *s)
{
	(void)s;
	if (lacks_file())
		return invalid_settings(lacks_file());
	if (option_values.initial_log > option_values.max_log)
		return invalid_settings("--initial_log is larger than --max_log");
	return (struct traits){.reads_mapped = true};
}

const struct engine engine = {
	.name = "voron",
	.title = "Voron",
	.version = voron_version,
	.provenance = {.file = voron_file,
		       .allocator = ".NET",
		       .has_assertions = voron_has_assertions},
	.db_size = sizeof(struct db),
	.session_size = sizeof(struct session),
	.effective_durability = {DURABILITY_NONE, DURABILITY_ASYNC, DURABILITY_SYNC},
	.options = options,
	.one_writer = true,
	.transactions = true,
	.key_limit = 2025,
	.value_limit = 0x7fffffff,
	.put = voron_put,
	.del = voron_del,
	.get = voron_get,
	.seek = voron_seek,
	.last = voron_last,
	.next = voron_next,
	.prev = voron_prev,
	.next_many = voron_next_many,
	.snapshot = voron_snapshot,
	.release = voron_release,
	.begin = voron_begin,
	.commit = voron_commit,
	.rollback = voron_rollback,
	.crossing = {voron_nothing, voron_count_calls},
	.check_settings = voron_check_settings,
	.open = voron_open,
	.close = voron_close,
	.attach = voron_attach,
	.detach = voron_detach,
	.settle = voron_settle,
	.describe = voron_describe,
	.statistics = voron_statistics,
};
