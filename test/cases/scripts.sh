# scripts.sh: sweep, table, plots and quickstart as a user runs them.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

sweep () {
	"$top/scripts/sweep.sh" --out="$work/sweep" --engines=lmdb,null --benchmarks=readrandom,readwhilewriting \
		--threads=1,2,4 --num=20000 --duration=0.8 --timeline_interval=0.05 "$@"
}

plan () {
	sweep --plan-only >"$work/commands"
	[ "$(wc -l <"$work/sweep/plan.tsv")" -eq 15 ]
	awk -F '\t' 'NF != 17 { exit 1 } NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["engine"] !~ /^(lmdb|null)$/ || !$at["benchmarks"] || !$at["threads"] || $at["num"] != 20000 { exit 1 }' "$work/sweep/plan.tsv"
	[ "$(grep -c '^\./bench_\(lmdb\|null\) .*--benchmarks=' "$work/commands")" -eq 14 ]
	[ ! -e "$work/sweep/results.json" ]
}
ok 'sweep.sh writes its plan first: a run a row, of which it prints one complete command a line' needs plan
# Only --out differs of what another sweep prints that touches nothing.
dry_run () {
	needs plan
	sweep --dry-run --out="$work/untouched" | sed "s|$work/untouched|$work/sweep|g" | diff "$work/commands" -
	[ ! -e "$work/untouched" ]
}
ok 'and --dry-run prints the same commands and touches nothing' dry_run
# A value that a shell would read something into arrives as it is.
awkward () {
	"$top/scripts/sweep.sh" --out="$work/it's \"here\" \$HOME" --engines=null --load=none --benchmarks=readrandom --threads=1 --num=10 --dry-run | sed 's|^[.]/[^ ]*|printf "%s\\n"|; s|>.*||' | sh | grep -x -F -- "--db=$work/it's \"here\" \$HOME/db/null"
}
ok 'names that a shell would read something into arrive as they are' awkward

# What changes a database that others find is done no second time; what only reads keeps it, and so does a copy.
does_with_database () {
	for load in none fillseq
	do
		rm -rf "$work/does"
		"$top/scripts/sweep.sh" --out="$work/does" --engines=lmdb --load=$load --benchmarks=fillseqbatch,deleterandom,readrandom \
			--threads=1 --num=10 --repeat=2 --plan-only >"$work/out"
		awk -F '\t' '{ sub(".*/runs/lmdb-", "", $1); sub("-1t.*", "", $1); print $1, $3 }' "$work/does/commands.tsv" | sort -u
	done >"$work/done"
	cat "$work/done"
	[ "$(paste -s -d , "$work/done")" = 'deleterandom use,fillseqbatch load,readrandom keep,deleterandom keep,fillseq load,fillseqbatch load,readrandom keep' ]
}
ok 'a sweep knows what a run does with its database' does_with_database

# A shell's own echo makes a line end of \n, and ends at \c.
backslashes () {
	for form in --dry-run --plan-only ''
	do
		"$top/scripts/sweep.sh" --out="$work/backslash" --engines=null --load=none --benchmarks=readrandom --threads=1 --num=10 \
			--suffix='a\nb\c' --loaded_by='c:\x\0101' $form >"$work/out"
		[ -z "$form" ] || [ "$(grep -c -F -e "'--label=nulla\nb\c'" "$work/out")" -eq 1 ]
		[ -z "$form" ] || [ "$(grep -c -F -e "'--loaded_by=c:\\x\0101'" "$work/out")" -eq 1 ]
	done
	jq -e '.label == "nulla\\nb\\c" and .loaded_by == "c:\\x\\0101" and .valid == 1' "$work/backslash/results.json"
}
ok 'sweep.sh: backslashes in values arrive as they are' backslashes
# Each script that is run has echo from common.sh, which prints what it is given, or prints no variable by it.
echoes () {
	sh -c '. "$1" && echo "a\nb\c" "-n  x" && echo -n x' sh "$top/scripts/common.sh" >"$work/out"
	printf '%s\n' 'a\nb\c -n  x' '-n x' | cmp - "$work/out"
	for script in "$top"/scripts/*.sh "$top"/scripts/*/*.sh
	do
		[ "$(head -n 1 "$script")" = '#!/bin/sh' ] || continue
		grep -q '^[.] .*common[.]sh"' "$script" || ! grep -H '\becho [^|>]*[$]' "$script" || return 1
	done
}
ok 'no script has a shell change what it prints' echoes

# A name in small letters is a script's own: none is read that the script may not have set, as the environment may have it.
own_names () {
	for script in "$top"/scripts/*.sh "$top"/scripts/*/*.sh
	do
		awk -f "$top/test/unset.awk" "$top/scripts/common.sh" "$script" || status=1
	done >"$work/unset"
	cat "$work/unset"
	[ ! -s "$work/unset" ]
	# it finds them
	printf '%s\n' 'a=1' 'f () {' '	[ -z "$1" ] || b=2' '	echo ${a:-} ${b-} ${c:+}' '}' >"$work/script"
	! awk -f "$top/test/unset.awk" "$work/script" >"$work/unset" || return 1
	[ "$(sed 's/.*: //' "$work/unset" | sort | paste -s -d ' ')" = 'b c' ]
}
ok 'no script takes a variable of its own from the environment' own_names

