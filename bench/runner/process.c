/* process.c: see process.h. */
#include "process.h"

#include <stdlib.h>
#include <string.h>

#include "../../util/message.h"
#include "../../util/os/cgroup.h"
#include "../../util/os/host.h"
#include "../../util/os/library_info.h"
#include "../workload/config.h"

void process_bind(void)
{
	char why[ENGINE_ERROR_SIZE];
	const char *cpus = *cfg->cpus ? cfg->cpus : cfg->pin_threads,
		   *option = *cfg->cpus ? "cpus" : "pin_threads";

	if (*cfg->cpus && *cfg->pin_threads)
		message_fatal(2, "--cpus and --pin_threads exclude each other; give one");
	if (*cfg->numa_node) {
		char *end;
		unsigned long node = strtoul(cfg->numa_node, &end, 10);
		const char *own = host_bind_node((unsigned)node, why);

		if (*end || !own)
			message_fatal(2, "--numa_node: %s", *end ? "give a number" : why);
		option = *cpus ? option : "numa_node";
		cpus = *cpus ? cpus : own;
	}
	if (*cpus && !host_pin_cpus(cpus, why))
		message_fatal(2, "--%s: %s", option, why);
	host_limit_arenas((unsigned)cfg->malloc_arenas);
}

/* Threads that the engine has made before keep all CPUs of the list. */
void process_pin_thread(unsigned number)
{
	if (*cfg->pin_threads)
		host_pin_thread(cfg->pin_threads, number);
}

void process_check_memory_limit(char **argv)
{
	char error[CGROUP_ERROR_SIZE];
	struct cgroup group = {.version = 0};

	if (!cgroup_create(&group, cfg->memory, error)) {
		cgroup_restart_in_scope(argv);
		message_fatal(2, "--memory: %s", error);
	}
	cgroup_remove(&group);
}

void process_describe_library(char *to, size_t size)
{
	const struct provenance *p = &engine.provenance;
	struct library_info library =
		p->file ? library_info_read(p->file(), p->cpp_namespace)
			: library_info_find(p->symbol, p->cpp_namespace);

	if (p->has_assertions)
		library.assertions = p->has_assertions();
	if ((p->symbol || p->file) &&
	    library_info_describe(&library, p->crc32c, to, size))
		message_print("%s", to);
}

void process_describe_allocator(char *to, size_t size)
{
	const char *own = engine.provenance.allocator;
	size_t used = own ? (size_t)snprintf(to, size, "%s, and for C ", own) : 0;

	library_info_allocator(to + used, size - used);
}

const char *process_memory_advice(const struct settings *settings)
{
	static char text[512];

	strcpy(text, "it needs more memory than --memory allows; give more");
	if (engine.cache && *engine.cache)
		message_append(text, sizeof text, ", ",
			       "or less to --cache_size (%llu bytes)",
			       (unsigned long long)settings->cache_bytes);
	if (engine.write_buffer)
		message_append(text, sizeof text, ", ",
			       "or less to --write_buffer_size (%llu bytes: %s)",
			       (unsigned long long)settings->write_buffer_bytes,
			       engine.write_buffer);
	return text;
}
