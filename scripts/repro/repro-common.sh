# repro-common.sh: what the reproductions share; each sources it, and says with its
# functions what is its own. README.md here has a script of 30 lines. It assumes
# `set -eu` and that $0 is the script.
# shellcheck shell=sh

. "$(dirname "$0")/../common.sh"
needs_linux 'sweep.sh' "$@"
name=$(basename "$0" .sh)
top=$(cd "$(dirname "$0")/../.." && pwd)
status=0 begun=$(date +%s)

# repro_say TEXT...: progress, to a terminal only
repro_say () {
	[ ! -t 2 ] || echo "$name: $*" >&2
}

common_help () {
	cat <<END
usage: scripts/repro/$name.sh [option ...]

$about

  --scale=default       takes minutes on 2 cores with 24 GB of memory; database, cache and memory
                        have the publication's ratios
  --scale=full          as many records as the publication; prints the disk space, memory and time
                        that this takes, and refuses to start on a machine that lacks them
  --scale=small         takes seconds, to test the scripts; do not use its results
  --scale=NUMBER        multiply the number of records of --scale=default by this
  --out=DIRECTORY       directory of the results [results/$name-DATE, or $name-DATE if the suite is
                        installed]. Started again with the same arguments, it continues where it
                        stopped; on another day give --out, as DATE has changed
  --engines=A,B         measure only these of the publication's engines [all that are built]
  --dry-run             print the commands and run none
  --read-ahead=KIB      kernel's read-ahead on the device of the databases, KiB [128, Linux's
                        default]. 0: leave it, as also without root, without a device and at
                        --scale=small
  --rounds=N            number of times that each run is repeated [1; 3 at --scale=full]; fewer than
                        three decide nothing
  --keep                do not delete the databases at the end
  --help                this

In DIRECTORY: report.html, the results as one page; tables.md, figures/ and claims.md, its tables,
plots and verdicts on the publication's claims; rows.json and rows.tsv, a row for each run;
missing.tsv, engines of the publication that were not measured, with reasons; meta.json, the machine
and command; and a directory of sweep.sh for each experiment.
Exit status: 0 all rows valid, 1 some run failed or is invalid, 2 wrong arguments.
END
}

# medium: of optane-2018.sh, what its devices are
scale=default out='' only='' dry='' keep='' rounds='' round=1 times=1 ahead='' medium=''
# reproduce DOCUMENT ABOUT ARGUMENTS...: read the options; sets scale, out, only, dry and rounds
reproduce () {
	document=$1 about=$2
	shift 2
	command=scripts/repro/$name.sh
	for argument
	do
		# where it goes is nobody else's business, and nothing depends on it
		case $argument in
		--out=*) ;;
		*) command="$command $argument" ;;
		esac
		set_option "$argument" scale out rounds || case $argument in
		--help) common_help; exit 0 ;;
		--dry-run) dry=1 ;;
		--keep) keep=1 ;;
		--engines=?*) only=$value ;;
		--read-ahead=?*) ahead=$value ;;
		*) refuse "$argument" ;;
		esac
	done
	case $scale in
	default | full | small) ;;
	*[!0-9.]* | *.*.* | .) fail 2 \
		"--scale: cannot read '$scale'; give default, full, small or a number" ;;
	*) [ "$(echo "$scale" | tr -d 0.)" ] ||
		fail 2 "--scale: '$scale' is not positive; give more than 0" ;;
	esac
	rounds=${rounds:-$(repro_choose 1 1 3)}
	case $rounds in
	*[!0-9]* | 0 | ???*) fail 2 "--rounds: cannot read '$rounds'; give a whole number" ;;
	esac
	check_read_ahead "$ahead"
	# what is installed has no Makefile, and is not the place for results
	[ -n "$out" ] || [ ! -e "$top/Makefile" ] || out=$top/results/$name-$(date +%F)
	out=$(absolute "${out:-$name-$(date +%F)}")
	needs jq python3 gnuplot
	cd "$top" || exit
	for one in $(each "$only")
	do
		repro_engines_here | tr ' ' '\n' | grep -q -x -F -e "${one%%[+:]*}" ||
			fail 2 "--engines: there is no engine '$one'; \
there are $(repro_engines_here)"
	done
	make_work
	[ -z "$dry" ] || return 0
	trap 'repro_passed; rm -rf "$work"' EXIT
	mkdir -p "$out/figures"
	# a usual machine's, in every row; to set it takes root and a block device
	[ -n "$ahead" ] || [ "$scale" = small ] || [ "$(id -u)" -ne 0 ] ||
		! [ -b "$(findmnt --noheadings --output SOURCE --target "$out" 2>/dev/null)" ] ||
		ahead=128
	repro_kept begin "$out" "$(git -C "$top" describe --always --dirty 2>/dev/null)" \
		"$command" || exit 2
	printf 'engine\treason\n' >"$out/missing.tsv"
	: >"$out/rows.json"
	rm -f "$out/figures/captions.tsv"
}

