# repro-ab.sh: the reproductions of Symas 2014 and 2018 at their smallest.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317,SC2015 # sourced by test.sh, which has the variables

in_memory_2014 () {
	"$top/scripts/repro/inmemory-2014.sh" --scale=small --out="$work/2014" --engines="${of_2014:-lmdb,leveldb}" "$@"
}
optane_2018 () {
	"$top/scripts/repro/optane-2018.sh" --scale=small --out="$work/2018" "$@"
}

plans_2014 () {
	of_2014=lmdb,bdb,leveldb
	in_memory_2014 --dry-run >"$work/plan" && [ ! -e "$work/2014" ] || return 1
	[ "$(grep -c '^\./bench_' "$work/plan")" -eq 21 ] && grep -q 'bench_bdb.*--cache_size=33554432.*--memory=67108864' "$work/plan" &&
		grep -q 'bench_lmdb.*--cache_size=8388608.*readwhilewriting' "$work/plan" && grep -q 'rng=minstd' "$work/plan"
}
ok '2014: the plan keeps the ratios of memory, caches and records' plans_2014

ran_2014 () {
	in_memory_2014 >"$work/out.2014" 2>"$work/err" || { cat "$work/err"; return 1; }
}
runs_2014 () {
	needs ran_2014
	[ "$(cat "$work/out.2014")" = "$work/2014/report.html" ] && jq -es 'all(.[]; .valid == 1 and .document == "symas-2014") and
		(map([.experiment, .label]) | sort) == ([("load", "run", "run-small") as $e |
			("lmdb", "leveldb") | [$e, .]] +
			[("lmdb", "leveldb") | ["run-cores", .]] + [["run-small", "null"]] +
			[("run-minstd", "run-default") | [., "leveldb"]] | sort) and
		all(.[] | select(.experiment == "run"); .threads == 16 and .memory_limit_kb == 65536 and .cgroup_peak_kb <= 65536 and
			.cold != null and .intervals > 0 and .linear_r2 > 0 and .lead_thread >= 1 and .lead_thread <= 16 and .lead_share >= 1 / 16.001 and .peak_writes_per_sec >= .writes_per_sec * 0.5)' "$work/2014/rows.json"
}

# lists DIRECTORY: every engine that is missing, in the results as well as at the end of them
lists () {
	[ "$(wc -l <"$1/missing.tsv")" -gt 1 ] || return 1
	tail -n +2 "$1/missing.tsv" | cut -f 1 | while IFS= read -r engine
	do
		grep -q -F -e "$engine" "$1/tables.md" || { echo "nothing of $engine in tables.md"; return 1; }
	done
}

tables_2014 () {
	needs ran_2014
	lists "$work/2014" || return 1
	# the published row as printed, ours below it by line-up, and each cell from the rows
	grep -q '^| lmdb | there | 0:11:50 | 0:08:45 | 0:03:05 | 1 | 120 GiB |' "$work/2014/tables.md" &&
		grep -q '^| lmdb | there | 25.1k | 1.82M | 1493 % | 120 GiB | 120 GiB |' "$work/2014/tables.md" &&
		grep -q '^| lmdb | here, a reader a core | ' "$work/2014/tables.md" && ! grep -q '^| rocksdb | here' "$work/2014/tables.md" &&
		python3 "$top/test/recompute.py" "$work/2014" "$top/results/published"
}

# drawn YEAR NAME...: those figures, both forms, with more than one colour
drawn () {
	needs "ran_$1"
	from=$work/$1/figures
	shift
	for name in "$@"
	do
		[ -s "$from/$name.svg" ] && not_blank "$from/$name.png" || return 1
	done
}

# At the scale of seconds nothing is decided on the page; the same rows at another scale are, as if the hypervisor took nothing of them.
claims_2014 () {
	needs ran_2014
	jq -es 'all(.[]; .ours.verdict == "open")' "$work/2014/claims.json" &&
		jq -c 'if .steal_percent then .steal_percent = 0 else . end' "$work/2014/rows.json" >"$work/2014-calm" &&
		"$top/scripts/claims.sh" --json "$work/2014-calm" >"$work/2014-claims" || return 1
	jq -es 'map({(.id): .}) | add | .A8.published.verdict == "holds" and .F2.published.verdict == "fails" and
		(.A1, .A11, .A17, .A18, .A20, .A23 | .ours.verdict | IN("holds", "fails")) and .A21.ours.verdict == "open" and
		(.A11.ours.parts | map(.name)) == ["a reader a core", "16 readers"] and
		(.A10.ours.reason | test("an order needs three rounds, and here are 1$")) and
		(.A12, .A16 | .ours.reason | test("a run of 5 s or more")) and .A22.ours.verdict != "holds"' "$work/2014-claims"
}

