/* database.c: see database.h. */
#include "database.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../engines/driver_util.h"
#include "../../util/os/cgroup.h"
#include "../../util/os/clock.h"
#include "../../util/os/supervisor.h"
#include "../../util/os/nand.h"
#include "../../util/option.h"
#include "../../util/message.h"
#include "../../util/os/resource_usage.h"
#include "../workload/extra.h"
#include "../workload/procedure.h"
#include "../workload/config.h"

void database_note_failure(struct run_failure *f, const char *doing, const char *why)
{
	if (f->failed)
		return;
	message_print("%s: %s", doing, why);
	snprintf(f->text, sizeof f->text, "%s: %s", doing, why);
	f->failed = true;
}

enum record_key_format database_key_format(const struct settings *s)
{
	return s->native_keys ? KEYS_NATIVE : (enum record_key_format)cfg->key_format;
}

const char *database_storage_path(const struct database *d)
{
	if (engine.stores_nothing || engine.server_usage)
		return NULL;
	return *cfg->device ? cfg->device : d->db_dir.path;
}

/* Does this process have files that are read through the page cache? */
static bool uses_page_cache(const struct database *d)
{
	return database_storage_path(d) && !*cfg->device &&
	       !(engine.cache && !*engine.cache);
}

struct db_dir_size database_size(const struct database *d)
{
	return database_storage_path(d) ? db_dir_size(&d->db_dir)
					: (struct db_dir_size){NAN, NAN, NAN};
}

struct server_usage database_server_usage(struct database *d)
{
	struct server_usage r = {0};
	char why[ENGINE_ERROR_SIZE];

	if (!engine.server_usage || !d->db || engine.server_usage(d->db, &r, why) != DONE)
		r.servers = 0;
	return r;
}

double database_nand_bytes(const struct database *d)
{
	struct device under = {.known = false};

	if (database_storage_path(d))
		under = device_of_path(database_storage_path(d));
	return nand_written_bytes(&under);
}

const char *database_describe_error(const struct database *d, enum status status,
				    const char *why)
{
	static char text[ENGINE_ERROR_SIZE + 512];

	snprintf(text, sizeof text, "%s%s%s", status == FULL ? "no disk space: " : "",
		 *why ? why : "the engine refused a call and gave no reason",
		 supervisor_describe_limits(engine.stores_nothing ? NULL
								  : d->db_dir.path));
	return text;
}

static void note_engine_error(struct database *d, const char *doing, enum status status)
{
	database_note_failure(&d->failure, doing,
			      database_describe_error(d, status, d->why));
}

void database_set_activity(struct database *d, const char *what)
{
	if (d->activity)
		*d->activity = what;
}

/* ---- the directory or device ---- */

/* The directory of --db, or one of our own. */
static const char *database_path(void)
{
	static char path[DB_DIR_PATH_SIZE];
	const char *tmp = getenv("TMPDIR");

	if (*cfg->db)
		return cfg->db;
	snprintf(path, sizeof path, "%s/assay-%u/%s", tmp && *tmp ? tmp : "/tmp",
		 (unsigned)getuid(), engine.name);
	return path;
}

void database_apply_device_share(void)
{
	const char *on = *cfg->device ? cfg->device : database_path();
	double record = (double)cfg->key_size +
			record_sizes_mean(&cfg->value_sizes) *
				(cfg->compression ? cfg->compression_ratio : 1);
	double bytes, num;

	if (!(cfg->device_share > 0))
		return;
	bytes = engine.stores_nothing ? NAN : device_size_bytes(on);
	num = bytes * cfg->device_share / record;
	if (!(num >= 1))
		message_fatal(2, "--device_share: the size of %s is unknown; give --num",
			      engine.stores_nothing ? "an engine that stores nothing"
						    : on);
	config_set_num((uint64_t)num);
}

/* Add a number to a hash. */
static uint64_t hash_double(uint64_t hash, double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return random_mix(hash ^ bits) | 1;
}

