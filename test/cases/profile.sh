# profile.sh: profiles of the measured interval, and what they explain.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# switched ARGUMENTS...: bench_null with a shell as its profiler, which notes each command and when it came
switched () {
	rm -f "$work/control" "$work/ack" "$work/commands" "$work/rows"
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
# profile_agrees: the CPU time of the profile is the row's, in 5 %
profile_agrees () {
	cat "$work/profiles/profiles.tsv"
	awk -F '\t' 'NR == 2 && $11 > 100 { ratio = $9 / $8; print ratio; near = ratio > 0.95 && ratio < 1.05 }
		END { exit !near }' "$work/profiles/profiles.tsv"
}
# Nothing of the load is in it.
profile_is_the_rows () {
	profiled "$top/bench_null" --benchmarks=fillseq,readrandom --num=1m --threads=2 --duration=0.6
	profile_agrees
	awk -F '\t' '$1 == "null_get" { get = 1 } $1 == "null_put" { put = 1 } $3 == "foreground reader" { named = 1 }
		END { exit !get || put || !named }' "$work/profiles/null-readrandom-2t.functions.tsv"
	[ "$(jq -r .profile "$work/profiles/rows.json")" = null-readrandom-2t ]
	grep -q 'foreground reader;.*null_get ' "$work/profiles/null-readrandom-2t.cpu.folded"
	grep -q '<title>measure_gets: [0-9.]* us/op' "$work/profiles/null-readrandom-2t.cpu.svg"
}
ok 'profile.sh: functions of the measured interval, whose CPU time is that of the row' profile_is_the_rows

# An update is a get and a put, which columns of CPU time count as two operations.
updates_agree () {
	profiled "$top/bench_null" --benchmarks=fillseq,updaterandom --num=1m --threads=2 --duration=0.6
	profile_agrees
}
ok 'and so is that of updates, which are two calls each' updates_agree

# Time asleep has the stack that went to sleep: the reads of an open loop wait for their schedule.
sleeps () {
	profiled "$top/bench_null" --benchmarks=readrandom --rate=100 --duration=1
	! grep 'no .*off-CPU' "$work/err" || cannot 'perf may not record context switches here'
	awk -F '\t' 'NR == 2 { print $10; exit !($10 > 5000 && $10 < 12000) }' "$work/profiles/profiles.tsv"
	grep -q '^foreground reader;.*nanosleep' "$work/profiles/null-readrandom-1t.off-cpu.folded"
}
ok 'and where threads sleep' sleeps

# Time is a function's own, and counted once with that of its callees although it calls itself.
functions_known () {
	printf 'cpu\treader\t%s\treader;%s\t%d\t%d\n' libe 'get;seek' 30 3 libe get 10 1 libe 'get;get;seek' 40 4 libc 'get;copy' 20 2 |
		awk -v ops=10 -f "$top/scripts/tools/profile-functions.awk" | sort | tee "$work/known"
	printf '%s\t%s\treader\t%s\t%s\t%s\t%s\t%s\n' copy libc 2 2 20 2 get get libe 1 10 10 1 '' seek libe 7 7 70 7 get | cmp - "$work/known"
}
ok 'profile-functions.awk: time by the function that it was spent in, and with callees' functions_known

# The page of a sweep has its profiles, here of two made by hand: graphs whose frames keep their numbers, functions, and what is missing.
profiles_on_page () {
	mkdir -p "$work/shown/profile" && bench null --benchmarks=fillseq,readrandom --num=1k >"$work/out" && cp "$work/rows" "$work/shown/results.json" ||
		return 1
	head='profile	label	benchmark	threads	repetition	ops	ops_per_sec	cpu_us_per_op	profile_us_per_op	off_cpu_us_per_op	samples	missing'
	printf '%s\n' "$head" 'a	null	readrandom	1	1	9	9	2	2.5	0.75	900	functions of libx.so have no names, as it is stripped' \
		'a-r2	null	readrandom	1	2	9	9	2	2.5		900	' 'b	null	fillseq	1	1	9	9	2	1		80	' >"$work/shown/profile/profiles.tsv"
	for name in a a-r2 b
	do
		printf '%s\n' 'function	library	role	cpu_us_per_op	with_callees_us_per_op	percent	samples	caller' \
			"get<$name>	libx.so	foreground reader	1.5	2	60	540	work" >"$work/shown/profile/$name.functions.tsv"
		printf 'foreground reader;get<%s>\t1.5\n' "$name" |
			awk -v title="$name: CPU" -v hue=warm -f "$top/scripts/tools/flamegraph.awk" >"$work/shown/profile/$name.cpu.svg"
	done
	"$top/scripts/report.sh" "$work/shown" || return 1
	sed -n '/id="profiles"/,/<.section>/p' "$work/shown/report.html" >"$work/shown/section"
	cat "$work/shown/section"
	tidy -qe --drop-empty-elements no "$work/shown/report.html" || return 1
	grep -c '<figure>' "$work/shown/section" | grep -x 2 &&
		grep '<summary>null: 2.5 µs of CPU an operation, 60 % in get&lt;a&gt;; 750 ns off CPU<' "$work/shown/section" &&
		grep '<td>get&lt;a&gt;</td><td>work</td><td>libx.so</td>.*<td class="n">1.5 µs</td><td class="n">60</td><td class="n">2.0 µs</td>' "$work/shown/section" &&
		grep '<title>get&lt;a&gt;: 1.5 us/op' "$work/shown/section" && grep 'Functions of libx.so have no names' "$work/shown/section" &&
		grep '80 samples' "$work/shown/section" && ! grep 'a-r2' "$work/shown/section" && grep 'href="#profiles"' "$work/shown/report.html"
}
ok 'the page of a sweep shows its profiles: graphs with their numbers, functions, and what has no names' profiles_on_page

# fold: what profile-fold.awk makes of lines of perf script
fold () {
	awk -f "$top/scripts/tools/profile-fold.awk" | sort
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

		read-12 10/12 1.150000: 4000000 cpu-clock/freq=999/: 
		 1f5 int Loop::Get(long)[Optimized] (/tmp/perf-10.map)
		 1f6 [unknown] (/tmp/perf-10.map)

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
		cpu 'foreground reader' perf.map 'foreground reader;[perf.map];int Loop::Get(long)[Optimized]' 4000.000 1 \
		cpu harness '[kernel]' 'harness;a::b(int)' 3000.000 1 \
		off 'engine:a b:low' '[kernel]' 'engine:a b:low;[waiting for a core]' 250.000 1 \
		off 'engine:a b:low' '[kernel]' 'engine:a b:low;wait;schedule' 500.000 1 |
		diff - "$work/folded"
}
ok 'profile-fold.awk: roles of threads, names of functions, time asleep' folds

refuses_profiles () {
	fails 2 'out=DIRECTORY is missing' "$top/scripts/profile.sh" "$top/bench_null"
	fails 2 'profile what' "$top/scripts/profile.sh" --out="$work/none"
	fails 2 'is not a program' "$top/scripts/profile.sh" --out="$work/none" true-is-none
	fails 2 'perf_control of the command' "$top/scripts/profile.sh" --out="$work/none" "$top/bench_null" --perf_control=x
	fails 2 "cannot read '--cpu'" "$top/scripts/profile.sh" --out="$work/none" --cpu "$top/bench_null"
	[ ! -e "$work/none" ]
	# and without perf it is one line, and a status of its own
	mkdir "$work/no-perf"
	for tool in sh jq awk dirname basename mktemp rm uname
	do
		ln -s "$(sh -c "command -v $tool")" "$work/no-perf/$tool"
	done
	fails 3 "perf is not installed" env PATH="$work/no-perf" "$top/scripts/profile.sh" --out="$work/none" "$top/bench_null"
}
ok 'profile.sh refuses wrong arguments, and says if perf is missing' refuses_profiles

# no_syscalls STRACE STATUS TEXT: profile.sh --syscalls ends with these, and without a table, where perf may count nothing and
# strace is these words of a shell
no_syscalls () {
	rm -rf "$work/none" "$work/few"
	mkdir "$work/few"
	printf '#!/bin/sh\n%s\n' 'exit 1' >"$work/few/perf"
	printf '#!/bin/sh\n%s\n' "$1" >"$work/few/strace"
	chmod +x "$work/few/perf" "$work/few/strace"
	status=0
	began=$(date +%s)
	PATH="$work/few:$PATH" "$top/scripts/profile.sh" --out="$work/none" --syscalls "$top/bench_null" \
		--db="$work/few/db" --benchmarks=fillseq --num=1k >"$work/out" 2>"$work/err" || status=$?
	cat "$work/out" "$work/err"
	[ $(($(date +%s) - began)) -lt 15 ]
	[ $status -eq "$2" ]
	[ "$(tail -n 1 "$work/err")" = "profile.sh: $3" ]
	[ ! -e "$work/none/syscalls.tsv" ]
	[ ! -s "$work/out" ] || ! grep 'system calls per operation' "$work/out"
}
may_not_count () {
	denied='strace: attach: ptrace(PTRACE_SEIZE, 7): Operation not permitted'
	no_syscalls "echo '$denied' >&2; exit 1" 3 "no system calls: perf may not count them here, and strace may not attach to processes: $denied; run as root, or see kernel.yama.ptrace_scope"
	[ "$(wc -l <"$work/err")" -eq 1 ]
	# to another process it may, but not to the run
	no_syscalls "case \$* in *calls,name*) echo '$denied' >&2; exit 1 ;; esac" 1 "strace counted no system calls: $denied"
}
ok 'profile.sh --syscalls fails at once, and writes no table, where nothing may count system calls' may_not_count

# The plan of a sweep once more: what was measured stays as it was, loads have no profile, and LMDB writes twice or more for each
# record.
swept_again () {
	"$top/scripts/sweep.sh" --out="$work/swept" --engines=lmdb --benchmarks=overwrite --threads=1 --num=2k --profile --syscalls \
		>"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err"; return 1; }
	cat "$work/out" "$work/err"
	! grep 'no profile:\|no system calls:' "$work/err" || cannot 'neither perf nor strace may do it here'
	[ "$(tail -n +2 "$work/swept/profile/profiles.tsv" | cut -f 1)" = lmdb-overwrite-1t ]
	[ "$(tail -n +2 "$work/swept/profile/syscalls.tsv" | cut -f 1 | sort -u)" = lmdb-overwrite-1t ]
	jq -es 'map(.benchmark) == ["filluniquerandbatch", "overwrite"] and all(.[]; .command | contains("perf_control") | not)' "$work/swept/results.json"
	jq -e '.command | contains("perf_control")' "$work/swept/profile/rows.json"
	awk -F '\t' '$7 == "pwrite64" && $9 >= 2 { found = 1 } $7 == "other" && $9 > 1 { rest = 1 } END { exit !found || rest }' \
		"$work/swept/profile/syscalls.tsv"
	[ ! -e "$work/swept/profile/db" ]
}
ok 'sweep.sh --profile and --syscalls: the plan once more, apart from its rows' swept_again

