# throughput.gp: operations a second over time; reads, and below them writes where there are any.
# usage: gnuplot -c throughput.gp OUT TITLE WRITES(0|1) '"RUN" "FILE.csv" ...'
# A run's name begins with its label. Files are bench's --report_file.

OUT = ARG1; TITLE = ARG2; WRITES = int(ARG3); RUNS = ARG4
load ARG0[:strlen(ARG0) - strlen("throughput.gp")] . "style.gp"
set datafile separator ","
set yrange [0:*]
set xrange [0:*]
set offsets 0, graph 0.05, graph 0.05, 0
set lmargin 11

lines = words(RUNS) / 2
name(i) = word(RUNS, 2 * i - 1)
# The second run of a label is dashed.
dash(i) = i > 1 && of_run(name(i)) eq of_run(name(i - 1)) ? 2 : 1
longest = 0
do for [i = 1:lines] { longest = strlen(name(i)) > longest ? strlen(name(i)) : longest }
set key outside right top vertical
set rmargin longest + 7

rate(panel) = panel == 1 ? (column("reads_per_sec") + column("scans_per_sec")) / 1e6 : column("writes_per_sec") / 1e3
array LABEL[2] = ["million reads/s", "thousand writes/s"]

if (WRITES) { set multiplot layout 2, 1 title TITLE noenhanced } else { set title TITLE }
do for [panel = 1:1 + WRITES] {
	set ylabel LABEL[panel]
	if (panel == 1 + WRITES) { set xlabel "seconds" }
	if (panel == 2) { unset key }
	plot for [i = 1:lines] word(RUNS, 2 * i) using (column("secs_elapsed")):(rate(panel)) with linespoints \
		linewidth 2 pointsize 0.6 linecolor rgb colour(of_run(name(i))) pointtype mark(of_run(name(i))) \
		dashtype dash(i) title name(i)
}
if (WRITES) { unset multiplot }
