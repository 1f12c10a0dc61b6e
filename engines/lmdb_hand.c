/*
 * lmdb_hand.c: the loop an engineer would write by hand, beside bench_lmdb's in one process.
 *
 * Linked with bench.c under the name bench_main. Loads a database through it, then in turn lets it
 * run readrandom and runs a loop of mdb_get over the same keys, made beforehand; the loop renews
 * its read view for each get, as the driver must, reads the clock before and after the call and
 * looks at all bytes of the value. Both append to a file of JSON lines.
 * usage: lmdb_hand DIRECTORY JSONFILE ROUNDS
 */
#include <lmdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/clock.h"
#include "../util/random.h"
#include "../util/record.h"

int bench_main(int argc, char **argv);

enum { RECORDS = 1000000, READS = 1000000 };

static void run_bench(char *arguments[])
{
	int count = 0;

	while (arguments[count])
		count++;
	if (bench_main(count, arguments))
		exit(1);
}

static void check(int rc)
{
	if (!rc)
		return;
	fprintf(stderr, "lmdb_hand: %s\n", mdb_strerror(rc));
	exit(1);
}

/* The keys of bench_lmdb's readrandom with its default seed. */
static char *make_keys(void)
{
	struct record_shape shape = {KEYS_DECIMAL, false, 16, 16};
	struct random r = random_seed(1, "readrandom");
	uint64_t *ids = malloc(READS * sizeof *ids);
	char *keys = malloc(READS * 16);

	if (!ids || !keys)
		exit(1);
	memset(keys, '0', READS * 16);
	for (int i = 0; i < READS; i++)
		ids[i] = random_below(&r, RECORDS);
	record_keys(&shape, keys, ids, READS);
	free(ids);
	return keys;
}

static uint64_t sum_bytes(const MDB_val *v)
{
	const char *p = v->mv_data;
	uint64_t sum = 0, word;
	size_t left = v->mv_size;

	for (; left >= 8; p += 8, left -= 8) {
		memcpy(&word, p, 8);
		sum += word;
	}
	for (; left; left--)
		sum += (unsigned char)*p++;
	return sum;
}

static void run_by_hand(const char *path, const char *keys, const struct clock *clock, FILE *json)
{
	uint64_t sum = 0, inside = 0, start;
	MDB_env *env;
	MDB_txn *txn;
	MDB_dbi dbi;

	check(mdb_env_create(&env));
	check(mdb_env_set_mapsize(env, (size_t)16 << 30));
	check(mdb_env_open(env, path, MDB_NOTLS | MDB_NOSYNC, 0644));
	check(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn));
	check(mdb_dbi_open(txn, NULL, 0, &dbi));
	start = clock_ticks(clock);
	for (int i = 0; i < READS; i++) {
		MDB_val key = {16, (void *)(uintptr_t)(keys + (size_t)i * 16)}, value;
		uint64_t before = clock_ticks(clock);

		mdb_txn_reset(txn);
		check(mdb_txn_renew(txn));
		check(mdb_get(txn, dbi, &key, &value));
		sum += sum_bytes(&value);
		inside += clock_ticks(clock) - before;
	}
	fprintf(json, "{\"benchmark\":\"hand\",\"ns_per_op\":%.2f,\"call_ns\":%.2f,\"sum\":%llu}\n",
		(double)clock_ns(clock, clock_ticks(clock) - start) / READS,
		(double)clock_ns(clock, inside) / READS, (unsigned long long)sum);
	fflush(json);
	mdb_txn_abort(txn);
	mdb_env_close(env);
}

int main(int argc, char **argv)
{
	static char db[4200], json[4200], data[4200];
	char *fill[] = {"bench_lmdb", db, "--benchmarks=fillseqbatch", NULL};
	char *read[] = {"bench_lmdb", db, "--use_existing_db=1", "--benchmarks=readrandom", json, NULL};
	struct clock clock = clock_start(clock_counter_usable());
	char *keys = make_keys();
	FILE *out;

	if (argc != 4 || !(out = fopen(argv[2], "a")))
		return 2;
	snprintf(db, sizeof db, "--db=%s", argv[1]);
	snprintf(json, sizeof json, "--json=%s", argv[2]);
	snprintf(data, sizeof data, "%s/data", argv[1]);
	run_bench(fill);
	for (int round = atoi(argv[3]); round > 0; round--) {
		run_by_hand(data, keys, &clock, out);
		run_bench(read);
	}
	fclose(out);
	free(keys);
	return 0;
}
