/*
 * fuzz.c: what reads a command line, under libFuzzer (make fuzz). The first byte of an
 * input chooses the reader, the rest is its text. Besides what the sanitizers see, what
 * was taken must be within its bounds, and what was refused must say so.
 */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/host.h"
#include "../util/list.h"
#include "../util/option.h"
#include "../util/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Like assert, but compiled in always. */
static void must(bool so, const char *what, const char *text)
{
	if (so)
		return;
	fprintf(stderr, "fuzz: %s: '%s'\n", what, text);
	abort();
}

static void must_explain(const char *error, const char *text)
{
	must(*error && strlen(error) < OPTION_ERROR, "refused, but not in a sentence",
	     text);
}

/*
 * A number written plainly is that number: no digit is lost, no sign and no blank taken.
 */
static void bytes(char *text)
{
	uint64_t got, digits;
	char again[32];

	if (!option_bytes(text, &got))
		return;
	digits = strspn(text, "0123456789");
	must(digits > 0 && strlen(text) - digits <= 2, "taken as bytes", text);
	if (text[digits])
		return;
	text += strspn(text, "0");
	snprintf(again, sizeof again, "%llu", (unsigned long long)got);
	must(!strcmp(again, *text ? text : "0"), "taken as other bytes", text);
}

static void options(char *text)
{
	static const char *const words[] = {"one", "two", "three", NULL};
	static struct {
		bool flag;
		uint64_t count, size;
		double real;
		const char *text;
		int choice;
	} got;
	static const struct option table[] = {
		{"flag", "0", "", .flag = &got.flag},
		{"count", "5", "", .count = &got.count, .least = 3, .most = 3000000000},
		{"some_size", "1Ki", "", .alias = "size", .size = &got.size},
		{"real", "0.5", "", .real = &got.real, .floor = -2, .ceiling = 2},
		{"text", "", "", .text = &got.text},
		{"choice", "two", "", .choice = &got.choice, .choices = words},
		{0},
	};
	static const struct option *const tables[] = {table, NULL};
	char *argv[66] = {text}, error[OPTION_ERROR] = "", *rest = text,
	     *copy = strdup(text);
	int argc = 1;

	must(copy && option_defaults(table, error), "no memory, or a bad default", error);
	while (argc < 65 && (argv[argc] = strsep(&rest, " ")))
		argc++;
	argv[argc] = NULL;
	if (!option_parse(tables, argc, argv, error))
		must_explain(error, copy);
	must(got.count >= 3 && got.count <= 3000000000 && fabs(got.real) <= 2 &&
		     got.choice >= 0 && got.choice < 3 && got.text,
	     "taken beyond its bounds", copy);
	free(copy);
}

static void sizes(char *text)
{
	struct record_sizes s;
	char error[OPTION_ERROR] = "";
	uint64_t only;

	if (!record_sizes_parse(&s, text, error)) {
		must_explain(error, text);
		return;
	}
	must(strpbrk(text, ",-") ||
		     (option_bytes(text, &only) && only == s.least && only == s.most),
	     "another size", text);
	must(s.least && s.least <= s.most && s.listed <= RECORD_SIZES,
	     "sizes beyond their bounds", text);
	for (uint64_t id = 0; id < 4; id++)
		must(record_size(&s, id, 1) >= s.least &&
			     record_size(&s, id, 1) <= s.most,
		     "a size beyond them", text);
	must(record_sizes_mean(&s) >= (double)s.least &&
		     record_sizes_mean(&s) <= (double)s.most,
	     "a mean beyond them", text);
}

/* Pins this process, so that it is set free again. */
static void processors(char *text)
{
	char error[256] = "";
	cpu_set_t all;

	sched_getaffinity(0, sizeof all, &all);
	if (!host_pin(text, error))
		must_explain(error, text);
	sched_setaffinity(0, sizeof all, &all);
}

static void benchmarks(char *text)
{
	struct list_entry e;
	char error[LIST_ERROR] = "";

	for (const char *rest = text, *from = text; rest; from = rest) {
		if (!list_next(&rest, &e, error)) {
			must_explain(error, text);
			must(rest == from, "refused, but moved on", text);
			return;
		}
		must(e.name == from && e.length <= strlen(from) &&
			     (!rest || (rest > from && rest[-1] == ',')),
		     "misread", text);
		must(e.threads <= LIST_THREADS && e.repeats &&
			     e.repeats <= LIST_REPEATS && e.warm <= LIST_REPEATS,
		     "taken beyond its bounds", text);
	}
}

static void weights(char *text)
{
	static const char *const names[] = {"read", NULL, "rmw", "scan"};
	char error[LIST_ERROR] = "";
	unsigned got[4];
	unsigned long sum = 0;

	if (!list_weights(text, names, 4, 1000, got, error)) {
		must_explain(error, text);
		return;
	}
	for (const char *p = strchr(text, ':'); p; p = strchr(p + 1, ':'))
		sum += strtoul(p + 1, NULL, 10);
	must(sum == got[0] + got[2] + got[3] && sum - 1 < 1000 && !strpbrk(text, " +-"),
	     "other weights", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const readers[])(char *) = {options,    bytes,      sizes,
						  processors, benchmarks, weights};
	char *text;

	if (!size || !(text = malloc(size)))
		return 0;
	/* on the heap, with not a byte too many, for the sanitizer to see */
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	readers[*data % (sizeof readers / sizeof *readers)](text);
	free(text);
	return 0;
}
