#!/bin/sh
# A Slurm of this machine, for the tests: a controller and NODES nodes, each a slurmd with a host name and process name space
# of its own, all in name spaces whose network is a loopback only; all of it ends with this script.
# usage: unshare --net --uts --pid --mount-proc --fork --kill-child=KILL test/slurm.sh DEBIAN WORK NODES COMMAND...
# DEBIAN has the unpacked packages and WORK takes its files. COMMAND is run; when WORK/kill appears meanwhile, the node that
# it names is killed when it is at work, with all that runs on it, and WORK/killed says when Slurm knows; if its second word
# is `back', it begins again then, with the files that it left.
# shellcheck disable=SC2016 # programs are quoted
set -eu
debian=$1 work=$2 nodes=$3
shift 3
# resolvers ask whether there is any address but 127.0.0.1; nobody is at this one, which is for documentation
ip link set lo up
ip address add 192.0.2.1/32 dev lo
hostname slurmhost
lib=$debian/usr/lib/$(gcc -print-multiarch)
export LD_LIBRARY_PATH="$lib:$lib/slurm-wlm" SLURM_CONF="$work/slurm/slurm.conf" PATH="$debian/usr/bin:$PATH"
mkdir -p "$work/slurm/state" "$work/slurm/munge"
chmod 755 "$work/slurm"
chmod 700 "$work/slurm/munge"
dd if=/dev/urandom of="$work/slurm/munge/key" bs=1024 count=1 2>/dev/null
chmod 400 "$work/slurm/munge/key"
cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=slurmhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/slurm/munge/socket,cred_expire=5
CryptoType=crypto/munge
CredType=cred/munge
PluginDir=$lib/slurm-wlm
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool-%n
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
MailProg=/bin/true
SchedulerParameters=sched_interval=2
END
for number in $(seq "$nodes")
do
	echo "NodeName=node$number NodeAddr=127.0.0.1 Port=$((7000 + number)) CPUs=1"
done >>"$SLURM_CONF"
echo "PartitionName=all Nodes=node[1-$nodes] Default=YES State=UP" >>"$SLURM_CONF"
"$debian/usr/sbin/munged" --foreground --force --key-file="$work/slurm/munge/key" --socket="$work/slurm/munge/socket" --pid-file="$work/slurm/munge/pid" \
	--log-file="$work/slurm/munge/log" --seed-file="$work/slurm/munge/seed" --num-threads=2 >"$work/slurm/munged" 2>&1 &
until [ -S "$work/slurm/munge/socket" ]
do
	sleep 0.1
done
"$debian/usr/sbin/slurmctld-wlm" -D >"$work/slurm/ctld" 2>&1 &
# node NAME: begin it; its first process is that of its name space, with which all the others go
node () {
	unshare --uts --pid --mount-proc --fork --kill-child=KILL sh -c 'hostname "$1" && shift && exec "$@"' - "$1" \
		"$debian/usr/sbin/slurmd-wlm" -D -d "$debian/usr/sbin/slurmstepd-wlm" >>"$work/slurm/slurmd-$1" 2>&1 &
	echo $! >"$work/slurm/pid-$1"
}
for number in $(seq "$nodes")
do
	node "node$number"
done
# until_true SECONDS COMMAND...: it becomes true by then
until_true () {
	tenths=$(($1 * 10))
	shift
	until "$@"
	do
		tenths=$((tenths - 1))
		[ $tenths -gt 0 ] || { echo "not in time: $*"; tail -n 5 "$work/slurm/ctld" "$work"/slurm/slurmd-*; exit 1; }
		sleep 0.1
	done
}
# works NAME: something runs on it
works () {
	squeue --noheader --nodelist="$1" --states=RUNNING --format=%T | grep -q .
}
# is NAME STATE: what its node is
is () {
	sinfo --noheader --Node --nodes="$1" --format=%T | grep -q "^$2"
}
for number in $(seq "$nodes")
do
	until_true 60 is "node$number" idle
done

"$@" &
command=$!
while kill -0 $command 2>/dev/null
do
	if [ -e "$work/kill" ]
	then
		read -r name then_what <"$work/kill"
		rm "$work/kill"
		until_true 60 works "$name"
		kill -s KILL "$(cat "$work/slurm/pid-$name")"
		until_true 120 is "$name" down
		echo "$name" >"$work/killed"
		[ "$then_what" != back ] || node "$name"
	fi
	sleep 0.2
done
wait $command
