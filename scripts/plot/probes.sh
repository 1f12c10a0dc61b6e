#!/bin/sh
# probes.sh: write rates and the probe's latencies beside them, as probe.gp reads it; see --help.
set -eu
. "$(dirname "$0")/../common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/plot/probes.sh ROWS.json

Prints a table for plot.sh that shows how writes delay reads, from the valid rows of ROWS.json
that had a probe: a thread that reads at a fixed rate while others write (--probe_rate). A line is
for a benchmark and label with the fewest or the most threads. It has the name; the writes/s; the
median and the 99th percentile of the probe's service times; and the 99th percentile of its
response times, from the scheduled start. Each number is the median of the runs. Rows of one
label that differ in a setting get separate labels, such as rocksdb+auto_compactions=0.
END
	exit 0
	;;
esac
[ -r "${1-}" ] || fail 2 "cannot read '${1-}'; see --help"
scripts=$(dirname "$0")/..
make_work
# shellcheck source=scripts/rows.sh
. "$scripts/rows.sh"
read_rows "$1" "$work/rows"
jq -rs -L "$scripts" 'include "rows";
	["benchmark", "threads", "name", "writes_per_sec", "p50_ns", "p99_ns", "resp_p99_ns"],
	(map(select(.valid == 1 and .probe_p50_ns != null and .writes_per_sec > 0)) | told_apart |
	group_by(.benchmark, .label)[] | (map(.threads) | [min, max]) as $extremes | group_by(.threads)[] |
	select(.[0].threads | IN($extremes[])) |
	[.[0].benchmark, .[0].threads, "\(.[0].label), \(.[0].threads) thread\(if .[0].threads > 1 then "s" else "" end)",
		(("writes_per_sec", "probe_p50_ns", "probe_p99_ns", "probe_resp_p99_ns") as $c | map(.[$c]) | median)]) | @tsv' \
	"$work/rows" || unreadable "$1"
