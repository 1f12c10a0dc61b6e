#!/bin/sh
# history.sh: metrics over many days, and when they changed; see --help.
# shellcheck disable=SC2016 # jq programs are quoted
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'flock' "$@"

otava_version=0.8.0
help () {
	cat <<END
usage: scripts/history.sh add [--history=FOLDER] [--commit=TEXT] DIRECTORY ...
       scripts/history.sh show [option ...]
       scripts/history.sh check [option ...]

Keeps results over many days and finds when an engine became slower or faster.

add appends results to the history: DIRECTORY is a directory of sweep.sh, or a file of JSON lines.
There is one TSV file for each machine, benchmark, number of threads and setting:
FOLDER/MACHINE/BENCHMARK-THREADSt-LABEL-ID.tsv; the .json next to it describes the setting. The
valid runs of DIRECTORY for such a file become one line of it: their medians and their number.
Results that were added before are skipped and named.

show prints each file's metrics over time with their changes, and the commit or version of each
change. check prints one sentence that names the metrics which became slower and have not
recovered. Files of fewer than ten lines are too short to check, and named.

  --history=FOLDER      directory of the histories [history]
  --commit=TEXT         add: the engine's own revision, such as a commit of its repository, for the column commit
                        [the suite's, as in the rows]
  --metrics=A,B         metrics to check for changes [ops_per_sec,cpu_ns_per_op]; also mean_us,
                        p50_ns, p99_ns, p999_ns, write_amp_all_in, db_disk_kb, peak_rss_kb,
                        syncs_per_commit
  --threshold=PERCENT   ignore smaller changes [1]
  --p-value=P           probability of a false alarm at each line of a history without a change
                        [0.0001]
  --since=TIME          check: ignore changes before this time; as in the rows,
                        2026-01-31T12:00:00Z, or its beginning
  --format=NAME         show: text, json, bmf (Bencher's), github-bigger or github-smaller (github-action-benchmark's
                        customBiggerIsBetter and customSmallerIsBetter), of the last lines [text]
  --page=DIRECTORY      show: plot each metric of each history over time, as SVG and PNG, with
                        index.html for all
  --otava=PROGRAM       Python interpreter that has apache-otava $otava_version [pip installs it into
                        a directory of its own below \${XDG_CACHE_HOME:-~/.cache}/assay, which
                        is announced first]
  --help                this

Changes are found by Apache Otava (Hunter's algorithm: change points by E-divisive means, each
held against Student's t). On a shared machine rates are noisy; cpu_ns_per_op is less so.
benchstat reads what bench_NAME --format=gobench prints.
Exit status: 0; check: 1 if a metric became slower; 2 wrong arguments, or no results.
END
}

verb=${1-}
case $verb in
--help) help; exit 0 ;;
add | show | check) shift ;;
'') fail 2 "add, show or check? see --help" ;;
*) fail 2 "cannot read '$verb'; give add, show or check, see --help" ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
. "$here/rows.sh"
history=history asked=ops_per_sec,cpu_ns_per_op threshold=1 p=0.0001 since='' \
	format=text page='' otava='' commit=''
make_work
: >"$work/directories"
for argument
do
	value=${argument#*=}
	case $verb$argument in
	*--help) help; exit 0 ;;
	*--history=?*) history=$value ;;
	show--metrics=?* | check--metrics=?*) asked=$value ;;
	show--threshold=?* | check--threshold=?*) threshold=$value ;;
	show--p-value=?* | check--p-value=?*) p=$value ;;
	check--since=?*) since=$value ;;
	show--format=text | show--format=json | show--format=bmf | \
		show--format=github-bigger | show--format=github-smaller) format=$value ;;
	show--page=?*) page=$value ;;
	show--otava=?* | check--otava=?*) otava=$value ;;
	add--commit=?*) commit=$value ;;
	add-* | show* | check*) fail 2 "cannot read '$argument' of $verb; see --help" ;;
	*) echo "$argument" >>"$work/directories" ;;
	esac
done
for figure in "$threshold" "$p"
do
	echo "$figure" | grep -q -x -E '[0-9]+([.][0-9]+)?' ||
		fail 2 "cannot read '$figure'; give a number to --threshold and --p-value"
