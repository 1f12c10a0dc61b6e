# estimate.jq: how long a plan takes, by the rows of a reference that exists; for reference.sh --estimate. The input are the lines of
# a plan, texts; $rows are the reference's.
# A row took as long as until the next one began, so loads, copies and empty caches are in it; a pause of more than ten minutes is none.
# Where the plan asks for another number of operations or another duration, the measured part is what its rate needs for that.

include "rows";

def option($name): capture("--\($name)=(?<v>[0-9.]+)").v? // null | if . == null then null else tonumber end;
# What loads ends with its records, whatever number of reads stands beside it.
def loads: test("--benchmarks=(ucsb-0|fill[a-z]*|voron-fill-[a-z]*|bangdb-(write|fill)) ");
def asked: {num: option("num"), count: (if loads then null else option("reads") // option("writes") end), duration: option("duration"), steady: option("until_steady")};
# An engine of some version, by its name; and what is run, without its round and repetition: EXPERIMENT/ENGINE-WORKLOAD-THREADSt; and without its experiment
def plain: sub("-[0-9]+[.][0-9.]+(?=[-+])"; "");
def named: capture("/(?<x>[^/ ]+)/runs/(?<run>[^/ ]+)/row[.]json") // {x: "", run: ""} |
	(.x | sub("-round[0-9]+"; "")) + "/" + (.run | sub("-r[0-9]+$"; "") | plain);

def taken: sort_by(.time) | [., .[1:] + [null]] | transpose | map(.[0] as $row | (if .[1] == null then null else (.[1].time | fromdateiso8601) - ($row.time | fromdateiso8601) end) as $gap |
	{name: ($row.command | named), asked: ($row.command | asked), seconds: ($row.seconds // 0), rate: $row.ops_per_sec, threads: $row.threads,
	beside: (if $gap == null or $gap > 600 + ($row.seconds // 0) then 1 else [$gap - ($row.seconds // 0), 0] | max end)});
def needs($row): . as $plan | if $plan.count != null and $plan.count != $row.asked.count and $row.rate > 0 then $plan.count * $row.threads / $row.rate
	elif $plan.duration != null and $row.asked.duration != null then $row.seconds * $plan.duration / $row.asked.duration
	elif $plan.steady != null and $row.asked.steady == null then $plan.steady
	elif $plan.num != null and $row.asked.num != null and $plan.count == null and $plan.duration == null then $row.seconds * $plan.num / $row.asked.num
	else $row.seconds end;

($rows | taken) as $taken | ($taken | group_by(.name) | map({key: .[0].name, value: .}) | from_entries) as $known |
($taken | group_by(.name | split("/")[1]) | map({key: (.[0].name | split("/")[1]), value: .}) | from_entries) as $alike |
[inputs] as $lines | ($lines | map(select(startswith("# ")) / ": " | .[0])) as $experiments |
[$lines[] | select(test("/row[.]json"))] | map(named as $name | asked as $asked | ($known[$name] // ($alike[$name | split("/")[1]] // [] | (map(select(.asked.num == $asked.num)) | select(. != [])) // .)) as $rows |
	{$name, seconds: ([$rows[] as $r | ($asked | needs($r)) + $r.beside] | median)}) |
if $experiments == [] then "nothing to run: no engine of it is built" elif . == [] then "about \(([$taken[] | .seconds + .beside] | add) / 60 / ([$rows[].repetition // 1] | max) * ($experiments | length / (map(sub("-round[0-9]+$"; "")) | unique | length)) | ceil) minutes, as long as its rounds took before: the plan is not by commands" else
	([.[] | select(.seconds == null)] | length) as $unknown | (map(.seconds | values) | add // 0) as $sum |
	"about \($sum / 60 | ceil) minutes for \(length - $unknown) of \(length) runs\(if $unknown > 0 then "; \($unknown) were never measured, such as \([.[] | select(.seconds == null)][0].name)" else "" end)",
	(group_by(.name | split("/")[0]) | map({name: (.[0].name | split("/")[0]), runs: length, seconds: (map(.seconds | values) | add // 0)}) | sort_by(-.seconds)[:8][] |
		"  \(.seconds / 60 * 10 | round / 10) min  \(.runs) runs  \(.name)") end
