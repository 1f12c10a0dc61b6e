# printed.awk: what commands printed, as pages show it: PAGE, COMMAND and a line, with tabs between them. For test/cases/words.sh.
# It follows the command in the same block, or after one paragraph that ends in a colon.
BEGIN { OFS = "\t" }
FNR == 1 { command = prose = ""; going = 0 }
going {
	line = $0
	sub(/^ +/, "", line)
	text = text " " line
}
!going && /^    (\.\/|scripts\/|make|sudo|cc |jq |assay |for |cargo|build\/|eval )/ { text = substr($0, 5); going = 1 }
going {
	if (text ~ /\\$/) { sub(/ *\\$/, "", text); next }
	if (text ~ /^jq '/ && text !~ /json$/) next
	sub(/ +#.*/, "", text)
	command = text
	going = paragraphs = 0
	next
}
/^$/ {
	if (prose != "" && (prose !~ /:$/ || ++paragraphs > 1))
		command = ""
	prose = ""
	next
}
/^    / && prose == "" {
	if (command != "")
		print FILENAME, command, substr($0, 5)
	next
}
/^[#|!-]/ || /^[0-9]+\. / { command = ""; next }
{ prose = $0 }