# Each script that takes an input file: one that does not exist, is a directory, is empty or is cut short is refused, in one line
# and without a result; with CR LF it is as with LF, or refused in the same way.
# SCRIPT | where the input lies below $work/input | a whole one | whether it is read with CR LF | arguments, below $work/input
readers='
summary.sh|rows.json|rows.json|yes|rows.json
table.sh|rows.json|rows.json|yes|rows.json
compare.sh|rows.json|rows.json|yes|rows.json --by=benchmark --old=readrandom --new=readwhilewriting --allow=distribution
compare.sh|new.tsv|counters.tsv|yes|--counters old.tsv new.tsv
cost.sh|rows.json|rows.json|yes|--prices=prices.tsv --rate=1k --data=1m --benchmark=readrandom rows.json
cost.sh|p.tsv|prices.tsv|yes|--prices=p.tsv --rate=1k --data=1m --benchmark=readrandom old.json
cost.sh|m.tsv|misses.tsv|yes|--prices=prices.tsv --rate=1k --data=1m --benchmark=readrandom --misses=m.tsv old.json
claims.sh|rows.json|claimed.json|-|rows.json voron-2013
history.sh|rows.json|rows.json|yes|add --history=history rows.json
history.sh|shown/here/h.tsv|history.tsv|-|show --history=shown
perfetto.sh|t.tsv|timeline.tsv|yes|t.tsv
perfetto.sh|calls|slow.tsv|yes|timeline.tsv calls
exact.sh|r.tsv|reference.tsv|-|--reference=r.tsv null
profile.sh|plan.tsv|plan.tsv|-|--out=profile --plan=plan.tsv
trace.sh|t|old.trace|yes|distance t old.trace
trace.sh|t|old.trace|yes|misses t
hdrmerge.sh|t.log|old.log|yes|t.log
hdrmerge.sh|t.log|old.log|yes|old.log t.log
sweep.sh|hosts|hosts|no|--out=swept --hosts=hosts --engines=null --load=none --threads=1 --plan-only
report.sh|page/results.json|rows.json|yes|page
plot.sh|page/results.json|rows.json|-|page
published.sh|folder/statements.csv|statements.csv|no|folder
plot/points.sh|rows.json|rows.json|yes|rows.json
plot/probes.sh|rows.json|rows.json|yes|rows.json
plot/picture.sh|bars|bars|yes|bars bar title ops bars p a - g
repro/overtime.sh|rows.json|rows.json|yes|.
repro/page.sh|rows.json|claimed.json|-|.
plot/symas.sh|rows.json|symas.json|-|.
'
input_files () {
	mkdir "$work/whole-input"
	cd "$work/whole-input" || return 1
	"$top/bench_null" --benchmarks=readrandom,readwhilewriting --num=1k --duration=0.05 --repeat=2 --probe_rate=100 --memory=64Mi \
		--json=rows.json >"$work/out"
	cp rows.json old.json
	jq -c 'select(.engine == "lmdb")' "$top/results/reference/voron-2013/rows.json" | head -n 12 >claimed.json
	jq -c 'select(.engine == "lmdb")' "$top/results/reference/inmemory-2014/rows.json" | head -n 12 >symas.json
	cp "$top/scripts/cost-example.tsv" prices.tsv
	printf '%s\t' time engine label benchmark threads iteration repetition ops counter begin end per_op | sed 's/\t$/\n/' >old.tsv
	printf '2026-11-28T06:00:00Z	lmdb	lmdb	fillseq	1	1	%d	1000	entries	0	1	0.00%d\n' 1 1 2 2 3 4 >>old.tsv
	sed 's/0[.]00/0.01/' old.tsv >counters.tsv
	printf '%s\n' 'cache	fraction	miss_ratio' '10	0.1	0.5' '100	1	0' >misses.tsv
	printf '%s\n' 'engine	benchmark	options	environment	metric	per_op' 'null	readrandom			instructions	100' >reference.tsv
	printf '%s\n' : >hosts
	printf '%s\n' '0,a,1,10,1,get,0' '1,b,1,10,1,set,0' '2,a,1,10,1,get,0' >old.trace
	"$top/bench_null" --benchmarks=readrandom --num=1k --hdr_log=old.log >"$work/out"
	"$top/bench_null" --benchmarks=overwrite --num=1k --duration=0.2 --timeline=timeline.tsv --timeline_interval=0.1 --slow_calls=2 \
		--null_stall_every=1k --null_stall_ms=5 --slow_calls_file=slow.tsv >"$work/out"
	printf '%s\n' 'panel	label	x	y' 'p	a	g	3' >bars
	cp "$top/results/published/statements.csv" .
	"$top/scripts/sweep.sh" --out="$work/whole-input/planned" --engines=null --load=none --threads=1 --plan-only >"$work/out"
	cp planned/commands.tsv plan.tsv
	"$top/scripts/history.sh" add --history=history rows.json >"$work/out"
	mkdir -p shown/here folder page
	set -- history/*/*.tsv
	cp "$1" history.tsv
	cp "${1%.tsv}.json" shown/here/h.json
	cp "$top"/results/published/*.csv folder
	rm -r history folder/statements.csv
}
# broken KIND FILE WHOLE: there
broken () {
	case $1 in
	directory) mkdir "$2" ;;
	empty) : >"$2" ;;
	cut)
		case $3 in
		*.json) head -c 500 "$3" ;;
		*) head -c -2 "$3" ;;
		esac >"$2"
		;;
	whole) cp "$3" "$2" ;;
	'CR LF') sed 's/$/\r/' "$3" >"$2" ;;
	esac
}
read_by_all () {
	input_files
	bad=0
	while IFS='|' read -r script file whole others arguments <&3
	do
		[ -n "$script" ] || continue
		for kind in missing directory empty cut whole 'CR LF'
		do
			case $others$kind in
			-whole | '-CR LF') continue ;;
			esac
			rm -rf "$work/input"
			cp -r "$work/whole-input" "$work/input"
			cd "$work/input" || return 1
			rm -rf "$file"
			broken "$kind" "$file" "$work/whole-input/$whole"
			ended=0
			# shellcheck disable=SC2086 # words, on purpose
			"$top/scripts/$script" $arguments >"$work/said-$kind" 2>"$work/err" 3<&- || ended=$?
			case $others$kind in
			?*whole) status=$ended; continue ;;
			'yesCR LF') ! { [ $ended -eq "$status" ] && cmp "$work/said-whole" "$work/said-CR LF"; } || continue ;;
			*) ! { [ $ended -gt 0 ] && [ ! -s "$work/said-$kind" ] && in_one_line "$work/err"; } || continue ;;
			esac
			bad=$((bad + 1))
			echo "$script, $kind $file: exit status $ended"
			head -n 5 "$work/err" "$work/said-$kind"
		done
	done 3<<-LIST
	$readers
	LIST
	[ $bad -eq 0 ]
}
# functions of given input, without what they start
functions_are () {
	"$top/test/functions.sh" >"$work/functions-are"
	diff -U 2 -F '^#' "$top/test/functions.txt" "$work/functions-are"
}
ok 'functions of scripts print what was found right of given input' functions_are
disk_is () {
	"$top/build/disk" >"$work/out" || { cat "$work/out"; return 1; }
}
if make_quiet build/disk >"$work/out" 2>&1
then
	ok 'simulated_disk: its limits, what a cut leaves, and the sectors of faults' disk_is
else
	skip 'simulated_disk: its limits, what a cut leaves, and the sectors of faults' 'build/disk needs libfuse'
fi
ok 'each script that reads a file refuses one that is missing, a directory, empty or cut short' read_by_all

# The type of a text tells whether it has commas of its own: a list or any text is one value of a sweep, the others multiply.
takes_apart () {
	for engine in null redis
	do
		"$top/bench_$engine" --options=tsv
	done | awk -F '\t' '$2 != "name" && $6 == "TEXT" { print $5, $2 }' | sort -u >"$work/texts"
	grep -v '^text ' "$work/texts" | paste -s -d , | tee "$work/typed"
	[ "$(cat "$work/typed")" = 'list benchmarks,list cpus,list mix,list perf_control,list pin_threads,list redis,sizes scan_length,sizes value_size,word numa_node,word preset' ]
	set --
	while read -r type name
	do
		case $type-$name in
		*-benchmarks | *-db | *-label | *-json | *-tsv | *-hdr | *-timeline | sizes-* | word-*) ;;
		*) set -- "$@" "--$name=h1:1,h2:2" ;;
		esac
	done <"$work/texts"
	[ $# -gt 15 ]
	"$top/scripts/sweep.sh" --out="$work/whole" --engines=null,redis --load=none --benchmarks=readrandom --threads=1 --dry-run "$@" \
		--value-size=10,20 --num=1k,2k >"$work/out"
	[ "$(wc -l <"$work/out")" -eq 8 ]
	for argument
	do
		[ "$(grep -c -F -e " $argument " "$work/out")" -eq 8 ] || { echo "$argument"; return 1; }
	done
	for size in 10 20
	do
		[ "$(grep -c -e "--value_size=$size .*--num=[12]k " "$work/out")" -eq 4 ]
	done
}
ok 'sweep.sh takes a value with commas apart if the type of its option has none' takes_apart

multiplies () {
	"$top/scripts/sweep.sh" --out="$work/s5" --benchmarks=readrandom --threads=1,2 --num=1k,2k --value_size=10,20 \
		--reads=100 >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	jq -es '[.[] | select(.valid == 1) | [.num, .value_size]] | group_by(.) | map(length) == [3, 3, 3, 3]' \
		"$work/s5/results.json" && ! "$top/scripts/plot.sh" "$work/s5" 2>"$work/err" && cat "$work/err" &&
		grep -q 'more than one num (1000, 2000)' "$work/err" && grep -q 'more than one value_size (10, 20)' "$work/err" &&
		fails 1 'more than one num' "$top/scripts/plot.sh" "$work/s5" --allow=value_size &&
		"$top/scripts/plot.sh" "$work/s5" --allow=value_size,num >"$work/plots"
}
ok 'sweep.sh multiplies further options, and plot.sh does not mix them' multiplies

by_hand () {
	needs plan
	cd "$top" && head -n 2 "$work/commands" | sh && [ -s "$work/sweep/runs/lmdb-readrandom-1t/row.json" ]
}
ok 'the lines of the plan run by hand' by_hand

swept () {
	needs plan
	sweep
}
runs_all () {
	needs swept
	[ "$(wc -l <"$work/sweep/results.json")" -eq 14 ] && [ "$(wc -l <"$work/sweep/results.tsv")" -eq 15 ] &&
		jq -es 'all(.[]; .valid == 1) and ([.[].threads] | unique == [1, 2, 4])' "$work/sweep/results.json"
}
ok 'sweep.sh runs all of it and collects the rows' runs_all

resumes () {
	needs swept
	cp "$work/sweep/results.json" "$work/first.json"
	# as if the last two runs had never been: one not begun, one killed and half written
	for last in $(tail -n 2 "$work/sweep/plan.tsv" | cut -f 1)
	do
		rm "$work/sweep/runs/$last/status" || return 1
	done
	echo '{"half' >"$work/sweep/runs/$last/row.json"
	echo half >>"$work/sweep/runs/$last/timeline.tsv"
	sweep || return 1
	! grep half "$work/sweep/runs/$last/timeline.tsv" || return 1
	head -n 12 "$work/first.json" >"$work/head.first"
	head -n 12 "$work/sweep/results.json" | diff "$work/head.first" - &&
		[ "$(wc -l <"$work/sweep/results.json")" -eq 14 ] && jq -es 'length == 14' "$work/sweep/results.json" &&
		! diff -q "$work/first.json" "$work/sweep/results.json"
}
ok 'sweep.sh goes on where it stopped and repeats nothing that was finished' resumes

# The databases of a command of storage.sh are on its file system, and where they are is said.
on_storage () {
	mkdir "$work/storage"
	for script in 'sweep.sh --engines=lmdb --benchmarks=readrandom --threads=1 --reads=10' 'capacity.sh --seconds=1 --steps=1 lmdb'
	do
		# shellcheck disable=SC2086 # words, on purpose
		STORAGE_DIR="$work/storage" "$top/scripts/"$script --out="$work/on $$" --num=1k >"$work/out" 2>"$work/err" || [ $? -eq 1 ]
		grep -x "${script%% *}: the databases are in $work/storage/on $$" "$work/err"
		[ -e "$work/storage/on $$/lmdb/assay.db" ]
		[ ! -e "$work/on $$/db" ]
		rm -r "$work/storage/on $$" "$work/on $$"
	done
	STORAGE_DIR="$work/storage" "$top/scripts/sweep.sh" --engines=lmdb --dry-run --databases="$work/told" --out="$work/on" | grep -c -e "--db=$work/told/lmdb "
}
ok 'the databases of a sweep and of capacity.sh are on the storage of storage.sh, unless others are named' on_storage
# On a terminal the run at work is said, its number, and from the second on how long the rest takes.
progress () {
	script -q -e -c "'$top/scripts/sweep.sh' --out='$work/seen' --engines=null --load=none --threads=1,2,4 --num=1k --reads=10" "$work/typescript" >"$work/out"
	tr '\r' '\n' <"$work/typescript" >"$work/seen.txt"
	cat "$work/seen.txt"
	grep '1 of 3: null-readrandom-1t$' "$work/seen.txt"
	grep '3 of 3, [0-9]* s left: null-readrandom-4t$' "$work/seen.txt"
	"$top/scripts/sweep.sh" --out="$work/unseen" --engines=null --load=none --threads=1,2,4 --num=1k --reads=10 2>"$work/err"
	! grep ' of 3' "$work/err"
}
ok 'a terminal is told which run is at work, and how long the rest takes' progress

another_plan () {
	needs plan
	fails 2 'holds another plan' sweep --seed=5
}
ok 'sweep.sh refuses another plan in the same place' another_plan
ok 'sweep.sh refuses what is its own to set' fails 2 "timeline is sweep.sh's to set" sweep --timeline=there
ok 'sweep.sh refuses what it cannot read' fails 2 "cannot read 'fast'" "$top/scripts/sweep.sh" --out="$work/s2" fast
ok 'sweep.sh says which engine is missing' fails 1 'bench_nosuch does not exist; .* bench_null' "$top/scripts/sweep.sh" \
	--out="$work/s3" --engines=nosuch
ok 'and which benchmark' fails 2 "no benchmark 'fillsec'" "$top/scripts/sweep.sh" --out="$work/s3" --benchmarks=readrandom,fillsec@2
ok 'and what was meant' fails 2 "'fillsec'; did you mean fillseq[?]" "$top/scripts/sweep.sh" --out="$work/s3" --load=fillsec
ok 'and which workload is the equivalent of another tool' fails 2 "instead: fillseqbatch" "$top/scripts/sweep.sh" \
	--out="$work/s3" --benchmarks=fillbatch
ok 'and that a list names none' fails 2 "',' names none" "$top/scripts/sweep.sh" --out="$work/s3" --engines=,
ok 'and what has no value' fails 2 'threads= has no value' "$top/scripts/sweep.sh" --out="$work/s3" --threads=
ok 'and a suffix with a blank' fails 2 "' on nvme' has a blank" "$top/scripts/sweep.sh" --out="$work/s3" --suffix=' on nvme'

# options_of ARGUMENTS...: what the plan passes on to every run
options_of () {
	"$top/scripts/sweep.sh" --out="$work/options" --dry-run --engines=null --load=none --threads=1 "$@" | sed "s/.*timeline.tsv //; s/ >.*//"
}
passes_on () {
	[ "$(options_of --num=1k --cpus= --duration=1)" = '--num=1k --cpus= --duration=1' ] &&
		[ "$(options_of --benchmarks=mix --mix=read:50,update:50 --cpus=0,2 --num=1k,2k | paste -s -)" = \
			'--mix=read:50,update:50 --cpus=0,2 --num=1k	--mix=read:50,update:50 --cpus=0,2 --num=2k' ] &&
		[ "$(options_of --num=1k,2k --seed="a'b c" --num=3)" = "'--seed=a'\\''b c' --num=3" ]
}
ok 'sweep.sh passes on an empty value, one that is a list as it is, and the last of an option given twice' passes_on

configurations_have_labels () {
	"$top/scripts/sweep.sh" --out="$work/s6" --engines=lmdb,lmdb+writemap=1+readahead=0 --benchmarks=readrandom \
		--threads=1 --num=1k >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	jq -es 'map([.label, (.engine_options | test("writemap=1.*readahead=0"))]) | unique ==
		[["lmdb", false], ["lmdb+writemap=1+readahead=0", true]]' "$work/s6/results.json"
}
ok 'sweep.sh names an engine with options after them' needs configurations_have_labels

goes_on_after_death () {
	status=0
	"$top/scripts/sweep.sh" --out="$work/s7" --engines=null+null_stall_every=100+null_stall_ms=100000+hang_timeout=1,lmdb \
		--benchmarks=readrandom --threads=1 --num=1k >"$work/out" 2>"$work/err" || status=$?
	cat "$work/err"
	[ $status -eq 1 ] && grep -q '^bench_null: readrandom: null engine hung' "$work/err" &&
		jq -es 'map(select(.benchmark == "readrandom")) | map([.engine, .valid]) | sort == [["lmdb", 1], ["null", 0]]' \
			"$work/s7/results.json"
}
ok 'sweep.sh goes on after an engine died, and keeps its invalid row' goes_on_after_death

failing_run_is_said () {
	status=0
	"$top/scripts/sweep.sh" --out="$work/s4" --benchmarks=overwrite --threads=1 --num=100k --mapsize=1Mi \
		>"$work/out" 2>"$work/err" || status=$?
	cat "$work/err"
	[ $status -eq 1 ] && grep -q 'sweep.sh: exit status 1: ./bench_lmdb' "$work/err" &&
		grep -q '^sweep.sh: invalid: .*mapsize' "$work/err" &&
		jq -es '.[0].valid == 0' "$work/s4/results.json"
}
ok 'a run that fails is named, and its row is invalid' needs failing_run_is_said

# Two runs need a database that could not be loaded, here and in a unit; those of another engine go on.
cancelled () {
	"$top/scripts/sweep.sh" --out="$work/s8" --engines=lmdb+mapsize=1Mi,lmdb --benchmarks=readrandom,overwrite --threads=1 --num=20k \
		--reads=10 --writes=10 >"$work/out" 2>"$work/err" && return 1
	cat "$work/err"
	[ "$(grep -c 'sweep.sh: exit status none, as its database was not loaded: ' "$work/err")" -eq 2 ]
	jq -cs 'map([.label, .benchmark, .valid])' "$work/s8/results.json" | tee "$work/got"
	[ "$(cat "$work/got")" = '[["lmdb+mapsize=1Mi","filluniquerandbatch",0],["lmdb","filluniquerandbatch",1],["lmdb","readrandom",1],["lmdb","overwrite",1]]' ]
	for load in 1Mi 1Gi
	do
		sed "/mapsize/!d; s/--mapsize=1Mi/--mapsize=$load/" "$work/s8/commands.tsv" >"$work/unit"
		env -C "$top" sh scripts/tools/sweep-unit.sh "$work/unit"
		cat "$work"/s8/runs/lmdb+mapsize=1Mi-*/status | paste -s -d ';' | tee -a "$work/got"
	done
	none='none, as its database was not loaded'
	[ "$(sed 1d "$work/got" | paste -s -d '|')" = "1;$none;$none|0;0;0" ]
}
ok 'runs whose load failed are not begun, and listed' cancelled

# state ENGINE DIRECTORY: digest and count of all records there, and of the files
state () {
	"$top/bench_$1" --use_existing_db=1 --db="$2" --benchmarks=readseq --num=5k --verify=1 --json="$work/states" >"$work/out"
	tail -n 1 "$work/states" | jq -c '[.valid, .ops, .wrong, .digest, .load_order]'
}
# kept ENGINE: a copy holds what was loaded, after that one that is written to, and what was loaded stays as it is
kept () {
	rm -rf "$work/kept" "$work/copy"
	"$top/bench_$1" --db="$work/kept" --benchmarks=filluniquerandbatch --num=5k --settle=1 >"$work/out"
	find "$work/kept" -type f -exec sha256sum {} + | sort >"$work/sums"
	for list in overwrite,deleterandom readseq
	do
		"$top/bench_$1" --copy_of="$work/kept" --db="$work/copy" --benchmarks=$list --num=5k --verify=1 --loaded_by=it --json="$work/rows" >"$work/out"
	done
	find "$work/kept" -type f -exec sha256sum {} + | sort | diff "$work/sums" -
	[ ! -e "$work/copy" ]
	row '.loaded_by == "it"'
	[ "$(tail -n 1 "$work/rows" | jq -c '[.valid, .ops, .wrong, .digest, .load_order]')" = "$(state "$1" "$work/kept" | tee "$work/want")" ]
	jq -e '.[0] == 1 and .[1] == 5000 and .[2] == 0 and .[4] == "random"' "$work/want"
}
all_kept () {
	kept lmdb
	[ -z "$long" ] || for engine in rocksdb sqlite wiredtiger bdb leveldb kyoto tkrzw aio
	do
		[ ! -x "$top/bench_$engine" ] || kept $engine
	done
}
ok 'a copy of a database has the same records each time, and that stays as it was' all_kept
refuses_copies () {
	needs plan
	rm -rf "$work/copy"
	fails 2 '^bench_lmdb: no database at .*/nowhere' "$top/bench_lmdb" --copy_of="$work/nowhere" --db="$work/copy" --benchmarks=readseq
	fails 2 '^bench_null: --copy_of: null engine keeps no records' "$top/bench_null" --copy_of="$work/nowhere" --db="$work/copy" --benchmarks=readseq
	[ ! -e "$work/copy" ]
}
ok 'and a copy of nothing is refused before anything is made' refuses_copies
# files DIRECTORY: what is there, but for when it was read
files () {
	find "$1" -type f -exec sha256sum {} + | sort
}
keeps_a_database () {
	rm -rf "$work/kept" "$work/copy"
	"$top/bench_lmdb" --db="$work/kept" --benchmarks=fillseqbatch --num=1k >"$work/out"
	"$top/bench_lmdb" --db="$work/copy" --benchmarks=fillseqbatch,backup --num=1k >"$work/out"
	files "$work/copy" >"$work/sums"
	grep -q backup/ "$work/sums"
	fails 2 "^bench_lmdb: $work/copy holds a database that is no copy, so nothing in it is touched; choose another --db" \
		"$top/bench_lmdb" --copy_of="$work/kept" --db="$work/copy" --num=1k --benchmarks=overwrite
	for option in --multiprocess_read=1 --compat=db_bench
	do
		engine=lmdb
		[ $option != --compat=db_bench ] || engine=leveldb
		fails 2 "^bench_$engine: --copy_of: $option works on --db itself; leave one out" \
			"$top/bench_$engine" $option --copy_of="$work/kept" --db="$work/copy" --num=1k --benchmarks=readrandom
	done
	files "$work/copy" | diff "$work/sums" -
}
ok 'no copy takes the place of a database or its backup' keeps_a_database
# As of a run that was killed; a load makes a database of it.
replaces_a_copy () {
	rm -rf "$work/kept" "$work/copy"
	"$top/bench_lmdb" --db="$work/kept" --benchmarks=fillseqbatch --num=1k >"$work/out"
	cp -r "$work/kept" "$work/copy"
	sed -i 's/^copy 0$/copy 1/' "$work/copy/assay.db"
	files "$work/copy" >"$work/sums"
	fails 2 "^bench_lmdb: --num: $work/kept holds 1000 records, not 2000" \
		"$top/bench_lmdb" --copy_of="$work/kept" --db="$work/copy" --num=2k --benchmarks=overwrite
	files "$work/copy" | diff "$work/sums" -
	"$top/bench_lmdb" --copy_of="$work/kept" --db="$work/copy" --num=1k --benchmarks=overwrite >"$work/out"
	[ ! -e "$work/copy" ]
	cp -r "$work/kept" "$work/copy"
	sed -i 's/^copy 0$/copy 1/' "$work/copy/assay.db"
	"$top/bench_lmdb" --db="$work/copy" --benchmarks=fillseqbatch --num=1k >"$work/out"
	fails 2 'is no copy' "$top/bench_lmdb" --copy_of="$work/kept" --db="$work/copy" --num=1k --benchmarks=overwrite
}
ok 'but of a copy that was left behind, unless the source is another than was meant' replaces_a_copy

table () {
	needs swept
	needs failing_run_is_said
	"$top/scripts/table.sh" "$work/sweep/results.json" >"$work/table" && cat "$work/table" &&
		tail -n +1 "$work/sweep/results.json" | "$top/scripts/table.sh" /dev/stdin | cmp - "$work/table" &&
		[ "$(wc -l <"$work/table")" -eq 15 ] && [ "$(awk '{ print length }' "$work/table" | sort -u | wc -l)" -eq 1 ] &&
		fails 2 'no column nosuch' "$top/scripts/table.sh" "$work/sweep/results.json" engine,nosuch &&
		"$top/scripts/table.sh" "$work/s4/results.json" 2>&1 | grep 'invalid rows left out'
}
ok 'table.sh aligns the valid rows' table

# pictures DIRECTORY NAME...: plot.sh draws these, and no others, without a word of gnuplot's
pictures () {
	from=$1
	shift
	rm -rf "$from/plots"
	status=0
	"$top/scripts/plot.sh" "$from" >"$work/plots" 2>"$work/err" || status=$?
	cat "$work/err"
	[ $status -eq 0 ] && ! grep gnuplot "$work/err" || return 1
	for name
	do
		grep -q "/$name.png" "$work/plots" && not_blank "$from/plots/$name.png" &&
			grep -q '</svg>' "$from/plots/$name.svg" && grep -q lmdb "$from/plots/$name.svg" || return 1
	done
	others=$(find "$from/plots" -name '*.png' | grep -c -v "/\($(echo "$*" | sed 's/ /\\|/g')\).png") || : # grep says so if there are none
	echo "$others more pictures than $*"
	[ "$others" -eq 0 ] && [ "$(wc -l <"$work/plots")" -eq $(($# * 2)) ]
}
without_null () {
	needs swept
	mkdir -p "$work/p1/runs" && cp -r "$work"/sweep/runs/* "$work/p1/runs" || return 1
	# what the load takes, and has a picture of, is the machine's: three rows of time at the most
	for load in "$work"/p1/runs/*-filluniquerandbatch-*/timeline.tsv; do sed -i 3,\$d "$load"; done
	# as if the other engine's runs had not been valid: theirs are not drawn
	sed -i '/"engine":"null"/s/"valid":1/"valid":0/' "$work"/p1/runs/*/row.json &&
		sed '/"engine":"null"/s/"valid":1/"valid":0/' "$work/sweep/results.json" >"$work/p1/results.json" || return 1
	pictures "$work/p1" readrandom-readers readrandom-latency readrandom-throughput readrandom-cpu \
		readrandom-threads-lmdb readrandom-heatmap-lmdb readwhilewriting-readers readwhilewriting-latency \
		readwhilewriting-throughput readwhilewriting-cpu readwhilewriting-threads-lmdb readwhilewriting-heatmap-lmdb \
		readwhilewriting-growth &&
		grep -q '^plot.sh: 7 invalid rows are not drawn' "$work/err" && ! grep -l null "$work"/p1/plots/*.svg
}
ok 'plot.sh draws readers, percentiles and what the timelines say, as SVG and PNG, and no invalid rows' without_null
all_labels () {
	needs swept
	"$top/scripts/plot.sh" "$work/sweep" >"$work/plots" || return 1
	for name in readrandom-readers readwhilewriting-throughput readwhilewriting-cpu
	do
		grep -q lmdb "$work/sweep/plots/$name.svg" && grep -q null "$work/sweep/plots/$name.svg" || return 1
	done
	grep -q 'thread 3' "$work/sweep/plots/readwhilewriting-threads-null.svg" &&
		grep -q writer "$work/sweep/plots/readwhilewriting-threads-null.svg" &&
		! grep -q writer "$work/sweep/plots/readrandom-threads-null.svg" &&
		grep -q 'time of a write' "$work/sweep/plots/readwhilewriting-heatmap-lmdb.svg" &&
		! grep -q 'time of a write' "$work/sweep/plots/readrandom-heatmap-lmdb.svg"
}
ok 'plot.sh draws all labels in one picture, and the threads and times of each in its own' all_labels

# expand RUN WHAT: a timeline as the plots have it
expanded () {
	run=$work/sweep/runs/$1
	awk -v time="$(jq -r .time "$run/row.json")" -v iteration=1 -v cores=2 \
		-v seconds="$(jq .seconds "$run/row.json")" \
		-f "$top/scripts/plot/timeline.awk" -f "$top/scripts/plot/$2.awk" "$run/timeline.tsv"
}
# nearly A B: figures that differ in what was rounded, and in a last interval of a moment
nearly () {
	echo "$1, to be $2"
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(b > 0 && a > 0.98 * b && a < 1.02 * b) }'
}
# drawn_reads RUN SECONDS: reads of all threads until then, as a plot leaves out a remainder, in which the rate may be another
drawn_reads () {
	awk -F '\t' -v until="$2" 'NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i }
		$place["thread"] == "all" && (at += $place["span_s"]) < until + 1e-4 { n += $place["read_ops"] }
		END { print n }' "$work/sweep/runs/$1/timeline.tsv"
}
heat_is_all () {
	needs swept
	for run in lmdb-readwhilewriting-4t null-readrandom-1t
	do
		nearly "$(expanded $run heatmap | awk '$1 == "read" { n += $6 * ($3 - $2) } END { print n }')" \
			"$(jq .reads "$work/sweep/runs/$run/row.json")" || return 1
	done
	nearly "$(expanded lmdb-readwhilewriting-4t heatmap | awk '$1 == "write" { n += $6 * ($3 - $2) } END { print n }')" \
		"$(jq .writes "$work/sweep/runs/lmdb-readwhilewriting-4t/row.json")" &&
		expanded lmdb-readwhilewriting-4t threads >"$work/threads" &&
		nearly "$(awk 'NR > 1 { n += ($1 - at) * ($2 + $3 + $4 + $5); at = $1 } END { print n }' "$work/threads")" \
			"$(drawn_reads lmdb-readwhilewriting-4t "$(tail -n 1 "$work/threads" | cut -f 1)")"
}
ok 'the boxes of a heat map are all operations, and the threads together the rate' heat_is_all
# A last interval of a moment, too short for a box of its own beside the others: what was rare may be in it. Or after so
# long that six digits do not tell its ends apart.
heat_of_a_moment () {
	for spans in '1 0.001' '12.5 0.000003'
	do
		{
			printf 'time\titeration\tthread\tspan_s\tread_histogram\twrite_histogram\tscan_histogram\n'
			printf 'now\t1\tall\t%s\t1024:10\t\t\n' "${spans% *}"
			printf 'now\t1\tall\t%s\t4096:5\t\t\n' "${spans#* }"
		} >"$work/moment.tsv"
		awk -v time=now -v iteration=1 -v seconds="${spans% *}" -f "$top/scripts/plot/timeline.awk" -f "$top/scripts/plot/heatmap.awk" "$work/moment.tsv" |
			awk '$1 == "read" { n += $6 * ($3 - $2) } END { print n; exit !(n > 14.99 && n < 15.01) }' || return 1
	done
}
ok 'also those of a last interval of a moment' heat_of_a_moment

# joined WHAT SECONDS: what the plots have of $work/aside.tsv, a run of so many seconds
joined () {
	awk -v time=now -v iteration=1 -v seconds="$2" -f "$top/scripts/plot/timeline.awk" -f "$top/scripts/plot/$1.awk" "$work/aside.tsv" |
		paste -sd ';' - | tr '\t' ' '
}
# Five seconds: a snapshot is held in the first two and the last, the size is unknown in the third, and the probe did nothing in the fourth.
asides_over_time () {
	{
		echo 'time iteration thread span_s read_ops read_resp_p99_ns write_ops disk_kb'
		for second in '5 30 20 4000' '3 20 30 8000' '0 90 20 -' '0 - 10 9000' '1 30 20 9000'
		do
			# shellcheck disable=SC2086 # words, on purpose
			set -- $second
			echo "now 1 long_reader 1 $1 50 0 -"
			echo "now 1 probe 1 100 $2 0 -"
			echo "now 1 all 1 200 50 $3 $4"
		done
	} | sed 's/ -/ /g' | tr ' ' '\t' >"$work/aside.tsv"
	{
		joined sizes 5
		joined probe 5
		# of a run of so long, two and two seconds are one point
		joined sizes 400
		joined probe 400
		sed -i 's/disk_kb$/size/; s/probe/writer/' "$work/aside.tsv"
		joined sizes 5
		joined probe 5
	} >"$work/out"
	diff - "$work/out" <<'END'
at_s kib from_s from_kib held;1 4000 0  1;2 8000 1 4000 1;4 9000 3  0;5 9000 4 9000 1
at_s writes_per_sec p99_ns;1 20 30;2 30 20;3 20 90;4 10 ;5 20 30
at_s kib from_s from_kib held;2 8000 0  1;4 9000 2 8000 0
at_s writes_per_sec p99_ns;2 25 30;4 15 90


END
}
ok "the size over time has the stretches of a snapshot, and the probe's what it waited" asides_over_time
# Runs of two configurations, an invalid one and one without a probe; a figure is the median of its runs, with the fewest and the most threads.
probes () {
	jq -nc 'def one($i): {valid: 1, benchmark: "overwrite", label: "lmdb", engine: "lmdb", engine_options: "a=1", threads: 1, writes: 5,
			writes_per_sec: (100 + $i), probe_rate: 9, probe_p50_ns: (200 + $i), probe_p99_ns: (300 + $i), probe_resp_p99_ns: (400 + $i)};
		(range(3) as $i | one([7, 1, 50][$i]), (one([7, 1, 50][$i]) | .threads = (2, 4, 8))),
		(one(9) | .engine_options = "a=2"), (one(0) | .valid = 0), (one(0) | del(.probe_p50_ns, .probe_rate))' >"$work/probed"
	"$top/scripts/plot/probes.sh" "$work/probed" | tr '\t' ' ' >"$work/out"
	diff - "$work/out" <<'END'
benchmark threads name writes_per_sec p50_ns p99_ns resp_p99_ns
overwrite 2 lmdb, 2 threads 107 207 307 407
overwrite 8 lmdb, 8 threads 107 207 307 407
overwrite 1 lmdb+a=1, 1 thread 107 207 307 407
overwrite 1 lmdb+a=2, 1 thread 109 209 309 409
END
}
ok 'the picture of a probe has the medians of its runs' probes
# As long as the snapshot is held the file grows, and then no more.
drawn_asides () {
	"$top/scripts/sweep.sh" --out="$work/asides" --engines=lmdb,leveldb --benchmarks=overwrite --threads=1 --num=3000 --duration=1 \
		--timeline_interval=0.1 --probe_rate=500 --long_reader=0.3 --long_reader_pause=60 >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	# what the load takes, and has a picture of, is the machine's
	rm -r "$work"/asides/runs/*-filluniquerandbatch-*
	sed -i '/"benchmark":"filluniquerandbatch"/d' "$work/asides/results.json"
	pictures "$work/asides" overwrite-growth overwrite-probe overwrite-probe-over-time || return 1
	for name in growth probe probe-over-time
	do
		grep -q leveldb "$work/asides/plots/overwrite-$name.svg" || return 1
	done
	grep -q 'a snapshot was held' "$work/asides/plots/overwrite-growth.svg" && grep -q 'p99 response' "$work/asides/plots/overwrite-probe.svg" &&
		grep -q "^overwrite-probe	Long bars" "$work/asides/plots/captions.tsv" || return 1
	run=$work/asides/runs/lmdb-overwrite-1t
	awk -v time="$(jq -r .time "$run/row.json")" -v iteration=1 -v seconds=1 -f "$top/scripts/plot/timeline.awk" \
		-f "$top/scripts/plot/sizes.awk" "$run/timeline.tsv" >"$work/sizes"
	cat "$work/sizes"
	nearly "$(tail -n 1 "$work/sizes" | cut -f 2)" "$(jq .run_disk_kb "$run/row.json")" &&
		awk 'NR > 1 { held += $5; freed += !$5 } END { exit !(held > 0 && held < freed) }' "$work/sizes"
}
ok 'plot.sh draws how the files grow, and what a probe met beside the writes' drawn_asides
# Bars in the order of their values, and no text that runs out of a picture: of a planted long warning, and a title of 120 letters.
within_pictures () {
	needs drawn_asides
	rm -rf "$work/ordered" && cp -R "$work/asides" "$work/ordered" || return 1
	for most in lmdb leveldb
	do
		jq -c --arg most "$most" '.writes_per_sec = (if .label == $most then 2e6 else 1e6 end) | .warnings = "a word " * 40' "$work/asides/results.json" >"$work/ordered/results.json"
		"$top/scripts/plot.sh" "$work/ordered" >"$work/plots" || return 1
		# gnuplot writes names from below
		first=$(grep -o '>[ ]*\(lmdb\|leveldb\)<' "$work/ordered/plots/overwrite-probe.svg" | tr -d '<> ' | tail -n 1)
		[ "$first" = "$most" ] || { echo "$first is above $most"; return 1; }
	done
	! grep -h -o '<text>[^<]\{105,\}<' "$work"/ordered/plots/*.svg || return 1
	title=$(printf '%120s' ' ' | tr ' ' x)
	"$top/scripts/plot/picture.sh" growth "$work/titled" "$title" "\"lmdb\" \"$work/sizes\"" >"$work/out" || return 1
	size=$(grep -B 3 "$title" "$work/titled.svg" | grep -o 'font-size="[0-9.]*' | tail -n 1 | sed 's/.*"//')
	echo "title of size $size"
	awk -v size="$size" 'BEGIN { exit !(size > 5 && size < 9.5) }'
}
ok 'bars of a plot stand by value, and no title or note runs out of it' within_pictures
# Lines of latencies have the mark of their engine, and dashes if they are variants.
marked () {
	needs swept
	run=$work/sweep/runs/lmdb-readrandom-1t/latency.hgrm
	for name in lmdb leveldb
	do
		"$top/scripts/plot/picture.sh" percentiles "$work/marks-$name" marks "\"$name\" \"$run\"" >"$work/out" || return 1
		grep -o "xlink:href='#gpPt[0-9]*'" "$work/marks-$name.svg" | sort -u >"$work/marks-$name.txt"
		[ -s "$work/marks-$name.txt" ] || return 1
	done
	! cmp -s "$work/marks-lmdb.txt" "$work/marks-leveldb.txt"
}
ok 'lines of latencies have the marks of their engines' marked
# In a directory whose name a shell would read something into, a plot is the same.
awkward_place () {
	place="$work/it's \"here\", '' \$(touch $work/ran) \`touch $work/ran\` \\n"
	mkdir -p "$place"
	cp -r "$top/scripts" "$place"
	"$top/bench_null" --benchmarks=readrandom --num=1k --hdr_log=old.log >"$work/out"
	printf '%s\n' 'panel	label	x	y' 'p	lmdb	g	3' 'p	rocksdb	g	2' >"$work/bars"
	"$place/scripts/plot/picture.sh" bars "$work/there" title ops "$work/bars" p 'lmdb rocksdb' - g 2>"$work/err"
	"$top/scripts/plot/picture.sh" bars "$work/here" title ops "$work/bars" p 'lmdb rocksdb' - g
	cat "$work/err"
	[ ! -s "$work/err" ]
	[ ! -e "$work/ran" ]
	cmp "$work/here.svg" "$work/there.svg"
	# in the colours of both
	for name in lmdb rocksdb
	do
		colour=$(jq -r --arg name $name 'select(.engine == $name).light' "$top/scripts/plot/palette.json")
		grep -q "$(printf 'rgb([ ]*%d,[ ]*%d,[ ]*%d)' "0x$(echo "$colour" | cut -c 2-3)" "0x$(echo "$colour" | cut -c 4-5)" \
			"0x$(echo "$colour" | cut -c 6-7)")" "$work/there.svg"
	done
}
ok 'plots are drawn from a checkout whose path has quotes' awkward_place

one_row () {
	needs configurations_have_labels
	pictures "$work/s6" readrandom-latency
}
ok 'a run of one row has no picture over time' one_row
drawn_load () {
	"$top/scripts/sweep.sh" --out="$work/load" --engines=null --benchmarks=fillseqbatch --load=none --threads=1 --num=300k --null_put_ns=1000 \
		--timeline_interval=0.05 >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	"$top/scripts/plot.sh" "$work/load" >"$work/plots" || return 1
	not_blank "$work/load/plots/fillseqbatch-load-time.png" && [ ! -e "$work/load/plots/fillseqbatch-growth.png" ] &&
		[ ! -e "$work/load/plots/fillseqbatch-probe.png" ]
}
ok 'and a load of some intervals is drawn over time, without a size that there is not' drawn_load
blank_is_blank () {
	gnuplot -e "set terminal pngcairo; set output '$work/blank.png'; unset border; unset tics; unset key; plot [0:1] -1 notitle" \
		2>"$work/gnuplot"
	! not_blank "$work/blank.png" >"$work/colours" || return 1
	grep ': [1-5] colours$' "$work/colours"
}
ok 'and the check would notice a blank one' blank_is_blank
blank_label () {
	needs swept
	mkdir "$work/p2" && sed 's/"label":"null"/"label":"null on nvme"/' "$work/sweep/results.json" >"$work/p2/results.json" &&
		fails 1 "the label 'null on nvme' has a blank" "$top/scripts/plot.sh" "$work/p2"
}
ok 'plot.sh refuses labels that it cannot read' blank_label
ok 'plot.sh says what is missing' fails 2 '' "$top/scripts/plot.sh" "$work/nowhere"

# capacity RATE [COMMANDS]: of an engine that does so many operations a second. Its rows have the $writes and the $p99 of
# them that these set by $rate, $others, and no other response times.
capacity () {
	mkdir -p "$work/slow"
	ln -sfn "$top/scripts" "$work/slow/scripts"
	cat >"$work/slow/bench_slow" <<END
#!/bin/sh
rate=0 writes=null p99=null kept=1 others=
for argument
do
	case \$argument in
	--rate=*) rate=\${argument#*=} ;;
	--json=*) file=\${argument#*=} ;;
	esac
done
${2-}
echo "{\"engine\":\"slow\",\"benchmark\":\"overwrite\",\"threads\":1,\"host\":\"here\",\"valid\":1,\"target_rate_met\":\$kept,\"target_rate\":\$rate,\"backlog\":0,\
\"ops_per_sec\":$1,\"writes\":\$writes,\"write_resp_p99_ns\":\$p99\$others}" >>"\$file"
END
	status=0
	chmod +x "$work/slow/bench_slow" && "$work/slow/scripts/capacity.sh" --out="$work/slow/out" --p99=10s --seconds=1 --steps=1 slow \
		>"$work/out" 2>"$work/err" || status=$?
	cat "$work/out" "$work/err"
	[ $status -eq 1 ] && [ ! -s "$work/err" ]
}
no_verdict () {
	capacity 5 && grep -q '^slow: 5 a second .* too few for runs of 1 s with 3300 operations; give more --seconds$' "$work/out" &&
		capacity 5000 && grep -q '^slow: not even 3300 of its 5000 operations a second keep a p99 of 10s$' "$work/out" &&
		capacity 500000 'writes=2999 p99=1' &&
		grep -q '^slow: not decided: at 5000 a second there were 2999 operations of a kind in 1 s, and a p99 is judged by 3000; ' "$work/out"
}
ok 'capacity.sh gives no verdict on the limit from runs with too few operations, and keeps none without response times' no_verdict
# Up to 100,000 a second keep it, but a quarter of the 158,114 in the middle of the interval does not.
contradicts_itself () {
	capacity 500000 'writes=5000 p99=1; case $rate in 39529 | ??????) p99=99000000000 ;; esac' &&
		grep '^slow: not decided: 39529 operations a second exceeded a p99 of 10s, and the higher rate 79057 did not;' "$work/out"
}
ok 'nor if a rate did not keep it, and a higher one did' contradicts_itself

# All kinds take a microsecond but one, which takes 99 s; or all do, and the rate was not kept.
each_kind_decides () {
	quick='kept=1 writes=5000 p99=1000 others=,\"reads\":5000,\"read_resp_p99_ns\":1000,\"scans\":5000,\"scan_resp_p99_ns\":1000'
	slow=99000000000
	for change in p99=$slow "others=\$others,\\\"read_resp_p99_ns\\\":$slow" "others=\$others,\\\"scan_resp_p99_ns\\\":$slow" kept=0
	do
		capacity 500000 "$quick
			$change" && grep '^slow: not even 5000 of its 500000 operations a second keep a p99 of 10s$' "$work/out" || return 1
	done
	! capacity 500000 "$quick; case \$rate in ??????) writes=5000 p99=$slow ;; esac" &&
		grep '^slow: between 79057, which kept it, and 126492, which did not; the limit is broken by writes that started late$' "$work/out" &&
		grep '^slow: [0-9]* operations a second keep a p99 of 10s; ' "$work/out"
}
ok 'nor is a limit kept if any kind is slower, or the rate was not kept' each_kind_decides

no_storages () {
	status=0
	"$top/scripts/storages.sh" --out="$work/none" --storages=nosuch >"$work/out" 2>"$work/err" || status=$?
	[ $status -eq 1 ] && tail -n 1 "$work/err" | grep '^storages.sh: no storage left results' && ! grep '^cat' "$work/err" && [ ! -e "$work/none/results.json" ] &&
		[ ! -e "$work/none/arguments" ]
}
ok 'storages.sh says it if no storage left results, and leaves none' no_storages

# A command that sweep.sh refuses leaves nothing, for the right one to continue; for the device its engines are asked.
no_sweep () {
	fails 2 "no benchmark 'nosuch'" "$top/scripts/storages.sh" --out="$work/refused" --engines=null --storages=ext4 --benchmarks=nosuch &&
		fails 1 'bench_nosuch does not exist' "$top/scripts/storages.sh" --out="$work/refused" --engines=null --raw-engines=nosuch --storages=ext4,raw &&
		[ ! -e "$work/refused" ]
}
ok 'storages.sh writes nothing if sweep.sh refuses its arguments' no_sweep

quickstart () {
	NUM=20k SECONDS_EACH=0.05 ROUNDS=2 THREADS=1,2 "$top/scripts/quickstart.sh" --engines=debian >"$work/quick" 2>&1 || { cat "$work/quick"; return 1; }
	cat "$work/quick"
	engines=
	for engine in $(make -C "$top" -s engines)
	do
		case $engine in
		null | aio) ;;
		*) engines="$engines $engine" ;;
		esac
	done
	made=$(sed -n 's|^All of it.*: \(results/quickstart-[0-9-]*\)/report.html$|\1|p' "$work/quick")
	[ -n "$made" ]
	# two rounds tell nobody apart
	grep '^readwhilewriting, 4 threads: [0-9]* engines share the first place with ' "$work/quick"
	if grep ': warning: ' "$work/quick"; then return 1; fi
	[ "$(wc -l <"$top/$made/results.tsv")" -eq "$(($(wc -l <"$top/$made/results.json") + 1))" ]
	ls "$top/$made/runs/lmdb-readrandom-1t/latency.hgrm" "$top/$made/runs/lmdb-readwhilewriting-4t/latency.hgrm"
	[ -s "$top/$made/report.html" ]
	[ "$(find "$top/$made/plots" -name '*.png' | wc -l)" -ge 3 ]
	for engine in $engines
	do
		jq -es --arg e "$engine" '[.[] | select(.engine == $e and .valid == 1)] | group_by(.label) | all(.[];
			map([.benchmark, .threads, .iteration]) == [["filluniquerandbatch", 1, 1], ((
			["readrandom", 1], ["readrandom", 2], ["readwhilewriting", 4]) | . + ([1], [2]))])' "$top/$made/results.json"
	done
	rm -rf "${top:?}/$made"
}
ok 'quickstart.sh loads, sweeps and compares every engine, and says what was found' quickstart

# A stand-in for GNU parallel says who it is, and waits.
waiting_hosts () {
	mkdir "$work/bin"
	printf '#!/bin/sh\necho $$ >>"%s"\nexec sleep 60\n' "$work/at-work" >"$work/bin/parallel"
	printf '#!/bin/sh\n' >"$work/bin/rsync"
	chmod +x "$work/bin/parallel" "$work/bin/rsync"
	printf 'one\n# not this\nuser@two:22\n' >"$work/hosts"
	PATH="$work/bin:$PATH" env --default-signal=INT "$top/scripts/sweep.sh" --out="$work/each" --engines=null --load=none \
		--benchmarks=readrandom --threads=1 --num=10 --hosts="$work/hosts" --each-host >"$work/out" 2>"$work/err" &
	sweep=$!
	within 30 sh -c "[ \$(wc -l <'$work/at-work') -eq 2 ]"
	kill -s "$1" $sweep
	exits "$2" $sweep
	cat "$work/err"
	[ "$(grep -c 'interrupted; start it again' "$work/err")" -eq 3 ]
	gone "$(paste -s -d , "$work/at-work")"
	rm -r "${work:?}/bin" "$work/at-work" "$work/each"
}
ends_hosts () {
	waiting_hosts INT 130
	waiting_hosts TERM 143
}
ok 'sweep.sh --each-host ends what is at work on all hosts when it is interrupted' ends_hosts
plans_for_hosts () {
	printf 'one\n# not this\nuser@two:22\n' >"$work/hosts"
	set -- "$top/scripts/sweep.sh" --engines=null --load=none --threads=1 --num=10 --hosts="$work/hosts"
	"$@" --out="$work/each" --each-host --benchmarks=readrandom --dry-run >"$work/out"
	cat "$work/out"
	for number in 1 2
	do
		"$@" --out="$work/each/hosts/$number" --benchmarks=readrandom --dry-run
	done | diff - "$work/out"
	fails 2 readrandm "$@" --out="$work/each" --each-host --benchmarks=readrandm
	[ ! -e "$work/each" ]
}
ok 'and its --dry-run prints the commands of all hosts, and a wrong argument ends it, before anything is made' plans_for_hosts
odd_hosts () {
	for host in "it's" 'a/b' '@x' 'user@' ',' '-x' '(x)' '..' 'x;y'
	do
		printf 'one\n%s\n' "$host" >"$work/hosts"
		fails 2 "cannot read '$host'" "$top/scripts/sweep.sh" --out="$work/nohost" --engines=null --load=none --hosts="$work/hosts"
	done
	echo 'nosuchcommand -p 22 host' >"$work/hosts"
	fails 2 "begins with 'nosuchcommand', which is not a command" "$top/scripts/sweep.sh" --out="$work/nohost" --hosts="$work/hosts"
	echo '# nobody' >"$work/hosts"
	fails 2 'names no host' "$top/scripts/sweep.sh" --out="$work/nohost" --hosts="$work/hosts" --each-host
	fails 2 'steal-limit are of this machine' "$top/scripts/sweep.sh" --out="$work/nohost" --hosts="$work/hosts" --steal-limit=3
	fails 2 'steal-limit are of this machine' "$top/scripts/sweep.sh" --out="$work/nohost" --slurm --steal-limit=3
	[ ! -e "$work/nohost" ]
}
ok 'and refuses a file of hosts that names none, or one that GNU parallel cannot read, and what other hosts cannot do' odd_hosts

begin_alike () {
	for script in "$top"/scripts/*.sh "$top"/scripts/*/*.sh
	do
		[ ! -x "$script" ] || grep -q '^[.] ".*/\(repro-\)\?common[.]sh"$' "$script" || { echo "$script begins otherwise"; return 1; }
	done
	! grep -l mktemp "$top"/scripts/*.sh "$top"/scripts/*/*.sh | grep -v '/\(common\|storage\|lying-disk\)[.]sh$'
}
ok 'every script begins with common.sh, and makes its temporary directory by that' begin_alike

# ended_by SIGNAL STATUS: a script that waits in its temporary directory
ended_by () {
	mkdir "$work/ended by" && cp "$top/scripts/common.sh" "$work/ended by" || return 1
	printf '%s\n' 'set -eu' '. "$(dirname "$0")/common.sh"' make_work 'kill -s "$1" $$' 'echo still here' >"$work/ended by/waits.sh"
	status=0
	TMPDIR="$work/ended by" env --default-signal=INT,TERM,HUP sh "$work/ended by/waits.sh" "$1" || status=$?
	[ $status -eq "$2" ] && ls "$work/ended by" && [ "$(find "$work/ended by" | wc -l)" -eq 3 ] && rm -r "$work/ended by"
}
leaves_nothing () {
	ended_by HUP 129 && ended_by INT 130 && ended_by TERM 143
}
ok 'a script that is told to stop takes its temporary directory away' leaves_nothing

german () {
	mkdir -p "$work/locales"
	{ "$top/scripts/install-deps.sh" locales && localedef -i de_DE -f UTF-8 "$work/locales/de_DE.UTF-8"; } 2>"$work/apt" ||
		cannot "there is no other locale: $(tail -n 1 "$work/apt")"
}
# in_german COMMAND...: where figures have commas
in_german () {
	LC_ALL=de_DE.UTF-8 LOCPATH="$work/locales" "$@"
}
# alike COMMAND...: it prints the same there
alike () {
	status=0
	"$@" >"$work/english" 2>&1 || status=$?
	other=0
	in_german "$@" >"$work/german" 2>&1 || other=$?
	[ $other -eq $status ] && [ -s "$work/english" ] && diff "$work/english" "$work/german"
}
same_everywhere () {
	needs swept
	needs configurations_have_labels
	needs german
	# or it would prove nothing
	[ "$(in_german awk 'BEGIN { print 1 / 2 }')" = 0,5 ]
	alike "$top/scripts/summary.sh" "$work/sweep/results.json" && alike "$top/scripts/plot/points.sh" "$work/sweep/results.json" &&
		alike "$top/scripts/compare.sh" "$work/sweep/results.json" --by=label --old=lmdb --new=null --allow=engine,engine_version &&
		alike "$top/scripts/table.sh" "$work/nowhere.json" &&
		in_german "$top/scripts/plot.sh" "$work/s6" >"$work/out" || return 1
	mkdir "$work/over" && cp -r "$work/sweep" "$work/over/one" && cp "$work/sweep/results.json" "$work/over/rows.json" &&
		in_german "$top/scripts/repro/overtime.sh" "$work/over" && jq -es 'all(.[]; .intervals > 0)' "$work/over/rows.json"
}
ok 'what scripts print of figures, and say, is the same where figures have commas' same_everywhere

# parity LINES: parity.sh beside a db_bench that prints those
parity () {
	mkdir -p "$work/stub"
	cat >"$work/stub/db_bench" && chmod +x "$work/stub/db_bench" && PATH="$work/stub:$PATH" ROUNDS=2 NUM=1000 ENGINES=rocksdb \
		TMPDIR="$work" "$top/scripts/parity.sh" --markdown >"$work/out" 2>"$work/err"
}
parity_table () {
	status=0
	parity <<-'END' || status=$?
		#!/bin/sh
		printf "DB path\n%s : 400000.000 micros/op 2 ops/sec\n" fillrandom overwrite 'compact  ' readrandom seekrandom
	END
	cat "$work/out" "$work/err"
	[ $status -eq 1 ] && [ "$(grep -c '^| rocksdb | .* | 400000.00 | [0-9.]* | 0[.]000 | 0[.]000 | OFF |$' "$work/out")" -eq 4 ] &&
		grep '^Medians of 2 rounds of 1000 records' "$work/out"
}
parity_incomplete () {
	! parity <<-'END' && grep 'did not print a time of each' "$work/err"
		#!/bin/sh
		printf "%s : 400000.000 micros/op\n" fillrandom overwrite readrandom seekrandom
	END
}
if [ -x "$top/bench_rocksdb" ]
then
	ok "parity.sh sets ours beside the engine's own benchmark, and says what is off" parity_table
	ok 'and takes none that did something else' parity_incomplete
fi

# LMDB syncs twice for a commit, has no thread and loses nothing to kill -9; a map that is too small is an error of its own.
has_footprint () {
	got=0
	"$top/scripts/footprint.sh" --engines=lmdb,lmdb+mapsize=64Ki --dir="$work" --num=1000 --commits=20 --idle=1 --tsv="$work/footprint" \
		>"$work/out" 2>"$work/err" || got=$?
	cat "$work/out" "$work/err" "$work/footprint"
	[ $got -eq 1 ] && grep -q -x 'footprint.sh: an engine failed; see the list above' "$work/err" && grep -q '^- lmdb+mapsize=64Ki: .*MDB_MAP_FULL' "$work/out" &&
		awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$1 != "lmdb" { other += $at["syncs_large"] == "" && $at["new_allocated_kib"] > 0; next }
			{ good = $at["syncs_small"] == 2 && $at["syncs_large"] == 2 && $at["idle_threads"] == 0 && $at["idle_anon_mib"] > 0 &&
				$at["lost_none"] "," $at["lost_async"] "," $at["lost_sync"] == "0,0,0" && $at["loaded_apparent_mib"] > 0.1 &&
				$at["loaded_apparent_mib"] * 1024 > $at["new_apparent_kib"] && $at["deleted_open_mib"] > 0 && $at["deleted_closed_mib"] > 0 }
			END { exit !(good && other == 1 && NR == 3) }' "$work/footprint" && [ -z "$(find "$work" -maxdepth 1 -name 'tmp.*')" ]
}
ok 'footprint.sh measures what an engine does unasked, and goes on after one that fails' has_footprint
refuses_footprint () {
	for wrong in '' --engines=nosuch --engines=lmdb,nosuch '--engines=lmdb --num=1' '--engines=lmdb --idle=0' '--engines=lmdb --dir=/nosuch' '--engines=lmdb more'
	do
		# shellcheck disable=SC2086 # words, on purpose
		fails 2 . "$top/scripts/footprint.sh" $wrong || { echo "$wrong"; return 1; }
	done
}
ok 'footprint.sh refuses what it cannot do' refuses_footprint
# The harness's own threads are those of bench_null.
footprint_needs_null () {
	mkdir "$work/unbuilt" && cp -R "$top/scripts" "$work/unbuilt" && cp -p "$top/bench_lmdb" "$work/unbuilt" || return 1
	fails 1 '^footprint.sh: bench_null is not built; make bench_null$' "$work/unbuilt/scripts/footprint.sh" --engines=lmdb --dir="$work" || return 1
	printf '#!/bin/sh\necho "bench_null: it fails" >&2\nexit 1\n' >"$work/unbuilt/bench_null" && chmod +x "$work/unbuilt/bench_null" || return 1
	fails 1 '^footprint.sh: bench_null fails: bench_null: it fails$' "$work/unbuilt/scripts/footprint.sh" --engines=lmdb --dir="$work"
}
ok 'footprint.sh says why it cannot measure the harness' footprint_needs_null
