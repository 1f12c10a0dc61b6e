# faults.sh: nothing foreign is deleted, failures are said, and the defects of the peers are not ours.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

foreign_directory () {
	mkdir -p "$work/foreign"
	echo precious >"$work/foreign/file"
	fails 2 'is not empty and has no assay.db' "$top/bench_lmdb" --db="$work/foreign" --benchmarks=fillseq --num=10 &&
		fails 2 'is not a database that assay made' "$top/bench_lmdb" --db="$work/foreign" --benchmarks=readseq \
			--use_existing_db=1 &&
		[ "$(cat "$work/foreign/file")" = precious ] && [ "$(ls "$work/foreign")" = file ]
}
ok 'a directory without our marker is refused and left as it is' foreign_directory

foreign_file_beside () {
	bench lmdb --benchmarks=fillseq --num=10 >"$work/out" && echo precious >"$work/db-lmdb/mine" &&
		bench lmdb --benchmarks=fillseq --num=10 >"$work/out" && [ "$(cat "$work/db-lmdb/mine")" = precious ]
}
ok 'a file that was put beside the database survives the next fill' foreign_file_beside

# refused PATTERN DATABASE: with and without --use_existing_db, and what is below $work/theirs stays as it is
refused () {
	before=$(find "$work/theirs" -type f -exec cksum '{}' + | sort)
	fails 2 "$1" "$top/bench_lmdb" --db="$2" --use_existing_db=1 --benchmarks=overwrite --num=1000 &&
		fails 2 "$1" "$top/bench_lmdb" --db="$2" --benchmarks=fillseq --num=1000 &&
		[ "$before" = "$(find "$work/theirs" -type f -exec cksum '{}' + | sort)" ]
}
loaded () {
	rm -rf "$1" && "$top/bench_lmdb" --db="$1" --benchmarks=fillseqbatch --num=1000 >"$work/out"
}
links_refused () {
	loaded "$work/theirs/db" && loaded "$work/mine" && mv "$work/mine/data/data.mdb" "$work/mine.mdb" || return 1
	ln -s "$work/theirs/db/data/data.mdb" "$work/mine/data/data.mdb"
	refused 'data.mdb is a symbolic link' "$work/mine" || return 1
	rm -r "$work/mine/data" && ln -s "$work/theirs/db/data" "$work/mine/data" && refused 'mine/data is a symbolic link' "$work/mine" || return 1
	loaded "$work/mine" && mv "$work/mine/assay.db" "$work/mine.marker" && ln -s "$work/mine.marker" "$work/mine/assay.db" &&
		refused 'assay.db is a symbolic link' "$work/mine" && rm -r "$work/mine" || return 1
	# a name that its owner made for his own directory
	loaded "$work/mine" && ln -s mine "$work/by-name" && "$top/bench_lmdb" --db="$work/by-name" --use_existing_db=1 \
		--benchmarks=readrandom --num=1000 >"$work/out"
}
ok 'links among the files of a database are refused, and what they lead to is left as it is' links_refused

owners_refused () {
	for file in . assay.db data data/data.mdb
	do
		loaded "$work/theirs/db" && chown nobody "$work/theirs/db/$file" && refused 'belongs to another user' "$work/theirs/db" || return 1
	done
	mkdir "$work/tmp" && loaded "$work/tmp/assay-0/lmdb" && chown -R nobody "$work/tmp/assay-0/lmdb" || return 1
	for default in owner above writable
	do
		case $default in
		above) chown -R 0 "$work/tmp/assay-0" && chown nobody "$work/tmp/assay-0" || return 1 ;;
		writable) chown 0 "$work/tmp/assay-0" && chmod 777 "$work/tmp/assay-0" || return 1 ;;
		esac
		TMPDIR="$work/tmp" fails 2 'belongs to another\|can be written by other' "$top/bench_lmdb" --use_existing_db=1 \
			--benchmarks=overwrite --num=1000 || return 1
	done
	rm -r "$work/tmp/assay-0" && ln -s "$work/mine" "$work/tmp/assay-0" && TMPDIR="$work/tmp" fails 2 'is a symbolic link' \
		"$top/bench_lmdb" --benchmarks=fillseq --num=1000 && rm "$work/tmp/assay-0" &&
		TMPDIR="$work/tmp" "$top/bench_lmdb" --benchmarks=fillseq --num=1000 >"$work/out" &&
		[ "$(stat -c %a "$work/tmp/assay-0")" = 700 ]
}
if [ "$(id -u)" -eq 0 ]
then
	ok "another user's directory, marker or files are refused, in the default directory, too" owners_refused
