#!/bin/sh
# footprint.sh: measure what engines do unasked: syncs, files, space, threads, memory; see --help.
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'threads and CPU time of a process in /proc' "$@"

help () {
	cat <<'END'
usage: scripts/footprint.sh --engines=A,B [option ...]

Measures what each engine does beyond what it is told to: the syncs of a synced commit into a small
and into a large database, and what the device then writes (let nothing else write to it); the
files of a new database; the space after a load and after all is deleted; threads, CPU time and
memory of a database that is open and idle; and the commits that kill -9 loses at each level of
durability. For instance:

    scripts/footprint.sh --engines=lmdb,rocksdb --tsv=results/footprint.tsv

  --engines=A,B         configurations: bench_A, or bench_A --option=value as A+option=value
  --num=N               number of records of the large database [50000]; the small one has 100
  --commits=N           number of measured commits [200]
  --idle=S              seconds that a database is open and idle [5]
  --dir=DIRECTORY       where the databases are made, in a directory of their own [$TMPDIR or /tmp]
  --tsv=FILE            write a line for each engine
  --help                this

Prints tables in Markdown. Where sync is refused, the commits are those of async. Exit status: 0;
1 an engine failed, which the tables say; 2 wrong arguments.
END
}

engines='' num=50000 commits=200 idle=5 dir=${TMPDIR:-/tmp} tsv=''
for argument
do
	set_option "$argument" engines num commits idle dir tsv || case $argument in
	--help) help; exit 0 ;;
	*) refuse "$argument" ;;
	esac
done
[ -n "$engines" ] || fail 2 '--engines=A,B is missing; see --help'
num=$(count --num "$num" 100)
whole --commits "$commits" 1
whole --idle "$idle" 1
[ -w "$dir/." ] || fail 2 "--dir: '$dir' is no directory that can be written to"
needs jq
dir=$(cd "$dir" && pwd -P)
[ -z "$tsv" ] || tsv=$(realpath -m "$tsv")
cd "$(dirname "$0")/.."
needs_built ./bench_null 1 # whose threads are those of the harness
for engine in $(each "$engines")
do
	[ -x "bench_${engine%%+*}" ] ||
		fail 2 "bench_${engine%%+*} is not built; see docs/engines.md"
done
TMPDIR=$dir
export TMPDIR
make_work
measured=$work/measured
: >"$measured"

# footprint_become ARGUMENTS...: this shell is the engine on the database $work/db; what it says
# goes to $work/out, and its rows to $work/rows
footprint_become () {
	: >"$work/rows"
	# shellcheck disable=SC2046
	exec "./bench_${engine%%+*}" --db="$work/db" --json="$work/rows" \
		$(own_options "$engine") "$@" >"$work/out" 2>&1
}

# footprint_run ARGUMENTS...: the engine, to its end
footprint_run () {
	(footprint_become "$@")
}

# footprint_keep NAME JQ: what is wanted of the rows, under that name
footprint_keep () {
	jq -sc --arg name "$1" "{(\$name): ($2)}" "$work/rows" >>"$work/facts"
}

# footprint_space NAME: KiB of the closed database, length of its files and their blocks
footprint_space () {
	sync -f "$work"
	{ du -s -k --apparent-size "$work/db"; du -s -k "$work/db"; } |
		jq -Rsc --arg name "$1" '{($name): [scan("(?m)^[0-9]+") | tonumber]}' \
			>>"$work/facts"
}

footprint_remove () {
	[ ! -e "$work/db" ] || find "$work/db" -delete
}

# footprint_begin ARGUMENTS...: the same in the background, as $program
footprint_begin () {
	footprint_become "$@" &
	program=$!
}

# footprint_worker: its child, which has the database open
footprint_worker () {
	pgrep -P "$program" | tail -n 1
}

