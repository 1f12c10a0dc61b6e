# verdicts.jq: what claims.sh makes of the answers of a claim: a verdict for each side.

($given | map(.document) | unique) as $documents |
# Of a run on a busy machine only counts and sizes tell.
([$given[] | select(.steal_percent > 3)] | length) as $taken | ($taken > 0.05 * ($given | length)) as $busy |
def word: if . == null then "open" elif . then "holds" else "fails" end;

# A part of an answer, here with what it is on all rows and what in each round.
def published_part: {name, verdict: (.holds | word)} +
	if .holds == null then {numbers: null, reason: (.numbers // "its expression gives no answer")} else {numbers, reason: null} end;
# Where a claim is no matter of counts, rows count that were measured while the hypervisor took at most 3 % of the CPU.
def our_part($claim; $rounds; $all): . as $part |
	[$rounds | to_entries[] | {round: (.key + 1), holds: (.value[] | select(.name == $part.name) | .holds)}] as $tried |
	($tried | map(select(.holds != null))) as $each |
	{name, rounds: ($each | length)} + (
	def open($why): {verdict: "open", numbers: $part.numbers, reason: $why};
	if .holds == null then
		if $all.holds != null then {verdict: "open", numbers: $all.numbers, reason: "it rests on rows that were measured while the hypervisor took more than 3 % of the CPU"}
		else open(.numbers // "its expression gives no answer") | .numbers = null end
	elif $busy and $claim.counts != true then
		open("of the run's \($given | length) rows \($taken) were measured while the hypervisor took more than 3 % of the CPU")
	elif $scale == "small" then open("at scale small no figure decides anything")
	elif $claim.shape == "O" and ($each | length) < 3 then
		open(if $claim.counts != true and $all.rounds > ($each | length) then
			"an order needs three rounds, and in \($all.rounds - ($each | length)) of \($all.rounds) the hypervisor took more than 3 % of the CPU"
			else "an order needs three rounds, and here are \($each | length)" end)
	elif 2 * ($each | length) <= ($tried | length) and ($tried | length) > 1 then
		open("\($tried | length - ($each | length)) of \($tried | length) rounds cannot tell")
	elif ($each | length) > 1 and ($each | map(.holds) | unique) != [$part.holds] then
		open("the rounds differ: it holds in \($each | map(select(.holds)) | length) of \($each | length) rounds")
	else {verdict: (.holds | word), numbers, reason: null} end);

# Of several parts the first decides, or all of them.
def verdict($rule): . as $parts |
	([.[] | select(.verdict != "open") | .verdict] | unique) as $found |
	(if $rule == "first" then .[0].verdict elif $found == [] then "open"
		elif ($found | length) > 1 then "depends" else $found[0] end) as $verdict |
	def told: (if .name then "\(.name): " else "" end) +
		(if (.name and .verdict != $verdict) or .verdict == "open" then {holds: "holds", fails: "does not hold", open: "undecided"}[.verdict] + ", " else "" end) +
		([.numbers, .reason] | map(select(. != null and . != "")) | join("; "));
	{verdict: $verdict, rounds: (map(.rounds // empty) | min), parts: $parts} +
	if $verdict == "open" then
		{numbers: .[0].numbers, reason: (if $rule == "first" then .[0].reason else group_by(.reason) |
			map((map(.name | values) | join(", ")) as $names | (if $names == "" then "" else $names + ": " end) + .[0].reason) | join("; ") end)}
	else {numbers: (map(told) | join("; ")), reason: null} end;

def side($claim; $side): ($claim.reason // (if $side == "ours" then "it is about the published figures" else "no figure is printed that decides it" end)) as $why |
	if ["both", $side] | index($claim.where) then
		if $side == "published" then [$published[0].all[] | select(.id == $claim.id)][0].answer | .rule as $rule | .parts | map(published_part) | verdict($rule)
		else (if $claim.counts == true then "all" else "quiet" end) as $rows |
			def of: [.[] | select(.id == $claim.id)][0].answer;
			($ours[0][$rows] | of) as $answer | ($ours[0].all | of) as $all |
			[$ours[0].rounds[] | .[$rows] | of | .parts] as $rounds | [$ours[0].rounds[].all | of | .parts] as $every |
			# a part that only rows of a busy time have
			(if ($answer.parts | map(.name)) == ($all.parts | map(.name)) then $answer else
				$all | .parts |= map(.name as $n | ([$answer.parts[] | select(.name == $n)][0]) // {name, holds: null, numbers: null}) end) |
			.rule as $rule | .parts | map(.name as $n | ([$all.parts[] | select(.name == $n)][0] // {}) as $a |
				($a + {rounds: ([$every[][] | select(.name == $n and .holds != null)] | length)}) as $a |
				our_part($claim; $rounds; $a)) | verdict($rule)
		end
	else {verdict: "open", numbers: null, reason: $why, parts: []} end;

$claims[] | . as $claim |
select($mode != "ours" or $document != "" or (.document | IN($documents[]))) |
{id, document, kind, place, text, rule, tolerance, published: side($claim; "published")} +
if $mode == "ours" then {ours: side($claim; "ours")} else {} end
