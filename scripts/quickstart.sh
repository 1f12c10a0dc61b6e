#!/bin/sh
# quickstart.sh: from a fresh clone to measured, tabulated and drawn results of LMDB; see --help.
set -eu

case ${1-} in
'') ;;
--help)
	cat <<END
usage: scripts/quickstart.sh

Installs what is missing (apt; sudo if not root), builds bench_lmdb, loads a million
records, reads them with 1 to 64 threads, alone and while another thread writes, prints
a table and draws the plots. About two minutes on two cores. Everything it makes is in
results/quickstart-DATE; set NUM, SECONDS_EACH or THREADS for another size.
END
	exit 0
	;;
*)
	echo "quickstart.sh: takes no arguments; see --help" >&2
	exit 2
	;;
esac

cd "$(dirname "$0")/.."
scripts/install.sh gcc libc6-dev make pkg-config liblmdb-dev gnuplot-nox fonts-dejavu-core jq parallel
make -s bench_lmdb

out=results/quickstart-$(date +%Y%m%d-%H%M%S)
echo "loading ${NUM:-1m} records and sweeping readers into $out" >&2
scripts/sweep.sh --out="$out" --engines=lmdb --benchmarks=readrandom,readwhilewriting \
	--threads="${THREADS:-1,2,4,8,16,32,64}" --num="${NUM:-1m}" --duration="${SECONDS_EACH:-5}"
scripts/table.sh "$out/results.json"
scripts/plot.sh "$out"
