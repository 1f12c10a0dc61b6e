#!/bin/sh
# options.sh: the options as a table for README.md, and those of one engine for engines/README.md; see --help.
set -eu

case ${1-} in
-*)
	cat <<END
usage: scripts/options.sh [ENGINE]

Prints the options that every bench_NAME has, or those that only bench_ENGINE has, as a
table in Markdown, from what the programs print for --help.
END
	exit 0
	;;
esac
cd "$(dirname "$0")/.."

# rows PROGRAM: name, form, default and meaning of each option
rows () {
	"./$1" --help | awk '
		/^  --/ { split(substr($1, 3), part, "="); name = part[1]; form = substr($1, length(name) + 4); next }
		name && /^        / {
			text = substr($0, 9); start = match(text, / \[[^][]*\]$/)
			value = substr(text, start + 2, length(text) - start - 2); text = substr(text, 1, start - 1)
			gsub(/\|/, "\\|", form)
			print "| `--" name "` | `" form "` | " (value == "" ? "none" : value) " | " text " |"
			name = ""
		}'
}

work=$(mktemp)
trap 'rm -f "$work"' EXIT
rows bench_null | cut -d '|' -f 2 >"$work"
echo '| option | value | default | meaning |'
echo '|---|---|---|---|'
if [ $# -eq 1 ]
then
	rows "bench_$1" | awk -F '|' 'NR == FNR { common[$1] = 1; next } !($2 in common)' "$work" -
else
	rows bench_null | grep -v '`--null_'
fi
