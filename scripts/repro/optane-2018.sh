#!/bin/sh
# optane-2018.sh: the microbenchmark of Intel's Optane by Symas, 2018; see --help.
set -eu
. "$(dirname "$0")/repro-common.sh"

repro_builds lmdb=lmdb-0.9.90 rocksdb=rocksdb-7.8.3
reproduce symas-2018 "\
Repeats the benchmark that Symas published in 2018 for Intel's Optane, with the engines that are
built here. A database five times larger than memory is loaded in key order: on a fresh ext4 with
its journal, on one without, and on the bare device. Then 1 to 64 threads read random records
while one writes. The devices are loop devices, which storage.sh makes and removes; it needs root
or sudo. Each run after the load begins with an empty page cache." "$@"

# Kernel threads serve the loop devices: the CPU time of others is theirs, too.
# shellcheck disable=SC2034 # repro-common.sh reads it
medium=loop

# 80 million records in 64 GiB of memory, of which RocksDB's cache has a half, and a 256th
# its write buffer; here so many that a load takes a second
limit=$(repro_scaled 402653184 33554432 68719476736)
num=$(repro_scaled 468750 20000 80000000)
seconds=$(repro_choose 3 0.3 600)
threads=$(repro_choose 1,2,4,8,16,32,64 1,4)
size=$(repro_scaled 8589934592 805306368 1503238553600)
repro_takes "$(repro_scaled 9 1 1300)" "$(repro_scaled 1 1 64)" 'a day'

engines=$(repro_present lmdb,lmdb+readahead=0,rocksdb)
raw=$(repro_present aio)
# Debian's LMDB opens files only
version=$(repro_have lmdb && "./bench_$(repro_built lmdb)" --version |
	sed -n 's/.*LMDB 0\.9\.\([0-9]*\).*/\1/p') || version=
if [ "${version:-0}" -ge 90 ] && [ -n "$(repro_wanted lmdb)" ]
then
	raw=lmdb,lmdb+readahead=0${raw:+,$raw}
elif [ -n "$(repro_wanted lmdb)" ]
then
	repro_missing lmdb:raw "it is LMDB 0.9.${version:-?} here, and opens a device from \
0.9.90 on; bench_aio stands for the device itself"
fi
repro_missing rocksdb:raw "it does not run on a bare device, nor did it then"
repro_missing optane "a medium, the P4800X: there is one kind of storage here"

# optane_on NAME ARGUMENTS...: storages.sh with what all have in common
optane_on () {
	repro_storages "$@" --size="$size" --num="$num" --value_size=4000 --memory="$limit" \
		--cache_size="$((limit / 2))" \
		--threads="$threads" --duration="$seconds" --cold=1 --settle=1 \
		--timeline_interval="$(repro_choose 0.25 0.05 1)" \
		--field experiment='if .benchmark | startswith("fill") then "load" else "run" end' \
		--field storage='.label | split(":")[1]' --field medium='"loop"'
}
while another_round
do
	[ -z "$engines" ] ||
		optane_on files --storages=ext4,ext4-nojournal --engines="$engines" \
		--write_buffer_size="$(repro_choose 12582912 2097152 268435456)"
	[ -z "$raw" ] || optane_on raw --storages=raw --raw-engines="$raw"
done

if [ -z "$dry" ]
then
	scripts/repro/overtime.sh "$out"
	scripts/plot/symas.sh "$out"
fi
repro_finish
