#!/bin/sh
# filesystems.sh: measure what a synced commit costs on each file system of this kernel; see --help.
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'loop devices' "$@"

# NAME, kind for storage.sh, options of mkfs, options of mount
file_systems='
ext4 ext4 - -
ext4-fast_commit ext4 -O_fast_commit -
ext4-data=journal ext4 - data=journal
ext4-nojournal ext4-nojournal - -
xfs xfs -m_reflink=1 -
xfs-noreflink xfs -m_reflink=0 -
xfs-allocsize=4k xfs -m_reflink=1 allocsize=4k
btrfs btrfs - -
btrfs-nodatacow btrfs - nodatacow
f2fs f2fs - -
bcachefs bcachefs - -
tmpfs tmpfs - -
overlay overlay - -
'
# CONFIGURATION and the shape of its writes. RocksDB recycles logs only in that recovery mode.
writers="
lmdb+writemap=1 pages of a memory map, msync
lmdb pages by pwrite, fdatasync; meta page by O_DSYNC
leveldb log, appended
wiredtiger log, appended behind its first MiB
rocksdb log, appended to blocks preallocated behind its end
rocksdb+write_buffer_size=256Ki+rocksdb_options=recycle_log_file_num=4;\
wal_recovery_mode=kSkipAnyCorruptedRecords log, in recycled files
bdb log, in a file of full size
tidesdb-10.2.1 log, appended by O_DSYNC
badger log in a memory map, msync, and value log
tkrzw pages by O_SYNC
kyoto undo log, then pages; msync and fsync
sqlite write-ahead log
sqlite+journal=delete rollback journal, made and deleted by each commit
aio one block in place, without a log
"

# first_filesystem TABLE: the names, with commas
first_filesystem () {
	echo "$1" | awk 'NF { print $1 }' | paste -s -d ,
}

help () {
	cat <<END
usage: scripts/filesystems.sh [option ...]

Measures commits at --durability=sync on each file system that this kernel can make and mount
(scripts/storage.sh), for writers of each shape: the bytes that the device wrote, its
device_flushes, and the disk space. A writer loads records, then overwrites one of them at a time.
Before and after, while it waits, the counters of the device are read in /sys, beside what the
writer's own row has. For instance:

    scripts/filesystems.sh --tsv=results/filesystems.tsv >results/filesystems.md

  --file-systems=A,B    [all: $(first_filesystem "$file_systems" | sed 's/,f2fs/,\
                        f2fs/; s/,xfs,/,\
                        xfs,/')]
  --writers=A,B         configurations: bench_A, or bench_A --option=value as A+option=value
                        [a table of $(echo "$writers" | grep -c .), which --writers=list prints]
  --commits=N           number of measured commits [200]
  --num=N               number of records loaded before [20000]
  --tsv=FILE            write a line for each file system and writer: totals of the device, and
                        those of the row (row_...). Space in KiB: length and blocks of the files
                        (du), and what the file system has given away (df)
  --help                this
Any other --option=value goes to storage.sh: --size [512Mi], --dir, --device and --confirm for a
disk instead of loop devices, --iops and the like.

Prints tables in Markdown: KiB and device_flushes for each commit, and disk space. What cannot be
measured here is listed below them, with the reason.
Needs root, or sudo, for what storage.sh needs it.
Exit status: 0; 1 a writer failed; 2 wrong arguments.
END
}

kinds='' chosen='' commits=200 num=20000 tsv='' inside=''
for argument
do
	shift
	set_option "$argument" commits num || case $argument in
	--help) help; exit 0 ;;
	--writers=list) echo "$writers" | grep .; exit 0 ;;
	--file-systems=?*) kinds=$value ;;
	--writers=?*) chosen=$value ;;
	--tsv=?*) tsv=$(realpath -m "$value") ;;
	--inside=?*) inside=$value ;; # by storage.sh, below
	--dir=?*) set -- "$@" "--dir=$(realpath "$value")" ;;
	--mkfs=* | --mount=*) fail 2 "${argument%%=*} is filesystems.sh's to set; see --help" ;;
	--*=?*) set -- "$@" "$argument" ;;
	*) refuse "$argument" ;;
	esac
done
whole --commits "$commits" 1
num=$(count --num "$num" 1)
kinds=${kinds:-$(first_filesystem "$file_systems")} chosen=${chosen:-$(first_filesystem "$writers")}
for kind in $(each "$kinds")
do
	case ,$(first_filesystem "$file_systems"), in
	*",$kind,"*) ;;
	*) fail 2 "--file-systems: no '$kind'; there are $(first_filesystem "$file_systems")" ;;
	esac
done
cd "$(dirname "$0")/.."

# filesystem_counters: writes, bytes written and device_flushes as JSON, null if unknown: without a
# device, and the last of a partition
filesystem_counters () {
	[ -n "${STORAGE_DEVICE-}" ] || { echo '[null, null, null]'; return; }
	device=/sys/class/block/$(basename "$(readlink -f "$STORAGE_DEVICE")")
	awk -v part="$([ ! -e "$device/partition" ] || echo 1)" '
		{ printf "[%.0f, %.0f, %s]\n", $5, $7 * 512, part || NF < 16 ? "null" : $16 }' \
		"$device/stat"
}

# arrived_at_filesystem STOP PID: the program waits at that barrier
arrived_at_filesystem () {
	until [ "$(stat -c %s "$inside/barrier" 2>/dev/null || echo 0)" -ge "$1" ]
	do
		[ -d "/proc/$2" ] || return 1
		sleep 0.01
	done
}

