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
