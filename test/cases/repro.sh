# repro.sh: what the reproductions share: claims are decided as the figures are, experiments run once, and the page
# of a directory opens in a browser.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

if ! "$top/scripts/install-deps.sh" tidy 2>"$work/apt"
then
	skip 'what the reproductions share' "$(tail -n 1 "$work/apt")"
	return 0
fi

# The published figures alone: published.sh has their numbers, and its tests; the last four are in claims.sh only.
of_published () {
	"$top/scripts/claims.sh" --published --json >"$work/verdicts"
}
verdicts () {
	needs of_published
	"$top/scripts/published.sh" --json >"$work/findings" || return 1
	{
		# those of which a claim says more, at other sizes or of most rows only, or which no
		# claim is about
		jq -r 'select(.id | IN("A20", "C.key", "C3", "E11", "E15", "E19", "F4") | not) | "\(.id) fails \(.agree) of \(.rows) agree"' "$work/findings"
		printf '%s\n' 'C1 holds' 'D10 fails 27.4 MB' 'E12 holds' 'E17 holds X UnumDB 304k' \
			'A9 depends by its times: does not hold, 748 %' 'E15 depends 1 TB: does not hold' 'B11 holds' 'G3 holds'
	} >"$work/expected"
	[ "$(wc -l <"$work/expected")" -eq 13 ] && while read -r id verdict numbers
	do
		jq -es --arg id "$id" --arg verdict "$verdict" --arg numbers "$numbers" \
			'any(.[]; .id == $id and .published.verdict == $verdict and (.published.numbers | contains($numbers)))' \
			"$work/verdicts" || { echo "not so: $id $verdict $numbers"; return 1; }
	done <"$work/expected"
}
ok 'claims.sh says of the published figures what published.sh does' verdicts

