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

Recomputes derived numbers of six publications from the CSV files in FOLDER [results/published]:
a ratio from its parts, a rate from its counters, a sentence's number from its table. Prints a
line for each statement with which some of its rows disagree: its id, the file, the document's
statement, the value of those rows, and the number of rows that agree. statements.csv has the
statements by id; README.md there explains its columns.

A row agrees if its number equals the one computed from its own counters, to the last printed
digit; with a number in a sentence of the document, if it is within a tenth of it.

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

awk -F, 'FNR == 1 { fields = NF }
	NF != fields { print "published.sh: " FILENAME ":" FNR ": " NF " fields, not " fields; bad = 1 }
	END { exit bad }' "$folder"/*.csv >&2

jq -Rnr -L "$(dirname "$0")" --argjson all $all --arg form $form \
	-f "$(dirname "$0")/published.jq" "$folder"/*.csv ||
	fail 1 "the tables in $folder cannot be read; see jq's message above"
