# decide.sh: scripts that answer a question: exact counts, settings, cost.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# ---- exact.sh

exact () {
	"$top/scripts/exact.sh" "$@" >"$work/out" 2>"$work/err"
}
# planted_instructions: the tree again in $work/planted, with two more instructions in each get of bench_null, of 180
planted_instructions () {
	copy_of_tree "$work/planted" && cd "$work/planted" &&
		sed -i 's/^	if (key.size != s->fast_path_key_size)$/	__asm__ volatile("nop; nop");\n&/' engines/null.c &&
		[ "$(grep -c nop engines/null.c)" -eq 1 ] && make -s bench_null
}
# Each chunk costs some instructions, and these calls are so short that chunks would grow.
fixed_chunks () {
	command -v valgrind || cannot 'valgrind is not installed'
	for chunk in 1 512
	do
		instructions "$top/bench_null" --num=20k --reads=20k --chunk=$chunk >"$work/in-chunks-of-$chunk"
	done
	paste "$work/in-chunks-of-1" "$work/in-chunks-of-512" | awk '{ print; exit !($1 > 1.5 * $2 && $2 > 1000000) }'
}
ok '--chunk fixes the size of chunks' fixed_chunks
# Counted for more than a second, as on a busy machine, a thread has seconds to tell of, which cost 0.2 %: such counts are made
# again. Of so many operations, what a thread parses of /proc, which differs in its digits, is far below the tolerance.
counted () {
	exact --benchmarks=readrandom --ops=40000 --save="$work/null.tsv" null && cat "$work/out" && [ ! -s "$work/err" ] &&
		grep -q '^null  *readrandom  *instructions  *1[0-9][0-9][.]' "$work/out"
}
repeats () {
	command -v valgrind || cannot 'valgrind is not installed'
	counted
	# once more under another name, as of another version
	{ cat "$work/null.tsv"; sed -n 's/^null\t/older\t/p' "$work/null.tsv"; } >"$work/older.tsv"
	sed -i '/^null\t.*instructions/s/[0-9.]*$/9/' "$work/older.tsv"
	exact --benchmarks=readrandom --ops=40k --reference="$work/older.tsv" --old=older null && ! grep -v 'equal$\|verdict$' "$work/out"
}
ok 'exact.sh counts the same again, also against the counts of another name' tries 5 repeats
finds () {
	command -v valgrind || cannot 'valgrind is not installed'
	counted
	needs planted_instructions
	status=0
	"$work/planted/scripts/exact.sh" --benchmarks=readrandom --ops=40000 --reference="$work/null.tsv" null >"$work/out" || status=$?
	cat "$work/out"
	[ "$status" -eq 1 ] && grep -q 'instructions .* +1[.][0-9]* %  more$' "$work/out"
}
ok 'and finds one percent more instructions' tries 5 finds
refuses_reference () {
	needs counted
	fails 2 'its options are num=20000 ops=40000, not num=20000 ops=5000; --save another' \
		"$top/scripts/exact.sh" --benchmarks=readrandom --ops=5000 --reference="$work/null.tsv" null
	sed 's/ valgrind-[^ ]* / valgrind-1 /' "$work/null.tsv" >"$work/other.tsv"
	fails 2 'it was counted with .*valgrind-1 ' \
		"$top/scripts/exact.sh" --benchmarks=readrandom --ops=40000 --reference="$work/other.tsv" null
	fails 2 'has no counts of older; save them' "$top/scripts/exact.sh" --reference="$work/null.tsv" --old=older null
	fails 2 '--old needs --reference and one engine' "$top/scripts/exact.sh" --old=older null
	fails 2 'has background workers' "$top/scripts/exact.sh" --benchmarks=readwhilewriting null
	fails 2 'set by exact.sh' "$top/scripts/exact.sh" --threads=2 null
}
ok 'it refuses references of other options or tools, and workloads of several threads' refuses_reference
# Each commit writes, and syncs once: LMDB's data by fdatasync, its meta page by a file that is synced by each write.
counts_calls () {
	exact --benchmarks=overwrite --ops=200 --num=1000 --durability=sync lmdb && cat "$work/out" &&
		awk '$3 == "call.fdatasync" && $4 == 1 { data = 1 } $3 == "call.pwrite64" && $4 > 3 { page = 1 }
			$3 == "bytes_written" && $4 > 8000 { bytes = 1 } $3 == "syncs" && $4 == 2 { synced = 1 }
			END { exit !(data && page && bytes && synced) }' "$work/out"
}
if strace -o "$work/trace" true 2>"$work/err"
then
	ok 'it counts system calls, bytes written and syncs of a commit' counts_calls
