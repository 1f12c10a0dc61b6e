#!/bin/sh
# profile.sh: where the CPU time of a run goes, by function; see --help.
# shellcheck disable=SC2016 # jq programs are quoted
set -eu
. "$(dirname "$0")/common.sh"

help () {
	cat <<END
usage: scripts/profile.sh --out=DIRECTORY [option ...] ./bench_NAME [ARGUMENT ...]

Runs the command under perf and writes which functions used the CPU in the measured interval
of the last workload of its list, and where its threads slept. Profiling costs time: quote the
rate of a run without it.

  --out=DIRECTORY       where everything goes
  --name=NAME           of the files [ENGINE-BENCHMARK-THREADSt]
  --repeat=N            runs, each with the whole list; NAME-r2 is the second [1]
  --frequency=N         samples a second of each core at work [999]
  --call-graph=METHOD   fp: callers by frame pointers; dwarf: also of libraries that have none, but slower and
                        with large files [fp]
  --keep                keep what perf recorded, as NAME.data, for perf report and perf annotate
  --help                this

In DIRECTORY: NAME.functions.tsv, a line for each function and thread role: microseconds of CPU
per operation, without and with its callees, and its main caller; NAME.cpu.svg and NAME.off-cpu.svg, flame graphs;
NAME.cpu.folded and NAME.off-cpu.folded, the stacks in microseconds, as other viewers read them;
NAME.json, the row of the profiled run; profiles.tsv, a line for each profile, and rows.json.
compare.sh --explain compares the functions of two such directories.

Roles are foreground and background readers and writers, threads of the engine by their names,
and the harness, whose CPU time is not in the row's cpu_us_per_op. Samples of a thread that
runs are taken by the clock (cpu-clock), so that virtual machines without counters have them.
Where perf or its permissions are missing, one line says what is missing and what is left.
Exit status: 0 profiled, 1 a run failed or is invalid, 2 wrong arguments, 3 perf cannot record here.
END
}

out='' name='' repeat=1 frequency=999 call_graph=fp keep=''
while [ $# -gt 0 ]
do
	value=${1#*=}
	case $1 in
	--help) help; exit 0 ;;
	--out=?*) out=$value ;;
	--name=?*) name=$value ;;
	--repeat=?*) repeat=$value ;;
	--frequency=?*) frequency=$value ;;
	--call-graph=fp) call_graph=fp ;;
	--call-graph=dwarf) call_graph=dwarf,16384 ;;
	--keep) keep=1 ;;
	-*) fail 2 "cannot read '$1'; see --help" ;;
	*) break ;;
	esac
	shift
