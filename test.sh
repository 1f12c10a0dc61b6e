#!/bin/sh
# test.sh: install what the tests need, build, and test everything; output is TAP. The cases are in
# test/cases/, a part each; `./test.sh options load` runs some of them.
# With --long, more of what takes long. JOBS=N parts run beside one another: six if it is not given and
# there are two CPUs, as a part waits for as long as it computes; what a part says comes when it ends, or with
# JOBS=1 as it is said.
# Every test is `ok NAME COMMAND...`: it passes if the command's status is 0, and shows what the
# command said if it is not. A test that could not run says why: `skip NAME REASON`.
# No status is dropped: a command that stands alone ends its test if it fails (set -e), and what set -e
# does not end, an && chain or a `!` before the last line of a function, is found by test/dropped.awk.
# shellcheck disable=SC2016,SC2034,SC2317 # jq programs are quoted; `long` is for the cases; functions are called by name, through ok
set -u
export LC_ALL=C.UTF-8 # what tools say is looked at

# PART WHEN LOCK [TARGET...]: those of the lock that most parts have come first, as they take longest together; then the
# longest, so that none is left to run alone at the end.
# long: for --long or by name, as it takes servers or many runs. Parts of one lock do not run at once:
# powerloss leaves a file system of a process that was killed, which mkfs.btrfs in storage would ask;
# random's command lines have 64 threads, and a crowd is not what is measured in milliseconds beside; build copies what is
# built, and begins before rust, go and dotnet, which build; workloads and scripts build what portability and those do, and
# begin after them.
# Targets are built before all parts, as two that build in one place are in each other's way.
table='
conditions usual crowd
load usual crowd
random usual crowd sanitized bench_memstore
faults usual crowd
harness usual crowd
build usual - sanitized
engines usual - conform sanitized-conform
portability usual -
repro-cde usual -
rust usual -
go usual -
dotnet usual -
servers usual - conform sanitized-conform
storage usual btrfs
workloads usual - sanitized bench_memstore build/figures build/monitor
scripts usual - build/tracecat build/hdrmerge
repro usual -
repro-ab usual -
age usual -
compare usual -
powerloss usual btrfs
door usual -
decide usual -
fuzz usual -
versions usual -
soak usual - bench_flat
options usual -
words usual -
clients usual - build/hdrmerge
insertbench usual - bench_memstore
reading usual -
mutants usual -
slow usual -
traces usual - build/tracecat
duet usual -
profile usual -
published usual -
smallbank usual - bench_memstore
compat usual -
devices usual -
instruments usual - instruments
mixgraph usual -
history long -
remote long - build/hdrmerge
'
every_part=$(echo "$table" | awk 'NF { print $1 }' | paste -s -d ' ')
usage='usage: ./test.sh [--long] [PART...]'
refuse () {
	echo "test.sh: $1; $usage" >&2
	exit 2
}
long='' parts=${PARTS-} within='' jobs=${JOBS:-$(nproc | awk '{ print ($1 < 2 ? 1 : 6) }')}
for argument in "$@"
do
	case $argument in
	--help)
		echo "$usage"
		echo 'Installs what the tests need, builds and tests: all of it, or these of its parts:'
		echo "$every_part" | fold -s
		echo '--long does more of what takes long; JOBS=N runs N parts beside one another; ONLY=REGEX those tests whose names match.'
		exit
		;;
	--long) long=1 ;;
	--within=?*) within=${argument#*=} parts='' ;; # for run_part, below
	-*) refuse "cannot read '$argument'" ;;
	*) parts="$parts $argument" ;;
	esac
done
for part in $parts
do
	case " $every_part " in
	*" $part "*) ;;
	*) refuse "no part '$part'; there are $every_part" ;;
	esac
done
case $jobs in
0* | *[!0-9]*) refuse "JOBS: cannot read '$jobs'" ;;
esac
cd "$(dirname "$0")" || exit 1
top=$PWD

# ---- what the cases are written with

# loops_below DIRECTORY, mounts_below DIRECTORY: the devices over files there; the mount points, the deepest first
loops_below () {
	losetup --list --json -O NAME,BACK-FILE | jq -r --arg below "$1/" '.loopdevices[] | select(."back-file" // "" | startswith($below)).name'
}
mounts_below () {
	findmnt --list --json -o TARGET | jq -r --arg below "$1/" '.filesystems[].target | select(startswith($below))' | sort -r
}

