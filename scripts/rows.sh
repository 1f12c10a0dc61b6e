# rows.sh: how scripts read a file of rows; sourced.
# shellcheck shell=sh

# read_rows FILE INTO [STATUS]: its rows, one a line, without one that a crash has cut
# short, columns of older ones by their names of today; the end in one line, with that
# status [1], where anything else is wrong with it
read_rows () {
	sed -e '/^{"schema":.*[^}]$/d' -e 's/"device_write_amp/"host_write_amp/g' <"$1" |
		jq -nc 'inputs | if type == "object" and has("benchmark") then . else error("not a row") end' >"$2" 2>"$2.why" ||
		fail "${3:-1}" "$1 does not hold rows as JSON lines: $(sed -n '$s/^jq: *//; $p' "$2.why")"
}

# unreadable FILE: the end, after jq has failed on what is in its rows; in silence if
# whoever read what it printed is gone
unreadable () {
	[ $? -ne 141 ] || exit 141
	fail 1 "$1 has a row that cannot be read; jq says above what of it"
}
