# cpu.gp: CPU time over time, and below it what of that was in the kernel.
# arguments: '"RUN" "INTERVALS.tsv" ...'

panels = 2
load DIR . "overtime.gp"
set autoscale xfixmax
UNIT = "1"

# The ideal is one for all runs of so many threads, and an engine may have none with the most.
array IDEAL[n]
ideal = 0
do for [i = 1:n] {
	stats file(i) using (column("ideal")) nooutput
	IDEAL[i] = STATS_max
	ideal = greater(ideal, STATS_max)
}
again(i) = sum [j = 1:i - 1] (IDEAL[j] == IDEAL[i])
@PANELS
COLUMN = "cpu_percent"
@RANGE
high = greater(high, 1.06 * ideal)
do for [i = 1:n] { END[i] = END[i] * 1.06 * most / high }
set yrange [0:high]
set ylabel "CPU, % of a core"
@LABEL_ENDS
do for [i = 1:n] { if (again(i) == 0) {
	set label 800 + i sprintf("ideal: %g %%", IDEAL[i]) at graph 0.01, first IDEAL[i] \
		offset 0, 0.6 left font small textcolor "#1a1c1f"
} }
plot @LINES, for [i = 1:n] again(i) == 0 ? IDEAL[i] : NaN \
	with lines linewidth 1.5 dashtype (12, 8) linecolor "#1a1c1f" notitle
@HEAD_DONE
do for [i = 1:n] { unset label 800 + i }
set xlabel "seconds"
COLUMN = "sys_percent"
@RANGE
set ylabel "in the kernel, %"
@LABEL_ENDS
plot @LINES
