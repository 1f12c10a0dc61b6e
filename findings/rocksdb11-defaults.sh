#!/bin/sh
# Guess: the defaults of RocksDB's files change with the years, not within a major version. A new
# database is compressed by Snappy, in format_version 6.
#
# Truth: that was 10.2.1. A database that 11.8.1 makes with default options is compressed by LZ4, in
# format_version 7. Sizes and rates of the two versions at their defaults compare two compressors.
# Level sizes are dynamic in both.
#
# Version: org.rocksdb:rocksdbjni 10.2.1 and 11.8.1, OpenJDK 17.0.15, Linux 6.18
# Seen: 10.2.1 kSnappyCompression 6 true, 11.8.1 kLZ4Compression 7 true
set -eu
for tool in mvn java; do
    command -v "$tool" >/dev/null || { echo "rocksdb11-defaults: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >Make.java <<'END'
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

public class Make {
    public static void main(String[] args) throws Exception {
        RocksDB.open(new Options().setCreateIfMissing(true), args[0]).close();
    }
}
END
defaults() { # VERSION: compression, format_version and dynamic level sizes of its OPTIONS file
    artifact=org.rocksdb:rocksdbjni:$1
    mvn -q -B dependency:copy -Dartifact="$artifact" -DoutputDirectory=lib >log 2>&1 ||
        { cat log >&2; exit 2; }
    java -cp "lib/rocksdbjni-$1.jar" Make.java "db-$1" >log 2>&1 || { cat log >&2; exit 2; }
    awk -F = '{ sub(/^ */, "", $1); found[$1] = $2 } END {
        print found["compression"], found["format_version"],
            found["level_compaction_dynamic_level_bytes"] }' "db-$1"/OPTIONS-*
}
old=$(defaults 10.2.1)
new=$(defaults 11.8.1)
echo "10.2.1 $old, 11.8.1 $new"
[ "$old, $new" = 'kSnappyCompression 6 true, kLZ4Compression 7 true' ] && exit
echo "rocksdb11-defaults: not kSnappyCompression 6 true, kLZ4Compression 7 true" >&2
exit 1
