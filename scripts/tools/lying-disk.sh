# lying-disk.sh: a simulated disk with a volatile write cache under a loop device; sourced
# by powerloss.sh and faults.sh, which call what is in it.
# shellcheck shell=sh disable=SC2154,SC2034 # $dir is the caller's, and $loop for it

# The disks of ours that nobody serves any more, and what is mounted beside them. Not by a
# mount namespace, which would go by itself: if the disk is the last to die in it, its end
# waits for its own writes, and for ever.
lying_disk_clean () {
	[ "$(id -u)" -eq 0 ] || fail 1 "needs root, for losetup, mkfs and mount; run it as root"
	awk '$(NF - 1) == "simulated_disk" { print $5 }' /proc/self/mountinfo |
		while IFS= read -r escaped
	do
		switch=$(printf %b "$escaped")
		[ ! -e "$switch/disk" ] || continue
		echo "$(basename "$0"): $switch: a killed run left this; taken away" >&2
		findmnt --list --json -o TARGET | jq -r --arg below "${switch%/switch}/" '
			[.filesystems[].target | select(startswith($below))] | reverse[]' |
			while IFS= read -r point
			do
				umount "$point" || umount --lazy "$point"
			done
	done
}

# lying_disk_programs ENGINES: builds build/conform_NAME for each configuration, and the disk
lying_disk_programs () {
	programs='' served=$(make -s served)
	for engine in $(each "$1")
	do
		name=${engine%%+*}
		[ -f "engines/$name.c" ] || [ -f "test/${name}_engine.c" ] ||
			[ -e "build/engines/$name/facts" ] ||
			fail 2 "--engines: no '$name'; see engines/"
		case " $served " in
		*" $name "*)
			fail 2 "--engines: the records of $name are in the files of a server, \
which are not on this disk"
			;;
		esac
		programs="$programs build/conform_$name"
	done
	# shellcheck disable=SC2086
	words=$(make -s build/simulated_disk $programs 2>&1) ||
		fail 1 "build/simulated_disk and the engines do not build; apt install \
libfuse3-dev: $(echo "$words" | head -n 1)"
}

# lying_disk_begin: builds what $engines need, from the top of the tree, and makes $work, with a
# switch and a mount point; it goes with the script, and all that is mounted in it
lying_disk_begin () {
	[ -c /dev/fuse ] || fail 1 "needs /dev/fuse, which this kernel or container does not have"
	cd "$(dirname "$0")/.." || exit
	[ -n "$engines" ] || engines=$(lying_disk_engines)
	lying_disk_programs "$engines"
	work=$(mktemp -d "$dir/$(basename "$0" .sh)-XXXXXX")
	disk=
	mkdir "$work/switch" "$work/left"
	trap lying_disk_leave EXIT
	on_signals end_by
}

lying_disk_take_away () {
	! mountpoint -q "$work/left" || umount "$work/left"
	exec 9>&-
	# its mount goes with it, even while somebody who looks at all devices has the
	# loop device open
	[ -z "$disk" ] || {
		kill "$disk"
		wait "$disk" || true
	}
	disk=
	rm -f "$work/image"
}

lying_disk_leave () {
	status=$?
	trap '' INT TERM HUP
	set +e
	lying_disk_take_away
	rm -f "$work/rows" "$work/words"
	rmdir "$work/switch" "$work/left" "$work" || status=1
	exit $status
}

# lying_disk_attach OPTION...: $loop, over a disk with these options
lying_disk_attach () {
	build/simulated_disk --write_cache=1 --image="$work/image" --mount="$work/switch" \
		"$@" 2>"$work/words" &
	disk=$!
	until [ -e "$work/switch/disk" ]
	do
		kill -0 "$disk" 2>/dev/null || fail 1 "build/simulated_disk: $(lying_disk_words)"
		sleep 0.02
	done
	loop=$(losetup --find --show --direct-io=on "$work/switch/disk")
	# detached with the last that has it open, so when this one closes it, or dies
	exec 9<"$loop"
	losetup --detach "$loop"
}

# lying_disk_words: the last two lines that were said; of Go, which ends with its stack, the error
lying_disk_words () {
	grep -m 1 -E '^(panic|fatal error): ' "$work/words" ||
		sed '/^$/d' "$work/words" | tail -n 2 | paste -s -d ' '
}

# lying_disk_offers CONFIGURATION DURABILITY: the engine has that level; if not, it says so
lying_disk_offers () {
	"build/conform_${1%%+*}" --facts |
		jq -e --arg word "$2" '.durabilities | index($word) != null' >/dev/null ||
		{ echo "$(basename "$0"): $1 has no durability $2; left out" >&2; return 1; }
}

# lying_disk_engines: the configurations that make finds
lying_disk_engines () {
	make -s engines | tr ' ' '\n' |
		sed '/^null$/d; s/^wiredtiger$/&,&+type=lsm/' | paste -s -d ,
}
