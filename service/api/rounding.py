"""Rounding to significant digits, for what is returned and never for what is computed."""

import numpy as np

from service.engine.trace import Array

# Powers of ten up to here are exact in float64, so that one division rounds correctly.
_EXACT_POWER = 22
_DIGITS_OF_A_DOUBLE = 15


def round_significant(a: Array, digits: int) -> Array:
    """Each cell of `a` to `digits` significant digits: the float64 nearest to that decimal."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        magnitude = np.floor(np.log10(np.abs(a)))
        places = digits - 1 - magnitude
        up = 10.0 ** np.clip(places, 0, _EXACT_POWER)
        down = 10.0 ** np.clip(-places, 0, _EXACT_POWER)
        rounded = np.rint(a * up / down) / up * down
    rounded[a == 0.0] = 0.0
    # Beyond the exact powers, or where log10 rounded up, text is slower and right.
    hard = np.isfinite(a) & (a != 0.0)
    if digits <= _DIGITS_OF_A_DOUBLE:
        hard &= (np.abs(places) > _EXACT_POWER) | (np.abs(rounded) >= 10.0 ** (magnitude + 1))
    rounded[hard] = np.strings.mod(f"%.{digits - 1}e", a[hard]).astype(np.float64)
    return np.where(np.isfinite(a), rounded, a)
