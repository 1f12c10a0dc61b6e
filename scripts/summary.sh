#!/bin/sh
# summary.sh: engines side by side, a table for each benchmark; see --help.
set -eu
. "$(dirname "$0")/common.sh"

help () {
	cat <<END
usage: scripts/summary.sh RESULTS.json [--allow=host | --found | --format=json]

For each benchmark and number of threads in a file of JSON lines, a table of the valid rows, the
fastest first. Its columns, of which those that are empty for all engines are left out:

  ops/s             operations a second; of several runs of one point their median, with the 95 %
                    interval by Student's t on the logarithms, the coefficient of variation, and how
                    many runs they are
  all in            the same with settling and closing (--settle=1)
  p99               99th percentile latency of a call: of reads, where there are any
  response p99, rate met
                    in an open loop (--rate), instead of ops/s: how long operations took from their
                    scheduled start, and whether the rate asked for was met
  writes/s, write p99
                    where there are reads and writes: what the background writer got
  last/first fifth  by how much the rate changed from the first to the last fifth of the run
  CPU us/op         CPU time of the process, the engine's own threads included
  device reads/op, KB read/op, device busy
                    what the device did: an engine that reads from it is bound by it
  write amp         bytes written for a byte of the records: handed to the kernel, and written to
                    the device by this host; each also all in, with pending work done
  syncs/commit    calls that sync, made by the process
  memory            what the run held: its own and the pages of its files, or the control group's peak
  size              of the database on the file system
  of device limit   rate as a fraction of bench_aio's in the same results, where it is below that

A line for what stands out follows: rows that are invalid, have warnings or are not steady, what the device
bounds, a background writer that was starved, and which engines these runs cannot tell apart.
Rows of several machines, sizes, batches, rates, durabilities, file systems, limits of memory or other
conditions have tables of their own, whose headings say which; those of several settings of an engine
lines of their own, such as wiredtiger+type=lsm. What else differs within a table, such as a governor,
is said below it. With --allow=host the hosts stand in one table, as lmdb+host=NAME: the spread
between machines. The last column marks libraries that are
not fit for comparison, a stronger durability than was asked for, and rows that have warnings.

With --found it says in a sentence for each benchmark, at the most threads, who leads and by how much,
and what is to be known of those named. The null engine, which stores nothing, and bench_aio lead nothing.
--format=json prints both, for programs: report.sh's page begins with them.
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
	-?*) fail 2 "no option '${argument%%=*}'; see --help" ;;
	*)
		[ -z "$results" ] ||
			fail 2 "cannot read '$argument': a summary is of one file; see --help"
		results=$argument
		;;
	esac
done
[ -n "$results" ] ||
	fail 2 "which results? usage: scripts/summary.sh RESULTS.json"
[ -r "$results" ] || fail 2 "cannot read $results"
set -- "$results"

scripts=$(dirname "$0")
. "$scripts/rows.sh"
. "$scripts/stats.sh"
make_work
read_rows "$1" "$work/whole" 1 "$scripts/rows.jq" "$scripts/limits.jq" "$scripts/summary.jq"
[ -s "$work/whole" ] || fail 1 "$1 has no row"

# program JQ ARGUMENT...: on the condensed rows
program () {
	what=$1
	shift
	jq -r -L "$scripts" "$@" "include \"summary\"; include \"rows\"; $what" "$work/condensed"
}
jq -cs -L "$scripts" --arg allow "$allow" 'include "summary"; condensed($allow)' \
	"$work/whole" >"$work/condensed" || unreadable "$1"
program samples | stats --draws=0 >"$work/rates"
program 'rated($rates) | pairs' --rawfile rates "$work/rates" >"$work/pairs"
: >"$work/ratios"
[ ! -s "$work/pairs" ] || stats <"$work/pairs" >"$work/ratios"
[ $as = text ] || all=1
[ -n "$all" ] || width=${COLUMNS:-$(tput cols 2>/dev/null || echo 80)}
# shellcheck disable=SC2016 # jq's own
program 'rated($rates) as $tables | ratios($answers) as $ratios |
	[$tables | to_entries[] | .key as $at | .value | {title: title, heading: heading, lines: lines($width), said: [stands_out($ratios; $at)]} +
		if $form == "json" then {conditions: conditions_said, limit: device_limit, ratio: $ratios["\($at).1"], points: map(. + {whisker: whisker})} else {} end] as $shown |
	if $form == "found" then $tables | found($ratios)
	elif $form == "json" then {found: [$tables | found($ratios)], said: [invalid_said, causes_said], tables: $shown, invalid, causes, rows}
	else ($shown[] | .heading, (.lines | aligned(.column == 0)), (.said[] | "- " + .), ""), (invalid_said, causes_said | "- " + .) end' \
	--arg form $as --argjson width "${width:-null}" --rawfile rates "$work/rates" --rawfile answers "$work/ratios" |
	if [ -n "$all" ]; then cat; else fold -s -w "$width" | sed 's/ *$//'; fi
