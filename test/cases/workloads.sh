# workloads.sh: every workload does what its help says, and leaves the database it should.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# $work/workloads: arguments|what must be true of the last row, on LMDB and on the null engine, or on memory what must be read back
each_workload () {
	while IFS='|' read -r arguments truth
	do
		for engine in lmdb null
		do
			case $engine,$arguments in
			null,smallbank* | null,l.*) engine=memstore ;;
			esac
			# shellcheck disable=SC2086 # words
			bench $engine --num=3000 --verify=1 --benchmarks=$arguments >"$work/out" || {
				cat "$work/out"
				return 1
			}
			row ".valid == 1 and .partial == 0 and .wrong == 0 and .errors == 0 and ($truth)" || return 1
		done
	done <"$work/workloads"
}
# Rows of every workload, and of what crosses them, by value: what they have that no clock and no machine decides.
rows_are () {
	"$top/test/rows.sh" >"$work/rows-are"
	diff -U 2 -F '^#' "$top/test/rows.txt" "$work/rows-are"
}
ok 'what follows from the command alone is in the rows of each workload as it was found right' rows_are
# All columns, also those of time and of the machine, of threads whose counts are given.
figures_are () {
	"$top/test/figures.sh" >"$work/figures-are"
	diff -U 2 -F '^#' "$top/test/figures.txt" "$work/figures-are"
}
ok 'each figure of a row follows from the counts and times of its threads' figures_are
# Interval lines, report files, timelines and the times of each, of threads whose counts are given.
monitored () {
	"$top/test/monitor.sh" >"$work/monitored"
	diff -U 2 "$top/test/monitor.txt" "$work/monitored"
}
ok 'each interval of a report has what its threads did in it, also the last one' monitored
# Columns, warnings, files and decisions of extras, of runs whose counts and times are given.
extras_are () {
	"$top/test/extras.sh" >"$work/extras-are"
	diff -U 2 "$top/test/extras.txt" "$work/extras-are"
}
ok 'what extras make of a run follows from its counts and times' extras_are
printf '%s\n' 0,a,1,20,0,set,0 0,b,1,0,1,get,0 1,a,1,30,0,append,300 >"$work/trace.csv"
cat >"$work/workloads" <<'END'
fillseq|.ops == 3000 and .writes == 3000 and .commits == 3000 and .distribution == "sequential"
fillseqbatch|.ops == 3000 and .commits == 3 and .batch_size == 1000
fillseqbatch --batch=7|.ops == 3000 and .commits == 429 and .batch_size == 7
fillrandom|.ops == 3000 and .commits == 3000
fillrandbatch|.ops == 3000 and .commits == 3
filluniquerandom|.ops == 3000 and .distribution == "permutation"
filluniquerandom --threads=3|.ops == 3000
filluniquerandbatch|.ops == 3000 and .commits == 3 and .distribution == "permutation"
fillseq --threads=4|.ops == 3000 and .missing == 0
fillseqbatch --threads=4 --batch=10|.ops == 3000 and .commits == 300
fillsync|.ops == 3 and .durability == "sync"
fillrandsync|.ops == 3 and .durability == "sync"
fillseqsync|.ops == 3 and .durability == "sync"
fillbulk|.ops == 3000 and .writes == 3000 and .emulated == "bulk load, by transactions"
fillseqbatch,multireadrandom --batch=70|.ops == 3000 and .found == 3000 and .emulated == "multi-get, by single gets"
fillseqbatch,multireadrandom --batch=700 --threads=2 --reads=1000|.ops == 2000 and .found == 2000
fillseqbatch,overwrite|.ops == 3000 and .writes == 3000 and .commits == 3000
fillseqbatch,overwrite --writes=50 --threads=2|.ops == 100 and .writes == 100
fillseqbatch,overwritebatch --batch=100|.ops == 3000 and .commits == 30
fillseqbatch,readseq|.ops == 3000 and .scans == 3000 and .found == 3000
fillseqbatch,readseq --threads=3|.ops == 9000 and .scans == 9000
fillseqbatch,readseq --reads=10|.ops == 10
fillseqbatch,readseq --reads=10k|.ops == 3000
fillseqbatch,readreverse|.ops == 3000 and .scans == 3000
fillseqbatch,readrandom|.ops == 3000 and .reads == 3000 and .found == 3000 and .missing == 0
fillseqbatch,readrandom --threads=4 --reads=500|.ops == 2000 and .found == 2000
filluniquerandom,readrandom|.found == 3000
fillseqbatch,readmissing|.ops == 3000 and .found == 0 and .missing == 3000
fillseqbatch,readhot|.ops == 3000 and .found == 3000 and .distinct_keys == 30
fillseqbatch,seekrandom|.ops == 3000 and .scans == 3000 and .found == 3000
fillseqbatch,seekrandom --seek_nexts=5|.ops == 3000 and .found == 3000
fillseqbatch,seekordered|.ops == 3000 and .found == 3000
fillseqbatch,readwhilewriting --threads=2 --reads=200k|.ops == 400000 and .reads == 400000 and .writes > 0 and .threads == 2
fillseqbatch,readrandomwriterandom|.ops == 3000 and .reads == 2700 and .writes == 300
fillseqbatch,readrandomwriterandom --readwritepercent=30|.reads == 900 and .writes == 2100
fillseqbatch,updaterandom|.ops == 3000 and .reads == 3000 and .writes == 3000 and .found == 3000
fillseqbatch,deleteseq|.ops == 3000 and .writes == 3000 and .commits == 3000
fillseqbatch,deleterandom|.ops == 3000 and .writes == 3000
fillseqbatch,open --num=50000|.ops == 5 and .mean_us > 0
fill100K|.ops == 3 and .value_size == 100000 and .bytes == 300048
fillseqbatch,scan --reads=10|.ops == 3000 and .found == 3000
fillseqbatch,scan --threads=2|.ops == 6000
fillseqbatch,readwhilescanning --threads=2 --reads=100k|.ops == 200000 and .reads == 200000 and .scans > 0
fillseqbatch,seekrandomwhilewriting --reads=100k --seek_nexts=3|.ops == 100000 and .entries > 390000 and .writes > 0
fillseqbatch,mix|.ops == 3000 and .reads == 1500 and .writes == 1500 and .mix == "read:50,update:50"
fillseqbatch,mix --mix=read:50,update:30,rmw:10,scan:5,insert:3,delete:2 --scan_length=20|.reads == 1800 and .writes == 1350 and .scans == 150
fillseqbatch,mix --mix=update:1|.mix == "update:1" and .writes == 3000
fillseqbatch,mix --mix=scan:1 --scan_length=5|.mix == "scan:1" and .ops == 3000 and .entries > 14900 and .entries <= 15000
fillseqbatch,mix --mix=insert:1,delete:1 --threads=3 --reads=0|.ops == 9000 and .writes == 9000 and .lost == 0
fillseqbatch,updaterandom --txn=1|.txn == 1 and .commits == 3000 and .reads == 3000
fillseqbatch,readrandom --txn_reads=7|.txn_reads == 7 and .found == 3000
fillseqbatch,waitforcompaction|.ops == 1
fillseqbatch,compact|.ops == 1
fillseqbatch,flush|.ops == 1
fillseqbatch,compact0|.ops == 1
fillseqbatch,compactall|.ops == 1
fillseqbatch,backup|.ops == 1 and .backup_by != null
fillseqbatch,age,readrandom --age=1|.age == 1 and .found == 3000
queue --threads=2|.ops == 3100 and .writes == 3000 and .scans == 100 and .mix == null
ycsb-load|.ops == 3000 and .value_size == 1000 and .key_size == 24 and .key_format == "user"
ycsb-load,ycsb-a|.reads == 1500 and .writes == 1500 and .distribution == "scrambled_zipfian 0.99"
ycsb-load,ycsb-b|.reads == 2850 and .writes == 150
ycsb-load,ycsb-c --threads=2|.mix == "read:100" and .reads == 6000 and .writes == 0
ycsb-load,ycsb-d,ycsb-d --threads=2|.reads == 5700 and .writes == 300 and .distribution == "latest 0.99"
ycsb-load,ycsb-e|.scans == 2850 and .writes == 150 and .scan_length == "1-100" and .entries > 50 * 2850 * 0.93
ycsb-load,ycsb-f|.ops == 3000 and .reads == 3000 and .writes == 1500
ucsb-0|.ops == 3000 and .key_format == "binary" and .key_size == 8 and .value_size == 1000
ucsb-0,ucsb-a|.reads == 1500 and .writes == 1500
ucsb-0,ucsb-c|.reads == 3000 and .found == 3000
ucsb-0,ucsb-d|.reads == 2850 and .writes == 150
ucsb-0,ucsb-e --num=30000|.scans == 3 and .entries > 200 and .entries <= 300
ucsb-0,ucsb-x --num=30000|.reads == 384 and .batch_size == 256
ucsb-0,ucsb-y --num=200k|.writes == 20000 and .commits == 2 and .batch_size == 10000
ucsb-0,ucsb-z|.scans == 3000 and .ops == 3000
ucsb-0,ucsb-remove|.writes == 450
bangdb-write --value_size=100-400|.ops == 3000 and .value_sizes == "100-400" and .value_size == 250
bangdb-write,bangdb-read --num=3000 --threads=4|.ops == 3000 and .found == 3000
bangdb-fill --num=3000 --readwritepercent=0|.ops == 1
bangdb-fill,bangdb-mix --num=3000 --threads=3 --readwritepercent=30|.reads == 900 and .writes == 2100
voron-fill-none|.commits == 1 and .durability == "none" and .writes == 3000
voron-fill-buffers|.commits == 1 and .durability == "async"
voron-fill-sync|.commits == 1 and .durability == "sync"
voron-fill-none,voron-read --threads=4|.reads == 3000 and .found == 3000
voron-fill-none,voron-read --threads=4 --voron_partitioning=voron2013|.reads == 3000 and .found == 3000
fillseqbatch,soak-churn|.ops == 3000 and .writes == 3000 and .commits == 3
fillseqbatch,soak-expire|.writes == 300 and .found == 300
fillseqbatch,soak-expire,soak-refill|.writes == 300 and .commits == 1
smallbank-load|.ops == 6000 and .writes == 6000 and .key_size == 8 and .key_format == "binary" and .value_size == 64
smallbank-load,smallbank --threads=2|.ops == 6000 and .ops == .commits + .aborts + .reads and .write_skews == 0
l.i0|.ops == 30 and .commits == 30 and .table_rows == 3000 and .key_size == 29 and .value_sizes == "34-44"
l.i0,l.x --threads=2|.ops == 60 and .commits == 60 and .table_rows == 6000 and .index_entries == 18000
l.i0,l.x,l.i1 --writes=1000|.ops == 20 and .writes == 40 and .commits == 40 and .rows_per_sec > 0
l.i0,l.x,l.i2 --writes=1000|.ops == 50 and .writes == 100 and .commits == 100
l.i0,wait --duration=0.2|.ops == 1 and .seconds >= 0.2
l.i0,l.x,qr100 --duration=0.2|.ops == .scans and .entries > .ops and .writes > 0 and .target_rate == 4
l.i0,l.x,qp100 --duration=0.2|.ops == .reads and .found == .ops and .entries >= 10 * .ops and .writes > 0
l.i0,l.x,l.check|.ops == 1 and .table_rows == 3000 and .index_entries == 9000
mixgraph-load|.ops == 3000 and .key_size == 48 and .value_size == 43 and .distribution == "permutation"
mixgraph-load,mixgraph --threads=2|.ops == 6000 and .mix == "read:85,update:14,scan:1" and .lost == 0 and .entries > 6000
mixgraph-load,mixgraph --mix_get_ratio=1 --mix_put_ratio=0 --mix_seek_ratio=0|.reads == 3000 and .found == 3000 and .writes == 0
mixgraph-load,readrandom --distribution=mixgraph|.found == 3000 and .distribution == "mixgraph prefix_dist"
cluster12 --preset=cluster12 --benchmarks=filluniquerandom,cluster12|.reads == 600 and .writes == 2400 and .value_size == 1030
cluster14 --preset=cluster14 --benchmarks=filluniquerandom,cluster14|.mix == "read:65,update:13,delete:22" and .distribution == "zipfian 1.3"
cluster37 --preset=cluster37 --benchmarks=filluniquerandom,cluster37|.reads == 1890 and .key_size == 72
replay-load --trace_in=trace.csv|.ops == 2 and .writes == 2
replay-load,replay --trace_in=trace.csv --threads=2|.ops == 3 and .reads == 1 and .writes == 2 and .emulated == "expiry, by nothing"
fillseq,readrandom --key_format=hex|.found == 3000
fillseq,readrandom,readseq --key_format=binary --key_size=9|.found == 3000 and .scans == 3000
fillseqbatch,readrandom,readmissing --key_format=user --key_size=30|.found == 0
fillseq,readrandom --value_size=1,17,300 --threads=2|.found == 6000 and .value_sizes == "1,17,300"
filluniquerandom,readrandom --distribution=zipfian --theta=1.5|.found == 3000 and .top1pct_fraction > 0.8 and .distinct_keys < 1000
filluniquerandom,readrandom --distribution=latest|.distribution == "latest 0.99" and .found == 3000
filluniquerandom,overwrite,readrandom --distribution=hotspot|.distribution == "hotspot 0.2/0.8" and .found == 3000
filluniquerandom,readrandom --distribution=exponential|.found == 3000
filluniquerandom,readrandom --distribution=pareto|.found == 3000
filluniquerandom,readrandom --distribution=sequential|.found == 3000 and .distinct_keys == 3000
filluniquerandom,readrandom --rng=minstd|.found == 3000 and (.distribution | test("minstd"))
filluniquerandom,readrandom --distribution=scrambled_zipfian --zipf_generator=ucsb2022|.found == 3000 and (.distribution | test("UCSB"))
fillseq --key_size=8|.ops == 3000 and .key_size == 8
fillseq,readrandom --key_size=511 --value_size=1|.found == 3000
fillseq,readrandom --key_size=17 --value_size=5000 --compression_ratio=1|.found == 3000
fillseq,readrandom --durability=none|.found == 3000 and .durability == "none"
END
ok 'every workload runs on LMDB and on the null engine, verified' needs each_workload

