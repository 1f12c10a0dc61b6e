#!/bin/sh
# tune.sh: find which settings of an engine matter, and the best ones within limits; see --help.
# shellcheck disable=SC2016 # jq programs are quoted
set -eu
. "$(dirname "$0")/common.sh"

optuna_version=5.0.0
help () {
	cat <<END
usage: scripts/tune.sh --out=DIRECTORY --set=NAME=VALUE,... [option ...] ENGINE

Finds which settings of an engine matter for a workload, and the best values within limits. Each
run loads a database with its settings, as many decide how records are stored, and measures the
workload. Runs that are invalid or exceed a limit are counted, and never win. The winner of many
runs was in part lucky. Therefore it and the default settings are measured again by turns, with
new seeds, and with each of its settings alone set back to the default. Only this second
measurement is reported. The default of each setting is always among the values tried.

  --out=DIRECTORY       directory of the results
  --set=NAME=A,B,...    an option and the values to try; repeat it for other options
  --goal=COLUMN         column to optimize: columns ending in per_sec are maximized, others
                        minimized [ops_per_sec]
  --limit=COLUMN<VALUE  or COLUMN>VALUE, such as read_p99_ns<2ms, space_amp<1.5; repeat it for others
  --mode=NAME           search: by Optuna's estimator; one-factor: the default, and each other value
                        alone; factorial: every combination [search]
  --trials=N            maximum number of runs of the search [60]
  --benchmark=NAME      workload [readrandom]
  --load=NAME           workload that loads the database [filluniquerandbatch]
  --seconds=N           seconds of each run; 0: count operations by --reads [3]
  --shifted=NAME        another workload on which the winner is also compared with the default, to see
                        whether the settings are good for more than one
  --rounds=N            number of rounds of the second measurement, at least 4 [6]
  --seed=N              seed of the first run and of the search [1]
  --help                this
ENGINE is lmdb for ./bench_lmdb, and so on. Any other --option=value goes to every run.

The search needs Optuna $optuna_version, which pip installs into a directory of its own below
\${XDG_CACHE_HOME:-~/.cache}/assay, which is announced first.
In DIRECTORY: trials.tsv, a line for each run; settings.tsv, which settings matter; tune.txt,
what is printed; rows.json; the database of the last run in db/, there or in STORAGE_DIR,
which storage.sh sets.
Exit status: 0 settings were found that are better than the default, 1 none were or a run
of the default failed, 2 wrong arguments.
END
}

progress () {
	[ ! -t 2 ] || printf '\r\033[K%s' "$1" >&2
}

out='' engine='' goal=ops_per_sec mode=search trials=60 benchmark=readrandom load=filluniquerandbatch
seconds=3 shifted='' rounds=6 seed=1
make_work
: >"$work/passed"
: >"$work/sets"
: >"$work/limits"
: >"$work/read"
for argument
do
	value=${argument#*=}
	case $argument in
	--help) help; exit 0 ;;
	--out=?*) out=$value ;;
	--set=?*=?*) printf '%s\n' "$value" | sed 's/=/\t/; s/,/\t/g' >>"$work/sets" ;;
	--set=*) fail 2 "--set: cannot read '$value'; give NAME=VALUE,VALUE" ;;
	--goal=?*) goal=$value ;;
	--limit=?*) printf '%s\n' "$value" >>"$work/limits" ;;
	--mode=search | --mode=one-factor | --mode=factorial) mode=$value ;;
	--trials=?*) trials=$value ;;
	--benchmark=?*) benchmark=$value ;;
	--load=?*) load=$value ;;
	--seconds=?*) seconds=$value ;;
	--shifted=?*) shifted=$value ;;
	--rounds=?*) rounds=$value ;;
	--seed=?*) seed=$value ;;
	--mode=*) fail 2 "--mode: no '$value'; there are search, one-factor and factorial" ;;
	--db=* | --json=* | --label=* | --use_existing_db=* | --duration=* | \
		--benchmarks=* | --repeat=*)
		fail 2 "${argument%%=*} is set by tune.sh; see --help" ;;
	--*=*) printf '%s\n' "$argument" >>"$work/passed" ;;
	-*) fail 2 "cannot read '$argument'; options are --name=value, see --help" ;;
	*)
		[ -z "$engine" ] || fail 2 "one engine at a time; compare engines by sweep.sh"
		engine=$argument
		;;
	esac
