/*
 * engine.h: the contract between bench.c and a driver.
 *
 * A driver translates calls and does nothing else: no loop over records, no random
 * number, no clock, no sleep, no key format, no output, no exit. One driver is linked
 * into one program, so struct db and struct session are declared here and defined by the
 * driver; the core allocates both, zeroed, by the sizes that the driver states. What an
 * engine does not have stays NULL. engines/null.c is the smallest complete driver and the
 * file to copy: its timed half first, then the rest. drive.h has what all callers of a
 * driver do alike.
 *
 * Threads. open and close are called by one thread, with no session attached. Each thread
 * then has a session of its own and is the only one to use it; sessions run at the same
 * time.
 *
 * Scans. seek or last begins one; then it goes one way, by next or by prev (after last
 * only by prev), until another call of its session ends it. It visits each record that is
 * there from its beginning to its end exactly once, in the order of keys, whatever other
 * sessions write beside it; they may delete what it has just answered. Records that are
 * written or deleted meanwhile it visits or passes over. next and prev after a CONFLICT
 * go on behind the last record answered.
 *
 * Reopening. A database can be opened at another durability than it was made at. What was
 * closed in order is all there, and from then on the new word's promise holds, for the
 * records before as well.
 *
 * Errors. A call that cannot do what it is asked answers with a status, and when that is
 * FAILED or FULL has put the engine's own words into the `why` buffer it was given at
 * open or attach. The harness then ends the run, detaches, closes, and reports what was
 * measured as partial. CONFLICT says that the engine gave way to another session: the
 * driver has rolled back the transaction and released the snapshot that were open, if
 * any, and the harness does the whole of it again.
 */
#ifndef ENGINE_H
#define ENGINE_H

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
	CONFLICT,    /* lost to another session, rolled back, and may be done again */
	FULL,        /* no room: the device, a quota, or the engine's own limit */
	UNSUPPORTED,
	FAILED,
};

enum durability {
	DURABILITY_NONE,  /* no flush, and no log where the engine can do without */
	/* a commit has reached the operating system: survives kill -9 */
	DURABILITY_ASYNC,
	DURABILITY_SYNC,  /* a commit has reached the device: survives a power cut */
	/* in `gives`: the engine cannot keep this word's promise, nor a stronger one */
	DURABILITY_REFUSED,
};

/*
 * In which ways a batch, the writes between begin and commit, can be there in part: bits.
 */
enum torn {
	TORN_SEEN = 1,      /* other sessions see writes that are not committed yet */
	TORN_ABANDONED = 2, /* rollback leaves what was written */
	TORN_CRASH = 4,     /* a crash that the durability covers can leave a part */
	TORN_DATABASE = 8,  /* or cost what was there before, up to the database */
};

enum compression {
	COMPRESSION_NONE,
	COMPRESSION_SNAPPY,
	COMPRESSION_LZ4,
	COMPRESSION_ZLIB,
	COMPRESSION_ZSTD,
};

enum { WHY_SIZE = 256 }; /* bytes in a `why` buffer */

/* Put the engine's words into `why` and answer the status they come with. */
static inline __attribute__((format(printf, 3, 4))) enum status because(
	char *why, enum status status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, WHY_SIZE, format, arguments);
	va_end(arguments);
	return status;
}

/*
 * What the harness expects a database to hold. Only an engine that stores nothing needs
 * it, to answer as if it had stored everything.
 */
struct oracle {
	uint64_t records;
	const struct record_sizes *sizes; /* of their values */
	/*
	 * A record's index in key order, or UINT64_MAX if no such key was ever written.
	 */
	uint64_t (*index)(const struct oracle *, struct slice key);
	/*
	 * Record number `index` into buffers of key_size and value_size bytes; answers
	 * the value's size.
	 */
	size_t (*record)(const struct oracle *, uint64_t index, char *key, char *value);
};

/*
 * Everything a driver is told, the same for all of them. Valid while the database is
 * open.
 */
