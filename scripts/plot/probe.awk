# probe.awk: after timeline.awk, a row for each interval with the writes a second and the 99th
# percentile of the response
# to a probe; nothing if there was no probe.
# usage: awk ... -f timeline.awk -f probe.awk timeline.tsv
# Of intervals that are joined the greatest percentile stands for all.

timeline_column("thread") == "probe" {
	probes++
	one = timeline_column("read_resp_p99_ns")
	p99 = one > p99 + 0 ? one : p99
}
timeline_column("thread") != "all" {
	next
}
{
	writes += timeline_column("write_ops")
	if (timeline_wide()) {
		if (probes && !rows++)
			print "at_s", "writes_per_sec", "p99_ns"
		if (probes)
			print at, writes / (at - begun), p99
		begun = at
		writes = 0
		p99 = ""
	}
}
