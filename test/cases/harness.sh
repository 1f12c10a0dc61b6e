# harness.sh: what the null engine lets us know about the harness itself.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

null_row () {
	"$top/bench_null" "$@" --json="$work/rows" >"$work/out"
}

if [ "$(uname -m)" = x86_64 ]
then
	ok 'a read costs at most 80 instructions with nothing touched' read_costs_at_most 80 --touch=none
	ok 'and at most 120 with every byte touched' read_costs_at_most 120 --touch=all
	# 150 more than the 116 that a uniform draw makes of it
	ok 'a zipfian draw adds at most 150' read_costs_at_most 266 --touch=all --distribution=zipfian
	ok 'and so does a scrambled one' read_costs_at_most 266 --touch=all --distribution=scrambled_zipfian
else
	skip 'instructions of a read, and of a draw' 'the bound is for x86-64'
fi

# quietest FIGURE TRUTH ARGUMENTS...: of up to 40 short runs the least such figure lies within 3 % of the truth, both ways.
# What else the machine does only ever adds: so one run in which it did little is enough, and one that is below is too many.
quietest () {
	figure=$1 truth=$2
	shift 2
	for run in $(seq 40)
	do
		null_row "$@" || return 1
		off=$(tail -n 1 "$work/rows" | jq -e "$figure / $truth - 1") || return 1
		echo "run $run: $figure is off $truth by $off"
		row "$figure / $truth >= 0.97" || return 1
		! row "$figure / $truth <= 1.03" >"$work/above" || return 0
	done
	return 1
}

# All gets are the time that passed: whatever was added to one must be in the sum.
shows_get_ns () {
	quietest .read_p50_ns 4000 --benchmarks=readrandom --reads=10k --null_get_ns=4000
	row '.read_min_ns - 4000 | fabs <= 40'
	quietest '(.seconds * 1e9 / .read_mean_ns / .ops)' 1 --benchmarks=readrandom --reads=2k --null_get_ns=10000
}
ok 'a get of 4000 ns shows as 4000 ns, within 3 %, and all gets as the time that passed' shows_get_ns

# Of 100,000 reads the nearest rank of p99.99 is the 99,990th: 11 stalls reach it, and 10 would not.
shows_stalls () {
	quietest .read_p9999_ns 5e6 --benchmarks=readrandom --reads=100k --null_stall_every=9000 --null_stall_ms=5
	row '.read_max_ns >= 5e6 and .read_p50_ns < 1e6 and .longest_stall_ms >= 5'
	quietest .longest_stall_ms 20 --benchmarks=readrandom --reads=600 --null_stall_every=500 --null_stall_ms=20
	quietest .read_max_ns 2e7 --benchmarks=readrandom --reads=600 --null_stall_every=500 --null_stall_ms=20
}
ok 'one call in 9000 that takes 5 ms shows in max, p99.99 and longest gap' shows_stalls

shows_put_ns () {
	quietest .write_p50_ns 100000 --benchmarks=overwrite --writes=500 --null_put_ns=100000
	quietest .write_mean_ns 100000 --benchmarks=overwrite --writes=20 --null_put_ns=100000
	row '(.mean_us * 1000 - .write_mean_ns | . < 0.2 and . > -0.2) and .seconds >= 0.0019 and .read_p50_ns == null'
}
ok 'a slow put shows in the write latency, and nowhere else' shows_put_ns

many_threads () {
	null_row --benchmarks=readrandom --threads=64 --num=1000000000 --reads=100k &&
		row '.ops == 6400000 and .peak_rss_kb < 65536 and .fairness > 0 and .fairness <= 1'
}
ok '64 threads on 10^9 keys stay below 64 MiB' many_threads

unique_is_constant_memory () {
	null_row --benchmarks=filluniquerandom --num=3000000 && row '.peak_rss_kb < 16384 and .ops == 3000000'
}
ok 'unique random keys need no table' unique_is_constant_memory

says_its_own_cost () {
	null_row --benchmarks=readrandom --num=1m --reads=3m &&
		row '.harness_ns_per_op > 1 and .harness_ns_per_op < 1000 and .timer_ns > 0' &&
		bench lmdb --benchmarks=fillseqbatch,readseq --num=20k && row '.harness_ns_per_op > 1'
}
ok 'every row says what the harness cost' says_its_own_cost

