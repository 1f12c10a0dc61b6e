#!/bin/sh
# exact.sh: instructions, system calls, bytes written and syncs per operation, compared with reference counts; see --help.
set -eu
. "$(dirname "$0")/common.sh"

help () {
	cat <<END
usage: scripts/exact.sh [option ...] ENGINE ...

Counts instructions, system calls, bytes written and syncs per operation, which repeat exactly where
times are too noisy to compare: on shared machines and in continuous integration. Each benchmark
runs on one thread, with a fixed seed and number of operations, on a copy of a loaded database.
Valgrind's callgrind counts that thread's instructions from its first call of the engine. A second
run, where there is strace, counts its system calls but those that depend on scheduling (futex,
sched_yield).

  --benchmarks=A,B      workloads of one thread [readrandom,overwrite]
  --ops=N               operations of each run [10000]
  --num=N               records of the database [20000]
  --save=FILE           write the counts to FILE, as a reference for later runs
  --reference=FILE      compare the counts with this reference
  --old=ENGINE          with its counts of this engine, such as another version
  --tolerance=PERCENT   counts that differ by less are equal [0.05]
  --help                this
ENGINE is lmdb for ./bench_lmdb, lmdb+map_size=1Gi with an option of its own, and so on.
Any other --option=value goes to every run.

Metrics, each per operation: instructions; bytes_written (passed to write calls; writes to mapped
memory are not seen); syncs; call.NAME (system calls; those of less than one per 100 operations
are not printed). Background threads are not counted, but their number is printed: such an engine
may repeat less exactly. A reference is compared only with counts of the same options, architecture,
compiler, C library and valgrind.

Exit status: 0 counts were made, and equal the reference; 1 a count differs or is missing, or a run
failed; 2 wrong arguments, or a reference that cannot be compared.
END
}

benchmarks=readrandom,overwrite ops=10000 num=20000 tolerance=0.05
save='' reference='' old='' engines=''
make_work
: >"$work/passed"
for argument
do
	set_option "$argument" benchmarks ops num save reference old tolerance || case $argument in
	--help) help; exit 0 ;;
	--db=* | --json=* | --use_existing_db=* | --threads=* | --reads=* | --writes=* | \
		--duration=* | --supervise=* | --chunk=*)
		fail 2 "${argument%%=*} is set by exact.sh; see --help" ;;
	--*=*) echo "$argument" >>"$work/passed" ;;
	-*) refuse "$argument" 'options are --name=value, ' ;;
	*) engines="$engines $argument" ;;
	esac
done
[ -n "$engines" ] || fail 2 "which engine? see --help"
ops=$(count --ops "$ops" 1)
num=$(count --num "$num" 1)
echo "$tolerance" | grep -q -x -E '[0-9]+([.][0-9]+)?' ||
	fail 2 "--tolerance: cannot read '$tolerance'; give a percentage such as 0.05"
[ -z "$reference" ] || {
	take_lines "$reference" "$work/reference-lines" --reference
	named=$reference reference=$work/reference-lines
}
needs jq valgrind
save=$(absolute "$save")
top=$(cd "$(dirname "$0")/.." && pwd)
for engine in $engines
do
	[ -x "$top/bench_${engine%%+*}" ] ||
		fail 2 "bench_${engine%%+*} is not built; make bench_${engine%%+*}"
done
header='engine	benchmark	options	environment	metric	per_op'
[ -z "$reference" ] || [ "$(head -n 1 "$reference")" = "$header" ] ||
	fail 2 "--reference: $named was not written by --save"
if [ -n "$old" ]
then
	if [ -z "$reference" ] || [ "$(echo "$engines" | wc -w)" -ne 1 ]
	then
		fail 2 "--old needs --reference and one engine to compare"
	fi
	awk -F '\t' -v OFS='\t' -v old="$old" -v name="${engines# }" '
		NR == 1 { print; next }
		$1 == old { $1 = name; print; found = 1 }
		END { exit !found }' "$reference" >"$work/reference" ||
		fail 2 "--old: $named has no counts of $old; save them with --save=FILE $old"
	reference=$work/reference
fi

trace=1
{ command -v strace >/dev/null && strace -o "$work/trace" true 2>"$work/err"; } || {
	trace=
	echo "exact.sh: system calls are not counted: strace is not installed, or may not trace" >&2
}

