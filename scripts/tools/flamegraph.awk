# flamegraph.awk: a flame graph as SVG; for profile.sh and compare.sh --explain.
# In, a line for each stack: function;...;function, a tab, its us per operation; in a differential
# graph also a tab and the us per
# operation before. usage: awk -v title=TEXT -v hue=warm|cold|change -f flamegraph.awk
# The width of a frame is its us per operation with its callees; in a differential graph that of
# both sides' mean, and its colour is how much longer (red) or shorter (blue) the function itself
# takes. Its title has the numbers.

function flame_escaped(text) {
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	gsub(/"/, "\\&quot;", text)
	return text
}

# hash TEXT: 0 to 1, so that a function has the same shade in each graph
function flame_hash(text,   i, sum) {
	for (i = length(text); i > 0; i--)
		sum = (sum * 31 + code[substr(text, i, 1)]) % 65521
	return sum / 65521
}

function flame_colour(path, name,   shade) {
	shade = flame_hash(name)
	if (hue == "warm")
		return sprintf("rgb(%d,%d,%d)", 220 + 30 * shade, 110 + 110 * shade, 60)
	if (hue == "cold")
		return sprintf("rgb(%d,%d,%d)", 90 + 80 * shade, 140 + 60 * shade, 220)
	shade = most > 0 ? (self_after[path] - self_before[path]) / most : 0
	if (shade >= 0)
		return sprintf("rgb(255,%d,%d)", 245 - 185 * shade, 240 - 190 * shade)
	return sprintf("rgb(%d,%d,255)", 240 + 190 * shade, 245 + 135 * shade)
}

function flame_size_of(path) {
	return hue == "change" ? (after[path] + before[path]) / 2 : after[path]
}

function flame_note(path, name) {
	if (hue == "change")
		return sprintf("%s: %.4g -&gt; %.4g us/op with callees, %.4g -&gt; %.4g itself",
			flame_escaped(name), before[path], after[path],
			self_before[path], self_after[path])
	return sprintf("%s: %.4g us/op, %.2f %%", flame_escaped(name), after[path],
		100 * after[path] / after[""])
}

function flame_frame(path, name, x, depth,   wide, i, child) {
	wide = flame_size_of(path) * scale
	if (wide < 0.4)
		return
	deepest = depth > deepest ? depth : deepest
	frames[++drawn] = sprintf("<title>%s</title><rect x=\"%.1f\" y=\"%%d\" width=\"%.1f\"" \
		" height=\"16\" fill=\"%s\" rx=\"1\"/>",
		flame_note(path, name), x, wide, flame_colour(path, name))
	if (wide > 25)
		frames[drawn] = frames[drawn] sprintf("<text x=\"%.1f\" y=\"%%d\">%s</text>", x + 3,
			flame_escaped(substr(name, 1, int((wide - 4) / 6.7))))
	at_depth[drawn] = depth
	for (i = 1; i <= children[path]; i++) {
		child = child_of[path, i]
		flame_frame(child, name_of[child], x, depth + 1)
		x += flame_size_of(child) * scale
	}
}

BEGIN {
	FS = "\t"
	for (i = 1; i < 256; i++)
		code[sprintf("%c", i)] = i
}
{
	count = split($1, function_at, ";")
	path = ""
	after[""] += $2
	before[""] += $3
	for (i = 1; i <= count; i++) {
		above = path
		path = path ";" function_at[i]
		if (!(path in name_of)) {
			name_of[path] = function_at[i]
			child_of[above, ++children[above]] = path
		}
		after[path] += $2
		before[path] += $3
	}
	self_after[path] += $2
	self_before[path] += $3
}
END {
	for (path in name_of) {
		change = self_after[path] - self_before[path]
		change = change < 0 ? -change : change
		most = change > most ? change : most
	}
	scale = flame_size_of("") > 0 ? 1180 / flame_size_of("") : 0
	flame_frame("", "all", 10, 0)
	high = 17 * (deepest + 1) + 40
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 %d\"" \
		" style=\"font: 11px monospace\">\n", high
	printf "<rect width=\"1200\" height=\"%d\" fill=\"#fff\"/>" \
		"<text x=\"10\" y=\"20\" font-size=\"14\">%s</text>\n", high, flame_escaped(title)
	for (i = 1; i <= drawn; i++) {
		y = high - 10 - 17 * (at_depth[i] + 1)
		gsub(/%/, "%%", frames[i])
		gsub(/%%d/, "%d", frames[i])
		printf "<g>" frames[i] "</g>\n", y, y + 12
	}
	print "</svg>"
}
