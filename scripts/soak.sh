#!/bin/sh
# soak.sh: aging passes over one database, and the trends that they show; see --help.
set -eu
. "$(dirname "$0")/common.sh"

help () {
	cat <<END
usage: scripts/soak.sh [option ...] [-- BENCH_OPTION ...]

Finds out whether an engine gets slower or larger in long use. It loads a database, then repeats the
workloads of --preset=soak on it in passes. A pass opens the database, overwrites --num random
records, deletes a tenth in key order, seeks across the deleted records, inserts them again, commits
single records at durability sync, and reads. Prints each metric's trend over the passes, and the
time of their workloads.

  --engines=A,B         engines [all whose libraries are installed, without null]
  --num=N               number of records of the database [100000]
  --passes=N            number of passes; a trend needs at least 7, process_kb 9 [12]
  --kill_every=N        after every Nth pass, kill -9 a program that commits 1,000 single records a
                        second; then read back each acknowledged commit, and all records. Trends do
                        not count these. 0: none [4]
  --long_reader=S       seconds for which a reader holds each snapshot, if the engine has them [1]
  --seed=N              seed of the random numbers [1]
  --out=DIRECTORY       the databases, unless STORAGE_DIR says where; ENGINE.json: the rows,
                        ENGINE.passes.json: a line for each pass and kill, ENGINE.tsv: the trends
                        [results/soak-DATE]
  --trends=FILE         print the trends of such a file of passes, and run nothing
  --week=R              print how many passes are a week of R writes a second on --num records
  --help                this

Metrics: p99 of puts, of gets, and of seeks across deleted records; median time of a synced commit;
time to open; disk space; memory at the end of a pass; and growth of anonymous memory within a
process, in the second half of its overwriting (process_kb): a leak, or a cache that is still
filling. The smallest growth that is named is 32 KiB: with a million records, 64 KiB per million
operations; with fewer, more. A trend is the slope of a straight line over the passes (Theil and
Sen's), in percent of the line's start, per million operations and per hour. All eight 95 %
intervals of an engine hold together.
Passes as time: a pass writes 1.2 N records, so a week of R writes a second on N records is
R x 604,800 / (1.2 x N) passes: 1,000 on 100 million records are 5.04 passes a week.
Options after -- go to every run of bench_ENGINE, such as --rate=2000 for a pace.
Exit status: 0, whatever the trends; 1 a run failed, a row is invalid or an acknowledged commit is
lost; 2 wrong arguments.
END
}

engines='' num=100000 passes=12 kill_every=4 long_reader=1 seed=1 out='' trends='' week=''
while [ $# -gt 0 ]
do
	set_option "$1" engines num passes kill_every long_reader seed week || case $1 in
	--help) help; exit 0 ;;
	--out=?*) out=$(realpath -m "$value") ;;
	--trends=?*) trends=$(realpath -m "$value") ;;
	--) shift; break ;;
	*) refuse "$1" ;;
	esac
	shift
done
num=$(count --num "$num" 10)
whole --passes "$passes" 1
whole --kill_every "$kill_every"
whole --seed "$seed"
if [ -n "$week" ]
then
	whole --week "$week" 1
	jq -rn --argjson r "$week" --argjson n "$num" \
		'($r * 604800 / (1.2 * $n) * 100 | round / 100) as $passes |
		"a week of \($r) writes a second on \($n) records is \($passes) passes"'
	exit
fi
cd "$(dirname "$0")/.."

if [ -n "$trends" ]
then
	read_by soak.sh trends "$trends"
	exit
fi
[ -n "$engines" ] || engines=$(make -s engines | tr ' ' '\n' | sed '/^null$/d' | paste -s -d ,)
[ -n "$out" ] || out=$PWD/results/soak-$(date +%Y-%m-%d-%H%M%S)
mkdir -p "$out"
# the databases are on the storage that is asked for
TMPDIR=${STORAGE_DIR:-$out}
make_work
lost=0

# soak_bench ENGINE OPTION ...: a run on the soaked database, whose rows go to the file
soak_bench () {
	name=$1
	shift
	"./bench_$name" --db="$work/$name" --num="$num" --json="$out/$name.json" "$@" \
		>"$work/said" 2>&1 ||
		fail 1 "bench_$name: $(grep -e INVALID -e "bench_$name:" "$work/said" | tail -n 1)"
}

