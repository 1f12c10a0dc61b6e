#!/bin/sh
# voron-2013.sh: Ayende Rahien's measurements of Voron, on the engines here; see --help.
set -eu
. "$(dirname "$0")/repro-common.sh"

builds leveldb=leveldb-1.23 rocksdb=rocksdb-7.8.3
reproduce voron-2013 \
	"Repeats the benchmark of Voron that Ayende Rahien published in July 2013, with the engines that
are built here. A million records (keys of 16 bytes, values of 100) are written in one transaction
at each durability. Then 1 to 16 threads read them, from an empty and from a warm page cache, by
the published program's partitioning, in which a bug made threads read the wrong keys. Further
runs have one transaction per record, and the correct partitioning. The number of records is the
publication's; --scale=full has more engines and repetitions." "$@"
takes 6 2 '20 minutes'
missing voron 'a library for .NET of RavenDB, without an interface for C'
engines=$(present "$(choose lmdb,leveldb,rocksdb,wiredtiger lmdb,leveldb lmdb,leveldb,rocksdb,wiredtiger,bdb,sqlite)")
num=$(scaled 1000000 20000 1000000)
parts=$(choose 1,2,4,8,16 1,2,4 1,2,4,8,16)
repeat=$rounds

# measure NAME ARGUMENTS...: with what all have
measure () {
	experiment "$@" --engines="$engines" --key_size=16 --value_size=100 --reopen=1 \
		--cache_size=1Gi \
		--field 'whole_ops_per_sec=.ops / (.open_seconds + .seconds + .close_seconds)'
}

# fill BENCHMARK DURABILITY: a fill, and a scan of what it left
fill () {
	measure "fill-$2" --load=none --benchmarks="$1,scan" --num="$num" --threads=1 \
		--repeat="$repeat" \
		--field 'experiment="fill"' --field "durability=\"$2\""
}

# check: a fill that left fewer records than it wrote is invalid; the rows of scans are
# not the publication's
check () {
	[ -z "$dry" ] || return 0
	[ -s "$out/rows.json" ] || return 0
	jq -cs '([.[] | select(.experiment == "fill" and .benchmark == "scan")] | group_by([.label, .durability]) |
			map({key: "\(.[0].label) \(.[0].durability)", value: (map(.entries) | min)}) | from_entries) as $left |
		.[] | select(.benchmark != "scan") | $left["\(.label) \(.durability)"] as $there |
		if .experiment == "fill" and .valid == 1 and $there != null and $there < .num then .valid = 0 |
			.invalid_reason = "\(.num - $there) records were missing afterwards" else . end' \
		"$out/rows.json" >"$out/rows.new"
	mv "$out/rows.new" "$out/rows.json"
}

# reads NAME THREADS ARGUMENTS...: of $of_these records; of the rows those of reads, a
# transaction for each part as in its program; one that found no record is invalid. What
# is warm was loaded, scanned and read just before, as there, with no run of another
# engine and no cold one between.
reads () {
	reading=$1 cold="--load=fillseqbatch --benchmarks=voron-read --threads=$2 --cold=1"
	warm="--load=none --cold=0 --benchmarks=fillseqbatch@1,scan@1"
	for parts_read in $(echo "$2" | tr , ' ')
	do
		warm=$warm,voron-read@$parts_read
	done
	shift 2
	for how in "0 $cold" "1 $warm"
	do
		# shellcheck disable=SC2086 # words, on purpose
		measure "$reading-${how%% *}" ${how#* } --num="$of_these" --txn_reads="$of_these" \
			--repeat="$repeat" "$@" \
			--field 'benchmark=(select(.benchmark == "voron-read") | .benchmark)' \
			--complete true --field "experiment=\"$reading\"" \
			--field "warm=${how%% *}"
	done
}

fill voron-fill-none none
fill voron-fill-buffers async
fill voron-fill-sync sync
check
# LMDB, in the place of Voron, with so many that a row takes five seconds: a fill or a
# reading of a third of a second says little
long=$(wanted lmdb)
many=$((num * $(choose 40 2 40)))
if [ -n "$long" ] && have lmdb
then
	for durability in none:none buffers:async sync:sync
	do
		experiment "fill-long-${durability%:*}" --engines=lmdb --load=none \
			--benchmarks="voron-fill-${durability%:*}" --threads=1 \
			--num="$many" --repeat="$repeat" --key_size=16 \
			--value_size=100 --reopen=1 \
			--field 'whole_ops_per_sec=.ops / (.open_seconds + .seconds + .close_seconds)' \
			--field 'experiment="fill-long"' \
			--field "durability=\"${durability#*:}\""
	done
fi
measure fill-single --repeat="$repeat" --load=none --benchmarks=fillseq --threads=1 \
	--durability=none,async,sync \
	--num="$(scaled 3000 100 10000)"
of_these=$num
reads read 1
reads parallel "$parts" --voron_partitioning=voron2013 --field 'parts=.threads'
reads parallel-default "$parts" --voron_partitioning=default --field 'parts=.threads'
if [ -n "$long" ] && have lmdb
then
	of_these=$many engines=$long
	reads read-long 1
	reads parallel-long "$parts" --voron_partitioning=voron2013 --field 'parts=.threads'
fi

finish
