# compare.sh: repetitions, summaries of them, and comparisons of two groups of runs.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

statistics () {
	"$top/build/stats" --draws="${draws:-2000}" | tee "$work/statistics"
}
# figure N PATTERN: field N of the last statistics is so, to be read as a basic expression
figure () {
	cut -f "$1" "$work/statistics" | tr '\n' ' ' | grep -q -e "^$2 \$" || { echo "field $1 is not $2"; return 1; }
}

# R's help of wilcox.test: Hollander and Wolfe's permeability, p 0.1272 one-sided and exact; and Ozone in May and August,
# p 0.0001208 with ties. The third is the least p of 3 and 3, and the fourth none at all.
mann_whitney () {
	statistics <<END
permeability	0.80 0.83 1.89 1.04 1.45 1.38 1.91 1.64 0.73 1.46	1.15 0.88 0.90 0.74 1.21
ozone	41 36 12 18 28 23 19 8 7 16 11 14 18 14 34 6 30 11 1 11 4 32 23 45 115 37	39 9 16 78 35 66 122 89 110 44 28 65 22 59 23 31 44 21 9 45 168 73 76 118 84 85
three	1 2 3	6 5 4
alike	7 7 7	7 7 7
END
	figure 17 '0.25441[0-9]* 0.0001208[0-9]* 0.1 1' && figure 18 'exact normal exact exact' && figure 19 '0.000666[0-9]* .* 0.1 0.1'
}
ok "Mann and Whitney's p is that of known examples, exact and with ties" mann_whitney
# Beside every choice of so many of the figures, tried one by one: twice the share that is as low in the ranks, or as high.
ties () {
	awk "$(cat "$top/scripts/random.awk")"'BEGIN {
		many = sprintf("%60s", "")
		gsub(/ /, "1 ", many)
		print "three\t1003 1003 1003\t1055 1055 1055\none\t10\t1 1 1 1 1\nmany\t10\t" many
		seeded(4711)
		for (i = 1; i <= 60; i++)
			for (k = 1; k <= 2 + i % 8; k++)
				printf "%s%d%s", k == 1 ? i "\t" : k == 2 + int(i % 8 / 2) ? "\t" : " ", below(2 + i % 4),
					k == 2 + i % 8 ? "\n" : ""
	}' >"$work/tied" && statistics <"$work/tied" >"$work/out" || return 1
	paste "$work/tied" "$work/statistics" | awk -F '\t' '
		{
			n = split($2, x, " ")
			m = split($3, y, " ")
			for (i = 1; i <= m; i++)
				x[n + i] = y[i]
			for (i = 1; i <= n + m; i++)
				for (k = rank[i] = 1; k <= n + m; k++)
					rank[i] += x[k] < x[i] ? 2 : x[k] == x[i]
			for (i = 1; i <= n; i++)
				sum[NR] += rank[i]
			all = low = high = 0
			for (set = 0; set < 2 ^ (n + m) && n + m < 12; set++) {
				size = of = 0
				for (i = 1; i <= n + m; i++)
					if (int(set / 2 ^ (i - 1)) % 2) {
						size++
						of += rank[i]
					}
				if (size != n)
					continue
				all++
				low += of <= sum[NR]
				high += of >= sum[NR]
			}
			p = 2 * (low < high ? low : high) / (all ? all : 1)
			p = p > 1 ? 1 : p
			if (all ? (p - $20) ^ 2 > 1e-14 || $21 != "exact" : $21 != "normal") {
				print "p is " p ", not " $20 " (" $21 "): " $0
				wrong = 1
			}
			if ($20 < $22 - 1e-6) {
				print "p is less than the least, " $22 ": " $0
				wrong = 1
			}
		}
		END { exit wrong || NR != 63 }'
}
ok 'with ties p is that of all choices tried one by one, and never less than the least' ties

# Tables of t: 12.706 with 1 degree of freedom, 2.776 with 4, 2.262 with 9; and mean +- t * s / sqrt(n)
student () {
	statistics <<END
two	1 3
five	5 1 4 2 3
ten	1 2 3 4 5 6 7 8 9 10
END
	figure 5 '-10.706[0-9]* 1.0367[0-9]* 3.3341[0-9]*' && figure 6 '14.706[0-9]* 4.9632[0-9]* 7.6658[0-9]*' &&
		figure 3 '2 3 5.5' && figure 7 '0.70710[0-9]* 0.52704[0-9]* 0.55048[0-9]*'
}
ok "a sample has its median, the interval of its mean by Student's t, and its variation" student
# The scripts' jq has a median of its own, and the figures of a table are not to differ by who made it.
medians_alike () {
	for sample in 7 '4 1' '9 2 5' '1 2 3 10' '3.5 1 2 8 9 100'
	do
		echo "x	$sample" | statistics
		figure 3 "$(echo "$sample" | tr ' ' '\n' | jq -s -L "$top/scripts" 'include "rows"; median')" || return 1
	done
}
ok 'one definition of the median, in C and in jq' medians_alike

