# clients.sh: several clients at once: that they begin together, share a store, and what their histograms come to.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

make_quiet build/hdrmerge 2>"$work/err" || cat "$work/err"
theirs=HISTFAAAAEV4nJNpmSzMwMCwlwECmCAU8wsgdjPYsYDB/gNE5DknkyKTKBiKQ2kIixMFcqPxkcWY8UJWAvLY1TExoiMMASACABFDCfA=
# merged NAME TAG: that column of the last merging
merged () {
	awk -F '\t' -v name="$1" -v tag="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } $1 == tag { print $at }' "$work/merged"
}
# client N READS ARGUMENTS...: the null engine, of which a call takes N us
client () {
	us=$1 reads=$2
	shift 2
	"$top/bench_null" --num=1k --benchmarks=readrandom --null_get_ns="${us}000" --reads="$reads" --hdr_log="$work/client$us.log" \
		--json="$work/client$us.json" "$@" >"$work/client$us.out" 2>"$work/client$us.err"
}
# begun_apart ARGUMENTS...: four clients whose processes begin a second apart
begun_apart () {
	rm -f "$work"/client?.*
	for us in 1 2 3 4
	do
		client $us 1000 "$@" &
		sleep 1
	done
	wait
	"$top/build/hdrmerge" "$work"/client?.log >"$work/merged"
}
together () {
	begun_apart || return 1
	merged start_skew_s null.readrandom.read
	merged start_skew_s null.readrandom.read | awk '{ exit !($1 > 2.5) }' && [ "$(merged overlap_percent null.readrandom.read)" = 0.0 ] || return 1
	at=$(($(date +%s) + 12))
	begun_apart --start_at=$at || return 1
	cat "$work/merged"
	merged start_skew_s null.readrandom.read | awk '{ exit !($1 < 2) }' &&
		merged began null.readrandom.read | awk -v at=$at '{ exit !($1 >= at && $1 < at + 2) }' && ! grep start_at "$work/client1.err"
}
ok 'clients with --start_at begin together, and what is merged says how far apart they were' tries 2 together
late () {
	client 1 1000 --start_at=1000000000 && grep -q -e '--start_at had passed by [0-9.]* s' "$work/client1.err"
}
ok 'and a client that came too late says so' late

# 40, 30, 20 and 10 % of all calls take 1, 2, 3 and 4 us, so half of all are below the 2 us, and 95 % below the 4 us. The mean of
# the clients' percentiles is 2.5 us for either.
pools () {
	rm -f "$work"/client?.* "$work/again.log"
	client 1 40000 && client 2 30000 && client 3 20000 && client 4 10000 || return 1
	"$top/build/hdrmerge" --hdr_log="$work/again.log" "$work"/client?.log >"$work/merged" || return 1
	cat "$work/merged"
	[ "$(merged count null.readrandom.read)" = 100000 ] && [ "$(merged clients null.readrandom.read)" = 4 ] || return 1
	jq -es --argjson p50 "$(merged p50_ns null.readrandom.read)" --argjson p95 "$(merged p95_ns null.readrandom.read)" '
		def off($of): (. / $of - 1) | fabs;
		map(.read_p50_ns) as $own | ($own | add / 4) as $mean50 | (map(.read_p95_ns) | add / 4) as $mean95 |
		{own: $own, merged: [$p50, $p95], means: [$mean50, $mean95]} | debug |
		($p50 | off($own[1]) < 0.02) and ($p95 | off($own[3]) < 0.02) and ($mean50 | off($p50) > 0.1) and ($mean95 | off($p95) > 0.1)' \
		"$work/client1.json" "$work/client2.json" "$work/client3.json" "$work/client4.json" || return 1
	# what was merged is a log again, of the same counts
	cut -f 1,3,5-12 "$work/merged" >"$work/first" && "$top/build/hdrmerge" "$work/again.log" | cut -f 1,3,5-12 | cmp - "$work/first"
}
ok "merged percentiles of clients with known latencies are those of all calls, and means of percentiles are not" tries 3 pools

