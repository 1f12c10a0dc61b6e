# go.sh: engines in Go: their libraries, what the runtime does to a row, and that they answer as LMDB does.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# shellcheck source=/dev/null
. "$top/test/contract.sh"
# shellcheck source=/dev/null
. "$top/test/traced.sh"
go_engines='bbolt pebble badger'

# go_is COMMAND: a go that does this
go_is () {
	mkdir -p "$work/bin"
	printf '#!/bin/sh\n%s\n' "$1" >"$work/bin/go"
	chmod +x "$work/bin/go"
}
# Of a version that nobody has built, and of one that is there.
# What engine.sh builds for another part meanwhile is in engine-*.
without_go () {
	least=$(sed -n 's/^go //p' "$top/engines/go/bbolt/go.mod")
	find "$top/build/engines" -maxdepth 1 ! -name 'engine-*' | sort >"$work/before"
	go_is 'exit 127'
	fails 1 "bbolt-1.5.0: go is not installed; install Go $least or younger" env PATH="$work/bin:$PATH" "$top/scripts/engine.sh" build bbolt || return 1
	go_is 'echo go version go1.19.8 linux/amd64'
	fails 1 "go is 1.19.8; install Go $least or younger" env PATH="$work/bin:$PATH" "$top/scripts/engine.sh" build bbolt || return 1
	find "$top/build/engines" -maxdepth 1 ! -name 'engine-*' | sort | diff "$work/before" -
}
ok 'without Go, or with one too old, a line says what to install, and nothing is made' without_go

built () {
	for engine in $go_engines
	do
		make_quiet "bench_$engine" || return 1
		# known once its library is there
		make_quiet "build/conform_$engine" || return 1
	done
	make_quiet bench_lmdb build/conform_lmdb
}
if ! command -v go >"$work/where"
then
	skip 'engines in Go' 'go is not installed'
	return
fi
ok 'make builds the engines in Go' needs built

