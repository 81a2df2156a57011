"""Activations against their published formulas with 40 digits."""

import mpmath
import numpy as np
import pytest

from service.engine.block.activations import OPERATIONS

FORMULAS = {
    "relu": lambda x: max(x, mpmath.mpf(0)),
    "gelu": lambda x: x * mpmath.ncdf(x),
    "gelu_tanh": lambda x: (
        x / 2 * (1 + mpmath.tanh(mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf(0.044715) * x**3)))
    ),
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
}
POINTS = np.concatenate([np.linspace(-9.0, 9.0, 721), [-40.0, 40.0, 700.0, 1e-9, -1e-9]])


def test_every_activation_has_a_formula_here():
    assert FORMULAS.keys() == OPERATIONS.keys()


@pytest.mark.parametrize("name", FORMULAS)
def test_an_activation_is_its_formula(name):
    with np.errstate(over="ignore"):
        found = OPERATIONS[name](POINTS)
    with mpmath.workdps(60):
        exact = [float(FORMULAS[name](mpmath.mpf(float(x)))) for x in POINTS]
    # e^-y has an error that grows with y; what is that small is 0 to any reader.
    np.testing.assert_allclose(found, exact, rtol=2e-14, atol=1e-100, strict=True)


@pytest.mark.parametrize("name", FORMULAS)
def test_large_numbers_pass_and_large_negative_ones_do_not(name):
    with np.errstate(over="ignore", invalid="ignore"):
        assert OPERATIONS[name](np.array([1e5, -1e5])).tolist() == [1e5, 0.0]