done
command -v jq >/dev/null || fail 2 "jq is not installed; apt install jq"

# program JQ ARGUMENTS...: with what history.jq has
program () {
	what=$1
	shift
	jq -L "$here" "include \"history\"; $what" "$@"
}

# ---- add

# append ENTRY: one line to its history, which is begun if it is the first
append () {
	of=$(printf %s "$1" | jq -cS .of)
	name=$(printf %s "$1" | jq -r '"\(.machine)/\(.name)"')-$(printf %s "$of" |
		sha256sum | cut -c 1-8)
	file=$history/$name.tsv
	line=$(printf %s "$1" | jq -r .line)
	mkdir -p "$(dirname "$file")"
	if [ ! -e "$file" ]
	then
		printf '%s\n' "$of" >"$history/$name.json"
		printf '%s\n' "$header" >"$file"
	fi
	[ "$(head -n 1 "$file")" = "$header" ] ||
		fail 2 "$file has other columns than this version writes; begin another --history"
	last=$(tail -n 1 "$file" | cut -f 1)
	time=$(printf %s "$line" | cut -f 1)
	if grep -q -x -F -e "$line" "$file"
	then
		echo "history.sh: $file has the runs of $time already" >&2
	elif [ "$last" != time ] && expr "$time" '<' "$last" >/dev/null
	then
		fail 2 "$file goes up to $last, and a run of $time cannot be appended; add older runs first"
	else
		printf '%s\n' "$line" >>"$file"
		echo "$file"
	fi
}

add () {
	[ -s "$work/directories" ] ||
		fail 2 "which results? usage: scripts/history.sh add DIRECTORY ..."
	number=0
	while IFS= read -r directory
	do
		file=$directory
		[ ! -d "$directory" ] || file=$directory/results.json
		[ -r "$file" ] ||
			fail 2 "cannot read $file; sweep.sh makes a results.json"
		number=$((number + 1))
		read_rows "$file" "$work/whole" 1 "$here/rows.jq" "$here/history.jq"
		jq -c --argjson dir $number --arg commit "$commit" '.dir = $dir |
			if $commit == "" then . else .commit = $commit end' "$work/whole" >>"$work/rows"
	done <"$work/directories"
	invalid=$(jq -s 'map(select(.valid != 1)) | length' "$work/rows")
	[ "$invalid" -eq 0 ] || echo "history.sh: $invalid invalid rows left out" >&2
	against=$(program '[inputs] | objection' -nr "$work/rows") || unreadable "$directory"
	[ -z "$against" ] || fail 2 "$against; nothing is added"
	program '[inputs] | [entries]' -n "$work/rows" >"$work/entries" ||
		unreadable "$directory"
	[ "$(jq length "$work/entries")" -gt 0 ] ||
		fail 2 "no valid row in $(paste -sd ' ' "$work/directories")"
	unlike=$(jq -r 'map(select(.unlike) | .name)[0] // ""' "$work/entries")
	[ -z "$unlike" ] ||
		fail 2 "runs of $unlike differ in their engine's options; give each setting a --label and measure again"
	header=$(program header -nr)
	mkdir -p "$history"
	exec 9>"$history/lock"
	flock 9
	jq -c '.[]' "$work/entries" >"$work/list"
	while IFS= read -r entry
	do
		append "$entry"
	done <"$work/list"
}

# ---- show and check

# find_otava: $otava is a Python that has it, if need be after pip has installed it
find_otava () {
	if [ -z "$otava" ]
	then
		pip_environment apache-otava "$otava_version"
		otava=$venv/bin/python
	fi
	command -v "$otava" >/dev/null || fail 2 "--otava: there is no program $otava"
}

