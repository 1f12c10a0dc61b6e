# age.sh: databases that are not fresh, and what stands beside a load: a probe, a reader that stays, a backup; queues.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317,SC2030,SC2031 # sourced by test.sh, which has the variables

# its 400th read sleeps for 0.3 s, in which 300 more are due: each of them waits, and none is slow itself. Of those of 2 ms each
# half of what is due is not begun; it hears of the end late, and goes on until then.
probe_is_open () {
	bench null --benchmarks=overwrite --duration=1 --probe_rate=1000 --null_stall_every=400 --null_stall_ms=300 >"$work/out" 2>&1 &&
		row '.probe_rate == 1000 and .probe_reads > 400 and .probe_p90_ns < 1e8 and .probe_resp_p90_ns > 1e8 and
			.probe_max_ns >= 2.9e8 and .probe_resp_max_ns >= .probe_max_ns' && grep -q ': overwrite/probe: [0-9]* operations in ' "$work/out" || return 1
	bench null --benchmarks=overwrite --duration=1 --probe_rate=1000 --null_get_ns=2000000 >"$work/out" &&
		row '.probe_backlog >= 400 and (.probe_reads + .probe_backlog - 1000 * .seconds | . >= -5 and . <= 400)'
}
ok "a probe's reads are due at times of their own, and their response is counted from then" tries 3 probe_is_open

# One CPU for 32 threads that never wait: what it could not begin meanwhile is left, to the end of the run.
probe_starves () {
	for _ in 1 2 3 4
	do
		bench null --cpus=0 --threads=32 --benchmarks=overwrite --num=1000 --duration=0.1 --probe_rate=5000 >"$work/out" &&
			row '.probe_reads + .probe_backlog >= 5000 * .seconds - 3' || return 1
	done
}
ok 'a probe that gets no CPU has left what was due until the others ended' probe_starves

# Its first read is before the threads wait for each other, here for a second or two; what is due next is not. Who hears of
# the end late has gone on until then: of a busy machine that is less than half a second.
probe_waits () {
	for list in 'overwrite --probe_rate=1000' 'readwhilewriting --write_rate=1000'
	do
		# shellcheck disable=SC2086 # words
		bench null --benchmarks=$list --duration=0.5 --start_at=$(($(date +%s) + 2)) >"$work/out" &&
			row '[.probe_reads // .writes, 1000 * .seconds] | .[0] > 1 and .[0] <= .[1] + 400' || return 1
	done
}
ok 'and begin with the figures, as those of any background thread do' tries 3 probe_waits

# not the reads, the digest or the rate of those asked for; nor what these are asked
is_aside () {
	rm -f "$work/rows"
	for beside in '' '--probe_rate=5000 --long_reader=0.01'
	do
		# two threads overwrite records apart from each other's
		# shellcheck disable=SC2086 # words
		bench lmdb --num=3000 --benchmarks=fillseqbatch,mix@1,overwrite@2,readseq --writes=500 --distribution=sequential $beside >"$work/out" || return 1
	done
	jq -c '[.benchmark, .ops, .reads, .found, .writes, .digest, .target_rate]' "$work/rows"
	jq -es 'length == 8 and ([.[:4], .[4:]] | map(map([.ops, .reads, .found, .missing, .writes, .digest, .target_rate])) | .[0] == .[1]) and
		all(.[4:7][]; .probe_reads > 0 and .snapshot_reads > 0 and .valid == 1) and
		all(.[5:7][]; .probe_missing == 0) and all(.[:4][], .[7]; .probe_reads == null and .snapshots == null)' \
		"$work/rows"
}
ok 'what options put beside others is in none of their figures, and moves no key' is_aside

# Files that nobody merges: writes cost less, and a read looks into more of them. In CPU time, whoever else is at work.
rotting () {
	for merged in 1 0
	do
		bench rocksdb --num=200k --write_buffer_size=256Ki --benchmarks=fillrandom --durability=none --probe_rate=500 \
			--auto_compactions=$merged >"$work/out" || { cat "$work/out"; return 1; }
		tail -n 1 "$work/rows" | jq '{rate: ((.user_s + .sys_s) / .writes), p50: .probe_p50_ns, reads: .probe_reads, valid}' >"$work/merged-$merged"
	done
	cat "$work/merged-1" "$work/merged-0"
	jq -es '.[0].valid == 1 and .[1].valid == 1 and .[1].reads > 50 and .[1].rate < .[0].rate and .[1].p50 > 1.2 * .[0].p50' "$work/merged-1" "$work/merged-0"
}
ok 'RocksDB without compaction writes faster, and the probe says what that costs' tries 3 rotting

