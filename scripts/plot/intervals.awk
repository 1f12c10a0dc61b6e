# intervals.awk: after timeline.awk, a row for each interval with what the lines over time show.
# usage: awk ... -v cores=N -f timeline.awk -f intervals.awk timeline.tsv
# Reads, in which scans count, are those of the threads asked for; writes are everybody's.
# ideal is the CPU use of so many busy threads, or of all cores if these are fewer.

timeline_column("thread") != "all" {
	if (timeline_column("thread") ~ /^[0-9]/)
		reads += timeline_column("read_ops") + timeline_column("scan_ops")
	threads++
	next
}
{
	writes += timeline_column("write_ops")
	cpu += timeline_column("cpu_s")
	sys += timeline_column("sys_s")
	if (timeline_wide()) {
		if (!begun)
			print "at_s", "reads_per_sec", "writes_per_sec", "cpu_percent",
				"sys_percent", "ideal"
		span = at - begun
		print at, reads / span, writes / span, 100 * cpu / span, 100 * sys / span,
			100 * (threads < cores ? threads : cores)
		begun = at
		reads = writes = cpu = sys = 0
	}
	threads = 0
}
