/* place.c: see place.h. */
#include "place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../engines/drive.h"
#include "../util/clock.h"
#include "../util/guard.h"
#include "../util/nand.h"
#include "../util/option.h"
#include "../util/say.h"
#include "../util/usage.h"
#include "cast.h"
#include "config.h"

void failure_note(struct failure *f, const char *doing, const char *why)
{
	if (f->failed)
		return;
	say("%s: %s", doing, why);
	snprintf(f->text, sizeof f->text, "%s: %s", doing, why);
	f->failed = true;
}

enum record_keys place_key_form(const struct settings *s)
{
	return s->native_keys ? KEYS_NATIVE : (enum record_keys)cfg->key_format;
}

enum durability place_durability(const struct workload *load)
{
	return (enum durability)(load->durability ? load->durability - 1
						  : (unsigned)cfg->durability);
}

struct record_sizes place_sizes(const struct workload *load)
{
	return load->value_size ? (struct record_sizes){.least = load->value_size,
							.most = load->value_size}
				: cfg->value_sizes;
}

const char *place_storage(const struct place *p)
{
	if (engine.stores_nothing || engine.remote)
		return NULL;
	return *cfg->device ? cfg->device : p->store.path;
}

double place_disk(const struct place *p, double *apparent)
{
	double length, disk = NAN;

	if (place_storage(p))
		store_size(&p->store, apparent ? apparent : &length, &disk);
	return disk;
}

struct remote place_remote(struct place *p)
{
	struct remote r = {0};
	char why[WHY_SIZE];

	if (!engine.remote || !p->db || engine.remote(p->db, &r, why) != DONE)
		r.servers = 0;
	return r;
}

double place_nand(const struct place *p)
{
	struct device under = {.known = false};

	if (place_storage(p))
		under = device_under(place_storage(p));
	return nand_written(&under);
}

const char *place_words(const struct place *p, enum status status, const char *why)
{
	static char text[WHY_SIZE + 512];

	snprintf(text, sizeof text, "%s%s%s", status == FULL ? "no room: " : "",
		 *why ? why : "the engine refused a call and gave no reason",
		 guard_limits(engine.stores_nothing ? NULL : p->store.path));
	return text;
}

static void fail_engine(struct place *p, const char *doing, enum status status)
{
	failure_note(&p->failure, doing, place_words(p, status, p->why));
}

void place_doing(struct place *p, const char *what)
{
	if (p->doing)
		*p->doing = what;
}

/* ---- for engines that store nothing ---- */

static uint64_t oracle_index(const struct oracle *o, struct slice key)
{
	uint64_t id = key.size == cfg->key_size
			      ? record_id(key.data, key.size,
					  (enum record_keys)cfg->key_format)
			      : UINT64_MAX;

	return id < o->records ? id : UINT64_MAX;
}

static size_t oracle_record(const struct oracle *o, uint64_t index, char *key,
			    char *value)
{
	struct record_shape shape = {(enum record_keys)cfg->key_format, true,
				     cfg->key_size, cfg->key_size};
	size_t size = record_size(o->sizes, index, 0);
	char room[2 * 512]; /* keys are made in pairs */
	uint64_t ids[2] = {index, index};

	memset(room, '0', sizeof room);
	record_keys(&shape, room, ids, 1);
	memcpy(key, room, cfg->key_size);
	record_value(value, size, config_ratio(), index, 0);
	return size;
}

/* ---- what is refused before anything is touched ---- */

/* What the engine offers besides none, for a message. */
static const char *compression_names(char *to, size_t size)
{
	size_t n = (size_t)snprintf(to, size, "none");

	for (int i = 1; compressions[i]; i++)
		if (engine.compressions & 1u << i)
			n += (size_t)snprintf(to + n, size - n, ", %s", compressions[i]);
	return to;
}

