/* trace_settings.h: the options of traces, and facts about the trace that is replayed. */
#ifndef BENCH_EXTRAS_TRACE_SETTINGS_H
#define BENCH_EXTRAS_TRACE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Found in a trace by reading it through before the run. */
struct trace_facts {
	size_t key_max, value_max;
	uint64_t writes, written_bytes; /* values, and bytes in them */
	uint64_t ttls;                  /* writes with a TTL */
	bool is_found_known;            /* lines say what gets found */
	/* lines that give the size of a record, and bytes in keys and values of those */
	uint64_t loads, loaded_key_bytes, loaded_value_bytes;
	bool is_only_source;   /* no workload of the plan has other records */
	char description[512]; /* the format, and what a replay leaves out */
};

struct trace_settings {
	const char *in, *out; /* paths; "": none */
	double speed;
	bool clients;     /* as many threads as the trace has clients */
	bool writes_load; /* the traced benchmark is a load */
	struct trace_facts facts;
};

extern const struct trace_settings *const trace_settings;

#endif
