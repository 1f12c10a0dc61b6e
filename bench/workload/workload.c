/*
 * workload.c: the tables of workloads and presets, and queries about a workload; see
 * workload.h.
 */
#include "workload.h"

#include <math.h>
#include <string.h>

#include "extra.h"

const char *const workload_op_names[OPS] = {
	[OP_GET] = "read",  [OP_PUT] = "update",    [OP_MODIFY] = "rmw",
	[OP_SEEK] = "scan", [OP_INSERT] = "insert", [OP_EXPIRE] = "delete",
};

const char *const workload_key_orders[KEY_ORDERS] = {
	[ORDER_SEQUENTIAL] = "sequential",          [ORDER_PERMUTED] = "permutation",
	[ORDER_HOT] = "uniform over the first 1 %", [ORDER_STRIDE] = "ascending",
	[ORDER_ABSENT] = "uniform, absent",
};

static const struct workload writer_workload = {"writer",
						"",
						{[OP_PUT] = 100},
						.key_order = ORDER_RANDOM};
static const struct workload merger_workload = {
	"merger", "", {[OP_APPEND] = 100}, .key_order = ORDER_RANDOM, .merges = true};
static const struct workload scanner_workload = {"scanner",
						 "",
						 {[OP_NEXT] = 100},
						 .key_order = ORDER_SEQUENTIAL,
						 .restarts = true};

