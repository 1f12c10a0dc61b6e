# storage.sh: file systems and devices that a run stands on, and that nothing of them stays.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# Everything is made here, also the mount points; the space is on purpose.
place="$work/a place"
mkdir "$place"
storage () {
	"$top/scripts/storage.sh" --dir="$place" "$@"
}

# without COMMAND COMMAND...: with one that fails in its place
without () {
	mkdir -p "$work/bin"
	printf '#!/bin/sh\nexit 9\n' >"$work/bin/$1"
	chmod +x "$work/bin/$1"
	hidden=$1
	shift
	got=0
	instead "$work/bin" "$@" || got=$?
	rm "$work/bin/$hidden"
	return $got
}

# instead DIRECTORY COMMAND...: with the programs there before those of the system
instead () {
	before=$PATH
	PATH="$1:$PATH"
	shift
	instead=0 # a name that what is called does not use
	"$@" || instead=$?
	PATH=$before
	return $instead
}

# ends STATUS PATTERN COMMAND...: it exits so and says so on stderr, whatever else it says
ends () {
	want=$1 pattern=$2
	shift 2
	got=0
	"$@" >"$work/stdout" 2>"$work/stderr" || got=$?
	cat "$work/stdout" "$work/stderr"
	[ $got -eq "$want" ] || { echo "exit status $got, not $want: $*"; return 1; }
	grep -q -e "$pattern" "$work/stderr" || { echo "stderr says nothing of '$pattern': $*"; return 1; }
}

nothing_left () {
	left=$(loops_below "$place"; mounts_below "$place"; ls -A "$place")
	[ -z "$left" ] || { echo "left: $left"; return 1; }
}

ran="$work/ran"
# refused STATUS PATTERN ARGUMENT...: in one line, before anything is made or run
refused () {
	fails "$1" "$2" storage_of "$@" && [ ! -e "$ran" ] && nothing_left
}
storage_of () {
	shift 2
	storage "$@"
}

wrong () {
	refused 2 'which kind' && refused 2 "no kind 'ntfs'" ntfs touch "$ran" &&
		refused 2 "cannot read '--siz=1Mi'" --siz=1Mi ext4 touch "$ran" &&
		refused 2 "cannot read '--discard=2'" --discard=2 ext4 touch "$ran" &&
		refused 2 'which command' ext4 && refused 2 "'nosuchcommand' is not a command" ext4 nosuchcommand || return 1
	for size in 5q 0 010Mi -1 1.5Gi Gi 9999999999Gi 9999999999999999999 '1 Gi'
	do
		refused 2 "^storage.sh: --size: cannot read '$size'" --size="$size" tmpfs touch "$ran" || return 1
	done
	refused 2 'not a multiple of 4Ki' --size=5000 ext4 touch "$ran" &&
		refused 2 'only [0-9]* are available' --size=999999999Gi ext4 touch "$ran" &&
		refused 2 'only [0-9]* are available' --size=999999999Gi tmpfs touch "$ran" &&
		refused 2 '/no/such is not a directory' --dir=/no/such ext4 touch "$ran" &&
		refused 2 'leave out --device' --device=/dev/null tmpfs touch "$ran" &&
		refused 2 'leave out --device and --discard' --discard=0 tmpfs touch "$ran" &&
		refused 2 'no --device to confirm' --confirm=/dev/null ext4 touch "$ran" &&
		refused 2 'leave it out' --size=1Gi --device=/dev/null ext4 touch "$ran" &&
		refused 2 'not a block device' --device=/dev/null --confirm=/dev/null ext4 touch "$ran"
}
ok 'storage.sh refuses what it cannot read, and touches nothing' wrong

if [ "$(stat -f -c %T /dev/shm 2>"$work/err")" = tmpfs ] && [ -w /dev/shm ]
then
	ok 'storage.sh refuses a file for a loop device in memory' refused 2 'is in memory' --dir=/dev/shm ext4 touch "$ran"
fi

# What a command finds: KIND TYPE DEVICE, the last 1 or 0; it says so in $ran.
cat >"$work/look" <<'END'
set -eux
# as a function, since what begins with ! ends nothing under set -e
none () {
	! grep -e "$1"
}
[ "$STORAGE_KIND" = "$1" ]
[ "$TMPDIR" = "$STORAGE_DIR" ]
[ "$(findmnt -n -o FSTYPE -M "$STORAGE_DIR" | tail -n 1)" = "$2" ]
[ "$(stat -c %u "$STORAGE_DIR")" -eq "$(id -u)" ]
[ "$3" -eq 0 ] || [ -b "$STORAGE_DEVICE" ]
[ "$3" -eq 1 ] || [ -z "${STORAGE_DEVICE-}" ]
[ -z "$2" ] || [ "$(ls -A "$STORAGE_DIR")" = "$([ "$2" != ext4 ] || echo lost+found)" ]
case $1 in
ext4) dumpe2fs -h "$STORAGE_DEVICE" | grep 'features:.* has_journal' ;;
ext4-nojournal) dumpe2fs -h "$STORAGE_DEVICE" | grep features: | none has_journal ;;
esac
case $1 in
ext4*) [ "$(dumpe2fs "$STORAGE_DEVICE" | grep -c 'Group.*ITABLE_ZEROED')" -eq "$(dumpe2fs "$STORAGE_DEVICE" | grep -c '^Group [0-9]')" ] ;;
btrfs) findmnt -n -o OPTIONS -M "$STORAGE_DIR" | none ',discard' ;;
esac
file=$(dirname "$STORAGE_DIR")/file
if [ "$3" -eq 1 ]
then
	[ $(($(stat -c '%b * %B >= %s' "$file"))) -eq 1 ]
	filefrag -v "$file" >"$4.blocks"
	none unwritten <"$4.blocks"
fi
echo text >"$STORAGE_DIR/written"
touch "$4"
[ "$1" != raw ] || rm "$STORAGE_DIR/written"
END

# stands KIND TYPE DEVICE SIZE
stands () {
	rm -f "$ran"
	storage --size="$4" "$1" sh "$work/look" "$1" "$2" "$3" "$ran" && [ -e "$ran" ] && rm "$ran" && nothing_left
}

reason=
if [ "$(id -u)" -ne 0 ]
then
	reason='this is not root'
elif [ ! -d /sys/dev/block ]
then
	reason='/sys is not mounted'
elif [ "$(stat -f -c %T "$work")" = tmpfs ]
then
	reason='the work directory is in memory'
