#!/bin/sh
# plot.sh: draw the results of sweep.sh; see --help.
# shellcheck disable=SC2317 # what only picture_each calls
set -eu
. "$(dirname "$0")/common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/plot.sh DIRECTORY [--allow=COLUMN,...]

Draws plots of the results of scripts/sweep.sh: of each workload in DIRECTORY, into
DIRECTORY/plots, as SVG and PNG. It prints the files' names:

  BENCHMARK-readers     reads, and writes, against threads
  BENCHMARK-latency     latency by percentile, with the fewest and the most threads
  BENCHMARK-throughput  reads/s and writes/s over time, for the same runs
  BENCHMARK-cpu         CPU time over time with the most threads, its part in the kernel, and
                        the ideal: all threads busy, or all CPUs
  BENCHMARK-threads-LABEL
                        operations/s of each thread over time, and of a background writer, with
                        the most threads
  BENCHMARK-heatmap-LABEL
                        heat map of latencies over time, for the same run
  insert-benchmark-rows, insert-benchmark-queries
                        rows/s and queries/s in each step of the Insert Benchmark with the most
                        clients, and in the worst second of each
  LOAD-load-time        for loads: records/s over time, on a logarithmic scale
  BENCHMARK-growth      for workloads that write: size of the database over time, with a broad
                        band where a long reader (--long_reader) held a snapshot
  BENCHMARK-probe       for runs with a probe (--probe_rate): writes/s, and the median and 99th
                        percentile of the probe's reads, on a logarithmic scale
  BENCHMARK-probe-over-time
                        the same over time: writes, and the p99 response, from the scheduled start

With more than eight curves, latency, throughput, growth and probe have a plot for each number of
threads. Plots over time have a point for each row of timeline.tsv, usually one a second; long runs
have 200 points, and loads have points at growing distances (each a 50th of the time so far). Runs
of fewer than three such rows have none; runs of one thread have none of threads.

Repeated runs are drawn as their median: five or more with the 95 % interval by Student's t on the
logarithms, three or four with their range. Rows that differ in a setting or a condition, such as
the file system, have separate curves, whose labels name it: lmdb+batch_size=10. Invalid rows are
not drawn. Rows of several machines, kernels, durabilities, memory limits or sizes are refused,
unless --allow names that column, and so are several versions under one label. --allow=host allows
other values of cpu, cores and kernel, too.
Exit status: 0 all was drawn, 1 otherwise, 2 wrong arguments.
END
	exit 0
	;;
'') fail 2 "which directory? usage: scripts/plot.sh DIRECTORY" ;;
esac
allow=
case ${2-} in
'') ;;
--allow=?*) allow=${2#*=} ;;
*) refuse "$2" ;;
esac
[ -s "$1/results.json" ] || fail 2 "no results.json in $1; sweep.sh makes one"
needs gnuplot
results=$(cd -- "$1" && pwd)
scripts=$(cd "$(dirname "$0")/plot" && pwd)
. "$(dirname "$0")/plot/timeline.sh"
make_work
# gnuplot's lists of files cannot have a quote in a name, so they have names within this directory.
work=$(cd "$work" && pwd)
ln -s "$results" "$work/results"

