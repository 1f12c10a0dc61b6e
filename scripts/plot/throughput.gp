# throughput.gp: operations a second over time; reads, and below them writes where there are any.
# usage: gnuplot -c throughput.gp OUT TITLE '"RUN" "INTERVALS.tsv" ...' WRITES(0|1)

OUT = ARG1; TITLE = ARG2; RUNS = ARG3; WRITES = int(ARG4)
load ARG0[:strlen(ARG0) - strlen("throughput.gp")] . "style.gp"
load ARG0[:strlen(ARG0) - strlen("throughput.gp")] . "overtime.gp"
set autoscale xfixmax

array RATE[2] = ["reads_per_sec", "writes_per_sec"]
array NAME[2] = ["reads/s", "writes/s"]

set multiplot layout 1 + WRITES, 1 title TITLE noenhanced
do for [panel = 1:1 + WRITES] {
	COLUMN = RATE[panel]
	@HIGHEST
	u = unit(max)
	set ylabel unit_name(u) . NAME[panel]
	if (panel == 1 + WRITES) { set xlabel "seconds" }
	if (panel == 2) { unset key }
	plot for [i = 1:lines] file(i) using (column("at_s")):(column(COLUMN) / u) @LINE
}
unset multiplot
