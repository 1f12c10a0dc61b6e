/*
 * engine.h: the contract between bench.c and a driver.
 *
 * A driver translates calls and does nothing else: no loop over records, no random
 * number, no clock, no sleep, no key format, no output, no exit. One driver is linked
 * into one program, so struct db and struct session are declared here and defined by the
 * driver. The core allocates both, zeroed, with the sizes that the driver states. Members
 * for features that the engine lacks stay NULL. engines/null.c is the smallest complete
 * driver and the file to copy: timed functions first. driver_util.h has functions for all
 * callers of a driver.
 *
 * Threads. One thread calls open and close, with no session attached. A session is used
 * by the thread that attached it alone; sessions of several threads run concurrently. A
 * thread may have several, but uses no other one, and attaches and detaches none, between
 * begin and commit or rollback. So a driver may hold a lock from begin to the end of a
 * transaction. While one of its sessions has a snapshot, it may write by another.
 *
 * Scans. seek or last begins a scan. It then moves in one direction, by next or by prev
 * (after last only by prev), until another call of its session ends it. It visits each
 * record that exists from its beginning to its end exactly once, in the order of keys,
 * despite concurrent writes of other sessions. They may delete the record that it has
 * just returned. A record that is written or deleted meanwhile may be visited or not.
 * After a CONFLICT, next and prev continue after the last record returned.
 *
 * Reopening. A database can be opened at another durability than it was created with. All
 * data of a cleanly closed database is present. From then on the new durability holds,
 * for older records as well.
 *
 * Errors. Every call returns a status. For FAILED or FULL it has written the engine's
 * message into the `why` buffer passed to open or attach. The harness then ends the run,
 * detaches, closes, and reports partial results. CONFLICT means that the engine aborted a
 * call in favour of another session. The driver has rolled back the open transaction and
 * released the open snapshot. The harness then retries the whole transaction or snapshot.
 */
#ifndef ENGINES_ENGINE_H
#define ENGINES_ENGINE_H

#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../util/option.h"

struct slice {
	const void *data;
	size_t size;
};

enum status {
	DONE,
	NOT_FOUND,
	CONFLICT, /* aborted in favour of another session, rolled back, may be retried */
	FULL,     /* no disk space, or no more of a quota of it */
	UNSUPPORTED,
	FAILED,
};

enum durability {
	DURABILITY_NONE, /* no sync, and no log if the engine permits that */
	/* a commit has reached the operating system: it survives kill -9 */
	DURABILITY_ASYNC,
	DURABILITY_SYNC, /* a commit has reached the device: it survives a power cut */
	/*
	 * in `effective_durability`: the engine supports neither this level nor a higher
	 * one
	 */
	DURABILITY_UNSUPPORTED,
};

/* Ways in which a batch (the writes between begin and commit) is not atomic: bits. */
enum non_atomic {
	NON_ATOMIC_VISIBLE = 1,  /* other sessions see uncommitted writes */
	NON_ATOMIC_ROLLBACK = 2, /* rollback leaves writes in place */
	/* a crash covered by the durability level can leave part of a batch */
	NON_ATOMIC_CRASH = 4,
	/* it can also lose older records, up to the whole database */
	NON_ATOMIC_DATABASE = 8,
};

enum compression {
	COMPRESSION_NONE,
	COMPRESSION_SNAPPY,
	COMPRESSION_LZ4,
	COMPRESSION_ZLIB,
	COMPRESSION_ZSTD,
};

enum { ENGINE_ERROR_SIZE = 256 }; /* bytes in a `why` buffer */

/* Writes the engine's message into `why` and returns `status`. */
static inline __attribute__((format(printf, 3, 4))) enum status set_error(
	char *why, enum status status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, ENGINE_ERROR_SIZE, format, arguments);
	va_end(arguments);
	return status;
}

/*
 * The expected contents of a database. Only an engine that stores nothing uses it, to
 * return records as if it had stored them.
 */
struct oracle {
	uint64_t records;
	const struct record_sizes *sizes; /* of the values */
	/*
	 * A record's index in key order, or UINT64_MAX if no such key was ever written.
	 */
	uint64_t (*index)(const struct oracle *, struct slice key);
	/*
	 * Writes record number `index` into buffers of key_size and value_size bytes;
	 * returns the value's size.
	 */
	size_t (*record)(const struct oracle *, uint64_t index, char *key, char *value);
};

