# conditions.sh: what a run stands on: memory, caches, processes, processors.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

cold () {
	bench lmdb --benchmarks=fillseqbatch,readrandom --num=20k --cold=1 >"$work/out" &&
		row '(.cold | test("^files")) and .found == 20000 and .io_read_bytes > 0' &&
		jq -es '.[-2].cold == null' "$work/rows"
}
# A work directory in memory cannot be made cold, and must be said not to be.
cold_in_memory () {
	status=0
	"$top/bench_lmdb" --db=/dev/shm/assay-test-$$ --benchmarks=fillseqbatch,readrandom --num=2k --cold=1 >"$work/out" 2>"$work/err" || status=$?
	rm -f /dev/shm/assay-test-$$/data/*.mdb /dev/shm/assay-test-$$/assay.db
	rmdir /dev/shm/assay-test-$$/data /dev/shm/assay-test-$$
	cat "$work/err"
	[ $status -eq 1 ] && grep -q 'stay in memory' "$work/err"
}
case $(stat -f -c %T "$work") in
tmpfs) skip '--cold=1 drops the pages of the database' 'the work directory is in memory' ;;
*) ok '--cold=1 closes the database and drops its pages, and mincore agrees' cold ;;
esac
if [ "$(stat -f -c %T /dev/shm 2>"$work/err")" = tmpfs ] && [ -w /dev/shm ]
then
	ok 'and says so where they cannot be dropped' cold_in_memory
else
	skip '--cold=1 on tmpfs' 'there is none at /dev/shm'
fi

isolated () {
	for isolate in 0 1
	do
		rm -f "$work/rows"
		bench lmdb --preset=ycsb --num=2000 --isolate=$isolate >"$work/out" || return 1
		jq -r '[.benchmark, .digest, .valid] | @tsv' "$work/rows" >"$work/isolated-$isolate"
	done
	row '.isolated == 1' && jq -es 'all(.[]; .open_seconds > 0)' "$work/rows" && [ "$(wc -l <"$work/isolated-1")" -eq 8 ] && diff "$work/isolated-0" "$work/isolated-1" &&
		bench lmdb --benchmarks='fillseq,readrandom[X3]' --num=100 --isolate >"$work/out" &&
		grep -q '^readrandom \[AVG 3 runs\]' "$work/out"
}
ok '--isolate=1 runs each benchmark in a process of its own, to the same end' isolated

isolated_death () {
	! "$top/bench_null" --benchmarks=readrandom,overwrite,readseq --num=1000 --null_stall_every=1 --null_stall_ms=3000000 \
		--hang_timeout=1 --isolate=1 --json="$work/rows" >"$work/out" 2>&1 || return 1
	cat "$work/out"
	grep -q '^readrandom .*INVALID: null engine hung' "$work/out"
}
ok 'and a benchmark that hangs is reported' isolated_death

pinned () {
	"$top/bench_null" --benchmarks=readrandom --num=1000 --cpus=0 --json="$work/rows" >"$work/out" && row '.cpus == "0" and .cores == 1' &&
		fails 2 'not all of these' "$top/bench_null" --cpus=0-900 &&
		fails 2 "cannot read '0-'" "$top/bench_null" --cpus=0-
}
ok '--cpus pins the run, or is refused' pinned

bound_to_node () {
	"$top/bench_null" --benchmarks=readrandom --num=1000 --numa_node=0 --json="$work/rows" >"$work/out" && row '.numa_node == 0' &&
		fails 2 'no node 999' "$top/bench_null" --numa_node=999 && fails 2 'give a number' "$top/bench_null" --numa_node=0x
}
if [ -e /sys/devices/system/node/node0 ]
then
	ok '--numa_node binds the run, or is refused' bound_to_node
else
	skip '--numa_node binds the run' 'this kernel knows no nodes'
fi

too_large () {
	fails 2 'records of fillseq alone take' "$top/bench_lmdb" --db="$work/nowhere/db" --num=100g --benchmarks=fillseq && [ ! -e "$work/nowhere" ]
}
ok 'a load that has no room is refused before anything is made' too_large

# What was written is flushed by then, so the device has it; other processes may add to it.
written_thrice () {
	bench rocksdb --benchmarks=filluniquerandom --num=20k --settle=1 --durability=sync >"$work/out" &&
		row '.write_amp > 1 and .run_disk_kb > 0 and .space_amp_run > 0.9 and .space_amp > 0.9' || return 1
	if [ "$(tail -n 1 "$work/rows" | jq .device_write_bytes)" = null ]
	then
		row '.host_write_amp == null'
	else
		row '.host_write_amp_all_in > 1 and .device_flushes > 0 and .read_ahead_kb != null'
	fi
}
ok 'write amplification is given for records, process and device' written_thrice

# A page of a file on ext4 is charged with its folio. What is handed to write() and what the device gets are known.
# marked: more is charged than the pages that the calls can have touched, and metadata
large_folios () {
	"$top/scripts/storage.sh" --dir="$work" --size=512Mi ext4 sh -c '"$1" --benchmarks=fillseqbatch,overwrite --num=100k --writes=50 \
		--durability=sync --json="$2" --db="$STORAGE_DIR/l"' sh "$top/bench_lmdb" "$work/folios.json" >"$work/out" || return 1
	jq -es '.[1] | .write_amp * .writes * 116 - .io_wchar_bytes | fabs < 1000' "$work/folios.json" &&
		jq -es '.[1] | .write_amp > 50 and .write_amp < 250 and .host_write_amp > .write_amp * 0.9 and
			(.io_write_overcharged == 1) == (.fs_out_per_write == null)' "$work/folios.json" &&
		jq -es '.[1] | (.io_write_overcharged == 1) == (.io_write_bytes > 1.1 * (.io_wchar_bytes + 8192 * .io_write_calls) + 1048576)' "$work/folios.json"
}
# what is written through a map nobody has counted
written_unseen () {
	bench lmdb --benchmarks=fillseqbatch --num=20k --writemap=1 >"$work/out" && row '.write_amp == null and .io_write_overcharged == null' &&
		bench lmdb --benchmarks=fillseqbatch --num=20k >"$work/out" && row '.write_amp > 0.9 and .write_amp < 20'
}
# read far ahead: said, in the summary too; not so if the engine has the kernel not do it
reads_ahead () {
	rm -f "$work/ahead.json"
	for ahead in 1 0
	do
		"$top/scripts/storage.sh" --dir="$work" --size=512Mi --read-ahead=4096 ext4 sh -c '"$1" --benchmarks=filluniquerandom,readrandom \
			--num=500k --reads=200 --cold=1 --json="$2" --db="$STORAGE_DIR/l" --readahead="$3"' sh "$top/bench_lmdb" \
			"$work/ahead.json" $ahead >"$work/out" || return 1
	done
	jq -es '(.[1].noise | test("KiB were read for each record, as the kernel reads 4096 KiB ahead")) and
		(.[3].noise // "" | test("were read for each") | not)' "$work/ahead.json" &&
		"$top/scripts/summary.sh" "$work/ahead.json" | grep 'doubtful: .*KiB were read for each record'
}
sweep_ahead () {
	"$top/scripts/storage.sh" --dir="$work" --size=128Mi --read-ahead=256 ext4 sh -c '"$1/scripts/sweep.sh" --out="$2" --engines=lmdb \
		--benchmarks=readrandom --threads=1 --num=1000 --read-ahead=4096 --databases="$STORAGE_DIR/db" &&
		[ "$(blockdev --getra "$STORAGE_DEVICE")" -eq 512 ]' sh "$top" "$work/ahead" >"$work/out" &&
		jq -es 'length > 0 and all(.[]; .read_ahead_kb == 4096)' "$work/ahead/results.json"
}
ok 'what is written through a map is in no write amplification' written_unseen
if [ "$(id -u)" -eq 0 ] && attached=$(losetup --find --show "$top/README.md" 2>"$work/err")
then
	losetup --detach "$attached"
	ok 'on a file system of large folios write_amp is what was written, and what the kernel charged is marked' large_folios
	ok 'sweep.sh sets the read-ahead of its device, and puts back what it was' sweep_ahead
	ok 'that the kernel read far ahead is said, and not where it did not' reads_ahead
else
	skip 'large folios and read-ahead' 'no loop device can be made here'
fi

# figures JQ: of the timeline's rows as objects, a truth
timeline () {
	jq -Rse 'split("\n") | map(split("\t")) | .[0] as $names | [.[1:-1][] | [$names, .] | transpose |
		map({(.[0]): (.[1] | if . == "" then null else tonumber? // . end)}) | add] | '"$1" "$work/timeline.tsv" >"$work/jq" ||
		{ echo "not true: $1"; cat "$work/timeline.tsv"; return 1; }
}
timelined () {
	rm -f "$work/timeline.tsv"
	bench lmdb --benchmarks=fillseqbatch,readwhilewriting --num=100k --threads=2 --duration=2.5 --warmup=0.5 \
		--timeline="$work/timeline.tsv" >"$work/out" || return 1
	ops=$(tail -n 1 "$work/rows" | jq .ops)
	reads=$(tail -n 1 "$work/rows" | jq .reads)
	writes=$(tail -n 1 "$work/rows" | jq .writes)
	# every operation is in some interval, of its thread and of all; and so are their times
	timeline "
		[.[] | select(.benchmark == \"readwhilewriting\")] as \$run | [\$run[] | select(.thread == \"all\")] as \$all |
		(\$all | map(.ops) | add) == $ops and (\$all | map(.write_ops) | add) == $writes and
		(\$all[1:] | map(.read_histogram | split(\" \") | map(split(\":\")[1] | tonumber) | add) | add) <= $reads and
		([\$run[] | select(.thread == 0 or .thread == 1) | .read_ops] | add) == $reads and
		([\$run[] | select(.thread == \"writer\") | .write_ops] | add) == $writes" &&
		timeline '[.[] | select(.benchmark == "readwhilewriting" and .thread == "all")] |
			length >= 2 and all(.[]; .read_p50_ns > 0 and .read_p99_ns >= .read_p50_ns and .read_max_ns >= .read_p99_ns * 0.99 and
				.cpu_s > 0 and .user_s > 0 and .rss_kb > 0 and .page_cache_kb > 0 and .io_write_bytes >= 0) and
			(map(.span_s) | add) - .[-1].at_s < 0.001 and .[0].span_s > 0.9 and .[-1].at_s > 2.4' &&
		fails 2 'begins with another header' "$top/bench_null" --timeline="$top/README.md" --benchmarks=readrandom
}
ok '--timeline has every operation, by second, kind and thread' timelined

host_known () {
	"$top/bench_null" --benchmarks=readrandom --duration=1.1 --json="$work/rows" >"$work/out" &&
		row '.steal_percent >= 0 and .others_cpu_percent >= 0 and .load_before >= 0 and .load_after >= 0 and .swappiness >= 0 and
			(.thp | length > 0)'
}
ok 'what the machine did besides is in the row' host_known

# Two processors' worth of somebody else.
disturbed () {
	for _ in $(seq "$(nproc)")
	do
		timeout 20 sh -c 'while :; do :; done' &
		echo $! >>"$work/busy"
	done
	"$top/bench_null" --benchmarks=readrandom --duration=1.5 --json="$work/rows" >"$work/out" 2>"$work/err"
	xargs kill <"$work/busy"
	cat "$work/err"
	grep -q 'doubtful figures: .*other processes and kernel threads used' "$work/err" && row '.valid == 1 and (.noise | test("other processes"))'
}
ok 'a disturbed run is measured and said to be doubtful' disturbed

# damon STATE: a second reading of a database of which nothing is in memory, where DAMON is so, in a mount namespace
damon () {
	unshare --mount sh -euc '
		here=/sys/kernel/mm/damon/admin/kdamonds/0
		mount -t tmpfs none /sys/kernel/mm
		mkdir -p "$here/contexts/0/schemes/0"
		echo "$1" >"$here/state"
		echo pageout >"$here/contexts/0/schemes/0/action"
		sync "$2"
		dd if="$2" iflag=nocache count=0
		shift 2
		exec "$@"' sh "$1" "$work/db-lmdb/data/data.mdb" \
		"$top/bench_lmdb" --db="$work/db-lmdb" --use_existing_db=1 --benchmarks=readseq --num=100k --json="$work/rows" >"$work/out" 2>&1 ||
		{ cat "$work/out"; return 1; }
}
pages_out () {
	bench lmdb --benchmarks=fillseqbatch --num=100k >"$work/out" &&
		damon on && row '.idle_reclaim == "damon"' &&
		if row '.filesystem != "tmpfs"'; then row '.noise | test("MiB came from the device, and the kernel pages out")'; fi &&
		damon off && row '(.idle_reclaim // "") == "" and (.noise // "" | test("pages out") | not)'
}
if unshare --mount mount -t tmpfs none /sys/kernel/mm 2>"$work/log"
then
	ok 'a row says that the kernel pages out what is idle, and is doubtful for what was read from the device' pages_out
else
	skip 'a row says that the kernel pages out what is idle' 'a mount namespace is not to be had here'
fi

counted () {
	"$top/bench_null" --benchmarks=readrandom --num=1m --json="$work/rows" >"$work/out" || return 1
	if [ "$(tail -n 1 "$work/rows" | jq .counters)" = null ]
	then
		row '.instructions == null and .instructions_per_op == null'
	else
		row '.instructions_per_op > 20 and .instructions_per_op < 2000'
	fi
}
ok 'the processor counters are there, or null' counted

# loads_and_reads ENGINE READS LIMIT: three rows
loads_and_reads () {
	: >"$work/rows"
	bench "$1" --num=320k --value_size=1000 --reads="$2" --memory="$3" --benchmarks=fillseqbatch,readrandom,readwhilewriting \
		>"$work/out" || { cat "$work/out"; return 1; }
}
# Without the limit the device is hardly read. Who makes another database cold drops the pages of this one, too, if he is
# root: so of up to five such runs one is enough.
hardly_read () {
	for _ in 1 2 3 4 5
	do
		loads_and_reads "$1" 100k 0 || return 1
		jq -es --slurpfile limited "$work/limited" 'length == 3 and all(.[]; .valid == 1 and .memory_limit_kb == null) and
			([., $limited] | map(map(if .reads > 0 then .io_read_bytes / .reads else null end)) |
				.[0][1] < .[1][1] / 5 and .[0][2] < .[1][2] / 5)' "$work/rows" && return
		jq -c '[.engine, .benchmark, .valid, .memory_limit_kb, .io_read_bytes, .reads]' "$work/limited" "$work/rows" || return 1
	done
	echo 'read each time, without a limit'
	return 1
}
# Five times more records than memory: the limit holds for all, and the device is read.
limited () {
	for engine in lmdb rocksdb leveldb wiredtiger bdb
	do
		[ -x "$top/bench_$engine" ] || continue
		# a fault of a mapped engine reads as much as the kernel reads ahead; readers must outlast the writer's beginning
		case $engine in
		lmdb | leveldb) reads=30 ;;
		*) reads=1000 ;;
		esac
		loads_and_reads $engine $reads 64Mi || return 1
		jq -es 'length == 3 and all(.[]; .valid == 1 and .memory_limit_kb == 65536 and .malloc_arenas == 1 and
				.cgroup_peak_kb <= 65536 and .cgroup_peak_kb > 32768) and
			all(.[1:][]; .io_read_bytes > 1000000)' "$work/rows" ||
			{ jq -c '[.engine, .benchmark, .valid, .cgroup_peak_kb, .io_read_bytes, .reads]' "$work/rows"; return 1; }
		mv "$work/rows" "$work/limited" && hardly_read $engine || return 1
	done
}
# What is given up half for the cache, an eighth for the memtable; and pages that others have read are read again.
budgets () {
	bench leveldb --memory=64Mi --num=10k --benchmarks=fillseqbatch >"$work/out" &&
		row '.cache_bytes == 33554432 and .write_buffer_bytes == 8388608' &&
		bench lmdb --num=64k --value_size=1000 --benchmarks=fillseqbatch,readrandom >"$work/out" &&
		bench lmdb --num=64k --value_size=1000 --benchmarks=readrandom --use_existing_db=1 --memory=512Mi >"$work/out" &&
		row '.io_read_bytes > 0 and .page_cache_kb > 32768'
}
# A cache that does not fit into the limit.
outgrown () {
	for engine in sqlite rocksdb
	do
		! bench $engine --memory=24Mi --cache_size=512Mi --write_buffer_size=512Mi --num=300k --benchmarks=fillseqbatch,readseq \
			--batch=300k >"$work/out" 2>"$work/err" && cat "$work/out" "$work/err" &&
			grep -q 'needs more memory than --memory allows' "$work/err" && grep -q 'INVALID' "$work/out" &&
			row '.valid == 0 and .partial == 1' || return 1
	done
}
groups () {
	find /sys/fs/cgroup -maxdepth 5 -name 'assay-*' 2>"$work/err" | sort
}
groups >"$work/groups"
# A new one whose process is no more, so that nobody will remove it.
leaves_no_group () {
	groups | comm -13 "$work/groups" - | while IFS= read -r group
	do
		pid=${group##*/assay-} pid=${pid#main-}
		[ -e "/proc/${pid%%-*}" ] || { echo "$group"; exit 1; }
	done
}
if ! memory_limits
then
	skip '--memory limits the page cache too' "$(tail -n 1 "$work/err")"