/* Hash the sizes of values, or their distribution; 0: all have one size. */
static uint64_t hash_value_sizes(const struct record_sizes *sizes)
{
	const struct pareto *pareto = &sizes->pareto;
	uint64_t hash = 0;

	for (unsigned i = 0; i < sizes->list_count; i++)
		hash = random_mix(hash ^ sizes->list[i]) | 1;
	for (size_t i = 0; sizes->lengths && i < sizes->lengths->count; i++)
		hash = hash_double(hash ^ sizes->fields, sizes->lengths->up_to[i]);
	if (!(pareto->sigma > 0))
		return hash;
	hash = random_mix(sizes->loaded_size ^ sizes->pareto_steps << 32) | 1;
	return hash_double(hash_double(hash_double(hash, pareto->theta), pareto->k),
			   pareto->sigma);
}

/* The format of values: the suite's, or a procedure's. */
static uint64_t value_format(const struct workload *workload)
{
	return workload->procedure && workload->procedure->value_format
		       ? workload->procedure->value_format
	       : record_is_text() ? RECORD_TEXT_FORMAT
				  : RECORD_FORMAT;
}

bool database_has_own_records(const struct database *d)
{
	return d->db_dir.facts.value_format == RECORD_FORMAT;
}

/* The order of the keys that a load writes, if it has one. */
static enum db_dir_order load_order(const struct database *d,
				    const struct workload *workload)
{
	if (workload->procedure || workload->own_keys || workload->next)
		return DB_DIR_ORDER_UNKNOWN;
	return workload->key_order == ORDER_SEQUENTIAL &&
			       database_key_format(&d->settings) != KEYS_USER
		       ? DB_DIR_ORDER_SEQUENTIAL
		       : DB_DIR_ORDER_RANDOM;
}

/*
 * Does the existing database differ from the one that the command line describes? If so,
 * `why` says how.
 */
static bool describe_difference(const struct db_dir *dir, const struct settings *s,
				const struct workload *workload, char *why)
{
	enum { SIZE = sizeof((struct database *)NULL)->difference };
	const struct db_dir_facts *f = &dir->facts;
	/* db_bench's texts are any program's, as long as nobody checks them */
	bool ours = f->value_format == RECORD_FORMAT ||
		    (f->value_format == RECORD_TEXT_FORMAT && !cfg->verify);
	const struct {
		const char *name;
		uint64_t stored, requested;
	} same[] = {
		{"key_size", f->key_size, s->key_size},
		{"key_format number", f->key_format, database_key_format(s)},
		{"value_size", f->value_max, cfg->value_sizes.max},
		{"smallest value_size", f->value_min, cfg->value_sizes.min},
		{"list of value_size", f->value_list_hash,
		 hash_value_sizes(&cfg->value_sizes)},
		{"compression_ratio in 256ths", f->compression_ratio,
		 config_value_ratio()},
	};

	*why = '\0';
	if (strcmp(f->engine, engine.name))
		snprintf(why, SIZE,
			 "%s holds a database of bench_%s; choose another --db",
			 dir->path, *f->engine ? f->engine : "(nothing known)");
	else if (!f->key_range)
		snprintf(why, SIZE, "%s was never loaded; begin with a fill", dir->path);
	else if (f->value_format == RECORD_TEXT_FORMAT && !ours)
		snprintf(why, SIZE,
			 "%s holds db_bench's values, which cannot be checked; leave out "
			 "--verify, or load it again",
			 dir->path);
	else if (!ours && f->value_format < 256)
		snprintf(why, SIZE,
			 "%s was loaded by another version of assay, with another value "
			 "format; load it again",
			 dir->path);
	else if (!workload_is_maintenance(workload) && (workload->procedure || !ours) &&
		 f->value_format != value_format(workload))
		snprintf(why, SIZE, "%s holds other records than %s needs; load it again",
			 dir->path, workload->name);
	for (size_t i = 0; !*why && i < sizeof same / sizeof *same; i++)
		if (same[i].stored != same[i].requested)
			snprintf(why, SIZE,
				 "%s was made with %s %llu, not %llu; give the same, or "
				 "load it again",
				 dir->path, same[i].name,
				 (unsigned long long)same[i].stored,
				 (unsigned long long)same[i].requested);
	if (!*why && s->num > f->key_range)
		snprintf(why, SIZE,
			 "--num: %s holds %llu records, not %llu; give as many, or load "
			 "it again",
			 dir->path, (unsigned long long)f->key_range,
			 (unsigned long long)s->num);
	return *why;
}

/*
 * An existing database must be the one that the command line describes. db_bench checks
 * nothing: in its place this is a warning, and no record is expected to be there.
 */
