# servers.sh: engines behind a socket: the contract, what servers keep when they are killed, whose they are, what a row says.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317,SC2034 # sourced by test.sh, which has the variables

# shellcheck source=/dev/null
. "$top/test/contract.sh"
"$top/scripts/install-deps.sh" redis-server || exit 1
serve=$top/scripts/serve.sh
# What runs here is ended by its pid, also by clean_up: its environment has this TMPDIR.
# with_servers N COMMAND...: on servers of its own, which end with it
with_servers () {
	n=$1
	shift
	"$serve" redis --shards="$n" "$@"
}
# One that is at work but does not answer is not waited for, whatever its directory is called.
odd_directory () {
	odd="$work/it's a \"directory\" \\t"
	"$serve" redis --shards=2 --dir="$odd" >"$work/line"
	cat "$work/line"
	eval "$(cat "$work/line")"
	"$top/bench_redis" --db="$work/db-odd" --benchmarks=fillseqbatch,readrandom --num=100 --json="$work/rows" >"$work/out"
	row '.valid == 1 and .found == 100'
	mkdir "$work/a b"
	TMPDIR="$work/a b" "$serve" redis true
	kill -s STOP "$("$serve" status --dir="$odd" | sed -n 's/^1	//p' | cut -f 2)"
	fails 1 'server 1 does not answer' timeout 60 "$serve" redis --dir="$odd"
	kill -s CONT "$("$serve" status --dir="$odd" | sed -n 's/^1	//p' | cut -f 2)"
	"$serve" stop --remove --dir="$odd"
	fails 1 'has a comma' "$serve" redis --dir="$work/a,b"
}
none_left () {
	! grep -l -s -z "^TMPDIR=$work\$" /proc/[0-9]*/environ | cut -d / -f 3 | xargs -r ps -o comm= -p | grep -e redis-server -e java
}

builds_quietly () {
	builds bench_redis build/conform_redis && builds sanitized-conform
}
ok 'redis: builds, and with the sanitizers' needs builds_quietly

ok 'serve.sh: in a directory of any name, and for no longer than a server may be silent' odd_directory

# With --long all is done on one server as well as on three.
numbers=3
[ -z "$long" ] || numbers='1 3'
# contract N PROGRAM: with so many servers; begun beside one another, as they wait for servers, and looked at in turn
contract () {
	mkdir "$work/contract-$1-$3"
	with_servers "$1" "$2" --db="$work/contract-$1-$3" >"$work/contract-$1-$3.tap" 2>&1 && touch "$work/contract-$1-$3.done"
}
kept () {
	tap=$work/contract-$1-$2
	grep -v '^ok' "$tap.tap"
	[ -e "$tap.done" ] && grep -q '^1\.\.[1-9]' "$tap.tap" && ! grep -q '^not ok' "$tap.tap"
}
if chosen 'redis on 3: keeps the contract' || chosen 'redis on 3: and under the sanitizers, without a leak'
then
	needs builds_quietly >"$work/building" 2>&1
	[ -z "$long" ] || contract 1 "$top/build/conform_redis" plain &
	contract 3 "$top/build/conform_redis" plain &
	contract 3 "$top/build/asan/conform_redis" asan &
	wait
fi
[ -z "$long" ] || ok 'redis on 1: keeps the contract' kept 1 plain
ok 'redis on 3: keeps the contract' kept 3 plain
ok 'redis on 3: and under the sanitizers, without a leak' kept 3 asan
[ ! -e "$work/contract-3-plain.tap" ] || sed -n 's/^ok [0-9]* - \(redis: .*\) # skip /# \1: /p' "$work/contract-3-plain.tap"

own_row=$(sed -n 's/^redis .* //p' "$top/test/configurations")
ok 'redis: has natively what it must' natives redis "$own_row"

# the same questions, the same answers
answers_alike () {
	for n in $numbers
	do
		eval "$("$serve" redis --shards="$n" --dir="$work/answers")"
		status=0
		answers redis || status=$?
		"$serve" stop --remove --dir="$work/answers"
		[ $status -eq 0 ] || return 1
	done
}
ok 'redis: answers as embedded engines do' answers_alike
all_workloads () {
	eval "$("$serve" redis --shards=3 --dir="$work/workloads")"
	status=0
	does_all redis || status=$?
	"$serve" stop --remove --dir="$work/workloads"
	return $status
}
[ -z "$long" ] || ok 'redis on 3: does every workload, all records known' all_workloads

