# explain.sh: functions whose CPU time differs between two groups of profiled runs;
# sourced by compare.sh --explain.
# shellcheck shell=sh disable=SC2154,SC2016 # compare.sh has the variables; jq is quoted

# profiles_of RESULTS NAME: rows of its profiles, each with the file of its profile
profiles_of () {
	directory=$1
	[ -e "$directory/profiles.tsv" ] || directory=$1/profile
	[ -e "$directory/profiles.tsv" ] ||
		fail 2 "$1 has no profiles; scripts/profile.sh makes them"
	read_rows "$directory/rows.json" "$work/$2-rows" 2
	jq -c --arg directory "$directory" '.profile = "\($directory)/\(.profile)"' \
		"$work/$2-rows" >"$work/$2"
}

# of_side NAME VALUE: of rows in one file those of a side
of_side () {
	jq -c --arg c "$by" --arg v "$2" 'select((.[$c] // "none" | tostring) == $v)' \
		"$work/$1" >"$work/$1-side"
	mv "$work/$1-side" "$work/$1"
}

# change_of PAIR: stacks with us per operation of the new side and the old one
change_of () {
	awk -F '\t' -v pair="$1" '
		FILENAME == ARGV[1] {
			if ($1 == pair) {
				side[$3 ".cpu.folded"] = $2
				ops[$3 ".cpu.folded"] = $4
				profiles[$2]++
				ARGV[ARGC++] = $3 ".cpu.folded"
			}
			next
		}
		!/^harness;/ {
			us = $0
			sub(/.* /, "", us)
			stack = substr($0, 1, length($0) - length(us) - 1)
			sub(/^[^;]*;/, "", stack)
			gsub(/\.so[.0-9]*\]/, "]", stack)
			sum[side[FILENAME], stack] += us / ops[FILENAME] / profiles[side[FILENAME]]
			stacks[stack] = 1
		}
		END { for (stack in stacks) printf "%s\t%.9g\t%.9g\n", stack, sum["new", stack], sum["old", stack] }' \
		"$work/profiles" | sort
}

# explain: adds .explained to the report, and writes files if a directory was given
explain () {
	profiles_of "$results_old" old-profiles
	profiles_of "$results_new" new-profiles
	if [ -n "$by" ]
	then
		of_side old-profiles "$old"
		of_side new-profiles "$new"
	fi
	jq -nr -L "$scripts" --arg by "$by" --arg allow "$allow" \
		--slurpfile old "$work/old-profiles" \
		--slurpfile new "$work/new-profiles" 'include "explain";
		[($old[] | {side: "old", row: .}), ($new[] | {side: "new", row: .})] | profiles($by; $allow / ",")' \
		>"$work/paired"
	sed -n "s/^pairs	//p" "$work/paired" >"$work/pairs-of-profiles"
	sed "/^pairs	/d" "$work/paired" >"$work/profiles"
	[ -s "$work/profiles" ] || fail 2 "--explain: no benchmark has profiles on both sides"
	cut -f 3 "$work/profiles" | sort -u | sed 's/$/.functions.tsv/' | tr '\n' '\0' |
		xargs -0 awk -f "$scripts/explain.awk" "$work/profiles" >"$work/functions"
	stats --draws=0 <"$work/functions" >"$work/figures"
	jq -Rc -L "$scripts" --slurpfile pairs "$work/pairs-of-profiles" \
		'include "explain"; explained($pairs[0])' "$work/figures" >"$work/explained"
	jq -c --slurpfile explained "$work/explained" \
		'.explained = $explained' "$work/report" >"$work/report-explained"
	mv "$work/report-explained" "$work/report"
	[ -z "$explain_to" ] || write_explanation
}

# write_explanation: the table of functions and the differential graphs
write_explanation () {
	mkdir -p "$explain_to"
	jq -sr '["name", "function", "library", "caller", "sampling_errors", "old_runs", "old_us_per_op", "new_runs", "new_us_per_op",
		"difference", "low", "high", "p", "p_corrected"] as $columns |
		$columns, (sort_by(-(.difference | fabs))[] | select(.function != "") | [.[$columns[]]]) | @tsv' \
		"$work/explained" >"$explain_to/functions.tsv"
	cut -f 1 "$work/profiles" | sort -u | while IFS= read -r pair
	do
		title=$(jq -r --argjson pair "$pair" '.[$pair].name' "$work/pairs-of-profiles")
		graph=$(echo "$title" | tr -s ', /' -)
		change_of "$pair" | awk -v hue=change \
			-v title="$title: CPU time per operation, $first -> $second" \
			-f "$scripts/flamegraph.awk" >"$explain_to/$graph.svg"
	done
}
