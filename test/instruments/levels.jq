# levels.jq: a row's write amplification at each level against what the instrument saw of that
# level; a line for each that differs. What was handed to write calls was counted at those
# calls; the kernel's wchar is another witness of it.

def outside($row; $what; $range):
	if $row[$what] != null and $row[$what] >= $range[0] and $row[$what] <= $range[1] then empty
	else "\($row.engine) \($what): \($row[$what]) is not within \($range)" end;
def near: [.[0] * 0.99, .[1] * 1.01];

.row as $row | .seen as $seen | ($row.writes * ($row.key_size + $row.value_size)) as $records |
# What is changed through a map, or sent by io_submit, is not handed to write calls: unknown.
($row | .engine == "kyoto" or (.engine == "tkrzw" and .durability != "sync")) as $mapped |
(if $mapped or $row.engine == "aio"
then $row.write_amp | values | "\($row.engine) write_amp: \(.), where nobody knows"
else outside($row; "write_amp"; $seen.handed | map(. / $records) | near) end),
# Who has finished wakes the main thread by a byte, which the kernel counts before the instrument.
outside($row; "io_wchar_bytes"; $seen.handed | near | .[1] += $row.threads),
outside($row; "host_write_amp";
	$seen.device_write_bytes | map(. / $records) | [.[0] - 0.0001, .[1] + 0.0001]),
# Where the kernel has charged more than the pages that each of some eight writes to a commit
# touches, it has charged folios.
(select($mapped | not) |
	select($seen.write_bytes[0] > 2 * $seen.handed[1] + 8 * 4096 * $row.commits + 4194304) |
	$row.fs_out_per_write | values |
	"\($row.engine) fs_out_per_write: \(.), of \($seen.write_bytes[0]) bytes charged for \($seen.handed[1])")
