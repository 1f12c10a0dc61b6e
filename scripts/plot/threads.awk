# threads.awk: after timeline.awk, a row for each interval with operations a second of each thread.
# usage: awk ... -f timeline.awk -f threads.awk timeline.tsv
# The first row names the threads.

timeline_column("thread") != "all" {
	names = names OFS timeline_column("thread")
	ops[++threads] += timeline_column("ops")
	next
}
{
	if (timeline_wide()) {
		if (!begun)
			print "at_s" names
		line = at
		for (i = 1; i <= threads; i++) {
			line = line OFS ops[i] / (at - begun)
			ops[i] = 0
		}
		print line
		begun = at
	}
	names = ""
	threads = 0
}