else
	skip "another user's directory, marker or files are refused" 'only root can give files away'
fi

unwritable () {
	fails 2 'cannot make' "$top/bench_lmdb" --db=/proc/nowhere --benchmarks=fillseq --num=10
}
ok 'a --db that cannot be made is said' unwritable

# dbbench deletes all of $TEST_TMPDIR, cuts --db at a blank, and smashes its stack with a long one.
temporary_directory () {
	mkdir -p "$work/tmp dir"
	echo precious >"$work/tmp dir/file"
	TMPDIR="$work/tmp dir" TEST_TMPDIR="$work/tmp dir" "$top/bench_lmdb" --benchmarks=fillseq --num=10 >"$work/out" &&
		[ "$(cat "$work/tmp dir/file")" = precious ]
}
ok 'what is in TMPDIR stays (dbbench wipes it)' temporary_directory
blank_in_path () {
	mkdir -p "$work/x" && echo precious >"$work/precious" && cd "$work" &&
		"$top/bench_lmdb" --db="$work/x/a precious" --benchmarks=fillseq,readseq --num=10 >"$work/out" &&
		[ "$(cat "$work/precious")" = precious ] && [ -d "$work/x/a precious" ]
}
ok 'a blank in --db is part of it' blank_in_path
long_path () {
	long=$(printf '%0200d/%0200d' 0 0)
	"$top/bench_lmdb" --db="$work/$long" --benchmarks=fillseq --num=10 >"$work/out" || return 1
	fails 2 'too long' "$top/bench_lmdb" --db="$(printf '/%05000d' 0)" --benchmarks=fillseq
}
ok 'a --db of 400 characters works, one of 5000 is refused' long_path

reads_keep_database () {
	bench lmdb --benchmarks=fillseq --num=100 >"$work/out" || return 1
	before=$(cksum <"$work/db-lmdb/data/data.mdb")
	fails 2 'needs a database' "$top/bench_lmdb" --db="$work/db-lmdb" --benchmarks=readrandom --num=100 &&
		[ "$before" = "$(cksum <"$work/db-lmdb/data/data.mdb")" ]
}
ok 'a read never empties a database (dbbench does)' reads_keep_database

# options after --benchmarks count, and nothing runs twice
order_of_options () {
	rm -f "$work/rows"
	"$top/bench_null" --benchmarks=readrandom --threads=2 --num=100 --json="$work/rows" >"$work/out" || return 1
	[ "$(wc -l <"$work/rows")" -eq 1 ] && row '.threads == 2 and .ops == 200'
}
ok 'options after --benchmarks count, and nothing runs twice' order_of_options

another_database () {
	bench lmdb --benchmarks=fillseqbatch --num=100 >"$work/out" || return 1
	fails 2 'holds 100 records, not 200' "$top/bench_lmdb" --db="$work/db-lmdb" --use_existing_db=1 \
		--benchmarks=readrandom --num=200 &&
		fails 2 'made with value_size 100, not 50' "$top/bench_lmdb" --db="$work/db-lmdb" --use_existing_db=1 \
			--benchmarks=readrandom --num=100 --value_size=50 &&
		fails 2 'made with key_size' "$top/bench_lmdb" --db="$work/db-lmdb" --use_existing_db=1 \
			--benchmarks=readrandom --num=100 --intkey=1 || return 1
	sed -i 's/^engine lmdb$/engine other/' "$work/db-lmdb/assay.db" || return 1
	status=0
	fails 2 'holds a database of bench_other' "$top/bench_lmdb" --db="$work/db-lmdb" --benchmarks=fillseq --num=10 || status=$?
	sed -i 's/^engine other$/engine lmdb/' "$work/db-lmdb/assay.db"
	return $status
}
ok 'a database of another size, shape or engine is refused' another_database

in_use () {
	rm -f "$work/out"
	"$top/bench_lmdb" --db="$work/db-lmdb" --benchmarks=fillseqbatch,readrandom --num=1000 --duration=600 >"$work/out" &
	other=$!
	status=0
	within 60 grep -q fillseqbatch "$work/out" && fails 2 'in use by another process' "$top/bench_lmdb" --db="$work/db-lmdb" --benchmarks=fillseq --num=10 || status=$?
	kill -INT $other
	exits 130 $other || status=$?
	return $status
}
ok 'a database in use is refused' in_use