# footprint_idle LEVEL: the threads of the process most of the last half of the time, those of the
# harness among them, while it reads one record a second
footprint_idle () {
	footprint_begin --use_existing_db=1 --num="$num" --benchmarks=readrandom --rate=1 \
		--duration="$idle" --durability="$1"
	while [ -d "/proc/$program" ]
	do
		find "/proc/$(footprint_worker)/task" -mindepth 1 -maxdepth 1 2>>"$work/log" | wc -l
		sleep 0.1
	done >"$work/threads"
	threads=$(tail -n "$((idle * 5))" "$work/threads" | sort | uniq -c | sort -k 1,1n |
		awk 'END { print $2 }')
	wait "$program" || return 1
	footprint_keep idle "last | {threads: $threads,
		bg_cpu_percent: (.bg_cpu_s / .seconds * 100), rss_anon_kb, rss_file_kb}"
}

# footprint_killed LEVEL: acknowledged commits, and those of them that are lost, after kill -9 in
# one second of overwrites
footprint_killed () {
	footprint_remove
	journal=$work/journal
	rm -f "$journal"
	footprint_begin --num=1000 --benchmarks=fillseqbatch,overwrite --durability="$1" \
		--duration=60 --commit_journal="$journal"
	until [ -s "$journal" ] || [ ! -d "/proc/$program" ]
	do
		sleep 0.01
	done
	sleep 1
	kill -s KILL "$(footprint_worker)" 2>>"$work/log" || true
	! wait "$program" 2>>"$work/log" || return 1
	[ -s "$journal" ] || return 1
	# an invalid row has the loss, too
	footprint_run --use_existing_db=1 --num=1000 --benchmarks=verify-journal \
		--commit_journal="$journal" || true
	[ -s "$work/rows" ] || return 1
	footprint_keep "killed_$1" 'last | [.journal_lost, .journal_commits]'
}

# footprint_commit NAME RECORDS: of a synced commit
footprint_commit () {
	footprint_run --use_existing_db=1 --num="$2" --benchmarks=overwrite --writes="$commits" \
		--durability="$level" || return 1
	footprint_keep "$1" 'last | {syncs, device_write_bytes, commits}'
}

# footprint_life: all of them, of one engine; ends at the first that fails
footprint_life () {
	level=sync
	if ! footprint_run --num=1 --benchmarks=fillseq --durability=sync
	then
		level=async
		footprint_run --num=1 --benchmarks=fillseq --durability=async || return 1
	fi
	footprint_keep told "last | {engine, engine_version, level: \"$level\"}"
	footprint_space new
	footprint_remove
	footprint_run --num=100 --benchmarks=fillseqbatch && footprint_commit small 100 || return 1
	footprint_remove
	footprint_run --num="$num" --benchmarks=fillseqbatch || return 1
	footprint_space loaded
	footprint_commit large "$num" && footprint_idle $level || return 1
	footprint_run --use_existing_db=1 --num="$num" --benchmarks=deleteseq || return 1
	footprint_keep deleted_open 'last | {run_disk_kb}'
	footprint_space deleted
	for at in none async sync
	do
		[ "$at$level" = syncasync ] || footprint_killed $at || return 1
	done
	footprint_remove
}

: >"$work/facts"
engine=null
footprint_idle async || fail 1 "bench_null fails: $(tail -n 1 "$work/out")"
harness=$(jq .idle.threads "$work/facts")
failed=0
for engine in $(each "$engines")
do
	[ ! -t 2 ] || echo "$engine" >&2
	: >"$work/facts"
	why=
	footprint_life || { failed=1 why=$(tail -n 1 "$work/out"); }
	jq -sc --arg name "$engine" --arg why "$why" --argjson harness "$harness" \
		'add | .told + . +
			{$name, why: (if $why == "" then null else $why end), $harness}' \
		"$work/facts" >>"$measured"
	footprint_remove
done
read_by footprint.sh "$measured" "$num" "$commits" ${tsv:+"$tsv"}
[ $failed -eq 0 ] || fail 1 'an engine failed; see the list above'
