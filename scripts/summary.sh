#!/bin/sh
# summary.sh: compare engines in a table for each benchmark; reading/summary.py.
set -eu
. "$(dirname "$0")/common.sh"
reading "$@"
