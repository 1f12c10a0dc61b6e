# inmemory-2014.jq: the figures of Symas, 2014, as rows; its tables with the published figures beside ours; and what its page begins with.

def published_rows: table("symas-2014-results") | (if .engine == "RocksDBpfx" then "rocksdb+prefix_size=8" else .engine | ours end) as $tag |
	{document: "symas-2014", engine: ($tag | split("+")[0]), label: $tag, num: statement("A.records"),
		key_size: statement("A.key"), value_size: statement("A.value")} as $row |
	$row + {experiment: "load", threads: 1, seconds: .load_wall_s, user_s: .load_user_s, sys_s: .load_sys_s,
		db_disk_kb: .load_size_kb, writes_per_sec: (statement("A.records") / .load_wall_s)},
	$row + {experiment: "run", threads: statement("A.readers"), seconds: .run_wall_s, user_s: .run_user_s, sys_s: .run_sys_s,
		writes_per_sec, reads_per_sec, db_disk_kb: .final_size_kb, cpu_percent: .run_cpu_percent, rss_kb: .process_size_kb};

if $what == "rows" then published_rows
else
	[published_rows] as $published | ($rows | valid) as $ours | $missing[0] as $missing |
	# the labels of the published rows, in their order, and then what else is measured here
	([$published[] | select(.experiment == "run") | .label] + ["rocksdb"]) as $labels |
	def of($where; $experiment; $tag): [$where[] | select(.experiment == $experiment and .label == $tag)];
	def gib: "\(. / 1048576 | three) GiB";
	def whole: "\(round) %";
	# here the line-up as faithful as can be, and the other beside it
	([["run-cores", "here, a reader a core"], ["run", "here, 16 readers"]] | map(select(.[0] as $x | any($ours[]; .experiment == $x)))) as $lines |
	if $what == "tables" then
	([$ours[] | select(.experiment == "load")][0] // {}) as $first |
	"\($first.num // 0 | commas) records of 16 + 100 bytes in a memory of \($first.memory_limit_kb // null | if . then size else "-" end), where there were a billion in 128 GB. " + rounds_said, "",
	"## Load", "",
	"In key order, in batches. Overhead is user and system time over wall time. There the wall time ends with the process; here settling and closing are not in it.", "",
	def load: [measured(.seconds; clock), measured(.user_s; clock), measured(.sys_s; clock), measured((.user_s + .sys_s) / .seconds; three), measured(.db_disk_kb; gib)];
	markdown(["engine", "", "wall", "user", "sys", "overhead", "size"]; [0, 1]; $labels[] as $tag |
		(of($published; "load"; $tag) | select(. != []) | [$tag, "there"] + load),
		(of($ours; "load"; $tag) | if . == [] then empty else [$tag, "here"] + load end)),
	"## Run", "",
	"Readers of random records and one writer, here for \([$ours[] | select(.experiment == "run") | .seconds] | max | three) seconds after an empty page cache. Process is the largest size with mapped files. F2: LMDB's times there make 748 % of CPU.", "",
	def run: [measured(.writes_per_sec; show), measured(.reads_per_sec; show), measured(.cpu_percent; whole), measured(.db_disk_kb; gib), measured(.peak_rss_kb // .rss_kb; gib)];
	markdown(["engine", "", "writes/s", "reads/s", "CPU", "final size", "process"]; [0, 1]; $labels[] as $tag |
		(of($published; "run"; $tag) | select(. != []) | [$tag, "there"] + run),
		($lines[] as [$x, $called] | of($ours; $x; $tag) | select(. != []) | [$tag, $called] + run)),
	"## Where ours can say more", "",
	"Peak is the highest rate of one interval; own is the process's memory without mapped files. Latency is of reads, with 16 readers.", "",
	markdown(["engine", "load: peak records/s", "run: peak writes/s", "own", "fairness", "p50, us", "p99, us"]; [0]; $labels[] as $tag |
		of($ours; "load"; $tag) as $load | of($ours; "run"; $tag) | select(. != []) |
		[$tag, ($load | measured(.peak_writes_per_sec; show)), measured(.peak_writes_per_sec; show), measured(.rss_anon_kb / 1024; "\(three) MiB"),
			measured(.fairness; three), measured(.read_p50_ns / 1000; three), measured(.read_p99_ns / 1000; three)]),
	"## Context switches", "",
	"The published counts run together in the stored text and cannot be told apart (results/published/unsplit.csv). Null is an engine that does nothing, so its switches are the harness's own.", "",
	([["a reader a core", "load", "run-cores"], ["16 readers", "load", "run"], ["the small database, 16 readers", "load-small", "run-small"]][] as [$called, $load, $run] |
	select(any($ours[]; .experiment == $run)) |
	"### \($called)", "",
	markdown(["engine", "run: voluntary", "involuntary", "voluntary a million reads"]; [0]; ($labels + ["null"])[] as $tag |
		of($ours; $run; $tag) | select(. != []) |
		[$tag, measured(.ctx_voluntary; show), measured(.ctx_involuntary; show), measured(if .reads > 0 then .ctx_voluntary / .reads * 1e6 else null end; show)])),
	"## Readers that follow the writer", "",
	"LevelDB with readers that wait for the device. A fairness of 1 is of readers that all read as much, of 1/16 of one that reads all there is: " +
		"thread 3 reads what the writer has just written. The seed of minstd here was found among 600,000, as one that puts thread 3 as far ahead of the writer, for so few records, as it was there.", "",
	markdown(["generator", "reads/s", "writes/s", "fairness", "the reader that reads most", "its share of the reads"]; [0]; ("minstd", "default") as $rng |
		of($ours; "run-" + $rng; "leveldb") | select(. != []) | [$rng, measured(.reads_per_sec; show), measured(.writes_per_sec; show), measured(.fairness; three),
			"thread " + ([.[].lead_thread] | unique | map(tostring) | join(", ")), measured(.lead_share * 100; whole)]),
	if all($rows[]; .valid == 1) then empty else
		"## Invalid rows", "", markdown(["experiment", "engine", "why"]; [0, 1, 2]; $rows[] | select(.valid != 1) | [.experiment, .label, .invalid_reason])
	end,
	"## Engines of the publication that are not here", "",
	markdown(["engine", "why"]; [0, 1]; $missing[] | [.engine, .reason])
	else
	def all_of($where; $x): [$where[] | select(.experiment == $x and .engine != "null")];
	($lines[0] // ["run", "here"]) as [$run, $called] |
	def changes: map("\(.label) \(.value * 100 - 100 | if . > 0 then "+" else "" end + (to(1) | tostring)) %") | join(", ");
	def grown($where; $x): [$labels[] as $tag | {label: $tag, value: ((of($where; $x; $tag) | map(.db_disk_kb) | median) as $after |
		(of($where; "load"; $tag) | map(.db_disk_kb) | median) as $before | if $after and $before then $after / $before else null end)} | select(.value)] | sort_by(-.value);
	def added: "\(if . > 1 then "+" else "" end)\(. * 100 - 100 | to(1)) %";
	def sizes: [$ours[] | select(.label == "lmdb" and (.experiment | IN("load", $run))) | .label = .experiment] | figures(.db_disk_kb) | ratio($run; "load"; "lmdb") | by_label;
	def kept: (map(select(.label == "lmdb")) | if . == [] then "not measured" else changes end) + "; others from " + (map(select(.label != "lmdb")) | [.[-1], .[0]] | map(values | [.] | changes) | join(" to "));
	# as A3 has it: there the time of a load ends with its process
	def loaded: .num / (.seconds + (.settle_seconds // 0) + (.close_seconds // 0));
	{asked: [
		leads("reads most beside a writer, with a reader a core"; "/s"; (all_of($published; "run") | figures(.reads_per_sec)); (all_of($ours; $run) | figures(.reads_per_sec)); null),
		leads("writes most beside the readers"; "/s"; (all_of($published; "run") | figures(.writes_per_sec)); (all_of($ours; $run) | figures(.writes_per_sec)); null),
		leads("loads fastest, with settling and closing"; "/s"; (all_of($published; "load") | figures(.writes_per_sec)); (all_of($ours; "load") | figures(loaded)); null),
		asked_of($claims; "A17"; "Is LMDB's database as large after the run as after the load?"; (grown($published; "run") | kept); (grown($ours; $run) | kept);
			sizes | if . == [] then "" else .[0] | "lmdb \(apart(added)); a size, which no limit changes" end),
		asked_of($claims; "A20"; "Do some readers get the writer's sequence of keys, and so read far more than others?"; "yes: one to three of sixteen, thread 3 first, in four engines";
			([("minstd", "default") as $rng | of($ours; "run-" + $rng; "leveldb") | select(. != []) |
				(map(.lead_share) | median | percent) as $most | if $rng == "minstd" then "generator of 2014: thread \(map(.lead_thread) | median) does \($most) of reads" else "with assay's generator none of the sixteen does more than \($most), an equal share" end] |
				if . == [] then "not measured" else "leveldb, " + join("; ") end);
			of($ours; "run-minstd"; "leveldb") | figures(.lead_share) | by_label | sure_of(percent)),
		question("On what?"; "a billion records of 16 + 100 bytes, 128 GB of memory, 16 cores, RAID 5 of eight disks, three hours a run";
			([$ours[] | select(.experiment == "run")][0] // {} | "\(.num | commas) records, \(.memory_limit_kb | if . == null then "no limit" else size end) of memory, the same ratio, \(.cores) cores, ten seconds a run after an empty page cache"); ""; "")],
	panels: [panel("Reads/s, as many readers as cores"; "Sixteen there."; "/s"; "lmdb"; (all_of($published; "run") | figures(.reads_per_sec)); (all_of($ours; $run) | figures(.reads_per_sec))),
		panel("Writes/s beside them"; ""; "/s"; "lmdb"; (all_of($published; "run") | figures(.writes_per_sec)); (all_of($ours; $run) | figures(.writes_per_sec))),
		panel("Load, records/s"; "With settling and closing."; "/s"; "lmdb"; (all_of($published; "load") | figures(.writes_per_sec)); (all_of($ours; "load") | figures(loaded)))],
	limits: [{title: "reads", unit: "reads/s", note: "A reader a core, and a writer.", lines: (all_of($ours; $run) | limit_lines(.reads_per_sec))},
		{title: "reads with 16 readers", unit: "reads/s", note: "Sixteen readers and a writer share the cores.", lines: (all_of($ours; "run") | limit_lines(.reads_per_sec))}],
	used: {there: (all_of($published; "run") | figures(.cpu_percent / 16)), here: (all_of($ours; $run) | map(.cpu_percent = .cpu_percent / .cores) | figures(.cpu_percent))},
	sweeps: []}
	end
end
