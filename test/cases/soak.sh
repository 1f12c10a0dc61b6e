# soak.sh: aging passes, trends with intervals, and what is planted in bench_null.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# points of a line with noise of SEED, SLOPE % a million operations: the table of --trends
simulated () {
	awk -v seed="$1" -v slope="$2" 'BEGIN {
		srand(seed)
		for (i = 1; i <= 12; i++) {
			printf "{\"pass\":%d,\"ops\":%d,\"hours\":%f", i, i * 1e6, i / 10
			n = split("put_p99_ns get_p99_ns seek_p99_ns commit_p50_ns open_seconds disk_kb memory_kb", metric, " ")
			for (k = 1; k <= n; k++)
				printf ",\"%s\":%f", metric[k], 1000 * (1 + slope / 100 * i) + 10 * (rand() + rand() + rand() - 1.5)
			print "}"
		}
	}' >"$work/passes" || return 1
	"$top/scripts/soak.sh" --trends="$work/passes" >"$work/trends"
}
# a slope of 1 % on noise of 0.5 % is found within 10 %, in every metric
finds_slope () {
	simulated 1 1
	awk -F '\t' 'NR > 1 { n += $9 == "grows" && $3 > 0.9 && $3 < 1.1 && $4 < $3 && $3 < $5 && $6 > 9 && $6 < 11 } END { exit n != 7 }' \
		"$work/trends"
}
# SEED...: how many of these runs without a slope are silent in all metrics
silent_runs () {
	silent=0
	for run
	do
		simulated "$run" 0 || return 1
		[ "$(cut -f 9 "$work/trends" | sort -u | tr '\n' ' ')" != '- trend ' ] || silent=$((silent + 1))
	done
	echo "$silent of $# runs are silent"
}
silent_mostly () {
	silent_runs 1 2 3 4 5
	[ "$silent" -ge 4 ] || return 1
	[ -n "$long" ] || return 0
	# shellcheck disable=SC2046 # words, on purpose
	silent_runs $(seq 101 200)
	[ "$silent" -ge 90 ]
}
ok 'soak: a slope of 1 % a million operations is found within 10 %, per million operations and per hour' finds_slope
ok 'soak: runs without a trend are silent' silent_mostly

# 1 % of 93 MB per million calls, over ten processes, to each of which memory and calls are carried. What threads allocate on a busy
# machine is little beside it.
finds_leak () {
	for leak in 1 0
	do
		rm -rf "$work/soak" "$work/calls"
		"$top/scripts/soak.sh" --engines=null --num=800000 --passes=10 --kill_every=0 --out="$work/soak" -- \
			--null_leak=$leak --null_creep=0.000001 --null_calls_file="$work/calls" >"$work/out" || return 1
		awk -F '\t' -v leak=$leak '$1 == "memory_kb" { exit leak ? !($9 == "grows" && $3 > 0.85 && $3 < 1.1) : $9 == "grows" && $3 > 0.05 }' \
			"$work/soak/null.tsv" || { cat "$work/out"; return 1; }
	done
}
ok 'soak: a leak planted in bench_null is found, and none where there is none' finds_leak

# creep of 100 % a million calls, in the median of single commits, which a busy machine does not move
finds_creep () {
	rm -rf "$work/soak" "$work/calls"
	"$top/scripts/soak.sh" --engines=null --num=10000 --passes=10 --kill_every=0 --out="$work/soak" -- \
		--null_creep=100 --null_put_ns=5000 --null_calls_file="$work/calls" >"$work/out" || return 1
	awk -F '\t' '$1 == "commit_p50_ns" { exit !($9 == "grows" && $3 > 90 && $3 < 110) }' "$work/soak/null.tsv" ||
		{ cat "$work/out"; return 1; }
}
ok 'soak: creep planted in bench_null is found within 10 %' finds_creep

# A pace goes to each part of each pass; what calls take is their service time, of which at a rate that no put keeps the responses
# are many times; and the hours are at least those that the rate takes.
paced () {
	rm -rf "$work/soak"
	"$top/scripts/soak.sh" --engines=null --num=5000 --passes=2 --kill_every=0 --out="$work/soak" -- --rate=50000 \
		--null_put_ns=40000 >"$work/out"
	jq -es 'length == 13 and all(.[]; .valid == 1 and .target_rate == 50000 and .ops_per_sec <= 50100)' "$work/soak/null.json"
	jq -es --slurpfile passes "$work/soak/null.passes.json" '
		[.[] | select(.benchmark == "soak-churn")] as $churn | [.[] | select(.benchmark == "overwrite")] as $commits |
		($passes | map(.put_p99_ns) == ($churn | map(.write_p99_ns)) and (map(.commit_p50_ns) == ($commits | map(.write_p50_ns)))) and
		all($churn[]; .write_resp_p99_ns > 0) and (map(.ops) | add) == $passes[-1].ops and
		$passes[-1].hours * 3600 >= ($passes[-1].ops - .[0].ops) / 50000' "$work/soak/null.json"
}
ok 'soak: a rate is that of each part of a pass, and the trends are of service times' paced

