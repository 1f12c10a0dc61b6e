# trace-distance.awk: the distances of two traces, from the sorted counts of trace-facts.awk.
# usage: first=NAME other=NAME awk -v limit=X -f trace-distance.awk COUNTS

BEGIN { FS = "\t"; GRID = 1000; first = ENVIRON["first"]; other = ENVIRON["other"] }

$1 == "!" { fact[$2, $3] = $4; next }
$1 == "operation" { operations[$2]; ops[$2, $3] = $4; next }
$1 == "popularity" { steps[$3]++; count[$3, steps[$3]] = -$2; keys[$3, steps[$3]] = $4; next }
{
	i = ++lines[$1]
	value[$1, i] = $2
	side[$1, i] = $3
	times[$1, i] = $4
	total[$1, $3] += $4
	sum[$1, $3] += $2 * $4
}

# the largest difference of the two distribution functions
function distance_apart(kind,   i, below, most, d) {
	if (!total[kind, 1] || !total[kind, 2]) return total[kind, 1] || total[kind, 2] ? 1 : 0
	for (i = 1; i <= lines[kind]; i++) {
		below[side[kind, i]] += times[kind, i]
		if (i < lines[kind] && value[kind, i + 1] == value[kind, i]) continue
		d = below[1] / total[kind, 1] - below[2] / total[kind, 2]
		if (d < 0) d = -d
		if (d > most) most = d
	}
	return most + 0
}
# the fraction of accesses that go to the hottest keys, at each point of the grid
function distance_shares(s,   i, g, seen_keys, seen, step) {
	for (g = i = 1; i <= steps[s]; i++) {
		step = keys[s, i]
		for (; g <= GRID && g / GRID * fact["keys", s] <= seen_keys + step + 1e-9; g++)
			share[s, g] = (seen + (g / GRID * fact["keys", s] - seen_keys) * \
				count[s, i]) / fact["n", s]
		seen_keys += step
		seen += step * count[s, i]
	}
}
function distance_line(name, one, two, distance) {
	printf "%-14s %-14s %-14s %.3f\n", name, one, two, distance
	if (limit != "" && distance > limit) above = 1
}
function distance_sizes(kind) {
	distance_line(kind, distance_mean_of(kind, 1), distance_mean_of(kind, 2),
		distance_apart(kind))
}
function distance_per_operation(s) {
	return fact["seconds", s] > 0 ? \
		sprintf("%.5g/s", (fact["n", s] - 1) / fact["seconds", s]) : "at once"
}
function distance_mean_of(kind, s) {
	return total[kind, s] ? sprintf("mean %.4g", sum[kind, s] / total[kind, s]) : "none"
}
function distance_percent(o, s) { return sprintf("%.3g %%", 100 * ops[o, s] / fact["n", s]) }

END {
	printf "first: %s, %d operations on %d keys\nother: %s, %d operations on %d keys\n\n",
		first, fact["n", 1], fact["keys", 1], other, fact["n", 2], fact["keys", 2]
	printf "%-14s %-14s %-14s %s\n", "", "first", "other", "distance"
	for (o in operations) {
		d = ops[o, 1] / fact["n", 1] - ops[o, 2] / fact["n", 2]
		mix += (d < 0 ? -d : d) / 2
	}
	distance_line("operations", "", "", mix)
	for (o in operations)
		printf "  %-12s %-14s %-14s\n", o, distance_percent(o, 1), distance_percent(o, 2)
	distance_shares(1)
	distance_shares(2)
	for (g = 1; g <= GRID; g++) {
		d = share[1, g] - share[2, g]
		if (d < 0) d = -d
		if (d > most) most = d
	}
	distance_line("popularity", "", "", most)
	for (g = GRID / 100; g <= GRID / 10; g *= 10)
		printf "  %-12s %-14s %-14s\n", "hottest " g * 100 / GRID " %",
			sprintf("%.3g %%", 100 * share[1, g]), sprintf("%.3g %%", 100 * share[2, g])
	distance_sizes("key sizes")
	distance_sizes("value sizes")
	distance_line("gaps", distance_per_operation(1), distance_per_operation(2),
		distance_apart("gaps"))
	exit above + 0
}
