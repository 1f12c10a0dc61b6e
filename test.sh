#!/bin/sh
# test.sh: install what the tests need, build, and test everything; output is TAP. The cases are in
# scripts/test/; PARTS='build options' runs some of them. With --long, more of what takes long.
# Every test is `ok NAME COMMAND...`: it passes if the command's status is 0, and shows what the
# command said if it is not. A test that could not run says why: `skip NAME REASON`.
# shellcheck disable=SC2016,SC2034,SC2317 # jq programs are quoted; `long` is for the cases; functions are called by name, through ok
set -u

long=
for argument in "$@"
do
	[ "$argument" = --long ] || { echo "test.sh: cannot read '$argument'; usage: ./test.sh [--long]" >&2; exit 2; }
	long=1
done
cd "$(dirname "$0")" || exit 1
top=$PWD
scripts/install.sh gcc libc6-dev make pkg-config git clang gnuplot-nox fonts-dejavu-core \
	jq parallel procps shellcheck valgrind mandoc netpbm strace fdisk e2fsprogs xfsprogs btrfs-progs libfuse3-dev || exit 1
# shellcheck disable=SC2046 # words, on purpose
scripts/install.sh $(make -s packages) || exit 1

all=$(mktemp -d)
chmod 711 "$all" # for the tests of other users
mounted=
attached=
clean_up () {
	[ -z "$mounted" ] || umount "$mounted"
	[ -z "$attached" ] || losetup --detach "$attached"
	rm -rf "$all"
}
trap clean_up EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0

ok () {
	name=$1
	shift
	# in a shell of its own, so that no test moves another
	if ("$@") >"$work/log" 2>&1
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

# fails STATUS PATTERN COMMAND...: it exits so, and says so in one line on stderr
fails () {
	want=$1 pattern=$2
	shift 2
	"$@" >"$work/stdout" 2>"$work/stderr"
	got=$?
	cat "$work/stderr"
	[ $got -eq "$want" ] || { echo "exit status $got, not $want: $*"; return 1; }
	[ "$(wc -l <"$work/stderr")" -eq 1 ] || { echo "not one line on stderr: $*"; return 1; }
	grep -q -e "$pattern" "$work/stderr" || { echo "stderr says nothing of '$pattern': $*"; return 1; }
}

make_quiet () {
	make -C "$top" -s -j2 "$@"
}

builds () {
	make_quiet "$@" >"$work/make" 2>&1
	status=$?
	cat "$work/make"
	[ $status -eq 0 ] && ! grep -q -i warning "$work/make"
}

# whether --memory works here; if not, $work/err says why
memory_limits () {
	"$top/bench_null" --memory=1Gi --benchmarks=readrandom --num=10 >"$work/out" 2>"$work/err"
}

# records that are there, by a full verified scan in another process
contents () {
	bench lmdb --use_existing_db=1 --benchmarks=readseq --num="$1" --verify=1 >"$work/out"
	row ".ops == $2 and .wrong == 0"
}

for part in ${PARTS:-build portability fuzz options harness workloads load conditions devices storage faults engines powerloss scripts compare published repro repro-ab repro-cde door}
do
	began=$(date +%s)
	# each with files of its own
	work=$all/$part
	mkdir "$work" && cd "$work" || exit 1
	export TMPDIR="$work"
	# shellcheck source=/dev/null
	. "$top/scripts/test/$part.sh"
	echo "# $part took $(($(date +%s) - began)) s"
done

echo "1..$((passed + failed + skipped))"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
