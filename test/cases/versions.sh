# versions.sh: engines at other versions, what their rows say of the library, and which version was slower.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# stands_in NAME, C on stdin: a library to be loaded before the engine's own, $work/NAME.so
stands_in () {
	${CC:-cc} -O2 -shared -fPIC -x c - -o "$work/$1.so" >"$work/cc" 2>&1 || { cat "$work/cc"; return 1; }
}

# build_of NAME ENGINE: what the row says of its library with that one loaded first
build_of () {
	LD_PRELOAD="$work/$1.so" bench "$2" --benchmarks=fillseq --num=10 >"$work/out" 2>&1 && tail -n 1 "$work/rows" | jq -r .engine_build
}

# The library is found by rocksdb_open, which the driver does not call.
says_assertions () {
	stands_in "$1" && build_of "$1" rocksdb >"$work/build" || return 1
	cat "$work/build"
	grep -q "$1[.]so" "$work/build" && [ "$(grep -c 'assertions compiled in' "$work/build")" -eq "$2" ]
}

asks_the_library () {
	stands_in version && LD_PRELOAD="$work/version.so" "$top/bench_rocksdb" --version | grep ' RocksDB 10[.]2[.]1, '
}
own_version () {
	real=$(readlink -f "$(ldd "$top/bench_rocksdb" | awk '$1 ~ /^librocksdb/ { print $3 }')")
	"$top/bench_rocksdb" --version | grep " RocksDB ${real##*.so.}, "
}

finds_crc32c () {
	stands_in "$1" && build_of "$1" rocksdb >"$work/build" || return 1
	cat "$work/build"
	[ "$(grep -c 'no CRC-32C instructions' "$work/build")" -eq "$2" ]
}

allocators () {
	stands_in libjemalloc <<'END' || return 1
#include <stddef.h>
void *__libc_malloc(size_t);
void *malloc(size_t size)
{
	return __libc_malloc(size);
}
END
	bench null --benchmarks=readrandom --num=10 >"$work/out" && row '.allocator | test("^libc")' &&
		LD_PRELOAD="$work/libjemalloc.so" bench null --benchmarks=readrandom --num=10 >"$work/out" &&
		row '.allocator == "libjemalloc.so"' && "$top/scripts/summary.sh" "$work/rows" | grep 'malloc of libjemalloc'
}
ok 'a row says where malloc comes from, and its line that it is not the usual one' allocators

if [ -x "$top/bench_rocksdb" ]
then
	ok 'assertions of a bundled library are not those of the engine' says_assertions bundled 0 <<'END'
#include <assert.h>
void rocksdb_open(const char *name)
{
	assert(name);
}
int snappy(int of)
{
	assert(of);
	return of;
}
END
	ok "and the engine's own are found" says_assertions asserts 1 <<'END'
void __assert_fail(const char *what, const char *file, unsigned line, const char *function) __attribute__((noreturn));
void rocksdb_open(const char *name)
{
	if (!name)
		__assert_fail("name", "db.cc", 1, "static rocksdb::Status rocksdb::DB::Open(const rocksdb::Options&)");
}
END
	ok 'the version is that of the library that is loaded, whose header may be another' asks_the_library <<'END'
struct string {
	const char *text;
	unsigned long size;
	char inside[16];
};
struct string _ZN7rocksdb23GetRocksVersionAsStringB5cxx11Eb(_Bool with_patch)
{
	return (struct string){0, with_patch ? 6 : 4, "10.2.1"};
}
END
	ok 'and that of the one it was linked with, otherwise' own_version
	case $(uname -m) in
	x86_64)
		ok 'CRC-32C instructions of a bundled library are not those of the engine' finds_crc32c hashes 1 <<'END'
__attribute__((target("sse4.2"))) unsigned snappy_hash(unsigned of)
{
	return __builtin_ia32_crc32si(0, of);
}
void rocksdb_open(void)
{
}
END
		ok 'and its own are found' finds_crc32c checks 0 <<'END'
__attribute__((target("sse4.2"))) unsigned _ZN7rocksdb6crc32c6ExtendEv(unsigned of)
{
	return __builtin_ia32_crc32si(0, of);
}
void rocksdb_open(void)
{
}
END
		;;
	esac
