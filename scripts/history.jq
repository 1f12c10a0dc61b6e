# history.jq: from rows to the lines of a history, and from histories with their changes to what is shown; for history.sh.

include "rows";

# What a history has in its columns: what it is of, what may have changed, and the figures, more or less of which is
# better. A name that no row has is computed here.
def about: ["time", "commit", "build", "engine_version", "engine_build", "engine_options", "kernel", "runs", "warnings"];
def figure($name): if $name == "cpu_ns_per_op" then (if .ops > 0 and .user_s != null then (.user_s + .sys_s) * 1e9 / .ops else null end)
	elif $name | IN("p50_ns", "p99_ns", "p999_ns") then latency_of($name | rtrimstr("_ns")) else .[$name] end;
def metrics: [{name: "ops_per_sec", more: true}, {name: "cpu_ns_per_op"}, {name: "mean_us"}, {name: "p50_ns"}, {name: "p99_ns"},
	{name: "p999_ns"}, {name: "write_amp_all_in"}, {name: "db_disk_kb"}, {name: "peak_rss_kb"}, {name: "syncs_per_commit"}];

# What makes a history another one; of clients only several, and a quota only if there is one, as older histories do not know of them. Versions, builds and the engine's own account of its options may change within one.
def of_history: ["cpu", "cores", "cpu_quota"] + (settings - ["engine_version", "engine_options"]) + ["label"];
def cell: if . == null then "" else tostring | gsub("[\t\r\n\"]"; " ") end;
# A name for a file, of which letters, figures and a few signs are left.
def plain: gsub("[^A-Za-z0-9_.+@=-]+"; "_");

# Without the last digits of a double, which no clock has.
def digits: if . == null then . else . * 1e6 | round / 1e6 end;

# What no history can hold, of rows, in a sentence; nothing if all is well: a time that is none, by which nothing could be
# appended any more, a host that names no directory of its own, a figure that nothing can have.
def objection: [.[] | select(.valid == 1) | (metrics[].name as $m | {m: $m, x: figure($m)}) as $f | . as $row |
	if (try (.time | fromdateiso8601 | todateiso8601) catch null) != .time then "has the time \(.time | tojson), which is not of the form 2026-01-31T12:00:00Z"
	elif (.host | type) != "string" or (.host | test("^([.]|$)")) then "has the host \(.host | tojson), which cannot name a directory"
	elif $f.x != null and (($f.x | type) != "number" or $f.x < 0) then "has \($f.m) \($f.x | tojson), which is not a number of at least 0"
	else empty end | "a row of \($row.benchmark) \(.)"] | .[0] // empty;

