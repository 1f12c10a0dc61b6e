# heatmap.awk: after timeline.awk, the histograms as boxes: a kind of operation, from and to in
# seconds, from and to in nanoseconds, operations a second. In an open loop they are those of the
# response times.
# usage: awk ... -f timeline.awk -f heatmap.awk timeline.tsv

# heatmap_flush(): what was counted between begun and at
function heatmap_flush(   key, part) {
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

function heatmap_add(kind,   n, i, bucket, part) {
	n = split(timeline_column(kind "_resp_histogram"), bucket, " ")
	if (!n)
		n = split(timeline_column(kind "_histogram"), bucket, " ")
	for (i = 1; i <= n; i++) {
		split(bucket[i], part, ":")
		count[kind " " part[1]] += part[2]
	}
}

timeline_column("thread") == "all" {
	heatmap_add("read")
	heatmap_add("write")
	heatmap_add("scan")
	if (timeline_wide())
		heatmap_flush()
}
END {
	# a remainder too, as there may be something rare in it
	if (at > begun)
		heatmap_flush()
}
