#!/bin/sh
# storage.sh: make a fresh file system or device, run a command on it, and remove it again; see --help.
# shellcheck disable=SC2317 # what only the traps call
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'loop devices' "$@"

disks=$(dirname "$0")/tools/disks.tsv
disk_names () {
	sed 1d "$disks" | cut -f 1 | paste -s -d ' '
}

help () {
	cat <<END
usage: scripts/storage.sh [option ...] KIND COMMAND [ARGUMENT ...]

Makes a fresh file system of KIND, runs COMMAND, and removes everything it made, also after a
failure or an interrupt (except SIGKILL). For instance:

    scripts/storage.sh --size=8Gi xfs ./bench_lmdb --benchmarks=fillseqbatch,readrandom

KIND is one of
  tmpfs                 in memory
  ext4                  with its journal
  ext4-nojournal        without a journal
  xfs, btrfs            with their defaults
  f2fs, bcachefs        likewise, on kernels that have them
  overlay               overlayfs, as containers have it, whose layers are directories of an ext4
  raw                   the device itself, without a file system

All but tmpfs are on a loop device over a file, with direct I/O past the host's page cache. The
whole file is written after mkfs, because holes would be read as zeros without the device.

  --size=SIZE           size of the file, or limit of tmpfs: bytes, or with Ki Mi Gi [2Gi]
  --dir=DIRECTORY       where the file and the mount point are made; a file not in memory
                        [\$TMPDIR or /tmp]
  --device=DEVICE       a partition or disk instead of a file. It is refused if in use, or if it
                        contains anything but a file system left by this script
  --confirm=DEVICE      DEVICE again, since all its data is lost
  --mkfs=OPTIONS        further options of mkfs, such as '-O fast_commit' for ext4
  --mount=OPTIONS       further options of mount, such as nodatacow for btrfs
  --discard=0|1         1: mkfs discards all blocks of the device, btrfs, f2fs and bcachefs also
                        those that they free, raw by blkdiscard; 0: no discard [their own defaults;
                        but 0 for these three on a file, which would get holes, and for raw]
  --read-ahead=KIB      read-ahead of the device in KiB: what a memory-mapped engine may read for
                        one record [128, Linux's default]
  --precondition=N      first write the whole device N times in order, then N times at random in
                        blocks of 4 KiB, by fio: the state of a drive in long use, which wears it.
                        mkfs then discards nothing [0]
  --fill=PERCENT        percentage of the device that a file of random bytes, occupied, takes; a
                        fuller drive has less spare space and moves more data [0]
  --help                this

Options of a simulated disk, which slow down or limit all its requests once COMMAND begins. Its data
is in this machine's page cache as far as memory allows.
  --iops=N              I/Os per second, of at most 256 KiB each; a larger request is several
  --bandwidth=BYTES     bytes per second, with k m g or Ki Mi Gi
  --latency=T[,p99=T]   latency of each request and sync, such as 500us or 0.5ms: constant, or
                        log-normal with this median and p99
  --burst=iops=N[,bandwidth=BYTES][,seconds=N]
                        limits while there are credits. A full bucket, as on a fresh disk, lasts
                        for N seconds of bursts [60] and refills with the unused part of --iops
                        and --bandwidth
  --stall=T[@T]         stop the disk once, for the first T, such as 500ms, at the second T after
                        COMMAND begins [1s]
  --disk=NAME           a cloud provider's disk, with the published numbers in
                        scripts/tools/disks.tsv:
$(disk_names | fold -s -w 76 | sed 's/^/                        /; s/ *$//')
                        other options override its numbers

COMMAND finds in its environment
  STORAGE_KIND          KIND
  STORAGE_DIR           the mount point; for raw, an empty directory on the host's file system, from
                        which only markers of the suite are removed
  STORAGE_DEVICE        the block device; not for tmpfs
  STORAGE_BYTES         its size, or the limit of tmpfs
  TMPDIR                STORAGE_DIR, so that bench_NAME without --db works there
  LC_ALL                C.UTF-8
Processes that hold the mount when COMMAND has ended are named and waited for; after 5 seconds
the mount is detached. INT, TERM and HUP are passed on to COMMAND; its processes get TERM after
10 seconds, KILL after 15.

losetup, mkfs and mount need root, or sudo, which may ask for the password again at the end. A
--device keeps its file system, with the label assay.
Exit status: that of COMMAND; 1 a step failed, or something was left behind (except files of
COMMAND in a raw's STORAGE_DIR, which are kept and named); 2 wrong arguments, nothing was touched.
END
}

say_storage () {
	echo "storage.sh: $1" >&2
}

label=assay
size=2Gi
size_given=
dir=${TMPDIR:-/tmp}
named=
confirmed=
discard=
mkfs=
mount=
ahead=128
precondition=0
fill=0
preset='' iops='' bandwidth='' latency='' burst='' stall=''
while [ $# -gt 0 ]
do
	set_option "$1" dir mkfs mount precondition fill iops bandwidth latency burst \
		stall || case $1 in
	--help) help; exit 0 ;;
	--size=?*) size=$value size_given=1 ;;
	--device=?*) named=$value ;;
	--confirm=?*) confirmed=$value ;;
	--discard=[01]) discard=$value ;;
	--read-ahead=?*) ahead=$value ;;
	--disk=?*) preset=$value ;;
	-*) refuse "$1" ;;
	*) break ;;
	esac
	shift
