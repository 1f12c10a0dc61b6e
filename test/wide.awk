# wide.awk: the lines of shell scripts with more than 100 columns; for test/cases/build.sh.
# What is data stays as long as it is: here-documents, what has a quote in it or is within
# quotes, a URL, and the sentence in the second line, which assay and the manual print.
FNR == 1 {
	here = ""
	quote = ""
}

here != "" {
	if ($1 == here)
		here = ""
	next
}

# What of the line stands in no quotes; `quote` is the one that is open at its end.
function bare(line,   out, i, c) {
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (quote == "" && c == "#" && out ~ /(^|[ \t;(])$/)
			return out substr(line, i)
		if (c == "\\" && quote != "'")
			i++
		else if (quote == c)
			quote = ""
		else if (quote == "" && (c == "'" || c == "\""))
			quote = c
		else if (quote == "")
			out = out c
	}
	return out
}

function columns(line,   n, i) {
	for (i = 1; i <= length(line); i++)
		n = substr(line, i, 1) == "\t" ? n + 8 - n % 8 : n + 1
	return n
}

{
	open = quote != ""
	code = bare($0)
	if (!open && match($0, /<<-?[ ]*'?[A-Z_]+/) && code !~ /^[ \t]*#/) {
		here = substr($0, RSTART, RLENGTH)
		gsub(/[^A-Z_]/, "", here)
	}
	if (open || columns($0) <= 100 || $0 ~ /https?:/ || (FNR == 2 && /; see --help/))
		next
	if ($0 !~ /["']/ || code ~ /^[ \t]*#/)
		print FILENAME ":" FNR ": " columns($0) " columns"
}