else
	skip 'what a row says of its library' 'RocksDB is not installed'
fi

# The same of Berkeley DB, whose header has its version, too.
asks_bdb () {
	stands_in bdb && LD_PRELOAD="$work/bdb.so" "$top/bench_bdb" --version | grep ' Berkeley DB 18[.]1[.]40, '
}
if [ -x "$top/bench_bdb" ]
then
	ok "Berkeley DB's version is that of the library that is loaded" asks_bdb <<'END'
char *db_version(int *major, int *minor, int *patch)
{
	*major = 18;
	*minor = 1;
	*patch = 40;
	return "";
}
END
fi

# A fork's driver with the system's LevelDB, of which both rows must say the same.
fork_says_checksums () {
	(cd "$top" && ${CC:-cc} -std=c11 -D_GNU_SOURCE -pthread -Wl,--export-dynamic -DENGINE_VERSION='"unknown"' -DENGINE_MAJOR=999 \
		-DFORK=114 -DENGINE_NAME='"hyper"' -DENGINE_TITLE='"HyperLevelDB"' engines/leveldb.c build/bench.o build/baseline.o \
		build/bench/*/*.o build/util/*.o build/util/*/*.o -o "$work/bench_hyper" -lleveldb -lm -ldl) || return 1
	for program in "$top/bench_leveldb" "$work/bench_hyper"
	do
		"$program" --db="$work/db-${program##*/}" --json="$work/rows" --benchmarks=fillseq --num=10 >"$work/out" 2>&1 || return 1
		tail -n 1 "$work/rows" | jq -r .engine_build >"$work/${program##*/}.says"
	done
	diff "$work/bench_leveldb.says" "$work/bench_hyper.says"
}
[ ! -x "$top/bench_leveldb" ] || ok 'a fork of LevelDB that computes CRC-32C in software says so, as LevelDB does' fork_says_checksums

# Engines built by engine.sh, in a copy of this tree, so that this one stays as it is.
copy=$work/copy
own_tree () {
	copy_of_tree "$copy" || return 1
	for archive in "$top"/build/engines/archives/lmdb*
	do
		[ ! -e "$archive" ] || install -D "$archive" "$copy/build/engines/archives/$(basename "$archive")" || return 1
	done
}
engine () {
	"$copy/scripts/engine.sh" "$@"
}
nothing_left () {
	find "$copy/build/engines" -mindepth 1 ! -path '*/archives*' || return 1
	[ -z "$(find "$copy/build/engines" -mindepth 1 ! -path '*/archives*' ! -name '*.[od]')" ] && [ ! -e "$copy/bench_lmdb-0.9.24" ]
}

