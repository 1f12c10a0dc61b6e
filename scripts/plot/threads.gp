# threads.gp: operations a second of each thread over time; below them, of a writer or scanner beside them.
# usage: gnuplot -c threads.gp OUT TITLE THREADS.tsv "0 1 ... writer"
# The file is made by threads.awk.

OUT = ARG1; TITLE = ARG2; FILE = ARG3; NAMES = ARG4
load ARG0[:strlen(ARG0) - strlen("threads.gp")] . "style.gp"
set datafile separator tab
set xrange [0:*]
set autoscale xfixmax
set offsets 0, 0, graph 0.05, 0
set lmargin 11
set rmargin at screen 0.81

numbered(n) = strstrt("0123456789", n[1:1]) > 0
threads = int(sum [i = 1:words(NAMES)] numbered(word(NAMES, i)))
beside = words(NAMES) > threads
# So many lines have names in the key, in half a page the half; of more there is a scale of colours.
named = threads <= (beside ? 8 : 16)
set palette defined (0 "#440154", 1 "#31688e", 2 "#35b779", 3 "#e6b800", 4 "#d55e00")
set cbrange [0:threads > 1 ? threads - 1 : 1]
set cblabel "thread" offset 1.5
if (named) { unset colorbox }
set key outside right top vertical

# Thread i's line, and the room for those from one to another.
HIGHEST = "max = 0; do for [i = from:to] { stats FILE using (column(1 + i)) nooutput; max = STATS_max > max ? STATS_max : max }; " . \
	"if (max > 0) { set yrange [0:*] } else { set yrange [0:1] }; u = unit(max); set ylabel unit_name(u) . 'operations/s'"
set multiplot layout 1 + beside, 1 title TITLE noenhanced
from = 1; to = threads
@HIGHEST
if (!beside) { set xlabel "seconds" }
plot for [i = from:to] FILE using 1:(column(1 + i) / u) with lines linewidth 1.5 linecolor palette cb i - 1 \
	title (named ? "thread " . word(NAMES, i) : "")
if (beside) {
	from = threads + 1; to = words(NAMES)
	@HIGHEST
	set xlabel "seconds"
	unset colorbox
	plot for [i = from:to] FILE using 1:(column(1 + i) / u) with lines linewidth 2 linecolor "#404040" title word(NAMES, i)
}
unset multiplot
