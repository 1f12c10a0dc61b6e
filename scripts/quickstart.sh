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
NUM, SECONDS_EACH, THREADS or ENGINES for another size.

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

# fair ENGINE VERSION: its build without assertions, if there is one or can be one within
# a minute; else Debian's
fair () {
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
		rocksdb-) engine=$(fair rocksdb 10.2.1) ;;
		leveldb-) engine=$(fair leveldb 1.23) ;;
		esac
		all=$all${all:+,}$engine
	done
	engines=$all
fi
status=0
out=results/quickstart-$(date +%Y%m%d-%H%M%S)
echo "loading ${NUM:-400k} records into each of $engines and reading them, into $out" >&2
scripts/sweep.sh --out="$out" --engines="$engines" \
	--benchmarks=readrandom,readwhilewriting@4 \
	--threads="${THREADS:-1,4,16}" --num="${NUM:-400k}" \
	--duration="${SECONDS_EACH:-2}" --settle=1 || status=1
scripts/plot.sh "$out" >"$out/plots.txt"
echo
scripts/summary.sh "$out/results.json" --found
echo "All of it, with tables and figures: $(scripts/report.sh "$out")"
exit $status