else
	skip 'it counts system calls, bytes written and syncs of a commit' 'strace may not trace here'
fi
# with all CPUs busy
twenty_of_twenty () {
	needs counted
	needs planted_instructions
	found=0 differ=0 hogs=
	for _ in $(seq "$(nproc)")
	do
		sh -c 'while :; do :; done' &
		hogs="$hogs $!"
	done
	for _ in $(seq 20)
	do
		"$work/planted/scripts/exact.sh" --benchmarks=readrandom --ops=40000 --reference="$work/null.tsv" null >"$work/out" || found=$((found + 1))
		"$top/scripts/exact.sh" --benchmarks=readrandom --ops=40000 --reference="$work/null.tsv" null >"$work/out" || differ=$((differ + 1))
	done
	status=0
	exact --save="$work/engines.tsv" lmdb sqlite || status=1
	for _ in 1 2 3
	do
		exact --reference="$work/engines.tsv" lmdb sqlite || { cat "$work/out"; status=1; }
	done
	# shellcheck disable=SC2086 # words
	kill $hogs
	equal=$((20 - differ))
	echo "found $found of 20, equal $equal of 20"
	echo "# exact.sh: 1 % more was found in $found of 20 trials, nothing in $equal of 20 without" >&2
	[ "$found" -eq 20 ] && [ "$equal" -eq 20 ] && [ "$status" -eq 0 ]
}
[ -z "$long" ] || ok 'on a busy machine too, in 20 of 20 trials, and LMDB and SQLite repeat' twenty_of_twenty

# ---- capacity.sh, on a server whose response times are known (M/D/1)

