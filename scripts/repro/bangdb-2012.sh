#!/bin/sh
# bangdb-2012.sh: Sachin Sinha's comparison of LevelDB, Berkeley DB and BangDB, on the engines here; see --help.
set -eu
. "$(dirname "$0")/repro-common.sh"

repro_builds leveldb=leveldb-1.23 rocksdb=rocksdb-7.8.3
reproduce bangdb-2012 "\
Repeats the benchmark that Sachin Sinha published in November 2012, of LevelDB, Berkeley DB and
BangDB, with the engines that are built here. Records have keys of 24 bytes and values of 100 to
400 bytes. Each experiment writes at random keys and then reads:

  D1, D1s               one thread, with a large cache and with a small one
  D2, D2s               four threads, likewise
  D2-program            D2 with the settings in the surviving program of the author
  D3                    twice as much data as cache
  D4                    1 to 8 threads
  D5                    values of 10,000 bytes
  D6                    reads and writes at once, in several proportions

The smallest number of records is done in D1 alone, as several runs per row, so that a row lasts a
second. The article has settings and plots but no numbers to compare with." "$@"
repro_takes "$(repro_scaled 12 1 60)" "$(repro_choose 6 1 8)" 'half a day'
repro_missing bangdb 'its source was announced and not published; '\
'there is a binary of a later version, for an interface of its own'
engines=$(repro_present "$(repro_choose leveldb,leveldb+compression=none,bdb,lmdb leveldb,bdb \
	leveldb,leveldb+compression=none,bdb,lmdb,rocksdb,wiredtiger)")
# Two millions there are so many here; all else is in proportion. Its tests end by their operations.
num=$(repro_scaled 2000000 2000)

# bangdb_part FIGURE LEAST: a figure of the publication at this scale
bangdb_part () {
	awk -v figure="$1" -v num="$num" -v least="$2" 'BEGIN {
		n = figure * num / 2000000; printf "%.0f\n", n < least ? least : n }'
}

# bangdb_size MIB LEAST: a cache or buffer of the publication at this scale, in bytes; what it
# cannot go below
bangdb_size () {
	bangdb_part $(($1 * 1048576)) $(($2 * 1048576))
}

# bangdb_operations FIGURE...: numbers of operations at this scale
bangdb_operations () {
	for figure
	do
		bangdb_part "$figure" 10
	done | paste -sd , -
}

# bangdb_own ENGINE LOG PAGE: options that only it has: pages, LevelDB's compression, Berkeley
# DB's log buffer, of which 256 MiB is the most here
bangdb_own () {
	log_buffer=$(bangdb_size "$(($2 < 256 ? $2 : 256))" 1)
	case $1 in
	leveldb) echo "--compression=snappy --block_size=$3Ki" ;;
	leveldb* | rocksdb*) echo "--block_size=$3Ki" ;;
	bdb*) echo "--pagesize=$3Ki --lg_bsize=$log_buffer --lg_max=$((4 * log_buffer))" ;;
	wiredtiger*) echo "--leaf_page_max=$3Ki" ;;
	esac
}