# Money is neither made nor lost by transactions that read, and they do meet; where they cannot be had that is said before.
keeps_money () {
	with_servers 1 "$top/bench_redis" --db="$work/db-bank" --preset=smallbank --num=50 --hot_customers=5 --threads=4 --writes=500 --reads=500 --json="$work/rows" >"$work/out" 2>"$work/err" ||
		{ cat "$work/out" "$work/err"; return 1; }
	row '.benchmark == "smallbank" and .valid == 1 and .write_skews == 0 and .conflicts > 0 and .commits > 100' || return 1
	with_servers 3 "$top/bench_redis" --db="$work/db-bank" --preset=smallbank --num=200 >"$work/out" 2>"$work/err" && return 1
	cat "$work/err"
	grep '^bench_redis: smallbank-load: its transactions need all records in one database' "$work/err"
}
ok 'redis: transactions on one server keep SmallBank whole, and on three are refused' keeps_money
says_statistics () {
	with_servers 2 "$top/bench_redis" --db="$work/db-stats" --benchmarks=fillseq,stats --num=100 >"$work/out"
	cat "$work/out"
	[ "$(grep -c '^server ' "$work/out")" -eq 4 ]
	[ "$(grep -c '^used_memory:[1-9]' "$work/out")" -eq 2 ]
}
ok 'redis: stats prints what each server counts' says_statistics

# killed N WORD SEED [SECONDS]: kill -9 of the servers while four threads commit, so late; what is left of it goes to $work/left
killed () {
	rm -rf "$work/killed" "$work/cut"
	mkdir "$work/killed"
	mkfifo "$work/cut"
	eval "$("$serve" redis --shards="$1" --dir="$work/killed-servers")"
	pids=$("$serve" status --dir="$work/killed-servers" | cut -f 3)
	# shellcheck disable=SC2086 # words, on purpose
	{ head -c 1 <"$work/cut" >"$work/out" && kill -s KILL $pids; } &
	counts=$(timeout 60 "$top/build/conform_redis" --db="$work/killed" --cut="$work/cut" --durability="$2" --threads=4 --seed="$3" --seconds="${4:-0.5}")
	wait $!
	echo "$1 servers at $2, acknowledged: $counts"
	"$serve" redis --dir="$work/killed-servers" >"$work/out"
	"$top/build/conform_redis" --db="$work/killed" --recount="$counts" --durability="$2" | jq -cs add >"$work/left"
	cat "$work/left"
	"$serve" stop --remove --dir="$work/killed-servers"
}
nothing_lost () {
	jq -e '.opens == 1 and .lost == 0 and .partial_batches == 0 and .settled_lost == 0 and .wrong == 0 and .scan_disagrees == 0 and .writes_on == 1' "$work/left"
}
loses_nothing () {
	for n in $numbers
	do
		for word in async sync
		do
			killed "$n" $word "$n"
			nothing_lost
			# before a log that has just been turned on could be written anew unawaited
			killed "$n" $word "$n" 0.001
			nothing_lost
		done
	done
}
ok 'redis: loses nothing acknowledged when its servers are killed at async and sync' loses_nothing
loses_all () {
	killed 1 none 1
	jq -e '.opens == 0 or .lost > 0' "$work/left"
}
ok 'and at none, where nothing is kept, that is seen' loses_all
removed_meanwhile () {
	eval "$("$serve" redis --shards=1 --dir="$work/written")"
	timeout 1 sh -c 'until [ ! -d "$0" ]; do n=$((n + 1)); : >"$0/late$n"; done' "$work/written/1" 2>"$work/late" &
	"$serve" stop --remove --dir="$work/written"
	wait $! || :
	[ ! -e "$work/written" ]
}
ok 'serve.sh removes also what something writes there for a moment' removed_meanwhile

