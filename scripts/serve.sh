#!/bin/sh
# serve.sh: start and stop the servers that bench_redis and bench_mongodb measure, on this machine only; see --help.
# shellcheck disable=SC2317 # what only the traps call
set -eu
. "$(dirname "$0")/common.sh"
needs_linux '/proc' "$@"

help () {
	cat <<END
usage: scripts/serve.sh redis | mongodb [option ...] [COMMAND [ARGUMENT ...]]
       scripts/serve.sh status | stop [--dir=DIRECTORY] [--remove]

Starts Redis servers that bench_redis measures, or the mongod in PATH, which no package here
brings, for bench_mongodb. With COMMAND, it runs that against them and
stops them at its end, also after a failure or an interrupt (except SIGKILL). Without, the servers
run until \`serve.sh stop\`, and the printed line tells a shell their addresses:

    scripts/serve.sh redis --shards=3 ./bench_redis --benchmarks=fillseqbatch,readrandom
    eval "\$(scripts/serve.sh redis)"; ./bench_redis; scripts/serve.sh stop

  --shards=N            number of servers, of which each has a part of the keys, at most 32 [1]
  --replicas=N          number of replicas of each server, at most 8, for bench_redis
                        --redis_wait=N; needs --port, and takes the ports after those of the servers
                        [0]
  --dir=DIRECTORY       directory of their files, made if missing. Servers in it that have ended
                        are started again with the data of their logs [a temporary one with
                        COMMAND; otherwise \$TMPDIR, or /tmp, and assay-UID/servers below it]
  --port=PORT           listen at 127.0.0.1 on this port and the following ones, instead of on
                        sockets in DIRECTORY that only this user can reach. mongod has no such
                        socket [mongodb: 27017]
  --durability=WORD     until a bench_redis sets its own. none: memory only; async: an append-only
                        file; sync: each write is synced to it [none]
  --remove              stop: delete DIRECTORY's files of servers, too
  --help                this

mongodb takes --dir and --port only. Any user of this machine can reach its port. Servers listen on
this machine only. Start others there: bench_redis --redis=HOST:PORT,... --redis_remote=1 uses them.
In DIRECTORY: the marker assay.servers, and for each server a directory with its socket, pid,
log and files. COMMAND finds their addresses in ASSAY_REDIS, without those of replicas, or in
ASSAY_MONGODB. status prints a line for each: number, address, process (or ended), and of what it is
a replica.
Exit status: that of COMMAND; 1 a server failed, or with status: has ended; 2 wrong arguments.
END
}

marker='assay servers; what is in directories with a number is assay'\''s to delete'
verb=${1-}
case $verb in
--help) help; exit 0 ;;
redis | mongodb | status | stop) shift ;;
*) fail 2 "cannot read '$verb'; give redis, mongodb, status or stop, see --help" ;;
esac
shards=1 shards_given='' replicas=0 replicas_given=''
dir='' port='' port_given='' durability=none remove=''
while [ $# -gt 0 ]
do
	value=${1#*=}
	case $verb/$1 in
	*/--help) help; exit 0 ;;
	*/--dir=?*) dir=$value ;;
	redis/--shards=?*) shards=$value shards_given=1 ;;
	redis/--replicas=?*) replicas=$value replicas_given=1 ;;
	redis/--port=?* | mongodb/--port=?*) port=$value port_given=1 ;;
	redis/--durability=none | redis/--durability=async | redis/--durability=sync)
		durability=$value ;;
	stop/--remove) remove=1 ;;
	redis/-* | mongodb/-*) refuse "$1" ;;
	redis/* | mongodb/*) break ;;
	*) refuse "$1" ;;
	esac
	shift
done
[ "$verb" != mongodb ] || port=${port:-27017}
case $shards in
[1-9] | [12][0-9] | 3[0-2]) ;;
*) fail 2 "--shards: cannot read '$shards'; give a number from 1 to 32" ;;
esac
case $replicas in
[0-8]) ;;
*) fail 2 "--replicas: cannot read '$replicas'; give a number from 0 to 8" ;;
esac
[ "$replicas" -eq 0 ] || [ -n "$port" ] ||
	fail 2 "--replicas: replicas reach their server at a port only; give --port, too"
all=$((shards * (1 + replicas)))
case $port in
'') ;;
*[!0-9]* | 0* | ??????*) fail 2 "--port: cannot read '$port'; give a number from 1 to 65535" ;;
*) { [ "$port" -ge 1 ] && [ $((port + all - 1)) -le 65535 ]; } ||
	fail 2 "--port: $all from $port on; ports end at 65535" ;;
esac
[ $# -eq 0 ] || command -v "$1" >/dev/null ||
	fail 2 "'$1' is not a command; after the options comes the command to run"

# server_pid NUMBER: of the server, if it is at work: the process whose directory is the server's
server_pid () {
	pid=$(cat "$dir/$1/pid" 2>/dev/null) || return 1
	[ "$(readlink "/proc/$pid/cwd" 2>/dev/null)" = "$dir/$1" ] && echo "$pid"
}
# those of all, of which the first are the servers with parts of the records, and their
# replicas follow, in turns
server_numbers () {
	seq $(($(wc -l <"$dir/assay.servers") - 2))
}
# what serves there: redis, unless the number of servers says more
server_kind () {
	sed -n '2s/^shards [0-9]* //p' "$dir/assay.servers" | grep . || echo redis
}
server_shards () {
	sed -n '2s/^shards \([0-9]*\).*/\1/p' "$dir/assay.servers"
}
# server_original NUMBER: of what it is a replica, if it is one
server_original () {
	[ "$1" -le "$shards" ] || echo $((($1 - 1) % shards + 1))
}
server_is_ours () {
	[ "$(head -n 1 "$dir/assay.servers" 2>/dev/null)" = "$marker" ]
}
# server_address NUMBER
server_address () {
	sed -n "$(($1 + 2))p" "$dir/assay.servers"
}
# ask_server NUMBER WORD...: what that server answers, by the line; one that is stopped never does
ask_server () {
	at=$(server_address "$1")
	shift
	case $at in
	/*) timeout 2 redis-cli -s "$at" "$@" ;;
	*) timeout 2 redis-cli -h "${at%:*}" -p "${at##*:}" "$@" ;;
	esac 2>/dev/null | tr -d '\r'
}

# end_server SERVERS...: in order, so that what they have written is synced; and wait for it
end_server () {
	for server
	do
		pid=$(server_pid "$server") || continue
		kill -s TERM "$pid" 2>/dev/null || true
	done
	for server
	do
		tenths=300
		while pid=$(server_pid "$server")
		do
			tenths=$((tenths - 1))
			[ $tenths -gt 0 ] || { kill -s KILL "$pid" 2>/dev/null; break; }
			sleep 0.1
		done
		rm -f "$dir/$server/pid" "$dir/$server/socket"
	done
}

# remove_server_files: of servers that have ended. What a killed one had begun may write there
# for a moment.
remove_server_files () {
	for server in $(server_numbers)
	do
		tenths=50
		until [ ! -e "$dir/$server" ] ||
			why=$(find "$dir/$server" -xdev -depth -delete 2>&1)
		do
			tenths=$((tenths - 1))
			[ $tenths -gt 0 ] ||
				fail 1 "$(echo "$why" | head -n 1); if something still writes \
there, end it and stop again"
			sleep 0.1
		done
	done
	rm "$dir/assay.servers"
	rmdir "$dir" 2>/dev/null || true
}

usual=${TMPDIR:-/tmp}/assay-$(id -u)/servers
make_server_directory () {
	if [ -z "$dir" ] && [ $# -gt 0 ]
	then
		make_work
		dir=$work
	fi
	if [ -z "$dir" ]
	then
		above=$(dirname "$usual")
		[ -d "$above" ] || mkdir -m 700 "$above"
		{ [ -O "$above" ] && [ ! -L "$above" ]; } ||
			fail 1 "$above belongs to another user; give --dir"
		dir=$usual
	fi
	(umask 077; mkdir -p "$dir") || fail 1 "--dir: $dir cannot be made"
	dir=$(cd "$dir" && pwd -P)
	case $dir in
	*,* | *[[:cntrl:]]*)
		fail 1 "--dir: '$(printf %s "$dir" | tr '[:cntrl:]' ' ')' has a comma or a control \
character, and addresses are a list with commas; give another"
		;;
	esac
	if server_is_ours
	then
		[ "$(server_kind)" = "$verb" ] ||
			fail 1 "$dir has servers of $(server_kind), not $verb; give another --dir"
		[ -z "$shards_given" ] || [ "$(server_shards)" -eq "$shards" ] ||
			fail 1 "$dir has $(server_shards) servers, not $shards; give as many, or \
stop --remove those"
		shards=$(server_shards)
		[ -z "$replicas_given" ] ||
			[ "$(server_numbers | wc -l)" -eq $((shards * (1 + replicas))) ] ||
			fail 1 "$dir has $(($(server_numbers | wc -l) / shards - 1)) replicas of \
each server, not $replicas; give as many, or stop --remove those"
		[ -z "$port_given" ] || [ "$(server_address 1)" = "127.0.0.1:$port" ] ||
			fail 1 "$dir has a server at $(server_address 1), not at --port=$port; \
leave that out, or stop --remove those"
		return
	fi
	[ -z "$(ls -A "$dir")" ] ||
		fail 1 "$dir is not empty and was not made by serve.sh; give another --dir"
	{
		printf '%s\nshards %s\n' "$marker" "$shards$([ "$verb" = redis ] || echo " $verb")"
		for server in $(seq "$all")
		do
			[ -z "$port" ] && echo "$dir/$server/socket" ||
				echo "127.0.0.1:$((port + server - 1))"
		done
	} >"$dir/assay.servers"
}

# start_mongodb SERVER: not by --fork, which changes its directory. It has a session of its
# own, so that Ctrl-C ends its client first.
start_mongodb () {
	(
		umask 077
		mkdir -p "$dir/$1"
		cd "$dir/$1"
		mkdir -p data
		at=$(server_address "$1")
		setsid mongod --dbpath data --bind_ip 127.0.0.1 --port "${at##*:}" \
			--nounixsocket >log 2>&1 </dev/null &
		echo $! >pid
	)
}

# start_redis SERVER
start_redis () {
	(umask 077; mkdir -p "$dir/$1")
	at=$(server_address "$1")
	case $at in
	/*)
		[ ${#at} -le 100 ] ||
			fail 1 "$dir: a socket there would have a name of ${#at} bytes, and the \
most is some 100; give another --dir, or --port"
		set -- "$1" --port 0 --unixsocket "$at" --unixsocketperm 700
		;;
	*) set -- "$1" --bind 127.0.0.1 --port "${at##*:}" ;;
	esac
	of=$(server_original "$1")
	[ -z "$of" ] ||
		set -- "$@" --replicaof 127.0.0.1 "$(server_address "$of" | cut -d : -f 2)"
	server=$1 log=no fsync=no
	shift
	# what a log holds is lost to a server that is not told to read it
	{ [ "$durability" = none ] && [ ! -e "$dir/$server/appendonlydir" ]; } || log=yes
	[ "$durability" != sync ] || fsync=always
	# a title would be written over its environment, by which who started it can find it
	redis-server "$@" --daemonize yes --set-proc-title no --dir "$dir/$server" \
		--pidfile "$dir/$server/pid" --logfile "$dir/$server/log" \
		--save '' --appendonly $log --repl-diskless-sync-delay 0 \
		--appendfsync $fsync >"$dir/$server/words" 2>&1 ||
		fail 1 "redis-server did not start: $(tail -n 1 "$dir/$server/words")"
}

# says_mongodb SERVER: busy until it listens, as it does once it has read its files
says_mongodb () {
	at=$(server_address "$1")
	awk -v at="$(printf '0100007F:%04X' "${at##*:}")" '
		{ sub(/^.*:0100007F:/, "0100007F:", $2) }
		$2 == at && $4 == "0A" { found = 1 }
		END { exit !found }' /proc/net/tcp && echo ready && return
	! server_pid "$1" >/dev/null || echo busy
}

# says_redis SERVER: ready; busy, with its log or with what its server sends it; or nothing. Of
# a replica its server knows, when it has heard from it that it has all.
says_redis () {
	of=$(server_original "$1")
	case $(ask_server "$1" ping) in
	LOADING*) echo busy ;;
	PONG)
		[ -n "$of" ] || { echo ready; return; }
		ask_server "$of" info replication |
			sed -n "s/^slave[0-9]*:.*,port=$(server_address "$1" |
				cut -d : -f 2),state=\([a-z_]*\),.*/\1/p" |
			sed 's/^online$/ready/; t; s/.*/busy/'
		;;
	esac
}

# await_server SERVER: until it is ready, for as long as it is busy, and ten seconds if it says
# nothing
await_server () {
	since=$(date +%s)
	while said=$(says_"$verb" "$1") && [ "$said" != ready ]
	do
		[ "$said" != busy ] || since=$(date +%s)
		[ $(($(date +%s) - since)) -le 10 ] ||
			fail 1 "server $1 $(server_pid "$1" >/dev/null && echo 'does not answer' ||
				echo 'has ended'): $(tail -n 1 "$dir/$1/log")"
		sleep 0.1
	done
	# somebody else's may be at that port
	server_pid "$1" >/dev/null || fail 1 "server $1 has ended: $(tail -n 1 "$dir/$1/log")"
}

began='' work=''
leave_server () {
	status=$?
	trap '' INT TERM HUP
	set +e
	# shellcheck disable=SC2086
	end_server $began
	[ -z "$work" ] || rm -rf "$work"
	exit $status
}
# serving_interrupted SIGNAL STATUS: COMMAND ends first
serving_interrupted () {
	trap '' INT TERM HUP
	child=${!-}
	if [ -n "$child" ]
	then
		kill -s "$1" "$child" 2>/dev/null || true
		wait "$child" || true
	fi
	exit "$2"
}

case $verb in
status | stop)
	dir=$(cd "${dir:-$usual}" 2>/dev/null && pwd -P) ||
		fail 1 "${dir:-$usual} is not there"
	server_is_ours || fail 1 "$dir was not made by serve.sh"
	shards=$(server_shards) ended=0
	for server in $(server_numbers)
	do
		[ "$verb" = stop ] ||
			printf '%s\t%s\t%s\t%s\n' "$server" "$(server_address "$server")" \
				"$(server_pid "$server" || echo ended)" \
				"$(server_original "$server" | sed 's/^/replica of /')"
		server_pid "$server" >/dev/null || ended=1
	done
	[ "$verb" = stop ] || exit $ended
	# shellcheck disable=SC2046
	end_server $(server_numbers)
	[ -z "$remove" ] || remove_server_files
	exit 0
	;;
esac
case $verb in
redis) tools='redis-server redis-cli' advice='apt install redis-server' ;;
mongodb) tools=mongod advice='it comes from MongoDB, not from Debian' ;;
esac
for tool in $tools
do
	command -v "$tool" >/dev/null || fail 1 "$tool is not installed; $advice"
done
make_server_directory "$@"
trap leave_server EXIT
on_signals serving_interrupted
for number in $(server_numbers)
do
	if ! server_pid "$number" >/dev/null
	then
		began="$began $number"
		start_"$verb" "$number"
	fi
done
addresses=
for number in $(server_numbers)
do
	await_server "$number"
	[ -n "$(server_original "$number")" ] ||
		addresses=$addresses${addresses:+,}$(server_address "$number")
done
variable=ASSAY_$(echo "$verb" | tr '[:lower:]' '[:upper:]')
if [ $# -eq 0 ]
then
	began=
	printf '%s=%s; export %s # bench_%s %s; scripts/serve.sh stop %s\n' "$variable" \
		"$(quote "$addresses")" "$variable" "$verb" "$(word "--$verb=$addresses")" \
		"$(word "--dir=$dir")"
	exit 0
fi
# What a shell starts in the background ignores INT; not here.
env --default-signal=INT,QUIT "$variable=$addresses" sh -c 'exec "$@"' sh "$@" <&0 &
wait $!