else
	truncate -s 300M "$work/disk"
	disk=$(losetup --find --show --direct-io=on "$work/disk" 2>"$work/err") || reason='there are no loop devices'
fi
if [ -n "$reason" ]
then
	skip 'storage.sh makes what a run stands on' "$reason"
	return 0
fi

# What ignores all signals but one: started now, looked at when the others are done.
mkdir "$work/b place"
! chosen 'storage.sh: a command that heeds no signal is killed' || (
	"$top/scripts/storage.sh" --dir="$work/b place" tmpfs \
		sh -c 'trap "" TERM INT HUP; cd "$STORAGE_DIR"; echo $$ >"$0"; sleep 100 & wait; sleep 100' "$work/stubborn.pid" 2>"$work/stubborn.err" &
	until [ -s "$work/stubborn.pid" ]; do sleep 0.1; done
	kill -s TERM $!
	wait $!
	echo $? >"$work/stubborn.status"
) &

ok 'storage.sh: tmpfs is one' stands tmpfs tmpfs 0 16Mi
for line in 'ext4 ext4 64Mi' 'ext4-nojournal ext4 64Mi' 'xfs xfs 300Mi' 'btrfs btrfs 128Mi' \
	'overlay overlay 64Mi'
do
	# shellcheck disable=SC2086 # words, on purpose
	set -- $line
	if grep -q -w "$2" /proc/filesystems || modprobe -n -q "$2"
	then
		ok "storage.sh: $1 is one, on blocks that are written" stands "$1" "$2" 1 "$3"
	else
		skip "storage.sh: $1" "this kernel knows no $2"
	fi
done
# The programs write to the database that they open, but not to what they copy.
reads_a_read_only_mount () {
	storage --size=64Mi tmpfs sh -euc '
		"$0/bench_lmdb" --db="$STORAGE_DIR/db" --num=1k --benchmarks=fillseqbatch >"$1/out"
		mount -o remount,ro "$STORAGE_DIR"
		"$0/bench_lmdb" --db="$1/copy" --copy_of="$STORAGE_DIR/db" --num=1k --json="$1/rows" --benchmarks=readrandom,overwrite >"$1/out"
		! "$0/bench_lmdb" --db="$STORAGE_DIR/db" --use_existing_db=1 --num=1k --benchmarks=readrandom >"$1/out" 2>"$1/err"
		mount -o remount,rw "$STORAGE_DIR"' "$top" "$work" || return 1
	cat "$work/err"
	grep -q 'cannot open .*/db/assay.db: Read-only file system; choose another --db' "$work/err" &&
		jq -es 'length == 2 and .[0].found == 1000 and .[1].invalid_reason == null' "$work/rows"
}
ok 'a database on a read-only mount can be copied, and is not opened otherwise' reads_a_read_only_mount
ok 'storage.sh: raw is a device, also written' stands raw '' 1 16Mi
# has_options PATTERN COMMAND KIND OPTION: what COMMAND prints there has it
has_options () {
	storage --size=128Mi "$4" "$3" sh -c "$2" >"$work/out" && nothing_left || return 1
	cat "$work/out"
	grep -q -e "$1" "$work/out"
}
made_so () {
	mounted='findmnt -n -o OPTIONS -M "$STORAGE_DIR"'
	has_options 'features:.* fast_commit' 'dumpe2fs -h "$STORAGE_DEVICE"' ext4 '--mkfs=-O fast_commit' &&
		has_options 'data=journal' "$mounted" ext4 --mount=data=journal &&
		has_options 'mode=750' "$mounted" tmpfs --mount=mode=750 || return 1
	refused 2 'tmpfs is not made by mkfs; leave out --mkfs$' --mkfs=-q tmpfs touch "$ran" &&
		refused 2 'raw is not made by mkfs; leave out --mkfs and --mount$' --mount=sync raw touch "$ran"
}
ok 'storage.sh: mkfs and mount take further options' made_so

# XFS preallocates behind the end of a file that grows; the rest of what is allocated is used.
allocated () {
	rm -f "$work/rows"
	storage --size=300Mi xfs "$top/bench_lmdb" --benchmarks=fillrandom,readrandom --num=50k --json="$work/rows" >"$work/out" 2>&1 ||
		{ cat "$work/out"; return 1; }
	jq -c '[.benchmark, .db_disk_kb, .db_preallocated_kb, .db_apparent_kb]' "$work/rows" &&
		jq -es '.[0].db_preallocated_kb >= 64 and all(.[]; .db_disk_kb - .db_preallocated_kb - .db_apparent_kb | fabs <= 64)' "$work/rows"
}
# Commits of one record through a map after a load: where the kernel has the file in large folios, much more is written.
maps_folios () {
	rm -f "$work/rows"
	for map in 0 1
	do
		# shellcheck disable=SC2016 # for the shell there
		storage --size=300Mi "$1" sh -c 'options=; for list in fillrandom overwrite
			do
				"$0" --db="$STORAGE_DIR/db" --writemap="$1" --num=50k --writes=50000 --benchmarks="$list" $options --json="$2" || exit
				options="--use_existing_db=1 --durability=sync --duration=0.3"
			done' "$top/bench_lmdb" "$map" "$work/rows" >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	done
	jq -c 'select(.benchmark == "overwrite") | [.filesystem, .writes, .device_write_bytes / .writes, .warnings]' "$work/rows" &&
		jq -es 'map(select(.benchmark == "overwrite") | [.device_write_bytes / .writes, (.warnings // "" | test("large folios of a mapped file"))]) |
			length == 2 and .[0][1] == false and .[1][1] == (.[1][0] > 131072 + 464)' "$work/rows"
}
if grep -q -w xfs /proc/filesystems || modprobe -n -q xfs
then
	ok 'what XFS has preallocated is told from what is used' allocated
	ok 'XFS that writes large folios of a mapped file has a warning' maps_folios xfs
else
	skip 'what XFS has preallocated, and large folios there' 'this kernel knows no xfs'
fi
ok 'and so does ext4' maps_folios ext4

passes_status () {
	ends 7 '' storage --size=16Mi ext4 sh -c 'echo x >"$TMPDIR/x"; exit 7' && nothing_left &&
		ends 137 '' storage tmpfs sh -c 'kill -s KILL $$' && nothing_left &&
		ends 127 'not found' storage tmpfs sh -c nosuchcommand && nothing_left &&
		ends 0 'uses root for losetup, mkfs.ext4, mount' storage --size=16Mi ext4 true && [ "$(wc -l <"$work/stderr")" -eq 1 ]
}
ok 'storage.sh: the status of the command passes through, and nothing stays' passes_status

