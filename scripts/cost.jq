# cost.jq: what requirements cost, of measured rows and a table of prices; for cost.sh.

include "rows";
include "numbers";

# Lines of a price table: objects by its header, with numbers where there are some; lines of # are comments.
def price_table: [inputs | select(test("^#|^\\s*$") | not) / "\t"] | .[0] as $names | .[1:] |
	map([., $names] | transpose | map({key: .[1], value: (.[0] as $cell | if .[1] == "machine" then $cell else ($cell // "" | tonumber? // null) end)}) |
		from_entries);

def worst_p99: . as $row | [("read", "write", "scan") as $kind | if paced then $row["\($kind)_resp_p99_ns"] else $row["\($kind)_p99_ns"] end | values] | max;

# Why a row never counts; nothing if it does.
def never_counts: if .valid != 1 then "invalid: \(.invalid_reason)" elif .steady == 0 then "its rate was not steady"
	elif .target_rate_met == 0 then "it did not meet its target rate" else empty end;

# The curve of `trace.sh misses`: [fraction of the data that fits into the cache, fraction of accesses that miss it].
def curve: [inputs / "\t"] | select(length > 1 and .[0] == ["cache", "fraction", "miss_ratio"]) |
	[[0, 1]] + (.[1:] | map([.[1:3][] | tonumber])) | select(all(length == 2) and . == sort_by(.[0]));

# The miss ratio where that fraction fits, between the points of the curve on a straight line.
def miss($curve; $fits): if $fits >= $curve[-1][0] then $curve[-1][1] else
	([$curve[] | select(.[0] > $fits)][0]) as $above | ([$curve[] | select(.[0] <= $fits)][-1]) as $below |
	$below[1] + ($above[1] - $below[1]) * ($fits - $below[0]) / ($above[0] - $below[0]) end;

# A configuration: the medians of its rows. `of` names it, `ratio` is the most data that it may have per byte of memory: as
# measured, or so much that all of it fits into four fifths. `missed` is the miss ratio at the memory of the measurement.
def configuration($need): medians | .of = "\(.label // .engine), \(.threads) thread\(if .threads > 1 then "s" else "" end)" |
	.raw = .num * (.key_size + .value_size) | .memory = (.memory_limit_kb // .memory_kb) * 1024 |
	.ratio = ([.raw / .memory, (.space_amp | values | 0.8 / .)] | max) | .p99 = worst_p99 |
	.missed = (if $need.misses == null or .space_amp == null or (.device_reads // 0) == 0 then null
		else miss($need.misses; .memory / (.raw * .space_amp)) end | if . == 0 then null else . end);

# Bytes a second that reach the drives.
def written($need): if (.writes // 0) == 0 then 0 elif .host_write_amp == null then null
	else $need.rate * .writes / .ops * (.raw / .num) * .host_write_amp end;

# How many machines each resource asks for, as a fraction, if the data is divided among $count; null: it cannot be said. As many
# times as the measured rows they read from the device; the rate falls as if it did nothing else, and does not rise.
def needs($m; $need; $count): . as $c | (if .missed == null then 1
	else miss($need.misses; $count * $m.memory_gib * 1073741824 / ($need.data * .space_amp)) / .missed end) as $reads | {
	throughput: ($need.rate * ([1, $reads] | max) / (.ops_per_sec * ([1, $m.cores / .cores] | min) * (if paced then 1 else $need.utilization end))),
	cpu: (if .cpu_us_per_op == null then null else $need.rate * .cpu_us_per_op / 1e6 / ($m.cores * $need.utilization) end),
	memory: (if .missed != null and $need.p99 == null then 0 else $need.data / (.ratio * $m.memory_gib * 1073741824) end),
	disk: (if .space_amp == null then null else $need.data * .space_amp / ($m.disk_gb * 1e9) end),
	iops: (if $m.iops == null then 0 elif .device_reads == null or .device_writes == null then null
		else $need.rate * (.device_reads * $reads + .device_writes) / .ops / $m.iops end),
	endurance: (if $need.years == 0 then 0 elif $m.endurance_tbw == null or written($need) == null then null
		else written($need) * $need.years * 31557600 / ($m.endurance_tbw * 1e12) end)};

# The least number of machines that is enough. More machines never need more in all.
def enough($m; $need): . as $c | {low: 1, high: ([1, (needs($m; $need; 1) | [.[]] | max)] | max | ceil)} |
	until(.low == .high; ((.low + .high) / 2 | floor) as $n |
		if ($c | needs($m; $need; $n) | [.[]] | max) <= $n then .high = $n else .low = $n + 1 end) | .low;

def offer($m; $need): . as $c | (needs($m; $need; 1) | to_entries | map(select(.value == null).key)) as $unknown |
	{machine: $m.machine, engine: .of, price: $m.price} +
	if .p99 == null and $need.p99 != null then {why: "its rows have no latencies (--latency=0)"}
	elif $need.p99 != null and .p99 > $need.p99 then {why: "p99 of \(.p99 | time)\(if paced then "" else " without a target rate" end)"}
	elif $m.price == null then {why: "its price is missing"}
	elif $unknown != [] then {why: "not measured: \($unknown | join(", "))"}
	else enough($m; $need) as $count | (needs($m; $need; $count) | to_entries | max_by(.value)) as $binding |
		{count: $count, cost: ($count * $m.price), binding: $binding.key, used: ($binding.value / $count),
			years: (written($need) as $w | if $w == null or $w == 0 or $m.endurance_tbw == null then null
				else $m.endurance_tbw * 1e12 * $count / $w / 31557600 end)} end;

# All offers, the cheapest first, and rows that do not count.
def costs($machines; $need): . as $rows | {uncounted: ([$rows[] | [never_counts][0] as $why | select($why) | {of: (.label // .engine), why: $why}] | group_by(.) | map(.[0] + {n: length})),
	configurations: ([$rows[] | select([never_counts] == [])] | group_by([.[settings[]]]) | map(configuration($need)))} |
	.unscaled = (if $need.misses == null then [] else [.configurations[] | select(.missed == null).of] end) |
	.offers = ([.configurations[] as $c | $machines[] as $m | $c | offer($m; $need)] | sort_by(.cost // infinite, .machine, .engine)) |
	del(.configurations);

def line: if .years == null then "" else "; its drives last \(.years | three) years" end;
def text: (.offers | map(select(.cost)) ) as $can |
	(if .offers == [] then "no row can be used, so no machine is known to suffice" elif $can == [] then "no machine of the table suffices, with any engine" else $can[0] |
		"cheapest: \(.count) x \(.machine) with \(.engine): \(.cost | three); limited by \(.binding), of which \(.used | percent) is used\(line)" end),
	"", ([["machines", "engine", "cost", "bound by", "used", "years"]] + ($can | map(["\(.count) x \(.machine)", .engine, (.cost | three), .binding, (.used | percent),
		(.years | if . == null then "-" else three end)])) | aligned(.column == 0 or .column == 1 or .column == 3)),
	(.offers | map(select(.why)) | group_by([.engine, .why])[] | "excluded: \(.[0].engine) on \(map(.machine) | join(", ")): \(.[0].why)"),
	(.unscaled[] | "--misses is not used for \(.): its rows lack device reads or space_amp, or the curve has no miss at their memory"),
	(.uncounted[] | "not used: \(.n) row\(if .n > 1 then "s" else "" end) of \(.of): \(.why)");
def tsv: ["machine", "count", "engine", "cost", "binding", "used", "years", "why"],
	(.offers[] | [.machine, .count, .engine, .cost, .binding, .used, .years, .why]) | @tsv;
