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
	awk "$(cat "$top/scripts/tools/random.awk")"'BEGIN {
		many = sprintf("%60s", "")
		gsub(/ /, "1 ", many)
		print "three\t1003 1003 1003\t1055 1055 1055\none\t10\t1 1 1 1 1\nmany\t10\t" many
		random_seeded(4711)
		for (i = 1; i <= 60; i++)
			for (k = 1; k <= 2 + i % 8; k++)
				printf "%s%d%s", k == 1 ? i "\t" : k == 2 + int(i % 8 / 2) ? "\t" : " ", random_below(2 + i % 4),
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

# Tables of t: 12.706 with 1 degree of freedom, 2.776 with 4, 2.262 with 9; and exp(mean +- t * s / sqrt(n)) of the logarithms,
# so that no interval of rates goes below 0; that of figures that go below 0 themselves is about their mean.
student () {
	statistics <<END
two	1 3
five	5 1 4 2 3
ten	1 2 3 4 5 6 7 8 9 10
signed	-1 1
END
	figure 5 '0.0016119[0-9]* 1.1834[0-9]* 2.6806[0-9]* -12.706[0-9]*' && figure 6 '1861.0[0-9]* 5.7349[0-9]* 7.6508[0-9]* 12.706[0-9]*' &&
		figure 3 '2 3 5.5 0' && figure 7 '0.70710[0-9]* 0.52704[0-9]* 0.55048[0-9]* '
}
ok "a sample has its median, the interval of its mean by Student's t, and its variation" student

# Student's as scipy has it: the shift 2.8568467 that a t test at 5 % finds with 80 % at 50 degrees of freedom, times
# sqrt(58.5 * 2 / 26) / 13.5; that of ranks is by 3/pi as much more. With 3 and 3 there is none of ranks.
detectable () {
	printf 'many\t%s\t%s\nfew\t1 2 3\t4 5 6\n' "$(seq 26 | paste -sd ' ')" "$(seq 27 52 | paste -sd ' ')" | statistics
	figure 20 '0.459382 ' && figure 21 '0.44891 1.53545' && figure 14 '2.9259[0-9]* 2.5'
}
ok 'the least difference that could be shown is that of the noncentral t' detectable

