# instruments.sh: rows held against instruments of another kind: a library preloaded around
# each engine's calls that has a clock of its own (test/instruments), strace, the kernel's
# counters read from outside. A busy machine moves both sides.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

instruments=$top/build/instruments

# load ENGINE RECORDS: a database that is there for all of an engine's runs
load () {
	"$top/bench_$1" --db="${place:-$work}/db-$1" --num="$2" \
		--benchmarks=fillseqbatch >"$work/out"
}

# pairs: row and what was seen of it, for each benchmark, to $work/pairs
pairs () {
	"$instruments/read_recording" "$work/recording" ${how:+"$how"} >"$work/seen" &&
		jq -n --slurpfile row "$work/watched" --slurpfile seen "$work/seen" \
			'[$row, $seen] | transpose[] | {row: .[0], seen: .[1]}' >"$work/pairs" &&
		[ -s "$work/pairs" ]
}

# watch ENGINE SLOW ARGUMENTS...: run with the instrument before it, calls made slow such as
# read=100000 (nanoseconds)
watch () {
	watched=$1 slow=$2
	shift 2
	rm -f "$work/recording" "$work/watched"
	INSTRUMENT=$work/recording INSTRUMENT_SLOW=$slow LD_PRELOAD=$instruments/$watched.so \
		${around-} "$top/bench_$watched" --db="${place:-$work}/db-$watched" \
		--use_existing_db=1 --json="$work/watched" "$@" >"$work/out" && pairs
}

# hold: the rows and what was seen of them are of one mind (gojq splits an empty text into one)
hold () {
	command jq -r --arg slow "$slow" --arg device "${INSTRUMENT_DEVICE-}" \
		-f "$top/test/instruments/hold.jq" "$work/pairs" >"$work/apart" || return 1
	cat "$work/apart"
	[ ! -s "$work/apart" ]
}

# What the drivers make of one call each. A deletion of bench_aio is a read and a write, its
# iterations read many at once; bench_tkrzw collects a batch, and makes one call of it.
benchmarks_of () {
	case $1 in
	aio) echo readrandom,overwrite,overwritebatch,updaterandom,readwhilewriting ;;
	tkrzw) echo readrandom,overwrite,updaterandom,readseq,readwhilewriting,deleterandom ;;
	*) echo readrandom,overwrite,overwritebatch,updaterandom,readseq,readwhilewriting,\
deleterandom ;;
	esac
}

# calls ENGINE SLOW OPERATIONS: latencies and counts of each kind of call
calls () {
	load "$1" "${4-20k}" && watch "$1" "$2" --num="${4-20k}" --reads="$3" --writes="$3" \
		--benchmarks="$(benchmarks_of "$1")" --threads=2 --batch_size=100 && hold
}

# joined ENGINE BENCHMARK HOW OPERATIONS: operations of several calls, as `read` is told to join them
joined () {
	how=$3
	watch "$1" '' --num=20k --benchmarks="$2" --seek_nexts=10 --batch_size=10 \
		--reads="$4" --threads=2 && hold
}

all_slow=read=2000000,write=2000000,remove=2000000,seek=2000000,next=2000000

# rates ENGINE SLOW SECONDS THREADS: one of five runs ends in time, whatever a busy machine does
rates () {
	for _ in 1 2 3 4 5
	do
		watch "$1" "$2" --num="${5-20k}" --benchmarks=readrandom --duration="$3" \
			--threads="$4" || return 1
		# another program may hold a thread back at the end of a second
		hold && jq -e --argjson seconds "$3" '(.seen.seconds | length) >= ($seconds | floor) and
			.row.seconds < $seconds + 0.15 + .seen.slack_ns / 1e9' "$work/pairs" && return
	done
	return 1
}

# CPU time and memory, which another process looks at while it runs.
outside () {
	around="$instruments/sample_process $work/outside"
	watch "$1" '' --num=20k --benchmarks=readrandom --duration=2 --threads=2 --supervise=0 ||
		return
	jq --slurpfile watched "$work/outside" '. + {watched: $watched}' "$work/pairs" >"$work/all" &&
		jq -r -f "$top/test/instruments/outside.jq" "$work/all" >"$work/apart" || return 1
	cat "$work/apart"
	[ ! -s "$work/apart" ]
}

# shellcheck source=/dev/null
. "$top/test/traced.sh"