# md1 NAME SEED [OPTION...]: its capacity for a p99 of 1 ms, where an operation takes 100 us; it stops $stalls times a second
# for 50 ms
stalls=0
md1 () {
	name=$1 seed=$2
	shift 2
	mkdir -p "$work/md1"
	ln -sfn "$top/scripts" "$work/md1/scripts"
	cat >"$work/md1/bench_$name" <<END
#!/bin/sh
rate=0 seconds=1
for argument
do
	case \$argument in
	--rate=*) rate=\${argument#*=} ;;
	--duration=*) seconds=\${argument#*=} ;;
	--json=*) file=\${argument#*=} ;;
	esac
done
rows=\$(cat "$work/md1/$name/rows.json" 2>/dev/null | wc -l)
awk -v seed="\$(($seed * 1000 + rows))" -v rate="\$rate" -v seconds="\$seconds" -v service_us=100 \
	-v stalls=$stalls -v stall_us=50000 -f "$top/scripts/tools/random.awk" -f "$top/test/md1.awk" >>"\$file"
END
	chmod +x "$work/md1/bench_$name"
	status=0
	"$work/md1/scripts/capacity.sh" --out="$work/md1/$name" --p99=1ms --seconds=1 "$@" "$name" >"$work/md1/$name.out" 2>&1 || status=$?
	cat "$work/md1/$name.out"
}
# off NAME LIMIT: the rate that was found is off theory by at most so much
off () {
	sed -n "s/^$1: \([0-9]*\) operations a second keep .*/\1/p" "$work/md1/$1.out" |
		awk -v theory="$(awk -v service_us=100 -v limit_us=1000 -v quantile=0.99 -f "$top/scripts/tools/random.awk" -f "$top/test/md1.awk")" -v most="$2" \
			'{ n++; off = $1 / theory - 1; print $1, theory, off } END { exit !(n == 1 && off <= most && off >= -most) }'
}
known_capacity () {
	md1 calm 1 && [ "$status" -eq 0 ] && off calm 0.06 && ! grep 'though' "$work/md1/calm.out" &&
		grep '^calm: between [0-9]*, which kept it, and [0-9]*, which did not; the limit is broken by reads that started late$' "$work/md1/calm.out"
}
ok 'capacity.sh finds the rate at which the p99 of a queue is known' known_capacity
# A limit that no call keeps ends it after two runs.
own_arrivals () {
	! "$top/scripts/capacity.sh" --out="$work/own" --p99=1us --seconds=1 --seed=7 --null_get_ns=10000 null >"$work/out" 2>&1 || return 1
	cat "$work/out"
	jq -es 'map(select(.target_rate).seed) == [7001, 7002]' "$work/own/rows.json"
}
ok 'each of its runs has random arrivals of its own' own_arrivals
# It stops in two thirds of the runs, whatever the rate.
stalling () {
	stalls=1
	md1 stalling 2 --rounds=1 && [ "$status" -eq 1 ] && grep '^stalling: not decided: .* exceeded a p99 of 1ms' "$work/md1/stalling.out"
}
ok 'it decides nothing where runs below fail at random' stalling
synced_beside () {
	stalls=0
	mkdir -p "$work/md1"
	ln -sfn "$top/bench_aio" "$work/md1/"
	STORAGE_DIR=$work/md1 md1 beside 1 --rounds=1 --steps=1
	grep '^a synced write of the disk under .*/md1/beside: median [0-9.]* [um]s, p99 [0-9.]* [um]s$' "$work/md1/beside.out" && [ -d "$work/md1/beside/aio" ] &&
		awk -F '\t' 'NR == 2 { exit !($9 > 0 && $10 >= $9) }' "$work/md1/beside/capacity.tsv"
}
if [ -x "$top/bench_aio" ]
then
	ok 'it measures the latency of syncs where the databases are' synced_beside
else
	skip 'it measures the latency of syncs where the databases are' 'bench_aio is not built'
fi
# Truth is what theory says, or that nothing is decided; a failure below the answer is told.
capacity_trials () {
	stalls=0 near=0 honest=0
	for seed in $(seq 101 120)
	do
		md1 "trial$seed" "$seed" >"$work/trial"
		! off "trial$seed" 0.05 >"$work/trial" || near=$((near + 1))
	done
	stalls=0.1
	for seed in $(seq 201 220)
	do
		md1 "trial$seed" "$seed" >"$work/trial"
		! grep -q '^trial[0-9]*: not \(decided\|even\)' "$work/md1/trial$seed.out" || { honest=$((honest + 1)); continue; }
		below=$(awk -F '\t' -v found="$(awk -F '\t' 'NR == 2 { print $3 }' "$work/md1/trial$seed/capacity.tsv")" \
			'NR > 1 && $2 < 0.9 * found && $8 == 0 { n++ } END { print n + 0 }' "$work/md1/trial$seed/ladder.tsv")
		if off "trial$seed" 0.08 && { [ "$below" -eq 0 ] || grep -q "though $below of " "$work/md1/trial$seed.out"; }
		then
			honest=$((honest + 1))
		fi
	done
	echo "within 5 % of theory in $near of 20; with stalls not decided or true in $honest of 20"
	[ "$near" -ge 18 ] && [ $honest -eq 20 ]
}
[ -z "$long" ] || ok 'its answers are within 5 % of theory in 18 of 20 trials, and with stalls true or none' capacity_trials

# ---- tune.sh, on a response surface that is known

