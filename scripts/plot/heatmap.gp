# heatmap.gp: how many operations took how long over time, a panel for each kind.
# arguments: HEATMAP.tsv "read write"
# The file is made by heatmap.awk; where no operation was, the paper is blank.

KINDS = A2
LEFT = 0.14
unset key
set border 3 front
set logscale y
set format y "%.0s %cs"
set logscale cb
set format cb "%.0s%c"
set cblabel "operations/s" offset 1
set palette defined (0 "#fec287", 1 "#f1605d", 2 "#b63679", 3 "#721f81", 4 "#2c115f", 5 "#000004")
# Borders close the gaps between boxes that a PNG has, and an SVG has not.
if (svg) { set style fill solid 1 noborder } else { \
	set style fill solid 1 border }
# One scale of time and of colour for all panels.
stats FILE using (column("to_s")) nooutput
set xrange [0:STATS_max]
stats FILE using (column("per_sec")) nooutput
set cbrange [STATS_min:STATS_max]

here(k) = strcol("kind") eq k
panels = words(KINDS)
longest = 8
@PANELS
do for [n = 1:panels] {
	k = word(KINDS, n)
	set ylabel "time of a " . k
	if (n == panels) { set xlabel "seconds" }
	plot FILE using (here(k) ? column("from_s") : NaN):(column("from_ns") / 1e9): \
		(column("from_s")):(column("to_s")):(column("from_ns") / 1e9): \
		(column("to_ns") / 1e9):(column("per_sec")) \
		with boxxyerror linecolor palette
	@HEAD_DONE
}