# Student's as scipy has it: the shift 2.8568467 that a t test at 5 % finds with 80 % at 50 degrees of freedom, times
# sqrt(58.5 * 2 / 26) / 13.5; that of ranks is by 3/pi as much more. With 3 and 3 there is none of ranks.
detectable () {
	printf 'many\t%s\t%s\nfew\t1 2 3\t4 5 6\n' "$(seq 26 | paste -sd ' ')" "$(seq 27 52 | paste -sd ' ')" | statistics
	figure 20 '0.459382 ' && figure 21 '0.44891 1.53545' && figure 14 '2.9259[0-9]* 2.5'
}
ok 'the least difference that could be shown is that of the noncentral t' detectable

# normal SPREAD TRIALS RUNS SHIFT: so many pairs of samples with known means, by Box and Muller
normal () {
	awk -v spread="$1" -v trials="$2" -v runs="$3" -v shift="$4" "$(cat "$top/scripts/random.awk")"'
		function draw(mean) { return mean * (1 + spread * sqrt(-2 * log(uniform())) * cos(6.283185307 * uniform())) }
		BEGIN {
			seeded(4711)
			for (i = 1; i <= trials; i++) {
				line = i "\t"
				for (k = 1; k <= runs; k++)
					line = line " " draw(100)
				line = line "\t"
				for (k = 1; k <= runs; k++)
					line = line " " draw(100 * shift)
				print line
			}
		}'
}
# Seeded, so it is the same each time. Of 2000 trials without a difference 5 % are 100, and chance may add or take 2
# standard errors, 20. What could be shown, by the root of the mean square as variances are, is found in 79.8 % of trials,
# as util/stats.c says, or 2 standard errors about that.
alarms () {
	normal 0.02 2000 8 1 | draws=0 statistics >"$work/out"
	false=$(awk -F '\t' '$17 < 0.05' "$work/statistics" | wc -l)
	could=$(normal 0.02 1000 10 1 | draws=0 statistics | awk -F '\t' '{ sum += $20 ^ 2 } END { print 1 + sqrt(sum / NR) }')
	found=$(normal 0.02 1000 10 "$could" | draws=0 statistics | awk -F '\t' '$17 < 0.05' | wc -l)
	echo "$false false alarms of 2000, $found found of 1000"
	[ "$false" -le 120 ] && [ "$false" -ge 80 ] && [ "$found" -ge 773 ] && [ "$found" -le 823 ]
}
ok 'of trials without a difference 5 % show one, and of those with what could be shown most' alarms

# The same by another seed; and the interval holds the ratio that is true.
bootstrap () {
	normal 0.02 300 10 1.03 | draws=500 statistics >"$work/out"
	held=$(awk -F '\t' '$15 <= 1.03 && $16 >= 1.03' "$work/out" | wc -l)
	echo "$held of 300 intervals hold the ratio"
	# of 300 that hold it 95 times of 100, 285, within four standard deviations; those of so few runs are somewhat too narrow
	[ "$held" -ge 270 ] && [ "$held" -le 297 ] && echo 'x	1 2 3	2 3 5' | statistics >"$work/a" && echo 'x	1 2 3	2 3 5' | statistics | cmp - "$work/a"
}
ok 'intervals of the bootstrap hold the ratio, and are the same each time' bootstrap

# rows FILE COUNT JQ: rows of a run, with rates 100, 101, ..., changed by a program
rows () {
	[ -s "$work/row1" ] || "$top/bench_null" --benchmarks=readrandom --reads=10 --json="$work/row1" >"$work/out"
	jq -c --argjson n "$2" 'range($n) as $i | .ops_per_sec = 100 + $i | .read_p99_ns = 1000 - $i | .repetition = 1 + $i | '"$3" \
		"$work/row1" >"$work/$1"
}
compare () {
	"$top/scripts/compare.sh" "$@"
}
# verdict STATUS JQ ARGUMENTS...: a truth about the comparison
verdict () {
	want=$1 truth=$2
	shift 2
	got=0
	compare --format=json "$@" >"$work/report" || got=$?
	jq -c . "$work/report" || return 1
	[ $got -eq "$want" ] || { echo "exit status $got, not $want"; return 1; }
	jq -e "$truth" "$work/report" >"$work/jq" || { echo "not true: $truth"; return 1; }
}

