#!/bin/sh
# cost.sh: the cheapest machines and engine for a workload, from rows and prices; see --help.
set -eu
. "$(dirname "$0")/common.sh"
reading "$@"