passed=0 failed=0 skipped=0

# look_at_clock: in $clock the user and system time of what this shell has waited for, as 0m0.00s, and the seconds since
# the machine began; without a process, as this is done for each test
look_at_clock () {
	times >"$work/cpu"
	{ read -r _ && read -r clock; } <"$work/cpu"
	read -r now _ </proc/uptime
	clock="$clock $now"
}

# chosen NAME: with ONLY, an extended regular expression, those tests alone run whose names match; each of them makes
# what it needs. What stands between them runs anyhow.
chosen () {
	[ -z "${ONLY-}" ] || printf '%s\n' "$1" | grep -q -E -e "$ONLY"
}

ok () {
	chosen "$1" || return 0
	name=$1
	shift
	[ ! -e "$work/cannot" ] || rm "$work/cannot"
	look_at_clock
	before=$clock
	# In a shell of its own, so that no test moves another. As a command by itself: in a condition set -e would do nothing.
	(set -e; "$@") >"$work/log" 2>&1
	status=$?
	look_at_clock
	[ -z "${costs-}" ] || echo "$before $clock ${work##*/} $name" >>"$costs"
	if [ $status -ne 0 ] && [ -e "$work/cannot" ]
	then
		skip "$name" "$(cat "$work/cannot")"
	elif [ $status -eq 0 ]
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

# cannot REASON: a test that finds that it cannot run here is skipped
cannot () {
	echo "$1" >"$work/cannot"
	exit 1
}

# first_core: the number of one that this may run on, in $core; for tests of threads that wait for it
first_core () {
	[ -r /proc/thread-self/schedstat ] || cannot 'the kernel does not tell how long a thread waits'
	core=$(taskset -cp $$ | sed 's/.*: *//; s/[,-].*//')
}

# needs COMMAND...: makes what several tests of a part need, once, when one of them runs. As a command by itself, for set -e.
needs () {
	[ ! -e "$work/made-$(echo "$*" | tr / -)" ] || return 0
	"$@"
	: >"$work/made-$(echo "$*" | tr / -)"
}

# bench ENGINE ARGUMENTS...: run it on a database of its own; its rows go to $work/rows
bench () {
	engine=$1
	shift
	[ "$engine" != memstore ] || [ -x "$top/bench_memstore" ] || make_quiet bench_memstore
	"$top/bench_$engine" --db="$work/db-$engine" --json="$work/rows" "$@"
}

# jq ARGUMENTS...: of the cases, which ask thousands of times. jq takes 25 ms of CPU to begin and gojq 2, so truths (-e)
# and texts (-r) are asked of gojq; jq, which the scripts have, remains for their modules (-L) and for rows, whose columns
# gojq would sort.
quick_jq=$(command -v gojq || echo jq)
jq () {
	asked=jq
	case $1 in
	-*e* | -r) asked=$quick_jq ;;
	esac
	case " $* " in
	' --'* | *' -L '*) asked=jq ;;
	esac
	command "$asked" "$@"
}

# row JQ: a truth about the last row
row () {
	tail -n 1 "$work/rows" | jq -e "$1" >"$work/jq" || { echo "not true: $1"; tail -n 1 "$work/rows"; return 1; }
}

# in_one_line FILE: what was said there, but for what a busy machine makes of any run
in_one_line () {
	[ "$(grep -c -v 'warning: ' "$1")" -eq 1 ] || { echo 'not one line on stderr:'; cat "$1"; return 1; }
}

# within SECONDS COMMAND...: it becomes true by then; a busy machine has three times as long
within () {
	tenths=$(($1 * 30))
	shift
	until "$@" >"$work/within" 2>&1
	do
		tenths=$((tenths - 1))
		[ $tenths -gt 0 ] || { echo "not in time: $*"; cat "$work/within"; return 1; }
		sleep 0.1
	done
}

# tries COUNT COMMAND...: true in one of so many tries, for what a busy machine spoils by chance; each in a shell of its own,
# for set -e
tries () {
	tried=$1
	shift
	while [ "$tried" -gt 0 ]
	do
		set +e
		(set -e; "$@")
		status=$?
		set -e
		[ $status -ne 0 ] || return 0
		tried=$((tried - 1))
	done
	return 1
}

# ahead COMMAND...: before all others, where this user may; for few that compute little, and measure what others take from them
ahead () {
	case $(nice -n -19 nice 2>/dev/null) in
	-*) nice -n -19 "$@" ;;
	*) "$@" ;;
	esac
}

