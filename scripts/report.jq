# report.jq: the parts of report.sh's page that are made of JSON: head, top, rows, rest and commands, by $part. Given are $rows, $failed
# ({run, why}), $missing ({engine, reason}), $claims (claims.sh --json), $summary (summary.sh --format=json, or null), $meta (of a
# reproduction), $documents, $tables and $figures (how many there are).

include "numbers";

def h: if . == null then "" else tostring | @html end;

# figures as text
def figure($kind): if . == null or . == "" then "–" elif type != "number" then tostring
	elif $kind == "rate" then (if . >= 100 then commas else three end) elif $kind == "ns" then span elif $kind == "kb" then size
	elif $kind == "bytes" then . / 1024 | size
	else three end | h;

# distinct values in their order; groups of them; "3 rows"
def distinct: reduce .[] as $one ([]; if index([$one]) then . else . + [$one] end);
def groups(key): . as $all | map(key) | distinct | map(. as $key | $all | map(select(key == $key)));
def some($n; $word): "\($n) \($word)\(if $n == 1 then "" else "s" end)";

def name: .label // .engine;
def valid: .valid == 1;
[$rows | to_entries[] | .value + {number: (.key + 1)}] as $rows |
$meta[0] as $meta |
(if $meta then [$documents[0].documents[] | select(.document == $meta.document)][0] else null end) as $document |
# a title in brackets is not the document's own, but what stands for it
def heading: if startswith("(") then ltrimstr("(") | split(":")[0] | rtrimstr(")") else . end;
(if $document then "\($document.title | heading), \($document.year): reproduced" else "Results: \($directory)" end) as $title |

def link: "<a href=\"#row-\(.)\">\(.)</a>";
def links: if length > 12 then (.[:12] | map(link) | join(", ")) + " and \(length - 12) more" else map(link) | join(", ") end;
def section($id; $heading; lines): [lines] | if length == 0 then empty else
	"<section id=\"\($id)\"><h2>\($heading)</h2>", .[], "</section>" end;

# the same, to be opened
def folded($id; $heading; lines): [lines] | if length == 0 then empty else
	"<section id=\"\($id)\"><h2>\($heading)</h2><details><summary>Open</summary>", .[], "</details></section>" end;