# A row says what limited it.
bound () {
	null_row --benchmarks=readrandom --num=1m --reads=3m &&
		row '.bound_by_detail != null and .bound_by == (if .harness_percent >= 50 then "harness" elif .cpu_demand_percent >= 85 then "cpu" else "unclear" end) and .device_read_p50_ns == null' || return 1
	null_row --benchmarks=readrandom --num=100k --reads=100k --null_get_ns=5000 &&
		row '(.bound_by | IN("cpu", "unclear")) and .engine_fg_us_per_op > 4 and .engine_fg_us_per_op < 9 and .off_cpu_us_per_op >= 0 and .cpu_used_percent > 0' || return 1
	null_row --benchmarks=readrandom --reads=100 --null_stall_every=1 --null_stall_ms=2 &&
		row '.bound_by == (if .cpu_demand_percent < 85 then "unclear" else "cpu" end) and .off_cpu_us_per_op > 1900 and .cpu_used_percent < 50'
}
ok 'a row says what limited it' tries 3 bound
# A writer that waits for its next start is off the CPU for all of its time, as the reader is for none of it; and is no party to
# how equal the readers are.
writer_counts () {
	null_row --benchmarks=readwhilewriting --num=1000 --reads=600 --null_get_ns=1000000 --write_rate=100 &&
		row '.fairness == 1 and (.off_cpu_us_per_op * (.reads + .writes) / 1e6 / (2 * .seconds - .fg_cpu_s) - 1 | fabs) < 0.05' || return 1
	# and so is that of threads that are added, whose CPU time is in what the threads took
	null_row --benchmarks=overwrite --num=1000 --writes=30 --rate=100 --probe_rate=100 &&
		row '(.off_cpu_us_per_op * .writes / 1e6 / (2 * .seconds - .fg_cpu_s) - 1 | fabs) < 0.05'
}
ok 'the time of a writer beside readers is in what limits, and it has no part in fairness' tries 3 writer_counts
# The end of a run is that of its last call, whatever came before it.
runs_over () {
	null_row --benchmarks=readrandom --warmup=0.3 --duration=0.2 --null_stall_every=1 --null_stall_ms=150 &&
		row '.overrun_s > 0.01 and (.overrun_s - .seconds + 0.2 | fabs) < 0.001'
}
ok 'what a run lasts beyond its duration is said after a warm-up, too' tries 5 runs_over
# Two threads on one core have half of it each, and their row says that they wanted all.
core_taken () {
	first_core
	null_row --benchmarks=readrandom --num=100k --threads=2 --cpus="$core" --duration=0.5 --null_get_ns=5000 || return 1
	row '.bound_by == "cpu" and .cpu_demand_percent >= 85 and .cpu_demand_percent >= .cpu_used_percent' || return 1
	row '(.runnable_us_per_op * .ops / 1e6 / .seconds) as $threads | $threads > 0.7 and $threads < 2 and .runnable_us_per_op <= .off_cpu_us_per_op * 1.01'
	row 'if .cores > 1 then .cpu_used_percent < 60 and (.bound_by_detail | test(", used [0-9]+ %$")) else true end'
	# they are not the engine's
	row '.engine_bg_runnable_us_per_op * .ops / 1e6 / .seconds < 0.2'
	# a sleep is no wait for a core
	null_row --benchmarks=readrandom --threads=2 --cpus="$core" --reads=100 --null_stall_every=1 --null_stall_ms=2 &&
		row '.off_cpu_us_per_op - .runnable_us_per_op > 1900'
}
ok 'threads that wait for a core are limited by the CPU' tries 3 core_taken
# Calls wait for the engine's own thread: one that computes on a core that another program takes, and one that sleeps.
core_taken_from_engine () {
	first_core
	"$top/bench_null" --benchmarks=readrandom --num=100k --cpus="$core" --duration=60 >"$work/other" 2>&1 &
	other=$!
	for computes in 1 0
	do
		rm -f "$work/rows.$computes"
		"$top/bench_null" --benchmarks=overwrite --num=100k --duration=0.7 --cpus="$core" --null_slow_every=1 --null_slow=lock \
			--null_work_ms=50 --null_work_gap_ms=0 --null_work_computes=$computes --json="$work/rows.$computes" >"$work/out" 2>&1 || :
	done
	kill "$other"
	wait "$other" || :
	jq -e '.bound_by == "cpu" and .cpu_demand_percent >= 85 and .engine_bg_runnable_us_per_op * .ops / 1e6 / .seconds > 0.25' "$work/rows.1" &&
		jq -e '.cpu_demand_percent < 85' "$work/rows.0"
}
ok "so is a run whose calls wait for a thread of the engine that waits for a core" tries 3 core_taken_from_engine

