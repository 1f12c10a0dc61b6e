#!/bin/sh
# parity.sh: engines' own benchmarks and bench_NAME, in turn; see --help.
# shellcheck disable=SC2317 # called by the engine's name
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'packages of Debian' "$@"

engines='rocksdb leveldb'
markdown=
case ${1-} in
'') ;;
--markdown) markdown=1 ;;
--help)
	cat <<END
usage: make bench-parity, or scripts/parity.sh [--markdown]

Checks that bench_NAME measures the same time per operation as the engine's own benchmark, db_bench,
on the same library. Both run in turn. bench_NAME has db_bench's defaults, by --preset=db_bench.
Both have a cache of 32 MiB, as the default differs between versions, and incompressible values, as
they make others differently.

Prints the median time per operation of both programs, and two ratios, bench_NAME / db_bench, each
the median of the rounds: of the whole time, and of the engine's calls alone. The rest of
bench_NAME's time generates keys and values and reads the clock. The programs agree if a ratio is
within 3 % of 1. If only that of the calls is, the rest is the cause, and is printed.

RocksDB's db_bench is in Debian's rocksdb-tools. LevelDB's is built from Debian's sources, which
scripts/engine.sh fetches. Needs jq, built programs and, for LevelDB's, g++ and libgmock-dev. It
takes about ten minutes.

  --markdown  print the table in Markdown, for docs/

From the environment:
  ROUNDS   number of runs of each program; they take turns to be first [9]
  NUM      number of records, without suffix [500000]
  ENGINES  engines, separated by blanks [$engines]

Exit status: 0 all agree, at least in the calls; 1 some do not, or a run failed; 2 wrong
arguments.
END
	exit 0
	;;
*) fail 2 "takes --markdown only; see --help" ;;
esac

cd "$(dirname "$0")/.."
. scripts/tools/stats.sh
rounds=${ROUNDS:-9}
num=${NUM:-500000}
engines=${ENGINES:-$engines}
list=fillrandom,overwrite,compact,readrandom,seekrandom
whole ROUNDS "$rounds" 1
whole NUM "$num" 1
needs jq
TMPDIR=${TMPDIR:-$PWD/build}
make_work

parity_find_rocksdb () {
	command -v db_bench || fail 1 "db_bench is not installed; apt install rocksdb-tools"
}

# Its tools for tests want headers of a package, of which nothing is linked.
parity_find_leveldb () {
	archive=build/engines/archives/$(awk '$1 == "leveldb" { print $5; exit }' \
		engines/sources.tsv)
	[ -e "$archive" ] || scripts/engine.sh build leveldb-1.23 >&2
	scripts/install-deps.sh g++ libgmock-dev >&2
	mkdir -p "$work/leveldb/port"
	tar -xf "$archive" -C "$work/leveldb" --strip-components=1
	: >"$work/leveldb/port/port_config.h"
	(
		cd "$work/leveldb"
		c++ -std=c++14 -O2 -DLEVELDB_PLATFORM_POSIX=1 -I. -Iinclude \
			benchmarks/db_bench.cc util/histogram.cc util/testutil.cc \
			util/crc32c.cc -o db_bench -lleveldb -lpthread
	) >"$work/log" 2>&1 ||
		fail 1 "LevelDB's db_bench did not build: $(grep -m 1 error "$work/log")"
	echo "$work/leveldb/db_bench"
}

# theirs, ours: a line for each benchmark, with its name and us per operation; ours also
# those of the engine call
parity_theirs () {
	"$program" --benchmarks="$list" --num="$num" --db="$work/theirs" \
		--compression_ratio=1 --cache_size=33554432 \
		>"$work/out" 2>"$work/log" || fail 1 "$program: $(tail -n 1 "$work/log")"
	sed -n 's/^\([a-z]*\) *: *\([0-9.]*\) micros\/op.*/\1 \2/p' "$work/out"
}
parity_ours () {
	rm -f "$work/row"
	"./bench_$engine" --preset=db_bench --benchmarks="$list" --num="$num" \
		--compression_ratio=1 --cache_size=33554432 \
		--db="$work/ours-$engine" --json="$work/row" >"$work/out" 2>"$work/log" ||
		fail 1 "bench_$engine: $(tail -n 1 "$work/log")"
	jq -r 'select(.valid == 1) |
		((.write_mean_ns // .read_mean_ns // .scan_mean_ns // 0) / 1000) as $call
		| "\(.benchmark) \(.seconds * 1e6 / .ops) \($call)"' "$work/row"
}

# parity_row CELL...: of the table
parity_row () {
	if [ "$markdown" ]
	then
		printf '| %s | %s | %s | %s | %s | %s | %s |\n' "$@"
	else
		printf '%-10s %-12s %10s %10s %7s %7s  %s\n' "$@"
	fi
}

# parity_number EXPRESSION: the median over the rounds, of $ours, $call and $theirs in us
parity_number () {
	awk -v benchmark="$benchmark" \
		"\$1 == benchmark { ours = \$2; call = \$3; theirs = \$5; print $1 }" \
		"$work/figures" | stats_median
}

# parity_judge: $verdict on $ratio and $calls
parity_judge () {
	verdict=$(awk -v ratio="$ratio" -v calls="$calls" \
		-v rest="$(parity_number '(ours - call) * 1000')" '
		function agrees(x) { return x >= 0.97 && x <= 1.03 }
		BEGIN {
			but = sprintf("agrees but for %.0f ns of ours", rest)
			print agrees(ratio) ? "agrees" : agrees(calls) ? but : "OFF"
		}')
	[ "$verdict" != OFF ] || broken=1
}

broken=0
parity_row engine benchmark 'theirs, us' 'ours, us' ratio calls verdict
[ ! "$markdown" ] || echo '|---|---|---|---|---|---|---|'
for engine in $engines
do
	case $engine in
	rocksdb | leveldb) ;;
	*) fail 2 "ENGINES: $engine has no benchmark of its own here; see --help" ;;
	esac
	needs_built "bench_$engine" 1
	program=$("parity_find_$engine")
	: >"$work/theirs-figures"
	: >"$work/ours-figures"
	for round in $(seq "$rounds")
	do
		[ $((round % 2)) -eq 1 ] || parity_ours >>"$work/ours-figures"
		parity_theirs >>"$work/theirs-figures"
		[ $((round % 2)) -eq 0 ] || parity_ours >>"$work/ours-figures"
	done
	paste -d ' ' "$work/ours-figures" "$work/theirs-figures" >"$work/figures"
	awk 'NF != 5 || $1 != $4 { exit 1 }' "$work/figures" ||
		fail 1 "$program did not print a time of each of $list"
	for benchmark in fillrandom overwrite readrandom seekrandom
	do
		ratio=$(parity_number 'ours / theirs')
		calls=$(parity_number 'call / theirs')
		parity_judge
		parity_row "$engine" "$benchmark" "$(printf %.2f "$(parity_number theirs)")" \
			"$(printf %.2f "$(parity_number ours)")" "$(printf %.3f "$ratio")" \
			"$(printf %.3f "$calls")" "$verdict"
	done
done
echo
echo "Medians of $rounds rounds of $num records on $(uname -srm), $(nproc) CPUs," \
	"$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1); repeat with: make bench-parity"
exit $broken