# tune NAME OPTION...: of bench_null, whose gets take 20 us at the default
tune () {
	name=$1
	shift
	rm -rf "$work/tune-$name"
	status=0
	XDG_CACHE_HOME=$top/build/cache "$top/scripts/tune.sh" --out="$work/tune-$name" --seconds=0 --num=1k --reads=300 --null_get_ns=20000 \
		"$@" null >"$work/out" 2>"$work/err" || status=$?
	cat "$work/out" "$work/err"
}
# x=7 takes 24 % less, 14 more than the limit, and keys of one byte are refused
one_factor () {
	tune one --mode=one-factor --goal=read_p50_ns '--limit=read_p50_ns<30us' --set=null_x=0,7,14 --set=null_y=0,4 --set=key_size=1,16 \
		--set=seek_nexts=0,10 --shifted=readmissing --rounds=5
	[ "$status" -eq 0 ] && grep -q 'one-factor: 6 runs of 24 combinations, of which 1 exceeded a limit and 1 were invalid$' "$work/out" &&
		grep -q '^found: .* changes read_p50_ns by -2[345]\.[0-9] % (95 % interval -2' "$work/out" &&
		grep -q '^null_x: matters; taking back 7 to 0 alone changes read_p50_ns by +3[0123]\.' "$work/out" &&
		grep -q '^null_y: best at its default$' "$work/out" && grep -q '^on readmissing: -2[345].* against the default; limits exceeded in 0 of 5 runs' "$work/out" &&
		awk -F '\t' '$2 == "search" && $5 != 1 || $2 == "winner" && $5 < 1000 { exit 1 } $2 == "winner" { seeds[$5] } END { for (s in seeds) n++; exit n != 5 }' \
			"$work/tune-one/trials.tsv"
}
ok 'tune.sh finds the setting that matters, on fresh seeds, and counts what exceeds a limit or is invalid' one_factor
# The test of a difference errs in one of 20 surveys, so both of two of other seeds must err.
flat () {
	for seed in 1 50
	do
		tune flat --mode=factorial --set=null_stall_ms=0,1,2 --set=seek_nexts=0,10 --seed=$seed
		grep -q 'factorial: 6 runs of 6 combinations' "$work/out" || return 1
		[ "$status" -ne 1 ] || ! grep -q '^nothing found: ' "$work/out" || return 0
	done
	return 1
}
ok 'and nothing where no setting has an effect' flat
ok 'it refuses options, columns and values that there are not' sh -c "
	for arguments in '--set=nosuch=1,2 null' '--set=null_x=1,2 --limit=nosuch<1 null' '--set=null_x=1,2 --limit=read_p99_ns null' \
		'--set=null_x=1,2 --goal=engine null' '--set=null_x null' '--set=null_x=1,2 --mode=x null' 'null' '--set=null_x=1,2 --rounds=3 null'
	do
		'$top/scripts/tune.sh' --out='$work/refused' \$arguments >'$work/out' 2>'$work/err'
		[ \$? -eq 2 ] && [ ! -e '$work/refused' ] && [ \$(wc -l <'$work/err') -eq 1 ] || { echo \"\$arguments\"; cat '$work/err'; exit 1; }
	done"
# The optimum is x=7, y=4: the surface itself says how close the winner is.
tuning_trials () {
	close=0 quiet=0
	for seed in $(seq 20)
	do
		tune "search$seed" --goal=read_p50_ns --rounds=4 --trials=59 --seed="$seed" --set=null_x=0,1,2,3,4,5,6,7,8,9,10 --set=null_y=0,1,2,3,4,5,6,7,8,9,10 \
			--set=seek_nexts=0,10 >"$work/trial"
		close=$((close + $(awk '/^best of these runs/ { gsub(/[a-z_]*=/, ""); x = $5 - 7; y = $6 - 4; n += x * x + y * y - x * y <= 0.03 * 50 }
			END { print n + 0 }' "$work/out")))
		# operations per second are noisy, so some combination is always best
		tune "flat$seed" --goal=ops_per_sec --trials=15 --seed="$seed" --set=null_stall_ms=0,1,2,3,4 --set=seek_nexts=0,10,20 >"$work/trial"
		[ "$status" -ne 1 ] || ! grep -q '^nothing found: ' "$work/out" || quiet=$((quiet + 1))
	done
	echo "within 3 % of the optimum in $close of 20 searches of 60 runs; nothing found on flat surfaces in $quiet of 20"
	[ "$close" -ge 18 ] && [ "$quiet" -ge 18 ]
}
[ -z "$long" ] || ok 'searches end close to a known optimum, and flat surfaces give nothing' tuning_trials

# ---- cost.sh

# costs PRICES [OPTION...]: of an engine of 100,000 operations a second on four cores, for as many, and 100 GB. Of two others that would
# cost less one is invalid and one not steady. They were measured with $measured_kb of memory.
measured_kb=4194304
costs () {
	jq -cn --argjson measured_kb "$measured_kb" '{schema: "assay/2", engine: "e", label: "e", benchmark: "mix", threads: 1, cores: 4, memory_kb: $measured_kb, num: 1000000, key_size: 16, value_size: 984,
		ops: 1000000, reads: 500000, writes: 500000, ops_per_sec: 100000, cpu_us_per_op: 20, space_amp: 2, device_write_bytes: 1500000000, device_reads: 100000,
		device_writes: 100000, valid: 1, steady: 1, read_p99_ns: 1000000, write_p99_ns: 500000} |
		., (.ops_per_sec = 900000 | .cpu_us_per_op = 1 | (.label = "v" | .valid = 0 | .invalid_reason = "a wrong value"), (.label = "u" | .steady = 0))' >"$work/mix.json" || return 1
	printf 'machine\tcores\tmemory_gib\tdisk_gb\tiops\tendurance_tbw\tprice\n' >"$work/prices.tsv"
	printf '%s\n' "$1" | tr ' ;' '\t\n' >>"$work/prices.tsv"
	shift
	status=0
	"$top/scripts/cost.sh" --prices="$work/prices.tsv" --rate=100k --data=100g "$@" "$work/mix.json" >"$work/out" || status=$?
	cat "$work/out"
}
# Three small machines, or two large ones: of equal cost where a large one costs half as much again.
flips () {
	for dear in 149 151
	do
		costs "small 2 1000 100000 1000000 1000000 100;large 8 1000 100000 1000000 1000000 $dear" && [ "$status" -eq 0 ] || return 1
		case $dear in
		149) grep '^cheapest: 2 x large with e, 1 thread: 298; limited by throughput, of which 71 % is used' "$work/out" ;;
		151) grep '^cheapest: 3 x small with e, 1 thread: 300; limited by throughput, of which 95 % is used' "$work/out" ;;
		esac
	done
}
ok 'cost.sh: the cheapest machine changes at the price where it must' flips
void_rows () {
	costs 'large 8 1000 100000 1000000 1000000 100' && grep '^not used: 1 row of v: invalid: a wrong value$' "$work/out" &&
		grep '^not used: 1 row of u: its rate was not steady$' "$work/out" && ! grep 'with [uv],' "$work/out" || return 1
	# of these alone nothing is known of the machines
	jq -c 'select(.label != "e")' "$work/mix.json" >"$work/void.json"
	status=0
	"$top/scripts/cost.sh" --prices="$work/prices.tsv" --rate=100k --data=100g "$work/void.json" >"$work/out" || status=$?
	[ "$status" -eq 1 ] && grep -x 'no row can be used, so no machine is known to suffice' "$work/out"
}
ok 'rows that are invalid or not steady never count' void_rows
binds () {
	costs 'm 8 1000 100000 5000 1000000 1' && grep '^cheapest: 4 x m .* limited by iops, of which 100 % is used' "$work/out" &&
		costs 'm 8 1000 50 1000000 1000000 1' && grep '^cheapest: 4 x m .* limited by disk' "$work/out" &&
		costs 'm 8 47 100000 1000000 1000000 1' && grep '^cheapest: 5 x m .* limited by memory' "$work/out" &&
		costs 'm 8 1000 100000 1000000 1000 1' --years=1 && grep '^cheapest: 5 x m .* limited by endurance, .* last 1.06 years$' "$work/out" &&
		costs 'm 1 1000 100000 1000000 1000000 1' --utilization=0.1 && grep '^cheapest: 40 x m .* limited by throughput' "$work/out" &&
		costs 'm 8 1000 100000 1000000 1000000 1' --p99=900us && [ "$status" -eq 1 ] &&
		grep '^excluded: e, 1 thread on m: p99 of 1.0 ms without a target rate$' "$work/out"
}
ok 'each resource binds where it is scarce, and a p99 above the limit excludes' binds
# Half of the data was in memory, and misses fall on a straight line. A machine of 50 GB has a quarter of it, so operations of one
# read 1.5 times as much, of two as much, of three half as much; a machine of 25 GB 1.75, 1.5, 1.25 times.
scales () {
	awk 'BEGIN { print "cache\tfraction\tmiss_ratio"; for (i = 1; i <= 40; i++) printf "%d\t%g\t%g\n", i, i / 40, 1 - i / 40 }' >"$work/curve.tsv"
	iops='m 8 46.5662 100000 6000 1000000 1'
	small='small 8 23.2831 100000 1000000 1000000 100' large='large 8 46.5662 100000 1000000 1000000'
	measured_kb=976562
	costs "$iops" && grep '^cheapest: 4 x m .* limited by iops, of which 83 % is used' "$work/out" &&
		costs "$iops" --misses="$work/curve.tsv" && grep '^cheapest: 3 x m .* limited by iops, of which 83 % is used' "$work/out" &&
		costs "$small" && grep '^cheapest: 4 x small .* limited by memory' "$work/out" &&
		costs "$small" --misses="$work/curve.tsv" --p99=1ms && grep '^cheapest: 4 x small .* limited by memory' "$work/out" &&
		costs "$small;$large 149" --misses="$work/curve.tsv" && grep '^cheapest: 2 x large .* 298; limited by throughput, of which 71 % is used' "$work/out" &&
		costs "$small;$large 151" --misses="$work/curve.tsv" && grep '^cheapest: 3 x small .* 300; limited by throughput, of which 60 % is used' "$work/out" &&
		! grep 'is not used' "$work/out" || return 1
	# no more was read than fits, so nothing says how much less memory reads
	measured_kb=4194304
	costs "$small" --misses="$work/curve.tsv" && grep '^cheapest: 10 x small .* limited by memory' "$work/out" &&
		grep '^--misses is not used for e, 1 thread: ' "$work/out" || return 1
	fails 2 'mix.json is not the output' "$top/scripts/cost.sh" --misses="$work/mix.json" --prices="$work/prices.tsv" --rate=1 --data=1 "$work/mix.json"
}
ok 'cost.sh --misses: memory changes device reads and rate as the curve says' scales
ok 'it refuses what it cannot read' sh -c "
	for arguments in '' '--rate=1 --data=1' '--prices=/nowhere --rate=1 --data=1' '--prices=$work/prices.tsv --rate=x --data=1' '--prices=$work/prices.tsv --rate=1 --data=1' \
		'--prices=$work/mix.json --rate=1 --data=1 $work/mix.json' '--prices=$work/prices.tsv --rate=1 --data=1 --benchmark=other $work/mix.json'
	do
		'$top/scripts/cost.sh' \$arguments >'$work/out' 2>'$work/err'
		[ \$? -eq 2 ] && [ \$(wc -l <'$work/err') -eq 1 ] || { echo \"\$arguments\"; cat '$work/err'; exit 1; }
	done"
