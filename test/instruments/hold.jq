# hold.jq: hold a row against what the instrument saw of the same benchmark, both in one object
# {row, seen}; a line for each column that is outside of what may be. Times may differ by 1 %
# from the sum of an operation's calls, or lie between that and all the time between the calls
# before and after; counts are exact.
# $slow: which calls were made slow, if any: at 1 ms and more the two times of the least
# disturbed operation must nearly be one, or nothing would be held. $device: whose counters were read.

def quantiles: ["min", "mean", "p50", "p90", "p95", "p99", "p999", "p9999", "max"];

# [column, at least, at most]
def exact($n): [$n, $n];
def near: [.[0] * 0.99, .[1] * 1.01];

# Who writes beside readers does so once before the figures begin.
def beside($row): $row.benchmark | test("while");

# A read-modify-write is one operation of two; so is a multi-get of many.
def operations($row; $seen):
	if $row.benchmark == "updaterandom" then $seen.write.ops
	elif $row.benchmark | test("^multi") then $row.reads
	elif beside($row) then $seen.read.ops
	else $seen.ops end;

def counts($row; $seen):
	["reads", exact(if $seen.calls.group > 0 then $row.batch_size * $seen.calls.group
		elif $row.benchmark | test("^multi") then $seen.calls.read else $seen.read.ops // 0 end)],
	["writes", exact(($seen.write.ops // 0) + if beside($row) then 1 else 0 end)],
	["scans", exact($seen.scan.ops // 0)],
	["ops", exact(operations($row; $seen))], ["valid", [1, 1]],
	(if $seen.calls.remove > 0 or beside($row) then empty
	elif $seen.calls.commit > 0 then ["commits", exact($seen.calls.commit)]
	elif $row.benchmark | test("batch") then empty
	else ["commits", exact($seen.calls.write)] end),
	# conflicts when the time is over are not counted
	(select($row.command | test("duration") | not) | ["conflicts", exact($seen.calls.lost)]),
	["fsyncs", exact($seen.fsyncs)], ["fdatasyncs", exact($seen.fdatasyncs)],
	["msyncs", exact($seen.msyncs)],
	["sync_file_ranges", exact($seen.sync_file_ranges)];

def times($row; $seen):
	("read", "write", "scan") as $kind |
	select($seen[$kind] and ($kind != "write" or (beside($row) | not))) | quantiles[] as $q |
	["\($kind)_\($q)_ns", ([$seen[$kind].low[$q], $seen[$kind].high[$q]] | near)];

def gap($row; $seen):
	select(beside($row) | not) | [$seen.read, $seen.write, $seen.scan | values] |
	["longest_stall_ms", ([(map(.low.max) | max) / 1e6, (map(.high.max) | max) / 1e6] | near)];

def levels($seen):
	["io_read_bytes", $seen.read_bytes], ["io_write_bytes", $seen.write_bytes],
	["io_wchar_bytes", $seen.wchar],
	(if $device != "" then
		("device_reads", "device_read_bytes", "device_writes", "device_write_bytes",
			"device_flushes") | [., $seen[.]]
	else empty end);

def outside($row; $what; $value; $range):
	if $value != null and $value >= $range[0] and $value <= $range[1] then empty
	else "\($row.engine) \($row.benchmark) \($what): \($value) is not within \($range)" end;

# Each second of the row's rates.
def seconds($row; $seen):
	# the commit of bench_aio is no call of its own
	select($seen.ops == $row.ops and ($row.engine == "aio" and $row.batch_size > 1 | not)) |
	($row.rates // "" | split(" ") | map(tonumber)) as $rates |
	(select(($rates | length) < ($row.seconds - 0.5 | floor)) |
		"\($row.engine): rates has \($rates | length) seconds of \($row.seconds)"),
	(range([$rates, $seen.seconds | length] | min) as $k |
		outside($row; "rate of second \($k + 1)"; $rates[$k]; $seen.seconds[$k] | near));

# Calls made slow leave the two times of an operation no room, where nobody came between.
def tight($row; $seen):
	("read", "write", "scan") as $kind |
	select(($slow | test("[0-9]{7}")) and $seen[$kind] and $seen.calls.next == 0) |
	select(beside($row) | not) |
	outside($row; "shortest \($kind) by its calls, against the time around them";
		$seen[$kind].low.min;
		[$seen[$kind].high.min * 0.95, $seen[$kind].high.min]);

.row as $row | .seen as $seen |
((counts($row; $seen), times($row; $seen), gap($row; $seen), levels($seen),
	(select(beside($row) | not) | ["seconds", ($seen.elapsed_ns | map(. / 1e9) | near)])
	) as [$column, $range] |
	outside($row; $column; $row[$column]; $range)),
seconds($row; $seen), tight($row; $seen)
