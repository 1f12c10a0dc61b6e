#!/bin/sh
# report.sh: show a directory of results as one page; see --help.
set -eu
. "$(dirname "$0")/common.sh"
[ "${1-}" = --help ] || python_with jinja2 python3-jinja2
reading "$@"
