#!/bin/sh
# inmemory-2014.sh: the in-memory microbenchmark of Symas, 2014; see --help.
set -eu
. "$(dirname "$0")/repro-common.sh"

repro_builds leveldb=leveldb-1.23 basho=basho-1.5 hyperleveldb=hyper-1.0.2 \
	rocksdb=rocksdb-7.8.3 tokudb=toku
reproduce symas-2014 "\
Repeats the in-memory benchmark that Symas published in 2014, with the engines that are built
here. A database that just fits into memory is loaded in key order. Then sixteen threads read
random records while one writes. It makes the publication's tables and plots from these runs.
Memory is limited (--memory), and each run after the load begins with an empty page cache." "$@"

# 10^9 records in 128 GiB of memory, caches of a half of it and of an eighth
limit=$(repro_scaled 1073741824 67108864 137438953472)
num=$(awk -v limit="$limit" 'BEGIN { printf "%d\n", limit / 137.438953472 + 0.5 }')
few=$(repro_scaled 20000000 5000)
seconds=$(repro_choose 10 0.5 10800)
warmup=$(repro_choose 3 0 60)
interval=$(repro_choose 0.25 0.05 1)
follow=$((limit / $(repro_choose 16 2)))
repro_takes "$(repro_scaled 20 1 1100)" "$(repro_scaled 8 1 128)" 'three days'

repro_have tokudb ||
	repro_missing tokudb 'no longer developed, and in no package; '\
'a library of it can be given, see docs/engines.md'

# those that keep to the cache they are given have a half, the others an eighth; the names
# in the rows are without
half="+cache_size=$((limit / 2))"
eighth="+cache_size=$((limit / 8))+write_buffer_size=$((limit / 32))"
engines=
for engine in $(repro_present \
	"lmdb,leveldb,rocksdb,rocksdb+prefix_size=8,bdb,wiredtiger,wiredtiger+type=lsm,\
basho,hyperleveldb,tokudb" | tr , ' ')
do
	part=$eighth
	case $engine in
	*+type=lsm*) ;;
	bdb* | wiredtiger* | basho* | tokudb*) part=$half ;;
	esac
	engines=$engines${engines:+,}$engine$part
done
plain='.label | gsub("[+](cache|write_buffer)_size=[0-9]+"; "")'
# The publication had sixteen readers and CPUs: after its sixteen there run as many
# readers as there are CPUs.
kind='if .benchmark | startswith("fill") then "load"
	elif .threads == 16 then "run" else "run-cores" end'
cores=$(nproc)
readers=16
[ "$cores" -eq 16 ] || readers=16,$cores
slow=$(echo "$engines" | tr , '\n' | grep -v '^lmdb' | paste -sd , -)
quick=$(echo "$engines" | tr , '\n' | grep '^lmdb' | paste -sd , -)
[ -z "$engines" ] || ! repro_have null || slow=${slow:+$slow,}null
while another_round
do
	experiment main --engines="$engines" --load=fillseqbatch \
		--benchmarks=readwhilewriting --threads="$readers" --num="$num" \
		--memory="$limit" --duration="$seconds" --warmup="$warmup" --cold=1 \
		--settle=1 --reopen=1 --timeline_interval="$interval" --field label="$plain" \
		--field experiment="$kind"

	# The generator of 2014 and ours, with the engine whose thread 3 was alone to make
	# progress. --seed begins threads where thread 3 is as far ahead of the writer,
	# for the number of records, as 23,190,731 draws were for 10^9 (at full scale:
	# where they were): 43,712, of the smallest 22,810. Readers wait for the device,
	# since the memory is a quarter of the records.
	for rng in minstd default
	do
		experiment $rng --engines="$(repro_present leveldb)" --load=fillseqbatch \
			--benchmarks=readwhilewriting --threads=16 \
			--num="$((num / $(repro_choose 4 1)))" \
			--memory="$follow" --cache_size="$((follow / 8))" \
			--write_buffer_size="$((follow / 32))" \
			--duration="$(repro_choose 10 2 3600)" \
			--rng=$rng --seed="$(repro_choose 389253 348039 1)" --cold=1 \
			--settle=1 --timeline_interval="$interval" --only readwhilewriting \
			--field experiment="$kind + \"-$rng\""
	done
done

# inmemory_small NAME A,B ARGUMENTS...: the test of 20 million records, the only one that every
# engine finished, unscaled and with all of the memory, and all rounds on one load, which
# takes as long as they do; a run begins with its copy in memory, as after the load there
inmemory_small () {
	test=$1 list=$2
	shift 2
	experiment "$test" --engines="$list" --load=fillseqbatch \
		--benchmarks=readwhilewriting --threads=16 --num="$few" --settle=1 \
		--timeline_interval="$interval" --repeat="$rounds" "$@" --only readwhilewriting \
		--field label="$plain" --field 'experiment="run-small"'
}
# By the clock, but LMDB ends by its reads, so that its threads end at different times; of
# the switches, those that are the harness's own.
inmemory_small small "$slow" --duration="$(repro_choose 10 0.5 10800)"
inmemory_small small-reads "$quick" --reads="$(repro_choose "$((few / 8))" "$((few / 2))" "$few")"

if [ -z "$dry" ]
then
	scripts/repro/overtime.sh "$out"
	scripts/plot/symas.sh "$out"
fi
repro_finish
