#!/bin/sh
# sweep.sh: run engines x benchmarks x threads, one run at a time; see --help.
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'flock and findmnt' "$@"

help () {
	cat <<END
usage: scripts/sweep.sh --out=DIRECTORY [option ...]

Measures every combination of engines, workloads and numbers of threads, one run at a time. It
writes a plan to DIRECTORY/plan.tsv, one line per run, and the results to DIRECTORY/results.json.
Started again with the same arguments, it skips finished runs and repeats failed ones. If a load
fails, the runs that need its database are skipped and listed.

  --out=DIRECTORY       directory of the results
  --engines=A,B         engines, which are the programs bench_ENGINE [lmdb]. A+option=value is A
                        with that option, under that name: wiredtiger,wiredtiger+type=lsm.
                        Versions that engine.sh built: lmdb-1.0.2
  --benchmarks=A,B      workloads [readrandom]; A@4 is A with 4 threads only
  --threads=1,2,4       numbers of threads for each benchmark [1,2,4,8,16,32,64]
  --clients=1,4         numbers of concurrent processes, run by clients.sh; they share the
                        database, so benchmarks may only read it [1]
  --clients-apart       with --clients=N: each has a database of its own, and benchmarks may write
  --repeat=N            number of runs of each combination, see below [1]
  --until=PERCENT       end each comparison when it has a verdict, see below; --repeat [48] is then
                        the most rounds
  --metric=COLUMN       column that --until compares, as in compare.sh [ops_per_sec; in an open loop
                        p99]
  --order-seed=N        seed of the order of runs [1]
  --load=BENCHMARK      workload that loads the database, such as ycsb-load for ycsb-a and its
                        siblings, ucsb-0 for UCSB's [filluniquerandbatch]
  --databases=DIRECTORY of the databases [OUT/db, or below STORAGE_DIR under storage.sh]
  --read-ahead=KIB      read-ahead of their device, as in storage.sh; needs root [unchanged]
  --steal-limit=PERCENT repeat a run, at most twice, if the hypervisor took more of the CPU's time;
                        but none that changes a database for others
  --hosts=FILE          run on hosts, one a line of FILE, GNU parallel's sshloginfile; see below
  --each-host           with --hosts: the whole plan on every host
  --slurm[=OPTIONS]     run as an array job of Slurm; OPTIONS go to sbatch:
                        --slurm='--partition=fast --time=2:00:00'
  --profile             run the plan again under profile.sh, into OUT/profile; rows are of runs
                        without it
  --syscalls            the same with profile.sh --syscalls
  --suffix=TEXT         text to add to each label, such as the storage; without blanks
  --plan-only           write the plan, make the directories of its runs, and print its commands,
                        which any job runner can run from the top of the source tree
  --dry-run             print the commands and touch nothing
  --help                this
Any other --option=value goes to every command, for instance --num=1m --duration=10; one with
several values, --value_size=100,1000, multiplies the runs, each value with its own load. A list,
such as --mix or --cpus, or a text, such as a path, is one value; bench_NAME --options=tsv has the
types.

Each engine's database, with each setting and size, is loaded once and kept, after its background
work was finished (--settle=1). Runs that only read share it. Each run that writes gets a copy,
deleted at its end, which shares blocks (reflink) if the file system can. Files that fit in memory
are in the page cache in one state, original or copy (--page_cache). Servers, and devices with
--device, cannot be copied: there workloads that fill come after those that read, and each run that
writes has its own load before it, if there are repetitions. With --load=none there is no load.

With --repeat each combination is measured once in each round, in random order, so that a drift of
the machine does not fall on one engine. All runs draw their own keys, in each round the same ones
for every engine. With --load=none the workloads of an engine stay in the given order if one of them
fills the database.

With --until, each engine is compared with the first of --engines, in each workload, number of
threads, number of clients and value of further options; if there is one engine, each value of a
further option with the first value. Rounds are pairs. A comparison ends at 8, 12, 20, 32 or 48
rounds: when Wilcoxon's signed rank test finds a difference at 0.05/5, or the 99 % interval of the
ratio extends by at most PERCENT to both sides of its middle. So at most 5 % of comparisons without
a difference end with one, each for itself. One with a figure of 0 or less has no ratio, and ends
without a verdict. Runs that no open comparison needs are skipped; with --load=none those of an
engine are needed together. OUT/until.tsv has the verdicts, which are also printed; compare.sh OUT
judges by the same rule.

With --clients, the processes of a run start together, as one row of the plan, which sums them up;
runs/NAME/clients has the results of each.

With --hosts and --slurm, the runs of one database are a unit: they go to one host, one after
another. --hosts copies programs and commands there by rsync, and the results back; databases are
made in a temporary directory, or in --databases. The units of a host that dies go to another; units
that no host could run are listed. With --slurm the nodes must see this tree and DIRECTORY. Both
continue where they stopped, by units. Rows of several hosts are compared only on request.

In DIRECTORY: plan.tsv, commands.tsv, lock,
runs/NAME/{status,row.json,row.tsv,latency.hgrm,timeline.tsv,out.txt,err.txt}, databases in db/
unless they are elsewhere, and results.json and results.tsv, which collect the rows of all runs;
with --until also comparisons.tsv and until.tsv. timeline.tsv has rows for every second, or every
--timeline_interval=S. The messages on stderr are shown at the end, each once.
Exit status: 0 all rows valid, 1 a run failed or is invalid, 2 wrong arguments, 130 Ctrl-C: the
current run was ended in order.
END
}

