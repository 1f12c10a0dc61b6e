#!/bin/sh
# sweep.sh: engines x benchmarks x threads, one run at a time; see --help.
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'flock and findmnt' "$@"

help () {
	cat <<END
usage: scripts/sweep.sh --out=DIRECTORY [option ...]

Writes DIRECTORY/plan, one complete command a line, to be run from the top of the
source tree by hand or by any job runner; then runs it, one at a time. Started again with
the same arguments it goes on where it stopped: finished runs are not repeated, failed
ones are. Where a load fails, runs that need its database are left out and listed.

  --out=DIRECTORY       where everything goes
  --engines=A,B         which bench_ENGINE programs [lmdb]; A+option=value is A with that option, under
                        that name: wiredtiger,wiredtiger+type=lsm; versions that engine.sh built: lmdb-1.0.2
  --benchmarks=A,B      workloads [readrandom]; A@4 is A with 4 threads only
  --threads=1,2,4       threads of each [1,2,4,8,16,32,64]
  --clients=1,4         processes at work at once, by clients.sh, for each of them; they share the database, so
                        benchmarks may only read it [1]
  --clients-apart       with --clients=N: each has a database of its own, and benchmarks may write
  --repeat=N            runs of each point [1]; see below
  --order-seed=N        of their order [1]
  --load=BENCHMARK      what loads the database that the others run on [fillseqbatch]; ycsb-load for ycsb-a
                        and its siblings, ucsb-0 for UCSB's
  --databases=DIRECTORY where the databases are made [OUT/db]
  --read-ahead=KIB      how far ahead the kernel reads on the device of the databases while the sweep runs, as
                        storage.sh has it; needs root [as it is]
  --hosts=FILE          on the hosts of FILE, GNU parallel's sshloginfile: a host a line, such as user@name; see below
  --each-host           with --hosts: the whole plan on every host, rather than each line on one of them
  --slurm[=OPTIONS]     as an array job of Slurm; OPTIONS go to sbatch: --slurm='--partition=fast --time=2:00:00'
  --suffix=TEXT         what is added to each label, such as what it ran on; without blanks
  --plan-only           write the plan and stop
  --help                this
Any other --option=value goes to every command, for instance --num=1m --duration=10; one with
several values, --value_size=100,1000, multiplies the runs, each value with a load of its own.
--mix and --cpus take lists themselves, so each has one value.

With --repeat the rows are numbered in the column repetition, and the plan is in random
order, so that what drifts on the machine does not fall on one engine: each round has
every point of every engine once. Points that only read come first and share one load;
each run of a point that writes has a load of its own before it, so that it finds the
same database. With --load=none there is none: the benchmarks of an engine stay in the
order given if one of them fills the database. A run that was not finished has its load
done again.

With --clients a run of several processes is one line of the plan: they meet before they begin, and the row
is of all together, with how far their starts and ends lay apart; each one's own are in runs/NAME/clients.

With --hosts and --slurm the runs of one database go together, in order, to one host, and the
databases to others; one run at a time on each host. --hosts brings the programs and lines there
by rsync, and what the runs wrote back; databases are made in a directory that goes at the end,
or in --databases. The units of a host that dies go to another; what no host could run is said.
With --slurm the nodes see this tree and DIRECTORY. Both go on where they stopped, by units.
Rows have the column host: rows of several are compared only if that is asked for.

In DIRECTORY: plan, lock, runs/NAME/{status,row.json,row.tsv,latency.hgrm,timeline.tsv,out.txt,err.txt},
databases in db/ unless told otherwise, and results.json and results.tsv, which collect the rows of
all runs. timeline.tsv has rows for every second, or every --timeline_interval=S. What was said on
stderr is shown at the end, each line once.
Exit status: 0 all rows valid, 1 some run failed or is invalid, 2 wrong arguments, 130 Ctrl-C: the run
that was at work has ended in order.
END
}

# each LIST: its words, from a list with commas
each () {
	echo "$1" | tr , ' '
}

# multiply --NAME VALUES: the combinations so far with each of the values, of which one
# can be empty
multiply () {
	case $1 in
	--mix | --cpus) values=$2 ;;
	*) values=$(echo "$2" | tr , '\n') ;;
	esac
	echo "$combinations" | while IFS= read -r line
	do
		echo "$values" | while IFS= read -r one
		do
			named=
			[ "$one" = "$2" ] || named=-${1#--}=$one
			echo "${line%%"$tab"*}$named$tab${line#*"$tab"} $(quote "$1=$one")"
		done
	done
}

