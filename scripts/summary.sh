#!/bin/sh
# summary.sh: engines side by side, a table for each benchmark; see --help.
set -eu

case ${1-} in
--help)
	cat <<END
usage: scripts/summary.sh RESULTS.json

For each benchmark and number of threads in a file of JSON lines, a table of the valid
rows, the fastest first: operations a second, 99th percentile latency, processor use,
size on the file system, write amplification with what settling and closing wrote, what
is forced for a commit, and the rate as a share of the device's limit, which is what
bench_aio reached in the same results: above 100 % the records came from memory. Several
runs of one point are their median.
Rows whose library is unfit for comparison, and those with a stronger durability than
was asked for, are marked.
END
	exit 0
	;;
'')
	echo "summary.sh: which results? usage: scripts/summary.sh RESULTS.json" >&2
	exit 2
	;;
esac
[ -r "$1" ] || { echo "summary.sh: cannot read $1" >&2; exit 2; }

# without a row that a crash has cut short
grep -v '^{"schema":.*[^}]$' "$1" | jq -rs '
	def median: map(select(. != null)) | sort | if length == 0 then null else .[(length - 1) / 2 | floor] end;
	# three digits that count, as a person reads them
	def short: if . == null then "-" elif . >= 1e6 then (. / 1e4 | round / 100 | tostring) + " M"
		elif . >= 1e3 then (. / 10 | round / 100 | tostring) + " k" else . * 100 | round / 100 | tostring end;
	def time: if . == null then "-" elif . >= 1e6 then (. / 1e4 | round / 100 | tostring) + " ms"
		else (. / 10 | round / 100 | tostring) + " us" end;
	def percent: if . == null then "-" else (. * 100 | if . >= 10 then round else . * 100 | round / 100 end | tostring) + " %" end;
	def pad($width; $left): . as $text | ($width - ($text | length)) as $gap |
		if $left then $text + " " * $gap else " " * $gap + $text end;
	def note: [if .engine_build != null and (.engine_build | test("unfit")) then "unfit build" else empty end,
		if .durability_given != .durability then "gives " + .durability_given else empty end,
		if .emulated != null then "emulates " + .emulated else empty end] | join("; ");
	def table: ([range(.[0] | length) as $i | [.[][$i] | length] | max]) as $width |
		.[] | [range(length) as $i | .[$i] | pad($width[$i]; $i == 0 or $i == ($width | length) - 1)] |
		join("  ") | sub(" +$"; "");

	[.[] | select(.valid == 1)] | group_by(.benchmark, .threads) | sort_by(.[0].time) | .[] |
	(map(select(.engine == "aio") | .ops_per_sec) | median) as $limit |
	"\(.[0].benchmark), \(.[0].threads) thread\(if .[0].threads > 1 then "s" else "" end), \(.[0].num) records of \(
		.[0].key_size) + \(.[0].value_size) bytes, \(.[0].durability)",
	([["engine", "ops/s", "all in", "p99", "CPU", "size", "write amp", "forces/commit", "of the device", ""]] +
	 (group_by(.label) | map((map(.ops_per_sec) | median) as $rate | {rate: $rate, row: [
		.[0].label, ($rate | short), (map(.ops_per_sec_all_in) | median | short),
		(map(.read_p99_ns // .write_p99_ns // .scan_p99_ns) | median | time),
		(map(.cpu_percent / 100) | median | percent),
		(map(.db_disk_kb) | median | if . == null then "-" else (. / 102.4 | round / 10 | tostring) + " MiB" end),
		(map(.write_amp_all_in) | median | if . == null then "-" else . * 100 | round / 100 | tostring end),
		(map(.flushes_per_commit) | median | if . == null then "-" else . * 1000 | round / 1000 | tostring end),
		(if $limit then $rate / $limit else null end | percent),
		(.[0] | note)]}) | sort_by(-.rate) | map(.row)) | table), ""' || {
	echo "summary.sh: $1 has a row that cannot be read; jq says above what of it" >&2
	exit 1
}
