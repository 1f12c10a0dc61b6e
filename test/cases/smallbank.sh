# smallbank.sh: SmallBank on every engine that has transactions that read: to the cent, after any conflict or crash.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

with_transactions='lmdb sqlite wiredtiger bdb'

bank () {
	make_quiet build/smallbank && "$top/build/smallbank"
}
ok 'each transaction is what its definition says, and each check finds its fault' bank
grep -c '^ok' "$work/log" | sed 's/^/# of SmallBank: ok /'

# What any procedure asks of an engine, at each of its ends.
procedures () {
	make_quiet build/procedure && "$top/build/procedure"
}
ok 'procedures ask their engine for what each of their ends needs, and report what was gone' procedures

# smallbank ENGINE ARGUMENTS...: loaded, run, and what it printed in $work/out
smallbank () {
	engine=$1
	shift
	bench "$engine" --preset=smallbank --num=1000 "$@" >"$work/out" 2>"$work/err"
}

# Alone every engine is asked the same, and has the same answers.
same_answers () {
	rm -f "$work/rows"
	for engine in memstore $with_transactions
	do
		smallbank "$engine" --verify=1 --reads=5000 || { cat "$work/err"; return 1; }
	done
	for way in transaction_db optimistic_transaction_db
	do
		smallbank rocksdb --verify=1 --reads=5000 --$way=1 || { cat "$work/err"; return 1; }
	done
	jq -es 'map(select(.benchmark == "smallbank")) | length == 7 and (map([.digest, .commits, .aborts, .bytes]) | unique | length == 1) and
		all(.valid == 1 and .wrong == 0 and .ops == 5000 and .ops == .reads + .commits + .aborts and .aborts > 0 and
			.reads > 600 and .reads < 900 and .entries > 2 * .ops and .conflicts == 0 and .write_skews == 0 and .txn == 1 and
			.distribution == "uniform" and (.mix | test("payment:25")) and .read_p50_ns > 0 and .write_p50_ns > 0)' "$work/rows"
}
ok 'alone, every engine gives the same answers, and all money is there' same_answers

# A transaction that commits writes one to three records of 72 bytes; by the mix some 1.6, and one that aborts none.
written () {
	smallbank lmdb --reads=5000 || { cat "$work/err"; return 1; }
	tail -n 1 "$work/rows" | jq -c '[.writes, .commits, .io_wchar_bytes, .write_amp]'
	row '.io_wchar_bytes / .write_amp / 72 / .commits | . > 1.4 and . < 1.9'
}
ok 'and write amplification is by the records that were written' written

# Transactions step no iterator: the 2,000 steps are those of the count.
counters_of_run () {
	rm -f "$work/counters"
	smallbank rocksdb --transaction_db=1 --reads=10 --engine_counters="$work/counters" || { cat "$work/err"; return 1; }
	awk -F '\t' '$4 == "smallbank" && $9 == "rocksdb.number.db.next" { print $10, $11; none = $10 == 2000 && $11 == 2000 } END { exit !none }' "$work/counters"
}
ok "what counts all records is in no difference of an engine's counters" counters_of_run

# None of these has snapshot isolation: one writer, or locks on what was read to be written.
hot () {
	for engine in memstore $with_transactions
	do
		smallbank "$engine" --threads=4 --reads=3000 --hot_share=0.9 --hot_customers=3 || { cat "$work/out" "$work/err"; return 1; }
		row '.valid == 1 and .ops == 12000 and .ops == .reads + .commits + .aborts and .distribution == "hotspot, 0.9 on the first 3 customers" and
			(.write_skews == 0 or .engine == "wiredtiger") and (.conflicts == 0 or .retry_s > 0)' || return 1
	done
}
ok 'on hot spots no update is lost, and one writer or locks let no skew through' hot

# Threads that wait for each other's locks go on when a time is over.
hot_rocks () {
	for way in transaction_db optimistic_transaction_db
	do
		for snapshot in 0 1
		do
			smallbank rocksdb --threads=4 --reads=1000 --hot_share=0.9 --hot_customers=3 --$way=1 --transaction_lock_timeout=2 \
				--transaction_set_snapshot=$snapshot || return 1
			row '.valid == 1 and .write_skews == 0 and .ops == .reads + .commits + .aborts' || return 1
		done
	done
	fails 2 'exclude each other' "$top/bench_rocksdb" --db="$work/untouched" --transaction_db=1 --optimistic_transaction_db=1
}
ok "and by RocksDB's transactions of both kinds" hot_rocks

# Commits that are synced leave the time for one. Ten runs, as it takes two processes that meet.
skew_is_found () {
	for _ in 1 2 3 4 5 6 7 8 9 10
	do
		smallbank wiredtiger --threads=8 --duration=1 --hot_share=1 --hot_customers=3 --sync || return 1
		row '.valid == 1 and .conflicts > 0' || return 1
		! row '.write_skews > 0' || return 0
	done
	return 1
}
ok "snapshot isolation's write skew is found in WiredTiger" skew_is_found

# The same parameters: a retry does not draw new ones.
gives_way () {
	smallbank memstore --reads=20000 && row '.conflicts == 0' || return 1
	tail -n 1 "$work/rows" | jq -c '[.digest, .commits, .aborts, .bytes, .entries]' >"$work/straight"
	smallbank memstore --reads=20000 --batch_size=10 --memstore_conflict_every=50 --memstore_conflicts=3 &&
		row '.valid == 1 and .conflicts > 500 and .retries == .conflicts' || return 1
	tail -n 1 "$work/rows" | jq -c '[.digest, .commits, .aborts, .bytes, .entries]' | diff "$work/straight" -
}
ok 'a retry uses the same parameters, and is counted once' gives_way