# pair: begin a server and a replica of it; at ports, as a replica needs one
pair () {
	port=$((31000 + $$ % 1000))
	eval "$("$serve" redis --replicas=1 --port=$port --dir="$work/pair")"
	"$serve" status --dir="$work/pair" >"$work/pids"
	cat "$work/pids"
	replica=$(sed -n 2p "$work/pids" | cut -f 3)
}
# A commit that WAITed is at the replica, if the server is lost with all it has.
replica_has_all () {
	pair
	rm -rf "$work/killed" "$work/cut"
	mkdir "$work/killed"
	mkfifo "$work/cut"
	{ head -c 1 <"$work/cut" >"$work/out" && kill -s KILL "$(sed -n 1p "$work/pids" | cut -f 3)"; } &
	counts=$(timeout 60 "$top/build/conform_redis" --db="$work/killed" --cut="$work/cut" --durability=none --threads=4 --seed=1 --seconds=0.5 --redis_wait=1)
	wait $!
	echo "acknowledged: $counts"
	redis-cli -p $((port + 1)) replicaof no one
	ASSAY_REDIS=127.0.0.1:$((port + 1)) "$top/build/conform_redis" --db="$work/killed" --recount="$counts" --durability=none | jq -cs add >"$work/left"
	cat "$work/left"
	nothing_lost
	"$serve" stop --remove --dir="$work/pair"
}
# One that does not is invalid: a replica that has stopped acknowledges nothing.
replica_stops () {
	pair
	fails 1 "has a server at 127.0.0.1:$port, not at --port=$((port + 1))" "$serve" redis --port=$((port + 1)) --dir="$work/pair"
	fails 2 'it has fewer replicas than --redis_wait asks for' "$top/bench_redis" --db="$work/db-pair" --num=100 --redis_wait=2
	set -- "$top/bench_redis" --db="$work/db-pair" --num=1k --json="$work/rows"
	"$@" --benchmarks=fillseqbatch,overwrite --batch=100 --writes=200 --redis_wait=1 >"$work/out"
	row '.valid == 1 and .benchmark == "overwrite" and .round_trips_per_op == 1 and (.engine_options | test(" redis_wait=1$"))'
	"$@" --use_existing_db=1 --benchmarks=readrandom,readseq --redis_wait=1 --verify=1 >"$work/out"
	kill -s STOP "$replica"
	for batch in 1 100
	do
		got=0
		"$@" --use_existing_db=1 --benchmarks=overwritebatch --batch=$batch --writes=4 --redis_wait=1 >"$work/out" 2>"$work/err" || got=$?
		cat "$work/err"
		[ $got -eq 1 ]
		row '.valid == 0 and .commits == 0 and (.invalid_reason | test("0 of 1 replicas acknowledged a commit within 3 s"))'
	done
	# who does not ask does not wait
	"$@" --use_existing_db=1 --benchmarks=overwrite --writes=200 >"$work/out"
	row '.valid == 1 and .commits == 200'
	kill -s CONT "$replica"
	"$serve" stop --remove --dir="$work/pair"
}
ok 'redis: what a replica has acknowledged outlives the server, at none' replica_has_all
ok 'redis: what it has not is no commit, and invalidates the row' replica_stops

# syncs of the server's process, for so many commits
server_syncs () {
	eval "$("$serve" redis --dir="$work/synced")"
	pid=$("$serve" status --dir="$work/synced" | cut -f 3)
	status=0
	for word in none async sync
	do
		"$top/bench_redis" --db="$work/db-flushed" --benchmarks=fillseqbatch --num=1k --durability=$word --json="$work/rows" >"$work/out" &&
			strace -f -qq -e trace=fsync,fdatasync -o "$work/strace-$word" -p "$pid" 2>"$work/err" &
		strace=$!
		within 30 [ -e "$work/strace-$word" ]
		sleep 0.5
		"$top/bench_redis" --db="$work/db-flushed" --use_existing_db=1 --benchmarks=overwrite --writes=400 --num=1k --durability=$word \
			--json="$work/rows" >"$work/out" || status=1
		kill "$(pgrep -P $strace -x strace || echo $strace)"
		wait $strace || true
		row '.commits == 400 and .syncs == null and .syncs_per_commit == null and .durability_effective == .durability' || status=1
		eval "syncs_$word=$(grep -c sync "$work/strace-$word" || true)"
	done
	"$serve" stop --remove --dir="$work/synced"
	echo "syncs of 400 commits: none $syncs_none, async $syncs_async, sync $syncs_sync"
	[ $status -eq 0 ] && [ "$syncs_none" -eq 0 ] && [ "$syncs_async" -eq 0 ] && [ "$syncs_sync" -ge 400 ] && [ "$syncs_sync" -le 404 ]
}
ok 'redis: its server syncs each commit at sync, and none otherwise' server_syncs