# rows of a table, the cells HTML; columns from $numbers on go right
def box($header; $numbers; lines): "<div class=\"wide\"><table><thead><tr>" +
	([$header | to_entries[] | "<th\(if .key >= $numbers then " class=\"n\"" else "" end)>\(.value)</th>"] | join("")) +
	"</tr></thead><tbody>", lines, "</tbody></table></div>";

def facts(lines): "<table class=\"facts\"><tbody>", (lines | "<tr><th scope=\"row\">\(.[0])</th><td>\(.[1])</td></tr>"), "</tbody></table>";
def fact($title; column): [$rows[] | column | select(. != null and . != "") | tostring] | distinct |
	select(length > 0) | [$title, (map(h) | join("; "))];

# conditions stand in a column where they differ within a table; measures where there are any
def conditions: [["num", "records", ""], ["key_size", "key bytes", ""], ["value_sizes", "value bytes", ""],
	["batch_size", "batch", ""], ["distribution", "keys", ""], ["mix", "mix", ""], ["scan_length", "range", ""],
	["durability", "durability", ""], ["compression", "compression", ""], ["cache_bytes", "cache", "bytes"],
	["durability_effective", "durability given", ""], ["touch", "touch", ""], ["memory_limit_kb", "memory", "kb"], ["cold", "cold", ""], ["target_rate", "target rate", "rate"], ["storage", "storage", ""],
	["medium", "medium", ""], ["filesystem", "file system", ""], ["parts", "parts", ""], ["warm", "warm", ""], ["side", "side", ""],
	["x", "x", ""], ["iteration", "iteration", ""], ["repetition", "repetition", ""], ["cores", "cores", ""]];
def measures: [["ops_per_sec", "operations/s", "rate"], ["entries_per_sec", "entries/s", "rate"], ["reads_per_sec", "reads/s", "rate"],
	["writes_per_sec", "writes/s", "rate"], ["read_p50_ns", "read p50", "ns"], ["read_p99_ns", "read p99", "ns"],
	["write_p50_ns", "write p50", "ns"], ["write_p99_ns", "write p99", "ns"], ["scan_p50_ns", "scan p50", "ns"],
	["scan_p99_ns", "scan p99", "ns"], ["target_rate_met", "rate met", ""], ["read_resp_p99_ns", "read response p99", "ns"],
	["write_resp_p99_ns", "write response p99", "ns"], ["scan_resp_p99_ns", "scan response p99", "ns"], ["seconds", "seconds", ""], ["cpu_percent", "CPU %", ""], ["rss_kb", "memory", "kb"],
	["db_disk_kb", "on disk", "kb"], ["write_amp", "write amp.", ""]];

def differing: . as $all | conditions | map(select(.[0] as $c | [$all[] | .[$c] | select(. != null and . != "")] | unique | length > 1));
def measured: map(select(valid)) as $all | measures | map(select(.[0] as $c |
	any($all[]; .[$c] != null and (.[$c] != 0 or $c == "target_rate_met")) and
	($c == "ops_per_sec" or any($all[]; (.[$c] // 0) != .ops_per_sec))));
def common: .[0] as $row | [some($row.num | commas; "record") + " of \($row.key_size) + \($row.value_sizes // $row.value_size) bytes",
	if $row.durability then "durability \($row.durability)" else empty end,
	if $row.distribution then "keys \($row.distribution)" else empty end,
	if $row.memory_limit_kb then "memory limited to \($row.memory_limit_kb | size)" else empty end,
	if $row.cold != null and $row.cold != "" and $row.cold != 0 then "cold" else empty end] | join(", ") | h;

def row_table: differing as $differing | measured as $measured |
	"<h3>\([if .[0].experiment then .[0].experiment | h else empty end, (.[0].benchmark | h)] | unique | join(": "))</h3>",
	"<p class=\"note\">\(common)</p>",
	box(["row", "engine"] + [$differing[][1]] + ["threads"] + [$measured[][1]]; ($differing | length) + 2;
		.[] | . as $row | "<tr><td>\(.number | link)</td><td>\(name | h)</td>" +
		([$differing[] | . as $c | "<td>\($row[$c[0]] | figure($c[2]))</td>"] | join("")) + "<td class=\"n\">\(.threads | h)</td>" +
		(if valid then [$measured[] | . as $c | "<td class=\"n\">\($row[$c[0]] | figure($c[2]))</td>"] | join("")
		elif ($measured | length) > 0 then "<td class=\"invalid\" colspan=\"\($measured | length)\">invalid: \(.invalid_reason | h)</td>"
		else "" end) + "</tr>");

# the engines side by side, as summary.sh prints them
def summary_table: "<h3>\(.heading | h)</h3>", box(.lines[0] | map(h); 1;
	.lines[1:][] | "<tr>" + ([to_entries[] | "<td\(if .key > 0 then " class=\"n\"" else "" end)>\(.value | h)</td>"] | join("")) + "</tr>");

# the warnings of rows: {why: [numbers of rows]}
def doubts: [$rows[] | . as $row | (.warnings // "" | select(. != "") | split("; ")[]) | {why: (sub(" [0-9.]+ ?%"; "") | sub("[0-9.]+"; "…")), said: ., number: $row.number}];

def verdict: if . == null then "" else
	"<span class=\"verdict \(.verdict)\">\({holds: "holds", fails: "does not hold", depends: "depends on",
		open: "not testable here"}[.verdict])</span> \(
		if .verdict == "open" then "<span class=\"open\">\(.reason | h)</span>" else .numbers | h end)" end;
def claims_of($side; $verdict): [$claims[] | select(.[$side].verdict == $verdict)] | length;

if $part == "head" then
	"<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">", "<title>\($title | h)</title>"

elif $part == "top" then
	([$rows[] | select(valid | not)] | length) as $invalid | ["rows", "Every row"] as $all_rows |
	"<header><h1>\($title | h)</h1>",
	(if $meta then "<p>\($document.author | h), at scale \($meta.scale | h), begun \($meta.date | h): <code>\($meta.command | h)</code></p>" else
		([$rows[].time | select(. != null)] | sort | if length > 0 then "<p>Begun \(.[0] | h)\(
			if .[-1] != .[0] then ", last run begun \(.[-1] | h)" else "" end).</p>" else empty end) end),
	([$changed[] | select(.document == $meta.document).said] | if length > 0 then
		"<p>What was changed, and why:</p>", "<ol class=\"changed\">", (.[] | "<li>\(h)</li>"), "</ol>" else empty end),
	(if $meta.scale == "small" then "<p class=\"warning\">At scale small the figures say nothing: it shows that the scripts work.</p>" else empty end),
	"<ul class=\"summary\">", "<li><b>\($rows | length)</b> rows</li>",
	"<li\(if $invalid > 0 then " class=\"bad\"" else "" end)><b>\($invalid)</b> invalid</li>",
	(if ($failed | length) > 0 then "<li class=\"bad\"><b>\($failed | length)</b> \(if ($failed | length) == 1 then "run" else "runs" end) without a row</li>" else empty end),
	(if ($claims | length) > 0 then
		"<li><b>\(claims_of("published"; "fails"))</b> of \(claims_of("published"; "holds") + claims_of("published"; "fails")
			) claims fail on the published figures</li>",
		if claims_of("ours"; "holds") + claims_of("ours"; "fails") == 0 then empty else "<li><b>\(claims_of("ours"; "holds"))</b> of \(claims_of("ours"; "holds") + claims_of("ours"; "fails")) hold here</li>" end else empty end),
	(if ($missing | length) > 0 then "<li><b>\($missing | length)</b> of the publication not here</li>" else empty end), "</ul>", "</header>",
	"<nav>" + ([if $tables == 0 then ["found", "What was found"] else empty end, if $tables > 0 then ["tables", "Published and measured"] else empty end, if $figures > 0 then ["figures", "Figures"] else empty end,
		if ($claims | length) > 0 then ["claims", "Claims"] else empty end,
		if $invalid + ($failed | length) > 0 then ["invalid", "Invalid"] else empty end, ["warnings", "Warnings"], $all_rows, ["machine", "Machine"], ["engines", "Engines"], ["commands", "How to repeat"]] |
		map("<a href=\"#\(.[0])\">\(.[1])</a>") | join(" ")) + "</nav>",
	section("found"; "What was found"; $summary[0] // empty |
		(.found | if length > 0 then "<ul class=\"found\">", (.[] | "<li>\(h)</li>"), "</ul>" else empty end),
		(.said + (.tables | map(.said[] as $said | "\(.title): \($said)")) |
			map(select(contains("one run each says nothing") | not)) |
			if length > 0 then "<p>What stands out:</p>", "<ul>", (.[:12][] | "<li>\(h)</li>"),
				(if length > 12 then "<li>and \(length - 12) more, in the tables below</li>" else empty end), "</ul>" else empty end),
		(.tables | map(select(.lines | length > 1)) | if length == 0 then empty else
			(.[:3][] | summary_table),
			(if length > 3 then "<details><summary>\(length - 3) more tables</summary>", (.[3:][] | summary_table), "</details>" else empty end) end))

elif $part == "commands" then
	# where it ran stands before how to repeat it
	folded("machine"; "What ran, and on what"; facts(
		fact("workloads"; .benchmark), fact("host"; .host), fact("CPU"; .cpu), fact("cores"; .cores),
		fact("memory"; .memory_kb | if type == "number" then size else . end),
		fact("memory limit"; .memory_limit_kb | if type == "number" then size else . end), fact("kernel"; .kernel),
		fact("file system"; [.filesystem, .mount_options] | map(select(. != null and . != "")) | join(", ")),
		fact("device"; [.device, .simulated_disk, .io_scheduler] | map(select(. != null and . != "")) | join(", ")),
		fact("read-ahead"; .read_ahead_kb | if . == null then "" else "\(.) KiB" end),
		fact("governor"; .governor), fact("huge pages"; .thp), fact("swappiness"; .swappiness), fact("idle memory"; .idle_reclaim), fact("durability"; .durability), fact("seed"; .seed),
		fact("suite"; .commit), fact("compiler"; .build))),
	folded("engines"; "Engines";
		"<table class=\"cards\"><thead><tr><th>engine</th><th>version</th><th>library</th><th>settings</th></tr></thead><tbody>",
		([$rows[] | {engine: name, version: .engine_version, build: .engine_build, options: .engine_options}] | groups(.engine)[] |
			"<tr><td class=\"id\">\(.[0].engine | h)</td><td data-side=\"version\">\(map(.version) | distinct | map(h) | join("; "))</td>" +
			"<td data-side=\"library\">\(map(.build // "") | distinct | map(h) | join("; "))</td><td data-side=\"settings\">\(
				map(.options // "") | distinct | if length > 2 then (.[0] | h) + " (and \(length - 1) others)" else map(h) | join("<br>") end)</td></tr>"),
		"</tbody></table>",
		(if ($missing | length) > 0 then "<h3>Not here</h3>", "<p>Engines, media and tests of the publication that were not run:</p>",
			box(["what", "why"]; 9; $missing[] | "<tr><td>\(.engine | h)</td><td>\(.reason | h)</td></tr>") else empty end)),

	folded("commands"; "How to repeat";
		"<p class=\"note\">From the top of the source tree, in their order: a workload that reads needs the database that the load before it has made.</p>",
		"<ol class=\"commands\">", ($rows[] | "<li id=\"row-\(.number)\"><code>\(.command | h)</code></li>"), "</ol>")

elif $part == "rows" then
	folded("rows"; "Every row"; "<p class=\"note\">The number of a row leads to the command that repeats it.</p>",
		($rows | groups([.experiment, .benchmark])[] | row_table))

else
	section("claims"; "Claims"; if ($claims | length) == 0 then empty else
		"<p class=\"note\">What the publication says, in our words, decided by what it printed and by what was measured here.</p>",
		"<table class=\"cards claims\"><thead><tr><th></th><th>the document says</th><th>its own figures</th><th>here</th></tr></thead><tbody>",
		($claims[] | "<tr><td class=\"id\">\(.id | h)</td><td class=\"text\">\(.text | h)</td><td class=\"side\" data-side=\"published\">\(
			.published | verdict)</td><td class=\"side\" data-side=\"here\">\(.ours | verdict)\(if .ours.verdict | IN("fails", "depends") then .id as $id |
				[$reasons[] | select(.id == $id).said][0] |
				if . then "<p class=\"why\">Likely because: \(h)</p>" else "" end
				else "" end)</td></tr>"),
		"</tbody></table>" end),
	section("invalid"; "Invalid rows and failed runs"; [$rows[] | select(valid | not)] |
		(if length > 0 then box(["row", "engine", "workload", "threads", "why"]; 9;
			.[] | "<tr><td>\(.number | link)</td><td>\(name | h)</td><td>\([.experiment, .benchmark] | map(select(. != null)) | unique | join(": ") | h
				)</td><td>\(.threads | h)</td><td class=\"invalid\">\(.invalid_reason | h)</td></tr>") else empty end),
		(if ($failed | length) > 0 then "<p>Runs that left no row:</p>",
			box(["run", "what it said last"]; 9; $failed[] | "<tr><td><code>\(.run | h)</code></td><td class=\"invalid\">\(.why | h)</td></tr>") else empty end)),
	folded("warnings"; "Warnings";
		(doubts | if length == 0 then "<p>No row has a warning.</p>" else
			box(["warning", "rows", ""]; 9; groups(.why)[] |
				"<tr><td>\(.[0].said | h)\(if (map(.said) | unique | length) > 1 then ", and the like" else "" end)</td><td>\(map(.number) | unique | length)</td><td>\(
					map(.number) | unique | links)</td></tr>") end),
		facts(
			([$rows[] | .load_before | select(. != null)] | select(length > 0) | ["load before", "\(min | three) to \(max | three)"]),
			([$rows[] | .others_cpu_percent | select(. != null)] | select(length > 0) | ["CPU of others", "up to \(max | three) %"]),
			([$rows[] | .steal_percent | select(. != null)] | select(length > 0) | ["taken by the hypervisor", "up to \(max | three) %"]),
			([$rows[] | .harness_ns_per_op | select(. != null)] | select(length > 0) | ["the suite's own loop", "\(min | three) to \(max | three) ns an operation"]),
			([$rows[] | select(.steady == 0)] | select(length > 0) | ["not steady", "\(some(length; "row")): \(map(.number) | links)"])))
end
