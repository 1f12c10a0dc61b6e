# remote.sh: a plan on several hosts: two or three sshd on loopback addresses, each with a user and a name of its own, and a
# Slurm of this machine; both are begun here and taken away.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# unpacked PACKAGE...: Debian's packages into the build directory. Nothing is installed, so no daemon of the system begins.
unpacked () {
	mkdir -p "$debian" "$work/deb"
	for package
	do
		[ ! -e "$debian/.$package" ] || continue
		(cd "$work/deb" && apt-get -q download "$package") || return 1
		dpkg-deb --fsys-tarfile "$work/deb/$package"_*.deb >"$work/deb/tar" && tar -x -C "$debian" -f "$work/deb/tar" ./usr || return 1
		touch "$debian/.$package"
	done
}
debian=$top/build/cache/debian

# host N: sshd on 127.0.0.N with a user and a host name of its own, and nothing that outlives the processes of its name space
host () {
	user=assay$$-$1 home=$work/home$1
	useradd --no-create-home --home-dir "$home" --shell /bin/sh "$user" || return 1
	users="$users $user"
	mkdir -p "$home/.ssh" && cp "$work/key.pub" "$home/.ssh/authorized_keys" && ssh-keygen -q -t ed25519 -N '' -f "$home/host_key" || return 1
	cat >"$home/sshd_config" <<END
ListenAddress 127.0.0.$1
Port $port
HostKey $home/host_key
PidFile none
StrictModes no
UsePAM no
AuthorizedKeysFile $home/.ssh/authorized_keys
PasswordAuthentication no
KbdInteractiveAuthentication no
END
	chown -R "$user" "$home" || return 1
	printf '127.0.0.%s %s\n' "$1" "$(cut -d ' ' -f 1,2 "$home/host_key.pub")" | sed "s/^\([0-9.]*\)/[\1]:$port/" >>"$work/known"
	LD_LIBRARY_PATH=$debian/usr/lib/$(gcc -print-multiarch) unshare --uts --pid --fork --kill-child=KILL sh -c 'hostname "$1" && shift && exec setpriv "$@"' - \
		"host$1" --reuid="$user" --regid="$user" --clear-groups "$debian/usr/sbin/sshd" -D -e -f "$home/sshd_config" >"$work/sshd$1" 2>&1 </dev/null &
	# its first process, with which all the others of its name space go
	within 5 ps -o pid= --ppid $! || return 1
	ps -o pid= --ppid $! | tr -d ' ' >"$work/pid$1" || return 1
	echo "ssh -p $port -i $work/key -o IdentitiesOnly=yes -o UserKnownHostsFile=$work/known -o StrictHostKeyChecking=yes -o BatchMode=yes -o LogLevel=ERROR -l $user 127.0.0.$1" >>"$work/hosts"
}
answers () {
	sh -c "$(sed -n "$1p" "$work/hosts") true"
}
hosts_away () {
	cat "$work"/pid? | xargs -r -n 1 kill -KILL
	for user in $users
	do
		within 5 userdel "$user"
	done
}
hosts_up () {
	unpacked openssh-server libwrap0 && ssh-keygen -q -t ed25519 -N '' -f "$work/key" || return 1
	port=$((20000 + $$ % 20000))
	: >"$work/hosts"
	for number in 1 2 3
	do
		host $number || return 1
	done
	echo "$users" >"$work/users"
	for number in 1 2 3
	do
		within 20 answers $number || { cat "$work/sshd$number"; return 1; }
	done
}