verdicts () {
	rows old 10 . && rows worse 10 '.ops_per_sec *= 0.8' && rows better 10 '.ops_per_sec *= 1.2' && rows same 10 . &&
		mkdir -p "$work/dir" && cp "$work/better" "$work/dir/results.json" &&
		verdict 1 '.comparisons[0] | .verdict == "slower" and (.ratio * 1000 | round) == 800 and .old_runs == 10' "$work/old" "$work/worse" &&
		verdict 0 '.comparisons[0] | .verdict == "faster" and .ratio_low < 1.2 and .ratio_high > 1.19' "$work/old" "$work/dir" &&
		verdict 0 '.comparisons[0] | .verdict == "no difference shown" and .could_show < 0.05' "$work/old" "$work/same" &&
		verdict 0 '.comparisons[0].verdict == "no difference shown"' "$work/old" "$work/worse" --threshold=25 &&
		verdict 1 '.comparisons[0].verdict == "slower"' "$work/old" "$work/worse" --threshold=15
}
ok 'compare.sh says faster, slower or that nothing was shown, and exits so' verdicts

directions () {
	rows slow 10 '.read_p99_ns *= 2 | .db_disk_kb = 10 + $i' && rows old 10 '.db_disk_kb = 100 + $i' &&
		verdict 1 '.comparisons[0].verdict == "slower" and .better == "less"' "$work/old" "$work/slow" --metric=p99 &&
		verdict 0 '.comparisons[0].verdict == "faster"' "$work/slow" "$work/old" --metric=read_p99_ns &&
		verdict 1 '.comparisons[0].verdict == "worse"' "$work/slow" "$work/old" --metric=db_disk_kb &&
		fails 2 'cannot tell whether more num is better' "$top/scripts/compare.sh" "$work/old" "$work/slow" --metric=num &&
		fails 2 'no column nosuch' "$top/scripts/compare.sh" "$work/old" "$work/slow" --metric=nosuch
}
ok 'of times and sizes less is better, and what has no direction is refused' directions

few_runs () {
	rows old 3 . && rows worse 3 '.ops_per_sec *= 0.5' &&
		verdict 0 '.comparisons[0] | .p == 0.1 and .could_show == null' "$work/old" "$work/worse" &&
		compare "$work/old" "$work/worse" | grep -q 'too few runs: with 3+3 p is 0.1 at least'
}
ok 'three runs show nothing, and that is said' few_runs

# p of 4 and 4 is 2/70 at least: a difference alone, none of two
corrected () {
	rows old 4 '., (.threads = 2)' && rows worse 4 '.ops_per_sec *= 0.5 | ., (.threads = 2)' &&
		verdict 0 'all(.comparisons[]; .p < 0.03 and .p_corrected > 0.05)' "$work/old" "$work/worse" &&
		verdict 1 'all(.comparisons[]; .p_corrected == .p)' "$work/old" "$work/worse" --correction=none &&
		compare "$work/old" "$work/worse" | grep -q "corrected by Holm's method for 2 comparisons" &&
		compare "$work/old" "$work/worse" --correction=none | grep -q 'NOT corrected for 2 comparisons'
}
ok 'p is corrected for the number of comparisons, or not, and that is said' corrected

groups () {
	rows all 8 '(.label = "a"), (.label = "b" | .ops_per_sec *= 2), (.label = "c")' &&
		verdict 0 '.comparisons[0].verdict == "faster"' "$work/all" --by=label --old=a --new=b &&
		verdict 1 '.comparisons[0].verdict == "slower"' "$work/all" --by=label --old=b --new=c &&
		fails 2 'no row has label d; there are a, b, c' "$top/scripts/compare.sh" "$work/all" --by=label --old=a --new=d &&
		rows old 8 '.value_sizes = ("10", "20")' && rows new 8 '.value_sizes = ("20", "30")' &&
		verdict 0 '(.comparisons | length) == 1 and (.unpaired | length) == 2' "$work/old" "$work/new" &&
		compare "$work/old" "$work/new" | grep -q 'only old: readrandom, 1 thread, value_sizes 10'
}
ok 'groups are taken out of one file, and benchmarks that only one side has are named' groups

