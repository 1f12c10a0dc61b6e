# hold.jq: what must be so of a run of bench_NAME, whatever the engine and the machine; see random.sh.
# Prints lines of "broken", the invariant and what was seen; and of "count", the invariant and how often it was checked.
# Invariants that a busy machine can break begin with "time:".

include "promises";
include "empty";
include "rules";

# ---- what was asked for ----

def lines: split("\n") | map(select(. != ""));
def rows_of: lines | map(fromjson);
def number: if . == null then null elif test("Mi$") then (.[:-2] | tonumber) * 1048576
	elif test("Ki$") then (.[:-2] | tonumber) * 1024 elif test("Gi$") then (.[:-2] | tonumber) * 1073741824 else tonumber end;

# The words as an object.
def options: $words | split(" ") | .[1:] | map(split("=") | {key: .[0], value: (.[1:] | join("="))}) | from_entries;

# Weights by kind of call, without those of 0, from "read:1,update:2".
def weights: split(",") | map(split(":") | {key: .[0], value: (.[1] | tonumber)} | select(.value > 0)) | from_entries;

# Each workload by its name, from workloads.txt.
def facts: $facts | lines | map(select(startswith("#") | not) | split(" ") |
	{key: .[0], value: {does: .[2], mix: .[3], count: .[4], share: .[5], batch: .[6], preset: .[7],
		flags: (.[8] | split(",") | map({key: (. / "=" | .[0]), value: (. / "=" | .[1] // true)}) | from_entries)}}) | from_entries;

# Options that the preset of the first workload that has one brings along.
def preset: {
	ycsb: {key_format: "user", key_size: "24", value_size: "1000"},
	ucsb: {key_format: "binary", key_size: "8", value_size: "1000"},
	bangdb: {key_format: "user", key_size: "24", value_size: "100-400"},
	"bangdb-6": {key_format: "user", key_size: "24", value_size: "100-400", readwritepercent: "50", threads: "4"},
	voron: {key_size: "16", value_size: "100"},
	smallbank: {key_format: "binary", key_size: "8", value_size: "64"},
	"insert-benchmark": {key_size: "29", value_size: "34-44"},
}[.] // {};
def defaults: {num: "1000000", threads: "1", reads: "0", writes: "0", duration: "0", warmup: "0", seed: "1", batch_size: "1000",
	key_size: "16", key_format: "decimal", value_size: "100", touch: "all", latency: "1", verify: "0", mix: "read:50,update:50",
	readwritepercent: "90", seek_nexts: "0", scan_length: "", txn: "0", txn_reads: "1", durability: "async", repeat: "1", repetition: "1",
	compression: "none", settle: "0", isolate: "0", rate: "0", read_rate: "0", write_rate: "0", arrivals: "constant", label: "",
	format: "rocksdb", timeline_interval: "1", cpus: "", voron_partitioning: "default", intkey: "0",
	probe_rate: "0", long_reader: "0", long_reader_pause: "0", backup: "0"};

# What is known of a value's size: least, most and, if they are one, that.
def sizes: if contains(",") then split(",") | map(number) | {least: min, most: max}
	elif contains("-") then split("-") | map(number) | {least: .[0], most: .[1]}
	else number | {least: ., most: ., one: .} end;

# The entries of --benchmarks, each as often as it is reported, with all that there is to know.
def asked($o; $facts):
	($o.num | tonumber) as $num |
	[range(0; $o.repeat | tonumber) as $round |
	($o.benchmarks | split(",") | to_entries[]) as {key: $place, value: $text} |
	($text | capture("^(?<name>[^@[]*)(@(?<threads>[0-9]+))?(\\[X(?<times>[0-9]+)\\])?(\\[W(?<warm>[0-9]+)\\])?$")) as $e |
	range(0; $e.times // "1" | tonumber) as $i |
	$facts[$e.name] |
	.place = $place | .name = $e.name | .iteration = $i + 1 | .repetition = $round + ($o.repetition | tonumber) | .warmed = $e.warm != null |
	.threads = ($e.threads // $o.threads | tonumber) |
	.weights = (if .mix == "own" then $o.mix elif .mix == "-" then "" elif .mix != "rw" then .mix
		else "read:\($o.readwritepercent),update:\(100 - ($o.readwritepercent | tonumber))" end |
		if . == "" then {} else weights end) |
	.kind = (.weights | keys | if length == 1 then .[0] else null end) |
	.reads_only = (.does == "reads" and .flags.beside == null) |
	# a cast's operations are of several calls
	.cast = .flags.cast | (.flags.roles // "1" | tonumber) as $roles |
	.beside = (.flags.beside // if $roles > 1 then "its own" else null end) |
	.workers = (if .flags.beside then .threads + 1 else .threads * $roles end) |
	# what options add beside whatever writes
	(.weights | keys | any(IN("append", "update", "insert", "rmw", "delete"))) as $writes |
	.asides = [if .count != "special" and .cast == null and ($writes or .flags.beside == "writer") then
		("probe_rate", "long_reader", "backup") | select($o[.] | tonumber > 0) else empty end] |
	(.weights | has("read") or has("multiread") or has("scan") or has("next") or has("rmw") or has("balance")) as $reads |
	(.weights | has("scan") or has("next")) as $scans |
	.timed = (($o.duration | tonumber) > 0 and .count == "each" and (.cast != "ib" or .flags.rate != null)) |
	.warmup = (if .count == "each" and (.cast != "ib" or .flags.rate != null) then $o.warmup | tonumber else 0 end) |
	.value = (if .flags.value then .flags.value else $o.value_size end | sizes) |
	(if .share == "rw" then ($o.readwritepercent | tonumber) / 100 else .share | tonumber end) as $share |
	(if .count != "each" then "0" elif $reads then $o.reads else $o.writes end | number) as $own |
	($o.writes | number | if . > 0 then . else $num end) as $changes |
	({"1": $num, changes: $changes, quarter: ($changes / 4 | ceil)}[.flags.of // ""] // 1) as $rows |
	(if .cast == "ib" then $rows / (.flags.rows // "1" | tonumber) | ceil
		elif $own > 0 then $own else $num * $share + 1e-6 | floor end) as $n |
	(if .kind == "next" then [$n, $num] | min else $n end | [., 1] | max) as $n |
	.each = (if .count == "whole" then $num else $n end) |
	.total = (if .timed then null elif .count == "whole" then $num * .threads elif .count == "each" then $n * .threads else $n end) |
	.batch = (if .batch == "B" then $o.batch_size elif .batch == "N" then "\($num)" else .batch end | tonumber | [., $num] | min) |
	if .count == "special" then .threads = 1 else . end |
	# operations a second that are due, by the threads asked for
	.rate = (if .count == "special" then 0
		elif $reads and ($o.read_rate != "0") then $o.read_rate elif ($reads | not) and $o.write_rate != "0" then $o.write_rate
		else $o.rate end | tonumber) |
	# and by one beside them
	.rate_beside = (if .flags.rate then .threads * 2 * (.flags.rate | tonumber) / 50 | tostring elif .flags.beside == "writer" then $o.write_rate elif .flags.beside == "scanner" then $o.read_rate else "0" end | tonumber) |
	.scan = (if $o.scan_length != "" then $o.scan_length elif .name == "ycsb-e" then "1-100" elif .name == "ucsb-e" then "100"
		else "\(($o.seek_nexts | tonumber) + 1)" end | sizes) |
	.durability = (if .flags.sync then "sync" elif .name == "voron-fill-none" then "none"
		elif .name == "voron-fill-buffers" then "async" else $o.durability end) |
	select(.flags.norow | not)] |
	# a load of what a later entry uses is not held to a rate; stats has no row, and uses nothing
	. as $all | [range(length) as $i | $all[$i] as $e |
		([$all[$i + 1:][] | select(.repetition == $e.repetition and .count != "special" and .place != $e.place)][0]) as $next |
		if $e.does == "fills" and $next != null and $next.does != "fills" then $e | .rate = 0 else $e end];

# What is known of the database before and after each entry: complete, sure (the same bytes whenever it is run), kept (as
# it was filled), the size of its values.
def histories($o):
	reduce .[] as $e ({now: {complete: (($o.load != null) and $o.load != "fillrandom"), sure: true, kept: true, value: ($o.value_size | sizes)}, all: []};
		(if $e.does == "fills" then {complete: ($e.flags.complete // false), sure: true, kept: true, value: $e.value} else .now end) as $before |
		.all += [$e + {before: $before} + {repeatable: ($before.sure and ($e.timed | not) and $e.warmup == 0 and $e.count != "special" and
			($e.reads_only or $e.does == "fills" or ($e.threads == 1 and $e.beside == null)))}] |
		.now = {complete: ($before.complete and $e.does != "deletes"), value: $before.value,
			kept: ($before.kept and ($e.reads_only or $e.does == "fills" or $e.count == "special")),
			# of threads that draw the same record each gives it another value
			sure: ($before.sure and ($e.count == "special" or $e.reads_only or .all[-1].repeatable) and
				($e.does != "fills" or $e.flags.complete or $e.threads == 1))}) | .all;

# ---- how it is held ----

def check($name; ok; seen): if ok then {name: $name} else {name: $name, seen: (seen | tostring)} end;
def near($a; $b; $relative; $absolute): $a != null and $b != null and
	(($a - $b) | fabs) <= $absolute + $relative * ([$a, $b | fabs] | max);
def ordered: . as $list | [range(1; length) | $list[.] >= $list[. - 1] * (1 - 1e-9)] | all;
def kinds: "read", "write", "scan";
def plural: . + "s";
def within($x; $least; $most): $x != null and $x >= $least and $x <= $most;

# ---- of a row ----

def identity($e; $o):
	check("the row says what ran"; .benchmark == $e.name and .threads == $e.threads and .num == ($o.num | tonumber) and
		.iteration == $e.iteration and .seed == ($o.seed | tonumber) and .schema == "assay/2";
		[.benchmark, .threads, .num, .iteration, .seed]),
	check("the row has the settings"; .durability == $e.durability and .compression == $o.compression and
		.label == (if $o.label == "" then .engine else $o.label end) and .touch == $o.touch and
		.isolated == ($o.isolate | tonumber) and (.cpus // "") == $o.cpus and .repetition == $e.repetition and
		.warmup_s == $e.warmup; [.durability, .compression, .label, .touch, .isolated, .cpus, .repetition, .warmup_s]),
	check("the row has its records' sizes"; .key_size == (if .key_format == "native" then 8 else $o.key_size | tonumber end) and
		.key_format == (if $o.intkey == "1" then "native" else $o.key_format end) and
		within(.value_size; $e.before.value.least; $e.before.value.most); [.key_size, .key_format, .value_size]),
	(select($e.name == "mix") | check("mix says what ran"; .mix != null and (.mix | weights) == $e.weights; .mix)),
	(select(($e.weights | length) > 1) | check("mix says what ran"; .mix != null and (.mix | weights) == $e.weights; .mix)),
	(select($e.weights | has("scan")) | check("scan_length says what was read"; (.scan_length | sizes) == $e.scan; .scan_length)),
	check("valid says whether there is a reason why not"; (.valid == 1) == (.invalid_reason == null); [.valid, .invalid_reason]);

def calls: if .kind == "read" or .kind == "multiread" then "reads" elif .kind == "scan" or .kind == "next" then "scans"
	elif .kind == "rmw" or .kind == null then null else "writes" end;

# SmallBank: each transaction is a read, a commit or an abort, and touches one to six records.
def bank_counts($e; $o):
	check("a transaction reads, commits or aborts"; .ops == .reads + .commits + .aborts and .writes == .commits + .aborts and .found == .reads and .missing == 0;
		[.ops, .reads, .writes, .commits, .aborts, .found, .missing]),
	check("a mix has its weights"; near(.reads; .ops * 0.15; 0; 6 * (.ops | sqrt) + 1); [.ops, .reads]),
	check("entries are the records met"; within(.entries; .ops; 6 * .ops) and .bytes == .entries * (.key_size + .value_size); [.ops, .entries, .bytes]),
	check("one writer, or locks on what was read, let no skew through"; .write_skews == 0 or .write_skews > 0 and .engine == "wiredtiger"; .write_skews);

# The Insert Benchmark: rows of statements, and three index entries for each once there are indexes.
def ib_counts($e; $o):
	(.num * .threads) as $rows |
	check("index entries are three for each row"; .index_entries == if $e.name == "l.i0" then 0 else 3 * .table_rows end; [.index_entries, .table_rows]),
	(select($e.flags.rate == null and $e.does != "reads") |
		check("rows are those inserted and not deleted"; .table_rows == $rows; [.table_rows, $rows]),
		check("each statement is a commit"; .writes == .ops * $e.workers / $e.threads and .reads + .scans == 0; [.ops, .writes, .reads, .scans])),
	(select($e.flags.asks) | check("operations are queries"; .[$e.flags.asks] == .ops and .reads + .scans == .ops and within(.entries; 1; 10 * .ops); [.ops, .reads, .scans, .entries])),
	check("found + missing = reads"; .found == .reads + .scans and .missing == 0; [.found, .missing, .reads, .scans]),
	check("each single write is a commit"; .commits == .writes; [.commits, .writes]);

def counts($e; $o):
	($e.beside != null) as $beside |
	(select($e.total != null and ($e.kind != "next" or ($e.before.complete and ($e.count != "whole")))) |
		check("as many operations as asked for"; .ops == $e.total; [.ops, $e.total])),
	(select($e.kind == "next" and $e.total != null) | check("no iteration is longer than the data"; .ops <= $e.total or $e.count == "whole"; [.ops, $e.total])),
	(select($e.count == "whole" and $e.before.complete) | check("a scan of all reads all"; .ops >= $e.total; [.ops, $e.total])),
	(select(($e | calls) != null and ($beside | not)) |
		check("operations are calls of their kind"; .[$e | calls] == .ops and .reads + .writes + .scans == .ops; [.ops, .reads, .writes, .scans])),
	(select($beside and $e.cast == null) | check("operations are calls of their kind"; .[$e | calls] == .ops; [.ops, .reads, .writes, .scans])),
	(select($e.kind == "rmw") | # the end may come between the two
		check("a read-modify-write is a read and a write"; within(.reads; .ops; .ops + if $e.timed then $e.threads else 0 end) and .writes == .ops;
			[.ops, .reads, .writes])),
	(select($e.cast == "bank" and $e.kind == null) | bank_counts($e; $o)),
	(select($e.cast == "ib") | ib_counts($e; $o)),
	(select(($e.weights | length) > 1 and $e.cast == null) | ($e.weights | add) as $all | ($e.weights.rmw // 0) as $rmw |
		check("operations are calls of their kind"; within(.reads + .writes + .scans; .ops; 2 * .ops); [.ops, .reads, .writes, .scans]),
		# each thread goes through its schedule in order, so that only its last round is incomplete; not so deletions that it postponed
		(($all + 1) * $e.threads) as $slack |
		check("a mix has its weights"; near(.reads; .ops * (($e.weights.read // 0) + $rmw) / $all; 0; $slack) and
			near(.scans; .ops * ($e.weights.scan // 0) / $all; 0; $slack) and
			near(.writes; .ops * ($rmw + ($e.weights | (.update // 0) + (.insert // 0) + (.delete // 0))) / $all; 0; $slack);
			[.ops, .reads, .writes, .scans])),
	(select($e.does == "deletes" and .found == null) | check("what blind deletes met is unknown, and said to be";
		.missing == null and .bytes == null and .entries == null and (.emulated // "" | contains("blind")); [.found, .missing, .bytes, .entries, .emulated])),
	(select($e.does == "deletes" and .found != null) | check("found + missing = deletes"; .found + .missing == .writes; [.found, .missing, .writes])),
	# the null engine has whatever it is asked for
	(select($e.does == "deletes" and .found != null and .distinct_keys != null and .engine != "null") |
		check("no more is deleted than there were keys"; .found <= .distinct_keys * 1.03 + 1; [.found, .distinct_keys])),
	(select($e.does != "deletes" and ($e.weights | has("delete") | not)) |
		check("found + missing = reads"; .found + .missing == .reads + .scans; [.found, .missing, .reads, .scans])),
	(select($e.weights | has("delete")) | select($e.does != "deletes" and (.emulated // "" | contains("blind") | not)) |
		($e.weights | add) as $all |
		check("found + missing = reads, and deletes in a mix";
			near(.found + .missing - .reads - .scans; .ops * $e.weights.delete / $all; 0; 2 * ($all + 1) * $e.threads); [.found, .missing, .reads, .scans, .ops])),
	(select($e.weights | has("delete")) | select($e.does != "deletes" and (.emulated // "" | contains("blind"))) |
		check("found + missing = reads, and deletes in a mix";
			if .reads + .scans == 0 then (.found // 0) + (.missing // 0) == 0 else .found + .missing == .reads + .scans end; [.found, .missing, .reads, .scans])),
	check("what is lost was missing"; within(.lost; 0; .missing // .writes); [.lost, .missing]),
	check("a valid row has lost nothing and found nothing wrong"; .lost == 0 and (.wrong // 0) == 0 and (.out_of_order // 0) == 0 and .errors == 0 and .partial == 0;
		[.lost, .wrong, .out_of_order, .errors, .partial]),
	(select($o.verify == "1") | check("what was verified is 0, else empty";
		.wrong == 0 and .out_of_order == (if .emulated // "" | test("order of keys") then null else 0 end); [.wrong, .out_of_order, .emulated])),
	(select($o.verify != "1") | check("what was verified is 0, else empty"; .out_of_order == null and (.wrong == null or $e.flags.absent); [.wrong, .out_of_order])),
	(select($e.flags.absent) | check("what is absent is not found"; .found == 0 and .missing == .ops; [.found, .missing])),
	# a snapshot need not have what others have inserted since
	(select($e.before.complete and $e.does != "deletes" and ($e.flags.absent | not) and ($e.weights | has("delete") | not) and
			($e.threads == 1 or $o.txn_reads == "1" or ($e.weights | has("insert") | not))) |
		check("all of a complete database is found"; .missing == 0; [.found, .missing])),
	(select($e.kind == "read" or $e.kind == "multiread") | select($beside | not) |
		check("entries are the records met"; .entries == .found; [.entries, .found])),
	(select($e.kind == "next") | check("entries are the records met"; .entries == .ops; [.entries, .ops])),
	(select($e.kind == "scan") | check("entries are the records met"; .entries <= .ops * $e.scan.most and
		(.entries >= .ops * $e.scan.least or $e.scan.least > 1 or ($e.before.complete | not)); [.entries, .ops, $e.scan])),
	(select(.reads == 0 and .scans == 0 and ($e.cast == null or $e.kind == "append") and $e.does != "deletes" and ($e.weights | has("delete") | not)) |
		check("entries are the records met"; .entries == .writes; [.entries, .writes]));

# Bytes, where the sizes of what was met are known.
def sizes_hold($e; $o):
	.key_size as $key | ($key + $e.before.value.least) as $least | ($key + $e.before.value.most) as $most |
	select($e.count != "special" and $e.beside == null and ($e.cast == null or $e.kind == "append")) |
	(select($e.does == "deletes" and .found != null) | check("bytes are those of the records met"; .bytes == .found * $key; [.bytes, .found, $key])),
	(select(($e.weights | has("delete") or (has("scan") and length > 1) or length == 0) | not) | select($e.does != "deletes") |
		(if $e.kind == "scan" or $e.kind == "next" then .entries else .reads + .writes - .missing end) as $records |
		check("bytes are those of the records met"; within(.bytes; $records * $least; $records * $most); [.bytes, $records, $least, $most])),
	(select(($e.weights | has("scan") and length > 1) and .missing == 0) |
		check("bytes are those of the records met"; within(.bytes; .ops * if $e.weights.delete then $key else $least end; (.entries + .scans) * $most); [.bytes, .ops, .entries, $least, $most]));

def ratios($e):
	select(.seconds > 0) |
	# seconds are printed to a billionth
	(1e-9 / .seconds + 1e-6) as $digits |
	check("rates are counts by seconds"; near(.ops_per_sec; .ops / .seconds; $digits; 0.06) and
		(if .entries == null then .entries_per_sec == null else near(.entries_per_sec; .entries / .seconds; $digits; 0.06) end) and near(.reads_per_sec; .reads / .seconds; $digits; 0.06);
		[.ops, .ops_per_sec, .entries, .entries_per_sec, .reads, .reads_per_sec, .seconds]),
	(select($e.beside != "writer") |
		check("rates are counts by seconds"; near(.writes_per_sec; .writes / .seconds; $digits; 0.06); [.writes, .writes_per_sec, .seconds])),
	# two times to a millionth
	(select(.ops_per_sec_all_in != null) |
		check("the rate all in is by all the seconds"; near(.ops_per_sec_all_in; .ops / (.seconds + (.settle_seconds // 0) + (.close_seconds // 0)); 2e-6 / .seconds + $digits + 1e-5; 0.06);
			[.ops_per_sec_all_in, .ops, .seconds, .settle_seconds, .close_seconds])),
	(select(.commits > 0) | check("syncs a commit are syncs by commits"; near(.syncs_per_commit; .syncs / .commits; 1e-4; 1e-3); [.syncs_per_commit, .syncs, .commits])),
	# of a transaction of SmallBank one to three records; a ratio of four decimals
	(select(.commits > 0 and (.write_amp // 0) > 0.01 and $e.cast == "bank" and $e.kind == null) |
		(.io_wchar_bytes / .write_amp / (.key_size + .value_size)) as $written |
		check("write amplification is bytes by bytes"; within($written; .commits * 0.99; .commits * 3.03); [.write_amp, $written, .commits])),
	# deletes write keys alone
	(select(.writes > 0 and .write_amp != null and ($e.weights | has("delete"))) |
		check("write amplification is bytes by bytes";
			within(.io_wchar_bytes; (.write_amp - 1e-4) * .writes * .key_size * 0.999 - 1; (.write_amp + 1e-4) * .writes * (.key_size + .value_size) * 1.001 + 1);
			[.write_amp, .io_wchar_bytes, .writes, .key_size, .value_size])),
	(select(.writes > 0 and .write_amp != null and ($e.cast == null or $e.kind == "append") and ($e.weights | has("delete") | not)) |
		check("write amplification is bytes by bytes";
			near(.write_amp; .io_wchar_bytes / (.writes * (.key_size + .value_size)); 1e-3 + 0.5 / (.key_size + .value_size); 1e-3);
			[.write_amp, .io_wchar_bytes, .writes, .key_size, .value_size])),
	check("CPU time is by the second"; near(.cpu_percent; 100 * (.user_s + .sys_s) / .seconds; 0.01 + $digits; 0.2); [.cpu_percent, .user_s, .sys_s, .seconds]),
	check("CPU time is that of calls, of the engine and of the harness"; near(.fg_cpu_s + .bg_cpu_s + .harness_cpu_s; .user_s + .sys_s; 0.02; 0.02);
		[.fg_cpu_s, .bg_cpu_s, .harness_cpu_s, .user_s, .sys_s]);

# What is derived from other columns, as test/promises.tsv has it, of which random.sh makes `promises`. Counts are exact, and
# times beside the run's printed to a millionth, other figures to a tenth or to a thousandth and more.
def derived: . as $row | promises | select(.is != null and .be != null) |
	check("\(.column) is \(.formula)"; near(.is; .be; 2e-3 + 2e-6 / $row.seconds;
			if (.is * 10 - (.is * 10 | round) | fabs) < 1e-9 then 0.06 else 0.0006 end); [.is, .be]);

# A kind's times: in order, and there if and only if there were calls.
def times($e; $o):
	($o.latency == "1" and $e.count != "special") as $timed |
	($o.rate != "0" or $o.read_rate != "0" or $o.write_rate != "0" or $e.rate_beside > 0) as $paced |
	kinds as $k | . as $row | .[$k | plural] as $n |
	([.[$k + ("_p50_ns", "_p90_ns", "_p95_ns", "_p99_ns", "_p999_ns", "_p9999_ns")]]) as $p |
	.[$k + "_min_ns"] as $min | .[$k + "_max_ns"] as $max | .[$k + "_mean_ns"] as $mean |
	(select($n == 0 or ($timed | not)) | check("no times without calls"; ($p + [$min, $max, $mean] | all(. == null)); [$k, $n, $p])),
	(select($n > 0 and $timed) |
		check("percentiles are in order"; ($p | all(. != null)) and ($p | ordered); [$k, $p]),
		check("percentiles are within least and most"; $p[0] >= $min - 0.2 and $p[5] <= $max * 1.0001 + 0.2; [$k, $min, $p, $max]),
		check("the mean is within least and most"; within($mean; $min - 0.2; $max * 1.0001 + 0.2); [$k, $min, $mean, $max]),
		check("a deviation is at most half of the range"; .[$k + "_stddev_ns"] >= 0 and .[$k + "_stddev_ns"] <= ($max - $min) / 2 + 0.2; [$k, .[$k + "_stddev_ns"], $min, $max]),
		check("no call is longer than the longest gap"; .longest_stall_ms >= $max / 1e6 - 0.002; [$k, .longest_stall_ms, $max])),
	.[$k + "_resp_mean_ns"] as $resp |
	(select($n == 0 or ($paced | not)) | check("no responses without a schedule"; $resp == null; [$k, $resp])),
	(select($resp != null) |
		([.[$k + ("_resp_min_ns", "_resp_p50_ns", "_resp_p90_ns", "_resp_p95_ns", "_resp_p99_ns", "_resp_p999_ns", "_resp_p9999_ns", "_resp_max_ns")]]) as $r |
		check("responses are in order"; ($r | all(. != null)) and $r[0] <= $r[1] * 1.004 + 0.2 and ($r[1:7] | ordered) and $r[6] <= $r[7] * 1.0001 + 0.2; [$k, $r]),
		check("a response is not shorter than its call"; $timed | not or $e.beside != null or
			($resp >= $mean * 0.999 - 1 and $r[7] >= $max * 0.996 - 1); [$k, $resp, $mean, $r[7], $max]));

def threads_hold($e; $o):
	# what threads were busy with, a call at a time
	([kinds as $k | (.[$k + "_mean_ns"] // 0) * (if $e.kind == "multiread" then 0 else .[$k | plural] end)] | add / 1e9) as $busy |
	check("calls take no more than the threads had"; $busy <= $e.workers * (.seconds * 1.001 + 1e-4) or $e.beside != null;
		[$busy, .seconds, .threads]),
	(select($o.latency == "1" and $e.beside == null and $e.count != "special" and $e.kind != "multiread") |
		check("the mean of an operation is that of its calls"; near(.mean_us * .ops; $busy * 1e6; 0.001; 2e-4 * .ops); [.mean_us, .ops, $busy])),
	check("seconds are positive"; .seconds > 0 or ($e.count == "special" and .seconds == 0); .seconds),
	check("fairness is in (0, 1]"; .fairness == null or within(.fairness; 1 / $e.threads - 1e-4; 1.00005); [.fairness, .threads]),
	(select($e.threads == 1 and .fairness != null) | check("one thread is fair"; .fairness == 1; .fairness)),
	(select($o.latency == "1" and .longest_stall_ms != null and $e.beside == null and $e.count != "special") |
		check("no gap is longer than the run"; .longest_stall_ms <= .seconds * 1001 + 0.1; [.longest_stall_ms, .seconds])),
	# of what ends by the clock or is undone some are drawn and not done
	(select(.distinct_keys != null and ($e.timed | not) and (.conflicts == 0)) | check("no more different keys than draws or records";
		# a warm-up inserts, too
		.distinct_keys <= 1 + 1.03 * ([.reads + .writes + .scans, (select($e.before.kept and ($e.reads_only or $e.warmup == 0)) | .num + .writes)] | min) and .distinct_keys >= 1;
		[.distinct_keys, .ops, .num])),
	(select(.top1pct_fraction != null) | check("a share is within 0 and 1"; within(.top1pct_fraction; 0; 1); .top1pct_fraction)),
	check("a digest where bytes were looked at"; (.digest == null) == ($o.touch == "none" or ((.engine == "null" or .engine == "memstore") and $o.verify != "1")) or $e.count == "special"; .digest);

def costs($e; $o):
	check("syncs are the sum of their kinds"; .syncs == null or .syncs >= .fsyncs + .fdatasyncs; [.syncs, .fsyncs, .fdatasyncs, .msyncs, .sync_file_ranges, .dsync_writes]),
	check("no more commits than writes"; .commits <= .writes; [.commits, .writes]),
	check("no session conflicts with itself"; .conflicts >= 0 and (.conflicts == 0 or $e.workers > 1 or $e.asides != [] or $o.null_conflict_every != null or .engine == "wiredtiger");
		[.conflicts, .threads]),
	(select(.retries != null) |
		check("retries follow conflicts"; (.retries > 0) == (.conflicts > 0) and (.retry_s == null) == ($o.latency == "0") and (.retry_s // 0) >= 0 and
			(.retry_s // 0) <= (.seconds * 1.001 + 0.1) * ([$e.workers, $e.threads + 1] | max); [.conflicts, .retries, .retry_s, .seconds])),
	(select($e.threads == 1 and $e.batch > 1 and $e.kind != "multiread" and $e.timed == false and $e.warmup == 0 and .writes > 0 and .batch_size > 1) |
		check("commits are whole batches"; .commits == (.writes / .batch_size | ceil); [.commits, .writes, .batch_size])),
	(select(.batch_size == 1 and $e.cast == null and ($e.flags.bulk | not) and $e.does != "deletes" and ($e.weights | has("delete") | not) and .writes > 0) |
		check("each single write is a commit"; .commits == .writes; [.commits, .writes])),
	(select($e.threads == 1 and $e.beside == null and .durability == "sync" and .commits > 0 and .engine != "null" and .engine != "memstore" and .emulated == null and $e.does != "deletes") |
		check("sync syncs each commit"; .syncs >= .commits; [.syncs, .commits])),
	(select(.durability_effective == "none" | not) | check("a promise is kept or exceeded";
		.durability == .durability_effective or .durability_effective == "sync" or .durability == "none"; [.durability, .durability_effective])),
	check("resident memory is the sum of its parts"; .rss_kb == null or .rss_anon_kb == null or (.rss_anon_kb + .rss_file_kb) <= .rss_kb * 1.02 + 256; [.rss_kb, .rss_anon_kb, .rss_file_kb]),
	check("the peak is not below what there is"; .peak_rss_kb == null or .peak_rss_kb >= .rss_kb - 512; [.peak_rss_kb, .rss_kb]),
	check("no cost is negative"; [.user_s, .sys_s, .fg_cpu_s, .bg_cpu_s, .ctx_voluntary, .ctx_involuntary, .faults_major, .faults_minor, .fs_in_blocks,
		.fs_out_blocks, .io_read_bytes, .io_write_bytes, .device_reads, .device_read_bytes, .device_writes, .device_write_bytes, .syncs, .harness_ns_per_op,
		.timer_ns, .open_seconds, .close_seconds, .settle_seconds, .db_disk_kb, .db_apparent_kb, .db_preallocated_kb, .run_disk_kb] | all(. == null or . >= 0);
		[.user_s, .sys_s, .fg_cpu_s, .bg_cpu_s, .harness_ns_per_op]),
	(select($e.count != "special") | check("the threads' CPU time is part of the process's"; .fg_cpu_s <= .user_s + .sys_s + 0.02 + 0.02 * (.user_s + .sys_s); [.fg_cpu_s, .user_s, .sys_s])),
	check("preallocated space is a part of the database's"; (.db_preallocated_kb == null) == (.db_disk_kb == null) and (.db_preallocated_kb // 0) <= (.db_disk_kb // 0); [.db_preallocated_kb, .db_disk_kb]),
	(select(($e.does == "fills") and $e.flags.complete and $e.cast == null and (.db_disk_kb // 0) > 0) |
		check("space amplification is there where the records are known"; .space_amp != null and .space_amp_run != null; [.space_amp, .space_amp_run, .db_disk_kb])),
	(select(.space_amp != null and $e.before.value.one != null and $e.cast == null and $o.load == null and $e.before.kept and ($e.reads_only or $e.does == "fills")) |
		(.num * (.key_size + $e.before.value.one)) as $records |
		check("space amplification is bytes by records"; near(.space_amp; .db_disk_kb * 1024 / $records; 1e-6; 1e-4 + 512 / $records); [.space_amp, .db_disk_kb, $records]));

# What limited the rate, recomputed from docs/columns.md and the rules of docs/why.md; values within 2 % of a limit are left out.
def bound_word: (.ctx_voluntary / .seconds / .threads) as $waits | .cpu_demand_percent as $cpu | .device_busy_percent as $device |
	(if .device_reads == null or .ctx_voluntary == 0 then 0 else (.device_reads + .device_writes) / .ctx_voluntary end) as $requests |
	if .target_rate_met == 1 then "rate" elif .quota_periods != null and .throttled_periods >= .quota_periods / 2 then "quota" elif .harness_percent >= 50 then "harness"
	elif .syncs_per_commit >= 0.05 and $cpu != null and $cpu < 70 then "sync" elif $cpu >= 85 then "cpu"
	elif $device >= 75 or $device >= 40 and $cpu < 60 then "device" elif $waits >= 1000 and .round_trips == null and $requests < 0.5 then "lock" else "unclear" end;
def clear_of($limits): . as $x | $x == null or ($limits | all(($x / . - 1 | fabs) > 0.02));
def limits_hold($e; $o):
	select($e.count != "special") | (.reads + .writes + .scans) as $ops | select($ops > 0 and .seconds > 0.005 and .ctx_voluntary != null) |
	select((.harness_percent | clear_of([50])) and (.syncs_per_commit | clear_of([0.05])) and (.cpu_demand_percent | clear_of([60, 70, 85])) and
			(.device_busy_percent | clear_of([40, 75])) and (.ctx_voluntary / .seconds / .threads | clear_of([1000]))) |
		check("bound_by is the first rule that holds"; .bound_by == bound_word; [.bound_by, bound_word, .harness_percent, .syncs_per_commit, .cpu_demand_percent,
			.device_busy_percent, .ctx_voluntary, .seconds, .threads]),
	check("the CPUs that may be used are those that are counted"; .cores == (.allowed_cpus | split(",") | map(split("-") | map(tonumber) | .[-1] - .[0] + 1) | add); [.cores, .allowed_cpus]),
	check("threads wait in periods of a quota, and only where they are throttled"; [.quota_periods, .throttled_periods, .throttled_s] as [$periods, $throttled, $s] |
		if $periods == null then $throttled == null and $s == null else .cpu_quota > 0 and $periods >= 0 and $throttled >= 0 and $throttled <= $periods and
			($s == null or $s >= 0) end; [.cpu_quota, .quota_periods, .throttled_periods, .throttled_s]),
	(select($e.beside == null and $e.workers == $e.threads and all([.backup_at_s, .long_reader_s, .probe_rate][]; . == null)) |
		(.seconds * .threads) as $all | ([.cores * (1 - (.steal_percent // 0) / 100), .cpu_quota // infinite] | min) as $left |
		check("time off the CPU is that of the threads less their CPU time"; near(.off_cpu_us_per_op; ([$all - .fg_cpu_s, 0] | max) * 1e6 / $ops; 0.01; 0.1 + 1 / $ops);
			[.off_cpu_us_per_op, $all, .fg_cpu_s, $ops]),
		check("the CPU that was used is that of the threads, or of the cores"; near(.cpu_used_percent; [100, 100 * ([.fg_cpu_s / $all,
			(.fg_cpu_s + .bg_cpu_s + (.server_user_s // 0) + (.server_sys_s // 0)) / (.seconds * $left)] | max)] | min; 0.01; 0.2);
			[.cpu_used_percent, .fg_cpu_s, .bg_cpu_s, .seconds, .threads, .cores, .steal_percent]),
		(select(.harness_ns_per_op != null) | check("harness_percent is harness_ns_per_op of an operation's time"; near(.harness_percent;
			[100, .harness_ns_per_op * .ops / 1e7 / $all * ([1, $all / .seconds / $left] | max)] | min; 0.01; 0.2);
			[.harness_percent, .harness_ns_per_op, .ops, $all, $left]))),
	# the machine's counters are read before the first thread begins and after the last has ended, or the backup
	(select(.device_busy_percent != null and $o.backup == null) | check("time: the device was busy for a part of the time"; .seconds >= 0.9 and
		.device_busy_s as $busy |
		([.seconds, .seconds + (0.05 + 0.002 * .threads) * $slack] | map([100, 100 * $busy / .] | min)) as [$most, $least] |
		.device_busy_percent >= $least * 0.95 - 0.3 and .device_busy_percent <= $most * 1.05 + 0.3;
		[.device_busy_percent, .device_busy_s, .seconds])),
	check("the device by itself is measured where it is the limit"; [.device_read_p50_ns, .sync_p50_ns, .sync_p99_ns] as [$read, $p50, $p99] |
		if (.bound_by | IN("device", "sync")) and .seconds >= 1 then ($p50 == null) == ($p99 == null) and ($p50 // 0) <= ($p99 // 0) * 1.001
		else $read == null and $p50 == null and $p99 == null end; [.bound_by, .seconds, .device_read_p50_ns, .sync_p50_ns, .sync_p99_ns]);

# --slow_calls: columns from the file of the kept calls and the row's own percentiles, and percentages that make 100.
def slow_hold($e; $o; $slow):
	(($o.slow_calls // "0" | tonumber) > 0 and $e.count != "special") as $kept | . as $row |
	(select($kept | not) | check("no slow calls without --slow_calls"; [to_entries[] | select(.key | startswith("slow_")) | .value] | all(. == null); [.slow_calls, .slow_cpu_percent])),
	(select($kept) |
		([.slow_cpu_percent, .slow_runnable_percent, .slow_steal_percent, .slow_own_sync_percent, .slow_other_writer_percent, .slow_stall_percent,
			.slow_device_read_percent, .slow_flush_percent, .slow_compaction_percent, .slow_checkpoint_percent, .slow_blocked_percent,
			.slow_not_attributed_percent] | map(select(. != null))) as $parts |
		check("what slow calls waited for makes a hundred"; ($parts | length) == 0 or ($parts | all(. >= 0 and . <= 100)) and
			(near($parts | add; 100; 0; 0.7) or .slow_above_p99_ms < 0.001 or .slow_runnable_percent == null); $parts),
		check("a part of slow calls is no more than the whole"; [.slow_other_sync_percent, .slow_stall_flush_percent, .slow_stall_compaction_percent] | all(. == null or . >= 0);
			[.slow_other_sync_percent, .slow_stall_flush_percent, .slow_stall_compaction_percent]),
		check("a part of slow calls is no more than the whole"; (.slow_other_sync_percent // 0) <= (.slow_other_writer_percent // 0) + 0.11 and
			(.slow_stall_flush_percent // 0) + (.slow_stall_compaction_percent // 0) <= (.slow_stall_percent // 0) + 0.21 and within(.slow_covered_percent // 0; 0; 100);
			[.slow_other_sync_percent, .slow_other_writer_percent, .slow_stall_flush_percent, .slow_stall_compaction_percent, .slow_stall_percent, .slow_covered_percent]),
		check("slow calls are some of the calls"; within(.slow_calls; 0; .reads + .writes + .scans); [.slow_calls, .reads, .writes, .scans]),
		(select($slow != null) | ($slow | map(.kind as $k | . + {above: ((.duration_ms | tonumber) - $row[$k + "_p99_ns"] / 1e6)})) as $lines |
			(kinds as $k | ($lines | map(select(.kind == $k))) as $of |
				check("kept calls are counted calls"; ($of | length) <= ([$row[$k | plural], ($o.slow_calls | tonumber) * ($e.workers + 1)] | min) and
					($of | all((.duration_ms | tonumber) <= $row[$k + "_max_ns"] / 1e6 * 1.0001 + 0.002)); [$k, ($of | length), $row[$k | plural], $row[$k + "_max_ns"]])),
			check("slow_calls and slow_above_p99_ms are those of the file"; ($lines | map(select(.above > 0.001)) | length) <= .slow_calls and
				.slow_calls <= ($lines | map(select(.above > -0.001)) | length) and
				near(.slow_above_p99_ms; $lines | map(select(.above > 0) | .above) | add // 0; 0.001; 0.001 * (2 + .slow_calls));
				[.slow_calls, .slow_above_p99_ms, ($lines | map(select(.above > 0) | .above) | length, add)]),
			check("a thread's kept calls follow each other"; $lines | group_by(.thread) | all(sort_by(.start_ms | tonumber) | . as $l |
				[range(1; length) | ($l[.].start_ms | tonumber) >= ($l[. - 1] | (.start_ms | tonumber) + (.duration_ms | tonumber)) - 0.004] | all); ($lines | length))));

# What a scan of all finds is there: before it, too, after all that has only been followed by reads.
def records_hold($rows; $es; $i; $o):
	$es[$i] as $e | $rows[$i] as $row |
	([range($i; $rows | length) as $j | select($es[$j].count == "whole" and $rows[$j].valid == 1 and $es[$j].threads > 0 and
		([range($i + 1; $j + 1) as $k | $es[$k] | .reads_only or .count == "special"] | all)) | $j][0]) as $j |
	select($j != null) | $rows[$j] as $scan | ($scan.entries / $scan.threads) as $records | select($records > 0) |
	(select($row.space_amp != null and $e.cast == null) | $e.before.value as $value |
		(if $value.one then {size: ($records * ($row.key_size + $value.one)), off: 1e-3}
			else {size: ($scan.bytes / $scan.threads), off: (1e-3 + 6 * ($value.most - $value.least) / ($value.most + $value.least) / ($records | sqrt))} end) as $all |
		check("space amplification is by the records that are there"; near($row.space_amp; $row.db_disk_kb * 1024 / $all.size; $all.off; 2e-4) and
			near($row.space_amp_run; $row.run_disk_kb * 1024 / $all.size; $all.off; 2e-4);
			[$row.space_amp, $row.space_amp_run, $row.db_disk_kb, $row.run_disk_kb, $records, $row.num])),
	# those of the last complete fill, with what was inserted and deleted since
	([range(0; $i + 1) as $k | select($es[$k].does == "fills") | $k][-1]) as $fill |
	select($scan.engine != "null" and $fill != null and $es[$fill].flags.complete and $es[$fill].cast == null) |
	([range($fill + 1; $i + 1) as $k | $es[$k] as $f | $rows[$k] |
		if $f.reads_only or $f.count == "special" then 0
		elif $f.warmed or $f.warmup > 0 or .valid != 1 or $f.name == "bangdb-mix" or (.emulated // "" | contains("blind")) then null
		elif $f.does == "deletes" then -.found
		# what was deleted before is put again
		elif ($f.weights | has("update") or has("rmw") or has("append")) or $f.beside == "writer" then
			if [range($fill + 1; $k) as $d | $es[$d] | .does == "deletes" or (.weights | has("delete"))] | any then null
			elif $f.weights | (has("insert") or has("delete")) then null else 0 end
		elif $f.weights | (has("insert") or has("delete")) | not then 0
		# what an earlier run left of its own, because of deletes or of threads that inserted more than others, is inserted again
		elif [range($fill + 1; $k) as $d | $es[$d] | (.weights | has("delete")) or (.weights | has("insert")) and .threads > 1] | any then null
		elif $f.weights | has("delete") | not then .writes
		elif .missing == 0 then .writes - 2 * (.found - .reads - .scans)
		else null end]) as $grown |
	select($grown | all(. != null)) |
	check("a scan finds what was loaded and inserted, less what was deleted"; $records == $row.num + ($grown | add // 0); [$records, $row.num, $grown]);

# The rates of its seconds.
def windows_hold($e; $lines):
	(.rates // "" | split(" ") | map(tonumber)) as $rates |
	# clocks of threads differ by some microseconds
	(select($e.count != "special" and (.window_s // 1) == 1) | check("each whole second has its window"; ($rates | length) == (.seconds | floor) or ($rates | length) == (.seconds + 0.05 * $slack | floor); [$rates, .seconds])),
	(select(($rates | length) > 0 and .window_s == 1 and $lines != []) | ($rates | length) as $whole | ($rates | add) as $windows |
		# a sample waits a quarter of a second for who is in a call, and who is in one has its times in the next interval
		([.read_max_ns, .write_max_ns, .scan_max_ns | . // 0] | max / 1e9) as $call |
		# on a busy machine the reading of threads ends later than the interval, but before the next
		([$lines[] | select(.thread == "all") | {at: (.at_s | tonumber), ops: (.ops | tonumber)}] | . as $rows |
			[range(length - 1) | select($rows[. + 1].at <= $whole - 0.3 - $call) | $rows[.].ops] | add // 0) as $before |
		check("what is done before the last window ends is in the windows"; $windows >= $before * 0.999 - $whole; [$windows, $before, $rates])),
	check("no more windows than seconds"; ($rates | length) * (.window_s // 1) <= .seconds + 1.5 or $e.beside != null; [$rates, .window_s, .seconds]),
	(select($rates | length > 0) |
		check("the seconds' rates are no more than was done"; ($rates | all(. >= 0)) and ($rates | add) * .window_s <= .ops * 1.001 + 1; [$rates, .window_s, .ops])),
	check("steady is known or not"; .steady == null or .steady == 0 or .steady == 1; .steady),
	check("variation is not negative"; (.rate_cv // 0) >= 0 and (.rate_range // 0) >= 0; [.rate_cv, .rate_range]);

# An open loop: what was due, what was done, what was left.
def pace_holds($e; $o):
	($e.rate + $e.rate_beside) as $rate |
	check("the rate is the one asked for"; (if $rate > 0 then near(.target_rate; $rate; 1e-3; 1e-3) and .arrivals == $o.arrivals else .target_rate == null and .target_rate_met == null end); [.target_rate, $rate, .arrivals]),
	(select($e.rate > 0) |
		# the time ends with the last thread, even if that had nothing to do
		(.ops >= $e.threads) as $busy |
		# of a fixed count all is done, though late
		(select($busy and ($e.timed | not) and $e.beside == null and $o.arrivals == "constant" and $e.warmup == 0 and $e.kind != "next" and $e.kind != "multiread") |
			# one thread that is late has its own part of the rate left
			check("a rate that is kept is a rate that was done"; .target_rate_met == 0 or ($e.rate * .seconds - .ops) / $e.threads - 2 <= 0.011 * .ops; [.target_rate_met, .ops, $e.rate, .seconds])),
		# with a fixed count it lasts as long as its schedule
		(select($busy and $e.total != null and $e.beside == null and $o.arrivals == "constant" and $e.warmup == 0 and $e.kind != "next" and $e.kind != "multiread") |
			([.read_resp_max_ns, .write_resp_max_ns, .scan_resp_max_ns | . // 0] | max / 1e9) as $late |
			check("an open loop lasts as long as its schedule, and its slowest response"; within(.seconds; .ops / $e.rate * 0.999 - 1e-4; .ops / $e.rate * 1.001 + $late * 1.001 + 1e-3);
				[.seconds, .ops, $e.rate, $late])),
		# of a Poisson process what is due varies
		(if $o.arrivals == "poisson" then 5 * ($e.rate * .seconds + 1 | sqrt) else 0 end) as $chance |
		# the first call, of one key or of a group, is due at once; what a warm-up left undone is done in the figures
		(select($e.warmup == 0) | check("no more is done than is due"; .ops <= $e.rate * .seconds * 1.001 + (if $e.kind == "multiread" then $e.batch else 1 end) + $chance; [.ops, $e.rate, .seconds])),
		# of iterations each ends with the data
		(select($e.timed and $e.warmup == 0 and $e.kind != "next") | check("what was due is done or left"; $e.beside != null or
			(.ops + .backlog >= $e.rate * ([.seconds, ($o.duration | tonumber)] | min) * 0.97 - $chance - $e.threads * (1 + if $e.kind == "multiread" then $e.batch else 0 end)); [.ops, .backlog, $e.rate, .seconds]))),
	# a stall begins where something was due, or later; of what was undone no response is kept
	(select($e.rate > 0 and $e.beside == null and $o.latency == "1" and .ops > 0 and .conflicts == 0 and .valid == 1) |
		([kinds as $k | .[$k + "_resp_max_ns"] // 0] | max / 1e6) as $late |
		check("no stall of an open loop is longer than a response"; .longest_stall_ms <= $late * 1.0001 + 0.002; [.longest_stall_ms, $late])),
	# what was under way at the end is left, and says nothing of the rate
	(select($rate > 0) | (.reads + .writes + .scans) as $all |
		# of threads beside the others the others, or they, may have no rate
		(if $e.beside == null or ($e.rate > 0 and $e.rate_beside > 0) then $all elif $e.rate > 0 then .ops else $all - .ops end) as $due |
		check("a rate is kept if not a hundredth is left"; .backlog >= 0 and (.target_rate_met == 0 or .target_rate_met == 1) and
			if $e.timed or $e.beside != null | not then .backlog == 0
			# readers of a fixed count that are late leave nothing
			elif .target_rate_met == 0 then .backlog > 0.01 * ($due + .backlog) or ($e.timed | not)
			else .backlog <= 0.011 * ($due + .backlog) + (.threads + 1) * ([.batch_size, $e.batch, 1] | max) end;
			[.target_rate_met, .backlog, $due]));

# Threads beside those asked for: a probe, one that holds snapshots, a backup.
def share_of($rate; $seconds): ($rate // 0) * ($seconds // 0);
def asides_hold($e; $o):
	(($e.asides | index("probe_rate")) != null and .probe_rate != null) as $probed |
	(($e.asides | index("long_reader")) != null and .long_reader_s != null) as $held |
	(($e.asides | index("backup")) != null and .backup_at_s != null) as $copied |
	check("what was to go beside did"; $probed == ($e.asides | index("probe_rate") != null) and
		$held == ($e.asides | index("long_reader") != null) and $copied == ($e.asides | index("backup") != null); [$e.asides, .probe_rate, .long_reader_s, .backup_at_s]),
	(select($probed | not) | check("no figures of a probe without one"; [to_entries[] | select(.key | startswith("probe_")) | .value] | all(. == null); [.probe_reads, .probe_rate])),
	(select($held | not) | check("no figures of snapshots without a long reader"; [to_entries[] | select(.key | test("^(snapshot|pause)")) | .value] | all(. == null); [.snapshots, .snapshot_s])),
	(select($copied or $e.name == "backup" | not) | check("no figures of a backup without one"; [to_entries[] | select(.key | startswith("backup_")) | .value] | all(. == null); [.backup_s, .backup_ops_per_sec])),
	(select($probed) | ($o.probe_rate | tonumber) as $rate |
		([.probe_min_ns, .probe_p50_ns, .probe_p90_ns, .probe_p95_ns, .probe_p99_ns, .probe_p999_ns, .probe_p9999_ns, .probe_max_ns]) as $p |
		([.probe_resp_min_ns, .probe_resp_p50_ns, .probe_resp_p90_ns, .probe_resp_p95_ns, .probe_resp_p99_ns, .probe_resp_p999_ns, .probe_resp_p9999_ns, .probe_resp_max_ns]) as $r |
		(if $o.arrivals == "poisson" then 5 * ($rate * .seconds + 1 | sqrt) else 0 end) as $chance |
		check("a probe has the rate asked for"; .probe_rate == $rate and .probe_reads >= 0 and .probe_backlog >= 0 and within(.probe_missing; 0; .probe_reads);
			[.probe_rate, .probe_reads, .probe_missing, .probe_backlog]),
		(select($e.before.complete and ($e.weights | has("delete") | not) and $e.does != "fills") |
			check("a probe finds all of a complete database"; .probe_missing == 0; [.probe_missing, .probe_reads])),
		(select(.probe_reads > 0) | check("a probe's times are in order"; [$p, $r | .[0] <= .[1] * 1.004 + 0.2 and (.[1:7] | ordered) and .[6] <= .[7] * 1.0001 + 0.2] | all; [$p, $r]),
			check("a response is not shorter than its call"; [range(0; 8) as $i | $r[$i] >= $p[$i] * 0.996 - 1] | all; [$p, $r])),
		(select($e.warmup == 0) |
			check("time: no more of a probe's reads are done than are due"; .probe_reads <= $rate * (.seconds + 0.05 * $slack) * 1.001 + 1 + $chance; [.probe_reads, $rate, .seconds]),
			check("a probe's reads are done or left"; .probe_reads + .probe_backlog >= $rate * (if $e.timed then [.seconds, ($o.duration | tonumber)] | min else .seconds end) * 0.999 - 2 - $chance; [.probe_reads, .probe_backlog, $rate, .seconds]),
			(select(.probe_reads > 0) | check("time: no read of a probe was due before the run"; .probe_resp_max_ns <= (.seconds + 0.05 * $slack) * 1e9 + .probe_max_ns; [.probe_resp_max_ns, .seconds, .probe_max_ns])))),
	(select($held) | ($o.long_reader | tonumber) as $long | ($o.long_reader_pause | tonumber) as $pause |
		share_of(.snapshot_ops_per_sec; .snapshot_s) as $in | share_of(.pause_ops_per_sec; .pause_s) as $out |
		# seconds are printed to a thousandth, rates to a tenth
		(((.snapshot_ops_per_sec // 0) + (.pause_ops_per_sec // 0)) * 0.0006 + 0.06 * (1 + .seconds) + 1e-6 * .ops) as $digits |
		check("a long reader has the times asked for"; .long_reader_s == $long and (.pause_s == null) == ($pause == 0) and .snapshots >= 0 and .snapshot_reads >= 0 and .snapshots_revoked >= 0 and
			# of the first one part may be in the warm-up, of the last one behind the end
			.snapshots <= .snapshot_s / $long * 1.01 + 2.01; [.long_reader_s, .pause_s, .snapshots, .snapshot_s]),
		check("operations beside snapshots and pauses are of those done"; $in >= 0 and $out >= 0 and (.snapshot_s // 0) >= 0 and (.pause_s // 0) >= 0 and $in + $out <= .ops + $digits;
			[.snapshot_ops_per_sec, .snapshot_s, .pause_ops_per_sec, .pause_s, .ops]),
		check("time: snapshots and pauses are within the run"; .snapshot_s + (.pause_s // 0) <= .seconds + (0.05 + 0.002 * $e.threads) * $slack; [.snapshot_s, .pause_s, .seconds]),
		# what is done at the end by the clock is shown at the end of a turn, and of a batch
		(select(.seconds > 0.05 and .snapshot_s + (.pause_s // 0) >= 0.8 * .seconds) | check("what is done is done beside snapshots or pauses";
			$in + $out + (if $e.timed then $e.threads * (1100 + $e.batch) else 0 end) + $digits >= 0.5 * .ops; [.snapshot_ops_per_sec, .snapshot_s, .pause_ops_per_sec, .pause_s, .ops, .seconds]))),
	(select($copied or $e.name == "backup") |
		(select($copied) | check("a backup begins when asked for"; .backup_at_s == ($o.backup | tonumber); [.backup_at_s, $o.backup])),
		check("a backup is whole or none"; [.backup_s, .backup_bytes, .backup_by] | all(. == null) or all(. != null); [.backup_s, .backup_bytes, .backup_by]),
		(select(.backup_s != null) |
			check("a rate beside a backup is not negative"; (.backup_ops_per_sec // 0) >= 0 and (.backup_ops_share // 0) >= 0; [.backup_ops_per_sec, .backup_ops_share]),
			# where it ended within the run it is known how long that lasted without it
			share_of(.backup_ops_per_sec; .backup_s) as $in |
			(select($e.count != "special" and .backup_at_s + .backup_s < 0.9 * .seconds) |
				check("operations beside a backup are of those done"; $in <= .ops + 0.06 + (.backup_ops_per_sec // 0) * 1e-6; [.backup_ops_per_sec, .backup_s, .ops, .seconds])),
			(select(.engine != "null" and $e.before.complete) |
				check("a backup has the records"; (if $e.count == "special" or (($e.weights | (has("insert") or has("delete")) | not) and $e.does != "fills") then
						($e.before.kept | not) or .backup_records == .num
					elif $e.does == "fills" or ($e.weights | has("insert") | not) then ($e.before.kept | not) or .backup_records <= .num
					elif $e.weights | has("delete") | not then .backup_records >= .num else true end); [.backup_records, .num])),
			check("a backup is of one moment"; .backup_consistent == null or .backup_consistent == 1; .backup_consistent)));

# A run that has a duration ends with it.
def duration_holds($e; $o):
	($o.duration | tonumber) as $duration |
	([.read_max_ns, .write_max_ns, .scan_max_ns | . // 0] | max / 1e9) as $call |
	# a commit is in no call's time: what is open at the end may be a batch of a hundred megabytes
	# while files are copied all wait
	((if $e.batch > 1 then 0.1 + $e.batch * $e.before.value.most / 5e7 else 0 end) + (.backup_s // 0)) as $commit |
	(select($e.timed and $e.kind != "next") |
		check("a run is not shorter than its duration"; .seconds >= $duration * 0.99 - 0.002; [.seconds, $duration]),
		# or with the call that a thread is in, which may wait for all others, each of which may wait for the device; of one
		# that began in the warm-up the figures know nothing
		(select($o.latency == "1" and $e.warmup == 0 or .durability != "sync" and $e.threads <= 8 or $e.threads == 1) |
			check("time: a run ends with its duration"; .seconds <= $duration * 1.05 + (0.3 + 0.02 * $e.threads) * $slack + $call + $commit; [.seconds, $duration, .threads])),
		(select(.overrun_s != null) | check("what ran over is said"; near(.overrun_s; [.seconds - $duration, 0] | max; 0; 0.002); [.overrun_s, .seconds, $duration]))),
	# of 64 threads of few CPUs each needs one once more
	(select($e.timed and $e.warmup == 0 and .overrun_s != null and $o.latency == "1") |
		check("time: each thread ends with the call that it is in";
			.overrun_s <= (2 * $call + 0.05 + 0.004 * $e.threads + $commit) * $slack; [.overrun_s, $call, .threads])),
	(select($e.timed and $e.kind == "next") | check("time: a run ends with its duration"; .seconds <= $duration * 1.05 + (0.3 + 0.02 * $e.threads) * $slack; [.seconds, $duration, .threads]));

# WiredTiger's LSM tree loses what several threads of SmallBank change while its chunks are small (docs/engines.md): invalid.
def void_holds($o):
	(select((.engine == "wiredtiger" and $o.type == "lsm" and .threads > 1) | not) |
		check("no money, row or index entry is lost"; .invalid_reason // "" | test("payments|balances|update was lost|^client [0-9]+") | not; .invalid_reason)),
	check("an invalid row has a reason"; .invalid_reason != null and .invalid_reason != ""; .invalid_reason),
	# what is too short or too late to count is no fault; all else is, and no engine here has one
	(select((.engine == "wiredtiger" and $o.type == "lsm" and .threads > 1) | not) |
		check("no correct engine is accused"; .invalid_reason // "" | test("^at this rate only|^the threads ended before|^the target rate of inserts and deletes|^no operation was done|^the clock of latencies|^interrupted"); .invalid_reason));

# ---- of its timeline ----

# The rows of the timeline as objects, and those of one row of results.
def timeline_rows: lines | if length == 0 then [] else (.[0] | split("\t")) as $names | .[1:] |
	map(split("\t") | . as $cells | reduce range(0; $names | length) as $i ({}; .[$names[$i]] = $cells[$i])) end;
def sum_of($column): map(.[$column] | if . == "" or . == null then 0 else tonumber end) | add // 0;

# The times of all intervals are those of the row: the longest, the median and p99, to the histogram's four buckets a power of two.
def timeline_set_latency($e; $row; $of; $all):
	([$all[][$of + "_histogram"] | select(. != null and . != "") | split(" ")[] | split(":") | map(tonumber)]) as $buckets |
	($buckets | map(.[1]) | add) as $n |
	([$all[][$of + "_max_ns"] | select(. != null and . != "") | tonumber] | max) as $max |
	select($n > 0 and $row[$of + "_max_ns"] != null and $e.beside == null) |
	check("the longest of the intervals' times is the row's"; near($max; $row[$of + "_max_ns"]; 0.01; 1); [$of, $max, $row[$of + "_max_ns"]]),
	(([0.5, "_p50_ns"], [0.99, "_p99_ns"]) as [$share, $q] | $row[$of + $q] as $at | select($share == 0.5 or $n >= 100) |
		($share * $n - 1e-6 | ceil) as $rank |
		check("the intervals' times have the row's percentiles";
			([$buckets[] | select(.[0] < $at * 0.99 - 1) | .[1]] | add // 0) < $rank and ([$buckets[] | select(.[0] <= $at * 1.35 + 2) | .[1]] | add // 0) >= $rank;
			[$of, $q, $at, $rank, $n]));

def timeline_holds($e; $o; $lines):
	($lines | map(select(.thread == "all"))) as $all |
	($lines | map(select(.thread | IN("all", "probe", "long_reader", "backup") | not))) as $each |
	($e.workers + ($e.asides | length)) as $threads |
	. as $row |
	check("each interval has its threads"; ($all | length) > 0 and ($lines | length) == ($all | length) * (1 + $threads); [($all | length), ($lines | length), $threads]),
	check("intervals sum up to the operations"; ($all | sum_of("ops")) == .ops and
		($each | map(select((.thread | test("^[0-9]+$")) and (.thread | tonumber) < $e.threads)) | sum_of("ops")) == .ops; [($all | sum_of("ops")), ($each | sum_of("ops")), .ops]),
	(kinds as $k | check("intervals sum up to the calls of each kind"; ($all | sum_of($k + "_ops")) == $row[$k | plural] and ($each | sum_of($k + "_ops")) == $row[$k | plural];
		[$k, ($all | sum_of($k + "_ops")), ($each | sum_of($k + "_ops")), $row[$k | plural]])),
	($lines[] | check("no interval is negative or immense"; [.ops, .read_ops, .write_ops, .scan_ops | tonumber | . >= 0 and . < 1e12] | all; [.thread, .at_s, .ops, .read_ops, .write_ops, .scan_ops])),
	($lines[] | check("no interval's cost is negative"; [.cpu_s, .user_s, .sys_s, .syncs, .faults_minor, .io_write_bytes, .ctx_voluntary |
		select(. != "" and . != null) | tonumber | . >= -1e-4] | all; [.thread, .at_s, .cpu_s, .user_s])),
	($lines[] | (.span_s | tonumber) as $span | select($span > 0.001) | check("an interval's rate is its operations by its seconds";
		near(.ops_per_sec | tonumber; (.ops | tonumber) / $span; 1e-6 / $span + 1e-6; 0.06); [.at_s, .ops, .span_s, .ops_per_sec])),
	($lines[] as $line | kinds as $k | $line[$k + "_p50_ns"] | select(. != "") | check("an interval's percentiles are in order";
		[$line[$k + ("_p50_ns", "_p99_ns", "_max_ns")] | tonumber] | .[0] <= .[1] and .[1] <= .[2] * 1.004 + 0.1; [$line.at_s, $line[$k + ("_p50_ns", "_p99_ns", "_max_ns")]])),
	check("intervals follow each other"; ([$all[].at_s | tonumber] | ordered) and near($all | sum_of("span_s"); $all[-1].at_s | tonumber; 0; 0.0011 * (1 + ($all | length)));
		[$all[] | .at_s, .span_s]),
	# a backup may outlast them
	(select($e.beside == null and $e.warmup == 0 and ($e.asides | index("backup") | not)) |
		($all[-1].at_s | tonumber) as $finish |
		check("time: the last interval ends with the threads"; near($finish; .seconds; 0; (0.02 + 0.001 * $e.threads) * $slack + 0.001); [$finish, .seconds])),
	(("syncs", "io_write_bytes", "ctx_voluntary", "user_s", "sys_s") as $cost | select($row[$cost] != null) |
		check("intervals' costs sum up to the row's"; near($all | sum_of($cost); $row[$cost]; 0; 1e-6 * (1 + ($all | length)));
			[$cost, ($all | sum_of($cost)), $row[$cost]])),
	(select($o.latency == "1" and $e.kind == "multiread") | ("read", "read_resp") as $of |
		([$all[][$of + "_histogram"] | select(. != null and . != "") | split(" ")[] | split(":")[1] | tonumber] | add // 0) as $times |
		select($row[$of + "_mean_ns"] != null or $times > 0) |
		check("intervals' times are as many as the groups"; within($times; $row.reads / $e.batch | floor;
			if $e.total == null then $row.reads else $e.threads * ($e.each / $e.batch | ceil) end); [$of, $times, $row.reads, $e.batch])),
	(select($o.latency == "1" and $e.kind != "multiread") | kinds as $k | ($k, $k + "_resp") as $of |
		([$all[][$of + "_histogram"] | select(. != null and . != "") | split(" ")[] | split(":")[1] | tonumber] | add // 0) as $times |
		select($row[$of + "_mean_ns"] != null or $times > 0) |
		check("intervals' times are as many as the calls"; $times == $row[$k | plural] or
			($of != $k and $e.beside != null and $times <= $row[$k | plural]); [$of, $times, $row[$k | plural]]),
		timeline_set_latency($e; $row; $of; $all)),
	# a call's response is never shorter than the call
	(select($o.latency == "1" and $e.beside == null) | $lines[] as $line | kinds as $k | select($line[$k + "_resp_p50_ns"] != "" and $line[$k + "_p50_ns"] != "") |
		check("an interval's responses are not shorter than its calls"; [("_p50_ns", "_p99_ns", "_max_ns") as $q |
			($line[$k + "_resp" + $q] | tonumber) >= ($line[$k + $q] | tonumber) * 0.995 - 1] | all;
			[$line.thread, $line.at_s, ($line[$k + ("_p50_ns", "_resp_p50_ns", "_p99_ns", "_resp_p99_ns", "_max_ns", "_resp_max_ns")])])),
	(select($e.asides | index("probe_rate")) | ($lines | map(select(.thread == "probe"))) as $probe |
		check("a probe's intervals are the probe's"; ($probe | sum_of("read_ops")) == $row.probe_reads and ($probe | map(.write_ops, .scan_ops) | all(tonumber == 0)) and
			([$probe[].read_max_ns | select(. != "") | tonumber] | max // 0) as $max | $max == 0 and $row.probe_max_ns == null or near($max; $row.probe_max_ns // 0; 0.01; 1);
			[($probe | sum_of("read_ops")), $row.probe_reads, $row.probe_max_ns])),
	(select($e.asides | index("long_reader")) | check("a long reader's intervals are its reads";
		($lines | map(select(.thread == "long_reader")) | sum_of("read_ops")) == $row.snapshot_reads; [$row.snapshot_reads]));

# ---- of its histograms ----

# Of open loops response times come first.
def hdr_kinds: kinds | "\(.)_resp", .;

def histograms_hold($e; $o; $files; $first):
	. as $row |
	hdr_kinds as $k | .[$k + "_mean_ns"] as $mean | select($mean != null) | ($k | rtrimstr("_resp") | plural) as $ops |
	($files[(if $first == $k then "hdr" else "hdr.\($row.benchmark).\($k)" end)]) as $h |
	check("a histogram for each kind of call"; $h != null or $mean == 0; [$k, $files | keys]) ,
	(select($h != null) |
		check("a histogram is in order"; $h.wrong == 0 and $h.seen == $h.total; [$k, $h]),
		(select($e.kind != "multiread") | check("a histogram has as many calls as the row"; $h.total == $row[$ops]; [$k, $h.total, $row[$ops]])),
		(select($e.kind == "multiread") | check("a histogram has as many calls as there were groups";
			$h.total >= ($row.reads / $e.batch | floor) and $h.total <= (if $e.total == null then $row.reads
				else $e.threads * ($e.each / $e.batch | ceil) end); [$k, $h.total, $row.reads, $e.batch])),
		check("a histogram has the row's figures"; near($h.max; $row[$k + "_max_ns"]; 1e-5; 0.11) and near($h.mean; $mean; 1e-5; 0.11); [$k, $h, $row[$k + "_max_ns"], $mean]));

# ---- of all files ----

# A cell of TSV as JSON has it.
def same($value; $cell; $type):
	if $value == null then $cell == ""
	elif $type == "text" then $cell == $value
	else $cell != "" and near($cell | tonumber; $value | tonumber; 1e-6; 1e-9) end;

def tsv_holds($rows; $tsv):
	check("TSV has JSON's rows"; ($tsv | length) == (if $rows == [] then 0 else 1 + ($rows | length) end); [($tsv | length), ($rows | length)]),
	(select(($tsv | length) == 1 + ($rows | length)) | ($tsv[0] | split("\t")) as $names |
		check("TSV has the columns in order"; $names == [$columns[0][].name]; $names),
		(range(0; $rows | length) as $i | ($tsv[$i + 1] | split("\t")) as $cells | $rows[$i] as $row |
			($json | lines[$i] | [match("\"([^\"\\\\]*)\":"; "g").captures[0].string]) as $columns_of |
			check("JSON has the columns in order"; $columns_of == $names; $columns_of),
			check("TSV has a cell for each column"; ($cells | length) == ($names | length); [($cells | length), ($names | length)]),
			(range(0; $names | length) as $c | $columns[0][$c] as $column |
				check("TSV is JSON"; same($row[$column.name]; $cells[$c]; $column.type); [$column.name, $row[$column.name], $cells[$c]]))));

# The lines on standard output, in RocksDB's form.
def out_holds($rows; $o):
	select($o.format == "rocksdb") |
	($out | lines | map(capture("^(?<name>[a-zA-Z0-9.-]+) +: +[0-9.]+ micros/op (?<rate>[0-9]+) ops/sec (?<seconds>[0-9.]+) seconds (?<ops>[0-9]+) operations;(?<rest>.*)")) |
		map(select(.name | . != "writer" and . != "scanner"))) as $lines |
	# of the backup beside others, too, which is called as the workload
	([range(0; $lines | length) as $i | $lines[$i] | select(.name | IN("probe", "long_reader") | not)]) as $said |
	([$rows[].benchmark] | index("backup")) as $alone |
	($said | map(select($alone != null or .name != "backup"))) as $said |
	select($alone == null or $o.backup == "0") |
	check("a line for each row"; ($said | map(.name)) == ($rows | map(.benchmark)); [($said | map(.name)), ($rows | map(.benchmark))]),
	(select(($said | length) == ($rows | length)) | range(0; $said | length) as $i | $said[$i] as $s | $rows[$i] as $r |
		check("a line says what its row says"; ($s.ops | tonumber) == $r.ops and near($s.seconds | tonumber; $r.seconds; 0; 0.00051) and
			(near($s.rate | tonumber; $r.ops_per_sec // 0; 1e-6; 1.01) or $r.valid == 0); [$s, $r.ops, $r.seconds, $r.ops_per_sec]),
		($s.rest | capture("\\((?<found>[0-9]+) of (?<all>[0-9]+) found\\)") // null) as $told |
		(select($told != null) | check("a line has what was found of all that could be"; ($told.found | tonumber) == $r.found and ($told.all | tonumber) == $r.found + $r.missing;
			[$s.rest, $r.found, $r.missing])),
		check("a line says that its row is invalid"; ($s.rest | contains("INVALID")) == ($r.valid == 0); [$s.rest, $r.valid]));

def report_holds:
	($report | lines | .[1:] | map(split(","))) as $lines |
	select($lines != []) |
	check("a report's rates are not negative"; $lines | all(.[1:6] | all(tonumber >= 0 and tonumber < 1e12)); $lines),
	($lines | group_by(.[7])[] | select(length > 1) | [.[][6] | tonumber]) as $totals |
	check("a report's rates are those of numbers"; $totals | all(. >= 0); $totals);

# What a run leaves that asks for the same: counts and bytes.
def asked_the_same($rows; $others; $es; $name; $fields):
	# a warm run has a row if it is invalid, which may be by chance
	(select([$rows[], $others[] | .valid == 1] | all) |
		check($name; ($others | length) == ($rows | length); [($rows | length), ($others | length)])),
	(select(($others | length) == ($rows | length)) | range(0; $rows | length) as $i | select($es[$i].repeatable) |
		$rows[$i] as $a | $others[$i] as $b | select($a.valid == 1 and $b.valid == 1) |
		# the null engine has all records for ever, as they are filled
		([$a, $b | .engine] | any(. == "null") and ($es[$i] | .before.complete and .before.kept and (.reads_only or .does == "fills") | not)) as $other |
		select(($other and $a.engine != $b.engine and ($es[$i].count == "whole" or $es[$i].kind == "next")) | not) |
		($fields - if $other and $a.engine != $b.engine then ["found", "missing", "lost", "bytes", "entries", "digest"] else [] end) as $fields |
		# it reads the same record again and again, unless it is to verify what it reads
		($fields - if ([$a, $b | .engine] | any(. == "null")) and $a.engine != $b.engine and $a.wrong == null and ($a.reads + $a.scans > 0) and
			($a.value_sizes | test("[-,]")) then ["bytes"] else [] end) as $fields |
		# of a mix with blind deletes only reads are found or missing
		($fields - if ($es[$i].weights | has("delete")) and ([$a, $b | .emulated // "" | contains("blind")] | .[0] != .[1]) then ["found", "missing"] else [] end) as $fields |
		# what blind deletes met is unknown, and the null engine's bytes are no records' unless they are verified
		check($name; [$fields[] as $f | $a[$f] == $b[$f] or ($a[$f] == null or $b[$f] == null) and
				(($f | IN("found", "missing", "bytes", "entries")) or $f == "digest" and ([$a, $b | .engine] | any(. == "null")))] | all;
			[$a.benchmark, [$fields[] as $f | select($a[$f] != $b[$f]) | [$f, $a[$f], $b[$f]]]]));

# What is recorded is replayed: each read finds what it found. Blind deletes tell nothing; several threads' values of one key may be of other
# sizes; what is deleted by one thread and put by another at once is in the order in which calls began.
def replay_holds($rows; $replayed; $es; $o):
	$es[-1] as $e | $rows[-1] as $a | select($a.valid == 1) |
	check("a recording can be replayed"; ($replayed | length) > 0 and $replayed[-1].benchmark == "replay" and $replayed[-1].valid == 1; [$replayed[-1:][] | .benchmark, .invalid_reason]),
	($replayed[-1] | select(. != null and .valid == 1) | . as $b |
		# and so is who first put a key that others read; the null engine has no records, so none that a replay inserts
		($a.engine == "null" and ($e.weights | has("insert")) or $e.threads > 1 and (($e.weights | (has("update") or has("rmw")) and (has("delete") or ($e.before.complete | not))) or $o.txn_reads != "1")) as $loose |
		(["writes", "reads", "scans"] + if $loose then [] else ["found", "missing"] end + if $loose or ($e.weights | has("scan")) or ($e.threads > 1 and $e.before.value.one == null) or $a.engine == "null" then [] else ["digest"] end) as $fields |
		check("a replay finds what the recording found"; [$fields[] as $f | $a[$f] == $b[$f] or $a[$f] == null or $b[$f] == null] | all; [$a.benchmark, [$fields[] | select($a[.] != $b[.]) | [., $a[.], $b[.]]]]));

def status_holds($rows; $o; $es):
	($err | lines) as $said |
	check("it ends by itself"; $status <= 2; [$status, ($said[-3:])]),
	check("the rows of a run are of one program and machine"; $rows | map([.program, .simulated_disk, .cpu, .cores, .allowed_cpus, .cpu_quota, .kernel]) | unique | length <= 1; $rows | map([.program, .simulated_disk])),
	(select($o.copy != null) | check("a copy is deleted, and its source as it was"; $copied == "same\n"; $copied)),
	check("no sanitizer has anything to say"; $said | any(test("Sanitizer|runtime error:")) | not; $said[:3]),
	check("valid rows are status 0, and invalid ones 1"; ($status == 0) == (($rows | all(.valid == 1)) and $status != 2) or $status == 1 and ($said | length) > 0; [$status, ($rows | map(.valid)), $said]),
	(select($status == 0) | check("a row for each benchmark"; ($rows | map([.benchmark, .iteration])) == ($es | map([.name, .iteration])); [($rows | map(.benchmark)), ($es | map(.name))])),
	(select($status == 1) | check("what failed is said or invalid"; ($rows | any(.valid == 0)) or ($said | length) > 0; $said)),
	(select($status == 2) | check("what is refused leaves no row, and is said in a line"; $rows == [] and ($said | map(select(contains("warning: ") or contains("fit for") or contains("compiled in") or contains("CRC") | not)) | length == 1 and (.[0] | startswith("bench_"))); $said));

# ---- all of it ----

$facts as $workloads |
($facts | facts) as $facts |
(defaults + (options as $given | [$given.benchmarks | split(",")[] | capture("^(?<name>[^@[]*)").name | $facts[.].preset | select(. != "-" and . != null)][0] // "-" | preset) +
	options) as $o |
($o + (if $o.sync == "1" then {durability: "sync"} else {} end)) as $o |
(asked($o; $facts) | histories($o)) as $es |
($json | rows_of) as $rows |
($timeline | timeline_rows) as $lines |
($slow | timeline_rows) as $kept |
($histograms | lines | map(split("\t") | {key: .[0], value: {total: (.[1] | tonumber), seen: (.[2] | tonumber), max: (.[3] | tonumber),
	mean: (.[5] | tonumber), wrong: (.[7] | tonumber)}}) | from_entries) as $files |
($rows | length == ($es | length)) as $paired |

reduce (
	status_holds($rows; $o; $es),
	tsv_holds($rows; $tsv | lines),
	out_holds($rows; $o),
	report_holds,
	([$rows | broken_rules($workloads; rules)] as $broken |
		# rules about how long a run was on the wall
		def time: if .rule | test("brief|seconds <") then "time: " else "" end;
		check("columns are empty by their rules"; $broken | all(time != ""); $broken | map(.column)),
		($broken[] | check("\(time)\(.column) is empty by its rule"; false; [.is, .benchmark, .rule]))),
	($rows[] | select(.valid != 1) | void_holds($o)),
	(select($paired) | range(0; $rows | length) as $i | $rows[$i] | select(.valid == 1) |
		# a bulk loader is the only session there is
		($es[$i] | if .flags.bulk and ($rows[$i].emulated // "" | contains("bulk load") | not) then .asides = [] else . end) as $e |
		# what is repeated in a second cannot be told apart
		. as $row | ([$rows[] | select(.benchmark == $row.benchmark and .iteration == $row.iteration and .time == $row.time)] | length == 1) as $single |
		($lines | map(select($single and .benchmark == $row.benchmark and .time == $row.time and .iteration == ($row.iteration | tostring)))) as $mine |
		identity($e; $o),
		records_hold($rows; $es; $i; $o),
		counts($e; $o),
		threads_hold($e; $o),
		sizes_hold($e; $o),
		ratios($e),
		(select(.seconds > 0) | derived),
		times($e; $o),
		costs($e; $o),
		limits_hold($e; $o),
		slow_hold($e; $o; if $o.slow_calls_file and $single then
			$kept | map(select(.benchmark == $row.benchmark and .time == $row.time and .iteration == ($row.iteration | tostring))) else null end),
		windows_hold($e; $mine),
		asides_hold($e; $o),
		pace_holds($e; $o),
		duration_holds($e; $o),
		(select($o.timeline != null and $e.count != "special" and $single) |
			timeline_holds($e; $o; $mine)),
		# the first kind of the first row that has one is in FILE; of repetitions the last is there
		(select($o.hdr != null) | . as $row |
			([$rows[] | hdr_kinds as $k | select(.[$k + "_mean_ns"] != null)] | .[0]) as $owner |
			([$owner | hdr_kinds as $k | select(.[$k + "_mean_ns"] != null) | $k] | .[0]) as $first |
			([range($i + 1; $rows | length) as $j | select($rows[$j].benchmark == $row.benchmark)] == []) as $last |
			select($owner == $row or $last) |
			select([range(0; $i) as $j | select($rows[$j].benchmark == $row.benchmark)] == [] and $last) |
			histograms_hold($e; $o; $files; if $owner == $row then $first else "-" end))),
	(select($paired and $again != "" and ($o.load == null or ($es | all(.reads_only)))) |
		asked_the_same($rows; $again | rows_of; $es; "a row's own command repeats it";
			["ops", "reads", "writes", "scans", "found", "missing", "lost", "bytes", "entries", "digest", "distinct_keys", "top1pct_fraction", "commits"])),
	# aio's records lie by their numbers, which hashed keys do not
	(select($paired and $replay != "" and $status == 0) | replay_holds($rows; $replay | rows_of; $es; $o)),
	(select($paired and $other != "" and ([$rows[], ($other | rows_of[])] | any(.engine == "aio" and .key_format == "user") | not)) |
		asked_the_same($rows; $other | rows_of; $es; "every engine is asked the same, and answers it";
			["ops", "reads", "writes", "scans", "found", "missing", "lost", "bytes", "entries", "digest", "distinct_keys"]))
) as $check ({counts: {}, broken: []};
	.counts[$check.name] += 1 | if $check.seen then .broken += [$check] else . end) |
(.broken | unique_by(.name)[] | "broken\t\(.name)\t\(.seen | gsub("[\t\n]"; " ") | .[:400])"),
(.counts | to_entries[] | "count\t\(.key)\t\(.value)")