read_by plot.sh prepare "$results" "$work" "$allow" || exit 1
status=0
set -- "$results"/runs/*/row.json
[ -e "$1" ] || {
	echo "plot.sh: $results has no runs/NAME/row.json," \
		"so rates against threads are all that is drawn; sweep.sh makes them" >&2
	status=1
}

# plot_caption SCRIPT: what its plots show, and after a bar what to see in them
plot_caption () {
	sed -n "s/^$1: //p" <<END
readers: operations a second by threads|A flat line gains nothing from more threads. Whiskers: \
the 95 % interval of five runs or more, the range of three or four. Dashed black: the limit of \
the device.
percentiles: latency by percentile|Low is fast, a steep end is a long tail; each further nine \
takes the same width.
throughput: operations a second over time|A line that falls or saws is a rate that does not last.
cpu: CPU time over time, and its part in the kernel|A line below the ideal waits for something; \
dashed: all threads busy, or all CPUs.
threads: operations a second of each thread|Lines apart mean that the engine does not serve its \
threads alike.
heatmap: how many operations took how long|Dark is frequent; a band above the others is a second \
kind of call, such as a wait.
load-time: records loaded a second over time|A line that falls is a load that slows down as the \
database grows.
growth: size of the database over time|Growth under a broad band is space that a held snapshot \
keeps from being reused.
probe: writes a second, and times of a probe's reads|Long bars with points far on the left are best.
probe-over-time: writes a second, and response times of a probe|Peaks of the lower line are stalls \
that a reader sees.
bars: the mean of each step, and the worst second beside it|A worst second far below its mean is a \
stall.
END
}

# draw NAME SCRIPT ARGUMENTS...: both forms, and their names; and a caption for report.sh
draw () {
	name=$1 script=$2
	shift 2
	both=$(plot_caption "$script")
	printf '%s\t%s\n' "$name" "${both#*|}" >>"$results/plots/captions.tsv"
	(cd "$work" && "$scripts/picture.sh" "$script" "$results/plots/$name" "$heading: ${both%%|*}
$note" "$@") || exit 1
}

# draw_runs NAME SCRIPT DIRECTORY FILE [ARGUMENT]: the runs listed in $work/runs that left
# that file there, below $work, with more than two points in it
draw_runs () {
	name=$1 script=$2 directory=$3 file=$4
	shift 4
	list='' of_all=$heading
	# what all runs have is said once, in the heading
	counts=$(sed "s/.*\(, [0-9]* threads*\)$tab.*/\1/" "$work/runs" | sort -u)
	case $counts in
	*"
"*) counts= ;;
	*) heading=$heading$counts ;;
	esac
	while IFS=$tab read -r label run
	do
		label=${label%"$counts"}
		path=$directory/$run/$file
		[ ! -s "$work/$path" ] || [ "$(wc -l <"$work/$path")" -le 3 ] ||
			list="$list \"$label\" \"$path\""
	done <"$work/runs"
	[ -z "$list" ] || draw "$name" "$script" "$list" "$@"
	heading=$of_all
}

# draw_run BENCHMARK LABEL RUN: the threads and the heat map of one
draw_run () {
	from=$work/timeline/$3
	[ -s "$from/threads.tsv" ] && [ "$(wc -l <"$from/threads.tsv")" -gt 3 ] ||
		return 0
	of_all=$heading
	heading="$heading, $2"
	names=$(head -n 1 "$from/threads.tsv" | cut -f 2- | tr "$tab" ' ')
	[ "$names" = 0 ] || draw "$1-threads-${2%%,*}" threads "$from/threads.tsv" "$names"
	draw "$1-heatmap-${2%%,*}" heatmap "$from/heatmap.tsv" \
		"$(tail -n +2 "$from/heatmap.tsv" | cut -f 1 | sort -u | tr '\n' ' ')"
	heading=$of_all
}

# plot_picture_each FILE COMMAND...: run it for the runs in FILE, whose columns are name, run
# and number of threads; of more than an eye can follow once for each number of threads.
# It finds those of a picture in $work/runs, and what its name ends in in $which.
plot_picture_each () {
	of=$1
	shift
	counts=all
	[ "$(wc -l <"$of")" -le 8 ] || counts=$(cut -f 3 "$of" | sort -nu)
	for count in $counts
	do
		which=
		[ "$count" = all ] || which=-${count}t
		awk -F "$tab" -v OFS="$tab" -v n="$count" \
			'n == "all" || $3 == n { print $1, $2 }' "$of" >"$work/runs"
		"$@"
	done
}
draw_reads () {
	draw_runs "$benchmark-latency$which" percentiles results/runs latency.hgrm
	draw_runs "$benchmark-throughput$which" throughput timeline intervals.tsv "$writes"
}
draw_writes () {
	draw_runs "$benchmark-growth$which" growth timeline sizes.tsv
	draw_runs "$benchmark-probe-over-time$which" probe-over-time timeline probe.tsv
}
draw_probe () {
	draw "$benchmark-probe$which" probe "$work/probes.tsv" "$benchmark" \
		"$(sed 's/\(.*\)\t.*/"\1"/' "$work/runs" | paste -sd ' ' -)"
}