# normal SPREAD TRIALS RUNS SHIFT: so many pairs of samples with known means, by Box and Muller
normal () {
	awk -v spread="$1" -v trials="$2" -v runs="$3" -v shift="$4" "$(cat "$top/scripts/tools/random.awk")"'
		function draw(mean) { return mean * (1 + spread * sqrt(-2 * log(random_uniform())) * cos(6.283185307 * random_uniform())) }
		BEGIN {
			random_seeded(4711)
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
	"$quick_jq" -c --argjson n "$2" '.engine = "lmdb" | .filesystem = "ext4" | . as $row | range($n) as $i | .ops_per_sec = 100 + $i | .read_p99_ns = 1000 - $i | .repetition = 1 + $i | '"$3" \
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
	rows slow 10 '.read_p99_ns *= 2' && rows old 10 . &&
		verdict 1 '.comparisons[0].verdict == "slower" and .better == "less"' "$work/old" "$work/slow" --metric=p99 &&
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
# The first row of a file may be of writes alone, and of a program that knew no such column.
side_begins_with_writes () {
	rows reads 4 '.label = "a"'
	rows both 4 '.label = "b" | .seconds += 1 | (.benchmark = "fillseq" | del(.read_p99_ns)), .'
	cat "$work/both" "$work/reads" >"$work/mixed"
	verdict 0 '[.comparisons[] | .name, .metric, .old_median] == ["readrandom, 1 thread", "p99", 998.5]' \
		"$work/mixed" --by=label --old=b --new=a --metric=p99
	fails 2 'no column p98' "$top/scripts/compare.sh" "$work/mixed" --by=label --old=b --new=a --metric=p98
}
ok 'a latency is compared although the first row of a side has none' side_begins_with_writes

# refuses COLUMN PATTERN JQ: rows that differ so are not compared, unless that is allowed
refuses () {
	rows old 8 . && rows new 8 "$3" && fails 2 "$2" "$top/scripts/compare.sh" "$work/old" "$work/new" &&
		compare "$work/old" "$work/new" --allow="$1" >"$work/out"
}
ok 'other machines are refused' refuses host 'rows of more than one host (elsewhere, .*--allow=' '.host = "elsewhere"'
ok 'other durabilities are refused' refuses durability_effective 'more than one durability_effective' '.durability_effective = "sync"'
ok 'several versions on one side are refused' refuses engine_version 'the new side' '.engine_version = "\($i % 2)"'
# A commit, or an edited file, during a sweep: it is the program that counts.
same_program () {
	rows old 8 '.commit = "1.0 abc" | .program = "11"'
	rows new 8 '.seconds += 1 | .program = "11" | .commit = if $i < 4 then "1.0 abc" else "1.0 abc-dirty" end'
	verdict 0 '.differ == [{column: "commit", old: "1.0 abc", new: "1.0 abc, 1.0 abc-dirty"}]' "$work/old" "$work/new"
	refuses commit 'more than one commit (1.0 abc, 1.0 def) .* the new side' '.program = "1\($i % 2)" | .commit = if $i < 4 then "1.0 abc" else "1.0 def" end'
}
ok 'rows of several commits are of one subject if the program is the same' same_program
# renamed FILE SED: a bench_null with such a change of its bytes, and what its row says of commit and program
renamed () {
	LC_ALL=C sed "$2" "$top/bench_null" >"$work/$1" && chmod +x "$work/$1" &&
		"$work/$1" --benchmarks=readrandom --reads=10 --json="$work/$1.json" >"$work/out" &&
		jq -r '"\(.commit | split(" ")[1]) \(.program)"' "$work/$1.json" >"$work/$1.is" && cat "$work/$1.is"
}
# The name of the commit is not part of it, the rest is.
program_told () {
	commit=$("$top/bench_null" --version | sed 's/.* (\(.*\)), null .*/\1/')
	renamed as_built '' && renamed of_another "s/$commit\\x00\\x00/$(echo "$commit" | tr 0-9a-z 1-9a-z0)++/g" &&
		renamed with_others 's/Time that each get takes/Time that every get took/' || return 1
	read -r first program <"$work/as_built.is"
	read -r second same <"$work/of_another.is"
	read -r third other <"$work/with_others.is"
	[ "$first" = "$commit" ] && [ "$second" != "$commit" ] && [ "$third" = "$commit" ] && [ "${#program}" -eq 16 ] &&
		[ "$same" = "$program" ] && [ "$other" != "$program" ]
}
ok 'a row identifies the program by its code and data, whatever the commit is called' program_told
other_sizes () {
	status=0
	rows old 8 . && rows new 8 '.num = 7' && compare "$work/old" "$work/new" >"$work/out" 2>"$work/err" || status=$?
	[ $status -eq 2 ] && cat "$work/err" && grep -q 'no benchmark is on both sides' "$work/err" &&
		grep -q 'num is 1000000 in the old rows and 7 in the new' "$work/err"
}
ok 'other sizes are other benchmarks' other_sizes
# The lists of reading/rows.py once more, so that each of them is held to be in its list and to matter by itself.
conditions='host cpu kernel cores cpu_quota filesystem simulated_disk memory_limit_kb durability_effective cold touch'
setup='benchmark threads clients num key_size key_format value_sizes batch_size distribution mix scan_length queues queue_deletes txn_reads txn'
setup="$setup warmup_s age probe_rate long_reader_s backup_at_s durability target_rate arrivals"
subject='engine engine_version allocator engine_options compression cache_bytes write_buffer_bytes malloc_arenas commit build'
circumstances='mount_options device io_scheduler read_ahead_kb governor turbo smt thp swappiness idle_reclaim numa_node cpus allowed_cpus memory_kb page_cache_state'

# alone FILE COLUMNS: a row that is like no other in each column by itself, and a label of its own for it if $labelled
labelled=''
alone () {
	rows "$1" 1 "., (\"$2\" / \" \" | .[] as \$c | \$row | .[\$c] = (if .[\$c] | type == \"string\" or \$c == \"cold\" then \"77\" else 77 end) | if \"$labelled\" != \"\" then .label = \"of_\" + \$c else . end)"
}
# said_of PATTERN COLUMNS: $work/err has a line for each column, in which its name stands for COLUMN
said_of () {
	for column in $2
	do
		grep -q -e "$(echo "$1" | sed "s/COLUMN/$column/g")" "$work/err" || { echo "nothing of $column"; cat "$work/err"; return 1; }
	done
}
each_condition () {
	rows old 8 .
	# shellcheck disable=SC2086 # words, on purpose
	rows new 8 "$(printf '.%s = "77" | ' $conditions) ."
	status=0
	compare "$work/old" "$work/new" >"$work/out" 2>"$work/err" || status=$?
	[ $status -eq 2 ]
	said_of 'rows of more than one COLUMN (.*) do not belong in one comparison' "$conditions"
	# shellcheck disable=SC2086 # words, on purpose
	rows new 8 "if \$i == 3 then $(printf '.%s = "77" | ' $subject program) . else . end"
	compare "$work/old" "$work/new" >"$work/out" 2>"$work/err" || status=$?
	[ $status -eq 2 ]
	said_of 'rows of more than one COLUMN (.*) do not belong in the new side' "$subject"
}
each_of_setup () {
	rows old 8 .
	alone new "$setup"
	sed 1d "$work/new" >"$work/others"
	[ "$(wc -l <"$work/others")" -eq 23 ]
	status=0
	compare "$work/old" "$work/others" >"$work/out" 2>"$work/err" || status=$?
	[ $status -eq 2 ]
	grep 'no benchmark is on both sides' "$work/err"
	said_of 'COLUMN is .* in the old rows and .* in the new' "$setup"
}
each_in_tables () {
	labelled=1
	alone mixed "$setup $conditions"
	"$top/scripts/summary.sh" --all "$work/mixed" >"$work/out"
	[ "$(grep -c '^engine ' "$work/out")" -eq 35 ] || { cat "$work/out"; return 1; }
	# the headings say what each is of
	cp "$work/out" "$work/err"
	said_of '^readrandom, .*, COLUMN 77' 'clients key_format batch_size distribution mix scan_length queues queue_deletes txn_reads txn
		warmup_s age probe_rate long_reader_s backup_at_s cpu kernel cores cpu_quota filesystem durability_effective cold touch'
	"$top/scripts/summary.sh" "$work/mixed" --found >"$work/err"
	[ "$(wc -l <"$work/err")" -eq 34 ]
	said_of ', COLUMN 77.*: of_COLUMN does ' 'filesystem cold touch batch_size warmup_s num durability'
	"$top/scripts/plot/points.sh" "$work/mixed" | cut -f 1,2 >"$work/err"
	said_of '	of_COLUMN.*+COLUMN=77' 'clients num key_size key_format value_sizes batch_size distribution mix scan_length queues queue_deletes
		txn_reads txn warmup_s age probe_rate long_reader_s backup_at_s durability target_rate arrivals host filesystem memory_limit_kb
		durability_effective cold touch'
	mkdir -p "$work/refused"
	alone refused/results.json 'host cpu kernel cores cpu_quota memory_limit_kb durability num key_size value_size'
	status=0
	"$top/scripts/plot.sh" "$work/refused" >"$work/out" 2>"$work/err" || status=$?
	[ $status -eq 1 ]
	said_of 'rows of more than one COLUMN (.*) do not belong in one plot' 'host cpu kernel cores cpu_quota memory_limit_kb durability num key_size value_size'
}
# The bars of the Insert Benchmark, whose steps are benchmarks.
steps_apart () {
	mkdir -p "$work/steps"
	rows steps/results.json 2 '(.label = ("a", "b")) | .benchmark = "l.i0" | .rows_per_sec = 10 | .rows_worst_second = 5 | .queries_per_sec = null |
		.filesystem = .label'
	"$top/scripts/plot.sh" "$work/steps" >"$work/out" 2>"$work/err" || [ $? -eq 1 ]
	grep 'a+filesystem=a<' "$work/steps/plots/insert-benchmark-rows.svg"
}
# A label that names its storage says itself what it ran on, and how that was made cold: storages.sh sets them side by side; and
# the null engine, which is on none, is beside all.
stays () {
	"$top/scripts/summary.sh" "$work/old" >"$work/out"
	cat "$work/out"
	[ "$(grep -c '^engine ' "$work/out")" -eq 1 ]
	[ "$(grep -c 'stand side by side' "$work/out")" -eq 0 ]
	"$top/scripts/plot/points.sh" "$work/old" | cut -f 2 | grep -x "$1"
}
storages_stay () {
	rows old 2 '(.label = ("lmdb:ext4", "lmdb:raw")) | .filesystem = (.label / ":")[1] |
		.cold = (if .filesystem == "raw" then "device" else "files and all" end)'
	stays lmdb:raw
	rows old 2 '(.label = ("lmdb", "null")) | if .label == "null" then .engine = "null" | .filesystem = null else .mount_options = "rw" end'
	stays lmdb
}
each_history () {
	rm -rf "$work/histories"
	labelled=''
	alone histories.rows "$(echo "$setup $conditions $subject cpus label" | sed 's/ kernel//; s/ engine_version//; s/ engine_options//; s/ commit build//')"
	count=$(wc -l <"$work/histories.rows")
	"$top/scripts/history.sh" add "$work/histories.rows" --history="$work/histories" >"$work/out"
	[ "$count" -eq 42 ] && [ "$(find "$work/histories" -name '*.tsv' | wc -l)" -eq "$count" ]
}
ok 'each condition alone is refused by compare.sh, and what must not differ on one side' each_condition
ok 'each part of a setup alone makes another benchmark' each_of_setup
ok 'summary.sh and plots keep apart or refuse what compare.sh does, each by itself' each_in_tables
ok 'and so do the bars of the Insert Benchmark' steps_apart
ok 'but storages that labels name stand side by side' storages_stay
ok 'each of them alone makes another history' each_history

# What a reader must know beside a verdict: nothing where nothing is so, and each by itself where it is.
warned () {
	rows old 8 .
	rows new 8 '.seconds += 1'
	verdict 0 '.warnings == []' "$work/old" "$work/new"
	# shellcheck disable=SC2086 # words, on purpose
	rows new 8 "if \$i < 3 then .warnings = \"heat\" else . end | if \$i < 2 then .target_rate_met = 0 else . end | if \$i < 1 then .steady = 0 else . end |
		.engine_build = \"x, not fit for comparison\" | .seconds += 1 | $(printf '.%s = 77 | ' $circumstances) ."
	compare "$work/old" "$work/new" >"$work/err"
	said_of '^warning: COLUMN: .* in the old rows, 77 in the new$' "$circumstances"
	for said in 'warnings in 3 of 8 runs: heat' 'rate missed in 2 of 8 runs' 'not steady in 1 of 8 runs' \
		'a build that is not fit for comparison in 8 of 8 runs'
	do
		grep -x "warning: new: $said" "$work/err"
	done
	compare "$work/old" "$work/old" | grep -x 'warning: 8 rows on both sides'
	cat "$work/old" "$work/new" >"$work/both"
	"$top/scripts/summary.sh" --all "$work/both" >"$work/err"
	said_of '^- rows of more than one COLUMN (.*77.*) stand side by side' "$(echo " $circumstances" | sed 's/ cpus//')"
}
ok 'a verdict comes with its warnings' warned

# A row that is there twice is one run.
twice () {
	rows old 4 .
	cat "$work/old" "$work/old" >"$work/doubled"
	rows new 4 '.seconds += 1'
	verdict 0 '.comparisons[0].old_runs == 4' "$work/doubled" "$work/new" 2>"$work/err"
	grep -x "compare.sh: $work/doubled: 4 rows stand there twice, and count once" "$work/err"
	"$top/scripts/summary.sh" --all "$work/doubled" 2>"$work/err" | grep '^null  *102 .* 4 '
}
ok 'a row that stands there twice counts once' twice

# One row with reads, writes and scans, of which each figure is another one.
all_kinds () {
	rows "$1" "$2" '.reads = 10 | .writes = 10 | .scans = 10 | .ops = 1000 | .user_s = 1 | .sys_s = 2 | .ops_per_sec = 30 | .writes_per_sec = 7 |
		[["read", "write", "scan"], ["p50", "p99", "p999"]] as [$kinds, $quantiles] |
		reduce (range(3) as $k | range(3) as $q | [$k, $q]) as [$k, $q] (.;
			.["\($kinds[$k])_\($quantiles[$q])_ns"] = 1000 * (1 + $k + 10 * (1 + $q)) |
			.["\($kinds[$k])_resp_\($quantiles[$q])_ns"] = 1000 * (101 + $k + 10 * (1 + $q))) | '"$3"
}
# cell HEADING TEXT: in the first table of the page or text in $work/out
cell () {
	awk -F '  +' -v head="$1" -v text="$2" '$1 == "engine" { for (i = 1; i <= NF; i++) if ($i == head) at = i; next }
		at { print head ": " $at; exit $at != text } END { if (!at) { print "no " head; exit 1 } }' "$work/out"
}
kinds () {
	all_kinds old 4 '.target_rate = null'
	all_kinds new 4 '.target_rate = null | .seconds += 1'
	verdict 0 '.comparisons[0] | .metric == "ops_per_sec" and .old_median == 30' "$work/old" "$work/new"
	verdict 0 '.comparisons[0].old_median == 21000' "$work/old" "$work/new" --metric=p99
	"$top/scripts/summary.sh" --all "$work/old" >"$work/out"
	cell ops/s 30
	cell p50 '11 us'
	cell p99 '21 us'
	cell p99.9 '31 us'
	cell 'write p99' '22 us'
	mkdir -p "$work/kinds" && cp "$work/old" "$work/kinds/results.json" && "$top/scripts/report.sh" "$work/kinds" >"$work/log" 2>&1 || return 1
	# the cells of a table by its caption
	for said in 'Latency of a read=11 µs,21 µs,31 µs' 'Latency of a write=12 µs,22 µs,32 µs' 'Latency of a scan=13 µs,23 µs,33 µs' \
		'Response of a read=111 µs,121 µs,131 µs' 'Response of a write=112 µs,122 µs,132 µs' 'Response of a scan=113 µs,123 µs,133 µs'
	do
		sed -n "/<caption>${said%%=*}</,/<.table>/p" "$work/kinds/report.html" | sed -n 's/<\/td>/,/g; s/<[^>]*>//g; /^null,/p' >"$work/cells"
		for quantile in $(seq 1 3)
		do
			text=$(echo "${said#*=}" | cut -d , -f "$quantile")
			grep -F ",$text," "$work/cells" || { echo "no $text in the ${said%%=*}"; cat "$work/cells"; return 1; }
		done
	done
	rm -rf "$work/histories"
	"$top/scripts/history.sh" add "$work/old" --history="$work/histories" >"$work/out"
	find "$work/histories" -name '*.tsv' -exec awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 2 { print $at["cpu_ns_per_op"], $at["p50_ns"], $at["p99_ns"], $at["p999_ns"] }' {} + | grep -x '3000000 11000 21000 31000'
}
ok 'of a row with all kinds of operations each figure is that of its kind' kinds

# In an open loop the rate is given: what is compared is the response time, and whether the rate was met.
open_loop () {
	all_kinds old 5 '.target_rate = 30 | .target_rate_met = 1 | .read_resp_p99_ns += $i'
	all_kinds new 5 '.target_rate = 30 | .target_rate_met = 1 | .read_resp_p99_ns = 300000 + $i'
	verdict 1 '(.comparisons[0] | .metric == "p99" and .response and .old_median == 121002 and .verdict == "slower") and .better == "less"' "$work/old" "$work/new"
	compare "$work/old" "$work/new" | grep 'compared by p99 response time (open loop'
	verdict 0 '.warnings | any(test("^ops_per_sec of an open loop is at most"))' "$work/old" "$work/new" --metric=ops_per_sec
	jq -c '.label = "slow"' "$work/new" | cat "$work/old" - >"$work/both"
	"$top/scripts/summary.sh" --all "$work/both" >"$work/out"
	cell 'response p99' '121 us'
	cell 'rate met' yes
	cell 'call p99' '21 us'
	cell 'write response p99' '122 us'
	# three runs have a range, of what was measured
	jq -c 'select(.repetition <= 3) | .read_resp_p99_ns += 1000 * .repetition' "$work/old" >"$work/three"
	"$top/scripts/summary.sh" "$work/three" >"$work/out"
	cell spread '122 us to 124 us'
	"$top/scripts/summary.sh" "$work/both" --found >"$work/out"
	leads "readrandom, 1 thread, 30 operations/s asked for: null leads with a p99 response time of 121 us, slow's is 2.48 times that (95 % interval 2.48 to 2.48, 5 runs each). The rate was met."
	# who met it leads, however quick the calls of who did not were
	jq -c 'if .label == "null" and .repetition == 2 then .target_rate_met = 0 else . end' "$work/both" >"$work/missed"
	"$top/scripts/summary.sh" "$work/missed" --found >"$work/out"
	leads 'readrandom, 1 thread, 30 operations/s asked for: slow met the rate with a p99 response time of 300 us, null missed it with 121 us. But null: rate missed in 1 of 5 runs.'
	stands_out missed 'warning, 1 of 10 rows: the rate was missed: how long operations waited grows with the length of the run (null)'
	# where only a writer beside them had a rate, reads are a result
	jq -c '.read_resp_p99_ns = null' "$work/both" >"$work/beside"
	"$top/scripts/summary.sh" --all "$work/beside" >"$work/out"
	cell ops/s 30 && cell p99 '21 us'
}

invalid_rows () {
	rows old 9 'if $i == 0 then .valid = 0 | .ops_per_sec = 1e9 else . end' && rows new 8 '.valid = 0' && rows same 8 . &&
		verdict 0 '.invalid == [1, 0] and .rows == [8, 8]' "$work/old" "$work/same" &&
		compare "$work/old" "$work/same" | grep -q 'invalid rows left out: 1 old, 0 new' &&
		fails 2 'no valid row on the new side; invalid: 9' "$top/scripts/compare.sh" "$work/old" "$work/new"
}
ok 'invalid rows are left out and counted' invalid_rows
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
	rm -f "$work/fast" "$work/slow" "$work/both"
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
	# a load of its own each time, and other keys
	jq -es '[.[] | select(.benchmark == "readrandom") | [.repetition, .iteration]] == [[1, 1], [1, 2], [2, 1], [2, 2], [3, 1], [3, 2]] and
		([.[] | select(.benchmark == "readrandom").digest] | unique | length) == 6 and (map(.epoch) == [range(12)]) and
		([.[] | select(.benchmark == "fillrandom") | .repetition] == [1, 2, 3])' "$work/rows" &&
		grep -q '^overwrite \[AVG 3 runs\]' "$work/out" && grep -q '^readrandom \[AVG 6 runs\]' "$work/out" || return 1
	# each of its own rows, which are rounded
	jq -rs 'group_by(.benchmark)[] | "\(.[0].benchmark) \(map(.ops_per_sec) | add / length | round)"' "$work/rows" >"$work/means"
	sed -n 's/^\([a-z]*\) \[AVG [36] runs\] : \([0-9]*\) .*/\1 \2/p' "$work/out" | paste - "$work/means" |
		awk '{ n += $1 == $3 && $2 - $4 <= 1 && $4 - $2 <= 1 } END { print n; exit n != 3 || NR != 3 }'
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
		row '.valid == 0 and .invalid_reason == "interrupted"'
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
ok 'what is invalid is in no average' void_is_no_average
map_stays () {
	rm -f "$work/rows"
	bench lmdb --benchmarks=fillseq,readrandom,readrandom --num=500 --writemap=1 --reopen=1 --repeat=2 >"$work/out" &&
		jq -es '[.[] | .engine_options | capture("mapsize=(?<size>[0-9]+)").size] | length == 6 and (unique | length) == 1' "$work/rows"
}
ok 'with --writemap=1 the map does not grow each time it is opened' map_stays
ok '--repeat needs a child process' fails 2 'leave out --supervise=0' "$top/bench_null" --repeat=2 --supervise=0
ok '--repeat has an end' fails 2 'exceeds 1024 benchmarks' "$top/bench_null" --repeat=1000

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
	jq -e --rawfile said "$work/said" '($said | rtrimstr("\n") | split(" ") | map(tonumber)) as $s | def near($x; $y; $off): ($x - $y) | fabs <= $off;
		$s[0] == .ops and near($s[1]; .mean_us * 1000; 0.2) and near($s[2]; .ops_per_sec; 0.2) and
		near($s[3]; .bytes / .seconds / 1e6; $s[3] / 1000) and near($s[4]; .read_p99_ns; 1)' "$work/gobench"
}
ok '--format=gobench prints what benchstat reads' gobench

# order ARGUMENTS...: names of the runs of a plan
order () {
	rm -rf "$work/order"
	"$top/scripts/sweep.sh" --out="$work/order" --engines=lmdb,null --benchmarks=readrandom,overwrite --threads=1,2 --repeat=3 \
		--num=1k --plan-only "$@" >"$work/out" || return 1
	sed 1d "$work/order/plan.tsv" | cut -f 1
}
one_order () {
	order >"$work/one"
}
random_order () {
	needs one_order
	order >"$work/again" && order --order-seed=2 >"$work/two" && cat "$work/one" &&
		cmp "$work/one" "$work/again" &&
		! cmp "$work/one" "$work/two" && sort "$work/one" >"$work/one.sorted" && sort "$work/two" | cmp - "$work/one.sorted" &&
		[ "$(wc -l <"$work/one")" -eq 26 ] || return 1
	# every round is whole before the next one begins
	grep readrandom "$work/one" | awk '{ round = /-r[0-9]$/ ? substr($0, length($0)) : 1; if (round < last) exit 1; last = round; n[round]++ }
		END { exit !(n[1] == 4 && n[2] == 4 && n[3] == 4) }' || return 1
	# and engines are not apart
	[ "$(grep readrandom "$work/one" | cut -d - -f 1 | uniq | wc -l)" -gt 4 ]
}
ok 'sweep.sh --repeat shuffles engines and points within each round, by its seed' random_order
# planned COLUMN...: those columns of the plan, a run a line, `-` for an empty one
planned () {
	jq -Rnr '[inputs / "\t"] | .[0] as $names | .[1:][] | [., $names] | transpose | map({(.[1]): .[0]}) | add |
		[.[$ARGS.positional[]] | if . == "" then "-" else . end] | join(" ")' --args "$@" <"$work/order/plan.tsv"
}
# Each engine is loaded once, before all else; who writes has a copy of that.
loads_first () {
	order
	planned engine benchmarks db copy_of loaded_by use_existing_db settle >"$work/planned"
	cat "$work/planned"
	awk -v out="$work/order/db/" '{ kept = out $1 }
		$2 == "filluniquerandbatch" { if (loaded[$1]++ || $3 != kept || $4 != "-" || $5 != "-" || $7 != 1) exit 1; next }
		!loaded[$1] || $5 != $1 "-filluniquerandbatch-1t" && $1 != "null" { exit 1 }
		$2 == "readrandom" && $1 == "lmdb" && ($3 != kept || $4 != "-" || $6 != 1) { exit 1 }
		$2 == "overwrite" && $1 == "lmdb" && ($3 != kept "-copy" || $4 != kept || $6 != "-") { exit 1 }
		END { exit NR != 26 || loaded["lmdb"] != 1 || loaded["null"] != 1 }' "$work/planned"
	# records on a device cannot be copied, so it is loaded for each run that writes
	order --engines=lmdb --threads=1 --device=/dev/none
	planned benchmarks loaded_by | sort | uniq -c | xargs | tee "$work/planned"
	[ "$(grep -o 'for-overwrite-1t-r[123]' "$work/planned" | wc -l)" -eq 3 ]
	[ "$(cut -d ' ' -f 1-3 "$work/planned")" = '4 filluniquerandbatch -' ]
	if [ -x "$top/bench_redis" ]
	then
		# nor can a server's
		order --engines=redis --threads=1
		[ "$(planned benchmarks | grep -c '^filluniquerandbatch$')" -eq 4 ]
	fi
	# a fill that is measured leaves the kept database alone
	order --engines=lmdb --threads=1 --benchmarks=fillseq,readrandom
	[ "$(planned benchmarks db | grep -c "^fillseq $work/order/db/lmdb-fill$")" -eq 3 ]
}
ok 'each engine is loaded once, and each run that writes has a copy' loads_first

# Each run has an epoch of its own, which engines share, and the load has the first one.
epochs_of_runs () {
	order --benchmarks=readrandom,overwrite,fillrandom
	planned engine benchmarks threads repetition epoch | sort >"$work/planned"
	cat "$work/planned"
	awk '$2 == "filluniquerandbatch" { if ($5 != "-") exit 1; next }
		{ at = $2 " " $3 " " $4; if (at in epochs && epochs[at] != $5) exit 1
		epochs[at] = $5; of = $1 " " (($2 ~ /^fill/) + 0) " " $5; if (seen[of]++) exit 1; n++ }
		END { exit n != 36 || epochs["readrandom 1 1"] != 1 }' "$work/planned"
	fails 2 'epoch is sweep.sh' "$top/scripts/sweep.sh" --out="$work/none" --epoch=3
	# a database that was loaded before counts what writes to it by itself
	order --load=none
	planned benchmarks epoch | sort | uniq -c >"$work/planned"
	cat "$work/planned"
	awk '$2 == "overwrite" && $3 != "-" || $2 == "readrandom" && $3 == "-" { exit 1 }' "$work/planned"
}
ok 'every run of a sweep draws keys of its own, in each round the same ones for all engines' epochs_of_runs

repeated_sweep () {
	"$top/scripts/sweep.sh" --out="$work/repeated" --benchmarks=readrandom,overwrite --threads=1 --repeat=2 --num=1k >"$work/out" 2>&1 ||
		{ cat "$work/out"; return 1; }
}
resumes_repetitions () {
	needs repeated_sweep
	cp "$work/repeated/results.json" "$work/first.json" &&
		jq -es 'map(select(.benchmark == "overwrite") | .repetition) | sort == [1, 2]' "$work/first.json" || return 1
	# as if the last run had failed: it is run again on a new copy, and nothing else is done
	last=$(tail -n 1 "$work/repeated/plan.tsv" | cut -f 1)
	echo 1 >"$work/repeated/runs/$last/status"
	touch "$work/begun"
	repeated_sweep
	[ "$(find "$work/repeated/runs" -name status -newer "$work/begun" | wc -l)" -eq 1 ]
	[ "$(diff "$work/first.json" "$work/repeated/results.json" | grep -c '^>')" -eq 1 ]
	# if the database is gone, too, that is loaded again first
	rm -r "$work/repeated/db/lmdb" "$work/repeated/runs/$last/status"
	touch "$work/begun"
	repeated_sweep
	[ "$(find "$work/repeated/runs" -name status -newer "$work/begun" | wc -l)" -eq 2 ]
	[ "$(cat "$work"/repeated/runs/*/status | grep -c -x 0)" -eq 5 ]
	jq -es 'length == 5 and all(.[]; .valid == 1) and (map(select(.benchmark == "overwrite") | .found) | unique | length == 1)' "$work/repeated/results.json"
}
ok 'sweep.sh --repeat goes on where it stopped, with a load only if the database is gone' resumes_repetitions
# What a later fill has made of the database is not what a read of an earlier one is to find.
loads_of_others () {
	set -- "$top/scripts/sweep.sh" --out="$work/filled" --engines=lmdb --load=none --benchmarks=fillseq,readrandom --threads=1 --repeat=2 --num=1k
	"$@" >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	for failed in 'lmdb-readrandom-1t' 'lmdb-readrandom-1t lmdb-readrandom-1t-r2' 'lmdb-readrandom-1t-r2'
	do
		for run in $failed
		do
			echo 1 >"$work/filled/runs/$run/status"
		done
		touch "$work/begun"
		"$@" >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
		find "$work/filled/runs" -name status -newer "$work/begun" | sed 's|.*/lmdb-||; s|/status||' | sort | paste -s -d ' '
	done >"$work/again"
	cat "$work/again"
	printf '%s\n' 'fillseq-1t readrandom-1t' 'fillseq-1t fillseq-1t-r2 readrandom-1t readrandom-1t-r2' readrandom-1t-r2 | diff - "$work/again"
}
ok 'and with its own if another one was made there since' loads_of_others
# Rows of eight rounds but for a run are made as if the sweep had been interrupted: one engine is 20 % slower, another one
# now faster, now slower. When the run has been made the first has its verdict, and the ninth round is of the other two.
until_decided () {
	rm -rf "$work/until" "$work/until.json"
	set -- --out="$work/until" --engines=null,null+null_put_ns=1,null+null_put_ns=2 --benchmarks=readrandom --threads=1 \
		--until=1 --repeat=9 --num=100 --reads=10
	"$top/scripts/sweep.sh" "$@" --plan-only >"$work/out"
	"$top/bench_null" --benchmarks=readrandom --reads=10 --num=100 --json="$work/until.json" >"$work/out"
	for round in 1 2 3 4 5 6 7 8
	do
		suffix=-r$round
		for engine in 0 1 2
		do
			run=$work/until/runs/null-readrandom-1t
			[ $engine -eq 0 ] || run=$work/until/runs/null+null_put_ns=$engine-readrandom-1t
			[ $round -eq 1 ] || run=$run$suffix
			jq -c --argjson round $round --argjson engine $engine '.repetition = $round | .ops_per_sec = 100 + $round |
				.label = if $engine == 0 then "null" else "null+null_put_ns=\($engine)" end |
				.time = "2026-01-01T00:0\($round):0\($engine)Z" |
				if $engine == 1 then .ops_per_sec *= 0.8 elif $engine == 2 then .ops_per_sec += 9 * (2 * ($round % 2) - 1)
				else . end' "$work/until.json" >"$run/row.json"
			echo 0 >"$run/status"
		done
	done
	rm "$work/until/runs/null-readrandom-1t-r8/status"
	touch "$work/begun"
	"$top/scripts/sweep.sh" "$@" >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	cat "$work/out" "$work/until/until.tsv"
	find "$work/until/runs" -name status -newer "$work/begun" | sed 's=.*/runs/==' | sort >"$work/ran"
	cat "$work/ran"
	[ "$(grep readrandom "$work/ran" | xargs)" = \
		'null+null_put_ns=2-readrandom-1t-r9/status null-readrandom-1t-r8/status null-readrandom-1t-r9/status' ]
	[ ! -e "$work/until/runs/null+null_put_ns=1-readrandom-1t-r9" ]
	[ "$(jq -s 'map(select(.benchmark == "readrandom")) | length' "$work/until/results.json")" -eq 26 ]
	grep -q '^readrandom, 1 thread  null  null+null_put_ns=1  ops_per_sec  *8  *0.8  .*  slower$' "$work/out"
	[ "$(sed 1d "$work/until/until.tsv" | cut -f 2,8,9,14 | xargs)" = \
		'null+null_put_ns=1 8 8 slower null+null_put_ns=2 9 undecided' ]
	# compare.sh judges by the same rule, and nothing is left to do
	verdict 1 '.comparisons[1] | .verdict == "slower" and .rounds == 8 and .decided_after == 8' "$work/until" \
		--by=label --old=null --new=null+null_put_ns=1 --allow=engine_options,program
	verdict 0 '.until_percent == 1 and .comparisons[1].verdict == "undecided"' "$work/until" \
		--by=label --old=null --new=null+null_put_ns=2 --allow=engine_options,program
	touch "$work/begun"
	"$top/scripts/sweep.sh" "$@" >"$work/out"
	[ -z "$(find "$work/until/runs" -name status -newer "$work/begun")" ]
}
ok 'sweep.sh --until ends a comparison that has a verdict, and its runs, also when it goes on' until_decided
until_refused () {
	fails 2 'give two of either' "$top/scripts/sweep.sh" --out="$work/s3" --engines=null --benchmarks=readrandom --threads=1 --until=2
	[ ! -e "$work/s3" ]
	fails 2 'give --repeat=8 or more' "$top/scripts/sweep.sh" --out="$work/s3" --engines=null --until=2 --repeat=7
	fails 2 "cannot read '2x'; give percent" "$top/scripts/sweep.sh" --out="$work/s3" --engines=null --until=2x
	fails 2 'give --until' "$top/scripts/sweep.sh" --out="$work/s3" --engines=null --metric=p99
	fails 2 'leave out --hosts' "$top/scripts/sweep.sh" --out="$work/s3" --engines=null --until=2 --profile
	fails 2 'leave out \[X[.]*\] of --benchmarks$' "$top/scripts/sweep.sh" --out="$work/s3" --engines=null,null+null_put_ns=1 --until=2 \
		--benchmarks='readrandom,overwrite[W1-X5]'
	[ ! -e "$work/s3" ]
	fails 2 'cannot tell whether more num is better' "$top/scripts/sweep.sh" --out="$work/s4" --benchmarks=readrandom \
		--threads=1 --engines=null,null+null_put_ns=1 --until=2 --metric=num --num=10
}
ok 'sweep.sh --until refuses what it cannot compare' until_refused
# Of one engine the values of an option are compared, of several engines each with the first at each value.
until_compares () {
	order --until=2 --repeat=8 --benchmarks=overwrite --threads=1 --value_size=10,20
	cut -f 1-6 "$work/order/comparisons.tsv" | tr '\t' ' ' >"$work/compared"
	order --until=2 --repeat=8 --engines=lmdb --benchmarks=readrandom@2 --value_size=10,20,30
	sed 1d "$work/order/comparisons.tsv" | cut -f 3-7 | tr '\t' ' ' >>"$work/compared"
	"$top/scripts/sweep.sh" --out="$work/none" --engines=lmdb,null --benchmarks=readrandom --threads=1 --until=2 --dry-run |
		grep -c -e --benchmarks=readrandom >>"$work/compared"
	diff - "$work/compared" <<-END
		old_run new_run old new benchmark threads
		lmdb-overwrite-1t-value_size=10 null-overwrite-1t-value_size=10 lmdb-value_size=10 null-value_size=10 overwrite 1
		lmdb-overwrite-1t-value_size=20 null-overwrite-1t-value_size=20 lmdb-value_size=20 null-value_size=20 overwrite 1
		lmdb-value_size=10 lmdb-value_size=20 readrandom 2 1
		lmdb-value_size=10 lmdb-value_size=30 readrandom 2 1
		96
	END
}
ok 'sweep.sh --until compares engines, or else values of an option, in up to 48 rounds' until_compares
ok 'sweep.sh refuses an order that is no number' fails 2 "cannot read 'x'" "$top/scripts/sweep.sh" --out="$work/s2" --order-seed=x

summaries () {
	needs repeated_sweep
	"$top/scripts/summary.sh" --all "$work/repeated/results.json" >"$work/out" && cat "$work/out" &&
		grep -q '95 % interval (t)  *CV  runs' "$work/out" && [ "$(grep -c '^lmdb .* to .* %  *2 ' "$work/out")" -eq 2 ] &&
		rows old 1 'range(3) as $k | .ops_per_sec = [90, 100, 110][$k]' && "$top/scripts/summary.sh" --all "$work/old" | grep '^null  *100  *77.7 to 128  10 %  *3 ' &&
		rows old 2 '.ops_per_sec = 100 + $i * 20 | .read_p99_ns = 1000 + $i * 2000' && "$top/scripts/summary.sh" --all "$work/old" | grep '^null  *110 .* 2.0 us ' &&
		rows old 1 '.num = (1, 2)' && [ "$("$top/scripts/summary.sh" "$work/old" | grep -c '^readrandom, ')" -eq 2 ]
}
ok 'summary.sh has the median, the interval, the variation and the number of runs' summaries
# A row that was cut short is said, whatever stands before it on its line.
cut_short () {
	"$top/bench_null" --benchmarks=readrandom --num=10 --json="$work/whole.json" >"$work/out" 2>&1
	head -c 500 "$work/whole.json" >"$work/cut.json"
	fails 1 'cut.json has no row that is not cut short$' "$top/scripts/summary.sh" "$work/cut.json"
	{ tr -d '\n' <"$work/whole.json" && cat "$work/cut.json"; } >"$work/line.json"
	"$top/scripts/summary.sh" "$work/line.json" >"$work/out" 2>"$work/err"
	cat "$work/out" "$work/err"
	grep '^null ' "$work/out"
	grep '^summary.sh: .*/line.json: rows cut short, and left out: 1$' "$work/err"
	jq -c '.time = "2026-01-01T00:00:00Z"' "$work/whole.json" >"$work/other.json"
	{ tr -d '\n' <"$work/whole.json" && cat "$work/other.json"; } >"$work/line.json"
	"$top/scripts/summary.sh" --all "$work/line.json" | grep '^null .* 2  '
}
ok 'a row that was cut short is left out and said, and rows on one line are all read' cut_short

no_escape () {
	"$top/bench_null" --benchmarks=readrandom --num=10 --json="$work/plain.json" >"$work/out" 2>&1
	jq -c '.label = "\u001b[31mred" | .warnings = "a\r\u0007b"' "$work/plain.json" >"$work/control.json"
	"$top/scripts/summary.sh" "$work/control.json" >"$work/out"
	grep '^ \[31mred ' "$work/out"
	! LC_ALL=C tr -d '\n' <"$work/out" | LC_ALL=C grep '[[:cntrl:]]'
}
ok 'no control character of a row reaches the terminal' no_escape
summary_refuses () {
	fails 2 "no option '--by'; see --help" "$top/scripts/summary.sh" --by=label "$work/whole.json"
	fails 2 "no option '--wrong'" "$top/scripts/summary.sh" "$work/whole.json" --wrong
	fails 2 "cannot read 'second': a summary is of one file" "$top/scripts/summary.sh" "$work/whole.json" second
	fails 2 'cannot read .*/nowhere' "$top/scripts/summary.sh" "$work/nowhere"
}
ok 'summary.sh refuses what it cannot read, and says which' summary_refuses

# What it says beside the figures, each of rows in which just that is so; and of rows in which nothing is.
leads () {
	grep -F -x "$1" "$work/out" || { echo "not said: $1"; cat "$work/out"; return 1; }
}
stands_out () {
	"$top/scripts/summary.sh" --all "$work/$1" >"$work/out"
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
	stands_out old 'warning, 5 of 10 rows: not steady: the rate still changed at the end; run longer or warm up (--warmup) (b)'
	grep '^b .* -50 % ' "$work/out"
	rows old 5 "$two"' | if .label == "b" then .bound_by = "device" | .bound_by_detail = "95 % busy" else . end'
	"$top/scripts/summary.sh" "$work/old" >"$work/out"
	grep '^b .*device *95 % busy$' "$work/out"
	rows old 5 "$two"' | .benchmark = "readwhilewriting" | .reads = 10 | .writes = 10 | .writes_per_sec = if .label == "b" then 5 else 51 end'
	stands_out old "the writes beside the reads were starved: b did less than a tenth of a's; compare at one --write_rate"
	rows old 5 "$two"' | if .label == "b" and $i == 4 then .valid = 0 | .invalid_reason = "so" else . end'
	stands_out old 'invalid: b readrandom: so'
	rows old 5 "$two"' | if .label == "b" and $i == 4 then .warnings = "heat" else . end'
	stands_out old 'warning, 1 of 10 rows: heat (b)'
}
ok 'summary.sh says who leads and what stands out, and nothing where nothing does' said_beside
ok 'in an open loop the response time is the result, and whether the rate was met' open_loop
# A build that is not fit for comparing writes says why, of rows that write only; and a load has the name of its workload.
unfit_for_writes () {
	rows old 2 "$two"' | .writes = (if .benchmark == "overwrite" then 10 else 0 end) | .loaded_by = "\(.label)-1.2-fillseqbatch-1t-r3" |
		.engine_build = "libx, no CRC-32C instructions: not fit for comparison of writes"'
	"$top/scripts/summary.sh" "$work/old" >"$work/out"
	cat "$work/out"
	! grep 'not fit' "$work/out" && grep ', loaded by fillseqbatch (in key order), on ' "$work/out" || return 1
	rows old 2 "$two"' | .reads = 0 | .writes = 10 | .engine_build = "libx, no CRC-32C instructions: not fit for comparison of writes"'
	"$top/scripts/summary.sh" "$work/old" >"$work/out"
	cat "$work/out"
	grep '^- warning, 4 of 4 rows: the build is not fit for comparison of writes: no CRC-32C instructions (a, b)' "$work/out"
}
ok 'a build that is not fit for comparing writes has its reason, at rows that write; a load has its workload' unfit_for_writes
# Who leads at reads because its writer got nothing done is said in the answer of the page.
starved_leader () {
	rows old 1 "$two"' | .benchmark = "readwhilewriting" | .mix = null | .reads = 10 | .writes = 10 | .writes_per_sec = (if .label == "b" then 5 else 51 end)'
	mkdir -p "$work/beside-writer" && cp "$work/old" "$work/beside-writer/results.json" && "$top/scripts/report.sh" "$work/beside-writer" || return 1
	grep -e '<p class="answer">' -e '<h3>' "$work/beside-writer/report.html" | tee "$work/out"
	grep -q 'by 3.0 ×; starving writes in readwhilewriting)' "$work/out" && grep -q '(a; one run: no interval), but its writes were starved</h3>' "$work/out" || return 1
	jq -c '.writes_per_sec = 51' "$work/old" >"$work/beside-writer/results.json" && "$top/scripts/report.sh" "$work/beside-writer" && ! grep 'starv' "$work/beside-writer/report.html"
}
ok 'the page says of a leader at reads that its writes were starved' starved_leader
# At a glance the best of each result is 100, of a closed loop the highest rate and of an open one the shortest p99; and who is first
# is said.
at_a_glance () {
	mkdir -p "$work/glance"
	rows old 2 '(.label = ("a", "b")) | .ops_per_sec = (if .label == "a" then 1000 else 4000 end) | .reads_per_sec = .ops_per_sec'
	rows paced 2 '(.label = ("a", "b")) | .target_rate = 100 | .target_rate_met = 1 | .arrivals = "constant" |
		(.read_resp_p50_ns, .read_resp_p99_ns, .read_resp_p999_ns) = (if .label == "a" then 1e6 else 5e6 end)'
	for run in old paced
	do
		cp "$work/$run" "$work/glance/results.json" && "$top/scripts/report.sh" "$work/glance" || return 1
		# name and percent of the best
		sed -n '/<table class="score">/,/<.table>/p' "$work/glance/report.html" | sed 's/<\/td>/ /g; s/<[^>]*>//g' | sed -n 's/^ *\([ab]\) *\([0-9.]*\) .*/\1 \2/p' |
			paste -s -d ' ' | tee "$work/glanced"
		case $run in
		old) first='b 100 a 25' ;;
		paced) first='a 100 b 20' ;;
		esac
		[ "$(cat "$work/glanced")" = "$first" ]
		grep "<p class=\"answer\">.*<b>${first%% *}</b>" "$work/glance/report.html"
	done
}
ok 'what is 100 of the best at a glance is the highest rate, or of an open loop the shortest p99' at_a_glance