# Of two calls the median is the shorter one, whichever that is.
nearest_rank () {
	rm -f "$work"/client?.*
	client 1 1 && client 2 1 && "$top/build/hdrmerge" "$work"/client?.log >"$work/merged" || return 1
	jq -es --argjson p50 "$(merged p50_ns null.readrandom.read)" --argjson p99 "$(merged p99_ns null.readrandom.read)" '
		map(.read_max_ns) | [$p50 / min, $p99 / max] | debug | all(. - 1 | fabs < 0.01)' "$work/client1.json" "$work/client2.json"
}
ok 'and are by nearest rank, as the percentiles of rows' nearest_rank

# a log of HdrHistogram's own library: 100 values from 1 to 10.9 ms, two digits, compressed
reads_theirs () {
	printf '#[Histogram log format version 1.3]\n"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"\n%s\n' \
		"Tag=x,5.5,2.0,10.9,$theirs" "3.0,1.0,10.9,$theirs" >"$work/theirs.log"
	"$top/build/hdrmerge" "$work/theirs.log" "$work/theirs.log" >"$work/merged" || return 1
	cat "$work/merged"
	[ "$(merged count x)" = 200 ] && [ "$(merged began x)" = 5.500000 ] && merged p50_ns x | awk '{ exit !($1 > 5.9e6 && $1 < 6.1e6) }' &&
		merged max_ns x | awk '{ exit !($1 > 10.8e6 && $1 < 11e6) }' && [ "$(merged count '')" = 200 ]
}
ok "HdrHistogram's own logs are read, with other digits and compressed" reads_theirs
refuses_logs () {
	echo 'secs,of,something,else' >"$work/other" && cp "$work/other" "$work/before" &&
		fails 2 'hdr_log: .*has another header' "$top/bench_null" --num=10 --benchmarks=readrandom --hdr_log="$work/other" &&
		cmp "$work/other" "$work/before" && fails 1 'other:1: its start is not a number' "$top/build/hdrmerge" "$work/other" &&
		fails 2 'cannot read .*nosuch' "$top/build/hdrmerge" "$work/nosuch" && fails 2 'which logs' "$top/build/hdrmerge" || return 1
	# every histogram that is cut short, or has a wrong letter in it, is refused or read, and never more than that
	cut=1
	while [ $cut -lt ${#theirs} ]
	do
		echo "1,1,1,$(printf %s "$theirs" | cut -c 1-$cut)" >"$work/short"
		status=0
		"$top/build/hdrmerge" "$work/short" >"$work/out" 2>"$work/err" || status=$?
		[ $status -eq 1 ] || { echo "cut after $cut: status $status"; return 1; }
		cut=$((cut + 7))
	done
}
ok 'what is no log is refused and not written to, and so is one cut short' refuses_logs

# Versions 0 and 1 of the payload, by HdrHistogram 1.2.1 and 2.1.4: 100 values from 1 to 10.9 ms, which have these percentiles.
reads_older () {
	for payload in "HISTiQAAAHR4nO3OsQ2AMBBDUQfWYAUKdmIUCnqWZAwESpUmQgrnIP1XpHBO55u2Y5c06DGe95uWWdkqAAAAAAAAAG7JfUDh63vY30cP+737o3re7me+7XxUD/Pe+aieVvPkMbm7nzwmd/fX8vLfnfdyR+0+4JcuRZED0A==" \
		"HISTggAAAHh4nO3OsQ2AMAxEUQfWoGEACjo6ZkNiA5akZIQIpQsFQgo+F/8VIF0sn4f92MzGxYqu/Prz/qZ5svUyAAAAAAAAADEk9QGVv+9hf4we9mv3e/V83c9823mvHua18149rebJfXJ1P7lPru5/y+t3dR7ljkeeAciKBO0="
	do
		echo "1.5,2.0,10.9,$payload" >"$work/older.log" && "$top/build/hdrmerge" "$work/older.log" >"$work/merged" || return 1
		cat "$work/merged"
		[ "$(merged count '')" = 100 ] && awk -F '\t' 'function near(at, ms) { return $at > 0.992 * ms * 1e6 && $at < 1.008 * ms * 1e6 }
			END { exit !($5 > 5.94e6 && $5 < 5.97e6 && near(6, 5.9) && near(7, 9.9) && near(9, 10.8) && near(12, 10.9)) }' "$work/merged" || return 1
		# a word less, a byte less
		for cut in 4 8 12 40
		do
			echo "1.5,2.0,10.9,$(printf %s "$payload" | cut -c 1-$((${#payload} - cut)))" >"$work/older.log"
			fails 1 'older.log:1: ' "$top/build/hdrmerge" "$work/older.log" || return 1
		done
	done
}
ok 'and payloads of its versions 0 and 1, as YCSB writes them' reads_older
# began_of HEADER: of a log with those first lines and starts 0.127 and 10
began_of () {
	printf '#[Histogram log format version 1.3]\n%s\n"StartTimestamp","Interval_Length"\n0.127,1.0,10.9,%s\n10,1.0,10.9,%s\n' "$1" "$theirs" "$theirs" >"$work/times.log"
	"$top/build/hdrmerge" "$work/times.log" >"$work/merged" && merged began ''
}
times_of_headers () {
	start='#[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 08:24:39 PDT 2015]'
	base='#[BaseTime: 1441800000.000 (seconds since epoch)]'
	began_of "$start" >"$work/began" && merged start_skew_s '' >>"$work/began" && began_of "$base" >>"$work/began" && began_of "$start
$base" >>"$work/began" && began_of '#[BaseTime: 100.5]' >>"$work/began" && began_of '#[StartTime: 31536000 (seconds since epoch)]' >>"$work/began" || return 1
	cat "$work/began"
	[ "$(paste -s -d ' ' "$work/began")" = '1441812279.601000 9.873000 1441800000.127000 1441800000.127000 100.627000 0.127000' ] || return 1
	# two logs with the same starts, 9,000 s apart, alone and in one file
	for from in 1441812279.000 1441821279.000
	do
		printf '#[StartTime: %s (seconds since epoch)]\n1.0,2.0,10.9,%s\n' $from "$theirs" >"$work/from$from"
	done
	cat "$work"/from* >"$work/both"
	for logs in "$work/from1441812279.000 $work/from1441821279.000" "$work/both"
	do
		# shellcheck disable=SC2086 # words
		"$top/build/hdrmerge" $logs >"$work/merged" || return 1
		cat "$work/merged"
		[ "$(merged began '')" = 1441812280.000000 ] && [ "$(merged start_skew_s '')" = 9000.000000 ] &&
			[ "$(merged overlap_percent '')" = 0.0 ] && [ "$(merged seconds '')" = 9002.000000 ] || return 1
	done
}
ok "the starts of a log are from its #[BaseTime] or #[StartTime], as HdrHistogram's reader has it" times_of_headers
malformed_numbers () {
	for line in 7.1a33,1,1 abc,1,1 nan,1,1 inf,1,1 0x10,1,1 ,1,1 -1,1,1 1,x,1 1,-1,1 1,,1 '1, 1,1' 1,1,x '#[StartTime: x (seconds since epoch)]' '#[BaseTime: ]'
	do
		printf '#[Histogram log format version 1.3]\n%s,%s\n' "$line" "$theirs" >"$work/bad.log"
		fails 1 'bad.log:2: its .* is not a number from 0' "$top/build/hdrmerge" "$work/bad.log" || return 1
		[ ! -s "$work/stdout" ] || return 1
	done
	printf '#[Histogram log format version 1.3]\r\n\r\nTag=x,5.5,2.0,10.9,%s\r\n' "$theirs" >"$work/crlf.log" && "$top/build/hdrmerge" "$work/crlf.log" >"$work/merged" &&
		[ "$(merged count x)" = 100 ] || return 1
	printf '1,1,1,%s' "$theirs" >"$work/whole.log"
	fails 1 'whole.log:1: the last line has no end' "$top/build/hdrmerge" "$work/whole.log" || return 1
	# a client whose log has no histogram is missed
	: >"$work/empty.log"
	fails 1 'no histogram in .*empty.log' "$top/build/hdrmerge" "$work/crlf.log" "$work/empty.log" && fails 2 'cannot read .*: Is a directory' "$top/build/hdrmerge" "$work"
}
ok 'malformed starts and lengths are refused with the line, and so is a log without a histogram' malformed_numbers

shares () {
	rm -f "$work"/shared*
	bench lmdb --benchmarks=fillseqbatch --num=1k >"$work/out" || return 1
	at=$(($(date +%s) + 3))
	for one in 1 2
	do
		"$top/bench_lmdb" --db="$work/db-lmdb" --use_existing_db=1 --multiprocess_read=1 --benchmarks=readrandom --num=1k --duration=4 --start_at=$at \
			--hdr_log="$work/shared.log" --json="$work/shared$one" >"$work/out$one" 2>"$work/err$one" &
	done
	within 5 sh -c "! flock -n -x '$work/db-lmdb/assay.db' true"
	status=0
	"$top/bench_lmdb" --db="$work/db-lmdb" --use_existing_db=1 --benchmarks=readrandom --num=1k >"$work/out" 2>"$work/err" || status=$?
	cat "$work/err"
	wait
	[ $status -eq 2 ] && grep -q 'in use by another process' "$work/err" && jq -es 'length == 2 and all(.[]; .valid == 1)' "$work/shared1" "$work/shared2" &&
		"$top/build/hdrmerge" "$work/shared.log" >"$work/merged" && cat "$work/merged" && [ "$(merged clients lmdb.readrandom.read)" = 2 ] &&
		merged overlap_percent lmdb.readrandom.read | awk '{ exit !($1 > 0) }' &&
		fails 2 'overwrite changes the database' "$top/bench_lmdb" --db="$work/db-lmdb" --use_existing_db=1 --multiprocess_read=1 --benchmarks=overwrite &&
		fails 2 'needs workloads that only read, and --use_existing_db=1' "$top/bench_lmdb" --db="$work/db-lmdb" --multiprocess_read=1 --benchmarks=readrandom
}
ok 'clients share a store that they only read, and nobody else has it meanwhile' tries 3 shares

# at_once ARGUMENTS...: four clients of the null engine, whose calls take 1 to 4 us, by clients.sh
at_once () {
	rm -rf "$work/at-once"
	"$top/scripts/clients.sh" --clients=4 --out="$work/at-once" "$top/bench_null" --num=1k "$@"
}
# The first benchmark lasts 0.5 s for one and 2 s for another; the second begins together all the same.
meet_again () {
	at_once --benchmarks=readrandom,readhot --reads=500k --null_get_ns=%k000 --seed=7 >"$work/merged" 2>"$work/err" ||
		{ cat "$work/merged" "$work/err"; return 1; }
	cat "$work/merged"
	for benchmark in readrandom readhot
	do
		[ "$(merged clients null.$benchmark.read)" = 4 ] && [ "$(merged count null.$benchmark.read)" = 2000000 ] &&
			merged start_skew_s null.$benchmark.read | awk -v ends="$(merged end_skew_s null.readrandom.read)" '{ exit !($1 < ends / 2) }' &&
			jq -es --arg name $benchmark --argjson begins "$(merged start_skew_s null.$benchmark.read)" \
				--argjson ends "$(merged end_skew_s null.$benchmark.read)" \
				'map(select(.benchmark == $name) | .seconds) | max - min - $ends | fabs <= $begins + 0.002' "$work/at-once/results.json" || return 1
	done
	jq -es 'length == 8 and all(.[]; .valid == 1) and (map(.seed) | unique) == [8, 9, 10, 11]' "$work/at-once/results.json"
}
ok 'clients.sh has its clients meet before each benchmark, and merges what they did' tries 3 meet_again
# The row of all: of two clients whose calls take 1 and 2 us, so that one is at work for longer; on a busy machine by less, or by more.
one_row () {
	rm -rf "$work/at-once" "$work/row" "$work/row.tsv" "$work/quick"
	for _ in 1 2
	do
		"$top/scripts/clients.sh" --clients=2 --out="$work/at-once" --replace --json="$work/row" --tsv="$work/row.tsv" "$top/bench_null" --num=1k \
			--null_get_ns=%k000 --label=a/b --benchmarks=readrandom,readhot --reads=500k >"$work/merged" 2>"$work/err" || { cat "$work/err"; return 1; }
	done
	jq -c '[.benchmark, .clients, .ops, .seconds, .start_skew_s, .end_skew_s, .overlap_percent, .read_p50_ns, .warnings]' "$work/row"
	jq -es --slurpfile own "$work/at-once/results.json" --arg p50 "$(merged p50_ns a_b.readrandom.read)" --arg max "$(merged max_ns a_b.readrandom.read)" '
		def near($x; $off): (. / $x - 1) | fabs < $off;
		($own | map(select(.benchmark == "readrandom"))) as $two | .[2] as $row | map(.benchmark) == ["readrandom", "readhot", "readrandom", "readhot"] and
		all(.[]; .clients == 2 and .threads == 1 and .ops == 1000000 and .valid == 1 and .seed == 101 and .digest == null and .rss_kb == null) and
		$row.user_s != null and ($row.user_s | near($two | map(.user_s) | add; 0.001)) and
		($row.ops_per_sec | near($row.ops / $row.seconds; 0.001)) and
		($two | map(.seconds) | min) as $short | ($two | map(.seconds) | max) as $long | ($row.start_skew_s + 0.002) as $apart |
		($row.end_skew_s - ($long - $short) | fabs <= $apart) and ($row.seconds >= $long - 0.002 and $row.seconds <= $long + $apart) and
		($row.overlap_percent / 100 * $row.seconds | . <= $short + 0.002 and . >= $short - $apart - 0.001 * $row.seconds) and
		($row.overlap_percent < 95) == ($row.warnings // "" | test("all clients ran at once in only [0-9.]+ % of the time")) and
		$row.read_p50_ns == ($p50 | tonumber) and ($row.read_max_ns | near($max | tonumber; 0.01)) and $row.read_min_ns == ($two | map(.read_min_ns) | min) and
		($row.mean_us | near($two | map(.mean_us) | add / 2; 0.001))' "$work/row" || return 1
	# the same figures in the other form, with one header
	awk -F '\t' 'NF != n && NR > 1 { bad = 1 } { n = NF } END { exit bad || NR != 5 }' "$work/row.tsv" &&
		[ "$(head -n 1 "$work/row.tsv")" = "$("$top/bench_null" --columns=tsv | awk '$1 == "result" { print $2 }' | paste -s)" ] || return 1
	# benchmarks that began in one second stand in the order in which they ran
	for _ in 1 2 3
	do
		"$top/scripts/clients.sh" --clients=2 --out="$work/at-once" --replace --json="$work/quick" "$top/bench_null" --num=1k \
			--benchmarks=readrandom,readhot --reads=1k >"$work/merged" 2>"$work/err" || { cat "$work/err"; return 1; }
	done
	jq -es 'map(.benchmark) == ["readrandom", "readhot", "readrandom", "readhot", "readrandom", "readhot"]' "$work/quick" || return 1
	# what it says repeats it
	tail -n 1 "$work/row" | jq -r .command | grep "^scripts/clients.sh --clients=2 --out=$work/at-once $top/bench_null --num=1k --null_get_ns=%k000 " || return 1
	fails 1 'readrandom ran 4 times in 2 clients, which cannot be added up' "$top/scripts/clients.sh" --clients=2 --out="$work/at-once" --replace \
		--json="$work/row" "$top/bench_null" --num=1k --benchmarks='readrandom[X2]' --reads=100
}
ok 'clients.sh --json has a row of all clients: sums, merged percentiles, and how far apart they were' tries 3 one_row

# clients_sweep NAME ARGUMENTS...: by a plan, of which a run is several clients
clients_sweep () {
	into=$work/$1
	shift
	"$top/scripts/sweep.sh" --out="$into" --threads=1 --num=1k "$@" >"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err"; return 1; }
}
planned () {
	clients_sweep plan --engines=null,lmdb --benchmarks=readrandom --clients=1,2 --duration=0.5 || return 1
	[ "$(sed 1d "$work/plan/plan.tsv" | cut -f 3 | sort | uniq -c | xargs)" = '4 1 2 2' ] || return 1
	jq -es 'length == 6 and all(.[]; .valid == 1) and (map(select(.clients == 2)) | length == 2 and all(.[]; .start_skew_s >= 0 and
		.end_skew_s >= 0 and .overlap_percent > 0 and .read_p99_ns > 0))' "$work/plan/results.json" || return 1
	for run in null-readrandom-1t-2c lmdb-readrandom-1t-2c
	do
		jq -es --slurpfile row "$work/plan/runs/$run/row.json" 'length == 2 and (map(.ops) | add) == $row[0].ops and ($row | length) == 1' \
			"$work/plan/runs/$run/clients/results.json" || return 1
	done
	awk -F '\t' 'NF != n && NR > 1 { bad = 1 } { n = NF } END { exit bad || NR != 7 }' "$work/plan/results.tsv" || return 1
	# it goes on where it stopped; tables hold rows of one and of several clients apart
	cp "$work/plan/results.json" "$work/first" && rm "$work/plan/runs/lmdb-readrandom-1t-2c/status" &&
		clients_sweep plan --engines=null,lmdb --benchmarks=readrandom --clients=1,2 --duration=0.5 || return 1
	[ "$(wc -l <"$work/plan/results.json")" -eq 6 ] && [ "$(diff "$work/first" "$work/plan/results.json" | grep -c '^>')" -eq 1 ] || return 1
	"$top/scripts/summary.sh" "$work/plan/results.json" >"$work/summary" && cat "$work/summary" &&
		awk '/^readrandom, 1 thread, clients [12], / { count = $5 } /^lmdb / { seen = seen count } END { exit seen != "1,2," }' "$work/summary"
}
ok 'sweep.sh --clients has several clients as a line of its plan' planned
apart_clients () {
	clients_sweep apart --engines=lmdb --benchmarks=overwrite --clients=2 --clients-apart --writes=500 || return 1
	jq -cs 'map([.benchmark, .clients, .writes, .valid])' "$work/apart/results.json"
	jq -es 'map([.benchmark, .clients, .writes, .valid]) == [["filluniquerandbatch", 2, 2000, 1], ["overwrite", 2, 1000, 1]]' "$work/apart/results.json" &&
		[ -e "$work/apart/db/lmdb-1/assay.db" ] && [ -e "$work/apart/db/lmdb-2/assay.db" ]
}
ok 'and clients with a database each, which write' apart_clients
# RocksDB has one process open a database: known before anything is loaded
refuses_exclusive () {
	fails 2 '^bench_rocksdb: --multiprocess_read=1: RocksDB has one process open a database at a time; give each process a database of its own$' \
		"$top/bench_rocksdb" --multiprocess_read=1 --use_existing_db=1 --benchmarks=readrandom --db="$work/nowhere" &&
		fails 2 '--clients: rocksdb: --multiprocess_read=1: .*; give --clients-apart$' "$top/scripts/sweep.sh" --out="$work/refused" \
			--engines=lmdb,rocksdb --benchmarks=readrandom --clients=4 && [ ! -e "$work/refused" ]
}
if [ -x "$top/bench_rocksdb" ]
then
	ok 'and what several processes cannot open is refused at once' refuses_exclusive
