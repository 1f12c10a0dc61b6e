#!/bin/sh
# claims.sh: the claims of publications, checked by their figures and by ours; see --help.
set -eu
. "$(dirname "$0")/common.sh"
reading "$@"
