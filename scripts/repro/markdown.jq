# markdown.jq: what comes before each NAME.jq. NAME.jq is one expression; it answers, by $what:
#   rows    the published figures as rows, objects with document, experiment, engine and our column names
#   tables  the lines of tables.md, strings
#   page    what its page begins with, {asked, panels, limits, sweeps}, see below
# and may use $tables[0] (every table of results/published: {name: [row, ...]}), and with `tables` also $rows (ours),
# $missing[0] ([{engine, reason}]), $meta[0] and, with page, $claims.

include "rows";
include "limits";
include "numbers";

# rows of a published table; a number of statements.csv
def table($name): $tables[0][$name] // error("no table \($name)") | .[];
def statement($id): [table("statements") | select(.id == $id)][0].number // error("no statement \($id)");

# our name of an engine of a publication
def ours: {LevelDB: "leveldb", RocksDB: "rocksdb", RocksDBpfx: "rocksdb", LMDB: "lmdb", BerkeleyDB: "bdb", BDB: "bdb",
	WiredTiger: "wiredtiger", WiredBtree: "wiredtiger", WiredLSM: "wiredtiger+type=lsm", Basho: "basho",
	Hyper: "hyperleveldb", HyperLevelDB: "hyperleveldb", TokuDB: "tokudb", BangDB: "bangdb", UnumDB: "unumdb",
	Voron: "voron"}[.] // ascii_downcase;

# a time
def clock: if . == null then "-" else
	def two: floor | tostring | if length < 2 then "0" + . else . end;
	if . >= 60 then round | "\(. / 3600 | floor):\(. % 3600 / 60 | two):\(. % 60 | two)"
	else (. * 100 | round / 100 | tostring) + " s" end end;

# Of a list of rows the median of a figure, and of more than one the least and the most; an exclamation mark if these are more
# than a factor of two apart. Each figure is made of its own row: none is read off the row that has the median of another.
def measured(figure; format): [.[] | (figure)? | numbers] | if . == [] then "-" else (median | format) +
	(min | format) as $least | (max | format) as $most | if $least == $most then "" else " (\($least)–\($most))" +
		(if min > 0 and max > 2 * min then " !" else "" end) end end;
