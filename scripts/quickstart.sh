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
NUM, SECONDS_EACH [0.1], ROUNDS [16], THREADS or ENGINES for another size.

All engines are open at the same time, with warm caches, and take turns: in each round every engine
runs once for a tenth of a second, in random order, while the others are stopped. What slows the
machine for a while falls on all of them. Root's come before other programs at each core, unless it
is started by nice. Engines share a place if the rounds cannot tell them apart, or if they differ by
less than a tenth: loaded anew, their rates move by as much. On a busy machine, where a single
thread has to wait for a core, they are in the order of their CPU time per operation, which is
printed, too; with a background writer, whose share of the operations differs, in that of rates.

  --engines=A,B         only these engines; debian: all, as Debian builds them
  --help                this

Debian's RocksDB and LevelDB have assertions compiled in, and are not fit for comparison. engine.sh
builds others where a minute each suffices: LevelDB 1.23 from its sources, and RocksDB 10.2.1 from
its authors' release, if Maven is installed. Downloads and their sizes are announced first.
END
	exit 0
	;;
*)
	refuse "$1"
	;;
esac

cd "$(dirname "$0")/.."
scripts/install-deps.sh gcc libc6-dev make pkg-config gnuplot-nox fonts-dejavu-core jq \
	python3-jinja2
# shellcheck disable=SC2046
scripts/install-deps.sh $(make -s packages)
make -s -j"$(nproc)"

# quickstart_fair ENGINE VERSION: its build without assertions, if there is one or can be one within
# a minute; else Debian's
quickstart_fair () {
	if [ ! -e "build/engines/$1-$2/facts" ]
	then
		# shellcheck disable=SC2046
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

# every engine found but the null one and the bare device; WiredTiger as both of its trees
if [ -z "$engines" ] || [ "$engines" = debian ]
then
	all=
	for engine in $(make -s engines)
	do
		case $engine-$engines in
		null-* | aio-*) continue ;;
		wiredtiger-*) engine=wiredtiger,wiredtiger+type=lsm ;;
		rocksdb-) engine=$(quickstart_fair rocksdb 10.2.1) ;;
		leveldb-) engine=$(quickstart_fair leveldb 1.23) ;;
		esac
		all=$all${all:+,}$engine
	done
	engines=$all
fi
status=0
# All fit in a write buffer (64Mi): an LSM tree merges what it had to flush before sooner or later,
# and its reads take 1.7 us or 3.0 by that.
num=${NUM:-300k} rounds=${ROUNDS:-16} threads=${THREADS:-1,4,16}
whole ROUNDS "$rounds" 1
load=filluniquerandbatch
# A thread that reads after an open finds caches empty: such runs before the first leave no row.
list=$(echo "$threads" | sed "s/[0-9][0-9]*/readrandom@&[X$rounds]/g; s|]|-W5]|")
list="$list,readwhilewriting@4[X$rounds]"
out=results/quickstart-$(date +%Y%m%d-%H%M%S)
mkdir -p "$out/db"
echo "loading $num records into each of $engines and reading them, into $out" >&2

# quickstart_command ENGINE NAME ARGUMENTS...: a command in a directory of its own below runs/, one
# more of $runs
quickstart_command () {
	engine=$1 run=$out/runs/$1-$2
	shift 2
	mkdir -p "$run"
	# shellcheck disable=SC2046
	printf '%s\n' "./bench_${engine%%+*}" --db="$out/db/$engine" --num="$num" \
		--label="$engine" --json="$run/row.json" --tsv="$run/row.tsv" \
		--hdr="$run/latency.hgrm" $(own_options "$engine") "$@" >"$run/command"
	runs="$runs $run"
}

# quickstart_turns: runs the commands of $runs in turn, and keeps their rows
quickstart_turns () {
	# shellcheck disable=SC2086
	failed=$(read_by turns.sh $runs) || status=1
	# the result has each warning once
	for run in $failed
	do
		sed '/: warning: /d' "$run/err.txt" >&2
	done
	for run in $runs
	do
		[ -s "$run/row.json" ] || continue
		cat "$run/row.json" >>"$out/results.json"
		[ -s "$out/results.tsv" ] || head -n 1 "$run/row.tsv" >"$out/results.tsv"
		tail -n +2 "$run/row.tsv" >>"$out/results.tsv"
	done
}

# quickstart_apart: the rows of $run, those of each workload in a directory of its own, as plot.sh
# reads them. Of the percentiles of one workload the first run's and the last one's are kept.
quickstart_apart () {
	jq -r '[.benchmark, .threads] | join(" ")' "$run/row.json" | uniq |
		while read -r benchmark count
		do
			to=${run%-all}-$benchmark-${count}t
			mkdir "$to"
			jq -c --arg benchmark "$benchmark" --argjson threads "$count" 'select(
				.benchmark == $benchmark and .threads == $threads)' \
				"$run/row.json" >"$to/row.json"
			hdr=$run/latency.hgrm
			[ -e "$hdr" ] || hdr=$hdr.$benchmark.read
			[ ! -e "$hdr" ] || cp "$hdr" "$to/latency.hgrm"
			rm -f "$run/latency.hgrm"
		done
	rm -r "$run"
}

runs=
for engine in $(each "$engines")
do
	quickstart_command "$engine" $load-1t --benchmarks=$load --settle=1
done
quickstart_turns
runs=
for engine in $(each "$engines")
do
	[ -s "$out/runs/$engine-$load-1t/row.json" ] || continue
	quickstart_command "$engine" all --use_existing_db=1 --loaded_by="$engine-$load-1t" \
		--benchmarks="$list" --duration="${SECONDS_EACH:-0.1}" \
		--barrier_file="$out/runs/$engine-all/turn" --barrier_clients=2 --hang_timeout=600
done
[ -z "$runs" ] || quickstart_turns
[ -s "$out/results.json" ] || fail 1 "no engine could be measured"
for run in $runs
do
	[ ! -s "$run/row.json" ] || quickstart_apart
done
scripts/plot.sh "$out" >"$out/plots.txt"
echo
read_by quickstart.sh "$out/results.json"
echo "All of it, with tables and figures: $(scripts/report.sh "$out")"
exit $status
