# optane-2018.jq: the figures of Symas, 2018, as rows; its tables with the published figures beside ours; and what its page begins with.

def published_rows: table("symas-2018-load") |
	(if .filesystem == "none" then "raw" elif .journal == 1 then "ext4" else "ext4-nojournal" end) as $storage |
	{document: "symas-2018", experiment: "load", engine: (.engine | ours), storage: $storage, medium: (.device | ascii_downcase), threads: 1,
		label: "\(.engine | ours):\($storage):\(.device | ascii_downcase)", num: statement("B.records"), key_size: statement("B.key"), value_size: statement("B.value"),
		seconds: .load_wall_s, user_s: .load_user_s, sys_s: .load_sys_s, cpu_percent: .load_cpu_percent, db_disk_kb: .db_size_kb,
		ctx_voluntary: .voluntary_switches, ctx_involuntary: .involuntary_switches, fs_in_blocks, fs_out_blocks,
		writes: statement("B.records"), writes_per_sec: (statement("B.records") / .load_wall_s), fs_out_per_write: .write_amp_blocks_per_record};

if $what == "rows" then published_rows
else
	[published_rows] as $published | ($rows | valid) as $ours | $missing[0] as $missing |
	# the engine with its options, without what it ran on
	def form: .label // .engine | split(":")[0];
	def forms($where): [$where[] | [.engine, form, .storage, .medium]] | unique | map(.[1:]);
	def of($where; $experiment; $key): [$where[] | select(.experiment == $experiment and [form, .storage, .medium] == $key)];
	def whole: "\(round) %";
	if $what == "tables" then
	([$ours[] | select(.experiment == "load")][0] // {}) as $first |
	"\($first.num // 0 | commas) records of 16 + 4000 bytes, \(
		if $first.memory_limit_kb then $first.num * 4016 / 1024 / $first.memory_limit_kb | three else "-" end) times the memory, where there were 80 million in 64 GB. " + rounds_said, "",
	def loads($names; figures): markdown(["engine", "storage", "medium"] + $names; [0, 1, 2];
		(("lmdb", "rocksdb", "aio") as $engine | ($published, $ours) as $where | forms([$where[] | select(.engine == $engine and .experiment == "load")])[] as $key |
			$key + (of($where; "load"; $key) | figures)));
	"## Loading: time and switches", "", "A loop device works in the kernel's threads, and what they cost is not the process's.", "",
	loads(["wall", "user", "sys", "CPU", "voluntary", "involuntary"];
		[measured(.seconds; clock), measured(.user_s; clock), measured(.sys_s; clock), measured(.cpu_percent; whole), measured(.ctx_voluntary; show), measured(.ctx_involuntary; show)]),
	"## Loading: space and blocks", "", "Blocks are of 512 bytes (F3); the last column is bytes written for a byte of records, which the publication did not have.", "",
	loads(["size, KB", "blocks in", "blocks out", "write amp, blocks/record", "bytes/byte"];
		[measured(.db_disk_kb; commas), measured(.fs_in_blocks; show), measured(.fs_out_blocks; show), measured(.fs_out_per_write; three), measured(.fs_out_per_write * 512 / (.key_size + .value_size); three)]),
	([$ours[] | select(.experiment == "run") | .threads] | unique) as $threads |
	(("writes", "reads") as $kind |
	"## \($kind | ascii_upcase[:1] + $kind[1:]) a second beside each other, by the number of readers", "",
	"The publication has these figures in pictures only.", "",
	markdown(["engine", "storage"] + ($threads | map(tostring)); [0, 1];
		forms([$ours[] | select(.experiment == "run")])[] as $key | $key[:2] + [$threads[] as $n | of($ours; "run"; $key) | map(select(.threads == $n)) | measured(.[$kind + "_per_sec"]; show)])),
	if all($rows[]; .valid == 1) then empty else
		"## Invalid rows", "",
		markdown(["experiment", "engine", "threads", "why"]; [0, 1, 3]; $rows[] | select(.valid != 1) | [.experiment, .label, .threads, .invalid_reason])
	end,
	"## What of the publication is not here", "",
	markdown(["what", "why"]; [0, 1]; $missing[] | [.engine, .reason])
	else
	([$rows[] | select(.steal_percent > 3)] | length) as $taken |
	(if $taken > 0.05 * ($rows | length) then {doubt: taken_why($taken; $rows | length)} else null end) as $open |
	# labels without the medium
	def on($where; $storage; $medium; figure): [$where[] | select(.experiment == "load" and (.storage == $storage) and (.medium == $medium)) | .label = form] | figures(figure);
	def amp($where): [$where[] | select(.experiment == "load" and .storage == "ext4" and (.engine | IN("lmdb", "rocksdb")) and (form | contains("+") | not))] | group_by(.engine) |
		map({name: .[0].engine, value: (map(.fs_out_per_write * 512 / (.key_size + .value_size)) | median)}) | sort_by(.value) |
		if . == [] then "not measured" else (map("\(.name) \(.value | three)") | join(", ")) + if length == 2 then ", \(.[1].value / .[0].value | factor) as many" else "" end end;
	def amps: [$ours[] | select(.experiment == "load" and .storage == "ext4" and form == "lmdb")] | figures(.fs_out_per_write * 512 / (.key_size + .value_size)) | by_label;
	# of LMDB the time of a load onto the bare device over that onto ext4
	def slower: [$ours[] | select(.experiment == "load" and form == "lmdb" and (.storage | IN("raw", "ext4"))) | .label = .storage] | figures(.seconds) | ratio("raw"; "ext4"; "lmdb") | by_label;
	# the runs at the number of readers that suits each best
	def best($engine; $storage): [$ours[] | select(.experiment == "run" and .engine == $engine and .storage == $storage)] | group_by([form, .threads]) |
		map({label: (.[0] | form), $storage, threads: .[0].threads, value: (map(.reads_per_sec) | median)}) | group_by(.label) | map(max_by(.value));
	def at_best($all): [$all[] as $best | $ours[] | select(.experiment == "run" and .storage == $best.storage and .threads == $best.threads and form == $best.label) | .label = form] | figures(.reads_per_sec);
	def readers: at_best(best("lmdb"; "ext4") + best("rocksdb"; "ext4"));
	def beside_device: at_best(best("lmdb"; "raw") + best("aio"; "raw"));
	{asked: [
		leads("loads fastest onto ext4"; "/s"; on($published; "ext4"; "flash"; .writes_per_sec); on($ours; "ext4"; "loop"; .writes_per_sec); $open),
		asked_of($claims; "B3"; "Is the bare device slower to load for LMDB than ext4?"; "yes, \([("flash", "optane") as $m | [("ext4", "raw") as $s | on($published; $s; $m; .seconds)[] | select(.label == "lmdb").value] | .[1] / .[0] | to(2) | tostring] | join(" and ")) x the time, on flash and Optane"; (slower | if . == [] then "not measured" else "lmdb, \(.[0].value | factor) the time" end); slower | sure_of(factor)),
		asked_of($claims; "B7"; "How many bytes are written for a byte of records, on ext4?"; amp([$published[] | select(.medium == "flash")]); amp($ours);
			amps | if . == [] then "" else .[0] | "lmdb \(apart(to(2) | tostring)); bytes, which no limit changes" end),
		asked_of($claims; "B17"; "Which engine reads most beside a writer, each at its best number of readers, on ext4?"; "lmdb, in pictures: no figure, no margin"; (readers | by_label | led("/s"; ["lmdb", "rocksdb"]; "not there") +
			(map(select(.label == "lmdb"))[0] | if . then "; lmdb by default \(.value | short)/s" else "" end)); readers | by_label | sure_of("\(short)/s")) +
			{sentence: (undecided([$claims[] | select(.id == "B17").ours | why_open][0]) + (readers | stated("reads most beside a writer, each at its best number of readers"; "/s"; "lmdb, in pictures: no figure, no margin")))},
		asked_of($claims; "B20"; "Does LMDB read as much as the bare device gives?"; "said: lmdb is never the bottleneck; no figure"; (beside_device | by_label | map({key: .label, value: .value}) | from_entries |
			if .lmdb == null or .aio == null then "not measured" else "lmdb \(.lmdb | short)/s, \(.lmdb / .aio | percent) of aio's \(.aio | short)/s\(."lmdb+readahead=0" | if . then "; with readahead=0 \(short)/s" else "" end) (aio: the bare device, direct reads of the same size, no engine)" end);
			beside_device | ratio("lmdb"; "aio"; "lmdb") | by_label | sure_of(percent)),
		question("On what?"; "80 million records of 16 + 4000 bytes, 64 GB of memory, flash and Optane"; ($ours[0] // {} | "\(.num | commas) records, \(.memory_limit_kb | if . == null then "no limit" else size end) of memory, one loop device, \(.cores) cores. lmdb+readahead=0 is lmdb without read-ahead; aio reads the device directly, without an engine"); ""; "")],
	panels: [(["ext4", "Load onto ext4, records/s"], ["ext4-nojournal", "Load onto ext4 without a journal"], ["raw", "Load onto the bare device"]) as [$storage, $title] |
		panel($title; "Flash there, a loop device here."; "/s"; "lmdb"; on($published; $storage; "flash"; .writes_per_sec); on($ours; $storage; "loop"; .writes_per_sec))],
	limits: [{title: "the load", unit: "records/s", note: "Onto ext4.", lines: ([$ours[] | select(.experiment == "load" and .storage == "ext4") | .label = form] | limit_lines(.writes_per_sec))},
		{title: "reads with 16 readers", unit: "reads/s", note: "On ext4, beside a writer.", lines: ([$ours[] | select(.experiment == "run" and .storage == "ext4" and .threads == 16) | .label = form] | limit_lines(.reads_per_sec))}],
	sweeps: [("reads", "writes") as $kind | [$ours[] | select(.experiment == "run")] | select(. != []) | ([.[].threads] | unique) as $xs |
		{title: "\($kind)/s over readers", note: "Each engine on each storage; one scale for all.", $xs, word: "readers",
		lines: (group_by(.label) | map(. as $of | {label: .[0].label, points: [$xs[] as $x | [$x, ([$of[] | select(.threads == $x) | .[$kind + "_per_sec"]] | median)]]}) | sort_by(-(.points | map(.[1] // 0) | max)))}]}
	end
end
