# voron-2013.jq: the figures of Ayende Rahien's Voron article as rows, tables.md in its layout, and what its page begins with; see markdown.jq.

def promise: {none: "none", buffers: "async", full: "sync"}[.];
def published:
	def row($experiment; $warm): {document: "voron-2013", experiment: $experiment, engine: "voron", label: "voron", valid: 1,
		num: statement("C.entries"), key_size: statement("C.key.code"), value_size: statement("C.value"), seconds: .wall_s,
		ops_per_sec, whole_ops_per_sec: .ops_per_sec, threads: (.parts // 1), parts, warm: $warm};
	(table("voron-2013-fill") | row("fill"; null) + {durability: (.flush | promise)}),
	(table("voron-2013-read") | row("read"; null)),
	(("cold", "warm") as $cache | table("voron-2013-read-" + $cache) |
		row(if .parts then "parallel" else "read" end; {cold: 0, warm: 1}[$cache]));

if $what == "rows" then published
else [published] as $published | ($rows | valid) as $ours | $missing[0] as $missing | ($rows[0] // {}) as $any |
	([$rows[].label] | unique | sort_by(if startswith("lmdb") then 0 else 1 end)) as $labels |
	def so($experiment; $fields): .experiment == $experiment and . as $row | all($fields | keys_unsorted[]; $row[.] == $fields[.]);
	def of($called; $experiment; $fields): [$ours[] | select(.label == $called and so($experiment; $fields))];
	if $what == "tables" then
	# a test a line: its name, what its published row is, what our rows are; with opening and closing
	def compared($lines): markdown(["operations/s", "voron, there"] + $labels; [0];
		$lines[] | . as [$test, $experiment, $fields] |
		[$test, ([$published[] | select(so($experiment; $fields))] | measured(.whole_ops_per_sec; show))] +
			[$labels[] as $called | of($called; $experiment; $fields) | measured(.whole_ops_per_sec; show)]);
	def lines: ["whole", "read", {warm: .}], (. as $warm | (1, 2, 4, 8, 16) | ["\(.) part\(if . == 1 then "" else "s" end)", "parallel", {warm: $warm, parts: .}]);
	def fills($x): [("none", "async", "sync") | [{none: "none", async: "to the system", sync: "to the disk"}[.], $x, {durability: .}]];
	"\($any.num | commas) records of \($any.key_size) + \($any.value_size) bytes; there: \(statement("C.entries") | commas) of \(
		statement("C.key.code")) + \(statement("C.value")). Times are with opening and closing, as there. " + rounds_said, "",
	"## Filling in one transaction", "", compared(fills("fill")),
	"## Reading, from a cold cache", "",
	"Parts read as its program did: part p reads keys 0, p, 2p and so on, so one part reads key 0 a million times.", "",
	compared([0 | lines]),
	"## Reading, from a warm cache", "", compared([1 | lines]),
	"## The first reading, after the fill", "", "Printed once, of a database just filled: neither of the two caches is said.", "",
	compared([["whole", "read", {warm: null}]]),
	"## With more records, LMDB (ours)", "",
	"Fifty times as many, so that a row takes seconds; parts read as its program did.", "",
	compared([fills("fill-long")[], ((0, 1) as $warm | ["\(["cold", "warm"][$warm]), whole", "read-long", {warm: $warm}], ((1, 2, 4, 8, 16) |
		["\(["cold", "warm"][$warm]), \(.) part\(if . == 1 then "" else "s" end)", "parallel-long", {warm: $warm, parts: .}]))] |
		map(select(. as [$_, $x, $f] | any($ours[]; so($x; $f))))),
	"## Filling with a transaction for each record (ours)", "", compared(fills("fill-single")),
	"## Parts that read their own keys (ours)", "",
	compared([(0, 1) as $warm | (1, 2, 4, 8, 16) | ["\(["cold", "warm"][$warm]), \(.) part\(if . == 1 then "" else "s" end)", "parallel-default", {warm: $warm, parts: .}]]),
	"## Not here", "", "Not here: " + ($missing | map("\(.engine) (\(.reason))") | join("; ")) + ".", ""
	else
	def there($x; $f): [$published[] | select(so($x; $f)).whole_ops_per_sec] | median;
	# as the claims are: by the longer rows, where there are such
	def long($x): if any($ours[]; .experiment == "read-long") then $x + "-long" else $x end;
	def rate: if . == null then "not measured" else "\(short)/s" end;
	def over($a; $b): if $a == null or $b == null then "not measured" else $a / $b | times end;
	# of LMDB here one kind of run over another: in each round, and, as the claims have it, of the medians, with the range of the rounds
	def pair($x; $f; $than; $g): [$ours[] | select(.label == "lmdb") | if so(long($x); $f) then .label = "a" elif so(long($than); $g) then .label = "b" else empty end] |
		figures(.whole_ops_per_sec);
	def of_medians(value): if . == [] then . else .[0].value = value end;
	def ratio_rows($x; $f; $than; $g): pair($x; $f; $than; $g) | ratio("a"; "b"; "lmdb");
	def ratios($x; $f; $than; $g): pair($x; $f; $than; $g) | (by_label | map({key: .label, value}) | from_entries) as $m | ratio("a"; "b"; "lmdb") | by_label | of_medians($m.a / $m.b);
	def parts_rows($some; $four): ratio_rows("parallel"; {warm: 0, parts: $some}; "parallel"; {warm: 0, parts: $four});
	def parts_over($some; $four): ratios("parallel"; {warm: 0, parts: $some}; "parallel"; {warm: 0, parts: $four});
	def whole_rows: ratio_rows("parallel"; {warm: 0, parts: 2}; "read"; {warm: 0});
	def whole_over: ratios("parallel"; {warm: 0, parts: 2}; "read"; {warm: 0});
	# the fastest of the three ways to end a fill over the slowest, a round
	def fill_rates($rows): [$rows[] | .whole_ops_per_sec] | if length < 3 then empty else max / min end;
	def fills_here: [$ours[] | select(.label == "lmdb" and .experiment == long("fill"))] |
		[fill_rates(group_by(.durability) | map({whole_ops_per_sec: (map(.whole_ops_per_sec) | median)}))][0] as $spread | group_by(.repetition) | map(. as $of | .[0] | .spread = ([fill_rates($of)][0])) | figures(.spread) | by_label | of_medians($spread);
	# there two parts over each of what the claim is held to
	def twos: there("parallel"; {warm: 0, parts: 2}) as $two | "\(over($two; there("parallel"; {warm: 0, parts: 1}))) one part (which reads one key over and over), \(over($two; there("read"; {warm: 0}))) one reader of all records";
	def ratio_told(form): if . == [] then "not measured" else .[0].value | form end;
	def range_told: if . == [] or .[0].rounds < 2 then "" else .[0] | " (\([.low, .high] | span(times)) in \(rounds_told))" end;
	# of the claim on parts each half: yes if all rounds of all ratios say so, no if all rounds of one do not
	def decided(yes): if any(.[]; . == []) then ["not measured", "open"] elif all(.[][]; yes) then ["yes", "holds"]
		elif any(.[]; all(.[]; yes | not)) then ["no", "fails"] else ["undecided", "open"] end;
	([$claims[] | select(.id == "C4").tolerance][0] // 0) as $change |
	def near: . - 1 | fabs <= $change;
	def parts_there($n; $m): there("parallel"; {warm: 0, parts: $n}) / there("parallel"; {warm: 0, parts: $m}) | to(2);
	def both($x; $f): (([$published[] | select(so($x; $f))] | map(.label = "voron") | figures(.whole_ops_per_sec))), ([$ours[] | select(so($x; $f))] | figures(.whole_ops_per_sec));
	# Voron and LMDB, its model, are the one that the others are multiples of
	def beside($title; $x; $f): [both($x; $f)] as [$t, $h] | panel($title; ""; "/s"; "lmdb"; ($t | map(.label = "lmdb")); $h);
	{note: "Ring and line: Voron there, LMDB, its model, here; so the ring is always on the line.",
	asked: [
		question("How many records a second are filled in one transaction, without syncs?"; "voron (not run here), \(there("fill"; {durability: "none"}) | rate), alone"; ([$ours[] | select(so("fill"; {durability: "none"}))] | figures(.whole_ops_per_sec) | by_label | led("/s"; [.[].label]; "")); "voron is not here"; "absent") +
			{sentence: ([$ours[] | select(so("fill"; {durability: "none"}))] | figures(.whole_ops_per_sec) | stated("fills most in one transaction, without syncs"; "/s"; "voron alone (not run here; lmdb, its model, stands in), \(there("fill"; {durability: "none"}) | rate)")),
				here_sure: ([$ours[] | select(so("fill"; {durability: "none"}))] | figures(.whole_ops_per_sec) | by_label | sure_of("\(short)/s"))},
		asked_of($claims; "C1"; "Does such a fill take as long without a sync, handed to the system, and synced to the disk?"; "voron, its fastest way \(fill_rates([$published[] | select(.experiment == "fill")]) | to(2)) x its slowest"; "lmdb, its fastest way \(fills_here | ratio_told("\(to(2)) x")) its slowest";
			fills_here | sure_of("\(to(2)) x")),
		([$claims[] | select(.id == "C3").tolerance][0] // 0) as $below |
		([[parts_rows(2; 1)[].value]] | decided(. >= 2 * (1 - $below))) as [$of_part, $_] | ([[whole_rows[].value]] | decided(. >= 2 * (1 - $below))) as [$of_whole, $_] |
		def so_fast: {yes: "twice as fast as ", no: "not twice as fast as ", "not measured": "not measured beside "}[.] // "perhaps twice as fast as ";
		asked_of($claims; "C3"; "Do two parallel readers, on two cores, read twice as fast as one, from a cold cache? (Its text says so, its tables do not.)"; "voron: the text says 2 x; its tables \(twos)";
			"lmdb, \($of_part | so_fast)one part (which reads one key over and over, as there), \(parts_over(2; 1) | ratio_told(times)), \($of_whole | so_fast)one reader of all records, \(whole_over | ratio_told(times)); the claim needs both";
			whole_over | if . == [] then "" else "over one part \(parts_over(2; 1) | .[0] | apart(times)), over one reader of all \(sure_of(times))" end) +
			(whole_over | {sentence: "\({fails: "No: from", holds: "Yes: from"}[[$claims[] | select(.id == "C3").ours.verdict][0]] // "From") a cold cache two parallel readers of **lmdb** are \($of_part | so_fast)one that reads one key over and over, as the article's program does: \(parts_over(2; 1) | "\(ratio_told(times))\(range_told)"). They are \($of_whole | so_fast)one that reads all records: \(ratio_told(times))\(range_told)\(if . == [] then "" else ", " + (.[0] | limit_told) end). There the text says 2 x, and the tables \(twos)"}),
		([[parts_rows(4; 2)[].value]] | decided(. < 1)) as [$word, $kind] | parts_over(4; 2) as $four |
			question("Are four parts slower than two, from a cold cache?"; "voron, \(parts_there(4; 2)) x as fast"; "lmdb, \($four | ratio_told("\(to(2)) x")) as fast"; $word; $kind) |
			sure($four | sure_of("\(to(2)) x")) | ruled("C4, one half"; "below 1"),
		([(8, 16) as $n | [[parts_rows($n; 4)[].value]] | decided(near)] | map(.[0]) as [$eight, $sixteen] | if $eight == $sixteen then .[0]
			else ["\($sixteen) for sixteen, \($eight) for eight", if any(.[]; .[1] == "fails") then "fails" else "open" end] end) as [$word, $kind] | [parts_over((8, 16); 4)] as $more |
			question("Are eight and sixteen parts as fast as four?"; "voron, eight \(parts_there(8; 4)) x, sixteen \(parts_there(16; 4)) x"; "lmdb, eight \($more[0] | ratio_told("\(to(2)) x")), sixteen \($more[1] | ratio_told("\(to(2)) x"))"; $word; $kind) |
			sure(if any($more[]; . == []) then "" else "eight \($more[0][0] | apart("\(to(2)) x")), sixteen \($more[1] | sure_of("\(to(2)) x"))" end) | ruled("C4, the other half"; "within \($change | percent)"),
		(ratios("read"; {warm: 1}; "read"; {warm: 0}) | (if . == [] then ["", ""] elif .[0].low > 1.05 then ["yes", "holds"] elif .[0].high < 0.95 then ["no", "fails"] else ["undecided", "open"] end) as [$word, $kind] |
			(if . == [] then "" else sure_of(times) + "; yes would need 1.05 x in every round" end) as $sure | question("Is a warm cache faster? (The article does not say.)"; "voron, \(over(there("read"; {warm: 1}); there("read"; {warm: 0}))) as fast"; "lmdb, \(ratio_told(times)) as fast"; $word; $kind) | sure($sure)),
		question("On what?"; "a million records of 16 + 100 bytes, a solid-state disk"; ($any | "\(.num | commas) records\([$ours[] | select(.experiment == "read-long").num][0] | if . then ", \(commas) where lmdb alone is asked of" else "" end), \(.cores) cores, a virtual disk"); ""; "")],
	panels: [beside("Fill, no sync"; "fill"; {durability: "none"}), beside("Fill, synced"; "fill"; {durability: "sync"}),
		beside("Read whole, cold"; "read"; {warm: 0}), beside("Two parts, cold"; "parallel"; {warm: 0, parts: 2}), beside("Sixteen parts, cold"; "parallel"; {warm: 0, parts: 16}), beside("Sixteen parts, warm"; "parallel"; {warm: 1, parts: 16})],
	limits: [{title: "the fill", unit: "records/s", note: "Filling in one transaction, synced.", lines: ([$ours[] | select(so("fill"; {durability: "sync"}))] | limit_lines(.whole_ops_per_sec))}],
	sweeps: [(0, 1) as $warm | [1, 2, 4, 8, 16] as $xs | {title: "Reads/s in parts, its keys, \(["cold", "warm"][$warm])", note: "Voron there; the others here. One scale for all.", $xs, word: "parts",
		lines: ([{label: "voron", points: [$xs[] | [., there("parallel"; {warm: $warm, parts: .})]]}] + [$labels[] as $called | {label: $called,
			points: [$xs[] as $x | [$x, (of($called; "parallel"; {warm: $warm, parts: $x}) | map(.whole_ops_per_sec) | median)]]} | select(any(.points[]; .[1] != null))])}]}
	end
end
