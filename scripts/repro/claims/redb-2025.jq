# redb-2025.jq: what the table of redb's README of 2025 says; see claims.jq. It has one sentence: the rest is what stands in bold,
# and the orders of its lines.

include "claims";
include "numbers";
include "rows";

# the engines of it that are ours
def theirs: ["lmdb", "rocksdb", "sqlite"];
# their order in a line, fastest first
def order($experiment; $threads): . as $all | {rows: [rows($experiment) | select(.threads == $threads)]} |
	ranking($experiment; theirs; .ops_per_sec) |
	if length < 3 then lacking("all three in \($experiment)") else . end;

def G1: claim({kind: "I", where: "published",
	text: "redb is about as fast as other such stores, LMDB and RocksDB: within twice their time",
	reason: "redb is a library for Rust"};
	finding("G1"));

def G2: claim({kind: "I", where: "published",
	text: "What it prints in bold is the best of its line",
	reason: "it is about its own table"};
	finding("G.bold"));

def G3: claim({kind: "O", where: "both",
	text: "LMDB reads fastest, whatever the number of threads, and in ranges too"};
	. as $all |
	[(["ranges", 1], (4, 8, 16, 32 | ["reads", .]), ["reads", 1]) as [$x, $threads] |
		{what: "\($x) \($threads)", r: ($all | order($x; $threads))}] |
	answer(all(.[]; .r[0].name == "lmdb"); map("\(.what): \(.r | listed)") | join("; ")));

def G4: claim({kind: "O", where: "both",
	text: "LMDB loads in bulk faster than RocksDB, and that than SQLite"};
	order("bulk"; 1) | answer(map(.name) == ["lmdb", "rocksdb", "sqlite"]; listed));

def G5: claim({kind: "O", where: "both",
	text: "Of writes that are synced one by one LMDB has most, then RocksDB, then SQLite"};
	order("single"; 1) | answer(map(.name) == ["lmdb", "rocksdb", "sqlite"]; listed));

def G6: claim({kind: "O", where: "both",
	text: "Of batches RocksDB writes most, then LMDB, then SQLite"};
	order("batches"; 1) | answer(map(.name) == ["rocksdb", "lmdb", "sqlite"]; listed));

def G7: claim({kind: "S", where: "both",
	text: "LMDB and RocksDB read more with each doubling of the threads, SQLite less from 8 on"};
	. as $all |
	[theirs[] as $e | {name: $e, rates: [(4, 8, 16, 32) as $n |
		($all | get("reads"; $e; .threads == $n; .ops_per_sec))]}] |
	answer(all(.[]; .rates as $r | if .name == "sqlite" then $r[1] < $r[0] and $r[2] < $r[1] and $r[3] < $r[2]
			else $r[1] > $r[0] and $r[2] > $r[1] and $r[3] > $r[2] end);
		"4, 8, 16 and 32 threads: " + (map("\(.name) \(.rates | map(show) | join(" "))") | join(", "))));

# It left SQLite the cache that it has by itself, and gave RocksDB 4 GiB.
def G8: claim({kind: "O", where: "both",
	text: "SQLite reads slowest"};
	. as $all |
	def slowest($called): ["reads", "ranges"] | map(. as $x |
		($all | get($x; $called; .threads == 1; .ops_per_sec)) as $own |
		($all | [get($x; "lmdb"; .threads == 1; .ops_per_sec), get($x; "rocksdb"; .threads == 1; .ops_per_sec)]) as $rest |
		{x: $x, holds: ($own < ($rest | min)), text: "\($x) \($own | show), LMDB and RocksDB \($rest | map(show) | join(" and "))"}) |
		answer(all(.[]; .holds); map(.text) | join(", "));
	if $side == "published" then slowest("sqlite") else
		[engines("reads")[] | select(startswith("sqlite"))] |
		if length == 0 then lacking("SQLite in reads") else . end |
		map(. as $called | {name: $called} + ([try slowest($called) catch {holds: null, numbers: .}][0])) | together
	end);

def G9: claim({kind: "O", where: "both",
	text: "RocksDB is smallest and LMDB largest of the three"};
	if $side == "published" then ranking("size-uncompacted"; theirs; .db_disk_kb)
	else {rows: [rows("ranges")]} | ranking("ranges"; theirs; .db_disk_kb) end |
	if length < 3 then lacking("sizes of all three") else . end |
	answer(.[0].name == "lmdb" and .[-1].name == "rocksdb"; "KiB: " + listed));
