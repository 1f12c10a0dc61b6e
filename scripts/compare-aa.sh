#!/bin/sh
# compare-aa.sh: how often compare.sh's test gives a false alarm, and finds a slow-down of 5 %; see --help.
set -eu
. "$(dirname "$0")/common.sh"

rounds=100 runs=10 trials=1000 seed=1
for argument
do
	value=${argument#*=}
	case $argument in
	--help)
		cat <<END
usage: scripts/compare-aa.sh [option ...]

Checks the statistics of scripts/compare.sh on this machine: how often it sees a difference where
there is none (false alarm), and how often it finds a slow-down of 5 %. It runs bench_null, whose
reads take a chosen time, in rounds of three in random order: twice unchanged and once 5 % slower. A
trial takes some successive rounds, so that it includes drift. It compares either the two unchanged
runs of each round, or an unchanged one with the slower one. For throughput and median latency it
prints the percentage of trials in which Mann and Whitney's test finds a difference at 5 %, and the
percentage of the bootstrap's 95 % intervals that contain the true ratio.

  --rounds=N            number of rounds of three runs [100]
  --runs=N              number of runs of each side of a trial [10]
  --trials=N            number of trials of each kind [1000]
  --seed=N              seed of the orders and trials [1]
  --help                this

Exit status: 0 false alarms in at most 5 % of trials (plus 2 standard errors), and the slow-down
of the median latency found in most; 1 otherwise; 2 wrong arguments.
END
		exit 0
		;;
	--rounds=[1-9]* | --runs=[1-9]* | --trials=[1-9]* | --seed=[1-9]*)
		case $value in
		*[!0-9]*) fail 2 "cannot read '$argument'; give a whole number" ;;
		esac
		set_option "$argument" rounds runs trials seed
		;;
	*) refuse "$argument" ;;
	esac
done
[ "$rounds" -ge "$runs" ] || fail 2 "--rounds must be --runs or more"
cd "$(dirname "$0")/.."
. scripts/tools/stats.sh
[ -x ./bench_null ] || fail 1 "./bench_null is not built; make bench_null"
make_work

# Three runs of each round in random order, each with its name.
awk -v seed="$seed" -v rounds="$rounds" "$(cat scripts/tools/random.awk)"'
	BEGIN {
		random_seeded(seed)
		split("one two slow", name, " ")
		for (round = 1; round <= rounds; round++)
			for (left = 3; left > 0; left--) {
				drawn = 1 + random_below(left)
				print round, name[drawn]
				swap = name[drawn]
				name[drawn] = name[left]
				name[left] = swap
			}
	}' >"$work/order"
while read -r round name
do
	ns=1000
	[ "$name" != slow ] || ns=1050
	progress "round $round of $rounds"
	./bench_null --benchmarks=readrandom --reads=20k --null_get_ns=$ns \
		--label="$name" --repetition="$round" --json="$work/rows" >"$work/out"
done <"$work/order"
progress ''

# aa_trials METRIC KIND: lines for stats
aa_trials () {
	jq -r --arg metric "$1" '"\(.repetition) \(.label) \(.[$metric])"' "$work/rows" |
		awk -v kind="$2" -v rounds="$rounds" -v runs="$runs" -v trials="$trials" \
		-v seed="$seed" "$(cat scripts/tools/random.awk)"'
			{ figure[$1, $2] = $3 }
			END {
				random_seeded(seed)
				for (i = 1; i <= trials; i++) {
					from = 1 + random_below(rounds - runs + 1)
					old = new = ""
					for (k = from; k < from + runs; k++) {
						first = random_below(2) ? "one" : "two"
						old = old " " figure[k, first]
						new = new " " figure[k, kind == "slow" ? "slow" : \
							first == "one" ? "two" : "one"]
					}
					print i "\t" old "\t" new
				}
			}'
}
# aa_of_all METRIC LABEL ...: the median of all their runs
aa_of_all () {
	jq -r 'select(.label | IN($ARGS.positional[1:][])) | .[$ARGS.positional[0]]' \
		"$work/rows" --args "$@" | stats_median
}

status=0
echo "$trials trials of each kind, $runs+$runs runs in each, of $rounds rounds"
for metric in ops_per_sec read_p50_ns
do
	for kind in alike slow
	do
		true_ratio=1
		[ $kind = alike ] ||
			true_ratio=$(jq -n \
				"$(aa_of_all $metric slow) / $(aa_of_all $metric one two)")
		aa_trials $metric $kind >"$work/trials"
		stats --draws=1000 --seed="$seed" <"$work/trials" |
			awk -F '\t' -v is="$true_ratio" \
			-v what="$metric, \
$([ $kind = alike ] && echo 'the same' || echo '5 % slower')" \
			-v kind="$kind" -v metric="$metric" '
			$17 < 0.05 { found++ }
			$15 <= is && is <= $16 { held++ }
			{ varied += $7 }
			END {
				printf "%s: a difference in %.1f %% of trials;" \
					" true ratio %.3f in %.1f %% of intervals; CV %.1f %%\n",
					what, 100 * found / NR, is, 100 * held / NR,
					100 * varied / NR
				if (kind == "alike")
					exit found / NR > 0.05 + 2 * sqrt(0.05 * 0.95 / NR)
				exit metric == "read_p50_ns" && found / NR < 0.5
			}' || status=1
	done
done
exit $status
