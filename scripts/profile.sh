#!/bin/sh
# profile.sh: where the CPU time of a run goes, by function; see --help.
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'perf' "$@"

help () {
	cat <<END
usage: scripts/profile.sh --out=DIRECTORY [option ...] ./bench_NAME [ARGUMENT ...]
       scripts/profile.sh --out=DIRECTORY [option ...] --plan=COMMANDS.tsv

Shows which functions use the CPU, and where threads wait: runs the command under perf, which
samples it while the last workload of its list is measured. Profiling costs time: quote the
throughput of a run without it.

  --out=DIRECTORY       directory of the results
  --name=NAME           name of the files [ENGINE-BENCHMARK-THREADSt]
  --repeat=N            runs, each with the whole list; NAME-r2 is the second [1]
  --frequency=N         samples/s of each busy core [999]
  --call-graph=METHOD   fp: callers by frame pointers; dwarf: also of libraries without, but slow
                        and with large files [fp]
  --syscalls            count system calls by name instead, into DIRECTORY/syscalls.tsv
  --plan=COMMANDS.tsv   the runs of a sweep, one after another, as sweep.sh --profile does
  --keep                keep what perf recorded, as NAME.data, for perf report and perf annotate
  --help                this

In DIRECTORY: NAME.functions.tsv, a line for each function and thread role: microseconds of CPU
per operation, without and with its callees, and its main caller; NAME.cpu.svg and
NAME.off-cpu.svg, flame graphs; NAME.cpu.folded and NAME.off-cpu.folded, the stacks in
microseconds, as other viewers read them; NAME.json, the row of the run; profiles.tsv, a line for
each profile, and rows.json. compare.sh --explain compares the functions of two such directories.

Roles are foreground and background readers and writers, threads of the engine by their names, and
the harness, whose CPU time is not in the row's cpu_us_per_op. Samples are taken by the clock
(cpu-clock), as virtual machines may have no counters. --syscalls counts the most frequent calls by
name and the others in sum, by perf stat in the kernel; without permission for perf by strace, which
makes calls many times slower.

Where perf or its permissions are missing, one line says what is missing and what is left.
Exit status: 0 profiled, 1 a run failed or is invalid, 2 wrong arguments, 3 perf cannot record here.
END
}

out='' name='' repeat=1 frequency=999 call_graph=fp keep='' syscalls='' plan=''
while [ $# -gt 0 ]
do
	set_option "$1" out name repeat frequency plan || case $1 in
	--help) help; exit 0 ;;
	--call-graph=fp) call_graph=fp ;;
	--call-graph=dwarf) call_graph=dwarf,16384 ;;
	--keep) keep=1 ;;
	--syscalls) syscalls=1 ;;
	-*) refuse "$1" ;;
	*) break ;;
	esac
	shift
