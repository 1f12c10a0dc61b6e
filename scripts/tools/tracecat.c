/*
 * tracecat.c: traces as trace.sh counts them: what util/trace.h reads, so that a trace
 * that a replay refuses is refused by the scripts, too. --help has the form of what it
 * prints.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../util/message.h"
#include "../../util/option.h"
#include "../../util/trace.h"
#include "../../util/trace_text.h"

static bool keys, help, is_created;
static const char *out;

static const struct option options[] = {
	{"keys", "0", "1: print only the key of each line.", .flag = &keys},
	{"out", "",
	 "Write the operations to this new trace instead: Twitter's lines, or "
	 "oracleGeneral if its name contains .oracleGeneral.",
	 .text = &out},
	{"help", "0", "This.", .flag = &help},
	{.name = NULL},
};

static const char usage[] =
	"usage: build/tracecat [--keys=1 | --out=FILE] TRACE\n"
	"\n"
	"Prints the operations of a trace, a line each, of columns with commas between\n"
	"them:\n"
	"\n"
	"  time (seconds), key (hexadecimal, so that text sorts as keys do), key size,\n"
	"  value size, client, operation, TTL\n"
	"\n"
	"Exit status: 0 printed, 2 the trace cannot be read, is empty or has an invalid\n"
	"line.\n"
	"\n";

static void print_key(const struct trace_line *line)
{
	static const char digits[] = "0123456789abcdef";
	char text[2 * TRACE_KEY_SIZE] = "";

	for (size_t i = 0; i < line->key_size; i++) {
		text[2 * i] = digits[(unsigned char)line->key[i] >> 4];
		text[2 * i + 1] = digits[(unsigned char)line->key[i] & 15];
	}
	fwrite(text, 2, line->key_size, stdout);
}

static void print_line(const struct trace_line *line)
{
	if (!keys)
		printf("%llu.%09llu,", (unsigned long long)(line->ns / 1000000000),
		       (unsigned long long)(line->ns % 1000000000));
	print_key(line);
	if (!keys)
		printf(",%zu,%llu,%llu,%s,%llu", line->key_size,
		       (unsigned long long)line->value_size,
		       (unsigned long long)line->client,
		       trace_operation_names[line->operation],
		       (unsigned long long)line->ttl);
	putchar('\n');
}

/* Ends the program; a new trace that is not whole is removed. */
static _Noreturn void end_with(const char *error)
{
	if (is_created)
		unlink(out);
	message_fatal(2, "%s", error);
}

/* Closes the trace; says what it leaves out, if it is not of Twitter's lines. */
static void close_trace(struct trace *t)
{
	const char *path = t->path;
	char error[TRACE_ERROR_SIZE], text[TRACE_ERROR_SIZE] = "";

	if (t->is_writer ? t->is_oracle : t->format != &trace_text_twitter)
		trace_summarize(t, text, sizeof text);
	if (!trace_close(t, error))
		end_with(error);
	if (*text)
		message_print("%s: %s", path, text);
}

static void print_trace(const char *path)
{
	char error[TRACE_ERROR_SIZE] = "";
	struct trace_line line;
	struct trace t, to;
	bool is_empty = true;

	if (!trace_open(&t, path, error))
		end_with(error);
	is_created = *out && trace_create(&to, out, error);
	if (*out && !is_created)
		end_with(error);
	for (; trace_read(&t, &line, error); is_empty = false) {
		if (!*out)
			print_line(&line);
		else if (!trace_write(&to, &line, error))
			break;
	}
	if (*error)
		end_with(error);
	close_trace(&t);
	if (is_empty) {
		snprintf(error, sizeof error, "%.400s is empty", path);
		end_with(error);
	}
	if (*out)
		close_trace(&to);
	if (fflush(stdout) || ferror(stdout))
		end_with("standard output: cannot write; free disk space");
}

int main(int argc, char **argv)
{
	int given;

	/* It speaks for the script that runs it. */
	message_set_program("trace.sh");
	given = option_parse_tool(options, &help, usage, true, argc, argv);
	if (given + 1 != argc)
		message_fatal(2, "give one trace; usage: tracecat TRACE; see --help");
	print_trace(argv[given]);
	return 0;
}