static void check_facts(struct database *d, const struct db_dir *dir,
			const struct plan_item *list)
{
	for (const struct plan_item *item = list; item->workload && !*d->difference;
	     item++)
		if (describe_difference(dir, &d->settings, item->workload,
					d->difference) &&
		    !cfg->db_bench.on)
			message_fatal(2, "%s", d->difference);
}

static void check_marker(struct database *d, const struct plan_item *list)
{
	check_facts(d, &d->db_dir, list);
	if (*d->difference)
		d->db_dir.facts.complete = 0;
	if (!d->db_dir.facts.key_range)
		d->db_dir.facts.key_range = d->settings.num;
	if (d->settings.value_size < d->db_dir.facts.value_any_max)
		d->settings.value_size = (size_t)d->db_dir.facts.value_any_max;
}

/* Drop the page cache of the database. */
static bool drop_cache(struct database *d, char *error)
{
	return *cfg->device ? raw_device_drop_cache(&d->raw_device, &d->cold, error)
			    : db_dir_drop_cache(&d->db_dir, &d->cold, error);
}

/* The contents of a directory that everybody may write to are not trusted. */
static bool make_parent_private(const char *db, char *error)
{
	char above[DB_DIR_PATH_SIZE];
	const char *slash = strrchr(db, '/');

	snprintf(above, sizeof above, "%.*s", (int)(slash - db), db);
	return db_dir_make_private(above, error);
}

/*
 * Open the directory for a copy of --copy_of, and make that. A source that the command line
 * does not describe is refused before any file is touched.
 */
static bool open_copy(struct database *d, const char *db, const struct plan_item *list,
		      char *error)
{
	struct db_dir source;
	double free_bytes = device_free_bytes(db) + db_dir_disk_usage(db);
	bool fits, done;

	if (!db_dir_open_shared(&source, cfg->copy_of, error))
		return false;
	check_facts(d, &source, list);
	fits = !cfg->check_space || !(db_dir_disk_usage(source.path) > free_bytes);
	done = db_dir_create(&d->db_dir, db, engine.name, error) &&
	       db_dir_copy(&d->db_dir, &source, fits, error);
	db_dir_close(&source);
	return done;
}

/* What the marker says of the records. */
static void take_facts(struct database *d)
{
	const struct db_dir_facts *facts = &d->db_dir.facts;

	d->complete = facts->complete;
	d->records = facts->records;
	if (d->value_sizes.any_size_max < facts->value_any_max)
		d->value_sizes.any_size_max = (size_t)facts->value_any_max;
}

static void open_directory(struct database *d, const struct plan_item *list)
{
	char error[DB_DIR_ERROR_SIZE];
	const char *db = database_path();

	if (!*cfg->db && !make_parent_private(db, error))
		message_fatal(2, "%s", error);
	if (cfg->db_bench.on && engine.leveldb_files
		    ? !db_dir_open_flat(&d->db_dir, db, engine.name, error)
	    : cfg->multiprocess_read ? !db_dir_open_shared(&d->db_dir, db, error)
	    : *cfg->copy_of          ? !open_copy(d, db, list, error)
	    : cfg->use_existing_db   ? !db_dir_open(&d->db_dir, db, error)
				     : !db_dir_create(&d->db_dir, db, engine.name, error))
		message_fatal(2, "%s", error);
	if (cfg->use_existing_db)
		check_marker(d, list);
	take_facts(d);
	d->first_free_id =
		cfg->use_existing_db ? d->db_dir.facts.key_range : d->settings.num;
	d->settings.path = d->db_dir.data_path;
	/* The plan's first workload has epoch 1. */
	if (cfg->use_existing_db && !cfg->epoch && d->db_dir.facts.next_epoch)
		d->epochs_before = d->db_dir.facts.next_epoch - 1;
}

/* Open the device, and check that the described database is on it. */
static void open_device(struct database *d)
{
	char error[DB_DIR_ERROR_SIZE];

	if (!raw_device_open(&d->raw_device, cfg->device, error))
		message_fatal(2, "--device: %s", error);
	if (cfg->use_existing_db && d->raw_device.load_id != d->db_dir.facts.raw_load_id)
		message_fatal(2,
			      "--device: %s does not hold the database that %s "
			      "describes; load it again",
			      cfg->device, d->db_dir.path);
	d->settings.device_bytes = d->raw_device.bytes;
}

