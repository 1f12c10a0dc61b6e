# limits.jq: the limit of a run, a word: its column bound_by (docs/why.md has its rules); for jq -L scripts.
# Rows of earlier programs have no such column: the word is then computed from others, by coarser rules.

# The cores that the threads could use: a background writer is a thread, too.
def background_writer: .mix == null and .reads > 0 and .writes > 0 and (.benchmark // "" | test("while"));
def usable_cores: [.threads + (if background_writer then 1 else 0 end), .cores // .threads] | min;
# CPU time of the process and its servers, as a fraction of these cores; and what of it the kernel took.
def cpu_seconds: [.user_s, .sys_s, .server_user_s, .server_sys_s] | map(values) | add;
def cpu_used: if cpu_seconds == null or (.seconds // 0) <= 0 then null else [cpu_seconds / .seconds / usable_cores, 1] | min end;
def kernel_part: if (cpu_seconds // 0) > 0 then ([.sys_s, .server_sys_s] | map(values) | add // 0) / cpu_seconds else 0 end;
# The harness, as a fraction of the time that an operation had on such a core.
def harness_part: (.harness_ns_per_op // 0) * (.ops_per_sec // 0) / 1e9 / usable_cores;
def waits_per_second: if (.seconds // 0) > 0 then (.ctx_voluntary // 0) / .seconds / .threads else 0 end;

# What a run waited for: the device, if it got a request for at least every second wait; not for it, if for fewer than one in ten.
def waits_for: if .ctx_voluntary == null or .ctx_voluntary == 0 or .device_reads == null then null else (.device_reads + (.device_writes // 0)) / .ctx_voluntary |
	if . >= 0.5 then " for the device" elif . < 0.1 then ", not for the device" else null end end;
# {word, detail, cpu, device}; cpu and device are fractions, or null if they are unknown. The first that is true:
def limited: cpu_used as $cpu | (if .device_busy_percent == null then null else [.device_busy_percent / 100, 1] | min end) as $device |
	def percent: "\(. * 100 | round) %";
	# older rows call waits for the device a lock, too
	(.bound_by == "lock" and waits_for == " for the device") as $unclear |
	if .bound_by != null then {word: (if $unclear then "unclear" else .bound_by end), detail: (if $unclear then "CPU \(.cpu_demand_percent | round) %" else .bound_by_detail end), cpu: (.cpu_used_percent | if . then . / 100 else null end), $device} else
	(if .target_rate_met == 1 then ["rate met", null]
	elif $cpu == null then ["unknown", null]
	elif harness_part >= 0.5 then ["harness", (harness_part | percent)]
	elif (.syncs_per_commit // 0) >= 0.05 and $cpu < 0.7 then ["sync", "\(.syncs_per_commit * 100 | round / 100) a commit"]
	elif $cpu >= 0.85 and ($device // 0) >= 0.75 then ["CPU, device", "device \($device | percent)"]
	elif ($device // 0) >= 0.75 then ["device", "\($device | percent) busy"]
	elif $cpu >= 0.85 then ["CPU", if kernel_part >= 0.4 then "\(kernel_part | percent) kernel"
		else "\(usable_cores) core\(if usable_cores == 1 then "" else "s" end)" end]
	elif waits_per_second >= 1000 then ["waits", "\(waits_per_second / 1000 | round) k/s a thread"]
	else ["mixed", "CPU \($cpu | percent)"] end) |
	{word: .[0], detail: .[1], cpu: $cpu, device: $device} end;
# the same, with the word of waits saying what for
def limited_by: . as $row | limited | if .word == "waits" then .word += ($row | waits_for // "") else . end;
# the words of a run that nothing limits alone
def no_limit: IN("mixed", "unclear");
# such a word, or another if CPU and device together are as busy as a CPU that limits
def or_both($cpu; $device): if no_limit and $cpu != null and $device != null and $cpu + $device >= 0.85 then "CPU or device" else . end;
def limit_words: limited_by as {$word, $cpu, $device} | $word | or_both($cpu; $device);
# such a word in a sentence
def limit_called: {"cpu": "CPU", "CPU, device": "CPU and device", "CPU or device": "CPU and device, neither alone", waits: "waits of unknown cause", lock: "waits for other threads", quota: "the CPU quota"}[.] // .;
# what such a word means, for those who have no page beside it; null of one that tells no limit
def limit_means: {"CPU": "the usable cores were busy, 85 % or more", device: "the device was busy most of the time", "CPU and device, neither alone": "their shares of the time add up to 85 % or more", sync: "commits waited for syncs", "the CPU quota": "a control group stopped the threads in half of its periods or more",
	"waits for the device": "threads slept 1,000 times a second or more, mostly for its requests", "waits for other threads": "threads slept 1,000 times a second or more",
	"waits of unknown cause": "threads slept so often, too", mixed: "nothing was busy enough", unclear: "nothing was busy enough"}[limit_called];
def limits_said: "Limited by: the column bound_by; docs/why.md, The limit of a run, has the rules.";