/* A driver's parameters, the same for all drivers. Valid while the database is open. */
struct settings {
	const char *path; /* an existing directory for the driver's exclusive use */
	/* create a database in the empty directory; otherwise open the existing one */
	bool create;
	/* a block device for the records, zeroed at its beginning if `create`; or NULL */
	const char *device;
	uint64_t device_bytes; /* usable bytes of the device, from its beginning */
	enum durability durability;
	uint64_t num;         /* expected number of records */
	size_t key_size;      /* bytes in each key */
	size_t value_size;    /* bytes in the largest value */
	uint64_t cache_bytes; /* budget of an engine with its own cache */
	/* budget of an engine that collects writes in a memtable */
	uint64_t write_buffer_bytes;
	enum compression compression;
	unsigned sessions; /* maximum number of attached sessions */
	unsigned multiget; /* maximum number of keys in one multiget */
	bool native_keys;  /* keys are native-endian uint64_t and sort as numbers */
	bool verify;       /* values will be checked byte by byte */
	bool counters;     /* statistics are asked for: count, even if it costs time */
	bool statistics;   /* so is the property `statistics` */
	const struct oracle *oracle;
};

/* Facts about a database that is opened with given settings. */
struct traits {
	/*
	 * NULL, or why the settings are invalid: the requested value and the permitted
	 * ones. Then there are no other facts. Valid until the next call.
	 */
	const char *invalid;
	/*
	 * an option of the engine's asks for settings.native_keys; the caller sets it
	 * before open
	 */
	bool native_keys;
	/* records are read through a map, and the kernel reads ahead on page faults */
	bool reads_mapped;
	/*
	 * writes go through a map or io_submit(2), which the kernel does not count as
	 * write calls
	 */
	bool uncounted_writes;
	/* records are in several shards, and a reading transaction must stay in one */
	bool sharded;
	bool discards_writes; /* writes cannot be read */
	bool transactions;   /* as the engine's, which has them with some settings only */
	unsigned non_atomic; /* bits of enum non_atomic in addition to the engine's */
};

static inline struct traits invalid_settings(const char *why)
{
	return (struct traits){.invalid = why};
}

/*
 * Pending work that the engine does by itself: compaction, checkpoint, write-back. An
 * engine that does not know its amount returns PENDING_WORK_UNKNOWN, and in `progress`
 * any number that changes while it is busy.
 */
#define PENDING_WORK_UNKNOWN UINT64_MAX

struct pending_work {
	uint64_t work;     /* in a unit of the engine's; 0: none */
	uint64_t progress; /* used if the work is unknown */
};

/*
 * Resources used by an engine's servers, and by requests to them, since the database was
 * opened.
 */
struct server_usage {
	unsigned servers;
	/* all servers share CPUs and memory with this process */
	bool local;
	/*
	 * times that a session sent requests, one or several at once, and waited for
	 * replies
	 */
	uint64_t round_trips;
	double user_s, sys_s; /* CPU time of their processes, since these started */
	double rss_kb;        /* their resident memory */
};

/* Work that an engine does in the background, while calls may wait for it. */
enum event_kind {
	EVENT_FLUSH,      /* a memtable becomes a table file */
	EVENT_COMPACTION, /* table files are merged */
	EVENT_CHECKPOINT, /* what the log protects is written to the database */
	EVENT_EVICTION,   /* a cache is relieved of pages */
	/* it lets writes wait, by its own account, until some of its work has ended */
	EVENT_STALL,
	EVENT_KINDS
};

/* Why it lets writes wait. */
enum stall_reason {
	STALL_UNKNOWN,
	STALL_MEMTABLES,  /* too many memtables: a flush has to end */
	STALL_LEVEL0,     /* too many files in level 0: a compaction of it has to end */
	STALL_COMPACTION, /* too much that compactions of other levels have to do */
	STALL_REASONS
};

struct event {
	enum event_kind kind;
	enum stall_reason reason; /* of EVENT_STALL */
	/* the clock of both times: CLOCK_REALTIME, or else CLOCK_MONOTONIC */
	bool realtime;
	uint64_t begin_ns, end_ns;
};

struct db;      /* an open database */
struct session; /* one thread's part of it, with everything that thread reuses */

/*
 * By which the file of the engine's library is found and judged: who built it, how, and
 * whether that build is fit for comparison.
 */
struct provenance {
	/*
	 * a function of the library; NULL: the driver is the whole engine, or there is a
	 * `file`
	 */
	const char *symbol;
	/*
	 * Of a library that is not linked but loaded by open: its path, or "" if it is
	 * not found. NULL: it is linked.
	 */
	const char *(*file)(void);
	/* its own allocator, by name; NULL: it calls malloc */
	const char *allocator;
	/* the C++ namespace of its functions; NULL: the library has no other functions */
	const char *cpp_namespace;
	/*
	 * Whether the library checks assertions, by its own report. NULL: it cannot be
	 * asked, and its file is inspected.
	 */
	bool (*has_assertions)(void);
	/* uses CRC-32C checksums, for which CPUs have an instruction */
	bool crc32c;
};

/*
 * Text in which a driver reports values by their names (driver_common.h). The caller
 * chooses the form, and gives it empty. What does not fit is cut.
 */
