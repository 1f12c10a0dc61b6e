"""Runs a script's module: python3 scripts/reading NAME.sh ARGUMENT..."""
from __future__ import annotations

import importlib
import os
import sys

# The package itself stands in the path, not the current directory, whose files are the user's.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from reading import command  # noqa: E402 (found by the path above)


def main() -> None:
    command.script = sys.argv[1]
    name = command.script.removesuffix(".sh").replace("-", "_")
    module = importlib.import_module("reading." + name)
    command.run_main(module.main, sys.argv[2:], getattr(module, "HELP", ""))


main()