mkdir -p "$results/plots"
rm -f "$results/plots/captions.tsv"
while IFS=$tab read -r benchmark writes loads several <&3
do
	heading=$benchmark
	note=$(cat "$work/$benchmark.note")
	sort -V "$work/$benchmark.extremes" >"$work/extremes"
	case $loads-$benchmark in
	1-fill* | 1-*-fill* | 1-*-load | 1-ucsb-0 | 1-bangdb-write*) fills=1 ;;
	*) fills=0 ;;
	esac
	cut -f 2 "$work/extremes" | while IFS= read -r run
	do
		expand_timeline "$results/runs/$run" "$work/timeline/$run" "$fills" \
			intervals threads heatmap sizes probe
	done

	if [ "$writes" = 1 ]
	then
		awk -F "$tab" -v OFS="$tab" -v b="$benchmark" \
			'$1 == b { print $3, "", $2, $4 }' "$work/probes.tsv" |
			sort -t "$tab" -k 4,4gr -k 1,1V >"$work/probed"
		[ ! -s "$work/probed" ] || plot_picture_each "$work/probed" draw_probe
		plot_picture_each "$work/extremes" draw_writes
	fi
	if [ "$loads" = 1 ]
	then
		cut -f 1,2 "$work/extremes" >"$work/runs"
		[ "$fills" = 0 ] || draw_runs "$benchmark-load-time" load-time timeline \
			intervals.tsv
		continue
	fi
	if [ "$several" = 1 ]
	then
		of_all=$note
		note="$note
$(awk -F "$tab" -v b="$benchmark" '$1 == b && $5 > n { n = $5 }
			END { if (n > 2) print "medians of up to " n " runs; whiskers: their " \
				(n > 4 ? "95 % interval, by t on the logarithms" : "range") }' \
			"$work/points.tsv")"
		draw "$benchmark-readers" readers "$work/points.tsv" "$benchmark" \
			"$(awk -F "$tab" -v b="$benchmark" '$1 == b { print $2 }' \
				"$work/points.tsv" | sort -u | paste -sd ' ' -)" "$writes"
		note=$of_all
	fi

	plot_picture_each "$work/extremes" draw_reads
	awk -F "$tab" -v OFS="$tab" '$4 == "true" { print $1, $2 }' "$work/extremes" >"$work/runs"
	draw_runs "$benchmark-cpu" cpu timeline intervals.tsv
	while IFS=$tab read -r label run
	do
		draw_run "$benchmark" "$label" "$run"
	done <"$work/runs"
done 3<"$work/benchmarks.tsv"

# draw_steps NAME FIGURE BENCHMARKS: bars of that figure, FIGURE_per_sec, and of the worst
# second beside it, if that was not 0
draw_steps () {
	[ "$(wc -l <"$work/$2.steps")" -gt 1 ] || return 0
	heading="Insert Benchmark, $2 a second"
	note=
	draw "$1" bars "$2 a second" "$work/$2.steps" "$2" \
		"$(tail -n +2 "$work/$2.steps" | sort -s -t "$tab" -k 4 -g -r | cut -f 2 |
			awk '!seen[$0]++' | tr '\n' ' ')" - \
		"$(for step in $3
		do
			! cut -f 3 "$work/$2.steps" | grep -q -x -F "$step" || echo "$step"
		done | tr '\n' ' ')"
}
draw_steps insert-benchmark-rows rows 'l.i0 l.x l.i1 l.i2'
draw_steps insert-benchmark-queries queries 'qr100 qp100 qr500 qp500 qr1000 qp1000'
exit $status
