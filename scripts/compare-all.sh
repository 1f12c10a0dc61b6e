# compare-all.sh: all numeric columns of two groups of rows; sourced by compare.sh.
# shellcheck shell=sh disable=SC2154,SC2016 # compare.sh has the variables; jq is quoted

# compare_all: adds .all to the report, with an object for each column that varies
compare_all () {
	jq -nr -L "$scripts" --arg by "$by" --arg allow "$allow" --slurpfile old "$work/old" \
		--slurpfile new "$work/new" 'include "compare-all";
		[($old[] | {side: "old", row: .}), ($new[] | {side: "new", row: .})] | all_samples($by; $allow / ",")' \
		>"$work/columns"
	sed -n "s/^pairs	//p" "$work/columns" >"$work/column-pairs"
	sed "/^pairs	/d" "$work/columns" | stats --draws=0 >"$work/column-figures"
	jq -Rc -L "$scripts" --slurpfile pairs "$work/column-pairs" \
		'include "compare-all"; one($pairs[0])' "$work/column-figures" >"$work/all"
	jq -c --slurpfile all "$work/all" '.all = $all' "$work/report" >"$work/report-all"
	mv "$work/report-all" "$work/report"
}

# counter_rows FILE NAME: a row for each run in a file of --engine_counters, with a column
# for each counter
counter_rows () {
	take_lines "$1" "$work/$2-lines"
	head -n 1 "$work/$2-lines" | grep -q "	counter	begin	end	per_op$" ||
		fail 2 "$1 is no file of --engine_counters"
	# the kth value of a counter is in the kth row: runs can begin in one second
	jq -Rnc '(input / "\t") as $names | [inputs / "\t" | [$names, .] | transpose | map({(.[0]): .[1]}) | add] |
		group_by(.engine, .label, .benchmark, .threads)[] |
		(.[0] | {valid: 1, engine, "label": .label, benchmark, threads: (.threads | tonumber)}) as $row |
		map(select(.per_op != "")) | group_by(.counter) | (map(length) | max // 0) as $runs | . as $counters |
		range($runs) as $k | $row + ($counters | map(.[$k] // empty | {(.counter): (.per_op | tonumber)}) | add)' "$work/$2-lines" >"$work/$2"
}

# compare_counters OLD NEW: counters per operation that differ
compare_counters () {
	counter_rows "$1" old
	counter_rows "$2" new
	allow=label,engine
	echo '{}' >"$work/report"
	compare_all
	[ -s "$work/all" ] ||
		fail 2 "no counter varies that two runs of each side have; repeat the runs (--repeat)"
	if [ "$format" = json ]
	then
		cat "$work/all"
	else
		jq -sr -L "$scripts" 'include "compare-all"; all_text, all_method' "$work/all"
	fi
}
