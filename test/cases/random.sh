# random.sh: random command lines, held to what must be so, and random things that happen to scripts.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# Seconds for each; an hour by hand: test/random/random.sh --seconds=3600. Each time other seeds are drawn, and printed.
plain=8 sanitized=4 scripted=4
[ -z "$long" ] || plain=300 sanitized=120 scripted=120

# A program whose files are not what bench_null wrote: $LIE is done to them.
mkdir "$work/liar" && cat >"$work/liar/bench_null" <<'END' && chmod +x "$work/liar/bench_null" && cp "$work/liar/bench_null" "$work/liar/bench_memstore"
#!/bin/sh
json=
for argument
do
	case $argument in
	--json=*) json=${argument#*=} ;;
	--tsv=*) tsv=${argument#*=} ;;
	--hdr=*) hdr=${argument#*=} ;;
	--timeline=*) timeline=${argument#*=} ;;
	--slow_calls_file=*) slow=${argument#*=} ;;
	esac
done
"$TRUE_PROGRAM" "$@"
status=$?
[ -z "$json" ] || eval "$LIE"
exit $status
END

# held LIE WORDS: what is found in a run with that done to its files
held () {
	case $2 in
	smallbank* | l.*) engine=memstore ;;
	*) engine=null ;;
	esac
	[ -x "$top/bench_$engine" ] || make_quiet "bench_$engine"
	export TRUE_PROGRAM="$top/bench_$engine" LIE="$1"
	"$top/test/random/random.sh" --bin="$work/liar" --engines=$engine --seconds=0 --shrink=0 --slack=20 \
		--run="$engine num=500 benchmarks=$2" >"$work/said"
}
# honest WORDS: nothing is
honest () {
	held : "$1" || { cat "$work/said"; return 1; }
	grep '^1 runs .* 0 broken$' "$work/said"
}
# lie INVARIANTS LIE WORDS: that is, as each of these invariants, with "; " between them
lie () {
	! held "$2" "$3" || { echo "not found: $2"; return 1; }
	echo "$1" | sed 's/; /\n/g' >"$work/invariants"
	while IFS= read -r invariant
	do
		grep -q -F -e "broken: $invariant: " -e "  with it: $invariant: " "$work/said" || { echo "not as '$invariant': $2"; cat "$work/said"; return 1; }
	done <"$work/invariants"
}
# Of all with --long; of a third else, which follows from the commit.
lies () {
	: >"$work/honest"
	nth=$(git -C "$top" rev-parse HEAD 2>/dev/null | cksum | cut -c 1-5) line=0
	while IFS='|' read -r invariant change words
	do
		line=$((line + 1))
		[ -n "$long" ] || [ $(((line + ${nth%% *}) % 3)) -eq 0 ] || continue
		case $change in
		.*) change="jq -c '$(echo "$change" | tr ';' '|')' \"\$json\" >\"\$json.new\" && mv \"\$json.new\" \"\$json\"" ;;
		esac
		grep -q -x -F -e "$words" "$work/honest" || honest "$words" || return 1
		echo "$words" >>"$work/honest"
		lie "$invariant" "$change" "$words" || return 1
	done
}
# In programs of jq ; stands for |.
ok 'test/random finds nothing in true figures' honest 'fillseqbatch,readrandom,mix,deleterandom mix=read:1,update:2 threads=3 hdr=@/hdr timeline=@/timeline'
ok 'and each false one that it is shown, in runs whose true ones are held, too' lies <<'END'
mix says what ran|.mix = null|mix mix=read:1,update:2
as many operations as asked for; percentiles are within least and most; no figures of a probe without one; no figures of snapshots without a long reader; no figures of a backup without one; no slow calls without --slow_calls|.ops -= 1 ; .reads -= 1 ; .read_max_ns = .read_p50_ns / 3 ; .probe_reads = 5 ; .snapshots = 5 ; .backup_s = 5 ; .slow_calls = 1|readrandom
operations are calls of their kind; what is lost was missing; entries are the records met; percentiles are in order|.reads += 1 ; .lost = 5 ; .entries += 1 ; .read_p99_ns = .read_p50_ns / 2|readrandom
found + missing = reads; the rows of a run are of one program and machine|.found += 1 ; .program = .benchmark|fillseq,readrandom
a mix has its weights|.reads += 90 ; .writes -= 90|mix mix=read:1,update:1
bytes are those of the records met|.bytes -= 116|fillseq
no more is deleted than there were keys|.found = .ops ; .missing = 0 ; .engine = "lmdb"|fillseqbatch,deleterandom
rates are counts by seconds|.ops_per_sec *= 1.1|readrandom reads=20000
a transaction reads, commits or aborts|.aborts += 1|smallbank-load,smallbank
a mix has its weights|. ; if .mix then .reads += 200 ; .found = .reads ; .commits -= 200 ; .writes -= 200 else . end|smallbank-load,smallbank
one writer, or locks on what was read, let no skew through|.write_skews = 1|smallbank-load,smallbank
index entries are three for each row|.index_entries += 1|l.i0,l.x
rows are those inserted and not deleted|.table_rows -= 1 ; .index_entries -= 3|l.i0,l.x,l.i1 writes=1000
each statement is a commit|.writes = .ops ; .commits = .ops|l.i0,l.x,l.i1 writes=1000
operations are queries|.scans -= 1 ; .found -= 1|l.i0,l.x,qr1000 duration=0.2
no money, row or index entry is lost|.valid = 0 ; .invalid_reason = "client 1 has 3 rows"|l.i0,l.x
fairness is in (0, 1]|.fairness = 1.2|readrandom threads=3
a histogram has as many calls as the row|sed -i 's/= *500\]/= 501]/' "$hdr"|fillseq hdr=@/hdr
a histogram is in order|sed -i '4s/^ *[0-9.]*/99999999999.0/' "$hdr"|fillseq hdr=@/hdr
intervals sum up to the operations|sed -i '2d' "$timeline"|fillseq timeline=@/timeline
no interval is negative or immense|sed -i 's/	500	/	36893488147419168768	/g' "$timeline"|fillseq timeline=@/timeline
intervals' costs sum up to the row's|.syncs += 1|fillseq timeline=@/timeline
time: the last interval ends with the threads|awk -F '\t' -v OFS='\t' 'NR > 1 { $8 += 5; $9 += 5 } { print }' "$timeline" >"$timeline.new"; mv "$timeline.new" "$timeline"|fillseq timeline=@/timeline
TSV is JSON; no sanitizer has anything to say|sed -i 's/	500	/	501	/' "$tsv"; echo 'x.c:5: runtime error: shift' >&2|readrandom
JSON has the columns in order|jq -c -S . "$json" >"$json.new"; mv "$json.new" "$json"|readrandom
TSV has JSON's rows; it ends by itself|sed -i '$d' "$tsv"; status=139|readrandom
no more is done than is due|.seconds /= 2|readrandom rate=20000 duration=0.2
the rate is the one asked for|.target_rate *= 2|readrandom rate=20000 duration=0.2
what slow calls waited for makes a hundred; a part of slow calls is no more than the whole; slow_calls and slow_above_p99_ms are those of the file|.slow_cpu_percent += 50 ; .slow_stall_flush_percent = 9 ; .slow_calls += 3 ; .slow_above_p99_ms *= 2|readrandom null_get_ns=20000 null_stall_every=100 null_stall_ms=2 slow_calls=5000 slow_calls_file=@/slow
kept calls are counted calls; a thread's kept calls follow each other|tail -n +2 "$slow" >"$slow.new"; cat "$slow.new" >>"$slow"|readrandom null_get_ns=20000 null_stall_every=100 null_stall_ms=2 slow_calls=5000 slow_calls_file=@/slow
intervals' times are as many as the groups|awk -F '\t' -v OFS='\t' 'NR > 1 { for (i = 10; i <= NF; i++) if ($i ~ /^[0-9.]+:[0-9]/) sub(/:/, ":9", $i) } { print }' "$timeline" >"$timeline.new"; mv "$timeline.new" "$timeline"|multireadrandom batch_size=100 timeline=@/timeline
a run is not shorter than its duration; what ran over is said|.seconds /= 2 ; .overrun_s += 1|readrandom duration=0.2
time: a run ends with its duration; time: each thread ends with the call that it is in|.seconds += 100 ; .overrun_s += 100|readrandom duration=0.2
the CPUs that may be used are those that are counted; threads wait in periods of a quota, and only where they are throttled|.cores += 1 ; .throttled_s = 1 ; .quota_periods = null|readrandom duration=0.2
bound_by is the first rule that holds; time off the CPU is that of the threads less their CPU time; the CPU that was used is that of the threads, or of the cores; harness_percent is harness_ns_per_op of an operation's time; the device by itself is measured where it is the limit|.bound_by = "lock" ; .off_cpu_us_per_op += 50 ; .cpu_used_percent /= 3 ; .harness_percent /= 3 ; .sync_p50_ns = 5|readrandom duration=0.2
cpu_us_per_op is if .fg_cpu_s + .bg_cpu_s > 0.001 then 1e6 * (.fg_cpu_s + .bg_cpu_s) / (.reads + .writes + .scans) else null end|.cpu_us_per_op *= 1.1|readrandom reads=1000000
a row's own command repeats it|.digest = (now ; tostring)|fillseq,readrandom verify=1 again=1
each single write is a commit|.commits -= 1|overwrite
valid rows are status 0, and invalid ones 1|sed -i 's/"valid":1/"valid":0/; s/"invalid_reason":null/"invalid_reason":"so"/' "$json"|readrandom
the mean of an operation is that of its calls|.mean_us *= 1.1|readrandom
each whole second has its window|.rates = null|readrandom duration=1.4 timeline=@/timeline timeline_interval=0.1
what is done before the last window ends is in the windows|.rates = "5"|readrandom duration=1.4 timeline=@/timeline timeline_interval=0.1
an interval's responses are not shorter than its calls|awk -F '\t' -v OFS='\t' 'NR > 1 { $13 = $14 = $15 = 1e12 } { print }' "$timeline" >"$timeline.new"; mv "$timeline.new" "$timeline"|readrandom rate=20000 timeline=@/timeline
the longest of the intervals' times is the row's; the intervals' times have the row's percentiles; an open loop lasts as long as its schedule, and its slowest response|.read_resp_max_ns *= 2 ; .read_resp_p50_ns *= 3 ; .seconds += 20|readrandom rate=20000 timeline=@/timeline
a probe's intervals are the probe's; a probe's reads are done or left; time: no read of a probe was due before the run|.probe_reads -= 20 ; .probe_resp_max_ns += 100e9|overwrite probe_rate=500 long_reader=0.1 backup=0.05 duration=0.4 timeline=@/timeline
a probe has the rate asked for; a long reader has the times asked for; what is done is done beside snapshots or pauses; a backup is whole or none|.probe_missing = .probe_reads + 1 ; .snapshots += 9 ; .snapshot_ops_per_sec /= 10 ; .backup_bytes = null|overwrite probe_rate=500 long_reader=0.1 backup=0.05 duration=0.4 timeline=@/timeline
operations beside snapshots and pauses are of those done; a rate beside a backup is not negative|.snapshot_ops_per_sec *= -1 ; .backup_ops_share = -230|overwrite probe_rate=500 long_reader=0.1 backup=0.05 duration=0.4 timeline=@/timeline
no correct engine is accused|.valid = 0 ; .invalid_reason = "25 records were missing"|readrandom
space amplification is by the records that are there; a line has what was found of all that could be|.space_amp = 2 ; .space_amp_run = 2 ; .db_disk_kb = 1 ; .run_disk_kb = 1 ; .found -= 1 ; .missing += 1|fillseq,readrandom,scan
a scan finds what was loaded and inserted, less what was deleted|.engine = "lmdb" ; .db_disk_kb = null ; if .benchmark == "scan" then .entries += 1 else . end|fillseq,readrandom,scan
a replay finds what the recording found|. ; if .benchmark == "replay" then .found -= 1 else . end|fillseq,mix mix=read:1,update:1 trace_out=@/trace replay=2
END

