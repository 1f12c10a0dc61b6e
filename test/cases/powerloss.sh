# powerloss.sh: what was acknowledged is there after power cuts. With --long 20 of each, at every durability.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

cuts_power () {
	status=0
	"$top/scripts/powerloss.sh" --dir="$work" --json="$work/cuts" "$@" >"$work/table" 2>"$work/err" || status=$?
	cat "$work/table" "$work/err"
	return $status
}

# cuts JQ: a truth about the rows of all cuts of this test
cuts () {
	jq -es "$1" "$work/cuts" >"$work/jq" || { echo "not true: $1"; cat "$work/cuts"; return 1; }
}

# all_there CONFIGURATION CUTS: of so many none has lost or damaged anything
all_there () {
	cuts "map(select(.configuration == \"$1\")) | length == $2 and all(.[]; .cut == 1 and .acknowledged > 0 and .opens == 1 and
		.lost == 0 and .partial_batches == 0 and .settled_lost == 0 and .wrong == 0 and .damaged == false)"
}

at_once () {
	: >"$work/cuts"
	cuts_power --cuts=1 --threads=4 --engines=rocksdb,leveldb,wiredtiger,bdb || return 1
	for engine in rocksdb leveldb wiredtiger bdb
	do
		all_there $engine 1 || return 1
	done
}

# Direct writes without a sync: no copy of a disk's file would lose them.
loses_what_is_not_synced () {
	: >"$work/cuts"
	cuts_power --cuts=2 --engines=aio --durability=async --write-back=60 &&
		cuts 'all(.[]; .settled_lost == 0 and .unflushed_sectors > .kept_sectors) and (map(.lost) | add) > 0'
}

# begin_cutting: in a session of its own, until an engine is at work
begin_cutting () {
	setsid "$top/scripts/powerloss.sh" --dir="$work" --engines=lmdb --cuts=9 >"$work/table" 2>"$work/err" &
	cutting=$!
	until ls "$work"/powerloss-*/storage-*/mount/db >/dev/null 2>&1
	do
		kill -0 $cutting || return 1
		sleep 0.1
	done
	# the script keeps the loop device open
	loop=$(readlink /proc/$cutting/fd/9) && file=$(file_of "$loop") && [ -n "$file" ]
}

takes_all_away () {
	begin_cutting || return 1
	kill $cutting
	status=0
	wait $cutting || status=$?
	[ $status -eq 143 ] && ! ls -d "$work"/powerloss-* && within 20 holds_nothing
}

# file_of LOOP: what is below it, by numbers, as who has died cannot be asked for a name
file_of () {
	losetup -n -O BACK-MAJ:MIN,BACK-INO "$1" 2>"$work/losetup"
}
# The device that we saw may be another's by now.
holds_nothing () {
	[ -z "$(mounts_below "$work"; loops_below "$work")" ] && [ "$(file_of "$loop")" != "$file" ]
}

# A FUSE disk without its process would break mkfs.btrfs for all. The run may die between two
# cuts, and who else cuts power on this machine takes away what it finds: so a few times.
cleans_up_after_a_kill () {
	for _ in 1 2 3
	do
		begin_cutting || return 1
		pkill -KILL -s $cutting || return 1
		exits 137 $cutting || return 1
		[ -z "$(mounts_below "$work")" ] || break
	done
	"$top/scripts/powerloss.sh" --clean 2>"$work/err" || return 1
	grep "$work/powerloss-.*/switch: a killed run left this" "$work/err" || return 1
	within 20 holds_nothing || return 1
	rm -r "$work"/powerloss-*
}