static struct workload workloads[] = {
	{"fillseq",
	 "Write --num records in key order into an empty database, through the engine's "
	 "append path if it has one; threads share the key range.",
	 {[OP_APPEND] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .starts_empty = true,
	 .divided = true,
	 .completes = true},
	{"fillseqbatch",
	 "Write --num records in key order into an empty database, --batch_size of them "
	 "per transaction; threads share the key range.",
	 {[OP_APPEND] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .starts_empty = true,
	 .divided = true,
	 .batched = true,
	 .completes = true},
	{"fillbulk",
	 "Load --num records in key order with the engine's bulk loader, from one "
	 "thread; engines without one run fillseqbatch.",
	 {[OP_APPEND] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .starts_empty = true,
	 .divided = true,
	 .batched = true,
	 .bulk_load = true,
	 .completes = true},
	{"fillrandom",
	 "Write --num records at random keys, with replacement, into an empty database: "
	 "about 63.2 % of the keys exist afterwards, as in db_bench.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_RANDOM,
	 .starts_empty = true,
	 .divided = true},
	{"fillrandbatch",
	 "Write --num records at random keys, with replacement, into an empty database, "
	 "--batch_size of them per transaction.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_RANDOM,
	 .starts_empty = true,
	 .divided = true,
	 .batched = true},
	{"filluniquerandom",
	 "Write each of --num records once, in random order, into an empty database; "
	 "threads share the records.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_PERMUTED,
	 .starts_empty = true,
	 .divided = true,
	 .completes = true},
	{"filluniquerandbatch",
	 "Write each of --num records once, in random order, into an empty database, "
	 "--batch_size of them per transaction.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_PERMUTED,
	 .starts_empty = true,
	 .divided = true,
	 .batched = true,
	 .completes = true},
	{"fillsync",
	 "Write --num/1000 records at random keys into an empty database, syncing each "
	 "commit, as in LevelDB's db_bench (RocksDB's writes --num).",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_RANDOM,
	 .starts_empty = true,
	 .divided = true,
	 .durability = 1 + DURABILITY_SYNC,
	 .num_fraction = 0.001},
	{"fillrandsync",
	 "Do the same as fillsync, under dbbench's name.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_RANDOM,
	 .starts_empty = true,
	 .divided = true,
	 .durability = 1 + DURABILITY_SYNC,
	 .num_fraction = 0.001},
	{"fillseqsync",
	 "Write --num/1000 records in key order into an empty database, syncing each "
	 "commit.",
	 {[OP_APPEND] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .starts_empty = true,
	 .divided = true,
	 .durability = 1 + DURABILITY_SYNC,
	 .num_fraction = 0.001},
	{"fill100K",
	 "Write --num/1000 values of 100,000 bytes at random keys into an empty "
	 "database.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_RANDOM,
	 .starts_empty = true,
	 .divided = true,
	 .num_fraction = 0.001,
	 .value_size = 100000},
	{"overwrite",
	 "Overwrite random records; each thread does --writes of them.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_RANDOM},
	{"overwritebatch",
	 "Overwrite random records, --batch_size of them per transaction; each thread "
	 "does --writes of them.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_RANDOM,
	 .batched = true},
	{"readseq",
	 "Iterate forwards from the first record over --reads records in each thread. A "
	 "thread ends early at the last record.",
	 {[OP_NEXT] = 100},
	 .key_order = ORDER_SEQUENTIAL},
	{"readreverse",
	 "Iterate backwards from the last record over --reads records in each thread.",
	 {[OP_NEXT] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .reverse = true},
	{"scan",
	 "Iterate forwards over the whole database in each thread; --reads is ignored.",
	 {[OP_NEXT] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .whole_range = true},
	{"readrandom",
	 "Get random records; each thread does --reads of them.",
	 {[OP_GET] = 100},
	 .key_order = ORDER_RANDOM},
	{"multireadrandom",
	 "Get random records by multi-gets of --batch_size keys. Each key counts as a "
	 "read; latencies are those of whole calls.",
	 {[OP_MULTIGET] = 100},
	 .key_order = ORDER_RANDOM,
	 .batched = true},
	{"readmissing",
	 "Get keys that do not exist but lie between existing ones: keys without their "
	 "last digit or byte, as in LevelDB's db_bench. RocksDB's appends a byte. "
	 "Integer keys lie beyond --num.",
	 {[OP_GET] = 100},
	 .key_order = ORDER_ABSENT},
	{"readhot",
	 "Get random records among the first 1 % of the keys.",
	 {[OP_GET] = 100},
	 .key_order = ORDER_HOT},
	{"seekrandom",
	 "Seek random keys and read the record found, then --seek_nexts more, or "
	 "--scan_length in all.",
	 {[OP_SEEK] = 100},
	 .key_order = ORDER_RANDOM},
	{"seekordered",
	 "Seek keys in ascending order, 1 to 100 apart, then start again, as in LevelDB; "
	 "read as seekrandom does.",
	 {[OP_SEEK] = 100},
	 .key_order = ORDER_STRIDE},
	{"readwhilewriting",
	 "Get random records in --threads readers while one background writer overwrites "
	 "random records. What the writer did is said on stderr.",
	 {[OP_GET] = 100},
	 .key_order = ORDER_RANDOM,
	 .own_background = OWN_BACKGROUND_WRITER},
	{"readwhilescanning",
	 "Get random records in --threads readers while one background thread repeatedly "
	 "iterates over the whole database.",
	 {[OP_GET] = 100},
	 .key_order = ORDER_RANDOM,
	 .own_background = OWN_BACKGROUND_SCANNER},
	{"seekrandomwhilewriting",
	 "Seek as seekrandom does in --threads readers while one background writer "
	 "overwrites random records.",
	 {[OP_SEEK] = 100},
	 .key_order = ORDER_RANDOM,
	 .own_background = OWN_BACKGROUND_WRITER},
	{"readrandomwriterandom",
	 "Get and put random records in each thread; --readwritepercent of the "
	 "operations are gets, in shuffled order (RocksDB's db_bench does them in "
	 "blocks).",
	 {[OP_GET] = 90, [OP_PUT] = 10},
	 .key_order = ORDER_RANDOM,
	 .percent_of = PERCENT_OF_GETS},
	{"updaterandom",
	 "Get a random record and put it again. Each pair is one operation; get and put "
	 "have separate latencies.",
	 {[OP_MODIFY] = 100},
	 .key_order = ORDER_RANDOM},
	{"mix", "Run the operations of --mix, chosen at random by their weights.",
	 .custom_mix = true, .key_order = ORDER_RANDOM},
	{"deleteseq",
	 "Delete --num records in key order; threads share the key range.",
	 {[OP_DELETE] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .divided = true,
	 .deletes = true},
	{"deleterandom",
	 "Delete random keys with replacement, --num times in all. Deleting a key again "
	 "counts as missing.",
	 {[OP_DELETE] = 100},
	 .key_order = ORDER_RANDOM,
	 .divided = true,
	 .deletes = true},

	{"ycsb-load",
	 "Load for YCSB: insert --num records in random order under hashed keys. Each "
	 "value is 1000 bytes: its 10 fields of 100 bytes as one.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .starts_empty = true,
	 .divided = true,
	 .completes = true,
	 .preset = "ycsb"},
	{"ycsb-a",
	 "YCSB workload A: 50 % reads, 50 % updates, scrambled zipfian keys.",
	 {[OP_GET] = 50, [OP_PUT] = 50},
	 .distribution = DISTRIBUTION_SCRAMBLED_ZIPFIAN,
	 .preset = "ycsb"},
	{"ycsb-b",
	 "YCSB workload B: 95 % reads, 5 % updates, scrambled zipfian keys.",
	 {[OP_GET] = 95, [OP_PUT] = 5},
	 .distribution = DISTRIBUTION_SCRAMBLED_ZIPFIAN,
	 .preset = "ycsb"},
	{"ycsb-c",
	 "YCSB workload C: reads only, scrambled zipfian keys.",
	 {[OP_GET] = 100},
	 .distribution = DISTRIBUTION_SCRAMBLED_ZIPFIAN,
	 .preset = "ycsb"},
	{"ycsb-d",
	 "YCSB workload D: 95 % reads of the latest records, 5 % inserts.",
	 {[OP_GET] = 95, [OP_INSERT] = 5},
	 .distribution = DISTRIBUTION_LATEST,
	 .preset = "ycsb"},
	{"ycsb-e",
	 "YCSB workload E: 95 % scans of 1 to 100 records, 5 % inserts, scrambled "
	 "zipfian keys.",
	 {[OP_SEEK] = 95, [OP_INSERT] = 5},
	 .distribution = DISTRIBUTION_SCRAMBLED_ZIPFIAN,
	 .scan_length = "1-100",
	 .preset = "ycsb"},
	{"ycsb-f",
	 "YCSB workload F: 50 % reads, 50 % read-modify-writes, scrambled zipfian keys.",
	 {[OP_GET] = 50, [OP_MODIFY] = 50},
	 .distribution = DISTRIBUTION_SCRAMBLED_ZIPFIAN,
	 .preset = "ycsb"},

	{"ucsb-0",
	 "UCSB Init: load --num records in key order with the engine's bulk loader.",
	 {[OP_APPEND] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .starts_empty = true,
	 .divided = true,
	 .batched = true,
	 .bulk_load = true,
	 .completes = true,
	 .preset = "ucsb"},
	{"ucsb-a",
	 "UCSB A: 50 % reads, 50 % updates, scrambled zipfian keys.",
	 {[OP_GET] = 50, [OP_PUT] = 50},
	 .distribution = DISTRIBUTION_SCRAMBLED_ZIPFIAN,
	 .preset = "ucsb"},
	{"ucsb-c",
	 "UCSB C: reads only, scrambled zipfian keys.",
	 {[OP_GET] = 100},
	 .distribution = DISTRIBUTION_SCRAMBLED_ZIPFIAN,
	 .preset = "ucsb"},
	{"ucsb-d",
	 "UCSB D: 95 % reads of the latest records, 5 % inserts.",
	 {[OP_GET] = 95, [OP_INSERT] = 5},
	 .distribution = DISTRIBUTION_LATEST,
	 .preset = "ucsb"},
	{"ucsb-e",
	 "UCSB E: scans of 100 records, --num/10000 of them, scrambled zipfian keys.",
	 {[OP_SEEK] = 100},
	 .distribution = DISTRIBUTION_SCRAMBLED_ZIPFIAN,
	 .scan_length = "100",
	 .num_fraction = 0.0001,
	 .preset = "ucsb"},
	{"ucsb-x",
	 "UCSB X: multi-gets of 256 keys, 1.28 % of --num keys in all, scrambled "
	 "zipfian keys.",
	 {[OP_MULTIGET] = 100},
	 .distribution = DISTRIBUTION_SCRAMBLED_ZIPFIAN,
	 .batched = true,
	 .batch = 256,
	 .num_fraction = 0.0128,
	 .preset = "ucsb"},
	{"ucsb-y",
	 "UCSB Y: --num/10 inserts, 10,000 per transaction.",
	 {[OP_INSERT] = 100},
	 .batched = true,
	 .batch = 10000,
	 .num_fraction = 0.1,
	 .preset = "ucsb"},
	{"ucsb-z",
	 "UCSB Z: one scan of the whole database.",
	 {[OP_NEXT] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .whole_range = true,
	 .preset = "ucsb"},
	{"ucsb-remove",
	 "UCSB Remove: delete scrambled zipfian keys, 15 % of --num times. Deleting a "
	 "key again counts as missing.",
	 {[OP_DELETE] = 100},
	 .distribution = DISTRIBUTION_SCRAMBLED_ZIPFIAN,
	 .divided = true,
	 .deletes = true,
	 .num_fraction = 0.15,
	 .preset = "ucsb"},

	{"bangdb-write",
	 "BangDB 2012: insert --num records at hashed keys into an empty database.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .starts_empty = true,
	 .divided = true,
	 .completes = true,
	 .preset = "bangdb-1"},
	{"bangdb-read",
	 "BangDB 2012: get random records; threads share --num reads.",
	 {[OP_GET] = 100},
	 .key_order = ORDER_RANDOM,
	 .divided = true,
	 .preset = "bangdb-1"},
	{"bangdb-fill",
	 "BangDB 2012, test 6: insert --readwritepercent % of --num records, at least "
	 "one.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_PERMUTED,
	 .starts_empty = true,
	 .divided = true,
	 .percent_of = PERCENT_OF_RECORDS,
	 .preset = "bangdb-6"},
	{"bangdb-mix",
	 "BangDB 2012, test 6: --readwritepercent % gets, the rest puts, of existing and "
	 "new records. Threads share --num operations.",
	 {[OP_GET] = 50, [OP_PUT] = 50},
	 .key_order = ORDER_RANDOM,
	 .divided = true,
	 .percent_of = PERCENT_OF_GETS,
	 .preset = "bangdb-6"},

	{"voron-fill-none",
	 "Voron 2013: write --num records in key order in one transaction at "
	 "--durability=none.",
	 {[OP_APPEND] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .starts_empty = true,
	 .divided = true,
	 .batched = true,
	 .completes = true,
	 .batch = UINT64_MAX,
	 .durability = 1 + DURABILITY_NONE,
	 .preset = "voron"},
	{"voron-fill-buffers",
	 "Voron 2013: write --num records in key order in one transaction at "
	 "--durability=async.",
	 {[OP_APPEND] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .starts_empty = true,
	 .divided = true,
	 .batched = true,
	 .completes = true,
	 .batch = UINT64_MAX,
	 .durability = 1 + DURABILITY_ASYNC,
	 .preset = "voron"},
	{"voron-fill-sync",
	 "Voron 2013: write --num records in key order in one transaction at "
	 "--durability=sync.",
	 {[OP_APPEND] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .starts_empty = true,
	 .divided = true,
	 .batched = true,
	 .completes = true,
	 .batch = UINT64_MAX,
	 .durability = 1 + DURABILITY_SYNC,
	 .preset = "voron"},
	{"voron-read",
	 "Voron 2013: get --num records in key order, divided among --threads.",
	 {[OP_GET] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .divided = true,
	 .preset = "voron"},

	{"cluster12",
	 "Twitter's cache cluster 12 by its published statistics: 20 % gets, 80 % sets, "
	 "zipfian 0.30; TTLs are ignored.",
	 {[OP_GET] = 20, [OP_PUT] = 80},
	 .key_order = ORDER_RANDOM,
	 .distribution = DISTRIBUTION_ZIPFIAN,
	 .preset = "cluster12"},
	{"cluster14",
	 "Twitter's cache cluster 14 by its published statistics: 65 % gets, 13 % sets, "
	 "22 % deletes, zipfian 1.30.",
	 {[OP_GET] = 65, [OP_PUT] = 13, [OP_DELETE] = 22},
	 .key_order = ORDER_RANDOM,
	 .distribution = DISTRIBUTION_ZIPFIAN,
	 .deletes = true,
	 .preset = "cluster14"},
	{"cluster37",
	 "Twitter's cache cluster 37 by its published statistics: 63 % gets, 37 % sets, "
	 "zipfian 0.43.",
	 {[OP_GET] = 63, [OP_PUT] = 37},
	 .key_order = ORDER_RANDOM,
	 .distribution = DISTRIBUTION_ZIPFIAN,
	 .preset = "cluster37"},
};

enum { WORKLOADS = sizeof workloads / sizeof *workloads };

/* In db_bench's place only: few engines merge, and there --merge_operator says how. */
static struct workload merge_workloads[] = {
	{"mergerandom",
	 "Merge values into random records.",
	 {[OP_APPEND] = 100},
	 .key_order = ORDER_RANDOM,
	 .merges = true},
	{"readrandommergerandom",
	 "Get random records, and merge values into them.",
	 {[OP_GET] = 30, [OP_APPEND] = 70},
	 .key_order = ORDER_RANDOM,
	 .merges = true},
	{"readwhilemerging",
	 "Get random records while one background thread merges values into others.",
	 {[OP_GET] = 100},
	 .key_order = ORDER_RANDOM,
	 .merges = true,
	 .own_background = OWN_BACKGROUND_WRITER},
	{"seekrandomwhilemerging",
	 "Seek while one background thread merges values into random records.",
	 {[OP_SEEK] = 100},
	 .key_order = ORDER_RANDOM,
	 .merges = true,
	 .own_background = OWN_BACKGROUND_WRITER},
};

static size_t merge_workload_count;
static bool has_db_bench;

static const struct preset presets[] = {
	{"ycsb", "YCSB's core workloads: load, A, B, C, F, D, load again, E.",
	 "benchmarks=ycsb-load,ycsb-a,ycsb-b,ycsb-c,ycsb-f,ycsb-d,ycsb-load,ycsb-e "
	 "key_format=user key_size=24 value_size=1000"},
	{"ucsb",
	 "Workloads of UCSB 2022 in its order. Its page names values of 1000 bytes, as "
	 "here; its program used 1024.",
	 "benchmarks=ucsb-0,ucsb-c,ucsb-x,ucsb-e,ucsb-z,ucsb-a,ucsb-d,ucsb-y,ucsb-remove "
	 "key_format=binary key_size=8 value_size=1000"},
	{"cluster12",
	 "Records and workload of Twitter's cache cluster 12 (OSDI 2020; statistics of "
	 "March 2020).",
	 "benchmarks=filluniquerandom,cluster12 key_format=user key_size=44 "
	 "value_size=1030 theta=0.30"},
	{"cluster14",
	 "Records and workload of Twitter's cache cluster 14 (OSDI 2020; statistics of "
	 "March 2020).",
	 "benchmarks=filluniquerandom,cluster14 key_format=user key_size=96 "
	 "value_size=414 theta=1.30"},
	{"cluster37",
	 "Records and workload of Twitter's cache cluster 37 (OSDI 2020; statistics of "
	 "March 2020).",
	 "benchmarks=filluniquerandom,cluster37 key_format=user key_size=72 "
	 "value_size=20134 theta=0.43"},
	{"bangdb-1",
	 "BangDB 2012, test 1: random writes, then reads, one thread, everything in the "
	 "cache.",
	 "benchmarks=bangdb-write,bangdb-read num=2m key_format=user key_size=24 "
	 "value_size=100-400 write_buffer_size=512Mi cache_size=1Gi"},
	{"bangdb-1s", "BangDB 2012, test 1 with 64 MiB of cache.",
	 "benchmarks=bangdb-write,bangdb-read num=2m key_format=user key_size=24 "
	 "value_size=100-400 write_buffer_size=64Mi cache_size=64Mi"},
	{"bangdb-2",
	 "BangDB 2012, test 2: four threads (its author wrote to LevelDB from one: "
	 "bangdb-write@1,bangdb-read@4).",
	 "benchmarks=bangdb-write,bangdb-read threads=4 num=2m key_format=user "
	 "key_size=24 value_size=100-400 write_buffer_size=512Mi cache_size=1Gi"},
	{"bangdb-2s", "BangDB 2012, test 2 with 64 MiB of cache.",
	 "benchmarks=bangdb-write,bangdb-read threads=4 num=2m key_format=user "
	 "key_size=24 value_size=100-400 write_buffer_size=64Mi cache_size=64Mi"},
	{"bangdb-3", "BangDB 2012, test 3: twice as much data as cache.",
	 "benchmarks=bangdb-write,bangdb-read threads=4 num=10m key_format=user "
	 "key_size=24 value_size=100-400 write_buffer_size=1Gi cache_size=1536Mi"},
	{"bangdb-4", "BangDB 2012, test 4: one to eight threads.",
	 "benchmarks=bangdb-write@1,bangdb-read@1,bangdb-write@2,bangdb-read@2,"
	 "bangdb-write@4,bangdb-read@4,bangdb-write@8,bangdb-read@8 num=1m "
	 "key_format=user key_size=24 value_size=100-400 write_buffer_size=512Mi "
	 "cache_size=1Gi"},
	{"bangdb-5", "BangDB 2012, test 5: values of 10,000 bytes.",
	 "benchmarks=bangdb-write,bangdb-read threads=4 num=100k key_format=user "
	 "key_size=24 value_size=10000 write_buffer_size=1536Mi cache_size=2Gi"},
	{"bangdb-6",
	 "BangDB 2012, test 6: reads and writes at once, by --readwritepercent.",
	 "benchmarks=bangdb-fill,bangdb-mix threads=4 num=1m key_format=user key_size=24 "
	 "value_size=100-400 readwritepercent=50 write_buffer_size=1Gi cache_size=1Gi"},
	{"voron",
	 "Voron 2013: fills in one transaction at each durability, then reads in 1 to "
	 "16 partitions; add --cold=1 for its cold ones.",
	 "benchmarks=voron-fill-none,voron-fill-buffers,voron-fill-sync,voron-read@1,"
	 "voron-read@2,voron-read@4,voron-read@8,voron-read@16 key_size=16 "
	 "value_size=100"},
	{0},
};

/* Those of workload_add(). */
static struct workload added_workloads[64];
static size_t added_count;

bool workload_add(const struct workload *workload)
{
	if (added_count == sizeof added_workloads / sizeof *added_workloads)
		return false;
	added_workloads[added_count++] = *workload;
	return true;
}

const struct workload *workload_at(size_t i)
{
	if (i < added_count)
		return &added_workloads[i];
	i -= added_count;
	if (i < WORKLOADS)
		return &workloads[i];
	i -= WORKLOADS;
	if (i < merge_workload_count)
		return &merge_workloads[i];
	i -= merge_workload_count;
	for (const struct extra *const *extra = extra_all(); *extra; extra++)
		for (const struct workload *own = (*extra)->workloads; own && own->name;
		     own++)
			if ((has_db_bench || !own->of_db_bench) && !i--)
				return own;
	return NULL;
}

/* Preset *i of a table, or NULL, and *i is then relative to the next table. */
static const struct preset *preset_in(const struct preset *table, size_t *i)
{
	for (; table && table->name; table++)
		if (!(*i)--)
			return table;
	return NULL;
}

const struct preset *workload_preset(size_t i)
{
	const struct preset *found = preset_in(presets, &i);

	for (const struct extra *const *extra = extra_all(); *extra && !found; extra++)
		found = preset_in((*extra)->presets, &i);
	return found ? found : preset_in(engine.presets, &i);
}

const struct workload *workload_find(const char *name, size_t length)
{
	const struct workload *workload;

	for (size_t i = 0; (workload = workload_at(i)); i++)
		if (strlen(workload->name) == length &&
		    !memcmp(workload->name, name, length))
			return workload;
	return NULL;
}

const struct workload *workload_own_background(const struct workload *workload)
{
	return workload->own_background == OWN_BACKGROUND_SCANNER  ? &scanner_workload
	       : workload->own_background != OWN_BACKGROUND_WRITER ? NULL
	       : workload->merges                                  ? &merger_workload
								   : &writer_workload;
}

void workload_add_db_bench(void)
{
	has_db_bench = true;
	if (engine.merge)
		merge_workload_count = sizeof merge_workloads / sizeof *merge_workloads;
}

void workload_set_weights(const double fractions[OPS], unsigned weight[OPS])
{
	double sum = 0, total = 100;
	unsigned assigned = 0, most = 0;

	for (int op = 0; op < OPS; op++)
		sum += fractions[op];
	for (int op = 0; op < OPS; op++)
		if (fabs(100 * fractions[op] / sum - round(100 * fractions[op] / sum)) >
		    1e-9)
			total = 1000;
	for (int op = 0; op < OPS; op++) {
		double fraction = round(total * fractions[op] / sum);

		weight[op] = (unsigned)(fractions[op] > 0 && fraction < 1 ? 1 : fraction);
		assigned += weight[op];
		most = weight[op] > weight[most] ? (unsigned)op : most;
	}
	weight[most] += (unsigned)total - assigned;
}

void workload_configure(unsigned percent, const unsigned mix[OPS])
{
	for (struct workload *workload = workloads; workload < workloads + WORKLOADS;
	     workload++) {
		if (workload->custom_mix)
			memcpy(workload->weights, mix, sizeof workload->weights);
		if (workload->percent_of == PERCENT_OF_GETS) {
			workload->weights[OP_GET] = percent;
			workload->weights[OP_PUT] = 100 - percent;
		}
		/*
		 * A fraction of 0 would mean all; any other includes at least one
		 * record.
		 */
		if (workload->percent_of == PERCENT_OF_RECORDS)
			workload->num_fraction = percent ? percent / 100.0 : 1e-9;
	}
}

/*
 * RocksDB's fills, deletes and reads by order ignore --duration. Its fillsync and fill100K put
 * --num times onto a thousandth of the keys; LevelDB's put a thousandth as often.
 */
void workload_imitate_db_bench(bool leveldb, bool reverse, bool whole, uint64_t num)
{
	for (size_t i = 0; i < merge_workload_count; i++)
		merge_workloads[i].reverse =
			merge_workloads[i].weights[OP_SEEK] && reverse;
	for (struct workload *workload = workloads; workload < workloads + WORKLOADS;
	     workload++) {
		bool by_order = workload->key_order != ORDER_RANDOM;

		workload->reverse |= workload->weights[OP_SEEK] && reverse;
		workload->untimed |= workload->weights[OP_NEXT] > 0;
		if (workload->preset || !workload_writes(workload) ||
		    workload_reads(workload))
			continue;
		if (workload->weights[OP_APPEND]) {
			workload->weights[OP_APPEND] = 0;
			workload->weights[OP_PUT] = 100;
		}
		workload->untimed = workload->divided && (by_order || leveldb);
		workload->divided = false;
		workload->completes &= whole;
		workload->batched |= !leveldb;
		if (workload->num_fraction > 0 && !leveldb) {
			workload->num_fraction = 0;
			workload->key_divisor = 1000;
		}
		if (!strcmp(workload->name, "fillseqbatch")) {
			workload->name = "fillbatch";
			workload->batch = 1000;
			workload->completes &= leveldb || num < 1000 || num % 1000 == 0;
		}
	}
}

bool workload_only(const struct workload *workload, enum op op)
{
	unsigned others = 0;

	for (int i = 0; i < OPS; i++)
		others += i == (int)op ? 0 : workload->weights[i];
	return workload->weights[op] && !others;
}

bool workload_reads(const struct workload *workload)
{
	return workload->weights[OP_PROCEDURE] || workload->weights[OP_GET] ||
	       workload->weights[OP_MULTIGET] || workload->weights[OP_MODIFY] ||
	       workload->weights[OP_SEEK] || workload->weights[OP_NEXT];
}

bool workload_puts(const struct workload *workload)
{
	return workload->weights[OP_PROCEDURE] || workload->weights[OP_PUT] ||
	       workload->weights[OP_APPEND] || workload->weights[OP_INSERT] ||
	       workload->weights[OP_MODIFY];
}

bool workload_writes(const struct workload *workload)
{
	return workload_puts(workload) || workload->weights[OP_DELETE] ||
	       workload->weights[OP_EXPIRE];
}

bool workload_changes(const struct workload *workload)
{
	/* a mix is not known before its options are */
	return workload->custom_mix || workload->changes || workload_writes(workload) ||
	       workload->own_background == OWN_BACKGROUND_WRITER;
}

bool workload_is_maintenance(const struct workload *workload)
{
	return workload->maintenance != NULL;
}

bool workload_grows(const struct workload *workload)
{
	return workload->weights[OP_INSERT] || workload->weights[OP_EXPIRE];
}
