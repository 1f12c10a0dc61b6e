#!/bin/sh
# Guess: write_bytes of /proc/PID/io, which iotop and pidstat show, is what a process makes the
# device write: pwrite of 4 KiB adds 4 KiB, more only if neighbouring blocks have to be read.
#
# Truth: it adds the size of the folio that the block lies in, 1 MiB in a file just written in large
# pieces on ext4 or XFS, though the device writes 4 KiB (msync-large-folio.sh). With O_DIRECT it
# adds 4 KiB.
#
# Version: Linux 6.18, ext4
# Seen: write_bytes of pwrite of 4096 bytes and fdatasync: 1048576, with O_DIRECT 4096
set -eu
for tool in python3 findmnt; do
    command -v "$tool" >/dev/null || { echo "io-write-bytes: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
case $(findmnt -n -o FSTYPE -T .) in
ext4 | xfs) ;;
*) echo "io-write-bytes: needs a TMPDIR on ext4 or XFS" >&2; exit 2 ;;
esac
cat >write.py <<'END'
import mmap, os, sys
def counted():
    with open("/proc/self/io") as io:
        return next(int(line.split()[1]) for line in io if line.startswith("write_bytes"))
fd = os.open("file", os.O_RDWR | os.O_CREAT)
for i in range(16):
    os.write(fd, bytes(1 << 20))
os.fsync(fd)
if sys.argv[1] == "direct":
    fd = os.open("file", os.O_RDWR | os.O_DIRECT)
block = mmap.mmap(-1, 4096)
before = counted()
for i in range(1, 21):
    os.pwrite(fd, block, i * 1237 % 4096 * 4096)
    os.fdatasync(fd)
print((counted() - before) // 20)
END
cached=$(python3 write.py cached)
direct=$(python3 write.py direct)
echo "write_bytes of pwrite of 4096 bytes and fdatasync: $cached, with O_DIRECT $direct"
[ "$cached" -ge 65536 ] && [ "$direct" -eq 4096 ] && exit
echo "io-write-bytes: $cached $direct" >&2
exit 1