map_full () {
	fails 1 'MDB_MAP_FULL.*--mapsize' "$top/bench_lmdb" --db="$work/db-lmdb" --json="$work/rows" \
		--benchmarks=fillseqbatch --num=100k --mapsize=1Mi &&
		grep -q 'INVALID: MDB_MAP_FULL' "$work/stdout" &&
		row '.valid == 0 and .partial == 1 and .errors == 1 and .ops > 0 and .ops < 100000' || return 1
	stored=$(tail -n 1 "$work/rows" | jq .ops)
	contents 100k "$stored"
}
ok 'a full map ends the run with its reason; what was counted is there' map_full
aio_too_short () {
	"$top/bench_aio" --db="$work/db-aio" --benchmarks=fillseq --num=100 >"$work/out" && truncate -s 8k "$work/db-aio/data/records" &&
		fails 1 'cannot open the database: [0-9]* bytes are needed, and .*/records has 8192$' "$top/bench_aio" --db="$work/db-aio" \
			--use_existing_db=1 --benchmarks=readrandom --num=100
}
[ ! -x "$top/bench_aio" ] || ok 'records that do not fit in an existing file are refused by sizes' aio_too_short

no_room_on_device () {
	fails 1 'no disk space.*is full: free disk space' "$top/bench_lmdb" --db="$work/small/db" --json="$work/rows" \
		--benchmarks=fillseqbatch --num=1m --batch=100 --check_space=0 &&
		row '.valid == 0 and .partial == 1 and .ops < 1000000'
}
mkdir "$work/small"
if mount -t tmpfs -o size=8m none "$work/small" 2>"$work/mount"
then
	ok 'a full device ends the run with its reason' no_room_on_device
	umount "$work/small"
else
	skip 'a full device ends the run with its reason' 'this user may not mount'
fi

map_grows () {
	bench lmdb --benchmarks=fillseqbatch,overwrite,fillrandbatch --num=30k --value_size=3000 >"$work/out" &&
		row '.valid == 1' && bench lmdb --benchmarks=fillseq --num=3 --value_size=20m >"$work/out" && row '.valid == 1'
}
ok 'nobody meets a full map by accident, nor large values a crash' map_grows

# has_records DIRECTORY: the load of this LMDB is under way
has_records () {
	[ "$(stat -c %s "$1/data/data.mdb")" -gt 100000 ]
}
interrupt () {
	rm -rf "$work/db-lmdb"
	"$top/bench_lmdb" --db="$work/db-lmdb" --benchmarks=fillseq,readrandom --num=100m --json="$work/rows" \
		>"$work/out" 2>"$work/err" &
	child=$!
	within 60 has_records "$work/db-lmdb"
	# to the parent, or to the child alone
	if [ "$4" = parent ]
	then
		kill -"$1" $child
	else
		pkill -"$1" -P $child
	fi
	status=0
	wait $child || status=$?
	echo "exit status $status"
	[ $status -eq "$2" ] && grep -q 'INVALID: interrupted' "$work/out" && in_one_line "$work/err" &&
		grep -q "^bench_lmdb: interrupted by $3;" "$work/err" || return 1
	row '.partial == 1 and .valid == 0 and .ops > 0 and .ops < 100000000' || return 1
	done_=$(tail -n 1 "$work/rows" | jq .ops)
	contents 100m "$done_"
}
ok 'Ctrl-C ends a load cleanly: partial, and all that was counted is there' interrupt INT 130 Interrupt parent
ok 'and so does SIGTERM' interrupt TERM 143 Terminated parent
ok 'and either of them, sent to the child alone' interrupt INT 130 Interrupt child

killed () {
	rm -rf "$work/db-lmdb"
	"$top/bench_lmdb" --db="$work/db-lmdb" --benchmarks=fillseq --num=100m >"$work/out" 2>&1 &
	child=$!
	within 60 has_records "$work/db-lmdb"
	kill -KILL $child
	exits 137 $child
	! bench lmdb --use_existing_db=1 --benchmarks=readseq --num=100m --verify=1 >"$work/out" &&
		row '.ops > 0 and .wrong == 0 and .valid == 0 and (.invalid_reason | test("load of this database did not finish"))' &&
		bench lmdb --benchmarks=fillseq,readrandom --num=1000 >"$work/out" && row '.found == 1000 and .valid == 1'
}
ok 'after kill -9 the database opens, what is read of it is invalid, and it can be filled again' killed

