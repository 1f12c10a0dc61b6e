# dotnet.sh: Voron, in C#: its library, what the runtime does to a row, and that it answers as LMDB does.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# shellcheck source=/dev/null
. "$top/test/contract.sh"
# shellcheck source=/dev/null
. "$top/test/traced.sh"

# A path without mcs or pip3, but with all else that make and engine.sh call.
no_tools () {
	mkdir -p "$work/bin"
	for directory in $(echo "$PATH" | tr : ' ')
	do
		find "$directory" -maxdepth 1 \( -type f -o -type l \) ! -name mcs ! -name 'pip*' -exec ln -sf -t "$work/bin" '{}' + 2>"$work/err" || :
	done
}
# What engine.sh builds for another part meanwhile is in engine-*.
without_tools () {
	needs no_tools
	find "$top/build/engines" -maxdepth 1 ! -name 'engine-*' | sort >"$work/before"
	PATH="$work/bin" fails 1 'voron-4.1.0: mcs is not installed; apt install mono-mcs' "$top/scripts/engine.sh" build voron
	printf '#!/bin/sh\n' >"$work/bin/mcs"
	chmod +x "$work/bin/mcs"
	PATH="$work/bin" fails 1 'voron-4.1.0: pip3 is not installed; apt install python3-pip' "$top/scripts/engine.sh" build voron
	rm "$work/bin/uname"
	printf '#!/bin/sh\n[ "$1" != -m ] && echo Linux || echo aarch64\n' >"$work/bin/uname"
	chmod +x "$work/bin/uname"
	PATH="$work/bin" fails 1 'its packages are for x86-64, this is aarch64' "$top/scripts/engine.sh" build voron
	find "$top/build/engines" -maxdepth 1 ! -name 'engine-*' | sort | diff "$work/before" -
}
ok 'without mcs or pip a line says what to install, and nothing is made' without_tools

built () {
	make_quiet bench_voron || return 1
	# known once its library is there
	make_quiet build/conform_voron bench_lmdb build/conform_lmdb
}
if [ "$(uname -m)" != x86_64 ] || ! command -v mcs >"$work/where" || ! command -v pip3 >"$work/where"
then
	skip 'Voron' 'mcs or pip3 is not installed, or this is not x86-64'
	return
fi
if ! built >"$work/made" 2>&1
then
	tail -n 3 "$work/made" | sed 's/^/# /'
	if grep -q 'did not fetch' "$work/made"
	then
		skip 'Voron' 'its packages are not to be had here'
	else
		ok 'Voron is built' false
	fi
	return
fi
library=$top/build/engines/voron-4.1.0/lib

# The version is that of the assembly, in the process that never loads it and in the one that does.
says_what_ran () {
	bench voron --benchmarks=fillseqbatch --num=100 >"$work/out"
	row '.valid == 1 and .engine_version == "4.1.0" and (.allocator | test("^[.]NET, and for C libc")) and (.engine_options | test("dotnet=.*3[.]1[.]23.*gc=workstation")) and
		(.engine_build | test("/Voron.dll, origin pip pyravendb-embedded==4.1.1.4, sha256 [0-9a-f]{12}, compiler Mono C# compiler"))'
	"$top/bench_voron" --version | grep ' Voron 4.1.0, '
	# and not what its directory or the table say
	cp -r "$library" "$work/changed"
	python3 -c '
import sys
text = open(sys.argv[1], "rb").read()
mark = "ProductVersion\0".encode("utf-16-le")
at = text.index(mark) + len(mark)
open(sys.argv[1], "wb").write(text[:at] + text[at:].replace("4.1.0".encode("utf-16-le"), "4.7.9".encode("utf-16-le"), 1))
' "$work/changed/Voron.dll"
	LD_LIBRARY_PATH="$work/changed" "$top/bench_voron" --version | grep ' Voron 4.7.9, '
}
ok 'a row says which version ran, how it was built, and that .NET allocates' says_what_ran

one_digest () {
	answers voron && does_all voron
}
ok 'Voron answers as LMDB does, in all workloads' one_digest

