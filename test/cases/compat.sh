# compat.sh: in db_bench's place: its flags, what they and its workloads mean, what it prints, and where its files are.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# instead ARGUMENTS...: bench_null in db_bench's place, and its row
instead () {
	"$top/bench_null" --compat=db_bench --json="$work/rows" "$@" >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
}
# rocks ARGUMENTS...: so bench_rocksdb, or $rocksdb, on a database of its own
rocksdb=bench_rocksdb
rocks () {
	"$top/$rocksdb" --compat=db_bench --db="$work/rocks" --json="$work/rows" "$@" >"$work/out" 2>"$work/err" ||
		{ cat "$work/err"; return 1; }
}
# release_of PROGRAM: of its RocksDB, 708 for 7.8; 0: there is no such program
release_of () {
	"$top/$1" --version 2>/dev/null | awk '{ sub(/.*RocksDB /, ""); split($0, part, "."); release = 100 * part[1] + part[2] } END { print release + 0 }'
}
needs_old_rocksdb () {
	[ "$(release_of bench_rocksdb)" -lt 800 ] || cannot 'it is of RocksDB 7'
}
# needs_new_rocksdb: $rocksdb is a program with RocksDB 11.8 or later
needs_new_rocksdb () {
	for rocksdb in bench_rocksdb bench_rocksdb-11.8.1
	do
		[ "$(release_of $rocksdb)" -lt 1108 ] || return 0
	done
	cannot 'no program has RocksDB 11.8; scripts/engine.sh build rocksdb-11.8.1'
}

as_gflags () {
	printf '# a comment\n\n--num=300\n  -reads=20\n' >"$work/flags"
	instead -benchmarks=fillrandom,,readrandom, --flagfile="$work/flags" --nohistogram --statistics=0 --writes -1 --deletes=-1 \
		--num_multi_db=1 --verify_checksum=true --undefok=new_flag,other --new-flag=1 --noother --use_existing_db=f \
		--compression_type=none --open_files=-1 word -- --unknown && row '.num == 300 and .ops == 20 and .key_format == "binary"'
}
ok "flags are read as gflags does, and those that ask for nothing are taken" as_gflags
by_name () {
	ln -s "$top/bench_null" "$work/db_bench"
	"$work/db_bench" --benchmarks=fillrandom --num=100 --threads=2 --json="$work/rows" >"$work/out" && row '.ops == 200'
}
ok 'the name db_bench is enough' by_name
all_refused () {
	got=0
	"$top/bench_null" --compat=db_bench --benchmarks=fillrandom,appendrandom,nonsense --row_cache_size=5 --readonly --no_such=1 \
		--max_background_jobs=4 2>"$work/err" || got=$?
	cat "$work/err"
	[ $got -eq 2 ] && [ "$(grep -c -e ': --' "$work/err")" -eq 6 ] && grep -q '6 of these flags' "$work/err" &&
		grep -q -e '--readonly=true: instead: --use_existing_db=1' "$work/err" && grep -q -e '--benchmarks=appendrandom: instead: updaterandom' "$work/err"
}
ok 'all that cannot be had is said at once' all_refused

# arguments, what is true of the row
means () {
	# shellcheck disable=SC2086 # words, on purpose
	instead $1
	row "$2"
}
while IFS='|' read -r arguments truth
do
	ok "db_bench's meaning of $arguments" means "$arguments" "$truth"
done <<'END'
--benchmarks=fillseq --num=1000 --threads=3|.ops == 3000 and .threads == 3
--benchmarks=fillseq --num=10000 --writes=500|.ops == 500
--benchmarks=fillrandom --num=1000 --batch_size=300|.ops == 900 and .batch_size == 300 and .commits == 3
--benchmarks=overwrite --num=1000 --batch_size=100|.ops == 1000 and .commits == 10
--benchmarks=fillbatch --num=2000|.ops == 2000 and .commits == 2 and .benchmark == "fillbatch"
--benchmarks=fillsync --num=20000|.ops == 20000 and .distinct_keys <= 20 and .durability == "sync"
--benchmarks=fill100K --num=2000 --writes=7|.ops == 7 and .distinct_keys <= 2
--benchmarks=filluniquerandom --num=1000 --threads=4|.ops == 1000 and .threads == 1
--benchmarks=filluniquerandom[X2] --num=1000 --threads=4|.ops == 1000 and .threads == 1 and .iteration == 2
--benchmarks=seekrandom --num=1000 --reads=50 --seek_nexts=10|.ops == 50 and .scan_length == "10" and .entries > 450
--benchmarks=seekrandom --num=1000 --reads=50|.entries == 0
--benchmarks=seekrandom --num=1000 --reads=50 --seek_nexts=10 --reverse_iterator|.ops == 50 and .valid == 1
--benchmarks=multireadrandom --num=1000 --reads=57 --batch_size=10|.ops == 50 and .batch_size == 10
--benchmarks=updaterandom --num=1000 --reads=50 --writes=70|.ops == 70
--benchmarks=mixgraph --num=1000 --reads=500|.reads == 500 and .writes == 0 and .scans == 0
--benchmarks=fillrandom --num=1000 --keyrange_dist_b=1|.ops == 1000
--benchmarks=fillrandom,mixgraph --num=1000 --mix_put_ratio=1 --mix_get_ratio=0|.value_sizes == "100, then pareto 0 0.2615 25.45, 10-1024" and .bytes < 70000
--benchmarks=fillrandom,mixgraph,overwrite --num=1000 --mix_put_ratio=1|.value_sizes == "100" and .bytes == 116000
--benchmarks=fillrandom --num=100 --duration=1|.seconds >= 1 and .ops > 100
--benchmarks=fillseq --num=100 --duration=1|.ops == 100
--benchmarks=readseq --num=100 --reads=60 --duration=1|.ops == 60
--benchmarks=overwrite --num=1000 --duration=1 --benchmark_write_rate_limit=11600|.target_rate == 100
--benchmarks=updaterandom --num=1000 --duration=1 --benchmark_write_rate_limit=11600|.target_rate == 100 and .valid == 1
--benchmarks=fill100K --num=2000 --writes=7 --benchmark_write_rate_limit=500080000|.target_rate == 5000 and .valid == 1
--benchmarks=mergerandom --num=1000 --benchmark_write_rate_limit=116|.target_rate == null
--benchmarks=mergerandom --num=1000 --reads=70|.ops == 70
--benchmarks=mixgraph --num=1000 --reads=50 --writes=70 --mix_get_ratio=0.5 --mix_put_ratio=0.5|.ops == 50
--benchmarks=deleterandom --num=1000 --benchmark_write_rate_limit=116|.target_rate == null
--benchmarks=readrandomwriterandom --num=1000 --benchmark_write_rate_limit=116|.target_rate == null
--benchmarks=deleterandom --num=100 --threads=2|.ops == 200
--benchmarks=deleteseq --num=1000 --deletes=250 --batch_size=100|.ops == 200 and .commits == 2
--benchmarks=mergerandom --num=1000 --threads=2|.ops == 2000 and .writes == 2000 and .threads == 2 and .valid == 1
--benchmarks=readrandommergerandom --num=1000|.reads == 300 and .writes == 700
--benchmarks=seekrandomwhilemerging --num=1000 --seek_nexts=3|.scans == 1000 and .writes > 0
--benchmarks=fillseq,multireadrandom --num=1000 --batch_size=10 --multiread_stride=100|.ops == 1000 and .distinct_keys < 200
END

# A fill that others follow is limited, too; and what a scanner beside reads finds is not theirs.
limited_and_found () {
	rm -rf "$work/rocks" "$work/rows"
	rocks --benchmarks=fillrandom,readwhilescanning --num=30 --reads=3000 --benchmark_write_rate_limit=11600 --json="$work/rows"
	jq -es 'map(.target_rate) == [100, null]' "$work/rows"
	rm -rf "$work/rocks"
	rocks --benchmarks=fillseq,readwhilescanning --num=3000
	grep -E '^readwhilescanning .*[(]3000 of 3000 found[)]' "$work/out"
}
ok "db_bench's limit holds for a fill that others follow, and reads beside scans find their own" limited_and_found

without_cache () {
	rm -rf "$work/rocks"
	rocks --benchmarks=fillrandom,readrandom --num=1000 --cache_size=0
	row '.cache_bytes == 1 and .valid == 1'
	grep -q -x ' *no_block_cache=true' "$work"/rocks/OPTIONS-*
}
ok "a cache of no bytes is none" without_cache
leaves_a_rest () {
	rm -rf "$work/rocks"
	rocks --benchmarks=fillbatch,readrandom --num=1500
	row '.ops == 1500 and .valid == 1 and .missing > 100'
}
ok "a fillbatch that leaves a rest is none of all records" leaves_a_rest

