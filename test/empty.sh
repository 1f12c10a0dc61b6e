#!/bin/sh
# empty.sh: hold rows to what test/empty.tsv says of each column: when it is empty and when not. See --help.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../scripts/common.sh"

case ${1-} in
--help | '')
	cat <<END
usage: test/empty.sh ROWS.json
       test/empty.sh --rules

Prints a line for each column of a valid row that is empty and must not be, or is not and must be:
the column, what it is, the rule, and the command of the row. Rows are in the order in which the
programs wrote them. --rules prints the rules as a jq module, for test/empty.jq.
Exit status: 0 all rows are as the rules say, 1 some are not, 2 wrong arguments.
END
	[ $# -gt 0 ] || exit 2
	exit ;;
esac

# columns of one rule together
rules () {
	awk -F '\t' 'BEGIN { print "include \"empty\";\ndef rules:" }
		/^#/ || NF == 0 { next }
		{ rule = $2 "\t" $3; if (!(rule in columns)) order[++n] = rule; columns[rule] = columns[rule] (columns[rule] ? ", " : "") "\"" $1 "\"" }
		END {
			for (i = 1; i <= n; i++) {
				split(order[i], part, "\t")
				said = part[1] "; empty: " part[2]
				gsub(/"/, "\\\"", said)
				there = part[1] == "-" ? "null" : part[1]
				empty = part[2] == "-" ? "null" : part[2] == "else" ? "($there == false)" : "(" part[2] ")"
				printf "%s((%s) as $there | {columns: [%s], there: $there, empty: %s, said: \"%s\"})", (i > 1 ? ",\n\t" : "\t"),
					there, columns[order[i]], empty, said
			}
			print ";"
		}' "$here/empty.tsv"
}
[ "$1" != --rules ] || { rules; exit; }
[ -f "$1" ] || fail 2 "there is no file $1; see --help"
make_work
rules >"$work/rules.jq"
# gojq reads the rules in a sixth of the time
# shellcheck disable=SC2016 # jq's own
"$(command -v gojq || echo jq)" -s -r -L "$work" -L "$here" --rawfile facts "$here/random/workloads.txt" 'include "empty"; include "rules"; broken_rules($facts; rules) |
	"\(.column) is \(.is): there: \(.rule): \(.benchmark) of \(.engine): \(.command)"' "$1" >"$work/broken"
cat "$work/broken"
[ ! -s "$work/broken" ]
