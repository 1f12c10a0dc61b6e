/*
 * device_limit.c: what the device under the database can do by itself, for rows that it
 * limits: one second of random reads and one of syncs, in the same directory, once per
 * process, after the database is closed.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../util/message.h"
#include "../../util/os/clock.h"
#include "../../util/os/file_cache.h"
#include "../../util/random.h"
#include "../runner/database.h"
#include "../runner/metrics.h"

#ifdef O_DIRECT
#define LIMIT_DIRECT O_DIRECT
#else
#define LIMIT_DIRECT 0
#endif

extern const struct extra device_limit_extra;

enum { LIMIT_BLOCK = 4096, LIMIT_BLOCKS = 16384, LIMIT_NS = 1000000000 };

struct device_limit_columns {
	double device_read_p50_ns, sync_p50_ns, sync_p99_ns;
};

static const struct row_file_column device_limit_table[] = {
	RESULT_NUMBER(device_limit_columns, device_read_p50_ns, 0,
		      "Median time of a 4 KiB read with O_DIRECT at random offsets of "
		      "a file in the database's directory. It is measured after the "
		      "database was closed, once per process. Compare the engine's "
		      "reads with it. Empty: bound_by is neither device nor sync; a run "
		      "below one second; a database not yet closed (--reopen=0); a bare "
		      "device (--device)."),
	RESULT_NUMBER(device_limit_columns, sync_p50_ns, 0,
		      "Median time of fdatasync after a 4 KiB write to a file in the "
		      "database's directory. It is measured after the database was "
		      "closed, once per process. Compare the engine's commits with it. "
		      "Empty: bound_by is neither device nor sync; a run below one "
		      "second; a database not yet closed (--reopen=0); a bare device "
		      "(--device)."),
	RESULT_NUMBER(device_limit_columns, sync_p99_ns, 0,
		      "99th percentile of the time of fdatasync after a 4 KiB write to "
		      "a file in the database's directory. It is measured with "
		      "sync_p50_ns, after the database was closed. Compare the "
		      "engine's slowest commits with it. Empty: as sync_p50_ns."),
};

/* A file without a name, which ends with its descriptor; -1: there is none. */
static int device_limit_open(const char *directory)
{
	char path[DB_DIR_PATH_SIZE + 32];
	int fd;

	snprintf(path, sizeof path, "%s/device_limit.%ld", directory, (long)getpid());
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		unlink(path);
	return fd;
}

/* Fill the file for at most a second; returns its blocks. */
static uint64_t device_limit_write(int fd, const char *block)
{
	uint64_t end = clock_raw_ns() + LIMIT_NS, n = 0;

	while (n < LIMIT_BLOCKS && clock_raw_ns() < end &&
	       pwrite(fd, block, LIMIT_BLOCK, (off_t)(n * LIMIT_BLOCK)) == LIMIT_BLOCK)
		n++;
	return fsync(fd) ? 0 : n;
}

static bool device_limit_read(int fd, char *block, uint64_t at)
{
	return pread(fd, block, LIMIT_BLOCK, (off_t)(at * LIMIT_BLOCK)) == LIMIT_BLOCK;
}

static bool device_limit_sync(int fd, char *block, uint64_t at)
{
	return pwrite(fd, block, LIMIT_BLOCK, (off_t)(at * LIMIT_BLOCK)) == LIMIT_BLOCK;
}

/* Times calls for a second; of a sync only the sync itself, after its write. */
static bool device_limit_time(int fd, char *block, uint64_t blocks, bool syncs,
			      struct hist *h)
{
	struct random random = random_seed(1, "device_limit");
	uint64_t end = clock_raw_ns() + LIMIT_NS, begin, now = 0;

	memset(h, 0, sizeof *h);
	h->unit = 1;
	while (now < end) {
		uint64_t at = random_next(&random) % blocks;

		if (syncs && !device_limit_sync(fd, block, at))
			return false;
		begin = clock_raw_ns();
		if (syncs ? file_cache_sync(fd) != 0 : !device_limit_read(fd, block, at))
			return false;
		now = clock_raw_ns();
		hist_record(h, now - begin);
	}
	return true;
}

/* Without O_DIRECT reads would come from memory: their time is then unknown. */
static void device_limit_measure(const char *directory, struct device_limit_columns *to)
{
	struct hist *h = message_alloc(1, sizeof *h);
	char *block = message_alloc_aligned(2 * LIMIT_BLOCK);
	char *aligned = block + LIMIT_BLOCK - (uintptr_t)block % LIMIT_BLOCK;
	int fd = device_limit_open(directory);
	uint64_t blocks = fd >= 0 ? device_limit_write(fd, aligned) : 0;

	if (blocks && LIMIT_DIRECT != 0 && !fcntl(fd, F_SETFL, LIMIT_DIRECT) &&
	    device_limit_time(fd, aligned, blocks, false, h))
		to->device_read_p50_ns = hist_quantile(h, 500000);
	if (blocks && !fcntl(fd, F_SETFL, 0) &&
	    device_limit_time(fd, aligned, blocks, true, h)) {
		to->sync_p50_ns = hist_quantile(h, 500000);
		to->sync_p99_ns = hist_quantile(h, 990000);
	}
	if (fd >= 0)
		close(fd);
	free(block);
	free(h);
}

/* A row that is too short to be judged by its device's time has no limit of it either. */
static void device_limit_fill(const struct aggregate *a, struct result *r)
{
	static struct device_limit_columns measured;
	static bool is_measured;
	const struct database *d = a->info->database;
	const char *directory = database_storage_path(d);

	if (!directory || *cfg->device || r->seconds < 1 ||
	    (strcmp(r->bound_by, "device") && strcmp(r->bound_by, "sync")))
		return;
	if (!is_measured) {
		if (d->db || a->interrupted || d->failure.failed)
			return;
		measured = (struct device_limit_columns){NAN, NAN, NAN};
		device_limit_measure(directory, &measured);
		is_measured = true;
	}
	*(struct device_limit_columns *)result_added(r, &device_limit_extra.columns) =
		measured;
}

const struct extra device_limit_extra = {
	.columns = ROW_FILE_COLUMNS(device_limit_table),
	.fill = device_limit_fill,
};
