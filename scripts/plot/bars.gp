# bars.gp: grouped bars, a panel above another, a group for each workload and a bar for each label; of reproductions.
# usage: gnuplot -c bars.gp OUT TITLE YLABEL FILE PANELS LABELS - GROUPS
# FILE has columns panel, label, x, which is the group, and y; a panel's name has _ for its spaces. A group may lack a label: no bar.

OUT = ARG1; TITLE = ARG2; YLABEL = ARG3; FILE = ARG4; NAMES = ARG5; LABELS = ARG6; GROUPS = ARG8
DIR = ARG0[:strlen(ARG0) - strlen("bars.gp")]; load DIR . "style.gp"
set datafile separator tab
set datafile missing ""

there(p, e) = strcol("panel") eq word(NAMES, p) && (e eq "" || strcol("label") eq e)
width = 0.8 / words(LABELS)
# Where the bar of label number i stands in its group.
at(i) = in_list(GROUPS, strcol("x")) - 0.4 + (i - 0.5) * width
set xrange [0.4:words(GROUPS) + 0.6]
if (strlen(GROUPS) > 30) { set xtics () nomirror scale 0 font small } else { set xtics () nomirror scale 0 }
do for [g = 1:words(GROUPS)] { set xtics add (word(GROUPS, g) g) }
set grid noxtics
set lmargin 11; set rmargin 2
# Above the first panel from the left, where the screen of a telephone begins.
set key tmargin left vertical Left reverse font small samplen 2 maxrows 5

# One axis for all panels.
stats FILE using (column("y")) name "ALL" nooutput
if (words(NAMES) > 1) { set multiplot layout words(NAMES), 1 title TITLE noenhanced } else { set title TITLE }
do for [p = 1:words(NAMES)] {
	# stats leaves out what the axis of the panel before would
	set yrange [*:*]
	stats FILE using (there(p, "") ? column("y") : NaN) name "Y" nooutput
	u = unit(ALL_max)
	set yrange [0:1.05 * ALL_max / u]
	set ylabel (words(NAMES) > 1 ? join_words(word(NAMES, p)) . "\n" : "") . unit_name(u) . YLABEL noenhanced
	if (p == 2) { unset key }
	plot for [i = 1:words(LABELS)] FILE using (there(p, word(LABELS, i)) ? at(i) : NaN):(column("y") / u):(0.92 * width) \
		with boxes linecolor rgb colour(word(LABELS, i)) fillstyle pattern (variant(word(LABELS, i)) ? 2 : 3) \
		title word(LABELS, i)
}
if (words(NAMES) > 1) { unset multiplot }