# On a terminal nothing is wider than that, what is least is left out first, and a cause is said once.
narrow () {
	rows old 5 '(.label = ("a", "b_with_a_long_name")) | .sys_s = 0 | .user_s = .seconds | .harness_ns_per_op = 1 | .warnings = "other processes used \($i + 10) % of the CPU time; heat"'
	for wide in 40 72 200
	do
		COLUMNS=$wide "$top/scripts/summary.sh" "$work/old" >"$work/out.$wide"
		awk -v wide="$wide" 'length($0) > wide { print; bad = 1 } END { exit bad }' "$work/out.$wide"
		grep -A 2 '^engine  *ops/s' "$work/out.$wide" >"$work/table"
		cat "$work/table"
		[ "$(grep -c '^[ab].* [0-9]' "$work/table")" -eq 2 ]
	done
	[ "$(grep -c p50 "$work/out.40")" -eq 0 ]
	grep 'p50 .*p99 .*p99.9 .*limited by$' "$work/out.72"
	COLUMNS=40 "$top/scripts/summary.sh" --all "$work/old" | grep '^engine  *ops/s  *CPU us/op .*95 % interval (t)'
	# of 80 columns all three percentiles, a background writer's rate and the limit have room: its figures go first
	rows writer 5 '.label = ("a", "engine") | .benchmark = "readwhilewriting" | .reads = 5 | .writes = 5 | .writes_per_sec = 123456 | .read_p50_ns = 12345 | .read_p99_ns = 123456 |
		.read_p999_ns = 1234567 | .bound_by = "lock" | .bound_by_detail = "14337 waits/s a thread"'
	for wide in 80 200
	do
		COLUMNS=$wide "$top/scripts/summary.sh" "$work/writer" >"$work/out.w$wide"
		cat "$work/out.w$wide"
		grep 'spread .*p50 .*p99 .*p99.9 .*writes/s .*limited by$' "$work/out.w$wide"
	done
	grep '^engine .* lock$' "$work/out.w80"
	grep '^engine .* lock 14337 waits/s a thread$' "$work/out.w200"
	[ "$(grep -c '^- warning, 10 of 10 rows: ' "$work/out.200")" -eq 2 ]
	grep -x -e '- warning, 10 of 10 rows: up to: other processes used 14 % of the CPU time (a, b_with_a_long_name)' "$work/out.200"
	# a tree that was filled in key order is not judged by what it writes
	rows old 1 '.engine = "rocksdb" | .benchmark = "fillseqbatch" | .distribution = "sequential" | .writes = 10 | .reads = 0 | .write_buffer_bytes = 1e6'
	"$top/scripts/summary.sh" --all "$work/old" | grep -e '- note, 1 of 1 rows: loaded in key order'
	"$top/scripts/summary.sh" --all "$work/old" | grep -e '- note, 1 of 1 rows: no memtable was filled'
}
ok 'summary.sh fits the terminal, and says each cause once' narrow