# What the way to the servers takes: a get one round trip, a seek two, a batch one on any number of servers.
says_cost () {
	with_servers 3 "$top/bench_redis" --db="$work/db-cost" --num=10k --batch=100 --json="$work/rows" --settle=1 \
		--benchmarks=fillseqbatch,readrandom,seekrandom,multireadrandom,overwrite >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
	jq -c '[.benchmark, .servers, .round_trips, .round_trips_per_op, .server_user_s, .server_sys_s, .server_rss_kb]' "$work/rows" | tail -n 5
	tail -n 5 "$work/rows" | jq -es 'map({(.benchmark): .round_trips_per_op}) | add ==
		{fillseqbatch: 0.01, readrandom: 1, seekrandom: 2, multireadrandom: 0.01, overwrite: 1}' || return 1
	tail -n 5 "$work/rows" | jq -es 'all(.[]; .valid == 1 and .servers == 3 and .batch_atomicity == "seen crash" and .server_rss_kb > 5000 and
		.server_user_s + .server_sys_s > 0 and .server_user_s + .server_sys_s < 3 * .seconds + 0.1 and (.engine_version | test("^[0-9]+[.]")) and
		(.engine_options | test("appendfsync=no")) and
		([.syncs, .settle_syncs, .db_disk_kb, .run_disk_kb, .space_amp, .write_amp, .device_write_bytes, .filesystem, .device] |
			all(. == null)))' || return 1
	"$top/bench_lmdb" --db="$work/db-none" --benchmarks=fillseq --num=1k --json="$work/rows" >"$work/out" && row '.servers == null and .round_trips == null'
}
ok 'rows say what the socket and its servers cost, and nothing of files that are not theirs' says_cost

# the server's CPU time is the kernel's figure
counts_time () {
	eval "$("$serve" redis --dir="$work/time")"
	stat=/proc/$("$serve" status --dir="$work/time" | cut -f 3)/stat
	before=$(sed 's/.*) //' "$stat" | awk '{ print $12 + $13 }')
	status=0
	"$top/bench_redis" --db="$work/db-time" --num=1k --benchmarks=fillrandom,readrandom --reads=150k --json="$work/rows" >"$work/out" || status=1
	ticks=$(($(sed 's/.*) //' "$stat" | awk '{ print $12 + $13 }') - before))
	"$serve" stop --remove --dir="$work/time"
	[ $status -eq 0 ] || return 1
	tail -n 2 "$work/rows" | jq -es --argjson ticks "$ticks" --argjson hz "$(getconf CLK_TCK)" '
		(map(.server_user_s + .server_sys_s) | add) as $said | [$said, $ticks / $hz] | debug | $said > 0.2 and ($said / .[1] - 1 | fabs) < 0.2'
}
ok 'and its CPU time is what the kernel has counted' counts_time

# One of three dies: the row is invalid, and names it.
names_the_dead () {
	rm -f "$work/rows" "$work/out"
	eval "$("$serve" redis --shards=3 --dir="$work/dead")"
	"$top/bench_redis" --db="$work/db-dead" --benchmarks=fillseqbatch,readrandom --num=10k --duration=60 --json="$work/rows" >"$work/out" 2>"$work/err" &
	bench=$!
	within 20 grep -q fillseqbatch "$work/out"
	kill -s KILL "$("$serve" status --dir="$work/dead" | sed -n 2p | cut -f 3)"
	status=0
	exits 1 $bench || status=1
	"$serve" stop --remove --dir="$work/dead"
	cat "$work/out" "$work/err"
	[ $status -eq 0 ] && row '.benchmark == "readrandom" and .valid == 0 and (.invalid_reason | test("dead/2/socket"))'
}
ok 'a server that dies invalidates the row with its name' names_the_dead

