# timeline.awk: finds the rows of one run in a timeline; the rules of the other file come after it.
# usage: awk -v time=T -v repeat=N -f timeline.awk -f OTHER.awk timeline.tsv
# column(NAME) is a field of the row. Of the rows of an interval that of all threads is the last.

function column(name) {
	return $place[name]
}

# says_something(SECONDS): an interval so long; rates of a few milliseconds left at the end do not
function says_something(span) {
	longest = span > longest ? span : longest
	return span > longest / 10
}

BEGIN { FS = OFS = "\t" }
NR == 1 {
	for (i = 1; i <= NF; i++)
		place[$i] = i
	next
}
column("time") != time || column("repeat") != repeat { next }