# Every claim has an answer on the published figures or a reason; no expression breaks.
all_answer () {
	needs of_published
	jq 'select((.published.verdict == "open" and (.published.reason // "") == "") or
		(.published.verdict != "open" and (.published.numbers // "") == "") or
		(.published.reason // "" | test("Cannot|cannot (index|iterate)|null \\(")))' "$work/verdicts" >"$work/broken"
	[ ! -s "$work/broken" ] || { cat "$work/broken"; return 1; }
	[ "$(wc -l <"$work/verdicts")" -ge 96 ]
}
ok 'every claim is decided with its numbers, or says why not' all_answer

# The survey of the documents has A1 to E25, and the sixth G1 to G9, but for what no document says.
enough () {
	"$top/scripts/claims.sh" --ids >"$work/ids" || return 1
	for range in A:24 B:22 C:9 D:13 E:25 G:9
	do
		for number in $(seq "${range#*:}")
		do
			echo "${range%:*}$number"
		done
	done | grep -v -x -e B6 -e C2 -e C5 -e C6 -e E10 -e E16 -e E21 | sort >"$work/known"
	cut -f 1 "$work/ids" | grep '^[A-EG][0-9]*$' | sort | comm -3 - "$work/known" >"$work/differ"
	[ ! -s "$work/differ" ] || { echo 'not the claims of the survey:'; cat "$work/differ"; return 1; }
	decided=$(grep '^[A-EG][0-9]*	' "$work/ids" | grep -v -c 'neither$')
	[ "$decided" -ge 75 ] || { echo "only $decided are decided by data"; return 1; }
}
ok 'all 95 claims are there, and data can decide 75 of them or more' enough
# Each is said somewhere, or read off a table, and nothing else is in that list.
sourced () {
	needs of_published
	jq -es 'all(.[]; (.kind == "said" and (.place | test(": \"..*\"$"))) or (.kind == "read off" and (.place | length > 5)))' "$work/verdicts" &&
		jq -r .id "$work/verdicts" | sort >"$work/known" && cut -f 1 "$top/scripts/repro/sources.tsv" | sort | diff - "$work/known"
}
ok 'each claim is said, with its place, or read off a table' sourced
# Of what was published 54 claims or more are decided.
decided () {
	needs of_published
	jq -es 'map(select(.published.verdict != "open")) | length >= 54' "$work/verdicts"
}
ok 'the published figures decide 54 of them or more' decided

# A tree of its own, with a script, a map and claims that are known.
tree=$work/tree
mkdir -p "$tree/results" "$tree/scripts/repro/claims"
cp "$top"/scripts/*.* "$tree/scripts"
cp -R "$top/scripts/plot" "$top/scripts/reading" "$top/scripts/tools" "$tree/scripts"
cp "$top"/scripts/repro/*.tsv "$top/scripts/repro/claims.jq" "$top/scripts/repro/repro-common.sh" "$top/scripts/repro/page.sh" \
	"$tree/scripts/repro"
printf '%s\n' 'T1	said	x: "y"' 'T2	said	x: "y"' 'T3	said	x: "y"' 'T4	read off	a table' 'T5	said	x: "y"' >>"$tree/scripts/repro/sources.tsv"
cp -R "$top/results/published" "$tree/results"
cp -R "$top/engines" "$top"/bench_* "$tree"
mkdir "$tree/build"
cp "$top/build/stats" "$tree/build"
cat >"$tree/scripts/repro/example-2000.sh" <<'END'
#!/bin/sh
set -eu
. "$(dirname "$0")/repro-common.sh"
reproduce voron-2013 "An example." "$@"
repro_takes "$(repro_choose 1 1 1000000)" 1 "$(repro_choose minutes seconds days)"
repro_missing voron "not for this system"
engines=$(repro_present null,lmdb)
experiment load --engines="$engines" --benchmarks=fillseq --load=none --threads=1 --num="$(repro_scaled 100000 1000 1000000000)" \
	--databases="$out/db" --field parts='.threads * 2'
experiment read --engines="$engines" --benchmarks=readrandom --load=none --threads=1,2 --num="$(repro_scaled 100000 1000 1000000000)" \
	--databases="$out/db" --reads=1000 --field experiment='"run"'
[ -n "$dry" ] || scripts/plot.sh "$out/read" >/dev/null
[ -n "$dry" ] || cp -R "$out"/read/plots/. "$out/figures"
repro_finish
END
chmod +x "$tree/scripts/repro/example-2000.sh"
cat >"$tree/scripts/reading/publications/example_2000.py" <<'END'
from ..markdown_tables import markdown_table
from ..points import Point
from ..reproduction_answers import Head, RoundFigure, leads_question, multiples_panel, answer_figures
from ..text import commas

def published(tables):
    return [Point(document="voron-2013", experiment="load", engine="voron", label=row.flush, ops_per_sec=row.ops_per_sec)
            for row in tables.table("voron-2013-fill")]

def loads(run):
    return [row for row in run.rows if row.experiment == "load"]

def tables(run):
    there = [["voron, " + row.flush, commas(row.ops_per_sec), None] for row in run.tables.table("voron-2013-fill")]
    return ["## Loads", "", *markdown_table(["engine", "published", "here"], there + [[row.engine, None, commas(row.ops_per_sec)] for row in loads(run)]),
            *(f"Missing: {engine}, {reason}." for engine, reason in run.missing)]

def head(run):
    here = answer_figures(loads(run), lambda row: row.ops_per_sec)
    return Head([leads_question("loads fastest", "/s", [RoundFigure("lmdb", 1), RoundFigure("null", 2)], here)],
        [multiples_panel("Loads", "", "/s", "lmdb", [], here)])
END
cat >"$tree/scripts/repro/claims/voron-2013.jq" <<'END'
include "claims";

def T1: claim({shape: "O", where: "published", text: "none is faster than buffers"};
	answer(get("load"; "none"; .ops_per_sec) > get("load"; "buffers"; .ops_per_sec); "as printed"));
def T2: claim({shape: "O", where: "published", text: "buffers is faster than none"};
	answer(get("load"; "none"; .ops_per_sec) < get("load"; "buffers"; .ops_per_sec);
		ranking("load"; .ops_per_sec) | listed));
def T3: 0.1 as $tolerance | claim({shape: "O", where: "both", $tolerance,
	text: "two threads read twice as much as one, of either engine"};
	answer(ratio(get("run"; "null"; .threads == 2; .ops); get("run"; "lmdb"; .threads == 1; .ops)) == 2 and
		within(get("load"; "lmdb"; .parts); 2; $tolerance); engines("run") | join(" ")));
def T4: claim({shape: "N", where: "ours", text: "lmdb does more than doing nothing"};
	get("run"; "lmdb"; .threads == 1; .ops) as $one |
	answer($one > get("run"; "null"; .threads == 1; .ops); $one | show));
def T5: claim({shape: "O", where: "neither", text: "it was cold that day",
	reason: "nothing is printed of the weather"}; null);
END
cd "$work" || exit 1

example () {
	"$tree/scripts/repro/example-2000.sh" --out="$work/example" "$@"
}

dry_runs () {
	example --scale=small --dry-run >"$work/dry" && [ ! -e "$work/example" ] &&
		[ "$(grep -c '^./bench_' "$work/dry")" -eq 6 ] && grep -q -e "--num='*1000" "$work/dry"
}
ok 'a reproduction says what it would run, and makes nothing' dry_runs

ok 'and refuses a scale that is none' fails 2 "cannot read '1x'" example --scale=1x
ok 'and an engine that there is not' fails 2 "no engine 'conform'" example --engines=conform
ok 'and what it cannot read' fails 2 "cannot read 'fast'" example fast
too_large () {
	example --scale=full 2>&1 | tail -n 1 | grep 'GiB are free at .* and it needs 1000000'
}
ok 'and the scale of the publication where there is no room for it' too_large
rm -rf "$work/example"

an_example () {
	example --scale=small
}
reproduces () {
	needs an_example
	for file in rows.json rows.tsv missing.tsv meta.json tables.md claims.md report.html figures/readrandom-readers.svg
	do
		[ -s "$work/example/$file" ] || { echo "no $file"; return 1; }
	done
	[ ! -e "$work/example/db" ] || return 1
	jq -se 'length == 6 and ([.[].experiment] | unique) == ["load", "run"] and all(.[]; .document == "voron-2013") and
		([.[] | select(.experiment == "load") | .parts] == [2, 2])' "$work/example/rows.json" &&
		[ "$(wc -l <"$work/example/rows.tsv")" -eq 7 ] && grep -q '^voron	not for' "$work/example/missing.tsv" &&
		grep -q '104,404' "$work/example/tables.md" && grep -q 'Missing: voron' "$work/example/tables.md"
}
ok 'a reproduction leaves its rows, tables, claims, figures and page' reproduces

resumes_once () {
	needs an_example
	cp "$work/example/rows.json" "$work/before" && touch "$work/again" && example --scale=small &&
		cmp "$work/before" "$work/example/rows.json" &&
		[ -z "$(find "$work/example" -name status -newer "$work/again")" ]
}
ok 'started again it repeats nothing and has the same rows' resumes_once
another_scale () {
	needs an_example
	fails 2 'at scale small' example --scale=default
}
ok 'and refuses another scale in the same place' another_scale

# A run in which the hypervisor took the CPU is done again, at most twice; what stays so is named in meta.json.
takes_again () {
	cat >"$tree/bench_stolen" <<'END'
#!/bin/sh
engine=null
[ "$STEAL_COPIES" = no ] || engine=lmdb
"${0%/*}/bench_$engine" "$@" || exit
for argument
do
	case $argument in
	--json=*) json=${argument#*=} ;;
	esac
done
[ -n "${json-}" ] || exit 0
jq -c --argjson steal "$(head -n 1 "$0.next")" '.steal_percent = $steal' "$json" >"$json.new" && mv "$json.new" "$json" && sed -i 1d "$0.next"
END
	chmod +x "$tree/bench_stolen"
	# COPIES OPTIONS LEFT STEAL...: a sweep whose runs meet these in turn, of which LEFT are not met
	again_taken () {
		rm -rf "$work/again-taken"
		copies=$1 options=$2 left=$3
		shift 3
		printf '%s\n' "$@" >"$tree/bench_stolen.next"
		# shellcheck disable=SC2086 # words, on purpose
		STEAL_COPIES=$copies "$tree/scripts/sweep.sh" --out="$work/again-taken" --engines=stolen --load=fillseq --benchmarks=overwrite --num=100 \
			$options >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
		cat "$work/err" "$work/again-taken/results.json"
		[ "$(wc -l <"$tree/bench_stolen.next")" -eq "$left" ] || return 1
		jq -es 'map(.steal_percent)' "$work/again-taken/results.json" >"$work/steals"
	}
	again_taken yes '--threads=1,2 --steal-limit=3' 0 9 1 9 8 7 3 && jq -e '. == [1, 7, 3]' "$work/steals" &&
		grep -x 'sweep.sh: runs repeated because the hypervisor took more than 3 % of the CPU: 3' "$work/err" || return 1
	again_taken no '--threads=1,2 --steal-limit=3' 0 9 1 9 8 && jq -e '. == [1, 9, 8]' "$work/steals" || return 1
	again_taken yes '--threads=1,2' 3 9 9 9 1 1 1 && jq -e '. == [9, 9, 9]' "$work/steals" || return 1
	again_taken no '--threads=1 --load=none --benchmarks=fillseq,overwrite --steal-limit=3' 0 9 1 9 && jq -e '. == [1, 9]' "$work/steals" || return 1
	# without copies a run of several changes what the next would find, unless it has a load of its own, which is repeated
	again_taken no '--threads=1 --repeat=2 --steal-limit=3' 0 9 1 9 9 1 9 && jq -e 'sort == [1, 1, 9, 9]' "$work/steals" || return 1
	rm "$tree/bench_stolen" "$tree/bench_stolen.next"
	# what changes the database that it finds is not done again
	sed 's/^experiment load.*/&\n	--once --field steal_percent=9 \\/' "$tree/scripts/repro/example-2000.sh" >"$tree/scripts/repro/took-2000.sh"
	chmod +x "$tree/scripts/repro/took-2000.sh"
	cp "$tree/scripts/sweep.sh" "$work/sweep.sh"
	sed -i '2i echo "$*" >>"$0.calls"' "$tree/scripts/sweep.sh"
	"$tree/scripts/repro/took-2000.sh" --scale=0.01 --read-ahead=0 --engines=lmdb --out="$work/took" || return 1
	[ "$(grep -c 'out=[^ ]*/took/load ' "$tree/scripts/sweep.sh.calls")" -eq 1 ] && ! grep 'took/load .*--steal-limit' "$tree/scripts/sweep.sh.calls" &&
		grep 'took/read .*--steal-limit=2$' "$tree/scripts/sweep.sh.calls" || return 1
	cp "$work/sweep.sh" "$tree/scripts/sweep.sh"
	rm "$tree/scripts/sweep.sh.calls"
	jq -e '(.taken | map([.experiment, .round, .percent])) == [["load", 1, 9]] and .minutes > 0' "$work/took/meta.json" || return 1
	# what took 2 % is not named; rows of a later round are, by its number
	sed 's/steal_percent=9/steal_percent=2/; s/^experiment load/while another_round; do &/; s/^experiment read/done; round=2; &/
		s/experiment=.*run.*/& --field steal_percent=4/' "$tree/scripts/repro/took-2000.sh" >"$tree/scripts/repro/later-2000.sh"
	sed -i 's/^\[ -n "$dry" \] || .*//' "$tree/scripts/repro/later-2000.sh"
	chmod +x "$tree/scripts/repro/later-2000.sh"
	"$tree/scripts/repro/later-2000.sh" --scale=0.01 --read-ahead=0 --rounds=1 --engines=lmdb --out="$work/later" || return 1
	rm "$tree/scripts/repro/took-2000.sh" "$tree/scripts/repro/later-2000.sh"
	jq -e '.taken | map([.experiment, .round, .percent]) == [["run", 2, 4]]' "$work/later/meta.json"
}
ok 'a run in which the hypervisor took the CPU is done again, and named if it stays so' takes_again

# Experiments of a round share a database, which goes at its end. What was cut off in the second round finds that of the second.
drops_once () {
	sed 's/^experiment load/while another_round; do &/
		s/^experiment read/[ ! -e "$out\/stop" ] || [ "$round" -ne 2 ] || exit 130; &/
		s/^\(	--databases="$out\/db" --reads.*\)/\1; drop_repro_databases "$out\/db" round; done/
		s/read\/plots\/[.]/read-round2\/plots\/./; s/plot[.]sh "$out\/read"/plot.sh "$out\/read-round2"/' \
		"$tree/scripts/repro/example-2000.sh" >"$tree/scripts/repro/shares-2000.sh"
	chmod +x "$tree/scripts/repro/shares-2000.sh"
	mkdir "$work/shares"
	: >"$work/shares/stop"
	got=0
	"$tree/scripts/repro/shares-2000.sh" --scale=small --rounds=2 --engines=lmdb --out="$work/shares" || got=$?
	[ $got -eq 130 ] && [ -d "$work/shares/read" ] && [ ! -d "$work/shares/read-round2" ] && [ -d "$work/shares/db" ] || return 1
	rm "$work/shares/stop"
	"$tree/scripts/repro/shares-2000.sh" --scale=small --rounds=2 --engines=lmdb --out="$work/shares" || return 1
	rm "$tree/scripts/repro/shares-2000.sh"
	jq -es 'length == 6 and all(.[]; .valid == 1)' "$work/shares/rows.json" && [ ! -d "$work/shares/db" ]
}
ok 'a reproduction that was cut off in a later round finds the database of that' drops_once

# Ctrl-C ends the run at work in order; started again it repeats what was not finished and no more, and its minutes are those of both.
interrupted () {
	sed 's/--reads=1000/--duration=1.5/' "$tree/scripts/repro/example-2000.sh" >"$tree/scripts/repro/broken-2000.sh"
	chmod +x "$tree/scripts/repro/broken-2000.sh"
	env --default-signal=INT setsid "$tree/scripts/repro/broken-2000.sh" --scale=small --engines=lmdb --out="$work/stopped" >"$work/out" 2>&1 &
	group=$!
	for tenth in $(seq 300)
	do
		[ ! -s "$work/stopped/read/runs/lmdb-readrandom-1t/status" ] || break
		sleep 0.1
	done
	kill -INT -"$group" || { cat "$work/out"; return 1; }
	status=0
	wait "$group" || status=$?
	cat "$work/out"
	# a shell that was started in the background may not hear INT
	[ $status -eq 130 ] || { echo "tenth $tenth: exit status $status"; return 1; }
	jq -e '.minutes > 0' "$work/stopped/meta.json" && cp "$work/stopped/meta.json" "$work/meta.before" && [ ! -e "$work/stopped/report.html" ] &&
		[ "$(cat "$work/stopped/load/runs/lmdb-fillseq-1t/status")" = 0 ] && touch "$work/again" &&
		"$tree/scripts/repro/broken-2000.sh" --scale=small --engines=lmdb --out="$work/stopped" || return 1
	rm "$tree/scripts/repro/broken-2000.sh"
	jq -es 'length == 3 and all(.[]; .valid == 1)' "$work/stopped/rows.json" &&
		[ "$(find "$work/stopped" -path '*/runs/*/status' -newer "$work/again")" = "$work/stopped/read/runs/lmdb-readrandom-2t/status" ] &&
		jq -e --slurpfile before "$work/meta.before" '.minutes > $before[0].minutes and .date == $before[0].date' "$work/stopped/meta.json"
}
ok 'a reproduction that was interrupted goes on where it was, and adds up its minutes' interrupted


some_engines () {
	"$tree/scripts/repro/example-2000.sh" --scale=small --out="$work/one" --engines=lmdb &&
		jq -se 'all(.[]; .engine == "lmdb")' "$work/one/rows.json"
}
ok 'it runs the engines it is told to' some_engines

# another build of an engine, under the name of that, once it is there
another_build () {
	sed 's/^reproduce/repro_builds lmdb=lmdb-9.9\n&/' "$tree/scripts/repro/example-2000.sh" >"$tree/scripts/repro/built-2000.sh"
	chmod +x "$tree/scripts/repro/built-2000.sh"
	"$tree/scripts/repro/built-2000.sh" --scale=small --out="$work/built" --engines=lmdb --dry-run >"$work/dry" 2>"$work/err"
	grep -q '^built-2000.sh: bench_lmdb as it is; scripts/engine.sh build lmdb-9.9 ' "$work/err"
	grep -q '^[.]/bench_lmdb ' "$work/dry"
	ln -s bench_lmdb "$tree/bench_lmdb-9.9"
	"$tree/scripts/repro/built-2000.sh" --scale=small --out="$work/built" --engines=lmdb 2>"$work/err"
	rm "$tree/bench_lmdb-9.9" "$tree/scripts/repro/built-2000.sh"
	[ ! -s "$work/err" ]
	jq -es 'length == 3 and all(.[]; .label == "lmdb" and .valid == 1 and (.command | contains("bench_lmdb-9.9 ")))' "$work/built/rows.json"
}
ok 'it takes the build nearest to the publication where that is there, and says where it comes from' another_build

tells_void () {
	sed 's/=fillseq /=fillseq --mapsize=64Ki /' "$tree/scripts/repro/example-2000.sh" >"$tree/scripts/repro/bad-2000.sh"
	chmod +x "$tree/scripts/repro/bad-2000.sh"
	status=0
	"$tree/scripts/repro/bad-2000.sh" --scale=small --out="$work/bad" --engines=lmdb 2>"$work/err" || status=$?
	[ $status -eq 1 ] || return 1
	status=0
	[ -s "$work/bad/report.html" ] && grep -q 'invalid' "$work/bad/report.html" || status=$?
	rm "$tree/scripts/repro/bad-2000.sh"
	return $status
}
ok 'its status says that a run failed, and its page says which' tells_void

of_example () {
	needs an_example
	"$tree/scripts/claims.sh" --json "$work/example/rows.json" >"$work/claims"
}
decides () {
	needs of_example
	jq -r '"\(.id) \(.published.verdict) \(.ours.verdict)"' "$work/claims" | diff - "$work/decided"
}
cat >"$work/decided" <<END
T1 holds open
T2 fails open
T3 open open
T4 open fails
T5 open open
END
ok 'a true claim holds, a false one does not, one that lacks a row is open' decides

reasons () {
	needs of_example
	jq -se '(.[1].published.numbers | test("none 104k")) and (.[2].published.reason | test("lacks a row of null in run")) and
		.[2].ours.reason == "an order needs three rounds, and here are 1" and .[2].ours.numbers == "lmdb null" and .[4].published.reason == "nothing is printed of the weather"' "$work/claims" &&
		grep -q '| T2 |.*| said | \*\*does not hold\*\* |' "$work/example/claims.md"
}
ok 'with the numbers that it was decided by, or the reason why it is open' reasons

# Rounds: the same rows three times make an order, and one round that is otherwise leaves it open.
thrice () {
	needs an_example
	for round in 1 2 3
	do
		jq -c --argjson round $round '.repetition = $round' "$work/example/rows.json"
	done >"$work/three"
}
three_rounds () {
	needs thrice
	"$tree/scripts/claims.sh" --json "$work/three" | jq -se '.[2].ours | .verdict == "holds" and .rounds == 3' || return 1
	jq -c 'if .repetition == 2 and .label == "lmdb" and .experiment == "run" then .ops *= 3 else . end' "$work/three" >"$work/differ" &&
		"$tree/scripts/claims.sh" --json "$work/differ" | jq -se '.[2].ours | .verdict == "open" and
			.reason == "the rounds differ: it holds in 2 of 3 rounds"' || return 1
	jq -c 'select(.repetition == 1 or .label != "null")' "$work/three" >"$work/untold" &&
		"$tree/scripts/claims.sh" --json "$work/untold" | jq -se '.[3].ours | .verdict == "open" and .reason == "2 of 3 rounds cannot tell"' || return 1
	jq -c 'select(.repetition < 3)' "$work/three" >"$work/two" &&
		"$tree/scripts/claims.sh" --json "$work/two" | jq -se '.[2].ours.verdict == "open"' &&
		"$tree/scripts/claims.sh" --scale=small --json "$work/three" | jq -se 'all(.[]; .ours.verdict == "open")'
}
ok 'an order needs three rounds that agree; at the scale of seconds nothing is decided' three_rounds

# Of several rows each figure is the median of its own column, and not that of the row with the median rate.
middle_row () {
	jq -en --argjson tables '[{}]' --argjson findings '[]' "$(
		cat "$top/scripts/repro/claims.jq"
		echo 'def rows_: [[1, 10, 9], [2, 20, 7], [3, 30, 8], [null, 40, 0]] | map({experiment: "e", engine: "a", ops_per_sec: .[0], x: .[1], y: .[2]});'
		echo '{rows: rows_} | [get("e"; "a"; .ops_per_sec), get("e"; "a"; .y), get("e"; "a"; .x / 10 + .y), (one("e"; "a") | .ops_per_sec, .x, .y)] |
			debug | . == [2, 7.5, 9.5, 2, 25, 7.5]')"
}
ok 'each figure of several rows is the median of its own column' middle_row


# A part of a claim: sizes that differ make it depend on them, a first that decides does not ask the others, and rows of a time
# when the hypervisor took the CPU decide no rate.
parts_decide () {
	cp "$tree/scripts/repro/claims/voron-2013.jq" "$work/claims.jq"
	cat >>"$tree/scripts/repro/claims/voron-2013.jq" <<'END'
def T6: claim({shape: "N", where: "ours", text: "by threads"};
	by(.threads; "\(.) at once"; answer(.rows[0].threads == 2; "of rows")));
def T7: claim({shape: "N", where: "ours", text: "the first decides"};
	[{name: "a", holds: true, numbers: "x"}, {name: "b", holds: false, numbers: "y"}] | first_decides);
def T8: claim({shape: "N", where: "ours", counts: true, text: "of counts"}; answer(get("run"; "lmdb"; .threads) >= 1; "counts"));
END
	printf 'T%s	said	x: "y"\n' 6 7 8 >>"$tree/scripts/repro/sources.tsv"
	status=0
	"$tree/scripts/claims.sh" --json "$work/three" | jq -ces 'map({(.id): .ours}) | add | .T6.verdict == "depends" and
		(.T6.numbers | test("1 at once: does not hold, of rows; 2 at once: holds, of rows")) and .T7.verdict == "holds" and
		(.T7.numbers | test("b: does not hold, y")) and .T8.verdict == "holds"' || status=1
	jq -c '.steal_percent = 9' "$work/three" >"$work/stolen"
	"$tree/scripts/claims.sh" --json "$work/stolen" | jq -ces 'map({(.id): .ours}) | add | .T8.verdict == "holds" and
		([.T3, .T4] | all(.verdict == "open" and (.reason | test("the hypervisor took more than 3 %"))))' || status=1
	# a third of the rows, none of which it looks at
	jq -c 'if .experiment == "load" then .steal_percent = 9 else . end' "$work/three" >"$work/stolen"
	"$tree/scripts/claims.sh" --json "$work/stolen" | jq -ces 'map({(.id): .ours}) | add | .T4 |
		.verdict == "open" and (.reason | test("^of the run.s 18 rows 6 were measured"))' || status=1
	cp "$work/claims.jq" "$tree/scripts/repro/claims/voron-2013.jq"
	sed -i '/^T[678]	/d' "$tree/scripts/repro/sources.tsv"
	return $status
}
of_parts () {
	needs thrice
	parts_decide
}
ok 'a claim depends on what its parts differ in; a busy machine decides counts only' of_parts


void_does_not_count () {
	needs an_example
	jq -c 'if .engine == "null" then .valid = 0 else . end' "$work/example/rows.json" >"$work/voided" &&
		"$tree/scripts/claims.sh" --json "$work/voided" | jq -se '(.[2].ours.reason | test("lacks a row of null")) and .[3].ours.verdict == "open"'
}
ok 'an invalid row decides nothing' void_does_not_count

cannot_read () {
	claims=$tree/scripts/repro/claims/voron-2013.jq
	cp "$claims" "$work/claims.jq"
	printf '%s\n' 'def U1: claim({shape: "O", where: "ours", text: "a claim"};' '	one("run");' >>"$claims"
	fails 1 "claims/voron-2013.jq, line $(wc -l <"$claims")" "$tree/scripts/claims.sh" --published || return 1
	cp "$work/claims.jq" "$claims"
	echo 'def U1: claim({shape: "O", where: "ours", text: "a claim"}; nosuch("run"));' >>"$claims"
	# where a function is not defined jq 1.6 may die while it says so
	fails 1 'nosuch/1 is not defined at .*/voron-2013.jq, line\|jq ended with 139' "$tree/scripts/claims.sh" --published || return 1
	cp "$work/claims.jq" "$claims"
	echo 'def T1: claim({shape: "O", where: "ours", text: "once more"}; null);' >>"$claims"
	fails 1 'the same id: T1' "$tree/scripts/claims.sh" --published || return 1
	cp "$work/claims.jq" "$claims"
	echo 'def U1: claim({shape: "O", where: "neither", text: "for no reason"}; null);' >>"$claims"
	status=0
	"$tree/scripts/claims.sh" --published 2>&1 | grep 'U1 says not why' || status=$?
	cp "$work/claims.jq" "$claims"
	return $status
}
ok 'a claim that cannot be read is named with its line, and so is an id that stands twice' cannot_read
ok 'claims.sh refuses a document that there is not' fails 2 "no document 'x'" "$top/scripts/claims.sh" --published x
ok 'claims.sh asks for rows' fails 2 'which rows' "$top/scripts/claims.sh"

# What may stand in results/reference: rows of a committed state, of engines fit for comparison, each point three times, with
# commands of no place of anybody's, the commit that meta.json has or that the notes name, a note if a row has warnings, and a reason for each claim that
# fails. References of before the rounds have none in meta.json, and wait to be run again.
reference () {
	jq -e '.rounds >= 3' "$1/meta.json" >"$work/log" || { echo "$1: fewer than three rounds"; return 1; }
	# an engine that computes CRC-32C in software as it did there
	told=false
	! grep -q -s CRC-32C "$1/notes.md" || told=true
	cat "$1/notes.md" >"$work/noted" 2>"$work/log" || :
	jq -rs --slurpfile meta "$1/meta.json" --argjson told $told --rawfile notes "$work/noted" '
		def point: [.experiment, .label, .benchmark, .threads, .num, .durability, .warm, .x, .size_gb, .storage];
		(.[] | select((.commit // "dirty") | test("dirty")) | "dirty: \(.commit) \(.label) in \(.experiment)"),
		(.[] | select(.engine_build // "" | test("not fit for comparison") and (($told and test("no CRC-32C instructions: not fit for comparison of writes$")) | not)) | "not fit for comparison: \(.label) in \(.experiment)"),
		(.[] | select(.command | test("[ =\"'"'"']/(?!dev/)")) | "a private path: \(.command)"),
		(.[] | select(.engine_build // "" | test("^/(?!usr/|lib)")) | "a private path: \(.engine_build)"),
		(.[] | (.commit | split(" ")[-1]) as $commit | select($commit != $meta[0].commit and ($notes | contains($commit) | not)) | "of \(.commit), not of \($meta[0].commit)"),
		# of the largest size there is one round
		(group_by(point)[] | select(.[0].size_gb != 10 and (map(.repetition // 1) | unique | length < $meta[0].rounds)) |
			"unrepeated: \(.[0].label) in \(.[0].experiment)"),
		# of those with their minutes: what was measured before that waits to be measured again
		(select($meta[0].minutes != null) | ([.[] | select((.warnings // "") != "")] | length) as $warned | select($warned > 0.05 * length) | "warnings in \($warned) of \(length) rows"),
		(select($meta[0].minutes != null) | .[] | select(.steal_percent > 3) | "steal: \(.label) in \(.experiment)")' "$1/rows.json" >"$work/wrongs" || return 1
	sort "$work/wrongs" | uniq -c >"$work/wrong" || return 1
	if jq -e 'select((.warnings // "") != "") | 1' "$1/rows.json" >"$work/log" && [ ! -s "$1/notes.md" ]
	then
		echo 'rows with warnings without notes.md' >>"$work/wrong"
	fi
	# the last but one of six columns
	sed -n 's/^| \([A-G][0-9]*\) |.*| \*\*does not hold\*\* |[^|]*|$/\1/p' "$1/claims.md" >"$work/failing" || return 1
	while read -r id
	do
		grep -q "^$id	" "$top/scripts/repro/reasons.tsv" || echo "$id fails and no reason is given" >>"$work/wrong"
	done <"$work/failing"
	[ "$(wc -c <"$1/report.html")" -le 2097152 ] || echo 'a page of more than 2 MB' >>"$work/wrong"
	[ ! -s "$work/wrong" ] || { head "$work/wrong"; return 1; }
}
for folder in "$top"/results/reference/*/
do
	case $folder in
	*/versions/ | */faults/) continue ;; # which versions.sh and powerloss.sh have
	esac
	if jq -e 'has("rounds")' "$folder/meta.json" >"$work/log"
	then
		ok "the reference $(basename "$folder") is clean, fit and repeated" reference "$folder"
	else
		skip "the reference $(basename "$folder") is clean, fit and repeated" 'it is of before the rounds, and is to be run again'
	fi
done
# Each cell and each claim that is decided, once more from the rows, by a program that shares no code with the page; and a cell,
# a range or a claim that is altered is noticed.
recomputed () {
	python3 "$top/test/recompute.py" "$1" "$top/results/published"
}
for folder in "$top"/results/reference/*-20[0-9][0-9]/
do
	ok "the tables and claims of the reference $(basename "$folder") recompute" recomputed "$folder"
done
altered_is_noticed () {
	redb=$top/results/reference/redb-2025
	mkdir -p "$work/altered" && cp "$redb/rows.json" "$redb/meta.json" "$redb/tables.md" "$redb/claims.json" "$work/altered" &&
		recomputed "$work/altered" || return 1
	while IFS='|' read -r file what
	do
		sed "$what" "$redb/$file" >"$work/altered/$file"
		! cmp -s "$redb/$file" "$work/altered/$file" || { echo "altered nothing: $what"; return 1; }
		if recomputed "$work/altered" >"$work/log"; then echo "not noticed: $what"; return 1; fi
		cp "$redb/$file" "$work/altered/$file"
	done <<END
tables.md|0,/| [0-9.]*k (/s//| 999k (/
tables.md|0,/([0-9.]*k–/s//(999k–/
tables.md|s/ 1\.07M | 1\.58M/ 1.08M | 1.58M/
claims.json|/"G4"/s/"fails"/"holds"/g
claims.json|/"G5"/s/rocksdb [0-9]*/rocksdb 9999/g
END
}
ok 'and a figure, a range or a verdict that is altered is noticed' altered_is_noticed
# What no reference happens to have, such as another engine that leads, is decided right, too.
drawn_recompute () {
	mkdir -p "$work/drawn"
	cp "$1/meta.json" "$work/drawn"
	: >"$work/drawn/tables.md"
	for seed in 1 ${long:+2 3}
	do
		python3 "$top/test/drawn.py" "$1/rows.json" "$seed" >"$work/drawn/rows.json"
		"$top/scripts/claims.sh" --json "$work/drawn/rows.json" >"$work/drawn/claims.json"
		recomputed "$work/drawn" || { echo "with the figures of seed $seed"; return 1; }
	done
}
for folder in "$top"/results/reference/*-20[0-9][0-9]/
do
	ok "claims of the rows of $(basename "$folder") with other figures recompute" drawn_recompute "$folder"
done
# The documents tell what the pages say: each table of what was asked, and how many claims hold.
told () {
	for folder in "$top"/results/reference/*-20[0-9][0-9]
	do
		name=$(basename "$folder")
		awk -v from="## $name.sh" '/^## / { here = $0 == from } here && /^[|]/' "$top/docs/publications.md" | diff - "$folder/asked.md" ||
			{ echo "docs/publications.md does not have $name/asked.md"; return 1; }
		jq -s --arg name "$name" -r 'def n(f; $v): map(select(f == $v)) | length;
			"| \(n(.kind; "said")) / \(length - n(.kind; "said")) | \(n(.published.verdict; "holds")), \(n(.published.verdict; "fails")) | \(
				[n(.ours.verdict; ("holds", "fails", "depends", "open"))] | map(tostring) | join(", ")) | [page](\($name)/report.html),"' \
			"$folder/claims.json" >"$work/counts" || return 1
		cat "$work/counts"
		grep -q -F -f "$work/counts" "$top/results/reference/README.md" || return 1
		jq -s -r --slurpfile meta "$folder/meta.json" '"| \(length), \([.[].repetition // 1] | max), \($meta[0].minutes | round) | \(100 * (map(select(.warnings // "" != "")) | length) / length | round) %, \(map(select(.steal_percent > 3)) | length) |"' \
			"$folder/rows.json" >"$work/counts" || return 1
		cat "$work/counts"
		grep -F "($name/" "$top/results/reference/README.md" | grep -q -F -f "$work/counts" || return 1
	done
	[ "$(wc -l <"$top/results/reference/README.md")" -le 40 ]
}
ok 'docs/publications.md and the index of the references have what the pages say' told
# The first screen says how sure it is and what limits: of LMDB here two cells, one of them more than a factor of two apart.
sure () {
	rm -rf "$work/sure" && cp -R "$top/results/reference/redb-2025" "$work/sure" &&
		jq -c 'select(.label == "lmdb" and (.experiment | IN("bulk", "batches"))) | .ops_per_sec = (if .experiment == "bulk" then 100 + 5 * .repetition else 100 * .repetition end) |
			.seconds = 10 | .user_s = 1 | .sys_s = 0 | .device_busy_percent = 0 | .bound_by = (if .experiment == "bulk" then "device" else "unclear" end)' "$top/results/reference/redb-2025/rows.json" >"$work/sure/rows.json" && "$top/scripts/repro/page.sh" "$work/sure" || return 1
	grep -o '<b>How sure.*' "$work/sure/report.html" | sed 's/&nbsp;\|\xc2\xa0/ /g; s/<[^>]*>//g' >"$work/out"
	cat "$work/out"
	# 115 of 105, and 300 of 100: the median of 9.5 % and 200 %
	grep -q -x 'How sure? The best round is 105 % above the worst in the median of 2 measured points, and more than twice as fast in 1. What limits? Of all rows: device in 50 %, no single limit in 50 %[.]' "$work/out" || return 1
	# a row of the table, with its range and limit, and a claim with the rule by which it holds
	grep -q 'loads five million records fastest?.*<small>105/s to 115/s in 3 rounds; limited by device</small>' "$work/sure/report.html" &&
	grep -q 'LMDB loads in bulk faster than RocksDB, and that than SQLite <small>(this order, no margin)</small>' "$work/sure/report.html" || return 1
	# what the words of the table mean, of the limits only those that its rows have
	grep -q 'Limits: <b>device</b>: the device was busy most of the time; <b>no single limit</b>: nothing was busy enough[.]</p>' "$work/sure/report.html"
}
ok 'the page of a reproduction says how sure it is and what limits, by its rows' sure
# Each page's answer: at the least a sentence with rounds and a limit, and how its claims are counted.
first_screens () {
	for folder in "$top"/results/reference/*-20[0-9][0-9]
	do
		grep '^<p class="answer">' "$folder/report.html" | sed 's/&nbsp;\|\xc2\xa0/ /g' | tee "$work/out" |
			grep -q '<b>.*</b> .* × .*(.* to .* × in [0-9]* rounds.*limited by ' || { cat "$work/out"; echo "$folder: an answer without a factor, rounds or a limit"; return 1; }
		grep '<b>Claims:</b>' "$folder/report.html" | sed 's/<[^>]*>//g' |
			grep -q "Claims: $(wc -l <"$folder/claims.json") statements of the publication, in its text or read off its tables[.]" || return 1
		# each row of the table says of here how sure it is and what limits it, or that this is not recorded
		awk -F ' [|] ' 'NR > 2 && !/^[|] On what/ && $3 !~ /range and limit not recorded|[0-9] rounds?.*(limit|rate was met)/ { print FILENAME ": " $0; bad = 1 } END { exit bad }' \
			"$folder/asked.md" || return 1
		# each claim that numbers can decide has its rule, and the page has it
		jq -es 'all(.[]; .rule != null or (.published.verdict == "open" and .ours.verdict == "open"))' "$folder/claims.json" ||
			{ echo "$folder: claims without a rule"; return 1; }
		[ "$(grep -c '<span class="text">.*<small>.*</small></span>' "$folder/report.html")" -eq "$(jq -s 'map(select(.rule)) | length' "$folder/claims.json")" ] ||
			{ echo "$folder: a page without its rules"; return 1; }
	done
}
ok 'the first screen of each reference has them, and what its claims are' first_screens
estimated () {
	"$top/scripts/repro/reference.sh" --estimate optane-2018 >"$work/out" && cat "$work/out" && grep -q '^about [0-9]* minutes' "$work/out"
}
ok 'reference.sh says how long a plan takes, by what its runs took before' estimated
on_a_busy_machine () {
	for _ in $(seq "$(nproc)")
	do
		(while :; do :; done) &
		busy="${busy-} $!"
	done
	status=0
	fails 1 'a reference needs a quiet machine' "$top/scripts/repro/reference.sh" redb-2025 --scale=small || status=$?
	# shellcheck disable=SC2086 # words, on purpose
	kill $busy
	return $status
}
ok 'reference.sh does not begin on a busy machine' on_a_busy_machine
refuses () {
	needs thrice
	good=$work/reference
	rm -rf "$good" && mkdir "$good" && cp "$work/example/report.html" "$good" &&
		jq -c '.commit = "0.1.0 abc1234" | .engine_build = "x" | del(.warnings)' "$work/three" >"$good/rows.json" &&
		echo '| G3 | it is so | said | holds | **does not hold** | y |' >"$good/claims.md" &&
		echo '{"rounds": 3, "commit": "abc1234", "minutes": 1}' >"$good/meta.json" && reference "$good" || return 1
	cp "$good/rows.json" "$work/good"
	while IFS='|' read -r why filter
	do
		jq -c "$filter" "$work/good" >"$good/rows.json"
		if reference "$good" || ! grep -q "$why" "$work/wrong"; then echo "taken in spite of: $why"; return 1; fi
	done <<END
dirty|if .label == "lmdb" then .commit += "-dirty" else . end
not fit|if .label == "lmdb" then .engine_build = "libx, assertions compiled in: not fit for comparison" else . end
not fit|.engine_build = "libx, no CRC-32C instructions: not fit for comparison of writes"
unrepeated|select(.repetition < 3 or .label != "lmdb")
private path|.command += " --db=/home/me"
private path|.engine_build = "/home/me/build/engines/x/libx.so"
of 0.1.0 def5678|.commit = "0.1.0 def5678"
rows with warnings|.warnings = "it lasted 5 ms"
warnings in|.warnings = "it lasted 5 ms"
steal|.steal_percent = 4
END
	echo 'It computes CRC-32C in software, as it did there.' >"$good/notes.md"
	jq -c '.engine_build = "libx, no CRC-32C instructions: not fit for comparison of writes"' "$work/good" >"$good/rows.json"
	reference "$good" || return 1
	rm "$good/notes.md"
	cp "$work/good" "$good/rows.json"
	echo '| G99 | it is so | said | holds | **does not hold** | y |' >"$good/claims.md"
	if reference "$good" || ! grep -q 'G99 fails' "$work/wrong"; then echo 'taken without a reason'; return 1; fi
	: >"$good/claims.md"
	echo '{"rounds": 1, "commit": "abc1234"}' >"$good/meta.json"
	! reference "$good"
}
ok 'a reference is refused for a row that is dirty, unfit, unrepeated, private, of another commit, or with warnings' refuses

# The page of a sweep, of an invalid row and of a run that failed.
a_page () {
	status=0
	"$top/scripts/sweep.sh" --out="$work/page" --engines=null,lmdb,null+null_stall_every=100+null_stall_ms=100000+hang_timeout=1 \
		--benchmarks=readwhilewriting --threads=1,2 --num=2000 --reads=2000 || status=$?
	[ $status -eq 1 ]
	"$top/scripts/plot.sh" "$work/page" || status=$?
	"$top/scripts/report.sh" "$work/page"
}
page () {
	needs a_page
	status=0
	tidy -qe --drop-empty-elements no "$work/page/report.html" >"$work/tidy" 2>&1 || status=$?
	cat "$work/tidy"
	[ $status -eq 0 ] || return 1
	! grep -i -e '<script' -e ' src=' -e '[^#]https*://' -e '@import' "$work/page/report.html"
}
ok 'report.sh makes one valid page of a sweep, with no script and nothing from elsewhere' page

whole () {
	needs a_page
	count=$(find "$work/page/plots" -name '*.svg' | wc -l)
	if [ "$count" -eq 0 ] || [ "$(grep -c '<figure>' "$work/page/report.html")" -ne "$count" ]
	then
		echo "not $count figures"
		return 1
	fi
	grep -o " id=[\"'][^\"']*" "$work/page/report.html" | sed "s/.*[\"']//" | sort >"$work/ids"
	[ -z "$(uniq -d "$work/ids")" ] || { echo 'ids that clash:'; uniq -d "$work/ids"; return 1; }
	grep -o "href=[\"']#[^\"']*\|url(#[^)]*" "$work/page/report.html" | sed 's/.*#//' | sort -u | comm -23 - "$work/ids" >"$work/dangling"
	[ ! -s "$work/dangling" ] || { echo 'refers to nothing:'; cat "$work/dangling"; return 1; }
	rows=$(wc -l <"$work/page/results.json")
	[ "$(grep -c '<li id="row-' "$work/page/report.html")" -eq "$rows" ] && grep -q 'invalid: ' "$work/page/report.html"
}
ok 'all its figures are in it and refer to their own parts; each row has its command; invalid rows have their reason' whole

below_runs () {
	needs a_page
	mkdir -p "$work/below/good/runs/one" "$work/below/good/runs/two" && head -n 1 "$work/page/results.json" >"$work/below/good/results.json" &&
		cp "$work/below/good/results.json" "$work/below/good/runs/one/row.json" && "$top/scripts/report.sh" "$work/below/good" &&
		grep -q '<b>1</b> run without a row' "$work/below/good/report.html" && grep -q 'runs/two' "$work/below/good/report.html" &&
		rmdir "$work/below/good/runs/two" && "$top/scripts/report.sh" "$work/below/good" && ! grep 'without a row' "$work/below/good/report.html"
}
ok 'report.sh looks for runs below its directory, whatever that is below' below_runs
ok 'report.sh refuses a directory without results' fails 2 'neither rows.json nor results.json' "$top/scripts/report.sh" "$work"

# The browser says what a page comes to, in a frame as wide as a telephone and in one as wide as a screen: a page's copy,
# with a script that opens all that is folded, tells the page with the frames: the width, that of what is in it, tables, plots, of them
# drawn, sections, elements that reach out of the window, boxes that must be scrolled, and of these those whose first column does not stay.
# framed NAME PAGE: such a copy
framed () {
	cat >"$work/measure.js" <<-'END'
		const all = s => [...document.querySelectorAll(s)], count = (s, f) => all(s).filter(f).length, box = e => e.getBoundingClientRect();
		const tall = count('.claim > summary', s => box(s).height > 70);
		all('details').forEach(d => d.open = true);
		const scrolls = b => b.scrollWidth > b.clientWidth + 1, first = b => b.querySelector('td'),
			moves = b => first(b) && (b.scrollLeft = 30, Math.abs(box(first(b)).left - box(b).left) > 1);
		parent.postMessage([NAME, innerWidth, document.documentElement.scrollWidth, all('table').length, all('figure svg').length,
			count('figure svg', s => box(s).height > 100), all('section').length,
			count('body *', e => box(e).right > innerWidth + 1 && !e.closest('.box, svg')), count('.box', scrolls),
			count('.box', b => scrolls(b) && moves(b)), tall, all('.asked').length,
			count('.box', b => scrolls(b) && b.querySelector('.score'))].join(' '), '*');
	END
	{
		sed 's|</body>||; s|</html>||' "$2"
		echo "<script>const NAME = '$1';"
		cat "$work/measure.js"
		echo '</script></body></html>'
	} >"$work/framed-$1.html"
	for wide in 390 1280
	do
		echo "<iframe src=\"framed-$1.html\" style=\"width:${wide}px;height:2000px;border:0\"></iframe>"
	done
}
browse () {
	command -v chromium || "$top/scripts/install-deps.sh" chromium 2>"$work/apt" || cannot "chromium cannot be installed: $(tail -n 1 "$work/apt")"
	needs a_page
	# as many results as one table at a glance has, with long names
	mkdir "$work/glance"
	jq -c 'select(.threads == 2 and .valid == 1) | .label += "+type=lsm" |
		.benchmark = (.benchmark, "filluniquerandbatch", "readrandomwriterandom", "updaterandom", "multireadrandom",
			"readmissing", "seekrandom")' "$work/page/results.json" >"$work/glance/results.json"
	"$top/scripts/report.sh" "$work/glance" || return 1
	profile=$(mktemp -d)
	{
		cat <<'END'
<!DOCTYPE html><meta charset="utf-8"><title>frames</title><pre id="told"></pre>
<script>onmessage = event => document.getElementById("told").textContent += "told " + event.data + "\n"</script>
END
		framed sweep "$work/page/report.html"
		framed glance "$work/glance/report.html"
		for folder in "$top"/results/reference/*-20[0-9][0-9]
		do
			framed "$(basename "$folder")" "$folder/report.html"
		done
	} >"$work/frames.html"
	timeout 300 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --user-data-dir="$profile" --virtual-time-budget=20000 \
		--dump-dom "file://$work/frames.html" 2>"$work/chromium" | sed -n 's/.*\(told [a-z].*\)/\1/p' >"$work/told"
	rm -rf "$profile"
}
# opens NAME DIRECTORY BOXES: it did, at both widths, all of the plots there was drawn, nothing is wider than the window, so many
# boxes at most must be scrolled on a screen, and no claim that is closed takes more than three lines
opens () {
	needs browse
	grep "^told $1 " "$work/told"
	awk -v name="$1" -v plots="$(find "$2" -name '*.svg' 2>"$work/log" | wc -l)" -v boxes="$3" '$2 == name { seen++
			if ($4 > $3 || $5 == 0 || $6 != plots || $7 != plots || $8 < 5 || $9 > 0 || ($3 > 1000 && $10 > boxes) || $11 > 0 || $12 > 0) wrong = 1
			if (name ~ /-20[0-9][0-9]$/ && $13 != 1) wrong = 1 }
		END { exit wrong || seen != 2 }' "$work/told"
}
ok 'a sweep opens in a browser with its tables and plots: nothing reaches out, and on a telephone only tables scroll' opens sweep "$work/page/plots" 0
at_a_glance () {
	needs browse
	grep '^told glance ' "$work/told"
	awk '$2 == "glance" { seen++; if ($5 < 2 || $14 > 0) wrong = 1 } END { exit wrong || seen != 2 }' "$work/told"
}
ok 'seven results at a glance need no scrolling on a telephone' at_a_glance
for folder in "$top"/results/reference/*-20[0-9][0-9]
do
	ok "so does the reference $(basename "$folder"), with what was asked, and a claim in three lines" opens "$(basename "$folder")" "$folder/figures" 0
done
rm -rf "$tree"