# profiles_of: what profile.sh writes, of lines side, number, function=us ...: functions of the library libe, whose times
# differ a little from run to run
profiles_of () {
	mkdir -p "$work/explained/old" "$work/explained/new" "$work/explained/same"
	(cd "$work/explained" && awk '{
		run = $1 "/r" $2
		print "function\tlibrary\trole\tcpu_us_per_op\twith_callees_us_per_op\tpercent\tsamples\tcaller" >run ".functions.tsv"
		for (i = 3; i <= NF; i++) {
			split($i, pair, "=")
			us = pair[2] * (1 + ($2 * 7 % 5 - 2) / 100)
			printf "%s\tlibe.so.%s\tforeground reader\t%s\t%s\t1\t%d\tcaller\n", pair[1], $2, us, us, pair[1] == "few" ? 1 : us * 1000 >run ".functions.tsv"
			printf "foreground reader;caller;%s %.0f\n", pair[1], us * 1000 >run ".cpu.folded"
		}
		print "harness\tlibe.so\tharness\t" $2 "\t1\t1\t1\tmain" >run ".functions.tsv"
		print "r" $2 >$1 "/profiles.tsv"
		printf "{\"schema\": \"assay/2\", \"benchmark\": \"readrandom\", \"threads\": 1, \"label\": \"e\", \"engine\": \"e\", \"valid\": 1, " \
			"\"ops\": 500, \"reads\": 1000, \"ops_per_sec\": %d, \"profile\": \"r%d\", \"seconds\": 1, \"time\": \"t%d\"}\n", 1000 + $2, $2, $2 >$1 "/rows.json"
	}')
}
explain () {
	"$top/scripts/compare.sh" "$work/explained/old" "$work/explained/$1" --explain="$work/explained/graphs-$1" --seed=1 >"$work/out" 2>"$work/err" ||
		[ $? -eq 1 ] || { cat "$work/err"; return 1; }
	cat "$work/out"
}
explains () {
	rm -rf "$work/explained"
	for number in 1 2 3 4 5
	do
		echo "old $number search=10 copy=5 gone=0.2 rare=0.01"
		echo "new $number search=10 copy=6 planted=0.8 rare=0.03 few=0.1"
		echo "same $((6 - number)) search=10 copy=5 gone=0.2 rare=0.01"
	done | profiles_of
	explain new
	# the largest first; what is on one side only; none of the noise, nor of what is rare or has few samples; and no harness
	sed -n '/function  *library/,/these differ/p' "$work/out" | awk '{ print $1, $8 }' | head -n -1 | tail -n +2 >"$work/named"
	diff - "$work/named" <<-'NAMED'
		+1 copy
		+0.8 planted
		-0.2 gone
	NAMED
	grep -q '^readrandom, 1 thread: 15.21 -> 16.93 us of CPU per operation in 5+5 profiles, +1.72 (' "$work/out"
	[ "$(head -n 2 "$work/explained/graphs-new/functions.tsv" | tail -n 1 | cut -f 2,4)" = "$(printf 'copy\tcaller')" ]
	grep -q '<title>planted: 0 -&gt; 0.8 us/op with callees, 0 -&gt; 0.8 itself' "$work/explained/graphs-new/readrandom-1-thread.svg"
	explain same
	grep -q '^no function differs beyond chance, of 3 functions$' "$work/out"
	fails 2 'has no profiles' "$top/scripts/compare.sh" "$work/explained/old/rows.json" "$work/explained/new" --explain
}
ok 'compare.sh --explain: the functions that differ, the largest difference first, and no others' explains

