# paired.jq: rows of two groups that belong together, as compare.jq pairs them; for explain.jq and compare-all.jq.

include "rows";
include "compare";

# From [{side, row}, ...] the pairs: name, and the valid rows of the old and the new side. $by and $allow are columns that may differ.
def paired($by; $allow): ($allow + [$by] | map(select(. != ""))) as $free |
	map(.row |= settled | select(.row.valid == 1)) as $valid |
	([$valid[] | {side, label: .row.label}] | unique) as $labels |
	(($by | IN("label", "engine")) or ($labels | length == 2 and .[0].side != .[1].side and .[0].label != .[1].label)) as $by_label |
	((setup - $free) + (if $by_label then [] else ["label"] - $free end)) as $key |
	[$valid | group_by(.row | [.[$key[]]])[] | {old: map(select(.side == "old").row), new: map(select(.side == "new").row)} |
		select(.old != [] and .new != [])] as $pairs |
	# what tells the pairs of one benchmark apart stands in their names
	([$key[] as $c | select($c | IN("benchmark", "threads") | not) |
		select(any($pairs | group_by(.old[0].benchmark)[]; map(.old[0][$c]) | unique | length > 1)) | $c]) as $varies |
	$pairs | map(.old[0] as $r | .name = "\($r.benchmark), \(count($r.threads; "thread"))" +
		([$varies[] as $c | if $c == "label" then ", \($r.label)" else ", \($c) \($r[$c] // "none")" end] | join("")));