# To all sessions at once: 1 thread, 8 threads, and batches; a commit at sync is one write.
counts_syncs () {
	command -v strace >"$work/where" || cannot 'strace is not installed'
	strace -o "$work/trace" true 2>"$work/err" || cannot 'strace may not trace here'
	bench voron --benchmarks=fillseqbatch --num=2k >"$work/out"
	# a sync of the background can fall on the moment when counting begins
	tries 3 syncs_traced voron 2k 1
	jq -e '.dsync_writes == 100' "$work/row"
	tries 3 syncs_traced voron 2k 8 --writes=20
	tries 3 syncs_traced voron 2k 1 --benchmarks=overwritebatch --batch=10
}
ok 'syncs are those that strace sees, of a thread, of eight and of batches' counts_syncs

# At async none is synced, and each is written; at none they are in the process.
levels () {
	for word in none async
	do
		bench voron --benchmarks=fillseqbatch,overwrite --num=1k --durability=$word >"$work/out"
		row ".commits == 1000 and .dsync_writes == 0 and .durability_effective == \"$word\" and .syncs <= 30 and (.io_wchar_bytes > 4096 * 1000) == (\"$word\" == \"async\")"
	done
}
ok 'at async a commit is a write without a sync, at none it is no write' levels

# Opening, the data file gets the records of the journals, which the next header no longer names.
recovers_synced () {
	command -v strace >"$work/where" || cannot 'strace is not installed'
	strace -o "$work/trace" true 2>"$work/err" || cannot 'strace may not trace here'
	bench voron --benchmarks=fillrandom --num=2k --durability=none >"$work/out"
	strace -f -qq -e trace=msync,openat,unlink -o "$work/trace" "$top/bench_voron" --db="$work/db-voron" --use_existing_db=1 \
		--benchmarks=readseq --num=2k >"$work/out"
	grep -c 'unlink(.*[.]journal"' "$work/trace"
	awk '/msync\(.*MS_SYNC/ { synced = 1 } /headers[.][a-z]*", O_WRONLY/ || /unlink\(.*[.]journal"/ { exit !synced }' "$work/trace"
}
ok 'what recovery writes is synced before the journals that have it are gone' recovers_synced

# A get crosses once, and a hundred records of a scan are a seek and two times several.
crossings () {
	bench voron --benchmarks=fillseqbatch,readseq,readrandom --num=20k --threads=2 >"$work/out"
	tail -n 2 "$work/rows" | jq -es 'all(.[]; .crossing_ns > 1 and .crossing_ns < 100000 and .crossings >= .ops and .crossings <= .ops + 100)'
	bench voron --benchmarks=fillseqbatch,seekrandom --seek_nexts=100 --reads=1000 --num=20k >"$work/out"
	row '.ops == 1000 and .entries > 90000 and .crossings >= 2000 and .crossings <= 4100'
}
ok 'each row says what crossing to C# costs, and how often it was done' crossings

# The runtime would take SIGINT; and a database in a relative directory lies there.
interrupted () {
	cd "$work" || return 1
	"$top/bench_voron" --db=relative --benchmarks=fillseqbatch --num=1000 >"$work/out"
	ls relative/data/Raven.voron
	"$top/bench_voron" --db="$work/relative" --json="$work/rows" --use_existing_db=1 --num=1000 --benchmarks=overwrite \
		--duration=60 --stats_interval_seconds=1 >"$work/out" 2>"$work/err" &
	running=$!
	within 40 grep -q 'ops' "$work/err"
	kill -INT $running
	exits 130 $running
	row '.partial == 1 and .ops > 0 and .errors == 0'
	# nor does the runtime leave pipes for debuggers
	find /tmp -maxdepth 1 -name 'clr-debug-pipe-*' -newer "$work/relative/assay.db" -user "$(id -u)" >"$work/pipes"
	[ ! -s "$work/pipes" ]
}
ok 'Ctrl-C ends a run, and its row is partial' interrupted

