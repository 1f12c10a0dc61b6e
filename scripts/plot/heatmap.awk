# heatmap.awk: after timeline.awk, the histograms as boxes: a kind of operation, from and to in
# seconds, from and to in nanoseconds, operations a second.
# usage: awk -v time=T -v repeat=N -v seconds=S -f timeline.awk -f heatmap.awk timeline.tsv
# The intervals of a run of so many seconds are joined, where they are more than an eye can tell apart.

# flush: what is between begun and ended
function flush(   key, part) {
	for (key in count) {
		split(key, part, " ")
		if (!rows++)
			print "kind", "from_s", "to_s", "from_ns", "to_ns", "per_sec"
		# buckets are four to a power of two
		print part[1], begun + 0, ended, part[2] / 2 ^ 0.25, part[2], count[key] / (ended - begun)
	}
	split("", count)
	begun = ended
}

function add(kind,   n, i, bucket, part) {
	n = split(column(kind "_histogram"), bucket, " ")
	for (i = 1; i <= n; i++) {
		split(bucket[i], part, ":")
		count[kind " " part[1]] += part[2]
	}
}

column("thread") == "all" {
	add("read")
	add("write")
	add("scan")
	ended += column("span_s")
	if (ended - begun > seconds / 300)
		flush()
}
END {
	if (ended > begun)
		flush()
}
