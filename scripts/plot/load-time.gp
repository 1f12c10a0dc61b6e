# load-time.gp: records loaded a second over time, whose scale is logarithmic if it spans three
# decades.
# arguments: '"RUN" "INTERVALS.tsv" ...'

load DIR . "overtime.gp"
set xlabel "seconds"
if (far(first, last)) {
	set logscale x
	set xlabel "seconds (log scale)"
	# From a power of ten, which a first second may be just below.
	set xrange [10 ** floor(log10(1.05 * first)) / 1.1:1.1 * last]
	set xtics autofreq
}
COLUMN = "writes_per_sec"
@RANGE
set ylabel unit_name(u) . "records/s"
@PANELS
@LABEL_ENDS
plot @LINES
