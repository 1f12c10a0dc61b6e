# smaller.awk: the n-th way to make a command line smaller, or nothing if there are not so many.
# usage: echo WORDS | awk -v n=N -f smaller.awk
# First entries of the list of benchmarks less, then words less, as many at a time as there are and then fewer, then smaller
# numbers and entries without what is at them.

function offer(text) {
	if (++offered == n) {
		print text
		exit
	}
}
# All words, but the i-th is this.
function with(i, word,   j, text) {
	for (j = 1; j <= NF; j++)
		if (j != i || word != "")
			text = text (text == "" ? "" : " ") (j == i ? word : $j)
	return text
}
function listed(from, without, plain,   j, text) {
	for (j = 1; j <= entries; j++)
		if (j != without)
			text = text (text == "" ? "" : ",") (j == plain ? bare : entry[j])
	return with(from, "benchmarks=" text)
}
# All words but those of this number and some after it, of those that can be left out.
function but(from, some,   j, text) {
	text = $1
	for (j = 2; j <= NF; j++)
		if (!(j in place) || place[j] < from || place[j] >= from + some)
			text = text " " $j
	return text
}
{
	for (i = 2; i <= NF; i++) {
		name[i] = value[i] = $i
		sub(/=.*/, "", name[i])
		sub(/^[^=]*=/, "", value[i])
		if (name[i] == "benchmarks")
			list = i
		if (name[i] !~ /^(benchmarks|num)$/)
			place[i] = ++droppable
	}
	entries = split(value[list], entry, ",")
	for (e = entries; e && entries > 1; e--)
		offer(listed(list, e, 0))
	for (some = droppable; some; some = int(some / 2))
		for (i = 1; i <= droppable; i += some)
			offer(but(i, some))
	for (e = 1; e <= entries; e++) {
		bare = entry[e]
		sub(/[@[].*/, "", bare)
		if (bare != entry[e])
			offer(listed(list, 0, e))
	}
	for (i = 2; i <= NF; i++) {
		if (name[i] ~ /^(num|probe_rate|txn_reads|reads|writes|threads|batch_size|key_size|value_size|seed)$/ && value[i] ~ /^[0-9]+$/ && value[i] > 1) {
			offer(with(i, name[i] "=" (name[i] == "key_size" ? 8 : 1)))
			if (value[i] >= 10)
				offer(with(i, name[i] "=" int(value[i] / 10)))
			offer(with(i, name[i] "=" int(value[i] / 2)))
		}
		if (name[i] == "duration" && value[i] > 0.1)
			offer(with(i, name[i] "=" value[i] / 2))
	}
}
