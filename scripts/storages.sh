#!/bin/sh
# storages.sh: run one sweep on several kinds of storage, and plot them together; see --help.
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'loop devices' "$@"

help () {
	cat <<END
usage: scripts/storages.sh --out=DIRECTORY [option ...]

Runs scripts/sweep.sh for each engine on each kind of storage, which scripts/storage.sh makes fresh
and removes, and draws all results together with scripts/plot.sh. The default is the experiment of
Symas in 2018: readwhilewriting with 1 to 64 readers on a database five times larger than memory, on
ext4 with and without its journal, on XFS, and on the bare device. Started again, it continues with
the missing storages.

  --out=DIRECTORY       directory of the results
  --storages=A,B        kinds of storage, as in storage.sh [ext4,ext4-nojournal,xfs,raw]
  --engines=A,B         engines on the file systems [lmdb,rocksdb]
  --raw-engines=A,B     engines to run on the device without a file system (kind raw): aio, and
                        LMDB from 0.9.90 on [aio]
  --size=SIZE           size of each storage, which must hold a database and a copy of it [6Gi]
  --dir=DIRECTORY       where the files of the loop devices are made [DIRECTORY of --out]
  --help                this
Any other --option=value goes to sweep.sh, and has these values if it is not given:
--benchmarks=readwhilewriting --threads=1,2,4,8,16,32,64 --num=320k --value_size=4000
--memory=256Mi --duration=5 --settle=1 --load=fillseqbatch.

In DIRECTORY: STORAGE-ENGINE/ as sweep.sh leaves it, runs/ with links to all their runs,
results.json and results.tsv with all rows (label ENGINE:STORAGE), and plots/.
Needs root, or sudo, for what storage.sh needs it.
Exit status: 0 all rows valid, 1 some run failed or is invalid, 2 wrong arguments.
END
}

out=
storages=ext4,ext4-nojournal,xfs,raw
engines=lmdb,rocksdb
raw_engines=aio
size=6Gi
dir=
arguments=$*
# of an option that is given twice sweep.sh takes the last
set -- --benchmarks=readwhilewriting --threads=1,2,4,8,16,32,64 --num=320k \
	--value_size=4000 --memory=256Mi --duration=5 --settle=1 --load=fillseqbatch "$@"
for argument
do
	shift
	set_option "$argument" out storages engines size dir || case $argument in
	--help) help; exit 0 ;;
	--raw-engines=?*) raw_engines=$value ;;
	--databases=* | --suffix=* | --device=* | --confirm_overwrite=*)
		fail 2 "${argument%%=*} is storages.sh's to set; see --help" ;;
	--*=*) set -- "$@" "$argument" ;;
	*) refuse "$argument" 'options are --name=value, ' ;;
	esac
done
needs_out "$out"
needs jq gnuplot

out=$(absolute "$out")
dir=$(absolute "${dir:-$out}")
cd "$(dirname "$0")/.."
if [ -e "$out/arguments" ] && [ "$(cat "$out/arguments")" != "$arguments" ]
then
	fail 2 "$out holds another plan; give the same arguments to resume it, or another --out"
fi
# storage_engines STORAGE: the engines to run there
storage_engines () {
	if [ "$1" = raw ]; then echo "$raw_engines"; else echo "$engines"; fi
}
# What sweep.sh refuses is refused before anything is written.
for storage in $(each "$storages")
do
	scripts/sweep.sh --dry-run --out="$out" --engines="$(storage_engines "$storage")" \
		--suffix=":$storage" "$@" >/dev/null || exit
done
mkdir -p "$out/runs"
echo "$arguments" >"$out/arguments"

# sweep_storage STORAGE ENGINE ARGUMENTS...
sweep_storage () {
	storage=$1 engine=$2
	group=$out/$storage-$engine
	shift 2
	[ ! -e "$group/done" ] || return 0
	# A sweep that was cut off begins anew, as its databases are gone.
	rm -f "$group/plan.tsv"
	[ ! -d "$group/runs" ] || find "$group/runs" -name status -delete
	[ ! -t 2 ] || echo "$engine on $storage" >&2
	if scripts/storage.sh --size="$size" --dir="$dir" "$storage" sh -c '
		[ "$STORAGE_KIND" != raw ] ||
			set -- "$@" --device="$STORAGE_DEVICE" --confirm_overwrite=1
		exec scripts/sweep.sh --databases="$STORAGE_DIR" "$@"' sh --out="$group" \
			--engines="$engine" --suffix=":$storage" "$@"
	then
		touch "$group/done"
	else
		missing=1
	fi
}

missing=
for storage in $(each "$storages")
do
	for engine in $(each "$(storage_engines "$storage")")
	do
		sweep_storage "$storage" "$engine" "$@"
	done
done

# All runs in one directory, as plot.sh wants them.
for group in "$out"/*/plan.tsv
do
	[ -e "$group" ] || continue
	group=${group%/plan.tsv}
	for run in "$group"/runs/*
	do
		ln -sfn "../${group##*/}/runs/${run##*/}" "$out/runs/${group##*/}-${run##*/}"
	done
done
set -- "$out"/*/results.json
[ -e "$1" ] || {
	# other arguments may be right
	rm "$out/arguments"
	fail 1 "no storage left results, see the errors above; start it again to repeat them"
}
cat "$@" >"$out/results.json"
awk 'FNR > 1 || NR == 1' "$out"/*/results.tsv >"$out/results.tsv"
scripts/plot.sh "$out"
[ -z "$missing" ] || fail 1 "some runs failed; start it again to repeat them"