fresh_or_skipped () {
	rm -rf "$work/rocks"
	rocks --benchmarks=waitforcompaction && grep -q -F "waitforcompaction($work/rocks): finished" "$work/out" &&
		rocks --benchmarks=fillseq,readrandom --num=100 --use_existing_db &&
		grep -q '^fillseq      : skipped (--use_existing_db is true)$' "$work/out" &&
		grep -q -E '^readrandom   : .* MB/s \(0 of 100 found\)$|^readrandom   : .* operations; \(0 of 100 found\)$' "$work/out"
}
ok 'a list without a fill finds an empty database, and a fill of an existing one is skipped' fresh_or_skipped
# By random keys one fill writes 63 % of them, three 95 %.
fills_again () {
	rm -rf "$work/rocks"
	rocks --benchmarks='fillrandom[X3],readrandom' --num=10000
	row '.missing > 300 and .missing < 700'
	[ "$(grep -c '^fillrandom .* ops/sec ' "$work/out")" -eq 3 ]
	grep -q '^fillrandom \[AVG 3 runs\] : ' "$work/out"
	rocks --benchmarks='fillrandom[W1-X1],fillrandom,readrandom' --num=10000
	row '.missing > 3400 and .missing < 4000'
}
ok "iterations of a fill write into one database, and another fill into a new one" fills_again
its_files () {
	rm -rf "$work/rocks"
	mkdir "$work/rocks"
	echo mine >"$work/rocks/notes"
	echo mine >"$work/rocks/a.log"
	rocks --benchmarks=fillseq --num=1000 && [ -e "$work/rocks/CURRENT" ] && grep -q 'RocksDB version: ' "$work/rocks/LOG" || return 1
	old=$(cd "$work/rocks" && ls OPTIONS-*)
	rocks --benchmarks=fillseq,compact0,levelstats,sstables,memstats --num=1000 --disable_wal && [ -e "$work/rocks/notes" ] &&
		[ -e "$work/rocks/a.log" ] && grep -q '^rocksdb.num-entries-active-mem-table: ' "$work/out" && grep -q '^Level Files Size(MB)$' "$work/out" &&
		[ -n "$old" ] && tail -n 1 "$work/rows" | jq -e '.valid == 1 and .db_disk_kb > 0' &&
		"$top/bench_rocksdb" --db="$work/rocks" --use_existing_db=1 --key_format=binary --benchmarks=readseq --num=1000 --json="$work/rows" &&
		row '.ops == 1000 and .valid == 1'
}
ok "the database is in --db itself, among files that stay, and is found without --compat" its_files
told_not_ended () {
	rocks --benchmarks=fillrandom --num=1000 && rocks --benchmarks=readrandom --num=2000 --use_existing_db --value_size=50 &&
		row '.valid == 1 and (.warnings | contains("was made with"))' && grep -q 'was made with value_size 100, not 50' "$work/err"
}
ok 'a database of other records is said on stderr and in the row, and is read' told_not_ended
from_options_file () {
	rm -rf "$work/rocks"
	rocks --benchmarks=stats --level0_file_num_compaction_trigger=7 --metadata_block_size=8192 --partition_index
	cp "$work"/rocks/OPTIONS-* "$work/options.ini"
	rm -rf "$work/rocks"
	sed -i 's/stats_dump_period_sec=.*/stats_dump_period_sec=7/' "$work/options.ini"
	# the file stands above all flags, and above what db_bench sets without a flag
	rocks --benchmarks=stats --options_file="$work/options.ini" --metadata_block_size=4444 && grep -h '=' "$work"/rocks/OPTIONS-* >"$work/options" &&
		grep -q -x ' *level0_file_num_compaction_trigger=7' "$work/options" && grep -q -x ' *metadata_block_size=8192' "$work/options" &&
		grep -q -x ' *stats_dump_period_sec=7' "$work/options"
}
ok "RocksDB's OPTIONS file is read" from_options_file
groups_of_the_file () {
	rm -rf "$work/rocks"
	printf '%s\n' '[DBOptions]' '  stats_dump_period_sec=7' '  create_if_missing=false' '[CFOptions "default"]' '  compaction_style=kCompactionStyleFIFO' \
		'  compaction_options_fifo={allow_compaction=false;age_for_warm=0;max_table_files_size=1073741824;}' '  compression_opts={level=5;}' \
		'[TableOptions/BlockBasedTable "default"]' '  filter_policy=nullptr' >"$work/options.ini"
	rocks --benchmarks=stats --options_file="$work/options.ini" --compression_level=3 --compression_max_dict_bytes=9 --bloom_bits=10
	sed 's/^ *//' "$work"/rocks/OPTIONS-* >"$work/options"
	grep -E '^(compaction_options_fifo|compression_opts|filter_policy)=' "$work/options"
	grep -q -x 'compaction_options_fifo={.*allow_compaction=false;age_for_warm=0;max_table_files_size=1073741824;}' "$work/options"
	grep -q '^compression_opts={.*max_dict_bytes=9;.*level=5;' "$work/options"
	# db_bench adds its filter to a file that has none
	grep -q '^filter_policy=.*[Bb]loom' "$work/options"
}
ok "and its groups stand above flags of the same groups, but for what db_bench sets itself" groups_of_the_file
own_over_flags () {
	rm -rf "$work/rocks"
	printf '[DBOptions]\nstats_dump_period_sec=8\ntable_cache_numshardbits=5\n' >"$work/options.ini"
	rocks --benchmarks=fillseq,readrandom --num=100 --options_file="$work/options.ini" --cache_type=lru_cache --readahead_size=65536 --read_options=fill_cache=false \
		--rocksdb_options='enable_pipelined_write=false; block_based_table_factory={index_shortening=kNoShortening;block_cache={capacity=1234567}};' \
		--rocksdb_options stats_dump_period_sec=7
	sed 's/^ *//' "$work"/rocks/OPTIONS-* >"$work/options"
	for line in enable_pipelined_write=false index_shortening=kNoShortening stats_dump_period_sec=7 table_cache_numshardbits=5 \
		cache_index_and_filter_blocks=false
	do
		grep -q -x "$line" "$work/options" || { echo "no line: $line"; return 1; }
	done
	grep -q 'capacity : 1234567$' "$work/rocks/LOG"
	row '.engine_options | test(" read_options=(auto_readahead_size=false;)?readahead_size=65536;fill_cache=false ")'
}
ok "what --rocksdb_options and --read_options give stands above flags and the file" own_over_flags
# Those that other versions of RocksDB have otherwise; and 0 and false where they ask for nothing.
defaults_of_db_bench () {
	rm -rf "$work/rocks"
	rocks --benchmarks=fillseq --num=100 --cache_type=lru_cache --compaction_readahead_size=0 --partition_index --use_hash_search=false --universal_size_ratio=0
	row '.engine_options | contains(";compaction_readahead_size=0;") and contains(";level_compaction_dynamic_level_bytes=false;")'
	grep -q 'index_type=kTwoLevelIndexSearch$' "$work"/rocks/OPTIONS-*
	grep -q 'compaction_options_universal={.*;size_ratio=1;' "$work"/rocks/OPTIONS-*
	grep -q 'high_pri_pool_ratio: 0.000$' "$work/rocks/LOG"
}
ok "defaults are db_bench's, not those of the library, and so are values that are typed" defaults_of_db_bench
its_read_options () {
	rocks --benchmarks=fillseq,readrandom --num=100 --readahead_size=65536 --use_tailing_iterator --verify_checksum=false \
		--optimize_multiget_for_io=true --noasync_io &&
		row '.engine_options | test(" read_options=(auto_readahead_size=false;)?readahead_size=65536;tailing=true;verify_checksums=false ")' || return 1
	fails 2 'read_options: no_such: ' "$top/bench_rocksdb" --db="$work/untouched" --read_options='fill_cache=0;no_such=1' &&
		fails 2 'read_options: fill_cache=ma' "$top/bench_rocksdb" --db="$work/untouched" --read_options=fill_cache=maybe &&
		[ ! -e "$work/untouched" ]
}
ok "flags of reads are RocksDB's ReadOptions" its_read_options
one_tailing_iterator () {
	rm -rf "$work/rocks"
	rocks --benchmarks=fillseq,seekrandom --num=1000 --reads=100 --seek_nexts=3 --threads=2 --use_tailing_iterator --statistics
	grep 'iterator.created' "$work/out"
	grep -q -x 'rocksdb.num.iterator.created COUNT : 2' "$work/out"
	row '.ops == 200 and .missing == 0 and .entries > 550 and .valid == 1'
}
ok "each thread's seeks use one tailing iterator, as there" one_tailing_iterator
a_tailing_iterator_each () {
	rm -rf "$work/rocks"
	rocks --benchmarks=fillseq,mixgraph --num=1000 --reads=100 --mix_get_ratio=0 --mix_seek_ratio=1 --threads=2 --use_tailing_iterator --statistics
	grep 'iterator.created' "$work/out"
	grep -q -x 'rocksdb.num.iterator.created COUNT : 200' "$work/out"
	row '.scans == 200 and .valid == 1'
}
ok "each seek of mixgraph makes a tailing iterator, as there" a_tailing_iterator_each
# Each flag that is an option of RocksDB's, in as few processes as go together: what RocksDB then has is what db_bench gave it.
# shellcheck disable=SC2013 # words, on purpose
for run in $(grep -v '^#' "$top/test/db_bench_flags.tsv" | cut -f 1 | sort -u)
do
	as_db_bench () {
		case $run in
		11.8-*) needs_new_rocksdb ;;
		*) needs_old_rocksdb ;;
		esac
		rm -rf "$work/rocks"
		# shellcheck disable=SC2046 # words, on purpose
		rocks --benchmarks=stats $(awk -F '\t' -v run="$run" '$1 == run { print $2 }' "$top/test/db_bench_flags.tsv") || return 1
		sed 's/^ *//' "$work"/rocks/OPTIONS-* >"$work/options"
		awk -F '\t' -v run="$run" '$1 == run { n = split($3, line, "|"); for (i = 1; i <= n; i++) print line[i] }' \
			"$top/test/db_bench_flags.tsv" | sort -u >"$work/wanted"
		[ -s "$work/wanted" ] && ! grep -v -x -F -f "$work/options" "$work/wanted"
	}
	ok "RocksDB's options are those that db_bench gives it, run $run" as_db_bench