# Whether its client fetches it here, or did before; what else goes wrong is for the tests.
have_archive () {
	mkdir -p "$work/bin"
	built=0
	engine build lmdb-0.9.24 >"$work/out" 2>&1 || built=$?
	! grep -q 'did not fetch' "$work/out"
}
builds_version () {
	cat "$work/out"
	[ "$built" -eq 0 ] || return 1
	"$copy/bench_lmdb-0.9.24" --version | grep ' LMDB 0[.]9[.]24, ' || return 1
	"$copy/bench_lmdb-0.9.24" --db="$work/db-v" --json="$work/rows" --benchmarks=fillseqbatch,readrandom --num=1k --verify=1 >"$work/out" &&
		row '.valid == 1 and .found == 1000 and (.engine_build | test("copy/build/engines/lmdb-0.9.24/lib/liblmdb.so, origin apt lmdb=.*, sha256 [0-9a-f]{12}, compiler .*, flags -O2 -DNDEBUG -fno-omit-frame-pointer$"))' &&
		[ "$(sed -n 's/^sha256	//p' "$copy/build/engines/lmdb-0.9.24/facts")" = "$(sha256sum "$copy"/build/engines/archives/lmdb_0.9.24* | cut -d ' ' -f 1)" ] &&
		[ "$(make -C "$copy" -s versions)" = lmdb-0.9.24 ] && engine list | grep -q '^lmdb-0.9.24  *apt .* yes ' &&
		[ "$(find "$copy/build/engines" -maxdepth 1 -name 'engine-*')" = '' ]
}
# as by the system's, with one seed
answers_alike () {
	for program in bench_lmdb-0.9.24 bench_null
	do
		directory=$top
		[ ! -x "$copy/$program" ] || directory=$copy
		"$directory/$program" --db="$work/db-$program" --json="$work/digests" --benchmarks=fillrandbatch,filluniquerandom,readrandom \
			--num=5k --verify=1 >"$work/out" || return 1
	done
	jq -es '[.[] | select(.benchmark == "readrandom") | .digest] | unique | length == 1' "$work/digests"
}
sweeps_version () {
	(cd "$copy" && cp -p "$top/bench_null" . && scripts/sweep.sh --out="$work/sweep" --engines=lmdb-0.9.24,null --benchmarks=readrandom \
		--threads=1 --num=1k --reads=100) || return 1
	jq -es 'map(select(.label == "lmdb-0.9.24" and .engine == "lmdb" and .engine_version == "0.9.24")) | length == 2' "$work/sweep/results.json"
}
again_offline () {
	rm -r "$copy/build/engines/lmdb-0.9.24"
	printf '#!/bin/sh\necho no network >&2\nexit 1\n' >"$work/bin/apt-get"
	chmod +x "$work/bin/apt-get"
	PATH="$work/bin:$PATH" engine build lmdb-0.9.24 2>"$work/out" && [ -x "$copy/bench_lmdb-0.9.24" ] &&
		rm -r "$copy/build/engines/lmdb-0.9.24" "$copy/bench_lmdb-0.9.24"
}
# one byte of the archive is another
refuses_changed () {
	archive=$copy/build/engines/archives/lmdb_0.9.24.orig.tar.gz
	printf '\377' | dd of="$archive" bs=1 seek=1000 conv=notrunc 2>"$work/dd"
	fails 1 'another hash' engine build lmdb-0.9.24 && nothing_left && cp "$archive" "$work/changed.tar.gz" &&
		fails 1 'another hash' engine build lmdb-0.9.24 --source="$work/changed.tar.gz" && nothing_left &&
		fails 1 'another hash' engine build lmdb --source="$work/changed.tar.gz" --version=0.9.24 && nothing_left
}
# and one that a client brings
refuses_fetched () {
	rm "$copy"/build/engines/archives/lmdb_0.9.24*
	printf '#!/bin/sh\necho something else >lmdb_0.9.24.orig.tar.gz\n' >"$work/bin/apt-get"
	PATH="$work/bin:$PATH" engine build lmdb-0.9.24 >"$work/out" 2>&1 && return 1
	cat "$work/out"
	grep -q 'another hash' "$work/out" && nothing_left && [ -z "$(find "$copy/build/engines/archives" -name 'lmdb_0.9.24*')" ]
}
says_what_it_could_not_fetch () {
	printf '#!/bin/sh\necho no network >&2\nexit 1\n' >"$work/bin/apt-get"
	PATH="$work/bin:$PATH" engine build lmdb-0.9.24 >"$work/out" 2>&1 && return 1
	cat "$work/out"
	grep -q 'no network' "$work/out" && grep -q 'apt did not fetch lmdb' "$work/out" && nothing_left
}

# An engine of the user's: what a recipe takes for LMDB.
own_source () {
	mkdir -p "$work/mine"
	cp "$1" "$work/mine/lmdb.h" 2>"$work/err"
	echo '#error "not today"' >"$work/mine/mdb.c"
	: >"$work/mine/midl.c"
}
failed_build () {
	own_source /usr/include/lmdb.h
	# whatever sh is here
	for shell in sh 'bash --posix'
	do
		status=0
		$shell "$copy/scripts/engine.sh" build lmdb --source="$work/mine" --version=0.9.99 >"$work/out" 2>&1 || status=$?
		cat "$work/out"
		[ $status -eq 1 ]
		grep -q 'not today' "$work/out"
		tail -n 1 "$work/out" | grep -q 'lmdb-0.9.99: its build failed'
		nothing_left
	done
}

ok 'a copy of the tree stands apart' own_tree
if [ -d "$copy/build/util" ]
then
	ok 'engine.sh lists what there is' sh -c "'$copy/scripts/engine.sh' list | grep '^rocksdb-10.2.1  *mvn '"
	while IFS='|' read -r pattern arguments
	do
		# shellcheck disable=SC2086 # words, on purpose
		ok "engine.sh refuses: $arguments" fails 2 "$pattern" engine $arguments
	done <<END
