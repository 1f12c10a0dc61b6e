#!/bin/sh
# duet-trials.sh: how often duet.sh finds what is there, and what is not; see --help.
set -eu
. "$(dirname "$0")/../scripts/common.sh"
needs_linux 'duet.sh' "$@"

trials=20 loops=2 engines=lmdb,leveldb,rocksdb percents=1,2,3,5
for argument
do
	value=${argument#*=}
	case $argument in
	--help)
		cat <<END
usage: test/duet-trials.sh [--trials=N] [--loops=N] [--engines=A,B,...] [--percents=A,B,...]
       [option of duet.sh ...]

Compares by scripts/duet.sh, N times each [20], while so many loops keep cores busy [2]: each engine
with itself (readrandom and seekrandom), and bench_null with one whose reads take so many percent
more [1,2,3,5]. Prints a line for each: the true difference in percent, how many trials there were, in how
many of them a difference was found, in how many the interval has the true one, the mean of
the differences found, the mean deviation of a round, and the mean time of a trial, seconds.
END
		exit
		;;
	--trials=?*) whole --trials "$value" 1; trials=$value; shift ;;
	--loops=?*) whole --loops "$value"; loops=$value; shift ;;
	--engines=?*) engines=$value; shift ;;
	--percents=?*) percents=$value; shift ;;
	*) shift; set -- "$@" "$argument" ;;
	esac
done
needs jq
make_work
busy=
trap 'kill $busy 2>"$work/killed" || :; rm -rf "$work"' EXIT
for _ in $(seq "$loops")
do
	sh -c 'while :; do :; done' &
	busy="$busy $!"
done

# measured NAME PERCENT OLD NEW OPTION...
measured () {
	name=$1 truth=$2 old=$3 new=$4
	shift 4
	for trial in $(seq "$trials")
	do
		"$(dirname "$0")/../scripts/duet.sh" --out="$work/$name-$trial" --old="$old" \
			--new="$new" --seed="$trial" "$@" >&2 || [ $? -eq 1 ] || exit 1
		cat "$work/$name-$trial/duet.json"
	done | jq -rs --arg name "$name" --argjson truth "$truth" 'map(.[0]) |
		def mean: add / length * 100 | round / 100;
		[$name, $truth, length,
			(map(select(.verdict == "faster" or .verdict == "slower")) | length),
			(map(select(1 / .ratio_high <= 1 + $truth / 100 and
				1 / .ratio_low >= 1 + $truth / 100)) | length),
			(map(100 / .ratio - 100) | mean), (map(100 * .round_deviation) | mean),
			(map(.took_s) | mean)] | @tsv'
}

printf 'case\ttruth\ttrials\tfound\tcovered\tmean\tdeviation\tseconds\n'
for percent in $(echo "$percents" | tr , ' ')
do
	measured "null-$percent" "$percent" null+null_get_ns=1000 \
		"null+null_get_ns=$((1000 + 10 * percent))" --num=100k --within=0.1 "$@"
done
for engine in $(echo "$engines" | tr , ' ')
do
	for benchmark in readrandom seekrandom
	do
		measured "$engine-$benchmark" 0 "$engine" "$engine" --num=100k --seconds=2 \
			--benchmarks=$benchmark "$@"
	done
done
