# repro-page.jq: the page of a reproduction, by $part: top, or rest, between which the tables stand. $head is what NAME.jq says with
# `page`; see markdown.jq.

include "page";
include "limits";
include "numbers";
include "rows";

$meta[0] as $meta | $head[0] as $head | $missing[0] as $missing |
([$tables[0].documents[] | select(.document == $meta.document)][0]) as $document |
# a title in brackets is not the document's own, but what stands for it
def heading: if startswith("(") then ltrimstr("(") | split(":")[0] | rtrimstr(")") else . end;
("\($document.title | heading), \($document.year): repeated") as $title |
def word($w): {holds: "holds", fails: "does not hold", depends: "depends", open: "undecided"}[$w];
def some($n; $one): "\($n) \($one)\(if $n == 1 then "" else "s" end)";
def sign: sub(" x"; " ×");
def count($side; $w): [$claims[] | select(.[$side].verdict == $w)] | length;
[$rows[] | select(.valid == 1)] as $valid |
([$rows[].read_ahead_kb | values] | unique) as $ahead |

# ---- how sure it is, and what limited it: of the rows of engines, as the first screen says it
def measured_rows: [$valid[] | select(.engine | IN("null", "aio") | not)];
# What tells the cells of a reproduction apart, but for the round.
def cell_of: [.label, .experiment, .benchmark, .threads, .iteration, .storage, .medium, .parts, .warm, .x, .side, .num, .durability, .size_gb,
	.memory_limit_kb, .distribution, .value_size, .txn, .batch_size, .cache_bytes, .load_order];
def factors: [measured_rows | group_by(cell_of)[] | map(.ops_per_sec | values | select(. > 0)) | select(length > 1) | max / min];
def sure_said: factors as $factors | ([$factors[] | select(. > 2)] | length) as $wide | if $factors == [] then "One round: a lead may be chance." else
	"The best round is \($factors | median - 1 | percent | sentence) above the worst in the median of \($factors | length) measured points, and more than twice as fast in \(
		if $wide > 0 then "<span class=\"caution\">\($wide)</span>" else "none" end)." end;
def limit_said: [measured_rows[] | limit_words] | length as $n | group_by(.) | map({word: .[0], part: (length / $n)}) | sort_by(-.part) |
	map("\(if .word | no_limit then "no single limit" elif .word == "unknown" then "not recorded" else "<b>\(.word | limit_called)</b>" end) in \(.part * 100 | round)&nbsp;%") |
	if . == [] then "Not recorded in these rows." else "Of all rows: \(.[:4] | join(", "))." end;
# How to read the table: what its words mean, of those that it has.
def legend: [$head.asked[] | .word] as $words | ([measured_rows[] | limit_words] | unique) as $limits |
	"<p class=\"sub\">A range is from the slowest round to the fastest. \(if any($head.asked[]; .here | contains(" tie: ")) then "A tie: the ranges meet that of the first. " else "" end)\(
		if any($words[]; test("^as there|by a (larger|smaller) factor")) then "As there: among the engines run on both sides the same leads, by half to twice the factor of there\(if any($words[]; test("by a (larger|smaller) factor")) then "; by a smaller or larger factor: by less or more than that" else "" end). " else "" end)Limits: \(
		[$limits[] | . as $l | limit_means | values | "<b>\($l | if no_limit then "no single limit" else limit_called end)</b>: \(.)"] | unique | join("; ")).</p>";

