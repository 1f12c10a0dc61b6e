# bars-two.gp: groups of bars, the published figures above ours where there are both; a last series
# may be points on a scale of its own.
# arguments: "SERIES SERIES ..." LEFT_LABEL RIGHT_LABEL RIGHT(0|1) PANELS
# PANELS is '"PANEL" "FILE" "GROUP GROUP ..." MAX RIGHT_MAX ...': the greatest on each scale, which
# are each panel's own and linear.
# A _ in a group or series is a space, a | a new line. A file has a line for each group: its name
# and a column for each series, 0 where there is none; a group without any has the word none. With
# RIGHT the last series are points on the right scale.

SERIES = A1; RIGHT = int(A4); WHAT = A5
set style fill solid 1 noborder
series = words(SERIES)
panels = words(WHAT) / 5
of_panel(p, n) = word(WHAT, 5 * (p - 1) + n)
replace(s, a, b) = strstrt(s, a) \
	? s[:strstrt(s, a) - 1] . b . replace(s[strstrt(s, a) + strlen(a):], a, b) : s
text(s) = replace(replace(s, "_", " "), "|", "\n")
# A few series have colours that are far apart; more are a scale, such as of threads.
apart = "#0072b2 #e4b30f #d55e00 #1a9f98"
scale = "#440154 #443983 #31688e #21918c #35b779 #90d743 #e6b800 #d55e00"
fill(s) = word(series > 4 ? scale : apart, s)
left = series - RIGHT
width = 0.8 / left
# Large numbers are counted in these, so that no two ticks are alike.
unit_of(name, max) = name eq "seconds" ? 1 : unit(max)
suffix(u) = u == 1e9 ? "G" : u == 1e6 ? "M" : u == 1e3 ? "k" : ""
place(s) = (s - (left + 1) / 2.0) * width

height(s) = column(1 + s) > 0 ? column(1 + s) / (s > left ? u2 : u1) : NaN
# What is drawn on the right scale
SECOND = ""
if (RIGHT) {
	SECOND = ", FILE using (column(0)):(height(series)) axes x1y2 with points pointtype 7 " . \
		"pointsize 1.4 " . \
		"linecolor '#000000' title text(word(SERIES, series)) . ' (right)'"
}

# Bars of one series have their engines' colours, and their values above them.
digits(x) = x >= 99.95 ? "%.0f" : x >= 9.995 ? "%.1f" : "%.2f"
short(x) = sprintf(digits(x / unit(x)), x / unit(x)) . (unit(x) > 1 ? " " . suffix(unit(x)) : "")
number(rgb) = int("0x" . rgb[2:])
ALONE = series > 1 ? "" : ", FILE using (column(0)):(height(1)):" . \
	"(0.92 * width):(number(colour(strcol(1)))) with boxes linecolor rgb variable notitle, " . \
	"FILE using 0:(column(2) / u1):(column(2) > 0 ? short(column(2)) : '') with labels " . \
	"offset 0, 0.6 font small notitle"
set border RIGHT ? 11 : 3
set lmargin at screen LEFT
set rmargin at screen RIGHT ? 0.9 : 0.975
set grid noxtics
if (RIGHT) { set y2tics; set ytics nomirror }

# steps of 1, 2 or 5, few enough for half a page
ten(x) = 10 ** floor(log10(x))
step(max) = max / 4 <= ten(max / 4) ? ten(max / 4) : \
	max / 4 <= 2 * ten(max / 4) ? 2 * ten(max / 4) : \
	max / 4 <= 5 * ten(max / 4) ? 5 * ten(max / 4) : 10 * ten(max / 4)

# The name of a panel is above its left end, the key right of the title.
TOP = 0.855
TALL = (TOP - 0.03 - 0.028 * note_lines) / panels
set key at screen 0.975, screen 0.985 right top horizontal reverse Left samplen 1.5 noenhanced \
	font small maxrows 1
set multiplot
@HEAD
do for [p = 1:panels] {
	FILE = of_panel(p, 2)
	GROUPS = of_panel(p, 3)
	groups = words(GROUPS)
	set label 996 of_panel(p, 1) at graph 0, 1 left offset 0, 0.8 \
		font small textcolor "#5a6069" noenhanced
	set xrange [-0.6:groups - 0.4]
	set xtics () scale 0 noenhanced font small
	high = 1
	do for [g = 1:groups] {
		set xtics add (text(word(GROUPS, g)) g - 1)
		n = 1 + sum [i = 1:strlen(word(GROUPS, g))] (word(GROUPS, g)[i:i] eq "|")
		high = greater(n, high)
	}
	set tmargin at screen TOP - (p - 1) * TALL
	set bmargin at screen TOP - p * TALL + 0.03 + 0.0295 * high + (p < panels ? 0.055 : 0)
	# A label that is none has no text, not no place: gnuplot dies of a single one.
	empty(row) = (sum [s = 1:series] (column(1 + s) > 0)) == 0
	u1 = unit_of(A2, real(of_panel(p, 4))); max = real(of_panel(p, 4)) / u1
	set ytics step(max); set ytics add ("0" 0); set format y "%g" . (u1 > 1 ? " " : "") . \
		suffix(u1); set yrange [0:max * (series > 1 ? 1.1 : 1.25)]; max_of_left = max
	set ylabel A2 font small
	if (RIGHT) {
		u2 = 1; max = real(of_panel(p, 5))
		set y2tics step(max); set y2range [0:max * 1.15]
		set y2label A3 font small
	}
	if (p > 1) { unset key }
	plot for [s = 1:left] FILE using (column(0) + place(s)):(height(s)):(0.92 * width) \
			with boxes linecolor rgb fill(s) \
			title (series > 1 ? text(word(SERIES, s)) : "") @SECOND @ALONE, \
		FILE using 0:(0.05 * max_of_left):(empty(0) ? "none" : "") with labels \
		font small textcolor rgb "#5a6069" notitle
	@HEAD_DONE
}
