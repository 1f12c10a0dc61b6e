#!/bin/sh
# tune.sh: find which settings of an engine matter, and the best ones within limits; see --help.
set -eu
. "$(dirname "$0")/common.sh"

optuna_version=5.0.0
help () {
	cat <<END
usage: scripts/tune.sh --out=DIRECTORY --set=NAME=VALUE,... [option ...] ENGINE

Finds which settings of an engine matter for a workload, and the best values within limits. Each run
loads a database with its settings, as many decide how records are stored, and measures the
workload. Runs that are invalid or exceed a limit are counted, and never win. The winner was in part
lucky, so it, the default settings, and the winner with each setting back at its default are
measured again by turns, with new seeds. Only this is reported. The default of each setting is
always among the values tried.

  --out=DIRECTORY       directory of the results
  --set=NAME=A,B,...    an option and the values to try; repeat it for other options
  --goal=COLUMN         column to optimize: the greatest of a rate, such as ops_per_sec_all_in,
                        else the least [ops_per_sec]
  --limit=COLUMN<VALUE  or COLUMN>VALUE, such as read_p99_ns<2ms; repeat it for others
  --mode=NAME           search: by Optuna's estimator; one-factor: the default, and each other
                        value alone; factorial: every combination [search]
  --trials=N            maximum number of runs of the search, besides the first of the default [60]
  --benchmark=NAME      workload [readrandom]
  --load=NAME           workload that loads the database [filluniquerandbatch]
  --seconds=N           seconds of each run; 0: count operations by --reads [3]
  --shifted=NAME        another workload on which the winner is compared with the default, too
  --rounds=N            number of rounds of the second measurement, at least 4 [6]
  --seed=N              seed of the first run and of the search [1]
  --help                this
ENGINE is lmdb for ./bench_lmdb, and so on. Any other --option=value goes to every run.

The search needs Optuna $optuna_version, which pip installs into a directory of its own below
\${XDG_CACHE_HOME:-~/.cache}/assay, which is announced first.
In DIRECTORY: trials.tsv, a line for each run; settings.tsv, which settings matter; tune.txt, what
is printed; rows.json; the database of the last run, in db/ or in STORAGE_DIR.
Exit status: 0 settings were found that are better than the default, 1 none were or a run
of the default failed, 2 wrong arguments.
END
}

out='' engine='' goal=ops_per_sec mode=search trials=60 seconds=3 shifted='' rounds=6 seed=1
benchmark=readrandom load=filluniquerandbatch
make_work
: >"$work/passed"
: >"$work/sets"
: >"$work/limits"
for argument
do
	set_option "$argument" out goal trials benchmark load seconds shifted rounds \
		seed || case $argument in
	--help) help; exit 0 ;;
	--set=?*=?*) echo "$value" | sed 's/=/\t/; s/,/\t/g' >>"$work/sets" ;;
	--set=*) fail 2 "--set: cannot read '$value'; give NAME=VALUE,VALUE" ;;
	--limit=?*) echo "$value" >>"$work/limits" ;;
	--mode=search | --mode=one-factor | --mode=factorial) mode=$value ;;
	--mode=*) fail 2 "--mode: no '$value'; there are search, one-factor and factorial" ;;
	--db=* | --json=* | --label=* | --use_existing_db=* | --duration=* | \
		--benchmarks=* | --repeat=*)
		fail 2 "${argument%%=*} is set by tune.sh; see --help" ;;
	--*=*) echo "$argument" >>"$work/passed" ;;
	-*) refuse "$argument" 'options are --name=value, ' ;;
	*)
		[ -z "$engine" ] || fail 2 "one engine at a time; compare engines by sweep.sh"
		engine=$argument
		;;
	esac
done
needs_out "$out"
[ -n "$engine" ] || fail 2 "which engine? see --help"
[ -s "$work/sets" ] || fail 2 "which settings? give --set=NAME=VALUE,VALUE"
! grep -n '[^A-Za-z0-9_.	-]' "$work/sets" >"$work/odd" ||
	fail 2 "--set: cannot read '$(head -n 1 "$work/odd" | cut -d : -f 2-)'; values have \
letters, digits, dots and hyphens"
whole --trials "$trials" 1
# fewer can show nothing
whole --rounds "$rounds" 4
whole --seconds "$seconds"
whole --seed "$seed"
needs jq
out=$(absolute "$out")
cd "$(dirname "$0")/.."
needs_built "./bench_$engine"
[ ! -e "$out/trials.tsv" ] || fail 2 "$out has trials already; give another --out"

"./bench_$engine" --options=tsv >"$work/options"
read_by tune.sh settings "$work/options" "$work/sets" "$engine" "$mode" >"$work/settings"
"./bench_$engine" --columns=tsv |
	awk -F '\t' '$1 == "result" && $3 != "text" { print $2 }' >"$work/columns"
