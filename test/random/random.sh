#!/bin/sh
# random.sh: random command lines, and what must hold of their rows; see --help.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../scripts/common.sh"

help () {
	cat <<EOF
usage: test/random/random.sh [--option=value ...]

Draws command lines of bench_NAME from seeds (options.txt and workloads.txt, beside this script, say
what of), runs them, and holds their rows, timelines, histograms and words to what must be so whatever
the engine and the machine (hold.jq). What breaks it is run again with less and less of the command
line, and the least one that still breaks it is printed with its seed and the broken invariant.

  --seconds=N      how long [30]; 0: as many as --runs says
  --runs=N         so many runs at most [0: no limit]
  --seed=N         of the first run; each run has the next one [the time]
  --engines="A B"  which of them [all that were built]
  --bin=DIRECTORY  where bench_NAME are [the top of the tree]
  --slack=X        times may be so many times as late as usual, for slow builds and machines [1]
  --shrink=N       seconds for making each finding smaller, 0: take it as it is [60]
  --run="WORDS"    no draws: this one, as a finding prints it
  --help           this

Ends with how many runs, rows and checks there were, and how many runs ended in order: with their
rows valid, or refused in one line and status 2, or with invalid rows and status 1. What a busy machine
can cause (times that came late) counts if it comes again three times on end.
Exit status: 0 nothing was broken, 1 something was, 2 wrong arguments, 130 Ctrl-C.
EOF
}

seconds=30 runs=0 seed=$(($(date +%s) % 1000000000)) engines='' bin='' slack=1 shrink=60 words=''
for argument
do
	value=${argument#*=}
	case $argument in
	--help) help; exit 0 ;;
	--seconds=*) seconds=$value ;;
	--runs=*) runs=$value ;;
	--seed=*) seed=$value ;;
	--engines=*) engines=$value ;;
	--bin=*) bin=$value ;;
	--slack=*) slack=$value ;;
	--shrink=*) shrink=$value ;;
	--run=*) words=$value ;;
	*) fail 2 "cannot read '$argument'; see --help" ;;
	esac
done
whole --seconds "$seconds"
whole --runs "$runs"
whole --seed "$seed"
whole --slack "$slack"
whole --shrink "$shrink"
[ "$seconds$runs" != 00 ] || [ -n "$words" ] || fail 2 "neither --seconds nor --runs says when to end"
needs jq
# gojq reads hold.jq in a sixth of the time
quick_jq=$(command -v gojq || echo jq)
bin=$(cd "${bin:-$here/../..}" && pwd) || fail 2 "--bin: there is no such directory"
[ -n "$engines" ] || for engine in null lmdb rocksdb leveldb wiredtiger bdb sqlite kyoto tkrzw aio
do
	[ ! -x "$bin/bench_$engine" ] || engines="$engines $engine"
done
for engine in $engines
do
	[ -x "$bin/bench_$engine" ] || fail 1 "$bin/bench_$engine is not there; make bench_$engine"
done
[ -n "$engines" ] || fail 1 "no bench_NAME in $bin; make"
make_work
cd "$work"

# compose PART DIRECTORY [ENGINE]: the command for $words
compose () {
	echo "$words" | awk -v part="$1" -v bin="$bin" -v directory="$2" -v engine="${3-}" -f "$here/compose.awk" \
		"$here/options.txt" -
}

# busy: how many want each CPU, 1 to 10
busy () {
	awk -v CPUs="$(getconf _NPROCESSORS_ONLN)" '{ n = int($1 / CPUs) } END { print (n < 1 ? 1 : n > 10 ? 10 : n) }' \
		/proc/loadavg 2>/dev/null || echo 1
}

# go NAME DIRECTORY: run the command in NAME.cmd there; its status
go () {
	status=0
	(cd "$2" && exec timeout --kill-after=5 $((limit * slack * $(busy))) sh ./"$1.cmd") >"$2/$1.out" 2>"$2/$1.err" </dev/null || status=$?
}

# has NAME: whether that is among the words
has () {
	case " $words " in
	*" $1="*) return 0 ;;
	esac
	return 1
}

