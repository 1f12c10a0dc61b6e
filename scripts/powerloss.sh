#!/bin/sh
# powerloss.sh: cut the power of a disk while engines commit, and count what survives; see --help.
set -eu
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/tools/lying-disk.sh"
needs_linux 'loop devices and FUSE' "$@"

help () {
	cat <<END
usage: scripts/powerloss.sh [option ...]

Tests whether commits that an engine has acknowledged survive a power cut. Each cut makes a file
system on a simulated disk with a volatile write cache (build/simulated_disk, by FUSE, under a loop
device). An engine commits puts, batches and deletes there, until the power is cut at a random time.
Data that was synced before survives; each other sector survives by chance. Then the file system is
mounted again, the database opened, and acknowledged commits that are missing are counted.

  --engines=A,B         configurations: A, or A+option=value, A also a version of engine.sh [all
                        that make finds, wiredtiger+type=lsm]
  --durability=A,B      none, async, sync [sync]
  --cuts=N              number of cuts for each configuration and durability [20]
  --threads=N           number of threads that commit concurrently, at most 16 [1]
  --seconds=X           time within which the power is cut, after the first commit [0.5]
  --write-back=X        with async and none, seconds after which the kernel writes back unsynced
                        data; after its 5 to 30 s cuts would not hit that [0.05]
  --fs=KIND             ext4, xfs or btrfs [ext4]
  --sector=BYTES        512 or 4096: what the disk writes completely or not at all; 512 can tear
                        ext4's superblock, which then does not mount [4096]
  --seed=N              seed of the first cut: its time and the sectors that survive [1]
  --json=FILE           append a row for each cut
  --dir=DIRECTORY       where the images are made [\$TMPDIR or /tmp]
  --clean               only remove the mounts of killed runs, as every run does first: mkfs.btrfs
                        fails on any device while there is one
  --help                this

Prints a table with a line for each configuration and durability. Its columns: number of cuts;
databases that opened again and could be read to the end; acknowledged commits; how many of these
were lost, in all and by the worst cut; databases with a gap (a commit survived, an earlier one
did not); damaged databases; device_flushes, by which the disk was told to empty its cache. A
database is damaged if records that were synced long before are missing, a record is wrong, a batch
survived in part (unless the engine's batches are not transactions), scans and gets disagree, or
writes fail. An unreadable database has lost everything, and counts neither as one with a gap nor as
damaged. With durability sync, a lost commit, damage, an unreadable database, or fewer
device_flushes than acknowledged commits of one thread is a failure. With async and none it is only
shown.

Needs root, for losetup, mkfs and mount, and /dev/fuse.
Exit status: 0; 1 a cut failed, or sync did, see above; 2 wrong arguments.
END
}

engines='' durabilities=sync cuts=20 threads=1 seconds=0.5 write_back=0.05 fs=ext4 \
	sector=4096 seed=1 json='' dir=${TMPDIR:-/tmp} clean_only=''
for argument in "$@"
do
	set_option "$argument" engines cuts threads seconds seed dir || case $argument in
	--help) help; exit 0 ;;
	--durability=?*) durabilities=$value ;;
	--write-back=?*) write_back=$value ;;
	--fs=ext4 | --fs=xfs | --fs=btrfs) fs=$value ;;
	--sector=512 | --sector=4096) sector=$value ;;
	--json=?*) json=$(realpath -m "$value") ;;
	--clean) clean_only=1 ;;
	*) refuse "$argument" ;;
	esac
done
whole --cuts "$cuts" 1
whole --threads "$threads" 1
[ "$threads" -le 16 ] ||
	fail 2 "--threads: cannot use $threads; give a number from 1 to 16"
