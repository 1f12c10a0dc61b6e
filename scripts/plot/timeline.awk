# timeline.awk: finds the rows of one run in a timeline; the rules of the other file come after it.
# usage: awk -v time=T -v iteration=N -v seconds=S -v relative=0|1 ... -f timeline.awk -f OTHER.awk
# timeline.tsv
# time, iteration and seconds are those of the run's row. Of an interval the row of all threads is
# the last.

# timeline_column(NAME): that field of the row, or nothing if the timeline has none of that name
function timeline_column(name) {
	return name in place ? $place[name] : ""
}

# timeline_wide(): whether the time since begun has room of its own on the paper: a 200th of the
# run, or of the time so far a 50th if the scale is relative, logarithmic. Less is joined to what
# follows. A remainder is left out, as is the rate of a few milliseconds at the end of seconds,
# which says nothing.
function timeline_wide() {
	longest = timeline_column("span_s") > longest ? timeline_column("span_s") : longest
	return at - begun >= (relative ? at / 50 : seconds / 200) && at - begun > longest / 10
}

BEGIN {
	FS = OFS = "\t"
	# microseconds, of a long run too: a box without a width would lose what is in it
	OFMT = CONVFMT = "%.12g"
}
NR == 1 {
	for (i = 1; i <= NF; i++)
		place[$i] = i
	next
}
timeline_column("time") != time || timeline_column("iteration") != iteration { next }
timeline_column("thread") == "all" { at += timeline_column("span_s") }
