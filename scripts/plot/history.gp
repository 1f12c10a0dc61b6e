# history.gp: a figure over many days, with the mean of each stretch between two changes.
# usage: gnuplot -c history.gp OUT TITLE FILE METRIC
# FILE has a line for each entry: time, figure, mean of the stretch, and what begins with it, such as -5.1 %; or nothing.

OUT = ARG1; TITLE = ARG2; FILE = ARG3; METRIC = ARG4
DIR = ARG0[:strlen(ARG0) - strlen("history.gp")]; load DIR . "style.gp"
set datafile separator tab
set title TITLE
set xdata time
set timefmt "%Y-%m-%dT%H:%M:%SZ"
set format x "%Y-%m-%d" timedate
set xtics rotate by 30 right font small
set ylabel METRIC noenhanced
set format y "%.4s%c"
set yrange [0:*]
set offsets graph 0.02, graph 0.04, graph 0.12, 0
begins(text) = strlen(text) > 0
plot FILE using 1:2 with points pointtype 7 pointsize 0.5 linecolor rgb "#56b4e9" title "median of a day's runs", \
	FILE using 1:3 with steps linewidth 2 linecolor rgb "#0072b2" title "mean between changes", \
	FILE using 1:(begins(strcol(4)) ? column(3) : NaN):4 with labels offset 0, 1.2 font small textcolor rgb "#d55e00" notitle, \
	FILE using 1:(begins(strcol(4)) ? column(3) : NaN) with points pointtype 2 linewidth 2 linecolor rgb "#d55e00" title "change"
