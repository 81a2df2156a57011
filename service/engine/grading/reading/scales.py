"""Words and symbols after a number that multiply it by a power of ten."""

from typing import NamedTuple


class Scale(NamedTuple):
    exponent: int
    because: str = ""


_EXPONENTS = {
    "%": -2,
    "percent": -2,
    "per cent": -2,
    "\u2030": -3,
    **dict.fromkeys(("k", "K", "thousand", "tausend"), 3),
    **dict.fromkeys(("M", "million", "millions", "millionen", "mio", "mln"), 6),
    **dict.fromkeys(("G", "B", "bn", "billion", "billions"), 9),
    **dict.fromkeys(("milliard", "milliards", "milliarde", "milliarden", "mrd"), 9),
    "billionen": 12,
    **dict.fromkeys(("T", "tn", "trillion", "trillions"), 12),
    "trillionen": 18,
}
# The same letters mean 10^12 and 10^18 in German, French, Danish and Norwegian.
_LONG_SCALE = {"billion": 12, "billions": 12, "trillion": 18, "trillions": 18}


def scales(word: str, long_scale: bool) -> tuple[Scale, ...]:
    """What word multiplies by: one scale, none, or two where a long-scale locale allows both.

    Single letters keep their case (M is a million; m and g, a metre and a gram, are not read).
    """
    word = word.removesuffix(".")
    key = word if len(word) == 1 else word.lower()
    if key not in _EXPONENTS:
        return ()
    if long_scale and key in _LONG_SCALE:
        return (
            Scale(_EXPONENTS[key], f"{key} on the short scale, 10^{_EXPONENTS[key]}"),
            Scale(_LONG_SCALE[key], f"{key} on the long scale, 10^{_LONG_SCALE[key]}"),
        )
    return (Scale(_EXPONENTS[key]),)
