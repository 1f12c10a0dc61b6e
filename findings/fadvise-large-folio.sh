#!/bin/sh
# Guess: posix_fadvise(POSIX_FADV_DONTNEED) of a clean 4 KiB page drops that page from memory.
#
# Truth: on ext4 and XFS it drops nothing if the page is part of a larger folio, and returns 0. Only
# folios that the range covers wholly go. btrfs, which has small folios here, drops the page.
#
# Version: ext4, XFS and btrfs of Linux 6.18, util-linux 2.38
# Seen: pages of 4096 in memory after 100 pages were dropped one by one: ext4 4096, XFS 4096,
# btrfs 3996
set -eu
for tool in losetup mkfs.ext4 mkfs.xfs mkfs.btrfs fincore python3; do
    command -v "$tool" >/dev/null || { echo "fadvise-large-folio: needs $tool" >&2; exit 2; }
done
[ "$(id -u)" -eq 0 ] || { echo "fadvise-large-folio: needs root, for loop devices" >&2; exit 2; }
dir=$(mktemp -d)
loop=
clean() {
    ! mountpoint -q "$dir/mnt" || umount "$dir/mnt"
    [ -z "$loop" ] || losetup -d "$loop"
    rm -rf "$dir"
}
trap clean EXIT
mkdir "$dir/mnt"
cat >"$dir/drop.py" <<'END'
import os, sys
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
for i in range(16):
    os.write(fd, bytes(1 << 20))
os.fsync(fd)
for i in range(100):
    os.posix_fadvise(fd, i * 40 * 4096, 4096, os.POSIX_FADV_DONTNEED)
END
pages() { # file system: pages of the file in memory
    truncate -s 1G "$dir/image"
    loop=$(losetup -f --show "$dir/image")
    "mkfs.$1" -q "$loop" >"$dir/log" 2>&1
    mount "$loop" "$dir/mnt"
    python3 "$dir/drop.py" "$dir/mnt/file"
    fincore -nb -o PAGES "$dir/mnt/file" | tr -d ' '
    umount "$dir/mnt"
    losetup -d "$loop"
    loop=
    rm "$dir/image"
}
ext4=$(pages ext4)
xfs=$(pages xfs)
btrfs=$(pages btrfs)
echo "pages of 4096 after 100 were dropped one by one: ext4 $ext4, XFS $xfs, btrfs $btrfs"
[ "$ext4 $xfs $btrfs" = "4096 4096 3996" ] ||
    { echo "fadvise-large-folio: $ext4, $xfs, $btrfs, not 4096, 4096, 3996" >&2; exit 1; }
