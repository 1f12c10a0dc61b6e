/*
 * calls.h: included before a driver whose calls of its engine test/calls.sh has rewritten,
 * from `name(a, b)` to `name SAID("name", a, b)`: each prints its name and arguments, numbers
 * and texts as they are, then is made as before. Arguments are evaluated twice.
 */
#ifndef TEST_CALLS_H
#define TEST_CALLS_H

#include <stdbool.h>

void said_name(const char *name);
void said_number(long long value);
void said_real(double value);
void said_text(const char *value);    /* NULL: 0 */
void said_pointer(const void *value); /* whether there is one */
void said_error(char **error);        /* where the library's message goes */
void said_end(void);
/* Whether --fail has this call of a library; said_failed then takes its place. */
bool said_fails(const char *name);
long said_failed(void);

/* clang-format off */
#define SAID_ONE(x) _Generic((x), \
	char *: said_text, const char *: said_text, float: said_real, double: said_real, \
	bool: said_number, char: said_number, signed char: said_number, \
	unsigned char: said_number, short: said_number, unsigned short: said_number, \
	int: said_number, unsigned: said_number, long: said_number, \
	unsigned long: said_number, long long: said_number, unsigned long long: said_number, \
	char **: said_error, default: said_pointer)(x)
#define SAID_0()
#define SAID_1(x) SAID_ONE(x),
#define SAID_2(x, ...) SAID_ONE(x), SAID_1(__VA_ARGS__)
#define SAID_3(x, ...) SAID_ONE(x), SAID_2(__VA_ARGS__)
#define SAID_4(x, ...) SAID_ONE(x), SAID_3(__VA_ARGS__)
#define SAID_5(x, ...) SAID_ONE(x), SAID_4(__VA_ARGS__)
#define SAID_6(x, ...) SAID_ONE(x), SAID_5(__VA_ARGS__)
#define SAID_7(x, ...) SAID_ONE(x), SAID_6(__VA_ARGS__)
#define SAID_8(x, ...) SAID_ONE(x), SAID_7(__VA_ARGS__)
#define SAID_9(x, ...) SAID_ONE(x), SAID_8(__VA_ARGS__)
#define SAID_COUNT(a, b, c, d, e, f, g, h, i, n, ...) n
#define SAID_COUNTED(...) SAID_COUNT(__VA_ARGS__, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define SAID_PASTED(n) SAID_##n
#define SAID_OF(n) SAID_PASTED(n)
#define SAID_ALL(...) SAID_OF(SAID_COUNTED(__VA_ARGS__))(__VA_ARGS__)
/* The arguments are not pasted themselves, as some have such calls in them. */
#define SAID_FIRST(first, ...) first
#define SAID_REST_1(first)
#define SAID_REST_N(first, ...) , __VA_ARGS__
#define SAID_REST_OF(a, b, c, d, e, f, g, h, i, rest, ...) rest
#define SAID_REST(...) SAID_REST_OF(__VA_ARGS__, SAID_REST_N, SAID_REST_N, SAID_REST_N, \
	SAID_REST_N, SAID_REST_N, SAID_REST_N, SAID_REST_N, SAID_REST_N, SAID_REST_1, 0) \
	(__VA_ARGS__)
#define SAID(name, ...) \
	((said_name(name), SAID_ALL(__VA_ARGS__) said_end(), SAID_FIRST(__VA_ARGS__, 0)) \
	 SAID_REST(__VA_ARGS__))
/* of a call whose first two arguments are a handle and bytes that are no text */
#define SAID_BYTES(name, first, bytes, ...) \
	((said_name(name), said_pointer(bytes), SAID_ALL(__VA_ARGS__) said_end(), first), \
	 bytes, __VA_ARGS__)
/* Under any type: what it is given it does not look at. */
#define REAL(f, name) (said_fails(name) ? (__typeof__(&*(f)))said_failed : (f))
/* of a call without arguments: the whole of it */
#define SAID_NOTHING(call) (said_name(#call), said_end(), call())
/* clang-format on */

#endif
