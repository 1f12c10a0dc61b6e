# trace-misses.awk: the miss ratio of a cache by its size, from sampled units: reuse distances for
# LRU (SHARDS), a
# simulation of each size for Linux's lists.
# usage: awk -v pages=N -v sample=X -v policy=lru|linux -f trace-misses.awk KEYS ACCESSES
# KEYS has the database's keys in order, or nothing. A unit is a key, or one of `pages` pages that
# hold them in their order.

# Units are sampled, not accesses: each is drawn once.
function misses_is_sampled(unit) {
	if (!(unit in drawn)) drawn[unit] = rand() < sample
	return drawn[unit]
}
# Fenwick's tree over the sampled accesses: 1 at the last access of each unit
function misses_add(at, n) { for (; at <= most; at += low[at]) tree[at] += n }
function misses_until(at,   n) { for (; at > 0; at -= low[at]) n += tree[at]; return n }

BEGIN { srand(1) }
FILENAME == ARGV[1] { place[$0] = ++keys; next }
{
	if (pages && !($0 in place)) { unknown++; next }
	unit = pages ? int((place[$0] - 1) * pages / keys) : $0
	accesses++
	if (misses_is_sampled(unit)) access[++most] = unit
}
function misses_count(   i, unit, d) {
	for (i = 1; i <= most; i++) {
		low[i] = 1
		if (i % 2 == 0) low[i] = 2 * low[i / 2]
	}
	for (i = 1; i <= most; i++) {
		unit = access[i]
		if (unit in last) {
			d = misses_until(i - 1) - misses_until(last[unit] - 1)
			misses_add(last[unit], -1)
		} else
			# it was last used before all that were seen: somewhere among the others
			d = int((++units + of_all) / 2)
		if (i > warm) {
			distances[d]++
			if (d > farthest) farthest = d
		}
		last[unit] = i
		misses_add(i, 1)
	}
}
# Misses of an LRU cache; called with sizes that grow.
function misses_of_lru(size) {
	for (; nearest <= farthest && nearest <= size; nearest++) hits += distances[nearest]
	return counted - hits
}
# Misses of Linux's page cache for a file that is mapped with MADV_RANDOM. Only faults count as uses
# there (vma_has_recency in Linux 6.3): a page enters the inactive list, or the active one if no
# more pages were dropped and activated since it was dropped than are active. Pages are dropped 32
# at a time from the old end of the inactive list. As large a fraction of the active list is moved
# to the inactive one if a page was activated since the last time, or if the inactive list is the
# shorter one.
function misses_of_linux(size,   i, unit, misses, n, age, inactive, active, from, to, active_from,
	active_to, activated, moves, owed) {
	split("", cached)
	split("", dropped)
	split("", line)
	split("", active_line)
	for (i = 1; i <= most; i++) {
		unit = access[i]
		if (unit in cached) continue
		misses += i > warm
		if (inactive + active >= size) {
			moves = activated || inactive < active
			activated = 0
			for (n = 0; n < batch && inactive; n++) {
				if (moves) owed += active / inactive
				for (; owed >= 1 && active; owed--) {
					line[to++] = active_line[active_from]
					delete active_line[active_from++]
					active--
					inactive++
				}
				dropped[line[from]] = age++
				delete cached[line[from]]
				delete line[from++]
				inactive--
			}
		}
		cached[unit] = 1
		# the file's header, which is read by read(), is active from the start
		if (unit in dropped && age - dropped[unit] <= (active ? active : 1)) {
			activated = 1
			age++
			active++
			active_line[active_to++] = unit
		} else {
			inactive++
			line[to++] = unit
		}
	}
	return misses
}
END {
	if (unknown) print unknown " accesses to keys that were not loaded are left out" | "cat >&2"
	warm = int(most / 2)
	counted = most - warm
	if (!counted) { print "no access is left to count" | "cat >&2"; exit 2 }
	for (i = 1; i <= most; i++) distinct += !seen[access[i]]++
	of_all = pages ? pages * sample : distinct
	batch = 32 * sample < 1 ? 1 : int(32 * sample)
	if (policy == "lru") misses_count()
	# sampled accesses are more or fewer than their fraction by the luck of hot units:
	# SHARDS-adj
	all = counted + (accesses * sample - most) / 2
	print "cache\tfraction\tmiss_ratio"
	for (step = 1; step <= 40; step++) {
		size = step / 40 * of_all
		ratio = (policy == "lru" ? misses_of_lru(size) : misses_of_linux(size)) / all
		printf "%d\t%.4g\t%.4g\n", size / sample, step / 40, (ratio > 1 ? 1 : ratio)
	}
}
