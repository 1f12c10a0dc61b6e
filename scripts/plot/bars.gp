# bars.gp: grouped bars, a panel above another, a group for each workload and a bar for each label;
# of reproductions.
# arguments: YLABEL FILE PANELS LABELS - GROUPS
# FILE has columns panel, label, x, which is the group, and y; a panel's name has _ for its spaces.
# A group may lack a label: no bar.

YLABEL = A1; FILE = A2; NAMES = A3; LABELS = A4; GROUPS = A6
set datafile missing ""

there(p, e) = strcol("panel") eq word(NAMES, p) && (e eq "" || strcol("label") eq e)
width = 0.8 / words(LABELS)
# Sides, such as published and here, are no engines.
fill(i) = kin(word(LABELS, i)) < words(known) ? colour(word(LABELS, i)) : \
	word("#9da5af #0072b2 #d55e00 #1a9f98", (i - 1) % 4 + 1)
# Where the bar of label number i stands in its group.
at(i) = in_list(GROUPS, strcol("x")) - 0.4 + (i - 0.5) * width
set xrange [0.4:words(GROUPS) + 0.6]
if (strlen(GROUPS) > 30) { set xtics () nomirror scale 0 font small } else { \
	set xtics () nomirror scale 0 }
do for [g = 1:words(GROUPS)] { set xtics add (word(GROUPS, g) g) }
set grid noxtics
set lmargin at screen LEFT; set rmargin at screen 0.975
# Below the title, from the left, where the screen of a telephone begins.
set key at screen LEFT, screen 0.935 left top vertical Left reverse font small samplen 2 maxrows 3
TOP = 0.82; TALL = (TOP - 0.06 - 0.028 * note_lines) / words(NAMES)

# One axis for all panels.
stats FILE using (column("y")) name "ALL" nooutput
set multiplot
@HEAD
do for [p = 1:words(NAMES)] {
	# stats leaves out what the axis of the panel before would
	set yrange [*:*]
	stats FILE using (there(p, "") ? column("y") : NaN) name "Y" nooutput
	u = unit(ALL_max)
	set yrange [0:1.05 * ALL_max / u]
	set ylabel (words(NAMES) > 1 ? join_words(word(NAMES, p)) . "\n" : "") . unit_name(u) . \
		YLABEL noenhanced
	set tmargin at screen TOP - (p - 1) * TALL
	set bmargin at screen TOP - p * TALL + (p < words(NAMES) ? 0.06 : 0.03)
	if (p == 2) { unset key }
	plot for [i = 1:words(LABELS)] FILE using (there(p, word(LABELS, i)) ? at(i) : NaN): \
		(column("y") / u):(0.92 * width) \
		with boxes linecolor rgb fill(i) \
		fillstyle pattern (variant(word(LABELS, i)) ? 2 : 3) \
		title word(LABELS, i)
	@HEAD_DONE
}
