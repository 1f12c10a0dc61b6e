#!/bin/sh
# fuzz.sh: give invalid input to everything that reads input; see --help.
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'timeout' "$@"

help () {
	cat <<END
usage: scripts/fuzz.sh [--seconds=N] [--seed=N] [PROGRAM]

Gives random and damaged input first to the parser of command lines: PROGRAM, which make fuzz builds
from test/fuzz.c with libFuzzer and sanitizers. Then summary.sh, table.sh, report.sh, published.sh
and claims.sh read results with one to three faults: a file cut in the middle of a line, a value of
another type, a huge number, a missing column, a byte that is not UTF-8. A script must end in time,
with exit status 0 and without messages of jq or awk, or with 1 or 2 and a message of its own. The
verdict on a claim must be holds, fails, depends or open.

--seconds=N  seconds in all, half for each kind of input [60]
--seed=N     seed of the first input [the time]; --seconds=0 --seed=N repeats one round

Exit status: 0 nothing was found; 1 at the first finding, whose input is kept and named; 2 wrong
arguments.
END
}

seconds=60 seed=$(($(date +%s) % 1000000000)) program=
for argument
do
	case $argument in
	--help) help; exit 0 ;;
	--seconds=*) seconds=${argument#*=} ;;
	--seed=*) seed=${argument#*=} ;;
	-*) fail 2 "unknown option $argument; see --help" ;;
	*) program=$argument ;;
	esac
done
whole --seconds "$seconds"
whole --seed "$seed"
needs jq

make_work
keep=
trap '[ -n "$keep" ] || rm -rf "$work"' EXIT
cd "$(dirname "$0")/.."

if [ -n "$program" ] && [ "$seconds" -gt 1 ]
then
	"$program" -seed=$((seed % 1000000000 + 1)) -max_total_time=$((seconds / 2)) \
		-max_len=300 -timeout=5 -artifact_prefix="$work/" >"$work/log" 2>&1 || {
		keep=1
		grep -e '^fuzz: ' -e '^SUMMARY: ' "$work/log" >&2 ||
			tail -n 5 "$work/log" >&2
		fail 1 "$program failed; its words and the input are in $work"
	}
	tail -n 1 "$work/log"
fi

# The scripts read some tables from where they are, so they are given a place of their
# own. Some claims and rows of each document are enough, and faster.
copy=$work/tree
mkdir -p "$copy/results" "$copy/build" "$work/in"
needs_built build/stats 1
cp build/stats "$copy/build"
cp -r scripts "$copy/scripts"
cp -r results/published "$copy/results/published"
claims=scripts/repro/claims/symas-2014.jq
find "$copy/scripts/repro/claims" -name '*.jq' ! -name "$(basename $claims)" -delete
awk 'NR % 4 == 1' results/reference/inmemory-2014/rows.json >"$work/rows.json"

# fuzz_mutated FORM FILE: the file, damaged
fuzz_mutated () {
	LC_ALL=C awk -v seed="$seed" -v form="$1" -f scripts/tools/random.awk \
		-f test/garble.awk "$2"
}

fuzz_finding () {
	keep=1
	cat "$work/err" >&2
	fail 1 "seed $seed: $1: $copy/scripts/$tried_last; all it read is in $work"
}

# fuzz_try SCRIPT ARGUMENTS...: it must take what it was given, or refuse it properly
fuzz_try () {
	tried_last=$* script=$1 status=0
	shift
	timeout 60 "$copy/scripts/$script" "$@" >"$work/out" 2>"$work/err" </dev/null ||
		status=$?
	tried=$((tried + 1))
	case $status in
	0) ! grep -q -e '^jq: ' -e 'awk: ' -e '^parse error' -e ': not found' \
		"$work/err" || fuzz_finding "it goes on after an error" ;;
	1 | 2) grep -q "^$script: ." "$work/err" ||
		fuzz_finding "it does not say why it failed" ;;
	*) fuzz_finding "exit status $status" ;;
	esac
	refused=$((refused + (status > 0)))
}

fuzz_verdicts () {
	[ $status -ne 0 ] ||
		jq -en 'all(inputs | .published, .ours // .published;
			.verdict | IN("holds", "fails", "depends", "open"))' \
		"$work/out" >/dev/null 2>"$work/err" || fuzz_finding "no verdict"
}

# One file of each kind.
fuzz_round () {
	fuzz_mutated json "$work/rows.json" >"$work/in/rows.json"
	fuzz_try summary.sh "$work/in/rows.json"
	fuzz_try table.sh "$work/in/rows.json"
	fuzz_try report.sh "$work/in"
	fuzz_try claims.sh --json "$work/in/rows.json"
	fuzz_verdicts
	fuzz_mutated csv $claims >"$copy/$claims"
	fuzz_try claims.sh --json --published symas-2014
	fuzz_verdicts
	cp $claims "$copy/$claims"
	set -- results/published/*.csv
	shift $((seed % $#))
	fuzz_mutated csv "$1" >"$copy/$1"
	fuzz_try published.sh
	fuzz_try claims.sh --json --published
	fuzz_verdicts
	cp "$1" "$copy/$1"
}

# fuzz_rounds END: one round, and more until this second of the clock
fuzz_rounds () {
	while
		fuzz_round
		seed=$((seed + 1))
		[ "$(date +%s)" -lt "$1" ]
	do
		continue
	done
}

tried=0 refused=0 from=$seed
fuzz_rounds $(($(date +%s) + seconds - seconds / 2))
echo "$tried files with seeds from $from: $refused were refused, the others read"
