# contract.sh: what every engine is asked alike, wherever its records are; sourced by test/cases/engines.sh and servers.sh.
# shellcheck shell=sh disable=SC2154,SC2317 # they have the variables

# run PROGRAM CONFIGURATION ARGUMENTS...: bench_ or conform_ of a configuration, with its options
run () {
	program=$1 configuration=$2
	shift 2
	case $configuration in
	*+*) set -- "--${configuration#*+}" "$@" ;;
	esac
	"$program${configuration%%+*}" "$@"
}

# measure CONFIGURATION ARGUMENTS...: on a database of its own; rows to $work/rows
measure () {
	configuration=$1
	shift
	run "$top/bench_" "$configuration" --db="$work/e-$configuration" --json="$work/rows" "$@" >"$work/out" 2>"$work/err" ||
		{ cat "$work/out" "$work/err"; return 1; }
}

# natives CONFIGURATION WORDS: what it must have, it has; what it has beyond that is said
natives () {
	run "$top/build/conform_" "$1" --facts >"$work/facts" && "$quick_jq" -r '.native[]' "$work/facts" | sort >"$work/has" || return 1
	echo "$2" | tr , '\n' | sed '/^-$/d' | sort >"$work/must"
	comm -23 "$work/has" "$work/must" | sed "s/^/# $1 is new to have natively, and its row in test\/configurations does not: /" \
		>"$work/new"
	gone=$(comm -13 "$work/has" "$work/must" | paste -s -d ' ')
	[ -z "$gone" ] || { echo "$1 must have natively: $gone"; return 1; }
}

# The same is asked of each and must come back: loads, gets, scans, deletes, several threads.
answers () {
	[ "$1" = lmdb ] || [ -s "$work/digests-lmdb" ] || answers lmdb || return 1
	: >"$work/rows"
	measure "$1" --verify=1 --num=5k --threads=3 --batch=100 --seek_nexts=5 --benchmarks="$(echo fillrandbatch \
		filluniquerandom readrandom multireadrandom readmissing readseq readreverse seekrandom overwrite \
		updaterandom readwhilewriting readrandom deleteseq readrandom | tr ' ' ,)" &&
		measure "$1" --verify=1 --num=5k --benchmarks=fillbulk,readseq,fillseqbatch,readrandom,readreverse &&
		jq -es 'all(.[]; .valid == 1 and .wrong == 0 and .errors == 0)' "$work/rows" &&
		"$quick_jq" -r 'select(.benchmark | test("^(readseq|readreverse|multiread|readrandom$)")) |
			[.benchmark, .threads, .digest] | @tsv' "$work/rows" | sed '3,5d' >"$work/digests-$1" &&
		diff "$work/digests-lmdb" "$work/digests-$1"
}

# Every workload there is, by its presets and the rest, each record known: nothing wrong, missing or out of order.
does_all () {
	rm -f "$work/rows"
	# sled has no durability that reaches the device, as two of these ask for
	presets='ycsb ucsb bangdb-6 voron' synced=,fillsync,fillseqsync
	[ "${1%-*}" != sled ] || presets='ycsb ucsb bangdb-6' synced=
	for preset in $presets
	do
		sizes=
		[ "$1" != aio ] || [ "$preset" != bangdb-6 ] || sizes=--value_size=400
		measure "$1" --preset="$preset" --num=2000 --verify=1 --cache_size=256Mi --write_buffer_size=64Mi $sizes || return 1
	done
	measure "$1" --num=2000 --threads=3 --verify=1 --key_format=hex --txn=1 --txn_reads=5 --scan_length=1-20 --batch=50 \
		--mix=read:50,update:30,rmw:10,scan:5,insert:3,delete:2 --benchmarks="fillrandom,fillseqbatch,mix,ycsb-d,ycsb-e,compact,\
readwhilescanning,seekrandomwhilewriting,multireadrandom,mix,scan,waitforcompaction,readhot,seekordered,overwritebatch" \
		--key_size=24 --value_size=100 || return 1
	[ "$1" = aio ] || measure "$1" --num=2000 --verify=1 --benchmarks=fill100K,fillrandbatch$synced || return 1
	jq -es 'all(.[]; .valid == 1 and .wrong == 0 and .lost == 0 and .errors == 0 and
		(.out_of_order == 0 or (.out_of_order == null and (.emulated | contains("the order of keys")))))' "$work/rows" &&
		"$top/test/empty.sh" "$work/rows"
}