# refuses COLUMN PATTERN JQ: rows that differ so are not compared, unless that is allowed
refuses () {
	rows old 8 . && rows new 8 "$3" && fails 2 "$2" "$top/scripts/compare.sh" "$work/old" "$work/new" &&
		compare "$work/old" "$work/new" --allow="$1" >"$work/out"
}
ok 'other machines are refused' refuses host 'rows of more than one host (elsewhere, .*--allow=' '.host = "elsewhere"'
ok 'other processors are refused' refuses cpu 'more than one cpu' '.cpu = "Z80"'
ok 'other kernels are refused' refuses kernel 'more than one kernel' '.kernel = "2.4"'
ok 'other durabilities are refused' refuses durability_given 'more than one durability_given' '.durability_given = "sync"'
ok 'other limits of memory are refused' refuses memory_limit_kb 'more than one memory_limit_kb (1000, none)' '.memory_limit_kb = 1000'
ok 'several versions on one side are refused' refuses engine_version 'the new side' '.engine_version = "\($i % 2)"'
other_sizes () {
	status=0
	rows old 8 . && rows new 8 '.num = 7' && compare "$work/old" "$work/new" >"$work/out" 2>"$work/err" || status=$?
	[ $status -eq 2 ] && cat "$work/err" && grep -q 'no benchmark is on both sides' "$work/err" &&
		grep -q 'num is 1000000 in the old rows and 7 in the new' "$work/err"
}
ok 'other sizes are other benchmarks' other_sizes
void_rows () {
	rows old 9 'if $i == 0 then .valid = 0 | .ops_per_sec = 1e9 else . end' && rows new 8 '.valid = 0' && rows same 8 . &&
		verdict 0 '.void == [1, 0] and .rows == [8, 8]' "$work/old" "$work/same" &&
		compare "$work/old" "$work/same" | grep -q 'void rows left out: 1 old, 0 new' &&
		fails 2 'no valid row on the new side; void: 9' "$top/scripts/compare.sh" "$work/old" "$work/new"
}
ok 'void rows are left out and counted' void_rows
markdown () {
	rows old 8 . && rows new 8 . && compare "$work/old" "$work/new" --format=markdown >"$work/out" && cat "$work/out" &&
		[ "$(grep '^|' "$work/out" | tr -d -c '|\n' | sort -u | wc -l)" -eq 1 ]
}
ok 'a comparison as Markdown is a table' markdown
ok 'compare.sh wants two groups' fails 2 'with what' "$top/scripts/compare.sh" "$work/row1"
ok 'and rows' fails 2 'does not hold rows' "$top/scripts/compare.sh" "$top/README.md" "$work/row1"
ok 'and files that are there' fails 2 'cannot read' "$top/scripts/compare.sh" "$work/nosuch" "$work/row1"

# A median of 1 us beside one of 3: whatever else the machine does.
slow_down () {
	rm -f "$work/fast" "$work/slow"
	for repetition in 1 2 3 4
	do
		for ns in 1000 3000
		do
			"$top/bench_null" --benchmarks=readrandom --reads=2k --null_get_ns=$ns --repetition=$repetition --json="$work/both" \
				>"$work/out" || return 1
		done
	done
	verdict 1 '.comparisons[0] | .verdict == "slower" and .ratio > 2 and .ratio < 4' "$work/both" --metric=p50 --by=engine_options \
		--old="$(head -n 1 "$work/both" | jq -r .engine_options)" --new="$(tail -n 1 "$work/both" | jq -r .engine_options)"
}
ok 'a slow-down of runs that alternate is found' slow_down

