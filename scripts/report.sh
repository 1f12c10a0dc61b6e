#!/bin/sh
# report.sh: a directory of results as one page; see --help.
set -eu
. "$(dirname "$0")/common.sh"

help () {
	cat <<END
usage: scripts/report.sh DIRECTORY [--title=TEXT]

Writes DIRECTORY/report.html, one page that needs nothing else, and prints its name. It is readable
on a telephone and in print, and has no scripts. DIRECTORY is what one of these left:

  scripts/repro/*.sh    its tables beside the published ones, its plots, its claims, what is
                        missing
  scripts/sweep.sh      charts and tables of its rows, and the plots of scripts/plot.sh if they
                        were drawn
  scripts/storages.sh   the same

A page of a sweep begins with the answer: who leads at what, by how much, how sure that is, and what
limits it. A chart for each workload and number of threads follows, with latencies, limits and
warnings; then plots, all numbers, invalid rows and failed runs with their reasons, the machine, the
engines and their builds, and the command that repeats each row.

  --title=TEXT          of the page [what was measured]
  --help                this

Exit status: 0, or 1 if the page could not be made, 2 for wrong arguments.
END
}

directory='' title=''
for argument
do
	case $argument in
	--help) help; exit 0 ;;
	--title=?*) title=${argument#*=} ;;
	-*) fail 2 "unknown option $argument; see --help" ;;
	*)
		[ -z "$directory" ] || fail 2 "one directory, not also '$argument'; see --help"
		directory=${argument%/}
		;;
	esac
done
[ -n "$directory" ] || fail 2 "which directory? usage: scripts/report.sh DIRECTORY"
rows=
for file in rows.json results.json
do
	[ -n "$rows" ] || [ ! -s "$directory/$file" ] || rows=$directory/$file
done
[ -n "$rows" ] ||
	fail 2 "neither rows.json nor results.json in $directory; sweep.sh makes one"
needs jq cmark-gfm
here=$(cd "$(dirname "$0")" && pwd)
. "$here/rows.sh"
make_work

# Runs of a plan that left no row: those that failed, and those that did not run.
without_row () {
	(cd "$directory" && find . -type d -path '*/runs/*' -prune) | sort |
		while IFS= read -r run
	do
		[ ! -s "$directory/$run/row.json" ] || continue
		why=$(tail -n 1 "$directory/$run/err.txt" 2>/dev/null) || why=
		[ -e "$directory/$run/err.txt" ] || why="it has not run"
		jq -nc --arg run "${run#./}" --arg why "${why:-it said nothing}" \
			'{run: $run, why: $why}'
	done
}
without_row >"$work/failed"
read_rows "$rows" "$work/rows" 1 "$here/rows.jq" "$here/limits.jq" "$here/summary.jq" "$here/report.jq"
jq -Rc '[split("\t") | {engine: .[0], reason: .[1]}] | .[]' \
	"$directory/missing.tsv" 2>/dev/null | tail -n +2 >"$work/missing" || true
cat "$directory/claims.json" 2>/dev/null >"$work/claims" || true
cat "$directory/meta.json" 2>/dev/null >"$work/meta" || true
jq -Rn -f "$here/repro/tables.jq" \
	"$here/../results/published/documents.csv" >"$work/documents"
# what the scripts changed, {document, said}, and why claims may fail here, {id, said}
jq -Rc '. / "\t" | {document: .[0], said: .[1]}' \
	"$here/repro/changed.tsv" >"$work/changed"
jq -Rc '. / "\t" | {id: .[0], said: .[1]}' "$here/repro/reasons.tsv" >"$work/reasons"

# The charts are what summary.sh says; a reproduction has its claims and its tables
# instead.
echo null >"$work/summary"
[ -s "$directory/tables.md" ] ||
	"$here/summary.sh" "$work/rows" --format=json >"$work/summary" ||
	fail 1 "$rows cannot be summed up"

# Tables scroll in a box of their own; a cell with nothing after it in its row has the
# room of the rest, such as the reason why there are no figures; what is inside a heading
# of a part is one lower than it.
with_tables () {
	cmark-gfm --extension table --table-prefer-style-attributes \
		"$directory/tables.md" |
		sed 's|<table>|<div class="box"><table>|; s|</table>|</table></div>|; s|<\(/*\)h4|<\1h5|g; s|<\(/*\)h3|<\1h4|g
			s|<\(/*\)h[12]|<\1h3|g; s|\(<t[dh]\) style="text-align: right"|\1 class="n"|; s|\(<t[dh]\) style="text-align: left"|\1|' |
		awk '/^<td/ { cell[++cells] = $0; next }
			cells { for (last = cells; last > 1 && cell[last] ~ /><\/td>$/; last--) continue
				if (cells - last >= 2) {
					sub(/^<td[^>]*>/, "<td class=\"rest\" colspan=\"" cells - last + 1 "\">", cell[last])
					cells = last }
				for (i = 1; i <= cells; i++) print cell[i]
				cells = 0 }
			{ print }'
}

# A plot's ids and what refers to them with a prefix of its own, and without what only
# a file of its own has.
with_plots () {
	folder=$directory/figures
	[ -d "$folder" ] || folder=$directory/plots
	number=0
	# of a reproduction in the order in which they were drawn; of a sweep the most
	# telling first
	{
		[ "$folder" = "$directory/plots" ] ||
			cut -f 1 "$folder/captions.tsv" 2>/dev/null |
			awk -v folder="$folder" \
			'!seen[$0]++ { print folder "/" $0 ".svg" }' || true
		for kind in readers probe latency throughput growth cpu ''
		do
			ls "$folder"/*"$kind"*.svg 2>/dev/null || true
		done
	} | awk '!seen[$0]++' | while IFS= read -r picture
	do
		[ -s "$picture" ] || continue
		number=$((number + 1))
		caption=$(basename "$picture" .svg)
		said=$(awk -F '\t' -v name="$caption" '$1 == name { print $2 }' \
			"$folder/captions.tsv" 2>/dev/null | tail -n 1 |
			jq -Rr @html) || said=
		caption=${said:-$caption}
		echo '<figure>'
		echo '<div class="picture">'
		sed "/<?xml/d; /<!DOCTYPE/d; s|<title>.*</title>||; s|<desc>.*</desc>||; s|[ ]*xmlns[:a-z]*=\"[^\"]*\"||
			s|\\( id=[\"']\\)|\\1f$number-|g; s|\\(href=[\"']#\\)|\\1f$number-|g; s|url(#|url(#f$number-|g
			s|<svg|<svg role=\"img\" aria-label=\"$caption\"|" "$picture"
		echo "</div><figcaption>$caption</figcaption></figure>"
	done
}

# Of a sweep the first three, the others folded; a reproduction shows all, as the
# publication did.
shown_plots () {
	if [ -s "$work/tables" ] || [ "$plotted" -le 3 ]
	then
		cat "$work/all_plots"
		return
	fi
	awk -v all="$plotted" \
		'/^<figure>/ && ++n == 4 { print "<details><summary>" all - 3 " more plots</summary>" }
		{ print } END { print "</details>" }' "$work/all_plots"
}

: >"$work/tables"
[ ! -s "$directory/tables.md" ] || with_tables >"$work/tables"
with_plots >"$work/all_plots"
plotted=$(grep -c '^<figure>' "$work/all_plots") || true
shown_plots >"$work/plots"

jq -nr -L "$here" --arg directory "$(basename "$(cd "$directory" && pwd)")" --arg title "$title" \
	--slurpfile rows "$work/rows" --slurpfile failed "$work/failed" \
	--slurpfile missing "$work/missing" --slurpfile claims "$work/claims" \
	--slurpfile meta "$work/meta" --slurpfile documents "$work/documents" \
	--slurpfile summary "$work/summary" --slurpfile changed "$work/changed" \
	--slurpfile reasons "$work/reasons" --rawfile style "$here/page.css" \
	--rawfile tables "$work/tables" --rawfile plots "$work/plots" \
	--argjson plotted "$plotted" -f "$here/report.jq" >"$work/page" ||
	fail 1 "$rows or what is beside it cannot be read; jq says above what of it"
mv "$work/page" "$directory/report.html"
chmod a+r "$directory/report.html"
echo "$directory/report.html"
