# growth.gp: the database's size over time, with a broad band where a long reader held a snapshot.
# usage: gnuplot -c growth.gp OUT TITLE '"RUN" "SIZES.tsv" ...'
# Files are made by sizes.awk.

OUT = ARG1; TITLE = ARG2; RUNS = ARG3
load ARG0[:strlen(ARG0) - strlen("growth.gp")] . "style.gp"
load ARG0[:strlen(ARG0) - strlen("growth.gp")] . "overtime.gp"
set datafile missing ""
set autoscale xfixmax
set xlabel "seconds"
COLUMN = "held"
@HIGHEST
held = max
# stats leaves out what the axis would
set yrange [*:*]
COLUMN = "kib"
@HIGHEST
u = max >= 2 ** 31 ? 2 ** 30 : max >= 2 ** 21 ? 2 ** 20 : max >= 2 ** 11 ? 2 ** 10 : 1
set ylabel "size on disk, " . (u == 2 ** 30 ? "TiB" : u == 2 ** 20 ? "GiB" : u == 2 ** 10 ? "MiB" : "KiB")
# Half of the colour's light is let through.
pale(i) = "#90" . colour(of_run(name(i)))[2:]
was(i) = column("held") == 1 ? column("from_s") : NaN
set multiplot layout 1, 1 title TITLE noenhanced
plot for [i = 1:lines] file(i) using (was(i)):(column("from_kib") / u):(column("at_s") - column("from_s")): \
		((column("kib") - column("from_kib")) / u) with vectors nohead linewidth 10 linecolor rgb pale(i) notitle, \
	for [i = 1:lines] file(i) using (column("at_s")):(column("kib") / u) @LINE, \
	for [i = 1:(held > 0)] keyentry with lines linewidth 10 linecolor rgb "#90606060" title "snapshot held"
unset multiplot
