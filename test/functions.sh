#!/bin/sh
# functions.sh: what functions of scripts print of given input; see --help.
# shellcheck disable=SC2154 # $work is make_work's
set -eu
. "$(dirname "$0")/../scripts/common.sh"

help () {
	cat <<END
usage: test/functions.sh

Calls functions of the scripts and prints what they print. test/functions.txt names them: after
'# SCRIPT' come commands, each after '$ ' and going on after '> ', which know the functions of that
script. Each has a shell and an empty directory \$work of its own, and may replace other functions,
and commands such as df. After a command stands what it prints, and its status if that is not 0.
Scripts of gnuplot have one function, \`plotted ARGUMENT...', of which OUT is the picture: the
points that they plot, a curve a line, then all texts of the picture, then its colours, dashes and
marks.
After a change that means it, look at the difference, then:
    test/functions.sh >new && mv new test/functions.txt
END
}
[ "${1-}" != --help ] || { help; exit 0; }
[ $# -eq 0 ] || fail 2 'no arguments; see --help'
cd "$(dirname "$0")/.."
needs jq
make_work

# plotted ARGUMENT...: what the script of gnuplot in $0 draws; see --help
plotted () {
	words=
	for argument
	do
		shift
		[ "$argument" != OUT ] || argument=$work/picture.svg
		set -- "$@" "$argument"
		words="$words $(quote "$argument")"
	done
	gnuplot -e "set samples 2; set table '$work/table'; call 'scripts/plot/style.gp' '$(basename "$0" .gp)'$words"
	# of points those that have a place
	awk 'function ends() { if (curves++) print points ? substr(points, 3) : "-"; points = "" }
		/^# Curve [0-9]/ { ends() }
		!/^#/ && NF && !/ u *$/ { $1 = $1; points = points ", " $0 }
		END { ends() }' "$work/table"
	gnuplot -c scripts/plot/style.gp "$(basename "$0" .gp)" "$@"
	# names at the ends of lines with their height
	awk '/<g transform=/ { split($0, at, /[,)]/); high = /fill="rgb\((90,96,105|0,0,0)\)"/ ||
			/fill="black"/ || !/text-anchor="start"/ ? "" : sprintf("@%.0f", at[2]) }
		/<text>/ {
			gsub(/<[^>]*>/, "")
			gsub(/^[ \t]+/, "")
			texts = texts "|" $0 (/[a-z]/ ? high : "")
		}
		END { print substr(texts, 2) }' "$work/picture.svg"
	# colours, dashes and marks, but those of axes and grids
	sed '/id=.gpPt/d' "$work/picture.svg" |
		grep -o -E "(stroke|fill|stroke-dasharray|href|color) ?= ?'[^']*'" |
		sed "s/rgb(\(.*\))/\1/; s/.*= *'//; s/'//; s/ //g; s/^#gp//" |
		grep -v -x -e none -e currentColor -e 90,96,105 -e 228,231,234 | uniq |
		paste -sd ' ' -
}

grep '^# ' test/functions.txt | while read -r _ script
do
	echo "# $script"
	{
		# shellcheck disable=SC2016 # for that shell
		echo 'set -eu; . scripts/common.sh'
		case $script in
		*.gp) sed -n '/^plotted () {$/,/^}$/p' test/functions.sh ;;
		*) sed -n '/^[a-z_0-9]* () {$/,/^}$/p' "$script" ;;
		esac
		awk -v script="# $script" -v quote="'" '
			function ends() {
				if (command == "")
					return
				print "set +e\n(set -e\n" command ") 2>&1\nstatus=$?\nset -e"
				print "[ $status -eq 0 ] || echo \"-> $status\"\nrm -r \"$work\""
				command = ""
			}
			/^# / { ends(); own = $0 == script }
			own && /^\$ / { ends(); print "mkdir -p \"$work\"" }
			own && /^[$>] / {
				shown = $0
				gsub(quote, quote "\\" quote quote, shown)
				print "echo " quote shown quote
				command = command substr($0, 3) "\n"
			}
			END { ends() }' test/functions.txt
	} >"$work/program"
	sh -c "work=$work/empty; . $work/program" "$script" </dev/null
done