# all_rows LATENCY FAULTS: six rows, whose latencies and faults are about that, and whose other numbers say nothing
all_rows () {
	jq -nc --argjson latency "$1" --argjson faults "$2" 'range(6) as $i | ($i * 7 % 5 - 2) as $noise | {schema: "assay/2", benchmark: "readrandom",
		threads: 1, num: 1000, label: "e", engine: "e", valid: 1, ops: 1000, ops_per_sec: (1000 + $i), repetition: $i, seconds: (1 + $noise / 50),
		read_p99_ns: ($latency * (1 + $noise / 100)), faults_major: $faults, cpu_us_per_op: ((9 + $latency / 1000) * (1 + $noise / 1000)), memory_used_kb: (5000 + $noise * 10), time: "\($latency) \($i)"}'
}
compares_all () {
	all_rows 1000 0 >"$work/all-old"
	all_rows 1300 3 >"$work/all-new"
	all_rows 1000 0 | jq -sc 'reverse[] | .time += " again" | .memory_used_kb += 1' >"$work/all-same"
	"$top/scripts/compare.sh" "$work/all-old" "$work/all-new" --all >"$work/out" || [ $? -eq 1 ]
	cat "$work/out"
	sed -n '/^readrandom, 1 thread: 3 of 6 columns that vary differ beyond chance (6+6 runs)/,/^$/p' "$work/out" | tail -n +3 | grep . |
		tr -s ' ' >"$work/named"
	diff - "$work/named" <<-'NAMED'
		faults_major 0 3 - - 0.0043 worse
		read_p99_ns 997 1,296 +30 % +27.5 % to +32.5 % <0.0001 slower
		cpu_us_per_op 10 10.3 +3 % +2.8 % to +3.2 % <0.0001 worse
	NAMED
	"$top/scripts/compare.sh" "$work/all-old" "$work/all-same" --all --format=json >"$work/out"
	jq -e '(.all | length) > 0 and all(.all[]; .differs | not)' "$work/out"
}
ok 'compare.sh --all: the columns that differ beyond chance, the largest change first' compares_all