done
[ -n "$out" ] || fail 2 "--out=DIRECTORY is missing; see --help"
[ -n "$engine" ] || fail 2 "which engine? see --help"
[ -s "$work/sets" ] || fail 2 "which settings? give --set=NAME=VALUE,VALUE"
! grep -n '[^A-Za-z0-9_.	-]' "$work/sets" >"$work/odd" ||
	fail 2 "--set: cannot read '$(head -n 1 "$work/odd" | cut -d : -f 2-)'; values have letters, digits, dots and hyphens"
whole --trials "$trials" 1
# fewer can show nothing
whole --rounds "$rounds" 4
whole --seconds "$seconds"
whole --seed "$seed"
needs jq
case $out in
/*) ;;
*) out=$PWD/$out ;;
esac
cd "$(dirname "$0")/.."
scripts=scripts
. scripts/tools/stats.sh
tab=$(printf '\t')
[ -x "./bench_$engine" ] || fail 2 "bench_$engine is not built; make bench_$engine"
[ ! -e "$out/trials.tsv" ] || fail 2 "$out has trials already; give another --out"

# The table of settings: name, default, values with that among them.
"./bench_$engine" --options=tsv >"$work/options"
awk -F '\t' -v OFS='\t' 'FNR == 1 { for (i = 1; NR == 1 && i <= NF; i++) at[$i] = i; if (NR == 1) next }
	NR == FNR { has[$at["name"]]; default[$at["name"]] = $at["default"]; next }
	!($1 in has) { print "no such option: " $1 >"/dev/stderr"; exit 1 }
	seen[$1]++ { print "given twice: " $1 >"/dev/stderr"; exit 1 }
	{
		line = ""
		found = 0
		for (i = 2; i <= NF; i++) {
			line = line "\t" $i
			found = found || $i == default[$1]
		}
		print $1, default[$1], (found ? "" : default[$1]) (found ? substr(line, 2) : line)
	}' "$work/options" "$work/sets" >"$work/settings" 2>"$work/err" ||
	fail 2 "--set: $(head -n 1 "$work/err"); bench_$engine --help lists options"
! grep -q "$tab$tab" "$work/settings" ||
	fail 2 "--set: $(grep "$tab$tab" "$work/settings" | head -n 1 | cut -f 1) has no default, so nothing is to be compared with"
"./bench_$engine" --columns=tsv | awk -F '\t' '$1 == "result" && $3 != "text" { print $2 }' >"$work/columns"
while IFS= read -r one
do
	# a time is in nanoseconds where the column is
	printf '%s\n' "$one" | jq -Rc 'capture("^(?<column>[a-z0-9_]+)(?<sign>[<>])(?<n>[0-9.]+)(?<unit>ns|us|ms|s|k|m|g)?$") |
		{column, sign, value: ((.n | tonumber) * ({ns: 1, us: 1e3, ms: 1e6, s: 1e9, k: 1e3, m: 1e6, g: 1e9}[.unit // ""] // 1))}' \
		>>"$work/read"
	grep -q -x -F -e "${one%%[<>]*}" "$work/columns" || fail 2 "--limit: there is no column ${one%%[<>]*}"
done <"$work/limits"
[ "$(wc -l <"$work/read")" -eq "$(wc -l <"$work/limits")" ] ||
	fail 2 "--limit: cannot read one of '$(paste -sd ' ' "$work/limits")'; give COLUMN<VALUE or COLUMN>VALUE, such as read_p99_ns<2ms"
grep -q -x -F -e "$goal" "$work/columns" || fail 2 "--goal: there is no column $goal with numbers"
combinations=$(awk -F '\t' '{ n = (NR == 1 ? 1 : n) * (NF - 2) } END { print n }' "$work/settings")
[ "$mode" != factorial ] || [ "$combinations" -le 1000 ] ||
	fail 2 "--mode=factorial: these are $combinations combinations; give fewer values, or search"
default=$(cut -f 1,2 "$work/settings" | tr '\t' = | paste -sd ' ')
less=1
case $goal in
*per_sec) less='' ;;
esac

# measure KIND SETTINGS SEED [BENCHMARK]: a run with these settings, NAME=VALUE with
# blanks between them; a line of trials.tsv. $status: feasible, infeasible or invalid;
# $result and $exceeded: the goal's, and by how much limits are exceeded.
measure () {
	number=$((number + 1))
	kind=$1 settings=$2 run_seed=$3 on=${4:-$benchmark}
	progress "run $number, $kind: $settings"
	rm -f "$work/row"
	set -- --db="$databases/$engine" --json="$work/row" --seed="$run_seed" --benchmarks="$load,$on"
	[ "$seconds" -eq 0 ] || set -- "$@" --duration="$seconds"
	for setting in $settings
	do
		set -- "$@" "--$setting"
	done
	while IFS= read -r option
	do
		set -- "$@" "$option"
	done <"$work/passed"
	"./bench_$engine" "$@" >"$work/out" 2>"$work/err" || :
	[ ! -e "$work/row" ] || cat "$work/row" >>"$out/rows.json"
	{ tail -n 1 "$work/row" 2>/dev/null || echo null; } | jq -r --arg goal "$goal" --arg on "$on" --slurpfile limits "$work/read" \
		--arg why "$(tail -n 1 "$work/err" | tr '\t' ' ')" '
		. as $row | [$limits[] | . + {is: $row[.column]}] as $l |
		if . == null or .benchmark != $on then ["invalid", "", "", $why]
		elif .valid != 1 then ["invalid", "", "", .invalid_reason]
		elif .[$goal] == null then ["invalid", "", "", "its row has no \($goal)"]
		elif any($l[]; .is == null) then ["invalid", "", "", "its row has no \([$l[] | select(.is == null).column][0])"]
		else [$l[] | .over = (if .sign == "<" then .is / .value - 1 elif .is == 0 then 1e9 else .value / .is - 1 end) | select(.over >= 0)] |
			if . == [] then ["feasible", $row[$goal], 0, ""]
			else ["infeasible", $row[$goal], (map(.over + 0.001) | add), (map("\(.column) is \(.is)") | join(", "))] end end |
		map(if . == "" then "-" else tostring | gsub("[\t\n]"; " ") end) | @tsv' >"$work/outcome"
	IFS=$tab read -r status result exceeded reason <"$work/outcome"
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$number" "$kind" "$on" "$settings" "$run_seed" "$status" "$result" "$reason" >>"$out/trials.tsv"
}

# ---- first: what may be best

# all_combinations, one_factor: lines of settings, the default first
all_combinations () {
	echo "$default"
	awk -F '\t' '{ n = 0; if (NR == 1) { lines[1] = ""; n = 1 }
			else n = count
			count = 0
			for (i = 1; i <= n; i++) for (v = 3; v <= NF; v++) next_lines[++count] = lines[i] (NR > 1 ? " " : "") $1 "=" $v
			for (i = 1; i <= count; i++) lines[i] = next_lines[i] }
		END { for (i = 1; i <= count; i++) print lines[i] }' "$work/settings" | grep -v -x -F -e "$default"
}
one_factor () {
	echo "$default"
	awk -F '\t' '{ name[NR] = $1; usual[NR] = $2; values[NR] = $0 }
		END { for (s = 1; s <= NR; s++) {
			n = split(values[s], v, "\t")
			for (i = 3; i <= n; i++) if (v[i] != usual[s]) {
				line = ""
				for (j = 1; j <= NR; j++) line = line (j > 1 ? " " : "") name[j] "=" (j == s ? v[i] : usual[j])
				print line
			}
		} }' "$work/settings"
}

# best: the settings of the best feasible run
best () {
	awk -F '\t' '$2 == "search" && $6 == "feasible" { print $7 "\t" $4 }' "$out/trials.tsv" |
		sort -t "$tab" "-k1,1g$([ -n "$less" ] || echo r)" | head -n 1 | cut -f 2
}

# search: by Optuna, whose process proposes and is answered
search () {
	pip_environment optuna "$optuna_version"
	mkfifo "$work/proposals" "$work/answers"
	"$venv/bin/python" scripts/tools/tune.py "$seed" "$trials" <"$work/answers" >"$work/proposals" 2>"$work/python" &
	exec 7>"$work/answers" 8<"$work/proposals"
	{ cut -f 1,3- "$work/settings"; echo; } >&7
	while IFS= read -r indices <&8
	do
		combination=$(echo "$indices" | tr '\t' '\n' | paste "$work/settings" - |
			awk -F '\t' '{ printf "%s%s=%s", (NR > 1 ? " " : ""), $1, $(3 + $NF) }')
		measure search "$combination" "$seed"
		case $status in
		invalid) echo invalid >&7 ;;
		*) awk -v r="$result" -v less="$less" -v over="$exceeded" 'BEGIN { print (less ? r : -r), over }' >&7 ;;
		esac
	done
	exec 7>&- 8<&-
	wait $! || fail 1 "Optuna failed: $(tail -n 1 "$work/python")"
}

databases=${STORAGE_DIR:-$out}/db
mkdir -p "$databases"
printf 'run\tkind\tbenchmark\tsettings\tseed\tstatus\tgoal\treason\n' >"$out/trials.tsv"
number=0
case $mode in
search)
	measure search "$default" "$seed"
	search
	;;
factorial) all_combinations >"$work/plan" ;;
one-factor) one_factor >"$work/plan" ;;
esac
if [ "$mode" != search ]
then
	while IFS= read -r combination <&3
	do
		measure search "$combination" "$seed"
	done 3<"$work/plan"
fi
winner=$(best)
if [ "$mode" = one-factor ] && [ -n "$winner" ]
then
	# the best value of each setting, while the others are at their defaults
	winner=$(awk -F '\t' -v default="$default" -v less="$less" '
		NR == FNR { name[FNR] = $1; usual[FNR] = $2; n = FNR; next }
		$2 != "search" || $6 != "feasible" { next }
		{
			split($4, pair, " ")
			for (s = 1; s <= n; s++) {
				alone = 1
				for (j = 1; j <= n; j++) if (j != s && pair[j] != name[j] "=" usual[j]) alone = 0
				if (alone && (!(s in most) || (less ? $7 + 0 < most[s] : $7 + 0 > most[s]))) { most[s] = $7 + 0; value[s] = pair[s] }
			}
		}
		END { for (s = 1; s <= n; s++) printf "%s%s", (s > 1 ? " " : ""), (s in value) ? value[s] : name[s] "=" usual[s] }' \
		"$work/settings" "$out/trials.tsv")
fi

# ---- then: whether it is, and why

# without SETTING: the winner with that at its default
without () {
	echo "$winner" | tr ' ' '\n' | awk -F = -v one="$1" -v usual="$(awk -F '\t' -v one="$1" '$1 == one { print $2 }' "$work/settings")" \
		'{ printf "%s%s", (NR > 1 ? " " : ""), $1 == one ? one "=" usual : $0 }'
}

# again: winner, default and the winner without each of its settings, in rounds, forwards
# and backwards in turn
again () {
	{
		echo "default$tab$default"
		echo "winner$tab$winner"
		for setting in $winner
		do
			name=${setting%%=*}
			[ "$(without "$name")" = "$winner" ] || echo "without $name$tab$(without "$name")"
		done
		[ -z "$shifted" ] || printf 'default\t%s\t%s\nwinner\t%s\t%s\n' "$default" "$shifted" "$winner" "$shifted"
	} >"$work/again"
	for round in $(seq "$rounds")
	do
		if [ $((round % 2)) -eq 1 ]; then cat "$work/again"; else tac "$work/again"; fi >"$work/order"
		while IFS=$tab read -r kind settings on <&3
		do
			measure "$kind" "$settings" $((seed + round * 1000)) "$on"
		done 3<"$work/order"
	done
}

# samples KIND OTHER [BENCHMARK]: a line for build/stats, of the feasible runs of both
samples () {
	awk -F '\t' -v kind="$1" -v other="$2" -v on="${3:-$benchmark}" 'NR == 1 || $3 != on || $6 != "feasible" { next }
		$2 == kind { a = a " " $7 } $2 == other { b = b " " $7 }
		END { if (a != "" && b != "") print kind "\t" substr(a, 2) "\t" substr(b, 2) }' "$out/trials.tsv"
}

# count KIND STATUS: the runs of the benchmark
count () {
	awk -F '\t' -v kind="$1" -v status="$2" -v on="$benchmark" \
		'$2 == kind && $3 == on && $6 == status { n++ } END { print n + 0 }' "$out/trials.tsv"
}

# change LINE: of build/stats, in words: the ratio of the second to the first as a
# percentage, with its interval
change () {
	echo "$1" | awk -F '\t' '{ if ($14 == "") { print "not known"; exit }
		printf "%+.1f %% (95 %% interval %+.1f to %+.1f %%)", ($14 - 1) * 100, ($15 - 1) * 100, ($16 - 1) * 100 }'
}

# better LINE: whether the second is: by the test, by 1 %, and by its interval
better () {
	echo "$1" | awk -F '\t' -v less="$less" '{
		exit !($14 != "" && $22 < 0.05 && (less ? $14 < 0.99 && $16 < 1 : $14 > 1.01 && $15 > 1)) }'
}

tell () {
	echo "goal: $goal, $([ -n "$less" ] && echo less || echo more) is better; $mode: $(($(wc -l <"$work/tried") - 1)) runs" \
		"of $combinations combinations, of which $(count search infeasible) exceeded a limit and $(count search invalid) were invalid"
	echo "default: $default"
	if [ -z "$winner" ]
	then
		echo "nothing found: no run kept the limits"
		return 1
	fi
	[ "$winner" != "$default" ] || { echo "nothing found: the default was best"; return 1; }
	echo "best of these runs: $winner"
	verdict=0
	line=$(samples default winner | stats)
	bad=$((rounds - $(count winner feasible)))
	if [ "$bad" -gt 0 ]
	then
		echo "nothing found: when run again, the best exceeded a limit or was invalid in $bad of $rounds runs"
		verdict=1
	elif [ -n "$line" ] && better "$line"
	then
		echo "found: run again in turn, $rounds times each on fresh seeds, it changes $goal by $(change "$line")"
	else
		echo "nothing found: run again in turn, $rounds times each on fresh seeds, the change of $goal is $(change "$line")"
		verdict=1
	fi
	echo
	awk -F '\t' -v goal="$goal" 'NR > 1 { print $1 ": " $5 ($4 == "" ? "" : "; taking back " $3 " to " $2 " alone changes " goal " by " $4) }' \
		"$out/settings.tsv"
	[ -z "$shifted" ] || echo "on $shifted: $(change "$(samples default winner "$shifted" | stats)") against the default;" \
		"limits exceeded in $(benchmark=$shifted && count winner infeasible) of $rounds runs"
	return $verdict
}

# settings_table: which settings of the winner matter
settings_table () {
	printf 'setting\tdefault\tvalue\tchange_if_taken_back\tverdict\n'
	for setting in $winner
	do
		samples winner "without ${setting%%=*}"
	done | stats >"$work/ablation"
	for setting in $winner
	do
		name=${setting%%=*}
		usual=$(awk -F '\t' -v one="$name" '$1 == one { print $2 }' "$work/settings")
		line=$(samples winner "without $name" | stats)
		# corrected for the number of settings that are judged
		[ -z "$line" ] || line=$(echo "$line" | awk -F '\t' -v OFS='\t' -v n="$(wc -l <"$work/ablation")" '{ $22 = $17 * n; print }')
		if [ "${setting#*=}" = "$usual" ]
		then
			printf '%s\t%s\t%s\t\tbest at its default\n' "$name" "$usual" "$usual"
		elif [ -z "$line" ]
		then
			printf '%s\t%s\t%s\t\tmatters: without it no run keeps the limits\n' "$name" "$usual" "${setting#*=}"
		else
			word='shows no effect'
			! worse "$line" || word=matters
			! better "$line" || word='does harm'
			printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$usual" "${setting#*=}" "$(change "$line")" "$word"
		fi
	done
}
worse () {
	echo "$1" | awk -F '\t' -v less="$less" '{ exit !($14 != "" && $22 < 0.05 && (less ? $14 > 1.01 && $15 > 1 : $14 < 0.99 && $16 < 1)) }'
}

cp "$out/trials.tsv" "$work/tried"
if [ -n "$winner" ] && [ "$winner" != "$default" ]
then
	again
	settings_table >"$out/settings.tsv"
fi
progress ''
status=0
tell >"$out/tune.txt" || status=1
cat "$out/tune.txt"
exit $status
