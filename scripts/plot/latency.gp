# latency.gp: latency against the rate offered, with the limit.
# arguments: LADDER.tsv LIMIT_NS ENGINES

LIMIT = real(A2); ENGINES = A3
LEFT = 0.14
set logscale x
set format x "%.0s%c"
set xlabel "operations offered a second"
set ylabel "time"
set format y "%.0s %cs"
set offsets graph 0.03, graph 0.03, 0, 0
n = words(ENGINES)
name(i) = word(ENGINES, i)
tint(i) = colour(name(i))
@LONGEST
here(e) = strcol("engine") eq e
x(e) = here(e) ? column("rate") : NaN
# Where a run has no such figure, the limit stands for it, which is in the picture anyway.
seconds(c) = (t = column(c) / 1e9, t == t ? t : LIMIT / 1e9)
# A quarter of the height above the greatest time has the legend.
stats FILE using (seconds("resp_p99_ns")) name "MOST" nooutput
stats FILE using (seconds("resp_p50_ns")) name "LEAST" nooutput
stats FILE using (seconds("p99_ns")) name "CALL" nooutput
least = LEAST_min < CALL_min ? LEAST_min : CALL_min
most = greater(MOST_max, LIMIT / 1e9)
far_apart = far(least, most)
low = far_apart ? 10 ** floor(log10(least)) : 0; \
	high = far_apart ? 10 ** ceil(log10(most) + 0.5) : 1.3 * most
if (far_apart) { set logscale y } else { set format y "%.1s %cs" }
do for [i = 1:n] {
	stats FILE using (x(name(i))) name "X" nooutput
	stats FILE using (here(name(i)) && column("rate") == X_max ? \
		seconds("resp_p99_ns") : NaN) name "Y" nooutput
	END[i] = height(Y_max, low, high, far_apart)
}
set yrange [low:high]
set key at graph 0.01, graph 0.99 left top vertical maxrows 2 Left reverse font small samplen 3
dark = "#404040"
array COLUMN[3] = ["resp_p99_ns", "resp_p50_ns", "p99_ns"]
array NAME[3] = ["p99 response (circle: limit missed)", "median response", "p99 call"]
array WIDTH[3] = [2.5, 2.5, 1.5]
@PANELS
@LABEL_ENDS
# Sorted by rate; every kept point has the engine's mark, the others a small circle.
plot for [c = 1:3] for [e in ENGINES] FILE using (x(e)):(column(COLUMN[c]) / 1e9) smooth unique \
		with lines linewidth WIDTH[c] dashtype c linecolor rgb colour(e) notitle, \
	for [e in ENGINES] FILE using (x(e)): \
	(column("kept") == 1 ? column("resp_p99_ns") / 1e9 : NaN) \
		with points pointsize 1.4 pointtype mark(e) linecolor rgb colour(e) notitle, \
	for [e in ENGINES] FILE using (x(e)): \
	(column("kept") == 0 ? column("resp_p99_ns") / 1e9 : NaN) \
		with points pointsize 0.8 pointtype 6 linewidth 2 linecolor rgb colour(e) notitle, \
	LIMIT / 1e9 with lines linewidth 2 dashtype (12, 8) linecolor rgb dark \
	title "limit of p99 response", \
	for [c = 1:3] keyentry with lines linewidth WIDTH[c] dashtype c linecolor rgb dark \
	title NAME[c]
