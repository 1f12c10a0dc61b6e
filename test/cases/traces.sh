# traces.sh: what is recorded on one engine and replayed on another reads the same bytes; others' traces are taken as they are.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# recorded NAME ARGUMENTS...: on LMDB, into $work/NAME, every byte checked; prints the digest
recorded () {
	file=$1
	shift
	rm -f "$work/$file"
	bench lmdb --verify=1 --num=3000 --record="$work/$file" "$@" >"$work/out" || { cat "$work/out"; return 1; }
	row '.valid == 1 and .wrong == 0 and .lost == 0' >"$work/not" && tail -n 1 "$work/rows" | jq -r .digest
}
# replayed ENGINE NAME ARGUMENTS...: that again
replayed () {
	engine=$1 file=$2
	shift 2
	bench "$engine" --verify=1 --num=3000 --trace="$work/$file" "$@" >"$work/out" || { cat "$work/out"; return 1; }
	row '.benchmark == "replay" and .valid == 1 and .wrong == 0 and .distribution == "trace"' >"$work/not" &&
		tail -n 1 "$work/rows" | jq -r .digest
}
is_one () {
	echo "$1: $2, recorded $3"
	[ -n "$2" ] && [ "$2" = "$3" ]
}

graph='--preset=mixgraph --mix_get_ratio=0.5 --mix_put_ratio=0.45 --mix_seek_ratio=0.05'
one_digest () {
	# shellcheck disable=SC2086 # words
	first=$(recorded graph.csv.zst $graph --benchmarks=mixgraph-load,mixgraph) || { echo "$first"; return 1; }
	for engine in rocksdb leveldb wiredtiger sqlite lmdb
	do
		# shellcheck disable=SC2086
		other=$(replayed $engine graph.csv.zst $graph --benchmarks=mixgraph-load,replay) || { echo "$other"; return 1; }
		is_one $engine "$other" "$first" || return 1
	done
}
ok 'recorded on LMDB, a replay on RocksDB, LevelDB, WiredTiger and SQLite has the digest of the recording' one_digest

# Values of many sizes: two writes of a key that change places leave another value.
by_many () {
	mix='--benchmarks=filluniquerandom,mix --mix=read:40,update:20,rmw:20,insert:10,delete:10 --value_size=20-400 --num=300 --reads=20k'
	# shellcheck disable=SC2086 # words
	first=$(recorded mix.csv.gz $mix) || { echo "$first"; return 1; }
	for threads in 1 3 8
	do
		other=$(replayed lmdb mix.csv.gz --benchmarks=filluniquerandom,replay --value_size=20-400 --num=300 --threads=$threads) || return 1
		is_one "$threads threads" "$other" "$first" || return 1
		row ".threads == $threads and .reads == 12000 and .writes == 12000"
	done
}
ok 'and any number of threads keeps the order of each key' by_many

by_their_clients () {
	first=$(recorded clients.csv --benchmarks=filluniquerandom,ycsb-a --preset=ycsb --threads=3) || { echo "$first"; return 1; }
	other=$(replayed lmdb clients.csv --benchmarks=filluniquerandom,replay --preset=ycsb --trace_clients=1) || return 1
	is_one clients "$other" "$first" && row '.threads == 3 and .ops == 9000' || return 1
	# Twitter's columns, in the order of time
	awk -F, 'NF != 7 || $1 + 0 < last { exit 1 } { last = $1 + 0 }
		$3 != length($2) || $4 != 1000 || $6 != "get" && $6 != "set" || $7 != 0 { exit 1 }' "$work/clients.csv" && [ "$(wc -l <"$work/clients.csv")" -eq 9000 ]
}
ok 'a recording of three threads is in order, and is replayed by three' by_their_clients