list or build|
takes no arguments|list lmdb
build what|build
has no nosuch|build nosuch
has no lmdb-9.9|build lmdb-9.9
goes with --source|build lmdb --version=9
there is no /nosuch|build lmdb --source=/nosuch --version=1
of which version|build lmdb --source=/tmp
name one|build lmdb leveldb --source=/tmp --version=1
other characters|build lmdb --source=/tmp --version=1/2
END
	ok 'a build that fails shows the end of its log and leaves nothing' failed_build
	if have_archive
	then
		ok 'engine.sh builds an engine from its sources, which the row names' builds_version
		ok 'and it answers as every other' answers_alike
		ok 'sweep.sh takes it by its name' sweeps_version
		ok 'what was fetched before serves without a network' again_offline
		ok 'an archive with one byte changed is refused and leaves nothing' refuses_changed
		ok 'and what a client brings instead of it' refuses_fetched
	else
		cat "$work/out"
		skip 'engine.sh builds LMDB' 'its sources are not to be had here'
	fi
	ok 'what cannot be fetched is said, in the words of the client' says_what_it_could_not_fetch
fi

# sixteen STEP: as many configurations of the null engine, each slower by 1 % than the one before it, and that one by 10 % more
sixteen () {
	awk -v step="$1" 'BEGIN { for (ns = 1000; ++n <= 16; ns *= 1.01) { if (n == step) ns *= 1.1
		printf "%snull+null_get_ns=%d", (n > 1 ? "," : ""), ns } }'
}
# bisection NAME STEP: of them, by a median, which does not mind what else the machine does
bisection () {
	out=$work/bisect-$1-$2
	status=0
	"$top/scripts/versions.sh" --out="$out" --engines="$(sixteen "$2")" --bisect=p50 --benchmarks=readrandom --num=1000 --reads=5000 \
		--load=none --repeat=5 --seed="$1" --order-seed="$1" >"$out.txt" 2>"$out.err" || status=$?
	cat "$out.txt" "$out.err"
	[ -s "$out/bisect.json" ]
}
names_step () {
	bisection "$1" "$2" && [ $status -eq 1 ] && jq -e --arg want "$(sixteen "$2" | cut -d , -f "$2")" --arg before "$(sixteen "$2" |
		cut -d , -f "$(($2 - 1))")" '.named == $want and .before == $before and .comparisons <= 5 and .change > 0.07 and .change < 0.15' \
		"$out/bisect.json"
}
names_none () {
	bisection "$1" 0 && [ $status -eq 0 ] && jq -e '.named == null and .comparisons <= 5' "$out/bisect.json"
}
# of TRIALS COMMAND...: that many trials with other seeds, all but one in twenty
trials () {
	many=$1 good=0
	shift
	for trial in $(seq "$many")
	do
		step=$((trial * 7 % 15 + 2))
		if "$1" "$trial" $step >"$work/trial"
		then
			good=$((good + 1))
		else
			cat "$work/trial"
		fi
	done
	echo "$good of $many"
	[ $good -ge $((many - many / 20)) ]
}
# A verdict is wrong by chance in one of twenty trials: one of three is enough where few are made.
in_trials () {
	[ -z "$long" ] || { trials 20 "$1"; return; }
	for trial in 1 2 3
	do
		! "$1" $trial $((trial * 7 % 15 + 2)) || return 0
	done
	return 1
}
ok 'versions.sh names the version that became slower by a step among sixteen, in five comparisons' in_trials names_step
ok 'and none where there is no step' in_trials names_none

