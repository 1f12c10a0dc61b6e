# percentiles.gp: latency against percentile; the axis gives each further nine the same room.
# usage: gnuplot -c percentiles.gp OUT TITLE '"LABEL" "FILE.hgrm" ...'
# A run's name begins with its label. Files are HdrHistogram percentile files in nanoseconds.

OUT = ARG1
load ARG0[:strlen(ARG0) - strlen("percentiles.gp")] . "style.gp"
set title ARG2

set logscale xy
set xlabel "percentile, %"
set xtics ("0" 1, "90" 10, "99" 1e2, "99.9" 1e3, "99.99" 1e4, "99.999" 1e5, "99.9999" 1e6, "" 1e7, "" 1e8, "" 1e9)
set xrange [1:*]
set ylabel "latency"
set ytics ("1 ns" 1, "10 ns" 10, "100 ns" 1e2, "1 µs" 1e3, "10 µs" 1e4, "100 µs" 1e5, "1 ms" 1e6, "10 ms" 1e7, "100 ms" 1e8, "1 s" 1e9, "10 s" 1e10)

RUNS = ARG3
# Runs after the first of a colour are dashed.
name(i) = word(RUNS, 2 * i - 1)
dash(i) = 1 + sum [j = 1:i - 1] (colour(of_run(name(j))) eq colour(of_run(name(i))))
lines = words(RUNS) / 2
# The last row of a file is 100 % and has no fourth column.
plot for [i = 1:lines] word(RUNS, 2 * i) using (valid(4) ? $4 : NaN):1 with lines linewidth 2.5 \
	linecolor rgb colour(of_run(name(i))) dashtype dash(i) title name(i)
