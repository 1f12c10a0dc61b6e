# compare.jq: two groups of rows, benchmark by benchmark; for compare.sh.
# pairs: what is to be compared, and what forbids it. lines: the samples for build/stats. report: what that came to.

include "rows";
include "numbers";

# Conditions must not differ between any two rows of a comparison, and these not on one side of it; between the sides they are
# what is compared.
def subject: ["label", "engine", "engine_version", "allocator", "engine_options", "compression", "cache_bytes", "write_buffer_bytes",
	"malloc_arenas", "commit", "build"];

# Programs of several commits are one subject if they have the same code and data; those of one commit with changes are
# several if they have not.
def subject_of: if (map(.program) | unique | length == 1 and .[0] != null) then subject - ["commit"]
	elif any(.commit // "" | endswith("-dirty")) then subject + ["program"] else subject end;

# "p99" is that of the reads, or of what there is instead; in an open loop that of the response time.
def of_latency($name): $name | test("^(min|mean|p[0-9]+|max)$");
def metric($name): if of_latency($name) then if paced then response_of($name) else latency_of($name) end else .[$name] end;
# What is compared of a row if nothing else is asked for: in an open loop the rate is that which was given.
def result($asked): if $asked != "" then $asked elif paced then "p99" else "ops_per_sec" end;
# Whether more of it is better, and what that and the contrary are called; null: that is not known.
def direction($name):
	if $name | test("_per_sec(_all_in)?$") then {more: true, words: ["faster", "slower"]}
	elif of_latency($name) or ($name | test("_(ns|us|ms|s|seconds|ns_per_op)$")) then {more: false, words: ["faster", "slower"]}
	elif $name | test("_amp(_|$)|_kb$|_bytes$|_per_(op|commit|write)$|^(faults|ctx)_") then {more: false, words: ["better", "worse"]}
	else null end;
# Why it cannot be compared, of a row.
def objection($name): if $name == "" then empty elif (of_latency($name) and has("read_\($name)_ns")) or has($name) then
	if direction($name) then empty else "cannot tell whether more \($name) is better; give a rate, a time, a size or a count per operation" end
	else "no column \($name); bench_NAME --columns lists them" end;

# Two runs differ in when they began or how long they took.
def began: "\(.time) \(.seconds) \(.label) \(.benchmark) \(.threads) \(.repetition)";
def count($n; $what): "\($n) \($what)\(if $n == 1 then "" else "s" end)";
# All values of a column, as a text.
def values($column): map(.[$column] // "none" | tostring) | unique | join(", ");

# pairs: from [{side, row}, ...] what there is to compare; $by and $allow are columns that may differ.
def pairs($metric; $by; $allow): ($allow + [$by] | map(select(. != ""))) as $free |
	map(.row |= settled | select(.row.valid == 1)) as $valid |
	def rows($side): map(select(.side == $side).row);
	def labels($side): [$valid | rows($side)[].label] | unique;
	# two directories of one configuration each are two configurations
	(($by | IN("label", "engine")) or (labels("old") != labels("new") and ([labels("old", "new") | length] == [1, 1]))) as $by_label |
	((setup - $free) + (if $by_label then [] else ["label"] - $free end)) as $key |
	[$valid | group_by(.row | [.[$key[]]])[] | {old: rows("old"), new: rows("new"), all: map(.row)}] |
	# what tells the comparisons of one benchmark apart stands in their names
	(map(.all[0]) | group_by(.benchmark) | [$key[] as $c | select($c | IN("benchmark", "threads") | not) |
		select(any(.[]; map(.[$c]) | unique | length > 1)) | $c]) as $varies |
	def name: .all[0] as $r | $r.benchmark + (if $key | index("threads") then ", " + count($r.threads; "thread") else "" end) + ([$varies[] as $c |
		if $c == "label" then ", \($r.label)" else ", \($c) \($r[$c] // "none")" end] | join(""));
	def without: (.all[0] | result($metric)) as $name | [.old, .new] | any(all(metric($name) == null));
	map(select((.old | length) > 0 and (.new | length) > 0)) as $both | (. - $both) as $alone |
	($both | map(.old[])) as $old | ($both | map(.new[])) as $new |
	{rows: ["old", "new"] | map(. as $side | $valid | rows($side) | length),
	 refused: ([$both[] | (.all | mixed(conditions - $free; "one comparison")), (.old | mixed(subject_of - $free; "the old side")),
		(.new | mixed(subject_of - $free; "the new side"))] | unique),
	 unpaired: [$alone[] | "only \(if (.old | length) > 0 then "old" else "new" end): \(name)"],
	 unlike: [$key[] as $c | [$alone[].old[]] as $o | [$alone[].new[]] as $n | select(($o | values($c)) != ($n | values($c))) |
		"\($c) is \($o | values($c)) in the old rows and \($n | values($c)) in the new"],
	 # of settings only those that differ
	 differ: [subject[] as $c | {column: $c, old: ($old | values($c)), new: ($new | values($c))} | select(.old != .new) |
		if $c == "engine_options" then (.old / " ") as $o | (.new / " ") as $n | .old = ($o - $n | join(" ")) | .new = ($n - $o | join(" ")) else . end],
	 # and what is to be known of both
	 warnings: ([["old", $old], ["new", $new] | .[0] as $side | .[1] | select(. != []) | (rate_missed, cautions) | "\($side): \(.)"] +
		[circumstances - $free | .[] as $c | [$old, $new | values($c)] | select(.[0] != .[1] or (.[0] | contains(", "))) |
			"\($c): \(.[0]) in the old rows, \(.[1]) in the new"] +
		[select(($metric | test("_per_sec")) and any(($old + $new)[]; paced)) | "\($metric) of an open loop is at most the rate that was given; --metric=p99 has the response time"] +
		[($old | map({key: began, value: true}) | from_entries) as $seen | [$new[] | select($seen[began])] | length | select(. > 0) | "\(count(.; "row")) on both sides"]),
	 without: [$both[] | select(without) | name],
	 comparisons: [$both[] | select(without | not) | (.all[0] | result($metric)) as $name | direction($name) as $direction |
		{name: name, benchmark: .all[0].benchmark, threads: .all[0].threads, metric: $name, response: (of_latency($name) and (.all[0] | paced)),
			better: (if $direction.more then "more" else "less" end), words: $direction.words,
			old: [.old[] | metric($name) // empty], new: [.new[] | metric($name) // empty]}]};

def lines: .comparisons | to_entries[] | "\(.key)\t\(.value.old | join(" "))\t\(.value.new | join(" "))";

# report: with the lines of build/stats, a verdict for each
def report($lines; $correction; $threshold): (.comparisons | length) as $n |
	($lines | map(figures)) as $figures |
	.metric = (.comparisons | map(.metric) | unique | join(", ")) | .better = (.comparisons | map(.better) | unique | join(", ")) | .correction = $correction | .threshold_percent = $threshold |
	.compared = $n |
	.comparisons = [range($n) as $i | $figures[$i] as $f | .comparisons[$i] |
		.old_runs = $f[0] | .old_median = $f[1] | .old_cv = $f[5] |
		.new_runs = $f[6] | .new_median = $f[7] | .new_cv = $f[11] |
		.ratio = $f[12] | .ratio_low = $f[13] | .ratio_high = $f[14] |
		.p = $f[15] | .p_method = $f[16] | .least_p = $f[17] |
		.p_corrected = (if $correction == "holm" then $f[20] else .p end) |
		.could_show = $f[18] | .could_show_t = $f[19] |
		.verdict = (if .p_corrected >= 0.05 or .ratio == null or (.ratio - 1 | fabs) * 100 < $threshold or .ratio == 1 then "no difference shown"
			elif (.ratio > 1) == (.better == "more") then .words[0] else .words[1] end) | del(.old, .new, .words)];

def worse: any(.comparisons[]; .verdict | IN("slower", "worse"));

# ---- for readers

def p_text: if . < 0.0001 then "<0.0001" else . * 10000 | round / 10000 | tostring end;
def ratio_text: if . == null then "-" else . * 1000 | round / 1000 | tostring end;
def figure($metric): if of_latency($metric) or ($metric | test("_ns$")) then time else short end;

# A table as rows of texts.
def cells: ["benchmark", "old", "new", "new/old", "95 % interval", "p", "runs", "CV", "could show", "verdict"],
	(.comparisons[] | .metric as $m | [.name, (.old_median | figure($m)), (.new_median | figure($m)), (.ratio | ratio_text),
		(if .ratio_low == null then "-" else "\(.ratio_low | ratio_text) to \(.ratio_high | ratio_text)" end),
		(.p_corrected | p_text), "\(.old_runs)+\(.new_runs)",
		(if .old_cv == null or .new_cv == null then "-" else "\(.old_cv | percent), \(.new_cv | percent)" end),
		(if .could_show == null then "-" else .could_show | percent end), .verdict]);

# What stands above it,
def above: "old: \(.names[0]), \(count(.rows[0]; "row"))", "new: \(.names[1]), \(count(.rows[1]; "row"))",
	(.differ[] | "\(.column): \(.old) -> \(.new)");

# and what one must know to read it.
def below($seed): (.warnings[] | "warning: \(.)"),
	"\(count(.compared; "benchmark")) compared by \([.comparisons[] | "\(.metric)\(if .response then " response time (open loop: the rate is given)" else "" end), of which \(
		.better) is better"] | unique | join(", or ")); invalid rows left out: \(.invalid[0]) old, \(.invalid[1]) new.",
	.unpaired[], (.without[] | "left out, as its rows lack the metric: \(.)"),
	"old, new: medians. Their ratio has a 95 % interval by the bootstrap (percentiles of 2000 draws, seed \($seed)).",
	"p: Mann and Whitney's, two-sided (\([.comparisons[].p_method] | unique | join(", "))), " + (if .correction == "holm" then
		"corrected by Holm's method for \(count(.compared; "comparison"))." else
		"NOT corrected for \(count(.compared; "comparison")): of 20 without a difference one is expected to show one." end),
	"verdict: there is a difference where p is below 0.05" + (if .threshold_percent > 0 then
		" and the ratio is \(.threshold_percent) % or more from 1." else "." end),
	"could show: the smallest difference of the means that this test finds 80 times in 100, with so many runs and this variance" +
		" (two-sided, 5 %, uncorrected)" + (if any(.comparisons[]; .could_show == null) then "; -: so few runs cannot show any." else "." end),
	"  It is computed by the noncentral t at the level that the ranks allow, divided by their efficiency 3/pi. In simulations with normal data it was found in" +
		" 77 of 100 with 4+4 runs, and in 79 or 80 with more. could_show_t of --format=json is that of Student's t test at 5 %, which is exact.",
	(.compared as $n | select(.correction == "holm") | [.comparisons[] | select(.least_p * $n > 0.05)] | select(length > 0) | max_by(.least_p) |
		"too few runs: with \(.old_runs)+\(.new_runs) p is \(.least_p | p_text) at least, and \([.least_p * $n, 1] | min | p_text) when it is corrected.");

def text($seed): above, "", ([cells] | aligned), "", below($seed);
def markdown($seed): (above | "- " + .), "", ([cells] | "| \(.[0] | join(" | ")) |", "|\(.[0] | map("---") | join("|"))|",
	(.[1:][] | "| \(map(gsub("[|]"; "\\|")) | join(" | ")) |")), "", below($seed);