# The version is that in the library, by Go's build info, in the process that never loads it and in the one that does.
says_what_ran () {
	needs built
	for engine in $go_engines
	do
		newest=$(awk -F '\t' -v engine="$engine" '$1 == engine { version = $2 } END { print version }' "$top/engines/sources.tsv")
		bench "$engine" --benchmarks=fillseqbatch --num=100 >"$work/out" || { cat "$work/out"; return 1; }
		row ".engine_version == \"$newest\" and (.engine_build | test(\"libassay_${engine}[.]so, origin go .*@v$newest, .*compiler go version go1.*syncs counted\"))
			and (.engine_build | test(\"assertions\") | not) and (.allocator | test(\"^Go, and for C libc\")) and (.engine_options | test(\"go=go1.*gogc=100\"))" &&
			"$top/bench_$engine" --version | grep " $newest, " || return 1
	done
}
ok 'a row says which version ran, how it was built, and that Go allocates' says_what_ran

one_digest () {
	needs built
	for engine in $go_engines
	do
		if ! answers "$engine" || ! does_all "$engine"
		then
			echo "$engine"
			return 1
		fi
	done
}
ok 'they answer as LMDB does, in all workloads' one_digest

# To all sessions at once: 1 thread, 8 threads that share syncs, and batches.
counts_syncs () {
	needs built
	command -v strace >"$work/where" || cannot 'strace is not installed'
	strace -o "$work/trace" true 2>"$work/err" || cannot 'strace may not trace here'
	for engine in $go_engines
	do
		bench "$engine" --benchmarks=fillseqbatch --num=2k >"$work/out" || return 1
		syncs_traced "$engine" 2k 1 || return 1
		syncs_traced "$engine" 2k 8 || return 1
		syncs_traced "$engine" 2k 1 --benchmarks=overwritebatch --batch=10 || return 1
	done
}
ok 'syncs are those that strace sees, of a thread, of eight and of batches' counts_syncs

syncs_of_a_commit () {
	needs built
	while read -r engine kind per_commit
	do
		bench "$engine" --benchmarks=fillseq --num=300 --durability=sync >"$work/out" || { cat "$work/out"; return 1; }
		row ".commits == 300 and .$kind >= 300 * $per_commit and .$kind <= 300 * $per_commit + 5 and .syncs <= .$kind + 5" || return 1
		bench "$engine" --benchmarks=fillseq --num=300 --durability=async >"$work/out" && row '.commits == 300 and .syncs <= 5' || return 1
	done <<-END
		bbolt fdatasyncs 2
		pebble fdatasyncs 1
		badger msyncs 2
	END
}
ok 'a commit at sync syncs as docs/engines.md says, and at async hardly ever' syncs_of_a_commit

# A Go whose package syscall is another: the library is built without the overlay, and nothing is known of syncs. Here it is built
# of the same packages as the others, as all that imports syscall would be compiled once more; what names the overlay has its tag.
without_overlay () {
	needs built
	grep -l AssaySync "$top"/engines/go/*/*.go | xargs grep -L -x '//go:build assay_overlay' >"$work/untagged" || :
	[ ! -s "$work/untagged" ] || { cat "$work/untagged"; return 1; }
	"$top/engines/go/shared/overlay.sh" "$work" || return 1
	(cd "$top/engines/go/bbolt" && GOTOOLCHAIN=local go build -mod=readonly -buildvcs=false -buildmode=c-shared -overlay="$work/overlay.json" \
		-o "$work/plain/libassay_bbolt.so" .) || return 1
	LD_LIBRARY_PATH="$work/plain" bench bbolt --benchmarks=fillseq --num=100 --durability=sync >"$work/out" || { cat "$work/out"; return 1; }
	row '.valid == 1 and .commits == 100 and .syncs == null and .fdatasyncs == null and .syncs_per_commit == null and (.engine_build | test("/plain/"))'
}
ok 'without the overlay the columns of syncs are empty' without_overlay

# Badger has no call that writes its memtable.
memtable_stays () {
	needs built
	rm -f "$work/rows"
	bench badger --benchmarks=fillseqbatch,flush,compact,stats --num=1k >"$work/out" || { cat "$work/out"; return 1; }
	jq -es 'map(.emulated) | .[1] == "memtable flush, by syncing the log" and .[2] == "compaction, without the memtable"' "$work/rows" && grep -x 'tables 0' "$work/out"
}
ok "flush and compact say that Badger's memtable stays" memtable_stays

# Every record of a scan crosses, a get does once and is released by the next one.
crossings () {
	needs built
	for engine in $go_engines
	do
		bench "$engine" --benchmarks=fillseqbatch,readseq,readrandom --num=20k --threads=2 >"$work/out" || { cat "$work/out"; return 1; }
		tail -n 2 "$work/rows" | jq -es 'def near($a; $b): ($a - $b | fabs) < 0.02 * $b + 0.02;
			all(.[]; .crossing_ns > 5 and .crossing_ns < 100000 and .crossings >= .ops and .crossings <= .ops + 100 and
			near(.crossing_percent; [100, .crossing_ns * .crossings / 1e7 / .fg_cpu_s] | min))' || { tail -n 2 "$work/rows"; return 1; }
	done
	# a hundred records are a seek, two times several, and a release
	bench bbolt --benchmarks=fillseqbatch,seekrandom --seek_nexts=100 --reads=1000 --num=20k >"$work/out"
	row '.ops == 1000 and .entries > 90000 and .crossings >= 2000 and .crossings <= 4100'
	bench lmdb --benchmarks=fillseqbatch --num=100 >"$work/out" && row '.crossing_ns == null and .crossings == null and .crossing_percent == null' || return 1
	bench bbolt --benchmarks=fillseqbatch,readrandom --num=100 --duration=0.2 --warmup=0.1 >"$work/out" && row '.crossing_ns > 5 and .crossings == null' || return 1
	# the records that a backup is compared with are read before
	bench bbolt --benchmarks=fillseqbatch,overwrite --num=20k --writes=10 --backup=60 --verify=1 >"$work/out" 2>"$work/err" &&
		row '.valid == 1 and .crossings >= 10 and .crossings <= 200'
}
ok 'each row says what crossing to Go costs, and how often it was done' crossings

# Ctrl-C is ours: Go leaves SIGINT alone.
interrupted () {
	needs built
	for engine in $go_engines
	do
		bench "$engine" --benchmarks=fillseqbatch --num=1000 >"$work/out" || return 1
		rm -f "$work/err"
		"$top/bench_$engine" --db="$work/db-$engine" --json="$work/rows" --use_existing_db=1 --num=1000 --benchmarks=overwrite \
			--duration=60 --stats_interval_seconds=1 >"$work/out" 2>"$work/err" &
		running=$!
		within 20 grep -q 'ops' "$work/err"
		kill -INT $running
		exits 130 $running
		row '.partial == 1 and .ops > 0 and .errors == 0'
	done
}
ok 'Ctrl-C ends a run, and its row is partial' interrupted

# A library that is none, one of another assay, and a database in another format: a line each.
refuses_libraries () {
	needs built
	mkdir -p "$work/none" "$work/other"
	: >"$work/none/libassay_bbolt.so"
	echo 'int assay_go_nothing;' | ${CC:-cc} -shared -fPIC -x c - -o "$work/other/libassay_bbolt.so"
	fails 1 'file too short; build it: scripts/engine.sh build bbolt' env LD_LIBRARY_PATH="$work/none" \
		"$top/bench_bbolt" --db="$work/untouched" --benchmarks=fillseq --num=10 || return 1
	fails 1 'libassay_bbolt.so has no assay_go_put, it is of another assay; build it anew' env LD_LIBRARY_PATH="$work/other" \
		"$top/bench_bbolt" --db="$work/untouched-2" --benchmarks=fillseq --num=10 || return 1
	fails 1 'this Pebble has formats up to' "$top/bench_pebble" --db="$work/untouched-3" --benchmarks=fillseq --num=10 --file_format=1000 || return 1
	fails 2 'give at least 7 times --value_size' "$top/bench_badger" --db="$work/untouched-4" --benchmarks=fillseq --num=10 --value_size=1Mi --write_buffer_size=4Mi &&
		[ ! -e "$work/untouched-4" ]
}
ok 'a library that is none or another, and settings that the engine cannot have, are refused in a line' refuses_libraries

keeps_contract () {
	needs built
	for engine in $go_engines
	do
		"$top/build/conform_$engine" --db="$(mktemp -d "$work/conform-XXXXXX")" >"$work/tap" || { grep '^not\|^#' "$work/tap"; return 1; }
		# of which nothing acknowledged is lost
		"$top/build/conform_$engine" --db="$(mktemp -d "$work/conform-XXXXXX")" --kill --rounds=2 >"$work/tap" || { grep '^not\|^#' "$work/tap"; return 1; }
	done
}
ok 'they keep the contract, also beside kill -9' keeps_contract
