#!/bin/sh
# extras.sh: what extras make of runs whose counts and times are given; see --help.
set -eu
. "$(dirname "$0")/../scripts/common.sh"

help () {
	cat <<END
usage: test/extras.sh

Prints columns, files and decisions of extras, of runs that were not made (test/extras.c, which is
built). test/extras.txt is what was looked at and found right. After a change that means it, look
at the difference, then:
    test/extras.sh >test/extras.txt
END
}
[ "${1-}" != --help ] || { help; exit 0; }
[ $# -eq 0 ] || fail 2 'no arguments; see --help'
top=$(cd "$(dirname "$0")/.." && pwd)
needs make
make_work
make -C "$top" -s build/extras >&2
# without what not every system tells of a thread
"$top/build/extras" "$work" | sed -E 's/ slow_(cpu|runnable|steal)_percent [^ ]*//g'
for file in "$work"/*.tsv
do
	printf '# %s\n' "${file##*/}"
	cat "$file"
done
