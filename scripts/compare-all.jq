# compare-all.jq: every number of two groups of rows, and which of them differ beyond chance; for compare.sh --all.

include "rows";
include "numbers";
include "compare";
include "paired";

# Numbers that are no results.
def given: setup + conditions + circumstances + subject + ["valid", "repetition", "iteration", "epoch", "seed", "clients", "ops_planned"];

# The names of the pairs, and samples of all columns that vary, for build/stats.
def all_samples($by; $allow): paired($by; $allow) | (map(.name) | "pairs\t\(tojson)"),
	(to_entries[] | .key as $pair | .value as $v |
		(($v.old + $v.new | map(to_entries[] | select(.value | type == "number").key) | unique) - given)[] as $column |
		[$v.old, $v.new | map(.[$column] | numbers)] | select((add | unique | length > 1) and all(.[]; length > 1)) |
		"\($pair);\($column)\t\(.[0] | join(" "))\t\(.[1] | join(" "))");

# A line of build/stats as an object; differs: its p, corrected by Benjamini and Hochberg's method, is below 0.05.
def one($pairs): split("\t") as $cells | ($cells[0] / ";") as [$pair, $column] | figures as $f |
	{name: $pairs[$pair | tonumber], column: $column, old_runs: $f[0], old_mean: $f[2], new_runs: $f[6], new_mean: $f[8],
		difference: $f[21], low: $f[22], high: $f[23], p: $f[24], p_corrected: $f[26],
		effect: (if $f[2] == 0 or $f[8] / $f[2] <= 0 then null else $f[8] / $f[2] | log | fabs end)} |
	.differs = (.p_corrected != null and .p_corrected < 0.05) |
	.verdict = (direction($column) as $d | if (.differs | not) or $d == null then null
		elif (.difference > 0) == $d.more then $d.words[0] else $d.words[1] end);

def change: . * 1000 | round / 10 | if . > 0 then "+\(.) %" else "\(.) %" end;

# For readers: what differs, the largest ratio first; without a ratio, as one side is 0, before them.
def all_text: group_by(.name)[] | (map(select(.differs)) | sort_by(if .effect then -.effect else -1e9 end)) as $differ |
	"", "\(.[0].name): \($differ | length) of \(count(length; "column")) that vary differ beyond chance (\(.[0].old_runs)+\(.[0].new_runs) runs)",
	(if $differ == [] then empty else [["column", "old", "new", "change", "95 % interval", "p", ""], ($differ[] | .old_mean as $old |
		[.column, (.old_mean | three), (.new_mean | three),
			(if $old == 0 then "-" else .difference / $old | change end),
			(if $old == 0 then "-" else "\([.low, .high] | map(. / $old) | sort | map(change) | join(" to "))" end),
			(.p_corrected | p_text), (.verdict // "")])] | aligned end);
def all_method: "", "old, new: means; change: of the mean, by Welch's t test; p: corrected by Benjamini and Hochberg's method for all columns, so that",
	"about 5 % of the columns named differ by chance.";
