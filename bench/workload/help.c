/* help.c: --help, --man, and tables as TSV; see help.h. */
#include "help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../../engines/engine.h"
#include "../../util/edit_distance.h"
#include "../../util/result.h"
#include "../../util/message.h"
#include "../../util/timeline.h"
#include "compat.h"
#include "ucsb.h"
#include "workload.h"
#include "ycsb_properties.h"

/* ---- --help ---- */

static void print_workload(const struct workload *workload, FILE *to)
{
	fprintf(to, "  %s\n        %s\n", workload->name, workload->help);
}

static void print_preset(const struct preset *preset, FILE *to)
{
	fprintf(to, "  %s\n        %s\n        %s\n", preset->name, preset->help,
		preset->options);
}

static void print_workload_list(FILE *to)
{
	const struct workload *workload;

	fputs("\nBenchmarks\n", to);
	for (size_t i = 0; (workload = workload_at(i)); i++)
		print_workload(workload, to);
}

static void print_preset_list(FILE *to)
{
	const struct preset *preset;

	fputs("\nPresets\n", to);
	for (size_t i = 0; (preset = workload_preset(i)); i++)
		print_preset(preset, to);
}

static void print_usage(FILE *to)
{
	fprintf(to,
		"bench_%s: benchmark of %s\n\nusage: bench_%s [--option=value ...]\n\n"
		"Counts take k, m, g (thousands); sizes also Ki, Mi, Gi. Hyphens and "
		"underscores\nin names are equivalent.\n",
		engine.name, engine.title, engine.name);
}

/* A heading as a topic: "Which keys" is which-keys. */
static const char *topic_name(const char *heading, char *text, size_t size)
{
	size_t i = 0;

	for (; heading[i] && i + 1 < size; i++)
		text[i] = heading[i] == ' ' ? '-'
					    : (char)tolower((unsigned char)heading[i]);
	text[i] = '\0';
	return text;
}

/* The first screen: the most used options, and where to find the rest. */
static void print_summary(const struct option *const *tables, FILE *to)
{
	enum { WIDTH = 80 };
	int column = 0;
	char topic[64];

	print_usage(to);
	fputs("\nUsed most\n", to);
	for (int i = 0; tables[i]; i++)
		option_print_summary(tables[i], to);
	fputs("\nMore: --help=all, or --help=TOPIC, which is workloads, presets, "
	      "db_bench, the\n"
	      "name of a workload, a preset or an option, or a group of options:\n",
	      to);
	for (int i = 0; tables[i]; i++)
		for (const struct option *o = tables[i]; o->name; o++)
			if (o->group) {
				topic_name(o->group, topic, sizeof topic);
				if (column + 2 + (int)strlen(topic) > WIDTH) {
					fputs("\n", to);
					column = 0;
				}
				column += fprintf(to, "  %s", topic);
			}
	fputs("\n", to);
}

static void print_all(const struct option *const *tables, FILE *to)
{
	print_usage(to);
	print_workload_list(to);
	print_preset_list(to);
	for (int i = 0; tables[i]; i++)
		option_print_help(tables[i], to);
}

/* Print the options below the heading of a topic. Returns false if no heading matches. */
static bool print_group(const struct option *const *tables, const char *topic, FILE *to)
{
	bool inside = false, found = false;
	char text[64];

	for (int i = 0; tables[i]; i++)
		for (const struct option *o = tables[i]; o->name; o++) {
			if (o->group)
				inside = !strcmp(topic,
						 topic_name(o->group, text, sizeof text));
			if (inside)
				option_print_row(o, to);
			found |= inside;
		}
	return found;
}

