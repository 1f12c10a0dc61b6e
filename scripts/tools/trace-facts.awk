# trace-facts.awk: counts of a trace, for trace-distance.awk: kind, value, side and count, with tabs
# between them.
# usage: awk -v side=1 -f trace-facts.awk TRACE, of the form that tracecat prints

BEGIN { FS = ","; OFS = "\t" }

{
	n++
	operations[$6]++
	keys[$2]++
	key_sizes[$3]++
	if ($6 ~ /^(set|add|replace|cas|append|prepend|incr|decr)$/) {
		value_sizes[$4]++
		writes++
	}
	if (n > 1) {
		gap = $1 - last
		gaps[gap > 0 ? int(50 * log(gap) + 5000) : -1]++
	} else
		begin = $1
	last = $1
}

function facts_emit(kind, counts,   value) {
	for (value in counts) print kind, value, side, counts[value]
}

END {
	for (k in keys) { distinct++; of_count[-keys[k]]++ }
	print "!", "n", side, n
	print "!", "keys", side, distinct
	print "!", "writes", side, writes + 0
	print "!", "seconds", side, last - begin
	for (o in operations) print "operation", o, side, operations[o]
	facts_emit("popularity", of_count)
	facts_emit("key sizes", key_sizes)
	facts_emit("value sizes", value_sizes)
	mean = n > 1 ? (last - begin) / (n - 1) : 0
	shift = mean > 0 ? int(50 * log(mean) + 5000) : 0
	for (g in gaps) print "gaps", (g < 0 ? -1e6 : g - shift), side, gaps[g]
}
