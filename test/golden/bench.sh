#!/bin/sh
# bench.sh: stands for a program bench_NAME: leaves rows that follow from its arguments alone,
# of a queue whose service takes a fiftieth of a millisecond; or those that were recorded in
# the directory $replay.
set -eu
case " $* " in
*' --options=tsv '* | *' --columns=tsv '* | *' --workloads=tsv '* | *' --version '*)
	exec "${real:?}" "$@"
	;;
esac
json='' log='' db='' benchmarks=readrandom rate=null seconds=1 threads=1 get=0
label=${0##*/bench_} repetition=null seed=1 settings=''
for argument
do
	value=${argument#*=}
	case $argument in
	--json=*) json=$value ;;
	--hdr_log=*) log=$value ;;
	--db=*) db=$value ;;
	--benchmarks=*) benchmarks=$value ;;
	--rate=*) rate=$value ;;
	--duration=*) seconds=$value ;;
	--threads=*) threads=$value ;;
	--label=*) label=$value ;;
	--seed=*) seed=$value ;;
	--repetition=*) repetition=$value ;;
	--null_get_ns=*) get=$value ;;
	--null_* | --batch_size=* | --value_size=*)
		settings="$settings${settings:+ }${argument#--}" ;;
	esac
done
if [ -n "${replay-}" ]
then
	cp "$replay/${json##*/}" "$json"
	[ ! -e "$replay/${log##*/}" ] || cp "$replay/${log##*/}" "$log"
	exit 0
fi
[ -z "$db" ] || mkdir -p "$db"
count=$(cat "$TMPDIR/count" 2>/dev/null || echo 0)
echo "$benchmarks" | tr , '\n' | while IFS= read -r benchmark
do
	count=$((count + 1))
	echo $count >"$TMPDIR/count"
	noise=$(echo "$label $benchmark $rate $settings $repetition $seed" | cksum | cut -d ' ' -f 1)
	kind=$(echo "$settings ${label##*-}" | cksum | cut -d ' ' -f 1)
	name=${benchmark%%@*}
	[ "$name" = "$benchmark" ] || threads=${benchmark#*@}
	jq -c --arg benchmark "$name" --argjson rate "$rate" --argjson seconds "$seconds" \
		--argjson threads "$threads" --argjson get "$get" --arg called "$label" \
		--argjson repetition "$repetition" --argjson seed "$seed" --arg settings "$settings" \
		--argjson noise "$noise" --argjson kind "$kind" --argjson count "$count" \
		-f "${golden:?}/bench.jq" \
		"${golden:?}/row.json" >>"${json:-/dev/null}"
done
