# identifiers.awk: C files without comments and strings, FILE:LINE: before each line that has a word; for test/cases/words.sh.
FNR == 1 { inside = 0 }
{
	rest = $0
	code = ""
	while (rest != "") {
		if (inside) {
			end = index(rest, "*/")
			rest = end ? substr(rest, end + 2) : ""
			inside = !end
		} else if (match(rest, /"([^"\\]|\\.)*"|'([^'\\]|\\.)+'|\/\*/)) {
			inside = substr(rest, RSTART, 2) == "/*"
			code = code substr(rest, 1, RSTART - 1) " "
			rest = substr(rest, RSTART + RLENGTH)
		} else {
			code = code rest
			rest = ""
		}
	}
	if (code ~ /[A-Za-z]/)
		print FILENAME ":" FNR ": " code
}
