#!/bin/sh
# published.sh: check the published numbers against one another; see --help.
set -eu
. "$(dirname "$0")/common.sh"

all=false form=text folder=$(dirname "$0")/../results/published
for argument
do
	case $argument in
	--help)
		cat <<END
usage: scripts/published.sh [--json] [--all] [FOLDER]

Checks whether six published benchmarks agree with themselves. It computes numbers again that a
publication derives from others: a ratio from its parts, a rate from its counters, a number in a
sentence from the table. FOLDER has the published tables as CSV files [results/published], and
statements.csv, the list of statements to check, which README.md there explains. Prints a line for
each statement with which some rows of the tables disagree: its id, the file, the publication's
statement, the value computed from those rows, and how many rows agree.

A row agrees with a number of its own table if the computed one is equal to the last printed digit.
It agrees with a number in a sentence if it is within a tenth of it.

--all     also print statements with which every row agrees
--json    JSON lines: id, document, file, says, number, unit, rows, agree, and figures,
          which is a row's name, the figure it says, the value it comes to, and agrees

Exit status: 0 whatever is found; 1 a file cannot be read as a table; 2 wrong arguments, or
FOLDER has no tables.
END
		exit 0
		;;
	--json)
		form=json
		;;
	--all)
		all=true
		;;
	-*)
		fail 2 "unknown option $argument; there are --json, --all and --help"
		;;
	*)
		folder=$argument
		;;
	esac
done
[ -r "$folder/statements.csv" ] || fail 2 "no statements.csv in $folder"
for table in "$folder"/*.csv
do
	readable "$table"
	uncut "$table" "$table"
done
make_work

awk -F, '/\r/ { print "published.sh: " FILENAME ":" FNR ": CR LF ends the line, not LF"; exit bad = 1 }
	FNR == 1 { fields = NF }
	NF != fields { print "published.sh: " FILENAME ":" FNR ": " NF " fields, not " fields; bad = 1 }
	END { exit bad }' "$folder"/*.csv >&2

jq -Rnr -L "$(dirname "$0")" --argjson all $all --arg form $form \
	-f "$(dirname "$0")/published.jq" "$folder"/*.csv 2>"$work/why" ||
	fail 1 "the tables in $folder cannot be read: $(sed -n '$s/^jq: *//; $p' "$work/why")"
