# symas-2014.jq: the claims of In-Memory Microbenchmark (Large) of 2014;
# see claims.jq.

include "claims";
include "numbers";
include "rows";

# the engines that are log-structured merge trees
def lsm: ["leveldb", "basho", "hyperleveldb", "rocksdb",
	"rocksdb+prefix_size=8", "wiredtiger+type=lsm"];

def A1: 0.02 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: ("Of all loads only that of LMDB takes as much CPU time as time: " +
		"its Overhead is 1")};
	ranking("load"; (.user_s + .sys_s) / .seconds) as $r |
	answer(($r | map(select(.value - 1 | fabs <= $tolerance) | .name)) == ["lmdb"];
		$r | listed));

def A2: 0.6 as $tolerance | claim({kind: "O", where: "both", $tolerance,
	text: ("The other B-trees, Berkeley DB and WiredTiger, wait in the load: " +
		"their Overhead is far below 1")};
	ranking("load"; ["bdb", "wiredtiger"]; (.user_s + .sys_s) / .seconds) as $r |
	answer(all($r[]; .value < $tolerance); $r | listed));

def A3: 2 as $tolerance | claim({kind: "O", where: "both", $tolerance,
	text: "LMDB loads fastest, and the LSM engines are several times slower"};
	ranking("load"; .writes_per_sec) as $r | . as $all |
	ranking("load"; lsm; .writes_per_sec) as $lsm |
	get("load"; "lmdb"; .writes_per_sec) as $lmdb |
	answer($r[0].name == "lmdb" and all($lsm[]; $lmdb >= $tolerance * .value); $r |
		listed));

def A4: 0.1 as $tolerance | claim({kind: "S", where: "ours", $tolerance,
	text: ("The rate at which LMDB and WiredTiger load falls in steps, as the " +
		"tree grows in height"),
	reason: "it is told of a picture only"};
	. as $all |
	[("lmdb", "wiredtiger") as $e | $all | one("load"; $e) |
		{name: $e, at: .step_at, times: (.step_times |
			known("the largest step of the load of \($e), by its timeline"))}] |
	answer(all(.[]; .times >= 1 + $tolerance);
		"the largest fall: " + (map(.name + if .times == 1 then " none" else
			" after \(.at | show) records, to 1/\(.times | show) of what it was" end) | join(", "))));

def A5: 0.99 as $tolerance | claim({kind: "S", where: "ours", $tolerance,
	text: ("LSM engines load at a rate that is constant on average and erratic " +
		"from moment to moment"),
	reason: "it is told of a picture only"};
	. as $all | ranking("load"; lsm; .linear_r2) as $straight |
	ranking("load"; lsm; .interval_cv) as $cv |
	get("load"; "lmdb"; .interval_cv) as $lmdb |
	answer(all($straight[]; .value >= $tolerance) and all($cv[]; .value > $lmdb);
		"R2 of a straight line: \($straight | listed); variation: " +
		"\($cv | listed), lmdb \($lmdb | show)"));

def A6: 2 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: ("WiredTiger had put its records long before its process was done: the " +
		"rest was syncing")};
	if $side == "published" then
		get("load"; "wiredtiger"; .seconds) as $exit |
		ratio($exit; statement("A6.puts")) as $x |
		answer($x >= $tolerance;
			"\(statement("A6.puts")) s of the table's \($exit) s (the text: \(statement("A6.exit")) s), " +
			"\($x | show) times")
	else
		one("load"; "wiredtiger") |
		(.seconds + (.settle_seconds | known("the time of settling")) + (.close_seconds // 0)) as $whole |
		answer($whole / .seconds >= $tolerance;
			"\(.seconds | show) s of \($whole | show) s with settling and " +
			"closing, \($whole / .seconds | show) times")
	end);

def A7: claim({kind: "O", where: "published",
	text: "Only LMDB did all the reads in the time allowed",
	reason: ("our runs end by the clock; those of the small database end by their " +
		"reads, and all engines do them")};
	finding("A7"));

def A8: claim({kind: "I", where: "published",
	text: ("The hours that each engine would have needed for all the reads are " +
		"those of its own rate: one way alone to part its digits gives them"),
	reason: "it is arithmetic of the published table"};
	finding("A8"));

# Its tail, in which readers drop out, lowers the mean, so that of the whole run may be less.
def A9: 0.1 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: ("For most of its run LMDB alone keeps as many CPUs busy as there " +
		"are readers")};
	if $side == "published" then
		statement("A9.ideal") as $ideal |
		(get("run"; "lmdb"; (.user_s + .sys_s) / .seconds)) as $times |
		(get("run"; "lmdb"; .cpu_percent / 100)) as $printed |
		[{name: "by its times", x: $times}, {name: "by its column CPU (F2)", x: $printed}] |
		map({name, holds: (.x / $ideal >= 1 - $tolerance),
			numbers: ("\(.x * 100 | show) % of \($ideal * 100) %, the mean of the run of which " +
				"it says \(statement("A9.lmdb")) % for most")}) | together
	else
		[rows("run") | {name: name, value: ((.busy_cpu_percent |
			known("its CPU use over time")) / ([.threads, .cores] | min))}] |
		sort_by(-.value) | (map(select(.name == "lmdb"))[0] | known("a row of lmdb in run")) as $lmdb |
		answer($lmdb.value >= 95 and all(.[] | select(.name != "lmdb"); .value < 95);
			"median of each CPU: " + listed)
	end);

