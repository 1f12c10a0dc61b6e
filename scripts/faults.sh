#!/bin/sh
# faults.sh: engines on faulty disks: which report errors, and which return wrong data; see --help.
set -eu
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/tools/lying-disk.sh"
needs_linux 'loop devices and FUSE' "$@"

help () {
	cat <<END
usage: scripts/faults.sh [option ...]

Tests whether engines report it when a disk returns wrong data or errors, or return wrong data. Each
trial makes a fresh ext4 without a journal on a simulated disk (build/simulated_disk, by FUSE, under
a loop device). An engine loads 2,000 records, then commits puts, batches and deletes from one
thread at durability sync. After a fault, the file system is mounted again and the database opened.
Every record is read, by a scan and by a get, and compared with the acknowledged commits.

Faults
  flip          one bit in each of some sectors of the closed database's files
  stale         some of these sectors have again the content that they had after half of the
                commits
  read          some of these sectors cannot be read (EIO)
  sync          one sync of the disk fails (EIO), and what was not synced is lost
  write         one write of a file's data fails (EIO), and the sectors keep what they had
  space         the file system is full (ENOSPC), and has space again when the database is opened

Outcomes, the first that holds
  wrong         the engine returned data that nobody had put
  lost          a record that had been acknowledged is missing, a deleted one is back, scans and
                gets disagree, or a batch is there in part, and no call reported it
  died          the engine's process crashed or did not end
  told          an error was reported: by a commit, or when the database was mounted, opened,
                read or written again
  right         all acknowledged records are there: repaired, or not hit where it matters

  --engines=A,B         configurations: A, or A+option=value, A also a version of engine.sh [all
                        that make finds, wiredtiger+type=lsm]
  --faults=A,B          [flip,stale,read,sync,write,space]
  --trials=N            number of trials of each engine and fault [3]
  --seed=N              seed of the first trial: its sectors, bits and times [1]
  --hits=N              number of damaged sectors of flip, stale and read [8]
  --commits=N           half of them before the fault of sync, write and space [120]
  --json=FILE           append a row for each trial
  --tsv=FILE            write a table: engine, fault, trials, those with each outcome, the worst
                        outcome, the command that repeats it, and the engine's message
  --dir=DIRECTORY       where the images are made [\$TMPDIR or /tmp]
  --help                this

Prints the worst outcome of each engine and fault, with the number of trials that had it. An engine
whose files have the same content each time repeats a trial exactly.
Needs root, for losetup, mkfs and mount, and /dev/fuse.
Exit status: 0, whatever the outcomes; 1 something failed; 2 wrong arguments.
END
}

every_fault=flip,stale,read,sync,write,space
engines='' faults=$every_fault trials=3 seed=1 hits=8 commits=120 json='' tsv='' dir=${TMPDIR:-/tmp}
for argument in "$@"
do
	set_option "$argument" engines faults trials seed hits commits dir || case $argument in
	--help) help; exit 0 ;;
	--json=?*) json=$(realpath -m "$value") ;;
	--tsv=?*) tsv=$(realpath -m "$value") ;;
	*) refuse "$argument" ;;
	esac
done
whole --trials "$trials" 1
whole --seed "$seed"
whole --hits "$hits" 1
whole --commits "$commits" 2
for fault in $(each "$faults")
do
	case ,$every_fault, in
	*",$fault,"*) ;;
	*) fail 2 "--faults: no '$fault'; there are $every_fault" ;;
	esac
done
writable_dir
lying_disk_clean
lying_disk_begin

# tell_faulty_disk COMMAND: to the simulated disk
tell_faulty_disk () {
	cat >"$work/switch/$1"
}

# engine_on_faults CONFIGURATION ARGUMENT...: its lines of JSON as one; with "ended" if it dies, or
# hangs
engine_on_faults () {
	configuration=$1
	shift
	# shellcheck disable=SC2046
	{ timeout --signal=KILL 60 "build/conform_${configuration%%+*}" --db="$work/left/db" \
		--durability=sync $(own_options "$configuration") "$@" 2>"$work/words" ||
		echo "{\"ended\": $?}"; } | jq -cs 'add // {}'
}

# faults_commit_half CONFIGURATION FIRST: half of the commits, from that one on
faults_commit_half () {
	engine_on_faults "$1" --commits=$((commits / 2)) --from="$2"
}

# acknowledged_before_fault JSON
acknowledged_before_fault () {
	echo "$1" | jq -s '(.[-1] // {}).acknowledged // 0'
}

# faults_occupy BYTES: leaves so many to the database
faults_occupy () {
	left=$(df --output=avail -B1 "$work/left" | tail -n 1)
	fallocate --length $((left - $1)) "$work/left/occupied"
}

