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

#include "../util/os/host.h"
#include "../util/list_parser.h"
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
	must(*error && strlen(error) < OPTION_ERROR_SIZE,
	     "refused, but not in a sentence", text);
}

/*
 * A number written plainly is that number: no digit is lost, no sign and no blank taken.
 */
static void fuzz_bytes(char *text)
{
	uint64_t got, digits;
	char again[32];

	if (!option_parse_bytes(text, &got))
		return;
	digits = strspn(text, "0123456789");
	must(digits > 0 && strlen(text) - digits <= 2, "taken as bytes", text);
	if (text[digits])
		return;
	text += strspn(text, "0");
	snprintf(again, sizeof again, "%llu", (unsigned long long)got);
	must(!strcmp(again, *text ? text : "0"), "taken as other bytes", text);
}

static void fuzz_options(char *text)
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
		{"count", "5", "", .count = &got.count, .min = 3, .max = 3000000000},
		{"some_size", "1Ki", "", .alias = "size", .size = &got.size},
		{"real", "0.5", "", .real = &got.real, .real_min = -2, .real_max = 2},
		{"text", "", "", .text = &got.text},
		{"choice", "two", "", .choice = &got.choice, .choices = words},
		{0},
	};
	static const struct option *const tables[] = {table, NULL};
	char *argv[66] = {text}, error[OPTION_ERROR_SIZE] = "", *rest = text,
	     *copy = strdup(text);
	int argc = 1;

	must(copy && option_set_defaults(table, error), "no memory, or a bad default",
	     error);
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

static void fuzz_sizes(char *text)
{
	struct record_sizes s;
	char error[OPTION_ERROR_SIZE] = "";
	uint64_t only;

	if (!record_sizes_parse(&s, text, error)) {
		must_explain(error, text);
		return;
	}
	must(strpbrk(text, ",-*:") ||
		     (option_parse_bytes(text, &only) && only == s.min && only == s.max),
	     "another size", text);
	must(s.min && s.min <= s.max && s.list_count <= RECORD_SIZES_MAX,
	     "sizes beyond their bounds", text);
	for (uint64_t id = 0; id < 4; id++)
		must(record_size(&s, id, 1) >= s.min && record_size(&s, id, 1) <= s.max,
		     "a size beyond them", text);
	must(record_sizes_mean(&s) >= (double)s.min &&
		     record_sizes_mean(&s) <= (double)s.max,
	     "a mean beyond them", text);
	free((void *)s.lengths); /* programs keep it to their end */
}

/* Pins this process, so that it is set free again. */
static void fuzz_cpus(char *text)
{
	char error[256] = "";
	cpu_set_t all;

	sched_getaffinity(0, sizeof all, &all);
	if (!host_pin_cpus(text, error))
		must_explain(error, text);
	sched_setaffinity(0, sizeof all, &all);
}

static void fuzz_benchmarks(char *text)
{
	struct list_parser_entry e;
	char error[LIST_PARSER_ERROR_SIZE] = "";

	for (const char *rest = text, *from = text; rest; from = rest) {
		if (!list_parser_next(&rest, &e, error)) {
			must_explain(error, text);
			must(rest == from, "refused, but moved on", text);
			return;
		}
		must(e.name == from && e.length <= strlen(from) &&
			     (!rest || (rest > from && rest[-1] == ',')),
		     "misread", text);
		must(e.threads <= LIST_PARSER_MAX_THREADS && e.iterations &&
			     e.iterations <= LIST_PARSER_MAX_ITERATIONS &&
			     e.warmups <= LIST_PARSER_MAX_ITERATIONS,
		     "taken beyond its bounds", text);
	}
}

static void fuzz_weights(char *text)
{
	static const char *const names[] = {"read", NULL, "rmw", "scan"};
	char error[LIST_PARSER_ERROR_SIZE] = "";
	unsigned got[4];
	unsigned long sum = 0;

	if (!list_parser_weights(text, names, 4, 1000, got, error)) {
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
	static void (*const readers[])(char *) = {fuzz_options,    fuzz_bytes,
						  fuzz_sizes,      fuzz_cpus,
						  fuzz_benchmarks, fuzz_weights};
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
