/* option.c: parsing and printing a table of options; see option.h. */
#include "option.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "edit_distance.h"

#define FAIL_SIZE OPTION_ERROR_SIZE
#include "fail.h"
#include "message.h"

static const struct {
	const char *suffix;
	uint64_t factor;
	bool sizes_only;
} units[] = {
	{"", 1, false},           {"k", 1000, false},          {"m", 1000000, false},
	{"g", 1000000000, false}, {"t", 1000000000000, false}, {"Ki", 1ull << 10, true},
	{"Mi", 1ull << 20, true}, {"Gi", 1ull << 30, true},    {"Ti", 1ull << 40, true},
};

static bool parse_number(const char *text, bool size, uint64_t *to)
{
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	unsigned long long n = strtoull(text, &end, 10);
	if (errno)
		return false;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (strcasecmp(end, units[i].suffix) || (units[i].sizes_only && !size))
			continue;
		*to = n * units[i].factor;
		return n <= UINT64_MAX / units[i].factor;
	}
	return false;
}

bool option_parse_bytes(const char *text, uint64_t *bytes)
{
	return parse_number(text, true, bytes);
}

static bool set_number(const struct option *o, const char *value, char *error)
{
	uint64_t n, max = o->max ? o->max : UINT64_MAX;
	bool size = o->size != NULL;

	if (!parse_number(value, size, &n))
		return fail(error,
			    "--%s: cannot read '%.60s'; give a whole number such as %s",
			    o->name, value, size ? "100, 64k or 1Gi" : "5, 100k or 1m");
	if (n < o->min || n > max)
		return fail(error, "--%s: '%.60s' is outside %llu to %llu", o->name,
			    value, (unsigned long long)o->min, (unsigned long long)max);
	*(size ? o->size : o->count) = n;
	return true;
}

static bool set_real(const struct option *o, const char *value, char *error)
{
	char *end;
	double x = strtod(value, &end);

	if (end == value || *end || !isfinite(x) || isspace((unsigned char)*value))
		return fail(error, "--%s: cannot read '%.60s'; give a number such as 0.5",
			    o->name, value);
	if (x < o->real_min || (o->real_max > 0 && x > o->real_max)) {
		if (o->real_max > 0)
			return fail(error, "--%s: '%.60s' is outside %g to %g", o->name,
				    value, o->real_min, o->real_max);
		return fail(error, "--%s: '%.60s' is below %g", o->name, value,
			    o->real_min);
	}
	*o->real = x;
	return true;
}

/* Returns 0 or 1, or -1 if the text is not a boolean. */
static int parse_bool(const char *text)
{
	static const char *const words[] = {"0",  "1",   "false", "true",
					    "no", "yes", "off",   "on"};

	for (int i = 0; i < 8; i++)
		if (!strcasecmp(text, words[i]))
			return i % 2;
	return -1;
}

static bool set_flag(const struct option *o, const char *value, char *error)
{
	int on = parse_bool(value);

	if (on < 0)
		return fail(error, "--%s: cannot read '%.60s'; give 0 or 1", o->name,
			    value);
	*o->flag = on;
	return true;
}

static bool set_choice(const struct option *o, const char *value, char *error)
{
	char all[120] = "";

	for (int i = 0; o->choices[i]; i++) {
		if (!strcmp(value, o->choices[i])) {
			*o->choice = i;
			return true;
		}
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s",
			 i ? ", " : "", o->choices[i]);
	}
	return fail(error, "--%s: no '%.60s'; give one of %s", o->name, value, all);
}

bool option_parse_value(const struct option *o, const char *value, char *error)
{
	if (o->count || o->size)
		return set_number(o, value, error);
	if (o->real)
		return set_real(o, value, error);
	if (o->flag)
		return set_flag(o, value, error);
	if (o->choice)
		return set_choice(o, value, error);
	*o->text = value;
	return true;
}

bool option_set_defaults(const struct option *table, char *error)
{
	for (; table && table->name; table++)
		if (!option_parse_value(table, table->default_value, error))
			return false;
	return true;
}

static bool is_same_name(const char *typed, size_t length, const char *name)
{
	if (!name || strlen(name) != length)
		return false;
	for (size_t i = 0; i < length; i++)
		if (typed[i] != name[i] && !(typed[i] == '-' && name[i] == '_'))
			return false;
	return true;
}

const struct option *option_find(const struct option *const *tables, const char *typed,
				 size_t length)
{
	for (; *tables; tables++)
		for (const struct option *o = *tables; o->name; o++)
			if (is_same_name(typed, length, o->name) ||
			    is_same_name(typed, length, o->alias))
				return o;
	return NULL;
}

/* Reports an unknown name, with the closest existing name. */
static bool refuse_unknown(const struct option *const *tables, const char *typed,
			   size_t length, char *error)
{
	struct edit_distance near = edit_distance_begin(typed, length);
	char meant[EDIT_DISTANCE_TEXT_SIZE];

	for (; *tables; tables++)
		for (const struct option *o = *tables; o->name; o++)
			edit_distance_offer(&near, o->name);
	return fail(error, "no option '--%.*s'; %s", length > 60 ? 60 : (int)length,
		    typed, edit_distance_suggestion(&near, "--", "see --help", meant));
}