/*
 * Reject a load whose records alone exceed the free disk space, counting the space that
 * it frees: it would end with a full disk.
 */
static void check_free_space(const struct database *d, const struct plan_item *list)
{
	const char *db = database_path();
	double free_bytes = *cfg->device ? (double)d->raw_device.bytes
					 : device_free_bytes(db) + db_dir_disk_usage(db);

	for (const struct plan_item *item = list; item->workload && cfg->check_space;
	     item++) {
		struct record_sizes sizes = item->value_sizes;
		double value = record_sizes_loaded_mean(&sizes) *
			       (cfg->compression ? cfg->compression_ratio : 1);
		double need = ((double)cfg->key_size + value) * (double)item->operations;

		if (item->workload->starts_empty && need > free_bytes &&
		    !cfg->db_bench.on)
			message_fatal(2,
				      "--%s: %s has %.1f MB of free space, and the "
				      "records of %s alone take %.1f; choose another, a "
				      "smaller --num, or --check_space=0",
				      *cfg->device ? "device" : "db",
				      *cfg->device ? cfg->device : db, free_bytes / 1e6,
				      item->workload->name, need / 1e6);
	}
}

static void describe_storage(struct database *d)
{
	struct device under = device_of_path(database_storage_path(d));

	if (!database_storage_path(d))
		return;
	d->queue = device_queue(&under);
	device_simulated_disk(&under, d->simulated_disk, sizeof d->simulated_disk);
	d->mount = host_mount(d->db_dir.path);
	if (*cfg->device) {
		d->mount = (struct mount_info){.type = "raw"};
		snprintf(d->mount.device, sizeof d->mount.device, "%s", cfg->device);
	}
}

void database_prepare(struct database *d, const struct plan_item *list)
{
	char error[DB_DIR_ERROR_SIZE];

	if (!*cfg->device && !engine.server_usage)
		check_free_space(d, list);
	open_directory(d, list);
	if (*cfg->device) {
		open_device(d);
		check_free_space(d, list);
	}
	/* Pages of the cache that others have read are charged to them. */
	if (cfg->use_existing_db && cfg->memory && !drop_cache(d, error))
		message_fatal(1, "--memory: %s", error);
	describe_storage(d);
}

void database_finish(struct database *d)
{
	if (d->db)
		database_close(d, NULL);
	if (d->tickers)
		printf("STATISTICS:\n%s\n", d->tickers);
	free(d->tickers);
	raw_device_close(&d->raw_device);
	db_dir_close(&d->db_dir);
}

void database_remove_copy(void)
{
	char error[DB_DIR_ERROR_SIZE];
	struct db_dir copy;

	if (*cfg->copy_of &&
	    !(db_dir_open(&copy, database_path(), error) && db_dir_remove(&copy, error)))
		message_print("--copy_of: %s", error);
}

void database_write_marker(struct database *d, const struct workload *workload,
			   bool complete)
{
	char error[DB_DIR_ERROR_SIZE];

	if (d->traits.discards_writes)
		return;
	d->complete = complete;
	if (engine.stores_nothing)
		return;
	d->db_dir.facts.key_range = d->first_free_id;
	d->db_dir.facts.records = d->records;
	if (workload->starts_empty) {
		d->db_dir.facts.key_size = d->settings.key_size;
		d->db_dir.facts.key_format = database_key_format(&d->settings);
		d->db_dir.facts.value_max = d->value_sizes.max;
		d->db_dir.facts.value_min = d->value_sizes.min;
		d->db_dir.facts.value_list_hash = hash_value_sizes(&d->value_sizes);
		d->db_dir.facts.compression_ratio = config_value_ratio();
		d->db_dir.facts.value_format = value_format(workload);
		d->db_dir.facts.value_any_max = d->value_sizes.any_size_max;
		d->db_dir.facts.any_keys = workload->unknown_keys;
		d->db_dir.facts.load_order = load_order(d, workload);
	}
	d->db_dir.facts.complete = complete;
	if (!db_dir_write_facts(&d->db_dir, error))
		database_note_failure(&d->failure, "marker", error);
}