# check_time_of_cut OPTION TEXT: seconds; or the end
check_time_of_cut () {
	case $2 in
	*[!0-9.]* | *.*.*) ;;
	*) ! awk -v s="$2" 'BEGIN { exit !(s >= 0.001 && s <= 60) }' || return 0 ;;
	esac
	fail 2 "$1: cannot read '$2'; give a number from 0.001 to 60"
}
check_time_of_cut --seconds "$seconds"
check_time_of_cut --write-back "$write_back"
whole --seed "$seed"
for word in $(each "$durabilities")
do
	case $word in
	none | async | sync) ;;
	*) fail 2 "--durability: no '$word'; give none, async or sync" ;;
	esac
done
writable_dir
lying_disk_clean
[ -z "$clean_only" ] || exit 0
lying_disk_begin

# commit_and_cut CONFIGURATION DURABILITY SEED: how many commits each thread had acknowledged
commit_and_cut () {
	# shellcheck disable=SC2046 # for that sh; words, on purpose
	scripts/storage.sh --device="$loop" --confirm="$loop" --discard=0 --dir="$work" "$fs" \
		sh -c 'program=$1 && shift && mkdir "$STORAGE_DIR/db" &&
			exec "$program" --db="$STORAGE_DIR/db" "$@"' \
		sh "build/conform_${1%%+*}" --cut="$work/switch/cut" --durability="$2" \
		--seed="$3" --threads="$threads" --seconds="$seconds" --write_back="$write_back" \
		$(own_options "$1") 2>"$work/words"
}

# count_commits_after_cut CONFIGURATION DURABILITY COUNTS: what is there, as JSON; an engine that
# dies or hangs does not open
count_commits_after_cut () {
	# shellcheck disable=SC2046
	{ timeout 120 "build/conform_${1%%+*}" --db="$work/left/db" --recount="$3" \
		--durability="$2" $(own_options "$1") \
		2>"$work/words" || echo "{\"opens\": 0, \"ended\": $?}"; } | jq -cs add
}

# one_cut CONFIGURATION DURABILITY SEED: a row
one_cut () {
	lying_disk_attach --size=512Mi --sector="$sector" --seed="$3"
	counts=$(commit_and_cut "$1" "$2" "$3") ||
		fail 1 "$1 at $2, seed $3: $(echo "${counts:-$(lying_disk_words)}" |
			grep -v '^Bail' | paste -s -d ' ')"
	report=$(cat "$work/switch/cut")
	if mount -o loop "$work/image" "$work/left" 2>"$work/words"
	then
		left=$(count_commits_after_cut "$1" "$2" "$counts")
	else
		left='{"mounts": 0, "opens": 0}'
	fi
	jq -nc --arg configuration "$1" --arg durability "$2" --argjson seed "$3" \
		--arg fs "$fs" --argjson sector "$sector" \
		--argjson threads "$threads" --arg counts "$counts" \
		--argjson disk "$report" --argjson left "$left" \
		--arg words "$(lying_disk_words)" '
		{$configuration, $durability, $fs, $sector, $threads, $seed} + $disk +
		{acknowledged: ($counts | split(",") | map(tonumber) | add)} + $left +
		(if $words == "" then {} else {$words} end) |
		.damaged = (if .opens == 0 then null else
			[.partial_batches, .settled_lost, .wrong, .failed, .scan_disagrees,
				1 - .writes_on] | any(. > 0) end)'
	lying_disk_take_away
}

: >"$work/rows"
for word in $(each "$durabilities")
do
	for engine in $(each "$engines")
	do
		lying_disk_offers "$engine" "$word" || continue
		for cut in $(seq "$cuts")
		do
			progress "$engine at $word, cut $cut of $cuts"
			one_cut "$engine" "$word" $((seed + cut - 1)) >>"$work/rows"
			[ -z "$json" ] || tail -n 1 "$work/rows" >>"$json"
		done
	done
done
progress ''

echo "$fs on sectors of $sector bytes, $threads thread$([ "$threads" = 1 ] || echo s)," \
	"seeds from $seed"
read_by powerloss.sh "$work/rows"