out=
engines=lmdb
benchmarks=readrandom
threads=1,2,4,8,16,32,64
clients=1 apart=''
repeat='' until='' metric=''
order_seed=1
load=filluniquerandbatch
databases=
ahead=
steal=
tag=
plan_only='' dry='' profile='' syscalls=''
hosts='' each_host='' slurm='' slurm_options='' runner_job=''
# the programs' options, a line each
further=''
for argument
do
	case $argument in
	*[[:cntrl:]]*) fail 2 "'$(echo "$argument" | tr '[:cntrl:]' ' ')' has a line end, a tab or \
another control character, and no line of the plan can; leave it out" ;;
	esac
	set_option "$argument" out engines benchmarks threads clients repeat until \
		metric load databases hosts || case $argument in
	--help) help; exit 0 ;;
	--clients-apart) apart=1 ;;
	--order-seed=?*) order_seed=$value ;;
	--read-ahead=?*) ahead=$value ;;
	--steal-limit=?*) steal=$value ;;
	--suffix=*) tag=$value ;;
	--each-host) each_host=1 ;;
	--slurm) slurm=1 ;;
	--slurm=?*) slurm=1 slurm_options=$value ;;
	--profile) profile=1 ;;
	--syscalls) syscalls=1 ;;
	--plan-only) plan_only=1 ;;
	--dry-run) dry=1 ;;
	--out= | --engines= | --benchmarks= | --threads= | --clients= | --repeat= | \
		--until= | --metric= | --order-seed= | --load= | --databases= | --read-ahead= | \
		--steal-limit=)
		fail 2 "$argument has no value; see --help" ;;
	--db=* | --json=* | --tsv=* | --hdr=* | --label=* | --use_existing_db=* | \
		--timeline=* | --repetition=* | --epoch=*)
		fail 2 "${argument%%=*} is sweep.sh's to set; see --help" ;;
	--*=*) further="$further$argument
" ;;
	*) refuse "$argument" 'options are --name=value, ' ;;
	esac
done
needs_out "$out"
for list in "$engines" "$benchmarks" "$threads" "$clients"
do
	[ -n "$(echo "$list" | tr -d ', ')" ] ||
		fail 2 "'$list' names none; give one or more to each of \
--engines, --benchmarks, --threads and --clients"
done
for many in $(each "$clients")
do
	whole --clients "$many" $((1 + ${apart:-0}))
