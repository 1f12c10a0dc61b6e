# probe.awk: after timeline.awk, a row for each interval with the writes a second and the 99th
# percentile of the response
# to a probe; nothing if there was no probe.
# usage: awk ... -f timeline.awk -f probe.awk timeline.tsv
# Of intervals that are joined the greatest percentile stands for all.

column("thread") == "probe" {
	probes++
	p99 = column("read_resp_p99_ns") > p99 + 0 ? column("read_resp_p99_ns") : p99
}
column("thread") != "all" {
	next
}
{
	writes += column("write_ops")
	if (wide()) {
		if (probes && !rows++)
			print "at_s", "writes_per_sec", "p99_ns"
		if (probes)
			print at, writes / (at - begun), p99
		begun = at
		writes = 0
		p99 = ""
	}
}
