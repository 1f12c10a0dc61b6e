# ucsb-2022.jq: the figures of Unum's article as rows, and tables.md in its layout; see markdown.jq.

def workloads: "0", "A", "C", "D", "E", "X", "Y", "Z";
def base($experiment): {document: "unum-2022", experiment: $experiment, engine: (.engine | ours), label: (.engine | ours), valid: 1};
def published:
	(workloads as $workload | table("unum-2022-" + $workload) | base($workload) +
		{num: 1000000000, key_size: statement("E.key"), value_size: statement("E.value.record"), threads: 1,
		ops_per_sec: .speed_per_sec, entries_per_sec: .speed_per_sec, cores_used: .cpu_cores, cpu_percent: (.cpu_cores * 100),
		rss_kb: (.ram_mib * 1024), db_disk_kb: (.disk_gib * 1048576), rank, rosette}),
	(table("unum-2022-durations") | select(.what == "engine") | .engine = .name | base("duration") + {seconds: .duration_s});

# those of one size of its own are in tables of their own
$rows as $every | [$rows[] | select(.size_gb == null)] as $rows |
def missing_here: "## Not here", "", "Not here: " + ($missing[0] | map("\(.engine) (\(.reason))") | join("; ")) + ".", "";
def names: [published | select(.experiment == "0") | .label] + ([$rows[].label] | unique) |
	reduce .[] as $name ([]; if IN(.[]; $name) then . else . + [$name] end);
def size: if . == null then "-" else [[1, "KiB"], [1024, "MiB"], [1048576, "GiB"], [1073741824, "TiB"]] as $units |
	. as $kb | [$units[] | select($kb >= .[0])] | if length == 0 then "0" else last | "\($kb / .[0] * 100 | round / 100) \(.[1])" end end;
def speed: if . == null then "-" elif . >= 1e6 then "\(. / 1e5 | round / 10)M" elif . >= 1e4 then "\(. / 100 | round / 10)K" else commas end;
def cores: if . == null then "-" else "\(. * 100 | round / 100)" end;
# the median row of a list, or what there is to say
def middle: map(select(.valid == 1)) | middle(.entries_per_sec);
def here($rows): if $rows == [] then ["-", "-", "-", "-", "-"]
	else ($rows | middle) as $row | if $row == null then ["invalid: \($rows[0].invalid_reason // "?")", "-", "-", "-", "-"]
	else [($row.cores_used | cores), ($row.rss_kb | size), ($row.db_disk_kb | size),
		($row.entries_per_sec | speed) + ($rows | map(select(.valid == 1)) | spread(.entries_per_sec)), $row.rank] end end;
def said: if . == null then ["-", "-", "-", "-", "-"] else [(.cores_used | cores), (.rss_kb | size), (.db_disk_kb | size),
	(.entries_per_sec | speed), if .rank then "\(.rank)\(if .rosette == 1 then "*" else "" end)" else "-" end] end;
# our rows of a workload, each engine's with its place among them
def ranked($workload): [$rows[] | select(.experiment == $workload)] | group_by(.label) as $by |
	([$by[] | middle | select(. != null)] | sort_by(-.entries_per_sec) | map(.label)) as $order |
	[$by[][] | .label as $called | .rank = (($order | index($called)) as $at | if $at == null then null else $at + 1 end)];

def title: {"0": "0: bulk load", A: "A: half reads, half updates", C: "C: reads", D: "D: 95 % reads, 5 % inserts",
	E: "E: ranges of 100", X: "X: batches of reads", Y: "Y: batches of inserts", Z: "Z: scan"}[.];
def workload($workload): ranked($workload) as $ranked |
	"## \($workload | title)", "",
	markdown(["engine", "CPU, published", "RAM", "disk", "speed", "place", "CPU, here", "RAM", "disk", "speed", "place"]; [0];
		names[] as $called | ([published | select(.experiment == $workload and .label == $called)][0] | said) as $said |
		here([$ranked[] | select(.label == $called)]) as $here | select($said[3] != "-" or $here[0] != "-") |
		[$called] + $said + $here);