# all histories into $work/histories: what is said of each, without its lines
read_histories () {
	[ -d "$history" ] || fail 2 "no directory $history; history.sh add begins one"
	find "$history" -name '*.tsv' ! -type d | sort >"$work/files"
	[ -s "$work/files" ] || fail 2 "no history in $history; history.sh add begins one"
	while IFS= read -r file
	do
		uncut "$file" "$file"
	done <"$work/files"
	unread="a history in $history cannot be read; see the message above"
	tr '\n' '\0' <"$work/files" | xargs -0 awk -f "$here/history.awk" >"$work/lines" ||
		fail 2 "$unread"
	sed 's/[.]tsv$/.json/' "$work/files" | tr '\n' '\0' |
		xargs -0 jq -c '{key: (input_filename | rtrimstr(".json") + ".tsv"), value: .}' \
		>"$work/of" || fail 2 "$unread"
	program '($of | from_entries) as $of |
		[$lines / "\n" | .[] | select(. != "") | described($of)] | named' -n \
		--rawfile lines "$work/lines" --slurpfile of "$work/of" >"$work/histories" ||
		fail 2 "$unread"
}

# $work/changed: the histories with what changed in them
find_changes () {
	metrics=$(program '$asked / "," | . - [metrics[].name] | select(. != [])' \
		-nc --arg asked "$asked")
	[ -z "$metrics" ] ||
		fail 2 "--metrics: no $(echo "$metrics" | jq -r 'join(", ")'); see --help"
	program '.[] | [.file, whole($asked / ",")[]] | select(length > 1) | join("\t")' -r \
		--arg asked "$asked" "$work/histories" >"$work/asked"
	: >"$work/answers"
	if [ -s "$work/asked" ]
	then
		find_otava
		"$otava" "$here/history.py" "$p" "$(jq -n "$threshold / 100")" <"$work/asked" \
			>"$work/answers" 2>"$work/otava.err" ||
			fail 2 "$otava: $(tail -n 1 "$work/otava.err")"
	fi
	program '($answers | map({key: .file, value: .changes}) | from_entries) as $all |
		map(.changes = changes($all[.file] // []; $threshold))' \
		--slurpfile answers "$work/answers" --argjson threshold "$threshold" \
		"$work/histories" >"$work/changed"
}

# picture NUMBER METRIC FILE: of that history
picture () {
	program '.[$i] | .lines = ($text | lines) | stretches($m)' -r --argjson i "$1" --arg m "$2" \
		--rawfile text "$(jq -r --argjson i "$1" '.[$i].file' "$work/changed")" \
		"$work/changed" >"$work/stretches"
	"$here/plot/picture.sh" history "$3" \
		"$(program '.[$i] | title' -r --argjson i "$1" "$work/changed")" \
		"$work/stretches" "$2"
}

make_page () {
	python_with jinja2 python3-jinja2
	command -v gnuplot >/dev/null ||
		fail 2 "gnuplot is not installed; apt install gnuplot-nox"
	mkdir -p "$page"
	program 'to_entries[] | .key as $i | .value | pictures($asked / ",")[] |
		"\($i)\t\(.metric)\t\(.file)"' -r --arg asked "$asked" "$work/changed" >"$work/pictures"
	while IFS=$(printf '\t') read -r number metric file
	do
		picture "$number" "$metric" "$page/${file%.svg}"
	done <"$work/pictures"
	program 'map({title: title, entries, since, last: .last.time, pictures: pictures($asked / ","),
		changes: [.changes[] | {open, said: change}]})' --arg asked "$asked" "$work/changed" |
		"$python" "$here/reading" history-page >"$page/index.html"
	echo "$page/index.html"
}

case $verb in
add) add ;;
show)
	read_histories
	case $format in
	bmf) program bmf "$work/histories"; exit 0 ;;
	github-bigger) program 'github(true)' "$work/histories"; exit 0 ;;
	github-smaller) program 'github(false)' "$work/histories"; exit 0 ;;
	esac
	find_changes
	if [ -n "$page" ]; then make_page
	elif [ "$format" = json ]; then program \
		'.[] | {file, of, entries, changes}' -c "$work/changed"
	else program text -r "$work/changed"
	fi
	;;
check)
	read_histories
	few=$(program too_few -r "$work/histories")
	[ -z "$few" ] || echo "history.sh: $few" >&2
	[ "$(program 'any(.[]; .entries >= fewest)' "$work/histories")" = true ] || exit 2
	find_changes
	sentence=$(program 'sentence($since)' -r --arg since "$since" "$work/changed")
	[ -z "$sentence" ] || fail 1 "$sentence"
	;;
esac
