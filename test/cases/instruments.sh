# instruments.sh: rows held against instruments of another kind: a library preloaded around each engine's calls that has a
# clock of its own (test/instruments), strace, the kernel's counters read from outside. A busy machine moves both sides.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

ok 'the instruments build without a warning' builds instruments
instruments=$top/build/instruments

# load ENGINE RECORDS: a database that is there for all of an engine's runs
load () {
	"$top/bench_$1" --db="$work/db-$1" --benchmarks=fillseqbatch --num="$2" >"$work/out"
}

# watch ENGINE SLOW ARGUMENTS...: run with the instrument before it, calls made slow such as read=100000 (nanoseconds);
# row and what was seen of it, for each benchmark, go to $work/pairs.
watch () {
	watched=$1 slow=$2
	shift 2
	rm -f "$work/recording" "$work/watched"
	INSTRUMENT=$work/recording INSTRUMENT_SLOW=$slow LD_PRELOAD=$instruments/$watched.so \
		"$top/bench_$watched" --db="$work/db-$watched" --use_existing_db=1 --json="$work/watched" "$@" >"$work/out" &&
		"$instruments/read" "$work/recording" ${ranges:+--ranges} >"$work/seen" &&
		jq -n --slurpfile row "$work/watched" --slurpfile seen "$work/seen" \
			'[$row, $seen] | transpose[] | {row: .[0], seen: .[1]}' >"$work/pairs" && [ -s "$work/pairs" ]
}

# hold: the rows and what was seen of them are of one mind
hold () {
	jq -r --arg slow "$slow" --arg device "${INSTRUMENT_DEVICE-}" -f "$top/test/instruments/hold.jq" "$work/pairs" \
		>"$work/apart" || return 1
	cat "$work/apart"
	[ ! -s "$work/apart" ]
}

# What the drivers make of one call each. A deletion of bench_aio is a read and a write, its iterations read many at once.
benchmarks_of () {
	case $1 in
	aio) echo readrandom,overwrite ;;
	*) echo readrandom,overwrite,overwritebatch,updaterandom,readseq,deleterandom ;;
	esac
}

# calls ENGINE SLOW OPERATIONS: latencies and counts of each kind of call
calls () {
	watch "$1" "$2" --num=20k --benchmarks="$(benchmarks_of "$1")" --reads="$3" --writes="$3" --threads=2 --batch_size=100 && hold
}

# ranges ENGINE SLOW OPERATIONS: range reads of eleven calls
ranges () {
	ranges=1
	watch "$1" "$2" --num=20k --benchmarks=seekrandom --seek_nexts=10 --reads="$3" --threads=2
	status=$?
	ranges=
	[ $status -eq 0 ] && hold
}

all_slow=read=200000,write=200000,remove=200000,seek=200000,next=200000

# What each operation, thread and second came to.
instrumented () {
	ok "$1: counts are those of its calls, latencies between what these took and the time between them" calls "$1" '' 20k
	ok "$1: and so when each call takes 200 us, which is all there is then, within 1 %" calls "$1" "$all_slow" 2k
	[ "$1" = aio ] || ok "$1: a range read is its seek and the records after it" ranges "$1" '' 2k
	[ -n "${QUICK-}" ] || 	ok "$1: each second of rates has what ended in it, at calls of 1 us" \
		rates "$1" read=1000 --threads=2 --duration=4.2
	[ -n "${QUICK-}" ] || 	ok "$1: and at calls of 100 ms" rates "$1" read=100000000 --threads=4 --duration=4.2
}

# rates ENGINE SLOW ARGUMENTS...
rates () {
	watch "$1" "$2" --num=20k --benchmarks=readrandom "$3" "$4" && hold &&
		jq -es 'all(.[]; .seen.seconds | length >= 4)' "$work/pairs" >"$work/jq"
}

for engine in ${ENGINES:-lmdb}
do
	load "$engine" 20k
	instrumented "$engine"
done