bool option_parse(const struct option *const *tables, int argc, char **argv, char *error)
{
	for (int i = 1; i < argc; i++) {
		const char *typed = argv[i] + 2, *value;

		if (strncmp(argv[i], "--", 2) || !*typed)
			return fail(error,
				    "cannot read '%.60s'; options are --name=value, see "
				    "--help",
				    argv[i]);
		size_t length = strcspn(typed, "=");
		const struct option *o = option_find(tables, typed, length);

		if (!o)
			return refuse_unknown(tables, typed, length, error);
		if (typed[length] == '=')
			value = typed + length + 1;
		else if (o->flag && (i + 1 == argc || parse_bool(argv[i + 1]) < 0))
			value = "1";
		else if (o->bare_value)
			value = o->bare_value;
		else if (i + 1 < argc)
			value = argv[++i];
		else
			return fail(error, "--%s: its value is missing", o->name);
		if (!option_parse_value(o, value, error))
			return false;
	}
	return true;
}

int option_format_value(const struct option *o, char *text, size_t size)
{
	if (o->count || o->size)
		return snprintf(text, size, "%llu",
				(unsigned long long)*(o->size ? o->size : o->count));
	if (o->real)
		return snprintf(text, size, "%g", *o->real);
	if (o->flag)
		return snprintf(text, size, "%d", *o->flag);
	return snprintf(text, size, "%s", o->choice ? o->choices[*o->choice] : *o->text);
}

/* As scripts name it: sweep.sh takes apart what has no comma in one value. */
static const char *type_of(const struct option *o)
{
	return o->flag        ? "flag"
	       : o->count     ? "count"
	       : o->size      ? "size"
	       : o->real      ? "real"
	       : o->choice    ? "choice"
	       : o->text_type ? o->text_type
			      : "text";
}

static const char *type_name(const struct option *o)
{
	return o->flag    ? "0|1"
	       : o->count ? "N"
	       : o->size  ? "BYTES"
	       : o->real  ? "X"
			  : "TEXT";
}

/* KIND or one|two|three */
static void print_values(const struct option *o, FILE *to)
{
	if (!o->choice)
		fputs(type_name(o), to);
	for (int i = 0; o->choice && o->choices[i]; i++)
		fprintf(to, "%s%s", i ? "|" : "", o->choices[i]);
}

void option_print_row(const struct option *o, FILE *to)
{
	fprintf(to, "  --%s=", o->name);
	print_values(o, to);
	fprintf(to, "\n        %s", o->help);
	if (o->alias)
		fprintf(to, " Other name: --%s.", o->alias);
	fprintf(to, " [%s]\n", *o->default_value ? o->default_value : "empty");
}

void option_print_help(const struct option *table, FILE *to)
{
	for (; table && table->name; table++) {
		if (table->group)
			fprintf(to, "\n%s\n", table->group);
		option_print_row(table, to);
	}
}

int option_parse_tool(const struct option *table, const bool *help, const char *usage,
		      bool takes_arguments, int argc, char **argv)
{
	const struct option *const tables[] = {table, NULL};
	char error[OPTION_ERROR_SIZE];
	int options = takes_arguments ? 1 : argc;

	while (options < argc && !strncmp(argv[options], "--", 2))
		options++;
	if (!option_set_defaults(table, error) ||
	    !option_parse(tables, options, argv, error))
		message_fatal(2, "%s", error);
	if (*help) {
		fputs(usage, stdout);
		option_print_help(table, stdout);
		exit(0);
	}
	return options;
}

void option_print_summary(const struct option *table, FILE *to)
{
	char name[32];

	for (; table && table->name; table++) {
		if (!table->summary)
			continue;
		snprintf(name, sizeof name, "%s=%s", table->name, type_name(table));
		fprintf(to, "  --%-22s %s\n", name, table->summary);
	}
}

static void print_bounds(const struct option *o, FILE *to)
{
	if (o->real && o->real_max > 0)
		fprintf(to, "\t%g\t%g", o->real_min, o->real_max);
	else if (o->real)
		fprintf(to, "\t%g\t", o->real_min);
	else if (o->max)
		fprintf(to, "\t%llu\t%llu", (unsigned long long)o->min,
			(unsigned long long)o->max);
	else if (o->count || o->size)
		fprintf(to, "\t%llu\t", (unsigned long long)o->min);
	else
		fputs("\t\t", to);
}

void option_print_tsv(const struct option *table, const char *of, FILE *to)
{
	const char *group = "";

	for (; table->name; table++) {
		group = table->group ? table->group : group;
		fprintf(to, "%s\t%s\t%s\t%s\t%s\t", of, table->name,
			table->alias ? table->alias : "", group, type_of(table));
		print_values(table, to);
		fprintf(to, "\t%s", table->default_value);
		print_bounds(table, to);
		fprintf(to, "\t%s\n", table->help);
	}
}

/*
 * mdoc interprets a leading '.' or ''' as a request and a backslash as an escape; each
 * sentence begins a line.
 */
void option_print_mdoc(const char *text, FILE *to)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", to);
	for (; *text; text++) {
		if (*text == '.' && text[1] == ' ' && isupper((unsigned char)text[2])) {
			fputs(".\n", to);
			text++;
		} else if (*text == '\\')
			fputs("\\e", to);
		else if (*text == '-')
			fputs("\\-", to);
		else
			fputc(*text, to);
	}
}

void option_print_manual(const struct option *table, FILE *to)
{
	bool open = false;

	for (; table && table->name; table++) {
		if (table->group) {
			fprintf(to, "%s.Ss %s\n.Bl -tag -width Ds\n", open ? ".El\n" : "",
				table->group);
			open = true;
		}
		fprintf(to, ".It Fl Fl %s Ns = Ns Ar ", table->name);
		print_values(table, to);
		fputc('\n', to);
		option_print_mdoc(table->help, to);
		if (table->alias)
			fprintf(to, "\nAlso\n.Fl Fl %s .", table->alias);
		fputs("\nThe default is ", to);
		option_print_mdoc(*table->default_value ? table->default_value : "empty",
				  to);
		fputs(".\n", to);
	}
	if (open)
		fputs(".El\n", to);
}