# Each operation does what the page says: the records that are left, and the bytes that were read.
their_operations () {
	printf '%s\n' 0,a,1,20,0,add,0 0,a,1,99,0,add,0 0,b,1,99,0,replace,0 0,b,1,30,0,set,0 0,b,1,40,0,cas,0 0,b,1,0,0,gets,0 0,c,1,99,0,append,0 \
		0,c,1,99,0,prepend,0 1,c,1,99,0,incr,0 1,c,1,0,0,get,0 1,a,1,0,0,delete,0 1,a,1,0,0,get,0 2,a,1,50,0,set,0 2,a,1,60,0,decr,0 2,a,1,0,0,get,0 \
		>"$work/small.csv"
	printf '%s\n' 0,z,1,5,0,set,0 >"$work/none.csv"
	for engine in lmdb sqlite
	do
		bench $engine --benchmarks=replay-load --trace="$work/none.csv" >"$work/out" || return 1
		bench $engine --benchmarks=replay --use_existing_db=1 --trace="$work/small.csv" --verify=1 >"$work/out" || { cat "$work/out"; return 1; }
		# values read: a 20 (add), b 30 (cas), b 40, a 50 (decr), a 60; written: 20 30 40 50 60; and 15 keys of a byte. A delete that found one counts as found, as ever.
		row '.ops == 15 and .reads == 4 and .writes == 11 and .missing == 2 and .found == 3 and .commits == 6 and .bytes == 200 + 200 + 15' || return 1
	done
}
ok "each of Twitter's operations does what the page says" their_operations

# twitters LINES: a trace of all operations, a few keys of them hot
twitters () {
	awk -v lines="$1" 'BEGIN { srand(1); n = split("get get get get get gets set set set add replace cas append prepend delete incr decr", what, " ")
		for (i = 0; i < lines; i++) { key = "nz:u:" int(exp(rand() * 7)); op = what[1 + int(rand() * n)]
			print int(i / 1000) "," key "," length(key) "," (op == "delete" ? 0 : int(rand() * 900)) "," int(rand() * 5) "," op "," 300 } }'
}
theirs_too () {
	twitters 20000 >"$work/theirs.csv"
	first=$(replayed lmdb theirs.csv --benchmarks=replay-load,replay) || { echo "$first"; return 1; }
	row '.emulated == "expiry, by nothing" and .value_sizes == "0-899, as in the trace"' || return 1
	for engine in rocksdb sqlite lmdb
	do
		other=$(replayed $engine theirs.csv --benchmarks=replay-load,replay --threads=4) || { echo "$other"; return 1; }
		is_one $engine "$other" "$first" || return 1
	done
}
ok "a trace of Twitter's form has one digest, by one thread and four" theirs_too

refused () {
	for line in 0,key,3,1,0,put,0 0,key,3,1,0,get '0,key,three,1,0,get,0' ''
	do
		printf '%s\n' 0,a,1,1,0,get,0 "$line" 0,a,1,1,0,get,0 >"$work/bad.csv"
		fails 2 'bad.csv: line 2: ' "$top/bench_lmdb" --db="$work/untouched" --benchmarks=replay-load,replay --trace="$work/bad.csv" || return 1
	done
	printf '%s\n' 0,a,1,1,0,get,0 >"$work/no.csv.gz"
	fails 2 'gzip failed' "$top/bench_lmdb" --db="$work/untouched" --benchmarks=replay-load --trace="$work/no.csv.gz" || return 1
	fails 2 'No such file' "$top/bench_lmdb" --db="$work/untouched" --benchmarks=replay-load --trace="$work/not.csv" || return 1
	fails 2 'whose trace' "$top/bench_lmdb" --db="$work/untouched" --benchmarks=replay-load || return 1
	printf '%s\n' 1,a,1,1,0,set,0 0,a,1,1,0,get,0 >"$work/back.csv"
	fails 2 'line 2: its time' "$top/bench_lmdb" --db="$work/untouched" --benchmarks=replay-load,replay --speed=1 --trace="$work/back.csv" || return 1
	awk 'BEGIN { key = sprintf("%600s", "k"); gsub(" ", "k", key); print "0," key ",600,1,0,set,0" }' >"$work/long.csv" || return 1
	fails 2 'longest key has 600 bytes' "$top/bench_lmdb" --db="$work/untouched" --benchmarks=replay-load --trace="$work/long.csv" || return 1
	while IFS='|' read -r what arguments
	do
		# shellcheck disable=SC2086 # words
		fails 2 "$what" "$top/bench_lmdb" --db="$work/untouched" --num=10 --record="$work/new.csv" $arguments || return 1
	done <<-'DONE'
		names no keys|--benchmarks=fillseq,readseq
		the list has 2|--benchmarks=fillseq,readrandom,overwrite
		the list has 3|--benchmarks=fillseq,readrandom --repeat=3
		leave out --warmup|--benchmarks=fillseq,readrandom --warmup=1
		beside|--benchmarks=fillseq,readwhilewriting
	DONE
	fails 2 'is not overwritten' "$top/bench_lmdb" --db="$work/untouched" --num=10 --record="$work/bad.csv" --benchmarks=fillseq || return 1
	[ ! -e "$work/untouched" ] && [ ! -e "$work/new.csv" ]
}
ok 'what cannot be replayed or recorded is refused in one line, and nothing is touched' refused

