# bangdb-2012.jq: the settings of the BangDB article as rows, for it has no figures, and tables.md; see markdown.jq.

def called: "D\(.test)\(if .cache == "small" then "s" else "" end)";
def published: table("bangdb-2012-tests") | {document: "bangdb-2012", experiment: "settings", test: called, engine: "bangdb",
	label: "bangdb", num: .operations_max, key_size: statement("D.key"), value_sizes: "\(.value_min_bytes)-\(.value_max_bytes)",
	cache_bytes: (.cache_mb * 1048576), write_buffer_bytes: (.leveldb_write_buffer_mb * 1048576)};

def missing_here: "## Not here", "", "Not here: " + ($missing[0] | map("\(.engine) (\(.reason))") | join("; ")) + ".", "";
def rates: if length == 0 then "-" else
	map(select(.valid == 1)) as $valid |
	if $valid == [] then "invalid: \(.[0].invalid_reason // "?")" else $valid | (middle(.rate).rate | commas) + spread(.rate) end end;
def mib: if . == null then "-" else . / 1048576 | three + " MiB" end;

# of a test: what it varies a line, writes and reads a second of each engine its columns
def test($test; $heading; $what):
	[$rows[] | select(.experiment == $test)] as $here | ([$here[].label] | unique) as $names |
	([table("bangdb-2012-tests") | select(called == $test[:2] or called == $test)] | sort_by(called == $test) | last) as $asked |
	"## Test \($test[1:] | sub("-.*"; "")): \($heading)", "",
	"Published: pictures only, no figure; \([$asked.operations_min, $asked.operations_max] | unique | map(commas) | join(" to ")) operations, cache \(
		$asked.cache_mb | commas) MiB, LevelDB's write buffer \($asked.leveldb_write_buffer_mb | commas) MiB.", "",
	if $here == [] then "Not measured.", "" else
		"Here: cache \([$here[].cache_bytes] | max | mib), write buffer \([$here[].write_buffer_bytes] | max | mib), values of \(
			$here[0].value_sizes) bytes.", "",
		markdown([$what, "bangdb, published"] + [$names[] | "\(.): writes/s", "reads/s"]; [];
			([$here[].x] | unique[]) as $x | [$x | commas] + ["picture"] +
			[$names[] as $called | [$here[] | select(.label == $called and .x == $x)] |
				([.[] | select(.side == "write") | .rate = .ops_per_sec] + [.[] | select(.side == "mix") | .rate = .writes_per_sec] | rates),
				([.[] | select(.side == "read") | .rate = .ops_per_sec] + [.[] | select(.side == "mix") | .rate = .reads_per_sec] | rates)])
	end;

if $what == "rows" then published
else
	"The article has no table and no figure of a result in its text, only settings and pictures: there is nothing to set beside ours. Each figure is the median of the rounds, with their 95 % interval (Student's t on the logarithms). leveldb is with its compression, as there; values can be halved.", "",
	test("D1"; "random writes and reads by one thread, large cache"; "operations"),
	test("D1s"; "the same, small cache"; "operations"),
	test("D2"; "by four threads, LevelDB writing from one, large cache"; "operations"),
	test("D2s"; "the same, small cache"; "operations"),
	test("D3"; "twice as much data as cache"; "operations"),
	test("D4"; "over threads"; "threads"),
	test("D5"; "values of 10,000 bytes"; "operations"),
	test("D6"; "writes and reads at once, a fill before"; "% writes"),
	test("D2-program"; "test 2 with the settings of the surviving program"; "operations"),
	missing_here
end