# With made rows: of the first two halves neither is slower than the other by more than chance, so they are right in about half
# of the draws, and all that follows is certain. So the confidence is about a half, and not that of the last step alone.
confident_in_all_steps () {
	mkdir -p "$work/made/build"
	cp -r "$top/scripts" "$work/made"
	cat >"$work/made/scripts/sweep.sh" <<-'END'
		#!/bin/sh
		for argument
		do
			case $argument in
			--out=*) out=${argument#*=} ;;
			--engines=*) engines=${argument#*=} ;;
			esac
		done
		mkdir -p "$out"
		echo "$engines" | tr , '\n' | jq -cR '. as $name | {a: [100], b: [100], c: [86, 87, 88, 89, 91, 92, 93, 94], d: [81], e: [81]}[.] |
			(if length == 1 then [range(8) as $i | .[0]] else . end)[] | {schema: "assay/2", label: $name, engine: "null", benchmark: "readrandom",
			threads: 1, valid: 1, ops_per_sec: .}' >"$out/results.json"
	END
	status=0
	"$work/made/scripts/versions.sh" --out="$work/made-bisect" --engines=a,b,c,d,e --bisect=ops_per_sec --benchmarks=readrandom >"$work/out" || status=$?
	cat "$work/out"
	[ $status -eq 1 ] && jq -e '(.named == "c" or .named == "d") and .comparisons == 3 and .confidence > 0.3 and .confidence < 0.7' \
		"$work/made-bisect/bisect.json"
}
ok 'the confidence of versions.sh is that of all its steps' confident_in_all_steps

compares_versions () {
	"$top/scripts/versions.sh" --out="$work/several" --engines=null+null_get_ns=1000,null+null_get_ns=1100,null+null_get_ns=2000 \
		--benchmarks=readrandom,readseq --threads=1 --num=1000 --reads=5000 --load=none --repeat=4 --metric=p50,ops_per_sec >"$work/out" || return 1
	grep -x "readseq, 1 thread, ops_per_sec, 1/s" "$work/out" || return 1
	cat "$work/out"
	[ "$(wc -l <"$work/several/versions.tsv")" -eq 13 ] && awk -F '\t' '
		$1 != "readrandom" || $3 != "p50" { next }
		$4 ~ /1000$/ { first = $6; base = $7 == 1 && $8 == "" }
		$4 !~ /1000$/ { bad += !($5 == 4 && ($7 - $6 / first) ^ 2 < 1e-5 && $8 <= $7 && $7 <= $9) }
		$4 ~ /2000$/ { great = $7 > 1.5 && $7 < 2.5 }
		END { exit !(base && great && !bad) }' "$work/several/versions.tsv" &&
		grep -q '^readrandom, 1 thread, p50, ns$' "$work/out" && [ "$(grep -c 'null+null_get_ns=2000' "$work/several/plots/versions-p50.svg")" -eq 1 ]
}
ok 'versions.sh sets each version beside the first, in a table and a figure' compares_versions
tail_of_versions () {
	"$top/scripts/versions.sh" --out="$work/tail" --engines=null,null+null_get_ns=9000 --benchmarks=readrandom --num=1000 --reads=1000 --load=none \
		--repeat=2 --metric=p99.9 >"$work/out"
	grep -x 'readrandom, 1 thread, p999, ns' "$work/out"
	awk -F '\t' '$4 ~ /9000/ { exit !($3 == "p999" && $6 > 8000) }' "$work/tail/versions.tsv"
}
ok 'and knows p99.9, and the unit of a metric' tail_of_versions
while IFS='|' read -r pattern arguments
do
	# shellcheck disable=SC2086 # words, on purpose
	ok "versions.sh refuses: $arguments" fails 2 "$pattern" "$top/scripts/versions.sh" $arguments
done <<END
out=DIRECTORY is missing|--engines=null,null
two versions or more|--out=$work/no --engines=null
cannot tell whether more|--out=$work/no --engines=null,null --bisect=nosuch
one benchmark and one number|--out=$work/no --engines=null,null --bisect=p50 --benchmarks=readrandom,readseq
one benchmark and one number|--out=$work/no --engines=null,null --bisect=p50 --threads=1,2
--threshold|--out=$work/no --engines=null,null --threshold=x
exclude each other|--out=$work/no --engines=null,null --bisect=p50 --metric=p50
END