/* Settings that no run could honour, said before anything is touched. */
static void check_settings(struct settings *s)
{
	const char *why = engine.tune ? engine.tune(s) : NULL;
	double room = record_room(place_key_form(s), s->key_size);
	char names[64];

	if (why)
		die(2, "%s", why);
	if (s->compression && !(engine.compressions & 1u << s->compression))
		die(2, "--compression=%s: %s as it was built has %s",
		    compressions[s->compression], engine.title,
		    compression_names(names, sizeof names));
	if (engine.gives[s->durability] == DURABILITY_REFUSED)
		die(2, "--durability=%s: %s cannot promise that, nor more",
		    durabilities[s->durability], engine.title);
	if (engine.remote && (cfg->cold || cfg->memory))
		die(2,
		    "--%s: %s keeps its records in other processes, which that does "
		    "not reach",
		    cfg->cold ? "cold" : "memory", engine.title);
	if (*cfg->device && !engine.raw_devices)
		die(2, "--device: %s keeps its records in files", engine.title);
	if (*cfg->device && !cfg->raw_device)
		die(2,
		    "--device: what %s holds would be overwritten; give --raw_device=1 "
		    "if it may be",
		    cfg->device);
	if (cfg->raw_device && !*cfg->device)
		die(2, "--raw_device: give --device, too");
	if (engine.key_limit && s->key_size > engine.key_limit)
		die(2, "--key_size: %s takes at most %zu bytes", engine.title,
		    engine.key_limit);
	if (engine.value_limit && s->value_size > engine.value_limit)
		die(2, "--value_size: %s takes at most %llu bytes", engine.title,
		    (unsigned long long)engine.value_limit);
	if ((double)s->num > room)
		die(2,
		    "--num: %llu records do not fit into %s keys of %zu bytes; give a "
		    "larger --key_size",
		    (unsigned long long)s->num, record_forms[place_key_form(s)],
		    s->key_size);
	if (place_key_form(s) == KEYS_USER && s->key_size < RECORD_USER)
		die(2, "--key_size: 'user' and the digits of a hash take %d bytes",
		    RECORD_USER);
}

/* What all benchmarks of the list need of the engine. */
static struct settings settings_for(const struct place *p, const struct entry *list)
{
	struct settings s = {
		.num = 1,
		.key_size = cfg->key_size,
		.value_size = record_sizes_most(&cfg->value_sizes),
		.cache_bytes = cfg->cache_size,
		.write_buffer_bytes = cfg->write_buffer_size,
		.compression = (enum compression)cfg->compression,
		.multiget = 1,
		.sessions = 1,
		.durability = (enum durability)cfg->durability,
		.native_keys = cfg->key_format == KEYS_NATIVE,
		.verify = cfg->verify,
		.oracle = &p->oracle,
		.path = "",
		.device = *cfg->device ? cfg->device : NULL,
	};

	for (const struct entry *e = list; e->load; e++) {
		const struct workload *roles[ASIDES];
		uint64_t num = cast_records(e->load, cfg->num);
		uint64_t batch = e->load->weight[OP_MULTIGET] ? plan_batch(e->load) : 1;
		unsigned threads = cast_threads(e->load, e->threads);

		s.num = s.num > num ? s.num : num;
		s.multiget = batch < s.multiget
				     ? s.multiget
				     : (unsigned)(batch < 100000 ? batch : 100000);
		threads += threads == e->threads; /* main() may look at the database */
		threads += plan_asides(e->load, roles);
		s.sessions = s.sessions > threads ? s.sessions : threads;
		s.value_size = s.value_size > e->load->value_size ? s.value_size
								  : e->load->value_size;
	}
	return s;
}

/* What a cast needs of the engine and of the records. */
static void check_acts(const struct workload *load, const struct settings *s)
{
	const struct acts *acts = cast_of(load);
	const struct record_sizes *sizes = &cfg->value_sizes;

	if (acts->transacts && !engine.transactions)
		die(2, "%s: %s has no transactions that read, and they are not emulated",
		    load->name, engine.title);
	if (acts->transacts && s->parted)
		die(2,
		    "%s: what its transactions read is in several places of %s, and must "
		    "be in one",
		    load->name, engine.title);
	if (s->forgets)
		die(2, "%s: %s forgets what is written", load->name, engine.title);
	if (acts->refuse && acts->refuse(acts, cfg->num))
		die(2, "%s", acts->refuse(acts, cfg->num));
	if (acts->key_size &&
	    (s->key_size != acts->key_size || s->native_keys ||
	     sizes->least != acts->value_least || sizes->most != acts->value_most))
		die(2,
		    "%s has keys and values of its own; leave out --key_size, "
		    "--key_format and --value_size",
		    load->name);
	if (acts->least && (sizes->least != sizes->most || sizes->least < acts->least))
		die(2,
		    "--value_size: %s has values of one size, and of %zu bytes at least",
		    load->name, acts->least);
}

