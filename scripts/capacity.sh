#!/bin/sh
# capacity.sh: the highest rate that keeps a given p99, and latency against rate; see --help.
set -eu
. "$(dirname "$0")/common.sh"

help () {
	cat <<END
usage: scripts/capacity.sh --out=DIRECTORY [option ...] ENGINE ...

Finds each engine's capacity: the highest rate of operations, on a schedule (open loop), at which
99 % of them respond within the limit --p99. It loads a database, of which each run that writes gets
a copy, and measures the throughput without a target rate. Then it halves the interval between a
rate that keeps the limit and one that does not. A run keeps it if its row is valid, its rate was
met, and the p99 response time of each kind of operation (read, write, scan) is within it. A run
that does not is repeated once, as noise can only slow it down. The interval begins at a hundredth
of the throughput, or at 3300 operations a run (--seconds) if that is a higher rate. At last, rates
around the one found, a half and a quarter of it are measured in rounds, ascending and descending by
turns, so that a drift favours none.

The capacity is where a monotonic curve, fitted to the median p99 of each rate, crosses the limit.
It is undecided if more than a fifth of the runs at rates below 0.9 of it fail, or if no run at a
rate fails but all do at a lower rate, or most at a rate below 0.92 of that. A run with fewer than
3000 operations of a kind does not count: its p99 is too uncertain.

  --out=DIRECTORY       directory of the results; rows.json is appended to
  --p99=TIME            limit of the 99th percentile of the response time, such as 500us [1ms]
  --benchmark=NAME      workload [readrandom]
  --load=NAME           workload that loads the database [filluniquerandbatch]
  --seconds=N           seconds of each run, at least 1, after a warm-up of a tenth of that [5]
  --steps=N             number of times that the interval is halved [5]
  --rounds=N            number of rounds at the rates around the one found [3]
  --arrivals=KIND       poisson or constant [poisson]
  --seed=N              seed of the random numbers [1]
  --sustain=SECONDS     hold 95 % of the rate found for this long, and report whether the limit was
                        kept: pending work slows engines only after a while [0: do not]
  --help                this
ENGINE is lmdb for ./bench_lmdb, and so on. Any other --option=value goes to every run.

DIRECTORY gets rows.json, ladder.tsv, capacity.tsv, latency.png and latency.svg. Databases are in
its db/, or in STORAGE_DIR. If bench_aio is built, the latency of a synced write there is measured,
too.
Exit status: 0 a rate was found for each engine, and held with --sustain; 1 otherwise, or a run
failed; 2 wrong arguments.
END
}

out=
limit=1ms
benchmark=readrandom
load=filluniquerandbatch
seconds=5
steps=5
rounds=3
arrivals=poisson
seed=1
sustain=
engines=
make_work
passed=$work/passed
: >"$passed"
for argument
do
	set_option "$argument" out benchmark load seconds steps rounds arrivals \
		sustain || case $argument in
	--help) help; exit 0 ;;
	--p99=?*) limit=$value ;;
	--seed=?*)
		seed=$value
		echo "$argument" >>"$passed"
		;;
	--db=* | --json=* | --label=* | --use_existing_db=* | \
		--rate=* | --duration=* | --warmup=* | --benchmarks=*)
		fail 2 "${argument%%=*} is capacity.sh's to set; see --help" ;;
	--*=*) echo "$argument" >>"$passed" ;;
	-*) refuse "$argument" 'options are --name=value, ' ;;
	*) engines="$engines $argument" ;;
	esac
done
needs_out "$out"
[ -n "$engines" ] || fail 2 "which engine? see --help"
needs jq gnuplot
limit_ns=$(nanoseconds "$limit") || limit_ns=
[ -n "$limit_ns" ] ||
	fail 2 "--p99: cannot read '$limit'; give a time such as 500us or 1ms"
whole --seconds "$seconds" 1
whole --steps "$steps" 1
whole --rounds "$rounds" 1
[ -z "$sustain" ] || whole --sustain "$sustain" 1
whole --seed "$seed" 0
out=$(absolute "$out")
cd "$(dirname "$0")/.."
for engine in $engines
do
	needs_built "./bench_$engine"
done
databases=${STORAGE_DIR:+$STORAGE_DIR/$(basename "$out")}
[ -z "$databases" ] || echo "capacity.sh: the databases are in $databases" >&2
databases=${databases:-$out/db}
mkdir -p "$out" "$databases"
# A 99th percentile is judged if a kind has this many operations, 30 of which are above it.
# A run must offer a tenth more, because the number of Poisson arrivals varies.
enough=3000
least=$((enough * 11 / 10))
# Each run has other random arrivals: medians of the same ones would keep their error.
offered=0

# bench_at_rate ENGINE ARGUMENTS...: a run with the user's options; its row is the last of rows.json
bench_at_rate () {
	engine=$1
	shift
	set -- --json="$out/row.json" "$@"
	ended=0
	while IFS= read -r option
	do
		set -- "$option" "$@"
	done <"$passed"
	rm -f "$out/row.json"
	"./bench_$engine" "$@" >"$out/out.txt" 2>"$out/err.txt" || ended=$?
	cat "$out/row.json" >>"$out/rows.json" 2>/dev/null || :
	return $ended
}

