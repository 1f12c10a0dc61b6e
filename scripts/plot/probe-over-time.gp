# probe-over-time.gp: writes a second over time, and below them how long a probe waited.
# usage: gnuplot -c probe-over-time.gp OUT TITLE '"RUN" "PROBE.tsv" ...'
# Files are made by probe.awk.

OUT = ARG1; TITLE = ARG2; RUNS = ARG3
load ARG0[:strlen(ARG0) - strlen("probe-over-time.gp")] . "style.gp"
load ARG0[:strlen(ARG0) - strlen("probe-over-time.gp")] . "overtime.gp"
set datafile missing ""
set autoscale xfixmax
set multiplot layout 2, 1 title TITLE noenhanced
COLUMN = "writes_per_sec"
@HIGHEST
u = unit(max)
set ylabel unit_name(u) . "writes/s"
plot for [i = 1:lines] file(i) using (column("at_s")):(column(COLUMN) / u) @LINE
set xlabel "seconds"
unset key
set autoscale y
set logscale y
set format y "%.0s %cs"
set ylabel "p99 response to the probe"
plot for [i = 1:lines] file(i) using (column("at_s")):(column("p99_ns") / 1e9) @LINE
unset multiplot
