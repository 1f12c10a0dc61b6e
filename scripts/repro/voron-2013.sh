#!/bin/sh
# voron-2013.sh: Ayende Rahien's measurements of Voron, on the engines here; see --help.
set -eu
. "$(dirname "$0")/repro-common.sh"

repro_builds leveldb=leveldb-1.23 rocksdb=rocksdb-11.8.1
reproduce voron-2013 "\
Repeats the benchmark of Voron that Ayende Rahien published in July 2013, with Voron (in C#) and,
to compare, other engines that are built here. A million records (keys of 16 bytes, values of 100)
are written in one transaction at each durability. Then 1 to 16 threads read them, from an empty
and from a warm page cache, by the published program's partitioning, in which a bug made threads
read the wrong keys. Further runs have one transaction per record, and the correct partitioning.
The number of records is the publication's; a row is several runs, so that it lasts a second.
--scale=full has more engines." "$@"
repro_takes "$(repro_choose 4 1)" "$(repro_choose 4 1)" 'an hour'
engines=$(repro_present "$(repro_choose voron,lmdb,leveldb,rocksdb,wiredtiger \
	voron,lmdb,leveldb voron,lmdb,leveldb,rocksdb,wiredtiger,bdb,sqlite)")
num=$(repro_scaled 1000000 20000)
parts=$(repro_choose 1,2,4,8,16 1,2,4)

# voron_runs_a_row TEST ENGINE: how many runs of a million records are one row: as many as take
# a second
voron_runs_a_row () {
	case $scale/$1/$2 in
	small/*) echo 2 ;;
	*/lmdb* | */fill/rocksdb*) echo 12 ;;
	*/fill/leveldb* | */fill/voron*) echo 2 ;;
	*/voron*) echo 10 ;;
	*/rocksdb*) echo 1 ;;
	*) echo 4 ;;
	esac
}

# voron_measure NAME ARGUMENTS...: with what all have, $subject, as many runs a row as $often
voron_measure () {
	test=$1
	shift
	experiment "$test-$subject" "$@" --engines="$subject" --times "$often" --key_size=16 \
		--value_size=100 --reopen=1 --cache_size=1Gi \
		--field 'whole_ops_per_sec=.ops / (.open_seconds + .seconds + .close_seconds)'
}

# voron_fill BENCHMARK DURABILITY: a fill, and a scan of what it left
voron_fill () {
	often=$(voron_runs_a_row fill "$subject")
	voron_measure "fill-$2" --load=none --benchmarks="$1,scan" --num="$num" --threads=1 \
		--field 'experiment="fill"' --field "durability=\"$2\""
}

# voron_check: a fill that left fewer records than it wrote is invalid; the rows of scans are
# not the publication's
voron_check () {
	[ -z "$dry" ] || return 0
	[ -s "$out/rows.json" ] || return 0
	jq -cs '([.[] | select(.experiment == "fill" and .benchmark == "scan")] |
			group_by([.label, .durability]) |
			map({key: "\(.[0].label) \(.[0].durability)",
				value: (map(.entries / (.repeats // 1)) | min)}) |
			from_entries) as $left |
		.[] | select(.benchmark != "scan") | $left["\(.label) \(.durability)"] as $there |
		if .experiment == "fill" and .valid == 1 and $there != null and $there < .num
		then .valid = 0 |
			.invalid_reason = "\(.num - $there) records were missing afterwards"
		else . end' "$out/rows.json" >"$out/rows.new"
	mv "$out/rows.new" "$out/rows.json"
}

# voron_reads NAME THREADS ARGUMENTS...: of the rows those of reads, a transaction for each part as
# in its program; one that found no record is invalid. What is warm was loaded, scanned and read
# just before, as there, with no run of another engine and no cold one between.
voron_reads () {
	reading=$1 cold="--load=fillseqbatch --benchmarks=voron-read --threads=$2 --cold=1"
	warm="--load=none --cold=0 --benchmarks=fillseqbatch@1,scan@1"
	for parts_read in $(each "$2")
	do
		warm=$warm,voron-read@$parts_read
	done
	shift 2
	for how in "0 $cold" "1 $warm"
	do
		# shellcheck disable=SC2086
		voron_measure "$reading-${how%% *}" ${how#* } --num="$num" --txn_reads="$num" "$@" \
			--only voron-read --complete true --field "experiment=\"$reading\"" \
			--field "warm=${how%% *}"
	done
}

# voron_single DURABILITY NUM: a transaction for each record
voron_single () {
	often=1
	voron_measure "fill-single-$1" --load=none --benchmarks=fillseq --threads=1 \
		--durability="$1" --num="$2" --field 'experiment="fill-single"'
}

while another_round
do
	for subject in $(each "$engines")
	do
		voron_fill voron-fill-none none
		voron_fill voron-fill-buffers async
		voron_fill voron-fill-sync sync
		# ours, of any number: so many that they take seconds
		singles=3000000
		case $subject in
		voron*) singles=50000 ;;
		esac
		for durability in none async
		do
			voron_single "$durability" "$(repro_scaled "$singles" 100)"
		done
		voron_single sync "$(repro_scaled 20000 100)"
		often=$(voron_runs_a_row read "$subject")
		voron_reads read 1
		voron_reads parallel "$parts" --voron_partitioning=voron2013 \
			--field 'parts=.threads'
		# ours, below full scale of Voron and of LMDB, after which it was made
		case $scale/$subject in
		full/* | */voron* | */lmdb*)
			voron_reads parallel-default "$parts" --voron_partitioning=default \
				--field 'parts=.threads'
			;;
		esac
	done
done
voron_check

repro_finish