repeats () {
	rm -f "$work/rows"
	bench lmdb --benchmarks='fillrandom,overwrite,readrandom[X2]' --num=500 --repeat=3 >"$work/out" || return 1
	cat "$work/out"
	# the same database each time: the same is found
	jq -es '[.[] | select(.benchmark == "readrandom") | [.repetition, .repeat]] == [[1, 1], [1, 2], [2, 1], [2, 2], [3, 1], [3, 2]] and
		([.[] | select(.benchmark == "readrandom") | [.repeat, .digest, .found]] | unique | length) == 2 and
		([.[] | select(.benchmark == "fillrandom") | .repetition] == [1, 2, 3])' "$work/rows" &&
		grep -q '^overwrite \[AVG 3 runs\]' "$work/out" && grep -q '^readrandom \[AVG 6 runs\]' "$work/out"
}
ok '--repeat=3 runs the list three times on the same database' repeats
repeats_in_processes () {
	rm -f "$work/rows"
	status=0
	bench null --benchmarks=readrandom --null_stall_every=100 --null_stall_ms=100000 --hang_timeout=1 --repeat=2 >"$work/out" 2>&1 || status=$?
	[ $status -eq 1 ] && jq -es 'map([.repetition, .valid]) == [[1, 0], [2, 0]]' "$work/rows"
}
ok 'each in a process of its own: the death of one is not the next one'\''s' repeats_in_processes
# interrupted SIGNAL ROWS STATUS: a signal that comes to the parent alone, when so many rows are there
interrupted () {
	rm -f "$work/rows"
	: >"$work/rows"
	env --default-signal=INT "$top/bench_null" --benchmarks=readrandom --duration=1 --repeat=4 --json="$work/rows" \
		>"$work/out" 2>"$work/err" &
	bench=$!
	until [ "$(wc -l <"$work/rows")" -eq "$2" ] && pkill -0 -P $bench
	do
		kill -0 $bench || return 1
		sleep 0.1
	done
	sleep 0.3
	kill -s "$1" $bench
	status=0
	wait $bench || status=$?
	[ $status -eq "$3" ] && [ "$(grep -c 'interrupted by' "$work/err")" -eq 1 ] && [ "$(wc -l <"$work/rows")" -eq $(($2 + 1)) ] &&
		row '.valid == 0 and .void_because == "interrupted"'
}
interrupted_anywhere () {
	interrupted INT 0 130 && interrupted INT 1 130 && interrupted TERM 2 143
}
ok 'a signal ends all repetitions, whichever it meets' interrupted_anywhere
void_is_no_average () {
	"$top/bench_null" --benchmarks=readrandom --duration=0.5 --repeat=3 >"$work/out" 2>"$work/err" &
	bench=$!
	until pkill -KILL -P $bench
	do
		sleep 0.1
	done
	status=0
	wait $bench || status=$?
	[ $status -eq 1 ] && grep -q '^readrandom \[AVG 2 of 3 runs\]' "$work/out"
}
ok 'what is void is in no average' void_is_no_average
map_stays () {
	rm -f "$work/rows"
	bench lmdb --benchmarks=fillseq,readrandom,readrandom --num=500 --writemap=1 --reopen=1 --repeat=2 >"$work/out" &&
		jq -es '[.[] | .engine_options | capture("mapsize=(?<size>[0-9]+)").size] | length == 6 and (unique | length) == 1' "$work/rows"
}
ok 'with --writemap=1 the map does not grow each time it is opened' map_stays
ok '--repeat needs a child process' fails 2 'leave out --supervise=0' "$top/bench_null" --repeat=2 --supervise=0
ok '--repeat has an end' fails 2 'is more than 1024 benchmarks' "$top/bench_null" --repeat=1000

gobench () {
	"$top/bench_null" --benchmarks=readrandom,readwhilewriting --duration=0.3 --threads=2 --repeat=2 --label='a b/c' --format=gobench \
		>"$work/out" || return 1
	cat "$work/out"
	for key in goos goarch pkg cpu num durability
	do
		grep -q "^$key: ." "$work/out" || return 1
	done
	number='[0-9]+([.][0-9]+)?'
	[ "$(grep -c -E "^BenchmarkReadrandom/engine=a_b_c/threads=2-[0-9]+	[0-9]+	$number ns/op	$number ops/s	$number MB/s	[0-9]+ p99-ns/op\$" \
		"$work/out")" -eq 2 ] && [ "$(grep -c '^BenchmarkReadwhilewriting/writer/engine=' "$work/out")" -eq 2 ] &&
		! grep -v -E '^$|^[a-z-]+: |^Benchmark' "$work/out" || return 1
	# the figures are those of the row
	"$top/bench_null" --benchmarks=readrandom --num=1k --reads=50k --threads=2 --format=gobench --json="$work/gobench" >"$work/out" || return 1
	grep '^Benchmark' "$work/out" | sed 's/ [a-zA-Z0-9-]*\/[a-z]*//g' | cut -f 2- | tr '\t' ' ' >"$work/said" || return 1
	cat "$work/said"
	jq -e --rawfile said "$work/said" '($said | split(" ") | map(tonumber)) as $s | def near($x; $y; $off): ($x - $y) | fabs <= $off;
		$s[0] == .ops and near($s[1]; .mean_us * 1000; 0.2) and near($s[2]; .ops_per_sec; 0.2) and
		near($s[3]; .bytes / .seconds / 1e6; $s[3] / 1000) and near($s[4]; .read_p99_ns; 1)' "$work/gobench"
}
ok '--format=gobench prints what benchstat reads' gobench

