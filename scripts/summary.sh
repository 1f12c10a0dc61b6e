#!/bin/sh
# summary.sh: compare engines in a table for each benchmark; see --help.
set -eu
. "$(dirname "$0")/common.sh"
reading "$@"