passes_words () {
	printf '#!/bin/sh\ncat\nfor word; do echo "<$word>"; done\n' >"$work/a=b c"
	chmod +x "$work/a=b c"
	echo in | storage tmpfs "$work/a=b c" 'd  e' '' "f'g" >"$work/out" || return 1
	printf '%s\n' in '<d  e>' '<>' "<f'g>" | diff - "$work/out"
}
ok 'storage.sh: so do its words and its standard input' passes_words

fails_at_each_step () {
	ends 1 'mkfs.xfs on /dev/loop[0-9]*: .*300MB' storage --size=64Mi xfs touch "$ran" && [ ! -e "$ran" ] && nothing_left || return 1
	for step in losetup mkfs.ext4 dd mount chown truncate
	do
		echo "$step fails"
		! without $step storage --size=16Mi ext4 touch "$ran" && [ ! -e "$ran" ] && nothing_left || return 1
	done
}
ok 'storage.sh: nothing stays when a step fails' fails_at_each_step

# over: none of those in $work/begun runs
over () {
	gone "$(paste -s -d , "$work/begun")"
}

# interrupt SIGNAL STATUS ARGUMENT...: send it once $work/begun has something. It ends so, and what was running with it,
# before the tenth second, when storage.sh resorts to stronger signals.
interrupt () {
	signal=$1 want=$2
	shift 2
	rm -f "$work/begun"
	env --default-signal=INT,TERM,HUP "$top/scripts/storage.sh" --dir="$place" "$@" 2>"$work/stderr" &
	pid=$!
	within 60 [ -s "$work/begun" ] || { kill $pid; return 1; }
	kill -s "$signal" $pid
	ended=0
	within 3 over || ended=$?
	got=0
	wait $pid || got=$?
	cat "$work/stderr"
	[ $got -eq "$want" ] || { echo "exit status $got, not $want"; return 1; }
	# udev looks at every device for a moment, on a busy machine for longer
	[ $ended -eq 0 ] && over && ! grep 'still held by .*\(sleep\|sh\) ([0-9]*)' "$work/stderr" && nothing_left
}
interrupted_command () {
	interrupt TERM 143 tmpfs sh -c 'echo $$ >"$0"; exec sleep 100' "$work/begun" &&
		interrupt INT 130 --size=16Mi ext4 sh -c 'cd "$STORAGE_DIR"; echo $$ >"$0"; exec sleep 100' "$work/begun" &&
		interrupt HUP 129 --size=16Mi raw sh -c 'exec 3<"$STORAGE_DEVICE"; echo $$ >"$0"; exec sleep 100' "$work/begun"
}
ok 'storage.sh: INT, TERM and HUP end the command, and nothing stays' interrupted_command

# The shell is gone at once; its sleep is not, and has another parent then.
interrupted_orphan () {
	interrupt TERM 143 --size=16Mi ext4 sh -c 'cd "$STORAGE_DIR"; sleep 100 & echo $! >"$0"; wait' "$work/begun"
}
ok 'storage.sh: and also what the command started and left' interrupted_orphan

# Slow tools, in whose midst the signal comes; of mkfs the end is waited for.
interrupted_before () {
	mkdir -p "$work/slow"
	printf '#!/bin/sh\necho $$ >"%s"\nexec sleep 100\n' "$work/begun" >"$work/slow/dd"
	chmod +x "$work/slow/dd"
	instead "$work/slow" interrupt INT 130 --size=16Mi ext4 touch "$ran" &&
		instead "$work/slow" interrupt TERM 143 --size=16Mi ext4 touch "$ran" || return 1
	rm "$work/slow/dd"
	for step in losetup mkfs.ext4 mount
	do
		printf '#!/bin/sh\necho $$ >>"%s"\nsleep 1\nPATH=%s exec %s "$@"\n' "$work/begun" "'$PATH'" "$step" >"$work/slow/$step"
		chmod +x "$work/slow/$step"
		instead "$work/slow" interrupt TERM 143 --size=16Mi ext4 touch "$ran" || return 1
		rm "$work/slow/$step"
	done
	[ ! -e "$ran" ]
}
ok 'storage.sh: and a signal while it prepares' interrupted_before

# A Ctrl-C reaches the command from the terminal, a signal to storage.sh through that: once in either case.
cat >"$work/count" <<'END'
trap 'echo INT >>"$1.count"' INT
echo $$ >"$1"
for tenth in $(seq 15); do sleep 0.1; done
END
once () {
	rm -f "$work/begun.count"
	interrupt INT 130 tmpfs sh "$work/count" "$work/begun" && [ "$(wc -l <"$work/begun.count")" -eq 1 ] || return 1
	rm -f "$work/begun.count" "$work/begun"
	# a session of its own, in which it is in the foreground
	got=0
	{
		within 60 [ -s "$work/begun" ] >"$work/begun.log" && sleep 0.3 && printf '\003' && sleep 3
	} | env --default-signal=INT script -q -e -c "exec '$top/scripts/storage.sh' --dir='$place' tmpfs sh '$work/count' '$work/begun'" "$work/typescript" >"$work/out" || got=$?
	cat "$work/out"
	[ $got -eq 130 ] && [ "$(wc -l <"$work/begun.count")" -eq 1 ] && nothing_left
}
ok 'storage.sh: a Ctrl-C comes to the command once' once

held_for_a_while () {
	ends 0 'still held by .*sleep ([0-9]*).*; waiting' storage --size=16Mi ext4 sh -c 'cd "$TMPDIR"; sleep 3 & true' &&
		nothing_left && ends 0 'raw at /dev/loop.* held by sleep ([0-9]*); waiting' \
			storage --size=16Mi raw sh -c 'sleep 3 <"$STORAGE_DEVICE" & true' && nothing_left
}
ok 'storage.sh: what holds the mount is named and waited for' held_for_a_while

# The loop device goes with the last that has it.
held_for_long () {
	ends 1 'still held by .*it is free when that ends' storage --size=16Mi ext4 \
		sh -c 'cd "$TMPDIR"; sleep 100 & echo $! >"$0"' "$work/holder" || { kill "$(cat "$work/holder")"; return 1; }
	bad=0
	! findmnt -n -r -o TARGET | grep -F "$work/" && [ -z "$(ls -A "$place")" ] || bad=$?
	kill "$(cat "$work/holder")"
	within 60 nothing_left && return $bad
}
ok 'storage.sh: and not for ever' held_for_long