# remote NAME ARGUMENTS...: 24 runs, of 8 databases, each loaded and read by one and by two threads
remote () {
	name=$1
	shift
	"$top/scripts/sweep.sh" --out="$work/$name" --engines=lmdb --benchmarks=readrandom --threads=1,2 --num=2k --duration=0.2 \
		--value_size=10,20,30,40,50,60,70,80 "$@" >"$work/out" 2>"$work/err"
}
# once NAME: every run of the plan has one row, valid, and none is missing or there twice
once () {
	wc -l "$work/$1/results.json" "$work/$1/plan.tsv" || return 1
	[ "$(sed 1d "$work/$1/plan.tsv" | grep -c .)" -eq 24 ] || return 1
	jq -es 'length == 24 and all(.[]; .valid == 1) and
		([.[] | [.benchmark, .threads, .value_size]] | unique | length) == 24' "$work/$1/results.json" >"$work/jq" ||
		{ cat "$work/err"; jq -c '[.benchmark, .threads, .value_size, .valid, .host]' "$work/$1/results.json"; return 1; }
	for run in "$work/$1"/runs/*
	do
		[ "$(wc -l <"$run/row.json")" -eq 1 ] && [ "$(cat "$run/status")" = 0 ] && [ -s "$run/latency.hgrm" ] || return 1
	done
}
on_hosts () {
	status=0
	remote all --hosts="$work/hosts" || status=$?
	cat "$work/err"
	[ $status -eq 0 ] && once all && jq -es '[.[].host] | unique == ["host1", "host2", "host3"]' "$work/all/results.json" &&
		jq -es 'group_by(.value_size) | all(.[]; [.[].host] | unique | length == 1)' "$work/all/results.json" || return 1
	# one at a time on each host
	jq -rs '.[] | "\(.host) \(.time)"' "$work/all/results.json" | sort | uniq -c
	find "$work"/home? -name 'bench_*' -o -name '*.tar' -o -name data.mdb >"$work/left" && cat "$work/left" && [ ! -s "$work/left" ]
}
goes_on () {
	cp "$work/all/results.json" "$work/before"
	run=$(find "$work/all/runs" -name 'lmdb-readrandom-2t-value_size=30')
	echo 1 >"$run/status"
	remote all --hosts="$work/hosts" || { cat "$work/err"; return 1; }
	once all && [ "$(jq -c 'select(.value_size != 30)' "$work/before" | cksum)" = "$(jq -c 'select(.value_size != 30)' "$work/all/results.json" | cksum)" ] &&
		[ "$(jq -c 'select(.value_size == 30)' "$work/before" | cksum)" != "$(jq -c 'select(.value_size == 30)' "$work/all/results.json" | cksum)" ]
}
on_each () {
	"$top/scripts/sweep.sh" --out="$work/each" --engines=null --load=none --benchmarks=readrandom --threads=1,2 --num=1k --reads=1k \
		--hosts="$work/hosts" --each-host >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
	jq -es 'length == 6 and (group_by(.threads) | all(.[]; [.[].host] | sort == ["host1", "host2", "host3"]))' "$work/each/results.json"
}
# a host is killed when it is at work on its second unit or so: what it had goes to another
host_dies () {
	remote dies --hosts="$work/hosts" &
	sweep=$!
	within 120 sh -c "[ \$(grep -c . '$work/dies/remote/joblog') -gt 2 ] && [ -n \"\$(find '$work/home2' -name 'lmdb-*')\" ]" || { kill $sweep; return 1; }
	kill -KILL "$(cat "$work/pid2")"
	# another process may have its number before long
	rm "$work/pid2"
	status=0
	wait $sweep || status=$?
	cat "$work/err"
	cut -f 2,7,8 "$work/dies/remote/joblog"
	[ $status -eq 0 ] && once dies && ! answers 2 2>"$work/ssh"
}
no_host () {
	grep '127.0.0.2$' "$work/hosts" >"$work/dead-host" || return 1
	! remote gone --hosts="$work/dead-host" || return 1
	head -n 3 "$work/err"
	[ "$(grep -c 'sweep.sh: exit status none, no host ran it to its end: ' "$work/err")" -eq 24 ] &&
		[ ! -s "$work/gone/results.json" ]
}
side_by_side () {
	"$top/scripts/summary.sh" "$work/each/results.json" >"$work/apart" && "$top/scripts/summary.sh" "$work/each/results.json" --allow=host >"$work/beside" || return 1
	cat "$work/beside"
	[ "$(grep -c '^readrandom' "$work/apart")" -eq 6 ] && [ "$(grep -c '^readrandom' "$work/beside")" -eq 2 ] &&
		[ "$(grep -c '^null+host=host[123] ' "$work/beside")" -eq 6 ] && grep -q 'on host1, host2, host3$' "$work/beside" || return 1
	fails 1 'rows of more than one host' "$top/scripts/plot.sh" "$work/each" || return 1
	jq -c 'select(.host != "host3")' "$work/each/results.json" >"$work/two"
	jq -c 'select(.host == "host1") | .label = "a"' "$work/two" >"$work/one" || return 1
	jq -c 'select(.host == "host2") | .label = "b"' "$work/two" >"$work/other" || return 1
	! "$top/scripts/compare.sh" "$work/one" "$work/other" 2>"$work/err" || return 1
	cat "$work/err"
	grep -q 'rows of more than one host (host1, host2)' "$work/err" && "$top/scripts/compare.sh" "$work/one" "$work/other" --allow=host >"$work/out" &&
		"$top/scripts/compare.sh" "$work/two" --by=host --old=host1 --new=host2 >"$work/out"
}

# what another run left, if it was killed
if [ "$(id -u)" -eq 0 ]
then
	sed -n 's/^\(assay\([0-9]*\)-[123]\):.*/\1 \2/p' /etc/passwd | while read -r user pid
	do
		[ -d "/proc/$pid" ] || userdel "$user"
	done
fi
# in_slurm NODES COMMAND...: with a Slurm of this machine, which goes with it, if need be after five minutes
in_slurm () {
	rm -rf "$work/slurm" "$work/kill" "$work/killed"
	timeout 300 unshare --net --uts --pid --mount-proc --fork --kill-child=KILL "$top/test/slurm.sh" "$debian" "$work" "$@"
}
slurm_packages='slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge libmunge2 libhwloc15 libfreeipmi17 liblua5.1-0 libjson-c5 libnuma1'
# slurm_sweep NODES NAME SECONDS [COMMAND...]: 24 runs as above, by a command that has those of sweep.sh for arguments
slurm_sweep () {
	nodes=$1 name=$2 seconds=$3
	shift 3
	# shellcheck disable=SC2086 # words, on purpose
	unpacked $slurm_packages || return 1
	in_slurm "$nodes" env SLURM_POLL_SECONDS=1 "$@" "$top/scripts/sweep.sh" --out="$work/$name" --engines=lmdb --benchmarks=readrandom --threads=1,2 \
		--num=2k --duration="$seconds" --value_size=10,20,30,40,50,60,70,80 --slurm >"$work/out" 2>"$work/err"
}
# again.sh: a sweep that is killed when some runs have ended, and then again; the job is Slurm's meanwhile
printf '%s\n' '"$@" &' "until [ \$(cat '$work/queued/runs'/*/status 2>/dev/null | wc -l) -gt 4 ]; do sleep 0.1; done" \
	'kill -s KILL $!' 'wait $!' "until flock -n '$work/queued/lock' true; do sleep 0.1; done" 'exec "$@"' >"$work/again.sh"
by_slurm () {
	slurm_sweep 3 queued 1 sh "$work/again.sh" || { cat "$work/out" "$work/err"; return 1; }
	cat "$work/err"
	once queued || return 1
	jq -rs '.[].host' "$work/queued/results.json" | sort | uniq -c
	jq -es '[.[].host] | unique == ["node1", "node2", "node3"]' "$work/queued/results.json" && [ "$(cat "$work/queued/remote/job")" = 1 ]
}
# node_dies NAME NODES KILL: one of the nodes is killed when some runs have ended, and what it had is run again
node_dies () {
	slurm_sweep "$2" "$1" 1 &
	sweep=$!
	within 120 sh -c "[ \$(cat '$work/$1/runs'/*/status 2>/dev/null | wc -l) -gt 4 ]" || { kill $sweep; return 1; }
	echo "$3" >"$work/kill"
	status=0
	wait $sweep || status=$?
	cat "$work/out" "$work/err"
	grep -i requeu "$work/slurm/ctld"
	jq -rs '.[].host' "$work/$1/results.json" | sort | uniq -c
	[ $status -eq 0 ] && [ -e "$work/killed" ] && once "$1"
}
slurm_node_dies () {
	node_dies requeued 3 node2
	[ "$(jq -r .host "$work/requeued/results.json" | sort -u | paste -s -d ' ')" != 'node2' ]
}
# The one node is back with what it had left in its files, over which Slurm stumbles and holds the task.
slurm_node_returns () {
	node_dies held 1 'node1 back'
	cat "$work/held/remote/released"
}

# unit_twice COMMAND...: of a unit that is run twice at once, COMMAND between, there is one row
unit_twice () {
	mkdir -p "$work/unit" && cd "$top" || return 1
	printf '%s\t%s\t%s\t%s\t%s\n' "$work/unit" "$work/unit-db" 1 bench_null \
		"./bench_null --benchmarks=readrandom --num=1k --duration=1 --json='$work/unit'/row.json >'$work/unit'/out.txt 2>'$work/unit'/err.txt" >"$work/unit/lines"
	sh scripts/tools/sweep-unit.sh "$work/unit/lines" &
	first=$!
	within 20 [ -e "$work/unit/out.txt" ]
	"$@" || return 1
	sh scripts/tools/sweep-unit.sh "$work/unit/lines" || return 1
	wait $first || true
	cat "$work/unit/row.json"
	[ "$(wc -l <"$work/unit/row.json")" -eq 1 ] && [ "$(cat "$work/unit/status")" = 0 ]
}
unit_orphaned () {
	unit_twice eval 'kill -s KILL $first'
}

ok 'a unit that is at work twice, as on a node that Slurm has given up, leaves one row' unit_twice true
ok 'also if only what ran it was killed' unit_orphaned

users=''
if [ "$(id -u)" -ne 0 ]
then
	skip 'a plan on three hosts' 'users, host names and sshd need root'
else
	"$top/scripts/install-deps.sh" rsync openssh-client
	hosts_up >"$work/up" 2>&1
	up=$?
	if [ $up -eq 0 ]
	then
		ok 'a plan of 24 runs on three hosts: each once, all rows back, and nothing left there' on_hosts
		ok 'it goes on by units, and repeats nothing else' goes_on
		ok 'the same plan on every host, for the spread between them' on_each
		ok 'rows of several hosts are set side by side, drawn and compared only if that is asked for' side_by_side
		ok 'a host killed in the middle: nothing is lost, and nothing there twice' host_dies
		ok 'what no host could run is said, line by line' no_host
	else
		ok 'three sshd on loopback addresses answer' sh -c 'cat "$1"; exit 1' - "$work/up"
	fi
	if [ -n "$long" ]
	then
		ok 'the same plan as an array job of Slurm on three nodes, and sweep.sh killed in the middle: each run once' by_slurm
		ok 'a node killed in the middle, for good: nothing is lost, and nothing there twice' slurm_node_dies
		ok 'and the only one, which is back later with the files of the task it had: nothing is lost, and nothing there twice' slurm_node_returns
	else
		skip 'a plan as an array job of Slurm' 'only with --long'
	fi
	hosts_away >"$work/away" 2>&1
	ok 'users and hosts are taken away' sh -c '! grep assay$1- /etc/passwd' - $$
fi
