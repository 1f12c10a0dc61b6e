# throughput.gp: operations a second over time, reads solid and writes dashed.
# usage: gnuplot -c throughput.gp OUT TITLE WRITES(0|1) LABEL FILE.csv [LABEL FILE.csv ...]
# A label begins with the engine's name. Files are bench's --report_file.

OUT = ARG1; WRITES = int(ARG3)
load ARG0[:strlen(ARG0) - strlen("throughput.gp")] . "style.gp"
set title ARG2
set datafile separator comma

set xlabel "seconds"
set ylabel "million operations/s"
set xrange [0:*]
set yrange [0:*]
set offsets 0, 0, graph 0.15, 0

lines = (ARGC - 3) / 2
width(i) = i % 2 ? 2.5 : 1.2
plot for [i = 1:lines] ARGV[2 * i + 3] using (column("secs_elapsed")):((column("reads_per_sec") + column("scans_per_sec")) / 1e6) \
		with linespoints linewidth width(i) pointsize 0.6 pointtype 7 \
		linecolor rgb colour(engine_of(ARGV[2 * i + 2])) title ARGV[2 * i + 2] . ": reads", \
	for [i = 1:WRITES * lines] ARGV[2 * i + 3] using (column("secs_elapsed")):(column("writes_per_sec") / 1e6) \
		with linespoints linewidth width(i) pointsize 0.6 pointtype 6 dashtype 2 \
		linecolor rgb colour(engine_of(ARGV[2 * i + 2])) title ARGV[2 * i + 2] . ": writes"