# filesystem_commits CONFIGURATION: $begun and $ended, the counters before and after the commits.
# Before each workload the program waits for a second client, which is this shell.
filesystem_commits () {
	rm -f "$inside/barrier" "$inside/json"
	# shellcheck disable=SC2046
	"./bench_${1%%+*}" --db="$STORAGE_DIR/db" --num="$num" --writes="$commits" --reads=1 \
		--benchmarks=fillseqbatch,overwrite,readrandom --durability=sync --reopen=0 \
		--json="$inside/json" --barrier_file="$inside/barrier" $(own_options "$1") \
		>"$inside/out" 2>&1 &
	ended=''
	for stop in 1 3 5
	do
		arrived_at_filesystem $stop $! || break
		[ $stop -ne 3 ] || sync -f "$STORAGE_DIR"
		begun=$ended ended=$(filesystem_counters)
		printf + >>"$inside/barrier"
	done
	wait $!
}

# filesystem_space: bytes, as JSON: length of the database's files, their blocks, all that is in use
filesystem_space () {
	sync -f "$STORAGE_DIR"
	mkdir -p "$STORAGE_DIR/db"
	{
		du -s -B1 --apparent-size "$STORAGE_DIR/db"
		du -s -B1 "$STORAGE_DIR/db"
		df --output=used -B1 "$STORAGE_DIR" | tail -n 1
	} | awk '{ print $1 }' | jq -sc .
}

# filesystem_missing WRITER WHY: a row without numbers
filesystem_missing () {
	jq -nc --arg file_system "$name" --arg writer "$1" --arg why "$2" \
		'{$file_system, $writer, $why}' >>"$rows"
}

# measure_filesystem CONFIGURATION: a row
measure_filesystem () {
	empty=$(filesystem_space)
	if filesystem_commits "$1"
	then
		# the last row has the sizes after closing
		jq -sc --arg file_system "$name" --arg writer "$1" --argjson begun "$begun" \
			--argjson ended "$ended" --argjson empty "$empty" \
			--argjson full "$(filesystem_space)" '
			def spent($i):
				if $begun[$i] == null then null else $ended[$i] - $begun[$i] end;
			def kb($i): ($full[$i] - $empty[$i]) / 1024 | round;
			last as $last | .[] | select(.benchmark == "overwrite") |
			{$file_system, $writer, commits, syncs, device_write_bytes: spent(1),
				device_writes: spent(0), device_flushes: spent(2),
				row_device_write_bytes: .device_write_bytes,
				row_device_writes: .device_writes,
				row_device_flushes: .device_flushes,
				apparent_kb: kb(0), allocated_kb: kb(1), used_kb: kb(2)} +
			($last | {row_db_apparent_kb: .db_apparent_kb, row_db_disk_kb: .db_disk_kb,
				row_db_preallocated_kb: .db_preallocated_kb}) +
			{engine_version, why: .invalid_reason}' "$inside/json" >>"$rows"
	else
		filesystem_missing "$1" "$(tail -n 1 "$inside/out")"
	fi
	find "$STORAGE_DIR/db" -delete
}

if [ -n "$inside" ]
then
	name=$kinds rows=$inside/rows
	for writer in $(each "$chosen")
	do
		measure_filesystem "$writer"
	done
	exit 0
fi

needs jq
make_work
rows=$work/rows
: >"$rows"
built=
for writer in $(each "$chosen")
do
	program=bench_${writer%%+*} name=
	if [ -x "$program" ]
	then
		built=$built,$writer
	else
		filesystem_missing "$writer" "$program is not built; see docs/engines.md"
	fi
done
[ -n "$built" ] || fail 1 "no writer is built: $(jq -rs 'last.why' "$rows")"

# known_filesystem TYPE: to this kernel
known_filesystem () {
	awk -v type="$1" '$NF == type { found = 1 } END { exit !found }' /proc/filesystems ||
		modprobe -n -q "$1" 2>/dev/null
}

# measure_filesystems NAME KIND MKFS MOUNT, the last two - for none, or with _ for blanks; what else
# goes to storage.sh follows
measure_filesystems () {
	name=$1 kind=$2 mkfs=$(echo "${3#-}" | sed 's/_/ /; s/^[a-zA-Z]/-&/') mount=${4#-}
	shift 4
	type=${kind%-nojournal}
	known_filesystem "$type" || { filesystem_missing '' "this kernel has no $type"; return; }
	before=$(wc -l <"$rows")
	scripts/storage.sh --size=512Mi "$@" ${mkfs:+--mkfs="$mkfs"} ${mount:+--mount="$mount"} \
		"$kind" scripts/filesystems.sh --inside="$work" --file-systems="$name" \
		--writers="${built#,}" --commits="$commits" --num="$num" 2>"$work/err" || true
	[ "$(wc -l <"$rows")" -gt "$before" ] || filesystem_missing '' "$(tail -n 1 "$work/err")"
}

echo "$file_systems" | while read -r name rest
do
	case ,$kinds, in
	*",${name:--},"*) ;;
	*) continue ;;
	esac
	[ ! -t 2 ] || echo "$name" >&2
	# shellcheck disable=SC2086
	measure_filesystems "$name" $rest "$@" </dev/null
done

echo "Linux $(uname -r), $commits commits at \`--durability=sync\`, each of a record of 16 +"
echo "100 bytes, after a load of $num."
read_by filesystems.sh "$rows" "$commits" "$writers" ${tsv:+"$tsv"}
