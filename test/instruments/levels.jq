# levels.jq: a row's write amplification at each level against what the instrument saw of that level; a line for each that differs.

def outside($row; $what; $range):
	if $row[$what] != null and $row[$what] >= $range[0] and $row[$what] <= $range[1] then empty
	else "\($row.engine) \($what): \($row[$what]) is not within \($range)" end;

.row as $row | .seen as $seen | ($row.writes * ($row.key_size + $row.value_size)) as $records |
# To write calls; Kyoto Cabinet and LMDB with a writable map write to memory as well.
outside($row; "write_amp"; $seen.handed | map(. / $records) | [.[0] * 0.99, if $row.engine == "kyoto" then infinite else .[1] * 1.01 end]),
outside($row; "device_write_amp"; $seen.device_write_bytes | map(. / $records) | [.[0] * 0.9999 - 0.0001, .[1] * 1.0001 + 0.0001])
