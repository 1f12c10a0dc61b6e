# profile.sh: profiles of the measured interval, and what they explain.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# switched ARGUMENTS...: bench_null with a shell as its profiler, which notes each command and when it came
switched () {
	rm -f "$work/control" "$work/ack" "$work/rows"
	mkfifo "$work/control" "$work/ack"
	(
		exec 3<>"$work/control" 4<>"$work/ack"
		: >"$work/commands" # bench_null may begin
		while read -r command <&3 && [ "$command" != end ]
		do
			echo "$command $(date +%s.%N)" >>"$work/commands"
			echo ack >&4
		done
	) &
	within 10 [ -e "$work/commands" ]
	bench null --perf_control="$work/control,$work/ack" "$@" >"$work/out"
	echo end >"$work/control"
	wait $!
	cat "$work/commands"
	[ "$(cut -d ' ' -f 1 "$work/commands" | paste -s -d ' ')" = 'enable disable' ]
}
switches () {
	switched --benchmarks=fillseq,readrandom --num=1k
}
ok '--perf_control records the last workload of a list only' switches

switches_after_warmup () {
	switched --benchmarks=fillseq,readrandom --num=1k --warmup=3 --duration=0.2
	# apart by the measured interval, not by the warm-up as well
	awk -v seconds="$(tail -n 1 "$work/rows" | jq .seconds)" '{ apart = $2 - before; before = $2 }
		END { print apart; exit !(apart < seconds + 2) }' "$work/commands"
}
ok 'and not its warm-up' switches_after_warmup

no_profiler () {
	mkfifo "$work/nobody"
	fails 2 'no process reads' "$top/bench_lmdb" --db="$work/untouched" --benchmarks=fillseq --num=10 \
		--perf_control="$work/nobody"
	[ ! -e "$work/untouched" ]
}
ok '--perf_control without a profiler is refused before anything is touched' no_profiler
