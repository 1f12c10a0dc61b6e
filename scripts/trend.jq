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

# of one slope for each pass: their median; low and high are those between which the median of all passes lies,
# by the sign test at z standard deviations; null below eight passes
def trend_of_slopes($z): sort | . as $slopes | length as $n
	| ([($n - $z * ($n | sqrt)) / 2 | floor, 0] | max) as $below
	| {$n, slope: median, low: (if $n < 8 then null else $slopes[$below] end),
		high: (if $n < 8 then null else $slopes[$n - 1 - $below] end)};

# 5 % over eight metrics (Bonferroni): 0.05 / 8, two-sided
def family: 2.73;

# grows, falls, or nothing that chance does not do
def verdict: if .low == null then "too few passes" elif .low > 0 then "grows" elif .high < 0 then "falls" else "-" end;
