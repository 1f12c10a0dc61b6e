"""The ranks of scripts/reading, as docs/design.md has them: imports go to lower ones only."""
from __future__ import annotations

import ast
import re
from pathlib import Path

TOP = Path(__file__).parents[2]
PACKAGE = TOP / "scripts" / "reading"


def ranks() -> dict[str, int]:
    text = (TOP / "docs" / "design.md").read_text(encoding="utf-8")
    section = text.split("## Modules of scripts/reading\n")[1].split("\n## ")[0]
    lines = re.findall(r"^\| ([0-9]+) \| (.*?) \|", section, re.MULTILINE)
    return {module: int(rank) for rank, names in lines for module in re.findall("`(.*?)`", names)}


def modules() -> dict[str, list[Path]]:
    """The files of each module; a directory is one module."""
    found = {path.stem: [path] for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")}
    return found | {path.parent.name: sorted(path.parent.glob("*.py"))
                    for path in PACKAGE.glob("*/__init__.py")}


def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == path.parts[::-1].index("reading"):
            names = [node.module] if node.module else [name.name for name in node.names]
            found |= {name.split(".")[0] for name in names}
    return found


def test_each_module_has_a_rank() -> None:
    assert sorted(ranks()) == sorted(modules())


def test_imports_go_to_lower_ranks() -> None:
    rank = ranks()
    upward = [f"{path.name} imports {name}" for module, files in modules().items()
              for path in files for name in imported(path)
              if rank.get(name, 99) >= rank.get(module, 0)]
    assert upward == []


def test_imports_are_found() -> None:
    assert {"rows", "text", "stats"} <= imported(PACKAGE / "summary.py")
