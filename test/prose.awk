# prose.awk: what C files say to people: comments, each as one line, and strings; FILE:LINE: before each. For test/cases/words.sh.
FNR == 1 { inside = 0 }

function say(text, line) {
	if (text ~ /[A-Za-z]/)
		print FILENAME ":" line ": " text
}

{
	rest = $0
	if (inside && rest !~ /^[ \t]*\*+\//)
		sub(/^[ \t]*\*+ */, "", rest)
	while (rest != "") {
		if (inside) {
			end = index(rest, "*/")
			comment = comment " " (end ? substr(rest, 1, end - 1) : rest)
			rest = end ? substr(rest, end + 2) : ""
			if (end) {
				inside = 0
				say(comment, began)
			}
		} else if (match(rest, /"([^"\\]|\\.)*"|'([^'\\]|\\.)+'|\/\*/)) {
			token = substr(rest, RSTART, RLENGTH)
			rest = substr(rest, RSTART + RLENGTH)
			if (token == "/*") {
				inside = 1
				comment = ""
				began = FNR
			} else if (token ~ /^"/)
				say(token, FNR)
		} else
			rest = ""
	}
}
