/*
 * iterators.c: an open iterator beside deletes.
 *
 * An iterator stands on the first of all records while another session deletes all of
 * them. It then tells how many are visible to it. Before, meanwhile, after its release and after
 * reopening, the database's blocks are counted and the search for the first record is
 * timed: the search has to get past whatever deletes leave behind.
 */
#include <ftw.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "conform.h"
#include "../util/os/clock.h"

enum { ALL = 20000, BATCH = 1000, PATIENCE_MS = 10000 };

static uint64_t found_blocks;

static int count_blocks(const char *path, const struct stat *info, int kind,
			struct FTW *where)
{
	(void)path;
	(void)where;
	if (kind == FTW_F)
		found_blocks += (uint64_t)info->st_blocks;
	return 0;
}

static uint64_t disk_kib(const struct test_database *p)
{
	found_blocks = 0;
	nftw(p->settings_copy->settings.path, count_blocks, 16, FTW_PHYS);
	return found_blocks / 2;
}

static bool write_batch(struct session *s, uint64_t from, bool deletes)
{
	char k[KEY + 1], v[VALUE];
	enum status status = engine.begin ? engine.begin(s) : DONE;

	for (uint64_t i = from; status == DONE && i < from + BATCH; i++)
		status = deletes ? engine.del(s, conform_key(k, i))
				 : engine.put(s, conform_key(k, i),
					      conform_value(v, i, 0));
	return status == DONE && (!engine.begin || engine.commit(s) == DONE);
}

/* All of them, by a thread and session of its own; `batches` are done. */
struct iterator_deleter {
	const struct test_database *in;
	_Atomic unsigned batches;
	_Atomic bool failed;
	char why[ENGINE_ERROR_SIZE];
};

static void *delete_all(void *argument)
{
	struct iterator_deleter *d = argument;
	struct session *s = conform_attach(d->in, d->why);

	for (uint64_t i = 0; s && i < ALL && !d->failed; i += BATCH) {
		d->failed = !write_batch(s, i, true);
		d->batches++;
	}
	d->failed |= !s;
	if (s)
		conform_detach(s);
	return NULL;
}

/*
 * us that a search for the first record takes, the shortest of three; whether it finds one
 * goes to *finds
 */
static double search_us(struct session *s, bool *finds)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 3; i++) {
		struct slice key, value;
		uint64_t began = clock_raw_ns(), took;

		*finds = engine.seek(s, conform_slice(NULL, 0), &key, &value) == DONE;
		took = clock_raw_ns() - began;
		if (engine.release)
			engine.release(s);
		least = took < least ? took : least;
	}
	return (double)least / 1000;
}

/* Records visible to an iterator that stands on the first one; false: a call failed. */
static bool iterate_on(struct session *s, uint64_t *records)
{
	struct slice key, value;
	enum status status;

	*records = 1;
	while ((status = engine.next(s, &key, &value)) == DONE)
		++*records;
	return status == NOT_FOUND;
}

/* The database, loaded and opened again. */
static struct test_database load_all(struct settings settings)
{
	struct test_database p = conform_open_with(settings);
	bool ok = true;

	for (uint64_t i = 0; ok && i < ALL; i += BATCH)
		ok = write_batch(p.session, i, false);
	if (!conform_close(p) || !ok)
		conform_fatal("a database to iterate over");
	settings.create = false;
	return conform_open_with(settings);
}

int iterators_print(void)
{
	struct settings settings =
		conform_settings(conform_path("iterators"), true, VALUE);
	struct test_database p;
	struct iterator_deleter d = {0};
	struct slice key, value;
	uint64_t loaded, deleted, visible = 0;
	double before, after;
	bool finds, left, waits, read;
	pthread_t thread;

	settings.num = ALL;
	p = load_all(settings);
	loaded = disk_kib(&p);
	before = search_us(p.session, &finds);
	finds &= engine.seek(p.session, conform_slice(NULL, 0), &key, &value) == DONE;
	d.in = &p;
	if (!finds || pthread_create(&thread, NULL, delete_all, &d))
		conform_fatal("an iterator and a thread");
	for (int ms = 0; d.batches < ALL / BATCH && !d.failed && ms < PATIENCE_MS; ms++)
		conform_sleep_us(1000);
	waits = d.batches < ALL / BATCH && !d.failed;
	deleted = disk_kib(&p);
	read = iterate_on(p.session, &visible);
	if (engine.release)
		engine.release(p.session);
	pthread_join(thread, NULL);
	after = search_us(p.session, &left);
	conform_close(p);
	settings.create = false;
	p = conform_open_with(settings);
	printf("{\"engine\": \"%s\", \"version\": \"%s\", \"visible\": %" PRIu64
	       ", \"read\": %s, \"waits\": %s, \"loaded_kib\": %" PRIu64
	       ", \"deleted_kib\": %" PRIu64 ", \"closed_kib\": %" PRIu64
	       ", \"search_us\": [%.1f, %.1f]}\n",
	       engine.name, engine.version(), visible, read ? "true" : "false",
	       waits ? "true" : "false", loaded, deleted, disk_kib(&p), before, after);
	conform_close(p);
	return d.failed || left;
}
