#!/bin/sh
# rows.sh: what rows have that follows from the command alone; see --help.
set -eu
. "$(dirname "$0")/../scripts/common.sh"
. "$(dirname "$0")/fills.sh"

help () {
	cat <<END
usage: test/rows.sh

Runs every workload on the test engine in memory, and some with further options, and prints of each
row what does not depend on time: counts, digests of what was read, and settings where they differ
from those of the first row. Empty columns are left out. test/rows.txt is what was looked at and
found right. After a change that means it, look at the difference, then:
    test/rows.sh >test/rows.txt
END
}
[ "${1-}" != --help ] || { help; exit 0; }
[ $# -eq 0 ] || fail 2 'no arguments; see --help'
top=$(cd "$(dirname "$0")/.." && pwd)
needs jq
make_work

# rows ENGINE LIST ARGUMENTS...: the rows, or the last line that was said, after the command
rows () {
	program=$1 list=$2
	shift 2
	echo "# $program $list $*" | sed "s|$work|DIRECTORY|g"
	case $* in
	*use_existing*) ;;
	*) rm -rf "$work/db" ;;
	esac
	rm -f "$work/rows"
	"$top/bench_$program" --db="$work/db" --json="$work/rows" --num=2000 --seed=7 --benchmarks="$list" "$@" >"$work/out" 2>&1 || :
	if [ -s "$work/rows" ]; then cat "$work/rows"; else tail -n 1 "$work/out" | sed "s|$work|DIRECTORY|g"; fi
}

# printed: such rows among other lines, for all commands at once, as jq takes longer to begin than for a row
printed () {
	jq -nRr '
		def settings: ["num", "key_size", "key_format", "value_size", "value_sizes", "batch_size", "distribution", "mix",
			"scan_length", "txn_reads", "txn", "warmup_s", "cold", "durability", "durability_effective", "batch_atomicity",
			"cache_bytes", "write_buffer_bytes", "compression", "seed", "repetition", "isolated", "partial", "touch", "arrivals", "age"];
		def results: ["threads", "loaded_by", "load_order", "epoch", "iteration", "valid", "emulated", "invalid_reason", "target_rate",
			"ops", "reads", "writes", "scans", "entries", "found", "missing", "lost", "wrong", "out_of_order", "errors", "bytes",
			"distinct_keys", "top1pct_fraction", "digest", "commits", "conflicts", "retries", "queues", "index_check", "table_rows",
			"index_entries", "aborts", "write_skews", "replay_gets_found", "replay_gets_lost", "replay_gets_gained", "replay_ttls_ignored"];
		[inputs | if startswith("{") then fromjson else . end] | ([.[] | objects][0]) as $first | .[] | if type == "string" then . else
		. as $row |
		[.benchmark, ((settings[] | select($row[.] != $first[.])), (results[] | select($row[.] != null))) as $c |
			if $c == .benchmark then $c else "\($c)=\($row[$c])" end] | @tsv end' |
		awk -F '\t' '{
			line = $1
			for (i = 2; i <= NF; i++)
				if (length(line) + length($i) > 98) { print line; line = "\t" $i } else line = line " " $i
			print line
		}'
}

{
# What depends on who comes first, beside a writer, and what waits or takes its time, is left out.
"$top/bench_memstore" --workloads=tsv | sed 1d | cut -f 1 | grep -v -x -e '.*while.*' -e stats -e wait -e 'q[rp].*' -e age -e open \
	-e 'replay.*' -e verify-journal >"$work/workloads"
while read -r workload
do
	engine=memstore
	fill_for "$workload"
	# it keeps nothing when it is closed, and its keys have no order of their hashes
	case $workload in voron-* | ycsb-e) engine=lmdb ;; esac
	rows "$engine" "$fill${fill:+,}$workload" --verify=1 ${more:+"$more"}
done <"$work/workloads"
# of one client: adds, replacements and appends of keys that are there, and of others
printf '%s\n' 0,a,1,20,0,set,0 0,b,1,30,0,add,0 0,a,1,40,0,add,0 1,a,1,0,0,get,0 1,a,1,50,0,replace,0 1,c,1,60,0,replace,0 \
	2,a,1,0,0,get,0 2,b,1,0,0,get,0 2,c,1,0,0,get,0 3,b,1,0,0,delete,0 3,b,1,35,0,replace,0 3,b,1,45,0,add,0 4,b,1,0,0,get,0 \
	5,a,1,70,0,cas,0 5,a,1,80,0,append,0 6,a,1,0,0,get,0 >"$work/adds"
