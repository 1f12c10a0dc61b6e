#!/bin/sh
# assay.sh: the scripts as one command; see --help.
set -eu

scripts=$(dirname "$(readlink -f "$0")")
. "$scripts/common.sh"

# commands: name, sentence and file of each script that can be called, by its second line
assay_commands () {
	grep -H -m 1 '^# [a-z0-9-]*[.]sh: .*; see --help[.]$' "$scripts"/*.sh \
		"$scripts"/plot/*.sh "$scripts"/repro/*.sh |
		sed -n '/^[^:]*:# assay[.]sh/d
		s|^\(.*\):# \([a-z0-9-]*\)[.]sh: \(.*\); see --help[.]$|\2	\3	\1|p'
}

help () {
	cat <<END
usage: assay COMMAND [ARGUMENT ...]
       assay COMMAND --help

Runs one of the suite's scripts, which measure with the programs bench_NAME, compare and draw.
Results go to the given directory, or to the current one.

$(assay_commands | awk -F '\t' '{ printf "  %-20s  %s\n", $1, $2 }')

  --version             the version of the suite
END
}

# assay_command: a help in the words of this command
assay_command () {
	sed 's|scripts/\([a-z]*/\)\{0,1\}\([a-z0-9-]*\)[.]sh|assay \2|g; s|[.]/bench_|bench_|g'
}

case ${1-} in
--help)
	help
	exit 0
	;;
--version)
	"$scripts/../bench_null" --version | cut -d , -f 1
	exit 0
	;;
'') fail 2 "which command? see --help" ;;
esac
script=$(assay_commands | awk -F '\t' -v name="$1" '$1 == name { print $3 }')
[ -n "$script" ] || fail 2 "there is no command '$1'; see --help"
shift
if [ $# -eq 1 ] && [ "$1" = --help ]
then
	"$script" --help | assay_command
	exit 0
fi
exec "$script" "$@"
