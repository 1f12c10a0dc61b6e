"""Publications that are repeated here: a module of the name of each script of scripts/repro.

A module has three functions, of the published tables or of a Reproduction:
  published(tables)  the printed figures as rows, with document, experiment, engine and our columns
  tables(run)        the lines of tables.md, our rows beside them
  head(run)          what the page begins with
"""
from __future__ import annotations

import importlib
import pkgutil
from typing import Any, cast

from ..points import Point, Points
from ..published_tables import Tables


def publication_module(script: str) -> Any:
    """The module of a script such as ucsb-2022; None if it has none."""
    name = script.replace("-", "_")
    if name not in {module.name for module in pkgutil.iter_modules(__path__)}:
        return None
    return importlib.import_module(f"{__name__}.{name}")


def published_rows(tables: Tables) -> Points:
    names = sorted(module.name for module in pkgutil.iter_modules(__path__)
                   if module.name[-4:].isdigit())
    return [row for name in names for row in publication_module(name).published(tables)]


#: the scripts of documents whose modules tell claims more of a row than its columns
_PREPARED = {"unum-2022": "ucsb-2022"}


def prepared_for_claims(row: Point) -> Point:
    script = _PREPARED.get(row.document)
    return row if script is None else cast(Point, publication_module(script).prepared(row))


_OURS = {
    "RocksDBpfx": "rocksdb", "BerkeleyDB": "bdb", "BDB": "bdb", "WiredBtree": "wiredtiger",
    "WiredLSM": "wiredtiger+type=lsm", "Hyper": "hyperleveldb",
}


def our_engine(engine: str) -> str:
    return _OURS.get(engine, engine.lower())
