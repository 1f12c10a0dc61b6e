# page.jq: what the pages have in common: markers, names, bar charts, panels and tables, as HTML; for jq -L scripts.
# reading/templates/page.css is their style sheet.

include "numbers";
import "palette" as $palette;

def h: if . == null then "" else tostring | @html end;
# A sentence: no line ends between a number and its unit, or within a name such as lmdb+readahead=0, but before its options.
def sentence: h | gsub("(?<n>[0-9]) x(?![0-9a-z])"; "\(.n) ×") |
	gsub("(?<n>[0-9]) (?<u>(?:[kMG](?:/s)?|/s|×|%|ns|us|µs|ms|s|[KMG]i?B)(?![A-Za-z0-9]))"; "\(.n)&nbsp;\(.u)") |
	gsub("(?<a>[a-z0-9])[+](?<b>[a-z])"; "\(.a)<wbr>+\(.b)");

# An engine of the palette: that of a label such as lmdb+readahead=0, leveldb-1.23 or lmdb:xfs. A label with options or a storage
# is a variant, which is hollow or dashed.
def palette: sub("[-+:*,].*"; "") as $name | first($palette::palette[] | select(.engine | . == $name or (($name | length) > 3 and startswith($name)))),
	$palette::palette[-1];
def engine: first(palette).engine;
def variant: test("[+:]");

# A regular shape of n corners, of one radius or two, the first corner at an angle in twelfths of a turn.
def corners($n; $radii; $from): "<polygon points=\"\([range($n) as $i | (($i / $n * 2 + $from / 6) * 3.14159265) as $a |
	$radii[$i % ($radii | length)] as $r | ($r * ($a | sin), 0 - $r * ($a | cos)) | . * 100 | round / 100] | map(tostring) | join(" "))\"/>";
def plus: "<path d=\"M-1.8-5.4h3.6v3.6h3.6v3.6h-3.6v3.6h-3.6v-3.6h-3.6v-3.6h3.6z\"/>";
def shape: {circle: "<circle r=\"4.8\"/>", square: "<path d=\"M-4.4-4.4h8.8v8.8h-8.8z\"/>", up: corners(3; [6]; 0), down: corners(3; [6]; 6),
	right: corners(3; [6]; 3), left: corners(3; [6]; 9), diamond: corners(4; [6]; 0), pentagon: corners(5; [5.4]; 0), hexagon: corners(6; [5.2]; 0),
	star: corners(10; [6.4, 2.6]; 0), four: corners(8; [6.4, 2.2]; 0), plus: plus, cross: "<g transform=\"rotate(45)\">\(plus)</g>",
	half: "<path d=\"M-2-5.4a5.4 5.4 0 0 1 0 10.8z\"/>", bow: "<path d=\"M-5.4-4.4l10.8 8.8v-8.8l-10.8 8.8z\"/>",
	hourglass: "<path d=\"M-4.4-5.4h8.8l-8.8 10.8h8.8z\"/>", house: "<path d=\"M0-6l5 4.6v6.4h-10v-6.4z\"/>",
	bolt: "<path d=\"M2-6l-6 7h3.4l-1.6 5 6-7h-3.4z\"/>", drop: "<path d=\"M0-6.4c2 3 4.4 4.6 4.4 7.2a4.4 4.4 0 0 1-8.8 0c0-2.6 2.4-4.2 4.4-7.2z\"/>",
	chevron: "<path d=\"M-4.4-5.4h4l4.4 5.4-4.4 5.4h-4l4.4-5.4z\"/>", leaf: "<path d=\"M-5 5c-1.5-6 3-10 10-10 0 7-4 11.500-10 10z\"/>", mushroom: "<path d=\"M-5.6 0a5.6 5.6 0 0 1 11.2 0h-3.8v5h-3.6v-5z\"/>", tee: "<path d=\"M-5.4-5.2h10.8v3.4h-3.6v7h-3.6v-7h-3.6z\"/>", dash: "<path d=\"M-5.4-1.4h10.8v2.8h-10.8z\"/>",
	ring: "<path d=\"M-4.8 0a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0zm2.2 0a2.6 2.6 0 1 1 5.2 0a2.6 2.6 0 1 1-5.2 0z\"/>"}[.];