missing_is_void () {
	bench lmdb --benchmarks=fillseqbatch,deleteseq --num=1000 >"$work/out" || return 1
	for benchmark in deleteseq readrandom
	do
		sed -i 's/^complete 0$/complete 1/' "$work/db-lmdb/assay.db"
		! bench lmdb --use_existing_db=1 --benchmarks=$benchmark --num=1000 >"$work/out" || return 1
		row '.valid == 0 and .missing == 1000' && grep 'INVALID: 1000 records were missing' "$work/out" || return 1
	done
}
ok 'a record that must be there and is not makes the row invalid' missing_is_void

other_header () {
	echo 'not our columns' >"$work/other.tsv"
	fails 2 'has another header' "$top/bench_null" --benchmarks=readrandom --num=10 --tsv="$work/other.tsv" &&
		[ "$(cat "$work/other.tsv")" = 'not our columns' ]
}
ok 'a TSV file of other columns is refused and left as it is' other_header

quiet_in_pipe () {
	"$top/bench_null" --benchmarks=readrandom --duration=1.2 >"$work/out" 2>"$work/err" && ! grep -v 'warning: ' "$work/err"
}
ok 'nothing but messages goes to stderr in a pipe' quiet_in_pipe

progress_on_terminal () {
	script -q -c "'$top/bench_null' --benchmarks=readrandom --duration=1.5" /dev/null >"$work/out" </dev/null &&
		grep -a 'readrandom: *[0-9]* %, [0-9]* ops/sec, [0-9]* s left' "$work/out" >"$work/progress"
}
if script -q -c true /dev/null >"$work/script" 2>&1 </dev/null
then
	ok 'a terminal sees progress, rate and time left' progress_on_terminal
else
	skip 'a terminal sees progress' 'script(1) cannot make a terminal here'
fi

# read_on: bench_null reads in the background until something happens to it; its number is in $parent, $child does the work
read_on () {
	rm -f "$work/report"
	"$top/bench_null" --benchmarks=readrandom --duration=60 --json="$work/rows" --report_file="$work/report" \
		--report_interval_seconds=0.1 >"$work/out" 2>"$work/err" &
	parent=$!
	within 60 grep -q '^[0-9]' "$work/report" && child=$(pgrep -P $parent)
}
dies () {
	read_on || return 1
	kill -"$1" "$child"
	status=0
	wait $parent || status=$?
	cat "$work/out" "$work/err"
	[ $status -eq 1 ] && in_one_line "$work/err" && grep -q "^bench_null: readrandom: null engine died of $2 after [0-9]* operations; likely cause: " \
		"$work/err" && row '.valid == 0 and .partial == 1 and .ops > 0 and (.invalid_reason | test("died of"))'
}
ok 'an engine that dies leaves a line and an invalid row, and exit 1' dies ABRT Aborted
ok 'and so does one that is killed' dies KILL Killed

# Nothing was measured: not what was done, nor its time.
in_warmup () {
	for signal in KILL INT
	do
		rm -f "$work/progress"
		"$top/bench_null" --benchmarks=readrandom --warmup=60 --duration=60 --json="$work/rows" --progress_file="$work/progress" >"$work/out" 2>"$work/err" &
		parent=$!
		within 60 is_working
		kill -$signal "$(pgrep -P $parent)"
		wait $parent || :
		cat "$work/err"
		row '.valid == 0 and .partial == 1 and .ops == 0'
		[ $signal = INT ] || row '.invalid_reason | test("died of Killed while warming up after 0 operations")'
	done
	row '.reads == 0 and .found == 0 and .seconds < 0.1 and .read_p50_ns == null and .user_s < 0.1'
	bench lmdb --benchmarks=fillseqbatch,mix --mix=insert:100 --warmup=60 --num=1000 --mapsize=4m >"$work/out" 2>&1 || :
	row '.valid == 0 and (.invalid_reason | test("MAP_FULL")) and .errors == 1 and .ops == 0 and .writes == 0 and .seconds == 0'
}
# is_working: a thread has done operations of some tenths of a second
is_working () {
	[ "$(od -An -t u8 -j "$(od -An -t u8 -N 8 "$work/progress")" -N 8 "$work/progress")" -gt 10000000 ]
}
ok 'what ends in its warm-up has no operations' in_warmup

hangs () {
	: >"$work/rows"
	fails 1 'null engine hung after [0-9]* operations' "$top/bench_null" --benchmarks=readrandom --null_stall_every=1000 \
		--null_stall_ms=3600000 --hang_timeout=1 --json="$work/rows" && row '.valid == 0 and .partial == 1'
}
ok 'and one that hangs' hangs

