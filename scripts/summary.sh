#!/bin/sh
# summary.sh: engines side by side, a table for each benchmark; see --help.
set -eu
. "$(dirname "$0")/start.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/summary.sh RESULTS.json [--allow=host]

For each benchmark and number of threads in a file of JSON lines, a table of the valid
rows, the fastest first: operations a second, 99th percentile latency, processor use,
size on the file system, write amplification with what settling and closing wrote, what
is forced for a commit, and the rate as a share of the device's limit, which is what
bench_aio reached in the same results: above 100 % the records came from memory. Several
runs of one point are their median; beside their rate stand the 95 % interval of its mean
by Student's t, its coefficient of variation, and how many they are. Rows of several
machines, sizes, durabilities or limits of memory have tables of their own; those of
several settings lines of their own, such as lmdb+batch_size=10. With --allow=host the hosts
stand in one table, as lmdb+host=NAME: the spread between machines.
Rows whose library is unfit for comparison, and those with a stronger durability than
was asked for, are marked, and so are those that say of themselves what makes them doubtful.
END
	exit 0
	;;
'')
	fail 2 "which results? usage: scripts/summary.sh RESULTS.json"
	;;
esac
allow=
case ${2-} in
'') ;;
--allow=host) allow=host ;;
*) fail 2 "cannot read '$2'; see --help" ;;
esac
[ -r "$1" ] || fail 2 "cannot read $1"

scripts=$(dirname "$0")
. "$scripts/rows.sh"
. "$scripts/stats.sh"
make_work
whole_rows "$1" >"$work/whole"

# shellcheck disable=SC2016 # jq's own
tables='include "rows"; include "numbers"; def tables: [.[] | select(.valid == 1)] |
	group_by(.benchmark, .threads, .num, .key_size, .value_size, .durability, .memory_limit_kb,
		if $allow == "host" then "" else .host end) | sort_by(.[0].time) |
	map(told_apart | group_by(.label));'
jq -rs -L "$scripts" --arg allow "$allow" "$tables"' tables | flatten(1) | to_entries[] |
	"\(.key)\t\(.value | map(.ops_per_sec) | join(" "))"' "$work/whole" >"$work/samples" || unreadable "$1"
stats --draws=0 <"$work/samples" >"$work/rates"
jq -rs -L "$scripts" --arg allow "$allow" --rawfile rates "$work/rates" "$tables"'
	def note: [if .engine_build != null and (.engine_build | test("unfit")) then "unfit build" +
			(if .engine_build | test("of writes$") then " (writes)" else "" end) else empty end,
		if .allocator != null and (.allocator | test("^(lib)?c[.]so|^linked in$|^ld-musl") | not) then "malloc of " + .allocator else empty end,
		if .durability_given != .durability then "gives " + .durability_given else empty end,
		if .emulated != null then "emulates " + .emulated else empty end,
		if (.noise // "") != "" then "doubtful: " + .noise else empty end] | join("; ");

	($rates | rtrimstr("\n") / "\n" | map(figures | sample)) as $rates | tables |
	reduce .[] as $t ({at: 0, tables: []}; .tables += [[$t, $rates[.at:.at + ($t | length)]]] | .at += ($t | length)) | .tables[] |
	.[1] as $rate | .[0] | (map(.[]) | map(select(.engine == "aio") | .ops_per_sec) | median) as $limit |
	($rate | any(.n > 1)) as $repeated | . as $table | .[0][0] as $first |
	"\($first.benchmark), \($first.threads) thread\(if $first.threads > 1 then "s" else "" end), \($first.num) records of \(
		$first.key_size) + \($first.value_size) bytes, \($first.durability)" +
		(if $first.memory_limit_kb then ", \($first.memory_limit_kb / 1024 | round) MiB of memory" else "" end) + ", on \([$table[][].host] | unique | join(", "))",
	([["engine", "ops/s"] + (if $repeated then ["95 % of the mean (t)", "CV", "runs"] else [] end) +
		["all in", "p99", "CPU", "size", "write amp", "forces/commit", "of the device", ""]] +
	 (to_entries | map($rate[.key] as $rate | .value | {rate: $rate.median, row: ([
		.[0].label, ($rate.median | short)] + (if $repeated then [
			(if $rate.low then "\($rate.low | short) to \($rate.high | short)" else "-" end), ($rate.cv | percent), "\($rate.n)"] else [] end) + [
		(map(.ops_per_sec_all_in) | median | short),
		(map(.read_p99_ns // .write_p99_ns // .scan_p99_ns) | median | time),
		(map(.cpu_percent / 100) | median | percent),
		(map(.db_disk_kb) | median | if . == null then "-" else (. / 102.4 | round / 10 | tostring) + " MiB" end),
		(map(.write_amp_all_in) | median | if . == null then "-" else . * 100 | round / 100 | tostring end),
		(map(.flushes_per_commit) | median | if . == null then "-" else . * 1000 | round / 1000 | tostring end),
		(if $limit then $rate.median / $limit else null end | percent),
		(([.[] | select((.noise // "") != "")] + .)[0] | note)])}) | sort_by(-.rate) | map(.row)) | aligned), ""' "$work/whole" || unreadable "$1"
