#!/bin/sh
# claims.sh: what the publications say, held against their own figures and against a run here; see --help.
set -eu
. "$(dirname "$0")/start.sh"

help () {
	cat <<END
usage: scripts/claims.sh [--json] ROWS.json [DOCUMENT]
       scripts/claims.sh [--json] --published [DOCUMENT]

Decides each claim of five publications by data: on the figures that they printed
(results/published), and on the rows of a run here (rows.json of scripts/repro/*.sh). Prints a
Markdown table for each document: the claim in our words, what its own figures say to it,
what the run here says, each with the numbers that it was decided by. A claim that cannot
be decided says why.

DOCUMENT is symas-2014, symas-2018, voron-2013, bangdb-2012 or unum-2022 [those in ROWS.json].

--json       JSON lines: id, document, kind, text, tolerance, and published and ours, each
             {verdict: "holds", "fails" or "open", numbers, reason}
--published  on the published figures alone
--rows       the published figures of DOCUMENT as rows with our column names, JSON lines
--tables     every table of results/published, as one JSON object
--ids        the ids of all claims, and what can decide them

Claims are in scripts/repro/claims.tsv, a line each; scripts/repro/README.md says how one is written.
The exit status is 0 whatever holds, 1 if a claim, a row or a table of results/published cannot
be read, 2 for wrong arguments or if there is no ROWS.json.
END
}

here=$(cd "$(dirname "$0")" && pwd)
form=text mode=ours file='' document=''
for argument
do
	case $argument in
	--help) help; exit 0 ;;
	--json) form=json ;;
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
[ "$mode" != ours ] || [ -n "$file" ] || fail 2 "which rows? give a file, or --published; see --help"
[ -z "$file" ] || [ -r "$file" ] || fail 2 "cannot read $file"
command -v jq >/dev/null || fail 1 "jq is not installed; apt install jq"

make_work

jq -Rn -f "$here/repro/tables.jq" "$here"/../results/published/*.csv >"$work/tables" ||
	fail 1 "cannot read the tables of results/published"
if [ "$mode" = tables ]
then
	cat "$work/tables"
	exit 0
fi
if [ -n "$document" ]
then
	jq -e --arg document "$document" 'any(.documents[]; .document == $document)' "$work/tables" >/dev/null ||
		fail 2 "no document '$document'; there are $(jq -r '[.documents[].document] | join(", ")' "$work/tables")"
fi

# The published figures as rows, by the map that each script has.
for map in "$here"/repro/*-[0-9][0-9][0-9][0-9].jq
do
	[ -e "$map" ] || continue
	cat "$here/repro/markdown.jq" "$map" >"$work/map"
	jq -nc --arg what rows --slurpfile tables "$work/tables" --argjson rows '[]' --argjson missing '[[]]' \
		--argjson meta '[{}]' -f "$work/map" || fail 1 "cannot make rows of the published figures with $map"
done >"$work/published"
if [ "$mode" = rows ]
then
	jq -c --arg document "$document" 'select($document == "" or .document == $document)' "$work/published"
	exit 0
fi

# A claim a line; an id stands once.
for list in "$here"/repro/claims.tsv "$here"/repro/claims.d/*.tsv
do
	[ ! -e "$list" ] || tail -n +2 "$list"
done | jq -Rnc --arg document "$document" '[inputs | select(. != "") | split("\t") | . as $cells |
		if length < 6 or length > 8 then error("a line of \(length) cells, not 8: \($cells[0])") else . end |
		{id: .[0], document: .[1], kind: .[2], text: .[3], where: (.[4] | if . == "" or . == "-" then "neither" else . end),
			expression: (.[5] | if . == "" or . == "-" then null else . end),
			tolerance: ((.[6] // "") | if . == "" or . == "-" then null else tonumber end), reason: ((.[7] // "") | if . == "-" then "" else . end)} |
		if .where | IN("ours", "published", "both", "neither") then . else error("\(.id): where is \(.where)?") end |
		if .where != "neither" and .expression == null then error("\(.id) has no expression") else . end |
		if .where == "neither" and .reason == "" then error("\(.id) says not why it cannot be decided") else . end] |
	(group_by(.id) | map(select(length > 1)[0].id) | if length > 0 then error("twice: \(join(", "))") else . end) as $once |
	map(select($document == "" or .document == $document))' >"$work/claims" || fail 1 "cannot read the claims"
if [ "$mode" = ids ]
then
	jq -r '.[] | "\(.id)\t\(.document)\t\(.where)"' "$work/claims"
	exit 0
fi

"$here/published.sh" --json --all >"$work/findings" || fail 1 "published.sh cannot read results/published"

# Every expression in one program; each answers for itself, what it lacks leaves it open.
program () {
	cat "$here/repro/claims.jq"
	# shellcheck disable=SC2016 # jq's own
	echo '($given | group_by(.document) | map({key: .[0].document, value: .}) | from_entries) as $by | ['
	jq -r '[.[] | select(.expression != null) | "{id: \(.id | tojson), answer: ({rows: ($by[\(.document | tojson)] // [])} |
		try (\(.tolerance | tojson) as $tolerance | (\(.expression)\n) | answer(.holds; .numbers)) catch
			{holds: null, numbers: (if type == \"string\" then . else tojson end)})}"] | join(",\n")' "$1"
	echo ']'
}

# evaluate SIDE ROWS: the answers on these rows
evaluate () {
	program "$work/claims" >"$work/program"
	answers "$@" >"$work/$1.answers" 2>"$work/error" || blame "$@"
}
answers () {
	jq -nc -L "$here" --arg side "$1" --slurpfile given "$2" --slurpfile tables "$work/tables" \
		--slurpfile findings "$work/findings" -f "$work/program"
}

# blame SIDE ROWS: which of them jq cannot read
blame () {
	jq -r '.[] | select(.expression != null) | .id' "$work/claims" | while read -r id
	do
		jq -c --arg id "$id" 'map(select(.id == $id))' "$work/claims" >"$work/single"
		program "$work/single" >"$work/program"
		answers "$@" >/dev/null 2>"$work/error" ||
			echo "claims.sh: $id: jq cannot read its expression: $(grep -v '^jq: [0-9]* compile' "$work/error" | head -n 1)" >&2
	done
	exit 1
}

evaluate published "$work/published"
if [ "$mode" = ours ]
then
	jq -nc --arg document "$document" 'inputs | if .document == null and $document != "" then .document = $document else . end |
		select(.document != null and .experiment != null)' "$file" >"$work/ours" || fail 1 "$file is not lines of JSON objects"
	[ -s "$work/ours" ] || fail 1 "$file has no rows with document and experiment; scripts/repro/*.sh leave such ones"
else
	: >"$work/ours"
fi
evaluate ours "$work/ours"

# The verdicts of both sides beside each claim.
jq -nc --arg mode "$mode" --arg document "$document" --slurpfile claims "$work/claims" --slurpfile given "$work/ours" \
	--slurpfile published "$work/published.answers" --slurpfile ours "$work/ours.answers" '
	($given | map(.document) | unique) as $documents |
	def verdict($claim; $side; $answers):
		if (["both", $side] | index($claim.where)) == null then {verdict: "open", numbers: null,
			reason: (if $claim.reason != "" then $claim.reason
				elif $side == "ours" then "it is about the published figures" else "no figure is printed that decides it" end)}
		else [$answers[] | select(.id == $claim.id)][0].answer |
			if .holds == null then {verdict: "open", numbers: null,
				reason: (.numbers // "its expression gives no answer")}
			else {verdict: (if .holds then "holds" else "fails" end), numbers, reason: null} end
		end;
	$claims[0][] | . as $claim | select($mode != "ours" or $document != "" or (.document | IN($documents[]))) |
	{id, document, kind, text, tolerance, published: verdict($claim; "published"; $published[0])} +
	if $mode == "ours" then {ours: verdict($claim; "ours"; $ours[0])} else {} end' >"$work/verdicts"
if [ $form = json ]
then
	cat "$work/verdicts"
	exit 0
fi
jq -rn --slurpfile tables "$work/tables" --slurpfile all "$work/verdicts" '
	def cell: gsub("[|]"; "\\|");
	# a title in brackets is not the document'"'"'s own, but what stands for it
	def heading: if startswith("(") then ltrimstr("(") | split(":")[0] | rtrimstr(")") else . end;
	def side: {holds: "**holds**", fails: "**does not hold**", open: "not testable"}[.verdict] +
		(if .verdict == "open" then " (\(.reason))" elif .numbers != null and .numbers != "" then ": \(.numbers)" else "" end) | cell;
	def of(side; $verdict): map(select((side.verdict // "open") == $verdict)) | length;
	$tables[0].documents[] | . as $document | [$all[] | select(.document == $document.document)] | select(length > 0) |
	(.[0] | has("ours")) as $run |
	"## \($document.author), \($document.title | heading), \($document.year)", "",
	"Of \(length) claims, \(of(.published; "holds")) hold on the published figures and \(of(.published; "fails")) do not" +
	(if $run then "; here \(of(.ours; "holds")) hold and \(of(.ours; "fails")) do not" else "" end) +
	"; \(map(select(.published.verdict == "open" and (.ours.verdict // "open") == "open")) | length) cannot be decided by \(
		if $run then "either" else "them" end).", "",
	(if $run then "| | the document says | its own figures | here |", "|:--|:--|:--|:--|"
	else "| | the document says | its own figures |", "|:--|:--|:--|" end),
	(.[] | "| \(.id) | \(.text | cell) | \(.published | side) |" + if $run then " \(.ours | side) |" else "" end), ""'
