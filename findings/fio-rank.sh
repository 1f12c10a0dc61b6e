#!/bin/sh
# Guess: p99.9 of 1000 I/Os is the 999th by latency: one I/O in a thousand took longer.
#
# Truth: it is the 1000th, the maximum. 99.9 has no exact binary value, so that the rank comes out
# above 999 and is rounded up. p99 and p50, of the same run, are the 990th and the 500th.
#
# Version: fio 3.33-3 (Debian 12)
# Seen, ns: p99.9 7503872; the log's two longest 4001954 and 7496756 (a bucket is 1.6 % wide)
set -eu
for tool in jq apt-get; do
    command -v "$tool" >/dev/null || { echo "fio-rank: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p debs/partial
{
    apt-get -q -y --download-only --reinstall -o Dir::Cache::archives="$dir/debs" install \
        fio=3.33-3 && for package in debs/*.deb; do
        dpkg-deb -x "$package" root
    done
} >log 2>&1 || { cat log >&2; exit 2; }
LD_LIBRARY_PATH=$dir/root/usr/lib/$(uname -m)-linux-gnu
PATH=$dir/root/usr/bin:$PATH
export LD_LIBRARY_PATH PATH
# Until the two longest I/Os are far enough apart to tell which of them is meant.
for try in 1 2 3 4 5 6 7 8 9 10; do
    rm -f log_clat.1.log
    fio --name=x --filename=file --rw=randread --bs=4k --size=16M --number_ios=1000 \
        --ioengine=sync --percentile_list=50:99:99.9 --write_lat_log=log --output-format=json \
        --output=out
    sort -t , -k 2,2n log_clat.1.log | cut -d , -f 2 >sorted
    [ "$(wc -l <sorted)" -eq 1000 ] || { echo "fio-rank: not 1000 I/Os logged" >&2; exit 1; }
    [ "$(($(sed -n 1000p sorted) * 10))" -lt "$(($(sed -n 999p sorted) * 11))" ] || break
done
percentile() { jq ".jobs[0].read.clat_ns.percentile.\"$1\"" out; }
echo "try $try: p99.9 $(percentile 99.900000); the two longest:" "$(tail -n 2 sorted | paste -s -)"
is() { # PERCENTILE RANK: within a bucket of the I/O of that rank
    awk -v got="$(percentile "$1")" -v want="$(sed -n "$2p" sorted)" \
        'BEGIN { exit !(got > want * 0.97 && got < want * 1.03) }'
}
if ! { is 99.900000 1000 && is 99.000000 990 && is 50.000000 500; }; then
    echo "fio-rank: other ranks" >&2
    exit 1
fi
