# optane-2018.jq: the figures of Symas, 2018, as rows; and its table with the published figures beside ours.

def published_rows: table("symas-2018-load") |
	(if .filesystem == "none" then "raw" elif .journal == 1 then "ext4" else "ext4-nojournal" end) as $storage |
	{document: "symas-2018", experiment: "load", engine: (.engine | ours), storage: $storage, medium: (.device | ascii_downcase), threads: 1,
		label: "\(.engine | ours):\($storage):\(.device | ascii_downcase)", num: statement("B.records"), key_size: statement("B.key"), value_size: statement("B.value"),
		seconds: .load_wall_s, user_s: .load_user_s, sys_s: .load_sys_s, cpu_percent: .load_cpu_percent, db_disk_kb: .db_size_kb,
		ctx_voluntary: .voluntary_switches, ctx_involuntary: .involuntary_switches, fs_in_blocks, fs_out_blocks,
		writes: statement("B.records"), writes_per_sec: (statement("B.records") / .load_wall_s), fs_out_per_write: .write_amp_blocks_per_record};

if $what == "rows" then published_rows
else
	[published_rows] as $published | ($rows | map(.)) as $ours | $missing[0] as $missing |
	# the engine with its options, without what it ran on
	def form: .label // .engine | split(":")[0];
	def line($row): [($row | form), $row.storage, $row.medium + (if $row.valid == 0 then " (invalid)" else "" end)] + ($row |
		[(.seconds | clock) + (.spread // ""), (.user_s | clock), (.sys_s | clock), (if .cpu_percent then "\(.cpu_percent | round) %" else "-" end),
			(.db_disk_kb | commas), (.ctx_voluntary | commas), (.ctx_involuntary | commas), (.fs_in_blocks | commas), (.fs_out_blocks | commas),
			(.fs_out_per_write | three), (if .fs_out_per_write then .fs_out_per_write * 512 / (.key_size + .value_size) | three else "-" end)]);
	def absent: [("lmdb", "rocksdb") as $engine | ("ext4", "ext4-nojournal", "raw") as $storage | select($engine == "lmdb" or $storage != "raw") |
		select(any($ours[]; .engine == $engine and .storage == $storage) | not) |
		[$engine, $storage, "here", ([$missing[] | select(.engine == "\($engine):\($storage)" or .engine == $engine) | .reason][0] // "not asked for"),
			range(10) | if type == "number" then "" else . end]];
	([$ours[] | select(.experiment == "load")][0] // {}) as $first |

	"## Loading", "",
	"\($first.num // 0 | commas) records of 16 + 4000 bytes, \(
		if $first.memory_limit_kb then $first.num * 4016 / 1024 / $first.memory_limit_kb | three else "-" end) times the memory, " +
		"where there were 80 million in 64 GB. Blocks are of 512 bytes (F3); the last column is bytes written for a byte of records, " +
		"which the publication did not have. A loop device works in the kernel's threads, and what they cost is not the process's.", "",
	markdown(["engine", "storage", "medium", "load wall", "user", "sys", "CPU", "size KB", "voluntary", "involuntary", "blocks in", "blocks out",
		"write amp (blocks/record)", "bytes/byte"]; [0, 1, 2];
		("lmdb", "rocksdb", "aio") as $engine | ($published[] | select(.experiment == "load" and .engine == $engine) | line(.)),
			([$ours[] | select(.experiment == "load" and .engine == $engine)] | group_by([form, .storage])[] |
				(map(select(.valid == 1)) | if . == [] then null else middle(.seconds) + {spread: spread(.seconds)} end) // .[0] | line(.)),
			(absent[] | select(.[0] == $engine) | .[0:14])),

	"## Readers beside a writer", "",
	"The publication has these figures in pictures only, so there are none of its own to stand beside ours, which are the medians of the rounds with their 95 % interval (Student's t on the logarithms).", "",
	([$ours[] | select(.experiment == "run") | .threads] | unique) as $threads |
	(("writes", "reads") as $kind |
	"### \($kind) a second, by the number of readers", "",
	markdown(["engine", "storage"] + ($threads | map(tostring)); [0, 1];
		(([$ours[] | select(.experiment == "run") | [form, .storage]] | unique[]) as [$form, $storage] |
		[$form, $storage] + [$threads[] as $n | [$ours[] | select(.experiment == "run" and form == $form and .storage == $storage and .threads == $n)] |
			if . == [] then "-" else map(select(.valid == 1)) |
			if . == [] then "invalid" else (middle(.reads_per_sec) | .[$kind + "_per_sec"] | three) + spread(.[$kind + "_per_sec"]) end end]),
		(if $ours == [] then empty else absent[] | .[0:2] + [.[3]] + [range(($threads | length) - 1) | ""] end))),
	if ([$ours[] | select(.valid != 1)] | length) == 0 then empty else
		"## Invalid rows", "",
		markdown(["experiment", "engine", "threads", "why"]; [0, 1, 3]; $ours[] | select(.valid != 1) | [.experiment, .label, .threads, .invalid_reason])
	end,
	"## What of the publication is not here", "",
	markdown(["what", "why"]; [0, 1]; $missing[] | [.engine, .reason])
end
