# rows.sh: how the scripts that show rows read a file of them; sourced.
# shellcheck shell=sh

# whole_rows FILE: its lines of JSON, without a row that a crash has cut short
whole_rows () {
	grep -v '^{"schema":.*[^}]$' <"$1" || [ $? -eq 1 ]
}

# unreadable FILE: the end, after jq has failed on its rows; in silence if whoever read what it printed is gone
unreadable () {
	[ $? -ne 141 ] || exit 141
	fail 1 "$1 has a row that cannot be read; jq says above what of it"
}
