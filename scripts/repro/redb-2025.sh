#!/bin/sh
# redb-2025.sh: the benchmark of redb's README, on the engines here; see --help.
set -eu
. "$(dirname "$0")/repro-common.sh"

repro_builds lmdb=lmdb-0.9.36 rocksdb=rocksdb-11.8.1
reproduce redb-2025 "\
Repeats the benchmark in redb's README of August 2025, with the engines that are built here.
Five million records (keys of 24 bytes, values of 150) are loaded in random order in one
transaction; RocksDB gets one for each 100,000. Then it measures 1,000 single writes and 100
batches of 1,000, all synced; a million random reads; 500,000 scans of ten records; and reads by
4 to 32 threads. SQLite is measured twice: as published, with its default cache of 2000 KiB and a
rollback journal, and with the cache of the other engines. The numbers of records are the
publication's at every scale but small." "$@"
repro_takes "$(repro_scaled 8 1)" "$(repro_choose 6 1 8)" '20 minutes'
repro_missing sled 'it has no commit that is safe from a power cut: docs/engines.md'
repro_missing removals 'half of the records in one transaction: '\
'the suite removes each in a transaction of its own'
engines=$(repro_present "$(repro_choose \
	redb,lmdb,rocksdb,sqlite+journal=delete+cache_size=2000Ki,sqlite,fjall lmdb,sqlite)")
num=$(repro_scaled 5000000 5000)
# a thousandth of the reads at the scale of seconds
small=$(repro_choose 1 1000)

# redb_part NAME ENGINE ARGUMENTS...: on the database of the load
redb_part () {
	part=$1 engine=$2
	shift 2
	# LMDB and SQLite have no cache to be given, or one of their own
	case $engine in
	*cache_size=*) cache= ;;
	*) cache=--cache_size=$(repro_choose 4Gi 64Mi) ;;
	esac
	# shellcheck disable=SC2086 # one word or none
	experiment "$part-$engine" --engines="$engine" --load=none --num="$num" \
		--databases="$out/db" $cache \
		--key_format=decimal --key_size=24 --value_size=150 --compression=none \
		--field "experiment=\"$part\"" "$@"
}

# redb_runs_a_row PART ENGINE: how many runs of it are one row: as many as take a second; they
# replace records, so each finds as many as the one before
redb_runs_a_row () {
	case $scale/$1/$2 in
	small/*) echo 2 ;;
	*/single/sqlite*journal*) echo 2 ;;
	*/single/fjall*) echo 16 ;;
	*/single/*) echo 8 ;;
	*/batches/fjall*) echo 5 ;;
	*/batches/rocksdb) echo 10 ;;
	*) echo 1 ;;
	esac
}

while another_round
do
	for engine in $(each "$engines")
	do
		batch=$num
		case $engine in
		rocksdb*) batch=100000 ;;
		esac
		redb_part bulk "$engine" --benchmarks=filluniquerandbatch \
			--batch_size="$batch" --threads=1 --durability=sync
		redb_part single "$engine" --benchmarks=overwrite \
			--writes=$((1000 / small + 1)) --threads=1 --durability=sync \
			--times "$(redb_runs_a_row single "$engine")"
		redb_part batches "$engine" --benchmarks=overwritebatch --batch_size=1000 \
			--writes=$((100000 / small)) --threads=1 \
			--durability=sync --times "$(redb_runs_a_row batches "$engine")"
		redb_part reads "$engine" --benchmarks=readrandom@1 \
			--reads=$((1000000 / small)) --threads=1 --txn_reads="$num" --complete true
		redb_part ranges "$engine" --benchmarks=seekrandom --scan_length=10 \
			--reads=$((500000 / small)) --threads=1
		for threads in $(repro_choose '4 8 16 32' '4 8' '4 8 16 32')
		do
			redb_part "reads-$threads" "$engine" --benchmarks=readrandom \
				--threads="$threads" --txn_reads="$num" \
				--reads=$((num / threads)) --complete true \
				--field 'experiment="reads"'
		done
	done
	drop_repro_databases "$out/db" round
done

repro_finish