dies_with_parent () {
	read_on || return 1
	kill -KILL $parent
	exits 137 $parent
	within 20 gone "$child"
}
ok 'nobody is left when the parent is killed' dies_with_parent

# ---- a matrix of faults: each on two engines, and with long on all

# some_of ENGINES: those of them, or with long all, that are there
some_of () {
	for one in $(if [ -n "$long" ]; then make -s -C "$top" engines; else echo "$1"; fi)
	do
		[ "$one" = null ] || [ ! -x "$top/bench_$one" ] || echo "$one"
	done
}

# with LIMITS COMMAND...: under these limits, such as 'ulimit -n 8'
with () {
	sh -c "$1"' && shift && exec "$@"' sh "$@"
}

# a limit under which a command can open five more files, whatever the shell that runs the tests has passed on to it
few_files='n=0 free=5; while [ $free -gt 0 ]; do [ -e /proc/self/fd/$n ] || free=$((free - 1)); n=$((n + 1)); done; ulimit -n $n'

# ends STATUS PATTERN COMMAND...: it says so in one line, and leaves an invalid row that says the same
ends () {
	want=$1 pattern=$2
	shift 2
	rm -f "$work/rows" "$work/rows.tsv"
	got=0
	"$@" --json="$work/rows" --tsv="$work/rows.tsv" --check_space=0 --hang_timeout=10 >"$work/stdout" 2>"$work/stderr" || got=$?
	grep -v -e 'not fit for comparison' -e 'warning: ' -e 'Assertion .* failed' "$work/stderr" >"$work/said" || :
	echo "$*: exit status $got"
	cat "$work/stderr"
	[ $got -eq "$want" ] && [ "$(wc -l <"$work/said")" -eq 1 ] && grep -q -i -e "$pattern" "$work/said" &&
		row '.valid == 0 and (.invalid_reason | length > 0)' && grep -q INVALID "$work/stdout" &&
		[ "$(awk -F '\t' '{ print NF }' "$work/rows.tsv" | sort -u | wc -l)" -eq 1 ]
}

# full ENGINE ARGUMENTS...: on a small tmpfs of its own
full () {
	engine=$1
	shift
	mount -t tmpfs -o size=12m none "$work/small" || return 1
	status=0
	ends 1 "$words" "$top/bench_$engine" --db="$work/small/db" --cache_size=64Mi "$@" || status=$?
	umount "$work/small"
	return $status
}
fills_up () {
	words='no space\|no disk space\|is full'
	for engine in $(some_of 'lmdb rocksdb sqlite')
	do
		full "$engine" --benchmarks=fillrandom --num=1m --write_buffer_size=4Mi &&
			full "$engine" --benchmarks=fillseqbatch,readrandom --num=300k --batch=300k --write_buffer_size=4Mi || return 1
	done
	# what was loaded into memory alone
	words='cannot settle.*no disk space'
	full rocksdb --benchmarks=fillseqbatch --num=200k --durability=none --settle=1 --write_buffer_size=256Mi || return 1
	full bdb --benchmarks=fillseqbatch --num=200k --durability=none --settle=1 || return 1
	words='cannot close the database: no disk space'
	full bdb --benchmarks=fillseqbatch,open --num=100k --durability=none && row ".invalid_reason | test(\"$words\")"
}
opens_in_full () {
	status=0
	mount -t tmpfs -o size=8m none "$work/small"
	mkdir "$work/small/db"
	dd if=/dev/zero of="$work/small/other" bs=1k count=8184 status=none # and 8 KiB are left
	for engine in wiredtiger sqlite
	do
		ends 1 'cannot open the database: no disk space' "$top/bench_$engine" --db="$work/small/db" --benchmarks=fillseq \
			--num=1000 --check_space=0 || status=$?
		rm -r "$work/small/db"
	done
	umount "$work/small"
	return $status
}
settles_in_full () {
	status=0
	mount -t tmpfs -o size=100m none "$work/small" &&
		"$top/bench_sqlite" --db="$work/small/db" --benchmarks=filluniquerandom --num=50k --cache_size=8Mi >"$work/out" &&
		mount -o remount,size=$(($(du -sk "$work/small" | cut -f 1) + 256))k "$work/small" &&
		ends 1 'compact: no disk space.*is full' "$top/bench_sqlite" --db="$work/small/db" --use_existing_db=1 --benchmarks=compact --num=50k || status=$?
	umount "$work/small"
	return $status
}

