/* aio.c: what engines/aio.c asks the system for; pread and pwrite are in interpose.c. */
#include "interpose.h"

#include <libaio.h>

const bool interpose_system = true;

/*
 * The driver submits one at a time. Where it waits for those in flight is part of the
 * operation before, at the end of a batch, or of the one after: it is left to the time
 * around both.
 */
WRAP((*requests)->aio_lio_opcode == IO_CMD_PREAD ? CALL_READ : CALL_WRITE, int, io_submit,
     (io_context_t context, long n, struct iocb **requests), context, n, requests)
