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

# profiled ARGUMENTS...: bench_null by profile.sh, into $work/profiles
profiled () {
	rm -rf "$work/profiles"
	"$top/scripts/profile.sh" --out="$work/profiles" "$@" >"$work/out" 2>"$work/err" || {
		[ $? -ne 3 ] || cannot "$(cat "$work/err")"
		cat "$work/out" "$work/err"
		return 1
	}
}
# The CPU time of the profile is the row's, in 5 %, and nothing of the load is in it.
profile_is_the_rows () {
	profiled "$top/bench_null" --benchmarks=fillseq,readrandom --num=1m --threads=2 --duration=1
	cat "$work/profiles/profiles.tsv"
	awk -F '\t' 'NR == 2 && $11 > 100 { ratio = $9 / $8; print ratio; near = ratio > 0.95 && ratio < 1.05 }
		END { exit !near }' "$work/profiles/profiles.tsv"
	awk -F '\t' '$1 == "null_get" { get = 1 } $1 == "null_put" { put = 1 } $3 == "foreground reader" { named = 1 }
		END { exit !get || put || !named }' "$work/profiles/null-readrandom-2t.functions.tsv"
	[ "$(jq -r .profile "$work/profiles/rows.json")" = null-readrandom-2t ]
	grep -q 'foreground reader;.*null_get ' "$work/profiles/null-readrandom-2t.cpu.folded"
	grep -q '<title>measure_gets: [0-9.]* us/op' "$work/profiles/null-readrandom-2t.cpu.svg"
}
ok 'profile.sh: functions of the measured interval, whose CPU time is that of the row' profile_is_the_rows

# Time asleep has the stack that went to sleep: the reads of an open loop wait for their schedule.
sleeps () {
	profiled "$top/bench_null" --benchmarks=readrandom --rate=100 --duration=1
	! grep 'no off-CPU' "$work/err" || cannot 'perf may not record context switches here'
	awk -F '\t' 'NR == 2 { print $10; exit !($10 > 5000 && $10 < 12000) }' "$work/profiles/profiles.tsv"
	grep -q '^foreground reader;.*nanosleep' "$work/profiles/null-readrandom-1t.off-cpu.folded"
}
ok 'and where threads sleep' sleeps

# fold: what profile-fold.awk makes of lines of perf script
fold () {
	awk -f "$top/scripts/profile-fold.awk" | sort
}
# A thread that an engine created has inherited its creator's name, but not its number; compilers' copies of a function are it;
# a sleep is of the stack before it, unless the core was taken away.
folds () {
	fold >"$work/folded" <<-'LINES'
		read-12 10/12 1.000000: 1000000 cpu-clock/freq=999/: 
		 1f2 inner.isra.0 (/lib/libe.so)
		 1f3 [unknown] (/lib/libe.so)
		 1f3 [unknown] (/lib/libe.so)
		 1f4 [unknown] ([unknown])

		read-12 10/13 1.100000: 2000000 cpu-clock/freq=999/: 
		 1f2 inner.constprop.1 (/lib/libe.so)

		bench_null 10/10 1.200000: 3000000 cpu-clock/freq=999/: 
		 ff8 a::b(int) ([kernel.kallsyms])

		a b:low 10/14 1.300000: 1 context-switches/period=1/: 
		 ff8 schedule ([kernel.kallsyms])
		 1f9 wait (/lib/libc.so (deleted))

		a b:low 10/14 1.300001: PERF_RECORD_SWITCH OUT        
		a b:low 10/14 1.300501: PERF_RECORD_SWITCH IN         
		a b:low 10/14 1.400000: PERF_RECORD_SWITCH OUT preempt
		a b:low 10/14 1.400250: PERF_RECORD_SWITCH IN         
	LINES
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' \
		cpu engine libe.so 'engine;inner' 2000.000 1 \
		cpu 'foreground reader' libe.so 'foreground reader;[libe.so];inner' 1000.000 1 \
		cpu harness '[kernel]' 'harness;a::b(int)' 3000.000 1 \
		off 'engine:a b:low' '[kernel]' 'engine:a b:low;[waiting for a core]' 250.000 1 \
		off 'engine:a b:low' '[kernel]' 'engine:a b:low;wait;schedule' 500.000 1 |
		diff - "$work/folded"
}
ok 'profile-fold.awk: roles of threads, names of functions, time asleep' folds

refuses_profiles () {
	fails 2 'out=DIRECTORY is missing' "$top/scripts/profile.sh" "$top/bench_null"
	fails 2 'profile what' "$top/scripts/profile.sh" --out="$work/none"
	fails 2 'is no program' "$top/scripts/profile.sh" --out="$work/none" true-is-none
	fails 2 'json of the command' "$top/scripts/profile.sh" --out="$work/none" "$top/bench_null" --json=x
	fails 2 "cannot read '--cpu'" "$top/scripts/profile.sh" --out="$work/none" --cpu "$top/bench_null"
	[ ! -e "$work/none" ]
	# and without perf it is one line, and a status of its own
	mkdir "$work/no-perf"
	for tool in sh jq awk dirname basename mktemp rm
	do
		ln -s "$(command -v $tool)" "$work/no-perf/$tool"
	done
	fails 3 "perf is not installed" env PATH="$work/no-perf" "$top/scripts/profile.sh" --out="$work/none" "$top/bench_null"
}
ok 'profile.sh refuses wrong arguments, and says if perf is missing' refuses_profiles