/* Keys of a trace have any form and size. */
static void check_trace(const struct settings *s)
{
	if (engine.fixed_size || s->native_keys)
		die(2, "--trace: %s",
		    engine.fixed_size ? "this engine's records have one size"
				      : "its keys are no integers; leave out "
					"--key_format=native");
	if (engine.key_limit && cfg->in_trace.key_most > engine.key_limit)
		die(2, "--trace: its longest key has %zu bytes, and %s takes at most %zu",
		    cfg->in_trace.key_most, engine.title, engine.key_limit);
}

/*
 * Whether the engine can have the records and promises of all benchmarks, and what it
 * makes of their keys.
 */
static void settle_records(struct place *p, const struct entry *list)
{
	if (cfg->key_format == KEYS_NATIVE && !engine.integer_keys)
		die(2, "--key_format=native: %s has no integer keys", engine.title);
	check_settings(&p->settings);
	for (const struct entry *e = list; e->load; e++) {
		struct settings s = p->settings;

		s.durability = place_durability(e->load);
		check_settings(&s);
		if (e->load->cast)
			check_acts(e->load, &s);
		if (e->load->asks == ASKS_TRACE)
			check_trace(&s);
		if (engine.fixed_size && (cfg->value_sizes.least != s.value_size ||
					  place_sizes(e->load).most != s.value_size))
			die(2,
			    "--value_size: all values of %s have one size, for all "
			    "benchmarks of a list",
			    engine.title);
	}
	if (p->settings.native_keys)
		config_take_native_keys(p->settings.key_size);
}

void place_plan(struct place *p, const struct entry *list)
{
	p->settings = settings_for(p, list);
	p->oracle = (struct oracle){p->settings.num, &p->sizes, oracle_index,
				    oracle_record};
	p->sizes = cfg->value_sizes;
	p->next_new = p->settings.num;
	settle_records(p, list);
	p->complete = p->settings.forgets;
}

/* ---- its directory or device ---- */

/* The directory asked for, or one of our own. */
static const char *database_path(void)
{
	static char path[STORE_PATH];
	const char *tmp = getenv("TMPDIR");

	if (*cfg->db)
		return cfg->db;
	snprintf(path, sizeof path, "%s/assay-%u/%s", tmp && *tmp ? tmp : "/tmp",
		 (unsigned)getuid(), engine.name);
	return path;
}

void place_share(void)
{
	const char *on = *cfg->device ? cfg->device : database_path();
	double record = (double)cfg->key_size +
			record_sizes_mean(&cfg->value_sizes) *
				(cfg->compression ? cfg->compression_ratio : 1);
	double bytes, num;

	if (!(cfg->device_share > 0))
		return;
	bytes = engine.stores_nothing ? NAN : device_bytes(on);
	num = bytes * cfg->device_share / record;
	if (!(num >= 1))
		die(2,
		    "--device_share: there is no size of %s to take a share of; give "
		    "--num",
		    engine.stores_nothing ? "what stores nothing" : on);
	config_take_num((uint64_t)num);
}

/* A list of sizes as a number; 0: there is none. */
static uint64_t hash_real(uint64_t hash, double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return random_mix(hash ^ bits) | 1;
}

/* A list of sizes, or a law of them, as a number; 0: there is none. */
static uint64_t list_hash(const struct record_sizes *sizes)
{
	const struct mixgraph_law *law = &sizes->law;
	uint64_t hash = 0;

	for (unsigned i = 0; i < sizes->listed; i++)
		hash = random_mix(hash ^ sizes->list[i]) | 1;
	if (!(law->sigma > 0))
		return hash;
	hash = random_mix(sizes->loaded ^ sizes->law_of << 32) | 1;
	return hash_real(hash_real(hash_real(hash, law->theta), law->k), law->sigma);
}

/* How values are written: the suite's way, or a cast's. */
static uint64_t value_form(const struct workload *load)
{
	return load->cast ? cast_of(load)->form : RECORD_FORM;
}

