#!/bin/sh
# ucsb-2022.sh: Unum's UCSB, on the engines here; see --help.
set -eu
. "$(dirname "$0")/repro-common.sh"

repro_builds leveldb=leveldb-1.23 rocksdb=rocksdb-7.8.3 wiredtiger=wiredtiger-10.0.0 \
	redis=hiredis-0.14.1
reproduce unum-2022 "\
Repeats the benchmark UCSB that Unum published in 2022, with the engines that are built here.
Keys have 8 bytes and values 1024; databases have 0.1, 1 and 10 GB. One thread runs without
syncs, with enough memory and with memory for a tenth of the database. Each workload has a process
of its own and begins with an empty page cache:

  0                     bulk load
  C, X                  random reads, and batches of them
  E, Z                  short scans, and one scan of everything
  A, D                  reads with updates, and with inserts
  Y, Remove             batches of inserts, and deletes

At 0.1 GB a row is several runs, so that it lasts a second. 10 GB are done in one round, with a
million operations. With limited memory C, X, E, A and D run until their throughput is steady.
Further runs test what distorted the published numbers: C with UCSB's faulty key generator, C in
memory with LevelDB limited to few open files, and C and E after a load in random order." "$@"
repro_takes "$(repro_scaled 45 1 4500)" "$(repro_choose 12 1 128)" 'a week'
repro_missing unumdb 'closed source, and no longer to be had'
lines=wiredtiger,leveldb,rocksdb,lmdb,lmdb+readahead=0
# what serve.sh says; of Redis the record has the first two sizes
served=
if repro_have redis && [ -n "${ASSAY_REDIS-}" ]
then
	served=,redis
else
	repro_missing redis 'it needs bench_redis and a server: '\
'scripts/serve.sh redis scripts/repro/ucsb-2022.sh'
fi
engines=$(repro_present "$(repro_choose $lines leveldb,lmdb)$served")
# So many that a load and a scan of them take a second.
num=$(repro_scaled 1500000 10000 1000000000)
duration=$(repro_choose 2 0.1 600)
# with memory for a tenth until the rate is steady, 6 s at most
steady=$(repro_choose --until_steady=6 --duration=0.1 --until_steady=600)
# A tenth of the records. So few as are for tests would leave no process room to run in.
memory=$(repro_choose "$((num * 1032 / 10))" 0)
# its own sizes, in GB and so in millions of records: those that this machine bears ucsb_unscaled
sizes=$(repro_choose '0.1 1 10' '0.001 0.002' '0.1 1 10 100')
# the size whose runs take less than a second, and the one of which there is one round
small_size=$(repro_choose 0.1 0.001 none) large_size=$(repro_choose 10 none none)
named='.benchmark | ltrimstr("ucsb-") |
	if . == "remove" then "Remove" elif startswith("fill") then "0" else ascii_upcase end'

# ucsb_own ENGINE: what the article set for it: integer keys and pages of the default size,
# Bloom filters of 10 bits
ucsb_own () {
	case $1 in
	wiredtiger*) echo "--intkey=1 --leaf_page_max=32Ki" ;;
	leveldb* | rocksdb*) echo "--bloom_bits=10" ;;
	# in other processes, of which nothing can be dropped or limited here
	redis*) echo "--cold=0 --memory=0" ;;
	esac
}

# ucsb_measure NAME ENGINE ARGUMENTS...: of reads that missed a record the row is invalid
ucsb_measure () {
	workload=$1 engine=$2
	shift 2
	experiment "$workload-$engine" --engines="$engine" --threads=1 \
		--value_size=1024 --durability=none --field 'cores_used=.cpu_percent / 100' \
		--complete '.benchmark != "ucsb-remove"' "$@"
}

# ucsb_records NAME ENGINE ARGUMENTS...: of records as its code had them
ucsb_records () {
	# shellcheck disable=SC2046
	ucsb_measure "$@" --key_format=binary --key_size=8 $(ucsb_own "$2")
}

# ucsb_in_order PLACE NAME ENGINE ARGUMENTS...: a load and workloads one after another, in
# OUT/db/PLACE
ucsb_in_order () {
	database=$out/db/$1
	shift
	ucsb_records "$@" --load=none --databases="$database"
}

# ucsb_done_with PLACE NAME: the databases of $engine there go when all of NAME is done
ucsb_done_with () {
	suffix=
	[ "$round" -eq 1 ] || suffix=-round$round
	[ ! -e "$out/$2-$engine$suffix/done" ] ||
		drop_repro_databases "$out/db/$1/$(repro_built "$engine")" "$2-$engine"
}

# ucsb_alone PLACE NAME ENGINE ARGUMENTS...: both of them
ucsb_alone () {
	ucsb_in_order "$@"
	ucsb_done_with "$1" "$2"
}