uint64_t database_epoch(const struct database *d, const struct plan_item *item)
{
	return plan_item_has_epoch(item) ? d->epochs_before + item->epoch : 0;
}

uint64_t database_repeats_epoch(const struct database *d, const struct plan_item *item)
{
	bool repeats = workload_changes(item->workload) && cfg->use_existing_db &&
		       plan_item_has_epoch(item) &&
		       database_epoch(d, item) < d->db_dir.facts.next_epoch;

	return repeats ? d->db_dir.facts.next_epoch : 0;
}

/*
 * Store that the database has had the epoch. One that --epoch gave, and that only reads,
 * is none of the database's. Processes that share it begin together in one epoch, and
 * differ by their seeds.
 */
static void note_epoch(struct database *d, const struct plan_item *item)
{
	const bool changes = workload_changes(item->workload);
	uint64_t *next = &d->db_dir.facts.next_epoch, least = *next + changes,
		 after = database_epoch(d, item) + 1;
	char error[DB_DIR_ERROR_SIZE];

	if (!plan_item_has_epoch(item) || item->is_warmup || engine.stores_nothing ||
	    d->traits.discards_writes || (cfg->epoch && !changes))
		return;
	*next = after > least ? after : least;
	/* Those that share it store this when they close it: others may yet begin. */
	if (!cfg->multiprocess_read && !db_dir_write_facts(&d->db_dir, error))
		database_note_failure(&d->failure, "marker", error);
}

/* Store what the workload may write, before it does: keys and values of a trace. */
static void note_trace(struct database *d, const struct workload *workload)
{
	struct db_dir_facts *facts = &d->db_dir.facts;
	const uint64_t any_max = d->value_sizes.any_size_max,
		       any_keys = facts->any_keys || workload->unknown_keys;

	if (workload->starts_empty || !workload_changes(workload) ||
	    (any_max == facts->value_any_max && any_keys == facts->any_keys))
		return;
	facts->value_any_max = any_max;
	facts->any_keys = any_keys;
	database_write_marker(d, workload, d->complete);
}

/*
 * What a workload leaves of the state of the page cache; NULL: there are no files, or it
 * is unknown.
 */
static const char *page_cache_state_after(const struct database *d,
					  const struct workload *workload)
{
	if (!uses_page_cache(d))
		return NULL;
	if (workload->starts_empty)
		return "loaded";
	if (!d->page_cache_state)
		return NULL;
	return workload_changes(workload) || !strcmp(d->page_cache_state, "cold")
		       ? "mixed"
		       : d->page_cache_state;
}

void database_begin_workload(struct database *d, const struct plan_item *item)
{
	const struct workload *workload = item->workload;
	/*
	 * If some threads have inserted more than others, inserts may find existing
	 * records.
	 */
	bool even = d->records == d->first_free_id;

	d->page_cache_state_after = page_cache_state_after(d, workload);
	note_epoch(d, item);
	note_trace(d, workload);
	if (workload_grows(workload)) {
		d->records = 0; /* while it runs */
		database_write_marker(d, workload, d->complete);
		d->records = even ? d->first_free_id : 0;
	}
	if (!workload->deletes)
		return;
	d->db_dir.facts.to_restore = (item->pass || workload->is_restored) && d->complete
					     ? item->operations
					     : 0;
	database_write_marker(d, workload, false);
}

const struct record_sizes *database_value_sizes(const struct database *d,
						const struct plan_item *item)
{
	return item->workload->starts_empty || config_values_are_texts()
		       ? &item->value_sizes
		       : &d->value_sizes;
}

void database_reload_facts(struct database *d, const struct plan_item *item)
{
	d->value_sizes = *database_value_sizes(d, item);
	if (engine.stores_nothing)
		return;
	db_dir_read_facts(&d->db_dir);
	take_facts(d);
	d->first_free_id = d->db_dir.facts.key_range;
}

/* ---- open, settle, close ---- */

static struct result_deferred deferred_since(double seconds,
					     const struct resource_usage *before)
{
	struct resource_usage after = resource_usage_read(),
			      spent = resource_usage_since(before, &after);

	return (struct result_deferred){seconds,
					spent.io_read_bytes,
					spent.io_write_bytes,
					spent.io_wchar_bytes,
					spent.device_write_bytes,
					engine.server_usage ? NAN : spent.syncs};
}

