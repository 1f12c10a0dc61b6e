# throughput.gp: operations a second over time; reads, and below them writes where there are any.
# arguments: '"RUN" "INTERVALS.tsv" ...' WRITES(0|1)

panels = 1 + int(A2)
load DIR . "overtime.gp"
set autoscale xfixmax

array RATE[2] = ["reads_per_sec", "writes_per_sec"]
array NAME[2] = ["reads/s", "writes/s"]

@PANELS
do for [panel = 1:panels] {
	COLUMN = RATE[panel]
	@RANGE
	set ylabel unit_name(u) . NAME[panel]
	if (panel == panels) { set xlabel "seconds" }
	@LABEL_ENDS
	plot @LINES
	@HEAD_DONE
}