# exits STATUS PROCESS: a process in the background comes to its end, and so
exits () {
	got=0
	wait "$2" 2>"$work/wait" || got=$?
	[ $got -eq "$1" ] || { echo "process $2: exit status $got, not $1"; return 1; }
}

# gone PROCESS[,PROCESS...]: ended, or waiting for init to notice
gone () {
	! ps -o stat= -p "$1" | grep '^[^Z]'
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

# quick_units PROGRAM: the unit tests but for draws by the million, which take most of their time
quick_units () {
	{
		sed -n 's/^.run("\([a-z_]*: \).*/\1/p' "$top/test/unit.c" | sort -u | grep -v -e '^distribution' -e '^mixgraph'
		printf '%s\n' 'distribution: the other' 'distribution: scrambled' 'mixgraph: all_random' 'mixgraph: a value'
	} | SLOW_TRIALS=20 xargs -d '\n' "$1"
}

builds () {
	status=0
	make_quiet "$@" >"$work/make" 2>&1 || status=$?
	cat "$work/make"
	[ $status -eq 0 ] && ! grep -q -i warning "$work/make"
}

# copy_of_tree DIRECTORY: this tree again, with those objects that all engines share, which are as new as they are here
copy_of_tree () {
	mkdir "$1" "$1/build"
	cp -r -p "$top/Makefile" "$top/README.md" "$top/docs" "$top/test.sh" "$top/bench.c" "$top/bench" "$top/engines" "$top/scripts" "$top/test" "$top/util" "$1"
	(cd "$top/build" && cp -r -p util bench bench.o baseline.o flags stats "$1/build")
}

# instructions PROGRAM ARGUMENTS...: those of its threads, under callgrind; main's depend on the time that it waits
instructions () {
	program=$1
	shift
	valgrind --tool=callgrind --collect-atstart=no --toggle-collect=thread_main --callgrind-out-file="$work/callgrind" \
		"$program" --benchmarks=readrandom --supervise=0 "$@" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; return 1; }
	sed -n 's/^totals: //p' "$work/callgrind"
}
# instructions_a_read PROGRAM ARGUMENTS...: the difference of two run lengths; kept for other parts
instructions_a_read () {
	a_read=$within/a-read$(echo "$*" | tr -c 'a-z0-9_=\n' -)
	if [ ! -e "$a_read" ]
	then
		for reads in 1000000 2000000
		do
			instructions "$@" --num=1m --reads=$reads || return 1
		done | jq -es '(.[1] - .[0]) / 1000000' >"$work/difference" && mv "$work/difference" "$a_read" || return 1
	fi
	cat "$a_read"
}
# read_costs_at_most INSTRUCTIONS ARGUMENTS...: of bench_null
read_costs_at_most () {
	most=$1
	shift
	instructions_a_read "$top/bench_null" "$@" >"$work/a-read" && cat "$work/a-read" && jq -e ". > 10 and . <= $most" "$work/a-read"
}

# whether --memory works here; if not, $work/err says why
memory_limits () {
	"$top/bench_null" --memory=1Gi --benchmarks=readrandom --num=10 >"$work/out" 2>"$work/err"
}

# contents NUM THERE: records that are there, by a full verified scan in another process, which is invalid if the load did not end
contents () {
	status=0
	bench lmdb --use_existing_db=1 --benchmarks=readseq --num="$1" --verify=1 >"$work/out" || status=$?
	row ".ops == $2 and .wrong == 0 and .valid == 1 - $status"
}

# ---- a part

