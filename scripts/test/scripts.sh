# scripts.sh: sweep, table, plots and quickstart as a user runs them.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

sweep () {
	"$top/scripts/sweep.sh" --out="$work/sweep" --engines=lmdb,null --benchmarks=readrandom,readwhilewriting \
		--threads=1,2,4 --num=20000 --duration=0.3 --report_interval_seconds=0.1 "$@"
}

plan () {
	sweep --plan-only && [ "$(wc -l <"$work/sweep/plan")" -eq 14 ] &&
		! grep -v "^\./bench_\(lmdb\|null\) .*--benchmarks=" "$work/sweep/plan" && [ ! -e "$work/sweep/results.json" ]
}
ok 'sweep.sh writes its plan first: one complete command a line' plan

multiplies () {
	"$top/scripts/sweep.sh" --out="$work/s5" --benchmarks=readrandom --threads=1,2 --num=1k,2k --value_size=10,20 \
		--reads=100 >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	jq -es '[.[] | select(.valid == 1) | [.num, .value_size]] | group_by(.) | map(length) == [3, 3, 3, 3]' \
		"$work/s5/results.json" && fails 1 'more than one num (1000, 2000)' "$top/scripts/plot.sh" "$work/s5"
}
ok 'sweep.sh multiplies further options, and plot.sh does not mix them' multiplies

by_hand () {
	cd "$top" && head -n 2 "$work/sweep/plan" | sh && [ -s "$work/sweep/runs/lmdb-readrandom-1t/row.json" ]
}
ok 'the lines of the plan run by hand' by_hand

runs_all () {
	sweep && [ "$(wc -l <"$work/sweep/results.json")" -eq 14 ] && [ "$(wc -l <"$work/sweep/results.tsv")" -eq 15 ] &&
		jq -es 'all(.[]; .valid == 1) and ([.[].threads] | unique == [1, 2, 4])' "$work/sweep/results.json"
}
ok 'sweep.sh runs all of it and collects the rows' runs_all

resumes () {
	cp "$work/sweep/results.json" "$work/first.json"
	# as if the last two runs had never been: one not begun, one killed and half written
	head -n -2 "$work/sweep/joblog" >"$work/joblog" && cp "$work/joblog" "$work/sweep/joblog"
	last=$(tail -n 1 "$work/sweep/plan" | sed "s|.*/runs/\\([^']*\\)'/out.txt.*|\\1|")
	echo '{"half' >"$work/sweep/runs/$last/row.json"
	sweep || return 1
	head -n 12 "$work/first.json" >"$work/head.first"
	head -n 12 "$work/sweep/results.json" | diff "$work/head.first" - &&
		[ "$(wc -l <"$work/sweep/results.json")" -eq 14 ] && jq -es 'length == 14' "$work/sweep/results.json" &&
		! diff -q "$work/first.json" "$work/sweep/results.json"
}
ok 'sweep.sh goes on where it stopped and repeats nothing that was finished' resumes

ok 'sweep.sh refuses another plan in the same place' fails 2 'holds another plan' sweep --seed=5
ok 'sweep.sh refuses what it cannot read' fails 2 "cannot read 'fast'" "$top/scripts/sweep.sh" --out="$work/s2" fast
ok 'sweep.sh says which engine is missing' fails 1 'bench_nosuch is not there' "$top/scripts/sweep.sh" \
	--out="$work/s3" --engines=nosuch

configurations_have_labels () {
	"$top/scripts/sweep.sh" --out="$work/s6" --engines=lmdb,lmdb+writemap=1+readahead=0 --benchmarks=readrandom \
		--threads=1 --num=1k >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	jq -es 'map([.label, (.engine_options | test("writemap=1.*readahead=0"))]) | unique ==
		[["lmdb", false], ["lmdb+writemap=1+readahead=0", true]]' "$work/s6/results.json"
}
ok 'sweep.sh names an engine with options after them' configurations_have_labels

