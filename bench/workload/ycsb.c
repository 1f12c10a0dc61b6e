/* ycsb.c: see ycsb.h. */
#include "ycsb.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../engines/engine.h"
#include "../../util/edit_distance.h"
#include "../../util/java_properties.h"
#include "../../util/message.h"
#include "../../util/option.h"
#include "compat_line.h"
#include "db_bench_flags.h"
#include "workload.h"
#include "ycsb_properties.h"

enum { SET_MAX = 1024, VALUE_SIZE = 4096 };

/* A property as it was given; a later one of the same name takes precedence. */
struct given_property {
	char *name, *value;
};

struct ycsb_translation {
	const struct option *const *tables;
	struct ycsb_mode *mode;
	struct compat_line line;
	/* of -P, and of -p and options of the client, which precede those */
	struct given_property of_files[SET_MAX], of_line[SET_MAX];
	unsigned in_files, in_line;
	char *passed[COMPAT_LINE_MAX]; /* options of ours */
	unsigned passed_count;
	const char *name; /* of the run phase: that of the last file */
	bool updates;
};

/* ---- reading ---- */

static void set_in(struct given_property *list, unsigned *count, const char *name,
		   const char *value)
{
	if (*count < SET_MAX)
		list[(*count)++] = (struct given_property){compat_line_text("%s", name),
							   compat_line_text("%s", value)};
}

static void set_property(struct ycsb_translation *t, const char *name, const char *value)
{
	set_in(t->of_line, &t->in_line, name, value);
}

static void take_from_file(void *owner, const char *name, const char *value)
{
	struct ycsb_translation *t = owner;

	set_in(t->of_files, &t->in_files, name, value);
}

/* The file's name without directories, of characters that a workload's name may have. */
static const char *workload_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = compat_line_text("%s", slash ? slash + 1 : path);

	for (char *p = name; *p; p++)
		if (strchr(",@[]\t\n ", *p))
			*p = '_';
	return *name ? name : "ycsb-run";
}

static void read_file(struct ycsb_translation *t, const char *path)
{
	char error[JAVA_PROPERTIES_ERROR_SIZE];

	if (!java_properties_read(path, take_from_file, t, error))
		message_fatal(2, "-P: %s", error);
	t->name = workload_name(path);
}

static void read_pair(struct ycsb_translation *t, const char *text)
{
	const char *equals = strchr(text, '=');

	if (equals)
		set_property(t, compat_line_text("%.*s", (int)(equals - text), text),
			     equals + 1);
	else
		compat_line_refuse(&t->line, "-p", "",
				   compat_line_text("'%.60s' is no NAME=VALUE", text));
}

/* An option of ours; returns true if the next argument is its value. */
static bool read_ours(struct ycsb_translation *t, const char *argument, const char *next)
{
	const char *name = argument + 2;
	size_t length = strcspn(name, "=");
	const struct option *ours = option_find(t->tables, name, length);
	bool apart = ours && !name[length] && !ours->flag && !ours->bare_value && next;

	if (!ours)
		compat_line_refuse(&t->line, argument, "",
				   "is no option of YCSB's or ours; leave it out");
	else if (strcmp(ours->name, "compat") && t->passed_count < COMPAT_LINE_MAX)
		t->passed[t->passed_count++] =
			compat_line_text("%s%s%s", argument, apart ? "=" : "",
					 apart ? next : "");
	return apart;
}

/* The client's options: a property, or NULL, and its value; NULL: the next argument. */
static const struct client_option {
	const char *name, *property, *value;
} client_options[] = {
	{"-threads", "threadcount", NULL},
	{"-target", "target", NULL},
	{"-load", "dotransactions", "false"},
	{"-t", "dotransactions", "true"},
	{"load", "dotransactions", "false"},
	{"run", "dotransactions", "true"},
	{"-s", "status", "true"},
	{"-db", "db", NULL},
	{"-l", "label", NULL},
	{"-cp", NULL, NULL},
	{"-jvm-args", NULL, NULL},
	{"-P", NULL, NULL},
	{"-p", NULL, NULL},
};

