#!/bin/sh
# harness-overhead.sh: what the harness costs, and the bounds for it; see --help.
# shellcheck disable=SC2317 # called by name, through ratios
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'nproc' "$@"

case ${1-} in
'') ;;
--help)
	cat <<END
usage: make bench-harness

Checks how much time the benchmark program itself takes per operation, apart from the engine.
It builds what is needed and runs scripts/harness-overhead.sh. Each printed line has a measured
value and the bound that it must keep: time relative to a benchmark loop like that of other tools,
time relative to loops written by hand around each engine, and instructions per operation. Needs
jq, and valgrind for the instructions.

From the environment:
  ROUNDS  number of runs of each, of which the median counts [7]
  READS   number of operations of a run [5m]
  PAIRS   number of pairs of runs with and without --slow_calls [41]

Exit status: 0 every bound holds, 1 some does not or a run failed, 2 wrong arguments.
END
	exit 0
	;;
*)
	fail 2 "takes no arguments; see --help"
	;;
esac

cd "$(dirname "$0")/.."
. scripts/tools/stats.sh
make_work
rounds=${ROUNDS:-7}
reads=${READS:-5m}
pairs=${PAIRS:-41}
broken=0

# overhead_figure EXPRESSION BENCHMARK ARGUMENTS...: of one run of bench_null
overhead_figure () {
	expression=$1 benchmark=$2
	shift 2
	rm -f "$work/row"
	./bench_null --benchmarks="$benchmark" "$@" --json="$work/row" >"$work/out"
	jq "$expression" "$work/row"
}

# overhead_line WHAT FIGURE BOUND(<=|>=) LIMIT HOW
overhead_line () {
	if jq -en "$2 $3 $4" >/dev/null
	then
		verdict=holds
	else
		verdict='DOES NOT HOLD'
		broken=1
	fi
	printf '%-58s %9.3f  %s %-6s %-14s %s\n' "$1" "$(jq -n "$2")" "$3" "$4" "$verdict" "$5"
}

# Instructions an operation costs: the difference of two run lengths.
overhead_instructions () {
	for reads_now in 400000 4400000
	do
		valgrind --tool=callgrind --callgrind-out-file="$work/callgrind.$reads_now" \
			./bench_null --benchmarks=readrandom --num=1m --supervise=0 --touch="$1" \
			--distribution="${2-auto}" --reads=$reads_now >"$work/out" 2>&1
		sed -n 's/^summary: //p' "$work/callgrind.$reads_now"
	done | jq -s '(.[1] - .[0]) / 4000000'
}

# overhead_ratio ROUNDS OURS THEIRS: the median ratio of two commands' figures
overhead_ratio () {
	stats_in_turn "$@" | stats_median_ratio
}

# overhead_of_peer ARGUMENTS HISTOGRAM: the time of an operation / that in the peer's loop
overhead_of_peer () {
	overhead_ratio "$rounds" "overhead_time $1" "build/peerloop 5000000 $2"
}

# Reads a second of one thread, of two threads, and of two processes at once with one
# thread each, which is what the machine allows: medians, each as a ratio to one thread.
overhead_scaling () {
	for _ in $(seq "$rounds")
	do
		one=$(overhead_figure .ops_per_sec readrandom --reads=50m)
		threads=$(overhead_figure .ops_per_sec readrandom --reads=50m --threads=2)
		rm -f "$work/other"
		./bench_null --benchmarks=readrandom --reads=50m --json="$work/other" >"$work/log" &
		first=$(overhead_figure .ops_per_sec readrandom --reads=50m)
		wait
		jq -n "$threads / $one, ($first + $(jq .ops_per_sec "$work/other")) / $one" |
			paste -sd ' ' -
	done >"$work/scaling"
	jq -cn "[$(cut -d ' ' -f 1 "$work/scaling" | stats_median),
		$(cut -d ' ' -f 2 "$work/scaling" | stats_median)]"
}

# The quiet tenth of many short runs, since noise only ever adds.
overhead_quiet () {
	jq -s 'sort | .[length / 10 | floor]'
}

# How far median and mean are off a latency that is known, whichever is worse.
overhead_known_latency () {
	for _ in $(seq 60)
	do
		overhead_figure '[.read_p50_ns, .read_mean_ns] | map(. / 1000 - 1 | fabs) | max' \
			readrandom --reads=1k --null_get_ns=1000
	done | overhead_quiet
}

# By how much reported response times of Poisson arrivals are off those that Lindley's
# recursion makes of the scheduled starts and ends of operations: the mean, median, 99th
# percentile or longest, whichever is worst. It is so however busy the machine is.
overhead_waits () {
	rm -f "$work/row"
	build/trace/bench_null --benchmarks=readrandom --num=1m --reads=20k \
		--null_get_ns=30000 --rate=20k --arrivals=poisson \
		--json="$work/row" >"$work/out" 2>"$work/trace"
	awk -v reported="$(jq -r '[.read_resp_mean_ns, .read_resp_p50_ns, .read_resp_p99_ns,
		.read_resp_max_ns, .read_mean_ns, .ops, .start_error_p99_ns,
		.read_resp_stddev_ns] | join(" ")' "$work/row")" -v arrivals=poisson \
		-v rate=20000 -f test/waits.awk "$work/trace" | sed -n 's/^off by //p'
}

