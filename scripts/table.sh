#!/bin/sh
# table.sh: print rows of a results file as a table; see --help.
set -eu
. "$(dirname "$0")/common.sh"
reading "$@"
