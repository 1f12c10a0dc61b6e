#!/bin/sh
# claims.sh: the publications' claims, checked against their own numbers and against a run here; see --help.
set -eu
. "$(dirname "$0")/common.sh"

help () {
	cat <<END
usage: scripts/claims.sh [--json] ROWS.json [DOCUMENT]
       scripts/claims.sh [--json] --published [DOCUMENT]

Checks the claims of six published benchmarks, such as "LMDB reads fastest". Each is checked
against the publication's own numbers (results/published), and against a repetition of the
benchmark on this machine (ROWS.json, made by scripts/repro/*.sh). Prints a Markdown table for
each publication with a line for each claim: the claim; whether it is in the text or read off a
table; the verdict by the published numbers; the verdict by those measured here; and the numbers
that decide. An undecided claim has its reason.

Repeated runs are judged by their medians, and round by round. A claim is undecided if rounds
differ, or if it says which engine is faster and there are fewer than three rounds. Rows that
were measured while the hypervisor took more than 3 % of the CPU decide only claims about counts
and sizes, not about times.

DOCUMENT is the publication whose claims are checked: symas-2014, symas-2018, voron-2013,
bangdb-2012, unum-2022 or redb-2025 [those that ROWS.json has rows of].

--json       JSON lines: id, document, kind, place, text, rule, tolerance, published and ours, each
             {verdict: "holds", "fails", "depends" or "open", numbers, reason, rounds, parts}
--scale=S    scale at which the rows were measured; rows of small decide nothing
--published  check the published numbers only
--rows       print the published numbers of DOCUMENT as rows with our column names, JSON lines
--tables     print every table of results/published, as one JSON object
--ids        print the ids of all claims, and what can decide them

Claims are functions in scripts/repro/claims; docs/publications.md explains how to write one.
Exit status: 0 whatever the verdicts; 1 a claim, a row or a table of results/published cannot be
read; 2 wrong arguments, or no ROWS.json.
END
}

here=$(cd "$(dirname "$0")" && pwd)
form=text mode=ours file='' document='' scale=default
for argument
do
	case $argument in
	--help) help; exit 0 ;;
	--json) form=json ;;
	--scale=?*) scale=${argument#*=} ;;
	--published | --rows | --tables | --ids) mode=${argument#--} ;;
	-*) fail 2 "unknown option $argument; see --help" ;;
	*)
		if [ "$mode" = ours ] && [ -z "$file" ]
		then
			file=$argument
		elif [ -z "$document" ]
		then
			document=$argument
		else
			fail 2 "what is '$argument'? see --help"
		fi
		;;
	esac
done
[ "$mode" != ours ] || [ -n "$file" ] ||
	fail 2 "which rows? give a file, or --published; see --help"
needs jq

. "$here/rows.sh"
make_work
[ "$mode" != ours ] || read_rows "$file" "$work/rows"

jq -Rn -f "$here/repro/tables.jq" "$here"/../results/published/*.csv >"$work/tables" ||
	fail 1 "cannot read the tables of results/published"
if [ "$mode" = tables ]
then
	cat "$work/tables"
	exit 0
fi
if [ -n "$document" ]
then
	jq -e --arg document "$document" 'any(.documents[]; .document == $document)' \
		"$work/tables" >/dev/null ||
		fail 2 "no document '$document'; there are $(jq -r '[.documents[].document] | join(", ")' "$work/tables")"
fi

# The published figures as rows, by the map that each script has.
for map in "$here"/repro/*-[0-9][0-9][0-9][0-9].jq
do
	[ -e "$map" ] || continue
	cat "$here/repro/markdown.jq" "$map" >"$work/map"
	jq -nc -L "$here" --arg what rows --slurpfile tables "$work/tables" \
		--argjson rows '[]' --argjson missing '[[]]' \
		--argjson meta '[{}]' --argjson claims '[]' -f "$work/map" ||
		fail 1 "cannot make rows of the published numbers with $map"
done >"$work/published"
if [ "$mode" = rows ]
then
	jq -c --arg document "$document" \
		'select($document == "" or .document == $document)' "$work/published"
	exit 0
fi

"$here/published.sh" --json --all >"$work/findings" ||
	fail 1 "published.sh cannot read results/published"

# A claim is a function of the module of its publication, and its id is its name.
ids () {
	sed -n 's/^def \([A-Z][0-9][0-9]*\):.*/\1/p' "$1"
}
# What is asked of, in the order of the publications.
modules () {
	for name in ${document:-$(jq -r '.documents[].document' "$work/tables")}
	do
		[ ! -e "$here/repro/claims/$name.jq" ] ||
			echo "$here/repro/claims/$name.jq"
	done
}
# All of them in one program, each for itself: on all rows, on those that were measured
# while the hypervisor took little of the CPU, and so on those of each round.
program () {
	modules | while IFS= read -r module
	do
		name=$(basename "$module" .jq)
		echo "import \"$name\" as $(echo "$name" | tr -c 'a-z0-9\n' _);"
	done
	# shellcheck disable=SC2016 # jq's own
	echo 'def every: (group_by(.document) | map({key: .[0].document, value: .}) | from_entries) as $by | ['
	modules | while IFS= read -r module
	do
		name=$(basename "$module" .jq)
		for id in $(ids "$module")
		do
			echo "{id: \"$id\", document: \"$name\"} + ({rows: (\$by[\"$name\"] // [])} |"
			echo "	$(echo "$name" | tr -c 'a-z0-9\n' _)::$id),"
		done
	done | sed '$s/,$//'
	# shellcheck disable=SC2016 # jq's own
	echo ']; ($given | map(select((.steal_percent // 0) <= 3))) as $quiet |
		if $side == "published" then {all: ($given | every)} else
		{all: ($given | every), quiet: ($quiet | every), rounds: [([$given[].repetition // 1] | unique[]) as $n |
			{all: ($given | map(select((.repetition // 1) == $n)) | every),
			quiet: ($quiet | map(select((.repetition // 1) == $n)) | every)}]} end'
}
twice=$(modules | while IFS= read -r module; do ids "$module"; done | sort | uniq -d |
	paste -sd ' ' -)
[ -z "$twice" ] || fail 1 "claims with the same id: $twice"
program >"$work/program"

# evaluate SIDE ROWS: the claims with their answers on these rows
evaluate () {
	# jq looks for a module in the current directory too, and finds there what is not
	# ours
	(cd "$work" && exec jq -nc -L "$here/repro/claims" -L "$here/repro" -L "$here" \
		--arg side "$1" --slurpfile given "$2" \
		--slurpfile tables "$work/tables" --slurpfile findings "$work/findings" \
		-f "$work/program") \
		>"$work/$1.answers" 2>"$work/error" ||
		fail 1 "a claim cannot be read, jq ended with $?: $(head -n 1 "$work/error")"
}

evaluate published "$work/published"
# where the document has it: {id, kind, place}
jq -Rc '. / "\t" | {id: .[0], kind: .[1], place: .[2]}' "$here/repro/sources.tsv" \
	>"$work/sources"
jq -c --slurpfile sources "$work/sources" '.all[] |
	if .where | IN("ours", "published", "both", "neither") then . else error("\(.id): where is \(.where)?") end |
	if .where == "neither" and .reason == null then error("\(.id) says not why it cannot be decided") else . end |
	.id as $id | . + (([$sources[] | select(.id == $id)][0] //
		error("\(.id) is not in sources.tsv: who says it, and where?")) | del(.id)) | del(.answer)' \
	"$work/published.answers" >"$work/claims" ||
	fail 1 "cannot read the claims"
if [ "$mode" = ids ]
then
	jq -r '"\(.id)\t\(.document)\t\(.where)"' "$work/claims"
	exit 0
fi
if [ "$mode" = ours ]
then
	jq -nc --arg document "$document" 'inputs |
		if .document == null and $document != "" then .document = $document else . end |
		select(.document != null and .experiment != null)' \
		"$work/rows" >"$work/ours"
	[ -s "$work/ours" ] ||
		fail 1 "$file has no rows with document and experiment; scripts/repro/*.sh leave such ones"
else
	: >"$work/ours"
fi
evaluate ours "$work/ours"

# The verdicts of both sides beside each claim.
jq -nc -L "$here/repro" --arg mode "$mode" --arg document "$document" --arg scale "$scale" \
	--slurpfile claims "$work/claims" --slurpfile given "$work/ours" \
	--slurpfile published "$work/published.answers" \
	--slurpfile ours "$work/ours.answers" -f "$here/repro/verdicts.jq" >"$work/verdicts" ||
	fail 1 "cannot make verdicts of the answers"
if [ $form = json ]
then
	cat "$work/verdicts"
	exit 0
fi
jq -rn -L "$here/repro" --slurpfile tables "$work/tables" --slurpfile all "$work/verdicts" \
	-f "$here/repro/claims-table.jq"
