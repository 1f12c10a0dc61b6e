# garble.awk -v seed=N -v form=json|tsv|csv, after scripts/tools/random.awk: lines with one to three things wrong that a crash, an editor or another program
# could have done to them. A cell is a value of a JSON line, or what stands between tabs or commas.
function pick(n) { return 1 + random_below(n) }
# The values that readers do not expect, as they stand in JSON; a quote is taken off for cells.
function odd(   text) {
	text = odds[pick(odd_count)]
	if (form != "json") gsub(/^"|"$/, "", text)
	return text
}
# cells of a line into cell[]; what joins them before each into gap[]
function take(line,   n, separator) {
	separator = form == "json" ? ",\"" : form == "tsv" ? "\t" : ","
	n = split(line, cell, separator)
	for (i = 1; i <= n; i++) gap[i] = i > 1 ? separator : ""
	return n
}
function together(n,   i, line) {
	for (i = 1; i <= n; i++) line = line gap[i] cell[i]
	return line
}
# in JSON the name stays, and the brace that ends the line
function replace(text, by) {
	if (form != "json") return by
	match(text, /":/)
	return substr(text, 1, RSTART + 1) by (text ~ /}$/ ? "}" : "")
}
function mutate(i, kind,   n, c, line, at) {
	line = lines[i]
	if (kind <= 5) {
		n = take(line)
		c = pick(n)
		if (kind <= 3) cell[c] = replace(cell[c], odd())       # another type, a huge number, no number
		else if (kind == 4) gap[c] = cell[c] = ""              # a cell less: a column is not there
		else cell[c] = cell[c] gap[2] cell[c]                  # a cell more
		lines[i] = together(n)
		return
	}
	at = random_below(length(line) + 1)
	if (kind == 6) { lines[i] = substr(line, 1, at); count = i; ended = 0 }         # cut in the middle: nothing comes after
	if (kind == 7) lines[i] = substr(line, 1, at) substr(line, at + 2)              # a byte less
	if (kind == 8) lines[i] = substr(line, 1, at) sprintf("%c", pick(255)) substr(line, at + 2)
	if (kind == 9) lines[i] = ""
	if (kind == 10) lines[i] = line "\n" line
	if (kind == 11) lines[i] = odd()
	if (kind == 12) lines[i] = substr(line, 1, at) "\n" substr(line, at + 1)
	if (kind == 13) lines[i] = line "\r"
	if (kind == 14) { count = 0; ended = 0 }                                        # empty
}
BEGIN {
	random_seeded(seed)
	odd_count = split("null|true|-1|0|1e308|1e999|-1e-999|99999999999999999999999999|\"\"|\"x\"|\"12\"|\"-\"|[]|[1]|{}|{\"a\":1}" \
		"|\"\\ud800\"|\"\\u0000\"|\"\342\200\256\360\237\220\230\"|\"\\\"|<b>&|$(id)|`id`|\"../..\"|nan|\"%s%n\"|0x10|.", odds, "|")
}
{ lines[NR] = $0 }
END {
	count = NR
	ended = 1
	for (n = pick(3); n > 0 && count > 0; n--) mutate(pick(count), random_uniform() < 0.7 ? pick(5) : 5 + pick(9))
	for (i = 1; i <= count; i++) printf "%s%s", lines[i], i < count || ended ? "\n" : ""
}
