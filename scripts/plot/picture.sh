#!/bin/sh
# picture.sh: make one plot, as SVG and as PNG; see --help.
set -eu
. "$(dirname "$0")/../common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/plot/picture.sh KIND FILE ARGUMENT...

Draws one plot by gnuplot, as FILE.svg and FILE.png, and prints both names. KIND is one of the
scripts KIND.gp in the directory of this script; the comment at its head lists its ARGUMENTs.
Messages of gnuplot go to stderr.
Exit status: 0 drawn, 1 gnuplot failed, 2 wrong arguments.
END
	exit 0
	;;
esac
kind=${1-} file=${2-}
plots=$(dirname "$0")
{ [ $# -ge 3 ] && [ -e "$plots/$kind.gp" ]; } ||
	fail 2 "cannot read '$*'; usage: scripts/plot/picture.sh KIND FILE ARGUMENT..."
shift 2
for form in svg png
do
	words=$(gnuplot -c "$plots/style.gp" "$kind" "$file.$form" "$@" 2>&1) ||
		fail 1 "gnuplot could not draw $file.$form: $(echo "$words" | grep . | tail -n 1)"
	echo "$words" | grep '[^ ]' | while IFS= read -r line
	do
		echo "picture.sh: gnuplot, $file.$form: $line" >&2
	done
	echo "$file.$form"
done
