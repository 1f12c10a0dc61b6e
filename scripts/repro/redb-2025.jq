# redb-2025.jq: the table of redb's README as rows, and tables.md in its layout; see markdown.jq.

# its tests as experiments, and what each counts
def tests: [
	["bulk load", "bulk", 1, statement("G.records")],
	["individual writes", "single", 1, statement("G.single")],
	["batch writes", "batches", 1, statement("G.batches") * statement("G.batch")],
	["random reads", "reads", 1, statement("G.reads")],
	["random range reads", "ranges", 1, statement("G.scans")],
	((4, 8, 16, 32) | ["random reads", "reads", ., statement("G.records") + statement("G.single") +
		statement("G.batches") * statement("G.batch")])];
def published:
	(tests[] as [$test, $experiment, $threads, $ops] |
		table("redb-2025-times") | select(.test == $test and .threads == $threads and .pass != 1) |
		{document: "redb-2025", experiment: $experiment, engine: (.engine | ours), label: (.engine | ours), valid: 1,
		threads: $threads, num: statement("G.records"), key_size: statement("G.key"), value_size: statement("G.value"),
		ops: $ops, seconds: .wall_s, ops_per_sec: ($ops / .wall_s), bold}),
	(table("redb-2025-sizes") | {document: "redb-2025", experiment: ("size-" + .size), engine: (.engine | ours),
		label: (.engine | ours), valid: 1, db_disk_kb: (if .mib then .mib * 1024 else null end)});

def there($experiment; $threads; $called): [published | select(.experiment == $experiment and
	(.threads // 1) == $threads and .label == $called)][0];
def here($experiment; $threads; $called): [$rows[] | select(.experiment == $experiment and .threads == $threads and
	.label == $called)] | if length == 0 then null
	else [.[] | select(.valid == 1)] | if length == 0 then "invalid" else middle(.ops_per_sec) + {spread: spread(.ops_per_sec)} end end;
# how many times the time of LMDB, there and here
def times($row; $lmdb): if $row == null or $lmdb == null or $row == "invalid" or $lmdb == "invalid" then "-"
	else $lmdb.ops_per_sec / $row.ops_per_sec | three end;

if $what == "rows" then published
else
	([$rows[].label] | unique) as $names | ["lmdb", "rocksdb", "sqlite"] as $theirs |
	($theirs + ($names - $theirs)) as $all |
	"\($rows[0].num | commas) records of 24 + 150 bytes; published: \(statement("G.records") | commas). Operations a second, ours with the rounds' 95 % interval (Student's t on the logarithms); in brackets the time of LMDB's.", "",
	"## Speed", "",
	markdown(["test", "threads"] + [$all[] | if IN($theirs[]) then "\(.), published" else empty end, "\(.), here"]; [0];
		(tests[] | [.[0], .[1], .[2]]) as [$test, $experiment, $threads] |
		there($experiment; $threads; "lmdb") as $model | here($experiment; $threads; "lmdb") as $own |
		[$test, $threads] + [$all[] as $called |
			(if $called | IN($theirs[]) then there($experiment; $threads; $called) as $row |
				"\($row.ops_per_sec | three) (\(times($row; $model)))" else empty end),
			(here($experiment; $threads; $called) as $row | if $row == null then "-" elif $row == "invalid" then "invalid"
				else "\($row.ops_per_sec | three)\($row.spread) (\(times($row; $own)))" end)]),
	"## Size after the load and the writes, MiB", "",
	"Published: after the removals, which are not here.", "",
	markdown(["engine", "uncompacted, published", "compacted", "here"]; [0];
		$all[] as $called | [$called] + [("size-uncompacted", "size-compacted") as $x |
			(there($x; 1; $called) | if . == null then "-" else .db_disk_kb / 1024 | three end)] +
			[here("ranges"; 1; $called) | if type != "object" then "-" else .db_disk_kb / 1024 | three end]),
	"## Engines of the publication that are not here", "",
	markdown(["engine", "why"]; [0, 1]; $missing[0][] | [.engine, .reason])
end
