# order.awk: the runs of a sweep with repetitions, in a random order; for sweep.sh.
# usage: awk -v seed=N -f random.awk -f order.awk
# A line in is: part, round, unit, database, command, with tabs between them. Lines of part 0 load a database, and come
# just before the first unit of part 1 that names it. The units of a part are shuffled within each round, so that every
# round has all of them; the lines of a unit stay together and in their order.

# Fisher and Yates's shuffle of one part of one round.
function shuffled(group,   n, i, k, order, swap) {
	n = units[group]
	for (i = 1; i <= n; i++)
		order[i] = i
	for (i = n; i > 1; i--) {
		k = 1 + below(i)
		swap = order[i]
		order[i] = order[k]
		order[k] = swap
	}
	for (i = 1; i <= n; i++) {
		printf "%s", load[database[group, order[i]]]
		load[database[group, order[i]]] = ""
		printf "%s", text[group, order[i]]
	}
}

BEGIN {
	FS = "\t"
	seeded(seed)
}
$1 == 0 {
	load[$4] = load[$4] $5 "\n"
	next
}
{
	group = $1 " " $2
	if (!units[group] || unit[group, units[group]] != $3)
		unit[group, ++units[group]] = $3
	if ($1 == 1)
		database[group, units[group]] = $4
	text[group, units[group]] = text[group, units[group]] $5 "\n"
	rounds = $2 > rounds ? $2 : rounds
}
END {
	for (part = 1; part <= 2; part++)
		for (i = 1; i <= rounds; i++)
			shuffled(part " " i)
}
