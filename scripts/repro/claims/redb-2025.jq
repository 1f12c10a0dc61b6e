# redb-2025.jq: what the table of redb's README of 2025 says; see claims.jq. It has one sentence:
# the rest is what stands in bold, and the orders of its lines.

include "claims";

# SQLite with the cache and the journal of there, and with what the others had; the first decides.
# Its table, statements, syncs and the caches of its connections differ from those of there, so that
# no claim rests on it being last.
def redb_untuned: "sqlite+journal=delete+cache_size=2000Ki";
def redb_settings(decided): if any(.rows[]; name == redb_untuned) | not then decided else
	. as $all |
	[(["SQLite with the cache and journal of there", redb_untuned],
		["SQLite tuned", "sqlite"]) as [$name, $form] |
		{$name, rows: [$all.rows[] | select(.engine != "sqlite" or name == $form) |
			if .engine == "sqlite" then .label = "sqlite" else . end]}] |
	first_of(decided) end;

# the engines of it that are ours
def redb_theirs: ["lmdb", "rocksdb", "sqlite"];
# their order in a line, fastest first
def redb_order($experiment; $threads): . as $all |
	{rows: [rows($experiment) | select(.threads == $threads)]} |
	ranking($experiment; redb_theirs; .ops_per_sec) |
	at_least(3; "all three in \($experiment)");
# that they are in this order with one thread
def redb_in_order($experiment; $names; $text):
	claim({shape: "O", $text, rule: "this order, no margin"};
		redb_settings(redb_order($experiment; 1) | answer(map(.name) == $names; listed)));

def G1: claim({shape: "I", where: "neither",
	text: "redb is about as fast as LMDB and RocksDB",
	reason: ([table("redb-2025-times")] | group_by([.test, .threads, .pass]) |
		map((map({key: .engine, value: .wall_s}) | from_entries) as $of |
			select($of.lmdb > 0) |
			($of.redb / $of.lmdb), ($of.redb / $of.rocksdb)) |
		"it says no factor; redb takes \(min | show) to \(max | show) times as long as " +
			"LMDB and as RocksDB in its lines, " +
		"\(map(log) | add / length | exp | show) as a geometric mean")});

def G2: found("G.bold"; {
	text: "What it prints in bold is the best of its line",
	reason: "it is about its own table"});

def G3: claim({shape: "O",
	rule: "lmdb first in each line, no margin",
	text: "LMDB reads fastest, whatever the number of threads, and in ranges too"};
	redb_settings(. as $all |
	[(["ranges", 1], (4, 8, 16, 32 | ["reads", .]), ["reads", 1]) as [$x, $threads] |
		{what: "\($x) \($threads)", r: ($all | redb_order($x; $threads))}] |
	answer(all(.[]; .r[0].name == "lmdb"); map("\(.what): \(.r | listed)") | join("; "))));

def G4: redb_in_order("bulk"; ["lmdb", "rocksdb", "sqlite"];
	"LMDB loads in bulk faster than RocksDB, and that than SQLite");

def G5: redb_in_order("single"; ["lmdb", "rocksdb", "sqlite"];
	"Of writes that are synced one by one LMDB has most, then RocksDB, then SQLite");

def G6: redb_in_order("batches"; ["rocksdb", "lmdb", "sqlite"];
	"Of batches RocksDB writes most, then LMDB, then SQLite");

def G7: claim({shape: "S",
	rule: "each doubling, no margin",
	text: ("LMDB and RocksDB read more with each doubling of the threads, SQLite less from " +
		"8 on")};
	redb_settings(. as $all | if $side != "published" and
		any(rows("reads"); .cores < 4) then
			lacking("4 cores, for its least number of threads") else . end |
	[redb_theirs[] as $e | {name: $e, rates: [(4, 8, 16, 32) as $n |
		($all | get("reads"; $e; .threads == $n; .ops_per_sec))]}] |
	answer(all(.[]; .rates as $r |
		if .name == "sqlite" then $r[1] < $r[0] and $r[2] < $r[1] and $r[3] < $r[2]
			else $r[1] > $r[0] and $r[2] > $r[1] and $r[3] > $r[2] end);
		"4, 8, 16 and 32 threads: " + listed(.rates | map(show) | join(" ")))));

def G8: claim({shape: "O",
	rule: "sqlite last in both, no margin",
	text: "SQLite reads slowest"};
	redb_settings(. as $all | if $side != "published" then
		lacking("SQLite with its table, statements and caches of there") else . end |
	[("reads", "ranges") as $x | {$x, r: ($all | redb_order($x; 1))}] |
	answer(all(.[]; .r[-1].name == "sqlite"); map("\(.x): \(.r | listed)") | join("; "))));

def G9: claim({shape: "O", counts: true,
	rule: "this order, no margin",
	text: "RocksDB is smallest and LMDB largest of the three"};
	redb_settings((if $side == "published" then "size-uncompacted" else "ranges" end) as $x |
	ranking($x; redb_theirs; .db_disk_kb) |
		at_least(3; "sizes of all three") |
	answer(.[0].name == "lmdb" and .[-1].name == "rocksdb"; "KiB: " + listed)));
