#!/bin/sh
# gen-docs.sh: print the generated pages of docs/; see --help.
set -eu
. "$(dirname "$0")/common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/gen-docs.sh [ENGINE | --engines | --columns | --from | --python]

Prints docs/options.md with new tables of options of every bench_NAME, workloads and presets, from
those that --options=tsv, --workloads=tsv and --presets=tsv print.

  ENGINE       the options that only bench_ENGINE has, as a table in Markdown
  --engines    docs/engines.md, with new tables of the programs that are built
  --columns    docs/columns.md, with new tables of the columns of results, from --columns=tsv
  --from       docs/from-db_bench.md, with new tables of the options and workloads of db_bench,
               dbbench, YCSB and UCSB and their equivalents, from the output of --help=db_bench
               and test/compat.tsv
  --python     build/row_columns.py: the columns of a row as a type

"make docs" writes these pages, and make lint what is in build/.
END
	exit 0
	;;
--engines | --columns | --from | --python) ;;
-*)
	fail 2 "unknown option $1; see --help"
	;;
esac
cd "$(dirname "$0")/.."
case ${1:--} in
-*) ;;
*) needs_built "bench_$1" ;;
esac

# doc_columns TABLE: those of results or of timelines as a table in Markdown
doc_columns () {
	echo '| column | unit | meaning |'
	echo '|---|---|---|'
	./bench_null --columns=tsv | awk -F '\t' -v table="$1" '$1 == table {
		gsub(/\|/, "\\|")
		print "| `" $2 "` | " ($4 == "" ? $3 : $4) " | " $5 " |" }'
}

# doc_page PAGE: with the tables $work/1, $work/2 ... in place of its own
doc_page () {
	awk -v work="$work" '
		!/^[|]/ { inside = 0; print; next }
		!inside++ {
			file = work "/" ++n
			while ((getline line <file) > 0)
				print line
		}' "$1"
}
make_work

if [ "${1-}" = --columns ]
then
	doc_columns result >"$work/1"
	doc_columns timeline >"$work/2"
	doc_page docs/columns.md
	exit 0
fi

if [ "${1-}" = --python ]
then
	cat <<END
"""The columns of a row, as a type for mypy; gen-docs.sh --python writes this file."""
from __future__ import annotations

from typing import Optional, TypedDict

Text = Optional[str]
Figure = Optional[float]


class Columns(TypedDict, total=False):
    """What bench_NAME --columns=tsv lists. None is what is not known."""

END
	./bench_null --columns=tsv | awk -F '\t' '$1 == "result" {
		print "    " $2 ": " ($3 == "text" ? "Text" : "Figure") }'
	exit 0
fi

# Equivalents of other tools' names: in every program, in some, or under another name.
doc_compat () {
	./bench_null --help=db_bench >"$work/compat"
	./bench_null --workloads=tsv | sed 1d | cut -f 1 | sed 's/^/workload\t/' >"$work/here"
	# what not every machine builds would make another page
	own=$(awk -F '\t' '$5 ~ "^engines/" { print "bench_" $1 }' engines/sources.tsv | sort -u)
	for program in bench_*
	do
		case $program in
		bench_null | bench_memstore | bench_flat | *-[0-9]*) continue ;;
		esac
		! echo "$own" | grep -q -x "$program" || continue
		"./$program" --options=tsv | awk -F '\t' -v OFS='\t' -v program="$program" 'NR > 1 {
			print "option", $2, program
			if ($3 != "") print "option", $3, program }'
	done | awk -F '\t' -v OFS='\t' \
		'{ in_some[$1 OFS $2] = in_some[$1 OFS $2] ", " $3; n[$1 OFS $2]++ }
		END { for (i in n) print i, (n[i] >= 8 ? "" : substr(in_some[i], 3)) }' \
		>>"$work/here"
	awk -F '\t' '
		FILENAME ~ /compat$/ && NF == 3 { answer[$1, $2] = $3; next }
		FILENAME ~ /here$/ { here[$1, $2] = 1; where[$1, $2] = $3; next }
		!(($2, $3) in seen) { names[++count] = $2 SUBSEP $3 }
		{ seen[$2, $3] = 1 }
		END { for (i = 1; i <= count; i++) {
			split(names[i], part, SUBSEP)
			said = !(names[i] in here) ? answer[names[i]] : \
				"the same" (where[names[i]] != "" ? ", of " where[names[i]] : "")
			gsub(/\|/, "\\|", said)
			row = part[1] "\t" said
			if (row in group) group[row] = group[row] ", "
			else rows[++n] = row
			group[row] = group[row] "`" (part[1] == "option" ? "--" : "") part[2] "`"
		}
		for (i = 1; i <= n; i++) print rows[i] "\t" group[rows[i]] }' \
		"$work/compat" "$work/here" test/compat.tsv
}

