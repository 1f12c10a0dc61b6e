/*
 * tap.h: what C programs of tests print: TAP, a line a test. A part of each of them, as
 * none has two files of which both run tests.
 */
#ifndef TEST_TAP_H
#define TEST_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static struct {
	int tests, failures;
	bool good; /* so far, in the test that runs */
} tap;

static void tap_expect(bool so, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Within a test: one thing that must be so. Only the first failure is shown. */
static void tap_expect(bool so, const char *format, ...)
{
	va_list args;

	if (so || !tap.good)
		return;
	tap.good = false;
	va_start(args, format);
	printf("# ");
	vprintf(format, args);
	printf("\n");
	va_end(args);
}

/* A test of that name, which passes if all is so that it expects. */
static void tap_run(const char *name, void (*test)(void))
{
	tap.good = true;
	test();
	tap.failures += !tap.good;
	printf("%sok %d - %s\n", tap.good ? "" : "not ", ++tap.tests, name);
	fflush(stdout);
}

/* The plan, which comes last. Answers the exit status. */
static int tap_end(void)
{
	printf("1..%d\n", tap.tests);
	return tap.failures != 0;
}

#endif
