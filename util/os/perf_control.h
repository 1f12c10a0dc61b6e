/*
 * perf_control.h: switches a profiler on and off by the commands of perf's control FIFO
 * ("enable" and "disable" of perf record --control=fifo:CONTROL,ACK).
 */
#ifndef UTIL_OS_PERF_CONTROL_H
#define UTIL_OS_PERF_CONTROL_H

#include <stdbool.h>

enum { PERF_CONTROL_ERROR_SIZE = 512 };

struct perf_control {
	int control_fd, ack_fd; /* ack_fd is -1 if there is no FIFO of acknowledgements */
};

/*
 * Opens "CONTROL" or "CONTROL,ACK". Returns false with a sentence if one is no FIFO, or
 * no process reads CONTROL.
 */
bool perf_control_open(struct perf_control *p, const char *fifos, char *error);

/*
 * Sends a command and waits for its acknowledgement. Returns false with a sentence if
 * none arrives within ten seconds.
 */
bool perf_control_send(const struct perf_control *p, const char *command, char *error);

#endif