done
kind=${1-}
case $kind in
tmpfs) type=tmpfs tools='' ;;
ext4 | ext4-nojournal | overlay) type=ext4 tools=mkfs.ext4 ;;
xfs | btrfs | f2fs | bcachefs) type=$kind tools=mkfs.$kind ;;
raw) type='' tools='' ;;
'') fail 2 "which kind? see --help" ;;
*) fail 2 "no kind '$kind'; see --help" ;;
esac
shift
PATH=$PATH:/usr/sbin:/sbin
[ $# -gt 0 ] || fail 2 "which command is to run on $kind? see --help"
command -v "$1" >/dev/null ||
	fail 2 "'$1' is not a command; after $kind comes the command to run on it"

# disk_bytes SIZE: 2Gi as 2147483648; nothing if it is no size
disk_bytes () {
	number=${1%[KMG]i}
	case $number in
	'' | 0* | *[!0-9]*) return ;;
	esac
	case $1 in
	??????????*[KMG]i | ???????????????????*) return ;;
	*Ki) echo $((number << 10)) ;;
	*Mi) echo $((number << 20)) ;;
	*Gi) echo $((number << 30)) ;;
	*) echo "$number" ;;
	esac
}

check_read_ahead "$ahead"
case $precondition in
*[!0-9]* | 0?* | ???*) fail 2 \
	"--precondition: cannot read '$precondition'; give a number of times, to 99" ;;
esac
case $fill in
*[!0-9]* | 0?* | ???*) fail 2 "--fill: cannot read '$fill'; give percent, to 99" ;;
esac
bytes=$(disk_bytes "$size")
[ -n "$bytes" ] ||
	fail 2 "--size: cannot read '$size'; give bytes, or a number with Ki, Mi or Gi"
[ $((bytes % 4096)) -eq 0 ] || fail 2 "--size: $size is not a multiple of 4Ki"
writable_dir
case $kind$named$discard in
tmpfs) ;;
tmpfs*) fail 2 "tmpfs has no device; leave out --device and --discard" ;;
esac
case $kind/$mkfs/$mount in
tmpfs//* | raw//) ;;
tmpfs* | raw*) fail 2 "$kind is not made by mkfs; leave out --mkfs${mount:+ and --mount}" ;;
esac
case $kind-$precondition-$fill in
tmpfs-0-0 | raw-*-0) ;;
tmpfs*) fail 2 "tmpfs has no device; leave out --precondition and --fill" ;;
raw*) fail 2 "--fill: raw has no files; leave it out" ;;
esac
[ "$precondition" -eq 0 ] || [ "$discard" != 1 ] ||
	fail 2 "--discard=1 undoes --precondition; leave out one"
[ "$precondition" -eq 0 ] || discard=0
[ -z "$named" ] || [ -z "$size_given" ] ||
	fail 2 "--size is that of a file; leave it out with --device"
[ -n "$named" ] || [ -z "$confirmed" ] ||
	fail 2 "--confirm=$confirmed: there is no --device to confirm"

# of_disk COLUMN: of the disk that is named
of_disk () {
	awk -F '\t' -v name="$preset" -v column="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) field = i }
		$1 == name { print $field }' "$disks"
}
if [ -n "$preset" ]
then
	[ -n "$(of_disk name)" ] ||
		fail 2 "--disk: no '$preset' in $disks; there are $(disk_names)"
	iops=${iops:-$(of_disk iops)} bandwidth=${bandwidth:-$(of_disk bandwidth)}
	latency=${latency:-$(of_disk latency)} burst=${burst:-$(of_disk burst)}