# bangdb_measure TEST X CACHE BUFFER LOG ARGUMENTS...: a test of each engine, sizes in MiB of the
# publication; its rows are called by what is on the horizontal axis
bangdb_measure () {
	test=$1 x=$2 cache=$3 buffer=$4 log=$5
	shift 5
	for engine in $(each "$engines")
	do
		# Below full scale LevelDB without compression has the first test, and
		# so has LMDB, which is ours.
		case $scale/$test/$engine in
		full/* | */D1/*) ;;
		*/leveldb+* | */lmdb*) continue ;;
		esac
		# Threads of writes and of reads: LevelDB's best, said the author, is one writer.
		writers=4
		case $test/$engine in
		D1* | */leveldb*) writers=1 ;;
		esac
		readers=4
		case $test in
		D1*) readers=1 ;;
		esac
		benchmarks=bangdb-write@$writers,bangdb-read@$readers
		case $scale/$test in
		full/D3) ;;
		*/D3) benchmarks=bangdb-write@$writers,readrandom@$readers ;;
		*/D4) benchmarks=bangdb-write,bangdb-read ;;
		*/D6) benchmarks=bangdb-fill@4,bangdb-mix@4 ;;
		esac
		# runs that are one row, so that it takes a second
		often=1
		case $scale/$test$few/$engine in
		small/*-few/*) often=2 ;;
		*-few/lmdb*) often=18 ;;
		*-few/leveldb*) often=10 ;;
		*-few/*) often=7 ;;
		default/D5/leveldb*) often=2 ;;
		esac
		# shellcheck disable=SC2046
		experiment "$test$few-$engine" --times $often --engines="$engine" --load=none \
			--benchmarks=$benchmarks --key_format=user --key_size=24 \
			--cache_size="$(bangdb_size "$cache" 1)" \
			--write_buffer_size="$(bangdb_size "$buffer" 1)" \
			$(bangdb_own "$engine" "$log" "$page") --value_size=100-400 "$@" \
			--field 'benchmark=(select(.benchmark != "bangdb-fill") | .benchmark)' \
			--field "experiment=\"$test\"" --field "x=$x" \
			--field 'side=if .benchmark == "readrandom" then "read"
				else .benchmark[7:] end' --complete '.side == "read"'
	done
}

# bangdb_program: test 2 as the author's own program has it that has survived, with headers of
# October 2012: LevelDB without compression and without a cache of its blocks (fill_cache), Berkeley
# DB as before (without transactions there), keys of decimals in order, values of about 15 bytes
bangdb_program () {
	for engine in leveldb bdb
	do
		chosen=$(repro_present "$engine")
		cache=$(bangdb_size 1024 1)
		[ "$engine" != leveldb ] || cache=65536
		# shellcheck disable=SC2046
		experiment "D2-program-$engine" --engines="$chosen" --load=none \
			--benchmarks=fillseq,bangdb-read --threads=4 \
			--num="$(bangdb_part 2000000 10)" --key_format=user --key_size=24 \
			--value_size=15 --cache_size="$cache" \
			--write_buffer_size="$(bangdb_size 512 1)" --compression=none \
			$(bangdb_own "$engine" 256 8 | sed 's/--compression=snappy//') \
			--field 'experiment="D2-program"' --field x=.num \
			--field 'side=if .benchmark == "fillseq" then "write"
				else .benchmark[7:] end' --complete '.side == "read"'
	done
}

# below full scale the least of its numbers of operations is done in its first test alone
few=''
usual="--num=$(repro_choose "$(bangdb_part 2000000 10)" "$(bangdb_part 2000000 10)" \
	"$(bangdb_operations 100000 500000 1000000 2000000)")"
million="--num=$(bangdb_part 1000000 10)"
write_percent='(.command | capture("readwritepercent=(?<n>[0-9]+)").n | 100 - tonumber)'
while another_round
do
	page=8
	bangdb_measure D1 .num 1024 512 256 "$usual"
	few=-few
	[ "$scale" = full ] ||
		bangdb_measure D1 .num 1024 512 256 --num="$(bangdb_part 100000 10)"
	few=''
	bangdb_measure D1s .num 64 64 256 "$usual"
	bangdb_measure D2 .num 1024 512 256 "$usual"
	bangdb_measure D2s .num 64 64 256 "$usual"
	# below full scale seven of its ten millions, which are more than the cache, too;
	# its readers share a million reads of them
	bangdb_measure D3 .num 1536 1024 256 --reads="$(bangdb_part 250000 10)" \
		--num="$(repro_choose "$(bangdb_part 7000000 10)" "$(bangdb_part 10000000 10)" \
			1000000,4000000,7000000,10000000)"
	bangdb_measure D4 .threads 1024 512 256 "$million" \
		--threads="$(repro_choose 1,2,4,8 1,2)"
	bangdb_measure D6 "$write_percent" 1024 1024 256 "$million" \
		--readwritepercent="$(repro_choose 90,10 90,10 90,70,50,30,10)"
	page=32
	bangdb_measure D5 .num 2048 1536 512 \
		--num="$(repro_choose "$(bangdb_part 100000 10)" "$(bangdb_part 100000 10)" \
			"$(bangdb_operations 10000 40000 70000 100000)")" --value_size=10000
	page=8
	# blocks that were read are not kept beyond the least of caches, nothing is
	# compressed, keys are in order
	bangdb_program
done

repro_finish
