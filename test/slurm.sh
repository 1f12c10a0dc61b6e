#!/bin/sh
# A Slurm of this machine, for the tests, in name spaces of its own, whose network is its loopback only; all of it ends with
# this script. usage: unshare --net --uts --pid --mount-proc --fork --kill-child=KILL test/slurm.sh DEBIAN WORK COMMAND...
# DEBIAN has the unpacked packages and WORK takes its files. COMMAND is run; when WORK/kill appears meanwhile, the node is
# killed with all that runs on it, and begins again.
set -eu
debian=$1 work=$2
shift 2
# resolvers ask whether there is any address but 127.0.0.1; nobody is at this one, which is for documentation
ip link set lo up
ip address add 192.0.2.1/32 dev lo
hostname slurmhost
lib=$debian/usr/lib/$(gcc -print-multiarch)
export LD_LIBRARY_PATH="$lib:$lib/slurm-wlm" SLURM_CONF="$work/slurm/slurm.conf" PATH="$debian/usr/bin:$PATH"
mkdir -p "$work/slurm/state" "$work/slurm/spool" "$work/slurm/munge"
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
AuthInfo=socket=$work/slurm/munge/socket
CryptoType=crypto/munge
CredType=cred/munge
PluginDir=$lib/slurm-wlm
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
MailProg=/bin/true
SchedulerParameters=sched_interval=2,requeue_delay=1
NodeName=slurmhost NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=slurmhost Default=YES State=UP
END
"$debian/usr/sbin/munged" --foreground --force --key-file="$work/slurm/munge/key" --socket="$work/slurm/munge/socket" --pid-file="$work/slurm/munge/pid" \
	--log-file="$work/slurm/munge/log" --seed-file="$work/slurm/munge/seed" --num-threads=2 >"$work/slurm/munged" 2>&1 &
until [ -S "$work/slurm/munge/socket" ]
do
	sleep 0.1
done
"$debian/usr/sbin/slurmctld-wlm" -D >"$work/slurm/ctld" 2>&1 &
slurmd () {
	"$debian/usr/sbin/slurmd-wlm" -D -d "$debian/usr/sbin/slurmstepd-wlm" >>"$work/slurm/slurmd" 2>&1 &
}
slurmd
# until SECONDS COMMAND...: it becomes true by then
until_true () {
	tenths=$(($1 * 10))
	shift
	until "$@"
	do
		tenths=$((tenths - 1))
		[ $tenths -gt 0 ] || { echo "not in time: $*"; tail -n 5 "$work/slurm/ctld" "$work/slurm/slurmd"; exit 1; }
		sleep 0.1
	done
}
until_true 60 sh -c 'sinfo --noheader --format=%T | grep -q idle'

"$@" &
command=$!
while kill -0 $command 2>/dev/null
do
	if [ -e "$work/kill" ]
	then
		# the node's processes: the daemon, those that watch a job's, and the jobs'; none may see another die
		ps -eo pid=,args= | awk '!/awk/ && /slurmd-wlm|slurmstepd|sweep-unit[.]sh|bench_lmdb/ { print $1 }' >"$work/node"
		for signal in STOP KILL
		do
			xargs -r kill -s $signal <"$work/node" 2>/dev/null || :
		done
		rm "$work/kill"
		# what it had goes back to the queue once it does not answer
		until_true 120 sh -c 'sinfo --noheader --format=%T | grep -q down'
		touch "$work/killed"
		slurmd
	fi
	sleep 0.2
done
wait $command
