/* ucsb.c: see ucsb.h. */
#include "ucsb.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../engines/engine.h"
#include "../../util/json_reader.h"
#include "../../util/message.h"
#include "../../util/option.h"
#include "compat_line.h"
#include "workload.h"

#define UCSB_ALONE "alone, as 1"
#define UCSB_LENGTH "the least and the greatest are equal"

/* Members of a workload, in the order of the table. */
enum ucsb_member {
	UCSB_NAME,
	UCSB_RECORDS,
	UCSB_OPERATIONS,
	UCSB_READ,
	UCSB_UPDATE,
	UCSB_UPSERT,
	UCSB_REMOVE,
	UCSB_RMW,
	UCSB_RANGE,
	UCSB_BULK,
	UCSB_BATCH_UPSERT,
	UCSB_BATCH_READ,
	UCSB_SCAN,
	UCSB_START,
	UCSB_DISTRIBUTION,
	UCSB_VALUE,
	UCSB_VALUE_DISTRIBUTION,
	UCSB_BULK_LEAST,
	UCSB_BULK_MOST,
	UCSB_BULK_DISTRIBUTION,
	UCSB_UPSERT_LEAST,
	UCSB_UPSERT_MOST,
	UCSB_UPSERT_DISTRIBUTION,
	UCSB_READ_LEAST,
	UCSB_READ_MOST,
	UCSB_READ_DISTRIBUTION,
	UCSB_RANGE_LEAST,
	UCSB_RANGE_MOST,
	UCSB_RANGE_DISTRIBUTION,
	UCSB_MEMBERS
};

static const struct {
	const char *name, *value, *said;
} ucsb_members[UCSB_MEMBERS] = {
	[UCSB_NAME] = {"name", "", "the name of the workload"},
	[UCSB_RECORDS] = {"records_count", "0",
			  "--num, of the first workload; later ones have at least that"},
	[UCSB_OPERATIONS] = {"operations_count", "0", "divided among the threads"},
	[UCSB_READ] = {"read_proportion", "0", "gets"},
	[UCSB_UPDATE] = {"update_proportion", "0", "puts"},
	[UCSB_UPSERT] = {"upsert_proportion", "0", "inserts behind the last record"},
	[UCSB_REMOVE] = {"remove_proportion", "0", "deletes"},
	[UCSB_RMW] = {"read_modify_write_proportion", "0", "a get and a put"},
	[UCSB_RANGE] = {"range_select_proportion", "0", "seeks"},
	[UCSB_BULK] = {"bulk_load_proportion", "0",
		       UCSB_ALONE
		       ": a load by the engine's bulk loader, from one thread"},
	[UCSB_BATCH_UPSERT] = {"batch_upsert_proportion", "0",
			       UCSB_ALONE ": inserts in transactions"},
	[UCSB_BATCH_READ] = {"batch_read_proportion", "0", UCSB_ALONE ": multi-gets"},
	[UCSB_SCAN] = {"scan_proportion", "0",
		       UCSB_ALONE ", with one operation: each thread reads all records"},
	[UCSB_START] = {"start_key", "0",
			"0, or behind the loaded records where records are inserted"},
	[UCSB_DISTRIBUTION] = {"key_dist", "uniform",
			       "uniform, zipfian (scrambled_zipfian), latest"},
	[UCSB_VALUE] = {"value_length", "1024", "--value_size, one for all workloads"},
	[UCSB_VALUE_DISTRIBUTION] = {"value_length_dist", "const", "const, uniform"},
	[UCSB_BULK_LEAST] = {"bulk_load_min_length", "256", UCSB_LENGTH},
	[UCSB_BULK_MOST] = {"bulk_load_max_length", "256", "records in a batch"},
	[UCSB_BULK_DISTRIBUTION] = {"bulk_load_length_dist", "uniform", "no effect"},
	[UCSB_UPSERT_LEAST] = {"batch_upsert_min_length", "256", UCSB_LENGTH},
	[UCSB_UPSERT_MOST] = {"batch_upsert_max_length", "256",
			      "records in a transaction"},
	[UCSB_UPSERT_DISTRIBUTION] = {"batch_upsert_length_dist", "uniform", "no effect"},
	[UCSB_READ_LEAST] = {"batch_read_min_length", "256", UCSB_LENGTH},
	[UCSB_READ_MOST] = {"batch_read_max_length", "256", "keys in a multi-get"},
	[UCSB_READ_DISTRIBUTION] = {"batch_read_length_dist", "uniform", "no effect"},
	[UCSB_RANGE_LEAST] = {"range_select_min_length", "100", "--scan_length"},
	[UCSB_RANGE_MOST] = {"range_select_max_length", "100", "--scan_length"},
	[UCSB_RANGE_DISTRIBUTION] = {"range_select_length_dist", "uniform",
				     "uniform, or zipfian: --scan_length=zipf:A-B"},
};