done
needs_out "$out"
[ $# -gt 0 ] || [ -n "$plan" ] ||
	fail 2 "profile what? give a command such as \
./bench_lmdb --benchmarks=fillseqbatch,readrandom"
whole --repeat "$repeat" 1
whole --frequency "$frequency" 1
case $name in
*/* | *[[:space:]]*)
	fail 2 "--name: '$name' has a slash or a blank; leave it out" ;;
esac
for argument
do
	case $argument in
	--perf_control=* | --repeat=*)
		fail 2 "${argument%%=*} of the command is profile.sh's to set; see --help" ;;
	esac
done
needs jq
if [ -n "$plan" ]
then
	readable "$plan" --plan
else
	"$1" --version >/dev/null 2>&1 ||
		fail 2 "$1 is not a program bench_NAME that runs"
fi
command -v perf >/dev/null || [ -n "$syscalls" ] ||
	fail 3 "no profile: perf is not installed; apt install linux-perf"
scripts=$(dirname "$0")
make_work
[ -z "$plan" ] || take_lines "$plan" "$work/plan" --plan

missing=
# perf_lacks TEXT [MORE]: something that the profiles do not have, said once
perf_lacks () {
	case $missing in
	*"$1"*) return ;;
	esac
	missing="$missing${missing:+; }$1"
	echo "profile.sh: $1${2-}" >&2
}

# perf_records EVENT...: whether perf may record them of a process that it starts
perf_records () {
	perf record -q -o "$work/probe" -g "$@" -- sleep 0.01 >"$work/probe.err" 2>&1
}

# choose_profile_events: what perf may record here
choose_profile_events () {
	on_cpu="cpu-clock/freq=$frequency/"
	off_cpu='-e context-switches/period=1/ --switch-events'
	# shellcheck disable=SC2086
	if ! perf_records -e "$on_cpu" $off_cpu
	then
		perf_records -e "$on_cpu" || fail 3 "no profile: perf cannot record cpu-clock: \
$(grep . "$work/probe.err" | head -n 1); see kernel.perf_event_paranoid"
		off_cpu=''
		perf_lacks \
			'no off-CPU stacks: perf may not record context switches here; run as root'
	fi
	! perf evlist -i "$work/probe" | grep -q '/u$' ||
		perf_lacks "no kernel functions and no off-CPU stacks: \
perf may record only user code here; run as root"
}

# Calls that engines make often: perf opens each as an event of each thread, which takes
# 40 ms for each on a busy machine. Those of them that this kernel has.
frequent='read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 lseek
	fsync fdatasync sync_file_range msync fallocate ftruncate
	openat close unlink unlinkat rename renameat renameat2 newfstatat statx
	mmap munmap mremap madvise mprotect brk futex sched_yield nanosleep clock_nanosleep
	io_submit io_getevents io_pgetevents io_uring_enter epoll_wait epoll_pwait poll ppoll
	fcntl flock sendto recvfrom'
choose_profile_syscalls () {
	counted=
	perf list --raw-dump tracepoint 2>"$work/probe.err" | tr ' ' '\n' >"$work/tracepoints" || :
	for call in $frequent
	do
		! grep -q -x "syscalls:sys_enter_$call" "$work/tracepoints" ||
			counted=$counted,syscalls:sys_enter_$call
	done
	counted=raw_syscalls:sys_enter$counted
	! perf stat -e "$counted" -o "$work/probe" true 2>"$work/probe.err" || return 0
	counted=
	command -v strace >/dev/null || fail 3 "no system calls: perf may not count them here, \
and strace is not installed; run as root, or apt install strace"
	# as trace_newest does, on a process that it has not started
	sleep 0.1 &
	strace -o "$work/probe" -p $! 2>"$work/probe.err" ||
		fail 3 "no system calls: perf may not count them here, \
and strace may not attach to processes: $(head -n 1 "$work/probe.err"); \
run as root, or see kernel.yama.ptrace_scope"
	perf_lacks "system calls are counted by strace, which slows them down: \
perf may not count them here; run as root"
}
mkdir -p "$out"

# fold_profile FILE: what perf recorded there, as lines of stacks
fold_profile () {
	perf script -i "$1" -F comm,pid,tid,time,period,event,ip,sym,dso --no-inline \
		--show-switch-events 2>"$work/script.err" |
		awk -f "$scripts/tools/profile-fold.awk" | sort
}

# folded_profile KIND: stacks in microseconds
folded_profile () {
	awk -F '\t' -v kind="$1" '$1 == kind { printf "%s %.0f\n", $4, $5 }' "$work/stacks"
}

# profile_graph KIND HUE TITLE FILE: a flame graph, if there are such stacks
profile_graph () {
	awk -F '\t' -v kind="$1" -v ops="$ops" \
		'$1 == kind && $2 != "harness" { printf "%s\t%.9g\n", $4, $5 / ops }' \
		"$work/stacks" >"$work/graph"
	[ ! -s "$work/graph" ] ||
		awk -v title="$3" -v hue="$2" -f "$scripts/tools/flamegraph.awk" "$work/graph" >"$4"
	printf '%s\t%s. %s\n' "$(basename "$4" .svg)" "$3" \
		'A frame is as wide as its time with its callees, which stand above it.' \
		>>"$out/captions.tsv"
}

# nameless_in_profile: libraries with a percent of the CPU time or more in functions without names
nameless_in_profile () {
	awk -F '\t' -v OFS='\t' '$1 == "[" $2 "]" { percent[$2] += $6 }
		END { for (library in percent) if (percent[library] >= 1)
			print library, sprintf("%.0f", percent[library]) }' "$work/functions" | sort
}

# profile_columns ROW: its line of profiles.tsv
profile_columns () {
	awk -F '\t' '$2 == "harness" { next } { us[$1] += $5; samples[$1] += $6 }
		END { printf "{\"cpu\": %.3f, \"off\": %.3f, \"samples\": %d}\n",
			us["cpu"], us["off"], samples["cpu"] }' "$work/stacks" >"$work/sums"
	jq -r --slurpfile sums "$work/sums" --arg missing "$missing" --argjson ops "$ops" \
		'$sums[0] as $s |
		[.profile, .label // .engine, .benchmark, .threads, .repetition, .ops, .ops_per_sec,
			.cpu_us_per_op, $s.cpu / $ops,
			(if $s.off > 0 then $s.off / $ops else null end),
			$s.samples, $missing] | @tsv' "$1"
}

# profile_replace TABLE NAME 'COLUMN ...': the lines of NAME there become those on standard input
profile_replace () {
	[ -e "$1" ] || echo "$3" | tr ' ' '\t' >"$1"
	replaced=$2 awk -F '\t' 'NR == 1 || $1 != ENVIRON["replaced"]' "$1" >"$work/table"
	cat "$work/table" - >"$1"
}

# describe_profile NAME: its line of profiles.tsv, and on stdout the functions with most CPU time
describe_profile () {
	profile_columns "$out/$1.json" >"$work/columns"
	profile_replace "$out/profiles.tsv" "$1" "profile label benchmark threads repetition ops \
ops_per_sec cpu_us_per_op profile_us_per_op off_cpu_us_per_op samples missing" <"$work/columns"
	awk -F '\t' '{
		printf "%s: %d samples, %.4g us of CPU per operation in the profile, ", $1, $11, $9
		printf "%.4g in the row (cpu_us_per_op)%s\n", $8,
			$10 == "" ? "" : sprintf("; %.4g us off CPU", $10) }' "$work/columns"
	awk -F '\t' 'NR == 1 { $4 = "us/op" }
		NR < 12 { printf "  %10s %8s  %-44s %-24s %s\n", $4, $6,
			substr($1, 1, 44), substr($2, 1, 24), $3 }' "$out/$1.functions.tsv"
}

# write_profile NAME: all files of the run in $work
write_profile () {
	awk -v ops="$ops" -f "$scripts/tools/profile-functions.awk" "$work/stacks" |
		sort -t "$tab" -k 4,4gr -k 1 >"$work/functions"
	{
		echo function library role cpu_us_per_op with_callees_us_per_op percent samples \
			caller | tr ' ' '\t'
		cat "$work/functions"
	} >"$out/$1.functions.tsv"
	folded_profile cpu >"$out/$1.cpu.folded"
	folded_profile off >"$out/$1.off-cpu.folded"
	profile_graph cpu warm "$1: CPU time per operation" "$out/$1.cpu.svg"
	profile_graph off cold "$1: time off CPU per operation" "$out/$1.off-cpu.svg"
	jq -c --arg profile "$1" '.profile = $profile' "$work/last" >"$out/$1.json"
	nameless_in_profile >"$work/nameless"
	while IFS=$tab read -r library percent
	do
		part=", $percent % of the CPU time of $1"
		case $library in
		'[kernel]') perf_lacks 'kernel functions have no names' \
			"$part; see kernel.kptr_restrict" ;;
		*) perf_lacks "functions of $library have no names, as it is stripped" \
			"$part; scripts/engine.sh builds engines with symbols" ;;
		esac
	done <"$work/nameless"
	describe_profile "$1"
}

# profile_newest: begin strace on the process of the benchmark, which is the last that has
# this FIFO, and return when it has all threads, or has ended
profile_newest () {
	traced=$(pgrep -f -- "--perf_control=$work/control," | tail -n 1)
	strace -f -c -U calls,name -o "$work/counts" -p "$traced" 2>"$work/trace" &
	until grep -q attached "$work/trace" &&
		! grep -q '^TracerPid:.0$' /proc/"$traced"/task/*/status
	do
		kill -0 $! 2>/dev/null || return 0
		sleep 0.01
	done
}