struct report {
	char *text;
	size_t size;
	const char *is;      /* stands between a name and its value */
	const char *between; /* stands between two values */
};

/* Options under one name; options on the command line override them. */
struct preset {
	const char *name, *help, *options;
};

struct engine {
	const char *name;  /* as in bench_NAME */
	const char *title; /* as its authors write it */
	const char *(*version)(void);
	/*
	 * Use of the cache budget; NULL: the operating system's page cache is used; "":
	 * no cache is used.
	 */
	const char *cache;
	/* Use of the write buffer budget; NULL: there is none. */
	const char *write_buffer;
	unsigned compressions; /* bits, 1 << COMPRESSION_X; none is always supported */
	/*
	 * The effective level for each requested durability: the same, the next higher
	 * one, or DURABILITY_UNSUPPORTED.
	 */
	enum durability effective_durability[3];
	struct provenance provenance;
	const struct option *options; /* rows added to the option table, or NULL */
	/* options of the engine's own benchmarks, ended by a zero row; or NULL */
	const struct preset *presets;
	bool stores_nothing; /* needs no directory and no load */
	/* only one process can open a database at a time; others fail, or wait */
	bool exclusive;
	/* a second process can open a database, but the engine's authors forbid it */
	bool one_process;
	/* no call of it writes the memtable to a table file: settle and compact leave it */
	bool keeps_memtable;
	/* its files have the names that LevelDB gave them, and can lie among others */
	bool leveldb_files;
	/* a write waits while another session has a transaction that wrote */
	bool one_writer;
	unsigned non_atomic; /* bits of enum non_atomic */
	/* del does not know whether the record existed, and returns DONE */
	bool blind_deletes;
	bool integer_keys; /* settings.native_keys is supported */
	/* between begin and commit, get is part of the transaction and sees its writes */
	bool transactions;
	bool raw_devices; /* settings.device is supported */
	/* every value has value_size bytes, and every key a fixed slot */
	bool fixed_size;
	size_t key_limit;     /* bytes; 0: no relevant limit */
	uint64_t value_limit; /* bytes; 0: no relevant limit */
	/* bytes of struct db and struct session, which the core allocates */
	size_t db_size, session_size;

	/* ---- timed: all functions of a session ---- */

	/*
	 * Writes a record, replacing any with that key. The bytes belong to the caller.
	 * Outside a transaction each write commits by itself.
	 */
	enum status (*put)(struct session *, struct slice key, struct slice value);
	/*
	 * Like put for a key above all keys in the database, where that can be faster; or
	 * NULL.
	 */
	enum status (*append)(struct session *, struct slice key, struct slice value);
	/*
	 * Like put, as an operand that the engine merges with the record later, by an
	 * operator under which the last one wins; or NULL.
	 */
	enum status (*merge)(struct session *, struct slice key, struct slice value);
	/*
	 * Returns NOT_FOUND if the record did not exist, except for blind deletes and in
	 * batches.
	 */
	enum status (*del)(struct session *, struct slice key);
	/* *value is valid until the session's next call. */
	enum status (*get)(struct session *, struct slice key, struct slice *value);
	/*
	 * Reads the values of n keys, from one state of the database if the engine has
	 * snapshots. A missing record has NULL data. Values are valid until the session's
	 * next call. Or NULL.
	 */
	enum status (*multiget)(struct session *, const struct slice *keys,
				struct slice *values, unsigned n);

	/*
	 * Scans. seek begins at the first record at or above `from` (from.data NULL: the
	 * very first), last at the last record. next and prev return the record above or
	 * below. NOT_FOUND at the end. Slices are valid until the session's next call.
	 */
	enum status (*seek)(struct session *, struct slice from, struct slice *key,
			    struct slice *value);
	enum status (*last)(struct session *, struct slice *key, struct slice *value);
	enum status (*next)(struct session *, struct slice *key, struct slice *value);
	enum status (*prev)(struct session *, struct slice *key, struct slice *value);
	/*
	 * Like up to *n calls of next, for an engine whose calls cost much besides its
	 * work. *n is set to the number of records, 1 at least if the result is DONE. All
	 * slices are valid until the session's next call. Scans of several records use
	 * it, in their latency. Or NULL.
	 */
	enum status (*next_many)(struct session *, struct slice *keys,
				 struct slice *values, unsigned *n);

	/*
	 * Between snapshot and release all reads of the session see the database as of
	 * snapshot, or of the first of these reads. Meanwhile it neither writes nor
	 * begins a transaction. Or NULL.
	 */
	enum status (*snapshot)(struct session *);
	/*
	 * Releases the snapshot and the data of the last read. The core also calls it
	 * before a session becomes idle. NULL: reads hold no resources, and there are no
	 * snapshots.
	 */
	void (*release)(struct session *);

