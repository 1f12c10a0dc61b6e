# intervals.awk: after timeline.awk, a row for each interval with what the lines over time show.
# usage: awk ... -v cores=N -f timeline.awk -f intervals.awk timeline.tsv
# Reads, in which scans count, are those of the threads asked for; writes are everybody's.
# ideal is the CPU use of so many busy threads, or of all cores if these are fewer.

column("thread") != "all" {
	reads += column("thread") ~ /^[0-9]/ ? column("read_ops") + column("scan_ops") : 0
	threads++
	next
}
{
	writes += column("write_ops")
	cpu += column("cpu_s")
	sys += column("sys_s")
	if (wide()) {
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
