# unum-2022.jq: the claims of Unum's UCSB of 2022;
# see claims.jq.

include "claims";

# how a size is called
def unum_gigabytes: if . == null then "memory for a tenth"
	elif . < 1 then "\(. * 1000 | round) MB"
	elif . < 1000 then "\(.) GB"
	else "\(. / 1000) TB" end;
# The results that the repository has of every size, without caches and by one core, as rows like
# ours. What LMDB has of Y are the figures of its 0, and its A is F4's: neither decides anything.
def unum_recorded: {rows: [table("unum-2022-sizes") |
	select(.mode == "without_caches" and .cores == 1 and .fails_percent < 1) |
	(.workload | tostring) as $w | select(.engine != "LMDB" or ($w | IN("Y", "A") | not)) |
	{experiment: $w, engine: (.engine | ascii_downcase), size_gb,
		entries_per_sec: .operations_per_sec}]};
# Of its own sizes a row of ours decides that did as many operations as the record, a million or
# until its rate was steady, which reading/publications/ucsb_2022.py tells (ample); and from a cold
# cache only one that read from the device.
def unum_ample: .size_gb == null or .ample;
def unum_truly_cold: .size_gb == null or (.cold | IN(null, "none")) or
	(.experiment | IN("C", "X", "E", "Z") | not) or .device_read_bytes != 0;
def unum_like_the_record(decided): . as $all | try_to(decided) as $any |
	({rows: [.rows[] | select(unum_ample)]} | try_to(decided)) as $ample |
	({rows: [.rows[] | select(unum_ample and unum_truly_cold)]} | try_to(decided)) |
	if .holds != null or $any.holds == null then if .holds == null then
		error(.numbers) else . end
	elif $ample.holds == null then
		lacking("runs of as many operations as the record has, of a million, or to a " +
			"steady rate: those here were shorter")
	else lacking("a cold cache: a row here read nothing from the device") end;
# A claim for each size that there is: there by the record, here by our rows.
def unum_sizes(decided): if $side == "published" then
		unum_recorded | by(.size_gb; unum_gigabytes; decided)
	else by(.size_gb; unum_gigabytes; unum_like_the_record(decided)) end;

# the same of a claim whose published figures are of one size; and our rows with memory for a tenth
def unum_our_sizes(decided): if $side == "published" then decided else
	by(.size_gb; unum_gigabytes; unum_like_the_record(decided)) end;
def unum_limited: {rows: [.rows[] | select(.size_gb == null)]};

# how much faster an engine does one workload than another
def unum_speedup($w; $than; $engine): get($w; $engine; .entries_per_sec) /
	get($than; $engine; .entries_per_sec);

