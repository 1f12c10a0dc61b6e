# portability.sh: another C library, another CPU, and the word size that is refused.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# LMDB compiled from mdb.c and midl.c: those below LMDB_SOURCE, or Debian's source package.
lmdb_source () {
	[ -z "${LMDB_SOURCE-}" ] || { echo "$LMDB_SOURCE"; return; }
	mkdir -p "$work/lists/partial" "$work/lmdb"
	# sources from where this machine has its packages
	apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		sort -u >"$work/sources.list" || return 1
	set -- apt-get -qq -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=- \
		-o "Dir::State::Lists=$work/lists" -o APT::Sandbox::User=root
	cd "$work/lmdb" && "$@" -o APT::Update::Error-Mode=any update && "$@" source --download-only lmdb && tar -xzf lmdb_*.orig.tar.gz && pwd
}
# installed PACKAGE...: or the test cannot run here
installed () {
	"$top/scripts/install-deps.sh" "$@" 2>"$work/why" || cannot "$(tail -n 1 "$work/why")"
}
# musl brings no headers of the kernel's.
has_musl () {
	installed musl-tools linux-libc-dev
	lmdb_source >"$work/lmdb.source" 2>"$work/why" || cannot "$(tail -n 1 "$work/why")"
	mkdir "$work/kernel"
	ln -s /usr/include/linux /usr/include/asm-generic "/usr/include/$(gcc -print-multiarch)/asm" "$work/kernel"
}
musl="musl-gcc -idirafter $work/kernel"
builds_lmdb () {
	needs has_musl
	source=$(find "$(cat "$work/lmdb.source")" -name mdb.c) && source=${source%/*} && [ -n "$source" ] || return 1
	mkdir -p "$work/musl-lmdb/include" "$work/musl-lmdb/lib"
	cp "$source/lmdb.h" "$work/musl-lmdb/include"
	for file in mdb midl
	do
		$musl -O"${long:-0}" -c "$source/$file.c" -o "$work/musl-lmdb/$file.o" || return 1
	done
	ar rc "$work/musl-lmdb/lib/liblmdb.a" "$work/musl-lmdb/mdb.o" "$work/musl-lmdb/midl.o"
}
# Which archive packages come from is a matter of the machine.
names_no_archive () {
	! grep -r -n -E '//(deb|ftp|security|archive|snapshot)[.]' "$top/Makefile" "$top/README.md" "$top/test.sh" \
		"$top/scripts" "$top/test" "$top/engines" "$top/util"
}
ok 'no archive of packages is named in the tree' names_no_archive
# macOS has neither: our own code asks util/os/file_cache.h. aio is Linux's alone, and sync_count.c counts the engines' calls.
advises_in_one_place () {
	! grep -n -E '(posix_fadvise|fdatasync)[(]' "$top"/bench.c "$top"/bench/*/*.c "$top"/util/*.c "$top"/util/os/*.c "$top"/engines/*.[ch] |
		grep -v -E '/(file_cache|sync_count|aio)[.]c:'
}
ok 'what macOS has not is called in one place' advises_in_one_place

# One file for each engine: single ENGINE COMPILER... compiles it as its first comment says, elsewhere, and nothing is said.
# A compiler that has an -O of its own compiles with that, as most of the time of these tests is that of optimization.
single () {
	of=$1
	shift
	mkdir -p "$work/single"
	make_quiet "build/single/bench_$of.c" || return 1
	cp "$top/build/single/bench_$of.c" "$work/single"
	command=$(sed -n 's/^ \*     cc //p' "$work/single/bench_$of.c")
	case "$*" in
	*' -O'[01]*) command=$(echo "$command" | sed 's/^-O2 //') ;;
	esac
	# shellcheck disable=SC2086 # words, on purpose
	(cd "$work/single" && "$@" $command) >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
	[ ! -s "$work/said" ] || { cat "$work/said"; return 1; }
}
# Without a word on the version it is made for the newest library.
for_newest () {
	make_quiet "build/single/bench_$1.c"
	for major in '' -DENGINE_MAJOR=999 -DENGINE_MAJOR="$2"
	do
		# shellcheck disable=SC2086 # none or one
		cc -E -P $major "$top/build/single/bench_$1.c" | cksum
	done >"$work/majors"
	cat "$work/majors"
	[ "$(sed -n 1p "$work/majors")" = "$(sed -n 2p "$work/majors")" ] && [ "$(sed -n 1p "$work/majors")" != "$(sed -n 3p "$work/majors")" ]
}
[ ! -x "$top/bench_rocksdb" ] || ok "the one file of an engine is made for its newest library" for_newest rocksdb 6
# singles COMPILER...: of each engine that is asked for, those with a server, too
singles () {
	for one in $engines $served
	do
		# without --long only that is optimized of which instructions are counted
		quick=-O0
		[ -z "$long" ] && [ "$one" != null ] || quick=
		single "$one" "$@" ${quick:+"$quick"} || { echo "bench_$one.c, by $*"; return 1; }
	done
}
engines=${long:+$(make -s -C "$top" engines)} served=${long:+$(make -s -C "$top" served)}
engines=${engines:-null lmdb}
of_gcc () {
	singles gcc -Wall -Wextra -Wpedantic
}
# Every workload asks the same of an engine, and the same comes back; without --long of one that stores.
same_rows () {
	needs of_gcc
	stores=${long:+$engines} stores=${stores:-lmdb}
	# shellcheck disable=SC2086 # words, on purpose
	"$top/test/same.sh" "$work/single" $stores >"$work/same" || { cat "$work/same"; return 1; }
	cat "$work/same"
	! grep 'not built' "$work/same" || return 1
	compared=$(sed -n 's/ rows compared, 0 .*//p' "$work/same")
	[ "$compared" -ge $((100 * $(echo "$stores" | wc -w))) ]
}
# An engine's syncs are counted without the linker being told of it.
same_syncs () {
	needs of_gcc
	for of in "$top" "$work/single"
	do
		rm -f "$work/rows"
		"$of/bench_lmdb" --db="$work/db" --json="$work/rows" --benchmarks=fillrandom --num=200 --durability=sync >"$work/out"
		row '.fsyncs + .fdatasyncs + .msyncs + .dsync_writes >= 200'
		jq -c '[.commits, .fsyncs, .fdatasyncs, .msyncs, .sync_file_ranges, .dsync_writes]' "$work/rows" >>"$work/syncs"
	done
	cat "$work/syncs"
	[ "$(sort -u "$work/syncs" | wc -l)" -eq 1 ]
}
# cost_alike PROGRAM DIFFERENCE: a read of it and of bench_null differ by at most so many instructions
cost_alike () {
	for touch in none all
	do
		ours=$(instructions_a_read "$top/bench_null" --touch=$touch) && theirs=$(instructions_a_read "$1" --touch=$touch) || return 1
		echo "touch $touch: $ours instructions a read, and $theirs of $1"
		jq -en "$theirs > 10 and ($theirs - $ours | fabs <= $2)" || return 1
	done
}
same_instructions () {
	needs of_gcc
	cost_alike "$work/single/bench_null" 1
}
# What the rows of bench_null say of each workload, but for times: rows_of PROGRAM...
rows_of () {
	rm -f "$work/rows"
	"$@" --benchmarks=fillseq,readrandom,readmissing,readseq,mix,ycsb-e --num=5k --verify=1 --json="$work/rows" \
		>"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	jq -es 'length == 6 and all(.[]; .valid == 1)' "$work/rows" >"$work/jq" || return 1
	jq -c '[.benchmark, .ops, .found, .bytes, .entries, .digest]' "$work/rows"
}
# asks_the_same PROGRAM...: as bench_null here
rows_here () {
	rows_of "$top/bench_null" >"$work/here"
}
asks_the_same () {
	needs rows_here
	rows_of "$@" >"$work/there" || { cat "$work/there"; return 1; }
	diff "$work/here" "$work/there"
}
# Without Linux what only it can tell is empty, and what cannot be done is refused.
without_linux () {
	single null gcc -O0 -U__linux__ -Wall -Wextra -Wpedantic
	mv "$work/single/bench_null" "$work/single/bench_posix"
	asks_the_same "$work/single/bench_posix"
	row '[.engine_build, .allocator, .device_reads, .device_flushes, .cycles, .device, .numa_node] | all(. == null or . == "")'
	row '.peak_rss_kb > 0 and .fsyncs == 0'
	fails 2 'on Linux only' "$work/single/bench_posix" --benchmarks=readrandom --cpus=0
}
# In a copy of this tree they stand where the programs do; but no other is built of its sources for that.
in_place () {
	needs of_gcc
	copy_of_tree "$work/in-place" || return 1
	for one in null lmdb sqlite leveldb
	do
		cp "$work/single/bench_$one" "$work/in-place" || return 1
	done
	status=0
	ONLY='^([^rt]|re|the )' "$work/in-place/test.sh" workloads >"$work/in-place.log" || status=$?
	grep -v '^ok' "$work/in-place.log"
	[ $status -eq 0 ] && [ "$(grep -c '^ok' "$work/in-place.log")" -ge 30 ]
}
ok "the one file of each of $engines${served:+ $served} compiles without a warning" needs of_gcc
ok 'and is the same program: rows, digests and counts of every workload' same_rows
ok 'and counts the same syncs' same_syncs
if [ "$(uname -m)" = x86_64 ]
then
	ok 'and costs the same instructions a read' same_instructions
else
	skip 'instructions of the one file' 'they are compared on x86-64'
fi
[ -z "$long" ] || ok 'and passes the tests of workloads in place of the program' in_place
ok 'the one file of the null engine does the same without what only Linux has' without_linux
# What is an engine's own is compiled by clang as what is built otherwise, in build.sh; without --long the rest is only here.
single_of_clang () {
	if [ -n "$long" ]
	then
		singles clang -Wall -Wextra -Wpedantic
	else
		single null clang -O0 -Wall -Wextra -Wpedantic -Wconversion
	fi
	asks_the_same "$work/single/bench_null"
}
ok 'and compiles without a warning by clang, too' single_of_clang

# for each make of that tree, as objects of other flags are stale; the harness of --long is timed
quickly=" -- OPT=-O${long:-0}\ -g0"
with_musl () {
	needs builds_lmdb
	copy_of_tree "$work/musl" && cd "$work/musl" && rm -r build &&
		CC=$musl LMDB_PREFIX="$work/musl-lmdb" MAKEFLAGS="$quickly" make -s -j2 all build/unit && readelf -l bench_null bench_lmdb build/unit |
		grep -c 'interpreter: .*ld-musl' | grep 3
}
units_with_musl () {
	needs with_musl
	[ -n "$long" ] || { quick_units "$work/musl/build/unit"; return; }
	"$work/musl/build/unit"
}
tests_with_musl () {
	needs with_musl
	cd "$work/musl" || return 1
	status=0
	CC=$musl LMDB_PREFIX="$work/musl-lmdb" MAKEFLAGS="$quickly" PARTS='options harness' ./test.sh >"$work/musl.log" || status=$?
	grep -v -e '^ok' -e '^# ok' "$work/musl.log"
	return $status
}
single_of_musl () {
	needs has_musl
	# shellcheck disable=SC2086 # words, on purpose
	single null $musl -O0
	asks_the_same "$work/single/bench_null"
}
# It has no second fsync() that a wrapper could call.
syncs_of_static () {
	needs with_musl
	cd "$work/musl/build" || return 1
	$musl -static bench.o baseline.o engines/lmdb.o bench/*/*.o util/*.o util/*/*.o -L"$work/musl-lmdb/lib" -llmdb -lm -pthread \
		-o "$work/bench_static"
	rm -f "$work/rows"
	"$work/bench_static" --db="$work/db" --json="$work/rows" --benchmarks=fillseq,readrandom --num=200 --durability=sync \
		>"$work/out"
	jq -es '(.[0] | .commits == 200 and .fdatasyncs == 200 and .dsync_writes == 200) and (.[1] | .syncs == 0 and .found == 200)' "$work/rows"
}
[ -z "$long" ] || ok 'the one file of the null engine compiles with musl and does the same' single_of_musl
ok 'LMDB builds from its source with musl' needs builds_lmdb
ok 'bench_null, bench_lmdb and the unit tests build with musl' needs with_musl
ok 'and a static program counts its syncs' syncs_of_static
ok 'with musl every part of util passes its own tests' units_with_musl
[ -z "$long" ] || ok 'with musl the tests of options and harness pass, with null and LMDB' tests_with_musl

on_arm () {
	qemu-aarch64 -L /usr/aarch64-linux-gnu "$@"
}
for_arm () {
	installed gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
	builds CC=aarch64-linux-gnu-gcc OPT='-O0 -g0' BUILD="$work/arm64/" BIN="$work/arm64/" "$work/arm64/bench_null" "$work/arm64/unit"
}
# With --long all of them: zipfian draws take half a minute where floating point is emulated.
units_on_arm () {
	needs for_arm
	if [ -n "$long" ]; then set -- ''; else export SLOW_TRIALS=20; fi
	on_arm "$work/arm64/unit" "${@-}"
}
# The counter is the clock, and every workload asks the same of the engine as here.
same_on_arm () {
	needs for_arm
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
ok 'bench_null and the unit tests build for arm64' needs for_arm
ok 'on arm64 the parts of util pass their own tests' units_on_arm hist clock random record distinct_count \
	resource_usage sync_count library_info
ok 'on arm64 bench_null does what it does here, timed by the counter' same_on_arm

# With its fallbacks only, as other systems get them: the same workloads, what is unknown is empty, and a child ends with its parent.
portable () {
	# its instructions are compared with --long only
	[ -n "$long" ] || set -- 'OPT=-O1 -g0'
	builds PORTABLE=1 "$@" BUILD=build/portable/ BIN=build/portable/ build/portable/bench_null build/portable/bench_lmdb \
		build/portable/unit
}
same_of_portable () {
	needs portable
	asks_the_same "$top/build/portable/bench_null"
	row '[.engine_build, .device_reads, .cycles, .device] | all(. == null or . == "")' &&
		"$top/build/portable/unit" thread_barrier sync_count supervisor || return 1
	# no page can be dropped: a copy is used as it is, and --cold says so
	set -- "$top/build/portable/bench_lmdb" --json="$work/rows" --num=1000
	"$@" --db="$work/kept" --benchmarks=fillseq >"$work/out" &&
		"$@" --db="$work/copy" --copy_of="$work/kept" --benchmarks=readseq >"$work/out" && row '.found == 1000' || return 1
	fails 1 'cannot drop the pages' "$@" --db="$work/kept" --use_existing_db=1 --cold=1 --benchmarks=readseq
}
ok 'PORTABLE=1 builds with what other systems have, and does the same' same_of_portable

# "$work/hidden" PROGRAM...: with empty directories in place of /proc and /sys, in the same process
cat >"$work/hidden" <<'END'
#!/bin/sh
exec unshare --mount sh -euc 'mount -t tmpfs none /sys; mount -t tmpfs none /proc; exec "$@"' sh "$@"
END
chmod +x "$work/hidden"
can_hide () {
	needs portable
	"$work/hidden" true 2>"$work/why" || cannot 'a mount namespace is not to be had here'
}
# An opened database has two pages: one with more is in its workload.
has_records () {
	[ "$(stat -c %s "$work/db-killed/data/data.mdb")" -gt 100000 ]
}
# loads_hidden: $parent and $child load a database that they see no end of
loads_hidden () {
	can_hide
	rm -rf "$work/db-killed" "$work/rows"
	"$work/hidden" "$top/build/portable/bench_lmdb" --db="$work/db-killed" --json="$work/rows" --benchmarks=fillseq --num=100m \
		>"$work/out" 2>"$work/err" &
	parent=$!
	# before it has any, a child of that process may be mount
	within 60 has_records
	child=$(pgrep -P "$parent")
}
# The lock is free, and what is read of a load that did not end is invalid.
opens_again () {
	! "$top/build/portable/bench_lmdb" --db="$work/db-killed" --use_existing_db=1 --json="$work/rows" --benchmarks=readseq --num=100m \
		--verify=1 >"$work/out" 2>&1 || return 1
	row '.wrong == 0 and .valid == 0 and (.invalid_reason | test("load of this database did not finish"))'
}
ends_with_parent () {
	loads_hidden
	kill -s KILL "$parent"
	within 5 gone "$child"
	opens_again
}
ends_with_child () {
	loads_hidden
	kill -s KILL "$child"
	exits 1 "$parent"
	grep 'fillseq: LMDB died of Killed' "$work/err"
	row '.benchmark == "fillseq" and .partial == 1 and .valid == 0'
	opens_again
}
ok 'and a child ends with its parent there, also where /proc and /sys are hidden' ends_with_parent
ok 'and a parent reports a child that was killed' ends_with_child

# rows_to NAME PROGRAM...: rows and a timeline of a program of LMDB
rows_to () {
	name=$1
	shift
	rm -rf "$work/$name.json" "$work/$name.tsv" "$work/db-of-columns"
	set -- "$@" --db="$work/db-of-columns" --num=2k --json="$work/$name.json"
	"$@" --benchmarks=fillseqbatch --settle=1 >"$work/out" 2>&1
	"$@" --benchmarks=overwrite --use_existing_db=1 --threads=2 --duration=1.1 --probe_rate=100 --long_reader=0.3 --settle=1 \
		--timeline="$work/$name.tsv" --timeline_interval=0.3 >"$work/out" 2>&1
	[ -z "$long" ] || "$@" --benchmarks=l.i0,l.x,l.i1,qr100 --writes=2k --duration=1 >"$work/out" 2>&1
}
# What is told by the files below /proc and /sys alone, in rows and timelines.
of_files='(settle_|close_)?io_.*|(settle_|close_)?device.*|(host_)?write_amp.*|fs_out_per_write|(storage_reads|read_kb)_per_query'
of_files="$of_files|rss_.*|memory_used_kb|page_cache_kb|(snapshot|pause)_memory_growth_kb|load_(before|after)|steal_percent|others_cpu_percent"
of_files="$of_files|cpu_quota|quota_periods|throttled_.*|memory_limit_kb|program|cpu|filesystem|mount_options|io_scheduler|read_ahead_kb|governor|turbo|smt|thp|idle_reclaim|swappiness|numa_nodes|temperature_.*|(engine_bg_)?runnable_us_per_op"
# What differs between runs of the same, and what can be 0 in a short one.
measured='time|command|commit|.*(_ns|_ns_per_op|_us|_ms|_s|seconds)|.*_per_(sec|query).*|rows_worst_second|cpu_.*|.*cpu_percent|mean_us|probe_.*|snapshot.*|pause_.*'
measured="$measured|ctx_.*|faults_.*|fs_.*_blocks|fairness|peak_rss_kb|.*disk.*_kb|db_preallocated_kb|space_amp.*|db_extents|(start|end)_skew_s|overlap_percent"
measured="$measured|counters|cycles.*|instructions.*|cache_misses.*|tlb_misses.*|(engine_[fb]g|kernel|off_cpu)_us_per_op|harness_percent|bound_by.*"
# sync_p*_ns and device_read_p50_ns are measured where the limit is device or sync, which files below /proc tell
short='warnings|db_preallocated_kb|user_s|sys_s|sync_p.*_ns|device_read_p50_ns|bg_cpu_s|(engine_bg|kernel|off_cpu)_us_per_op|.*_stddev_ns|faults_.*|fs_in_blocks|ctx_.*|backlog|probe_backlog|steady|retr.*|.*growth_kb'
# true_when_hidden NAME UNKNOWN: the rows beside the known ones. UNKNOWN may be empty there, too.
true_when_hidden () {
	jq -rn --slurpfile known "$work/known.json" --slurpfile hidden "$work/$1.json" --arg of_files "^($of_files)\$" \
		--arg unknown "^($2)\$" --arg measured "^($measured)\$" --arg short "^($short)\$" '
		def is($pattern): .key | test($pattern);
		if ($known | length) != ($hidden | length) then "not as many rows" else empty end,
		(range($hidden | length) as $n | $known[$n] as $row | $hidden[$n] | to_entries[] | $row[.key] as $is |
		(if is($of_files) then select(.value != null) | "is told by files that are hidden, and not empty"
		elif .value == null then select($is != null and (is($unknown + "|" + $short) | not)) | "is empty, and need not"
		elif .value == 0 then select($is != 0 and $is != null and (is($short) | not)) | "is 0 for want of knowledge"
		else select($n == 0 and .value != $is and (is($measured) | not)) | "is another"
		end) as $why | "\(.key) \($why): \($is), and \(.value)")' >"$work/untrue"
	cat "$work/untrue"
	[ ! -s "$work/untrue" ]
}
columns_of () {
	can_hide
	needs rows_to known "$top/bench_lmdb"
	rows_to hidden "$work/hidden" "$1"
	true_when_hidden hidden "$2"
	# of timelines: columns that are always empty there
	for rows in known hidden
	do
		awk -F '\t' 'NR == 1 { split($0, name); next } { for (i = 1; i <= NF; i++) if ($i != "") filled[i] = 1 }
			END { for (i in filled) print name[i] }' "$work/$rows.tsv" | sort >"$work/$rows.filled"
	done
	grep -v -x -E "$of_files" "$work/known.filled" | diff - "$work/hidden.filled"
}
# The page has each of them.
columns_in_page () {
	needs rows_to known "$top/bench_lmdb"
	sed -n '/^## Systems/,$p' "$top/docs/conditions.md" | grep -o '`[a-z_*]*`' | tr -d '`' | sed 's/[*]/.*/' >"$work/in-page"
	jq -rs --arg of_files "^($of_files)\$" '.[] | to_entries[] | select(.value != null and (.key | test($of_files))) | .key' "$work/known.json" |
		sort -u | grep -v -x -E -f "$work/in-page" >"$work/unsaid" || :
	cat "$work/unsaid"
	[ ! -s "$work/unsaid" ]
}
ok 'where /proc and /sys are hidden, what they would tell is empty, and all other columns are true' columns_of "$top/bench_lmdb" -
ok 'also with PORTABLE=1' columns_of "$top/build/portable/bench_lmdb" 'engine_build|allocator|allowed_cpus|db_extents|counters|cycles.*|instructions.*|.*_misses.*'
ok 'and the table of columns against systems has all of these' columns_in_page

instructions_of_portable () {
	needs portable
	cost_alike "$top/build/portable/bench_null" 2
}
# failing_parts REGEX: which tests of those names fail
failing_parts () {
	ONLY=$1 CONFIGURATIONS='lmdb sqlite' ./test.sh workloads load options engines >"$work/hiding.log" || :
	grep -v '^ok' "$work/hiding.log" | cut -c 1-1000 >&2
	grep '^[1-9][0-9]* passed' "$work/hiding.log" >&2
	sed -n 's/^not ok [0-9]* - //p' "$work/hiding.log" | sort
}
# Parts of the tests, with programs that see nothing below /proc and /sys. Those that must fail ask for an engine that is not
# there, for memory of the process, for bytes that it wrote, or for POSIX's barrier.
parts_of_portable () {
	can_hide
	copy_of_tree "$work/hiding" && cd "$work/hiding" || return 1
	export MAKEFLAGS=' -- PORTABLE=1 ENGINES=null\ lmdb\ sqlite'
	make -s -j2 all conform sanitized-conform || return 1
	mkdir hiding
	for program in bench_null bench_lmdb bench_sqlite
	do
		mv $program hiding
		printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$work/hidden" "$PWD/hiding/$program" >$program
		chmod +x $program
	done
	cat >"$work/must-fail" <<-'END'
		a mapped database counts as resident file, not as memory of the process
		a record that several threads delete at once is found by one of them
		and Berkeley DB
		blind deletes say nothing of what they met: RocksDB
		in an open loop such a thread has the same to do, and is late from the beginning
		memory and CPU time are read while sessions are attached
		of an engine without statistics, stats says so
		retried operations are counted once, and their retries are reported: WiredTiger
		the last interval of a timeline ends with the threads
		the peak of memory is that of its own benchmark
		the time spent on finding out that nothing is pending is nobody's
		write amplification is by the bytes that were put, and the keys that were deleted
	END
	failing_parts . >"$work/failing"
	# of others the machine may have been too busy
	again=$(grep -v -x -F -f "$work/must-fail" "$work/failing" | sed 's/[^A-Za-z0-9 ]/./g' | paste -s -d '|')
	if [ -n "$again" ]
	then
		grep -x -F -f "$work/must-fail" "$work/failing" >"$work/failing-twice" || :
		failing_parts "^($again)\$" >>"$work/failing-twice"
		sort "$work/failing-twice" >"$work/failing"
	fi
	diff "$work/must-fail" "$work/failing"
}
if [ -n "$long" ]
then
	ok 'and costs the same instructions a read' instructions_of_portable
	ok 'and passes the tests of workloads, load, options and engines' parts_of_portable
fi

# zig TARGET...: compiles for another system; its package brings the headers of all.
zig () {
	target=$1
	shift
	PYTHONPATH=$work/zig ZIG_GLOBAL_CACHE_DIR=$work/zig-cache ZIG_LOCAL_CACHE_DIR=$work/zig-cache \
		python3 -m ziglang cc -target "$target" -fno-sanitize=undefined "$@"
}
# source_of NAME-VERSION ARCHIVE DIRECTORY: the sources that engine.sh fetches, of which nothing is built here
source_of () {
	CC=false "$top/scripts/engine.sh" build "$1" >"$work/why" 2>&1 || :
	[ -e "$top/build/engines/archives/$2" ] || cannot "the source of $1 is not to be had: $(tail -n 1 "$work/why")"
	mkdir -p "$3"
	tar -xf "$top/build/engines/archives/$2" -C "$3" --strip-components=1
}
has_zig () {
	python3 -m pip install -q --no-deps --target "$work/zig" ziglang==0.17.1 >"$work/why" 2>&1 ||
		cannot "zig is not to be had: $(tail -n 1 "$work/why")"
	source_of lmdb-0.9.36 lmdb-3.0.0.tar.gz "$work/zig-lmdb"
	source_of sqlite-3.54.1 libsqlite3-sys-0.39.1.crate "$work/zig-sqlite"
	make_quiet build/single/bench_null.c build/single/bench_lmdb.c build/single/bench_sqlite.c
}
# links TARGET: of what comes with an engine the warnings are its own
links () {
	needs has_zig
	lmdb=$work/zig-lmdb/lib sqlite=$work/zig-sqlite/sqlite3
	case $1 in
	*-netbsd*) libdl= ;;
	*) libdl=-ldl ;;
	esac
	for source in "$lmdb/mdb.c" "$lmdb/midl.c" "$sqlite/sqlite3.c"
	do
		zig "$1" -O0 -w -c "$source" -o "$work/$(basename "$source" .c).o"
	done
	for one in null lmdb sqlite
	do
		case $one in
		null) set -- "$1" ;;
		lmdb) set -- "$1" -I"$lmdb" "$work/mdb.o" "$work/midl.o" ;;
		sqlite) set -- "$1" -I"$sqlite" "$work/sqlite3.o" ;;
		esac
		# shellcheck disable=SC2086 # none or one
		zig "$@" -O0 -std=c11 -Wall -Wextra -Wpedantic -pthread "$top/build/single/bench_$one.c" -o "$work/linked" -lm $libdl \
			>"$work/said" 2>&1 || { cat "$work/said"; return 1; }
		[ ! -s "$work/said" ] || { cat "$work/said"; return 1; }
	done
}
for target in ${long:+x86_64-linux-gnu.2.17 x86_64-linux-musl aarch64-linux-gnu riscv64-linux-gnu aarch64-macos x86_64-macos \
	x86_64-freebsd aarch64-freebsd x86_64-netbsd}
