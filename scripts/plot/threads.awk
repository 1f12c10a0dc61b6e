# threads.awk: after timeline.awk, a row for each interval with operations a second of each thread.
# usage: awk -v time=T -v repeat=N -f timeline.awk -f threads.awk timeline.tsv
# The first row names the threads.

column("thread") != "all" {
	names = names OFS column("thread")
	ops[++threads] = column("ops")
	next
}
{
	span = column("span_s")
	at += span
	if (says_something(span)) {
		if (!rows++)
			print "at_s" names
		line = at
		for (i = 1; i <= threads; i++)
			line = line OFS ops[i] / span
		print line
	}
	names = ""
	threads = 0
}