# below an answer of the table: how sure it is and what limited it
def sure_line: if (. // "") == "" then "" else "<small>\(sentence)</small>" end;

# ---- published and measured: decades of a logarithmic scale, 1 a black line
def scale: [.[] | .lines[] | .there_times, .here_times, .low, .high | values | select(. > 0) | log10] |
	if . == [] then [-1, 1] else [(min | floor), (max | ceil)] | if .[1] < 1 and .[1] <= 0 then .[1] = 1 else . end | if .[0] >= 0 then .[0] = -1 else . end end;
def relative: . as $panel | ([.] | scale) as [$from, $to] |
	def x: ((if . <= 0 then 1e-9 else . end | log10) - $from) / ($to - $from) | part(1);
	def value_of: if . == null then "–" else short end;
	"<div><h3>\(.title | h)</h3><p class=\"sub\">\(.note | h)</p>",
	"<div class=\"relative head\"><span></span><span class=\"axis\">\(axis(range($from; $to + 1) | select(. == 0 or . == $from or . == $to) |
		[(. - $from) / ($to - $from), (pow(10; .) | if . >= 1 then "\(round)" else "1/\(1 / . | round)" end)]))</span><span class=\"to\">there → <b>here</b></span></div>",
	(.lines[] | .label as $called |
		"<div class=\"relative\" data-label=\"\($called | h)\"><span class=\"name\">\($called | mark)<span>\($called | named_small)</span></span>" +
		"<svg class=\"e-\($called | engine)\" role=\"img\" aria-label=\"\($called | h): there \(.there_times | if . then times else "none" end), here \(.here_times | if . then times else "none" end)\">" +
		([range($from; $to + 1) | "<line class=\"\(if . == 0 then "one" else "grid" end)\" x1=\"\(pow(10; .) | x)\" x2=\"\(pow(10; .) | x)\" y1=\"0\" y2=\"26\"/>"] | join("")) +
		(if .there_times and .here_times then "<line class=\"way\" x1=\"\(.there_times | x)\" x2=\"\(.here_times | x)\" y1=\"13\" y2=\"13\"/>" else "" end) +
		(if .low and .low != .high then "<line class=\"range\" x1=\"\(.low | x)\" x2=\"\(.high | x)\" y1=\"13\" y2=\"13\"/>" +
			([.low, .high] | map("<line class=\"range\" x1=\"\(x)\" x2=\"\(x)\" y1=\"9\" y2=\"17\"/>") | join("")) else "" end) +
		(if .there_times then "<circle class=\"there\" cx=\"\(.there_times | x)\" cy=\"13\" r=\"4.4\"/>" else "" end) +
		(if .here_times then "<g\(if $called | variant then " class=\"hollow\"" else "" end)><use href=\"#m-\($called | engine)\" x=\"\(.here_times | x)\" y=\"13\"/></g>" else "" end) +
		"</svg><span class=\"to\">" + (if $called == $panel.reference then "\(.there | value_of) → <b>\(.here | value_of)</b>"
			else "\(.there_times | if . then factor | sign else "–" end) → <b>\(.here_times | if . then factor | sign else "–" end)</b>" end) + "</span></div>"),
	"</div>";

# ---- a claim: one line that opens
def told($side): .[$side] | select(. != null) | (.parts | map(select(.name)) | length) as $named |
	if $named > 0 then "<ul>" + ([.parts[] | "<li>\(.name | h): <b class=\"\(.verdict)\">\(word(.verdict))</b> \([.reason, .numbers] | map(values) | map(h) | join(": "))</li>"] | join("")) + "</ul>"
	else ([(if .verdict == "open" then .reason else null end), .numbers] | map(values) | map(h) | join(": ")) end;
def claim: .id as $id | "<details class=\"claim\" id=\"claim-\($id)\"><summary><span class=\"id\">\($id)</span><span class=\"text\">\(.text | h)\(if .rule then " <small>(\(.rule | h))</small>" else "" end)</span>" +
	"<span class=\"there word \(.published.verdict)\">\(word(.published.verdict))</span><span class=\"here word \(.ours.verdict)\">\(word(.ours.verdict))</span></summary>" +
	"<div><p>\(if .kind == "said" then "Said" else "Read off" end): \(.place | h)\(if .tolerance != null and .tolerance != 0 then ". Threshold: \(.tolerance | three)" else "" end)</p>" +
	"<div>There: \(told("published"))</div><div>Here: \(told("ours"))</div>" +
	(if .ours.verdict | IN("fails", "depends") then [$reasons[] | select(.id == $id).said][0] | if . then "<p>Likely because: \(h)</p>" else "" end else "" end) + "</div></details>";
def order: {fails: 0, depends: 1, holds: 2, open: 3}[.];

