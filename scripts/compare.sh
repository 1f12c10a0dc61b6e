#!/bin/sh
# compare.sh: test whether one of two groups of runs is faster than the other; see --help.
set -eu
. "$(dirname "$0")/common.sh"
reading "$@"
