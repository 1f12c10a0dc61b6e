# load.sh: how load is offered and judged: presets, repetitions, warm-up, open loop, steady state.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

null_row () {
	"$top/bench_null" "$@" --json="$work/rows" >"$work/out"
}

# The same draws of every engine: whatever the speed, one thread asks for the same records.
same_draws () {
	for arguments in --benchmarks=ycsb-load,ycsb-d,ycsb-e '--benchmarks=fillseqbatch,mix --mix=read:5,scan:1,insert:3,delete:3,rmw:2'
	do
		for engine in lmdb sqlite
		do
			# shellcheck disable=SC2086 # words
			bench $engine $arguments --num=3000 --verify=1 >"$work/out" || return 1
			tail -n 1 "$work/rows" | jq -r .digest >"$work/digest-$engine"
		done
		diff "$work/digest-lmdb" "$work/digest-sqlite" || return 1
	done
}
ok 'one thread asks every engine for the same, also while the key range grows' same_draws

# Of sizes that vary each inserted record has its own, by its number.
growth_is_kept () {
	bench lmdb --benchmarks=ycsb-load,ycsb-d --num=2000 --value_size=10-300 --threads=3 >"$work/out" || return 1
	there=$(bench lmdb --benchmarks=scan --preset=ycsb --use_existing_db=1 --num=2000 --value_size=10-300 --verify=1 >"$work/out" &&
		tail -n 1 "$work/rows" | jq .ops)
	[ "$there" -ge 2250 ] && [ "$there" -le 2310 ] &&
		bench lmdb --benchmarks=ycsb-d,ycsb-e --use_existing_db=1 --num=2000 --value_size=10-300 --verify=1 >"$work/out" &&
		row '.valid == 1 and .lost == 0' || return 1
	# 100 by each of the two, all of them new
	bench lmdb --benchmarks=scan --preset=ycsb --use_existing_db=1 --num=2000 --value_size=10-300 --verify=1 >"$work/out"
	row ".ops - $there >= 150 and .ops - $there <= 210"
}
ok 'what was inserted is there for the next program, which inserts after it' growth_is_kept

# A record that must be there and is not invalidates the row, also in a mix that deletes.
loss_is_noticed () {
	bench lmdb --benchmarks=fillseqbatch,readrandom --num=1000 --reads=10 >"$work/out" || return 1
	sed -i 's/^complete .*/complete 1/; s/^keys .*/keys 1200/' "$work/db-lmdb/assay.db"
	for list in readrandom 'mix --mix=read:9,insert:1' multireadrandom 'mix --mix=insert:1 --duration=0.3 --probe_rate=5000'
	do
		# shellcheck disable=SC2086 # words
		! bench lmdb --benchmarks=$list --use_existing_db=1 --num=1200 >"$work/out" || return 1
		row '.valid == 0 and .lost > 0 and (.invalid_reason | test("missing"))' || return 1
	done
	bench lmdb --benchmarks=fillseqbatch --num=1000 >"$work/out" &&
		bench lmdb --benchmarks=deleterandom --use_existing_db=1 --num=1000 >"$work/out" &&
		sed -i 's/^complete .*/complete 1/' "$work/db-lmdb/assay.db" &&
		! bench lmdb --benchmarks=readseq --use_existing_db=1 --num=1000 --verify=1 >"$work/out" &&
		row '.valid == 0 and .lost > 0'
}
ok 'a record that is not there and must be invalidates the row: gets, mixes, multi-gets, probes, scans' loss_is_noticed

# Who was in one call from the warm-up to the end has a transaction open that is in no figure; were it left open, the
# others would wait for it as long as the engine has patience: 10 s.
carried_over () {
	for _ in 1 2 3
	do
		bench sqlite --benchmarks=fillseqbatch,overwritebatch --num=3000 --threads=8 --warmup=0.2 --duration=0.3 --latency=0 \
			>"$work/out" && row '.valid == 1 and .overrun_s < 5' || return 1
	done
}
ok 'a transaction from the warm-up ends with the run' tries 3 carried_over

# Of several threads that delete one record at the same time one has found it: as many are gone as were found.
found_once () {
	for engine in aio lmdb
	do
		bench $engine --benchmarks=fillseqbatch,deleterandom --num=300 --threads=8 --json="$work/deletes-$engine" >"$work/out" ||
			return 1
		bench $engine --benchmarks=scan --use_existing_db=1 --num=300 --json="$work/deletes-$engine" >"$work/out" || return 1
		jq -e -s '.[1].found + .[2].ops == 300' "$work/deletes-$engine" || { cat "$work/deletes-$engine"; return 1; }
	done
}
ok 'a record that several threads delete at once is found by one of them' found_once

presets_run () {
	for preset in ycsb ucsb bangdb-1 bangdb-1s bangdb-2 bangdb-2s bangdb-3 bangdb-4 bangdb-5 bangdb-6 smallbank voron
	do
		"$top/bench_lmdb" --help=presets | grep -q "^  $preset$" || return 1
		"$top/bench_lmdb" --db="$work/db-lmdb" --preset=$preset --num=1000 --verify=1 >"$work/out" 2>&1 ||
			{ echo $preset; cat "$work/out"; return 1; }
	done
	grep -c '^voron-read' "$work/out" | grep -q '^5$'
}
ok 'every preset runs' presets_run

preset_gives_way () {
	"$top/bench_null" --benchmarks=ycsb-c --value_size=50 --num=10 --json="$work/rows" >"$work/out" &&
		row '.value_size == 50 and .key_size == 24' &&
		fails 2 "no preset 'x'" "$top/bench_null" --preset=x &&
		fails 2 'belongs to another preset, ucsb' "$top/bench_null" --preset=ycsb --benchmarks=ucsb-c
}
ok 'the command line comes after the preset' preset_gives_way

repeated () {
	rm -f "$work/rows"
	bench lmdb --benchmarks='fillseqbatch,readrandom@2[W2-X5],readseq' --num=1000 >"$work/out" || return 1
	cat "$work/out"
	[ "$(jq -s '[.[] | select(.benchmark == "readrandom") | .iteration] == [1, 2, 3, 4, 5]' "$work/rows")" = true ] &&
		[ "$(jq -s '[.[] | select(.benchmark == "readrandom") | .digest] | unique | length' "$work/rows")" -eq 5 ] &&
		[ "$(jq -s '[.[] | select(.threads == 2)] | length' "$work/rows")" -eq 5 ] &&
		grep -q -E '^readrandom \[AVG 5 runs\] : [0-9]+ \(± [0-9]+\) ops/sec; +[0-9.]+ \(± [0-9.]+\) MB/sec$' "$work/out" &&
		grep -q -E '^readrandom \[MEDIAN 5 runs\] : [0-9]+ ops/sec; +[0-9.]+ MB/sec$' "$work/out" &&
		[ "$(grep -c '^readrandom   :' "$work/out")" -eq 5 ]
}
ok 'name@2[W2-X5]: two threads, two runs not reported, five that are, mean and median' repeated

