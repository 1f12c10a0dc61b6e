# timeline.sh: the timeline of a run as the plots read it; sourced. $scripts is the
# directory it lies in.
# shellcheck shell=sh disable=SC2154

# expand_timeline RUN DIRECTORY RELATIVE WHAT ...: of a directory of sweep.sh's runs/
# DIRECTORY/WHAT.tsv by each WHAT.awk, or nothing if it has no timeline; RELATIVE as
# timeline.awk has it
expand_timeline () {
	[ -s "$1/timeline.tsv" ] || return 0
	mkdir -p "$2"
	tail -n 1 "$1/row.json" |
		jq -r '"\(.time) \(.iteration) \(.seconds) \(.cores)"' >"$2/row"
	read -r time iteration seconds cores <"$2/row"
	of_run=$1 into=$2 relative=$3
	shift 3
	for what
	do
		awk -v time="$time" -v iteration="$iteration" -v seconds="$seconds" \
			-v cores="$cores" -v relative="$relative" \
			-f "$scripts/timeline.awk" -f "$scripts/$what.awk" \
			"$of_run/timeline.tsv" >"$into/$what.tsv"
	done
}
