# common.sh: what every script begins with; sourced, after `set -eu`.
# shellcheck shell=sh disable=SC2034 # $sudo and $tab are for who sources it

# awk reads and prints figures as the locale has them, and tools translate what they say.
export LC_ALL=C.UTF-8
tab=$(printf '\t')

# echo TEXT...: as it is; the shell's own may take \n and \c in it for a line end and an end
echo () {
	printf '%s\n' "$*"
}

# fail STATUS TEXT: the end, in one line
fail () {
	printf '%s: %s\n' "$(basename "$0")" "$2" >&2
	exit "$1"
}

# refuse ARGUMENT [TEXT]: the end, as it is no option here
refuse () {
	fail 2 "cannot read '$1'; ${2-}see --help"
}

# progress TEXT: what is being done, in the last line of a terminal; "" takes it away
progress () {
	[ ! -t 2 ] || printf '\r\033[K%s' "$1" >&2
}

# each LIST: its words, which have commas between them
each () {
	echo "$1" | tr , ' '
}

# absolute PATH: from the root; nothing of nothing
absolute () {
	case $1 in
	'' | /*) echo "$1" ;;
	*) echo "$PWD/$1" ;;
	esac
}

# needs TOOL...: commands, most of which have the package of their name; or the end
needs () {
	for tool
	do
		case $tool in
		gnuplot) package=gnuplot-nox ;;
		mkfs.ext4) package=e2fsprogs ;;
		mkfs.xfs) package=xfsprogs ;;
		mkfs.btrfs) package=btrfs-progs ;;
		mkfs.f2fs) package=f2fs-tools ;;
		mkfs.bcachefs) package=bcachefs-tools ;;
		findmnt | losetup | wipefs | blkdiscard | blockdev) package=util-linux ;;
		*) package=$tool ;;
		esac
		command -v "$tool" >/dev/null ||
			fail 1 "$tool is not installed; apt install $package"
	done
}

# needs_built PROGRAM [STATUS]: what make has not made yet is the end, with that status [2]
needs_built () {
	[ -x "$1" ] || fail "${2-2}" "${1#./} is not built; make ${1#./}"
}

# needs_out VALUE: of --out; or the end
needs_out () {
	[ -n "$1" ] || fail 2 "--out=DIRECTORY is missing; see --help"
}

# needs_linux REASON ARGUMENT...: or the end, unless its help is asked for
needs_linux () {
	reason=$1
	shift
	case " $* " in
	*' --help '*) return ;;
	esac
	[ "$(uname)" = Linux ] || fail 1 "needs Linux for $reason, and this is $(uname)"
}

sudo=
# find_root TEXT: $sudo, what makes a command root's: nothing for root; or the end in those words
find_root () {
	[ "$(id -u)" -ne 0 ] || return 0
	sudo=sudo
	command -v sudo >/dev/null || fail 1 "$1"
}

# whole OPTION VALUE [LEAST]: a whole number of at most nine digits; or the end, also of one that
# begins with 0, which would be octal where the shell computes
whole () {
	case $2 in
	'' | *[!0-9]* | 0?* | ??????????*) ;;
	*) [ "$2" -lt "${3-0}" ] || return 0 ;;
	esac
	fail 2 "$1: cannot read '$2'; give a whole number${3:+ from $3}"
}

# count OPTION VALUE LEAST: prints VALUE, such as 100k or 2m, as whole() takes it; or the end
count () {
	case $2 in
	[1-9]*k) number=${2%k}000 ;;
	[1-9]*m) number=${2%m}000000 ;;
	*) number=$2 ;;
	esac
	whole "$1" "$number" "$3"
	echo "$number"
}

# check_read_ahead KIB: of --read-ahead, which may be empty; or the end
check_read_ahead () {
	case $1 in
	*[!0-9]* | 0?* | ????????*) fail 2 "--read-ahead: cannot read '$1'; give KiB" ;;
	esac
}

# readable FILE [OPTION]: it can be read and is no directory; or the end
readable () {
	[ ! -d "$1" ] || fail 2 "${2-}${2:+: }$1 is a directory; give a file"
	[ -r "$1" ] || fail 2 "${2-}${2:+: }cannot read $1"
}

# uncut FILE NAME: it is not empty and its last line has an end; or the end
uncut () {
	[ -s "$1" ] || fail 2 "$2 is empty"
	[ -z "$(tail -c 1 "$1")" ] ||
		fail 2 "$2: its last line has no end; if it is not cut short, add one"
}

# take_lines FILE INTO [OPTION]: the lines of a file, without the CR of other systems' line
# ends; or the end, if it cannot be read, is empty or cut short
take_lines () {
	readable "$1" "${3-}"
	sed 's/\r$//' "$1" >"$2"
	uncut "$2" "${3-}${3:+: }$1"
}

# writable_dir: $dir of --dir, without links; or the end
writable_dir () {
	{ [ -d "$dir" ] && [ -w "$dir" ]; } ||
		fail 2 "--dir: $dir is not a directory that can be written to"
	dir=$(cd "$dir" && pwd -P)
}

# nanoseconds TIME: 1ms as 1000000; nothing if it is no time
nanoseconds () {
	printf %s "$1" |
		jq -Rr 'capture("^(?<n>[0-9]+([.][0-9]+)?)(?<unit>ns|us|ms|s)$") |
		(.n | tonumber) * {ns: 1, us: 1e3, ms: 1e6, s: 1e9}[.unit] | select(. > 0)' \
			2>/dev/null
}

# without the packages of a site, which only pages need, and whose search takes as long as many a
# reader
python='python3 -S'
# the package that reads rows, also for a script that goes to another directory
readers=$(cd "$(dirname "$0")" && pwd)
[ -d "$readers/reading" ] || readers=${readers%/*}
readers=$readers/reading

# read_by NAME ARGUMENT...: what the module of the script NAME in reading/ makes of rows.
# $python may be one that has what the module needs, see python_with.
read_by () {
	needs python3
	# shellcheck disable=SC2086 # it may have an option
	$python "$readers/__main__.py" "$@"
}

# reading ARGUMENT...: a script that only reads rows is its module; the end
reading () {
	code=0
	read_by "$(basename "$0")" "$@" || code=$?
	exit $code
}

# python_with MODULE PACKAGE: $python, one that has a module of that package; or the end
python_with () {
	for python in python3 /usr/bin/python3
	do
		! "$python" -c "import importlib.util as u
raise SystemExit(not u.find_spec('$1'))" 2>/dev/null || return 0
	done
	fail 1 "Python's $1 is not installed; apt install $2"
}

# set_option ARGUMENT NAME...: --NAME=value sets the variable NAME; false for another argument, and
# for one without a value. $value is what is after the =.
set_option () {
	value=${1#*=} option_of=${1%%=*}
	[ -n "$value" ] && [ "$option_of" != "$1" ] || return 1
	shift
	for option_name
	do
		[ "--$option_name" != "$option_of" ] || { eval "$option_name=\$value"; return 0; }
	done
	return 1
}

# on_signals COMMAND: runs it with the signal that has come and the status of who dies of that
# shellcheck disable=SC2064 # the command is known now
on_signals () {
	trap "$1 HUP 129" HUP
	trap "$1 INT 130" INT
	trap "$1 TERM 143" TERM
}

# end_by SIGNAL STATUS: a shell that dies of a signal would run no trap of its end
end_by () {
	exit "$2"
}

# make_work: $work, a directory that goes with the script, also if that is told to stop
make_work () {
	work=$(mktemp -d "${TMPDIR:-/tmp}/$(basename "$0" .sh)-XXXXXX")
	trap 'rm -rf "$work"' EXIT
	on_signals end_by
}

# own_options CONFIGURATION: A+b=c+d=e as --b=c --d=e
own_options () {
	case $1 in
	*+*) echo "${1#*+}" | sed 's/^/--/; s/+/ --/g' ;;
	esac
}

# quote WORD: as a shell reads it back
quote () {
	printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"
}

# word WORD: the same, but as it is where a shell reads nothing into it
word () {
	case $1 in
	'' | *[!A-Za-z0-9_.,:=/+%@-]*) quote "$1" ;;
	*) printf %s "$1" ;;
	esac
}
