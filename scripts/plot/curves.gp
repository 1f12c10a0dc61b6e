# curves.gp: a metric against what was varied, a panel above another, a line for each label; of reproductions.
# usage: gnuplot -c curves.gp OUT TITLE YLABEL FILE PANELS LABELS XLABEL XLOG(0|1)
# FILE has columns panel, label, x, y and is in the order of panel, label and x; a panel's name has _ for its spaces.
# A label such as "lmdb+readahead=0" has the engine's colour and dashes of its own, and so has one with a star, whose
# numbers are the publication's.

OUT = ARG1; TITLE = ARG2; YLABEL = ARG3; FILE = ARG4; NAMES = ARG5; LABELS = ARG6; XLABEL = ARG7; XLOG = int(ARG8)
DIR = ARG0[:strlen(ARG0) - strlen("curves.gp")]; load DIR . "style.gp"
set datafile separator tab
set datafile missing ""

panels = words(NAMES)
n = words(LABELS)
name(i) = word(LABELS, i)
tint(i) = colour(name(i))
do for [i = 1:n] { longest = strlen(name(i)) > longest ? strlen(name(i)) : longest }
there(p, e) = strcol("panel") eq word(NAMES, p) && (e eq "" || strcol("label") eq e)
unset key
# Points on one vertical line have room beside them.
stats FILE using (column("x")) name "X" nooutput
ux = XLOG ? 1 : unit(X_max)
if (XLOG) { set logscale x 2; set xtics 2; set format x (X_max >= 2e4 ? "%.0s%c" : "%.0f") } else { set xtics font small; set format x "%g" }
set offsets graph 0.03, graph 0.03, 0, 0
if (X_min == X_max) { set xrange [0.5 * X_min / ux:1.5 * X_max / ux] }

# One scale for all panels.
stats FILE using (column("y")) name "ALL" nooutput
far_apart = far(ALL_min, ALL_max)
u = far_apart ? 1 : unit(ALL_max)
if (far_apart) { set format y "%.0s%c" }
low = far_apart ? 10 ** floor(log10(ALL_min / u)) : 0; high = far_apart ? 10 ** ceil(log10(ALL_max / u) + 0.01) : 1.06 * ALL_max / u
@PANELS
do for [p = 1:panels] {
	set yrange [*:*]
	unset logscale y
	do for [i = 1:n] {
		END[i] = NaN
		stats FILE using (there(p, "") ? (there(p, name(i)) ? column("x") : X_min - 1) : NaN) name "LAST" nooutput
		if (LAST_max >= X_min) {
			stats FILE using (there(p, name(i)) && column("x") == LAST_max ? column("y") : NaN) name "Y" nooutput
			END[i] = height(Y_max / u, low, high, far_apart)
		}
	}
	if (far_apart) { set logscale y }
	set yrange [low:high]
	set ylabel (panels > 1 ? join_words(word(NAMES, p)) . "\n" : "") . unit_name(u) . YLABEL noenhanced
	if (p == panels) { set xlabel XLABEL . (ux > 1 ? ", " . unit_name(ux) : "") noenhanced }
	@LABEL_ENDS
	plot for [e in LABELS] FILE using (there(p, e) ? column("x") / ux : NaN):(column("y") / u) with linespoints \
		linewidth 2.5 pointsize 1.2 linecolor rgb colour(e) dashtype dashes(e) pointtype mark(e) notitle
	@HEAD_DONE
	@UNLABEL
}
unset multiplot