ok 'wrong repetitions are refused' sh -c "
	for list in 'readrandom[X0]' 'readrandom[Y2]' 'readrandom[X2' 'readrandom@0' 'readrandom@x' 'readrandom[X2]x'
	do
		'$top/bench_null' --benchmarks=\"\$list\" >'$work/out' 2>&1
		[ \$? -eq 2 ] || { echo \"\$list\"; exit 1; }
	done"

# By counts, not by time: what was due is done or left, no more and no less; of 3000 Poisson arrivals six standard deviations.
# A thread ends at any time from the duration to that of the last one.
keeps_rate () {
	"$top/bench_null" --benchmarks=readrandom --threads=2 --rate=2k --duration=1.5 --arrivals="$1" --json="$work/rows" \
		>"$work/out" &&
		row '.target_rate == 2000 and .arrivals == "'"$1"'" and .read_resp_p50_ns >= .read_p50_ns and
			(.ops + .backlog | . >= 3000 - '"$2"') and .ops + .backlog <= 2000 * .seconds + '"$2"
}
ok 'an open loop with constant arrivals does what is due' keeps_rate constant 4
ok 'and one with Poisson arrivals' keeps_rate poisson 330

# A build that writes down the scheduled start, begin and end of each operation.
traced () {
	builds build/trace/bench_null
}
# waits ARRIVALS RATE ARGUMENTS...: of that build, against Lindley's recursion
waits () {
	needs traced
	arrivals=$1 rate=$2
	shift 2
	rm -f "$work/traced"
	"$top/build/trace/bench_null" --benchmarks=readrandom --arrivals="$arrivals" --rate="$rate" --null_get_ns=30000 --num=1m \
		--json="$work/traced" "$@" >"$work/out" 2>"$work/trace.txt"
	awk -v reported="$(jq -r '[.read_resp_mean_ns, .read_resp_p50_ns, .read_resp_p99_ns, .read_resp_max_ns, .read_mean_ns, .ops, .start_error_p99_ns,
		.read_resp_stddev_ns] |
		join(" ")' "$work/traced")" -v arrivals="$arrivals" -v rate="$rate" -f "$top/test/waits.awk" "$work/trace.txt"
}
ok "what is reported of constant arrivals is what Lindley's recursion makes of them, within 1 %" waits constant 20000 --reads=10k
ok 'and of Poisson arrivals, and of more than can be done' waits poisson 20000 --reads=10k
ok 'and of two threads that are late from the start' waits poisson 100000 --reads=5k --threads=2
ok 'and of a rate at which few wait' waits constant 2000 --reads=3k
# The call is far more than 1 % of the response, so its start error is no other time.
ok 'and of calls that take longer than they wait' waits constant 500 --reads=1100 --null_get_ns=1000000
# what the engine says is there while the next workload runs, for who follows the output or ends the run
stats_at_once () {
	"$top/bench_null" --benchmarks=stats,readrandom --num=100 --duration=60 >"$work/out" 2>"$work/err" &
	asked=$!
	within 10 grep -q '^constant 7$' "$work/out"
	kill $asked
	exits 143 $asked
}
ok 'statistics are printed before the next workload ends' stats_at_once

# 100 writes a second: ten each tenth of a second, at one time. There is a short trial before.
in_bursts () {
	needs traced
	"$top/build/trace/bench_null" --compat=db_bench --benchmarks="$1" --num=1000 --reads=100m --duration=1 \
		--benchmark_write_rate_limit=11600 2>"$work/trace.txt" >"$work/out" || return 1
	awk -v thread="$2" '$1 == "trace" && $2 == thread { n++; of[$3]++ }
		END { for (start in of) { starts++; if (of[start] > 10) exit 1 } exit !(n > 20 && starts * 10 < n + 49) }' "$work/trace.txt"
}
ok "in db_bench's place a background writer with a rate writes in bursts, as there" in_bursts readwhilewriting 1
ok "and so do threads that write" in_bursts overwrite 0

# Of seed 3 the twentieth is due at 0.80 s, at a constant rate it is at 0.475; and a call begins at its scheduled start, no sooner.
arrives_by_chance () {
	null_row --benchmarks=readrandom --rate=40 --reads=20 --arrivals=poisson --seed=3
	row '.ops == 20 and .seconds > 0.75 and .read_p50_ns < 1e6'
	null_row --benchmarks=readrandom --rate=40 --reads=20 --seed=3
	row '.ops == 20 and .seconds > 0.47 and .read_p50_ns < 1e6'
}
ok 'arrivals are by chance if that is asked for, and waiting for them is no part of a call' arrives_by_chance

# 1000 a second of 2 ms each: half of what is due is left, and responses grow to the length of the run.
says_backlog () {
	"$top/bench_null" --benchmarks=readrandom --rate=1k --duration=1 --null_get_ns=2000000 --json="$work/rows" >"$work/out" &&
		cat "$work/out" && grep -q 'rate of 1000 not kept' "$work/out" &&
		row '.target_rate_met == 0 and .valid == 1 and .backlog >= 400 and .read_resp_max_ns > 4e8 and .read_p50_ns < 1e8 and
			(.ops + .backlog - 1000 * .seconds | fabs <= 2) and .read_resp_max_ns <= .seconds * 1e9'
}
ok 'a rate that is not kept is said, with the backlog' says_backlog

# The readers have their count, and the writer beside them a rate that it cannot keep: what of that is left is the backlog.
writer_backlog () {
	null_row --benchmarks=readwhilewriting --num=1000 --reads=500 --null_get_ns=1000000 --null_put_ns=2000000 --write_rate=2000 &&
		row '.valid == 1 and .reads == 500 and .target_rate_met == 0 and .backlog > 200 and (.writes + .backlog - 2000 * .seconds | fabs) < 200 * .seconds'
}
ok 'that of a writer is said beside readers of a fixed count, too' tries 3 writer_backlog
# The readers have no rate and do a hundred times as much: what they do is no part of the writer's schedule.
writer_behind () {
	null_row --benchmarks=readwhilewriting --num=1000 --duration=0.5 --null_put_ns=2000000 --write_rate=600 &&
		row '.valid == 1 and .target_rate_met == 0 and .backlog >= 20 and .reads > 1000 * .backlog'
}
ok 'and is not made little by what readers without a rate do' tries 3 writer_behind

# Operations that threads share end together, though they cannot be dealt out evenly; and of a fixed count nothing is left that was asked for.
count_at_a_rate () {
	null_row --benchmarks=fillrandom --num=65 --threads=64 --rate=64 &&
		row '.ops == 65 and .target_rate == 64 and .target_rate_met == 1 and .backlog == 0 and .seconds >= 1.015 and .seconds < 1.9' || return 1
	null_row --benchmarks=fillrandom --num=3 --threads=8 --rate=10 && row '.ops == 3 and .target_rate == 10 and .seconds >= 0.299' || return 1
	null_row --benchmarks=fillrandom --num=20000 --threads=2 --rate=1000000000000 && cat "$work/out" && row '.ops == 20000 and .target_rate_met == 0 and .backlog == 0' &&
		grep -q '(rate of 1000000000000 not kept)' "$work/out" || return 1
	null_row --benchmarks=scan --num=1000 --rate=1000000000000 && row '.ops == 1000 and .target_rate_met == 0 and .backlog == 0' || return 1
	# gaps that are drawn may end before their mean; and the put of an update is due no later than its get
	null_row --benchmarks=readrandom --num=1000 --reads=300 --threads=16 --rate=8000 --arrivals=poisson && row '.target_rate_met == 1 and .ops == 4800' || return 1
	null_row --benchmarks=updaterandom --num=1000 --writes=10 --reads=10 --rate=8 --null_get_ns=100000000 && row '.writes == 10 and .start_error_p99_ns < 60e6'
}
ok 'a fixed count has the rate that it was to have, and no backlog of what nobody asked for' tries 3 count_at_a_rate

# One is due each half a second: a sample waits for its thread until the end, and what goes on beside it no longer. A busy
# machine may be late; not three times.
ends_in_time () {
	for _ in 1 2 3
	do
		null_row --benchmarks=overwrite --rate=2 --duration=1.2 --probe_rate=1000 --timeline="$work/ended" --timeline_interval=1
		! row '.probe_reads <= 1300' || return 0
	done
	return 1
}
ok 'a run ends with its duration, whoever a sample waits for' ends_in_time