out=
engines=lmdb
benchmarks=readrandom
threads=1,2,4,8,16,32,64
clients=1 apart=''
repeat=1
order_seed=1
load=fillseqbatch
databases=
ahead=
tag=
plan_only=
hosts='' each_host='' slurm='' slurm_options='' runner_job=''
# Each line a combination of the further options: what it adds to names, a tab, its
# arguments.
tab=$(printf '\t')
combinations=$tab
for argument
do
	value=${argument#*=}
	case $argument in
	*[[:cntrl:]]*) fail 2 \
		"'$(echo "$argument" | tr '[:cntrl:]' ' ')' has a line end, a tab or another control character, and no line of the plan can; leave it out" ;;
	--help) help; exit 0 ;;
	--out=?*) out=$value ;;
	--engines=?*) engines=$value ;;
	--benchmarks=?*) benchmarks=$value ;;
	--threads=?*) threads=$value ;;
	--clients=?*) clients=$value ;;
	--clients-apart) apart=1 ;;
	--repeat=?*) repeat=$value ;;
	--order-seed=?*) order_seed=$value ;;
	--load=?*) load=$value ;;
	--databases=?*) databases=$value ;;
	--read-ahead=?*) ahead=$value ;;
	--suffix=*) tag=$value ;;
	--hosts=?*) hosts=$value ;;
	--each-host) each_host=1 ;;
	--slurm) slurm=1 ;;
	--slurm=?*) slurm=1 slurm_options=$value ;;
	--plan-only) plan_only=1 ;;
	--out= | --engines= | --benchmarks= | --threads= | --clients= | --repeat= | \
		--order-seed= | --load= | --databases= | --read-ahead=)
		fail 2 "$argument has no value; see --help" ;;
	--db=* | --json=* | --tsv=* | --hdr=* | --label=* | --use_existing_db=* | \
		--timeline=* | --repetition=*)
		fail 2 "${argument%%=*} is sweep.sh's to set; see --help" ;;
	--*=*) combinations=$(multiply "${argument%%=*}" "$value") ;;
	*) fail 2 "cannot read '$argument'; options are --name=value, see --help" ;;
	esac
done
[ -n "$out" ] || fail 2 "--out=DIRECTORY is missing; see --help"
for list in "$engines" "$benchmarks" "$threads" "$clients"
do
	[ -n "$(echo "$list" | tr -d ', ')" ] ||
		fail 2 "'$list' names none; give one or more to each of --engines, --benchmarks, --threads and --clients"
done
for many in $(each "$clients")
do
	whole --clients "$many" $((1 + ${apart:-0}))
