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
			--benchmarks=readrandom --num=100 --intkey=1
	sed -i 's/^engine lmdb$/engine other/' "$work/db-lmdb/assay.db" || return 1
	fails 2 'holds a database of bench_other' "$top/bench_lmdb" --db="$work/db-lmdb" --benchmarks=fillseq --num=10
	status=$?
	sed -i 's/^engine other$/engine lmdb/' "$work/db-lmdb/assay.db"
	return $status
}
ok 'a database of another size, shape or engine is refused' another_database

in_use () {
	"$top/bench_lmdb" --db="$work/db-lmdb" --benchmarks=fillseqbatch,readrandom --num=1000 --duration=20 >"$work/out" &
	other=$!
	for _ in 1 2 3 4 5 6 7 8 9 10
	do
		sleep 0.2
		! grep -q fillseqbatch "$work/out" || break
	done
	fails 2 'in use by another process' "$top/bench_lmdb" --db="$work/db-lmdb" --benchmarks=fillseq --num=10
	status=$?
	kill -INT $other
	wait $other
	return $status
}
ok 'a database in use is refused' in_use

map_full () {
	fails 1 'MDB_MAP_FULL.*--mapsize' "$top/bench_lmdb" --db="$work/db-lmdb" --json="$work/rows" \
		--benchmarks=fillseqbatch --num=100k --mapsize=1Mi &&
		grep -q 'INVALID: no room' "$work/stdout" &&
		row '.valid == 0 and .partial == 1 and .errors == 1 and .ops > 0 and .ops < 100000' || return 1
	stored=$(tail -n 1 "$work/rows" | jq .ops)
	contents 100k "$stored"
}
ok 'a full map ends the run with its reason; what was counted is there' map_full

no_room_on_device () {
	fails 1 'o space left on' "$top/bench_lmdb" --db="$work/small/db" --json="$work/rows" \
		--benchmarks=fillseqbatch --num=1m --batch=100 --check_space=0 &&
		row '.valid == 0 and .partial == 1 and .ops < 1000000'
}
mkdir "$work/small"
if mount -t tmpfs -o size=8m none "$work/small" 2>"$work/mount"
then
	mounted=$work/small
	ok 'a full device ends the run with its reason' no_room_on_device
	umount "$mounted" && mounted=
else
	skip 'a full device ends the run with its reason' 'this user may not mount'
fi

map_grows () {
	bench lmdb --benchmarks=fillseqbatch,overwrite,fillrandbatch --num=30k --value_size=3000 >"$work/out" &&
		row '.valid == 1' && bench lmdb --benchmarks=fillseq --num=3 --value_size=20m >"$work/out" && row '.valid == 1'
}
ok 'nobody meets a full map by accident, nor large values a crash' map_grows

interrupt () {
	"$top/bench_lmdb" --db="$work/db-lmdb" --benchmarks=fillseq,readrandom --num=100m --json="$work/rows" \
		>"$work/out" 2>"$work/err" &
	child=$!
	sleep 1
	kill -"$1" $child
	wait $child
	status=$?
	echo "exit status $status"
	[ $status -eq "$2" ] && grep -q 'INVALID: interrupted' "$work/out" || return 1
	row '.partial == 1 and .valid == 0 and .ops > 0 and .ops < 100000000' || return 1
	done_=$(tail -n 1 "$work/rows" | jq .ops)
	contents 100m "$done_"
}
ok 'Ctrl-C ends a load cleanly: partial, and all that was counted is there' interrupt INT 130
ok 'and so does SIGTERM' interrupt TERM 143

killed () {
	"$top/bench_lmdb" --db="$work/db-lmdb" --benchmarks=fillseq --num=100m >"$work/out" 2>&1 &
	child=$!
	sleep 1
	kill -KILL $child
	wait $child 2>"$work/wait"
	bench lmdb --use_existing_db=1 --benchmarks=readseq --num=100m --verify=1 >"$work/out" && row '.ops > 0 and .wrong == 0' &&
		bench lmdb --benchmarks=fillseq,readrandom --num=1000 >"$work/out" && row '.found == 1000'
}
ok 'after kill -9 the database opens and can be filled again' killed

missing_is_void () {
	bench lmdb --benchmarks=fillseqbatch,deleteseq --num=1000 >"$work/out" || return 1
	for benchmark in deleteseq readrandom
	do
		sed -i 's/^complete 0$/complete 1/' "$work/db-lmdb/assay.db"
		! bench lmdb --use_existing_db=1 --benchmarks=$benchmark --num=1000 >"$work/out" || return 1
		row '.valid == 0 and .missing == 1000' && grep 'INVALID: 1000 records were missing' "$work/out" || return 1
	done
}
ok 'a record that must be there and is not makes the row void' missing_is_void

other_header () {
	echo 'not our columns' >"$work/other.tsv"
	fails 2 'begins with another header' "$top/bench_null" --benchmarks=readrandom --num=10 --tsv="$work/other.tsv" &&
		[ "$(cat "$work/other.tsv")" = 'not our columns' ]
}
ok 'a TSV file of other columns is refused and left as it is' other_header

quiet_in_pipe () {
	"$top/bench_null" --benchmarks=readrandom --duration=1.2 >"$work/out" 2>"$work/err" && ! grep -v 'doubtful figures' "$work/err"
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

dies () {
	"$top/bench_null" --benchmarks=readrandom --duration=30 --json="$work/rows" >"$work/out" 2>"$work/err" &
	parent=$!
	sleep 0.7
	pkill -"$1" -P $parent
	wait $parent
	status=$?
	cat "$work/out" "$work/err"
	[ $status -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q "^bench_null: readrandom: null engine died of $2 after [0-9]* operations; likely cause: " \
		"$work/err" && row '.valid == 0 and .partial == 1 and .ops > 0 and (.void_because | test("died of"))'
}
ok 'an engine that dies leaves a line and a void row, and exit 1' dies ABRT Aborted
ok 'and so does one that is killed' dies KILL Killed

hangs () {
	: >"$work/rows"
	fails 1 'null engine hung after [0-9]* operations' "$top/bench_null" --benchmarks=readrandom --null_stall_every=1000 \
		--null_stall_ms=3600000 --hang_timeout=1 --json="$work/rows" && row '.valid == 0 and .partial == 1'
}
ok 'and one that hangs' hangs

dies_with_parent () {
	"$top/bench_null" --benchmarks=readrandom --duration=30 >"$work/out" 2>&1 &
	parent=$!
	sleep 0.5
	child=$(pgrep -P $parent)
	kill -KILL $parent
	wait $parent 2>"$work/wait"
	for _ in 1 2 3 4 5 6 7 8 9 10
	do
		# gone, or waiting for init to notice
		grep -q '^State:[^Z]*$' "/proc/$child/status" 2>"$work/gone" || return 0
		sleep 0.1
	done
	return 1
}
ok 'nobody is left when the parent is killed' dies_with_parent
