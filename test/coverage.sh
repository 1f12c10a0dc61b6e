#!/bin/sh
# coverage.sh DIRECTORY: which lines of util/, of bench.c and of each driver the tests execute; `make coverage` runs it.
#
# Makes a copy of this tree in DIRECTORY, builds it there for gcov, and runs what has much to say in a quarter of an hour: the
# tests of util, the contract held against each driver, each driver at each durability, and these parts of test.sh:
# PARTS, or those below unless it is given. Prints the lines of each file that were executed, then
# every function with lines that were not, and why: test/uncovered.tsv has the reasons, a line each of file, function
# and reason. The lines of a function with a reason of its own do not count; `*` is those that were executed in part, of a
# file or of a directory, and theirs do; what is met by chance says so. Exit status 1: a file is below its share, a function has no reason, or a reason
# no function.
set -eu
export LC_ALL=C.UTF-8

top=$(cd "$(dirname "$0")/.." && pwd -P)
[ $# -eq 1 ] || { echo 'usage: test/coverage.sh DIRECTORY' >&2; exit 2; }
mkdir -p "$1"
tree=$(cd "$1" && pwd -P)
for name in Makefile README.md CHANGELOG LICENSE bench.c bench docs test.sh engines scripts test util results .ci
do
	[ ! -e "$top/$name" ] || cp -R "$top/$name" "$tree"
done
cd "$tree"
find build -name '*.gcda' -exec rm '{}' + 2>/dev/null || :
# also for what tests build: by other flags all would be built again, and count nothing
export CC="${CC:-gcc} --coverage -fprofile-update=atomic" MAKEFLAGS=' -- OPT=-Og'
make -s -j2 all build/unit build/smallbank build/hdrmerge conform
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR="$work"

# run COMMAND...: it counts whether it fails or not, but it is said: here is no place for tests
run () {
	"$@" >"$work/out" 2>&1 || { echo "coverage.sh: exit status $?: $*" >&2; tail -n 3 "$work/out" >&2; }
}
run build/unit
run build/smallbank
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
	for word in --help --help=db_bench --version --man --options --columns --workloads --presets
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
	# not every engine has it
	"./bench_$engine" --db="$work/db-$engine" --benchmarks=fillseq --compression=zlib --num=100 >"$work/out" 2>&1 || :
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
lmdb|--preset=insert-benchmark --benchmarks=l.i0,l.x,qr100 --warmup=0.1 --duration=0.3
null|--null_get_ns=1000 --null_put_ns=100000 --null_stall_every=100 --null_stall_ms=1
null|--null_conflict_every=7
null|--format=gobench --repeat=2 --isolate=1
null|--format=leveldb
null|--format=dbbench
null|--hdr=hdr --stats_interval=500 --stats_interval_seconds=0.1 --report_file=report --report_interval_seconds=0.1 --duration=0.3
sqlite|--journal=delete --page_size=8192
sqlite|--journal=memory --durability=none --mmap_size=16Mi
sqlite|--wal_autocheckpoint=10
wiredtiger|--type=lsm --bloom=0 --num=50k --write_buffer_size=1Mi
wiredtiger|--intkey=1 --checkpoint=1 --log_file_max=1Mi
wiredtiger|--leaf_page_max=4Ki --compression=snappy
rocksdb|--prefix_size=8 --bloom_bits=10 --benchmarks=fillrandom,overwrite,readrandom,compact,stats
rocksdb|--direct_reads=1 --background_jobs=2 --block_size=8Ki --rocksdb_options=max_open_files=100
rocksdb|--mmap_reads=1 --compression=lz4
bdb|--chksum=1 --pagesize=8Ki --lg_bsize=1Mi --checkpoint_bytes=64Ki
END
# shellcheck disable=SC2086 # words, on purpose
./test.sh ${PARTS-options workloads load conditions devices faults smallbank insertbench mixgraph traces age clients \
	servers storage versions} >"$work/tests" 2>&1 || grep '^not ok' "$work/tests" >&2 || :

run ./bench_null --benchmarks=readrandom --num=10 --label="$(printf 'two\nlines')"

# Lines of all objects: executed, if it was in any. Headers are in many; the null engine measures the baseline, too.
find build -name '*.gcno' | while IFS= read -r notes
do
	gcov --json-format --stdout "$notes" 2>/dev/null
done | jq -s --arg top "$tree/" '
	[.[].files[] | (.file | ltrimstr($top)) as $file | select($file | test("^(util|bench|engines)/|^bench[.]c$")) |
		.lines[] | {file: $file, line: .line_number, in: .function_name, count}] |
	group_by([.file, .line])[] | [.[0].file, .[0].line, .[0].in // "-", (map(.count) | add)] | @tsv' -r >"$work/lines"

awk -F '\t' '
	# what a file must reach, in percent
	function least(name) { return name ~ /^engines\/.*[.]c$/ ? 85 : name ~ /[.]c$/ ? 92 : 0 }
	function why(name, in_, executed) {
		room = name
		sub(/[^\/]*$/, "", room)
		return (name, in_) in reason ? reason[name, in_] : !executed ? "" : (name, "*") in reason ? reason[name, "*"] : reason[room, "*"]
	}
	NR == FNR { if ($0 !~ /^#/ && NF) reason[$1, $2] = $3; next }
	{
		if (!($1 in of))
			file[++files] = $1
		of[$1]++
		done[$1] += $4 > 0
		if (!(($1, $3) in seen)) {
			seen[$1, $3] = 1
			functions[$1] = functions[$1] "\t" $3
		}
		if ($4 > 0)
			executed[$1, $3] = 1
		else
			left[$1, $3] = left[$1, $3] " " $2
		excused[$1] += !$4 && ($1, $3) in reason
	}
	END {
		printf "%-24s %6s %8s %7s %6s\n", "file", "lines", "executed", "percent", "least"
		for (i = 1; i <= files; i++) {
			name = file[i]
			share = 100 * done[name] / (of[name] - excused[name])
			word = share < least(name) ? "  BELOW" : ""
			bad += word != ""
			printf "%-24s %6d %8d %6.1f%% %6d%s\n", name, of[name], done[name], share, least(name), word
		}
		for (i = 1; i <= files; i++) {
			k = split(functions[file[i]], list, "\t")
			for (j = 2; j <= k; j++) {
				if (!((file[i], list[j]) in left))
					continue
				text = why(file[i], list[j], (file[i], list[j]) in executed)
				printf "%s %s:%s\n\t%s\n", file[i], list[j], left[file[i], list[j]], text == "" ? "NO REASON" : text
				bad += text == ""
			}
		}
		for (key in reason) {
			split(key, part, SUBSEP)
			if (part[2] != "*" && !(key in left) && reason[key] !~ /by chance/) {
				printf "%s %s: it was executed, or is no more; take it out of test/uncovered.tsv\n", part[1], part[2]
				bad++
			}
		}
		if (bad)
			printf "below its fraction, without a reason, or with an unnecessary one: %d\n", bad
		exit bad > 0
	}' "$top/test/uncovered.tsv" "$work/lines"
