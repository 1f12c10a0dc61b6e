#!/bin/sh
# calls.sh: what a driver asks its engine for, call by call; see --help.
set -eu
. "$(dirname "$0")/../scripts/common.sh"

help () {
	cat <<END
usage: test/calls.sh ENGINE

Prints which functions of its engine a driver calls, with which numbers and texts, at each call of
the contract, and its reports of settings: with the first settings that test/calls.tsv has for the
engine, and where that differs with the others. Data and handles are *, or 0 if there are none.
test/calls/ENGINE is what was looked at and found right. After a change of a driver that means it:
    test/calls.sh lmdb >test/calls/lmdb
END
}

[ "${1-}" != --help ] || { help; exit 0; }
[ $# -eq 1 ] || fail 2 'one engine; see --help'
engine=$1
top=$(cd "$(dirname "$0")/.." && pwd)
tab=$(printf '\t')
grep -q "^$engine$tab" "$top/test/calls.tsv" || fail 2 "no engine '$engine' in test/calls.tsv"
make -s -C "$top" "build/calls_$engine"
make_work

# said OPTION...: what the program says with these
said () {
	rm -rf "$work/db" "$work/copy" "$work/load"
	mkdir "$work/db" "$work/copy" "$work/load"
	"$top/build/calls_$engine" --db="$work/db" --copy="$work/copy" --load="$work/load" "$@" >"$work/raw" 2>"$work/err" ||
		fail 1 "calls_$engine $*: $(tail -n 1 "$work/raw"): $(head -n 1 "$work/err")"
	# Requests may be ready one by one, or at once; what is pending, and into how many files an LSM tree
	# was written, depends on when it is asked, and what Go's runtime says on the runtime. A database of a server has the identifier of its directory. Long lines have a line for each setting.
	sed -E -e "s|$work|DIRECTORY|g; s|$top|TOP|g; s/[0-9a-f]+-[0-9a-f]+-[0-9a-f]+ part/ID part/; s/\t(go=)[^\t]*\t(gomaxprocs=)[0-9]*/\t\1\t\2/" \
		-e 's/^(go|gc)( [a-z ]+) [0-9]+$/\1\2/' "$work/raw" | awk '
		/^\tio_getevents/ && waits { next }
		{ waits = /^\tio_getevents/ || waits && /^\tpthread_rwlock_unlock/ }
		/^[^\t]/ { section = $0 }
		section == "pending work" && /^\t/ { next }
		section == "compact level 0" && /^\trocksdb_property_int/ { next }
		section == "backup" && /^\t(next|get_key|file_copy.*\.(lsm|bf)")/ { next }
		length > 100 { gsub(/, /, ",\n\t\t"); gsub(/[,;#]/, "&\n\t\t"); gsub(/,\n\t\t\n/, ",\n") }
		/^= / { gsub(/\t/, "\n\t\t") }
		{ print }'
}

# failed: of what was said with each failure, the calls of the contract in which it occurs, and those that then have other results, each
# once
failed () {
	awk '
		function end() {
			times[name]++
			key = name SUBSEP times[name]
			if (file < 2) without[key] = text
			else if ((text ~ /\n\t\tfails: / || text != without[key]) && !said[text]++) printf "%s", text
			text = ""
		}
		FNR == 1 { end(); file++; delete times }
		/^# / { end(); delete times; delete said; name = ""; print; next }
		/^[a-z]/ { end(); name = $0 }
		{ text = text $0 "\n" }
		END { end() }' "$work/first" "$work/said"
}
grep "^$engine$tab" "$top/test/calls.tsv" | cut -f 2 >"$work/settings"
version=$("$top/build/calls_$engine" --version=1)
[ "$engine" != aio ] || version=${version% *} # the kernel's
echo "# $version, $(uname -m)"
while read -r options
do
	# shellcheck disable=SC2086 # words
	said $options >"$work/said"
	if [ "$options" != "${options#--fail}" ]
	then
		failed
		continue
	fi
	echo "# $options"
	if [ -s "$work/first" ]
	then
		diff -U 1 -F '^[a-z]' "$work/first" "$work/said" | sed '1,2d; s/^@@.*@@ */@@ /; s/ $//' || :
	else
		cp "$work/said" "$work/first"
		sed 's/ $//' "$work/first"
	fi
done <"$work/settings"
