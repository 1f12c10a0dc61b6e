# summary.jq: engines side by side, and what stands out; for jq -L scripts. Used by summary.sh and report.sh.
include "rows";
include "numbers";

# What rows agree in that stand in one table. A machine is more than its name.
def key($allow): setup + ["value_size"] + conditions - (if $allow == "host" then ["host", "cpu", "cores", "kernel"] else [] end);

# Tables of lines of runs of one point. Each row has in .apart the columns in which its table is not like others of the benchmark;
# what follows from the name of the machine is not among them.
def tables($allow): def kinds(columns): map([columns]) | unique | length;
	map(select(.valid == 1)) | [group_by(.benchmark)[] | beside |
		[key($allow)[] as $c | select($c | IN("benchmark", "threads") | not) | select(kinds(.[$c]) > 1 and
			(($c | IN("cpu", "cores", "kernel") | not) or kinds(.host, .[$c]) > kinds(.host))) | $c] as $apart |
		group_by([.[key($allow)[]]])[] | map(.apart = $apart)] |
	sort_by(.[0].time) | map(told_apart | group_by(.label));

# The result of a row: its rate, or in an open loop its response time.
def result: if paced then response_of("p99") else .ops_per_sec end;
# What build/stats reads for them: a sample of results for each line.
def samples($allow): tables($allow) | flatten(1) | to_entries[] | "\(.key)\t\(.value | map(result) | join(" "))";

# The tables with what it answered: [[rows, result], ...], the best first; who missed the rate comes after who met it.
def rated($allow; $answers): ($answers | rtrimstr("\n") / "\n" | map(figures | sample)) as $results |
	reduce tables($allow)[] as $t ({at: 0, tables: []};
		.tables += [[$t, $results[.at:.at + ($t | length)]] | transpose |
			sort_by(if .[0][0] | paced then [([.[0] | rate_missed] | length), .[1].median] else -.[1].median end)] |
		.at += ($t | length)) | .tables;

