# unum-2022.jq: the claims of Unum's UCSB of 2022;
# see claims.jq.

include "claims";
include "numbers";
include "rows";

# how a size is called
def gigabytes: if . == null then "memory for a tenth" elif . < 1 then "\(. * 1000 | round) MB" elif . < 1000 then "\(.) GB"
	else "\(. / 1000) TB" end;
# The results that the repository has of every size, without caches and by one core, as rows like ours. What LMDB has of Y are
# the figures of its 0, and its A is E16's: neither decides anything.
def recorded: {rows: [table("unum-2022-sizes") |
	select(.mode == "without_caches" and .cores == 1 and .fails_percent < 1) |
	(.workload | tostring) as $w | select(.engine != "LMDB" or ($w | IN("Y", "A") | not)) |
	{experiment: $w, engine: (.engine | ascii_downcase), size_gb, entries_per_sec: .operations_per_sec}]};
# A claim of the article's tables for each size that there is: there by the record, here by our rows.
def sizes(decided): (if $side == "published" then recorded else . end) | by(.size_gb; gigabytes; decided);

# the same of a claim whose published figures are of one size; and our rows with memory for a tenth
def our_sizes(decided): if $side == "published" then decided else by(.size_gb; gigabytes; decided) end;
def limited: {rows: [.rows[] | select(.size_gb == null)]};

def E1: 2 as $tolerance | claim({kind: "O", where: "both", $tolerance,
	text: "Bulk load is much faster than inserting in batches"};
	if $side == "published" then
		finding("E1")
	else our_sizes(
		. as $all |
		[engines("0")[] | . as $e |
			select([$all | rows("0"; $e) | .emulated // "" | test("bulk")] |
				any | not) |
			{name: $e,
					value: (($all |
					get("0"; $e; .entries_per_sec)) / ($all |
					get("Y"; $e; .entries_per_sec)))}] |
		if length == 0 then lacking("an engine with a bulk load") else . end |
		answer(all(.[]; .value >= $tolerance); "speed of 0 over Y: " + listed))
	end);

def E2: claim({kind: "O", where: "both",
	text: ("RocksDB is slowest at the scan; of it and LevelDB, LevelDB is better " +
		"at scans and RocksDB at randomized operations")};
	sizes(. as $all | ["wiredtiger", "leveldb", "rocksdb", "unumdb"] as $theirs |
	ranking("Z"; $theirs; .entries_per_sec) as $z |
	[("A", "C", "D", "X") as $w | {w: $w, r: ($all | ranking($w; ["leveldb", "rocksdb"]; .entries_per_sec))}] as $random |
	if any($random[]; .r | length < 2) or ($z | length) < 3 then
		lacking("rows of A C D X and Z")
	else
		.
	end |
	answer($z[-1].name == "rocksdb" and all($random[]; .r[0].name == "rocksdb");
		"Z: " + ($z | listed) + "; " + ($random | map("\(.w): \(.r | listed)") | join("; ")))));

def E3: 0.75 as $tolerance | claim({kind: "O", where: "both", $tolerance,
	text: "WiredTiger almost always uses most CPU and memory"};
	our_sizes(. as $all |
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
		def in_words: if length == 0 then "none" else "\(length) (\(join(" ")))" end;
		"of \($n) workloads most CPU in \($cpu | in_words), most memory in \($memory | in_words)")));

def E4: claim({kind: "O", where: "both",
	text: "In A LevelDB is faster than WiredTiger and that than RocksDB"};
	sizes(ranking("A"; ["leveldb", "wiredtiger", "rocksdb"]; .entries_per_sec) |
	if length < 3 then lacking("all three in A") else . end |
	answer(map(.name) == ["leveldb", "wiredtiger", "rocksdb"]; listed)));

def E5: claim({kind: "O", where: "both",
	text: "In C RocksDB is faster than WiredTiger and that than LevelDB"};
	sizes(ranking("C"; ["leveldb", "wiredtiger", "rocksdb"]; .entries_per_sec) as $r | . as $all |
	if ($r | length) < 3 then lacking("all three in C") else . end |
	answer($r | map(.name) == ["rocksdb", "wiredtiger", "leveldb"];
		($r | listed) + ([$all | rows("C") | select(.engine == "lmdb") | {name: name, value: .entries_per_sec}] |
			if length > 0 then ", and left out there: " + listed else "" end))));

def E6: claim({kind: "N", where: "neither",
	text: "Most engines lose about 15 % in a Docker container",
	reason: ("its figures with and without one are not printed; what a container does " +
		"to files is an overlay file system, and no script here sets one up")};
	null);

