#!/bin/sh
# summary.sh: engines side by side, a table for each benchmark; see --help.
set -eu
. "$(dirname "$0")/start.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/summary.sh RESULTS.json [--allow=host | --found | --format=json]

For each benchmark and number of threads in a file of JSON lines, a table of the valid rows, the
fastest first. Its columns, of which those that are empty for all engines are left out:

  ops/s             operations a second; of several runs of one point their median, with the 95 %
                    interval of the mean by Student's t, the coefficient of variation, and how many
                    runs they are
  all in            the same with settling and closing (--settle=1)
  p99               99th percentile latency of a call: of reads, where there are any
  writes/s, write p99
                    where there are reads and writes: what the background writer got
  last/first fifth  by how much the rate changed from the first to the last fifth of the run
  CPU us/op         CPU time of the process, the engine's own threads included
  device reads/op, KB read/op, device busy
                    what the device did: an engine that reads from it is bound by it
  write amp         bytes written for a byte of the records: handed to the kernel, and written to
                    the device by this host; each also all in, with pending work done
  flushes/commit    calls that flush, made by the process
  memory            what the run held: its own and the pages of its files, or the control group's peak
  size              of the database on the file system
  of device limit   rate as a share of bench_aio's in the same results, where it is below that

A line for what stands out follows: rows that are void, doubtful or not steady, what the device
bounds, a background writer that was starved, and which engines these runs cannot tell apart.
Rows of several machines, sizes, durabilities or limits of memory have tables of their own; those of
several settings lines of their own, such as lmdb+batch_size=10. With --allow=host the hosts stand
in one table, as lmdb+host=NAME: the spread between machines. The last column marks libraries that are
unfit for comparison, a stronger durability than was asked for, and rows that are doubtful.

With --found it says in a sentence for each benchmark, at the most threads, who leads and by how much.
--format=json prints both, for programs: report.sh's page begins with them.
END
	exit 0
	;;
'')
	fail 2 "which results? usage: scripts/summary.sh RESULTS.json"
	;;
esac
allow='' as=text
case ${2-} in
'') ;;
--allow=host) allow=host ;;
--found) as=found ;;
--format=json) as=json ;;
*) fail 2 "cannot read '$2'; see --help" ;;
esac
[ -r "$1" ] || fail 2 "cannot read $1"

scripts=$(dirname "$0")
. "$scripts/rows.sh"
. "$scripts/stats.sh"
make_work
read_rows "$1" "$work/whole"

jq -rs -L "$scripts" --arg allow "$allow" 'include "summary";
	samples($allow)' "$work/whole" >"$work/samples" || unreadable "$1"
stats --draws=0 <"$work/samples" >"$work/rates"
jq -rs -L "$scripts" --arg allow "$allow" --rawfile rates "$work/rates" \
	'include "summary"; rated($allow; $rates) | pairs' \
	"$work/whole" >"$work/pairs" || unreadable "$1"
: >"$work/ratios"
[ ! -s "$work/pairs" ] || stats <"$work/pairs" >"$work/ratios"
jq -rs -L "$scripts" --arg form $as --arg allow "$allow" --rawfile rates "$work/rates" \
	--rawfile answers "$work/ratios" '
	include "summary"; include "rows";
	rated($allow; $rates) as $tables | ratios($answers) as $ratios | . as $rows |
	[$tables | to_entries[] | .key as $at | .value | {heading: heading, lines: lines, said: [stands_out($ratios; $at)]}] as $shown |
	if $form == "found" then $tables | found($ratios)
	elif $form == "json" then {found: [$tables | found($ratios)], said: [$rows | void_said, doubtful_said], tables: $shown}
	else ($shown[] | .heading, (.lines | aligned), (.said[] | "- " + .), ""), ($rows | void_said, doubtful_said | "- " + .) end' \
	"$work/whole" || unreadable "$1"
