# sizes.awk: after timeline.awk, a row for each interval with the database's size at its end and at
# its beginning.
# usage: awk ... -f timeline.awk -f sizes.awk timeline.tsv
# held is 1 where a long reader had its snapshot: it reads ten times a second or more as long as it
# has one, and otherwise never. There is no row where the size is unknown.

!("disk_kb" in place) {
	exit
}
timeline_column("thread") == "long_reader" && timeline_column("read_ops") > 0 {
	read_at = at + timeline_column("span_s")
}
timeline_column("thread") != "all" || !timeline_wide() {
	next
}
timeline_column("disk_kb") == "" {
	kib = ""
	begun = at
	next
}
{
	if (!rows++)
		print "at_s", "kib", "from_s", "from_kib", "held"
	# of short intervals there are some between two reads
	held = read_at > begun || (read_at && at - read_at < 0.15)
	print at, timeline_column("disk_kb"), begun + 0, kib, held
	kib = timeline_column("disk_kb")
	begun = at
}