fi

# disk_milliseconds OPTION TIME
disk_milliseconds () {
	ns=$(nanoseconds "$2" || true)
	[ -n "$ns" ] ||
		fail 2 "$1: cannot read '$2'; give a time such as 500us, 0.5ms or 5s"
	echo "$ns" | jq '. / 1e6'
}

# The numbers as options of build/simulated_disk, which checks them, and as rows have them
simulator=$(dirname "$0")/../build/simulated_disk
limits='' shown=''
disk_limit () {
	limits="$limits --$1=$2"
}
for pair in "iops $iops" "bandwidth $bandwidth" "latency $latency" "burst $burst" "stall $stall"
do
	name=${pair%% *} value=${pair#* }
	case $value in
	'') continue ;;
	*[!A-Za-z0-9.,=@]*) fail 2 "--$name: cannot read '$value'; see --help" ;;
	esac
	shown="${shown:+$shown+}$name=$(echo "$value" | tr , ';')"
	case $name in
	iops | bandwidth) disk_limit "$name" "$value" ;;
	latency)
		first=${value%%,p99=*}
		median=$(disk_milliseconds --latency "$first")
		disk_limit latency_ms "$median"
		[ "$first" = "$value" ] || {
			p99=$(disk_milliseconds --latency "${value#*,p99=}")
			disk_limit latency_p99_ms "$p99"
		}
		;;
	burst)
		disk_limit burst_s 60
		for part in $(each "$value")
		do
			case $part in
			iops=?* | bandwidth=?*) disk_limit "burst_${part%%=*}" "${part#*=}" ;;
			seconds=?*) disk_limit burst_s "${part#*=}" ;;
			*) fail 2 "--burst: cannot read '$part'; see --help" ;;
			esac
		done
		;;
	stall)
		long=$(disk_milliseconds --stall "${value%%@*}")
		disk_limit stall_ms "$long"
		case $value in
		*@*)
			at=$(disk_milliseconds --stall "${value#*@}")
			disk_limit stall_at_ms "$at"
			;;
		esac
		;;
	esac
done
[ -z "$preset" ] || shown="disk=$preset${shown:++$shown}"
case $kind-$named-$precondition-${limits:+limits} in
*-) ;;
tmpfs-*) fail 2 "tmpfs has no device; leave out --iops, --disk and the like" ;;
*--0-*)
	[ -x "$simulator" ] ||
		fail 1 "build/simulated_disk is not built, as libfuse was not found; apt install \
libfuse3-dev, then make"
	[ -c /dev/fuse ] || fail 1 "no /dev/fuse, by which disks are simulated; modprobe fuse"
	# shellcheck disable=SC2086
	words=$("$simulator" --check=1 $limits 2>&1) || fail 2 "${words#simulated_disk: }"
	;;
*) fail 2 "a simulated disk is a file of its own; leave out --device and --precondition" ;;
esac

disk_available () {
	if [ "$kind" = tmpfs ]
	then
		awk '/^MemAvailable:/ { printf "%.0f\n", $2 * 1024 }' /proc/meminfo
	else
		df --output=avail -B1 "$dir" | tail -n 1
	fi
}
if [ -z "$named" ]
then
	case $kind-$(stat -f -c %T "$dir") in
	tmpfs-*) ;;
	*-tmpfs | *-ramfs)
		fail 2 "--dir: $dir is in memory, and the file would not be on a device; give \
another --dir"
		;;
	esac
	room=$(($(disk_available)))
	[ "$room" -gt "$bytes" ] ||
		fail 2 "--size: $bytes bytes in $dir: only $room are available; give a smaller \
--size or another --dir"
fi

[ "$precondition" -eq 0 ] || tools="$tools fio"
# shellcheck disable=SC2086 # names, a word each
needs $tools jq findmnt losetup wipefs blkdiscard blockdev

