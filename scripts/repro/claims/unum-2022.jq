# unum-2022.jq: the claims of Unum's UCSB of 2022;
# see claims.jq.

include "claims";
include "numbers";
include "rows";

def E1: 2 as $tolerance | claim({kind: "O", where: "both", $tolerance,
	text: "Bulk load is much faster than inserting in batches"};
	if $side == "published" then
		finding("E1")
	else
		. as $all |
		[engines("0")[] | . as $e |
			select([$all | rows("0"; $e) | .emulated // "" | test("bulk")] |
				any | not) |
			{name: $e,
					value: (($all |
					get("0"; $e; .entries_per_sec)) / ($all |
					get("Y"; $e; .entries_per_sec)))}] |
		if length == 0 then lacking("an engine with a bulk load") else . end |
		answer(all(.[]; .value >= $tolerance); "speed of 0 over Y: " + listed)
	end);

def E2: claim({kind: "O", where: "both",
	text: ("RocksDB is slowest at the scan; of it and LevelDB, LevelDB is better " +
		"at scans and RocksDB at random reads")};
	. as $all | ["wiredtiger", "leveldb", "rocksdb", "unumdb"] as $theirs |
	ranking("Z"; $theirs; .entries_per_sec) as $z |
	ranking("C"; ["leveldb", "rocksdb"]; .entries_per_sec) as $c |
	([$all | rows("C-in-memory") | select(.engine == "leveldb") |
			{name: name, value: .entries_per_sec}] |
		sort_by(-.value)) as $files |
	if ($c | length) < 2 or ($z | length) < 3 then
		lacking("rows of C and Z")
	else
		.
	end |
	answer($z[-1].name == "rocksdb" and $c[0].name == "rocksdb";
		"Z: " + ($z | listed) + "; C: " + ($c | listed) +
			if ($files | length) > 1 then
			"; C in memory, LevelDB with its own and with 64 open files: " +
			($files | listed) else "" end));

def E3: 0.75 as $tolerance | claim({kind: "O", where: "both", $tolerance,
	text: "WiredTiger almost always uses most processor and memory"};
	. as $all |
	[("0", "A", "C", "D", "E", "X", "Y", "Z") as $w |
		[$all | rows($w) |
			select(.engine |
				IN("wiredtiger", "leveldb", "rocksdb", "unumdb")) |
			select(name == .engine)] |
		select(any(.[]; .engine == "wiredtiger") and length > 1) |
		{w: $w, cpu: (max_by(.cores_used).engine == "wiredtiger"),
				memory: (max_by(.rss_kb).engine == "wiredtiger")}] |
	if length == 0 then lacking("rows of WiredTiger and others") else . end |
	length as $n | map(select(.cpu).w) as $cpu | map(select(.memory).w) as $memory |
	answer(($cpu | length) >= $tolerance * $n and
			($memory | length) >= $tolerance * $n;
		"most processor in \($cpu | length) of \($n) (\($cpu | join(" "))), " +
		"most memory in \($memory | length) (\($memory | join(" ")))"));

def E4: claim({kind: "O", where: "both",
	text: "In A LevelDB is faster than WiredTiger and that than RocksDB"};
	ranking("A"; ["leveldb", "wiredtiger", "rocksdb"]; .entries_per_sec) |
	if length < 3 then lacking("all three in A") else . end |
	answer(map(.name) == ["leveldb", "wiredtiger", "rocksdb"]; listed));

def E5: claim({kind: "O", where: "both",
	text: "In C RocksDB is faster than WiredTiger and that than LevelDB"};
	. as $all |
	ranking("C"; ["leveldb", "wiredtiger", "rocksdb"]; .entries_per_sec) |
	if length < 3 then lacking("all three in C") else . end |
	answer(map(.name) == ["rocksdb", "wiredtiger", "leveldb"];
		listed + "; LMDB, which it left out, " + if $side == "published" then
			"in the record " +
			"\([table("unum-2022-record") | select(.engine == "LMDB" and .workload == "C")][0].operations_per_sec | show)" else
		([$all | rows("C"; "lmdb") | .entries_per_sec] |
		if length > 0 then median else null end | show) end));

def E6: claim({kind: "N", where: "neither",
	text: "Most engines lose about 15 % in a Docker container",
	reason: ("neither figures without a container are printed, nor is there a " +
		"container to run in here")};
	null);

def E7: 0.1 as $tolerance | claim({kind: "N", where: "ours", $tolerance,
	text: "After a load out of order other engines are often 2 to 5 times slower",
	reason: "it prints no figure of it"};
	. as $all |
	[("C", "E") as $w | engines($w + "-permuted")[] | . as $e |
		{name: "\($w) \($e)",
				value: (($all | get($w; $e; .entries_per_sec)) / ($all |
				get($w + "-permuted"; $e; .entries_per_sec)))}] |
	(map(select(.value >= statement("E7.least") * (1 - $tolerance))) |
		length) as $slower |
	answer($slower * 2 >= length;
		"\($slower) of \(length) at least \(statement("E7.least")) times; " +
		"speed in order over out of order: " +
			listed));

def E8: 0.1 as $tolerance | claim({kind: "O", where: "ours", $tolerance,
	text: "Mapped files fill the memory that is allowed",
	reason: "it says nothing of a mapped engine's memory"};
	[("C", "Z") as $w | rows($w) |
		select(.engine == "lmdb" and .memory_limit_kb != null) |
		{name: "\(name) in \($w)", value: (.cgroup_peak_kb / .memory_limit_kb)}] |
	if length == 0 then lacking("LMDB with a limit of memory") else . end |
	answer(all(.[]; .value >= 1 - $tolerance);
		"most memory over the limit: " + listed));

def E9: claim({kind: "X", where: "neither",
	text: ("A drive should be measured empty, or filled to 80 %, for its cells " +
		"change mode between"),
	reason: ("it prints no figure of it, and a virtual disk tells nothing of its " +
		"cells")};
	null);

def E10: 0.1 as $tolerance | claim({kind: "I", where: "both", $tolerance,
	text: "The database is hardly larger than its records after the load"};
	[engines("0")[] as $e | one("0"; $e) | select(.db_disk_kb != null) |
		{name: $e,
				value: (.db_disk_kb * 1024 / (.num * (.key_size +
				.value_size)))}] |
	if length == 0 then lacking("sizes in 0") else . end | sort_by(-.value) |
	answer(all(.[]; .value <= 1 + $tolerance);
		"size over records of 8 + 1000 bytes: " + listed));

def E11: claim({kind: "I", where: "published",
	text: "UnumDB is often two to five times as fast as the second",
	reason: "UnumDB cannot be had"};
	finding("E11"));

def E12: claim({kind: "I", where: "published",
	text: ("Medals go by speed, and a rosette marks a lead wider than any other " +
		"gap"),
	reason: "it is about the article's own medals"};
	finding("E12"));

def E13: claim({kind: "X", where: "neither",
	text: "YCSB lacks concurrency and batches",
	reason: ("no figure can tell: YCSB has -threads, and some of its bindings a " +
		"batch size")};
	null);

def E14: claim({kind: "I", where: "both",
	text: "All fast databases are log-structured merge trees"};
	. as $all | ["lmdb", "wiredtiger", "sqlite", "bdb"] as $trees |
	[("0", "A", "C", "D", "E", "X", "Y", "Z") as $w |
		if $side == "published" then
			[table("unum-2022-record") |
			select((.workload | tostring) == $w and .engine != "UnumDB" and
				.fails_percent < 1 and .entries_per_iteration != null) |
			{name: (.engine | ascii_downcase),
				value: .operations_per_sec}] else
		[$all | rows($w) | {name: .engine, value: .entries_per_sec}] end |
	select(length > 1) | max_by(.value) + {w: $w}] |
	if length == 0 then lacking("several engines") else . end |
	answer(all(.[]; .name | IN($trees[]) | not);
		"the fastest" +
			(if $side == "published" then " of the record but UnumDB" else
				"" end) + ": " +
		(map("\(.w) \(.name) \(.value | show)") | join(", "))));

def E15: claim({kind: "O", where: "both",
	text: "Reading in batches is faster than single reads"};
	if $side == "published" then
		finding("E15")
	else
		. as $all |
		[engines("X")[] | . as $e |
			{name: $e,
					value: (($all |
					get("X"; $e; .entries_per_sec)) / ($all |
					get("C"; $e; .entries_per_sec)))}] |
		sort_by(-.value) |
		answer(all(.[]; .value > 1);
			"speed of X over C, both from nothing in memory: " + listed)
	end);

def E16: 0.001 as $tolerance | claim({kind: "I", where: "both", $tolerance,
	text: "A speed is what was processed over the time that it took"};
	if $side == "published" then
		finding("E16")
	else
		[rows |
			select(.entries_per_sec != null and .seconds > 0 and
					.entries != null) |
			{what: "\(.experiment) \(name)",
					off: (if .entries == 0 then 0 else
					.entries / .seconds / .entries_per_sec - 1 |
					fabs end)}] |
		if length == 0 then lacking("rows") else . end |
		answer(all(.[]; .off <= $tolerance);
			"\(map(select(.off <= $tolerance)) | length) of \(length) rows " +
			"agree, the worst off by \(map(.off) | max * 100 | show) %")
	end);

def E17: claim({kind: "I", where: "published",
	text: "UnumDB is always the fastest",
	reason: "UnumDB cannot be had"};
	[("0", "A", "C", "D", "E", "X", "Y", "Z") as $w |
		[table("unum-2022-record") |
			select((.workload | tostring) == $w and
				.entries_per_iteration != null) |
			{name: .engine, fails: .fails_percent,
				value: ([.entries_per_iteration * (1 - .fails_percent / 100) / .real_time_us * 1e6,
				.operations_per_sec] | min)}] |
		(map(select(.fails < 1)) | max_by(.value)) + {w: $w}] |
	answer(all(.[]; .name == "UnumDB");
		"by their record, the lesser of what it says and what its time gives, " +
		"without rows that missed records, LMDB with them: " +
			(map("\(.w) \(.name) \(.value | show)") | join(", "))));
