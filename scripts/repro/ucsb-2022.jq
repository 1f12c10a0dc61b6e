# ucsb-2022.jq: the figures of Unum's article as rows, tables.md in its layout, and what its page begins with; see markdown.jq.

def workload_called: {"0": "0: bulk load", A: "A: half reads, half updates", C: "C: reads", D: "D: 95 % reads, 5 % inserts",
	E: "E: ranges of 100", X: "X: batches of reads", Y: "Y: batches of inserts", Z: "Z: scan"}[.];
def workloads: "0", "A", "C", "D", "E", "X", "Y", "Z";
def base($experiment): {document: "unum-2022", experiment: $experiment, engine: (.engine | ours), label: (.engine | ours), valid: 1};
def published:
	(workloads as $workload | table("unum-2022-" + $workload) | base($workload) +
		{num: 1000000000, key_size: statement("E.key"), value_size: statement("E.value.record"), threads: 1,
		ops_per_sec: .speed_per_sec, entries_per_sec: .speed_per_sec, cores_used: .cpu_cores, cpu_percent: (.cpu_cores * 100),
		rss_kb: (.ram_mib * 1024), db_disk_kb: (.disk_gib * 1048576), rank, rosette}),
	(table("unum-2022-durations") | select(.what == "engine") | .engine = .name | base("duration") + {seconds: .duration_s});