# order ARGUMENTS...: names of the runs of a plan
order () {
	rm -rf "$work/order"
	"$top/scripts/sweep.sh" --out="$work/order" --engines=lmdb,null --benchmarks=readrandom,overwrite --threads=1,2 --repeat=3 \
		--num=1k --plan-only "$@" >"$work/out" || return 1
	sed -n "s|.*/runs/\\(.*\\)'/out.txt.*|\\1|p" "$work/order/plan"
}
random_order () {
	order >"$work/one" && order >"$work/again" && order --order-seed=2 >"$work/two" && cat "$work/one" &&
		grep -q '^# 3 repetitions in random order, --order-seed=2$' "$work/order/plan" && cmp "$work/one" "$work/again" &&
		! cmp "$work/one" "$work/two" && sort "$work/one" >"$work/one.sorted" && sort "$work/two" | cmp - "$work/one.sorted" &&
		[ "$(wc -l <"$work/one")" -eq 38 ] || return 1
	# every round is whole before the next one begins
	grep readrandom "$work/one" | awk '{ round = /-r[0-9]$/ ? substr($0, length($0)) : 1; if (round < last) exit 1; last = round; n[round]++ }
		END { exit !(n[1] == 4 && n[2] == 4 && n[3] == 4) }' || return 1
	# and engines are not apart
	[ "$(grep readrandom "$work/one" | cut -d - -f 1 | uniq | wc -l)" -gt 4 ]
}
ok 'sweep.sh --repeat shuffles engines and points within each round, by its seed' random_order
loads_first () {
	awk '{ split($0, part, "-"); engine = part[1] }
		/-for-/ { fresh[engine] = substr($0, index($0, "-for-") + 5); next }
		/fillseqbatch/ { loaded[engine] = 1; next }
		/readrandom/ { if (!loaded[engine] || wrote[engine]) exit 1 }
		/overwrite/ { name = $0; sub(/^[a-z]*-/, "", name); if (name !~ /-r[0-9]$/) name = name "-r1"; if (fresh[engine] != name) exit 1
			fresh[engine] = ""; wrote[engine] = 1 }' "$work/one"
}
ok 'readers come after a load and before all who write, and each who writes has a load of its own' loads_first

repeated_sweep () {
	"$top/scripts/sweep.sh" --out="$work/repeated" --benchmarks=readrandom,overwrite --threads=1 --repeat=2 --num=1k >"$work/out" 2>&1 ||
		{ cat "$work/out"; return 1; }
}
resumes_repetitions () {
	repeated_sweep && cp "$work/repeated/results.json" "$work/first.json" &&
		jq -es 'map(select(.benchmark == "overwrite") | .repetition) | sort == [1, 2]' "$work/first.json" || return 1
	# as if the last run had failed: it has its load again, and nothing else is done
	last=$(tail -n 1 "$work/repeated/plan" | sed "s|.*/runs/\\([^']*\\)'/out.txt.*|\\1|")
	echo 1 >"$work/repeated/runs/$last/status"
	touch "$work/begun" && repeated_sweep &&
		head -n 5 "$work/first.json" >"$work/head.first" && head -n 5 "$work/repeated/results.json" | cmp - "$work/head.first" &&
		tail -n 2 "$work/repeated/results.json" | jq -es --slurpfile first "$work/first.json" '[.[] | [.open_seconds, .seconds, .close_seconds]] - [$first[] | [.open_seconds, .seconds, .close_seconds]] |
			length == 2' >"$work/jq" &&
		[ "$(wc -l <"$work/repeated/results.json")" -eq 7 ] &&
		[ "$(find "$work/repeated/runs" -name status -newer "$work/begun" | wc -l)" -eq 2 ] &&
		[ "$(cat "$work"/repeated/runs/*/status | grep -c -x 0)" -eq 7 ]
}
ok 'sweep.sh --repeat goes on where it stopped, with a fresh load for what was not finished' resumes_repetitions
ok 'sweep.sh refuses an order that is no number' fails 2 "cannot read 'x'" "$top/scripts/sweep.sh" --out="$work/s2" --order-seed=x