static const struct client_option *find_client_option(const char *argument)
{
	for (size_t i = 0; i < sizeof client_options / sizeof *client_options; i++)
		if (!strcmp(client_options[i].name, argument))
			return &client_options[i];
	return NULL;
}

/* Read one argument; returns true if the next one belongs to it. */
static bool read_argument(struct ycsb_translation *t, const char *argument,
			  const char *next)
{
	const struct client_option *o = find_client_option(argument);

	if (!strncmp(argument, "--", 2))
		return read_ours(t, argument, next);
	if (!strncmp(argument, "-jvm-args=", 10))
		return false;
	if (!o) {
		compat_line_refuse(&t->line, argument, "",
				   "is no option of YCSB's client; give load or run, a "
				   "binding, -P, -p, -threads, -target, -s");
		return false;
	}
	/* the word after load and run names the binding */
	if (*argument != '-') {
		set_property(t, o->property, o->value);
		return next && *next != '-';
	}
	if (!o->value && !next)
		message_fatal(2, "%s: its value is missing", argument);
	if (!strcmp(argument, "-P"))
		read_file(t, next);
	else if (!strcmp(argument, "-p"))
		read_pair(t, next);
	else if (o->property)
		set_property(t, o->property, o->value ? o->value : next);
	return !o->value;
}

/* ---- values ---- */

static const char *last_of(const struct given_property *list, unsigned count,
			   const char *name)
{
	while (count--)
		if (!strcmp(list[count].name, name))
			return list[count].value;
	return NULL;
}

static const char *given(const struct ycsb_translation *t, const char *name)
{
	const char *value = last_of(t->of_line, t->in_line, name);

	return value ? value : last_of(t->of_files, t->in_files, name);
}

static const char *property(const struct ycsb_translation *t, const char *name)
{
	const char *value = given(t, name);

	return value ? value : ycsb_properties_find(name)->value;
}

/* As Java reads a boolean: all but true is false. */
static bool is_true(const struct ycsb_translation *t, const char *name)
{
	return !strcasecmp(property(t, name), "true");
}

static bool is_word(const struct ycsb_translation *t, const char *name, const char *word)
{
	return !strcmp(property(t, name), word);
}

static void refuse_property(struct ycsb_translation *t, const char *name, const char *why)
{
	compat_line_refuse(&t->line, name, property(t, name), why);
}

/* A number at least 0; what is none is refused and 0. */
static double number(struct ycsb_translation *t, const char *name)
{
	const char *text = property(t, name);
	char *end;
	double value = strtod(text, &end);

	if (end != text && !*end && value >= 0 && isfinite(value))
		return value;
	refuse_property(t, name, "is no number of at least 0");
	return 0;
}

static uint64_t whole_number(struct ycsb_translation *t, const char *name)
{
	double value = number(t, name);

	if (value <= 0x1p53 && !(floor(value) < value))
		return (uint64_t)value;
	refuse_property(t, name, "is no whole number");
	return 0;
}

/* ---- what they mean here ---- */

static void add_ycsb_option(struct ycsb_translation *t, const char *name,
			    const char *value)
{
	compat_line_add(&t->line, compat_line_text("--%s=%s", name, value));
}

/* Properties that stand for themselves; those that were not given ask for nothing. */
static void take_property(struct ycsb_translation *t, const struct ycsb_property *row,
			  const char *name, const char *value)
{
	const struct db_bench_flag map = {.values = row->values};
	char text[VALUE_SIZE];

	if (row->way == YCSB_OURS && db_bench_flags_map(&map, value, text, sizeof text) &&
	    *text)
		add_ycsb_option(t, row->to, text);
	if (row->way != YCSB_TAKEN)
		return;
	for (const char *at = row->values; *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");

		snprintf(text, sizeof text, "%.*s", (int)length, at);
		if (db_bench_flags_same_value(text, value))
			return;
		at += length;
	}
	compat_line_refuse(&t->line, name, value, row->said);
}

