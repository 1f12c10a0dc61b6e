# trace-misses.awk: the miss ratio of an LRU cache by its size, from sampled reuse distances (SHARDS).
# usage: awk -v pages=N -v sample=X -f trace-misses.awk KEYS ACCESSES
# KEYS has the database's keys in order, or nothing. A unit is a key, or one of `pages` pages that hold them in their order.

# Units are sampled, not accesses: each is drawn once.
function is_sampled(unit) {
	if (!(unit in drawn)) drawn[unit] = rand() < sample
	return drawn[unit]
}
# Fenwick's tree over the sampled accesses: 1 at the last access of each unit
function add(at, n) { for (; at <= most; at += low[at]) tree[at] += n }
function until(at,   n) { for (; at > 0; at -= low[at]) n += tree[at]; return n }

BEGIN { srand(1) }
FILENAME == ARGV[1] { place[$0] = ++keys; next }
{
	if (pages && !($0 in place)) { unknown++; next }
	unit = pages ? int((place[$0] - 1) * pages / keys) : $0
	accesses++
	if (is_sampled(unit)) access[++most] = unit
}
END {
	for (i = 1; i <= most; i++) {
		low[i] = 1
		if (i % 2 == 0) low[i] = 2 * low[i / 2]
	}
	for (i = 1; i <= most; i++) distinct += !seen[access[i]]++
	of_all = pages ? pages * sample : distinct
	warm = int(most / 2)
	for (i = 1; i <= most; i++) {
		unit = access[i]
		if (unit in last) {
			d = until(i - 1) - until(last[unit] - 1)
			add(last[unit], -1)
		} else
			# it was last used before all that were seen: somewhere among the others
			d = int((++units + of_all) / 2)
		if (i > warm) {
			counted++
			distances[d]++
			if (d > farthest) farthest = d
		}
		last[unit] = i
		add(i, 1)
	}
	if (unknown) print unknown " accesses to keys that were not loaded are left out" | "cat >&2"
	if (!counted) { print "no access is left to count" | "cat >&2"; exit 2 }
	# sampled accesses are more or fewer than their fraction by the luck of hot units: SHARDS-adj
	adjust = (accesses * sample - most) / 2
	all = counted + adjust
	hits = adjust
	total_units = of_all / sample
	print "cache\tfraction\tmiss_ratio"
	for (step = d = 1; step <= 40; step++) {
		size = step / 40 * total_units
		for (; d <= farthest && d <= size * sample; d++) hits += distances[d]
		ratio = 1 - hits / all
		if (ratio < 0) ratio = 0
		if (ratio > 1) ratio = 1
		printf "%d\t%.4g\t%.4g\n", size, step / 40, ratio
	}
}
