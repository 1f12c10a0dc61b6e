# bangdb-2012.jq: the settings of the BangDB article as rows, for it has no figures; tables.md, and what its page begins with; see
# markdown.jq.

def called: "D\(.test)\(if .cache == "small" then "s" else "" end)";
def published: table("bangdb-2012-tests") | {document: "bangdb-2012", experiment: "settings", test: called, engine: "bangdb",
	label: "bangdb", num: .operations_max, key_size: statement("D.key"), value_sizes: "\(.value_min_bytes)-\(.value_max_bytes)",
	cache_bytes: (.cache_mb * 1048576), write_buffer_bytes: (.leveldb_write_buffer_mb * 1048576)};

if $what == "rows" then published
else
	($rows | valid) as $ours | $missing[0] as $missing |
	def mib: if . == null then "-" else . / 1048576 | three + " MiB" end;
	# writes and reads a second of a row, which has both only where they run at once
	def rate($side): if .side == $side then .ops_per_sec elif .side == "mix" then .[$side + "s_per_sec"] else null end;
	def of($test; $called; $x): [$ours[] | select(.experiment == $test and .label == $called and .x == $x)];
	if $what == "tables" then
	"The article has no table and no figure of a result in its text, only settings and pictures: there is nothing to set beside ours. leveldb is with its compression, as there; values can be halved. " + rounds_said, "",
	# of a test: what it varies a line, writes and reads a second of each engine its columns
	((["D1", "random writes and reads by one thread, large cache", "operations"], ["D1s", "the same, small cache", "operations"],
		["D2", "by four threads, LevelDB writing from one, large cache", "operations"], ["D2s", "the same, small cache", "operations"],
		["D3", "twice as much data as cache", "operations"], ["D4", "over threads", "threads"], ["D5", "values of 10,000 bytes", "operations"],
		["D6", "writes and reads at once, a fill before", "% writes"], ["D2-program", "test 2 with the settings of the surviving program", "operations"]) as [$test, $heading, $varied] |
	[$ours[] | select(.experiment == $test)] as $here | ([$here[].label] | unique) as $names |
	([table("bangdb-2012-tests") | select(called == $test[:2] or called == $test)] | sort_by(called == $test) | last) as $asked |
	"## Test \($test[1:] | sub("-.*"; "")): \($heading)", "",
	"There: pictures only; \([$asked.operations_min, $asked.operations_max] | unique | map(commas) | join(" to ")) operations, cache \(
		$asked.cache_mb | commas) MiB, LevelDB's write buffer \($asked.leveldb_write_buffer_mb | commas) MiB.", "",
	if $here == [] then "Not measured.", "" else
		"Here: cache \([$here[].cache_bytes] | max | mib), write buffer \([$here[].write_buffer_bytes] | max | mib), values of \($here[0].value_sizes) bytes.", "",
		(("write", "read") as $side |
		markdown(["\($side)s/s, by \($varied)"] + $names; []; ([$here[].x] | unique[]) as $x | [$x | commas] + [$names[] as $called |
			of($test; $called; $x) | measured(rate($side); show)]))
	end),
	"## Not here", "", "Not here: " + ($missing | map("\(.engine) (\(.reason))") | join("; ")) + ".", ""
	else
	def most($test; $side): [$ours[] | select(.experiment == $test and .side == $side)] | (map(.x) | max) as $x | map(select(.x == $x));
	def found($test; $side): most($test; $side) | figures(.ops_per_sec) | by_label;
	def others: behind | if . == [] then "" else ", then " + (map("\(.label) \(rate_of("/s"))") | join(", ")) end;
	def pictures($asked; $does; $test; $side): question($asked; "BangDB (not run here), in a picture; no figure, no margin"; (found($test; $side) | led("/s"; [.[].label]; "") + others); "BangDB is not here"; "absent") |
		sure(found($test; $side) | sure_of("\(short)/s")) |
		. + {sentence: (most($test; $side) | figures(.ops_per_sec) | stated($does; "/s"; "BangDB (not run here), in a picture without figures"))};
	# of Berkeley DB beyond its cache the rate over that within
	def beyond: (most("D3"; "write") + most("D2"; "write")) | map(select(.engine == "bdb") | .label = .experiment) | figures(.ops_per_sec) | ratio("D3"; "D2"; "bdb") | by_label;
	# of leveldb and bdb the faster one, and how many times as fast
	def pair($x; $side): [found($x; $side)[] | select(.label | IN("leveldb", "bdb"))] as [$first, $next] | if $next == null then null else
		most($x; $side) | figures(.ops_per_sec) | ratio($first.label; $next.label; "") | by_label[0] |
		"\($first.label) \($first.value / $next.value | factor) \($next.label)\(if .rounds < 2 then "" elif (.low | factor) == (.high | factor) then " in each round" else " (\([.low, .high] | span(factor)))" end)" end;
	def small: [$ours[] | select(.experiment == "D1s").cache_bytes][0] | if . == null then "small" else mib end;
	{note: "The article has pictures only, so there is no ring.",
	asked: [
		pictures("Which writes fastest, from one thread, two million records in the cache?"; "writes fastest from one thread, two million records in the cache"; "D1"; "write"),
		pictures("Which reads fastest, by one thread, in the cache?"; "reads fastest from one thread, in the cache"; "D1"; "read"),
		pictures("Which reads fastest with a \(small) cache? (leveldb and bdb alone run so)"; "reads fastest with a \(small) cache, of the two run so"; "D1s"; "read"),
		asked_of($claims; "D12"; "Are leveldb and bdb in the same order with a \(small) cache as with a large one?"; "similar trends, it says, of its other tests; pictures of tests 1 and 2"; ([("write", "read") as $side | ([("D1", "D1s") as $x | pair($x; $side)]) as [$large, $small] | select($large and $small) |
			"\($side)s: \($large) and, with \(small), \($small)"] | if . == [] then "not measured" else join("; ") end);
			[("D1", "D1s") as $x | ("write", "read") as $side | found($x; $side)[] | select(.label | IN("leveldb", "bdb")) | .what = "\(.label)'s \($side)s\(if $x == "D1" then "" else " with \(small)" end)"] | if . == [] then "" else (group_by(limit_told) | sort_by(-length)) as $groups | "\(.[0] | rounds_told); \($groups[0][0] | limit_told)\([$groups[1:][] | ", but for \(map(.what) | join(" and ")): \(.[0] | limit_told)"] | join(""))" end),
		asked_of($claims; "D5"; "Does Berkeley DB write far slower beyond its cache?"; "yes, it says, of 10 million records in 1.5 GB; no figure"; (beyond | if . == [] then "not measured" else "bdb, four threads, \(most("D3"; "write")[0].x | commas) records: \(.[0].value | percent) of its rate in the cache" end);
			beyond | sure_of(percent)),
		question("On what?"; "4 cores, 8 GB, a disk of 7200 rpm, 24-byte keys, values of 100 to 400 bytes";
			([$ours[] | select(.experiment == "D1")][0] // {} | "\(.cores) cores, \(.memory_kb | if . == null then "unknown memory" else size end), a virtual disk, the same caches and numbers of records, but seven of ten million in test 3"); ""; "")],
	panels: [("D1", "D1s", "D2", "D3") as $t | ("write", "read") as $side |
		panel({D1: "One thread", D1s: "One thread, small cache", D2: "Four threads", D3: "Beyond the cache"}[$t] + ": \($side)s/s"; ""; "/s"; "leveldb"; []; (most($t; $side) | figures(.ops_per_sec)))],
	limits: [{title: "writes", unit: "writes/s", note: "Test 1, one thread, two million records.", lines: (most("D1"; "write") | limit_lines(.ops_per_sec))},
		{title: "reads", unit: "reads/s", note: "Test 1, one thread, two million records.", lines: (most("D1"; "read") | limit_lines(.ops_per_sec))}],
	sweeps: [("write", "read") as $side | [$ours[] | select(.experiment == "D4" and .side == $side)] | select(. != []) | ([.[].x] | unique) as $xs |
		{title: "Test 4: \($side)s/s over threads", note: "One scale for all; the other engines grey.", $xs, word: "threads",
		lines: (group_by(.label) | map(. as $of | {label: .[0].label, points: [$xs[] as $x | [$x, ([$of[] | select(.x == $x).ops_per_sec] | median)]]}) | sort_by(-(.points | map(.[1] // 0) | max)))}]}
	end
end
