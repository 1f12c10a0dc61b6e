#!/bin/sh
# symas.sh: the plots of Symas' publications of 2014 and 2018, from their reproductions; see --help.
set -eu
. "$(dirname "$0")/../common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/plot/symas.sh DIRECTORY

Draws the plots of Symas' publications of 2014 and 2018 from a reproduction: DIRECTORY is the
--out of scripts/repro/inmemory-2014.sh or optane-2018.sh. Each plot, SVG and PNG in
DIRECTORY/figures, has the published numbers, where they are known, above the measured ones.
2014: load, load-time, run, cpu, writes, reads, threads-ENGINE, threads-ENGINE-GENERATOR, size.
Groups of bars stand by the first number measured here, the best first.
2018: load, load-without-outliers, writes, reads, readers.
END
	exit 0
	;;
'') fail 2 "which directory? usage: scripts/plot/symas.sh DIRECTORY" ;;
esac
[ -s "$1/rows.json" ] || fail 2 "no rows.json in $1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
scripts=scripts/plot
. "$scripts/timeline.sh"
make_work
read_by rows.sh symas.sh "$out/rows.json" 1 >"$work/rows"
document=$(jq -rs '.[0].document' "$work/rows")
mkdir -p "$out/figures"
rm -f "$out/figures/captions.tsv"
scripts/claims.sh --rows "$document" >"$work/published"
jq -c 'select(.valid == 1)' "$work/rows" >"$work/rounds"
read_by symas.sh medians "$work/rounds" >"$work/points"
cp "$work/points" "$work/ours"

# draw_symas NAME SCRIPT ARGUMENTS...: both forms
draw_symas () {
	name=$1 script=$2
	shift 2
	case $script in
	bars-two)
		said="Published above, measured here below, each panel on a scale of its own; \
medians of the rounds. None: not measured on that side."
		;;
	*) said=$1 ;;
	esac
	printf '%s\t%s\n' "$name" "$said" >>"$out/figures/captions.tsv"
	scripts/plot/picture.sh "$script" "$out/figures/$name" "$@" >"$work/drawn" ||
		exit 1
}

