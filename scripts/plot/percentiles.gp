# percentiles.gp: latency against percentile; the axis gives each further nine the same room.
# arguments: '"LABEL" "FILE.hgrm" ...'
# A run's name begins with its label. Files are HdrHistogram percentile files in nanoseconds.

set datafile separator whitespace
LEFT = 0.14

set logscale xy
set xlabel "percentile, %"
set xtics ("0" 1, "90" 10, "99" 1e2, "99.9" 1e3, "99.99" 1e4, "99.999" 1e5, "99.9999" 1e6, "" 1e7, \
	"" 1e8, "" 1e9)
set ylabel "latency"
set ytics ("1 ns" 1, "10 ns" 10, "100 ns" 1e2, "1 µs" 1e3, "10 µs" 1e4, "100 µs" 1e5, \
	"1 ms" 1e6, "10 ms" 1e7, "100 ms" 1e8, "1 s" 1e9, "10 s" 1e10)
unset key

n = words(RUNS) / 2
# The last row of a file is 100 % and has no fourth column.
least = most = furthest = NaN
array LAST[n]
do for [i = 1:n] {
	longest = greater(strlen(name(i)), longest)
	stats word(RUNS, 2 * i) using (valid(4) ? $4 : NaN):(valid(4) ? $1 : NaN) nooutput
	least = STATS_min_y >= least ? least : STATS_min_y
	LAST[i] = STATS_max_y
	most = STATS_max_y <= most ? most : STATS_max_y
	furthest = STATS_max_x <= furthest ? furthest : STATS_max_x
}
low = 10 ** floor(log10(greater(least, 1))); high = 10 ** ceil(log10(most) + 0.01)
set xrange [1:furthest]
set yrange [0.999 * low:high]
do for [i = 1:n] { END[i] = height(LAST[i], low, high, 1) }
@PANELS
@LABEL_ENDS
plot for [i = 1:n] word(RUNS, 2 * i) using (valid(4) ? $4 : NaN):1 with linespoints linewidth 2.5 \
	linecolor rgb tint(i) dashtype dash(i) pointtype mark(of_run(name(i))) pointinterval 12 \
	notitle
