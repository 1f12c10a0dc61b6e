/* cast.c: see cast.h. */
#include "cast.h"

#include "insertbench.h"
#include "smallbank.h"

static struct amounts amounts;

const struct acts *cast_of(const struct workload *load)
{
	switch (load->cast) {
	case CAST_NONE:
		return NULL;
	case CAST_SMALLBANK:
		return &smallbank;
	default:
		return &insertbench_steps[load->cast].acts;
	}
}

void cast_configure(const struct amounts *asked)
{
	amounts = *asked;
}

const struct amounts *cast_amounts(void)
{
	return &amounts;
}

uint64_t cast_operations(const struct workload *load)
{
	const struct acts *acts = cast_of(load);

	return acts && acts->operations ? acts->operations(acts, &amounts) : 0;
}

bool cast_ends(const struct workload *load)
{
	return load->shared || load->whole || cast_operations(load);
}

unsigned cast_threads(const struct workload *load, unsigned asked)
{
	const struct acts *acts = cast_of(load);

	return asked + (load->beside != BESIDE_NONE) + (acts ? asked * acts->beside : 0);
}

uint64_t cast_records(const struct workload *load, uint64_t num)
{
	const struct acts *acts = cast_of(load);

	return acts && acts->records ? num * acts->records : num;
}