	/*
	 * A write transaction. A commit that fails has rolled back. rollback undoes all
	 * writes, and does nothing if no transaction is open. All three, or none.
	 */
	enum status (*begin)(struct session *);
	enum status (*commit)(struct session *);
	void (*rollback)(struct session *);

	/*
	 * Loads any number of records into an empty database, in ascending order of keys,
	 * by the engine's own loader, from the only session. Records need not be visible
	 * before bulk_end. All three, or none.
	 */
	enum status (*bulk_begin)(struct session *);
	enum status (*bulk_put)(struct session *, struct slice key, struct slice value);
	enum status (*bulk_end)(struct session *);

	/* ---- not timed ---- */

	/*
	 * Of a library in another language, into which each call of a session costs more
	 * than a call of C: a call that does nothing, which the core times; and the
	 * calls of all sessions that have been detached since open. NULL, or both.
	 */
	struct {
		enum status (*nothing)(struct session *);
		uint64_t (*calls)(struct db *);
	} crossing;

	/* NULL: all settings are valid, and no trait is set. */
	struct traits (*check_settings)(const struct settings *);

	/*
	 * Opens into a zeroed struct db. If it fails, close is called as well, to free
	 * what was allocated.
	 */
	enum status (*open)(struct db *, const struct settings *, char *why);
	/* Closes the database; the core frees the struct, whatever the result. */
	enum status (*close)(struct db *, char *why);

	/*
	 * Bytes of a session beyond session_size, for a flexible array at its end; NULL:
	 * none.
	 */
	size_t (*session_extra_size)(const struct settings *);
	/*
	 * Attaches a zeroed struct session; its errors go to `why`. If it fails, detach
	 * is called as well.
	 */
	enum status (*attach)(struct session *, struct db *, char *why);
	/*
	 * Called after rollback and release: no transaction is open and nothing is held.
	 * The core frees the struct.
	 */
	void (*detach)(struct session *);

	/* Rewrites the whole database in its most compact form. NULL: not supported. */
	enum status (*compact)(struct db *, char *why);

	/*
	 * Does deferred work now: flushes memtables, makes a checkpoint, syncs unsynced
	 * data (at `none` it need not). Work that then continues by itself need not be
	 * awaited. NULL: there is none.
	 */
	enum status (*settle)(struct db *, char *why);
	/*
	 * Reports pending work, which the core polls until there is none. NULL: there
	 * never is any.
	 */
	enum status (*pending_work)(struct db *, struct pending_work *, char *why);

	/*
	 * Makes a hot copy in the empty directory `to`, while sessions go on. open must
	 * accept it like settings.path. It is consistent as of one moment of this call,
	 * and includes all commits acknowledged before it. UNSUPPORTED: not with these
	 * settings. NULL: the harness pauses the sessions, settles, and copies the files.
	 */
	enum status (*backup)(struct db *, const char *to, char *why);
	const char *backup_by; /* the engine's function for it, for the row */

	/*
	 * Reports the settings in effect, as the engine reports them. Values must not be
	 * those merely passed to it. The core adds passed settings under other names.
	 * NULL: the engine cannot report them.
	 */
	void (*describe)(struct db *, struct report *);
	/*
	 * For an engine whose records are in other processes, behind a socket: files,
	 * memory and CPU time of this process are not the engine's. Also called while
	 * sessions run. NULL: the records are in this process.
	 */
	enum status (*server_usage)(struct db *, struct server_usage *, char *why);
	/*
	 * Passes on the background events that have ended since the last call, or since
	 * open, each once, in any order. Their times are those that the engine noted for
	 * itself, so that they cost a run nothing: a thread that is not measured asks
	 * after it. The core converts them to its own clock, by a reading of both clocks
	 * at the beginning and one at the end of the run. An event whose end lies inside
	 * a slow call may have caused it; one that merely overlaps says nothing.
	 * NULL: the engine has no background work, or notes no times of it.
	 */
	enum status (*events)(struct db *, void (*note)(void *to, const struct event *),
			      void *to, char *why);
	/*
	 * Merges the files of level 0 into the next level, and waits for that. NULL:
	 * there are no levels, or compact is all that can be asked for.
	 */
	enum status (*compact_level0)(struct db *, char *why);
	/*
	 * Reports one of the engine's own statistics as it formats it: `levelstats`,
	 * `sstables`, `memstats` and `stats` of an LSM tree, and `statistics`, its tickers
	 * and histograms, if settings.statistics is set. What it does not know it
	 * leaves empty. NULL: it knows none.
	 */
	void (*property)(struct db *, const char *name, struct report *);
	/*
	 * Reports the engine's own statistics. Numbers that are reported by name
	 * (report_numbers) are its counters for --engine_counters. NULL: it has none.
	 */
	void (*statistics)(struct db *, struct report *);
};

extern const struct engine engine;

#endif
