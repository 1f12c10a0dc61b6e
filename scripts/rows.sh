# rows.sh: how the scripts that show rows read a file of them; sourced.
# shellcheck shell=sh

# whole_rows FILE: its lines of JSON, without a row that a crash has cut short; columns of older rows by their names of today
whole_rows () {
	sed -e '/^{"schema":.*[^}]$/d' -e 's/"device_write_amp/"host_write_amp/g' <"$1"
}

# unreadable FILE: the end, after jq has failed on its rows; in silence if whoever read what it printed is gone
unreadable () {
	[ $? -ne 141 ] || exit 141
	fail 1 "$1 has a row that cannot be read; jq says above what of it"
}
