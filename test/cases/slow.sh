# slow.sh: what slow calls waited for (--slow_calls).
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

tab=$(printf '\t')
# slow ARGUMENTS...: bench_null with slow calls that are kept; row.calls is their file
slow () {
	rm -f "$work/rows" "$work/calls"
	ahead "$top/bench_null" --num=100k --slow_calls=100 --slow_calls_file="$work/calls" --json="$work/rows" "$@" >"$work/out" 2>"$work/err"
	tail -n 1 "$work/rows" | jq -c 'with_entries(select(.key | startswith("slow_")) | select(.value != 0))'
}
# What is blocked on purpose; a busy machine adds calls that wait for a core, which are told as such.
blocked='[.slow_own_sync_percent, .slow_other_writer_percent, .slow_stall_percent, .slow_device_read_percent,
	.slow_flush_percent, .slow_compaction_percent, .slow_checkpoint_percent, .slow_blocked_percent] | add'
# mostly CAUSE: at least 95 % of the blocked time is due to it, and there is some
mostly () {
	row "($blocked) as \$all | \$all > 0 and .slow_${1}_percent >= 0.95 * \$all"
}
sums_up () {
	row "($blocked) + .slow_cpu_percent + .slow_runnable_percent + .slow_steal_percent + .slow_not_attributed_percent |
		. > 99 and . < 101"
}
own_syncs () {
	slow --benchmarks=overwrite --null_slow_every=20k --null_slow=sync --duration=1
	row '.fdatasyncs >= 3 and .slow_calls >= 3'
	sums_up
	# in memory a sync is over at once, and its time is CPU
	row '.slow_own_sync_percent > 0' || cannot 'temporary files are in memory'
	mostly own_sync
}
ok 'blocked time of planted syncs is own sync' own_syncs
# Three threads of which one syncs at a time.
other_writers () {
	slow --benchmarks=overwrite --null_slow_every=2k --null_slow=sync --threads=3 --duration=1
	sums_up
	row '.slow_own_sync_percent > 0' || cannot 'temporary files are in memory'
	row "($blocked) as \$all | .slow_other_writer_percent > 0 and .slow_other_writer_percent + .slow_own_sync_percent >= 0.95 * \$all"
	row '.slow_other_sync_percent <= .slow_other_writer_percent and .slow_other_sync_percent >= 0.5 * .slow_other_writer_percent'
}
ok 'and that of others, who wait for the one that syncs, is waiting for another writer' other_writers
device_reads () {
	slow --benchmarks=readrandom --null_slow_every=20k --null_slow=read --duration=1
	sums_up
	row '.slow_device_read_percent > 0' || cannot 'temporary files are in memory'
	mostly device_read
}
ok 'that of planted reads of a cold file is device read' device_reads
# work ARGUMENTS...: background work of 4 ms, 20 times a second, for whose end the calls wait
# On a busy machine they wait for a core, and nothing is beyond chance; not eight times.
events () {
	for _ in 1 2 3 4 5 6 7 8
	do
		slow --benchmarks=overwrite --null_slow_every=1000 --null_slow=lock --null_work_ms=4 --null_work_gap_ms=40 \
			--null_work="$1" --duration=1.5
		sums_up
		ended=$(awk -F '\t' -v kind="$1" '$15 == kind && $16 == kind { n++ } END { print n + 0 }' "$work/calls")
		! row "($blocked) as \$all | $ended >= 3 and .slow_${1}_percent >= 0.95 * \$all" || return 0
	done
	return 1
}
events_of_all () {
	events flush
	events compaction
	events checkpoint
}
ok 'that of a lock held by background work is due to the end of an event of its kind' events_of_all
sleeps () {
	slow --benchmarks=overwrite --null_stall_every=100k --null_stall_ms=4 --duration=1
	sums_up
	mostly blocked
}
ok 'sleeps without any event are blocked time of no known cause' sleeps
# right KIND RUNS ARGUMENTS...: in so many real runs, how much of the blocked time is due to that cause, or one of "a b"; at least 85 %
right () {
	kinds=$1 runs=$2
	shift 2
	rm -f "$work/runs"
	for run in $(seq "$runs")
	do
		slow "$@" --seed="$run" >"$work/columns"
		tail -n 1 "$work/rows" >>"$work/runs"
	done
	jq -s -r --arg kinds "$kinds" "map(($blocked) as \$all | select(\$all > 0) |
		(. as \$row | \$kinds | split(\" \") | map(\$row[\"slow_\" + . + \"_percent\"]) | add) / \$all) |
		[length, (map(select(. >= 0.95)) | length), (add / length * 1000 | round / 10), (min * 1000 | round / 10)] | @tsv" "$work/runs" >"$work/share"
	awk -v kinds="$kinds" -v runs="$runs" '{ print kinds ": " $2 " of " runs " runs are right by 95 %, on average " $3 " %, at least " $4 " %" }' \
		"$work/share" | tee -a "${NUMBERS:-/dev/null}"
	cat "$work/share" >>"$work/shares"
	awk -v runs="$runs" '{ exit $1 < runs || $3 < 85 }' "$work/share"
}
# NUMBERS: a file to which the numbers are appended.
lock='--benchmarks=overwrite --null_slow_every=1000 --null_slow=lock --null_work_ms=4 --null_work_gap_ms=40 --duration=1.5'
# shellcheck disable=SC2086 # words
planted_runs () {
	rm -f "$work/shares"
	right own_sync 10 --benchmarks=overwrite --null_slow_every=20k --null_slow=sync --duration=1
	right 'own_sync other_writer' 10 --benchmarks=overwrite --null_slow_every=2k --null_slow=sync --threads=3 --duration=1
	right device_read 10 --benchmarks=readrandom --null_slow_every=20k --null_slow=read --duration=1
	for kind in flush compaction checkpoint
	do
		right "$kind" 10 $lock --null_work="$kind"
	done
	right blocked 10 --benchmarks=overwrite --null_stall_every=100k --null_stall_ms=4 --duration=1
	awk '{ runs += $1; percent += $1 * $3 } END { exit !(runs == 70 && percent / runs >= 95) }' "$work/shares"
}
simulated_runs () {
	builds build/unit
	SLOW_TRIALS=1000 "$top/build/unit" slow_cause
}
# Sleeps have nothing to do with the background work beside them.
unrelated_runs () {
	: >"$work/runs"
	for run in $(seq 40)
	do
		slow --benchmarks=overwrite --null_stall_every=200k --null_stall_ms=4 --null_work_ms=4 --null_work_gap_ms=40 --duration=1 \
			--seed="$run" >"$work/columns"
		tail -n 1 "$work/rows" >>"$work/runs"
	done
	jq -s 'map(select(.slow_flush_percent > 0)) | length' "$work/runs" >"$work/blamed"
	echo "unrelated events: blamed in $(cat "$work/blamed") of 40 runs" | tee -a "${NUMBERS:-/dev/null}"
	[ "$(cat "$work/blamed")" -le 5 ]
}
if [ -n "$long" ]
then
	ok 'in 1,000 simulated runs causes are found in 95 %, and chance is blamed in 5 %' simulated_runs
	ok 'in ten real runs of each of seven planted causes 95 % of the blocked time are due to it' planted_runs
	ok 'of 40 real runs with unrelated events at most 5 blame them' unrelated_runs
fi
# Two threads for one core of which each takes all.
cores () {
	first_core
	slow --benchmarks=readrandom --threads=2 --cpus="$core" --duration=1
	sums_up
	# of what is attributed: other work makes calls share their readings
	row '(100 - .slow_not_attributed_percent) as $known | $known > 50 and .slow_runnable_percent >= 0.9 * $known and
		.slow_cpu_percent < 0.1 * $known'
}
ok 'threads that share a core wait for it' cores
# An open loop sleeps between calls, which is no part of any: calls that take CPU time only were not blocked.
pauses () {
	# a call sleeps for a millisecond, so that one is above p99
	slow --benchmarks=readrandom --rate=150 --reads=150 --null_get_ns=2000000 --null_stall_every=100 --null_stall_ms=1
	sums_up
	awk -F '\t' 'NR > 1 { all += $6; blocked += $11; n++ } END { print n, all, blocked; exit n < 100 || blocked > all / 20 }' \
		"$work/calls"
}
ok 'pauses of an open loop are no part of its calls' pauses
# Of four calls of 0.2 ms that were read together nobody knows which one waited.
shared () {
	slow --benchmarks=readrandom --chunk=4 --null_get_ns=200000 --reads=400
	awk -F '\t' 'NR > 1 && $6 < 1 { n++; told += $8 != "" || $15 != "not_attributed" } END { print n, told; exit n < 20 || told }' \
		"$work/calls"
}
ok 'calls below 1 ms that were read together are not attributed' shared
# Of 40 stalls ten are kept: none is faster than p99.99 of 100k calls, and the slowest is the slowest of all.
kept_are_slowest () {
	slow --benchmarks=overwrite --null_stall_every=2500 --null_stall_ms=2 --slow_calls=10
	row '.ops == 100000 and .slow_calls == 10 and .slow_covered_percent > 20 and .slow_covered_percent < 95'
	tail -n 1 "$work/rows" | jq -r '[.write_p9999_ns / 1e6, .write_max_ns / 1e6] | @tsv' >"$work/truth"
	awk -F '\t' 'NR == FNR { p9999 = $1; max = $2; next } FNR > 1 { n++; if (n == 1 || $6 < least) least = $6; if ($6 > most) most = $6 }
		END { print n, least, p9999, most, max; exit !(n == 10 && least > p9999 * 0.995 && most / max > 0.999 && most / max < 1.001) }' \
		"$work/truth" "$work/calls"
}
ok 'the kept calls are the slowest, each with its time, in the file' kept_are_slowest
warmup_is_left_out () {
	slow --benchmarks=overwrite --warmup=0.5 --duration=0.3 --null_stall_every=200k --null_stall_ms=20
	# times are from the start of the measurement
	awk -F '\t' -v ms="$(tail -n 1 "$work/rows" | jq '.seconds * 1e3')" 'NR == 1 { next }
		$5 < 0 || $5 + $6 > ms + 0.01 { print; bad++ } END { exit bad > 0 || NR < 3 }' "$work/calls"
}
ok 'none of them is of the warm-up' warmup_is_left_out
# kept_as_counted KIND CALLS ARGUMENTS...: the file has each counted call of the kind once: as many as CALLS says, an expression
# of jq; the slowest is the row's, none is faster than the row's fastest, and a thread does one after another. It has microseconds.
kept_as_counted () {
	kind=$1 calls=$2
	shift 2
	slow --slow_calls=5000 "$@"
	tail -n 1 "$work/rows" | jq -r "[$calls, .${kind}_min_ns / 1e6, .${kind}_max_ns / 1e6] | @tsv" >"$work/truth"
	sort -k 3,3n -k 5,5n "$work/calls" | awk -F '\t' -v kind="$kind" 'NR == FNR { calls = $1; min = $2; max = $3; next }
		$4 != kind { next }
		{ n++; if ($6 > most) most = $6; if (n == 1 || $6 < least) least = $6; late += ($3 in ended) && $5 < ended[$3] - 0.003; ended[$3] = $5 + $6 }
		END { print n, calls, least, min, most, max, late
			exit !(n && n == calls && most > 0.999 * max - 0.0006 && most < 1.001 * max + 0.0006 && least >= 0.995 * min - 0.0006 && !late) }' "$work/truth" - ||
		{ echo "$*"; return 1; }
}
# Crossings: the kept calls are the counted ones, however they are scheduled, grouped, ended, repeated or checked.
crossed () {
	while IFS='|' read -r kind calls arguments
	do
		# shellcheck disable=SC2086 # words
		kept_as_counted "$kind" "$calls" $arguments
	done
}
# The responses grow to 0.2 s: a millisecond is due each half.
ok 'kept calls in an open loop have their service time, not their response time' crossed <<'END'
read|.ops|--benchmarks=readrandom --rate=2000 --null_get_ns=1000000 --reads=400
read|.ops|--benchmarks=readrandom --rate=2000 --null_get_ns=1000000 --reads=200 --threads=2 --verify=1
END
ok 'a multi-get is one kept call, with the duration of the group, at a rate and after a warm-up, too' crossed <<'END'
read|.ops / 100|--benchmarks=multireadrandom --batch_size=100 --null_get_ns=30000 --reads=4000
read|.ops / 100|--benchmarks=multireadrandom --batch_size=100 --null_get_ns=30000 --reads=4000 --rate=100k
read|.ops / 100|--benchmarks=multireadrandom --batch_size=100 --null_get_ns=30000 --reads=4000 --warmup=0.1
END
# The third group would end at 0.6 s.
ok 'kept calls end with the duration: those that were counted, and no part of a group' crossed <<'END'
read|.ops|--benchmarks=readrandom --null_get_ns=3000000 --duration=0.3
read|.ops / 10|--benchmarks=multireadrandom --batch_size=10 --null_get_ns=20000000 --duration=0.5
END
ok 'the calls of a writer beside readers are kept as the readers are' crossed <<'END'
write|.writes|--benchmarks=readwhilewriting --null_put_ns=3000000 --duration=0.3
END
# A put that has a conflict is 2 ms long. Of a batch, longer than what is drawn at a time, each call is kept once.
ok 'a kept call has all its attempts, and one that was undone is not kept' crossed <<'END'
write|.ops|--benchmarks=overwrite --null_put_ns=1000000 --null_conflict_every=2 --writes=100
write|.ops|--benchmarks=overwritebatch --num=1000 --batch_size=1000 --writes=4000 --null_put_ns=20000 --null_conflict_every=1501
END
warm_runs () {
	rm -f "$work/counters"
	# each run has ten calls that are slow, and keeps ten
	slow --benchmarks='readrandom[W2-X2]' --reads=1000 --null_stall_every=100 --null_stall_ms=1 --slow_calls=10 --engine_counters="$work/counters"
	cut -f 1,2 "$work/calls" | sort | uniq -c | awk '{ print } $2 == "readrandom" { n[$3] = $1 } END { exit n[1] != 10 || n[2] != 10 }'
	[ "$(grep -c "${tab}constant${tab}" "$work/counters")" -eq 2 ]
}
ok 'runs that only warm up leave neither kept calls nor engine counters' warm_runs
none_kept () {
	rm -f "$work/rows"
	bench null --benchmarks=readrandom --num=1k >"$work/out"
	row '.slow_calls == null and .slow_cpu_percent == null'
	fails 2 '--slow_calls' "$top/bench_null" --benchmarks=fillseq --num=10 --slow_calls_file="$work/none"
	fails 2 '--latency=0' "$top/bench_null" --benchmarks=fillseq --num=10 --slow_calls=5 --latency=0
	fails 2 '--trace_out' "$top/bench_null" --benchmarks=fillseq --num=10 --slow_calls=5 --trace_out="$work/none"
}
ok 'columns are empty without --slow_calls, and what contradicts it is refused' none_kept
# A system that tells nothing of threads: one line, and the run goes on.
missing_is_said () {
	copy_of_tree "$work/portable"
	cd "$work/portable" || return 1
	make -s -j2 PORTABLE=1 OPT=-O1 BUILD=build/portable/ bench_null >"$work/make" 2>&1 || { cat "$work/make"; return 1; }
	rm -f "$work/rows"
	./bench_null --benchmarks=overwrite,overwrite --num=10k --null_stall_every=1000 --null_stall_ms=2 --slow_calls=20 \
		--json="$work/rows" >"$work/out" 2>"$work/err"
	[ "$(grep -c -e '--slow_calls: this system does not tell' "$work/err")" -eq 1 ]
	row '.valid == 1 and .slow_calls > 0 and .slow_not_attributed_percent == 100 and .slow_runnable_percent == null'
}
[ -z "$long" ] || ok 'what the system does not tell is said in one line, and the run goes on' missing_is_said

# stalls ENGINE REASON LINE NOT OPTION...: where its LOG says that writes were stopped, calls were, and for the reason of that line,
# which is a column. NOT: a line of another reason.
stalls () {
	engine=$1 reason=$2 line=$3 not=$4
	shift 4
	rm -rf "$work/stalls" "$work/rows"
	mkdir "$work/stalls"
	"$top/bench_$engine" --db="$work/stalls" --benchmarks=fillrandom --num=300k --write_buffer_size=256Ki --slow_calls=100 \
		--json="$work/rows" "$@" >"$work/out" 2>&1
	grep -r -q "$line" "$work/stalls" || cannot "$engine stopped no writes"
	row '.slow_stall_percent > 0 and .slow_stall_percent >= .slow_stall_flush_percent + .slow_stall_compaction_percent - 0.2 and
		.slow_stall_compaction_percent >= .slow_stall_level0_percent' || return 1
	! grep -r "$not" "$work/stalls" || return 0
	row ".slow_stall_${reason}_percent >= 0.99 * .slow_stall_percent - 0.1"
}
# words_of ENGINE: the reason that the driver takes from each line on stdin, by its name; none: it says nothing of a stall.
words_of () {
	cat >"$work/words.c" <<-END
		#include "engines/$1.c"

		int main(void)
		{
			static const char *const names[] = {"unknown", "memtables", "level0", "compaction"};
			char line[512];
			struct event_log log = {0};
			struct event event;

			while (fgets(line, sizeof line, stdin)) {
				struct event_log before = log;
				const char *said = "none";

				read_event(&log, line, &event);
				for (int i = 0; i < STALL_REASONS; i++)
					said = log.stalls[i].last != before.stalls[i].last ? names[i] : said;
				puts(said);
			}
		}
	END
	# of the library nothing is called
	${CC:-cc} -std=c11 -D_GNU_SOURCE -DENGINE_VERSION='"10.0"' -DENGINE_MAJOR=10 -DENGINE_MINOR=0 \
		-I"$top" -static -no-pie -fno-pie -Wl,--unresolved-symbols=ignore-all "$work/words.c" -o "$work/words" 2>"$work/err" || { cat "$work/err"; return 1; }
	"$work/words" | paste -s -d ' ' -
}
words_are () {
	[ "$(printf '2026/11/28-10:00:00.%s 140 %s\n' 100001 'Too many L0 files; waiting...' 100002 'Current memtable full; waiting...' \
		100003 'Level-0 table #5: started' 100004 'Too many L0 files; waiting...' | words_of leveldb)" = 'level0 memtables none level0' ] || return 1
	[ ! -x "$top/bench_rocksdb" ] || [ "$(printf '2026/11/28-10:00:00.%s 140 [WARN] [db/column_family.cc:991] [default] %s\n' \
		100001 'Stopping writes because we have 20 level-0 files' \
		100002 'Stopping writes because we have 2 immutable memtables (waiting for flush)' \
		100003 'Stalling writes because of estimated pending compaction bytes 68719476736 rate 16777216' \
		100004 'Stalling writes because we have 20 level-0 files rate 16777216' 100005 'Increasing compaction threads' |
		words_of rocksdb)" = 'level0 memtables compaction level0 none' ]
}
level0_stalls () {
	stalls rocksdb level0 'writes because we have .* level-0 files' 'writes because we have .* immutable memtables' --num=100k \
		--rocksdb_options='level0_file_num_compaction_trigger=2;level0_slowdown_writes_trigger=3;level0_stop_writes_trigger=3;max_write_buffer_number=20'
	row '.slow_stall_level0_percent >= 0.5 * .slow_stall_percent'
}
if [ -x "$top/bench_rocksdb" ]
then
	ok "stalls of writes are rocksdb's own words" stalls rocksdb flush 'Stopping writes because we have .* immutable memtables' \
		'writes because we have .* level-0 files'
	ok 'and those because of level 0 have that reason' level0_stalls
else
	skip 'stalls of writes of rocksdb' 'its library is not installed'
fi
if [ -x "$top/bench_leveldb" ]
then
	ok 'each line about a stall in a LOG has its reason' words_are
	ok "stalls of writes are leveldb's own words" stalls leveldb flush 'Current memtable full; waiting' 'Too many L0 files; waiting'
else
	skip 'stalls of writes of leveldb' 'its library is not installed'
fi

if [ "$(uname -m)" = x86_64 ]
then
	ok 'with them a read costs at most 90 instructions' \
		read_costs_at_most 90 --touch=none --slow_calls=100
else
	skip 'instructions of a read with slow calls kept' 'the bound is for x86-64'
fi
# The third quickest of pairs of short runs without and with them, by the CPU time of a read: a rate has the waits for a core.
costs_little () {
	rm -f "$work/off" "$work/on"
	for pair in $(seq 60)
	do
		"$top/bench_null" --benchmarks=readrandom --num=1m --reads=4m --json="$work/off" >"$work/out" 2>&1
		"$top/bench_null" --benchmarks=readrandom --num=1m --reads=4m --json="$work/on" --slow_calls=100 >"$work/out" 2>&1
		[ "$pair" -ge 6 ] || continue
		jq -n --slurpfile off "$work/off" --slurpfile on "$work/on" 'def third: map(.fg_cpu_s / .ops) | sort[2];
			($on | third) / ($off | third)' >"$work/ratio"
		! jq -e '. <= 1.02' "$work/ratio" >"$work/jq" || return 0
	done
	cat "$work/ratio"
	return 1
}
ok 'and at most 2 % of its time' costs_little

# rows by hand: the sentence has each part in its words, the greatest first
sentence () {
	rm -f "$work/rows"
	bench null --benchmarks=overwrite --num=10k --slow_calls=50 >"$work/out" 2>&1
	jq -c '. + {slow_above_p99_ms: 10, slow_covered_percent: 90, slow_stall_percent: 62, slow_stall_flush_percent: 32,
		slow_stall_compaction_percent: 25, slow_stall_level0_percent: 21, slow_own_sync_percent: 20, slow_runnable_percent: 11, slow_not_attributed_percent: 7,
		slow_cpu_percent: 0, slow_blocked_percent: 0, slow_steal_percent: 0, slow_device_read_percent: 0, slow_other_writer_percent: 0,
		slow_flush_percent: 0, slow_compaction_percent: 0, slow_checkpoint_percent: 0, write_p999_ns: 12000000}' \
		"$work/rows" >"$work/told.json"
	# where the kernel does not tell a cause, its column is empty
	jq -c '.slow_runnable_percent = null | .slow_steal_percent = null' "$work/told.json" >"$work/untold.json" &&
		"$top/scripts/summary.sh" "$work/untold.json" >"$work/out" || return 1
	grep -q '20 % own sync, 5 % in write stalls, ' "$work/out" || { cat "$work/out"; return 1; }
	"$top/scripts/summary.sh" "$work/told.json" >"$work/out"
	cat "$work/out"
	grep -F 'p99.9 of overwrite is 12 ms; of the time above p99 32 % in write stalls that ended with a memtable flush, 21 % in write stalls that ended with a compaction of level 0, 20 % own sync, 11 % runnable without a core, 5 % in write stalls, 4 % in write stalls that ended with a compaction, 7 % not attributed' "$work/out"
	mkdir -p "$work/page"
	cp "$work/told.json" "$work/page/results.json"
	"$top/scripts/report.sh" "$work/page" >"$work/out"
	grep -F '32 % in write stalls that ended with a memtable flush' "$work/page/report.html" >"$work/found"
}
ok 'summary.sh and report.sh say it in a sentence' sentence

# A trace of a real run: what its viewer needs of each event, and each figure where and when it was.
traced () {
	rm -f "$work/calls" "$work/timeline"
	bench lmdb --benchmarks=fillseqbatch,readwhilewriting --num=50k --threads=2 --duration=0.6 --warmup=0.2 --slow_calls=20 \
		--slow_calls_file="$work/calls" --timeline="$work/timeline" --timeline_interval=0.1 >"$work/out" || return 1
	"$top/scripts/perfetto.sh" "$work/timeline" "$work/calls" >"$work/trace" || return 1
	jq -e 'all(.traceEvents[]; (.ph | IN("M", "C", "X")) and (.name | type == "string") and ([.ts, .pid, .tid] | all(type == "number")) and
		.ts >= 0 and (.args | length > 0) and (.ph != "X" or .dur > 0) and (.ph != "C" or all(.args[]; type == "number")))' "$work/trace" ||
		return 1
	# run 2 has each operation, and each call on the track of its thread, at one distance from the time in the file
	jq -e --argjson ops "$(tail -n 1 "$work/rows" | jq .ops)" --rawfile calls "$work/calls" '
		[$calls | split("\n")[] | split("\t") | select(.[0] == "readwhilewriting") | [.[2:7][] | tonumber? // .]] as $calls |
		.traceEvents | map(select(.pid == 2)) | map(select(.ph == "X")) as $slices |
		([.[] | select(.name == "ops")] | .[:-1] | map(.args.ops) | add) == $ops and
		([.[] | select(.name == "thread_name") | [.tid, .args.name]] == [[1, "thread 0"], [2, "thread 1"], [3, "writer"]]) and
		($calls | length > 20) and ([$calls, $slices | length] | .[0] == .[1]) and
		([$calls, $slices] | transpose | map(select(.[1].tid != .[0][0] + 1 or (.[1].dur - 1e3 * .[0][3] | fabs) > 0.01 or
			.[1].args.record != .[0][4] or (.[0][1] as $kind | .[1].name | startswith($kind + ": ") | not))) == []) and
		([$calls, $slices] | transpose | map(select(.[0][2] > 0)) | map(.[1].ts - 1e3 * .[0][2] | round) | unique | length == 1 and .[0] % 1000000 == 0)
		' "$work/trace" || { cat "$work/calls"; return 1; }
	fails 2 'no column kind' "$top/scripts/perfetto.sh" "$work/timeline" "$work/timeline" &&
		fails 2 'no file of --timeline' "$top/scripts/perfetto.sh" "$work/calls" &&
		fails 2 'which timeline' "$top/scripts/perfetto.sh" && fails 2 "cannot read '--all'" "$top/scripts/perfetto.sh" --all "$work/timeline"
}
ok 'perfetto.sh makes a trace of a timeline and slow calls, at their times and of their threads' traced
# A list that names a workload twice, and --repeat, give runs of one name; each of these lasts longer than a second.
repeated () {
	rm -f "$work/calls" "$work/timeline"
	bench null --benchmarks=overwrite --num=1000 --duration=1.1 --repeat=2 --null_stall_every=1000 --null_stall_ms=5 --slow_calls=20 \
		--slow_calls_file="$work/calls" --timeline="$work/timeline" --timeline_interval=0.5 >"$work/out"
	"$top/scripts/perfetto.sh" "$work/timeline" "$work/calls" >"$work/trace"
	jq -c '.traceEvents | map(select(.ph == "X")) | group_by(.pid) | map([.[0].pid, length, .[0].args])' "$work/trace"
	jq -e '.traceEvents | map(select(.ph == "X")) | group_by(.pid) | map(.[0].pid) == [1, 2] and all(.[][]; .args | has("time") | not)' "$work/trace"
	[ "$(tail -n 2 "$work/rows" | jq -r .time)" = "$(tail -n +2 "$work/calls" | cut -f 18 | uniq)" ]
}
ok 'perfetto.sh tells runs of one name apart by their times' repeated