else
	skip 'what several processes cannot open is refused' 'RocksDB is not installed'
fi
# Berkeley DB's environments are private: each process would write to the end of the log as it knows it
if [ -x "$top/bench_bdb" ]
then
	ok 'and what they can open, but not share' fails 2 '^bench_bdb: --multiprocess_read=1: Berkeley DB has one process open a database at a time' \
		"$top/bench_bdb" --multiprocess_read=1 --use_existing_db=1 --benchmarks=readrandom --db="$work/nowhere"
else
	skip 'what several processes can open, but not share' 'Berkeley DB is not installed'
fi
refuses_planned () {
	for wrong in '--clients=2 --benchmarks=overwrite|overwrite changes the database' '--clients=x|--clients: cannot read' '--clients=0|--clients: cannot read' \
		'--clients=2,3 --clients-apart|give one to --clients' '--clients=1 --clients-apart|whole number from 2' "--clients=2 --hosts=$work/out|leave out --hosts" \
		'--clients=|has no value'
	do
		# shellcheck disable=SC2086 # words, on purpose
		fails 2 "${wrong#*|}" "$top/scripts/sweep.sh" --out="$work/refused" --engines=null ${wrong%%|*} || return 1
	done
}
ok 'what several clients cannot do is refused' refuses_planned
stays_away () {
	got=0
	"$top/bench_null" --num=1k --benchmarks=readrandom --barrier_file="$work/alone" --barrier_clients=3 --hang_timeout=1 --duration=60 --json="$work/alone.json" \
		>"$work/out" 2>"$work/err" || got=$?
	cat "$work/out" "$work/err"
	[ $got -eq 1 ] && jq -es 'length == 1 and .[0].valid == 0 and .[0].partial == 1 and (.[0].invalid_reason | test("2 of 3 clients did not reach"))' "$work/alone.json"
}
ok 'who waits for clients that do not come says so, and has measured nothing' stays_away
ends_clients () {
	rm -rf "$work/at-once"
	env --default-signal=INT "$top/scripts/clients.sh" --clients=2 --out="$work/at-once" "$top/bench_null" --num=1k --benchmarks=readrandom \
		--duration=60 >"$work/out" 2>"$work/err" &
	running=$!
	within 20 sh -c "[ \$(pgrep -P $running | wc -l) -eq 2 ]"
	children=$(pgrep -P $running)
	sleep 0.5
	kill -s INT $running
	exits 130 $running
	for child in $children
	do
		[ ! -e "/proc/$child/cwd" ] || { echo "client $child is there"; return 1; }
	done
}
ok 'and an interrupt ends all of them' tries 2 ends_clients
# Of two equal clients each figure is twice that of one, as each counts for itself: but for what clients share or cannot add,
# which is empty, and for rates, means and what was asked for, which stand for both.
each_sum () {
	cat >"$work/shared" <<-'END'
		^(overrun_s|aged_rate_ratio|rows_|queries_|index_|table_rows|distinct_keys|top1pct_fraction|(open|settle|close)_)
		_per_query$|^ops_per_sec_all_in$|^(read|write|scan|probe)_.*_ns$|^start_error_p99_ns$|^rate_(cv|range|slope|first|last)|^window_s$
		^(quota_periods|throttled_)
		^(steady|fairness|cpu_(used|demand)_percent|harness_percent|probe_|backup_|snapshot|pause_|io_write_overcharged|device_|rss_(kb|file)|peak_rss|cgroup_peak|page_cache)
		^(memory_used_kb|memory_stall_s|run_disk_kb|disk_growth_kb|space_amp|db_|(host_)?write_amp|nand_|fs_out_per_write|server_)
	END
	cat >"$work/for-both" <<-'END'
		^(seconds|start_skew_s|end_skew_s|overlap_percent|mean_us|target_rate_met|longest_stall_ms|cpu_percent)$|_per_(sec|op|commit)$
		^(until_steady_s|probe_rate|backup_at_s|long_reader_s|memory_limit_kb|malloc_arenas|servers)$
	END
	"$top/bench_null" --benchmarks=readrandom --num=1k --reads=100 --json="$work/of-one" >"$work/out"
	"$top/bench_null" --columns=tsv | awk '$1 == "result" && $3 != "text" { print $2 }' >"$work/numbers"
	tail -n 1 "$work/of-one" | jq -c --rawfile numbers "$work/numbers" '($numbers / "\n" | map(select(. != ""))) as $all |
		reduce ($all | to_entries[]) as $c (.; .[$c.value] //= $c.key + 1) | ., (.seed += 1)' >"$work/of-two"
	mkdir "$work/of-both"
	cp "$work/of-two" "$work/of-both/results.json"
	printf 'tag\tseconds\tstart_skew_s\tend_skew_s\toverlap_percent\nnull.readrandom.read\t1\t0\t0\t100\n' >"$work/of-both/merged.tsv"
	python3 "$top/scripts/reading" clients.sh "$work/of-both" 2 1 2 x "$work/of-all" '' || return 1
	jq -n -r --slurpfile one "$work/of-two" --slurpfile all "$work/of-all" --rawfile numbers "$work/numbers" --rawfile shared "$work/shared" \
		--rawfile both "$work/for-both" 'def any_of($list): . as $c | any($list / "\n" | .[] | select(. != ""); . as $re | $c | test($re));
		($numbers / "\n" | map(select(. != ""))) as $names | ($names | index("ops")) as $from | ($names | index("timer_ns")) as $upto | $names[$from:$upto][] |
		select(any_of($both) | not) | [., $one[0][.], $all[0][.]] |
		select(if .[0] | any_of($shared) then (.[0] | test("_ns$") | not) and .[2] != null else .[2] != 2 * .[1] end)' >"$work/wrong"
	cat "$work/wrong"
	[ ! -s "$work/wrong" ] && [ "$(grep -c . "$work/numbers")" -gt 250 ]
}
ok 'and what each counts for itself is added, column by column' each_sum
refuses_clients () {
	for wrong in --clients=1 --clients=x '--clients=2 --seed=1' '--clients=2' '--clients=2 --out=%o nosuchprogram' \
		"--clients=2 --out=%o $top/bench_null --json=x" "--clients=2 --out=%o $top/bench_null x" "--clients=2 --out=$work $top/bench_null" \
		"--clients=2 --out=%o $top/bench_null --seed=010"
	do
		# shellcheck disable=SC2046 # words, on purpose
		fails 2 '^clients.sh: ' "$top/scripts/clients.sh" $(echo "$wrong" | sed "s|%o|$work/refused|") || return 1
		[ ! -e "$work/refused" ] || return 1
	done
}
ok 'clients.sh refuses what it cannot run, and leaves nothing' refuses_clients
fail_together () {
	printf '#!/bin/sh\ncase $* in *--seed=102*) ;; *) exit 1 ;; esac\n' >"$work/failing" && chmod +x "$work/failing" &&
		fails 1 '^clients.sh: 3 of 4 clients failed' "$top/scripts/clients.sh" --clients=4 --out="$work/failed" "$work/failing"
}
ok 'and counts all clients that failed' fail_together
# replaces FILE: with --replace what two clients left goes, but not if that file is there
replaces () {
	rm -rf "$work/at-once"
	set -- "$1" "$top/scripts/clients.sh" --clients=2 --out="$work/at-once" --replace "$top/bench_null" --num=1k --benchmarks=readrandom --reads=1k \
		--rate=10k --hdr="$work/at-once/%k.hgrm"
	file=$1
	shift
	"$@" >"$work/merged" 2>"$work/err"
	# an open loop has two histograms
	[ -s "$work/at-once/2.hgrm.readrandom.read" ]
	: >"$work/at-once/2.tsv"
	"$@" >"$work/merged" 2>"$work/err"
	[ ! -e "$work/at-once/2.tsv" ]
	case $file in
	*/) mkdir "$work/at-once/$file" ;;
	*) echo mine >"$work/at-once/$file" ;;
	esac
	find "$work/at-once" -printf '%p %s %T@\n' | sort >"$work/there"
	fails 2 "has $file, which clients.sh did not make, and nothing is removed" "$@"
	find "$work/at-once" -printf '%p %s %T@\n' | sort | diff "$work/there" -
}
replaces_ours () {
	replaces 2026-notes.json
	replaces 3.json
	replaces notes.tsv
	replaces 3.hgrm.readrandom.read
	replaces 10.d/
	# nor where it was never at work
	mkdir "$work/theirs"
	echo mine >"$work/theirs/1.json"
	fails 2 'has 1.json, which clients.sh did not make' "$top/scripts/clients.sh" --clients=2 --out="$work/theirs" --replace "$top/bench_null"
	[ "$(cat "$work/theirs/1.json")" = mine ]
}
ok 'clients.sh --replace removes nothing but what it made' replaces_ours
