# traced.sh: syncs of a run as the kernel saw them; sourced by test/cases/instruments.sh, go.sh and rust.sh.
# shellcheck shell=sh disable=SC2154,SC2317 # they have the variables

# The calls that sync, as the kernel was asked for them: of the thread that opens clear_refs
# when the figures begin, between that and the second of its readings of getrusage, which is
# when they end. So do writes to what was opened with O_DSYNC.
syncing=fsync,fdatasync,msync,sync_file_range,sync,syncfs
# syncs_traced ENGINE [RECORDS [THREADS [OPTION...]]]: of an overwrite at sync
syncs_traced () {
	traced=$1 of=${2-20k} by=${3-2}
	shift $(($# < 3 ? $# : 3))
	rm -f "$work/row"
	strace -f -qq -s 0 --seccomp-bpf -o "$work/trace" \
		-e trace="$syncing,openat,close,getrusage,write,pwrite64,writev,pwritev" \
		"$top/bench_${traced%%+*}" --db="${place:-$work}/db-$traced" --use_existing_db=1 \
		--json="$work/row" --num="$of" --durability=sync --benchmarks=overwrite \
		--writes=100 --threads="$by" "$@" >"$work/out" || return 1
	awk 'function count(name) { n[name]++; n["syncs"]++ }
		/resumed/ { next }
		{ call = substr($2, 1, index($2, "(") - 1); fd = substr($2, length(call) + 2) + 0 }
		/clear_refs/ { main = $1; begun = 0; delete n }
		$1 == main && call == "getrusage" && begun++ { exit }
		call == "openat" { syncing[$NF] = /O_DSYNC|O_SYNC/ }
		call == "close" { syncing[fd] = 0 }
		!begun { next }
		call ~ /write/ && syncing[fd] { count("dsync_write") }
		call ~ /^sync/ || call ~ /sync$/ { if (call != "msync" || /MS_SYNC/) count(call) }
		END {
			printf "{\"fsyncs\":%d,\"fdatasyncs\":%d,", n["fsync"], n["fdatasync"]
			printf "\"msyncs\":%d,\"sync_file_ranges\":%d,", n["msync"], n["sync_file_range"]
			printf "\"dsync_writes\":%d,\"syncs\":%d}\n", n["dsync_write"], n["syncs"]
		}' \
		"$work/trace" >"$work/traced"
	cat "$work/traced"
	jq -c '{fsyncs, fdatasyncs, msyncs, sync_file_ranges, dsync_writes, syncs}' \
		"$work/row" >"$work/told" || return 1
	cat "$work/told"
	# bench_null aside, each has to sync something
	cmp "$work/told" "$work/traced" && jq -e '.syncs > 0' "$work/told"
}