# a pass expires a tenth, inserts it again, and each record is found after it, read back whole
restores () {
	rm -rf "$work/soak"
	bench lmdb --num=2000 --benchmarks=fillseqbatch --durability=none >"$work/out" &&
		bench lmdb --num=2000 --use_existing_db=1 --preset=soak --durability=none --reads=3000 --writes=10 --verify=1 >"$work/out" &&
		jq -es '.[-6:] | map(.benchmark) == ["soak-churn", "soak-expire", "seekrandom", "soak-refill", "overwrite", "readrandom"] and
			all(.[]; .valid == 1) and .[1].ops == 200 and .[5].found == 3000 and .[5].missing == 0' "$work/rows" &&
		grep -x 'complete 1' "$work/db-lmdb/assay.db"
}
ok 'soak: a pass deletes a tenth of the records and restores it, with a row for each part' restores
# With half the records a refill restores half of what is expired.
restores_half () {
	bench lmdb --num=2000 --benchmarks=fillseqbatch,soak-expire >"$work/out" &&
		bench lmdb --num=1000 --use_existing_db=1 --benchmarks=soak-refill >"$work/out" &&
		bench lmdb --num=2000 --use_existing_db=1 --benchmarks=readrandom >"$work/out" &&
		row '.valid == 1 and .missing > 0' && grep -x 'complete 0' "$work/db-lmdb/assay.db" &&
		bench lmdb --num=2000 --use_existing_db=1 --benchmarks=soak-refill,readrandom >"$work/out" &&
		row '.valid == 1 and .missing == 0' && grep -x 'complete 1' "$work/db-lmdb/assay.db"
}
ok 'soak: a refill of fewer records than had expired leaves the database incomplete' restores_half

# process_leak LEAK NUM PUT_NS: LEAK % of NUM records a million calls, within each of eight processes. The memory goes with the process.
process_leak () {
	rm -rf "$work/soak"
	"$top/scripts/soak.sh" --engines=null --num="$2" --passes=9 --kill_every=0 --out="$work/soak" -- \
		--null_leak="$1" --null_put_ns="$3" >"$work/out" || return 1
	awk -F '\t' -v planted="$(($1 * $2 * 116 / 102400))" '
		$1 == "process_kb" { kb = $2 * $3 / 100; found = planted ? $9 == "grows" && kb > 0.9 * planted && kb < 1.1 * planted : $9 == "-" }
		$1 == "memory_kb" && $9 == "grows" { bad = 1 } END { exit !found || bad }' "$work/soak/null.tsv" || { cat "$work/out"; return 1; }
}
# Ten times the records' bytes: what the kernel counts of memory is wrong by a quarter of a megabyte, as it adds up what each CPU
# has counted when that is 32 pages. A busy machine reads memory later than what was done until then: not three times.
finds_process_leak () {
	process_leak "$@" || process_leak "$@" || process_leak "$@"
}
ok 'soak: a leak within a process, planted in bench_null, is found within 10 %' finds_process_leak 1000 100000 6000
# where there is none, the harness itself does not grow by a page
process_is_constant () {
	rm -f "$work/timeline"
	bench null --num=30000 --benchmarks=soak-churn --use_existing_db=1 --null_put_ns=60000 --timeline="$work/timeline" \
		--timeline_interval=0.05 >"$work/out"
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["thread"] == "all" { n++; kb[n] = $at["rss_anon_kb"] } END { print n, kb[int(n / 4)], kb[n]; exit n < 20 || kb[n] - kb[int(n / 4)] > 8 }' \
		"$work/timeline"
}
ok 'soak: without one the memory of a process stays as it is' process_is_constant
silent_processes () {
	silent=0
	for _ in $(seq 20)
	do
		! process_leak 0 100000 6000 || silent=$((silent + 1))
	done
	echo "$silent of 20 runs are silent"
	[ "$silent" -ge 19 ]
}
if [ -n "$long" ]
then
	ok 'soak: so is one of 1 % of a million records a million operations' finds_process_leak 1 1000000 2000
	ok 'soak: 19 of 20 runs without one are silent' silent_processes
fi

# a put that is acknowledged, and written with the next but one: kill -9 loses one in a put, and two between puts
finds_lost_commit () {
	for late in 1 0
	do
		rm -rf "$work/soak"
		status=0
		"$top/scripts/soak.sh" --engines=flat --num=1000 --passes=1 --kill_every=1 --out="$work/soak" -- --flat_late="$late" --reads=50 \
			>"$work/out" 2>&1 || status=$?
		cat "$work/out"
		[ "$status" -eq "$late" ] || return 1
		jq -es --argjson late "$late" '.[1] | .lost >= $late and .lost <= 2 * $late and .acknowledged > 50 and .records_missing == 0 and
			.wrong == 0' "$work/soak/flat.passes.json" || return 1
	done
	grep '^1 kills: [0-9]* commits were acknowledged, 0 are lost$' "$work/out"
}
ok 'soak: a commit that kill -9 loses in the soaked database is found, and none where none is lost' finds_lost_commit

