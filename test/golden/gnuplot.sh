#!/bin/sh
# gnuplot.sh: stands for gnuplot: writes what it is asked to draw, its arguments and the files that
# they name, where the picture would be.
set -eu
[ "$1" = -c ] || exit 0
kind=$3 file=$4
shift 3
{
	echo "$kind.gp"
	for argument
	do
		if [ -f "$argument" ] && [ "$argument" != "$file" ]
		then
			echo "a file:"
			cat "$argument"
			continue
		fi
		echo "argument: $argument" | sed "s|\"${TMPDIR:-/tmp}/[^\"]*/|\"|g"
		# a list of names and files, in quotes
		echo "$argument" | tr '"' '\n' | while IFS= read -r part
		do
			[ ! -f "$part" ] || { echo "its file:"; cat "$part"; }
		done
	done
} >"$file.drawn" 2>&1
# only what is drawn of one form is kept
case $file in
*.svg) mv "$file.drawn" "$file" ;;
*) rm "$file.drawn"; : >"$file" ;;
esac
