#!/bin/sh
# Guess: overwriting blocks of a file leaves the disk space it takes on btrfs unchanged, as du says:
# the old copies are free once the new ones are written.
#
# Truth: an old extent stays as long as one block of it is in use. A file of 64 MiB that is written
# once and overwritten in blocks of 4 KiB at random takes twice its size. du does not show it.
#
# Version: btrfs of Linux 6.18, btrfs-progs 6.2, loop device
# Seen: MiB by du and used by data: new 64 64, every second block 64 96, random overwrites 64 127
set -eu
for tool in losetup mkfs.btrfs btrfs python3; do
    command -v "$tool" >/dev/null || { echo "btrfs-overwrite-space: needs $tool" >&2; exit 2; }
done
[ "$(id -u)" -eq 0 ] || { echo "btrfs-overwrite-space: needs root, for loop devices" >&2; exit 2; }
dir=$(mktemp -d)
loop=
clean() {
    ! mountpoint -q "$dir/mnt" || umount "$dir/mnt"
    [ -z "$loop" ] || losetup -d "$loop"
    rm -rf "$dir"
}
trap clean EXIT
mkdir "$dir/mnt"
cat >"$dir/overwrite.py" <<'END'
import os, random, sys
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
blocks = 16384
if sys.argv[2] == "new":
    os.write(fd, bytes(blocks * 4096))
elif sys.argv[2] == "half":
    for i in range(0, blocks, 2):
        os.pwrite(fd, b"h" * 4096, i * 4096)
else:
    draw = random.Random(1)
    for i in range(3 * blocks):
        os.pwrite(fd, b"r" * 4096, draw.randrange(blocks) * 4096)
os.fsync(fd)
END
truncate -s 1G "$dir/image"
loop=$(losetup -f --show "$dir/image")
mkfs.btrfs -q "$loop" >"$dir/log" 2>&1
mount "$loop" "$dir/mnt"
mib() { # MiB by du, and used by the data of the file system
    python3 "$dir/overwrite.py" "$dir/mnt/file" "$1"
    btrfs filesystem sync "$dir/mnt" >/dev/null
    du -BM "$dir/mnt/file" | awk '{ printf "%d ", $1 }'
    btrfs filesystem df -b "$dir/mnt" | awk -F 'used=' '/^Data/ { print int($2 / 1048576) }'
}
new=$(mib new)
half=$(mib half)
random=$(mib random)
echo "MiB by du and used by data: new $new, every second block $half, random overwrites $random"
echo "$new $half $random" |
    awk '{ exit !($1 == 64 && $2 == 64 && $3 == 64 && $4 == 96 && $5 == 64 && $6 > 110) }' ||
    { echo "btrfs-overwrite-space: $half and $random MiB, not 64 96 and 64 127" >&2; exit 1; }