journal_refused () {
	fails 2 'there is no journal to read' "$top/bench_null" --benchmarks=verify-journal --num=100 &&
		fails 2 '--commit_journal: mix does more than single puts' "$top/bench_null" --benchmarks=mix --num=100 --commit_journal="$work/journal" &&
		fails 2 'overwrite: --slow_calls and --commit_journal cannot both' "$top/bench_null" --benchmarks=overwrite --num=100 \
			--commit_journal="$work/journal" --slow_calls=10 &&
		echo nothing >"$work/journal" && fails 1 'is no journal of a database with 100 records' "$top/bench_null" \
			--benchmarks=fillseq,verify-journal --num=100 --commit_journal="$work/journal"
}
# The puts of both threads are listed, and read back.
journal_lists () {
	rm -f "$work/journal"
	bench lmdb --benchmarks=fillseq,overwrite,verify-journal --num=200 --writes=100 --threads=2 --commit_journal="$work/journal" >"$work/out" &&
		row '.benchmark == "verify-journal" and .valid == 1 and .journal_commits == 200 and .journal_lost == 0'
}
ok 'soak: --commit_journal lists each put of the workload, and all are read back' journal_lists
# A list has room for 2^20 puts. A run that would need more says why it ends, with and without an end by time; one that just fills it is whole.
journal_full () {
	for end in --writes=1100k --duration=60
	do
		status=0
		bench null --benchmarks=fillseq,overwrite --num=1000 $end --commit_journal="$work/full" >"$work/out" 2>"$work/err" || status=$?
		cat "$work/err"
		[ $status -eq 1 ] || return 1
		row '.valid == 0 and .ops == 1048576 and .partial == 1 and
			(.invalid_reason | test("commit_journal is full with 1048576 puts, which ended the run"))' || return 1
	done
	bench null --benchmarks=fillseq,overwrite --num=1000 --writes=1048576 --commit_journal="$work/full" >"$work/out" || return 1
	row '.valid == 1 and .ops == 1048576 and .partial == 0'
	rm "$work/full"
}
ok 'soak: a --commit_journal that is full says that it ended the run' journal_full
# The journal of 400 puts to 50 records, and the database after the first 200 of them: the other 200 are lost, though each record
# has an older put of the same thread.
journal_finds_older () {
	rm -f "$work/rows" "$work/journal"
	for writes in 200 400
	do
		"$top/bench_lmdb" --db="$work/older$writes" --benchmarks=fillseq,overwrite --num=50 --writes=$writes --commit_journal="$work/journal" >"$work/out" || return 1
	done
	for writes in 400 200
	do
		"$top/bench_lmdb" --db="$work/older$writes" --use_existing_db=1 --benchmarks=verify-journal --num=50 --commit_journal="$work/journal" \
			--json="$work/rows" >"$work/out" 2>&1 || :
	done
	jq -c '[.valid, .journal_commits, .journal_lost, .invalid_reason]' "$work/rows"
	jq -es 'map([.valid, .journal_commits, .journal_lost]) == [[1, 400, 0], [0, 400, 200]]' "$work/rows"
}
# killed ENGINE FILL RUN: what is acknowledged at durability RUN outlives kill -9, also in a database that was loaded at durability FILL.
killed () {
	rm -rf "$work/rows" "$work/journal" "$work/killed" "$work/err"
	"$top/bench_$1" --db="$work/killed" --benchmarks=fillseqbatch --num=1000 --durability="$2" >"$work/out" || return 1
	"$top/bench_$1" --db="$work/killed" --use_existing_db=1 --benchmarks=overwrite --num=1000 --duration=60 --durability="$3" \
		--commit_journal="$work/journal" --supervise=0 --stats_interval=100 >"$work/out" 2>"$work/err" &
	writer=$!
	within 60 grep -q 'thread 0: (100,' "$work/err" || { kill -9 $writer; return 1; }
	kill -9 $writer
	wait $writer 2>"$work/status" || :
	"$top/bench_$1" --db="$work/killed" --use_existing_db=1 --benchmarks=verify-journal --num=1000 --durability="$3" \
		--commit_journal="$work/journal" --json="$work/rows" >"$work/out" 2>&1 || cat "$work/out"
	row '.valid == 1 and .journal_commits >= 100 and .journal_lost == 0'
}
[ ! -x "$top/bench_wiredtiger" ] ||
	ok 'soak: WiredTiger keeps its commits, also in a database that was loaded without a log' killed wiredtiger none async
ok 'soak: an older put of the same record does not stand for one that is lost' journal_finds_older
ok 'soak: --commit_journal refuses what it cannot list, and a file that is no journal' journal_refused

week () {
	"$top/scripts/soak.sh" --week=1000 --num=100000000 >"$work/out" && grep -q ' is 5.04 passes$' "$work/out" &&
		"$top/scripts/soak.sh" --help | grep -q '5.04 passes a week'
}
ok 'soak: --week converts a week of writes to passes' week
