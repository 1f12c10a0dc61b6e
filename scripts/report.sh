#!/bin/sh
# report.sh: show a directory of results as one page; see --help.
set -eu
. "$(dirname "$0")/common.sh"

help () {
	cat <<END
usage: scripts/report.sh DIRECTORY [--title=TEXT]

Writes DIRECTORY/report.html, one self-contained page without scripts, and prints its name. It
is readable on a telephone and in print. DIRECTORY has results of scripts/sweep.sh or
scripts/storages.sh; for reproductions, scripts/repro/page.sh makes the page.

The page begins with the answer: who leads at what, by how much, how sure that is, and what limits
it. A chart for each workload and number of threads follows, with latencies, limits and warnings;
then the plots of scripts/plot.sh if they were drawn, profiles if sweep.sh --profile made some, all numbers, invalid rows and failed runs with
their reasons, the machine, the engines and their builds, and the command that repeats each row.

  --title=TEXT          title of the page [what was measured]
  --help                this

Exit status: 0 the page was made, 1 otherwise, 2 wrong arguments.
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
needs jq
here=$(cd "$(dirname "$0")" && pwd)
if jq -e '.document // empty' "$directory/meta.json" >/dev/null 2>&1
then
	[ -z "$title" ] || fail 2 "the page of a reproduction has its publication's title; not --title too"
	exec "$here/repro/page.sh" "$directory"
fi
. "$here/rows.sh"
. "$here/pages.sh"
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
read_rows "$rows" "$work/rows" 1 "$here/rows.jq" "$here/limits.jq" "$here/report.jq"
"$here/summary.sh" "$work/rows" --format=json >"$work/summary" ||
	fail 1 "$rows cannot be summed up"

# the most telling first
for kind in readers probe latency throughput growth cpu ''
do
	ls "$directory"/plots/*"$kind"*.svg 2>/dev/null || true
done | awk '!seen[$0]++' | embedded picture >"$work/all_plots"
plotted=$(grep -c '^<figure>' "$work/all_plots") || true
# the first three, the others folded
awk -v all="$plotted" \
	'/^<figure>/ && ++n == 4 { print "<details><summary>" all - 3 " more plots</summary>" }
	{ print } END { if (n > 3) print "</details>" }' "$work/all_plots" >"$work/plots"

# profiles DIRECTORY: of sweep.sh --profile; of each engine and workload the first
profiles () {
	[ -s "$1/profiles.tsv" ] || return 0
	awk -F '\t' 'NR > 1 && !seen[$2, $3, $4]++ { print $1 }' "$1/profiles.tsv" |
		while IFS= read -r profile
	do
		[ -s "$1/$profile.functions.tsv" ] || continue
		printf '%s\n' "$1/$profile.cpu.svg" "$1/$profile.off-cpu.svg" |
			embedded flame >"$work/graphs"
		jq -nc --arg profile "$profile" --rawfile graphs "$work/graphs" \
			--rawfile index "$1/profiles.tsv" \
			--rawfile functions "$1/$profile.functions.tsv" \
			-f "$here/report-profile.jq"
	done
}
profiles "$directory/profile" >"$work/profiles"

jq -nr -L "$here" --arg directory "$(basename "$(cd "$directory" && pwd)")" --arg title "$title" \
	--slurpfile rows "$work/rows" --slurpfile failed "$work/failed" \
	--slurpfile summary "$work/summary" --rawfile style "$here/reading/templates/page.css" \
	--rawfile plots "$work/plots" --slurpfile profiles "$work/profiles" \
	--argjson plotted "$plotted" -f "$here/report.jq" >"$work/page" ||
	fail 1 "$rows or what is beside it cannot be read; see jq's message above"
mv "$work/page" "$directory/report.html"
chmod a+r "$directory/report.html"
echo "$directory/report.html"
