# upgrade-rows.jq: rows of assay/1, as JSON Lines, as rows of assay/2: other names of columns, the
# options in their command, warnings and reasons as they are said now. Columns whose definition
# changed in 0.3.0, on 2026-11-23, are emptied: CHANGELOG has the definitions.
# usage: jq -c -f scripts/upgrade-rows.jq OLD.json >NEW.json

def upgrade_renamed: {void_because: "invalid_reason", noise: "warnings", flushes: "syncs",
	flushes_per_commit: "syncs_per_commit",
	settle_flushes: "settle_syncs", close_flushes: "close_syncs",
		fresh_share: "aged_rate_ratio", torn_batches: "batch_atomicity",
	durability_given: "durability_effective", rate: "target_rate", rate_kept: "target_rate_met",
		starts_apart_s: "start_skew_s",
	ends_apart_s: "end_skew_s", together_percent: "overlap_percent",
		snapshots_taken_back: "snapshots_revoked",
	backup_of_moment: "backup_consistent", held_kb: "memory_used_kb",
		longest_gap_ms: "longest_stall_ms", skews: "write_skews",
	top1pct_share: "top1pct_fraction", device_share: "device_fill", repeat: "iteration"};

# upgrade_empty(TEST; COLUMNS): those that the row has become null if it is so
def upgrade_empty(test; columns): if test then reduce columns as $c (.; if has($c) then .[$c] = null
	else . end) else . end;

# Of N operations the value of rank ceil(Q * N) is taken, that of rank floor(Q * N) + 1 was. They
# are one unless Q * N is whole; then they are neighbours, which is seen where fewer than a hundred
# operations are above. A batch is one operation.
def upgrade_quantiles: [["p50", 50], ["p90", 90], ["p95", 95], ["p99", 99], ["p999", 99.9],
	["p9999", 99.99]][];
def upgrade_ranks_differ($n; $percent): ($n * $percent / 100) as $rank | ($rank - ($rank | round) |
	fabs) < 1e-6 and $n - $rank < 100;
def upgrade_percentiles: . as $row | reduce (("read", "write", "scan") as $kind |
	("", "_resp") as $form | upgrade_quantiles as $q | [$kind, $form, $q]) as [$kind, $form, $q]
	(.; "\($kind)\($form)_\($q[0])_ns" as $column | ($row[$kind + "s"] // 0) as $n |
		upgrade_empty($row[$column] != null and
			any($n, ($n / ($row.batch_size // 1) | ceil);
				upgrade_ranks_differ(.; $q[1])); $column));

def upgrade_definitions:
	upgrade_percentiles |
	upgrade_empty(.rate != null; "longest_gap_ms", "backlog", "rate_kept", "start_error_p99_ns",
		(("read", "write", "scan") as $kind | upgrade_quantiles as $q |
			"\($kind)_resp_\($q[0])_ns")) |
	# a delete counts by its key, no longer as a record
	upgrade_empty(.benchmark | test("delete|remove|queue") or (. == "mix"); "write_amp",
		"write_amp_all_in", "host_write_amp", "host_write_amp_all_in") |
	# by the records that are there, no longer by num: UCSB's and YCSB's inserts come before the
	# other steps
	upgrade_empty(.benchmark |
		(test("^(ucsb|ycsb)-") and test("^ucsb-0$|-load$|-init$") == false) or
		test("^(bangdb-mix|mix|queue|delete.*)$"); "space_amp", "space_amp_run") |
	# without the time in which an idle engine was watched
	upgrade_empty(.settle_seconds != null; "ops_per_sec_all_in", "settle_seconds") |
	# without the CPU time of the harness
	upgrade_empty(true; "cpu_us_per_op") |
	upgrade_empty((.seconds // 0) < 1 or (.device_busy_percent // 0) > 100;
		"device_busy_percent") |
	# every whole window, also one in which nothing was done
	upgrade_empty(.rates != null and
			(.rates | split(" ") | length) != (.seconds / .window_s | floor);
		"rates", "rate_cv", "rate_range", "rate_slope", "steady",
		"steady_since_s", "rate_first_fifth", "rate_last_fifth") |
	upgrade_empty(true; (keys_unsorted[] | select(test("^(snapshot_|pause_|backup_ops_)"))));

def upgrade_options:
	reduce (["share", "multiprocess_read"], ["meet", "barrier_file"], ["meet_clients",
		"barrier_clients"], ["parallel", "voron_partitioning"],
		["zipf", "zipf_generator"], ["record", "trace_out"], ["trace", "trace_in"],
			["raw_device", "confirm_overwrite"], ["raw-device",
			"confirm_overwrite"]) as [$old, $new]
		(.; gsub("(?<before>^|[ '\"])--\($old)(?<after>[= ])";
			"\(.before)--\($new)\(.after)")) |
	gsub("--(?<option>rng|mixgraph|zipf_generator|voron_partitioning)(?<between>[= ])good"
		+ "(?<after>$|[ '\"])"; "--\(.option)\(.between)default\(.after)");

# what rows say, as the program and the scripts say it now
def upgrade_said:
	gsub("of the processors"; "of the CPU time") | sub("the processor ran at";
		"the CPU ran at") |
	sub("a call that was late to end made it (?<s>[0-9.]+) s longer than --duration";
		"the last call ended \(.s) s after --duration") |
	sub("the process was stopped or had no processor for (?<s>[0-9.]+) s at least";
		"the process was stopped or had no CPU for at least \(.s) s") |
	sub("the database took (?<g>[0-9.]+) GiB, (?<n>[0-9]+) times what its records do";
		"the database took \(.g) GiB of disk space, \(.n) times the size of its records") |
	sub("MiB came from the device, and the kernel pages out what was idle";
		"MiB were read from the device, and the kernel pages out idle memory") |
	sub("unfit for comparison"; "not fit for comparison");

if .schema != "assay/1" then error("a row of \(.schema // "no schema") is none of assay/1")
	else . end |
upgrade_definitions | .schema = "assay/2" |
(if .command then .command |= upgrade_options else . end) |
(if .experiment then .experiment |= sub("-good$"; "-default") else . end) |
reduce ("noise", "void_because", "engine_build") as $c (.;
	if .[$c] then .[$c] |= upgrade_said else . end) |
with_entries(.key |= (upgrade_renamed[.] // .))
