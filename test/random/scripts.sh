#!/bin/sh
# scripts.sh: random things that happen to scripts; see --help.
# shellcheck disable=SC2016,SC2094 # jq programs are quoted; a file named err is not read meanwhile
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../scripts/common.sh"

help () {
	cat <<EOF
usage: test/random/scripts.sh [--seconds=N] [--runs=N] [--seed=N]

Does to the scripts, by turns, what a seed says:

  a sweep is interrupted at random moments, by TERM, INT, HUP or KILL, to itself or to all it started, and
  started again until it ends: each run of the plan is there exactly once, whole and valid
  a file of rows is cut, edited, or has rows of others among its own, and goes to summary, table,
  compare, plot and report: each reads it, or says in a line of its own what is wrong with it, with status 1 or 2
  the results lie below a path with blanks, quotes, line ends, a leading dash: each script prints
  the same as below any other path, or refuses the path in one line with status 2
  the same is printed where figures have commas (de_DE, made for the test; skipped without localedef)

  --seconds=N  how long [20]; 0: as many as --runs says
  --runs=N     so many at most [0: no limit]
  --seed=N     of the first [the time]; --runs=1 --seed=N does one again
  --help       this

Stops at the first finding: exit status 1, and what it was is kept and named. Otherwise 0; 2 for wrong
arguments.
EOF
}

seconds=20 runs=0 seed=$(($(date +%s) % 1000000000))
for argument
do
	value=${argument#*=}
	case $argument in
	--help) help; exit 0 ;;
	--seconds=*) seconds=$value ;;
	--runs=*) runs=$value ;;
	--seed=*) seed=$value ;;
	*) fail 2 "cannot read '$argument'; see --help" ;;
	esac
done
whole --seconds "$seconds"
whole --runs "$runs"
whole --seed "$seed"
[ "$seconds$runs" != 00 ] || fail 2 "neither --seconds nor --runs says when to end"
needs jq parallel gnuplot
scripts=$(cd "$here/../../scripts" && pwd)
make_work
work=$(cd "$work" && pwd)
keep=
trap '[ -n "$keep" ] || rm -rf "$work"' EXIT
cd "$work"

# below N: a random whole number; Park and Miller's, as in draw.awk
below () {
	state=$((state * 16807 % 2147483647))
	drawn=$((state % $1))
}
# one CHOICE...: one of them, in $chosen
one () {
	below $#
	shift $drawn
	chosen=$1
}

finding () {
	keep=1
	tail -n 5 "$work/err" >&2 || :
	fail 1 "seed $seed: $1; all of it is in $work"
}

# sweep_of DIRECTORY OPTION...: a small one
sweep_of () {
	directory=$1
	shift
	"$scripts/sweep.sh" --out="$directory" --engines=null,lmdb --threads="$threads" --num=500 --timeline_interval=0.05 "$@"
}

# ---- interrupted ----

