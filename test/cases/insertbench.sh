# insertbench.sh: the Insert Benchmark: its indexes agree with its rows after each step, and after kill -9
# in each; a rate that was not kept invalidates the step.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# ib ENGINE ARGUMENTS...: bench, with little to do
ib () {
	ib_engine=$1
	shift
	bench "$ib_engine" --preset=insert-benchmark --num=1050 --writes=730 --threads=2 "$@"
}

# step NAME JQ: a truth about the last row of that step
step () {
	jq -es --arg step "$1" "[.[] | select(.benchmark == \$step)][-1] | $2" "$work/rows" >"$work/jq" ||
		{ echo "$1: not true: $2"; grep "\"benchmark\":\"$1\"" "$work/rows" | tail -n 1; return 1; }
}

# Two clients of 1050 rows, of which l.i1 changes 730 and l.i2 a quarter, 183. How fast is of no interest here: on a busy machine a
# rate may be lost, and nothing else may invalidate a step.
steps_keep_indexes () {
	status=0
	rm -f "$work/rows"
	ib "$1" --benchmarks=l.i0,l.x,l.i1,l.i2,qr100,qp1000,l.check --duration=0.3 --verify=1 >"$work/out" || status=$?
	[ "$(wc -l <"$work/rows")" -eq 7 ] || { cat "$work/out"; return 1; }
	jq -es 'all(.[]; .index_check == 1 and .wrong == 0 and .lost == 0 and
		(.valid == 1 or (.invalid_reason | test("^the target rate of inserts"))))' "$work/rows" >"$work/jq" || { cat "$work/out"; return 1; }
	jq -es 'all(.[1:][]; .index_entries == 3 * .table_rows)' "$work/rows" >"$work/jq" || { cat "$work/rows"; return 1; }
	step l.i0 '.ops == 22 and .commits == 22 and .table_rows == 2100 and .index_entries == 0 and .threads == 2' || return 1
	step l.x '.ops == 22 and .table_rows == 2100' || return 1
	step l.i1 '.ops == 30 and .writes == 60 and .commits == 60 and .table_rows == 2100' || return 1
	step l.i2 '.ops == 74 and .writes == 148 and .table_rows == 2100' || return 1
	step qr100 '.ops > 0 and .scans == .ops and .entries > .ops and .entries <= 10 * .ops and .queries_per_sec > 0' || return 1
	step qp1000 '.ops > 0 and .reads == .ops and .entries > 9 * .ops and .target_rate == 80 and .write_resp_max_ns > 0' || return 1
}
for engine in $(make -C "$top" -s engines)
do
	case $engine in
	null | aio) ;;
	*) ok "$engine: index entries are three for each row after each step" steps_keep_indexes "$engine" ;;
	esac
done

steps_go_on () {
	ib lmdb --benchmarks=l.i0,l.x >"$work/out" || return 1
	ib lmdb --benchmarks=l.i1 --use_existing_db=1 --seed=2 >"$work/out" || return 1
	row '.valid == 1 and .table_rows == 2100 and .index_entries == 6300' || return 1
	ib lmdb --benchmarks=l.i2,qr500,l.check --use_existing_db=1 --isolate=1 --duration=0.2 --seed=3 >"$work/out" || :
	row '.benchmark == "l.check" and .valid == 1 and .index_entries == 3 * .table_rows' || return 1
	! ib lmdb --benchmarks=l.check@1 --use_existing_db=1 >"$work/out" || return 1
	row '.valid == 0 and (.invalid_reason | test("client 1 has rows but no thread"))'
}
ok 'steps go on with what there is, in another process and with another seed' steps_go_on

# The counts of a warm-up that is three times as long are in neither rate.
warm_up_is_not_counted () {
	ib lmdb --benchmarks=l.i0,l.x,qr1000 --warmup=1 --duration=0.3 >"$work/out" || :
	step qr1000 '.warmup_s >= 1 and (.queries_per_sec / .ops_per_sec | . > 0.9 and . < 1.1) and .rows_per_sec < 50 * .target_rate'
}
ok "a warm-up's queries and rows are in no rate" tries 3 warm_up_is_not_counted

is_refused () {
	while IFS='|' read -r status pattern arguments
	do
		# shellcheck disable=SC2086 # words
		fails "$status" "$pattern" ib $arguments || return 1
	done
}
ok 'what cannot be is refused by name' is_refused <<'END_OF_CASES'
2|asynchronous I/O has no ordered scan|aio --benchmarks=l.i0
2|keys and values of its own|lmdb --benchmarks=l.i0 --key_size=16
2|has rates of its own|lmdb --benchmarks=l.i0 --rate=100
2|qr100 needs --duration|lmdb --benchmarks=l.i0,l.x,qr100 --duration=0
2|needs other records|lmdb --benchmarks=fillseq,l.x
2|l.x needs a database|lmdb --benchmarks=l.x
1|has no indexes|lmdb --benchmarks=l.i0,l.i1
1|client 2 has no rows|lmdb --benchmarks=l.i0,l.x@3
1|with as many --threads|lmdb --benchmarks=l.i0,l.x,l.i1@3
END_OF_CASES

