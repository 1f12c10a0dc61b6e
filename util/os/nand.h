/*
 * nand.h: bytes that a drive has written to its flash, by its own count: NVMe's log page
 * C0h of the Open Compute Project, read by the program nvme if it is installed.
 */
#ifndef UTIL_OS_NAND_H
#define UTIL_OS_NAND_H

#include "device.h"

/*
 * Bytes since the drive was made; NaN if the program, the permission or the log is
 * missing.
 */
double nand_written_bytes(const struct device *d);

#endif
