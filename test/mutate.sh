#!/bin/sh
# mutate.sh: plant known faults, one at a time, and see that the tests notice; see --help.
set -eu
. "$(dirname "$0")/../scripts/common.sh"

help () {
	cat <<EOF
usage: test/mutate.sh [--from=DIRECTORY] [--places] [--verbose] [COUNT | NAME ...]

Plants each fault of test/mutants, or of DIRECTORY, in a copy of the tree as it is, builds what
its test needs, and runs the test, which must fail: so the fault is killed. A test that
passes three times lets the fault survive: some faults show in most runs, not in each.
Without a fault the same test must pass, which is tried first.
COUNT takes a sample that follows from the commit; NAME ... takes those. \`make mutate\` runs
this, with MUTANTS='...' for the arguments.

A mutant is a file. Its first line is a comment that says what is wrong, then come
  in: FILE ...    where its place is looked for; a pattern may match no file
  old: TEXT       what stands there, exactly once; white space stands for any
  new: TEXT       and what shall; there can be several pairs of old and new
  build: TARGET ...  what make builds for the test
  test: COMMAND   run by sh at the top of the copy, with a TMPDIR of its own: \`build/unit hist\`, or
                  \`ONLY=REGEX ./test.sh PART\` for the tests of a part whose names match
  slow: SECONDS   that it takes, if those are many; samples leave it out
A test has noticed if it says "not ok", hangs and is ended, or crashes, as an assertion makes it.
One that breaks otherwise, or can only be skipped here, says nothing.
--places only looks whether each has its place, in seconds.

Prints a line for each that was not killed, --verbose for each, and how many of how many were.
Exit status: 0 all were killed; 1 one survived, had no place, did not compile, or its test fails
without it; 2 wrong arguments.
EOF
}

top=$(cd "$(dirname "$0")/.." && pwd)
from=$top/test/mutants
chosen='' verbose='' only_places='' sampled=''
for argument
do
	case $argument in
	--help) help; exit 0 ;;
	--from=?*) from=${argument#*=} ;;
	--verbose) verbose=1 ;;
	--places) only_places=1 ;;
	-*) fail 2 "cannot read '$argument'; see --help" ;;
	*) chosen="$chosen $argument" ;;
	esac
done
[ -d "$from" ] || fail 2 "--from: no directory $from"

# field NAME MUTANT
field () {
	sed -n "s/^$1: *//p" "$from/$2"
}

# sample COUNT: so many names, others for each commit
sample () {
	commit=$(git -C "$top" rev-parse --short HEAD 2>/dev/null || echo none)
	echo "# a sample of $1 by commit $commit" >&2
	grep -L '^slow:' "$from"/* | while IFS= read -r path
	do
		echo "$(echo "$commit ${path##*/}" | cksum | cut -d ' ' -f 1) ${path##*/}"
	done | sort -n | head -n "$1" | cut -d ' ' -f 2
}

case $chosen in
'') chosen=$(ls "$from") ;;
*[!\ 0-9]*) ;;
' '[1-9]*' '*) fail 2 "a sample has one size; see --help" ;;
*) chosen=$(sample "${chosen# }") sampled=1 ;;
esac
for name in $chosen
do
	[ -f "$from/$name" ] || fail 2 "no mutant '$name' in $from"
done
# shellcheck disable=SC2086 # words, on purpose
lacking=$(cd "$from" && { grep -L '^in: *[^ ]' $chosen; grep -L '^test: *[^ ]' $chosen; } | head -n 1)
[ -z "$lacking" ] || fail 2 "$from/$lacking has no in: or no test:"
make_work
chmod 711 "$work" # for the tests of other users
# as they are now, whatever is edited meanwhile
cp -R "$from" "$work/mutants"
cp "$top/test/plant.awk" "$work"
from=$work/mutants
cd "$top"

# What git knows and what it would; or all but what is built here.
files () {
	git ls-files -z --cached --others --exclude-standard 2>/dev/null ||
		find . -path ./build -prune -o -name 'bench_*' -prune -o -type f -print0
}
mkdir "$work/tree" "$work/known" "$work/tmp"
[ -n "$only_places" ] || files | tar --create --null --files-from=- --ignore-failed-read --warning=no-failed-read | tar --extract -C "$work/tree"

# The tests are those of the copies, whoever runs this; what they build is built in half the time. For a sample what all
# programs share is not built again, if it is here.
unset MFLAGS MAKELEVEL MUTANTS PARTS ONLY
export MAKEFLAGS=' -- OPT=-O1\ -g0'
if [ -n "$sampled" ] && [ -e build/bench.o ] && [ -e build/baseline.o ]
then
	MAKEFLAGS=
	mkdir "$work/tree/build"
	(cd build && cp -R -p util bench bench.o baseline.o flags "$work/tree/build")
fi

# builds TREE TARGETS: true if they do; $work/log has what was said
builds () {
	# shellcheck disable=SC2086 # words, on purpose
	[ -z "$2" ] || make -C "$1" -s -j2 $2 >"$work/log" 2>&1
}

# try TREE SECONDS COMMAND: its status; $work/log has what was said
try () {
	status=0
	(cd "$1" && TMPDIR="$work/tmp" exec timeout -k 20 "$2" sh -c "$3") >"$work/log" 2>&1 </dev/null || status=$?
	return $status
}

# passing LOG: how many tests passed that were not skipped
passing () {
	grep '^ok' "$1" | grep -c -v '# skip'
}

# reference COMMAND: how long it takes without a fault, in $seconds; false if it fails then, or says nothing
reference () {
	known=$work/known/$(echo "$1" | cksum | tr ' ' -)
	if [ ! -e "$known" ]
	then
		start=$(date +%s)
		if ! try "$work/tree" 600 "$1"
		then
			echo "fails: $(grep -m 1 '^not ok' "$work/log" || tail -n 1 "$work/log")" >"$known"
		elif [ "$(passing "$work/log")" -eq 0 ]
		then
			grep '^ok.*# skip' "$work/log" | head -n 1 | sed 's/.*# skip/skip/' >"$known"
		else
			echo $(($(date +%s) - start)) >"$known"
		fi
	fi
	seconds=$(cat "$known")
}

# judge NAME: killed, or what it was instead, in $verdict
judge () {
	command=$(field test "$1")
	targets=$(field build "$1")
	if ! builds "$work/tree" "$targets"
	then
		verdict="the tree does not build: $(tail -n 1 "$work/log")"
		return
	fi
	rm -rf "$work/mutant"
	cp -a "$work/tree" "$work/mutant"
	plant "$1" "$work/mutant" || return 0
	if ! builds "$work/mutant" "$targets"
	then
		verdict="does not compile: $(grep -m 1 -i error "$work/log" || tail -n 1 "$work/log")"
		return
	fi
	reference "$command"
	case $seconds in
	fails*) verdict="its test fails without it, too: ${seconds#fails: }"; return ;;
	'') verdict="its test names no test: $command"; return ;;
	skip*) verdict="untried: $seconds"; return ;;
	esac
	tries=1
	while try "$work/mutant" $((60 + 10 * seconds)) "$command" && [ $tries -lt 3 ]
	do
		tries=$((tries + 1))
	done
	if [ $status -eq 0 ]
	then
		verdict="survived: $(sed -n '1s/^# *//p' "$from/$1")"
	elif grep -q '^not ok' "$work/log" || [ $status -eq 124 ] || [ $status -gt 128 ]
	then
		verdict=killed
	else
		verdict="its test broke, with status $status: $(tail -n 1 "$work/log")"
	fi
}

# plant NAME DIRECTORY: into the tree there; false if it has no place, and the verdict says so
plant () {
	verdict=$(cd "$2" && places "$1" | awk -v from="$from" -f "$work/plant.awk" 2>&1) ||
		{ verdict=${verdict#"$1 "}; return 1; }
}

# places NAME...: of each a line of its name and, after a tab, the files in which its place is looked for
places () {
	(cd "$from" && grep '^in:' /dev/null "$@") | while IFS=: read -r name _ patterns
	do
		files=
		for pattern in $patterns
		do
			[ ! -f "$pattern" ] || files="$files $pattern"
		done
		printf '%s\t%s\n' "$name" "$files"
	done
}

progress () {
	[ ! -t 2 ] || printf '\r\033[K%s' "$1" >&2
}

all=$(echo "$chosen" | wc -w)
if [ -n "$only_places" ]
then
	# shellcheck disable=SC2086 # words, on purpose
	places $chosen | awk -v only_look=1 -v from="$from" -f "$work/plant.awk" >"$work/lost" || [ -s "$work/lost" ] ||
		fail 1 'plant.awk failed'
	cat "$work/lost"
	lost=$(wc -l <"$work/lost")
	echo "$((all - lost)) of $all mutants have their places"
	[ "$lost" -eq 0 ]
	exit
fi

began_all=$(date +%s)
number=0 killed=0 untried=0
for name in $chosen
do
	left=
	[ $number -eq 0 ] || left=", $((($(date +%s) - began_all) * (all - number) / number)) s left"
	number=$((number + 1))
	progress "$number of $all$left: $name"
	began=$(date +%s)
	judge "$name"
	[ ! -t 2 ] || progress ''
	case $verdict in
	killed) killed=$((killed + 1)) ;;
	untried*) untried=$((untried + 1)) ;;
	esac
	[ -z "$verbose" ] && [ "$verdict" = killed ] || echo "$name $verdict${verbose:+ ($(($(date +%s) - began)) s)}"
done
echo "$killed of $((all - untried)) mutants killed$([ $untried -eq 0 ] || echo ", $untried not tried here")"
[ $killed -eq $((all - untried)) ]
