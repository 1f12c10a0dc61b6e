# stats.sh: statistics by the program build/stats, whose --help has what it reads and
# prints; sourced.
# shellcheck shell=sh disable=SC2154 # $scripts is where they are, $work make_work's

[ -x "$scripts/../build/stats" ] || fail 1 "build/stats is not built; make build/stats"

# stats ARGUMENTS...: what the samples on standard input come to
stats () {
	"$scripts/../build/stats" "$@" 2>"$work/stats.err" ||
		fail 1 "$(cat "$work/stats.err")"
}

# stats_median: of the numbers on standard input, one a line
stats_median () {
	sample=$({ printf 'x\t' && paste -sd ' ' -; } | stats --draws=0) || exit 1
	echo "$sample" | cut -f 3
}
