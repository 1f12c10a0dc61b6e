#!/bin/sh
# Guess: MVStore.commit() makes the transaction durable: one sync each.
#
# Truth: it writes one chunk and syncs nothing. kill -9 loses nothing, a power cut can lose all;
# MVStore.sync() is the durable call, and commit() does not imply it.
#
# Version: com.h2database:h2-mvstore 2.3.232, OpenJDK 17, Linux 6.18, ext4
# Seen: 200 commits: 200 writes, 0 syncs; sync(): 1 sync
set -eu
for tool in strace mvn java; do
    command -v "$tool" >/dev/null || { echo "mvstore-commit: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mvn -q -B dependency:copy -Dartifact=com.h2database:h2-mvstore:2.3.232 -DoutputDirectory=lib \
    >log 2>&1 || { cat log >&2; exit 2; }
cat >Commit.java <<'END'
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

public class Commit {
    public static void main(String[] args) {
        MVStore store = MVStore.open("store");
        MVMap<Integer, byte[]> map = store.openMap("map");
        store.commit();
        System.err.println("commits begin");
        for (int i = 0; i < 200; i++) {
            map.put(i, new byte[100]);
            store.commit();
        }
        System.err.println("sync begins");
        store.sync();
        System.err.println("end");
        Runtime.getRuntime().halt(0);
    }
}
END
strace -f -o calls -e trace=fsync,fdatasync,msync,sync_file_range,write,pwrite64,openat \
    java -cp lib/h2-mvstore-2.3.232.jar Commit.java 2>/dev/null
counts=$(awk '
    /write\(2, "commits begin/ { part = 1 }
    /write\(2, "sync begins/ { part = 2 }
    /write\(2, "end/ { part = 0 }
    /(fsync|fdatasync|msync|sync_file_range)\(/ { syncs[part]++ }
    /pwrite64\(/ { writes[part]++ }
    END { print writes[1] + 0, syncs[1] + 0, syncs[2] + 0 }' calls)
echo "writes and syncs of 200 commits, syncs of sync(): $counts"
[ "$counts" = "200 0 1" ] || { echo "mvstore-commit: $counts, not 200 0 1" >&2; exit 1; }