# symas_table SIDE GROUPS SELECT COLUMNS: a line for each group: its name, and the columns of
# the row that is selected
symas_table () {
	# shellcheck disable=SC2086
	jq -rs ". as \$rows | \$ARGS.positional[] as \$g |
		[\$rows[] | select((.label // .engine) == \$g) | select($3)] |
		if length == 0 then [\$g] else .[0] | [\$g, $4] end |
		map(. // 0) | @tsv" "$work/$1" --args $2
}

# symas_short GROUPS: as they stand below bars, in several lines
symas_short () {
	echo "$1" |
		sed 's/[+]type=/|/; s/[+]prefix_size=[0-9]*/|pfx/; s/[+]readahead=0/|no|readahead/
			s/:/|/g; s/wiredtiger/wired|tiger/; s/hyperleveldb/hyper|leveldb/
			s/ext4-nojournal/ext4|no_journal/' |
		paste -sd ' ' -
}

# symas_most FILE COUNT: the greatest of all columns but the last COUNT, and of those; 1 where
# there is none
symas_most () {
	awk -F '\t' -v right="$2" '
		{
			for (i = 2; i <= NF; i++) {
				side = i > NF - right
				if ($i + 0 > max[side]) max[side] = $i + 0
			}
		}
		END {
			for (side = 0; side < 2; side++)
				printf " %.9g", (max[side] > 0 ? max[side] : 1)
		}' "$1"
}

# symas_ordered SIDE...: the groups of $select by the first of $columns on the first side, and
# then those of the next; rates descend, times and sizes ascend
symas_ordered () {
	for side
	do
		jq -r "select($select) | [.label // .engine, ($columns)] | .[:2] | @tsv" \
			"$work/$side" |
			case $left in
			*/s) sort -s -t "$tab" -k 2 -g -r ;;
			*) sort -s -t "$tab" -k 2 -g ;;
			esac
	done | cut -f 1 | awk '!seen[$0]++'
}

# symas_bars NAME TITLE SELECT COLUMNS SERIES LEFT RIGHT COUNT: a panel of each side that
# has any; of 2014 with the same groups
symas_bars () {
	figure=$1 select=$3 columns=$4 series=$5 left=$6 right=$7 count=$8
	title="$2
$about"
	all=
	[ "$document" = symas-2018 ] || all=$(symas_ordered ours published)
	panels=
	for side in published ours
	do
		groups=$(symas_ordered $side)
		[ -n "$groups" ] || continue
		groups=${all:-$groups}
		# as wide as the series, so that an empty group has a cell for each
		symas_table $side "$groups" "$select" "$columns" |
			awk -F '\t' -v OFS='\t' -v n="$(echo "$series" | wc -w)" \
			'{ for (i = NF + 1; i <= n + 1; i++) $i = 0 } { print }' \
			>"$work/$figure-$side"
		panel=$machine_published
		[ $side = published ] || panel=$machine_ours
		panels="$panels \"$panel\" \"$work/$figure-$side\" \"$(symas_short "$groups")\""
		panels="$panels$(symas_most "$work/$figure-$side" "$count")"
	done
	[ -z "$panels" ] || draw_symas "$figure" bars-two "$title" "$series" "$left" "$right" \
		"$count" "$panels"
}

machine_ours=$(jq -rs '.[0] | "here: \(.cores) CPUs" + if .memory_limit_kb
	then ", memory limited to \(.memory_limit_kb / 1024 | round) MiB" else "" end' "$work/ours")

# symas_timelines DIRECTORY EXPERIMENT: those of its runs as files for the plots, and $list:
# label and intervals, in quotes
symas_timelines () {
	list=
	read_by symas.sh runs "$work/points" "$out/$1" "$2" >"$work/runs"
	while IFS=$tab read -r run label <&3
	do
		run_of=$work/$1/$2/$label
		relative=0
		[ "$2" != load ] || relative=1
		expand_timeline "$run" "$run_of" $relative intervals threads
		[ "$(wc -l <"$run_of/intervals.tsv")" -lt 2 ] ||
			list="$list \"$label\" \"$run_of/intervals.tsv\""
	done 3<"$work/runs"
}

# symas_sizes SIDE PROCESS: rows of the sizes of each load there, and of what has run on it
symas_sizes () {
	jq -cs '[.[] | select(.experiment == "load")][] as $load |
		([.[] | select(.experiment == "run" and .label == $load.label)][0] // {}) as $run |
		{experiment: "size", label: $load.label, load: $load.db_disk_kb,
		final: $run.db_disk_kb, process: ('"$2"')}' "$work/$1" >"$work/sizes"
	cat "$work/sizes" >>"$work/$1"
}

symas_in_memory () {
	machine_published="published: 16 CPUs, 128 GB, a RAID of disks"
	about=$(read_by symas.sh about "$work/points" 1,000,000,000 run load)
	symas_bars load "Loading the database" '.experiment == "load"' \
		'.seconds, .user_s, .sys_s, ((.user_s + .sys_s) / .seconds)' \
		'wall user sys overhead' seconds '(user + sys) / wall' 1
	symas_bars run "Sixteen readers and a writer" '.experiment == "run"' \
		'.seconds, .user_s, .sys_s' 'wall user sys' seconds '' 0
	for kind in writes reads
	do
		symas_bars $kind "Sixteen readers and a writer: $kind a second" \
			'.experiment == "run"' ".${kind}_per_sec" $kind "$kind/s" '' 0
	done
	# the final size and that of the process are of the run
	symas_sizes ours '$run.peak_rss_kb // $run.rss_kb'
	symas_sizes published '$run.rss_kb'
	symas_bars size Space '.experiment == "size"' \
		'.load * 1024, .final * 1024, .process * 1024' 'load final process' bytes '' 0
	if [ -d "$out/main" ]
	then
		symas_timelines main load
		[ -z "$list" ] || draw_symas load-time load-time "Loading
$about" "$list"
		symas_timelines main run
		[ -z "$list" ] || draw_symas cpu cpu "Sixteen readers and a writer
$about" "$list"
		symas_threads main run '' ''
	fi
	for rng in minstd default
	do
		[ -d "$out/$rng" ] || continue
		symas_timelines $rng run-$rng
		symas_threads $rng run-$rng "-$rng" ", --rng=$rng"
	done
}

# symas_threads DIRECTORY EXPERIMENT SUFFIX WORDS: a figure of the threads of each run that
# symas_timelines has found there
symas_threads () {
	for file in "$work/$1/$2"/*/threads.tsv
	do
		[ "$(wc -l <"$file")" -gt 2 ] || continue
		label=$(basename "${file%/threads.tsv}")
		draw_symas "threads-$label$3" threads \
			"$label$4: reads of sixteen threads, and writes of one beside them" \
			"$file" "$(head -n 1 "$file" | cut -f 2- | tr '\t' ' ')"
	done
}

symas_optane () {
	machine_published="published: flash P4500 and Optane P4800X, 64 GB"
	about=$(read_by symas.sh about "$work/points" 80,000,000)
	symas_bars load "Loading the database" '.experiment == "load"' \
		'.seconds, .user_s, .sys_s' 'wall user sys' seconds '' 0
	symas_bars load-without-outliers "Loads of less than 5,000 seconds" \
		'.experiment == "load" and .seconds < 5000' '.seconds, .user_s, .sys_s' \
		'wall user sys' seconds '' 0
	counts=$(jq -rs '[.[] | select(.experiment == "run") | .threads] | unique[]' "$work/ours")
	[ -n "$counts" ] || return 0
	for kind in writes reads
	do
		left=$kind/s select='.experiment == "run"' columns=".${kind}_per_sec"
		jq -cs "map(select($select)) | group_by(.label)[] | max_by($columns)" \
			"$work/ours" >"$work/most"
		groups=$(symas_ordered most)
		# shellcheck disable=SC2086
		jq -rs "map(select($select)) as \$runs | \$ARGS.positional[] as \$g |
			[\$g, ((\$runs | map(.threads) | unique[]) as \$n |
			[\$runs[] | select(.label == \$g and .threads == \$n)][0] |
			$columns // 0)] | @tsv" "$work/ours" --args $groups >"$work/$kind"
		draw_symas $kind bars-two "By the number of readers
$about" "$(echo "$counts" | sed '1s/$/_reader/' | paste -sd ' ' -)" "$kind/s" '' 0 \
			"\"$machine_ours\" \"$work/$kind\" \
\"$(symas_short "$groups")\"$(symas_most "$work/$kind" 0)"
	done
	if [ "$(echo "$counts" | wc -l)" -gt 1 ]
	then
		scripts/plot/points.sh "$work/rounds" >"$work/points.tsv"
		draw_symas readers readers "Readers beside a writer
$about" "$work/points.tsv" readwhilewriting \
			"$(jq -r 'select(.experiment == "run") | .label // .engine' "$work/ours" |
				awk '!seen[$0]++' | paste -sd ' ' -)" 1
	fi
}

case $document in
symas-2014) symas_in_memory ;;
symas-2018) symas_optane ;;
*) fail 2 "$1 holds $document, which has other figures" ;;
esac