# What stands in results/reference/versions: rows of one committed state, each point as often as the table says, which has their
# medians; and builds that are not fit for comparison of writes are named.
reference_versions () {
	jq -es 'length > 0 and (map(.commit) | unique | length == 1 and (.[0] | test("dirty") | not)) and
		all(.[]; .valid == 1 and (.command | test("[ =\"'"'"']/") | not))' "$1/rows.json" || return 1
	jq -rs 'def median: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
		group_by([.benchmark, .label])[] |
		[.[0].benchmark, .[0].label, length, (map(.ops_per_sec) | median * 10 | round)] | @tsv' "$1/rows.json" | sort >"$work/medians"
	# of an even number of runs a median can end in half of the last digit
	awk -F '\t' 'NR == FNR { median[$1 FS $2 FS $3] = $4; n++; next }
		$3 == "ops_per_sec" { of = $1 FS $4 FS $5; n--; if (!(of in median) || (median[of] - $6 * 10) ^ 2 > 1) { print "another median:", $0, median[of]; other = 1 } }
		END { exit other || n }' "$work/medians" "$1/versions.tsv" &&
		awk -F '\t' '$3 < 5 { print "repeated less than five times:", $0; few = 1 } END { exit few }' "$work/medians" || return 1
	jq -r 'select(.engine_build // "" | test("not fit for comparison")) | .label' "$1/rows.json" | sort -u >"$work/unfit"
	while read -r version
	do
		grep -q "${version#*-}" "$1/notes.md" || { echo "$version is unfit, and notes.md does not name it"; return 1; }
	done <"$work/unfit"
}
for folder in "$top"/results/reference/versions/*/
do
	ok "the reference of versions of $(basename "$folder") is of one clean state, repeated, and its table is that of its rows" \
		reference_versions "$folder"
done

# A compaction that is pending for ever, as universal compaction can leave one: it never runs, so it is nothing to wait for.
settles_beside_pending () {
	stands_in pending || return 1
	LD_PRELOAD="$work/pending.so" bench rocksdb --benchmarks=fillseq --num=100 --settle=1 --hang_timeout=20 >"$work/out" 2>&1 ||
		{ cat "$work/out"; return 1; }
	row '.valid == 1 and .settle_seconds < 5'
}
if [ -x "$top/bench_rocksdb" ]
then
	ok 'RocksDB has settled where a compaction is pending and none runs' settles_beside_pending <<-'END'
		#include <stdint.h>
		#include <string.h>
		int rocksdb_property_int(void *db, const char *name, uint64_t *value)
		{
			(void)db;
			*value = !strcmp(name, "rocksdb.compaction-pending");
			return 0;
		}
	END
fi

# One that is pending for a fifth of a second, and then runs, is waited for.
settles_after_pending () {
	stands_in soon || return 1
	LD_PRELOAD="$work/soon.so" bench rocksdb --benchmarks=fillseq --num=100 --settle=1 >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	row '.valid == 1 and .settle_seconds > 0.2'
}
if [ -x "$top/bench_rocksdb" ]
then
	ok 'and has not where a pending compaction is about to run' settles_after_pending <<-'END'
		#include <stdint.h>
		#include <string.h>
		int rocksdb_property_int(void *db, const char *name, uint64_t *value)
		{
			static unsigned asked;

			(void)db;
			asked += !strcmp(name, "rocksdb.num-running-compactions");
			*value = !strcmp(name, asked < 10 ? "rocksdb.compaction-pending" : "rocksdb.num-running-compactions") && asked < 20;
			return 0;
		}
	END
fi

# perf_levels OPTION LEVEL: what each session's thread is told, C on stdin
perf_levels () {
	stands_in level || return 1
	LD_PRELOAD="$work/level.so" bench rocksdb --benchmarks=fillseq --num=100 --threads=3 ${1:+"$1"} >"$work/out" 2>&1 ||
		{ cat "$work/out"; return 1; }
	[ "$(grep -c "^level $2\$" "$work/out")" -ge 3 ] && [ "$(grep -c '^level ' "$work/out")" -eq "$(grep -c "^level $2\$" "$work/out")" ] &&
		row "(.engine_options | test(\" perf_level=$2 \")) and .valid == 1"
}
if [ -x "$top/bench_rocksdb" ]
then
	for level in '|1' '--perf_level=2|2'
	do
		ok "RocksDB counts nothing in any thread unless asked to: ${level%%|*}" perf_levels "${level%%|*}" "${level#*|}" <<-'END'
			#include <stdio.h>
			void rocksdb_set_perf_level(int level) { fprintf(stderr, "level %d\n", level); }
		END
	done
fi
