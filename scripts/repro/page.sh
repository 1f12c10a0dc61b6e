#!/bin/sh
# page.sh: make the page of a reproduction; see --help.
set -eu
. "$(dirname "$0")/../common.sh"
[ "${1-}" = --help ] || python_with jinja2 python3-jinja2
read_by reproduction_page.sh "$@"