# says STATUS PATTERN COMMAND...: it ends so, and says so; beside what a program says of its library
says () {
	want=$1 pattern=$2
	shift 2
	got=0
	"$@" >"$work/stdout" 2>"$work/stderr" || got=$?
	cat "$work/stderr"
	[ $got -eq "$want" ] && grep -q -e "$pattern" "$work/stderr" && [ "$(grep -c -v -e 'not fit for comparison' -e 'warning: ' "$work/stderr")" -eq 1 ]
}

# no_redis STATUS PATTERN ARGUMENTS...: refused in one line
no_redis () {
	want=$1 pattern=$2
	shift 2
	fails "$want" "$pattern" "$top/bench_redis" --db="$work/db-refused" --num=100 "$@"
}
whose () {
	redis-cli -s "$work/whose/1/socket" "$@" >>"$work/said"
}
keeps_foreign () {
	no_redis 2 'no server is given' && no_redis 2 'no server answers at /nowhere/socket' --redis=/nowhere/socket &&
		no_redis 2 "'nowhere' is not an address" --redis=nowhere && no_redis 2 "':1' is not an address" --redis=:1 &&
		no_redis 2 '192.0.2.1:6379 is not on this machine' --redis=192.0.2.1:6379 &&
		no_redis 2 '127.0.0.1.evil:1 is not on this machine' --redis=127.0.0.1.evil:1 &&
		no_redis 2 'no server answers at 127.0.0.1.evil:1' --redis=127.0.0.1.evil:1 --redis_remote=1 || return 1
	[ ! -e "$work/db-refused" ] || return 1
	eval "$("$serve" redis --dir="$work/whose")"
	no_redis 2 'keeps its records in other processes' --cold=1 && no_redis 2 'keeps its records in other processes' --memory=1Gi || return 1
	whose set mine 1
	no_redis 2 'it holds records that assay did not write' && whose flushall && whose -n 3 set mine 1 &&
		no_redis 2 'databases that assay did not make' && [ "$(redis-cli -s "$work/whose/1/socket" -n 3 get mine)" = 1 ] && whose flushall || return 1
	whose config set maxmemory-policy allkeys-lru
	no_redis 2 'may drop records' && whose config set maxmemory-policy noeviction || return 1
	[ ! -e "$work/db-refused" ]
}
ok 'what is not ours is refused before anything is touched, and stays' keeps_foreign
one_owner () {
	for db in one other
	do
		"$top/bench_redis" --db="$work/db-$db" --benchmarks=fillseq --num=100 >"$work/out" || return 1
	done
	says 1 'another database than this directory' "$top/bench_redis" --db="$work/db-one" --use_existing_db=1 --benchmarks=readseq --num=100 &&
		"$top/bench_redis" --db="$work/db-other" --use_existing_db=1 --benchmarks=readseq --num=100 >"$work/out" || return 1
	"$top/bench_redis" --db="$work/db-other" --use_existing_db=1 --benchmarks=readrandom --duration=20 --num=100 >"$work/out" &
	bench=$!
	within 10 sh -c "redis-cli -s '$work/whose/1/socket' client list | grep -q ' name=assay '" || { kill $bench; return 1; }
	status=0
	says 1 'another bench_redis uses it' "$top/bench_redis" --db="$work/db-one" --benchmarks=fillseq --num=100 || status=1
	kill -s TERM $bench
	wait $bench || true
	return $status
}
whose_servers () {
	eval "$("$serve" redis --dir="$work/whose")"
	status=0
	one_owner || status=$?
	"$serve" stop --remove --dir="$work/whose"
	return $status
}
ok 'a server has the records of one directory, and of one bench at a time' whose_servers

