#!/bin/sh
# Guess: --benchmark_write_rate_limit=BYTES limits what a benchmark of db_bench writes, and the
# wait for it is in all latencies, or in none.
#
# Truth: it limits fills, overwrite and updaterandom; mergerandom and deleterandom run as fast as
# they can. The histogram of overwrite leaves out the wait; that of updaterandom has it.
#
# Version: db_bench of RocksDB 7.8.3-2 (Debian 12), rocksdb-tools
# Seen, 10000 records of 116 bytes a second allowed: overwrite 10461/s, its mean latency 5.8 us;
# updaterandom 10436/s, 96 us; mergerandom 136307/s, 7.3 us; deleterandom 237470/s, 4.2 us
set -eu
for tool in apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || { echo "db_bench-write-limit: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p debs/partial
{
    apt-get -q -y --download-only --reinstall -o Dir::Cache::archives="$dir/debs" install \
        rocksdb-tools=7.8.3-2 librocksdb7.8=7.8.3-2 libgflags2.2 && for package in debs/*.deb; do
        dpkg-deb -x "$package" root
    done
} >log 2>&1 || { cat log >&2; exit 2; }
LD_LIBRARY_PATH=$dir/root/usr/lib/$(uname -m)-linux-gnu
export LD_LIBRARY_PATH
limited() { # BENCHMARK: operations a second, and the mean of its latencies, microseconds
    rm -rf db
    "$dir/root/usr/bin/db_bench" --db="$dir/db" --benchmarks="fillseq,$1" --num=20000 \
        --key_size=16 --value_size=100 --merge_operator=put --histogram=1 \
        --benchmark_write_rate_limit=1160000 >out 2>err || { cat out err >&2; exit 2; }
    awk -v name="$1" '$1 == name { rate = $5; on = 1 }
        on && $1 == "Count:" { print rate, $4; exit }' out
}
says=
for benchmark in overwrite updaterandom mergerandom deleterandom; do
    limited "$benchmark" >found
    read -r rate mean <found
    echo "$benchmark $rate/s, mean latency $mean us"
    says="$says$(awk -v rate="$rate" -v mean="$mean" 'BEGIN {
        printf "%s %s, ", (rate < 11000 ? "limited" : "free"),
            (mean > 50 ? "waits" : "does not wait") }')"
done
[ "$says" = 'limited does not wait, limited waits, free does not wait, free does not wait, ' ] && exit
echo "db_bench-write-limit: $says" >&2
exit 1