# In a process of its own, with files of its own. That it came to its end is said by the last line.
if [ -n "$within" ]
then
	part=${parts# }
	read -r began _ </proc/uptime
	work=$within/$part costs=$within/costs
	cd "$work" || exit 1
	# shellcheck source=/dev/null
	. "$top/test/cases/$part.sh"
	look_at_clock
	echo "$clock" | awk -v part="$part" -v began="$began" 'function seconds(s, part) { split(s, part, /[ms]/); return 60 * part[1] + part[2] }
		{ printf "# %5d s %5d s %s\n", $3 - began, seconds($1) + seconds($2), part }'
	exit
fi

# ---- all of them

# With ONLY, for who tries a test again, what is needed counts as installed, and as built.
if [ -z "${ONLY-}" ]
then
	scripts/install-deps.sh gcc libc6-dev make pkg-config git jq procps libfuse3-dev zlib1g-dev || exit 1
	# shellcheck disable=SC2046 # words, on purpose
	scripts/install-deps.sh $(make -s packages) || exit 1
	# while the programs are built, what only tests need
	scripts/install-deps.sh clang gnuplot-nox fonts-dejavu-core parallel shellcheck valgrind mandoc netpbm strace fdisk \
		e2fsprogs xfsprogs btrfs-progs zstd iproute2 linux-perf gojq python3-jinja2 python3-pytest \
		mono-mcs python3-pip &
	tools=$!
fi

# what another run left, if it was killed
[ "$(id -u)" -ne 0 ] || scripts/powerloss.sh --clean || exit 1

all=$(cd "$(mktemp -d)" && pwd -P)
chmod 711 "$all" # for the tests of other users
# Where Python may not keep what it compiles, each of some thousand starts of a reader compiles it again: 0.3 s of CPU.
unset PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX="$all/python"
# A python3 that is a script, such as pyenv's, takes 0.1 s of CPU to find the real one, each time.
python=$(python3 -c 'import sys; print(sys.executable)') && [ "$python" != "$(command -v python3)" ] && PATH=${python%/*}:$PATH
lanes=
# What a test that was interrupted has left: its processes, which may be about to clean up themselves, then devices and
# mounts, which a file system in a file is both of, and only then files.
clean_up () {
	trap '' INT TERM HUP
	cd /
	unset TMPDIR
	# shellcheck disable=SC2086 # words, on purpose
	[ -z "$lanes" ] || kill -s TERM $lanes 2>/dev/null
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
	# what rust.sh has built to be tested, and not to be measured
	[ ! -e "$all/unoptimized" ] || while IFS= read -r facts
	do
		version=${facts%/facts} version=${version##*/} engine=${version%-*}
		rm -rf --one-file-system "$top/build/engines/$version" "$top/bench_$version" "$top/bench_$engine" "$top/build/conform_$engine"
	done <"$all/unoptimized"
	rm -rf --one-file-system "$all"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
trap 'exit 141' PIPE

mkdir "$all/begun" "$all/held"
echo 0 0 0 >"$all/counts"
: >"$all/costs"
: >"$all/failed"
# the rows of the table that are asked for
echo "$table" | awk -v parts=" $parts " -v long="$long" 'NF && (parts ~ /[^ ]/ ? index(parts, " " $1 " ") : $2 == "usual" || long)' >"$all/rows"
targets=$(awk '{ for (i = 4; i <= NF; i++) print $i }' "$all/rows")
# for who would build all of it once more to hear its warnings
[ -e build/bench.o ] || [ -n "$parts" ] || : >"$all/fresh"
# shellcheck disable=SC2086 # words, on purpose
[ -n "${ONLY-}" ] || { work=$all builds all $targets >&2 && wait "$tools"; } || exit 1

# WiredTiger counts to 100 million three times when a process opens it, to learn the rate of the CPU's counter: 0.5 s
# of CPU, some hundred times. Without --long it is a copy that counts to 385,279, where the library is the one in which
# this comparison was found.
quick_wiredtiger () {
	library=$(ldd bench_wiredtiger 2>/dev/null | sed -n 's/.*=> \(.*libwiredtiger[.]so[.]0\) .*/\1/p')
	comparison='\x48\x89\x44\x24\x18\x48\x8b\x44\x24\x18\x48\x3d\xff\xe0'
	[ -n "$library" ] && [ "$(LC_ALL=C grep -c -a -P "$comparison\xf5\x05" "$library")" -eq 1 ] || return 0
	mkdir "$all/libraries"
	LC_ALL=C sed "s/\($comparison\)\xf5\x05/\1\x05\x00/" "$library" >"$all/libraries/${library##*/}"
	export LD_LIBRARY_PATH="$all/libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}
[ -n "$long" ] || quick_wiredtiger

# One at a time: in turn COMMAND...
in_turn () {
	(flock 9 && "$@") 9>>"$all/turn"
}

# take: the first row that has not begun and whose lock nobody holds; 'later' if all that are left have to wait
take () {
	later=
	while read -r part _ lock _
	do
		[ ! -e "$all/begun/$part" ] || continue
		later=later
		[ "$lock" = - ] || mkdir "$all/held/$lock" 2>/dev/null || continue
		: >"$all/begun/$part"
		echo "$part $lock"
		return
	done <"$all/rows"
	echo "$later"
}

# run_part PART [DIRECTORY]: what is started in the background has interrupts ignored, for good
run_part () {
	mkdir "${2-$all}/$1"
	env --default-signal=INT,QUIT TMPDIR="${2-$all}/$1" "$top/test.sh" --within="${2-$all}" ${long:+--long} "$1"
}

# numbered PART [again]: its output, with the tests' numbers among all; what they come to is kept in $all/counts. What
# failed is not counted yet where it will be tried again.
numbered () {
	ended='' again=${2-${ONLY+no}}
	read -r passed failed skipped <"$all/counts"
	while [ -z "$ended" ] && IFS= read -r line
	do
		case $again$line in
		'not ok '[0-9]*' - '*)
			line="# failed at first:${line#* -}"
			printf '%s\t%s\n' "$1" "${line#*: }" >>"$all/failed"
			;;
		esac
		case $line in
		'ok '[0-9]*' - '*' # skip '*) skipped=$((skipped + 1)) ;;
		'ok '[0-9]*' - '*) passed=$((passed + 1)) ;;
		'not ok '[0-9]*' - '*) failed=$((failed + 1)) ;;
		'# '[\ 0-9][\ 0-9]*[0-9]" s $1") ended=$line ;;
		esac
		case $line in
		'ok '[0-9]*' - '* | 'not ok '[0-9]*' - '*)
			line="${line%%ok *}ok $((passed + failed + skipped)) - ${line#* - }"
			;;
		esac
		printf '%s\n' "$line"
	done
	if [ -n "$ended" ]
	then
		echo "$ended" >>"$all/times"
	else
		failed=$((failed + 1))
		echo "not ok $((passed + failed + skipped)) - $1 comes to its end"
	fi
	echo "$passed $failed $skipped" >"$all/counts"
}

