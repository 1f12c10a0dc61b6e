# heatmap.awk: after timeline.awk, the histograms as boxes: a kind of operation, from and to in
# seconds, from and to in nanoseconds, operations a second. In an open loop they are those of the
# response times.
# usage: awk ... -f timeline.awk -f heatmap.awk timeline.tsv

# flush(): what was counted between begun and at
function flush(   key, part) {
	for (key in count) {
		split(key, part, " ")
		if (!rows++)
			print "kind", "from_s", "to_s", "from_ns", "to_ns", "per_sec"
		# buckets are four to a power of two
		print part[1], begun + 0, at, part[2] / 2 ^ 0.25, part[2], count[key] / (at - begun)
	}
	split("", count)
	begun = at
}

function add(kind,   n, i, bucket, part) {
	n = split(column(kind "_resp_histogram"), bucket, " ")
	if (!n)
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
	if (wide())
		flush()
}
END {
	# a remainder too, as there may be something rare in it
	if (at > begun)
		flush()
}
