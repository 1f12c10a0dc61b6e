#!/bin/sh
# md1.sh: hold capacity.sh against theory, on bench_null as a server with a known service time; see --help.
set -eu
. "$(dirname "$0")/../scripts/common.sh"

help () {
	cat <<END
usage: test/md1.sh [--trials=N] [--seconds=N] [--service-us=N] [--limit-us=N] [--out=DIRECTORY]

Runs scripts/capacity.sh N times, each with a seed of its own, on one thread of bench_null, each get
of which takes --service-us. Arrivals are random (Poisson), so this is an M/D/1 queue: Crommelin's
formula has the rate at which the p99 of its response times is --limit-us. Prints each answer, its
difference from theory, and how busy other processes kept the machine. Theory knows nothing of these;
where root starts it, the runs have a real-time priority (chrt -f), so that only interrupts and other
virtual machines delay them. All trials take about half an hour.

  --trials=N            number of trials [20]
  --seconds=N           seconds of each run, about 33 in a trial [2]
  --service-us=N        time of a get, microseconds [200]
  --limit-us=N          the p99 that is asked for, microseconds [2000]
  --out=DIRECTORY       keep the results of each trial there [a temporary directory]
Exit status: 0 nine of ten trials are within 5 % of theory; 1 fewer; 2 wrong arguments.
END
}

trials=20 seconds=2 service_us=200 limit_us=2000 out=
for argument
do
	value=${argument#*=}
	case $argument in
	--help) help; exit 0 ;;
	--trials=?*) trials=$value ;;
	--seconds=?*) seconds=$value ;;
	--service-us=?*) service_us=$value ;;
	--limit-us=?*) limit_us=$value ;;
	--out=?*) out=$value ;;
	*) fail 2 "cannot read '$argument'; see --help" ;;
	esac
done
whole --trials "$trials" 1
whole --seconds "$seconds" 1
whole --service-us "$service_us" 1
whole --limit-us "$limit_us" "$service_us"
needs jq gnuplot
make_work
out=${out:-$work}
mkdir -p "$out"
top=$(cd "$(dirname "$0")/.." && pwd)
theory=$(awk -v service_us="$service_us" -v limit_us="$limit_us" -v quantile=0.99 \
	-f "$top/scripts/tools/random.awk" -f "$top/test/md1.awk")
echo "theory: $theory operations a second keep a p99 of $limit_us us, if each takes $service_us us"

first=
if chrt -f 1 true 2>"$work/err"
then
	first='chrt -f 1'
else
	echo "without a real-time priority: $(cat "$work/err")"
fi

trial=1 near=0
while [ "$trial" -le "$trials" ]
do
	at=$out/trial$trial
	# shellcheck disable=SC2086 # words
	$first "$top/scripts/capacity.sh" --out="$at" --p99="${limit_us}us" --seconds="$seconds" --threads=1 \
		--seed="$trial" --null_get_ns="${service_us}000" null >"$out/said" 2>&1 || :
	[ -s "$at/rows.json" ] || fail 1 "trial $trial: $(tail -n 1 "$out/said")"
	others=$(jq -rs 'map(.others_cpu_percent | numbers) | sort |
		if . == [] then "unknown" else "\(.[length / 2 | floor] | round) % of" end' "$at/rows.json")
	found=$(awk -F '\t' 'NR == 2 { print $3 }' "$at/capacity.tsv")
	off=$(awk -v found="${found:-0}" -v theory="$theory" 'BEGIN { printf "%.1f", (found / theory - 1) * 100 }')
	if [ -n "$found" ]
	then
		echo "trial $trial: $found, $off % off; others used $others the CPU time"
		near=$((near + $(awk -v off="$off" 'BEGIN { print (off <= 5 && off >= -5) }')))
	else
		echo "trial $trial: $(grep '^null: ' "$out/said"); others used $others the CPU time"
	fi
	trial=$((trial + 1))
done
echo "within 5 % of theory: $near of $trials"
[ $((near * 10)) -ge $((trials * 9)) ]
