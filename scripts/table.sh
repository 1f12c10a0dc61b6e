#!/bin/sh
# table.sh: print rows of a results file as a table; see --help.
set -eu
. "$(dirname "$0")/common.sh"

columns=label,benchmark,threads,reads_per_sec,writes_per_sec,read_p50_ns,read_p99_ns
columns=$columns,read_p999_ns,write_p99_ns,write_p999_ns,cpu_percent,rss_kb
columns=$columns,harness_ns_per_op
case ${1-} in
--help)
	cat <<END
usage: scripts/table.sh RESULTS.json [COLUMN,COLUMN,...]

Prints the rows of RESULTS.json, a file that bench_NAME --json appends to, as an aligned table of
the given columns; bench_NAME --columns explains all of them. Invalid rows are excluded, and
counted on stderr. Without columns it prints
$(echo "$columns" | sed 's/,/, /g' | fold -s -w 88)
END
	exit 0
	;;
'')
	fail 2 "which results? usage: scripts/table.sh RESULTS.json [COLUMN,...]"
	;;
esac
columns=${2:-$columns}

scripts=$(dirname "$0")
. "$scripts/rows.sh"

make_work
# read once: a pipe is not there twice
read_rows "$1" "$work/whole"

unknown=$(jq -rs --arg columns "$columns" '(.[0] // {}) as $row |
	[$columns | split(",")[] | select(. as $c | $row | has($c) | not)] | join(", ")' \
	"$work/whole") || unreadable "$1"
[ -z "$unknown" ] || fail 2 "no column $unknown in $1"
jq -rs '[.[] | select(.valid != 1)] | length | select(. > 0) |
	"table.sh: \(.) invalid rows left out"' "$work/whole" >&2 || unreadable "$1"

jq -rs -L "$scripts" --arg columns "$columns" 'include "rows";
	def figure: if . == null then "-" elif type == "number" then
		(if fabs >= 100 or . == floor then round elif fabs >= 1 then . * 10 | round / 10 else . * 1000 | round / 1000 end)
		else . end | tostring;
	($columns | split(",")) as $names |
	[$names] + [.[] | select(.valid == 1) | [.[$names[]] | figure]] |
	aligned(.column < 2)' "$work/whole" || unreadable "$1"
