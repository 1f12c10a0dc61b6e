# cpu.gp: CPU time over time, and below it what of that was in the kernel.
# usage: gnuplot -c cpu.gp OUT TITLE '"RUN" "INTERVALS.tsv" ...'

OUT = ARG1; TITLE = ARG2; RUNS = ARG3
load ARG0[:strlen(ARG0) - strlen("cpu.gp")] . "style.gp"
load ARG0[:strlen(ARG0) - strlen("cpu.gp")] . "overtime.gp"
set autoscale xfixmax

array IDEAL[lines]
do for [i = 1:lines] {
	stats file(i) using (column("ideal")) nooutput
	IDEAL[i] = STATS_max
}
set multiplot layout 2, 1 title TITLE noenhanced
COLUMN = "cpu_percent"
@HIGHEST
set ylabel "CPU, % of one"
plot for [i = 1:lines] file(i) using (column("at_s")):(column(COLUMN)) @LINE, \
	for [i = 1:lines] IDEAL[i] with lines linewidth 1.5 dashtype (12, 8) linecolor "#000000" \
		title (i == 1 || IDEAL[i] != IDEAL[i - 1] ? sprintf("ideal: %g %%", IDEAL[i]) : "")
set xlabel "seconds"
COLUMN = "sys_percent"
@HIGHEST
set ylabel "in the kernel, %"
unset key
plot for [i = 1:lines] file(i) using (column("at_s")):(column(COLUMN)) @LINE
unset multiplot
