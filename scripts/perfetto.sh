#!/bin/sh
# perfetto.sh: a timeline and slow calls as a trace for ui.perfetto.dev; see --help.
set -eu
. "$(dirname "$0")/common.sh"
reading "$@"
