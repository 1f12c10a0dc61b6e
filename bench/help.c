/* help.c: what a program says of itself; see help.h. */
#include "help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../engines/engine.h"
#include "../util/nearest.h"
#include "../util/result.h"
#include "../util/say.h"
#include "../util/timeline.h"
#include "habits.h"
#include "workload.h"

/* ---- --help ---- */

static void print_workload(const struct workload *load, FILE *to)
{
	fprintf(to, "  %s\n        %s\n", load->name, load->help);
}

static void print_preset(const struct preset *preset, FILE *to)
{
	fprintf(to, "  %s\n        %s\n        %s\n", preset->name, preset->help,
		preset->settings);
}

static void print_workload_list(FILE *to)
{
	size_t n;
	const struct workload *load = workload_table(&n);

	fputs("\nBenchmarks\n", to);
	for (; n--; load++)
		print_workload(load, to);
}

static void print_preset_list(FILE *to)
{
	size_t n;
	const struct preset *preset = preset_table(&n);

	fputs("\nPresets\n", to);
	for (; n--; preset++)
		print_preset(preset, to);
}

static void print_usage(FILE *to)
{
	fprintf(to,
		"bench_%s: benchmark of %s\n\nusage: bench_%s [--option=value ...]\n\n"
		"Counts take k, m, g (thousands); sizes also Ki, Mi, Gi. Hyphens and "
		"underscores\nin names are one.\n",
		engine.name, engine.title, engine.name);
}

/* A heading as a topic: "Which keys" is which-keys. */
static const char *topic_of(const char *heading, char *text, size_t size)
{
	size_t i = 0;

	for (; heading[i] && i + 1 < size; i++)
		text[i] = heading[i] == ' ' ? '-'
					    : (char)tolower((unsigned char)heading[i]);
	text[i] = '\0';
	return text;
}

/* The first screen: what is used most, and where the rest is. */
static void print_most(const struct option *const *tables, FILE *to)
{
	int column = 0;
	char topic[64];

	print_usage(to);
	fputs("\nUsed most\n", to);
	for (int i = 0; tables[i]; i++)
		option_brief(tables[i], to);
	fputs("\nMore: --help=all, or --help=TOPIC, which is workloads, presets, "
	      "db_bench, the\n"
	      "name of a workload, a preset or an option, or a group of options:\n",
	      to);
	for (int i = 0; tables[i]; i++)
		for (const struct option *o = tables[i]; o->name; o++)
			if (o->group) {
				if (column > 60) {
					fputs("\n", to);
					column = 0;
				}
				column +=
					fprintf(to, "  %s",
						topic_of(o->group, topic, sizeof topic));
			}
	fputs("\n", to);
}

static void print_all(const struct option *const *tables, FILE *to)
{
	print_usage(to);
	print_workload_list(to);
	print_preset_list(to);
	for (int i = 0; tables[i]; i++)
		option_help(tables[i], to);
}

/* The options below the heading of that topic. Answers false if no heading has it. */
static bool print_group(const struct option *const *tables, const char *topic, FILE *to)
{
	bool inside = false, found = false;
	char text[64];

	for (int i = 0; tables[i]; i++)
		for (const struct option *o = tables[i]; o->name; o++) {
			if (o->group)
				inside = !strcmp(topic,
						 topic_of(o->group, text, sizeof text));
			if (inside)
				option_help_row(o, to);
			found |= inside;
		}
	return found;
}

/* One workload, preset or option. Answers false if none has that name. */
static bool print_one(const struct option *const *tables, const char *topic, FILE *to)
{
	const struct workload *load = workload_find(topic, strlen(topic));
	const struct option *o = option_find(tables, topic, strlen(topic));
	size_t n;
	const struct preset *preset = preset_table(&n);
	bool found = load || o;

	if (load)
		print_workload(load, to);
	for (; n--; preset++)
		if (!strcmp(preset->name, topic)) {
			print_preset(preset, to);
			found = true;
		}
	if (o)
		option_help_row(o, to);
	return found;
}

/* All that has that name: a workload may have options of its own. */
static bool print_topic(const struct option *const *tables, const char *topic, FILE *to)
{
	bool one = print_one(tables, topic, to), group = print_group(tables, topic, to);

	return one || group;
}

/* A topic that is none, and the nearest that is one. */
static _Noreturn void refuse_topic(const struct option *const *tables, const char *topic)
{
	struct nearest near = nearest_begin(topic, strlen(topic));
	char text[64], meant[NEAREST_TEXT], group[64];
	size_t n;
	const struct workload *load = workload_table(&n);

	for (; n--; load++)
		nearest_offer(&near, load->name);
	for (int i = 0; tables[i]; i++)
		for (const struct option *o = tables[i]; o->name; o++) {
			nearest_offer(&near, o->name);
			if (!o->group)
				continue;
			nearest_offer(&near, topic_of(o->group, text, sizeof text));
			if (near.name == text)
				near.name = strcpy(group, text);
		}
	die(2, "--help: no topic '%.60s'; %s", topic,
	    nearest_text(&near, "", "--help lists them", meant));
}

