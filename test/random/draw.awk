# draw.awk: a command line for random.sh, as words, drawn from a seed.
# usage: awk -v seed=N -v engines="lmdb null" -f draw.awk workloads.txt options.txt
# The first word is the engine, the others options without their hyphens. In them @ stands for the directory of the
# run, and a byte that would end a word for %XX.

# Park and Miller's random numbers, which every awk computes alike.
function random() {
	state = state * 16807 % 2147483647
	return state / 2147483647
}
function below(n) {
	return int(random() * n)
}

# A number from LEAST~MOST, the smaller as likely as the greater ones.
function between(text,   ends) {
	split(text, ends, "~")
	return int(exp(log(ends[1]) + random() * log((ends[2] + 1) / ends[1])))
}

# One of several choices, its ranges drawn.
function choose(text,   choices, one) {
	one = choices[1 + below(split(text, choices, "|"))]
	while (match(one, /[0-9]+~[0-9]+/))
		one = substr(one, 1, RSTART - 1) between(substr(one, RSTART, RLENGTH)) substr(one, RSTART + RLENGTH)
	return one
}

# Set an option: a second time, its value alone; -name takes it away.
function set(word,   name) {
	name = word
	sub(/=.*/, "", name)
	if (sub(/^-/, "", name)) {
		delete value[name]
		return
	}
	if (!(name in value))
		names[++count] = name
	value[name] = substr(word, length(name) + 2)
}

# An option is no more than this, as it would be if it is not there.
function at_most(name, most) {
	if (!(name in value) || value[name] + 0 > most)
		set(name "=" most)
}

# A workload that fills, or one that does not, as often as its chance says. At a rate too low for all records it is one
# that ends by the clock.
function workload(fills,   i, left) {
	do {
		left = random() * chances[fills]
		for (i = 1; i < known[fills]; i++)
			if ((left -= chance[fills, i]) < 0)
				break
	} while (!fills && slow && !by_clock[fills, i])
	return name[fills, i]
}

# With threads of its own, or repeated, now and then.
function dressed(one) {
	if (random() < 0.08)
		one = one "@" 1 + below(5)
	if (random() < 0.06)
		one = one "[X" 2 + below(2) "]"
	if (random() < 0.05)
		one = one "[W1]"
	return one
}

BEGIN {
	state = 1 + (seed * 48271 + 11) % 2147483646
	for (i = 0; i < 8; i++)
		random()
	split(engines, engine, " ")
	chosen = engine[1 + below(split(engines, engine, " "))]
}
/^#/ {
	next
}
FILENAME ~ /workloads/ {
	fills = $3 == "fills"
	name[fills, ++known[fills]] = $1
	chance[fills, known[fills]] = $2
	by_clock[fills, known[fills]] = $5 == "each"
	writes[$1] = $3 != "reads" && $1 != "fillbulk" && $1 != "ucsb-0" || $9 == "beside=writer"
	chances[fills] += $2
	next
}
($1 == "*" || index("," $1 ",", "," chosen ",")) && random() < $2 {
	sub(/^[^ ]* [^ ]* /, "")
	words = split(choose($0), word, " ")
	for (i = 1; i <= words; i++)
		set(word[i])
}
END {
	slow = "load" in value || ("read_rate" in value && value["read_rate"] + 0 < 1000)
	list = "benchmarks" in value ? value["benchmarks"] : ""
	if (list == "" && !("load" in value) && (chosen != "null" || random() < 0.5))
		list = dressed(workload(1))
	for (more = "benchmarks" in value ? 0 : list == "" ? 1 + below(2) : below(5); more; more--)
		list = list (list == "" ? "" : ",") dressed(workload(random() < 0.07 && !("load" in value)))
	# a scan of all tells how many records there are; at a low rate it would not end
	if (list ~ /,/ && !slow && list !~ /l\.|smallbank/ && !("trace_out" in value) && random() < (list ~ /mix|ycsb-[de]|ucsb-[dy]|delete/ ? 0.5 : 0.1))
		list = list ",scan@1"
	if (slow && list ~ /scan@1/)
		set("-read_rate")
	# what goes beside what writes needs that, and records of the suite's own
	alone = 1
	split(list, entry, ",")
	for (i in entry) {
		sub(/[@[].*/, "", entry[i])
		if (writes[entry[i]])
			alone = 0
	}
	if (alone || list ~ /l\.|smallbank/ || "trace_out" in value) {
		set("-probe_rate")
		set("-long_reader")
		set("-long_reader_pause")
		set("-backup")
	}
	# a recording is of a whole run, and no trace is written twice
	if ("trace_out" in value) {
		set("-again")
		set("-other")
		# and a fill of the list may be too much for a rate that was meant for others
		if ("load" in value)
			set("-rate")
		set("-load")
	}
	# responses are timed one by one
	if ("probe_rate" in value)
		set("-latency")
	# what an engine never takes would only be refused
	if (chosen == "aio" && "value_size" in value && value["value_size"] ~ /[,-]/)
		value["value_size"] = 100
	# in a database that is opened again, Tkrzw's last row of a client may not be the last, and what it reads backward ends early
	if (chosen == "tkrzw" && list ~ /l\.|readreverse/) {
		set("-reopen")
		set("-cold")
		set("-isolate")
	}
	# and what many threads do each is to be little
	if (value["threads"] + 0 > 4) {
		at_most("num", 3000)
		at_most("reads", 300)
		at_most("writes", 100)
		# WiredTiger's wait awake for each other: on a busy machine one call of 64 took 25 seconds
		if (chosen == "wiredtiger" && value["threads"] + 0 > 16)
			at_most("num", 500)
	}
	# nor are statements of the Insert Benchmark, transactions of four changes a row: a conflict at every Nth change
	# would be met again each time
	if (list ~ /l\.i/) {
		set("-null_conflict_every")
		at_most("num", chosen == "kyoto" ? 200 : 1000)
		at_most("writes", 200)
	}
	# a batch of more writes than that would never end
	if ("null_conflict_every" in value)
		at_most("num", value["null_conflict_every"] - 2)
	if ("isolate" in value || "repeat" in value)
		value["supervise"] = 1
	printf "%s benchmarks=%s", chosen, list
	for (i = 1; i <= count; i++)
		if (names[i] in value && names[i] != "benchmarks")
			printf " %s=%s", names[i], value[names[i]]
	print ""
}
