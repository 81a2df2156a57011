"""Normal numbers of given deviations, to three decimals.

Seven digits of a number tell its three decimals, unless it is halfway between two of them; only
there the others are computed. So it is the quantile itself that is rounded, at half the cost.
Source: Wichura 1988, algorithm AS 241 (PPND7, in single precision).
"""

import numpy as np
from numpy.typing import NDArray

from service.engine.normals import polynomial, quantile
from service.engine.trace import Array

Single = NDArray[np.float32]

# Coefficients of PPND7, highest power first: numerator and denominator.
_CENTRE = (
    (59.109374720, 159.29113202, 50.434271938, 3.3871327179),
    (67.187563600, 78.757757664, 17.895169469, 1.0),
)
_TAIL = (
    (0.17023821103, 1.3067284816, 2.7568153900, 1.4234372777),
    (0.12021132975, 0.73700164250, 1.0),
)
# Where r is larger, once in 10¹¹ numbers, AS 241 has other coefficients. Here such a number is said
# to be so large that it is never sure.
_FAR, _NEVER_SURE = 5.0, 1e9
# How far off any other may be, relative to it: twice the most that it is. So the same numbers come
# out wherever float32 has another logarithm.
OFF = 1e-6


def rounded(u: Array, counts: list[int], deviations: list[float]) -> Array:
    """The quantile of each share times a deviation, to the nearest thousandth, and never −0.0.

    The first deviation is that of the first counts[0] shares, and so on.
    """
    factors = np.array(deviations) * 1000.0
    x = quick_quantile(u)
    x *= np.repeat(factors.astype(np.float32), counts)
    nearest = np.rint(x)
    off = np.abs(x) * OFF
    off += np.abs(x - nearest)
    (unsure,) = np.nonzero(off >= 0.5)
    if len(unsure):
        of_each = factors[np.searchsorted(np.cumsum(counts), unsure, side="right")]
        nearest[unsure] = np.rint(quantile(u[unsure]) * of_each)
    thousandths: Array = (nearest + 0.0).astype(np.float64)
    thousandths /= 1000.0
    return thousandths


def quick_quantile(u: Array) -> Single:
    """quantile(u) to some seven digits where it is less than 6.6, beyond that _NEVER_SURE."""
    q = (u - 0.5).astype(np.float32)
    r: Single = 0.180625 - q * q
    x: Single = q * polynomial(_CENTRE[0], r)
    x /= polynomial(_CENTRE[1], r)
    (tail,) = np.nonzero(r < 0.0)
    if len(tail):
        u = u[tail]
        r = np.sqrt(-np.log(np.minimum(u, 1.0 - u).astype(np.float32)))
        y: Single = r - 1.6
        size = polynomial(_TAIL[0], y) / polynomial(_TAIL[1], y)
        size[r > _FAR] = _NEVER_SURE
        x[tail] = np.copysign(size, q[tail])
    return x