struct settings {
	const char *path; /* an existing directory that belongs to the driver alone */
	bool create;      /* it is empty: make a database; otherwise open the one in it */
	/*
	 * a block device to hold the records instead, zero at its beginning if `create`;
	 * or NULL
	 */
	const char *device;
	uint64_t device_bytes; /* of it that may be used, from its beginning on */
	enum durability durability;
	uint64_t num;         /* records to expect */
	size_t key_size;      /* bytes in each key */
	size_t value_size;    /* bytes in the largest value */
	uint64_t cache_bytes; /* the budget of an engine that has a cache of its own */
	uint64_t write_buffer_bytes; /* of an engine that collects writes in a memtable */
	enum compression compression;
	unsigned sessions;    /* most that will be attached at once */
	unsigned multiget;    /* most keys in one multiget */
	bool native_keys;     /* keys are native-endian uint64_t and sort as numbers */
	/*
	 * files are read through a map, and the kernel reads ahead around each page that
	 * is not there
	 */
	bool reads_mapped;
	/*
	 * through a map or by io_submit(2), which the kernel does not count as calls that
	 * write
	 */
	bool writes_unseen;
	/* tune: bits of enum torn that these settings add to the engine's own */
	unsigned torn_batches;
	/*
	 * tune: records are in several places, and a transaction that reads keeps to one
	 */
	bool parted;
	bool verify;          /* values will be checked byte by byte */
	bool forgets;         /* tune: what is written is not there to be read */
	const struct oracle *oracle;
};

/*
 * Pending work, which the engine does by itself: compaction, checkpoint, write-back. An
 * engine that cannot tell how much answers OWED_UNKNOWN and any number that changes while
 * it is at work.
 */
#define OWED_UNKNOWN UINT64_MAX

struct owed {
	uint64_t work;     /* in a unit of the engine's; 0: none */
	uint64_t progress; /* of interest where the work is unknown */
};

/* What the servers of an engine and the way to them took since the database was opened.
 */
struct remote {
	unsigned servers;
	/* all of them, whose processors and memory we share then */
	bool on_this_machine;
	uint64_t round_trips; /* times a session asked, several of them at once or one,
				 and waited for the answer */
	double user_s,
		sys_s; /* CPU time of their processes, since those began */
	double rss_kb; /* resident memory of theirs */
};

struct db;      /* an open database */
struct session; /* one thread's part of it, with everything that thread reuses */

struct engine {
	const char *name;  /* as in bench_NAME */
	const char *title; /* as its authors write it */
	const char *(*version)(void);
	/*
	 * What the cache budget is spent on; NULL: the operating system's page cache
	 * serves; "": none does.
	 */
	const char *cache;
	/* What the write buffer budget is spent on, or NULL: there is none. */
	const char *write_buffer;
	unsigned compressions; /* bits, 1 << COMPRESSION_X; none is always there */
	/*
	 * What each word of durability comes to: that promise, the next stronger one, or
	 * REFUSED.
	 */
	enum durability gives[3];
	/* a function of the engine's library, by which the library is found */
	const char *symbol;
	/* the C++ namespace of its functions, or NULL: the library holds no others */
	const char *own;
	/*
	 * Does the library say that it checks assertions? NULL: it cannot be asked, and
	 * its file is looked at.
	 */
	bool (*asserts)(void);
	/* checksums with CRC-32C, for which processors have an instruction */
	bool crc32c;
	const struct option *options; /* rows added to the option table, or NULL */
	bool stores_nothing;          /* needs no directory and no load */
	unsigned torn_batches;        /* bits of enum torn */
	/* del does not know whether there was a record: it answers DONE */
	bool blind_deletes;
	bool integer_keys;            /* settings.native_keys can be asked for */
	/* between begin and commit get is part of the transaction and sees its writes */
	bool transactions;
	bool raw_devices;             /* settings.device can be asked for */
	/* every value has value_size bytes, every key a place */
	bool fixed_size;
	size_t key_limit;             /* bytes; 0: none that matters */
	uint64_t value_limit;         /* bytes; 0: none that matters */
	/* bytes of struct db and struct session, which the core allocates */
	size_t db_size, session_size;

	/* ---- what is timed: all of a session ---- */

	/*
	 * Write one record, replacing any of that key. The bytes stay the caller's.
	 * Outside a transaction each write commits by itself.
	 */
	enum status (*put)(struct session *, struct slice key, struct slice value);
	/*
	 * The same for a key above all keys in the database, where that can be cheaper;
	 * or NULL.
	 */
	enum status (*append)(struct session *, struct slice key, struct slice value);
	/* NOT_FOUND if there was none, but for blind deletes and those of a batch. */
	enum status (*del)(struct session *, struct slice key);
	/* *value stays valid until the session's next call. */
	enum status (*get)(struct session *, struct slice key, struct slice *value);
	/*
	 * The values of n keys, in one state of the database where the engine has
	 * snapshots; one that was not found has NULL data. They stay valid until the
	 * session's next call. Or NULL.
	 */
	enum status (*multiget)(struct session *, const struct slice *keys,
				struct slice *values, unsigned n);