def note: [if .engine_build != null and (.engine_build | test("not fit for comparison")) then "build not fit for comparison" +
		(if .engine_build | test("of writes$") then " (writes)" else "" end) else empty end,
	if .allocator != null and (.allocator | test("^(lib)?c[.]so|^linked in$|^ld-musl") | not) then "malloc of " + .allocator else empty end,
	if .durability_effective != .durability then "gives " + .durability_effective else empty end,
	if .emulated != null then "emulates " + .emulated else empty end,
	if (.warnings // "") != "" then "warnings: " + .warnings else empty end] | join("; ");

def of(figure): map(figure) | median;
def changed: if .rate_first_fifth == null or .rate_first_fifth == 0 then null else .rate_last_fifth / .rate_first_fifth - 1 end;
# Reads and writes, by one kind of thread or two.
def writes_beside: if .reads > 0 and .writes > 0 then .writes_per_sec else null end;

# A line's cells: [head, text]; "-" where nothing is known. $limit is the rate of the device itself.
def cells($result; $limit): (.[0] | paced) as $paced | def text: if $paced then time else short end; [
	["engine", .[0].label],
	[if $paced then "response p99" else "ops/s" end, ($result.median | text)],
	["95 % interval (t)", if $result.low == null then "-" else "\($result.low | text) to \($result.high | text)" end],
	["CV", if $result.n > 1 then $result.cv | percent else "-" end],
	["runs", if $result.n > 1 then "\($result.n)" else "-" end],
	["rate met", if all(.[]; .target_rate_met == null) then "-" else [rate_missed] | if . == [] then "yes" else "no" + (.[0] | ltrimstr("rate missed")) end end],
	if $paced then ["ops/s", (of(.ops_per_sec) | short)] else empty end,
	["ops/s, all in", (of(.ops_per_sec_all_in) | short)],
	[if $paced then "call p99" else "p99" end, (of(latency_of("p99")) | time)],
	["writes/s", (of(writes_beside) | short)],
	["write p99", (of(if writes_beside == null then null else .write_p99_ns end) | time)],
	["write response p99", (of(if writes_beside == null then null else .write_resp_p99_ns end) | time)],
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
	["syncs/commit", (of(.syncs_per_commit) | if . == null then "-" else to(3) | tostring end)],
	["memory", (of(.memory_used_kb // .rss_kb) | if . == null then "-" else size end)],
	["size", (of(.db_disk_kb) | if . == null then "-" else size end)],
	["of device limit", (if $limit and $paced == false and .[0].engine != "aio" and $result.median <= $limit then $result.median / $limit else null end | percent)],
	["", (([.[] | select((.warnings // "") != "")] + .)[0] | note)]];

# The table: lines of texts, without the columns that are empty in all of them.
def lines: . as $table | (map(.[0][] | select(.engine == "aio") | .ops_per_sec) | median) as $limit |
	map(.[1] as $result | .[0] | cells($result; $limit)) | . as $cells |
	[range($cells[0] | length) | select(. as $i | . < 2 or any($cells[]; .[$i][1] | . != "-" and . != ""))] as $kept |
	[[$kept[] as $i | $cells[0][$i][0]]] + ($cells | map([.[$kept[]][1]]));

# How a table is called: by what makes it another one than others of its benchmark that $shown does not say.
def called($shown): .[0][0][0] as $row |
	"\($row.benchmark), \($row.threads) thread\(if $row.threads > 1 then "s" else "" end)" +
	(if $row.target_rate then ", \($row.target_rate | short) operations/s asked for" else "" end) +
	([($row.apart - ["target_rate"] - $shown)[] as $c |
		select($c != "arrivals" or $row.target_rate != null) | ", \($c) \($row[$c] // "none")"] | join(""));
def title: called([]);
def heading: .[0][0][0] as $first |
	called(["num", "key_size", "value_size", "value_sizes", "durability", "memory_limit_kb", "host"]) + ", \($first.num) records of \(
		$first.key_size) + \($first.value_sizes // $first.value_size) bytes, \($first.durability)" +
	(if $first.memory_limit_kb then ", \($first.memory_limit_kb / 1024 | round) MiB of memory" else "" end) +
	", on \([.[][0][].host] | unique | join(", "))";

def named: if length > 3 then .[:3] + ["and \(length - 3) more"] else . end | join(", ");
def some_lines(condition): map(select(.[0] | any(.[]; condition)) | .[0][0].label);

# The device itself is the limit, and the null engine the cost of the harness: neither is an engine that others are held against.
def engines: map(select(.[0][0].engine | IN("aio", "null") | not));
# What build/stats reads for neighbours in the tables, the worse against the better, so that their ratio is above 1; what it
# answered, as {"table.line": [ratio, low, high]}.
def pairs: map(engines) | to_entries[] | .key as $at | .value | range(1; length) as $i |
	"\($at).\($i)\t\([if .[0][0][0] | paced then .[$i - 1, $i] else .[$i, $i - 1] end | .[0] | map(result) | join(" ")] | join("\t"))";
def ratios($answers): $answers | rtrimstr("\n") / "\n" | map(select(. != "") | {key: (. / "\t")[0], value: (figures | [.[12, 13, 14]])}) | from_entries;
# Is there no telling two neighbours apart, of which $ratio is that of the results? Who met a rate is not like who missed it.
def alike($ratio): $ratio != null and $ratio[1] != null and $ratio[1] <= 1 and (map([.[0] | rate_missed] | length) | unique | length == 1);

# Of engines those whose writes beside the reads were less than a tenth of another's: {most, starved}, labels; or nothing.
def starved: map([.[0][0].label, (.[0] | of(writes_beside))] | select(.[1] != null)) | select(length > 1) | max_by(.[1]) as $most |
	{most: $most[0], starved: map(select(.[1] < $most[1] / 10)[0])} | select(.starved != []);

# What stands out in a table, a sentence each.
def stands_out($ratios; $at):
	([engines[][0][]] | differing(circumstances)[] as $c | "rows of more than one \($c) (\(map(.[$c] // "none" | tostring) | unique | join(", "))) stand side by side"),
	(map(select([.[0] | rate_missed] != []) | .[0][0].label) | select(length > 0) | "the rate was missed: \(named): how long operations waited grows with the length of the run"),
	(some_lines(.steady == 0) | select(length > 0) | "not steady: \(named): the rate still changed at the end; run longer or warm up (--warmup)"),
	(some_lines((.device_busy_percent // 0) >= 90 and ((.device_reads_per_op // 0) >= 0.1 or (.host_write_amp // 0) >= 0.5 or (.syncs_per_commit // 0) >= 0.5)) | select(length > 0) | "bound by the device: \(named): it was busy nine tenths of the time"),
	(engines | starved | "the writes beside the reads were starved: \(.starved | named) did less than a tenth of \(.most)'s; compare at one --write_rate"),
	(engines | if length < 2 then empty
		elif any(.[]; .[1].n < 2) then "one run each says nothing of how much they vary; sweep.sh --repeat=10 does"
		else [range(1; length) as $i | select(.[$i - 1:$i + 1] | alike($ratios["\($at).\($i)"])) | "\(.[$i - 1][0][0].label) and \(.[$i][0][0].label)"] |
			if length > 0 then "not told apart: \(named): the 95 % interval of their ratio has 1 in it" else empty end end);
def invalid_said: [.[] | select(.valid != 1)] | group_by(.benchmark, .label, .invalid_reason)[] | .[0] as $row |
	"invalid: \($row.label) \($row.benchmark)\(if length > 1 then ", \(length) rows" else "" end): \($row.invalid_reason // "it does not say why")";
def warnings_said: [.[] | select(.valid == 1 and (.warnings // "") != "")] | select(length > 0) |
	"warnings: \(length) row\(if length > 1 then "s" else "" end); the last column of each table says why";

# Who leads: of each benchmark and what tells its tables apart, at the most threads, a sentence; and what must be known of those
# that it names.
def found($ratios): to_entries | map(.value |= engines | select(.value | length > 0)) |
	group_by(.value[0][0][0] | [.benchmark, .target_rate, .[.apart[]]]) |
	map(max_by(.value[0][0][0].threads)) | sort_by(.value[0][0][0].time)[] | $ratios["\(.key).1"] as $pair | .value | .[:2] as $two |
	[starved.starved[]] as $starved | ($two[0][0][0] | paced) as $paced | [$two[][0][0].label] as [$best, $next] |
	($two | map(.[0] | length) | min) as $runs | "95 % interval \($pair[1] | three) to \($pair[2] | three)" as $interval |
	(if $runs < 2 then "one run each: no interval" else "\($interval), \($runs) runs each" end) as $sure |
	def response: .[1].median | time;
	"\(title): " +
	if length < 2 then if $paced then "\($best) has a p99 response time of \($two[0] | response)." else "\($best) does \($two[0][1].median | short) operations/s." end
	elif $two | alike($pair) then "\($best) and \($next) are not told apart (ratio \($pair[0] | three), \($interval))."
	elif $paced | not then "\($best) leads with \($two[0][1].median | short) operations/s, \($pair[0] | three) times \($next) (\($sure))."
	elif $two | map([.[0] | rate_missed] != []) == [false, true] then
		"\($best) met the rate with a p99 response time of \($two[0] | response), \($next) missed it with \($two[1] | response)."
	else "\($best) leads with a p99 response time of \($two[0] | response), \($next)'s is \($pair[0] | three) times that (\($sure))." end +
	(if $paced and all($two[]; [.[0] | rate_missed] == []) then " The rate was met." else "" end) +
	([$two[] | .[0] | .[0].label as $name | [rate_missed, if $name | IN($starved[]) then "its writes were starved" else empty end, cautions] |
		select(. != []) | "\($name): \(join(", "))"] | if . == [] then "" else " But \(join("; "))." end);