# soak_kill_one ENGINE PASS OPTION ...: a line of what is left. A program commits single
# records of the soaked database and lists each acknowledged commit, until it is killed;
# then all of them are read back.
soak_kill_one () {
	killed=$1 pass=$2
	shift 2
	# null keeps nothing
	[ "$killed" != null ] || return 0
	rm -f "$work/journal" "$work/kill.json"
	least=$((50 + (seed * 7919 + pass * 104729) % 200))
	# cat ends when all of the program's processes have: only then another can open it
	sh -c 'echo $$ >"$0"; exec "$@"' "$work/pid" \
		"./bench_$killed" --db="$work/$killed" --num="$num" --use_existing_db=1 \
		--benchmarks=overwrite --durability=sync --duration=60 --rate=1000 \
		--seed=$((seed * 1000003 + pass)) \
		--commit_journal="$work/journal" "$@" 2>&1 | cat >"$work/said" &
	reader=$!
	until [ -s "$work/journal" ] &&
		[ "$(od -An -t u8 -j 24 -N 8 "$work/journal")" -ge "$least" ]
	do
		kill -s 0 "$reader" 2>/dev/null || fail 1 "bench_$killed: ended before \
$least commits and kill -9: $(tail -n 1 "$work/said")"
		sleep 0.02
	done
	kill -s KILL "$(cat "$work/pid")"
	wait "$reader" 2>/dev/null
	"./bench_$killed" --db="$work/$killed" --num="$num" --use_existing_db=1 \
		--benchmarks=verify-journal,readseq --verify=1 \
		--commit_journal="$work/journal" --json="$work/kill.json" "$@" \
		--reads="$num" --threads=1 --duration=0 >"$work/said" 2>&1 || true
	[ "$(jq -s length "$work/kill.json" 2>/dev/null)" = 2 ] ||
		fail 1 "bench_$killed: after kill -9: $(tail -n 1 "$work/said")"
	jq -sc --argjson kill "$pass" --argjson n "$num" \
		'{$kill, acknowledged: .[0].journal_commits, lost: .[0].journal_lost,
		records_missing: ($n - .[1].ops), wrong: .[1].wrong}' \
		"$work/kill.json" >"$work/left"
	cat "$work/left" >>"$out/$killed.passes.json"
	jq -e '.lost == 0 and .records_missing == 0 and .wrong == 0' "$work/left" >/dev/null || {
		echo "$killed: after kill -9: $(cat "$work/left")" \
			"$(jq -r '.invalid_reason // empty' "$work/kill.json" | head -n 1)" >&2
		lost=1
	}
}

# soak_one_pass ENGINE PASS OPTION ...: a line of metrics
soak_one_pass () {
	pass=$2
	soaked=$1
	shift 2
	before=$(wc -l <"$out/$soaked.json")
	rm -f "$work/timeline"
	soak_bench "$soaked" --use_existing_db=1 --preset=soak --seed=$((seed + pass)) \
		--timeline="$work/timeline" --timeline_interval=0.05 "$@"
	jq -sc --argjson pass "$pass" --argjson ns $(($(date +%s%N) - begun)) \
		--argjson before "$before" \
		--argjson process "$(read_by soak.sh process "$work/timeline")" '
		(map(.ops) | add) as $ops | .[$before:] |
		(map({key: .benchmark, value: .}) | from_entries) as $r |
		$r["soak-churn"] as $c | .[-1] as $last |
		{$pass, $ops, hours: ($ns / 3.6e12), put_p99_ns: $c.write_p99_ns,
		get_p99_ns: $r.readrandom.read_p99_ns, seek_p99_ns: $r.seekrandom.scan_p99_ns,
		commit_p50_ns: $r.overwrite.write_p50_ns, open_seconds: $c.open_seconds,
		disk_kb: ($last.db_disk_kb // $last.run_disk_kb),
		memory_kb: ($last.memory_used_kb // $last.rss_anon_kb),
		churn_s: $c.seconds, expire_s: $r["soak-expire"].seconds,
		refill_s: $r["soak-refill"].seconds} +
		(if $last.server_rss_kb == null then $process else {} end)' \
		"$out/$soaked.json" >>"$out/$soaked.passes.json"
}

# soak_kill_apart ARGUMENTS...: of soak_kill_one, whose time no pass counts
soak_kill_apart () {
	paused=$(date +%s%N)
	soak_kill_one "$@"
	begun=$((begun + $(date +%s%N) - paused))
}

for engine in $(each "$engines")
do
	[ -x "bench_$engine" ] || fail 2 "--engines: bench_$engine is not there; make bench_$engine"
	[ ! -e "$out/$engine.json" ] ||
		fail 2 "--out: $out has rows of $engine already; give another directory"
	begun=$(date +%s%N)
	soak_bench "$engine" --benchmarks=fillseqbatch --seed="$seed" "$@"
	hold=
	./bench_"$engine" --db="$work/try-$engine" --num=1000 --writes=100 \
		--benchmarks=fillseqbatch,overwrite --long_reader="$long_reader" \
		>"$work/said" 2>&1 && hold=--long_reader=$long_reader
	for i in $(seq "$passes")
	do
		progress "$engine, pass $i of $passes"
		soak_one_pass "$engine" "$i" ${hold:+"$hold"} "$@"
		[ "$kill_every" -eq 0 ] || [ $((i % kill_every)) -ne 0 ] ||
			soak_kill_apart "$engine" "$i" "$@"
	done
	progress ''
	read_by soak.sh trends "$out/$engine.passes.json" >"$out/$engine.tsv"
	echo "$engine${hold:+, with }${hold:-, without snapshots}"
	cat "$out/$engine.tsv"
	jq -s -r 'def sum(figure): map(figure) | add;
		(map(select(.kill)) | select(length > 0) | "\(length) kills: " +
			"\(sum(.acknowledged)) commits were acknowledged, \(sum(.lost)) are lost"),
		(map(select(.pass)) | "cost of \(length) passes, seconds: overwrite " +
			"\(sum(.churn_s)), delete \(sum(.expire_s)), insert \(sum(.refill_s))")' \
		"$out/$engine.passes.json"
done
[ "$lost" -eq 0 ] || fail 1 "acknowledged commits or other records were lost; see the lines above"