# run_exactly ENGINE BENCHMARK COMMAND...: that workload under COMMAND, on a copy of the loaded
# database; its row is $work/row
runs=0
run_exactly () {
	engine=$1 benchmark=$2
	shift 2
	runs=$((runs + 1)) db=$work/db.$runs
	rm -f "$work/row"
	[ -z "$loaded" ] || [ ! -e "$loaded" ] || cp -R "$loaded" "$db"
	set -- "$@" "$top/bench_${engine%%+*}" --db="$db" --json="$work/row" --supervise=0 \
		--threads=1 --chunk=64 --num="$num" --seed=1 --reads="$ops" --writes="$ops" \
		--benchmarks="$benchmark"
	[ "$benchmark" = filluniquerandbatch ] || set -- "$@" --use_existing_db=1
	for option in $(echo "$engine" | tr + ' ' | cut -s -d ' ' -f 2-)
	do
		set -- "$@" "--$option"
	done
	while IFS= read -r option
	do
		set -- "$@" "$option"
	done <"$work/passed"
	# The length of the environment moves the stack.
	env -i PATH="$PATH" LC_ALL="$LC_ALL" "$@" >"$work/out" 2>"$work/err" ||
		fail 1 "$engine: $benchmark: $(grep -v '^==' "$work/err" | tail -n 1) \
$(sed -n 's/.*INVALID: //p' "$work/out")"
	[ "$(jq .valid "$work/row")" = 1 ] ||
		fail 1 "$engine: $benchmark: $(jq -r .invalid_reason "$work/row")"
	[ -z "$loaded" ] || [ ! -e "$db" ] || rm -r "$db"
}

# exact_environment: the things besides engine and driver on which counts depend
exact_environment () {
	vectors=
	! grep -q -s -w avx2 /proc/cpuinfo || vectors=-avx2
	printf '%s%s %s %s %s' "$(uname -m)" "$vectors" "$(valgrind --version)" \
		"$(getconf GNU_LIBC_VERSION 2>/dev/null | tr ' ' - || echo libc)" \
		"$(jq -r '.build // "" | gsub("[\t ]+"; " ")' "$work/row")"
}

# count_exactly ENGINE BENCHMARK: the lines of its metrics
count_exactly () {
	rm -f "$work"/callgrind*
	run_exactly "$1" "$2" valgrind --tool=callgrind --separate-threads=yes \
		--collect-atstart=no \
		--toggle-collect=thread_main --callgrind-out-file="$work/callgrind"
	# a file of each thread, of which those that worked have instructions
	sed -n 's/^totals: \([1-9]\)/\1/p' "$work"/callgrind-* >"$work/totals"
	case $(wc -l <"$work/totals") in
	1) ;;
	0) fail 1 "$1: $2: no instruction was counted; \
bench_${1%%+*} needs its symbols, and this a workload that is timed" ;;
	*) fail 2 "$2 has background workers; exact.sh counts workloads of one thread" ;;
	esac
	done=$(jq .ops "$work/row")
	# the thread that began, and the one that works, are the suite's
	background=$(($(find "$work" -name 'callgrind-*' | wc -l) - 2))
	[ "$background" -le 0 ] ||
		echo "exact.sh: $1: $2: $background background threads of the engine" \
			"are not counted" >&2
	fixed=$(printf '%s\t%s\tnum=%s ops=%s%s\t%s' "$1" "$2" "$num" "$ops" \
		"$(sed 's/^--/ /' "$work/passed" | tr -d '\n')" "$(exact_environment)")
	{
		awk -v ops="$done" '{ printf "instructions\t%.9g\n", $1 / ops }' "$work/totals"
		jq -r '(select(.io_wchar_bytes != null) |
			"bytes_written\t\(.io_wchar_bytes / .ops | round)"),
			(select(.syncs != null) | "syncs\t\(.syncs / .ops)")' "$work/row"
	} >"$work/metrics"
	# by itself, as a run that fails ends the script
	[ -z "$trace" ] || exact_calls "$1" "$2" >>"$work/metrics"
	awk -v fixed="$fixed" '{ print fixed "\t" $0 }' "$work/metrics"
}

