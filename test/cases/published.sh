# published.sh: the published tables are what was printed, and come to what published.sh says.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

tables=$top/results/published

# A table is a line of names and lines of as many cells; nothing is quoted; a column is of numbers or of words.
parses () {
	for table in "$1"/*.csv
	do
		! grep -n -e '"' -e "$(printf '\r')" "$table" && awk -F, '
			FNR == 1 { fields = NF; for (i = 1; i <= NF; i++) { name[i] = $i; if ($i !~ /^[a-z0-9_]+$/) bad("no name: " $i) } }
			NF != fields { bad(NF " fields, not " fields) }
			FNR > 1 { for (i = 1; i <= NF; i++) if ($i != "" && name[i] !~ /^(workload|version|test|text)$/) {
				kind = $i ~ /^-?[0-9]+([.][0-9]+)?$/ ? "number" : "word"
				if (i in kinds && kinds[i] != kind) bad(name[i] " is a " kind ": " $i)
				kinds[i] = kind } }
			function bad(why) { print FILENAME ":" FNR ": " why; wrong = 1 }
			END { exit wrong || FNR < 2 }' "$table" || return 1
	done
}
ok 'every published table parses: the same number of fields in each line' parses "$tables"

# README.md has a heading for each document, and in it each table with its columns.
explained () {
	for table in "$1"/*.csv
	do
		grep -q -F "\`${table##*/}\`" "$1/README.md" || { echo "README.md says nothing of $table"; return 1; }
		for column in $(head -n 1 "$table" | tr , ' ')
		do
			grep -q "\`$column\`" "$1/README.md" || { echo "README.md says nothing of $column in $table"; return 1; }
		done
	done
	awk -F, 'NR > 1 { print $5 }' "$1/documents.csv" | while read -r seed
	do
		grep -q -F "$seed" "$1/README.md" || { echo "README.md does not name $seed"; exit 1; }
	done
}
ok 'README.md names every table, every column and every source' explained "$tables"

# 16807 ^ draws x 1000 = 1000 + reader, modulo 2^31 - 1; sh counts in 64 bits.
offsets_are () {
	readers=0
	while IFS=, read -r reader draws
	do
		[ "$reader" != reader ] || continue
		left=$draws power=16807 x=1000
		while [ "$left" -gt 0 ]
		do
			[ $((left % 2)) -eq 0 ] || x=$((x * power % 2147483647))
			power=$((power * power % 2147483647)) left=$((left / 2))
		done
		[ $x -eq $((1000 + reader)) ] || { echo "reader $reader is not $draws draws ahead"; return 1; }
		readers=$((readers + 1))
	done <"$1/symas-2014-offsets.csv"
	[ $readers -eq 16 ]
}
ok 'the readers of 2014 are as far ahead of the writer as their generator puts them' offsets_are "$tables"

# The digits of the 2014 table run together as they were printed, from our cells.
joins () {
	awk -F, '
		function clock(seconds) { hundredths = int(seconds * 100 + 0.5); return sprintf("%02d:%02d:%02d.%02d",
			hundredths / 360000, hundredths / 6000 % 60, hundredths / 100 % 60, hundredths % 100) }
		FNR == 1 { file++; next }
		file == 1 && $1 == "results" { text[$2] = $3 }
		file == 2 { rows++; joined = clock($2) clock($3) clock($4) $5 $6 $7 $8 clock($9) clock($10) clock($11) $12 $13 "%" $14
			if (joined != text[$1]) { print $1 ": " joined " is not " text[$1]; wrong = 1 } }
		END { exit wrong || rows != 9 }' "$1/symas-2014-raw.csv" "$1/symas-2014-results.csv"
}
ok 'the cells of 2014 put together are the text as printed' joins "$tables"

# Every other way to split those digits breaks a rule: ten decimals of the Overhead are the row's own, a size has nine
# digits (a billion records of 116 bytes, less than the 1022 GB of the array), the reads give the hours of the text.
# LMDB, of which the text gives no hours, did all the reads in the time of its run.
splits_once () {
	awk -F, '
		FNR == 1 { file++; next }
		file == 1 { hours[$1] = $2 }
		file == 2 { rows++
			if (length($5) != 12 || length($6) != 9 || length($12) != 9) { print $1 ": lengths"; wrong = 1 }
			digits = $7 $8; ways = 0
			for (i = 1; i < length(digits); i++) {
				writes = substr(digits, 1, i); reads = substr(digits, i + 1)
				if (reads ~ /^0/) continue
				done = reads * $9 / 16e9
				if ($1 in hours ? int(16e9 / reads / 3600) == hours[$1] : done > 0.9 && done < 1.1) {
					ways++; found = writes "," reads } }
			if (ways != 1 || found != $7 "," $8) { print $1 ": " ways " ways to split " digits; wrong = 1 } }
		END { exit wrong || rows != 9 }' "$1/symas-2014-hours.csv" "$1/symas-2014-results.csv"
}
ok 'and there is one way to take them apart' splits_once "$tables"

# A cell of the tables of switches is empty if and only if unsplit.csv has it, and each text splits in as many ways as it
# says, more than one: four counts, none of which is 0 or begins with it.
unsplit () {
	awk -F, '
		FNR == 1 { file++; for (i = 1; i <= NF; i++) name[i] = $i; next }
		file == 1 && $1 ~ /^switches/ { text["symas-2014-" $1 ".csv", $2] = $3 }
		file == 2 { listed[$1, $2, $3] = 1; cells++
			if ($4 != text[$1, $2]) { print $1 " " $2 ": not the text"; wrong = 1 }
			if (!($4 in ways)) ways[$4] = count($4, 4)
			if ($5 != ways[$4] || $5 < 2) { print $4 ": " ways[$4] " ways, not " $5; wrong = 1 } }
		file > 2 { table = FILENAME; sub(".*/", "", table)
			for (i = 3; i <= NF; i++) { empty += $i == ""
				if (($i == "") != ((table, $2, name[i]) in listed)) { print table " " $2 " " name[i]; wrong = 1 } } }
		function count(digits, parts,   i, sum) {
			if (parts == 1) return digits ~ /^[1-9][0-9]*$/
			for (i = 1; i <= length(digits) - parts + 1; i++)
				if (substr(digits, 1, i) ~ /^[1-9][0-9]*$/) sum += count(substr(digits, i + 1), parts - 1)
			return sum + 0 }
		END { exit wrong || cells != empty || cells == 0 }' "$1/symas-2014-raw.csv" "$1/unsplit.csv" "$1"/symas-2014-switches-*.csv
}
ok 'what could not be split is empty, and unsplit.csv lists it' unsplit "$tables"

published () {
	"$top/scripts/published.sh" "$@"
}

# The findings, each with the rows that do not bear a statement out and what they come to.
findings () {
	published --json "$1" >"$work/findings" || return 1
	jq -r '.id as $id | .figures[] | select(.agrees | not) |
		"\($id)|\(.row)|\(.value | if fabs < 10 then . * 100 | round / 100 else round end)"' "$work/findings" | diff - "$work/expected"
}
cat >"$work/expected" <<END
A20|WiredLSM|4
F2|LMDB|748
B1|LMDB Flash Ext4 journal|30
B1|LMDB Flash Ext4 no journal|47
B1|LMDB Optane Ext4 journal|44
B1|LMDB Optane Ext4 no journal|59
F3|LMDB Flash Ext4 journal|1.34
F3|LMDB Flash Ext4 no journal|1.51
F3|LMDB Flash raw|1.03
F3|LMDB Optane Ext4 journal|1.48
F3|LMDB Optane Ext4 no journal|1.64
F3|LMDB Optane raw|1.03
F3|RocksDB Flash Ext4 journal|2.02
F3|RocksDB Flash Ext4 no journal|2.02
F3|RocksDB Optane Ext4 journal|2.02
F3|RocksDB Optane Ext4 no journal|2.02
C.key|its program|16
C3|cold over read seq|1.7
C3|cold over read parallel 1|1.3
E19|0: place of 5|4
E19|C: place of 5|1
E19|D: place of 5|1
E19|X: place of 5|4
E19|Z: place of 5|4
E20|RocksDB|1
E1|LevelDB (has no bulk load)|0.73
E1|RocksDB|0.56
E11|0: UnumDB over WiredTiger|1.97
E11|A: UnumDB over LevelDB|1.71
E11|C: UnumDB over RocksDB|1.09
E11|D: UnumDB over WiredTiger|1.04
E11|E: UnumDB over WiredTiger|1.54
E11|Y: UnumDB over RocksDB|1.18
E11|Z: UnumDB over WiredTiger|1.21
E15|WiredTiger|0.28
E15|LevelDB|0.54
E15|RocksDB|0.32
F4|Z UnumDB by its bytes|1371308
F4|Z UnumDB by its time|1371308
F4|D UnumDB by its bytes|131071
F4|D UnumDB by its time|131071
F4|Y UnumDB by its bytes|318727
F4|Y UnumDB by its time|318727
F4|A LMDB by its time|320657
END
ok 'the findings are these and no others' findings "$tables"

# The rest bears out what is said; of 2014, all but the one cell of F2.
others_agree () {
	published --json --all "$1" >"$work/all" && jq -es 'map(select(.id | IN("A.overhead", "A7", "A8", "A8.weeks.bdb",
		"A8.weeks.rocksdb", "A17", "B.cpu", "B.amp", "B.size", "B.ratio", "C.rate", "E.durations", "E.rounded", "E12",
		"E.medals", "E22.sizes", "E.rocksdb.lines", "E18", "G.bold"))) | length == 19 and all(.[]; .agree == .rows and .rows > 0)' "$work/all" &&
		jq -es 'map(select(.document == "symas-2014") | [.id, .rows, .agree]) ==
		[["A.overhead", 9, 9], ["A7", 9, 9], ["A8", 8, 8], ["A8.weeks.bdb", 1, 1], ["A8.weeks.rocksdb", 1, 1],
			["A17", 1, 1], ["A20", 4, 3], ["F2", 9, 8]]' "$work/all" &&
		jq -es 'map(select(.id == "E12") | [.rows, .agree]) == [[56, 56]] and
			(map(select(.id == "E18")) | .[0] | .rows == 32 and .agree == 32)' "$work/all"
}
ok 'every row of 2014 is its own arithmetic but for one, and the other tables are theirs' others_agree "$tables"

as_text () {
	published "$tables" >"$work/text" && cat "$work/text" && [ "$(wc -l <"$work/text")" -eq 12 ] &&
		[ "$(sed 's/ .*//' "$work/text" | tr '\n' ' ')" = 'A20 F2 B1 F3 C.key C3 E19 E20 E1 E11 E15 F4 ' ] &&
		grep -q '^F2 .*LMDB says 1493, its counters 748.2; 8 of 9 agree$' "$work/text" &&
		grep -q '^B1  symas-2018-load.csv  says: .*\[25 percent\]; comes to: ' "$work/text"
}
ok 'a finding is a line: id, file, what is said, what it comes to' as_text
as_json () {
	published --json "$tables" | jq -es 'length == 12 and all(.[]; keys == (["id", "document", "file", "says", "number", "unit",
		"rows", "agree", "figures"] | sort) and (.figures | length) == .rows and .agree < .rows)'
}
ok 'and a JSON line' as_json

# sound FOLDER: all of the above
sound () {
	parses "$1" && offsets_are "$1" && joins "$1" && splits_once "$1" && unsplit "$1" && findings "$1" && others_agree "$1"
}
ok 'the tables are sound' sound "$tables"

# altered TABLE LINE FIELD [TEXT]: a copy with one cell changed: to TEXT, or its first digit
altered () {
	rm -rf "${work:?}/altered" && cp -r "$tables" "$work/altered" || return 1
	awk -F, -v OFS=, -v line="$2" -v field="$3" -v text="${4-}" 'FNR == line {
		if (text == "" && match($field, /[0-9]/)) text = substr($field, 1, RSTART - 1) \
			(substr($field, RSTART, 1) + 1) % 10 substr($field, RSTART + 1)
		changed = $field != text; $field = text } { print } END { exit !changed }' "$tables/$1" >"$work/altered/$1" ||
		{ echo "no such cell: $*"; return 1; }
}
# unsound TABLE LINE FIELD [TEXT]: so altered it does not pass, and a table that is fine is
unsound () {
	altered "$@" && ! sound "$work/altered"
}

every_column_matters () {
	for field in 2 3 4 5 6 7 8 9 10 11 12 13 14
	do
		unsound symas-2014-results.csv $((field % 9 + 2)) $field || { echo "field $field may be anything"; return 1; }
	done
}
ok 'a digit changed anywhere in the table of 2014 is noticed' every_column_matters

others_matter () {
	while read -r table line field text
	do
		unsound "$table" "$line" "$field" "$text" || { echo "$table:$line: field $field may be anything"; return 1; }
	done <<END
symas-2014-hours.csv 3 2
symas-2014-raw.csv 2 3
symas-2014-raw.csv 12 3
symas-2014-switches-20m.csv 2 3 1064255
unsplit.csv 4 5
symas-2018-load.csv 3 5
symas-2018-load.csv 4 6
symas-2018-load.csv 5 8
symas-2018-load.csv 6 13
symas-2018-load.csv 9 14
voron-2013-fill.csv 2 3
voron-2013-read.csv 2 4
voron-2013-read-cold.csv 4 4
voron-2013-read-warm.csv 7 3
unum-2022-0.csv 3 3
unum-2022-C.csv 2 4
unum-2022-E.csv 4 5
unum-2022-Z.csv 5 6
unum-2022-Y.csv 5 7
unum-2022-A.csv 5 8
unum-2022-medals.csv 7 3
unum-2022-record.csv 2 6
unum-2022-record.csv 9 5
unum-2022-record.csv 30 7
unum-2022-durations.csv 2 3
unum-2022-verbs.csv 3 8
unum-2022-sizes.csv 643 9
symas-2014-offsets.csv 4 2
symas-2014-followers.csv 3 2
redb-2025-times.csv 8 5
redb-2025-sizes.csv 6 3 1893.18
END
}
ok 'and so is one in a cell of the other tables that can be recomputed' others_matter

unexplained () {
	altered symas-2014-results.csv 1 5 load_wonder && ! explained "$work/altered" &&
		altered documents.csv 3 5 nowhere.txt && ! explained "$work/altered"
}
ok 'and a column or a source that README.md does not name' unexplained

wrong_shape () {
	altered voron-2013-fill.csv 3 2 'a,b' && fails 1 'voron-2013-fill.csv:3: 5 fields, not 4' published "$work/altered" &&
		altered voron-2013-fill.csv 3 3 soon && ! published "$work/altered" && ! parses "$work/altered" &&
		altered statements.csv 2 1 F2 && ! published "$work/altered"
}
ok 'a line with a cell too many, a word for a number and an id twice are refused' wrong_shape

# F2 is one cell: with 2^16 seconds more the row is its own arithmetic, to the percent.
wraps () {
	user=$(awk -F, '$1 == "LMDB" { print $10 + 65536 }' "$tables/symas-2014-results.csv")
	altered symas-2014-results.csv 6 10 "$user" && published --json --all "$work/altered" |
		jq -es '.[] | select(.id == "F2") | .rows == .agree and .rows == 9'
}
ok 'with 65536 s more of user time every row of 2014 is its own arithmetic' wraps

# The numbers of sentences come from statements.csv: 44 is what one row of the four comes to.
said () {
	line=$(awk -F, '$1 == "B1" { print NR }' "$tables/statements.csv")
	altered statements.csv "$line" 4 44 && published --json "$work/altered" |
		jq -es '.[] | select(.id == "B1") | .number == 44 and (.figures | map(select(.agrees).row)) ==
		["LMDB Flash Ext4 no journal", "LMDB Optane Ext4 journal"]'
}
ok 'what a document says is read, not known' said

ok 'published.sh says what it takes' sh -c "'$top/scripts/published.sh' --help | grep -q 'usage: scripts/published.sh \[--json\]'"
ok 'published.sh refuses what it does not know' fails 2 "cannot read '--jsn'" published --jsn
ok 'published.sh says which folder has no tables' fails 2 'no statements.csv in /nowhere' published /nowhere
