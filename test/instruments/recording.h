/*
 * recording.h: what an instrument writes when its process ends, and
 * build/instruments/read_recording reads.
 *
 * struct recording, its marks, then for each thread a struct thread_head and its calls.
 * Times are nanoseconds of CLOCK_MONOTONIC_RAW.
 */
#ifndef TEST_INSTRUMENTS_RECORDING_H
#define TEST_INSTRUMENTS_RECORDING_H

#include <stdint.h>

#define RECORDING_MAGIC UINT64_C(0x3174736e69797361)

/* Calls that sync data, as the C library was asked for them. */
struct sync_calls {
	uint64_t fsyncs, fdatasyncs, msyncs, sync_file_ranges, syncs;
};

/* /proc/self/io and the device's statistics, read at one moment. */
struct kernel_counters {
	uint64_t written_bytes; /* bytes that the write calls which we stand before were
			    given and took */
	uint64_t rchar, wchar, read_bytes, write_bytes;
	uint64_t device_reads, device_read_bytes, device_writes, device_write_bytes,
		device_flushes;
};

/*
 * A moment at which the program reads the kernel's counters. What it read of a file is
 * between what we read just before it opened the file and just after it closed it.
 */
struct counter_reading {
	uint64_t ticks;
	uint64_t begins_run; /* 1: here the figures begin; they end at the next mark */
	uint64_t waiting;    /* when it first waited after that, or 0 */
	uint64_t process_ns; /* CPU time */
	struct sync_calls syncs;
	struct kernel_counters before, after;
};

struct recording {
	uint64_t magic, marks, threads;
};

struct thread_head {
	uint64_t tid, calls;
};

/* Length in ns times 16, plus enum call_kind. */
struct timed_call {
	uint64_t start, length_kind;
};

#endif
