# history.gp: a figure over many days, with the mean of each stretch between two changes.
# arguments: FILE METRIC
# FILE has a line for each entry: time, figure, mean of the stretch, and what begins with it, such
# as -5.1 %; or nothing.

METRIC = A2; NOTE = "The axis does not begin at 0."; note_lines = 1
stats FILE using 2 name "Y" nooutput
u = unit(Y_max)
# A change of a few per cent is to be seen: the values have half of the axis, or a tenth of what
# they are.
room = Y_max - Y_min > 0.1 * Y_max ? 0.5 * (Y_max - Y_min) : 0.05 * Y_max + (Y_max == 0)
if (Y_min <= room) { NOTE = "" }
set xdata time
set timefmt "%Y-%m-%dT%H:%M:%SZ"
set format x "%Y-%m-%d" timedate
set xtics font small
unset mxtics
set autoscale xfix
set ylabel unit_name(u) . METRIC noenhanced font small
set format y "%g"
set yrange [(Y_min > room ? Y_min - room : 0) / u:(Y_max + room) / u]
set offsets graph 0.02, graph 0.04, 0, 0
set lmargin at screen LEFT
set rmargin at screen 0.96
set tmargin at screen 0.86
set bmargin at screen 0.14
set key at screen 0.975, screen 0.925 right top horizontal reverse Left samplen 1.5 noenhanced \
	font small maxrows 1
# An empty last field is not read as such before one that is not. A label that is none has no text,
# not no place: gnuplot dies of a single one.
begins(text) = strstrt(text, "%") > 0
@HEAD
plot FILE using 1:($2 / u) with points pointtype 7 pointsize 0.7 linecolor rgb "#4aa3ff" \
	title "median of a day's runs", \
	FILE using 1:($3 / u) with steps linewidth 2.5 linecolor rgb "#0072b2" \
	title "mean between changes", \
	FILE using 1:($3 / u):(begins(strcol(4)) ? strcol(4) : "") with labels left offset 1, 0.9 \
	font small textcolor rgb "#d55e00" notitle, \
	FILE using 1:(begins(strcol(4)) ? column(3) / u : NaN) with points pointtype 2 linewidth 2 \
	linecolor rgb "#d55e00" title "change"
