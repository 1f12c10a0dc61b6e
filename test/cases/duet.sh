# duet.sh: two versions at the same time on the same core, and what is refused.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

duet () {
	"$top/scripts/duet.sh" --num=2k "$@"
}

# Half as long again: found at the first look in rounds of a third of a second, however busy the machine is, as both
# sides share a core. Of ten rounds the fourth and the eighth are controls.
planted () {
	status=0
	duet --out="$work/planted" --old=null+null_get_ns=2000 --new=null+null_get_ns=3000 --seconds=0.3 --warmup=0 \
		>"$work/out" 2>"$work/err" || status=$?
	cat "$work/out" "$work/err"
	[ $status -eq 1 ]
	[ "$(wc -l <"$work/out")" -eq 1 ]
	grep -q '^readrandom, 1 thread: null+null_get_ns=3000 is [23][0-9][.][0-9] % slower than null+null_get_ns=2000 (-' "$work/out"
	jq -e '.[0] | .verdict == "slower" and .rounds == 8 and .control_rounds == 2 and .ratio > 0.6 and .ratio < 0.75 and
		.ratio_low < .ratio and .ratio < .ratio_high' "$work/planted/duet.json"
	cut -f 3,4 "$work/planted/duet.tsv" | awk '$2 == 1' | cut -f 1 | paste -s -d ' ' | grep -x '4 8'
	jq -es 'map(.label) == [range(8) | "null+null_get_ns=2000", "null+null_get_ns=3000"] and
		all(.[]; .cpus | startswith("pinned "))' "$work/planted/results.json"
	jq -es 'map(.label) == [range(4) | "null+null_get_ns=2000"]' "$work/planted/control.json"
	[ "$(find "$work/planted" -type d | wc -l)" -le 2 ]
	fails 2 'has results; give another one' duet --out="$work/planted" --old=null --new=null
}
ok 'a version half as slow again is found in eight rounds, and the rows of both, the rounds and the verdict are kept' planted

# Two threads of each, on copies of a loaded database; what is within 60 % on a busy machine is the same at the first look.
as_fast_as_itself () {
	threads=$(nproc | awk '{ print ($1 > 1) + 1 }')
	duet --out="$work/alike" --old=lmdb --new=lmdb --within=60 --seconds=0.3 --warmup=0 --threads="$threads" --benchmarks=overwrite \
		>"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err"; return 1; }
	cat "$work/out" "$work/err"
	grep -q "^overwrite, $threads threads*: lmdb is as fast as lmdb within 60 % (" "$work/out"
	# each round has its own keys, the same on both sides, and begins from the load
	jq -es 'map(.benchmark) == ["filluniquerandbatch"]' "$work/alike/loads.json"
	jq -es 'map(.epoch) | . == sort and length == 16 and (unique | length) == 8 and .[0] > 0' "$work/alike/results.json"
	[ "$(find "$work/alike" -type d | wc -l)" -le 2 ]
}
ok 'a version is as fast as itself, in two threads with a core each where there are two' as_fast_as_itself

# Each is ended before a round is played.
refusals () {
	refuses () {
		fails 2 "$1" duet --out="$work/refused" --old="$2" --new="$3" ${4:+"$4"}
	}
	refuses 'engine is null on the old side and lmdb on the new' null lmdb ''
	refuses 'durability is none on the old side and async on the new' null+durability=none null ''
	refuses 'at durability sync a device decides' lmdb lmdb --sync=1
	refuses 'cache_bytes is 8388608 on the old side and' leveldb+cache_size=8Mi leveldb ''
	refuses 'in an open loop the rate is given' null null --rate=100
	refuses 'latencies of two programs' null null --hdr=file
	refuses 'latencies of two programs' null null+slow_calls=5 ''
	refuses 'fillseq makes a database' null null --benchmarks=fillseq
	refuses "no workload 'readrandon'" null null --benchmarks=readrandon
	refuses '5000 threads of each side need as many cores' null null --threads=5000
	refuses 'bench_null-9 does not exist; run make bench_null-9' null null-9 ''
	refuses 'may not be used' null null --cpus=4000
	fails 2 '--new is missing' duet --out="$work/refused" --old=null
	refuses 'two programs at one device' lmdb lmdb --cold=1
	[ ! -e "$work/refused/results.json" ]
}
ok 'what cannot be compared side by side is refused before a round is played' refusals

refused_in_rounds () {
	fails 2 'something else than a core: two programs' duet --out="$work/stalls" --old=null --new=null --null_stall_every=100 --null_stall_ms=5 --seconds=0.3
	fails 1 'ends before its time' duet --out="$work/short" --old=lmdb --new=lmdb --benchmarks=readseq --warmup=0
}
ok 'and what waits for something else than a core, or ends early, in its first round' refused_in_rounds

# Of three versions the last is half as slow again.
bisected () {
	status=0
	"$top/scripts/versions.sh" --duet --out="$work/versions" --engines=null+null_get_ns=2000,null+null_get_ns=2010,null+null_get_ns=3000 \
		--bisect=cpu_us_per_op --num=2k --seconds=0.3 --warmup=0 --within=30 >"$work/out" 2>"$work/err" || status=$?
	cat "$work/out" "$work/err"
	[ $status -eq 1 ]
	jq -e '.named == "null+null_get_ns=3000" and .before == "null+null_get_ns=2010" and .comparisons == 2 and .change > 0.3 and .change < 0.7
		' "$work/versions/bisect.json"
	fails 2 'compares cpu_us_per_op' "$top/scripts/versions.sh" --duet --out="$work/no" --engines=null,null --bisect=p50
	# what was compared before is told again, and not taken for a comparison with other options
	set -- --duet --out="$work/versions" --engines=null+null_get_ns=2000,null+null_get_ns=3000 --seconds=0.3 --warmup=0 --within=30
	status=0
	"$top/scripts/versions.sh" "$@" --num=2k >"$work/again" || status=$?
	cat "$work/again"
	[ $status -eq 1 ]
	grep -q 'slower' "$work/again"
	fails 2 'holds a comparison with other options' "$top/scripts/versions.sh" "$@" --num=3k
}
ok 'versions.sh --duet finds the version that became slower' bisected

# Killed outright, it takes its programs along.
works () {
	programs=$(for of in $(pgrep -P "$1"); do echo "$of"; pgrep -P "$of" || :; done)
	[ "$(echo "$programs" | wc -w)" -eq 4 ]
}
killed () {
	"$top/scripts/duet.sh" --out="$work/killed" --old=null --new=null --seconds=100 >"$work/out" 2>&1 &
	script=$!
	within 60 works $script
	programs=$(for of in $(pgrep -P $script); do echo "$of"; pgrep -P "$of"; done | paste -s -d ,)
	shared=$(tr '\0' '\n' <"/proc/${programs%%,*}/cmdline" | sed -n 's/^--progress_file=//p')
	kill -KILL $script
	wait $script || :
	within 60 gone "$programs"
	rm -r "${shared%/*/*}"
}
ok 'its programs end with it, though they have sessions of their own' killed