# On a busy machine these may lose their rate, and are invalid then.
rates_are_run () {
	for engine in lmdb memstore
	do
		bench $engine --num=3000 --duration=0.2 --benchmarks=l.i0,l.x,qr500,qp500,qr1000,qp1000 --json="$work/rates" >"$work/out" || :
	done
	cat "$work/rates" >>"$work/rows"
	jq -es '(map(select(.target_rate > 0)) | length) == 8 and all(.[]; .valid == 1 or (.invalid_reason | test("^the target rate of inserts")))' "$work/rates"
}
ok 'and so do the steps that have a rate' needs rates_are_run

every_name_is_tested () {
	needs each_workload
	needs rates_are_run
	# stats and its kin, age and create make no row, and verify-journal needs a journal; they are tested elsewhere
	"$top/bench_null" --workloads=tsv | sed 1d | cut -f 1 | grep -v -x -E '(|level|mem)stats|sstables|age|create|verify-journal' |
		sort >"$work/names"
	[ "$(wc -l <"$work/names")" -ge 56 ] || return 1
	# memstore runs what needs records that are kept
	for engine in lmdb 'null|memstore'
	do
		jq -r --arg engine "$engine" 'select(.engine | test("^(" + $engine + ")$")).benchmark' "$work/rows" | sort -u >"$work/run"
		comm -23 "$work/names" "$work/run" >"$work/not-run"
		[ ! -s "$work/not-run" ] || { echo "$engine did not run:"; cat "$work/not-run"; return 1; }
	done
}
ok 'and those are all that there are' every_name_is_tested
absent_are_none () {
	bench lmdb --benchmarks=create,mix --mix=read:50,scan:50 --num=3000 >"$work/out"
	row '.valid == 1 and .reads > 1000 and .scans > 1000 and .missing == 3000 and .entries == 0 and .bytes == 0'
}
ok 'gets and scans that find nothing are no entries, also beside one another' absent_are_none