# profile_strace_calls COMMAND...: run it, with strace on its threads from "enable" to "disable";
# calls and their number go to $work/calls
profile_strace_calls () {
	(
		exec 3<>"$work/control" 4<>"$work/ack"
		while read -r word <&3
		do
			if [ "$word" = enable ]
			then
				profile_newest
			else
				kill -INT $! 2>/dev/null || :
				wait $! || :
			fi
			echo ack >&4
			[ "$word" = enable ] || exit 0
		done
	) &
	switch=$!
	"$@" --perf_control="$work/control,$work/ack" --json="$work/row" || status=1
	kill "$switch" 2>/dev/null || :
	[ -e "$work/counts" ] || : >"$work/counts"
	[ ! -s "$work/row" ] || grep -q attached "$work/trace" ||
		fail 1 "strace counted no system calls: $(tail -n 1 "$work/trace")"
	awk 'NF == 2 && $1 ~ /^[0-9]+$/ && $2 != "total" { print $2 "\t" $1 }' \
		"$work/counts" >"$work/calls"
}

# profile_perf_calls COMMAND...: counts the same calls by perf stat. Calls that perf counts only in
# the sum of all become "other". perf reports on stderr each time that it is switched on or
# off, so the program's own messages bypass that file.
profile_perf_calls () {
	perf stat -j -o "$work/counts" -e "$counted" --delay=-1 \
		--control="fifo:$work/control,$work/ack" -- sh -c 'exec "$@" 2>&9' sh "$@" \
		--perf_control="$work/control,$work/ack" --json="$work/row" \
		9>&2 2>"$work/perf.err" || status=1
	grep '^{' "$work/counts" 2>/dev/null |
		jq -r '[.event, (."counter-value" | tonumber?)] | select(length == 2) | @tsv' \
			>"$work/counted"
	[ ! -s "$work/row" ] || grep -q '^raw_syscalls:sys_enter	' "$work/counted" ||
		fail 1 "perf counted no system calls: \
$(grep -h . "$work/perf.err" "$work/counts" | tail -n 1)"
	awk -F '\t' -v OFS='\t' '$1 == "raw_syscalls:sys_enter" { rest += $2; next }
		{ rest -= $2; sub(/.*sys_enter_/, ""); if ($2 > 0) print }
		END { if (rest > 0) print "other", rest }' "$work/counted" >"$work/calls"
}