ok 'powerloss.sh refuses what it cannot read' sh -c "
	cd '$top' && for wrong in --cuts=0 --cuts=many --seed= --threads=17 --seconds=1s --seconds=0 --write-back=no --engines=none-such --durability=much --fs=fat --dir=/nowhere more
	do
		scripts/powerloss.sh \$wrong 2>'$work/err'
		[ \$? -eq 2 ] && [ \$(wc -l <'$work/err') -eq 1 ] || { echo \"\$wrong\"; cat '$work/err'; exit 1; }
	done"

ok 'faults.sh refuses what it cannot read' sh -c "
	cd '$top' && for wrong in --trials=0 --hits=none --commits=1 --seed= --faults=flip,rot --engines=none-such --dir=/nowhere more
	do
		scripts/faults.sh \$wrong 2>'$work/err'
		[ \$? -eq 2 ] && [ \$(wc -l <'$work/err') -eq 1 ] || { echo \"\$wrong\"; cat '$work/err'; exit 1; }
	done"

# said WORDS: what lying_disk_words makes of this
says_last () {
	said () {
		printf %b "$1" >"$work/words"
		sh -euc '. "$1/scripts/tools/lying-disk.sh"; work=$2; lying_disk_words' sh "$top" "$work"
	}
	[ "$(said 'one\ntwo\n\nthree\n')" = 'two three' ] &&
		[ "$(said 'one\npanic: two\n\ngoroutine 1:\n\tfour.go:5\nAborted\n')" = 'panic: two' ] &&
		[ "$(said 'fatal error: fault\n[signal]\n')" = 'fatal error: fault' ]
}
ok 'the last words of an engine are its error, not the stack that Go prints after it' says_last

# An engine of two levels, of which the script leaves out the third.
leaves_out () {
	mkdir -p "$work/levels/build"
	printf '#!/bin/sh\necho '\''{"durabilities": ["none", "async"]}'\''\n' >"$work/levels/build/conform_two"
	chmod +x "$work/levels/build/conform_two"
	offered () {
		(cd "$work/levels" && sh -euc '. "$1/scripts/tools/lying-disk.sh"; lying_disk_offers two+a=1 "$2"' powerloss.sh "$top" "$1")
	}
	offered async && fails 1 '^powerloss.sh: two+a=1 has no durability sync; left out$' offered sync
}
ok 'an engine without the durability level is left out, and a line says so' leaves_out

# faults OPTION...: rows of the engine in test/flat_engine.c to $work/faults
faults () {
	status=0
	"$top/scripts/faults.sh" --dir="$work" --json="$work/faults" "$@" >"$work/table" 2>"$work/err" || status=$?
	cat "$work/table" "$work/err"
	return $status
}
# outcomes "CONFIGURATION FAULT OUTCOME TRIALS" ...: all that there are, each with words or a count that bear it out
outcomes () {
	printf '%s\n' "$@" | sort >"$work/expected"
	jq -rs 'group_by(.configuration, .fault, .outcome)[] | "\(.[0].configuration) \(.[0].fault) \(.[0].outcome) \(length)"' "$work/faults" | sort |
		diff "$work/expected" - || { cat "$work/faults"; return 1; }
	jq -es 'all(.[]; (.fault == "space" or .struck > 0) and .acknowledged >= 60 and (.opens != null or .outcome == "died") and (.outcome != "wrong" or .wrong > 0) and
		(.outcome != "lost" or .lost + .settled_lost > 0) and (.outcome != "right" or .lost + .settled_lost + .wrong + .failed == 0))' "$work/faults" >"$work/jq"
}
classifies () {
	rm -f "$work/faults"
	faults --trials=1 --faults=flip,stale --engines=flat,flat+flat_checksum=0 && faults --trials=1 --faults=sync --engines=flat+flat_heed_errors=0+flat_checksum=0 &&
		outcomes 'flat flip told 1' 'flat stale told 1' 'flat+flat_checksum=0 flip wrong 1' 'flat+flat_checksum=0 stale lost 1' \
			'flat+flat_heed_errors=0+flat_checksum=0 sync lost 1'
}
# It acknowledges all, and dies in closing, both beside the fault and when it is counted what is left.
dies_late () {
	rm -f "$work/faults"
	faults --trials=1 --faults=sync --engines=flat+flat_heed_errors=0+flat_checksum=0+flat_dies_late=1
	jq -es 'map([.outcome, .acknowledged, .ended]) == [["lost", 120, 134]] and .[0].lost > 0' "$work/faults"
}
# Two commits are one before the fault and one after.
least_commits () {
	rm -f "$work/faults"
	faults --trials=1 --faults=flip,sync --engines=flat --commits=2
	jq -es 'map([.fault, .commits, .outcome]) == [["flip", 2, "told"], ["sync", 2, "told"]]' "$work/faults"
}
# What each must be follows from how the engine is made: see there.
classifies_all () {
	rm -f "$work/faults" "$work/first"
	for _ in 1 2
	do
		[ ! -e "$work/faults" ] || mv "$work/faults" "$work/first"
		faults --engines=flat,flat+flat_checksum=0,flat+flat_heed_errors=0+flat_checksum=0,flat+flat_dies=1 --tsv="$work/faults.tsv" &&
			faults --engines=flat+flat_copies=2 --hits=1 || return 1
	done
	# but for where it was
	sed 's|/faults-[^/]*||' "$work/first" >"$work/was" && sed 's|/faults-[^/]*||' "$work/faults" | diff "$work/was" - || return 1
	plain='flat+flat_checksum=0' heedless='flat+flat_heed_errors=0+flat_checksum=0' dying='flat+flat_dies=1' twice='flat+flat_copies=2'
	outcomes 'flat flip told 3' 'flat stale told 3' 'flat read told 3' 'flat sync told 3' 'flat write told 3' 'flat space told 3' \
		"$plain flip wrong 3" "$plain stale lost 3" "$plain read told 3" "$plain sync told 3" "$plain write told 3" "$plain space told 3" \
		"$heedless flip wrong 3" "$heedless stale lost 3" "$heedless read told 3" "$heedless sync lost 3" "$heedless write lost 3" "$heedless space lost 3" \
		"$dying flip died 3" "$dying stale died 3" "$dying read told 3" "$dying sync told 3" "$dying write died 3" "$dying space told 3" \
		"$twice flip right 3" "$twice stale right 3" "$twice read right 3" "$twice sync told 3" "$twice write told 3" "$twice space told 3" || return 1
	# the command of a cell has the outcome of the cell again
	awk -F '\t' '$1 == "flat+flat_checksum=0" && $2 == "stale" { print $10 }' "$work/faults.tsv" >"$work/command"
	(cd "$top" && sh -c "$(cat "$work/command") --dir='$work'" >"$work/table") && grep '^flat+flat_checksum=0  lost$' "$work/table"
}

may_cut=1
[ "$(id -u)" -eq 0 ] && [ -c /dev/fuse ] && losetup --find >/dev/null 2>&1 || may_cut=
if [ -z "$may_cut" ]
then
	skip 'power cuts' 'this needs root, /dev/fuse and loop devices'
else
	number=2
	[ -z "$long" ] || number=20
	ok 'what is not synced does not survive the power' loses_what_is_not_synced
	: >"$work/cuts"
	# all that are installed of test/configurations, or of CONFIGURATIONS, as in engines.sh
	known=$(make -C "$top" -s engines)
	wanted=$(for configuration in ${CONFIGURATIONS:-$(sed '/^#/d; / nosync /d; s/ .*//' "$top/test/configurations")}
	do
		case " $known " in
		*" ${configuration%%+*} "*) echo "$configuration" ;;
		esac
	done)
	ok "each engine at sync, $number power cuts of each" cuts_power --cuts="$number" --engines="$(echo "$wanted" | paste -s -d ,)"
	sed 's/^/# /' "$work/table"
	for configuration in $wanted
	do
		ok "$configuration: loses nothing acknowledged at sync" all_there "$configuration" "$number"
	done
	# settings that choose another way to sync
	ways=
	for way in sqlite+journal=delete lmdb+writemap=1 ${long:+sqlite+journal=truncate sqlite+journal=persist}
	do
		case " $known " in
		*" ${way%%+*} "*) ways="$ways $way" ;;
		esac
	done
	ok "each other way to sync, $number power cuts of each" cuts_power --cuts="$number" --engines="$(echo "$ways" | tr -s ' ' '\n' | sed '/^$/d' | paste -s -d ,)"
	for way in $ways
	do
		ok "$way: loses nothing acknowledged at sync" all_there "$way" "$number"
	done
	ok 'nor what several threads commit at once' at_once
	ok 'faults.sh tells engines that notice from those that do not' classifies
	ok 'what an engine lost that then died is lost' dies_late
	ok 'also by the fewest commits that it takes' least_commits
	[ -z "$long" ] || ok 'each fault of each kind of engine has its outcome, and again' classifies_all
	ok 'powerloss.sh takes all away when it is ended' takes_all_away
	ok 'what it leaves when all of it is killed, the next one takes away' cleans_up_after_a_kill
	if [ -n "$long" ]
	then
		: >"$work/cuts"
		ok 'and at async and none it is counted' cuts_power --cuts=$number --durability=async,none
		sed 's/^/# /' "$work/table"
	fi
fi

# What stands in results/reference/faults: each engine and fault as often, with the command that repeats it, of a committed state.
reference_of_faults () {
	folder=$top/results/reference/faults
	awk -F '\t' 'NR == 1 { if ($0 != "engine\tfault\ttrials\twrong\tlost\tdied\ttold\tright\tworst_outcome\tcommand\twords") exit 1; next }
		{ cells[$1]++ }
		$3 < 3 || $4 + $5 + $6 + $7 + $8 != $3 || $10 !~ /^scripts\/faults.sh --engines=[^ ]* --faults=[a-z]* --seed=[0-9]* --trials=1$/ || $11 ~ /\/tmp/ { print; bad = 1 }
		END { for (e in cells) if (cells[e] != 6) { print e; bad = 1 }; exit bad || NR < 6 * 9 + 1 }' "$folder/faults.tsv" &&
		grep -q -E '^Commit [0-9a-f]{7,}' "$folder/README.md" && ! grep dirty "$folder/README.md"
}
ok 'the reference of faults has all cells and their commands' reference_of_faults
