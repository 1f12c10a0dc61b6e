#!/bin/sh
# trace.sh: how far two traces are apart, the misses of a cache, and traces in another format; see --help.
# shellcheck disable=SC2154 # $work is make_work's
set -eu
. "$(dirname "$0")/common.sh"

help () {
	cat <<END
usage: scripts/trace.sh distance TRACE OTHER [--limit=X]
       scripts/trace.sh misses TRACE [--loaded=TRACE --pages=N] [--sample=X] [--policy=NAME]
       scripts/trace.sh convert TRACE NEW

distance says how much a synthetic workload differs from a recorded one. Each line is a property,
its value in both, and a distance, from 0, equal, to 1.
  operations    kinds of operations: half the sum of the differences of their fractions (total
                variation)
  popularity    largest difference of the fractions of accesses to the hottest x % of keys
  key sizes, value sizes, gaps    largest difference of the distribution functions (Kolmogorov
                and Smirnov). Gaps are the times between operations, divided by their mean
  --limit=X     exit status 1 if a distance is above X

misses predicts the fraction of accesses that miss caches of several sizes, for instance to choose
a memory size. They hold records or, with --pages, pages; the first half of the trace fills them,
and the second half is counted. The methods are sampled reuse distances and simulations of sampled
caches (Waldspurger et al., "Efficient MRC construction with SHARDS", FAST 2015, section 3.2; "Cache
modeling and optimization using miniature simulations", ATC 2017).
  --loaded=TRACE  trace of the load, which has all keys of the database; needed for --pages
  --pages=N       number of pages of the database; its keys are divided among them in key order
  --sample=X      fraction of the records or pages that is followed, 0 to 1; less is faster and
                  less exact [1]
  --policy=NAME   which record or page makes room: lru, the one whose last use is longest ago; or
                  linux, as Linux 6.3 or later chooses pages of a file that is mapped and read at
                  random, such as LMDB's with --readahead=0. This takes 40 simulations [lru]
Prints a tab-separated line for each cache size: in records or pages, as a fraction of all, and the
predicted fraction of misses.

convert writes the operations of TRACE to a new file: in Twitter's lines, or in libCacheSim's
oracleGeneral if NEW is named *.oracleGeneral or *.oracleGeneral.*, compressed if it ends in .gz
or .zst.

Traces are read as a replay reads them (--trace_in), in all its formats. What a format does not say
is named on stderr. Keys are kept in memory.
Exit status: 0 done, 1 a distance is above --limit, 2 wrong arguments or an invalid trace.
END
}

limit='' loaded='' pages=0 sample=1 policy=lru what=${1-}
here=$(cd "$(dirname "$0")" && pwd)
case $what in
--help) help; exit 0 ;;
distance | misses | convert) shift ;;
*) fail 2 "give distance, misses or convert; see --help" ;;
esac
make_work
first='' other=''
for argument
do
	set_option "$argument" limit loaded pages sample || case $argument in
	--policy=lru | --policy=linux) policy=$value ;;
	-*) refuse "$argument" ;;
	*)
		[ -z "$other" ] || fail 2 "too many traces: $argument"
		if [ -z "$first" ]; then first=$argument; else other=$argument; fi
		;;
	esac
done

program=$here/../build/tracecat
[ -x "$program" ] || fail 1 "build/tracecat is not built; run make"

# run_trace ARGUMENT... >FILE: what a replay reads in a trace; or the end
run_trace () {
	"$program" "$@" || exit 2
}
# trace_number OPTION TEXT: it is one; or the end
trace_number () {
	case $2 in
	*[!0-9.]* | .* | *. | *.*.*) fail 2 "$1: cannot read '$2'; see --help" ;;
	esac
}

if [ "$what" = convert ]
then
	[ -n "$other" ] || fail 2 "convert: give a trace and a new file; see --help"
	run_trace --out="$other" "$first"
	exit
fi
if [ "$what" = distance ]
then
	[ -n "$other" ] || fail 2 "distance: give two traces; see --help"
	[ -z "$limit" ] || trace_number --limit "$limit"
	for side in 1 2
	do
		file=$first
		[ "$side" = 1 ] || file=$other
		run_trace "$file" >"$work/trace"
		awk -v side="$side" -f "$here/tools/trace-facts.awk" "$work/trace" >>"$work/counts"
	done
	LC_ALL=C sort -t "$tab" -k1,1 -k2,2n "$work/counts" >"$work/facts"
	first=$first other=$other awk -v limit="$limit" -f "$here/tools/trace-distance.awk" \
		"$work/facts"
	exit
fi
[ -n "$first" ] || fail 2 "misses: give a trace; see --help"
[ -z "$other" ] || fail 2 "misses: give one trace, not $other too"
whole --pages "$pages"
trace_number --sample "$sample"
awk -v sample="$sample" 'BEGIN { exit !(sample > 0 && sample <= 1) }' ||
	fail 2 "--sample: give a number above 0, up to 1, not '$sample'"
[ "$pages" = 0 ] || [ -n "$loaded" ] || fail 2 "--pages needs --loaded=TRACE; see --help"
: >"$work/keys"
if [ -n "$loaded" ]
then
	run_trace --keys=1 "$loaded" >"$work/loaded"
	LC_ALL=C sort -u "$work/loaded" >"$work/keys"
fi
run_trace --keys=1 "$first" >"$work/accesses"
awk -v pages="$pages" -v sample="$sample" -v policy="$policy" \
	-f "$here/tools/trace-misses.awk" "$work/keys" "$work/accesses"
