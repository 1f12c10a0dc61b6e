"""Tests of scripts/reading, by pytest: the package is found in scripts/."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "scripts"))

import pytest
from reading import command


@pytest.fixture(autouse=True)
def own_name(monkeypatch):
    """A main that sets the script's name sets it for its own test only."""
    monkeypatch.setattr(command, "script", command.script)