def places: "## Places", "",
	markdown(["engine"] + [workloads | "\(.), published", "here"]; [0];
		names[] as $called | [$called] + [workloads as $workload |
			([published | select(.experiment == $workload and .label == $called)][0] | said | .[4]),
			(here([ranked($workload)[] | select(.label == $called)]) | .[4])]);
def beside: "## Beside the article (ours)", "",
	"C-ucsb2022 draws keys as UCSB did; C-in-memory has no limit of memory and comes after a scan of all records without one; C-permuted and E-permuted follow a load in random order. LevelDB with max_open_files=74 has 64 tables open, as it had there.", "",
	(["C", "C-ucsb2022", "C-in-memory", "C-permuted", "E", "E-permuted"] as $list |
	markdown(["engine"] + [$list[] | "\(.), records/s"] + ["different keys in C", "in C-ucsb2022"]; [0];
		([$rows[].label] | unique[]) as $called |
		def rate($experiment): here([$rows[] | select(.experiment == $experiment and .label == $called)]) | if .[0] | startswith("invalid") then .[0] else .[3] end;
		def keys($experiment): [$rows[] | select(.experiment == $experiment and .label == $called and .valid == 1)][0] |
			if . == null or .distinct_keys == null then "-" else "\(.distinct_keys | commas) of \(.ops | commas) reads" end;
		[$called] + [$list[] as $e | rate($e)] + [keys("C"), keys("C-ucsb2022")]));