def E7: 0.1 as $tolerance | claim({kind: "N", where: "ours", $tolerance,
	text: "After a load out of order other engines are often 2 to 5 times slower",
	reason: "it prints no figure of it"};
	limited as $all | $all |
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

def E8: 0.5 as $tolerance | claim({kind: "O", where: "both", $tolerance,
	text: ("Mapped files take very much memory, but within the limit, where others " +
		"do not")};
	if $side == "published" then
		(statement("E.ram.most") / 100) as $most |
		[table("unum-2022-record") | select((.workload | tostring) | IN("0", "C", "Z")) |
			select(.entries_per_iteration != null) |
			{name: "\(.engine) \(.workload)", mapped: (.engine == "LMDB"),
				value: (.mem_avg_bytes / .disk_bytes)}] |
		answer(all(.[]; .mapped == (.value >= $tolerance * $most)) and all(.[]; .value <= $most);
			"memory over the database, of which \($most) was allowed at most: " + (sort_by(-.value) | listed))
	else
		limited | [("C", "Z") as $w | rows($w) | select(.memory_limit_kb != null) |
			{name: "\(name) in \($w)", mapped: (.engine == "lmdb"), value: (.rss_kb / .memory_limit_kb)}] |
		if any(.[]; .mapped) | not then lacking("LMDB with a limit of memory") else . end |
		answer(all(.[] | select(.mapped); .value >= $tolerance and .value <= 1) and
				([.[] | select(.mapped) | .value] | min) > ([.[] | select(.mapped | not) | .value] | max // 0);
			"the process over the limit: " + (sort_by(-.value) | listed))
	end);

def E9: claim({kind: "X", where: "neither",
	text: ("A drive should be measured empty, or filled to 80 %, for its cells " +
		"change mode between"),
	reason: ("it prints no figure of it, and a virtual disk tells nothing of its " +
		"cells")};
	null);

def E10: 0.1 as $tolerance | claim({kind: "I", where: "both", $tolerance,
	text: "The database is hardly larger than its records after the load"};
	our_sizes([engines("0")[] as $e | one("0"; $e) | select(.db_disk_kb != null) |
		{name: $e, bytes: .value_size,
				value: (.db_disk_kb * 1024 / (.num * (.key_size +
				.value_size)))}] |
	if length == 0 then lacking("sizes in 0") else . end | sort_by(-.value) |
	answer(all(.[]; .value <= 1 + $tolerance);
		"size over records of 8 + \(if $side == "published" then statement("E.value.record") else
			([.[].bytes] | unique | map(tostring) | join(" or ")) end) bytes: " + listed)));

def E11: claim({kind: "I", where: "published",
	text: "UnumDB is often, in half of the workloads, two to five times as fast as the second",
	reason: "UnumDB cannot be had"};
	[$findings[] | select(.id == "E11")][0] as $f |
	answer($f.agree * 2 >= $f.rows; "in \($f.agree) of \($f.rows): " +
		($f.figures | map("\(.row) \(.value | show)") | join(", "))));

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
	sizes(. as $all | ["lmdb", "wiredtiger", "sqlite", "bdb"] as $trees |
	[("0", "A", "C", "D", "E", "X", "Y", "Z") as $w |
		[$all | rows($w) | select(.engine != "unumdb") | {name: .engine, value: .entries_per_sec}] |
		select(length > 1) | max_by(.value) + {w: $w}] |
	if length == 0 then lacking("several engines") else . end |
	answer(all(.[]; .name | IN($trees[]) | not);
		"the fastest" + (if $side == "published" then " but UnumDB" else "" end) + ": " +
		(map("\(.w) \(.name) \(.value | show)") | join(", ")))));

def E15: claim({kind: "O", where: "both",
	text: "Reading in batches is faster than single reads"};
	sizes(. as $all |
	(engines("C")) as $both |
	[engines("X"; $both)[] | . as $e | {name: $e, value: (($all | get("X"; $e; .entries_per_sec)) / ($all |
		get("C"; $e; .entries_per_sec)))}] | sort_by(-.value) |
	answer(all(.[]; .value > 1); "speed of X over C: " + listed)));

def E16: claim({kind: "I", where: "published",
	text: "A speed is what was processed over the time that it took",
	reason: "here it is so by its definition, which decides nothing"};
	finding("E16"));

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

def E18: claim({kind: "N", where: "published",
	text: "Memory is limited to 10 %, or more often 5 %, of the database",
	reason: "our limit is a tenth by the script, which decides nothing"};
	[$findings[] | select(.id == "E18")][0] as $f |
	([$f.figures[].value] | sort) as $v |
	answer($f.agree * 2 >= $f.rows;
		"in \($f.agree) of \($f.rows) tables: the memory is \($v[0] | show) to \($v[-1] | show) % of the database, so " +
		"the limit bound none of them"));

def E19: claim({kind: "O", where: "both",
	text: "LMDB is too slow to be shown beside the others"};
	sizes(. as $all | [("0", "C", "D", "E", "X", "Z") as $w |
		[$all | rows($w) | select(name == .engine) | {engine, entries_per_sec}] | group_by(.engine) |
		map({name: .[0].engine, value: (map(.entries_per_sec) | median)}) | sort_by(-.value) |
		{w: $w, place: (map(.name) | index("lmdb")), of: length} |
		select(.place != null and .of > 1) | .place += 1] |
	if length == 0 then lacking("LMDB and others") else . end |
	answer((map(select(.place == .of)) | length) * 2 > length;
		"its places: " + (map("\(.w) \(.place) of \(.of)") | join(", ")))));

# Here by what was committed: an engine that has batches commits many records at once.
def E20: claim({kind: "I", where: "both",
	text: "Only LevelDB and UnumDB insert in batches natively"};
	if $side == "published" then finding("E20") else
		[rows("Y") | select(.commits > 0) | {name: name, value: (.entries / .commits)}] |
		if any(.[]; .name == "leveldb") | not then lacking("LevelDB in Y") else . end |
		answer(all(.[]; (.name == "leveldb") == (.value > 1));
			"records in a commit: " + (sort_by(-.value) | listed))
	end);

def E21: 0.1 as $tolerance | claim({kind: "N", where: "ours", $tolerance,
	text: "Keys are integers of 8 bytes, as YCSB's are: it makes no difference",
	reason: "YCSB's are texts of up to 24 bytes, and it prints no figure with those"};
	limited as $all | $all |
	[engines("C-user-keys")[] | . as $e | {name: $e, value: (($all | get("C-user-keys"; $e; .entries_per_sec)) /
		($all | get("C"; $e; .entries_per_sec)))}] |
	answer(all(.[]; .value - 1 | fabs <= $tolerance);
		"speed of C with keys of \(statement("E21.ycsb")) bytes over those of 8: " + (sort_by(-.value) | listed)));
