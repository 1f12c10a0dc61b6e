#!/bin/sh
# compare.sh: test whether one of two groups of runs is faster than the other; see --help.
# shellcheck disable=SC2016 # jq programs are quoted
set -eu
. "$(dirname "$0")/common.sh"

help () {
	cat <<END
usage: scripts/compare.sh OLD NEW [option ...]
       scripts/compare.sh --counters OLD.tsv NEW.tsv
       scripts/compare.sh RESULTS --by=COLUMN --old=VALUE --new=VALUE [option ...]

Compares two versions, engines or settings, each run several times. OLD, NEW and RESULTS are
files of JSON lines (--json of bench_NAME), or directories with results.json or rows.json. Prints
a line for each benchmark, number of threads and setting that both have: both medians, their ratio
with its 95 % interval, the p of Mann and Whitney's test, a verdict, and the smallest difference
that so many runs with this variance can show. The output names the methods; util/stats.c has
their sources.

  --by=COLUMN           compare two groups of rows of one file, RESULTS, by the value of this
                        column: label, engine_version, threads, ...
  --old=VALUE --new=VALUE  values of that column in the old and the new group
  --metric=COLUMN       column to compare [ops_per_sec; in an open loop p99]. p50, p99, p999,
                        ... are of reads, or else of writes; in an open loop of response times
  --threshold=PERCENT   ignore smaller differences [0]
  --correction=NAME     correction of p for many comparisons: holm or none [holm]
  --all                 also list all numeric columns that differ beyond chance, the largest change first
  --counters            OLD and NEW are files of --engine_counters, of at least two runs each: list the engine's
                        counters that differ per operation beyond chance, the largest change first
  --explain[=DIRECTORY] also name the functions whose CPU time differs, by the profiles that profile.sh made in both
                        RESULTS or in their directory profile; with DIRECTORY write its functions.tsv and a
                        differential flame graph for each benchmark
  --allow=COLUMN,...    columns that may differ between the groups although they should not,
                        such as host,kernel
  --seed=N              seed of the bootstrap [1]
  --format=NAME         text, markdown or json [text]
  --help                this

Invalid rows are excluded and counted. Rows are refused, with the reason, if they are of several
machines, durabilities, memory limits or file systems, or if one side has several versions or
settings. They are compared with a warning if they have warnings themselves, were not steady,
missed their target rate or are of an unfit build, or if governors, mount options and the like
differ. Runs of both sides should alternate: scripts/sweep.sh --repeat=10 does so.
Exit status: 0 nothing is slower, 1 something is, 2 wrong arguments, or not comparable.
END
}

by='' old='' new='' metric='' threshold=0 correction=holm allow='' seed=1 \
	format=text all='' counters='' explain='' explain_to=''
first='' second=''
for argument
do
	value=${argument#*=}
	case $argument in
	--help) help; exit 0 ;;
	--by=?*) by=$value ;;
	--old=?*) old=$value ;;
	--new=?*) new=$value ;;
	--metric=device_write_amp*) metric=host_${value#device_} ;;
	--metric=?*) metric=$value ;;
	--threshold=?*) threshold=$value ;;
	--correction=holm | --correction=none) correction=$value ;;
	--allow=?*) allow=$value ;;
	--all) all=1 ;;
	--counters) counters=1 ;;
	--explain) explain=1 ;;
	--explain=?*) explain=1 explain_to=$value ;;
	--seed=?*) seed=$value ;;
	--format=text | --format=markdown | --format=json) format=$value ;;
	-*) fail 2 "cannot read '$argument'; see --help" ;;
	*)
		[ -z "$second" ] ||
			fail 2 "cannot read '$argument': two groups are compared; see --help"
		if [ -z "$first" ]; then first=$argument; else second=$argument; fi
		;;
	esac
done
[ -n "$first" ] || fail 2 "which results? usage: scripts/compare.sh OLD NEW; see --help"
if [ -n "$by" ]
then
	[ -z "$second" ] ||
		fail 2 "--by divides the rows of one file; leave out '$second'"
	{ [ -n "$old" ] && [ -n "$new" ]; } ||
		fail 2 "--by=$by: which values? give --old=VALUE --new=VALUE"
	[ "$old" != "$new" ] || fail 2 "--old and --new are both $old"
elif [ -n "$old$new" ]
then
	fail 2 "--old and --new are values of a column; give it by --by=COLUMN"
elif [ -z "$second" ]
then
	fail 2 "with what? give NEW, too, or --by=COLUMN --old=VALUE --new=VALUE"
fi
echo "$threshold" | grep -q -x -E '[0-9]+([.][0-9]+)?' ||
	fail 2 "--threshold: cannot read '$threshold'; give percent"