ok 'integer keys work' sh -c "
	for list in fillseqbatch,readrandom,readseq,readmissing,seekrandom filluniquerandom,overwrite,readreverse
	do
		'$top/bench_lmdb' --db='$work/int' --num=5000 --key_format=native --verify=1 --benchmarks=\$list || exit 1
	done"

fill_contents () {
	bench lmdb --benchmarks="$1" --num=20000 --threads="$2" >"$work/out" && contents 20000 20000
}
ok 'fillseq leaves each record once' fill_contents fillseq 1
ok 'fillseqbatch by three threads leaves each record once' fill_contents fillseqbatch 3
ok 'filluniquerandom by three threads leaves each record once' fill_contents filluniquerandom 3
leaves_none () {
	bench lmdb --benchmarks=fillseqbatch,deleteseq,stats --num=5000 --threads=2 >"$work/out" && grep '^entries 0$' "$work/out" || return 1
	status=0
	bench lmdb --use_existing_db=1 --benchmarks=readseq --num=5000 >"$work/out" || status=$?
	[ $status -eq 1 ] && grep '^readseq .*INVALID' "$work/out" && row '.benchmark == "readseq" and .valid == 0 and .found == 0'
}
ok 'deleteseq by two threads leaves none, and reading nothing is invalid' leaves_none

fillrandom_contents () {
	bench lmdb --benchmarks=fillrandom,readseq --num=20000 --seed="$1" >"$work/out"
	# 1 - 1/e of the keys, within six standard deviations (0.24 % each)
	row '.ops / 20000 - 0.63212 | fabs < 0.0147'
}
ok 'fillrandom leaves 63.2 % of the keys, as db_bench does' fillrandom_contents 7

stats () {
	"$top/bench_lmdb" --db="$work/db-lmdb" --benchmarks=fillseqbatch,stats --num=100 | grep '^entries 100$'
}
ok "stats prints the engine's own" stats
# What was logged are the records and less than twice as much beside them: more than a megabyte, of which the rest is counted apart.
stats_of_log () {
	bench bdb --benchmarks=fillseqbatch,stats --num=20000 >"$work/out" || return 1
	grep '^bytes of log written ' "$work/out"
	bytes=$(sed -n 's/^bytes of log written //p' "$work/out")
	[ "$bytes" -ge $((20000 * 116)) ] && [ "$bytes" -le $((20000 * 116 * 5)) ] &&
		row ".io_wchar_bytes + .close_io_wchar_bytes >= $bytes / 2"
}
[ ! -x "$top/bench_bdb" ] || ok "Berkeley DB's bytes of log are at least those of the records" stats_of_log

# counts ENGINE SETTING ARGUMENTS...: what the engine itself says that it counts
counts () {
	engine=$1 setting=$2
	shift 2
	bench "$engine" --benchmarks=fillseqbatch --num=100 "$@" >"$work/out" && row ".engine_options | split(\" \") | index(\"$setting\")"
}
counts_unless_asked () {
	counts wiredtiger statistics=none && counts wiredtiger statistics=fast --wt_statistics=1 && counts wiredtiger statistics=fast --type=lsm || return 1
	bench wiredtiger --benchmarks=readrandom --num=100 --use_existing_db=1 >"$work/out" && row '.engine_options | contains("statistics=fast")'
}
[ ! -x "$top/bench_wiredtiger" ] || ok 'WiredTiger counts events if asked, and of an LSM tree' counts_unless_asked
[ ! -x "$top/bench_sqlite" ] || ok 'SQLite does not count its memory' counts sqlite memstatus=0

# The file of records stays as it is, to the byte and the time, and of what was written there is the byte that wakes who waits
# for the threads. The table of readers is mapped: its page counts as written each time that the kernel has just written it
# back, for whoever calls sync. That only adds, so one of up to twenty runs must be without it.
reading_writes_nothing () {
	bench lmdb --benchmarks=fillseqbatch --num=200k --durability=sync >"$work/out" || return 1
	records=$work/db-lmdb/data/data.mdb
	[ -s "$records" ]
	state=$(stat -c '%s %Y %y' "$records"; md5sum <"$records")
	for benchmark in readrandom readseq readreverse readmissing readhot seekrandom seekordered
	do
		for _ in $(seq 20)
		do
			bench lmdb --use_existing_db=1 --benchmarks=$benchmark --num=200k >"$work/out"
			row '.io_wchar_bytes <= 1 and .io_write_calls <= 1 and .writes == 0 and .commits == 0 and .syncs == 0' || return 1
			[ "$(stat -c '%s %Y %y' "$records"; md5sum <"$records")" = "$state" ] || { echo "$benchmark: $records is another"; return 1; }
			! row '.io_write_bytes <= 8192 and .fs_out_blocks <= 16' || continue 2
		done
		return 1
	done
}
ok 'reading writes no record' reading_writes_nothing

# Reads of another process, thread and repetition see the same bytes at the same seed.
digest_of () {
	engine=$1
	shift
	bench "$engine" --num=20000 --verify=1 "$@" >"$work/out" && tail -n 1 "$work/rows" | jq -r .digest
}
digests () {
	for arguments in readrandom 'readrandom --threads=3' readseq readreverse 'seekrandom --seek_nexts=3' readhot
	do
		bench lmdb --benchmarks=fillseqbatch --num=20000 >"$work/out" || return 1
		# shellcheck disable=SC2086 # words
		a=$(digest_of lmdb --use_existing_db=1 --benchmarks=$arguments) &&
			b=$(digest_of null --benchmarks=$arguments) &&
			c=$(digest_of lmdb --use_existing_db=1 --seed=2 --benchmarks=$arguments) || return 1
		echo "$arguments: $a $b $c"
		[ -n "$a" ] && [ "$a" = "$b" ] || return 1
		case $arguments in
		readseq | readreverse) ;;
		*) [ "$a" != "$c" ] || return 1 ;;
		esac
	done
}
ok 'LMDB and the null engine print one digest for one seed, another for another' digests