# 3000 records are 400 KB, which each overwrite of all of them adds to as long as an old snapshot is held.
stays () {
	bench lmdb --num=3000 --benchmarks=fillseqbatch,overwrite --duration=1.5 --long_reader=0.5 --long_reader_pause=60 >"$work/out" 2>"$work/err" &&
		row '.valid == 1 and .snapshots == 1 and .snapshot_s >= 0.5 and .snapshot_s < .seconds and .snapshot_reads > 16 and .snapshots_revoked == 0 and
			.snapshot_disk_growth_kb > 4000 and .pause_disk_growth_kb < 0.1 * .snapshot_disk_growth_kb and .pause_s > 0 and
			.disk_growth_kb >= .snapshot_disk_growth_kb - 64 and .snapshot_ops_per_sec > 0 and .pause_ops_per_sec > 0' &&
		grep -q '^bench_lmdb: overwrite/long_reader: ' "$work/err"
}
ok "LMDB's file grows while a snapshot is held, and stops when it is released" tries 3 stays

grows_over_time () {
	rm -f "$work/timeline"
	bench lmdb --num=3000 --benchmarks=fillseqbatch,overwrite --duration=1 --long_reader=60 --timeline="$work/timeline" \
		--timeline_interval=0.25 >"$work/out" || return 1
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["benchmark"] == "overwrite" && $column["thread"] == "all" { n++; grown += $column["disk_kb"] > before; before = $column["disk_kb"] }
		# it reads ten times a second
		$column["benchmark"] == "overwrite" && $column["thread"] == "long_reader" { read += $column["read_ops"] > 0 }
		END { print n, grown, read; exit !(n >= 3 && grown >= 3 && read >= 3) }' "$work/timeline"
}
ok 'and the timeline says how, and when the reader read' tries 3 grows_over_time

# Sixteen reads of a new snapshot and ten a second are in the warm-up, and five in the figures.
reader_warms_up () {
	bench lmdb --num=3000 --benchmarks=fillseqbatch,overwrite --warmup=1 --duration=0.5 --long_reader=60 >"$work/out" &&
		row '.valid == 1 and .snapshots == 1 and .snapshot_reads > 0 and .snapshot_reads <= 2 + 10 * .seconds and .snapshot_s <= .seconds + 0.1'
}
ok 'what it reads in the warm-up is in no figure' tries 3 reader_warms_up

# A writer of one call in 0.1 s is in one when the warm-up ends, and forgets ten others after it.
rate_beside () {
	bench null --benchmarks=overwrite --num=1000 --warmup=1 --duration=1.5 --null_put_ns=100000000 --long_reader=60 >"$work/out" &&
		row '.snapshots == 1 and (.snapshot_ops_per_sec / .ops_per_sec - 1 | fabs) < 0.3' || return 1
	bench null --benchmarks=overwrite --num=1000 --warmup=0.5 --duration=1 --long_reader=0.1 --long_reader_pause=60 >"$work/out" &&
		row '.snapshots == 0 and .pause_s > 0.5 and .pause_ops_per_sec > 0' &&
		row '.snapshot_memory_growth_kb == null and .pause_memory_growth_kb != null' || return 1
	bench lmdb --benchmarks=fillseq@1,overwrite --num=20k --threads=4 --warmup=0.5 --duration=0.5 --backup=0.001 >"$work/out" &&
		row '.backup_ops_per_sec >= 0 and .backup_ops_share >= 0'
}
ok 'and nothing done in the warm-up is in the rate of those beside it, or beside a backup' tries 3 rate_beside

# A memtable keeps what is overwritten, so that memory grows by what is done: in the spans of both kinds, and by both together
# from what the row before had to what there is.
memory_grows () {
	rm -f "$work/rows"
	bench leveldb --num=3000 --benchmarks=fillseqbatch,overwrite --value_size=1000 --write_buffer_size=256Mi --durability=none --rate=15k \
		--duration=1.2 --long_reader=0.4 --long_reader_pause=0.2 >"$work/out" || return 1
	jq -c '[.rss_anon_kb, .ops, .snapshot_memory_growth_kb, .pause_memory_growth_kb, .snapshot_s, .pause_s]' "$work/rows"
	jq -es '(.[1].rss_anon_kb - .[0].rss_anon_kb) as $grown | .[1] | .valid == 1 and
		(.snapshot_memory_growth_kb / (.snapshot_ops_per_sec * .snapshot_s) | . > 0.9 and . < 1.4) and
		(.pause_memory_growth_kb / (.pause_ops_per_sec * .pause_s) | . > 0.9 and . < 1.4) and
		((.snapshot_memory_growth_kb + .pause_memory_growth_kb) / $grown | . > 0.8 and . < 1.05)' "$work/rows"
}
ok 'memory grows while a snapshot is held, and while none is, by what is written then' tries 3 memory_grows

# Its other reads are a second apart, whatever the size of a chunk.
begins_with_one () {
	bench null --benchmarks=fillseqbatch --num=1k --chunk=3 --probe_rate=1 >"$work/out" &&
		row '.valid == 1 and .probe_reads >= 1 and .probe_reads <= 1 + .seconds'
}
ok 'a background thread that begins before the others has done one operation' begins_with_one