# A device that ends before its file system does.
failing_device () {
	attached=
	status=0
	truncate -s 64M "$work/backing" && mkfs.ext4 -q -O ^has_journal -E lazy_itable_init=0,nodiscard "$work/backing" &&
		attached=$(losetup --find --show "$work/backing") && mount -o errors=continue "$attached" "$work/small" &&
		truncate -s 12M "$work/backing" && losetup --set-capacity "$attached" &&
		ends 1 "input/output error\|I/O error\|sync failed\|no space" "$top/bench_$1" --db="$work/small/db" \
			--benchmarks=fillseqbatch --num=300k --durability=sync --cache_size=64Mi || status=$?
	umount "$work/small"
	[ -z "$attached" ] || losetup --detach "$attached"
	rm -f "$work/backing"
	return $status
}
io_errors () {
	for engine in $(some_of 'lmdb leveldb sqlite')
	do
		failing_device "$engine" || return 1
	done
}

if mount -t tmpfs -o size=8m none "$work/small" 2>"$work/mount" && umount "$work/small"
then
	ok 'a device that fills up in a load, a batch, while settling or closing: one line, an invalid row' fills_up
	ok 'and in a compaction' settles_in_full
	ok 'and before the database is opened' opens_in_full
	if attached=$(losetup --find --show "$top/README.md" 2>"$work/err")
	then
		losetup --detach "$attached"
		ok 'a device that fails: one line, an invalid row' io_errors
	else
		skip 'a device that fails' "$(tail -n 1 "$work/err")"
	fi
else
	skip 'devices that fill up or fail' 'this user may not mount'
fi

# limits ENGINE: on the size of files, and on how many are open
limits () {
	rm -rf "$work/db-limits"
	case $1 in
	# these make another file when one is large enough
	rocksdb | leveldb) ;;
	*) ends 1 'a file may have [0-9]* bytes at most here (ulimit -f)' with 'ulimit -f 4096' "$top/bench_$1" --db="$work/db-limits" \
		--benchmarks=fillseqbatch --num=200k && ! grep 'died of' "$work/said" || return 1 ;;
	esac
	# one needs no more than the harness; the other waits for ever
	case $1 in aio | bdb) return 0 ;; esac
	ends 1 'only [0-9]* files may be open here (ulimit -n)' with "$few_files" "$top/bench_$1" --db="$work/db-limits" \
		--benchmarks=fillseqbatch --num=1000
}
limited_files () {
	for engine in $(some_of 'lmdb rocksdb sqlite')
	do
		limits "$engine" || return 1
	done
}
ok 'limits on the size and the number of files are said' limited_files
# here the lowest descriptors are taken
limited_files_beside () {
	limits lmdb 3</dev/null 4<&3 5<&3 6<&3 7<&3 8<&3
}
ok 'and in a shell that has more files open' limited_files_beside

limited_memory () {
	for limit in 250000 300000 350000
	do
		rm -rf "$work/db-limits"
		! with "ulimit -v $limit" "$top/bench_rocksdb" --db="$work/db-limits" --benchmarks=fillseqbatch --num=100k \
			--json="$work/rows" >"$work/stdout" 2>"$work/stderr" || continue
		grep -q 'died of' "$work/stderr" || continue
		cat "$work/stderr"
		grep -q "likely cause: a process may have $((limit * 1024)) bytes of address space at most here (ulimit -v)" "$work/stderr" &&
			row '.valid == 0 and (.invalid_reason | test("ulimit -v"))' || return 1
		return 0
	done
	echo 'nothing died'
	return 1
}
# Both ways of the kernel: a signal that says so, and one that does not.
limited_time () {
	rm -rf "$work/db-limits"
	for kind in -St -t
	do
		ends 1 'a process may use 1 s of CPU time at most here (ulimit -t)' with "ulimit $kind 1" "$top/bench_lmdb" --db="$work/db-limits" \
			--benchmarks=fillseqbatch,readrandom --num=1000 --duration=120 || return 1
	done
}
ok 'a limit on CPU time is said, too' limited_time