done
case $apart/$clients in
1/*,*) fail 2 "--clients-apart: each client has a database, loaded for one number of them; \
give one to --clients" ;;
esac
[ -z "$hosts" ] || [ "$clients" = 1 ] ||
	fail 2 "--clients are processes of this machine, or of Slurm's nodes, \
which see the scripts; leave out --hosts"
[ -z "$hosts" ] || [ -z "$slurm" ] || fail 2 "--hosts and --slurm exclude each other; give one"
[ -z "$each_host" ] || [ -n "$hosts" ] ||
	fail 2 "--each-host: which hosts? give --hosts=FILE"
[ -z "$hosts$slurm" ] || [ -z "$ahead$steal" ] ||
	fail 2 "--read-ahead and --steal-limit are of this machine; \
leave them out with --hosts and --slurm"
[ -z "$hosts$slurm" ] || [ -z "$profile$syscalls" ] ||
	fail 2 "--profile and --syscalls are of this machine; \
leave them out with --hosts and --slurm"
case $until in
*[!0-9.]* | *.*.* | .) fail 2 "--until: cannot read '$until'; give percent" ;;
esac
[ -n "$until" ] || [ -z "$metric" ] || fail 2 "--metric is what --until compares; give --until"
[ -z "$until" ] || [ -z "$hosts$slurm$profile$syscalls" ] ||
	fail 2 "--until judges runs while they are made here; \
leave out --hosts, --slurm, --profile and --syscalls"
repeat=${repeat:-${until:+48}} repeat=${repeat:-1}
[ -z "$hosts" ] || { readable "$hosts" --hosts; uncut "$hosts" "--hosts: $hosts"; }
case $tag in
*[[:space:]]*) fail 2 \
	"--suffix: '$tag' has a blank, which no plot can read in a label; leave it out" ;;
esac
check_read_ahead "$ahead"
whole --repeat "$repeat" 1
[ -z "$until" ] || [ "$repeat" -ge 8 ] ||
	fail 2 "--until looks at 8 rounds first; give --repeat=8 or more, or leave it out"
case $until/$benchmarks in
/*) ;;
*[[]*X*) fail 2 "--until compares one row of each run; leave out [X...] of --benchmarks" ;;
esac
whole --steal-limit "${steal:-0}"
whole --order-seed "$order_seed"
needs jq
out=$(absolute "$out")
# storage.sh's commands measure on what it made
storage=''
[ -n "$databases$hosts$slurm" ] || storage=${STORAGE_DIR:+$STORAGE_DIR/$(basename "$out")}
databases=$(absolute "${databases:-${storage:-$out/db}}")
case $out$databases in
*[[:cntrl:]]*)
	fail 2 "'$(printf %s "$PWD" | tr '[:cntrl:]' ' ')' has a line end, a tab or \
another control character, and no line of the plan can; give an absolute --out" ;;
esac
hosts=$(absolute "$hosts")
. "$(dirname "$0")/tools/remote.sh"
[ -z "$hosts" ] || check_hosts
status=0 runner=
# What is at work ends in order, with its database, and is repeated when the sweep goes
# on. A shell has its children ignore INT, so each is told.
stop_sweep () {
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
	fail "$2" "interrupted; start it again and it goes on where it stopped"
}
on_signals stop_sweep
[ -z "$each_host" ] || { on_each_host "$@"; exit; }
cd "$(dirname "$0")/.."

# sweep_kind BENCHMARK: what it does to the database: fills, reads or writes
sweep_kind () {
	echo "$workloads" |
		awk -F '\t' -v name="${1%%[@[]*}" \
		'NR > 1 && $1 == name { print $2; found = 1 } END { exit !found }'
}

# sweep_commands OUT: directory, database, what the run does with that (load, keep or use), program
# and command of each row of a plan on stdin, with tabs between them, for a sweep in OUT
sweep_commands () {
	jq -nRr --argjson asked "$asked" --arg workloads '' --arg at "$1" \
		-L scripts/tools 'include "plan"; plan_commands($at)'
}

for engine in $(each "$engines")
do
	program=bench_${engine%%+*}
	[ -x "./$program" ] ||
		fail 1 "./$program does not exist; run make $program; \
programs that exist: $(echo bench_*)"
done
workloads=$("./$program" --workloads=tsv)
for entry in $(each "$benchmarks,$load")
do
	[ "$entry" = none ] || sweep_kind "$entry" >/dev/null || {
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
	case $clients/$apart/$(sweep_kind "$entry") in
	1/* | */1/* | */reads) ;;
	*) fail 2 "--clients: $entry changes the database, \
and clients that share one may only read; give --clients-apart" ;;
	esac