# Each second of a duration is a window, the last one too, and in them is what was done.
windows_whole () {
	bench null --benchmarks=readrandom --threads=8 --duration=2 >"$work/out" || return 1
	row '(.rates | split(" ") | map(tonumber)) as $rates | ($rates | length) == 2 and ($rates | add) / .ops > 0.8' || return 1
	# one is due each half a second, and is done in the second in which it is, unless a busy machine is late; not three times
	for _ in 1 2 3
	do
		null_row --benchmarks=readrandom --read_rate=2 --duration=3
		! row '.rates == "2 2 2" and .longest_stall_ms < 400' || return 0
	done
	return 1
}
ok 'the last second of a duration has its rate, as those before it' windows_whole

# The readers end in a call of the writer, which ends a second later.
windows_end () {
	null_row --benchmarks=readwhilewriting --reads=1300 --rate=1000 --null_put_ns=1000000000 || return 1
	tail -n 1 "$work/rows" | jq -c '[.seconds, .writes, .rates]'
	row '.valid == 1 and .writes > 0 and (.rates // "" | split(" ") | length) == (.seconds | floor)'
}
ok 'and no second has one in which only a background thread was at work' windows_end
# A closed loop and an open one, for two seconds of four. Of the second that they were stopped through nothing was done, and
# somebody says why.
while_stopped () {
	rm -f "$work/rows" "$work/rows-open"
	"$top/bench_null" --benchmarks=readrandom --threads=2 --duration=4 --supervise=0 --json="$work/rows" >"$work/closed" 2>&1 &
	closed=$!
	"$top/bench_null" --benchmarks=readrandom --threads=2 --duration=4 --supervise=0 --json="$work/rows-open" --rate=1000 >"$work/open" 2>&1 &
	open=$!
	sleep 0.8
	kill -STOP $closed $open
	sleep 2.2
	kill -CONT $closed $open
	wait $closed
	wait $open
	cat "$work/rows-open" >>"$work/rows"
	jq -c '[.rates, .longest_stall_ms, .warnings]' "$work/rows"
	jq -es 'length == 2 and all(.[]; (.rates | split(" ") | map(tonumber)) as $rates | ($rates | length) == 4 and ($rates | min) == 0 and
		.longest_stall_ms > 1500 and (.warnings | contains("the process was stopped")))' "$work/rows"
}
ok 'what stood still did nothing for whole seconds: its rates, its longest gap and a warning say so' tries 3 while_stopped
# What stood still before measuring began is no matter of what was measured: a second longer than the warm-up. A busy machine may
# take the CPU afterwards, but not three times. In an open loop all of that time is a stall.
while_warming () {
	for _ in 1 2 3
	do
		rm -f "$work/rows"
		"$top/bench_null" --benchmarks=readrandom --rate=1000 --warmup=1 --duration=1 --supervise=0 --json="$work/rows" >"$work/out" 2>&1 &
		warming=$!
		sleep 0.5
		kill -STOP $warming
		sleep 1.7
		kill -CONT $warming
		wait $warming
		row '.valid == 1 and .warmup_s == 1' || return 1
		tail -n 1 "$work/rows" | jq -c '[.warnings, .longest_stall_ms]'
		! row '(.warnings // "" | contains("the process was stopped") | not) and .longest_stall_ms < 1000' || return 0
	done
	return 1
}
ok 'what stood still in the warm-up only is in no warning, and no stall' while_warming

other_rates () {
	bench lmdb --benchmarks=fillseqbatch,readwhilewriting --num=1000 --write_rate=500 --duration=1 >"$work/out" &&
		row '.target_rate == 500 and .writes + .backlog >= 498 and .writes + .backlog <= 500 * (.seconds + 0.2) and
			.write_resp_p50_ns > 0 and .read_resp_p50_ns == null' &&
		bench lmdb --benchmarks=fillseqbatch,updaterandom,multireadrandom --num=1000 --batch=50 --rate=20k --reads=2000 >"$work/out" &&
		row '.read_resp_mean_ns > 0' &&
		fails 2 'give --rate' "$top/bench_null" --benchmarks=ycsb-a --read_rate=5
}
ok 'the writer beside readers, pairs and groups have rates' tries 3 other_rates

warm_up () {
	bench lmdb --benchmarks=fillseqbatch,ycsb-f,readseq --value_size=100 --key_size=24 --num=2000 --reads=2000 --warmup=0.3 \
		--verify=1 >"$work/out" || return 1
	row '.ops == 2000 and .warmup_s == 0.3 and .scans == 2000' &&
		jq -es '.[-2] | .ops == 2000 and .reads == 2000 and .writes == 1000 and .valid == 1' "$work/rows" &&
		jq -es '.[-3] | .warmup_s == 0' "$work/rows" || return 1
	# nor has it any part in which keys were drawn
	null_row --benchmarks=readrandom --num=100k --reads=1000 --warmup=0.2 && row '.distinct_keys > 900 and .distinct_keys < 1040'
}
ok 'a warm-up is outside the figures' warm_up
# A warm-up of many times as many operations is in no count: each seek reads 10 records at most, each call finds its record or not.
warm_up_is_uncounted () {
	bench lmdb --benchmarks=fillseqbatch,seekrandom --num=20000 --seek_nexts=9 --reads=1000 --warmup=0.3 >"$work/out" &&
		row '.ops == 1000 and .scans == 1000 and .entries > 9900 and .entries <= 10000 and .bytes == .entries * 116 and
			.found + .missing == 1000 and .writes == 0 and .mean_us * .ops <= .seconds * 1.01e6 and
			.fg_cpu_s <= .seconds * 1.05 + 0.02' &&
		bench lmdb --benchmarks=fillseqbatch,mix --mix=read:20,insert:40,delete:40 --num=20000 --reads=1000 --warmup=0.3 >"$work/out" &&
		row '.ops == 1000 and .reads + .writes == 1000 and .found + .missing < 800 and .found + .missing > 400 and
			.commits <= .writes and .bytes <= 1000 * 116 and .entries <= 1000'
}
ok 'nor is it in any count' tries 3 warm_up_is_uncounted

# Of many records no key comes twice: there are as many as operations, though more were prepared when the time was over.
keys_of_done_operations () {
	for workload in readrandom@3 ycsb-f 'mix --mix=read:50,update:30,rmw:20' mixgraph
	do
		# shellcheck disable=SC2086 # words
		null_row --benchmarks=$workload --num=1g --distribution=uniform --duration=0.5 --rate=20 --mix_get_ratio=0.5 --mix_put_ratio=0.5 &&
			row '.ops > 0 and .ops < 100 and .distinct_keys == .ops' || return 1
	done
	null_row --benchmarks=readrandom --num=1g --reads=1000 && row '.distinct_keys == 1000'
}
ok 'distinct keys are those of operations that were done' keys_of_done_operations

# What it inserts is there all the same: thousands beside the 100 of the figures.
warm_up_works () {
	bench lmdb --benchmarks=ycsb-load,ycsb-d --num=2000 --reads=2000 --warmup=0.5 >"$work/out"
	row '.ops == 2000 and .writes == 100'
	[ "$(sed -n 's/^keys //p' "$work/db-lmdb/assay.db")" -gt 2150 ]
}
ok 'and works as the figures do' warm_up_works

steady_rows () {
	"$top/bench_null" --benchmarks=readrandom --duration=5.2 --null_get_ns=1000 --json="$work/rows" >"$work/out" &&
		row '.window_s == 1 and (.rates | split(" ") | length | . >= 5 and . <= 7) and .rate_cv >= 0 and .rate_range >= 0 and
			.steady == (if .rate_range <= 0.2 and .rate_slope <= 0.1 then 1 else 0 end)' &&
		"$top/bench_null" --benchmarks=readrandom --reads=1000 --json="$work/rows" >"$work/out" &&
		row '.steady == null and .rates == null'
}
ok 'a row has the rate of each second, and whether it was steady' steady_rows