# ucsb_as_set WHAT ENGINE SIZE: how it was set in the record of that size. Loads, of those that take
# seconds: LMDB's keys were out of order, being of little endian; RocksDB took a file for each
# 10,000 records, and syncs what it takes. Caches and files: LevelDB's -1 files are 64 tables,
# RocksDB's cache was ten memtables. Inserts: RocksDB flushed a memtable of ten batches of 1,000.
ucsb_as_set () {
	case $1/$2/$3 in
	load/*/10 | load/*/100 | insert/*/10 | insert/*/100) ;;
	load/lmdb/*) echo "--benchmarks=filluniquerandbatch --batch_size=10000" ;;
	load/rocksdb/*)
		echo "--benchmarks=fillseqbatch --batch_size=10000 --durability=sync"
		;;
	read/leveldb/*) echo "--cache_size=1024 --max_open_files=74" ;;
	read/rocksdb/0.1) echo "--cache_size=640Mi" ;;
	read/rocksdb/*) echo "--cache_size=1280Mi" ;;
	read/wiredtiger/10) echo "--cache_size=200000000" ;;
	read/wiredtiger/100) echo "--cache_size=2000000000" ;;
	read/wiredtiger/*) echo "--cache_size=100000000" ;;
	insert/rocksdb/*) echo "--write_buffer_size=10Mi" ;;
	esac
}

# ucsb_counts WORKLOAD: as many operations as the record has of it, each record once or nearly,
# in those sizes in which they end within ten minutes; in larger ones a million records
ucsb_counts () {
	# 500 batches of 256 for 100,000 records, and 1,000 ranges of 100
	ops=$records batched=$((records * 128 / 100))
	[ "$ops" -le 1000000 ] || ops=1000000 batched=1000000
	case $1 in
	c | a | d) echo "--reads=$ops" ;;
	x) echo "--reads=$batched" ;;
	e) echo "--reads=$((ops / 100 + 1))" ;;
	y) echo "--writes=$ops" ;;
	esac
}

# ucsb_runs_a_row WORKLOAD: how many runs of it in $size are one row: as many as take a second
ucsb_runs_a_row () {
	[ "$size" = "$small_size" ] || { case $1/$size in
		0/1) echo 3 ;;
		*) echo 1 ;;
		esac; return 0; }
	case $scale/$1/$engine in
	small/*) echo 2 ;;
	*/[0yz]/redis) echo 4 ;;
	*/redis) echo 1 ;;
	*/0/lmdb*) echo 28 ;;
	*/0/*) echo 16 ;;
	*/[cxad]/rocksdb | */e/lmdb+*) echo 2 ;;
	*/[cxza]/lmdb+*) echo 1 ;;
	*/[xc]/leveldb) echo 8 ;;
	*/[xcd]/lmdb) echo 6 ;;
	*/[xcda]/*) echo 4 ;;
	*/z/rocksdb) echo 6 ;;
	*/y/*) echo 12 ;;
	*/z/*) echo 20 ;;
	*/e/*) echo 10 ;;
	*/remove/lmdb | */remove/wiredtiger) echo 6 ;;
	*/remove/leveldb) echo 60 ;;
	*/remove/rocksdb) echo 90 ;;
	*) echo 1 ;;
	esac
}

# ucsb_each WORKLOADS SUFFIX ENGINE ARGUMENTS...: those in $size, each with its counts
ucsb_each () {
	list=$1 called=$2
	shift 2
	for one in $list
	do
		again=
		case $one in
		d | y | remove) again=--once ;;
		esac
		# shellcheck disable=SC2046,SC2086
		ucsb_in_order "$size" "size-$size$called-$one" "$@" --benchmarks="ucsb-$one" \
			--times "$(ucsb_runs_a_row "$one")" $again $(ucsb_counts "$one") \
			--field "experiment=($named)${called:+ + \"$called\"}"
	done
}

# ucsb_set_there WHAT WORKLOADS ENGINE ARGUMENTS...: the same as set in the record, if it was
# set otherwise
ucsb_set_there () {
	settings=$(ucsb_as_set "$1" "$engine" "$size")
	set_of=$2
	shift 2
	# shellcheck disable=SC2086
	[ -z "$settings" ] || ucsb_each "$set_of" -as-set "$@" $settings
}

