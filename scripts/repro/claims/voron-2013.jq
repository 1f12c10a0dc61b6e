# voron-2013.jq: the claims of Ayende Rahien's article on Voron's performance of 2013;
# see claims.jq.

include "claims";
include "numbers";
include "rows";

# whose rows these are: there its own, here those of its model
def subject: if any(rows; .engine == "voron") then "voron" else "lmdb" end;

def alike($experiment; $tolerance): subject as $e |
	([("none", "async", "sync") as $d |
			{key: $d,
				value: get($experiment; $e; .durability == $d;
				.whole_ops_per_sec)}] | from_entries) as $r |
	answer(($r | (map(.) | max) / (map(.) | min)) <= 1 + $tolerance;
		"\($e): none \($r.none | show), async \($r.async | show), sync " +
		"\($r.sync | show)/s, apart by \($r | (map(.) | max) / (map(.) | min) | show)");

def C1: 0.2 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: ("Filling in one transaction takes as long without a sync, handed " +
		"to the system, or synced to the disk")};
	if any(rows; .experiment == "fill-long") then
		. as $all | [{name: "as many records as there", experiment: "fill"},
			{name: "ten times as many", experiment: "fill-long"} |
			.experiment as $x | {name} + ($all | alike($x; $tolerance))] | together
	else
		alike("fill"; $tolerance)
	end);

def C2: 0.5 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: "Reading in key order is about three times as fast as filling"};
	subject as $e |
	get("fill"; $e; .durability == "none"; .whole_ops_per_sec) as $fill |
	get("read"; $e; .warm == 0; .whole_ops_per_sec) as $read |
	answer($read / $fill | . >= 3 / (1 + $tolerance) and . <= 3 * (1 + $tolerance);
		"\($e): reads \($read | show)/s over fills \($fill | show)/s is " +
		"\($read / $fill | show)"));

def C3: 0.1 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: "Reading in two parts, on two cores, is twice as fast, from whatever cache"};
	subject as $e |
	[(0, 1) as $warm |
		get("parallel"; $e; .parts == 2 and .warm == $warm; .whole_ops_per_sec) as $two |
		("read", "parallel") as $than |
		get($than; $e; .warm == $warm and (.parts // 1) == 1; .whole_ops_per_sec) as $one |
		{text: "\(["cold", "warm"][$warm]) \($two / $one | show) of \({read: "reading whole", parallel: "one part"}[$than])",
			ratio: ($two / $one)}] |
	answer(all(.[]; .ratio >= statement("C3") * (1 - $tolerance));
		"\($e): " + (map(.text) | join(", "))));

def C4: 0.15 as $tolerance | claim({kind: "S", where: "both", $tolerance,
	text: ("From a cold cache four parts are slower than two and more parts " +
		"change little; from a warm one four are faster and more change " +
		"little")};
	subject as $e |
	def r($warm; $parts): get("parallel"; $e; .parts == $parts and .warm == $warm;
		.whole_ops_per_sec); def near(a; b): a / b - 1 |
	fabs <= $tolerance;
	answer(r(0; 4) < r(0; 2) and near(r(0; 8); r(0; 4)) and
			near(r(0; 16); r(0; 4)) and r(1; 4) > r(1; 2) and
			near(r(1; 8); r(1; 4)) and near(r(1; 16); r(1; 4)); . as $all |
		"\($e), 2 4 8 16 parts: " +
			([(0, 1) as $warm |
				"\(["cold", "warm"][$warm]) " +
				([(2, 4, 8, 16) as $p | $all | r($warm; $p) | show] |
				join(" "))] | join(", "))));

def C5: claim({kind: "O", where: "both", tolerance: 0,
	text: "Each reading is faster from a warm cache than from a cold one"};
	subject as $e | . as $all |
	[("read", "parallel") as $x | ([$all | rows($x; $e) | .parts] | unique[]) as $p |
		{what: (if $p == null then "whole" else "\($p) parts" end),
				ratio: (($all |
				get($x; $e; .warm == 1 and .parts == $p;
				.whole_ops_per_sec)) / ($all |
				get($x; $e; .warm == 0 and .parts == $p;
				.whole_ops_per_sec)))}] |
	answer(length > 0 and all(.[]; .ratio > 1);
		"\($e), warm over cold: " +
			(map("\(.what) \(.ratio | show)") | join(", "))));

def C6: 0.15 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: ("From a cold cache one part is read about a third faster than the " +
		"same reading whole")};
	subject as $e |
	(get("parallel"; $e; .parts == 1 and .warm == 0; .whole_ops_per_sec) / get("read";
			$e; .warm == 0; .whole_ops_per_sec)) as $r |
	(get("parallel"; $e; .parts == 1 and .warm == 1; .whole_ops_per_sec) / get("read";
			$e; .warm == 1; .whole_ops_per_sec)) as $w |
	([rows("parallel-default"; $e; .parts == 1 and .warm == 0) | .whole_ops_per_sec] |
		if length > 0 then median else null end) as $good |
	answer($r >= 1.31 * (1 - $tolerance);
		"\($e): cold \($r | show), warm \($w | show)" +
			(if $good then
				"; with each part reading its own keys, cold " +
				"\($good / get("read"; $e; .warm == 0; .whole_ops_per_sec) | show)" else
			"; the one part reads key 0 again and again" end)));

def C7: 0.2 as $tolerance | claim({kind: "O", where: "ours", $tolerance,
	text: "That opening and closing are in the times does not matter",
	reason: "its program does not time them apart"};
	subject as $e |
	[("fill", "read", "parallel") as $x |
		[rows($x; $e) | 1 - .whole_ops_per_sec / .ops_per_sec] |
		{x: $x, share: max}] |
	answer(all(.[]; .share <= $tolerance);
		"\($e), the most that opening and closing take of the time: " +
			(map("\(.x) \(.share * 100 | show) %") | join(", "))));

def C8: claim({kind: "I", where: "published",
	text: "Its keys are of 8 bytes",
	reason: "it is about its own program; ours has the 16 of that"};
	finding("C.key"));
