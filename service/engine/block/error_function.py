"""erfc(x) = 1 − erf(x) = 2/√π ∫ₓ^∞ e^(−t²) dt, to the last digits of a float64.

Rational approximations by Cody 1969, "Rational Chebyshev approximations for the error function",
in the form of his program CALERF (netlib, specfun). numpy has no error function.
"""

import numpy as np

from service.engine.normals import polynomial
from service.engine.trace import Array

# Highest power first. erf(x) = x A(x²)/B(x²) up to 0.46875.
_A = (1.85777706184603153e-1, 3.16112374387056560e0, 1.13864154151050156e2,
      3.77485237685302021e2, 3.20937758913846947e3)  # fmt: skip
_B = (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3,
      2.84423683343917062e3)  # fmt: skip
# erfc(x) = e^(−x²) C(x)/D(x) from there to 4.
_C = (2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0,
      6.61191906371416295e1, 2.98635138197400131e2, 8.81952221241769090e2,
      1.71204761263407058e3, 2.05107837782607147e3, 1.23033935479799725e3)  # fmt: skip
_D = (1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2,
      1.62138957456669019e3, 3.29079923573345963e3, 4.36261909014324716e3,
      3.43936767414372164e3, 1.23033935480374942e3)  # fmt: skip
# erfc(x) = e^(−x²)/x (1/√π − P(1/x²)/Q(1/x²) / x²) beyond.
_P = (1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1,
      1.25781726111229246e-1, 1.60837851487422766e-2, 6.58749161529837803e-4)  # fmt: skip
_Q = (1.0, 2.56852019228982242e0, 1.87295284992346725e0, 5.27905102951428412e-1,
      6.05183413124413191e-2, 2.33520497626869185e-3)  # fmt: skip
_ONE_BY_ROOT_PI = 5.6418958354775628695e-1
# erfc(28) is less than the smallest float64.
_FAR = 28.0


def erfc(x: Array) -> Array:
    """1 − erf(x) of each cell; small results keep their digits."""
    size = np.minimum(np.abs(x), _FAR)
    near = size <= 0.46875
    if near.all():
        return _near(x)
    found = np.empty_like(x)
    found[near] = _near(x[near])
    far = size > 4.0
    middle = ~(near | far)
    y = size[middle]
    found[middle] = _bell(y) * polynomial(_C, y) / polynomial(_D, y)
    if far.any():
        y = size[far]
        z = 1.0 / (y * y)
        found[far] = _bell(y) * (_ONE_BY_ROOT_PI - z * polynomial(_P, z) / polynomial(_Q, z)) / y
    return np.where((x < 0.0) & ~near, 2.0 - found, found)


def _near(x: Array) -> Array:
    square = x * x
    return 1.0 - x * polynomial(_A, square) / polynomial(_B, square)


def _bell(y: Array) -> Array:
    """e^(−y²), with y² = s² + (y − s)(y + s), s so short that s² is exact."""
    s = np.floor(y * 16.0) / 16.0
    bell: Array = np.exp(-s * s) * np.exp(-(y - s) * (y + s))
    return bell