static void refuse_ycsb_unknown(struct ycsb_translation *t, const char *name)
{
	struct edit_distance near = edit_distance_begin(name, strlen(name));
	char meant[EDIT_DISTANCE_TEXT_SIZE];
	const struct ycsb_property *row;

	for (size_t i = 0; (row = ycsb_properties_at(i)); i++)
		edit_distance_offer(&near, row->name);
	refuse_property(t, name,
			edit_distance_suggestion(&near, "",
						 "is no property of YCSB's client or "
						 "CoreWorkload; leave it out",
						 meant));
}

/* Each property once, with the value that holds. */
static void take_properties(struct ycsb_translation *t)
{
	for (unsigned i = 0; i < t->in_files + t->in_line; i++) {
		bool in_file = i < t->in_files;
		const struct given_property *list = in_file ? t->of_files : t->of_line;
		unsigned at = in_file ? i : i - t->in_files;
		const char *name = list[at].name;
		const struct ycsb_property *row = ycsb_properties_find(name);

		if (given(t, name) != list[at].value)
			continue;
		if (!row)
			refuse_ycsb_unknown(t, name);
		else
			take_property(t, row, name, list[at].value);
	}
}

/* All fields of a record as one value, whose size is the sum of theirs. */
static void take_fields(struct ycsb_translation *t)
{
	unsigned long long count = whole_number(t, "fieldcount"),
			   most = whole_number(t, "fieldlength"),
			   least = whole_number(t, "minfieldlength");

	if (!count || !most) {
		refuse_property(t, count ? "fieldlength" : "fieldcount",
				"a record has at least one byte; give 1 or more");
		return;
	}
	if (is_word(t, "fieldlengthdistribution", "constant"))
		add_ycsb_option(t, "value_size",
				compat_line_text("%llu*%llu", count, most));
	else if (is_word(t, "fieldlengthdistribution", "uniform"))
		add_ycsb_option(t, "value_size",
				compat_line_text("%llu*%llu-%llu", count, least, most));
	else if (is_word(t, "fieldlengthdistribution", "zipfian"))
		add_ycsb_option(t, "value_size",
				compat_line_text("%llu*zipf:%llu-%llu", count, least,
						 most));
	else if (is_word(t, "fieldlengthdistribution", "histogram"))
		add_ycsb_option(t, "value_size",
				compat_line_text("%llu*hist:%s", count,
						 property(t, "fieldlengthhistogram")));
	else
		refuse_property(t, "fieldlengthdistribution",
				"give constant, uniform, zipfian or histogram");
	if (!is_true(t, "readallfields") && count > 1)
		refuse_property(t, "readallfields",
				"a record is one value and is read whole; leave it out, "
				"or give fieldcount=1");
}

/*
 * Hashed keys are 24 bytes, or more with zeros. YCSB's ordered keys are in the order of
 * numbers only if they have one length.
 */
static void take_keys(struct ycsb_translation *t, uint64_t records)
{
	enum { PREFIX = 4, HASHED = 20, LEAST = 8 };
	unsigned long long padding = whole_number(t, "zeropadding");
	unsigned digits =
		(unsigned)snprintf(NULL, 0, "%llu", (unsigned long long)records);
	bool hashed = is_word(t, "insertorder", "hashed");
	unsigned long long size =
		PREFIX + (hashed && padding < HASHED ? HASHED : padding);

	if (!hashed && padding < digits)
		refuse_property(t, "insertorder",
				compat_line_text("keys of one length are in order; give "
						 "zeropadding=%u",
						 digits));
	add_ycsb_option(t, "key_format", hashed ? "user" : "decimal");
	add_ycsb_option(t, "key_size",
			compat_line_text("%llu", size < LEAST ? LEAST : size));
}

/*
 * Weights of the operations. They are exact where the proportions have a common
 * denominator up to WEIGHTS_MAX; else they are off by at most 1 % each.
 */
