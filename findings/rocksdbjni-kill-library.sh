#!/bin/sh
# Guess: a Java program with RocksDB that is ended by kill -9 leaves the files of its database, and
# no others.
#
# Truth: it leaves a copy of the library in java.io.tmpdir, too, of 16 MiB. Each start unpacks the
# library there under a new name, and only an orderly end, SIGTERM among them, removes it. So a
# series of kills, as of tests of durability, fills /tmp; where that is a tmpfs, it fills memory.
#
# Version: org.rocksdb:rocksdbjni 11.8.1, OpenJDK 17.0.15, Linux 6.18
# Seen: files left, and their MiB: closed 0, 0; SIGTERM 0, 0; halt() 1, 16; three kills 4, 65
set -eu
for tool in mvn java; do
    command -v "$tool" >/dev/null || { echo "rocksdbjni-kill-library: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mvn -q -B dependency:copy -Dartifact=org.rocksdb:rocksdbjni:11.8.1 -DoutputDirectory=lib \
    >log 2>&1 || { cat log >&2; exit 2; }
cat >Use.java <<'END'
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

public class Use {
    public static void main(String[] args) throws Exception {
        RocksDB db = RocksDB.open(new Options().setCreateIfMissing(true), "db");
        db.put("key".getBytes(), "value".getBytes());
        switch (args[0]) {
        case "close" -> db.close();
        case "halt" -> Runtime.getRuntime().halt(0);
        default -> {
            String pid = Long.toString(ProcessHandle.current().pid());
            new ProcessBuilder("kill", "-" + args[0], pid).start().waitFor();
            Thread.sleep(60000);
        }
        }
    }
}
END
mkdir classes unpacked
javac -cp 'lib/*' -d classes Use.java
use() { # HOW: how many files are in java.io.tmpdir afterwards, and their MiB
    java -Djava.io.tmpdir="$dir/unpacked" -cp "$(echo lib/*):classes" Use "$1" >log 2>&1 || true
    find unpacked -type f -printf '%s\n' | awk '{ s += $1 } END { print NR, int(s / 1048576) }'
}
closed=$(use close) terminated=$(use TERM) halted=$(use halt)
use KILL >first
use KILL >second
killed=$(use KILL)
echo "files left, and their MiB: closed $closed, SIGTERM $terminated, halt() $halted," \
    "three kills $killed"
[ "$closed, $terminated, ${halted% *}, ${killed% *}" = '0 0, 0 0, 1, 4' ] &&
    [ "${killed#* }" -ge 40 ] && exit
echo "rocksdbjni-kill-library: not 0 0, 0 0, 1 file and 4 files of at least 40 MiB" >&2
exit 1
