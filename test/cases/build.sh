# build.sh: both compilers, sanitizers, libraries elsewhere, the house's arrows.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# all of it again: what is there already says nothing
ok 'builds without a warning' builds -B all build/unit build/peerloop build/test/fuzz.o conform
ok 'builds without a warning with clang' builds CC=clang BUILD="$work/clang/" BIN="$work/clang/" all "$work/clang/unit" \
	"$work/clang/test/fuzz.o"
ok 'a clang build runs' "$work/clang/bench_null" --benchmarks=readrandom --num=10k --verify=1
ok 'and passes the tests of util' "$work/clang/unit"

names_what_it_skips () {
	make -C "$top" LMDB_PREFIX="$work/nowhere" BUILD="$work/none/" BIN="$work/none/" >"$work/make" 2>&1 || return 1
	cat "$work/make"
	grep -q '^skipped bench_lmdb: .*liblmdb-dev' "$work/make" && [ -x "$work/none/bench_null" ] &&
		[ ! -e "$work/none/bench_lmdb" ]
}
ok 'make names the engines it skips and their packages' names_what_it_skips

takes_library_from_prefix () {
	mkdir -p "$work/prefix/include" "$work/prefix/lib"
	cp /usr/include/lmdb.h "$work/prefix/include"
	cp -L /usr/lib/*/liblmdb.so.0 "$work/prefix/lib/liblmdb.so.0"
	ln -sf liblmdb.so.0 "$work/prefix/lib/liblmdb.so"
	make_quiet LMDB_PREFIX="$work/prefix" BUILD="$work/pre/" BIN="$work/pre/" "$work/pre/bench_lmdb" &&
		ldd "$work/pre/bench_lmdb" | grep "$work/prefix/lib/liblmdb"
}
ok 'LMDB_PREFIX takes the library from there' takes_library_from_prefix

unit () {
	make_quiet "$@" && cd "$top" && "$1"
}
ok 'every part of util passes its own tests' unit build/unit
grep -c '^ok' "$work/log" | sed 's/^/# of util: ok /'
ok 'and under the address and undefined behaviour sanitizers' unit "$work/asan/unit" DEBUG=1 BUILD="$work/asan/"

# Of ok itself: what a body may do, and whether it passes then. As where the tests stand, with set -e off, in other files.
in_the_middle () {
	false
	true
}
not_to_be_written () {
	echo x >"$work/nowhere/x"
	true
}
of_a_helper () {
	row false
	row true
}
ends_well () {
	row true
	true
}
of_ok () {
	set +e
	work=$work/of-ok
	mkdir -p "$work" && echo '{}' >"$work/rows" || return 1
	for body in in_the_middle not_to_be_written of_a_helper 'grep x /dev/null' "sh -c 'exit 3'" no_such_command
	do
		said=$(eval "ok it $body" | head -n 1)
		[ "${said#not ok [0-9]* - it}" = '' ] || { echo "$body: $said"; return 1; }
	done
	ok it ends_well | grep '^ok [0-9]* - it$'
}
ok 'a test whose body fails in the middle fails, and one whose body does not passes' of_ok

# dropped.awk finds in each function of the left what it should, and nothing in those of the right.
finds_dropped () {
	awk -f "$top/test/dropped.awk" "$top/test.sh" "$top/test/contract.sh" "$top"/test/cases/*.sh
	number=0
	while read -r at
	do
		number=$((number + 1))
		printf '%s\n' "$at" | tr ';' '\n' | sed 's/^ *//' | awk '/^[})]|^(fi|done|esac)/ { depth-- }
			{ for (i = 0; i < depth; i++) printf "\t"; print } /[{(]$|^(then|do)$|^case/ { depth++ }' >"$work/dropped.$number"
		! awk -f "$top/test/dropped.awk" "$work/dropped.$number" >"$work/found" || { echo 'not found:'; cat "$work/dropped.$number"; return 1; }
		sed 's/$/ || return 1/; s/\([{}]\|then\|do\|done\|fi\|true\)\( || return 1\)$/\1/; s/^\(\t*if .*\) || return 1$/\1/' "$work/dropped.$number" |
			sed 's/^\(\t*for .*\) || return 1$/\1/' >"$work/mended"
		awk -f "$top/test/dropped.awk" "$work/mended" || { cat "$work/mended"; return 1; }
	done <<'END'
f () {; a && b; true; }
f () {; ! a; true; }
f () {; for x in 1 2; do; a && b; done; }
f () {; if a; then; b && c; fi; true; }
f () {; a | b &&; c; true; }
g () {; a; true; }; f () {; g || return 1; }
END
}
ok 'no test drops a status where set -e does not look' finds_dropped

shell_is_clean () {
	# -x follows what a script sources; the paths are those from the top
	cd "$top" && shellcheck -x test.sh scripts/*.sh scripts/*/*.sh test/*.sh test/cases/*.sh .ci/run
}
ok 'shell scripts are clean for shellcheck' shell_is_clean

# Dependencies point one way: bench.c -> bench/ -> engine.h, util; drivers -> engine.h, util; util -> util.
# FILES|what they may include, as an expression; every file of a room is looked at, and there must be some.
# nowhere GREP'S ARGUMENTS...: it looks, and finds nothing
nowhere () {
	status=0
	grep -n "$@" || status=$?
	[ $status -eq 1 ]
}
arrows () {
	cd "$top" || return 1
	while IFS='|' read -r files may
	do
		# shellcheck disable=SC2086 # a pattern, on purpose
		set -- $files
		status=0
		sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*\("[^"]*"\).*/\1/p' "$@" >"$work/includes" || return 1
		[ -s "$work/includes" ] || { echo "$files include nothing"; return 1; }
		grep -v -x -E -e "$may" "$work/includes" || status=$?
		[ $status -eq 1 ] || { echo "is included by $files"; return 1; }
	done <<'END'
util/*.[ch]|"[a-z0-9_]*[.]h"
bench/*.[ch]|"[a-z0-9_]*[.]h"|"[.][.]/(util/[a-z0-9_]*|engines/(engine|drive))[.]h"
engines/*.c|"(engine|kept|level|mdb|server)[.]h"|"[.][.]/util/[a-z0-9_]*[.]h"
engines/drive.h engines/kept.h engines/level.h engines/mdb.h|"engine[.]h"
engines/server.h|"engine[.]h"|"[.][.]/util/[a-z0-9_]*[.]h"
engines/engine.h|"[.][.]/util/option[.]h"
scripts/*.c|"[.][.]/util/[a-z0-9_]*[.]h"
bench.c|"(bench|util)/[a-z0-9_]*[.]h"|"engines/drive[.]h"
test/*.[ch]|"[a-z0-9_]*[.]h"|"[.][.]/(util|bench|engines)/[a-z0-9_]*[.]h"
test/instruments/*.[ch]|"[a-z0-9_]*[.]h"|"[.][.]/[.][.]/util/[a-z0-9_]*[.]h"
END
	# a name that is one word more than a driver's file: bench.c, bench/ and util/ know none of them
	for engine in $(cd engines && ls -- *.c)
	do
		case $engine in
		null.c | leveldb.c | rocksdb.c) continue ;; # words of the harness, and of output that two of them gave their names
		esac
		nowhere -i -w -e "${engine%.c}" bench.c bench/*.[ch] util/*.[ch] || return 1
	done
}
ok 'includes point one way only, and bench.c names no engine' arrows
# Of a room's parts, a header with the file of its name, none needs itself by way of others.
no_circle () {
	cd "$top" || return 1
	for room in bench util
	do
		for file in "$room"/*.[ch]
		do
			part=${file##*/}
			sed -n "s/^#include \"\([a-z]*\)[.]h\".*/${part%.*} \1/p" "$file"
		done | awk '$1 != $2' >"$work/arrows"
		[ -s "$work/arrows" ] || { echo "$room: no part includes another"; return 1; }
		tsort "$work/arrows" >"$work/order" || return 1
	done
}
ok 'and none in a circle' no_circle
deletes_its_own () {
	cd "$top" || return 1
	nowhere 'system(' bench.c bench/*.c util/*.c engines/*.c || return 1
	cat scripts/*.sh scripts/repro/*.sh scripts/plot/*.sh >"$work/scripts" || return 1
	grep 'rm -rf' "$work/scripts" >"$work/removals" || return 1
	nowhere -v -E "rm -rf (--one-file-system )?\"\\\$work\"('|;|\$)" "$work/removals"
}
ok 'no system(), and no rm -rf but of what mktemp made' deletes_its_own
