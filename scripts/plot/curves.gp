# curves.gp: a figure against what was varied, a panel above another, a line for each label; of reproductions.
# usage: gnuplot -c curves.gp OUT TITLE YLABEL FILE PANELS LABELS XLABEL XLOG(0|1)
# FILE has columns panel, label, x, y and is in the order of panel, label and x; a panel's name has _ for its spaces.
# A label such as "lmdb+readahead=0" has the engine's colour and dashes of its own, and so has one with a star, whose
# figures are the publication's.

OUT = ARG1; TITLE = ARG2; YLABEL = ARG3; FILE = ARG4; PANELS = ARG5; LABELS = ARG6; XLABEL = ARG7; XLOG = int(ARG8)
load ARG0[:strlen(ARG0) - strlen("curves.gp")] . "style.gp"
load ARG0[:strlen(ARG0) - strlen("curves.gp")] . "variants.gp"
set datafile separator tab
set datafile missing ""

there(p, e) = strcol("panel") eq word(PANELS, p) && (e eq "" || strcol("label") eq e)
if (XLOG) { set logscale x 2; set xtics 2 } else { set xtics font small }
set offsets graph 0.03, graph 0.03, graph 0.08, 0
set lmargin 11; set rmargin 2
# Above the first panel from the left, where the screen of a telephone begins.
set key tmargin left vertical Left reverse font small samplen 2 maxrows 5
# Points on one vertical line have room beside them.
stats FILE using (column("x")) name "X" nooutput
# Long numbers run into one another: 20k.
set format x (X_max >= 2e4 ? "%.0s%c" : "%.0f")
if (X_min == X_max) { set xrange [0.5 * X_min:1.5 * X_max] }

stats FILE using (column("y")) name "ALL" nooutput
if (words(PANELS) > 1) { set multiplot layout words(PANELS), 1 title TITLE noenhanced } else { set title TITLE }
do for [p = 1:words(PANELS)] {
	set yrange [*:*]
	stats FILE using (there(p, "") ? column("y") : NaN) name "Y" nooutput
	u = unit(ALL_max)
	# Lines that lie far apart are told apart on a logarithmic axis only, and then in every panel.
	if (ALL_min > 0 && ALL_max > 30 * ALL_min) { set logscale y; set yrange [10 ** floor(log10(ALL_min / u)):10 ** ceil(log10(ALL_max / u))] } else { unset logscale y; set yrange [0:*] }
	set ylabel (words(PANELS) > 1 ? join_words(word(PANELS, p)) . "\n" : "") . unit_name(u) . YLABEL noenhanced
	if (p == words(PANELS)) { set xlabel XLABEL noenhanced }
	if (p == 2) { set key noautotitle; unset key }
	plot for [e in LABELS] FILE using (there(p, e) ? column("x") : NaN):(column("y") / u) with linespoints \
		linewidth 2.5 pointsize 1.2 linecolor rgb variant_colour(e) dashtype variant_dashes(e) \
		pointtype variant_mark(e) title e
}
if (words(PANELS) > 1) { unset multiplot }
