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
# holds, fails, depends or open.
def question($asked; $there; $here; $word; $kind): {$asked, $there, $here, $word, $kind};
# A question that a claim answers.
def verdict_word: {holds: "holds", fails: "does not hold", depends: "depends", open: "undecided"}[.];
# One that is undecided says why before what was seen.
def open_why: gsub("of the run's (?<n>[0-9]+) rows (?<k>[0-9]+) were measured while the hypervisor took.*"; "the hypervisor took CPU time in \(.k) of \(.n) rows") |
	gsub("^(.*: )?it rests on rows that were measured while the hypervisor took.*"; "the hypervisor took CPU time in its rows") |
	gsub("the rounds differ: (?<k>[0-9]+) of (?<n>[0-9]+) bear it out"; "it holds in \(.k) of \(.n) rounds") |
	gsub("lacks runs of as many operations as the record has.*"; "fewer operations than published");
def asked_of($claims; $id; $asked; $there; $here): [$claims[] | select(.id == $id).ours][0] as $ours |
	question($asked; $there; (if $ours.verdict == "open" and $ours.reason then "\($ours.reason | open_why). Seen: " else "" end) + $here; $id + " " + ($ours.verdict | verdict_word); $ours.verdict);
# The parts of a claim's answer on a side by their verdicts: holds at 100 GB; does not hold at 1 GB. Of one part alone its numbers are told.
def parts_of($claims; $id; $side; told): [$claims[] | select(.id == $id)[$side].parts // [] | group_by(.verdict)[] |
	"\(.[0].verdict | verdict_word) at \(map(.name) | join(", "))" + if .[0].verdict == "open" then " (\(.[0].reason | open_why))"
		elif length == 1 then .[0].numbers // "" | told | if . == "" then "" else " (\(.))" end else "" end] | if . == [] then "-" else join("; ") end;

# The engine with most: of [{label, value}], one of several of a label being a round's.
def by_label: group_by(.label) | map({label: .[0].label, value: (map(.value) | median), low: (map(.value) | min), high: (map(.value) | max), rounds: (map(.round) | unique | length),
	seconds: (map(.seconds | values) | median), limit: ([.[].limit | values] | group_by(.) | max_by(length)[0])}) | sort_by(-.value);
def after($unit): "\(.[0].value | short)\($unit)" + if length > 1 then ", \(.[0].value / .[1].value | times) the next" else "" end;
def led($unit): if length == 0 then "not measured" elif length == 1 then "\(.[0].label), \(.[0].value | short)\($unit)"
	else "\(.[0].label), \(.[0].value | short)\($unit), \(.[0].value / .[1].value | times) the next (\(.[1].label))" end;
# What limits a line of by_label, and its rounds: how many and, of short ones, how long.
def limit_told: .limit // "unknown" | if . == "unknown" then "what limits it is not recorded" elif IN("mixed", "unclear") then "nothing alone limits it"
	elif . == "rate met" then "the rate was met" else "limited by " + limit_called end;
def rounds_told: "\(.rounds) round\(if .rounds == 1 then "" else "s" end)" + if .seconds != null and .seconds < 1 then " of \(.seconds | to(2)) s" else "" end;
def standing: .[0] | "; \(if .rounds > 1 then "\(.low | short) to \(.high | short) in " else "" end)\(rounds_told); \(limit_told)";
def ranged($unit): "\(.value | short)\($unit)" + if .rounds > 1 then " (\(.low | short) to \(.high | short))" else "" end;
# Several lead if the ranges of their rounds meet that of the first.
def firsts: .[0].low as $least | map(select(.high >= $least));
# How many times as much one is as another, in each round of figures that has both.
def factors($one; $other): . as $all | [$all[] | select(.label == $one) | . as $row | [$all[] | select(.label == $other and .round == $row.round).value] | median | values | $row.value / .];
# Of figures a sentence: who leads at $does, by how much, how sure that is, and what limits it. Between asterisks it is bold; $there is a remark.
def stated($does; $unit; $there): . as $all | by_label as $lines | ($lines | firsts) as $first | $lines[0] as $best | $lines[$first | length] as $next |
	if $best == null then "nothing was measured that \($does)" else
	"\($first | map("**\(.label)**") | join(" or ")) \($does)\(if $there == "" then "" else " (\($there))" end): " +
	(if ($first | length) > 1 then "\($first | map(ranged($unit)) | join(" and ")), not told apart in \($best | rounds_told)" +
			if $next then ", at least \($first[-1].value / $next.value | times) \($next.label)" else "" end
		elif $next == null then "\($best | ranged($unit)) in \($best | rounds_told), alone here"
		else ($all | factors($best.label; $next.label) | if length < 2 then "" else [min, max] | map(times) | "\(if .[0] == .[1] then .[0] else "\(.[0] | rtrimstr(" x")) to \(.[1])" end) in " end) as $range |
			"\($best.value | short)\($unit), \($best.value / $next.value | times) \($next.label) (\($range)\($best | rounds_told))" end) +
	", \($best | limit_told)" end;
# Who leads at $does, of the engines on both sides; who else was first there is said. $open is why that decides nothing, or null.
def leads($does; $unit; $there; $here; $open): ([$there[].label] | unique) as $a | ([$here[].label] | unique) as $b |
	($a - ($a - $b)) as $both | ($there | by_label) as $all | "Which engine \($does)?" as $asked |
	[$here[] | select(.label | IN($both[]))] as $shared |
	($there | map(select(.label | IN($both[]))) | by_label) as $t | ($shared | by_label) as $h |
	if $t == [] or $h == [] then question($asked; ($all | led($unit)); ($here | by_label | led($unit)); "not on both sides"; "open") else
	([$here[] | select(.label | IN($both[]) | not)] | by_label) as $others |
	([$others[] | select(.value > ($h[1] // $h[0]).value) | "\(.label), not there, \(.value | short)\($unit)"] | if . == [] then "" else "; " + join("; ") end) as $ahead |
	(if any($others[]; .value > ($h[1].value // 0)) then " of those there" else "" end) as $of_those |
	($h | firsts) as $first | any($first[]; .label == $t[0].label) as $same |
	(if $open != null then ["undecided", "open"]
		elif $same | not then ["another engine", "fails"]
		elif ($first | length) > 1 then ["cannot be told apart here", "open"]
		elif ($t | length) < 2 or ((($t[0].value / $t[1].value) / ($h[0].value / $h[1].value)) | . > 0.5 and . < 2) then ["as there", "holds"]
		else ["the same engine, by another factor", "depends"] end) as [$word, $kind] |
	question($asked; (if $all[0].label != $t[0].label then "\($all[0].label), \($all[0].value | short)\($unit); of those here " else "" end) + ($t | led($unit));
		(if $open != null then $open + ". Seen: " else "" end) +
		(if ($first | length) > 1 then ($first | map("\(.label) \(ranged($unit))") | join(" or ")) + " in \($first[0] | rounds_told); \($first[0] | limit_told)"
			else ($h | led($unit) | sub("the next \\("; "the next\($of_those) (")) + ($h | standing) end) + $ahead; $word; $kind) +
	{sentence: ((if $open != null then "Undecided, because \($open). Seen: " else "" end) +
		($shared | stated($does; $unit; if $same | not then "there \($t[0].label)" elif $kind == "depends" then "there too, by \($t[0].value / $t[1].value | times)" else "there too" end)) + $ahead)} end;

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
def figures(figure): [.[] | {label: (.label // .engine), value: figure, round: (.repetition // 1), seconds, limit: limited.word} | select(.value != null and .value > 0)];

# A chart of what limited the engines: a line for each label, from the medians of its rows.
def limit_lines(figure): valid | group_by(.label // .engine) | map((map(keys_unsorted) | add | unique) as $names | . as $rows |
	($rows[0] + ([$names[] as $n | [$rows[][$n] | numbers] | select(. != []) | {key: $n, value: median}] | from_entries)) as $row |
	([$rows[] | figure | numbers]) as $v | select($v != []) |
	{label: ($row.label // $row.engine), value: ($v | median), low: (if ($v | length) > 1 then $v | min else null end), high: (if ($v | length) > 1 then $v | max else null end),
		p50: ($row | latency_of("p50")), p99: ($row | latency_of("p99")),
		p999: ($row | latency_of("p999")), $row}) | sort_by(-.value);
