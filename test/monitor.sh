#!/bin/sh
# monitor.sh: the reports of threads whose counts are given; see --help.
set -eu
. "$(dirname "$0")/../scripts/common.sh"

help () {
	cat <<END
usage: test/monitor.sh

Prints what the monitor reports of threads that were not run (test/monitor.c, which is built):
lines of intervals, report files, timelines. test/monitor.txt is what was looked at and found
right. After a change that means it, look at the difference, then:
    test/monitor.sh >test/monitor.txt
END
}
[ "${1-}" != --help ] || { help; exit 0; }
[ $# -eq 0 ] || fail 2 'no arguments; see --help'
top=$(cd "$(dirname "$0")/.." && pwd)
needs make
make_work
make -C "$top" -s build/monitor >&2
# without the date, and the machine's memory
"$top/build/monitor" "$work" | sed 's|^.*: [0-9/]*-[0-9:]* \.\.\. ||; s/^[-0-9]* [0-9:]* \([0-9]* sec: \)/\1/'
for file in "$work"/*.csv "$work"/*.tsv
do
	printf '# %s\n' "${file##*/}"
	cat "$file"
done | awk -F '\t' '
	NF == 1 { print; next }
	$1 == "time" { split($0, name); next }
	{ for (i = 1; i <= NF; i++)
		if (name[i] !~ /^(rss_|page_cache)/ && $i != "") print name[i], $i }'
