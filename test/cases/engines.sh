# engines.sh: every driver against the contract, at every durability, and where it meets trouble.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317,SC2034 # sourced by test.sh, which has the variables

known=$(make -C "$top" -s engines)
# With --long, or by name, each version that engine.sh has built, too.
versions=
[ -z "$long${CONFIGURATIONS-}" ] || versions=$(make -C "$top" -s versions)
# The rows of test/configurations but those that need a server, of which servers.sh is, and of a version that of the engine
# whose driver it has.
sed '/^#/d; / served /d' "$top/test/configurations" >"$work/rows-of-engines"
{
	cat "$work/rows-of-engines"
	for version in $versions
	do
		driver=$(sed -n 's/^driver	//p' "$top/build/engines/$version/facts")
		# RocksDB got its batched multi-get later
		awk -v driver="$driver" -v version="$version" '$1 == driver {
			$1 = version
			if (version ~ /^rocksdb-6/) sub(/multiget,/, "")
			print }' "$work/rows-of-engines"
	done
} >"$work/rows-of-all"
# CONFIGURATIONS='lmdb kyoto lmdb-1.0.2' takes some of them alone.
configurations () {
	for configuration in ${CONFIGURATIONS:-$(cut -d ' ' -f 1 "$work/rows-of-all")}
	do
		awk -v name="$configuration" '$1 == name { print; found = 1 } END { exit !found }' "$work/rows-of-all" ||
			{ echo "$configuration: no row in test/configurations"; return 1; }
	done
}

# shellcheck source=/dev/null
. "$top/test/contract.sh"

# The programs of the contract wait for devices and for compactions; so they run beside one another and beside the other
# tests, and their results are looked at when these are done, by a test each.
ways='plain asan kill'
test_of () {
	case $2 in
	plain) echo "$1: keeps the contract" ;;
	asan) echo "$1: and under the address and undefined behaviour sanitizers, without a leak" ;;
	kill) echo "$1: loses nothing acknowledged to kill -9 at async and sync" ;;
	esac
}
all_programs () {
	while read -r configuration rest
	do
		option=${configuration#"${configuration%%+*}"}
		# what some versions' libraries leak is borne of versions alone
		leaks=
		case " $versions " in
		*" $configuration "*) leaks="LSAN_OPTIONS='suppressions=$top/test/leaks:print_suppressions=0'" ;;
		esac
		for way in $ways
		do
			chosen "$(test_of "$configuration" "$way")" || continue
			from=$top/build/conform_ kill=
			[ "$way" != asan ] || from=$top/build/asan/conform_
			[ "$way" != kill ] || kill=--kill
			here=$work/conform-$configuration-$way
			echo "mkdir '$here' && $leaks $from${configuration%%+*} ${option:+--${option#+}} --db='$here' $kill >'$here.tap' 2>&1 &&" \
				"echo 0 >'$here.status'; rm -rf '$here'"
		done
	done <"$work/configurations"
}
conforms () {
	tap=$work/conform-$1-$2
	grep -v '^ok' "$tap.tap"
	[ -e "$tap.status" ] && ! grep -q '^not ok' "$tap.tap" && grep -q '^1\.\.' "$tap.tap"
}

# sync_faults WORD BOUNDS COMMITS: a line for each of the rows of a load in batches, overwrites and deletes that syncs or
# commits more or less often than it must, with what was expected
sync_faults () {
	"$quick_jq" -rs --arg word "$1" --argjson bounds "[$2]" --argjson commits "[$3]" '
		def level: {none: 0, async: 1, sync: 2}[.];
		to_entries[] | .key as $i | .value |
		def off(what; is; $least; $most): if is != null and is >= $least and is <= $most then empty else
			"\(.engine): \(.benchmark) at --durability=\($word): \(is) \(what), expected \($least) to \($most)" end;
		# sled hands its log to the system by sync_file_range, which waits for no device
		(if .engine == "sled" then (.syncs - .sync_file_ranges) / .commits else .syncs_per_commit end) as $per_commit |
		off("syncs a commit"; $per_commit; $bounds[$i][0]; $bounds[$i][1]),
		off("commits"; .commits; $commits[$i][0]; $commits[$i][1]),
		off("as effective level"; .durability_effective | level; $word | level; 2),
		if $i > 1 or $word == "none" or .write_amp == null and .engine != "kyoto" then empty
		else off("bytes handed to the kernel"; .io_wchar_bytes; .bytes; infinite) end'
}

