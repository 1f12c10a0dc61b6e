/*
 * peerloop.c: a benchmark loop of the shape that LMDB/dbbench has, to hold ours against.
 *
 * For each operation one 64-bit modulo, one snprintf of the key and, with the histogram
 * on, one gettimeofday; the engine is a function that does nothing. Prints nanoseconds
 * per operation. usage: peerloop OPERATIONS HISTOGRAM(0|1)
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "../util/random.h"

static char answer[100];
static uint64_t buckets[1000];

static __attribute__((noinline)) const char *get(const char *key)
{
	__asm__ volatile("" : : "r"(key) : "memory");
	return answer;
}

static double now_us(void)
{
	struct timeval t;

	gettimeofday(&t, NULL);
	return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000, num = 1000000,
		 touched = 0;
	int histogram = argc > 2 && atoi(argv[2]);
	struct random r = random_seed(1, "peerloop");
	double start = seconds(), last = now_us();

	for (uint64_t i = 0; i < n; i++) {
		char key[32];

		snprintf(key, sizeof key, "%016lx",
			 (unsigned long)(random_next(&r) % num));
		touched += (unsigned char)get(key)[0];
		if (histogram) {
			double now = now_us();
			size_t us = (size_t)(now - last);

			buckets[us < 999 ? us : 999]++;
			last = now;
		}
	}
	printf("%.3f\n", (seconds() - start) * 1e9 / (double)n);
	return touched == 1;
}