while read -r engine list arguments
do
	case $arguments in
	*TRACE*) arguments="${arguments%TRACE*}$work/trace${arguments#*TRACE}" ;;
	*ADDS*) arguments="${arguments%ADDS*}$work/adds${arguments#*ADDS}" ;;
	esac
	# shellcheck disable=SC2086 # words
	rows "$engine" "$list" --verify=1 $arguments
done <<'END'
memstore fillseqbatch,readrandom@3,readmissing@3,seekrandom@3 --touch=first
memstore fillseqbatch,readrandom,readrandom,readrandom[X2],overwrite,overwrite --verify=1
memstore fillseqbatch,readrandom --repeat=2 --reads=500
memstore fillseqbatch,readrandom --isolate --reads=500
memstore fillseqbatch,overwritebatch,multireadrandom,readrandom --batch_size=7 --reads=100 --writes=100
memstore fillrandbatch,overwrite --batch_size=300 --num=1000
memstore fillseq,readrandom,seekrandom --key_format=hex --key_size=20 --seek_nexts=9
memstore fillseq,readrandom,seekrandom --key_format=binary --key_size=16
memstore fillseq,readrandom,seekrandom --key_format=user --key_size=24
memstore fillseqbatch,readrandom,overwrite,readseq --value_size=10-300 --verify=1
memstore fillseqbatch,readrandom,overwrite --value_size=1 --key_size=40
memstore fillseqbatch,readrandom --distribution=zipfian
memstore fillseqbatch,readrandom --distribution=zipfian --theta=0.5
memstore fillseqbatch,readrandom --distribution=latest
memstore fillseqbatch,readrandom@3 --distribution=sequential --reads=777
memstore fillseqbatch,readrandom --distribution=hotspot
memstore fillseqbatch,readrandom --distribution=pareto
memstore fillseqbatch,readrandom --distribution=exponential
memstore fillseqbatch,mix --mix=read:5,scan:1,insert:3,delete:3,rmw:2 --txn=1 --distribution=zipfian
memstore fillseqbatch,mix --mix=read:50,update:30,scan:20 --scan_length=3-9 --txn_reads=10
memstore fillseqbatch,readrandom --txn_reads=7 --reads=100
memstore fillseqbatch,readrandom --txn_reads=7 --rate=1m --reads=100
memstore fillseqbatch,overwrite --rate=100k --writes=100 --arrivals=poisson
memstore fillseq,fillrandom,overwrite --rate=100k --num=50 --writes=50
memstore fillseqbatch,seekrandom --seek_nexts=9 --reads=100
memstore fillseqbatch,seekrandom --seek_nexts=9 --reads=100 --memstore_scan_conflict_every=50
memstore fillseqbatch,readseq,readreverse --memstore_scan_conflict_every=50
memstore fillseqbatch,readrandom,multireadrandom --batch_size=7 --reads=100 --memstore_get_conflict_every=11
memstore fillseq,updaterandom --reads=100 --writes=100 --memstore_get_conflict_every=11 --memstore_conflict_every=7
memstore fillseq,mix --mix=read:5,rmw:5 --txn=1 --reads=100 --memstore_get_conflict_every=11 --memstore_conflict_every=7
memstore fillseq,mix --mix=read:5,insert:4,delete:3 --reads=100 --memstore_conflict_every=7 --memstore_conflicts=3
memstore fillseq,deleterandom --writes=100 --memstore_conflict_every=7 --batch_size=10
memstore fillseqbatch,readseq,overwritebatch --batch_size=300 --writes=1000 --memstore_conflict_every=500
memstore replay --trace_in=ADDS
memstore replay --trace_in=ADDS --memstore_conflict_every=3
memstore replay --trace_in=ADDS --memstore_get_conflict_every=3
memstore fillseqbatch,deleteseq,readrandom,fillseqbatch,deleterandom
memstore fillseqbatch,readhot --num=20000 --reads=5000
memstore fillseqbatch,readhot --num=20001 --reads=5000
memstore fillseqbatch,readhot --num=1
memstore fillseqbatch@3,readseq@3,fillrandom@3,filluniquerandbatch@3,readrandom@3,readreverse --reads=100
memstore fillseqbatch,readrandom@2,readrandom@2 --rng=minstd --reads=100
memstore fillseqbatch,readrandom@2 --distribution=zipfian --zipf_generator=ucsb2022 --reads=100
memstore fillseqbatch,readrandom --distribution=hotspot --hotspot_keys=0.01 --hotspot_share=0.5
memstore fillseqbatch,readrandom --distribution=pareto --pareto_h=0.4
memstore ycsb-load,ycsb-d --distribution=hotspot --reads=500
memstore ycsb-load,ycsb-d --distribution=exponential --reads=500
memstore ycsb-load,ycsb-d --distribution=scrambled_zipfian --reads=500
memstore fillseqbatch,readrandomwriterandom --readwritepercent=30 --reads=500
memstore queue --queues=10 --queue_deletes=0.2
memstore mixgraph-load,mixgraph --mixgraph=db_bench --mix_put_ratio=0.3 --mix_seek_ratio=0.1 --reads=500
memstore mixgraph-load,mixgraph --mixgraph=db_bench --mixgraph_keys=all_dist --reads=300
memstore mixgraph-load,mixgraph,readrandom --distribution=mixgraph --mixgraph_keys=prefix_random --reads=300
memstore mixgraph-load,readrandom --distribution=mixgraph --keyrange_num=7 --keyrange_dist_a=3 --keyrange_dist_b=-0.5 --reads=300
memstore mixgraph-load,readrandom --distribution=mixgraph --keyrange_dist_c=5 --keyrange_dist_d=-0.01 --reads=300
memstore mixgraph-load,readrandom --distribution=mixgraph --key_dist_a=0.02 --key_dist_b=0.3 --reads=300
memstore mixgraph-load,mixgraph --mix_get_ratio=0 --value_theta=20 --value_k=0.1 --value_sigma=30 --mix_max_value_size=200
memstore mixgraph-load,mixgraph --mix_put_ratio=0 --iter_theta=3 --iter_k=0.5 --iter_sigma=5 --mix_max_scan_len=20 --reads=900
memstore randomtransaction --compat=db_bench --transaction_sets=4 --num=100 --touch=all
memstore fillbatch,multireadrandom,mixgraph,deleterandom --compat=db_bench --multiread_stride=7 --reads=100 --batch_size=9 --touch=all --deletes=50
memstore smallbank-load,smallbank --num=20 --hot_share=0.7 --hot_customers=3 --reads=1500
memstore smallbank-load,smallbank --num=20 --hot_customers=9 --reads=1500 --batch_size=3 --memstore_conflict_every=17 --memstore_get_conflict_every=11
memstore queue --queues=100 --threads=3
memstore queue --queues=7 --threads=3 --num=50
lmdb queue --queues=20 --num=40
memstore fillseqbatch,readrandom --chunk=5000 --reads=500
memstore fillseqbatch,seekrandom,readseq,readreverse --num=1 --seek_nexts=5
memstore fillseqbatch,readrandom --durability=none --compression_ratio=0.25
memstore fillseqbatch,readrandom --durability=async --touch=none
memstore fillseq,readrandom --seed=8 --reads=100
memstore fillseqbatch,readrandom[W1-X2],overwrite[W1] --reads=100 --writes=100
memstore fillseqbatch,updaterandom,readrandom --threads=1 --reads=300 --writes=200
memstore fillseqbatch,compact,readrandom,overwrite --reads=100 --writes=100
lmdb fillseqbatch,mix --mix=read:50,update:20,insert:20,delete:10 --trace_out=TRACE
lmdb replay,readrandom,readmissing --use_existing_db=1 --trace_in=TRACE
lmdb overwrite,readrandom --use_existing_db=1 --reads=500 --writes=500
lmdb readrandom --use_existing_db=1 --reads=500 --epoch=3
lmdb fillbulk,deleterandom,readseq --intkey=1
lmdb fillseqbatch,overwritebatch,seekrandom,deleteseq --batch_size=64 --seek_nexts=3
null overwrite,ycsb-f --null_conflict_every=10 --null_conflicts=2 --writes=100 --reads=100
null overwritebatch --null_conflict_every=50 --batch_size=20 --writes=100
null ycsb-f --null_conflict_every=10 --txn=1 --reads=100
END
} | printed
