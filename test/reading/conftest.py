"""Tests of scripts/reading, by pytest: the package is found in scripts/."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "scripts"))