/* Print one workload, preset or option. Returns false if none has that name. */
static bool print_named(const struct option *const *tables, const char *topic, FILE *to)
{
	const struct workload *workload = workload_find(topic, strlen(topic));
	const struct option *o = option_find(tables, topic, strlen(topic));
	const struct preset *preset;
	bool found = workload || o;

	if (workload)
		print_workload(workload, to);
	for (size_t i = 0; (preset = workload_preset(i)); i++)
		if (!strcmp(preset->name, topic)) {
			print_preset(preset, to);
			found = true;
		}
	if (o)
		option_print_row(o, to);
	return found;
}

/* Print everything of that name: a workload may have options of its own. */
static bool print_topic(const struct option *const *tables, const char *topic, FILE *to)
{
	bool one = print_named(tables, topic, to), group = print_group(tables, topic, to);

	return one || group;
}

/* Reject an unknown topic, and suggest the nearest one. */
static _Noreturn void reject_topic(const struct option *const *tables, const char *topic)
{
	struct edit_distance near = edit_distance_begin(topic, strlen(topic));
	char text[64], meant[EDIT_DISTANCE_TEXT_SIZE], group[64];
	const struct workload *workload;

	for (size_t i = 0; (workload = workload_at(i)); i++)
		edit_distance_offer(&near, workload->name);
	for (int i = 0; tables[i]; i++)
		for (const struct option *o = tables[i]; o->name; o++) {
			edit_distance_offer(&near, o->name);
			if (!o->group)
				continue;
			edit_distance_offer(&near,
					    topic_name(o->group, text, sizeof text));
			if (near.best == text)
				near.best = strcpy(group, text);
		}
	message_fatal(2, "--help: no topic '%.60s'; %s", topic,
		      edit_distance_suggestion(&near, "", "--help lists them", meant));
}

static void print_help(const struct option *const *tables, const char *topic, FILE *to)
{
	if (!strcmp(topic, "most") || !strcmp(topic, "1"))
		print_summary(tables, to);
	else if (!strcmp(topic, "all"))
		print_all(tables, to);
	else if (!strcmp(topic, "ycsb-properties"))
		ycsb_properties_print(to);
	else if (!strcmp(topic, "ucsb-members"))
		ucsb_print(to);
	else if (!strcmp(topic, "db_bench"))
		compat_print(to);
	else if (!strcmp(topic, "workloads"))
		print_workload_list(to);
	else if (!strcmp(topic, "presets"))
		print_preset_list(to);
	else if (!print_topic(tables, topic, to))
		reject_topic(tables, topic);
}

/* ---- --man ---- */

/* The text of the manual page around the tables. */
static const char manual_top[] =
	".Sh SYNOPSIS\n.Nm\n.Op Fl Fl option Ns = Ns Ar value ...\n.Sh DESCRIPTION\n"
	"Runs workloads on one database, in order, and reports what each cost.\n"
	"The same program is built for each engine, so that two results differ by their "
	"engines only.\n"
	"Standard output has a line for each workload, in the form of RocksDB's "
	"db_bench;\n"
	".Fl Fl json\nand\n.Fl Fl tsv\nappend a row of all metrics, whose columns\n"
	".Fl Fl columns\nexplains.\n.Pp\n"
	"Counts take k, m, g (thousands); sizes also Ki, Mi, Gi.\n"
	"Hyphens and underscores in names of options are equivalent.\n";