# LevelDB settles for a second before its files are copied; the commit of all writes is the last call, before which none can wait.
ends_before_copy () {
	bench leveldb --num=2k --batch_size=2k --benchmarks=fillseqbatch@1 --rate=20k --backup=0.02 >"$work/out" 2>"$work/err" &&
		row '.valid == 1 and .backup_by == "copy of files, while all wait" and .seconds < .backup_at_s + .backup_s'
}
ok 'a thread that has done all does not wait for a backup' tries 3 ends_before_copy

# A long reader that pauses for a minute does not block a backup.
reader_makes_way () {
	bench leveldb --num=300k --benchmarks=filluniquerandom --long_reader=0.01 --long_reader_pause=60 --backup=0.1 >"$work/out" 2>"$work/err" &&
		row '.valid == 1 and .backup_s < 30 and .pause_s > 0 and .backup_by == "copy of files, while all wait"'
}
ok 'and files are copied while it pauses' tries 3 reader_makes_way

refusals () {
	while IFS='|' read -r engine pattern arguments
	do
		# shellcheck disable=SC2086 # words
		fails 2 "$pattern" "$top/bench_$engine" --db="$work/none" $arguments || return 1
	done <<'END'
kyoto|Kyoto Cabinet has no snapshots|--benchmarks=fillseq --long_reader=1
lmdb|--probe_rate needs a workload that writes|--benchmarks=readseq --use_existing_db=1 --probe_rate=1
rocksdb|--backup needs a workload that writes|--benchmarks=fillbulk --backup=1
lmdb|age needs the number of passes|--benchmarks=fillseq,age,readseq
lmdb|age prepares the next workload|--benchmarks=fillseq,age --age=1
lmdb|--queues: each of the 4 threads|--benchmarks=queue --queues=3 --threads=4
lmdb|do not fit into decimal keys of 8|--benchmarks=queue --key_size=8
lmdb|queues need ordered keys|--benchmarks=queue --key_format=user --key_size=24
aio|has slots for --num records only|--benchmarks=queue
aio|--device: a backup copies files|--benchmarks=fillseq,backup --device=/dev/null --confirm_overwrite=1
END
	[ ! -e "$work/none" ]
}
ok 'what cannot be is refused in one line' refusals

# A load alone may have it, as sweep.sh gives its options to loads, too.
not_aged () {
	fails 2 '^bench_lmdb: --age: smallbank has records of its own, which no pass ages; leave it out$' \
		"$top/bench_lmdb" --db="$work/none" --preset=smallbank --num=10k --age=3 &&
		fails 2 '^bench_lmdb: --age: queue has records of its own' "$top/bench_lmdb" --db="$work/none" --benchmarks=queue,stats --age=1 &&
		[ ! -e "$work/none" ] && bench lmdb --benchmarks=fillseqbatch --num=100 --age=1 >"$work/out" && row '.valid == 1 and .age == null'
}
ok '--age is refused where no workload of the list is aged' not_aged

# Each thread has queues of its own; the order of those of others is in no digest.
queues () {
	: >"$work/queues"
	for engine in lmdb sqlite rocksdb leveldb wiredtiger
	do
		for deletes in 0.1 0.5
		do
			bench $engine --num=3000 --benchmarks=queue --queues=31 --queue_deletes=$deletes --threads=3 --verify=1 >"$work/out" || return 1
			row ".valid == 1 and .ops == 3031 and .writes == 3000 and .scans == 31 and .queues == 31 and .queue_deletes == $deletes and .lost == 0" || return 1
			tail -n 1 "$work/rows" | jq -r '[.queue_deletes, .digest, .missing] | @tsv' >>"$work/queues" || return 1
		done
	done
	sort -u "$work/queues" || return 1
	[ "$(sort -u "$work/queues" | wc -l)" -eq 2 ]
}
ok 'a queue has one digest on every engine, and its heads are where they should be' queues

# What is there is what the ratio says: a deletion that met nothing waits for its turn, so that few are left undone.
queue_contents () {
	for left in '0.3 1200 1210' '0.5 1 30'
	do
		# shellcheck disable=SC2086 # words, on purpose
		set -- $left
		bench lmdb --num=3000 --benchmarks=queue --queues=10 --queue_deletes="$1" >"$work/out" || return 1
		bench lmdb --num=3000 --use_existing_db=1 --benchmarks=readseq --reads=3000 >"$work/out" || return 1
		row ".ops >= $2 and .ops <= $3" || return 1
	done
}
ok '--queue_deletes deletes that share' queue_contents

