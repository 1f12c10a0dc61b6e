# bangdb-2012.jq: the claims of Sachin Sinha's comparison of LevelDB, Berkeley DB and BangDB
# of 2012; see claims.jq.

include "claims";

def D1: claim({shape: "O", where: "neither",
	text: "BangDB is faster than LevelDB and Berkeley DB in writes and in reads",
	reason: ("the article has its results in pictures only, and of BangDB there is a " +
		"binary alone, of a later version, which its interface does not fit")});

# What it shows in pictures only is decided by our rows.
def bangdb_picture: {where: "ours", reason: "its results are pictures only"};

# Of each number of threads the median of the rounds, [{x, cores, rate}], and as text.
def bangdb_over_threads: group_by(.x) |
	map({x: .[0].x, cores: .[0].cores, rate: (map(.ops_per_sec) | median)});
def bangdb_threads: map("\(.x) thread\(if .x == 1 then "" else "s" end) \(.rate | show)") |
	join(", ");

def D2: 0.05 as $tolerance | claim({shape: "S", $tolerance,
	rule: "leveldb, one thread within \($tolerance | percent) of its best",
	text: "LevelDB writes best with one thread"} + bangdb_picture;
	[rows("D4"; "leveldb"; .side == "write")] | bangdb_over_threads |
	at_least(2; "LevelDB's writes over threads") |
	([.[] | select(.x == 1).rate][0]) as $one |
	answer(all(.[]; $one >= .rate * (1 - $tolerance)); "writes/s: " + bangdb_threads));

def D3: 0.1 as $tolerance | claim({shape: "S", $tolerance,
	rule: "leveldb, a thread a core within \($tolerance | percent) of its best",
	text: "LevelDB reads best with as many threads as there are cores"} + bangdb_picture;
	[rows("D4"; "leveldb"; .side == "read")] | bangdb_over_threads |
	at_least(2; "LevelDB's reads over threads") |
	(map(.rate) | max) as $best |
	answer(any(.[]; .x == .cores and .rate >= $best * (1 - $tolerance));
		"\(.[0].cores) cores, reads/s: " + bangdb_threads));

def D4: 0.1 as $tolerance | claim({shape: "S", $tolerance,
	rule: ("all but leveldb's writes, within \($tolerance | percent) of the best at " +
		"a number above 1, from half to twice the cores"),
	text: ("All but LevelDB's writes are fastest with about as many threads as " +
		"there are cores")} + bangdb_picture;
	[("write", "read") as $side |
		([rows("D4") | select(.side == $side and [.side, .engine] != ["write", "leveldb"]) |
			. + {what: "\(name) \($side)s"}] | group_by(.what)[] |
			{what: .[0].what} + (bangdb_over_threads | (map(.rate) | max) as $best |
			{cores: .[0].cores,
			near: map(select(.rate >= $best * (1 - $tolerance)).x)}))] |
	some("D4") |
	answer(all(.[]; .cores as $cores |
		any(.near[]; . >= $cores / 2 and . <= $cores * 2 and . > 1));
		"\(.[0].cores) cores, threads within \($tolerance | percent) of the best: " +
			(map("\(.what) \(.near | map(tostring) | join(" "))") | join(", "))));

# the rows of a test with most of what it varies
def bangdb_most($test; $form; $side): [rows($test; $form; .side == $side)] |
	some("\($side)s of \($form) in \($test)") | (map(.x) | max) as $x | map(select(.x == $x));
def bangdb_rate($test; $form; $side): bangdb_most($test; $form; $side) | map(.ops_per_sec) | median;

def D5: 0.5 as $tolerance | claim({shape: "O", $tolerance,
	rule: "bdb below \($tolerance | percent) of its rate in the cache",
	text: "Berkeley DB writes far slower once the data is more than its cache"} +
		bangdb_picture;
	def bangdb_called: typical |
		"\(.x | show) records in a cache of \(.cache_bytes / 1048576 | show) MiB " +
			"\(.ops_per_sec | show)/s";
	bangdb_most("D2"; "bdb"; "write") as $in | bangdb_most("D3"; "bdb"; "write") as $over |
	(($over | map(.ops_per_sec) | median) / ($in | map(.ops_per_sec) | median)) as $ratio |
	answer($ratio < $tolerance;
		"\($in | bangdb_called), \($over | bangdb_called): \($ratio | show) of it"));

def D6: 0.25 as $tolerance | claim({shape: "O", $tolerance,
	rule: "bdb, reads at least \(1 - $tolerance) x the number of cores, more than writes",
	text: "Berkeley DB gets faster with the cores, its reads above all"} + bangdb_picture;
	. as $all |
	def bangdb_speedup($side): ($all |
		get("D4"; "bdb"; .side == $side and .x == .cores; .ops_per_sec)) / ($all |
		get("D4"; "bdb"; .side == $side and .x == 1; .ops_per_sec));
	bangdb_speedup("read") as $read |
	bangdb_speedup("write") as $write | get("D4"; "bdb"; .x == 1; .cores) as $cores |
	answer($read >= $cores * (1 - $tolerance) and $read > $write and $write > 1;
		"with \($cores) threads on \($cores) cores reads are \($read | show) " +
		"times, writes \($write | show) times those of one thread"));

