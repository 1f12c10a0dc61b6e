/*
 * workload.c: the tables of workloads and presets, and queries about a workload; see
 * workload.h.
 */
#include "workload.h"

#include <math.h>
#include <string.h>

const char *const workload_op_names[OPS] = {
	[OP_GET] = "read",  [OP_PUT] = "update",    [OP_MODIFY] = "rmw",
	[OP_SEEK] = "scan", [OP_INSERT] = "insert", [OP_EXPIRE] = "delete",
};

const char *const workload_key_orders[KEY_ORDERS] = {
	[ORDER_SEQUENTIAL] = "sequential",          [ORDER_PERMUTED] = "permutation",
	[ORDER_HOT] = "uniform over the first 1 %", [ORDER_STRIDE] = "ascending",
	[ORDER_ABSENT] = "uniform, absent",
};

static const struct workload writer_workload = {
	"writer", "", {[OP_PUT] = 100}, .key_order = ORDER_RANDOM};
static const struct workload scanner_workload = {"scanner",
						 "",
						 {[OP_NEXT] = 100},
						 .key_order = ORDER_SEQUENTIAL,
						 .restarts = true};

/* Background threads that options add to workloads that write. */
static const struct workload added_background_workloads[ADDED_BACKGROUNDS] = {
	[ADDED_BACKGROUND_PROBE] = {"probe",
				    "",
				    {[OP_GET] = 100},
				    .key_order = ORDER_RANDOM,
				    .added_background = ADDED_BACKGROUND_PROBE},
	[ADDED_BACKGROUND_LONG_READER] = {"long_reader",
					  "",
					  {[OP_GET] = 100},
					  .key_order = ORDER_RANDOM,
					  .added_background =
						  ADDED_BACKGROUND_LONG_READER},
	[ADDED_BACKGROUND_BACKUP] = {"backup",
				     "",
				     {[OP_GET] = 100},
				     .key_order = ORDER_RANDOM,
				     .added_background = ADDED_BACKGROUND_BACKUP},
};
/* A step of the Insert Benchmark. */
#define INSERT_STEP(called, step, also, does)						\
	{										\
		.name = called, .help = does, .weights = {[OP_PROCEDURE] = 100}, also,	\
		.procedure = step, .preset = "insert-benchmark"				\
	}

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
	 "commit (LevelDB's meaning; RocksDB writes --num).",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_RANDOM,
	 .starts_empty = true,
	 .divided = true,
	 .durability = 1 + DURABILITY_SYNC,
	 .num_fraction = 0.001},
	{"fillrandsync",
	 "Run fillsync, by the name that dbbench gives it.",
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
	 "Overwrite random records, --writes of them by each thread.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_RANDOM},
	{"overwritebatch",
	 "Overwrite random records, --batch_size of them per transaction, --writes by "
	 "each thread.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_RANDOM,
	 .batched = true},
	{"readseq",
	 "Iterate forwards from the first record over --reads records in each thread; "
	 "reaching the last record ends a thread early.",
	 {[OP_NEXT] = 100},
	 .key_order = ORDER_SEQUENTIAL},
	{"readreverse",
	 "Iterate backwards from the last record over --reads records in each thread.",
	 {[OP_NEXT] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .reverse = true},
	{"scan",
	 "Iterate forwards over the whole database in each thread, whatever --reads "
	 "says.",
	 {[OP_NEXT] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .whole_range = true},
	{"readrandom",
	 "Get random records, --reads of them by each thread.",
	 {[OP_GET] = 100},
	 .key_order = ORDER_RANDOM},
	{"multireadrandom",
	 "Get random records by multi-gets of --batch_size keys; a read is one key, a "
	 "latency is that of the whole call.",
	 {[OP_MULTIGET] = 100},
	 .key_order = ORDER_RANDOM,
	 .batched = true},
	{"readmissing",
	 "Get keys that do not exist but lie between existing ones: a key without its "
	 "last digit or byte (LevelDB's meaning; RocksDB adds a byte); integer keys "
	 "beyond --num.",
	 {[OP_GET] = 100},
	 .key_order = ORDER_ABSENT},
	{"readhot",
	 "Get random records among the first 1 % of the keys.",
	 {[OP_GET] = 100},
	 .key_order = ORDER_HOT},
	{"seekrandom",
	 "Seek random keys and read the record there, then --seek_nexts more or "
	 "--scan_length in all.",
	 {[OP_SEEK] = 100},
	 .key_order = ORDER_RANDOM},
	{"seekordered",
	 "Seek keys that ascend by 1 to 100 and wrap around, and read as seekrandom "
	 "does (LevelDB's meaning).",
	 {[OP_SEEK] = 100},
	 .key_order = ORDER_STRIDE},
	{"readwhilewriting",
	 "Get random records in --threads readers while one background writer "
	 "overwrites random records; the writer has a line of its own.",
	 {[OP_GET] = 100},
	 .key_order = ORDER_RANDOM,
	 .own_background = OWN_BACKGROUND_WRITER},
	{"readwhilescanning",
	 "Get random records in --threads readers while one more thread iterates over "
	 "the whole database again and again.",
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
	 "Get and put random records in each thread, --readwritepercent of the "
	 "operations gets, in shuffled order (RocksDB's come in blocks).",
	 {[OP_GET] = 90, [OP_PUT] = 10},
	 .key_order = ORDER_RANDOM,
	 .percent_of = PERCENT_OF_GETS},
	{"updaterandom",
	 "Get a random record and put it again: one operation of two calls, each call "
	 "in its own latency.",
	 {[OP_MODIFY] = 100},
	 .key_order = ORDER_RANDOM},
	{"mix", "Run the operations of --mix by their weights.", .custom_mix = true,
	 .key_order = ORDER_RANDOM},
	{"deleteseq",
	 "Delete --num records in key order; threads share the key range.",
	 {[OP_DELETE] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .divided = true,
	 .deletes = true},
	{"deleterandom",
	 "Delete random keys with replacement, --num times in all; a key that was "
	 "deleted before counts as missing.",
	 {[OP_DELETE] = 100},
	 .key_order = ORDER_RANDOM,
	 .divided = true,
	 .deletes = true},
	{"queue",
	 "Append to the tails of --queues queues and delete from their heads, --num "
	 "operations into an empty database, --queue_deletes of them deletes; then seek "
	 "the first position of each queue, across the deleted records.",
	 {[OP_PUT] = 70, [OP_DELETE] = 30},
	 .key_order = ORDER_RANDOM,
	 .starts_empty = true,
	 .divided = true,
	 .queue = true},

	{"ycsb-load",
	 "Load for YCSB: insert --num records, each a value of 1000 bytes (its 10 "
	 "fields of 100 as one) under a hashed key, in random order.",
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
	 "UCSB Remove: 15 % of --num deletes, scrambled zipfian keys; a key that was "
	 "deleted before counts as missing.",
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
	 "BangDB 2012, test 6: insert --readwritepercent % of --num records, one at "
	 "least.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_PERMUTED,
	 .starts_empty = true,
	 .divided = true,
	 .percent_of = PERCENT_OF_RECORDS,
	 .preset = "bangdb-6"},
	{"bangdb-mix",
	 "BangDB 2012, test 6: --readwritepercent % gets, the rest puts, of existing "
	 "and new records; threads share --num operations.",
	 {[OP_GET] = 50, [OP_PUT] = 50},
	 .key_order = ORDER_RANDOM,
	 .divided = true,
	 .percent_of = PERCENT_OF_GETS,
	 .preset = "bangdb-6"},

	{"voron-fill-none",
	 "Voron 2013: write --num records in key order in one transaction, never "
	 "synced.",
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
	 "Voron 2013: write --num records in key order in one transaction, handed to "
	 "the operating system.",
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
	 "Voron 2013: write --num records in key order in one transaction, synced to "
	 "the device.",
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
	 "Voron 2013: get --num records in key order, in as many partitions as "
	 "--threads.",
	 {[OP_GET] = 100},
	 .key_order = ORDER_SEQUENTIAL,
	 .divided = true,
	 .preset = "voron"},

	INSERT_STEP(
		"l.i0", IB_L_I0, .starts_empty = true,
		"Insert Benchmark: each of --threads clients inserts --num rows in the "
		"order"
		" of their keys into a table of its own, 100 a transaction, without "
		"indexes."),
	INSERT_STEP(
		"l.x", IB_L_X, .starts_empty = false,
		"Insert Benchmark: each client builds the three indexes of its table by "
		"a scan."),
	INSERT_STEP(
		"l.i1", IB_L_I1, .starts_empty = false,
		"Insert Benchmark: each client inserts --writes rows, 50 a transaction, "
		"into"
		" its table and indexes, and a second thread deletes as many of the "
		"oldest, at most 8 transactions behind."),
	INSERT_STEP(
		"l.i2", IB_L_I2, .starts_empty = false,
		"Insert Benchmark: l.i1 with a quarter of --writes rows, 5 a "
		"transaction."),
	{"wait",
	 "Insert Benchmark: wait until the engine has no pending work, then rest for 60 "
	 "s and 1 s per million rows, at most 1200 s or --duration.",
	 .maintenance = MAINTENANCE_REST, .preset = "insert-benchmark"},
	INSERT_STEP(
		"qr100", IB_QR100, .requires_rate = true,
		"Insert Benchmark: for --duration each client queries, with one thread "
		"that reads 10 entries of an index from a random place on, while two more"
		" insert and delete 100 rows a second. Invalid if that rate was not "
		"met."),
	INSERT_STEP("qp100", IB_QP100, .requires_rate = true,
		    "Insert Benchmark: qr100 with queries that get 10 random rows each."),
	INSERT_STEP("qr500", IB_QR500, .requires_rate = true,
		    "Insert Benchmark: qr100 at 500 inserted and deleted rows a second."),
	INSERT_STEP("qp500", IB_QP500, .requires_rate = true,
		    "Insert Benchmark: qp100 at 500 inserted and deleted rows a second."),
	INSERT_STEP(
		"qr1000", IB_QR1000, .requires_rate = true,
		"Insert Benchmark: qr100 at 1000 inserted and deleted rows a second."),
	INSERT_STEP(
		"qp1000", IB_QP1000, .requires_rate = true,
		"Insert Benchmark: qp100 at 1000 inserted and deleted rows a second."),
	INSERT_STEP(
		"l.check", IB_CHECK, .starts_empty = false,
		"Insert Benchmark: compare each index entry with its row, and each row "
		"with its entries, as every step does at its end (--ib_check)."),
	{"smallbank-load",
	 "SmallBank: write a savings and a checking balance for each of --num "
	 "customers, 10000.00 to 50000.00 each.",
	 {[OP_APPEND] = 100},
	 .procedure = PROCEDURE_SMALLBANK,
	 .key_order = ORDER_SEQUENTIAL,
	 .starts_empty = true,
	 .divided = true,
	 .batched = true,
	 .completes = true,
	 .preset = "smallbank"},
	{"smallbank",
	 "SmallBank: run transactions on the balances of random customers, 15 % of them "
	 "read-only; all money is counted before and after.",
	 {[OP_PROCEDURE] = 100},
	 .procedure = PROCEDURE_SMALLBANK,
	 .preset = "smallbank"},

	{"mixgraph-load",
	 "Load for mixgraph: put --num records in random order.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_PERMUTED,
	 .starts_empty = true,
	 .divided = true,
	 .completes = true,
	 .preset = "mixgraph"},
	{"mixgraph",
	 "Facebook's social graph (FAST 2020): gets, puts and seeks with hot key "
	 "ranges, hot keys, and Pareto sizes of values and scans.",
	 {[OP_GET] = 85, [OP_PUT] = 14, [OP_SEEK] = 1},
	 .key_order = ORDER_RANDOM,
	 .distribution = DISTRIBUTION_MIXGRAPH,
	 .preset = "mixgraph",
	 .source = SOURCE_MIXGRAPH},

	{"replay-load",
	 "Load for replay: put each key of --trace_in that has a value size into an "
	 "empty database.",
	 {[OP_PUT] = 100},
	 .key_order = ORDER_RANDOM,
	 .starts_empty = true,
	 .divided = true,
	 .source = SOURCE_TRACE},
	{"replay",
	 "Replay the operations of --trace_in with --threads, those on one key by one "
	 "thread in their order, at --speed.",
	 {[OP_GET] = 50, [OP_PUT] = 50},
	 .key_order = ORDER_RANDOM,
	 .divided = true,
	 .deletes = true,
	 .source = SOURCE_TRACE},

	{"cluster12",
	 "Twitter's cache cluster 12 by its published shape: 20 % gets, 80 % sets, "
	 "zipfian 0.30; TTLs are ignored.",
	 {[OP_GET] = 20, [OP_PUT] = 80},
	 .key_order = ORDER_RANDOM,
	 .distribution = DISTRIBUTION_ZIPFIAN,
	 .preset = "cluster12"},
	{"cluster14",
	 "Twitter's cache cluster 14 by its published shape: 65 % gets, 13 % sets, 22 % "
	 "deletes, zipfian 1.30.",
	 {[OP_GET] = 65, [OP_PUT] = 13, [OP_DELETE] = 22},
	 .key_order = ORDER_RANDOM,
	 .distribution = DISTRIBUTION_ZIPFIAN,
	 .deletes = true,
	 .preset = "cluster14"},
	{"cluster37",
	 "Twitter's cache cluster 37 by its published shape: 63 % gets, 37 % sets, "
	 "zipfian 0.43.",
	 {[OP_GET] = 63, [OP_PUT] = 37},
	 .key_order = ORDER_RANDOM,
	 .distribution = DISTRIBUTION_ZIPFIAN,
	 .preset = "cluster37"},

	{"age",
	 "Age the database by --age passes, with the key distribution of the list's next "
	 "workload. It writes no row; later rows have the columns age and "
	 "aged_rate_ratio.",
	 .maintenance = MAINTENANCE_AGE},
	{"open", "Close and open the database --num/10000 times (LevelDB's meaning).",
	 .num_fraction = 0.0001, .maintenance = MAINTENANCE_REOPEN},
	{"compact",
	 "Have the engine compact the whole database; engines without compaction finish "
	 "their pending work instead.",
	 .maintenance = MAINTENANCE_COMPACT},
	{"waitforcompaction",
	 "Wait until the engine has no pending work: compaction, checkpoint, write-back.",
	 .maintenance = MAINTENANCE_SETTLE},
	{"backup",
	 "Back the database up by the engine's own hot backup, or by copying its files "
	 "where it has none, to the directory backup; then open the copy, which must "
	 "hold the same records.",
	 .maintenance = MAINTENANCE_BACKUP},
	{"stats", "Print the engine's own statistics.",
	 .maintenance = MAINTENANCE_STATISTICS},
};

enum { WORKLOADS = sizeof workloads / sizeof *workloads };

#define MIXGRAPH_PRESET \
	"num=50m key_format=binary key_size=48 value_size=43 cache_size=256Mi"
#define PAPER_MIX " mix_get_ratio=0.83 mix_put_ratio=0.14 mix_seek_ratio=0.03"

static const struct preset presets[] = {
	{"ycsb",
	 "YCSB's core workloads: load, A, B, C, F, D, load again, E.",
	 "benchmarks=ycsb-load,ycsb-a,ycsb-b,ycsb-c,ycsb-f,ycsb-d,ycsb-load,ycsb-e "
	 "key_format=user key_size=24 value_size=1000"},
	{"ucsb",
	 "UCSB 2022's workloads in its order; its text says values of 1000 bytes, its "
	 "program had 1024.",
	 "benchmarks=ucsb-0,ucsb-c,ucsb-x,ucsb-e,ucsb-z,ucsb-a,ucsb-d,ucsb-y,ucsb-remove "
	 "key_format=binary key_size=8 value_size=1000"},
	{"mixgraph",
	 "Facebook's social graph (FAST 2020) in the mix of RocksDB's wiki: 85 % gets, "
	 "14 % puts, 1 % seeks.",
	 "benchmarks=mixgraph-load,mixgraph " MIXGRAPH_PRESET},
	{"mixgraph-paper",
	 "Facebook's social graph in the paper's mix: 83 % gets, 14 % puts, 3 % seeks.",
	 "benchmarks=mixgraph-load,mixgraph " MIXGRAPH_PRESET PAPER_MIX},
	{"mixgraph-day",
	 "Facebook's social graph in the paper's mix at its daily rate: a sine about "
	 "4500 operations a second, in an open loop.",
	 "benchmarks=mixgraph-load,mixgraph " MIXGRAPH_PRESET PAPER_MIX
	 " sine_mix_rate=1 duration=86400"},
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
	{"bangdb-1s",
	 "BangDB 2012, test 1 with 64 MiB of cache.",
	 "benchmarks=bangdb-write,bangdb-read num=2m key_format=user key_size=24 "
	 "value_size=100-400 write_buffer_size=64Mi cache_size=64Mi"},
	{"bangdb-2",
	 "BangDB 2012, test 2: four threads (its author wrote to LevelDB from one: "
	 "bangdb-write@1,bangdb-read@4).",
	 "benchmarks=bangdb-write,bangdb-read threads=4 num=2m key_format=user "
	 "key_size=24 value_size=100-400 write_buffer_size=512Mi cache_size=1Gi"},
	{"bangdb-2s",
	 "BangDB 2012, test 2 with 64 MiB of cache.",
	 "benchmarks=bangdb-write,bangdb-read threads=4 num=2m key_format=user "
	 "key_size=24 value_size=100-400 write_buffer_size=64Mi cache_size=64Mi"},
	{"bangdb-3",
	 "BangDB 2012, test 3: twice as much data as cache.",
	 "benchmarks=bangdb-write,bangdb-read threads=4 num=10m key_format=user "
	 "key_size=24 value_size=100-400 write_buffer_size=1Gi cache_size=1536Mi"},
	{"bangdb-4",
	 "BangDB 2012, test 4: one to eight threads.",
	 "benchmarks=bangdb-write@1,bangdb-read@1,bangdb-write@2,bangdb-read@2,"
	 "bangdb-write@4,bangdb-read@4,bangdb-write@8,bangdb-read@8 num=1m "
	 "key_format=user key_size=24 value_size=100-400 write_buffer_size=512Mi "
	 "cache_size=1Gi"},
	{"bangdb-5",
	 "BangDB 2012, test 5: values of 10,000 bytes.",
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
	{"smallbank",
	 "SmallBank (2008): a million customers, their balances loaded, then its mix of "
	 "transactions.",
	 "benchmarks=smallbank-load,smallbank num=1m key_format=binary key_size=8 "
	 "value_size=64"},
	{"insert-benchmark",
	 "Insert Benchmark (Callaghan) in memory: 10 million rows, 16 million changes, "
	 "30 minutes of each kind of query; for 32 GB of memory --num=800m --writes=4m.",
	 "benchmarks=l.i0,l.x,l.i1,l.i2,wait,qr100,qp100,qr500,qp500,qr1000,qp1000 "
	 "num=10m writes=16m duration=1800 key_size=29 value_size=34-44"},
};

const struct workload *workload_table(size_t *n)
{
	*n = WORKLOADS;
	return workloads;
}

const struct preset *workload_preset(size_t i)
{
	enum { PRESETS = sizeof presets / sizeof *presets };
	const struct preset *own = engine.presets;

	if (i < PRESETS)
		return &presets[i];
	while (own && own->name && i-- > PRESETS)
		own++;
	return own && own->name ? own : NULL;
}

const struct workload *workload_find(const char *name, size_t length)
{
	for (int i = 0; i < WORKLOADS; i++)
		if (strlen(workloads[i].name) == length &&
		    !memcmp(workloads[i].name, name, length))
			return &workloads[i];
	return NULL;
}

const struct workload *workload_own_background(const struct workload *workload)
{
	return workload->own_background == OWN_BACKGROUND_WRITER    ? &writer_workload
	       : workload->own_background == OWN_BACKGROUND_SCANNER ? &scanner_workload
						: NULL;
}

const struct workload *workload_added_background(enum added_background kind)
{
	return &added_background_workloads[kind];
}

const struct workload *workload_age(enum age_part part, const struct workload *workload)
{
	static const struct workload parts[AGE_PARTS] = {
		[AGE_OVERWRITE] = {"age-overwrite",
				   "",
				   {[OP_PUT] = 100},
				   .key_order = ORDER_RANDOM,
				   .divided = true,
				   .batched = true,
				   .is_aging_part = true},
		[AGE_DELETE] = {"age-delete",
				"",
				{[OP_DELETE] = 100},
				.key_order = ORDER_PERMUTED,
				.divided = true,
				.deletes = true,
				.num_fraction = 0.1,
				.is_aging_part = true},
		[AGE_REINSERT] = {"age-reinsert",
				  "",
				  {[OP_PUT] = 100},
				  .key_order = ORDER_PERMUTED,
				  .divided = true,
				  .batched = true,
				  .num_fraction = 0.1,
				  .is_aging_part = true,
				  .restores_deleted = true},
	};
	static struct workload by_distribution[DISTRIBUTION_UCSB2022 + 1];

	if (part != AGE_OVERWRITE)
		return &parts[part];
	by_distribution[workload->distribution] = parts[part];
	by_distribution[workload->distribution].distribution = workload->distribution;
	return &by_distribution[workload->distribution];
}

/*
 * Weights in percent, or in thousandths if percent is too coarse. Every operation with
 * a fraction above 0 has a weight of at least 1; the most frequent one takes the
 * rounding error. The generator uses the fractions; weights are for the row and for
 * queries.
 */
static void set_weights(const double fractions[OPS], unsigned weight[OPS])
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

static void set_mixgraph_weights(const struct mixgraph *mixgraph, unsigned weight[OPS])
{
	const double fractions[OPS] = {[OP_GET] = mixgraph->get,
				       [OP_PUT] = mixgraph->put,
				       [OP_SEEK] = mixgraph->seek};

	set_weights(fractions, weight);
}

void workload_set_trace_counts(const uint64_t op[OPS], uint64_t lines, uint64_t loads)
{
	double fractions[OPS];

	for (int i = 0; i < OPS; i++)
		fractions[i] = (double)op[i];
	for (struct workload *workload = workloads; workload < workloads + WORKLOADS;
	     workload++) {
		if (workload->source != SOURCE_TRACE)
			continue;
		workload->operations = workload->starts_empty ? loads : lines;
		if (!workload->starts_empty)
			set_weights(fractions, workload->weights);
	}
}

void workload_configure(unsigned percent, unsigned deletions, const unsigned mix[OPS],
			const struct mixgraph *mixgraph)
{
	for (struct workload *workload = workloads; workload < workloads + WORKLOADS;
	     workload++) {
		if (workload->custom_mix)
			memcpy(workload->weights, mix, sizeof workload->weights);
		if (workload->percent_of == PERCENT_OF_GETS) {
			workload->weights[OP_GET] = percent;
			workload->weights[OP_PUT] = 100 - percent;
		}
		if (workload->queue) {
			workload->weights[OP_PUT] = 100 - deletions;
			workload->weights[OP_DELETE] = deletions;
		}
		if (workload->source == SOURCE_MIXGRAPH)
			set_mixgraph_weights(mixgraph, workload->weights);
		/*
		 * A fraction of 0 would mean all; any other includes at least one
		 * record.
		 */
		if (workload->percent_of == PERCENT_OF_RECORDS)
			workload->num_fraction = percent ? percent / 100.0 : 1e-9;
	}
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
	return workload->custom_mix || workload_writes(workload) ||
	       workload->own_background == OWN_BACKGROUND_WRITER ||
	       workload->maintenance == MAINTENANCE_COMPACT ||
	       workload->maintenance == MAINTENANCE_SETTLE;
}

bool workload_grows(const struct workload *workload)
{
	return workload->weights[OP_INSERT] || workload->weights[OP_EXPIRE];
}
