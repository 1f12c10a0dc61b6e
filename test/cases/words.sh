# words.sh: what the pages and the program's texts say: links, commands, help and columns.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

pages="$top/README.md $top/CONTRIBUTING.md $(ls "$top"/docs/*.md)"
tab=$(printf '\t')

short_readme () {
	wc -l <"$top/README.md"
	[ "$(wc -l <"$top/README.md")" -le 130 ] && grep -q '^!\[' "$top/README.md"
}
ok 'README.md has at most 130 lines, and a picture' short_readme

# pages.awk says how long a sentence may be, and a line, and which page needs a table of contents.
plain_pages () {
	# shellcheck disable=SC2086 # words
	awk -f "$top/test/pages.awk" $pages >"$work/faults" 2>"$work/sentences"
	cat "$work/sentences" "$work/faults"
	[ "$(cut -d ' ' -f 1 "$work/sentences")" -gt 900 ] && [ ! -s "$work/faults" ]
}
ok 'pages have short sentences and lines, and tables of contents' plain_pages
finds_faults () {
	{
		printf '# A page\n\n- [One](#one)\n\n## One\n\nWhat is this? It is one.\n\n- Of two.\n\n## Two `of` them\n\n'
		printf 'A %s. Short (`a b c d`). **Short.** Short.\n\n' "$(seq 30 | tr '\n' ' ')"
		printf '    scripts/sweep.sh %0100d\n\n    printed %0100d\n\n%0110d\n' 1 2 3
		printf '\n| b |\n| c |\n\n'
		seq 120 | sed 's/.*//'
	} >"$work/planted.md"
	awk -f "$top/test/pages.awk" "$work/planted.md" 2>/dev/null | sed 's/^[^:]*:[0-9]*: //; s/:.*//; s/ .*//' | sort | paste -s -d , >"$work/named"
	cat "$work/named"
	[ "$(cat "$work/named")" = '110,121,121,31,a,a,begins,begins,not' ]
}
ok 'and a fault is found: a long sentence or line, an opening, a section that is missing from the contents, a table in pieces' finds_faults

# anchors PAGE: those of its headings, as GitHub makes them
anchors () {
	sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}
