/* option.c: parsing and printing a table of options; see option.h. */
#include "option.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "nearest.h"

#define FAIL_SIZE OPTION_ERROR
#include "fail.h"

static const struct {
	const char *suffix;
	uint64_t factor;
	bool sizes_only;
} units[] = {
	{"", 1, false},
	{"k", 1000, false},
	{"m", 1000000, false},
	{"g", 1000000000, false},
	{"t", 1000000000000, false},
	{"Ki", 1ull << 10, true},
	{"Mi", 1ull << 20, true},
	{"Gi", 1ull << 30, true},
	{"Ti", 1ull << 40, true},
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

bool option_bytes(const char *text, uint64_t *bytes)
{
	return parse_number(text, true, bytes);
}

static bool set_number(const struct option *o, const char *value, char *error)
{
	uint64_t n, most = o->most ? o->most : UINT64_MAX;
	bool size = o->size != NULL;

	if (!parse_number(value, size, &n))
		return fail(error,
			    "--%s: cannot read '%.60s'; give a whole number such as %s",
			    o->name, value, size ? "100, 64k or 1Gi" : "5, 100k or 1m");
	if (n < o->least || n > most)
		return fail(error, "--%s: '%.60s' is outside %llu to %llu", o->name,
			    value, (unsigned long long)o->least,
			    (unsigned long long)most);
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
	if (x < o->floor || (o->ceiling > 0 && x > o->ceiling)) {
		if (o->ceiling > 0)
			return fail(error, "--%s: '%.60s' is outside %g to %g", o->name,
				    value, o->floor, o->ceiling);
		return fail(error, "--%s: '%.60s' is below %g", o->name, value, o->floor);
	}
	*o->real = x;
	return true;
}

/* 0 or 1, or -1 if the text is no truth value. */
static int truth(const char *text)
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
	int on = truth(value);

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

bool option_set(const struct option *o, const char *value, char *error)
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

bool option_defaults(const struct option *table, char *error)
{
	for (; table && table->name; table++)
		if (!option_set(table, table->fallback, error))
			return false;
	return true;
}

static bool same_name(const char *typed, size_t length, const char *name)
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
			if (same_name(typed, length, o->name) ||
			    same_name(typed, length, o->alias))
				return o;
	return NULL;
}

/* What nobody has; the nearest name that somebody has. */
static bool no_such(const struct option *const *tables, const char *typed, size_t length,
		    char *error)
{
	struct nearest near = nearest_begin(typed, length);
	char meant[NEAREST_TEXT];

	for (; *tables; tables++)
		for (const struct option *o = *tables; o->name; o++)
			nearest_offer(&near, o->name);
	return fail(error, "no option '--%.*s'; %s", length > 60 ? 60 : (int)length,
		    typed, nearest_text(&near, "--", "see --help", meant));
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
			return no_such(tables, typed, length, error);
		if (typed[length] == '=')
			value = typed + length + 1;
		else if (o->flag && (i + 1 == argc || truth(argv[i + 1]) < 0))
			value = "1";
		else if (o->bare)
			value = o->bare;
		else if (i + 1 < argc)
			value = argv[++i];
		else
			return fail(error, "--%s: its value is missing", o->name);
		if (!option_set(o, value, error))
			return false;
	}
	return true;
}

int option_value(const struct option *o, char *text, size_t size)
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

static const char *kind(const struct option *o)
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
		fputs(kind(o), to);
	for (int i = 0; o->choice && o->choices[i]; i++)
		fprintf(to, "%s%s", i ? "|" : "", o->choices[i]);
}

void option_help_row(const struct option *o, FILE *to)
{
	fprintf(to, "  --%s=", o->name);
	print_values(o, to);
	fprintf(to, "\n        %s", o->help);
	if (o->alias)
		fprintf(to, " Also --%s.", o->alias);
	fprintf(to, " [%s]\n", *o->fallback ? o->fallback : "empty");
}

void option_help(const struct option *table, FILE *to)
{
	for (; table && table->name; table++) {
		if (table->group)
			fprintf(to, "\n%s\n", table->group);
		option_help_row(table, to);
	}
}

void option_brief(const struct option *table, FILE *to)
{
	char name[32];

	for (; table && table->name; table++) {
		if (!table->brief)
			continue;
		snprintf(name, sizeof name, "%s=%s", table->name, kind(table));
		fprintf(to, "  --%-22s %s\n", name, table->brief);
	}
}

/*
 * mdoc takes a leading '.' or ''' as a request and a backslash as an escape; a sentence
 * begins a line.
 */
void option_mdoc(const char *text, FILE *to)
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

void option_manual(const struct option *table, FILE *to)
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
		option_mdoc(table->help, to);
		if (table->alias)
			fprintf(to, "\nAlso\n.Fl Fl %s .", table->alias);
		fputs("\nThe default is ", to);
		option_mdoc(*table->fallback ? table->fallback : "empty", to);
		fputs(".\n", to);
	}
	if (open)
		fputs(".El\n", to);
}
