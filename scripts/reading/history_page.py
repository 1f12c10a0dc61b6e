"""The page of histories, from what history.sh says of them in JSON."""
from __future__ import annotations

import json
import sys

from . import page


def main(arguments: list[str]) -> None:
    print(page.render("history.html", histories=json.load(sys.stdin)))
