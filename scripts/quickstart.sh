#!/bin/sh
# quickstart.sh: from a fresh clone to a comparison of all engines; see --help.
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'apt' "$@"

engines=${ENGINES:-}
case ${1-} in
'') ;;
--engines=?*) engines=${1#*=} ;;
--help)
	cat <<END
usage: scripts/quickstart.sh [--engines=debian|A,B]

Installs missing packages (apt; sudo if not root) and builds a program for every engine. It
loads the same records into each in random order, reads them with one and with several threads,
and with four threads besides a background writer. Then it prints the result and makes a page of
it. It takes about three minutes on two cores. All its files are in results/quickstart-DATE; set
NUM, SECONDS_EACH [0.3], ROUNDS [6], THREADS or ENGINES for another size.

Runs are short and in rounds: in each round every engine runs once, in random order, so that what
slows the machine for a while falls on all of them. The result has the engines in order. Those that
the rounds cannot tell apart share a place. On a busy machine, where a single thread has to wait for
a core, it has the CPU time of an operation, too, and runs of one thread are in that order. A
warning is one line, with the number of runs that have it.

  --engines=A,B         only these engines; debian: all, as Debian builds them
  --help                this

Debian's RocksDB and LevelDB have assertions compiled in, which makes them not fit for
comparison. engine.sh builds others where a minute each suffices: LevelDB 1.23 from its sources,
and RocksDB 10.2.1 from its authors' release, if Maven is installed. Downloads and their sizes
are announced first.
END
	exit 0
	;;
*)
	fail 2 "cannot read '$1'; see --help"
	;;
esac

cd "$(dirname "$0")/.."
scripts/install-deps.sh gcc libc6-dev make pkg-config gnuplot-nox fonts-dejavu-core jq \
	python3-jinja2
# shellcheck disable=SC2046 # words, on purpose
scripts/install-deps.sh $(make -s packages)
make -s -j"$(nproc)"

# quickstart_fair ENGINE VERSION: its build without assertions, if there is one or can be one within
# a minute; else Debian's
quickstart_fair () {
	if [ ! -e "build/engines/$1-$2/facts" ]
	then
		# shellcheck disable=SC2046 # words, on purpose
		set -- "$1" "$2" $(awk -F '\t' -v n="$1" -v v="$2" \
			'$1 == n && $2 == v { print $3, $14 }' engines/sources.tsv)
		client=$3
		[ "$client" != apt ] || client=apt-get
		if ! command -v "$client" >/dev/null
		then
			echo "$1: as Debian builds it, with assertions, as $client is not" \
				"installed; scripts/engine.sh build $1-$2 installs it" >&2
			echo "$1"
			return
		fi
		echo "$1: $1-$2 instead of Debian's, which has assertions compiled in; $client" \
			"downloads $4 MB, and it is built" >&2
		if ! timeout 60 scripts/engine.sh build "$1-$2" >&2
		then
			echo "$1: not within a minute, so as Debian builds it, with assertions;" \
				"scripts/engine.sh build $1-$2 takes its time" >&2
			echo "$1"
			return
		fi
	fi
	echo "$1-$2"
}

# every engine found but the null one; WiredTiger as both of its trees
if [ -z "$engines" ] || [ "$engines" = debian ]
then
	all=
	for engine in $(make -s engines)
	do
		case $engine-$engines in
		null-*) continue ;;
		wiredtiger-*) engine=wiredtiger,wiredtiger+type=lsm ;;
		rocksdb-) engine=$(quickstart_fair rocksdb 10.2.1) ;;
		leveldb-) engine=$(quickstart_fair leveldb 1.23) ;;
		esac
		all=$all${all:+,}$engine
	done
	engines=$all
fi
status=0
num=${NUM:-400k} rounds=${ROUNDS:-6} threads=${THREADS:-1,4,16}
whole ROUNDS "$rounds" 1
load=filluniquerandbatch
list=$(echo "$threads" | sed 's/[0-9][0-9]*/readrandom@&/g'),readwhilewriting@4
out=results/quickstart-$(date +%Y%m%d-%H%M%S)
mkdir -p "$out/db"
echo "loading $num records into each of $engines and reading them, into $out" >&2

# quickstart_run ENGINE NAME ARGUMENTS...: a process of an engine, with a directory below runs/
quickstart_run () {
	engine=$1 run=$out/runs/$1-$2 ended=0
	shift 2
	mkdir -p "$run"
	# shellcheck disable=SC2046 # words, on purpose
	"./bench_${engine%%+*}" --db="$out/db/$engine" --num="$num" --label="$engine" \
		--json="$run/row.json" --tsv="$run/row.tsv" --hdr="$run/latency.hgrm" \
		$(own_options "$engine") "$@" \
		>"$run/out.txt" 2>"$run/err.txt" || ended=1 status=1
	# the result has each warning once
	[ $ended -eq 0 ] || sed '/: warning: /d' "$run/err.txt" >&2
	[ -s "$run/row.json" ] || return 0
	cat "$run/row.json" >>"$out/results.json"
	tail -n "+$((1 + rows))" "$run/row.tsv" >>"$out/results.tsv"
	rows=1
}

# quickstart_apart ROUND: the runs of $run, each with a directory of its own, as plot.sh reads them.
# Of the percentiles of one workload the first run's and the last one's are kept.
quickstart_apart () {
	jq -r '[.benchmark, .threads] | join(" ")' "$run/row.json" | awk '{ print NR, $0 }' |
		while read -r line benchmark count
		do
			to=${run%-all-r*}-$benchmark-${count}t-r$1
			mkdir "$to"
			sed -n "${line}p" "$run/row.json" >"$to/row.json"
			hdr=$run/latency.hgrm.$benchmark.read
			[ "$line" -ne 1 ] || hdr=$run/latency.hgrm
			[ ! -e "$hdr" ] || cp "$hdr" "$to/latency.hgrm"
		done
	rm -r "$run"
}

rows=0
for engine in $(echo "$engines" | tr , ' ')
do
	quickstart_run "$engine" $load-1t --benchmarks=$load --settle=1
done
# Each engine once in each round, in random order: what disturbs the machine for a while does not
# fall on one engine.
round=1
while [ "$round" -le "$rounds" ]
do
	for engine in $(echo "$engines" | tr , '\n' |
		awk -v seed="$round" 'BEGIN { srand(seed) } { print rand(), $0 }' |
		sort -n | cut -d ' ' -f 2)
	do
		[ -s "$out/runs/$engine-$load-1t/row.json" ] || continue
		[ ! -t 2 ] ||
			printf '\r\033[Kround %s of %s: %s' "$round" "$rounds" "$engine" >&2
		quickstart_run "$engine" "all-r$round" --use_existing_db=1 \
			--loaded_by="$engine-$load-1t" --benchmarks="$list" \
			--duration="${SECONDS_EACH:-0.3}" --repetition="$round"
		[ ! -s "$run/row.json" ] || quickstart_apart "$round"
	done
	round=$((round + 1))
done
[ ! -t 2 ] || printf '\r\033[K' >&2
[ -s "$out/results.json" ] || fail 1 "no engine could be measured"
scripts/plot.sh "$out" >"$out/plots.txt"
echo
read_by quickstart.sh "$out/results.json"
echo "All of it, with tables and figures: $(scripts/report.sh "$out")"
exit $status
