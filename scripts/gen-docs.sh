#!/bin/sh
# gen-docs.sh: print the generated pages of docs/; see --help.
set -eu
. "$(dirname "$0")/common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/gen-docs.sh [ENGINE | --engines | --columns | --from | --python]

Prints docs/options.md: the options of every bench_NAME, workloads and presets, from the tables
that --options=tsv, --workloads=tsv and --presets=tsv print.

  ENGINE       the options that only bench_ENGINE has, as a table in Markdown
  --engines    docs/engines.md, with new tables of the programs that are built
  --columns    docs/columns.md: the columns of results, from the table of --columns=tsv
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
*) [ -x "bench_$1" ] || fail 2 "bench_$1 is not built; make bench_$1" ;;
esac

# doc_columns TABLE: those of results or of timelines as a table in Markdown
doc_columns () {
	echo '| column | unit | meaning |'
	echo '|---|---|---|'
	./bench_null --columns=tsv | awk -F '\t' -v table="$1" '$1 == table {
		gsub(/\|/, "\\|")
		print "| `" $2 "` | " ($4 == "" ? $3 : $4) " | " $5 " |" }'
}

if [ "${1-}" = --columns ]
then
	cat <<END
# What each column means

A benchmark writes a row: a line of TSV (\`--tsv\`, with a header) and of JSON (\`--json\`). An
unknown value is empty in TSV and \`null\` in JSON, never 0. \`make docs\` writes this page from the
table in \`util/result.c\`, as \`bench_NAME --columns=tsv\` prints it. [The
timeline](#the-timeline) has columns of its own, at the end of the page.

Percentiles use the nearest rank: of 10 operations the median is the 5th, of 1,000 the 99.9th
percentile is the 999th. With too few operations (p99 of fewer than 100, p9999 of fewer than 10,000)
it is the maximum. Percentiles are accurate within 0.4 %, the resolution of the histograms. Other
programs round ranks otherwise. The p99 of 160 operations is the 159th here, and in HdrHistogram for
Java 2.1.12 and later, JavaScript and Rust. It is the 158th in that for Java 2.1.9, Go 1.4.0 and
Python 0.10.8 (\`findings/hdrhistogram-rank.sh\`). HistogramLogProcessor of Java reads a log of
\`--hdr_log\` only with \`-tag\` and a tag. JavaScript's counts wrap at 2^32 unless
\`bitBucketSize\` is 64. Minimum, mean, maximum and deviation are exact: rounding moves a deviation
by less than a hundred-thousandth of the root of the mean square.

$(doc_columns result)

## The timeline

\`--timeline=FILE\` appends rows with these columns for every interval (\`util/timeline.c\`): one
for all threads, with \`all\` as its thread, and one for each thread. Columns about the process are
empty in rows of threads.

$(doc_columns timeline)
END
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
		'$1 == kind && length($3) <= 2000 { print "| " $3 " | " $2 " |" }' \
		"$work/rows"
	awk -F '\t' -v kind="$1" '$1 == kind && length($3) > 2000 { print "\n" $2 ":\n" $3 "." }' \
		"$work/rows" | fold -s -w 100 | sed 's/ $//'
}

# doc_members HEADING NAME PROGRAM: what another program's properties are here, as a table
doc_members () {
	topic=$3-properties
	[ "$3" = ycsb ] || topic=$3-members
	# shellcheck disable=SC2016 # Markdown
	printf '\n## %s\n\n| %s | default | with `--compat=%s` |\n|---|---|---|\n' "$1" "$2" "$3"
	./bench_null --help="$topic" | awk -F '\t' '{
		print "| `" $1 "` | " ($2 == "" ? "none" : $2) " | " $3 " |" }'
}

if [ "${1-}" = --from ]
then
	make_work
	doc_compat >"$work/rows"
	sed '/^## Flags$/,$d' docs/from-db_bench.md
	# shellcheck disable=SC2016 # Markdown
	printf '## Flags\n\n| flags of db_bench 7.8.3 | with `--compat=db_bench` |\n|---|---|\n'
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
	make_work
	for program in bench_*
	do
		doc_options "$program" engine >"$work/$program"
	done
	awk -v work="$work" '
		/^### bench_/ {
			print
			file = work "/" $2
			has = (getline line <file) > 0
			if (!has)
				next
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
cat <<END
# Options, workloads and presets

- [Options](#options)
- [Workloads](#workloads)
- [Presets](#presets)

Every program has these options; the engines' own are in [engines.md](engines.md#engine-options).
Counts take the suffixes \`k\`, \`m\` and \`g\` (powers of 1000), sizes also \`Ki\`, \`Mi\` and
\`Gi\`. Hyphens and underscores in names are equivalent. \`make docs\` writes this page from the
output of \`bench_NAME --options=tsv\`, \`--workloads=tsv\` and \`--presets=tsv\`.

## Options

$(doc_options bench_null all)

## Workloads

| name | operations |
|---|---|
$(./bench_null --workloads=tsv |
	awk -F '\t' 'NR > 1 { gsub(/\|/, "\\|"); print "| `" $1 "` | " $3 " |" }')

## Presets

| name | description and options |
|---|---|
$(./bench_null --presets=tsv |
	awk -F '\t' 'NR > 1 { gsub(/\|/, "\\|"); print "| `" $1 "` | " $3 "<br>`" $2 "` |" }')
END
