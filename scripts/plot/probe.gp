# probe.gp: the write rate of each configuration, and beside it what a probe's reads met meanwhile.
# arguments: PROBES.tsv BENCHMARK '"LABEL, THREADS" ...'
# PROBES.tsv is made by probes.sh; what is drawn of it are those named, from above.

BENCHMARK = A2; NAMES = A3

lines = words(NAMES)
label(i) = of_run(word(NAMES, i))
rest(i) = word(NAMES, i)[strlen(label(i)) + 3:]
# Names in two lines, as long as these have room.
parted = lines <= 9
between = parted ? "\n" : ", "
longest = 0
do for [i = 1:lines] {
	long = parted ? strlen(label(i)) : strlen(word(NAMES, i))
	longest = greater(long, longest)
}
edge = 0.03 + 0.0103 * (longest > 38 ? 38 : longest < 10 ? 10 : longest)
middle = edge + 0.45 * (0.97 - edge)

here(i) = strcol("benchmark") eq BENCHMARK && strcol("name") eq word(NAMES, i)
its(i, what) = here(i) ? column(what) : NaN
max = 0
do for [i = 1:lines] {
	stats FILE using (its(i, "writes_per_sec")) name "W" nooutput
	max = greater(W_max, max)
}
u = unit(max)

set yrange [-lines - 0.6:-0.4]
set ytics () scale 0 font small noenhanced
do for [i = 1:lines] { set ytics add (label(i) . between . rest(i) -i) }
set grid noytics
set xtics font small
set style fill solid 0.75 noborder
set tmargin at screen 0.86
set bmargin at screen LOW + 0.01
@HEAD
set multiplot layout 1, 2

set lmargin at screen edge
set rmargin at screen middle
set xlabel unit_name(u) . "writes/s"
set xrange [0:1.05 * max / u]
unset key
plot for [i = 1:lines] FILE using (its(i, "writes_per_sec") / u):(-i):(0): \
	(its(i, "writes_per_sec") / u):(-i - 0.34):(-i + 0.34) \
	with boxxyerror linecolor rgb colour(label(i)) \
	fillstyle pattern (variant(label(i)) ? 2 : 3) notitle

@HEAD_DONE
set lmargin at screen middle + 0.03
set rmargin at screen 0.97
set xlabel "time of a probe's read"
set xrange [*:*]
set logscale x
set xtics 100
set format x "%.0s %cs"
set offsets graph 0.05, graph 0.05, 0, 0
set ytics ("" -1)
set key at screen 0.5, screen 0.93 center top horizontal Left reverse font small samplen 1 maxrows 1
array COLUMN[3] = ["p50_ns", "p99_ns", "resp_p99_ns"]
array NAME[3] = ["median call", "p99 call", "p99 response"]
array TYPE[3] = [6, 7, 2]
plot for [i = 1:lines] FILE using (its(i, "p50_ns") / 1e9):(-i): \
	((column("resp_p99_ns") - column("p50_ns")) / 1e9):(0) \
		with vectors nohead linewidth 2 linecolor rgb colour(label(i)) notitle, \
	for [c = 1:3] for [i = 1:lines] FILE using (its(i, COLUMN[c]) / 1e9):(-i) with points \
		pointtype TYPE[c] pointsize 1.2 linewidth (c == 2 ? 1 : 2) \
		linecolor rgb colour(label(i)) notitle, \
	for [c = 1:3] keyentry with points pointtype TYPE[c] pointsize 1.2 \
		linewidth (c == 2 ? 1 : 2) linecolor rgb "#404040" title NAME[c]
