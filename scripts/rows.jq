# rows.jq: what the scripts that show rows have in common; for jq -L scripts.

def middle_of_sorted: (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
# Of the numbers in a list, as util/stats.c has it; null: there are none.
def median: map(select(. != null)) | sort |
	if . == [] then null else middle_of_sorted end;
# Of a list of rows the one that is the median by a figure, of two in the middle the lower; null: there are none.
def middle(figure): sort_by(figure) | .[(length - 1) / 2 | floor]?;
# Of a list of rows one that has of each number the median, also where the first has none, and what else the first has.
def medians: . as $rows | reduce (add | keys_unsorted[]) as $column (.[0]; if .[$column] | type == "string" then . else
	[$rows[][$column] | numbers] as $values | if $values == [] then . else .[$column] = ($values | sort | middle_of_sorted) end end);
# The 95 % interval of some numbers above 0 by Student's t on their logarithms, as util/stats.c has it: the factor by which it
# goes up and down from their geometric mean; null of fewer than two, or if one is not above 0.
def interval: map(select(. != null)) | length as $n | if $n < 2 or any(.[]; . <= 0) then null else map(log) |
	(add / $n) as $mean | (map(. - $mean | . * .) | add / ($n - 1) | sqrt) *
	([12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262][$n - 2] // 2) / ($n | sqrt) | exp end;

# Rows of texts as lines; a column for which `left` is true of {column, last}, by numbers from 0, begins on the left, the
# others end on the right.
def aligned(left): (.[0] | length - 1) as $last | ([range($last + 1) as $i | [.[][$i] | length] | max]) as $width |
	.[] | [range(length) as $i | .[$i] as $text | ($width[$i] - ($text | length)) as $gap |
		if {column: $i, last: $last} | left then $text + " " * $gap else " " * $gap + $text end] |
	join("  ") | sub(" +$"; "");
# The first and the last on the left.
def aligned: aligned(.column == 0 or .column == .last);

# A reason for each column that these rows differ in.
def mixed($columns; $what): . as $rows | $columns[] as $c | $rows | map(.[$c] // "none" | tostring) | unique |
	select(length > 1) | "rows of more than one \($c) (\(join(", "))) do not belong in \($what)";

# What makes a benchmark another one: only rows that agree in all of it are set side by side.
def setup: ["benchmark", "threads", "clients", "num", "key_size", "key_format", "value_sizes", "batch_size", "distribution", "mix",
	"scan_length", "queues", "queue_deletes", "txn_reads", "txn", "warmup_s", "age", "probe_rate", "long_reader_s", "backup_at_s", "durability",
	"target_rate", "arrivals"];
# What else must not differ between rows that are set beside one another: compare.sh refuses it, summary.sh makes tables of their
# own of it, plot.sh refuses it or tells it in the label.
def conditions: ["host", "cpu", "kernel", "cores", "cpu_quota", "filesystem", "simulated_disk", "memory_limit_kb", "durability_effective", "cold", "touch"];
# What may differ, but not unsaid.
def circumstances: ["mount_options", "device", "io_scheduler", "read_ahead_kb", "governor", "turbo", "smt", "thp", "swappiness",
	"idle_reclaim", "numa_node", "cpus", "allowed_cpus", "memory_kb"];
# What else rows agree in if they are runs of one point; engine_options stands last, as it repeats some of the others.
def settings: setup + ["host", "engine", "engine_version", "allocator", "cold", "touch", "cpus", "durability_effective", "filesystem", "simulated_disk",
	"memory_limit_kb", "malloc_arenas", "compression", "cache_bytes", "write_buffer_bytes", "engine_options"];
# A row without what are no settings: what was left in memory, and the room for readers that a lock file happens to have. A
# row that says nothing of clients is of one.
def without($found; $pattern): if . == null then "none" elif contains($found) then sub($pattern; "") else . end;
def settled: .clients = (.clients // 1) | .cold = (.cold | without(", but"; ", but .*")) |
	.engine_options = (.engine_options | without(" maxreaders="; " maxreaders=[0-9]+"));

# The columns of a list in which some rows differ.
def differing($columns): . as $rows | $columns | map(select(. as $c | [$rows[][$c]] | min != max));

# Rows that are to stand beside one another. One that was on no file system, as the null engine stores nothing, is on that of all
# others; a label such as lmdb:xfs says itself what it ran on, and how that is made cold follows from it.
def beside: ([.[].filesystem | values] | unique) as $on | map(settled |
	if .filesystem == null and ($on | length) == 1 then .filesystem = $on[0] else . end |
	if .label // "" | contains(":") then .filesystem = null | .cold |= if . == "none" then . else "cold" end else . end);

# Rows whose label says in what settings they differ from others of the same benchmark, label and threads: null+batch_size=10;
# and in what conditions from those of other labels as well. Of engine_options it has the words that they do not share, and only
# if nothing else tells the rows apart.
def told_apart: [group_by(.benchmark, .threads)[] | beside | differing(setup + conditions) as $between |
	group_by(.label)[] | . as $rows | differing(settings) as $within |
	(settings | map(select(IN($within[], $between[])))) as $all | if $all == [] then $rows[] else ($all - ["engine_options"]) as $differ |
	def kinds($columns): map([.[$columns[]]]) | unique | length;
	(kinds($all) > kinds($differ)) as $more |
	reduce .[] as $row (.[0].engine_options / " "; . - (. - ($row.engine_options / " "))) | . as $shared |
	$rows[] | .label += ([($differ[] as $c | "\($c)=\(.[$c] // "none")"), (select($more) | (.engine_options / " ") - $shared | .[])] |
		map("+" + gsub("[^A-Za-z0-9_=.-]+"; "_") | sub("_$"; "")) | join("")) end];

# Whether what a row measured is how long operations took that were asked for at a rate, not how many it did: its own threads
# had a rate, which is not so where only a background writer had. What it measured then is the response time.
# All quantiles are of one kind of call, the first that has any: one of them may be unknown, as it is too short or of too few.
def timed_kind: . as $row | first(("read", "write", "scan") as $kind | select(any("p50", "p99", "p999", "max"; $row["\($kind)_\(.)_ns"] != null)) | $kind), "read";
def latency_of($q): .["\(first(timed_kind))_\($q)_ns"];
def response_of($q): .["\(first(timed_kind))_resp_\($q)_ns"];
def paced: .target_rate != null and response_of("p99") != null;

# What a reader of some rows must know, in how many of them: a rate that was missed, and all else.
def in_runs(condition): length as $n | map(select(condition)) | length | select(. > 0) |
	if $n == 1 then "" else " in \(.) of \($n) runs" end;
def rate_missed: in_runs(.target_rate_met == 0) | "rate missed" + .;
# A build that is not fit for comparison; if it is so of writes only, this is of rows that write: "of writes: no CRC-32C instructions".
def unfit: .engine_build // "" | contains("not fit for comparison");
def unfit_here: unfit and ((.engine_build | endswith("of writes") | not) or (.writes // 0) > 0);
def unfit_why: .engine_build | (if endswith("of writes") then " of writes" else "" end) +
	(capture("(?<why>(assertions compiled in)?(, )?(no CRC-32C instructions)?): not fit").why? // "" | ltrimstr(", ") | if . == "" then "" else ": " + . end);
def cautions: . as $rows | (in_runs(unfit_here) | "a build that is not fit for comparison" + ([$rows[] | select(unfit_here) | unfit_why][0]) + .),
	(in_runs(.steady == 0) | "not steady" + .),
	([.[] | .warnings // "" | select(. != "")][0] as $first | in_runs(.warnings // "" != "") | "warnings\(.): \($first)");

# What build/stats says of a sample, or of two.
def figures: split("\t") | .[1:] | map(if . == "" then null else tonumber? // . end);
def sample: {n: .[0], median: .[1], mean: .[2], low: .[3], high: .[4], cv: .[5]};

# What readers.gp draws, for build/stats: of valid rows the reads and writes a second of each point.
# A scan is a read of a range, but those of a scanner beside the readers are none of their operations.
def points: ("reads", "writes") as $panel | group_by(.benchmark, .label, .threads)[] | .[0] as $row |
	map(if $panel == "writes" then .writes_per_sec else [.reads_per_sec + .scans / .seconds, .ops_per_sec] | min end | select(. > 0)) |
	select(length > 0) | "\($row.benchmark) \($row.label) \($row.threads) \($panel)\t\(join(" "))";

# which run of a sweep a row is of, wherever its directory lies: when it began, and the last of its path
def run: "\(.time) " + ((.command // "") | sub(".*/(?<run>[^/]+/runs/[^/]+)/row[.]json.*"; .run));
