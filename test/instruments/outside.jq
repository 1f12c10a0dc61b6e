# outside.jq: {row, seen, watched}: CPU time and memory of a row against what another
# process saw of it from outside (watched, samples in order). What was used between two moments
# is at least what was between the samples within them; at most it is what was between those
# around, where of the last stretch a thread may have had all.

def used($samples; $from; $to; f):
	[$samples[] | select(.before >= $from and .after <= $to)] as $within |
	[$samples[] | select(.after < $from)][-1] as $before |
	([$samples[] | select(.before > $to)][0] // $samples[-1]) as $after |
	if $within | length < 2 then error("too few looks from outside") else . end |
	[($within | last | f) - ($within | first | f),
	 ($within | last | f) + ($after.cpu_ns - ($within | last | .cpu_ns)) -
		(if $before then $before | f else 0 end)] |
	map(. / 1e9);

# Memory stands still while sessions read what is there: the last of it before the last call ended.
def lately($samples; $to; f):
	[$samples[] | select(.after <= $to) | f][-4:] | [min, max];

# 1 % and a little, of seconds or KiB
def near($little): [.[0] * 0.99 - $little, .[1] * 1.01 + $little];

.row as $row | .watched as $all | (.seen.tids | map(tostring)) as $tids |
.seen.from_ns as $from | .seen.to_ns as $to | .seen.last_ns as $last |
[
	["user_s + sys_s", $row.user_s + $row.sys_s, (used($all; $from; $to; .cpu_ns) | near(0.002))],
	["fg_cpu_s", $row.fg_cpu_s, (used($all; $from; $to; [.threads[$tids[]] // 0] | add) | near(0.002))],
	["bg_cpu_s", $row.bg_cpu_s, (used($all; $from; $to; "\(.pid)" as $main | [.threads | to_entries[] |
		select(.key != $main and (.key | IN($tids[]) | not)) | .value] | add // 0) | near(0.002))],
	["rss_kb", $row.rss_kb, (lately($all; $last; .VmRSS) | near(512))],
	["rss_anon_kb", $row.rss_anon_kb, (lately($all; $last; .RssAnon) | near(512))],
	["rss_file_kb", $row.rss_file_kb, (lately($all; $last; .RssFile) | near(512))],
	["peak_rss_kb", $row.peak_rss_kb,
		([$all[] | select(.before >= $from and .after <= $to) | .VmRSS] | [max, max] | near(512))]
][] | select(.[1] == null or .[1] < .[2][0] or .[1] > .[2][1]) |
	"\($row.engine) \(.[0]): \(.[1]) is not within \(.[2])"
