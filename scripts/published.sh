#!/bin/sh
# published.sh: check the published numbers against one another; see --help.
set -eu
. "$(dirname "$0")/common.sh"
reading "$@"