whole --seed "$seed"
command -v jq >/dev/null || fail 2 "jq is not installed; apt install jq"
scripts=$(dirname "$0")
. "$scripts/rows.sh"
. "$scripts/stats.sh"
make_work

if [ -n "$counters" ]
then
	[ -z "$by" ] || fail 2 "--counters compares two files; leave out --by"
	. "$scripts/compare-all.sh"
	compare_counters "$first" "$second"
	exit 0
fi

# rows RESULTS NAME: its rows into a file of that name
rows () {
	file=$1
	[ ! -d "$1" ] || file=$1/results.json
	[ -e "$file" ] || [ ! -e "$1/rows.json" ] || file=$1/rows.json
	[ -r "$file" ] || fail 2 "cannot read $file"
	# all columns, or those that are compared
	set -- "$file" "$work/$2" 2
	[ -n "$all" ] || set -- "$@" "$scripts/rows.jq" "$scripts/compare.jq" "$work/asked"
	read_rows "$@"
}
results_old=$first results_new=${second:-$first}
# columns that only the command line names, such as read_p95_ns
echo "$metric $by read_${metric}_ns write_${metric}_ns scan_${metric}_ns read_resp_${metric}_ns write_resp_${metric}_ns scan_resp_${metric}_ns" >"$work/asked"
rows "$first" old

# program JQ ARGUMENTS...: with what they share
program () {
	what=$1
	shift
	jq -r -L "$scripts" "include \"compare\"; $what" "$@"
}

# of the first row of a file, which has all columns
reason=$(program 'first(inputs) | objection($metric)' -n --arg metric "$metric" \
	"$work/old")
[ -z "$reason" ] || fail 2 "--metric: $reason"
if [ -z "$by" ]
then
	rows "$second" new
else
	cp "$work/old" "$work/new"
	for side in old new
	do
		if [ $side = old ]; then value=$old; else value=$new; fi
		jq -c --arg c "$by" --arg v "$value" \
			'select((.[$c] // "none" | tostring) == $v)' \
			"$work/$side" >"$work/rows"
		[ -s "$work/rows" ] ||
			fail 2 "--$side: no row has $by $value; there are $(jq \
			-rs --arg c "$by" \
			'map(.[$c] // "none" | tostring) | unique | join(", ")' \
			"$work/$side")"
		mv "$work/rows" "$work/$side"
	done
	first="$by $old" second="$by $new"
fi

program '[($old[] | {side: "old", row: .}), ($new[] | {side: "new", row: .})] |
	([["old", "new"][] as $s | map(select(.side == $s and .row.valid != 1)) | length]) as $invalid |
	pairs($metric; $by; $allow / ",") | .invalid = $invalid | .names = [$first, $second]' \
	-n \
	--slurpfile old "$work/old" --slurpfile new "$work/new" --arg metric "$metric" \
	--arg by "$by" --arg allow "$allow" \
	--arg first "$first" --arg second "$second" >"$work/pairs"
reasons=$(program 'if (.refused | length) > 0 then .refused[] | . + "; --allow=COLUMN,... allows it"
	elif (.comparisons | length) > 0 then empty
	elif (.rows | min) == 0 then "no valid row on the \(if .rows[0] == 0 then "old" else "new" end) side; invalid: \(.invalid | add)"
	elif (.without | length) > 0 then "no row has \(if $metric == "" then "ops_per_sec" else $metric end)"
	else "no benchmark is on both sides", .unlike[] end' --arg metric "$metric" \
		"$work/pairs")
[ -z "$reasons" ] || { echo "$reasons" | sed 's/^/compare.sh: /' >&2; exit 2; }

program lines "$work/pairs" >"$work/samples"
stats --seed="$seed" <"$work/samples" >"$work/lines"
program 'report($lines | rtrimstr("\n") / "\n"; $correction; $threshold)' \
	--rawfile lines "$work/lines" \
	--arg correction "$correction" \
	--argjson threshold "$threshold" "$work/pairs" >"$work/report"
[ -z "$all" ] || . "$scripts/compare-all.sh"
[ -z "$all" ] || compare_all
[ -z "$explain" ] || . "$scripts/explain.sh"
[ -z "$explain" ] || explain
case $format in
json) jq -c --argjson seed "$seed" '.seed = $seed' "$work/report" ;;
*)
	program "$format(\$seed)" --arg seed "$seed" "$work/report"
	[ -z "$all" ] || jq -sr -L "$scripts" 'include "compare-all"; all_text, all_method' \
		"$work/all"
	[ -z "$explain" ] || jq -sr -L "$scripts" 'include "explain"; told, method' \
		"$work/explained"
	;;
esac
[ "$(program worse "$work/report")" = false ] || exit 1