# syncs CONFIGURATION SINGLE BATCH: syncs of a commit, measured, of batches, puts and deletes: none at none and async, an
# engine's background syncs aside; at sync as many as it needs. A word that the engine cannot keep is refused. From
# async on the kernel has been handed what was acknowledged, where it can be seen: of Kyoto, whose file is mapped, its log.
syncs () {
	for word in none async sync
	do
		rm -f "$work/rows"
		if ! run "$top/build/conform_" "$1" --facts | jq -e --arg word $word 'any(.durabilities[]; . == $word)' >"$work/jq"
		then
			fails 2 "durability=$word" run "$top/bench_" "$1" --db="$work/e-$1" --durability=$word || return 1
			continue
		fi
		# where each is synced so many are enough; where some are in the background, there must be many beside them
		case $word in
		sync) records=3000 writes=500 bounds="[$2, $("$quick_jq" -n "1.3 * $3")], [$2, $("$quick_jq" -n "1.1 * $2")], [$2, $("$quick_jq" -n "1.1 * $2")]" ;;
		*) records=10000 writes=1000 bounds='[0, 0.05], [0, 0.05], [0, 0.05]' ;;
		esac
		measure "$1" --benchmarks=fillseqbatch,overwrite,deleterandom --num=$records --batch=50 --writes=$writes --durability=$word ||
			return 1
		commits="[$((records / 50)), $((records / 50))], [$writes, $writes], [$((records / 2 + 1)), $records]"
		sync_faults "$word" "$bounds" "$commits" <"$work/rows" >"$work/faults" && [ "$(wc -l <"$work/rows")" -eq 3 ] || return 1
		cat "$work/faults"
		[ ! -s "$work/faults" ] || return 1
	done
}
# One that syncs more than its level asks is said in a line, with what was expected; one that does not is not said.
says_syncs () {
	{
		echo '{"engine": "eager", "benchmark": "fillseqbatch", "syncs_per_commit": 1, "commits": 200, "durability_effective": "sync"}'
		echo '{"engine": "eager", "benchmark": "overwrite", "syncs_per_commit": 0.04, "commits": 1000, "durability_effective": "sync"}'
		echo '{"engine": "eager", "benchmark": "deleterandom", "syncs_per_commit": 0, "commits": 6000, "durability_effective": "async"}'
	} >"$work/eager"
	sync_faults async '[0, 0.05], [0, 0.05], [0, 0.05]' '[200, 200], [1000, 1000], [5001, 10000]' <"$work/eager" | tee "$work/out"
	echo 'eager: fillseqbatch at --durability=async: 1 syncs a commit, expected 0 to 0.05' | diff - "$work/out"
	sync_faults sync '[1, 1], [0, 0], [1, 2]' '[2, 2], [1000, 1000], [6000, 6000]' <"$work/eager" >"$work/out"
	[ "$(wc -l <"$work/out")" -eq 4 ]
}
ok 'an engine that syncs more than its level asks is said in a line, with what was expected' says_syncs

shares_syncs () {
	measure "$1" --benchmarks=fillseqbatch,overwrite --num=10k --threads=16 --writes=25 --durability=sync || return 1
	if [ "$2" = shared ]
	then
		row '.commits == 400 and .syncs_per_commit < 1'
	else
		row '.commits == 400 and .syncs_per_commit >= 1'
	fi
}

# settles CONFIGURATION FLUSHES: what settling and closing take is measured, is within the time of the program, and is in no
# figure but the last; settling syncs at least so often
settles () {
	rm -f "$work/rows"
	began=$(date +%s%N)
	measure "$1" --benchmarks=fillrandbatch --num=20k --settle=1 || return 1
	lasted=$(($(date +%s%N) - began))
	row ".settle_seconds > 0 and .close_seconds > 0 and .open_seconds > 0 and
		.open_seconds + .seconds + .settle_seconds + .close_seconds < $lasted / 1e9 and
		.settle_syncs >= $2 and .settle_syncs < 100 and .close_syncs >= 0 and .close_syncs < 100 and
		(.ops / (.seconds + .settle_seconds + .close_seconds) / .ops_per_sec_all_in - 1 | fabs) < 1e-3 and
		.ops_per_sec_all_in < .ops_per_sec and (.engine_options | length > 10)" || return 1
	case $1 in
	# it cannot tell what work is pending: it is watched until it was idle for a second, which is not its time
	leveldb) row "$lasted / 1e9 - .settle_seconds - .seconds > 0.95" || return 1 ;;
	esac
	measure "$1" --use_existing_db=1 --benchmarks=readseq --num=20k --show_options=1 && grep -q '=' "$work/out"
}

