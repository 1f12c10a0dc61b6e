/* settings.c: see settings.h. */
#include "settings.h"

#include <stdio.h>
#include <string.h>

#include "../../engines/driver_util.h"
#include "../../util/message.h"
#include "../workload/config.h"
#include "../workload/extra.h"
#include "../workload/procedure.h"

/* ---- for engines that store nothing ---- */

static uint64_t oracle_index(const struct oracle *o, struct slice key)
{
	uint64_t id = key.size == cfg->key_size
			      ? record_parse_key(key.data, key.size,
						 (enum record_key_format)cfg->key_format)
			      : UINT64_MAX;

	return id < o->records ? id : UINT64_MAX;
}

static size_t oracle_record(const struct oracle *o, uint64_t index, char *key,
			    char *value)
{
	struct record_key_shape shape = {(enum record_key_format)cfg->key_format, true,
					 cfg->key_size, cfg->key_size};
	size_t size = record_size(o->sizes, index, 0);
	char buffer[2 * 512]; /* keys are made in pairs */
	uint64_t ids[2] = {index, index};

	memset(buffer, '0', sizeof buffer);
	record_write_keys(&shape, buffer, ids, 1);
	memcpy(key, buffer, cfg->key_size);
	record_write_value(value, size, config_value_ratio(), index, 0);
	return size;
}

/* ---- checks before any file is touched ---- */

/* The compressions that the engine offers besides none, for a message. */
static const char *compression_names(char *to, size_t size)
{
	size_t n = (size_t)snprintf(to, size, "none");

	for (int i = 1; config_compressions[i]; i++)
		if (engine.compressions & 1u << i)
			n += (size_t)snprintf(to + n, size - n, ", %s",
					      config_compressions[i]);
	return to;
}

/* Reject settings that no run could honour. */
static struct traits check_settings(const struct settings *s)
{
	struct traits traits = driver_util_traits(&engine, s);
	double max_keys = record_max_keys(database_key_format(s), s->key_size);
	char names[64];

	if (traits.invalid)
		message_fatal(2, "%s", traits.invalid);
	if (s->compression && !(engine.compressions & 1u << s->compression))
		message_fatal(2, "--compression=%s: this build of %s has %s",
			      config_compressions[s->compression], engine.title,
			      compression_names(names, sizeof names));
	if (engine.effective_durability[s->durability] == DURABILITY_UNSUPPORTED)
		message_fatal(2,
			      "--durability=%s: %s supports neither this level nor a "
			      "stronger one",
			      config_durabilities[s->durability], engine.title);
	if (engine.server_usage && (cfg->cold || cfg->memory))
		message_fatal(2,
			      "--%s: %s keeps its records in other processes, which "
			      "this option does not affect",
			      cfg->cold ? "cold" : "memory", engine.title);
	if (*cfg->device && !engine.raw_devices)
		message_fatal(2,
			      "--device: %s keeps its records in files; give --db "
			      "instead",
			      engine.title);
	if (*cfg->device && !cfg->confirm_overwrite)
		message_fatal(2,
			      "--device: the contents of %s would be overwritten; give "
			      "--confirm_overwrite=1 to allow it",
			      cfg->device);
	if (cfg->confirm_overwrite && !*cfg->device)
		message_fatal(2, "--confirm_overwrite: give --device, too");
	if (engine.key_limit && s->key_size > engine.key_limit)
		message_fatal(2, "--key_size: %s takes at most %zu bytes", engine.title,
			      engine.key_limit);
	if (engine.value_limit && s->value_size > engine.value_limit)
		message_fatal(2, "--value_size: %s takes at most %llu bytes",
			      engine.title, (unsigned long long)engine.value_limit);
	if ((double)s->num > max_keys)
		message_fatal(2,
			      "--num: %llu records do not fit into %s keys of %zu "
			      "bytes; give a larger --key_size",
			      (unsigned long long)s->num,
			      record_key_formats[database_key_format(s)], s->key_size);
	if (database_key_format(s) == KEYS_USER && s->key_size < RECORD_USER_KEY_SIZE)
		message_fatal(2, "--key_size: --key_format=user needs at least %d bytes",
			      RECORD_USER_KEY_SIZE);
	return traits;
}