done
each_way_tried () {
	flags=$top/bench/workload/db_bench_flags.c
	# no file of RocksDB's has options of reads
	grep -o -e 'DB_BENCH_\(ROCKSDB\|ALWAYS\)' -e '= "read_options' "$flags" |
		awk '{ rows += /DB_BENCH/ ? 1 : -1 } END { print rows }' >"$work/rows-of-table"
	[ "$(grep -c -v '^#' "$top/test/db_bench_flags.tsv")" -gt "$(($(cat "$work/rows-of-table") - 12))" ]
}
ok 'and nearly each of these flags is tried' each_way_tried

# flags PATTERN: --NAME=DEFAULT of RocksDB's flags with the pattern in their rows
flags () {
	awk '/^static const struct db_bench_flag leveldb_flags/ { exit } /^\t{"/ { printf "\n" } { printf "%s", $0 }' \
		"$top/bench/workload/db_bench_flags.c" | sed -n "/$1/"'s/^\t{"\([A-Za-z0-9_]*\)", "\([^"]*\)",.*/--\1=\2/p'
}
# by_default [NAME...]: all flags but these with their defaults
by_default () {
	flags . | grep -v -e '=$' >"$work/typed"
	for name
	do
		sed -i "/^--$name=/d" "$work/typed"
	done
	rm -rf "$work/rocks"
	rocks --benchmarks=stats || return 1
	sed '/^#/d' "$work"/rocks/OPTIONS-* >"$work/options"
	rm -rf "$work/rocks"
	# shellcheck disable=SC2046 # words, on purpose
	rocks $(cat "$work/typed") --benchmarks=stats && sed '/^#/d' "$work"/rocks/OPTIONS-* | diff "$work/options" - &&
		[ "$(flags . | wc -l)" -gt 425 ]
}
by_default_of_7 () {
	needs_old_rocksdb
	by_default
}
ok "each flag's default is taken, and changes nothing" by_default_of_7
# Three defaults of 7.8.3 are others there, and are the library's own in each.
by_default_of_11 () {
	needs_new_rocksdb
	by_default compaction_readahead_size format_version optimize_filters_for_memory
}
ok "each flag's default is taken by RocksDB 11.8.1, too" by_default_of_11
newer_than_rocksdb () {
	needs_old_rocksdb
	flags 'DB_BENCH_\(ROCKSDB\|ALWAYS\).*since' | sed -e 's/=true$/=no/' -e t -e 's/=false$/=yes/' -e t -e 's/=.*/=77/' >"$work/given"
	got=0
	# shellcheck disable=SC2046 # words, on purpose
	"$top/bench_rocksdb" --compat=db_bench --db="$work/untouched" --benchmarks=stats $(cat "$work/given") 2>"$work/err" || got=$?
	cat "$work/err"
	[ $got -eq 2 ]
	[ ! -e "$work/untouched" ]
	[ "$(wc -l <"$work/given")" -gt 30 ]
	sed -n 's/^bench_rocksdb: \(--[a-z_]*\)=.*: exists from RocksDB [0-9]*\.[0-9]* on; this is 7\.[0-9.]*$/\1/p' "$work/err" | sort >"$work/named"
	sed 's/=.*//' "$work/given" | sort | diff - "$work/named"
	grep -q -e '--auto_readahead_size=true: exists from RocksDB 8.7 on' "$work/err"
}
ok "a flag that is newer than the linked RocksDB is refused with the release that brought it" newer_than_rocksdb
renamed_flag () {
	rm -rf "$work/rocks"
	rocks --benchmarks=stats --compaction_measure_io_stats=1
	grep -q 'report_bg_io_stats=true$' "$work"/rocks/OPTIONS-*
}
ok "a flag that db_bench dropped and its script still gives is taken by its new name" renamed_flag