# repeats_nothing YEAR COMMAND...: it leaves the same rows, each with its time
repeats_nothing () {
	needs "ran_$1"
	year=$1
	shift
	cp "$work/$year/rows.json" "$work/before" || return 1
	"$@" >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	cmp "$work/before" "$work/$year/rows.json"
}
if memory_limits
then
	ok '2014: every row is valid, within its memory, and has what its timeline comes to' runs_2014
	ok '2014: the table has the published figures beside ours, and who is missing' tables_2014
	ok '2014: all figures are drawn, and none is blank' drawn 2014 load load-time run cpu writes reads size \
		threads-lmdb threads-leveldb-minstd threads-leveldb-default
	ok '2014: claims are decided by the rows' claims_2014
	another_scale () {
		needs ran_2014
		fails 2 'symas-2014 at scale small' "$top/scripts/repro/inmemory-2014.sh" --scale=2 --out="$work/2014"
	}
	ok '2014: another scale in the same place is refused' another_scale
else
	skip '2014: runs within a limit of memory' "$(tail -n 1 "$work/err")"
fi
for script in inmemory-2014 optane-2018
do
	ok "$script refuses an engine that does not exist" fails 2 "no engine 'speedy'" "$top/scripts/repro/$script.sh" --engines=speedy
	ok "$script refuses a scale it cannot read" fails 2 "cannot read 'huge'" "$top/scripts/repro/$script.sh" --scale=huge
	ok "$script refuses what it does not know" fails 2 "cannot read 'fast'" "$top/scripts/repro/$script.sh" fast
done

# Of three rounds, the first of them another, the figures are those of the other two.
medians () {
	mkdir -p "$work/one" "$work/three"
	jq -c 'select(.repetition == 1 and (.label | test("^(lmdb|aio):raw$")))' "$top/results/reference/optane-2018/rows.json" >"$work/one/rows.json" &&
		jq -c '((.reads_per_sec, .writes_per_sec, .seconds) |= (. // 0) * 7), ., (.repetition = 3)' "$work/one/rows.json" >"$work/three/rows.json" &&
		"$top/scripts/plot/symas.sh" "$work/one" && "$top/scripts/plot/symas.sh" "$work/three" || return 1
	for figure in load writes reads
	do
		cmp "$work/one/figures/$figure.svg" "$work/three/figures/$figure.svg" || return 1
	done
}
ok '2014 and 2018: figures of rounds show their medians' medians

plans_2018 () {
	optane_2018 --dry-run >"$work/plan" && [ ! -e "$work/2018" ] &&
		grep -q 'storages.sh.*--storages=ext4,ext4-nojournal.*--engines=lmdb,lmdb+readahead=0,rocksdb.*--value_size=4000.*--cold=1' "$work/plan" &&
		grep -q 'storages.sh.*--storages=raw --raw-engines=aio' "$work/plan"
}
ok '2018: the plan has both forms of ext4, and the bare device' plans_2018

if ! memory_limits
then
	skip '2018: runs on loop devices' "$(tail -n 1 "$work/err")"
elif [ "$(id -u)" -eq 0 ] && losetup --find >"$work/log" 2>&1
then
	ran_2018 () {
		optane_2018 --engines=lmdb+readahead=0,aio >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
	}
	runs_2018 () {
		needs ran_2018
		jq -es 'all(.[]; .valid == 1 and .document == "symas-2018" and .medium == "loop" and .storage == (.label | split(":")[1])) and
			(map([.experiment, .label, .threads]) | sort) == ([("lmdb+readahead=0:ext4", "lmdb+readahead=0:ext4-nojournal", "aio:raw") |
				["load", ., 1], ["run", ., 1], ["run", ., 4]] | sort) and
			all(.[] | select(.experiment == "load"); .fs_out_per_write > 7.8)' "$work/2018/rows.json"
	}
	ok '2018: every row is valid, and says what it stood on' runs_2018
	tables_2018 () {
		needs ran_2018
		lists "$work/2018" && grep -q '^| lmdb | ext4 | flash | 0:11:51 | 0:01:16 | 0:09:40 | 92 % | 5.91M | 1303 |' "$work/2018/tables.md" &&
			grep -q '^| lmdb+readahead=0 | ext4 | loop | ' "$work/2018/tables.md" &&
			python3 "$top/test/recompute.py" "$work/2018" "$top/results/published"
	}
	ok '2018: the table has the published figures beside ours, and what is missing' tables_2018
	ok '2018: all figures are drawn, and none is blank' drawn 2018 load load-without-outliers writes reads readers
	[ -z "$long" ] || ok '2018: started again it repeats nothing' repeats_nothing 2018 optane_2018 --engines=lmdb+readahead=0,aio
else
	skip '2018: runs on loop devices' 'needs root and a loop device'
fi
