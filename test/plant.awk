# plant.awk: make mutants' edits, each `old:` into the `new:` after it; for mutate.sh. Reads lines of a mutant's name and, after
# a tab, the files in which its places are looked for; the mutants are in the directory `from`. White space in `old:` stands for
# any, so an edit finds its place wherever the line has moved and however it is broken; where that text does not stand exactly
# once, nothing is changed, and what is wrong is printed. With -v only_look=1 nothing is changed at all.

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

# plant OLD NEW: what is wrong, or nothing if there was one place for it
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
	if (count != 1)
		return "'" old "' stands " count + 0 " times, not once"
	text[where] = substr(text[where], 1, start - 1) new substr(text[where], start + size)
	changed[where] = 1
}

# whole PATH: its text, which is read once
function whole(path, line) {
	if (!(path in known)) {
		known[path] = ""
		while ((getline line <path) > 0)
			known[path] = known[path] line "\n"
		close(path)
	}
	return known[path]
}

# read_edits PATH: old[] and new[] of a mutant, and how many
function read_edits(path, line, count) {
	while ((getline line <path) > 0) {
		if (sub(/^old: */, "", line))
			old[++count] = line
		else if (sub(/^new: */, "", line))
			new[count] = line
	}
	close(path)
	return count + 0
}

BEGIN { FS = "\t" }

{
	for (name in text)
		delete text[name]
	for (name in changed)
		delete changed[name]
	files = split($2, file, " ")
	for (i = 1; i <= files; i++)
		text[file[i]] = whole(file[i])
	edits = read_edits(from "/" $1)
	wrong = edits ? "" : "it has no old:"
	for (i = 1; i <= edits && wrong == ""; i++)
		wrong = plant(old[i], new[i])
	if (wrong != "") {
		print $1 " has no place: " wrong
		lost = 1
	} else if (!only_look)
		for (name in changed)
			printf "%s", text[name] > name
}

END { exit lost }
