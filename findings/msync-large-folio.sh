#!/bin/sh
# Guess: msync of one changed 4 KiB page writes 4 KiB to the device.
#
# Truth: if the file is in memory as large folios, as it is once somebody has written it in large
# pieces, one changed byte makes the whole folio dirty. pwrite of 4 KiB into the same folio and
# fdatasync write 4 KiB: the kernel keeps track of the blocks that write() has changed.
#
# Version: ext4 and XFS of Linux 6.18, loop device
# Seen: bytes of a commit by msync, by pwrite: ext4 1048576 4096, XFS 983040 4096
set -eu
for tool in losetup mkfs.xfs mkfs.ext4 python3; do
    command -v "$tool" >/dev/null || { echo "msync-large-folio: needs $tool" >&2; exit 2; }
done
[ "$(id -u)" -eq 0 ] || { echo "msync-large-folio: needs root, for loop devices" >&2; exit 2; }
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
import mmap, os, sys
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
if sys.argv[2] == "load":
    for i in range(16):
        os.write(fd, bytes(1 << 20))
    os.fsync(fd)
file = mmap.mmap(fd, 16 << 20)
for i in range(1, 21):
    page = i * 1237 % 4096
    if sys.argv[2] == "msync":
        file[page * 4096] = i
        file.flush(page * 4096, 4096)
    elif sys.argv[2] == "pwrite":
        os.pwrite(fd, bytes([i]) * 4096, page * 4096)
        os.fdatasync(fd)
END
bytes() { # msync or pwrite: device bytes of each of 20 commits
    stat="/sys/block/${loop##*/}/stat"
    before=$(awk '{ print $7 }' "$stat")
    python3 "$dir/commit.py" "$dir/mnt/file" "$1"
    awk -v before="$before" '{ print int(($7 - before) * 512 / 20) }' "$stat"
}
measure() { # file system, its mkfs options: device bytes of a commit by msync and by pwrite
    truncate -s 400M "$dir/image"
    loop=$(losetup -f --show "$dir/image")
    make=mkfs.$1
    shift
    "$make" -q "$@" "$loop"
    mount "$loop" "$dir/mnt"
    python3 "$dir/commit.py" "$dir/mnt/file" load
    sync
    echo "$(bytes msync) $(bytes pwrite)"
    umount "$dir/mnt"
    losetup -d "$loop"
    loop=
    rm "$dir/image"
}
ext4=$(measure ext4 -E lazy_itable_init=0,lazy_journal_init=0)
xfs=$(measure xfs)
echo "bytes of a commit by msync, by pwrite: ext4 $ext4, XFS $xfs"
echo "$ext4 $xfs" | awk '{ exit !($1 > 65536 && $2 < 65536 && $3 > 65536 && $4 < 65536) }' ||
    { echo "msync-large-folio: ext4 $ext4, XFS $xfs: msync does not write folios" >&2; exit 1; }