enum { UCSB_WORKLOADS_MAX = 64 };

struct ucsb_translation {
	const struct option *const *tables;
	struct compat_line line;
	const char *members[UCSB_WORKLOADS_MAX][UCSB_MEMBERS]; /* NULL: not given */
	size_t count;
	const char *file, *filter, *threads, *directory, *storage, *results;
	const char *ignored;           /* given, and without effect */
	char *passed[COMPAT_LINE_MAX]; /* options of ours */
	unsigned passed_count;
	size_t at; /* the workload that is translated */
	char *list;
};

void ucsb_print(FILE *to)
{
	for (size_t i = 0; i < UCSB_MEMBERS; i++)
		fprintf(to, "%s\t%s\t%s\n", ucsb_members[i].name, ucsb_members[i].value,
			ucsb_members[i].said);
}

/* ---- reading ---- */

static void take_member(void *owner, size_t i, const char *name, const char *value)
{
	struct ucsb_translation *t = owner;

	if (i >= UCSB_WORKLOADS_MAX)
		message_fatal(2, "%s: more than %d workloads", t->file,
			      UCSB_WORKLOADS_MAX);
	t->count = i + 1;
	for (size_t m = 0; m < UCSB_MEMBERS; m++)
		if (!strcmp(ucsb_members[m].name, name)) {
			t->members[i][m] = compat_line_text("%s", value);
			return;
		}
	compat_line_refuse(&t->line, name, value, "is no member that UCSB reads");
}

/* An option of UCSB's; *to becomes its value, or the option's name if it has none. */
static void read_ucsb_arguments(struct ucsb_translation *t, int argc, char **argv)
{
	const struct {
		const char *names[2];
		const char **to; /* NULL: a flag, which is refused */
	} rows[] = {
		{{"-wl", "--workload-path"}, &t->file},
		{{"-fl", "--filter"}, &t->filter},
		{{"-th", "--threads"}, &t->threads},
		{{"-md", "--main-dir"}, &t->directory},
		{{"-sd", "--storage-dirs"}, &t->storage},
		{{"-db", "--db-name"}, &(const char *){NULL}},
		{{"-cfg", "--config-path"}, &t->ignored},
		{{"-res", "--results-path"}, &t->results},
		{{"-ri", "--run-index"}, &(const char *){NULL}},
		{{"-rc", "--runs-count"}, &(const char *){NULL}},
		{{"-t", "--transaction"}, NULL},
	};
	enum { ROWS = sizeof rows / sizeof *rows };

	for (int i = 1; i < argc; i++) {
		size_t r = 0, length = strcspn(argv[i], "=");
		const struct option *ours =
			strncmp(argv[i], "--", 2)
				? NULL
				: option_find(t->tables, argv[i] + 2, length - 2);

		while (r < ROWS && strcmp(rows[r].names[0], argv[i]) &&
		       strcmp(rows[r].names[1], argv[i]))
			r++;
		if (r < ROWS && !rows[r].to) {
			compat_line_refuse(&t->line, argv[i], "",
					   "no transaction spans a workload here; give "
					   "--txn=1, which makes each "
					   "read-modify-write one");
			continue;
		}
		if (r < ROWS && i + 1 >= argc)
			message_fatal(2, "%s: its value is missing", argv[i]);
		if (r < ROWS)
			*rows[r].to = argv[++i];
		else if (!ours || (argv[i][length] != '=' && !ours->flag))
			compat_line_refuse(&t->line, argv[i], "",
					   "is no option of UCSB's, nor one of ours with "
					   "=VALUE; leave it out");
		else if (strcmp(ours->name, "compat") &&
			 t->passed_count < COMPAT_LINE_MAX)
			t->passed[t->passed_count++] = argv[i];
	}
}

