# overtime.gp: what plots of several runs over time share; loaded after style.gp, with RUNS set to
# '"RUN" "INTERVALS.tsv" ...'. A run's name begins with its label. Files are made by intervals.awk.

set xrange [0:*]

n = words(RUNS) / 2
file(i) = word(RUNS, 2 * i)
@LONGEST
unset key

# Every point of a short run has its mark, so that a single one is seen; of a long one, some.
array INTERVALS[n]
array LAST[n]
first = last = NaN
do for [i = 1:n] {
	stats file(i) using (column("at_s")) nooutput
	INTERVALS[i] = STATS_records; LAST[i] = STATS_max
	first = STATS_min >= first ? first : STATS_min
	last = STATS_max <= last ? last : STATS_max
}
# Short times are long words.
set format x "%g"
if (last < 0.1) { set xtics last }
size(i) = INTERVALS[i] < 3 ? 1.5 : 0.9
marks_of(i) = INTERVALS[i] > 60 ? INTERVALS[i] / 20 : 1
# LINES: those of COLUMN, divided by u, of all runs.
LINES = 'for [i = 1:n] file(i) using (column("at_s")):(column(COLUMN) / u) with linespoints ' . \
	'linewidth 2 pointsize size(i) linecolor rgb tint(i) pointtype mark(of_run(name(i))) ' . \
	'dashtype dash(i) pointinterval marks_of(i) notitle'
alone = n == sum [i = 1:n] baseline(of_run(name(i)))
scaled(i) = alone || !baseline(of_run(name(i)))
# RANGE: the scale of COLUMN of all runs, divided by u = UNIT(most), from 0, or logarithmic if they
# are far apart or LOG; and the names at the ends of the lines, as high as the last tenth of each
# is.
LOG = 0
UNIT = "unit(most)"
RANGE = 'least = most = NaN; set yrange [*:*]; do for [i = 1:n] { stats file(i) using ' . \
	'(column(COLUMN)) nooutput; ' . \
	'most = STATS_max <= most || !scaled(i) ? most : STATS_max; least = STATS_min >= least ' . \
	'|| !scaled(i) ? least : STATS_min }; most = most > 0 ? most : 1; ' . \
	'u = @UNIT; LOG_NOW = LOG && least > 0 && least < most; ' . \
	'low = LOG_NOW ? 10 ** floor(log10(least / u)) : 0; ' . \
	'high = LOG_NOW ? 10 ** ceil(log10(most / u) + 0.01) : 1.06 * most / u; ' . \
	'if (LOG_NOW) { set logscale y } else { unset logscale y }; ' . \
	'do for [i = 1:n] { stats file(i) using (column("at_s") >= 0.9 * LAST[i] ? ' . \
	'(column(COLUMN) >= 0 ? column(COLUMN) : 0) : NaN) nooutput; ' . \
	'END[i] = height(STATS_mean / u > low ? STATS_mean / u : low, low, high, LOG_NOW) }; ' . \
	'set yrange [low:high]'
