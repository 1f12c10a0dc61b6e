/* aio.c: what engines/aio.c asks the system for; pread and pwrite are in interpose.c. */
#include "interpose.h"

#include <libaio.h>

const bool interpose_system = true;

/* The driver submits one at a time, and waits for many. */
WRAP((*requests)->aio_lio_opcode == IO_CMD_PREAD ? CALL_READ : CALL_WRITE, int, io_submit,
     (io_context_t context, long n, struct iocb **requests), context, n, requests)
WRAP(CALL_REST, int, io_getevents,
     (io_context_t context, long least, long most, struct io_event *events, struct timespec *timeout),
     context, least, most, events, timeout)