# 10^7 keys of 10^8, three distributions; theory by the sum over ranks of 1 - (1 - p)^draws.
draws_are_seen () {
	for line in 'uniform 9516258' 'zipfian 3159587' 'scrambled_zipfian 4616927'
	do
		"$top/bench_null" --benchmarks=readrandom --num=100m --reads=10m --distribution="${line% *}" --json="$work/rows" >"$work/out" &&
			row ".distinct_keys / ${line#* } - 1 | fabs < 0.02" || return 1
	done
	row '.top1pct_fraction > 0.58 and .top1pct_fraction < 0.59'
}
ok 'rows say how many different keys were drawn, within 2 % of theory' draws_are_seen

# The fraction of the 1 % that a distribution favours, by its definition; of a million draws it is off by 0.0005 in three of ten.
shapes () {
	while read -r share arguments
	do
		# shellcheck disable=SC2086 # words
		null_row --benchmarks=readrandom --num=100k --reads=1m $arguments || return 1
		row ".top1pct_fraction - $share | fabs < 0.003" || return 1
	done
}
ok 'the shape of a distribution is what was asked for' shapes <<'END'
0.0979 --distribution=zipfian --theta=0.5
0.9782 --distribution=zipfian --theta=1.5
0.5 --distribution=hotspot --hotspot_keys=0.01 --hotspot_share=0.5
0.9 --distribution=hotspot --hotspot_keys=0.01 --hotspot_share=0.9
0.018 --distribution=hotspot --hotspot_keys=0.5 --hotspot_share=0.9
0.9242 --distribution=pareto --pareto_h=0.05
0.0767 --distribution=pareto --pareto_h=0.4
END
one_key () {
	null_row --benchmarks=readrandom --num=1 --reads=100
	row '.top1pct_fraction == 1 and .distinct_keys == 1'
}
ok 'all draws are of the only key' one_key

# Lengths of 1 to 100, none of which meets the end of the data; the first thread's as those of one alone.
lengths_apart () {
	for threads in 1 2
	do
		null_row --benchmarks=seekrandom --num=1g --reads=1000 --scan_length=1-100 --threads=$threads || return 1
		tail -n 1 "$work/rows" | jq .entries
	done | jq -es '.[1] != 2 * .[0] and (.[0] / 1000 - 50.5 | fabs < 5) and (.[1] / 2000 - 50.5 | fabs < 5)'
}
ok 'each thread draws the lengths of its scans for itself' lengths_apart

# There thread n begins at 999 + seed + n of one cycle: with this seed x, 16807 x is x + 1 (mod 2^31 - 1), so the second
# thread is one draw ahead of the first, and both draw a million keys where two generators apart draw two; within 2 % as above.
artefact_2014 () {
	for rng in minstd default
	do
		"$top/bench_null" --benchmarks=readrandom --rng=$rng --seed=827890620 --threads=2 --num=1g --reads=1m --json="$work/rows" \
			>"$work/out"
		row ".valid == 1 and (.distinct_keys / {minstd: 1000001, default: 2000000}.$rng - 1 | fabs < 0.02)"
	done
}
ok '--rng=minstd draws as db_bench did, one thread after another, and the generator that is the default does not' artefact_2014

compacts () {
	bench sqlite --benchmarks=fillrandom,deleterandom,compact,readseq --num=5000 --verify=1 >"$work/out" || return 1
	jq -es '.[-2] | .benchmark == "compact" and .ops == 1 and .seconds > 0' "$work/rows" &&
		bench lmdb --benchmarks=fillseq,compact --num=10 >"$work/out" && row '.emulated == "compaction, by settling"'
}
ok 'compact compacts, or says what it did instead' compacts
# What is in the memtable is in a file then.
flushes () {
	bench leveldb --benchmarks=fillseqbatch,flush,sstables --num=1k >"$work/out" || return 1
	row '.benchmark == "flush" and .emulated == null' && grep -q '^ [0-9]*:[0-9]*\[' "$work/out" || return 1
	bench null --benchmarks=fillseq,flush --num=10 >"$work/out" && row '.emulated == "memtable flush, by nothing"'
}
ok 'flush writes the memtable, or says what it did instead' flushes

