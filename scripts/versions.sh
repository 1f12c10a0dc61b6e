#!/bin/sh
# versions.sh: compare versions of an engine, and find the one that became slower; see --help.
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'sweep.sh' "$@"

help () {
	cat <<END
usage: scripts/versions.sh --out=DIRECTORY --engines=A,B,... [option ...]
       scripts/versions.sh --out=DIRECTORY --engines=A,B,... --bisect=METRIC [option ...]

Measures versions of an engine by sweep.sh and compares each with the first. It prints for each
benchmark the ratio of the medians with its 95 % interval, and writes DIRECTORY/versions.tsv and
plots/versions-METRIC.svg. engine.sh builds the versions; configurations such as lmdb+readahead=0
can be among them.

  --out=DIRECTORY       directory of the results
  --engines=A,B,...     the versions, the oldest first: rocksdb-7.10.2,rocksdb-8.11.4,rocksdb-9.10.0
  --metric=A,B          columns, or p50, p99, p99.9, ... as compare.sh has them [ops_per_sec]
  --bisect=METRIC       find the first version that is slower than the previous one, with one
                        benchmark and number of threads: compare the first and the last, then
                        repeatedly the middle with both ends of the half with the larger change.
                        Sixteen versions need five comparisons.
  --duet                compare by duet.sh, by the CPU time of an operation: for a busy machine. A
                        bisection is then by --bisect=cpu_us_per_op
  --explain             also name the functions whose CPU time differs from the first version's, by
                        profiles of all runs, in DIRECTORY/explained
  --threshold=PERCENT   ignore versions that are slower by less than this [5]
  --repeat=N            number of runs of each version [5; in a bisection 8]
  --seed=N              seed of the bootstrap [1]
  --help                this
Any other option goes to sweep.sh, such as --benchmarks=readrandom --threads=1 --num=1m.

A bisection finds one version that became slower; it misses several changes in a row that are each
below the threshold. It prints a confidence, 0 to 1: the fraction of random resamples of the runs
(bootstrap) that lead to the same version. It writes DIRECTORY/bisect.json; its runs are in
DIRECTORY/1, 2, ..., where it continues if it was stopped.
Exit status: 0 measured, or no version is slower; 1 one is, or a run failed; 2 wrong arguments.
END
}

out='' engines='' metric='' bisect='' duet='' explain='' threshold=5 repeat='' seed=1
benchmarks=readrandom threads=''
number=0
for argument
do
	shift
	set_option "$argument" out engines metric bisect threshold repeat seed || case $argument in
	--help) help; exit 0 ;;
	--plan-only) fail 2 "$argument is sweep.sh's alone" ;;
	--duet) duet=1 ;;
	--explain) explain=1; set -- "$@" --profile ;;
	--benchmarks=?*) benchmarks=$value; set -- "$@" "$argument" ;;
	--threads=?*) threads=$value; set -- "$@" "$argument" ;;
	--*=*) set -- "$@" "$argument" ;;
	*) refuse "$argument" 'options are --name=value, ' ;;
	esac
done
needs_out "$out"
case $engines in
*,*) ;;
*) fail 2 "--engines: give two versions or more, the oldest first" ;;
esac
echo "$threshold" | grep -q -x -E '[0-9]+([.][0-9]+)?' ||
	fail 2 "--threshold: cannot read '$threshold'; give percent"
whole --seed "$seed"
[ -n "$threads" ] || { threads=1; set -- "$@" --threads=1; }
if [ -n "$bisect" ]
then
	[ -z "$explain" ] ||
		fail 2 "--explain and --bisect exclude each other; \
run it on the version found and the one before"
	[ -z "$metric" ] ||
		fail 2 "--metric and --bisect exclude each other; --bisect names its metric"
	case $benchmarks,$threads in
	*,*,*) fail 2 "--bisect goes by one benchmark and one number of threads; \
give one --benchmarks and one --threads" ;;
	esac
fi
[ -z "$duet" ] || [ "${metric:-${bisect:-cpu_us_per_op}}$explain$repeat" = cpu_us_per_op ] ||
	fail 2 "--duet compares cpu_us_per_op, as often as it takes; \
leave out --metric, --explain and --repeat"
# as it is written, and as columns have it
metric=$(echo "${metric:-${bisect:-ops_per_sec}}" | sed 's/p99[.]9/p999/g')
bisect=$(echo "$bisect" | sed 's/p99[.]9/p999/')
needs jq
scripts=$(dirname "$(readlink -f "$0")")
make_work
direction=$(read_by versions.sh directions "$metric") || exit
mkdir -p "$out"
out=$(cd "$out" && pwd -P)