# capacity_run_loaded ENGINE ARGUMENTS...: a run on its database; if it writes, on a copy, unless
# the engine's records cannot be copied
capacity_run_loaded () {
	loaded=$databases/$1
	access=$("./bench_$1" --workloads=tsv 2>/dev/null |
		awk -F '\t' -v name="${benchmark%%[@[]*}" '$1 == name { print $2 }')
	if ! grep -q '^--device=' "$passed" && [ "$access" = writes ] &&
		"./bench_$1" --copy_of="$loaded" --version >/dev/null 2>&1
	then
		bench_at_rate "$@" --db="$loaded-copy" --copy_of="$loaded" --loaded_by="$load"
	else
		bench_at_rate "$@" --db="$loaded" --use_existing_db=1 --loaded_by="$load"
	fi
}

# said_by_capacity: why the last run failed, from its own mouth
said_by_capacity () {
	tail -n 1 "$out/err.txt"
}

# capacity_invalid_reason: why the last run's row is invalid; nothing if it left none
capacity_invalid_reason () {
	[ ! -s "$out/row.json" ] || jq -r '.invalid_reason // empty' "$out/row.json"
}

# offer_rate ENGINE RATE [SECONDS]: run at that rate; true if the limit is kept. A row in
# ladder.tsv. $few: why the run decides nothing, or empty; without operations there is no row.
offer_rate () {
	few='' invalid=
	progress "$1: $2 operations a second"
	for_seconds=${3:-$seconds}
	offered=$((offered + 1))
	capacity_run_loaded "$1" --benchmarks="$benchmark" --duration="$for_seconds" \
		--warmup="$((seconds / 10)).$((seconds % 10))" --rate="$2" --arrivals="$arrivals" \
		--seed=$((seed * 1000 + offered)) || {
		invalid=$(capacity_invalid_reason)
		[ -n "$invalid" ] || fail 1 "$1 at rate $2: $(said_by_capacity)"
	}
	case $invalid in
	*"no operation was done"*)
		few="at $2 a second none was done in $for_seconds s, which says nothing; give more \
--seconds"
		return 1
		;;
	esac
	read_by capacity.sh judge "$out/row.json" "$1" "$limit_ns" "$round" >"$out/last.tsv"
	samples=$(cut -f 13 "$out/last.tsv")
	if [ -z "$samples" ] || [ "$samples" -ge $enough ]
	then
		cut -f 1-12 "$out/last.tsv" >>"$out/ladder.tsv"
	else
		few="at $2 a second there were $samples operations of a kind in $for_seconds s, \
and a p99 is judged by $enough; give more --seconds"
	fi
	[ "$(cut -f 8 "$out/last.tsv")" = 1 ]
}

# try_rate ENGINE RATE: offer it, and once more if that failed: noise of the machine only ever adds
try_rate () {
	offer_rate "$1" "$2" || [ -n "$few" ] || offer_rate "$1" "$2"
}

# search_rate ENGINE LOW HIGH: a rate close to the limit, in $near; or why there is none, in
# $reason.
search_rate () {
	low=$2 high=$3 near='' kept=1 round=0
	reason="not even $low of its $high operations a second keep a p99 of $limit"
	try_rate "$1" "$low" || kept=
	[ -z "$few" ] || { reason="not decided: $few"; return 0; }
	[ -n "$kept" ] || return 0
	step=0
	while [ $step -lt "$steps" ]
	do
		middle=$(jq -n "$low * $high | sqrt | round")
		if try_rate "$1" "$middle"
		then
			low=$middle
		else
			high=$middle
		fi
		[ -z "$few" ] || { reason="not decided: $few"; return 0; }
		step=$((step + 1))
	done
	near=$(jq -n "$low * $high | sqrt")
}

# measure_around_rate ENGINE: the rates around $near in rounds; those of too few operations
# are left out
measure_around_rate () {
	round=1
	while [ $round -le "$rounds" ]
	do
		jq -n "$near * (0.25, 0.5, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2) | ceil |
			select(. >= $least / $seconds)" |
			sort "-g$([ $((round % 2)) -eq 1 ] || echo r)" >"$work/rates"
		while IFS= read -r rate <&3
		do
			offer_rate "$1" "$rate" || :
		done 3<"$work/rates"
		round=$((round + 1))
	done
}

