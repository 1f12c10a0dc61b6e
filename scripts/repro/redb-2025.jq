# redb-2025.jq: the table of redb's README as rows, tables.md in its layout, and what its page begins with; see markdown.jq.

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

if $what == "rows" then published
else
	[published] as $published | ($rows | valid) as $ours | $missing[0] as $missing | "sqlite+journal=delete+cache_size=2000Ki" as $untuned |
	["redb", "lmdb", "rocksdb", "sqlite", "sled", "fjall"] as $theirs |
	([$rows[].label] | unique | sort_by(. as $l | ["lmdb", "rocksdb", $untuned, "sqlite"] | index($l) // 9)) as $names |
	def there($called; $x; $threads): [$published[] | select(.label == $called and .experiment == $x and (.threads // 1) == $threads)];
	def here($called; $x; $threads): [$ours[] | select(.label == $called and .experiment == $x and .threads == $threads)];
	[tests[] | [.[0], .[1], .[2]]] as $tests |
	def line($x; $threads): if $x == "reads" then "random reads, \($threads) thread\(if $threads == 1 then "" else "s" end)" else [$tests[] | select(.[1] == $x)][0][0] end;
	if $what == "tables" then
	"\($rows[0].num | commas) records of 24 + 150 bytes; there: \(statement("G.records") | commas). Operations a second: there those of its table, over its times. Here SQLite has the 2000 KiB of cache and the rollback journal of there, for all its connections, or is tuned: with what the others had and a write-ahead log. Its table, statements and syncs are not those of there. Read-ahead: \([$rows[].read_ahead_kb | values] | unique | map("\(.) KiB") | join(", ")). " + rounds_said, "",
	"## Operations a second, there", "",
	markdown(["test"] + $theirs; [0]; $tests[] as [$_, $x, $threads] | [line($x; $threads)] + [$theirs[] as $e | there($e; $x; $threads) | measured(.ops_per_sec; show)]),
	"## Operations a second, here", "",
	markdown(["test"] + ($names | map(if . == $untuned then "sqlite" elif . == "sqlite" then "sqlite tuned" else . end)); [0];
		$tests[] as [$_, $x, $threads] | [line($x; $threads)] + [$names[] as $e | here($e; $x; $threads) | measured(.ops_per_sec; show)]),
	"## Size, MiB", "",
	"There after the removals, uncompacted and compacted; here after the load and the writes.", "",
	markdown(["engine", "uncompacted, there", "compacted, there", "here"]; [0];
		($theirs + ($names - $theirs))[] as $e | [$e] + [("size-uncompacted", "size-compacted") as $x | there($e; $x; 1) | measured(.db_disk_kb / 1024; three)] +
			[here($e; "ranges"; 1) | measured(.db_disk_kb / 1024; three)]),
	"## Engines of the publication that are not here", "",
	markdown(["engine", "why"]; [0, 1]; $missing[] | [.engine, .reason])
	else
	# SQLite with the cache of there stands for SQLite
	def ours($x; $threads): [$ours[] | select(.experiment == $x and .threads == $threads) | if .label == $untuned then .label = "sqlite" elif .label == "sqlite" then .label = "sqlite+tuned" else . end];
	def said($x; $threads): [$published[] | select(.experiment == $x and (.threads // 1) == $threads)];
	def asks($asked; $x; $threads): leads($asked; "/s"; (said($x; $threads) | figures(.ops_per_sec)); (ours($x; $threads) | figures(.ops_per_sec)); null);
	{note: "Rings alone are redb and the engines that are not here; sqlite has the cache of 2000 KiB and the rollback journal of there; sqlite+tuned has the cache of the others and a write-ahead log.",
	asked: [asks("loads five million records fastest"; "bulk"; 1), asks("writes most in transactions of one record, each synced"; "single"; 1),
		asks("reads most with one thread"; "reads"; 1), asks("reads most with 32 threads"; "reads"; 32),
		asks("writes most in transactions of \(statement("G.batch") | commas) records, each synced"; "batches"; 1),
		(question("How near is redb to LMDB and RocksDB?"; ([$claims[] | select(.id == "G1").published.reason][0] // "-"); "redb is not run here"; "not on both sides"; "absent") | sure("")),
		question("On what?"; "AMD Ryzen 9950X3D, Samsung 9100 PRO; five million records of 24 + 150 bytes"; ([$ours[0] // {} | "\(.cores) cores, a virtual disk; nothing is scaled. sqlite has the cache of 2000 KiB and the rollback journal of there, but not its table, statements and syncs. sqlite+tuned has the cache of the others and a write-ahead log"][0]); ""; "")],
	panels: [$tests[] as [$_, $x, $threads] | select($x != "reads" or ($threads | IN(1, 8, 32))) | panel(line($x; $threads); "Operations a second."; "/s"; "lmdb"; (said($x; $threads) | figures(.ops_per_sec)); (ours($x; $threads) | figures(.ops_per_sec)))],
	limits: [{title: "the load", unit: "records/s", note: "Five million records, one thread.", lines: (ours("bulk"; 1) | limit_lines(.ops_per_sec))},
		{title: "synced writes", unit: "writes/s", note: "A thousand writes, each synced.", lines: (ours("single"; 1) | limit_lines(.ops_per_sec))},
		{title: "reads", unit: "reads/s", note: "One thread.", lines: (ours("reads"; 1) | limit_lines(.ops_per_sec))}],
	sweeps: [[4, 8, 16, 32] as $xs | (["there", [$published[] | select(.experiment == "reads")]], ["here", [$xs[] as $x | ours("reads"; $x)[]]]) as [$side, $all] |
		{title: "Random reads/s over threads, \($side)", note: "One scale for all; the other engines grey.", $xs, word: "threads",
		lines: ($all | group_by(.label) | map(. as $of | {label: .[0].label, points: [$xs[] as $x | [$x, ([$of[] | select(.threads == $x).ops_per_sec] | median)]]}) | sort_by(-(.points | map(.[1] // 0) | max)))}]}
	end
end