# at_random OPTION...: nothing is broken. On a busy machine there may be time for a few lines only, all of which are refused.
at_random () {
	for _ in 1 2 3 4 5
	do
		"$top/test/random/random.sh" "$@" >"$work/said" || { cat "$work/said"; return 1; }
		cat "$work/said"
		! grep -q '^[1-9][0-9]* runs .* [1-9][0-9]* rows, .* 0 broken$' "$work/said" || return 0
	done
	return 1
}
# How much there was, as silence would be no evidence.
say_how_much () {
	[ ! -e "$work/said" ] || sed -n 's/^[0-9]* \(runs\|trials\|times\) .*/# &/p' "$work/said"
}
# Lines that broke it once.
holds () {
	[ -x "$top/bench_$1" ] || make_quiet "bench_$1"
	at_random --engines="$1" --shrink=5 --run="$1 benchmarks=$2"
}
ok 'a mix of one kind of call says so' holds null 'fillseqbatch,mix num=100 mix=read:1'
ok 'an open loop lasts as long as its schedule, of groups, too' holds null 'multireadrandom num=100 batch_size=100 rate=5000 duration=0.515'
ok 'slow calls do not keep threads from hearing of the end' holds null 'readrandom num=100 duration=0.3 null_get_ns=10000000'
ok "several threads' groups are not due together" holds null 'fillseq,multireadrandom num=100 threads=16 batch_size=20 rate=20000 duration=0.201'
ok 'a group that the end of a run cuts short is in no figure' holds lmdb 'fillseq,multireadrandom num=5000 threads=4 batch_size=50 duration=0.2'
ok 'an engine that stores nothing answers with values of the size that it was filled with' holds null 'fill100K,readseq num=1'
ok 'a run ends between two transactions, not within one that others wait for' holds memstore 'fillseqbatch,ycsb-f num=100 txn=1 threads=16 duration=0.2'
ok 'a row says all that was emulated' holds leveldb 'fillseqbatch,mix num=200 mix=read:5,scan:1,insert:3,delete:3,rmw:2 txn=1'
ok 'a snapshot is held for its time, with the reads that begin it' holds null 'overwrite num=100 duration=0.6 long_reader=0.05 null_get_ns=1500000'
ok 'costs are those of each call, also of who works beside the threads' holds null 'fillseq,readwhilewriting num=1000 threads=2 duration=0.3'
ok 'a copy is deleted with the backup that it has' holds lmdb 'overwrite num=100 load=fillseqbatch copy=1 backup=0.001 duration=0.2'
ok 'a backup beside deletes need not have what they delete' holds lmdb 'fillseqbatch,deleteseq num=500 rate=2000 backup=0.001'
ok 'what was written all in has the bytes of settling and closing' holds leveldb 'fillrandom num=2000 durability=sync settle=1 write_buffer_size=64Ki'
ok 'a writer beside paced readers has no rate of theirs' holds null 'fillseq,readwhilewriting num=1000 threads=2 rate=2000 duration=0.5'
ok 'space amplification of the run is by the files as it ended, before a log is settled' holds sqlite 'filluniquerandbatch num=20000 durability=sync settle=1'
[ ! -x "$top/bench_wiredtiger" ] ||
	ok 'also those of the device, of what closes by a checkpoint' holds wiredtiger 'fillrandom num=2000 durability=sync'