summaries () {
	"$top/scripts/summary.sh" "$work/repeated/results.json" >"$work/out" && cat "$work/out" &&
		grep -q '95 % of the mean (t)  *CV  runs' "$work/out" && [ "$(grep -c '^lmdb .* to .* %  *[23] ' "$work/out")" -eq 3 ] &&
		rows old 1 'range(3) as $k | .ops_per_sec = [90, 100, 110][$k]' && "$top/scripts/summary.sh" "$work/old" | grep '^null  *100  *75.16 to 124.84  10 %  *3 ' &&
		rows old 2 '.ops_per_sec = 100 + $i * 20 | .read_p99_ns = 1000 + $i * 2000' && "$top/scripts/summary.sh" "$work/old" | grep '^null  *110 .* 2 us ' &&
		rows old 1 '.num = (1, 2)' && [ "$("$top/scripts/summary.sh" "$work/old" | grep -c '^readrandom, ')" -eq 2 ]
}
ok 'summary.sh has the median, the interval, the variation and the number of runs' summaries

# What it says beside the figures, each of rows in which just that is so; and of rows in which nothing is.
leads () {
	grep -F -x "$1" "$work/out" || { echo "not said: $1"; cat "$work/out"; return 1; }
}
stands_out () {
	"$top/scripts/summary.sh" "$work/$1" >"$work/out"
	grep -F -x -e "- $2" "$work/out" || { echo "not said: $2"; cat "$work/out"; return 1; }
}
two='(.label = ("a", "b")) | .ops_per_sec *= (if .label == "a" then 1 else 3 end)'
said_beside () {
	rows old 5 "$two"
	"$top/scripts/summary.sh" "$work/old" --found >"$work/out"
	leads 'readrandom, 1 thread: b leads with 306 operations/s, 3 times a (95 % interval 2.91 to 3.09, 5 runs each).'
	"$top/scripts/summary.sh" "$work/old" >"$work/out"
	[ "$(grep -c '^- ' "$work/out")" -eq 0 ]
	awk '$1 == "engine" { line = NR } $1 == "b" && NR == line + 1 { b = 1 } END { exit !b }' "$work/out"
	rows old 5 '(.label = ("a", "b")) | .ops_per_sec += (if .label == "a" then 0 else 0.5 end)'
	"$top/scripts/summary.sh" "$work/old" --found >"$work/out"
	grep -x 'readrandom, 1 thread: b and a are not told apart (ratio 1[.0-9]*, 95 % interval 0.9[0-9]* to 1.0[0-9]*).' "$work/out"
	stands_out old 'not told apart: b and a: the 95 % interval of their ratio has 1 in it'
	rows old 1 "$two"
	"$top/scripts/summary.sh" "$work/old" --found >"$work/out"
	leads 'readrandom, 1 thread: b leads with 300 operations/s, 3 times a (one run each: no interval).'
	stands_out old 'one run each says nothing of how much they vary; sweep.sh --repeat=10 does'
	rows old 5 "$two"' | if .label == "b" then .steady = 0 | .rate_first_fifth = 200 | .rate_last_fifth = 100 else . end'
	stands_out old 'not steady: b: the rate still changed at the end; run longer or warm up (--warmup)'
	grep '^b .* -50 % ' "$work/out"
	rows old 5 "$two"' | if .label == "b" then .device_busy_percent = 95 | .device_reads_per_op = 1.5 else . end'
	stands_out old 'bound by the device: b: it was busy nine tenths of the time'
	rows old 5 "$two"' | .device_busy_percent = 95 | .device_reads_per_op = 0'
	"$top/scripts/summary.sh" "$work/old" >"$work/out"
	[ "$(grep -c '^- ' "$work/out")" -eq 0 ]
	rows old 5 "$two"' | .reads = 10 | .writes = 10 | .writes_per_sec = if .label == "b" then 5 else 51 end'
	stands_out old "the writes beside the reads were starved: b did less than a tenth of a's; compare at one --write_rate"
	rows old 5 "$two"' | if .label == "b" and $i == 4 then .valid = 0 | .void_because = "so" else . end'
	stands_out old 'void: b readrandom: so'
	rows old 5 "$two"' | if .label == "b" and $i == 4 then .noise = "heat" else . end'
	stands_out old 'doubtful: 1 row; the last column of each table says why'
}
ok 'summary.sh says who leads and what stands out, and nothing where nothing does' said_beside
# A share of the device's limit is one of a device that was the limit.
empty_columns () {
	rows old 3 '(.label = ("a", "device")) | if .label == "device" then .engine = "aio" | .ops_per_sec = 200 else . end'
	"$top/scripts/summary.sh" "$work/old" >"$work/out"
	grep '^a .* 51 %$' "$work/out"
	rows old 3 '(.label = ("a", "device")) | if .label == "device" then .engine = "aio" | .ops_per_sec = 2 else . end'
	"$top/scripts/summary.sh" "$work/old" >"$work/out"
	[ "$(grep -c -e 'device limit' -e 'writes/s' -e 'KB read' "$work/out")" -eq 0 ]
}
ok 'and leaves out the columns that say nothing' empty_columns