/* The database there must be the one the command line describes. */
static void check_facts(const struct store *st, const struct settings *s,
			const struct workload *load)
{
	const struct store_facts *f = &st->facts;
	const struct {
		const char *name;
		uint64_t made, asked;
	} same[] = {
		{"key_size", f->key_size, s->key_size},
		{"the number of key_format", f->key_form, place_key_form(s)},
		{"value_size", f->value_size, cfg->value_sizes.most},
		{"the least value_size", f->value_least, cfg->value_sizes.least},
		{"the list of value_size", f->value_list, list_hash(&cfg->value_sizes)},
		{"256ths of compression_ratio", f->ratio, config_ratio()},
	};

	if (strcmp(f->engine, engine.name))
		die(2, "%s holds a database of bench_%s; choose another --db", st->path,
		    *f->engine ? f->engine : "(nothing known)");
	if (!f->keys)
		die(2, "%s was never loaded; begin with a fill", st->path);
	if (f->value_form != RECORD_FORM && f->value_form < 256)
		die(2,
		    "%s was loaded by another version of assay, whose values have other "
		    "bytes; load anew",
		    st->path);
	if (!load->special && (load->cast || f->value_form != RECORD_FORM) &&
	    f->value_form != value_form(load))
		die(2,
		    "%s holds other records than %s works on; load anew",
		    st->path, load->name);
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		if (same[i].made != same[i].asked)
			die(2,
			    "%s was made with %s %llu, not %llu; give the same, or load "
			    "anew",
			    st->path, same[i].name, (unsigned long long)same[i].made,
			    (unsigned long long)same[i].asked);
	if (s->num > f->keys)
		die(2,
		    "--num: %s holds %llu records, not %llu; give as many, or load anew",
		    st->path, (unsigned long long)f->keys, (unsigned long long)s->num);
}

/* Have the system drop what it keeps of the database. */
static bool forget_pages(struct place *p, char *error)
{
	return *cfg->device ? raw_forget(&p->raw, &p->cold, error)
			    : store_forget(&p->store, &p->cold, error);
}

/* What is in a directory that everybody may write is not taken on trust. */
static bool keep_private(const char *db, char *error)
{
	char above[STORE_PATH];
	const char *slash = strrchr(db, '/');

	snprintf(above, sizeof above, "%.*s", (int)(slash - db), db);
	return store_keep_private(above, error);
}

static void open_store(struct place *p, const struct entry *list)
{
	char error[STORE_ERROR];
	const char *db = database_path();

	if (!*cfg->db && !keep_private(db, error))
		die(2, "%s", error);
	if (cfg->share ? !store_share(&p->store, db, error)
	    : cfg->use_existing_db ? !store_open(&p->store, db, error)
				   : !store_make(&p->store, db, engine.name, error))
		die(2, "%s", error);
	if (cfg->use_existing_db)
		for (const struct entry *e = list; e->load; e++)
			check_facts(&p->store, &p->settings, e->load);
	p->complete = p->store.facts.complete;
	p->next_new = cfg->use_existing_db ? p->store.facts.keys : p->settings.num;
	p->settings.path = p->store.data;
}

/* The device, and that the database described is on it. */
static void open_device(struct place *p)
{
	char error[STORE_ERROR];

	if (!raw_open(&p->raw, cfg->device, error))
		die(2, "--device: %s", error);
	if (cfg->use_existing_db && p->raw.id != p->store.facts.raw)
		die(2, "--device: %s does not hold the load that %s is about; load anew",
		    cfg->device, p->store.path);
	p->settings.device_bytes = p->raw.bytes;
}

/*
 * A load whose records alone are larger than what is free, or what it frees, would end in
 * a full disk.
 */
static void check_room(const struct place *p, const struct entry *list)
{
	const char *db = database_path();
	double room = *cfg->device ? (double)p->raw.bytes
				   : device_room(db) + store_taken(db);

	for (const struct entry *e = list; e->load && cfg->check_space; e++) {
		struct record_sizes sizes = place_sizes(e->load);
		double value = record_sizes_loaded(&sizes) *
			       (cfg->compression ? cfg->compression_ratio : 1);
		double need = ((double)cfg->key_size + value) *
			      (double)plan_operations(e->load);

		if (e->load->fresh && need > room)
			die(2,
			    "--%s: %s has room for %.1f MB, and the records of %s alone "
			    "take %.1f; choose another, a smaller --num, or "
			    "--check_space=0",
			    *cfg->device ? "device" : "db",
			    *cfg->device ? cfg->device : db, room / 1e6, e->load->name,
			    need / 1e6);
	}
}