# one in so many, of a million and a few more
loses_one () {
	smallbank memstore --reads=1000000 --memstore_lose_every=1000000 && return 1
	cat "$work/out"
	row '.benchmark == "smallbank" and .valid == 0 and .commits > 600000 and (.invalid_reason | test("lost or done twice|done in part"))'
}
ok 'an engine that loses one update in a million is invalid' loses_one

# Every payment that loses one of its two is found by who comes next, too.
torn () {
	smallbank memstore --reads=300 --memstore_lose_every=20 --benchmarks=smallbank-load,smallbank,smallbank && return 1
	cat "$work/out"
	row '.valid == 0 and .ops == 0 and (.invalid_reason | test("payments were done in part"))'
}
ok 'money that was moved in part is found before anything is measured' torn

# Half of the money that is there at the end was moved before the figures.
warms_up () {
	for engine in memstore lmdb
	do
		smallbank $engine --threads=3 --warmup=0.4 --duration=0.4 || { cat "$work/out" "$work/err"; return 1; }
		row '.valid == 1 and .ops == .reads + .commits + .aborts and .seconds < 30 and .warmup_s == 0.4' || return 1
	done
}
ok 'what was committed in the warm-up is in the sum and not in the figures' warms_up

at_a_rate () {
	smallbank lmdb --threads=2 --rate=1000 --duration=1 --timeline="$work/timeline" --hdr="$work/hdr" || { cat "$work/err"; return 1; }
	row '.valid == 1 and .target_rate == 1000 and .ops > 100 and .ops < 1100 and .write_resp_p50_ns > 0 and .read_resp_p50_ns > 0' || return 1
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["thread"] == "all" && $at["benchmark"] == "smallbank" { sum += $at["ops"] } END { print sum }' "$work/timeline" >"$work/sum"
	row ".ops == $(cat "$work/sum")"
}
ok 'a rate, a duration and a timeline go with it' at_a_rate

# A run that is killed, and the database it leaves; SIGKILL when it is at work.
survives () {
	for engine in $with_transactions
	do
		bench "$engine" --preset=smallbank --num=1000 --benchmarks=smallbank-load >"$work/out" || return 1
		rm -f "$work/err"
		"$top/bench_$engine" --db="$work/db-$engine" --preset=smallbank --num=1000 --benchmarks=smallbank --use_existing_db=1 --sync \
			--threads=4 --duration=60 --stats_interval=20 --supervise=0 >"$work/out" 2>"$work/err" &
		killed=$!
		within 30 grep -q 'ops' "$work/err" || return 1
		kill -KILL $killed
		exits 137 $killed || return 1
		bench "$engine" --preset=smallbank --num=1000 --benchmarks=smallbank --use_existing_db=1 --reads=500 >"$work/out" || { cat "$work/out"; return 1; }
		row '.valid == 1 and .ops == 500' || return 1
	done
}
ok 'after kill -9 at sync no payment was done in part, and the bank goes on' survives

refuses () {
	for engine in rocksdb leveldb
	do
		fails 2 "smallbank-load: .* has no transactions that read" "$top/bench_$engine" --db="$work/untouched" --preset=smallbank || return 1
	done
	while IFS='|' read -r pattern arguments
	do
		# shellcheck disable=SC2086 # words
		fails 2 "$pattern" "$top/bench_lmdb" --db="$work/untouched" $arguments || return 1
	done <<'END'
smallbank needs a database|--benchmarks=smallbank
smallbank needs other records than fillseq loads|--benchmarks=fillseq,smallbank
readrandom needs other records than smallbank-load loads|--benchmarks=smallbank-load,readrandom
--value_size: smallbank-load needs values of one size|--benchmarks=smallbank-load --value_size=50-100
of at least 56 bytes|--benchmarks=smallbank-load --value_size=55
--hot_customers: 11 of 10 customers|--benchmarks=smallbank-load --num=10 --hot_customers=11
at least two customers|--benchmarks=smallbank-load --num=1
--cold=1: smallbank reads all records|--benchmarks=smallbank-load,smallbank --cold=1
END
	[ ! -e "$work/untouched" ] || return 1
	fails 2 'null engine discards writes' "$top/bench_null" --preset=smallbank
}
ok 'engines and records that cannot are refused by name, before anything is touched' refuses

# A database of other records, and a bank, each in the other's place.
mixes_not () {
	bench lmdb --preset=smallbank --num=1000 --benchmarks=smallbank-load >"$work/out" &&
		fails 2 'holds other records than readrandom needs' "$top/bench_lmdb" --db="$work/db-lmdb" --use_existing_db=1 \
			--benchmarks=readrandom --num=1000 --key_size=8 --key_format=binary --value_size=64 &&
		bench lmdb --benchmarks=fillseq --num=2000 --key_size=8 --key_format=binary --value_size=64 >"$work/out" &&
		fails 2 'holds other records than smallbank needs' "$top/bench_lmdb" --db="$work/db-lmdb" --use_existing_db=1 \
			--benchmarks=smallbank --num=1000
}
ok 'a bank is no other database, and no other is a bank' mixes_not