done
case $apart/$clients in
1/*,*) fail 2 "--clients-apart: each client has a database, loaded for one number of them; give one to --clients" ;;
esac
[ -z "$hosts" ] || [ "$clients" = 1 ] ||
	fail 2 "--clients are processes of this machine, or of Slurm's nodes, which see the scripts; leave out --hosts"
[ -z "$hosts" ] || [ -z "$slurm" ] || fail 2 "--hosts and --slurm are two ways; give one"
[ -z "$each_host" ] || [ -n "$hosts" ] ||
	fail 2 "--each-host: which hosts? give --hosts=FILE"
[ -z "$hosts$slurm" ] || [ -z "$ahead" ] ||
	fail 2 "--read-ahead is set on this machine only; leave it out with --hosts and --slurm"
[ -z "$hosts" ] || [ -r "$hosts" ] ||
	fail 2 "--hosts: cannot read $hosts; give a file with a host a line"
case $tag in
*[[:space:]]*) fail 2 \
	"--suffix: '$tag' has a blank, which no plot can read in a label; leave it out" ;;
esac
case $ahead in
*[!0-9]* | ????????*) fail 2 "--read-ahead: cannot read '$ahead'; give KiB" ;;
esac
whole --repeat "$repeat" 1
whole --order-seed "$order_seed"
needs jq
case $out in
/*) ;;
*) out=$PWD/$out ;;
esac
databases=${databases:-$out/db}
case $databases in
/*) ;;
*) databases=$PWD/$databases ;;
esac
case $out$databases in
*[[:cntrl:]]*)
	fail 2 "'$(printf %s "$PWD" | tr '[:cntrl:]' ' ')' has a line end, a tab or another control character, and no line of the plan can; give an absolute --out" ;;
esac
case $hosts in
'' | /*) ;;
*) hosts=$PWD/$hosts ;;
esac
. "$(dirname "$0")/remote.sh"
[ -z "$hosts" ] || check_hosts
status=0 runner=
# What is at work ends in order, with its database, and is repeated when the sweep goes
# on. A shell has its children ignore INT, so each is told.
stop () {
	trap '' INT TERM HUP
	[ -z "$runner_job" ] || scancel "$runner_job" || :
	for child in $runner
	do
		kill -TERM "$child" 2>/dev/null || :
	done
	for child in $runner
	do
		wait "$child" || :
	done
	fail "$1" "interrupted; start it again and it goes on where it stopped"
}
trap 'stop 129' HUP
trap 'stop 130' INT
trap 'stop 143' TERM
[ -z "$each_host" ] || { on_each_host "$@"; exit; }
cd "$(dirname "$0")/.."

# command_line ENGINE NAME CLIENTS ARGUMENTS: one line of the plan, with the options of
# this combination
command_line () {
	run=$(quote "$out/runs/$1-$2")
	at_once='' rows="--json=$run/row.json --tsv=$run/row.tsv"
	percentiles=latency.hgrm timeline=timeline.tsv
	database=$databases/$1$suffix${apart:+-%k}
	if [ "$3" -gt 1 ]
	then
		at_once="scripts/clients.sh --clients=$3 --replace --out=$run/clients $rows "
		rows='' percentiles=clients/%k.hgrm timeline=clients/%k.tsv
	fi
	own=
	case $1$tag in
	*[+-]* | *"${tag:-+}") own=" --label=$(quote "$1$tag")" ;;
	esac
	for option in $(echo "$1" | tr + ' ' | cut -s -d ' ' -f 2-)
	do
		own="$own $(quote "--$option")"
	done
	echo "$at_once./bench_${1%%+*} --db=$(quote "$database") $4${rows:+ }$rows" \
		"--hdr=$run/$percentiles --timeline=$run/$timeline$own$further" \
		">$run/out.txt 2>$run/err.txt"
}

# kind BENCHMARK: what it does to the database: fills, reads or writes
kind () {
	echo "$workloads" |
		awk -F '\t' -v name="${1%%[@[]*}" \
		'NR > 1 && $1 == name { print $2; found = 1 } END { exit !found }'
}

# loader ENGINE NAME ARGUMENTS: the command that loads its database, or one for each
# client
loader () {
	one=1
	[ -z "$apart" ] || one=$clients
	command_line "$1" "$2" "$one" "$3"
}

# point ENGINE BENCHMARK SIZE ROUND: the command that runs it; the size is 4t, of threads,
# or 4t-2c, of clients with so many threads each
point () {
	# a fill empties the database, the others run on the one that was loaded
	existing='--use_existing_db=1 '
	[ "${1%%+*}" != null ] && [ "$(kind "$2")" != fills ] || existing=
	again='' number=''
	[ "$4" -eq 1 ] || again=-r$4
	[ "$repeat" -eq 1 ] || number=" --repetition=$4"
	many=1
	case $3 in
	*c)
		many=${3#*t-} many=${many%c}
		[ -z "$existing" ] || [ -n "$apart" ] || existing="$existing--multiprocess_read=1 "
		;;
	esac
	command_line "$1" "$2-$3$suffix$again" "$many" \
		"$existing--benchmarks=$(quote "$2") --threads=${3%%t*}$number"
}

# place PART ROUND UNIT ENGINE: a command on stdin with its place in the order, as
# order.awk reads it
place () {
	printf '%s\t%s\t%s\t%s\t' "$1" "$2" "$3" "$4$suffix"
	cat
}

# repeated ENGINE BENCHMARK SIZE: a point as often as it is run, each time with what
# must be run before it
repeated () {
	for round in $(seq "$repeat")
	do
		case $load/$(kind "$2")/$fills in
		none/*/yes)
			point "$@" "$round" | place 2 "$round" "$1$suffix" "$1" ;;
		none/* | */reads/*)
			point "$@" "$round" | place 1 "$round" "$1$suffix $2 $3" "$1" ;;
		*/fills/*)
			point "$@" "$round" | place 2 "$round" "$1$suffix $2 $3" "$1" ;;
		*)
			loader "$1" "$load-1t$suffix-for-$2-$3-r$round" \
				"--benchmarks=$load --repetition=$round" |
				place 2 "$round" "$1$suffix $2 $3" "$1"
			point "$@" "$round" | place 2 "$round" "$1$suffix $2 $3" "$1" ;;
		esac
	done
}

# sizes THREADS: each number of threads with each of clients
sizes () {
	for count in $(each "$1")
	do
		for many in $(each "$clients")
		do
			[ "$many" -eq 1 ] && echo "${count}t" || echo "${count}t-${many}c"
		done
	done
}

# plan_engine ENGINE: its runs with this combination
plan_engine () {
	if [ "$load" != none ]
	then
		loader "$1" "$load-1t$suffix" "--benchmarks=$load" |
			if [ "$repeat" -eq 1 ]; then cat; else place 0 0 load "$1"; fi
	fi
	for entry in $(each "$benchmarks")
	do
		benchmark=${entry%%@*}
		counts=$threads
		[ "$benchmark" = "$entry" ] || counts=${entry#*@}
		for size in $(sizes "$counts")
		do
			if [ "$repeat" -eq 1 ]
			then
				point "$1" "$benchmark" "$size" 1
			else
				repeated "$1" "$benchmark" "$size"
			fi
		done
	done
}

plan () {
	fills=no
	for entry in $(each "$benchmarks")
	do
		[ "$(kind "$entry")" != fills ] || fills=yes
	done
	for engine in $(each "$engines")
	do
		echo "$combinations" | while IFS= read -r line
		do
			suffix=${line%%"$tab"*}
			further=${line#*"$tab"}
			plan_engine "$engine"
		done
	done
}

# The plan in the order in which it is run.
ordered () {
	if [ "$repeat" -eq 1 ]
	then
		cat
	else
		echo "# $repeat repetitions in random order, --order-seed=$order_seed"
		awk -v seed="$order_seed" -f scripts/random.awk -f scripts/order.awk
	fi
}

for engine in $(each "$engines")
do
	program=bench_${engine%%+*}
	[ -x "./$program" ] ||
		fail 1 "./$program does not exist; run make $program; programs that exist: $(echo bench_*)"
done
workloads=$("./$program" --workloads=tsv)
for entry in $(each "$benchmarks,$load")
do
	[ "$entry" = none ] || kind "$entry" >/dev/null || {
		# the program rejects the name, and suggests another
		name=${entry%%[@[]*}
		why=$("./$program" --benchmarks="${name:-@}" 2>&1) || :
		fail 2 "${why#*: }"
	}
done
for engine in $(each "$engines")
do
	[ "$clients" = 1 ] || [ -n "$apart" ] ||
		why=$("./bench_${engine%%+*}" --multiprocess_read=1 --version 2>&1) ||
		fail 2 "--clients: $engine: ${why#*: }; give --clients-apart"
done
for entry in $(each "$benchmarks")
do
	case $clients/$apart/$(kind "$entry") in
	1/* | */1/* | */reads) ;;
	*) fail 2 "--clients: $entry changes the database, and clients that share one may only read; give --clients-apart" ;;
	esac
