# explain.awk: CPU time of functions in several profiles, as samples for build/stats; for explain.sh.
# usage: awk -v pairs=N -f explain.awk PROFILES FUNCTIONS.tsv ...
# PROFILES has lines: pair, side, file of functions, operations. Out, for each pair: the pair, ;, the function, ;, its library, ;, its main caller, ;, the difference
# in standard errors of the sampling, and us per operation in each profile of the old side, and of the new one; without a function
# those of all functions.

# A library by the name that its versions share; a program stands for its version, too.
function shared_name(library) {
	sub(/\.so(\.[0-9]+)*$/, "", library)
	sub(/^bench_.*/, "bench", library)
	return library
}

function sum_of(pair, side, key,   i, sum) {
	for (i = 1; i <= profiles[pair, side]; i++)
		sum += us[file_of[pair, side, i], key]
	return profiles[pair, side] ? sum / profiles[pair, side] : 0
}

# The variance of the mean: n samples have a standard error of 1 / sqrt(n) of their sum.
function sampling_variance(pair, side, key,   i, n, sum) {
	for (i = 1; i <= profiles[pair, side]; i++) {
		n = samples[file_of[pair, side, i], key]
		sum += n ? us[file_of[pair, side, i], key] ^ 2 / n : 0
	}
	return profiles[pair, side] ? sum / profiles[pair, side] ^ 2 : 0
}

function sampling_errors(pair, key,   variance) {
	variance = sampling_variance(pair, "old", key) + sampling_variance(pair, "new", key)
	return variance ? (sum_of(pair, "new", key) - sum_of(pair, "old", key)) / sqrt(variance) : 0
}

function values(pair, side, key,   i, text) {
	for (i = 1; i <= profiles[pair, side]; i++)
		text = text (i > 1 ? " " : "") sprintf("%.9g", us[file_of[pair, side, i], key])
	return text
}

function print_line(pair, key) {
	printf "%s;%s;%s;%.3g\t%s\t%s\n", pair, key, caller[key], sampling_errors(pair, key), values(pair, "old", key), values(pair, "new", key)
}

BEGIN { FS = "\t" }
FILENAME == ARGV[1] {
	file_of[$1, $2, ++profiles[$1, $2]] = $3 ".functions.tsv"
	pair_of[$1] = 1
	next
}
FNR > 1 && $3 != "harness" {
	key = ($1 == "[" $2 "]" ? "[" shared_name($2) "]" : $1) ";" shared_name($2)
	us[FILENAME, key] += $4
	samples[FILENAME, key] += $7
	us[FILENAME, ";"] += $4
	samples[FILENAME, ";"] += $7
	keys[key] = 1
	if ($4 > most[key]) {
		most[key] = $4
		caller[key] = $8
	}
}
END {
	for (pair in pair_of) {
		print_line(pair, ";")
		least = sum_of(pair, "old", ";") > sum_of(pair, "new", ";") ? sum_of(pair, "old", ";") : sum_of(pair, "new", ";")
		for (key in keys)
			if (sum_of(pair, "old", key) >= least / 200 || sum_of(pair, "new", key) >= least / 200)
				print_line(pair, key)
	}
}
