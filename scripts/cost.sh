#!/bin/sh
# cost.sh: the cheapest machines and engine for a workload, from measured rows and a table of prices; see --help.
# shellcheck disable=SC2016 # jq programs are quoted
set -eu
. "$(dirname "$0")/common.sh"

help () {
	cat <<END
usage: scripts/cost.sh --prices=FILE --rate=N --data=SIZE [option ...] RESULTS ...

Estimates which machines a workload needs and what they cost. From the rate and data size that
are required, a table of machines with prices, and measured rows, it prints a line for each engine
and kind of machine, the cheapest first: the number of machines, their price, the resource that
limits them with its utilization, and how long the drives last. Excluded engines and machines
follow with the reason. RESULTS are directories of sweep.sh, or files of JSON lines (--json of
bench_NAME). Rows that are invalid, not steady, or missed their target rate are not used.

  --prices=FILE         TSV with the columns machine, cores, memory_gib, disk_gb, iops, endurance_tbw
                        (terabytes that its drives may be written) and price; an empty iops is no limit.
                        scripts/cost-example.tsv is an example with invented prices
  --rate=N              required rate of all machines together, operations/s
  --data=SIZE           size of all keys and values together, bytes, such as 500Gi
  --p99=TIME            use only rows whose 99th percentile latency is at most this, such as 2ms:
                        response time in rows with a target rate, else service time [no limit]
  --benchmark=NAME      workload whose rows are used; needed if RESULTS have several
  --utilization=X       fraction, 0 to 1, of the measured throughput without a target rate, and
                        of the CPUs, that may be used [0.7]
  --misses=FILE         output of scripts/trace.sh misses. Machines may have less memory than was
                        measured, or use more: device reads are multiplied by the ratio of the
                        misses, and the rate is divided by that ratio if it is above 1
  --years=N             years that the drives must last; 0: no requirement [0]
  --format=NAME         text or tsv [text]
  --help                this

The workload is divided equally among machines of one kind. Each must have enough, for its part,
of these resources; columns of the measured rows are in parentheses:

  throughput   measured rate; fewer cores than measured do proportionally less, more do no more
  cpu          CPU time per operation (cpu_us_per_op) x rate
  memory       as much per byte of data as was measured, or 1.25 times the data's size on disk, if
               that is less; with --misses none, unless --p99 is given
  disk         size of the data x space amplification (space_amp)
  iops         device_reads and device_writes per operation x rate
  endurance    bytes written to the device (host_write_amp) in --years, if given

Other costs, replicas and the network are not part of it.
Exit status: 0 some machines suffice, 1 none do, 2 wrong arguments.
END
}

prices='' rate='' data='' p99=null misses='' benchmark='' utilization=0.7 years=0 format=text
here=$(cd "$(dirname "$0")" && pwd)
. "$here/rows.sh"
make_work
: >"$work/rows"
: >"$work/results"

# number OPTION TEXT UNITS: a number above 0, times its unit; or the end
number () {
	printf %s "$2" | jq -Rr --argjson units "$3" 'capture("^(?<n>[0-9]+([.][0-9]+)?)(?<unit>[a-zA-Z]*)$") |
		(.n | tonumber) * ($units[.unit] // empty) | select(. > 0)' >"$work/number" 2>"$work/err" || :
	[ -s "$work/number" ] || fail 2 "$1: cannot read '$2'; see --help"
	cat "$work/number"
}
counts='{"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "Ki": 1024, "Mi": 1048576, "Gi": 1073741824, "Ti": 1099511627776}'
for argument
do
	value=${argument#*=}
	case $argument in
	--help) help; exit 0 ;;
	--prices=?*) prices=$value ;;
	--rate=?*) rate=$(number --rate "$value" "$counts") ;;
	--data=?*) data=$(number --data "$value" "$counts") ;;
	--p99=?*) p99=$(number --p99 "$value" '{"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}') ;;
	--benchmark=?*) benchmark=$value ;;
	--utilization=?*) utilization=$(number --utilization "$value" '{"": 1}') ;;
	--misses=?*) misses=$value ;;
	--years=0) years=0 ;;
	--years=?*) years=$(number --years "$value" '{"": 1}') ;;
	--format=text | --format=tsv) format=$value ;;
	-*) fail 2 "cannot read '$argument'; see --help" ;;
	*) printf '%s\n' "$argument" >>"$work/results" ;;
	esac
done
needs jq
[ -n "$prices" ] || fail 2 "--prices=FILE is missing; scripts/cost-example.tsv is an example"
[ -n "$rate" ] || fail 2 "--rate=N is missing; see --help"
[ -n "$data" ] || fail 2 "--data=SIZE is missing; see --help"
[ -s "$work/results" ] || fail 2 "which results? see --help"
take_lines "$prices" "$work/price-lines" --prices

# program JQ ARGUMENTS...: with what cost.jq has
program () {
	what=$1
	shift
	jq -L "$here" "include \"cost\"; $what" "$@"
}
program price_table -Rn "$work/price-lines" >"$work/prices"
missing=$(jq -r '["machine", "cores", "memory_gib", "disk_gb", "price"] - ([.[] | with_entries(select(.value != null)) | keys] |
	if . == [] then [] else .[0] - (.[0] - .[-1]) end) | join(", ")' "$work/prices")
[ -z "$missing" ] || fail 2 "--prices: $prices has no $missing"
wrong=$(jq -r 'map(select(.cores == null or .memory_gib == null or .disk_gb == null or .price == null).machine)[0] // ""' "$work/prices")
[ -z "$wrong" ] || fail 2 "--prices: $prices: the line of $wrong lacks a number"

echo null >"$work/misses"
if [ -n "$misses" ]
then
	take_lines "$misses" "$work/miss-lines" --misses
	program curve -Rn "$work/miss-lines" >"$work/misses" 2>"$work/err" || : >"$work/misses"
	[ -s "$work/misses" ] || fail 2 "--misses: $misses is not the output of scripts/trace.sh misses"
fi

while IFS= read -r file
do
	[ ! -d "$file" ] || file=$file/results.json
	[ -r "$file" ] || fail 2 "cannot read $file; sweep.sh makes a results.json"
	read_rows "$file" "$work/read" 2
	cat "$work/read" >>"$work/rows"
done <"$work/results"
[ -n "$benchmark" ] || benchmark=$(jq -rn '[inputs.benchmark] | unique | if length == 1 then .[0] else "" end' "$work/rows")
[ -n "$benchmark" ] ||
	fail 2 "--benchmark: these rows are of $(jq -rn '[inputs.benchmark] | unique | join(", ")' "$work/rows"); choose one"
program '[inputs | select(.benchmark == $b)] | costs($machines[0]; {rate: $rate, data: $data, p99: $p99, utilization: $use, years: $years, misses: $misses[0]})' \
	-n --arg b "$benchmark" --slurpfile machines "$work/prices" --slurpfile misses "$work/misses" --argjson rate "$rate" --argjson data "$data" --argjson p99 "$p99" \
	--argjson use "$utilization" --argjson years "$years" "$work/rows" >"$work/costs" || unreadable "$(paste -sd " " "$work/results")"
[ "$(jq '[.offers, .uncounted] | add | length' "$work/costs")" -gt 0 ] || fail 2 "no row of $benchmark in $(paste -sd ' ' "$work/results")"
program "$format" -r "$work/costs"
[ "$(jq 'any(.offers[]; .cost)' "$work/costs")" = true ] || exit 1