def valid: map(select((.valid // 1) == 1));
def rounds_said: "Here the median of the rounds and in brackets the least and the most of them; an exclamation mark: these are more than a factor of two apart.";

# rows of cells as a Markdown table; the first is the header. Columns of words (numbers of columns from 0) go left.
def cell: if . == null then "-" else tostring | gsub("[|]"; "\\|") | gsub("\n"; " ") end;
def markdown($header; $left; rows):
	def line: "| " + (map(cell) | join(" | ")) + " |";
	($header | line),
	"|" + ([range($header | length) | if IN($left[]) then ":--" else "--:" end] | join("|")) + "|",
	(rows | line), "";

# ---- for the page
# A question of its head: what was found there and here, and in a word how the two go together: {word, kind}, of which kind is
# holds, fails, depends, open or absent: it was not run here. Below each stands how sure it is: how far the rounds differ, and what limited it.
# Ranges and limits there are recorded nowhere, which the head of the table says.
def question($asked; $there; $here; $word; $kind): {$asked, $there, $here, $word, $kind};
def sure($here): . + {here_sure: (if $here == "" then "range and limit not recorded" else $here end)};
def verdict_word: {holds: "holds", fails: "does not hold", depends: "depends", open: "undecided"}[.];
# One that is undecided says why before what was seen.
def seen_only($why): if $why == null then "" else "\($why). Seen only: " end;
def undecided($why): if $why == null then "" else "not decided (\($why)). Seen only: " end;
def taken_why($k; $n): "another virtual machine took CPU time in \($k) of \($n) rows";
def open_why: gsub("of the run's (?<n>[0-9]+) rows (?<k>[0-9]+) were measured while the hypervisor took.*"; taken_why(.k; .n)) |
	gsub("^(.*: )?it rests on rows that were measured while the hypervisor took.*"; "another virtual machine took CPU time in its rows") |
	gsub("the rounds differ: "; "") |
	gsub("lacks runs of as many operations as the record has.*"; "fewer operations than published");
def why_open: if .verdict == "open" and .reason then .reason | open_why else null end;
# A question that a claim answers: yes or no, where it can be asked so; with the rule of the claim.
def answer_word($asked; $there): (if $asked | test("^(Which|How) ") then verdict_word else {holds: "yes", fails: "no"}[.] // verdict_word end) +
	if . == "fails" and $there == "fails" then ", nor there by its own figures" else "" end;
def ruled($id; $rule): if $rule == null then . else .here_sure += "; test of claim \($id): \($rule)" end;
def asked_of($claims; $id; $asked; $there; $here; $sure): ([$claims[] | select(.id == $id)][0] // {}) as {$ours, $published, $rule} |
	question($asked; $there; seen_only($ours | why_open) + $here; $ours.verdict | answer_word($asked; $published.verdict); $ours.verdict) | sure($sure) | ruled($id; $rule);
# The parts of a claim's answer on a side by their verdicts: holds at 100 GB; does not hold at 1 GB. Of one part alone its numbers are told.
def parts_of($claims; $id; $side; told): [$claims[] | select(.id == $id)[$side].parts // [] | group_by(.verdict)[] |
	"\(.[0].verdict | verdict_word) at \(map(.name) | join(", "))" + if .[0].verdict == "open" then " (\(.[0].reason | open_why))"
		elif length == 1 then .[0].numbers // "" | told | if . == "" then "" else " (\(.))" end else "" end] | if . == [] then "-" else join("; ") end;

# The engine with most: of [{label, value}], one of several of a label being a round's.
def by_label: group_by(.label) | map({label: .[0].label, value: (map(.value) | median), low: (map(.value) | min), high: (map(.value) | max), rounds: (map(.round) | unique | length),
	seconds: (map(.seconds | values) | median), limit: ([.[].limit | values] | group_by(.) | max_by(length)[0]), cpu: (map(.cpu | values) | median), device: (map(.device | values) | median)} | . as {$cpu, $device} | .limit |= or_both($cpu; $device)) | sort_by(-.value);
def rate_of($unit): "\(.value | short)\($unit)";
# How busy CPU and device were on a line of by_label, as far as that is known; what limits it; and its rounds: how many and, of
# short ones, how long.
def busy_told: [(.cpu | values | "CPU \(percent)"), (.device | values | "device \(percent)")] | if . == [] then "" else " (\(join(", ")))" end;
def limit_told: . as $line | .limit // "unknown" | if . == "unknown" then "what limits it is not recorded" elif no_limit then "no single limit\($line | busy_told)"
	elif . == "rate met" then "the rate was met" else "limited by " + limit_called + if . == "CPU or device" then $line | busy_told else "" end end;
def rounds_told: "\(.rounds) round\(if .rounds == 1 then "" else "s" end)" + if .seconds != null and .seconds < 1 then " of \(.seconds | to(2)) s" else "" end;
# How sure a line of by_label is, in the form that its figures have.
def apart(form): (if .rounds < 2 then "" elif (.low | form) == (.high | form) then "\(.low | form) in each of " else "\(.low | form) to \(.high | form) in " end) + rounds_told;
# the least and the most of some figures in a form, or the one that they have in it
def span(form): (min | form) as $low | (max | form) as $high | if $low == $high then $low else "\($low | rtrimstr(" x")) to \($high)" end;
def ordinal: "\(.)\({"1": "st", "2": "nd", "3": "rd"}[tostring] // "th")";
# Several lead if the ranges of their rounds meet that of the first. Settings of one engine are no rivals of one another: of the
# others the next is a rival.
def firsts: .[0].low as $least | map(select(.high >= $least));
def engine_of: .label / "+" | .[0];
def engines_of: map(engine_of) | unique;
# Of an engine that leads with several settings what each is.
def setting_of: .label / "+" | .[1:] | if . == [] then "by default" else "with " + join(" and ") end;
def settings_of($unit): map("\(rate_of($unit)) \(setting_of)") | join(", ");
def rival: (firsts | engines_of) as $own | [.[firsts | length:][] | select(engine_of | IN($own[]) | not)][0];
def behind: . as $lines | firsts as $first | rival as $next | . - $first | map(select(. != $next));
def which_next($next): if .[1].label == $next.label then "the second" else "the next engine" end;
def sure_of(form): firsts as $first | if length == 0 then "" elif ($first | length) == 1 then .[0] | "\(apart(form)); \(limit_told)"
	else "\($first | map("\(.label) \(.low | form) to \(.high | form)") | join(", ")) in \(.[0] | rounds_told); \(.[0] | limit_told)" end;
def ranged($unit): rate_of($unit) + if .rounds > 1 and .low < .high then " (\(.low | short) to \(.high | short))" else "" end;
# Who leads, by how much over the next; those that are not among $known are called $strange.
def led($unit; $known; $strange): . as $lines | firsts as $first | rival as $next |
	def named: .label + if IN(.label; $known[]) then "" else " (\($strange))" end;
	def margin: if $next == null then ", alone" else ", \(.value / $next.value | factor) \($lines | which_next($next)) (\($next.label)\(if IN($next.label; $known[]) then "" else ", \($strange)" end), \($next | rate_of($unit)))" end;
	if length == 0 then "not measured" elif ($first | engines_of | length) > 1 then
		"\($first | map("\(named) \(rate_of($unit))") | join(" and ")) tie: their ranges meet" + if $next then "; then \($next | "\(named) \(ranged($unit))")" else "" end
	elif ($first | length) > 1 then "\(.[0] | engine_of), \($first[:1] | settings_of($unit))\(.[0] | margin); \(.[0] | engine_of) \($first[1:] | settings_of($unit))"
	else .[0] | "\(named), \(rate_of($unit))\(margin)" end;
# How many times as much one is as another in each round that has both, of several in a round by their median: as a figure, so that it
# has a range and a limit.
def ratio($one; $other; $called): . as $all | [$all[] | select(.label == $one)] | group_by(.round) | map((map(.value) | median) as $value | .[0] as $row |
	([$all[] | select(.label == $other and .round == $row.round).value] | median | values) as $v | $row + {label: $called, value: ($value / $v)});
# Of figures a sentence: who leads at $does, by how much, how sure that is, and what limits it. Between asterisks it is bold; $there, a
# sentence or nothing, is who led there.
def stated($does; $unit; $there): . as $all | by_label as $lines | ($lines | firsts) as $first | $lines[0] as $best | ($lines | rival) as $next |
	if $best == null then "nothing was measured that \($does)" else (if ($first | engines_of | length) > 1 then
		"\($first | map("**\(.label)**") | join(" or ")) \($does), a tie: \($first | map(ranged($unit)) | join(" and ")), whose ranges meet in \($best | rounds_told), \($best | limit_told)" +
			if $next then "; then \($next.label), \($next | ranged($unit))" else "" end
	else (if ($first | length) > 1 then ["\($best | engine_of)", ($first[:1] | settings_of($unit))] else [$best.label, ($best | rate_of($unit))] end) as [$who, $rates] | "**\($who)** \($does): " +
		if $next == null then "\($best | ranged($unit)) in \($best | rounds_told), alone here"
		else ([$all | ratio($best.label; $next.label; "")[].value] | if length < 2 then "" else "\(span(factor)) in " end) as $range |
			"\($rates), \($best.value / $next.value | factor) \($lines | which_next($next)), \($next.label) (\($range)\($best | rounds_told))" end end) +
	if ($first | engines_of | length) > 1 then "" else ", \($best | limit_told)" end + if ($first | length) > 1 and ($first | engines_of | length) == 1 then "; \($best | engine_of) \($first[1:] | settings_of($unit))" else "" end end + if $there == "" then "" else ". There \($there)" end;
# Who leads at $does: on each side of all engines of that side, then, where these differ, of those of both, which decide the word.
# $open is null, or {doubt: why our own rows decide nothing}, or {apart: why the sides are not compared, though each is sure}.
def leads($does; $unit; $there; $here; $open): ([$there[].label] | unique) as $a | ([$here[].label] | unique) as $b |
	($a - ($a - $b)) as $both | ($there | by_label) as $all | ($here | by_label) as $mine | "Which engine \($does)?" as $asked |
	($there | map(select(.label | IN($both[]))) | by_label) as $t | ($here | map(select(.label | IN($both[]))) | by_label) as $h |
	([$here | ratio($mine[0].label; ($mine | rival).label // ""; "")[].value] | if length < 2 or ($mine | firsts | length) > 1 then "" else "; factor over \(($mine | rival).label) \(span(factor))" end) as $factors |
	(($mine | sure_of("\(short)\($unit)")) + $factors) as $sure |
	if $t == [] or $h == [] then question($asked; ($all | led($unit; $b; "not run here")); ($mine | led($unit; $b; "")); "not on both sides"; "absent") | sure($sure) else
	# of those of both sides, where one that is first or second is of one side alone
	def partly($lines; $some; $called): ($some | rival) as $next | def top: firsts as $first | if ($first | length) > 1 then [$first[].label | select(IN($some[].label))] else [$first[].label, rival.label] end;
		if ($lines | top) == ($some | top) then "" else "; \($called)" +
		if $lines[0].label == $some[0].label and ($some | firsts | length) == 1 and $next then " \($some[0].value / $next.value | factor) \($some | which_next($next)) (\($next.label))"
		else ": " + ($some | led($unit; [$some[].label]; "")) end end;
	($all | led($unit; $b; "not run here")) as $led_there | ($mine | led($unit; $a; "not there")) as $led_here |
	partly($all; $t; "of those run here") as $rest_there |
	partly($mine; $h; "of those there") as $rest_here |
	# where who won there, of those run here, ended here, if neither first nor next
	($mine | behind | map(select(.label == $t[0].label and engine_of != ($mine[0] | engine_of)))[0] | if . == null then "" else
		. as $won | "\([$mine[] | select(.value > $won.value)] | length + 1 | ordinal) with \(rate_of($unit))" end) as $place |
	"first there\(if $t[0].label == $all[0].label then "" else " of those run here" end)" as $first_there |
	($h | firsts) as $first | any($first[]; .label == $t[0].label) as $same |
	(if $open.doubt then ["undecided", "open"] elif $open.apart then ["not compared", "open"]
		elif $same | not then ["another engine", "fails"]
		elif ($first | length) > 1 then ["cannot be told apart here", "open"]
		elif ($t | length) < 2 then ["as there", "holds"]
		else (($h[0].value / $h[1].value) / ($t[0].value / $t[1].value)) as $times | if $times > 0.5 and $times < 2 then ["as there", "holds"]
			else ["the same engine, by a \(if $times > 1 then "larger" else "smaller" end) factor", "depends"] end end) as [$word, $kind] |
	question($asked; $led_there + $rest_there; seen_only($open.doubt) + (if $open.apart then "\($open.apart). Here: " else "" end) + $led_here + $rest_here + if $place == "" then "" else "; \($t[0].label), \($first_there), is \($place)" end;
		$word + if $open == null and $rest_there != "" and $t[0].label != $all[0].label then " (without \($all[0].label))" else "" end; $kind) | sure($sure) |
	. + {sentence: (undecided($open.doubt) + ($here | stated($does; $unit; $led_there + $rest_there + (if $place == "" then "" else "; here \($t[0].label) is \($place)" end) + if $open.apart then ". Not compared: \($open.apart)" else "" end)))} end;

# A panel: each engine as a multiple of one of the same side. Of a round the multiple is of the same round.
def panel($title; $note; $unit; $reference; $there; $here): ($there | by_label) as $t | ($here | by_label) as $h |
	([$t[] | select(.label == $reference).value][0]) as $rt | ([$h[] | select(.label == $reference).value][0]) as $rh |
	{$title, $note, $unit, $reference, lines: ([$t[].label] + [$h[].label] | unique | map(. as $called |
		([$t[] | select(.label == $called).value][0]) as $a | ([$h[] | select(.label == $called).value][0]) as $b |
		([$here[] | select(.label == $called) | . as $row | ([$here[] | select(.label == $reference and .round == $row.round).value] | median) as $r |
			select($r) | $row.value / $r]) as $rounds |
		{label: $called, there: $a, here: $b, there_times: (if $rt and $a then $a / $rt else null end), here_times: (if $rh and $b then $b / $rh else null end),
			low: (if ($rounds | length) > 1 then $rounds | min else null end), high: (if ($rounds | length) > 1 then $rounds | max else null end)}) |
		sort_by(-(.there_times // .here_times // 0), -(.here_times // 0), .label))};
# figures of rows for these: label, value and round
def figures(figure): [.[] | {label: (.label // .engine), value: figure, round: (.repetition // 1), seconds} + (limited_by | {limit: .word, cpu, device}) | select(.value != null and .value > 0)];

# A chart of what limited the engines: a line for each label, from the medians of its rows.
def limit_lines(figure): valid | group_by(.label // .engine) | map((map(keys_unsorted) | add | unique) as $names | . as $rows |
	($rows[0] + ([$names[] as $n | [$rows[][$n] | numbers] | select(. != []) | {key: $n, value: median}] | from_entries)) as $row |
	([$rows[] | figure | numbers]) as $v | select($v != []) |
	{label: ($row.label // $row.engine), value: ($v | median), low: (if ($v | length) > 1 then $v | min else null end), high: (if ($v | length) > 1 then $v | max else null end),
		p50: ($row | latency_of("p50")), p99: ($row | latency_of("p99")),
		p999: ($row | latency_of("p999")), $row}) | sort_by(-.value);
