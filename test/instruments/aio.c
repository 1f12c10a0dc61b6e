/* aio.c: what engines/aio.c asks the system for; pread and pwrite are in interpose.c. */
#include "interpose.h"

#include <libaio.h>

const bool interpose_system = true;

WRAP(CALL_PART, int, io_submit, (io_context_t context, long n, struct iocb **requests), context, n, requests)
WRAP(CALL_PART, int, io_getevents,
     (io_context_t context, long least, long most, struct io_event *events, struct timespec *timeout),
     context, least, most, events, timeout)
