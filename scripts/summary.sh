#!/bin/sh
# summary.sh: compare engines in a table for each benchmark; see --help.
set -eu
. "$(dirname "$0")/common.sh"

help () {
	cat <<END
usage: scripts/summary.sh RESULTS.json [--all] [--allow=host | --found | --format=json]

Prints which engine is fastest, and how sure that is, from a file that bench_NAME --json or
sweep.sh wrote. There is a table for each workload and number of threads, the fastest engine first.
Repeated runs are one line; each of its columns is the median of the runs. A table is as wide
as the terminal (COLUMNS): columns that do not fit are left out, the last of this list first.

  ops/s             throughput, operations a second
  rate met, limited by, p99
                    whether an open loop (--rate) met its rate; and what limited the run (column
                    bound_by): cpu, device, sync, lock, harness, rate, quota or unclear; docs/why.md
                    has the rules. Where columns do not fit, its figures go first. p99 is a
                    percentile of the latency of a call, of reads if there are any
  p50, p99.9        further percentiles
  writes/s          writes a second, those of a background writer too
  spread            spread of the runs: with five or more, the larger half of the 95 % interval
                    by Student's t on the logarithms; with three or four, their range
  of best           rate / rate of the fastest engine; the null engine and bench_aio, which are
                    no databases, are not ranked
  runs, write p99   number of runs; 99th percentile latency of a write

In an open loop, the p99 response time replaces ops/s: the time of operations from their
scheduled start. With --all the table has all columns, however wide it becomes:

  95 % interval (t), CV  interval and coefficient of variation (CV) of the runs, instead of the
                         spread
  all in            throughput if the time to finish background work (--settle=1) and to close is
                    included
  last/first fifth  rate in the last fifth of the run / rate in the first fifth
  CPU us/op         CPU time of the process, the engine's own threads included
  device reads/op, KB read/op, device busy
                    reads, data read, and use of the device
  write amp         bytes written per byte of the records: passed to the kernel, and written by
                    the device; both also with the work of --settle=1 and of closing
  syncs/commit      sync calls of the process per commit
  memory            memory used by the run: its own and the cached pages of its files, or the
                    control group's peak
  size              disk space of the database
  of device limit   rate as a fraction of bench_aio's in the same results, if lower

Lines below the tables say what slow calls waited for (--slow_calls), which background writers
hardly ran, and which engines these runs cannot distinguish. Invalid rows are listed at the end. Then each
cause of a warning or note is printed once with the number of rows and their labels, such as an
LSM tree that was loaded in key order or filled no memtable.

Rows of different machines, sizes, batches, rates, durabilities, file systems, memory limits or
other conditions are in separate tables, whose headings say which. Settings of one engine are
separate lines, such as wiredtiger+type=lsm. Other differences within a table, such as a governor,
are named below it. --allow=host puts several machines into one table, as lmdb+host=NAME, to show
how much they differ.

--found prints sentences instead: for each workload, at the most threads, which engine leads, by
how much, and what to beware of. The null engine and bench_aio are left out. --format=json prints
both for programs; the page of report.sh begins with them.
END
}

allow='' as=text all='' width='' results=''
for argument
do
	case $argument in
	--help) help; exit 0 ;;
	--allow=host) allow=host ;;
	--all) all=1 ;;
	--found) as=found ;;
	--format=json) as=json ;;
	--*) fail 2 "no option '${argument%%=*}'; see --help" ;;
	*)
		[ -z "$results" ] ||
			fail 2 "cannot read '$argument': a summary is of one file; see --help"
		results=$argument
		;;
	esac
done
[ -n "$results" ] ||
	fail 2 "which results? usage: scripts/summary.sh RESULTS.json"
set -- "$results"

scripts=$(dirname "$0")
. "$scripts/rows.sh"
. "$scripts/stats.sh"
make_work
read_rows "$1" "$work/whole" 1 "$scripts/rows.jq" "$scripts/limits.jq" "$scripts/summary.jq"

# program JQ ARGUMENT...: on the condensed rows
program () {
	what=$1
	shift
	jq -r -L "$scripts" "$@" "include \"summary\"; include \"rows\"; $what" "$work/condensed"
}
jq -cs -L "$scripts" --arg allow "$allow" 'include "summary"; condensed($allow)' \
	"$work/whole" >"$work/condensed" || unreadable "$1"
program samples | stats --draws=0 >"$work/rates"
# shellcheck disable=SC2016 # jq's own
program 'rated($rates) | pairs' --rawfile rates "$work/rates" >"$work/pairs"
: >"$work/ratios"
[ ! -s "$work/pairs" ] || stats <"$work/pairs" >"$work/ratios"
[ $as = text ] || all=1
[ -n "$all" ] || width=${COLUMNS:-$([ -t 1 ] && tput cols 2>/dev/null || echo 999)}
case $width in *[!0-9]*) width=999 ;; esac
# shellcheck disable=SC2016 # jq's own
program 'rated($rates) as $tables | ratios($answers) as $ratios |
	[$tables | to_entries[] | .key as $at | .value | {title: title, heading: heading, lines: lines($width), said: [stands_out($ratios; $at)]} +
		if $form == "json" then {conditions: conditions_said, limit: device_limit, ratio: $ratios["\($at).1"], points: map(. + {whisker: whisker})} else {} end] as $shown |
	if $form == "found" then $tables | found($ratios)
	elif $form == "json" then {found: [$tables | found($ratios)], said: [invalid_said, causes_said], tables: $shown, invalid, causes, rows}
	else ($shown[] | .heading, (.lines | aligned(.column == 0)), (.said[] | "- " + .), ""), (invalid_said, causes_said | "- " + .) end' \
	--arg form $as --argjson width "${width:-null}" --rawfile rates "$work/rates" --rawfile answers "$work/ratios" |
	if [ -n "$all" ]; then cat; else fold -s -w "$width" | sed 's/ *$//'; fi