/*
 * Append " name=value" to the settings, unless the engine has reported that name
 * itself.
 */
static void add_option(struct database *d, const char *name, const char *value)
{
	size_t length = strlen(d->engine_options), word = strlen(name);

	for (const char *at = d->engine_options; (at = strstr(at, name)); at++)
		if (at[word] == '=' &&
		    (at == d->engine_options || at[-1] == ' ' || at[-1] == ','))
			return;
	snprintf(d->engine_options + length, sizeof d->engine_options - length, "%s%s=%s",
		 length ? " " : "", name, value);
}

static void add_bytes(struct database *d, const char *name, uint64_t bytes)
{
	char value[32];

	snprintf(value, sizeof value, "%llu", (unsigned long long)bytes);
	add_option(d, name, value);
}

/* Settings that were passed to the engine, which need not be able to report them. */
static void add_passed_settings(struct database *d)
{
	char value[256];

	if (engine.cache && *engine.cache)
		add_bytes(d, "cache_size", d->settings.cache_bytes);
	if (engine.write_buffer)
		add_bytes(d, "write_buffer_size", d->settings.write_buffer_bytes);
	if (engine.compressions)
		add_option(d, "compression",
			   config_compressions[d->settings.compression]);
	for (const struct option *o = engine.options; o && o->name; o++) {
		option_format_value(o, value, sizeof value);
		add_option(d, o->name, value);
	}
}

/* The settings in effect, for each row; printed for --show_options. */
static void read_engine_options(struct database *d)
{
	driver_util_describe(&engine, d->db, d->engine_options, sizeof d->engine_options);
	add_passed_settings(d);
	if (!cfg->show_options)
		return;
	for (const char *word = d->engine_options; *word; word += strspn(word, " ")) {
		size_t length = strcspn(word, " ");

		printf("%s %.*s\n", engine.name, (int)length, word);
		word += length;
	}
	fflush(stdout);
}

/*
 * Pages that stay in memory would be read as if they were cold. A small amount causes
 * only a warning: an engine may leave a mapping behind, and with it 64 KiB.
 */
static bool make_database_cold(struct database *d)
{
	char error[DB_DIR_ERROR_SIZE] = "";

	if (drop_cache(d, error) && d->cold.resident_kb > 256)
		snprintf(error, sizeof error,
			 "%.0f KiB of the database stay in memory; choose a --db that is "
			 "not on tmpfs, or leave out --cold",
			 d->cold.resident_kb);
	if (*error)
		database_note_failure(&d->failure, "--cold", error);
	return !*error;
}

/* Is there memory for the files and the engine's own buffers? */
static bool fits_in_memory(const struct database *d)
{
	double limit = fmin(cgroup_limits().memory, host_available_memory()),
	       needed = db_dir_size(&d->db_dir).disk;

	if (cfg->memory)
		limit = fmin(limit, (double)cfg->memory);
	if (engine.cache)
		needed += (double)d->settings.cache_bytes;
	if (engine.write_buffer)
		needed += (double)d->settings.write_buffer_bytes;
	return needed <= limit;
}

/*
 * Bring the files of a closed database into one state of the page cache, unless other
 * processes may be reading them.
 */
static bool unify_page_cache(struct database *d)
{
	char error[DB_DIR_ERROR_SIZE];
	bool filled = false, done = true;
	double resident;

	if (cfg->page_cache == PAGE_CACHE_SEQUENTIAL && !cfg->cold &&
	    !cfg->multiprocess_read && fits_in_memory(d)) {
		message_progress("reading the database's files");
		database_set_activity(d, "reading the database's files");
		done = db_dir_refill_cache(&d->db_dir, &filled, error);
		database_set_activity(d, NULL);
		message_progress("%s", "");
	}
	if (!done)
		database_note_failure(&d->failure, "--page_cache", error);
	resident = filled ? NAN : db_dir_resident(&d->db_dir);
	d->page_cache_state = filled                                   ? "sequential"
			      : isnan(resident)                        ? NULL
			      : db_dir_is_cached(&d->db_dir, resident) ? "kept"
								       : "cold";
	return done;
}

void database_note_perf_context(struct database *d)
{
	if (d->db && engine.property && cfg->db_bench.on &&
	    strcmp(cfg->db_bench.perf_level, "1") != 0)
		driver_util_property(&engine, d->db, "perf_context", d->perf_context,
				     sizeof d->perf_context);
}