	/*
	 * A scan. seek begins one at the first record at or above `from`, or at the very
	 * first where from.data is NULL; last at the last record; next and prev answer
	 * the one above or below. NOT_FOUND at the end. Slices stay valid until the
	 * session's next call.
	 */
	enum status (*seek)(struct session *, struct slice from, struct slice *key,
			    struct slice *value);
	enum status (*last)(struct session *, struct slice *key, struct slice *value);
	enum status (*next)(struct session *, struct slice *key, struct slice *value);
	enum status (*prev)(struct session *, struct slice *key, struct slice *value);

	/*
	 * From snapshot to release the session's reads all see the database as it is at
	 * snapshot (or at the first of these reads). It neither writes nor begins a
	 * transaction meanwhile. Or NULL.
	 */
	enum status (*snapshot)(struct session *);
	/*
	 * Release the snapshot and what the last read returned. The core calls it before
	 * a session is idle, too. NULL: reads hold on to nothing, and there are no
	 * snapshots.
	 */
	void (*release)(struct session *);

	/*
	 * A write transaction. A commit that fails has rolled back; rollback leaves
	 * nothing of what was written, and does nothing where no transaction is open. All
	 * three, or none.
	 */
	enum status (*begin)(struct session *);
	enum status (*commit)(struct session *);
	void (*rollback)(struct session *);

	/*
	 * Load an empty database in ascending order of keys, from the only session there
	 * is, by the engine's own loader. Nothing need be there before bulk_end. All
	 * three, or none.
	 */
	enum status (*bulk_begin)(struct session *);
	enum status (*bulk_put)(struct session *, struct slice key, struct slice value);
	enum status (*bulk_end)(struct session *);

	/* ---- the rest ---- */

	/*
	 * May adjust native_keys and key_size, and says reads_mapped, writes_unseen,
	 * torn_batches, parted and forgets; answers NULL, or why these settings cannot
	 * be: what was asked, what is allowed.
	 */
	const char *(*tune)(struct settings *); /* or NULL */

	/*
	 * Open into a zeroed struct db. If it fails close is called as well, for what it
	 * had got so far.
	 */
	enum status (*open)(struct db *, const struct settings *, char *why);
	/* Close what is open; the core frees the struct, whatever is answered. */
	enum status (*close)(struct db *, char *why);

	/*
	 * Bytes of a session beyond session_size, for a flexible array at its end; NULL:
	 * none.
	 */
	size_t (*session_room)(const struct settings *);
	/*
	 * Into a zeroed struct session; `why` is where its errors go. If it fails detach
	 * is called as well.
	 */
	enum status (*attach)(struct session *, struct db *, char *why);
	/*
	 * No transaction is open and nothing held: rollback and release came before. The
	 * core frees the struct.
	 */
	void (*detach)(struct session *);

	/*
	 * Rewrite the whole database in its most compact form. Or NULL: the engine
	 * cannot.
	 */
	enum status (*compact)(struct db *, char *why);

	/*
	 * Do now what the engine would leave for later: flush memtables, make a
	 * checkpoint, flush what is not flushed. It need not wait for what goes on by
	 * itself after that. Or NULL: nothing.
	 */
	enum status (*settle)(struct db *, char *why);
	/*
	 * Pending work, which the core polls until there is none. Or NULL: there never is
	 * any.
	 */
	enum status (*owed)(struct db *, struct owed *, char *why);

	/*
	 * A hot copy into the empty directory `to`, while sessions go on: one that open
	 * finds as it finds settings.path, of one moment between this call's beginning
	 * and its end, and with all that was acknowledged before it began. UNSUPPORTED:
	 * not as it was opened. Or NULL: the harness has the sessions wait, settles, and
	 * copies the files.
	 */
	enum status (*backup)(struct db *, const char *to, char *why);
	const char *backup_by; /* what it calls, for the row */

	/*
	 * The settings in effect as the engine answers them, nothing that is only as it
	 * was passed: "name=value name=value". The core adds what was passed under names
	 * that are not among them. Or NULL: it cannot be asked.
	 */
	void (*describe)(struct db *, char *text, size_t size);
	/*
	 * Of an engine whose records are in other processes, behind a socket, so that
	 * files, memory and CPU time of this one are not the engine's. Also while
	 * sessions are at work. NULL: they are in this process.
	 */
	enum status (*remote)(struct db *, struct remote *, char *why);
	/* The engine's own statistics, as lines of text. */
	void (*statistics)(struct db *, char *text, size_t size);
};

extern const struct engine engine;

#endif
