#!/bin/sh
# hdrmerge.sh: merge the histograms of several clients; see --help.
set -eu
. "$(dirname "$0")/common.sh"

program=$(dirname "$0")/../build/hdrmerge
[ -x "$program" ] ||
	fail 1 "build/hdrmerge is not built, as zlib was not found; apt install zlib1g-dev, \
then make"
case ${1-} in
--help)
	"$program" --help | sed 's|build/hdrmerge|scripts/hdrmerge.sh|'
	exit 0
	;;
esac
exec "$program" "$@"