# in_trouble CONFIGURATION LEAST ARGUMENTS...: ends with status 1 and a line of ours on stderr (LEAST 0: or none, but
# the row says it), and leaves no row to believe
in_trouble () {
	: >"$work/rows"
	configuration=$1 least=$2
	shift 2
	ended=0
	run "$top/bench_" "$configuration" --json="$work/rows" --hang_timeout=10 "$@" >"$work/out" 2>"$work/err" || ended=$?
	cat "$work/out" "$work/err"
	ours=$(awk -v name="bench_${configuration%%[+-]*}: " '
		index($0, name) == 1 && !/not fit for comparison|warning: / { n++ } END { print n + 0 }' "$work/err")
	[ $ended -eq 1 ] && [ "$ours" -ge "$least" ] && [ "$ours" -le 1 ] &&
	 jq -es 'all(.[]; .valid == 0 or .benchmark != $b)' --arg b "$last" "$work/rows"
}

no_room () {
	last=fillrandbatch
	status=0
	in_trouble "$1" 1 --db="$work/small/db" --benchmarks=$last --num=10m --batch=100 --cache_size=256Mi \
		--write_buffer_size=64Mi --check_space=0 || status=$?
	rm -rf "$work/small/db"
	[ $status -eq 0 ] && grep -q -i -e 'no space' -e 'no disk space' -e full "$work/err"
}

read_only () {
	last=overwrite
	measure "$1" --benchmarks=fillseqbatch --num=10k || return 1
	mount --bind "$work/e-$1/data" "$work/e-$1/data" && mount -o remount,bind,ro "$work/e-$1/data" || return 1
	status=0
	in_trouble "$1" 1 --db="$work/e-$1" --use_existing_db=1 --benchmarks=$last --num=10k || status=$?
	umount "$work/e-$1/data"
	return $status
}

# The middle half of the largest file of records becomes something else; of a file that is longer than what is in it, as
# Basho's logs are, that of what is in it.
damaged () {
	last=readseq
	measure "$1" --benchmarks=fillrandbatch,filluniquerandom --num=20k --settle=1 || return 1
	largest=$(find "$work/e-$1/data" -type f -size +100k ! -name 'WiredTigerLog*' ! -name 'log.*' ! -name '*.tokulog*' \
		! -name '*.jnl' -printf '%b %s %p\n' |
		awk '{ print ($1 * 512 < $2 ? $1 * 512 : $2), $2, substr($0, length($1 $2) + 3) }' | sort -n | tail -n 1)
	# from the first quarter almost to the end: of files with holes, and of those that are written anew behind what they hold
	allocated=${largest%% *} largest=${largest#* }
	yes damaged | dd of="${largest#* }" bs=4096 seek=$((allocated / 16384)) count=$(((7 * ${largest%% *} - 2 * allocated) / 32768)) \
		conv=notrunc iflag=fullblock 2>"$work/dd" || return 1
	# said by the engine, or seen in the records
	in_trouble "$1" 0 --db="$work/e-$1" --use_existing_db=1 --benchmarks=$last --num=20k --verify=1
}

# A driver may say that it cannot keep a word: here one of a copy, as none of ours does.
refuses_a_word () {
	copy_of_tree "$work/refusing"
	sed -i 's/DURABILITY_ASYNC, DURABILITY_SYNC}/DURABILITY_ASYNC, DURABILITY_UNSUPPORTED}/' "$work/refusing/engines/null.c"
	make -s -C "$work/refusing" bench_null && "$work/refusing/bench_null" --benchmarks=fillseq --num=1k --durability=async &&
		fails 2 '^bench_null: --durability=sync: null engine supports neither' "$work/refusing/bench_null" --benchmarks=fillseq \
			--num=1k --durability=sync --json="$work/refused" && [ ! -e "$work/refused" ]
}
ok 'a word of durability that an engine cannot keep is refused, and nothing is run' refuses_a_word

has_no_statistics () {
	"$top/bench_aio" --db="$work/none" --benchmarks=fillseq,stats,readseq --num=100 | tee "$work/out" | grep -x 'asynchronous I/O has no statistics of its own' &&
		grep '^readseq ' "$work/out"
}
ok 'of an engine without statistics, stats says so' has_no_statistics

says_non_atomic () {
	builds build/conform_kyoto && "$top/build/conform_kyoto" --facts | tee "$work/facts" &&
		jq -e '.non_atomic == ["seen", "crash", "database"] and .exclusive' "$work/facts" || return 1
	rm -f "$work/rows"
	for durability in none async sync
	do
		bench kyoto --num=100 --benchmarks=fillseqbatch --durability=$durability >"$work/out" || return 1
	done
	jq -es 'map(.batch_atomicity) == ["seen", "seen crash database", "seen crash database"]' "$work/rows"
}
# LMDB's is a snapshot; Kyoto Cabinet's follows the newest state.
iterator_beside_deletes () {
	builds "build/conform_$1" && mkdir "$work/iterators-$1" && "$top/build/conform_$1" --iterators=1 --db="$work/iterators-$1" | tee "$work/told" &&
		jq -e --argjson visible "$2" '.read and .visible == $visible and .loaded_kib > 2000 and .closed_kib > 2000' "$work/told"
}
ok 'lmdb: an open iterator returns what is deleted beside it' iterator_beside_deletes lmdb 20000
ok 'kyoto: an open iterator does not return what is deleted beside it' iterator_beside_deletes kyoto 1
# Each bit of the contract, and each call that an engine need not have: those that its comment says can be NULL.
says_every_bit () {
	builds build/conform_lmdb
	"$top/build/conform_lmdb" --facts >"$work/facts"
	sed -n '/^struct \(engine\|traits\|provenance\) {$/,/^}/s/^	bool \([a-z0-9_]*\);.*/\1/p' "$top/engines/engine.h" | sort -u >"$work/bits"
	[ "$(wc -l <"$work/bits")" -gt 10 ]
	"$quick_jq" -r 'to_entries[] | select(.value | type == "boolean").key' "$work/facts" | sort | diff "$work/bits" -
	sed -n '/^struct engine {$/,/^}/s/^	[a-z][^(]*(\*\([a-z_]*\))(.*/\1/p' "$top/engines/engine.h" | sort >"$work/all-calls"
	[ "$(wc -l <"$work/all-calls")" -gt 25 ]
	# what test_facts demands of all
	printf '%s\n' attach close del detach get last next open prev put seek version | sort >"$work/required"
	sed -n '/^static const char \*const optional_calls/,/;$/p' "$top/test/conform.c" | grep -o '"[a-z_]*"' | tr -d '"' |
		sort - "$work/required" | diff "$work/all-calls" -
}
ok 'conform --facts prints each bit of the contract, and each call that need not be there' says_every_bit
if [ -x "$top/bench_kyoto" ]
then
	ok 'conform --facts says in which ways batches are not atomic at any durability, rows at theirs' says_non_atomic
else
	skip 'conform --facts says in which ways batches are not atomic' 'Kyoto Cabinet is not installed'
fi
# Threads of an engine that was opened before a fork are not in the child, which may wait for them for ever.
kills_fresh_children () {
	command -v strace >"$work/where" || cannot 'strace is not installed'
	mkdir "$work/fresh"
	strace -f -qq -e trace=openat,execve -o "$work/trace" "$top/build/conform_lmdb" --db="$work/fresh" --kill --rounds=1 >"$work/out" 2>&1 ||
		{ cat "$work/out"; cannot 'strace may not trace here'; }
	rm -r "$work/fresh"
	# each database is opened by three children, and the process that was started is the first
	awk '{ first = first ? first : $1 } /data\.mdb.*= [0-9]/ { if (!($1 in opens)) n++; opens[$1] = 1 }
		END { print n, "processes open databases"; exit opens[first] || n != 9 }' "$work/trace"
}
ok 'conform --kill opens databases in fresh children only' kills_fresh_children
ok 'the programs of the contract build with the sanitizers' builds sanitized-conform

may_mount=
mkdir -p "$work/small"
if mount -t tmpfs -o size=1m none "$work/small" 2>"$work/mount"
then
	umount "$work/small"
	may_mount=1
fi

ok 'the configurations have their rows' configurations

# has_row FILE PATTERN: or says which has not
has_row () {
	grep -q -- "$2" "$top/$1" || { echo "$1: no $2"; return 1; }
}
# The files that the guide in docs/engines.md lists.
is_everywhere () {
	sed -n 's/^ENGINES = null //p' "$top/Makefile" | tr ' ' '\n' >"$work/engines"
	while read -r engine
	do
		package=$(sed -n "s/^$engine = \([^ ]*\) .*/\1/p" "$top/Makefile")
		{ has_row test/configurations "^${engine}[+ ]" && has_row docs/engines.md "^| bench_$engine |" &&
			has_row docs/engines.md "^### bench_$engine\$" && { [ "$package" = - ] || has_row scripts/debian/control "^ $package,\$"; } &&
			has_row scripts/plot/palette.json "^{\"engine\":\"$engine"; } || return 1
	done <"$work/engines"
	jq -es 'all(.[]; .engine and .light and .dark and .shape and .point and .hollow) and ([.[].shape] | length == (unique | length))' "$top/scripts/plot/palette.json"
}
ok 'each engine is in all files that the guide lists' is_everywhere
# Engines whose writers share syncs are named in docs/engines.md, and no others.
shared_syncs_are_named () {
	awk '$4 == "shared" && !/\+/ { print $1 }' "$work/rows-of-engines" | while read -r engine
	do
		sed -n -E 's/.*(TITLE|title =) "(.*)".*/\2/p' "$top/engines/$engine.c"
	done | sort >"$work/sharing"
	tr '\n' ' ' <"$top/docs/engines.md" | sed 's/.*Several writers can share a sync in //; s/[.].*//' | sed -E 's/, | and /\n/g' | sort | diff "$work/sharing" -
}
ok 'docs/engines.md names the engines whose writers share syncs' shared_syncs_are_named
configurations >"$work/configurations" 2>"$work/err"
all_programs | parallel --will-cite -j 4 &
contracts=$!
# inside ENGINE: what its driver makes of errors, messages and statistics, by value
inside () {
	builds "build/inside_$1"
	"$top/build/inside_$1" >"$work/inside" || { grep -v '^ok' "$work/inside"; return 1; }
	grep '^1\.\.[1-9]' "$work/inside"
}
for source in "$top"/test/inside/*.c
do
	engine=$(basename "$source" .c)
	if [ -x "$top/bench_$engine" ]
	then
		ok "$engine: its driver makes of errors, messages and statistics what they say" inside "$engine"
	else
		skip "$engine: what its driver makes of errors, messages and statistics" 'its library is not installed'
	fi
done
# asks ENGINE: the calls that its driver makes of it, with their arguments, are those that were looked at and found right
asks () {
	"$top/test/calls.sh" "$1" >"$work/asked"
	[ "$(head -n 1 "$work/asked")" = "$(head -n 1 "$top/test/calls/$1")" ] ||
		cannot "the calls that were looked at are those of $(sed 's/^# //; q' "$top/test/calls/$1")"
	diff -U 3 -F '^[a-z#]' "$top/test/calls/$1" "$work/asked"
}
stood_in=$(make -C "$top" -s stood-in)
for engine in $(grep -v '^#' "$top/test/calls.tsv" | cut -f 1 | uniq)
do
	if [ -x "$top/bench_$engine" ] || echo "$stood_in" | grep -q -w "$engine"
	then
		ok "$engine: asks its engine for what test/calls has, call by call, with each setting" asks "$engine"
	else
		skip "$engine: asks its engine for what test/calls has" 'its library is not installed'
	fi
done
while read -r configuration per_commit per_batch sharing settling native
do
	case " $known $versions " in
	*" ${configuration%%+*} "*) ;;
	*)
		skip "$configuration" 'its library is not installed'
		continue
		;;
	esac
	: >"$work/new"
	ok "$configuration: has natively what it must" natives "$configuration" "$native"
	cat "$work/new"
	ok "$configuration: answers as every engine does" answers "$configuration"
	ok "$configuration: does every workload, all records known" does_all "$configuration"
	ok "$configuration: syncs as often as each durability asks" syncs "$configuration" "$per_commit" "$per_batch"
	[ "$sharing" = nosync ] || ok "$configuration: 16 writers at sync, syncs $sharing" shares_syncs "$configuration" "$sharing"
	ok "$configuration: settles and closes, each accounted apart" settles "$configuration" "$settling"
	ok "$configuration: damaged files do not pass for a database" damaged "$configuration"
	if [ -n "$may_mount" ]
	then
		mount -t tmpfs -o size=24m none "$work/small"
		ok "$configuration: a full device ends the run with its reason" no_room "$configuration"
		umount "$work/small"
		ok "$configuration: a directory that cannot be written is said" read_only "$configuration"
	else
		skip "$configuration: a full device, a read-only directory" 'this user may not mount'
	fi
done <"$work/configurations"
wait $contracts
while read -r configuration _
do
	case " $known $versions " in
	*" ${configuration%%+*} "*) ;;
	*) continue ;;
	esac
	for way in $ways
	do
		ok "$(test_of "$configuration" "$way")" conforms "$configuration" "$way"
	done
	[ ! -e "$work/conform-$configuration-kill.tap" ] || sed -n 's/^ok [0-9]* - /# /p' "$work/conform-$configuration-kill.tap"
done <"$work/configurations"
