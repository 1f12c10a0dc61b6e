# portability.sh: another C library, another processor, and the word size that is refused.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# LMDB compiled from mdb.c and midl.c: those below LMDB_SOURCE, or Debian's source package.
lmdb_source () {
	[ -z "${LMDB_SOURCE-}" ] || { echo "$LMDB_SOURCE"; return; }
	mkdir -p "$work/lists/partial" "$work/lmdb"
	# sources from where this machine has its packages
	apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		sort -u >"$work/sources.list"
	set -- apt-get -qq -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=- \
		-o "Dir::State::Lists=$work/lists" -o APT::Sandbox::User=root
	cd "$work/lmdb" && "$@" -o APT::Update::Error-Mode=any update && "$@" source --download-only lmdb && tar -xzf lmdb_*.orig.tar.gz && pwd
}
# builds_lmdb DIRECTORY
builds_lmdb () {
	source=$(find "$1" -name mdb.c) && source=${source%/*} && [ -n "$source" ] || return 1
	mkdir -p "$work/musl-lmdb/include" "$work/musl-lmdb/lib"
	cp "$source/lmdb.h" "$work/musl-lmdb/include"
	for file in mdb midl
	do
		$musl -O2 -c "$source/$file.c" -o "$work/musl-lmdb/$file.o" || return 1
	done
	ar rc "$work/musl-lmdb/lib/liblmdb.a" "$work/musl-lmdb/mdb.o" "$work/musl-lmdb/midl.o"
}
# Which archive packages come from is a matter of the machine.
names_no_archive () {
	! grep -r -n -E '//(deb|ftp|security|archive|snapshot)[.]' "$top/Makefile" "$top/README.md" "$top/test.sh" \
		"$top/scripts" "$top/test" "$top/engines" "$top/util"
}
ok 'no archive of packages is named in the tree' names_no_archive

# The tree again, with nothing built in it.
copy_of_tree () {
	mkdir "$1"
	cp -r "$top/Makefile" "$top/README.md" "$top/bench" "$top/bench.c" "$top/test.sh" "$top/engines" "$top/scripts" "$top/test" "$top/util" "$1"
}
with_musl () {
	copy_of_tree "$work/musl" && cd "$work/musl" &&
		CC=$musl LMDB_PREFIX="$work/musl-lmdb" make -s -j2 all build/unit && readelf -l bench_null bench_lmdb build/unit |
		grep -c 'interpreter: .*ld-musl' | grep 3
}
# Half a minute is the harness's.
tests_with_musl () {
	cd "$work/musl" || return 1
	status=0
	CC=$musl LMDB_PREFIX="$work/musl-lmdb" PARTS="options${long:+ harness}" ./test.sh >"$work/musl.log" || status=$?
	grep -v -e '^ok' -e '^# ok' "$work/musl.log"
	return $status
}
if "$top/scripts/install.sh" musl-tools linux-libc-dev 2>"$work/why" && lmdb=$(lmdb_source 2>"$work/why")
then
	# musl brings no headers of the kernel's
	musl="musl-gcc -idirafter $work/kernel"
	mkdir "$work/kernel"
	ln -s /usr/include/linux /usr/include/asm-generic "/usr/include/$(gcc -print-multiarch)/asm" "$work/kernel"
	ok 'LMDB builds from its source with musl' builds_lmdb "$lmdb"
	ok 'bench_null, bench_lmdb and the unit tests build with musl' with_musl
	ok 'with musl every part of util passes its own tests' "$work/musl/build/unit"
	ok "with musl the tests of options${long:+ and harness} pass, with null and LMDB" tests_with_musl
else
	skip 'musl' "$(tail -n 1 "$work/why")"
fi

on_arm () {
	qemu-aarch64 -L /usr/aarch64-linux-gnu "$@"
}
# With --long all of them: zipfian draws take half a minute where floating point is emulated.
units_on_arm () {
	[ -z "$long" ] || set -- ''
	on_arm "$work/arm64/test" "${@-}"
}
# The counter is the clock, and every workload asks the same of the engine as here.
same_on_arm () {
	set -- --benchmarks=fillseq,readrandom,readmissing,readseq,mix,ycsb-e --num=5k --verify=1 --timer=tsc \
		--distribution=uniform
	on_arm "$work/arm64/bench_null" "$@" --json="$work/arm64.json" && "$top/bench_null" "$@" --json="$work/here.json" &&
		jq -es 'all(.[]; .valid == 1 and .timer == "tsc")' "$work/arm64.json" || return 1
	for machine in arm64 here
	do
		jq -c '[.benchmark, .ops, .digest]' "$work/$machine.json" >"$work/$machine.digests"
	done
	[ "$(wc -l <"$work/here.digests")" -eq 6 ] && diff "$work/here.digests" "$work/arm64.digests"
}
if "$top/scripts/install.sh" gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user 2>"$work/why"
then
	ok 'bench_null and the unit tests build for arm64' builds CC=aarch64-linux-gnu-gcc BUILD="$work/arm64/" \
		BIN="$work/arm64/" "$work/arm64/bench_null" "$work/arm64/test"
	ok 'on arm64 the parts of util pass their own tests' units_on_arm hist clock random record census steady pace option list \
		usage flush guard library store result
	ok 'on arm64 bench_null does what it does here, timed by the counter' same_on_arm
else
	skip 'arm64' "$(tail -n 1 "$work/why")"
fi

ok '32 bits are refused in a sentence' fails 2 "needs 64 bits" make -C "$top" -s CC='gcc -m32' BUILD="$work/32/" BIN="$work/32/"