ages () {
	rm -f "$work/rows"
	for engine in lmdb sqlite
	do
		bench $engine --num=5k --benchmarks=filluniquerandom,readrandom,age,readrandom,readseq --age=2 --verify=1 --threads=2 >"$work/out" || return 1
		# one more is one more, however it came to the first two
		bench $engine --num=5k --use_existing_db=1 --epoch=1 --benchmarks=readrandom,readseq --age=3 --verify=1 --threads=2 >"$work/out" || return 1
		bench $engine --num=5k --benchmarks=filluniquerandom,readrandom,readseq --age=3 --verify=1 --threads=2 >"$work/out" || return 1
	done
	jq -c '[.engine, .benchmark, .age, .aged_rate_ratio, .digest]' "$work/rows"
	jq -es 'length == 18 and all(.[]; .valid == 1 and .lost == 0 and .wrong == 0 and .space_amp > 0) and
		([.[:9], .[9:]] | map(map([.benchmark, .age, .digest])) | .[0] == .[1]) and
		([.[:9][].age] == [null, null, 2, 2, 3, 3, null, 3, 3]) and .[4].digest == .[7].digest and .[5].digest == .[8].digest and
		.[1].digest != .[2].digest and .[2].digest != .[4].digest and
		([.[:9][].aged_rate_ratio | type] == ["null", "null", "number", "null", "null", "null", "null", "null", "null"]) and
		(.[2].aged_rate_ratio - .[2].ops_per_sec / .[1].ops_per_sec | fabs < 1e-3) and .[3].found == 10000' "$work/rows"
}
ok '--age overwrites, deletes and puts back alike on every engine, and a row says how old it is' ages

# Of a workload that ran fresh by one thread and by two each age is held against its own, and what only warms up is no run.
fresh_by_threads () {
	rm -f "$work/rows"
	bench lmdb --num=20k --benchmarks='filluniquerandom,readrandom@1[W1],readrandom@2,age,readrandom@2,readrandom@1' --age=1 >"$work/out" || return 1
	jq -c '[.benchmark, .threads, .ops_per_sec, .aged_rate_ratio]' "$work/rows"
	jq -es 'map(select(.benchmark == "readrandom")) | (.[2].aged_rate_ratio - .[2].ops_per_sec / .[1].ops_per_sec | fabs < 1e-3) and
		(.[3].aged_rate_ratio - .[3].ops_per_sec / .[0].ops_per_sec | fabs < 1e-3)' "$work/rows"
}
ok 'and aged_rate_ratio is by the same threads' fresh_by_threads

# LMDB numbers its transactions.
ages_once () {
	bench lmdb --num=2000 --benchmarks=fillseqbatch,readrandom --age=1 >"$work/out" || return 1
	for age in 0 1 2
	do
		bench lmdb --num=2000 --use_existing_db=1 --benchmarks=readrandom,stats --age=$age | sed -n 's/^last transaction //p' || return 1
	done >"$work/transactions"
	cat "$work/transactions"
	jq -es '.[1] - .[0] <= 2 and .[2] - .[1] > 200' "$work/transactions"
}
ok 'and does no pass twice' ages_once

# The rate before aging is that since the last load.
rate_since_load () {
	rm -f "$work/rows"
	bench lmdb --num=2000 --age=1 --benchmarks=fillseq,readrandom,fillseq,readrandom,age,readrandom,readrandom >"$work/out" || return 1
	jq -c '[.benchmark, .ops_per_sec, .age, .aged_rate_ratio]' "$work/rows"
	jq -es 'map(select(.benchmark == "readrandom")) | length == 4 and .[0].aged_rate_ratio == null and .[1].aged_rate_ratio == null and .[1].ops_per_sec as $before |
		all(.[2:][]; (.aged_rate_ratio - .ops_per_sec / $before | fabs) < 1e-4 * (1 + .aged_rate_ratio))' "$work/rows"
}
ok 'rates before an earlier load, or after aging, are no rates before aging' rate_since_load