done
[ "$clients" = 1 ] || [ -x build/hdrmerge ] ||
	fail 1 "build/hdrmerge, which merges clients, is not built; make build/hdrmerge"

# engines whose databases can be copied
copying=
for engine in $(each "$engines")
do
	! "./bench_${engine%%+*}" --copy_of=. --version >/dev/null 2>&1 ||
		copying=$copying${copying:+,}$engine
done
# the programs' options: name, alias and type
options=$(for engine in $(each "$engines")
do
	"./bench_${engine%%+*}" --options=tsv
done | cut -f 2,3,5 | sort -u)
asked=$(jq -n --arg options "$options" --arg out "$out" --arg databases "$databases" \
	--arg engines "$engines" --arg benchmarks "$benchmarks" --arg threads "$threads" \
	--arg clients "$clients" --arg apart "$apart" --argjson repeat "$repeat" \
	--argjson seed "$order_seed" --arg load "$load" --arg copying "$copying" \
	--arg tag "$tag" --arg further "$further" '$ARGS.named')
[ -z "$until" ] || {
	comparisons=$(jq -nr --argjson asked "$asked" --arg workloads '' -L scripts/tools \
		'include "plan"; plan_comparisons')
	[ "$(echo "$comparisons" | wc -l)" -gt 1 ] ||
		fail 2 "--until compares engines, or values of an option; give two of either"
}
# and its commands after an empty line: jq takes longer to begin than for both
planned=$(jq -nr --argjson asked "$asked" --arg workloads "$workloads" --arg at "$out" \
	-L scripts/tools 'include "plan"; [plan] | .[], "", plan_commands($at; .[])')
[ -z "$dry" ] || { echo "$planned" | sed '1,/^$/d' | cut -f 5-; exit 0; }
[ -z "$storage" ] || echo "sweep.sh: the databases are in $databases" >&2
mkdir -p "$out/runs" "$databases"
# What is left of a sweep that was killed holds the lock, too, as long as it runs.
exec 9>"$out/lock"
flock -n 9 ||
	fail 1 "a sweep, or a run that it left behind, uses $out; wait for its end"
plan=$(echo "$planned" | sed '/^$/,$d')
[ ! -e "$out/plan.tsv" ] || [ "$(cat "$out/plan.tsv")" = "$plan" ] ||
	fail 2 "$out holds another plan; give the same arguments to resume it, or another --out"
echo "$plan" >"$out/plan.new"
mv "$out/plan.new" "$out/plan.tsv"
echo "$planned" | sed '1,/^$/d' >"$out/commands.tsv"
[ -z "$until" ] || echo "$comparisons" >"$out/comparisons.tsv"
cut -f 1 "$out/commands.tsv" | tr '\n' '\0' | xargs -0 mkdir -p
[ -z "$plan_only" ] || { cut -f 5- "$out/commands.tsv"; exit 0; }