[ ! -x "$top/bench_bdb" ] ||
	ok 'of what was hardly written nothing is derived from a rounded figure' holds bdb 'fillseqbatch num=11 durability=none'

ok 'random command lines keep all that must be so' at_random --seconds=$plain --shrink=20
say_how_much

# builds_apart SANITIZER DIRECTORY/ PROGRAM...
builds_apart () {
	sanitizer=$1 apart=$2
	shift 2
	for program
	do
		make_quiet DEBUG="$sanitizer" BUILD="$apart" BIN="$apart" "$apart$program" || return 1
	done
}
# With --long all engines, whose libraries are not sanitized themselves; these take minutes to build.
sanitized_at_random () {
	some='null lmdb'
	[ -z "$long" ] || some=$(make -C "$top" -s engines)
	# shellcheck disable=SC2046,SC2086 # words
	builds_apart 1 build/asan/ $(printf 'bench_%s ' $some)
	at_random --seconds=$sanitized --slack=10 --shrink=20 --engines="$some" --bin="$top/build/asan"
}
ok 'and under the address and undefined behaviour sanitizers' sanitized_at_random
say_how_much
# One line of 64 threads takes minutes under this one.
if [ -n "$long" ]
then
	racing_at_random () {
		builds_apart thread "$work/tsan/" bench_null
		at_random --seconds=60 --slack=10 --shrink=20 --bin="$work/tsan"
	}
	ok 'and under the thread sanitizer' racing_at_random
	say_how_much
