# build.sh: both compilers, sanitizers, libraries in other places, dependencies between directories.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# In a place of its own, as what is built already says nothing, and others need it. What test.sh has just built has
# said no warning, or no part would have begun: the rest is built beside it.
of_gcc () {
	set -- all conform instruments
	if [ -e "$within/fresh" ]
	then
		cp -r -p "$top/build" "$work/gcc" || return 1
		set --
	fi
	builds BUILD="$work/gcc/" BIN="$work/gcc/" "$@" "$work/gcc/unit" "$work/gcc/peerloop" "$work/gcc/hdrmerge" \
		"$work/gcc/test/fuzz.o"
}
ok 'builds without a warning' of_gcc
# Clang warns of the same without optimization; its optimized code is run under a sanitizer in workloads.sh. What all
# programs share it reads in portability.sh as one file, in a tenth of the time, and runs that.
of_clang () {
	set -- all "$work/clang/unit"
	if [ -z "$long" ]
	then
		set -- "$work/clang/baseline.o" "$work/clang/test/unit.o"
		for source in $(make -C "$top" -s engines served) $(cd "$top/build" && ls stats tracecat hdrmerge simulated_disk 2>"$work/err")
		do
			directory=engines
			[ ! -e "$top/scripts/tools/$source.c" ] || directory=scripts/tools
			set -- "$@" "$work/clang/$directory/$source.o"
		done
		[ $# -gt 8 ]
	fi
	builds CC=clang OPT='-O0 -g0' BUILD="$work/clang/" BIN="$work/clang/" "$@" "$work/clang/test/fuzz.o"
}
ok 'builds without a warning with clang' of_clang
[ -z "$long" ] || ok 'a clang build runs' "$work/clang/bench_null" --benchmarks=readrandom --num=10k --verify=1
unit_of_clang () {
	quick_units "$work/clang/unit" >"$work/clang.tap"
	grep -v '^ok' "$work/clang.tap"
	[ "$(grep -c '^ok' "$work/clang.tap")" -gt 80 ]
}
[ -z "$long" ] || ok 'and passes the tests of util' unit_of_clang

# Of builds itself, which all of these rely on.
warned () {
	builds --eval='said: ; @echo fine' said && ! builds --eval='said: ; @echo "a.c:1:2: warning: unused" >&2' said
}
ok 'a build that says a warning does not pass as one without' warned

# looks_for_libraries: there are files now of the flags with which those of these engines were found
looks_for_libraries () {
	make -C "$top" -s ENGINES='null lmdb' BUILD="$work/gcc/" packages
}
# of the objects that are there
names_what_it_skips () {
	looks_for_libraries
	mkdir -p "$work/broken/include"
	echo '#error' >"$work/broken/include/lmdb.h"
	for prefix in "$work/nowhere" "$work/broken"
	do
		make -C "$top" ENGINES='null lmdb' LMDB_PREFIX="$prefix" BUILD="$work/gcc/" BIN="$work/none/" >"$work/make" 2>&1 || return 1
		cat "$work/make"
		grep -q '^skipped bench_lmdb: .*liblmdb-dev' "$work/make" && [ -x "$work/none/bench_null" ] &&
			[ ! -e "$work/none/bench_lmdb" ] || return 1
	done
}
ok 'make names the engines it skips and their packages' names_what_it_skips
asks_once () {
	looks_for_libraries
	mkdir -p "$work/asked"
	printf '#!/bin/sh\necho "$*" >>"%s/asked/calls"\nexit 1\n' "$work" >"$work/asked/cc"
	chmod +x "$work/asked/cc"
	PATH="$work/asked:$PATH" looks_for_libraries
	if [ -e "$work/asked/calls" ]; then cat "$work/asked/calls"; return 1; fi
}
if make -v | grep -q '^GNU Make \([5-9]\|4[.][2-9]\)'
then
	ok 'what the compiler could make once it is not asked again' asks_once
else
	skip 'what the compiler could make once it is not asked again' 'make before 4.2 cannot read files'
fi

takes_library_from_prefix () {
	mkdir -p "$work/prefix/include" "$work/prefix/lib"
	cp /usr/include/lmdb.h "$work/prefix/include"
	cp -L /usr/lib/*/liblmdb.so.0 "$work/prefix/lib/liblmdb.so.0"
	ln -sf liblmdb.so.0 "$work/prefix/lib/liblmdb.so"
	make_quiet LMDB_PREFIX="$work/prefix" BUILD="$work/gcc/" BIN="$work/none/" "$work/none/bench_lmdb" &&
		ldd "$work/none/bench_lmdb" | grep "$work/prefix/lib/liblmdb"
}
ok 'LMDB_PREFIX takes the library from there' takes_library_from_prefix
# What was built is touched, not built: a header is all that is looked for in the prefix, and the system has the library.
prefix_makes_anew () {
	mkdir -p "$work/other/include" "$work/touched"
	: >"$work/other/include/lmdb.h"
	(cd "$top" && find bench util engines -type d) | (cd "$work/touched" && xargs mkdir -p) || return 1
	set -- -C "$top" BUILD="$work/touched/" BIN="$work/touched/"
	make -t "$@" "$work/touched/bench_lmdb" >"$work/out" 2>&1 && make -q "$@" "$work/touched/bench_lmdb" || return 1
	! make -q "$@" LMDB_PREFIX="$work/other" "$work/touched/bench_lmdb"
}
ok 'and another prefix makes the program anew' prefix_makes_anew

unit () {
	make_quiet "$@" && cd "$top" && "$1"
}
ok 'every part of util passes its own tests' unit "$work/gcc/unit" BUILD="$work/gcc/"
[ ! -e "$work/log" ] || grep -c '^ok' "$work/log" | sed 's/^/# of util: ok /'
# with --long also draws by the million, of which random command lines have some under the sanitizers
sanitized_unit () {
	make_quiet sanitized
	cd "$top" || return 1
	[ -n "$long" ] || { quick_units build/asan/unit; return; }
	build/asan/unit
}
ok 'and under the address and undefined behaviour sanitizers' sanitized_unit
# a misspelt name would run no test, and pass
unknown_unit () {
	make_quiet "$work/gcc/unit" BUILD="$work/gcc/"
	"$work/gcc/unit" hist clock >"$work/units"
	status=0
	"$work/gcc/unit" hist clocks >"$work/units" || status=$?
	[ $status -eq 1 ]
	grep "no test begins with 'clocks'" "$work/units"
}
ok 'a unit test that does not exist is a failure' unknown_unit

# Of ok itself: what a body may do, and whether it passes then. As where the tests stand, with set -e off, in other files.
in_the_middle () {
	false
	true
}
not_to_be_written () {
	echo x >"$work/nowhere/x"
	true
}
of_a_helper () {
	row false
	row true
}
second_time () {
	echo x >>"$work/tried"
	[ "$(wc -l <"$work/tried")" -eq 2 ]
	true
}
ends_well () {
	row true
	true
}
of_ok () {
	set +e
	unset ONLY
	work=$work/of-ok
	mkdir -p "$work" && echo '{}' >"$work/rows" || return 1
	for body in in_the_middle 'tries 2 in_the_middle' 'tries 1 second_time' not_to_be_written of_a_helper 'grep x /dev/null' "sh -c 'exit 3'" no_such_command
	do
		said=$(eval "ok it $body" | head -n 1)
		[ "${said#not ok [0-9]* - it}" = '' ] || { echo "$body: $said"; return 1; }
	done
	rm "$work/tried"
	{ ok it ends_well; ok it tries 2 second_time; } | grep -c '^ok [0-9]* - it$' | grep -x 2
}
ok 'a test whose body fails in the middle fails, and one whose body does not passes' of_ok
cannot_here () {
	cannot 'no device'
}
makes () {
	needs true
	echo made >>"$work/made"
	[ -e "$work/may" ]
}
needs_it () {
	needs makes
	[ -e "$work/made" ]
}
# What was made is not made again, but what could not be is.
of_needs () {
	set +e
	unset ONLY
	work=$work/of-needs
	mkdir "$work"
	ok it cannot_here
	ok it needs_it
	touch "$work/may"
	ok it needs_it
	ok it needs_it
}
skips_and_makes () {
	said=$(of_needs | sed 's/[0-9]* - it//' | paste -s -d ,)
	echo "$said"
	[ "$said" = 'ok  # skip no device,not ok ,ok ,ok ' ]
	[ "$(wc -l <"$work/of-needs/made")" -eq 2 ]
}
ok 'one that cannot run is skipped, and what several need is made once' skips_and_makes

# Of test.sh itself, in a copy that has other parts: NAME LOCK SCRIPT, a line each.
lanes_of () {
	rm -rf "$work/lanes"
	mkdir -p "$work/lanes/test/cases" "$work/lanes/tmp"
	cp -r "$top/scripts" "$work/lanes"
	while read -r part lock script
	do
		echo "$part usual $lock" >>"$work/lanes/rows"
		echo "$script" >"$work/lanes/test/cases/$part.sh"
	done
	sed "/^table='/,/^'/{/ /d;}" "$top/test.sh" | sed "/^table='/r $work/lanes/rows" >"$work/lanes/test.sh"
	chmod +x "$work/lanes/test.sh"
}
# Two of them wait for each other, or for 20 s; two of one lock would be seen by each other; one ends too soon.
beside () {
	lanes_of <<-'END'
		first - touch "$within/first"; ok one within 20 test -e "$within/second"; skip two because
		second - touch "$within/second"; ok three within 20 test -e "$within/first"; ok four false
		third x ok five mkdir "$within/x"; sleep 1; ok six rmdir "$within/x"
		fourth x ok seven mkdir "$within/x"; sleep 1; ok eight rmdir "$within/x"
		fifth - ok nine true; exit 0
	END
	status=0
	JOBS=2 ONLY=. TMPDIR="$work/lanes/tmp" "$work/lanes/test.sh" >"$work/out" || status=$?
	cat "$work/out"
	[ $status -eq 1 ]
	[ "$(sed -n 's/^\(not \)*ok \([0-9]*\) - .*/\2/p' "$work/out" | paste -s -d ' ')" = '1 2 3 4 5 6 7 8 9 10' ]
	for line in "ok [0-9]* - one" 'ok [0-9]* - three' 'ok [0-9]* - five' 'ok [0-9]* - six' 'ok [0-9]* - seven' 'ok [0-9]* - eight' \
		'ok [0-9]* - two # skip because' 'not ok [0-9]* - four' 'not ok [0-9]* - fifth comes to its end' '1\.\.10'
	do
		grep -q -x "$line" "$work/out" || { echo "no line '$line'"; return 1; }
	done
	[ "$(tail -n 1 "$work/out")" = '7 passed, 2 failed, 1 skipped' ]
	[ "$(grep -c '^# *[0-9]* s *[0-9]* s [a-z]*$' "$work/out")" -eq 8 ]
	[ -z "$(ls -A "$work/lanes/tmp")" ]
}
ok 'two parts run beside each other, but not two of one lock, and each is counted' beside
# What it ends has started what it knows of.
interrupted () {
	lanes_of <<-'END'
		first - echo $$ >"$top/first"; ok one sleep 100
		second - echo $$ >"$top/second"; trap "" INT; ok two sleep 100
		third - touch "$top/third"
	END
	JOBS=2 ONLY=. TMPDIR="$work/lanes/tmp" env --default-signal=INT "$work/lanes/test.sh" >"$work/out" 2>&1 &
	tests=$!
	within 60 test -s "$work/lanes/first" -a -s "$work/lanes/second"
	kill -s INT $tests
	exits 130 $tests
	cat "$work/out"
	for part in first second
	do
		gone "$(cat "$work/lanes/$part")"
	done
	[ ! -e "$work/lanes/third" ]
	[ -z "$(ls -A "$work/lanes/tmp")" ]
}
ok 'and an interrupt ends them all' interrupted

# dropped.awk finds in each function of the left what it should, and nothing in those of the right.
finds_dropped () {
	awk -f "$top/test/dropped.awk" "$top/test.sh" "$top/test/contract.sh" "$top"/test/cases/*.sh
	number=0
	while read -r at
	do
		number=$((number + 1))
		printf '%s\n' "$at" | tr ';' '\n' | sed 's/^ *//' | awk '/^[})]|^(fi|done|esac)/ { depth-- }
			{ for (i = 0; i < depth; i++) printf "\t"; print } /[{(]$|^(then|do)$|^case/ { depth++ }' >"$work/dropped.$number"
		! awk -f "$top/test/dropped.awk" "$work/dropped.$number" >"$work/found" || { echo 'not found:'; cat "$work/dropped.$number"; return 1; }
		sed 's/$/ || return 1/; s/\([{}]\|then\|do\|done\|fi\|true\)\( || return 1\)$/\1/; s/^\(\t*if .*\) || return 1$/\1/' "$work/dropped.$number" |
			sed 's/^\(\t*for .*\) || return 1$/\1/' >"$work/mended"
		awk -f "$top/test/dropped.awk" "$work/mended" || { cat "$work/mended"; return 1; }
	done <<'END'
f () {; a && b; true; }
f () {; ! a; true; }
f () {; for x in 1 2; do; a && b; done; }
f () {; if a; then; b && c; fi; true; }
f () {; a | b &&; c; true; }
g () {; a; true; }; f () {; g || return 1; }
END
}
ok 'no test drops a status where set -e does not look' finds_dropped

shell_is_clean () {
	# -x follows what a script sources; the paths are those from the top. All at once take a fifth more time.
	cd "$top" && printf '%s\n' test.sh scripts/*.sh scripts/*/*.sh test/*.sh test/*/*.sh .ci/run | xargs -n 12 shellcheck -x
}
ok 'shell scripts are clean for shellcheck' shell_is_clean
python_is_clean () {
	make_quiet python-lint >"$work/python-lint" || { cat "$work/python-lint"; return 1; }
	! grep '^skipped' "$work/python-lint" || cannot "$(cat "$work/python-lint")"
}
ok 'the readers have the types that they say, for mypy, and Python the style of ruff' python_is_clean

# Dependencies point one way: bench.c -> bench/ -> engine.h, util; drivers -> engine.h, util; util -> util.
# FILES|what they may include, as an expression; every directory's files are checked, and they include something.
# nowhere GREP'S ARGUMENTS...: it looks, and finds nothing
nowhere () {
	status=0
	grep -n "$@" || status=$?
	[ $status -eq 1 ]
}
layers () {
	cd "$top" || return 1
	# shellcheck disable=SC2046 # names without blanks
	awk -f test/layers.awk $(ls bench.c bench/*/*.[ch] util/*.[ch] util/*/*.[ch] engines/*.[ch]) >"$work/layers"
	cat "$work/layers"
	[ "$(sed -n 's/^longest chain: \([0-9]*\) .*/\1/p' "$work/layers")" -le 9 ] && [ "$(wc -l <"$work/layers")" -eq 1 ]
}
ok 'files include only their own directory and lower layers, without cycles, in short chains' layers
# EXTRA FILE...: what deleting an extra deletes, beside its row.
extras='
queue queue.c
insert_benchmark insert_benchmark.c insert_benchmark.h insert_benchmark_table.c insert_benchmark_table.h
smallbank smallbank.c smallbank.h
random_transaction random_transaction.c
mixgraph social_graph.c mixgraph.c mixgraph.h
trace trace.c trace_settings.h replay.c replay.h trace_writer.c trace_writer.h
aging aging.c
maintenance maintenance.c
soak soak.c
probe probe.c
long_reader long_reader.c long_reader.h
backup backup.c backup.h
device_limit device_limit.c
engine_counters engine_counters.c
slow_calls slow_calls.c slow_cause.c slow_cause.h
commit_journal commit_journal.c
crossing crossing.c
'
# delete_extra EXTRA FILE...: what is left compiles without a warning, and runs other workloads
delete_extra () {
	extra=$1
	shift
	rm -rf --one-file-system "$work/leaf"
	copy_of_tree "$work/leaf"
	cd "$work/leaf/bench/extras" || return 1
	rm "$@"
	sed -i "/[^a-z_]${extra}_extra/d" extras.c
	cd "$work/leaf" || return 1
	make -s -j2 bench_null >"$work/make" 2>&1
	[ ! -s "$work/make" ]
	./bench_null --columns >"$work/columns"
	[ "$(wc -l <"$work/columns")" -gt 250 ]
	./bench_null --benchmarks=fillseqbatch,readrandom,readwhilewriting --num=10k --verify=1 --json="$work/leaf/rows" >"$work/out"
	[ "$(jq -s 'map(.valid) | add' "$work/leaf/rows")" -eq 3 ]
}
extras_are_leaves () {
	echo "$extras" | awk 'NF' >"$work/extras"
	diff "$work/extras" - <<-END || return 1
	$(sed -n 's/^extern const struct extra \([a-z_]*\)_extra;/\1/p' "$top/bench/extras/extras.c" | while read -r name; do grep "^$name " "$work/extras"; done)
	END
	awk '{ for (i = 2; i <= NF; i++) print $i } END { print "extras.c"; print "extras.h" }' "$work/extras" | sort >"$work/listed"
	(cd "$top/bench/extras" && printf '%s\n' *) | diff "$work/listed" - || return 1
	(cd "$top" && nowhere -E '(queue|insert_benchmark|smallbank|random_transaction|mixgraph|replay|trace|aging|maintenance|soak|probe|long_reader|backup|device_limit|engine_counters|slow_calls|slow_cause|commit_journal|crossing)_[a-z]' \
		bench.c bench/[!ew]*/*.[ch] bench/workload/[!cd]*.[ch] bench/workload/config.[ch] bench/workload/db_bench.[ch]) || return 1
	# one of them, another for each commit; all with --long
	set -- p
	[ -n "$long" ] || set -- "$(($(git -C "$top" rev-list --count HEAD 2>/dev/null || echo 0) % $(wc -l <"$work/extras") + 1))p"
	sed -n "$1" "$work/extras" >"$work/deleted"
	while read -r line
	do
		echo "without $line"
		# shellcheck disable=SC2086 # words, on purpose
		delete_extra $line
	done <"$work/deleted"
}
ok 'each extra is deleted by deleting its files and its row, and the core names none' extras_are_leaves
# Scripts and tests include what they test or use, and nothing of theirs is included by the program.
includes_allowed () {
	cd "$top" || return 1
	while IFS='|' read -r files may
	do
		# shellcheck disable=SC2086 # a pattern, on purpose
		set -- $files
		status=0
		sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*\("[^"]*"\).*/\1/p' "$@" >"$work/includes" || return 1
		[ -s "$work/includes" ] || { echo "$files include nothing"; return 1; }
		grep -v -x -E -e "$may" "$work/includes" || status=$?
		[ $status -eq 1 ] || { echo "is included by $files"; return 1; }
	done <<'END'
scripts/tools/*.c|"[.][.]/[.][.]/util/(os/)?[a-z0-9_]*[.]h"
test/*.[ch]|"(stand_in/)?[a-z0-9_]*[.]h"|"figures[.]c"|"[.][.]/bench/(runner/monitor|extras/[a-z_]*)[.]c"|"[.][.]/scripts/tools/simulated_disk[.]c"|"[.][.]/(util|bench|engines)/([a-z]*/)?[a-z0-9_]*[.]h"
test/instruments/*.[ch]|"[a-z0-9_]*[.]h"|"[.][.]/[.][.]/util/(os/)?[a-z0-9_]*[.]h"|"[.][.]/[.][.]/engines/rocksdb_names[.]h"
END
	# bench.c, bench/ and util/ name no engine
	for engine in $(cd engines && ls -- *.c)
	do
		case $engine in
		null.c | lsm.c | leveldb.c | rocksdb.c | voron.c) continue ;; # words of the harness, of the field, and of output that two of them gave their names
		esac
		nowhere -i -w -e "${engine%.c}" bench.c bench/*/*.[ch] util/*.[ch] util/*/*.[ch] || return 1
	done
	# These take the engine from the run or the worker: it is the null engine while the baseline is measured.
	nowhere -E '(^|[^a-z_>])engine[.][a-z_]|&engine' bench/workload/generator.c bench/runner/verify.c bench/report/aggregate.c bench/runner/run.c bench/runner/task.c bench/runner/transaction.c bench/runner/worker.c
}
ok 'scripts and tests are included by nothing, and bench.c names no engine' includes_allowed
# Who searches a driver for a function of its engine finds it: no macro builds such names.
calls_have_names () {
	cd "$top" || return 1
	nowhere '##' engines/*.[ch]
	for function in mdb_get mdbx_get leveldb_put rocksdb_put
	do
		grep -q -w "$function" engines/*.[ch] || { echo "no $function"; return 1; }
	done
}
ok 'engine functions that a driver calls are found by their names' calls_have_names
# wider WIDTH FILE...: the lines of more columns than that, but for those that have a URL, and the sentence of a script that assay
# prints
wider () {
	columns=$1
	shift
	for file in "$@"
	do
		expand -t 8 "$file" | awk -v columns="$columns" -v file="$file" '
			length > columns && !/https?:/ && !(NR == 2 && /; see --help/) {
				print file ":" NR ": " length " columns"
			}'
	done
}
narrow () {
	cd "$top" || return 1
	wider 100 bench.c bench/*/*.[ch] util/*.[ch] util/*/*.[ch] engines/*.[ch] test/*.[ch] test/instruments/*.[ch] >"$work/wide"
	# all of scripts but tables and pages
	find scripts -type f ! -name '*.tsv' ! -name palette.json ! -name '*.md' ! -path '*/__pycache__/*' ! -path 'scripts/debian/*' | sort >"$work/scripts"
	[ "$(wc -l <"$work/scripts")" -gt 100 ]
	# shellcheck disable=SC2046 # names without blanks
	wider 100 $(cat "$work/scripts") >>"$work/wide"
	cat "$work/wide"
	[ ! -s "$work/wide" ] || return 1
	# and it does find them: of these the third and the fifth
	wider 60 bench.c >"$work/wide"
	[ "$(wc -l <"$work/wide")" -gt 100 ]
	long=$(seq -s ' ' 40)
	printf '%s\n' '#!/bin/sh' "# x.sh: $long; see --help." "# $long" "# https://$long" "	echo '$long'" "echo short" >"$work/x.sh"
	[ "$(wider 100 "$work/x.sh" | cut -d : -f 2 | paste -sd ' ')" = '3 5' ]
}
ok 'no line of C or of a script has more than 100 columns' narrow
python_functions_are_short () {
	find "$top/scripts" "$top/test/reading" -name '*.py' >"$work/modules"
	python3 - "$work/modules" <<-'END'
		import ast
		import sys

		functions = [
		    (node.end_lineno - node.lineno + 1, path, node.name)
		    for path in open(sys.argv[1]).read().split("\n")[:-1]
		    for node in ast.walk(ast.parse(open(path).read()))
		    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
		]
		assert len(functions) > 500, len(functions)
		long = [function for function in functions if function[0] > 60]
		sys.exit("\n".join(f"{path}: {name} has {lines} lines" for lines, path, name in long) or 0)
	END
}
ok 'functions in Python have at most 60 lines' python_functions_are_short
# Each file of scripts that is no command is named by another: its name; what jq includes and Python imports, without the end.
files_are_used () {
	cd "$top" || return 1
	find scripts -type f ! -perm -u=x ! -path '*/__pycache__/*' ! -name '__*__.py' ! -path 'scripts/debian/*' >"$work/files"
	[ "$(wc -l <"$work/files")" -gt 100 ]
	while read -r file
	do
		name=${file##*/} stem=${file##*/}
		stem=${stem%.*}
		case $file in
		scripts/repro/claims/*) words="scripts/repro/claims/" ;; # by the document's name
		scripts/reading/publications/*) words=$(echo "$stem" | tr _ -) ;; # by the script's
		*.jq) words="include \"$stem\"" ;;
		*.gp) words="\\b$stem\\b" ;;
		*.py) words="\\(import .*\\b$stem\\b\\|^    $stem,\\|[.]$stem import\\|\\b${stem}[.]sh\\b\\)" ;;
		*.c) words="/${stem}[.]o" ;;
		*) words=$name ;;
		esac
		grep -r -l -e "$words" -e "[/\"]$name\\b" Makefile CHANGELOG scripts | grep -q -v -x "$file" || echo "nothing names $file"
	done <"$work/files" >"$work/unused"
	cat "$work/unused"
	[ ! -s "$work/unused" ]
}
ok 'each file of scripts that is no command is named by another' files_are_used
# A function in jq that a claim or a script has for itself says by its name where it is; a claim's name is its id.
jq_functions_tell_their_file () {
	cd "$top/scripts" || return 1
	for file in repro/claims/*.jq tools/plan.jq
	do
		subject=$(basename "$file" .jq | sed 's/^symas-20/symas/; s/-.*//')
		grep -n -o -E '\bdef +[A-Za-z0-9_]+' "$file" | grep -v -E "def +([A-Z][0-9]+|$subject(_[a-z0-9_]+)?)\$" | sed "s|^|$file:|"
	done >"$work/misnamed"
	grep -h -o -E '\bdef ' repro/claims/*.jq tools/plan.jq >"$work/defined"
	cat "$work/misnamed"
	[ "$(wc -l <"$work/defined")" -gt 150 ] && [ ! -s "$work/misnamed" ]
}
ok 'functions in jq of claims and of plan.jq are named by their file' jq_functions_tell_their_file
# Functions fit on a screen: half of them in 12 lines, nine of ten in 35, all in 60. None is declared
# before it is defined, as callees come first, but where an act of bench.c begins.
functions_are_short () {
	cd "$top" || return 1
	awk -f test/functions.awk bench.c bench/*/*.[ch] util/*.[ch] util/*/*.[ch] engines/*.[ch] scripts/tools/*.c >"$work/functions"
	[ "$(wc -l <"$work/functions")" -gt 1500 ]
	nowhere 'declared$' "$work/functions"
	awk '{ print $4, $3, $1 }' "$work/functions" | sort -n >"$work/lengths"
	awk '{ lines[NR] = $1; most = $1 }
		$1 > 60 { print; long++ }
		END {
			middle = lines[int((NR + 1) / 2)]; ninth = lines[int(NR * 0.9)]
			print "median " middle ", 90th percentile " ninth ", longest " most
			exit long || middle > 12 || ninth > 35 }' "$work/lengths"
	[ "$(wc -l <bench.c)" -le 1500 ]
	# and what is no act's beginning is found
	printf '%s\n' 'static int later(int);' 'static int sooner(int x)' '{' '	return later(x);' '}' 'static int later(int x)' '{' '	return x;' '}' >"$work/two.c"
	{ echo '/* ---- an act ---- */'; cat "$work/two.c"; cat "$work/two.c"; } >"$work/acts.c"
	for of in 'two.c 1' 'acts.c 11'
	do
		awk -f test/functions.awk "$work/${of% *}" | grep -x "$work/${of% *} ${of#* } later declared"
		[ "$(awk -f test/functions.awk "$work/${of% *}" | grep -c declared)" -eq 1 ]
	done
}
ok 'functions are short, and their order is one to read in' functions_are_short
# docs/design.md has a row for each module of bench/ and no other, and names only files that exist.
design_page_is_current () {
	cd "$top" || return 1
	for file in bench/*/*.[ch]
	do
		file=${file##*/}
		echo "${file%.*}"
	done | sort -u >"$work/modules"
	sed -n '/^| module/,/^$/s/^| `\([a-z_]*\)` |.*/\1/p' docs/design.md | sort >"$work/described"
	diff "$work/modules" "$work/described" || return 1
	grep -o -E '`(bench|engines|util|scripts|test|docs|results)/[a-z0-9./_-]*`' docs/design.md | tr -d '`' | sort -u >"$work/named"
	[ -s "$work/named" ] || return 1
	while read -r path
	do
		[ -e "$path" ] || { echo "there is no $path"; return 1; }
	done <"$work/named"
	sed -n 's/.*](\([^)#]*\)[)#].*/\1/p' docs/design.md | while read -r path
	do
		[ -e "docs/$path" ] || { echo "there is no docs/$path"; return 1; }
	done
}
ok 'docs/design.md describes each module of bench/, and names only files that exist' design_page_is_current
deletes_its_own () {
	cd "$top" || return 1
	nowhere 'system(' bench.c bench/*/*.c util/*.c util/*/*.c engines/*.c || return 1
	cat scripts/*.sh scripts/*/*.sh >"$work/scripts" || return 1
	grep 'rm -rf' "$work/scripts" >"$work/removals" || return 1
	nowhere -v -E "rm -rf (--one-file-system )?\"\\\$work\"('|;|\$)" "$work/removals"
}
ok 'no system(), and no rm -rf but of what mktemp made' deletes_its_own

# A row's texts are in its aggregate, where no later one overwrites them.
texts_of_rows () {
	! grep -n 'static char [^(]*;' "$top"/bench/report/*.c
}
ok 'no text of a row is in a buffer that others share' texts_of_rows
