#!/bin/sh
# compare.sh: test whether one of two groups of runs is faster than the other; reading/compare.py.
set -eu
. "$(dirname "$0")/common.sh"
reading "$@"