def A10: claim({kind: "O", where: "both",
	text: "No other engine writes as fast as LMDB beside its readers"};
	ranking("run"; .writes_per_sec) as $r |
	answer($r[0].name == "lmdb"; $r | listed));

def A11: claim({kind: "N", where: "both",
	text: "No engine reads within an order of magnitude of LMDB"};
	statement("A11") as $times | ranking("run"; .reads_per_sec) as $r |
	answer(($r | length) > 1 and $r[0].name == "lmdb" and
			$r[0].value >= $times * $r[1].value; $r | listed));

def A12: claim({kind: "N", where: "both",
	text: ("The mean rate of reads of LMDB is below the rate that it keeps for " +
		"most of the run")};
	if $side == "published" then
		get("run"; "lmdb"; .reads_per_sec) as $mean |
		answer($mean < statement("A12");
			"mean \($mean | show), for most of it more than " +
			"\(statement("A12") | show)")
	else
		one("run-small"; "lmdb") | lasting(5) |
		(.busy_reads_per_sec | known("its rate while all read")) as $busy |
		answer(.reads_per_sec < $busy;
			"mean \(.reads_per_sec | show), while all threads read " +
			"\($busy | show), in the small database, which ends by its reads")
	end);

def A13: claim({kind: "S", where: "ours",
	text: "As readers of LMDB end, those that remain become faster",
	reason: "it is told of a picture only"};
	one("run-small"; "lmdb") | lasting(5) |
	(.thread_per_sec_all | known("its threads over time")) as $all |
	(.thread_per_sec_late |
		known("an interval of LMDB in run-small in which some threads had ended")) as $late |
	answer($late > $all;
		"a thread \($all | show)/s while all read, \($late | show)/s when " +
		"others had ended, in the small database"));

def A14: 1.5 as $tolerance | claim({kind: "O", where: "ours", $tolerance,
	text: ("LSM engines reach higher peaks of writes than LMDB, and do not keep " +
		"them"),
	reason: "it is told of pictures only"};
	. as $all | ranking("run"; lsm; .peak_writes_per_sec) as $peak |
	get("run"; "lmdb"; .peak_writes_per_sec) as $lmdb |
	[$peak[] | . as $p |
		{name,
				value: (.value / ($all |
				get("run"; $p.name; .writes_per_sec)))}] as $over |
	answer(all($peak[]; .value > $lmdb) and all($over[]; .value >= $tolerance);
		"peaks: \($peak | listed), lmdb \($lmdb | show); peak over mean: " +
		"\($over | listed)"));

def switches($experiment; $tolerance):
	[rows($experiment) | select(.engine != "null") | lasting(5) |
		{name: name, value: (.ctx_voluntary / .reads * 1e6),
			own: (.ctx_voluntary / ([.ctx_involuntary, 1] | max))}] |
	sort_by(-.value) |
	(map(select(.name == "lmdb"))[0] | known("a row of lmdb in \($experiment)")) as $lmdb |
	map(select(.name != "lmdb")) as $others |
	if $others == [] then lacking("other engines in \($experiment)") else . end |
	answer(all($others[]; .value >= $tolerance * $lmdb.value and .own > 1) and $lmdb.own < 1;
		"voluntary a million reads: \(listed); voluntary over involuntary: " +
			(map("\(.name) \(.own | show)") | join(", ")));

def A15: 100 as $tolerance | claim({kind: "O", where: "ours", $tolerance,
	text: ("Beside LMDB all engines switch contexts by orders of magnitude more, " +
		"nearly always of their own accord, and LMDB rather when it is made " +
		"to"),
	reason: "its counts run together in the stored text (unsplit.csv)"};
	. as $all |
	[{name: "the small database", experiment: "run-small"},
		{name: "the large one", experiment: "run"} | .experiment as $e | {name} +
		($all | [try switches($e; $tolerance) catch {holds: null, numbers: .}][0])] |
	together);

def A16: 2 as $tolerance | claim({kind: "N", where: "ours", $tolerance,
	text: "The voluntary switches of LMDB are the harness's and not its own",
	reason: "its profile is not shown"};
	(one("run-small"; "null") | lasting(5) | .ctx_voluntary / .seconds) as $null |
	(one("run-small"; "lmdb") | lasting(5) | .ctx_voluntary / .seconds) as $lmdb |
	answer($lmdb <= $tolerance * $null;
		"LMDB \($lmdb | show) a second, an engine that does nothing \($null | show)"));

