#!/bin/sh
# clients.sh: run a command as several concurrent clients, and sum up their results; see --help.
# shellcheck disable=SC2317 # what only the traps call
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'GNU find and xargs' "$@"

help () {
	cat <<END
usage: scripts/clients.sh --clients=N --out=DIRECTORY bench_NAME [option ...]

Runs N processes (clients) of a program at once, on one database, device or server, and adds up
their results. They start each benchmark together (--barrier_file). Percentiles are of their merged
latency histograms; averages of percentiles would be wrong. For instance, four clients read one
database:

    ./bench_lmdb --benchmarks=fillseqbatch --db=/data/db
    scripts/clients.sh --clients=4 --out=results/four ./bench_lmdb --db=/data/db \\
        --use_existing_db=1 --multiprocess_read=1 --benchmarks=readrandom --duration=30

  --clients=N           number of processes, from 2 to 1000
  --out=DIRECTORY       directory of the results, which is made
  --replace             first delete earlier results in DIRECTORY; refuse if it holds anything else
  --json=FILE, --tsv=FILE   append a row of all clients for each benchmark. Counts, CPU time and
                        calls are sums. Percentiles are of the merged histograms, rates over the
                        time from the first start to the last end. Columns that cannot be summed
                        up are empty. The column clients has their number
  --help                this

In each option %k becomes the client's number, from 1: --db=/data/db%k gives each its own database.
Each has its own seed, N + k for --seed=N [101 + k].
In DIRECTORY: the marker assay.clients, K.json, K.hdr, K.out and K.err of each client,
results.json with all their rows, and merged.tsv, which is printed: merged percentiles, the skew of
starts and ends, and the fraction of the time in which all clients ran, of each benchmark.
Exit status: 0 all rows valid; 1 a client failed, or a row is invalid; 2 wrong arguments.
END
}

clients='' out='' replace='' json='' tsv=''
while [ $# -gt 0 ]
do
	set_option "$1" clients out json tsv || case $1 in
	--help) help; exit 0 ;;
	--replace) replace=1 ;;
	-*) refuse "$1" ;;
	*) break ;;
	esac
	shift
done
case $clients in
'') fail 2 "--clients: how many? see --help" ;;
[2-9] | [1-9][0-9] | [1-9][0-9][0-9] | 1000) ;;
*) fail 2 "--clients: cannot read '$clients'; give a number from 2 to 1000" ;;
esac
needs_out "$out"
[ $# -gt 0 ] || fail 2 "which program? see --help"
command -v "$1" >/dev/null || fail 2 "'$1' is not a program"
needs jq
program=$(command -v "$1")
# what repeats the merged rows
command=$(for argument in scripts/clients.sh --clients="$clients" --out="$out" "$@"
do
	printf '%s ' "$(word "$argument")"
done)
shift
seed=101
for argument
do
	case $argument in
	--seed=*[!0-9]* | --seed= | --seed=0?* | --seed=??????????*) fail 2 \
		"--seed: cannot read '${argument#*=}'; give a number" ;;
	--seed=*) seed=${argument#*=} ;;
	--json=* | --hdr_log=* | --hdr-log=* | --barrier_file=* | --barrier_clients=*)
		fail 2 "${argument%%=*} is clients.sh's to set; see --help" ;;
	--label=*%k*)
		fail 2 "--label: clients of several labels are not merged; give one without %k" ;;
	--*=*) ;;
	*) refuse "$argument" 'options are --name=value, ' ;;
	esac
done
mkdir -p "$out" || fail 1 "--out: $out cannot be made"
out=$(cd "$out" && pwd -P)
scripts=$(cd "$(dirname "$0")" && pwd)
make_work
marker='assay clients; what has a number up to theirs is assay'\''s to delete'
# client_made: the names of all that clients.sh can have made there, by the marker; none without
client_made () {
	[ "$(head -n 1 "$out/assay.clients" 2>/dev/null)" = "$marker" ] || return 0
	for number in $(seq "$(sed -n '2s/^clients //p' "$out/assay.clients")")
	do
		printf "$number.%s\n" json hdr hgrm tsv out err
		# --hdr puts each further kind of operation into a file of its own
		find "$out" -maxdepth 1 -type f -name "$number.hgrm.*.*" \
			! -name '*[!A-Za-z0-9._-]*' -printf '%f\n'
	done
	printf '%s\n' results.json merged.json merged.tsv assay.clients
}
if [ -n "$replace" ]
then
	client_made >"$work/made"
	other=$(find "$out" -mindepth 1 -maxdepth 1 \
		\( -type d -printf '%f/\n' -o -printf '%f\n' \) |
		grep -v -x -F -f "$work/made" | head -n 1)
	[ -z "$other" ] ||
		fail 2 "--replace: $out has $other, which clients.sh did not make, and nothing is \
removed; name another --out"
	(cd "$out" && xargs -r -d '\n' rm -f <"$work/made")
fi
[ -z "$(ls -A "$out")" ] || fail 2 "--out: $out is not empty; name another"
printf '%s\nclients %s\n' "$marker" "$clients" >"$out/assay.clients"

# start_client NUMBER ARGUMENTS...: in the place of this shell
start_client () {
	number=$1
	shift
	for argument
	do
		shift
		case $argument in
		--seed=*) continue ;;
		*%k*) argument=$(echo "$argument" | sed "s/%k/$number/g") ;;
		esac
		set -- "$@" "$argument"
	done
	exec env --default-signal=INT,QUIT "$program" "$@" --seed=$((seed + number)) \
		--barrier_file="$work/meet" --barrier_clients="$clients" \
		--json="$out/$number.json" \
		--hdr_log="$out/$number.hdr" >"$out/$number.out" 2>"$out/$number.err"
}
pids=
end_clients () {
	trap '' INT TERM HUP
	# shellcheck disable=SC2086
	kill -s "$1" $pids 2>/dev/null || true
	wait
	exit "$2"
}
on_signals end_clients
for number in $(seq "$clients")
do
	start_client "$number" "$@" &
	pids="$pids $!"
done
failed=
for pid in $pids
do
	wait "$pid" || failed="$failed $pid"
done
for number in $(seq "$clients")
do
	[ ! -e "$out/$number.json" ] || cat "$out/$number.json"
done >"$out/results.json"
sort -u "$out"/*.err >&2
[ -z "$failed" ] ||
	fail 1 "$(echo "$failed" | wc -w) of $clients clients failed, and nothing is merged; \
$out has their words"
invalid=$(jq -rs 'map(select(.valid != 1) | .benchmark) | unique | join(", ")' "$out/results.json")
[ -z "$invalid" ] || fail 1 "rows are invalid: $invalid"
"$scripts/hdrmerge.sh" "$out"/*.hdr >"$out/merged.tsv"
cat "$out/merged.tsv"
[ -n "$json$tsv" ] || exit 0

read_by clients.sh "$out" "$clients" "$seed" "$(getconf _NPROCESSORS_ONLN)" "${command% }" "$json" \
	"$tsv"