# Where the device limits a row, it is measured by itself; of a copy where that is: a file that came and went would show in the time of the kept directory.
limit_of_copy () {
	rm -rf "$work/kept-a" "$work/kept-b"
	"$top/bench_lmdb" --db="$work/kept-a" --benchmarks=fillseqbatch --num=10k >"$work/out"
	touch -d 2001-01-01 "$work/kept-a" "$work/kept-a/data"
	"$top/bench_lmdb" --copy_of="$work/kept-a" --db="$work/kept-b" --benchmarks=overwrite --num=10k --duration=1.1 --durability=sync \
		--json="$work/rows" >"$work/out"
	row '.kernel_us_per_op > 0 and .bound_by == (if .cpu_demand_percent < 70 then "sync" elif .cpu_demand_percent >= 85 then "cpu"
		elif (.device_busy_percent // 0) >= 75 then "device" elif .ctx_voluntary / .threads / .seconds >= 1000 and (.device_reads + .device_writes) / .ctx_voluntary < 0.5 then "lock" else "unclear" end)'
	row 'if .bound_by == "sync" then .sync_p50_ns > 0 and .sync_p99_ns >= .sync_p50_ns else .sync_p50_ns == null end'
	row 'if .device_busy_percent then .device_busy_us_per_op > 0 else .device_busy_us_per_op == null end'
	[ "$(stat -c %y "$work/kept-a" "$work/kept-a/data" | cut -c 1-10 | sort -u)" = 2001-01-01 ]
	[ ! -e "$work/kept-b" ]
}
ok 'the device by itself is measured beside the copy of a kept database, not beside that' limit_of_copy

# Planted counters: what they grew by, per operation; and compare.sh names the one that differs.
counters () {
	rm -f "$work/counters.a" "$work/counters.b"
	for n in 1 2 3
	do
		null_row --benchmarks=readrandom --reads=1000 --engine_counters="$work/counters.a" --null_counter=50$n || return 1
		null_row --benchmarks=readrandom --reads=1000 --engine_counters="$work/counters.b" --null_counter=60$n || return 1
	done
	awk -F '\t' '$9 == "planted" && $10 == 0 && $11 == 501 && $12 == 0.501 { p = 1 } $9 == "constant" && $12 == 0 { c = 1 }
		END { exit !(p && c && NR == 7) }' "$work/counters.a" || return 1
	# of all operations: the writer's are among them
	null_row --benchmarks=readwhilewriting --reads=100 --null_get_ns=1000000 --write_rate=2000 --engine_counters="$work/counters.c" \
		--null_counter=500 || return 1
	row '.writes > 100'
	awk -F '\t' -v ops="$(tail -n 1 "$work/rows" | jq '.reads + .writes')" '$9 == "planted" { p = $12 * ops / ($11 - $10) }
		END { exit !(p > 0.99 && p < 1.01) }' "$work/counters.c" || return 1
	"$top/scripts/compare.sh" --counters "$work/counters.a" "$work/counters.b" >"$work/out"
	grep -E '^ *planted +0[.]502 +0[.]602 +[+]19[.]9' "$work/out" && [ "$(grep -c constant "$work/out")" -eq 0 ] || return 1
	fails 2 'leave out --warmup' "$top/bench_null" --benchmarks=readrandom --engine_counters="$work/counters.a" --warmup=1
}
ok 'engine counters are those of the workload, per operation, and compare.sh ranks them' counters
# LevelDB's are sums of the lines of its table of compactions; MB are whole ones of each level, rounded up.
leveldb_counters () {
	rm -f "$work/counters.leveldb"
	bench leveldb --benchmarks=fillrandom --num=50000 --write_buffer_size=65536 --settle=1 \
		--engine_counters="$work/counters.leveldb" >"$work/out" 2>&1 || return 1
	cat "$work/counters.leveldb"
	# memtables that it writes count as compactions, too, but most of what these write was read from tables
	awk -F '\t' -v written="$(tail -n 1 "$work/rows" | jq '(.io_write_bytes + .settle_io_write_bytes) / 1048576')" '{ n[$9] = $11 }
		END { exit !(n["table files"] > 0 && n["table MB"] > 0 && n["table MB"] <= 14 && n["compaction MB read"] * 2 > n["compaction MB written"] &&
			n["compaction MB written"] >= n["table MB"] - 7 && n["compaction MB written"] > 5 && n["compaction MB written"] < written + 7) }' "$work/counters.leveldb"
}
ok "LevelDB's counters are what its compactions read and wrote" leveldb_counters
# RocksDB's PerfContext is one of each thread: the sum has the bytes that all of them got. Times only if a level is given.
perf_context () {
	for level in 1 3
	do
		rm -f "$work/counters.perf"
		bench rocksdb --benchmarks=fillseqbatch,readrandom,readrandom --num=3k --threads=3 --perf_level=$level \
			--engine_counters="$work/counters.perf" >"$work/out" 2>&1 || return 1
		awk -F '\t' -v level=$level 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			$at["benchmark"] == "readrandom" && $at["counter"] == "perfcontext.get_read_bytes" { bytes++; off += $at["per_op"] != 100 }
			$at["benchmark"] == "readrandom" && $at["counter"] ~ /^perfcontext[.].*_time$/ { times += $at["end"] > $at["begin"] }
			END { print level, bytes, off, times; exit bytes != 2 || off || (level == 1) != !times }' "$work/counters.perf" || return 1
	done
}
if [ -x "$top/bench_rocksdb" ]
then
	ok "RocksDB's PerfContext of all threads is among its counters" perf_context
else
	skip "RocksDB's PerfContext of all threads is among its counters" 'its library is not installed'
fi

# A counter keeps what it had when the workload before ended, though one before it in the list begins with the same words.
counter_of_name () {
	rm -f "$work/counters.names"
	bench bdb --benchmarks=fillrandom,overwrite --num=20k --writes=1000 --cache_size=1Mi --reopen=0 \
		--engine_counters="$work/counters.names" >"$work/out" 2>&1 || return 1
	awk -F '\t' '$9 ~ /^dirty pages/ { print; if ($4 == "fillrandom") kept[$9] = $11; else { n++; off += $10 != kept[$9] } }
		END { exit !(n == 2 && !off && kept["dirty pages evicted"] != kept["dirty pages"]) }' "$work/counters.names"
}
if [ -x "$top/bench_bdb" ]
then
	ok 'a counter whose name begins that of another has its own value' counter_of_name
else
	skip 'a counter whose name begins that of another has its own value' 'Berkeley DB is not installed'
fi

other_clock () {
	null_row --benchmarks=readrandom --num=10k --timer=monotonic &&
		row '.timer == "monotonic" and .read_p50_ns > 0 and .valid == 1'
}
ok '--timer=monotonic works' other_clock

no_latency () {
	null_row --benchmarks=readrandom,readseq,overwrite --num=100k --latency=0 &&
		row '.write_p50_ns == null and .longest_stall_ms == null and .mean_us > 0 and .ops == 100000'
}
ok '--latency=0 leaves the latencies unknown, not zero' no_latency
for rate in --rate=1000 --read_rate=1000 '--probe_rate=10 --benchmarks=overwrite'
do
	# shellcheck disable=SC2086 # words
	ok "--latency=0 is refused where responses decide: ${rate%% *}" fails 2 'need the time of each operation' "$top/bench_null" --benchmarks=readrandom \
		$rate --latency=0
done
# At a tenth of what is asked for, half a second passes: all wait ever longer, and yet no moment is without work.
busy_is_no_stall () {
	"$top/bench_null" --benchmarks=readrandom --num=1000 --reads=5000 --rate=100k --null_get_ns=100000 --json="$work/rows" >"$work/out" &&
		row '.read_resp_max_ns > 4e8 and .longest_stall_ms >= .read_max_ns / 1e6 - 0.002 and .longest_stall_ms < .read_resp_max_ns / 2e6'
}
ok 'operations that wait for earlier ones of their thread are no stall' tries 3 busy_is_no_stall
escaped () {
	fails 2 '--label: control characters are not allowed' "$top/bench_null" --benchmarks=readrandom --label="$(printf 'a\033[31mb')"
}
ok 'a label with an escape character is refused' escaped

# Of 4 threads the mean latency is 4 / throughput, by Little's law, and however late they wake: were it 1 / throughput,
# the two would make 1.
mean_is_latency () {
	null_row --benchmarks=readrandom --threads=4 --reads=200 --null_stall_every=1 --null_stall_ms=2 &&
		row '.mean_us >= 2000 and (.mean_us / 1e6 * .ops_per_sec | . > 1.5 and . <= 4.01)'
}
ok 'micros/op is the mean latency, not 1 / throughput' mean_is_latency

lines () {
	null_row --benchmarks=readrandom --num=1k --format="$1" && tail -n 1 "$work/out" | grep -E "$2"
}
ok 'prints the line of RocksDB' lines rocksdb \
	'^readrandom   : +[0-9.]+ micros/op [0-9]+ ops/sec [0-9.]+ seconds 1000 operations; +[0-9.]+ MB/s \(1000 of 1000 found\)$'
ok 'prints the line of LevelDB' lines leveldb '^readrandom   : +[0-9.]+ micros/op; +[0-9.]+ MB/s \(1000 of 1000 found\)$'
ok 'prints the line of dbbench' lines dbbench '^readrandom    : +[0-9.]+ micros/op [0-9]+ ops/sec; *[0-9.]+ MB/s'

# The field numbers RocksDB's benchmark.sh uses.
rocksdb_fields () {
	null_row --benchmarks=overwrite --num=1k --histogram=1 || return 1
	awk '/^overwrite/ { ok = NF >= 10 && $8 == "seconds" && $5 > 0 && $3 > 0 && $11 > 0 && $12 == "MB/s" }
		/^Percentiles:/ { p = $3 > 0 && $7 >= $3 && $9 >= $7 && $11 >= $9 }
		/^Min: .* Median: .* Max: / { max = $6 > 0 }
		END { exit !(ok && p && max) }' "$work/out" || { cat "$work/out"; return 1; }
}
ok "RocksDB's parser finds rate, latency, MB/s, percentiles and maximum" rocksdb_fields

histograms_are_apart () {
	null_row --benchmarks=readrandom,overwrite,readrandom --reads=3000 --writes=500 --histogram=1 || return 1
	sed -n 's/^Count: \([0-9]*\) .*/\1/p' "$work/out" | tr '\n' ' ' | grep '^3000 500 3000 $'
}
ok "a benchmark's histogram holds its own operations only" histograms_are_apart

intervals () {
	"$top/bench_null" --benchmarks=readrandom --threads=2 --reads=1000 --stats_interval=250 \
		>"$work/out" 2>"$work/err" || return 1
	[ "$(grep -c -E 'thread 0: \(250,[0-9]+\) ops and \([0-9.]+,[0-9.]+\) ops/second in \([0-9.]+,[0-9.]+\) seconds$' \
		"$work/err")" -eq 4 ] && grep -q 'thread 1: (250,1000) ops' "$work/err"
}
ok '--stats_interval reports each thread after so many operations' intervals
# The first report of a warm-up and that after it are each of the time since it began: as long as the sum.
warm_intervals () {
	"$top/bench_null" --benchmarks=readrandom --warmup=0.3 --duration=0.2 --null_get_ns=10000 --stats_interval=100 >"$work/out" 2>"$work/err" || return 1
	sed -n 's/.*thread 0: (\([0-9]*,[0-9]*\)) ops and .* in (\(.*\),\(.*\)) seconds$/\1 \2 \3/p' "$work/err" | tee "$work/said" | awk '$1 == "100,100" { n++; bad += $2 != $3 } END { exit n != 2 || bad }'
}
ok 'the first of these reports after a warm-up begins where that ended' warm_intervals
# What is not committed is not done: the report waits for the end of a transaction, and is no multi-get's end.
committed_intervals () {
	timeout 60 "$top/bench_null" --benchmarks=fillseqbatch,multireadrandom --num=2500 --batch_size=1000 --stats_interval=300 \
		--json="$work/long.json" >"$work/out" 2>"$work/err" || return 1
	sed -n 's/.*thread 0: (\([0-9,]*\)) ops.*/\1/p' "$work/err" | tr '\n' ' ' >"$work/said"
	grep '^1000,1000 1000,2000 500,2500 1000,1000 1000,2000 500,2500 $' "$work/said" &&
		jq -e -s '.[0].commits == 3' "$work/long.json"
}
ok '--stats_interval within a transaction or a multi-get reports at its end' committed_intervals

interval_seconds () {
	rm -f "$work/report.csv"
	"$top/bench_null" --benchmarks=readwhilewriting --duration=2.2 --threads=2 --stats_interval_seconds=0.5 \
		--report_interval_seconds=0.25 --report_file="$work/report.csv" >"$work/out" 2>"$work/err" || return 1
	cat "$work/err" "$work/report.csv"
	for thread in 0 1 2
	do
		[ "$(grep -c "thread $thread: " "$work/err")" -ge 3 ] || return 1
	done
	head -n 1 "$work/report.csv" | grep -q '^secs_elapsed,interval_qps,' &&
		[ "$(wc -l <"$work/report.csv")" -ge 6 ]
}
ok '--stats_interval_seconds and --report_file report while it runs' tries 3 interval_seconds
# After a warm-up of half a second, intervals, windows and their sums are of the run alone, as its seconds are.
intervals_after_warmup () {
	rm -f "$work/report.csv" "$work/warm.tsv" "$work/rows"
	"$top/bench_null" --benchmarks=readrandom --num=1000 --null_get_ns=20000 --warmup=0.5 --duration=1.3 --stats_interval_seconds=0.4 \
		--report_interval_seconds=0.4 --report_file="$work/report.csv" --timeline="$work/warm.tsv" --timeline_interval=0.4 \
		--json="$work/rows" >"$work/out" 2>"$work/err" || return 1
	cat "$work/report.csv" "$work/err"
	row '(.rates | split(" ") | length) == (.seconds | floor) and (.rates | split(" ") | map(tonumber) | add) <= .ops' || return 1
	# shellcheck disable=SC2046 # two numbers
	set -- $(jq -r '.ops, .seconds' "$work/rows")
	awk -F, -v ops="$1" -v seconds="$2" 'NR > 1 { sum += $2 * $3; last = $1 }
		END { print sum, last; exit !(NR > 1 && sum > ops - 3 && sum < ops + 3 && last < seconds + 0.1) }' "$work/report.csv" &&
		sed -n 's/.* thread 0: ([0-9]*,\([0-9]*\)) ops.* in ([0-9.]*,\([0-9.]*\)) seconds/\1 \2/p' "$work/err" |
		awk -v ops="$1" -v seconds="$2" 'END { print; exit !(NR > 0 && $1 == ops && $2 < seconds + 0.1) }' &&
		awk -F '\t' -v seconds="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["thread"] == "all" { last = $at["at_s"]; spans += $at["span_s"] }
			END { print last, spans; exit !(NR > 1 && last < seconds + 0.1 && (last - spans) ^ 2 < 1e-4) }' "$work/warm.tsv"
}
ok 'intervals and windows begin after the warm-up' tries 3 intervals_after_warmup

# The last interval is rarely whole: what was done in it is reported, and the reports add up to the row.
last_intervals () {
	rm -f "$work/rows" "$work/report.csv"
	"$top/bench_null" --benchmarks=fillseqbatch,readrandom,readwhilewriting --num=25100 --batch_size=1000 --threads=2 --reads=12345 \
		--stats_interval=5000 --report_interval_seconds="$1" --report_file="$work/report.csv" --json="$work/rows" >"$work/out" 2>"$work/err" || return 1
	cat "$work/report.csv"
	# of each workload: its operations in the report, whose times have six decimals, and in its row
	awk -F, 'NR > 1 { last = $7; done[$8] += $2 * $3; total[$8] = $7; rows[$8]++ }
		END { for (name in done) printf "%s %.0f %d\n", name, total[name], (done[name] / total[name] - 1) ^ 2 < 1e-5 }' "$work/report.csv" | sort >"$work/reported"
	jq -r '"\(.benchmark) \(.ops) 1"' "$work/rows" | sort >"$work/rows-say"
	diff "$work/reported" "$work/rows-say" || return 1
	# foreground threads have the numbers 0 and 1
	sed -n 's/.*thread [01]: (\([0-9]*\),.*/\1/p' "$work/err" | awk '{ n += $1 } END { print n }' >"$work/said"
	jq -s 'map(.ops) | add' "$work/rows" | diff - "$work/said"
}
ok 'a report of less than one interval is written, and it has all operations' last_intervals 60
ok 'the rows of a report add up to the operations of the row' last_intervals 0.001

# One transaction, which time ends: nothing is committed before.
last_commit () {
	rm -f "$work/report.csv"
	null_row --benchmarks=overwritebatch --num=1m --batch_size=1m --duration=0.2 --null_put_ns=10000 \
		--report_interval_seconds=60 --report_file="$work/report.csv" &&
		row ".ops > 0 and .commits == 1 and .ops == $(awk -F, 'NR > 1 { print $7 }' "$work/report.csv")"
}
ok 'a report has what the last transaction commits when the time is over' last_commit

last_seconds () {
	null_row --benchmarks=readrandom --num=1000 --reads=12345 --threads=2 --stats_interval_seconds=60 2>"$work/err" &&
		[ "$(grep -c 'thread [01]: (12345,12345) ops' "$work/err")" -eq 2 ]
}
ok 'threads print their rate at the end, though no interval has passed' last_seconds

duration () {
	null_row --benchmarks=readrandom --duration=0.5 --threads=2 &&
		row '.seconds >= 0.5 and .seconds < 5 and .valid == 1' &&
		null_row --benchmarks=readrandom --duration=0.5 --null_get_ns=20000000 &&
		row '.seconds >= 0.5 and .seconds < 5'
}
ok '--duration ends a run by the clock, slow calls too' tries 3 duration

hdr_file () {
	null_row --benchmarks=readwhilewriting --reads=1m --hdr="$work/x.hgrm" &&
		head -n 1 "$work/x.hgrm" | grep '^ *Value *Percentile *TotalCount *1/(1-Percentile)$' &&
		grep -q '^#\[Max     = .*, Total count    = *1000000\]$' "$work/x.hgrm" &&
		[ -s "$work/x.hgrm.readwhilewriting.write" ] || return 1
	echo precious >"$work/y.hgrm"
	status=0
	"$top/bench_null" --benchmarks=readrandom --num=10 --hdr="$work/y.hgrm" >"$work/out" 2>&1 || status=$?
	[ $status -eq 1 ] && [ "$(cat "$work/y.hgrm")" = precious ]
}
ok '--hdr writes percentile files and overwrites nothing else' hdr_file

# agrees ARGUMENTS...: what one run says in several places
agrees () {
	rm -f "$work"/agree.*
	"$top/bench_null" --num=20k --benchmarks=fillseq,readrandom,ycsb-a,ycsb-e,readwhilewriting --threads=2 --histogram=1 \
		--json="$work/agree.json" --hdr="$work/agree.hdr" --hdr_log="$work/agree.log" --timeline="$work/agree.timeline" --timeline_interval=0.1 \
		--report_file="$work/agree.report" --report_interval_seconds=0.1 "$@" >"$work/agree.out" 2>"$work/err" || { cat "$work/err"; return 1; }
	"$top/build/hdrmerge" "$work/agree.log" >"$work/agree.merged" &&
		"$top/scripts/summary.sh" "$work/agree.json" --all --format=json >"$work/agree.summary" &&
		python3 "$top/test/agree.py" "$work/agree.json" "$work/agree.out" "$work/agree.hdr" "$work/agree.merged" "$work/agree.timeline" "$work/agree.report" \
			"$work/agree.summary"
}
if [ -x "$top/build/hdrmerge" ] || make_quiet build/hdrmerge 2>"$work/err"
then
	ok 'row, line, histograms, timeline, report and summary of a closed loop agree' agrees
	ok 'and those of an open loop, with response times under their names' agrees --rate=50000 --duration=0.3
	ok 'and those of an open loop of so many operations' agrees --rate=50000 --reads=3000 --writes=3000
else
	skip 'row, line, histograms, timeline and report agree' 'build/hdrmerge needs zlib'
fi

# In Go's format, too, the response comes first: a call takes nothing, and waits for the one in 500 that takes 5 ms.
gobench_response () {
	"$top/bench_null" --num=1000 --benchmarks=readrandom --format=gobench --rate=10000 --reads=5000 --null_stall_every=100 --null_stall_ms=5 --json="$work/rows" >"$work/out" &&
		row "(.read_resp_p99_ns - $(sed -n 's/.*	\([0-9]*\) p99-resp-ns.op	[0-9]* p99-ns.op$/\1/p' "$work/out") | fabs) < 1 and .read_resp_p99_ns > 2e6"
}
ok "Go's format has the p99 of responses, then that of calls" gobench_response

json_and_tsv () {
	rm -f "$work/a.json" "$work/a.tsv"
	bench lmdb --benchmarks=fillseqbatch,readrandom,readwhilewriting,deleterandom --num=5k --reads=200k --threads=2 \
		--json="$work/a.json" --tsv="$work/a.tsv" >"$work/out" || return 1
	jq -rs '.[0] | keys_unsorted | @tsv' "$work/a.json" >"$work/b.tsv" || return 1
	# the same text in both forms: numbers as they stand, null as empty
	sed 's/:\(-\{0,1\}[0-9.]*\)\([,}]\)/:"\1"\2/g' "$work/a.json" |
		command jq -r '[.[] | if . == null then "" else . end] | join("\t")' >>"$work/b.tsv"
	diff "$work/a.tsv" "$work/b.tsv"
}
ok 'JSON is valid and says the same as the TSV' json_and_tsv

command_is_quoted () {
	mkdir -p "$work/a b"
	null_row --benchmarks=readrandom --num=10 --hdr="$work/a b/it's \"x\" \$y.hgrm" &&
		command=$(tail -n 1 "$work/rows" | jq -r .command) && rm "$work/a b/"* && sh -c "$command" &&
		[ -s "$work/a b/it's \"x\" \$y.hgrm" ]
}
ok 'the command column repeats the run, quotes and all' command_is_quoted

# What no row can hold: a line end, one at the end, a byte that is not UTF-8, and more than any buffer.
command_repeats () {
	lines=$(printf 'new\nline\n.')
	lines=$work/${lines%.}
	odd=$(printf "\377 %%s \\\\n it's $(printf '%09000d' 0)")
	rm -f "$work"/odd.*
	"$top/bench_null" --benchmarks=readrandom --num=10 --label="$odd" --hdr="$lines" --json="$work/odd.json" \
		--tsv="$work/odd.tsv" >"$work/out" &&
		[ "$(wc -l <"$work/odd.tsv")" -eq 2 ] && [ "$(wc -l <"$work/odd.json")" -eq 1 ] || return 1
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } NR == 2 { print $column["command"] }' "$work/odd.tsv" >"$work/odd.command"
	jq -r .command "$work/odd.json" | cmp - "$work/odd.command" || return 1
	# the arguments as they come out of a shell
	printf '#!/bin/sh\nprintf "<%%s>" "$@"\n' >"$work/show"
	chmod +x "$work/show"
	sed "s|$top/bench_null |$work/show |" "$work/odd.command" >"$work/odd.sh"
	printf '<%s>' --benchmarks=readrandom --num=10 --label="$odd" --hdr="$lines" --json="$work/odd.json" --tsv="$work/odd.tsv" \
		>"$work/odd.wanted"
	sh "$work/odd.sh" | cmp - "$work/odd.wanted"
}
ok 'and with arguments that no row can hold as they are' command_repeats

# Each process of --isolate and --repeat knows what those before it wrote.
hdr_isolated () {
	rm -f "$work"/i.hgrm*
	"$top/bench_null" --benchmarks=readrandom,overwrite --num=100 --isolate=1 --hdr="$work/i.hgrm" >"$work/out" || return 1
	ls "$work"/i.hgrm* && grep -q 'Total count    = *100\]' "$work/i.hgrm" && [ -s "$work/i.hgrm.overwrite.write" ]
}
ok '--hdr writes one file for each benchmark with --isolate=1, too' hdr_isolated

# Of nothing, which takes half a microsecond, the row has the time by which its rate is.
brief_seconds () {
	bench null --benchmarks=fillseq,waitforcompaction --num=10 >"$work/out" && row '.seconds > 0 and (.ops / .seconds / .ops_per_sec - 1 | fabs) < 1e-6'
}
ok 'a rate is operations by the seconds in its row, also of less than a microsecond' brief_seconds