# What there was when the copy began, and nothing that came after it ended; then the copy is opened as any database.
# Of so many records that a copy of the files would be torn even where its writers seldom have a CPU.
copies () {
	rm -f "$work/rows"
	bench "$1" --num="$3" --threads=2 --benchmarks=filluniquerandom,backup,overwrite --duration=1 --backup=0.3 --verify=1 >"$work/out" 2>"$work/err" ||
		{ cat "$work/out" "$work/err"; return 1; }
	jq -c '[.benchmark, .backup_by, .backup_s, .backup_bytes, .backup_records, .backup_consistent, .backup_ops_share]' "$work/rows"
	jq -es --arg by "$2" --argjson num "$3" '.[1:] | length == 2 and all(.[]; .valid == 1 and (.backup_by | test($by)) and .backup_records == $num and
		.backup_consistent == 1 and .backup_s > 0 and .backup_bytes > 1e6) and .[0].backup_digest != .[1].backup_digest and
		.[1].backup_ops_per_sec >= 0' "$work/rows" || return 1
	# the rate beside it, by the rate of what was done in the rest of the run
	row '.backup_at_s + .backup_s > .seconds - 0.05 or (.backup_ops_share -
		.backup_ops_per_sec * (.seconds - .backup_s) / (.ops - .backup_ops_per_sec * .backup_s) | fabs) < 0.005' || return 1
	digest=$(tail -n 1 "$work/rows" | jq -r .backup_digest)
	"$top/bench_$1" --db="$work/db-$1/backup" --use_existing_db=1 --num="$3" --benchmarks=readseq --verify=1 --json="$work/rows" >"$work/out" 2>"$work/err" || return 1
	row ".ops == $3 and .lost == 0 and .digest == \"$digest\""
}
while read -r engine num by
do
	[ -x "$top/bench_$engine" ] || { skip "$engine: a backup is of one moment" 'it is not installed'; continue; }
	ok "$engine: a backup beside writers is of one moment, and opens with its digest" copies "$engine" "$by" "$num"
done <<'END'
lmdb 300000 ^mdb_env_copy2$
mdbx 20000 ^mdbx_env_copy$
rocksdb 20000 ^checkpoint
leveldb 20000 ^copy of files, while all wait$
wiredtiger 20000 ^backup cursor$
sqlite 20000 ^sqlite3_backup$
bdb 20000 ^DB_ENV->backup
kyoto 20000 ^kcdbcopy
tkrzw 20000 ^CopyFileData$
bbolt 20000 ^Tx.CopyFile$
pebble 20000 ^DB.Checkpoint
badger 20000 ^Stream and StreamWriter$
END

# At the other durabilities, too, the copy has what was loaded, whatever of it the engine still had in memory.
copies_at () {
	rm -f "$work/rows"
	for durability in none sync
	do
		bench "$1" --num=3000 --benchmarks=fillseqbatch,backup --durability=$durability --verify=1 >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	done
	jq -c '[.durability, .valid, .backup_records, .backup_consistent]' "$work/rows"
	jq -es 'map(select(.benchmark == "backup")) | length == 2 and all(.valid == 1 and .backup_records == 3000 and .backup_consistent == 1)' "$work/rows"
}
for engine in lmdb mdbx rocksdb leveldb wiredtiger sqlite bdb kyoto tkrzw aio bbolt pebble badger
do
	[ -x "$top/bench_$engine" ] || { skip "$engine: a backup at each durability" 'it is not installed'; continue; }
	ok "$engine: a backup has all records at no durability and at sync" copies_at $engine
done

# Not the suite's own: of SmallBank, of the Insert Benchmark, and of traces, whose keys tell no number or whose values are longer than
# the options say. A replay of 300,000 lines lasts longer than until its backup.
of_others () {
	rm -f "$work/rows"
	awk 'BEGIN { for (i = 0; i < 300000; i++) print i ",key" i % 1000 "," length("key" i % 1000) ",300,0,set,0" }' >"$work/keys.csv"
	{
		bench lmdb --preset=smallbank --benchmarks=smallbank-load,backup --num=1000 --verify=1 &&
			bench lmdb --preset=insert-benchmark --benchmarks=l.i0,backup --num=1000 --verify=1 &&
			bench lmdb --benchmarks=replay-load,readseq,backup,replay --trace_in="$work/keys.csv" --backup=0.001 --verify=1 &&
			bench lmdb --benchmarks=fillseq,overwrite --num=300 --value_size=4000 --trace_out="$work/long.csv" &&
			bench lmdb --benchmarks=replay-load,backup --trace_in="$work/long.csv" --verify=1
	} >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	jq -c '[.benchmark, .valid, .invalid_reason, .wrong, .backup_records, .backup_consistent]' "$work/rows"
	jq -es 'all(.[]; .valid == 1) and (map(select(.benchmark == "backup")) | length == 4 and all(.[]; .backup_consistent == 1) and
		.[0].backup_records == 2000 and .[2].backup_records == 1000) and any(.[]; .benchmark == "replay" and .backup_records == 1000)' "$work/rows"
}
ok 'correct records of others are not called wrong, in a backup or an iteration' of_others

# 130 MB are copied for longer than the threads have left: their rate beside that is by the time in which they were there.
outlasted () {
	bench lmdb --num=1m --benchmarks=fillseqbatch >"$work/out" &&
		bench lmdb --num=1m --use_existing_db=1 --benchmarks=overwrite --duration=0.02 --backup=0.005 >"$work/out" || return 1
	tail -n 1 "$work/rows" | jq -c '[.seconds, .ops, .backup_s, .backup_ops_per_sec, .backup_ops_share]'
	row '.valid == 1 and .backup_s > .seconds and .backup_ops_share != null and .backup_ops_per_sec <= .ops / (.seconds - .backup_at_s) * 20'
}
ok 'a backup that outlasts the threads has the rate of those' tries 3 outlasted

