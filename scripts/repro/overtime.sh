#!/bin/sh
# overtime.sh: add columns computed from timelines to a reproduction's rows; see --help.
set -eu
. "$(dirname "$0")/../common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/repro/overtime.sh DIRECTORY

Adds to the rows of DIRECTORY/rows.json, from the timelines of their runs, by --timeline_interval:

  intervals             how many there were
  peak_writes_per_sec   the highest rate of writes in one of them
  interval_cv           coefficient of variation of their rates of operations
  linear_r2             coefficient of determination of a straight line through operations over time
  busy_cpu_percent      the median CPU use in one
  busy_reads_per_sec    the median rate of reads while all threads read
  thread_per_sec_all    operations a second of a reader in those intervals
  step_times, step_at   by how much the mean rate fell at the place where it fell most, with a tenth of the
                        time on either side, and after how many operations; null of fewer than five
  lead_thread           the reader that read most, counted from 1, and
  lead_share            what fraction of all reads it had
  thread_per_sec_late   and of those still at work when others had finished; null if none was
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
. "$(dirname "$0")/../rows.sh"
directory=$1
make_work
read_rows "$directory/rows.json" "$work/all"

find "$directory" -path '*/runs/*' -type f -name timeline.tsv | sort |
	while IFS= read -r timeline
do
	row=${timeline%timeline.tsv}row.json
	[ -s "$row" ] || continue
	tail -n 1 "$row" | jq -c '{command, time}' >"$work/key"
	expand "${timeline%/*}" "$work" 0 intervals threads
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
		NR == 1 { for (i = 2; i <= NF; i++) { reader[i] = $i ~ /^[0-9]/; thread[i] = $i + 1 }; next }
		{
			all = active = ops = 0
			for (i = 2; i <= NF; i++) if (reader[i]) { all++; active += $i > 0; ops += $i; sum_of[i] += $i }
			if (active == all && all) { many++; each += ops / all; some = some (many > 1 ? "," : "") ops }
			else if (active > 0 && many) { later++; rest += ops / active }
		}
		END {
			for (i = 1; i <= n; i++) { mx += x[i] / n; my += y[i] / n }
			for (i = 1; i <= n; i++) { xy += (x[i] - mx) * (y[i] - my); xx += (x[i] - mx) ^ 2; yy += (y[i] - my) ^ 2 }
			step = 1
			for (i = 1; i < n; i++) if (x[i] >= 0.1 * x[n] && x[n] - x[i] >= 0.1 * x[n] && y[n] > y[i]) {
				times = (y[i] / x[i]) / ((y[n] - y[i]) / (x[n] - x[i]))
				if (times > step) { step = times; step_at = y[i] }
			}
			for (i in sum_of) { reads += sum_of[i]; if (!lead || sum_of[i] > sum_of[lead]) lead = i }
			mean = n ? sum / n : 0
			variance = n ? squares / n - mean ^ 2 : 0
			cv = (n > 2 && mean) ? sqrt(variance > 0 ? variance : 0) / mean : "null"
			r2 = (xx && yy) ? xy ^ 2 / xx / yy : "null"
			printf("{\"intervals\":%d,\"peak_writes_per_sec\":%s,\"interval_cv\":%s,\"linear_r2\":%s," \
				"\"busy_cpu_percent\":[%s],\"busy_reads_per_sec\":[%s]," \
				"\"step_times\":%s,\"step_at\":%.0f,\"lead_thread\":%s,\"lead_share\":%s," \
				"\"thread_per_sec_all\":%s,\"thread_per_sec_late\":%s}\n", n, (n ? peak + 0 : "null"), cv, r2, cpu, some,
				(n > 4 ? step : "null"), step_at, (reads ? thread[lead] : "null"), (reads ? sum_of[lead] / reads : "null"),
				(many ? each / many : "null"), (later ? rest / later : "null"))
		}' "$work/threads.tsv" |
			jq -c -L "$(dirname "$0")/.." --slurpfile key "$work/key" \
			'include "rows";
		$key[0] + {over: (.busy_cpu_percent |= median | .busy_reads_per_sec |= median)}'
done >"$work/over"
jq -c -L "$scripts/.." --slurpfile over "$work/over" 'include "rows";
	. as $row | . + ([$over[] | select(run == ($row | run)) | .over][0] // {})' \
		"$work/all" >"$work/rows"
cp "$work/rows" "$directory/rows.json"
