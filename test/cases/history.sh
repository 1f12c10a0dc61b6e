# history.sh: figures over many days: what is kept, which changes are found, and what other tools are given.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# Otava stays in the build directory, so that it is installed once.
history () {
	XDG_CACHE_HOME=$top/build/cache "$top/scripts/history.sh" "$@"
}
# day N COMMIT FACTOR [JQ]: a file of rows as if they were measured on that day of 2026, with so much of the CPU time
day () {
	date=$(date -u -d "2026-01-01 + $1 days" +%Y-%m-%dT%H:%M:%SZ)
	jq -c --arg date "$date" --arg commit "$2" --argjson factor "$3" \
		".time = \$date | .commit = \$commit | .user_s *= \$factor | .sys_s *= \$factor | ${4:-.}" "$work/measured" >"$work/day-$1.json" ||
		return 1
	echo "$work/day-$1.json"
}
rows_measured () {
	"$top/bench_null" --benchmarks='readrandom[X3]' --num=10k --reads=200k --json="$work/measured" >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	# what a busy machine makes of three short runs is not what is looked at here
	jq -c '.user_s = 0.02 + .iteration / 1000 | .sys_s = 0 | .ops_per_sec = 1e6 + .iteration' "$work/measured" >"$work/even" &&
		mv "$work/even" "$work/measured"
}
rows_measured >"$work/measuring" 2>&1 || cat "$work/measuring" # which fails the tests

# the one history of a folder, and the value in its last line of a column
the_history () {
	find "$1" -name '*.tsv'
}
last_value () {
	awk -F '\t' -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at }' "$(the_history "$1")"
}
is_added () {
	history add --history="$work/h1" "$(day 1 one 1)" "$(day 2 one 1)" >"$work/out" || return 1
	[ "$(wc -l <"$(the_history "$work/h1")")" -eq 3 ] && [ "$(last_value "$work/h1" runs)" = 3 ] &&
		[ "$(last_value "$work/h1" ops_per_sec)" = 1000002 ] && [ "$(last_value "$work/h1" cpu_ns_per_op)" = 110 ]
}
ok 'history.sh add makes the runs of a day one line, of their medians' needs is_added
engines_commit () {
	history add --history="$work/revisions" --commit=engine-7f3 "$(day 1 one 1)" >"$work/out"
	[ "$(last_value "$work/revisions" commit)" = engine-7f3 ]
	fails 2 "cannot read '--commit=x' of check" history check --history="$work/revisions" --commit=x
}
ok 'the commit can be that of the engine' engines_commit
stays () {
	needs is_added
	cp "$(the_history "$work/h1")" "$work/before" &&
		history add --history="$work/h1" "$work/day-2.json" 2>"$work/err" && cmp "$work/before" "$(the_history "$work/h1")" &&
		grep -q 'has the runs of 2026-01-03T00:00:00Z already' "$work/err" &&
		fails 2 'a run of 2026-01-01T00:00:00Z cannot be appended' history add --history="$work/h1" "$(day 0 one 1)" &&
		cmp "$work/before" "$(the_history "$work/h1")" &&
		history add --history="$work/h1" "$(day 3 two 1)" >"$work/out" && head -n 3 "$(the_history "$work/h1")" | cmp - "$work/before"
}
ok 'it appends only: what is there already is said, and what is older refused' stays
apart () {
	history add --history="$work/h2" "$(day 1 one 1)" "$(day 2 one 1 '.host = "other"')" "$(day 3 one 1 '.value_size = 1000 | .value_sizes = "1000"')" \
		"$(day 4 one 1 '.threads = 2')" "$(day 5 one 1 '.engine_version = "2" | .kernel = "another" | .engine_options += " new=1"')" \
		"$(day 6 one 1 '.cpu = "faster"')" "$(day 7 one 1 '.durability = "sync"')" "$(day 8 one 1 '.clients = 4')" \
		"$(day 9 one 1 'del(.clients)')" >"$work/out" || return 1
	find "$work/h2" -name '*.tsv' -exec wc -l {} + | sort -n
	[ "$(find "$work/h2" -name '*.tsv' | wc -l)" -eq 7 ] && [ "$(grep -l '"clients":4' "$work/h2"/*/*.json | wc -l)" -eq 1 ] && [ "$(find "$work/h2/other" -name '*.tsv' | wc -l)" -eq 1 ] &&
		[ "$(find "$work/h2" -name '*.tsv' -exec cat {} + | grep -c -v '^time')" -eq 9 ]
}
ok 'each machine, benchmark and setting has a history of its own; versions are of one' needs apart
void_or_mixed () {
	history add --history="$work/h3" "$(day 1 one 1 'if .iteration == 1 then .valid = 0 | .user_s = 9 else . end')" >"$work/out" 2>"$work/err" &&
		grep -q '1 invalid rows left out' "$work/err" && [ "$(last_value "$work/h3" runs)" = 2 ] && [ "$(last_value "$work/h3" cpu_ns_per_op)" = 112.5 ] &&
		fails 2 "differ in their engine's options" history add --history="$work/h3" "$(day 2 one 1 '.engine_options += " x=\(.iteration)"')" &&
		! history add --history="$work/h3" "$(day 2 one 1 '.valid = 0')" 2>"$work/err" && grep -q 'no valid row in ' "$work/err"
}
ok 'invalid rows are none of it, and a label with several settings is refused' void_or_mixed
too_few () {
	history add --history="$work/h7" "$(day 1 one 1)" "$(day 2 one 1)" "$(day 3 one 1)" >"$work/out"
	fails 2 'too few entries to find a change in 1 of 1 histories: 10 are needed, and .* has 3$' history check --history="$work/h7"
}
ok 'check says that a history has too few entries' too_few
ok 'history.sh refuses what it cannot read' fails 2 "cannot read 'fast'" history fast
ok 'and an option that is not of the verb' fails 2 "cannot read '--since=2026' of show" history show --since=2026
no_metric () {
	needs is_added
	fails 2 'no speed; see --help' history show --history="$work/h1" --metrics=ops_per_sec,speed
}
ok 'and a metric that there is none of' no_metric
ok 'and a directory without a history' fails 2 'no directory .*; history.sh add begins one' history check --history="$work/none"

