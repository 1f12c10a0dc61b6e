#!/bin/sh
# figures.sh: the figures of rows whose counts and times are given; see --help.
set -eu
. "$(dirname "$0")/../scripts/common.sh"

help () {
	cat <<END
usage: test/figures.sh

Prints the rows of runs that were not made (test/figures.c, which is built): all columns of the
first, of the others those that differ from it; then what is printed of others in db_bench's,
YCSB's and our form, and what lists of benchmarks become (test/printed.c). test/figures.txt is what
was looked at and found right. After a change that means it, look at the difference, then:
    test/figures.sh >test/figures.txt
END
}
[ "${1-}" != --help ] || { help; exit 0; }
[ $# -eq 0 ] || fail 2 'no arguments; see --help'
top=$(cd "$(dirname "$0")/.." && pwd)
needs jq make
make_work
make -C "$top" -s build/figures build/figures_servers build/printed >&2
"$top/build/figures" "$work/rows" "$work/db"
"$top/build/figures_servers" "$work/rows" "$work/db"
# without what the file system decides
jq -r --slurpfile rows "$work/rows" '
	def given: del(.db_disk_kb, .db_extents, .db_preallocated_kb, .space_amp);
	given as $row | ($rows[0] | given) as $first | "# \(.time)", ($row | to_entries[] |
		select(.key != "program" and .key != "time" and (.value // "") != "" and
			($row == $first or .value != $first[.key])) | "\(.key) \(.value)"),
	if $row == $first then empty else
		"without " + ($first | with_entries(select(.value != null and $row[.key] == null)) |
			keys_unsorted | join(" ")) end' "$work/rows"
"$top/build/printed" 2>&1 | sed 's/^Date: .*/Date/'
