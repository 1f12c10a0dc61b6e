# capacity.jq: from the runs of a ladder to the highest rate that keeps a limit; for capacity.sh.

include "numbers";
include "rows";

# Lines of ladder.tsv, without the header, of one engine. A run that did not keep the limit for another reason than its p99
# has none.
def ladder($engine; $limit): [inputs / "\t" | select(.[0] == $engine) | {rate: .[1] | tonumber, kept: (.[7] == "1"),
	p99: (.[5] | tonumber? // infinite), broke: .[8], round: (.[11] | tonumber)} |
	if .kept or .p99 > $limit then . else .p99 = infinite end];

# The rates in their order, with their runs: how many kept the limit, and the median p99.
def rates: group_by(.rate) | map({rate: .[0].rate, n: length, kept: (map(select(.kept)) | length),
	p99: (map(.p99) | median)});

# Lines of ladder.tsv as a table with a line for each rate, of the medians of its runs.
def ladder_table: def median_of($column): map(.[$column] | tonumber?) | median;
	["engine", "offered/s", "done/s", "p50 resp", "p99 call", "p99 resp", "behind", "kept"],
	([inputs / "\t"][1:] | group_by(.[0], (.[1] | tonumber))[] | [.[0][0], (.[0][1] | tonumber | round), (median_of(2) | round),
		(median_of(3, 4, 5) | time), median_of(6), "\(map(select(.[7] == "1")) | length) of \(length)"]) | @tsv;

# Rates that kept the limit in no run, or clearly below in less than half of them, below one that kept it in all: a saw, from
# which nothing follows.
def saw: (map(select(.n > 1 and .kept == .n).rate) | max) as $top |
	map(select(.n > 1 and $top != null and (.kept == 0 and .rate < $top or 2 * .kept < .n and .rate < 0.92 * $top)).rate) |
	select(. != []) | {below: ., top: $top};

# The medians as a function that does not fall (pooled adjacent violators), as logarithms, up to four times the limit:
# above it, how late operations are tells how long the run was.
def rising($limit): map(.y = ([.p99, 4 * $limit] | min | log)) | reduce .[] as $r ([]; . + [{rates: [$r.rate], y: $r.y, n: $r.n}] |
	until(length < 2 or .[-2].y <= .[-1].y;
		.[:-2] + [.[-2:] | {rates: (map(.rates) | add), y: ((map(.y * .n) | add) / (map(.n) | add)), n: (map(.n) | add)}])) |
	map(.y as $y | .rates[] | {rate: ., y: $y});

# Where it crosses the limit: {rate, low, high}, interpolated between two rates that were tried; or {all: true}, {none: true}.
def crossing($limit): rising($limit) as $f | ($limit | log) as $l | ($f | map(select(.y <= $l)) | length) as $i |
	if $i == 0 then {none: true} elif $i == ($f | length) then {all: true, rate: $f[-1].rate}
	else $f[$i - 1] as $a | $f[$i] as $b | {low: $a.rate, high: $b.rate,
		rate: ($a.rate * (($b.rate / $a.rate | log) * ($l - $a.y) / ($b.y - $a.y) | exp) | floor)} end;

# Runs that did not keep the limit at rates clearly below that one.
def failures($rate): map(select(.rate < 0.9 * $rate)) | {of: (map(.n) | add), at: map(select(.kept < .n).rate), failed: (map(.n - .kept) | add)};

def list: map(tostring) | join(", ");

# What follows from a ladder: {found, low, high, note} or {reason}. The curve is that of the rounds, because the search
# repeats only the runs that failed.
def verdict($limit; $text): rates as $r | ($r | [saw][0]) as $saw | (map(select(.round > 0)) | rates | crossing($limit)) as $c |
	if $saw then {reason: "not decided: \($saw.below | list) operations a second exceeded a p99 of \($text), and the higher rate \($saw.top) did not; repeat it on an idle machine"}
	elif $c.none then {none: true} elif $c.all then {all: true}
	else ($r | failures($c.rate)) as $f |
		if ($f.failed // 0) * 5 > ($f.of // 0) then {reason: "not decided: of \($f.of) runs clearly below \($c.rate) a second \($f.failed) exceeded a p99 of \($text) (at \($f.at | list)); the cause is not the rate, but noise or background work"}
		else {found: $c.rate, low: $c.low, high: $c.high, note: (if ($f.failed // 0) > 0
			then "though \($f.failed) of \($f.of) runs below did not (at \($f.at | list))" else null end)} end end;

# In which kind of operation the runs that broke the limit did so most often, and how: those up to the rate $high, if there is
# one, as far above it only the rate is missed.
def broken($high): map(select((.kept | not) and ($high == null or .rate <= $high)) | .broke | select(. != "")) | group_by(.) | max_by(length) |
	if . == null then null else .[0] end;