# In a file system of its own, whose device nobody else uses: what came to be written at each level.
on_storage () {
	"$top/scripts/storage.sh" --size=512Mi --dir="$work" "$1" sh -c '
		echo "$STORAGE_DIR $STORAGE_DEVICE" >"$0/storage"
		until [ -e "$0/storage-over" ]; do sleep 0.1; done' "$work" &
	storage=$!
	within 120 [ -s "$work/storage" ] || return 1
	read -r place device <"$work/storage"
	INSTRUMENT_DEVICE=/sys/block/$(basename "$device")/stat
	export INSTRUMENT_DEVICE
}
off_storage () {
	: >"$work/storage-over"
	wait "$storage"
	status=$?
	rm -f "$work/storage" "$work/storage-over"
	unset INSTRUMENT_DEVICE
	place=
	return $status
}

# levels ENGINE DURABILITY: what the device did is within what its counters say, and write_amp
# is of what was handed to the kernel.
levels () {
	load "$1" 20k && watch "$1" '' --num=20k --benchmarks=overwrite --writes=500 \
		--durability="$2" && hold || return 1
	jq -c '(.seen | {handed, wchar, write_bytes, device_write_bytes}),
		(.row | {writes, write_amp, host_write_amp, fs_out_per_write})' "$work/pairs"
	jq -r -f "$top/test/instruments/levels.jq" "$work/pairs" >"$work/apart" || return 1
	cat "$work/apart"
	[ ! -s "$work/apart" ]
}

# The size of the files when all is over, as stat has it.
sizes () {
	watch "$1" '' --num=20k --benchmarks=overwrite --writes=2k || return 1
	find "${place:-$work}/db-$1/data" -type f -printf '%s %b\n' |
		awk '{ size += $1; blocks += $2 }
			END { printf "%.0f %.0f\n", size / 1024, blocks / 2 }' >"$work/sizes"
	read -r apparent disk <"$work/sizes"
	echo "stat says $apparent and $disk KiB"
	jq -e --argjson apparent "$apparent" --argjson disk "$disk" '
		.row | {db_apparent_kb, db_disk_kb} | ., (.db_apparent_kb - $apparent | fabs <= 1) and .db_disk_kb == $disk' "$work/pairs"
}

instrumented () {
	ok "$1: counts are those of its calls, latencies between what these took and the time between them" \
		calls "$1" '' 20k
	ok "$1: and so when each call takes 2 ms, which is all there is then, within 1 %" \
		calls "$1" "$all_slow" 500 1k
	load "$1" 20k
	[ "$1" = aio ] || ok "$1: a range read is its seek and the records after it" \
		joined "$1" seekrandom --ranges 2k
	ok "$1: a multi-get is its reads" joined "$1" multireadrandom --groups=10 20k
	ok "$1: each second of rates has what ended in it, at calls of 1 us" \
		rates "$1" read=1000 4.2 2
	ok "$1: and at calls of 100 ms" rates "$1" read=100000000 4.2 4
	ok "$1: CPU time and memory are what another process sees of them" outside "$1"
	ok "$1: the syncs are those that strace sees" syncs_traced "$1"
	ok "$1: the size of the files is what stat says" sizes "$1"
}

on_devices () {
	for word in sync async
	do
		ok "$1: what is written at each level, $word on ext4" levels "$1" $word
	done
}

if [ -n "$long" ]
then
	engines=
	for engine in ${ENGINES:-$(make -s -C "$top" engines)}
	do
		if [ -e "$top/test/instruments/$engine.c" ]
		then
			engines="$engines $engine"
			instrumented "$engine"
		elif [ "$engine" != null ]
		then
			skip "$engine: its calls" 'there is no instrument for it'
		fi
	done
	if on_storage ext4 2>"$work/err"
	then
		for engine in $engines
		do
			on_devices "$engine"
		done
		off_storage
		ok 'the file system is gone again' [ $? -eq 0 ]
	else
		skip 'what is written at each level' "$(tail -n 1 "$work/err")"
	fi
else
	on_loaded () {
		needs load lmdb 200
		"$@"
	}
	ok 'the instrument works: calls of 2 ms and what a row says of them' \
		calls lmdb "$all_slow" 200 200
	ok 'and of calls of 100 ms, second by second' on_loaded rates lmdb read=100000000 2.2 4 200
	ok 'and strace sees the syncs' on_loaded syncs_traced lmdb 200
fi