# The threads have ended, and the monitor, which has no CPU, does not know: there is nothing left to back up beside.
too_late () {
	cat >"$work/blind.c" <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <poll.h>
		#include <unistd.h>

		int poll(struct pollfd *fds, nfds_t n, int timeout)
		{
			int (*real)(struct pollfd *, nfds_t, int) = dlsym(RTLD_NEXT, "poll");
			int rc = real(fds, n, timeout);

			usleep(500000);
			return rc;
		}
	END
	${CC:-cc} -shared -fPIC -o "$work/blind.so" "$work/blind.c" -ldl || return 1
	rm -f "$work/rows"
	LD_PRELOAD="$work/blind.so" bench null --benchmarks=overwrite --num=10 --backup=0.1 >"$work/out" 2>"$work/err" || return 1
	jq -c '[.seconds, .backup_at_s, .backup_s, .backup_ops_per_sec]' "$work/rows"
	# of threads that were slow there is a rate
	row '.valid == 1 and .backup_at_s == 0.1 and ((.backup_s == null and .backup_by == null) or .backup_ops_per_sec != null)'
}
ok 'no backup is made beside threads that have ended' too_late

# at a durability without a log; and one that the load does not live to see
not_hot () {
	bench bdb --num=3000 --benchmarks=fillseq,backup --durability=none --verify=1 >"$work/out" &&
		row '.valid == 1 and .backup_by == "copy of files, while all wait" and .backup_consistent == 1 and (.emulated | test("^backup, by copying"))' &&
		bench lmdb --num=3000 --benchmarks=fillseq --backup=1000 >"$work/out" 2>"$work/err" && row '.valid == 1 and .backup_at_s == 1000 and .backup_s == null and .backup_by == null' &&
		grep 'there was no backup' "$work/err"
}
ok 'what has no hot backup is copied while all wait, and what was not made has no figures' not_hot
# The 5000 records, each of which fills a page, are read before the run, whose ten writes read a few pages each.
scan_uncounted () {
	rm -f "$work/counters"
	bench sqlite --num=5000 --value_size=4000 --benchmarks=fillseqbatch,overwrite --writes=10 --backup=60 --verify=1 --reopen=0 \
		--engine_counters="$work/counters" >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
	awk -F '\t' '$4 == "overwrite" && $9 ~ /^page cache (hits|misses)$/ { print; n += $11 - $10 } END { exit !(n > 0 && n < 1000) }' "$work/counters"
}
if [ -x "$top/bench_sqlite" ]
then
	ok 'what a backup is compared with is read before counters begin' scan_uncounted
else
	skip 'what a backup is compared with is read before counters begin' 'SQLite is not installed'
fi

# A backup keeps the log's files until it has copied them; checkpoints remove those of 24 MB of log that follow.
logs_removed () {
	bench bdb --benchmarks=fillseqbatch,backup,overwrite --num=20000 --writes=100000 --lg_max=4Mi --checkpoint_bytes=4Mi >"$work/out" || return 1
	ls "$work/db-bdb/data"
	[ "$(find "$work/db-bdb/data" -name 'log.*' | wc -l)" -le 3 ] && [ ! -e "$work/db-bdb/data/log.0000000001" ]
}
if [ -x "$top/bench_bdb" ]
then
	ok "Berkeley DB removes files of its log again after a backup" logs_removed
else
	skip "Berkeley DB removes files of its log again after a backup" 'its library is not installed'
fi
# Of five writes a second none is due while the files are copied: a stall begins where something is due.
idle_while_copied () {
	bench leveldb --num=300k --benchmarks=fillseqbatch >"$work/out" &&
		bench leveldb --num=300k --use_existing_db=1 --benchmarks=overwrite --rate=5 --duration=0.6 --backup=0.1 >"$work/out" || return 1
	tail -n 1 "$work/rows" | jq -c '[.longest_stall_ms, .write_resp_max_ns, .backup_s]'
	row '.valid == 1 and .backup_by == "copy of files, while all wait" and .longest_stall_ms <= .write_resp_max_ns / 1e6 * 1.0001 + 0.002'
}
ok 'and at a rate the wait is a stall only of what was due' tries 3 idle_while_copied

# An engine of words that keeps its rate for a minute, and not for two.
sustains () {
	mkdir -p "$work/tiring"
	ln -sfn "$top/scripts" "$work/tiring/scripts"
	cat >"$work/tiring/bench_tiring" <<'END'
#!/bin/sh
p99=1000 rate=0
for argument
do
	case $argument in
	--json=*) file=${argument#*=} ;;
	--rate=*) rate=${argument#*=} ;;
	--duration=120) p99=30000000 ;;
	esac
