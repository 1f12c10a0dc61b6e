# clients.jq: the rows of several clients as one row of each benchmark; for clients.sh. Input: an array of their rows.
# With --rawfile merged (what hdrmerge prints), --argjson clients, --argjson seed, --argjson CPUs, --arg command.

# What stands for all of them together is a sum; nothing, if one of them did not have it.
def sums: ["ops", "reads", "writes", "scans", "entries", "found", "missing", "lost", "wrong", "out_of_order", "errors", "bytes",
	"target_rate", "backlog", "user_s", "sys_s", "fg_cpu_s", "bg_cpu_s", "harness_cpu_s", "ctx_voluntary", "ctx_involuntary", "faults_major", "faults_minor",
	"fs_in_blocks", "fs_out_blocks", "io_read_bytes", "io_write_bytes", "io_wchar_bytes", "io_write_calls",
	"cycles", "instructions", "cache_misses", "tlb_misses", "rss_anon_kb", "commits", "aborts", "conflicts", "retries", "retry_s", "write_skews",
	"syncs", "fsyncs", "fdatasyncs", "msyncs", "sync_file_ranges", "dsync_writes", "round_trips"];
# Among the figures, what was asked for.
def asked: ["arrivals", "until_steady_s", "probe_rate", "backup_at_s", "long_reader_s", "memory_limit_kb", "malloc_arenas", "counters", "servers"];
# Means by operations.
def means: ["mean_us", "cpu_us_per_op", "round_trips_per_op", "cycles_per_op", "instructions_per_op", "cache_misses_per_op", "tlb_misses_per_op"];

def total(f): map(f) | if any(. == null) then null else add end;
def over($n): if . == null or $n == null or $n <= 0 then null else . / $n end;
# Letters that a tag has not are _ in it, as hdrlog_line has it.
def tagged: gsub("[^A-Za-z0-9+=@.-]"; "_");

($merged | split("\n") | map(select(. != "") | split("\t")) | .[0] as $names |
	[.[1:][] | [$names, .] | transpose | map({key: .[0], value: (.[1] | tonumber? // .)}) | from_entries]) as $all |
# as they ran: those that began in one second have one time
map(.benchmark) as $order |
[group_by(.benchmark)[] | sort_by(.time)] | sort_by(.[0].benchmark as $name | $order | index($name))[] | . as $rows |
(.[0].benchmark | tagged) as $name |
[$all[] | . as $m | ("read", "write", "scan" | ., "\(.)_resp") as $kind | select($m.tag | endswith(".\($name).\($kind)")) | $m + {kind: $kind}] as $kinds |
if length != $clients then "\(.[0].benchmark) ran \(length) times in \($clients) clients, which cannot be added up; name each benchmark once in --benchmarks" | halt_error(1) else . end |
($kinds | map(.seconds) | max) as $seconds | ($kinds | map(.start_skew_s) | max) as $starts | ($kinds | map(.end_skew_s) | max) as $ends |
($kinds | map(.overlap_percent) | min) as $together |
(.[0] | keys_unsorted) as $columns | ($columns | index("ops")) as $figures | ($columns | index("timer")) as $where |
# what each client took of the CPUs, the others saw as others'
([(map(.others_cpu_percent // 0) | add / $clients) - 100 * ($clients - 1) / $clients / $CPUs * (map((.user_s + .sys_s) / .seconds) | add), 0] | max) as $others |
reduce range($columns | length) as $i ({}; $columns[$i] as $c | .[$c] =
	if $c | IN(sums[]) then $rows | total(.[$c])
	elif $c | IN(means[]) then $rows | total(if .[$c] == null then null else .[$c] * .ops end) | over($rows | total(.ops))
	elif $i >= $figures and $i < $where and ($c | IN(asked[]) | not) then null
	elif $rows | map(.[$c]) | unique | length == 1 then $rows[0][$c] else null end) |
.time = $rows[0].time | .seed = $seed | .command = $command | .clients = $clients |
.start_skew_s = $starts | .end_skew_s = $ends | .overlap_percent = $together |
.seconds = $seconds | .ops_per_sec = (.ops | over($seconds)) | .entries_per_sec = (.entries | over($seconds)) |
.reads_per_sec = (.reads | over($seconds)) | .writes_per_sec = (.writes | over($seconds)) |
.cpu_percent = ((.user_s + .sys_s) * 100 | over($seconds)) | .syncs_per_commit = (.syncs | over($rows | total(.commits))) |
.longest_stall_ms = ($rows | map(.longest_stall_ms) | max) | .target_rate_met = ($rows | map(.target_rate_met) | min) |
.steal_percent = ($rows | map(.steal_percent) | if any(. == null) then null else add / length end) |
.others_cpu_percent = (if $rows | any(.others_cpu_percent == null) then null else $others end) |
.harness_ns_per_op = ($rows | map(.harness_ns_per_op) | max) | .timer_ns = ($rows | map(.timer_ns) | max) |
.warnings = ([($rows[].warnings // "" | split("; ")[] | select(test("^other processes") | not)),
	(select($others > 10) | "other processes and kernel threads used \($others | round) % of the CPUs"),
	(select($together < 95) | "all clients ran at once in only \($together) % of the time")] |
	reduce .[] as $text ([]; if IN(.[]; $text) then . else . + [$text] end) | join("; ") | if . == "" then null else . end) |
reduce $kinds[] as $m (.; reduce ("mean", "p50", "p90", "p95", "p99", "p999", "p9999") as $q (.; .["\($m.kind)_\($q)_ns"] = $m["\($q)_ns"]) |
	.["\($m.kind)_min_ns"] = ($rows | map(.["\($m.kind)_min_ns"]) | min) | .["\($m.kind)_max_ns"] = ($rows | map(.["\($m.kind)_max_ns"]) | max)) |
map_values(if type == "number" then . * 1e6 | round / 1e6 else . end)