done
[ -n "$out" ] || fail 2 "--out=DIRECTORY is missing; see --help"
[ $# -gt 0 ] ||
	fail 2 "profile what? give a command such as ./bench_lmdb --benchmarks=fillseqbatch,readrandom"
whole --repeat "$repeat" 1
whole --frequency "$frequency" 1
case $name in
*/* | *[[:space:]]*)
	fail 2 "--name: '$name' has a slash or a blank; leave it out" ;;
esac
for argument
do
	case $argument in
	--json=* | --perf_control=* | --repeat=*)
		fail 2 "${argument%%=*} of the command is profile.sh's to set; see --help" ;;
	esac
done
needs jq
command -v perf >/dev/null ||
	fail 3 "no profile: perf is not installed; apt install linux-perf"
"$1" --version >/dev/null 2>&1 || fail 2 "$1 is no program bench_NAME that runs"
scripts=$(dirname "$0")
tab=$(printf '\t')
make_work

# records EVENT...: whether perf may record them of a process that it starts
records () {
	perf record -q -o "$work/probe" -g "$@" -- sleep 0.01 >"$work/probe.err" 2>&1
}
on_cpu="cpu-clock/freq=$frequency/"
off_cpu='-e context-switches/period=1/ --switch-events'
records -e "$on_cpu" ||
	fail 3 "no profile: perf cannot record cpu-clock: $(grep . "$work/probe.err" | head -n 1); see kernel.perf_event_paranoid"
missing=
# lacks TEXT [MORE]: something that the profiles do not have, said once
lacks () {
	case $missing in
	*"$1"*) return ;;
	esac
	missing="$missing${missing:+; }$1"
	echo "profile.sh: $1${2-}" >&2
}
# shellcheck disable=SC2086 # words, on purpose
if ! records $off_cpu ||
	[ -z "$(perf script -i "$work/probe" -F event 2>"$work/probe.err")" ]
then
	off_cpu=''
	lacks "no off-CPU stacks: perf may not record context switches here; run as root"
fi
mkdir -p "$out"

# fold FILE: what perf recorded there, as lines of stacks
fold () {
	perf script -i "$1" -F comm,pid,tid,time,period,event,ip,sym,dso --no-inline \
		--show-switch-events 2>"$work/script.err" |
		awk -f "$scripts/profile-fold.awk" | sort
}

# folded KIND: stacks in microseconds
folded () {
	awk -F '\t' -v kind="$1" '$1 == kind { printf "%s %.0f\n", $4, $5 }' \
		"$work/stacks"
}

# graph KIND HUE TITLE FILE: a flame graph, if there are such stacks
graph () {
	awk -F '\t' -v kind="$1" -v ops="$ops" \
		'$1 == kind && $2 != "harness" { printf "%s\t%.9g\n", $4, $5 / ops }' \
		"$work/stacks" >"$work/graph"
	[ ! -s "$work/graph" ] ||
		awk -v title="$3" -v hue="$2" -f "$scripts/flamegraph.awk" \
		"$work/graph" >"$4"
}

# nameless: libraries with a percent of the CPU time or more in functions without names
nameless () {
	awk -F '\t' -v OFS='\t' '$1 == "[" $2 "]" { percent[$2] += $6 }
		END { for (library in percent) if (percent[library] >= 1)
			print library, sprintf("%.0f", percent[library]) }' \
		"$work/functions" | sort
}

# columns ROW: its line of profiles.tsv
columns () {
	awk -F '\t' '$2 == "harness" { next } { us[$1] += $5; samples[$1] += $6 }
		END { printf "{\"cpu\": %.3f, \"off\": %.3f, \"samples\": %d}\n", us["cpu"], us["off"], samples["cpu"] }' \
		"$work/stacks" >"$work/sums"
	jq -r --slurpfile sums "$work/sums" --arg missing "$missing" '$sums[0] as $s |
		[.profile, .label // .engine, .benchmark, .threads, .repetition, .ops, .ops_per_sec, .cpu_us_per_op,
			$s.cpu / .ops, (if $s.off > 0 then $s.off / .ops else null end), $s.samples, $missing] | @tsv' "$1"
}

# describe NAME: its line of profiles.tsv, and on stdout the functions with most CPU time
describe () {
	index=$out/profiles.tsv
	columns "$out/$1.json" >"$work/columns"
	[ -e "$index" ] || printf 'profile\tlabel\tbenchmark\tthreads\trepetition\tops\tops_per_sec\tcpu_us_per_op\tprofile_us_per_op\toff_cpu_us_per_op\tsamples\tmissing\n' >"$index"
	grep -v "^$1$tab" "$index" >"$work/index" || :
	cat "$work/index" "$work/columns" >"$index"
	awk -F '\t' '{ printf "%s: %d samples, %.4g us of CPU per operation in the profile, %.4g in the row (cpu_us_per_op)%s\n", $1, $11, $9, $8,
		$10 == "" ? "" : sprintf("; %.4g us off CPU", $10) }' "$work/columns"
	awk -F '\t' 'NR == 1 { $4 = "us/op" }
		NR < 12 { printf "  %10s %8s  %-44s %-24s %s\n", $4, $6, substr($1, 1, 44), substr($2, 1, 24), $3 }' \
		"$out/$1.functions.tsv"
}

# write_profile NAME: all files of the run in $work
write_profile () {
	awk -v ops="$ops" -f "$scripts/profile-functions.awk" "$work/stacks" |
		sort -t "$tab" -k 4,4gr -k 1 >"$work/functions"
	{
		printf 'function\tlibrary\trole\tcpu_us_per_op\twith_callees_us_per_op\tpercent\tsamples\tcaller\n'
		cat "$work/functions"
	} >"$out/$1.functions.tsv"
	folded cpu >"$out/$1.cpu.folded"
	folded off >"$out/$1.off-cpu.folded"
	graph cpu warm "$1: CPU time per operation" "$out/$1.cpu.svg"
	graph off cold "$1: time off CPU per operation" "$out/$1.off-cpu.svg"
	jq -c --arg profile "$1" --argjson number "$number" \
		'.profile = $profile | .repetition = $number' "$work/last" >"$out/$1.json"
	nameless >"$work/nameless"
	while IFS=$tab read -r library percent
	do
		case $library in
		'[kernel]') lacks 'kernel functions have no names' \
			", $percent % of the CPU time of $1; see kernel.kptr_restrict" ;;
		*) lacks "functions of $library have no names, as it is stripped" \
			", $percent % of the CPU time of $1; scripts/engine.sh builds engines with symbols" ;;
		esac
	done <"$work/nameless"
	describe "$1"
}

status=0
# profile COMMAND...: one run, which is number $number, and its files
profile () {
	rm -f "$work/control" "$work/ack" "$work/row" "$work/data"
	mkfifo "$work/control" "$work/ack"
	# shellcheck disable=SC2086 # words, on purpose
	perf record -q -o "$work/data" -e "$on_cpu" $off_cpu --call-graph="$call_graph" \
		--delay=-1 --control="fifo:$work/control,$work/ack" -- "$@" \
		--perf_control="$work/control,$work/ack" --json="$work/row" || status=1
	[ -s "$work/row" ] || { status=1; return; }
	tail -n 1 "$work/row" >"$work/last"
	ops=$(jq -r 'if .valid == 1 then .ops else 0 end' "$work/last")
	[ "$ops" -gt 0 ] || { status=1; return; }
	file=${name:-$(jq -r '"\(.label // .engine)-\(.benchmark)-\(.threads)t"' "$work/last")}
	[ "$number" -eq 1 ] || file=$file-r$number
	! perf evlist -i "$work/data" | grep -q '/u$' ||
		lacks 'no kernel functions: perf may record only user code here; run as root'
	fold "$work/data" >"$work/stacks"
	[ -z "$keep" ] || cp "$work/data" "$out/$file.data"
	write_profile "$file"
}

number=0
while [ $number -lt "$repeat" ]
do
	number=$((number + 1))
	profile "$@"
done
[ ! -e "$out/profiles.tsv" ] || tail -n +2 "$out/profiles.tsv" | cut -f 1 |
	while IFS= read -r file
	do
		cat "$out/$file.json"
	done >"$out/rows.json"
exit $status