static const char manual_end[] =
	".Sh FILES\n.Bl -tag -width Ds\n.It Pa assay\\-UID/ENGINE\n"
	"The database, in\n.Ev TMPDIR\nor\n.Pa /tmp ,\nunless\n.Fl Fl db\n"
	"names another directory.\n"
	"In it\n.Pa assay.db\nis the marker without which nothing is ever cleared, and\n"
	".Pa data\nhas the engine's files.\n.El\n"
	".Sh EXIT STATUS\n.Bl -tag -width Ds\n.It 0\ndone and valid.\n.It 1\n"
	"a benchmark failed or its row is invalid.\n"
	".It 2\nthe command line cannot be run; no database and no file of rows was "
	"changed.\n"
	".It 130, 143\ninterrupted; what was measured is reported as partial.\n.El\n"
	".Sh EXAMPLES\n"
	"Load a million records, read them with four threads, and append the rows to a "
	"file:\n.Pp\n"
	".Dl bench_%s \\-\\-num=1m \\-\\-benchmarks=fillseqbatch,readrandom@4 "
	"\\-\\-json=rows.json\n.Pp\n"
	"The same database again, overwritten for ten seconds with each commit synced "
	"to the device:\n.Pp\n"
	".Dl bench_%s \\-\\-use_existing_db=1 \\-\\-benchmarks=overwrite "
	"\\-\\-duration=10 \\-\\-sync=1\n"
	".Sh SEE ALSO\n.Xr assay 1 ,\nwhich sweeps over engines, threads and settings, "
	"compares and draws.\n";

static void print_manual(const struct option *const *tables,
			 const struct program_info *program, FILE *to)
{
	const struct workload *workload;
	const struct preset *preset;

	fprintf(to,
		".Dd %s\n.Dt BENCH_%s 1\n.Os assay %s\n.Sh NAME\n.Nm bench_%s\n"
		".Nd benchmark of %s\n",
		program->date, engine.name, program->version, engine.name, engine.title);
	fputs(manual_top, to);
	fputs(".Sh BENCHMARKS\n.Bl -tag -width Ds\n", to);
	for (size_t i = 0; (workload = workload_at(i)); i++) {
		fprintf(to, ".It Sy %s\n", workload->name);
		option_print_mdoc(workload->help, to);
		fputc('\n', to);
	}
	fputs(".El\n.Sh PRESETS\n.Bl -tag -width Ds\n", to);
	for (size_t i = 0; (preset = workload_preset(i)); i++) {
		fprintf(to, ".It Sy %s\n", preset->name);
		option_print_mdoc(preset->help, to);
		fprintf(to, "\n.Bd -literal\n%s\n.Ed\n", preset->options);
	}
	fputs(".El\n.Sh OPTIONS\n", to);
	for (int i = 0; tables[i]; i++)
		option_print_manual(tables[i], to);
	fprintf(to, manual_end, engine.name, engine.name);
}

/* ---- tables for other programs: a header, and a row each ---- */

static void print_options(const struct option *const *tables)
{
	puts("of\tname\talias\tgroup\ttype\tvalues\tdefault\tmin\tmax\tmeaning");
	for (; *tables; tables++)
		option_print_tsv(*tables, *tables == engine.options ? "engine" : "all",
				 stdout);
}

static void print_columns(void)
{
	puts("table\tname\ttype\tunit\tmeaning");
	result_print_columns(stdout);
	timeline_print_columns(stdout);
}

static void print_workloads(void)
{
	const struct workload *workload;

	puts("name\taccess\tmeaning");
	for (size_t i = 0; (workload = workload_at(i)); i++)
		printf("%s\t%s\t%s\n", workload->name,
		       workload->starts_empty       ? "fills"
		       : workload_changes(workload) ? "writes"
						    : "reads",
		       workload->help);
}

static void print_presets(void)
{
	const struct preset *preset;

	puts("name\toptions\tmeaning");
	for (size_t i = 0; (preset = workload_preset(i)); i++)
		printf("%s\t%s\t%s\n", preset->name, preset->options, preset->help);
}

bool help_print(const struct help_request *request, const struct option *const *tables,
		const struct program_info *program)
{
	if (*request->help)
		print_help(tables, request->help, stdout);
	else if (request->man)
		print_manual(tables, program, stdout);
	else if (request->options)
		print_options(tables);
	else if (request->columns)
		print_columns();
	else if (request->workloads)
		print_workloads();
	else if (request->presets)
		print_presets();
	else if (request->version)
		printf("assay %s (%s), %s %s, %s\n", program->version, program->commit,
		       engine.title, engine.version(), program->build);
	else
		return false;
	return true;
}