# All of them, once a page, at the top of its body.
def markers: "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>\([$palette::palette[] |
	"<g id=\"m-\(.engine)\">\(.shape | shape)</g>"] | join(""))</defs></svg>";

# The colours, light and dark, and in print light.
def colours: {light: "--paper:#fff;--ink:#1a1c1f;--mute:#5a6069;--rule:#cfd3d8;--grid:#e4e7ea;--soft:#f5f6f7;--link:#00598a;--warn:#8a5200;--bad:#a4161a;--good:#12682f;--use:#59616b",
	dark: "--paper:#14171c;--ink:#e6e8eb;--mute:#9da5af;--rule:#3b424b;--grid:#272c33;--soft:#1c2026;--link:#7cc0ff;--warn:#f2b84b;--bad:#ff8078;--good:#69d08a;--use:#a9b1bb"} as $own |
	def all($side): ":root{color-scheme:\($side);\($own[$side]);\([$palette::palette[] | "--\(.engine):\(.[$side])"] | join(";"))}";
	all("light"), "@media screen and (prefers-color-scheme:dark){\(all("dark"))}",
	([$palette::palette[].engine | ".e-\(.){color:var(--\(.))}"] | join(""));

# A label's shape; and its name, of which what follows the engine is small.
def mark: "<svg class=\"mark e-\(engine)\(if variant then " hollow" else "" end)\" aria-hidden=\"true\"><use href=\"#m-\(engine)\" x=\"50%\" y=\"50%\"/></svg>";
def named_small: capture("^(?<name>[^-+:]+)(?<rest>.*)$") // {name: ., rest: ""} |
	"\(.name | h)\(if .rest == "" then "" else "<wbr><small>\(.rest | h)</small>" end)";
def name($notes): "<span class=\"name\" role=\"rowheader\">\(mark)<span>\(named_small)\(if ($notes | length) > 0 then "<sup> \($notes | join(" "))</sup>" else "" end)</span></span>";
def chips: "<ul class=\"chips\">", (.[] | "<li>\(mark)\(h)</li>"), "</ul>";

def part($of): . / $of * 10000 | round / 100 | "\(.)%";
# Steps of 1, 2 or 5 for at most five lines up to a value.
def step: . as $most | pow(10; $most / 5 | log10 | floor) as $ten | first((1, 2, 5, 10) * $ten | select(. * 5 >= $most));
def axis(labels): [labels] | (length - 1) as $last | [range($last + 1) as $i | .[$i] |
	"<span\(if $i % 2 == 1 then " class=\"odd\"" elif $i == $last and .[0] > 0.9 then " class=\"last\"" else "" end) style=\"left:\(.[0] | part(1))\">\(.[1])</span>"] | join("");

