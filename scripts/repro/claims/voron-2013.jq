# voron-2013.jq: the claims of Ayende Rahien's article on Voron's performance of 2013;
# see claims.jq.

include "claims";

# whose rows these are: there its own, here those of its model
def voron_subject: if any(rows; .engine == "voron") then "voron" else "lmdb" end;

# Rows of five seconds and more decide, where there are any; as many records as there stand beside
# them.
def voron_lengths(decided): if any(.rows[]; .experiment == "read-long") | not then decided else
	. as $all |
		[{name: "with so many records that it takes seconds", rows: [.rows[] |
			select(.experiment | endswith("-long")) |
				.experiment |= rtrimstr("-long")]},
		{name: "as many records as there", rows: [.rows[] |
			select(.experiment | endswith("-long") | not)]}] |
	map(. as $line | {name} + ($line | try_to(decided))) | first_decides end;

def C1: 0.2 as $tolerance | claim({shape: "N", where: "both", $tolerance,
	rule: ("voron there, lmdb here; fastest at most \($tolerance * 100 | round) % above " +
		"the slowest"),
	text: ("Filling in one transaction takes as long without a sync, handed " +
		"to the system, or synced to the disk")};
	voron_lengths(voron_subject as $e |
	([("none", "async", "sync") as $d |
		{key: $d, value: get("fill"; $e; .durability == $d; .whole_ops_per_sec)}] |
			from_entries) as $r |
	answer(($r | (map(.) | max) / (map(.) | min)) <= 1 + $tolerance;
		"\($e): none \($r.none | show), async \($r.async | show), sync " +
		"\($r.sync | show)/s, apart by \($r | (map(.) | max) / (map(.) | min) | show)")));

def C3: 0.1 as $tolerance | claim({shape: "N", where: "both", $tolerance,
	rule: ("voron there, lmdb here; at least \(statement("C3") * (1 - $tolerance) | to(2)) " +
		"x one part and one reader of all"),
	text: "Reading in two parts, on two cores, is twice as fast"};
	voron_lengths(voron_subject as $e |
	get("parallel"; $e; .parts == 2 and .warm == 0; .whole_ops_per_sec) as $two |
	[(["read", "reading whole"], ["parallel", "one part"]) as [$than, $called] |
		get($than; $e; .warm == 0 and (.parts // 1) == 1; .whole_ops_per_sec) as $one |
		{name: "over \($called)", value: ($two / $one)}] |
	answer(all(.[]; .value >= statement("C3") * (1 - $tolerance));
		"\($e), from a cold cache: \(listed)")));

def C4: 0.15 as $tolerance | claim({shape: "S", where: "both", $tolerance,
	rule: ("voron there, lmdb here; 4 parts below 2, 8 and 16 within " +
		"\($tolerance * 100 | round) % of 4"),
	text: "From a cold cache four parts are slower than two, and more parts change little"};
	voron_lengths(voron_subject as $e |
	def voron_rate($parts):
		get("parallel"; $e; .parts == $parts and .warm == 0; .whole_ops_per_sec);
	voron_rate(4) as $four |
	def voron_near($rate): $rate / $four - 1 | fabs <= $tolerance;
	answer($four < voron_rate(2) and voron_near(voron_rate(8)) and voron_near(voron_rate(16));
		"\($e), " + ([(2, 4, 8, 16) as $p | {name: "\($p) parts", value: voron_rate($p)}] |
			listed))));

def C7: 0.2 as $tolerance | claim({shape: "O", where: "ours", $tolerance,
	rule: "lmdb, at most \($tolerance * 100 | round) % of the time",
	text: "That opening and closing are in the times does not matter",
	reason: "its program does not time them apart"};
	voron_lengths(voron_subject as $e |
	[("fill", "read", "parallel") as $x | [rows($x; $e)] |
		group_by([.durability, .warm, .parts]) |
		{name: $x, value: (map(map(1 - .whole_ops_per_sec / .ops_per_sec) | median * 100) |
			max)}] |
	answer(all(.[]; .value <= $tolerance * 100);
		"\($e), per cent of the time that opening and closing take at most: \(listed)")));

def C8: claim({shape: "I", where: "published",
	rule: "voron's program, as printed",
	text: "Its keys are of 8 bytes",
	reason: "it is about its own program; ours has the 16 of that"};
	finding("C.key"));
