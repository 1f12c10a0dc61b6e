# versions.gp: a metric of each version as a ratio to the first, a curve for each benchmark; for
# versions.sh.
# arguments: FILE, and the metric as TITLE
# FILE has a block for each benchmark, parted by two empty lines: its name and threads, then lines
# of place, version, ratio, low, high.

set title TITLE . " of each version, as a ratio to the first; bars: 95 % intervals"
set ylabel "ratio to the first version"
stats FILE using 1 name "PLACE" nooutput
stats FILE using 4 name "LOW" nooutput
stats FILE using 5 name "HIGH" nooutput
room = 0.1 * (HIGH_max - LOW_min) + 0.01
set xrange [0.5:PLACE_max + 0.5]
set yrange [(LOW_min < 1 ? LOW_min : 1) - room:greater(HIGH_max, 1) + room]
set xtics noenhanced scale 0
if (PLACE_max > 6) { set xtics rotate by -30 }
set arrow from graph 0, first 1 to graph 1, first 1 nohead linecolor "#606060" dashtype 2
# The first of them, without a sign, has the names of the versions, in the middle.
plot FILE index 0 using 1:3:xticlabels(2) with points pointtype -1 notitle, \
	for [i = 0:PLACE_blocks - 1] FILE index i using \
	($1 + 0.06 * (i - (PLACE_blocks - 1) / 2.0)):3:4:5 with yerrorlines \
	linewidth 1.5 pointtype 4 + i linecolor rgb word("#0072b2 #d55e00 #795402 #00462a " . \
	"#aa3c73 #1a9f98 #610493 #1a1a1a", i % 8 + 1) \
	title columnheader(1)