# lane: one part after another, until all have begun
lane () {
	while taken=$(in_turn take) && [ -n "$taken" ]
	do
		part=${taken% *} lock=${taken#* }
		if [ "$taken" = later ]
		then
			sleep 1
			continue
		fi
		if [ "$jobs" -eq 1 ]
		then
			run_part "$part" | numbered "$part"
		else
			run_part "$part" >"$all/$part.tap"
			in_turn numbered "$part" <"$all/$part.tap"
		fi
		[ "$lock" = - ] || rmdir "$all/held/$lock"
	done
}
rows=$(wc -l <"$all/rows")
[ "$jobs" -le "$rows" ] || jobs=$rows
for _ in $(seq "$jobs")
do
	lane &
	lanes="$lanes $!"
done
wait
lanes=

# What failed is tried once more, alone: a defect fails again, and a test that does not is one to mend, which is said.
mkdir "$all/again"
cut -f 1 "$all/failed" | sort -u | while read -r part
do
	sed -n "s/^$part	//p" "$all/failed" >"$all/names"
	ONLY=$(sed 's/[][\.*^$+?(){}|]/\\&/g; s/.*/^&$/' "$all/names" | paste -s -d '|')
	export ONLY
	run_part "$part" "$all/again" </dev/null >"$all/$part.tap"
	# a test that did not come to its end failed
	awk 'NR == FNR { left[$0]; next }
		/^(not )?ok [0-9]+ - / {
			name = $0; sub(/^[^-]*- /, "", name); sub(/ # skip .*/, "", name)
			if (!(name in left)) next
			delete left[name]
		}
		!/^# +[0-9]+ s [a-z-]+$/
		END { for (name in left) print "not ok 0 - " name; print "#     0 s " part }' part="$part" "$all/names" "$all/$part.tap" |
		numbered "$part" again
done

read -r passed failed skipped <"$all/counts"
echo "1..$((passed + failed + skipped))"
echo '# the parts, the longest first, seconds of time and of CPU:'
sort -k 2,2nr "$all/times"
echo '# the tests that took most, seconds of time and of CPU:'
awk 'function seconds(s, part) { split(s, part, /[ms]/); return 60 * part[1] + part[2] }
	{ time = $6 - $3; cpu = seconds($4) + seconds($5) - seconds($1) - seconds($2); for (i = 0; i < 6; i++) sub(/^[^ ]+ /, "")
	if (time >= 5 || cpu >= 5) printf "# %5.1f s %5.1f s %s\n", time, cpu, $0 }' "$all/costs" | sort -k 2,2nr
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
