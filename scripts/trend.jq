# trend.jq: the trend of a metric over passes: Theil and Sen's slope, with Kendall's interval; for jq -L scripts.

include "rows";

# of points [x, y]: {n, start, slope, low, high}: start is the line at x = 0. The interval is at z standard
# deviations of Kendall's S; low and high are null where so few points have none.
def trend($z): . as $p | length as $n
	| [range($n) as $i | range($i + 1; $n) as $j | select($p[$i][0] != $p[$j][0]) | ($p[$j][1] - $p[$i][1]) / ($p[$j][0] - $p[$i][0])]
	| sort | . as $slopes | length as $count | median as $slope
	| ($z * ($n * ($n - 1) * (2 * $n + 5) / 18 | sqrt)) as $c
	| (($count - $c) / 2 | floor) as $below
	| {n: $n, $slope, start: (if $slope == null then null else ($p | map(.[1] - $slope * .[0]) | median) end),
		low: (if $below < 1 then null else $slopes[$below - 1] end),
		high: (if $below < 1 then null else $slopes[$count - $below] end)};

# 5 % over seven metrics (Bonferroni): 0.05 / 7, two-sided
def family: 2.69;

# grows, falls, or nothing that chance does not do
def verdict: if .low == null then "too few passes" elif .low > 0 then "grows" elif .high < 0 then "falls" else "-" end;
