# start.sh: what every script begins with; sourced, after `set -eu`.
# shellcheck shell=sh

# awk reads and prints figures as the locale has them, and tools translate what they say.
export LC_ALL=C.UTF-8

# fail STATUS TEXT: the end, in one line
fail () {
	echo "$(basename "$0"): $2" >&2
	exit "$1"
}

# make_work: $work, a directory that goes with the script, also if that is told to stop; a shell that dies of a signal
# would run no trap of its end
make_work () {
	work=$(mktemp -d "${TMPDIR:-/tmp}/$(basename "$0" .sh)-XXXXXX")
	trap 'rm -rf "$work"' EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}
