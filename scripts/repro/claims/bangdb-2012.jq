# bangdb-2012.jq: the claims of Sachin Sinha's comparison of LevelDB, Berkeley DB and BangDB
# of 2012; see claims.jq.

include "claims";
include "numbers";
include "rows";

def D1: claim({kind: "O", where: "neither",
	text: "BangDB is faster than LevelDB and Berkeley DB in writes and in reads",
	reason: ("the article has its results in pictures only, and of BangDB there is a " +
		"binary alone, of a later version, which its interface does not fit")};
	null);

# Of each number of threads the median of the rounds, [{x, cores, rate}], and as text.
def over_threads: group_by(.x) | map({x: .[0].x, cores: .[0].cores, rate: (map(.ops_per_sec) | median)});
def threads: map("\(.x) thread\(if .x == 1 then "" else "s" end) \(.rate | show)") | join(", ");

def D2: 0.05 as $tolerance | claim({kind: "S", where: "ours", $tolerance,
	text: "LevelDB writes best with one thread",
	reason: "its results are pictures only"};
	[rows("D4"; "leveldb"; .side == "write")] | over_threads |
	if length < 2 then lacking("LevelDB's writes over threads") else . end |
	([.[] | select(.x == 1).rate][0]) as $one |
	answer(all(.[]; $one >= .rate * (1 - $tolerance)); "writes/s: " + threads));

def D3: 0.1 as $tolerance | claim({kind: "S", where: "ours", $tolerance,
	text: "LevelDB reads best with as many threads as there are cores",
	reason: "its results are pictures only"};
	[rows("D4"; "leveldb"; .side == "read")] | over_threads |
	if length < 2 then lacking("LevelDB's reads over threads") else . end |
	(map(.rate) | max) as $best |
	answer(any(.[]; .x == .cores and .rate >= $best * (1 - $tolerance));
		"\(.[0].cores) cores, reads/s: " + threads));

def D4: claim({kind: "S", where: "ours",
	text: ("All but LevelDB's writes are fastest with about as many threads as " +
		"there are cores"),
	reason: "its results are pictures only"};
	[("write", "read") as $side |
		([rows("D4") |
				select(.side == $side and
				(($side == "write" and .engine == "leveldb") | not)) |
				. + {what: "\(name) \($side)s"}] | group_by(.what)[] |
			{what: .[0].what} + (over_threads | max_by(.rate)))] |
	if length == 0 then lacking("D4") else . end |
	answer(all(.[]; .x >= .cores / 2 and .x <= .cores * 2 and .x > 1);
		"\(.[0].cores) cores, best with threads: " +
			(map("\(.what) \(.x)") | join(", "))));

def D5: 0.5 as $tolerance | claim({kind: "O", where: "ours", $tolerance,
	text: "Berkeley DB writes far slower once the data is more than its cache",
	reason: "its results are pictures only"};
	([rows("D2"; "bdb"; .side == "write")] |
		if length == 0 then lacking("Berkeley DB's writes within its cache") else
			max_by(.x) end) as $in |
	([rows("D3"; "bdb"; .side == "write")] |
		if length == 0 then lacking("Berkeley DB's writes beyond its cache") else
			max_by(.x) end) as $over |
	answer($over.ops_per_sec < $tolerance * $in.ops_per_sec;
		"\($in.x | show) records in a cache of " +
		"\($in.cache_bytes / 1048576 | show) MiB \($in.ops_per_sec | show)/s, " +
		"\($over.x | show) in \($over.cache_bytes / 1048576 | show) MiB " +
		"\($over.ops_per_sec | show)/s: " +
		"\($over.ops_per_sec / $in.ops_per_sec | show) of it"));

def D6: 0.25 as $tolerance | claim({kind: "O", where: "ours", $tolerance,
	text: "Berkeley DB gets faster with the cores, its reads above all",
	reason: "its results are pictures only"};
	. as $all |
	def up($side): ($all |
		get("D4"; "bdb"; .side == $side and .x == .cores; .ops_per_sec)) / ($all |
		get("D4"; "bdb"; .side == $side and .x == 1; .ops_per_sec));
	up("read") as $read |
	up("write") as $write | get("D4"; "bdb"; .x == 1; .cores) as $cores |
	answer($read >= $cores * (1 - $tolerance) and $read > $write and $write > 1;
		"with \($cores) threads on \($cores) cores reads are \($read | show) " +
		"times, writes \($write | show) times those of one thread"));