# A driver of LMDB to which a function with 5 % of the CPU time was added, in a copy of the tree: profiles of it and of the
# driver as it is are made in turn, and a trial draws from them five of the driver as it is, five others, and five of the other.
planted_driver () {
	cd "$work/planted" || return 1
	awk -v spins="$1" '/^static enum status lmdb_common_get/ {
			# one get in 64, so that the CPU does nothing else meanwhile
			print "static __attribute__((noinline)) void planted_work(void)\n{\n\tfor (volatile int i = 0; i < " spins "; i++)\n\t\t;\n}"
			print "static _Thread_local unsigned planted_calls;\n"
			inside = 1
		}
		{ print }
		inside && /^\{/ { print "\tif (++planted_calls % 64 == 0)\n\t\tplanted_work();"; inside = 0 }' "$top/engines/lmdb_common.h" >engines/lmdb_common.h
	make -s bench_lmdb
}
# pooled NAME PROGRAM: a profile of it
pooled () {
	"$top/scripts/profile.sh" --out="$work/pool" --name="$1" --frequency=4999 "$2" --db="$work/trial-db" --use_existing_db=1 \
		--benchmarks=readrandom --num=5k --reads=1500k >"$work/out"
}
planted_percent () {
	pooled "$1" "$work/planted/bench_lmdb" || return 1
	awk -F '\t' '$1 == "planted_work" { print $6 }' "$work/pool/$1.functions.tsv"
}
# drawn SIDE NAME...: these profiles as a directory of results
drawn () {
	mkdir -p "$work/trials/$1"
	to=$work/trials/$1
	shift
	for name
	do
		jq -c '.profile = "../../pool/" + .profile' "$work/pool/$name.json"
	done >"$to/rows.json"
	echo profile >"$to/profiles.tsv"
}
# named_by SIDE: the functions that differ from the old side, the largest difference first, one a line
named_by () {
	"$top/scripts/compare.sh" "$work/trials/old" "$work/trials/$1" --explain --format=json >"$work/$1.json" || [ $? -eq 1 ] || return 1
	jq -r '[.explained[] | select(.differs)] | sort_by(-(.difference | fabs))[].function' "$work/$1.json"
}
finds_planted () {
	copy_of_tree "$work/planted"
	make -s -C "$work/planted" bench_lmdb
	cp "$work/planted/bench_lmdb" "$work/bench_plain"
	"$top/bench_lmdb" --db="$work/trial-db" --benchmarks=fillseqbatch --num=5k >"$work/out"
	planted_driver 6400
	percent=$(planted_percent first)
	spins=$(awk -v p="$percent" 'BEGIN { printf "%.0f", 6400 * (5 / 95) / (p / (100 - p)) }')
	planted_driver "$spins"
	echo "$spins spins take $(planted_percent second) %"
	for run in $(seq 15)
	do
		pooled "a$run" "$work/bench_plain"
		pooled "p$run" "$work/planted/bench_lmdb"
		pooled "b$run" "$work/bench_plain"
	done
	first=0 silent=0
	for trial in $(seq 20)
	do
		# shellcheck disable=SC2046 # words, on purpose
		set -- $(awk -v seed="$trial" 'BEGIN { srand(seed)
			for (i = 1; i <= 30; i++) { k = 1 + int(rand() * i); a[i] = a[k]; a[k] = i > 15 ? "b" i - 15 : "a" i }
			for (i = 1; i <= 15; i++) { k = 1 + int(rand() * i); p[i] = p[k]; p[k] = "p" i }
			for (i = 1; i <= 10; i++) print a[i]
			for (i = 1; i <= 5; i++) print p[i] }')
		drawn old "$1" "$2" "$3" "$4" "$5"
		drawn again "$6" "$7" "$8" "$9" "${10}"
		shift 10
		drawn new "$@"
		with=$(named_by new)
		without=$(named_by again)
		[ "$(echo "$with" | head -n 1)" != planted_work ] || first=$((first + 1))
		[ -n "$without" ] || silent=$((silent + 1))
		echo "trial $trial: with it $(echo "$with" | head -n 3 | paste -s -d ' '); without it $(echo "$without" | paste -s -d ' ')"
	done
	echo "named first in $first of 20, none named without it in $silent of 20"
	[ $first -ge 19 ] && [ $silent -ge 19 ]
}
[ -z "$long" ] || ok 'it names a planted function of 5 % first in 19 of 20 trials, and none in 19 of 20 without it' finds_planted
