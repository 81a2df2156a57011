"""What add & norm says of its stages: statistics, and what does not fit a float64."""

import math

import numpy as np
import pytest

from service.engine.errors import OverflowingStep
from service.engine.layernorm import layernorm

X = np.array([[1.0, 2.0, 4.0], [-1.0, 0.5, 0.0]])


def test_a_mean_is_never_minus_0():
    (mean,) = layernorm(np.array([[-5e-324, 0.0, 0.0]])).more["statistics"]["x"]["mean"]
    assert math.copysign(1.0, mean) == 1.0


def test_statistics_leave_the_steps_as_they_were():
    x = X.copy()
    trace = layernorm(x)
    assert x.tolist() == X.tolist()
    assert trace.steps[0].value.tolist() == X.tolist()


@pytest.mark.parametrize(
    ("more", "step"),
    [
        ({}, "output"),
        ({"delta": X}, "output"),
        ({"delta": X, "placement": "pre"}, "sublayer_input"),
    ],
    ids=["alone", "post", "pre"],
)
def test_a_gain_that_makes_a_cell_overflow_is_refused(more, step):
    with pytest.raises(OverflowingStep, match=f"^{step} overflows: its cell in row 0, column 2"):
        layernorm(X, gamma=np.array([[1.0, 1.0, 1.7e308]]), **more)


def test_a_mean_that_overflows_is_refused_by_name():
    large = np.full((1, 2), 1.7e308)
    with pytest.raises(OverflowingStep, match=r"^The mean of row 0 of sum does not fit"):
        layernorm(np.zeros((1, 2)), delta=large, placement="pre")


def test_numbers_whose_squares_fit_are_not_refused():
    trace = layernorm(np.array([[1e153, -1e153]]))
    assert trace.more["statistics"]["normalised"] == {"mean": [0.0], "variance": [1.0]}
