#!/bin/sh
# Guess: mincore, and tools on it such as vmtouch and fincore, tell how much of a file is in the
# page cache to whoever can read the file.
#
# Truth: of a file that one may read but neither owns nor may write to, mincore says that all of it
# is resident, whatever is. cachestat refuses to answer (EPERM).
#
# Version: Linux 6.18
# Seen: resident of 4096 pages by mincore, by cachestat: owner 0 0, other user 4096 EPERM
set -eu
for tool in cc setpriv; do
    command -v "$tool" >/dev/null || { echo "mincore-other-user: needs $tool" >&2; exit 2; }
done
[ "$(id -u)" -eq 0 ] || { echo "mincore-other-user: needs root, for another user" >&2; exit 2; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
chmod 755 .
cat >resident.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 4096, PAGE = 4096, CACHESTAT = 451 };

int main(void)
{
    static unsigned char in[PAGES];
    unsigned long long range[2] = {0}, found[5];
    int resident = 0, fd = open("file", O_RDONLY);
    void *map = mmap(NULL, PAGES * PAGE, PROT_READ, MAP_SHARED, fd, 0);

    if (fd < 0 || mincore(map, PAGES * PAGE, in))
        return 2;
    for (int i = 0; i < PAGES; i++)
        resident += in[i] & 1;
    printf("%d ", resident);
    if (!syscall(CACHESTAT, fd, range, found, 0))
        printf("%llu\n", found[0]);
    else
        puts(strerrorname_np(errno));
    return 0;
}
END
cc -O1 -o resident resident.c
dd if=/dev/zero of=file bs=1M count=16 conv=fsync status=none
chmod 644 file
dd if=file iflag=nocache count=0 status=none
owner=$(./resident)
other=$(setpriv --reuid=65534 --regid=65534 --clear-groups ./resident)
echo "resident of 4096 pages by mincore, by cachestat: owner $owner, other user $other"
[ "$owner $other" = '0 0 4096 EPERM' ] && exit
echo "mincore-other-user: $owner $other, not 0 0 4096 EPERM" >&2
exit 1