find_root "$kind needs root for mount or losetup, and this is neither root nor has sudo; run it \
as root"
# disk_as_root COMMAND...: through sudo if need be; announced before the first
announced=
announce_disk () {
	[ -z "$announced" ] || return 0
	announced=1
	uses="mount, chown and umount"
	[ "$kind" != raw ] || uses='chown'
	[ -z "$tools" ] || uses="$tools, $uses"
	[ "$kind" = tmpfs ] || [ -n "$named" ] || uses="losetup, $uses"
	[ -z "$limits" ] || uses="build/simulated_disk, $uses"
	[ "$kind" = tmpfs ] || uses="$uses, blockdev"
	[ -z "$named" ] || uses="wipefs on $named, $uses"
	say_storage "uses root${sudo:+ through sudo} for $uses"
}
disk_as_root () {
	$sudo "$@"
}

# disk_signatures FILTER: what jq's FILTER says of those on the named device
disk_signatures () {
	echo "$found" | jq -er "[.signatures[]] | $1"
}

# refuse_disk TEXT: the end, of the named device
refuse_disk () {
	fail 2 "--device=$named: $1"
}

# The named device is free and carries nothing, or a file system of ours; anything else
# ends it here.
check_disk () {
	[ -b "$named" ] || refuse_disk "it is not a block device"
	numbers=$(stat -L -c '0x%t 0x%T' "$named")
	numbers=$((${numbers% *})):$((${numbers#* }))
	sys=/sys/dev/block/$numbers
	[ -e "$sys/size" ] || refuse_disk "the kernel knows no such device"
	[ "$(cat "$sys/size")" -gt 0 ] ||
		refuse_disk "it has no size; nothing is attached to it"
	[ "$(cat "$sys/ro")" -eq 0 ] || refuse_disk "it can only be read"

	device=$(readlink -f "$named")
	mounted=$(awk -v n="$numbers" '$3 == n { print $5; exit }' /proc/self/mountinfo)
	[ -n "$mounted" ] || mounted=$(findmnt -n -f -o TARGET --source "$device" || true)
	[ -z "$mounted" ] || refuse_disk "it is mounted at $mounted"
	! awk -v d="$device" '$1 == d { found = 1 } END { exit !found }' /proc/swaps ||
		refuse_disk "it is swap in use"
	for whole in "$sys"/holders/*
	do
		[ ! -e "$whole" ] || refuse_disk "it is part of $(basename "$whole")"
	done
	for part in "$sys"/*/partition
	do
		[ ! -e "$part" ] ||
			refuse_disk "it has partitions, $(basename "$(dirname "$part")") for \
one; name one of them"
	done

	reader=
	if [ ! -r "$named" ]
	then
		announce_disk
		reader=disk_as_root
	fi
	found=$($reader wipefs --no-act --json "$device") ||
		fail 1 "--device=$named: its contents cannot be read"
	carries=$(disk_signatures \
		'map(.type + if .label then " \"\(.label)\"" else "" end) | unique | join(", ")') ||
		fail 1 "--device=$named: its contents cannot be determined"
	disk_signatures 'all(.label == "'$label'" and
		(.type | IN("ext4", "xfs", "btrfs", "f2fs", "bcachefs")))' >/dev/null ||
		refuse_disk "it contains $carries, not made by storage.sh; to delete that: \
wipefs --all $named"
	holds="$(($(cat "$sys/size") * 512)) bytes, ${carries:-no signature}"
	[ "$confirmed" = "$named" ] ||
		refuse_disk "its contents would be lost ($holds); to confirm: --confirm=$named"
}

device=
carries=
[ -z "$named" ] || check_disk
announce_disk

work=
owner=
ahead_before=
simulated=
exec 3<&0

# disk_mounted DIRECTORY
disk_mounted () {
	findmnt -n -M "$1" >/dev/null
}

# The processes that have something of the mount or the device open, as NAME (PID), PID ...
disk_holders () {
	{
		find /proc/[0-9]*/cwd /proc/[0-9]*/root /proc/[0-9]*/exe /proc/[0-9]*/fd \
			-maxdepth 1 -type l -printf '%p\t%l\n'
		grep -l -F " $point/" /proc/[0-9]*/maps
	} 2>/dev/null | AT=$point/ DEVICE=$device awk -F '\t' '
		NF < 2 || index($2 "/", ENVIRON["AT"]) == 1 || $2 == ENVIRON["DEVICE"] {
			split($1, path, "/")
			print path[3]
		}' |
		sort -un | while read -r pid
		do
			# what has ended meanwhile holds nothing
			! name=$(cat "/proc/$pid/comm" 2>/dev/null) || echo "$name ($pid)"
		done | paste -s -d , | sed 's/,/, /g'
}

# The mounts are gone, or nobody has the device open.
let_go_of_disk () {
	while disk_mounted "$point"
	do
		disk_as_root umount "$point" 2>/dev/null || return 1
	done
	[ "$kind" != raw ] || [ -z "$(disk_holders)" ]
}

# Wait for those who hold the mount, 5 seconds; then take it from under them.
release_disk () {
	for second in 1 2 3 4 5
	do
		! let_go_of_disk || return 0
		held=$(disk_holders)
		held=${held:-what cannot be seen from here}
		held="$kind at ${device:-$point}: still held by $held"
		[ "$second" -gt 1 ] || say_storage "$held; waiting"
		sleep 1
	done
	! let_go_of_disk || return 0
	while disk_mounted "$point" && disk_as_root umount --lazy "$point"; do :; done
	say_storage "$held; it is free when that ends"
	return 1
}

# Only what was made here, by name; each step whether or not there was anything to do.
clean_up_storage () {
	status=$?
	trap '' INT TERM HUP
	set +e
	[ -n "$work" ] || exit "$status"
	release_disk || [ "$status" -ne 0 ] || status=1
	[ -z "$owner" ] || disk_as_root chown "$owner" "$device"
	[ -z "$ahead_before" ] || disk_as_root blockdev --setra "$ahead_before" "$device"
	# asked by file, since losetup may have been interrupted before it said which
	if [ -e "$file" ]
	then
		for loop in $(losetup -n -O NAME -j "$file")
		do
			disk_as_root losetup --detach "$loop" || status=1
		done
		# who looks at all devices, as losetup does, has it open for a moment, and
		# it goes after that
		for tenth in $(seq 20)
		do
			[ -n "$(losetup -n -O NAME -j "$file")" ] || break
			sleep 0.1
		done
		[ -n "$simulated" ] || rm "$file"
	fi
	[ -z "$simulated" ] || end_disk
	if [ "$kind" = raw ]
	then
		# a database on a device has only its mark, and LMDB's link to the device
		# with the lock beside it
		find "$point" -depth -mindepth 1 \( -type f -name assay.db \
			-o -path '*/data/device' -type l -o \
			-path '*/data/device-lock' -type f -o -type d -empty \) -delete
		[ -z "$(ls -A "$point")" ] ||
			fail "$status" "$point: kept, with what the command left there"
	fi
	rmdir "$point" "$work" || [ "$status" -ne 0 ] || status=1
	exit "$status"
}

# By its process, as a mount that somebody looks into would be busy.
end_disk () {
	disk_as_root kill "$simulated"
	for tenth in $(seq 100)
	do
		storage_runs "$simulated" || break
		sleep 0.1
	done
	rm -f "$work/image" "$work/words"
	rmdir "$work/switch" || status=1
}

# storage_runs PID: it is there, and no zombie
storage_runs () {
	case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in
	'' | Z*) return 1 ;;
	esac
}

# The processes of the command, by the name of the mount point, which no other has in its
# environment.
storage_processes () {
	grep -l -s -z -x -F -e "STORAGE_DIR=$point" /proc/[0-9]*/environ | cut -d / -f 3
}

# 1 if so: then a Ctrl-C has gone to all by itself, and a second one would end a bench at once.
storage_in_foreground () {
	sed 's/.*) //' /proc/$$/stat | awk '{ print $3 == $6 }'
}

# storage_interrupted SIGNAL STATUS: end what runs, the command in order first, then what is left
# of it
storage_interrupted () {
	trap '' INT TERM HUP
	set +e
	child=${!-}
	if [ -n "$child" ]
	then
		[ "$1-$(storage_in_foreground)" = INT-1 ] || kill -s "$1" "$child" 2>/dev/null
		told=
		for tenth in $(seq 150)
		do
			left=$(storage_processes)
			[ -n "$left" ] || storage_runs "$child" || break
			if [ "$tenth" -eq 100 ] ||
				{ ! storage_runs "$child" && [ -z "$told" ]; }
			then
				told=1
				# shellcheck disable=SC2086
				kill -s TERM $left "$child" 2>/dev/null
			fi
			sleep 0.1
		done
		# shellcheck disable=SC2046
		kill -s KILL $(storage_processes) 2>/dev/null
		! storage_runs "$child" || kill -s KILL "$child"
		wait "$child"
	fi
	exit "$2"
}
trap clean_up_storage EXIT
on_signals storage_interrupted

# What a shell starts in the background ignores INT; not here, unless this was told to.
heed=--default-signal=INT,QUIT
case $(env --list-signal-handling true 2>&1) in
*INT*IGNORE*) heed= ;;
esac

