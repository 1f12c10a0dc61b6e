# inmemory-2014.jq: the figures of Symas, 2014, as rows; and its tables with the published figures beside ours.

def published_rows: table("symas-2014-results") | (if .engine == "RocksDBpfx" then "rocksdb+prefix_size=8" else .engine | ours end) as $tag |
	{document: "symas-2014", engine: ($tag | split("+")[0]), label: $tag, num: statement("A.records"),
		key_size: statement("A.key"), value_size: statement("A.value")} as $row |
	$row + {experiment: "load", threads: 1, seconds: .load_wall_s, user_s: .load_user_s, sys_s: .load_sys_s,
		db_disk_kb: .load_size_kb, writes_per_sec: (statement("A.records") / .load_wall_s)},
	$row + {experiment: "run", threads: statement("A.readers"), seconds: .run_wall_s, user_s: .run_user_s, sys_s: .run_sys_s,
		writes_per_sec, reads_per_sec, db_disk_kb: .final_size_kb, cpu_percent: .run_cpu_percent, rss_kb: .process_size_kb};

# the labels of the published rows, in their order, and then what else is measured here
def labels: [published_rows | select(.experiment == "run") | .label] + ["rocksdb"];
def without($tag; $missing): ($tag | split("+")[0]) as $engine |
	[$missing[] | select(.engine == $engine or .engine == $tag) | .reason][0] // "not asked for";

def overhead: if .user_s == null or .seconds == null then null else (.user_s + .sys_s) / .seconds end;
def percent: if . == null then "-" else "\(round) %" end;
def mib: if . == null then "-" else . / 1024 | three + " MiB" end;
def gb: if . == null then "-" else . / 1048576 | three + " GiB" end;
# F2: its times make half of it
def note($tag): if $tag == "lmdb" then " (F2: its times make 748 %)" else "" end;
def invalid: if .valid == 0 then " (invalid)" else "" end;

