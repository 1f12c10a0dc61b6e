#!/bin/sh
# test.sh: install what the tests need, build, and test everything; output is TAP. The cases are in
# test/cases/, a part each; `./test.sh options load` runs some of them, in this order.
# With --long, more of what takes long.
# Every test is `ok NAME COMMAND...`: it passes if the command's status is 0, and shows what the
# command said if it is not. A test that could not run says why: `skip NAME REASON`.
# No status is dropped: a command that stands alone ends its test if it fails (set -e), and what set -e
# does not end, an && chain or a `!` before the last line of a function, is found by test/dropped.awk.
# shellcheck disable=SC2016,SC2034,SC2317 # jq programs are quoted; `long` is for the cases; functions are called by name, through ok
set -u
export LC_ALL=C.UTF-8 # what tools say is looked at

every_part='build portability fuzz options harness instruments workloads load random conditions devices storage faults engines servers versions powerloss
	scripts compare history clients fleet published repro repro-ab repro-cde door mutants'
every_part=$(echo "$every_part" | tr -s '\n\t' ' ')
refuse () {
	echo "test.sh: $1; usage: ./test.sh [--long] [PART...]" >&2
	exit 2
}
long='' parts=${PARTS-}
for argument in "$@"
do
	case $argument in
	--long) long=1 ;;
	-*) refuse "cannot read '$argument'" ;;
	*) parts="$parts $argument" ;;
	esac
done
for part in $parts
do
	case " $every_part " in
	*" $part "*) ;;
	*) refuse "no part '$part'; there are ${every_part% }" ;;
	esac
done
cd "$(dirname "$0")" || exit 1
top=$PWD
# With ONLY, for who tries a test again, what is needed counts as installed.
if [ -z "${ONLY-}" ]
then
	scripts/install.sh gcc libc6-dev make pkg-config git clang gnuplot-nox fonts-dejavu-core jq parallel procps \
		shellcheck valgrind mandoc netpbm strace fdisk e2fsprogs xfsprogs btrfs-progs libfuse3-dev zlib1g-dev || exit 1
	# shellcheck disable=SC2046 # words, on purpose
	scripts/install.sh $(make -s packages) || exit 1
fi

# what another run left, if it was killed
[ "$(id -u)" -ne 0 ] || scripts/powerloss.sh --clean || exit 1
# loops_below DIRECTORY, mounts_below DIRECTORY: the devices over files there; the mount points, the deepest first
loops_below () {
	losetup --list --json -O NAME,BACK-FILE | jq -r --arg below "$1/" '.loopdevices[] | select(."back-file" // "" | startswith($below)).name'
}
mounts_below () {
	findmnt --list --json -o TARGET | jq -r --arg below "$1/" '.filesystems[].target | select(startswith($below))' | sort -r
}

all=$(cd "$(mktemp -d)" && pwd -P)
chmod 711 "$all" # for the tests of other users
# What a test that was interrupted has left: its processes, which may be about to clean up themselves, then devices and
# mounts, which a file system in a file is both of, and only then files.
clean_up () {
	trap '' INT TERM HUP
	cd /
	unset TMPDIR
	for second in 1 2 3 4 5 6 7 8 9 10
	do
		# who was started here has this in his environment
		left=$(grep -l -s -z "^TMPDIR=$all/" /proc/[0-9]*/environ | cut -d / -f 3)
		[ -n "$left" ] || break
		case $second in
		3) signal=TERM ;;
		10) signal=KILL ;;
		*) signal=0 ;;
		esac
		# shellcheck disable=SC2086 # words, on purpose
		kill -s $signal $left 2>/dev/null
		sleep 1
	done
	loops_below "$all" | xargs -r -n 1 losetup --detach
	mounts_below "$all" | while IFS= read -r point
	do
		umount "$point" 2>/dev/null || umount --lazy "$point"
	done
	rm -rf --one-file-system "$all"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
passed=0 failed=0 skipped=0

# chosen NAME: with ONLY, an extended regular expression, those tests alone run whose names match; what stands between
# them does so anyhow.
chosen () {
	[ -z "${ONLY-}" ] || printf '%s\n' "$1" | grep -q -E -e "$ONLY"
}