# Calls of sixteen threads that sleep 1 ms: 16,000 a second at the most, and a fifth of that, the lowest rate tried, is kept
# however busy the machine is; no rate has them end within half of it. That something else than the rate decides is said
# rightly where the machine is busy; not three times.
capacity () {
	rm -rf "$work/capacity" "$work/capacity-none"
	set -- --seconds=1 --steps=4 --rounds=1 --num=10k --threads=16 --null_stall_every=1 --null_stall_ms=1 null
	# they sleep, so that two do not disturb each other
	status=0
	"$top/scripts/capacity.sh" --out="$work/capacity-none" --p99=500us "$@" >"$work/none" 2>&1 &
	none=$!
	"$top/scripts/capacity.sh" --out="$work/capacity" --p99=1s "$@" >"$work/out" || status=$?
	cat "$work/out"
	exits 1 $none
	cat "$work/none"
	[ $status -eq 0 ]
	grep -q '^null: [0-9]* operations a second keep a p99 of 1s\(, though .*\)\?; closed loop: [0-9]*$' "$work/out"
	awk -F '\t' '$1 == "null" { print; exit !($2 <= 16000 && $3 >= 3300 && $3 <= 16000) }' "$work/capacity/capacity.tsv"
	not_blank "$work/capacity/latency.png"
	[ "$(wc -l <"$work/capacity/ladder.tsv")" -ge 9 ]
	grep '^null: not even 3300 of its [0-9]* operations a second keep a p99 of 500us$' "$work/none"
}
ok 'capacity.sh finds a rate and draws latency against rate' tries 3 capacity
ok 'and refuses what it cannot read' sh -c "
	for arguments in '' '--out=x' '--out=x --p99=5 null' '--out=x --steps=0 null' '--out=x --rate=5 null' '--out=x no_such_engine'
	do
		'$top/scripts/capacity.sh' \$arguments >'$work/out' 2>&1
		[ \$? -eq 2 ] || { echo \"\$arguments\"; exit 1; }
	done"

sweeps () {
	"$top/scripts/sweep.sh" --out="$work/ycsb" --engines=lmdb --benchmarks='ycsb-a[X2],ycsb-load' --threads=2 --load=ycsb-load \
		--num=2k >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	jq -r '[.benchmark, .threads, .iteration, .valid] | @tsv' "$work/ycsb/results.json" | sort | tr '\t\n' ' ;' |
		grep '^ycsb-a 2 1 1;ycsb-a 2 2 1;ycsb-load 1 1 1;ycsb-load 2 1 1;$'
}
ok 'sweep.sh loads for the standard workloads, and repeats them' sweeps

# A retried operation keeps its scheduled start.
keeps_its_place () {
	null_row --benchmarks=overwrite --rate=1000 --null_conflict_every=2 --duration=1 &&
		row '.valid == 1 and (.ops + .backlog - 1000 * .seconds | fabs <= 2) and .ops > 0 and (.conflicts - .ops | fabs <= 1)'
}
ok 'a call that is done again takes no second place in the schedule' keeps_its_place

# Each of sixteen threads ends in a batch that had a conflict: its operations are neither done nor lost.
left_undone () {
	null_row --benchmarks=overwritebatch --num=1000 --threads=16 --batch_size=50 --rate=5000 --duration=0.5 --null_conflict_every=60 \
		--null_conflicts=40 &&
		row '.valid == 1 and .ops > 0 and .ops + .backlog >= 2484 and .ops + .backlog <= 5000 * .seconds + 16'
}
ok 'and one that is undone as the run ends is left' left_undone

# What is due between the end of a warm-up and when a thread hears of it is the warm-up's, or what was due before is not.
# What the warm-up was late with is done after it.
low_rates () {
	null_row --benchmarks=readrandom --rate=20 --duration=2.5 --hang_timeout=2 &&
		row '.valid == 1 and .ops <= 51 and .ops + .backlog >= 49' &&
		null_row --benchmarks=readrandom --rate=60 --warmup=0.3 --duration=1 &&
		row '(.ops + .backlog - 60 * .seconds) as $off | .valid == 1 and $off >= -10 and $off <= 10 + 60 * .start_error_p99_ns / 1e9' &&
		null_row --benchmarks=fillseq,compact --rate=1m && row '.target_rate_met == null'
}
ok 'a low rate is neither a hang nor nothing at all' tries 3 low_rates

# targets RATES ARGUMENTS...: of the rows of a list, for which 1 and 2 stand here, and 0 for a closed loop
targets () {
	want=$1
	shift
	rm -f "$work/rows"
	"$top/bench_null" --num=200 --reads=20 --writes=20 --json="$work/rows" "$@" >"$work/out" || return 1
	jq -rs 'map(.target_rate // 0 | . / 1000 | round | tostring) | join(" ")' "$work/rows" >"$work/targets" || return 1
	echo "$want: $(cat "$work/targets") of $*"
	[ "$(cat "$work/targets")" = "$want" ]
}
# Who asks for a rate means what is measured, unless a load is all that there is.
loads_unpaced () {
	targets '0 1' --rate=1000 --benchmarks=fillseq,readrandom &&
		targets 1 --rate=1000 --benchmarks=fillseq &&
		targets '1 0' --rate=1000 --benchmarks=fillseq,compact &&
		targets '0 0 1' --rate=1000 --benchmarks=fillseq,compact,readrandom &&
		targets '1 0 1 1' --rate=1000 --benchmarks=fillrandom,fillseq,overwrite,readrandom &&
		targets '1 1' --rate=1000 --benchmarks='fillseq[X2]' &&
		targets '0 0 1 1' --rate=1000 --benchmarks='fillseq[X2],readrandom[X2]' &&
		targets '0 1 0 1' --rate=1000 --benchmarks=fillseq,overwrite --repeat=2 &&
		targets '0 0 2' --write_rate=2000 --benchmarks=fillseq,readrandom,overwrite &&
		targets '0 2' --write_rate=2000 --benchmarks=fillseq,readwhilewriting &&
		targets '0 2' --sine_write_rate=1 --sine_a=0 --sine_d=2000 --benchmarks=fillseq,overwrite || return 1
	# a reader beside it has its own rate, and aging is not held to one
	rm -f "$work/rows"
	"$top/bench_null" --num=20k --benchmarks=fillrandom,readrandom --reads=20 --rate=1000 --probe_rate=1000 --null_put_ns=10000 \
		--json="$work/rows" >"$work/out" &&
		jq -es '.[0].target_rate == null and .[0].probe_reads > 50 and .[0].probe_reads < 20000 and .[1].target_rate == 1000' "$work/rows" &&
		timeout 10 "$top/bench_null" --num=20k --benchmarks=fillrandom,readrandom --reads=20 --rate=1000 --age=1 >"$work/out"
}
ok 'a rate is of what is measured, not of loads and aging before it' loads_unpaced

# LMDB writes to new pages, five of 4 KiB a write, as long as somebody sees the old ones; who reads several times in one snapshot does.
releases () {
	bench lmdb --benchmarks=fillseqbatch,readwhilewriting --num=10k --write_rate=20k --read_rate=1 --duration=1 >"$work/out" &&
		row '.writes > 500 and .db_disk_kb < 8 * .writes' || return 1
	bench lmdb --benchmarks=fillseqbatch,readwhilewriting --num=10k --write_rate=20k --read_rate=1 --duration=1 --txn_reads=1m \
		>"$work/out"
	row '.writes > 500 and .db_disk_kb > 12 * .writes'
}
ok 'an idle reader releases its snapshot, unless it is of several reads' tries 3 releases

# A thread that is in a long call when the warm-up ends shows nothing of it as figures.
warm_up_is_not_shown () {
	rm -f "$work/report"
	null_row --benchmarks=readrandom --null_stall_every=900 --null_stall_ms=300 --warmup=0.05 --duration=1 \
		--report_file="$work/report" --report_interval_seconds=0.2 &&
		awk -F , 'NR > 2 && ($2 > 1e7 || $7 < last) { print; bad = 1 } { last = $7 } END { exit bad || NR < 4 }' "$work/report" &&
		row '.rates | split(" ") | all(tonumber < 1e7)'
}
ok 'what was counted in a warm-up is in no interval after it' tries 3 warm_up_is_not_shown

# Attempts that were undone are in no figure: row, HDR file and timeline hold the same operations.
counts_agree () {
	rm -f "$work"/agree.*
	bench "$1" --num=3000 --benchmarks="$2" --threads=16 --duration=0.5 --durability=none --hdr="$work/agree.hdr" \
		--timeline="$work/agree.tsv" --timeline_interval=0.1 >"$work/out" || return 1
	tail -n 1 "$work/rows" >"$work/agree.row"
	for file in "$work"/agree.hdr*
	do
		case $file in *".${2##*,}.write" | *.hdr) hdr=$file ;; esac
	done
	counted=$(sed -n 's/.*Total count *= *\([0-9]*\).*/\1/p' "$hdr")
	summed=$(awk -F '\t' -v b="${2##*,}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["benchmark"] == b && $at["thread"] == "all" { if ($at["ops"] < 0 || $at["ops"] > 1e12) exit 1; sum += $at["ops"] }
		END { print sum + 0 }' "$work/agree.tsv")
	echo "in the histogram $counted, in the timeline $summed"
	jq -e --argjson counted "$counted" --argjson summed "$summed" \
		'.valid == 1 and .writes == $counted and .ops == $summed and (.retries > 0) == (.conflicts > 0)' "$work/agree.row"
}
# WiredTiger's threads have conflicts, which are counted separately.
retries_told () {
	counts_agree wiredtiger fillseqbatch,overwritebatch
	jq -e '.retries >= .conflicts and .conflicts > 0 and .retry_s > 0' "$work/agree.row"
}
ok 'retried operations are counted once, and their retries are reported: WiredTiger' retries_told
ok 'and Berkeley DB' counts_agree bdb fillrandom,overwritebatch

# One put in seven returns a conflict, in batches of 1000: the histogram has each once.
null_retries () {
	rm -f "$work/null.hdr"
	"$top/bench_null" --benchmarks=fillrandbatch --num=20k --null_conflict_every=1500 --hdr="$work/null.hdr" \
		--json="$work/rows" >"$work/out" &&
		row '.writes == 20000 and .ops == 20000 and .conflicts > 5 and .retries > .conflicts and .valid == 1' &&
		grep -q 'Total count *= *20000\]' "$work/null.hdr" || return 1
	# of a read-modify-write both calls are one operation
	null_row --benchmarks=ycsb-f --txn=1 --num=1000 --null_conflict_every=25 && row '.conflicts > 10 and .retries == .conflicts'
}
ok 'a batch that is done again is in the histogram once' null_retries

# Every nth attempt has a conflict: the attempts are the writes, and what was done again, each of a batch that did not end; of a
# warm-up neither is told.
tries_add_up () {
	while read -r every how
	do
		# shellcheck disable=SC2086 # words
		null_row --benchmarks=overwritebatch --num=1000 --writes=10k --null_conflict_every="$every" $how || return 1
		tail -n 1 "$work/rows" | jq -c '[.batch_size, .warmup_s, .writes, .retries, .conflicts]'
		row ".valid == 1 and .conflicts > 20 and (.conflicts - (.writes + .retries) / $every | fabs) <= 1" || return 1
	done <<'END'
25 --batch_size=1
25 --batch_size=10
2501 --batch_size=1000 --writes=100k
25 --batch_size=1 --null_put_ns=1000 --warmup=0.2 --duration=0.2
END
}
ok 'what is done and what is done again are all tries' within 1 tries_add_up

# One thread: its time is that of its writes, and of what was undone, also of a batch longer than what is drawn at a time. A busy
# machine has it wait for a core in between; not three times.
tries_fill_the_time () {
	for _ in 1 2 3
	do
		null_row --benchmarks=overwritebatch --num=1000 --batch_size=1000 --writes=20k --null_put_ns=20000 --null_conflict_every=1501
		tail -n 1 "$work/rows" | jq -c '[.seconds, .writes * .write_mean_ns / 1e9, .retry_s, .retries]'
		row '.retries > 3000'
		! row '.seconds - .writes * .write_mean_ns / 1e9 - .retry_s < 0.3 * 20e-6 * .retries' || return 0
	done
	return 1
}
ok 'and their times are all the time' tries_fill_the_time

# More writes than the times of which are kept one by one; each takes its 20 us at least.
long_tries () {
	null_row --benchmarks=overwritebatch --num=20k --batch_size=10000 --writes=40k --null_put_ns=20000 --null_conflict_every=19001 &&
		row '.conflicts > 1 and .retries > 15000 and .retry_s > 20e-6 * .retries'
}
ok 'also of those that are undone after thousands of writes' long_tries

# They are a third of the time, or on a busy machine too few to tell, but not ten times; with those of a warm-up of four times the length they would be more than all of it.
tries_of_the_run () {
	null_row --benchmarks=overwrite --num=1000 --null_put_ns=20000 --null_conflict_every=2 --warmup=1.2 --duration=0.3 &&
		row '.valid == 1 and .retries > 100 and .retry_s < .seconds'
}
ok 'and none of them is of the warm-up' within 1 tries_of_the_run

# Two tries of a millisecond each: all but the first put have one conflict.
tries_take_time () {
	null_row --benchmarks=overwrite --writes=200 --null_put_ns=1000000 --null_conflict_every=2 &&
		row '.conflicts == 199 and .write_p50_ns >= 1.98e6'
}
ok 'the latency of a call with conflicts is that of all its attempts' tries_take_time

# What is drawn is counted once, also where a batch is longer than what is drawn at a time.
draws_once () {
	for every in 0 1500
	do
		null_row --benchmarks=overwritebatch --num=20k --writes=20k --distribution=zipfian --null_conflict_every=$every || return 1
		tail -n 1 "$work/rows" | jq -c '[.top1pct_fraction, .distinct_keys]' >"$work/drawn-$every"
	done
	row '.conflicts > 5'
	diff "$work/drawn-0" "$work/drawn-1500"
}
ok 'and what is done again is drawn once' draws_once

# Transactions that undo each other for ever if each begins again at once, and no time in which one is alone, where there are
# two CPUs. 64 that filled one tree of Berkeley DB came to that by chance.
all_get_through () {
	timeout 30 "$top/bench_null" --benchmarks=fillseqbatch,overwritebatch --num=400 --batch_size=20 --threads=16 --writes=40 \
		--null_put_ns=20000 --null_conflict_others=1 --json="$work/rows" >"$work/out" || { echo "status $?"; cat "$work/out"; return 1; }
	tail -n 2 "$work/rows" | jq -es 'map(.ops) == [400, 640] and all(.[]; .valid == 1)'
}
ok 'of transactions that undo each other each gets through' all_get_through
# Who never gets through tries again each 5 ms on average, after 10 ms at most, and hears of the end after those.
stays_away () {
	! "$top/bench_null" --benchmarks="$1" --num=1000 --batch_size=50 --threads=2 --duration=1 --null_conflict_every="$2" \
		--json="$work/rows" >"$work/out" || return 1
	row '.ops == 0 and .conflicts > 20 and .conflicts < 1000 and .overrun_s < 0.2 and .invalid_reason == "no operation was done"'
}
ok 'a thread whose retries fail waits longer and longer' tries 3 stays_away overwrite 1
ok 'and so does a transaction, wherever in it that is' tries 3 stays_away overwritebatch 33

# A library with which a thread that locks a mutex, as it does where it leaves, is busy for 0.2 s before: no row of a
# timeline has of that what the next one takes back.
make_busy () {
	cat >"$work/busy.c" <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <pthread.h>
		#include <sys/syscall.h>
		#include <time.h>
		#include <unistd.h>

		static double now(void)
		{
			struct timespec t;

			clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
			return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
		}

		int pthread_mutex_lock(pthread_mutex_t *m)
		{
			int (*lock)(pthread_mutex_t *) = dlsym(RTLD_NEXT, "pthread_mutex_lock");

			if (syscall(SYS_gettid) != getpid())
				for (double until = now() + 0.2; now() < until;)
					;
			return lock(m);
		}
	END
	${CC:-cc} -shared -fPIC -o "$work/busy.so" "$work/busy.c" -ldl
}
leaves_busily () {
	make_busy && rm -f "$work/busy.tsv" || return 1
	LD_PRELOAD="$work/busy.so" "$top/bench_null" --benchmarks=readrandom --num=1k --threads=3 --timeline="$work/busy.tsv" \
		--timeline_interval=0.05 --json="$work/rows" >"$work/out" || return 1
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["thread"] != "all" { rows++; sum += $at["cpu_s"]; if ($at["cpu_s"] < least) least = $at["cpu_s"] }
		END { print rows " rows, CPU time " sum ", in one " least; exit rows < 6 || least < -1e-4 || sum > 0.1 }' "$work/busy.tsv"
}
ok 'what a thread does where it leaves is in no interval' leaves_busily

# A library that keeps thread $SLEEPY of a process from working on at once after a barrier.
make_sleepy () {
	cat >"$work/sleepy.c" <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <pthread.h>
		#include <stdatomic.h>
		#include <stdlib.h>
		#include <unistd.h>

		static _Atomic unsigned threads;
		static _Thread_local unsigned number;

		struct start {
			void *(*routine)(void *);
			void *argument;
			unsigned number;
		};

		static void *begin(void *argument)
		{
			struct start *start = argument;

			number = start->number;
			return start->routine(start->argument);
		}

		int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*routine)(void *), void *argument)
		{
			static struct start starts[64];
			int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
			unsigned n = ++threads;

			starts[n % 64] = (struct start){routine, argument, n};
			return create(t, a, begin, &starts[n % 64]);
		}

		int pthread_barrier_wait(pthread_barrier_t *b)
		{
			int (*wait)(pthread_barrier_t *) = dlsym(RTLD_NEXT, "pthread_barrier_wait");
			int rc = wait(b);

			if (number == (unsigned)atoi(getenv("SLEEPY")))
				usleep(300000);
			return rc;
		}
	END
	${CC:-cc} -shared -fPIC -o "$work/sleepy.so" "$work/sleepy.c" -ldl
}
# One read ends the run, and there was a write.
begins_beside () {
	make_sleepy
	SLEEPY=2 LD_PRELOAD="$work/sleepy.so" "$top/bench_null" --benchmarks=readwhilewriting --num=1k --reads=1 --json="$work/rows" >"$work/out" || {
		cat "$work/out"
		return 1
	}
	row '.ops == 1 and .writes > 0 and .valid == 1'
}
ok 'a run beside a writer begins when that has written' begins_beside
# A put of 0.3 s ends after the readers have, and the writer's rate, in its line and in the row, is by its own time.
writes_on () {
	null_row --benchmarks=readwhilewriting --num=1k --duration=0.4 --null_put_ns=300000000 2>"$work/said" || return 1
	cat "$work/said"
	said=$(sed -n 's,^bench_null: readwhilewriting/writer: \([0-9]*\) operations in \([0-9.]*\) s.*,\1 / \2,p' "$work/said")
	row ".writes_per_sec - $said | fabs < 0.06"
}
ok "a writer's rate is by its own time" tries 3 writes_on
# What the monitor computed in the warm-up, 0.4 s, is no CPU time of the harness in the run.
warms_up_busily () {
	cat >"$work/spin.c" <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <poll.h>
		#include <time.h>

		int poll(struct pollfd *fds, nfds_t n, int timeout)
		{
			int (*real)(struct pollfd *, nfds_t, int) = dlsym(RTLD_NEXT, "poll");
			static int calls;
			struct timespec t = {0, 0};

			while (!calls && t.tv_sec == 0 && t.tv_nsec < 400000000)
				clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
			calls++;
			return real(fds, n, timeout);
		}
	END
	${CC:-cc} -shared -fPIC -o "$work/spin.so" "$work/spin.c" -ldl || return 1
	LD_PRELOAD="$work/spin.so" "$top/bench_null" --benchmarks=readrandom --warmup=0.1 --duration=0.3 --json="$work/rows" >"$work/out"
	tail -n 1 "$work/rows" | jq -c '[.seconds, .user_s, .harness_cpu_s, .fg_cpu_s]'
	row '.valid == 1 and .harness_cpu_s < 0.2'
}
ok 'CPU time of the harness in the warm-up is not in the row' tries 3 warms_up_busily
# Who begins late does not end before his time.
begins_late () {
	make_sleepy
	SLEEPY=1 LD_PRELOAD="$work/sleepy.so" "$top/bench_null" --benchmarks=readrandom --duration=0.5 --json="$work/rows" >"$work/out"
	row '.seconds >= 0.5 and .valid == 1'
}
ok 'a run whose thread gets a CPU late is as long as was asked for' begins_late
# Each thread's late starts count, also the third's: it begins 0.6 s late, the others, who wait for it before the beginning, 0.3 s.
starts_late () {
	make_sleepy
	SLEEPY=3 LD_PRELOAD="$work/sleepy.so" "$top/bench_null" --benchmarks=readrandom --threads=3 --rate=300 --duration=1.5 --json="$work/rows" >"$work/out"
	row '.start_error_p99_ns > 450e6 and .valid == 1'
}
ok "and the third thread's late starts are among the errors of starts" starts_late
# What was due until it could begin is done late, and its wait is seen.
catches_up () {
	make_sleepy
	SLEEPY=1 LD_PRELOAD="$work/sleepy.so" "$top/bench_null" --benchmarks=readrandom --threads=2 --rate=1000 --duration=0.5 --json="$work/rows" >"$work/out"
	row '.ops + .backlog >= 495 and .ops <= 1000 * .seconds + 2 and .read_resp_max_ns > 250e6 and .read_max_ns < 250e6 and .valid == 1'
}
ok 'in an open loop such a thread has the same to do, and is late from the beginning' tries 3 catches_up