static void describe_storage(struct place *p)
{
	struct device under = device_under(place_storage(p));

	if (!place_storage(p))
		return;
	p->queue = device_queue(&under);
	p->mount = host_mount(p->store.path);
	if (*cfg->device) {
		p->mount = (struct mount){.type = "raw"};
		snprintf(p->mount.device, sizeof p->mount.device, "%s", cfg->device);
	}
}

void place_prepare(struct place *p, const struct entry *list)
{
	char error[STORE_ERROR];

	if (!*cfg->device && !engine.remote)
		check_room(p, list);
	open_store(p, list);
	if (*cfg->device) {
		open_device(p);
		check_room(p, list);
	}
	/* Pages that others read are charged to them. */
	if (cfg->use_existing_db && cfg->memory && !forget_pages(p, error))
		die(1, "--memory: %s", error);
	describe_storage(p);
}

void place_end(struct place *p)
{
	if (p->db)
		place_close(p, NULL);
	raw_close(&p->raw);
	store_close(&p->store);
}

void place_note(struct place *p, const struct workload *load, bool complete)
{
	char error[STORE_ERROR];

	if (p->settings.forgets)
		return;
	p->complete = complete;
	if (engine.stores_nothing)
		return;
	p->store.facts.keys = p->next_new;
	if (load->fresh) {
		p->store.facts.key_size = p->settings.key_size;
		p->store.facts.key_form = place_key_form(&p->settings);
		p->store.facts.value_size = p->sizes.most;
		p->store.facts.value_least = p->sizes.least;
		p->store.facts.value_list = list_hash(&p->sizes);
		p->store.facts.ratio = config_ratio();
		p->store.facts.value_form = value_form(load);
	}
	p->store.facts.complete = complete;
	if (!store_note(&p->store, error))
		failure_note(&p->failure, "marker", error);
}

void place_begin_part(struct place *p, const struct workload *load)
{
	if (!load->deletes)
		return;
	p->store.facts.restores = load->ages && p->complete;
	place_note(p, load, false);
}

void place_end_part(struct place *p, const struct entry *e, bool valid)
{
	bool complete = p->store.facts.restores;

	if (!e->load->restores || !valid)
		return;
	p->store.facts.age = e->age;
	p->store.facts.restores = 0;
	place_note(p, e->load, complete);
}

void place_learn(struct place *p, const struct workload *load)
{
	if (load->fresh)
		p->sizes = place_sizes(load);
	if (engine.stores_nothing)
		return;
	store_read(&p->store);
	p->complete = p->store.facts.complete;
	p->next_new = p->store.facts.keys;
}

/* ---- open, settled, closed ---- */

static struct result_aside aside_since(uint64_t start, const struct usage *before)
{
	double seconds = clock_seconds_since(start);
	struct usage after = usage_read(), spent = usage_since(before, &after);

	return (struct result_aside){seconds,
				     spent.io_read_bytes,
				     spent.io_write_bytes,
				     spent.io_wchar_bytes,
				     spent.device_write_bytes,
				     engine.remote ? NAN : spent.flushes};
}

/* " name=value" behind the settings, unless the engine has answered that name itself. */
static void add_option(struct place *p, const char *name, const char *value)
{
	size_t length = strlen(p->options), word = strlen(name);

	for (const char *at = p->options; (at = strstr(at, name)); at++)
		if (at[word] == '=' &&
		    (at == p->options || at[-1] == ' ' || at[-1] == ','))
			return;
	snprintf(p->options + length, sizeof p->options - length, "%s%s=%s",
		 length ? " " : "", name, value);
}

static void add_bytes(struct place *p, const char *name, uint64_t bytes)
{
	char value[32];

	snprintf(value, sizeof value, "%llu", (unsigned long long)bytes);
	add_option(p, name, value);
}

