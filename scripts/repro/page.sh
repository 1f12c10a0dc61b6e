#!/bin/sh
# page.sh: make the page of a reproduction; reading/reproduction.py.
set -eu
. "$(dirname "$0")/../common.sh"
[ "${1-}" = --help ] || python_with jinja2 python3-jinja2
needs python3
exec "${python-python3}" "$(dirname "$0")/../reading" reproduction.sh "$@"
