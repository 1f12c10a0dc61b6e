"""What a publication says beside what its tables come to: how near is near enough."""
import pytest
from reading import published


@pytest.mark.parametrize("agrees, said, near, far", [
    (published.agrees_truncated, 12, [11.996, 12, 12.99], [11.99, 13]),
    (lambda value, said: published.agrees_rounded(value, said, 0.1), 1.5, [1.45, 1.55],
     [1.44, 1.56]),
    (published.agrees_equal, 1000, [999.1, 1000.9], [998.9, 1001.1]),
    (published.agrees_about, 10, [9.01, 10.99], [8.9, 11.1])])
def test_a_figure_agrees_within_what_its_form_says(agrees, said, near, far):
    assert all(agrees(value, said) for value in near)
    assert not any(agrees(value, said) for value in far)