done
[ "$clients" = 1 ] || [ -x build/hdrmerge ] ||
	fail 1 "build/hdrmerge is not there, by which clients are merged; make build/hdrmerge"

mkdir -p "$out/runs" "$databases"
# What is left of a sweep that was killed holds the lock, too, as long as it runs.
exec 9>"$out/lock"
flock -n 9 ||
	fail 1 "a sweep, or a run that one left behind, is at work in $out; wait for its end"
plan | ordered >"$out/plan.new"
if [ -e "$out/plan" ] && ! cmp -s "$out/plan" "$out/plan.new"
then
	rm "$out/plan.new"
	fail 2 "$out holds another plan; give the same arguments to resume it, or another --out"
fi
mv "$out/plan.new" "$out/plan"
# The runs in the order of the plan.
runs () {
	sed -n "s|.*/runs/\\(.*\\)'/out.txt.*|\\1|p" "$out/plan"
}
for run in $(runs)
do
	mkdir -p "$out/runs/$run"
done
[ -z "$plan_only" ] || { echo "$out/plan"; exit 0; }
# run_of LINE: the name of the run of a line of the plan
run_of () {
	run=${1##*/runs/}
	echo "${run%"'/err.txt"}"
}

# finished RUN: it has ended, and well
finished () {
	[ "$(cat "$out/runs/$1/status" 2>/dev/null)" = 0 ]
}
# database_of LINE: of a line of the plan
database_of () {
	database=${1#*--db=}
	echo "${database%% --*}"
}
# loads LINE: it makes its database, which others need
loads () {
	case $1 in
	*--use_existing_db=1*) return 1 ;;
	esac
}
# With repetitions a run is to find the same database each time: one that is not finished
# has its load done again.
if [ "$repeat" -gt 1 ]
then
	grep -v '^#' "$out/plan" | while IFS= read -r line
	do
		run=$(run_of "$line")
		if finished "$run"; then finished=1; else finished=0; fi
		if loads "$line"; then kind=loads; else kind=uses; fi
		printf '%s\t%s\t%s\t%s\n' "$finished" "$kind" "$(database_of "$line")" "$run"
	done | awk -F '\t' '$2 == "loads" { load[$3] = $4; next } !$1 && $3 in load { print load[$3] }' |
		while IFS= read -r run
		do
			rm -f "$out/runs/$run/status"
		done
fi
# What an unfinished run left behind would mix with what it writes now.
for run in $(runs)
do
	finished "$run" ||
		(cd "$out/runs/$run" && rm -f status row.json row.tsv timeline.tsv)
done

# blockdev counts in 512 bytes; what it was before comes back, however this ends
if [ -n "$ahead" ]
then
	if ! device=$(findmnt --noheadings --output SOURCE --target "$databases") ||
		! before=$(blockdev --getra "$device" 2>&1)
	then
		fail 1 "--read-ahead: there is no block device under $databases of which it could be told; leave it out"
	fi
	trap 'blockdev --setra "$before" "$device"' EXIT
	blockdev --setra $((ahead * 2)) "$device" ||
		fail 1 "--read-ahead: it cannot be set on $device; run it as root"
fi
run_here () {
	# unloaded: databases whose last load did not end well, one a line
	number=0 of=$(runs | wc -l) unloaded=
	while IFS= read -r line <&3
	do
		run=$(run_of "$line")
		case $line in
		'#'*) continue ;;
		esac
		number=$((number + 1))
		! finished "$run" || continue
		database=$(database_of "$line")
		if loads "$line"
		then
			unloaded=$(printf '%s\n' "$unloaded" | grep -v -x -F -e "$database" || :)
		elif printf '%s\n' "$unloaded" | grep -q -x -F -e "$database"
		then
			echo 'none, as its database was not loaded' >"$out/runs/$run/status"
			continue
		fi
		[ ! -t 2 ] || printf '\r\033[K%s of %s: %s' $number "$of" "$run" >&2
		# In a group of its own, which only hears of an end from here; what has
		# not ended a minute later is killed.
		timeout --kill-after=60 0 sh -c "exec $line" 3<&- &
		runner=$!
		ended=0
		wait $runner || ended=$?
		runner=
		echo $ended >"$out/runs/$run/status"
		[ $ended -eq 0 ] || status=1
		[ $ended -eq 0 ] || ! loads "$line" || unloaded="$unloaded
$database"
	done 3<"$out/plan"
	[ ! -t 2 ] || printf '\r\033[K' >&2
}
if [ -n "$hosts$slurm" ]; then remote_run; else run_here; fi
trap - HUP INT TERM

# The rows of all runs that left one, and none that a crash cut short; of TSV files the
# first one's header.
collect () {
	header=1
	for run in $(runs)
	do
		file=$out/runs/$run/row.$1
		[ -s "$file" ] || continue
		if [ "$1" = json ]
		then
			head -n "$(wc -l <"$file")" "$file"
		else
			head -n "$(wc -l <"$file")" "$file" | tail -n +$header
			header=2
		fi
	done
}
collect json >"$out/results.json"
collect tsv >"$out/results.tsv"
for run in $(runs)
do
	cat "$out/runs/$run/err.txt" 2>/dev/null || true
done | awk '!seen[$0]++' >&2
if [ $status -ne 0 ]
then
	grep -v '^#' "$out/plan" | while IFS= read -r line
	do
		run=$(run_of "$line")
		finished "$run" ||
			echo "sweep.sh: exit status $(cat "$out/runs/$run/status"): $line" >&2
	done
	fail 1 "some runs failed; start it again to repeat just those"
fi