# repro_builds ENGINE=PROGRAM ...: what is measured of an engine, if it is built: a fair build
# of the version nearest to the publication's; its rows have the engine's name
nearest=
repro_builds () {
	nearest=$*
}

# repro_built ENGINE: the same, with its options, by the name of what is measured
repro_built () {
	for pair in $nearest
	do
		case $1 in
		"${pair%%=*}" | "${pair%%=*}"[+:]*)
			[ -x "$top/bench_${pair#*=}" ] || break
			echo "${pair#*=}${1#"${pair%%=*}"}"
			return 0
			;;
		esac
	done
	echo "$1"
}

# repro_engines_here: those that have a driver, or, where the suite is installed, a program; and
# those that have another name here
repro_engines_here () {
	{
		for pair in $nearest; do echo "${pair%%=*}"; done
		grep -l 'struct engine engine = ' "$top"/engines/*.c 2>/dev/null || true
		find "$top" -maxdepth 1 -name 'bench_*' ! -name bench_memstore ! -name bench_flat
	} | sed 's|.*/||; s|[.]c$||; s|^bench_||' | sort -u | paste -sd ' ' -
}

# repro_kept WHAT ARGUMENTS...: what reading/reproduction_rows.py makes of rows and of meta.json,
# with the settings of this reproduction
repro_kept () {
	python3 -S "$top/scripts/reading" reproduction_rows.sh "$name.sh" "$@" \
		document="$document" \
		scale="$scale" rounds="$rounds" times="$times" ahead="${ahead:-0}" \
		medium="$medium" out="$out"
}

# repro_choose DEFAULT SMALL [FULL]: the one of this scale; a number's is the default's, and so is
# FULL if it is not given
repro_choose () {
	case $scale in
	small) echo "$2" ;;
	full) echo "${3-$1}" ;;
	*) echo "$1" ;;
	esac
}

# repro_scaled DEFAULT SMALL [FULL]: a whole number, the default's times the scale if that is a
# number
repro_scaled () {
	case $scale in
	default | small | full) repro_choose "$@" ;;
	*) awk -v n="$1" -v scale="$scale" \
		'BEGIN { n *= scale; printf "%d\n", n < 1 ? 1 : n + 0.5 }' ;;
	esac
}

# repro_takes DISK MEMORY TIME: GiB and GiB that this scale takes, and how long that of the
# publication takes, in words. Refuses to begin without the first two. Says which
# engines are not as they should be, too.
repro_takes () {
	for pair in $nearest
	do
		[ "$(repro_built "${pair%%=*}")" = "${pair#*=}" ] ||
			[ ! -x "$top/bench_${pair%%=*}" ] ||
			echo "$name.sh: bench_${pair%%=*} as it is; scripts/engine.sh build" \
				"${pair#*=} has what is fit for comparison and nearest to the" \
				"publication" >&2
	done
	[ "$scale" != full ] ||
		echo "$name.sh: needs $1 GiB of disk, $2 GiB of memory and about $3" >&2
	[ -z "$dry" ] || return 0
	free=$(df -Pk "$out" | awk 'NR == 2 { print int($4 / 1048576) }')
	installed=$(awk '/^MemTotal:/ { printf "%d\n", $2 / 1048576 + 0.5 }' /proc/meminfo)
	# what a resumed run has written is its own
	used=$(du -sk "$out" | awk '{ print int($1 / 1048576) }')
	[ $((free + used)) -ge "$1" ] ||
		fail 1 "$free GiB are free at $out and it needs $1; give another --out, or a \
smaller --scale"
	[ "$installed" -ge "$2" ] ||
		fail 1 "this machine has $installed GiB of memory and it needs $2; give a smaller \
--scale"
}