# Numbers of three charts, from the rows by other code: medians, to the digits that are shown; bars and percentages of the best.
charted () {
	mkdir -p "$work/charted"
	rows charted/results.json 5 '(.label = ("a", "b", "c")) | (.threads = (1, 2, 4)) | .engine = "x" |
		.ops_per_sec = 1e5 * ((.label | explode[0] * 7919 + $i * 104729) % 97 + 3) * .threads | .reads_per_sec = .ops_per_sec |
		.read_p50_ns = ($i * 7 % 5 + 1) * 310 | .read_p99_ns = ($i * 3 % 5 + 1) * 4100 | .read_p999_ns = ($i * 9 % 5 + 1) * 52000'
	"$top/scripts/report.sh" "$work/charted" >"$work/out"
	for threads in 1 2 4
	do
		for name in a b c
		do
			for column in ops_per_sec read_p50_ns read_p99_ns read_p999_ns
			do
				jq -r "select(.label == \"$name\" and .threads == $threads).$column" "$work/charted/results.json" | sort -g | sed -n 3p
			done | paste -s -d ' ' | sed "s/^/$threads $name /"
		done
	done >"$work/medians"
	# threads, label, value, p50, p99, p99.9, width of the bar, percent of the best
	sed -n 's/^<h3>\([0-9]*\) thread.*/\1/p; s/.* data-label="\([abc]\)">.*class="value"[^>]*>\([^<]*\)<.*class="bar[^"]*" style="width:\([0-9.]*\)%.*class="best"[^>]*>\([0-9.]*\) %<.*class="p50"[^>]*>\([^<]*\)<.*class="p99"[^>]*>\([^<]*\)<.*class="p999"[^>]*>\([^<]*\)<.*/\1:\2:\5:\6:\7:\3:\4/p' \
		"$work/charted/report.html" >"$work/shown"
	cat "$work/medians" "$work/shown"
	awk '
		function number(text,   part) {
			split(text, part, " ")
			return part[1] * (part[2] == "M" ? 1e6 : part[2] == "k" ? 1e3 : part[2] == "ms" ? 1e6 : part[2] == "µs" ? 1e3 : 1)
		}
		function far(shown, true_one, digits) { return shown < true_one * (1 - digits) || shown > true_one * (1 + digits) }
		NR == FNR { for (i = 3; i <= 6; i++) median[$1, $2, i] = $i; best[$1] = $3 > best[$1] ? $3 : best[$1]; next }
		NF == 1 && !/:/ { threads = $1; charts++; next }
		{
			n = split($0, field, ":")
			rows++
			for (i = 3; i <= 6; i++)
				if (far(number(field[i - 1]), median[threads, field[1], i], i == 3 ? 0.006 : 0.06)) { print "wrong: " $0; bad = 1 }
			if (field[6] > 100 || far(field[7], 100 * median[threads, field[1], 3] / best[threads], 0.06)) { print "wrong bar: " $0; bad = 1 }
			if (!(threads in unit)) unit[threads] = field[6] / median[threads, field[1], 3]
			if (far(field[6] / median[threads, field[1], 3], unit[threads], 0.005)) { print "bars not from 0: " $0; bad = 1 }
		}
		END { exit bad || charts != 3 || rows != 9 }' "$work/medians" "$work/shown"
}
ok 'the numbers of three charts are the medians of their rows, and bars begin at 0' charted
# A fraction of the device's limit is one of a device that was the limit.
empty_columns () {
	rows old 3 '(.label = ("a", "device")) | if .label == "device" then .engine = "aio" | .ops_per_sec = 200 else . end'
	"$top/scripts/summary.sh" --all "$work/old" >"$work/out"
	grep '^a .* 51 %$' "$work/out"
	rows old 3 '(.label = ("a", "device")) | if .label == "device" then .engine = "aio" | .ops_per_sec = 2 else . end'
	"$top/scripts/summary.sh" --all "$work/old" >"$work/out"
	[ "$(grep -c -e 'device limit' -e 'writes/s' -e 'KB read' "$work/out")" -eq 0 ]
}
ok 'and leaves out the columns that say nothing' empty_columns