# Several clients of one server.
shared () {
	eval "$("$serve" redis --dir="$work/shared")"
	status=0
	{ "$top/bench_redis" --db="$work/db-shared" --benchmarks=fillseq --num=1k >"$work/out" &&
		"$top/scripts/clients.sh" --clients=2 --out="$work/clients" "$top/bench_redis" --db="$work/db-shared" --use_existing_db=1 --multiprocess_read=1 \
			--benchmarks=readrandom --reads=20k --num=1k >"$work/merged" 2>"$work/err"; } || status=1
	"$serve" stop --remove --dir="$work/shared"
	cat "$work/merged" "$work/err"
	[ $status -eq 0 ] && [ "$(sed -n 2p "$work/merged" | cut -f 1-3)" = "$(printf 'redis.readrandom.read\t2\t40000')" ]
}
ok 'clients at once share a server' shared

# ---- serve.sh ----

listens_here () {
	port=$((20000 + $$ % 10000))
	with_servers 2 --port=$port sh -c 'echo "$ASSAY_REDIS" && ss -H -l -t -n -p' >"$work/listens" || return 1
	head -n 1 "$work/listens"
	[ "$(head -n 1 "$work/listens")" = "127.0.0.1:$port,127.0.0.1:$((port + 1))" ] &&
		[ "$(grep -c " 127[.]0[.]0[.]1:\($port\|$((port + 1))\) " "$work/listens")" -eq 2 ] &&
		! grep redis-server "$work/listens" | grep -v ' 127[.]0[.]0[.]1:' || return 1
	with_servers 1 sh -c 'stat -c %a "$ASSAY_REDIS" && stat -c %a "$(dirname "$ASSAY_REDIS")" && exit 7' >"$work/out" && return 1
	[ "$(paste -s -d ' ' "$work/out")" = '700 700' ]
}
ok 'serve.sh listens on this machine only, and passes on how its command ended' listens_here

# ended_so SIGNAL STATUS: with it the servers end, whatever its command is at
ended_so () {
	# what a shell starts in the background ignores INT; not here
	env --default-signal=INT,HUP "$serve" redis --shards=2 --dir="$work/signal" sh -c 'echo $$ >"$0"; exec sleep 60' "$work/sleeper" >"$work/out" 2>"$work/err" &
	serving=$!
	within 20 [ -s "$work/sleeper" ]
	pids=$("$serve" status --dir="$work/signal" | cut -f 3)
	kill -s "$1" $serving
	exits "$2" $serving || return 1
	for pid in $pids $(cat "$work/sleeper")
	do
		[ ! -e "/proc/$pid/cwd" ] || { echo "process $pid is there"; return 1; }
	done
	rm "$work/sleeper"
	"$serve" stop --remove --dir="$work/signal" && [ ! -e "$work/signal" ]
}
ends_them () {
	ended_so INT 130 && ended_so TERM 143 && ended_so HUP 129
}
ok 'and servers end with it, by Ctrl-C too' ends_them
refuses_to_serve () {
	fails 2 'cannot read' "$serve" memcached && fails 2 "cannot read '0'" "$serve" redis --shards=0 && fails 2 "cannot read '33'" "$serve" redis --shards=33 &&
		fails 2 'is not a command' "$serve" redis nosuchcommand && fails 2 'cannot read' "$serve" redis --bind=0.0.0.0 &&
		fails 2 'ports end' "$serve" redis --port=65535 --shards=2 && fails 2 'ports end' "$serve" redis --port=65535 --replicas=1 &&
		fails 2 "cannot read '07001'" "$serve" redis --port=07001 &&
		fails 2 'give --port' "$serve" redis --replicas=1 && fails 2 "cannot read '9'" "$serve" redis --replicas=9 --port=7001 || return 1
	mkdir "$work/foreign" && echo mine >"$work/foreign/1" && fails 1 'not empty and was not made by serve.sh' "$serve" redis --dir="$work/foreign" &&
		fails 1 'was not made by serve.sh' "$serve" stop --remove --dir="$work/foreign" && [ "$(cat "$work/foreign/1")" = mine ]
}
ok 'serve.sh refuses what it cannot do, and directories that are not its own' refuses_to_serve
# ---- MongoDB, by mongo-java-server, as no package has mongod: the protocol is looked at, not MongoDB ----