# refused STATUS PATTERN: with the files in $work/lib, in a line, and nothing is made
refused () {
	LD_LIBRARY_PATH="$work/lib" fails "$1" "$2" "$top/bench_voron" --db="$work/untouched" --benchmarks=fillseq --num=10
	[ "$1" -ne 2 ] || [ ! -e "$work/untouched" ]
	rm -rf "$work/untouched" "${work:?}/lib"
	cp -rs "$library" "$work/lib"
}
refuses_libraries () {
	cp -rs "$library" "$work/lib"
	rm "$work/lib/libcoreclr.so"
	refused 2 'cannot read .*/libcoreclr.so; build it: scripts/engine.sh build voron'
	rm "$work/lib/libcoreclr.so"
	: >"$work/lib/libcoreclr.so"
	refused 1 '/libcoreclr.so: file too short; build it: scripts/engine.sh build voron'
	rm "$work/lib/assay_voron.dll"
	cp "$library/Sparrow.dll" "$work/lib/assay_voron.dll"
	refused 1 '/assay_voron.dll has no Nothing, it is not of this assay; build it: scripts/engine.sh build voron'
	rm "$work/lib/Voron.dll"
	cp "$library/Sparrow.dll" "$work/lib/Voron.dll"
	refused 1 "Could not load file or assembly 'Voron, Version=4.1.0.0"
	rm "$work/lib/System.Private.CoreLib.dll"
	refused 1 "runtime in .* does not start: error 0x80[0-9a-f]*; build it"
}
ok 'a runtime that is missing or none, and assemblies of another version, are refused in a line' refuses_libraries

refuses_settings () {
	fails 2 '--initial_log is larger than --max_log' "$top/bench_voron" --db="$work/untouched" --benchmarks=fillseq --num=10 --initial_log=1Gi
	[ ! -e "$work/untouched" ]
}
ok 'a first journal that is larger than the largest is refused' refuses_settings

# keeps DIRECTORY STATUS PATTERN COMMAND...: it fails so, and all files but temporary ones stay as they are
keeps () {
	kept=$1
	shift
	find "$kept" -type f ! -path '*/Temp/*' -exec sha256sum '{}' + | sort >"$work/before"
	fails "$@"
	find "$kept" -type f ! -path '*/Temp/*' -exec sha256sum '{}' + | sort | diff "$work/before" -
}
refuses_databases () {
	"$top/bench_lmdb" --db="$work/lmdb" --benchmarks=fillseq --num=100 >"$work/out"
	keeps "$work/lmdb" 2 lmdb "$top/bench_voron" --db="$work/lmdb" --use_existing_db=1 --benchmarks=readseq --num=100
	bench voron --benchmarks=fillseq --num=100 >"$work/out"
	cp -r "$work/db-voron" "$work/torn"
	for header in one two
	do
		printf 'not a header' >"$work/torn/data/headers.$header"
	done
	keeps "$work/torn" 1 'neither headers.one nor headers.two can be read' "$top/bench_voron" --db="$work/torn" --use_existing_db=1 --benchmarks=readseq --num=100
	[ "$(id -u)" -eq 0 ] || return 0
	chown -R 65534 "$work/db-voron"
	chmod 0 "$work/db-voron/data/Raven.voron"
	chmod 711 "$work"
	cp "$top/bench_voron" "$work/other"
	cp -r "$library" "$work/readable"
	keeps "$work/db-voron" 1 'ermission' setpriv --reuid=65534 --clear-groups env LD_LIBRARY_PATH="$work/readable" \
		"$work/other" --db="$work/db-voron" --use_existing_db=1 --benchmarks=readseq --num=100
}
ok 'a database of another engine, a damaged one and one that others may not read are refused and stay' refuses_databases

keeps_contract () {
	"$top/build/conform_voron" --db="$(mktemp -d "$work/conform-XXXXXX")" >"$work/tap" || { grep '^not\|^#' "$work/tap"; return 1; }
	# of which nothing acknowledged is lost
	"$top/build/conform_voron" --db="$(mktemp -d "$work/conform-XXXXXX")" --kill --rounds=2 >"$work/tap" || { grep '^not\|^#' "$work/tap"; return 1; }
}
ok 'Voron keeps the contract, also beside kill -9' keeps_contract