# On every engine: they have threads of their own.
limited_stack () {
	for engine in $(make -s -C "$top" engines)
	do
		rm -rf "$work/db-stack" "$work/rows"
		with 'ulimit -s 64' "$top/bench_$engine" --db="$work/db-stack" --benchmarks=fillseqbatch,readwhilewriting,mix,compact --num=3000 \
			--threads=2 --memory=0 --timeline="$work/stack.timeline" --json="$work/rows" >"$work/out" 2>"$work/err" &&
			jq -es 'length == 4 and all(.[]; .valid == 1)' "$work/rows" || return 1
	done
	ends 1 'null engine died of ' with 'ulimit -s 64' sh -c '"$@" & pid=$!; sleep 1; kill -ABRT $(pgrep -P $pid); wait $pid' sh \
		"$top/bench_null" --benchmarks=readrandom --duration=60
}
ok 'one on the stack is lived with' limited_stack
ok 'and one on memory, of which an engine dies' limited_memory

limited_threads () {
	ends 1 'cannot start thread [0-9]* of 32: .*ulimit' with 'ulimit -s 300000 && ulimit -v 4000000' "$top/bench_null" --threads=32 \
		--benchmarks=readrandom --num=10 --timeline="$work/timeline-threads" &&
		ends 1 'cannot start thread [0-9]* of 32: .*ulimit' with 'ulimit -s 300000 && ulimit -v 4000000' "$top/bench_sqlite" --threads=32 \
			--db="$work/db-threads" --benchmarks=fillrandom --num=1000
}
ok 'and one on threads' limited_threads

full_output () {
	fails 1 'standard output is incomplete: .*No space left' sh -c '"$1" --benchmarks=readrandom --num=10 >/dev/full' sh "$top/bench_null" &&
		fails 1 'json: cannot append.*File too large' with 'ulimit -f 64' "$top/bench_null" --benchmarks='readrandom[X9]' --num=10 \
			--json="$work/limited.json" && [ "$(jq -s 'map(.valid) | add == length' "$work/limited.json")" = true ]
}
ok 'results that cannot be written are said, and no part of a row is' full_output

torn_rows () {
	rm -f "$work/torn.json" "$work/torn.tsv" "$work/torn.timeline"
	for round in 1 2 3
	do
		"$top/bench_null" --benchmarks=readrandom,readseq --num=1000 --json="$work/torn.json" --tsv="$work/torn.tsv" \
			--timeline="$work/torn.timeline" >"$work/out" || return 1
		[ $round -ne 3 ] || break
		for file in "$work/torn.json" "$work/torn.tsv" "$work/torn.timeline"
		do
			truncate -s -99 "$file"
		done
		"$top/scripts/table.sh" "$work/torn.json" >"$work/out" && "$top/scripts/summary.sh" "$work/torn.json" >"$work/out" || return 1
	done
	[ "$(jq -s 'length' "$work/torn.json")" -eq 4 ] && [ "$(wc -l <"$work/torn.tsv")" -eq 5 ] &&
		awk -F '\t' 'FNR > 1 && NF != n { exit 1 } { n = NF }' "$work/torn.tsv" "$work/torn.timeline" 2>"$work/awk"
}
ok 'a row that a crash has cut short spoils neither those before nor those after' torn_rows