do
	ok "the one files of null, LMDB and SQLite compile and link for $target" links "$target"
done

# on_another GNU QEMU DEBIAN: the one file of the null engine there
on_another () {
	installed "gcc-$1-linux-gnu" "libc6-dev-$3-cross" qemu-user
	single null "$1-linux-gnu-gcc" -O1
	asks_the_same "qemu-$2" -L "/usr/$1-linux-gnu" "$work/single/bench_null"
}
for line in ${long:+'aarch64 aarch64 arm64' 'riscv64 riscv64 riscv64'}
do
	# shellcheck disable=SC2086 # words, on purpose
	ok "the one file of the null engine compiles for ${line##* } and does the same there" on_another $line
done

# Elsewhere: a uname that says so. BSD's make is refused, and what only Linux has is asked for there.
mkdir "$work/darwin"
printf '#!/bin/sh\necho Darwin\n' >"$work/darwin/uname"
chmod +x "$work/darwin/uname"
elsewhere () {
	PATH=$work/darwin:$PATH "$@"
}
refuses_bsd_make () {
	installed bmake
	got=0
	bmake -C "$top" >"$work/said" 2>&1 || got=$?
	cat "$work/said"
	[ $got -ne 0 ] && [ "$(wc -l <"$work/said")" -eq 1 ] && grep 'run gmake$' "$work/said"
}
# A library below Homebrew's directory is found, and one that is not is no matter of apt.
finds_brew () {
	mkdir -p "$work/brew/include" "$work/brew/lib"
	: >"$work/brew/include/lsm.h"
	ar rc "$work/brew/lib/liblsm1.a"
	set -- make -s -C "$top" ENGINES='null lsm' BUILD="$work/brew-build/" BIN="$work/brew-build/"
	elsewhere "$@" BREW="$work/brew" -n >"$work/said"
	grep -e "-isystem $work/brew/include .*-c engines/lsm.c" "$work/said"
	grep -e "-L$work/brew/lib -llsm1" "$work/said"
	elsewhere "$@" -n -p >"$work/said"
	grep -x 'BREW := \(/opt/homebrew\|/usr/local\)' "$work/said"
	grep 'bench_lsm: its library is not installed; ' "$work/said"
	"$@" -n -p | grep -x 'BREW := '
}
# Those that use a tool of Linux say which, unless their help is asked for.
asks_for_linux () {
	for script in "$top"/scripts/*.sh "$top"/scripts/repro/*.sh
	do
		[ -x "$script" ] || continue
		grep -q -w -E 'losetup|findmnt|flock|umount|apt-get|sha256sum|nproc|timeout [0-9]+|xargs -r|/proc/|repro-common.sh' "$script" || continue
		fails 1 "^$(basename "$script"): needs Linux for .*, and this is Darwin$" elsewhere "$script" --nonesuch || return 1
		elsewhere "$script" --help | grep -q -w -i usage || { echo "$script --help"; return 1; }
		echo "$script" >>"$work/asking"
	done
	[ "$(wc -l <"$work/asking")" -gt 15 ]
}
ok 'the make of the BSDs is refused in a line that names the right one' refuses_bsd_make
ok 'on macOS make looks where Homebrew has libraries' finds_brew
ok 'scripts that need Linux say so elsewhere, in one line' asks_for_linux

ok '32 bits are refused in a sentence' fails 2 "needs 64 bits" make -C "$top" -s CC='gcc -m32' BUILD="$work/32/" BIN="$work/32/"