# version_table FILE: as text; a metric that is no column stands for several kinds of latency
version_table () {
	"$scripts/../bench_${engines%%[,+]*}" --columns=tsv | awk -F '\t' '
		NR == FNR { if ($1 == "result") unit[$2] = $4 == "" ? "" : ", " $4; next }
		FNR > 1 {
			point = $1 ", " $2 " thread" ($2 > 1 ? "s" : "") ", " $3 \
				($3 in unit ? unit[$3] : ", ns")
			if (point != last)
				printf "%s%s\n  %-28s %5s %14s %8s  %-20s %s\n",
					last == "" ? "" : "\n", point, "version", "runs",
					"median", "ratio", "95 % interval", "p"
			last = point
			printf "  %-28s %5d %14s %8s  %-20s %s\n", $4, $5,
				$6 == "" ? "-" : sprintf("%.6g", $6),
				$7 == "" ? "-" : sprintf("%.3f", $7),
				$8 == "" ? "-" : sprintf("%.3f to %.3f", $8, $9),
				$10 == "" ? "-" : sprintf("%.2g", $10)
		}' - "$1"
}

draw_versions () {
	command -v gnuplot >/dev/null || {
		echo "versions.sh: no plot, as gnuplot is not installed;" \
			"apt install gnuplot-nox" >&2
		return
	}
	mkdir -p "$out/plots"
	for name in $(each "$metric")
	do
		awk -F '\t' -v m="$name" \
			'NR > 1 && $3 == m && $7 != "" {
				point = $1 " " $2
				if (!(point in line)) list[++points] = point
				if (!($4 in place)) place[$4] = ++versions
				line[point] = line[point] sprintf("%d\t%s\t%s\t%s\t%s\n",
					place[$4], $4, $7, $8 == "" ? $7 : $8, $9 == "" ? $7 : $9)
			}
			END {
				for (i = 1; i <= points; i++)
					printf "%s\"%s\"\n%s", (i > 1 ? "\n\n" : ""),
						list[i], line[list[i]]
			}' "$out/versions.tsv" >"$work/$name.dat"
		[ ! -s "$work/$name.dat" ] ||
			gnuplot -c "$scripts/plot/style.gp" versions \
			"$out/plots/versions-$name.svg" "$name" "$work/$name.dat" ||
			fail 1 "gnuplot could not draw $out/plots/versions-$name.svg; \
see its message above"
	done
}

# version_duet OLD NEW OPTION...: compares them in $pair, unless that was done before, and prints
# what duet.sh says; exit status 1: the new one is slower, or a round failed
version_duet () {
	pair=$out/duet/$1..$2 old=$1 new=$2
	shift 2
	asked=$(printf '%s\n' "--seed=$seed" "$@" | sort)
	if [ -s "$pair/duet.json" ]
	then
		[ "$(cat "$pair/options")" = "$asked" ] ||
			fail 2 "$pair holds a comparison with other options; give the same ones \
to resume it, or another --out"
		cat "$pair/out.txt"
		jq -e 'all(.[]; .verdict != "slower")' "$pair/duet.json" >/dev/null
		return
	fi
	mkdir -p "$(dirname "$pair")"
	unfinished=$out/duet/unfinished-$$
	# of a pair before, which failed
	[ ! -e "$unfinished" ] || find "$unfinished" -delete
	compared=0
	"$scripts/duet.sh" --out="$unfinished" --old="$old" --new="$new" --seed="$seed" "$@" \
		>"$work/said" || compared=$?
	cat "$work/said"
	[ -s "$unfinished/duet.json" ] || return $compared
	cp "$work/said" "$unfinished/out.txt"
	echo "$asked" >"$unfinished/options"
	mv "$unfinished" "$pair"
	return $compared
}
if [ -z "$bisect" ] && [ -n "$duet" ]
then
	status=0
	for new in $(each "$engines" | cut -d ' ' -f 2-)
	do
		version_duet "${engines%%,*}" "$new" "$@" ||
			{ status=$?; [ $status -eq 1 ] || exit $status; }
	done
	exit $status
fi
if [ -z "$bisect" ]
then
	status=0
	"$scripts/sweep.sh" --out="$out" --engines="$engines" --repeat="${repeat:-5}" \
		"$@" || status=1
	read_by versions.sh compared "$out/results.json" "$engines" "$benchmarks" "$metric" \
		"$seed" >"$out/versions.tsv" || exit
	version_table "$out/versions.tsv"
	draw_versions
	for version in $(each "${explain:+$engines}" | cut -s -d ' ' -f 2-)
	do
		echo
		"$scripts/compare.sh" "$out" --by=label --old="${engines%%,*}" \
			--new="$version" --explain="$out/explained/$version" || [ $? -eq 1 ]
	done
	exit $status
fi

