# threads.gp: operations a second of each thread over time; below them, of a writer or scanner
# beside them.
# arguments: THREADS.tsv "0 1 ... writer"
# The file is made by threads.awk. Of more than eight threads the fastest and the slowest have names
# and colours, the others are grey.

NAMES = A2
set xrange [0:*]
set autoscale xfixmax
unset key

numbered(name) = strstrt("0123456789", name[1:1]) > 0
n = words(NAMES)
threads = int(sum [i = 1:n] numbered(word(NAMES, i)))
panels = 1 + (n > threads)
longest = 20
array MEAN[n]
array LATE[n]
stats FILE using 1 nooutput
last = STATS_max
do for [i = 1:n] {
	stats FILE using (column(1 + i)) nooutput
	MEAN[i] = STATS_mean
	stats FILE using ($1 >= 0.9 * last ? column(1 + i) : NaN) nooutput
	LATE[i] = STATS_mean
}
faster(i) = sum [j = 1:threads] (MEAN[j] > MEAN[i] || (MEAN[j] == MEAN[i] && j < i))
first(i) = i <= threads && threads > 1 && faster(i) == 0
slowest(i) = i <= threads && threads > 1 && faster(i) == threads - 1
called(i) = i > threads ? word(NAMES, i) : "thread " . word(NAMES, i)
name(i) = called(i) . (first(i) ? ", fastest" : slowest(i) ? ", slowest" : "")
named(i) = threads <= 8 || i > threads || first(i) || slowest(i)
tint(i) = first(i) || threads == 1 ? "#0072b2" : slowest(i) ? "#d55e00" : \
	i > threads ? "#1a1c1f" : "#9da5af"

dash(i) = slowest(i) ? 2 : i > threads ? i - threads : 1

@PANELS
do for [panel = 1:panels] {
	from = panel == 1 ? 1 : threads + 1; to = panel == 1 ? threads : n
	set yrange [*:*]
	most = 0
	do for [i = from:to] { stats FILE using (column(1 + i)) nooutput; \
		most = greater(STATS_max, most) }
	u = unit(most); high = most > 0 ? 1.06 * most / u : 1
	set yrange [0:high]
	do for [i = 1:n] { END[i] = i >= from && i <= to && named(i) ? LATE[i] / u / high : NaN }
	set ylabel unit_name(u) . "ops/s"
	if (panel == panels) { set xlabel "seconds" }
	@LABEL_ENDS
	plot for [i = from:to] FILE using 1:(column(1 + i) / u) with lines \
		linewidth (first(i) || slowest(i) || i > threads ? 2 : 1) \
		dashtype dash(i) linecolor rgb tint(i) notitle
	@HEAD_DONE
	@UNLABEL
}
