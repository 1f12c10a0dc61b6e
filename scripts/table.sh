#!/bin/sh
# table.sh: rows of a results file as a table; see --help.
set -eu

columns=label,benchmark,threads,reads_per_sec,writes_per_sec,read_p50_ns,read_p99_ns,write_p99_ns,cpu_percent,rss_kb,harness_ns_per_op
case ${1-} in
--help)
	cat <<END
usage: scripts/table.sh RESULTS.json [COLUMN,COLUMN,...]

Prints the chosen columns of a file of JSON lines, aligned; bench_NAME --columns says
what there is. Void rows are left out and counted on stderr. Without a list these:
$(echo "$columns" | sed 's/,/, /g' | fold -s -w 88)
END
	exit 0
	;;
'')
	echo "table.sh: which results? usage: scripts/table.sh RESULTS.json [COLUMN,...]" >&2
	exit 2
	;;
esac
[ -r "$1" ] || { echo "table.sh: cannot read $1" >&2; exit 2; }
columns=${2:-$columns}

# its rows, without one that a crash has cut short
rows () {
	grep -v '^{"schema":.*[^}]$' "$1"
}

unreadable () {
	echo "table.sh: $1 has a row that cannot be read; jq says above what of it" >&2
	exit 1
}

unknown=$(rows "$1" | jq -rs --arg columns "$columns" '(.[0] // {}) as $row |
	[$columns | split(",")[] | select(. as $c | $row | has($c) | not)] | join(", ")') || unreadable "$1"
[ -z "$unknown" ] || { echo "table.sh: no column $unknown in $1" >&2; exit 2; }
rows "$1" | jq -rs '[.[] | select(.valid != 1)] | length | select(. > 0) |
	"table.sh: \(.) void rows left out"' >&2 || unreadable "$1"

rows "$1" | jq -rs --arg columns "$columns" '
	def figure: if . == null then "-" elif type == "number" then
		(if fabs >= 100 or . == floor then round elif fabs >= 1 then . * 10 | round / 10 else . * 1000 | round / 1000 end)
		else . end | tostring;
	($columns | split(",")) as $names |
	([$names] + [.[] | select(.valid == 1) | [.[$names[]] | figure]]) as $cells |
	([range($names | length) as $i | [$cells[][$i] | length] | max]) as $width |
	$cells[] | [range($names | length) as $i | .[$i] as $text | ($width[$i] - ($text | length)) as $gap |
		if $i < 2 then $text + " " * $gap else " " * $gap + $text end] | join("  ")' || unreadable "$1"
