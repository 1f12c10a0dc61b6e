# pages.awk: sentences, lines and tables of contents of pages; for test/cases/words.sh. A fault is a line, FILE:LINE: before it.
# A sentence has at most 25 words and does not begin with What, Who or Of. A line has at most 100 columns, but in tables,
# for an image, and what a program printed. A page of more than two screens has a table of contents.
# Each table of contents has every section. Tables are whole.
# Code and tables are no sentences; what `code` and a link's address say is one word, or none.

function fault(line, text) {
	print page ":" line ": " text
}

function judge(text, line,   words, n, i, count, first, last) {
	gsub(/`[^`]*`/, "X", text)
	gsub(/\]\([^)]*\)/, "]", text)
	n = split(text, words, /[ \t]+/)
	count = 0
	for (i = 1; i <= n; i++) {
		if (words[i] ~ /[A-Za-z0-9]/ && !count++) {
			first = words[i]
			gsub(/[^A-Za-z]/, "", first)
		}
		last = last " " words[i]
		if (i < n && !(words[i] ~ /[.!?]["'\)*\]]*$/ && words[i + 1] ~ /^["'\(]*([A-Z0-9*]|\[)/))
			continue
		# but for a list of names
		if (count > 25 && gsub(/ X,/, " X,", last) < count / 2)
			fault(line, count " words:" last)
		if (first == "What" || first == "Who" || first == "Of")
			fault(line, "begins with " first ":" last)
		sentences++
		count = 0
		last = ""
	}
}

function end_paragraph() {
	if (text != "")
		judge(text, began)
	text = ""
}

# anchor HEADING: as GitHub makes it
function anchor(heading) {
	heading = tolower(heading)
	gsub(/[^a-z0-9 _-]/, "", heading)
	gsub(/ /, "-", heading)
	return heading
}

function end_page(   i) {
	if (lines <= 120 && contents !~ /- \[[^]]*\]\(#/)
		return
	for (i = 1; i <= sections; i++)
		if (index(contents, "(#" anchor(section[i]) ")") == 0)
			print page ":" at[i] ": not in the table of contents: " section[i]
}

FNR == 1 {
	if (NR > 1) {
		end_paragraph()
		end_page()
	}
	page = FILENAME
	sections = 0
	contents = ""
	code = 0
}

{ lines = FNR }


/^## / {
	section[++sections] = substr($0, 4)
	at[sections] = FNR
}

!sections { contents = contents $0 }

# A table is not interrupted: after a line that is none comes its head, and then the line below that.
/^[|]/ && !rows { head = FNR }
/^[|]/ && ++rows == 2 && !/^[|][-: |]+[|]$/ { fault(head, "a table without a head") }
!/^[|]/ {
	if (rows == 1 || rows == 2)
		fault(FNR, "a table without rows")
	rows = 0
}

/^$/ { end_paragraph(); blank = 1; next }
/^    / && (blank && text == "" && !item || code) {
	code = 1
	if (length($0) > 100 && /^    (\.\/|scripts\/|make|sudo|jq |build\/)/)
		fault(FNR, length($0) " columns")
	next
}
length($0) > 100 && !/^ *[|]/ && !/^!\[/ { fault(FNR, length($0) " columns") }
{ blank = 0; code = 0 }
/^#/ || /^ *[|]/ || /^!\[/ || /^<.*>$/ { end_paragraph(); item = 0; next }
/^ *([-*]|[0-9]+\.) / {
	end_paragraph()
	item = 1
	began = FNR
	text = $0
	sub(/^ *([-*]|[0-9]+\.) /, "", text)
	next
}
!/^ / { item = 0 }
{
	if (text == "")
		began = FNR
	sub(/^ +/, "")
	text = text (text == "" ? "" : " ") $0
}

END {
	end_paragraph()
	end_page()
	print sentences " sentences" >"/dev/stderr"
}
