#!/bin/sh
# points.sh: summarize the runs of each point, as readers.gp reads it; see --help.
set -eu
. "$(dirname "$0")/../common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/plot/points.sh ROWS.json

Prints the points of a plot as a table, for plot.sh and symas.sh: a line for each benchmark, label,
number of threads and kind of operation (reads, writes) in the valid rows of ROWS.json. A line has
the number of runs; the median and mean of their rates; an interval; and their coefficient of
variation. The interval is, with five or more runs, the 95 % interval by Student's t on the
logarithms; with three or four, the lowest and highest rate. Rows that differ in a setting get
labels of their own, see plot.sh.
END
	exit 0
	;;
esac
[ -r "${1-}" ] || refuse "${1-}"
read_by plot.sh points "$1"
