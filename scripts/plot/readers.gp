# readers.gp: reads, and writes where there are any, against reader threads.
# usage: gnuplot -c readers.gp OUT TITLE POINTS.tsv BENCHMARK LABELS WRITES(0|1)
# POINTS.tsv is made by points.sh. A point is the median of its runs; if there are several, with an interval.

OUT = ARG1; TITLE = ARG2; FILE = ARG3; BENCHMARK = ARG4; LABELS = ARG5; WRITES = int(ARG6)
load ARG0[:strlen(ARG0) - strlen("readers.gp")] . "style.gp"
set datafile separator tab
set datafile missing ""

array PANEL[2] = ["reads", "writes"]
whole(p) = strcol("benchmark") eq BENCHMARK && strcol("panel") eq PANEL[p]
here(p, label) = whole(p) && strcol("label") eq label
x(p, label) = here(p, label) ? column("threads") : NaN
y(p, label, name) = here(p, label) ? column(name) / u : NaN
# One run has no interval.
several(p, label) = here(p, label) && column("n") > 1
# What an engine ran on has its mark and dashes; of several settings of one engine the later ones have others.
ran_on(label) = label[strstrt(label . ":", ":"):]
again(label) = sum [j = 1:in_list(LABELS, label) - 1] (colour(word(LABELS, j)) eq colour(label) && \
	(!storage(label) || ran_on(word(LABELS, j)) eq ran_on(label)))
look(label) = mark(label) + 2 * again(label)
dash(label) = dashes(label) + again(label)
set logscale x 2
set xtics 2
set offsets graph 0.03, graph 0.03, graph 0.08, 0
set lmargin 11
# Few labels have room inside; of more the names stand above, from the left, where the screen of a telephone begins.
set rmargin 2
if (words(LABELS) > 4) { set key tmargin left vertical Left reverse maxrows 5 font small } else { set key inside top left vertical }

stats FILE using (whole(1) || whole(2) ? column("n") : NaN) name "RUNS" nooutput
RUNS = RUNS_max > 1 ? sprintf("median of %s%g runs, bars: 95 %% interval by Student's t on the logarithms", \
	RUNS_min < RUNS_max ? "up to " : "", RUNS_max) : ""

if (WRITES) { set multiplot layout 2, 1 title TITLE noenhanced } else { set title TITLE }
do for [panel = 1:1 + WRITES] {
	stats FILE using (whole(panel) ? column("median") : NaN) name "RATES" nooutput
	# Lines that lie far apart are told apart on a logarithmic axis only.
	if (RATES_max > 30 * RATES_min) { set logscale y; set yrange [*:*] } else { unset logscale y; set yrange [0:*] }
	set ylabel unit_name(unit(RATES_max)) . PANEL[panel] . "/s"
	if (panel == 1 + WRITES) { set xlabel "reader threads" . (RUNS eq "" ? "" : "\n" . RUNS) }
	if (panel == 2) { unset key }
	u = unit(RATES_max)
	plot for [e in LABELS] FILE using (x(panel, e)):(y(panel, e, "median")) \
			smooth unique with lines linewidth 2.5 linecolor rgb colour(e) dashtype dash(e) notitle, \
		for [e in LABELS] FILE using (several(panel, e) ? column("threads") : NaN):(y(panel, e, "median")):(y(panel, e, "low")):(y(panel, e, "high")) \
			with yerrorbars pointtype 0 linewidth 1.5 linecolor rgb colour(e) notitle, \
		for [e in LABELS] FILE using (x(panel, e)):(y(panel, e, "median")) \
			with points pointsize 1.2 linewidth 2 linecolor rgb colour(e) pointtype look(e) notitle, \
		for [e in LABELS] keyentry with linespoints linewidth 2.5 linecolor rgb colour(e) dashtype dash(e) \
			pointtype look(e) title e
}
if (WRITES) { unset multiplot }
