#!/bin/sh
# Guess: MADV_HUGEPAGE does nothing to the map of an ordinary file on a kernel without
# CONFIG_READ_ONLY_THP_FOR_FS. With MADV_RANDOM beside it, as engines set it for random reads, a
# page fault reads 4 KiB.
#
# Truth: on ext4 and XFS a fault then reads 2 MiB, and 4 MiB without MADV_RANDOM. The file's pages
# are mapped as huge ones, which resident memory counts. In which order the two are set is all the
# same. MADV_RANDOM alone reads 4 KiB.
#
# Version: Linux 6.18, ext4, transparent_hugepage/enabled "madvise"
# Seen: read, resident KiB of one fault of 8: MADV_RANDOM 4 4, with MADV_HUGEPAGE 2048 2048,
# MADV_HUGEPAGE alone 4096 2048
set -eu
for tool in cc findmnt; do
    command -v "$tool" >/dev/null || { echo "madvise-huge-random: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
case $(findmnt -n -o FSTYPE -T .) in
ext4 | xfs) ;;
*) echo "madvise-huge-random: needs a TMPDIR on ext4 or XFS" >&2; exit 2 ;;
esac
cat >fault.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MIB = 1 << 20, SIZE = 128 * MIB, PAGE = 4096, FAULTS = 8 };

/* of the file, KiB of the process */
static long resident(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    long kb = 0;

    while (fgets(line, sizeof line, status))
        sscanf(line, "RssFile: %ld", &kb);
    fclose(status);
    return kb;
}

int main(int argc, char **argv)
{
    static unsigned char cached[SIZE / PAGE];
    long before, read = 0;
    volatile char sum = 0;
    int fd = open("data", O_RDONLY);
    char *map;

    if (fd < 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
        return 2;
    map = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
    for (int i = 1; i < argc; i++)
        if (madvise(map, SIZE, strcmp(argv[i], "huge") ? MADV_RANDOM : MADV_HUGEPAGE))
            return 2;
    resident(); /* pages of the C library that this needs */
    before = resident();
    for (int i = 0; i < FAULTS; i++)
        sum += map[(i * 16 + 5) * MIB + 12345];
    before = resident() - before;
    mincore(map, SIZE, cached);
    for (int i = 0; i < SIZE / PAGE; i++)
        read += cached[i] & 1;
    printf("%ld %ld\n", read * (PAGE / 1024) / FAULTS, before / FAULTS);
    return 0;
}
END
cc -O1 -o fault fault.c
dd if=/dev/zero of=data bs=1M count=128 conv=fsync status=none
random=$(./fault random)
both=$(./fault random huge)
turned=$(./fault huge random)
huge=$(./fault huge)
echo "read, resident KiB of a fault: MADV_RANDOM $random, with MADV_HUGEPAGE $both," \
    "in the other order $turned, MADV_HUGEPAGE alone $huge"
echo "$random $both $turned $huge" |
    awk '{ exit !($1 == 4 && $3 >= 2048 && $5 >= 2048 && $7 >= 2048 && $8 >= 2048) }' ||
    { echo "madvise-huge-random: the reads of faults have changed" >&2; exit 1; }
