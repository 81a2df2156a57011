"""erfc against 40 digits of mpmath, over every range and at its seams."""

import mpmath
import numpy as np
import pytest

from service.engine.block.error_function import erfc

POINTS = {
    "near 0": np.linspace(-0.5, 0.5, 2001),
    "middle": np.linspace(-4.5, 4.5, 4001),
    "far": np.linspace(3.5, 26.5, 3001),
    "far below 0": np.linspace(-30.0, -3.5, 501),
    "tiny": np.concatenate([np.logspace(-300, -1, 300), -np.logspace(-300, -1, 300)]),
    "seams": np.nextafter(np.repeat([0.46875, -0.46875, 4.0, -4.0], 3), [-9.0, 0.0, 9.0] * 4),
}


@pytest.mark.parametrize("where", POINTS)
def test_erfc_is_right_to_the_last_digits_of_a_float64(where):
    x = POINTS[where]
    with mpmath.workdps(40):
        exact = [mpmath.erfc(mpmath.mpf(float(one))) for one in x]
        off = [abs(mpmath.mpf(float(y)) / e - 1) for y, e in zip(erfc(x), exact, strict=True)]
    assert max(off) < 1e-15


def test_erfc_of_0_is_1():
    assert erfc(np.array([0.0, -0.0])).tolist() == [1.0, 1.0]


def test_erfc_ends_at_0_and_2():
    assert erfc(np.array([28.0, 1e300, -28.0, -1e300])).tolist() == [0.0, 0.0, 2.0, 2.0]


def test_a_cell_does_not_depend_on_its_neighbours():
    x = np.linspace(-6.0, 6.0, 25)
    alone = [erfc(np.array([[one]]))[0, 0] for one in x]
    assert erfc(x.reshape(5, 5)).ravel().tolist() == alone
