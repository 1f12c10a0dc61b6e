# plant.awk: make a mutant's edits, each `old:` into the `new:` after it, in the files named after the mutant; for
# mutate.sh. White space in `old:` stands for any, so an edit finds its place wherever the line has moved and however it is
# broken; where that text does not stand exactly once, nothing is changed, and what is wrong is said. With -v only_look=1
# nothing is changed at all.

# expression TEXT: a regular expression for it
function expression(text, to, i, c) {
	gsub(/[ \t]+/, " ", text)
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (c == " ")
			c = "[ \t\n]+"
		else if (c ~ /[\\^]/)
			c = "\\" c
		else if (c !~ /[A-Za-z0-9_]/)
			c = "[" c "]"
		to = to c
	}
	return to
}

# plant OLD NEW: true if there was one place for it
function plant(old, new, pattern, name, at, rest, count, where, start, size) {
	pattern = expression(old)
	for (name in text) {
		rest = text[name]
		at = 0
		while (match(rest, pattern)) {
			count++
			where = name
			start = at + RSTART
			size = RLENGTH
			at += RSTART + RLENGTH - 1
			rest = substr(rest, RSTART + RLENGTH)
		}
	}
	if (count != 1) {
		print "'" old "' stands " count + 0 " times, not once"
		return 0
	}
	text[where] = substr(text[where], 1, start - 1) new substr(text[where], start + size)
	changed[where] = 1
	return 1
}

FILENAME == ARGV[1] && sub(/^old: */, "") { old[++edits] = $0 }
FILENAME == ARGV[1] && sub(/^new: */, "") { new[edits] = $0 }
FILENAME == ARGV[1] { next }
{ text[FILENAME] = text[FILENAME] $0 "\n" }

END {
	good = edits > 0
	if (!good)
		print "it has no old:"
	for (i = 1; i <= edits && good; i++)
		good = plant(old[i], new[i])
	if (!good)
		exit 1
	for (name in changed)
		if (!only_look)
			printf "%s", text[name] > name
}
