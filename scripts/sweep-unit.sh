#!/bin/sh
# The lines of one database of a plan, one after another, on the host where sweep.sh
# --hosts or --slurm sent them.
# usage: sweep-unit.sh FILE [TAR]
# FILE has the lines. Each run leaves a file status with how it ended beside what it
# wrote, so that the status of this script is 0 unless the host could not run them; with
# TAR they are packed into that, and nothing is left here.
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
	flock 9 || echo "sweep-unit.sh: $1 cannot be locked" >&2
fi

# run_at LINE: the directory of its run, as the shell reads it
run_at () {
	word=${1##*" 2>"}
	eval "printf '%s\\n' ${word%/err.txt}"
}
# runs_of FILE: those of all its lines
runs_of () {
	while IFS= read -r line
	do
		run_at "$line"
	done <"$1"
}

unloaded=
while IFS= read -r line <&3
do
	# of several clients, too, which clients.sh runs
	program=./bench_${line#*./bench_}
	program=${program%% *}
	"$program" --version >/dev/null ||
		{ echo "sweep-unit.sh: $program does not run on $(uname -n)" >&2
		exit 3; }
	run=$(run_at "$line")
	mkdir -p "$run"
	rm -f "$run/status" "$run/row.json" "$run/row.tsv" "$run/timeline.tsv"
	[ -z "${SLURM_ARRAY_JOB_ID-}" ] ||
		scontrol update "JobId=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" \
		"JobName=$(basename "$run")" || :
	case $line in
	*--use_existing_db=1*)
		if [ -n "$unloaded" ]
		then
			echo 'none, as its database was not loaded' >"$run/status"
			continue
		fi
		;;
	*) unloaded= ;;
	esac
	status=0
	sh -c "exec $line" </dev/null 3<&- || status=$?
	echo $status >"$run/status"
	case $status/$line in
	0/* | */*--use_existing_db=1*) ;;
	*) unloaded=1 ;;
	esac
done 3<"$1"
[ $# -gt 1 ] || exit 0

runs_of "$1" | tar -cf "$2.new" -T -
mv "$2.new" "$2"
# what was made here goes, but for databases that --databases put elsewhere
runs_of "$1" | while IFS= read -r run
do
	rm -r "$run"
done
sed -n "s|.* --db='\\(\\./[^']*\\)'.*|\\1|p" "$1" | sort -u | while IFS= read -r database
do
	[ ! -e "$database/assay.db" ] || rm -r "$database"
done