def D7: claim({shape: "O", where: "neither",
	text: "BangDB writes more data than the others, for it does not compress",
	reason: ("the article prints no amount of data, and of BangDB there is a binary " +
		"alone, of a later version")});

def D8: 0.75 as $tolerance | claim({shape: "O", $tolerance,
	rule: "leveldb, faster in at least \($tolerance | percent) of the tests",
	text: "LevelDB is faster with compression than without"} + bangdb_picture;
	. as $all |
	[("D1", "D1s", "D2", "D2s", "D3") as $t | ("write", "read") as $side |
		select(any($all | rows($t; "leveldb+compression=none"); .side == $side)) |
		{name: "\($t) \($side)s", value: ($all | bangdb_rate($t; "leveldb"; $side) /
			bangdb_rate($t; "leveldb+compression=none"; $side))}] |
	at_least(6; "LevelDB without compression in tests 2 and 3") |
	answer((map(select(.value > 1)) | length) >= $tolerance * length;
		"values that halve; with over without: " + listed));

def D9: 0.25 as $tolerance | claim({shape: "S", $tolerance,
	rule: ("more than half of the curves of bdb and leveldb vary by more than " +
		"\($tolerance | percent)"),
	text: "Speed varies with the number of operations, which its graphs are there to show"} +
		bangdb_picture;
	[("D1", "D2", "D3") as $t | ("write", "read") as $side |
		([rows($t) | select(.side == $side and (name | IN("bdb", "leveldb")))] |
			group_by(name)[] |
			{name: "\($t) \(.[0] | name) \($side)s",
			rates: (group_by(.x) | map(map(.ops_per_sec) | median))} |
			select(.rates | length > 1) | {name, value: (.rates | max / min)})] |
	some("several numbers of operations") |
	map(select(.value > 1 + $tolerance)) as $apart |
	answer(($apart | length) > length / 2;
		"\($apart | length) of \(length) curves vary by more than \($tolerance * 100) " +
			"%, most of all " +
		(sort_by(-.value)[:3] | listed)));

def D10: 0.25 as $tolerance | claim({shape: "N", $tolerance, counts: true,
	rule: ("all engines within \($tolerance | percent) of \(statement("D10")) MB, " +
		"but bdb, whose log files count"),
	text: "100,000 operations are about 50 MB with key and value"};
	statement("D10") as $said |
	((statement("D.value.least") + statement("D.value.most")) / 2) as $value |
	((statement("D.key") + $value) * 1e5 / 1e6) as $raw |
	if $side == "published" then
		answer($raw / $said - 1 | fabs <= $tolerance;
			"keys and values are \($raw | show) MB")
	else
		[engines("D1")[] as $e | select($e != "bdb") | bangdb_most("D1"; $e; "write") |
			{name: $e, value: (map(.db_disk_kb * 1024 / .ops * 1e5 / 1e6) | median)}] |
		answer(all(.[]; .value / $said - 1 | fabs <= $tolerance);
			"MB on disk: \(listed); keys and values are \($raw | show) MB")
	end);

# Of its graphs that of the reads of test 2: the author's own program of three years later, with
# LevelDB's blocks past its cache and nothing compressed, has the settings that may turn it.
def D11: claim({shape: "O",
	rule: "bdb and leveldb change places; one example is enough, and none is no refutation",
	text: ("Other settings may change its graphs: that of reads in the cache, by those of " +
		"the program that " +
		"has survived (values of 15 bytes, keys in order, nothing compressed)")} +
		bangdb_picture;
	. as $all |
	["D2", "D2-program"] | map(. as $x |
		([$all | rows($x) | select(.side == "read") | .x] | max) as $most |
		["bdb", "leveldb"] | map(. as $e |
			[$all | rows($x) | select(.engine == $e and .side == "read" and
			.x == $most and ($x != "D2" or name == .engine)) | .ops_per_sec] |
			some("reads of \($e) in \($x)") |
			{name: $e, value: median})) |
	if (.[0][0].value > .[0][1].value) == (.[1][0].value > .[1][1].value) then
		lacking("an example that changes their places") else . end |
	answer(true;
		"the article's settings: \(.[0] | listed); the program's: \(.[1] | listed)"));

def D12: claim({shape: "O",
	rule: "the faster of bdb and leveldb is the same, no margin",
	text: ("With small caches the order of bdb and leveldb stays (\"similar trends\", it " +
		"says, of its other tests)")} + bangdb_picture;
	. as $all |
	[("D1", "D2") as $t | ("write", "read") as $side |
		[($t, $t + "s") as $x | [("bdb", "leveldb") as $e |
			{name: $e, value: ($all | bangdb_rate($x; $e; $side))}] |
			sort_by(-.value)] |
		{name: "\($t) \($side)s", holds: (.[0][0].name == .[1][0].name),
			numbers: "large \(.[0] | listed), small \(.[1] | listed)"}] |
	together);

def D13: claim({shape: "N", where: "published", counts: true,
	rule: "the mean of its settings at least \(statement("D13"))",
	text: "Its records have values of 400 to 500 bytes",
	reason: "our values are of the sizes in its settings"};
	answer((statement("D.value.least") + statement("D.value.most")) / 2 >= statement("D13");
		"its settings: values of \(statement("D.value.least")) to " +
			"\(statement("D.value.most")) bytes, with the key " +
			"\(statement("D.key")) more"));