# An invalid row of a rate that would show, beside three whose median is 120.
void_nowhere () {
	rows old 4 '.ops_per_sec = [100, 170, 120, 1e9][$i] | .reads_per_sec = .ops_per_sec | if $i == 3 then .valid = 0 else . end'
	"$top/scripts/summary.sh" --all "$work/old" >"$work/out"
	grep '^null  *120 .* 3 ' "$work/out"
	"$top/scripts/plot/points.sh" "$work/old" | cut -f 1-6 >"$work/out"
	grep -x "readrandom	null	1	reads	3	120" "$work/out"
	"$top/scripts/table.sh" "$work/old" >"$work/out" 2>"$work/err"
	[ "$(wc -l <"$work/out")" -eq 4 ]
	grep -x 'table.sh: 1 invalid rows left out' "$work/err"
}
ok 'invalid rows are in no summary, no point of a plot and no table' void_nowhere

# apart JQ WORD WORD: rows that differ so are two points of 3 runs each, with such words after the label of a plot and in a table
# of their own or after the label there, and no one of 6
apart () {
	mkdir -p "$work/apart" && rows apart/results.json 3 '.threads = (1, 2) | '"$1" &&
		"$top/scripts/summary.sh" --all "$work/apart/results.json" >"$work/out" && cat "$work/out" || return 1
	[ "$(grep -c "^null.*  *101  *98[.0-9]* to .* 3 " "$work/out")" -eq 4 ] || return 1
	for word in "$2" "$3"
	do
		tables=$(tr ':,' '__' <"$work/out" | grep -c -e "^readrandom_.* $(echo "$word" | tr '=' ' ')_ " -e "+ ${word#*=} bytes")
		lines=$(grep -c "^null+$word " "$work/out")
		[ $((tables + lines)) -eq 2 ] &&
			"$top/scripts/plot/points.sh" "$work/apart/results.json" | cut -f 1-6 | grep -q "^readrandom	null+$word	2	reads	3	101\$" || return 1
	done
}
settings () {
	apart '.batch_size = (1, 10)' batch_size=1 batch_size=10 &&
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
	grep -q "medians of up to 3 runs; whiskers: their range" "$work/plotted/plots/readrandom-readers.svg" || return 1
	"$top/scripts/plot/points.sh" "$work/plotted/results.json" | cut -f 1-6,8,9 | grep -q "^readrandom	null	2	reads	3	101	100	102\$" || return 1
	rows plotted/results.json 3 '.kernel = "\($i)"' && fails 1 'rows of more than one' "$top/scripts/plot.sh" "$work/plotted"
}
ok 'plot.sh draws intervals, and refuses what does not belong in one plot' intervals

# What it finds depends on the machine; that it measures and judges does not.
aa () {
	"$top/scripts/compare-aa.sh" --rounds=4 --runs=4 --trials=2 >"$work/out" 2>"$work/err" || [ $? -eq 1 ]
	cat "$work/out" "$work/err"
	head -n 1 "$work/out" | grep -x '2 trials of each kind, 4+4 runs in each, of 4 rounds'
	[ "$(grep -c ': a difference in .* %$' "$work/out")" -eq 4 ]
	[ ! -s "$work/err" ]
}
ok 'compare-aa.sh judges trials of runs that are alike, and of slower ones' aa
