# cpu.gp: CPU time over time, and below it what of that was in the kernel.
# arguments: '"RUN" "INTERVALS.tsv" ...'

panels = 2
load DIR . "overtime.gp"
set autoscale xfixmax
UNIT = "1"

# The ideal is one for all runs of so many threads.
stats file(1) using (column("ideal")) nooutput
ideal = STATS_max
@PANELS
COLUMN = "cpu_percent"
@RANGE
high = greater(high, 1.06 * ideal)
do for [i = 1:n] { END[i] = END[i] * 1.06 * most / high }
set yrange [0:high]
set ylabel "CPU, % of a core"
@LABEL_ENDS
set label 997 sprintf("ideal: %g %%", ideal) at graph 0.01, first ideal offset 0, 0.6 \
	left font small textcolor "#1a1c1f"
plot @LINES, \
	ideal with lines linewidth 1.5 dashtype (12, 8) linecolor "#1a1c1f" notitle
@HEAD_DONE
set xlabel "seconds"
COLUMN = "sys_percent"
@RANGE
set ylabel "in the kernel, %"
@LABEL_ENDS
plot @LINES
