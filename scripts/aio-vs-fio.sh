#!/bin/sh
# aio-vs-fio.sh: random reads of bench_aio and of fio on the same file, in turn; see --help.
# shellcheck disable=SC2317 # called by name, through stats_in_turn
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'asynchronous I/O' "$@"

help () {
	cat <<END
usage: scripts/aio-vs-fio.sh

Checks that bench_aio reads a device as fast as fio. bench_aio loads a database; then both read it
in turn, at random offsets with direct I/O, at queue depths 1 and 32. Prints for each depth the
median of bench_aio's reads/s / fio's, and its lower bound. Needs fio, jq and a built bench_aio. It
takes about three minutes and removes its files.

From the environment:
  ROUNDS        number of runs of each program at each depth; they take turns to be first [15]
  SECONDS_EACH  length of a run, seconds [2]
  DEPTHS        queue depths: numbers of requests in flight [1 32]
  NUM           number of records, without suffix; each takes BLOCK bytes [262144]
  BLOCK         size of each read, bytes, without suffix [4096]
  BATCH         number of keys in one multi-get, at whose end no request is in flight [1000]
  TMPDIR        directory in which the database's directory is made [results; the current
                directory if the suite is installed]
  DEVICE        block device instead of a file, blank or written by bench_aio before. Its contents
                are lost.

tmpfs is refused, as it is memory. A loop device needs losetup --direct-io=on.
Exit status: 0 the bound holds at each depth, 1 it does not or a run failed, 2 wrong arguments.
END
}

case ${1-} in
'') ;;
--help)
	help
	exit 0
	;;
*) fail 2 "takes no arguments; see --help" ;;
esac

here=$PWD
cd "$(dirname "$0")/.."
. scripts/tools/stats.sh
[ ! -e Makefile ] || here=$PWD/results
rounds=${ROUNDS:-15}
seconds=${SECONDS_EACH:-2}
depths=${DEPTHS:-1 32}
num=${NUM:-262144}
block=${BLOCK:-4096}
batch=${BATCH:-1000}
device=${DEVICE-}
bound=0.95
broken=0

for number in "$rounds" "$seconds" "$num" "$block" "$batch" $depths
do
	case $number in
	'' | 0* | *[!0-9]*) fail 2 "'$number' is not a plain number above 0; see --help" ;;
	esac
done
needs fio jq
needs_built ./bench_aio 1

# The work directory has the file, or beside a device, only the marker.
TMPDIR=${TMPDIR:-$here}
make_work
if [ -n "$device" ]
then
	[ -b "$device" ] || fail 2 "DEVICE: $device is not a block device"
	case $(losetup --noheadings --output DIO "$device" 2>/dev/null || true) in
	*0) fail 1 "$device goes through the page cache; attach it with losetup --direct-io=on" ;;
	esac
	target=$device
else
	[ "$(stat -f -c %T "$work")" != tmpfs ] ||
		fail 1 "$work is in memory; set TMPDIR to a directory on a device"
	target=$work/db/data/records
fi

# bench_aio_once ARGUMENTS...: bench_aio on the database; its row is left in $work/row
bench_aio_once () {
	rm -f "$work/row"
	./bench_aio --db="$work/db" --num="$num" --aio_block="$block" \
		${device:+--device="$device" --confirm_overwrite=1} "$@" \
		--json="$work/row" >"$work/out" 2>&1 ||
		fail 1 "bench_aio failed: $(tail -n 1 "$work/out")"
}

# Reads a second at $depth, by multi-gets, which keep so many requests in flight as fio does.
aio_reads () {
	bench_aio_once --use_existing_db=1 --touch=none --benchmarks=multireadrandom \
		--batch_size="$batch" --aio_depth="$depth" --duration="$seconds"
	jq -e 'select(.valid == 1) | .reads_per_sec' "$work/row" ||
		fail 1 "bench_aio: its row is invalid"
}

fio_reads () {
	fio --name=device --readonly --direct=1 --ioengine=libaio --rw=randread \
		--bs="$block" --iodepth="$depth" \
		--norandommap --randrepeat=0 --time_based --runtime="$seconds" \
		--size=$(((num + 1) * block)) \
		--output-format=json --filename="$target" >"$work/fio" 2>"$work/out" ||
		fail 1 "fio failed: $(tail -n 1 "$work/out")"
	jq -e '.jobs[0] | select(.error == 0) | .read.iops | select(. > 0)' "$work/fio" ||
		fail 1 "fio printed no result"
}

# print_aio_and_fio DEPTH: the medians of $work/figures; $broken is 1 where their ratio is too low
print_aio_and_fio () {
	ratio=$(stats_median_ratio <"$work/figures")
	verdict=holds
	if ! jq -en "$ratio >= $bound" >/dev/null
	then
		verdict='DOES NOT HOLD'
		broken=1
	fi
	printf '%-26s %12.0f %12.0f %10.3f  >= %-5s %s\n' "$block bytes, $1 in flight" \
		"$(cut -d ' ' -f 1 "$work/figures" | stats_median)" \
		"$(cut -d ' ' -f 2 "$work/figures" | stats_median)" "$ratio" $bound "$verdict"
}

bench_aio_once --benchmarks=fillseqbatch
case $(jq -r .engine_options "$work/row") in
*"slot=$block "*) ;;
*) fail 2 "BLOCK: $block bytes do not hold a record" ;;
esac

printf '%-26s %12s %12s %10s  %-8s %s\n' 'random direct reads' bench_aio/s fio/s ratio bound verdict
for depth in $depths
do
	stats_in_turn "$rounds" aio_reads fio_reads >"$work/figures"
	print_aio_and_fio "$depth"
done
echo "medians of $rounds rounds of $seconds s on ${device:-a file}, $(uname -srm), $(nproc) CPUs;" \
	"repeat with: scripts/aio-vs-fio.sh"
exit $broken