fi

if "$top/scripts/install-deps.sh" locales 2>"$work/why"
then
	scripts_at_random () {
		"$top/test/random/scripts.sh" --seconds=$scripted >"$work/said" || { cat "$work/said"; return 1; }
	}
	ok 'sweeps interrupted, rows damaged, odd paths, another locale: nothing is lost, or it is said' scripts_at_random
	say_how_much
else
	skip 'random things that happen to scripts' "$(tail -n 1 "$work/why")"
fi

# Each line of a plan is a command, and gnuplot's lists have quotes around names.
line_end='new
line'
ok 'sweep.sh refuses a directory with a line end' fails 2 'has a line end' "$top/scripts/sweep.sh" --out="$work/$line_end" --num=10
ok 'and leaves nothing there' test ! -e "$work/$line_end"
in_line_end () {
	mkdir "$work/$line_end" && cd "$work/$line_end" && fails 2 'give an absolute --out' "$top/scripts/sweep.sh" --out=x --num=10 &&
		cd "$work" && rmdir "$work/$line_end"
}
ok 'nor does it take one relative to such a directory' in_line_end
quoted_plots () {
	"$top/scripts/sweep.sh" --out="$work/q\"x" --engines=null --benchmarks=readrandom --threads=1,2 --num=1k --duration=0.3 \
		--timeline_interval=0.05 >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	"$top/scripts/plot.sh" "$work/q\"x" >"$work/plots" || return 1
	for name in readers latency throughput cpu threads-null heatmap-null
	do
		not_blank "$work/q\"x/plots/readrandom-$name.png" || return 1
	done
}
ok 'plot.sh draws below a directory with a quote' quoted_plots
leading_hyphen () {
	"$top/scripts/sweep.sh" --out="$work/-rows" --engines=null --benchmarks=readrandom --threads=1 --num=1k >"$work/out" 2>&1 &&
		cd "$work" && "$top/scripts/summary.sh" -rows/results.json | grep '^null ' && "$top/scripts/table.sh" -rows/results.json | grep '^null '
}
ok 'summary.sh and table.sh read a file below a directory whose name begins with a hyphen' leading_hyphen

