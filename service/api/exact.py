"""Whole numbers that a double cannot hold, given as text beside themselves."""

from typing import Any

EXACT_IN_A_DOUBLE = 2**53 - 1
EXACT_IN_INT64 = 2**63 - 1


def with_exact(report: dict[str, Any]) -> dict[str, Any]:
    """The report without None, where each object names its large numbers under `exact`.

    Above 2^63 − 1 the number itself is rounded to a double: few clients read a larger integer.
    """
    shown: dict[str, Any] = {}
    digits: dict[str, str] = {}
    for name, value in report.items():
        kind = type(value)
        if kind is int:
            if value > EXACT_IN_A_DOUBLE:
                digits[name] = str(value)
                value = float(value) if value > EXACT_IN_INT64 else value
            shown[name] = value
        elif kind is str:
            shown[name] = value
        elif kind is dict:
            shown[name] = with_exact(value)
        elif kind is list:
            shown[name] = [with_exact(one) if type(one) is dict else one for one in value]
        elif value is not None:
            shown[name] = value
    if digits:
        shown["exact"] = digits
    return shown
