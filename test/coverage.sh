#!/bin/sh
# coverage.sh DIRECTORY: which lines of util/, of bench.c and of each driver the tests execute; `make coverage` runs it.
#
# Makes a copy of this tree in DIRECTORY, builds it there for gcov, and runs what has much to say in a few minutes: the
# tests of util, the contract held against each driver, each driver at each durability, and these parts of test.sh:
# PARTS, options workloads conditions faults unless it is given. Prints the lines of each file that were executed, then
# every function with lines that were not, and why: test/uncovered.tsv has the reasons, a line each of file, function
# and reason; `*` is all functions of the file that were executed in part. Exit status 1: a file is below its share, a
# function has no reason, or a reason no function.
set -eu
export LC_ALL=C.UTF-8

top=$(cd "$(dirname "$0")/.." && pwd -P)
[ $# -eq 1 ] || { echo 'usage: test/coverage.sh DIRECTORY' >&2; exit 2; }
mkdir -p "$1"
tree=$(cd "$1" && pwd -P)
for name in Makefile README.md CHANGELOG LICENSE bench.c bench test.sh engines scripts test util results .ci
do
	[ ! -e "$top/$name" ] || cp -R "$top/$name" "$tree"
done
cd "$tree"
find build -name '*.gcda' -exec rm '{}' + 2>/dev/null || :
make -s -j2 OPT='-O0 --coverage -fprofile-update=atomic' all build/unit conform
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR="$work"

# run COMMAND...: it counts whether it fails or not, but it is said: here is no place for tests
run () {
	"$@" >"$work/out" 2>&1 || { echo "coverage.sh: exit status $?: $*" >&2; tail -n 3 "$work/out" >&2; }
}
run build/unit
for engine in $(make -s engines)
do
	bench () {
		run "./bench_$engine" --db="$work/db-$engine" --num=2k --verify=1 --check_space=0 "$@"
	}
	for word in --help --version --man
	do
		run "./bench_$engine" $word
	done
	mkdir "$work/conform-$engine"
	[ "$engine" = null ] || run "build/conform_$engine" --db="$work/conform-$engine"
	for durability in none async sync
	do
		bench --durability=$durability --threads=3 --batch=100 --settle=1 --show_options=1 --histogram=1 --reopen=1 --writes=50 \
			--benchmarks=fillrandbatch,filluniquerandom,overwrite,multireadrandom,readreverse,compact,stats,deleteseq
	done
	bench --benchmarks=fillbulk,readseq,waitforcompaction,updaterandom,mix --txn=1 --txn_reads=5 --mix=read:5,rmw:3,insert:1,delete:1 --reads=500
	bench --benchmarks=fillseqbatch,readwhilewriting,readrandom --threads=2 --reads=20k --cold=1
done
# shellcheck disable=SC2086 # words, on purpose
./test.sh ${PARTS-options workloads conditions faults} >"$work/tests" 2>&1 || grep '^not ok' "$work/tests" >&2 || :

# Lines of all objects: executed, if it was in any. Headers are in many; the null engine is the floor, too.
find build -name '*.gcno' | while IFS= read -r notes
do
	gcov --json-format --stdout "$notes" 2>/dev/null
done | jq -s --arg top "$tree/" '
	[.[].files[] | (.file | ltrimstr($top)) as $file | select($file | test("^(util|bench|engines)/|^bench[.]c$")) |
		.lines[] | {file: $file, line: .line_number, in: .function_name, count}] |
	group_by(.file) | map({file: .[0].file, lines: (group_by(.line) | map({line: .[0].line, in: .[0].in, count: (map(.count) | add)}))}) |
	map(. + {of: (.lines | length), done: (.lines | map(select(.count > 0)) | length)})' >"$work/lines.json"

# what a file must reach, in percent
least () {
	case $1 in
	util/*.c | bench/*.c | bench.c) echo 92 ;;
	engines/*.c) echo 85 ;;
	*) echo 0 ;;
	esac
}
below=0
printf '%-24s %6s %8s %7s %6s\n' file lines executed percent least
jq -r '.[] | [.file, .of, .done, (1000 * .done / .of | floor / 10)] | @tsv' "$work/lines.json" >"$work/table"
while read -r file of executed percent
do
	want=$(least "$file")
	word=
	jq -en "$percent >= $want" >/dev/null || { word='  BELOW'; below=$((below + 1)); }
	printf '%-24s %6d %8d %7s %6s%s\n' "$file" "$of" "$executed" "$percent" "$want" "$word"
done <"$work/table"

# A function of which no line was executed needs a reason of its own.
jq -r '.[] | .file as $file | .lines | group_by(.in)[] | select(any(.[]; .count == 0)) |
	[$file, .[0].in // "-", (if all(.[]; .count == 0) then "whole" else "part" end),
		(map(select(.count == 0).line) | map(tostring) | join(" "))] | @tsv' "$work/lines.json" >"$work/uncovered"
echo
awk -F '\t' '
	NR == FNR { if ($0 !~ /^#/ && NF) { reason[$1, $2] = $3; } next }
	{
		why = ($1, $2) in reason ? reason[$1, $2] : $3 == "part" ? reason[$1, "*"] : ""
		used[$1, $2] = used[$1, "*"] = 1
		printf "%s %s: %s\n\t%s\n", $1, $2, $4, why == "" ? "NO REASON" : why
		bad += why == ""
	}
	END {
		for (key in reason)
			if (!(key in used)) {
				split(key, part, SUBSEP)
				printf "%s %s: it was executed, or is no more; take it out of test/uncovered.tsv\n", part[1], part[2]
				bad++
			}
		exit bad > 0
	}' "$top/test/uncovered.tsv" "$work/uncovered" || below=$((below + 1))
[ $below -eq 0 ] || { echo "coverage.sh: below its share, or without a reason: $below" >&2; exit 1; }
