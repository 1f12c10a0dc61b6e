# rows.sh: how scripts read a file of rows; sourced.
# shellcheck shell=sh

# read_rows FILE INTO [STATUS [PROGRAM...]]: its rows, one a line, columns of older ones by their
# names of today. With programs only columns that are spelled in these, and rates and the usual
# quantiles of latencies, whose names they put together; null is dropped but in the first row, which
# has all names. Rows that a crash has cut short are left out, which is said; the end in one line,
# with that status [1], where anything else is wrong with it, or no row is left. A row that stands
# there again is the same run, and is taken once: two runs differ in when they began or how long
# they took. Control characters, which a terminal would obey, become blanks.
read_rows () {
	read=$1 into=$2 otherwise=${3:-1} spelled=
	shift $(($# < 3 ? $# : 3))
	[ $# -eq 0 ] || spelled=$(sed '/^#/d' "$@" | grep -o '[a-z][a-z0-9_]*' | sort -u | paste -sd ' ' -)
	readable "$read"
	: >"$into.cut"
	: >"$into.again"
	: >"$into.loose"
	awk -v named="$spelled" -v cut="$into.cut" -v again="$into.again" -v loose="$into.loose" '
		BEGIN { n = split(named, name, " "); for (i = 1; i <= n; i++) wanted[name[i]] = 1; wanted["benchmark"] = 1; all = !n }
		/\r$/ { sub(/\r$/, "") }
		index($0, "\"device_write_amp") { gsub(/"device_write_amp/, "\"host_write_amp") }
		!/^[{]"/ { print; print "loose" >loose; next }
		{
			# no text ends where a name follows
			while (index($0, "}{\"") && match($0, /[}][{]"[A-Za-z0-9_]+":/)) {
				take(substr($0, 1, RSTART))
				$0 = substr($0, RSTART + 1)
			}
			take($0)
		}
		function take(line,   n, i, end, key, keep, part, whole) {
			if (line !~ /[}]$/) { print "cut" >cut; return }
			if (line ~ /"time": ?"/ && seen[line]++) { print "again" >again; return }
			if (all) { print line; return }
			# a quote within a text has a backslash, so that ," parts columns, or ends a text;
			# a row in which it does not is left to jq
			n = split(substr(line, 1, length(line) - 1), part, ",\"")
			whole = line
			line = part[1]
			for (i = 2; i <= n; i++) {
				if (end = index(part[i], "\":")) {
					key = substr(part[i], 1, end - 1)
					if (!(key in kept))
						kept[key] = key in wanted || key ~ /_((p50|p90|p99|p999|max)_ns|per_sec|worst_second)$/
					keep = kept[key]
				}
				if (keep) {
					if (!end || !begun || substr(part[i], end + 2) != "null")
						line = line ",\"" part[i]
				}
				else if (part[i] !~ /":("([^"\\]|\\.)*"|[-+.0-9a-z]+)$/) {
					print whole
					return
				}
			}
			print line "}"
			begun = 1
		}' <"$read" >"$into.read"
	[ -s "$into.read" ] ||
		fail "$otherwise" "$read has no row$([ ! -s "$into.cut" ] || echo " that is not cut short")"
	[ ! -s "$into.cut" ] || echo "$(basename "$0"): $read: rows cut short, and left out: $(wc -l <"$into.cut")" >&2
	[ ! -s "$into.again" ] || echo "$(basename "$0"): $read: $(wc -l <"$into.again") rows stand there twice, and count once" >&2
	# what is rows already, one a line, is looked at and not written again
	clean=empty
	[ ! -s "$into.loose" ] || clean=.
	! grep -q '\\\(u00\|[bfnrt]\)\|[[:cntrl:]]' "$into.read" ||
		clean='map_values(if type == "string" then gsub("[[:cntrl:]]"; " ") else . end)'
	jq -nc 'inputs | if type == "object" and has("benchmark") then . else error("not a row") end |
		'"$clean" "$into.read" >"$into" 2>"$into.why" ||
		fail "$otherwise" "$read does not hold rows as JSON lines: $(sed -n '$s/^jq: *//; $p' "$into.why")"
	[ "$clean" != empty ] || mv "$into.read" "$into"
}

# unreadable FILE: the end, after jq has failed on what is in its rows; in silence if
# whoever read what it printed is gone
unreadable () {
	[ $? -ne 141 ] || exit 141
	fail 1 "$1 has a row that cannot be read; see jq's message above"
}
