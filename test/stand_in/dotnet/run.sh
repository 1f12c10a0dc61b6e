#!/bin/sh
# run.sh --durability=WORD [--fail=NAME:RESULT[:NTH],...]: what the assembly of Voron's driver asks for, for
# test/calls.sh; each of the list is a run by itself.
set -eu
program=$(dirname "$0")/calls/voron-assembly/calls.exe
fails='' settings=''
for argument
do
	case $argument in
	--version=1) echo Voron 1.23.45; exit ;;
	--fail=*) fails=${argument#*=} ;;
	--durability=* | --size=*) settings="$settings $argument" ;;
	esac
done

run () {
	# shellcheck disable=SC2086 # words
	mono "$program" $settings "$@" | sed 's/Mono_.*/a version/; s/ $//'
}

[ -n "$fails" ] || run
for failing in $(echo "$fails" | tr , ' ')
do
	echo "# --fail=$failing"
	run --fail="$failing"
done
