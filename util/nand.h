/*
 * nand.h: what a drive has written to its flash, by its own count: NVMe's log page C0h of
 * the Open Compute Project, read by the program nvme where there is one.
 */
#ifndef NAND_H
#define NAND_H

#include "device.h"

/* Bytes since the drive was made; NaN where the program, the right to ask, or the log is
 * missing. */
double nand_written(const struct device *d);

#endif
