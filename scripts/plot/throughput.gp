# throughput.gp: operations a second over time, reads solid and writes dashed.
# usage: gnuplot -c throughput.gp OUT TITLE WRITES(0|1) '"LABEL" "FILE.csv" ...'
# A run's name begins with its label. Files are bench's --report_file.

OUT = ARG1; WRITES = int(ARG3)
load ARG0[:strlen(ARG0) - strlen("throughput.gp")] . "style.gp"
set title ARG2
set datafile separator comma

set xlabel "seconds"
set ylabel "million operations/s"
set xrange [0:*]
set yrange [0:*]
set offsets 0, 0, graph 0.15, 0

RUNS = ARG4
lines = words(RUNS) / 2
width(i) = i % 2 ? 1.2 : 2.5
plot for [i = 1:lines] word(RUNS, 2 * i) using (column("secs_elapsed")):((column("reads_per_sec") + column("scans_per_sec")) / 1e6) \
		with linespoints linewidth width(i) pointsize 0.6 pointtype 7 \
		linecolor rgb colour(of_run(word(RUNS, 2 * i - 1))) title word(RUNS, 2 * i - 1) . ": reads", \
	for [i = 1:WRITES * lines] word(RUNS, 2 * i) using (column("secs_elapsed")):(column("writes_per_sec") / 1e6) \
		with linespoints linewidth width(i) pointsize 0.6 pointtype 6 dashtype 2 \
		linecolor rgb colour(of_run(word(RUNS, 2 * i - 1))) title word(RUNS, 2 * i - 1) . ": writes"