# The same workload again: in one list, in another process, in another repetition. What it draws are other keys (d: its
# digest, or k: the number of distinct keys, where the digest depends on who is first), and what it writes differs from what
# was there (c: the contents). Engines agree.
printf '%s\n' 0,a,1,20,0,set,0 1,a,1,20,1,get,0 >"$work/set-get.csv"
cat >"$work/again" <<END
fillseqbatch|readrandom|d
fillseqbatch|readrandom --threads=3|d
fillseqbatch|readrandom --rng=minstd|d
fillseqbatch|readrandom --distribution=zipfian|d
fillseqbatch|multireadrandom --batch_size=7|d
fillseqbatch|readmissing|k
fillseqbatch|readhot --num=20000|d
fillseqbatch|seekrandom --seek_nexts=3|d
fillseqbatch|seekordered --reads=100|d
fillseqbatch|readwhilewriting|kc
fillseqbatch|readwhilescanning|d
fillseqbatch|seekrandomwhilewriting|kc
fillseqbatch|readrandomwriterandom|dc
fillseqbatch|updaterandom|dc
fillseqbatch|updaterandom --txn=1 --threads=2|kc
fillseqbatch|mix --mix=read:5,scan:1,rmw:2,update:2|dc
fillseqbatch|overwrite|kc
fillseqbatch|overwrite --value_size=8|kc
fillseqbatch|overwrite --value_size=17,300 --threads=2|kc
fillseqbatch|overwritebatch --batch_size=7|kc
fillseqbatch|soak-churn|kc
fillseqbatch|soak-refill|c
fillseqbatch|deleterandom|k
ycsb-load|ycsb-a|dc
ycsb-load|ycsb-b|dc
ycsb-load|ycsb-c|d
ycsb-load|ycsb-d|dc
ycsb-load|ycsb-e|dc
ycsb-load|ycsb-f|dc
ucsb-0|ucsb-a|dc
ucsb-0|ucsb-c|d
ucsb-0|ucsb-d|dc
ucsb-0|ucsb-e --num=20000|d
ucsb-0|ucsb-x|d
ucsb-0|ucsb-remove|k
bangdb-write|bangdb-read|d
bangdb-fill|bangdb-mix@1 --readwritepercent=50|dc
mixgraph-load|mixgraph|dc
filluniquerandom|cluster12 --preset=cluster12|dc
filluniquerandom|cluster37 --preset=cluster37|dc
smallbank-load|smallbank|d
replay-load|replay --trace_in=$work/set-get.csv|d
END
# again ENGINE FILL ARGUMENTS...: benchmark, epoch, digest, distinct keys, of two in a list and two in repetitions
again () {
	engine=$1 fill=$2 first=$3
	shift 3
	case $fill in
	smallbank-load | replay-load) read_back= ;; # other records than a scan knows
	*) read_back=,scan ;;
	esac
	rm -f "$work/rows"
	if ! bench "$engine" --num=2000 --verify=1 --benchmarks="$fill,$first$read_back,$first$read_back" "$@" >"$work/out" ||
		! bench "$engine" --num=2000 --verify=1 --use_existing_db=1 --repeat=2 --benchmarks="$first$read_back" "$@" >"$work/out"
	then
		cat "$work/out"
		return 1
	fi
	"$quick_jq" -r '[.benchmark, .epoch, .digest, .distinct_keys] | @tsv' "$work/rows"
}
draws_again () {
	while IFS='|' read -r fill arguments what
	do
		# shellcheck disable=SC2086 # words
		again lmdb $fill $arguments >"$work/first" &&
			again sqlite $fill $arguments --durability=none >"$work/other" || return 1
		"$quick_jq" -nR --arg what "$what" --arg workload "${arguments%%[@ ]*}" '[inputs / "\t"] | .[0] as $fill | .[1:] as $later |
			($later | map(select(.[0] == $workload))) as $w | ($later | map(select(.[0] == "scan"))) as $contents |
			def distinct($n): map(select(. != null)) | length == $n and (unique | length) == $n;
			{$what, epochs: (map(.[1]) == [range(length) | tostring] and ($w | length) == 4),
				d: (($what | test("d") | not) or ($w | map(.[2]) | distinct(4))),
				k: (($what | test("k") | not) or ($w | map(.[3]) | unique | length) > 1),
				c: (($what | test("c") | not) or ($contents | map(.[2]) | distinct(4)))} |
			if all(.[]; .) then empty else . end' "$work/first" >"$work/broken"
		[ ! -s "$work/broken" ] || { echo "$fill, $arguments:"; cat "$work/broken" "$work/first"; return 1; }
		# what is read beside a writer depends on who is first
		case $arguments in
		*while* | *--threads=*)
			cut -f 1,2,4 "$work/first" >"$work/first.keys"
			cut -f 1,2,4 "$work/other" | diff "$work/first.keys" -
			;;
		*) diff "$work/first" "$work/other" ;;
		esac || { echo "$fill, $arguments"; return 1; }
	done <"$work/again"
}
ok 'the same workload again draws other keys and writes other values, on all engines the same' draws_again

# One measurement alone: by its epoch, with the same keys, and still with values that were not there.
epoch_alone () {
	rm -f "$work/rows"
	bench lmdb --num=2000 --benchmarks=fillseqbatch,readrandom@1,readrandom@2,overwrite,readseq >"$work/out" &&
		bench lmdb --num=2000 --use_existing_db=1 --epoch=4 --benchmarks=readseq >"$work/out" &&
		bench lmdb --num=2000 --use_existing_db=1 --epoch=3 --benchmarks=overwrite,readseq >"$work/out" &&
		bench lmdb --num=2000 --use_existing_db=1 --epoch=3 --benchmarks=overwrite,readseq >"$work/out" &&
		bench lmdb --num=2000 --use_existing_db=1 --benchmarks=readrandom >"$work/out" &&
		bench lmdb --num=2000 --benchmarks=fillseqbatch >"$work/out" &&
		bench lmdb --num=2000 --use_existing_db=1 --epoch=2 --benchmarks=readrandom@2 >"$work/out" || return 1
	jq -c '[.benchmark, .epoch, .digest, .distinct_keys]' "$work/rows"
	jq -es 'map(.epoch) == [0, 1, 2, 3, 4, 4, 3, 4, 3, 4, 7, 0, 2] and (map(.digest) |
		.[4] == .[5] and ([.[4, 7, 9]] | unique | length) == 3 and .[2] == .[12]) and (map(.distinct_keys) | .[3] == .[6] and .[6] == .[8])' "$work/rows"
}
ok 'a row tells its epoch, by which it is measured again alone' epoch_alone

# A warm-up is none of the measurements; processes that share a database begin with one epoch, and the next ones with another.
epoch_of_others () {
	rm -f "$work/rows"
	bench lmdb --num=2000 --benchmarks='fillseqbatch,overwrite[W2-X2],readseq,compact,readrandom' >"$work/out" &&
		bench lmdb --num=2000 --use_existing_db=1 --multiprocess_read=1 --benchmarks=readrandom >"$work/out" &&
		bench lmdb --num=2000 --use_existing_db=1 --multiprocess_read=1 --benchmarks=readrandom >"$work/out" &&
		bench lmdb --num=2000 --use_existing_db=1 --isolate=1 --benchmarks=readrandom,readrandom >"$work/out" || return 1
	jq -c '[.benchmark, .epoch, .digest]' "$work/rows"
	jq -es 'map(.epoch) == [0, 1, 2, 3, null, 4, 5, 6, 7, 8] and (map(select(.benchmark == "readrandom").digest) | length == 5 and (unique | length) == 5)' "$work/rows"
}
ok 'epochs are counted for warm-ups, isolated workloads and processes that share a database' epoch_of_others

no_digest () {
	bench null --num=1000 --benchmarks=readrandom >"$work/out" && row '.valid == 1 and .found == 1000 and .digest == null'
}
ok 'and the null engine has none where it answers with a record that nobody wrote' no_digest

# The values of both are alike, so their keys make the difference.
keys_are_seen () {
	decimal=$(digest_of null --benchmarks=readseq)
	hex=$(digest_of null --benchmarks=readseq --key_format=hex)
	[ -n "$hex" ] && [ "$decimal" != "$hex" ]
}
ok 'the keys of a scan are in its digest' keys_are_seen

# Each put that repeats a key has another value, as engines may skip a value that they hold.
# puts ARGUMENTS...: key and value of each put of LMDB, in hexadecimal digits, to $work/puts
puts () {
	[ -e "$work/puts.so" ] || ${CC:-cc} -O2 -shared -fPIC -x c - -o "$work/puts.so" -ldl <<'END' || return 1
#define _GNU_SOURCE
#include <dlfcn.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
static void dump(FILE *to, const MDB_val *v, char end)
{
	for (size_t i = 0; i < v->mv_size; i++)
		fprintf(to, "%02x", ((unsigned char *)v->mv_data)[i]);
	putc(end, to);
}
int mdb_put(MDB_txn *txn, MDB_dbi dbi, MDB_val *key, MDB_val *value, unsigned flags)
{
	int (*real)(MDB_txn *, MDB_dbi, MDB_val *, MDB_val *, unsigned) =
		(int (*)(MDB_txn *, MDB_dbi, MDB_val *, MDB_val *, unsigned))dlsym(RTLD_NEXT, "mdb_put");
	FILE *to = fopen(getenv("PUTS"), "a");
	dump(to, key, ' ');
	dump(to, value, '\n');
	fclose(to);
	return real(txn, dbi, key, value, flags);
}
END
	rm -f "$work/puts"
	PUTS="$work/puts" LD_PRELOAD="$work/puts.so" bench lmdb "$@" >"$work/out"
}
repeats_differ () {
	for arguments in fillrandom fillrandbatch 'fillrandom --value_size=9' 'fillrandom --value_size=20-60' 'fillrandom --threads=3'
	do
		# shellcheck disable=SC2086 # words
		puts --num=300 --verify=1 --benchmarks=$arguments && row '.valid == 1' || return 1
		echo "$arguments: $(wc -l <"$work/puts") puts of $(cut -d ' ' -f 1 "$work/puts" | sort -u | wc -l) keys"
		[ "$(wc -l <"$work/puts")" -eq 300 ] && [ "$(cut -d ' ' -f 1 "$work/puts" | sort -u | wc -l)" -lt 250 ] &&
			[ -z "$(sort "$work/puts" | uniq -d)" ] || return 1
	done
}
ok 'each put that repeats a key has another value' repeats_differ
answers_repeats () {
	for benchmark in fillrandom fillrandbatch
	do
		rm -f "$work/rows"
		for engine in lmdb sqlite memstore
		do
			bench $engine --benchmarks=$benchmark,readrandom,readseq --num=3k --verify=1 >"$work/out" || return 1
		done
		jq -es '[.[] | select(.benchmark | test("^read"))] | length == 6 and all(.[]; .valid == 1 and .wrong == 0 and .digest != null) and
			([.[].digest] | unique | length) == 2' "$work/rows" || return 1
	done
}
[ ! -x "$top/bench_sqlite" ] || ok 'and every engine answers with the last of them' answers_repeats