/* ---- what a workload means here ---- */

static const char *member(const struct ucsb_translation *t, enum ucsb_member m)
{
	const char *value = t->members[t->at][m];

	return value ? value : ucsb_members[m].value;
}

static bool member_is(const struct ucsb_translation *t, enum ucsb_member m,
		      const char *word)
{
	return !strcmp(member(t, m), word);
}

static void refuse_member(struct ucsb_translation *t, enum ucsb_member m, const char *why)
{
	compat_line_refuse(&t->line,
			   compat_line_text("%s: %s", member(t, UCSB_NAME),
					    ucsb_members[m].name),
			   member(t, m), why);
}

static double member_number(struct ucsb_translation *t, enum ucsb_member m)
{
	char *end;
	double value = strtod(member(t, m), &end);

	if (!*end && value >= 0 && value <= 0x1p53)
		return value;
	refuse_member(t, m, "is no number of at least 0");
	return 0;
}

static uint64_t member_count(struct ucsb_translation *t, enum ucsb_member m)
{
	return (uint64_t)member_number(t, m);
}

/* The length of the workload's batches, of which all have one. */
static uint64_t batch_length(struct ucsb_translation *t, enum ucsb_member least)
{
	uint64_t length = member_count(t, least);

	if (!length || member_count(t, least + 1) != length)
		refuse_member(t, least,
			      "batches have one length here; give the greatest");
	return length;
}

/* Workloads of one operation, of which each is `length` records. */
static bool take_batches(struct ucsb_translation *t, struct workload *w)
{
	static const struct {
		enum ucsb_member proportion, least;
		enum op op;
	} rows[] = {
		{UCSB_BULK, UCSB_BULK_LEAST, OP_APPEND},
		{UCSB_BATCH_UPSERT, UCSB_UPSERT_LEAST, OP_INSERT},
		{UCSB_BATCH_READ, UCSB_READ_LEAST, OP_MULTIGET},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double proportion = member_number(t, rows[i].proportion);

		if (!(proportion > 0))
			continue;
		if (proportion < 1)
			refuse_member(t, rows[i].proportion,
				      "batches are workloads of their own; give 1");
		w->batched = true;
		w->batch = batch_length(t, rows[i].least);
		w->operations *= w->batch;
		w->weights[rows[i].op] = 100;
		return true;
	}
	return false;
}

static void take_mix(struct ucsb_translation *t, struct workload *w)
{
	double fractions[OPS] = {
		[OP_GET] = member_number(t, UCSB_READ),
		[OP_PUT] = member_number(t, UCSB_UPDATE),
		[OP_INSERT] = member_number(t, UCSB_UPSERT),
		[OP_DELETE] = member_number(t, UCSB_REMOVE),
		[OP_MODIFY] = member_number(t, UCSB_RMW),
		[OP_SEEK] = member_number(t, UCSB_RANGE),
	};
	uint64_t least = member_count(t, UCSB_RANGE_LEAST),
		 most = member_count(t, UCSB_RANGE_MOST);
	double sum = 0;

	for (int op = 0; op < OPS; op++)
		sum += fractions[op];
	if (!(sum > 0)) {
		refuse_member(t, UCSB_READ, "all proportions are 0; give one");
		return;
	}
	workload_set_weights(fractions, w->weights);
	w->deletes = fractions[OP_DELETE] > 0;
	if (fractions[OP_SEEK] > 0 && (!least || least > most))
		refuse_member(t, UCSB_RANGE_LEAST, "give 1 to range_select_max_length");
	else if (fractions[OP_SEEK] > 0)
		w->scan_length = compat_line_text(
			"%s%llu-%llu",
			member_is(t, UCSB_RANGE_DISTRIBUTION, "zipfian") ? "zipf:" : "",
			(unsigned long long)least, (unsigned long long)most);
}