# attend_on_storage COMMAND...: run it so that a signal is heeded meanwhile; nothing else has this
# environment
attend_on_storage () {
	(
		export STORAGE_KIND="$kind" STORAGE_DIR="$point" TMPDIR="$point"
		[ -z "$device" ] || export STORAGE_DEVICE="$device"
		export STORAGE_BYTES="$bytes"
		# through sh, as env takes a command with = in its name for a setting
		# shellcheck disable=SC2086 # for that sh; empty or one word
		exec env $heed sh -c 'exec "$@"' storage.sh "$@"
	) <&3 3<&- &
	wait $!
}

# disk_tool COMMAND...: run it as root; what it says is said only if it fails
disk_tool () {
	words=$(disk_as_root "$@" 2>&1 >/dev/null </dev/null) ||
		fail 1 "$1 on ${device:-$point}: ${words:+$(echo "$words" | head -n 1)}"
}

# In a shell of its own, so that it is not the child that signals are passed on to.
simulate_disk () {
	file=$work/switch/disk
	mkdir "$work/switch"
	# shellcheck disable=SC2086
	simulated=$($sudo "$simulator" --image="$work/image" --mount="$work/switch" \
		--size="$bytes" --name="$shown" $limits >/dev/null 2>"$work/words" &
		echo $!)
	until [ -e "$file" ]
	do
		storage_runs "$simulated" ||
			fail 1 "build/simulated_disk: $(head -n 1 "$work/words")"
		sleep 0.02
	done
}