# faults_mount_again: the disk's file system as it is below all caches
faults_mount_again () {
	mount -t ext4 -o noatime "$loop" "$work/left" 2>"$work/words"
}

# one_fault_trial CONFIGURATION FAULT SEED: a row
one_fault_trial () {
	of_disk=$2
	[ "$2" != space ] || of_disk=none
	lying_disk_attach --size=256Mi --fault="$of_disk" --hits="$hits" --seed="$3" \
		--after=$(($3 * 13 % (commits / 3 + (commits < 3))))
	mkfs.ext4 -q -b 4096 -m 0 -O ^has_journal \
		-E hash_seed=$uuid,lazy_itable_init=0,nodiscard "$loop" 2>"$work/words" ||
		fail 1 "mkfs.ext4 on $loop: $(lying_disk_words)"
	faults_mount_again || fail 1 "mount of $loop: $(lying_disk_words)"
	mkdir "$work/left/db"
	sync -f "$work/left"
	echo | tell_faulty_disk mark
	first=$(faults_commit_half "$1" 0)
	commits_done=$(acknowledged_before_fault "$first")
	{ [ "$commits_done" -eq $((commits / 2)) ] && [ "$first" = "${first#*ended}" ]; } ||
		fail 1 "$1 does not commit on a disk without a fault: $(lying_disk_words)"
	[ "$2" != stale ] || { sync -f "$work/left" && echo | tell_faulty_disk mark; }
	case $2 in
	sync | write) echo 0 | tell_faulty_disk begin ;;
	space)
		faults_occupy 262144
		commits=10000 # more than there is space for
		;;
	esac
	second=$(faults_commit_half "$1" "$commits_done")
	said=$(lying_disk_words)
	commits=$every_commit
	[ "$(acknowledged_before_fault "$second")" -eq 0 ] ||
		commits_done=$(acknowledged_before_fault "$second")
	case $2 in
	flip | stale | read)
		sync -f "$work/left"
		"build/conform_${1%%+*}" --db="$work/left/db" --extents | tell_faulty_disk watch
		;;
	space) rm "$work/left/occupied" ;;
	esac
	# what cannot be written does not keep it from being unmounted
	umount "$work/left"
	case $2 in
	flip | stale | read) echo 0 | tell_faulty_disk begin ;;
	esac
	third='{"mounts": 0}'
	! faults_mount_again || third=$(engine_on_faults "$1" --recount="$commits_done")
	report=$(cat "$work/switch/begin")
	jq -nc --arg configuration "$1" --arg fault "$2" --argjson seed "$3" \
		--argjson disk "$report" --argjson hits "$hits" --argjson commits "$commits" \
		--argjson acknowledged "$commits_done" --arg second "$second" --arg third "$third" \
		--arg said "$said" --arg words "$(lying_disk_words)" '
		def last_of: split("\n") | map(fromjson? // empty) | last // {};
		($second | last_of) as $c | ($third | last_of) as $r |
		{$configuration, $fault, $seed, $hits, $commits, struck: $disk.struck,
			$acknowledged} + $r |
		.outcome = (if (.wrong // 0) > 0 then "wrong"
			elif [.lost, .settled_lost, .scan_disagrees] | any((. // 0) > 0) then "lost"
			elif $c.told == 0 and (.partial_batches // 0) > 0 then "lost"
			elif [$c.ended, $r.ended] | any((. // 0) > 123) then "died"
			elif $c.told == 1 or $c.ended or $r.ended or .mounts == 0 or .opens == 0 or
				(.failed // 0) > 0 or .writes_on == 0 then "told"
			else "right" end) |
		.words = ([$said, $words] | map(select(. != "")) | first // "" |
			gsub("/[^ ]*/faults-[A-Za-z0-9]*/"; "")) |
		.command = "scripts/faults.sh --engines=\(.configuration) --faults=\(.fault)" +
			" --seed=\(.seed) --trials=1" +
			(if $hits == 8 then "" else " --hits=\($hits)" end) +
			(if $commits == 120 then "" else " --commits=\($commits)" end)'
	lying_disk_take_away
}

# where ext4 puts a directory follows from it
uuid=00000000-0000-4000-8000-000000000001
every_commit=$commits
: >"$work/rows"
for engine in $(each "$engines")
do
	lying_disk_offers "$engine" sync || continue
	for fault in $(each "$faults")
	do
		for trial in $(seq "$trials")
		do
			progress "$engine, $fault, trial $trial of $trials"
			one_fault_trial "$engine" "$fault" $((seed + trial - 1)) >>"$work/rows"
			[ -z "$json" ] || tail -n 1 "$work/rows" >>"$json"
		done
	done
done
progress ''

read_by faults.sh "$work/rows" "$faults" "$tsv"