def D7: claim({kind: "O", where: "neither",
	text: "BangDB writes more data than the others, for it does not compress",
	reason: ("the article prints no amount of data, and of BangDB there is a binary " +
		"alone, of a later version")};
	null);

def D8: 0.75 as $tolerance | claim({kind: "O", where: "ours", $tolerance,
	text: "LevelDB is faster with compression than without",
	reason: "its results are pictures only"};
	. as $all |
	[("D1", "D1s", "D2", "D2s", "D3") as $t | ("write", "read") as $side |
		([$all | rows($t; "leveldb"; .side == $side)] |
			if length > 0 then max_by(.x) else empty end) as $with |
		([$all |
				rows($t; "leveldb+compression=none";
				.side == $side and .x == $with.x)] |
			if length > 0 then .[0] else empty end) as $without |
		{what: "\($t) \($side)s",
				ratio: ($with.ops_per_sec / $without.ops_per_sec)}] |
	if length == 0 then lacking("LevelDB with and without compression") else . end |
	answer((map(select(.ratio > 1)) | length) >= $tolerance * length;
		"values that halve; with over without: " +
			(map("\(.what) \(.ratio | show)") | join(", "))));

def D9: 0.25 as $tolerance | claim({kind: "S", where: "ours", $tolerance,
	text: ("Speed depends on the number of operations, so that one number would " +
		"not do"),
	reason: "its results are pictures only"};
	. as $all |
	[("D1", "D2", "D3") as $t | ("write", "read") as $side |
		([$all | rows($t) | select(.side == $side) |
				{what: name, rate: .ops_per_sec}] | group_by(.what)[] |
			select(length > 1) |
			{what: "\($t) \(.[0].what) \($side)s",
				apart: ((map(.rate) | max) / (map(.rate) | min))})] |
	if length == 0 then lacking("several numbers of operations") else . end |
	answer((map(select(.apart > 1 + $tolerance)) | length) > length / 2;
		"\(map(select(.apart > 1 + $tolerance)) | length) of \(length) curves " +
		"vary by more than \($tolerance * 100) %, most of all " +
			(sort_by(-.apart)[:3] | map("\(.what) by \(.apart | show)") |
			join(", "))));

def D10: 0.25 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: "100,000 operations are about 50 MB with key and value"};
	statement("D10") as $said |
	((statement("D.key") +
				(statement("D.value.least") +
				statement("D.value.most")) / 2) * 1e5 / 1e6) as $raw |
	([rows("D1") | select(.side == "write" and .db_disk_kb != null and .ops > 0) |
			{what: name, x, mb: (.db_disk_kb * 1024 / .ops * 1e5 / 1e6)}] |
		group_by(.what) | map(max_by(.x))) as $disk |
	if $side == "ours" and ($disk | length) == 0 then
		lacking("rows of D1")
	else
		.
	end |
	answer(if $side == "ours" then
			all($disk[]; .mb / $said - 1 | fabs <= $tolerance) else
		$raw / $said - 1 | fabs <= $tolerance end;
	"keys and values are \($raw | show) MB" + if $side == "ours" then
		"; on disk " +
		($disk | map("\(.what) \(.mb | show) MB") | join(", ")) else "" end));

# Of its graphs that of the reads of test 2: the author's own program of three years later, with LevelDB's blocks past its
# cache and nothing compressed, has the settings that may turn it.
def D11: claim({kind: "O", where: "ours",
	text: ("Other settings may change its graphs: that of reads with all in the cache, by " +
		"those of the program that has survived"),
	reason: "its results are pictures only"};
	. as $all |
	["D2", "D2-program"] | map(. as $x |
		([$all | rows($x) | select(.side == "read") | .x] | max) as $most |
		["bdb", "leveldb"] | map(. as $e | [$all | rows($x) | select(.engine == $e and .side == "read" and
			.x == $most and ($x != "D2" or name == .engine)) | .ops_per_sec] |
			if length == 0 then lacking("reads of \($e) in \($x)") else . end |
			{name: $e, value: median, interval: interval})) |
	answer((.[0][0].value > .[0][1].value) != (.[1][0].value > .[1][1].value);
		"the article's settings: \(.[0] | listed); the program's: \(.[1] | listed)"));