# exact_calls ENGINE BENCHMARK: the system calls of the thread that works: the one that wakes
# the monitor at its end
exact_calls () {
	run_exactly "$1" "$2" strace -f -qq -o "$work/trace"
	awk -v ops="$(jq .ops "$work/row")" '
		match($2, /^[a-z0-9_]+\(/) {
			name = substr($2, 1, RLENGTH - 1)
			n[$1, name]++
			names[name]
		}
		/ write\([0-9]+, "\\0", 1/ { worker = $1 }
		END {
			for (name in names)
				if (name != "futex" && name != "sched_yield" && n[worker, name])
					printf "call.%s\t%.9g\n", name, n[worker, name] / ops
		}' "$work/trace" | sort
}

# exact_other: what differs between the reference and the counts in options or environment, as
# counts of those are other counts
exact_other () {
	awk -F '\t' 'FNR == 1 && NR == 1 { next }
		NR == FNR { options[$1 "\t" $2] = $3; environment[$1 "\t" $2] = $4; next }
		{ at = $1 "\t" $2 }
		!(at in options) || told[at]++ { next }
		options[at] != $3 {
			print $1 ", " $2 ": its options are " options[at] ", not " $3; exit
		}
		environment[at] != $4 {
			print $1 ", " $2 ": it was counted with " environment[at] ", not " $4; exit
		}' "$reference" "$work/counts"
}

# exact_compare: a table of the counts beside the reference; exit status 1 if one differs
exact_compare () {
	awk -F '\t' -v tolerance="$tolerance" -v traced="$trace" '
		# a number that is far below one per operation: bytes that the monitor writes
		function slack(metric) {
			return metric == "bytes_written" ? 1 : metric ~ /^call/ ? 0.002 : 0
		}
		function number(given, of) { return given ? sprintf("%.6g", of) : "-" }
		function line(at, metric,  a, b, d, verdict) {
			a = then[at, metric] + 0
			b = now[at, metric] + 0
			d = b > a ? b - a : a - b
			verdict = b > a ? "more" : "fewer"
			if (d <= tolerance / 100 * a || d <= slack(metric)) verdict = "equal"
			if (!(at in compared)) verdict = "not in the reference"
			if (verdict != "equal") differs = 1
			else if (metric ~ /^call/ && a < 0.01 && b < 0.01) return
			split(at, of, "\t")
			printf "%-14s %-16s %-22s %12s %12s %10s  %s\n", of[1], of[2], metric,
				number(1, b), number(at in compared, a),
				a ? sprintf("%+.3f %%", (b / a - 1) * 100) : "-", verdict
		}
		BEGIN {
			printf "%-14s %-16s %-22s %12s %12s %10s  %s\n", "engine", "benchmark",
				"metric", "now", "reference", "change", "verdict"
		}
		FNR == 1 && NR == 1 { next }
		NR == FNR { compared[$1 "\t" $2]; then[$1 "\t" $2, $5] = $6; next }
		{ at[++n] = $1 "\t" $2; metric[n] = $5; now[at[n], $5] = $6; runs[at[n]] }
		END {
			for (i = 1; i <= n; i++) line(at[i], metric[i])
			for (key in then) {
				split(key, part, SUBSEP)
				if ((part[1] in runs) && !(key in now) &&
					(traced || part[2] !~ /^call[.]/))
					line(part[1], part[2])
			}
			exit differs
		}' "$reference" "$work/counts"
}

for engine in $engines
do
	loaded=
	run_exactly "$engine" filluniquerandbatch
	loaded=$db
	for benchmark in $(each "$benchmarks")
	do
		count_exactly "$engine" "$benchmark" >>"$work/counts"
	done
done
if [ -n "$save" ]
then
	{ echo "$header"; cat "$work/counts"; } >"$save"
fi
if [ -z "$reference" ]
then
	awk -F '\t' '
		BEGIN {
			printf "%-14s %-16s %-22s %14s\n",
				"engine", "benchmark", "metric", "per operation"
		}
		$5 !~ /^call/ || $6 >= 0.01 {
			printf "%-14s %-16s %-22s %14.6g\n", $1, $2, $5, $6
		}' "$work/counts"
	exit 0
fi

other=$(exact_other)
[ -z "$other" ] || fail 2 "--reference: $other; --save another"
exact_compare