benchmark=${benchmarks%%[@[]*} count=$threads
[ "$benchmarks" = "${benchmarks%%@*}" ] || count=${benchmarks#*@}
last=$(echo "$engines" | tr , '\n' | wc -l)
version_at () {
	echo "$engines" | cut -d , -f "$1"
}

# versions_side_by_side OPTION...: leaves in $line the CPU time of an operation in each round of
# duet.sh, of each of $versions, as a part of that of the first one
versions_side_by_side () {
	line=1 scale=1 before=${versions%% *}
	for of in ${versions#* }
	do
		version_duet "$(version_at "$before")" "$(version_at "$of")" "$@" >&2 ||
			[ $? -eq 1 ] || exit 2
		[ -s "$pair/duet.json" ] ||
			fail 1 "$old and $new could not be compared; see above"
		line="$line$tab$(awk -F '\t' -v scale="$scale" \
			'NR > 1 && !$4 { printf "%s%.9g", n++ ? " " : "", scale / $11 }' \
			"$pair/duet.tsv")"
		scale=$(jq --argjson scale "$scale" '$scale / .[0].ratio' "$pair/duet.json")
		before=$of
	done
}

# versions_compare 'FROM ... TO' OPTION...: measures those versions by number with options of
# sweep.sh, and leaves what bisecting makes of them in $work/words
versions_compare () {
	number=$((number + 1)) list='' versions=$1
	shift
	[ -z "$duet" ] || { versions_side_by_side "$@"; versions_bisected; return; }
	for of in $versions
	do
		list=$list${list:+,}$(version_at "$of")
	done
	"$scripts/sweep.sh" --out="$out/$number" --engines="$list" --repeat="${repeat:-8}" \
		"$@" >&2 || exit
	line=
	for of in $versions
	do
		some=$(read_by versions.sh figures "$out/$number/results.json" \
			"$(version_at "$of")" "$benchmark" "$count" "$bisect") || exit
		[ -n "$some" ] ||
			fail 1 "$(version_at "$of") has no valid row with $bisect in $out/$number"
		line="$line${line:+$tab}$some"
	done
	versions_bisected
}

# versions_bisected: leaves in $work/words what reading/versions.py makes of $line
versions_bisected () {
	read_by versions.sh bisected "$line" "$direction" "$threshold" "$seed" >"$work/words"
}

# versions_slower CHANGE LOW HIGH: in words
versions_slower () {
	awk -v c="$1" -v l="$2" -v h="$3" \
		'BEGIN { printf "%.1f %% slower (%.1f to %.1f)", 100 * c, 100 * l, 100 * h }'
}

# versions_at_least CHANGE: whether that is the threshold or more
versions_at_least () {
	awk -v c="$1" -v t="$threshold" 'BEGIN { exit !(100 * c >= t) }'
}

from=1 to=$last named=null
versions_compare "1 $last" "$@"
read -r change low high sure <"$work/words"
# of the halves that were chosen, and of what the last one is
right=1
echo "comparison $number: $(version_at 1) to $(version_at "$last"): $(versions_slower \
	"$change" "$low" "$high")"
while versions_at_least "$change" && [ $((to - from)) -gt 1 ]
do
	middle=$(((from + to) / 2))
	versions_compare "$from $middle $to" "$@"
	read -r one one_low one_high two two_low two_high half same sure <"$work/words"
	echo "comparison $number: $(version_at $from) to $(version_at $middle): $(versions_slower \
		"$one" "$one_low" "$one_high"); on to $(version_at "$to"): $(
		versions_slower "$two" "$two_low" "$two_high")"
	if [ "$half" -eq 1 ]
	then
		to=$middle change=$one low=$one_low high=$one_high
	else
		from=$middle change=$two low=$two_low high=$two_high
	fi
	right=$(awk -v a="$right" -v b="$same" 'BEGIN { print a * b }')
done
confidence=$(awk -v a="$right" -v b="$sure" 'BEGIN { print a * b }')
if versions_at_least "$change"
then
	named="\"$(version_at "$to")\""
	echo "$(version_at "$to") is the first that is slower than the one before it by" \
		"$threshold % or more: $(versions_slower "$change" "$low" "$high")" \
		"than $(version_at "$from")"
else
	echo "no version is slower than the one before it by $threshold % or more"
fi
printf 'by %s of %s with %s threads, in %s comparisons; confidence %.0f %%\n' "$bisect" \
	"$benchmark" "$count" "$number" "$(jq -n "100 * $confidence")"
jq -n --argjson named "$named" --arg before "$(version_at "$from")" \
	--argjson change "$change" --argjson low "$low" --argjson high "$high" \
	--argjson confidence "$confidence" --argjson comparisons "$number" \
	--arg metric "$bisect" --argjson threshold "$threshold" \
	'{named: $named, before: (if $named then $before else null end),
	change: $change, low: $low, high: $high, confidence: $confidence,
	comparisons: $comparisons, metric: $metric, threshold: $threshold}' >"$out/bisect.json"
[ "$named" = null ] || exit 1