# repro_have ENGINE: its program is built
repro_have () {
	[ -x "$top/bench_$(repro_built "${1%%[+:]*}")" ]
}

# repro_wanted ENGINE: the forms of it that --engines asks for, one to a line: as it stands here
# for its own name or its engine's, and with the options that the user gave it; ENGINE if
# --engines was not given
repro_wanted () {
	for one in $(each "${only:-$1}")
	do
		case $one in
		"$1" | "${1%%[+:]*}") echo "$1" ;;
		"$1"[+:]*) echo "$one" ;;
		esac
	done
}

# repro_missing ENGINE REASON: an engine of the publication that is not here
repro_missing () {
	[ -z "$dry" ] || return 0
	cut -f 1 "$out/missing.tsv" | grep -q -x -F -e "$1" ||
		printf '%s\t%s\n' "$1" "$2" >>"$out/missing.tsv"
}

# repro_present A,B,...: those of them that are wanted and built; the others of them that are
# wanted are missing
repro_present () {
	for engine in $(for one in $(each "$1"); do repro_wanted "$one"; done |
		awk '!seen[$0]++')
	do
		if repro_have "$engine"
		then
			echo "$engine"
		else
			repro_missing "$engine" "bench_${engine%%[+:]*} is not built here; make \
packages and scripts/engine.sh list say what it needs"
		fi
	done | paste -sd , -
}

# Scripts that repeat do so in rounds, each with all engines, so that what drifts on the
# machine falls on none: while another_round; do experiment ...; done. A later round has
# directories of its own, and its number in the column repetition.
round_of=0
another_round () {
	round_of=$((round_of + 1))
	if [ "$round_of" -gt "$rounds" ]
	then
		round_of=0 round=1
		return 1
	fi
	round=$round_of
}

# Rows that were measured while the hypervisor took more of the CPU than this, in per cent, decide
# no rate. A run that would have a warning of it is repeated, at most twice.
steal_limit=3 steal_warned=2

# experiment NAME ARGUMENTS...: sweep.sh with these arguments into OUT/NAME, once, and its rows into
# rows.json. --field NAME=JQ among them gives each row a further field, a filter of the row; --only
# BENCHMARK leaves out rows of others; --complete JQ makes those rows invalid for which that is true
# and whose reads found no record; --times N does each run N times, which are one row
# (reproduction_rows.py); --once: its runs change what they find, and none is repeated.
experiment () {
	repro_run_with sweep.sh "$@"
}

# repro_storages NAME ARGUMENTS...: the same with storages.sh
repro_storages () {
	repro_run_with storages.sh "$@"
}

repro_run_with () {
	runner=$1 experiment=$2 fields=. times=1 repeats=1 once=
	if [ "$round" -gt 1 ]
	then
		experiment=$2-round$round fields=".repetition = $round"
	fi
	shift 2
	count=$#
	while [ "$count" -gt 0 ]
	do
		argument=$1
		shift
		count=$((count - 1))
		case $argument in
		--field | --complete | --only | --times)
			given=$1
			shift
			count=$((count - 1))
			;;
		esac
		case $argument in
		--field) fields="$fields | .${given%%=*} = (${given#*=})" ;;
		--complete)
			fields="$fields | if ($given) and .missing > 0 then .valid = 0 |
				.invalid_reason //= \"records were missing\" else . end"
			;;
		--only) fields="$fields | select(.benchmark == \"$given\")" ;;
		--times) times=$given ;;
		--once) once=1 ;;
		--repeat=*) repeats=${argument#*=} ;;
		--engines=)
			repro_say "$experiment: none of its engines is here"
			return 0
			;;
		--engines=* | --raw-engines=*)
			list=$(for one in $(each "${argument#*=}"); do repro_built "$one"; done |
				paste -s -d , -)
			set -- "$@" "${argument%%=*}=$list"
			;;
		*) set -- "$@" "$argument" ;;
		esac
	done
	for pair in $nearest
	do
		fields=".label |= sub(\"^${pair#*=}(?![^+:])\"; \"${pair%%=*}\") | $fields"
	done
	[ $((repeats * times)) -eq 1 ] || set -- "$@" --repeat=$((repeats * times))
	if [ -n "$dry" ]
	then
		echo "# $experiment: scripts/$runner --out=$out/$experiment $*"
		[ "$runner" != sweep.sh ] ||
			scripts/sweep.sh --out="$out/$experiment" "$@" --dry-run || exit 2
		return 0
	fi
	[ "${ahead:-0}" -eq 0 ] || [ "$runner" != sweep.sh ] || set -- "$@" --read-ahead="$ahead"
	[ "$scale" = small ] || [ -n "$once" ] || set -- "$@" --steal-limit="$steal_warned"
	if [ "$runner" = sweep.sh ] && [ -e "$out/$experiment/plan.tsv" ]
	then
		# another plan than the one begun is refused, finished or not
		scripts/sweep.sh --out="$out/$experiment" "$@" --plan-only >/dev/null ||
			exit 2
	fi
	code=0
	if [ ! -e "$out/$experiment/done" ]
	then
		repro_say "$experiment"
		"scripts/$runner" --out="$out/$experiment" "$@" >/dev/null || code=$?
	fi
	case $code in
	0) touch "$out/$experiment/done" ;;
	1) status=1 ;;
	*) exit "$code" ;;
	esac
	repro_rows "${experiment%-round*}" "$out/$experiment/results.json" "$fields"
	if [ -e "$out/$experiment/done" ] && [ -z "$keep" ]
	then
		remove_repro_databases "$out/$experiment/db"
		[ -z "${STORAGE_DIR-}" ] || remove_repro_databases "$STORAGE_DIR/$experiment"
	fi
	cat "$work/rows" >>"$out/rows.json"
}

