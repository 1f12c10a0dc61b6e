# remote.sh: a plan on many hosts, by GNU parallel over ssh or by Slurm; sourced by
# sweep.sh.
# shellcheck shell=sh disable=SC2154,SC2034 # it has variables, commands, finished

# The runs of one database belong together: what loads it comes first, and all go to one host. That
# is a unit: a file of lines as `commands` prints them, by numbers in the order of the plan.

# hosts_listed: the lines of $hosts that name one
hosts_listed () {
	grep -v '^[[:space:]]*\(#.*\)\{0,1\}$' "$hosts"
}
# check_hosts: each is one that GNU parallel can read, or the end: of an odd name it says
# that it has a bug
check_hosts () {
	hosts_listed >/dev/null || fail 2 "--hosts: $hosts names no host; give one a line"
	name='[A-Za-z0-9][A-Za-z0-9_.-]*'
	host="($name@)?($name|\\[[0-9A-Fa-f:.]+\\])(:[0-9]+)?"
	odd=$(hosts_listed |
		grep -m 1 -v -E "(^|[[:space:]])([0-9]+/)?(:|$host)[[:blank:]]*\$" || :)
	[ -z "$odd" ] ||
		fail 2 "--hosts: cannot read '$odd' in $hosts; give HOST, USER@HOST or an ssh \
command before it, a host a line"
	for ssh in $(hosts_listed | awk 'NF > 1 { sub(/^[0-9]+\//, "", $1); print $1 }' | sort -u)
	do
		command -v "$ssh" >/dev/null ||
			fail 2 "--hosts: in $hosts a line begins with '$ssh', which is not a \
command; give a host a line, after an ssh command if one is needed"
	done
}

# local_run RUN: the directory here of a run that may have another on its host
local_run () {
	echo "$out/runs/${1#"$at/runs/"}"
}

# remote_units: the units that have a run which is not finished, as files in $remote/units, and
# their names; $at is the directory of the sweep on hosts
remote_units () {
	[ ! -d "$remote/units" ] || rm -r "$remote/units"
	mkdir -p "$remote/units"
	sweep_commands "$at" <"$out/plan.tsv" | awk -F '\t' -v into="$remote/units" '
		!($2 in unit) { unit[$2] = sprintf("%04d", ++units) }
		{ print >> (into "/" unit[$2]); close(into "/" unit[$2]) }'
	for unit in "$remote"/units/*
	do
		unfinished=
		while IFS=$tab read -r run _
		do
			sweep_run_finished "$(local_run "$run")" || unfinished=1
		done <"$unit"
		[ -n "$unfinished" ] || { rm "$unit"; continue; }
		# all of it is run again
		while IFS=$tab read -r run _
		do
			(cd "$(local_run "$run")" && rm -f status row.json row.tsv timeline.tsv)
		done <"$unit"
		basename "$unit"
	done
}

# take_in_remote: what came back of each unit, into runs/
take_in_remote () {
	for tar in "$remote"/units/*.tar
	do
		[ -s "$tar" ] || continue
		[ ! -d "$remote/in" ] || rm -r "$remote/in"
		mkdir "$remote/in"
		tar -xf "$tar" --no-same-owner --no-same-permissions -C "$remote/in"
		while IFS=$tab read -r run _
		do
			[ -s "$remote/in/$run/status" ] || continue
			cp "$remote/in/$run"/* "$(local_run "$run")/"
		done <"${tar%.tar}"
		rm -r "$remote/in" "$tar"
	done
}

# by_ssh LIST: units, one at a time on each host; what a host that dies had goes to another
by_ssh () {
	command -v rsync >/dev/null ||
		fail 1 "rsync is not installed, with which GNU parallel copies files; apt install \
rsync, on the hosts too"
	cp scripts/tools/sweep-unit.sh "$remote/"
	set --
	# shellcheck disable=SC2013 # names of programs have no blanks
	for program in $(cut -f 4 "$out/commands.tsv" | sort -u)
	do
		cp "$program" "$remote/"
		set -- "$@" --basefile "$program"
	done
	# each host has one try at a unit, and one to spare
	tries=$(($(hosts_listed | wc -l) + 1))
	place=assay-sweep-$(printf '%s:%s' "$(uname -n)" "$out" | sha256sum | cut -c 1-12)
	patient_ssh='ssh -o BatchMode=yes -o ConnectTimeout=10'
	patient_ssh="$patient_ssh -o ServerAliveInterval=10 -o ServerAliveCountMax=3"
	(cd "$remote" &&
		PARALLEL_SSH=${PARALLEL_SSH:-$patient_ssh} \
		exec parallel --will-cite --sshloginfile "$hosts" --jobs 1 \
		--retries "$tries" --joblog "$remote/joblog" --workdir "$place" \
		--basefile sweep-unit.sh "$@" --transferfile units/{} \
		--return units/{}.tar --cleanup \
		"sh ./sweep-unit.sh units/{} units/{}.tar" <"$remote/list" 2>"$remote/err.txt") &
	runner=$!
	wait $runner || status=1
	runner=
	take_in_remote
}

# job_at_work: whether tasks of $job are still to end. That Slurm does not answer is no end.
ends='COMPLETED|FAILED|CANCELLED|TIMEOUT|OUT_OF_MEMORY|DEADLINE|BOOT_FAIL|NODE_FAIL|PREEMPTED|'\
'REVOKED|'
job_at_work () {
	if states=$(squeue --noheader --jobs="$job" --states=all --format=%T 2>/dev/null)
	then
		echo "$states" | grep -q -v -x -E "$ends"
	else
		! scontrol ping >/dev/null 2>&1
	fi
}
# let_go_of_remote: tasks that Slurm holds as they could not be launched. On a node that comes back
# the files of the task that died with it are in the way, once: so each is released, and
# after the third time given up, which is said in the end as no host ran it.
let_go_of_remote () {
	squeue --noheader --array --jobs="$job" --states=PENDING --format='%i %r' \
		2>/dev/null | sed -n 's/ .*launch.failed.requeued.held.*//p' |
		while IFS= read -r task
		do
			echo "$task" >>"$remote/released"
			if [ "$(grep -c -x "$task" "$remote/released")" -le 3 ]
			then
				scontrol release "$task" || :
			else
				scancel "$task" || :
			fi
		done
}
wait_for_job () {
	runner_job=$job
	rm -f "$remote/released"
	while job_at_work
	do
		let_go_of_remote
		sleep "${SLURM_POLL_SECONDS:-5}"
	done
	runner_job=
}