# cache_of FLAGS...: the cache that RocksDB then has, in $work/cache
cache_of () {
	rm -rf "$work/rocks"
	rocks --benchmarks=fillseq --num=10 "$@"
	grep -h -A 6 'block_cache_name:' "$work/rocks/LOG" | tee "$work/cache"
}
cache_of_7 () {
	needs_old_rocksdb
	cache_of --compressed_secondary_cache_size=33554432 --auto_readahead_size=false
	grep -q 'name: LRUCache$' "$work/cache"
	grep -q 'capacity : 8388608$' "$work/cache"
	row '.cache_bytes == 8388608 and (.engine_options | contains(" cache_type=lru ") and contains(" read_options= "))'
	fails 2 'cache_type=hyper_clock: needs RocksDB 8.7 or later, and this is 7' "$top/bench_rocksdb" --compat=db_bench --db="$work/untouched" \
		--benchmarks=stats --cache_type=auto_hyper_clock_cache
	fails 2 'cache_shard_bits: give a whole number' "$top/bench_rocksdb" --db="$work/untouched" --cache_shard_bits=2.5
	got=0
	"$top/bench_rocksdb" --compat=db_bench --db="$work/untouched" --benchmarks=stats --cache_type=clock_cache 2>"$work/err" || got=$?
	[ $got -eq 2 ]
	grep -q 'cache_type=clock_cache: give one of: lru_cache' "$work/err"
	[ ! -e "$work/untouched" ]
}
ok "with RocksDB 7.8.3 the cache and reads are those of its db_bench" cache_of_7
cache_of_11 () {
	needs_new_rocksdb
	cache_of --cache_numshardbits=3 --cache_high_pri_pool_ratio=0.5 --compressed_secondary_cache_size=8388608
	grep -q 'name: AutoHyperClockCache$' "$work/cache"
	grep -q 'capacity : 33554432$' "$work/cache"
	grep -q 'num_shard_bits : 3$' "$work/cache"
	row '.cache_bytes == 33554432 and (.engine_options | contains(" cache_type=hyper_clock ") and contains(" read_options=auto_readahead_size=false "))'
	cache_of --cache_type=lru_cache --cache_numshardbits=2 --cache_size=1000000 --auto_readahead_size=true --auto_refresh_iterator_with_snapshot
	grep -q 'name: LRUCache$' "$work/cache"
	grep -q 'capacity : 1000000$' "$work/cache"
	grep -q 'num_shard_bits : 2$' "$work/cache"
	row '.engine_options | contains(" read_options=auto_readahead_size=true;auto_refresh_iterator_with_snapshot=true ")'
	"$top/$rocksdb" --db="$work/clock" --benchmarks=fillseq --num=10 --cache_type=hyper_clock --cache_shard_bits=4
	find "$work/clock" -name LOG -exec cat {} + | grep 'num_shard_bits : 4$'
}
ok "with RocksDB 11.8.1 they are those of that one" cache_of_11
each_refused () {
	flags DB_BENCH_REFUSED | sed -e 's/=true$/=no/' -e t -e 's/=false$/=yes/' -e t -e 's/=.*/=77x/' >"$work/given"
	got=0
	# shellcheck disable=SC2046 # words, on purpose
	"$top/bench_rocksdb" --compat=db_bench --db="$work/untouched" --benchmarks=stats $(cat "$work/given") 2>"$work/err" || got=$?
	sed -n 's/^bench_rocksdb: \(--[A-Za-z0-9_]*\)=.*/\1/p' "$work/err" | sort >"$work/named"
	[ $got -eq 2 ] && [ ! -e "$work/untouched" ] && sed 's/=.*//' "$work/given" | sort | diff - "$work/named" && [ -s "$work/named" ]
}
ok "each flag that the page calls refused is refused by its name" each_refused
# the lines without figures
shape () {
	sed -E 's/[0-9]+(\.[0-9]+)?/N/g; s/ +/ /g' "$work/out"
}
prints_as_rocksdb () {
	lines=fillrandom,readwhilewriting,updaterandom,readrandomwriterandom,multireadrandom,seekrandom,mixgraph,fillsync
	rocks --benchmarks=$lines,mergerandom,readrandommergerandom,readwhilemerging --merge_operator=put --num=300 --histogram --statistics --report_interval_seconds=1 --report_file="$work/report.csv" || return 1
	shape >"$work/shape"
	for line in 'Keys: N bytes each (+ N bytes user-defined timestamp)' 'Values: N bytes each (N bytes after compression)' \
		'Entries: N' 'Prefix: N bytes' 'Keys per prefix: N' 'Write rate: N bytes/second' 'Compression: Snappy' \
		'fillrandom : N micros/op N ops/sec N seconds N operations; N MB/s' \
		'readwhilewriting : N micros/op N ops/sec N seconds N operations; N MB/s (N of N found)' \
		'updaterandom : N micros/op N ops/sec N seconds N operations; N MB/s ( updates:N found:N)' \
		'multireadrandom : N micros/op N ops/sec N seconds N operations; N MB/s (N of N found)' \
		'readrandomwriterandom : N micros/op N ops/sec N seconds N operations; ( reads:N writes:N total:N found:N)' \
		'mergerandom : N micros/op N ops/sec N seconds N operations; N MB/s ( updates:N)' \
		'readrandommergerandom : N micros/op N ops/sec N seconds N operations; (reads:N merges:N total:N hits:N maxlength:N)' \
		'readwhilemerging : N micros/op N ops/sec N seconds N operations; N MB/s (N of N found)' 'Microseconds per merge:' \
		'fillsync : N micros/op N ops/sec N seconds N operations; N MB/s (N ops)' \
		'Count: N Average: N StdDev: N' 'Min: N Median: N Max: N' 'Percentiles: PN: N PN: N PN: N PN: N PN: N' \
		'Microseconds per update:' 'Microseconds per seek:' 'STATISTICS:' 'rocksdb.number.keys.written COUNT : N'
	do
		grep -q -x -F "$line" "$work/shape" || { echo "no line: $line"; return 1; }
	done
	grep -q -x -E 'Min: [0-9]+  Median: [0-9.]+  Max: [0-9]+' "$work/out" && ! grep -q -E '^writer|INVALID' "$work/out" &&
		[ "$(grep -c 'ops/sec ' "$work/out")" -eq 11 ] && [ "$(grep -c '^Microseconds per ' "$work/out")" -le 13 ] &&
		[ "$(head -n 1 "$work/report.csv")" = secs_elapsed,interval_qps ] && grep -q '^RocksDB:    version ' "$work/err" &&
		[ "$(sed -n '/^readwhilewriting/,/^Percentiles/p' "$work/out" | grep -c '^Microseconds per read:')" -eq 1 ]
}
ok "what is printed is RocksDB's db_bench's: one line and one histogram a benchmark" prints_as_rocksdb
whole_intervals () {
	instead --benchmarks=fillrandom --num=4000 --stats_interval=1500 &&
		[ "$(grep -c ' ops/second in ' "$work/err")" -eq 2 ] &&
		grep -q -E '^[0-9/]+-[0-9:]+  \.\.\. thread 0: ' "$work/err"
}
ok "intervals are printed when they are over, as there" whole_intervals
seconds_before_operations () {
	instead --benchmarks=fillrandom --num=4000 --stats_interval=1500 --stats_interval_seconds=1000
	[ "$(grep -c ' ops/second in ' "$work/err")" -eq 0 ]
}
ok "with --stats_interval_seconds operations end no interval, as there" seconds_before_operations
statistics_of_intervals () {
	rm -rf "$work/rocks"
	rocks --benchmarks=fillrandom --num=40000 --threads=2 --stats_interval=10000 --stats_per_interval=1
	grep -E 'ops/second|DB Stats' "$work/err"
	[ "$(grep -c '\.\.\. thread 0: ' "$work/err")" -ge 3 ]
	[ "$(grep -c '\.\.\. thread 0: ' "$work/err")" -eq "$(grep -c 'DB Stats' "$work/err")" ]
}
ok "--stats_per_interval prints RocksDB's statistics after each line of thread 0" statistics_of_intervals
# two fills, of two databases
statistics_at_the_end () {
	rocks --benchmarks=fillseq,fillrandom --num=1000 --statistics && [ "$(grep -c '^STATISTICS:$' "$work/out")" -eq 1 ] &&
		grep -E '^STATISTICS|ops/sec' "$work/out" | tail -n 1 | grep -q '^STATISTICS' &&
		grep -q -x 'rocksdb.number.keys.written COUNT : 2000' "$work/out"
}
ok "statistics are printed once, at the end, and are of all databases of the list" statistics_at_the_end
its_header () {
	rocks --benchmarks=memstats --memtablerep=vector --allow_concurrent_memtable_write=false --benchmark_write_rate_limit=2097153 \
		--sample_for_compression=3 && grep -q -x 'Memtablerep: VectorRepFactory' "$work/out" &&
		grep -q -x 'Write rate: 2097153 bytes/second' "$work/out" && grep -q -x 'Compression sampling rate: 3' "$work/out"
}
ok "its header repeats what was asked for" its_header
# Each read of 1,000 is one of the memtable.
perf_context () {
	rm -rf "$work/rocks"
	rocks --benchmarks=fillseq,readrandom,readrandom --num=1000 --perf_level=2 && grep -q -x 'Perf Level: 2' "$work/out" &&
		grep -A 1 -E '^fillseq .* MB/s PERF_CONTEXT:$' "$work/out" | grep -q '^user_key_comparison_count = [1-9][0-9]*, ' &&
		[ "$(grep -c '^ PERF_CONTEXT:$' "$work/out")" -eq 2 ] && [ "$(grep -c ' block_read_count = 0, .* get_from_memtable_count = 1000, ' "$work/out")" -eq 2 ]
}
ok "--perf_level prints RocksDB's counters of each benchmark behind its line" perf_context
# Bytes of a rate: a put has about 52, and a get's 116 are a tenth of that mix.
mixgraph_rate () {
	rm -rf "$work/rocks"
	rocks --benchmarks=fillseq,mixgraph --num=20000 --mix_put_ratio=1 --mix_get_ratio=0 &&
		grep -q -E '^mixgraph .* operations; \( Gets:0 Puts:20000 ' "$work/out" || return 1
	rocks --benchmarks=fillseq,mixgraph --num=20000 --mix_put_ratio=0.9 --mix_get_ratio=0.1 &&
		awk '/^mixgraph/ { bytes = $11 * 1048576 * $7 / $9; print bytes } END { exit !(bytes > 4 && bytes < 20) }' "$work/out"
}
ok "the rate of mixgraph is of what it reads, as there" mixgraph_rate
hashed_memtables () {
	rm -rf "$work/rocks"
	rocks --benchmarks=fillseq,readrandom,seekrandom --num=1000 --memtablerep=hash_linkedlist --prefix_size=8 \
		--allow_concurrent_memtable_write=false && grep -q -x 'Memtablerep: HashLinkListRepFactory' "$work/out" &&
		[ "$(grep -c '(1000 of 1000 found)' "$work/out")" -eq 2 ] || return 1
	! rocks --benchmarks=fillseq --num=10 --memtablerep=prefix_hash && grep -q -e '--memtablerep=prefix_hash: give a --prefix_size, too' "$work/err"
}
ok "memtables by hash are those of RocksDB, and need prefixes, as there" hashed_memtables
without_their_master () {
	rm -rf "$work/rocks"
	rocks --benchmarks=fillseq --num=10 --read_cache_size=9 --read_cache_direct_read=false --read_cache_direct_write=false \
		--block_cache_trace_max_trace_file_size_in_bytes=9 --block_cache_trace_sampling_frequency=9
}
ok "flags that have no effect by themselves are taken" without_their_master
prints_as_leveldb () {
	"$top/bench_leveldb" --compat=db_bench --db="$work/level" --benchmarks=fillseq,fillsync,readrandom,stats --num=2000 --histogram=1 \
		--bloom_bits=10 --open_files=100 --cache_size=-1 --json="$work/rows" >"$work/out" 2>"$work/err" || return 1
	shape >"$work/shape"
	cat "$work/out"
	grep -q -x -F 'fillseq : N micros/op; N MB/s' "$work/shape" && grep -q -x -F 'readrandom : N micros/op; (N of N found)' "$work/shape" &&
		grep -q '^fillsync .* MB/s (2 ops)$' "$work/out" &&
		grep -q -x 'Keys:       16 bytes each' "$work/out" && grep -q -x 'Microseconds per op:' "$work/out" && [ -e "$work/level/CURRENT" ] &&
		grep -q -E '^Min: [0-9]+\.[0-9]{4}  Median: [0-9.]+  Max: [0-9]+\.[0-9]{4}$' "$work/out" && tail -n 3 "$work/rows" | jq -s -e 'map(.ops) == [2000, 2, 2000]'
}
ok "and LevelDB's of bench_leveldb" prints_as_leveldb
# What is found is said of readrandom only; without a list, one is there to be copied.
leveldb_says () {
	"$top/bench_leveldb" --compat=db_bench --db="$work/level" --benchmarks=fillseq,readrandom,readmissing,readhot --num=1000 >"$work/out" &&
		[ "$(grep -c ' found)$' "$work/out")" -eq 1 ] && grep -q '^readhot .* micros/op;$' "$work/out" || return 1
	"$top/bench_leveldb" --compat=db_bench --db="$work/level" --benchmarks=fillseq,readrandom --num=1000 --reads=100 --threads=2 >"$work/out" &&
		grep -q '^readrandom .* (200 of 2000 found)$' "$work/out" || return 1
	! "$top/bench_leveldb" --compat=db_bench --db="$work/level" 2>"$work/err" || return 1
	list=$(sed -n 's/.* give \(--benchmarks=[^ ]*\)$/\1/p' "$work/err")
	"$top/bench_leveldb" --compat=db_bench --db="$work/level" --num=1000 "$list" >"$work/out" && [ "$(grep -c micros/op "$work/out")" -eq 13 ]
}
ok "LevelDB's benchmarks say what was found as there, and its default list can be copied" leveldb_says
# RocksDB's benchmark_leveldb.sh gives flags of a fork, too.
of_the_fork () {
	"$top/bench_leveldb" --compat=db_bench --db="$work/level" --benchmarks=fillseq,readwhilewriting --num=1000 --sync=0 --seed=7 \
		--writes_per_second=100 --json="$work/rows" >"$work/out" 2>"$work/err" && row '.ops == 1000 and .seed == 7'
}
ok "and takes those of the fork that RocksDB's script for it runs" of_the_fork
# The limits of its buckets; each value is in the bucket that the two name, and no value is left out.
whole_histogram () {
	instead --benchmarks=readrandom --num=1000 --reads=1000 --histogram && awk '
		/^Count: / { all = $2 } /^[[(] .* []] / { sum += $5; if ($2 + 0 >= $3 + 0 || $2 + 0 < last) exit 1; last = $3 + 0 }
		END { exit !(all == 1000 && sum == all) }' "$work/out"
}
ok 'a histogram has each value in one of its buckets' whole_histogram
# The average is the line's, to its three places.
end_to_end () {
	instead --benchmarks=readrandom,multireadrandom,updaterandom,seekrandom --num=1000 --batch_size=10 --reads=5000 --histogram --threads=3 && awk '
		/ micros\/op / { micros = $3; ops = $9 }
		/^Count: / { n++; if ((gap = $4 * $2 / ops - micros) > 0.0016 || gap < -0.0016) { print $0, micros; bad = 1 } }
		END { exit bad || n != 4 }' "$work/out"
}
ok "a histogram's times are from the end of one operation to the end of the next, as there" end_to_end
moves_past () {
	rm -rf "$work/rocks"
	rocks --benchmarks=filluniquerandom,seekrandom --num=1000 --reads=50 --seek_nexts=3 --statistics &&
		row ".entries > 140 and .entries == $(sed -n 's/^rocksdb.number.db.next COUNT : //p' "$work/out")"
}
ok 'a seek moves past the last record that it reads, as there' moves_past
# Each get takes 0.2 ms and each put 0.3 ms.
whole_update () {
	instead --benchmarks=updaterandom --num=100 --reads=100 --histogram --null_get_ns=200000 --null_put_ns=300000 &&
		sed -n '/^Microseconds per update:/,/^Min/s/^Min: \([0-9]*\) .*/\1/p' "$work/out" >"$work/least" &&
		[ "$(cat "$work/least")" -ge 500 ] && [ "$(grep -c '^Microseconds per ' "$work/out")" -eq 1 ]
}
ok "an update's histogram is of a get and a put as one" whole_update
# Each put takes 0.2 ms: a batch of five 1 ms.
whole_batch () {
	instead --benchmarks=overwrite --num=100 --batch_size=5 --histogram --null_put_ns=200000 &&
		grep -q -E '^Count: 20 Average: [0-9.]+' "$work/out" && sed -n 's/^Min: \([0-9]*\) .*/\1/p' "$work/out" >"$work/least" &&
		[ "$(cat "$work/least")" -ge 1000 ]
}
ok "a batch's histogram is of all its writes as one" whole_batch
without_operator () {
	got=0
	rocks --benchmarks=fillseq,mergerandom --num=100 || got=$?
	[ $got -eq 1 ] && grep -q 'mergerandom: .*merge_operator' "$work/err"
}
ok 'a merge needs a merge operator, as there' without_operator
# db_bench 7.8.3 makes table files of 954,041 bytes of these.
compresses_as_there () {
	rm -rf "$work/rocks"
	rocks --benchmarks=filluniquerandom,compact --num=5000 --value_size=400 --compression_type=zstd &&
		cat "$work"/rocks/*.sst | wc -c >"$work/bytes" && [ "$(cat "$work/bytes")" -gt 930000 ] && [ "$(cat "$work/bytes")" -lt 1005000 ]
}
ok "values take the space that db_bench's take when they are compressed" compresses_as_there
only_unchecked () {
	got=0
	"$top/bench_rocksdb" --db="$work/rocks" --use_existing_db=1 --key_format=binary --benchmarks=readrandom --num=5000 --value_size=400 \
		--verify=1 2>"$work/err" || got=$?
	[ $got -eq 2 ] && grep -q "holds db_bench's values, which cannot be checked" "$work/err" &&
		rocks --benchmarks=filluniquerandom,readrandom --num=100 --verify=1 && row '.valid == 1'
}
ok 'and cannot be checked, but those with --verify=1 can' only_unchecked
both_multigets () {
	for batched in true false
	do
		rocks --benchmarks=filluniquerandom,multireadrandom --num=1000 --batch_size=10 --multiread_batched=$batched &&
			grep -q '(1000 of 1000 found)' "$work/out" || return 1
	done
}
ok "both forms of RocksDB's multi-get find all" both_multigets
# transacts ARGUMENTS...: randomtransaction, and the line that has its figures
transacts () {
	rocks --benchmarks=randomtransaction --num=100 --writes=1000 "$@" && shape | grep '^randomtransaction' | tee "$work/line"
}
its_transactions () {
	for way in transaction_db optimistic_transaction_db
	do
		rm -rf "$work/rocks"
		transacts --$way --threads=3 --transaction_sets=3 --transaction_lock_timeout=2 --transaction_set_snapshot --transaction_sleep=9 --histogram &&
			grep -q -x -F 'randomtransaction : N micros/op N ops/sec N seconds N operations; N MB/s ( transactions:N aborts:N)' "$work/line" &&
			grep -q '( transactions:3000 aborts:' "$work/out" && grep -q -x 'Microseconds per op:' "$work/out" &&
			tail -n 1 "$work/out" | grep -q -x 'RandomTransactionVerify Success.' &&
			row '.valid == 1 and .ops == 3000 and .txn == 1 and .commits + .conflicts < 2950 and .commits > 2000 and .writes == 3000' || return 1
	done
	transacts --use_existing_db --transaction_sets=3 --optimistic_transaction_db --transaction_db &&
		row '.valid == 1 and (.engine_options | contains(" optimistic_transaction_db=1 "))' || return 1
	# some sets are older than this one
	transacts --use_existing_db --optimistic_transaction_db --transaction_sets=4 &&
		tail -n 1 "$work/out" | grep -q -x 'RandomTransactionVerify FAILED!!' && row '.valid == 0 and (.invalid_reason | test("sum of set 4 is"))'
}
ok "db_bench's transactions of both kinds, and its check of their sums" its_transactions
without_transactions () {
	transacts --threads=2 && grep -q '( batches:2000 )' "$work/out" && ! grep -q RandomTransactionVerify "$work/out" &&
		row '.valid == 1 and .commits == 2000 and .conflicts == 0' || return 1
	"$top/bench_rocksdb" --compat=db_bench --db="$work/untouched" --benchmarks=stats --transaction_sets=0 2>"$work/err" && return 1
	grep -q -e '--transaction_sets=0: give 1 to 9999' "$work/err" || return 1
	"$top/bench_null" --compat=db_bench --benchmarks=fillseq --optimistic_transaction_db 2>"$work/err" && return 1
	grep -q -e '--optimistic_transaction_db=true: null engine has no --optimistic_transaction_db' "$work/err" &&
		fails 2 "no benchmark 'randomtransaction' here; instead: smallbank" "$top/bench_rocksdb" --db="$work/untouched" --benchmarks=randomtransaction
}
ok 'and batches without them, which are not checked' without_transactions
not_another_threads () {
	"$top/bench_null" --benchmarks=readwhilewriting --num=1000 --reads=1000 >"$work/out" 2>"$work/err" &&
		[ "$(grep -c 'ops/sec' "$work/out")" -eq 1 ] && ! grep -q 'ops/sec' "$work/err" &&
		grep -q 'readwhilewriting/writer: [0-9]* operations in ' "$work/err"
}
ok "without it, too, no other line has ops/sec" not_another_threads

# yahoo ARGUMENTS...: bench_null in the place of YCSB's client, and its row
yahoo () {
	"$top/bench_null" --compat=ycsb --json="$work/rows" "$@" >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
}
as_java () {
	printf '# recordcount=1\n  ! recordcount=2\n\nrecordcount : 300\noperation\\\n   count=7\nrequest\\u0064istribution latest\nthreadcount=9\n' >"$work/props"
	printf 'operationcount=70\nlabel=a\\=b\\\\\nlabel = c\\\n  d # e\n' >"$work/more-props"
	yahoo run basic -P "$work/props" -P "$work/more-props" -p threadcount=5 -s -threads 3 -p table=x -cp a:b -jvm-args=-Xmx4g &&
		row '.num == 300 and .ops == 70 and .threads == 3 and .label == "cd # e" and .benchmark == "more-props" and (.distribution | startswith("latest"))'
}
ok "YCSB's properties are read as Java does, and its command line as it does" as_java
by_its_name () {
	ln -s "$top/bench_null" "$work/ycsb.sh"
	"$work/ycsb.sh" load basic -p recordcount=200 --json="$work/rows" >"$work/out" &&
		row '.ops == 200 and .benchmark == "ycsb-load" and .key_format == "user" and .key_size == 24 and .value_size == 1000'
}
ok 'the name ycsb.sh is enough' by_its_name
# A fill by random keys leaves some out.
reads_that_fail () {
	"$top/bench_lmdb" --db="$work/failed" --benchmarks=fillrandom,readrandom,deleterandom --num=1000 --format=ycsb --json="$work/rows" >"$work/out" 2>"$work/err" &&
		awk -F ', ' '/^\[READ/ { n[$1 $2] = $3 } END { ok = n["[READ]Operations"]; failed = n["[READ-FAILED]Operations"]
			exit !(ok > 500 && failed > 300 && ok + failed == 1000 && n["[READ]Return=OK"] == ok && n["[READ]Return=NOT_FOUND"] == failed &&
				n["[READ-FAILED]AverageLatency(us)"] > 0) }' "$work/out" && grep -q -F '[DELETE], Return=NOT_FOUND, ' "$work/out" &&
		! grep -q SCAN "$work/out" && return
	cat "$work/out"
	return 1
}
ok "reads that find nothing have times of their own, as in YCSB" reads_that_fail
yahoo_refuses () {
	got=0
	"$top/bench_null" --compat=ycsb run basic -p recordcount=10 -p operationcont=1 -p readallfields=false -p insertorder=ordered \
		-p measurementtype=raw -p exporter=x.JSONArray -p zeropadding=1 -p htrace.a=b -p insertstart=5 -q 2>"$work/err" || got=$?
	cat "$work/err"
	[ $got -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 10 ] && grep -q '9 of these properties and options' "$work/err" &&
		grep -q 'operationcont=1: did you mean operationcount?' "$work/err" && grep -q 'insertorder=ordered: .* give zeropadding=2' "$work/err" &&
		grep -q 'operationcount=0: the run would not end' "$work/err"
}
ok "all of YCSB's that cannot be had is said at once" yahoo_refuses

# properties, what is true of the row
yahoo_means () {
	# shellcheck disable=SC2046,SC2086 # words, on purpose
	yahoo run basic -p recordcount=1000 -p operationcount=900 $(printf -- '-p %s ' $1)
	row "$2"
}
while IFS='|' read -r properties truth
do
	ok "YCSB's meaning of $properties" yahoo_means "$properties" "$truth"
done <<'END'
threadcount=4|.ops == 900 and .reads == 855 and .writes == 45 and .mix == "read:95,update:5" and .distribution == "uniform"
updateproportion=1|.mix == "read:475,update:500"
readproportion=0.3336 updateproportion=0.3337 readmodifywriteproportion=0.3327|.mix == "read:333,update:334,rmw:333" and .ops == 900
readproportion=0.5 updateproportion=0 readmodifywriteproportion=0.5|.mix == "read:50,rmw:50" and .ops == 900 and .writes == 450
readproportion=0 updateproportion=0 scanproportion=1 maxscanlength=5|.scans == 900 and .scan_length == "1-5" and .entries > 2000
scanproportion=1 minscanlength=3 maxscanlength=9 scanlengthdistribution=zipfian|.scan_length == "zipf:3-9"
requestdistribution=hotspot hotspotdatafraction=0.1 hotspotopnfraction=0.9|.distribution == "hotspot 0.1/0.9"
requestdistribution=zipfian|.distribution == "scrambled_zipfian 0.99"
fieldcount=4 fieldlength=25|.value_size == 100 and .value_sizes == "100"
fieldcount=4 fieldlength=25 minfieldlength=5 fieldlengthdistribution=uniform|.value_size == 60 and .value_sizes == "4*5-25"
fieldcount=1 fieldlengthdistribution=zipfian readallfields=false|.value_sizes == "1*zipf:1-100"
insertorder=ordered zeropadding=12|.key_format == "decimal" and .key_size == 16
zeropadding=30|.key_format == "user" and .key_size == 34
dataintegrity=true|.ops == 900 and .valid == 1
threadcount=5 operationcount=3|.threads == 3 and .ops == 3
maxexecutiontime=60|.ops == 900 and .seconds < 60
operationcount=0 maxexecutiontime=0.2|.seconds >= 0.2 and .ops > 900
operationcount=100000000 maxexecutiontime=0.2|.seconds >= 0.2 and .seconds < 50 and .ops < 100000000
target=2000|.target_rate == 2000 and .ops == 900
END
by_histogram () {
	printf 'BlockSize\t10\n0\t0\n1\t0\n2\t5\n3\t1\n' >"$work/hist.txt"
	yahoo load basic -p recordcount=400 -p fieldcount=2 -p fieldlengthdistribution=histogram -p fieldlengthhistogram="$work/hist.txt" &&
		row '.value_sizes == "2*hist:'"$work"'/hist.txt" and (.bytes / .ops | . > 24 + 46 and . <= 24 + 60)'
}
ok "field lengths are those of YCSB's histogram" by_histogram
# The five hottest keys of YCSB 0.17.0 with these properties, in its order; inserts make its hash go over 23001 keys, and over 3001
# with no operationcount, by which it expects them.
hot_keys () {
	while read -r count seconds keys
	do
		rm -f "$work/hot.csv"
		yahoo run basic -p recordcount=3000 -p operationcount="$count" -p insertorder=ordered -p zeropadding=8 -p requestdistribution=zipfian \
			-target 200000 -p readproportion=0.5 -p updateproportion=0.45 -p insertproportion=0.05 -p maxexecutiontime="$seconds" --trace_out="$work/hot.csv"
		cut -d , -f 2 "$work/hot.csv" | sort | uniq -c | sort -n -r | awk 'NR <= 5 { printf "%d ", $2 }' >"$work/hot"
		cat "$work/hot"
		[ "$(cat "$work/hot")" = "$keys " ]
	done <<-'DONE'
		200000 0 6847 2426 2533 6740 4352
		0 1 1581 547 648 2615 1984
	DONE
}
ok "the hottest keys are YCSB's" hot_keys
# Uniform keys stay those of the load: at most one of them is drawn for each loaded record.
loaded_keys () {
	rm -f "$work/loaded.csv"
	yahoo run basic -p recordcount=50 -p operationcount=2000 -p insertproportion=1 -p readproportion=1 -p updateproportion=0 \
		-p insertorder=ordered -p zeropadding=8 --trace_out="$work/loaded.csv" &&
		[ "$(awk -F , '$6 == "get" { print $2 }' "$work/loaded.csv" | sort -u | tail -n 1)" = 000000000049 ]
}
ok "of uniform keys YCSB draws those that were loaded" loaded_keys
# what the client of YCSB 0.17.0 prints, without JVM
in_its_form () {
	yahoo run basic -p recordcount=1000 -p operationcount=1000 -p readproportion=0.2 -p updateproportion=0.2 -p insertproportion=0.2 \
		-p scanproportion=0.2 -p readmodifywriteproportion=0.2 -p hdrhistogram.percentiles=1,50,99.9,100 -p dataintegrity=true \
		-p measurement.interval=both -target 100000 -p exportfile="$work/export" && [ ! -s "$work/out" ] || return 1
	sed -E 's/[0-9.]+$/N/' "$work/export" >"$work/shape"
	for operation in READ:400 UPDATE:400 INSERT:200 SCAN:200 READ-MODIFY-WRITE:200
	do
		name=${operation%:*}
		for measure in 'AverageLatency(us)' 'MinLatency(us)' 'MaxLatency(us)' '1stPercentileLatency(us)' '50thPercentileLatency(us)' \
			'99.9PercentileLatency(us)' '100thPercentileLatency(us)'
		do
			for form in "$name" "Intended-$name"
			do
				grep -q -x -F "[$form], $measure, N" "$work/shape" || { echo "no line: [$form], $measure"; cat "$work/export"; return 1; }
			done
		done
		grep -q -x -F "[$name], Operations, ${operation#*:}" "$work/export" || { echo "not $operation"; cat "$work/export"; return 1; }
		[ "$name" = READ-MODIFY-WRITE ] || grep -q -x -F "[$name], Return=OK, ${operation#*:}" "$work/export" || return 1
	done
	! grep -q -v -E '^\[[A-Za-z-]+\], [^,]+, [0-9.]+$' "$work/export" && ! grep -q 'Return=.*READ-MODIFY' "$work/export" &&
		grep -q -x -F '[VERIFY], Return=OK, 400' "$work/export" && grep -q '^\[OVERALL\], RunTime(ms), [0-9]*$' "$work/export" &&
		grep -q '^\[OVERALL\], Throughput(ops/sec), ' "$work/export" && grep -q -x -F '[CLEANUP], Operations, 1' "$work/export"
}
ok "the result is in YCSB's text form" in_its_form
# Each get takes 0.2 ms and each put 0.3 ms: those of both calls, of updates and of inserts are told apart.
told_apart () {
	yahoo run basic -p recordcount=100 -p operationcount=300 -p readproportion=0 -p updateproportion=0 -p insertproportion=1 \
		-p readmodifywriteproportion=1 -p measurementtype=histogram --null_get_ns=200000 --null_put_ns=300000 && cat "$work/out" &&
		awk -F ', ' '{ at[$1 " " $2] = $3 }
			END { exit !(at["[READ-MODIFY-WRITE] MinLatency(us)"] >= 495 && at["[INSERT] MinLatency(us)"] >= 295 &&
				at["[READ] MinLatency(us)"] >= 195 && at["[UPDATE] Operations"] == 150 && at["[INSERT] Operations"] == 150 &&
				at["[READ] LatencyVariance(us)"] != "") }' "$work/out"
}
ok 'a read-modify-write is timed as a whole, and inserts apart from updates' told_apart
status_lines () {
	yahoo run basic -p recordcount=100 -p operationcount=1000000000000 -p maxexecutiontime=1 -s -p status.interval=0.2 &&
		sed -n -E 's/^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}:[0-9]{3} [0-9]+ sec: ([0-9]+) operations; [0-9.]+ current ops.sec; $/\1/p' \
			"$work/err" >"$work/status" && [ "$(wc -l <"$work/status")" -ge 2 ] && sort -n -c "$work/status" &&
		row ".ops == $(tail -n 1 "$work/status")" && ! grep -q 'ops/second' "$work/err" || return 1
	yahoo run basic -p recordcount=100 -p operationcount=500 -target 1000 -s -p status.interval=0.2 &&
		grep -q ' sec: [1-9][0-9]* operations; [0-9.]* current ops/sec; est completion in [1-9][0-9]* seconds\{0,1\} $' "$work/err" &&
		! grep -q ' 500 operations; .*est completion' "$work/err"
}
ok "-s prints YCSB's status lines" status_lines
yahoo_database () {
	rm -rf "$work/yahoo"
	for step in 'load' 'run -p insertproportion=0.1 -p requestdistribution=latest' 'run -p scanproportion=0.5 -p maxscanlength=9'
	do
		# shellcheck disable=SC2086 # words, on purpose
		"$top/bench_lmdb" --compat=ycsb $step -p rocksdb.dir="$work/yahoo" -p recordcount=2000 -p operationcount=1000 -threads 2 \
			-p dataintegrity=true -p fieldlengthdistribution=zipfian --json="$work/rows" >"$work/out" 2>"$work/err" ||
			{ cat "$work/err"; return 1; }
		row '.valid == 1 and .lost == 0 and .wrong == 0' || return 1
	done
	grep -q 'writes all 10 fields' "$work/err"
}
ok 'a database that YCSB loads is found by its runs, and checked' yahoo_database
yahoo_form_of_lists () {
	"$top/bench_null" --benchmarks=fillseq,readwhilewriting --num=500 --format=ycsb >"$work/out" 2>"$work/err" &&
		[ "$(grep -c -F '[OVERALL], Throughput(ops/sec), ' "$work/out")" -eq 2 ] && grep -q -x 'fillseq:' "$work/out" &&
		grep -q -x -F '[INSERT], Return=OK, 500' "$work/out" && grep -q -x -F '[READ], Return=OK, 500' "$work/out" &&
		! grep -q 'ops/sec ' "$work/out"
}
ok "--format=ycsb is for lists of workloads, too" yahoo_form_of_lists
# What deletes do not find is of no read.
yahoo_form_of_deletes () {
	"$top/bench_lmdb" --db="$work/cluster" --preset=cluster14 --num=2000 --verify=1 --format=ycsb >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
	grep -E '^.(READ|WRITE|VERIFY|READ-FAILED)., (Return|Operations)' "$work/out" | tee "$work/counts"
	awk -F ', ' '$1 == "[READ]" && $2 == "Operations" { ok = $3 } $2 == "Return=NOT_FOUND" && $1 == "[READ]" { none = $3 }
		$1 == "[READ-FAILED]" && $2 == "Operations" { failed = $3 } $1 == "[VERIFY]" && $2 == "Operations" { checked = $3 }
		$1 == "[WRITE]" && $2 == "Return=NOT_FOUND" { deleted = $3 }
		END { exit !(ok > 0 && none == failed && checked == ok && deleted > 0) }' "$work/counts"
}
ok "and has what deletes did not find apart from reads" yahoo_form_of_deletes

# ucsb_file: a file of workloads in UCSB's form
ucsb_file () {
	jq -n 'def all: {records_count: 5000, value_length: 64}; [
		all + {name: "Init", operations_count: 5, bulk_load_proportion: 1.0, bulk_load_min_length: 1000, bulk_load_max_length: 1000},
		all + {name: "Mix", operations_count: 901, read_proportion: 0.5, update_proportion: 0.25, read_modify_write_proportion: 0.25, key_dist: "zipfian"},
		all + {name: "BatchRead", operations_count: 8, batch_read_proportion: 1, key_dist: "zipfian", batch_read_min_length: 25, batch_read_max_length: 25},
		all + {name: "RangeSelect", operations_count: 40, range_select_proportion: 1, key_dist: "zipfian", range_select_min_length: 7,
			range_select_max_length: 9, range_select_length_dist: "zipfian"},
		all + {name: "Scan", operations_count: 1, scan_proportion: 1.0},
		all + {name: "ReadUpsert", operations_count: 1000, read_proportion: 0.95, upsert_proportion: 0.05, key_dist: "latest"},
		all + {name: "BatchUpsert", operations_count: 5, start_key: 5050, batch_upsert_proportion: 1, batch_upsert_min_length: 100,
			batch_upsert_max_length: 100},
		all + {name: "Remove", records_count: 5550, operations_count: 55, remove_proportion: 1, key_dist: "zipfian"}]' >"$work/ucsb.json"
}
ucsb_in_order () {
	rm -rf "$work/ucsb" "$work/results"
	rm -f "$work/rows"
	mkdir "$work/results"
	ucsb_file
	"$top/bench_lmdb" --compat=ucsb -db lmdb -wl "$work/ucsb.json" -md "$work/ucsb" -cfg x.cfg -res "$work/results/" -sd '' -th 2 -ri 0 -rc 1 \
		--verify=1 --json="$work/rows" >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
	jq -c '[.benchmark, .ops, .threads, .batch_size, .mix, .scan_length, .valid]' "$work/rows"
	grep -q -e '-cfg has no effect' "$work/err" &&
		jq -s -e 'map("\(.benchmark) \(.ops) \(.threads) \(.batch_size) \(.mix // "") \(.scan_length // "") \(.valid)") == [
			"Init 5000 1 1000   1", "Mix 901 2 1 read:50,update:25,rmw:25  1", "BatchRead 200 2 25   1", "RangeSelect 40 2 1  zipf:7-9 1",
			"Scan 10000 2 1   1", "ReadUpsert 1000 2 1 read:95,insert:5  1", "BatchUpsert 500 2 100   1", "Remove 55 2 1   1"] and
			all(.num == 5000 and .key_size == 8 and .key_format == "binary" and .value_size == 64)' "$work/rows" || return 1
	cp "$work/results/ucsb.json" "$work/before.json"
	"$top/bench_lmdb" --compat=ucsb -wl "$work/ucsb.json" -md "$work/ucsb" -fl Scan,Mix --json="$work/rows" -res "$work/results/ucsb.json" >"$work/out" &&
		tail -n 2 "$work/rows" | jq -s -e 'map(.benchmark) == ["Scan", "Mix"] and .[0].ops > 5000'
}
ok "UCSB's file of workloads runs in its order, as what it means, and its filter on the same database" ucsb_in_order
ucsb_lengths () {
	ucsb_file
	for lengths in '0 9' '9 7'
	do
		jq --arg lengths "$lengths" '($lengths / " " | map(tonumber)) as [$a, $b] |
			map(if .name == "RangeSelect" then .range_select_min_length = $a | .range_select_max_length = $b else . end)' "$work/ucsb.json" >"$work/lengths.json"
		got=0
		"$top/bench_lmdb" --compat=ucsb -wl "$work/lengths.json" -md "$work/ucsb-refused" 2>"$work/err" || got=$?
		cat "$work/err"
		[ $got -eq 2 ]
		grep -q 'RangeSelect: .*give 1 to range_select_max_length' "$work/err"
		[ ! -e "$work/ucsb-refused" ]
	done
}
ok "lengths of UCSB's ranges that are none are refused" ucsb_lengths
# Of the runs above: UCSB merges what it measured again into the file.
ucsb_results () {
	jq -e '.context.executable == "bench_lmdb" and (.benchmarks | map(.name | sub("/.*"; "")) ==
		["Init", "Mix", "BatchRead", "RangeSelect", "Scan", "ReadUpsert", "BatchUpsert", "Remove"]) and
		(.benchmarks[1] | .name == "Mix/iterations:1/repeats:1/real_time/threads:2" and .time_unit == "us" and .threads == 2 and
			.real_time > 0 and .["disk,bytes"] > 0 and .["fails,%"] == 0 and .["cpu_max,%"] == null and
			(.["operations/s"] * .real_time / 1e6 - 901 | fabs) < 1)' "$work/before.json" &&
		jq -s -e '(.[0].benchmarks | to_entries) as $old | .[1].benchmarks as $new | ($new | length == 8) and
			[$old[] | select(.value != $new[.key]) | .key] == [1, 4]' "$work/before.json" "$work/results/ucsb.json" &&
		fails 2 'res: .*/none/r.json: No such file' "$top/bench_lmdb" --compat=ucsb -wl "$work/ucsb.json" -md "$work/ucsb" -res "$work/none/r.json" &&
		fails 2 'ucsb.json has no array of benchmarks' "$top/bench_lmdb" --compat=ucsb -wl "$work/ucsb.json" -md "$work/ucsb" -res "$work/ucsb.json"
}
ok "UCSB's file of results is that of Google Benchmark, into which later runs are merged" ucsb_results
# Of a file that gives no lengths: UCSB's own. A record that is found counts, each of a range, with a value of that length and no key.
ucsb_own_numbers () {
	rm -rf "$work/ucsb-own" "$work/own.json" "$work/rows"
	jq -n 'def all: {records_count: 1024}; [
		all + {name: "Init", operations_count: 4, bulk_load_proportion: 1},
		all + {name: "BatchRead", operations_count: 2, batch_read_proportion: 1, value_length: 1024},
		all + {name: "RangeSelect", operations_count: 10, range_select_proportion: 1},
		all + {name: "Both", operations_count: 100, range_select_proportion: 0.5, read_modify_write_proportion: 0.5, range_select_min_length: 1,
			range_select_max_length: 1},
		all + {name: "BatchUpsert", operations_count: 1, batch_upsert_proportion: 1},
		all + {name: "Remove", operations_count: 1024, remove_proportion: 1},
		all + {name: "Read", operations_count: 500, read_proportion: 1},
		all + {name: "ReadBatch", operations_count: 1, batch_read_proportion: 1}]' >"$work/own-workloads.json"
	set -- "$top/bench_lmdb" --compat=ucsb -wl "$work/own-workloads.json" -md "$work/ucsb-own" -res "$work/own.json" --json="$work/rows"
	"$@" >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
	jq -c '[.benchmark, .ops, .batch_size, .scan_length, .value_size, .missing]' "$work/rows"
	jq -s -e 'map("\(.benchmark) \(.ops) \(.batch_size) \(.scan_length // "")") == ["Init 1024 256 ", "BatchRead 512 256 ", "RangeSelect 10 1 100",
		"Both 100 1 1", "BatchUpsert 256 256 ", "Remove 1024 1 ", "Read 500 1 ", "ReadBatch 256 256 "] and all(.valid == 1 and .value_size == 1024)' "$work/rows"
	jq -c '.benchmarks[] | [.name, .["operations/s"], .real_time, .["processed,bytes"], .["fails,%"]]' "$work/own.json"
	jq -e --slurpfile rows "$work/rows" '[.benchmarks, $rows] | transpose | all(
		(.[0]["operations/s"] * .[0].real_time / 1e6) as $records |
		(if .[1].benchmark == "RangeSelect" then .[1].entries else .[1].ops - .[1].missing end) as $found |
		($records - $found | fabs) < 0.01 and (.[0]["processed,bytes"] - 1024 * $found | fabs) < 1 and
		(.[0]["bytes_per_second"] / .[0]["operations/s"] - 1024 | fabs) < 0.01 and
		(.[0]["fails,%"] - (if .[1].benchmark == "ReadBatch" then 0 else 100 * .[1].missing / .[1].ops end) | fabs) < 0.01)' "$work/own.json"
	jq -s -e 'all(.[5, 6, 7]; .missing > 0.2 * .ops)' "$work/rows"
	# reads of deleted records, where none is to be missing: UCSB merges nothing of a run that fails
	cp "$work/own.json" "$work/own-before.json"
	sed -i 's/^complete 0$/complete 1/' "$work/ucsb-own/assay.db"
	got=0
	"$@" -fl Read >"$work/out" 2>&1 || got=$?
	[ $got -eq 1 ]
	row '.benchmark == "Read" and .valid == 0 and .missing > 0'
	cmp "$work/own-before.json" "$work/own.json"
}
ok "UCSB's lengths and counts are its own, and an invalid row is no result" ucsb_own_numbers
ucsb_refuses () {
	ucsb_file
	jq '.[1].key_dist = "counter" | .[2].batch_read_max_length = 30 | .[3].start_key = 9 | .[4].operations_count = 2 | .[5].odd = 1 |
		.[6].value_length = 100 | .[7].records_count = 4000' "$work/ucsb.json" >"$work/odd.json"
	got=0
	"$top/bench_null" --compat=ucsb -wl "$work/odd.json" -t -sd /a,/b 2>"$work/err" || got=$?
	cat "$work/err"
	[ $got -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 10 ] && grep -q 'Mix: key_dist=counter: give uniform, zipfian or latest' "$work/err" &&
		grep -q -e '-t: no transaction spans a workload here' "$work/err" || return 1
	echo '[{"name": "a", ]' >"$work/odd.json"
	! "$top/bench_null" --compat=ucsb -wl "$work/odd.json" 2>"$work/err" && grep -q 'is no array of objects' "$work/err"
}
ok "all of UCSB's that cannot be had is said at once" ucsb_refuses
