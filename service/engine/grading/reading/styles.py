"""Every way to use the marks that are in a text."""

from functools import lru_cache

from service.engine.grading.reading.numerals import Style

_GROUPS, _DECIMALS = ",. '_\u066c", ".,\u066b"
_MARKS = "".join(sorted({*_GROUPS, *_DECIMALS}))


def styles(text: str, lakh: bool) -> tuple[Style, ...]:
    """Every way to use the marks that are in the text."""
    return _styles_of("".join([mark for mark in _MARKS if mark in text]), lakh)


@lru_cache(maxsize=256)
def _styles_of(marks: str, lakh: bool) -> tuple[Style, ...]:
    """Every way to use these marks.

    A style with a mark between thousands reads numbers without one too. If there is one kind of
    mark only, it may stand between thousands, and then another, absent one before the decimals.
    1,234 567 is 1.234567, with a space between decimals, or 1234567 with marks mixed.
    """
    decimals = [mark for mark in _DECIMALS if mark in marks]
    if len(decimals) < 2:
        decimals += [mark for mark in _DECIMALS if mark not in decimals][:1]
    found = []
    for decimal in decimals:
        groups = [mark for mark in _GROUPS if mark in marks and mark != decimal]
        found += [Style(group, decimal, lakh) for group in groups or [""]]
        if "," in groups and " " in groups:
            found.append(Style(", ", decimal, lakh))
    return tuple(found)