if $part == "top" then
	page_head("\($title): assay"; $style + $own),
	"<p class=\"origin\">assay reproduction of <b>\($meta.document | h)</b> · <code>\($meta.command | h)</code> · \(some($meta.rounds // 1; "round")), \($meta.date | .[:10] | h)\(
		if $meta.minutes then ", \($meta.minutes | round) minutes" else "" end)</p>",
	"<h1>\($title | h)</h1>",
	(if $meta.scale == "small" then "<p class=\"answer warning\">At scale small the figures say nothing: it shows that the scripts work.</p>" else empty end),
	([$head.asked[].sentence | values] as $told |
		($told[:4][] | "\(.[:1] | ascii_upcase)\(.[1:])." as $text | ($text / ". There ") as $halves |
			"<p class=\"answer\">\($halves[0] | sentence | gsub("[*][*](?<name>[^*]+)[*][*]"; "<b>\(.name)</b>"))\($halves[1:] | if . == [] then "" else ". <span class=\"there\">There \(join(". There ") | sentence)</span>" end)</p>"),
		(def depend($side): count($side; "depends") | if . == 0 then "" else ", make \(.) depend on a condition" end;
		"<p class=\"facts\"><b>Claims:</b> \($claims | length) statements of the publication, in its text or read off its tables. Its own figures confirm \(count("published"; "holds"))\([$claims[] | select(.kind == "read off" and .published.verdict == "holds")] | if . == [] then "" else " (\(length) read off its tables, by construction)" end), refute \(count("published"; "fails"))\(depend("published")) and leave \(count("published"; "open")) undecided; " +
		"ours confirm <b class=\"holds\">\(count("ours"; "holds"))</b>, refute <b class=\"fails\">\(count("ours"; "fails"))</b>\(depend("ours")) and leave \(count("ours"; "open")) undecided.</p>"),
		"<p class=\"facts\"><b>How sure?</b> \(sure_said) <b>What limits?</b> \(limit_said)</p>"),
	([$rows[] | select(.valid == 1 and .seconds < 1)] | length) as $short |
	([$rows[] | select(.valid != 1)] | length) as $invalid | ([$rows[] | select((.warnings // "") != "")] | length) as $warned | ([$rows[] | select(.steal_percent > 3)] | length) as $taken |
	"<p class=\"facts\">\(some($rows | length; "measured row")), \(if $invalid > 0 then "<b class=\"invalid\">\($invalid) invalid</b>, " else "" end)\($warned) with <a href=\"#warnings\">warnings</a>\(if $short > 0 then ", \($short) shorter than a second" else "" end)" +
		(if $taken > 0 then "; <span class=\"warning\">in \($taken) another virtual machine took more than 3 % of the CPU, and claims about rates do not rest on them</span>" else "" end) +
		(if $ahead != [] then "; read-ahead \($ahead | map("\(.)&nbsp;KiB") | join(" or "))" else "" end) + ".</p>",
	"<div class=\"asked\"><span class=\"head q\">Asked</span><span class=\"head a\">Found there, \($document.year) <small>no range or limit recorded</small></span><span class=\"head a\">Found here, \($meta.date | .[:4])</span>",
	($head.asked[] | "<span class=\"q\">\(.asked | h)</span><span class=\"a\">\(.there | sentence)</span><span class=\"a\">\(
		if .word == "" then "" else "<span class=\"word \(.kind)\">\({holds: "✓ ", fails: "✗ ", depends: "≈ ", open: "? ", absent: "– "}[.kind] // "")\(.word | h)</span>: " end)\(.here | sentence)\(.here_sure | sure_line)</span>"), "</div>",
	legend,
	"<nav><a href=\"#measured\">Published and measured</a><a href=\"#limits\">What limited it</a><a href=\"#claims\">Claims</a><a href=\"#tables\">All tables</a><a href=\"#changed\">What was changed</a><a href=\"#machine\">Machine, engines, commands</a></nav>",
	([$head.panels[] | select(.lines != [])] as $panels |
	section("measured"; "Published and measured, \($panels[0].reference // "" | h) = 1"; if $panels == [] then empty else
		"<p class=\"sub\">Each engine's rate as a multiple of \($panels[0].reference | h)'s on the same side, so that machines of different years can be compared. <b>Ring: published. Shape: here</b>, the median of the rounds, with their range. In the order of the published factors, where there is none of ours. Logarithmic; the black line is \($panels[0].reference | h).\($head.note // "" | if . == "" then "" else " " + h end)</p>",
		"<div class=\"relatives\">", ($panels[] | relative), "</div>" end)),
	section("limits"; "What limited it"; ($head.limits // [] | map(select(.lines != []))) as $limits | if $limits == [] then empty else
		"<p class=\"sub\">\(limits_said | h)</p>",
		($limits[] | . as $limit | "<h3>\(.lines | if length == 1 then "\(.[0].label | h): \(.[0].value | short) \($limit.unit)"
				elif (.[0].low // .[0].value) > (.[1].high // .[1].value) then "\(.[0].label | h): \(.[0].value | short) \($limit.unit), \(.[0].value / .[1].value | times | sign) the next (\(.[1].label | h))"
				else "\(.[0].label | h) and \(.[1].label | h) cannot be told apart at \($limit.title | h)" end)</h3><p class=\"sub\">\(.note | h) Bars are medians, whiskers the least and the most of the rounds.</p>",
			(.lines | map(. + {limit: (.row | limited | . as {$cpu, $device} | .word |= (or_both($cpu; $device) | limit_called))}) | chart({unit: $limit.unit, time: false, line: null}))),
		($head.used // empty | select(.there != []) |
			([.there[].label] + [.here[].label] | unique) as $calleds | . as $used |
			def of($side; $l): [$used[$side][] | select(.label == $l).value] | median;
			"<h3>CPU time of all cores</h3>",
			"<div class=\"narrow\">", table(""; ["engine", "there", "here"]; 1; $calleds[] as $l | [($l | h), (of("there"; $l) | if . == null then "–" else . / 100 | percent end), (of("here"; $l) | if . == null then "–" else . / 100 | percent end)]), "</div>") end),
	section("claims"; "Claims"; if ($claims | length) == 0 then empty else
		"<p class=\"sub\">What the publication says, in our words, or what its tables show. In brackets: the engines and the threshold by which it holds. Each is decided by its published figures and by the medians measured here, in all rounds; a claim opens.</p>",
		"<div class=\"claim head\"><span></span><span>claim</span><span>there</span><span>here</span></div>",
		([$claims[]] | sort_by([(.ours.verdict | order), (.published.verdict | order)])[] | claim) end),
	section("sweeps"; "Over what was varied"; ($head.sweeps // [] | map(select(.lines != []))) | if . == [] then empty else
		(.[] | "<h3>\(.title | h)</h3><p class=\"sub\">\(.note | h)</p>", (.xs as $xs | .word as $word | .lines | panels($xs; $word))) end)
else
	section("changed"; "What was changed, and why"; [$changed[] | select(.document == $meta.document).said] | if . == [] then empty else "<ol>", (.[] | "<li>\(h)</li>"), "</ol>" end),
	section("missing"; "Not here"; if $missing == [] then empty else table(""; ["what", "why"]; 9; $missing[] | [(.engine | h), (.reason | h)]) end),
	section("warnings"; "Warnings"; [$rows[] | .warnings // "" | select(. != "") | split("; ")[] | gsub("[0-9][0-9.,]*"; "…")] | group_by(.) | sort_by(-length) |
		if . == [] then "<p>No row has a warning.</p>" else table(""; ["warning", "rows"]; 1; .[] | [(.[0] | h), length]) end),
	section("machine"; "Machine, engines, commands";
		def fact($name; f): [$rows[] | f | select(. != null and . != "") | tostring] | unique | select(. != []) | [$name, (map(h) | join("; "))];
		facts(fact("CPU"; .cpu), fact("cores"; .cores), fact("memory"; .memory_kb | if type == "number" then size else . end), fact("memory limit"; .memory_limit_kb | if type == "number" then size else . end),
			fact("kernel"; .kernel), fact("file system"; [.filesystem, .mount_options] | map(select(. != null and . != "")) | join(", ")),
			fact("device"; [.device, .io_scheduler] | map(select(. != null and . != "")) | join(", ")), fact("read-ahead"; .read_ahead_kb | if . == null then "" else "\(.) KiB" end),
			fact("idle memory"; .idle_reclaim), fact("suite"; .commit), fact("compiler"; .build)),
		table(""; ["engine", "version", "library"]; 9; [$rows[] | {label: (.label // .engine), version: .engine_version, library: .engine_build}] | unique | group_by(.label)[] |
			[(.[0].label | h), (map(.version // "") | unique | map(h) | join("; ")), (map(.library // "") | unique | map(h) | join("; "))]),
		folded("The commands of all rows"; "<p class=\"note\">From the top of the source tree, in their order: a workload that reads needs the database that the load before it has made.</p>",
			"<ol class=\"commands\">", ($rows[] | "<li><code>\(.command | h)</code></li>"), "</ol>"))
end
