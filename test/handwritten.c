/*
 * handwritten.c: compares loops written by hand with bench_NAME in one process.
 *
 * Linked with bench.c under the name bench_main and with test/handwritten_NAME.c. The
 * program and the loops take turns: each fills a database, and reads one that the program
 * filled, with the same records and keys. Both append to one file of JSON lines.
 * usage: handwritten_NAME DIRECTORY JSONFILE ROUNDS; DIRECTORY is new
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "handwritten.h"
#include "../util/random.h"
#include "../util/record.h"

int bench_main(int argc, char **argv);

enum { RECORDS = 1000000, PATH = 4300 };

void handwritten_fail(const char *why)
{
	fprintf(stderr, "handwritten_%s: %s\n", handwritten.name, why);
	exit(1);
}

static void run_bench(const char *directory, const char *json, const char *benchmark)
{
	char program[64], db[PATH + 8], rows[PATH + 8], what[64];
	char *fill[] = {program, db, rows, what, "--supervise=0", NULL};
	char *read[] = {program, db, rows, what, "--supervise=0", "--use_existing_db=1",
			NULL};
	bool fresh = strncmp(benchmark, "fill", 4) == 0;

	snprintf(program, sizeof program, "bench_%s", handwritten.name);
	snprintf(db, sizeof db, "--db=%s", directory);
	snprintf(rows, sizeof rows, "--json=%s", json);
	snprintf(what, sizeof what, "--benchmarks=%s", benchmark);
	if (bench_main(fresh ? 5 : 6, fresh ? fill : read))
		handwritten_fail("the program failed");
}

static void *allocate(size_t size)
{
	void *p = malloc(size);

	if (!p)
		handwritten_fail("out of memory");
	return p;
}

/* The keys of a fill, or of the program's readrandom with its default seed. */
static char *make_keys(bool random)
{
	struct record_key_shape shape = {KEYS_DECIMAL, false, HANDWRITTEN_KEY_SIZE,
					 HANDWRITTEN_KEY_SIZE};
	struct random r = random_seed(1, "readrandom");
	uint64_t *ids = allocate(RECORDS * sizeof *ids);
	char *keys = allocate(RECORDS * HANDWRITTEN_KEY_SIZE);

	memset(keys, '0', RECORDS * HANDWRITTEN_KEY_SIZE);
	for (uint64_t i = 0; i < RECORDS; i++)
		ids[i] = random ? random_below(&r, RECORDS) : i;
	record_write_keys(&shape, keys, ids, RECORDS);
	free(ids);
	return keys;
}

static char *make_values(void)
{
	char *values = allocate((size_t)RECORDS * HANDWRITTEN_VALUE_SIZE);

	for (uint64_t i = 0; i < RECORDS; i++)
		record_write_value(values + i * HANDWRITTEN_VALUE_SIZE,
				   HANDWRITTEN_VALUE_SIZE, 128, i, 0);
	return values;
}

/* A directory of our own, emptied of the files that a loop left. */
static void clear(const char *path)
{
	DIR *dir;

	if (mkdir(path, 0777) && errno != EEXIST)
		handwritten_fail("cannot make its directory");
	dir = opendir(path);
	for (struct dirent *d; dir && (d = readdir(dir));)
		if (strcmp(d->d_name, ".") && strcmp(d->d_name, ".."))
			unlinkat(dirfd(dir), d->d_name, 0);
	if (dir)
		closedir(dir);
}

static void run_loop(void (*loop)(struct handwritten_work *), struct handwritten_work w,
		     const char *name, const char *json)
{
	FILE *to = fopen(json, "a");

	if (!to)
		handwritten_fail("cannot write its results");
	loop(&w);
	fprintf(to,
		"{\"benchmark\":\"hand "
		"%s\",\"ns_per_op\":%.2f,\"call_ns\":%.2f,\"cpu_ns\":%.2f,"
		"\"sum\":%llu}\n",
		name, (double)clock_ns(w.clock, w.loop_ticks) / RECORDS,
		(double)clock_ns(w.clock, w.call_ticks) / RECORDS,
		w.cpu_s * 1e9 / RECORDS, (unsigned long long)w.sum);
	fclose(to);
}

int main(int argc, char **argv)
{
	static char data[PATH - 64], by_hand[PATH - 64], program[PATH - 64];
	struct clock clock = clock_calibrate(clock_counter_usable());
	char *random = make_keys(true), *ascending = make_keys(false),
	     *values = make_values();
	struct handwritten_work fill = {&clock, by_hand, ascending, values, RECORDS,
					0,      0,       0,         0};
	struct handwritten_work read = {&clock, data, random, NULL, RECORDS, 0, 0, 0, 0};

	if (argc != 4) {
		fprintf(stderr, "usage: handwritten_%s DIRECTORY JSONFILE ROUNDS\n",
			handwritten.name);
		return 2;
	}
	snprintf(program, sizeof program, "%s/program", argv[1]);
	snprintf(data, sizeof data, "%s/program/data", argv[1]);
	snprintf(by_hand, sizeof by_hand, "%s/hand", argv[1]);
	if (mkdir(argv[1], 0777))
		handwritten_fail("its directory must be new");
	for (int round = atoi(argv[3]); round > 0; round--) {
		if (handwritten.fill) {
			clear(by_hand);
			run_loop(handwritten.fill, fill, "fillseq", argv[2]);
			clear(by_hand);
		}
		run_bench(program, argv[2],
			  handwritten.fill ? "fillseq" : "fillseqbatch");
		run_loop(handwritten.read, read, "readrandom", argv[2]);
		run_bench(program, argv[2], "readrandom");
	}
	free(random);
	free(ascending);
	free(values);
	return 0;
}
