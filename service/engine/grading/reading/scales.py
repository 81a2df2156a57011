"""Words and symbols after a number that multiply it by a power of ten."""

from typing import NamedTuple


class Scale(NamedTuple):
    exponent: int
    because: str = ""


# Words that mean the same wherever they are words for a power of ten at all.
_WORDS = {
    -2: "% percent per_cent pct prozent procent pourcent pour_cent por_ciento por_cento per_cento",
    -3: "‰ promille",
    -4: "‱",
    3: "k K thousand tausend tusen tusind duizend тысяч тыс",
    4: "万 萬",
    5: "lakh lakhs",
    6: "M million millions millionen miljon miljoner miljoen millioner millón millones "
    "milhão milhões milione milioni milion mio mln млн миллион миллиона миллионов",
    7: "crore crores",
    8: "億 亿",
    9: "G B bn billion billions milliard milliards milliarde milliarden milliarder miljard "
    "miljarder miliardo miliardi miliard mrd mld bilhão bilhões mil_millones mil_milhões "
    "млрд миллиард миллиарда миллиардов",
    12: "T tn trillion trillions billionen billón billones biljoen biljoner trilhão trilhões "
    "трлн триллион триллиона триллионов",
    18: "trillionen",
}
_EXPONENTS = {
    word.replace("_", " "): exponent for exponent, words in _WORDS.items() for word in words.split()
}
# The same letters mean 10^12 and 10^18 in German, French, Danish and Norwegian.
_LONG_SCALE = {"billion": 12, "billions": 12, "trillion": 18, "trillions": 18}
# Letters that are also units of the SI or of computing, which are written after a space.
_UNITS = {"K": ("thousand", "kelvin"), "T": ("trillion", "tesla"), "B": ("billion", "byte")}


def scales(word: str, long_scale: bool, parted: bool = False) -> tuple[Scale, ...]:
    """What word multiplies by: one scale, none, or two where a long-scale locale allows both.

    Single letters keep their case (M is a million; m and g, a metre and a gram, are not read).
    parted: there is a space before the word. Then K, T and B may be units, which multiply by 1; G
    and M are none of today's.
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
    if parted and key in _UNITS:
        scale, unit = _UNITS[key]
        return Scale(_EXPONENTS[key], f"{key} for {scale}"), Scale(0, f"{key} for the unit {unit}")
    return (Scale(_EXPONENTS[key]),)