static void take_proportions(struct ycsb_translation *t, unsigned weights[OPS])
{
	static const struct {
		const char *name;
		enum op op;
	} rows[] = {
		{"readproportion", OP_GET},
		{"updateproportion", OP_PUT},
		{"insertproportion", OP_INSERT},
		{"scanproportion", OP_SEEK},
		{"readmodifywriteproportion", OP_MODIFY},
	};
	enum { ROWS = sizeof rows / sizeof *rows };
	double p[ROWS], sum = 0, off = 1;
	unsigned total = 0, times;
	enum op most = OP_GET;

	for (size_t i = 0; i < ROWS; i++)
		sum += p[i] = number(t, rows[i].name);
	if (!(sum > 0)) {
		refuse_property(t, "readproportion", "all proportions are 0; give one");
		return;
	}
	for (unsigned of = 1; of <= WEIGHTS_MAX && off > 1e-9; of++) {
		off = 0;
		for (size_t i = 0; i < ROWS; i++)
			off = fmax(off, fabs(p[i] / sum * of - round(p[i] / sum * of)));
		for (size_t i = 0; i < ROWS; i++)
			weights[rows[i].op] = (unsigned)round(p[i] / sum * of);
	}
	for (size_t i = 0; i < ROWS; i++) {
		total += weights[rows[i].op];
		most = weights[rows[i].op] > weights[most] ? rows[i].op : most;
	}
	/* each was rounded by itself */
	if (total > WEIGHTS_MAX) {
		weights[most] -= total - WEIGHTS_MAX;
		total = WEIGHTS_MAX;
	}
	/* a short cycle of operations would not look random */
	times = 100 % total ? WEIGHTS_MAX / total : 100 / total;
	for (int op = 0; op < OPS; op++)
		weights[op] *= times ? times : 1;
	for (size_t i = 0; off > 1e-9 && i < ROWS; i++)
		if (p[i] > 0 &&
		    fabs(weights[rows[i].op] / 1000.0 / (p[i] / sum) - 1) > 0.01)
			refuse_property(
				t, rows[i].name,
				"weights are thousandths here; give three digits");
}