# by_slurm LIST: units as the tasks of an array job, each on nodes of its own. The
# directory is one that all nodes see.
by_slurm () {
	command -v sbatch >/dev/null ||
		fail 1 "sbatch is not installed; --slurm needs a machine that submits jobs to Slurm"
	tasks=$(sed 's/^0*//' "$remote/list" | paste -sd , -)
	rm -f "$remote"/slurm-*.txt
	cat >"$remote/task.sh" <<END
#!/bin/sh
cd $(quote "$PWD") && exec sh scripts/tools/sweep-unit.sh \
$(quote "$remote/units")/\$(printf %04d "\$SLURM_ARRAY_TASK_ID")
END
	# shellcheck disable=SC2086
	job=$(sbatch --parsable --array="$tasks" --job-name="assay-$(basename "$out")" \
		--exclusive --requeue \
		--output="$remote/slurm-%a.txt" $slurm_options "$remote/task.sh") ||
		fail 1 "sbatch accepted no job; see its message above"
	job=${job%%;*}
	echo "$job" >"$remote/job"
	echo "sweep.sh: Slurm has the plan as job $job; squeue shows it" >&2
	wait_for_job
}

# remote_run: all that is not finished; sets status
remote_run () {
	remote=$out/remote at=$out
	[ -z "$hosts" ] || at=.
	mkdir -p "$remote"
	if [ -n "$slurm" ] && [ -s "$remote/job" ]
	then
		# what another sweep.sh that was killed left at work
		job=$(cat "$remote/job")
		wait_for_job
	fi
	[ ! -d "$remote/units" ] || take_in_remote
	remote_units >"$remote/list"
	[ -s "$remote/list" ] || return 0
	if [ -n "$hosts" ]; then by_ssh; else by_slurm; fi
	[ -z "$slurm" ] || cat "$remote"/slurm-*.txt >"$remote/err.txt" 2>/dev/null || :
	# a unit that no host finished is said once, with what was heard of it
	while IFS=$tab read -r run _
	do
		[ -s "$run/status" ] ||
			echo "none, no host ran it to its end" >"$run/status"
		sweep_run_finished "$run" || status=1
	done <"$out/commands.tsv"
	[ ! -s "$remote/err.txt" ] ||
		awk '!seen[$0]++ { print "sweep.sh: on hosts: " $0 }' "$remote/err.txt" |
		head -n 20 >&2
}

# on_each_host ARGUMENTS: the same sweep once on every host, all at once, each in
# OUT/hosts/NUMBER; their rows together
on_each_host () {
	for argument
	do
		shift
		case $argument in
		--each-host | --out=* | --hosts=*) ;;
		*) set -- "$@" "$argument" ;;
		esac
	done
	# a wrong argument ends it before anything is made
	numbers=1
	[ -z "$dry" ] || numbers=$(seq "$(hosts_listed | wc -l)")
	planned=$(for number in $numbers
	do
		"$0" "$@" --out="$out/hosts/$number" --hosts="$hosts" --dry-run || exit
	done) || exit
	[ -z "$dry" ] || { echo "$planned"; return; }
	mkdir -p "$out/hosts"
	hosts_listed >"$out/hosts/list"
	number=0
	while IFS= read -r host <&3
	do
		number=$((number + 1))
		echo "$host" >"$out/hosts/$number.host"
		"$0" "$@" --out="$out/hosts/$number" --hosts="$out/hosts/$number.host" 3<&- &
		runner="$runner $!"
	done 3<"$out/hosts/list"
	for child in $runner
	do
		ended=0
		wait "$child" || ended=$?
		[ $ended -eq 0 ] || [ "$status" -eq 2 ] || status=$ended
	done
	runner=
	[ "$status" -ne 2 ] || exit 2
	[ -z "$plan_only" ] || return "$status"
	for results in "$out"/hosts/*/results.json
	do
		[ ! -e "$results" ] || cat "$results"
	done >"$out/results.json"
	[ "$status" -eq 0 ] ||
		fail 1 "some runs failed; start it again to repeat just those"
}
