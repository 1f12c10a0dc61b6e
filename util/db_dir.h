/*
 * db_dir.h: the directory of a database, and the guarantee that no foreign file is
 * deleted.
 *
 * DIR/assay.db is the marker: text that states which engine's records the directory
 * holds. The engine's own files are in DIR/data, the only directory that is ever cleared.
 * In a flat directory they are beside the marker, and only files with the names that
 * LevelDB and RocksDB give are ever deleted.
 * A directory is refused if it is not empty and has no marker, or if another process uses
 * it. It is also refused if the directory, the marker or one of the engine's files is a
 * symbolic link or belongs to another user. Errors are one sentence.
 */
#ifndef UTIL_DB_DIR_H
#define UTIL_DB_DIR_H

#include <stdbool.h>
#include <stdint.h>

enum { DB_DIR_PATH_SIZE = 4096, DB_DIR_ERROR_SIZE = DB_DIR_PATH_SIZE + 256 };

/* Order in which a load wrote its keys. */
enum db_dir_order { DB_DIR_ORDER_UNKNOWN, DB_DIR_ORDER_SEQUENTIAL, DB_DIR_ORDER_RANDOM };

/* Contents of the marker. */
struct db_dir_facts {
	char engine[32];
	/* key range: records 0 to keys - 1 were written or may have been */
	uint64_t key_range;
	uint64_t complete;   /* 1: every one of them is present, */
	uint64_t records;    /* and this many including those beyond; 0: unknown */
	uint64_t unfinished; /* 1: a load has begun and has not completed */
	uint64_t key_size, key_format, compression_ratio;
	/* largest, smallest, and a hash of listed sizes, or 0 */
	uint64_t value_max, value_min, value_list_hash;
	uint64_t value_format; /* RECORD_FORMAT of the program that loaded it */
	/*
	 * values of any size up to this may occur, by a recording or a replay; 0: a
	 * generation tells the size
	 */
	uint64_t value_any_max;
	uint64_t any_keys;   /* 1: a trace's keys may occur, which tell no number */
	uint64_t load_order; /* enum db_dir_order */
	uint64_t passes;     /* completed aging passes */
	uint64_t to_restore; /* deleted from a complete database by this pass, or 0 */
	/*
	 * id of the load that a block device must hold (raw_device.h); 0: records are in
	 * files
	 */
	uint64_t raw_load_id;
	uint64_t next_epoch; /* of the next measurement; 0: it was never measured */
	uint64_t is_flat;    /* 1: the engine's files are in the directory itself */
	uint64_t is_copy;    /* 1: db_dir_copy made it, and another may take its place */
};

struct db_dir {
	char path[DB_DIR_PATH_SIZE];
	char data_path[DB_DIR_PATH_SIZE]; /* the engine's directory */
	int marker_fd;                    /* open and locked, or -1 */
	bool shared;                      /* locked shared, with other processes */
	struct db_dir_facts facts;
};

/* Opens `path`, which must hold a database made by this suite. */
bool db_dir_open(struct db_dir *s, const char *path, char *error);

/* Opens it while other processes share it; none of them may change it. */
bool db_dir_open_shared(struct db_dir *s, const char *path, char *error);

/* Opens `path`; creates the directory, its parents and the marker if they are missing. */
bool db_dir_create(struct db_dir *s, const char *path, const char *engine, char *error);

/*
 * Opens `path` as a flat directory, whatever else it holds, for an engine whose files are
 * named as LevelDB's. What is missing is created. Facts that no marker states are 0.
 */
bool db_dir_open_flat(struct db_dir *s, const char *path, const char *engine,
		      char *error);

/*
 * Creates the parent of the default directory with mode 0700. Returns false if it is a
 * link, belongs to another user, or another user may write to it.
 */
bool db_dir_make_private(const char *path, char *error);

/*
 * Replaces the engine's files and the facts by copies of those of `source`, whose
 * database must be closed. The copies are synced, and their pages are dropped from the
 * page cache. `has_space` says that a copy that shares no blocks may be tried.
 * Refuses a directory whose database was made otherwise.
 */
bool db_dir_copy(struct db_dir *s, const struct db_dir *source, bool has_space,
		 char *error);

/*
 * Deletes the database, its marker and its directory, with the databases in that, and
 * closes it.
 */
bool db_dir_remove(struct db_dir *s, char *error);

/* Deletes the engine's files, and nothing else, and leaves its directory empty. */
bool db_dir_clear(struct db_dir *s, char *error);

/* Reads the facts again, after another process may have written them. */
void db_dir_read_facts(struct db_dir *s);

/* Writes the facts into the marker. */
bool db_dir_write_facts(struct db_dir *s, char *error);

/* Bytes in the engine's files; NaN: unknown. */
struct db_dir_size {
	double apparent; /* lengths */
	double disk;     /* allocated by the file system, */
	/* and of that, behind the blocks of their lengths */
	double preallocated;
};

struct db_dir_size db_dir_size(const struct db_dir *s);

/*
 * Number of extents of its files on the device (Linux's FIEMAP). Unwritten data may be
 * missing from it. NaN where the file system does not report extents.
 */
double db_dir_extents(const struct db_dir *s);

/* Bytes of disk space of a database at `path`; 0 if there is none. */
double db_dir_disk_usage(const char *path);

struct db_dir_cold {
	/*
	 * "files": the engine's files were dropped one by one; "files and all": then all
	 * files; "device"
	 */
	const char *method;
	/*
	 * bytes of the engine's files that stayed in memory, by mincore(); NaN: unknown
	 */
	double resident_kb;
};

/* Syncs the engine's files and drops their pages from memory; they must not be open. */
bool db_dir_drop_cache(const struct db_dir *s, struct db_dir_cold *cold, char *error);

/*
 * Brings the engine's files into one state of the page cache, whoever wrote them: syncs
 * them, drops their pages and reads them in sequence, in whose large folios lookups take
 * up to 10 % less CPU time. They must not be open. *filled: everything read is in memory;
 * false: the pages could not be dropped, or did not stay.
 */
bool db_dir_refill_cache(const struct db_dir *s, bool *filled, char *error);

/* Bytes of the engine's files in memory, by mincore(); NaN: unknown. */
double db_dir_resident(const struct db_dir *s);

/* Are so many bytes, of db_dir_resident, more than a sixteenth of the engine's files? */
bool db_dir_is_cached(const struct db_dir *s, double resident);

/* Bytes in memory among a file's first `bytes`, by mincore(); NaN: unknown. */
double db_dir_resident_of_file(int fd, uint64_t bytes);

void db_dir_close(struct db_dir *s);

#endif
