# bars-two.gp: groups of bars, the published figures above ours where there are both, with one or two scales.
# usage: gnuplot -c bars-two.gp OUT TITLE "SERIES SERIES ..." LEFT_LABEL RIGHT_LABEL RIGHT LOG PANELS
# PANELS is '"PANEL" "FILE" "GROUP GROUP ..." MIN MAX RIGHT_MIN RIGHT_MAX ...'.
# A _ in a group or series is a space, a | a new line. A file has a line for each group: its name and a column for each
# series, 0 where there is none. The last RIGHT of the series, as bars or if there is one as points, have the right
# scale. LOG is 1 for logarithmic scales; each panel has its own, by the least and the greatest on each that is not 0.

OUT = ARG1; TITLE = ARG2; SERIES = ARG3; RIGHT = int(ARG6); LOG = int(ARG7); PANELS = ARG8
load ARG0[:strlen(ARG0) - strlen("bars-two.gp")] . "style.gp"
set datafile separator tab
set style fill solid 1 noborder
series = words(SERIES)
panels = words(PANELS) / 7
of_panel(p, n) = word(PANELS, 7 * (p - 1) + n)
replace(s, a, b) = strstrt(s, a) ? s[:strstrt(s, a) - 1] . b . replace(s[strstrt(s, a) + strlen(a):], a, b) : s
text(s) = replace(replace(s, "_", " "), "|", "\n")
# A few series have colours that are far apart; more are a scale, such as of threads.
apart = "#0072b2 #009e73 #d55e00 #cc79a7"
scale = "#440154 #443983 #31688e #21918c #35b779 #90d743 #e6b800 #d55e00"
fill(s) = word(series > 4 ? scale : apart, s)
left = series - RIGHT
points = RIGHT == 1 && left > 1
bars = points ? left : series
width = 0.8 / bars
FORMAT = ARG4 eq "seconds" ? "%g" : "%.0s%c"
place(s) = (s - (bars + 1) / 2.0) * width

height(s) = column(1 + s) > 0 ? column(1 + s) : NaN
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

# A logarithmic scale goes from a power of ten below the least bar to one above the highest.
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
	min = real(of_panel(p, 4)); max = real(of_panel(p, 5))
	floor1 = LOG ? 10 ** floor(log10(min / 1.5)) : 0
	if (LOG) { set logscale y; set format y FORMAT; set yrange [floor1:max * 2]; set ytics autofreq } else { set ytics step(max); set format y FORMAT; set yrange [0:max * 1.1] }
	set ylabel ARG4
	floor2 = 0
	if (RIGHT) {
		min = real(of_panel(p, 6)); max = real(of_panel(p, 7))
		floor2 = LOG && !points ? 10 ** floor(log10(min / 1.5)) : 0
		set format y2 points ? "%g" : "%.0s%c"
		if (floor2 > 0) { set logscale y2; set y2range [floor2:max * 2]; set y2tics autofreq } else { set y2tics step(max); set y2range [0:max * 1.15] }
		set y2label ARG5
	}
	if (p > 1) { unset key }
	plot for [s = 1:left] FILE using (column(0) + place(s)):(height(s)):(0.92 * width) \
			with boxes linecolor rgb fill(s) title text(word(SERIES, s)) @SECOND
}
unset multiplot
