# rows.jq: what the scripts that show rows have in common; for jq -L scripts.

# Of the numbers in a list, as util/stats.c has it; null: there are none.
def median: map(select(. != null)) | sort |
	if . == [] then null else (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2 end;
# Of a list of rows the one that is the median by a figure, of two in the middle the lower; null: there are none.
def middle(figure): sort_by(figure) | .[(length - 1) / 2 | floor]?;
# Of a list of rows one that has of each number the median, and what else the first has.
def medians: . as $rows | .[0] | with_entries(if .value | type == "number" then .value = (.key as $column |
	[$rows[][$column] | numbers] | median) else . end);
# Half of the 95 % interval of the mean of some numbers by Student's t; null of fewer than two.
def interval: map(select(. != null)) | length as $n | if $n < 2 then null else
	(add / $n) as $mean | (map(. - $mean | . * .) | add / ($n - 1) | sqrt) *
	([12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262][$n - 2] // 2) / ($n | sqrt) end;

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
	"rate", "arrivals"];
# What else rows agree in if they are runs of one point; engine_options stands last, as it repeats some of the others.
def settings: setup + ["host", "engine", "engine_version", "allocator", "cold", "touch", "cpus", "durability_given", "filesystem",
	"memory_limit_kb", "malloc_arenas", "compression", "cache_bytes", "write_buffer_bytes", "engine_options"];
# A row without what are no settings: what was left in memory, and the room for readers that a lock file happens to have. A
# row that says nothing of clients is of one.
def settled: .clients |= (. // 1) | .cold |= (. // "none" | sub(", but .*"; "")) | .engine_options |= (. // "none" | sub(" maxreaders=[0-9]+"; ""));

# Rows whose label says in what settings they differ from others of the same benchmark, label and threads: null+batch_size=10.
# Of engine_options it has the words that they do not share, and only if nothing else tells the rows apart.
def told_apart: [map(settled) | group_by(.benchmark, .label, .threads)[] | . as $rows |
	(settings | map(select(. as $c | $rows | map(.[$c]) | unique | length > 1))) as $all | ($all - ["engine_options"]) as $differ |
	def kinds($columns): map([.[$columns[]]]) | unique | length;
	(kinds($all) > kinds($differ)) as $more |
	reduce .[] as $row (.[0].engine_options / " "; . - (. - ($row.engine_options / " "))) | . as $shared |
	$rows[] | .label += ([($differ[] as $c | "\($c)=\(.[$c] // "none")"), (select($more) | (.engine_options / " ") - $shared | .[])] |
		map("+" + gsub("[^A-Za-z0-9_=.-]+"; "_") | sub("_$"; "")) | join(""))];

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