# An open loop lasts as long as its schedule.
open_loop_lasts () {
	"$top/bench_null" --benchmarks=readrandom --rate=10 --duration=0.45 --json="$work/rows" >"$work/out" || return 1
	row '.seconds >= 0.45 and .seconds < 0.6 and .ops >= 4 and .ops <= 6 and .valid == 1' || return 1
	"$top/bench_null" --benchmarks=readrandom --rate=10k --reads=1000 --threads=2 --json="$work/rows" >"$work/out" || return 1
	row '.seconds >= 0.2 and .ops_per_sec <= 10000 and .ops == 2000' || return 1
	"$top/bench_null" --benchmarks=multireadrandom --batch_size=100 --rate=10k --reads=2000 --json="$work/rows" \
		>"$work/out" || return 1
	row '.seconds >= 0.2 and .ops_per_sec <= 10000 and .ops == 2000 and .valid == 1'
}
ok 'an open loop lasts as long as its schedule' tries 3 open_loop_lasts

# The 150th of 200 reads of the warm-up takes 0.1 s, so that 40 wait; none of the 80 in the figures does, unless the machine is
# busy, and then its response is longer than that.
starts_anew () {
	null_row --benchmarks=readrandom --num=1000 --rate=400 --warmup=0.5 --duration=0.2 --null_stall_every=150 --null_stall_ms=100 || return 1
	tail -n 1 "$work/rows" | jq -c '[.ops, .start_error_p99_ns, .read_resp_max_ns]'
	row '.start_error_p99_ns <= 1.01 * .read_resp_max_ns'
}
ok 'how late the calls of the warm-up began is no start error' starts_anew