static enum distribution_kind key_distribution(struct ucsb_translation *t)
{
	if (member_is(t, UCSB_DISTRIBUTION, "zipfian"))
		return DISTRIBUTION_SCRAMBLED_ZIPFIAN;
	if (member_is(t, UCSB_DISTRIBUTION, "latest"))
		return DISTRIBUTION_LATEST;
	if (!member_is(t, UCSB_DISTRIBUTION, "uniform"))
		refuse_member(t, UCSB_DISTRIBUTION, "give uniform, zipfian or latest");
	return DISTRIBUTION_UNIFORM;
}

/* The workload `at` is added under its name; `num` records were loaded. */
static void take_workload(struct ucsb_translation *t, uint64_t num)
{
	struct workload w = {
		.name = member(t, UCSB_NAME),
		.help = "A workload of UCSB's file.",
		.key_order = ORDER_RANDOM,
		.distribution = key_distribution(t),
		.operations = member_count(t, UCSB_OPERATIONS),
		.divided = true,
	};
	bool inserts;

	if (!*w.name || strpbrk(w.name, ",@[]") || !w.operations)
		refuse_member(t, w.operations ? UCSB_NAME : UCSB_OPERATIONS,
			      "give one, without commas, @ and brackets");
	if (member_number(t, UCSB_SCAN) > 0) {
		if (member_number(t, UCSB_SCAN) < 1 || w.operations != 1)
			refuse_member(t, UCSB_SCAN, "a scan is alone, and once");
		w.weights[OP_NEXT] = 100;
		w.key_order = ORDER_SEQUENTIAL;
		w.whole_range = true;
		w.divided = false;
		w.operations = 0;
	} else if (!take_batches(t, &w)) {
		take_mix(t, &w);
	}
	if (w.weights[OP_APPEND]) {
		w.key_order = ORDER_SEQUENTIAL;
		w.starts_empty = w.bulk_load = w.completes = true;
		if (w.operations != member_count(t, UCSB_RECORDS))
			refuse_member(t, UCSB_OPERATIONS,
				      "a load writes records_count records");
	}
	inserts = w.weights[OP_INSERT] > 0;
	if (member_count(t, UCSB_RECORDS) < num)
		refuse_member(t, UCSB_RECORDS, "keys are drawn from all loaded records");
	if (member_count(t, UCSB_START) &&
	    !(inserts && member_count(t, UCSB_START) >= num))
		refuse_member(t, UCSB_START,
			      "keys begin at 0, and inserts behind the loaded records");
	workload_add(&w);
	t->list = compat_line_text("%s%s%s%s", t->list, *t->list ? "," : "", w.name,
				   w.bulk_load ? "@1" : "");
}

/* The size of values, which all workloads have. */
static void take_values(struct ucsb_translation *t)
{
	t->at = 0;

	const char *length = member(t, UCSB_VALUE);
	bool uniform = member_is(t, UCSB_VALUE_DISTRIBUTION, "uniform");

	for (; t->at < t->count; t->at++)
		if (strcmp(member(t, UCSB_VALUE), length) ||
		    member_is(t, UCSB_VALUE_DISTRIBUTION, "uniform") != uniform)
			refuse_member(t, UCSB_VALUE, "all workloads have one size");
	compat_line_add(&t->line, compat_line_text("--value_size=%s%s",
						   uniform ? "1-" : "", length));
}

