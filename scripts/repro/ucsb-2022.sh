#!/bin/sh
# ucsb-2022.sh: Unum's UCSB, on the engines here; see --help.
set -eu
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/draw.sh"

reproduce unum-2022 'Does what Unum measured in 2022 with UCSB: records of 8 + 1000 bytes, memory for a tenth of
them, one thread, nothing forced, a process for each workload and nothing in memory before it:
bulk load (0), reads (C), batches of reads (X), ranges (E), a scan (Z), reads with updates (A) and
with inserts (D), batches of inserts (Y). C X E A and D are measured for seconds, not for the
billion operations of the article. Beside it: C with the keys that UCSB drew, C with all in memory
and LevelDB short of open files as it was there, and C and E after a load in random order.' "$@"
needs "$(scaled 6 1 4500)" "$(choose 2 1 128)" "$(choose '7 minutes' '15 seconds' 'a week')"
missing unumdb 'closed source, and no longer to be had'
engines=$(present "$(choose wiredtiger,leveldb,rocksdb,lmdb,lmdb+readahead=0 leveldb,lmdb \
	wiredtiger,leveldb,rocksdb,lmdb,lmdb+readahead=0)")
num=$(scaled 700000 10000 1000000000)
duration=$(choose 4 0.1 600)
# A tenth of the records. So few as are for tests would leave no process room to run in.
memory=$(choose "$((num * 1008 / 10))" 0 "$((num * 1008 / 10))")
database=$out/db

# own ENGINE: what the article set for it: integer keys and pages of the default size, Bloom filters of 10 bits
own () {
	case $1 in
	wiredtiger*) echo "--intkey=1 --leaf_page_max=32Ki" ;;
	leveldb* | rocksdb*) echo "--bloom_bits=10" ;;
	esac
}

# measure NAME ENGINE ARGUMENTS...: one workload; of reads that missed a record the row is void
measure () {
	workload=$1 engine=$2
	shift 2
	# shellcheck disable=SC2046 # words, on purpose
	experiment "$workload-$engine" --engines="$engine" --load=none --threads=1 --num="$num" --databases="$database" \
		--key_format=binary --key_size=8 --value_size=1000 --durability=none $(own "$engine") \
		--field "experiment=\"$workload\"" --field 'cores_used=.cpu_percent / 100' \
		--complete true "$@"
}

for engine in $(echo "$engines" | tr , ' ')
do
	database=$out/db
	measure 0 "$engine" --benchmarks=ucsb-0 --memory="$memory"
	for workload in C X E
	do
		measure $workload "$engine" --benchmarks="ucsb-$(echo $workload | tr CXE cxe)" --memory="$memory" --cold=1 --duration="$duration"
	done
	measure Z "$engine" --benchmarks=ucsb-z --memory="$memory" --cold=1
	measure C-ucsb2022 "$engine" --benchmarks=ucsb-c --memory="$memory" --cold=1 --duration="$duration" --zipf=ucsb2022
	# the scan brings all of it into the system's cache
	measure Z-in-memory "$engine" --benchmarks=ucsb-z
	measure C-in-memory "$engine" --benchmarks=ucsb-c --duration="$duration" --warmup="$duration"
	case $engine in
	leveldb)
		# it makes 64 slots for tables of 74
		measure C-in-memory-64-files "$engine" --benchmarks=ucsb-c --duration="$duration" --warmup="$duration" --max_open_files=74 \
			--field 'experiment="C-in-memory"' --field 'label="leveldb+max_open_files=74"'
		;;
	esac
	measure A "$engine" --benchmarks=ucsb-a --memory="$memory" --cold=1 --duration="$duration"
	measure D "$engine" --benchmarks=ucsb-d --memory="$memory" --cold=1 --duration="$duration"
	measure Y "$engine" --benchmarks=ucsb-y --memory="$memory" --cold=1
	case $engine in
	*+*) continue ;;
	esac
	[ -n "$dry" ] || [ -n "$keep" ] || [ ! -e "$out/Y-$engine/done" ] || remove_databases "$database/$engine"
	database=$out/db/permuted
	measure load-permuted "$engine" --benchmarks=filluniquerandom
	measure C-permuted "$engine" --benchmarks=ucsb-c --memory="$memory" --cold=1 --duration="$duration"
	measure E-permuted "$engine" --benchmarks=ucsb-e --memory="$memory" --cold=1 --duration="$duration"
	[ -n "$dry" ] || [ -n "$keep" ] || [ ! -e "$out/E-permuted-$engine/done" ] || remove_databases "$database/$engine"
done

# shellcheck disable=SC2016 # jq's own
draw speed bars 'UCSB 2022: speed of each workload' 'records/s' '
	(["as_published", $published], ["here", $ours]) as [$panel, $rows] |
	$rows[] | select(.experiment | IN("0", "A", "C", "D", "E", "X", "Y", "Z")) | [$panel, .label, .experiment, .entries_per_sec]' \
	1 '0 A C D E X Y Z'
# What the article counts of each workload for a record in the database, at the speeds of each; its own durations are of
# 10 GB, 100 GB and 1 TB together, so of 1,110 million records of 1000 bytes.
# shellcheck disable=SC2016 # jq's own
draw duration bars 'UCSB 2022: how long all workloads take, for each million records' seconds '
	{"0": 1, C: 1, X: 0.0128, E: 0.01, Z: 1, A: 1, D: 1, Y: 0.1} as $work |
	($published[] | select(.experiment == "duration") | ["as_published", .label, "all", .seconds / 1110]),
	($ours | group_by(.label)[] | . as $rows | [$work | keys_unsorted[] as $w |
			[$rows[] | select(.experiment == $w) | .entries_per_sec | select(. > 0)] | select(length > 0) | $work[$w] * 1e6 / .[0]] |
		select(length == 8) | ["here", $rows[0].label, "all", add])' \
	1 'all'
# shellcheck disable=SC2016 # jq's own
draw reads bars 'Workload C in other settings (ours)' reads/s '
	$ours[] | select(.experiment | IN("C", "C-ucsb2022", "C-permuted", "C-in-memory")) | ["reads", .label, .experiment, .entries_per_sec]' \
	1 'C C-ucsb2022 C-permuted C-in-memory'
finish
