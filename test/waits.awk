# waits.awk: are the waiting times of an open loop those that follow from what happened? Reads what a build with
# -DASSAY_TRACE says on stderr, `trace THREAD DUE BEGUN DONE` in nanoseconds, for each operation.
# -v reported='MEAN P50 P99 MAX SERVICE OPS LATE DEVIATION', as the row has them, -v arrivals=constant|poisson -v rate=PER_SECOND.
#
# A thread is a server with a queue. An operation arrives at its scheduled start; its service is the time that the thread needs from
# when it could have begun it (it was due, and the one before was done) to when it is done, so with whatever the machine made
# it wait for besides. Lindley's recursion over arrivals and services, W' = max(0, W + S - gap), gives each waiting time
# without looking at it, on any machine, however busy. What was reported must agree within 1 %, which is what a histogram
# keeps; and the arrivals must be those that were asked for, so that no schedule follows the server.

$1 != "trace" { next }
{
	thread = $2
	due = $3
	n++
	free = thread in done && done[thread] > due ? done[thread] : due
	service = $5 - free
	if (thread in done) {
		gap = due - last[thread]
		gaps++
		length_ += gap
		squares += gap * gap
		if (gap < 0)
			say("goes back in thread " thread)
		wait[thread] += before[thread] - gap
		if (wait[thread] < 0)
			wait[thread] = 0
	} else
		wait[thread] = 0
	response[n] = wait[thread] + service
	sum += response[n]
	responses_squared += response[n] * response[n]
	waited += wait[thread]
	call += $5 - $4
	late[n] = $4 - due
	done[thread] = $5
	last[thread] = due
	before[thread] = service
}
function say(what) {
	print what
	bad = 1
}
function agree(what, ours, theirs) {
	printf "%s: %.0f ns by the recursion, %.0f reported\n", what, ours, theirs
	off = theirs / ours - 1
	if (off < 0)
		off = -off
	# of times each rounded to a nanosecond
	if (off * ours < 3)
		off = 0
	worst = off > worst ? off : worst
	if (off > 0.01)
		say(what " does not agree")
}
function sort(list,    i, command, path) {
	path = FILENAME ".sorted"
	command = "sort -n >'" path "'"
	for (i = 1; i <= n; i++)
		printf "%.0f\n", list[i] | command
	close(command)
	for (i = 1; (getline line < path) > 0; i++)
		list[i] = line
	close(path)
}
BEGIN {
	split(reported, r, " ")
}
END {
	if (n < 1000 || n != r[6]) {
		say("written down: " n ", reported: " r[6])
		exit 1
	}
	sort(response)
	sort(late)
	agree("mean response", sum / n, r[1])
	agree("median response", response[int((n + 1) / 2)], r[2])
	agree("99th percentile", response[int((99 * n + 99) / 100)], r[3])
	agree("99th percentile of start errors", late[int((99 * n + 99) / 100)], r[7])
	agree("longest", response[n], r[4])
	agree("deviation", sqrt(responses_squared / n - (sum / n) * (sum / n)), r[8])
	agree("mean service", call / n, r[5])
	printf "off by %.4f\n", worst
	for (thread in done)
		count++ # of which each has its fraction of the rate
	mean = 1e9 / rate * count
	printf "%d arrivals, gaps of %.0f ns on the mean, to be %.0f; squares %.4f; %.0f ns waited on the mean\n", n,
		length_ / gaps, mean, squares / gaps / (mean * mean), waited / n
	# six standard deviations of a sum of exponentials, and of one of their squares
	spread = arrivals == "poisson" ? 6 / sqrt(gaps) : 1e-4
	if (length_ / gaps > mean * (1 + spread) || length_ / gaps < mean * (1 - spread))
		say("the mean gap is another")
	expected = arrivals == "poisson" ? 2 : 1
	spread = arrivals == "poisson" ? 6 * sqrt(20 / gaps) : 1e-3
	if (squares / gaps / (mean * mean) > expected + spread || squares / gaps / (mean * mean) < expected - spread)
		say("the gaps are not " arrivals)
	exit bad
}
