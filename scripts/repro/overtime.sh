#!/bin/sh
# overtime.sh: add columns computed from timelines to a reproduction's rows; see --help.
set -eu
. "$(dirname "$0")/../common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/repro/overtime.sh DIRECTORY

Adds columns to the rows of a reproduction, DIRECTORY/rows.json, from the timelines of the runs.
A timeline divides a run into intervals of --timeline_interval seconds; those shorter than a 200th
of the run are joined. A column is null if the timeline is too short for it:

  intervals             number of intervals of the run
  peak_writes_per_sec   highest rate of writes in an interval, 1/s
  interval_cv           coefficient of variation of the intervals' rates (deviation / mean)
  linear_r2             R^2 of a straight line through operations over time: 1 is a constant rate
  busy_cpu_percent      median CPU use of an interval; 100 is one CPU
  busy_reads_per_sec    median rate of reads, over the intervals in which all threads read, 1/s
  thread_per_sec_all    mean rate of one reader in those intervals, 1/s
  thread_per_sec_late   the same after other readers had finished, 1/s; null if all ended together
  step_times            ratio of the mean rates before and after the point where they differ most
  step_at               number of operations before that point; null if no rate falls
  lead_thread           number, from 1, of the reader that read most
  lead_share            that reader's fraction of all reads, 0 to 1
END
	exit 0
	;;
'')
	fail 2 "which directory? usage: scripts/repro/overtime.sh DIRECTORY"
	;;
esac
[ -s "$1/rows.json" ] || fail 2 "no rows.json in $1"
scripts=$(dirname "$0")/../plot
. "$(dirname "$0")/../plot/timeline.sh"
directory=$1
make_work

find "$directory" -path '*/runs/*' -type f -name timeline.tsv | sort |
	while IFS= read -r timeline
do
	row=${timeline%timeline.tsv}row.json
	[ -s "$row" ] || continue
	tail -n 1 "$row"
	expand_timeline "${timeline%/*}" "$work" 0 intervals threads
	awk -F '\t' -v file="$work/intervals.tsv" '
		BEGIN {
			getline <file
			while ((getline <file) > 0) {
				n++
				span = $1 - at; at = $1
				rate[n] = $2 + $3; sum += rate[n]; squares += rate[n] ^ 2
				done += rate[n] * span
				x[n] = at; y[n] = done
				cpu = cpu (n > 1 ? "," : "") $4
				peak = $3 > peak ? $3 : peak
			}
		}
		NR == 1 {
			for (i = 2; i <= NF; i++) { reader[i] = $i ~ /^[0-9]/; thread[i] = $i + 1 }
			next
		}
		{
			all = active = ops = 0
			for (i = 2; i <= NF; i++) if (reader[i]) {
				all++
				active += $i > 0
				ops += $i
				sum_of[i] += $i
			}
			if (active == all && all) {
				many++
				each += ops / all
				some = some (many > 1 ? "," : "") ops
			} else if (active > 0 && many) { later++; rest += ops / active }
		}
		END {
			for (i = 1; i <= n; i++) { mx += x[i] / n; my += y[i] / n }
			for (i = 1; i <= n; i++) {
				xy += (x[i] - mx) * (y[i] - my)
				xx += (x[i] - mx) ^ 2
				yy += (y[i] - my) ^ 2
			}
			step = 1
			for (i = 1; i < n; i++) if (x[i] >= 0.1 * x[n] &&
				x[n] - x[i] >= 0.1 * x[n] && y[n] > y[i]) {
				times = (y[i] / x[i]) / ((y[n] - y[i]) / (x[n] - x[i]))
				if (times > step) { step = times; step_at = y[i] }
			}
			for (i in sum_of) {
				reads += sum_of[i]
				if (!lead || sum_of[i] > sum_of[lead]) lead = i
			}
			mean = n ? sum / n : 0
			variance = n ? squares / n - mean ^ 2 : 0
			cv = (n > 2 && mean) ? sqrt(variance > 0 ? variance : 0) / mean : "null"
			r2 = (xx && yy) ? xy ^ 2 / xx / yy : "null"
			printf("{\"intervals\":%d,\"peak_writes_per_sec\":%s," \
				"\"interval_cv\":%s,\"linear_r2\":%s," \
				"\"busy_cpu_percent\":[%s],\"busy_reads_per_sec\":[%s]," \
				"\"step_times\":%s,\"step_at\":%s," \
				"\"lead_thread\":%s,\"lead_share\":%s," \
				"\"thread_per_sec_all\":%s,\"thread_per_sec_late\":%s}\n",
				n, (n ? peak + 0 : "null"), cv, r2, cpu, some,
				(n > 4 ? step : "null"),
				(n > 4 && step > 1 ? sprintf("%.0f", step_at) : "null"),
				(reads ? thread[lead] : "null"),
				(reads ? sum_of[lead] / reads : "null"),
				(many ? each / many : "null"), (later ? rest / later : "null"))
		}' "$work/threads.tsv"
done >"$work/over"
read_by overtime.sh "$directory/rows.json" "$work/over" >"$work/rows"
cp "$work/rows" "$directory/rows.json"
