# rows.sh: how scripts read a file of rows; sourced.
# shellcheck shell=sh

# read_rows FILE INTO [STATUS]: its rows, one a line, columns of older ones by their
# names of today. Those that a crash has cut short are left out, which is said; the end in
# one line, with that status [1], where anything else is wrong with it. A row that stands
# there again is the same run, and is taken once: two runs differ in when they began or
# how long they took. Control characters, which a terminal would obey, become blanks.
read_rows () {
	sed -e 's/}{"schema":/}\n{"schema":/g' -e 's/"device_write_amp/"host_write_amp/g' <"$1" >"$2.read"
	cut=$(grep -c '^{"schema":.*[^}]$' "$2.read" || :)
	[ "$cut" -eq 0 ] || echo "$(basename "$0"): $1: rows cut short, and left out: $cut" >&2
	sed '/^{"schema":.*[^}]$/d' "$2.read" |
		jq -nc 'foreach (inputs | if type == "object" and has("benchmark") then . else error("not a row") end) as $row ({};
			($row | tojson) as $run | .again = (.seen[$run] and $row.time != null) | .seen[$run] = true |
			.control = ($run | test("\\\\(u00|[bfnrt])"));
			if .again then "again"
			elif .control then
				$row | map_values(if type == "string" then gsub("[[:cntrl:]]"; " ") else . end)
			else $row end)' >"$2" 2>"$2.why" ||
		fail "${3:-1}" "$1 does not hold rows as JSON lines: $(sed -n '$s/^jq: *//; $p' "$2.why")"
	if grep -x '"again"' "$2" >"$2.again"
	then
		echo "$(basename "$0"): $1: $(wc -l <"$2.again") rows stand there twice, and count once" >&2
		sed '/^"again"$/d' "$2" >"$2.read"
		mv "$2.read" "$2"
	fi
}

# unreadable FILE: the end, after jq has failed on what is in its rows; in silence if
# whoever read what it printed is gone
unreadable () {
	[ $? -ne 141 ] || exit 141
	fail 1 "$1 has a row that cannot be read; jq says above what of it"
}
