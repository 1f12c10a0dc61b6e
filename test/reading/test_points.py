"""Rows whose columns are attributes."""
from reading import points
from reading.points import Point

POINTS = points.as_points([{"seconds": 2, "ops": 8}, {"seconds": 0, "ops": 8}, {"ops": 8},
                           {"seconds": 4, "ops": 8}])


def test_a_column_that_is_not_there_is_unknown():
    point = Point(label=None, engine="lmdb", repetition=None)
    assert (point.engine, point.seconds, point.name, point.round) == ("lmdb", None, "lmdb", 1)
    assert point.but(label="x", repetition=3).name == "x" and point.name == "lmdb"


def test_a_printed_row_is_valid_and_one_of_ours_if_it_says_so():
    assert [Point(one).valid for one in ({}, {"valid": None}, {"valid": 1}, {"valid": 0})] \
        == [True, True, True, False]


def test_a_figure_is_of_the_rows_that_have_what_it_needs():
    def rate(point):
        return point.ops / point.seconds

    assert points.point_figures(rate, POINTS) == [4, 2]
    assert points.median_figure(rate, POINTS) == 3 and points.median_figure(rate, []) is None
    assert points.point_figure(lambda point: point.label, POINTS[0]) is None
