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

Recomputes what the tables of six publications let anyone recompute, from the CSV files
in FOLDER [results/published] alone: a ratio from its parts, a rate from its counters, a
sentence's number from its table. Prints a line for each finding, a statement that some
of its rows do not bear out: its id, the file, what the document says, what the figures
come to in those rows, and how many rows agree. What a document says is in
statements.csv, by the same id; README.md there says what each column is.

A row agrees if it is what the statement makes of the row's own counters, to the last
digit that is printed; with a number that the document gives in a sentence, if it is
within a tenth of it.

--all     statements that every row bears out as well
--json    JSON lines: id, document, file, says, number, unit, rows, agree, and figures,
          which is a row's name, the figure it says, the value it comes to, and agrees

The exit status is 0 whatever is found, 1 if a file cannot be read as a table, 2 for wrong
arguments or if FOLDER has no tables.
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
	fail 1 "the tables in $folder cannot be read; jq says above what of them"
