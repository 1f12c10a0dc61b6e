# smaller.awk: the n-th way to make a command line smaller, or nothing if there are not so many.
# usage: echo WORDS | awk -v n=N -f smaller.awk
# First a word less, then an entry of the list of benchmarks less or without what is at it, then smaller numbers.

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
{
	for (i = NF; i > 1; i--)
		if ($i !~ /^(benchmarks|num)=/)
			offer(with(i, ""))
	for (i = 2; i <= NF; i++) {
		name = value = $i
		sub(/=.*/, "", name)
		sub(/^[^=]*=/, "", value)
		if (name == "benchmarks") {
			entries = split(value, entry, ",")
			for (e = entries; e && entries > 1; e--)
				offer(listed(i, e, 0))
			for (e = 1; e <= entries; e++) {
				bare = entry[e]
				sub(/[@[].*/, "", bare)
				if (bare != entry[e])
					offer(listed(i, 0, e))
			}
		} else if (name ~ /^(num|reads|writes|threads|batch_size|key_size|value_size|seed)$/ && value ~ /^[0-9]+$/ && value > 1) {
			offer(with(i, name "=" (name == "key_size" ? 8 : 1)))
			offer(with(i, name "=" int(value / 10)))
			offer(with(i, name "=" int(value / 2)))
		} else if (name == "duration" && value > 0.1)
			offer(with(i, name "=" value / 2))
	}
}
