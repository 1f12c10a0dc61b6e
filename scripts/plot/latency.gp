# latency.gp: latency against the rate offered, with the limit.
# usage: gnuplot -c latency.gp OUT TITLE LADDER.tsv LIMIT_NS ENGINES

OUT = ARG1; TITLE = ARG2; FILE = ARG3; LIMIT = real(ARG4); ENGINES = ARG5
DIR = ARG0[:strlen(ARG0) - strlen("latency.gp")]; load DIR . "style.gp"
set datafile separator tab
set title TITLE
set logscale xy
set format x "%.0s%c"
set xlabel "operations offered a second"
set ylabel "time"
set format y "%.0s %cs"
set offsets graph 0.03, graph 0.03, 0, 0
here(e) = strcol("engine") eq e
x(e) = here(e) ? column("rate") : NaN

# Sorted by rate; every kept point is filled, the others are not.
plot for [e in ENGINES] FILE using (x(e)):(column("resp_p99_ns") / 1e9) smooth unique \
		with lines linewidth 2.5 linecolor rgb colour(e) notitle, \
	for [e in ENGINES] FILE using (x(e)):(column("resp_p50_ns") / 1e9) smooth unique \
		with lines linewidth 2.5 dashtype 2 linecolor rgb colour(e) notitle, \
	for [e in ENGINES] FILE using (x(e)):(column("p99_ns") / 1e9) smooth unique \
		with lines linewidth 1.5 dashtype 3 linecolor rgb colour(e) notitle, \
	for [e in ENGINES] FILE using (x(e)):(column("kept") == 1 ? column("resp_p99_ns") / 1e9 : NaN) \
		with points pointsize 1.2 pointtype 7 linecolor rgb colour(e) notitle, \
	for [e in ENGINES] FILE using (x(e)):(column("kept") == 0 ? column("resp_p99_ns") / 1e9 : NaN) \
		with points pointsize 1.2 pointtype 6 linewidth 2 linecolor rgb colour(e) notitle, \
	LIMIT / 1e9 with lines linewidth 2 dashtype 4 linecolor "#404040" title "limit of p99", \
	for [e in ENGINES] keyentry with lines linewidth 2.5 linecolor rgb colour(e) title e . ": p99 response (filled: kept)", \
	for [e in ENGINES] keyentry with lines linewidth 2.5 dashtype 2 linecolor rgb colour(e) title e . ": median response", \
	for [e in ENGINES] keyentry with lines linewidth 1.5 dashtype 3 linecolor rgb colour(e) title e . ": p99 service"
