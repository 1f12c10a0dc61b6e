# history.awk: of each history its number of entries, when it begins, its last line and the columns that every line has;
# for history.sh. usage: awk -f history.awk HISTORY.tsv ...
# Prints file, number, first time, names of the complete columns, all names, last line; lists have \037 between their items.

BEGIN { FS = "\t"; OFS = "\t"; between = "\037" }

FNR == 1 {
	flush()
	file = FILENAME
	names = $0
	columns = split($0, name)
	since = last = ""
	entries = 0
	split("", gap)
	next
}
$0 != "" {
	if (!entries++) since = $1
	last = $0
	for (i = 1; i <= columns; i++) if ($i == "") gap[i] = 1
}
END { flush() }

function flush(   i, complete) {
	if (!entries) return
	for (i = 1; i <= columns; i++)
		if (!(i in gap)) complete = complete (complete == "" ? "" : between) name[i]
	gsub("\t", between, names)
	gsub("\t", between, last)
	print file, entries, since, complete, names, last
}
