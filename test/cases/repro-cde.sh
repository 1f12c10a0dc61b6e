# repro-cde.sh: the reproductions of Voron 2013, BangDB 2012 and UCSB 2022, at a scale of seconds.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# engines_of SCRIPT: with which it is run here
engines_of () {
	case $1 in
	bangdb-2012) echo leveldb ;;
	redb-2025) echo lmdb,sqlite ;;
	*) echo lmdb ;;
	esac
}
remake () {
	"$top/scripts/repro/$1.sh" --scale=small --out="$work/remade/$1" --engines="$(engines_of "$1")"
}

# what was there before
set -- "$work/remade/ucsb-2022/db/file" "$work/remade/ucsb-2022/db/lmdb with a blank" \
	"$work/remade/voron-2013/fill-none/db/file" "$work/remade/voron-2013/fill-none/db/mine/assay.db" \
	"$work/remade/voron-2013/fill-none/db/mine/data/file"
for file
do
	mkdir -p "${file%/*}" && echo mine >"$file"
done

ran () {
	remake "$1" >"$work/$1.out" 2>"$work/$1.err" || { cat "$work/$1.out" "$work/$1.err"; return 1; }
}
# remade SCRIPT EXPERIMENTS: every row valid, of the document and of these experiments, everything there; each cell and claim recomputes
remade () {
	needs ran "$1"
	from=$work/remade/$1
	[ "$(cat "$work/$1.out")" = "$from/report.html" ] || return 1
	jq -es --arg experiments "$2" --arg engines "$(engines_of "$1")" '
		length > 0 and all(.[]; .valid == 1 and .document != null and .experiment != null) and
		(map(.experiment) | unique) == ($experiments | split(" ") | sort) and
		(map(.engine) | unique) == ($engines | split(",") | sort)' "$from/rows.json" ||
		{ jq -c '[.experiment, .label, .benchmark, .valid, .invalid_reason]' "$from/rows.json" | sort -u; return 1; }
	[ "$(wc -l <"$from/rows.tsv")" -eq $(($(wc -l <"$from/rows.json") + 1)) ] || return 1
	python3 "$top/test/recompute.py" "$from" "$top/results/published"
}
ok 'voron-2013.sh: fills, reads whole and in parts, cold and warm' remade voron-2013 \
	'fill fill-single parallel parallel-default read'
ok 'bangdb-2012.sh: its six tests, two of them with a small cache' remade bangdb-2012 \
	'D1 D1s D2 D2-program D2s D3 D4 D5 D6'
ok 'ucsb-2022.sh: its eight workloads, and what is beside them' remade ucsb-2022 \
	'0 0-as-set 0-single A C C-in-memory C-permuted C-ucsb2022 C-user-keys D E E-permuted Remove X Y Z'
ok 'redb-2025.sh: its load, writes, reads and ranges' remade redb-2025 \
	'bulk single batches reads ranges'

# tables SCRIPT ABSENT TABLES PATTERN: the last of them says what is not here; each has no invalid cell and a figure of ours in it
tables () {
	needs ran "$1"
	file=$work/remade/$1/tables.md
	headings=$(grep -c '^## ' "$file")
	absent=$(grep -c "^Not here: $2 (" "$file")
	echo "$headings tables, $absent of them name $2"
	[ "$headings" -eq "$3" ] && [ "$absent" -eq 1 ] && ! grep invalid "$file" &&
		cut -f 1 "$work/remade/$1/missing.tsv" | grep -q -x "$2" && grep -q "$4" "$file"
}
without_voron () {
	needs ran voron-2013
	from=$work/remade/voron-2013
	[ "$(grep -c '^## ' "$from/tables.md")" -eq 6 ] && ! grep invalid "$from/tables.md" &&
		grep -q '^| 4 parts | 454k | [0-9][0-9.kM]* |$' "$from/tables.md" && [ "$(grep -c 'voron is not here' "$from/asked.md")" -eq 8 ]
}
ok "the tables of Voron have its figures beside LMDB's, and no question about it is answered by these" without_voron
ok 'those of BangDB say that its figures are pictures, and that it is not here' tables bangdb-2012 bangdb 10 \
	'^| 2,000 | [0-9][0-9.kM]* |$'
ok "those of UCSB have its medals beside our places, and say that UnumDB is not here" tables ucsb-2022 unumdb 15 \
	'^| unumdb | there | 1 | 3.9 GiB | 968.58 GiB | 2.2M | 1\* |$'

# The artefacts are there: one part reads one key; LevelDB writes from one thread; sizes go with the records.
as_published () {
	needs ran voron-2013
	needs ran bangdb-2012
	needs ran ucsb-2022
	jq -es 'all(.[] | select(.experiment | IN("fill", "read", "parallel")); .repeats == 2 and (.repeat_rates | length) == 2 and .ops == 2 * .num)' "$work/remade/voron-2013/rows.json" &&
		jq -es 'all(.[] | select(.size_gb == 0.001); .repeats == 2)' "$work/remade/ucsb-2022/rows.json" &&
		jq -es '[.[] | select(.experiment == "D1") | [.x, .repeats]] | unique == [[100, 2], [2000, null]]' "$work/remade/bangdb-2012/rows.json" || return 1
	jq -es '[.[] | select(.experiment == "parallel") | .command | test("voron_partitioning=voron2013")] | all' \
		"$work/remade/voron-2013/rows.json" &&
		jq -es '[.[] | select(.experiment == "D2") | [.side, .threads]] | unique == [["read", 4], ["write", 1]]' \
			"$work/remade/bangdb-2012/rows.json" &&
		jq -es '[.[] | select(.experiment == "D3" and .side == "write")] | max_by(.num) |
			.num == 10000 and .cache_bytes == 1610613 and .compression == "snappy"' "$work/remade/bangdb-2012/rows.json" &&
		jq -es '[.[] | select(.experiment == "C-ucsb2022") | .command | test("zipf_generator=ucsb2022")] == [true]' \
			"$work/remade/ucsb-2022/rows.json"
}
ok 'they run with the settings of the publications, and with what was wrong in them' as_published

# What lies where databases are made is not theirs to delete.
keeps_foreign () {
	needs ran voron-2013
	needs ran ucsb-2022
	find "$work/remade" -path '*/db/*' -type f | sort >"$work/left"
	printf '%s\n' "$@" | sort | diff - "$work/left" && [ "$(cat "$@" | sort -u)" = mine ]
}
ok 'they take away their databases, and nothing else from where these were' keeps_foreign "$@"

resumed () {
	needs ran "$1"
	cp "$work/remade/$1/rows.json" "$work/first.json"
	remake "$1" >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	diff "$work/first.json" "$work/remade/$1/rows.json"
}
[ -z "$long" ] || ok 'started again, voron-2013.sh repeats nothing' resumed voron-2013

refused () {
	for script in voron-2013 bangdb-2012 ucsb-2022
	do
		fails 2 "$script.sh: cannot read 'fast'" "$top/scripts/repro/$script.sh" --out="$work/remade/none" fast &&
			fails 2 '--scale: cannot read' "$top/scripts/repro/$script.sh" --out="$work/remade/none" --scale=huge &&
			fails 2 "there is no engine 'hyperdb'" "$top/scripts/repro/$script.sh" --out="$work/remade/none" --engines=hyperdb &&
			[ ! -e "$work/remade/none" ] || return 1
	done
}
ok 'wrong arguments are refused before anything is made' refused
