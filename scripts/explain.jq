# explain.jq: which functions make the difference of two groups of profiled runs; for explain.sh.

include "rows";
include "numbers";
include "compare";
include "paired";

# From [{side, row}, ...] a line for each profile: the number of its pair, its side, its file without what it ends with, operations;
# and as the last line the pairs.
def profiles($by; $allow): paired($by; $allow) |
	(to_entries[] | .key as $pair | .value | ("old", "new") as $side | .[$side][] | "\($pair)\t\($side)\t\(.profile)\t\(.ops)"),
	(map({name, benchmark: .old[0].benchmark, threads: .old[0].threads}) | "pairs\t\(tojson)");

# The lines of build/stats for the functions of all pairs, as objects.
def explained($pairs): split("\t") as $cells | ($cells[0] / ";") as [$pair, $function, $library, $caller, $errors] | figures as $f |
	$pairs[$pair | tonumber] + {function: $function, library: $library, caller: $caller, sampling_errors: ($errors | tonumber), old_runs: $f[0], old_us_per_op: $f[2], new_runs: $f[6],
		new_us_per_op: $f[8], difference: $f[21], low: $f[22], high: $f[23], p: $f[24], p_corrected: $f[25]} |
	.differs = (.function != "" and .p_corrected != null and .p_corrected < 0.05 and (.sampling_errors | fabs) >= 4);

def signed: (if . > 0 then "+" else "" end) + (if . == 0 then "0" else (. * 1e4 | round / 1e4 | tostring) end);
def us: . * 1e4 | round / 1e4 | tostring;

# For readers, one benchmark after another: how its CPU time changed, and because of which functions.
def told: group_by(.name)[] |
	(map(select(.function == ""))[0]) as $all | map(select(.function != "")) as $functions |
	($functions | map(select(.differs)) | sort_by(-(.difference | fabs))) as $named |
	"", "\($all.name): \($all.old_us_per_op | us) -> \($all.new_us_per_op | us) us of CPU per operation in \($all.old_runs)+\($all.new_runs) profiles" +
		(if $all.low == null then "" else ", \($all.difference | signed) (\($all.low | signed) to \($all.high | signed))" end),
	(if $all.low == null then "no intervals: they need two or more profiles of each side; repeat the runs (--repeat)"
	elif $named == [] then "no function differs beyond chance, of \(count($functions | length; "function"))"
	else ([["us/op", "95 % interval", "old", "new", "p", "function", "library", "called by"],
		($named[] | [(.difference | signed), "\(.low | signed) to \(.high | signed)", (.old_us_per_op | us), (.new_us_per_op | us),
			(.p_corrected | p_text), .function[:60], .library, .caller[:60]])] | aligned(.column >= 5)),
		"these differ beyond chance, of \(count($functions | length; "function"))" end);

# And how it was found.
def method: "", "us/op: CPU time in the function itself, without its callees; p: Welch's t test, corrected by Holm's method for all functions.",
	"A difference beyond chance also exceeds four standard errors of the sampling, as a few samples can agree in all runs.",
	"Functions with less than half a percent of the CPU time on both sides are left out.";
