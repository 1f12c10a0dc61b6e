# probe-over-time.gp: writes a second over time, and below them how long a probe waited.
# arguments: '"RUN" "PROBE.tsv" ...'
# Files are made by probe.awk.

panels = 2
LEFT = 0.14
load DIR . "overtime.gp"
set datafile missing ""
set autoscale xfixmax
@PANELS
COLUMN = "writes_per_sec"
@RANGE
set ylabel unit_name(u) . "writes/s"
@LABEL_ENDS
plot @LINES
@HEAD_DONE
set xlabel "seconds"
LOG = 1
UNIT = "1e9"
COLUMN = "p99_ns"
@RANGE
set format y "%.0s %cs"
set ylabel "p99 response"
@LABEL_ENDS
plot @LINES