# A library that steps the clock of the day back two hours, and then forth a day.
make_stepping_clock () {
	cat >"$work/step.c" <<-'END'
		#define _GNU_SOURCE
		#include <sys/syscall.h>
		#include <sys/time.h>
		#include <time.h>
		#include <unistd.h>

		static struct timespec start;

		__attribute__((constructor)) static void begin(void)
		{
			syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &start);
		}

		int clock_gettime(clockid_t id, struct timespec *t)
		{
			struct timespec now;
			int rc = (int)syscall(SYS_clock_gettime, id, t);
			double run;

			syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
			run = (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9;
			if (!rc && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
				t->tv_sec += run > 0.6 ? 86400 : run > 0.3 ? -7200 : 0;
			return rc;
		}

		time_t time(time_t *to)
		{
			struct timespec t;

			clock_gettime(CLOCK_REALTIME, &t);
			return to ? *to = t.tv_sec : t.tv_sec;
		}

		int gettimeofday(struct timeval *to, void *zone)
		{
			struct timespec t;

			(void)zone;
			clock_gettime(CLOCK_REALTIME, &t);
			*to = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
			return 0;
		}
	END
	${CC:-cc} -shared -fPIC -o "$work/step.so" "$work/step.c"
}
stepped () {
	needs make_stepping_clock
	for engine in $(some_of 'lmdb leveldb')
	do
		for timer in auto monotonic
		do
			rm -f "$work/rows" "$work/timeline.tsv"
			LD_PRELOAD="$work/step.so" bench "$engine" --benchmarks=fillrandom,readrandom,readwhilewriting --num=1000 --duration=0.7 \
				--timer=$timer --timeline="$work/timeline.tsv" --timeline_interval=0.2 >"$work/out" || { cat "$work/out"; return 1; }
			jq -es 'all(.[]; .valid == 1 and .seconds > 0 and .seconds < 600 and .read_max_ns < 6e11 and .longest_stall_ms < 6e5) and
				(.[2].time | fromdate) - (.[0].time | fromdate) > 50000' "$work/rows" &&
				awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
					NR > 1 && !($column["span_s"] > 0 && $column["span_s"] < 600) { exit 1 }' "$work/timeline.tsv" || return 1
		done
	done
}
ok 'no figure follows a step of the clock of the day, only the date of a row' stepped

# Sweeps whose runs, or which themselves, come to an end before their time.
sweep_it () {
	"$top/scripts/sweep.sh" --out="$work/swept" --engines=lmdb,sqlite --benchmarks=readrandom --threads=1,2 --num=2000 --duration=0.7 \
		>"$work/out" 2>"$work/err"
}
# begun PATTERN: wait for the child of such a run, whose number is in $run then
begun () {
	for _ in $(seq 200)
	do
		parent=$(pgrep -o -f "^[./]*bench_[a-z]* --db=$work/swept/db/$1") && run=$(pgrep -P "$parent") && return
		sleep 0.05
	done
	return 1
}
resumes () {
	status=0
	sweep_it || status=$?
	cat "$work/err"
	[ $status -eq 0 ] && jq -es 'length == 6 and all(.[]; .valid == 1) and
		(map([.label, .benchmark, .threads]) | unique | length == 6)' "$work/swept/results.json" &&
		[ "$(awk -F '\t' '{ print NF }' "$work/swept/results.tsv" | sort | uniq -c | awk '{ print $1 }')" = 7 ]
}
run_killed () {
	rm -rf "$work/db-lmdb"
	rm -rf "$work/swept"
	sweep_it &
	sweep=$!
	begun 'lmdb .*--benchmarks=readrandom' && kill -KILL "$run" || return 1
	status=0
	wait $sweep || status=$?
	cat "$work/err"
	[ $status -eq 1 ] && grep -q 'readrandom: LMDB died of Killed' "$work/err" && resumes
}
# killed in the load: what was read of it is invalid, and is read again
load_killed () {
	rm -rf "$work/db-lmdb"
	rm -rf "$work/swept"
	mkdir -p "$work/swept/db"
	"$top/bench_lmdb" --db="$work/swept/db/lmdb" --benchmarks=fillseq --num=100m >"$work/out" 2>&1 &
	within 60 has_records "$work/swept/db/lmdb"
	kill -KILL $!
	exits 137 $!
	! bench lmdb --db="$work/swept/db/lmdb" --use_existing_db=1 --benchmarks=readrandom --num=2000 --reads=10 >"$work/out" &&
		row '.valid == 0 and (.invalid_reason | test("load of this database"))' && resumes
}
sweep_ended () {
	rm -rf "$work/swept"
	env --default-signal=INT setsid "$top/scripts/sweep.sh" --out="$work/swept" --engines=lmdb,sqlite --benchmarks=readrandom \
		--threads=1,2 --num=2000 --duration=0.7 >"$work/out" 2>"$work/err.$1" &
	sweep=$!
	begun 'lmdb .*--benchmarks=readrandom' || return 1
	fails 1 'uses .*; wait for its end' "$top/scripts/sweep.sh" --out="$work/swept" --engines=lmdb,sqlite --benchmarks=readrandom --threads=1,2 \
		--num=2000 --duration=0.7 || return 1
	/bin/kill -s "$1" -- "$2$sweep"
	status=0
	wait $sweep || status=$?
	cat "$work/err.$1"
	[ $status -eq "$3" ] && in_one_line "$work/err.$1" && grep -q 'interrupted; start it again' "$work/err.$1" &&
		! pgrep -f "bench_[a-z]* --db=$work/swept/db" && resumes
}
ok 'a sweep of which a run is killed goes on, and is completed when started again' run_killed
ok 'and if the load was killed' load_killed
ok 'Ctrl-C ends a sweep and its run; no other begins meanwhile; it is completed when started again' sweep_ended INT - 130
ok 'SIGTERM to the script alone does, too' sweep_ended TERM '' 143