if $what == "rows" then published_rows
else
	[published_rows] as $published | ($rows | map(.)) as $ours | $missing[0] as $missing |
	def row($where; $experiment; $tag): [$where[] | select(.experiment == $experiment and .label == $tag)] |
		(map(select((.valid // 1) == 1)) | select(. != []) | middle(.reads_per_sec // .writes_per_sec) +
			{spread: {seconds: spread(.seconds), writes: spread(.writes_per_sec), reads: spread(.reads_per_sec)}}) // .[0];
	def pair($tag; f): row($ours; "run"; $tag) as $run | row($ours; "load"; $tag) as $load |
		[$tag, "published" + note($tag)] + (row($published; "load"; $tag) as $l | row($published; "run"; $tag) as $r | [$l, $r] | f),
		if $load == null and $run == null then [$tag, "here", without($tag; $missing)]
		else [$tag + ($run // $load | invalid), "here"] + ([$load // {}, $run // {}] | f) end;
	def padded($width): . + [range($width - length) | ""];
	([$ours[] | select(.experiment == "load")][0] // {}) as $first |

	"## Results", "",
	"\($first.num // 0 | commas) records of 16 + 100 bytes in a memory of \($first.memory_limit_kb // null | mib), where there were 10^9 in 128 GB. " +
		"The load is in key order, in batches; the run is sixteen readers of random records and one writer, here for \(
		[$ours[] | select(.experiment == "run") | .seconds] | max | three) seconds after an empty page cache. " +
		"Overhead is user and system time over wall time. Figures are the medians of the rounds, with their 95 % interval (Student's t on the logarithms). Process is the largest size with mapped files; without them it is in the second table.", "",
	markdown(["engine", "", "load wall", "user", "sys", "overhead", "load size", "writes/s", "reads/s", "run wall", "user", "sys", "final size",
		"CPU", "process"]; [0, 1]; labels[] | . as $tag | pair($tag; . as [$load, $run] |
		[($load.seconds | clock) + ($load.spread.seconds // ""), ($load.user_s | clock), ($load.sys_s | clock), ($load | overhead | three),
			($load.db_disk_kb | gb), ($run.writes_per_sec | three) + ($run.spread.writes // ""),
			($run.reads_per_sec | three) + ($run.spread.reads // ""), ($run.seconds | clock),
			($run.user_s | clock), ($run.sys_s | clock), ($run.db_disk_kb | gb), ($run.cpu_percent | percent),
			(($run.peak_rss_kb // $run.rss_kb) | gb)]) | padded(15)),

	"## Where ours can say more", "",
	"Closing and waiting for pending work are apart here; a mapped file counts for the process that maps it, and not as its own memory; " +
		"peak is the highest rate of one interval.", "",
	markdown(["engine", "load, records/s", "settle", "close", "peak", "run: peak writes/s", "process's own", "charged to the run", "fairness", "read p50", "read p99"]; [0];
		labels[] | . as $tag | row($ours; "load"; $tag) as $load | row($ours; "run"; $tag) as $run |
		if $load == null and $run == null then [$tag, without($tag; $missing)]
		else [$tag + ($run // $load | invalid), ($load.writes_per_sec | three), ($load.settle_seconds | clock), ($load.close_seconds | clock),
			($load.peak_writes_per_sec | three), ($run.peak_writes_per_sec | three), ($run.rss_anon_kb | mib), ($run.cgroup_peak_kb | mib),
			($run.fairness | three), ($run | .read_p50_ns, .read_p99_ns | if . then "\(. / 1000 | three) us" else "-" end)] end | padded(11)),

	"## Context switches", "",
	"The published counts run together in the stored text and cannot be told apart (results/published/unsplit.csv). Ours are counts, and in the " +
		"last column by the million reads of a run; null is an engine that does nothing, so its switches are the harness's own.", "",
	((["-small", "the small database, every engine to its end"], ["", "the large database"]) as [$suffix, $name] |
	"### \($name)", "",
	markdown(["engine", "load: voluntary", "involuntary", "run: voluntary", "involuntary", "voluntary a million reads"]; [0];
		(labels + if $suffix == "" then [] else ["null"] end)[] | . as $tag |
		row($ours; "load" + $suffix; $tag) as $load | row($ours; "run" + $suffix; $tag) as $run |
		if $load == null and $run == null then [$tag, without($tag; $missing)]
		else [$tag + ($run // $load | invalid), ($load.ctx_voluntary | commas), ($load.ctx_involuntary | commas),
			($run.ctx_voluntary | commas), ($run.ctx_involuntary | commas),
			(if ($run.reads // 0) > 0 then $run.ctx_voluntary / $run.reads * 1e6 | three else "-" end)] end | padded(6))),
	"## Readers that follow the writer", "",
	"LevelDB with readers that wait for the device. A fairness of 1 is of readers that all read as much, of 1/16 of one that reads all there is: " +
		"thread 3 of 2014, which is reader 2 here, reads what the writer has just written.", "",
	markdown(["generator", "reads/s", "writes/s", "fairness", "read p50", "read p99"]; [0];
		("minstd", "default") as $rng | row($ours; "run-" + $rng; "leveldb") | if . == null then [$rng, without("leveldb"; $missing)]
		else [$rng + invalid, (.reads_per_sec | commas) + .spread.reads, (.writes_per_sec | commas) + .spread.writes, (.fairness | three),
			(.read_p50_ns, .read_p99_ns | if . then "\(. / 1000 | three) us" else "-" end)] end | padded(6)),
	if ([$ours[] | select(.valid != 1)] | length) == 0 then empty else
		"## Invalid rows", "",
		markdown(["experiment", "engine", "why"]; [0, 1, 2]; $ours[] | select(.valid != 1) | [.experiment, .label, .invalid_reason])
	end,
	"## Engines of the publication that are not here", "",
	markdown(["engine", "why"]; [0, 1]; $missing[] | [.engine, .reason])
end
