#!/bin/sh
# probes.sh: write rates and the probe's latencies beside them, as probe.gp reads it; see --help.
set -eu
. "$(dirname "$0")/../common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/plot/probes.sh ROWS.json

Prints a table for plot.sh that shows how writes delay reads, from the valid rows of ROWS.json that
had a probe: a thread that reads at a fixed rate while others write (--probe_rate). A line is for a
benchmark and label with the fewest or the most threads. It has the name; the writes/s; the median
and the 99th percentile of the probe's service times; and the 99th percentile of its response times,
from the scheduled start. Each number is the median of the runs. Rows that differ in a setting get
labels of their own, see plot.sh.
END
	exit 0
	;;
esac
[ -r "${1-}" ] || refuse "${1-}"
read_by plot.sh probes "$1"
