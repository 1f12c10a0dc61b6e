#!/bin/sh
# gen-docs.sh: prints the generated pages of docs/; see --help.
set -eu
. "$(dirname "$0")/common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/gen-docs.sh [ENGINE | --engines | --columns | --from]

Prints docs/options.md: the options of every bench_NAME, workloads and presets, from the output
of --help=all.

  ENGINE       the options that only bench_ENGINE has, as a table in Markdown
  --engines    docs/engines.md, with new tables of the programs that are built
  --columns    docs/columns.md: the columns of results, from the output of --columns
  --from       docs/from-db_bench.md: options and workloads of db_bench, dbbench, YCSB and UCSB and
               their equivalents, from the output of --help=db_bench and test/compat.tsv

"make docs" writes these pages.
END
	exit 0
	;;
--engines | --columns | --from) ;;
-*)
	fail 2 "unknown option $1; see --help"
	;;
esac
cd "$(dirname "$0")/.."
case ${1:--} in
-*) ;;
*) [ -x "bench_$1" ] || fail 2 "bench_$1 is not there; make bench_$1" ;;
esac

# columns PREFIX: those after it as a table; all without a point in their names if it is
# empty
columns () {
	echo '| column | unit | meaning |'
	echo '|---|---|---|'
	./bench_null --columns | awk -F '\t' -v prefix="$1" '{
		name = $1; gsub(/\|/, "\\|", $3)
		if (prefix ? index(name, prefix) == 1 : index(name, ".") == 0)
			print "| `" substr(name, length(prefix) + 1) "` | " $2 " | " $3 " |" }'
}

if [ "${1-}" = --columns ]
then
	cat <<END
# What each column means