done
[ $rate -le 30000 ] || p99=30000000
echo "{\"engine\":\"tiring\",\"benchmark\":\"overwrite\",\"threads\":1,\"host\":\"here\",\"valid\":1,\"target_rate\":$rate,\"target_rate_met\":1,\"backlog\":0,\"writes\":5000,\
\"ops_per_sec\":100000,\"write_p99_ns\":900,\"write_resp_p50_ns\":500,\"write_resp_p99_ns\":$p99}" >>"$file"
END
	chmod +x "$work/tiring/bench_tiring"
	for sustain in 60 120
	do
		status=0
		"$work/tiring/scripts/capacity.sh" --out="$work/tiring/$sustain" --p99=1ms --steps=1 --sustain=$sustain tiring >"$work/tiring/out-$sustain" || status=$?
		echo $status >>"$work/tiring/out-$sustain"
		cat "$work/tiring/out-$sustain"
	done
	# 28461 and 30042 are 0.9 and 0.95 of the middle of 10000 and 100000
	grep -q '^tiring: 29771 operations a second keep a p99 of 1ms, and 28282 were held for 60 s; closed loop: 100000$' "$work/tiring/out-60" &&
		grep -q '^tiring: .* of 1ms, but 28282 were not held for 120 s: the p99 was 30 ms; ' "$work/tiring/out-120" &&
		tail -n 1 "$work/tiring/out-60" | grep -x 0 && tail -n 1 "$work/tiring/out-120" | grep -x 1
}
ok 'capacity.sh --sustain says whether 95 % of what it found is held' sustains

