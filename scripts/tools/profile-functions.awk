# profile-functions.awk: CPU time by function, from the lines of profile-fold.awk; for profile.sh.
# usage: awk -v ops=N -f profile-functions.awk
# Out: function, library, role, us per operation in it, the same with its callees, percent of the
# profile, samples, and the caller with most of its time; unsorted.

BEGIN { FS = OFS = "\t" }
$1 != "cpu" { next }
{
	count = split($4, frame, ";")
	key = frame[count] OFS $3 OFS $2
	itself[key] += $5
	samples[key] += $6
	below[key, frame[count - 1]] += $5
	if (below[key, frame[count - 1]] > most[key]) {
		most[key] = below[key, frame[count - 1]]
		caller[key] = count > 2 ? frame[count - 1] : ""
	}
	all += $5
	# a function that calls itself counts once
	split("", seen)
	for (i = 2; i <= count; i++)
		if (!(frame[i] in seen)) {
			seen[frame[i]] = 1
			with_callees[frame[i] OFS $2] += $5
		}
}
END {
	for (key in itself) {
		split(key, part, OFS)
		printf "%s\t%.6g\t%.6g\t%.4g\t%d\t%s\n", key, itself[key] / ops,
			with_callees[part[1] OFS part[3]] / ops,
			100 * itself[key] / all, samples[key], caller[key]
	}
}