# entries: of rows with their directory as .dir, an entry for each history and directory: the median of its runs
def entries: map(settled | select(.valid == 1)) | group_by([.dir, .commit, .engine_version] + [.[of_history[]]]) | sort_by(.[0].time) | .[] |
	. as $runs | (map(.time) | min) as $time | .[0] as $row |
	{machine: ($row.host | plain), name: ("\($row.benchmark)-\($row.threads)t-\($row.label)" | plain),
	 of: ([of_history[] | {key: ., value: $row[.]} | select((.key != "clients" or .value != 1) and (.key != "cpu_quota" or .value != null))] | from_entries), time: $time,
	 unlike: (map(.engine_options) | unique | length > 1),
	 line: ($row | .time = $time | .runs = ($runs | length) | .warnings = ($runs | map(select((.warnings // "") != "")) | length) |
		[.[about[]]] + [metrics[].name as $name | $runs | map(figure($name)) | median | digits] | map(cell) | join("\t"))};
def header: about + [metrics[].name] | join("\t");

# ---- from here on of histories: {file, of, entries: their number, since, last: a line as an object, complete: columns without a
# gap}; and what was found in them

# One of what history.awk prints of each, with its settings of {file: settings}.
def described($of): split("\t") | (.[4] / "\u001f") as $names | {file: .[0], of: $of[.[0]]} +
	{entries: (.[1] | tonumber), since: .[2], complete: (.[3] / "\u001f"),
	 last: ([.[5] / "\u001f", $names] | transpose | map({key: .[1], value: .[0]}) | from_entries)};
def lines: split("\n") | map(select(. != "") | split("\t")) | .[0] as $names |
	[.[1:][] | [., $names] | transpose | map({key: .[1], value: .[0]}) | from_entries];
def direction($name): if metrics | any(.name == $name and .more) then 1 else -1 end;
# Of the metrics asked for those that every line has: a change is looked for in whole columns.
def whole($asked): .complete as $complete | [$asked[] | select(IN($complete[]))];

def plainly: "\(.of.benchmark), \(.of.threads) thread\(if .of.threads == 1 then "" else "s" end), \(.of.label) on \(.of.host)";
# Histories that would be called the same have in .also what tells them apart.
def named: [group_by(plainly)[] | . as $same | [of_history[] as $c | select(map(.of[$c]) | unique | length > 1) | $c] as $differ |
	.[] | .of as $of | .also = ([$differ[] | ", \(.) \($of[.] // "none")"] | join(""))] | sort_by(.file);
def title: plainly + .also;

# The changes of a history from history.py's answer, a list of {metric, at, before, after, p, old, new}: each with what differs
# between its line and the one before, and whether it is for the worse and has not been made up for since.
def changes($found; $threshold):
	[$found[] | .percent = (if .before == 0 then null else (.after / .before - 1) * 100 end) | select(.percent == null or (.percent | fabs) >= $threshold) |
		.time = .new.time |
		.differ = [("commit", "build", "engine_version", "engine_build", "engine_options", "kernel") as $c |
			{column: $c, old: .old[$c], new: .new[$c]} | select(.old != .new)] | del(.old, .new) |
		.worse = ((.after - .before) * direction(.metric) < 0)] | sort_by(.at) | . as $all |
	map(. as $c | .open = (.worse and ([$all[] | select(.metric == $c.metric and .at > $c.at) |
		(.after - $c.before) * direction(.metric) >= - ($c.before * $threshold / 100 | fabs)] | any | not)));

# What stands at a change: with what it came.
def with: if .differ == [] then "without a change of version, commit or setting in the rows"
	else "with " + ([.differ[] | "\(.column) \(if .new == "" then "none" else .new end) (before: \(if .old == "" then "none" else .old end))"] | join(", ")) end;
def figures3: if fabs >= 1e4 then round else . * 100 | round / 100 end | tostring;
def percent1: if . == null then "-" else (. * 10 | round / 10 | if . >= 0 then "+" else "" end + tostring) + " %" end;
def change: "\(.metric) \(.percent | percent1) (\(.before | figures3) to \(.after | figures3)) at \(.time), \(with)";

# The fewest lines in which a change is looked for: of five and five it must be some four and a half standard deviations to be one.
def fewest: 10;
# Those of which check can say nothing, in a sentence; nothing if there are none.
def too_few: map(select(.entries < fewest)) as $few | if $few == [] then empty else
	"too few entries to find a change in \($few | length) of \(length) histories: \(fewest) are needed, and \($few[0].file) has \($few[0].entries)" end;

# check: the one sentence, or nothing
def sentence($since): [.[] | . as $h | .changes[] | select(.open and .time >= $since) | {title: ($h | title), change: .}] | sort_by(-(.change.percent | fabs)) |
	if . == [] then empty else "slower: \(.[0].title): \(.[0].change | change)" +
		(if length > 1 then "; and \(length - 1) more, see history.sh show" else "" end) end;

def text: .[] | title, "  \(.entries) entries from \(.since) to \(.last.time), in \(.file)",
	(.last | "  last: \(.ops_per_sec) operations/s, \(.cpu_ns_per_op | if . == "" then "-" else tonumber | figures3 end) ns of CPU time an operation, median of \(.runs) run\(if .runs == "1" then "" else "s" end)" +
		(if .warnings != "0" then ", \(.warnings) with warnings" else "" end)),
	(if .changes == [] then "  no change" else .changes[] | "  \(if .open then "slower" elif .worse then "was slower" else "changed" end): \(change)" end), "";

# Bencher Metric Format: {"BENCHMARK": {"MEASURE": {"value": N}}}, of the last line; "throughput" and "latency" are its own measures.
def number: if . == "" or . == null then null else tonumber end;
def bmf: map({key: title, value: (.last | {throughput: .ops_per_sec, latency: (.mean_us | number | if . == null then null else . * 1000 end)} +
	([metrics[].name as $m | select($m | IN("ops_per_sec", "mean_us") | not) | {key: ($m | gsub("_"; "-")), value: .[$m]}] | from_entries) |
	map_values(number | select(. != null) | {value: .}))}) | from_entries;

# github-action-benchmark's lists of {name, unit, value}: one of rates, of which more is better, and one of all else.
def unit($name): if $name == "ops_per_sec" then "ops/s" else $name | capture("_(?<unit>ns|us|kb)(_per_op)?$").unit // "ratio" end;
def github($more): [.[] | . as $h | metrics[] | select((.more // false) == $more) | .name as $m | $h.last[$m] | number | select(. != null) |
	{name: "\($h | title): \($m)", unit: unit($m), value: .,
	 extra: "commit \($h.last.commit), \($h.of.engine) \($h.last.engine_version), median of \($h.last.runs)"}];

# For history.gp: a line for each entry of a metric, with the mean of its stretch between two changes, and what begins there.
def stretches($metric): . as $h | [.changes[] | select(.metric == $metric)] as $c | .lines | to_entries[] | .key as $i |
	([$c[] | select(.at <= $i)][-1]) as $last | [.value.time, .value[$metric],
		(if $c == [] then ($h.lines | map(.[$metric] | tonumber) | add / length) elif $last then $last.after else $c[0].before end),
		(if $last and $last.at == $i then $last.percent | percent1 else "" end)] | map(cell) | join("\t");

# The pictures of a history on its page, of the metrics asked for.
def pictures($asked): (.file | split("/") | .[-2:] | join("-") | rtrimstr(".tsv")) as $name |
	[whole($asked)[] | {metric: ., file: "\($name)-\(.).svg"}];
