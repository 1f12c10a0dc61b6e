# md1.awk: a benchmark of one server that takes the same time for each operation, with Poisson arrivals (M/D/1), simulated:
# its row, for the tests of capacity.sh. With stalls the server also stops at random moments.
# usage: awk -v seed=N -v rate=PER_SECOND -v seconds=N -v service_us=N [-v stalls=PER_SECOND -v stall_us=N] -f scripts/tools/random.awk -f md1.awk
# rate=0 is a closed loop. With limit_us=N and quantile=Q it prints the rate at which that quantile of response times, by
# Crommelin's formula, is N.

# P(waiting <= t) at that load; terms alternate, so t is at most some ten services
function waits_at_most(t, load,   k, j, sum, term, u) {
	for (k = 0; k <= t; k++) {
		u = load * (k - t)
		term = exp(-u)
		for (j = 1; j <= k; j++) term *= u / j
		sum += term
	}
	return (1 - load) * sum
}
function theory(   low, high, load) {
	for (high = 1; high - low > 1e-6;) {
		load = (low + high) / 2
		if (waits_at_most(limit_us / service_us - 1, load) >= quantile) low = load
		else high = load
	}
	return low * 1e6 / service_us
}
function arrives() { return -log(random_uniform()) * 1e6 / rate }
# the time, in microseconds, below which that part of the responses is
function quantile_of(q,   us, seen) {
	for (us = 0; us <= longest; us++) if ((seen += count[us]) >= q * n) break
	return us
}
BEGIN {
	if (limit_us) {
		printf "%.1f\n", theory()
		exit
	}
	random_seeded(seed * 7919)
	row = "{\"engine\":\"md1\",\"benchmark\":\"readrandom\",\"threads\":1,\"host\":\"here\",\"valid\":1,\"writes\":0,\"scans\":0,\"cpu_percent\":100"
	if (!rate) {
		printf "%s,\"ops_per_sec\":%d,\"reads\":%d}\n", row, 1e6 / service_us, seconds * 1e6 / service_us
		exit
	}
	stops = stalls ? -log(random_uniform()) * 1e6 / stalls : 1e18
	for (now = arrives(); now < seconds * 1e6; now += arrives()) {
		if (free < now) free = now
		while (stops <= free) {
			free = stops + stall_us > free ? stops + stall_us : free
			stops += stall_us - log(random_uniform()) * 1e6 / stalls
		}
		free += service_us
		us = int(free - now)
		if (us > longest) longest = us
		count[us]++
		n++
	}
	printf "%s,\"target_rate\":%d,\"target_rate_met\":%d,\"backlog\":0,\"ops_per_sec\":%.1f,\"reads\":%d,\"read_p99_ns\":%d,\"read_resp_p50_ns\":%d,\"read_resp_p99_ns\":%d}\n",
		row, rate, free <= seconds * 1.01e6, n / seconds, n, service_us * 1000, quantile_of(0.5) * 1000, quantile_of(0.99) * 1000
}