# find_rate ENGINE: the highest rate that keeps the limit, in $found; nothing, and
# $reason, if that cannot be said
find_rate () {
	closed=$(tail -n 1 "$out/rows.json" | jq '.ops_per_sec | floor')
	lowest=$(jq -n "[$closed / 100, $least / $seconds] | max | ceil")
	found='' between='' note=''
	reason="$closed a second as fast as it goes are too few for runs of $seconds s with $least \
operations; give more --seconds"
	[ "$lowest" -lt "$closed" ] || return 0
	search_rate "$1" "$lowest" "$closed"
	[ -n "$near" ] || return 0
	for again in '' 1 2
	do
		measure_around_rate "$1"
		read_by capacity.sh verdict "$out/ladder.tsv" "$1" "$limit_ns" "$limit" \
			>"$work/verdict"
		word=$(cut -f 1 "$work/verdict")
		found=$(cut -f 2 "$work/verdict")
		case $word in
		undecided)
			reason=$(cut -f 5 "$work/verdict")
			return 0
			;;
		found)
			between=$(cut -f 3,4 "$work/verdict")
			note=$(cut -f 5 "$work/verdict")
			return 0
			;;
		esac
		# the search was led astray: all of these keep the limit, or none does
		factor=0.8 kept='no rate around the one found keeps'
		[ "$word" = none ] || factor=1.25 kept='all rates that were tried keep'
		[ "$again" = 2 ] || near=$(jq -n "$near * $factor")
	done
	reason="not decided: $kept a p99 of $limit"
}

# hold_rate ENGINE: 95 % of $found for $sustain seconds, once: that it was held, or how it was
# not, in $held
hold_rate () {
	rate=$(jq -n "$found * 0.95 | floor")
	if offer_rate "$1" "$rate" "$sustain"
	then
		held="and $rate were held for $sustain s"
		return
	fi
	held=$(read_by capacity.sh unheld "$out/row.json" "$limit_ns" "$rate" "$sustain")
	status=1
}

# capacity_sync_latency: of writes of a block to the databases' directory, by bench_aio, in
# milliseconds: median and p99, with a tab between them; nothing without bench_aio
capacity_sync_latency () {
	[ -x ./bench_aio ] || return 0
	./bench_aio --db="$databases/aio" --benchmarks=fillseqbatch,overwrite --num=1k \
		--durability=sync --duration=1 --json="$work/aio" >"$work/aio.out" 2>&1 || return 0
	jq -r 'select(.benchmark == "overwrite" and .write_p50_ns != null) |
		[.write_p50_ns / 1e6, .write_p99_ns / 1e6] | @tsv' "$work/aio"
}

echo engine rate ops_per_sec resp_p50_ns p99_ns resp_p99_ns backlog kept broke cpu_percent \
	device_busy_percent round | tr ' ' '\t' >"$out/ladder.tsv"
echo engine closed_loop capacity sustained low high broke note sync_p50_ms sync_p99_ms |
	tr ' ' '\t' >"$out/capacity.tsv"
status=0 between=''
disk=$(capacity_sync_latency)
for engine in $engines
do
	progress "$engine: loading"
	case $engine in
	null) ;;
	*) bench_at_rate "$engine" --db="$databases/$engine" --benchmarks="$load" --settle=1 ||
		fail 1 "$engine: $load: $(said_by_capacity)" ;;
	esac
	progress "$engine: as fast as it goes"
	capacity_run_loaded "$engine" --benchmarks="$benchmark" --duration="$seconds" ||
		fail 1 "$engine: $benchmark: $(said_by_capacity)"
	find_rate "$engine"
	held=
	[ -z "$found" ] || [ -z "$sustain" ] || hold_rate "$engine"
	high=$(echo "$between" | cut -s -f 2)
	broke=$(read_by capacity.sh broken "$out/ladder.tsv" "$engine" "$limit_ns" "$high")
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$engine" "$closed" "$found" \
		"$held" "${between:-$tab}" "$broke" "$note" "${disk:-$tab}" >>"$out/capacity.tsv"
	if [ -z "$found" ]
	then
		echo "$engine: $reason"
		status=1
	fi
done
progress ''
rm -f "$out/last.tsv" "$out/row.json" "$out/out.txt" "$out/err.txt"
tail -n +2 "$out/ladder.tsv" | cut -f 6 | grep -q . || exit $status

# A table of the ladder, a line for each rate, and the answers.
read_by capacity.sh table "$out/ladder.tsv"
# A tab is white space to a shell, which takes two for one.
tail -n +2 "$out/capacity.tsv" | tr '\t' '|' |
	while IFS='|' read -r engine closed found held low high broke note _
do
	[ -n "$found" ] || continue
	kept="$found operations a second keep a p99 of $limit${note:+, $note}"
	echo "$engine: $kept${held:+, $held}; closed loop: $closed"
	broke=${broke:+; the limit is broken by $broke}
	echo "$engine: between $low, which kept it, and $high, which did not$broke"
done
# shellcheck disable=SC2086 # median and p99
[ -z "$disk" ] || read_by capacity.sh synced "$databases" $disk

# of one rate there is no picture
[ "$(tail -n +2 "$out/ladder.tsv" | cut -f 2 | sort -u | wc -l)" -gt 1 ] || exit $status
title=$(tail -n 1 "$out/rows.json" | jq -r --arg a "$arrivals" '"\(.benchmark), " +
	"\(.threads) thread\(if .threads > 1 then "s" else "" end), \($a) arrivals, on \(.host)"')
scripts/plot/picture.sh latency "$out/latency" "$title" "$out/ladder.tsv" "$limit_ns" \
	"${engines# }" || exit 1
exit $status
