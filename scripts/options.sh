#!/bin/sh
# options.sh: docs/options.md and docs/columns.md, and a table of one engine's options; see --help.
set -eu
. "$(dirname "$0")/start.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/options.sh [ENGINE | --columns]

Prints docs/options.md, the options that every bench_NAME has and the workloads and presets,
from what the programs print for --help=all; or those options that only bench_ENGINE has, as
a table in Markdown. With --columns it prints docs/columns.md: what each column of results
means, from what they print for --columns. "make docs" writes both pages.
END
	exit 0
	;;
--columns) ;;
-*)
	fail 2 "unknown option $1; see --help"
	;;
esac
cd "$(dirname "$0")/.."
[ $# -eq 0 ] || [ "$1" = --columns ] || [ -x "bench_$1" ] ||
	fail 2 "bench_$1 is not there; make bench_$1"

# columns PREFIX: those after it as a table; all without a point in their names if it is empty
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

A benchmark leaves a row: a line of TSV (\`--tsv\`, with a header) and of JSON (\`--json\`). A figure that
could not be had is empty in TSV and \`null\` in JSON, never 0. \`scripts/options.sh --columns\` prints this page
from the table in \`util/result.c\`, as \`bench_NAME --columns\` does; \`make docs\` writes it.

$(columns '')

## The timeline

\`--timeline=FILE\` appends rows of these for every interval, by \`util/timeline.c\`: one with \`all\` as its thread,
and one for each thread. What only the process has is empty in those of threads.

$(columns timeline.)
END
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

make_work
rows bench_null | cut -d '|' -f 2 >"$work/common"
if [ $# -eq 1 ]
then
	rows "bench_$1" | awk -F '|' 'NR == FNR { common[$1] = 1; next } !($2 in common)' "$work/common" - | table
	exit 0
fi
cat <<END
# Options, workloads and presets

Counts take \`k\`, \`m\`, \`g\` (thousands), sizes also \`Ki\`, \`Mi\`, \`Gi\`; hyphens and underscores in names are one. These
every program has; the engines' own are in [engines.md](engines.md). \`make docs\` writes this page, from what
\`bench_NAME --help=all\` prints.

## Options

$(rows bench_null | grep -v '`--null_' | table)

## Workloads

| name | what it does |
|---|---|
$(listed Benchmarks)

## Presets

| name | what it is, and its options |
|---|---|
$(listed Presets)
END