keeps_files () {
	kept=0
	ends 0 'kept, with what the command left there' storage --size=16Mi raw \
		sh -c 'mkdir -p "$TMPDIR/x/data"; touch "$TMPDIR/x/assay.db" "$TMPDIR/kept"' &&
		[ "$(cd "$place" && find . -mindepth 2 | sed 's/storage-[^/]*/_/' | sort | paste -s -d ' ')" = './_/mount ./_/mount/kept' ] || kept=$?
	rm "$place"/*/mount/kept && rmdir "$place"/*/mount "$place"/* && return $kept
}
ok 'storage.sh: beside a raw device only markers are removed' keeps_files

# A losetup without direct I/O, as old kernels and some file systems have it.
not_direct () {
	mkdir -p "$work/indirect"
	printf '#!/bin/sh\nfor word; do shift; [ "$word" = --direct-io=on ] || set -- "$@" "$word"; done\nexec %s "$@"\n' \
		"$(command -v losetup)" >"$work/indirect/losetup"
	chmod +x "$work/indirect/losetup"
	instead "$work/indirect" ends 0 'direct I/O is not in effect' storage --size=16Mi ext4 true && nothing_left
}
ok 'storage.sh: a loop device without direct I/O is said to be' not_direct

compressed () {
	mkdir -p "$work/holes"
	printf '#!/bin/sh\nexit 0\n' >"$work/holes/dd"
	chmod +x "$work/holes/dd"
	instead "$work/holes" ends 1 'less than 16Mi is on the device' storage --size=16Mi ext4 touch "$ran" &&
		[ ! -e "$ran" ] && nothing_left
}
ok 'storage.sh: a file that keeps its holes is refused' compressed

blank () {
	blkdiscard "$disk" && cmp -n 1048576 "$disk" /dev/zero
}
# spared PATTERN [OPTION...]: refused with --confirm, and not a bit of it changed
spared () {
	pattern=$1
	shift
	before=$(cksum <"$work/disk")
	refused 2 "$pattern" --device="$disk" --confirm="$disk" "$@" ext4 touch "$ran" &&
		refused 2 "$pattern" --device="$disk" --confirm="$disk" "$@" raw touch "$ran" && [ "$(cksum <"$work/disk")" = "$before" ]
}

unconfirmed () {
	blank
	before=$(cksum <"$work/disk")
	refused 2 "314572800 bytes, no signature); to confirm: --confirm=$disk" --device="$disk" ext4 touch "$ran" &&
		refused 2 'to confirm: --confirm=' --device="$disk" --confirm=/dev/null ext4 touch "$ran" &&
		refused 2 'to confirm: --confirm=' --device="$disk" --confirm="$disk " raw touch "$ran" &&
		[ "$(cksum <"$work/disk")" = "$before" ]
}
ok 'storage.sh: a device is refused without the same --confirm' unconfirmed

carrying () {
	for make in 'mkfs.ext4 -q' 'mkfs.ext4 -q -L other' 'mkfs.xfs -q -L notassay' 'mkswap -L assay'
	do
		blank && $make "$disk" && spared "it contains .*wipefs --all $disk" || return 1
	done
	grep 'it contains swap "assay"' "$work/stderr" || return 1
	# ours, and something else besides
	blank && mkfs.ext4 -q -L assay "$disk" && printf '\125\252' | dd of="$disk" bs=1 seek=510 conv=notrunc status=none || return 1
	mkfs.btrfs -q -f -L other "$disk" >"$work/out" && spared 'it contains btrfs "other"'
}
ok 'storage.sh: so is one that carries something' carrying

# One primary partition, from the first MiB, as fdisk writes it.
table () {
	blank || return 1
	{
		head -c 446 /dev/zero &&
			printf '\200\0\0\0\203\0\0\0\0\010\0\0\0\0\004\0' &&
			head -c 48 /dev/zero &&
			printf '\125\252'
	} | dd of="$disk" status=none conv=fsync
}
partitioned () {
	table && spared 'it contains dos' && blank && addpart "$disk" 1 2048 262144 || return 1
	bad=0
	spared "it has partitions, $(basename "$disk")p1" || bad=$?
	[ $bad -ne 0 ] || { ends 0 '' storage --device="${disk}p1" --confirm="${disk}p1" ext4-nojournal true && nothing_of_disk; } || bad=1
	delpart "$disk" 1 && return $bad
}
nothing_of_disk () {
	! grep "$disk" /proc/self/mountinfo && nothing_left
}
ok 'storage.sh: or has a partition table, but not one of its partitions' partitioned

in_use () {
	blank && mkfs.ext4 -q -L assay "$disk" && mkdir -p "$work/mounted" && mount "$disk" "$work/mounted" || return 1
	bad=0
	refused 2 "it is mounted at $work/mounted" --device="$disk" --confirm="$disk" xfs touch "$ran" || bad=$?
	umount "$work/mounted"
	blank && mkfs.btrfs -q -f -L assay "$disk" >"$work/out" && mount "$disk" "$work/mounted" || return 1
	refused 2 "it is mounted at $work/mounted" --device="$disk" --confirm="$disk" xfs touch "$ran" || bad=1
	umount "$work/mounted"
	blank && mkfs.ext4 -q -L assay "$disk" || return 1
	# by another name, under which the mount table has it then
	# shellcheck disable=SC2046 # words, on purpose
	mknod "$work/alias" b $(lsblk -n -d -o MAJ:MIN "$disk" | tr : ' ') && mount "$work/alias" "$work/mounted" || return 1
	refused 2 "it is mounted at $work/mounted" --device="$disk" --confirm="$disk" xfs touch "$ran" || bad=1
	umount "$work/mounted"
	return $bad
}
ok 'storage.sh: or is mounted' in_use

# Mounted where this process cannot see it.
in_use_elsewhere () {
	blank && mkfs.ext4 -q -L assay "$disk" && mkdir -p "$work/mounted" && rm -f "$work/begun" || return 1
	unshare -m sh -c 'mount "$1" "$2" && echo $$ >"$3" && exec sleep 100' sh "$disk" "$work/mounted" "$work/begun" &
	within 60 [ -s "$work/begun" ] || return 1
	for kind in ext4 raw
	do
		bad=0
		ends 1 "wipefs on $disk: .*busy" storage --device="$disk" --confirm="$disk" $kind touch "$ran" && [ ! -e "$ran" ] && nothing_left || bad=$?
		[ $bad -eq 0 ] || break
	done
	kill "$(cat "$work/begun")"
	wait
	[ "$bad" -eq 0 ] && wipefs -n "$disk" | grep -q assay
}
ok 'storage.sh: also where that cannot be seen' in_use_elsewhere

swapped () {
	blank && mkswap -q "$disk" && chmod 600 "$work/disk" && swapon "$disk" || return 1
	bad=0
	refused 2 'it is swap in use' --device="$disk" --confirm="$disk" ext4 touch "$ran" || bad=$?
	swapoff "$disk" && return $bad
}
ok 'storage.sh: or is swap' swapped

unusable () {
	blank
	other=$(losetup --find --show --read-only "$work/disk") || return 1
	bad=0
	refused 2 'it can only be read' --device="$other" --confirm="$other" ext4 touch "$ran" || bad=$?
	losetup --detach "$other"
	[ $bad -eq 0 ] && refused 2 'it has no size' --device="$other" --confirm="$other" ext4 touch "$ran"
}
ok 'storage.sh: or cannot be written, or is nothing' unusable

# From one kind to the next, as what is on it is ours each time.
accepted () {
	blank
	for kind in ext4 btrfs xfs ext4-nojournal
	do
		ends 0 "uses root for wipefs on $disk, mkfs" storage --device="$disk" --confirm="$disk" $kind \
			sh -c 'df "$TMPDIR" | grep "^$0 " && touch "$1"' "$disk" "$ran" && [ -e "$ran" ] && rm "$ran" && nothing_of_disk &&
			[ "$(wipefs -n --noheadings -O LABEL "$disk")" = assay ] || return 1
	done
	refused 2 '314572800 bytes, ext4 "assay")' --device="$disk" raw touch "$ran" &&
		storage --device="$disk" --confirm="$disk" raw sh -c 'cmp -n 4096 "$STORAGE_DEVICE" /dev/zero' && nothing_of_disk &&
		losetup "$disk"
}
ok 'storage.sh: a device with what it left there itself is used' accepted

# Discarded blocks become holes in the file below.
discards () {
	for case in '0 ext4 290 310' '1 ext4 0 100' '0 xfs 290 310' '1 xfs 0 100' '0 btrfs 290 310' '1 btrfs 0 100' '1 raw 0 1'
	do
		# shellcheck disable=SC2086 # words, on purpose
		set -- $case
		blank && dd if=/dev/zero of="$work/disk" bs=1M count=300 conv=notrunc,fsync status=none || return 1
		storage --device="$disk" --confirm="$disk" --discard="$1" "$2" true || return 1
		mebibytes=$(du -m "$work/disk" | cut -f 1)
		echo "$case: $mebibytes"
		[ "$mebibytes" -ge "$3" ] && [ "$mebibytes" -le "$4" ] || return 1
	done
}
ok 'storage.sh: --discard is heeded' discards

# Neither root nor sudo, and then one that is sudo by the right to change the user.
nobody () {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
sudoer () {
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+setuid,+setgid --ambient-caps=+setuid,+setgid "$@"
}
prepare_nobody () {
	mkdir -p "$work/plain" "$work/user/a place"
	chmod 711 "$work" "$work/user"
	touch "$work/user/a device"
	chown 65534 "$work/user/a place" "$work/user/a device"
	cp "$top/scripts/storage.sh" "$work/user/"
	ln -s /usr/bin/* "$work/plain/"
	rm -f "$work/plain/sudo"
	cp "$top/scripts/common.sh" "$work/user/"
}
without_root () {
	needs prepare_nobody
	PATH="$work/plain" fails 1 'neither root nor has sudo' nobody "$work/user/storage.sh" --dir="$work/user/a place" tmpfs id &&
		[ -z "$(ls -A "$work/user/a place")" ]
}
# given_back DEVICE: it is no longer the user's. Another run of this test may have it, but not for long.
given_back () {
	[ "$(stat -c %u "$1")" -ne 65534 ]
}
through_sudo () {
	needs prepare_nobody
	mkdir "$work/sudo"
	printf '#!/bin/sh\nexec setpriv --reuid=0 --regid=0 --clear-groups "$@"\n' >"$work/sudo/sudo"
	chmod +x "$work/sudo/sudo"
	for kind in tmpfs ext4 raw
	do
		instead "$work/sudo" ends 0 '^storage.sh: uses root through sudo for' sudoer "$work/user/storage.sh" \
			--dir="$work/user/a place" --size=16Mi $kind sh -c '[ "$(id -u)" -eq 65534 ] && echo text >"$TMPDIR/written" &&
				{ [ -z "${STORAGE_DEVICE-}" ] || [ "$STORAGE_KIND" != raw ] || echo text >"$STORAGE_DEVICE"; } &&
				rm "$TMPDIR/written" && stat -c "owner %u" "$TMPDIR" && echo "${STORAGE_DEVICE-}" >"$0"' "$work/user/a device" &&
			grep -q '^owner 65534$' "$work/stdout" && [ -z "$(ls -A "$work/user/a place")" ] &&
			[ -z "$(loops_below "$work/user")" ] || return 1
		device=$(cat "$work/user/a device")
		[ -z "$device" ] || within 20 given_back "$device" || return 1
	done
}
ok 'storage.sh: without root or sudo it says so' without_root
ok 'storage.sh: with sudo the mount and the device belong to the user' through_sudo

benches () {
	make_quiet bench_lmdb bench_aio &&
		storage --size=64Mi ext4 sh -c '"$0" --benchmarks=fillseqbatch --num=1000 --json="$1" && find "$STORAGE_DIR" -name data.mdb | grep .' \
			"$top/bench_lmdb" "$work/rows" && row '.valid == 1' && nothing_left &&
		storage --size=64Mi raw sh -c '"$0" --device="$STORAGE_DEVICE" --confirm_overwrite=1 --benchmarks=fillseqbatch,readrandom --num=1000 --json="$1"' \
			"$top/bench_aio" "$work/rows" && row '.valid == 1 and .found == 1000' && nothing_left
}
ok 'storage.sh: a bench without --db lands on it' benches

# copied FS SIZE: a copy of a database where there is no space for another one
copied () {
	storage --size="$2" "$1" sh -euc '"$0" --db="$STORAGE_DIR/kept" --benchmarks=fillseqbatch --num=20000 --json="$1" >"$1.out"
		free=$(df -k --output=avail "$STORAGE_DIR" | tail -n 1)
		fallocate -l "$((free - 1024))K" "$STORAGE_DIR/filler"
		exec "$0" --copy_of="$STORAGE_DIR/kept" --db="$STORAGE_DIR/copy" --benchmarks=readseq --num=20000 --json="$1"' "$top/bench_lmdb" "$work/rows"
}
copies_share () {
	got=0
	copied ext4 64Mi 2>"$work/err" || got=$?
	cat "$work/err"
	[ $got -eq 2 ]
	[ "$(grep -v -c 'uses root' "$work/err")" -eq 1 ]
	grep 'copy has no space for a copy of .*kept; choose another --db, or give --check_space=0 to try$' "$work/err"
	nothing_left
	copied xfs 400Mi
	row '.valid == 1 and .ops == 20000'
	nothing_left
}
ok 'a copy of a database needs space, but where files share their blocks' copies_share

ends_the_stubborn () {
	# not with wait, as this is no parent of it
	within 100 [ -s "$work/stubborn.status" ]
	cat "$work/stubborn.err" "$work/stubborn.status"
	ls -AR "$work/b place"
	[ "$(cat "$work/stubborn.status")" -eq 143 ] && [ -z "$(ls -A "$work/b place")" ] && ! kill -0 "$(cat "$work/stubborn.pid")"
}
ok 'storage.sh: a command that heeds no signal is killed' ends_the_stubborn

# Also of a loop device that was left with another, which it has again afterwards.
reads_ahead () {
	rm -f "$ran"
	blockdev --setra 512 "$disk" && storage --size=16Mi raw sh -c 'blockdev --getra "$STORAGE_DEVICE" >"$0"' "$work/ahead" &&
		[ "$(cat "$work/ahead")" -eq 256 ] && storage --size=16Mi --read-ahead=64 raw sh -c 'blockdev --getra "$STORAGE_DEVICE" >"$0"' \
		"$work/ahead" && [ "$(cat "$work/ahead")" -eq 128 ] || return 1
	# a device that was there before has what it had
	wipefs -q -a "$disk" && storage --device="$disk" --confirm="$disk" --read-ahead=64 raw sh -c 'blockdev --getra "$STORAGE_DEVICE" >"$0"' "$work/ahead" &&
		[ "$(cat "$work/ahead")" -eq 128 ] && [ "$(blockdev --getra "$disk")" -eq 512 ] && refused 2 "cannot read '1x'" --read-ahead=1x raw touch "$ran"
}
ok 'storage.sh: the kernel reads ahead as far as it does by default, or is told' reads_ahead

# One sweep on several storages: all rows in one place under their names, one figure; what is done is not done again.
several_storages () {
	make_quiet bench_lmdb bench_aio || return 1
	set -- --out="$work/several" --storages=ext4-nojournal,raw --engines=lmdb --size=64Mi --threads=1,2 \
		--num=2k --value_size=1000 --duration=0.3 --memory=0 --dir="$work/a place"
	"$top/scripts/storages.sh" "$@" >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
	jq -es '(map([.label, .threads, .filesystem]) | sort) == [["aio:raw", 1, "raw"], ["aio:raw", 1, "raw"], ["aio:raw", 2, "raw"],
		["lmdb:ext4-nojournal", 1, "ext4"], ["lmdb:ext4-nojournal", 1, "ext4"], ["lmdb:ext4-nojournal", 2, "ext4"]] and
		all(.[]; .valid == 1)' "$work/several/results.json" || {
		jq -c '[.label, .threads, .filesystem, .valid]' "$work/several/results.json"
		return 1
	}
	grep -q aio:raw "$work/several/plots/readwhilewriting-readers.svg" &&
		grep -q lmdb:ext4-nojournal "$work/several/plots/readwhilewriting-readers.svg" &&
		"$top/scripts/storages.sh" "$@" >"$work/out" 2>"$work/err" && [ "$(wc -l <"$work/several/results.json")" -eq 6 ] &&
		! grep -q 'uses root' "$work/err" && fails 2 'holds another plan' "$top/scripts/storages.sh" "$@" --seed=7 &&
		fails 2 'is storages.sh' "$top/scripts/storages.sh" --out="$work/several" --device=/dev/null && nothing_left
}
ok 'storages.sh: one sweep on several storages, one figure' several_storages

losetup --detach "$disk"

# All of the device is written before the file system is made, nothing is trimmed, and so much of it is taken.
precondition () {
	storage --size=64Mi --precondition=1 --fill=50 ext4 sh -c '
		dd if="$STORAGE_DEVICE" bs=1M iflag=direct status=none | tr -d "\000" | wc -c >"$0.full"
		stat -c %s "$STORAGE_DIR/occupied" >"$0.taken"
		echo $STORAGE_BYTES >"$0.bytes"
		"$1/bench_lmdb" --db="$STORAGE_DIR/db" --device_share=0.1 --benchmarks=fillseq --json="$0.json" >"$0.out"' "$ran" "$top" 2>"$work/err" ||
		{ cat "$work/err"; return 1; }
	cat "$ran.full" "$ran.taken" "$ran.bytes"
	# random bytes, of which one in 256 is zero, and the zeros of the new file system
	[ "$(cat "$ran.full")" -gt 55000000 ] && [ "$(cat "$ran.taken")" -eq 33554432 ] && [ "$(cat "$ran.bytes")" -eq 67108864 ] || return 1
	# of what the file system has for files
	jq -e '.valid == 1 and .device_fill == 0.1 and (.num * 116 / 67108864 | . > 0.08 and . <= 0.1)' "$ran.json" && nothing_left
}
if command -v fio >"$work/out"
then
	ok 'storage.sh --precondition writes all of the device, and --fill takes a part of it' precondition
else
	skip 'storage.sh --precondition' 'fio is not installed'
fi
refuses_states () {
	rm -f "$ran"
	refused 2 'tmpfs has no device' --precondition=1 tmpfs touch "$ran" && refused 2 'raw has no files' --fill=10 raw touch "$ran" &&
		refused 2 'undoes --precondition' --precondition=1 --discard=1 ext4 touch "$ran" && refused 2 "cannot read '100'" --fill=100 ext4 touch "$ran" &&
		refused 2 "cannot read 'x'" --precondition=x ext4 touch "$ran"
}
ok 'storage.sh refuses states that cannot be' refuses_states

# ---- disks by numbers

refuses_numbers () {
	for wrong in iops=x iops=-1 bandwidth=5q latency=5 latency=5ms,p99=1ms latency=1ms,p98=3ms burst=iops=3 burst=much stall=5 stall=5s@x disk=none-such 'iops=3 000'
	do
		refused 2 . "--$wrong" ext4 touch "$ran" || return 1
	done
	refused 2 'not faster than the limit' --bandwidth=1m --burst=bandwidth=1k ext4 touch "$ran" &&
		refused 2 'tmpfs has no device' --iops=3 tmpfs touch "$ran" && refused 2 'leave out --device' --iops=3 --device=/dev/null --confirm=/dev/null ext4 touch "$ran" &&
		refused 2 'leave out --device and --precondition' --disk=aws-gp3 --precondition=1 ext4 touch "$ran"
}
# Reads one after another are of the latency, four at a time of the I/Os, large ones of the bandwidth. At most 50 ms are made up, and the
# last read has to wait only for those before it: that is up to 1 MiB, where the kernel does not part it.
# A busy machine is slower, but not by so much.
keeps_numbers () {
	cat >"$work/reads" <<-'END'
		one () { dd if="$STORAGE_DEVICE" of=/dev/null iflag=direct status=none "$@"; }
		ms () { began=$(date +%s%N); "$@"; echo $((($(date +%s%N) - began) / 1000000)); }
		four () { for _ in 1 2 3 4; do one bs=4k count=60 & done; wait; }
		ms one bs=4k count=40
		ms four
		ms one bs=1M count=8
	END
	storage --size=16Mi --iops=300 --bandwidth=8Mi --latency=10ms raw sh "$work/reads" >"$work/ms" && nothing_left || return 1
	cat "$work/ms"
	paste -s "$work/ms" | awk '{ exit !($1 >= 385 && $1 < 1200 && $2 >= 740 && $2 < 2100 && $3 >= 835 && $3 < 3000) }'
}
# stalled MS OPTION...: the longest stall is about so long in some row, in which the disk is named
stalled () {
	ms=$1
	shift
	rm -f "$work/rows"
	storage --size=64Mi "$@" ext4 "$top/bench_lmdb" --benchmarks=fillseqbatch,overwrite --num=1k --duration=$((ms * 3 / 2000 + 1)) \
		--durability=sync --json="$work/rows" >"$work/out" && nothing_left || return 1
	jq -c '[.longest_stall_ms, .simulated_disk]' "$work/rows"
	jq -es --arg disk "${1#--}" --argjson ms "$ms" 'all(.[]; .valid == 1 and .simulated_disk == $disk and (.device | startswith("/dev/loop"))) and
		(map(.longest_stall_ms) | max | . > $ms * 0.9 and . < $ms + 1500)' "$work/rows" >"$work/jq"
}
stalls () {
	make_quiet bench_lmdb && stalled 1000 --stall=1s
}
# shellcheck disable=SC2013 # names, a word each
disks_have_sources () {
	awk -F '\t' 'NR == 1 { fields = NF } NF != fields || !$1 || !$2 || !$3 || !$7 || NR > 1 && $8 !~ /^20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]$/ { print; bad = 1 } END { exit bad }' "$top/scripts/tools/disks.tsv"
	for disk in $(awk -F '\t' 'NR > 1 { print $1 }' "$top/scripts/tools/disks.tsv")
	do
		# read as far as that there is no command
		fails 2 'which command' storage --disk="$disk" ext4
	done
}
# Of memory for three gigabytes there is half of one, one and a half, and two and a half: what lacks is noticed at the start, not by a
# command later.
disk_needs_memory () {
	mkdir -p "$work/mount"
	for kb in 524288 1572864 2621440
	do
		status=0
		# shellcheck disable=SC3045 # dash and bash have it
		(ulimit -v $kb && exec timeout 20 "$top/build/simulated_disk" --image="$work/scarce" --mount="$work/mount" --size=1Gi) \
			>"$work/out" 2>"$work/err" || status=$?
		cat "$work/err"
		fusermount3 -u "$work/mount" 2>/dev/null || umount "$work/mount" 2>/dev/null || :
		[ $status -eq 1 ] && [ "$(cat "$work/err")" = "simulated_disk: $work/scarce: Cannot allocate memory" ] || return 1
	done
	rm "$work/scarce"
}
ok 'storage.sh refuses numbers that no disk has' refuses_numbers
ok 'storage.sh: each disk of a cloud has its source' disks_have_sources
if [ -c /dev/fuse ] && make_quiet build/simulated_disk >"$work/out" 2>&1
then
	ok 'storage.sh: a disk without memory for its image, its cache or its marks does not begin' disk_needs_memory
	ok 'storage.sh: a disk has the I/Os, bandwidth and latency that were given' tries 3 keeps_numbers
	ok 'storage.sh: a stall of the disk is in the row, and so is the disk' tries 3 stalls
else
	skip 'storage.sh: a disk by numbers' 'this needs /dev/fuse and libfuse3-dev'
fi

# fio_median JQ STORAGE... -- FIO...: of five tries, on storage.sh with these options
fio_median () {
	want=$1 on=''
	shift
	while [ "$1" != -- ]
	do
		on="$on $1"
		shift
	done
	shift
	for _ in 1 2 3 4 5
	do
		# shellcheck disable=SC2086 # words, on purpose
		storage --size=256Mi $on raw sh -c 'exec fio --name=x --filename="$STORAGE_DEVICE" --direct=1 --ioengine=libaio --runtime=3 \
			--time_based --output-format=json "$@"' sh "$@" 2>"$work/err" | jq ".jobs[0] | $want"
	done | sort -n | sed -n 3p
}
# near NAME VALUE EXPECTED PERCENT; NUMBERS: a file to which they are appended
near () {
	echo "$1: $2 of $3" | tee -a "${NUMBERS:-/dev/null}"
	awk -v got="$2" -v want="$3" -v percent="$4" 'BEGIN { exit !(got >= want * (1 - percent / 100) && got <= want * (1 + percent / 100)) }'
}
holds_against_fio () {
	near 'random reads' "$(fio_median .read.iops --disk=aws-gp3 -- --rw=randread --bs=4k --iodepth=32)" 3000 5 &&
		near 'random writes' "$(fio_median .write.iops --disk=aws-gp3 -- --rw=randwrite --bs=4k --iodepth=32)" 3000 5 &&
		near 'MiB/s read' "$(fio_median '.read.bw_bytes / 1048576' --disk=aws-gp3 -- --rw=read --bs=1M --iodepth=8)" 125 5 &&
		near 'MiB/s written' "$(fio_median '.write.bw_bytes / 1048576' --disk=aws-gp3 -- --rw=write --bs=1M --iodepth=8)" 125 5 &&
		near 'a burst of one second in three' "$(fio_median .read.iops --iops=500 --burst=iops=3000,seconds=1 -- --rw=randread --bs=4k --iodepth=8)" 1333 5 &&
		nothing_left
}
# Where programs wait for a CPU, fio and the loop device do as well.
latency_against_fio () {
	awk -v cpus="$(nproc)" '{ exit !($1 <= 2 * cpus) }' /proc/loadavg || cannot 'more than two programs a CPU are waiting'
	near 'latency of reads' "$(fio_median '.read.clat_ns.percentile["50.000000"] / 1e6' --latency=0.5ms -- --rw=randread --bs=4k)" 0.5 10 &&
		near 'latency of writes' "$(fio_median '.write.clat_ns.percentile["50.000000"] / 1e6' --latency=0.5ms -- --rw=randwrite --bs=4k)" 0.5 10 &&
		near 'p99 of latency' "$(fio_median '.read.clat_ns.percentile["99.000000"] / 1e6' --latency=2ms,p99=20ms -- --rw=randread --bs=4k --iodepth=4)" 20 25 &&
		nothing_left
}
if [ -n "$long" ] && command -v fio >"$work/out"
then
	ok 'storage.sh: disks by numbers against fio, medians of five' holds_against_fio
	ok 'storage.sh: latencies against fio, medians of five' latency_against_fio
	ok 'storage.sh: a stall of 5 s' stalled 5000 --stall=5s
fi

# file_systems OPTION...: $work/table in Markdown, $work/counted as TSV
file_systems () {
	got=0
	"$top/scripts/filesystems.sh" --dir="$place" --size=64Mi --commits=20 --num=500 \
		--tsv="$work/counted" "$@" >"$work/table" 2>"$work/err" || got=$?
	cat "$work/table" "$work/counted" "$work/err"
	return $got
}
# counted AWK: a truth about the lines of the TSV, whose columns are $at["NAME"]
counted () {
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { lines++ }'" $1" "$work/counted"
}
refuses_file_systems () {
	for wrong in --commits=0 --num=none --file-systems=ext4,fat --mkfs=-q --mount=sync more
	do
		fails 2 . "$top/scripts/filesystems.sh" "$wrong" || { echo "$wrong"; return 1; }
	done
}
ok 'filesystems.sh refuses what it cannot read' refuses_file_systems
# bench_aio writes 4 KiB in place and syncs once for each commit. The device gets nothing else, as
# fdatasync leaves the times of the file alone, unless half a minute goes by.
commits_counted () {
	file_systems --file-systems=ext4 --writers=aio,lmdb && nothing_left || return 1
	counted '$at["writer"] == "aio" { flushes = $at["device_flushes"]; bytes = $at["device_write_bytes"] }
		$at["commits"] != 20 { bad = 1 }
		$at["row_device_write_bytes"] != $at["device_write_bytes"] || $at["row_device_flushes"] != $at["device_flushes"] ||
			$at["row_device_writes"] != $at["device_writes"] { print "the row differs"; bad = 1 }
		$at["used_kb"] < 40 || $at["allocated_kb"] < $at["row_db_disk_kb"] || $at["apparent_kb"] < $at["row_db_apparent_kb"] { bad = 1 }
		END { exit bad || lines != 2 || flushes < 20 || flushes > 21 || bytes < 20 * 4096 || bytes > 20 * 4096 + 65536 }' &&
		grep -q -x '| one block in place, without a log (aio) | 4[.][0-9], 1[.][01] |' "$work/table" &&
		grep -q 'differ from these counters by at most 0[.]0 % (bytes) and 0[.]0 % (flushes)' "$work/table"
}
# The next workload's epoch is noted before the counters are read, and stays in memory but where
# another process syncs all file systems just then, which is not so again and again.
counts_commits () {
	# shellcheck disable=SC2034 # so many times
	for try in 1 2 3 4 5
	do
		! commits_counted || return 0
	done
	return 1
}
ok 'filesystems.sh counts what the device of a commit wrote, as its row does' counts_commits
# tmpfs has no device, and a row does not know that below an overlayfs.
unknown_device () {
	file_systems --file-systems=tmpfs,overlay --writers=lmdb && nothing_left || return 1
	counted '{ known[$at["file_system"]] = ($at["device_flushes"] != "") ($at["row_device_flushes"] != "")
			if ($at["used_kb"] < 40) bad = 1 }
		END { exit bad || lines != 2 || known["tmpfs"] != "00" || known["overlay"] != "10" }' &&
		grep -q '| none |' "$work/table"
}
ok 'filesystems.sh: what has no device has no counts' unknown_device
# Each thing that is missing has a line, and only a writer that failed is an error.
names_missing () {
	fails 1 'no writer is built: bench_nosuch' "$top/scripts/filesystems.sh" --writers=nosuch || return 1
	without mkfs.ext4 file_systems --file-systems=ext4,tmpfs --writers=lmdb,nosuch || return 1
	grep -q -x -e '- nosuch: bench_nosuch is not built; see docs/engines.md' "$work/table" &&
		grep -q -x -e '- ext4: storage.sh: mkfs.ext4 on /dev/loop.*' "$work/table" &&
		counted '{ said[$at["file_system"] "/" $at["writer"]] = ($at["why"] != "") ($at["commits"] == 20) }
			END { exit lines != 3 || said["/nosuch"] != "10" || said["ext4/"] != "10" || said["tmpfs/lmdb"] != "01" }' || return 1
	got=0
	file_systems --file-systems=tmpfs --writers=lmdb+mapsize=64Ki,lmdb || got=$?
	[ $got -eq 1 ] && grep -q -x 'filesystems.sh: a writer failed; see the list above' "$work/err" &&
		grep -q -e '^- lmdb+mapsize=64Ki on tmpfs: .*MDB_MAP_FULL' "$work/table" &&
		counted '{ measured += $at["commits"] == 20 } END { exit lines != 2 || measured != 1 }'
}
ok 'filesystems.sh: a line says what could not be measured, and why' names_missing
