#!/bin/sh
# points.sh: valid rows as readers.gp reads them: a line for each point with the figures of its runs.
# usage: scripts/plot/points.sh ROWS.json >POINTS.tsv
set -eu

scripts=$(dirname "$0")/..
echo 'benchmark label threads panel n median mean low high cv' | tr ' ' '\t'
jq -rs -L "$scripts" 'include "rows"; map(select(.valid == 1)) | points' "$1" | awk -f "$scripts/stats.awk" | tr ' ' '\t'
