# overtime.gp: what plots of several runs over time share; loaded after style.gp, with RUNS set to
# '"RUN" "INTERVALS.tsv" ...'. A run's name begins with its label. Files are made by intervals.awk.

set datafile separator tab
set xrange [0:*]
set offsets 0, 0, graph 0.05, 0
set lmargin 11

lines = words(RUNS) / 2
name(i) = word(RUNS, 2 * i - 1)
file(i) = word(RUNS, 2 * i)
# Runs after the first of a colour are dashed.
dash(i) = 1 + sum [j = 1:i - 1] (colour(of_run(name(j))) eq colour(of_run(name(i))))
longest = 0
do for [i = 1:lines] { longest = strlen(name(i)) > longest ? strlen(name(i)) : longest }
# Beside the panels, so that both of two are as wide.
set key outside right top vertical font small samplen 3
set rmargin 0.8 * longest + 8

# Every point of a short run has its mark, so that a single one is seen; of a long one, some.
array INTERVALS[lines]
first = last = NaN
do for [i = 1:lines] {
	stats file(i) using (column("at_s")) nooutput
	INTERVALS[i] = STATS_records
	first = STATS_min >= first ? first : STATS_min
	last = STATS_max <= last ? last : STATS_max
}
# Short times are long words.
set format x "%g"
if (last < 0.1) { set xtics last }
size(i) = INTERVALS[i] < 3 ? 1.5 : 0.6
marks(i) = INTERVALS[i] > 60 ? INTERVALS[i] / 20 : 1
LINE = "with linespoints linewidth 2 pointsize size(i) linecolor rgb colour(of_run(name(i))) pointtype mark(of_run(name(i))) " . \
	"dashtype dash(i) pointinterval marks(i) title name(i)"
# The largest figure in COLUMN of any run, and room for it.
HIGHEST = "max = 0; do for [i = 1:lines] { stats file(i) using (column(COLUMN)) nooutput; max = STATS_max > max ? STATS_max : max }; " . \
	"if (max > 0) { set yrange [0:*] } else { set yrange [0:1] }"
