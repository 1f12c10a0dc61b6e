# layers.awk: the layers of docs/design.md, from the #include lines of the C files that are its arguments.
# Prints each include of a higher layer or of another directory of the same one, each cycle of modules (a
# header and the source of its name are one), and at last the longest chain of dependencies among bench.c
# and bench/: its length and its modules.

BEGIN {
	layer["util"] = layer["util/os"] = 1
	layer["engines"] = 2
	layer["bench/workload"] = 3
	layer["bench/runner"] = 4
	layer["bench/extras"] = 5
	layer["bench/report"] = 6
	layer["."] = 7
}

function directory(path) {
	return match(path, /.*\//) ? substr(path, 1, RLENGTH - 1) : "."
}

# resolved PATH: a/b/../c is a/c
function resolved(path) {
	while (match(path, /[a-z_]+\/\.\.\//))
		path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
	return path
}

function module(path) {
	return substr(path, 1, match(path, /[.][ch]$/) - 1)
}

FNR == 1 {
	here = directory(FILENAME)
	known[module(FILENAME)]
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, part, "\"")
	there = resolved((here == "." ? "" : here "/") part[2])
	to = directory(there)
	contract = there == "engines/engine.h" || there == "engines/driver_util.h"
	if (!(to in layer) || layer[to] > layer[here] || (layer[to] == layer[here] && to != here && layer[to] > 1) ||
	    (to == "engines" && layer[here] > 2 && !contract))
		print FILENAME " includes " there
	if (module(there) != module(FILENAME) && !seen[module(FILENAME), module(there)]++)
		uses[module(FILENAME)] = uses[module(FILENAME)] " " module(there)
}

# depth MODULE: how many of bench.c and bench/ the longest chain has that begins with it
function depth(m,   n, i, to, best, next_modules) {
	if (m in longest)
		return longest[m]
	if (entered[m]++) {
		print "a cycle leads through " m
		return 0
	}
	n = split(uses[m], next_modules, " ")
	for (i = 1; i <= n; i++) {
		to = next_modules[i]
		if (depth(to) > best) {
			best = depth(to)
			follows[m] = to
		}
	}
	return longest[m] = best + (m ~ /^bench/)
}

END {
	for (m in known)
		if (depth(m) > depth(deepest))
			deepest = m
	for (m = deepest; m != ""; m = follows[m])
		chain = chain (m ~ /^bench/ ? " " m : "")
	print "longest chain: " depth(deepest) chain
}
