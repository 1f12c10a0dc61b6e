# symas-2014.jq: the claims of In-Memory Microbenchmark (Large) of 2014;
# see claims.jq.

include "claims";

# the engines that are log-structured merge trees
def symas14_lsm: ["leveldb", "basho", "hyperleveldb", "rocksdb",
	"rocksdb+prefix_size=8", "wiredtiger+type=lsm"];

# As many readers as cores, which the publication had, decide; sixteen readers on these cores stand
# beside it.
def symas14_lineups(decided): if any(.rows[]; .experiment == "run-cores") | not then decided else
	. as $all | [{name: "a reader a core", rows: [.rows[] | select(.experiment != "run") |
			if .experiment == "run-cores" then .experiment = "run" else . end]},
		{name: "16 readers", rows: .rows}] | first_of(decided) end;

# Where readers share cores, those that end leave theirs to the others.
def symas14_on_cores: if .threads <= .cores then . else
	lacking("a core for each of its \(.threads) readers, as there") end;

def A1: 0.02 as $tolerance | claim({shape: "N", $tolerance,
	rule: "lmdb alone within \($tolerance | percent) of 1",
	text: "Of all loads only that of LMDB takes as much CPU time as time: its Overhead is 1"};
	ranking("load"; cpu_s / .seconds) as $r |
	answer(($r | map(select(.value - 1 | fabs <= $tolerance) | .name)) == ["lmdb"];
		$r | listed));

def A2: 0.6 as $tolerance | claim({shape: "O", $tolerance,
	rule: "bdb and wiredtiger below \($tolerance)",
	text: ("The other B-trees, Berkeley DB and WiredTiger, wait in the load: " +
		"their Overhead is far below 1")};
	ranking("load"; ["bdb", "wiredtiger"]; cpu_s / .seconds) as $r |
	answer(all($r[]; .value < $tolerance); $r | listed));

# Settling is in the time of all engines. What LMDB settles is a sync, which its process did not
# wait for there: user and system time made all of its time. So the load without it stands beside.
def symas14_load_rate($synced): if $side == "published" then .writes_per_sec
	else .num / (.seconds + .close_seconds + if .engine != "lmdb" or $synced
		then .settle_seconds | known("the time of settling, which is in the published time")
		else 0 end) end;
def A3: 2 as $tolerance | claim({shape: "O", $tolerance,
	rule: ("lmdb first, each LSM engine at most 1/\($tolerance) of it; here with settling " +
		"and closing"),
	text: "LMDB loads fastest, and the LSM engines are several times slower"};
	def symas14_loads($synced): ranking("load"; symas14_load_rate($synced)) as $r |
		([$r[] | select(.name | IN(symas14_lsm[]))]) as $lsm |
		answer($r[0].name == "lmdb" and all($lsm[]; $r[0].value >= $tolerance * .value);
			$r | listed);
	if $side == "published" then symas14_loads(true) else . as $all |
		[(["all settled", true], ["LMDB without its sync, as there", false])
			as [$name, $synced] |
		{$name} + ($all | try_to(symas14_loads($synced)))] | first_decides end);

def A4: 0.1 as $tolerance | claim({shape: "S", where: "ours", $tolerance,
	rule: "lmdb and wiredtiger, a fall to 1/\(1 + $tolerance) or less",
	text: ("The rate at which LMDB and WiredTiger load falls in steps, as the " +
		"tree grows in height"),
	reason: "it is told of a picture only"};
	. as $all |
	[("lmdb", "wiredtiger") as $e | $all | one("load"; $e) |
		{name: $e, at: .step_at, times: (.step_times |
			known("the largest step of the load of \($e), by its timeline"))}] |
	answer(all(.[]; .times >= 1 + $tolerance);
		"the largest fall: " + (map(.name + if .times == 1 then " none" else
			" after \(.at | show) records, to 1/\(.times | show) of what it was" end) |
				join(", "))));