# Until it ends by itself, at most so often; what then is there is each run once.
interrupted () {
	one plain 'a b' "it's" 'q"x' '$(id)' '{}' '%s' 'ü' 'a;b' '*' '#' 'x runs/y'
	out=$work/sweep/$chosen
	one 1 2
	repeat=$chosen
	one 1 2 1,3
	threads=$chosen
	one readrandom overwrite readwhilewriting readrandom,overwrite
	set -- --benchmarks="$chosen" --duration=0.05 --repeat="$repeat"
	mkdir sweep
	times=0
	while
		[ $times -lt 4 ]
	do
		one TERM INT HUP KILL
		signal=$chosen
		below 1500
		to=
		[ $((drawn % 2)) -eq 0 ] || to=--foreground
		status=0
		timeout $to --signal="$signal" "$((drawn / 1000)).$(printf %03d $((drawn % 1000)))" \
			"$scripts/sweep.sh" --out="$out" --engines=null,lmdb --threads="$threads" --num=500 --timeline_interval=0.05 "$@" \
			>>out 2>err || status=$?
		[ $status -ne 0 ] || break
		case $status in
		124 | 129 | 130 | 137 | 143) ;;
		*) finding "a sweep that was told to end by $signal ended with $status" ;;
		esac
		times=$((times + 1))
		# what KILL left behind holds the lock until it has ended
		for _ in $(seq 100)
		do
			[ ! -e "$out/lock" ] || ! flock --nonblock --conflict-exit-code 9 "$out/lock" true || break
			sleep 0.1
		done
	done
	sweep_of "$out" "$@" >>out 2>err || finding "a sweep that was interrupted $times times does not end"
	interruptions=$((interruptions + times))
	sed 1d "$out/plan.tsv" | wc -l >planned
	jq -es --argjson planned "$(cat planned)" 'length == $planned and all(.[]; .valid == 1) and
		(map([.label, .benchmark, .threads, .repetition, (.command | capture("--json=(?<f>.*)/row.json").f)]) | unique | length) == $planned' \
		"$out/results.json" >jq 2>&1 || finding "not each run once, and valid: $(jq -c '[.label, .benchmark, .threads, .repetition, .valid]' "$out/results.json" | paste -s -)"
	[ "$(wc -l <"$out/results.tsv")" -eq $((1 + $(cat planned))) ] || finding "results.tsv has not each run once"
	for run in "$out"/runs/*
	do
		{ [ "$(wc -l <"$run/row.json")" -eq 1 ] && [ "$(wc -l <"$run/row.tsv")" -eq 2 ]; } || finding "$run has not one row"
		awk -F '\t' -v ops="$(jq .ops "$run/row.json")" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$1 == "time" { again = 1 } $at["thread"] == "all" { sum += $at["ops"]; if ($at["at_s"] + 0 < last + 0) again = 1; last = $at["at_s"] }
			END { exit again || sum != ops }' "$run/timeline.tsv" || finding "$run/timeline.tsv has not its run once"
	done
	# and once more there is nothing to do
	cp "$out/results.json" before
	sweep_of "$out" "$@" >>out 2>err || finding "a sweep that has ended does not end again"
	cmp -s before "$out/results.json" || finding "a sweep that had ended ran again"
	rm -rf sweep
	sweeps=$((sweeps + 1))
}

# ---- damaged ----

# judge SCRIPT ARGUMENT...: it takes what it was given, or refuses it properly
judge () {
	script=$1 status=0
	shift
	timeout 100 "$scripts/$script" "$@" >out 2>err </dev/null || status=$?
	files=$((files + 1))
	case $status in
	0) ! grep -q -e '^jq: ' -e 'awk: ' -e '^parse error' -e ': not found' -e 'line [0-9]*:' err || finding "$script $*: goes on after an error" ;;
	1 | 2)
		# 1 is also compare.sh's verdict
		grep -q "^$script: ." err || { [ "$script $status" = 'compare.sh 1' ] && grep -q slower out; } ||
			finding "$script $*: does not say why it ends with $status"
		refused=$((refused + 1)) ;;
	*) finding "$script $*: exit status $status" ;;
	esac
}

damaged () {
	mkdir damaged
	cp -r good/. damaged
	one garbled garbled cut foreign edited empty
	case $chosen in
	garbled) awk -v seed="$seed" -v form=json -f "$here/../../scripts/tools/random.awk" -f "$here/../garble.awk" good/results.json >damaged/results.json ;;
	cut)
		below "$(wc -c <good/results.json)"
		head -c "$drawn" good/results.json >damaged/results.json ;;
	foreign)
		one '.host = "elsewhere"' '.kernel = "Plan 9"' '.schema = "other/7"' '.engine_version = "99"' '{a: 1}' '.durability = "sync"' '[.]' '.label = "q\"x"' '.label = "a b"'
		jq -c "select(input_line_number % 3 == 0) |= ($chosen)" good/results.json >damaged/results.json ;;
	edited)
		one '.valid = 0' '.ops_per_sec = null' '.ops_per_sec = -1' '.ops_per_sec = "many"' 'del(.threads)' '.rates = "x y"' '.read_p99_ns = 1e400' '.benchmark = "../x"' '.label = ""' '.threads = 0'
		jq -c "$chosen" good/results.json >damaged/results.json ;;
	empty) : >damaged/results.json ;;
	esac
	for run in damaged/runs/*
	do
		below 6
		case $drawn in
		0 | 1) file=timeline.tsv form=tsv ;;
		2) file=row.json form=json ;;
		*) continue ;;
		esac
		awk -v seed="$((seed + drawn))" -v form="$form" -f "$here/../../scripts/tools/random.awk" -f "$here/../garble.awk" "$run/$file" >garbled
		mv garbled "$run/$file"
	done
	judge summary.sh damaged/results.json
	judge table.sh damaged/results.json
	judge compare.sh damaged --by=label --old=null --new=lmdb --allow=engine,engine_version,filesystem
	judge compare.sh good damaged
	judge report.sh damaged
	below 3
	[ "$drawn" -ne 0 ] || judge plot.sh damaged
	# a row that is invalid is in no table
	jq -c 'if .label == "null" then .valid = 0 | .invalid_reason = "said so" else . end' good/results.json >invalid.json
	"$scripts/summary.sh" invalid.json >out 2>err || finding "summary.sh ends with $? for rows some of which are invalid"
	! grep -q '^null ' out || finding "summary.sh shows invalid rows"
	rm -rf damaged
}

# ---- odd paths ----

# below_path PATH SCRIPT ARGUMENT...: as from good, with the names exchanged; or refused in a line
below_path () {
	path=$1 script=$2
	shift 2
	status=0
	"$scripts/$script" "$@" >out 2>err </dev/null || status=$?
	if [ $status -eq 2 ]
	then
		{ [ "$(wc -l <err)" -eq 1 ] && grep -q "^$script: ." err && [ ! -s out ]; } || finding "$script does not refuse $path in one line"
		refused_paths=$((refused_paths + 1))
		return 0
	fi
	[ $status -eq "$(cat "plain/$script.status")" ] || finding "$script ends with $status below $path"
	[ ! -s err ] || cmp -s err "plain/$script.err" || finding "$script complains below $path"
	# names of files differ, and a report has the directory's
	case $script in
	plot.sh | report.sh) ;;
	*) cmp -s out "plain/$script.out" || finding "$script prints something else below $path" ;;
	esac
}
# all_below DIRECTORY: what the scripts print of it
all_below () {
	"$1" summary.sh "$2/results.json"
	"$1" table.sh "$2/results.json"
	"$1" compare.sh "$2" --by=label --old=null --new=lmdb --allow=engine,engine_version,filesystem
	"$1" report.sh "$2"
	"$1" plot.sh "$2"
}
as_plain () {
	status=0
	"$scripts/$1" "$2" ${3+"$3" "$4" "$5" "$6"} >"plain/$1.out" 2>"plain/$1.err" </dev/null || status=$?
	echo $status >"plain/$1.status"
}
is_alike () {
	below_path "$odd" "$@"
}
odd_path () {
	line='new
line'
	one 'a b' "it's" 'q"x' "$line" '-x' '--help=1' '$HOME' 'back\slash' '%s%n' 'ü' 'a;b' 'a&b' '#' '{}' 'a=b' '*' ' ' 'end ' '~' '`id`' '!' '<b>'
	odd=$chosen
	mkdir odd
	cp -r good "odd/$odd"
	cd odd
	ln -s ../plain plain
	all_below is_alike "$odd"
	pictures=$(find "./$odd/plots" -name '*.svg' -printf x 2>/dev/null | wc -c)
	cd "$work"
	mv odd/out odd/err "$work"
	[ "$pictures" -eq "$(find good/plots -name '*.svg' -printf x | wc -c)" ] || [ "$status" -eq 2 ] ||
		finding "plot.sh draws $pictures pictures below $odd"
	status=0
	"$scripts/sweep.sh" --out="odd/s $odd" --engines=null --threads=1 --num=10 >out 2>err || status=$?
	case $status in
	0) [ "$(wc -l <"odd/s $odd/results.json")" -eq 2 ] || finding "sweep.sh does not leave two rows below $odd" ;;
	2) { [ "$(wc -l <err)" -eq 1 ] && [ ! -e "odd/s $odd" ]; } || finding "sweep.sh does not refuse $odd in one line" ;;
	*) finding "sweep.sh ends with $status below $odd" ;;
	esac
	paths=$((paths + 1))
	rm -rf odd
}

# ---- where figures have commas ----

in_german () {
	script=$1 status=0
	shift
	LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 LANGUAGE=de LOCPATH="$work/locales" "$scripts/$script" "$@" >out 2>err </dev/null ||
		status=$?
	[ $status -eq "$(cat "plain/$script.status")" ] || finding "$script ends with $status in de_DE"
	cmp -s out "plain/$script.out" || finding "$script prints something else in de_DE"
	cmp -s err "plain/$script.err" || finding "$script says something else in de_DE"
}
german () {
	[ -d locales ] || return 0
	all_below in_german good
	rm -rf german
	LC_ALL=de_DE.UTF-8 LOCPATH="$work/locales" "$scripts/sweep.sh" --out=german --engines=null,lmdb --threads=1 --num=100 \
		--duration=0.05 --timeline_interval=0.05 >out 2>err || finding "a sweep in de_DE fails"
	jq -es 'length == 4 and all(.[]; .valid == 1 and (.command | contains("0.05")))' german/results.json >jq 2>&1 || finding "a sweep in de_DE has other rows"
	germans=$((germans + 1))
}

interruptions=0 sweeps=0 files=0 refused=0 paths=0 refused_paths=0 germans=0 done=0 first=$seed
state=1
threads=2
sweep_of good --benchmarks=readrandom --duration=0.1 >out 2>err || finding "a sweep fails"
mkdir plain
all_below as_plain good
if command -v localedef >/dev/null && mkdir locales && localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 2>err
then
	[ "$(LC_ALL=de_DE.UTF-8 LOCPATH="$work/locales" awk 'BEGIN { print 1 / 2 }')" = 0,5 ] || finding "there are no commas in de_DE"
else
	rm -rf locales
fi
end=$(($(date +%s) + seconds))
while { [ "$seconds" -eq 0 ] || [ "$(date +%s)" -lt $end ]; } && { [ "$runs" -eq 0 ] || [ $done -lt "$runs" ]; }
do
	state=$((1 + (seed * 48271 + 11) % 2147483646))
	for _ in 1 2 3 4 5 6 7 8
	do
		below 1
	done
	case $((seed % 8)) in
	0 | 4) interrupted ;;
	1 | 3 | 5) damaged ;;
	2 | 6) odd_path ;;
	7) german ;;
	esac
	seed=$((seed + 1))
	done=$((done + 1))
done
[ -d locales ] || echo "without de_DE: there is no localedef; apt install locales"
echo "$done trials with seeds from $first: $sweeps sweeps interrupted $interruptions times, each run there once; $files damaged files" \
	"of rows, $refused refused; $paths odd paths, refused $refused_paths times; $germans rounds in de_DE"