ok () {
	chosen "$1" || return 0
	name=$1
	shift
	# In a shell of its own, so that no test moves another. As a command by itself: in a condition set -e would do nothing.
	(set -e; "$@") >"$work/log" 2>&1
	status=$?
	if [ $status -eq 0 ]
	then
		passed=$((passed + 1))
		echo "ok $((passed + failed + skipped)) - $name"
	else
		failed=$((failed + 1))
		echo "not ok $((passed + failed + skipped)) - $name"
		tail -n 25 "$work/log" | sed 's/^/# /'
	fi
}

skip () {
	skipped=$((skipped + 1))
	echo "ok $((passed + failed + skipped)) - $1 # skip $2"
}

# bench ENGINE ARGUMENTS...: run it on a database of its own; its rows go to $work/rows
bench () {
	engine=$1
	shift
	"$top/bench_$engine" --db="$work/db-$engine" --json="$work/rows" "$@"
}

# row JQ: a truth about the last row
row () {
	tail -n 1 "$work/rows" | jq -e "$1" >"$work/jq" || { echo "not true: $1"; tail -n 1 "$work/rows"; return 1; }
}

# in_one_line FILE: what was said there, but for what a restless machine makes of any run
in_one_line () {
	[ "$(grep -c -v 'doubtful figures: ' "$1")" -eq 1 ] || { echo 'not one line on stderr:'; cat "$1"; return 1; }
}

# within SECONDS COMMAND...: it becomes true by then
within () {
	tenths=$(($1 * 10))
	shift
	until "$@" >"$work/within" 2>&1
	do
		tenths=$((tenths - 1))
		[ $tenths -gt 0 ] || { echo "not in time: $*"; cat "$work/within"; return 1; }
		sleep 0.1
	done
}

# exits STATUS PROCESS: a process in the background comes to its end, and so
exits () {
	got=0
	wait "$2" 2>"$work/wait" || got=$?
	[ $got -eq "$1" ] || { echo "process $2: exit status $got, not $1"; return 1; }
}

# not_blank PNG: it is more than paper, which has few colours
not_blank () {
	colours=$(pngtopnm "$1" 2>"$work/png" | ppmhist -noheader 2>>"$work/png" | wc -l)
	echo "$1: $colours colours"
	[ "$colours" -gt 20 ]
}

# fails STATUS PATTERN COMMAND...: it exits so, and says so in one line on stderr
fails () {
	want=$1 pattern=$2
	shift 2
	got=0
	"$@" >"$work/stdout" 2>"$work/stderr" || got=$?
	cat "$work/stderr"
	[ $got -eq "$want" ] || { echo "exit status $got, not $want: $*"; return 1; }
	in_one_line "$work/stderr" || { echo "$*"; return 1; }
	grep -q -e "$pattern" "$work/stderr" || { echo "stderr says nothing of '$pattern': $*"; return 1; }
}

make_quiet () {
	make -C "$top" -s -j2 "$@"
}

builds () {
	status=0
	make_quiet "$@" >"$work/make" 2>&1 || status=$?
	cat "$work/make"
	[ $status -eq 0 ] && ! grep -q -i warning "$work/make"
}

# whether --memory works here; if not, $work/err says why
memory_limits () {
	"$top/bench_null" --memory=1Gi --benchmarks=readrandom --num=10 >"$work/out" 2>"$work/err"
}

# contents NUM THERE: records that are there, by a full verified scan in another process, which is void if the load did not end
contents () {
	status=0
	bench lmdb --use_existing_db=1 --benchmarks=readseq --num="$1" --verify=1 >"$work/out" || status=$?
	row ".ops == $2 and .wrong == 0 and .valid == 1 - $status"
}

# What a part alone stands on; the part `build` makes it anew. With ONLY, one test is tried on what is there.
[ -n "${ONLY-}" ] || make_quiet all >&2 || exit 1

# What takes servers or many runs is for --long, or by name.
usual=$(echo "$every_part" | sed 's/ history / /; s/ fleet / /')
[ -z "$long" ] || usual=$every_part
for part in ${parts:-$usual}
do
	began=$(date +%s)
	# each with files of its own
	work=$all/$part
	mkdir -p "$work" && cd "$work" || exit 1
	export TMPDIR="$work"
	# shellcheck source=/dev/null
	. "$top/test/cases/$part.sh"
	printf '# %5d s %s\n' $(($(date +%s) - began)) "$part" | tee -a "$all/times"
done

echo "1..$((passed + failed + skipped))"
echo '# the parts, the longest first:'
sort -k 2,2nr "$all/times"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
