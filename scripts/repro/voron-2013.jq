# voron-2013.jq: the figures of Ayende Rahien's Voron article as rows, and tables.md in its layout; see markdown.jq.

def promise: {none: "none", buffers: "async", full: "sync"}[.];
def published:
	def row($experiment; $warm): {document: "voron-2013", experiment: $experiment, engine: "voron", label: "voron", valid: 1,
		num: statement("C.entries"), key_size: statement("C.key.code"), value_size: statement("C.value"), seconds: .wall_s,
		ops_per_sec, whole_ops_per_sec: .ops_per_sec, threads: (.parts // 1), parts, warm: $warm};
	(table("voron-2013-fill") | row("fill"; null) + {durability: (.flush | promise)}),
	(table("voron-2013-read") | row("read"; null)),
	(("cold", "warm") as $cache | table("voron-2013-read-" + $cache) |
		row(if .parts then "parallel" else "read" end; {cold: 0, warm: 1}[$cache]));

# the median row of ours that are so, in milliseconds and operations a second with opening and closing
def ours(condition): [$rows[] | select(condition)] | [.[] | select(.valid == 1)] as $valid |
	if length == 0 then ["-", "-"]
	elif $valid == [] then ["invalid: \(.[0].invalid_reason // "?")", "-"]
	else $valid | spread(.whole_ops_per_sec) as $spread | middle(.whole_ops_per_sec) |
		[(.ops / .whole_ops_per_sec * 1000 | three), (.whole_ops_per_sec | commas) + $spread] end;
def labels: [$rows[].label] | unique | sort_by(if startswith("lmdb") then 0 else 1 end);
def printed(condition): [published | select(condition)][0] |
	if . then [(.seconds * 1000 | three), (.ops_per_sec | commas)] else ["-", "-"] end;
def missing_here: "## Not here", "", "Not here: " + ($missing[0] | map("\(.engine) (\(.reason))") | join("; ")) + ".", "";
# a test a line: its name, what its published row is, what our rows are
def compared($lines): labels as $labels |
	markdown(["test", "voron, published: ms", "ops/s"] + [$labels[] | "\(.): ms", "ops/s"]; [0];
		$lines[] | . as [$test, $experiment, $fields] |
		def so: .experiment == $experiment and . as $row | all($fields | keys_unsorted[]; $row[.] == $fields[.]);
		[$test] + printed(so) + [$labels[] as $called | ours(.label == $called and so)[]]);

def lines: ["read seq", "read", {warm: .}], (. as $warm | (1, 2, 4, 8, 16) | ["read parallel \(.)", "parallel", {warm: $warm, parts: .}]);

if $what == "rows" then published
else $rows[0] as $any |
	"\($any.num | commas) records of \($any.key_size) + \($any.value_size) bytes; published: \(statement("C.entries") | commas) of \(
		statement("C.key.code")) + \(statement("C.value")). Times are with opening and closing, as there. Ours are the median of the rounds, with their 95 % interval (Student's t on the logarithms).", "",
	"## Filling in one transaction", "",
	compared([["fill seq none", "fill", {durability: "none"}], ["fill seq buff", "fill", {durability: "async"}],
		["fill seq sync", "fill", {durability: "sync"}]]),
	"## Filling ten times as many (ours)", "",
	compared([["fill long none", "fill-long", {durability: "none"}], ["fill long buff", "fill-long", {durability: "async"}],
		["fill long sync", "fill-long", {durability: "sync"}]]),
	"## The first reading, after the fill", "",
	"Printed once, of a database just filled: neither of the two caches is said.", "",
	compared([["read seq", "read", {warm: null}]]),
	"## Filling with a transaction for each record (ours)", "",
	compared([("none", "async", "sync") | ["fill single \(.)", "fill-single", {durability: .}]]),
	"## Reading, from a cold cache", "",
	"Parts read as its program did: part p reads keys 0, p, 2p and so on, so one part reads key 0 a million times.", "",
	compared([0 | lines]),
	"## Reading, from a warm cache", "",
	compared([1 | lines]),
	"## Parts that read their own keys (ours)", "",
	compared([(0, 1) as $warm | (1, 2, 4, 8, 16) |
		["\(["cold", "warm"][$warm]) parallel \(.)", "parallel-default", {warm: $warm, parts: .}]]),
	missing_here
end
