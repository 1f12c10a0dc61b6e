#!/bin/sh
# outside.sh: hold the columns behind docs/engines.md's footprint against instruments from outside.
# usage: test/outside.sh A,B    configurations, as footprint.sh has them
#
# The syncs of 100 commits against strace. The space of the closed database against its extents
# (filefrag), within 1 % as these leave out what the file system keeps of its own. The memory of the
# open, idle database against smaps_rollup, and its peak against VmHWM. scripts/filesystems.sh --writers=A,B does the same with
# /sys and du. Not one of test.sh's parts: its cases do it engine by engine.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
[ $# -eq 1 ] || { sed -n '2,8p' "$0" | sed 's/^# \{0,1\}//' >&2; exit 2; }
# shellcheck source=scripts/common.sh
. "$top/scripts/common.sh"
# shellcheck source=test/traced.sh
. "$top/test/traced.sh"
for tool in strace filefrag jq pgrep
do
	command -v "$tool" >/dev/null || fail 2 "$tool is not installed"
done
make_work
failed=0 space=0 anon=0 file=0 peak=0

# apart NAME OURS THEIRS PERMILLE LEAST: a line; they differ by more than a part and by more than so
# much
apart () {
	awk -v of="$configuration" -v name="$1" -v ours="$2" -v theirs="$3" -v part="$4" \
		-v least="$5" 'BEGIN {
			by = ours > theirs ? ours - theirs : theirs - ours
			bad = ours == "null" || (by > least && by > theirs * part / 1000)
			printf "%sok %s: %s %s, from outside %s\n", bad ? "not " : "", of, name,
				ours, theirs
			exit bad
		}' || failed=1
}

# extents DIRECTORY: KiB of the blocks of its files
extents () {
	find "$1" -type f -exec filefrag -b1024 -v {} + |
		awk -F : '$1 ~ /^ *[0-9]+$/ { sum += $4 } END { printf "%.0f\n", sum }'
}

# idle_outside: $anon, $file and $peak of a database that has been open and idle for some seconds,
# and $space of it when it is closed, as the last row has it
idle_outside () {
	rm -f "$work/barrier" "$work/idle"
	# shellcheck disable=SC2086 # words, on purpose
	"$program" --db="$work/db-$configuration" --use_existing_db=1 --num=20k --rate=1 \
		--benchmarks=readrandom --duration=6 --json="$work/idle" \
		--barrier_file="$work/barrier" $options >"$work/out" 2>&1 &
	until [ -s "$work/barrier" ]
	do
		kill -0 $! || fail 1 "$configuration: $(tail -n 1 "$work/out")"
		sleep 0.05
	done
	printf + >>"$work/barrier"
	sleep 4
	set -- "/proc/$(pgrep -P $! | tail -n 1)"
	eval "$(awk '$1 == "Rss:" { rss = $2 } $1 == "Anonymous:" { anon = $2 }
		$1 == "VmHWM:" { peak = $2 }
		END { printf "anon=%d file=%d peak=%d", anon, rss - anon, peak }' \
		"$1/smaps_rollup" "$1/status")"
	wait $!
	sync -f "$work"
	space=$(extents "$work/db-$configuration")
}

for configuration in $(echo "$1" | tr , ' ')
do
	options=$(own_options "$configuration")
	program=$top/bench_${configuration%%+*} level=sync
	# shellcheck disable=SC2086 # words, on purpose
	"$program" --db="$work/db-$configuration" --num=20k --benchmarks=fillseqbatch $options \
		>"$work/out" || fail 1 "$configuration does not load"
	[ "${configuration%%+*}" != sled ] || level=async
	# shellcheck disable=SC2086
	syncs_traced "$configuration" 20k 1 --durability=$level $options >"$work/said" || true
	apart syncs "$(jq .syncs "$work/told")" "$(jq .syncs "$work/traced")" 0 0
	idle_outside
	apart db_disk_kb "$(jq .db_disk_kb "$work/idle")" "$space" 10 64
	apart rss_anon_kb "$(jq .rss_anon_kb "$work/idle")" "$anon" 50 512
	apart rss_file_kb "$(jq .rss_file_kb "$work/idle")" "$file" 50 512
	apart peak_rss_kb "$(jq .peak_rss_kb "$work/idle")" "$peak" 50 512
	find "$work/db-$configuration" -delete
done
exit $failed
