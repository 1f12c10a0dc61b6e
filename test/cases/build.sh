# build.sh: both compilers, sanitizers, libraries elsewhere, the house's arrows.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

ok 'builds without a warning' builds all build/unit build/peerloop build/test/fuzz.o conform
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

shell_is_clean () {
	# -x follows what a script sources; the paths are those from the top
	cd "$top" && shellcheck -x test.sh scripts/*.sh scripts/*/*.sh test/*.sh test/cases/*.sh .ci/run
}
ok 'shell scripts are clean for shellcheck' shell_is_clean

# Dependencies point one way: bench.c -> engine.h, util; drivers -> engine.h; util -> util.
arrows () {
	includes='^[[:space:]]*#[[:space:]]*include "'
	! grep -n "$includes" "$top"/util/*.[ch] | grep -v 'include "[a-z]*\.h"' &&
		! grep -n "$includes" "$top"/engines/*.c | grep -v '"engine\.h"' &&
		! grep -n "$includes" "$top"/scripts/*.c | grep -v '"\.\./util/[a-z]*\.h"' &&
		! grep -n "$includes" "$top"/engines/engine.h | grep -v '"\.\./util/option\.h"' &&
		! grep -n "$includes" "$top"/bench.c | grep -v -e '"engines/engine\.h"' -e '"\(bench\|util\)/[a-z]*\.h"' &&
		! grep -n "$includes" "$top"/bench/*.[ch] | grep -v -e '"\.\./engines/engine\.h"' -e '"\(\.\./util/\)\?[a-z]*\.h"' &&
		! grep -n -i -w -e lmdb -e wiredtiger -e bdb -e sqlite -e kyoto -e aio "$top"/bench.c "$top"/bench/*.[ch] \
			"$top"/util/*.[ch]
}
ok 'includes point one way only, and bench.c names no engine' arrows
deletes_its_own () {
	! grep -n 'system(' "$top"/bench.c "$top"/bench/*.c "$top"/util/*.c "$top"/engines/*.c &&
		! grep -n 'rm -rf' "$top"/scripts/*.sh "$top"/scripts/repro/*.sh "$top"/scripts/plot/*.sh |
		grep -v -E "rm -rf (--one-file-system )?\"\\\$work\"('|;|\$)"
}
ok 'no system(), and no rm -rf but of what mktemp made' deletes_its_own
