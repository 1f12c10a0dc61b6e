# duet.gp: the difference of two versions by round, with the interval of all; for duet.sh.
# arguments: FILE [LOW HIGH]
# FILE has a line a round: its number, the difference in percent, and 1 if it is a control.

set title TITLE
set xlabel "round"
set ylabel "difference, %"
set xrange [0:*]
set xtics noenhanced
set arrow from graph 0, first 0 to graph 1, first 0 nohead linecolor "#606060" dashtype 2
if (given == 3) {
	set object rectangle from graph 0, first real(A2) to graph 1, first real(A3) behind \
		fillcolor rgb "#cfe3f2" fillstyle solid noborder
}
plot FILE using 1:($3 == 0 ? $2 : NaN) with points pointtype 7 pointsize 0.7 linecolor rgb \
	"#0072b2" title "new beside old", \
	FILE using 1:($3 == 1 ? $2 : NaN) with points pointtype 6 pointsize 0.7 linecolor rgb \
	"#d55e00" title "control: old beside old", \
	NaN with lines linewidth 8 linecolor rgb "#cfe3f2" title "interval of the verdict"
