#!/bin/sh
# history.sh: metrics over many days, and when they changed; see --help.
set -eu
. "$(dirname "$0")/common.sh"
case " $* " in
*' --page='*) python_with jinja2 python3-jinja2 ;;
esac
reading "$@"
