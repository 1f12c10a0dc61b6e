"""Points: rows whose columns are read as attributes, of publications as well as of runs here."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Union, cast

from .rows import Row
from .stats import median


class Point(dict[str, Any]):
    """A row: point.seconds is its column, None if that is unknown or not there."""

    def __getattr__(self, column: str) -> Any:
        return self.get(column)

    @property
    def name(self) -> str:
        """How a row is called: its label, or its engine."""
        return cast(str, self.get("label") or self.get("engine"))

    @property
    def round(self) -> float:
        return cast(float, self.get("repetition") or 1)

    @property
    def valid(self) -> bool:
        """A row that does not say so is a printed one."""
        return self.get("valid", 1) in (1, None)

    @property
    def row(self) -> Row:
        return cast(Row, self)

    def but(self, **columns: Any) -> Point:
        return Point({**self, **columns})


#: a column, or what is computed of several
Figure = Union[str, Callable[[Point], Any]]
Points = list[Point]


def as_points(rows: Iterable[Any]) -> Points:
    return [Point(row) for row in rows]


def points_where(points: Iterable[Point], **columns: Any) -> Points:
    return [row for row in points
            if all(row.get(column) == value for column, value in columns.items())]


def point_figure(figure: Figure, point: Point) -> float | None:
    """What a figure comes to for a row; None if a column that it needs is unknown."""
    try:
        value = point.get(figure) if isinstance(figure, str) else figure(point)
    except (TypeError, ZeroDivisionError):
        return None
    return value if isinstance(value, (int, float)) else None


def point_figures(figure: Figure, points: Iterable[Point]) -> list[float]:
    """The figure of each row of which it is known."""
    return [value for point in points if (value := point_figure(figure, point)) is not None]


def median_figure(figure: Figure, points: Iterable[Point]) -> float | None:
    return median(point_figures(figure, points))
