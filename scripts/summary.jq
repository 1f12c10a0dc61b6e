# summary.jq: engines side by side, and what stands out; for jq -L scripts. Used by summary.sh, whose JSON report.sh reads.
include "rows";
include "limits";
include "numbers";

# What rows agree in that stand in one table. A machine is more than its name.
def key($allow): setup + ["value_size"] + conditions - (if $allow == "host" then ["host", "cpu", "cores", "kernel"] else [] end);

# The order of the load that filled the database, by the benchmark's name: what the row says, or a load of that label in the results.
def loaded: (map(select(.reads == 0 and (.benchmark | test("^fill|load"))) | {key: .label, value: .benchmark}) | from_entries) as $loads |
	map(if .reads == 0 and .benchmark == $loads[.label] then . else .loaded_by = (.loaded_by // $loads[.label]) end);
# Tables of lines of runs of one point. Each row has in .apart the columns in which its table is not like others of the benchmark;
# what follows from the name of the machine is not among them.
def tables($allow): def kinds(columns): map([columns]) | unique | length;
	key($allow) as $key | map(select(.valid == 1)) | loaded | [group_by(.benchmark)[] | beside |
		differing($key - ["benchmark", "threads"]) as $differing |
		[$differing[] as $c | select(($c | IN("cpu", "cores", "kernel") | not) or kinds(.host, .[$c]) > kinds(.host)) | $c] as $apart |
		group_by([.threads, .[$differing[]]])[] | map(.apart = $apart)] |
	sort_by(.[0].time) | map(told_apart | group_by(.label));

# The result of a row: its rate, or in an open loop its response time.
def result: if paced then response_of("p99") else .ops_per_sec end;
# Reads and writes, by one kind of thread or two.
def writes_beside: if .reads > 0 and .writes > 0 then .writes_per_sec else null end;
# An LSM tree whose rows say nothing of what it writes later: it was filled in key order, or never filled a memtable.
def lsm: (.engine | IN("rocksdb", "leveldb", "hyper", "basho", "tidesdb", "lsm")) or (.engine_options // "" | contains("type=lsm"));
def key_order: if .load_order != null then .load_order == "sequential" else .loaded_by // "" | contains("seq") end;
def in_key_order: lsm and (.writes > 0) and (.distribution == "sequential" or key_order);
def memtable_unfilled: lsm and (.writes > 0) and (.write_buffer_bytes // 0) > .writes * (.key_size + .value_size);

# What a reader must know of some rows, each cause once: {grade, cause, text, runs}. A figure in it is the greatest.
def worst: max_by(.text | [match("(?<![-A-Za-z])[0-9]+").string | tonumber]);
def cause: gsub("(?<![-A-Za-z0-9.,])[0-9][0-9.,]*"; "N");
def causes: (map((.warnings // "" | select(. != "") | split("; ")[]),
		(select(unfit_here) | "the build is not fit for comparison" + unfit_why),
		(select(.steady == 0) | "not steady: the rate still changed at the end; run longer or warm up (--warmup)"),
		(select(.target_rate_met == 0) | "the rate was missed: how long operations waited grows with the length of the run") | {grade: "warning", text: .}) +
	map((select(harness_part >= 0.1) | "at least a tenth of an operation's time is the harness"),
		(select(.emulated != null) | "emulates " + .emulated),
		(select(.allocator != null and .allocator != "libc.so.6" and (.allocator | test("^Go, |^(lib)?c[.]so|^linked in$|^ld-musl") | not)) | "malloc of " + .allocator),
		(select(.durability_effective != .durability) | "gives durability \(.durability_effective)"),
		(select(in_key_order) | "loaded in key order: write and space amplification of an LSM tree are at their least"),
		(select(memtable_unfilled) | "no memtable was filled: what an LSM tree writes later is not in its figures") | {grade: "note", text: .})) as $all |
	length as $n | [$all[] | .cause = (.text | cause)] | group_by(.grade, .cause) | map(length as $runs | worst | .runs = $runs | .of = $n);

# The word that most runs have, with the figures of one of them; null for rows of earlier programs.
def limited_mostly: map(select(.bound_by != null) | limited) | group_by(.word) | max_by(length) as $most |
	if length < 2 or ($most | length) * 2 > (map(length) | add) then $most[0] else $most[0] | .word = "unclear" | .detail = "runs differ" end;

# A line: of the runs of one point each column's median, and what is to be known of them.
def point: . as $rows | medians | .runs = ($rows | length) | .results = [$rows[] | result] | .missed = ([$rows | rate_missed][0] // "") |
	.cautions = [$rows | cautions] | .causes = ($rows | causes) | .limited = (($rows | limited_mostly) // limited) |
	.around = ($rows | differing(circumstances) as $differ | reduce circumstances[] as $c ({}; .[$c] = ($rows | if IN($c; $differ[]) then map(.[$c]) | unique else [.[0][$c]] end)));
# What all later steps read, from the rows: the tables of lines, and what is to be said of rows wherever they stand.
def condensed($allow): {tables: (tables($allow) | map(map(point))),
	invalid: ([.[] | select(.valid != 1)] | group_by(.benchmark, .label, .threads, .invalid_reason) |
		map(.[0] + {rows: length} | {benchmark, "label": .label, threads, rows, reason: (.invalid_reason // "it does not say why")})), rows: length} |
	.causes = ([.tables[][] | .label as $name | .causes[] | .label = $name] | group_by(.grade, .cause) |
		map(worst + {runs: (map(.runs) | add), labels: (map(.label) | unique)} | del(.label, .of)) | sort_by(.grade != "warning", -.runs));

# What build/stats reads for the lines: a sample of results for each; and the tables with what it answered, the best first: who missed
# the rate comes after who met it.
def samples: .tables | flatten(1) | to_entries[] | "\(.key)\t\(.value.results | join(" "))";
def rated($answers): ($answers | rtrimstr("\n") / "\n" | map(figures | sample)) as $results |
	reduce .tables[] as $t ({at: 0, tables: []};
		.tables += [[$t, $results[.at:.at + ($t | length)]] | transpose | map(.[0] + {result: .[1]}) |
			sort_by(if paced then [(.missed | length), .result.median] else -(.result.median // 0) end)] |
		.at += ($t | length)) | .tables;
# The ends of a whisker: with five runs or more the 95 % interval, with three or four the least and the greatest.
def whisker: if .result.n >= 5 then [.result.low, .result.high] elif .result.n >= 3 then [(.results | min, max)] else [null, null] end;

def changed: if .rate_first_fifth == null or .rate_first_fifth == 0 then null else .rate_last_fifth / .rate_first_fifth - 1 end;
def spread: whisker as [$low, $high] | if $low == null then "-" elif .result.n >= 5 then
		if .result.median > 0 then "±\([$high / .result.median - 1, 1 - $low / .result.median] | max | percent)" else "-" end
	else "\($low | short) to \($high | short)" end;

# A line's cells: [head, text, rank]; "-" where nothing is known. $limit is the rate of the device itself. A terminal shows those with a
# rank, and leaves out the greatest first where they do not fit; --all shows all.
def cells($limit; $best): paced as $paced | def text: if $paced then time else short end;
	def all_in(f): if .settle_seconds != null or .close_seconds != null then f else null end;
	def or_none(f): if . == null then "-" else f end; [
	["engine", .label, 0],
	[if $paced then "response p99" else "ops/s" end, (.result.median | text), 0],
	["spread", spread, 4],
	["95 % interval (t)", if .result.low == null then "-" else "\(.result.low | text) to \(.result.high | text)" end],
	["CV", if .result.n > 1 then .result.cv | percent else "-" end],
	["runs", if .runs > 1 then "\(.runs)" else "-" end, 6],
	["of best", if $best == null or $best == 0 or $paced then "-" elif .engine | IN("null", "aio") then "-" else .result.median / $best | percent end, 5],
	["rate met", if .target_rate_met == null then "-" elif .missed == "" then "yes" else "no" + (.missed | ltrimstr("rate missed")) end, 1],
	if $paced then ["ops/s", (.ops_per_sec | short)] else empty end,
	["ops/s, all in", (.ops_per_sec_all_in | short)],
	[if $paced then "call p50" else "p50" end, (latency_of("p50") | time), 2],
	[if $paced then "call p99" else "p99" end, (latency_of("p99") | time), 1],
	[if $paced then "call p99.9" else "p99.9" end, (latency_of("p999") | time), 2],
	["writes/s", (writes_beside | short), 3],
	["write p99", (if writes_beside == null then null else .write_p99_ns end | time), 6],
	["write response p99", (if writes_beside == null then null else .write_resp_p99_ns end | time)],
	["limited by", (.limited | "\(.word) \(.detail // "")" | rtrimstr(" ")), 1],
	["last/first fifth", (changed | or_none((if . >= 0 then "+" else "" end) + percent))],
	["CPU us/op", (.cpu_us_per_op | or_none(three))],
	["device reads/op", (.device_reads_per_op | or_none(if . < 0.01 then "-" else three end))],
	["KB read/op", (.device_read_bytes_per_op | or_none(if . < 10 then "-" else . / 1000 | three end))],
	["device busy", (.device_busy_percent | or_none(if . < 1 then "-" else . / 100 | percent end))],
	["write amp, kernel", (.write_amp | or_none(three))],
	["kernel, all in", (all_in(.write_amp_all_in) | or_none(three))],
	["write amp, host", (.host_write_amp | or_none(if . == 0 then "-" else three end))],
	["host, all in", (all_in(.host_write_amp_all_in) | or_none(if . == 0 then "-" else three end))],
	["syncs/commit", (.syncs_per_commit | or_none(to(3) | tostring))],
	["memory", (.memory_used_kb // .rss_kb | or_none(size))],
	["size", (.db_disk_kb | or_none(size))],
	["of device limit", (if $limit and $paced == false and .engine != "aio" and .result.median <= $limit then .result.median / $limit else null end | percent)],
	["", (.causes | map(.text) | join("; "))]];

# The device itself is the limit, and the null engine the cost of the harness: neither is an engine that others are held against.
def engines: map(select(.engine | IN("aio", "null") | not));
def device_limit: map(select(.engine == "aio").ops_per_sec) | median;
def best: (engines + .)[0].result.median;
# The table: lines of texts, without the columns that are empty in all of them; $width is that of a terminal, or null for all columns.
# Where they do not fit, the figures beside the words of limits go first.
def lines($width): device_limit as $limit | best as $best | map(.limited.word) as $words | map(cells($limit; $best)) | . as $all |
	[range($all[0] | length) | select(. as $i | . < 2 or any($all[]; .[$i][1] | . != "-" and . != ""))] |
	def wide($cells): map(. as $i | [$cells[] | .[$i][:2][] | length] | max + 2) | add - 2;
	if $width == null then map(select($all[0][.][0] != "spread")) else map(select(. as $i | $all[0][$i][2] != null)) end |
	(if $width == null or wide($all) <= $width then $all else [$all, $words] | transpose | map(. as [$line, $word] | $line | map(if .[0] == "limited by" then .[1] = $word else . end)) end) as $cells |
	if $width == null then . else until(wide($cells) <= $width or all(.[]; $cells[0][.][2] == 0); . - [max_by($cells[0][.][2])]) end | . as $kept |
	[[$kept[] as $i | $cells[0][$i][0]]] + ($cells | map([.[$kept[]][1]]));

# How a table is called: by what makes it another one than others of its benchmark that $shown does not say.
def called($shown): .[0] as $row |
	"\($row.benchmark), \($row.threads) thread\(if $row.threads > 1 then "s" else "" end)" +
	(if $row.target_rate then ", \($row.target_rate | short) operations/s asked for" else "" end) +
	([($row.apart - ["target_rate"] - $shown)[] as $c |
		select($c != "arrivals" or $row.target_rate != null) | ", \($c) \($row[$c] // "none")"] | join(""));
def title: called([]);
# The load of a run of a sweep, such as lmdb-fillseqbatch-1t, by its workload.
def load_name: capture("-(?<load>(fill|load|ycsb)[a-z0-9]*)-[0-9]+t").load? // .;
# and in which conditions its rows were measured.
def conditions_said: .[0] as $first | [("mix", "distribution") as $c | select($first[$c] != null and ($first.apart | index($c) | not)) | "\($c) \($first[$c])"] +
	["\($first.num | commas) records of \($first.key_size) + \($first.value_sizes // $first.value_size) bytes", "durability \($first.durability)",
	(if $first.memory_limit_kb then "\($first.memory_limit_kb / 1024 | round) MiB of memory" else empty end),
	(map(select(.loaded_by != null) | (.loaded_by | load_name) + (if key_order then " (in key order)" else "" end)) | unique | select(. != []) | "loaded by \(join(", "))"),
	"on \(map(.host) | unique | join(", "))"] | join(", ");
def heading: called(["num", "key_size", "value_size", "value_sizes", "durability", "memory_limit_kb", "host"]) + ", " + conditions_said;

def named: if length > 3 then .[:3] + ["and \(length - 3) more"] else . end | join(", ");

# What build/stats reads for neighbours in the tables, the worse against the better, so that their ratio is above 1; what it
# answered, as {"table.line": [ratio, low, high]}.
def pairs: map(engines) | to_entries[] | .key as $at | .value | range(1; length) as $i |
	"\($at).\($i)\t\([if .[0] | paced then .[$i - 1, $i] else .[$i, $i - 1] end | .results | join(" ")] | join("\t"))";
def ratios($answers): $answers | rtrimstr("\n") / "\n" | map(select(. != "") | {key: (. / "\t")[0], value: (figures | [.[12, 13, 14]])}) | from_entries;
# Is there no telling two neighbours apart, of which $ratio is that of the results? Who met a rate is not like who missed it.
def alike($ratio): $ratio != null and $ratio[1] != null and $ratio[1] <= 1 and (map(.missed | length) | unique | length == 1);

# Of engines those whose writes beside the reads were less than a tenth of another's: {most, starved}, labels; or nothing.
def starved: map([.label, writes_beside] | select(.[1] != null)) | select(length > 1) | max_by(.[1]) as $most |
	{most: $most[0], starved: map(select(.[1] < $most[1] / 10)[0])} | select(.starved != []);

# What the slow calls of a line waited for (--slow_calls), a sentence; the greatest part first, and what is not known last.
def slow_parts: (.slow_stall_level0_percent // 0) as $level0 |
	((.slow_stall_percent // 0) - (.slow_stall_flush_percent // 0) - (.slow_stall_compaction_percent // 0)) as $stall | [
	[.slow_stall_flush_percent, "in write stalls that ended with a memtable flush"],
	[$level0, "in write stalls that ended with a compaction of level 0"],
	[(.slow_stall_compaction_percent // 0) - $level0, "in write stalls that ended with a compaction"], [$stall, "in write stalls"],
	[.slow_own_sync_percent, "own sync"], [.slow_other_writer_percent, "waiting for another writer"],
	[.slow_device_read_percent, "device reads"], [.slow_flush_percent, "waiting until a memtable flush ended"],
	[.slow_compaction_percent, "waiting until a compaction ended"], [.slow_checkpoint_percent, "waiting until a checkpoint ended"],
	[.slow_cpu_percent, "CPU"], [.slow_runnable_percent, "runnable without a core"], [.slow_steal_percent, "stolen by the hypervisor"],
	[.slow_blocked_percent, "blocked otherwise"]] | sort_by(-(.[0] // 0));
def slow_said: select((.slow_above_p99_ms // 0) > 0) |
	"\(.label): p99.9 of \(.benchmark) is \(latency_of("p999") | time); of the time above p99 " +
	([(slow_parts + [[.slow_not_attributed_percent, "not attributed"]])[] | select(.[0] != null and .[0] >= 0.5) |
		"\(.[0] | round) % \(.[1])"] | join(", ")) +
	(if .slow_covered_percent < 80 then " (the kept calls hold \(.slow_covered_percent | round) % of it)" else "" end);

# What stands out in a table, a sentence each.
def stands_out($ratios; $at):
	(engines | map(.around) as $around | circumstances[] as $c | [$around[][$c][]] | unique | select(length > 1) |
		"rows of more than one \($c) (\(map(. // "none" | tostring) | unique | join(", "))) stand side by side"),
	(.[] | slow_said),
	(engines | starved | "the writes beside the reads were starved: \(.starved | named) did less than a tenth of \(.most)'s; compare at one --write_rate"),
	(engines | if length < 2 then empty
		elif any(.[]; .runs < 2) then "one run each says nothing of how much they vary; sweep.sh --repeat=10 does"
		else [range(1; length) as $i | select(.[$i - 1:$i + 1] | alike($ratios["\($at).\($i)"])) | "\(.[$i - 1].label) and \(.[$i].label)"] |
			if length > 0 then "not told apart: \(named): the 95 % interval of their ratio has 1 in it" else empty end end);
def invalid_said: .invalid[] | "invalid: \(.label) \(.benchmark)\(if .rows > 1 then ", \(.rows) rows" else "" end): \(.reason)";
# A line for each cause, of warnings and of notes.
def causes_said: .rows as $rows | .causes[] |
	"\(.grade), \(.runs) of \($rows) rows: \(if .text != (.text | cause) and .runs > 1 then "up to: " else "" end)\(.text) (\(.labels | named))";

# Who leads: of each benchmark and what tells its tables apart, at the most threads, a sentence; and what must be known of those
# that it names.
def found($ratios): to_entries | map(.value |= engines | select(.value | length > 0)) |
	group_by(.value[0] | [.benchmark, .target_rate, .[.apart[]]]) |
	map(max_by(.value[0].threads)) | sort_by(.value[0].time)[] | $ratios["\(.key).1"] as $pair | .value | .[:2] as $two |
	[starved.starved[]] as $starved | ($two[0] | paced) as $paced | [$two[].label] as [$best, $next] |
	($two | map(.runs) | min) as $runs | "95 % interval \($pair[1] | three) to \($pair[2] | three)" as $interval |
	(if $runs < 2 then "one run each: no interval" else "\($interval), \($runs) runs each" end) as $sure |
	def response: .result.median | time;
	"\(title): " +
	if length < 2 then if $paced then "\($best) has a p99 response time of \($two[0] | response)." else "\($best) does \($two[0].result.median | short) operations/s." end
	elif $two | alike($pair) then "\($best) and \($next) are not told apart (ratio \($pair[0] | three), \($interval))."
	elif $paced | not then "\($best) leads with \($two[0].result.median | short) operations/s, \($pair[0] | three) times \($next) (\($sure))."
	elif $two | map(.missed != "") == [false, true] then
		"\($best) met the rate with a p99 response time of \($two[0] | response), \($next) missed it with \($two[1] | response)."
	else "\($best) leads with a p99 response time of \($two[0] | response), \($next)'s is \($pair[0] | three) times that (\($sure))." end +
	(if $paced and all($two[]; .missed == "") then " The rate was met." else "" end) +
	([$two[] | .label as $name | [(.missed | select(. != "")), if $name | IN($starved[]) then "its writes were starved" else empty end, .cautions[]] |
		select(. != []) | "\($name): \(join(", "))"] | if . == [] then "" else " But \(join("; "))." end);
