"""Directories with a Python of their own, for packages that only one question needs."""
from __future__ import annotations

import os
import subprocess
import sys

from . import command
from .command import fail, warn


def pip_environment(package: str, version: str) -> str:
    """The Python of a directory of its own with that package, which pip fills the first time; or
    the end."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    venv = os.path.join(cache, "assay", f"{package}-{version}")
    python, whole_mark = (os.path.join(venv, name) for name in ("bin/python", "whole"))
    if os.path.exists(whole_mark):
        return python
    warn(f"installing {package} {version} with pip into {venv}, once")
    os.makedirs(venv, exist_ok=True)
    for words in ([sys.executable, "-m", "venv", venv],
                  [python, "-m", "pip", "install", "-q", f"{package}=={version}"]):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            why = (done.stdout.splitlines() or ["pip said nothing"])[-1]
            fail(2, f"{package} could not be installed; {why}")
    open(whole_mark, "w", encoding="utf-8").close()
    return python


def main(arguments: list[str]) -> None:
    """Prints that Python: environment.sh SCRIPT PACKAGE VERSION."""
    command.script, package, version = arguments
    print(pip_environment(package, version))
