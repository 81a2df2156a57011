"""Standard normal numbers that are the same on every machine, bit for bit.

numpy promises that a bit generator keeps its stream of integers, but neither that `normal` keeps
turning it into the same numbers, nor that `log` and `cos` end in the same bit on all processors.
So the integers of Philox, a counter-based generator whose key is (seed, stream), become numbers in
(0, 1), and these normal ones through Wichura's quantile function, with +, −, ×, ÷ and √ alone:
IEEE 754 fixes the result of each.
Sources: Salmon et al. 2011, section 3.3 (Philox4x64-10); Wichura 1988, algorithm AS 241 (PPND16).
"""

from typing import Any, TypeVar

import numpy as np
from numpy.random.bit_generator import ISeedSequence
from numpy.typing import NDArray

from service.engine.trace import Array

Floats = TypeVar("Floats", NDArray[np.float64], NDArray[np.float32])

# Coefficients of AS 241, highest power first: numerator and denominator of three quotients.
_CENTRE = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
     13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.3871328727963666080),
    (5226.4952788528545610, 28729.085735721942674, 39307.895800092710610, 21213.794301586595867,
     5394.1960214247511077, 687.18700749205790830, 42.313330701600911252, 1.0),
)  # fmt: skip
_TAIL = (
    (7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
     1.27045825245236838258, 3.64784832476320460504, 5.76949722146069140550,
     4.63033784615654529590, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
     1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940,
     2.05319162663775882187, 1.0),
)  # fmt: skip
_FAR_TAIL = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
     2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580,
     5.46378491116411436990, 6.65790464350110377720),
    (2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
     7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
     5.99832206555887937690e-1, 1.0),
)  # fmt: skip
# 2 atanh(z) = 2 z (1 + z²/3 + z⁴/5 + …), as far as a float64 sees it where |z| ≤ 0.172.
_ATANH = tuple(1.0 / (2 * k + 1) for k in range(11, -1, -1))
_LN_2 = 0.6931471805599453
_ROOT_HALF = 0.7071067811865476
# The exponent of floats in [1, 2), above 52 bits, and 1 − 2^−53.
_FROM_1_TO_2 = np.uint64(0x3FF << 52)
_BELOW_1 = 1.0 - 2.0**-53


class _Key(ISeedSequence):
    """The key itself; where Philox is given one as `key`, it asks the system for a seed as well."""

    def __init__(self, *words: int) -> None:
        self._words = words

    def generate_state(self, n_words: int, dtype: Any = np.uint64) -> Any:
        return np.array(self._words, dtype=dtype)


class Normals:
    """The stream of standard normal numbers with the key (seed, stream), each in [0, 2^64)."""

    def __init__(self, seed: int, stream: int) -> None:
        # numpy takes any ISeedSequence; its stubs know SeedSequence alone.
        self._integers = np.random.Philox(_Key(seed, stream))  # type: ignore[arg-type]

    def next(self, count: int) -> Array:
        """The next `count` of them."""
        return quantile(self.uniforms(count))

    def uniforms(self, count: int) -> Array:
        """The next `count` numbers (k + 1/2) / 2^52, k the upper 52 bits: never 0, never 1."""
        bits = self._integers.random_raw(count)
        bits >>= np.uint64(12)
        bits |= _FROM_1_TO_2  # the float 1 + k / 2^52
        uniforms: Array = bits.view(np.float64)
        uniforms -= _BELOW_1
        return uniforms


def quantile(u: Array) -> Array:
    """The number below which a share u of the standard normal distribution lies, 0 < u < 1."""
    q = u - 0.5
    r = 0.180625 - q * q
    x = q * polynomial(_CENTRE[0], r) / polynomial(_CENTRE[1], r)
    (tail,) = np.nonzero(np.abs(q) > 0.425)
    if len(tail):
        u = u[tail]
        r = np.sqrt(-logarithm(np.minimum(u, 1.0 - u)))
        size = polynomial(_TAIL[0], r - 1.6) / polynomial(_TAIL[1], r - 1.6)
        (far,) = np.nonzero(r > 5.0)
        if len(far):
            r = r[far] - 5.0
            size[far] = polynomial(_FAR_TAIL[0], r) / polynomial(_FAR_TAIL[1], r)
        x[tail] = np.copysign(size, q[tail])
    return x


def logarithm(u: Array) -> Array:
    """ln u = e ln 2 + 2 atanh((m − 1) / (m + 1)), where u = m 2^e and √½ ≤ m < √2."""
    m, e = np.frexp(u)
    low = m < _ROOT_HALF
    m = np.where(low, 2.0 * m, m)
    z = (m - 1.0) / (m + 1.0)
    return (e - low) * _LN_2 + 2.0 * z * polynomial(_ATANH, z * z)


def polynomial(coefficients: tuple[float, ...], x: Floats) -> Floats:
    """Horner's rule, highest power first, in the precision of x."""
    y: Floats = x * coefficients[0]
    y += coefficients[1]
    for c in coefficients[2:]:
        y *= x
        y += c
    return y


def dot(a: Array, b: Array) -> Array:
    """Σᵢ aᵢ bᵢ along the last axis, added in halves: an order that no library may change."""
    products = a * b
    while (width := products.shape[-1]) > 1:
        half = (width + 1) // 2
        products[..., : width - half] += products[..., half:]
        products = products[..., :half]
    total: Array = products[..., 0]
    return total