# ---- a bar chart
# Its input is a list of lines, the best first: {label, value, low, high, p50, p99, p999, writes, limit, warnings, notes, invalid}. low and high are
# the ends of the whisker, or null; latencies are in ns, limit is from limits.jq, warnings and notes are lists of texts and of letters; a line
# with invalid, a text, has no bar. $o is {unit, time, line}: unit is what the values count, time whether they are in ns, of which less is
# better, and line a value with a dashed line, or null.
def cell($class; $text): "<span class=\"\($class)\" role=\"cell\">\($text)</span>";
def decades: [.[] | .p50, .p99, .p999 | select(. != null and . > 0) | log10] | if . == [] then null else [(min | floor), (max | ceil)] | if .[0] == .[1] then .[1] += 1 else . end end;
def latency($decades): . as $line | def x: (log10 - $decades[0]) / ($decades[1] - $decades[0]) | part(1);
	if $decades == null or ([.p50, .p99, .p999 | values | select(. > 0)] == []) then "" else ([.p50 | values | select(. > 0) | x] | first // "0%") as $from |
	"<svg class=\"e-\($line.label | engine)\" role=\"img\" aria-label=\"p50 \($line.p50 | time), p99 \($line.p99 | time), p99.9 \($line.p999 | time)\">" +
		([$line | .p999, .p99 | values | select(. > 0)] | if . == [] then "" else (.[0] | x) as $tail |
			"<line x1=\"\($from)\" x2=\"\($tail)\" y1=\"50%\" y2=\"50%\"/><line x1=\"\($tail)\" x2=\"\($tail)\" y1=\"4\" y2=\"18\"/>" end) +
		(if ($line.p99 // 0) > 0 then "<circle cx=\"\($line.p99 | x)\" cy=\"50%\" r=\"3.4\"/>" else "" end) +
		(if ($line.p50 // 0) <= 0 then "" else "<g\(if $line.label | variant then " class=\"hollow\"" else "" end)><use href=\"#m-\($line.label | engine)\" x=\"\($line.p50 | x)\" y=\"50%\"/></g>" end) + "</svg>" end;
def limit_cell: if . == null then "" else
	def used: "<span class=\"used\"\(if . == null then " style=\"visibility:hidden\"></span>" else "><i style=\"width:\(part(1))\"></i></span>" end)";
	"<span aria-hidden=\"true\">\(.cpu | used)\(.device | used)</span>" +
	"<span><b>\(.word)</b> \(.detail // "" | h | gsub("(?<c>[^,]) "; "\(.c)&nbsp;"))</span>" end;
def bar($most; $hatched): "<span class=\"bar\(if .label | variant then " hollow" else "" end)\(if $hatched then " hatched" else "" end)\" style=\"width:\(.value | part($most))\"></span>";
def chart($o): map(select(.invalid == null and .value != null)) as $valid | ([$valid[] | .value, .high, $o.line | values] | max // 1 | if . > 0 then . else 1 end) as $most |
	([$valid[].writes | values] | max // 0) as $most_writes | ($valid | decades) as $decades | ($most | step) as $step |
	first(($valid[] | select(.ranked != false)), $valid[], null).value as $best |
	def text: if $o.time then time else short end | sub("us$"; "µs");
	def of_best: if $best == null or $best == 0 or .value == 0 then "–" elif $o.time then .value / $best | times else .value / $best | percent end;
	"<div class=\"chart\(if $most_writes > 0 then " two" else "" end)\" role=\"table\" style=\"--step:\($step | part($most));--decade:\(
		if $decades then 1 / ($decades[1] - $decades[0]) else 1 end | part(1))\">",
	"<div class=\"row head\" role=\"row\">" + cell("name"; "engine") + cell("value"; $o.unit) +
		cell("bars axis"; axis(range(0; $most * 1.0001; $step) | [. / $most, (text | sub("[.]0+ "; " "))])) + cell("best"; if $o.time then "to best" else "of best" end) +
		(if $most_writes > 0 then cell("wvalue"; "writes/s") + cell("wbars axis"; "") else "" end) +
		cell("lat axis"; if $decades == null then "" else axis(range($decades[0]; $decades[1] + 1) | select((. - $decades[0]) % 2 == 0 or $decades[1] - $decades[0] < 4) |
			[(. - $decades[0]) / ($decades[1] - $decades[0]), (pow(10; .) | time | sub("[.]0 "; " ") | sub("us"; "µs"))]) end) +
		cell("p50"; "p50") + cell("p99"; "p99") + cell("p999"; "p99.9") + cell("limit"; "limited by") + "</div>",
	(.[] | "<div class=\"row\" role=\"row\" data-label=\"\(.label | h)\">" + (.notes as $notes | .label | name($notes // [])) +
		if .invalid != null or .value == null then cell("value"; "–") + "<span class=\"why invalid\">invalid: \(.invalid // "no value" | h)</span></div>" else
			cell("value"; "\(.value | text)<i>\(of_best)</i>") +
			cell("bars e-\(.label | engine)"; bar($most; (.warnings // []) != []) + (if .low == null or .high == null then "" else
				"<span class=\"whisker\" style=\"left:\(.low | part($most));width:\(.high - .low | part($most))\"></span>" end) +
				(if $o.line then "<span class=\"limit-line\" style=\"left:\($o.line | part($most))\"></span>" else "" end)) +
			cell("best"; of_best) +
			(if $most_writes > 0 then cell("wvalue"; .writes | short) +
				cell("bars wbars e-\(.label | engine)"; if .writes == null then "" else .value = .writes | bar($most_writes; false) end) else "" end) +
			cell("lat"; latency($decades)) +
			([["p50", .p50], ["p99", .p99], ["p999", .p999]] | map(cell(.[0]; .[1] | if . == null then "–" else time | sub("us"; "µs") end)) | join("")) +
			cell("limit"; .limit | limit_cell) +
			((.warnings // []) | if . == [] then "" else "<span class=\"why warning\">\(map(h) | join("; "))</span>" end) + "</div>" end),
	"</div>";

# ---- small multiples: the input is a list of {label, points: [[x, y], ...]}, the x in their order and the same for all; $unit of y.
def panels($xs; $word): ([.[].points[][1] | values] | max // 1) as $most |
	def x: . as $x | ($xs | index($x)) / ([($xs | length) - 1, 1] | max) * 100;
	def line($class): "<polyline\(if $class then " class=\"dashed\"" else "" end) points=\"\([.points[] | select(.[1] != null) | "\(.[0] | x),\(100 - .[1] / $most * 100 | . * 100 | round / 100)"] | join(" "))\"/>";
	(map(line(false)) | join("")) as $all |
	"<div class=\"panels\">", (.[] | .label as $name | (.points | map(select(.[1] != null))) as $points | ($points | max_by(.[1])) as $best |
		"<div class=\"panel\"><div class=\"name\">\($name | mark)<span>\($name | named_small)</span></div>" +
		"<svg class=\"e-\($name | engine)\" role=\"img\" aria-label=\"\([$points[] | "\(.[0]) \($word): \(.[1] | short)"] | join(", "))\">" +
		"<svg y=\"18\" height=\"66\" width=\"100%\" viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\"><g class=\"grey\">\($all)</g>\(line($name | variant))</svg>" +
		([$points[] | "<g\(if $name | variant then " class=\"hollow\"" else "" end)><use href=\"#m-\($name | engine)\" x=\"\(.[0] | x)%\" y=\"\(84 - .[1] / $most * 66 | round)\"/></g>"] | join("")) +
		([(if ($best[0] | x) | . > 0 and . < 40 then empty else $points[0] end), $best, (if ($best[0] | x) < 40 then $points[-1] else empty end)] | unique_by(.[0]) |
			map((.[0] == $xs[-1] and .[1] < $best[1] * 0.9 and .[1] > $most * 0.3) as $falls | "<text class=\"value\" x=\"\(.[0] | x)%\" y=\"\(84 - .[1] / $most * 66 + (if $falls then 17 else -8 end) | round)\" text-anchor=\"\(
			.[0] | x | if . < 20 then "start" elif . > 80 then "end" else "middle" end)\">\(.[1] | short)</text>") | join("")) +
		([$xs[] | "<text x=\"\(x)%\" y=\"101\" text-anchor=\"\(x | if . < 1 then "start" elif . > 99 then "end" else "middle" end)\">\(.)</text>"] | join("")) + "</svg></div>"), "</div>";

# ---- tables
# Rows of cells, HTML; columns from $numbers on go right. In a box of its own, whose first column stays.
def table($caption; $header; $numbers; rows): "<div class=\"box\"><table>\(if $caption == "" then "" else "<caption>\($caption)</caption>" end)<thead><tr>" +
	([$header | to_entries[] | "<th\(if .key >= $numbers then " class=\"n\"" else "" end)>\(.value)</th>"] | join("")) + "</tr></thead><tbody>",
	(rows | "<tr>\([to_entries[] | "<td\(if .key >= $numbers then " class=\"n\"" else "" end)>\(.value)</td>"] | join(""))</tr>"), "</tbody></table></div>";
def section($id; $heading; lines): [lines] | if length == 0 then empty else "<section id=\"\($id)\"><h2>\($heading)</h2>", .[], "</section>" end;
def folded($summary; lines): [lines] | if length == 0 then empty else "<details><summary>\($summary)</summary>", .[], "</details>" end;
# Rows of a heading and a text.
def facts(lines): "<table class=\"facts-table\"><tbody>", (lines | "<tr><th scope=\"row\">\(.[0])</th><td>\(.[1])</td></tr>"), "</tbody></table>";
# The beginning of a page; what ends it is "</body></html>".
def page_head($title; $style): "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">", "<title>\($title | h)</title>", "<style>", colours, $style, "</style></head>", "<body>", markers;
