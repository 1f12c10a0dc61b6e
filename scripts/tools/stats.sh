# stats.sh: statistics by the program build/stats, whose --help has what it reads and
# prints; sourced at the top of the tree.
# shellcheck shell=sh disable=SC2154 # $work is make_work's

needs_built build/stats 1

# stats ARGUMENTS...: what the samples on standard input come to
stats () {
	build/stats "$@" 2>"$work/stats.err" || fail 1 "$(cat "$work/stats.err")"
}

# stats_median: of the numbers on standard input, one a line
stats_median () {
	sample=$({ printf 'x\t' && paste -sd ' ' -; } | stats --draws=0) || exit 1
	echo "$sample" | cut -f 3
}

# stats_in_turn ROUNDS OURS THEIRS: of each round a line of what both commands print. Each is the
# first in every other one, so that neither drift nor the order counts.
stats_in_turn () {
	for round in $(seq "$1")
	do
		if [ $((round % 2)) -eq 1 ]
		then
			ours=$($2)
			theirs=$($3)
		else
			theirs=$($3)
			ours=$($2)
		fi
		echo "$ours $theirs"
	done
}

# stats_median_ratio: of the pairs on standard input, first / second
stats_median_ratio () {
	jq -Rn 'inputs | split(" ") | map(tonumber) | .[0] / .[1]' | stats_median
}