static void print_help(const struct option *const *tables, const char *topic, FILE *to)
{
	if (!strcmp(topic, "most") || !strcmp(topic, "1"))
		print_most(tables, to);
	else if (!strcmp(topic, "all"))
		print_all(tables, to);
	else if (!strcmp(topic, "db_bench"))
		habits_print(to);
	else if (!strcmp(topic, "workloads"))
		print_workload_list(to);
	else if (!strcmp(topic, "presets"))
		print_preset_list(to);
	else if (!print_topic(tables, topic, to))
		refuse_topic(tables, topic);
}

/* ---- --man ---- */

/* What the manual page has around the tables. */
static const char manual_top[] =
	".Sh SYNOPSIS\n.Nm\n.Op Fl Fl option Ns = Ns Ar value ...\n.Sh DESCRIPTION\n"
	"Runs workloads on one database, in order, and reports what each cost.\n"
	"The same program is built for each engine, so that two results differ by their "
	"engines only.\n"
	"Standard output has a line for each workload, in the form of RocksDB's "
	"db_bench;\n"
	".Fl Fl json\nand\n.Fl Fl tsv\nappend a row of all figures, whose columns\n"
	".Fl Fl columns\nexplains.\n.Pp\n"
	"Counts take k, m, g (thousands); sizes also Ki, Mi, Gi.\n"
	"Hyphens and underscores in names of options are one.\n";
static const char manual_end[] =
	".Sh FILES\n.Bl -tag -width Ds\n.It Pa assay\\-UID/ENGINE\n"
	"The database, in\n.Ev TMPDIR\nor\n.Pa /tmp ,\nunless\n.Fl Fl db\n"
	"names another directory.\n"
	"In it\n.Pa assay.db\nis the marker without which nothing is ever cleared, and\n"
	".Pa data\nhas the engine's files.\n.El\n"
	".Sh EXIT STATUS\n.Bl -tag -width Ds\n.It 0\ndone and valid.\n.It 1\n"
	"a benchmark failed or its row is void.\n"
	".It 2\nthe command line cannot be run; no database and no file of rows was "
	"changed.\n"
	".It 130, 143\ninterrupted; what was measured is reported as partial.\n.El\n"
	".Sh EXAMPLES\n"
	"Load a million records, read them with four threads, and append the rows to a "
	"file:\n.Pp\n"
	".Dl bench_%s \\-\\-num=1m \\-\\-benchmarks=fillseqbatch,readrandom@4 "
	"\\-\\-json=rows.json\n.Pp\n"
	"The same database again, overwritten for ten seconds with each commit flushed "
	"to the device:\n.Pp\n"
	".Dl bench_%s \\-\\-use_existing_db=1 \\-\\-benchmarks=overwrite "
	"\\-\\-duration=10 \\-\\-sync=1\n"
	".Sh SEE ALSO\n.Xr assay 1 ,\nwhich sweeps over engines, threads and settings, "
	"compares and draws.\n";

static void print_manual(const struct option *const *tables,
			 const struct program *program, FILE *to)
{
	size_t n_loads, n_presets;
	const struct workload *loads = workload_table(&n_loads);
	const struct preset *presets = preset_table(&n_presets);

	fprintf(to,
		".Dd %s\n.Dt BENCH_%s 1\n.Os assay %s\n.Sh NAME\n.Nm bench_%s\n"
		".Nd benchmark of %s\n",
		program->date, engine.name, program->version, engine.name, engine.title);
	fputs(manual_top, to);
	fputs(".Sh BENCHMARKS\n.Bl -tag -width Ds\n", to);
	for (size_t i = 0; i < n_loads; i++) {
		fprintf(to, ".It Sy %s\n", loads[i].name);
		option_mdoc(loads[i].help, to);
		fputc('\n', to);
	}
	fputs(".El\n.Sh PRESETS\n.Bl -tag -width Ds\n", to);
	for (size_t i = 0; i < n_presets; i++) {
		fprintf(to, ".It Sy %s\n", presets[i].name);
		option_mdoc(presets[i].help, to);
		fprintf(to, "\n.Bd -literal\n%s\n.Ed\n", presets[i].settings);
	}
	fputs(".El\n.Sh OPTIONS\n", to);
	for (int i = 0; tables[i]; i++)
		option_manual(tables[i], to);
	fprintf(to, manual_end, engine.name, engine.name);
}

/* ---- tables that others read ---- */

static void print_columns(void)
{
	result_columns(stdout);
	timeline_columns(stdout);
}

static void print_workloads(void)
{
	size_t n;
	const struct workload *load = workload_table(&n);

	for (; n--; load++)
		printf("%s\t%s\t%s\n", load->name,
		       load->fresh              ? "fills"
		       : workload_changes(load) ? "writes"
						: "reads",
		       load->help);
}

bool help_print(const struct asked *asked, const struct option *const *tables,
		const struct program *program)
{
	if (*asked->help)
		print_help(tables, asked->help, stdout);
	else if (asked->man)
		print_manual(tables, program, stdout);
	else if (asked->columns)
		print_columns();
	else if (asked->workloads)
		print_workloads();
	else if (asked->version)
		printf("assay %s (%s), %s %s, %s\n", program->version, program->commit,
		       engine.title, engine.version(), program->build);
	else
		return false;
	return true;
}