make_disk_file () {
	[ -n "$limits" ] || truncate -s "$bytes" "$file"
	[ -z "$limits" ] || simulate_disk
	words=$(disk_as_root losetup --find --show --direct-io=on "$file" 2>&1) ||
		fail 1 "losetup on $file: $(echo "$words" | head -n 1)"
	device=$(echo "$words" | grep '^/dev/')
}

# Of a loop device, also a named one.
check_disk_direct () {
	direct=$(losetup -n -O DIO "$device" 2>/dev/null | tr -d ' ')
	[ "$direct" = 1 ] || [ -n "$named$direct" ] ||
		fail 1 "$device: losetup does not say whether I/O is direct"
	[ "$direct" != 0 ] ||
		say_storage "$device: direct I/O is not in effect; figures are of the page \
cache below it too"
}

# Its holes and what was only allocated become blocks that are written.
write_disk_through () {
	progress=none
	[ ! -t 2 ] || progress=progress
	attend_on_storage dd if="$file" of="$file" bs=1M conv=notrunc,fsync status=$progress ||
		fail 1 "dd on $file failed"
	[ $(($(stat -c '%b * %B' "$file"))) -ge "$bytes" ] ||
		fail 1 "$file: less than $size is on the device; $dir seems to compress, give \
another --dir"
}

# As a drive is in use: all of it written, in no order.
precondition_disk () {
	for way in 'write 1M' 'randwrite 4k'
	do
		# shellcheck disable=SC2086 # empty or one word
		attend_on_storage $sudo fio --name=precondition --filename="$device" --direct=1 \
			--ioengine=libaio --iodepth=16 --rw="${way% *}" \
			--bs="${way#* }" --loops="$precondition" --refill_buffers \
			--output="$work/fio" || {
			why=$(tail -n 1 "$work/fio" 2>/dev/null || echo failed)
			rm -f "$work/fio"
			fail 1 "fio on $device: $why"
		}
		rm -f "$work/fio"
	done
	# A bench takes a device that is blank at both ends.
	[ "$kind" != raw ] || blank_disk_ends
}

blank_disk_ends () {
	disk_tool dd if=/dev/zero of="$device" bs=1M count=1 conv=fsync status=none
	disk_tool dd if=/dev/zero of="$device" bs=512 count=2048 seek=$((bytes / 512 - 2048)) \
		conv=fsync status=none
}