# 2000 operations in two seconds; at twice the speed in one. How late a busy machine is does not matter here.
in_their_time () {
	awk 'BEGIN { for (i = 0; i < 2000; i++) printf "%.6f,key%d,4,20,0,%s,0\n", 100 + i / 1000, i % 10, i % 2 ? "get" : "set" }' >"$work/timed.csv"
	bench null --benchmarks=replay --trace="$work/timed.csv" --speed=1 --threads=2 >"$work/out" &&
		row '.ops == 2000 and .seconds >= 1.99 and (.rate / 1000 - 1 | fabs < 0.01) and .start_error_p99_ns != null and .read_resp_p99_ns != null
			and .arrivals == "recorded, at 1 times the speed"' || return 1
	bench null --benchmarks=replay --trace="$work/timed.csv" --speed=2 >"$work/out" && row '.seconds >= 0.99 and (.rate / 2000 - 1 | fabs < 0.01)' || return 1
	bench null --benchmarks=replay --trace="$work/timed.csv" >"$work/out" && row '.rate == null and .start_error_p99_ns == null and .arrivals == null'
}
ok 'at recorded times, or faster, operations are due when the trace says' in_their_time

# A start error is what an open loop's operation waits before it begins: with one that takes long it is long.
start_errors () {
	bench null --benchmarks=readrandom --num=1000 --reads=2000 --rate=1000 >"$work/out" && row '.start_error_p99_ns <= .read_resp_max_ns' || return 1
	awk 'BEGIN { for (i = 0; i < 500; i++) print "0,key,3,20,0,get,0" }' >"$work/burst.csv"
	bench null --benchmarks=replay --trace="$work/burst.csv" --speed=1 >"$work/out" &&
		row '.start_error_p99_ns > 10 * .read_p50_ns and .start_error_p99_ns <= .read_resp_max_ns'
}
ok 'the start error of what is due all at once is the wait for those before it' start_errors

# By workers that are slower than who reads for them. A buffer of 1 MiB and a few blocks for each are all that a trace takes.
little_memory () {
	twitters 400000 >"$work/far.csv" || return 1
	bench null --benchmarks=readrandom --num=1000 --threads=2 >"$work/out" && none=$(tail -n 1 "$work/rows" | jq .peak_rss_kb) &&
		bench null --benchmarks=replay --trace="$work/far.csv" --threads=2 --rate=200k >"$work/out" && row '.ops == 400000' || return 1
	far=$(tail -n 1 "$work/rows" | jq .peak_rss_kb)
	echo "$none KiB without a trace, $far for one of 400,000 lines in $(wc -c <"$work/far.csv") bytes"
	[ "$far" -lt $((none + 2560)) ]
}
ok 'memory does not grow with the trace' little_memory
