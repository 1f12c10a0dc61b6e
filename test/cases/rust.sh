# rust.sh: engines in Rust, whose libraries are built of the crates in engines/rust/.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317,SC2034 # sourced by test.sh, which has the variables

# shellcheck source=/dev/null
. "$top/test/contract.sh"
# shellcheck source=/dev/null
. "$top/test/traced.sh"

# A tree in which nothing of Rust is built.
copy=$work/copy
without_builds () {
	copy_of_tree "$copy"
}
# A path without cargo, but with all else that make and engine.sh call.
no_cargo () {
	mkdir -p "$work/bin"
	for directory in $(echo "$PATH" | tr : ' ')
	do
		find "$directory" -maxdepth 1 \( -type f -o -type l \) ! -name 'cargo*' ! -name 'rust*' \
			-exec ln -sf -t "$work/bin" '{}' + 2>"$work/err" || :
	done
}
# says_what_to_install PATTERN: in one line, and nothing is made
says_what_to_install () {
	needs without_builds
	needs no_cargo
	PATH="$work/bin" make -C "$copy" -s engines >"$work/out" # which writes down what it found
	find "$copy" -type f | sort >"$work/before"
	PATH="$work/bin" fails 1 "$1" "$copy/scripts/engine.sh" build redb
	for program in bench_redb build/conform_redb
	do
		PATH="$work/bin" make -C "$copy" -s "$program" >"$work/out" 2>&1 && return 1
		grep "$1" "$work/out" || return 1
	done
	find "$copy" -type f | sort | diff "$work/before" -
}
lists_it_unbuilt () {
	needs without_builds
	make -C "$copy" -n all | grep 'skipped bench_redb: .*scripts/engine[.]sh build redb'
	! make -C "$copy" -s engines | grep -w redb
}
too_old () {
	needs no_cargo
	printf '#!/bin/sh\necho cargo 1.63.0\n' >"$work/bin/cargo"
	chmod +x "$work/bin/cargo"
	says_what_to_install 'redb-4.6.0: cargo is 1.63.0; install Rust 1.90 or younger'
	rm "$work/bin/cargo"
}
ok 'without cargo a line says what to install, and nothing is made' says_what_to_install 'redb-4.6.0: cargo is not installed; install Rust 1.90'
ok 'nor with one that is too old' too_old
ok 'an engine that is not built is named with how to build it' lists_it_unbuilt
ok 'other sources than those of the lock file are refused' fails 2 'redb is built from engines/rust/redb' \
	"$top/scripts/engine.sh" build redb --source=/tmp --version=4.5.0