# sweep_run_finished RUN: it has ended, and well, by its directory
sweep_run_finished () {
	[ -e "$1/status" ] && read -r how <"$1/status" && [ "$how" = 0 ]
}
# A run that is not finished has its load done again if the database is gone or another load's by
# now, or if repetitions are to find the same database and there are no copies.
while IFS=$tab read -r run database does _
do
	again=0 begun=0 first=${database%%%k*}
	[ "$first" = "$database" ] || first=${first}1${database#*%k}
	[ "$repeat" -eq 1 ] || [ "$does" = keep ] || again=1
	[ -e "$first/assay.db" ] || again=1
	! sweep_run_finished "$run" || again=-
	[ ! -e "$run/out.txt" ] || begun=1
	printf '%s\t%s\t%s\t%s\t%s\n' "$again" "$begun" "$does" "$database" "$run"
done <"$out/commands.tsv" |
	awk -F '\t' '
		{ again[NR] = $1; does[NR] = $3; at[NR] = $4; run[NR] = $5 }
		$2 && $3 == "load" { has[$4] = $5 }
		END {
			for (i = 1; i <= NR; i++) {
				if (does[i] == "load")
					load[at[i]] = run[i]
				if (again[i] == "-" || !(at[i] in load))
					continue
				if (does[i] != "load" && (again[i] || has[at[i]] != load[at[i]]))
					print load[at[i]]
				has[at[i]] = load[at[i]]
			}
		}' |
	while IFS= read -r run
	do
		rm -f "$run/status"
	done
# What an unfinished run left behind would mix with what it writes now.
while IFS=$tab read -r run _
do
	sweep_run_finished "$run" || (cd "$run" && rm -f status row.json row.tsv timeline.tsv)
done <"$out/commands.tsv"

# What it was before comes back, however this ends. Of a partition, its disk has it.
if [ -n "$ahead" ]
then
	disk=/sys/dev/block/$(
		findmnt --noheadings --output MAJ:MIN --target "$databases" | tr -d ' '
	)
	[ -e "$disk/queue" ] || disk=$disk/..
	before=$(cat "$disk/queue/read_ahead_kb" 2>/dev/null) ||
		fail 1 "--read-ahead: there is no block device under $databases; leave it out"
	{ echo "$ahead" >"$disk/queue/read_ahead_kb"; } 2>/dev/null ||
		fail 1 "--read-ahead: it cannot be set in $disk/queue/read_ahead_kb; run it as root"
	trap 'echo "$before" >"$disk/queue/read_ahead_kb"' EXIT
fi
# sweep_left: how long the rest of the plan takes if its runs take as long as those until now
sweep_left () {
	[ $ran -eq 0 ] || awk -v s=$((($(date +%s) - began) * (of - number + 1) / ran)) \
		'BEGIN { if (s < 120) printf ", %d s left", s
			else if (s < 7200) printf ", %.0f min left", s / 60
			else printf ", %.1f h left", s / 3600 }'
}
# stolen_in_sweep RUN DOES: it can be repeated, and is to be
stolen_in_sweep () {
	[ -n "$steal" ] && [ "$tries" -lt 3 ] || return 1
	[ "$2" != use ] || return 1
	jq -es --argjson limit "$steal" 'any(.[]; .steal_percent > $limit)' "$1/row.json" \
		>/dev/null 2>&1
}
# sweep_judge COMMAND: when the first command of a round comes that has not been done, $unneeded are
# the runs that no comparison without a verdict needs, one a line
judged='' unneeded=''
sweep_judge () {
	case $1 in
	*' --repetition='*) round=${1#* --repetition=} round=${round%% *} ;;
	*) round=0 ;;
	esac
	[ "$round" != "$judged" ] || return 0
	judged=$round
	unneeded=$(read_by sweep.sh "$out" "$until" "$metric" unneeded)
}
# sweep_listed WORD LIST: it is a line of that
sweep_listed () {
	echo "$2" | grep -q -x -F -e "$1"
}
sweep_here () {
	began=$(date +%s) ran=0 repeated=0
	# unloaded: databases whose last load did not end well, one a line
	number=0 of=$(wc -l <"$out/commands.tsv") unloaded=
	while IFS=$tab read -r run database does _ command <&3
	do
		number=$((number + 1))
		! sweep_run_finished "$run" || continue
		[ -z "$until" ] || sweep_judge "$command"
		! sweep_listed "${run##*/}" "$unneeded" || continue
		if [ "$does" = load ]
		then
			unloaded=$(echo "$unloaded" | grep -v -x -F -e "$database" || :)
		elif sweep_listed "$database" "$unloaded"
		then
			echo 'none, as its database was not loaded' >"$run/status"
			continue
		fi
		progress "$number of $of$(sweep_left): ${run##*/runs/}"
		tries=0
		while
			tries=$((tries + 1)) ended=0
			# In a group of its own, which only hears of an end from here;
			# what has not ended a minute later is killed.
			timeout --kill-after=60 0 sh -c "exec $command" 3<&- &
			runner=$!
			wait $runner || ended=$?
			runner=
			stolen_in_sweep "$run" "$does"
		do
			repeated=$((repeated + 1))
			(cd "$run" && rm -f row.json row.tsv timeline.tsv)
		done
		echo $ended >"$run/status"
		ran=$((ran + 1))
		[ $ended -eq 0 ] || status=1
		[ $ended -eq 0 ] || [ "$does" != load ] || unloaded="$unloaded
$database"
	done 3<"$out/commands.tsv"
	progress ''
	[ $repeated -eq 0 ] ||
		echo "sweep.sh: runs repeated because the hypervisor took more than" \
			"$steal % of the CPU: $repeated" >&2
}
if [ -n "$hosts$slurm" ]; then remote_run; else sweep_here; fi
trap - HUP INT TERM

