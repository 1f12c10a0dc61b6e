#!/bin/sh
# Guess: appending 4 KiB and calling fdatasync costs about the same device bytes on ext4 and XFS:
# the block, and a small journal entry for the new size.
#
# Truth: ext4 journals whole blocks (bitmap, inode table, group descriptor and more) and writes
# 24 KiB for each commit, XFS logs the changed bytes and writes 5 KiB. Both flush twice.
#
# Version: ext4 and XFS of Linux 6.18, e2fsprogs 1.47, xfsprogs 6.1, loop device
# Seen: bytes and flushes of a commit: ext4 24474 2, XFS 5164 2
set -eu
for tool in losetup mkfs.xfs mkfs.ext4 python3; do
    command -v "$tool" >/dev/null || { echo "append-ext4-xfs: needs $tool" >&2; exit 2; }
done
[ "$(id -u)" -eq 0 ] || { echo "append-ext4-xfs: needs root, for loop devices" >&2; exit 2; }
dir=$(mktemp -d)
loop=
clean() {
    ! mountpoint -q "$dir/mnt" || umount "$dir/mnt"
    [ -z "$loop" ] || losetup -d "$loop"
    rm -rf "$dir"
}
trap clean EXIT
mkdir "$dir/mnt"
cat >"$dir/commit.py" <<'END'
import os, sys
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT | os.O_APPEND)
for i in range(int(sys.argv[2])):
    os.write(fd, b"x" * 4096)
    os.fdatasync(fd)
END
device() { # sectors written and flushes since boot
    awk '{ print $7, $16 }' "/sys/block/${loop##*/}/stat"
}
measure() { # file system and its mkfs options: bytes and flushes of each of 200 commits
    truncate -s 1G "$dir/image"
    loop=$(losetup -f --show "$dir/image")
    make=mkfs.$1
    shift
    "$make" -q "$@" "$loop"
    mount "$loop" "$dir/mnt"
    python3 "$dir/commit.py" "$dir/mnt/file" 1
    sync
    before=$(device)
    python3 "$dir/commit.py" "$dir/mnt/file" 200
    echo "$before $(device)" | awk '{ print int(($3 - $1) * 512 / 200), int(($4 - $2) / 200) }'
    umount "$dir/mnt"
    losetup -d "$loop"
    loop=
    rm "$dir/image"
}
ext4=$(measure ext4 -E lazy_itable_init=0,lazy_journal_init=0)
xfs=$(measure xfs)
echo "bytes and flushes of a commit: ext4 $ext4, XFS $xfs"
echo "$ext4 $xfs" | awk '{ exit !($1 > 3 * $3 && $3 < 8000 && $2 == 2 && $4 == 2) }' ||
    { echo "append-ext4-xfs: ext4 $ext4 is not above three times XFS $xfs" >&2; exit 1; }
