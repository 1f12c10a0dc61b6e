# decide.sh: scripts that answer a question: exact counts, settings, cost.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# ---- exact.sh

exact () {
	"$top/scripts/exact.sh" "$@" >"$work/out" 2>"$work/err"
}
# planted_instructions: the tree again in $work/planted, with two more instructions in each get of bench_null, of 180
planted_instructions () {
	copy_of_tree "$work/planted" && cd "$work/planted" &&
		sed -i 's/^	if (key.size != s->fast_path_key_size)$/	__asm__ volatile("nop; nop");\n&/' engines/null.c &&
		[ "$(grep -c nop engines/null.c)" -eq 1 ] && make -s bench_null
}
# instructions CHUNK: of a thread's 20,000 reads in chunks of that size
instructions () {
	valgrind --tool=callgrind --collect-atstart=no --toggle-collect=thread_main --callgrind-out-file="$work/callgrind" \
		"$top/bench_null" --benchmarks=readrandom --num=20k --reads=20k --chunk="$1" --supervise=0 >"$work/out" 2>"$work/err"
	sed -n 's/^totals: //p' "$work/callgrind"
}
# Each chunk costs some instructions, and these calls are so short that chunks would grow.
fixed_chunks () {
	command -v valgrind || cannot 'valgrind is not installed'
	instructions 1 >"$work/one"
	instructions 512 >"$work/many"
	paste "$work/one" "$work/many" | awk '{ print; exit !($1 > 1.5 * $2 && $2 > 1000000) }'
}
ok '--chunk fixes the size of chunks' fixed_chunks
counted () {
	exact --benchmarks=readrandom --save="$work/null.tsv" null && cat "$work/out" && [ ! -s "$work/err" ] &&
		grep -q '^null  *readrandom  *instructions  *1[0-9][0-9][.]' "$work/out"
}
repeats () {
	command -v valgrind || cannot 'valgrind is not installed'
	needs counted
	exact --benchmarks=readrandom --reference="$work/null.tsv" null && ! grep -v 'equal$\|verdict$' "$work/out"
}
ok 'exact.sh counts the same again' repeats
finds () {
	command -v valgrind || cannot 'valgrind is not installed'
	needs counted
	needs planted_instructions
	status=0
	"$work/planted/scripts/exact.sh" --benchmarks=readrandom --reference="$work/null.tsv" null >"$work/out" || status=$?
	cat "$work/out"
	[ $status -eq 1 ] && grep -q 'instructions .* +1[.][0-9]* %  more$' "$work/out"
}
ok 'and finds one percent more instructions' finds
refuses_reference () {
	needs counted
	fails 2 'its options are num=20000 ops=10000, not num=20000 ops=5000; --save another' \
		"$top/scripts/exact.sh" --benchmarks=readrandom --ops=5000 --reference="$work/null.tsv" null
	sed 's/ valgrind-[^ ]* / valgrind-1 /' "$work/null.tsv" >"$work/other.tsv"
	fails 2 'it was counted with .*valgrind-1 ' \
		"$top/scripts/exact.sh" --benchmarks=readrandom --reference="$work/other.tsv" null
	fails 2 'has background workers' "$top/scripts/exact.sh" --benchmarks=readwhilewriting null
	fails 2 'set by exact.sh' "$top/scripts/exact.sh" --threads=2 null
}
ok 'it refuses references of other options or tools, and workloads of several threads' refuses_reference
# Each commit writes, and syncs once: LMDB's data by fdatasync, its meta page by a file that is synced by each write.
counts_calls () {
	exact --benchmarks=overwrite --ops=200 --num=1000 --durability=sync lmdb && cat "$work/out" &&
		awk '$3 == "call.fdatasync" && $4 == 1 { data = 1 } $3 == "call.pwrite64" && $4 > 3 { page = 1 }
			$3 == "bytes_written" && $4 > 8000 { bytes = 1 } $3 == "syncs" && $4 == 2 { synced = 1 }
			END { exit !(data && page && bytes && synced) }' "$work/out"
}
if strace -o "$work/trace" true 2>"$work/err"
then
	ok 'it counts system calls, bytes written and syncs of a commit' counts_calls
else
	skip 'it counts system calls, bytes written and syncs of a commit' 'strace may not trace here'
fi
# with all CPUs busy
twenty_of_twenty () {
	needs counted
	needs planted_instructions
	found=0 equal=0 hogs=
	for _ in $(seq "$(nproc)")
	do
		sh -c 'while :; do :; done' &
		hogs="$hogs $!"
	done
	for _ in $(seq 20)
	do
		"$work/planted/scripts/exact.sh" --benchmarks=readrandom --reference="$work/null.tsv" null >"$work/out" || found=$((found + 1))
		"$top/scripts/exact.sh" --benchmarks=readrandom --reference="$work/null.tsv" null >"$work/out" && equal=$((equal + 1))
	done
	status=0
	exact --save="$work/engines.tsv" lmdb sqlite || status=1
	for _ in 1 2 3
	do
		exact --reference="$work/engines.tsv" lmdb sqlite || { cat "$work/out"; status=1; }
	done
	# shellcheck disable=SC2086 # words
	kill $hogs
	echo "found $found of 20, equal $equal of 20"
	echo "# exact.sh: 1 % more was found in $found of 20 trials, nothing in $equal of 20 without" >&2
	[ $found -eq 20 ] && [ $equal -eq 20 ] && [ $status -eq 0 ]
}
[ -z "$long" ] || ok 'on a busy machine too, in 20 of 20 trials, and LMDB and SQLite repeat' twenty_of_twenty