/* What was passed: the engine need not be able to answer it. */
static void add_passed(struct place *p)
{
	char value[256];

	if (engine.cache && *engine.cache)
		add_bytes(p, "cache_size", p->settings.cache_bytes);
	if (engine.write_buffer)
		add_bytes(p, "write_buffer_size", p->settings.write_buffer_bytes);
	if (engine.compressions)
		add_option(p, "compression", compressions[p->settings.compression]);
	for (const struct option *o = engine.options; o && o->name; o++) {
		option_value(o, value, sizeof value);
		add_option(p, o->name, value);
	}
}

/* The settings in effect, for each row; and for people, who asked. */
static void note_options(struct place *p)
{
	p->options[0] = '\0';
	if (engine.describe)
		engine.describe(p->db, p->options, sizeof p->options);
	add_passed(p);
	if (!cfg->show_options)
		return;
	for (const char *word = p->options; *word; word += strspn(word, " ")) {
		size_t length = strcspn(word, " ");

		printf("%s %.*s\n", engine.name, (int)length, word);
		word += length;
	}
	fflush(stdout);
}

/*
 * What stays in memory in spite of all would be read as if it were cold. A little is let
 * pass and said: an engine may leave a map behind, and with it 64 KiB.
 */
static bool make_cold(struct place *p)
{
	char error[STORE_ERROR] = "";

	if (forget_pages(p, error) && p->cold.left_kb > 256)
		snprintf(error, sizeof error,
			 "%.0f KiB of the database stay in memory; is it on tmpfs?",
			 p->cold.left_kb);
	if (*error)
		failure_note(&p->failure, "--cold", error);
	return !*error;
}

void place_close(struct place *p, struct result_aside *cost)
{
	struct usage before = usage_read();
	uint64_t start = clock_raw_ns();
	enum status status;

	p->why[0] = '\0';
	place_doing(p, "closing");
	status = p->db ? drive_close(&engine, p->db, p->why) : DONE;
	if (status != DONE && !p->suffering)
		fail_engine(p, "cannot close the database", status);
	place_doing(p, NULL);
	p->db = NULL;
	if (cost)
		*cost = aside_since(start, &before);
}

/* An empty place for a fill. */
static void make_empty(struct place *p, const struct workload *load)
{
	char error[STORE_ERROR];

	if (p->db)
		place_close(p, NULL);
	if (*cfg->device && !raw_clear(&p->raw, error)) {
		failure_note(&p->failure, load->name, error);
		return;
	}
	p->store.facts.raw = p->raw.id;
	p->store.facts.unfinished = 1;
	p->store.facts.age = 0;
	/* From here until the load is complete the marker promises nothing. */
	place_note(p, load, false);
	if (p->failure.failed)
		return;
	if (!store_clear(&p->store, error))
		failure_note(&p->failure, load->name, error);
}

void place_open(struct place *p, const struct workload *load)
{
	uint64_t start;
	enum status status;

	if (load->fresh) {
		p->sizes = place_sizes(load);
		p->next_new = cast_records(load, cfg->num);
	}
	if (load->fresh && !engine.stores_nothing) {
		make_empty(p, load);
		if (p->failure.failed)
			return;
	}
	if (p->db)
		return;
	if (cfg->cold && !load->fresh && !engine.stores_nothing && !make_cold(p))
		return;
	p->settings.create = load->fresh;
	p->settings.durability = p->opened_as = place_durability(load);
	p->why[0] = '\0';
	start = clock_raw_ns();
	place_doing(p, "opening");
	status = drive_open(&engine, &p->settings, &p->db, p->why);
	place_doing(p, NULL);
	p->open_seconds = clock_seconds_since(start);
	if (status == DONE)
		note_options(p);
	else
		fail_engine(p, "cannot open the database", FAILED);
}

void place_settle(struct place *p, struct result_aside *cost)
{
	struct usage before = usage_read();
	uint64_t start = clock_raw_ns();
	enum status status;

	p->why[0] = '\0';
	say_progress("settling");
	place_doing(p, "settling");
	status = drive_settle(&engine, p->db, p->why);
	if (status != DONE)
		fail_engine(p, "cannot settle", status);
	place_doing(p, NULL);
	*cost = aside_since(start, &before);
	say_progress("%s", "");
}
