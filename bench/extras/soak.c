/*
 * soak.c: the parts of a soak pass, as workloads of their own: each has a row, which is
 * what aging costs. scripts/soak.sh repeats the passes on one database.
 */
#include "../runner/database.h"
#include "../runner/run.h"

extern const struct extra soak_extra;

enum soak_part { SOAK_CHURN, SOAK_EXPIRE, SOAK_REFILL };

static struct workload soak_workloads[] = {
	[SOAK_CHURN] = {"soak-churn",
			"Overwrite --num random records in batches: the first part of a "
			"soak pass.",
			{[OP_PUT] = 100},
			.key_order = ORDER_RANDOM,
			.divided = true,
			.batched = true},
	[SOAK_EXPIRE] = {"soak-expire",
			 "Delete the first tenth of the records in key order, as expiry "
			 "does; soak-refill inserts them again.",
			 {[OP_DELETE] = 100},
			 .key_order = ORDER_SEQUENTIAL,
			 .divided = true,
			 .deletes = true,
			 .is_restored = true,
			 .num_fraction = 0.1},
	[SOAK_REFILL] = {"soak-refill",
			 "Insert the records that soak-expire deleted, in batches: the "
			 "database is complete again.",
			 {[OP_PUT] = 100},
			 .key_order = ORDER_SEQUENTIAL,
			 .divided = true,
			 .batched = true,
			 .num_fraction = 0.1},
	{0},
};

static const struct preset soak_presets[] = {
	{"soak",
	 "One pass of a soak on a loaded database: overwrite, expire a tenth, seek "
	 "across it, insert it again, commit, read. scripts/soak.sh repeats it.",
	 "benchmarks=soak-churn,soak-expire,seekrandom,soak-refill,overwrite,readrandom "
	 "durability=sync batch_size=100 reads=10000 writes=1000"},
	{0},
};

/* The expired records are there again, unless a smaller --num refilled fewer. */
static void soak_end_item(struct run *run, bool valid)
{
	struct database *d = run->info->database;
	uint64_t expired = d->db_dir.facts.to_restore;

	if (run->workload != &soak_workloads[SOAK_REFILL] || !valid || !expired ||
	    run->item->operations < expired)
		return;
	d->db_dir.facts.to_restore = 0;
	database_write_marker(d, run->workload, true);
}

const struct extra soak_extra = {
	.workloads = soak_workloads,
	.presets = soak_presets,
	.end_item = soak_end_item,
};
