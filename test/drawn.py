"""drawn.py ROWS SEED: the rows of a file with other figures.

Each figure of an engine in an experiment is multiplied by a factor of its own, the same in all
rounds: so other engines lead than in those rows, and claims are decided otherwise.
"""

import functools
import json
import math
import random
import re
import sys

rows, seed = sys.argv[1:3]
FIGURE = re.compile(r"(_per_sec|seconds|_s|_ns|_amp|_per_op|rss_kb|_disk_kb|cores_used|ctx_\w+)$")
#: what others took of the machine, by which a row is none to judge by
CONDITION = re.compile(r"(cpu_used|cpu_demand|steal|warmup)")


@functools.cache
def is_figure(column):
    return bool(FIGURE.search(column)) and not CONDITION.search(column)


@functools.cache
def factor(of):
    return math.exp(random.Random(of).gauss(0, 0.5))


for line in open(rows):
    row = json.loads(line)
    of = f"{seed} {row['experiment']} {row.get('label') or row['engine']} {row['threads']}"
    for column, value in row.items():
        if isinstance(value, (int, float)) and is_figure(column):
            row[column] = value * factor(of + column)
    print(json.dumps(row))