python3 -c 'import venv, ensurepip' 2>"$work/err" && can_install=1 || can_install=
[ -n "$can_install" ] || scripts_need='python3 has no venv here; apt install python3-venv'

# With known figures: days of two commits, the second of which takes 5 % more.
# steps FOLDER FACTOR...: fifteen days with each of them
steps () {
	into=$1
	shift
	days=0
	for factor
	do
		commit=commit-$factor-$days
		# shellcheck disable=SC2034 # so many times
		for one in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
		do
			days=$((days + 1))
			day $days "$commit" "$(awk -v f="$factor" -v i=$days 'BEGIN { print f * (1 + (i * 2 % 5 - 2) / 1000) }')" || return 1
		done
	done >"$work/days"
	xargs "$top/scripts/history.sh" add --history="$into" <"$work/days" >"$work/out"
}
says_slower () {
	steps "$work/slow" 1 1.05 || return 1
	status=0
	history check --history="$work/slow" >"$work/out" 2>"$work/err" || status=$?
	cat "$work/err"
	# that it installs something is said, too
	grep -v installing "$work/err" >"$work/sentence"
	[ $status -eq 1 ] && [ "$(wc -l <"$work/sentence")" -eq 1 ] &&
		grep -q '^history.sh: slower: readrandom, 1 thread, null on .*: cpu_ns_per_op +5 % (.*) at 2026-01-17T00:00:00Z, with commit commit-1.05-15 (before: commit-1-0)$' "$work/sentence" &&
		history check --history="$work/slow" --since=2026-01-18 && ! history check --history="$work/slow" --since=2026-01-17 2>"$work/err"
}
no_alarm () {
	steps "$work/fast" 1.05 1 && steps "$work/mended" 1 1.05 1 && steps "$work/little" 1 1.008 || return 1
	history check --history="$work/fast" && history check --history="$work/mended" && history check --history="$work/little" || return 1
	history show --history="$work/fast" | grep '  changed: cpu_ns_per_op -4.8 %' &&
		history show --history="$work/mended" | grep '  was slower: cpu_ns_per_op +5 %' &&
		history show --history="$work/little" | grep '  no change' &&
		! history check --history="$work/little" --threshold=0.5 2>"$work/err" && cat "$work/err"
}
draws_days () {
	needs says_slower
	history show --history="$work/slow" --page="$work/page" >"$work/out" || return 1
	cat "$work/out"
	[ "$(tail -n 1 "$work/out")" = "$work/page/index.html" ] && [ "$(grep -c png "$work/out")" -eq 2 ] &&
		grep -q 'slower</b>: cpu_ns_per_op +5 %' "$work/page/index.html" || return 1
	for picture in "$work"/page/*.png
	do
		not_blank "$picture" || return 1
	done
	# one mark beside that of the key and the definition, for one change
	marks=$(cat "$work"/page/*cpu_ns_per_op.svg | grep -o "gpPt1'" | wc -l)
	[ "$marks" -eq 3 ] || { echo "$marks marks of one change"; return 1; }
	grep -q '+5 %' "$work"/page/*cpu_ns_per_op.svg && ! grep -q '+5 %' "$work"/page/*ops_per_sec.svg || return 1
	sed -n 's/.*<img src="\([^"]*\)".*/\1/p' "$work/page/index.html" | (cd "$work/page" && xargs -r -n 1 test -s)
}
exports () {
	needs apart
	history show --history="$work/h2" --format=bmf >"$work/bmf" && history show --history="$work/h2" --format=github-bigger >"$work/bigger" &&
		history show --history="$work/h2" --format=github-smaller >"$work/smaller" || return 1
	jq -e 'type == "object" and length == 7 and all(.[]; type == "object" and all(.[]; .value | type == "number")) and
		all(.[]; .throughput.value == 1000002 and .["cpu-ns-per-op"].value == 110)' "$work/bmf" &&
		jq -e 'type == "array" and length == 7 and all(.[]; .unit == "ops/s" and .value == 1000002)' "$work/bigger" &&
		jq -es 'map(.[]) | (map(.name) | unique | length) == length and all(.[]; (.value | type) == "number" and (.unit | type) == "string")' \
			"$work/bigger" "$work/smaller" &&
		jq -e 'any(.[]; (.name | endswith("p50_ns")) and .unit == "ns") and all(.[]; .name | endswith("ops_per_sec") | not)' "$work/smaller"
}
ok "Bencher's JSON and github-action-benchmark's have each history once, and numbers" exports