else
	ok '--memory limits caches and page cache alike: five times more records than memory' limited
	ok 'half of it is for the cache, and nothing was there before' budgets
	ok 'an engine that outgrows it is said to' outgrown
	ok 'and no control group is left behind' within 10 leaves_no_group
fi
ok '--memory and --isolate need a child process' fails 2 'leave out --supervise=0' "$top/bench_null" --memory=1Gi --supervise=0

# A compaction works in the engine's own threads, beside the one that waits for it.
compacts_beside () {
	bench rocksdb --benchmarks=filluniquerandom,compact --num=100k >"$work/out" && row '.bg_cpu_s > .fg_cpu_s and .valid == 1'
}
ok 'the CPU time of a compaction is the background, that of waiting for it is not' compacts_beside

# The parent writes the row of a child that died: what ran, and when it began.
dead_row () {
	rm -f "$work/rows"
	"$top/bench_null" --benchmarks='fill100K,readrandom[X9]' --num=2000 --duration=1 --json="$work/rows" >"$work/out" 2>&1 &
	within 60 awk 'END { exit NR < 2 }' "$work/rows"
	sleep 0.3 # the next one is under way, which takes a second
	pkill -KILL -P $!
	exits 1 $!
	row '.valid == 0 and .durability == "async" and .value_size == 100000 and .repeat > 1'
}
ok 'the row of a benchmark that was killed says what ran' dead_row