A benchmark writes a row: a line of TSV (\`--tsv\`, with a header) and of JSON (\`--json\`). An unknown value is
empty in TSV and \`null\` in JSON, never 0. \`make docs\` writes this page from the table in \`util/result.c\`, as
\`bench_NAME --columns\` prints it. [The timeline](#the-timeline) has columns of its own, at the end of the page.

Percentiles use the nearest rank, as HdrHistogram does: of 10 operations the median is the 5th, of 1,000 the 99.9th
percentile is the 999th. With too few operations (p99 of fewer than 100, p9999 of fewer than 10,000) it is the maximum.

$(columns '')

## The timeline

\`--timeline=FILE\` appends rows with these columns for every interval (\`util/timeline.c\`): one for all threads, with
\`all\` as its thread, and one for each thread. Columns about the process are empty in rows of threads.

$(columns timeline.)
END
	exit 0
fi

# Equivalents of other tools' names: in every program, in some, or under another name.
compat () {
	./bench_null --help=db_bench >"$work/compat"
	./bench_null --workloads | cut -f 1 | sed 's/^/workload\t/' >"$work/here"
	for program in bench_*
	do
		case $program in
		bench_null | *-[0-9]*) continue ;;
		esac
		"./$program" --help=all |
			sed -n "s/^  --\([a-z_0-9]*\)=.*/option\t\1\t$program/p; s/^.* Also --\([a-z_]*\)[.].*/option\t\1\t$program/p"
	done | awk -F '\t' -v OFS='\t' \
		'{ in_some[$1 OFS $2] = in_some[$1 OFS $2] ", " $3; n[$1 OFS $2]++ }
		END { for (i in n) print i, (n[i] >= 8 ? "" : substr(in_some[i], 3)) }' >>"$work/here"
	awk -F '\t' '
		FILENAME ~ /compat$/ && NF == 3 { answer[$1, $2] = $3; next }
		FILENAME ~ /here$/ { here[$1, $2] = 1; where[$1, $2] = $3; next }
		!(($2, $3) in seen) { names[++count] = $2 SUBSEP $3 }
		{ seen[$2, $3] = seen[$2, $3] (seen[$2, $3] == "" ? "" : ", ") $1 }
		END { for (i = 1; i <= count; i++) {
			split(names[i], part, SUBSEP)
			said = names[i] in here ? "the same" (where[names[i]] != "" ? ", of " where[names[i]] : "") : answer[names[i]]
			gsub(/\|/, "\\|", said)
			row = part[1] "\t" seen[names[i]] "\t" said
			if (row in group) group[row] = group[row] ", "
			else rows[++n] = row
			group[row] = group[row] "`" (part[1] == "option" ? "--" : "") part[2] "`"
		}
		for (i = 1; i <= n; i++) print rows[i] "\t" group[rows[i]] }' \
		"$work/compat" "$work/here" test/compat.tsv
}

# grouped KIND: the names of a kind with one equivalent are a row, or a paragraph if the
# row would be long
grouped () {
	printf '\n## %ss\n\n| %s | tool | equivalent |\n|---|---|---|\n' "$2" "$1"
	awk -F '\t' -v kind="$1" '$1 == kind && length($4) <= 1000 {
		print "| " $4 " | " $2 " | " $3 " |" }' "$work/rows"
	awk -F '\t' -v kind="$1" '$1 == kind && length($4) > 1000 {
		print "\n" $3 " (" $2 "):\n" $4 "." }' "$work/rows" | fold -s -w 120 | sed 's/ $//'
}

if [ "${1-}" = --from ]
then
	make_work
	compat >"$work/rows"
	cat scripts/from-db_bench.md
	grouped workload Workload
	grouped option Option
	exit 0
fi

# rows PROGRAM: name, form, default and meaning of each option
rows () {
	"./$1" --help=all | awk '
		/^  --/ { split(substr($1, 3), part, "="); name = part[1]; form = substr($1, length(name) + 4); next }
		name && /^        / {
			text = substr($0, 9); start = match(text, / \[[^][]*\]$/)
			value = substr(text, start + 2, length(text) - start - 2); text = substr(text, 1, start - 1)
			gsub(/\|/, "\\|", form)
			print "| `--" name "` | `" form "` | " (value == "" ? "none" : value) " | " text " |"
			name = ""
		}'
}

# listed HEADING: the names below it and what stands under each, as a table
listed () {
	./bench_null --help=all | awk -v heading="$1" '
		$0 == heading { inside = 1; next }
		inside && /^$/ { exit }
		inside && /^  [^ ]/ { name = $1; lines = 0; next }
		inside {
			sub(/^ +/, ""); gsub(/\|/, "\\|")
			if (!lines++) texts[++n] = $0
			else texts[n] = texts[n] "<br>`" $0 "`"
			names[n] = name
		}
		END { for (i = 1; i <= n; i++) print "| `" names[i] "` | " texts[i] " |" }'
}

table () {
	echo '| option | value | default | meaning |'
	echo '|---|---|---|---|'
	cat
}

# own PROGRAM: the options that only it has
own () {
	rows "$1" |
		awk -F '|' 'NR == FNR { common[$1] = 1; next } !($2 in common)' \
		"$work/common" - | table
}

make_work
rows bench_null | grep -v '`--null_' | cut -d '|' -f 2 >"$work/common"
case ${1-} in
--engines)
	for program in bench_*
	do
		own "$program" >"$work/$program"
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
	own "bench_$1"
	exit 0
	;;
esac
cat <<END
# Options, workloads and presets

- [Options](#options)
- [Workloads](#workloads)
- [Presets](#presets)

Every program has these options; the engines' own are in [engines.md](engines.md#engine-options). Counts take the suffixes \`k\`,
\`m\` and \`g\` (powers of 1000), sizes also \`Ki\`, \`Mi\` and \`Gi\`. Hyphens and underscores in names are equivalent. \`make docs\`
writes this page from the output of \`bench_NAME --help=all\`.

## Options

$(rows bench_null | grep -v '`--null_' | table)

## Workloads

| name | operations |
|---|---|
$(listed Benchmarks)

## Presets

| name | description and options |
|---|---|
$(listed Presets)
END
