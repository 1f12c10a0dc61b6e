# bars-two.gp: groups of bars, the published figures above ours where there are both, with one or two scales.
# usage: gnuplot -c bars-two.gp OUT TITLE "SERIES SERIES ..." LEFT_LABEL RIGHT_LABEL RIGHT PANELS
# PANELS is '"PANEL" "FILE" "GROUP GROUP ..." MAX RIGHT_MAX ...': the greatest on each scale, which are each panel's own and linear.
# A _ in a group or series is a space, a | a new line. A file has a line for each group: its name and a column for each
# series, 0 where there is none. The last RIGHT of the series, as bars or if there is one as points, have the right
# scale.

OUT = ARG1; TITLE = ARG2; SERIES = ARG3; RIGHT = int(ARG6); WHAT = ARG7
DIR = ARG0[:strlen(ARG0) - strlen("bars-two.gp")]; load DIR . "style.gp"
set datafile separator tab
set style fill solid 1 noborder
series = words(SERIES)
panels = words(WHAT) / 5
of_panel(p, n) = word(WHAT, 5 * (p - 1) + n)
replace(s, a, b) = strstrt(s, a) ? s[:strstrt(s, a) - 1] . b . replace(s[strstrt(s, a) + strlen(a):], a, b) : s
text(s) = replace(replace(s, "_", " "), "|", "\n")
# A few series have colours that are far apart; more are a scale, such as of threads.
apart = "#0072b2 #e4b30f #d55e00 #1a9f98"
scale = "#440154 #443983 #31688e #21918c #35b779 #90d743 #e6b800 #d55e00"
fill(s) = word(series > 4 ? scale : apart, s)
left = series - RIGHT
points = RIGHT == 1 && left > 1
bars = points ? left : series
width = 0.8 / bars
# Large numbers are counted in these, so that no two ticks are alike.
unit_of(name, max) = name eq "seconds" ? 1 : unit(max)
suffix(u) = u == 1e9 ? "G" : u == 1e6 ? "M" : u == 1e3 ? "k" : ""
place(s) = (s - (bars + 1) / 2.0) * width

height(s) = column(1 + s) > 0 ? column(1 + s) / (s > left ? u2 : u1) : NaN
# What is drawn on the right scale
SECOND = ""
if (RIGHT && points) {
	SECOND = ", FILE using (column(0)):(height(series)) axes x1y2 with points pointtype 7 pointsize 1.4 " . \
		"linecolor '#000000' title text(word(SERIES, series)) . ' (right)'"
}
if (RIGHT && !points) {
	SECOND = ", for [s = left + 1:series] FILE using (column(0) + place(s)):(height(s)):(0.92 * width) axes x1y2 " . \
		"with boxes linecolor rgb fill(s) title text(word(SERIES, s)) . ' (right)'"
}

set border RIGHT ? 11 : 3
set lmargin 11
set rmargin RIGHT ? 11 : 3
set grid noxtics
if (RIGHT) { set y2tics; set ytics nomirror }

# steps of 1, 2 or 5, few enough for half a page
ten(x) = 10 ** floor(log10(x))
step(max) = max / 4 <= ten(max / 4) ? ten(max / 4) : max / 4 <= 2 * ten(max / 4) ? 2 * ten(max / 4) : \
	max / 4 <= 5 * ten(max / 4) ? 5 * ten(max / 4) : 10 * ten(max / 4)

set key at screen 0.5, screen 0.02 center bottom horizontal reverse Left samplen 2 noenhanced maxrows 1
set multiplot layout panels, 1 title TITLE noenhanced
do for [p = 1:panels] {
	FILE = of_panel(p, 2)
	GROUPS = of_panel(p, 3)
	groups = words(GROUPS)
	set title of_panel(p, 1) noenhanced offset 0, -0.5
	set xrange [-0.6:groups - 0.4]
	unset xtics
	set xtics scale 0 noenhanced
	if (groups > 6) { set xtics font small }
	high = 1
	do for [g = 1:groups] {
		set xtics add (text(word(GROUPS, g)) g - 1)
		n = 1 + sum [i = 1:strlen(word(GROUPS, g))] (word(GROUPS, g)[i:i] eq "|")
		high = n > high ? n : high
	}
	set bmargin high * (groups > 6 ? 0.8 : 1) + (p == panels ? 3 : 0.5)
	u1 = unit_of(ARG4, real(of_panel(p, 4))); max = real(of_panel(p, 4)) / u1
	set ytics step(max); set format y "%g" . suffix(u1); set yrange [0:max * 1.1]
	set ylabel ARG4
	if (RIGHT) {
		u2 = points ? 1 : unit(real(of_panel(p, 5))); max = real(of_panel(p, 5)) / u2
		set format y2 "%g" . suffix(u2)
		set y2tics step(max); set y2range [0:max * 1.15]
		set y2label ARG5
	}
	if (p > 1) { unset key }
	plot for [s = 1:left] FILE using (column(0) + place(s)):(height(s)):(0.92 * width) \
			with boxes linecolor rgb fill(s) title text(word(SERIES, s)) @SECOND
}
unset multiplot