status=0
# profile_apart COMMAND...: run it under perf or strace; its row is in $work/last, $ops are the
# operations of all its threads, as for the row's cpu_us_per_op, and $file is the name of its files
profile_apart () {
	rm -f "$work/control" "$work/ack" "$work/row" "$work/data" "$work/counts"
	mkfifo "$work/control" "$work/ack"
	if [ -n "$syscalls" ]
	then
		if [ -n "$counted" ]
		then
			profile_perf_calls "$@"
		else
			profile_strace_calls "$@"
		fi
	else
		# shellcheck disable=SC2086
		perf record -q -o "$work/data" -e "$on_cpu" $off_cpu \
			--call-graph="$call_graph" --delay=-1 \
			--control="fifo:$work/control,$work/ack" -- "$@" \
			--perf_control="$work/control,$work/ack" --json="$work/row" || status=1
	fi
	ops=0
	if [ -s "$work/row" ]
	then
		tail -n 1 "$work/row" >"$work/last"
		ops=$(jq -r 'if .valid == 1 then .reads + .writes + .scans else 0 end' \
			"$work/last")
	fi
	[ "$ops" -gt 0 ] || { status=1; return 1; }
	file=${name:-$(jq -r '"\(.label // .engine)-\(.benchmark)-\(.threads)t"' "$work/last")}
	[ "$number" -eq 1 ] || file=$file-r$number
}

