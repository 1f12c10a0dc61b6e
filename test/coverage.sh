#!/bin/sh
# coverage.sh DIRECTORY: which lines of util/, of bench.c and of each driver the tests execute; `make coverage` runs it.
#
# Makes a copy of this tree in DIRECTORY, builds it there for gcov, and runs what has much to say in a few minutes: the
# tests of util, the contract held against each driver, each driver at each durability, and these parts of test.sh:
# PARTS, options workloads load conditions devices faults unless it is given. Prints the lines of each file that were executed, then
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
bench () {
	run "./bench_$engine" --db="$work/db-$engine" --num=2k --verify=1 --check_space=0 "$@"
}
# refused LIMITS ARGUMENTS...: so it must not work
refused () {
	limits=$1
	shift
	! sh -c "${limits:-exec}"' "$@"' sh "./bench_$engine" --db="$work/db-$engine" --num=2k --hang_timeout=30 --check_space=0 "$@" \
		>"$work/out" 2>&1 || echo "coverage.sh: works: $engine $limits $*" >&2
}
for engine in $(make -s engines)
do
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
	bench --benchmarks=fillseqbatch,overwritebatch --threads=8 --writes=2k --batch=20
	# what has no room, and what is damaged: the engine's own words for it
	[ "$engine" = null ] || refused "ulimit -f 200; exec" --benchmarks=fillrandom --num=50k --cache_size=8Mi --write_buffer_size=4Mi
	bench --benchmarks=fillseqbatch --settle=1
	[ "$engine" = null ] || find "$work/db-$engine/data" -type f -size +0 -exec truncate -s 97 '{}' +
	[ "$engine" = null ] || refused '' --benchmarks=readseq --use_existing_db=1
done
# ENGINE|its own options
while IFS='|' read -r engine arguments
do
	# shellcheck disable=SC2086 # words, on purpose
	[ ! -x "bench_$engine" ] || bench --benchmarks=fillrandom,overwrite,readrandom,readseq,compact,stats --settle=1 \
		--show_options=1 --writes=500 --hang_timeout=30 $arguments
done <<'END'
lmdb|--writemap=1 --durability=async
lmdb|--writemap=1 --durability=none
lmdb|--metasync=0 --readahead=0 --intkey=1
null|--null_get_ns=1000 --null_put_ns=100000 --null_stall_every=100 --null_stall_ms=1
null|--null_conflict_every=7
sqlite|--journal=delete --page_size=8192
sqlite|--journal=memory --durability=none --mmap_size=16Mi
sqlite|--wal_autocheckpoint=10
wiredtiger|--type=lsm --bloom=0 --num=50k --write_buffer_size=1Mi
wiredtiger|--intkey=1 --checkpoint=1 --log_file_max=1Mi
wiredtiger|--leaf_page_max=4Ki --compression=snappy
rocksdb|--prefix_size=8 --bloom_bits=10
rocksdb|--direct_reads=1 --background_jobs=2 --block_size=8Ki
rocksdb|--mmap_reads=1 --compression=lz4
bdb|--chksum=1 --pagesize=8Ki --lg_bsize=1Mi --checkpoint_bytes=64Ki
END
# shellcheck disable=SC2086 # words, on purpose
./test.sh ${PARTS-options workloads load conditions devices faults} >"$work/tests" 2>&1 || grep '^not ok' "$work/tests" >&2 || :

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