# remove_repro_databases DIRECTORY: those below it that the suite made and nobody uses, by the
# rule of util/db_dir.c: the marker, and data/ beside it; then the directories that are
# empty. What is foreign stays.
remove_repro_databases () {
	[ -d "$1" ] || return 0
	# sorted, so that all are found before the first goes
	find "$1" -type f -name assay.db -exec grep \
		-q -x "assay database; everything in data/ is assay's to delete" {} \; -print0 |
		sort -z | xargs -0 -r -I '{}' flock -n '{}' sh -euc 'cd "${1%/*}"
			[ -h data ] || [ ! -d data ] || find data -xdev -delete
			rm assay.db' sh '{}' || true
	find "$1" -depth -type d -empty -delete
}

# drop_repro_databases DIRECTORY NAME: those there, at the end of NAME in this round. Once: a
# resumed run passes here again, when those of a later round are there.
drop_repro_databases () {
	[ -z "$dry$keep" ] && [ ! -e "$out/$2.dropped$round" ] || return 0
	remove_repro_databases "$1"
	: >"$out/$2.dropped$round"
}

# repro_rows EXPERIMENT RESULTS.json [JQ]: the rows of a file of JSON lines, each through the
# filter, into $work/rows
repro_rows () {
	: >"$work/rows"
	[ -s "$2" ] || { echo "$name.sh: $1 has left no rows" >&2; status=1; return 0; }
	repro_kept rows "$1" "$2" >"$work/kept" || exit 1
	jq -c "${3:-.}" "$work/kept" >"$work/rows" ||
		fail 1 "cannot read $2; start it again with another --out"
}

# repro_passed: the minutes until now into meta.json, with those before a resumption; once
repro_passed () {
	[ -n "$begun" ] && [ -s "$out/meta.json" ] || return 0
	repro_kept passed "$out" $(($(date +%s) - begun))
	begun=
}

# repro_finish: what is made of the rows; ends the script
repro_finish () {
	[ -z "$dry" ] || exit 0
	for one in $(each "$only")
	do
		jq -r .label "$out/rows.json" | grep -q -F -e "$one" ||
			cut -f 1 "$out/missing.tsv" | grep -q -F -e "$one" ||
			repro_missing "$one" \
			"asked for by --engines, and no part of this reproduction"
	done
	[ -s "$out/rows.json" ] ||
		fail 1 "nothing was measured; --engines=$only leaves no engine that is built"
	repro_kept tsv "$out" >"$out/rows.tsv"
	repro_passed
	repro_kept taken "$out" "$steal_limit"
	"$top/scripts/repro/page.sh" "$out" >/dev/null ||
		fail 1 "scripts/repro/page.sh could not make $out/report.html"
	if jq -e 'select(.valid != 1) | 1' "$out/rows.json" >/dev/null
	then
		status=1
	fi
	[ $status -ne 0 ] || [ -n "$keep" ] || remove_repro_databases "$out/db"
	echo "$out/report.html"
	exit $status
}