# ucsb_unscaled: $engine in $size, as in the record: a process for each workload, and what the
# system keeps
ucsb_unscaled () {
	records=$(awk -v size="$size" 'BEGIN { printf "%d\n", size * 1000000 }')
	set -- "$engine" --num="$records" --cold=1 --field "size_gb=$size"
	settings=$(ucsb_as_set load "$engine" "$size")
	if [ -n "$settings" ]
	then
		# shellcheck disable=SC2086
		ucsb_alone "loaded-$size" "set-load-$size" "$@" \
			--times "$(ucsb_runs_a_row 0)" $settings --field 'experiment="0-as-set"'
	fi
	case $engine/$size in
	*+* | redis* | */"$small_size" | */10 | */100) ;;
	*)
		ucsb_alone "single-$size" "single-$size" "$@" --benchmarks=fillseq \
			--field 'experiment="0-single"'
		;;
	esac
	# One read after the load: LevelDB puts what is in its log into a table when it is
	# opened next, and would read that from memory in spite of an empty cache.
	ucsb_in_order "$size" "size-$size-0" "$@" --times "$(ucsb_runs_a_row 0)" \
		--benchmarks=ucsb-0,readrandom --reads=1 --field 'experiment="0"' --only ucsb-0
	case $engine/$size in
	# more would take a quarter of an hour
	*readahead=0/10*) first=c ;;
	# what reads; of writes it decides little
	*readahead=0/*) first='c x e z a' ;;
	*) first='c x e z' ;;
	esac
	ucsb_each "$first" '' "$@"
	case $engine in
	*readahead=0*) ucsb_done_with "$size" "size-$size-${first##* }"; return 0 ;;
	esac
	case $size in
	"$small_size" | "$large_size") ;;
	*) ucsb_set_there read 'c e' "$@" ;;
	esac
	ucsb_each 'a d y' '' "$@"
	case $size in
	"$small_size")
		ucsb_done_with "$size" "size-$size-y"
		# each time from a copy, as what is removed is gone
		ucsb_records "size-$size-remove" "$@" --load=ucsb-0 --benchmarks=ucsb-remove \
			--times "$(ucsb_runs_a_row remove)" --only ucsb-remove \
			--field 'experiment="Remove"'
		;;
	"$large_size") ucsb_done_with "$size" "size-$size-y" ;;
	*)
		ucsb_set_there insert y "$@"
		ucsb_each remove '' "$@"
		ucsb_done_with "$size" "size-$size-remove"
		;;
	esac
}

while another_round
do
	for engine in $(each "$engines")
	do
		# the sizes of its own
		for size in $sizes
		do
			case $engine/$size/$round in
			redis*/10/* | redis*/100/*) ;;
			*/"$large_size"/[2-9]*) ;;
			*) ucsb_unscaled ;;
			esac
		done
		# as in its text: memory for a tenth
		case $engine in
		redis*) continue ;;
		*readahead=0*) measured=ucsb-0,ucsb-c,ucsb-x,ucsb-e,ucsb-a ;;
		*) measured=ucsb-0,ucsb-c,ucsb-x,ucsb-e,ucsb-z,ucsb-a,ucsb-d,ucsb-y ;;
		esac
		ucsb_alone limited limited "$engine" --num="$num" --benchmarks="$measured" \
			--memory="$memory" --cold=1 "$steady" --field "experiment=($named)"
		case $engine in
		*+*) continue ;;
		esac
		# the scan brings all of it into the system's cache; LevelDB makes 64
		# slots for tables of 74
		set -- "$engine" --num="$num" --benchmarks=ucsb-0,ucsb-z,ucsb-c \
			--duration="$duration" --only ucsb-c --field 'experiment="C-in-memory"'
		ucsb_alone memory C-in-memory "$@"
		[ "$engine" != leveldb ] || ucsb_alone files C-in-memory-64-files "$@" \
			--max_open_files=74 --field 'label="leveldb+max_open_files=74"'
	done
done

# Reads of a tenth in memory in other settings, all rounds on one load.
# ucsb_setting HOW NAME ENGINE ARGUMENTS...: C after a load in order; HOW is a function above
ucsb_setting () {
	how=$1 setting=$2 engine=$3
	shift 3
	"$how" "$setting" "$engine" --load=ucsb-0 --num="$num" --memory="$memory" \
		--cold=1 --duration="$duration" --repeat="$rounds" --benchmarks=ucsb-c \
		--only ucsb-c --field "experiment=\"$setting\"" "$@"
}
for engine in $(each "$engines")
do
	# LMDB without read-ahead, if that is here: with it, it decides these reads and no
	# setting does
	case $engine,$engines, in
	redis* | lmdb,*,lmdb+readahead=0,*) continue ;;
	esac
	ucsb_setting ucsb_records C-ucsb2022 "$engine" --zipf_generator=ucsb2022
	# loaded without the limit, within which that takes minutes; one read, as above
	ucsb_in_order permuted load-permuted "$engine" --num="$num" --settle=1 --reads=1 \
		--benchmarks=filluniquerandom,readrandom --field 'benchmark=empty'
	ucsb_in_order permuted permuted "$engine" --num="$num" --memory="$memory" --cold=1 \
		--duration="$duration" --repeat="$rounds" --benchmarks=ucsb-c,ucsb-e \
		--field "experiment=($named) + \"-permuted\""
	ucsb_done_with permuted permuted
	# keys as long as YCSB's, for which an engine's own integers are of no use; in
	# order, as all here are loaded
	own=$(ucsb_own "$engine" | sed 's/--intkey=1//')
	# shellcheck disable=SC2086
	ucsb_setting ucsb_measure C-user-keys "$engine" --key_format=decimal --key_size=24 $own
done

repro_finish
