#!/bin/sh
# The lines of one database of a plan, one after another, on the host where sweep.sh
# --hosts or --slurm sent them.
# usage: sweep-unit.sh FILE [TAR]
# FILE has the lines: directory, database, what the run does with that, program and
# command of a run. Each run leaves a file status with how it ended beside what it wrote,
# so that the status of this script is 0 unless the host could not run them; with TAR they
# are packed into that, and nothing is left here.
set -eu

# One at a time on a host, also if what a dead sweep left is still at work. Slurm sees to
# that itself; but of a unit that it gives to another node, when it hears nothing of the
# first, nothing may be at work there: if it is cut off only, its file has the lock, as
# far as the file system that nodes share has locks.
if [ $# -gt 1 ]
then
	exec 9>lock
	flock 9
else
	exec 9>>"$1"
	flock 9 || printf 'sweep-unit.sh: %s cannot be locked\n' "$1" >&2
fi

tab=$(printf '\t')
unloaded=
while IFS=$tab read -r run _ does program command <&3
do
	"./$program" --version >/dev/null ||
		{ printf 'sweep-unit.sh: %s does not run on %s\n' "$program" "$(uname -n)" >&2
		exit 3; }
	mkdir -p "$run"
	rm -f "$run/status" "$run/row.json" "$run/row.tsv" "$run/timeline.tsv"
	[ -z "${SLURM_ARRAY_JOB_ID-}" ] ||
		scontrol update "JobId=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" \
		"JobName=$(basename "$run")" || :
	if [ "$does" = load ]
	then
		unloaded=
	elif [ -n "$unloaded" ]
	then
		echo 'none, as its database was not loaded' >"$run/status"
		continue
	fi
	status=0
	sh -c "exec $command" </dev/null 3<&- || status=$?
	printf '%s\n' $status >"$run/status"
	[ $status -eq 0 ] || [ "$does" != load ] || unloaded=1
done 3<"$1"
[ $# -gt 1 ] || exit 0

cut -f 1 "$1" | tar -cf "$2.new" -T -
mv "$2.new" "$2"
# what was made here goes, but for databases that --databases put elsewhere
cut -f 1 "$1" | while IFS= read -r run
do
	rm -r "$run"
done
cut -f 2 "$1" | sort -u | grep '^[.]/' | while IFS= read -r database
do
	for one in "$database" "$database-copy"
	do
		[ ! -e "$one/assay.db" ] || rm -r "$one"
	done
done
