# repeats.jq: rows of an experiment as a reproduction keeps them; repro-common.sh gives all rows of its results.json, slurped.
# $times: how many runs of a point are one row; $ahead: the read-ahead that was set, KiB, or 0; $medium: "loop" or nothing.
# A test whose count of operations is the publication's may take milliseconds. It is run $times times, each from the same state,
# and these runs are one row: counts and times are sums, rates and percentages those of all their time, other numbers medians.
# `repeats` says how many they were, and `repeat_rates` how many operations a second each did.

include "rows";

def summed: test("^(seconds|ops|entries|reads|writes|scans|bytes|found|missing|wrong|lost|errors|commits|conflicts|aborts|retries|retry_s|(user|sys|fg_cpu|bg_cpu)_s|(open|close|settle)_seconds|ctx_.*|faults_.*|cycles|instructions|(cache|tlb)_misses|fs_(in|out)_blocks|.*syncs|sync_file_ranges|dsync_writes|device_(reads|writes|flushes|busy_s)|.*device_(read|write)_bytes|.*io_.*_bytes|io_write_calls)$");
def of_time: test("(_per_sec(_all_in)?|_percent)$");
# of rows without the value nothing is known; of time: weighted by seconds
def over($name): map(select(.[$name] != null)) |
	if $name | summed then map(.[$name]) | add
	elif $name | of_time then (map(.seconds) | add) as $all | if $all > 0 then (map(.[$name] * .seconds) | add) / $all else .[0][$name] end
	else map(.[$name]) | median end;

# What a row warns of: the machine's disturbances are those of all of its time, by the limits of bench/report/verdict.c.
def warnings_of_repeats: . as $rows | ([$rows[].warnings // "" | split("; ")[] | select(. != "" and (test("^the hypervisor took|^other processes and") | not))] | unique) +
	($rows | over("steal_percent") | if . != null and . > 2 then ["the hypervisor took \(round) % of the CPU time"] else [] end) +
	($rows | over("others_cpu_percent") | if . != null and . > 10 then ["other processes and kernel threads used \(round) % of the CPU time"] else [] end) |
	if . == [] then null else join("; ") end;

def one_row: . as $rows | if length == 1 then .[0] else ([.[] | select(.valid != 1)][0]) // ((map(keys_unsorted) | add | unique) as $names |
	.[0] + ([$names[] as $n | select(any($rows[]; .[$n] | type == "number")) | {key: $n, value: ($rows | over($n))}] | from_entries) |
	.warnings = ($rows | warnings_of_repeats) | .repeats = ($rows | length) | .repeat_rates = ($rows | map(.ops_per_sec))) end;

# A condition that the reproduction has set is no doubt about a row but a property of it, and stands in its notes: read-ahead, which
# makes a mapped file read up to that for each record, and the kernel's threads that serve a loop device.
def condition($row): ((capture("^(?<kib>[0-9]+) KiB were read for each record").kib // null) as $kib | $kib != null and $ahead > 0 and $row.read_ahead_kb == $ahead and ($kib | tonumber) <= 1.5 * $ahead) or
	($medium == "loop" and test("^other processes and kernel threads used") and $row.others_cpu_percent <= 25);
def noted: . as $row | ((.warnings // "") / "; " | map(select(. != ""))) as $all | [$all[] | select(condition($row))] as $notes |
	if $notes == [] then . else .warnings = ($all - $notes | if . == [] then null else join("; ") end) | .notes = ($notes | join("; ")) end;
# What ran for less than a second warns of it.
def brief: if .valid == 1 and .seconds != null and .seconds < 1 then
	.warnings = ((if (.warnings // "") == "" then "" else .warnings + "; " end) + "it lasted \(.seconds * 1000 | round) ms, less than a second")
	else . end;

def point: [.label, (.command | (capture("/runs/(?<run>[^/ ]+)/row[.]json").run // "") | sub("-r[0-9]+$"; ""))];
def rows_of_points: if $times == 1 then .[] else
	map(.repetition |= (((. // 1) - 1) / $times | floor) + 1 | {key: ([point, .repetition] | tojson), row: .}) | . as $all |
	(reduce .[].key as $k ([]; if IN(.[]; $k) then . else . + [$k] end))[] as $k | [$all[] | select(.key == $k).row] | one_row end;
def rows_kept: rows_of_points | noted | brief;
