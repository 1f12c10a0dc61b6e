# bisect.awk: in which of two halves the step is; for versions.sh, after random.awk.
# usage: awk -v more=0|1 -v threshold=SHARE -v seed=N -f random.awk -f bisect.awk
# A line in has the figures of two or three versions, in their order, with tabs between them;
# more=1: more of them is better.
# A line out, of two: what the second is slower by, as a share, with its 95 % interval, and in how
# many of the draws that is at least the threshold (or, where it is less, in how many it is less).
# Of three: the same of both halves, without that; then the half that is worse, 1 or 2, in how many
# of the draws it is the same one, and that of its threshold.

# sort x[from..to], by halves
function bisect_sort(x, from, to,   middle, i, j, k, y) {
	if (from >= to)
		return
	middle = int((from + to) / 2)
	bisect_sort(x, from, middle)
	bisect_sort(x, middle + 1, to)
	i = from
	j = middle + 1
	for (k = from; k <= to; k++)
		y[k] = j > to || (i <= middle && x[i] <= x[j]) ? x[i++] : x[j++]
	for (k = from; k <= to; k++)
		x[k] = y[k]
}

# Of x[1..n], sorted.
function bisect_median(x, n) {
	return (x[int((n + 1) / 2)] + x[int(n / 2) + 1]) / 2
}

# How much slower, by the medians: the time of the second, or the inverse of its rate, beside that
# of the first.
function bisect_slower(first, second) {
	return (more ? first / second : second / first) - 1
}

# The middle and the interval of what was drawn as of[1..draws].
function bisect_interval(of, change) {
	bisect_sort(of, 1, draws)
	return sprintf("%.6g\t%.6g\t%.6g", change, of[int(draws * 0.025) + 1],
		of[draws - int(draws * 0.025)])
}

function bisect_middle(k,   i, x) {
	for (i = 1; i <= many[k]; i++)
		x[i] = figure[k, i]
	return bisect_median(x, many[k])
}

function bisect_drawn(k,   i, x) {
	for (i = 1; i <= many[k]; i++)
		x[i] = figure[k, 1 + random_below(many[k])]
	bisect_sort(x, 1, many[k])
	return bisect_median(x, many[k])
}

BEGIN {
	FS = "\t"
	getline
	versions = split($0, field, "\t")
	for (k = 1; k <= versions; k++) {
		many[k] = split(field[k], x, " ")
		for (i = 1; i <= many[k]; i++)
			x[i] += 0
		bisect_sort(x, 1, many[k])
		for (i = 1; i <= many[k]; i++)
			figure[k, i] = x[i]
		at[k] = bisect_middle(k)
	}
	one = bisect_slower(at[1], at[2])
	two = versions > 2 ? bisect_slower(at[2], at[3]) : 0
	half = versions > 2 && two > one ? 2 : 1
	draws = 2000
	random_seeded(seed)
	for (d = 1; d <= draws; d++) {
		a = bisect_drawn(1)
		b = bisect_drawn(2)
		one_of[d] = bisect_slower(a, b)
		if (versions > 2) {
			two_of[d] = bisect_slower(b, bisect_drawn(3))
			same += (two_of[d] > one_of[d] ? 2 : 1) == half
		}
		sure += ((half == 2 ? two_of[d] : one_of[d]) >= threshold) == \
			((half == 2 ? two : one) >= threshold)
	}
	if (versions > 2)
		print bisect_interval(one_of, one) "\t" bisect_interval(two_of, two) "\t" \
			half "\t" same / draws "\t" sure / draws
	else
		print bisect_interval(one_of, one) "\t" sure / draws
	exit
}