# overhead_time BENCHMARK ARGUMENTS...: nanoseconds of an operation
overhead_time () {
	overhead_figure '.seconds * 1e9 / .ops' "$@"
}
overhead_without_timeline () {
	overhead_figure .ops_per_sec readrandom --threads="$(nproc)" --duration=3 "$@"
}
overhead_with_timeline () {
	overhead_without_timeline --timeline="$work/timeline"
}
# The rate while the thread had a core: other programs may take it in either run.
rate_with_core='.ops / (.seconds - (.runnable_us_per_op // 0) * .ops / 1e6)'
overhead_without_slow_calls () {
	overhead_figure "$rate_with_core" readrandom --num=1m --reads=20m "$@"
}
overhead_with_slow_calls () {
	overhead_without_slow_calls --slow_calls=100
}

printf '%-58s %9s  %-9s %-14s %s\n' what figure bound verdict how
if command -v valgrind >/dev/null
then
	overhead_line 'instructions a read, nothing touched' \
		"$(overhead_instructions none)" '<=' 75 'callgrind, two run lengths'
	uniform=$(overhead_instructions all)
	overhead_line 'instructions a read, every byte touched' "$uniform" '<=' 117 \
		'callgrind, two run lengths'
	overhead_line 'instructions that a zipfian draw adds' \
		"$(overhead_instructions all zipfian) - $uniform" '<=' 93 \
		'the same, --distribution=zipfian'
	overhead_line 'instructions that a scrambled zipfian draw adds' \
		"$(overhead_instructions all scrambled_zipfian) - $uniform" '<=' 150 \
		'the same, --distribution=scrambled_zipfian'
else
	echo 'instructions: not counted, valgrind is not installed'
fi
overhead_line 'time of a read / peer loop with histogram' \
	"$(overhead_of_peer "readrandom --reads=$reads" 1)" '<=' 0.4 \
	'bench_null / build/peerloop N 1'
overhead_line 'time of a read, latency off / peer loop without' \
	"$(overhead_of_peer "readrandom --reads=$reads --latency=0" 0)" '<=' 0.25 \
	'bench_null --latency=0 / build/peerloop N 0'
overhead_line 'time of a write / peer loop with histogram' \
	"$(overhead_of_peer "overwrite --writes=$reads" 1)" '<=' 0.4 \
	'bench_null overwrite / build/peerloop N 1'
overhead_line 'time of a ycsb-a operation / peer loop with histogram' \
	"$(overhead_of_peer "ycsb-a --reads=$reads" 1)" '<=' 1.25 \
	"bench_null --benchmarks=ycsb-a; $(jq '.ops_per_sec / 1e6 * 10 | round / 10' \
		"$work/row") million a second"
overhead_line 'operations a second with a timeline / without' \
	"$(overhead_ratio "$rounds" overhead_with_timeline overhead_without_timeline)" '>=' 0.99 \
	"bench_null --threads=$(nproc) --duration=3, a row a second and thread"
overhead_line 'reads a second with slow calls kept / without' \
	"$(overhead_ratio "$pairs" overhead_with_slow_calls overhead_without_slow_calls)" \
	'>=' 0.98 "--slow_calls=100; $pairs pairs in turn, time without a core left out"
overhead_line 'a latency of 1000 ns is off by, median or mean' \
	"$(overhead_known_latency)" '<=' 0.03 \
	'--reads=1k --null_get_ns=1000; quietest tenth of 60 runs'
overhead_line "response times of an open loop are off Lindley's by" "$(overhead_waits)" '<=' 0.01 \
	'--null_get_ns=30000 --rate=20k --arrivals=poisson; test/waits.awk'
if [ "$(nproc)" -ge 2 ]
then
	scaled=$(overhead_scaling)
	allowed=$(jq -n "${scaled}[1]")
	# 1.95 where two processes do twice as much as one; where they do not, as much less
	overhead_line 'reads a second, two threads / one' "$(jq -n "${scaled}[0]")" '>=' \
		"$(jq -n "[1.95, 0.975 * $allowed] | min * 1000 | round / 1000")" \
		"bench_null --threads=2 / --threads=1; two processes: $(printf %.3f "$allowed")"
fi
# overhead_by_hand ENGINE BENCHMARK LIMIT: the program's time an operation beside that of a loop
# written by hand
overhead_by_hand () {
	overhead_line "time of $1 $2 / loop by hand" "$(jq -s --arg b "$2" '
		[.[] | select(.benchmark == "hand " + $b) | .ns_per_op] as $hand |
		[.[] | select(.benchmark == $b) |
			.seconds * 1e9 / .ops - (.crossing_ns // 0)] as $ours |
		[range($hand | length) | $ours[.] / $hand[.]] | .[]' "$work/hand-$1" |
		stats_median)" '<=' "$3" "build/handwritten_$1, one process, in turn"
}
for program in build/handwritten_*
do
	[ -x "$program" ] || continue
	engine=${program#build/handwritten_}
	"$program" "$work/db-$engine" "$work/hand-$engine" "$rounds" >"$work/out" 2>"$work/err" ||
		{ cat "$work/err" >&2; exit 1; }
	case $engine in
	lmdb) overhead_by_hand lmdb readrandom 1.02 ;;
	voron) overhead_by_hand voron readrandom 1.05 ;;
	*) overhead_by_hand "$engine" fillseq 1.05; overhead_by_hand "$engine" readrandom 1.05 ;;
	esac
done
echo "medians of $rounds rounds on $(uname -srm), $(nproc) CPUs; repeat with: make bench-harness"
exit $broken