# The keys of a read are not those of the load before it, in any process.
independent () {
	bench lmdb --benchmarks=fillrandom,readrandom --num=20000 >"$work/out"
	# 63.2 % of the reads hit, within six standard deviations (0.34 % each, plus the load's)
	row '.found / .ops - 0.63212 | fabs < 0.025' || return 1
	bench lmdb --use_existing_db=1 --benchmarks=readrandom --num=20000 >"$work/out"
	row '.found / .ops - 0.63212 | fabs < 0.025'
}
ok 'a read does not walk the keys of the load' independent

verify_finds () {
	bench lmdb --benchmarks=fillseqbatch --num=1000 >"$work/out" || return 1
	# one byte of one value, in the file
	offset=$(grep -abo '0000000000000503' "$work/db-lmdb/data/data.mdb" | head -n 1 | cut -d : -f 1)
	printf '\377' | dd of="$work/db-lmdb/data/data.mdb" bs=1 seek=$((offset + 40)) conv=notrunc 2>"$work/dd" || return 1
	! bench lmdb --use_existing_db=1 --benchmarks=readseq --num=1000 --verify=1 >"$work/out" || return 1
	row '.valid == 0 and .wrong == 1' && grep 'INVALID: 1 records were wrong' "$work/out" || return 1
	# of 20,000 draws the record is none once in 500 million runs, and with one seed in none
	! bench lmdb --use_existing_db=1 --benchmarks=multireadrandom --batch_size=10 --num=1000 --reads=20k --verify=1 >"$work/out" || return 1
	row '.valid == 0 and .wrong >= 1 and .ops == 20000'
}
ok '--verify=1 finds one wrong byte, by single reads and in a multi-get, and the row is invalid' verify_finds