static enum distribution_kind take_distribution(struct ycsb_translation *t)
{
	static const struct {
		const char *name;
		enum distribution_kind kind;
	} rows[] = {
		{"uniform", DISTRIBUTION_UNIFORM},
		{"zipfian", DISTRIBUTION_SCRAMBLED_ZIPFIAN},
		{"latest", DISTRIBUTION_LATEST},
		{"hotspot", DISTRIBUTION_HOTSPOT},
		{"sequential", DISTRIBUTION_SEQUENTIAL},
		{"exponential", DISTRIBUTION_EXPONENTIAL},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (is_word(t, "requestdistribution", rows[i].name))
			return rows[i].kind;
	refuse_property(t, "requestdistribution",
			"give uniform, zipfian, latest, hotspot, sequential or "
			"exponential");
	return DISTRIBUTION_UNIFORM;
}

static const char *scan_lengths(struct ycsb_translation *t)
{
	bool zipfian = is_word(t, "scanlengthdistribution", "zipfian");
	unsigned long long least = whole_number(t, "minscanlength"),
			   most = whole_number(t, "maxscanlength");

	if (!zipfian && !is_word(t, "scanlengthdistribution", "uniform"))
		refuse_property(t, "scanlengthdistribution", "give uniform or zipfian");
	if (!least || least > most)
		refuse_property(t, "minscanlength",
				"give 1 to maxscanlength; a scan has that many records");
	return compat_line_text("%s%llu-%llu", zipfian ? "zipf:" : "", least, most);
}

/* Is it said that an update writes all fields? It does, as a record is one value. */
static void note_updates(const struct ycsb_translation *t)
{
	if (t->updates && !is_true(t, "writeallfields") && !is_word(t, "fieldcount", "1"))
		message_print("an update writes all %s fields, as writeallfields=true "
			      "does: a record is one value",
			      property(t, "fieldcount"));
}

/* The run phase, as a workload of its own; returns its number of operations. */
static uint64_t take_run(struct ycsb_translation *t)
{
	struct workload w = {
		.name = t->name ? t->name : "ycsb-run",
		.help = "YCSB's run phase by the properties of the command line.",
		.key_order = ORDER_RANDOM,
		.distribution = take_distribution(t),
		.operations = whole_number(t, "operationcount"),
		.grows_as_ycsb = true,
	};

	take_proportions(t, w.weights);
	w.scan_length = scan_lengths(t);
	w.divided = w.ends_at_either = w.operations > 0;
	if (!w.operations && !(number(t, "maxexecutiontime") > 0))
		refuse_property(t, "operationcount",
				"the run would not end; give it, or maxexecutiontime");
	workload_add(&w);
	t->updates = w.weights[OP_PUT] || w.weights[OP_MODIFY];
	add_ycsb_option(t, "benchmarks", w.name);
	if (!engine.stores_nothing)
		add_ycsb_option(t, "use_existing_db", "1");
	return w.operations;
}

/* Records of the load, or in the database before the run. */
static uint64_t take_records(struct ycsb_translation *t, bool loads)
{
	uint64_t records = given(t, "recordcount") ? whole_number(t, "recordcount") : 0,
		 count = given(t, "insertcount") ? whole_number(t, "insertcount")
						 : records;

	if (!records)
		compat_line_refuse(&t->line, "recordcount", "",
				   "YCSB would use 2^31 - 1 records; give -p "
				   "recordcount=N");
	if (whole_number(t, "insertstart"))
		refuse_property(t, "insertstart",
				ycsb_properties_find("insertstart")->said);
	if (!loads && count != records)
		refuse_property(t, "insertcount",
				"requests are for all records; give recordcount alone");
	return loads && count ? count : records;
}

static void take_measurement(struct ycsb_translation *t)
{
	struct ycsb_mode *mode = t->mode;
	bool both = is_word(t, "measurement.interval", "both");

	mode->intended = both || is_word(t, "measurement.interval", "intended");
	mode->service = both || !mode->intended;
	if (mode->service && !both && !is_word(t, "measurement.interval", "op"))
		refuse_property(t, "measurement.interval", "give op, intended or both");
	mode->variance = is_word(t, "measurementtype", "histogram");
	if (!mode->variance && !is_word(t, "measurementtype", "hdrhistogram"))
		refuse_property(t, "measurementtype",
				"give hdrhistogram; --timeline=FILE has times over time, "
				"--hdr_log=FILE all of them");
	mode->percentiles =
		mode->variance ? "95,99" : property(t, "hdrhistogram.percentiles");
	mode->export_file = given(t, "exportfile");
	if (is_true(t, "status"))
		add_ycsb_option(t, "stats_interval_seconds",
				property(t, "status.interval"));
}

char **ycsb_translate(const struct option *const *tables, int *argc, char **argv,
		      struct ycsb_mode *mode)
{
	/* values compress as YCSB's characters do, by entropy */
	static char *const words[] = {"--compat=ycsb", "--format=ycsb",
				      "--page_cache=kept", "--compression_ratio=0.79"};
	struct ycsb_translation *t = message_alloc(1, sizeof *t);
	uint64_t records, operations, threads;
	bool loads;

	t->tables = tables;
	t->mode = mode;
	mode->on = true;
	compat_line_add(&t->line, argv[0]);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		compat_line_add(&t->line, words[i]);
	for (int i = 1; i < *argc; i++)
		i += read_argument(t, argv[i], i + 1 < *argc ? argv[i + 1] : NULL);
	take_properties(t);
	loads = !is_true(t, "dotransactions");
	records = take_records(t, loads);
	take_keys(t, records);
	take_fields(t);
	take_measurement(t);
	operations = loads ? records : take_run(t);
	if (loads)
		add_ycsb_option(t, "benchmarks", "ycsb-load");
	threads = whole_number(t, "threadcount");
	threads = operations && operations < threads ? operations : threads;
	add_ycsb_option(t, "threads",
			compat_line_text("%llu", (unsigned long long)threads));
	add_ycsb_option(t, "num", compat_line_text("%llu", (unsigned long long)records));
	for (unsigned i = 0; i < t->passed_count; i++)
		compat_line_add(&t->line, t->passed[i]);
	compat_line_finish(&t->line, "properties and options");
	note_updates(t);
	*argc = (int)t->line.argc;
	return t->line.argv;
}
