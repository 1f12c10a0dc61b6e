# devices.sh: databases on block devices, here loop devices: what is overwritten, and what never.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# A blank device in $device, over a file that is removed when all is over; so little is read ahead that opening reads
# no whole database.
attach () {
	dd if=/dev/zero of="$work/backing" bs=1M count=80 conv=fsync status=none &&
		device=$(losetup --find --show --direct-io=on "$work/backing") && blockdev --setra 256 "$device"
}
detach () {
	losetup --detach "$device"
	rm -f "$work/backing"
}
blank () {
	dd if=/dev/zero of="$device" bs=1M count=80 conv=fsync status=none
}

# on_device ENGINE ARGUMENTS...
on_device () {
	engine=$1
	shift
	bench "$engine" --device="$device" --confirm_overwrite=1 "$@"
}

# Everything that could be the work of somebody else stays as it is, and nobody asks a second time.
refused () {
	md5sum <"$device" >"$work/before" || return 1
	fails 2 "$1" "$top/bench_aio" --db="$work/db-refused" --device="$device" --confirm_overwrite=1 --benchmarks=fillseq --num=100 &&
		md5sum <"$device" | cmp - "$work/before"
}
refuses_foreign () {
	blank && mkfs.ext4 -q "$device" && refused 'contains an ext file system' || return 1
	mkdir -p "$work/mnt" && mount "$device" "$work/mnt" || return 1
	status=0
	fails 2 'mounted or otherwise in use' "$top/bench_aio" --db="$work/db-refused" --device="$device" --confirm_overwrite=1 || status=$?
	umount "$work/mnt"
	[ $status -eq 0 ] && blank && echo ',,L' | sfdisk -q --no-reread "$device" && refused 'contains a partition table' || return 1
	blank && printf 'a letter' | dd of="$device" bs=1 seek=700000 conv=notrunc status=none && refused 'contains data' || return 1
	blank && printf 'a letter' | dd of="$device" bs=1 seek=83000000 conv=notrunc status=none && refused 'contains data' &&
		blank && mkswap -q "$device" >"$work/out" && refused 'contains swap space' && blank
}
# A file system made over what assay has left behind is not assay's.
refuses_reused () {
	blank && on_device aio --benchmarks=fillseqbatch --num=1000 >"$work/out" && mkfs.ext4 -q -F "$device" &&
		refused 'contains an ext file system' && blank
}
refuses_words () {
	fails 2 'give --confirm_overwrite=1' "$top/bench_aio" --db="$work/db-words" --device="$device" &&
		fails 2 'give --device, too' "$top/bench_aio" --db="$work/db-words" --confirm_overwrite=1 &&
		fails 2 'not a block device' "$top/bench_aio" --db="$work/db-words" --device="$work" --confirm_overwrite=1 &&
		fails 2 'RocksDB keeps its records in files' "$top/bench_rocksdb" --db="$work/db-words" --device="$device" --confirm_overwrite=1 &&
		fails 2 'records of fillseqbatch alone' "$top/bench_aio" --db="$work/db-words" --device="$device" --confirm_overwrite=1 \
			--num=10m --benchmarks=fillseqbatch
}

# works ENGINE: all there, cold and warm; the load belongs to one directory; exclusively
works_on_device () {
	blank && on_device "$1" --benchmarks=fillseqbatch,readrandom,overwrite,readseq,readwhilewriting --num=10k --threads=2 --verify=1 \
		--cold=1 --settle=1 >"$work/out" || return 1
	cat "$work/out"
	row '.valid == 1 and .filesystem == "raw" and .device == "'"$device"'" and .db_disk_kb == null and (.cold | test("^device"))' &&
		jq -es 'all(.[-5:][]; .valid == 1) and .[-4].io_read_bytes > 1e6 and
			(.[-5] | .device_write_bytes + .settle_device_write_bytes > 1e6)' "$work/rows" &&
		on_device "$1" --benchmarks=readrandom --num=10k --use_existing_db=1 --verify=1 >"$work/out" && row '.found == 10000' &&
		"$top/bench_$1" --db="$work/db-second-$1" --device="$device" --confirm_overwrite=1 --benchmarks=fillseq --num=100 >"$work/out" &&
		fails 2 'does not hold the database' "$top/bench_$1" --db="$work/db-$1" --device="$device" --confirm_overwrite=1 --use_existing_db=1 \
			--benchmarks=readrandom --num=10k || return 1
	rm -f "$work/out"
	"$top/bench_$1" --db="$work/db-$1" --device="$device" --confirm_overwrite=1 --benchmarks=fillseqbatch,readrandom --num=10k \
		--duration=60 >"$work/out" &
	other=$!
	status=0
	within 60 grep -q fillseqbatch "$work/out" && fails 2 'otherwise in use' "$top/bench_$1" --db="$work/db-third-$1" --device="$device" --confirm_overwrite=1 || status=$?
	kill -INT $other
	exits 130 $other || status=$?
	return $status
}

old_lmdb () {
	fails 2 'this LMDB opens files only; 0.9.90' "$top/bench_lmdb" --db="$work/db-words" --device="$device" --confirm_overwrite=1
}

if attach 2>"$work/err"
then
	ok 'a device that carries anything is refused and stays as it is' refuses_foreign
	ok 'also if assay once was there' refuses_reused
	ok 'what is asked of a device must fit together' refuses_words
	ok 'bench_aio works on a bare device, held for it alone' works_on_device aio
	new=
	for program in "$top"/bench_lmdb "$top"/bench_lmdb-*
	do
		[ -x "$program" ] || continue
		case $program/$("$program" --version) in
		*/bench_lmdb/*'LMDB 0.9.'[0-8]*) ok 'an LMDB that opens files only says so' old_lmdb ;;
		*'LMDB 0.9.'[0-8]*) ;;
		*) new=${program##*/bench_} ;;
		esac
	done
	if [ -n "$new" ]
	then
		ok 'LMDB works on a bare device, held for it alone' works_on_device "$new"
	else
		skip 'LMDB on a bare device' 'this library is older than 0.9.90; scripts/engine.sh build lmdb-0.9.90'
	fi
	detach
else
	skip 'databases on bare devices' "$(tail -n 1 "$work/err")"
fi
