# readers.gp: reads, and writes where there are any, against reader threads.
# arguments: POINTS.tsv BENCHMARK LABELS WRITES(0|1)
# POINTS.tsv is made by points.sh. A point is the median of its runs; low and high, where they are,
# are the ends of its whisker.

BENCHMARK = A2; LABELS = A3; panels = 1 + int(A4)
set datafile missing ""

array PANEL[2] = ["reads", "writes"]
n = words(LABELS)
name(i) = word(LABELS, i)
tint(i) = colour(name(i))
@LONGEST
alone = n == sum [i = 1:n] baseline(name(i))
whole(p) = strcol("benchmark") eq BENCHMARK && strcol("panel") eq PANEL[p]
here(p, label) = whole(p) && strcol("label") eq label
x(p, label) = here(p, label) ? column("threads") : NaN
y(p, label, what) = here(p, label) ? column(what) / u : NaN
scaled(p) = whole(p) && (alone || !baseline(strcol("label")))
several(p, label) = here(p, label) && strlen(strcol("low")) > 0
# Of several settings of one engine the later ones have other dashes.
again(label) = sum [j = 1:in_list(LABELS, label) - 1] (colour(word(LABELS, j)) eq colour(label) && \
	dashes(word(LABELS, j)) == dashes(label))
dash(label) = dashes(label) + again(label)
set logscale x 2
set xtics 2
set autoscale xfix
set offsets graph 0.03, graph 0.03, 0, 0
unset key

@PANELS
do for [panel = 1:panels] {
	set yrange [*:*]
	unset logscale y
	stats FILE using (scaled(panel) ? column("median") : NaN) name "RATES" nooutput
	stats FILE using (scaled(panel) ? (strlen(strcol("high")) > 0 ? column("high") : \
		column("median")) : NaN) name "TOPS" nooutput
	most = TOPS_max
	far_apart = far(RATES_min, RATES_max)
	u = far_apart ? 1 : unit(most)
	low = far_apart ? 10 ** floor(log10(RATES_min / u)) : 0; \
		high = far_apart ? 10 ** ceil(log10(most / u) + 0.01) : 1.06 * most / u
	if (far_apart) { set logscale y; set format y "%.0s%c" } else { set format y "%g" }
	do for [i = 1:n] {
		END[i] = NaN
		stats FILE using \
			(whole(panel) ? (here(panel, name(i)) ? column("threads") : 0) : NaN) \
			name "X" nooutput
		if (X_max > 0) {
			stats FILE using (here(panel, name(i)) && column("threads") == X_max \
				? column("median") : NaN) name "Y" nooutput
			END[i] = height(Y_max / u, low, high, far_apart)
		}
	}
	set yrange [low:high]
	set ylabel unit_name(u) . PANEL[panel] . "/s"
	if (panel == panels) { set xlabel "reader threads" }
	@LABEL_ENDS
	plot for [e in LABELS] FILE using (x(panel, e)):(y(panel, e, "median")) \
			smooth unique with lines linewidth 2.5 \
			linecolor rgb colour(e) dashtype dash(e) notitle, \
		for [e in LABELS] FILE using (several(panel, e) ? column("threads") : NaN): \
		(y(panel, e, "median")):(y(panel, e, "low")):(y(panel, e, "high")) \
			with yerrorbars pointtype 0 linewidth 1.5 linecolor rgb colour(e) notitle, \
		for [e in LABELS] FILE using (x(panel, e)):(y(panel, e, "median")) \
			with points pointsize 1.2 linewidth 2 \
			linecolor rgb colour(e) pointtype mark(e) notitle
	@HEAD_DONE
	@UNLABEL
}