links_lead () {
	for page in $pages
	do
		grep -o '](\([^)]*\))' "$page" >"$work/found" || continue
		sed 's/^](//; s/)$//' "$work/found" >"$work/links"
		while read -r link
		do
			case $link in
			http*) continue ;;
			esac
			file=${link%%#*}
			path=$page
			[ -z "$file" ] || path=$(dirname "$page")/$file
			[ -e "$path" ] || { echo "$page: no $file"; return 1; }
			[ "$link" = "$file" ] || anchors "$path" | grep -q -x -F -e "${link#*#}" ||
				{ echo "$page: $path has no heading ${link#*#}"; return 1; }
		done <"$work/links"
	done
	for page in "$top"/docs/*.md
	do
		[ "${page##*/}" = index.md ] || grep -q -F "](${page##*/}" "$top/docs/index.md" || { echo "docs/index.md leads to no ${page##*/}"; return 1; }
	done
	grep -q -F '](docs/index.md)' "$top/README.md"
}
ok 'every link leads somewhere, and docs/index.md to every page' links_lead

# docs/troubleshooting.md: each message in the first column of a table is one that the sources have. Strings of C that follow
# each other are one.
known_messages () {
	cat "$top"/bench.c "$top"/bench/*/*.c "$top"/util/*.c "$top"/util/*/*.c "$top"/scripts/*.sh \
		"$top"/scripts/tools/*.sh "$top"/scripts/reading/*.py | tr '\n' ' ' | sed 's/"[ \t]*"//g' >"$work/sources"
	awk -F '|' '/^\| / { print $2 }' "$top/docs/troubleshooting.md" | grep -o '`[^`]*`' | tr -d '`' >"$work/messages"
	while IFS= read -r message
	do
		grep -q -F -e "$message" "$work/sources" || { echo "nothing says: $message"; return 1; }
	done <"$work/messages"
	[ "$(wc -l <"$work/messages")" -gt 40 ]
}
ok 'docs/troubleshooting.md has messages that there are' known_messages

# Each command of the pages is a row of test/commands.tsv: it is run there, in a short form that has all of its options, or
# part:PART:WORD names a part of the tests that runs the like anyway, and a word that stands there. A third column has the
# pages, with commas, that show what the command prints: the short form must print lines of that shape, or else the command
# of the fourth column, which is run with --long if it begins so.
listed_commands () {
	# shellcheck disable=SC2086 # words
	awk -f "$top/test/commands.awk" $pages | sort -u >"$work/commands"
	[ -s "$work/commands" ]
	cut -f 1 "$top/test/commands.tsv" | sort >"$work/listed"
	diff "$work/commands" "$work/listed"
}
ok 'test/commands.tsv has the commands of all pages, and no others' listed_commands
# options COMMAND: the names of its options
options_of () {
	echo "$1" | grep -o -e '--[a-zA-Z_-]*' | sort -u || true
}
short_forms () {
	while IFS=$tab read -r command how rest
	do
		case $how in
		part:*:*)
			part=${how#part:}
			grep -q -F -e "${part#*:}" "$top/test/cases/${part%%:*}.sh" || { echo "$how is not so: $command"; return 1; }
			;;
		*)
			options_of "$command" >"$work/long"
			options_of "$how" >"$work/short"
			missing=$(comm -23 "$work/long" "$work/short")
			[ -z "$missing" ] || { echo "without $missing: $how"; return 1; }
			;;
		esac
	done <"$top/test/commands.tsv"
}
ok 'each has a test, or a short form with all of its options' short_forms
# too_busy: it ended with invalid rows, and in all of them the machine could not keep the target rate
too_busy () {
	[ "$status" -eq 1 ] && grep INVALID "$work/said" >"$work/invalid" &&
		! grep -v 'the target rate of inserts and deletes was not met' "$work/invalid"
}
# printed: what commands printed, as the pages show it
printed () (
	cd "$top" || exit 1
	awk -f test/printed.awk README.md CONTRIBUTING.md docs/*.md
)
# shown PAGES COMMAND FILE: each line that the pages show below the command has a line of its shape in what was printed
shown () {
	awk -f "$top/test/shape.awk" "$3" | sort -u >"$work/shapes" || return 1
	for page in $(echo "$1" | tr , ' ')
	do
		awk -F '\t' -v page="$page" -v command="$2" '$1 == page && $2 == command { print $3 }' "$work/printed" |
			awk -f "$top/test/shape.awk" | sort -u >"$work/expected" || return 1
		comm -23 "$work/expected" "$work/shapes" >"$work/unlike" || return 1
		{ [ -s "$work/expected" ] && [ ! -s "$work/unlike" ]; } ||
			{ echo "$page: not printed so: $2"; cat "$work/unlike" "$3"; return 1; }
	done
}
runs_commands () {
	mkdir -p "$work/try/results"
	cd "$work/try" || return 1
	ln -s "$top"/bench_* "$top/scripts" "$top/build" .
	mkdir "$work/try/tmp"
	printed >"$work/printed"
	while IFS=$tab read -r command how printing prints
	do
		case ${prints:-$how} in
		'long '*) how=${prints#long }; [ -n "$long" ] || continue ;;
		part:*) continue ;;
		*) how=${prints:-$how} ;;
		esac
		status=0
		TMPDIR=$work/try/tmp top=$top sh -euc "$how" </dev/null >"$work/said" 2>&1 || status=$?
		[ $status -eq 0 ] || too_busy || { echo "status $status: $how"; cat "$work/said"; return 1; }
		[ -z "$printing" ] || shown "$printing" "$command" "$work/said" || return 1
	done <"$top/test/commands.tsv"
}
ok 'and the short forms run, and print what the pages show' runs_commands
finds_other_output () {
	page='docs/tutorial.md'
	printf '%s\tone\t%s\n' "$page" 'engine  ops/s' "$page" 'lmdb-1.0 5.1 k  7 us  9 %' "$page" 'label: 5' "$page" '  "valid": 1,' "$page" 'kept 5 of 6' >"$work/printed"
	printf '%s\n' 'engine ops/s' 'lmdb-0.9 1 k 2 us 3 %' 'label: none' '"valid": 0' 'kept 1 of 22' >"$work/said"
	shown "$page" one "$work/said" || return 1
	for other in 'engine ops/s p50' 'leveldb 1 k 2 us 3 %' 'other: none' '"partial": 0' 'lost 1 of 22'
	do
		printf '%s\tone\t%s\n' "$page" "$other" >"$work/printed"
		! shown "$page" one "$work/said" || return 1
	done
}
ok 'and a line of another shape is found' finds_other_output
shown_all () {
	printed >"$work/printed"
	cut -f 1,2 "$work/printed" | sort -u >"$work/shown"
	awk -F '\t' -v OFS='\t' 'NF > 2 { n = split($3, page, ","); for (i = 1; i <= n; i++) print page[i], $1 }' "$top/test/commands.tsv" |
		sort -u | diff "$work/shown" -
}
ok 'all that pages show as printed is compared' shown_all

# texts: of options, workloads and presets, and of columns; a line each, with what it is of
texts () {
	for engine in $(make -C "$top" -s engines served)
	do
		for table in options workloads presets columns
		do
			# header, then rows of which the last field is the text
			"$top/bench_$engine" --$table=tsv | awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "name") name = i; next }
				{ print ($1 == "timeline" ? "timeline." : "") $name "\t" $NF }'
		done
	done | sort -u
}
texts >"$work/texts"
# without REGEX: of texts, which have no line like that
without () {
	cut -f 2 "$work/texts" | grep -n "$@" >"$work/lines" || true
	cat "$work/lines"
	[ ! -s "$work/lines" ]
}
stand_alone () {
	[ "$(wc -l <"$work/texts")" -gt 350 ]
	without -E '^(Its|Of|And|The same|Likewise|It|They|Such|That|This|What|Who|When) '
}
ok 'no text of an option, a workload or a column begins with what stands before it' stand_alone
sentences () {
	without -v -E '^([0-9A-Z-]|(fsync|fdatasync|msync|sync_file_range) calls)'
	without -v -E '[.)]$'
}
ok 'each begins with a capital and ends with a point' sentences
no_two_alike () {
	cut -f 2 "$work/texts" | sort | uniq -d >"$work/twice"
	cat "$work/twice"
	[ ! -s "$work/twice" ]
}
ok 'and no two are equal' no_two_alike
with_units () {
	"$top/bench_null" --columns=tsv | awk -F '\t' 'NR > 1 && ($3 !~ /^(integer|real|text)$/ || $3 == "text" && $4 != "" ||
		$4 == "" && $5 ~ /, (seconds|nanoseconds|microseconds|KiB|bytes)[.]$/) { print; bad = 1 } END { exit bad }'
	for engine in $(make -C "$top" -s engines served)
	do
		"$top/bench_$engine" --options=tsv | awk -F '\t' '$5 == "size" && $10 !~ /[Bb]ytes/ { print $2; bad = 1 }
			$5 == "size" { any = 1 } END { exit bad || !any }' || return 1
	done
}
ok 'columns have a type, and a unit if their text names one; options of bytes say so' with_units
# long_sentences MOST TABLE: sentences of the texts of a table that have more words
long_sentences () {
	for engine in $(make -C "$top" -s engines served)
	do
		"$top/bench_$engine" "--$2=tsv" | awk -F '\t' -v most="$1" '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ n = split($at["meaning"], sentence, /[.] +/)
				for (i = 1; i <= n; i++)
					if (split(sentence[i], word, " ") > most) print $at["name"] ": " sentence[i] }'
	done | sort -u
}
short_sentences () {
	{
		long_sentences 20 options
		long_sentences 25 columns
		long_sentences 25 workloads
		long_sentences 25 presets
	} >"$work/long"
	cat "$work/long"
	[ ! -s "$work/long" ] && [ -n "$(long_sentences 5 options)" ]
}
ok 'sentences of options have at most 20 words, of columns and workloads 25' short_sentences
# A number without a unit says what it counts, or of what it is a part or a ratio.
measured () {
	"$top/bench_null" --columns=tsv | awk -F '\t' '
		NR == 1 || $3 == "text" || $4 != "" { next }
		$5 ~ /^(1:|1 if|Number of|Fewest|Fraction of|Slope of|Range of|Coefficient of|Load average|Seed of)/ { next }
		$5 ~ /( amplification | per (operation|commit|write|query)| index | relative to |^Kernel setting )/ { next }
		{ print $2 ": " $5; bad = 1 }
		END { exit bad || NR < 300 }'
}
ok 'a column without a unit says what it counts, or that it is a ratio' measured

# One word for one thing: test/retired.tsv has the words that are retired, in which scope, and what is said instead.
# retired SCOPE FILE: of a file with lines of that scope
retired () {
	found=0
	while IFS=$tab read -r wrong scopes right but
	do
		case $wrong,$scopes, in
		'#'*) continue ;;
		*,"$1",*) ;;
		*) continue ;;
		esac
		grep -w -i -E -e "$wrong" "$2" >"$work/retired" || continue
		[ "$but" = - ] || { grep -v -E -e "$but" "$work/retired" >"$work/left" || true; mv "$work/left" "$work/retired"; }
		[ -s "$work/retired" ] || continue
		cat "$work/retired"
		echo "better: $right"
		found=1
	done <"$top/test/retired.tsv"
	[ $found -eq 0 ]
}
ok 'no retired word is in the texts of options, workloads and columns' retired texts "$work/texts"
# Comments and strings of C, and what scripts and tests say, but for names that stay as they are; the pages; and the code of C.
(
	cd "$top" || exit
	awk -f test/prose.awk bench.c bench/*/*.[ch] engines/*.[ch] util/*.[ch] util/*/*.[ch] scripts/tools/*.c test/*.[ch] test/instruments/*.[ch]
	grep '' test.sh scripts/*.sh scripts/*/*.sh scripts/*/claims/*.jq
	grep -E "^[[:space:]]*(#|ok )" test/cases/*.sh | grep -v '^test/cases/words.sh:'
	grep -h '^#' test/mutants/*
) | sed 's/"force=true"//' >"$work/prose"
ok 'nor in comments, messages, scripts and the names of tests' retired texts "$work/prose"
(cd "$top" && grep '' README.md CONTRIBUTING.md docs/*.md | grep -v '^docs/\(from-db_bench\|glossary\)[.]md:') >"$work/pages"
ok 'nor in pages' retired pages "$work/pages"
(
	cd "$top" || exit
	ls -d bench/*/* engines/* scripts/* scripts/*/* util/* util/*/*
	awk -f test/identifiers.awk bench.c bench/*/*.[ch] engines/*.[ch] util/*.[ch] util/*/*.[ch] scripts/tools/*.c test/*.[ch] test/instruments/*.[ch]
) >"$work/code"
ok 'nor in the code of C and the names of files' retired identifiers "$work/code"
finds_words () {
	cat >"$work/planted.c" <<-'END_OF_C'
		/*
		 * Who rests lets
		 * go of it.
		 */
		char *s = "/* forces \"it\"", c = '"', d = '\''; /* what is owed */ int owed = 0;
		char *doubtful; // forced
		/* a row
		 */ char *t = "sync"; int held_kb = void_because;
	END_OF_C
	awk -f "$top/test/prose.awk" "$work/planted.c" >"$work/planted"
	! retired texts "$work/planted" >"$work/named" || return 1
	cat "$work/named"
	[ "$(grep -c '^better: ' "$work/named")" -eq 3 ] && [ "$(grep -c -e 'lets go of it' -e 'forces' -e 'what is owed' "$work/named")" -eq 3 ] &&
		[ "$(wc -l <"$work/named")" -eq 6 ] && [ "$(wc -l <"$work/planted")" -eq 5 ] || return 1
	awk -f "$top/test/identifiers.awk" "$work/planted.c" >"$work/planted"
	! retired identifiers "$work/planted" >"$work/named" || return 1
	cat "$work/named"
	[ "$(grep '^better: ' "$work/named" | sort | paste -s -d ,)" = 'better: invalid_reason,better: memory_used_kb,better: pending_work' ]
	printf '%s\n' util/table.h util/timeline.h 'bench/runner/run.c:1: enum place *place_open;' 'bench/runner/run.c:2: int outcome, placed, raw_ns;' >"$work/planted"
	! retired identifiers "$work/planted" >"$work/named" || return 1
	cat "$work/named"
	[ "$(grep -c -v '^better: ' "$work/named")" -eq 2 ]
}
ok 'and a word is found in a comment of two lines and in a string, not in the name of a variable, and there if it is a name' finds_words

# The exceptions replace functions of the C library: sync_count.c counts their calls.
external_names () {
	for source in "$top"/bench/*/*.c "$top"/util/*.c "$top"/util/*/*.c
	do
		name=$(basename "$source" .c)
		object=${source#"$top/"}
		nm -g --defined-only "$top/build/${object%.c}.o" >"$work/symbols"
		awk -v file="$name" '$2 == "T" && index($3, file "_") != 1 && $3 != file { print file ".c: " $3 }' "$work/symbols"
	done >"$work/foreign"
	grep -v -E ': (close|fdatasync|fsync|msync|open(at)?(64)?|pwritev?(64)?|sync|sync_file_range|syncfs|writev?)$' "$work/foreign" >"$work/left" || true
	cat "$work/left"
	[ ! -s "$work/left" ]
}
ok 'every external function begins with the name of its file' external_names

# Other tools: every option and workload of theirs (test/compat.tsv) has an equivalent, and the names in it exist.
from_pages () {
	"$top/scripts/gen-docs.sh" --from >"$work/from"
	diff "$top/docs/from-db_bench.md" "$work/from"
	[ "$(grep -c '^| .* |  |$' "$work/from")" -eq 0 ]
}
ok 'docs/from-db_bench.md is what the programs say, and answers everything' from_pages
grouped_once () {
	sed -n '/^## Workloads/,$p' "$work/from" >"$work/tables"
	grep -o '`[^`]*`' "$work/tables" | tr -d '`' | sort >"$work/listed"
	awk -F '\t' '{ print ($2 == "option" ? "--" : "") $3 }' "$top/test/compat.tsv" | sort -u | diff - "$work/listed"
	awk '/^## / { kind = $2 } /^[|] `/ { sub(/^[|] [^|]* [|]/, ""); print kind, $0 }' "$work/tables" | sort | uniq -d >"$work/twice"
	cat "$work/twice"
	[ -s "$work/listed" ] && [ ! -s "$work/twice" ]
}
ok 'it lists each name once, and each equivalent once' grouped_once
names_exist () {
	for program in "$top"/bench_*
	do
		"$program" --options=tsv | sed 1d | cut -f 2,3 | tr '\t' '\n'
	done | sort -u >"$work/options"
	"$top/scripts/sweep.sh" --help | grep -o -e '--[a-z-]*' | sed 's/^--//' | sort -u >>"$work/options"
	{
		"$top/bench_null" --help=db_bench | cut -f 3
		sed '/^## Flags$/,$d' "$top/docs/from-db_bench.md" | grep '^| ' | awk -F ' [|] ' '{ print $2 }'
	} | grep -o -e '--[a-z_]*' | sed 's/^--//' | sort -u >"$work/named"
	sort -u -o "$work/options" "$work/options"
	comm -23 "$work/named" "$work/options" >"$work/nowhere"
	cat "$work/nowhere"
	[ ! -s "$work/nowhere" ]
}
ok 'an answer names options that there are' names_exist
no_shadow () {
	"$top/bench_null" --help=db_bench | awk -F '\t' '$1 == "option" { print $2 }' | sort >"$work/theirs"
	"$top/bench_null" --options=tsv | sed 1d | cut -f 2 | sort | comm -12 - "$work/theirs" >"$work/both"
	"$top/bench_null" --help=db_bench | awk -F '\t' '$1 == "workload" { print $2 }' | sort >"$work/theirs"
	"$top/bench_null" --workloads=tsv | sed 1d | cut -f 1 | sort | comm -12 - "$work/theirs" >>"$work/both"
	cat "$work/both"
	[ ! -s "$work/both" ]
}
ok 'and none is of what every program has' no_shadow
ok 'an option of db_bench is answered with ours' fails 2 "no option '--writes_per_second' here; instead: --write_rate" "$top/bench_null" --writes_per_second=5
ok 'and a workload' fails 2 "no benchmark 'fillbatch' here; instead: fillseqbatch" "$top/bench_null" --benchmarks=fillbatch