# To compare 100,000 bytes takes many times as long as to be given them, if nobody looks at them.
verify_is_free () {
	bench lmdb --benchmarks=fillseqbatch,readrandom,multireadrandom,readseq,seekrandom --num=500 --value_size=100000 --batch_size=10 --reads=500 \
		--verify=1 --touch=none --json="$work/verified" >"$work/out" || return 1
	# of ten keys the call has one median
	jq -c '[.benchmark, (.read_p50_ns // .scan_p50_ns), .ops, .seconds]' "$work/verified"
	jq -es 'length == 5 and all(.[1:][]; .wrong == 0 and .ops == 500 and
		(.read_p50_ns // .scan_p50_ns) * .ops / (if .benchmark == "multireadrandom" then 10 else 1 end) / 1e9 < 0.3 * .seconds)' "$work/verified"
}
ok 'what --verify=1 takes is in no call, of one key or of several' verify_is_free

# The steps between seeks are 1 to 100, and each is among 3,000; after the last key comes the first.
seeks_ascend () {
	bench null --benchmarks=seekordered --num=1m --reads=3000 --trace_out="$work/seeks.csv" >"$work/out" &&
		awk -F , 'NR > 1 { step = ($2 - key + 1000000) % 1000000; seen[step]; bad += step < 1 || step > 100 }
			{ key = $2 }
			END { print NR, bad, length(seen); exit NR != 3000 || bad || length(seen) != 100 }' "$work/seeks.csv"
}
ok 'seekordered ascends by 1 to 100 keys' seeks_ascend

# Keys of 16 digits where 15 are said to be there: they spell the same numbers, and are other keys.
verify_measures_keys () {
	for arguments in readseq readreverse 'seekordered --seek_nexts=3'
	do
		bench lmdb --benchmarks=fillseqbatch --num=1000 --key_format="$1" >"$work/out" &&
			sed -i 's/^key_size 16$/key_size 15/' "$work/db-lmdb/assay.db" || return 1
		# shellcheck disable=SC2086 # words
		! bench lmdb --use_existing_db=1 --benchmarks=$arguments --num=1000 --key_format="$1" --key_size=15 \
			--verify=1 >"$work/out" || return 1
		row '.valid == 0 and .wrong == .entries and .out_of_order == 0' || return 1
	done
}
ok '--verify=1 finds decimal keys of a wrong size in a scan' verify_measures_keys decimal
ok 'and hexadecimal ones' verify_measures_keys hex

# Keys that ascend by their bytes are said to be integers of this machine, of which three follow larger ones.
verify_sees_order () {
	bench lmdb --benchmarks=fillseqbatch --num=1000 --key_format=binary --key_size=8 --verify=1 >"$work/out"
	sed -i 's/^key_form 2$/key_form 4/' "$work/db-lmdb/assay.db"
	! bench lmdb --use_existing_db=1 --benchmarks=readseq --num=1000 --key_format=native --verify=1 >"$work/out" || return 1
	row '.valid == 0 and .out_of_order == 3 and .ops == 1000'
}
ok '--verify=1 counts records that are out of order in a scan' verify_sees_order

syncs () {
	bench lmdb --benchmarks=fillseq --num=200 --durability="$1" >"$work/out" && row "$2"
}
ok 'sync syncs each commit' syncs sync '.syncs_per_commit >= 1 and .fdatasyncs >= 200 and .commits == 200'
ok 'async syncs nothing' syncs async '.syncs == 0 and .syncs_per_commit == 0'
ok 'none syncs nothing' syncs none '.syncs == 0 and .syncs_per_commit == 0'
# What fillsync opened at sync is opened again for a workload that is not.
reopens_weaker () {
	bench lmdb --benchmarks=fillsync,overwrite --num=3000 --writes=200 >"$work/out"
	row '.durability == "async" and .durability_effective == "async" and .open_seconds > 0 and .syncs == 0'
}
ok 'a workload that syncs less than the one before opens the database anew' reopens_weaker
# With --writemap=1 the file is as long as the map.
map_stays () {
	rm -f "$work/rows"
	bench lmdb --benchmarks=fillseqbatch --num=2000 --writemap=1 >"$work/out"
	bench lmdb --benchmarks=readrandom --num=2000 --writemap=1 --use_existing_db=1 >"$work/out"
	jq -es 'map(.engine_options | capture("mapsize=(?<size>[0-9]+)").size) | length == 2 and .[0] == .[1]' "$work/rows"
}
ok "a writable map does not grow as its file is opened again" map_stays

# Who is killed in the midst of a commit leaves a broken file, unless there is a log: rarely enough that no test that kills sees it.
keeps_log () {
	bench sqlite --benchmarks=fillseq --num=100 --durability="$1" >"$work/out"
	row ".engine_options | test(\"journal_mode=$2 \")"
}
ok 'SQLite has a log at async' keeps_log async wal
ok 'and at sync' keeps_log sync wal
ok 'but not at none' keeps_log none off
# A journal that was unlinked comes back after a power cut, and undoes the commit, unless its directory is synced.
unlinks () {
	bench sqlite --benchmarks=fillseq --num=100 --durability=sync --journal=delete >"$work/out"
	row '.syncs_per_commit >= 5 and (.engine_options | test("journal_mode=delete synchronous=3 "))'
}
ok 'and where its journal is unlinked, the directory is synced' unlinks

# What Berkeley DB adds to its cache, and where RocksDB has its index, neither says by its memory alone.
cache_of_bdb () {
	for mebibytes in 4 64 400 1000
	do
		bench bdb --benchmarks=fillseq --num=100 --cache_size=${mebibytes}Mi >"$work/out"
		jq -r '.engine_options' "$work/rows" | tail -n 1
		row "(.engine_options | capture(\"^cachesize=(?<n>[0-9]+) \").n | tonumber) / ($mebibytes * 1048576) | . > 0.98 and . < 1.02"
	done
}
index_of_rocksdb () {
	bench rocksdb --benchmarks=fillseq --num=100 >"$work/out"
	grep -h cache_index_and_filter_blocks= "$work/db-rocksdb/data/OPTIONS-"* | sort -u >"$work/index"
	cat "$work/index"
	[ "$(tr -d ' ' <"$work/index")" = cache_index_and_filter_blocks=true ]
}
[ ! -x "$top/bench_bdb" ] || ok "Berkeley DB's cache is what was asked for" cache_of_bdb
[ ! -x "$top/bench_rocksdb" ] || ok "RocksDB's index is inside its cache" index_of_rocksdb

lmdb_options () {
	bench lmdb --benchmarks=fillseq --num=200 --verify=1 "$@" >"$work/out"
}
writemap () {
	lmdb_options --writemap=1 --durability=sync && row '.msyncs >= 200 and .fdatasyncs == 0' &&
		bench lmdb --use_existing_db=1 --benchmarks=readseq --num=200 --verify=1 --readahead=0 >"$work/out" &&
		row '.ops == 200 and (.engine_options | test("readahead=0"))'
}
ok 'writemap=1 syncs through the map' writemap
metasync () {
	lmdb_options --metasync=0 && row '.syncs_per_commit == 1 and (.engine_options | test("metasync=0"))'
}
ok 'metasync=0 syncs once a commit' metasync

# strace sees the same syncs of the database as we count, over the commits alone
syncs_are_real () {
	strace -f -y -e trace=fsync,fdatasync,msync,sync_file_range -o "$work/strace" \
		"$top/bench_lmdb" --db="$work/db-lmdb" --benchmarks=fillseq,fillseqsync --num=10000 \
		--json="$work/rows" >"$work/out" || return 1
	counted=$(tail -n 1 "$work/rows" | jq .fdatasyncs)
	seen=$(grep -c 'fdatasync(.*/data.mdb>' "$work/strace")
	echo "counted $counted, strace saw $seen"
	[ "$counted" -eq 10 ] && [ "$seen" -ge "$counted" ] && [ "$seen" -le $((counted + 6)) ]
}
# synced FILE ENGINE ARGUMENTS...: how often, by strace
synced () {
	file=$1 engine=$2
	shift 2
	strace -f -y -e trace=fsync,fdatasync -o "$work/strace" "$top/bench_$engine" --db="$work/db-$engine" --durability=sync "$@" >"$work/out"
	grep -c "sync(.*/$file>" "$work/strace"
}
# Of ten batches the log is synced some seven times each, and without a hard transaction in ten in all.
log_synced () {
	n=$(synced data.kct.wal kyoto --benchmarks=fillseqbatch --batch_size=10 --num=100)
	echo "$n times"
	[ "$n" -ge 30 ]
}
# What was written at another durability is synced before a commit: Tkrzw's file once as it is opened and once as it is closed, SQLite's as it
# is opened.
synced_first () {
	bench tkrzw --benchmarks=fillseqbatch --num=3000 --durability=none >"$work/out"
	n=$(synced data.tkt tkrzw --use_existing_db=1 --benchmarks=readrandom --num=3000 --reads=3 --page_cache=kept)
	echo "$n times"
	[ "$n" -ge 2 ]
}
synced_first_sqlite () {
	bench sqlite --benchmarks=fillseqbatch --num=3000 --durability=async >"$work/out"
	synced data.db sqlite --use_existing_db=1 --benchmarks=overwrite --num=3000 --writes=3 --page_cache=kept >"$work/count"
	grep -m 1 'sync(.*/data.db' "$work/strace" | grep '/data.db>'
}
if strace -f true 2>"$work/strace"
then
	ok 'and strace sees them' syncs_are_real
	[ ! -x "$top/bench_kyoto" ] || ok "Kyoto Cabinet's batches sync their log" log_synced
	[ ! -x "$top/bench_tkrzw" ] || ok 'Tkrzw syncs at sync what it has written at none' synced_first
	[ ! -x "$top/bench_sqlite" ] || ok 'SQLite syncs at sync what it has written at async, before it commits' synced_first_sqlite
else
	skip 'strace sees the syncs' 'strace may not trace here'
fi

map_is_resident () {
	bench lmdb --benchmarks=fillseqbatch,readseq --num=200k >"$work/out" &&
		row '.rss_file_kb > 20000 and .rss_anon_kb < 10000 and .peak_rss_kb >= .rss_kb'
}
ok 'a mapped database counts as resident file, not as memory of the process' map_is_resident

# Each takes some time, together with the figures less than all of it; and what an engine does then is in its own figure.
settled () {
	rm -f "$work/rows"
	began=$(date +%s%N)
	bench lmdb --benchmarks=fillseqbatch,readseq --num=200k --settle=1 --reopen=1 --durability=none >"$work/out"
	took=$(($(date +%s%N) - began))
	jq -es "(map(.settle_seconds, .close_seconds, .open_seconds, .seconds) | all(. > 0)) and
		(map(.settle_seconds + .close_seconds + .open_seconds + .seconds) | add) < $took / 1e9 and
		.[0].settle_syncs > 0 and .[0].syncs == 0" "$work/rows"
}
ok 'open, settle and close are timed apart' settled
# Each thread takes 0.3 s more to end, after its last operation: what an engine does meanwhile belongs to its settling.
settles_from_the_end () {
	rm -f "$work/rows"
	strace -f -o "$work/strace" -e trace=exit -e inject=exit:delay_enter=300000 "$top/bench_lmdb" --db="$work/db-lmdb" --json="$work/rows" \
		--benchmarks=fillseqbatch --num=1k --settle=1 >"$work/out" || return 1
	row '.settle_seconds > 0.29'
}
ok 'settling begins where the run ends' settles_from_the_end
# A second is spent on seeing that LevelDB is idle, and is no time of its own.
watching_is_free () {
	rm -f "$work/rows"
	began=$(date +%s%N)
	bench leveldb --benchmarks=fillseqbatch,readrandom,waitforcompaction --num=10k --settle=1 >"$work/out" || return 1
	took=$(($(date +%s%N) - began))
	jq -es "(map(.seconds + .settle_seconds) | add) < $took / 1e9 - 2.9 and all(.[]; .settle_seconds < 0.9)" "$work/rows" ||
		{ cat "$work/rows"; return 1; }
}
ok 'the time spent on finding out that nothing is pending is nobody'"'"'s' watching_is_free

# A transaction of several chunks, retried from any place in it, is counted and written once.
done_again () {
	"$top/bench_null" --benchmarks=fillrandbatch --batch_size=1000 --num=100k --null_conflict_every=1501 --json="$work/rows" >"$work/out" &&
		row '.conflicts > 50 and .ops == 100000 and .commits == 100 and .bytes == 11600000'
}
ok 'a transaction with a conflict is retried completely' done_again

# Half of the puts return a conflict, five times in a row, and each keeps the CPU for 0.2 ms.
undone_time () {
	"$top/bench_null" --benchmarks=overwrite --num=1000 --null_put_ns=200000 --null_conflict_every=10 --null_conflicts=5 --json="$work/rows" >"$work/out" &&
		row '.conflicts > 900 and .retries == .conflicts and .retry_s > 0.00019 * .conflicts and .retry_s < .seconds - 0.19'
}
ok 'the time of what is undone is counted once' undone_time

ends_all () {
	! bench lmdb --benchmarks=fillseqbatch,readwhilewriting --num=1000 --mapsize=2Mi --value_size=500 --duration=60 >"$work/out" 2>&1 &&
		row '.benchmark == "readwhilewriting" and .valid == 0 and .seconds < 30'
}
ok 'a thread whose engine failed ends the run' ends_all

beyond_all () {
	bench lmdb --benchmarks=fillseqbatch,mix,readmissing --mix=insert:100 --intkey=1 --num=1000 >"$work/out" &&
		row '.benchmark == "readmissing" and .valid == 1 and .missing == 1000'
}
ok 'integer keys that are missing are beyond those inserted, too' beyond_all

ok 'runs clean under the address and undefined behaviour sanitizers' sh -c "
	make -C '$top' -s -j2 sanitized &&
	for list in fillseq,overwrite,updaterandom,readrandom,readseq,readreverse,readmissing,readhot,seekrandom,seekordered \
		fillrandbatch,readwhilewriting,readrandomwriterandom,overwritebatch,deleterandom,deleteseq,stats,open
	do
		'$top/build/asan/bench_lmdb' --db='$work/asan-db' --benchmarks=\$list --num=2000 --reads=30k --threads=3 --verify=1 \
			--histogram=1 --tsv='$work/asan.tsv' --hdr='$work/asan.hgrm' || exit 1
	done &&
	for preset in ycsb ucsb bangdb-6 voron
	do
		'$top/build/asan/bench_lmdb' --db='$work/asan-db' --preset=\$preset --num=2000 --threads=1 --verify=1 || exit 1
	done &&
	'$top/build/asan/bench_lmdb' --db='$work/asan-db' --benchmarks=fillseqbatch,mix,readwhilescanning --num=2000 --threads=3 \
		--mix=read:40,rmw:10,scan:10,insert:20,delete:20 --txn=1 --txn_reads=5 --value_size=1-500 --verify=1 --rate=20k \
		--arrivals=poisson --warmup=0.2 &&
	'$top/build/asan/bench_null' --benchmarks=readrandom,overwrite,readseq --num=20000 --threads=3"
# gcc's does not see that a structure is written which a function returns, such as when the figures began.
races () {
	mkdir -p "$work/tsan"
	# of one file, which is compiled in half the time of a hundred, and in a fifth of that without optimization
	make_quiet build/single/bench_null.c &&
		clang -std=c11 -O0 -g1 -fsanitize=thread -pthread "$top/build/single/bench_null.c" -o "$work/tsan/bench_null" -lm -ldl &&
		"$work/tsan/bench_null" --benchmarks=readrandom,overwrite --num=20000 --threads=2 --warmup=0.1 --duration=0.2 \
			--probe_rate=1000 --long_reader=0.05 --backup=0.05 &&
		"$work/tsan/bench_null" --benchmarks=readwhilewriting,readrandomwriterandom,fillseqbatch,updaterandom,ycsb-d,mix --num=20000 \
			--mix=read:2,insert:1,delete:1 --warmup=0.1 \
			--threads=4 --stats_interval=5000 --stats_interval_seconds=0.05 --report_interval_seconds=0.05 \
			--report_file="$work/tsan.csv"
}
if "$top/scripts/install-deps.sh" libclang-rt-dev 2>"$work/why"
then
	ok 'threads race nowhere, says the thread sanitizer' races
else
	skip 'threads that race' "$(tail -n 1 "$work/why")"
fi

# The second batch does not fit: what of it was inserted is not there.
failed_growth () {
	! bench lmdb --benchmarks=ucsb-0,ucsb-y --num=200k --value_size=8 --mapsize=5500Ki >"$work/out" 2>"$work/err" &&
		row '.benchmark == "ucsb-y" and .ops == 10000 and .valid == 0' && grep '^keys 200000$' "$work/db-lmdb/assay.db"
}
ok 'a batch of inserts that failed does not extend the key range' failed_growth

unchecked () {
	bench lmdb --benchmarks=fillseqbatch,readseq --num=1000 >"$work/out" && row '.wrong == null and .out_of_order == null' &&
		bench lmdb --use_existing_db=1 --benchmarks=readmissing --num=1000 >"$work/out" && row '.wrong == 0'
}
ok 'what was not checked is not said to be 0' unchecked

# What a scan finds is there, whatever the threads inserted and deleted until the time was over.
space_of_records () {
	for list in 'fillseq,mix,scan@1 --mix=insert:20,delete:10,read:10 --settle=1' 'ycsb-load,ycsb-d,scan@1 --warmup=0.1' \
		'ucsb-0@1,ucsb-y,scan@1' 'fillseq@1,age,scan@1 --age=1'
	do
		rm -f "$work/rows"
		# shellcheck disable=SC2086 # words
		bench lmdb --benchmarks=$list --num=1000 --threads=3 --duration=0.2 --isolate >"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err"; return 1; }
		jq -es 'map(select(.benchmark == "scan"))[0].ops as $there | length > 1 and all(.[1:][] | select(.benchmark | test("delete") | not);
			.space_amp > 0 and (.space_amp * $there * (.key_size + .value_size) / 1024 / .db_disk_kb - 1 | fabs < 1e-3))' "$work/rows" ||
			{ jq -c '[.benchmark, .space_amp, .db_disk_kb, .ops]' "$work/rows"; return 1; }
	done
}
ok 'space amplification is by the records that a scan finds' space_of_records
written_bytes () {
	bench leveldb --benchmarks=fillseq,mix --mix=insert:50,delete:50 --value_size=1000 --num=2000 >"$work/out" &&
		row '.write_amp * .bytes / .io_wchar_bytes - 1 | fabs < 1e-3'
}
ok 'write amplification is by the bytes that were put, and the keys that were deleted' written_bytes
all_found () {
	bench lmdb --benchmarks=fillseq,mix --mix=read:1,insert:1,delete:1 --num=3000 >"$work/out" && cat "$work/out" &&
		grep -q '^mix .*(2000 of 2000 found)' "$work/out" && row '.found == 2000 and .missing == 0'
}
ok 'what was found is of all that could be, deletes included' all_found
scans_find () {
	bench lmdb --benchmarks=fillseq,mix --mix=read:1,scan:1 --num=1000 >"$work/out"
	row '.scans > 0 and .reads > 0 and .found == .reads + .scans and .missing == 0'
}
ok 'and scans find as reads do' scans_find

