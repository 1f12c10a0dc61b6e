# commands of pages: indented lines that begin with a program of ours or a tool's name, continued lines joined
FNR == 1 { going = 0 }
going { sub(/^ +/, ""); text = text " " $0 }
!going && /^    (\.\/|scripts\/|make|sudo|cc |jq |assay |for |cargo|build\/)/ { text = substr($0, 5); going = 1 }
going {
	if (text ~ /\\$/ ) { sub(/ *\\$/, "", text); next }
	if (text ~ /^jq '/ && text !~ /json$/) next
	sub(/ +#.*/, "", text)
	print text
	going = 0
}