# Rows that cannot be read: each script says so in one line; of one that a crash has cut short nothing is lost but that.
every_reader () {
	"$1" summary.sh "$bent/results.json" && "$1" table.sh "$bent/results.json" && "$1" report.sh "$bent" && "$1" plot.sh "$bent" &&
		"$1" plot/points.sh "$bent/results.json" && "$1" compare.sh "$bent" --by=threads --old=1 --new=2 &&
		"$1" history.sh add --history="$work/bent.history" "$bent"
}
bent=$work/bent
refuses () {
	script=$1 status=0
	shift
	"$top/scripts/$script" "$@" >"$work/out" 2>"$work/err" || status=$?
	echo "$script: $status"
	cat "$work/err"
	[ $status -eq 1 ] || [ "$script $status" = 'compare.sh 2' ] || return 1
	[ "$(wc -l <"$work/err")" -eq 1 ] || return 1
	grep -q "^${script##*/}: $bent/results.json does not hold rows as JSON lines: ." "$work/err"
}
takes () {
	script=$1 status=0
	shift
	"$top/scripts/$script" "$@" >"$work/out" 2>"$work/err" || status=$?
	[ $status -eq 0 ] || grep -q -e 'no rows with document' -e 'no valid row' -e slower "$work/err" "$work/out" ||
		{ echo "$script: $status"; cat "$work/err"; return 1; }
}
bent_rows () {
	cp -r "$work/q\"x" "$bent" || return 1
	for damage in '1s/"ops":/"ops:/' '1s/.*/[1]/' '2s/}$/"}/'
	do
		sed "$damage" "$work/q\"x/results.json" >"$bent/results.json"
		every_reader refuses || { echo "$damage"; return 1; }
	done
	cat "$work/q\"x/results.json" >"$bent/results.json"
	head -n 1 "$work/q\"x/results.json" | head -c 1000 >>"$bent/results.json"
	every_reader takes
}
ok 'rows that cannot be read are refused in a line by each script, a torn one is left out' bent_rows