# A file of random data takes --fill percent of the space: a file system or a device might
# store zeros without taking any.
fill_disk () {
	taken=$((bytes * fill / 100))
	[ "$(($(df --output=avail -B1 "$point" | tail -n 1)))" -gt "$taken" ] ||
		fail 1 "--fill: there is no space for $fill % of $bytes bytes"
	attend_on_storage dd if=/dev/urandom of="$point/occupied" bs=1M count=$((taken / 1048576)) \
		iflag=fullblock conv=fsync status=none ||
		fail 1 "dd to $point/occupied failed"
}

make_disk_file_system () {
	case $kind in
	ext4 | overlay) set -- mkfs.ext4 ;;
	ext4-nojournal) set -- mkfs.ext4 -O ^has_journal ;;
	raw)
		[ "$discard" != 1 ] || disk_tool blkdiscard "$device"
		return
		;;
	*) set -- "mkfs.$kind" ;;
	esac
	set -- "$@" -q "$([ "$type" = f2fs ] && echo -l || echo -L)" $label
	# without the first two, ext4 goes on writing its tables while the command runs
	case $type/$discard in
	ext4/0) set -- "$@" -E lazy_itable_init=0,lazy_journal_init=0,nodiscard ;;
	ext4/*) set -- "$@" -E lazy_itable_init=0,lazy_journal_init=0 ;;
	f2fs/0) set -- "$@" -t 0 ;;
	xfs/0 | btrfs/0) set -- "$@" -K ;;
	esac
	# shellcheck disable=SC2086
	disk_tool "$@" $mkfs "$device"
}

# lay_over_disk: an overlayfs on the mount point of what its layers are in
lay_over_disk () {
	disk_tool mkdir "$point/lower" "$point/upper" "$point/work"
	disk_tool mount -t overlay \
		-o "lowerdir=$point/lower,upperdir=$point/upper,workdir=$point/work" \
		overlay "$point"
}

mount_disk () {
	case $type/$discard in
	tmpfs/) disk_tool mount -t tmpfs -o "size=$bytes,mode=755${mount:+,$mount}" tmpfs \
		"$point" ;;
	*)
		options=$mount
		case $type/$discard/$file_made in
		btrfs/0/* | btrfs//1 | f2fs/0/* | f2fs//1 | bcachefs/0/* | bcachefs//1)
			options=nodiscard${mount:+,$mount}
			;;
		esac
		disk_tool mount -t "$type" ${options:+-o "$options"} "$device" "$point"
		;;
	esac
	[ "$kind" != overlay ] || lay_over_disk
	disk_tool chown "$(id -u):$(id -g)" "$point"
}

work=$(mktemp -d "$dir/storage-XXXXXX") file=$work/file point=$work/mount
mkdir "$point"
file_made=
case $kind/$named in
tmpfs/) ;;
*/)
	file_made=1
	make_disk_file
	# memory, without holes
	[ -z "$limits" ] || file_made=
	;;
*)
	# The checks above found that the device may be overwritten. wipefs also fails if
	# somebody has it open whom those checks cannot see.
	disk_tool wipefs --quiet --all --types ext4,xfs,btrfs,f2fs,bcachefs "$device"
	bytes=$(($(cat "$sys/size") * 512))
	[ "$kind" != raw ] || blank_disk_ends
	;;
esac
# blockdev counts in 512 bytes
set_disk_read_ahead () {
	sectors=$(disk_as_root blockdev --getra "$device") ||
		fail 1 "blockdev on $device: cannot read its read-ahead"
	ahead_before=$sectors
	disk_tool blockdev --setra $((ahead * 2)) "$device"
}

if [ -n "$device" ]
then
	check_disk_direct
	set_disk_read_ahead
	[ "$precondition" -eq 0 ] || precondition_disk
	make_disk_file_system
fi
# what is preconditioned has been written through
[ -z "$file_made" ] || [ "$precondition" -gt 0 ] || write_disk_through
if [ "$kind" != raw ]
then
	mount_disk
elif [ ! -r "$device" ] || [ ! -w "$device" ]
then
	owner=$(stat -c %u:%g "$device")
	disk_tool chown "$(id -u):$(id -g)" "$device"
fi
[ "$fill" -eq 0 ] || fill_disk
if [ -n "$limits" ]
then
	took=0
	[ -z "$latency" ] || {
		echo >"$work/switch/calibrate"
		took=$(disk_as_root "$simulator" --probe="$device") ||
			fail 1 "build/simulated_disk cannot read $device"
	}
	echo "$took" >"$work/switch/begin"
fi
attend_on_storage "$@"
