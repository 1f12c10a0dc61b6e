# mixgraph.sh: the social graph on real engines; its distributions are held to theory by build/unit.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# graph_digest ENGINE ARGUMENTS...: of the last benchmark of a small social graph, every byte checked
graph_digest () {
	engine=$1
	shift
	bench "$engine" --preset=mixgraph --num=3000 --verify=1 "$@" >"$work/out" || { cat "$work/out"; return 1; }
	row '.valid == 1 and .wrong == 0 and .missing == 0' >"$work/not" && tail -n 1 "$work/rows" | jq -r '.digest'
}
# one_graph ARGUMENTS...: all engines read the same
one_graph () {
	first=$(graph_digest lmdb "$@") || { echo "$first"; return 1; }
	[ -n "$first" ] || return 1
	for engine in rocksdb sqlite
	do
		other=$(graph_digest "$engine" "$@") || return 1
		echo "$engine: $other, lmdb: $first"
		[ "$other" = "$first" ] || return 1
	done
}
ok 'mixgraph has one digest on LMDB, RocksDB and SQLite' one_graph --mix_get_ratio=0.4 --mix_put_ratio=0.59
ok 'and its artefact has one' one_graph --mixgraph=db_bench
ok 'values of 0 to 10 bytes are as long as they were drawn, everywhere' one_graph --mix_get_ratio=0.4 --mix_put_ratio=0.55 \
	--mix_seek_ratio=0.05 --mix_max_value_size=10 --mix_max_scan_len=3

differ () {
	a=$(graph_digest lmdb) && b=$(graph_digest lmdb --mixgraph=db_bench) && c=$(graph_digest lmdb --mixgraph_keys=all_random) || return 1
	echo "$a $b $c"
	[ "$a" != "$b" ] && [ "$a" != "$c" ]
}
ok 'and each variant another' differ

# The bytes that were written are those of the law, to the byte: of so many puts the mean is within five of its deviations.
bytes_written () {
	bench lmdb --preset=mixgraph --num=1000 --writes=100k --mix_get_ratio=0 --mix_put_ratio=1 --mix_seek_ratio=0 >"$work/out" || return 1
	# those that were loaded have 43
	jq -es '.[-2] | .value_size == 43 and .bytes == .ops * 91' "$work/rows" || return 1
	row '.writes == 100000 and .value_size == 36 and ((.bytes / .writes - 48 - 36.4) | fabs < 0.75)'
}
ok 'values written have 36.4 bytes in the mean' bytes_written

# Of a length below 2 the odd half of seeks reads one record, the even half none; each is an operation.
records_read () {
	bench lmdb --preset=mixgraph --num=1000 --reads=10k --mix_get_ratio=0 --mix_put_ratio=0 --mix_seek_ratio=1 --mix_max_scan_len=2 \
		>"$work/out" && row '.scans == 10000 and .found == 10000 and .entries > 4500 and .entries < 5800'
}
ok 'seeks read as many records as the law, to the record' records_read

# Of the default mix a seventh of the operations puts; what gets and seeks read is not written.
amplification_of_puts () {
	bench lmdb --preset=mixgraph --num=10k --reads=20k >"$work/out" &&
		row '.reads > 15000 and .writes > 2000 and .scans > 100 and (.io_wchar_bytes / .write_amp / .writes - 48 - 36.4 | fabs < 0.5)'
}
ok 'write amplification is by the bytes that are put, not by those that are read' amplification_of_puts

rows_say () {
	bench lmdb --preset=mixgraph-paper --num=3000 >"$work/out" && row '.mix == "read:83,update:14,scan:3" and .key_size == 48
		and .key_format == "binary" and .distribution == "mixgraph prefix_dist" and .top1pct_fraction == null and .space_amp == null
		and .value_sizes == "43, then pareto 0 0.2615 25.45, 10-1024" and .scan_length == "pareto 0 2.517 14.236, 0-9999"' || return 1
	bench lmdb --use_existing_db=1 --preset=mixgraph --num=3000 --benchmarks=readrandom --verify=1 >"$work/out" && row '.found == 3000' || return 1
	fails 2 'was made with' "$top/bench_lmdb" --db="$work/db-lmdb" --use_existing_db=1 --num=3000 --benchmarks=readrandom --key_size=48 \
		--key_format=binary --value_size=43 || return 1
	fails 2 'have one size' "$top/bench_lmdb" --db="$work/untouched" --preset=mixgraph --value_size=10-20 || return 1
	fails 2 'no key range has a positive weight' "$top/bench_lmdb" --db="$work/untouched" --preset=mixgraph --keyrange_dist_a=0 --keyrange_dist_c=0 || return 1
	fails 2 'all are 0' "$top/bench_lmdb" --db="$work/untouched" --preset=mixgraph --mix_get_ratio=0 --mix_put_ratio=0 --mix_seek_ratio=0
}
ok 'rows say which mix, keys and sizes; a database of them is known again' rows_say

# Half a period in two seconds: a sin has the mean 2 / pi of a, of all threads together. What was due does not depend on who else is at work.
day () {
	for threads in 1 3
	do
		day_of "$threads" || return 1
	done
}
day_of () {
	bench null --threads="$1" --preset=mixgraph --benchmarks=mixgraph --num=3000 --sine_mix_rate=1 --sine_a=1000 --sine_b=1.5707963 --sine_d=2000 \
		--sine_mix_rate_interval_milliseconds=20 --duration=2 >"$work/out" || return 1
	row '((.target_rate / 2636.6 - 1) | fabs < 0.02) and (.arrivals | startswith("constant, 1000 sin(1.5708 t + 0) + 2000 every 0.02 s"))' || return 1
	row '(.ops + .backlog) / 5273 - 1 | fabs < 0.02'
}
ok 'the rate of a day follows the sine' day
