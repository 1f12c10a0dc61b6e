# readers.gp: reads, and writes where there are any, against reader threads.
# usage: gnuplot -c readers.gp OUT TITLE WRITES(0|1) RESULTS.tsv BENCHMARK LABELS
# RESULTS.tsv holds valid rows only. Every run is a point, the line goes through their means.

OUT = ARG1; TITLE = ARG2; WRITES = int(ARG3); FILE = ARG4; BENCHMARK = ARG5; LABELS = ARG6
load ARG0[:strlen(ARG0) - strlen("readers.gp")] . "style.gp"
set datafile separator tab
set datafile missing ""

# A scan is a read of a range, but those of a scanner beside the readers are none of their operations.
reads(r) = r < column("ops_per_sec") ? r : column("ops_per_sec")
rate(panel) = panel == 1 ? reads(column("reads_per_sec") + column("scans") / column("seconds")) : column("writes_per_sec")
here(label) = strcol("label") eq label && strcol("benchmark") eq BENCHMARK
set logscale x 2
set xtics 2
set offsets graph 0.03, graph 0.03, graph 0.08, 0
set lmargin 11
# Few labels have room inside; beside the panels both of them must be as wide.
longest = 0
do for [e in LABELS] { longest = strlen(e) > longest ? strlen(e) : longest }
if (words(LABELS) > 4) { set key outside right top vertical; set rmargin longest + 7 } else { set key inside top left vertical }

array LABEL[2] = ["reads/s", "writes/s"]
whole(panel) = strcol("benchmark") eq BENCHMARK && rate(panel) > 0 ? rate(panel) : NaN

if (WRITES) { set multiplot layout 2, 1 title TITLE noenhanced } else { set title TITLE }
do for [panel = 1:1 + WRITES] {
	stats FILE using (whole(panel)) name "RATES" nooutput
	# Lines that lie far apart are told apart on a logarithmic axis only.
	if (RATES_max > 30 * RATES_min) { set logscale y; set yrange [*:*] } else { unset logscale y; set yrange [0:*] }
	set ylabel unit_name(unit(RATES_max)) . LABEL[panel]
	if (panel == 1 + WRITES) { set xlabel "reader threads" }
	if (panel == 2) { unset key }
	plot for [e in LABELS] FILE using (here(e) ? column("threads") : NaN):(rate(panel) / unit(RATES_max)) \
			smooth unique with lines linewidth 2.5 linecolor rgb colour(e) dashtype dashes(e) notitle, \
		for [e in LABELS] FILE using (here(e) ? column("threads") : NaN):(rate(panel) / unit(RATES_max)) \
			with points pointsize 1.2 linewidth 2 linecolor rgb colour(e) pointtype mark(e) notitle, \
		for [e in LABELS] keyentry with linespoints linewidth 2.5 linecolor rgb colour(e) dashtype dashes(e) \
			pointtype mark(e) title e
}
if (WRITES) { unset multiplot }