# write_profile_calls: lines of syscalls.tsv, and the same on stdout
write_profile_calls () {
	head=$(jq -r --arg file "$file" --arg ops "$ops" '[$file, .label // .engine, .benchmark,
		.threads, .repetition, $ops] | @tsv' "$work/last")
	sort -t "$tab" -k 2,2nr -k 1,1 "$work/calls" |
		awk -F '\t' -v OFS='\t' -v head="$head" -v ops="$ops" \
		'{ print head, $1, $2, sprintf("%.6g", $2 / ops) }' >"$work/lines"
	profile_replace "$out/syscalls.tsv" "$file" \
		'profile label benchmark threads repetition ops syscall calls calls_per_op' \
		<"$work/lines"
	echo "$file: system calls per operation"
	awk -F '\t' '{ printf "  %12.6g  %s\n", $9, $7 }' "$work/lines"
}

# profile COMMAND...: one run and its files
profile () {
	profile_apart "$@" || return 0
	if [ "$repeat" -gt 1 ]
	then
		jq -c ".repetition = $number" "$work/last" >"$work/numbered"
		mv "$work/numbered" "$work/last"
	fi
	[ -z "$syscalls" ] || { write_profile_calls; return; }
	fold_profile "$work/data" >"$work/stacks"
	grep -q ^cpu "$work/stacks" || {
		echo "$file: no samples in so short a run"
		return
	}
	[ -z "$keep" ] || cp "$work/data" "$out/$file.data"
	write_profile "$file"
}

# rows of the plan: whether a row is a load for others, which is not profiled, before it
profiles_planned () {
	awk -F '\t' '{ line[NR] = $0; database[NR] = $2; loads[NR] = $3 == "load" }
		END { for (i = 1; i <= NR; i++) {
			load = 0
			for (j = i + 1; loads[i] && j <= NR; j++) {
				if (loads[j] && database[j] == database[i]) break
				if (database[j] == database[i]) { load = 1; break }
			}
			print load "\t" line[i] } }' "$work/plan"
}

# profile_plan: each row by this script again, as a row is a line of the shell
profile_plan () {
	profiles_planned >"$work/planned"
	while IFS=$tab read -r load run _ _ _ command <&3
	do
		mkdir -p "$run"
		apart="$(word "$0") --out=$(word "$out") --name=$(word "${run##*/}") \
			--frequency=$frequency --call-graph=${call_graph%%,*} \
			${keep:+--keep} ${syscalls:+--syscalls}"
		case $load/$command in
		1/*) apart= ;;
		*scripts/clients.sh*)
			perf_lacks "${run##*/}: runs of several clients have no profile"
			continue
			;;
		esac
		sh -c "exec $(echo "$apart" | tr -s '\n\t' ' ') $command" </dev/null 3<&- || {
			status=$?
			tail -n 1 "$run/err.txt" >&2
			[ $status -ne 3 ] || exit 3
			status=1
		}
		named="${run##*/}: " awk 'index($0, ENVIRON["named"]) == 1 { print; exit }' \
			"$run/out.txt" || :
	done 3<"$work/planned"
	[ -n "$syscalls" ] || [ ! -e "$out/profiles.tsv" ] ||
		cut -f 12 "$out/profiles.tsv" | tail -n +2 | sed 's/; /\n/g' |
		grep . | sort -u | sed 's/^/profile.sh: /' >&2 || :
}

if [ -n "$plan" ]
then
	out=$(absolute "$out")
	profile_plan
else
	if [ -n "$syscalls" ]; then choose_profile_syscalls; else choose_profile_events; fi
	number=0
	while [ $number -lt "$repeat" ]
	do
		number=$((number + 1))
		profile "$@"
	done
fi
[ ! -e "$out/profiles.tsv" ] || tail -n +2 "$out/profiles.tsv" | cut -f 1 |
	while IFS= read -r file
	do
		cat "$out/$file.json"
	done >"$out/rows.json"
exit $status