/* Keeps those of a database that is about to be closed. */
static void note_tickers(struct database *d)
{
	enum { SIZE = 1 << 18 };

	if (!d->db || !cfg->db_bench.statistics || !engine.property)
		return;
	if (!d->tickers)
		d->tickers = message_alloc(SIZE, 1);
	driver_util_property(&engine, d->db, "statistics", d->tickers, SIZE);
}

void database_close(struct database *d, struct result_deferred *cost)
{
	struct resource_usage before = resource_usage_read();
	uint64_t start = clock_raw_ns();
	enum status status;
	char error[DB_DIR_ERROR_SIZE];

	d->why[0] = '\0';
	database_note_perf_context(d);
	note_tickers(d);
	if (cfg->multiprocess_read && !db_dir_write_facts(&d->db_dir, error))
		database_note_failure(&d->failure, "marker", error);
	database_set_activity(d, "closing");
	status = d->db ? driver_util_close(&engine, d->db, d->why) : DONE;
	if (status != DONE && !d->engine_failed)
		note_engine_error(d, "cannot close the database", status);
	database_set_activity(d, NULL);
	d->db = NULL;
	if (cost)
		*cost = deferred_since(clock_seconds_since(start), &before);
}

/* Empty the database for a load. */
static void empty_database(struct database *d, const struct workload *workload)
{
	char error[DB_DIR_ERROR_SIZE];

	if (d->db)
		database_close(d, NULL);
	if (*cfg->device && !raw_device_clear(&d->raw_device, error)) {
		database_note_failure(&d->failure, workload->name, error);
		return;
	}
	d->db_dir.facts.raw_load_id = d->raw_device.load_id;
	d->db_dir.facts.is_copy = 0;
	d->db_dir.facts.unfinished = 1;
	d->db_dir.facts.passes = 0;
	d->db_dir.facts.next_epoch = 0;
	/* Until the load is complete the marker says that the database is incomplete. */
	database_write_marker(d, workload, false);
	if (d->failure.failed)
		return;
	if (!db_dir_clear(&d->db_dir, error))
		database_note_failure(&d->failure, workload->name, error);
}

void database_open(struct database *d, const struct plan_item *item)
{
	const struct workload *workload = item->workload;
	uint64_t start;
	enum status status;

	d->value_sizes = *database_value_sizes(d, item);
	if (workload->starts_empty)
		d->first_free_id = item->records;
	if (plan_item_empties(item) && !engine.stores_nothing) {
		empty_database(d, workload);
		if (d->failure.failed)
			return;
	}
	d->page_cache_state = workload->starts_empty ? NULL : d->page_cache_state_after;
	if (d->db)
		return;
	if (cfg->cold && !workload->starts_empty && !engine.stores_nothing &&
	    !make_database_cold(d))
		return;
	if (!workload->starts_empty && uses_page_cache(d) && !unify_page_cache(d))
		return;
	/* RocksDB's db_bench makes what it does not find, whatever it was told. */
	d->settings.create =
		workload->starts_empty || (cfg->db_bench.on && !cfg->db_bench.leveldb);
	d->settings.durability = d->open_durability = item->durability;
	d->traits = driver_util_traits(&engine, &d->settings);
	d->why[0] = '\0';
	start = clock_raw_ns();
	database_set_activity(d, "opening");
	status = driver_util_open(&engine, &d->settings, &d->db, d->why);
	database_set_activity(d, NULL);
	d->open_seconds = clock_seconds_since(start);
	if (status == DONE)
		read_engine_options(d);
	else
		note_engine_error(d, "cannot open the database", status);
}

void database_settle(struct database *d, const struct clock_pair *since,
		     const struct resource_usage *before, struct result_deferred *cost)
{
	uint64_t busy_until;
	enum status status;

	d->why[0] = '\0';
	message_progress("settling");
	database_set_activity(d, "settling");
	status = driver_util_settle(&engine, d->db, &busy_until, d->why);
	if (status != DONE)
		note_engine_error(d, "cannot settle", status);
	database_set_activity(d, NULL);
	*cost = deferred_since((double)(busy_until - since->raw_ns) / 1e9, before);
	message_progress("%s", "");
}
