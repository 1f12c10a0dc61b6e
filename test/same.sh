#!/bin/sh
# same.sh [--map=FILTER] OTHER [ENGINE ...]: runs the programs of this tree and of another built tree on every workload with
# one seed, and compares their rows except for times, places and versions. It is for a change that must not change results.
# FILTER is a jq program for the rows of the other tree, such as renames its columns if their schema is an older one.
# Prints the number of rows compared and those that differ; the status is 1 if any row differs.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
. "$(dirname "$0")/fills.sh"
map=
case ${1-} in
--map=?*)
	map=$(realpath "${1#*=}")
	shift
	;;
esac
[ $# -ge 1 ] || { echo "same.sh: usage: test/same.sh [--map=FILTER] OTHER_TREE [ENGINE ...]" >&2; exit 2; }
other=$(cd "$1" && pwd)
shift
# gojq begins in 2 ms of CPU, jq in 35
quick_jq=$(command -v gojq || echo jq)
[ $# -gt 0 ] || set -- null lmdb rocksdb leveldb wiredtiger bdb sqlite kyoto aio
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

# What must be equal. Beside a writer it depends on who is first, and so does what conflicts.
columns='["benchmark", "threads", "num", "key_size", "key_format", "value_size", "value_sizes", "batch_size", "distribution", "mix",
	"scan_length", "txn_reads", "txn", "durability", "durability_effective", "compression", "seed", "iteration", "valid", "partial", "emulated",
	"touch", "invalid_reason", "ops", "reads", "writes", "scans", "entries", "found", "missing", "lost", "wrong", "out_of_order", "errors",
	"bytes", "distinct_keys", "top1pct_fraction", "digest", "commits"]'
apart='["writes", "scans", "found", "bytes", "digest", "commits", "entries"]'

# run TREE ENGINE LIST ARGUMENTS...: its rows, one a line, to stdout
run () {
	tree=$1 engine=$2 list=$3
	shift 3
	rm -f "$work/rows"
	"$tree/bench_$engine" --db="$work/db-$engine" --json="$work/rows" --num=2000 --seed=7 --benchmarks="$list" "$@" \
		>"$work/out" 2>&1 || :
	[ -e "$work/rows" ] || { echo "no row"; return; }
	if [ "$map" ] && [ "$tree" = "$other" ]
	then
		jq -c -f "$map" "$work/rows" >"$work/mapped"
		mv "$work/mapped" "$work/rows"
	fi
	# shellcheck disable=SC2016 # jq's own
	"$quick_jq" -c --argjson columns "$columns" --argjson apart "$apart" '
		. as $row | [($columns[] | select(($row.benchmark | test("while") | not) or (. as $c | $apart | index($c) | not))) as $c |
			{key: $c, value: $row[$c]}] | from_entries' "$work/rows"
}

rows=0 differing=0 new=''
# both ENGINE LIST ARGUMENTS...
both () {
	run "$here" "$@" >"$work/ours"
	run "$other" "$@" >"$work/theirs"
	rows=$((rows + $(wc -l <"$work/ours")))
	cmp -s "$work/ours" "$work/theirs" && return
	differing=$((differing + 1))
	echo "differs: $*"
	diff "$work/theirs" "$work/ours" | head -n 4 | cut -c 1-600
}

for engine
do
	if [ ! -x "$here/bench_$engine" ] || [ ! -x "$other/bench_$engine" ]
	then
		echo "bench_$engine: not built in both"
		continue
	fi
	# programs before 0.3.0 print no header
	{ "$other/bench_$engine" --workloads=tsv 2>/dev/null || "$other/bench_$engine" --workloads; } | cut -f 1 >"$work/known"
	for workload in $("$here/bench_$engine" --workloads=tsv | sed 1d | cut -f 1)
	do
		grep -q -x "$workload" "$work/known" || { new="$new $workload"; continue; }
		case $workload in
		# these take their time, and what they read depends on who writes beside them
		stats | wait | qr* | qp*) continue ;;
		esac
		fill_for "$workload"
		both "$engine" "$fill${fill:+,}$workload" --verify=1 ${more:+"$more"}
		case $workload in
		readrandomwriterandom) ;;
		read* | seek* | multiread*) both "$engine" "$fill${fill:+,}$workload@3" --touch=first --txn_reads=10 ;;
		mix) both "$engine" "$fill,mix" --mix=read:5,scan:1,insert:3,delete:3,rmw:2 --txn=1 --distribution=zipfian ;;
		esac
	done
done
[ -z "$new" ] || echo "only here: $(echo "$new" | tr ' ' '\n' | sort -u | paste -s -d ' ')"
echo "$rows rows compared, $differing command lines differ"
[ "$differing" -eq 0 ]
