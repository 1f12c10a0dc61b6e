#!/bin/sh
# quickstart.sh: from a fresh clone to a comparison of every engine there is; see --help.
set -eu
. "$(dirname "$0")/start.sh"

case ${1-} in
'') ;;
--help)
	cat <<END
usage: scripts/quickstart.sh

Installs what is missing (apt; sudo if not root), builds a program for every engine,
loads the same records into each, reads them with one and with more threads, and with
four while another thread writes, prints tables and draws the plots. About three minutes
on two cores. Everything it makes is in results/quickstart-DATE; set NUM, SECONDS_EACH,
THREADS or ENGINES for another size.
END
	exit 0
	;;
*)
	fail 2 "takes no arguments; see --help"
	;;
esac

cd "$(dirname "$0")/.."
scripts/install.sh gcc libc6-dev make pkg-config gnuplot-nox fonts-dejavu-core jq
# shellcheck disable=SC2046 # words, on purpose
scripts/install.sh $(make -s packages)
make -s -j"$(nproc)"

# every engine found but the null one; WiredTiger as both of its trees
engines=${ENGINES:-$(make -s engines | tr ' ' '\n' | sed 's/^wiredtiger$/&\n&+type=lsm/' | grep -vx null | paste -sd,)}
out=results/quickstart-$(date +%Y%m%d-%H%M%S)
echo "loading ${NUM:-1m} records into each of $engines and reading them, into $out" >&2
scripts/sweep.sh --out="$out" --engines="$engines" --benchmarks=readrandom,readwhilewriting@4 \
	--threads="${THREADS:-1,4,16}" --num="${NUM:-1m}" --duration="${SECONDS_EACH:-2}" --settle=1 || failed=1
scripts/summary.sh "$out/results.json"
scripts/plot.sh "$out"
exit "${failed:-0}"