# doc_grouped KIND: the names of a kind with one equivalent are a row, or a paragraph if the
# row would be long
doc_grouped () {
	printf '\n## %ss\n\n| %s | equivalent |\n|---|---|\n' "$2" "$1"
	awk -F '\t' -v kind="$1" \
		'$1 == kind && length($3) <= 2000 { print "| " $3 " | " $2 " |" }' "$work/rows"
	awk -F '\t' -v kind="$1" '$1 == kind && length($3) > 2000 { print "\n" $2 ":\n" $3 "." }' \
		"$work/rows" | fold -s -w 100 | sed 's/ $//'
}

# doc_members HEADING NAME PROGRAM: what another program's properties are here, as a table
doc_members () {
	topic=$3-properties
	[ "$3" = ycsb ] || topic=$3-members
	printf '\n## %s\n\n| %s | default | with `--compat=%s` |\n|---|---|---|\n' "$1" "$2" "$3"
	./bench_null --help="$topic" | awk -F '\t' '{
		print "| `" $1 "` | " ($2 == "" ? "none" : $2) " | " $3 " |" }'
}

if [ "${1-}" = --from ]
then
	doc_compat >"$work/rows"
	sed '/^## Flags$/,$d' docs/from-db_bench.md
	printf '## Flags\n\n| flags of db_bench 7.8.3 and 11.8.1 '
	printf '| with `--compat=db_bench` |\n|---|---|\n'
	awk -F '\t' '
		$1 == "flag" {
			if (!($3 in names)) fates[++n] = $3; else names[$3] = names[$3] ", "
			names[$3] = names[$3] "`--" $2 "`"
		}
		END { for (i = 1; i <= n; i++) print "| " names[fates[i]] " | " fates[i] " |" }
		' "$work/compat"
	doc_members "YCSB's properties" property ycsb
	doc_members "UCSB's members" member ucsb
	doc_grouped workload Workload
	doc_grouped option Option
	exit 0
fi

# doc_options PROGRAM OF: the options that all programs have, or the engine's own, as a table
doc_options () {
	"./$1" --options=tsv | awk -F '\t' -v of="$2" '$1 == of {
		if (!n++)
			print "| option | value | default | meaning |\n|---|---|---|---|"
		gsub(/\|/, "\\|")
		print "| `--" $2 "` | `" $6 "` | " ($7 == "" ? "empty" : $7) " | " $10 \
			($3 == "" ? "" : " Other name: --" $3 ".") " |" }
		END { if (!n) print "None." }'
}

case ${1-} in
--engines)
	for program in bench_*
	do
		doc_options "$program" engine >"$work/$program"
	done
	awk -v work="$work" '
		/^### bench_/ {
			print
			file = work "/" $2
			has = (getline line <file) > 0
			if (!has) {
				print "gen-docs.sh: " $2 " is not built; its table stays" \
					>"/dev/stderr"
				next
			}
			print ""
			do
				print line
			while ((getline line <file) > 0)
			print ""
			next
		}
		/^#/ { has = 0 }
		!has' docs/engines.md
	exit 0
	;;
?*)
	doc_options "bench_$1" engine
	exit 0
	;;
esac
doc_options bench_null all >"$work/1"
./bench_null --workloads=tsv | awk -F '\t' '
	NR == 1 { print "| name | operations |\n|---|---|"; next }
	{ gsub(/\|/, "\\|"); print "| `" $1 "` | " $3 " |" }' >"$work/2"
./bench_null --presets=tsv | awk -F '\t' '
	NR == 1 { print "| name | description and options |\n|---|---|"; next }
	{ gsub(/\|/, "\\|"); print "| `" $1 "` | " $3 "<br>`" $2 "` |" }' >"$work/3"
doc_page docs/options.md