# tune_asking QUESTION FILE ARGUMENTS...: reading/tune.py, with the limits after them
tune_asking () {
	while IFS= read -r one
	do
		set -- "$@" "$one"
	done <"$work/limits"
	read_by tune.sh "$@"
}
tune_asking limits "$work/columns"
grep -q -x -F -e "$goal" "$work/columns" || fail 2 "--goal: there is no column $goal with numbers"
default=$(cut -f 1,2 "$work/settings" | tr '\t' = | paste -sd ' ')

# tune_measure KIND SETTINGS SEED [BENCHMARK]: a run with these settings, NAME=VALUE with
# blanks between them; a line of trials.tsv. $status: feasible, infeasible or invalid;
# $result and $exceeded: the goal's, and by how much limits are exceeded; $worth: the goal with the
# sign by which less is better.
tune_measure () {
	number=$((number + 1))
	kind=$1 settings=$2 run_seed=$3 on=${4:-$benchmark}
	progress "run $number, $kind: $settings"
	rm -f "$work/row"
	set -- --db="$databases/$engine" --json="$work/row" --seed="$run_seed" \
		--benchmarks="$load,$on"
	[ "$seconds" -eq 0 ] || set -- "$@" --duration="$seconds"
	for setting in $settings
	do
		set -- "$@" "--$setting"
	done
	while IFS= read -r option
	do
		set -- "$@" "$option"
	done <"$work/passed"
	"./bench_$engine" "$@" >"$work/out" 2>"$work/err" || :
	[ ! -e "$work/row" ] || cat "$work/row" >>"$out/rows.json"
	tune_asking outcome "$work/row" "$on" "$goal" "$(tail -n 1 "$work/err")" >"$work/outcome"
	IFS=$tab read -r status result exceeded worth reason <"$work/outcome"
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$number" "$kind" "$on" "$settings" "$run_seed" \
		"$status" "$result" "$reason" >>"$out/trials.tsv"
}

# ---- first: what may be best

# tune_search: by Optuna, whose process proposes and is answered
tune_search () {
	optuna=$(read_by environment.sh tune.sh optuna "$optuna_version") || exit
	mkfifo "$work/proposals" "$work/answers"
	"$optuna" scripts/reading/optuna_proposals.py "$seed" "$trials" <"$work/answers" \
		>"$work/proposals" 2>"$work/python" &
	exec 7>"$work/answers" 8<"$work/proposals"
	{ cut -f 1,3- "$work/settings"; echo; } >&7
	while IFS= read -r indices <&8
	do
		combination=$(echo "$indices" | tr '\t' '\n' | paste "$work/settings" - |
			awk -F '\t' '{ printf "%s%s=%s", (NR > 1 ? " " : ""), $1, $(3 + $NF) }')
		tune_measure search "$combination" "$seed"
		case $status in
		invalid) echo invalid >&7 ;;
		*) echo "$worth $exceeded" >&7 ;;
		esac
	done
	exec 7>&- 8<&-
	wait $! || fail 1 "Optuna failed: $(tail -n 1 "$work/python")"
}

databases=${STORAGE_DIR:-$out}/db
mkdir -p "$databases"
printf 'run\tkind\tbenchmark\tsettings\tseed\tstatus\tgoal\treason\n' >"$out/trials.tsv"
number=0
case $mode in
search)
	tune_measure search "$default" "$seed"
	tune_search
	;;
*)
	read_by tune.sh plan "$work/settings" "$mode" >"$work/plan"
	while IFS= read -r combination <&3
	do
		tune_measure search "$combination" "$seed"
	done 3<"$work/plan"
	;;
esac
winner=$(read_by tune.sh best "$out/trials.tsv" "$work/settings" "$goal" "$mode")

# ---- then: whether it is, and why

# tune_again: winner, default and the winner without each of its settings, in rounds, forwards
# and backwards in turn
tune_again () {
	read_by tune.sh again "$work/settings" "$winner" "$shifted" >"$work/again"
	for round in $(seq "$rounds")
	do
		if [ $((round % 2)) -eq 1 ]; then cat "$work/again"; else tac "$work/again"; fi \
			>"$work/order"
		while IFS=$tab read -r kind settings on <&3
		do
			tune_measure "$kind" "$settings" $((seed + round * 1000)) "$on"
		done 3<"$work/order"
	done
}

if [ -n "$winner" ] && [ "$winner" != "$default" ]
then
	tune_again
fi
progress ''
status=0
read_by tune.sh judge "$out/trials.tsv" "$work/settings" "$goal" "$mode" "$benchmark" "$shifted" \
	"$rounds" "$winner" "$out/settings.tsv" >"$out/tune.txt" || status=$?
cat "$out/tune.txt"
exit $status
