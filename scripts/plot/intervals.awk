# intervals.awk: after timeline.awk, a row for each interval with what the lines over time show.
# usage: awk -v time=T -v repeat=N -v cores=N -f timeline.awk -f intervals.awk timeline.tsv
# Reads, in which scans count, are those of the threads asked for; writes are everybody's.
# ideal is the processor use of so many busy threads, or of all cores if these are fewer.

column("thread") != "all" {
	reads += column("thread") ~ /^[0-9]/ ? column("read_ops") + column("scan_ops") : 0
	threads++
	next
}
{
	span = column("span_s")
	at += span
	if (says_something(span)) {
		if (!rows++)
			print "at_s", "reads_per_sec", "writes_per_sec", "cpu_percent", "sys_percent", "ideal"
		print at, reads / span, column("write_ops") / span, 100 * column("cpu_s") / span,
			100 * column("sys_s") / span, 100 * (threads < cores ? threads : cores)
	}
	reads = threads = 0
}