goes_on_after_death () {
	"$top/scripts/sweep.sh" --out="$work/s7" --engines=null+null_stall_every=100+null_stall_ms=100000,lmdb \
		--benchmarks=readrandom --threads=1 --num=1k --hang_timeout=1 >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ $status -eq 1 ] && grep -q '^bench_null: readrandom: null engine hung' "$work/err" &&
		jq -es 'map(select(.benchmark == "readrandom")) | map([.engine, .valid]) | sort == [["lmdb", 1], ["null", 0]]' \
			"$work/s7/results.json"
}
ok 'sweep.sh goes on after an engine died, and keeps its void row' goes_on_after_death

failing_run_is_said () {
	"$top/scripts/sweep.sh" --out="$work/s4" --benchmarks=overwrite --threads=1 --num=100k --mapsize=1Mi \
		>"$work/out" 2>"$work/err"
	status=$?
	cat "$work/err"
	[ $status -eq 1 ] && grep -q 'sweep.sh: exit status 1: ./bench_lmdb' "$work/err" &&
		jq -es '.[0].valid == 0' "$work/s4/results.json"
}
ok 'a run that fails is named, and its row is void' failing_run_is_said

table () {
	"$top/scripts/table.sh" "$work/sweep/results.json" >"$work/table" && cat "$work/table" &&
		[ "$(wc -l <"$work/table")" -eq 15 ] && [ "$(awk '{ print length }' "$work/table" | sort -u | wc -l)" -eq 1 ] &&
		fails 2 'no column nosuch' "$top/scripts/table.sh" "$work/sweep/results.json" engine,nosuch &&
		"$top/scripts/table.sh" "$work/s4/results.json" 2>&1 | grep 'void rows left out'
}
ok 'table.sh aligns the valid rows' table

# A picture is more than paper: many colours, and the line of each engine.
not_blank () {
	colours=$(pngtopnm "$1" 2>"$work/png" | ppmhist -noheader 2>>"$work/png" | wc -l)
	echo "$1: $colours colours"
	[ "$colours" -gt 20 ]
}
plots () {
	"$top/scripts/plot.sh" "$work/sweep" >"$work/plots" || return 1
	for name in readrandom-readers readwhilewriting-readers readrandom-latency readwhilewriting-latency \
		readwhilewriting-throughput
	do
		grep -q "$name.png" "$work/plots" && not_blank "$work/sweep/plots/$name.png" &&
			grep -q '</svg>' "$work/sweep/plots/$name.svg" && grep -q lmdb "$work/sweep/plots/$name.svg" || return 1
	done
}
ok 'plot.sh draws readers, percentiles and throughput, as SVG and PNG' plots
blank_is_blank () {
	gnuplot -e "set terminal pngcairo; set output '$work/blank.png'; unset border; unset tics; unset key; plot [0:1] -1 notitle" \
		2>"$work/gnuplot"
	! not_blank "$work/blank.png"
}
ok 'and the check would notice a blank one' blank_is_blank
ok 'plot.sh says what is missing' fails 2 '' "$top/scripts/plot.sh" "$work/nowhere"

quickstart () {
	NUM=20k SECONDS_EACH=0.2 THREADS=1,2 "$top/scripts/quickstart.sh" >"$work/quick" 2>&1 || { cat "$work/quick"; return 1; }
	cat "$work/quick"
	for engine in $(make -C "$top" -s engines)
	do
		[ "$engine" = null ] || [ "$(grep -c "^$engine " "$work/quick")" -eq 4 ] || return 1
	done
	grep -q '^readwhilewriting, 4 threads' "$work/quick" && made=$(sed -n 's|^.*\(results/quickstart-[0-9-]*\)/plots/.*\.png$|\1|p' \
		"$work/quick" | head -n 1) && [ -n "$made" ] && [ -s "$top/$made/results.tsv" ] && rm -rf "${top:?}/$made"
}
ok 'quickstart.sh loads, sweeps and compares every engine, and draws' quickstart