# A row's own command once more, and the same of another engine.
run_again () {
	mkdir first
	for file in json tsv hdr* timeline report slow
	do
		[ ! -e "$file" ] || mv "$file" first/
	done
	jq -r 'select(.valid == 1).command' first/json | tail -n 1 >again.cmd
	go again .
	[ ! -e json ] || mv json again.json
	rm -rf tsv hdr* timeline report slow
	mv first/* .
}
run_other () {
	other=lmdb
	[ "${words%% *}" != lmdb ] || other=sqlite
	[ -x "$bin/bench_$other" ] || return 0
	mkdir other
	! has load || {
		compose load "$PWD/other" $other >other/load.cmd
		go load other
	}
	compose other "$PWD/other" $other >other/other.cmd
	go other other
	[ $status -ne 0 ] || mv other/json other.json
}

# What was recorded, replayed by so many threads after the same loads.
run_replay () {
	mkdir replay
	compose replay "$PWD/replay" >replay/replay.cmd
	go replay replay
	[ ! -e replay/json ] || mv replay/json replay.json
	[ -s replay.json ] || cat replay/replay.err >>run.err
}

# files_of DIRECTORY: their checksums
files_of () {
	find "$1" -type f -exec cksum {} + 2>/dev/null | sort
}

limit=60 newline='
'
# try WORDS: run it and hold what it left; what is broken goes to $work/broken, what was counted to $work/counts
try () {
	words=$1
	rm -rf "$work/run"
	mkdir "$work/run"
	cd "$work/run"
	! has load || {
		compose load "$PWD" >load.cmd
		go load .
		[ $status -eq 0 ] || [ $status -eq 2 ] || cat load.out load.err
	}
	! has copy || files_of db >source
	compose run "$PWD" >run.cmd
	go run .
	ended=$status
	copied=
	! has copy || copied=$(if files_of db | cmp -s - source && [ ! -e copy ]; then echo same; else ls -d db copy 2>&1; fi)
	: >>json
	: >>slow
	: >>tsv
	: >>timeline
	: >>report
	if [ -s json ] && [ $ended -eq 0 ]
	then
		! has again || run_again
		! has other || run_other
		! has replay || run_replay
	fi
	touch again.json other.json replay.json source
	for file in hdr*
	do
		[ ! -e "$file" ] || awk -v OFS='\t' -v name="$file" '
			/^ *[0-9]/ { if ($1 < value - 1e-3 || $2 < share || $3 < seen) wrong = 1; value = $1; share = $2; seen = $3 }
			/Mean/ { gsub(/[],]/, ""); mean = $3; stddev = $6 }
			/Max/ { gsub(/[],]/, ""); max = $3; total = $7 }
			END { print name, total, seen, max, value, mean, stddev, wrong + 0 }' "$file"
	done >histograms
	"$quick_jq" -n -r -L "$work" -L "$here/.." --arg words "$words" --argjson status $ended --argjson slack "$slack" \
		--rawfile json json --rawfile tsv tsv --arg copied "$copied$newline" --rawfile slow slow --rawfile timeline timeline --rawfile histograms histograms \
		--rawfile report report --rawfile out run.out --rawfile err run.err --rawfile again again.json \
		--rawfile other other.json --rawfile replay replay.json --rawfile facts "$here/workloads.txt" --slurpfile columns "$work/columns" \
		-f "$here/hold.jq" >"$work/held" 2>"$work/jq" ||
		printf 'broken\trows can be read\t%s\n' "$(tail -n 1 "$work/jq")" >"$work/held"
	cd "$work"
	grep '^broken' held | cut -f 2- >broken || :
	grep '^count' held | cut -f 2- >counts || :
}

# breaks WORDS INVARIANT TIMES: one of so many runs breaks it
breaks () {
	for _ in $(seq "$3")
	do
		try "$1"
		shrunk=$((shrunk + 1))
		! cut -f 1 broken | grep -q -x -F -e "$2" || return 0
	done
	return 1
}

# least WORDS INVARIANT TIMES: the least words that break it, in $least
least () {
	least=$1 until=$(($(date +%s) + shrink)) n=1 fewer=yes
	while [ "$(date +%s)" -lt $until ]
	do
		smaller=$(echo "$least" | awk -v n=$n -f "$here/smaller.awk")
		if [ -z "$smaller" ]
		then
			[ $fewer = yes ] || break
			n=1 fewer=no
		elif breaks "$smaller" "$2" "$3"
		then
			least=$smaller fewer=yes
		else
			n=$((n + 1))
		fi
	done
}

# shrunken WORDS INVARIANT: the least words that break it again, in $least; false if it is a matter of time and does not
shrunken () {
	if ! breaks "$1" "$2" 1
	then
		times=3
		case $2 in
		time:*)
			late=$((late + 1))
			return 1 ;;
		esac
	fi
	case $2 in
	time:*)
		for _ in 1 2
		do
			breaks "$1" "$2" 1 || {
				late=$((late + 1))
				return 1
			}
		done ;;
	esac
	least "$1" "$2" $times
	breaks "$least" "$2" 5 || :
}

# find SEED WORDS: what the last run broke, and the least that does. What else that run broke comes of the same, or is
# found again when that is mended.
find () {
	sort -t "$tab" -k 1,1 broken | awk -F "$tab" 'FILENAME == "found" { known[$0]; next } !($1 in known) && /^time:/ { late[++n] = $0; next }
		!($1 in known) { print } END { for (i = 1; i <= n; i++) print late[i] }' found - >finding
	[ -s finding ] || return 0
	IFS=$tab read -r invariant seen <finding
	times=1 least=$2
	[ "$shrink" -eq 0 ] || shrunken "$2" "$invariant" || return 0
	cut -f 1 finding >>found
	findings=$((findings + 1))
	echo "broken: $invariant: $seen"
	sed '1d; s/^/  with it: /; s/\t/: /' finding
	echo "  seed $1: $2"
	echo "  least: $least"
	cat run/load.cmd run/run.cmd 2>/dev/null | sed "s|$work/run|\$T|g; s/^/  /"
	awk -F "$tab" -v name="$invariant" '$1 == name { print "  there: " $2; exit }' broken
}

tab=$(printf '\t')
"$bin/bench_${engines##* }" --columns=tsv | "$quick_jq" -Rn '[inputs | split("\t") | select(.[0] == "result") | {name: .[1], type: .[2], unit: .[3]}]' \
	>columns
# what ../promises.tsv derives, as objects of what is and what should be
awk -F '\t' '!/^#/ && $2 != "-" {
	quoted = $2
	gsub(/"/, "\\\"", quoted)
	printf "%s{column: \"%s\", formula: \"%s\", is: .%s, be: (try (%s) catch null)}", n++ ? ",\n\t" : "def promises:\n\t", $1, quoted, $1, $2
} END { print ";" }' "$here/../promises.tsv" >promises.jq
"$here/../empty.sh" --rules >rules.jq
: >found
: >tally
: >options
done=0 refused=0 invalid=0 orderly=0 rows=0 findings=0 late=0 shrunk=0
finish () {
	checks=$(awk -F "$tab" '{ n += $2 } END { print n + 0 }' tally)
	kinds=$(cut -f 1 tally | sort -u | wc -l)
	drawn=$(tr ' ' '\n' <options | sed -n 's/=.*//p' | sort -u | wc -l)
	echo "$done runs with seeds from $first: $orderly ended in order ($refused refused, $invalid with invalid rows); $rows rows," \
		"$checks checks of $kinds invariants, $drawn options of$(echo " $engines" | tr -s ' '); $findings broken"
	[ $late -eq 0 ] || echo "$late times something came late, and not three times again"
}
interrupt () {
	[ ! -t 2 ] || printf '\r\033[K' >&2
	finish
	exit 130
}
trap interrupt INT

