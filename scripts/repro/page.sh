#!/bin/sh
# page.sh: make the page of a reproduction; reading/reproduction.py.
set -eu
. "$(dirname "$0")/../common.sh"
python_with jinja2 python3-jinja2
exec "$python" "$(dirname "$0")/../reading" reproduction.sh "$@"
