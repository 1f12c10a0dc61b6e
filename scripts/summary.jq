# summary.jq: engines side by side, and what stands out; for jq -L scripts. Used by summary.sh and report.sh.
include "rows";
include "numbers";

# Tables of lines of runs of one point: rows that agree in what makes a benchmark another one.
def tables($allow): [.[] | select(.valid == 1)] |
	group_by(.benchmark, .threads, .num, .key_size, .value_size, .durability, .memory_limit_kb,
		if $allow == "host" then "" else .host end) | sort_by(.[0].time) |
	map(told_apart | group_by(.label));

# What build/stats reads for them: a sample of rates for each line.
def samples($allow): tables($allow) | flatten(1) | to_entries[] | "\(.key)\t\(.value | map(.ops_per_sec) | join(" "))";

# The tables with what it answered: [[rows, rate], ...], the fastest first.
def rated($allow; $answers): ($answers | rtrimstr("\n") / "\n" | map(figures | sample)) as $rates |
	reduce tables($allow)[] as $t ({at: 0, tables: []};
		.tables += [[$t, $rates[.at:.at + ($t | length)]] | transpose | sort_by(-.[1].median)] | .at += ($t | length)) | .tables;

def note: [if .engine_build != null and (.engine_build | test("unfit")) then "unfit build" +
		(if .engine_build | test("of writes$") then " (writes)" else "" end) else empty end,
	if .allocator != null and (.allocator | test("^(lib)?c[.]so|^linked in$|^ld-musl") | not) then "malloc of " + .allocator else empty end,
	if .durability_given != .durability then "gives " + .durability_given else empty end,
	if .emulated != null then "emulates " + .emulated else empty end,
	if (.noise // "") != "" then "doubtful: " + .noise else empty end] | join("; ");

def of(figure): map(figure) | median;
def changed: if .rate_first_fifth == null or .rate_first_fifth == 0 then null else .rate_last_fifth / .rate_first_fifth - 1 end;
# Reads and writes, by one kind of thread or two.
def writes_beside: if .reads > 0 and .writes > 0 then .writes_per_sec else null end;

# A line's cells: {head, text}; "-" where nothing is known. $limit is the rate of the device itself.
def cells($rate; $limit): [
	["engine", .[0].label],
	["ops/s", ($rate.median | short)],
	["95 % of the mean (t)", if $rate.low == null then "-" else "\($rate.low | short) to \($rate.high | short)" end],
	["CV", if $rate.n > 1 then $rate.cv | percent else "-" end],
	["runs", if $rate.n > 1 then "\($rate.n)" else "-" end],
	["ops/s, all in", (of(.ops_per_sec_all_in) | short)],
	["p99", (of(.read_p99_ns // .write_p99_ns // .scan_p99_ns) | time)],
	["writes/s", (of(writes_beside) | short)],
	["write p99", (of(if writes_beside == null then null else .write_p99_ns end) | time)],
	["last/first fifth", (of(changed) | if . == null then "-" else (if . >= 0 then "+" else "" end) + percent end)],
	["CPU us/op", (of(.cpu_us_per_op) | if . == null then "-" else three end)],
	["device reads/op", (of(.device_reads_per_op) | if . == null or . < 0.01 then "-" else three end)],
	["KB read/op", (of(.device_read_bytes_per_op) | if . == null or . < 10 then "-" else . / 1000 | three end)],
	["device busy", (of(.device_busy_percent) | if . == null or . < 1 then "-" else . / 100 | percent end)],
	["write amp, kernel", (of(.write_amp) | if . == null then "-" else three end)],
	["kernel, all in", (of(if .settle_seconds != null or .close_seconds != null then .write_amp_all_in else null end) | if . == null then "-" else three end)],
	["write amp, host", (of(.host_write_amp) | if . == null or . == 0 then "-" else three end)],
	["host, all in", (of(if .settle_seconds != null or .close_seconds != null then .host_write_amp_all_in else null end) |
		if . == null or . == 0 then "-" else three end)],
	["flushes/commit", (of(.flushes_per_commit) | if . == null then "-" else to(3) | tostring end)],
	["memory", (of(.held_kb // .rss_kb) | if . == null then "-" else size end)],
	["size", (of(.db_disk_kb) | if . == null then "-" else size end)],
	["of device limit", (if $limit and .[0].engine != "aio" and $rate.median <= $limit then $rate.median / $limit else null end | percent)],
	["", (([.[] | select((.noise // "") != "")] + .)[0] | note)]];

# The table: lines of texts, without the columns that are empty in all of them.
def lines: . as $table | (map(.[0][] | select(.engine == "aio") | .ops_per_sec) | median) as $limit |
	map(.[1] as $rate | .[0] | cells($rate; $limit)) | . as $cells |
	[range($cells[0] | length) | select(. as $i | . < 2 or any($cells[]; .[$i][1] | . != "-" and . != ""))] as $kept |
	[[$kept[] as $i | $cells[0][$i][0]]] + ($cells | map([.[$kept[]][1]]));

def heading: .[0][0][0] as $first |
	"\($first.benchmark), \($first.threads) thread\(if $first.threads > 1 then "s" else "" end), \($first.num) records of \(
		$first.key_size) + \($first.value_size) bytes, \($first.durability)" +
	(if $first.memory_limit_kb then ", \($first.memory_limit_kb / 1024 | round) MiB of memory" else "" end) +
	", on \([.[][0][].host] | unique | join(", "))";

def named: if length > 3 then .[:3] + ["and \(length - 3) more"] else . end | join(", ");
def some_lines(condition): map(select(.[0] | any(.[]; condition)) | .[0][0].label);

# The device itself is the limit, not an engine.
def engines: map(select(.[0][0].engine != "aio"));
# What build/stats reads for neighbours in the tables, the slower against the faster; what it answered, as {"table.line": [ratio, low, high]}.
def pairs: map(engines) | to_entries[] | .key as $at | .value | range(1; length) as $i |
	"\($at).\($i)\t\([.[$i, $i - 1][0] | map(.ops_per_sec) | join(" ")] | join("\t"))";
def ratios($answers): $answers | rtrimstr("\n") / "\n" | map(select(. != "") | {key: (. / "\t")[0], value: (figures | [.[12, 13, 14]])}) | from_entries;
# Is there no telling a table's line from the one before it?
def alike($ratio): $ratio != null and $ratio[1] != null and $ratio[1] <= 1;

# What stands out in a table, a sentence each.
def stands_out($ratios; $at):
	(some_lines(.steady == 0) | select(length > 0) | "not steady: \(named): the rate still changed at the end; run longer or warm up (--warmup)"),
	(some_lines((.device_busy_percent // 0) >= 90 and ((.device_reads_per_op // 0) >= 0.1 or (.host_write_amp // 0) >= 0.5 or (.flushes_per_commit // 0) >= 0.5)) | select(length > 0) | "bound by the device: \(named): it was busy nine tenths of the time"),
	(engines | map([.[0][0].label, (.[0] | of(writes_beside))] | select(.[1] != null)) | select(length > 1) |
		(max_by(.[1])) as $most | map(select(.[1] < $most[1] / 10)) | select(length > 0) |
		"the writes beside the reads were starved: \(map(.[0]) | named) did less than a tenth of \($most[0])'s; compare at one --write_rate"),
	(engines | if length < 2 then empty
		elif any(.[]; .[1].n < 2) then "one run each says nothing of how much they vary; sweep.sh --repeat=10 does"
		else [range(1; length) as $i | select(alike($ratios["\($at).\($i)"])) | "\(.[$i - 1][0][0].label) and \(.[$i][0][0].label)"] |
			if length > 0 then "not told apart: \(named): the 95 % interval of their ratio has 1 in it" else empty end end);
def void_said: [.[] | select(.valid != 1)] | group_by(.benchmark, .label, .void_because)[] | .[0] as $row |
	"void: \($row.label) \($row.benchmark)\(if length > 1 then ", \(length) rows" else "" end): \($row.void_because // "it does not say why")";
def doubtful_said: [.[] | select(.valid == 1 and (.noise // "") != "")] | select(length > 0) |
	"doubtful: \(length) row\(if length > 1 then "s" else "" end); the last column of each table says why";

# Who leads: of each benchmark, at the most threads, a sentence.
def found($ratios): to_entries | map(.value |= engines | select(.value | length > 0)) | group_by(.value[0][0][0].benchmark) |
	map(max_by(.value[0][0][0].threads)) | sort_by(.value[0][0][0].time)[] | $ratios["\(.key).1"] as $pair | .value | .[0][0][0] as $row |
	def runs: map(.[0] | length) | min;
	"\($row.benchmark), \($row.threads) thread\(if $row.threads > 1 then "s" else "" end): " +
	if length < 2 then "\($row.label) does \(.[0][1].median | short) operations/s."
	elif .[:2] | runs < 2 then
		"\($row.label) leads with \(.[0][1].median | short) operations/s, \($pair[0] | three) times \(.[1][0][0].label) (one run each: no interval)."
	elif alike($pair) then
		"\($row.label) and \(.[1][0][0].label) are not told apart (ratio \($pair[0] | three), 95 % interval \($pair[1] | three) to \($pair[2] | three))."
	else "\($row.label) leads with \(.[0][1].median | short) operations/s, \($pair[0] | three) times \(.[1][0][0].label) (95 % interval \(
		$pair[1] | three) to \($pair[2] | three), \(.[:2] | runs) runs each)." end;