# of a size the speeds of all rounds
def rates($size; $experiment; $called): [$every[] | select(.valid == 1 and .size_gb == $size and .experiment == $experiment and .label == $called) |
	.entries_per_sec // .ops_per_sec];
# Of its own sizes the speed over LMDB's: published by one core without caches, and ours with the interval of its rounds.
def sized: [$every[].size_gb | select(. != null)] | unique[] | . as $size |
	[table("unum-2022-sizes") | select(.mode == "without_caches" and .cores == 1 and .size_gb == $size) |
		{label: (.engine | ours), workload: (.workload | tostring), rate: .operations_per_sec, fails: .fails_percent}] as $said |
	[$every[] | select(.size_gb == $size and .valid == 1)] as $here |
	(["lmdb"] + (([$said[].label] + [$here[].label] | unique) - ["lmdb", "unumdb"])) as $names |
	def times($rate; $model): if $rate == null or ($model // 0) == 0 then "-" else $rate / $model | three end;
	"## \($size) GB, its own size, unscaled", "",
	"LMDB's records a second, and how many times that the others have. A question mark: more than a hundredth of its operations failed there. LMDB's Y there is its 0.", "",
	markdown(["workload"] + [$names[] | "\(.), published", "here"]; [0];
		("0", "C", "X", "E", "Z", "A", "D", "Y", "Remove") as $w |
		([$said[] | select(.workload == $w and .label == "lmdb")][0].rate) as $model |
		(rates($size; $w; "lmdb") | median) as $own |
		[$w] + [$names[] as $called |
			([$said[] | select(.workload == $w and .label == $called)][0]) as $row |
			(if $row == null then "-" elif $called == "lmdb" then ($row.rate | commas) else times($row.rate; $model) end +
				if ($row.fails // 0) > 1 then "?" else "" end),
			(rates($size; $w; $called) as $rates |
				if $rates == [] then "-" else (if $called == "lmdb" then ($rates | median | commas)
				else times($rates | median; $own) end) + ($rates | spread(.)) end)]);

# Where an order is the other way here, what it depends on: our runs that have it as published.
def settings($size): {"as it was set": {suffix: "-as-set", $size}} +
	([$every[].size_gb | select(. != null and . != $size)] | unique | map(
		{key: "\(.) GB", value: {suffix: "", size: .}}, {key: "\(.) GB as it was set", value: {suffix: "-as-set", size: .}}) | from_entries) +
	{"memory for a tenth": {suffix: "", size: null}, "in memory": {suffix: "-in-memory", size: null},
	"loaded in random order": {suffix: "-permuted", size: null}, "its float generator": {suffix: "-ucsb2022", size: null}};
# What is not set there is as it is.
def ours_of($set; $w; $called):
	def at($experiment): rates($set.size; $experiment; $called) | median;
	if $set.suffix == "-as-set" then at($w + "-as-set") // at($w) else at($w + $set.suffix) end;
# both, if either is set otherwise
def both($set; $w; $one; $other):
	if $set.suffix != "-as-set" or any($every[]; .size_gb == $set.size and .experiment == $w + "-as-set" and (.label | IN($one, $other))) then
		ours_of($set; $w; $one) as $f | ours_of($set; $w; $other) as $s | if $f == null or ($s // 0) == 0 then null else $f / $s end
	else null end;
# What no run turns may be no order: whether the intervals of the two meet.
def meet($size; $w; $one; $other): rates($size; $w; $one) as $a | rates($size; $w; $other) as $b |
	[$a, $b | median] | max <= min * ($a | interval // 1) * ($b | interval // 1);
def turned: [$every[].size_gb | select(. != null)] | unique[] | . as $size |
	[table("unum-2022-sizes") | (.workload | tostring) as $w | select(.mode == "without_caches" and .cores == 1 and .size_gb == $size and
		.engine != "UnumDB" and .fails_percent < 1 and (.engine != "LMDB" or ($w | IN("Y", "A") | not))) |
		{label: (.engine | ours), $w, rate: .operations_per_sec}] as $said |
	[("0", "C", "X", "E", "Z", "A", "D", "Y", "Remove") as $w | $said[] | select(.w == $w) | . as $fast |
		$said[] | select(.w == $w and .rate < $fast.rate) | . as $slow |
		def times($set; $form): both($set; $w; $fast.label + (if $fast.label == "lmdb" then $form else "" end);
			$slow.label + (if $slow.label == "lmdb" then $form else "" end));
		{suffix: "", $size} as $same | times($same; "") as $here | select($here != null and $here < 1) |
		[$w, $fast.label, $slow.label, ($fast.rate / $slow.rate | three), ($here | three),
			([(settings($size) | to_entries[] | [.key, times(.value; "")]),
				(if "lmdb" | IN($fast.label, $slow.label) then ["without read-ahead", times($same; "+readahead=0")] else empty end) |
				select(.[1] != null and .[1] > 1)] | map(.[0]) as $names |
				# a size that turns it need not be set otherwise
				map(select((.[0] | endswith("GB as it was set") | not) or (.[0] | rtrimstr(" as it was set") | IN($names[]) | not)) |
					"\(.[0]) \(.[1] | three)") | if . != [] then join(", ")
					elif meet($size; $w; $fast.label; $slow.label) then "none of these runs; the intervals of the two meet"
					else "none of these runs" end)]] as $pairs |
	"## \($size) GB: orders that are otherwise here", "",
	if $pairs == [] then "None.", "" else
	"How many times as fast the faster one was there, and is here; and what turns it: our runs that have its order, with how many times as fast they have it. As it was set: caches, open files, loads and syncs of its record.", "",
	markdown(["workload", "faster there", "than", "times, published", "here", "turned by"]; [0, 1, 2, 5]; $pairs[]) end;

if $what == "rows" then published
else ([$rows[].memory_limit_kb | select(. != null)] | max) as $memory |
	"Here: \($rows[0].num | commas) records of 8 + 1024 bytes, " +
		if $memory then "memory limited to \($memory | size), \($memory * 102400 / ($rows[0].num * 1032) | round) % of them, page cache included" else "no limit of memory" end +
		"; published: 1,000 million on a machine of its own. Speeds are records a second, in E, X, Y and Z as well. Ours are medians of the rounds, with their 95 % interval (Student's t on the logarithms). A star is the article's rosette.", "",
	(workloads as $workload | workload($workload)), places, beside, sized, turned, missing_here
end