favours_none () {
	bench null --benchmarks=readrandom --distribution=sequential --num=1000 >"$work/out" && row '.top1pct_fraction == null and .distinct_keys == 1000'
}
ok 'in order no key is drawn more than others, and no fraction of the popular is told' favours_none
# Places by number know nothing of the order of hashed keys.
other_order () {
	bench aio --benchmarks=fillrandom,readseq --key_format=user --key_size=24 --num=1000 --verify=1 >"$work/out" &&
		row '.out_of_order == null and (.emulated | test("the order of keys, by that of record numbers"))' &&
		bench aio --benchmarks=fillrandom,readseq --num=1000 --verify=1 >"$work/out" && row '.out_of_order == 0 and .emulated == null'
}
[ ! -x "$top/bench_aio" ] || ok 'a row says that an engine iterates in another order than that of keys' other_order
# Threads insert on while a snapshot is held: it need not have what came later.
snapshot_lacks () {
	rm -f "$work/rows"
	for _ in 1 2 3
	do
		bench sqlite --benchmarks=fillseqbatch,ycsb-d --num=1000 --threads=5 --duration=0.3 --txn_reads=100 >"$work/out" || return 1
		row '.valid == 1 and .lost == 0 and .found > 100'
	done
	jq -es 'map(.missing) | add > 0' "$work/rows" || { echo 'no read came too early: this shows nothing'; return 1; }
}
ok 'a snapshot need not have what was inserted after it' snapshot_lacks
# What is deleted meanwhile, and what a queue has not appended yet, is rightly not found by a thread beside it.
rightly_missed () {
	rm -f "$work/rows"
	bench lmdb --benchmarks=filluniquerandbatch,deleteseq,deleteseq --num=20k --threads=2 --probe_rate=500 --long_reader=0.2 >"$work/out" || return 1
	bench lmdb --benchmarks=queue --num=20k --probe_rate=500 --long_reader=0.2 >"$work/out" || return 1
	jq -es 'all(.[]; .valid == 1 and .lost == 0) and (map(.probe_missing) | add) > 0' "$work/rows" || { cat "$work/out"; return 1; }
}
ok 'beside deletes and queues a probe may miss' rightly_missed