# Reads of 1 ms, two due each millisecond: after the warm-up the first is some 0.2 s late, and each further one more.
responds_anew () {
	null_row --benchmarks=readrandom --num=1000 --rate=2000 --null_get_ns=1000000 --warmup=0.4 --duration=0.3 &&
		row '.read_min_ns < 1e8 and .read_resp_min_ns > 1e8'
}
ok 'and their response times are in no figure' tries 3 responds_anew

# Twenty groups of 3 ms, due each millisecond: by Lindley's recursion of each 2 ms are added to the wait of the next, and of the
# tenth the response is 21 ms. A busy machine only adds.
groups_wait () {
	null_row --benchmarks=multireadrandom --batch_size=100 --num=2000 --reads=2000 --rate=100k --null_get_ns=30000 &&
		row '.ops == 2000 and .read_min_ns >= 2.7e6 and .read_resp_p50_ns >= 20.7e6 and .read_resp_max_ns >= 40e6 and
			.read_resp_max_ns <= .seconds * 1e9'
}
ok 'the response of a multi-get is from its scheduled start' groups_wait
# At a rate that leaves time between calls nothing waits, and the harness's own check is in neither: the least response of
# a hundred is the least call. To check a megabyte takes as long as to make it. On a busy machine all may begin late, but not ten times.
checked_responses () {
	null_row --benchmarks=readrandom --num=100 --reads=100 --value_size=1000000 --rate=200 --verify=1 &&
		row '.wrong == 0 and .read_resp_min_ns < 1.7 * .read_min_ns' &&
		null_row --benchmarks=multireadrandom --batch_size=10 --num=100 --reads=300 --value_size=100000 --rate=500 --verify=1 &&
		row '.wrong == 0 and .read_resp_min_ns < 1.7 * .read_min_ns'
}
ok "what --verify=1 takes is in no response" within 1 checked_responses
too_few_groups () {
	status=0
	"$top/bench_null" --num=5000 --benchmarks=multireadrandom --rate=1000 --duration="$1" --json="$work/rows" >"$work/out" || status=$?
	[ $status -eq 1 ] && row '.valid == 0 and (.invalid_reason | test("groups of 1000 keys"))'
}
ok 'one in which too few groups fit is invalid' too_few_groups 0.5
ok 'also with some' too_few_groups 2.5

# The writer beside readers does its first call before the figures; those count from the end of a warm-up, and may have none.
idle_writer () {
	status=0
	null_row --benchmarks=readwhilewriting --warmup=0.2 --reads=1000 --null_put_ns=700000000 || status=$?
	[ $status -eq 1 ]
	row '.valid == 0 and .ops == 1000 and .writes == 0 and (.invalid_reason | test("before the background writer had finished"))'
	null_row --benchmarks=readwhilewriting --warmup=0.2 --duration=1.5 --null_put_ns=100000000
	row '.valid == 1 and .writes > 0'
}
ok 'readers that end before the writer has done anything are invalid' idle_writer

# Calls of 100 ms, which sleep: each second has its own, by the run's own mean, so that it does not matter who else is busy.
# A thread has a quarter of a second to say what it did in one, if the run is not over before that.
slow_calls () {
	rm -f "$work/slow.tsv"
	"$top/bench_null" --benchmarks=readrandom --null_stall_every=1 --null_stall_ms=100 --threads=4 --duration=3.4 \
		--timeline="$work/slow.tsv" --json="$work/rows" >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
	row '.ops_per_sec as $mean | .rates | split(" ") | map(tonumber) |
		length == 3 and all(. > 0.6 * $mean and . < 1.5 * $mean)' || return 1
	# a call sleeps 100 ms, so that there are at most 40 a second, and is late by no more than what it took
	row '.ops_per_sec <= 40.01 and .overrun_s <= ([0.5, .read_max_ns / 1e9 + 0.1] | max)'
	awk -F '\t' -v mean="$(tail -n 1 "$work/rows" | jq .ops_per_sec)" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["thread"] == "all" && $at["span_s"] > 0.5 {
			print $at["ops_per_sec"]
			if ($at["ops_per_sec"] < 0.6 * mean || $at["ops_per_sec"] > 1.5 * mean) bad = 1
		}
		END { exit bad }' "$work/slow.tsv"
}
ok 'slow calls show in the second in which they were done, and end when they are told' tries 3 slow_calls