/* The settings that all benchmarks of the plan need. */
static struct settings settings_of_plan(const struct database *d,
					const struct plan_item *list)
{
	struct settings s = {
		.num = 1,
		.key_size = cfg->key_size,
		.value_size = record_sizes_max(&cfg->value_sizes),
		.cache_bytes = cfg->cache_size,
		.write_buffer_bytes = cfg->write_buffer_size,
		.compression = (enum compression)cfg->compression,
		.multiget = 1,
		.sessions = 1,
		.durability = (enum durability)cfg->durability,
		.native_keys = cfg->key_format == KEYS_NATIVE,
		.verify = cfg->verify,
		.counters = *cfg->engine_counters != '\0',
		.statistics = cfg->db_bench.statistics,
		.oracle = &d->oracle,
		.path = "",
		.device = *cfg->device ? cfg->device : NULL,
	};

	for (const struct plan_item *item = list; item->workload; item++) {
		uint64_t batch = item->workload->weights[OP_MULTIGET] ? item->batch : 1;
		unsigned threads = item->measured_threads;

		s.num = s.num > item->records ? s.num : item->records;
		s.multiget = batch < s.multiget
				     ? s.multiget
				     : (unsigned)(batch < 100000 ? batch : 100000);
		threads += threads == item->threads; /* main() may look at the database */
		threads += item->added_count;
		s.sessions = s.sessions > threads ? s.sessions : threads;
		s.value_size = s.value_size > item->workload->value_size
				       ? s.value_size
				       : item->workload->value_size;
	}
	return s;
}

/* Check what a procedure needs of the engine and of the records. */
static void check_procedure(const struct workload *workload, const struct settings *s,
			    const struct traits *traits)
{
	const struct procedure *procedure = workload->procedure;
	const struct record_sizes *sizes = &cfg->value_sizes;

	if (procedure->needs_transactions && !traits->transactions)
		message_fatal(2,
			      "%s: %s has no transactions that read, and they are not "
			      "emulated",
			      workload->name, engine.title);
	if (procedure->needs_transactions && traits->sharded)
		message_fatal(2,
			      "%s: its transactions need all records in one database, "
			      "and %s divides them; give one server",
			      workload->name, engine.title);
	if (traits->discards_writes)
		message_fatal(2,
			      "%s: %s discards writes, whose effect this workload "
			      "checks; choose another engine",
			      workload->name, engine.title);
	if (procedure->reject && procedure->reject(procedure, cfg->num))
		message_fatal(2, "%s", procedure->reject(procedure, cfg->num));
	if (procedure->own_key_size &&
	    (s->key_size != procedure->own_key_size || s->native_keys ||
	     sizes->min != procedure->own_value_min ||
	     sizes->max != procedure->own_value_max))
		message_fatal(2,
			      "%s has keys and values of its own; leave out --key_size, "
			      "--key_format and --value_size",
			      workload->name);
	if (procedure->value_size_min &&
	    (sizes->min != sizes->max || sizes->min < procedure->value_size_min))
		message_fatal(2,
			      "--value_size: %s needs values of one size, of at least "
			      "%zu bytes",
			      workload->name, procedure->value_size_min);
}

/*
 * Check that the engine can have the records and durability levels of all benchmarks,
 * and how it stores their keys.
 */
static void check_records_and_keys(struct database *d, const struct plan_item *list)
{
	if (cfg->key_format == KEYS_NATIVE && !engine.integer_keys)
		message_fatal(2, "--key_format=native: %s has no integer keys",
			      engine.title);
	if (driver_util_traits(&engine, &d->settings).native_keys) {
		d->settings.native_keys = true;
		d->settings.key_size = sizeof(uint64_t);
	}
	d->traits = check_settings(&d->settings);
	for (const struct plan_item *item = list; item->workload; item++) {
		struct settings s = d->settings;
		struct traits traits;

		s.durability = item->durability;
		traits = check_settings(&s);
		if (item->workload->procedure)
			check_procedure(item->workload, &s, &traits);
		for (const struct extra *const *extra = extra_all(); *extra; extra++)
			if ((*extra)->check_settings)
				(*extra)->check_settings(item, &s);
		if (engine.fixed_size && (cfg->value_sizes.min != s.value_size ||
					  item->value_sizes.max != s.value_size))
			message_fatal(2,
				      "--value_size: %s needs one size of values for all "
				      "benchmarks of a list",
				      engine.title);
	}
	if (d->settings.native_keys)
		config_set_native_keys(d->settings.key_size);
}

void settings_make(struct database *d, const struct plan_item *list)
{
	d->settings = settings_of_plan(d, list);
	d->oracle = (struct oracle){d->settings.num, &d->value_sizes, oracle_index,
				    oracle_record};
	d->value_sizes = cfg->value_sizes;
	d->first_free_id = d->settings.num;
	check_records_and_keys(d, list);
	d->complete = d->traits.discards_writes;
}