if $what == "rows" then published
else [published] as $published | ($rows | valid) as $every | $missing[0] as $missing |
	# those of one size of its own are in tables of their own
	[$every[] | select(.size_gb == null)] as $limited | ([$every[].size_gb | values] | unique) as $sizes |
	# its record of each size, by one core without caches; LMDB's Y there is its 0, and in A it missed its records
	[table("unum-2022-sizes") | select(.mode == "without_caches" and .cores == 1) | {label: (.engine | ours), engine: (.engine | ours),
		workload: (.workload | tostring), size_gb, value: .operations_per_sec, fails: .fails_percent}] as $record |
	([$published[] | select(.experiment == "0") | .label] + ([$limited[].label] | unique) | reduce .[] as $name ([]; if IN(.[]; $name) then . else . + [$name] end)) as $names |
	def size_kb: [[1, "KiB"], [1024, "MiB"], [1048576, "GiB"], [1073741824, "TiB"]] as $units |
		. as $kb | [$units[] | select($kb >= .[0])] | if length == 0 then "0" else last | "\($kb / .[0] * 100 | round / 100) \(.[1])" end;
	def of($where; $w; $called): [$where[] | select(.experiment == $w and .label == $called)];
	# what a cell of its own sizes rests on: as many operations as the record has, nearly each record once, or a million, or a steady rate
	def ample: (.experiment | IN("C", "X", "E", "A", "D", "Y") | not) or .steady == 1 or (.entries // .ops) >= 0.95 * ([.num, 1e6] | min);
	def sized($size; $w; $called): [$every[] | select(.size_gb == $size and .experiment == $w and .label == $called)];
	def rate: .entries_per_sec // .ops_per_sec;
	def recorded($size; $w; $called): [$record[] | select(.size_gb == $size and .workload == $w and .label == $called)];
	if $what == "tables" then
	([$limited[].memory_limit_kb | values] | max) as $memory |
	([$limited[] | select(.experiment | IN("C", "X", "E", "A", "D"))] | "Here: \($limited[0].num // 0 | commas) records of 8 + 1024 bytes; C, X, E, A and D run for 6 s at most, and in \(map(select(.steady == 1)) | length) of \(length) rows until the rate was steady; " ) +
		if $memory then "memory limited to \($memory | size_kb), \($memory * 102400 / ($limited[0].num * 1032) | round) % of them, page cache included" else "no limit of memory" end +
		"; there: 1,000 million on a machine of its own. Speeds are records a second, in E, X, Y and Z as well. A star is the article's rosette. " + rounds_said, "",
	(workloads as $w | "## \($w | workload_called)", "",
	([$names[] | {label: ., value: (of($limited; $w; .) | map(rate) | median)} | select(.value)] | sort_by(-.value) | map(.label)) as $places |
	def figures_of: [measured(.cores_used; to(2) | tostring), measured(.rss_kb; size_kb), measured(.db_disk_kb; size_kb), measured(rate; show)];
	markdown(["engine", "", "cores", "RAM", "disk", "records/s", "place"]; [0, 1]; $names[] as $called |
		(of($published; $w; $called) | select(. != []) | [$called, "there"] + figures_of + [.[0] | if .rank then "\(.rank)\(if .rosette == 1 then "*" else "" end)" else "-" end]),
		(of($limited; $w; $called) | select(. != []) | [$called, "here"] + figures_of + [($places | index($called)) + 1]))),
	"## Places", "",
	markdown(["engine", ""] + [workloads]; [0, 1]; $names[] as $called |
		(if any($published[]; .label == $called) then [$called, "there"] + [workloads as $w | of($published; $w; $called)[0] // {} | if .rank then "\(.rank)\(if .rosette == 1 then "*" else "" end)" else "-" end] else empty end),
		(if any($limited[]; .label == $called) then [$called, "here"] + [workloads as $w | ([$names[] | {label: ., value: (of($limited; $w; .) | map(rate) | median)} | select(.value)] | sort_by(-.value) | map(.label) | index($called)) as $at |
			if $at == null then "-" else $at + 1 end] else empty end)),
	"## Beside the article (ours)", "",
	"C-ucsb2022 draws keys as UCSB did; C-in-memory has no limit of memory and comes after a scan of all records without one; C-permuted and E-permuted follow a load in random order. LevelDB with max_open_files=74 has 64 tables open, as it had there.", "",
	((["C", "C-ucsb2022", "C-in-memory", "C-permuted", "C-user-keys"], ["E", "E-permuted"]) as $list |
	markdown(["records/s"] + $list; [0]; ([$limited[].label] | unique[]) as $called | [$called] + [$list[] as $x | of($limited; $x; $called) | measured(rate; show)])),
	($sizes[] as $size |
	(["lmdb"] + (([$record[] | select(.size_gb == $size) | .label] + [$every[] | select(.size_gb == $size) | .label] | unique) - ["lmdb", "unumdb"])) as $engines |
	"## \($size) GB, a size of its record", "",
	"Records a second. A question mark: more than a hundredth of the operations failed there. A tilde: fewer operations than the record has or a million, and no steady rate; it decides nothing. LMDB's Y there is its 0.", "",
	markdown(["workload", ""] + $engines; [0, 1]; ("0", "C", "X", "E", "Z", "A", "D", "Y", "Remove") as $w |
		([$w, "there"] + [$engines[] as $e | recorded($size; $w; $e) | measured(.value; show) + if (.[0].fails // 0) > 1 then "?" else "" end]),
		([$w, "here"] + [$engines[] as $e | sized($size; $w; $e) | (if . != [] and (all(.[]; ample) | not) then "~" else "" end) + measured(rate; show)])),
	"### Entries that each cell of it rests on", "",
	markdown(["workload"] + $engines; [0]; ("C", "X", "E", "A", "D", "Y") as $w | [$w] + [$engines[] as $e | sized($size; $w; $e) |
		if . == [] then "-" elif all(.[]; .steady == 1) then "steady since \(map(.steady_since_s) | median | three) s" else measured(.entries // .ops; show) end])),
	# Where an order is otherwise here: what it depends on is what a run differs in alone and has the order with in all rounds.
	($sizes[] as $size |
	def ratios($a; $b): [$a[] | . as $x | $b[] | select((.repetition // 1) == ($x.repetition // 1)) | ($x | rate) / rate];
	def forms: [["as it was set there", "-as-set", $size, ""], ($sizes[] | select(. != $size) | ["\(.) GB", "", ., ""]), ["without read-ahead", "", $size, "+readahead=0"]];
	[("0", "C", "X", "E", "Z", "A", "D", "Y", "Remove") as $w | [$record[] | select(.size_gb == $size and .workload == $w and .label != "unumdb" and .fails < 1 and (.label != "lmdb" or ($w | IN("Y", "A") | not)))] as $said |
		$said[] as $fast | $said[] | select(.value < $fast.value) | . as $slow |
		def pair($s; $x; $form): ratios([sized($s; $w + $x; $fast.label + if $fast.label == "lmdb" then $form else "" end)[] | select(ample)]; [sized($s; $w + $x; $slow.label + if $slow.label == "lmdb" then $form else "" end)[] | select(ample)]);
		pair($size; ""; "") as $here | select(($here | length) >= 3 and all($here[]; . < 1)) |
		[$w, $fast.label, $slow.label, ($fast.value / $slow.value | three), ($here | median | three),
			([forms[] as [$called, $x, $s, $form] | select($form == "" or ("lmdb" | IN($fast.label, $slow.label))) |
				(if $x == "-as-set" then ratios([(sized($size; $w + $x; $fast.label) | if . == [] then sized($size; $w; $fast.label) else . end)[] | select(ample)];
					[(sized($size; $w + $x; $slow.label) | if . == [] then sized($size; $w; $slow.label) else . end)[] | select(ample)]) else pair($s; $x; $form) end) |
				select(. != [] and length == ($here | length) and all(.[]; . > 1)) | "\($called) \(median | three)"] | if . == [] then "none of these runs" else join(", ") end)]] as $pairs |
	"## \($size) GB: orders that are otherwise here in all rounds", "",
	if $pairs == [] then "None of three rounds or more.", "" else
		"How many times as fast the faster one was there, and is here; and what it depends on: a run that differs in that alone and has its order in all rounds. As it was set there: caches, open files, loads and syncs of its record.", "",
		markdown(["workload", "faster there", "than", "times, there", "here", "depends on"]; [0, 1, 2, 5]; $pairs[]) end),
	"## Not here", "", "Not here: " + ($missing | map("\(.engine) (\(.reason))") | join("; ")) + ".", ""
	else
	# the largest size of its own that is here
	($sizes | map(select(. <= 1)) | max) as $size |
	def told($s): if $s == null then "memory for a tenth" elif $s < 1 then "\($s * 1000) MB" else "\($s) GB" end;
	def here($s; $w): [$every[] | select(.size_gb == $s and .experiment == $w and (.label | contains("+") | not))] | figures(rate);
	def there($s; $w): [$record[] | select(.size_gb == $s and .workload == $w and (.fails // 0) <= 1 and (.label != "lmdb" or ($w | IN("Y", "A") | not)))] | figures(.value);
	def asks($asked; $s; $w): leads("\($asked) (workload \($w), \(told($s)))"; "/s"; there($s; $w); here($s; $w);
		if [$every[] | select(.size_gb == $s and .experiment == $w)] | any(.[]; ample | not) then {apart: "fewer operations here than in the published runs"} else null end);
	# lmdb's place in each of six workloads, of some of the figures
	def places(some): [("0", "C", "D", "E", "X", "Z") as $w | [$limited[] | select(.experiment == $w and .label == .engine)] | [figures(rate)[] | some] | by_label | select(length > 1) |
		{w: $w, place: (map(.label) | index("lmdb")), of: length} | select(.place != null) | .place += 1];
	# One half of claim E2: whether an engine is faster than another, there at each size of the record, here with memory for a tenth.
	def half($asked; $w; $fast; $slow):
		def wins($x): if $x >= 1 then "\($fast) \($x | factor)" else "\($slow) \(1 / $x | factor)" end;
		([$record[] | select(.workload == $w and (.label | IN($fast, $slow)) and .fails < 1)] | group_by(.size_gb) | map((.[0].size_gb) as $gb |
			(map({key: .label, value}) | from_entries) as $of | select($of[$fast] and $of[$slow]) | ($of[$fast] / $of[$slow]) as $ratio | {who: (if $ratio >= 1 then [$fast, $slow] else [$slow, $fast] end), said: "\(if $ratio >= 1 then $ratio else 1 / $ratio end | factor) at \($gb | if . < 1 then "\(. * 1000) MB" elif . < 1000 then "\(.) GB" else "\(. / 1000) TB" end)"}) | [group_by(.who)[] | "\(.[0].who[0]) over \(.[0].who[1]): \(map(.said) | join(", "))"]) as $there |
		[[$limited[] | select(.experiment == $w and (.label | IN($fast, $slow)))] | figures(rate)[]] as $figures |
		($figures | ratio($fast; $slow; $fast) | by_label) as $times |
		(if $times == [] then ["not measured", "open"] elif $times[0].rounds < 3 then ["of too few rounds", "open"] elif $times[0].low > 1 then ["yes", "holds"] elif $times[0].high < 1 then ["no", "fails"] else ["not told apart", "open"] end) as [$word, $kind] |
		(if $times == [] then "" elif $times[0].value >= 1 then $times | sure_of(factor) else $figures | ratio($slow; $fast; $slow) | by_label | sure_of(factor) end) as $sure |
		question($asked; ($there | join("; ")); (if $times == [] then "not measured" else "\(wins($times[0].value)) \(if $times[0].value >= 1 then $slow else $fast end)" end); $word; $kind) | sure($sure) | ruled("E2 on \($w)"; "\($fast) faster, no margin");
	{note: "unumdb and other engines of one side only are a ring or a shape alone.",
	asked: [asks("loads in bulk fastest"; $size; "0"), asks("reads single records fastest"; $size; "C"), asks("scans all records fastest"; $size; "Z"),
		half("Does LevelDB scan faster than RocksDB, with memory for a tenth of the records (workload Z)?"; "Z"; "leveldb"; "rocksdb"),
		half("Does RocksDB read faster than LevelDB, with memory for a tenth of the records (workload C)?"; "C"; "rocksdb"; "leveldb"),
		asked_of($claims; "E19"; "Is LMDB too slow to be shown, with memory for a tenth of the records?"; "the article leaves lmdb out; in its record it is 1st or 2nd of 5 in workloads C, D and X below 100 GB";
			(places(.) | if . == [] then "not measured" else "lmdb is last in \(map(select(.place == .of)) | length) of \(length) workloads: \(map("\(.place | ordinal) of \(.of) in \(.w)") | join(", "))" end);
			([$limited[] | select(.label == "lmdb" and .experiment != "Y")] | figures(rate) | by_label) as $lmdb | ([$limited[].repetition] | unique | map(. as $round | places(select(.round == $round)) | map(select(.place == .of)) | length)) as $last |
			if $lmdb == [] then "" else "last in \($last | [min, max] | unique | map(tostring) | if length == 1 then "\(.[0]) of them in each of" else "\(join(" to ")) of them in" end) \($lmdb[0] | rounds_told); \($lmdb[0] | limit_told)" end),
		question("On what?"; "100 MB to 1 TB, one thread, memory a setting of each engine, an empty 8 TB disk for each"; ($every[0] // {} | "100 MB, 1 GB and 10 GB as there, and 0.7 GB with memory for a tenth of it; \(.cores) cores, a virtual disk"); ""; "")],
	panels: [("0", "C", "X", "E", "Z", "A", "D", "Y") as $w | panel("\($w | workload_called), \(told($size)), records/s"; (if [$every[] | select(.size_gb == $size and .experiment == $w)] | any(.[]; ample | not) then "Fewer operations here than there." else "" end);
		"/s"; "lmdb"; ([$record[] | select(.size_gb == $size and .workload == $w and (.fails // 0) <= 1)] | figures(.value)); ([$every[] | select(.size_gb == $size and .experiment == $w)] | figures(rate)))],
	limits: [("C", "A", "Z") as $w | {title: $w, unit: "records/s", note: "\($w | workload_called), with memory for a tenth of the records.", lines: ([$limited[] | select(.experiment == $w)] | limit_lines(rate))}],
	sweeps: []}
	end
end