# The end of a timeline is that of the threads, not of what they do afterwards.
timeline_ends () {
	rm -f "$work/aio.tsv"
	bench aio --num=2000 --benchmarks=fillseqbatch,readrandom --duration=0.3 --timeline="$work/aio.tsv" --timeline_interval=0.1 \
		>"$work/out" || return 1
	end=$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["thread"] == "all" { end = $at["at_s"] } END { print end }' \
		"$work/aio.tsv")
	echo "the timeline ends at $end"
	row ".seconds - $end | . < 0.01 and . > -0.01"
}
ok 'the last interval of a timeline ends with the threads' tries 3 timeline_ends

# A session's memory is its cache's: it is read while sessions are attached.
memory_of_sessions () {
	rm -f "$work/memory.tsv"
	bench sqlite --num=200k --benchmarks=fillseqbatch,readrandom --reads=100k --timeline="$work/memory.tsv" >"$work/out" || return 1
	seen=$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["thread"] == "all" { kb = $at["rss_anon_kb"] } END { print kb }' \
		"$work/memory.tsv")
	row ".rss_anon_kb > 0.9 * $seen and .rss_anon_kb < 1.1 * $seen and .rss_anon_kb > 15000 and .bg_cpu_s < 0.01"
}
ok 'memory and CPU time are read while sessions are attached' tries 3 memory_of_sessions

# 300,000 records that LMDB has in memory as it loads them; then it is opened again, and reads ten.
peak_falls () {
	rm -f "$work/rows"
	bench lmdb --benchmarks=fillseqbatch,readrandom --num=300k --reads=10 --reopen=1 --page_cache=kept >"$work/out" || return 1
	jq -c '[.benchmark, .rss_kb, .peak_rss_kb]' "$work/rows"
	jq -es '.[1].peak_rss_kb < .[0].peak_rss_kb - 4096 and .[1].peak_rss_kb >= .[1].rss_kb' "$work/rows"
}
if echo 5 >"/proc/self/clear_refs"
then
	ok 'the peak of memory is that of its own benchmark' peak_falls
else
	skip 'the peak of memory is that of its own benchmark' 'this kernel cannot reset it'
fi

blind () {
	bench "$1" --benchmarks=fillseqbatch,deleterandom --num=2000 >"$work/out" || return 1
	row "$2" || return 1
	bench "$1" --benchmarks=fillseqbatch,mix --mix=read:5,insert:2,delete:2 --num=2000 --reads=2000 >"$work/out" || return 1
	row "$3" || return 1
	bench "$1" --benchmarks=fillseqbatch,mix --mix=insert:1,delete:1 --num=2000 >"$work/out" || return 1
	row "$4"
}
ok 'blind deletes say nothing of what they met: RocksDB' blind rocksdb \
	'.found == null and .missing == null and .bytes == null and (.emulated | test("blind"))' \
	'.found + .missing == .reads and (.emulated | test("blind"))' '.found == null and .missing == null and .bytes > 0 and .entries > 0'
ok 'others do: LMDB, also in a mix' blind lmdb \
	'.found + .missing == 2000 and .found > 1100 and .found < 1400 and .emulated == null' \
	'.found + .missing > .reads and .missing == 0 and .emulated == null' '.found + .missing > 400 and .missing == 0'

# What zstd and bzip2 make of values, one after another: SIZE RATIO.
make_values () {
	cat >"$work/values.c" <<-'END'
		#include <stdio.h>
		#include <stdlib.h>
		#include "util/record.h"

		int main(int argc, char **argv)
		{
			size_t size = strtoul(argv[argc - 2], NULL, 10);
			char *value = malloc(size);

			for (uint64_t id = 0; id < 1000000 / size + 1; id++) {
				record_write_value(value, size, (unsigned)(strtod(argv[argc - 1], NULL) * 256 + 0.5), id, 0);
				fwrite(value, 1, size, stdout);
			}
			return 0;
		}
	END
	${CC:-cc} -O1 -std=c11 -D_GNU_SOURCE -I"$top" -o "$work/values" "$work/values.c" "$top"/build/util/*.o "$top"/build/util/*/*.o -lm -ldl
}
compress_as_asked () {
	needs make_values
	ratios='0.1 0.5 0.9'
	[ -z "$long" ] || ratios='0.1 0.25 0.5 0.75 0.9 1'
	for size in 64 ${long:+65 128 256 1000} 100 300 10000
	do
		for ratio in $ratios
		do
			"$work/values" "$size" "$ratio" >"$work/values.$size"
			for by in zstd bzip2
			do
				$by -c <"$work/values.$size" >"$work/values.$by"
				awk -v whole="$(stat -c %s "$work/values.$size")" -v left="$(stat -c %s "$work/values.$by")" -v asked="$ratio" \
					'BEGIN { off = left / whole - asked; print off; exit !(off < 0.02 && off > -0.02) }' ||
					{ echo "$size bytes, asked $ratio, $by"; return 1; }
			done
		done
	done
}
if "$top/scripts/install-deps.sh" zstd bzip2 2>"$work/err"
then
	ok 'values compress to what was asked for, within 0.02' compress_as_asked
else
	skip 'what values compress to' "$(tail -n 1 "$work/err")"
fi

# A database with values of another form is refused, as its values would be judged wrong.
other_form () {
	bench lmdb --benchmarks=fillseqbatch --num=100 >"$work/out" && sed -i '/^value_form/d' "$work/db-lmdb/assay.db" || return 1
	fails 2 'loaded by another version of assay' "$top/bench_lmdb" --db="$work/db-lmdb" --use_existing_db=1 --benchmarks=readrandom \
		--num=100 && bench lmdb --benchmarks=fillseqbatch,readrandom --num=100 --verify=1 >"$work/out"
}
ok 'a database of an older form of values is refused' other_form

# Each fact of a database that the command line contradicts is named, with what is there and what was asked for.
contradicted () {
	bench lmdb --benchmarks=fillseqbatch --num=100 --value_size=10-100 >"$work/out" || return 1
	while IFS='|' read -r why arguments
	do
		# shellcheck disable=SC2086 # words
		fails 2 "$why" "$top/bench_lmdb" --db="$work/db-lmdb" --use_existing_db=1 --benchmarks=readrandom --num=100 \
			--value_size=10-100 $arguments || return 1
	done <<-'END'
	was made with key_size 16, not 24; give the same|--key_size=24
	was made with key_format number 0, not 1;|--key_format=hex
	was made with value_size 100, not 99;|--value_size=10-99
	was made with smallest value_size 10, not 11;|--value_size=11-100
	was made with list of value_size 0, not [1-9]|--value_size=10,100
	was made with compression_ratio in 256ths 128, not 64;|--compression_ratio=0.25
	holds 100 records, not 101;|--num=101
	END
	bench lmdb --use_existing_db=1 --benchmarks=readrandom --num=99 --value_size=10-100 --verify=1 >"$work/out" && row '.found == 99' || return 1
	sed -i 's/^keys 100$/keys 0/' "$work/db-lmdb/assay.db"
	fails 2 'was never loaded; begin with a fill' "$top/bench_lmdb" --db="$work/db-lmdb" --use_existing_db=1 --benchmarks=readrandom \
		--num=100 --value_size=10-100
}
ok 'a database that differs from the command line in one fact is refused, and the fact is named' contradicted