# mongo COMMAND...: with a mongod in PATH that is mongo-java-server, at a port of its own
mongo_port=$((29000 + $$ % 1000))
prepare_mongo () {
	[ ! -x "$work/mongo/mongod" ] || return 0
	for tool in java javac mvn
	do
		command -v $tool >"$work/out" || cannot "$tool is not installed"
	done
	pkg-config --exists libmongoc-1.0 || cannot 'libmongoc-dev is not installed'
	make -s -C "$top" bench_mongodb bench_lmdb build/conform_mongodb || return 1
	mkdir -p "$work/mongo"
	timeout 200 mvn -q -B -f "$top/test/mongo-java-server/pom.xml" dependency:copy-dependencies -DoutputDirectory="$work/mongo/jars" \
		>"$work/out" 2>&1 || cannot 'mvn did not bring mongo-java-server'
	javac -cp "$work/mongo/jars/*" -d "$work/mongo" "$top/test/mongo-java-server/Server.java" || return 1
	cat >"$work/mongo/mongod" <<END
#!/bin/sh
[ "\$1 \$3 \$4 \$5 \$7" = '--dbpath --bind_ip 127.0.0.1 --port --nounixsocket' ] || exit 2
exec java -Djava.net.preferIPv4Stack=true -cp "$work/mongo:$work/mongo/jars/*" Server "\$2/records" "\$4" "\$6"
END
	chmod +x "$work/mongo/mongod"
}
mongo () {
	prepare_mongo || return 1
	PATH=$work/mongo:$PATH "$serve" mongodb --port="$mongo_port" "$@"
}
mongo_keeps () {
	mkdir "$work/contract-mongo"
	mongo "$top/build/conform_mongodb" --db="$work/contract-mongo" >"$work/mongo.tap" || { cat "$work/mongo.tap"; return 1; }
	grep '^not ok' "$work/mongo.tap" && return 1
	grep -q '^1\.\.[1-9]' "$work/mongo.tap"
	natives mongodb -
}
ok 'mongodb: keeps the contract' mongo_keeps
mongo_answers () {
	prepare_mongo
	eval "$(mongo --dir="$work/mongo-answers")"
	status=0
	answers mongodb || status=1
	"$serve" stop --remove --dir="$work/mongo-answers"
	[ $status -eq 0 ] && [ ! -e "$work/mongo-answers" ]
}
[ -z "$long" ] || ok 'mongodb: answers as embedded engines do' mongo_answers
# What such a row says: the round trips, that the server is no mongod, and nothing of what it does not report.
mongo_rows () {
	rm -f "$work/rows"
	mongo "$top/bench_mongodb" --db="$work/db-mongo" --num=1k --batch=100 --json="$work/rows" --settle=1 \
		--benchmarks=fillseqbatch,readrandom,seekrandom,overwrite,readseq --mongodb_scan=100 >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
	jq -c '[.benchmark, .servers, .round_trips, .engine_version, .engine_options, .server_user_s, .server_rss_kb, .batch_atomicity]' "$work/rows"
	jq -es 'map({(.benchmark): .round_trips_per_op}) | add |
		.fillseqbatch == 0.01 and .readrandom == 1 and .overwrite == 1 and .readseq == 0.01 and
		.seekrandom > 1.7 and .seekrandom < 2' "$work/rows"
	jq -es 'all(.[]; .valid == 1 and .servers == 1 and .engine_version == "not mongod: says 5.0.0" and .batch_atomicity == "seen crash" and
		([.server_user_s, .server_sys_s, .server_rss_kb, .memory_used_kb, .syncs, .db_disk_kb] | all(. == null)))' "$work/rows"
}
ok 'mongodb: rows count round trips, and say that the server is not mongod' mongo_rows
# Each write is acknowledged (w is 1), and asks for the journal (j) above none; async is sync.
mongo_durable () {
	for word in none async sync
	do
		rm -f "$work/rows"
		mongo strace -f -qq -xx -s 200 -e trace=sendmsg,sendto,write,writev -o "$work/mongo-sent" \
			"$top/bench_mongodb" --db="$work/db-mongo" --benchmarks=fillrandom --num=50 --durability=$word --json="$work/rows" >"$work/out"
		journal=01 effective=sync
		[ $word != none ] || journal=00 effective=none
		row ".commits == 50 and .durability_effective == \"$effective\""
		# of a command with an update in it
		grep -c -F '\x75\x70\x64\x61\x74\x65\x00' "$work/mongo-sent" | tee "$work/updates"
		[ "$(cat "$work/updates")" -eq 50 ]
		[ "$(grep -F '\x75\x70\x64\x61\x74\x65\x00' "$work/mongo-sent" | grep -F '\x10\x77\x00\x01\x00\x00\x00' |
			grep -c -F "\\x08\\x6a\\x00\\x$journal")" -eq 50 ]
	done
}
ok 'mongodb: each write is acknowledged, and by the journal at async and sync' mongo_durable
# no_mongo STATUS PATTERN ARGUMENTS...: refused in one line
no_mongo () {
	want=$1 pattern=$2
	shift 2
	says "$want" "$pattern" "$top/bench_mongodb" --benchmarks=fillseq --num=100 "$@"
}
mongo_refuses () {
	prepare_mongo
	for address in nowhere :1 mongodb://127.0.0.1:1 '127.0.0.1:1,127.0.0.1:2' '127.0.0.1:1?w=0' 'me@127.0.0.1:1'
	do
		no_mongo 2 'is not an address' --db="$work/db-no" --mongodb="$address"
	done
	no_mongo 2 'no server is given' --db="$work/db-no"
	no_mongo 2 'no server answers at 127.0.0.1:1' --db="$work/db-no" --mongodb=127.0.0.1:1
	no_mongo 2 '192.0.2.1:1 is not on this machine' --db="$work/db-no" --mongodb=192.0.2.1:1
	[ ! -e "$work/db-no" ]
	cat >"$work/mongo-foreign.c" <<-'END'
		#include <mongoc/mongoc.h>
		int main(int n, char **word)
		{
			mongoc_client_t *c = (mongoc_init(), mongoc_client_new(word[n - 1]));
			bson_t *mine = BCON_NEW("mine", BCON_INT32(1));
			return !mongoc_collection_insert_one(mongoc_client_get_collection(c, "assay", "mine"), mine, NULL, NULL, NULL);
		}
	END
	# shellcheck disable=SC2046 # words, on purpose
	cc "$work/mongo-foreign.c" -o "$work/mongo-foreign" $(pkg-config --cflags --libs libmongoc-1.0)
	eval "$(mongo --dir="$work/mongo-whose")"
	fails 1 'has servers of mongodb, not redis' "$serve" redis --dir="$work/mongo-whose"
	"$work/mongo-foreign" "mongodb://$ASSAY_MONGODB"
	no_mongo 2 'holds what assay did not write' --db="$work/db-no"
	[ ! -e "$work/db-no" ]
	"$serve" stop --remove --dir="$work/mongo-whose"
	eval "$(mongo --dir="$work/mongo-whose")"
	for db in one other
	do
		"$top/bench_mongodb" --db="$work/db-mongo-$db" --benchmarks=fillseq --num=100 >"$work/out"
	done
	no_mongo 1 'another database than this directory' --db="$work/db-mongo-one" --use_existing_db=1 --benchmarks=readseq
	"$top/bench_mongodb" --db="$work/db-mongo-other" --use_existing_db=1 --benchmarks=readseq --num=100 >"$work/out"
	"$serve" stop --remove --dir="$work/mongo-whose"
}
ok 'mongodb: what is not ours is refused before anything is touched' mongo_refuses
mongo_serves () {
	fails 2 'cannot read' "$serve" mongodb --shards=2
	fails 2 'cannot read' "$serve" mongodb --durability=sync
	PATH=/usr/bin:/bin command -v mongod >"$work/out" ||
		PATH=/usr/bin:/bin fails 1 'mongod is not installed' "$serve" mongodb true
}
ok 'serve.sh mongodb needs a mongod, and has no shards' mongo_serves

ok 'no server is left' none_left
