#!/bin/sh
# reference.sh: measure a publication's reference run and keep its files; see --help.
set -eu
. "$(dirname "$0")/../common.sh"

dry=
case ${1-} in
--help)
	cat <<END
usage: scripts/repro/reference.sh [--dry-run | --estimate] NAME [OPTION ...]

Measures a publication again and stores the result in the source tree, for comparison with later
runs. It runs scripts/repro/NAME.sh --rounds=3 OPTION ... into results/NAME-reference; if it was
interrupted, it continues there, from the same commit only. Then it copies the rows, tables,
verdicts, page and a plot to results/reference/NAME, where notes.md, written by hand, explains the
warnings of the rows. Needs root, to set the read-ahead, a tree without uncommitted changes, and a
machine on which other programs use at most 5 % of the CPU.

--dry-run    print the commands and run none
--estimate   print how many minutes one round at the default scale and the whole take, from the
             rates in the stored reference. It is too high for runs that were short and began with
             an empty cache
Exit status: that of the script; 2 for wrong arguments or a tree with changes.
END
	exit 0
	;;
--dry-run | --estimate) dry=$1; shift ;;
esac
name=${1-}
[ -n "$name" ] || fail 2 "which reproduction? see --help"
shift
top=$(cd "$(dirname "$0")/../.." && pwd)
[ -e "$top/scripts/reading/publications/$(echo "$name" | tr - _).py" ] ||
	fail 2 "there is no reproduction '$name'; scripts/repro has them"
if [ "$dry" = --dry-run ]
then
	exec "$top/scripts/repro/$name.sh" --dry-run --rounds=3 "$@"
elif [ -n "$dry" ]
then
	[ -s "$top/results/reference/$name/rows.json" ] ||
		fail 2 "results/reference/$name has no rows, by which --estimate goes"
	make_work
	"$top/scripts/repro/$name.sh" --dry-run --rounds=3 "$@" >"$work/plan"
	read_by estimate.sh "$top/results/reference/$name/rows.json" "$work/plan"
	exit
fi
# reference_used: how many percent of the machine's CPU time is used, by three seconds of it
reference_used () {
	for reading in 1 2
	do
		awk '/^cpu / {
			print $2 + $3 + $4 + $7 + $8 + $9, $2 + $3 + $4 + $5 + $6 + $7 + $8 + $9
		}' /proc/stat
		[ "$reading" = 2 ] || sleep 3
	done | awk 'NR == 1 { used = $1; all = $2 }
		END { printf "%.0f\n", 100 * ($1 - used) / ($2 - all) }'
}
busy=$(reference_used)
[ "$busy" -le 5 ] ||
	fail 1 "other programs use $busy % of the CPU, and a reference needs a quiet machine \
(5 %); end them or wait"
[ -z "$(git -C "$top" status --porcelain --untracked-files=no)" ] ||
	fail 2 "the tree has changes; a reference is of a commit"
out=$top/results/$name-reference kept=$top/results/reference/$name
began=$(jq -r .commit "$out/meta.json" 2>/dev/null) || began=
commit=$(git -C "$top" describe --always --dirty)
[ "${began:-$commit}" = "$commit" ] ||
	fail 2 "$out was begun from commit $began, and this is $commit; go back to that, or \
remove the directory"
status=0
"$top/scripts/repro/$name.sh" --rounds=3 --out="$out" "$@" || status=$?
[ $status -le 1 ] && [ -s "$out/report.html" ] || exit $status
mkdir -p "$kept"
for file in rows.json meta.json missing.tsv asked.md tables.md claims.json claims.md \
	report.html figures/threads-leveldb-minstd.svg figures/captions.tsv
do
	[ -s "$out/$file" ] || continue
	mkdir -p "$kept/$(dirname "$file")"
	cp "$out/$file" "$kept/$file"
done
echo "$kept/report.html"
exit $status
