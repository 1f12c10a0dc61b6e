# draw.sh: the figures of a reproduction; sourced after repro-common.sh.
# shellcheck shell=sh disable=SC2154 # repro-common.sh has the variables

# draw NAME SCRIPT TITLE YLABEL JQ ARGUMENTS...: OUT/figures/NAME.svg and .png by
# scripts/plot/SCRIPT.gp, of the points that the program makes of $published and $ours,
# lists of rows: [panel, label, x, y]. Of several at one place the median is drawn, of
# invalid rows nothing.
draw () {
	[ -z "$dry" ] || return 0
	figure=$1 kind=$2 title=$3 ylabel=$4 points=$5
	shift 5
	data=$out/figures/$figure.tsv
	published=${published:-$(scripts/claims.sh --rows "$document")}
	[ -n "${work:-}" ] || make_work
	[ -s "$work/tables.json" ] || scripts/claims.sh --tables >"$work/tables.json"
	# shellcheck disable=SC2016 # jq's own
	echo "$published" | jq -nr -L scripts --slurpfile tables "$work/tables.json" \
		--slurpfile published /dev/stdin --slurpfile all "$out/rows.json" '
		include "rows"; [$all[] | select(.valid == 1)] as $ours |
		["panel", "label", "x", "y"], ([('"$points"') | select(all(.[]; . != null))] |
			[.[][0]] as $panels | [.[][1]] as $names | group_by(.[:3]) |
			map(.[0][:3] + [map(.[3]) | median]) |
			sort_by([.[0] as $panel | $panels |
			index($panel)], [.[1] as $called | $names |
			index($called)], .[2]) | .[]) | @tsv' >"$data"
	if [ "$(wc -l <"$data")" -lt 2 ]
	then
		rm "$data"
		echo "$name.sh: $figure has no points and is not drawn" >&2
		return 0
	fi
	printf '%s\t%s\n' "$figure" "$title" >>"$out/figures/captions.tsv"
	scripts/plot/picture.sh "$kind" "$out/figures/$figure" "$title" "$ylabel" \
		"$data" \
		"$(distinct 1)" "$(distinct 2)" "$@" >/dev/null || exit 1
	rm "$data"
}

# distinct N: the words of a column of the data, in their order
distinct () {
	tail -n +2 "$data" | cut -f "$1" | awk '!seen[$0]++' | paste -sd ' ' -
}