def A5: 0.985 as $tolerance | claim({shape: "S", where: "ours", $tolerance,
	rule: "LSM engines, R2 of \($tolerance) or more, rates vary more than lmdb's",
	text: ("LSM engines load at a rate that is constant on average (R2 0.99, rounded) and " +
		"more erratic than LMDB's"),
	reason: "it is told of a picture only"};
	. as $all | ranking("load"; symas14_lsm; .linear_r2) as $straight |
	ranking("load"; symas14_lsm; .interval_cv) as $cv |
	get("load"; "lmdb"; .interval_cv) as $lmdb |
	answer(all($straight[]; .value >= $tolerance) and all($cv[]; .value > $lmdb);
		"R2 of a straight line: \($straight | listed(.value | to(4))); " +
			"variation: \($cv | listed), lmdb \($lmdb | show)"));

def A6: 2 as $tolerance | claim({shape: "N", $tolerance,
	rule: "wiredtiger, whole time at least \($tolerance) x that of the puts",
	text: ("WiredTiger had put its records long before its process was done: the " +
		"rest was syncing")};
	if $side == "published" then
		get("load"; "wiredtiger"; .seconds) as $exit |
		ratio($exit; statement("A6.puts")) as $x |
		answer($x >= $tolerance;
			"\(statement("A6.puts")) s of the table's \($exit) s (the text: " +
				"\(statement("A6.exit")) s), \($x | show) times")
	else
		get("load"; "wiredtiger"; .seconds) as $puts |
		get("load"; "wiredtiger"; .seconds + (.close_seconds // 0) +
			(.settle_seconds | known("the time of settling"))) as $whole |
		answer($whole / $puts >= $tolerance;
			"\($puts | show) s of \($whole | show) s with settling and " +
			"closing, \($whole / $puts | show) times")
	end);

def A7: claim({shape: "O", where: "published",
	rule: "lmdb alone, as printed",
	text: "Only LMDB did all the reads in the time allowed",
	reason: ("our runs end by the clock; those of the small database end by their " +
		"reads, and all engines do them")};
	finding("A7"));

def A8: found("A8"; {
	text: ("The hours that each engine would have needed for all the reads are " +
		"those of its own rate: one way alone to part its digits gives them"),
	reason: "it is arithmetic of the published table"});

# Its tail, in which readers drop out, lowers the mean, so that of the whole run may be less.
def A9: 0.1 as $tolerance | claim({shape: "N", $tolerance,
	rule: ("lmdb at \(1 - $tolerance | percent) of its readers' CPUs or more; here " +
		"at 95 % of each core, others below"),
	text: "For most of its run LMDB alone keeps as many CPUs busy as there are readers"};
	if $side == "published" then
		statement("A9.ideal") as $ideal |
		(get("run"; "lmdb"; cpu_s / .seconds)) as $times |
		(get("run"; "lmdb"; .cpu_percent / 100)) as $printed |
		[{name: "by its times", x: $times}, {name: "by its column CPU (F2)", x: $printed}] |
		map({name, holds: (.x / $ideal >= 1 - $tolerance),
			numbers: ("\(.x * 100 | show) % of \($ideal * 100) %, the mean of the " +
				"run of which it says \(statement("A9.lmdb")) % for most")}) |
		together
	else symas14_lineups(
		ranking("run"; (.busy_cpu_percent |
			known("its CPU use over time")) / ([.threads, .cores] | min)) |
		(map(select(.name == "lmdb"))[0] | known("a row of lmdb in run")) as $lmdb |
		answer($lmdb.value >= 95 and all(.[] | select(.name != "lmdb"); .value < 95);
			"percent of each core: " + listed))
	end);

def A10: claim({shape: "O",
	rule: "lmdb first, no margin",
	text: "No other engine writes as fast as LMDB beside its readers"};
	symas14_lineups(ranking("run"; .writes_per_sec) as $r |
	answer($r[0].name == "lmdb"; $r | listed)));

def A11: claim({shape: "N",
	rule: "lmdb at least \(statement("A11")) x the second",
	text: "No engine reads within an order of magnitude of LMDB"};
	symas14_lineups(statement("A11") as $times | ranking("run"; .reads_per_sec) as $r |
	answer(($r | length) > 1 and $r[0].name == "lmdb" and
			$r[0].value >= $times * $r[1].value; $r | listed)));

def A12: claim({shape: "N",
	rule: "lmdb, mean below the usual rate, no margin",
	text: ("The mean rate of reads of LMDB is below the rate that it keeps for " +
		"most of the run")};
	if $side == "published" then
		get("run"; "lmdb"; .reads_per_sec) as $mean |
		answer($mean < statement("A12");
			"mean \($mean | show), for most of it more than \(statement("A12") | show)")
	else
		one("run-small"; "lmdb") | lasting(5) | symas14_on_cores |
		(.busy_reads_per_sec | known("its rate while all read")) as $busy |
		answer(.reads_per_sec < $busy;
			"mean \(.reads_per_sec | show), while all threads read " +
			"\($busy | show), in the small database, which ends by its reads")
	end);

def A13: claim({shape: "S", where: "ours",
	rule: "lmdb, a thread becomes faster, no margin",
	text: "As readers of LMDB end, those that remain become faster",
	reason: "it is told of a picture only"};
	one("run-small"; "lmdb") | lasting(5) | symas14_on_cores |
	(.thread_per_sec_all | known("its threads over time")) as $all |
	(.thread_per_sec_late |
		known("an interval of LMDB in run-small in which some threads had " +
			"ended")) as $late |
	answer($late > $all;
		"a thread \($all | show)/s while all read, \($late | show)/s when " +
		"others had ended, in the small database"));

def A14: 1.5 as $tolerance | claim({shape: "O", where: "ours", $tolerance,
	rule: "LSM engines, peaks above lmdb's and \($tolerance) x their own means or more",
	text: "LSM engines reach higher peaks of writes than LMDB, and do not keep them",
	reason: "it is told of pictures only"};
	symas14_lineups(. as $all | ranking("run"; symas14_lsm; .peak_writes_per_sec) as $peak |
	get("run"; "lmdb"; .peak_writes_per_sec) as $lmdb |
	[$peak[] | . as $p |
		{name, value: ($all |
			get("run"; $p.name; .peak_writes_per_sec / .writes_per_sec))}] as $over |
	answer(all($peak[]; .value > $lmdb) and all($over[]; .value >= $tolerance);
		"peaks: \($peak | listed), lmdb \($lmdb | show); peak over mean: " +
		"\($over | listed)")));

# voluntary switches by the million reads, and by the involuntary one
def symas14_switches($experiment; $tolerance): . as $all |
	ranking($experiment; [engines($experiment)[] | select(startswith("null") | not)];
		lasting(5) | .ctx_voluntary / .reads * 1e6) |
	map(. + {own: (.name as $e | $all |
		get($experiment; $e; .ctx_voluntary / ([.ctx_involuntary, 1] | max)))}) |
	(map(select(.name == "lmdb"))[0] | known("a row of lmdb in \($experiment)")) as $lmdb |
	(map(select(.name != "lmdb")) | some("other engines in \($experiment)")) as $others |
	answer(all($others[]; .value >= $tolerance * $lmdb.value and .own > 1) and $lmdb.own < 1;
		"voluntary a million reads: \(listed); voluntary over involuntary: " +
			listed(.own | show));

def A15: 100 as $tolerance | claim({shape: "O", where: "ours", $tolerance, counts: true,
	rule: ("others at least \($tolerance) x lmdb's switches a read, more voluntary than " +
		"involuntary, lmdb fewer"),
	text: ("Beside LMDB all engines switch contexts by orders of magnitude more, mostly " +
		"of their own accord, and LMDB rather when it is made to"),
	reason: "its counts run together in the stored text (unsplit.csv)"};
	. as $all |
	[(["a reader a core", "run-cores"], ["16 readers", "run"],
		["the small database, 16 readers", "run-small"]) as [$name, $e] |
		select($e != "run-cores" or any($all.rows[]; .experiment == $e)) |
		{$name} + ($all | try_to(symas14_switches($e; $tolerance)))] | first_decides);

def A16: 2 as $tolerance | claim({shape: "N", where: "ours", $tolerance,
	rule: "lmdb at most \($tolerance) x the null engine",
	text: "The voluntary switches of LMDB are the harness's and not its own",
	reason: "its profile is not shown"};
	get("run-small"; "null"; lasting(5) | .ctx_voluntary / .seconds) as $null |
	get("run-small"; "lmdb"; lasting(5) | .ctx_voluntary / .seconds) as $lmdb |
	answer($lmdb <= $tolerance * $null;
		"LMDB \($lmdb | show) a second, an engine that does nothing \($null | show)"));

def A17: 0.03 as $tolerance | claim({shape: "N", $tolerance, counts: true,
	rule: "lmdb within \($tolerance | percent), half of the least change there, Basho's 6 %",
	text: ("A run adds no record, so ideally a database is as large after it as " +
		"after its load: LMDB's is")};
	symas14_lineups(. as $all | [engines("load")[] | . as $e | {name: .,
		value: ($all | ratio(get("run"; $e; .db_disk_kb); get("load"; $e; .db_disk_kb)))}] |
	sort_by(-.value) |
	(map(select(.name == "lmdb"))[0] | known("lmdb in load and run")) as $lmdb |
	answer($lmdb.value - 1 | fabs <= $tolerance; "after over before: " + listed)));

def A18: 0.05 as $tolerance | claim({shape: "N", $tolerance, counts: true,
	rule: "lmdb, process within \($tolerance | percent) of the database",
	text: "The process of LMDB is as large as its database"};
	symas14_lineups(get("run"; "lmdb"; .peak_rss_kb // .rss_kb) as $rss |
		get("run"; "lmdb"; .db_disk_kb) as $disk |
	answer(within($rss; $disk; $tolerance);
		"process \($rss | show) KiB, database \($disk | show) KiB")));

# Half more than the cache: there those that keep to it have up to 1.41 of it, the others 7.17 and
# more.
def A19: 1.5 as $tolerance | claim({shape: "O", $tolerance, counts: true,
	rule: "these four at most \($tolerance) x their cache, all others but lmdb more",
	text: ("Basho, Berkeley DB, TokuDB and the B-tree of WiredTiger keep to the " +
		"cache they are given, the others do not")};
	["basho", "bdb", "tokudb", "wiredtiger"] as $keep |
	symas14_lineups(ranking("run"; engines("run") - ["lmdb"];
		if $side == "published" then .rss_kb / 1048576 /
			(if name | IN($keep[]) then statement("A.cache.honoured")
				else statement("A.cache.others") end)
		else (.peak_rss_kb // .rss_kb) * 1024 / .cache_bytes end) as $r |
	answer(all($r[]; if .name | IN($keep[]) then .value <= $tolerance else
		.value > $tolerance end);
		"process over cache: \($r | listed)")));

def A20: 0.1 as $tolerance | claim({shape: "S", $tolerance,
	rule: ("here leveldb: thread \(statement("A20.first")) at least 2 x an equal share, " +
		"with ours none above \((1 + $tolerance) * 1.5 | to(2)) x"),
	text: ("Readers follow the writer, thread 3 above all: with the generator of " +
		"2014 some do, with ours none")};
	if $side == "published" then
		[table("symas-2014-offsets")] as $ahead |
		[table("symas-2014-followers") | select(.engine != "RocksDBpfx") | . as $told |
			[table("symas-2014-results") | select(.engine == $told.engine)][0] |
			(.writes_per_sec * .run_wall_s) as $draws |
			{name: .engine, told: $told.readers, overtaken: ([$ahead[] |
				select(.draws_ahead < $draws)] | sort_by(.draws_ahead) |
				map(.reader))}] |
		# one that is overtaken near the end makes little progress, so one too many is
		# allowed
		[statement("A20.first"), statement("A20.second")] as $first |
		answer(all(.[]; (.overtaken | length) - .told | . >= 0 and . <= 1) and
				all(.[]; .overtaken[0] == $first[0]) and
				any(.[]; .overtaken[:2] == $first);
			"told of, and overtaken by the writer's draws: " +
				(map("\(.name) \(.told), threads \(.overtaken | map(tostring) |
				join(" "))") | join(", ")) +
			"; RocksDB's program has another generator")
	else
		. as $all |
		def symas14_lead($rng): $all | one("run-" + $rng; "leveldb") |
			{share: (.lead_share | known("its readers over time")),
				thread: .lead_thread, threads};
		symas14_lead("minstd") as $old | symas14_lead("default") as $now |
		answer($old.thread == statement("A20.first") and $old.share >= 2 / $old.threads and
				$now.share <= (1 + $tolerance) / $now.threads * 1.5;
			"generator of 2014: thread \($old.thread) has " +
				"\($old.share * 100 | show) % of the reads; " +
			"ours: thread \($now.thread) has \($now.share * 100 | show) %; an " +
				"equal share is \(100 / $now.threads | show) %")
	end);

def A21: claim({shape: "N", where: "published", counts: true,
	rule: "any engine with fewer reads a thread than a report",
	text: "Readers too slow for one report leave no trace in the statistics",
	reason: "in ten seconds no engine reads as much as a report of three hours had"};
	ranking("run"; .reads_per_sec * .seconds / .threads) |
		map(select(.value < statement("A.report"))) |
	answer(length > 0;
		"reads of a thread in the whole run, fewer than the \(statement("A.report")) " +
			"of a report: \(listed)"));

def A22: claim({shape: "X", where: "neither",
	text: ("RocksDB itself reports 7 million reads a second, and LMDB would read " +
		"tens of millions there"),
	reason: "it is of other hardware, of which nothing else is told"});

def A23: 0.05 as $tolerance | claim({shape: "N", $tolerance, counts: true,
	rule: "lmdb at most \($tolerance | percent) more than its records",
	text: "LMDB stores just the data that it is given, with no logging or other cruft"};
	ranking("load"; .db_disk_kb * 1024 / (.num * (.key_size + .value_size))) as $r |
	([$r[].name] | reverse | index("lmdb") | known("lmdb in load")) as $at |
	answer($r[-1 - $at].value <= 1 + $tolerance;
		"database over records, LMDB \($at + 1) of \($r | length) from the smallest: " +
			"\($r | listed)"));

# F2: the times of LMDB's run make half of its CPU column, so twice the time stands for it.
def A24: claim({shape: "O",
	rule: "lmdb last in CPU time for both, no margin; there twice its printed times (F2)",
	text: "LMDB uses least CPU to store and to retrieve"};
	def symas14_cpu_us: if $side == "published" and
		name == "lmdb" then 2 else 1 end * cpu_s * 1e6;
	ranking("load"; cpu_s * 1e6 / .num) as $store |
	symas14_lineups(ranking("run"; symas14_cpu_us / (.reads_per_sec * .seconds)) as $read |
	answer($store[-1].name == "lmdb" and $read[-1].name == "lmdb";
		"us of CPU a record loaded: \($store | listed); a read, the writer's with it: " +
			"\($read | listed)")));

def F2: found("F2"; {counts: true,
	text: "The CPU column is user and system time over wall time",
	reason: "it is arithmetic of the published table"});