/* The workloads that the filter names, in its order, or all. */
static void take_workloads(struct ucsb_translation *t, uint64_t num)
{
	size_t taken = 0;

	for (const char *at = t->filter; at && *at; at += *at == ',') {
		size_t length = strcspn(at, ",");

		for (t->at = 0; t->at < t->count; t->at++)
			if (strlen(member(t, UCSB_NAME)) == length &&
			    !memcmp(member(t, UCSB_NAME), at, length)) {
				take_workload(t, num);
				taken++;
			}
		at += length;
	}
	for (t->at = 0; (!t->filter || !*t->filter) && t->at < t->count; t->at++, taken++)
		take_workload(t, num);
	if (!taken)
		compat_line_refuse(&t->line, "-fl", t->filter ? t->filter : "",
				   "names no workload of the file");
}

const char *ucsb_results_array(const char *text)
{
	const char *name = strstr(text, "\"benchmarks\"");

	return name ? strchr(name, '[') : NULL;
}

/* Can results be added to what the file has? */
static bool takes_results(FILE *f)
{
	char *text = NULL;
	size_t size = 0;
	bool takes = getdelim(&text, &size, '\0', f) <= 0 || ucsb_results_array(text);

	free(text);
	return takes;
}

/*
 * A directory has a file of the workloads' name. Ends the program if it has no place, or
 * if the file is another's.
 */
static const char *results_file(const struct ucsb_translation *t)
{
	const char *path = t->results, *slash = strrchr(t->file, '/'),
		   *name = slash ? slash + 1 : t->file;
	FILE *f;

	if (!path || !*path)
		return NULL;
	if (path[strlen(path) - 1] == '/')
		path = compat_line_text("%s%.*s.json", path, (int)strcspn(name, "."),
					name);
	f = fopen(path, "a+e");
	if (!f)
		message_fatal(2, "-res: %s: %s", path, strerror(errno));
	if (!takes_results(f))
		message_fatal(2, "-res: %s has no array of benchmarks; give another file",
			      path);
	fclose(f);
	return path;
}

char **ucsb_translate(const struct option *const *tables, int *argc, char **argv,
		      const char **results)
{
	/* UCSB opens and closes the database around each workload */
	static char *const words[] = {"--compat=ucsb", "--key_format=binary",
				      "--key_size=8", "--reopen=1"};
	struct ucsb_translation *t = message_alloc(1, sizeof *t);
	char error[JSON_READER_ERROR_SIZE];
	const struct workload *first;
	uint64_t num;

	t->tables = tables;
	t->list = compat_line_text("%s", "");
	compat_line_add(&t->line, argv[0]);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		compat_line_add(&t->line, words[i]);
	read_ucsb_arguments(t, *argc, argv);
	if (!t->file)
		message_fatal(2, "-wl: give a file of workloads");
	if (!json_reader_read(t->file, take_member, t, error))
		message_fatal(2, "-wl: %s", error);
	if (t->storage && *t->storage)
		compat_line_refuse(&t->line, "-sd", t->storage,
				   "the database is in one directory; give -md");
	num = member_count(t, UCSB_RECORDS); /* of the first in the file */
	take_values(t);
	take_workloads(t, num);
	compat_line_finish(&t->line, "options and members");
	if (t->ignored)
		message_print("-cfg has no effect: give the engine's options, such as "
			      "--cache_size");
	*results = results_file(t);
	first = workload_find(t->list, strcspn(t->list, ",@"));
	if (first && !first->starts_empty && !engine.stores_nothing)
		compat_line_add(&t->line, compat_line_text("--use_existing_db=1"));
	if (t->directory)
		compat_line_add(&t->line, compat_line_text("--db=%s", t->directory));
	compat_line_add(&t->line,
			compat_line_text("--threads=%s", t->threads ? t->threads : "1"));
	compat_line_add(&t->line,
			compat_line_text("--num=%llu", (unsigned long long)num));
	compat_line_add(&t->line, compat_line_text("--benchmarks=%s", t->list));
	for (unsigned i = 0; i < t->passed_count; i++)
		compat_line_add(&t->line, t->passed[i]);
	*argc = (int)t->line.argc;
	return t->line.argv;
}
