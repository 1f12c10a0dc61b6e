# bench.jq: row.json as a row of bench.sh: what was asked for is given, and $noise and $kind are
# numbers that follow from it.
($noise % 1000 / 500 - 1) as $x |
(if $get > 0 then 1e9 / $get else 50000 * $threads / (1 + ($kind % 5) / 20) end *
	(1 + $x / 50)) as $capacity |
(if $rate == null then 0.5 else [$rate / $capacity, 0.999] | min end) as $load |
([$rate // $capacity, $capacity] | min) as $ops |
(if $get > 0 then $get else 20000 end * (1 + $x / 50)) as $median |
(if $rate == null then null else $median / (1 - $load) end) as $response |
.benchmark = $benchmark | .threads = $threads | .label = $called |
.engine = ($called | sub("[+-].*"; "")) | .repetition = $repetition | .seed = $seed |
.engine_options = $settings | .seconds = $seconds + $count / 1e6 |
.time = "2026-01-01T00:\($count / 60 | floor % 60 + 100 | tostring[1:]):" +
	"\($count % 60 + 100 | tostring[1:])Z" |
.target_rate = $rate | .target_rate_met = (if $rate == null then null
	elif $rate < $capacity then 1 else 0 end) |
.ops_per_sec = ($ops * 10 | round / 10) | .ops = ($ops * $seconds | round) |
.reads = .ops | .reads_per_sec = .ops_per_sec |
.backlog = (if $rate == null then null
	else [0, ($rate - $ops) * $seconds] | max | round end) |
.read_p50_ns = $median | .read_p99_ns = $median * 3 |
.read_resp_p50_ns = $response |
.read_resp_p99_ns = (if $response == null then null else $response * 4.6 * (1 + $x / 10) end)