# The top of a sine is steady, by its last five seconds, and since when by those before: of rates that are whole numbers of
# about 1000. In fewer seconds nobody can tell, and one that swings never is.
steadiness='def drift: (add / length) as $mean | ([to_entries[] | (.key - 2) * .value] | add / 10 * 4 / $mean | fabs) as $slope |
		{range: ((max - min) / $mean), slope: $slope, steady: ((max - min) / $mean <= 0.2 and $slope <= 0.1)};
	(.rates | split(" ") | map(tonumber)) as $rates | [range(5; ($rates | length) + 1) as $upto | $rates[$upto - 5:$upto] | drift] as $fives |
	($rates | length) < 20 and .window_s == 1 and ($fives[-1] as $last | (.rate_range - $last.range | fabs) < 0.002 and
		(.rate_slope - $last.slope | fabs) < 0.002 and .steady == (if $last.steady then 1 else 0 end)) and
	.steady_since_s == (if $fives[-1].steady then ([$fives | to_entries[] | select(.value.steady | not).key] | max // -1) + 1 else null end)'
sines () {
	bench null --benchmarks=mixgraph --num=1000 --mix_get_ratio=1 --mix_put_ratio=0 --sine_mix_rate=1 "$@" >"$work/out"
}
becomes_steady () {
	sines --sine_a=1000 --sine_b=0.28 --sine_c=0.73 --sine_d=0 --sine_mix_rate_interval_milliseconds=1000 --until_steady=60
	tail -n 1 "$work/rows" | jq -c '[.rates, .rate_range, .rate_slope, .steady_since_s]'
	row ".valid == 1 and .until_steady_s == 60 and .seconds > 4.9 and .seconds < 30 and .steady == 1 and ($steadiness)"
}
too_short_to_tell () {
	bench null --benchmarks=readrandom --rate=1000 --until_steady=2 >"$work/out"
	row '.valid == 1 and .steady == null and .seconds > 1.9 and .seconds < 4'
	grep '(not steady within 2 s)' "$work/out"
}
swings () {
	sines --sine_a=900 --sine_b=1.57 --sine_d=1000 --sine_mix_rate_interval_milliseconds=500 --until_steady=6
	row ".valid == 1 and .steady == 0 and .seconds > 5.9 and .seconds < 9 and ($steadiness)"
	grep '(not steady within 6 s)' "$work/out"
}
# They wait for the clock, beside each other.
until_steady () {
	waiting=
	for of in becomes_steady too_short_to_tell swings
	do
		mkdir "$work/$of"
		(work=$work/$of; $of) >"$work/$of/said" 2>&1 &
		waiting="$waiting $of:$!"
	done
	for of in $waiting
	do
		exits 0 "${of#*:}" || { cat "$work/${of%:*}/said"; return 1; }
	done
}
ok '--until_steady ends when the rate is steady, or says that it never was' until_steady

# a drive that writes 3 MB between any two times that it is asked
nand () {
	mkdir -p "$work/bin"
	cat >"$work/bin/nvme" <<'END'
#!/bin/sh
n=$(($(cat "${0%/*}/written") + 3000000))
echo $n >"${0%/*}/written"
echo "$*" >>"${0%/*}/asked"
printf '{\n  "Physical media units written":{\n    "hi":0,\n    "lo":%s\n  },\n  "Physical media units read":{\n    "hi":0,\n    "lo":7\n  }\n}\n' $n
END
	echo 5 >"$work/bin/written"
	chmod +x "$work/bin/nvme"
	PATH="$work/bin:$PATH" bench lmdb --benchmarks=fillseq --num=100 >"$work/out" && row '.nand_write_bytes == 3000000' || return 1
	grep -x 'ocp smart-add-log /dev/[a-z0-9]* -o json' "$work/bin/asked" || return 1
	echo 'exit 1' >>"$work/bin/nvme"
	PATH="$work/bin:$PATH" bench lmdb --benchmarks=fillseq --num=100 >"$work/out" && row '.nand_write_bytes == null and .nand_write_amp == null'
}
ok "what the drive wrote to its flash is its own count, and empty where it does not tell" nand

# as_lmdb PROGRAM BACKUP_BY: all of it on an engine that is not of every day: the answers are LMDB's, or it is refused in one line
as_lmdb () {
	ycsb='--preset=ycsb --num=2000 --reads=2000 --verify=1'
	# shellcheck disable=SC2086 # words
	[ -e "$work/a.csv" ] || bench lmdb $ycsb --benchmarks=ycsb-load,ycsb-a --trace_out="$work/a.csv" >"$work/out" || return 1
	rm -f "$work/rows"
	for engine in lmdb "$1"
	do
		bench "$engine" --num=3000 --benchmarks=queue --queues=30 --threads=3 --verify=1 >"$work/out" || return 1
		bench "$engine" --num=3000 --benchmarks=filluniquerandom,age,readrandom,readseq --age=1 --verify=1 --threads=2 >"$work/out" || return 1
		# shellcheck disable=SC2086
		bench "$engine" $ycsb --benchmarks=ycsb-load,replay --trace_in="$work/a.csv" --probe_rate=200 >"$work/out" || return 1
	done
	jq -c '[.engine, .benchmark, .ops, .digest]' "$work/rows"
	jq -es 'length == 12 and all(.[]; .valid == 1 and .lost == 0 and .wrong == 0) and
		([.[:6], .[6:]] | map(map([.benchmark, .ops, .reads, .writes, .scans, .digest])) | .[0] == .[1]) and .[11].probe_reads > 0' "$work/rows" || return 1
	refused_or "$1" 'has no snapshots' "$work/none-$1" --num=3000 --benchmarks=fillseqbatch,overwrite --duration=1 --long_reader=0.2 --long_reader_pause=0.2 &&
		{ [ -e "$work/refused" ] || row '.valid == 1 and .snapshots > 0 and .snapshot_reads > 16'; } || return 1
	bench lmdb --preset=smallbank --num=1000 --reads=3000 --verify=1 >"$work/out" || return 1
	bank=$(tail -n 1 "$work/rows" | jq -c '[.digest, .commits, .aborts, .bytes]')
	refused_or "$1" 'has no transactions that read' "$work/none-$1" --preset=smallbank --num=1000 --reads=3000 --verify=1 &&
		{ [ -e "$work/refused" ] || [ "$(tail -n 1 "$work/rows" | jq -c '[.digest, .commits, .aborts, .bytes]')" = "$bank" ]; } || return 1
	bench "$1" --preset=insert-benchmark --num=1050 --writes=750 --threads=2 --benchmarks=l.i0,l.x,l.i1,l.i2,l.check --verify=1 >"$work/out" &&
		row '.valid == 1 and .table_rows == 2100 and .index_entries == 6300' && copies "$1" "$2"
}
# refused_or PROGRAM PATTERN DATABASE ARGUMENTS...: it runs, or is refused so, with nothing touched; then $work/refused is there
refused_or () {
	engine=$1 pattern=$2 database=$3
	shift 3
	rm -f "$work/refused"
	status=0
	"$top/bench_$engine" --db="$database" --json="$work/rows" "$@" >"$work/out" 2>"$work/err" || status=$?
	[ $status -ne 0 ] || return 0
	cat "$work/err"
	: >"$work/refused"
	[ $status -eq 2 ] && in_one_line "$work/err" && grep -q "$pattern" "$work/err" && [ ! -e "$database" ]
}
if [ -n "$long" ]
then
	while read -r engine by
	do
		program=$(cd "$top" && find . -maxdepth 1 -name "bench_$engine" -o -maxdepth 1 -name "bench_$engine-*" | sort -V | tail -n 1)
		[ -n "$program" ] || { skip "$engine: workloads of today" "bench_$engine is not built; scripts/engine.sh build $engine"; continue; }
		ok "$engine: answers workloads of today as LMDB does, or refuses in one line" as_lmdb "${program#./bench_}" "$by"
	done <<'END'
tkrzw ^CopyFileData$
mdbx ^mdbx_env_copy$
tidesdb ^copy of files, while all wait$
lsm ^copy of files, while all wait$
END
fi