# The rows of all runs that left one, and none that a crash cut short; of TSV files the
# first one's header.
collect_sweep () {
	header=1
	while IFS=$tab read -r run _
	do
		file=$run/row.$1
		[ -s "$file" ] || continue
		head -n "$(wc -l <"$file")" "$file" | tail -n +$header
		[ "$1" = json ] || header=2
	done <"$out/commands.tsv"
}
# Verdicts, and no directory of a run that was not needed.
if [ -n "$until" ]
then
	read_by sweep.sh "$out" "$until" "$metric" table
	cut -f 1 "$out/commands.tsv" | while IFS= read -r run
	do
		[ -e "$run/status" ] || rmdir "$run" 2>/dev/null || :
	done
fi
collect_sweep json >"$out/results.json"
collect_sweep tsv >"$out/results.tsv"
while IFS=$tab read -r run _
do
	cat "$run/err.txt" 2>/dev/null || true
done <"$out/commands.tsv" | awk '!seen[$0]++' >&2
if [ $status -ne 0 ]
then
	while IFS=$tab read -r run _ _ _ command
	do
		sweep_run_finished "$run" && continue
		[ -e "$run/status" ] || continue
		echo "sweep.sh: exit status $(cat "$run/status"): $command" >&2
		[ ! -s "$run/row.json" ] || jq -r '.invalid_reason | strings |
			"sweep.sh: invalid: \(.)"' "$run/row.json" >&2 || :
	done <"$out/commands.tsv"
	fail 1 "some runs failed; start it again to repeat just those"
fi
# sweep_again ARGUMENTS...: all of the plan once more, by profile.sh; a missing perf is no failure
sweep_again () {
	mkdir -p "$out/profile/db"
	sweep_commands "$out/profile" <"$out/plan.tsv" >"$out/profile/commands.tsv"
	scripts/profile.sh --out="$out/profile" \
		--plan="$out/profile/commands.tsv" "$@" || [ $? -eq 3 ] ||
		fail 1 "some runs could not be profiled"
	rm -r "$out/profile/db"
}
[ -z "$profile" ] || sweep_again
[ -z "$syscalls" ] || sweep_again --syscalls