def E1: 2 as $tolerance | claim({shape: "O", $tolerance,
	rule: "each engine's bulk load at least \($tolerance) x its batches",
	text: "Bulk load is much faster than inserting in batches"};
	if $side == "published" then
		finding("E1")
	else unum_our_sizes(
		. as $all |
		[engines("0")[] | . as $e |
			select(any($all | rows("0"; $e); .emulated // "" | test("bulk")) | not) |
			{name: $e, value: ($all | unum_speedup("0"; "Y"; $e))}] |
		some("an engine with a bulk load") |
		answer(all(.[]; .value >= $tolerance); "speed of 0 over Y: " + listed))
	end);

def E2: claim({shape: "O",
	rule: "leveldb first in Z, rocksdb in A, C, D and X, no margin",
	text: ("Of LevelDB and RocksDB, LevelDB is better at scans and RocksDB at randomized " +
		"operations")};
	unum_sizes(. as $all |
	[("Z", "A", "C", "D", "X") as $w |
		{w: $w, r: ($all | ranking($w; ["leveldb", "rocksdb"]; .entries_per_sec))}] |
	if any(.[]; .r | length < 2) then lacking("rows of both in A C D X and Z") else . end |
	answer(all(.[]; .r[0].name == if .w == "Z" then "leveldb" else "rocksdb" end);
		map("\(.w): \(.r | listed)") | join("; "))));

def E3: 0.75 as $tolerance | claim({shape: "O", $tolerance,
	rule: "wiredtiger has most in at least \($tolerance | percent) of the workloads",
	text: "WiredTiger almost always uses most CPU and memory"};
	unum_our_sizes(. as $all |
	[("0", "A", "C", "D", "E", "X", "Y", "Z") as $w |
		[$all | engines($w; ["wiredtiger", "leveldb", "rocksdb", "unumdb"])[]] as $list |
		select(($list | length) > 1 and ($list | index("wiredtiger"))) |
		{w: $w, cpu: ($all | ranking($w; $list; .cores_used)[0].name), memory: ($all |
			ranking($w; $list; .rss_kb)[0].name)}] |
	at_least(8; "rows of WiredTiger and others in each of eight workloads") |
	length as $n | map(select(.cpu == "wiredtiger").w) as $cpu |
		map(select(.memory == "wiredtiger").w) as $memory |
	answer(($cpu | length) >= $tolerance * $n and ($memory | length) >= $tolerance * $n;
		def unum_in_words: if length == 0 then "none" else "\(length) (\(join(" ")))" end;
		"of \($n) workloads most CPU in \($cpu | unum_in_words), most memory in " +
			"\($memory | unum_in_words)")));

# that these engines are in this order, the fastest first
def unum_order($w; $names; $text): claim({shape: "O", $text, rule: "this order, no margin"};
	unum_sizes(ranking($w; $names; .entries_per_sec) |
		at_least(3; "all three in \($w)") | answer(map(.name) == $names; listed)));

def E4: unum_order("A"; ["leveldb", "wiredtiger", "rocksdb"];
	"In A LevelDB is faster than WiredTiger and that than RocksDB");

def E5: claim({shape: "O",
	rule: "this order, no margin",
	text: "In C RocksDB is faster than WiredTiger and that than LevelDB"};
	unum_sizes(ranking("C"; ["leveldb", "wiredtiger", "rocksdb"]; .entries_per_sec) as $r |
		. as $all |
	answer($r | at_least(3; "all three in C") |
			map(.name) == ["rocksdb", "wiredtiger", "leveldb"];
		($r | listed) +
			([$all | rows("C") | select(.engine == "lmdb") |
			{name: name, value: .entries_per_sec}] |
			if length > 0 then ", and left out there: " + listed else "" end))));

def E6: claim({shape: "N", where: "neither",
	text: "Most engines lose about 15 % in a Docker container",
	reason: ("its figures with and without one are not printed; what a container does " +
		"to files is an overlay file system, and no script here sets one up")});

def E7: 0.1 as $tolerance | claim({shape: "N", where: "ours", $tolerance,
	rule: ("half of the engines at least " +
		"\(statement("E7.least") * (1 - $tolerance) | to(2)) x slower"),
	text: "After a load out of order other engines are often 2 to 5 times slower",
	reason: "it prints no figure of it"};
	unum_limited as $all | $all |
	[("C", "E") as $w | engines($w + "-permuted")[] | . as $e |
		{name: "\($w) \($e)", value: ($all | unum_speedup($w; $w + "-permuted"; $e))}] |
	(map(select(.value >= statement("E7.least") * (1 - $tolerance))) |
		length) as $slower |
	answer($slower * 2 >= length;
		"\($slower) of \(length) at least \(statement("E7.least")) times; " +
		"speed in order over out of order: " +
			listed));

def E8: 0.5 as $tolerance | claim({shape: "O", $tolerance, counts: true,
	rule: "lmdb, \($tolerance | percent) to 100 % of the limit (here to 105 %)",
	text: "A process that maps its files takes very much memory, but keeps within the limit"};
	# half of the limit is very much; what pages of one process count beyond its group is no
	# more than a twentieth
	if $side == "published" then
		(statement("E.ram.most") / 100) as $most |
		[table("unum-2022-record") | select((.workload | tostring) | IN("0", "C", "Z")) |
			select(.entries_per_iteration != null and .engine == "LMDB") |
			{name: "\(.engine) \(.workload)", value: (.mem_avg_bytes / .disk_bytes)}] |
		answer(all(.[]; .value >= $tolerance * $most and .value <= $most);
			"memory over the database, of which \($most) was allowed at most: " +
				listed)
	else
		unum_limited | [("C", "Z") as $w | rows($w) |
			select(.engine == "lmdb" and .memory_limit_kb != null) |
			{name: "\(name) in \($w)", value: (.rss_kb / .memory_limit_kb)}] | once |
		some("LMDB with a limit of memory") |
		answer(all(.[]; .value >= $tolerance and .value <= 1.05);
			"the process over the limit: " + listed)
	end);

def E9: claim({shape: "X", where: "neither",
	text: ("A drive should be measured empty, or filled to 80 %, for its cells " +
		"change mode between"),
	reason: "it prints no figure of it, and a virtual disk tells nothing of its cells"});

def E11: claim({shape: "I", where: "published",
	rule: "unumdb, in half of the workloads at least",
	text: "UnumDB is often, in half of the workloads, two to five times as fast as the second",
	reason: "UnumDB cannot be had"};
	[$findings[] | select(.id == "E11")][0] as $f |
	answer($f.agree * 2 >= $f.rows; "in \($f.agree) of \($f.rows): " +
		($f.figures | map("\(.row) \(.value | show)") | join(", "))));

def E12: found("E12"; {
	text: "Medals go by speed, and a rosette marks a lead wider than any other gap",
	reason: "it is about the article's own medals"});

def E13: claim({shape: "X", where: "neither",
	text: "YCSB lacks concurrency and batches",
	reason: "no figure can tell: YCSB has -threads, and some of its bindings a batch size"});

def E14: claim({shape: "O",
	rule: "no tree is fastest in any workload",
	text: "All fast databases are log-structured merge trees"};
	unum_sizes(. as $all | ["lmdb", "wiredtiger", "sqlite", "bdb"] as $trees |
	[("0", "A", "C", "D", "E", "X", "Y", "Z") as $w |
		[$all | engines($w)[] | select(. != "unumdb" and (contains("+") | not))] as $list |
			select(($list | length) > 2) |
		($all | ranking($w; $list; .entries_per_sec)[0]) + {w: $w}] |
	at_least(8; "three engines in each of eight workloads") |
	answer(all(.[]; .name | IN($trees[]) | not);
		"the fastest" + (if $side == "published" then " but UnumDB" else "" end) + ": " +
		(map("\(.w) \(.name) \(.value | show)") | join(", ")))));

def E15: claim({shape: "O",
	rule: "each engine, no margin",
	text: "Reading in batches is faster than single reads"};
	unum_sizes(. as $all |
	engines("C") as $both |
	(engines("X"; $both) | at_least(4; "four engines in X and in C")) as $list |
	[$list[] | . as $e | {name: $e, value: ($all | unum_speedup("X"; "C"; $e))}] |
		sort_by(-.value) |
	answer(all(.[]; .value > 1); "speed of X over C: " + listed)));

def E17: claim({shape: "I", where: "published",
	rule: "unumdb first in each workload",
	text: "UnumDB is always the fastest",
	reason: "UnumDB cannot be had"};
	["0", "A", "C", "D", "E", "X", "Y", "Z"] as $all |
	[$all[] as $w | [table("unum-2022-" + $w)] | max_by(.speed_per_sec) |
		{w: $w, name: .engine, value: .speed_per_sec}] as $tables |
	[$all[] as $w |
		[table("unum-2022-record") |
			select((.workload | tostring) == $w and .entries_per_iteration != null and
				.fails_percent < 1) |
			(1 - .fails_percent / 100) as $done |
			{w: $w, name: .engine,
				value: ([.entries_per_iteration * $done / .real_time_us * 1e6,
				.operations_per_sec] | min)}] | max_by(.value)] as $record |
	def unum_told: map("\(.w) \(.name) \(.value | show)") | join(", ");
	[{name: "by its tables", holds: all($tables[]; .name == "UnumDB"),
		numbers: ($tables | unum_told)},
		{name: ("by its record, with LMDB, without rows that missed records, the lesser " +
			"of what it says and what its time gives"),
		holds: all($record[]; .name == "UnumDB"), numbers: ($record | unum_told)}] |
			first_decides);

def E18: claim({shape: "N", where: "neither", counts: true,
	text: "Memory is limited to 10 %, or more often 5 %, of the database",
	reason: ([$findings[] | select(.id == "E18")][0].figures | map(.value) |
		"memory in its tables is \(min | show) to \(max | show) % of the database; " +
			"less than a limit neither shows nor refutes it, and ours is a tenth by " +
			"the script")});

def E19: claim({shape: "O",
	rule: "lmdb last in more than half of six workloads",
	text: "LMDB is too slow to be shown beside the others"};
	unum_sizes(. as $all | [("0", "C", "D", "E", "X", "Z") as $w |
		[$all | rows($w) | select(name == .engine) | {engine, entries_per_sec}] |
			group_by(.engine) |
		map({name: .[0].engine, value: (map(.entries_per_sec) | median)}) |
			sort_by(-.value) |
		{w: $w, place: (map(.name) | index("lmdb")), of: length} |
		select(.place != null and .of > 1) | .place += 1] |
	at_least(6; "LMDB and others in each of six workloads") |
	answer((map(select(.place == .of)) | length) * 2 > length;
		"its places: " + (map("\(.place) of \(.of) at \(.w)") | join(", ")))));

def E20: found("E20"; {
	rule: "by the article's own table of what each engine can do",
	text: "Only LevelDB and UnumDB insert in batches natively",
	reason: "what is native is a matter of interfaces and not of our rows"});

# Inserts of single records, in the order of the bulk load, are an experiment of the script since
# its third edition.
def E22: 2 as $tolerance | claim({shape: "O", where: "ours", $tolerance,
	rule: "each engine's bulk load at least \($tolerance) x single inserts",
	text: "Bulk load is much faster than inserting one by one",
	reason: "it prints no figure of inserts one by one"};
	unum_sizes(. as $all | [engines("0-single")[] as $e | {name: $e,
		value: ($all | unum_speedup("0"; "0-single"; $e))}] |
	some("inserts one by one") |
	answer(all(.[]; .value >= $tolerance); "speed of 0 over inserts one by one: " + listed)));

def E23: unum_order("D"; ["wiredtiger", "rocksdb", "leveldb"];
	"In D WiredTiger is faster than RocksDB and that than LevelDB");
def E24: unum_order("X"; ["rocksdb", "wiredtiger", "leveldb"];
	"In X RocksDB is faster than WiredTiger and that than LevelDB");
def E25: unum_order("Y"; ["rocksdb", "wiredtiger", "leveldb"];
	"In Y RocksDB is faster than WiredTiger and that than LevelDB");