engines='redb fjall sled'
# Without --long they are optimized little or not, which takes most of a compilation; when all has ended, test.sh removes what is
# built so, lest somebody measures it. Without any optimization redb takes minutes for the contract.
compiles_less () {
	[ -z "$long" ] || return 0
	export CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=0
	[ "$1" != redb ] || CARGO_PROFILE_RELEASE_OPT_LEVEL=1
}
# one after another, each with its library, and then what is linked with that
builds_all () {
	for engine in $engines
	do
		compiles_less "$engine" &&
			make -C "$top" -s "bench_$engine" && make_quiet "bench_$engine" "build/conform_$engine" || return 1
		grep -l '^flags	.*opt-level [01]' "$top"/build/engines/*/facts >"$within/unoptimized" || :
	done
	make_quiet bench_lmdb bench_null
}
built=
if ! command -v cargo >"$work/where"
then
	skip 'engines in Rust' 'cargo is not installed'
elif ! builds_all >"$work/made" 2>&1
then
	tail -n 3 "$work/made" | sed 's/^/# /'
	if grep -q -i 'network\|resolve host\|download\|dns\|timed out' "$work/made"
	then
		skip 'engines in Rust' 'their crates are not to be had here'
	else
		ok 'engines in Rust are built' false
	fi
else
	built=$engines
fi

# What takes longest waits, so it begins first, beside the others.
for engine in $built
do
	for way in '' --kill
	do
		mkdir "$work/conform-$engine$way"
		"$top/build/conform_$engine" --db="$work/conform-$engine$way" $way ${way:+--rounds=8} >"$work/conform-$engine$way.tap" 2>&1 &
	done
done

builds_of () {
	bench "$1" --benchmarks=fillseqbatch,readrandom --num=1k --verify=1 >"$work/out"
	locked=$(sed -n "/^name = \"$1\"/{n;s/^version = \"\(.*\)\"/\1/p;}" "$top/engines/rust/$1/Cargo.lock")
	row ".valid == 1 and .engine_version == \"$locked\" and (.allocator | test(\"^libc\")) and
		(.engine_build | test(\"libassay_$1.so, origin cargo $1@$locked, sha256 [0-9a-f]{12}, compiler rustc [0-9.]+ .*, flags release\"))"
	"$top/bench_$1" --version | grep " $1 $locked, "
}
# Without the file of facts it is the library's own comment that names the compiler.
names_rustc () {
	mkdir "$work/bare"
	cp "$top/build/engines/redb-4.6.0/lib/libassay_redb.so" "$work/bare"
	LD_LIBRARY_PATH="$work/bare" LD_PRELOAD="$work/bare/libassay_redb.so" bench redb --benchmarks=fillseq --num=10 >"$work/out" 2>&1
	row '.engine_build | test("/bare/libassay_redb.so, rustc version [0-9.]+")'
}
# counts_syncs ENGINE DURABILITY
counts_syncs () {
	command -v strace >"$work/where" || cannot 'strace is not installed'
	strace -o "$work/trace" true 2>"$work/err" || cannot 'strace may not trace here'
	"$top/bench_$1" --db="$work/db-$1" --num=2k --benchmarks=fillseqbatch >"$work/out"
	syncs_traced "$1" 2k 1 --durability="$2"
	syncs_traced "$1" 2k 8 --durability="$2" --writes=50
	syncs_traced "$1" 2k 2 --durability="$2" --benchmarks=overwritebatch --batch=5
}
refuses_sync () {
	fails 2 'durability=sync: sled supports neither' "$top/bench_sled" --db="$work/db-refused" --durability=sync --benchmarks=fillseq --num=10
	[ ! -e "$work/db-refused" ]
}
# keeps DIRECTORY STATUS PATTERN COMMAND...: it fails so, and all files stay as they are
keeps () {
	kept=$1
	shift
	find "$kept" -type f -exec sha256sum '{}' + | sort >"$work/before"
	fails "$@"
	find "$kept" -type f -exec sha256sum '{}' + | sort | diff "$work/before" -
}
# of_another ENGINE: a database of another engine, and its files in the place of this one's
of_another () {
	"$top/bench_lmdb" --db="$work/lmdb-$1" --benchmarks=fillseq --num=100 >"$work/out"
	keeps "$work/lmdb-$1" 2 lmdb "$top/bench_$1" --db="$work/lmdb-$1" --use_existing_db=1 --benchmarks=readseq --num=100
}
# what an older library made is not what the younger one reads, and it is not touched
older () {
	[ -x "$top/bench_$1-$2" ] || cannot "$1-$2 is not built"
	"$top/bench_$1-$2" --db="$work/old-$1" --benchmarks=fillseq --num=100 >"$work/out"
	keeps "$work/old-$1" 1 "$3" "$top/bench_$1" --db="$work/old-$1" --use_existing_db=1 --benchmarks=readseq --num=100
	"$top/bench_$1-$2" --db="$work/old-$1" --use_existing_db=1 --benchmarks=readseq --num=100 --verify=1 --json="$work/rows" >"$work/out"
	row '.valid == 1 and .found == 100'
}
no_permission () {
	[ "$(id -u)" -eq 0 ] || cannot 'only root can become somebody else here'
	"$top/bench_$1" --db="$work/mine-$1" --benchmarks=fillseq --num=100 >"$work/out"
	chown -R 65534 "$work/mine-$1"
	find "$work/mine-$1/data" -type f -exec chmod 0 '{}' +
	cp "$top/bench_$1" "$work/other-$1"
	chmod 711 "$work"
	keeps "$work/mine-$1" 1 'ermission' setpriv --reuid=65534 --clear-groups env LD_LIBRARY_PATH="$work/libraries" \
		"$work/other-$1" --db="$work/mine-$1" --use_existing_db=1 --benchmarks=readseq --num=100
}
libraries () {
	mkdir "$work/libraries"
	cp "$top"/build/engines/redb-4.6.0/lib/*.so "$top"/build/engines/fjall-3.1.13/lib/*.so "$top"/build/engines/sled-0.34.7/lib/*.so "$work/libraries"
	chmod -R a+rX "$work/libraries"
}
# the library of another version of the program: its settings have another size
other_library () {
	${CC:-cc} -shared -fPIC -x c - -o "$work/libother.so" <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <stddef.h>
		int rust_open(size_t *settings, void **store, char *why)
		{
			int (*next)(size_t *, void **, char *) = (int (*)(size_t *, void **, char *))dlsym(RTLD_NEXT, "rust_open");

			*settings += 8;
			return next(settings, store, why);
		}
	END
	LD_PRELOAD="$work/libother.so" fails 1 'the library is that of another version' "$top/bench_redb" --db="$work/db-other" --benchmarks=fillseq --num=10
}
# A database that was made at none must not lose commits of async: fjall keeps what an insert does.
fjall_reopened () {
	"$top/bench_fjall" --db="$work/db-none" --benchmarks=fillseqbatch --num=1k --durability=none >"$work/out"
	for word in none async
	do
		bench fjall --db="$work/db-none" --use_existing_db=1 --benchmarks=overwrite --num=1k --writes=20 --durability=$word >"$work/out"
	done
	# 16 and 100 bytes and what the journal adds, by one write each
	row '.commits == 20 and .io_wchar_bytes > 2320 and .syncs == 0'
	tail -n 2 "$work/rows" | head -n 1 | jq -e '.commits == 20 and .io_wchar_bytes < 2320'
}
contract_kept () {
	grep -v '^ok' "$work/conform-$1$2.tap"
	! grep -q '^not ok' "$work/conform-$1$2.tap" && grep -q '^1\.\.' "$work/conform-$1$2.tap"
}

[ -z "$built" ] || needs libraries
for engine in $built
do
	ok "$engine: the version is that of the lock file, and the row names cargo's package and rustc" builds_of "$engine"
	ok "$engine: answers as every engine does" answers "$engine"
	case $engine in
	sled) ok 'sled: the syncs at async are those that strace sees' counts_syncs sled async ;;
	*) ok "$engine: the syncs are those that strace sees, of 1 and 8 threads and of batches" counts_syncs "$engine" sync ;;
	esac
	ok "$engine: a database of another engine is refused and stays" of_another "$engine"
	ok "$engine: one that others may not read is refused" no_permission "$engine"
done
if [ -n "$built" ]
then
	ok 'a library without facts still names rustc' names_rustc
	ok 'sled refuses sync, and makes nothing' refuses_sync
	ok 'a library of another version is refused' other_library
	ok 'redb: a file of its older major version is refused and stays' older redb 2.6.4 'pgrade\|version'
	ok 'fjall: a database of its older major version is refused and stays' older fjall 2.11.2 'ersion'
	ok 'fjall: at async each commit is written, also where the database was made at none' fjall_reopened
	wait
fi
for engine in $built
do
	ok "$engine: keeps the contract" contract_kept "$engine" ''
	ok "$engine: loses nothing acknowledged to kill -9 in 8 rounds of each level" contract_kept "$engine" --kill
done