is_not_checked () {
	ib lmdb --benchmarks=l.i0,l.x,l.i2 --ib_check=0 >"$work/out" || return 1
	row '.valid == 1 and .index_check == 0 and .index_entries == null and .table_rows == null'
}
ok 'the check can be left out, and the row says so' is_not_checked

# Queries that are so slow that the statements of the writers beside them would show in what a query costs.
costs_of_queries () {
	# on a busy machine the rate of the writers may not be met, which says nothing of the queries
	ib memstore --benchmarks=l.i0,l.x,qp1000 --threads=1 --duration=2 --memstore_stall_every=20 --memstore_stall_ms=2 >"$work/out" || cat "$work/out"
	tail -n 1 "$work/rows" | jq -c '[.valid, .ops, .writes, .cpu_us_per_query, .user_s, .sys_s]'
	row '(.invalid_reason // "" | . == "" or test("target rate")) and .writes > 0.01 * .ops and
		(.cpu_us_per_query * .ops / 1e6 / (.user_s + .sys_s) - 1 | fabs) < 0.4 * .writes / .ops'
}
ok 'what a query costs is by the queries alone' tries 3 costs_of_queries

# A second and a half of nothing in 3 seconds, which have a whole second or two: one of these can be better than the mean.
stall_voids () {
	kept=''
	left=3
	until [ -n "$kept" ] || [ $left -eq 0 ]
	do
		left=$((left - 1))
		! ib memstore --benchmarks=l.i0,l.x,qr1000 --threads=1 --duration=3 >"$work/out" || kept=1
	done
	row '.valid == 1 and .target_rate_met == 1 and .target_rate == 40 and .rows_per_sec > 900 and .rows_per_sec < 1100 and
		.rows_worst_second > 0 and .rows_worst_second <= 1.1 * .rows_per_sec and .queries_worst_second > 0 and
		.queries_worst_second <= 1.5 * .queries_per_sec and .cpu_us_per_query > 0 and .ctx_per_query >= 0 and
		.queries_worst_second != .rows_worst_second' || return 1 # of thousands: by chance the same once in as many
	status=0
	ib memstore --benchmarks=l.i0,l.x,qr1000 --threads=1 --duration=3 --memstore_stall_every=7000 --memstore_stall_ms=1500 \
		>"$work/out" || status=$?
	row ".benchmark == \"qr1000\" and .valid == 1 - $status and .valid == 0 and .target_rate_met == 0 and .rows_worst_second == 0 and
		.write_resp_max_ns >= 1.5e9 and (.invalid_reason | test(\"^the target rate of inserts and deletes was not met\"))"
}
ok 'a stall that loses the rate invalidates the step, which says so; without it the rate is kept' stall_voids

# Who deletes comes after, a get of half a millisecond for each row behind; who inserts waits for it,
# each time, whoever is given a CPU.
apart_and_together () {
	for _ in 1 2 3
	do
		ib memstore --benchmarks=l.i0,l.x,l.i1 --threads=1 --memstore_get_ns=500000 >"$work/out" || return 1
		row '.valid == 1 and .ops == 15 and .writes == 30 and .table_rows == 1050' || return 1
	done
}
ok 'who inserts and who deletes end a step together' apart_and_together

# Of four clients some wait for one another while all stop for the files to be copied: it hung nine times of ten.
copied_meanwhile () {
	for _ in 1 2
	do
		bench leveldb --benchmarks=l.i0,l.x,l.i1 --threads=4 --num=500 --writes=8000 --backup=0.1 --hang_timeout=20 >"$work/out" || return 1
		row '.benchmark == "l.i1" and .valid == 1 and .table_rows == 2000 and (.backup_by | test("^copy of files"))' || return 1
	done
}
ok 'a backup that stops all threads waits for none that waits for another one' copied_meanwhile

# A row of each kind, with what a machine may be too busy, or the run too short, to have.
is_drawn () {
	mkdir -p "$work/drawn" && rm -rf "$work/drawn/plots"
	ib lmdb --benchmarks=l.i0,l.x,l.i1,qr100,qp100 --duration=0.2 --json="$work/drawn-rows" >"$work/out" || :
	jq -c '.valid = 1 | .rows_worst_second = .rows_per_sec / 2 | if .target_rate then .queries_worst_second = 0 else . end' "$work/drawn-rows" \
		>"$work/drawn/results.json"
	# without the files of single runs it says so
	! "$top/scripts/plot.sh" "$work/drawn" >"$work/drawn-names" 2>"$work/err" || return 1
	[ "$(wc -l <"$work/err")" -eq 1 ] || { cat "$work/err"; return 1; }
	not_blank "$work/drawn/plots/insert-benchmark-rows.png" && not_blank "$work/drawn/plots/insert-benchmark-queries.png"
}
ok 'its steps are drawn, with the worst second beside the mean' is_drawn

# Of the 2920 deletes of l.i1 one is acknowledged and not done: a row or an entry that should be gone is there.
delete_lost () {
	status=0
	ib memstore --memstore_lose_every="$1" --benchmarks=l.i0,l.x,l.i1 --threads=1 >"$work/out" || status=$?
	row ".benchmark == \"l.i1\" and .valid == 1 - $status and .index_check == 1 and ($2)"
}
ok 'a delete that was lost is found by the check' delete_lost 2900 '.valid == 0 and .table_rows + .index_entries == 4201 and
	(.invalid_reason | test("client 0 has (1051|1050 rows|1051 entries)"))'
ok 'and one that was not is not' delete_lost 2921 '.valid == 1 and .table_rows == 1050 and .index_entries == 3150'

# killed_in ENGINE STEP CHECK REST: the process is killed in the step, which has done some of its work; then, opened again, what the
# tables hold agrees, and CHECK is true of the row that says so; the REST is as usual.
killed_in () {
	: >"$work/out"
	: >"$work/err"
	existing=1
	[ "$2" != l.i0 ] || existing=0
	# the first report is waited for, not looked for now and then: a quick engine has done the step by then
	[ -p "$work/reports" ] || mkfifo "$work/reports" || return 1
	exec 3<>"$work/reports"
	rm -f "$work/out"
	"$top/bench_$1" --db="$work/db-$1" --preset=insert-benchmark --num=10k --writes=100k --threads=2 --duration=60 --sync=1 \
		--supervise=0 --ib_check=0 --stats_interval=4 --benchmarks="$2" --use_existing_db=$existing >"$work/out" 2>"$work/reports" &
	child=$!
	# who rests does nothing that could be told
	if [ "$2" = wait ]
	then
		within 120 grep -q -- ---- "$work/out" && sleep 0.5
	else
		timeout 120 sed -n -e "w $work/err" -e '/thread [0-9]*: (/q' <&3
	fi || { kill -KILL $child; return 1; }
	kill -KILL $child
	exec 3<&-
	exits 137 $child || return 1
	status=0
	bench "$1" --preset=insert-benchmark --num=10k --threads=2 --sync=1 --use_existing_db=1 --benchmarks=l.check >"$work/out" || status=$?
	row "$3" || { cat "$work/err"; return 1; }
}
# Rows by the thousand, as 4 statements are a part of each step only.
agrees='.valid == 1 and .index_entries == 3 * .table_rows and .table_rows > 19000'
survives () {
	killed_in "$1" l.i0 '.table_rows > 0 and .table_rows < 20000 and .index_entries == 0 and
		(.invalid_reason | test("^the load of this database did not finish"))' || return 1
	bench "$1" --preset=insert-benchmark --num=10k --threads=2 --benchmarks=l.i0 >"$work/out" || return 1
	killed_in "$1" l.x '.valid == 1 and .table_rows == 20000 and .index_entries > 0 and .index_entries < 60000' || return 1
	! bench "$1" --preset=insert-benchmark --num=10k --threads=2 --use_existing_db=1 --benchmarks=l.i1 >"$work/out" 2>"$work/err" || return 1
	grep 'not all of them; put l.x before it' "$work/err" || return 1
	bench "$1" --preset=insert-benchmark --num=10k --threads=2 --use_existing_db=1 --benchmarks=l.x >"$work/out" || return 1
	row '.valid == 1 and .index_entries == 60000' || return 1
	for step in ${2:-l.i1 l.i2 wait qr100 qp100 qr500 qp500 qr1000 qp1000}
	do
		killed_in "$1" "$step" "$agrees" || { echo "in $step"; return 1; }
	done
}
killed_steps=''
[ -n "$long" ] || killed_steps='l.i1 qr1000'
for engine in $(if [ -n "$long" ]; then echo lmdb wiredtiger rocksdb sqlite bdb; else echo lmdb rocksdb; fi)
do
	ok "$engine: after kill -9 in a step of the Insert Benchmark indexes and rows agree" survives "$engine" "$killed_steps"
done
