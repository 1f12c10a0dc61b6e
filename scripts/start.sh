# start.sh: what every script begins with; sourced, after `set -eu`.
# shellcheck shell=sh

# awk reads and prints figures as the locale has them, and tools translate what they say.
export LC_ALL=C.UTF-8

# fail STATUS TEXT: the end, in one line
fail () {
	echo "$(basename "$0"): $2" >&2
	exit "$1"
}

# needs TOOL...: commands, most of which have the package of their name; or the end
needs () {
	for tool
	do
		case $tool in
		gnuplot) package=gnuplot-nox ;;
		*) package=$tool ;;
		esac
		command -v "$tool" >/dev/null ||
			fail 1 "$tool is not installed; apt install $package"
	done
}

# whole OPTION VALUE [LEAST]: a whole number of at most nine digits; or the end
whole () {
	case $2 in
	'' | *[!0-9]* | ??????????*) ;;
	*) [ "$2" -lt "${3-0}" ] || return 0 ;;
	esac
	fail 2 "$1: cannot read '$2'; give a whole number${3:+ from $3}"
}

# Options are read by a loop of each script's own: what they set, and what is passed on by
# `set --`, is the caller's, and a function has no way to it but eval. So these loops are
# alike.

# make_work: $work, a directory that goes with the script, also if that is told to stop; a
# shell that dies of a signal would run no trap of its end
make_work () {
	work=$(mktemp -d "${TMPDIR:-/tmp}/$(basename "$0" .sh)-XXXXXX")
	trap 'rm -rf "$work"' EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

# nearest TYPED NAME...: ", did you mean NAME?" of the one with the fewest edits, if they
# are few for its length
nearest () {
	awk 'function least(a, b) { return a < b ? a : b }
	function edits(a, b,    i, j, d) {
		for (j = 0; j <= length(b); j++) d[0, j] = j
		for (i = 1; i <= length(a); i++) {
			d[i, 0] = i
			for (j = 1; j <= length(b); j++) {
				d[i, j] = least(least(d[i - 1, j], d[i, j - 1]) + 1,
					d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)))
				if (i > 1 && j > 1 && substr(a, i, 1) substr(a, i - 1, 1) == substr(b, j - 1, 1) substr(b, j, 1))
					d[i, j] = least(d[i, j], d[i - 2, j - 2] + 1)
			}
		}
		return d[length(a), length(b)]
	}
	BEGIN {
		best = length(ARGV[1]) / 3 + 1
		for (i = 2; i < ARGC; i++)
			if ((n = edits(ARGV[1], ARGV[i])) < best) { best = n; name = ARGV[i] }
		if (name != "") print ", did you mean " name "?"
	}' "$@"
}
