/* print_ucsb.c: see print_ucsb.h. */
#include "print_ucsb.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../util/message.h"
#include "../runner/database.h"
#include "../workload/ucsb.h"

/* The text of a file, or of one that has no benchmark yet if there is none. */
static char *read_results(const struct aggregate *a, const char *path)
{
	time_t now = time(NULL);
	FILE *f = fopen(path, "re");
	char *text = NULL, date[40];
	size_t size = 0;
	struct tm t;

	if (f && getdelim(&text, &size, '\0', f) > 0 && ucsb_results_array(text)) {
		fclose(f);
		return text;
	}
	free(text);
	if (f)
		fclose(f);
	text = message_alloc(1, 4096);
	localtime_r(&now, &t);
	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S%z", &t);
	snprintf(text, 4096,
		 "{\n  \"context\": {\n    \"date\": \"%s\",\n"
		 "    \"executable\": \"bench_%s\",\n    \"num_cpus\": %u\n  },\n"
		 "  \"benchmarks\": [\n  ]\n}\n",
		 date, engine.name, a->info->host->cores);
	return text;
}

/* Behind the object that begins at `at`. */
static const char *object_end(const char *at)
{
	int depth = 0;
	bool quoted = false;

	for (; *at; at++) {
		if (quoted && *at == '\\' && at[1])
			at++;
		else if (*at == '"')
			quoted = !quoted;
		else if (!quoted && *at == '{')
			depth++;
		else if (!quoted && *at == '}' && !--depth)
			return at + 1;
	}
	return at;
}

/* Is the object of this workload, with or without what its name has behind a slash? */
static bool is_of_workload(const char *object, const char *end, const char *name)
{
	const char *at = strstr(object, "\"name\"");
	size_t length = strlen(name);

	at = at && at < end ? strchr(at + 6, '"') : NULL;
	return at && !strncmp(at + 1, name, length) &&
	       (at[1 + length] == '/' || at[1 + length] == '"');
}

static void write_result(FILE *to, const struct aggregate *a, const struct result *r)
{
	const struct totals *t = &a->foreground_totals;
	const uint64_t calls = t->ops_by_kind[KIND_READ] + t->ops_by_kind[KIND_WRITE] +
			       t->ops_by_kind[KIND_SCAN];
	/*
	 * There each record of a range counts, an update of two calls is one, and what is
	 * not found is none. Each has the greatest value and no key.
	 */
	const double records = (double)(t->entries - (calls - t->ops)),
		     bytes = records * (double)a->info->database->value_sizes.max;
	const struct {
		const char *name;
		double value;
	} numbers[] = {
		{"iterations", 1},
		{"real_time", r->seconds * 1e6},
		{"cpu_time", (r->usage.user_s + r->usage.sys_s) * 1e6},
		{"bytes_per_second", bytes / r->seconds},
		{"cpu_avg,%", r->cpu_percent},
		{"cpu_max,%", NAN},
		{"disk,bytes", r->db_apparent_kb * 1024},
		{"fails,%", a->is_multiget ? 0 : 100 * r->missing / r->ops},
		{"mem_avg(rss),bytes", NAN},
		{"mem_avg(vm),bytes", NAN},
		{"mem_max(rss),bytes", r->footprint.peak_rss_kb * 1024},
		{"mem_max(vm),bytes", NAN},
		{"operations/s", records / r->seconds},
		{"processed,bytes", bytes},
	};
	const char *name = a->workload->name;

	fprintf(to,
		"    {\n      \"name\": "
		"\"%s/iterations:1/repeats:1/real_time/threads:%u\",\n"
		"      \"run_name\": "
		"\"%s/iterations:1/repeats:1/real_time/threads:%u\",\n"
		"      \"run_type\": \"iteration\",\n      \"threads\": %u,\n"
		"      \"time_unit\": \"us\"",
		name, a->foreground, name, a->foreground, a->foreground);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (isfinite(numbers[i].value))
			fprintf(to, ",\n      \"%s\": %.17g", numbers[i].name,
				numbers[i].value);
		else
			fprintf(to, ",\n      \"%s\": null", numbers[i].name);
	fprintf(to, "\n    }");
}

/* The text with the row in its array. */
static void write_results(FILE *to, const char *text, const struct aggregate *a,
			  const struct result *r)
{
	const char *at = ucsb_results_array(text), *between = "\n";
	bool written = false;

	fprintf(to, "%.*s", (int)(++at - text), text);
	while (*(at += strspn(at, " \t\r\n,")) == '{') {
		const char *end = object_end(at);
		bool ours = is_of_workload(at, end, a->workload->name);

		fputs(between, to);
		if (ours)
			write_result(to, a, r);
		else
			fprintf(to, "    %.*s", (int)(end - at), at);
		written |= ours;
		between = ",\n";
		at = end;
	}
	if (!written) {
		fputs(between, to);
		write_result(to, a, r);
	}
	fprintf(to, "\n  %s", at);
}

void print_ucsb_row(const struct aggregate *a, const struct result *r, const char *path)
{
	char *text = read_results(a, path);
	const char *new = message_keep(a->texts, "%s.new", path);
	FILE *to = fopen(new, "we");

	if (to)
		write_results(to, text, a, r);
	if (!to || fclose(to) || rename(new, path))
		database_note_failure(&a->info->database->failure, path, strerror(errno));
	free(text);
}
