#!/bin/sh
# published.sh: check the published numbers against one another; reading/published.py.
set -eu
. "$(dirname "$0")/common.sh"
reading "$@"
