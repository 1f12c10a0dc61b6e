#!/bin/sh
# duet.sh: whether one of two versions is faster, both at the same time on the same core; see --help.
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'pinned threads and the CPU time of other processes' "$@"
needs python3
# programs end with the process that started them
# shellcheck disable=SC2086 # $python may have an option
exec $python "$readers" duet.sh "$@"