def A17: 0.01 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: ("A run adds no record, so ideally a database is as large after it as " +
		"after its load: LMDB's is")};
	. as $all |
	[engines("load")[] | . as $e |
		{name: .,
				value: ($all |
				ratio(get("run"; $e; .db_disk_kb);
				get("load"; $e; .db_disk_kb)))}] |
	sort_by(-.value) | (map(select(.name == "lmdb"))[0] | known("lmdb in load and run")) as $lmdb |
	answer($lmdb.value - 1 | fabs <= $tolerance; "after over before: " + listed));

def A18: 0.05 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: "The process of LMDB is as large as its database"};
	one("run"; "lmdb") | (.peak_rss_kb // .rss_kb) as $rss |
	answer(within($rss; .db_disk_kb; $tolerance);
		"process \($rss | show) KiB, database \(.db_disk_kb | show) " +
		"KiB\(if .rss_anon_kb then ", of its own \(.rss_anon_kb | show) KiB" else "" end)"));

def A19: 1.6 as $tolerance | claim({kind: "O", where: "both", $tolerance,
	text: ("Basho, Berkeley DB, TokuDB and the B-tree of WiredTiger keep to the " +
		"cache they are given, the others do not")};
	. as $all | statement("A.ram") as $ram |
	def over: if $side == "published" then
		.rss_kb * 1024 / 1073741824 / (if .engine == "basho" or
				.engine == "bdb" or .engine == "tokudb" or
				name == "wiredtiger" then
			statement("A.cache.honoured") else
		statement("A.cache.others") end) else
	(.rss_anon_kb |
		known("its own memory")) * 1024 / (.cache_bytes +
			(.write_buffer_bytes // 0) * 2) end;
	[rows("run") | select(.engine != "lmdb") | {name: name, value: over}] |
	sort_by(-.value) as $r | ["basho", "bdb", "tokudb", "wiredtiger"] as $keep |
	answer(all($r[];
			if .name | IN($keep[]) then .value <= $tolerance else
				.value > $tolerance end);
	(if $side == "published" then "process over cache: " else
			"own memory over cache and two write buffers: " end) +
	($r | listed)));

def A20: 0.1 as $tolerance | claim({kind: "S", where: "both", $tolerance,
	text: ("Readers follow the writer, thread 3 above all: with the generator of " +
		"2014 some do, with ours none")};
	if $side == "published" then
		[table("symas-2014-offsets")] as $ahead |
		[table("symas-2014-followers") | select(.engine != "RocksDBpfx") | . as $told |
			[table("symas-2014-results") | select(.engine == $told.engine)][0] |
			(.writes_per_sec * .run_wall_s) as $draws |
			{name: .engine, told: $told.readers, overtaken: [$ahead[] |
				select(.draws_ahead < $draws)] | sort_by(.draws_ahead) | map(.reader)}] |
		# one that is overtaken near the end makes little progress, so one too many is allowed
		answer(all(.[]; (.overtaken | length) - .told | . >= 0 and . <= 1) and
				all(.[]; .overtaken[0] == statement("A20.first")) and
				any(.[]; .overtaken[:2] == [statement("A20.first"), statement("A20.second")]);
			"told of, and overtaken by the writer's draws: " + (map("\(.name) \(.told), threads " +
				(.overtaken | map(tostring) | join(" "))) | join(", ")) +
			"; RocksDB's program has another generator")
	else
		. as $all |
		def of($rng): $all | one("run-" + $rng; "leveldb") |
			{share: (.lead_share | known("its readers over time")), thread: .lead_thread, threads};
		of("minstd") as $old | of("default") as $now |
		answer($old.thread == statement("A20.first") and $old.share >= 2 / $old.threads and
				$now.share <= (1 + $tolerance) / $now.threads * 1.5;
			"generator of 2014: thread \($old.thread) has \($old.share * 100 | show) % of the reads; " +
			"ours: thread \($now.thread) has \($now.share * 100 | show) %; an equal share is " +
			"\(100 / $now.threads | show) %")
	end);

def A21: claim({kind: "N", where: "both",
	text: "Readers too slow for one report leave no trace in the statistics"};
	[rows("run") | select(.reads_per_sec * .seconds / .threads < statement("A.report")) |
		{name: name, value: (.reads_per_sec * .seconds / .threads)}] | sort_by(-.value) |
	answer(length > 0;
		"reads of a thread in the whole run, fewer than the " +
		"\(statement("A.report")) of a report: " +
			if length == 0 then "of none" else listed end));

def A22: claim({kind: "X", where: "neither",
	text: ("RocksDB itself reports 7 million reads a second, and LMDB would read " +
		"tens of millions there"),
	reason: "it is of other hardware, of which nothing else is told"};
	null);

def F2: claim({kind: "I", where: "published",
	text: "The CPU column is user and system time over wall time",
	reason: "it is arithmetic of the published table"};
	finding("F2"));
