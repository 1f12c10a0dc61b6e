# voron-2013.jq: the claims of Ayende Rahien's article on Voron's performance of 2013;
# see claims.jq. They are of Voron, there and here: no other engine answers them.

include "claims";

def C1: 0.2 as $tolerance | claim({shape: "N", $tolerance,
	rule: "voron, fastest at most \($tolerance | percent) above the slowest",
	text: ("Filling in one transaction takes as long without a sync, handed " +
		"to the system, or synced to the disk")};
	([("none", "async", "sync") as $d | {key: $d, value:
		get("fill"; "voron"; .durability == $d; .whole_ops_per_sec)}] |
			from_entries) as $r |
	answer(($r | (map(.) | max) / (map(.) | min)) <= 1 + $tolerance;
		"voron: none \($r.none | show), async \($r.async | show), sync " +
		"\($r.sync | show)/s, apart by \($r | (map(.) | max) / (map(.) | min) | show)"));

def C3: 0.1 as $tolerance | claim({shape: "N", $tolerance,
	rule: ("voron, at least \(statement("C3") * (1 - $tolerance) | to(2)) x one part and " +
		"one reader of all"),
	text: "Reading in two parts, on two cores, is twice as fast"};
	get("parallel"; "voron"; .parts == 2 and .warm == 0; .whole_ops_per_sec) as $two |
	[(["read", "reading whole"], ["parallel", "one part"]) as [$than, $called] |
		get($than; "voron"; .warm == 0 and (.parts // 1) == 1; .whole_ops_per_sec) as $one |
		{name: "over \($called)", value: ($two / $one)}] |
	answer(all(.[]; .value >= statement("C3") * (1 - $tolerance));
		"voron, from a cold cache: \(listed)"));

def C4: 0.15 as $tolerance | claim({shape: "S", $tolerance,
	rule: "voron, 4 parts below 2, 8 and 16 within \($tolerance | percent) of 4",
	text: "From a cold cache four parts are slower than two, and more parts change little"};
	def voron_rate($parts):
		get("parallel"; "voron"; .parts == $parts and .warm == 0; .whole_ops_per_sec);
	voron_rate(4) as $four |
	def voron_near($rate): $rate / $four - 1 | fabs <= $tolerance;
	answer($four < voron_rate(2) and voron_near(voron_rate(8)) and voron_near(voron_rate(16));
		"voron, " + ([(2, 4, 8, 16) as $p |
			{name: "\($p) parts", value: voron_rate($p)}] | listed)));

def C7: 0.2 as $tolerance | claim({shape: "O", where: "ours", $tolerance,
	rule: "voron, at most \($tolerance | percent) of the time",
	text: "That opening and closing are in the times does not matter",
	reason: "its program does not time them apart"};
	[("fill", "read", "parallel") as $x | [rows($x; "voron")] |
		group_by([.durability, .warm, .parts]) |
		{name: $x, value: (map(map(1 - .whole_ops_per_sec / .ops_per_sec) | median * 100) |
			max // lacking("a row of voron in \($x)"))}] |
	answer(all(.[]; .value <= $tolerance * 100);
		"voron, per cent of the time that opening and closing take at most: \(listed)"));

def C8: found("C.key"; {
	rule: "voron's program, as printed",
	text: "Its keys are of 8 bytes",
	reason: "it is about its own program; ours has the 16 of that"});

def C9: 2 as $least | claim({shape: "X", where: "ours",
	rule: ("voron, without a sync at least \($least) x synced with a transaction for each " +
		"record, and below that with one for all"),
	text: "That a sync costs little is for the one transaction",
	reason: "it has no fill in several transactions"};
	def voron_unsynced($x): get($x; "voron"; .durability == "none"; .whole_ops_per_sec) /
		get($x; "voron"; .durability == "sync"; .whole_ops_per_sec);
	voron_unsynced("fill-single") as $each | voron_unsynced("fill") as $all |
	answer($each >= $least and $all < $least;
		"voron, without a sync over synced: in one transaction \($all | show), " +
		"with one for each record \($each | show)"));