# load_order ENGINE LIST ORDER [OPTION...]: the order of its load is said in each row of these, and by a run on what was kept.
load_order () {
	engine=$1 list=$2 order=$3
	shift 3
	rm -f "$work/rows"
	bench "$engine" --benchmarks="$list,readrandom" --num=1000 "$@" >"$work/out" || return 1
	bench "$engine" --use_existing_db=1 --benchmarks=readrandom --num=1000 "$@" >"$work/out" || return 1
	jq -es --arg order "$order" 'length >= 3 and all(.[]; .load_order == if $order == "" then null else $order end)' "$work/rows" ||
		{ echo "not '$order': $list $*"; jq -c '[.benchmark, .load_order]' "$work/rows"; return 1; }
}
load_orders () {
	for format in decimal hex binary native
	do
		load_order lmdb fillseqbatch sequential --key_format=$format
		load_order lmdb filluniquerandom random --key_format=$format
	done
	load_order lmdb fillseqbatch random --key_format=user --key_size=24
	load_order lmdb fillseq sequential
	load_order lmdb fillbulk sequential
	load_order lmdb ycsb-load random --preset=ycsb
}
ok 'the order of a load is that of the keys it wrote' load_orders

# What a bulk load writes beside the database is part of it afterwards, or gone.
no_litter () {
	bench rocksdb --benchmarks=fillbulk,readseq --num=20k --threads=1 >"$work/out" || return 1
	find "$work/db-rocksdb" -name '*.sst' | tee "$work/tables"
	[ -s "$work/tables" ] && ! grep -v '/[0-9]*[.]sst$' "$work/tables"
}
if [ -x "$top/bench_rocksdb" ]
then
	ok 'a bulk load leaves no file beside those of the engine' no_litter
else
	skip 'a bulk load leaves no file beside those of the engine' 'its library is not installed'
fi

# What test/empty.tsv says of each column holds in rows of lists, iterations, repetitions and processes: of states that one row leaves
# to the next, and of both branches of what options ask.
has_rules () {
	"$top/bench_null" --columns=tsv | awk -F '\t' '$1 == "result" { print $2 }' >"$work/columns"
	grep -v '^#' "$top/test/empty.tsv" | cut -f 1 | diff "$work/columns" -
}
ok 'each column has a rule when it is empty, in the order of columns' has_rules
empty_by_rule () {
	while read -r engine arguments
	do
		rm -rf "$work/db-$engine" "$work/rows"
		# shellcheck disable=SC2086 # words
		bench "$engine" --num=2000 $arguments >"$work/out" || { cat "$work/out"; return 1; }
		cat "$work/rows" >>"$work/ruled"
	done <<END
lmdb --benchmarks=fillseqbatch,readrandom,overwrite,readseq,deleterandom --settle=1
lmdb --benchmarks=fillseqbatch,readrandom[X2],readwhilewriting@3,mix --threads=2 --verify=1 --reopen=1
lmdb --benchmarks=fillseqbatch,seekrandom,multireadrandom,scan,overwritebatch --cold=1 --touch=none --latency=0 --reads=500
lmdb --benchmarks=fillseqbatch,readrandom,overwrite,filluniquerandom,fillsync,readmissing --settle=1 --isolate=1
lmdb --benchmarks=fillrandom,readrandom,compact,waitforcompaction,backup,readmissing --repeat=2
lmdb --benchmarks=fillseqbatch,overwrite,readrandom --probe_rate=500 --long_reader=0.05 --long_reader_pause=0.02 --backup=0.05 --duration=0.3 --slow_calls=100
lmdb --benchmarks=ycsb-load,ycsb-a,ycsb-d,ycsb-e --cpus=0 --malloc_arenas=1 --label=x --writemap=1
lmdb --benchmarks=smallbank-load,smallbank --long_reader=0.05 --probe_rate=100
null --benchmarks=fillseqbatch,readrandom,readwhilewriting,overwrite,scan --duration=0.2 --warmup=0.1 --rate=20000 --settle=1
null --benchmarks=readrandom,overwrite --duration=2.1
rocksdb --benchmarks=fillbulk,readrandom,overwritebatch,deleterandom,seekrandom --settle=1
sqlite --benchmarks=fillseqbatch,overwrite,deleteseq --durability=sync --writes=20
END
	bench lmdb --num=2000 --benchmarks=fillseqbatch >"$work/out" || return 1
	rm -f "$work/rows"
	for _ in 1 2
	do
		bench lmdb --num=2000 --use_existing_db=1 --benchmarks=readrandom,overwrite,readseq --loaded_by=me >"$work/out" || return 1
		cat "$work/rows" >>"$work/ruled"
		rm "$work/rows"
		# the same command again is no list of six
		echo '{}' >>"$work/ruled"
	done
	[ "$(wc -l <"$work/ruled")" -gt 50 ]
	"$top/test/empty.sh" "$work/ruled"
}
if [ -x "$top/bench_rocksdb" ] && [ -x "$top/bench_sqlite" ]
then
	ok 'columns are empty where their rules say so, and nowhere else' empty_by_rule
else
	skip 'columns are empty where their rules say so' 'RocksDB or SQLite is not installed'
fi

# What a database keeps over an open: the size of its map, its logs, and what was inserted beyond what was loaded.
map_stays () {
	bench lmdb --benchmarks=fillseqbatch --num=1000 --writemap=1 >"$work/out"
	for _ in 1 2
	do
		bench lmdb --use_existing_db=1 --benchmarks=overwrite --num=1000 --writemap=1 >"$work/out"
	done
	tail -n 3 "$work/rows" | jq -r '.engine_options | capture("mapsize=(?<n>[0-9]+)").n' | sort | uniq -c | grep '^ *3 '
}
ok 'a writable map is as large at each open' map_stays
logs_go () {
	bench bdb --benchmarks=fillseqbatch,backup,overwrite --num=20k --writes=40k --lg_max=1Mi --lg_bsize=64Ki --checkpoint_bytes=1Mi >"$work/out" || return 1
	find "$work/db-bdb/data" -name 'log.*' | tee "$work/logs"
	[ "$(wc -l <"$work/logs")" -le 3 ] && ! grep 'log.0000000001$' "$work/logs"
}
inserted_stay () {
	for engine in lmdb aio
	do
		[ -x "$top/bench_$engine" ] || continue
		bench $engine --benchmarks=fillseqbatch,mix --mix=insert:1 --num=1000 --writes=500 --threads=3 >"$work/out" &&
			bench $engine --use_existing_db=1 --benchmarks=scan --num=1000 --verify=1 >"$work/out" && row '.ops == 2500 and .wrong == 0' || return 1
		# and what is inserted next is new
		bench $engine --use_existing_db=1 --benchmarks=mix,scan@1 --mix=insert:1 --num=1000 --writes=500 --threads=3 --verify=1 >"$work/out" &&
			row '.ops == 4000 and .wrong == 0' || return 1
	done
}
ok 'what threads have inserted is there after a reopen, and what they insert then is added' inserted_stay
[ ! -x "$top/bench_bdb" ] || ok "Berkeley DB's logs go after a backup as before" logs_go
# What is inserted in the warm-up, six times as much at its rate, is not what the database grew by.
without_warmup () {
	bench lmdb --benchmarks=fillseqbatch,mix --mix=insert:1 --num=1000 --value_size=10000 --rate=1000 --warmup=1.2 --duration=0.2 >"$work/out" || return 1
	row '.disk_growth_kb > 0 and .disk_growth_kb * 1024 / (.ops * .value_size) < 4'
}
ok 'the growth of a database is without the warm-up' without_warmup
