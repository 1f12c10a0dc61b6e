/*
 * engine.h: the contract between bench.c and a driver.
 *
 * A driver translates calls and does nothing else: no loop over records, no random number, no
 * clock, no key format, no output, no exit. One driver is linked into one program, so struct db
 * and struct session are declared here and defined by the driver. engines/null.c is the smallest
 * complete one and the file to copy.
 *
 * Threads. open and close are called by one thread, with no session attached. Each thread then has
 * a session of its own and is the only one to use it; sessions run at the same time.
 *
 * Errors. A call that cannot do what it is asked answers with a status, and when that is FAILED or
 * FULL has put the engine's own words into the `why` buffer it was given at open or attach. The
 * harness then ends the run, detaches, closes, and reports what was measured as partial. CONFLICT
 * says that the engine gave way to another session: the driver has rolled back the transaction that
 * was open, if any, and the harness does the whole of it again.
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
	DURABILITY_NONE,  /* nothing is forced, no log where the engine can do without */
	DURABILITY_ASYNC, /* a commit has reached the operating system: survives kill -9 */
	DURABILITY_SYNC,  /* a commit has reached the device: survives a power cut */
};

enum compression {
	COMPRESSION_NONE,
	COMPRESSION_SNAPPY,
	COMPRESSION_LZ4,
	COMPRESSION_ZLIB,
	COMPRESSION_ZSTD,
};

enum order { FORWARD, REVERSE };

enum { WHY_SIZE = 256 }; /* bytes in a `why` buffer */

/* Put the engine's words into `why` and answer the status they come with. */
static inline __attribute__((format(printf, 3, 4))) enum status because(char *why, enum status status,
									 const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, WHY_SIZE, format, arguments);
	va_end(arguments);
	return status;
}

/*
 * What the harness expects a database to hold. Only an engine that stores nothing needs it, to
 * answer as if it had stored everything.
 */
struct oracle {
	uint64_t records;
	/* A record's index in key order, or UINT64_MAX if no such key was ever written. */
	uint64_t (*index)(const struct oracle *, struct slice key);
	/* Record number `index` into buffers of key_size and value_size bytes; answers the value's size. */
	size_t (*record)(const struct oracle *, uint64_t index, char *key, char *value);
};

/* Everything a driver is told, the same for all of them. Valid while the database is open. */
struct settings {
	const char *path; /* an existing directory that belongs to the driver alone */
	bool create;      /* it is empty: make a database; otherwise open the one in it */
	const char *device;    /* a block device to hold the records instead, zero at its beginning if `create`; or NULL */
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
	bool reads_mapped;    /* files are read through a map, and the kernel reads ahead around each page that is not there */
	bool writes_unseen;   /* through a map or by io_submit(2), which the kernel does not count as calls that write */
	bool verify;          /* values will be checked byte by byte */
	bool hold_view;       /* reads of a session see one view of the database, from the first to release */
	const struct oracle *oracle;
};

struct db;      /* an open database */
struct session; /* one thread's view of it, with everything that thread reuses */

struct engine {
	const char *name;  /* as in bench_NAME */
	const char *title; /* as its authors write it */
	const char *(*version)(void);
	/* What the cache budget is spent on; NULL: the operating system's page cache serves; "": none does. */
	const char *cache;
	/* What the write buffer budget is spent on, or NULL: there is none. */
	const char *write_buffer;
	unsigned compressions; /* bits, 1 << COMPRESSION_X; none is always there */
	/* What each word of durability comes to: that promise, or the next stronger one. */
	enum durability gives[3];
	const char *symbol; /* a function of the engine's library, by which the library is found */
	bool crc32c;        /* checksums with CRC-32C, for which processors have an instruction */
	const struct option *options; /* rows added to the option table, or NULL */
	bool stores_nothing;          /* needs no directory and no load */
	bool torn_batches;            /* begin and commit group writes, and do not make them atomic */
	bool integer_keys;            /* settings.native_keys can be asked for */
	bool views;                   /* can hold a view over several reads: settings.hold_view */
	bool transactions;            /* between begin and commit get is part of the transaction and sees its writes */
	bool blind_deletes;           /* del answers DONE whether there was a record or not */
	bool raw_devices;             /* settings.device can be asked for */
	bool fixed_size;              /* every value has value_size bytes, every key a place */
	size_t key_limit;             /* bytes; 0: none that matters */
	uint64_t value_limit;         /* bytes; 0: none that matters */

	/*
	 * May adjust native_keys and key_size, and says reads_mapped and writes_unseen; answers NULL, or why these settings cannot be: what was
	 * asked, what is allowed.
	 */
	const char *(*tune)(struct settings *); /* or NULL */

	/* NULL on failure. */
	struct db *(*open)(const struct settings *, char *why);
	enum status (*close)(struct db *, char *why);

	/* NULL on failure. detach abandons an open transaction. */
	struct session *(*attach)(struct db *, char *why);
	void (*detach)(struct session *);

	/*
	 * Let go of what the last read returned, and of the view of the database it was read from.
	 * The harness calls it before a session rests and, where settings.hold_view is set, before a
	 * session writes and when a view has served its reads. Or NULL: reads hold on to nothing.
	 */
	void (*release)(struct session *);

	/* A write transaction. Without one, each write commits by itself. Both or neither. */
	enum status (*begin)(struct session *);
	enum status (*commit)(struct session *);

	/* Write one record, replacing any of that key. The bytes stay the caller's. */
	enum status (*put)(struct session *, struct slice key, struct slice value);
	/* The same for a key above all keys in the database, where that can be cheaper; or NULL. */
	enum status (*append)(struct session *, struct slice key, struct slice value);
	/* *value stays valid until the session's next call. */
	enum status (*get)(struct session *, struct slice key, struct slice *value);
	/*
	 * The values of n keys, in one view of the database where the engine has views; one that was
	 * not found has NULL data. They stay valid until the session's next call. Or NULL.
	 */
	enum status (*multiget)(struct session *, const struct slice *keys, struct slice *values, unsigned n);
	/* NOT_FOUND if there was none; an engine that cannot tell answers DONE. */
	enum status (*del)(struct session *, struct slice key);

	/*
	 * Load an empty database in ascending order of keys, from the only session there is, by the
	 * engine's own loader. Nothing need be there before bulk_end. All three, or none.
	 */
	enum status (*bulk_begin)(struct session *);
	enum status (*bulk_put)(struct session *, struct slice key, struct slice value);
	enum status (*bulk_end)(struct session *);

	/*
	 * Begin a range scan and answer its first record: at `from` or the nearest beyond it in the
	 * given order; at that order's first record when from.data is NULL. next continues it, and
	 * answers NOT_FOUND at the end. Slices stay valid until the session's next call.
	 */
	enum status (*seek)(struct session *, struct slice from, enum order, struct slice *key,
			    struct slice *value);
	enum status (*next)(struct session *, struct slice *key, struct slice *value);

	/* Rewrite the whole database in its most compact form. Or NULL: the engine cannot. */
	enum status (*compact)(struct db *, char *why);

	/* Wait until no work is owed: compaction, checkpoint, write-back. Or NULL: none ever is. */
	enum status (*settle)(struct db *, char *why);

	/* The settings in effect, read back where the engine lets us: "name=value name=value". */
	void (*describe)(struct db *, char *text, size_t size);
	/* The engine's own statistics, as lines of text. */
	void (*statistics)(struct db *, char *text, size_t size);
};

extern const struct engine engine;

#endif