# A void row of a rate that would show, beside three whose median is 120.
void_nowhere () {
	rows old 4 '.ops_per_sec = [100, 170, 120, 1e9][$i] | .reads_per_sec = .ops_per_sec | if $i == 3 then .valid = 0 else . end'
	"$top/scripts/summary.sh" "$work/old" >"$work/out"
	grep '^null  *120 .* 3 ' "$work/out"
	"$top/scripts/plot/points.sh" "$work/old" | cut -f 1-6 >"$work/out"
	grep -x "readrandom	null	1	reads	3	120" "$work/out"
	"$top/scripts/table.sh" "$work/old" >"$work/out" 2>"$work/err"
	[ "$(wc -l <"$work/out")" -eq 4 ]
	grep -x 'table.sh: 1 void rows left out' "$work/err"
}
ok 'void rows are in no summary, no point of a plot and no table' void_nowhere

# apart JQ WORD WORD: rows that differ so are two points of 3 runs each, with such words after the label, and no one of 6
apart () {
	mkdir -p "$work/apart" && rows apart/results.json 3 '.threads = (1, 2) | '"$1" &&
		"$top/scripts/summary.sh" "$work/apart/results.json" >"$work/out" && cat "$work/out" || return 1
	for word in "$2" "$3"
	do
		[ "$(grep -c "^null+$word  *101  *98[.0-9]* to .* 3 " "$work/out")" -eq 2 ] &&
			"$top/scripts/plot/points.sh" "$work/apart/results.json" | cut -f 1-6 | grep -q "^readrandom	null+$word	2	reads	3	101\$" || return 1
	done
}
settings () {
	apart '.batch_size = (1, 10)' batch_size=1 batch_size=10 && apart '.mix = ("read:9,scan:1", null)' mix=read_9_scan_1 mix=none &&
		apart '(.value_sizes = "250"), (.value_sizes = "100-400" | .engine_options += " map=7")' value_sizes=250 value_sizes=100-400 &&
		apart '.engine_options = (("a=1 get=1 maxreaders=\($i)", "a=1 get=5"))' get=1 get=5 || return 1
	status=0
	"$top/scripts/plot.sh" "$work/apart" >"$work/out" 2>"$work/err" || status=$?
	[ $status -eq 1 ] && grep -q 'null+get=1<' "$work/apart/plots/readrandom-readers.svg" && grep -q 'null+get=5<' "$work/apart/plots/readrandom-readers.svg"
}
ok 'runs that differ in a setting are no repetitions: their lines and curves say which' settings

intervals () {
	mkdir -p "$work/plotted"
	rows plotted/results.json 3 '.threads = (1, 2)'
	status=0
	"$top/scripts/plot.sh" "$work/plotted" >"$work/out" 2>"$work/err" || status=$?
	cat "$work/out" "$work/err"
	[ $status -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q 'has no runs/NAME/row.json' "$work/err" || return 1
	grep -q "median of 3 runs, bars: 95 % interval of their mean by Student.*t" "$work/plotted/plots/readrandom-readers.svg" || return 1
	"$top/scripts/plot/points.sh" "$work/plotted/results.json" | cut -f 1-6 | grep -q "^readrandom	null	2	reads	3	101\$" || return 1
	for change in '.kernel = "\($i)"' '.memory_limit_kb = $i' '.durability_given = ("none", "sync")' '.engine_version = "\($i)"'
	do
		rows plotted/results.json 3 "$change" && fails 1 'rows of more than one' "$top/scripts/plot.sh" "$work/plotted" || return 1
	done
}
ok 'plot.sh draws intervals, and refuses what does not belong in one plot' intervals