# What is made of changes, by a stand-in for Otava that finds those in $work/given.json: days of 110, 110, 220 and 110 ns, and
# six more of 110, as many as check needs.
given () {
	printf '#!/bin/sh\ncat "%s"\n' "$work/given.json" >"$work/stand-in"
	chmod +x "$work/stand-in"
	history add --history="$work/h5" "$(day 1 one 1)" "$(day 2 one 1)" "$(day 3 two 2)" "$(day 4 three 1)" >"$work/out"
	for more in 5 6 7 8 9 10
	do
		history add --history="$work/h5" "$(day $more three 1)" >"$work/out" 2>"$work/err"
	done
}
# found METRIC AT BEFORE AFTER ...: these changes
found () {
	printf '%s\n' "$@" | jq -cnR --arg file "$(the_history "$work/h5")" '[inputs] as $a |
		{$file, changes: [range(0; $a | length; 4) as $i | {metric: $a[$i], at: ($a[$i + 1] | tonumber),
			before: ($a[$i + 2] | tonumber), after: ($a[$i + 3] | tonumber), p: 1e-5}]}' >"$work/given.json"
}
checks () {
	history check --history="$work/h5" --otava="$work/stand-in" "$@"
}
sentence () {
	given
	found cpu_ns_per_op 2 110 220
	fails 1 '^history.sh: slower: readrandom, 1 thread, null on .*: cpu_ns_per_op +100 % (110 to 220) at 2026-01-04T00:00:00Z, with commit two (before: one)$' checks
	checks --threshold=101
}
ok 'check exits with 1 and one sentence for what became slower, and with 0 for what did not' sentence
made_up_for () {
	given
	found cpu_ns_per_op 2 110 220 cpu_ns_per_op 3 220 110
	history show --history="$work/h5" --otava="$work/stand-in" >"$work/out"
	grep '^  was slower: cpu_ns_per_op +100 % (110 to 220) at 2026-01-04' "$work/out"
	grep '^  changed: cpu_ns_per_op -50 % (220 to 110) at 2026-01-05' "$work/out"
}
ok 'and what was made up for since is said to have been slower' made_up_for
page_of () {
	given
	found cpu_ns_per_op 2 110 220 cpu_ns_per_op 3 220 110
	history show --history="$work/h5" --otava="$work/stand-in" --page="$work/page-was" >"$work/out"
	found cpu_ns_per_op 2 110 220
	history show --history="$work/h5" --otava="$work/stand-in" --page="$work/page-is" >"$work/out"
	[ "$(grep -o '<li>.*</li>' "$work/page-is/index.html" | grep -c 'slower</b>: cpu_ns_per_op +100 % (110 to 220)')" -eq 1 ]
	[ "$(grep -c '<li>cpu_ns_per_op ' "$work/page-was/index.html")" -ge 1 ]
	[ "$(grep -c 'slower</b>' "$work/page-was/index.html")" -eq 0 ]
	[ "$(grep -c '<figure>' "$work/page-is/index.html")" -eq 2 ]
	grep -q '>+100 %<' "$work"/page-is/*cpu_ns_per_op.svg
	[ "$(grep -c '+100 %' "$work"/page-is/*ops_per_sec.svg)" -eq 0 ]
}
ok 'the page says what is slower now, and draws each change at its day' page_of

# Real noise: many short runs, of which each day of a history has some. How many is by what one of them varies, so that
# their median varies by a hundredth: 1.25 / sqrt(n) of it, for figures that are nearly normal but for their tails. Where
# a busy machine makes them vary more than 250 can mend, they are drawn nearer to their median.
measures_noise () {
	# shellcheck disable=SC2034 # so many times
	for process in 1 2 3 4 5 6 7 8 9 10
	do
		"$top/bench_null" --benchmarks='readrandom[X25]' --num=100k --reads=500k --json="$work/noise" >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	done
	jq -r '(.user_s + .sys_s) * 1e9 / .ops' "$work/noise" | sort -n >"$work/pool" && [ "$(wc -l <"$work/pool")" -eq 250 ] &&
		awk '{ x[NR] = $1 } END { v = (x[188] - x[63]) / 1.349 / x[125]; n = int((1.25 * v / 0.01) ^ 2) + 1
			part = n > 250 ? sqrt(250 / n) : 1
			for (i = 1; i <= NR; i++) print x[125] + (x[i] - x[125]) * part > "'"$work/drawn"'"
			print (n > 250 ? 250 : n) > "'"$work/each"'"
			print "quartiles " x[63] " " x[188] ", variation " v ", so a day would have " n " runs" }' "$work/pool"
}
# histories TRIALS FOLDER STEP: each of 60 days, drawn from the pool, and from a day of its own on STEP times as much
histories () {
	trials=$1 into=$2 step=$3
	mkdir -p "$into" && awk -v trials="$trials" -v into="$into" -v step="$step" -v each="$(cat "$work/each")" -v seed="${4:-4711}" '
		function below(n) { state = state * 16807 % 2147483647; return int(state / 2147483647 * n) }
		function drawn(   i, k, x, y) {
			for (i = 1; i <= each; i++) {
				y = pool[1 + below(NR)]
				for (k = i - 1; k >= 1 && x[k] > y; k--)
					x[k + 1] = x[k]
				x[k + 1] = y
			}
			return (x[int((each + 1) / 2)] + x[int(each / 2) + 1]) / 2
		}
		{ pool[NR] = $1 }
		END {
			state = seed
			for (t = 1; t <= trials; t++) {
				at = 15 + below(35)
				name = sprintf("%s/%03d", into, t)
				printf "{\"benchmark\":\"trial-%d\",\"threads\":1,\"label\":\"null\",\"host\":\"here\"}\n", t > (name ".json")
				print "time\tcommit\tbuild\tengine_version\tengine_build\tengine_options\tkernel\truns\twarnings\tops_per_sec\tcpu_ns_per_op" > (name ".tsv")
				for (day = 0; day < 60; day++)
					printf "2026-%02d-%02dT00:00:00Z\tc%d\t\t1\t\t\t\t%d\t0\t\t%.4f\n", 1 + int(day / 28), 1 + day % 28, day, each,
						drawn() * (day >= at ? step : 1) > (name ".tsv")
				close(name ".json")
				close(name ".tsv")
				print t, at > (into "/steps")
			}
		}' "$work/drawn"
}
trials=20
[ -z "$long" ] || trials=100
# of 20 histories with a step of 5 % 19 are found at its day, and of 20 without one at most 1 has an alarm
finds_steps () {
	needs measures_noise
	histories $trials "$work/with" 1.05 && history show --history="$work/with" --format=json >"$work/shown" || return 1
	jq -r --rawfile steps "$work/with/steps" '($steps | split("\n") | map(select(. != "") | split(" ") | {key: .[0], value: .[1]}) | from_entries) as $at |
		(.of.benchmark | ltrimstr("trial-")) as $trial | select(any(.changes[]; (.at | tostring) == $at[$trial] and .worse)) | .file' "$work/shown" >"$work/found" 2>"$work/jq" ||
		{ cat "$work/jq"; return 1; }
	jq -c '[.of.benchmark, [.changes[] | .at]]' "$work/shown" | paste - "$work/with/steps" | head -n 5
	echo "$(wc -l <"$work/found") of $trials found" | tee "$work/counted"
	[ "$(wc -l <"$work/found")" -ge $((trials * 19 / 20)) ]
}
keeps_still () {
	needs measures_noise
	histories $trials "$work/without" 1 42 && history show --history="$work/without" --format=json >"$work/shown" || return 1
	alarms=$(jq -r 'select(.changes != []) | .file' "$work/shown" | wc -l)
	echo "$alarms of $trials have an alarm" | tee "$work/counted"
	[ "$(jq -s length "$work/shown")" -eq "$trials" ] && [ "$alarms" -le $((trials / 20)) ]
}
# many_entries FOLDER N: a history of so many, the last tenth of which takes 5 % more
many_entries () {
	mkdir -p "$1"
	echo '{"benchmark":"readrandom","threads":1,"label":"null","host":"here"}' >"$1/one.json"
	awk -v n="$2" 'BEGIN {
		print "time\tcommit\tbuild\tengine_version\tengine_build\tengine_options\tkernel\truns\twarnings\tops_per_sec\tcpu_ns_per_op\tp99_ns"
		for (i = 0; i < n; i++)
			printf "2026-%02d-%02dT%02d:%02d:00Z\tc%d\t\t1\t\t\t\t3\t0\t%d\t%.3f\t\n", 1 + i / 40320 % 12, 1 + i / 1440 % 28, i / 60 % 24, i % 60,
				i, 1e6 + i * 7 % 1000, (100 + i * 7 % 11 / 10) * (i < n * 0.9 ? 1 : 1.05)
	}' >"$1/one.tsv"
}
# user_cpu COMMAND: its hundredths of a second
user_cpu () {
	sh -c '"$@" >/dev/null 2>&1; times' sh "$@" | awk 'END { split($1, t, /[ms]/); print int(100 * (60 * t[1] + t[2])) }'
}
# A hundred times as many entries do not take five times the time: most of it is starting Python. --long: 100,000 in 20 s.
scales () {
	needs says_slower
	many_entries "$work/some" 200 && many_entries "$work/many" 20000 || return 1
	fails 1 'cpu_ns_per_op +5 % (100[.]5 to 105[.]52) at .*, with commit c18000 (before: c17999)$' history check --history="$work/many"
	export XDG_CACHE_HOME="$top/build/cache"
	some=$(user_cpu "$top/scripts/history.sh" check --history="$work/some")
	many=$(user_cpu "$top/scripts/history.sh" check --history="$work/many")
	echo "200 entries take $some, 20000 $many hundredths of a second" | tee "$work/counted"
	[ "$many" -lt $((some * 5)) ]
	[ -n "$long" ] || return 0
	many_entries "$work/many" 100000
	many=$(user_cpu "$top/scripts/history.sh" check --history="$work/many")
	echo "100000 entries take $many hundredths of a second" | tee -a "$work/counted"
	[ "$many" -lt 2000 ]
}
for test in "check says in one sentence what became slower, when and with which commit:says_slower" \
	"what became faster, what was made up for and what is below the threshold is no alarm:no_alarm" \
	"a figure over time of each metric, and a page with them:draws_days" \
	"the time of a check is that of its figures:scales" \
	"the noise of bench_null is measured:measures_noise" \
	"a step of 5 % in 60 days of bench_null is found at its day in 19 of 20 trials:finds_steps" \
	"and a stationary history gives an alarm in at most 1 of 20:keeps_still"
do
	if [ -n "$can_install" ]
	then
		: >"$work/counted"
		ok "${test%:*}" needs "${test##*:}"
		sed 's/^/# /' "$work/counted"
	else
		skip "${test%:*}" "$scripts_need"
	fi
done
