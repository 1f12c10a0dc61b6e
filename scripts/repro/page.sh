#!/bin/sh
# page.sh: make the page of a reproduction; see --help.
set -eu
. "$(dirname "$0")/../common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/repro/page.sh DIRECTORY

Makes the page of a reproduction, DIRECTORY/report.html, and prints its name. DIRECTORY is the
--out of a script such as redb-2025.sh, with rows.json, meta.json and missing.tsv. The page begins
with the publication's question, its answer and the answer here. Then it has the engines' rates
relative to one engine, published and measured; what limited them; the verdict on each claim,
failures first; and all tables. Each number is the median of the repeated runs. The parts are
also written as asked.md, tables.md, claims.json and claims.md.
END
	exit 0
	;;
'') fail 2 "which directory? usage: scripts/repro/page.sh DIRECTORY" ;;
-*) fail 2 "unknown option $1; see --help" ;;
esac
[ $# -eq 1 ] || fail 2 "one directory, not $#; see --help"
directory=${1%/}
for file in rows.json meta.json missing.tsv
do
	[ -s "$directory/$file" ] || fail 2 "no $file in $directory; a reproduction leaves one"
done
needs jq cmark-gfm
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../rows.sh"
. "$here/../pages.sh"
make_work
script=$(jq -r .script "$directory/meta.json")
document=$(jq -r .document "$directory/meta.json")
scale=$(jq -r .scale "$directory/meta.json")

"$here/../claims.sh" --scale="$scale" --json "$directory/rows.json" "$document" \
	>"$directory/claims.json"
"$here/../claims.sh" --tables >"$work/published"
jq -rn --slurpfile tables "$work/published" --slurpfile all "$directory/claims.json" \
	-f "$here/claims-table.jq" >"$directory/claims.md"
read_rows "$directory/rows.json" "$work/rows"
# lines FILE NAME...: a table without quotes as JSON lines of objects
lines () {
	jq -Rc --args '. / "\t" | [., $ARGS.positional] | transpose | map({key: .[1], value: .[0]}) | from_entries' \
		"$@"
}
tail -n +2 "$directory/missing.tsv" >"$work/missing.tsv"
lines engine reason <"$work/missing.tsv" | jq -s . >"$work/missing"
lines document said <"$here/changed.tsv" >"$work/changed"
lines id said <"$here/reasons.tsv" >"$work/reasons"
# one without a layout has rows and claims alone
# shellcheck disable=SC2016 # jq's own
{
	cat "$here/markdown.jq"
	cat "$here/$script.jq" 2>/dev/null || echo 'if $what == "page" then {asked: [], panels: []} else empty end'
} >"$work/layout.jq"
# made WHAT: tables or page
made () {
	jq -nr -L "$here/.." --arg what "$1" --slurpfile tables "$work/published" \
		--slurpfile rows "$work/rows" --slurpfile meta "$directory/meta.json" \
		--slurpfile missing "$work/missing" --slurpfile claims "$directory/claims.json" \
		-f "$work/layout.jq" || fail 1 "$here/$script.jq cannot make $1 of $directory/rows.json"
}
made tables >"$directory/tables.md"
made page >"$work/head"
jq -r --slurpfile tables "$work/published" --slurpfile meta "$directory/meta.json" '
	def cell: gsub("[|]"; "\\|");
	def told: map(values | select(. != "")) | join("; ") | cell;
	([$tables[0].documents[] | select(.document == $meta[0].document).year][0]) as $year |
	"| asked | found there, \($year) (no range or limit recorded) | found here, \($meta[0].date[:4]) |", "| :-- | :-- | :-- |",
	(.asked[] | "| \(.asked | cell) | \(.there | cell) | \(if .word == "" then "" else "**\(.word)**: " end)\([.here, .here_sure] | told) |")' \
	"$work/head" >"$directory/asked.md"

# Each table in a box, in which it scrolls; a heading and what follows it is folded but
# for the first.
cmark-gfm --extension table --table-prefer-style-attributes "$directory/tables.md" |
	sed 's|<table>|<div class="box"><table>|; s|</table>|</table></div>|
		s|\(<t[dh]\) style="text-align: right"|\1 class="n"|; s|\(<t[dh]\) style="text-align: left"|\1|' |
	awk '/^<h2>/ { gsub(/<\/?h2>/, ""); if (n++) print "</details>"
			print "<details" (n == 1 ? " open" : "") "><summary>" $0 "</summary>"; next }
		{ print } END { if (n) print "</details>" }' >"$work/tables"
# the pictures that lie beside it
printf '%s\n' "$directory"/figures/load-time.svg "$directory"/figures/threads-*.svg |
	embedded 'picture box' >"$work/figures"

# part NAME: of repro-page.jq
part () {
	jq -nr -L "$here/.." --arg part "$1" --rawfile style "$here/../reading/templates/page.css" \
		--rawfile own "$here/page.css" --slurpfile head "$work/head" \
		--slurpfile rows "$work/rows" --slurpfile claims "$directory/claims.json" \
		--slurpfile meta "$directory/meta.json" --slurpfile tables "$work/published" \
		--slurpfile missing "$work/missing" --slurpfile changed "$work/changed" \
		--slurpfile reasons "$work/reasons" -f "$here/repro-page.jq" ||
		fail 1 "$directory: cannot make its page; see jq's message above"
}
{
	part top
	echo '<section id="tables"><h2>All tables</h2>'
	cat "$work/tables"
	echo '</section>'
	if [ -s "$work/figures" ]
	then
		echo '<section id="figures"><h2>Over time</h2>'
		cat "$work/figures"
		echo '</section>'
	fi
	part rest
	echo '</body></html>'
} >"$work/page" || fail 1 "the page could not be made of what is in $directory"
mv "$work/page" "$directory/report.html"
chmod a+r "$directory/report.html"
echo "$directory/report.html"
