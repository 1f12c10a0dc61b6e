# report.jq: report.sh's page. Given are $rows, $failed ({run, why}), $summary (summary.sh --format=json), $directory, $title, and as
# texts $style and $plots (HTML), with $plotted, how many there are; $profiles are those of report-profile.jq.

include "page";
include "numbers";
include "rows";
include "limits";

# numbers as text
def metric($kind): if . == null or . == "" then "–" elif type != "number" then tostring
	elif $kind == "rate" then short elif $kind == "ns" then time | sub("us$"; "µs") elif $kind == "kb" then size
	elif $kind == "bytes" then . / 1024 | size elif $kind == "percent" then . / 100 | percent
	else three end | h;

# distinct values in their order; groups of them; "3 rows"
def distinct: reduce .[] as $one ([]; if index([$one]) then . else . + [$one] end);
def groups(key): . as $all | map(key) | distinct | map(. as $key | $all | map(select(key == $key)));
def some($n; $word): "\($n | commas) \($word)\(if $n == 1 then "" else "s" end)";
def listed: if length > 3 then .[:3] + ["\(length - 3) more"] else . end | if length < 2 then join("") else "\(.[:-1] | join(", ")) and \(.[-1])" end;

def valid: .valid == 1;
[$rows | to_entries[] | .value + {number: (.key + 1)}] as $rows |
$summary[0] as $summary |
(if $title != "" then $title
	else "Which is fastest? " + ([([$rows[] | select(.engine != "null")] | some(map(.label // .engine) | unique | length; if all(.[]; .label == .engine) then "engine" else "configuration" end)),
		([$rows[].num] | unique | if length == 1 then "\(.[0] | commas) records" else empty end),
		([$rows[].cores | values] | unique | if length == 1 then some(.[0]; "core") else empty end)] | join(", ")) end) as $title |

# How many times as much a leader does: 1.01, 1.2, 14.
def lead_times: if . < 1.1 then fixed(2) else rough end;
def link: "<a href=\"#row-\(.)\">\(.)</a>";
def links: if length > 12 then (.[:12] | map(link) | join(", ")) + " and \(length - 12) more" else map(link) | join(", ") end;
def fact($title; column): [$rows[] | column | select(. != null and . != "") | tostring] | distinct |
	select(length > 0) | [$title, (map(h) | join("; "))];

# ---- the tables of summary.sh as charts

def ranked: map(select(.engine | IN("null", "aio") | not));
def threads_said: "\(.threads) thread\(if .threads == 1 then "" else "s" end)";
def paced_table: .points[0] | paced;
# the leader, and how it stands to the next: {best, next, times, sure, tied}; starved: the writes beside its reads are less than a tenth of
# another's
def lead: .ratio as $ratio | ([.points | ranked[] | select(background_writer) | .writes_per_sec | values] | max // 0) as $most |
	(.points | ranked) as [$best, $next] | select($best) | {starved: ($best | background_writer and .writes_per_sec < $most / 10), best: $best.label, next: $next.label, value: $best.result.median, runs: $best.runs,
	times: (if $next == null or $best.result.median == 0 then null else $next.result.median / $best.result.median | if . > 1 then . elif . > 0 then 1 / . else null end end),
	tied: ($ratio != null and $ratio[1] != null and $ratio[1] <= 1), sure: ($ratio != null and $ratio[1] != null and $ratio[1] > 1)};
def what: if paced then "p99" elif .reads > 0 and .writes > 0 and (background_writer | not) then "ops/s" elif .reads > 0 then "reads/s"
	elif .scans > 0 then "scans/s" elif .writes > 0 then "writes/s" else "ops/s" end;
# causes that more than half of the rows have are said once, at the top
[$summary.causes[] | select(.runs > $summary.rows / 2).cause] as $common |
def in_runs: .text + if .runs < .of then " (\(.runs) of \(.of) runs)" else "" end;
def shown: ranked as $engines | if $engines == [] then . else map(select(.engine != "null")) end;
def chart_lines($letters): .points as $all | .invalid as $invalid |
	($all | shown | map({"label": .label, value: .result.median,
		low: .whisker[0], high: .whisker[1], writes: (if background_writer then .writes_per_sec else null end), limit: .limited,
		ranked: (.engine | IN("null", "aio") | not),
		warnings: [.causes[] | select(.grade == "warning" and (.cause | IN($common[]) | not)) | in_runs],
		notes: [.causes[] | select(.grade == "note" and (.cause | IN($common[]) | not)) | $letters[.cause]]} +
		(if paced then {p50: response_of("p50"), p99: response_of("p99"), p999: response_of("p999")}
			else {p50: latency_of("p50"), p99: latency_of("p99"), p999: latency_of("p999")} end)) +
		[$invalid[] | select(.label as $name | any($all[]; .label == $name) | not) | {"label": .label, invalid: .reason}]);
def letters: [.points | shown[] | .causes[] | select(.grade == "note" and (.cause | IN($common[]) | not)).cause] | unique | to_entries | map({key: .value, value: ([97 + .key] | implode)}) | from_entries;
def finding: . as $table | [lead][0] as $lead | (.points[0] | paced) as $paced | def text: if $paced then time | sub("us$"; "µs") else short end;
	(.points[0] | what | sub("ops/s|p99"; "")) as $unit |
	"\(.points[0] | threads_said)\(.title | sub("^[^,]*, [0-9]+ threads?"; "") | h): " + if $lead == null then "\(.points[0].label | h)" elif $lead.next == null then "\($lead.best | h) \($lead.value | text)\($unit | sub("^.*/"; "/"))"
	elif $lead.tied then "\($lead.best | h) and \($lead.next | h) cannot be told apart"
	else "\($lead.best | h) \($lead.value | text)\($unit | sub("^.*/"; "/")), \(if $lead.times == null then "–" else $lead.times | lead_times end) ×\(if $paced then " shorter than" else "" end) the next (\($lead.next | h)\(
		if $lead.sure then "; 95 % interval \($table.ratio[1] | lead_times) to \($table.ratio[2] | lead_times) ×" else "; one run: no interval" end))" end +
	if $lead.starved // false then ", but its writes were starved" else "" end;
def best: [.points | ranked[] | .result.median] | max // 0;
def table_chart: letters as $letters | best as $best | .limit as $limit | .points as $points | "<h3>\(finding)</h3>",
	(chart_lines($letters) | chart({unit: ($points[0] | what), time: ($points[0] | paced), line: (if $limit != null and ($points[0] | paced | not) and $limit >= $best and $limit <= 2 * $best then $limit else null end)})),
	([($letters | to_entries[] | .key as $cause | "<sup>\(.value)</sup> \([$points[].causes[] | select(.cause == $cause).text][0] | h)."),
		($points | select(ranked != []) | .[] | select(.engine == "null" and (paced | not)) | "The null engine, which stores nothing, does \(.result.median | short)/s: the limit of the harness."),
		(.said[] | select(contains("one run each says nothing") | not) | "\(.[:1] | ascii_upcase)\(.[1:] | h).")] | if . == [] then empty else "<p class=\"note\">\(join(" "))</p>" end);

# Sections of the workloads, and within them of what tells their tables apart but threads.
($summary.tables | map(. as $table | .invalid = [$summary.invalid[] | select(.benchmark == $table.points[0].benchmark and .threads == $table.points[0].threads)])) as $charts |
($charts | groups(.points[0].benchmark)) as $workloads |
def series: groups(.points[0] | [.target_rate, .[.apart[]]]) | map(sort_by(.points[0].threads));
def workload: .[0].points[0].benchmark as $name | section("workload-\($name | @uri)"; $name | h; series[] |
	"<p class=\"sub\">\(.[0].conditions | h)</p>",
	(if length > 2 then ([.[].points[0].threads]) as $xs | ([.[].points[] | select(.engine != "null")]) as $points |
		($points | groups(.label) | map({"label": .[0].label, points: map([.threads, .result.median])}) | sort_by(-(.points | map(.[1]) | max))) as $panels |
		"<h3>\($points[0] | what) by threads</h3>", ($panels | panels($xs; "threads")) else empty end),
	(.[0], (if length > 1 then .[-1] else empty end) | table_chart),
	folded("The chart\(if length > 3 then "s" else "" end) of \(.[1:-1] | map(.points[0].threads | tostring) | listed) threads"; select(length > 2) | .[1:-1][] | table_chart));

# at a glance: of each series the fewest and the most threads
[$workloads[] | series[] | (.[0], (if length > 1 then .[-1] else empty end)) | select((.points | ranked) != [])] as $columns |
def glance_lines: ([$columns[] | (.points | ranked) as $points | (.points[0] | paced) as $paced | reduce $points[] as $p ({}; .[$p.label] =
		if $paced then $points[0].result.median / ([$p.result.median, 1] | max) else $p.result.median / ([$points[0].result.median, 1e-9] | max) end)]) as $parts |
	[$parts[] | keys[]] | unique | map(. as $name | {"label": ., parts: [$parts[][$name]]} | .mean = (if any(.parts[]; . == null) then null
		else .parts | map([., 1e-6] | max | log) | add / length | exp end)) | sort_by([.mean == null, -(.mean // 0)]);
def glance: glance_lines as $lines |
	(($columns | length) as $n | $n / ($n / 7 | ceil) | ceil) as $wide |
	range(0; $columns | length; $wide) as $from | $columns[$from:$from + $wide] as $shown |
	"<div class=\"box\"><table class=\"score\"><thead><tr><th>engine</th>" + ([$shown[] | .points[0] as $p | "<th>\($p.benchmark | h)<br>\($p | threads_said)\(.title | sub("^[^,]*, [0-9]+ threads?"; "") | h)<br><b>\(
		(.points | ranked)[0].result.median | if $p | paced then time | sub("us$"; "µs") else "\(short)/s" end)</b></th>"] | join("")) + "<th class=\"n\">geometric<br>mean</th></tr></thead><tbody>",
	($lines[] | .label as $name | "<tr><td>\($name | name([]))</td>" + ([.parts[$from:$from + $wide][] | "<td>" + (if . == null then "–" else
		"<div class=\"of\">\(if . == 1 then "<b>100</b>" else . * 100 | rough end)<span class=\"e-\($name | engine)\">\({"label": $name, value: .} | bar(1; false))</span></div>" end) + "</td>"] | join("")) +
		"<td class=\"n\">\(if .mean == null then "–" else .mean | percent end)</td></tr>"), "</tbody></table></div>";

# ---- the answer, in three sentences at most
def overall: ([glance_lines[] | select(.mean != null)]) as [$first, $second] | select($second != null) |
	"<b>\($first.label | h)</b> is first overall: on geometric mean \($first.mean | percent) of the best of each result; next is \($second.label | h) with \($second.mean | percent).";
def answer: [$columns[] | lead + {benchmark: .points[0].benchmark}] as $leads | select($leads != []) | ($leads | length) as $n | ([$leads[].runs] | min) as $runs |
	def by: map(.times | values) | if . == [] then "" else ", by \([min, max] | map(lead_times) | unique | join(" to ")) ×" end;
	($leads | map(select(.next != null)) | group_by(.best)) as $winners |
	([$winners[] | map(select(.tied | not)) | select(. != [])] | sort_by(-length) | map("<b>\(.[0].best | h)</b> leads in \(if $n == 1 then "the one result" elif length == $n then "all \($n) results" else "\(length) of \($n)" end) (\(map(.benchmark) | unique | listed | h)\(by)\(
		map(select(.starved).benchmark) | unique | if . == [] then "" else "; starving writes in \(listed | h)" end))") | listed) as $who |
	([$winners[][] | select(.tied)] | if . == [] then "" else "in \(length) of \($n) the first two cannot be told apart (\(map("\(.best) and \(.next) in \(.benchmark)") | unique | listed | h))" end) as $ties |
	([$columns[].points | ranked[] | .limited.word] | group_by(.) | sort_by(-length) | map({word: .[0], n: length})) as $limits |
	[(overall | select($winners | length != 1)),
	(if $winners == [] then "<b>\($leads[0].best | h)</b> is alone: there is nothing to compare it with." else [$who, $ties | select(. != "")] | join("; ") |
		"\(if startswith("in ") then "I" + .[1:] else . end); \(([$leads[] | select(.runs < 2)] | length) as $bare | if $bare == $n then "with one run each there is no telling how sure that is"
			else "a lead is one whose 95 % interval is above 1, of \(if $bare > 0 then ([$leads[].runs | select(. > 1)] | min) else $runs end | some(.; "run")) or more" + if $bare > 0 then ", but for \(some($bare; "result")) of one run, of which there is no telling" else "" end end)." end),
	"Limited by \($limits | map(select(.word | no_limit | not) | "<b>\(.word)</b> in \(.n)") + map(select(.word | no_limit) | "no single limit in \(.n)") | join(", ")) of \($limits | map(.n) | add | some(.; "result"))."] | join(" ");

# ---- all numbers

# Conditions stand in a table where they differ; measures where there are any. In groups of at most five.
def conditions: [["num", "records", ""], ["key_size", "key bytes", ""], ["value_sizes", "value bytes", ""],
	["batch_size", "batch", ""], ["distribution", "keys", ""], ["mix", "mix", ""], ["scan_length", "range", ""],
	["durability", "durability", ""], ["compression", "compression", ""], ["cache_bytes", "cache", "bytes"],
	["durability_effective", "durability given", ""], ["touch", "touch", ""], ["memory_limit_kb", "memory", "kb"], ["cold", "cold", ""], ["target_rate", "target rate", "rate"], ["storage", "storage", ""],
	["medium", "medium", ""], ["filesystem", "file system", ""], ["parts", "parts", ""], ["warm", "warm", ""], ["side", "side", ""],
	["x", "x", ""], ["iteration", "iteration", ""], ["repetition", "repetition", ""], ["cores", "cores", ""]];
def quantiles($kind): [["p50", "p50"], ["p90", "p90"], ["p99", "p99"], ["p999", "p99.9"], ["max", "longest"]] | map(["\($kind)_\(.[0])_ns", .[1], "ns"]);
def measures: [["Rate, a second", [["ops_per_sec", "operations", "rate"], ["entries_per_sec", "entries", "rate"], ["reads_per_sec", "reads", "rate"], ["writes_per_sec", "writes", "rate"], ["ops_per_sec_all_in", "all in", "rate"]]],
	(("read", "write", "scan") as $kind | ["Latency of a \($kind)", quantiles($kind)], ["Response of a \($kind)", quantiles("\($kind)_resp")]),
	["Runs", [["runs", "runs", ""], ["cv", "CV", "percent"], ["rate_cv", "CV in a run", ""], ["seconds", "seconds", ""], ["target_rate_met", "rate met", ""]]],
	["CPU", [["cpu_us_per_op", "µs an operation", ""], ["cpu_percent", "%", ""], ["sys_s", "kernel, s", ""], ["ctx_voluntary", "switches", "rate"], ["harness_ns_per_op", "harness, ns", ""]]],
	["Memory and space", [["memory_used_kb", "memory", "kb"], ["rss_kb", "resident", "kb"], ["db_disk_kb", "on disk", "kb"], ["space_amp", "space amp.", ""], ["peak_rss_kb", "peak", "kb"]]],
	["Device", [["write_amp", "write amp.", ""], ["host_write_amp", "at the device", ""], ["syncs_per_commit", "syncs a commit", ""], ["device_reads_per_op", "reads an operation", ""], ["device_busy_percent", "busy, %", ""]]]];
# of a list of {name (HTML), row}
def number_tables: . as $lines | [conditions[] | select(.[0] as $c | [$lines[].row[$c] | select(. != null and . != "")] | unique | length > 1)] as $differing |
	[["Conditions", $differing[:5]], ["More conditions", $differing[5:10]], (measures[] | [.[0], (.[1] | map(select(.[0] as $c | any($lines[].row; .[$c] != null and (.[$c] != 0 or $c == "target_rate_met")))))])] | map(select(.[1] != [])) |
	"<div class=\"groups\">", (.[] | .[1] as $shown | table(.[0]; ["engine", $shown[][1]]; 1; $lines[] | .row as $row | [.name, ($shown[] | .[0] as $c | .[2] as $kind |
		if $row | valid then $row[$c] | metric($kind) else "<span class=\"invalid\">invalid</span>" end)])), "</div>";

# ---- profiles
def us: if . == null then "–" else . * 1000 | time | sub("us$"; "µs") end;
def profile_said: "\(.label | h): \(.profile_us_per_op | us) of CPU an operation\(.functions[0] // null | if . then ", \(.percent | round) % in \(.function | sub("^\\[(?<l>.*[.]so.*)\\]$"; "functions of \(.l) without names") | h)" else "" end)\(
	if .off_cpu_us_per_op then "; \(.off_cpu_us_per_op | us) off CPU" else "" end)";
def profile: folded(profile_said;
	(.missing // "" | select(. != "") | "<p class=\"facts caution\">\(.[:1] | ascii_upcase)\(.[1:] | h).</p>"),
	(if .samples < 500 then "<p class=\"facts caution\">\(.samples) samples: a function of a few percent may be chance.</p>" else empty end),
	table(""; ["function", "called by", "library", "thread", "itself", "%", "with callees"]; 4;
		.functions[] | [(.function | h), (.caller // "" | h), (.library | h), (.role | h), (.cpu_us_per_op | us), (.percent | three), (.with_callees_us_per_op | us)]),
	.graphs);
def profile_section: section("profiles"; "Profiles"; if $profiles == [] then empty else
	"<p class=\"sub\">Where the CPU time of one run of each went, by function, and where its threads slept: runs under perf, apart from the rows above, whose rates they do not enter.</p>",
	($profiles | groups([.benchmark, .threads])[] | "<h3>\(.[0].benchmark | h), \(.[0] | threads_said)</h3>", (sort_by(.profile_us_per_op)[] | profile)) end);

# The warnings of rows.
def doubts: [$rows[] | . as $row | (.warnings // "" | select(. != "") | split("; ")[]) | {why: gsub("[0-9][0-9.]*"; "…"), said: ., number: $row.number}];

([$rows[] | select(valid | not)] | length) as $invalid |
page_head($title; $style),
"<header>",
"<p class=\"origin\">\(["assay \([$rows[].commit | values] | unique | listed)", $directory, ([$rows[].time | values] | sort |
		if . == [] then empty elif .[0] == .[-1] then .[0] else "\(.[0]) to \(.[-1])" end)] | map(h) | join(" · "))</p>",
"<h1>\($title | h)</h1>",
(answer | "<p class=\"answer\">\(.)</p>"),
(([$charts[].points[] | .result.cv | values | select(. > 0)]) as $cvs | ([$charts[].points[].runs] | [min, max]) as $runs |
	"<p class=\"facts\"><b>\(if $runs == [1, 1] then "One run of each: no intervals" else "\($runs | unique | map(tostring) | join(" to ")) runs of each</b>: bars are medians, whiskers the 95 % interval, or with three or four runs their range<b>" end)</b>\(
		if $cvs == [] then "" else "; runs scatter by \([$cvs | min, max] | map(percent) | if .[0] == .[1] then .[0] else join(" to ") end) (CV)" end).</p>"),
"<p class=\"facts\">\([
	"<b>\($rows | length | commas)</b> rows", "<b>\($invalid)</b> invalid",
	(if ($failed | length) > 0 then "<b>\($failed | length)</b> \(if ($failed | length) == 1 then "run" else "runs" end) without a row" else empty end),
	([$rows[] | select(valid and (.warnings // "") != "")] | length | if . > 0 then "<span class=\"warning\"><b>\(.)</b></span> with warnings (their bars are hatched)" else "<b>0</b> with warnings" end),
	([$rows[] | "records of \(.key_size) + \(.value_sizes // .value_size) bytes"] | unique | if length == 1 then .[0] else empty end),
	([$rows[].durability | values] | unique | select(. != []) | "durability \(join(", "))"),
	([$rows[] | select(.memory_limit_kb != null) | .memory_limit_kb | size] | unique | select(. != []) | "memory limited to \(join(", "))"),
	([$rows[] | select(.filesystem != null) | "\(.filesystem) on \(.device)"] | unique | select(. != []) | join(", "))] | map(if startswith("<") then . else h end) | join(" · "))</p>",
($summary.causes[] | select(.cause | IN($common[])) | "<p class=\"facts\(if .grade == "warning" then " warning" else "" end)\">\(.text | h) (up to; \(.runs | commas) of \($summary.rows | commas) rows)</p>"),
"</header>",
"<nav>" + ([if $columns == [] then empty else ["glance", "At a glance"] end, ($workloads[] | .[0].points[0].benchmark | ["workload-\(@uri)", .]),
	if $plotted > 0 then ["plots", "Plots"] else empty end, if $profiles != [] then ["profiles", "Profiles"] else empty end,
	if $invalid + ($failed | length) > 0 then ["invalid", "Invalid"] else empty end, ["numbers", "All numbers"], ["machine", "Machine, engines, commands"]] |
	map("<a href=\"#\(.[0])\">\(.[1] | h)</a>") | join(" ")) + "</nav>",
([$charts[].points[].label] | distinct | if . == [] then empty else chips end),
section("glance"; "At a glance"; if $columns == [] then empty else
	"<p class=\"sub\">Rate in percent of the best in each column, whose rate is in the heading. Engines by the geometric mean of these percentages.</p>", glance end),
(if $charts == [] then empty else folded("How to read the charts"; "<p class=\"note\">Bars are linear from 0; hatched: a warning, whose reason is below; hollow: a variant of an engine. On the logarithmic scale of latencies the engine's shape is p50, the ring p99, and the line ends at p99.9. \(limits_said | h) The upper small bar is CPU, the lower the time in which the device was busy.</p>") end),
($workloads[] | workload),
(if $plotted == 0 then empty else "<section id=\"plots\"><h2>Plots</h2>", $plots, "</section>" end),
profile_section,
section("invalid"; "Invalid rows and failed runs"; [$rows[] | select(valid | not)] |
	(if length > 0 then table(""; ["row", "engine", "workload", "threads", "why"]; 9;
		.[] | [(.number | link), (.label // .engine | h), ([.experiment, .benchmark] | map(select(. != null)) | unique | join(": ") | h), (.threads | h), "<span class=\"invalid\">\(.invalid_reason | h)</span>"]) else empty end),
	(if ($failed | length) > 0 then "<p>Runs that left no row:</p>",
		table(""; ["run", "what it said last"]; 9; $failed[] | ["<code>\(.run | h)</code>", "<span class=\"invalid\">\(.why | h)</span>"]) else empty end)),
section("numbers"; "All numbers"; "<p class=\"sub\">Medians of the runs of each engine, column by column.</p>",
	([$workloads[] | series[][]] | to_entries[] | "<details\(if .key == 0 then " open" else "" end)><summary>\(.value.title | h)</summary>", (.value.points | map({name: (.label | named_small), row: (. + {valid: 1, cv: (.result.cv | if . then . * 100 else . end)})}) | number_tables), "</details>")),
section("machine"; "Machine, engines, commands"; facts(
		fact("workloads"; .benchmark), fact("host"; .host), fact("CPU"; .cpu), fact("cores"; .cores), fact("CPU quota"; .cpu_quota),
		fact("memory"; .memory_kb | if type == "number" then size else . end),
		fact("memory limit"; .memory_limit_kb | if type == "number" then size else . end), fact("kernel"; .kernel),
		fact("file system"; [.filesystem, .mount_options] | map(select(. != null and . != "")) | join(", ")),
		fact("device"; [.device, .simulated_disk, .io_scheduler] | map(select(. != null and . != "")) | join(", ")),
		fact("read-ahead"; .read_ahead_kb | if . == null then "" else "\(.) KiB" end),
		fact("governor"; .governor), fact("huge pages"; .thp), fact("swappiness"; .swappiness), fact("idle memory"; .idle_reclaim), fact("durability"; .durability), fact("seed"; .seed),
		fact("suite"; .commit), fact("compiler"; .build),
		([$rows[].load_before | values] | select(length > 0) | ["load before", "\(min | three) to \(max | three)"]),
		([$rows[].others_cpu_percent | values] | select(length > 0) | ["CPU of others", "up to \(max | three) %"]),
		([$rows[].steal_percent | values] | select(length > 0) | ["taken by the hypervisor", "up to \(max | three) %"]),
		([$rows[].harness_ns_per_op | values] | select(length > 0) | ["baseline of the harness", "\(min | three) to \(max | three) ns an operation"])),
	folded("Warnings of rows"; doubts | if length == 0 then "<p>No row has a warning.</p>" else
		table(""; ["warning", "rows", ""]; 9; groups(.why)[] | ["\(.[0].said | h)\(if (map(.said) | unique | length) > 1 then ", and the like" else "" end)", "\(map(.number) | unique | length)", (map(.number) | unique | links)]) end),
	folded("Engines: versions, libraries and settings"; table(""; ["engine", "version", "library", "settings"]; 9;
		[$rows[] | {engine: (.label // .engine), version: .engine_version, build: .engine_build, options: .engine_options}] | groups(.engine)[] |
		[(.[0].engine | h), (map(.version) | distinct | map(h) | join("; ")), (map(.build // "") | distinct | map(h) | join("; ")),
			(map(.options // "") | distinct | if length > 2 then (.[0] | h) + " (and \(length - 1) others)" else map(h) | join("<br>") end)])),
	folded("The \(some($rows | length; "command"))"; "<p class=\"sub\">From the top of the source tree, in their order: a workload that reads needs the database that the load before it has made.</p>",
		"<ol class=\"commands\">", ($rows[] | "<li id=\"row-\(.number)\"><code>\(.command | h)</code></li>"), "</ol>")),
"</body>", "</html>"
