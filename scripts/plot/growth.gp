# growth.gp: the database's size over time, with a broad band where a long reader held a snapshot.
# arguments: '"RUN" "SIZES.tsv" ...'
# Files are made by sizes.awk.

load DIR . "overtime.gp"
set datafile missing ""
set autoscale xfixmax
set xlabel "seconds"
held = 0
do for [i = 1:n] { stats file(i) using (column("held")) nooutput; held = greater(STATS_max, held) }
COLUMN = "kib"
UNIT = "(most >= 2 ** 31 ? 2 ** 30 : most >= 2 ** 21 ? 2 ** 20 : most >= 2 ** 11 ? 2 ** 10 : 1)"
@RANGE
set ylabel "size on disk, " . (u == 2 ** 30 ? "TiB" : u == 2 ** 20 ? "GiB" : \
	u == 2 ** 10 ? "MiB" : "KiB")
# Half of the colour's light is let through.
pale(i) = "#90" . tint(i)[2:]
was(i) = column("held") == 1 ? column("from_s") : NaN
if (held > 0) { set label 997 "broad: a snapshot was held" at graph 0.01, graph 0.97 left \
	font small textcolor "#5a6069" }
@PANELS
@LABEL_ENDS
plot for [i = 1:n] file(i) using (was(i)):(column("from_kib") / u): \
		(column("at_s") - column("from_s")): \
		((column("kib") - column("from_kib")) / u) with vectors nohead linewidth 10 \
		linecolor rgb pale(i) notitle, \
	@LINES