first=$seed
end=$(($(date +%s) + seconds))
given=$words
while [ -n "$given" ] || {
	{ [ "$seconds" -eq 0 ] || [ "$(date +%s)" -lt $end ]; } && { [ "$runs" -eq 0 ] || [ $done -lt "$runs" ]; }; }
do
	drawn=${given:-$(awk -v seed="$seed" -v engines="$engines" -f "$here/draw.awk" "$here/workloads.txt" "$here/options.txt")}
	[ ! -t 2 ] || printf '\r\033[K%s runs, %s rows, %s broken; seed %s: %.60s' $done $rows $findings "$seed" "$drawn" >&2
	try "$drawn"
	cat counts >>tally
	echo "$drawn" >>options
	done=$((done + 1))
	rows=$((rows + $(wc -l <run/json)))
	[ $ended -ne 2 ] || refused=$((refused + 1))
	[ $ended -ne 1 ] || invalid=$((invalid + 1))
	if [ -s broken ]
	then
		[ ! -t 2 ] || printf '\r\033[K' >&2
		find "$seed" "$drawn"
	else
		orderly=$((orderly + 1))
	fi
	seed=$((seed + 1))
	[ -z "$given" ] || break
done
[ ! -t 2 ] || printf '\r\033[K' >&2
finish
[ $findings -eq 0 ]
