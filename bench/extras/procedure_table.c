/* procedure_table.c: see procedure_table.h. */
#include "procedure_table.h"

#include "insert_benchmark.h"
#include "smallbank.h"

static struct run_size run_size;

const struct procedure *procedure_table_find(const struct workload *workload)
{
	switch (workload->procedure) {
	case PROCEDURE_NONE:
		return NULL;
	case PROCEDURE_SMALLBANK:
		return &smallbank;
	default:
		return &insert_benchmark_steps[workload->procedure].procedure;
	}
}

void procedure_table_configure(const struct run_size *size)
{
	run_size = *size;
}

const struct run_size *procedure_table_run_size(void)
{
	return &run_size;
}

uint64_t procedure_table_operations(const struct workload *workload)
{
	const struct procedure *procedure = procedure_table_find(workload);

	return procedure && procedure->operations
		       ? procedure->operations(procedure, &run_size)
		       : 0;
}

bool procedure_table_has_fixed_length(const struct workload *workload)
{
	return workload->divided || workload->whole_range ||
	       procedure_table_operations(workload);
}

unsigned procedure_table_threads(const struct workload *workload, unsigned threads)
{
	const struct procedure *procedure = procedure_table_find(workload);

	return threads + (workload->own_background != OWN_BACKGROUND_NONE) +
	       (procedure ? threads * procedure->background_threads : 0);
}

uint64_t procedure_table_records(const struct workload *workload, uint64_t num)
{
	const struct procedure *procedure = procedure_table_find(workload);

	return procedure && procedure->records_per_num ? num * procedure->records_per_num
						       : num;
}
